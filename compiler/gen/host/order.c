/* order.c: the order of a definition's ranges.  Vectors are of points along the last one, which the
 * source may have elsewhere than elements are neighbours: `y[i, j] = … for j, i`.  Where more of
 * the accesses of a call have neighbours in the order of the subscripts of what is stored, points
 * go in this order. */
#include "gufunc.h"

static enum walk find_store(const struct pstmt *s, void *found) {
    if (s->kind != PS_PUT)
        return WALK_IN;
    *(const struct pstmt **)found = s;
    return WALK_STOP;
}

/* Stops at what is computed by all points of a row together, in an order of its own. */
static enum walk find_reduction(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD && s->accs != NULL ? WALK_STOP : WALK_IN;
}

static enum walk find_index(const struct pval *v, void *index) {
    return v->kind == PV_VAR && v->var == index ? WALK_STOP : WALK_IN;
}

/* Whether a subscript is the index, with or without other terms. */
static bool has_term(const struct pval *v, const struct pvar *index) {
    if (v->kind == PV_OP && v->nargs == 2 && (v->op == OP_ADD || v->op == OP_SUB))
        return has_term(v->args[0], index) || has_term(v->args[1], index);
    return v->kind == PV_VAR && v->var == index;
}

/* How fast an element moves in memory, in C order, as an index goes on: more is slower, and 0 is by
 * neighbours. */
static int speed(const struct pval *place, const struct pvar *index) {
    int i = place->nargs;
    while (i-- > 0)
        if (!value_walk(place->args[i], find_index, (void *)(uintptr_t)index))
            return 2 * (place->nargs - 1 - i) + !has_term(place->args[i], index);
    return 2 * place->nargs;
}

const struct pstmt *spread_as_stored(struct gen *g, const struct pstmt *s) {
    const struct pstmt *put = NULL;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_store}, &put);
    if (put == NULL || s->accs != NULL || s->ordered || s->merged || host_tiles(g, s) ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_reduction}, NULL))
        return s;
    struct prange *ranges = NULL;
    bool moved = false;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        struct prange **at = &ranges, *own = NEW(g->uc, struct prange);
        int slow = speed(put->place, r->var);
        while (*at != NULL && speed(put->place, (*at)->var) >= slow)
            at = &(*at)->next;
        moved = moved || *at != NULL;
        *own = *r;
        own->next = *at;
        *at = own;
    }
    if (!moved)
        return s;
    struct pstmt *stored = NEW(g->uc, struct pstmt);
    *stored = *s;
    stored->ranges = ranges;
    return stored;
}

typedef LLVMValueRef units_fn(struct gen *g, const struct pstmt *s, LLVMValueRef step);

/* What a function finds of lanes that are points of the last range of s. */
static LLVMValueRef find_units(struct gen *g, const struct pstmt *s, units_fn *units) {
    struct gen inner = *g;
    const struct prange *last = s->ranges;
    while (last->next != NULL)
        last = last->next;
    inner.lane_var = last->var;
    inner.varying = find_varying_within(g->uc, g->plan, s, true);
    return units(&inner, s->body, gen_scalar(g, last->step));
}

static bool has_constant_step(const struct pstmt *s) {
    const struct prange *last = s->ranges;
    while (last->next != NULL)
        last = last->next;
    return last->step->kind == PV_CONST;
}

LLVMValueRef spread_unit(struct gen *g, const struct pstmt *s) {
    return has_constant_step(s) ? find_units(g, s, points_unit) : NULL;
}

static LLVMValueRef last_count(struct gen *g, const struct pstmt *s) {
    struct spread_fn p;
    find_ranges(g, s, &p);
    return p.count[p.n - 1];
}

/* How many accesses of s, as vectors have it, have neighbours. */
static LLVMValueRef count_units(struct gen *g, const struct pstmt *s) {
    return find_units(g, spread_in_lanes(g, s), points_count_units);
}

LLVMValueRef goes_as_stored(struct gen *g, const struct pstmt *s, const struct pstmt *stored) {
    LLVMValueRef longer = compare(g, LLVMIntSGE, last_count(g, stored), last_count(g, s));
    LLVMValueRef row = LLVMBuildOr(g->b, spread_fills_lanes(g, stored), longer, "");
    return both(g, row, compare(g, LLVMIntSGT, count_units(g, stored), count_units(g, s)));
}
