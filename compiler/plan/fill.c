/* fill.c: arrays that a call makes, and that begin with numbers.  Numbers that are overwritten
 * before they are read are not stored.  Others are stored as early as possible, where one
 * definition does for several arrays: behind what finishes an earlier sum they would keep those
 * that merge later numbers from one pass with those that merge the earlier ones. */
#include "plan.h"

/* Does s only set elements of arrays that the call makes to numbers? */
static bool is_fill(const struct plan *p, const struct pstmt *s) {
    int first = p->overload->nin + p->overload->nout;
    if (s->kind != PS_SPREAD || s->accs != NULL || s->body == NULL || s->ordered ||
        !are_sizes(s->ranges))
        return false;
    const struct pstmt *put = s->body;
    while (put != NULL && put->kind == PS_PUT && put->value->kind == PV_CONST && !put->merged &&
           put->operand >= first && put->operand < p->noperands)
        put = put->next;
    return put == NULL;
}

/* An array that a PS_PUT of a fill stores to, and the place of another PS_PUT that may. */
struct access_to {
    int operand;
    const struct pval *place;
};

static enum walk find_element(const struct pval *v, void *arg) {
    const struct access_to *x = arg;
    return v->kind == PV_ELEM && v->operand == x->operand && v != x->place ? WALK_STOP : WALK_IN;
}

static enum walk find_clear(const struct pstmt *s, void *arg) {
    const struct access_to *x = arg;
    return s->kind == PS_CLEAR && s->operand == x->operand ? WALK_STOP : WALK_IN;
}

/* Does a statement access the array elsewhere than at that place? */
static bool touches(const struct pstmt *s, struct access_to x) {
    const struct plan_visitor visitor = {.stmt = find_clear, .value = find_element, .joined = true};
    return !stmt_walk(s, &visitor, &x);
}

/* ---- numbers that nothing reads */

/* Are two places the same at the points of two definitions with the same bounds: each subscript is
 * the index of the same range? */
static bool same_points(const struct pval *a, const struct prange *of_a, const struct pval *b,
                        const struct prange *of_b) {
    for (int i = 0; i < a->nargs; i++) {
        const struct prange *r = of_a, *q = of_b;
        while (r != NULL && !(a->args[i]->kind == PV_VAR && a->args[i]->var == r->var)) {
            r = r->next;
            q = q->next;
        }
        if (r == NULL || b->args[i]->kind != PV_VAR || b->args[i]->var != q->var)
            return false;
    }
    return true;
}

/* Does a definition set all elements that `put`, of a fill, does, and access no others? */
static bool overwrites(const struct pstmt *s, const struct pstmt *fill, const struct pstmt *put) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    if (s->kind != PS_SPREAD || s->accs != NULL || s->merged ||
        !same_bounds(s->ranges, fill->ranges) || !plan_walk(s->body, &jumps, NULL))
        return false;
    const struct pstmt *own = s->body;
    while (own != NULL && !(own->kind == PS_PUT && own->operand == put->operand))
        own = own->next;
    return own != NULL && !own->merged &&
           same_points(put->place, fill->ranges, own->place, s->ranges) &&
           !touches(s, (struct access_to){put->operand, own->place});
}

static bool is_overwritten(const struct pstmt *fill, const struct pstmt *put) {
    const struct pstmt *s = fill->next;
    while (s != NULL && !touches(s, (struct access_to){put->operand, NULL}))
        s = s->next;
    return s != NULL && overwrites(s, fill, put);
}

static void drop_overwritten(const struct plan *p, struct pstmt **list) {
    while (*list != NULL) {
        struct pstmt *s = *list;
        bool fills = is_fill(p, s);
        for (struct pstmt **put = &s->body; fills && *put != NULL;)
            if (is_overwritten(s, *put))
                *put = (*put)->next;
            else
                put = &(*put)->next;
        if (fills && s->body == NULL)
            *list = s->next;
        else
            list = &s->next;
    }
}

/* ---- one definition for several arrays */

static bool touches_any(const struct pstmt *s, const struct pstmt *fill) {
    const struct pstmt *put = fill->body;
    while (put != NULL && !touches(s, (struct access_to){put->operand, NULL}))
        put = put->next;
    return put != NULL;
}

/* Fuses fills with the first definition before them that they can become one with, if nothing
 * before them has their arrays. */
static void fuse_fills(const struct plan *p, struct pstmt *list) {
    for (struct pstmt *last = list; last != NULL && last->next != NULL;) {
        struct pstmt *fill = last->next, *to = NULL, *s = list;
        bool fills = is_fill(p, fill);
        for (; fills && s != fill && !touches_any(s, fill); s = s->next)
            to = to == NULL && can_be_one(p, s, fill) ? s : to;
        if (s != fill || to == NULL) {
            last = fill;
            continue;
        }
        last->next = fill->next;
        fuse(to, fill);
    }
}

void take_fills(const struct plan *p, struct pstmt **list) {
    drop_overwritten(p, list);
    fuse_fills(p, *list);
}
