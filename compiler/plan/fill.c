/* fill.c: arrays that a call makes, and that begin with numbers.  Numbers that are overwritten
 * before they are read are not stored.  Others are stored as early as possible, where one
 * definition does for several arrays: behind what finishes an earlier sum they would keep those
 * that merge later numbers from one pass with those that merge the earlier ones. */
#include "apart.h"

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

/* An array that a PS_PUT of a fill stores to, and the place at which others may. */
struct access_to {
    int operand;
    const struct pval *place;
};

static enum walk find_element(const struct pval *v, void *arg) {
    const struct access_to *x = arg;
    bool own = x->place != NULL && same_value(v, x->place);
    return v->kind == PV_ELEM && v->operand == x->operand && !own ? WALK_STOP : WALK_IN;
}

static enum walk find_clear(const struct pstmt *s, void *arg) {
    const struct access_to *x = arg;
    return s->kind == PS_CLEAR && s->operand == x->operand ? WALK_STOP : WALK_IN;
}

/* Does a statement access the array, elsewhere than at that place? */
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

static bool is_same_size(const struct dim *a, const struct dim *b) {
    bool same = a->expr != NULL && b->expr != NULL && a->nterms == b->nterms;
    for (int i = 0; same && i < a->nterms; i++)
        same = a->terms[i].op == b->terms[i].op && a->terms[i].value == b->terms[i].value;
    return same;
}

/* Is the end of a range that of another one, a dimension, or what that is made of? */
static bool is_same_end(const struct plan *p, const struct pval *v, const struct pval *end) {
    const struct decl *d = p->overload->decl;
    const struct dim *made = dim_of_terms(d, v), *dim = d->dims;
    while (dim != NULL && !(end->kind == PV_DIM && dim->index == end->operand))
        dim = dim->next;
    return same_value(v, end) || (made != NULL && dim != NULL && is_same_size(made, dim));
}

static bool is_same_number(const struct pval *a, const struct pval *b) {
    return same_value(a, b) || (a->kind == PV_CONST && b->kind == PV_CONST && a->i == b->i);
}

static bool have_same_points(const struct plan *p, const struct prange *r,
                             const struct prange *filled) {
    for (; r != NULL && filled != NULL; r = r->next, filled = filled->next)
        if (!is_same_number(r->lo, filled->lo) || !is_same_number(r->step, filled->step) ||
            !is_same_end(p, r->hi, filled->hi))
            return false;
    return r == NULL && filled == NULL;
}

/* Does a definition set all elements that `put`, of a fill, does, before it reads them, and access
 * no others? */
static bool overwrites(const struct plan *p, const struct pstmt *s, const struct pstmt *fill,
                       const struct pstmt *put) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    if (s->kind != PS_SPREAD || s->accs != NULL || s->merged ||
        !have_same_points(p, s->ranges, fill->ranges) || !plan_walk(s->body, &jumps, NULL))
        return false;
    const struct pstmt *own = s->body;
    while (own != NULL && !touches(own, (struct access_to){put->operand, NULL}))
        own = own->next;
    struct access_to any = {put->operand, NULL};
    return own != NULL && own->kind == PS_PUT && own->operand == put->operand && !own->merged &&
           value_walk(own->value, find_element, &any) &&
           same_points(put->place, fill->ranges, own->place, s->ranges) &&
           !touches(s, (struct access_to){put->operand, own->place});
}

static bool is_overwritten(const struct plan *p, const struct pstmt *fill,
                           const struct pstmt *put) {
    const struct pstmt *s = fill->next;
    while (s != NULL && !touches(s, (struct access_to){put->operand, NULL}))
        s = s->next;
    return s != NULL && overwrites(p, s, fill, put);
}

void drop_fills(const struct plan *p, struct pstmt **list) {
    while (*list != NULL) {
        struct pstmt *s = *list;
        bool fills = is_fill(p, s);
        for (struct pstmt **put = &s->body; fills && *put != NULL;)
            if (is_overwritten(p, s, *put))
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
    drop_fills(p, list);
    fuse_fills(p, *list);
}
