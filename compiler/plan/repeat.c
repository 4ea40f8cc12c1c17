/* repeat.c: statements between definitions that each thread of all later phases runs for itself, as
 * the solution of a small system of equations. */
#include "plan.h"

enum { REPEATED_STEPS = 64 }; /* of loops that each thread runs for itself, at most */

static bool repeats(const struct plan *p, const struct pstmt *s, int64_t most,
                    const struct enclosing *around);

static bool repeats_list(const struct plan *p, const struct pstmt *s, int64_t most,
                         const struct enclosing *around) {
    while (s != NULL && repeats(p, s, most, around))
        s = s->next;
    return s == NULL;
}

/* The constant that a bound is, or that an index of a loop between constants which it is begins
 * with; NULL: it is neither. */
static const struct pval *first_bound(const struct pval *v, const struct enclosing *around) {
    while (v->kind == PV_VAR && around != NULL && around->loop->var != v->var)
        around = around->outer;
    if (v->kind == PV_VAR && around != NULL && constant_steps(around->loop) >= 0 &&
        around->loop->step->i == 1)
        return around->loop->lo;
    return v->kind == PV_CONST ? v : NULL;
}

/* Steps of a loop at most, which may begin at the index of one around it, as those behind a pivot
 * do; INT64_MAX: that is not known. */
static int64_t most_steps(const struct pstmt *s, const struct enclosing *around) {
    const struct pval *lo = first_bound(s->lo, around);
    struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
    if (lo != NULL && s->step->kind == PV_CONST && s->step->i == 1)
        r.lo = (struct pval *)lo;
    return constant_points(&r);
}

/* Whether each thread may run a statement for itself: it stores to local arrays alone, and its
 * loops have `most` steps or fewer. */
static bool repeats(const struct plan *p, const struct pstmt *s, int64_t most,
                    const struct enclosing *around) {
    const struct enclosing own = {s, around};
    int64_t n = s->kind == PS_FOR ? most_steps(s, around) : 1;
    switch (s->kind) {
    case PS_SET:
    case PS_CLEAR: return true;
    case PS_PUT: return s->operand >= p->noperands;
    case PS_IF:
        return repeats_list(p, s->body, most, around) && repeats_list(p, s->other, most, around);
    case PS_FOR:
        return s->accs == NULL && n <= most &&
               repeats_list(p, s->body, n > 0 ? most / n : most, &own);
    default: return false;
    }
}

bool may_repeat(const struct plan *p, const struct pstmt *s) {
    return repeats(p, s, REPEATED_STEPS, NULL);
}
