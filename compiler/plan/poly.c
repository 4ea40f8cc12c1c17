/* poly.c: sums of products of whole numbers, and what they are at least and at most.
 *
 * Atoms that vary, the last ones first, are replaced by the bound that makes the sum the least: the
 * lower one where what they are multiplied by is never negative, the upper one where it is never
 * positive.  What then remains is of atoms that are the same in all iterations; it is 0 or more if,
 * with each atom as its least value and a rest, all terms are. */
#include <stdlib.h>
#include <string.h>

#include "poly.h"

struct poly poly_number(int64_t n) {
    struct poly p = {.n = n != 0};
    p.term[0].times = n;
    return p;
}

struct poly poly_atom(int atom) {
    struct poly p = poly_number(1);
    p.term[0].n = 1;
    p.term[0].atom[0] = (uint8_t)atom;
    return p;
}

static bool is_small(int64_t n) {
    return n >= -MAX_TIMES && n <= MAX_TIMES;
}

static bool add_term(struct poly *p, const struct term *t) {
    int i = 0;
    while (i < p->n && (p->term[i].n != t->n || memcmp(p->term[i].atom, t->atom, (size_t)t->n)))
        i++;
    if (i == MAX_TERMS)
        return false;
    if (i == p->n) {
        p->term[p->n] = *t;
        p->term[p->n++].times = 0;
    }
    p->term[i].times += t->times;
    bool fits = is_small(p->term[i].times);
    if (p->term[i].times == 0)
        p->term[i] = p->term[--p->n];
    return fits;
}

/* The product of two terms. */
static bool multiply_terms(const struct term *a, const struct term *b, struct term *to) {
    int i = 0, k = 0;
    if (!is_small(a->times) || !is_small(b->times) || a->n + b->n > MAX_DEGREE)
        return false;
    *to = (struct term){.times = a->times * b->times};
    while (i < a->n || k < b->n)
        to->atom[to->n++] =
            k == b->n || (i < a->n && a->atom[i] <= b->atom[k]) ? a->atom[i++] : b->atom[k++];
    return is_small(to->times);
}

bool poly_add(struct poly *a, const struct poly *b, int64_t times) {
    const struct term by = {.times = times};
    for (int i = 0; i < b->n; i++) {
        struct term t;
        if (!multiply_terms(&b->term[i], &by, &t) || !add_term(a, &t))
            return false;
    }
    return true;
}

bool poly_multiply(struct poly *a, const struct poly *b) {
    struct poly p = {.n = 0};
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            struct term t;
            if (!multiply_terms(&a->term[i], &b->term[k], &t) || !add_term(&p, &t))
                return false;
        }
    *a = p;
    return true;
}

/* Takes an atom out of a term, once. */
static bool remove_atom(struct term *t, int atom) {
    int i = 0;
    while (i < t->n && t->atom[i] != atom)
        i++;
    if (i == t->n)
        return false;
    memmove(t->atom + i, t->atom + i + 1, (size_t)(t->n - i - 1));
    t->n--;
    return true;
}

bool poly_divide(struct poly *a, const struct poly *by) {
    if (by->n != 1)
        return false;
    const struct term *d = &by->term[0];
    for (int i = 0; i < a->n; i++) {
        struct term *t = &a->term[i];
        if (t->times % d->times != 0)
            return false;
        t->times /= d->times;
        for (int k = 0; k < d->n; k++)
            if (!remove_atom(t, d->atom[k]))
                return false;
    }
    return true;
}

bool poly_is_number(const struct poly *p, int64_t n) {
    return n == 0 ? p->n == 0 : p->n == 1 && p->term[0].n == 0 && p->term[0].times == n;
}

/* Parts a sum: what the atom is multiplied by, and what is without it.  False: it is multiplied by
 * itself, too. */
