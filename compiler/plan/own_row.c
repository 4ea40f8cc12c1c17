/* own_row.c: reductions over rows that points have for themselves, as of blocks of 32 numbers with
 * a scale each: x[32 * b + k] or x[b, k]. */
#include <stdlib.h>

#include "plan.h"

enum { ROW_LEAST = 16 }; /* elements, below which a thread had best have them */

static bool is_factor(int64_t n) {
    return n >= -INT32_MAX && n <= INT32_MAX;
}

/* How often a variable is in a sum; 0: it is not, or very often, or in something else. */
static int64_t times_in(const struct pval *v, const struct pvar *var) {
    if (v->kind == PV_VAR)
        return v->var == var;
    if (v->kind != PV_OP || v->nargs != 2 || v->direct != NULL)
        return 0;
    int64_t a = times_in(v->args[0], var), b = times_in(v->args[1], var);
    const struct pval *by = v->args[a != 0];
    int64_t times = 0;
    if (v->op == OP_ADD || v->op == OP_SUB)
        times = v->op == OP_ADD ? a + b : a - b;
    else if (v->op == OP_MUL && by->kind == PV_CONST && is_factor((int64_t)by->i))
        times = (a != 0 ? a : b) * (int64_t)by->i;
    return is_factor(times) ? times : 0;
}

/* A reduction over a row, of a fixed length, of the point's own. */
struct own_row {
    const struct pvar *point, *in;
    int64_t n;
};

static enum walk find_own_row(const struct pval *v, void *arg) {
    const struct own_row *x = arg;
    if (v->kind != PV_ELEM || v->nargs == 0 || times_in(v->args[v->nargs - 1], x->in) != 1)
        return WALK_IN;
    int64_t apart = llabs(times_in(v->args[v->nargs - 1], x->point));
    for (int i = 0; i + 1 < v->nargs; i++)
        if (times_in(v->args[i], x->point) != 0)
            apart = x->n;
    return apart >= x->n ? WALK_STOP : WALK_IN;
}

bool has_own_row(const struct pstmt *s, const struct pstmt *reduction) {
    const struct prange *point = s->ranges, *in = reduction->ranges;
    while (point->next != NULL)
        point = point->next;
    struct own_row x = {.point = point->var, .in = in->var, .n = constant_points(in)};
    return in->next == NULL && x.n >= ROW_LEAST &&
           !plan_walk(reduction->body, &(struct plan_visitor){.value = find_own_row}, &x);
}
