/* retime.h: what retime.c, retime_bounds.c and retime_kept.c share. */
#ifndef UC_PLAN_RETIME_H
#define UC_PLAN_RETIME_H

#include "linear.h"

enum { MAX_LEAVES = 6, MAX_DEPTH = 4, BEFORE_ALL = -1, MAX_KEPT = 4 };

/* What a bound is `plus` more than: nothing, a dimension, the step, or the index of a level. */
struct edge {
    enum { OF_ZERO, OF_DIM, OF_STEP, OF_LEVEL } of;
    int id;
    int64_t plus;
};

/* A statement that stores, in loops. */
struct leaf {
    struct pstmt *put;
    const struct pstmt *loop[MAX_DEPTH]; /* around it, the outermost first */
    int depth;
    int time;        /* which of these is the step; BEFORE_ALL */
    uint32_t places; /* its elements among the candidate's, a bit each */
    /* What it becomes: the loops of its other indices, and itself in terms of these and the step.
     */
    struct level {
        struct pvar *var;
        struct edge lo, hi; /* hi is exclusive */
    } level[MAX_DEPTH];
    int levels;
    struct pstmt *own;
    bool gone; /* it is part of another one */
};

/* An element that statements store to, which had a variable for it; depth: loops around both. */
struct kept_place {
    const struct pval *place;
    int depth;
    const struct pstmt *put[3]; /* these, or NULL: the first one, that in a loop, the last */
};

/* An element that statements read in place of a variable which it was stored from; depth: loops
 * around both. */
struct read_place {
    const struct pval *place;
    int depth;
};

struct retiming {
    struct uc *uc;
    struct plan *plan;
    struct pstmt *loop; /* a copy */
    const struct candidate *c;
    const struct pstmt *around[MAX_DEPTH];
    struct leaf leaf[MAX_LEAVES];
    int nleaves, deepest;
    bool first[MAX_LEAVES][MAX_LEAVES]; /* of two in a step, the one comes before the other */
    int order[MAX_LEAVES];
    /* By leaves, their steps and `by`: 1 or -1 once are_in_order is known of all their elements. */
    signed char in_order[MAX_LEAVES][MAX_LEAVES][MAX_DEPTH + 1][MAX_DEPTH + 1][2];
    struct kept_place kept[MAX_KEPT];
    int nkept;
    struct read_place read[MAX_KEPT];
    int nread;
    bool chooses; /* conditions are choices of values */
    struct pvar *step;
};

/* retime_sums.c */
/* Has definitions and sums of the loop be loops. */
void open_spreads(struct retiming *x);
/* Has values and elements stand for variables that allow that; all: mentions of variables. */
void stand_in_values(struct retiming *x, const int *all);
/* Whether all that choices read is there, whatever they choose. */
bool do_choices_exist(struct retiming *x);
/* Whether elements that are read in place of variables are what these were. */
bool are_read_apart(const struct retiming *x);

/* retime_kept.c */
/* Has lists of a loop store to an element what they have a variable for, until they store it there;
 * depth: of loops around the list. */
void keep_in_places(struct retiming *x, const struct sharer *sharer, struct pstmt **list,
                    int depth);
/* The element that a statement of these stores to; NULL: it is none. */
const struct kept_place *kept_of(const struct retiming *x, const struct pstmt *put);

/* retime_bounds.c */
/* Finds what leaves become.  False: their bounds are no differences. */
bool find_bounds(struct retiming *x);
/* The statements before the steps, and their loop. */
struct pstmt *loops_of_steps(struct retiming *x);

#endif
