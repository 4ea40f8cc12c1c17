/* inside.c: neighbouring points of a definition that are inside: there no index is compared with
 * what it may be at an edge alone, and clip, min, max and % leave the subscripts as they are.  The
 * code for them has no such tests, and what neighbours load is seen to be the same. */
#include "gufunc.h"

enum { MAX_SETTLED = 32, MAX_WITHIN = 4, MAX_TABLED = 16 };

/* a <= b, or a < b, at all points that are inside. */
struct order {
    const struct pval *a, *b;
    bool strictly;
};

struct inside {
    struct gen *g;
    const struct prange *at;             /* the definition's ranges */
    const struct prange *along;          /* conditions are on its index; NULL: on any */
    const struct prange *in[MAX_WITHIN]; /* ranges of constant lengths of reductions within, and of
                                            loops */
    int nin;
    struct settled settled[MAX_SETTLED + 1]; /* ends with one without a value */
    int n;
    struct order order[2 * MAX_SETTLED];
    int norders;
};

/* ---- what is settled */

static const struct prange *range_of(const struct prange *r, const struct pvar *var) {
    while (r != NULL && r->var != var)
        r = r->next;
    return r;
}

static bool is_within(const struct inside *x, const struct pvar *var) {
    for (int i = 0; i < x->nin; i++)
        if (x->in[i]->var == var)
            return true;
    return false;
}

