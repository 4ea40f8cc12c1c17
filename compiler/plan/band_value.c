/* band_value.c: arrays whose elements only the tiles of one definition read, as the rows of scores
 * divided by their sums.  Bands compute such an element as it is put into its slab, once for all
 * columns of a tile, and store none of the array: it takes no memory, and no pass of its own. */
#include <string.h>

#include "plan.h"

enum {
    MOST_NODES = 64,   /* of such an element's value */
    MOST_ASSIGNED = 8, /* assignments before it */
    MOST_PHASES = 16   /* of a body, each of which may read it */
};

/* A definition of an array that is to be computed where it is read. */
struct made {
    struct uc *uc;
    const struct plan *plan;
    const struct pstmt *definition, *put, *reader;
    int operand;
    int reads;     /* of the array */
    bool conflict; /* the value is too long where it is read */
    int nodes;     /* of which it has so many */
};

static bool counts_from_0(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST && r->step->i == 1;
}

/* Whether a statement defines each element of an array, and nothing else, by straight code. */
static bool defines(struct made *m, const struct pstmt *s) {
    const struct plan *p = m->plan;
    const struct prange *r = s->ranges;
    int first = p->noperands - p->overload->nintermediates, n = 0;
    if (s->kind != PS_SPREAD || s->accs != NULL || s->ordered || s->merged ||
        p->map.tiling[s->phase] != NULL)
        return false;
    const struct pstmt *put = s->body;
    for (; put != NULL && put->kind == PS_SET && n < MOST_ASSIGNED; n++)
        put = put->next;
    if (put == NULL || put->kind != PS_PUT || put->next != NULL || put->merged)
        return false;
    const struct pval *place = put->place;
    if (place->operand < first || place->operand >= p->noperands || place->checked)
        return false;
    for (int i = 0; i < place->nargs; i++, r = r->next)
        if (r == NULL || !counts_from_0(r) || place->args[i]->kind != PV_VAR ||
            place->args[i]->var != r->var)
            return false;
    m->definition = s;
    m->put = put;
    m->operand = place->operand;
    return r == NULL;
}

static enum walk find_read(const struct pval *v, void *arg) {
    struct made *m = arg;
    m->reads += v->kind == PV_ELEM && v->operand == m->operand;
    return WALK_IN;
}

static enum walk find_operand(const struct pval *v, void *arg) {
    const struct made *m = arg;
    bool changes = false;
    for (const struct pstmt *s = m->definition->next; s != m->reader->next; s = s->next) {
        struct pstmt alone = *s;
        alone.next = NULL;
        changes = changes || (v->kind == PV_ELEM && is_put(&alone, v->operand)) ||
                  (v->kind == PV_VAR && s->kind == PS_SET && s->var == v->var);
    }
    return changes ? WALK_STOP : WALK_IN;
}

/* Finds the tiles that alone read the array.  False: something else does, or changes what its
 * elements are made of. */
static bool find_reader(struct made *m) {
    const struct plan_visitor reads = {.value = find_read, .joined = true};
    const struct plan_visitor operands = {.value = find_operand};
    m->reader = NULL;
    for (const struct pstmt *s = m->plan->body->body; s != NULL; s = s->next) {
        m->reads = 0;
        stmt_walk(s, &reads, m);
        bool tiles = s->kind == PS_SPREAD && m->plan->map.tiling[s->phase] != NULL;
        if (s != m->definition && m->reads > 0 && (m->reader != NULL || !tiles))
            return false;
        if (s == m->definition && m->reads > 1) /* by the place that it stores to */
            return false;
        if (s != m->definition && m->reads > 0)
            m->reader = s;
    }
    const struct pstmt *s = m->definition->next;
    while (s != NULL && s != m->reader)
        s = s->next;
    return s != NULL && plan_walk(m->definition->body, &operands, m);
}

/* ---- where it is read */

static struct pval *copy(struct made *m, const struct pval *v, const struct pval *place);

/* What the definition sets a variable to, or its index where the array is read; NULL: it is another
 * variable. */
static const struct pval *of_definition(const struct made *m, const struct pvar *var,
                                        const struct pval *place, bool *index) {
    const struct pval *found = NULL;
    const struct prange *r = m->definition->ranges;
    *index = false;
    for (int i = 0; i < place->nargs; i++, r = r->next)
        if (r->var == var) {
            *index = true;
            return place->args[i];
        }
    for (const struct pstmt *s = m->definition->body; s != m->put; s = s->next)
        if (s->var == var)
            found = s->value;
    return found;
}

