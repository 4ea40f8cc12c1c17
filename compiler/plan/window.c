/* window.c: bodies whose results are reductions over a window that moves with them.  Its ends
 * may be numbers of the call, as in `k in -r..r + 1`, or move with the results themselves, within
 * bounds, as in `k in max(i - r, 0)..min(i + r + 1, n)`. */
#include "plan.h"

enum {
    MAX_BITS = 64,  /* of an element: the tiles' room in shared memory is for no more */
    MAX_NODES = 256 /* of what is set before a reduction, where it is written out */
};

/* ---- values by indices alone */

struct writing {
    struct uc *uc;
    const struct window *w;
    bool moves; /* indices of windows that move with the results are as if they did not */
    int left;   /* nodes, of MAX_NODES */
};

static struct pval *combine(struct uc *uc, enum op op, enum ufc_dtype dtype, struct pval *a,
                            struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_OP, .op = op, .dtype = dtype, .nargs = 2};
    v->args[0] = a;
    v->args[1] = b;
    return v;
}

static struct pval *index_value(struct uc *uc, struct pvar *var) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_VAR, .var = var, .dtype = DT_INT64};
    return v;
}

/* The axis along which the window that an index is of moves with the results; -1: it does not. */
static int moving_axis(const struct window *w, const struct pvar *var) {
    for (int axis = 0; axis < w->axes; axis++)
        if (w->in[axis]->var == var && w->moves[axis])
            return axis;
    return -1;
}

/* v with the values of variables that are set before the reduction in their places. */
static struct pval *write_out(struct writing *x, const struct pval *v) {
    if (v == NULL)
        return NULL;
    bool is_var = v->kind == PV_VAR;
    const struct pval *set = is_var && x->left > 0 ? set_before(&x->w->shape, v->var) : NULL;
    int axis = is_var && x->moves ? moving_axis(x->w, v->var) : -1;
    x->left--;
    if (set != NULL)
        return write_out(x, set);
    struct pval *copy = NEW(x->uc, struct pval);
    *copy = *v;
    copy->narrow = copy->plain = copy->wide = false;
    if (axis >= 0)
        return combine(x->uc, OP_ADD, DT_INT64, index_value(x->uc, x->w->at[axis]->var), copy);
    for (int i = 0; i < v->nargs; i++)
        copy->args[i] = write_out(x, v->args[i]);
    copy->direct = write_out(x, v->direct);
    return copy;
}

/* The same of a place's subscript or a condition; NULL: it is too long. */
static struct pval *by_indices(struct uc *uc, const struct window *w, const struct pval *v,
                               bool moves) {
    struct writing x = {uc, w, moves, MAX_NODES};
    struct pval *all = write_out(&x, v);
    return x.left > 0 ? all : NULL;
}

/* How v grows with an index of the results and with one of the window; false: not linearly. */
static bool find_growth(const struct shape *m, const struct pval *v, const struct prange *at,
                        const struct prange *in, int growth[2]) {
    int a[2], b[2];
    growth[0] = growth[1] = 0;
    if (is_fixed_in(m, v))
        return v->dtype == DT_INT64;
    if (v->kind == PV_VAR) {
        growth[0] = v->var == at->var;
        growth[1] = v->var == in->var;
        return growth[0] || growth[1];
    }
    bool negative = v->kind == PV_OP && v->op == OP_NEG;
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB && !negative) ||
        !find_growth(m, v->args[0], at, in, a) ||
        (!negative && !find_growth(m, v->args[1], at, in, b)))
        return false;
    for (int i = 0; i < 2; i++)
        growth[i] = negative ? -a[i] : v->op == OP_ADD ? a[i] + b[i] : a[i] - b[i];
    return true;
}

/* ---- filters */

static bool is_bound(enum op op) {
    return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
}

/* Whether the condition v depends on indices only by the subscript of this axis. */
static bool bounds_axis(const struct window *w, const struct pval *v, int axis) {
    const struct prange *at = w->at[axis], *in = w->in[axis];
    int a[2], b[2];
    return find_growth(&w->shape, v->args[0], at, in, a) &&
           find_growth(&w->shape, v->args[1], at, in, b) &&
           (a[0] - b[0]) * w->sign[axis] == a[1] - b[1];
}

static void add_filter(struct uc *uc, struct window *w, int axis, struct pval *v) {
    struct pval *all = w->filter[axis];
    w->filter[axis] = all != NULL ? combine(uc, OP_LAND, DT_BOOL, all, v) : v;
}

static enum walk find_result(const struct pval *v, void *arg) {
    const struct window *w = arg;
    bool at = v->kind == PV_ELEM;
    for (int axis = 0; axis < w->axes; axis++)
        at = at || (v->kind == PV_VAR && v->var == w->at[axis]->var);
    return at ? WALK_STOP : WALK_IN;
}

