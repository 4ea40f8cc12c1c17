/* path_fit.c: formulas of the longest chain of a call, by its sizes.  With small sizes path.c finds
 * how long it is; a polynomial through some of these lengths is one of a path that there is for all
 * sizes, if it has the lengths that others have, and is nowhere longer; or the least of several is
 * nowhere longer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"

enum {
    DEGREE = 3,
    MOST_DIMS = 4,
    MOST_POINTS = 35, /* of a lattice: (MOST_DIMS + DEGREE)! / MOST_DIMS! / DEGREE! */
    CHECKS = 2 * MOST_DIMS + 2,
    MOST_LATTICES = MOST_DIMS + 1,
    FAR = 24, /* where one size is larger than the others */
    MOST_BEGIN = 40,
    LEAST = 1000, /* clocks */
    BUDGET = 3 << 18,
    BUDGET_FAR = 3 << 17,
    MOST_TERMS = 64
};

/* Sizes, and lengths for them; those with `last` are the longest chain, others updates of an
 * operand. */
struct point {
    int64_t size[MOST_DIMS];
    path_time last, updates[PATH_OPERANDS];
};

/* Sizes from `begin` on by `step`, in all ways with DEGREE steps at most, and then some that are
 * further. */
struct lattice {
    int64_t begin[MOST_DIMS], step;
    struct point point[MOST_POINTS + CHECKS];
};

struct fit {
    struct uc *uc;
    struct plan *plan;
    struct path_trial trial;
    int dims[MOST_DIMS], ndims; /* those that a call may choose */
    int power[MOST_POINTS][MOST_DIMS], npoints;
    struct lattice *lattices;
    int nlattices;
    struct ufc_chain *chain;
    int n, sums, least; /* terms, sums of them, and groups of which the least sum counts */
};

/* ---- lengths */

static bool try_point(struct fit *f, struct point *p) {
    for (int i = 0; i < f->ndims; i++)
        f->trial.size[f->dims[i]] = p->size[i];
    for (const struct dim *dim = f->plan->overload->decl->dims; dim != NULL; dim = dim->next) {
        int64_t size = path_size(dim, f->trial.size);
        if (size < 0)
            return false;
        if (dim->index >= 0)
            f->trial.size[dim->index] = size;
    }
    if (!path_try(f->uc, f->plan, &f->trial))
        return false;
    p->last = f->trial.last;
    memcpy(p->updates, f->trial.updates, sizeof p->updates);
    return true;
}

static int count_points(const struct fit *f) {
    return f->npoints + 2 * f->ndims + (f->ndims > 1 ? 2 : 0);
}

/* The steps of a lattice's point from where it begins: further ones are so along one dimension, or
 * all, or along one more than along others. */
static int steps_along(const struct fit *f, int point, int dim) {
    int further = point - f->npoints;
    if (further < 0)
        return f->power[point][dim];
    if (further < f->ndims)
        return further == dim ? DEGREE + 2 : 0;
    if (further < 2 * f->ndims)
        return further - f->ndims == dim ? DEGREE + 1 : 2;
    return further == 2 * f->ndims ? DEGREE - 1 : DEGREE + 2;
}

static bool try_lattice(struct fit *f, struct lattice *l) {
    long begin = f->trial.budget;
    for (int k = 0; k < count_points(f); k++) {
        struct point *p = &l->point[k];
        if (k == 1 && (begin - f->trial.budget) * count_points(f) > begin)
            return false; /* other points take longer */
        for (int i = 0; i < f->ndims; i++)
            p->size[i] = l->begin[i] + steps_along(f, k, i) * l->step;
        if (!try_point(f, p))
            return false;
    }
    return true;
}

/* Lengths where all sizes are alike, and where one is larger. */
static bool try_lattices(struct fit *f, int64_t begin, int64_t step) {
    f->nlattices = 0;
    f->trial.most = 0;
    for (int far = 0; far <= f->ndims; far++) {
        struct lattice *l = &f->lattices[f->nlattices];
        l->step = step;
        for (int i = 0; i < f->ndims; i++)
            l->begin[i] = begin + (i == far - 1 ? FAR : 0);
        if (try_lattice(f, l))
            f->nlattices++;
        else if (far == 0)
            break;
        if (far == 0 && f->trial.budget > BUDGET_FAR)
            f->trial.budget = BUDGET_FAR;
    }
    return f->nlattices > 0;
}

