/* strip.c: ordered loops whose iterations need those that are a distance before them, as
 *
 *     for i in d..n { y[i] = x[i] + y[i - d] / 2 }
 *
 * As many iterations as that, which may run in any order, are a step of another loop:
 *
 *     for strip in 0..(n - d + d - 1) // d { y[i] = x[i] + y[i - d] / 2 for i in ... }
 *
 * A distance that is not known before the call may be any number: where it is below 1 a step has
 * one iteration. */
#include <stdlib.h>

#include "linear.h"
#include "split.h"

enum { MIN_STRIP = 8 }; /* iterations of a step that are worth it, of a constant distance */

/* By how many iterations two accesses of the same element are apart: `times` times a dimension, or
 * where dim is -1 that number.  False: it is no such distance. */
static bool find_distance(const struct candidate *c, const struct pval *a, const struct pval *b,
                          int *dim, int64_t *times) {
    for (int i = 0; i < a->nargs; i++) {
        struct linear x, y;
        if (!linear_of(c, a->args[i], &x) || !linear_of(c, b->args[i], &y))
            continue;
        int at = linear_place(&x, c->loop->var), other = linear_place(&y, c->loop->var);
        if (at < 0 || other < 0 || at == x.n || other == y.n || llabs(x.times[at]) != 1 ||
            x.times[at] != y.times[other] || x.of[at].dim >= 0 || y.of[other].dim >= 0 ||
            has_inner_index(c, &x) || !linear_subtract(&x, &y))
            continue;
        *dim = -1;
        *times = x.plus;
        int terms = x.plus != 0;
        for (int k = 0; k < x.n; k++) {
            if (x.times[k] == 0)
                continue;
            terms += x.of[k].var == NULL ? 1 : 2;
            *dim = x.of[k].dim;
            *times = x.times[k];
        }
        if (terms == 1)
            return true;
    }
    return false;
}

/* The distance of all iterations that need one another, at least, as find_distance has it. */
static bool find_least(const struct candidate *c, int *dim, int64_t *least) {
    bool any = false;
    for (int i = 0; i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++) {
            int of;
            int64_t times;
            if (!may_clash(c, i, k))
                continue;
            if (!find_distance(c, c->place[i], c->place[k], &of, &times) || (any && of != *dim))
                return false;
            *dim = of;
            *least = any && *least < llabs(times) ? *least : llabs(times);
            any = true;
        }
    return any && (*dim >= 0 || *least >= MIN_STRIP);
}

static struct pval *sum(struct uc *uc, struct pval *a, struct pval *b) {
    return plan_operation(uc, OP_ADD, DT_INT64, a, b);
}

static struct pval *read(struct uc *uc, struct pvar *var) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_VAR, .dtype = DT_INT64, .var = var};
    return v;
}

/* The less of two numbers, or the greater. */
static struct pval *extreme(struct uc *uc, enum builtin_id id, struct pval *a, struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){
        .kind = PV_CALL, .dtype = DT_INT64, .builtin = &builtins[id], .nargs = 2, .args = {a, b}};
    return v;
}

/* The iterations of a step. */
static struct pval *length_of(struct uc *uc, int dim, int64_t least) {
    if (dim < 0)
        return plan_number(uc, least);
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_DIM, .dtype = DT_INT64, .operand = dim};
    return extreme(uc, B_MAX, v, plan_number(uc, 1));
}

static struct pstmt *loop_of(struct uc *uc, const struct pstmt *s, struct pvar *var,
                             struct pval *hi, struct pstmt *body) {
    struct pstmt *loop = NEW(uc, struct pstmt);
    *loop = (struct pstmt){.kind = PS_FOR,
                           .at = s->at,
                           .var = var,
                           .lo = plan_number(uc, 0),
                           .hi = hi,
                           .step = plan_number(uc, 1),
                           .body = body};
    return loop;
}

static bool find_strip(const struct sharer *x, const struct pstmt *s, int *dim, int64_t *least) {
    bool by_one = s->kind == PS_FOR && s->accs == NULL && s->step->kind == PV_CONST &&
                  llabs((int64_t)s->step->i) == 1;
    const struct candidate *c = by_one ? find_candidate(x, s) : NULL;
    return c != NULL && find_least(c, dim, least);
}

bool may_strip(const struct sharer *x, const struct pstmt *s) {
    int dim;
    int64_t least;
    return find_strip(x, s, &dim, &least);
}

struct pstmt *strip_loop(const struct sharer *x, const struct pstmt *s, struct pvar *strip,
                         struct pvar *place) {
    struct uc *uc = x->uc;
    int dim;
    int64_t least;
    if (!find_strip(x, s, &dim, &least))
        return NULL;
    bool up = (int64_t)s->step->i > 0;
    struct pval *n = plan_operation(uc, OP_SUB, DT_INT64, up ? s->hi : s->lo, up ? s->lo : s->hi);
    struct pval *last =
        plan_operation(uc, OP_SUB, DT_INT64, length_of(uc, dim, least), plan_number(uc, 1));
    struct pval *steps =
        plan_operation(uc, OP_FLOORDIV, DT_INT64, sum(uc, n, last), length_of(uc, dim, least));
    struct pval *turn =
        sum(uc, plan_operation(uc, OP_MUL, DT_INT64, read(uc, strip), length_of(uc, dim, least)),
            read(uc, place));
    struct pval *places = length_of(uc, dim, least);
    if (dim >= 0) /* which may be far more than there are iterations */
        places = extreme(uc, B_MIN, places, n);
    struct pval *index = plan_operation(uc, up ? OP_ADD : OP_SUB, DT_INT64, s->lo, turn);
    struct pstmt *test = NEW(uc, struct pstmt);
    *test = (struct pstmt){.kind = PS_IF,
                           .at = s->at,
                           .value = plan_operation(uc, up ? OP_LT : OP_GT, DT_BOOL, index, s->hi),
                           .body = copy_statements(uc, s->body, NULL, s->var, index)};
    return loop_of(uc, s, strip, steps, spread_of(x, loop_of(uc, s, place, places, test)));
}
