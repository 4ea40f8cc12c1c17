/* row_bins.c: whether loops store to rows at places that are not told by their indices alone, as
 * those that count a histogram of each column, or votes for lines at each angle:
 *
 *     for i in 0..n { for k in 0..f { h[k, bin[i, k]] += w[i] } }
 *
 * Where rows are calls the bins of a row may lie in shared memory, which those of all may not. */
#include "apart.h"

static enum walk add_indices(const struct pstmt *s, void *arg) {
    bool *index = arg;
    if (s->kind == PS_FOR)
        index[s->var->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        index[r->var->id] = true;
    return WALK_IN;
}

static enum walk find_unknown(const struct pval *v, void *arg) {
    const bool *index = arg;
    return v->kind == PV_ELEM || (v->kind == PV_VAR && !index[v->var->id]) ? WALK_STOP : WALK_IN;
}

/* Stops at a place of a row that is not told by indices. */
static enum walk find_bin(const struct pstmt *s, void *arg) {
    const bool *index = arg;
    const struct pval *place = s->kind == PS_PUT ? s->place : NULL;
    if (place == NULL || place->nargs < 2 || place->args[0]->kind != PV_VAR ||
        !index[place->args[0]->var->id])
        return WALK_IN;
    for (int i = 1; i < place->nargs; i++)
        if (!value_walk(place->args[i], find_unknown, arg))
            return WALK_STOP;
    return WALK_IN;
}

bool has_bins_of_rows(struct uc *uc, const struct plan *p) {
    bool *index = NEWN(uc, bool, p->nvars + 1);
    plan_walk(p->body, &(struct plan_visitor){.stmt = add_indices}, index);
    return !plan_walk(p->body, &(struct plan_visitor){.stmt = find_bin}, index);
}