/* ---- polynomials */

/* In a polynomial's terms `power` is of how many steps one of the sizes is, in binomial
 * coefficients: Newton's form. */
struct polynomial {
    const struct lattice *lattice;
    double clocks[MOST_POINTS], operations[MOST_POINTS];
};

static path_time length_of(const struct point *p, int operand) {
    return operand < 0 ? p->last : p->updates[operand];
}

static double clocks_of(path_time t) {
    return (double)(t >> PATH_OPERATION_BITS);
}

static double operations_of(path_time t) {
    return (double)(t & (((path_time)1 << PATH_OPERATION_BITS) - 1));
}

static double binomial(double n, int k) {
    double b = 1;
    for (int i = 0; i < k; i++)
        b *= (n - i) / (i + 1);
    return b;
}

/* The differences of the lengths at a lattice's points. */
static void interpolate(const struct fit *f, const struct lattice *l, int operand,
                        struct polynomial *p) {
    p->lattice = l;
    for (int a = 0; a < f->npoints; a++) {
        p->clocks[a] = p->operations[a] = 0;
        for (int b = 0; b < f->npoints; b++) {
            double factor = 1;
            for (int i = 0; i < f->ndims; i++) {
                int more = f->power[a][i] - f->power[b][i];
                factor *= more < 0 ? 0 : (more % 2 ? -1 : 1) * binomial(f->power[a][i], more);
            }
            path_time length = length_of(&l->point[b], operand);
            p->clocks[a] += factor * clocks_of(length);
            p->operations[a] += factor * operations_of(length);
        }
    }
}

static double clocks_at(const struct fit *f, const struct polynomial *p, const int64_t *size) {
    double sum = 0;
    for (int a = 0; a < f->npoints; a++) {
        double term = p->clocks[a];
        for (int i = 0; i < f->ndims && term != 0; i++)
            term *= binomial((double)(size[i] - p->lattice->begin[i]) / (double)p->lattice->step,
                             f->power[a][i]);
        sum += term;
    }
    return sum;
}

/* Has it the lengths at the further points of its lattice? */
static bool fits_lattice(const struct fit *f, const struct polynomial *p, int operand) {
    bool same = true;
    for (int j = 0; j < count_points(f) && same; j++) {
        const struct point *at = &p->lattice->point[j];
        same = fabs(clocks_at(f, p, at->size) - clocks_of(length_of(at, operand))) < .5;
    }
    return same;
}

/* Is the least of n polynomials nowhere longer? */
static bool is_below(const struct fit *f, const struct polynomial *p, int n, int operand) {
    for (int k = 0; k < f->nlattices; k++)
        for (int j = 0; j < count_points(f); j++) {
            const struct point *at = &f->lattices[k].point[j];
            double least = INFINITY;
            for (int i = 0; i < n; i++)
                least = fmin(least, clocks_at(f, &p[i], at->size));
            if (least > clocks_of(length_of(at, operand)) + .5)
                return false;
        }
    return true;
}

/* ---- terms */

/* Adds a times the polynomial of x that is one of binomial((x - begin) / step, k). */
static void expand(int k, double begin, double step, double *to) {
    double p[DEGREE + 1] = {1};
    for (int i = 0; i < k; i++) /* times ((x - begin) / step - i) / (i + 1) */
        for (int d = i + 1; d >= 0; d--)
            p[d] = ((d > 0 ? p[d - 1] : 0) - (begin + i * step) * p[d]) / step / (i + 1);
    memcpy(to, p, sizeof p);
}