/* Splits a conjunction into bounds of the axes, and what is the same for all results.  False: some
 * of it is neither. */
static bool take_filter(struct uc *uc, struct window *w, struct pval *v) {
    if (v->kind == PV_OP && v->op == OP_LAND)
        return take_filter(uc, w, v->args[0]) && take_filter(uc, w, v->args[1]);
    for (int axis = 0; axis < w->axes && v->kind == PV_OP && is_bound(v->op); axis++)
        if (bounds_axis(w, v, axis)) {
            add_filter(uc, w, axis, v);
            return true;
        }
    if (!value_walk(v, find_result, w))
        return false;
    w->mask = w->mask != NULL ? combine(uc, OP_LAND, DT_BOOL, w->mask, v) : v;
    return true;
}

/* ---- the places */

/* The value that v is where it is within bounds that depend on no index: v may be its clip, min or
 * max. */
static const struct pval *within_bounds(const struct shape *m, const struct pval *v) {
    bool call = v->kind == PV_CALL && v->dtype == DT_INT64;
    if (call && v->builtin->id == B_CLIP && is_fixed_in(m, v->args[1]) &&
        is_fixed_in(m, v->args[2]))
        return within_bounds(m, v->args[0]);
    if (call && (v->builtin->id == B_MIN || v->builtin->id == B_MAX))
        for (int i = 0; i < 2; i++)
            if (is_fixed_in(m, v->args[i]))
                return within_bounds(m, v->args[1 - i]);
    return v;
}

/* Sets the subscript of x along an axis, and what it is within its bounds.  False: it does not move
 * by one with the results. */
static bool match_subscript(struct uc *uc, struct window *w, int axis) {
    int growth[2];
    struct pval *v = w->subscript[axis] = by_indices(uc, w, w->x->args[axis], true);
    if (v == NULL)
        return false;
    w->moving[axis] = v->direct ? v->direct : within_bounds(&w->shape, v);
    if (!find_growth(&w->shape, w->moving[axis], w->at[axis], w->in[axis], growth) ||
        growth[0] != 1 || (growth[1] != 1 && growth[1] != -1))
        return false;
    w->sign[axis] = growth[1];
    return true;
}

/* Is x's subscript along an axis the index of its window, which then moves with the results? */
static bool is_index_of(struct uc *uc, const struct window *w, int axis) {
    const struct pval *v = by_indices(uc, w, w->x->args[axis], false);
    int growth[2];
    return v != NULL && find_growth(&w->shape, v, w->at[axis], w->in[axis], growth) &&
           growth[0] == 0 && growth[1] == 1;
}

/* Matches w[p, q], at offsets that depend on no index, or no weights at all. */
static bool match_weights(struct uc *uc, struct window *w, const struct pval *v) {
    w->w = v;
    if (v != NULL && (v->nargs != w->axes || dtype_info[v->dtype].bits > MAX_BITS))
        return false;
    for (int axis = 0; v != NULL && axis < w->axes; axis++) {
        int growth[2];
        w->weight[axis] = by_indices(uc, w, v->args[axis], true);
        if (w->weight[axis] == NULL ||
            !find_growth(&w->shape, w->weight[axis], w->at[axis], w->in[axis], growth) ||
            growth[0] != 0 || growth[1] != 1)
            return false;
    }
    return true;
}

/* ---- the ranges */

/* An end of a window, the first of it or what is behind the last: the greatest of several values,
 * or the least. */
struct end {
    enum builtin_id joins;
    struct pval *fixed, *moving; /* that of those which depend on no index, and one that does */
};

/* Adds what v is the greatest, or least, of.  False: there are several that move. */
static bool add_end(struct uc *uc, const struct window *w, int axis, struct pval *v,
                    struct end *end) {
    int growth[2];
    if (is_fixed_in(&w->shape, v)) {
        struct pval *all = v;
        if (end->fixed != NULL) {
            all = NEW(uc, struct pval);
            *all = (struct pval){
                .kind = PV_CALL, .dtype = DT_INT64, .builtin = &builtins[end->joins], .nargs = 2};
            all->args[0] = end->fixed;
            all->args[1] = v;
        }
        end->fixed = all;
        return v->dtype == DT_INT64;
    }
    if (v->kind == PV_CALL && v->dtype == DT_INT64 && v->builtin->id == (int)end->joins)
        return add_end(uc, w, axis, v->args[0], end) && add_end(uc, w, axis, v->args[1], end);
    bool first = end->moving == NULL;
    end->moving = v;
    return first && find_growth(&w->shape, v, w->at[axis], w->in[axis], growth) && growth[1] == 0 &&
           (growth[0] == 1 || !w->moves[axis]);
}

