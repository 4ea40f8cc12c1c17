/* linear.h: the accesses of an ordered loop's iterations, by subscripts that are sums. */
#ifndef UC_PLAN_LINEAR_H
#define UC_PLAN_LINEAR_H

#include "plan.h"

enum { MAX_SUMMANDS = 6, MAX_INDICES = 3 * FOOTPRINT_INDICES, MAX_PLACES = 32 };

/* A whole number: plus + times[0] * of[0] + ... */
struct linear {
    struct {
        const struct pvar *var; /* NULL: the dimension */
        int dim;                /* with var: by which it is multiplied; -1: none */
    } of[MAX_SUMMANDS];
    int64_t times[MAX_SUMMANDS], plus;
    int n;
};

/* The PS_BLOCKs around a statement, the innermost first. */
struct blocks {
    const struct pstmt *block;
    const struct blocks *outer;
};

/* The conditions of an iteration under which a place is accessed, the innermost first. */
struct guard {
    const struct pval *value;
    bool holds; /* else it does not */
    const struct guard *outer;
};

/* The loops of an iteration around a place, the innermost first: others may have no iterations. */
struct loops {
    const struct pstmt *loop;
    const struct loops *outer;
};

struct facts;

struct candidate {
    struct uc *uc;
    const struct plan *plan;
    const struct toucher *sets; /* of its variables, or NULL */
    const struct pstmt *loop;
    bool *written, *set;         /* by owned: the loop sets it; the iteration has set it */
    const struct blocks *blocks; /* those in the loop */
    const struct pstmt *index[MAX_INDICES]; /* loops around the loop, it, and those in it, outer
                                               ones first; or what sets a variable (loop_of_set) */
    int own, nindices;                      /* own: the loop's place among them */
    const struct pval *place[MAX_PLACES];   /* elements of outputs; an input's never clash */
    const struct guard *guard[MAX_PLACES], *guards; /* of places; where the search is */
    const struct loops *within[MAX_PLACES], *loops; /* the same */
    struct facts **facts;                           /* fact.c, once they are asked for */
    bool stored[MAX_PLACES];
    struct multiples *given; /* the sharer's */
    int merged[MAX_PLACES];  /* merge_of a PS_PUT; -1: it does more, or the place is read otherwise
                              */
    int nplaces;
};

/* shared.c */
/* Is v an element of an output? */
bool may_be_stored(const struct plan *p, const struct pval *v);
/* The loop with the accesses of an iteration; NULL: what an iteration sets is not its own. */
struct candidate *find_candidate(const struct sharer *x, const struct pstmt *s);
/* The same where it has all for itself that is in `written`, by number. */
struct candidate *new_candidate(const struct sharer *x, const struct pstmt *s, bool *written);
/* Whether different iterations may access the same element by two places, one of them stored to.
 * Adds to c->given what that takes for granted. */
bool may_clash(const struct candidate *c, int i, int k);
bool linear_of(const struct candidate *c, const struct pval *v, struct linear *l);
/* The place of a loop's index among a sum's summands; l->n: it is not there.  Nor is it twice,
 * else -1. */
int linear_place(const struct linear *l, const struct pvar *index);
bool linear_subtract(struct linear *a, const struct linear *b);
/* Replaces the indices of loops first_loop … end - 1 by values that make the sum the least, or the
 * greatest. */
bool linear_extreme(const struct candidate *c, int first_loop, int end, bool greatest,
                    struct linear *l);
/* Whether a subscript is in range of a dimension in all iterations. */
bool is_always_within(const struct candidate *c, const struct pval *v, const struct dim *dim);
bool linear_is_number(const struct linear *l);
/* Whether a sum without the loop's index, or those of loops in it, is 0 or more. */
bool linear_never_negative(const struct candidate *c, struct linear l);
/* Whether a sum has indices of loops in the loop, which may be others in another iteration. */
bool has_inner_index(const struct candidate *c, const struct linear *l);
/* Is the loop's index none of a sum's summands? */
bool is_without(const struct candidate *c, const struct linear *l);

/* wrap.c */
/* Does a loop stand for what sets a variable? */
bool is_setting(const struct pstmt *loop);
/* Whether a sum is a whole number that no integer is too narrow for, so that it does not begin
 * again at the least one.  within: it is a subscript, which is in range. */
bool never_wraps(const struct candidate *c, const struct pval *v, bool within);

/* whole.c */
struct pval *whole_index(struct lower *l, const struct pvar *var);
/* a + b, a * n, a - b, a // n */
struct pval *whole_add(struct lower *l, struct pval *a, struct pval *b);
struct pval *whole_times(struct lower *l, struct pval *a, int64_t n);
struct pval *whole_subtract(struct lower *l, struct pval *a, struct pval *b);
struct pval *whole_divide(struct lower *l, struct pval *a, int64_t n);
/* The greater of two, or the less. */
struct pval *whole_extreme(struct lower *l, bool greatest, struct pval *a, struct pval *b);
/* A sum as a value; NULL: it has products of an index and a size. */
struct pval *whole_value(struct lower *l, const struct linear *s);
/* A dimension's size as a sum. */
bool linear_of_size(const struct dim *dim, struct linear *l);
/* Is a known to be b or less, as both are sums? */
bool is_at_most(const struct candidate *c, const struct pval *a, const struct pval *b);

/* lag.c */
/* The lag of a loop whose iterations have all for themselves but what is not in `written`; 0: they
 * may not follow one another. */
int lag_of(const struct sharer *x, struct pstmt *loop, bool *written);

/* colour.c */
/* Whether places i and k are never the same element. */
bool are_coloured_apart(const struct candidate *c, int i, int k);

/* flat.c: whether they are never one element, by indices that are digits of subscripts. */
bool are_flat_apart(const struct candidate *c, int i, int k);

/* turned.c */
/* Whether no two different iterations access the same element by places i and k. */
bool are_turned_apart(const struct candidate *c, int i, int k);

/* between.c */
/* Whether no two different iterations access the same element by places i and k. */
bool are_between_apart(const struct candidate *c, int i, int k);
/* Whether two places are different elements in any one iteration. */
bool are_always_apart(const struct candidate *c, const struct pval *a, const struct pval *b);
/* What is known of two iterations beside: that an index of one is at most another one of the other,
 * or the same one, and `plus`. */
struct at_most {
    const struct pvar *a, *b;
    int side_a, side_b; /* 0 or 1 */
    int64_t plus;
};
/* Whether places i and k are never the same element where all that holds. */
bool never_meet(const struct candidate *c, int i, int k, const struct at_most *known, int n);

/* original.c */
/* Has a loop, of which there is no other copy, read `input` where `copy` is still what it was
 * before the loop.  Whether that makes a difference. */
bool read_original(const struct candidate *c, int copy, int input);

/* index.c: is it an element of a table of int64s, of which 32 bits hold all? */
bool is_of_small_table(const struct pval *v);

#endif
