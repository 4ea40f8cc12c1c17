/* gpu.h: what the generators of GPU kernels share, and what they ask of a target.
 *
 *   target.def              the targets: each is struct gpu_target <name>_target, in <name>.c
 *   nvptx.c, nvptx_*.c      NVIDIA's GPUs
 *   frame.c, occupancy.c    what all kernels have around their bodies
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

/* Of a thread's number in its block, i32: its place in its warp; its warp's number. */
static inline LLVMValueRef lane_of(struct gen *g, LLVMValueRef thread) {
    return LLVMBuildAnd(g->b, thread, i32(g, WARP - 1), "");
}
static inline LLVMValueRef warp_of(struct gen *g, LLVMValueRef thread) {
    return LLVMBuildLShr(g->b, thread, i32(g, __builtin_ctz(WARP)), "");
}

/* frame.c */
/* Begins a kernel: a function whose one parameter, a struct of so many bytes, is read in place.
 * element: the body that it calls, or NULL. */
void begin_kernel(struct gen *g, enum ufc_kernel_kind kind, size_t param_size,
                  LLVMValueRef element);
/* Members of the parameter, at byte offsets. */
LLVMValueRef param_i32(struct gen *g, size_t offset);
LLVMValueRef param_i64(struct gen *g, size_t offset);
LLVMValueRef param_dtype(struct gen *g, size_t offset);                   /* i32, of an int64_t */
LLVMValueRef param_value(struct gen *g, enum ufc_dtype d, size_t offset); /* a number */
/* Global memory, by its address, i64. */
LLVMValueRef global_pointer(struct gen *g, LLVMValueRef address);
LLVMValueRef load_element(struct gen *g, enum ufc_dtype d, LLVMValueRef address);
void store_element(struct gen *g, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef address);
/* n elements in shared memory. */
LLVMValueRef shared_array(struct gen *g, LLVMTypeRef type, unsigned n, unsigned align,
                          const char *name);
/* An input whose pointer (i64) is 0 is a number in the parameter.  Between begin and end is what
 * loads it where it has a pointer; the end gives one or the other. */
struct by_value {
    LLVMValueRef number;
    LLVMBasicBlockRef block, done;
};
struct by_value begin_memory(struct gen *g, enum ufc_dtype d, LLVMValueRef pointer,
                             size_t value_offset);
LLVMValueRef end_memory(struct gen *g, const struct by_value *n, LLVMValueRef loaded);
/* A loop's axes and n addresses that move along them. */
struct loop_axes {
    LLVMValueRef naxes; /* in use, i32 */
    size_t axes;        /* where the parameter has their struct ufc_kparam_axes */
    int n;
    size_t stride[UFC_MAX_OPERANDS + 1]; /* and each address's strides, bytes, i64 */
};
/* Moves the addresses to element `index`, i32, or i64 where one axis may be that long.  The last
 * axis in use takes what is left of it. */
void find_element(struct gen *g, const struct loop_axes *a, LLVMValueRef index,
                  LLVMValueRef *address);
/* Moves the addresses to the first element of piece `index`, i32: along axes 0 and 1, which all
 * loops have, and in a loop along the rare others.  scale: elements of a piece along axes 0 and 1,
 * or NULL; along: the element's places there, i32. */
void find_piece(struct gen *g, const struct loop_axes *a, LLVMValueRef index, LLVMValueRef *scale,
                LLVMValueRef *address, LLVMValueRef *along);

/* occupancy.c: blocks of a kernel that a multiprocessor is to hold at least; 0: any number */
int least_blocks(const struct plan *p, enum ufc_kernel_kind kind, LLVMValueRef element);

/* warp.c */
LLVMValueRef gen_thread_number(struct gen *g); /* in the grid, i32 */
/* Of a value of any scalar type. */
LLVMValueRef gen_shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask, LLVMValueRef v,
                         LLVMValueRef by);

/* ufunc/ufunc.c, fold/fold.c, gufunc/gufunc.c: the kernels of these families that are in a module
 * of g->plan; those of ufuncs call its element function. */
void gen_ufunc_kernels(struct gen *g, enum ufc_module module, LLVMValueRef element);
void gen_fold_kernels(struct gen *g, enum ufc_module module, LLVMValueRef element);
void gen_gufunc_kernels(struct gen *g, enum ufc_module module);

#endif
