/* bounded.c: how many iterations loops take at most whose bounds are numbers, or indices of such
 * loops around them, as `for k in 0..4 { for i in k + 1..4 { ... } }`. */
#include "bounded.h"

enum { FARTHEST = 4096 }; /* bounds from 0, at most */

static const struct interval unknown_interval = {1, 0};

struct interval *unknown_intervals(struct uc *uc, const struct plan *p) {
    struct interval *within = NEWN(uc, struct interval, p->nvars + 1);
    for (int i = 0; i <= p->nvars; i++)
        within[i] = unknown_interval;
    return within;
}

static bool is_known(struct interval a) {
    return a.least <= a.most && a.least >= -FARTHEST && a.most <= FARTHEST;
}

struct interval interval_of(const struct interval *within, const struct pval *v) {
    if (v->kind == PV_CONST)
        return (struct interval){(int64_t)v->i, (int64_t)v->i};
    if (v->kind == PV_VAR)
        return within[v->var->id];
    if (v->kind != PV_OP || v->dtype != DT_INT64 || (v->op != OP_ADD && v->op != OP_SUB))
        return unknown_interval;
    struct interval a = interval_of(within, v->args[0]), b = interval_of(within, v->args[1]);
    if (!is_known(a) || !is_known(b))
        return unknown_interval;
    return v->op == OP_ADD ? (struct interval){a.least + b.least, a.most + b.most}
                           : (struct interval){a.least - b.most, a.most - b.least};
}

int64_t most_steps(struct interval *within, const struct pvar *index, const struct pval *lo,
                   const struct pval *hi, const struct pval *step) {
    struct interval a = interval_of(within, lo), b = interval_of(within, hi);
    int64_t by = step->kind == PV_CONST ? (int64_t)step->i : 0;
    if (by == 0 || by < -FARTHEST || by > FARTHEST || !is_known(a) || !is_known(b))
        return INT64_MAX;
    within[index->id] =
        by > 0 ? (struct interval){a.least, b.most - 1} : (struct interval){b.least + 1, a.most};
    int64_t far = by > 0 ? b.most - a.least : a.most - b.least, each = by > 0 ? by : -by;
    return far <= 0 ? 0 : (far + each - 1) / each;
}
