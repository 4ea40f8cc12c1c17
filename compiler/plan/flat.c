/* flat.c: whether iterations access other elements because a subscript is a number whose digits are
 * indices, as those of arrays that a source keeps in one dimension:
 *
 *     for i in 0..n { for j in 0..m { y[j * n + i] = x[i, j] } }
 *
 * An index that is added as it is, while what else varies is a multiple of its range, is the last
 * digit: where it differs, the numbers do.  Where it does not, the same is asked of the index
 * before it, times that range, up to the loop's own. */
#include "linear.h"

enum { MAX_SIZES = 6, MAX_FLAT = 6, MOST_TIMES = 1 << 20 };

/* times * dim[0] * ..., the dimensions ascending. */
struct size {
    int64_t times;
    int n, dim[MAX_SIZES];
};

/* What varies between iterations: index * size each. */
struct flat {
    const struct candidate *c;
    const struct pstmt *loop[MAX_FLAT];
    struct size size[MAX_FLAT];
    int n;
};

static bool multiply(struct size *a, const struct size *b) {
    if (a->n + b->n > MAX_SIZES || __builtin_mul_overflow(a->times, b->times, &a->times))
        return false;
    for (int k = 0; k < b->n; k++) {
        int i = a->n++;
        for (; i > 0 && a->dim[i - 1] > b->dim[k]; i--)
            a->dim[i] = a->dim[i - 1];
        a->dim[i] = b->dim[k];
    }
    return true;
}

/* Is v a product of numbers and dimensions? */
static bool is_size(const struct pval *v, struct size *size) {
    struct size other;
    *size = (struct size){.times = v->kind == PV_CONST ? (int64_t)v->i : 1};
    if (v->kind == PV_DIM)
        size->dim[size->n++] = v->operand;
    if (v->kind == PV_CONST || v->kind == PV_DIM)
        return v->dtype == DT_INT64;
    return v->kind == PV_OP && v->op == OP_MUL && v->dtype == DT_INT64 &&
           is_size(v->args[0], size) && is_size(v->args[1], &other) && multiply(size, &other);
}

static bool is_multiple(const struct size *a, const struct size *of) {
    int i = 0;
    for (int k = 0; k < of->n; k++, i++) {
        while (i < a->n && a->dim[i] != of->dim[k])
            i++;
        if (i == a->n)
            return false;
    }
    return of->times > 0 && a->times % of->times == 0;
}

/* ---- subscripts */

static enum walk find_index_in(const struct pval *v, void *candidate) {
    const struct candidate *c = candidate;
    bool varies = v->kind == PV_ELEM || (v->kind == PV_VAR && c->written[v->var->id]);
    for (int i = c->own; i < c->nindices && v->kind == PV_VAR; i++)
        varies = varies || c->index[i]->var == v->var;
    return varies ? WALK_STOP : WALK_IN;
}

static bool add_index(struct flat *f, const struct pval *v, const struct size *times) {
    const struct candidate *c = f->c;
    int at = c->nindices, n = 0;
    for (int i = c->own; i < c->nindices; i++)
        if (c->index[i]->var == v->var) {
            at = i;
            n++;
        }
    if (n != 1 || is_setting(c->index[at]) || f->n == MAX_FLAT)
        return false;
    for (int i = 0; i < f->n; i++)
        if (f->loop[i] == c->index[at])
            return false;
    f->loop[f->n] = c->index[at];
    f->size[f->n++] = *times;
    return true;
}

/* Adds v so many times, of which what is the same in all iterations does not matter. */
static bool add(struct flat *f, const struct pval *v, const struct size *times) {
    struct size own, all = *times;
    if (value_walk(v, find_index_in, (void *)(uintptr_t)f->c))
        return true;
    if (v->dtype != DT_INT64 || (v->kind != PV_VAR && v->kind != PV_OP))
        return false;
    if (v->kind == PV_VAR)
        return add_index(f, v, times);
    if (v->op == OP_ADD)
        return add(f, v->args[0], times) && add(f, v->args[1], times);
    if (v->op == OP_SUB || v->op == OP_NEG) {
        const struct size minus = {.times = -1};
        return (v->op == OP_NEG || add(f, v->args[0], times)) && multiply(&all, &minus) &&
               add(f, v->args[v->nargs - 1], &all);
    }
    for (int i = 0; i < 2 && v->op == OP_MUL; i++)
        if (is_size(v->args[i], &own))
            return multiply(&all, &own) && add(f, v->args[1 - i], &all);
    return false;
}

/* More than indices of the loop differ by: its end, or a number or dimension that is not below. */
static bool find_range(const struct pstmt *loop, struct size *range) {
    const struct pval *hi = loop->hi;
    if (hi->kind == PV_OP && hi->op == OP_SUB && hi->args[1]->kind == PV_CONST &&
        (int64_t)hi->args[1]->i >= 0)
        hi = hi->args[0];
    return loop->lo->kind == PV_CONST && (int64_t)loop->lo->i >= 0 &&
           loop->step->kind == PV_CONST && loop->step->i == 1 && is_size(hi, range) &&
           range->times > 0;
}

/* The product of the ranges of loops around, which run. */
static struct size outer_ranges(const struct candidate *c) {
    struct size all = {.times = 1}, range;
    for (int i = 0; i < c->own; i++) {
        struct size next = all;
        if (!is_setting(c->index[i]) && find_range(c->index[i], &range) && multiply(&next, &range))
            all = next;
    }
    return all;
}

static bool has_dims(const struct size *all, const struct size *of) {
    struct size dims = *of;
    dims.times = 1;
    return is_multiple(all, &dims);
}

/* Is a digit the last one?  What else varies is a multiple of its range.  *end: that.  ran: the
 * product of ranges of loops that run, so that none of its dimensions is 0. */
static bool is_last(const struct flat *f, int at, const struct size *ran, struct size *end) {
    struct size range;
    *end = f->size[at];
    if (!find_range(f->loop[at], &range) || !multiply(end, &range) || f->size[at].times <= 0 ||
        !has_dims(ran, &f->size[at]))
        return false;
    for (int i = 0; i < f->n; i++)
        if (i != at && !is_multiple(&f->size[i], end))
            return false;
    return true;
}

/* Is the number of the indices' digits the same in no two iterations?  sure: it is never too large
 * for an integer.  Nor is it if all that vary are digits, as it is below a multiple of the number
 * of iterations then. */
static bool differs(struct flat *f, bool sure) {
    struct size ran = outer_ranges(f->c), end, range;
    bool own = false;
    while (f->n > 0 && !(own && sure)) {
        int at = 0;
        while (at < f->n && !is_last(f, at, &ran, &end))
            at++;
        if (at == f->n || !find_range(f->loop[at], &range) || !multiply(&ran, &range) ||
            (!sure && (end.times > MOST_TIMES || !has_dims(&ran, &end))))
            return false;
        own = own || f->loop[at] == f->c->loop;
        f->n--;
        f->loop[at] = f->loop[f->n];
        f->size[at] = f->size[f->n];
    }
    return own;
}

bool are_flat_apart(const struct candidate *c, int i, int k) {
    const struct pval *a = c->place[i], *b = c->place[k];
    const struct size once = {.times = 1};
    for (int at = 0; at < a->nargs; at++) {
        struct flat f = {.c = c};
        if (same_value(a->args[at], b->args[at]) && add(&f, a->args[at], &once) &&
            differs(&f, never_wraps(c, a->args[at], true)))
            return true;
    }
    return false;
}
