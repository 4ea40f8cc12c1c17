/* sweep.h: what the files of SWEEP share. */
#ifndef GEN_GPU_GUFUNC_SWEEP_H
#define GEN_GPU_GUFUNC_SWEEP_H

#include "gufunc.h"

/* sweep_ahead.c: what a sweep's rows read of inputs.  Adds a phase to it, whose rows have that
 * index. */
struct next_rows;
struct next_rows *sweep_rows(struct gen *g);
void sweep_add_phase(struct next_rows *x, const struct pstmt *s, const struct pvar *row);
/* The group's threads have the cache load that of a row, i64, for one of so many groups, i32.
 * Indices are others behind it. */
void sweep_fetch(const struct next_rows *x, LLVMValueRef row, LLVMValueRef teams);

#endif
