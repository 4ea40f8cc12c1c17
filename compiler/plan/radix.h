/* radix.h: places whose subscripts are made of quotients and remainders of a loop's index. */
#ifndef UC_PLAN_RADIX_H
#define UC_PLAN_RADIX_H

#include "poly.h"

/* What is known of a plan's variables, by their numbers. */
struct facts {
    const struct plan *plan;
    const struct pval **only; /* the one value that statements set it to; or NULL */
    bool *index;              /* it is a loop's index, or an accumulator */
    bool *moved;              /* and statements set it, too */
    bool *power; /* it is 0, a power of two, or minus one: what statements set it to is */
};

/* fact.c */
struct facts *facts_new(struct uc *uc, const struct plan *p);
/* Whether a variable that a loop does not set is known to be at least a number where it begins. */
bool variable_least(const struct facts *f, const struct pvar *var, const struct pstmt *loop,
                    int64_t *least);

/* radix.c */
/* Whether no two different iterations access the same element by places i and k. */
bool are_radix_apart(const struct candidate *c, int i, int k);
/* Sets `power` of values in a loop of which that was asked. */
void mark_powers(const struct candidate *c, const struct pstmt *list);

/* trial.c */
/* Whether no two iterations access the same element, where constants tell which they access. */
bool are_tried_apart(const struct candidate *c);

#endif
