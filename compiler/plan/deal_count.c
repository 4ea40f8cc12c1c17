/* deal_count.c: entries that only count: all of them add the same whole numbers to what is in their
 * bins, as those of ranks do:
 *
 *     for i in 0..n { y[i] = c[k[i]]; c[k[i]] += 1 }
 *
 * What an entry finds in its bin is then what that has at first, and so many times the number as
 * entries of the bin come before: threads count these, and none waits for what another one finds.
 */
#include "plan.h"

static enum walk find_unlike(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_VAR || v->kind == PV_ELEM || v->kind == PV_TABLE ? WALK_STOP : WALK_IN;
}

bool deal_step(const struct deal *d, const struct pstmt *s, struct series_term *term) {
    struct series_term all[MAX_SERIES_TERMS];
    if (deal_element(d, s->var) < 0 || !is_integer(s->var->dtype) ||
        series_terms(s->var, s->value, all) != 1)
        return false;
    *term = all[0];
    return term->join == OP_ADD && term->when == NULL && value_walk(term->value, find_unlike, NULL);
}

/* Does an update set each element once, by a step? */
static bool has_steps(const struct deal *d, const struct pstmt *update) {
    struct series_term term;
    uint32_t set = 0;
    for (const struct pstmt *s = update; s != NULL; s = s->next) {
        int i = deal_element(d, s->var);
        if (i >= 0 && (set >> i & 1 || !deal_step(d, s, &term)))
            return false;
        set |= i >= 0 ? UINT32_C(1) << i : 0;
    }
    return set != 0;
}

static enum walk find_store(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT ? WALK_STOP : WALK_IN;
}

uint32_t deal_counting(const struct deal *d) {
    bool counts = d->nresults > 0 && d->nkinds == 1 && d->ngroups == 1 && d->lengths == NULL &&
                  has_steps(d, d->update[0]);
    for (int i = 0; i < d->nsites; i++)
        counts = counts && !d->site[i].anyway;
    bool twice = d->flat && d->nsites == 1 &&
                 plan_walk(d->points->body, &(struct plan_visitor){.stmt = find_store}, NULL);
    return !counts ? 0 : twice ? UFC_COUNTED_TWICE : UFC_COUNTED;
}
