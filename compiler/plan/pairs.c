/* pairs.c: ordered loops over all pairs, each once, that update elements of both, as forces that
 * are opposite do:
 *
 *     for i in 0..n {
 *         for j in i + 1..n {
 *             let s = f(x[i], x[j])
 *             e[i] += s
 *             e[j] -= s
 *         }
 *     }
 *
 * An element takes what pairs with the elements before it have for it as their second one, in the
 * order of those, and then what it is the first one of.  So each may have a loop of its own, which
 * computes the pairs a second time, and beside which any other element may be computed:
 *
 *     for i in 0..n {
 *         for p in 0..i { let s = f(x[p], x[i]); e[i] -= s }
 *         for j in i + 1..n { let s = f(x[i], x[j]); e[i] += s }
 *     }
 *
 * Where pairs are those of j in 0..i, these come first.  In a version of the body. */
#include "apart.h"
#include "linear.h"

struct pairs {
    struct lower *l;
    const struct pstmt *loop, *inner;
    bool upper;                         /* the inner loop's indices are greater than the outer's */
    const struct pval *lo, *hi;         /* of the elements */
    uint32_t stored;                    /* operands, a bit each, */
    signed char axis[UFC_MAX_OPERANDS]; /* and their subscript that has an index; -1: none yet */
    bool rows, columns;                 /* there are updates by the outer, and by the inner index */
    bool beside;                        /* the outer loop stores beside the inner one */
};

/* ---- the loops */

static bool is_by_one(const struct pstmt *s) {
    return s->kind == PS_FOR && s->accs == NULL && s->step->kind == PV_CONST && s->step->i == 1;
}

static bool is_index(const struct pval *v, const struct pstmt *loop) {
    return v->kind == PV_VAR && v->var == loop->var;
}

/* Is a the number b and so many more? */
static bool is_more(const struct pairs *x, const struct pval *a, const struct pval *b,
                    int64_t more) {
    if (a->kind == PV_CONST && b->kind == PV_CONST)
        return (int64_t)a->i - (int64_t)b->i == more;
    struct pval *sum =
                    value_op(x->l, OP_ADD, DT_INT64, (struct pval *)b, plan_number(x->l->uc, more)),
                *difference = value_op(x->l, OP_SUB, DT_INT64, (struct pval *)b,
                                       plan_number(x->l->uc, -more));
    return same_value(a, more == 0 ? b : sum) || same_value(a, difference);
}

static bool find_bounds(struct pairs *x) {
    const struct pstmt *out = x->loop, *in = x->inner;
    struct pval *index = plan_read(x->l->uc, out->var);
    x->upper = is_more(x, in->lo, index, 1);
    if (!x->upper && !is_index(in->hi, out))
        return false;
    x->lo = x->upper ? out->lo : in->lo;
    x->hi = x->upper ? in->hi : out->hi;
    bool all = x->upper ? same_value(out->hi, x->hi) : same_value(out->lo, x->lo);
    bool but_one = x->upper ? is_more(x, out->hi, x->hi, -1) : is_more(x, out->lo, x->lo, 1);
    const struct pval *const bounds[] = {x->lo, x->hi};
    const bool *written = find_written(x->l->uc, x->l->plan, out->body),
               *within = find_written(x->l->uc, x->l->plan, in->body);
    for (int i = 0; i < 2; i++)
        if (bounds[i]->kind != PV_CONST && bounds[i]->kind != PV_DIM)
            return false;
    return (all || (but_one && !x->beside)) && !written[out->var->id] && !within[in->var->id];
}

/* The loop within; NULL: there are several, or none. */
static const struct pstmt *find_inner(struct pairs *x) {
    const struct pstmt *inner = NULL;
    for (const struct pstmt *s = x->loop->body; s != NULL; s = s->next) {
        bool loop = is_by_one(s) && is_store(s);
        if (loop && inner != NULL)
            return NULL;
        inner = loop ? s : inner;
        x->beside = x->beside || (!loop && is_store(s));
    }
    return inner;
}

/* ---- updates */

enum update { UPDATE_NONE, UPDATE_ROW, UPDATE_COLUMN };

static enum update update_of(const struct pairs *x, const struct pstmt *s) {
    if (s->kind != PS_PUT)
        return UPDATE_NONE;
    const struct pval *v = s->place->args[x->axis[s->operand]];
    return is_index(v, x->loop) ? UPDATE_ROW : is_index(v, x->inner) ? UPDATE_COLUMN : UPDATE_NONE;
}

