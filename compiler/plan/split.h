/* split.h: what split.c, which makes spreads of ordered loops, has of the files beside it. */
#ifndef UC_PLAN_SPLIT_H
#define UC_PLAN_SPLIT_H

#include "plan.h"

/* again.c */
/* Whether what statements of a list set may be computed again wherever that is needed: they read
 * nothing that the list stores, and are the same numbers there. */
bool may_set_again(const struct sharer *x, const struct pstmt *list);
/* What statements from `from` on store, with all of the list that it needs; NULL: they store
 * nothing. Has x know how often this mentions variables. */
struct pstmt *stores_again(struct sharer *x, const struct pstmt *list, const struct pstmt *from,
                           const struct pstmt *end);
/* The same of statement s of the list, which is the loop, or its serial form: as a loop whose
 * iterations compute what they need.  NULL: it is not worth it. */
struct pstmt *loop_again(struct sharer *x, const struct pstmt *list, const struct pstmt *s,
                         const struct pstmt *loop);

/* few.c */
/* Whether threads share steps of ordered loops in a loop. */
bool has_shared_steps(const struct sharer *x, const struct pstmt *loop);
bool are_few_iterations(const struct pstmt *loop);

/* triangle.c */
/* A list of statements without those that set bounds, or what else is made of sizes and indices,
 * which then stand where they are read. */
struct pstmt *inline_bounds(const struct sharer *x, struct pstmt *list);
/* The loop of n by whose index a bound grows, and from which it differs by a number at most; NULL:
 * there is none. */
const struct pstmt *grows_with(const struct pstmt *const *outer, int n, const struct pval *bound);
/* Gives a loop, of which a bound may so grow, the bounds that hold all its iterations for any outer
 * index, and a test in its body of those that there are. */
void widen_triangle(struct uc *uc, const struct pstmt *const *outer, int n, struct pstmt *loop);

/* parted.c */
/* A loop in others that stores elements and goes on with variables, as a list of loops that do one
 * of these each, some of which threads may share; NULL: it is none.  at: where it is.  Has x know
 * how often variables are mentioned where the list stands for it, which it does not yet. */
struct pstmt *part_step(struct sharer *x, struct pstmt **at);

/* turn.c */
/* An ordered loop whose iterations take in all earlier ones, as a loop of which each iteration is
 * taken in by all later ones at once; NULL: it must run as it is. */
struct pstmt *turn_loop(const struct sharer *x, const struct pstmt *s);

/* strip.c */
/* Whether as many of an ordered loop's iterations may run in any order as there are between those
 * that need one another. */
bool may_strip(const struct sharer *x, const struct pstmt *s);
/* Such a loop as one over strips of that many, of which each is a definition: the variables are
 * those of a strip and of a place in it.  NULL: it is none. */
struct pstmt *strip_loop(const struct sharer *x, const struct pstmt *s, struct pvar *strip,
                         struct pvar *place);

/* residue.c */
/* An ordered loop whose iterations need those that are a distance before them, as a definition with
 * a point for each rest that indices leave; NULL: it is none.  The plan may get variables. */
struct pstmt *residue_loop(const struct sharer *x, const struct pstmt *s);
/* A list that runs only where a condition holds, or hardly ever, as it holds, where it does not. */
struct pstmt *only_if(struct uc *uc, struct pval *is, bool holds, struct pstmt *list,
                      struct span at);
/* Where all that iterations of a loop read of what they store to, *operand, is stored later; NULL:
 * that cannot be told. */
struct pval *stored_ahead_where(const struct sharer *x, const struct pstmt *s, int *operand);

/* seldom.c */
/* Has the threads of a call look for the iterations of ordered loops of the body that do something,
 * where most do nothing.  Whether there are any. */
bool skip_iterations(struct uc *uc, struct plan *p);

#endif
