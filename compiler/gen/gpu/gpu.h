/* gpu.h: what the generators of GPU kernels share. */
#ifndef GEN_GPU_H
#define GEN_GPU_H

#include "gen/body/build.h"

/* gufunc/gufunc.c */
/* The GPU kernels of a gufunc's plan. */
void gen_gufunc_kernels(struct gen *g);

/* pow.c: the body of double pow(double, double), of GPUs; general: libdevice's */
void gen_pow(struct gen *outer, LLVMValueRef function, LLVMValueRef general);

/* nvptx.c: i32 */
LLVMValueRef gen_special_register(struct gen *g, const char *name); /* "nvvm.read.ptx.sreg.…" */
LLVMValueRef gen_thread_number(struct gen *g);                      /* in the grid */

/* ufunc/ufunc.c: the kernels of a module of g->plan, which call its element function */
void gen_kernels(struct gen *g, enum ufc_module module, LLVMValueRef element);

/* fold/fold.c: those that reduce, where g->plan has them */
void gen_fold_kernels(struct gen *g, LLVMValueRef element);

/* warp.c */
/* Of all of the block's threads. */
void gen_barrier(struct gen *g);
/* What another of the warp's threads has, of any scalar type: the one `by` (i32) lanes on, or
 * before, the one of lane number ^ by, the one of lane `by`.  lane_mask: i32, those that take part,
 * as bits. */
enum shuffle { SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLE_ACROSS, SHUFFLE_FROM };
LLVMValueRef gen_shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask, LLVMValueRef v,
                         LLVMValueRef by);

/* loads.c: in g's module, which is optimised */
void gen_loads_first(struct gen *g);

#endif
