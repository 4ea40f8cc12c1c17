/* radix.c: whether iterations access other elements where subscripts are made of quotients and
 * remainders of the loop's index, as those of butterflies and of sorting networks are.
 *
 * The moduli that divide the index, each a multiple of the one before it, make digits of it: with
 * h, k is k // h * h + k % h.  Of two iterations some digit differs, and those before it, in some
 * order, do not.  If then, for each digit that may be this one, the difference of some subscript of
 * the two places is surely above 0, or below, they are apart.  What the conditions around a place
 * leave of a digit counts: in `if k ^ h > k`, the digit of h is 0.
 *
 * Moduli are products of numbers that are 1 or more: fact.c.  Bits of the index are digits by
 * powers of two. */
#include "digits.h"

/* ---- conditions */

/* Is a condition surely false, or surely true? */
static bool is_refuted(struct radix *x, const struct pval *v, bool holds, int side) {
    struct poly p, b;
    v = radix_set_value(x, v);
    if (v->kind != PV_OP)
        return false;
    if (v->op == OP_LNOT)
        return is_refuted(x, v->args[0], !holds, side);
    if (v->op == (holds ? OP_LAND : OP_LOR))
        return is_refuted(x, v->args[0], holds, side) || is_refuted(x, v->args[1], holds, side);
    if (!radix_value(x, v->args[0], side, &p) || !radix_value(x, v->args[1], side, &b) ||
        !poly_add(&p, &b, -1))
        return false;
    const struct atoms *atoms = &x->atoms;
    switch (v->op) {
    case OP_EQ:
    case OP_NE:
        return (v->op == OP_EQ) == holds ? poly_is_least(atoms, p, 1) || poly_is_most(atoms, p, -1)
                                         : p.n == 0;
    case OP_LT: return holds ? poly_is_least(atoms, p, 0) : poly_is_most(atoms, p, -1);
    case OP_LE: return holds ? poly_is_least(atoms, p, 1) : poly_is_most(atoms, p, 0);
    case OP_GT: return holds ? poly_is_most(atoms, p, 0) : poly_is_least(atoms, p, 1);
    case OP_GE: return holds ? poly_is_most(atoms, p, -1) : poly_is_least(atoms, p, 0);
    default: return false;
    }
}

/* ---- the digits of iterations */

/* The moduli in a value; if they do not suit the others, none of them. */
static bool collect(struct radix *x, const struct pval *v) {
    struct radix before = *x;
    struct poly p;
    bool is = v->dtype == DT_BOOL ? (is_refuted(x, v, true, 0), true) : radix_value(x, v, 0, &p);
    if (!is)
        *x = before;
    return is;
}

static void begin(struct radix *x, const struct candidate *c, const struct facts *facts) {
    *x = (struct radix){.c = c, .facts = facts, .collects = true, .ndigits = 1};
    x->modulus[0] = poly_number(1);
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < c->nindices; i++)
            x->inner[side][i] = -1;
}

/* All that an iteration of a place, and of another one, depends on; then digits are to be made. */
static bool collect_moduli(struct radix *x, const struct candidate *c, const int place[SIDES],
                           const struct facts *facts) {
    bool any = false;
    begin(x, c, facts);
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < c->place[place[side]]->nargs; i++)
            any = collect(x, c->place[place[side]]->args[i]) || any;
    for (int side = 0; any && side < SIDES; side++)
        for (const struct guard *g = c->guard[place[side]]; g != NULL; g = g->outer)
            collect(x, g->value);
    x->collects = false;
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < c->nindices; i++)
            x->inner[side][i] = -1;
    return any;
}

/* The greatest value of a digit; false: it has none. */
static bool digit_end(struct radix *x, int i, struct poly *end) {
    const struct poly one = poly_number(1);
    return i + 1 < x->ndigits && radix_ratio(x, &x->modulus[i + 1], &x->modulus[i], end) &&
           poly_add(end, &one, -1);
}

/* The bounds of the highest digit, as far as the loop's tell. */
static void top_bounds(struct radix *x, const struct poly **lo, const struct poly **hi) {
    const struct poly one = poly_number(1), none = poly_number(0), *modulus;
    modulus = &x->modulus[x->ndigits - 1];
    radix_bounds(x, x->c->loop, 0, lo, hi);
    if (x->ndigits == 1)
        return;
    *lo = *lo != NULL && poly_is_least(&x->atoms, **lo, 0) ? radix_keep(x, &none) : NULL;
    if (*hi != NULL) {
        struct poly end = **hi;
        bool is = poly_add(&end, &one, 1) && poly_divide(&end, modulus) && poly_add(&end, &one, -1);
        *hi = is ? radix_keep(x, &end) : NULL;
    }
}

/* A new value of digit i. */
static bool new_digit(struct radix *x, int i, struct poly *p) {
    const struct poly none = poly_number(0), *lo = radix_keep(x, &none), *hi = NULL;
    struct poly end;
    if (i + 1 < x->ndigits)
        hi = digit_end(x, i, &end) ? radix_keep(x, &end) : NULL;
    else if (!radix_counts_turns(x))
        top_bounds(x, &lo, &hi);
    return radix_varying(x, lo, hi, p);
}

/* How the digit that differs does: it is more in the second iteration, or less, or both are any
 * that it may be. */
