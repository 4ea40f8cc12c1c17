/* index.c: arithmetic on indices that costs less: remainders of an index that is at most one
 * size away from its range need no division, and what fits 32 bits wherever sizes do need not be
 * computed in 64. */
#include "linear.h"

/* What is known of an int64 variable. */
struct fact {
    int sets;                          /* statements and loops that set it */
    const struct pval *value;          /* what is assigned where there is one such statement */
    const struct pval *lo, *hi, *step; /* of the loop whose index it is; else NULL */
    enum { UNKNOWN, OPEN, FOUND } state;
    int64_t least, greatest; /* where FOUND */
};

struct indices {
    struct uc *uc;
    struct fact *vars; /* by id */
};

struct interval {
    int64_t least, greatest; /* INT64_MIN and INT64_MAX: it may be anything */
};

static const struct interval anything = {INT64_MIN, INT64_MAX};

static bool is_number(const struct pval *v) {
    return v->kind == PV_CONST && v->dtype == DT_INT64;
}

/* ---- facts */

static void set_index(struct indices *x, const struct pvar *var, const struct pval *lo,
                      const struct pval *hi, const struct pval *step) {
    struct fact *f = &x->vars[var->id];
    f->sets++;
    f->lo = lo;
    f->hi = hi;
    f->step = step;
}

static enum walk note_sets(const struct pstmt *s, void *arg) {
    struct indices *x = arg;
    if (s->kind == PS_SET) {
        x->vars[s->var->id].sets++;
        x->vars[s->var->id].value = s->value;
    }
    if (s->kind == PS_FOR)
        set_index(x, s->var, s->lo, s->hi, s->step);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        set_index(x, r->var, r->lo, r->hi, r->step);
    return WALK_IN;
}

/* ---- tables */

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Of all elements of a table of int64s. */
static struct interval table_of(const struct array *table) {
    struct interval r = {(int64_t)table->values[0].i, (int64_t)table->values[0].i};
    int64_t n = 1;
    for (int i = 0; i < table->rank; i++)
        n *= table->dims[i]->size;
    for (int64_t i = 1; i < n; i++) {
        r.least = smaller(r.least, (int64_t)table->values[i].i);
        r.greatest = larger(r.greatest, (int64_t)table->values[i].i);
    }
    return r;
}

static bool fits_word(struct interval r) {
    return r.least >= INT32_MIN && r.greatest <= INT32_MAX;
}

bool is_of_small_table(const struct pval *v) {
    return v->kind == PV_TABLE && v->dtype == DT_INT64 && fits_word(table_of(v->table));
}

/* ---- remainders */

enum { MAX_LEAVES = 8, MAX_VISITS = 64 };

/* A sum: a number, and leaves with signs. */
struct sum {
    struct indices *x;
    int64_t number;
    int n, visits;
    struct pval *leaf[MAX_LEAVES];
    bool minus[MAX_LEAVES];
};

static bool is_loop_index(const struct indices *x, const struct pval *v) {
    return v->kind == PV_VAR && x->vars[v->var->id].sets == 1 && x->vars[v->var->id].lo != NULL;
}

/* Can v be one of a sum's leaves: a size, a loop's index, a number of a table? */
static bool is_leaf(const struct indices *x, const struct pval *v) {
    return v->kind == PV_DIM || is_loop_index(x, v) || is_of_small_table(v);
}

/* Adds v to the sum.  False: it has other leaves, or too many. */
static bool add_leaves(struct sum *to, struct pval *v, bool minus) {
    if (++to->visits > MAX_VISITS)
        return false;
    if (is_number(v)) {
        int64_t n = (int64_t)v->i;
        bool small = n >= INT32_MIN && n <= INT32_MAX;
        to->number += !small ? 0 : minus ? -n : n;
        return small;
    }
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB))
        return add_leaves(to, v->args[0], minus) &&
               add_leaves(to, v->args[1], minus != (v->op == OP_SUB));
    if (v->kind == PV_VAR && to->x->vars[v->var->id].sets == 1 &&
        to->x->vars[v->var->id].value != NULL && v->dtype == DT_INT64)
        return add_leaves(to, (struct pval *)to->x->vars[v->var->id].value, minus);
    if (to->n == MAX_LEAVES || !is_leaf(to->x, v))
        return false;
    to->leaf[to->n] = v;
    to->minus[to->n++] = minus;
    return true;
}

static void remove_leaf(struct sum *s, int i) {
    s->n--;
    s->leaf[i] = s->leaf[s->n];
    s->minus[i] = s->minus[s->n];
}

