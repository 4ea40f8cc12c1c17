/* pack.c: inputs of reductions whose neighbours in memory are neither neighbouring terms nor belong
 * to neighbouring results:
 *
 *     z[i, j, k, l] = sum(x[i, p, j, q] * y[l, q, k, p] for p, q) for i, j, k, l
 *
 * Tiles read them by a sector an element, once for each tile.  A version of the body copies them
 * first, to an array whose order is that of the results and the terms, y'[k, l, p, q].  (As BLIS
 * packs panels of matrices: Van Zee and van de Geijn, ACM TOMS 41, 2015.)
 *
 * So it does with factors that are computed, as those of covariances,
 *
 *     c[j, k] = sum((x[i, j] - m[j]) * (x[i, k] - m[k]) for i) for j, k
 *
 * which tiles compute as they load them, once for each tile; what is stored matrix units, which
 * have float64 alone, load ahead. */
#include "apart.h"

/* A definition, a reduction at its points, and an element that it reads, or another factor. */
struct packed {
    const struct plan *plan;
    const struct pstmt *whole, *inner;
    const struct pval *element, *factor;
    int noperands; /* before any array was added */
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
            return d->size < 0 && is_dimension(r) && r->hi->operand == d->index ? k : -1;
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

/* ---- factors that are computed */

static bool has_range(const struct prange *r, const struct pvar *var) {
    while (r != NULL && r->var != var)
        r = r->next;
    return r != NULL;
}

/* Stops at what no definition before this one can compute at the ranges alone, where all elements
 * are there, and at functions, beside which loads take no long. */
static enum walk find_unknown(const struct pval *v, void *arg) {
    struct packed *x = arg;
    if (v->kind == PV_VAR)
        return has_range(x->whole->ranges, v->var) || has_range(x->inner->ranges, v->var)
                   ? WALK_IN
                   : WALK_STOP;
    if (v->kind != PV_ELEM)
        return v->kind == PV_OP || v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_CAST
                   ? WALK_IN
                   : WALK_STOP;
    x->element = v;
    int last,
        axes = v->operand < x->plan->noperands && !is_put(x->whole, v->operand)
                   ? count_axes(x, x->whole->ranges, &last) + count_axes(x, x->inner->ranges, &last)
                   : -1;
    return v->checked == 0 && axes == v->nargs ? WALK_IN : WALK_STOP;
}

/* How many ranges of a list a factor depends on; more than an array may have axes where one is not
 * all of a dimension. */
static int count_used(const struct pval *factor, const struct prange *r) {
    int n = 0;
    for (; r != NULL; r = r->next)
        if (!value_walk(factor, find_variable, r->var))
            n += is_dimension(r) ? 1 : UFC_MAX_POINT_RANGES + 1;
    return n;
}

/* Whether a factor is computed, of numbers that results share, as a matrix that is multiplied. */
static bool is_matrix_factor(struct packed *x, const struct pval *v) {
    const struct prange *points = x->whole->ranges, *terms = x->inner->ranges;
    int shared = count_used(v, points), all = shared + count_used(v, terms);
    return v->kind == PV_OP && v->dtype == DT_FLOAT64 && shared > 0 &&
           shared < count_ranges(points) && all == shared + count_ranges(terms) &&
           all <= UFC_MAX_POINT_RANGES && constant_points(terms) > UNROLLED_POINTS &&
           value_walk(v, find_unknown, x);
}

/* Finds a factor of a product of two that are both computed, and that results share in other
 * ways. */
static enum walk find_factor(const struct pval *v, void *arg) {
    struct packed *x = arg;
    bool product = (v->kind == PV_OP && v->op == OP_MUL) || v->kind == PV_FMA;
    for (int i = 0; product && i < 2; i++) {
        const struct pval *other = v->args[1 - i];
        bool apart = false;
        for (const struct prange *r = x->whole->ranges; r != NULL; r = r->next)
            apart = apart || (value_walk(v->args[i], find_variable, r->var) &&
                              !value_walk(other, find_variable, r->var));
        bool computed =
            other->kind == PV_OP || (other->kind == PV_ELEM && other->operand >= x->noperands);
        if (!apart || !computed || !is_matrix_factor(x, v->args[i]))
            continue;
        x->factor = v->args[i];
        return WALK_STOP;
    }
    return WALK_IN;
}

/* ---- definitions that have them */

/* Whether a visitor stops at a value of a reduction at the points of s. */
static bool find_in(struct packed *x, const struct pstmt *s,
                    enum walk (*stops)(const struct pval *, void *)) {
    x->whole = s;
    for (const struct pstmt *in = s->kind == PS_SPREAD ? s->body : NULL; in != NULL;
         in = in->next) {
        x->inner = in;
        if (is_reduction(in) && !plan_walk(in->body, &(struct plan_visitor){.value = stops}, x))
            return true;
    }
    return false;
}

bool has_packed(const struct lower *l) {
    struct packed x = {.plan = l->plan, .noperands = l->plan->noperands};
    const struct pstmt *s = has_room(l->plan) ? l->plan->body->body : NULL;
    while (s != NULL && !find_in(&x, s, find_scattered) && !find_in(&x, s, find_factor))
        s = s->next;
    return s != NULL;
}

/* ---- copies */

/* The ranges of two lists that a value depends on. */
static struct prange *ranges_of_value(struct lower *l, const struct pval *v,
                                      const struct prange *first, const struct prange *second) {
    const struct prange *const lists[] = {first, second};
    struct prange *ranges, **end = &ranges;
    for (int i = 0; i < 2; i++)
        for (const struct prange *r = lists[i]; r != NULL; r = r->next) {
            if (value_walk(v, find_variable, r->var))
                continue;
            *end = NEW(l->uc, struct prange);
            **end = (struct prange){.var = r->var, .lo = r->lo, .hi = r->hi, .step = r->step};
            end = &(*end)->next;
        }
    *end = NULL;
    return ranges;
}

/* Puts the definition of an array of a value before *at.  The array. */
static int store_value(struct lower *l, struct overload *o, const struct packed *x,
                       const struct pval *v, const struct prange *ranges, struct pstmt **at) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pstmt *s = NEW(l->uc, struct pstmt);
    int k = add_array(l, o, ranges, v->dtype);
    *s = (struct pstmt){.kind = PS_SPREAD, .at = x->inner->at, .outermost = true, .next = *at};
    s->ranges = copy_ranges(&c, ranges);
    l->end = &s->body;
    emit_put(l, array_element(l, k, s->ranges), copy_renamed(&c, v), s->at);
    *at = s;
    return k;
}

