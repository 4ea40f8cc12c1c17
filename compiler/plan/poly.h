/* poly.h: sums of products of whole numbers, and what they are at least and at most. */
#ifndef UC_PLAN_POLY_H
#define UC_PLAN_POLY_H

#include "linear.h"

enum { MAX_ATOMS = 40, MAX_DEGREE = 4, MAX_TERMS = 24, MAX_TIMES = INT32_MAX };

/* times * atom[0] * ..., the atoms ascending. */
struct term {
    int64_t times;
    int n;
    uint8_t atom[MAX_DEGREE];
};
struct poly {
    struct term term[MAX_TERMS];
    int n;
};

/* A whole number that a polynomial is made of. */
struct atom {
    const struct pval *value; /* the same in all iterations: this; NULL: another kind */
    bool power;               /* it is a power of two: 2 ** (exponent - least of that) */
    struct linear exponent;
    bool counted; /* `least` is known of one that is the same in all iterations */
    int64_t least;
    const struct poly *lo, *hi;            /* of one that varies: NULL, there is no such bound */
    const struct poly *dividend, *divisor; /* of a quotient: its value's; else NULL */
};
struct atoms {
    struct atom of[MAX_ATOMS]; /* bounds are made of earlier ones */
    int n;
};

struct poly poly_number(int64_t n);
struct poly poly_atom(int atom);
/* False of all these: the result has too many terms, or numbers that are too large. */
bool poly_add(struct poly *a, const struct poly *b, int64_t times);
bool poly_multiply(struct poly *a, const struct poly *b);
/* Divides by a product that each term has. */
bool poly_divide(struct poly *a, const struct poly *by);
bool poly_is_number(const struct poly *p, int64_t n);
/* Whether p is surely `bound` or more (greatest: or less), whatever the atoms are within bounds. */
bool poly_is_least(const struct atoms *x, struct poly p, int64_t bound);
bool poly_is_most(const struct atoms *x, struct poly p, int64_t bound);
/* Is p a product of numbers that are each 1 or more? */
bool is_positive_product(const struct atoms *x, const struct poly *p);

#endif
