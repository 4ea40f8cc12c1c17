/* micro.h: what micro.c and spread.c share: vectors of elements of reductions. */
#ifndef GEN_GPU_GUFUNC_MICRO_H
#define GEN_GPU_GUFUNC_MICRO_H

#include "gufunc.h"

/* spread.c: the thread's share of whole vectors, then of the last range's remaining points one by
 * one. */
void gen_vectors(struct gen *g, const struct taking *k, struct nest *n);

/* micro.c: the share of a thread that has a microtile of the reduction s, by_one: whose last range
 * has a step of 1, where it can take vectors.  Gives a block behind what is generated next, for
 * where it cannot, which end_micro_vectors places; NULL: it never can. */
LLVMBasicBlockRef begin_micro_vectors(struct gen *g, const struct pstmt *s, struct nest *n,
                                      bool by_one);
void end_micro_vectors(struct gen *g, LLVMBasicBlockRef done);

#endif
