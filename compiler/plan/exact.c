/* exact.c: float64 variables that count: they begin with small multiples of a power of two, and
 * have such constants added and taken away alone.  However long the loops are, their sums are
 * exact, and so the same in every order, which those of other numbers are not. */
#include <math.h>

#include "total.h"

enum { EXACT_PARTS = 16, EXACT_MOST = 16 }; /* of a number: 2**45 of them are added exactly */

static bool is_exact_number(const struct pval *v) {
    double parts = v->f * EXACT_PARTS;
    return v->kind == PV_CONST && v->dtype == DT_FLOAT64 && fabs(v->f) <= EXACT_MOST &&
           parts == floor(parts) && !(v->f == 0 && signbit(v->f));
}

/* Is a value always such a number? */
static bool is_exact_step(const struct pval *v) {
    if (v->kind == PV_SELECT)
        return is_exact_step(v->args[1]) && is_exact_step(v->args[2]);
    if (v->kind == PV_CAST)
        return v->dtype == DT_FLOAT64 && v->args[0]->dtype == DT_BOOL;
    return is_exact_number(v);
}

static bool reads(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* Does an assignment have its variable count on, or begin? */
static bool keeps_exact(const struct pstmt *s) {
    const struct pval *v = s->value;
    if (is_exact_number(v))
        return true;
    if (v->kind != PV_OP || v->nargs != 2 || (v->op != OP_ADD && v->op != OP_SUB))
        return false;
    return (reads(v->args[0], s->var) && is_exact_step(v->args[1])) ||
           (v->op == OP_ADD && reads(v->args[1], s->var) && is_exact_step(v->args[0]));
}

static enum walk note_set(const struct pstmt *s, void *none) {
    (void)none;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        r->var->exact = false;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        a->acc->exact = a->other->exact = false;
    if (s->var != NULL && !(s->kind == PS_SET && keeps_exact(s)))
        s->var->exact = false;
    return WALK_IN;
}

void find_exact(const struct plan *p) {
    for (struct pvar *v = p->vars; v != NULL; v = v->next)
        v->exact = v->dtype == DT_FLOAT64;
    plan_walk(p->body, &(struct plan_visitor){.stmt = note_set, .joined = true}, NULL);
}
