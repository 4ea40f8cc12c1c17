/* turned.c: places that turn around a size, as (i + 1) % n for i in 0..n, or, with the steps of a
 * lattice, (i + CX[k]) % m beside a subscript k: each iteration of a loop that is no longer than
 * the size has its own. */
#include "linear.h"

struct turning {
    const struct candidate *c;
    const struct pval *place;
    int own; /* how often the loop's index is a summand */
};

static bool is_pinned(const struct turning *x, const struct pvar *index) {
    int i = 0;
    while (i < x->place->nargs &&
           !(x->place->args[i]->kind == PV_VAR && x->place->args[i]->var == index))
        i++;
    return i < x->place->nargs;
}

static int loop_of(const struct candidate *c, const struct pvar *v) {
    int i = c->nindices - 1;
    while (i >= 0 && c->index[i]->var != v)
        i--;
    return i;
}

/* Is a variable the same in all iterations, or where they access the same element? */
static bool stays(const struct turning *x, const struct pvar *v) {
    const struct candidate *c = x->c;
    int loop = loop_of(c, v);
    return loop < 0 ? !c->written[v->id] : loop < c->own || (loop > c->own && is_pinned(x, v));
}

static enum walk find_change(const struct pval *v, void *arg) {
    const struct turning *x = arg;
    bool changes = (v->kind == PV_VAR && !stays(x, v->var)) || may_be_stored(x->c->plan, v) ||
                   (v->kind == PV_ELEM && v->operand >= x->c->plan->noperands);
    return changes ? WALK_STOP : WALK_IN;
}

/* Is that so of a whole number, which is not so large that a sum with it wraps? */
static bool is_shift(const struct turning *x, const struct pval *v) {
    if (!value_walk(v, find_change, (void *)(uintptr_t)x))
        return false;
    switch (v->kind) {
    case PV_CONST: return (int64_t)v->i >= INT32_MIN && (int64_t)v->i <= INT32_MAX;
    case PV_VAR: return loop_of(x->c, v->var) >= 0;
    case PV_CAST:
        return is_integer(v->args[0]->dtype) && dtype_traits[v->args[0]->dtype].bits <= 32;
    case PV_OP:
        if (v->op == OP_MOD) /* which is nearer to 0 than its divisor */
            return is_shift(x, v->args[1]);
        return (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_NEG) && is_shift(x, v->args[0]) &&
               (v->nargs == 1 || is_shift(x, v->args[1]));
    default: return v->kind == PV_DIM || is_of_small_table(v);
    }
}

/* Is v a sum of the loop's index, once, and of shifts? */
static bool add_summands(struct turning *x, const struct pval *v) {
    if (v->kind == PV_VAR && v->var == x->c->loop->var) {
        x->own++;
        return true;
    }
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_NEG);
    return is_shift(x, v) ||
           (sum && add_summands(x, v->args[0]) && (v->nargs == 1 || add_summands(x, v->args[1])));
}

/* Has the loop's index no more values than `size`? */
static bool is_no_longer(const struct candidate *c, const struct pval *size) {
    bool up = c->loop->step->kind == PV_CONST && (int64_t)c->loop->step->i > 0,
         down = c->loop->step->kind == PV_CONST && (int64_t)c->loop->step->i < 0;
    struct linear room, first, end, minus = {.n = 0};
    return (up || down) && linear_of(c, size, &room) && linear_of(c, c->loop->lo, &first) &&
           linear_of(c, c->loop->hi, &end) && linear_subtract(&room, up ? &end : &first) &&
           linear_subtract(&minus, up ? &first : &end) && linear_subtract(&room, &minus) &&
           linear_never_negative(c, room);
}

bool are_turned_apart(const struct candidate *c, int i, int k) {
    const struct pval *a = c->place[i], *b = c->place[k];
    for (int d = 0; d < a->nargs; d++) {
        const struct pval *v = a->args[d];
        struct turning x = {.c = c, .place = a};
        if (v->kind == PV_OP && v->op == OP_MOD && v->dtype == DT_INT64 &&
            same_value(v, b->args[d]) &&
            (v->args[1]->kind == PV_DIM || v->args[1]->kind == PV_CONST) &&
            add_summands(&x, v->args[0]) && x.own == 1 && is_no_longer(c, v->args[1]))
            return same_value(a, b);
    }
    return false;
}
