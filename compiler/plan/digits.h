/* digits.h: values in two iterations of a loop, by the digits of its index. */
#ifndef UC_PLAN_DIGITS_H
#define UC_PLAN_DIGITS_H

#include "radix.h"

enum { MAX_DIGITS = 6, SIDES = 2 };

struct radix {
    const struct candidate *c;
    const struct facts *facts;
    struct atoms atoms;
    struct poly modulus[MAX_DIGITS]; /* ascending, the first one 1 */
    int ndigits;
    bool collects;                /* moduli; the index is taken for 0 */
    bool fixed;                   /* only what is the same in all iterations is looked for */
    bool zero[SIDES][MAX_DIGITS]; /* the digit is 0 where the place is accessed */
    struct poly digit[SIDES][MAX_DIGITS]; /* of each of two iterations */
    int inner[SIDES][MAX_INDICES];        /* the atom of a loop's index; -1: none yet */
    int levels;                           /* of values in one another, so far */
};

/* digits.c */
const struct poly *radix_keep(struct radix *x, const struct poly *p);
/* A number that varies from lo to hi, NULL: without a bound. */
bool radix_varying(struct radix *x, const struct poly *lo, const struct poly *hi, struct poly *p);
/* Is v made of what is the same in all iterations, and read from no array? */
bool is_radix_invariant(const struct radix *x, const struct pval *v);
/* Is p a power of two? */
bool is_radix_power(const struct radix *x, const struct poly *p);
/* The quotient of two moduli, if the greater one is a multiple of the other. */
bool radix_ratio(const struct radix *x, const struct poly *greater, const struct poly *less,
                 struct poly *ratio);
/* What a variable that the iteration sets is set to. */
const struct pval *radix_set_value(const struct radix *x, const struct pval *v);
/* The bounds of a loop's index, in the order of its values.  NULL: there is none. */
void radix_bounds(struct radix *x, const struct pstmt *s, int side, const struct poly **lo,
                  const struct poly **hi);
/* Is the digit of an index that is not divided the number of the iteration? */
bool radix_counts_turns(const struct radix *x);
/* The polynomial of a value in the iteration of a side. */
bool radix_value(struct radix *x, const struct pval *v, int side, struct poly *p);

#endif