/* Is v a loop's index from 0, or more, to below n? */
static bool is_below(const struct indices *x, const struct pval *v, const struct pval *n) {
    if (!is_loop_index(x, v))
        return false;
    const struct fact *f = &x->vars[v->var->id];
    return is_number(f->lo) && (int64_t)f->lo->i >= 0 && is_number(f->step) &&
           (int64_t)f->step->i > 0 && same_value(f->hi, n);
}

static struct pval *sum_value(const struct sum *s) {
    struct pval *v = s->number == 0 && !s->minus[0] ? s->leaf[0] : plan_number(s->x->uc, s->number);
    for (int i = v == s->leaf[0]; i < s->n; i++)
        v = plan_operation(s->x->uc, s->minus[i] ? OP_SUB : OP_ADD, DT_INT64, v, s->leaf[i]);
    return v;
}

/* Makes of (i + rest) % n, where i is below n, the i + rest % n - n that is from -n to below n: n
 * is added to it where it is negative.  The rest, of numbers and sizes and the indices of inner
 * loops, is the same at many points. */
static void reduce_remainder(struct indices *x, struct pval *v) {
    struct sum s = {.x = x};
    struct pval *n = v->args[1], *index = NULL;
    if (n->kind != PV_DIM || !add_leaves(&s, v->args[0], false))
        return;
    for (int i = s.n; i-- > 0;)
        if (same_value(s.leaf[i], n))
            remove_leaf(&s, i);
        else if (index == NULL && !s.minus[i] && is_below(x, s.leaf[i], n)) {
            index = s.leaf[i];
            remove_leaf(&s, i);
        }
    if (index == NULL)
        return;
    if (s.n == 0 && s.number == 0) {
        *v = *index;
        return;
    }
    struct pval *sum = sum_value(&s), *rest = plan_operation(x->uc, OP_MOD, DT_INT64, sum, n);
    struct pval *direct = plan_operation(x->uc, OP_ADD, DT_INT64, index, sum);
    if (s.number == 0 && s.n == 1 && !s.minus[0] && is_below(x, s.leaf[0], n))
        rest = s.leaf[0];
    v->args[0] = plan_operation(x->uc, OP_ADD, DT_INT64, index,
                                plan_operation(x->uc, OP_SUB, DT_INT64, rest, n));
    v->direct = direct;
}

static void reduce_value(struct indices *x, struct pval *v) {
    for (int i = 0; v != NULL && i < v->nargs; i++)
        reduce_value(x, v->args[i]);
    if (v != NULL && v->kind == PV_OP && v->op == OP_MOD && v->dtype == DT_INT64 &&
        v->direct == NULL)
        reduce_remainder(x, v);
}

/* ---- intervals */

static struct interval interval_of(struct indices *x, struct pval *v);

static struct interval sum_of(struct interval a, struct interval b, bool minus) {
    struct interval r;
    bool wraps = minus ? __builtin_sub_overflow(a.least, b.greatest, &r.least) ||
                             __builtin_sub_overflow(a.greatest, b.least, &r.greatest)
                       : __builtin_add_overflow(a.least, b.least, &r.least) ||
                             __builtin_add_overflow(a.greatest, b.greatest, &r.greatest);
    return wraps ? anything : r;
}

static struct interval product_of(struct interval a, struct interval b) {
    int64_t ends[4];
    bool wraps = __builtin_mul_overflow(a.least, b.least, &ends[0]) ||
                 __builtin_mul_overflow(a.least, b.greatest, &ends[1]) ||
                 __builtin_mul_overflow(a.greatest, b.least, &ends[2]) ||
                 __builtin_mul_overflow(a.greatest, b.greatest, &ends[3]);
    if (wraps)
        return anything;
    return (struct interval){smaller(smaller(ends[0], ends[1]), smaller(ends[2], ends[3])),
                             larger(larger(ends[0], ends[1]), larger(ends[2], ends[3]))};
}

/* a // b or a % b; by 0 both are 0. */
static struct interval division_of(enum op op, struct interval a, struct interval b) {
    if (b.least < 0)
        return anything;
    if (op == OP_MOD) {
        int64_t most = larger(b.greatest - 1, 0);
        return (struct interval){0, a.least >= 0 ? smaller(a.greatest, most) : most};
    }
    return (struct interval){smaller(a.least, 0), larger(a.greatest / larger(b.least, 1), 0)};
}

