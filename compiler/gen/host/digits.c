/* digits.c: points whose subscripts or values are made of digits of the row's index:
 *
 *     y[i, j] = x[i // 2, j // 2] for i, j
 *
 * After so many points, a period, a value of quotients and remainders by constants repeats, but for
 * what all of it grows by: each of the period's vectors has code of its own, in which the lanes'
 * values are at known distances. */
#include "gufunc.h"

enum {
    MOST_VECTORS = 8,      /* of a period */
    MOST_COPIED = 512,     /* statements and values of its vectors */
    MOST_FACTOR = 1 << 16, /* constants */
    MOST_APART = 1 << 24,
};

/* ---- what the body sets */

static enum walk note_set(const struct pstmt *s, void *arg) {
    if (s->kind == PS_SET)
        ((int *)arg)[s->var->id]++;
    return s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF || s->kind == PS_STORE
               ? WALK_IN
               : WALK_STOP;
}

/* Stops at a variable that the body sets elsewhere, or has not set yet. */
static enum walk find_other(const struct pval *v, void *arg) {
    const struct body_sets *x = arg;
    return v->kind == PV_VAR && x->times[v->var->id] > 0 && x->only[v->var->id] == NULL ? WALK_STOP
                                                                                        : WALK_IN;
}

bool points_find_sets(struct gen *g, const struct pstmt *body, struct body_sets *x) {
    x->times = NEWN(g->uc, int, g->plan->nvars);
    x->only = NEWN(g->uc, const struct pval *, g->plan->nvars);
    if (!plan_walk(body, &(struct plan_visitor){.stmt = note_set}, x->times))
        return false;
    for (const struct pstmt *s = body; s != NULL; s = s->next)
        if (s->kind == PS_SET && x->times[s->var->id] == 1 && value_walk(s->value, find_other, x))
            x->only[s->var->id] = s->value;
    return true;
}

/* ---- values */

struct search {
    struct gen *g;
    struct digits *digits;
    struct body_sets sets;
    int size; /* statements and values of the body */
};

/* A value where the index is x of a period, of `length` points, that is number n: at + n * grows.
 */
struct digit {
    int64_t at, grows;
    bool is_constant; /* it is made of constants alone */
};

static int64_t floor_quotient(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static bool divides(const struct pval *v) {
    return v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD);
}

/* False: it does not repeat. */
static bool find_digit(const struct search *f, const struct pval *v, int64_t x, int64_t length,
                       struct digit *d) {
    *d = (struct digit){(int64_t)v->i, 0, true};
    if (v->dtype != DT_INT64)
        return false;
    if (v->kind == PV_CONST)
        return d->at > -MOST_FACTOR && d->at < MOST_FACTOR;
    *d = (struct digit){x, length, false};
    if (v->kind == PV_VAR)
        return v->var == f->g->lane_var || (f->sets.only[v->var->id] != NULL &&
                                            find_digit(f, f->sets.only[v->var->id], x, length, d));
    struct digit a, b;
    if (v->kind != PV_OP || v->nargs != 2 || !find_digit(f, v->args[0], x, length, &a) ||
        !find_digit(f, v->args[1], x, length, &b))
        return false;
    bool both = a.is_constant && b.is_constant;
    int64_t q;
    switch (v->op) {
    case OP_ADD: *d = (struct digit){a.at + b.at, a.grows + b.grows, both}; break;
    case OP_SUB: *d = (struct digit){a.at - b.at, a.grows - b.grows, both}; break;
    case OP_MUL: /* of others the growth is another one at each point */
        if (!a.is_constant && !b.is_constant)
            return false;
        *d = (struct digit){a.at * b.at, a.grows * b.at + b.grows * a.at, both};
        break;
    case OP_FLOORDIV:
    case OP_MOD:
        if (!b.is_constant || b.at <= 0 || a.grows % b.at != 0)
            return false;
        q = floor_quotient(a.at, b.at);
        *d = v->op == OP_MOD ? (struct digit){a.at - q * b.at, 0, both}
                             : (struct digit){q, a.grows / b.at, both};
        break;
    default: return false;
    }
    return d->at > -MOST_APART && d->at < MOST_APART && d->grows > -MOST_APART &&
           d->grows < MOST_APART;
}

static enum walk find_division(const struct pval *v, void *arg) {
    const struct search *f = arg;
    const struct pval *set = v->kind == PV_VAR ? f->sets.only[v->var->id] : NULL;
    return divides(v) || (set != NULL && !value_walk(set, find_division, arg)) ? WALK_STOP
                                                                               : WALK_IN;
}

/* Is v made of the index and constants, with a quotient or remainder in it? */
static bool is_of_index(struct search *f, const struct pval *v) {
    struct digit d;
    return (v->kind == PV_OP || v->kind == PV_VAR) && find_digit(f, v, 0, 0, &d) &&
           !value_walk(v, find_division, f);
}

static enum walk note_value(const struct pval *v, void *arg) {
    struct search *f = arg;
    struct digits *d = f->digits;
    f->size++;
    if (!gen_varies(f->g, v))
        return WALK_PAST;
    if (!is_of_index(f, v))
        return WALK_IN;
    for (int i = 0; i < d->n; i++)
        if (same_value(d->value[i], v))
            return WALK_PAST;
    if (d->n == MAX_DIGITS)
        return WALK_STOP;
    d->value[d->n++] = v;
    return WALK_PAST;
}

