/* digits.c: values as sums of products of digits of a loop's index and of what is the same in
 * all iterations: radix.c. */
#include <stdlib.h>

#include "digits.h"

enum { MAX_LEVELS = 24 };

/* ---- atoms */

static int add_atom(struct radix *x, const struct atom *a) {
    if (x->atoms.n == MAX_ATOMS)
        return -1;
    x->atoms.of[x->atoms.n] = *a;
    return x->atoms.n++;
}

const struct poly *radix_keep(struct radix *x, const struct poly *p) {
    struct poly *own = NEW(x->c->uc, struct poly);
    *own = *p;
    return own;
}

bool radix_varying(struct radix *x, const struct poly *lo, const struct poly *hi, struct poly *p) {
    const struct atom a = {.lo = lo, .hi = hi};
    int atom = add_atom(x, &a);
    *p = poly_atom(atom);
    return atom >= 0;
}

/* Has a variable the value where the loop begins that it had where `fixed` ones were set? */
static bool keeps_value(const struct radix *x, const struct pvar *var) {
    return !x->fixed || x->facts->only[var->id] != NULL ||
           (x->facts->index[var->id] && !x->facts->moved[var->id]);
}

bool is_radix_invariant(const struct radix *x, const struct pval *v) {
    bool is = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP || v->kind == PV_LOAD ||
              v->kind == PV_CAST || v->kind == PV_CALL ||
              (v->kind == PV_VAR && !x->c->written[v->var->id] && keeps_value(x, v->var));
    for (int i = 0; is && i < v->nargs; i++)
        is = is_radix_invariant(x, v->args[i]);
    return is;
}

/* Is a size a factor of how many iterations a loop has?  Then it is 1 or more where there is any.
 */
static bool is_factor(const struct pval *size, const struct pval *of) {
    bool product = of->kind == PV_OP && of->op == OP_MUL;
    return same_value(size, of) ||
           (product && (is_factor(size, of->args[0]) || is_factor(size, of->args[1])));
}

static bool has_factor(const struct pstmt *loop, const struct pval *size) {
    return loop->lo->kind == PV_CONST && loop->lo->i == 0 && loop->step->kind == PV_CONST &&
           (int64_t)loop->step->i > 0 && loop->hi->kind == PV_OP && is_factor(size, loop->hi);
}

/* How much an index of a loop around the loop is at least. */
static bool outer_least(const struct radix *x, const struct pvar *var, int64_t *least) {
    for (int i = 0; i < x->c->own; i++) {
        const struct pstmt *s = x->c->index[i];
        if (s->var != var || s->step->kind != PV_CONST)
            continue;
        bool up = (int64_t)s->step->i > 0;
        const struct pval *end = up ? s->lo : s->hi;
        *least = end->kind == PV_CONST ? (int64_t)end->i + !up : 0;
        return end->kind == PV_CONST && *least > -MAX_FACTOR && *least < MAX_FACTOR;
    }
    return false;
}

/* The atom of what is the same in all iterations; dividend, divisor: of a quotient, or NULL. */
static bool invariant_of(struct radix *x, const struct pval *v, const struct poly *dividend,
                         const struct poly *divisor, struct poly *p) {
    struct atom a = {.value = v, .dividend = dividend, .divisor = divisor};
    if (!is_radix_invariant(x, v))
        return false;
    for (int i = 0; i < x->atoms.n; i++)
        if (x->atoms.of[i].value != NULL && same_value(x->atoms.of[i].value, v)) {
            *p = poly_atom(i);
            return true;
        }
    a.least = v->kind == PV_DIM && has_factor(x->c->loop, v);
    a.counted = v->kind == PV_DIM || (dividend != NULL && poly_is_least(&x->atoms, *dividend, 0));
    if (v->kind == PV_VAR) {
        a.counted = outer_least(x, v->var, &a.least) ||
                    variable_least(x->facts, v->var, x->c->loop, &a.least);
        a.power = false;
    }
    int atom = add_atom(x, &a);
    *p = poly_atom(atom);
    return atom >= 0;
}

