/* nvptx.h: what the files of the NVPTX target share. */
#ifndef GEN_GPU_NVPTX_H
#define GEN_GPU_NVPTX_H

#include "gpu.h"

/* nvptx_math.c */
/* A struct body_target's library: libdevice. */
LLVMValueRef nvptx_library(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                           LLVMTypeRef result, LLVMValueRef *args);
bool nvptx_link(struct gen *g, LLVMTargetMachineRef machine, int sm);

/* nvptx_pow.c: the body of double pow(double, double); general: libdevice's */
void nvptx_pow(struct gen *outer, LLVMValueRef function, LLVMValueRef general);

/* nvptx_loads.c: in g's module, which is optimised */
void nvptx_loads_first(struct gen *g);

#endif