/* Stops at what is neither a number nor an index of a reduction within. */
static enum walk find_not_within(const struct pval *v, void *arg) {
    bool within = v->kind == PV_VAR && is_within(arg, v->var);
    return within || v->kind == PV_CONST || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

/* Is it an element of a table that is known where the indices of reductions within are? */
static bool is_tabled(const struct inside *x, const struct pval *v) {
    bool known = v->kind == PV_TABLE;
    for (int i = 0; i < v->nargs && known; i++)
        known = value_walk(v->args[i], find_not_within, (void *)x);
    return known;
}

/* Stops at what is neither a size nor a number nor one of the indices. */
static enum walk find_other(const struct pval *v, void *arg) {
    const struct inside *x = arg;
    bool index = v->kind == PV_VAR && (range_of(x->at, v->var) != NULL || is_within(x, v->var));
    bool known = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP || is_tabled(x, v);
    return v->dtype == DT_INT64 && (index || known) ? WALK_IN : WALK_STOP;
}

static enum walk find_index(const struct pval *v, void *arg) {
    (void)arg;
    return v->kind == PV_VAR ? WALK_STOP : WALK_IN;
}

static bool has_index(const struct pval *v) {
    return !value_walk(v, find_index, NULL);
}

static int64_t points_of(const struct prange *r) {
    int64_t lo = (int64_t)r->lo->i, step = (int64_t)r->step->i;
    return ((int64_t)r->hi->i - lo + step - 1) / step;
}

/* Does a value, of int64, grow evenly with all indices?  It need not with those of few values. */
static bool is_even(const struct inside *x, const struct pval *v) {
    int by;
    int64_t points = 1;
    bool even = value_walk(v, find_other, (void *)x);
    for (const struct prange *r = x->at; r != NULL; r = r->next)
        even = even && value_grows(v, r->var, &by);
    for (int i = 0; i < x->nin && even; i++) {
        points *= value_grows(v, x->in[i]->var, &by) ? 1 : points_of(x->in[i]);
        even = points <= MAX_TABLED;
    }
    return even;
}

static bool grows_along(const struct pval *a, const struct pval *b, const struct prange *r) {
    int by, other;
    return value_grows(a, r->var, &by) && value_grows(b, r->var, &other) && by != other;
}

/* Does the difference of a and b depend on the point?  What depends on reductions' indices alone
 * is known where these are. */
static bool differs_by_point(const struct inside *x, const struct pval *a, const struct pval *b) {
    const struct prange *r = x->at;
    while (r != NULL && !grows_along(a, b, r))
        r = r->next;
    return r != NULL;
}

/* Adds a condition.  False: it is of no such values. */
static bool add_order(struct inside *x, const struct pval *a, const struct pval *b, bool strictly) {
    if (!is_even(x, a) || !is_even(x, b) ||
        !(x->along != NULL ? grows_along(a, b, x->along) : differs_by_point(x, a, b)))
        return false;
    x->order[x->norders++] = (struct order){a, b, strictly};
    return true;
}

static void settle(struct inside *x, const struct pval *v, bool truth, const struct pval *same) {
    LLVMValueRef is = LLVMConstInt(i1_type(x->g), truth, false);
    x->settled[x->n++] =
        (struct settled){.value = v, .truth = same == NULL ? is : NULL, .same = same};
}

static bool grows_down(const struct inside *x, const struct pval *v) {
    int by = 0;
    for (const struct prange *r = x->at; r != NULL && by == 0; r = r->next)
        value_grows(v, r->var, &by);
    return by < 0;
}

/* Adds a comparison of what has an index with what has none.  Inside, an index is above a number
 * and below a size. */
static void add_comparison(struct inside *x, const struct pval *v) {
    bool second = !has_index(v->args[0]);
    const struct pval *index = v->args[second], *bound = v->args[!second];
    if (!has_index(index) || has_index(bound))
        return;
    enum op op = second ? mirrored_op(v->op) : v->op;
    bool above = (bound->kind == PV_CONST) != grows_down(x, index);
    bool truth = op == OP_NE || (above ? op == OP_GT || op == OP_GE : op == OP_LT || op == OP_LE);
    bool strictly = op == OP_EQ || op == OP_NE || op == (above ? OP_GT : OP_LT) ||
                    op == (above ? OP_LE : OP_GE);
    if (add_order(x, above ? bound : index, above ? index : bound, strictly))
        settle(x, v, truth, NULL);
}

/* Adds a min or a max, where it is the argument that has an index. */
static void add_extreme(struct inside *x, const struct pval *v) {
    bool least = v->builtin->id == B_MIN, second = !has_index(v->args[0]);
    const struct pval *same = v->args[second], *bound = v->args[!second];
    if (has_index(same) && !has_index(bound) &&
        add_order(x, least ? same : bound, least ? bound : same, false))
        settle(x, v, true, same);
}

static const struct pval zero = {.kind = PV_CONST, .dtype = DT_INT64};

static enum walk add_value(const struct pval *v, void *arg) {
    struct inside *x = arg;
    bool call = v->kind == PV_CALL && v->dtype == DT_INT64;
    int before = x->norders;
    for (int i = 0; i < x->n; i++)
        if (same_value(x->settled[i].value, v))
            return WALK_PAST;
    if (x->n == MAX_SETTLED)
        return WALK_STOP;
    if (v->kind == PV_OP && op_info[v->op].kind == OPS_COMPARE && v->args[0]->dtype == DT_INT64)
        add_comparison(x, v);
    if (v->kind == PV_OP && v->direct != NULL) {
        if (add_order(x, &zero, v->direct, false) && add_order(x, v->direct, v->args[1], true))
            settle(x, v, true, v->direct);
        else
            x->norders = before;
    }
    if (call && (v->builtin->id == B_MIN || v->builtin->id == B_MAX))
        add_extreme(x, v);
    if (call && v->builtin->id == B_CLIP && has_index(v->args[0]) && !has_index(v->args[1]) &&
        !has_index(v->args[2])) {
        if (add_order(x, v->args[1], v->args[0], false) &&
            add_order(x, v->args[0], v->args[2], false))
            settle(x, v, true, v->args[0]);
        else
            x->norders = before;
    }
    return WALK_IN;
}

static bool is_constant(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->hi->kind == PV_CONST && r->step->kind == PV_CONST &&
           (int64_t)r->step->i > 0 && (int64_t)r->lo->i < (int64_t)r->hi->i;
}

static const struct prange *range_of_loop(struct gen *g, const struct pstmt *loop) {
    struct prange *r = NEW(g->uc, struct prange);
    *r = (struct prange){.var = loop->var, .lo = loop->lo, .hi = loop->hi, .step = loop->step};
    return r;
}

static enum walk add_ranges(const struct pstmt *s, void *arg) {
    struct inside *x = arg;
    const struct prange *ranges = s->kind == PS_FOR ? range_of_loop(x->g, s) : s->ranges;
    for (const struct prange *r = ranges; r != NULL; r = r->next)
        if (x->nin < MAX_WITHIN && is_constant(r))
            x->in[x->nin++] = r;
    return WALK_IN;
}

static enum walk add_guards(const struct pstmt *s, void *arg) {
    struct inside *x = arg;
    stmt_values(s, add_value, x);
    return WALK_IN;
}

/* ---- where it is */

static LLVMValueRef end_of(struct gen *g, const struct prange *r, bool last) {
    int64_t lo = (int64_t)r->lo->i, step = (int64_t)r->step->i;
    return i64(g, (uint64_t)(last ? lo + (points_of(r) - 1) * step : lo));
}

/* i1: the order holds wherever the indices within are from number i on. */
static LLVMValueRef holds_within(const struct inside *x, const struct order *o, int i) {
    struct gen *g = x->g;
    if (i == x->nin) {
        LLVMValueRef a = gen_value(g, o->a), b = gen_value(g, o->b);
        return compare(g, o->strictly ? LLVMIntSLT : LLVMIntSLE, a, b);
    }
    const struct prange *r = x->in[i];
    struct gen_var *var = var_of(g, r->var);
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    int a, b;
    if (value_grows(o->a, r->var, &a) && value_grows(o->b, r->var, &b)) {
        var->known = end_of(g, r, a > b);
        all = holds_within(x, o, i + 1);
    } else
        for (int64_t k = 0; k < points_of(r); k++) {
            var->known = i64(g, (uint64_t)((int64_t)r->lo->i + k * (int64_t)r->step->i));
            all = both(g, all, holds_within(x, o, i + 1));
        }
    var->known = NULL;
    return all;
}

/* i1: the order holds where the index of `walked` is from `first` to `last`, wherever those within
 * are. */
static LLVMValueRef holds(const struct inside *x, const struct order *o,
                          const struct prange *walked, LLVMValueRef first, LLVMValueRef last) {
    struct gen_var *var = var_of(x->g, walked->var);
    int a, b;
    value_grows(o->a, walked->var, &a);
    value_grows(o->b, walked->var, &b);
    var->known = a > b ? last : first;
    LLVMValueRef all = holds_within(x, o, 0);
    var->known = NULL;
    return all;
}

static struct inside *find_conditions(struct gen *g, const struct pstmt *s,
                                      const struct prange *along) {
    struct inside *x = NEW(g->uc, struct inside);
    x->g = g;
    x->at = s->ranges;
    x->along = along;
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_ranges}, x);
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_guards}, x);
    return x->n > 0 ? x : NULL;
}

/* Comparisons that x settles. */
static int comparisons(const struct inside *x) {
    int n = 0;
    for (int i = 0; x != NULL && i < x->n; i++)
        n += x->settled[i].same == NULL;
    return n;
}

struct inside *find_inside(struct gen *g, const struct pstmt *s, const struct prange *walked) {
    struct inside *all = find_conditions(g, s, NULL), *along = find_conditions(g, s, walked);
    return comparisons(all) > comparisons(along) ? all : along;
}

const struct settled *settled_inside(const struct inside *x) {
    return x->settled;
}

LLVMValueRef are_inside(const struct inside *x, const struct prange *walked, LLVMValueRef first,
                        LLVMValueRef last) {
    LLVMValueRef all = LLVMConstInt(i1_type(x->g), 1, false);
    for (int i = 0; i < x->norders; i++)
        all = both(x->g, all, holds(x, &x->order[i], walked, first, last));
    return all;
}