/* 2 ** e, where e is from 0 to 62 and the same in all iterations.  less: of 2 ** (n - e), n. */
static bool power_of(struct radix *x, const struct pval *e, int64_t less, struct poly *p) {
    struct linear l, low, high;
    const struct candidate *c = x->c;
    if (!linear_of(c, e, &l))
        return false;
    for (int i = c->own; i < c->nindices; i++)
        if (linear_place(&l, c->index[i]->var) != l.n)
            return false;
    if (less >= 0) {
        struct linear minus = {.plus = less};
        if (!linear_subtract(&minus, &l))
            return false;
        l = minus;
    }
    low = high = l;
    if (!linear_extreme(c, 0, c->own, false, &low) || !linear_extreme(c, 0, c->own, true, &high) ||
        !linear_is_number(&low) || !linear_is_number(&high) || low.plus < 0 || high.plus > 62 ||
        low.plus > 30)
        return false;
    *p = poly_number(INT64_C(1) << low.plus);
    if (linear_is_number(&l))
        return true;
    struct atom a = {.power = true, .exponent = l, .counted = true, .least = 1};
    a.exponent.plus -= low.plus;
    int atom = -1;
    for (int i = 0; i < x->atoms.n && atom < 0; i++) {
        struct linear d = x->atoms.of[i].exponent;
        if (x->atoms.of[i].power && linear_subtract(&d, &a.exponent) && linear_is_number(&d) &&
            d.plus == 0)
            atom = i;
    }
    if (atom < 0)
        atom = add_atom(x, &a);
    const struct poly own = poly_atom(atom);
    return atom >= 0 && poly_multiply(p, &own);
}

bool is_radix_power(const struct radix *x, const struct poly *p) {
    if (!is_positive_product(&x->atoms, p) || (p->term[0].times & (p->term[0].times - 1)) != 0)
        return false;
    for (int i = 0; i < p->term[0].n; i++) {
        const struct atom *a = &x->atoms.of[p->term[0].atom[i]];
        bool is = a->power || (a->value->kind == PV_VAR && x->facts->power[a->value->var->id]);
        if (!is)
            return false;
    }
    return true;
}

/* ---- digits */

static bool is_same(const struct poly *a, const struct poly *b) {
    struct poly d = *a;
    return poly_add(&d, b, -1) && d.n == 0;
}

bool radix_ratio(const struct radix *x, const struct poly *greater, const struct poly *less,
                 struct poly *ratio) {
    *ratio = *greater;
    return poly_divide(ratio, less) && is_positive_product(&x->atoms, ratio);
}

/* The place of a modulus among them, where it is added while they are collected; -1: none. */
static int place_of(struct radix *x, const struct poly *m) {
    struct poly ratio;
    int at = 0;
    for (int i = 0; i < x->ndigits; i++)
        if (is_same(&x->modulus[i], m))
            return i;
    if (!x->collects || x->ndigits == MAX_DIGITS || !is_positive_product(&x->atoms, m))
        return -1;
    while (at < x->ndigits && radix_ratio(x, m, &x->modulus[at], &ratio))
        at++;
    if (at == 0 || (at < x->ndigits && !radix_ratio(x, &x->modulus[at], m, &ratio)))
        return -1;
    for (int i = x->ndigits++; i > at; i--)
        x->modulus[i] = x->modulus[i - 1];
    x->modulus[at] = *m;
    return at;
}

/* The digits from one modulus to below another, -1: to the highest digit, divided by the former. */
static bool digits_of(struct radix *x, int side, const struct poly *from, const struct poly *to,
                      struct poly *p) {
    int first = place_of(x, from), end = to == NULL ? x->ndigits : place_of(x, to);
    *p = poly_number(0);
    first = place_of(x, from); /* it may have moved */
    if (first < 0 || end < 0)
        return false;
    for (int i = first; !x->collects && i < end; i++) {
        struct poly weight = x->modulus[i];
        if (!poly_divide(&weight, from) || !poly_multiply(&weight, &x->digit[side][i]) ||
            !poly_add(p, &weight, 1))
            return false;
    }
    return true;
}