static enum walk note_update(const struct pstmt *s, void *arg) {
    struct pairs *x = arg;
    bool ends = s->kind == PS_ASSERT || s->kind == PS_CLEAR || s->kind == PS_LOOP ||
                (s->kind == PS_SET && s->var->imag != NULL);
    if (s->kind != PS_PUT)
        return ends ? WALK_STOP : WALK_IN;
    if (s->operand >= x->l->plan->noperands || s->merged || s->sole || s->place->checked != 0 ||
        is_complex(s->place->dtype))
        return WALK_STOP;
    for (int i = 0; i < s->place->nargs && x->axis[s->operand] < 0; i++)
        if (is_index(s->place->args[i], x->loop) || is_index(s->place->args[i], x->inner))
            x->axis[s->operand] = (signed char)i;
    x->stored |= UINT32_C(1) << s->operand;
    enum update by = x->axis[s->operand] >= 0 ? update_of(x, s) : UPDATE_NONE;
    x->rows = x->rows || by == UPDATE_ROW;
    x->columns = x->columns || by == UPDATE_COLUMN;
    return by == UPDATE_NONE ? WALK_STOP : WALK_IN;
}

/* What a statement may read of what is stored: its place alone. */
struct reading {
    const struct pairs *x;
    const struct pval *place; /* or NULL */
};

static enum walk find_other(const struct pval *v, void *arg) {
    const struct reading *r = arg;
    bool stored = v->kind == PV_ELEM &&
                  (v->operand >= r->x->l->plan->noperands || (r->x->stored >> v->operand & 1) != 0);
    return stored && (r->place == NULL || !same_value(v, r->place)) ? WALK_STOP : WALK_IN;
}

static enum walk find_other_reads(const struct pstmt *s, void *arg) {
    struct reading r = {arg, s->kind == PS_PUT ? s->place : NULL};
    bool own = stmt_values(s, find_other, &r);
    for (int i = 0; own && s->kind == PS_PUT && i < s->place->nargs; i++)
        own = value_walk(s->place->args[i], find_other, &(struct reading){r.x, NULL});
    return own ? WALK_IN : WALK_STOP;
}

/* ---- what they become */

/* Leaves out the updates of a kind, and assignments to variables, of which it is told by number. */
static void leave_out(const struct pairs *x, struct pstmt **list, enum update by,
                      const bool *sets) {
    while (*list != NULL) {
        struct pstmt *s = *list;
        leave_out(x, &s->body, by, sets);
        leave_out(x, &s->other, by, sets);
        bool empty = (s->kind == PS_IF || s->kind == PS_FOR || s->kind == PS_SPREAD) &&
                     s->accs == NULL && s->body == NULL && s->other == NULL;
        bool set = s->kind == PS_SET && sets != NULL && sets[s->var->id];
        if (empty || set || (s->kind == PS_PUT && update_of(x, s) == by))
            *list = s->next;
        else
            list = &s->next;
    }
}

/* The variables that the inner loop sets and what is beside it mentions: sums of a row. */
static bool *find_sums(const struct pairs *x) {
    const struct plan *p = x->l->plan;
    const bool *written = find_written(x->l->uc, p, x->inner->body);
    const int *in = count_mentions(x->l->uc, p, x->inner->body),
              *all = count_mentions(x->l->uc, p, x->loop->body);
    bool *sums = NEWN(x->l->uc, bool, p->nvars + 1);
    for (int i = 0; i < p->nvars; i++)
        sums[i] = written[i] && in[i] != all[i];
    return sums;
}

static struct pstmt *loop_over(const struct pairs *x, struct pvar *var, const struct pval *lo,
                               const struct pval *hi, struct pstmt *body) {
    struct pstmt *loop = NEW(x->l->uc, struct pstmt);
    *loop = *x->inner;
    loop->var = var;
    loop->lo = (struct pval *)lo;
    loop->hi = (struct pval *)hi;
    loop->body = body;
    loop->next = loop->serial = loop->shared = NULL;
    return loop;
}

/* Do only assignments of the outer loop's list before the inner one set a variable? */
static bool is_set_alone(const struct pairs *x, const struct pvar *var) {
    bool before = true;
    for (const struct pstmt *s = x->loop->body; s != NULL; s = s->next) {
        before = before && s != x->inner;
        struct pstmt *own = copy_statements(x->l->uc, s, s->next, NULL, NULL);
        if (!(before && s->kind == PS_SET) && find_written(x->l->uc, x->l->plan, own)[var->id])
            return false;
    }
    return true;
}

/* The loop over the pairs whose second one is the element; NULL: it is not known what they have
 * for it. */
