/* skew.c: tilings of bands.  Where elements depend on an index of the results, i, and on one
 * of the results or of the reduction, b, by their sum or difference alone, as the keys of a window
 * do that moves with its query, the sum is an index of its own: it is k + the first i of a tile,
 * for a k from 0 on, and b is what of it is beyond i.  What were b's points are those of k where
 * that is one of them. */
#include <string.h>

#include "side.h"

struct skew {
    struct sides *in;
    const struct prange *row, *band; /* those of i and of b */
    bool backward;                   /* the difference */
    bool found;                      /* an element depends on it */
    struct pval *sum;                /* what stands for i + b, or for i - b + the last b */
};

/* How a whole number grows with i and with b.  False: not evenly. */
static bool grows_evenly(const struct skew *x, const struct pval *v, int64_t growth[2]) {
    int64_t a[2] = {0, 0}, b[2] = {0, 0};
    growth[0] = v->kind == PV_VAR && v->var == x->row->var;
    growth[1] = v->kind == PV_VAR && v->var == x->band->var;
    if (v->kind != PV_OP)
        return v->kind == PV_VAR || v->kind == PV_CONST || v->kind == PV_DIM;
    if (v->dtype != DT_INT64 || v->nargs > 2 || !grows_evenly(x, v->args[0], a) ||
        (v->nargs == 2 && !grows_evenly(x, v->args[1], b)))
        return false;
    for (int i = 0; i < 2; i++)
        growth[i] = v->op == OP_ADD ? a[i] + b[i] : v->op == OP_SUB ? a[i] - b[i] : -a[i];
    bool fixed = !a[0] && !a[1] && !b[0] && !b[1];
    if (v->op == OP_MUL && v->args[1]->kind == PV_CONST &&
        v->args[1]->i + MAX_FACTOR <= 2 * MAX_FACTOR)
        for (int i = 0; i < 2; i++)
            growth[i] = a[i] * (int64_t)v->args[1]->i;
    else if (v->op == OP_MUL && v->args[0]->kind == PV_CONST &&
             v->args[0]->i + MAX_FACTOR <= 2 * MAX_FACTOR)
        for (int i = 0; i < 2; i++)
            growth[i] = b[i] * (int64_t)v->args[0]->i;
    else if (v->op != OP_ADD && v->op != OP_SUB && v->op != OP_NEG && !fixed)
        return false;
    return true;
}

static bool compares(const struct pval *v) {
    return v->kind == PV_OP && v->dtype == DT_BOOL && v->nargs == 2 &&
           v->args[0]->dtype == DT_INT64;
}

/* Whether v depends on i and b by their sum, or difference, alone: a whole number, or a comparison,
 * which depends on the difference of two. */
static bool is_sum(const struct skew *x, const struct pval *v) {
    int64_t growth[2], other[2] = {0, 0};
    bool both = compares(v);
    if (!both && (v->dtype != DT_INT64 || v->kind != PV_OP))
        return false;
    if (!grows_evenly(x, both ? v->args[0] : v, growth) ||
        (both && !grows_evenly(x, v->args[1], other)))
        return false;
    for (int i = 0; i < 2; i++)
        growth[i] -= other[i];
    return growth[0] != 0 && growth[0] == (x->backward ? -growth[1] : growth[1]);
}

static enum walk find_sum(const struct pval *v, void *skew) {
    struct skew *x = skew;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        x->found = x->found || is_sum(x, v->args[i]);
    return WALK_IN;
}

/* ---- in terms of the sum */

/* b: what of the sum is beyond i. */
static struct pval *band_value(const struct skew *x, bool with_row) {
    struct sides *in = x->in;
    struct pval *b = x->sum;
    if (with_row)
        b = new_op(in, OP_SUB, b, value_of(in, x->row->var));
    if (!x->backward)
        return b;
    struct pval *one = new_value(in, (struct pval){.kind = PV_CONST, .dtype = DT_INT64, .i = 1});
    return new_op(in, OP_SUB, new_op(in, OP_SUB, x->band->hi, one), b);
}

/* sums: v is part of a value that depends on the sum alone, where i may be 0. */
static struct pval *rewrite(const struct skew *x, struct pval *v, bool sums) {
    if (v == NULL)
        return NULL;
    sums = sums || is_sum(x, v);
    if (v->kind == PV_VAR && v->var == x->band->var)
        return band_value(x, !sums);
    if (v->kind == PV_VAR && sums && v->var == x->row->var)
        return new_value(x->in, (struct pval){.kind = PV_CONST, .dtype = DT_INT64});
    if (v->nargs == 0)
        return v;
    struct pval *n = new_value(x->in, *v);
    for (int i = 0; i < v->nargs; i++)
        n->args[i] = rewrite(x, v->args[i], sums);
    return n;
}

