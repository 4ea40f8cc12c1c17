/* ahead.c: how the elements lie that values of a tiling's sides are computed of, and which of
 * these are loaded ahead. */
#include "side.h"

struct direction {
    const struct sides *in;
    int side;
};

/* Finds how the first element lies. */
static enum walk find_direction(const struct pval *v, void *arg) {
    const struct direction *d = arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    for (int i = v->nargs; i-- > 0;) {
        uint32_t mask = mask_of(d->in, v->args[i]);
        if ((mask & (OF_DEPTH | d->in->of[d->side])) == 0)
            continue;
        d->in->tiling->along_depth[d->side] = (mask & d->in->of[d->side]) == 0;
        return WALK_STOP;
    }
    return WALK_PAST;
}

void find_directions(struct sides *in) {
    const struct plan_visitor visitor = {.value = find_direction};
    for (int side = 0; side < 2; side++) {
        struct direction d = {in, side};
        bool none = plan_walk(in->tiling->staged[side], &visitor, &d);
        for (int n = 0; n < in->tiling->nfactors; n++)
            if (none && in->tiling->factors[n].of_rows == (side == 0))
                none = value_walk(in->tiling->factors[n].value, find_direction, &d);
    }
}

/* Whether a subscript is a sum of what indices of the side and what those of the reduction make. */
static bool splits(const struct sides *in, const struct pval *v, int side) {
    uint32_t mask = mask_of(in, v);
    if (!(mask & OF_DEPTH) || !(mask & in->of[side]))
        return value_walk(v, find_any_element, NULL);
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_NEG);
    for (int i = 0; sum && i < v->nargs; i++)
        sum = splits(in, v->args[i], side);
    return sum;
}

/* Whether not all points of a tile's results and of the reduction are reduced, so that values are
 * asked for at others too. */
static bool is_conditional(const struct sides *in) {
    const struct tiling *t = in->tiling;
    return ends_apart(in) || t->when != NULL || in->both != NULL || in->neither != NULL ||
           in->own[0] != NULL || in->own[1] != NULL;
}

/* Notes an element that values of the side read. */
static enum walk note_element(const struct pval *v, void *arg) {
    const struct direction *d = arg;
    struct tiling *t = d->in->tiling;
    const struct pval **ahead = t->ahead[d->side];
    int *n = &t->nahead[d->side];
    if (v->kind != PV_ELEM)
        return WALK_IN;
    bool misses = is_conditional(d->in) && may_miss(d->in, v), known = !misses || t->sure[d->side],
         split = true;
    t->exposed[d->side] = t->exposed[d->side] || misses;
    for (int i = 0; i < *n; i++)
        if (same_value(ahead[i], v))
            return WALK_PAST;
    for (int i = 0; i < v->nargs; i++)
        known = known && !content_of(d->in, v->args[i]).staged;
    for (int i = 0; i < v->nargs; i++)
        split = split && splits(d->in, v->args[i], d->side);
    if (known && mask_of(d->in, v) & OF_DEPTH && *n < TILE_AHEAD) {
        t->splits[d->side][*n] = split;
        ahead[(*n)++] = v;
    } else {
        t->loose[d->side] = t->loose[d->side] || misses;
    }
    return WALK_PAST;
}

void find_ahead(struct sides *in) {
    const struct plan_visitor visitor = {.value = note_element};
    struct tiling *t = in->tiling;
    for (int side = 0; side < 2; side++) {
        struct direction d = {in, side};
        t->sure[side] =
            t->valid[side] != NULL && value_walk(t->valid[side], find_any_element, NULL);
        plan_walk(t->staged[side], &visitor, &d);
        for (int n = 0; n < t->nfactors; n++)
            if (t->factors[n].of_rows == (side == 0) && t->factors[n].value != t->valid[side])
                value_walk(t->factors[n].value, note_element, &d);
        bool exposed = t->exposed[side]; /* conditions are computed at all points */
        value_walk(t->valid[side], note_element, &d);
        t->exposed[side] = exposed;
    }
}
