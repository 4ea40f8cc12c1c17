/* point_cell.c: an element that loops at a point add to is kept in a variable until the point, or
 * the list of its statements that has the loops, is done:
 *
 *     y[f, i] = b[f]
 *     for a in 0..c { for t in 0..k { if at >= 0 { y[f, i] += w[f, a, t] * x[a, at] } } }
 *
 * No other point has the element, as the point stores it before, or it is another one at each
 * point, which store no others.  fixed.c has those that each iteration of a single loop changes. */
#include "bounded.h"
#include "total.h"

struct keeping {
    struct uc *uc;
    struct plan *plan;
    const struct pstmt *points;
    const struct pval *place;   /* of the element */
    const bool *written;        /* find_written of the list */
    const struct pval *skipped; /* a place that is stored to */
    bool first;                 /* the list stores it before anything else */
    bool looped;                /* a loop stores it */
    int loops;                  /* around the statement */
    struct pvar *var;           /* what is read instead; NULL: nothing yet */
};

static enum walk visit_read(const struct pval *v, void *arg) {
    struct keeping *k = arg;
    const struct pval *read = element_read(v);
    if (read == NULL || read == k->skipped || read->operand != k->place->operand)
        return WALK_IN;
    if (!same_value(read, k->place))
        return WALK_STOP;
    if (k->var == NULL)
        return WALK_IN;
    replace_read(k->uc, (struct pval *)(void *)v, k->var);
    return WALK_PAST;
}

static bool is_own_put(const struct keeping *k, const struct pstmt *s) {
    return s->kind == PS_PUT && s->operand == k->place->operand;
}

/* Whether a statement does nothing with the array but to read and store the element, without
 * leaving the list; or has it use the variable. */
static bool visit(struct keeping *k, struct pstmt *s) {
    bool loop = s->kind == PS_FOR && s->accs == NULL && s->shared == NULL && s->deal == NULL;
    bool fits = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT || loop ||
                (s->kind == PS_SPREAD && s->accs != NULL);
    bool own = is_own_put(k, s);
    if (!fits || s->merged || s->sole ||
        (own && (!same_value(s->place, k->place) || s->value->dtype != k->place->dtype)))
        return false;
    k->skipped = s->place;
    if (!stmt_values(s, visit_read, k))
        return false;
    k->looped = k->looped || (own && k->loops > 0);
    k->loops += loop;
    struct pstmt **const lists[] = {&s->body, &s->other, &s->joined};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (struct pstmt **at = lists[i]; *at != NULL;) {
            struct pstmt *in = *at, *next = in->next;
            if (!visit(k, in))
                return false;
            if (k->var == NULL || !is_own_put(k, in)) {
                at = &in->next;
                continue;
            }
            *at = next;
            at = set_kept(k->uc, k->plan, k->var, in->value, at, in->at);
        }
    k->loops -= loop;
    return true;
}

/* Stops at a store of another element, which may be one that another point keeps. */
static enum walk find_other_put(const struct pstmt *s, void *keeping) {
    const struct keeping *k = keeping;
    return is_own_put(k, s) && !same_value(s->place, k->place) ? WALK_STOP : WALK_IN;
}

/* Is the element another one at each point, surely one, and the only one that a point stores? */
static bool is_of_point(struct keeping *k) {
    const struct prange *ranges = k->points->ranges;
    return differ_at_points(k->place, &ranges, 1) && exists_anyway(k->plan, k->place) &&
           plan_walk(k->points->body, &(struct plan_visitor){.stmt = find_other_put}, k);
}

/* Whether the element that a statement of a list stores may be kept from *from on. */
static bool is_kept(struct keeping *k, struct pstmt *from) {
    enum ufc_dtype d = k->place->dtype;
    if (k->place->nargs == 0 || k->place->checked != 0 || (d == DT_BOOL && !k->first))
        return false;
    k->written = find_written(k->uc, k->plan, from);
    for (int i = 0; i < k->place->nargs; i++)
        if (!is_settled(k->written, k->place->args[i]))
            return false;
    for (struct pstmt *s = from; s != NULL; s = s->next)
        if (!visit(k, s))
            return false;
    return k->looped && (k->first || is_of_point(k));
}