/* A list of statements, up to its first reduction. */
static struct pstmt *rewrite_list(const struct skew *x, const struct pstmt *s) {
    struct pstmt *list = NULL, **end = &list;
    for (; s != NULL && s->kind != PS_SPREAD; s = s->next, end = &(*end)->next) {
        struct pstmt *n = *end = NEW(x->in->uc, struct pstmt);
        *n = *s;
        n->next = NULL;
        n->value = rewrite(x, s->value, false);
        n->place = rewrite(x, s->place, false);
        n->body = rewrite_list(x, s->body);
        n->other = rewrite_list(x, s->other);
    }
    return list;
}

/* The ranges of the results with k in place of b, behind the others. */
static struct prange *move_band(const struct skew *x, const struct prange *r, struct prange *k) {
    struct prange *list = NULL, **end = &list;
    for (; r != NULL; r = r->next) {
        if (r == x->band)
            continue;
        *end = NEW(x->in->uc, struct prange);
        **end = *r;
        end = &(*end)->next;
    }
    *end = k;
    return list;
}

static struct pval *compare_op(struct sides *in, enum op op, struct pval *a, struct pval *b) {
    struct pval *v = new_op(in, op, a, b);
    v->dtype = DT_BOOL;
    return v;
}

/* Whether k's point is one of b's for a row. */
static struct pval *is_within(const struct skew *x) {
    struct sides *in = x->in;
    struct pval *beyond = new_op(in, OP_SUB, x->sum, value_of(in, x->row->var));
    struct pval *zero = new_value(in, (struct pval){.kind = PV_CONST, .dtype = DT_INT64});
    return new_op(in, OP_LAND, compare_op(in, OP_GE, beyond, zero),
                  compare_op(in, OP_LT, beyond, x->band->hi));
}

/* Puts the shape in terms of k. */
static void skew_shape(struct skew *x, bool of_results) {
    struct sides *in = x->in;
    struct tiling *t = in->tiling;
    struct shape *m = &t->shape;
    struct prange *k = NEW(in->uc, struct prange);
    *k = *x->band;
    k->next = NULL;
    k->var = new_var(in, "beyond", DT_INT64);
    t->base = new_var(in, "base", DT_INT64);
    x->sum = new_op(in, OP_ADD, value_of(in, (struct pvar *)(void *)t->base), value_of(in, k->var));
    in->within = is_within(x);
    m->first = rewrite_list(x, m->first);
    m->filter = rewrite(x, m->filter, false);
    m->body = rewrite_list(x, m->body);
    m->rest = rewrite_list(x, m->rest);
    t->when = rewrite(x, (struct pval *)(void *)t->when, false);
    if (of_results)
        m->at = move_band(x, m->at, k);
    else
        m->in = k;
}

/* Whether what comes before the reduction reads elements, which those outside of the band may not
 * have. */
static bool reads_before(const struct shape *m) {
    for (const struct pstmt *s = m->first; s != NULL && s->kind == PS_SET; s = s->next)
        if (!value_walk(s->value, find_any_element, NULL))
            return true;
    return false;
}

/* Takes i and b, of the results or of the reduction.  False: elements are of one side still, or of
 * sides that i and k are not by themselves. */
static bool take(struct skew *x, bool of_results) {
    struct sides *in = x->in;
    struct tiling before = *in->tiling;
    uint32_t row = 1, column = 0;
    skew_shape(x, of_results);
    reset_sides(in);
    for (const struct prange *r = in->tiling->shape.at; r != NULL; r = r->next)
        column = column == 0 ? 1 : column << 1;
    for (const struct prange *r = in->tiling->shape.at; r->var != x->row->var; r = r->next)
        row <<= 1;
    in->tiling->skew = of_results ? SKEW_COLUMN : SKEW_DEPTH;
    if (!in->failed && find_sides(in) && in->tiling->shared == 0 && in->of[0] == row &&
        (!of_results || in->of[1] == column))
        return true;
    *in->tiling = before;
    in->within = NULL;
    in->failed = false;
    reset_sides(in);
    return false;
}

/* Whether a band is so narrow that most of a tile would be outside. */
static bool is_narrow_band(const struct prange *r) {
    return r->hi->kind == PV_CONST && (int64_t)r->hi->i < TILE_MIN_BAND;
}

bool find_skew(struct sides *in) {
    const struct shape *m = &in->tiling->shape;
    if (reads_before(m))
        return false;
    const struct prange *const lists[] = {m->at, m->in->next == NULL ? m->in : NULL};
    for (const struct prange *row = m->at; row != NULL; row = row->next)
        for (int i = 0; i < 4; i++)
            for (const struct prange *band = lists[i / 2]; band != NULL; band = band->next) {
                struct skew x = {.in = in, .row = row, .band = band, .backward = i % 2 == 1};
                if (band == row || is_narrow_band(band))
                    continue;
                plan_walk(m->body, &(struct plan_visitor){.value = find_sum}, &x);
                if (x.found && take(&x, i / 2 == 0))
                    return true;
            }
    return false;
}
