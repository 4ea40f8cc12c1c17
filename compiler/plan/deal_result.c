/* deal_result.c: results of ordered loops that update bins: elements that one iteration alone has,
 * and that get what it finds in its bin, such as the ranks of keys.
 *
 *     for i in 0..n { y[i] = c[k[i]]; c[k[i]] += 1 }
 *
 * Whoever updates the bin stores them.  Where conditions decide whether that is accessed, and it
 * does not exist, another one's owner does, as none of what is accessed there is used. */
#include "dealer.h"
#include "linear.h"

/* Do different iterations of a loop access the same element of an operand, one to store it? */
static bool clashes(const struct candidate *c, int operand) {
    bool any = false;
    for (int i = 0; i < c->nplaces && !any; i++)
        for (int k = 0; k < c->nplaces && !any; k++)
            any = c->place[i]->operand == operand && may_clash(c, i, k);
    return any;
}

void deal_find_apart(struct dealer *x) {
    struct uc *uc = x->uc;
    const uint32_t stored = x->targets;
    for (int i = 0; i < x->outer.n; i++) {
        const struct pstmt *loop = x->outer.loop[i];
        struct pstmt alone = *loop;
        alone.next = NULL;
        const struct sharer own = {
            .uc = uc, .plan = x->plan, .mentions = count_mentions(uc, x->plan, &alone)};
        const struct candidate *c =
            new_candidate(&own, loop, find_written(uc, x->plan, loop->body));
        for (int k = 0; k < x->plan->noperands; k++)
            if (stored >> k & 1 && (c == NULL || clashes(c, k)))
                x->apart |= UINT32_C(1) << k;
    }
    x->targets = x->apart;
    x->apart = stored & ~x->targets;
}

/* Stops at what is not known from the iteration's indices alone. */
static enum walk find_other(const struct pval *v, void *dealer) {
    const struct dealer *x = dealer;
    bool index = false;
    for (int i = 0; i < x->outer.n; i++)
        index = index || (v->kind == PV_VAR && v->var == x->outer.loop[i]->var);
    return v->kind == PV_ELEM || (v->kind == PV_VAR && !index) ? WALK_STOP : WALK_IN;
}

/* Are two places of an array different elements, as constants tell? */
static bool are_different(const struct pval *a, const struct pval *b) {
    bool different = false;
    for (int i = 0; i < a->nargs; i++)
        different = different || (a->args[i]->kind == PV_CONST && b->args[i]->kind == PV_CONST &&
                                  a->args[i]->i != b->args[i]->i);
    return different;
}

/* Is there another entry, not of another branch, that may store to the place? */
static bool is_stored_before(const struct dealer *x, const struct pval *place) {
    bool any = false;
    for (int i = 0; i < x->d->nresults; i++) {
        const struct pval *other = x->d->result[i].place;
        any = any || (x->d->result[i].kind >= 0 && other->operand == place->operand &&
                      !are_different(other, place));
    }
    return any && x->late >> place->operand & 1;
}

bool deal_add_result(struct dealer *x, const struct pval *place, const struct pvar *value,
                     struct span at) {
    struct deal *d = x->d;
    enum ufc_dtype dtype = x->plan->operands[place->operand].dtype;
    if (d->nresults == MAX_DEAL_RESULTS || x->depth > 0 || is_complex(dtype) ||
        place->dtype != dtype || is_stored_before(x, place))
        return false;
    if (d->number == NULL) {
        if (d->nterms == MAX_DEAL_TERMS)
            return false;
        d->number = d->term[d->nterms++] = plan_variable(x->uc, x->plan, "number", DT_INT32);
    }
    struct pval *own = NEW(x->uc, struct pval);
    *own = *place;
    for (int i = 0; i < own->nargs; i++)
        if (!value_walk(own->args[i], find_other, x) &&
            (own->args[i] = deal_updated(x, own->args[i], at)) == NULL)
            return false;
    d->result[d->nresults++] = (struct deal_result){own, value, x->given, -1};
    x->late |= UINT32_C(1) << place->operand;
    return true;
}
