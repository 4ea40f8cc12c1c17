/* growth.c: by how much the subscripts of an access grow with each loop, as far as constants and
 * sizes tell: y[(i * w + j) * 3 + 1] by 3 * w with i, and by 3 with j. */
#include <stdlib.h>
#include <string.h>

#include "domain.h"

enum { MAX_STEPS = 64, SIZES = 4 }; /* of an access; of a step */

struct growth {
    const struct domain *d;
    struct ufc_step steps[MAX_STEPS]; /* those of loop UFC_NO_LOOP are offsets */
    int n;
    uint16_t subscript;
    uint64_t unknown; /* the loops with which it does not grow evenly */
    bool sized, full; /* a step has sizes; there are more than MAX_STEPS */
};

/* ---- products of sizes: the numbers of dimensions from 1 on, a byte each, the greatest first */

/* Multiplies by a dimension; false: the product has SIZES of them. */
static bool add_size(uint32_t *sizes, int dimension) {
    uint32_t all = 0, own = (uint32_t)dimension + 1;
    int n = 0;
    bool added = false;
    for (int i = 0; i < SIZES; i++) {
        uint32_t other = *sizes >> (24 - 8 * i) & 0xff;
        if (!added && other < own && n < SIZES) {
            all |= own << (24 - 8 * n++);
            added = true;
        }
        if (other != 0 && n == SIZES)
            return false;
        if (other != 0)
            all |= other << (24 - 8 * n++);
    }
    *sizes = added ? all : *sizes;
    return added;
}

/* Multiplies *times and *sizes by v, a product of constants and sizes; false: it is none, or they
 * are too many, and what they have become still divides the product. */
static bool add_product(const struct pval *v, int64_t *times, uint32_t *sizes) {
    if (v->kind == PV_CONST)
        return !__builtin_mul_overflow(*times, (int64_t)v->i, times);
    if (v->kind == PV_DIM)
        return add_size(sizes, v->operand);
    return v->kind == PV_OP && v->op == OP_MUL && add_product(v->args[0], times, sizes) &&
           add_product(v->args[1], times, sizes);
}

static enum walk find_no_product(const struct pval *v, void *none) {
    (void)none;
    bool is = v->kind == PV_CONST || v->kind == PV_DIM || (v->kind == PV_OP && v->op == OP_MUL);
    return is ? WALK_IN : WALK_STOP;
}

static bool is_product(const struct pval *v) {
    return value_walk(v, find_no_product, NULL);
}

/* ---- steps */

static struct ufc_step *new_step(struct growth *g, int loop, uint32_t sizes) {
    g->full = g->full || g->n == MAX_STEPS;
    struct ufc_step *s = &g->steps[g->full ? 0 : g->n++];
    *s = (struct ufc_step){.loop = (uint16_t)loop, .subscript = g->subscript, .sizes = sizes};
    return s;
}

static void add_step(struct growth *g, int loop, int64_t by, uint32_t sizes) {
    struct ufc_step *s = g->steps, *end = s + g->n;
    while (s < end && (s->loop != loop || s->subscript != g->subscript || s->sizes != sizes))
        s++;
    s = s == end ? new_step(g, loop, sizes) : s;
    bool fits = by >= -INT32_MAX && by <= INT32_MAX && llabs(s->factor + by) <= INT32_MAX;
    g->unknown |= fits ? 0 : UINT64_C(1) << loop;
    s->factor = fits ? (int32_t)(s->factor + by) : 1;
}

/* What is a multiple of these sizes, whatever else it is. */
static void add_offset(struct growth *g, int64_t factor, uint32_t sizes) {
    if (sizes != 0 && factor != 0)
        new_step(g, UFC_NO_LOOP, sizes)->factor = llabs(factor) > INT32_MAX ? 1 : (int32_t)factor;
}

static void add_growth(struct growth *g, const struct pval *v, int64_t factor, uint32_t sizes);

/* The growth of a function: one that keeps an index within bounds grows as the index does, but for
 * few of its values.  False: it is no such function. */
static bool add_bounded(struct growth *g, const struct pval *v, int64_t factor, uint32_t sizes) {
    int index = 0;
    if (v->kind != PV_CALL ||
        (v->builtin->id != B_MIN && v->builtin->id != B_MAX && v->builtin->id != B_CLIP))
        return false;
    for (int i = 1; i < v->nargs; i++)
        if (loops_of(g->d, v->args[i]) != 0) {
            if (loops_of(g->d, v->args[index]) != 0)
                return false;
            index = i;
        }
    add_offset(g, factor, sizes); /* where it is a bound */
    add_growth(g, v->args[index], factor, sizes);
    return true;
}