enum difference { MORE, LESS, ANY };

/* How far a digit, the last atom, is from its upper bound, or from its lower one; NULL: it has
 * none.
 */
static const struct poly *room_beside(struct radix *x, const struct poly *digit, bool above) {
    const struct atom *a = &x->atoms.of[x->atoms.n - 1];
    const struct poly *bound = above ? a->hi : a->lo;
    struct poly room = poly_number(0);
    bool is = bound != NULL && poly_add(&room, bound, above ? 1 : -1) &&
              poly_add(&room, digit, above ? -1 : 1);
    return is ? radix_keep(x, &room) : NULL;
}

/* The digits of two iterations of which the first `level` ones, in an order, are the same. */
static bool make_digits(struct radix *x, int level, bool lowest_first, enum difference way) {
    const struct poly one = poly_number(1), zero = poly_number(0), *least = radix_keep(x, &one);
    for (int at = 0; at < x->ndigits; at++) {
        int i = lowest_first ? at : x->ndigits - 1 - at;
        struct poly *a = &x->digit[0][i], *b = &x->digit[1][i], by;
        const bool *none[SIDES] = {&x->zero[0][i], &x->zero[1][i]};
        bool is = new_digit(x, i, a);
        if (at < level) {
            *a = *none[0] || *none[1] ? zero : *a;
            *b = *a;
        } else if (at == level && way != ANY) {
            *b = *a;
            is = is && radix_varying(x, least, room_beside(x, a, way == MORE), &by) &&
                 poly_add(b, &by, way == MORE ? 1 : -1);
        } else {
            is = is && new_digit(x, i, b);
            *a = *none[0] ? zero : *a;
            *b = *none[1] ? zero : *b;
        }
        if (!is)
            return false;
    }
    return true;
}

/* Do two places differ in some subscript, of iterations with such digits? */
static bool differ(const struct radix *of, const int place[SIDES], int level, bool lowest_first,
                   enum difference way) {
    struct radix *x = NEW(of->c->uc, struct radix);
    *x = *of;
    const struct pval *a = x->c->place[place[0]], *b = x->c->place[place[1]];
    if (!make_digits(x, level, lowest_first, way))
        return false;
    for (int i = 0; i < a->nargs; i++) {
        struct poly p, q;
        if (radix_value(x, a->args[i], 0, &p) && radix_value(x, b->args[i], 1, &q) &&
            poly_add(&q, &p, -1) &&
            (poly_is_least(&x->atoms, q, 1) || poly_is_most(&x->atoms, q, -1)))
            return true;
    }
    return false;
}

/* Do conditions leave but 0 of a digit, that is, are some false where it is 1 or more? */
static bool is_zero(const struct radix *of, int side, const struct guard *guards, int digit) {
    struct radix *x = NEW(of->c->uc, struct radix);
    *x = *of;
    const struct poly one = poly_number(1);
    struct poly end;
    bool is = false;
    if (!make_digits(x, 0, false, ANY) || digit + 1 == x->ndigits || !digit_end(x, digit, &end) ||
        !radix_varying(x, radix_keep(x, &one), radix_keep(x, &end), &x->digit[side][digit]))
        return false;
    for (const struct guard *g = guards; !is && g != NULL; g = g->outer)
        is = is_refuted(x, g->value, g->holds, side);
    return is;
}

bool are_radix_apart(const struct candidate *c, int i, int k) {
    const int place[SIDES] = {i, k};
    struct radix *x = NEW(c->uc, struct radix);
    if (*c->facts == NULL)
        *c->facts = facts_new(c->uc, c->plan);
    if (!collect_moduli(x, c, place, *c->facts))
        return false;
    for (int side = 0; side < SIDES; side++)
        for (int d = 0; d < x->ndigits; d++)
            x->zero[side][d] = is_zero(x, side, c->guard[place[side]], d);
    for (int lowest_first = 0; lowest_first < (x->ndigits > 1 ? 2 : 1); lowest_first++) {
        bool apart = true;
        for (int at = 0; apart && at < x->ndigits; at++) {
            int d = lowest_first ? at : x->ndigits - 1 - at;
            apart = (x->zero[0][d] && x->zero[1][d]) ||
                    (differ(x, place, at, lowest_first, MORE) &&
                     differ(x, place, at, lowest_first, LESS)) ||
                    differ(x, place, at, lowest_first, ANY);
        }
        if (apart)
            return true;
    }
    return false;
}

/* ---- divisors that are powers of two */

static enum walk mark_divisor(const struct pval *v, void *arg) {
    struct radix *x = arg;
    struct poly p;
    bool divides = v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD);
    if (!divides || v->dtype != DT_INT64 || v->direct != NULL)
        return WALK_IN;
    begin(x, x->c, x->facts);
    x->collects = false;
    if (is_radix_invariant(x, v->args[1]) && radix_value(x, v->args[1], 0, &p) &&
        is_radix_power(x, &p))
        ((struct pval *)v)->power = true;
    return WALK_IN;
}

void mark_powers(const struct candidate *c, const struct pstmt *list) {
    struct radix *x = NEW(c->uc, struct radix);
    if (*c->facts == NULL)
        return;
    x->c = c;
    x->facts = *c->facts;
    plan_walk(list, &(struct plan_visitor){.value = mark_divisor}, x);
}
