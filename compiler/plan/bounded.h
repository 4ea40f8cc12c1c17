/* bounded.h: how many iterations loops take at most whose bounds are numbers, or indices of such.
 */
#ifndef UC_PLAN_BOUNDED_H
#define UC_PLAN_BOUNDED_H

#include "plan.h"

/* What a whole number is in: it is known where least <= most. */
struct interval {
    int64_t least, most;
};

/* For what follows: what indices and what was set last are in, by variable, of which nothing is
 * known. */
struct interval *unknown_intervals(struct uc *uc, const struct plan *p);
struct interval interval_of(const struct interval *within, const struct pval *v);
/* The iterations over lo..hi at most, of which the index is noted; INT64_MAX: it is not known that
 * they are few. */
int64_t most_steps(struct interval *within, const struct pvar *index, const struct pval *lo,
                   const struct pval *hi, const struct pval *step);

/* single.c */
/* Whether s is a loop in order that one thread of a call may run beside definitions: it is short,
 * and leaves but elements of outputs.  So may it with statements behind it, which read what it
 * leaves in variables: last becomes the last of them. */
bool may_be_single(const struct sharer *x, const struct pstmt *list, struct pstmt *s,
                   struct pstmt **last);
/* Does an ordered loop update elements that its iterations find, which may be dealt out? */
bool updates_bins(const struct sharer *x, const struct pstmt *loop);
/* Is a loop of the body beside a statement that all of a GPU may share, and that does more than to
 * fill an array?  Before it, only where the loop is so long that no thread runs it beside them
 * anyway. */
bool is_beside_wide(const struct sharer *x, const struct pstmt *s);

#endif
