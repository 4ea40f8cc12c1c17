/* alike.c: definitions whose reductions read the same elements, or whose points choose among
 * the same ones, so that one loop does for all of them. */
#include "plan.h"

/* Two definitions over the same ranges, each by one reduction. */
struct pair {
    const struct pstmt *definition[2], *reduction[2];
};

static int place_in(const struct prange *r, const struct pvar *var) {
    for (int i = 0; r != NULL; r = r->next, i++)
        if (r->var == var)
            return i;
    return -1;
}

/* Are values alike, of which one names indices of the first definition where the other names those
 * of the second?  Other variables, such as those of loops within, are taken to be. */
static bool is_alike(const struct pair *x, const struct pval *a, const struct pval *b) {
    bool same = a->kind == b->kind && a->dtype == b->dtype && a->op == b->op &&
                a->operand == b->operand && a->table == b->table && a->builtin == b->builtin &&
                a->nargs == b->nargs && a->i == b->i && a->f == b->f;
    if (same && a->kind == PV_VAR)
        return place_in(x->definition[0]->ranges, a->var) ==
                   place_in(x->definition[1]->ranges, b->var) &&
               place_in(x->reduction[0]->ranges, a->var) ==
                   place_in(x->reduction[1]->ranges, b->var);
    for (int i = 0; same && i < a->nargs; i++)
        same = is_alike(x, a->args[i], b->args[i]);
    return same;
}

static bool have_alike_bounds(const struct pair *x) {
    const struct prange *a = x->reduction[0]->ranges, *b = x->reduction[1]->ranges;
    while (a != NULL && b != NULL && is_alike(x, a->lo, b->lo) && is_alike(x, a->hi, b->hi) &&
           is_alike(x, a->step, b->step)) {
        a = a->next;
        b = b->next;
    }
    return a == NULL && b == NULL;
}

/* An element that one reduction reads, which the other one is to read too. */
struct wanted {
    const struct pair *pair;
    const struct pval *place;
    int other;
};

static enum walk find_place(const struct pval *v, void *arg) {
    const struct wanted *w = arg;
    const struct pval *a = w->other == 0 ? v : w->place, *b = w->other == 0 ? w->place : v;
    return v->kind == PV_ELEM && is_alike(w->pair, a, b) ? WALK_STOP : WALK_IN;
}

static enum walk find_missing(const struct pval *v, void *arg) {
    struct wanted w = *(const struct wanted *)arg;
    w.place = v;
    return v->kind == PV_ELEM && plan_walk(w.pair->reduction[w.other]->body,
                                           &(struct plan_visitor){.value = find_place}, &w)
               ? WALK_STOP
               : WALK_IN;
}

/* Is all that the other reduction does not read, of what one does, nothing? */
static bool reads_within(const struct pair *x, int one) {
    struct wanted w = {.pair = x, .other = 1 - one};
    return plan_walk(x->reduction[one]->body, &(struct plan_visitor){.value = find_missing}, &w);
}

static enum walk find_long(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD && constant_points(s->ranges) > UNROLLED_POINTS ? WALK_STOP
                                                                                : WALK_IN;
}

/* The only reduction of a definition's body whose length is not known, in which no other loop is
 * long; NULL: there is none, or are several. */
static const struct pstmt *only_reduction(const struct pstmt *definition) {
    const struct plan_visitor any = {.stmt = find_long};
    const struct pstmt *r = NULL;
    for (const struct pstmt *s = definition->body; s != NULL; s = s->next) {
        if (stmt_walk(s, &any, NULL))
            continue;
        if (r != NULL || s->kind != PS_SPREAD || s->accs == NULL || s->ordered ||
            !plan_walk(s->body, &any, NULL))
            return NULL;
        r = s;
    }
    return r;
}

/* Elements of a reduction of a pair that are the same at all points of its definition. */
struct fixed {
    const struct pair *pair;
    int one;
    bool all, shared; /* all are; the other reduction reads one of them */
};

static enum walk find_index(const struct pval *v, void *ranges) {
    return v->kind == PV_VAR && place_in(ranges, v->var) >= 0 ? WALK_STOP : WALK_IN;
}

static enum walk add_fixed(const struct pval *v, void *arg) {
    struct fixed *x = arg;
    struct wanted w = {.pair = x->pair, .other = 1 - x->one};
    if (v->kind != PV_ELEM)
        return WALK_IN;
    x->all = x->all && value_walk(v, find_index, (void *)x->pair->definition[x->one]->ranges);
    x->shared = x->shared || find_missing(v, &w) == WALK_IN;
    return WALK_IN;
}

/* Do the points of both definitions choose among the same elements, some of them for both, as those
 * do that take sums by one key? */
static bool chooses_among_same(const struct pair *x) {
    struct fixed a = {.pair = x, .one = 0, .all = true}, b = {.pair = x, .one = 1, .all = true};
    const struct plan_visitor visitor = {.value = add_fixed};
    plan_walk(x->reduction[0]->body, &visitor, &a);
    plan_walk(x->reduction[1]->body, &visitor, &b);
    return a.all && b.all && a.shared;
}

bool reduce_alike(const struct pstmt *a, const struct pstmt *b) {
    struct pair x = {{a, b}, {only_reduction(a), only_reduction(b)}};
    return x.reduction[0] != NULL && x.reduction[1] != NULL && have_alike_bounds(&x) &&
           (reads_within(&x, 0) || reads_within(&x, 1) || chooses_among_same(&x));
}