static bool part(const struct poly *p, int atom, struct poly *by, struct poly *without) {
    by->n = without->n = 0;
    for (int i = 0; i < p->n; i++) {
        struct term t = p->term[i];
        if (!remove_atom(&t, atom))
            without->term[without->n++] = t;
        else if (memchr(t.atom, atom, (size_t)t.n) == NULL)
            by->term[by->n++] = t;
        else
            return false;
    }
    return true;
}

/* Replaces an atom. */
static bool replace(struct poly *p, int atom, const struct poly *value) {
    struct poly by, without;
    if (!part(p, atom, &by, &without) || !poly_multiply(&by, value) || !poly_add(&without, &by, 1))
        return false;
    *p = without;
    return true;
}

/* A number that a quotient is of, by the quotient: n = divisor * (n // divisor) + rest, if n is an
 * atom; with the rest that makes the sum the least. */
static bool take_quotients(const struct atoms *x, struct poly *p) {
    for (int i = x->n; i-- > 0;) {
        const struct atom *q = &x->of[i];
        struct poly by, without, n = poly_atom(i);
        if (q->dividend == NULL || q->dividend->n != 1 || q->dividend->term[0].n != 1 ||
            q->dividend->term[0].times != 1)
            continue;
        int atom = q->dividend->term[0].atom[0];
        if (!part(p, i, &by, &without) || by.n == 0 || !part(p, atom, &by, &without) || by.n == 0)
            continue;
        const struct poly one = poly_number(1);
        bool numbers = by.n == 1 && by.term[0].n == 0;
        if (!numbers || !poly_multiply(&n, q->divisor) ||
            (by.term[0].times < 0 && (!poly_add(&n, q->divisor, 1) || !poly_add(&n, &one, -1))) ||
            !replace(p, atom, &n))
            return false;
    }
    return true;
}

/* Is a sum of atoms that do not vary never negative? */
static bool is_never_negative(const struct atoms *x, struct poly p) {
    if (!take_quotients(x, &p))
        return false;
    for (int i = 0; i < x->n; i++) {
        struct poly by, without, value = poly_atom(i);
        const struct poly least = poly_number(x->of[i].least);
        if (part(&p, i, &by, &without) && by.n == 0)
            continue;
        if (!x->of[i].counted || !poly_add(&value, &least, 1) || !replace(&p, i, &value))
            return false;
    }
    for (int i = 0; i < p.n; i++)
        if (p.term[i].times < 0)
            return false;
    return true;
}

static bool varies(const struct atom *a) {
    return a->value == NULL && !a->power;
}

static bool is_bounded(const struct atoms *x, struct poly p, int from);

/* Is the sum never negative, whatever the atoms below `from` are? */
static bool is_bounded(const struct atoms *x, struct poly p, int from) {
    for (int i = from; i-- > 0;) {
        struct poly by, without;
        if (!varies(&x->of[i]))
            continue;
        if (!part(&p, i, &by, &without))
            return false;
        if (by.n == 0)
            continue;
        struct poly minus = {.n = 0};
        const struct poly *bound = is_bounded(x, by, i) ? x->of[i].lo
                                   : poly_add(&minus, &by, -1) && is_bounded(x, minus, i)
                                       ? x->of[i].hi
                                       : NULL;
        if (bound == NULL || !replace(&p, i, bound))
            return false;
    }
    return is_never_negative(x, p);
}

bool poly_is_least(const struct atoms *x, struct poly p, int64_t bound) {
    const struct poly n = poly_number(bound);
    return poly_add(&p, &n, -1) && is_bounded(x, p, x->n);
}

bool poly_is_most(const struct atoms *x, struct poly p, int64_t bound) {
    struct poly minus = poly_number(bound);
    return poly_add(&minus, &p, -1) && is_bounded(x, minus, x->n);
}

bool is_positive_product(const struct atoms *x, const struct poly *p) {
    if (p->n != 1 || p->term[0].times < 1)
        return false;
    for (int i = 0; i < p->term[0].n; i++) {
        const struct atom *a = &x->of[p->term[0].atom[i]];
        if (varies(a) || !a->counted || a->least < 1)
            return false;
    }
    return true;
}