static struct pstmt *column_loop(const struct pairs *x) {
    struct lower *l = x->l;
    const struct plan *p = l->plan;
    bool *sums = find_sums(x), *none = NEWN(l->uc, bool, p->nvars + 1);
    struct pstmt *first = NULL, **end = &first;
    for (const struct pstmt *s = x->loop->body; s != x->inner; s = s->next)
        if (s->kind == PS_SET && !sums[s->var->id] && is_set_alone(x, s->var)) {
            *end = copy_statements(l->uc, s, s->next, NULL, NULL);
            end = &(*end)->next;
        }
    *end = copy_statements(l->uc, x->inner->body, NULL, NULL, NULL);
    leave_out(x, end, UPDATE_ROW, sums);
    remove_unread_sets(l, &first, none);
    const bool *here = find_written(l->uc, p, first), *all = find_written(l->uc, p, x->loop->body);
    const int *mentions = count_mentions(l->uc, p, first);
    for (int i = 0; i < p->nvars; i++)
        if (mentions[i] > 0 && all[i] && !here[i] && i != x->inner->var->id)
            return NULL;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, p->nvars + 1)};
    struct variable *other = variable_new(l, x->inner->var->name, DT_INT64);
    struct pval *element = plan_read(l->uc, x->loop->var);
    const struct pval *lo = x->upper ? x->lo : whole_add(l, element, plan_number(l->uc, 1)),
                      *hi = x->upper ? element : x->hi;
    set_index_range(other, x->lo, x->hi, x->loop->step);
    c.vars[x->loop->var->id] = &other->pvar;
    c.vars[x->inner->var->id] = x->loop->var;
    struct pstmt *body = NULL;
    end = &body;
    for (const struct pstmt *s = first; s != NULL; s = s->next, end = &(*end)->next)
        *end = copy_stmt(&c, s);
    return loop_over(x, &other->pvar, lo, hi, body);
}

static struct pstmt *element_loop(const struct pairs *x) {
    struct lower *l = x->l;
    struct pstmt *column = column_loop(x), *own = NULL, **end;
    if (column == NULL)
        return NULL;
    own = copy_statements(l->uc, x->loop->body, NULL, NULL, NULL);
    leave_out(x, &own, UPDATE_COLUMN, NULL);
    for (end = &own; *end != NULL && !x->upper; end = &(*end)->next)
        ;
    if (x->upper)
        column->next = own;
    *end = column;
    struct pstmt *loop = loop_over(x, x->loop->var, x->lo, x->hi, own);
    loop->at = x->loop->at;
    set_index_range((struct variable *)loop->var, loop->lo, loop->hi, loop->step);
    add_serial_loops(l->uc, loop);
    return loop;
}

/* What a loop of the body becomes, if that may be in any order; NULL: it is no such loop. */
static struct pstmt *pair_loop(struct lower *l, const struct pstmt *loop) {
    struct pairs x = {.l = l, .loop = loop};
    const struct plan_visitor updates = {.stmt = note_update}, reads = {.stmt = find_other_reads},
                              jumps = {.stmt = find_jump};
    memset(x.axis, -1, sizeof x.axis);
    if (!is_by_one(loop) || !plan_walk(loop->body, &jumps, NULL))
        return NULL;
    x.inner = find_inner(&x);
    if (x.inner == NULL || !find_bounds(&x) || !plan_walk(loop->body, &updates, &x) || !x.rows ||
        !x.columns || !plan_walk(x.inner->body, &reads, &x))
        return NULL;
    return element_loop(&x);
}

/* ---- */

/* Puts what a loop becomes in its place, if it is one whose iterations have any order. */
static bool replace_loop(struct sharer *x, struct lower *l, struct pstmt **at) {
    struct pstmt *s = *at, *loop = pair_loop(l, s);
    if (loop == NULL)
        return false;
    loop->next = s->next;
    *at = loop;
    x->mentions = count_mentions(l->uc, l->plan, l->plan->body);
    if (are_others_apart(x, loop, find_written(l->uc, l->plan, loop->body)))
        return true;
    *at = s;
    return false;
}

/* The same, but that it is only asked whether it is one. */
static bool is_pairs(struct sharer *x, struct lower *l, struct pstmt *loop) {
    struct pvar **vars = variables_end(l);
    int nvars = l->plan->nvars;
    struct pstmt **at = &l->plan->body->body;
    while (*at != loop)
        at = &(*at)->next;
    bool is = replace_loop(x, l, at);
    *at = loop;
    *vars = NULL;
    l->vars_end = vars;
    l->plan->nvars = nvars;
    x->mentions = count_mentions(l->uc, l->plan, l->plan->body);
    return is;
}

static bool gather_body(struct lower *l, bool replaces) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    bool any = false;
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        if (!is_by_one(*at) || !has_loop((*at)->body) || is_independent(&x, *at))
            continue;
        bool is = is_pairs(&x, l, *at) || part_at(&x, l, at, is_pairs, false, replaces);
        any = any || is;
        if (is && replaces)
            replace_loop(&x, l, at);
    }
    return any;
}

bool has_pairs(struct lower *l) {
    return gather_body(l, false);
}

void gather_pairs(struct lower *l) {
    gather_body(l, true);
}
