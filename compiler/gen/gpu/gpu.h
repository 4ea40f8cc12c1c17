/* gpu.h: what the generators of GPU kernels share, and what they ask of a target.
 *
 *   target.def              the targets: each is struct gpu_target <name>_target, in <name>.c
 *   nvptx.c, nvptx_*.c      NVIDIA's GPUs
 *   warp.c                  what threads do together, of what a target has
 *   ufunc/, fold/, gufunc/  the kernels, which know no target
 *   module.c                a module: kernels, then passes */
#ifndef GEN_GPU_H
#define GEN_GPU_H

#include "gen/body/build.h"

/* Threads of a warp, on every target: image_abi.h's `group` and lane masks are of as many. */
enum { WARP = 32 };

enum gpu_id { THREAD_ID, BLOCK_ID, BLOCK_SIZE }; /* in the block, in the grid; threads of a block */

/* What another of the warp's threads has: the one `by` (i32) lanes on, or before, the one of lane
 * number ^ by, the one of lane `by`. */
enum shuffle { SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLE_ACROSS, SHUFFLE_FROM };

struct gpu_target {
    struct body_target body; /* first: struct gen points to it */
    unsigned option;         /* of ufcc_options.targets */
    ufcc_output output;      /* what it emits beside LLVM IR */
    unsigned global, shared; /* address spaces */

    LLVMTargetMachineRef (*machine)(struct uc *uc, int arch); /* NULL after an error */
    /* Makes g->function a kernel, whose parameter is a struct of a type, of blocks of so many
     * threads; blocks: that a multiprocessor is to have at least, 0: as it comes. */
    void (*kernel)(struct gen *g, LLVMTypeRef param, int threads, int blocks);
    LLVMValueRef (*id)(struct gen *g, enum gpu_id id); /* i32 */
    void (*barrier)(struct gen *g);                    /* of all of the block's threads */
    /* lane_mask: i32, those of the warp's threads that take part, as bits. */
    void (*warp_barrier)(struct gen *g, LLVMValueRef lane_mask);
    LLVMValueRef (*shuffle)(struct gen *g, enum shuffle way, LLVMValueRef lane_mask,
                            LLVMValueRef word, LLVMValueRef by); /* of an i32 */
    /* Links the functions that body.library called.  False after errors. */
    bool (*link)(struct gen *g, LLVMTargetMachineRef machine, int arch);
    void (*finish)(struct gen *g); /* of the module, which is optimised */
};

/* The target of g, which generates for a GPU. */
static inline const struct gpu_target *gpu(const struct gen *g) {
    return (const struct gpu_target *)(const void *)g->target;
}

static inline LLVMTypeRef global_pointer_type(struct gen *g) {
    return LLVMPointerTypeInContext(g->context, gpu(g)->global);
}

/* The struct ufc_fault at an address (i64). */
static inline LLVMValueRef gen_fault_at(struct gen *g, LLVMValueRef address) {
    return LLVMBuildIntToPtr(g->b, address, global_pointer_type(g), "");
}

/* warp.c */
LLVMValueRef gen_thread_number(struct gen *g); /* in the grid, i32 */
/* Of a value of any scalar type. */
LLVMValueRef gen_shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask, LLVMValueRef v,
                         LLVMValueRef by);

/* ufunc/ufunc.c: the kernels of a module of g->plan, which call its element function */
void gen_kernels(struct gen *g, enum ufc_module module, LLVMValueRef element);

/* fold/fold.c: those that reduce, where g->plan has them */
void gen_fold_kernels(struct gen *g, LLVMValueRef element);

/* gufunc/gufunc.c */
/* The GPU kernels of a gufunc's plan. */
void gen_gufunc_kernels(struct gen *g);

#endif