const struct pval *radix_set_value(const struct radix *x, const struct pval *v) {
    while (v->kind == PV_VAR && x->c->written[v->var->id] && x->facts->only[v->var->id] != NULL)
        v = x->facts->only[v->var->id];
    return v;
}

/* A divisor that is 1 or more. */
static bool divisor_of(struct radix *x, const struct pval *v, struct poly *p) {
    return radix_value(x, v, 0, p) && is_positive_product(&x->atoms, p);
}

/* Is v the index of the loop divided by a modulus? */
static bool is_quotient(struct radix *x, const struct pval *v, struct poly *modulus) {
    struct poly by;
    v = radix_set_value(x, v);
    if (v->kind == PV_VAR && v->var == x->c->loop->var && !x->fixed) {
        *modulus = poly_number(1);
        return true;
    }
    return v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_SHR) &&
           is_quotient(x, v->args[0], modulus) &&
           (v->op == OP_SHR ? power_of(x, v->args[1], -1, &by) : divisor_of(x, v->args[1], &by)) &&
           poly_multiply(modulus, &by);
}

/* The remainder of a quotient by `by`. */
static bool remainder_of(struct radix *x, const struct pval *v, const struct poly *by, int side,
                         struct poly *p) {
    struct poly from, to;
    if (!is_quotient(x, v, &from))
        return false;
    to = from;
    return poly_multiply(&to, by) && digits_of(x, side, &from, &to, p);
}

/* ---- values */

static bool sum_of(struct radix *x, const struct pval *v, int side, struct poly *p) {
    struct poly b;
    if (!radix_value(x, v->args[0], side, p) || !radix_value(x, v->args[1], side, &b))
        return false;
    return v->op == OP_MUL ? poly_multiply(p, &b) : poly_add(p, &b, v->op == OP_SUB ? -1 : 1);
}

/* a // b of numbers that are the same in all iterations, unless b divides a. */
static bool quotient_of(struct radix *x, const struct pval *v, int side, struct poly *p) {
    struct poly from, by;
    bool shifts = v->op == OP_SHR;
    if (is_quotient(x, v, &from))
        return digits_of(x, side, &from, NULL, p);
    if (!(shifts ? power_of(x, v->args[1], -1, &by) : divisor_of(x, v->args[1], &by))) {
        uint64_t n = v->args[0]->i;
        return shifts && v->args[0]->kind == PV_CONST && n > 0 && (n & (n - 1)) == 0 &&
               power_of(x, v->args[1], __builtin_ctzll(n), p);
    }
    if (!radix_value(x, v->args[0], side, p))
        return false;
    const struct poly dividend = *p;
    return poly_divide(p, &by) ||
           invariant_of(x, v, radix_keep(x, &dividend), radix_keep(x, &by), p);
}

/* The bits of the index that are those of a power of two w, or below it: k & w, k & w - 1, k & -w,
 * k | w, k ^ w. */
static bool bits_of(struct radix *x, const struct pval *v, int side, struct poly *p) {
    const struct poly one = poly_number(1), two = poly_number(2);
    for (int i = 0; i < 2; i++) {
        const struct pval *k = v->args[i];
        struct poly w, from, digit;
        if (!is_quotient(x, k, &from) || !radix_value(x, v->args[1 - i], side, &w))
            continue;
        struct poly mask = w, minus = {.n = 0};
        if (!poly_add(&mask, &one, 1) || !poly_add(&minus, &w, -1))
            return false;
        if (v->op == OP_AND && is_radix_power(x, &mask))
            return remainder_of(x, k, &mask, side, p);
        if (v->op == OP_AND && is_radix_power(x, &minus))
            return remainder_of(x, k, &minus, side, &digit) && digits_of(x, side, &from, NULL, p) &&
                   poly_add(p, &digit, -1);
        struct poly low = w, high;
        if (!is_radix_power(x, &w) || !poly_multiply(&low, &from))
            return false;
        high = low;
        if (!poly_multiply(&high, &two) || !digits_of(x, side, &low, &high, &digit) ||
            !poly_multiply(&digit, &w))
            return false;
        *p = digit;
        return v->op == OP_AND || (digits_of(x, side, &from, NULL, p) && poly_add(p, &w, 1) &&
                                   poly_add(p, &digit, v->op == OP_OR ? -1 : -2));
    }
    return false;
}

