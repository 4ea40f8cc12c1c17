/* commute.c: whether what joins two parts of a reduction gives the same for either order of
 * them, but for rounding; then the parts, and the points, may come in any order.
 *
 * That is found by computing it: with numbers modulo a prime in place of numbers, which are as good
 * as fractions of polynomials where they are drawn at random.  Comparisons and functions give what
 * follows from their operands alone, so that what is chosen by them must be the same whatever they
 * give.  Numbers that two joins disagree about tell them apart, since a polynomial of degree d is 0
 * in at most d of 2**31 places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "plan.h"

/* Each set of accs whose parts are equal is tried, with so many draws for each outcome of the
 * comparisons that one outcome is missed once in thousands of joins. */
enum { MOST_ACCS = 5, MOST_COMPARISONS = 6, DRAWS = 8 };
static const uint64_t PRIME = (UINT64_C(1) << 31) - 1, UNSET = UINT64_MAX;

struct commute {
    const struct pacc *accs;
    uint64_t *value; /* by variable */
    uint64_t seed;
    unsigned equal;        /* accs of which both parts have the same: bits, in the list's order */
    int comparisons, most; /* of this join, bools among the accs too; of all */
    bool unknown;          /* there is something whose value is not known */
};

/* ---- numbers */

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ (b + 1) * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 32;
}

static uint64_t power(uint64_t x, uint64_t n) {
    uint64_t r = 1;
    for (; n > 0; n >>= 1, x = x * x % PRIME)
        r = n & 1 ? r * x % PRIME : r;
    return r;
}

static uint64_t inverse(uint64_t x) {
    return power(x, PRIME - 2);
}

static uint64_t of_integer(int64_t v) {
    uint64_t size = (v < 0 ? -(uint64_t)v : (uint64_t)v) % PRIME;
    return v < 0 && size > 0 ? PRIME - size : size;
}

/* A finite number is m * 2**e. */
static uint64_t of_float(double v) {
    int e;
    if (!isfinite(v))
        return mix(isnan(v), v > 0) % PRIME;
    int64_t m = (int64_t)ldexp(frexp(v, &e), 53);
    uint64_t scale = power(2, (uint64_t)abs(e - 53));
    return of_integer(m) * (e < 53 ? inverse(scale) : scale) % PRIME;
}

static uint64_t of_constant(const struct pval *v) {
    return is_float(v->dtype)      ? of_float(v->f)
           : v->dtype == DT_UINT64 ? v->i % PRIME
                                   : of_integer((int64_t)v->i);
}

/* What a part, 0 or 1, has of acc number k. */
static uint64_t number_of(const struct commute *x, const struct pvar *v, int k, uint64_t part) {
    uint64_t r = mix(mix(x->seed, (uint64_t)v->id), x->equal >> k & 1 ? 0 : part);
    return v->dtype == DT_BOOL ? r & 1 : r % PRIME;
}

/* ---- values */

static uint64_t value(struct commute *x, const struct pval *v);

/* What is known of an operation is only that it follows from its operands; symmetric: whatever
 * their order. */
static uint64_t opaque(uint64_t id, uint64_t a, uint64_t b, bool symmetric) {
    bool swap = symmetric && a > b;
    return mix(mix(id, swap ? b : a), swap ? a : b) % PRIME;
}

/* Are a and b what the two parts have of the same acc? */
static bool are_parts(const struct commute *x, uint64_t a, uint64_t b) {
    int k = 0;
    for (const struct pacc *acc = x->accs; acc != NULL; acc = acc->next, k++) {
        uint64_t first = number_of(x, acc->acc, k, 0), second = number_of(x, acc->acc, k, 1);
        if ((a == first && b == second) || (a == second && b == first))
            return true;
    }
    return false;
}

/* Numbers that are not the same may be equal for all that is known, but for the parts' own.  What
 * small numbers compare as differs from draw to draw, too. */
static bool are_equal(const struct commute *x, uint64_t a, uint64_t b) {
    return a == b || (!are_parts(x, a, b) && (opaque(mix(x->seed, OP_EQ), a, b, true) & 1));
}

/* Integers are in some order.  Of floats neither may be below the other, as a NaN is. */
static bool is_below(const struct commute *x, enum op op, uint64_t a, uint64_t b, bool floats) {
    if (floats)
        return opaque(mix(x->seed, op), a, b, false) & 1;
    uint64_t order = mix(x->seed, OP_LT), at = mix(order, a), other = mix(order, b);
    return op == OP_LE ? at <= other : at < other;
}

static bool compares(struct commute *x, enum op op, bool floats, uint64_t a, uint64_t b) {
    x->comparisons++;
    switch (op) {
    case OP_GT:
    case OP_GE: return is_below(x, op == OP_GT ? OP_LT : OP_LE, b, a, floats);
    case OP_EQ:
    case OP_NE: return are_equal(x, a, b) == (op == OP_EQ);
    default: return is_below(x, op, a, b, floats);
    }
}

