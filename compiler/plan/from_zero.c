/* from_zero.c: reductions of a definition's points, counted from 0, as tiles take them:
 *
 *     sum(… for k in 2..n)    2 + k for k in 0..n - 2
 *     sum(… for k in i..n)    n - 1 - k for k in 0..n - i
 *
 * A range that begins at the same place for all points is moved there.  One that begins at a place
 * of the point's own, as rows of an upper triangle do, is counted back from its end, which is then
 * where all begin. */
#include "plan.h"

/* ---- which ranges */

/* Stops at all but numbers and sizes. */
static enum walk find_other(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

/* Stops at what is not made of numbers, sizes and the definition's indices. */
static enum walk find_unknown(const struct pval *v, void *ranges) {
    const struct prange *r = ranges;
    while (v->kind == PV_VAR && r != NULL && r->var != v->var)
        r = r->next;
    return v->kind == PV_VAR && r != NULL ? WALK_IN : find_other(v, NULL);
}

static bool is_fixed(const struct pval *v) {
    return value_walk(v, find_other, NULL);
}

/* What a bound is set to at the point before the reduction `until`, if it is once; else itself. */
static const struct pval *bound_of(const struct pstmt *first, const struct pstmt *until,
                                   const struct pval *v) {
    const struct pval *value = NULL;
    if (v->kind != PV_VAR)
        return v;
    for (const struct pstmt *s = first; s != until; s = s->next)
        if (s->kind == PS_SET && s->var == v->var) {
            if (value != NULL)
                return v;
            value = s->value;
        }
    return value != NULL ? value : v;
}

/* Whether terms may be taken backwards, but for rounding: of some reductions the first of several
 * that are alike counts. */
static bool has_any_order(const struct pstmt *s) {
    const struct pstmt *join = s->joined;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, join = join->next) {
        if (join == NULL || join->kind != PS_SET || join->var != a->acc || join->value->nargs != 2)
            return false;
        const struct pval *v = join->value, *x = v->args[0], *y = v->args[1];
        bool both =
            x->kind == PV_VAR && y->kind == PV_VAR &&
            ((x->var == a->acc && y->var == a->other) || (x->var == a->other && y->var == a->acc));
        bool adds = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_MUL || v->op == OP_AND ||
                                         v->op == OP_OR || v->op == OP_XOR);
        bool extreme = v->kind == PV_CALL && !is_float(v->dtype) &&
                       (v->builtin->id == B_MIN || v->builtin->id == B_MAX);
        if (!both || !(adds || extreme))
            return false;
    }
    return join == NULL;
}

/* ---- the copy */

static struct pval *new_op(struct uc *uc, enum op op, const struct pval *a, const struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_OP, .op = op, .dtype = DT_INT64, .nargs = 2};
    v->args[0] = (struct pval *)a;
    v->args[1] = (struct pval *)b;
    return v;
}

/* Makes a range of s, a copy, one from 0 on.  False: it is none of those above. */
static bool count_from_zero(struct uc *uc, struct plan *p, const struct pstmt *definition,
                            const struct pstmt *until, struct pstmt *s, struct prange *r) {
    const struct pval *lo = bound_of(definition->body, until, r->lo),
                      *hi = bound_of(definition->body, until, r->hi);
    void *indices = (void *)definition->ranges;
    if (r->step->kind != PV_CONST || r->step->i != 1 || !value_walk(lo, find_unknown, indices) ||
        !value_walk(hi, find_unknown, indices) ||
        !(is_fixed(lo) || (is_fixed(hi) && has_any_order(s))))
        return false;
    struct pvar *index = plan_variable(uc, p, r->var->name, DT_INT64);
    const struct pval *at = plan_read(uc, index);
    at = is_fixed(lo) ? new_op(uc, OP_ADD, at, lo)
                      : new_op(uc, OP_SUB, new_op(uc, OP_SUB, hi, plan_number(uc, 1)), at);
    s->body = copy_statements(uc, s->body, NULL, r->var, at);
    r->var = index;
    r->lo = plan_number(uc, 0);
    r->hi = new_op(uc, OP_SUB, hi, lo);
    return true;
}

static bool is_from_zero(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->lo->i == 0;
}

/* Do no bounds depend on an index of the ranges?  Those would keep the one that is replaced. */
static bool are_apart(const struct prange *ranges) {
    bool apart = true;
    for (const struct prange *r = ranges; r != NULL && apart; r = r->next)
        for (const struct prange *of = ranges; of != NULL && apart; of = of->next)
            apart = value_walk(r->lo, find_variable, of->var) &&
                    value_walk(r->hi, find_variable, of->var);
    return apart;
}

const struct pstmt *begin_at_zero(struct uc *uc, struct plan *p, const struct pstmt *s) {
    const struct pstmt *reduction = s->body;
    while (reduction != NULL && reduction->kind == PS_SET)
        reduction = reduction->next;
    if (s->accs != NULL || reduction == NULL || reduction->kind != PS_SPREAD ||
        reduction->accs == NULL || reduction->ordered)
        return s;
    const struct prange *r = reduction->ranges;
    while (r != NULL && is_from_zero(r))
        r = r->next;
    if (r == NULL || !are_apart(reduction->ranges))
        return s;
    struct pstmt *definition = copy_statements(uc, s, s->next, NULL, NULL), *own;
    own = definition->body;
    while (own->kind == PS_SET)
        own = own->next;
    for (struct prange *of = own->ranges; of != NULL; of = of->next)
        if (!is_from_zero(of) && !count_from_zero(uc, p, definition, own, own, of))
            return s;
    return definition;
}