/* a | b, or a ^ b, of numbers with no bit in common: one is a multiple of a power of two that the
 * other one is below. */
static bool are_joined(const struct radix *x, const struct poly *a, const struct poly *b,
                       const struct poly *power) {
    struct poly high = *a, most = *power;
    const struct poly one = poly_number(1);
    if (!is_radix_power(x, power) || !poly_divide(&high, power) || !poly_add(&most, &one, -1) ||
        !poly_add(&most, b, -1))
        return false;
    return poly_is_least(&x->atoms, *b, 0) && poly_is_least(&x->atoms, most, 0);
}

/* The terms of a that are multiples of a number, and the others. */
static void split_terms(const struct poly *a, const struct poly *by, struct poly *multiples,
                        struct poly *rest) {
    multiples->n = rest->n = 0;
    for (int i = 0; i < a->n; i++) {
        struct poly term = {.term = {a->term[i]}, .n = 1};
        struct poly *to = poly_divide(&term, by) ? multiples : rest;
        to->term[to->n++] = a->term[i];
    }
}

static bool joined_of(struct radix *x, const struct pval *v, int side, struct poly *p) {
    struct poly b, high, low, twice;
    const struct poly two = poly_number(2);
    if (v->op == OP_AND || !radix_value(x, v->args[0], side, p) ||
        !radix_value(x, v->args[1], side, &b))
        return false;
    bool apart = x->collects;
    for (int i = 0; !apart && i < x->ndigits; i++)
        apart = are_joined(x, p, &b, &x->modulus[i]) || are_joined(x, &b, p, &x->modulus[i]);
    if (!apart && is_radix_power(x, &b)) { /* the bit is 0 in a */
        twice = b;
        if (!poly_multiply(&twice, &two))
            return false;
        split_terms(p, &twice, &high, &low);
        apart = are_joined(x, &b, &low, &b);
    }
    return apart && poly_add(p, &b, 1);
}

static bool operation_of(struct radix *x, const struct pval *v, int side, struct poly *p) {
    struct poly by;
    switch (v->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return sum_of(x, v, side, p);
    case OP_NEG:
    case OP_NOT:
        *p = poly_number(v->op == OP_NOT ? -1 : 0);
        return radix_value(x, v->args[0], side, &by) && poly_add(p, &by, -1);
    case OP_SHL:
        return radix_value(x, v->args[0], side, p) && power_of(x, v->args[1], -1, &by) &&
               poly_multiply(p, &by);
    case OP_POW:
        return v->args[0]->kind == PV_CONST && v->args[0]->i == 2 && power_of(x, v->args[1], -1, p);
    case OP_FLOORDIV:
    case OP_SHR: return quotient_of(x, v, side, p);
    case OP_MOD:
        if (divisor_of(x, v->args[1], &by) && remainder_of(x, v->args[0], &by, side, p))
            return true;
        return invariant_of(x, v, NULL, NULL, p);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return bits_of(x, v, side, p) || joined_of(x, v, side, p) ||
               invariant_of(x, v, NULL, NULL, p);
    default: return false;
    }
}

