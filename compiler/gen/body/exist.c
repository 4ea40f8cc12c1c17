/* exist.c: elements that are in their arrays whatever the sizes are, as at the indices of loops
 * over all of a dimension.  Lanes that are not active may read them too. */
#include "body.h"

struct bounds {
    const struct pval **below; /* by id: the end of the loops whose index the variable is */
    bool *other;               /* by id: it is something else, or of loops with other bounds */
};

static void note_range(struct bounds *b, const struct pvar *var, const struct pval *lo,
                       const struct pval *hi, const struct pval *step) {
    const struct pval **below = &b->below[var->id];
    bool up = lo->kind == PV_CONST && (int64_t)lo->i >= 0 && step->kind == PV_CONST &&
              (int64_t)step->i > 0;
    bool known = up && (hi->kind == PV_CONST || hi->kind == PV_DIM);
    b->other[var->id] = b->other[var->id] || !known || (*below != NULL && !same_value(*below, hi));
    *below = hi;
}

static enum walk note_bounds(const struct pstmt *s, void *arg) {
    struct bounds *b = arg;
    if (s->kind == PS_SET)
        b->other[s->var->id] = true;
    if (s->kind == PS_FOR)
        note_range(b, s->var, s->lo, s->hi, s->step);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        note_range(b, r->var, r->lo, r->hi, r->step);
    return WALK_IN;
}

void gen_find_bounds(struct gen *g) {
    int n = g->plan->nvars;
    struct bounds b = {NEWN(g->uc, const struct pval *, n + 1), NEWN(g->uc, bool, n + 1)};
    plan_walk(g->plan->body, &(struct plan_visitor){.stmt = note_bounds, .joined = true}, &b);
    for (int i = 0; i < n; i++)
        if (b.other[i])
            b.below[i] = NULL;
    g->below = b.below;
}

static bool is_within(const struct gen *g, const struct pval *v, const struct dim *dim) {
    if (v->kind == PV_CONST)
        return (int64_t)v->i >= 0 && (int64_t)v->i < dim->size;
    if (v->kind != PV_VAR || g->below[v->var->id] == NULL)
        return false;
    const struct pval *below = g->below[v->var->id];
    return below->kind == PV_DIM ? below->operand == dim->index : (int64_t)below->i <= dim->size;
}

bool gen_exists_at_indices(const struct gen *g, const struct pval *v) {
    for (int i = 0; i < v->nargs; i++)
        if (!is_within(g, v->args[i], g->plan->operands[v->operand].dims[i]))
            return false;
    return true;
}

bool gen_exists(struct gen *g, const struct pval *v) {
    if (g->below == NULL || (g->varying->arrays[v->operand] && !g->whole) ||
        !gen_exists_at_indices(g, v))
        return false;
    for (int i = 0; i < v->nargs; i++)
        if (v->args[i]->kind == PV_VAR && gen_varies(g, v->args[i]) &&
            (!g->whole || v->args[i]->var != g->lane_var))
            return false;
    return true;
}