/* A copy of a value of the definition where the array is read at that place; or, without one, of a
 * value that may read it. */
static struct pval *copy(struct made *m, const struct pval *v, const struct pval *place) {
    bool index = false;
    if (m->nodes++ > MOST_NODES)
        m->conflict = true;
    if (v == NULL || m->conflict)
        return (struct pval *)(void *)v;
    if (place == NULL && v->kind == PV_ELEM && v->operand == m->operand)
        return copy(m, m->put->value, v);
    const struct pval *stands =
        place != NULL && v->kind == PV_VAR ? of_definition(m, v->var, place, &index) : NULL;
    if (stands != NULL)
        return index ? (struct pval *)(void *)stands : copy(m, stands, place);
    struct pval *n = NEW(m->uc, struct pval);
    *n = *v;
    for (int i = 0; i < v->nargs; i++)
        n->args[i] = copy(m, v->args[i], place);
    return n;
}

static struct pstmt *copy_list(struct made *m, const struct pstmt *s) {
    struct pstmt *list = NULL, **end = &list;
    for (; s != NULL; s = s->next, end = &(*end)->next) {
        struct pstmt *n = *end = NEW(m->uc, struct pstmt);
        *n = *s;
        m->nodes = 0;
        n->value = copy(m, s->value, NULL);
        n->body = copy_list(m, s->body);
        n->other = copy_list(m, s->other);
    }
    return list;
}

/* Whether the value is the element as it is stored, and variables of the definition are set once.
 */
static bool is_plain(const struct made *m) {
    enum ufc_dtype d = m->plan->operands[m->operand].dtype;
    for (const struct pstmt *s = m->definition->body; s != m->put; s = s->next)
        if (!sets_once(m->definition->body, s->var) || is_half(s->var->rounds))
            return false;
    return m->put->value->dtype == d && dtype_info[d].bits >= 32 && !is_complex(d);
}

/* ---- the plan */

/* The same plan, of whose statements one is missing and one another. */
static struct plan *change(struct uc *uc, const struct plan *p, const struct made *m,
                           const struct pstmt *reader, const struct tiling *t) {
    struct plan *n = NEW(uc, struct plan);
    *n = *p;
    n->body = NEW(uc, struct pstmt);
    *n->body = *p->body;
    struct pstmt **end = &n->body->body;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        if (s == m->definition)
            continue;
        *end = NEW(uc, struct pstmt);
        **end = s == m->reader ? *reader : *s;
        end = &(*end)->next;
    }
    *end = NULL;
    size_t bytes = (size_t)(p->map.phases + 1) * sizeof *p->map.tiling;
    n->map.tiling = arena_alloc(uc, bytes);
    memcpy(n->map.tiling, p->map.tiling, bytes);
    n->map.tiling[m->reader->phase] = t;
    return n;
}

/* The plan without one of such arrays; NULL: it has none. */
static struct plan *without_array(struct uc *uc, struct plan *p, struct plan *whole) {
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        struct made m = {.uc = uc, .plan = p};
        if (!defines(&m, s) || !is_plain(&m) || !find_reader(&m))
            continue;
        const struct tiling *t = p->map.tiling[m.reader->phase];
        struct pstmt reader = *m.reader;
        reader.body = copy_list(&m, m.reader->body);
        const struct tiling *of = m.conflict ? NULL : find_tiling(uc, whole, &reader);
        bool alike = of != NULL && of->per[0] == t->per[0] && of->per[1] == t->per[1] &&
                     of->shared == t->shared && of->skew == t->skew && of->batched == t->batched &&
                     of->nahead[TILE_ROW] > 0 && of->valid[TILE_ROW] == t->valid[TILE_ROW];
        if (alike)
            return change(uc, p, &m, &reader, of);
    }
    return NULL;
}

void find_band_values(struct uc *uc, struct plan *p) {
    struct plan *of = p, *next;
    p->map.band = NULL;
    if (p->map.phases > MOST_PHASES || next_tiling(p, 0) == NULL)
        return;
    while ((next = without_array(uc, of, p)) != NULL)
        of = next;
    if (of == p)
        return;
    of->vars = p->vars;
    of->nvars = p->nvars;
    p->map.band = of;
}

const struct plan *plan_of_bands(const struct plan *p) {
    return p->map.band != NULL ? p->map.band : p;
}