/* All numbers of as many bits as the greatest one, from 0 on; of numbers below 0, any word. */
static struct interval bits_of(struct interval a, struct interval b) {
    int64_t most = larger(a.greatest, b.greatest);
    if (!fits_word(a) || !fits_word(b))
        return anything;
    if (a.least < 0 || b.least < 0)
        return (struct interval){INT32_MIN, INT32_MAX};
    return (struct interval){
        0, most > 0 ? (INT64_C(2) << (63 - __builtin_clzll((uint64_t)most))) - 1 : 0};
}

static bool is_word_shift(struct interval by) {
    return by.least >= 0 && by.greatest < 32;
}

static struct interval shift_of(enum op op, struct interval a, struct interval by) {
    if (!is_word_shift(by) || !fits_word(a))
        return anything;
    if (op == OP_SHL)
        return product_of(a, (struct interval){INT64_C(1) << by.least, INT64_C(1) << by.greatest});
    return (struct interval){a.least >> (a.least < 0 ? by.least : by.greatest),
                             a.greatest >> (a.greatest < 0 ? by.greatest : by.least)};
}

static struct interval operation_of(const struct pval *v, const struct interval *arg) {
    switch (v->op) {
    case OP_ADD:
    case OP_SUB: return sum_of(arg[0], arg[1], v->op == OP_SUB);
    case OP_NEG: return sum_of((struct interval){0, 0}, arg[0], true);
    case OP_POS: return arg[0];
    case OP_MUL: return product_of(arg[0], arg[1]);
    case OP_MOD:
    case OP_FLOORDIV: return division_of(v->op, arg[0], arg[1]);
    case OP_AND:
        if (arg[0].least >= 0 || arg[1].least >= 0)
            return (struct interval){0, arg[0].least < 0 ? arg[1].greatest
                                        : arg[1].least < 0
                                            ? arg[0].greatest
                                            : smaller(arg[0].greatest, arg[1].greatest)};
        return bits_of(arg[0], arg[1]);
    case OP_OR:
    case OP_XOR: return bits_of(arg[0], arg[1]);
    case OP_SHL:
    case OP_SHR: return shift_of(v->op, arg[0], arg[1]);
    default: return anything;
    }
}

static struct interval least_of(struct interval a, struct interval b) {
    return (struct interval){smaller(a.least, b.least), smaller(a.greatest, b.greatest)};
}

static struct interval greatest_of(struct interval a, struct interval b) {
    return (struct interval){larger(a.least, b.least), larger(a.greatest, b.greatest)};
}

static struct interval call_of(const struct pval *v, const struct interval *arg) {
    switch (v->builtin->id) {
    case B_MIN: return least_of(arg[0], arg[1]);
    case B_MAX: return greatest_of(arg[0], arg[1]);
    case B_CLIP: return least_of(greatest_of(arg[0], arg[1]), arg[2]);
    default: return anything;
    }
}

static struct interval variable_of(struct indices *x, const struct pvar *var) {
    struct fact *f = &x->vars[var->id];
    if (f->sets != 1 || f->state == OPEN)
        return anything;
    if (f->state == FOUND)
        return (struct interval){f->least, f->greatest};
    struct interval r = anything;
    f->state = OPEN;
    if (f->value != NULL)
        r = interval_of(x, (struct pval *)f->value);
    else if (is_number(f->step)) {
        struct interval lo = interval_of(x, (struct pval *)f->lo);
        struct interval hi = interval_of(x, (struct pval *)f->hi);
        if ((int64_t)f->step->i > 0)
            r = (struct interval){lo.least, larger(hi.greatest, INT64_MIN + 1) - 1};
        else
            r = (struct interval){smaller(hi.least, INT64_MAX - 1) + 1, lo.greatest};
        if (r.least > r.greatest) /* the loop has no iterations */
            r = anything;
    }
    f->least = r.least;
    f->greatest = r.greatest;
    f->state = FOUND;
    return r;
}

static bool is_shift(const struct pval *v) {
    return v->kind == PV_OP && (v->op == OP_SHL || v->op == OP_SHR);
}

/* Can code for 32 bits compute v? */
static bool has_short_form(const struct pval *v) {
    if (v->nargs == 0 || v->args[0]->dtype != DT_INT64)
        return false;
    if (v->kind == PV_CALL)
        return v->builtin->id == B_MIN || v->builtin->id == B_MAX || v->builtin->id == B_CLIP;
    return v->kind == PV_CAST ||
           (v->kind == PV_OP &&
            (op_info[v->op].kind == OPS_COMPARE || v->op == OP_ADD || v->op == OP_SUB ||
             v->op == OP_MUL || v->op == OP_NEG || v->op == OP_MOD || v->op == OP_FLOORDIV ||
             v->op == OP_AND || v->op == OP_OR || v->op == OP_XOR || is_shift(v)));
}

