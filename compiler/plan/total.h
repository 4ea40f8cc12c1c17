/* total.h: the totals that ordered loops take in variables. */
#ifndef UC_PLAN_TOTAL_H
#define UC_PLAN_TOTAL_H

#include "plan.h"

enum { MAX_TOTALS = 4 };

/* A variable that a loop takes a total in. */
struct total {
    struct pvar *var, *acc, *other;
    const struct pstmt *set;   /* what joins to it; NULL: there is none yet */
    struct pstmt *choice;      /* the PS_IF that chooses its value; NULL: it is joined */
    bool compared;             /* it is the one that the PS_IF compares */
    struct pvar *turn, *later; /* the index at which it was chosen, of the accs and of others; NULL:
                                  it is not kept */
};

struct totals {
    struct lower *l;
    struct total total[MAX_TOTALS];
    int n;
    bool down;    /* the loop descends */
    bool stores;  /* the loop may store to arrays, too, */
    bool reduces; /* or have reductions */
};

/* join.c */
/* The least number of a type, or the greatest. */
struct pval *extreme(struct lower *l, enum ufc_dtype d, bool greatest);
/* What leaves the other number of a join as it is; and a join. */
struct pval *neutral_of(struct lower *l, int join, enum ufc_dtype d);
struct pval *joined_by(struct lower *l, int join, struct pval *a, struct pval *b);

/* exact.c: sets `exact` of all variables. */
void find_exact(const struct plan *p);

/* total.c */
/* The operation, on a state that is the first argument or the second one, by which a value joins
 * a number to it: an enum op, or OP_COUNT and the id of a built-in function; -1: it does something
 * else.  Differences and sums are one, where the state is the first. */
int join_of_value(const struct pval *v);
/* Whether a loop of the body only takes totals. */
bool has_loop_totals(struct lower *l, struct pstmt *loop);
/* A copy of what a loop, whose iterations have their variables for themselves, does in one, in
 * which loops that only take totals are reductions. */
struct pstmt *point_totals(const struct sharer *x, struct lower *l, struct pstmt *loop);
/* Finds the totals that a loop takes beside what it stores, and takes their variables off
 * `written`.  False: there are none, or it uses what they are set to. */
bool find_totals_beside(const struct sharer *x, struct totals *t, struct pstmt *loop,
                        bool *written);
/* Emits that the totals' accs, new variables, are what leaves them as they are.  turns: the loop is
 * to keep at which index values are chosen. */
void begin_accs(struct totals *t, const struct pstmt *loop, bool turns);
/* A copy of the loop that takes the totals in their accs. */
struct pstmt *copy_with_accs(const struct totals *t, const struct pstmt *loop);
/* Sets the accs of a statement to those of the totals. */
void list_accs(const struct totals *t, struct pstmt *s);
/* Emits what joins the accs of another part, or those of all parts, to those of a part, or to the
 * variables. */
void join_totals(struct totals *t, bool all, struct span at);

/* peel.c */
/* Puts the first iterations of the loops in a list before them that alone do without comparing. */
void peel_loops(struct lower *l, struct pstmt **list);

/* allowed.c */
/* The same of loops that take the first element which conditions allow. */
void take_allowed(struct lower *l, struct pstmt **list);

/* incumbent.c */
/* Has the best elements so far, which loops compare with by their indices, in variables. */
void keep_incumbents(struct lower *l);

/* last_stored.c: has loops that compare with what they stored last have that in a variable. */
void keep_last_stored(struct lower *l);

/* part.c */
/* Makes two loops of one, *at, that stores elements and takes totals of them.  False: it does more.
 */
bool part_totals(const struct sharer *x, struct lower *l, struct pstmt **at);
/* A loop that goes on with variables, of what another one has in the place of elements that it
 * would store, and that one, behind it, which stores these: copies of what `loop` does, where
 * nothing takes long.  NULL: it does more. */
struct pstmt *sums_ahead(const struct sharer *x, struct lower *l, const struct pstmt *loop);

/* cell.c */
/* A copy of what a loop does in an iteration, no other one of which accesses the element that it
 * stores, or not at that time, with the element that loops there join numbers to in
 * a variable; NULL: there is none. */
struct pstmt *keep_cell(const struct sharer *x, struct lower *l, struct pstmt *loop);
/* Has the iterations of a loop, which are points, keep such elements, and those that all loops
 * there join numbers to alone, so that each of these takes totals.  Whether there are any. */
bool keep_cells(const struct sharer *x, struct lower *l, struct pstmt *loop);

/* point_cell.c */
/* Has points of definitions keep elements that several loops in one another join to, or that a loop
 * does under conditions, in variables. */
void keep_point_cells(struct uc *uc, struct plan *p);

#endif