/* Has elements that are as the first of two be the second. */
static enum walk replace_element(const struct pval *v, void *arg) {
    const struct pval *const *both = arg;
    if (same_value(v, both[0]))
        *(struct pval *)(void *)v = *both[1];
    return WALK_IN;
}

/* Has an element be one of a copy, which a definition before *at makes. */
static void pack(struct lower *l, struct overload *o, const struct packed *x, struct pstmt **at) {
    const struct prange *ranges =
        ranges_of_value(l, x->element, x->whole->ranges, x->inner->ranges);
    int k = store_value(l, o, x, x->element, ranges, at);
    const struct pval element = *x->element, *both[] = {&element, array_element(l, k, ranges)};
    plan_walk(x->inner->body, &(struct plan_visitor){.value = replace_element}, both);
}

/* The definitions of factors of one statement. */
struct factors {
    const struct pstmt *definition[UFC_MAX_OPERANDS];
    int n;
};

/* The array that has a factor, by another name of its ranges; -1: none. */
static int find_array(struct lower *l, const struct factors *f, const struct packed *x,
                      const struct prange *ranges) {
    for (int i = 0; i < f->n; i++) {
        struct renaming names = renaming_new(l);
        const struct pstmt *s = f->definition[i];
        if (are_same_ranges(&names, ranges, s->ranges) &&
            is_same_value(&names, x->factor, s->body->value))
            return s->body->place->operand;
    }
    return -1;
}

/* Has a factor be an array's element, which a definition before *at computes. */
static void store_factor(struct lower *l, struct overload *o, const struct packed *x,
                         struct factors *f, struct pstmt **at) {
    const struct prange *ranges = ranges_of_value(l, x->factor, x->inner->ranges, x->whole->ranges);
    int k = find_array(l, f, x, ranges);
    if (k < 0) {
        k = store_value(l, o, x, x->factor, ranges, at);
        f->definition[f->n++] = *at;
    }
    *(struct pval *)(void *)x->factor = *array_element(l, k, ranges);
}

void pack_factors(struct lower *l, struct overload *o) {
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct packed x = {.plan = l->plan, .noperands = l->plan->noperands};
        struct factors f = {.n = 0};
        struct pstmt *s = *at;
        while (has_room(l->plan) && find_in(&x, s, find_scattered))
            pack(l, o, &x, at);
        while (has_room(l->plan) && find_in(&x, s, find_factor))
            store_factor(l, o, &x, &f, at);
        while (*at != s)
            at = &(*at)->next;
    }
}