/* The coefficients of the sizes' own powers. */
static void to_powers(const struct fit *f, const struct polynomial *p, const double *from,
                      double *to) {
    memset(to, 0, MOST_POINTS * sizeof *to);
    for (int a = 0; a < f->npoints; a++) {
        double part[MOST_DIMS][DEGREE + 1];
        for (int i = 0; i < f->ndims; i++)
            expand(f->power[a][i], (double)p->lattice->begin[i], (double)p->lattice->step, part[i]);
        for (int b = 0; b < f->npoints && from[a] != 0; b++) {
            double factor = from[a];
            for (int i = 0; i < f->ndims; i++)
                factor *= part[i][f->power[b][i]];
            to[b] += factor;
        }
    }
}

/* The sizes that an operand's elements are numbered by, into over: dimensions, and a number. False:
 * they are others. */
static bool find_elements(const struct fit *f, int operand, uint8_t *over, double *number) {
    const struct poperand *o = &f->plan->operands[operand];
    int n = 0;
    *number = 1;
    for (int i = 0; i < o->rank; i++) {
        const struct dim *dim = o->dims[i];
        if (dim->size > 0)
            *number *= (double)dim->size;
        else if (dim->size < 0 && dim->expr == NULL && dim->index >= 0 && n < UFC_CHAIN_POWERS)
            over[n++] = (uint8_t)(dim->index + 1);
        else
            return false;
    }
    return true;
}

/* Does it grow with sizes, or is it long anyway? */
static bool counts(const struct fit *f, const double *clocks) {
    for (int b = 1; b < f->npoints; b++)
        if (fabs(clocks[b]) > 1e-6)
            return true;
    return clocks[0] >= LEAST;
}

/* Is it what an earlier sum is? */
static bool is_there(const struct fit *f, int first) {
    for (int sum = 0; sum < f->sums; sum++) {
        int from = 0, n = 0;
        for (int k = 0; k < first; k++)
            if (f->chain[k].sum == sum && f->chain[k].least == 0) {
                from = n++ == 0 ? k : from;
            }
        bool same = n == f->n - first;
        for (int k = 0; k < n && same; k++) {
            struct ufc_chain a = f->chain[from + k], b = f->chain[first + k];
            same = fabs(a.clocks - b.clocks) < 1e-6 && memcmp(a.dim, b.dim, sizeof a.dim) == 0 &&
                   memcmp(a.over, b.over, sizeof a.over) == 0;
        }
        if (same)
            return true;
    }
    return false;
}

/* False: it has too many, or is no number that counts.  alone: it is not one of several of which
 * the least counts. */
static bool add_terms(struct fit *f, const struct polynomial *p, int operand, bool alone) {
    double clocks[MOST_POINTS], operations[MOST_POINTS], number = 1;
    uint8_t over[UFC_CHAIN_POWERS] = {0};
    int first = f->n;
    to_powers(f, p, p->clocks, clocks);
    to_powers(f, p, p->operations, operations);
    if (!counts(f, clocks) || (operand >= 0 && !find_elements(f, operand, over, &number)))
        return false;
    for (int b = 0; b < f->npoints; b++) {
        if (fabs(clocks[b]) < 1e-6 && fabs(operations[b]) < 1e-6)
            continue;
        if (f->n == MOST_TERMS) {
            f->n = first;
            return false;
        }
        struct ufc_chain *term = &f->chain[f->n++];
        *term = (struct ufc_chain){.clocks = clocks[b] / number,
                                   .operations = operations[b] / number,
                                   .sum = (uint8_t)f->sums};
        memcpy(term->over, over, sizeof over);
        for (int i = 0, n = 0; i < f->ndims; i++)
            for (int k = 0; k < f->power[b][i]; k++)
                term->dim[n++] = (uint8_t)(f->dims[i] + 1);
    }
    if (alone && is_there(f, first))
        f->n = first;
    else
        f->sums++;
    return true;
}

/* Adds what is known of a length: the polynomials that are nowhere longer, or the least of all.
 * Whether something is known, or it is always 0. */