static uint64_t operation(struct commute *x, const struct pval *v) {
    uint64_t a = value(x, v->args[0]), b = v->nargs > 1 ? value(x, v->args[1]) : 0;
    uint64_t id = (uint64_t)v->op << 8 | v->dtype;
    if (v->op >= OP_EQ && v->op <= OP_GE)
        return compares(x, v->op, is_float(v->args[0]->dtype), a, b);
    switch (v->op) {
    case OP_LAND: return a & b;
    case OP_LOR: return a | b;
    case OP_LNOT: return a ^ 1;
    case OP_AND:
    case OP_OR:
    case OP_XOR: return opaque(id, a, b, true) & (v->dtype == DT_BOOL ? 1 : UINT64_MAX);
    default: break;
    }
    if (v->dtype == DT_BOOL) {
        x->unknown = true;
        return 0;
    }
    switch (v->op) {
    case OP_ADD: return (a + b) % PRIME;
    case OP_SUB: return (a + PRIME - b) % PRIME;
    case OP_MUL: return a * b % PRIME;
    case OP_DIV: return a * inverse(b) % PRIME;
    case OP_NEG: return (PRIME - a) % PRIME;
    case OP_POS: return a;
    default: return opaque(id, a, b, false);
    }
}

/* A conversion changes numbers by rounding alone, or as it does. */
static uint64_t cast(struct commute *x, const struct pval *v) {
    enum ufc_dtype from = v->args[0]->dtype, to = v->dtype;
    uint64_t a = value(x, v->args[0]);
    bool wider = !is_float(from) || dtype_info[from].bits <= dtype_info[to].bits;
    if (from == DT_BOOL || (is_float(to) && wider))
        return a;
    return opaque((uint64_t)from << 8 | to, a, 0, false) & (to == DT_BOOL ? 1 : UINT64_MAX);
}

static uint64_t call(struct commute *x, const struct pval *v) {
    enum builtin_id id = v->builtin->id;
    uint64_t r = (uint64_t)id << 8 | (uint64_t)v->result;
    if (builtin_commutes(id) && v->nargs == 2)
        return opaque(r, value(x, v->args[0]), value(x, v->args[1]), true);
    for (int i = 0; i < v->nargs; i++) {
        uint64_t a = value(x, v->args[i]);
        if (i == 0 && (id == B_ABS || id == B_COPYSIGN)) /* whatever its sign */
            a = a < PRIME - a ? a : PRIME - a;
        r = opaque(r, a, v->dtype, false);
    }
    return v->dtype == DT_BOOL ? r & 1 : r;
}

static uint64_t value(struct commute *x, const struct pval *v) {
    switch (v->kind) {
    case PV_CONST: return of_constant(v);
    case PV_VAR: x->unknown |= x->value[v->var->id] == UNSET; return x->value[v->var->id];
    case PV_OP: return operation(x, v);
    case PV_CALL: return call(x, v);
    case PV_SELECT: return value(x, v->args[value(x, v->args[0]) & 1 ? 1 : 2]);
    case PV_FMA:
        return (value(x, v->args[0]) * value(x, v->args[1]) + value(x, v->args[2])) % PRIME;
    case PV_CAST: return cast(x, v);
    default: x->unknown = true; return 0;
    }
}

static void run(struct commute *x, const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_SET)
            x->value[s->var->id] = value(x, s->value);
        else if (s->kind == PS_IF)
            run(x, value(x, s->value) & 1 ? s->body : s->other);
        else
            x->unknown = true;
}

/* ---- joins */

/* One join of two parts, of random numbers, or of these the other way round: the accs' values to
 * `result`. */
static void join(struct commute *x, const struct pstmt *s, bool swap, uint64_t *result) {
    int k = 0;
    x->comparisons = 0;
    for (const struct pacc *a = x->accs; a != NULL; a = a->next, k++) {
        x->value[a->acc->id] = number_of(x, a->acc, k, swap);
        x->value[a->other->id] = number_of(x, a->acc, k, !swap);
        x->comparisons += a->acc->dtype == DT_BOOL;
    }
    run(x, s);
    x->most = x->comparisons > x->most ? x->comparisons : x->most;
    for (const struct pacc *a = x->accs; a != NULL; a = a->next)
        *result++ = x->value[a->acc->id];
}

bool joins_commute(struct lower *l, const struct pstmt *joined, const struct pacc *accs) {
    struct commute x = {.accs = accs, .value = NEWN(l->uc, uint64_t, l->plan->nvars)};
    int n = 0;
    for (const struct pacc *a = accs; a != NULL; a = a->next, n++)
        if (is_complex(a->acc->dtype))
            return false;
    for (int i = 0; i < l->plan->nvars; i++)
        x.value[i] = UNSET;
    if (n > MOST_ACCS)
        return false;
    uint64_t *one = NEWN(l->uc, uint64_t, n), *other = NEWN(l->uc, uint64_t, n);
    for (x.equal = 0; x.equal < 1U << n; x.equal++)
        for (uint64_t draw = 0; draw < (uint64_t)DRAWS << x.most; draw++) {
            x.seed = mix(x.equal, draw);
            join(&x, joined, false, one);
            join(&x, joined, true, other);
            if (x.unknown || x.most > MOST_COMPARISONS ||
                memcmp(one, other, (size_t)n * sizeof *one) != 0)
                return false;
        }
    return true;
}
