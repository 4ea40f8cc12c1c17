/* sides.c: which definitions are prefixes, as scan.c has them, so that those that are of
 * different directions, or are none, stay apart: as one they would take quadratic work. */
#include "plan.h"

/* The reductions of a definition's body. */
struct sides {
    const struct pstmt *definition;
    const struct prange *along; /* a range of the definition */
    bool up, down;              /* reductions that grow, or shrink, along it */
    bool other;                 /* loops of unknown length that are none of these */
};

/* The value that a variable is set to. */
struct setting {
    const struct pvar *var;
    const struct pval *value;
};

static enum walk find_setting(const struct pstmt *s, void *arg) {
    struct setting *x = arg;
    if (s->kind == PS_SET && s->var == x->var)
        x->value = s->value;
    return x->value != NULL ? WALK_STOP : WALK_IN;
}

/* What a bound is set to in the definition's body. */
static const struct pval *value_of(const struct sides *x, const struct pval *v) {
    struct setting set = {v->kind == PV_VAR ? v->var : NULL, NULL};
    if (set.var != NULL)
        plan_walk(x->definition->body, &(struct plan_visitor){.stmt = find_setting}, &set);
    return set.value != NULL ? set.value : v;
}

static enum walk find_index(const struct pval *v, void *index) {
    return v->kind == PV_VAR && v->var == index ? WALK_STOP : WALK_IN;
}

/* Whether the points of s, beside their number, depend on the definition's. */
static bool has_own_terms(const struct sides *x, const struct pstmt *s) {
    const struct plan_visitor visitor = {.value = find_index, .joined = true};
    return !plan_walk(s->body, &visitor, x->along->var);
}

/* Whether the number of points of a range changes with the definition's index. */
static bool is_triangular(const struct sides *x, const struct prange *r, int *lo, int *hi) {
    *lo = *hi = 0;
    return value_grows(value_of(x, r->lo), x->along->var, lo) &&
           value_grows(value_of(x, r->hi), x->along->var, hi) && *lo != *hi;
}

/* Adds how the points of a reduction change with those of the definition. */
static void add_reduction(struct sides *x, const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        int lo, hi;
        bool prefix = is_triangular(x, r, &lo, &hi) && (lo == 0) != (hi == 0) && lo + hi >= -1 &&
                      lo + hi <= 1;
        if (prefix && !has_own_terms(x, s)) {
            x->up = x->up || hi > 0 || lo < 0;
            x->down = x->down || hi < 0 || lo > 0;
            return;
        }
    }
    x->other = x->other || constant_points(s->ranges) > UNROLLED_POINTS;
}

static struct sides sides_along(const struct pstmt *definition, const struct prange *along) {
    struct sides x = {.definition = definition, .along = along};
    for (const struct pstmt *s = definition->body; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD && s->accs != NULL)
            add_reduction(&x, s);
        else
            x.other = x.other || is_loop(s);
    return x;
}

static bool is_scan(const struct sides *x) {
    return x->up != x->down && !x->other;
}

static bool has_loops(const struct sides *x) {
    return x->up || x->down || x->other;
}

bool scans_apart(const struct pstmt *a, const struct pstmt *b) {
    const struct prange *of_a = a->ranges, *of_b = b->ranges;
    for (; of_a != NULL && of_b != NULL; of_a = of_a->next, of_b = of_b->next) {
        struct sides x = sides_along(a, of_a), y = sides_along(b, of_b);
        bool scan = is_scan(&x) || is_scan(&y),
             same = x.up == y.up && x.down == y.down && x.other == y.other;
        if (scan && has_loops(&x) && has_loops(&y) && !same)
            return true;
    }
    return false;
}

bool is_prefix(const struct pstmt *definition) {
    bool scan = false;
    for (const struct prange *r = definition->ranges; r != NULL; r = r->next) {
        struct sides x = sides_along(definition, r);
        scan = scan || is_scan(&x);
    }
    return scan && constant_points(definition->ranges) > UNROLLED_POINTS;
}

/* ---- what stays quadratic */

static enum walk warn_reduction(const struct pstmt *s, void *arg) {
    struct sides x = {.definition = arg};
    int lo, hi;
    if (s->kind != PS_SPREAD || s->accs == NULL)
        return WALK_IN;
    for (x.along = x.definition->ranges; x.along != NULL; x.along = x.along->next)
        for (const struct prange *r = s->ranges; r != NULL; r = r->next)
            if (is_triangular(&x, r, &lo, &hi) && !has_own_terms(&x, s))
                return WALK_STOP;
    return WALK_PAST;
}

static enum walk warn_definition(const struct pstmt *s, void *arg) {
    struct uc *uc = arg;
    if (s->kind != PS_SPREAD || s->accs != NULL)
        return WALK_IN;
    if (!plan_walk(s->body, &(struct plan_visitor){.stmt = warn_reduction}, (void *)s)) {
        warn(uc, W_SERIAL, s->at,
             "each point takes a reduction that grows from point to point: quadratic work");
        note(uc, s->at,
             "a prefix, 'sum(x[k] for k in 0..i)', is linear where it is computed at each point, "
             "and "
             "beside no reductions that are none");
    }
    return WALK_PAST;
}

void warn_quadratic(struct uc *uc, const struct plan *p) {
    plan_walk(p->body, &(struct plan_visitor){.stmt = warn_definition}, uc);
}