static bool add_length(struct fit *f, int operand) {
    struct polynomial p[MOST_LATTICES];
    bool any = false, some = false;
    int n = 0, first = f->n;
    for (int k = 0; k < f->nlattices; k++)
        for (int j = 0; j < f->npoints; j++)
            some = some || length_of(&f->lattices[k].point[j], operand) > 0;
    for (int k = 0; k < f->nlattices && some; k++) {
        interpolate(f, &f->lattices[k], operand, &p[n]);
        if (!fits_lattice(f, &p[n], operand))
            continue;
        if (is_below(f, &p[n], 1, operand)) {
            add_terms(f, &p[n], operand, true);
            any = true;
        }
        n++;
    }
    if (any || !some || n < 2 || !is_below(f, p, n, operand))
        return any || !some;
    for (int k = 0; k < n; k++)
        if (!add_terms(f, &p[k], operand, false)) {
            f->n = first; /* it is not known to be that */
            return false;
        }
    f->least++;
    for (int k = first; k < f->n; k++)
        f->chain[k].least = (uint8_t)f->least;
    return true;
}

/* ---- all */

/* The powers of the sizes that terms have. */
static void find_powers(struct fit *f) {
    int power[MOST_DIMS] = {0};
    f->npoints = 0;
    for (;;) {
        int sum = 0, i = 0;
        for (int k = 0; k < f->ndims; k++)
            sum += power[k];
        if (sum <= DEGREE)
            memcpy(f->power[f->npoints++], power, sizeof power);
        while (i < f->ndims && power[i] == DEGREE)
            power[i++] = 0;
        if (i >= f->ndims)
            return;
        power[i]++;
    }
}

/* False: there are too many. */
static bool find_dims(struct fit *f) {
    for (const struct dim *dim = f->plan->overload->decl->dims; dim != NULL; dim = dim->next) {
        if (dim->index >= 0 && dim->size < 0)
            f->trial.dims |= UINT64_C(1) << dim->index;
        if (dim->size >= 0 || dim->expr != NULL || dim->index < 0)
            continue;
        if (f->ndims == MOST_DIMS)
            return false;
        f->dims[f->ndims++] = dim->index;
    }
    return true;
}

static enum walk find_ordered(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR || s->kind == PS_LOOP ? WALK_STOP : WALK_IN;
}

/* What is needed until the formulas are found alone. */
struct scratch {
    int64_t pool[PATH_POOL + PATH_POOL / 8];
    struct lattice lattices[MOST_LATTICES];
};

/* Finds formulas of all lengths, by sizes further apart if nearer ones give none of some. */
static void find_formulas(struct fit *f) {
    static const int64_t steps[] = {1, 2, 4};
    struct plan *p = f->plan;
    bool all = false;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && !all; i++) {
        f->n = f->sums = f->least = 0;
        int64_t begin = (f->ndims > 2 ? 3 : 4) * steps[i];
        bool tried = try_lattices(f, begin, steps[i]);
        if (tried && f->trial.most >= begin && f->trial.most < MOST_BEGIN)
            tried = try_lattices(f, f->trial.most + 2, steps[i]);
        if (!tried || f->trial.most >= MOST_BEGIN)
            return;
        all = add_length(f, -1);
        for (int k = 0; k < p->noperands + p->nlocals; k++)
            all = add_length(f, k) && all;
    }
    p->domain.chain = f->chain;
    p->domain.nchain = (uint32_t)f->n;
}

void find_path(struct uc *uc, struct plan *p) {
    struct fit f = {.uc = uc, .plan = p, .trial.budget = BUDGET};
    if (plan_walk(p->body->body, &(struct plan_visitor){.stmt = find_ordered}, NULL) ||
        !find_dims(&f))
        return;
    find_powers(&f);
    f.trial.extent = NEWN(uc, struct path_extent, p->nvars + 1);
    f.chain = NEWN(uc, struct ufc_chain, MOST_TERMS);
    struct scratch *scratch = malloc(sizeof *scratch);
    if (scratch == NULL)
        longjmp(*uc->no_memory, NO_MEMORY);
    f.trial.pool = scratch->pool;
    f.lattices = scratch->lattices;
    find_formulas(&f);
    free(scratch);
}
