/* cut.c: where an ordered loop may be cut so that the iterations of its parts may run in any order.
 */
#include "linear.h"

/* Stops at an index of the loop or in it: `i - i` is none in sum, but is not to be read outside. */
static enum walk find_own_index(const struct pval *v, void *arg) {
    const struct candidate *c = arg;
    for (int i = c->own; i < c->nindices; i++)
        if (v->kind == PV_VAR && v->var == c->index[i]->var)
            return WALK_STOP;
    return WALK_IN;
}

/* Whether v, a subscript, is the same in all iterations, and one of the loop's indices; with `may`
 * it may be none of these. */
static bool is_cut(const struct candidate *c, const struct pval *v, bool may) {
    struct linear above, below, first, at;
    if (!linear_of(c, v, &at) || !value_walk(v, find_own_index, (void *)c))
        return false;
    if (may)
        return true;
    above = at;
    if (!linear_of(c, c->loop->hi, &below) || !linear_subtract(&below, &at))
        return false;
    below.plus--;
    return linear_of(c, c->loop->lo, &first) && linear_subtract(&above, &first) &&
           linear_never_negative(c, above) && linear_never_negative(c, below);
}

const struct pval *find_cut(const struct sharer *x, const struct pstmt *loop, bool may) {
    const struct candidate *c = find_candidate(x, loop);
    if (c == NULL || loop->step->kind != PV_CONST || loop->step->i != 1)
        return NULL;
    for (int i = 0; i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++)
            for (int d = 0; d < c->place[i]->nargs && may_clash(c, i, k); d++) {
                const struct pval *own = c->place[i]->args[d], *other = c->place[k]->args[d];
                if (own->kind == PV_VAR && own->var == loop->var && is_cut(c, other, may))
                    return other;
            }
    return NULL;
}
