/* pack.c: inputs of reductions whose neighbours in memory are neither neighbouring terms nor belong
 * to neighbouring results:
 *
 *     z[i, j, k, l] = sum(x[i, p, j, q] * y[l, q, k, p] for p, q) for i, j, k, l
 *
 * Tiles read them by a sector an element, once for each tile.  A version of the body copies them
 * first, to an array whose order is that of the results and the terms, y'[k, l, p, q].  (As BLIS
 * packs panels of matrices: Van Zee and van de Geijn, ACM TOMS 41, 2015.) */
#include "apart.h"

/* A definition, a reduction at its points, and an element that it reads. */
struct packed {
    const struct plan *plan;
    const struct pstmt *whole, *inner;
    const struct pval *element;
};

static bool is_index(const struct pval *v, const struct prange *r) {
    return v->kind == PV_VAR && v->var == r->var;
}

/* The axis along which an element is indexed by a range, which is the whole axis; -1: none. */
static int axis_of(const struct packed *x, const struct prange *r) {
    const struct pval *v = x->element;
    for (int k = 0; k < v->nargs; k++) {
        const struct dim *d = x->plan->operands[v->operand].dims[k];
        if (is_index(v->args[k], r))
            return d->size < 0 && r->lo->kind == PV_CONST && r->lo->i == 0 &&
                           r->step->kind == PV_CONST && r->step->i == 1 && r->hi->kind == PV_DIM &&
                           r->hi->operand == d->index
                       ? k
                       : -1;
    }
    return -1;
}

/* Counts axes that are indexed by ranges, the last of which gives *last. */
static int count_axes(const struct packed *x, const struct prange *r, int *last) {
    int n = 0;
    *last = -1;
    for (; r != NULL; r = r->next) {
        int axis = axis_of(x, r);
        n += axis >= 0;
        *last = axis >= 0 ? axis : *last;
    }
    return n;
}

/* Whether each axis has an index of its own, results share the elements, and neighbours along the
 * last axis are apart in the order of results and in that of terms. */
static bool is_scattered(const struct packed *x) {
    const struct pval *v = x->element;
    int end = v->nargs - 1, result, term;
    int points = count_axes(x, x->whole->ranges, &result);
    int terms = count_axes(x, x->inner->ranges, &term);
    return points + terms == v->nargs && v->nargs <= UFC_MAX_POINT_RANGES && points > 0 &&
           terms > 0 && result != end && term != end && points < count_ranges(x->whole->ranges);
}

static enum walk find_scattered(const struct pval *v, void *arg) {
    struct packed *x = arg;
    x->element = v;
    bool input = v->kind == PV_ELEM && v->operand < x->plan->nin && v->checked == 0 &&
                 v->dtype == x->plan->operands[v->operand].dtype;
    return input && is_scattered(x) ? WALK_STOP : WALK_IN;
}

/* Finds an element that is to be packed in a definition. */
static bool find_packed(struct packed *x, const struct pstmt *s) {
    const struct plan_visitor values = {.value = find_scattered};
    x->whole = s;
    for (const struct pstmt *in = s->kind == PS_SPREAD ? s->body : NULL; in != NULL;
         in = in->next) {
        x->inner = in;
        if (is_reduction(in) && !plan_walk(in->body, &values, x))
            return true;
    }
    return false;
}

bool has_packed(const struct lower *l) {
    struct packed x = {.plan = l->plan};
    const struct pstmt *s = has_room(l->plan) ? l->plan->body->body : NULL;
    while (s != NULL && !find_packed(&x, s))
        s = s->next;
    return s != NULL;
}

/* Adds the ranges of a list along which the element has an axis. */
static struct prange **add_ranges(struct lower *l, const struct packed *x, const struct prange *r,
                                  struct prange **end) {
    for (; r != NULL; r = r->next) {
        if (axis_of(x, r) < 0)
            continue;
        *end = NEW(l->uc, struct prange);
        **end = (struct prange){.var = r->var, .lo = r->lo, .hi = r->hi, .step = r->step};
        end = &(*end)->next;
    }
    return end;
}

/* Has elements that are as the first of two be the second. */
static enum walk replace_element(const struct pval *v, void *arg) {
    const struct pval *const *both = arg;
    if (same_value(v, both[0]))
        *(struct pval *)(void *)v = *both[1];
    return WALK_IN;
}

/* Puts a definition of an array before *at, and reads it in place of the element. */
static void pack(struct lower *l, struct overload *o, const struct packed *x, struct pstmt **at) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct prange *ranges;
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *add_ranges(l, x, x->inner->ranges, add_ranges(l, x, x->whole->ranges, &ranges)) = NULL;
    int k = add_array(l, o, ranges, x->element->dtype);
    *s = (struct pstmt){.kind = PS_SPREAD, .at = x->inner->at, .outermost = true, .next = *at};
    s->ranges = copy_ranges(&c, ranges);
    l->end = &s->body;
    emit_put(l, array_element(l, k, s->ranges), copy_renamed(&c, x->element), s->at);
    const struct pval element = *x->element, *both[] = {&element, array_element(l, k, ranges)};
    plan_walk(x->inner->body, &(struct plan_visitor){.value = replace_element}, both);
    *at = s;
}

void pack_factors(struct lower *l, struct overload *o) {
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct packed x = {.plan = l->plan};
        struct pstmt *s = *at;
        while (has_room(l->plan) && find_packed(&x, s))
            pack(l, o, &x, at);
        while (*at != s)
            at = &(*at)->next;
    }
}
