/* nvptx.h: what the files of the NVPTX target share. */
#ifndef GEN_GPU_NVPTX_H
#define GEN_GPU_NVPTX_H

#include "gpu.h"

/* nvptx.c */
/* Puts what `replacement` gives, of the same type, in the place of instructions of g->module, which
 * is optimised; NULL: one stays. */
void nvptx_replace(struct gen *g, LLVMValueRef (*replacement)(struct gen *g, LLVMValueRef i));

/* Instructions that only depend on their operands, one or two, of one type. */
LLVMValueRef nvptx_assembly(struct gen *g, LLVMTypeRef result, const char *code,
                            const char *constraints, LLVMValueRef *args, unsigned n);

/* nvptx_math.c */
/* The `library` of the target's struct body_target: functions of libdevice. */
LLVMValueRef nvptx_library(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                           LLVMTypeRef result, LLVMValueRef *args);
/* Links libdevice into g->module.  False after errors. */
bool nvptx_link(struct gen *g, LLVMTargetMachineRef machine, int sm);

/* nvptx_pow.c */
/* Generates the body of `function`, double pow(double, double); general: libdevice's pow. */
void nvptx_pow(struct gen *outer, LLVMValueRef function, LLVMValueRef general);

/* nvptx_loads.c */
/* Moves loads in unrolled loops of g->module, which is optimised, before divisions. */
void nvptx_loads_first(struct gen *g);

/* nvptx_clear.c: clears local arrays by words. */
void nvptx_clear(struct gen *g);

/* nvptx_divide.c */
/* a / d of integers, where d is not 0, and not -1 where a is the least number, which the optimiser
 * may move.  NULL: it may as it is, or is to be no call. */
LLVMValueRef nvptx_quotient(struct gen *g, bool has_sign, LLVMValueRef a, LLVMValueRef d);
/* Generates the functions that are called for divisions in g->module, which is optimised, and has
 * those of 64 bits be of 32 bits where the numbers fit. */
void nvptx_divide(struct gen *g);

/* nvptx_products.c */
/* Has 64-bit products of narrower numbers in g->module, which is optimised, be one instruction. */
void nvptx_products(struct gen *g);

/* nvptx_root.c */
/* Has square roots of float32 in g->module, which is optimised, be straight code. */
void nvptx_roots(struct gen *g);

/* nvptx_round.c */
/* Has conversions of rounded numbers to integers in g->module, which is optimised, round them. */
void nvptx_round(struct gen *g);

/* nvptx_sums.c */
/* Has small terms of 64-bit sums in g->module, which is optimised, be added up in 32 bits. */
void nvptx_sums(struct gen *g);

/* nvptx_words.c */
/* Has arithmetic of 8 and 16 bits in g->module, which is optimised, be of 32. */
void nvptx_words(struct gen *g);

/* nvptx_zero.c */
/* Has divisions in g->module, which is optimised, of what is often 0 be as fast where it is. */
void nvptx_zero(struct gen *g);

#endif