/* A bound of a loop: of several, one that is the same in all iterations. */
static bool bound_of(struct radix *x, const struct pval *v, int side, enum builtin_id several,
                     struct poly *p) {
    bool is = v->kind == PV_CALL && (int)v->builtin->id == (int)several;
    if (!is)
        return radix_value(x, v, side, p);
    int first = is_radix_invariant(x, v->args[0]) ? 0 : 1;
    return bound_of(x, v->args[first], side, several, p) ||
           bound_of(x, v->args[1 - first], side, several, p);
}

void radix_bounds(struct radix *x, const struct pstmt *s, int side, const struct poly **lo,
                  const struct poly **hi) {
    struct poly step, low, high;
    const struct poly one = poly_number(1);
    *lo = *hi = NULL;
    if (!radix_value(x, s->step, 0, &step))
        return;
    bool up = poly_is_least(&x->atoms, step, 1), down = !up && poly_is_most(&x->atoms, step, -1);
    if ((up || down) && bound_of(x, up ? s->lo : s->hi, side, B_MAX, &low) &&
        poly_add(&low, &one, down))
        *lo = radix_keep(x, &low);
    if ((up || down) && bound_of(x, up ? s->hi : s->lo, side, B_MIN, &high) &&
        poly_add(&high, &one, -up))
        *hi = radix_keep(x, &high);
}

/* The index of the loop number `at`, which is in the loop. */
static bool inner_of(struct radix *x, int at, int side, struct poly *p) {
    int *atom = &x->inner[side][at];
    const struct poly *lo, *hi;
    if (*atom < 0) {
        radix_bounds(x, x->c->index[at], side, &lo, &hi);
        if (!radix_varying(x, lo, hi, p))
            return false;
        *atom = x->atoms.n - 1;
    }
    *p = poly_atom(*atom);
    return true;
}

bool radix_counts_turns(const struct radix *x) {
    const struct pval *step = x->c->loop->step;
    return x->ndigits == 1 && !(step->kind == PV_CONST && llabs((int64_t)step->i) == 1);
}

/* The index of the loop. */
static bool index_of(struct radix *x, int side, struct poly *p) {
    const struct poly one = poly_number(1);
    struct poly turns;
    if (x->collects || !radix_counts_turns(x))
        return digits_of(x, side, &one, NULL, p);
    turns = x->digit[side][0];
    return radix_value(x, x->c->loop->step, side, p) && poly_multiply(&turns, p) &&
           radix_value(x, x->c->loop->lo, side, p) && poly_add(p, &turns, 1);
}

static bool variable_of(struct radix *x, const struct pval *v, int side, struct poly *p) {
    const struct candidate *c = x->c;
    if (x->facts->moved[v->var->id])
        return false;
    if (v->var == c->loop->var)
        return !x->fixed && index_of(x, side, p);
    for (int i = c->own + 1; i < c->nindices; i++)
        if (c->index[i]->var == v->var)
            return !x->fixed && inner_of(x, i, side, p);
    const struct pval *value = x->facts->only[v->var->id];
    if (c->written[v->var->id])
        return value != NULL && !x->fixed && radix_value(x, value, side, p);
    struct radix before = *x;
    x->fixed = true;
    bool known = value != NULL && radix_value(x, value, side, p);
    x->fixed = before.fixed;
    if (known)
        return true;
    *x = before;
    return invariant_of(x, v, NULL, NULL, p);
}

bool radix_value(struct radix *x, const struct pval *v, int side, struct poly *p) {
    if (v->dtype != DT_INT64 || x->levels == MAX_LEVELS)
        return false;
    x->levels++;
    bool is = false;
    if (v->kind == PV_CONST) {
        *p = poly_number((int64_t)v->i);
        is = (int64_t)v->i >= -MAX_TIMES && (int64_t)v->i <= MAX_TIMES;
    } else if (v->kind == PV_DIM)
        is = invariant_of(x, v, NULL, NULL, p);
    else if (v->kind == PV_VAR)
        is = variable_of(x, v, side, p);
    else if (v->kind == PV_OP)
        is = operation_of(x, v, side, p);
    x->levels--;
    return is;
}
