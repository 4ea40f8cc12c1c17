/* abreast.c: several points of a PS_SPREAD at once: a loop in its body whose bounds they share runs
 * once, with a copy of its statements for each.  What is loaded there for all is loaded once. */
#include "build.h"

/* Finds what is left early, or belongs to one point alone. */
static enum walk find_apart(const struct pstmt *s, void *none) {
    (void)none;
    bool apart = s->kind == PS_CLEAR || s->kind == PS_LEAVE || s->kind == PS_LOOP ||
                 s->kind == PS_BLOCK || s->kind == PS_PUT;
    return apart ? WALK_STOP : WALK_IN;
}

/* Finds a reduction whose length is not known, and the same for all points. */
static enum walk find_shared(const struct pstmt *s, void *arg) {
    const struct varying *varying = *(const struct varying *const *)arg;
    bool shared = s->kind == PS_SPREAD, fixed = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        shared = shared && !value_varies(varying, r->lo) && !value_varies(varying, r->hi) &&
                 !value_varies(varying, r->step);
        fixed = fixed && r->lo->kind == PV_CONST && r->hi->kind == PV_CONST;
    }
    return shared && !fixed ? WALK_STOP : WALK_IN;
}

bool abreast_begin(struct gen *g, struct abreast *a, const struct pstmt *s) {
    static const struct plan_visitor apart = {.stmt = find_apart}, shared = {.stmt = find_shared};
    if (s->accs == NULL || s->ordered || s->ranges->next != NULL || gen_is_checked(s->body) ||
        !plan_walk(s->body, &apart, NULL))
        return false;
    a->varying = find_varying_within(g->uc, g->plan, s, false);
    if (plan_walk(s->body, &shared, &a->varying))
        return false;
    int n = g->plan->nvars;
    /* Accs take the points' values one after the other, each in a statement. */
    bool *one = NEWN(g->uc, bool, n);
    for (const struct pacc *acc = s->accs; acc != NULL; acc = acc->next)
        one[acc->acc->id] = true;
    for (int k = 0; k < ABREAST_POINTS; k++) {
        a->slot[k] = NEWN(g->uc, LLVMValueRef, n);
        for (int i = 0; i < n; i++) {
            bool own = k > 0 && a->varying->vars[i] && !one[i];
            LLVMValueRef slot = g->vars[i].slot;
            a->slot[k][i] = own ? gen_alloca(g, LLVMGetAllocatedType(slot), "abreast") : slot;
        }
    }
    return true;
}

void abreast_take(struct gen *g, const struct abreast *a, int k) {
    for (int i = 0; i < g->plan->nvars; i++)
        g->vars[i].slot = a->slot[k][i];
}

bool abreast_differs(const struct abreast *a, const struct pstmt *s) {
    const struct varying *v = a->varying;
    switch (s->kind) {
    case PS_SET: return v->vars[s->var->id] || value_varies(v, s->value);
    case PS_IF: return value_varies(v, s->value);
    case PS_FOR:
        return value_varies(v, s->lo) || value_varies(v, s->hi) || value_varies(v, s->step);
    default: return false;
    }
}
