/* alias.c: arrays of a body that are made in another one, to which they would be copied as a
 * whole, as the results of a call in `y = f(x)` that f makes in several statements. */
#include "apart.h"

struct alias {
    struct plan *plan;
    struct pstmt *copy;
    int from, to; /* operands */
    bool accessed[2];
};

static bool is_size(const struct pval *v, const struct dim *dim) {
    return dim->size >= 0 ? v->kind == PV_CONST && (int64_t)v->i == dim->size
                          : v->kind == PV_DIM && v->operand == dim->index;
}

static bool is_number(const struct pval *v, uint64_t n) {
    return v->kind == PV_CONST && v->i == n;
}

bool has_all_elements(const struct plan *p, const struct pstmt *s, const struct pval *place) {
    const struct prange *r = s->ranges;
    int i = 0;
    for (; r != NULL && i < place->nargs; r = r->next, i++)
        if (place->args[i]->kind != PV_VAR || place->args[i]->var != r->var ||
            !is_number(r->lo, 0) || !is_number(r->step, 1) ||
            !is_size(r->hi, p->operands[place->operand].dims[i]))
            return false;
    return r == NULL && i == place->nargs && place->checked == 0;
}

bool is_whole_loop(const struct plan *p, const struct pstmt *loop, int k, int axis) {
    return is_number(loop->lo, 0) && is_number(loop->step, 1) &&
           is_size(loop->hi, p->operands[k].dims[axis]);
}

bool is_whole_definition(const struct plan *p, const struct pstmt *s) {
    const struct pstmt *last = s->kind == PS_SPREAD && s->accs == NULL ? s->body : NULL;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return last != NULL && last->kind == PS_PUT && last->operand < p->noperands &&
           has_all_elements(p, s, last->place);
}

static enum walk note_read(const struct pval *v, void *arg) {
    struct alias *a = arg;
    if (v->kind == PV_ELEM) {
        a->accessed[0] = a->accessed[0] || v->operand == a->from;
        a->accessed[1] = a->accessed[1] || v->operand == a->to;
    }
    return WALK_IN;
}

static enum walk note_store(const struct pstmt *s, void *arg) {
    struct alias *a = arg;
    if (s->kind == PS_PUT || s->kind == PS_CLEAR) {
        a->accessed[0] = a->accessed[0] || s->operand == a->from;
        a->accessed[1] = a->accessed[1] || s->operand == a->to;
    }
    return WALK_IN;
}

static void find_accesses(struct alias *a, const struct pstmt *s) {
    const struct plan_visitor visitor = {.stmt = note_store, .value = note_read, .joined = true};
    a->accessed[0] = a->accessed[1] = false;
    stmt_walk(s, &visitor, a);
}

/* Whether s copies the elements of an array that the body makes to another one; sets a to it. */
static bool is_copy(struct plan *p, struct pstmt *s, struct alias *a) {
    const struct overload *o = p->overload;
    const struct pstmt *put = s->body;
    if (!is_whole_definition(p, s) || put->next != NULL || put->value->kind != PV_ELEM)
        return false;
    *a = (struct alias){.plan = p, .copy = s, .from = put->value->operand, .to = put->operand};
    return a->from >= o->nin + o->nout && a->from < p->noperands && a->from != a->to &&
           p->operands[a->from].dtype == p->operands[a->to].dtype &&
           has_all_elements(p, s, put->value);
}

/* Whether before the copy all elements of the one array are stored first, and the other is not
 * accessed; and the one is not accessed behind. */
static bool may_be_one(struct alias *a) {
    bool begun = false;
    const struct pstmt *s = a->plan->body->body;
    for (; s != a->copy; s = s->next) {
        find_accesses(a, s);
        if (a->accessed[1])
            return false;
        if (!begun && a->accessed[0]) {
            const struct pstmt *last = s->body;
            while (last != NULL && last->next != NULL)
                last = last->next;
            begun = is_whole_definition(a->plan, s) && last->operand == a->from;
            if (!begun)
                return false;
        }
    }
    for (s = s->next; s != NULL; s = s->next) {
        find_accesses(a, s);
        if (a->accessed[0])
            return false;
    }
    return begun;
}

struct rename {
    int from, to; /* operands */
};

static enum walk rename_read(const struct pval *v, void *arg) {
    const struct rename *r = arg;
    if (v->kind == PV_ELEM && v->operand == r->from)
        ((struct pval *)(void *)v)->operand = r->to;
    return WALK_IN;
}

static enum walk rename_store(const struct pstmt *s, void *arg) {
    const struct rename *r = arg;
    if ((s->kind == PS_PUT || s->kind == PS_CLEAR) && s->operand == r->from)
        ((struct pstmt *)(void *)s)->operand = r->to;
    return WALK_IN;
}

void rename_array(struct pstmt *list, int from, int to) {
    const struct plan_visitor renames = {
        .stmt = rename_store, .value = rename_read, .joined = true};
    plan_walk(list, &renames, &(struct rename){from, to});
}

void alias_arrays(struct plan *p) {
    const struct overload *o = p->overload;
    struct alias a;
    if (o->nintermediates == 0)
        return;
    for (struct pstmt **at = &p->body->body; *at != NULL;) {
        if (!is_copy(p, *at, &a) || !may_be_one(&a)) {
            at = &(*at)->next;
            continue;
        }
        *at = (*at)->next;
        rename_array(p->body, a.from, a.to);
        p->in_place |= UINT32_C(1) << (a.from - o->nin - o->nout);
    }
}
