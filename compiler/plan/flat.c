/* flat.c: whether iterations access other elements because a subscript is a number whose digits are
 * indices, as those of arrays that a source keeps in one dimension:
 *
 *     for i in 0..n { for j in 0..m { y[j * n + i] = x[i, j] } }
 *
 * An index is the last digit if what else differs is a multiple of its range: where it differs, the
 * numbers do.  Where it does not, the same is asked of the others, up to the loop's own.  So may
 * places be told apart that are whole planes, or fields of a record, from one another. */
#include "linear.h"

enum { MAX_SIZES = 6, MAX_FLAT = 10, MOST_TIMES = 1 << 20 };

/* times * dim[0] * ..., the dimensions ascending. */
struct size {
    int64_t times;
    int n, dim[MAX_SIZES];
};

/* What differs between two places: the difference of two values of an index, a variable that is the
 * same in all iterations, or 1; so many times. */
struct part {
    const struct pstmt *loop; /* of the index; NULL: it is none */
    const struct pvar *var;
    struct size size;
};

struct flat {
    const struct candidate *c;
    struct part part[MAX_FLAT];
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

static bool is_alike(const struct size *a, const struct size *b) {
    bool is = a->n == b->n;
    for (int i = 0; is && i < a->n; i++)
        is = a->dim[i] == b->dim[i];
    return is;
}

/* Adds a part, which takes away one that is its opposite. */
static bool add_part(struct flat *f, const struct part *part) {
    int i = 0;
    while (i < f->n && (f->part[i].loop != part->loop || f->part[i].var != part->var ||
                        !is_alike(&f->part[i].size, &part->size)))
        i++;
    if (i == MAX_FLAT)
        return false;
    if (i == f->n)
        f->part[f->n++] = *part;
    else if (__builtin_add_overflow(f->part[i].size.times, part->size.times,
                                    &f->part[i].size.times))
        return false;
    if (f->part[i].size.times == 0)
        f->part[i] = f->part[--f->n];
    return true;
}

/* The loop within iterations whose index a variable is; NULL: it is none, or not of one loop. */
static const struct pstmt *loop_of(const struct candidate *c, const struct pvar *var) {
    const struct pstmt *loop = NULL;
    for (int i = c->own; i < c->nindices; i++)
        if (c->index[i]->var == var) {
            if (loop != NULL || is_setting(c->index[i]))
                return NULL;
            loop = c->index[i];
        }
    return loop;
}

/* Adds v so many times. */
static bool add(struct flat *f, const struct pval *v, const struct size *times) {
    struct size own, all = *times;
    const struct size minus = {.times = -1};
    if (is_size(v, &own))
        return multiply(&all, &own) && add_part(f, &(struct part){NULL, NULL, all});
    if (v->dtype != DT_INT64 || (v->kind != PV_VAR && v->kind != PV_OP))
        return false;
    if (v->kind == PV_VAR) {
        const struct pstmt *loop = loop_of(f->c, v->var);
        return (loop != NULL || !f->c->written[v->var->id]) &&
               add_part(f, &(struct part){loop, v->var, all});
    }
    if (v->op == OP_ADD)
        return add(f, v->args[0], times) && add(f, v->args[1], times);
    if (v->op == OP_SUB || v->op == OP_NEG)
        return (v->op == OP_NEG || add(f, v->args[0], times)) && multiply(&all, &minus) &&
               add(f, v->args[v->nargs - 1], &all);
    for (int i = 0; i < 2 && v->op == OP_MUL; i++)
        if (is_size(v->args[i], &own))
            return multiply(&all, &own) && add(f, v->args[1 - i], &all);
    return false;
}

/* Finds what differs of subscripts a and b.  False: these are no sums of indices times sizes, or
 * not the same indices as often. */
static bool find_parts(struct flat *f, const struct pval *a, const struct pval *b) {
    const struct size once = {.times = 1}, minus = {.times = -1};
    struct flat indices = {.c = f->c}, other = indices;
    if (!add(&indices, a, &once) || !add(&other, b, &minus))
        return false;
    for (int i = 0; i < indices.n; i++)
        if (indices.part[i].loop == NULL && !add_part(&other, &indices.part[i]))
            return false;
    for (int i = 0; i < other.n; i++) /* of these, opposites have the difference of an index */
        if (other.part[i].loop == NULL && !add_part(f, &other.part[i]))
            return false;
    for (int i = 0; i < indices.n; i++) {
        if (indices.part[i].loop == NULL)
            continue;
        if (!add_part(&other, &indices.part[i]) || f->n == MAX_FLAT)
            return false;
        f->part[f->n++] = indices.part[i];
    }
    for (int i = 0; i < other.n; i++)
        if (other.part[i].loop != NULL)
            return false;
    return true;
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

/* Is all but a part a multiple of a size? */
static bool are_multiples(const struct flat *f, int but, const struct size *of) {
    for (int i = 0; i < f->n; i++)
        if (i != but && !is_multiple(&f->part[i].size, of))
            return false;
    return true;
}

/* Is a digit the last one?  *end: a multiple of its range, of which all others are such. */
static bool is_last(const struct flat *f, int at, const struct size *ran, struct size *end) {
    struct size range;
    const struct part *p = &f->part[at];
    *end = p->size;
    return p->loop != NULL && find_range(p->loop, &range) && multiply(end, &range) &&
           p->size.times > 0 && has_dims(ran, &p->size) && are_multiples(f, at, end);
}

/* Is the number never too large for an integer if it is not so in its iterations, as it is below a
 * multiple of their number? */
static bool is_small(const struct size *size, const struct size *ran) {
    return size->times <= MOST_TIMES && size->times >= -MOST_TIMES && has_dims(ran, size);
}

/* Do numbers differ in any two iterations of the loop?  sure: they are never too large for an
 * integer. */
static bool differs(struct flat *f, bool sure) {
    struct size ran = outer_ranges(f->c), end, range;
    bool own = false, small = true;
    for (int digits = f->n; digits > 0 && !(own && sure); digits--) {
        int at = 0;
        while (at < f->n && !is_last(f, at, &ran, &end))
            at++;
        if (at == f->n)
            break;
        if (!find_range(f->part[at].loop, &range) || !multiply(&ran, &range))
            return false;
        small = small && is_small(&end, &ran);
        own = own || f->part[at].loop == f->c->loop;
        f->part[at] = f->part[--f->n];
    }
    for (int i = 0; i < f->n; i++)
        small = small && f->part[i].loop == NULL && f->part[i].var == NULL &&
                is_small(&f->part[i].size, &ran);
    return own && (sure || small);
}

/* Are places some fields apart in records of more of them? */
static bool are_fields(const struct flat *f) {
    for (int i = 0; i < f->n; i++) {
        int64_t apart = f->part[i].size.times;
        bool number = f->part[i].loop == NULL && f->part[i].var == NULL && f->part[i].size.n == 0;
        for (int k = 0; number && k < f->n; k++) {
            const struct size record = {.times = f->part[k].size.times};
            if (k != i && f->part[k].size.n == 0 && record.times > apart && record.times > -apart &&
                are_multiples(f, i, &record))
                return true;
        }
    }
    return false;
}

bool are_flat_apart(const struct candidate *c, int i, int k) {
    const struct pval *a = c->place[i], *b = c->place[k];
    for (int at = 0; at < a->nargs; at++) {
        struct flat f = {.c = c};
        if (!find_parts(&f, a->args[at], b->args[at]))
            continue;
        bool sure = never_wraps(c, a->args[at], true) && never_wraps(c, b->args[at], true);
        if ((sure && are_fields(&f)) || differs(&f, sure))
            return true;
    }
    return false;
}
