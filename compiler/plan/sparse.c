/* sparse.c: tilings one of whose sides has factors that are zeros in whole slabs, as those are
 * which are made of what an earlier definition stores under a condition of its indices: a mask. */
#include "plan.h"

struct masked {
    const struct plan *plan;
    const struct pstmt *end, *found; /* found: the definition before `end` that an element is of */
};

/* Stops at an element that an earlier statement stores, where what that is depends on a condition.
 */
static enum walk find_masked(const struct pval *v, void *arg) {
    struct masked *m = arg;
    for (const struct pstmt *s = m->plan->body->body; v->kind == PV_ELEM && s != m->end;
         s = s->next) {
        const struct pstmt *in = s->kind == PS_SPREAD && s->accs == NULL ? s->body : NULL;
        while (in != NULL && in->kind != PS_IF)
            in = in->next;
        if (in != NULL && is_put(s->body, v->operand)) {
            m->found = s;
            return WALK_STOP;
        }
    }
    return WALK_IN;
}

bool ignores_zeros_beside(const struct tiling *t, int side) {
    struct zero_factors zeros = {.nvars = 0};
    for (int n = 0; n < t->nfactors; n++) {
        const struct factor *f = &t->factors[n];
        bool other = f->of_rows != (side == 0);
        if (is_complex(f->dtype))
            return false;
        if (f->value == NULL && !other)
            zeros.place[zeros.nplaces++] = f->place;
        else if (f->value != NULL && other)
            zeros.other[zeros.nothers++] = f->var;
        else if (f->value != NULL)
            zeros.var[zeros.nvars++] = f->var;
    }
    return keeps_accs_beside(&t->shape, &zeros);
}

void find_sparse(const struct plan *p, const struct pstmt *s, struct tiling *t) {
    struct masked m = {p, s, NULL};
    if (t->finite || t->shape.filter != NULL || t->names_index)
        return;
    for (int n = 0; n < t->nfactors && t->sparse == 0; n++) {
        const struct factor *f = &t->factors[n];
        int side = f->of_rows ? 0 : 1;
        bool masked = !value_walk(f->value != NULL ? f->value : f->place, find_masked, &m);
        if (masked && ignores_zeros_beside(t, side)) {
            t->sparse = 1U << side;
            t->masked = p->map.tiling[m.found->phase];
        }
    }
}