/* Keeps the element from *at on. */
static void keep(struct keeping *k, struct pstmt **at) {
    struct plan *p = k->plan;
    enum ufc_dtype d = k->place->dtype;
    struct span where = (*at)->at;
    struct pstmt outer = {.kind = PS_IF, .body = *at}, *put = NEW(k->uc, struct pstmt);
    struct pval *before = NEW(k->uc, struct pval), *place = NEW(k->uc, struct pval);
    *before = *place = *k->place;
    k->place = place;
    k->var = kept_new(k->uc, p, p->operands[place->operand].name, d);
    outer.value = plan_number(k->uc, 1);
    visit(k, &outer);
    *at = outer.body;
    if (!k->first)
        set_kept(k->uc, p, k->var, before, at, where);
    while (*at != NULL)
        at = &(*at)->next;
    *put = (struct pstmt){.kind = PS_PUT,
                          .at = where,
                          .operand = place->operand,
                          .place = place,
                          .value = read_kept(k->uc, k->var, d)};
    *at = put;
}

/* The first store to an array in a loop. */
struct stored {
    int operand;
    const struct pstmt *put;
};

static enum walk find_put(const struct pstmt *s, void *stored) {
    struct stored *x = stored;
    if (s->kind != PS_PUT || s->operand != x->operand)
        return WALK_IN;
    x->put = s;
    return WALK_STOP;
}

static const struct pstmt *put_in(const struct pstmt *s, int operand) {
    struct stored x = {.operand = operand};
    if (s->kind == PS_FOR)
        plan_walk(s->body, &(struct plan_visitor){.stmt = find_put}, &x);
    return x.put;
}

static enum walk find_operand(const struct pval *v, void *operand) {
    return v->kind == PV_ELEM && v->operand == *(const int *)operand ? WALK_STOP : WALK_IN;
}

/* Where a list, a statement of which has the store in a loop, first accesses its array. */
static struct pstmt **first_access(struct pstmt **list, const struct pstmt *put) {
    const struct plan_visitor visitor = {.value = find_operand, .joined = true};
    int operand = put->operand;
    while (stmt_walk(*list, &visitor, &operand))
        list = &(*list)->next;
    return list;
}

/* Keeps elements of an array that loops of a list store. */
static void keep_of(struct uc *uc, struct plan *p, const struct pstmt *points, struct pstmt **list,
                    int operand) {
    for (const struct pstmt *s = *list; s != NULL; s = s->next) {
        const struct pstmt *put = put_in(s, operand);
        if (put == NULL)
            continue;
        struct pstmt **at = first_access(list, put);
        struct keeping k = {.uc = uc, .plan = p, .points = points, .place = put->place};
        k.first = is_own_put(&k, *at) &&
                  value_walk((*at)->value, find_operand, (void *)(uintptr_t)&put->operand);
        if (is_kept(&k, *at))
            keep(&k, at);
    }
}

/* The same of all arrays; then of lists in the list's statements. */
static void keep_in(struct uc *uc, struct plan *p, const struct pstmt *points,
                    struct pstmt **list) {
    for (int i = 0; i < p->noperands; i++)
        keep_of(uc, p, points, list, i);
    for (struct pstmt *s = *list; s != NULL; s = s->next)
        if (s->kind == PS_IF || s->kind == PS_FOR) {
            keep_in(uc, p, points, &s->body);
            keep_in(uc, p, points, &s->other);
        }
}

static enum walk find_points(const struct pstmt *s, void *arg) {
    const struct keeping *k = arg;
    if (s->kind == PS_FOR && s->shared != NULL)
        plan_walk(s->shared, &(struct plan_visitor){.stmt = find_points}, arg);
    if (s->kind != PS_SPREAD || s->accs != NULL || s->merged)
        return WALK_IN;
    struct pstmt *points = (struct pstmt *)(uintptr_t)s;
    keep_in(k->uc, k->plan, points, &points->body);
    if (points->serial != NULL) {
        points->serial = NULL;
        add_serial_loop(k->uc, points);
    }
    return WALK_PAST;
}

void keep_point_cells(struct uc *uc, struct plan *p) {
    struct keeping k = {.uc = uc, .plan = p};
    plan_walk(p->body, &(struct plan_visitor){.stmt = find_points}, &k);
}