/* The growth of a variable; false: nothing is known of it. */
static bool add_variable(struct growth *g, const struct pvar *var, int64_t factor, uint32_t sizes) {
    const struct domain *d = g->d;
    const struct known *k = &d->vars[var->id];
    if (k->index >= 0 && d->scope[k->index].step != 0) {
        int64_t by;
        bool fits = !__builtin_mul_overflow(factor, d->scope[k->index].step, &by);
        add_offset(g, factor, sizes); /* whatever the bounds are that threads have */
        add_step(g, k->index, fits ? by : INT64_MAX, sizes);
        add_growth(g, d->scope[k->index].lo, factor, sizes);
        return true;
    }
    if (k->index >= 0 || k->value == NULL)
        return false;
    add_offset(g, factor, sizes); /* where it has another value yet */
    add_growth(g, k->value, factor, sizes);
    return true;
}

/* Adds v times `factor` and sizes. */
static void add_growth(struct growth *g, const struct pval *v, int64_t factor, uint32_t sizes) {
    uint64_t loops = loops_of(g->d, v);
    enum op op = v->kind == PV_OP ? v->op : OP_POW;
    if (factor < -INT32_MAX || factor > INT32_MAX) {
        add_offset(g, 1, sizes);
        g->unknown |= loops;
        return;
    }
    if (is_product(v)) {
        add_product(v, &factor, &sizes);
        add_offset(g, factor, sizes);
        return;
    }
    if (op == OP_NEG || op == OP_ADD || op == OP_SUB) {
        add_growth(g, v->args[0], op == OP_NEG ? -factor : factor, sizes);
        if (op != OP_NEG)
            add_growth(g, v->args[1], op == OP_SUB ? -factor : factor, sizes);
        return;
    }
    if (op == OP_MUL && (is_product(v->args[0]) || is_product(v->args[1]))) {
        int by = is_product(v->args[1]);
        bool whole = add_product(v->args[by], &factor, &sizes);
        if (whole)
            add_growth(g, v->args[!by], factor, sizes);
        else
            add_offset(g, factor, sizes);
        g->unknown |= whole ? 0 : loops;
        return;
    }
    if (loops == 0) {
        add_offset(g, factor, sizes);
        return;
    }
    if (v->kind == PV_VAR && add_variable(g, v->var, factor, sizes))
        return;
    if (add_bounded(g, v, factor, sizes))
        return;
    if (v->kind == PV_OP && v->direct != NULL) { /* a remainder, which keeps it within bounds too */
        add_offset(g, factor, sizes);
        add_growth(g, v->direct, factor, sizes);
        return;
    }
    add_offset(g, factor, sizes);
    g->unknown |= loops;
}

static int compare_steps(const void *a, const void *b) {
    const struct ufc_step *x = a, *y = b;
    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->sizes != y->sizes)
        return x->sizes < y->sizes ? -1 : 1;
    return (x->factor > y->factor) - (x->factor < y->factor);
}

/* Finds the steps of a subscript, those of loops in order and offsets behind them. */
static void find_in_subscript(struct growth *g, const struct pval *v, int i, struct ufc_access *a) {
    int first = g->n, n = first;
    g->subscript = (uint16_t)i;
    g->unknown = 0;
    add_growth(g, v->args[i], 1, 0);
    bool sized = false;
    for (int k = first; k < g->n; k++) {
        struct ufc_step *s = &g->steps[k];
        if (s->loop != UFC_NO_LOOP && g->unknown >> s->loop & 1)
            s->loop = UFC_NO_LOOP;
        sized = sized || (s->loop != UFC_NO_LOOP && s->sizes != 0 && s->factor != 0);
        if (s->factor != 0 && (s->loop != UFC_NO_LOOP || s->sizes != 0))
            g->steps[n++] = *s;
    }
    g->n = n;
    qsort(g->steps + first, (size_t)(n - first), sizeof *g->steps, compare_steps);
    if (g->unknown != 0 || sized) {
        a->irregular |= (uint8_t)(1U << i);
        a->near |= is_data(g->d, v->args[i]) ? 0 : (uint16_t)(1U << i);
    }
}

bool find_steps(const struct domain *d, const struct pval *v, struct ufc_access *a) {
    struct growth g = {.d = d};
    for (int i = 0; i < v->nargs; i++)
        find_in_subscript(&g, v, i, a);
    struct ufc_step *own = NEWN(d->uc, struct ufc_step, g.n + 1);
    int n = 0;
    for (int offsets = 0; offsets < 2; offsets++) {
        for (int k = 0; k < g.n; k++)
            if ((g.steps[k].loop == UFC_NO_LOOP) == offsets)
                own[n++] = g.steps[k];
        if (!offsets)
            a->nsteps = (uint16_t)n;
    }
    a->noffsets = (uint16_t)(n - a->nsteps);
    a->steps = own;
    return !g.full;
}