/* The interval of v where sizes fit 32 bits; sets `narrow` of v and of the values inside it. */
static struct interval interval_of(struct indices *x, struct pval *v) {
    struct interval arg[MAX_CORE_RANK], r = anything;
    bool narrow = has_short_form(v), plain = true;
    for (int i = 0; i < v->nargs; i++) {
        arg[i] = interval_of(x, v->args[i]);
        narrow = narrow && fits_word(arg[i]);
        plain = plain && arg[i].least >= 0;
    }
    narrow = narrow && (!is_shift(v) || is_word_shift(arg[1]));
    if (v->direct != NULL) { /* which says more of the sum than its terms do */
        struct pval *sum = v->args[0];
        arg[0] = (struct interval){-UFC_NARROW_SIZE, UFC_NARROW_SIZE};
        sum->narrow = narrow =
            fits_word(interval_of(x, sum->args[0])) && fits_word(interval_of(x, sum->args[1]));
        interval_of(x, v->direct);
    }
    if (v->dtype == DT_INT64)
        switch (v->kind) {
        case PV_CONST: r = (struct interval){(int64_t)v->i, (int64_t)v->i}; break;
        case PV_DIM: r = (struct interval){0, UFC_NARROW_SIZE}; break;
        case PV_VAR: r = variable_of(x, v->var); break;
        case PV_OP: r = operation_of(v, arg); break;
        case PV_CALL: r = call_of(v, arg); break;
        case PV_CAST: r = v->args[0]->dtype == DT_INT64 ? arg[0] : r; break;
        case PV_TABLE: r = table_of(v->table); break;
        case PV_SELECT:
            r = (struct interval){smaller(arg[1].least, arg[2].least),
                                  larger(arg[1].greatest, arg[2].greatest)};
            break;
        default: break;
        }
    v->narrow = narrow && (v->dtype != DT_INT64 || fits_word(r));
    v->plain = plain;
    v->wide = narrow && !v->narrow && v->kind == PV_OP && v->op == OP_MUL;
    return r;
}

/* ---- all values */

static void visit_value(struct indices *x, struct pval *v, bool intervals) {
    if (v == NULL)
        return;
    if (intervals)
        interval_of(x, v);
    else
        reduce_value(x, v);
}

static void visit_values(struct indices *x, struct pstmt *s, bool intervals) {
    for (; s != NULL; s = s->next) {
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            visit_value(x, *values[i], intervals);
        for (struct prange *r = s->ranges; r != NULL; r = r->next) {
            visit_value(x, r->lo, intervals);
            visit_value(x, r->hi, intervals);
            visit_value(x, r->step, intervals);
        }
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            visit_values(x, *lists[i], intervals);
    }
}

void simplify_indices(struct uc *uc, struct plan *p) {
    struct indices x = {uc, NEWN(uc, struct fact, p->nvars)};
    plan_walk(p->body, &(struct plan_visitor){.stmt = note_sets, .joined = true}, &x);
    visit_values(&x, p->body, false);
    visit_values(&x, p->body, true);
}

/* ---- ranges */

static bool are_near(struct indices *x, struct pval *low, struct pval *high) {
    struct interval lo = interval_of(x, low), hi = interval_of(x, high);
    return fits_word(lo) && fits_word(hi) && fits_word(sum_of(hi, lo, true));
}

static void visit_ranges(struct indices *x, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        s->narrow = s->kind == PS_FOR && are_near(x, s->lo, s->hi);
        struct pstmt *serial = s->serial;
        for (struct prange *r = s->ranges; r != NULL; r = r->next) {
            r->narrow = are_near(x, r->lo, r->hi);
            if (serial != NULL) {
                serial->narrow = r->narrow;
                serial = serial->body;
            }
        }
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            visit_ranges(x, *lists[i]);
        visit_ranges(x, s->shared);
    }
}

void find_narrow_ranges(struct uc *uc, struct plan *p) {
    struct indices x = {uc, NEWN(uc, struct fact, p->nvars)};
    plan_walk(p->body, &(struct plan_visitor){.stmt = note_sets, .joined = true}, &x);
    visit_ranges(&x, p->body);
}
