/* loop_steps.h: an ordered loop that is launched step by step: plan/steps.c.  Part of loop_ir.h,
 * which includes it. */
#ifndef LOOP_STEPS_H
#define LOOP_STEPS_H

/* The phases from that of `begin` to that of `end` are launched for each iteration. */
struct plan_steps {
    struct pvar *number;       /* the iteration's, from 0, an int64 that launches are told */
    struct pstmt *begin, *end; /* assignments, the first and the last statement of an iteration */
    struct ufc_term *count;    /* iterations */
    int ncount;
};

#endif