/* Sets the range of a window along an axis, and what bounds it within.  The ends of one that moves
 * are those at the results' index, less this; else ends that move bound x's subscript. */
static bool match_range(struct uc *uc, struct window *w, int axis) {
    const struct prange *r = w->in[axis];
    struct pval *index = index_value(uc, r->var), *at = index_value(uc, w->at[axis]->var);
    struct pval *ends[] = {by_indices(uc, w, r->lo, false), by_indices(uc, w, r->hi, false)};
    struct prange *own = NEW(uc, struct prange);
    bool moves = w->moves[axis];
    *own = *r;
    for (int i = 0; i < 2; i++) {
        struct end end = {.joins = i == 0 ? B_MAX : B_MIN};
        if (ends[i] == NULL || !add_end(uc, w, axis, ends[i], &end))
            return false;
        struct pval *range = moves ? end.moving : end.fixed,
                    *bound = moves ? end.fixed : end.moving;
        if (range == NULL)
            return false;
        *(i == 0 ? &own->lo : &own->hi) = moves ? combine(uc, OP_SUB, DT_INT64, range, at) : range;
        struct pval *place = moves ? combine(uc, OP_ADD, DT_INT64, at, index) : index;
        if (bound == NULL)
            continue;
        bound = i == 0 ? combine(uc, OP_LE, DT_BOOL, bound, place)
                       : combine(uc, OP_LT, DT_BOOL, place, bound);
        if (!bounds_axis(w, bound, axis))
            return false;
        add_filter(uc, w, axis, bound);
    }
    w->in[axis] = own;
    return true;
}

/* Are ranges by ones?  Short windows of a fixed size that do not begin at 0 are unrolled. */
static bool are_counted(const struct prange *r) {
    bool all = constant_points(r) > UNROLLED_POINTS, from_zero = true;
    for (; r != NULL && (r->step->kind == PV_CONST && r->step->i == 1); r = r->next)
        from_zero = from_zero && r->lo->kind == PV_CONST && r->lo->i == 0;
    return r == NULL && (all || from_zero);
}

/* ---- the body */

static enum walk find_uneven(const struct pval *v, void *arg) {
    const struct shape *m = arg;
    const struct pval *set = v->kind == PV_VAR ? set_before(m, v->var) : NULL;
    bool even = set == NULL || set->kind == PV_CONST || is_acc_of(m, v->var);
    return even ? WALK_IN : WALK_STOP;
}

/* Does what is set before the reduction serve its ranges and the results alone, but for where
 * accumulators begin? */
static bool is_even(struct shape *m) {
    for (const struct pstmt *s = m->first; s->kind == PS_SET; s = s->next)
        if (is_acc_of(m, s->var) ? s->value->kind != PV_CONST
                                 : !value_walk(s->value, find_any_element, NULL))
            return false;
    const struct plan_visitor visitor = {.value = find_uneven};
    return plan_walk(m->body, &visitor, m) && plan_walk(m->joined, &visitor, m);
}

static bool match_places(struct uc *uc, struct window *w, const struct pval *x,
                         const struct pval *weights) {
    w->x = x;
    if (x->nargs != w->axes || dtype_info[x->dtype].bits > MAX_BITS)
        return false;
    for (int axis = 0; axis < w->axes; axis++)
        w->moves[axis] = is_index_of(uc, w, axis);
    for (int axis = 0; axis < w->axes; axis++)
        if (!match_subscript(uc, w, axis))
            return false;
    return match_weights(uc, w, weights);
}

const struct window *find_window(struct uc *uc, const struct plan *p) {
    struct window *w = NEW(uc, struct window);
    struct shape *m = &w->shape;
    const struct pval *place[2] = {NULL, NULL};
    if (!match_shape(p, m) || !is_even(m) || !find_places(p, m, place))
        return NULL;
    w->axes = count_ranges(m->at);
    if (w->axes > 2 || count_ranges(m->in) != w->axes || !are_counted(m->in))
        return NULL;
    for (int axis = 0; axis < w->axes; axis++) {
        w->at[axis] = axis == 0 ? m->at : m->at->next;
        w->in[axis] = axis == 0 ? m->in : m->in->next;
    }
    bool matched = match_places(uc, w, place[0], place[1]);
    if (!matched && place[1] != NULL)
        matched = match_places(uc, w, place[1], place[0]);
    for (int axis = 0; matched && axis < w->axes; axis++)
        matched = match_range(uc, w, axis);
    struct pval *filter = matched && m->filter != NULL ? by_indices(uc, w, m->filter, true) : NULL;
    if (!matched || (m->filter != NULL && (filter == NULL || !take_filter(uc, w, filter))))
        return NULL;
    w->zeros = w->w == NULL && keeps_accs(m, NULL, 0);
    return find_shape_sizes(uc, m) ? w : NULL;
}