static enum walk count_statement(const struct pstmt *s, void *arg) {
    (void)s;
    ((struct search *)arg)->size++;
    return WALK_IN;
}

/* Sets what value i is at the points of a period, and grows by; false: it does not repeat. */
static bool set_period(const struct search *f, int i, int length) {
    struct digits *d = f->digits;
    d->at[i] = NEWN(f->g->uc, int, length);
    for (int x = 0; x < length; x++) {
        struct digit digit;
        if (!find_digit(f, d->value[i], x, length, &digit))
            return false;
        d->at[i][x] = (int)digit.at;
        d->grows[i] = digit.grows;
    }
    return true;
}

bool points_repeat(const struct gen *g, const struct spread_fn *p) {
    const struct prange *last = p->range[p->n - 1];
    return last->step->kind == PV_CONST && last->step->i == 1 && p->s->accs == NULL &&
           !p->s->ordered && g->rows == NULL && g->vector_lanes > 1;
}

void digits_find(struct gen *g, const struct spread_fn *p, struct digits *d) {
    struct search f = {.g = g, .digits = d};
    const struct plan_visitor visitor = {.stmt = count_statement, .value = note_value};
    d->n = d->vectors = 0;
    if (!points_repeat(g, p) || !points_find_sets(g, p->s->body, &f.sets) ||
        !plan_walk(p->s->body, &visitor, &f) || d->n == 0)
        return;
    for (int n = 1; n <= MOST_VECTORS && n * f.size <= MOST_COPIED; n++) {
        int i = 0;
        while (i < d->n && set_period(&f, i, n * g->vector_lanes))
            i++;
        if (i == d->n) {
            d->vectors = n;
            return;
        }
    }
}

const struct settled *digits_settle(struct gen *g, const struct digits *d, int vector,
                                    LLVMValueRef number) {
    struct settled *list = NEWN(g->uc, struct settled, d->n + 1);
    for (int i = 0; i < d->n; i++) {
        const int *at = d->at[i] + vector * g->vector_lanes;
        int *apart = NEWN(g->uc, int, g->vector_lanes);
        for (int lane = 0; lane < g->vector_lanes; lane++)
            apart[lane] = at[lane] - at[0];
        LLVMValueRef grown = multiply(g, number, i64(g, (uint64_t)d->grows[i]));
        list[i].value = d->value[i];
        list[i].apart = apart;
        list[i].first = add(g, grown, i64(g, (uint64_t)(int64_t)at[0]));
    }
    return list;
}

/* ---- points */

/* The periods of the points from `first` to `end`. */
static void gen_periods(struct gen *g, const struct spread_fn *p, const struct digits *d,
                        LLVMValueRef first, LLVMValueRef end) {
    struct loop l;
    LLVMValueRef length = i64(g, (uint64_t)(d->vectors * g->vector_lanes));
    LLVMValueRef index = add(g, p->lo[p->n - 1], first);
    LLVMValueRef begin[] = {first, LLVMBuildExactSDiv(g->b, index, length, "")};
    loop_begin(g, &l, 2, begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    for (int k = 0; k < d->vectors; k++) {
        g->settled = digits_settle(g, d, k, l.phi[1]);
        points_vector(g, p, add(g, l.phi[0], i64(g, (uint64_t)(k * g->vector_lanes))), NULL);
        g->settled = NULL;
    }
    LLVMValueRef next[] = {add(g, l.phi[0], length), add(g, l.phi[1], i64(g, 1))};
    loop_end(g, &l, next);
}

LLVMValueRef digits_points(struct gen *g, const struct spread_fn *p, const struct digits *d,
                           LLVMValueRef first, LLVMValueRef last) {
    struct loop l;
    LLVMValueRef length = i64(g, (uint64_t)(d->vectors * g->vector_lanes)), zero = i64(g, 0);
    LLVMValueRef before = subtract(g, zero, add(g, p->lo[p->n - 1], first));
    LLVMValueRef rest = LLVMBuildSRem(g->b, before, length, "");
    rest = gen_select(g, compare(g, LLVMIntSLT, rest, zero), add(g, rest, length), rest);
    LLVMValueRef begin = least(g, add(g, first, rest), last), all = subtract(g, last, begin);
    LLVMValueRef end = subtract(g, last, LLVMBuildURem(g->b, all, length, ""));
    gen_periods(g, p, d, begin, end);
    LLVMValueRef at = gen_select(g, compare(g, LLVMIntEQ, first, begin), end, first);
    loop_begin(g, &l, 1, &at); /* those before and behind the periods */
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    l.keep = true;
    LLVMValueRef to = gen_select(g, compare(g, LLVMIntSLT, l.phi[0], begin), begin, last);
    points_vector(g, p, l.phi[0], subtract(g, to, l.phi[0]));
    LLVMValueRef next = least(g, add(g, l.phi[0], i64(g, (uint64_t)g->vector_lanes)), to);
    next = gen_select(g, compare(g, LLVMIntEQ, next, begin), end, next);
    loop_end(g, &l, &next);
    return last;
}
