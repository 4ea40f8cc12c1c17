/* gpu.h: what the generators of GPU kernels share, and what they ask of a target.
 *
 *   target.def              the targets: each is struct gpu_target <name>_target, in <name>.c
 *   nvptx.c, nvptx_*.c      NVIDIA's GPUs
 *   frame.c                 what all kernels have around their bodies
 *   occupancy.c             how many blocks of a kernel a multiprocessor holds at least
 *   warp.c                  shuffles of any type, and a thread's number in the grid
 *   ufunc/, fold/, gufunc/  the kernels, the same for all targets
 *   module.c                a module: its kernels are generated, optimised and emitted */
#ifndef GEN_GPU_H
#define GEN_GPU_H

#include "gen/body/build.h"

/* Threads of a warp, on every target: image_abi.h's `group` and lane masks rely on it. */
enum { WARP = 32 };

/* The thread's number in its block, the block's number in the grid, threads of a block. */
enum gpu_id { THREAD_ID, BLOCK_ID, BLOCK_SIZE };

/* From which lane a thread gets its value: lane + by, lane - by, lane ^ by, or lane number `by`
 * (i32). */
enum shuffle { SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLE_ACROSS, SHUFFLE_FROM };

struct gpu_target {
    struct body_target body; /* first: struct gen points to it */
    unsigned option;         /* its bit in ufcc_options.targets */
    ufcc_output output;      /* what it emits, if not LLVM IR */
    unsigned global, shared; /* address spaces */
    const char *passes;      /* the target's own, which run before all others */

    LLVMTargetMachineRef (*machine)(struct uc *uc, int arch); /* NULL after an error */
    /* Makes g->function, whose one parameter points to a `param`, a kernel for blocks of `threads`
     * threads; blocks: how many of them a multiprocessor is to hold at least; 0: any number. */
    void (*kernel)(struct gen *g, LLVMTypeRef param, int threads, int blocks);
    LLVMValueRef (*id)(struct gen *g, enum gpu_id id); /* i32 */
    void (*barrier)(struct gen *g);                    /* among all of the block's threads */
    /* The same; whether v (i1) holds in all of them. */
    LLVMValueRef (*barrier_all)(struct gen *g, LLVMValueRef v);
    /* Among all threads of a cluster of blocks, which see what the others stored before. */
    void (*cluster_barrier)(struct gen *g);
    /* Nothing, which keeps the block that it is in: begin_large_if (frame.c). */
    void (*hold_block)(struct gen *g);
    /* What the thread stored before is seen by all of the device's threads before what it stores
     * afterwards; and what it loads afterwards is loaded later. */
    void (*fence)(struct gen *g);
    /* Adds n, i32, to a counter, an i32 in global memory, and loads it, i32: who sees the sum sees
     * what the thread, and those that it waited for, stored before. */
    void (*arrive)(struct gen *g, LLVMValueRef counter, LLVMValueRef n);
    LLVMValueRef (*arrived)(struct gen *g, LLVMValueRef counter);
    /* lane_mask: i32, a bit for each of the warp's threads that takes part. */
    void (*warp_barrier)(struct gen *g, LLVMValueRef lane_mask);
    LLVMValueRef (*ballot)(struct gen *g, LLVMValueRef lane_mask,
                           LLVMValueRef condition); /* i1; i32: those where it holds, as bits */
    /* i32: those of the warp's threads, of all of which it has 32, that have the same word, i32. */
    LLVMValueRef (*match)(struct gen *g, LLVMValueRef word);
    LLVMValueRef (*shuffle)(struct gen *g, enum shuffle way, LLVMValueRef lane_mask,
                            LLVMValueRef word, LLVMValueRef by); /* word: i32 */
    /* Adds the products of k (4, 8, 16) steps, of float64, to c, the elements of a 16 by 8 matrix
     * that a warp's threads have, one after the other for each element: thread 4 x + y has rows x
     * and x + 8 of columns 2 y and 2 y + 1 in c, row by row; of each step y + 4 n it has those rows
     * in a, from a[2 n] on, and column x in b[n]. */
    void (*multiply_matrices)(struct gen *g, int k, LLVMValueRef c[4], LLVMValueRef *a,
                              LLVMValueRef *b);
    void (*prefetch)(struct gen *g, LLVMValueRef at); /* has the L1 cache load a line */
    /* Begins to copy `size` (8, 16) bytes from global to shared memory, but zeros behind the first
     * `bytes` (i32) of them.  end_copies makes those so far a group; await_copies waits for all of
     * the thread's groups but the last so many. */
    void (*copy)(struct gen *g, LLVMValueRef to, LLVMValueRef from, unsigned size,
                 LLVMValueRef bytes);
    void (*end_copies)(struct gen *g);
    void (*await_copies)(struct gen *g, unsigned groups);
    /* Links the functions that body.library called.  False after errors. */
    bool (*link)(struct gen *g, LLVMTargetMachineRef machine, int arch);
    void (*finish)(struct gen *g, int arch); /* changes to g->module after it was optimised */
};

/* The target of g, for which g->target is a GPU's. */
static inline const struct gpu_target *gpu(const struct gen *g) {
    return (const struct gpu_target *)(const void *)g->target;
}

static inline LLVMTypeRef global_pointer_type(struct gen *g) {
    return LLVMPointerTypeInContext(g->context, gpu(g)->global);
}

/* For a thread's number in its block, i32: its lane, and the number of its warp. */
static inline LLVMValueRef lane_of(struct gen *g, LLVMValueRef thread) {
    return LLVMBuildAnd(g->b, thread, i32(g, WARP - 1), "");
}
static inline LLVMValueRef warp_of(struct gen *g, LLVMValueRef thread) {
    return LLVMBuildLShr(g->b, thread, i32(g, __builtin_ctz(WARP)), "");
}

/* frame.c */
/* Begins a kernel, whose parameter is a struct of param_size bytes.  element: the function of the
 * body that it is to call, or NULL. */
void begin_kernel(struct gen *g, enum ufc_kernel_kind kind, size_t param_size,
                  LLVMValueRef element);
/* Members of the parameter, at byte offsets; constants, where the code knows them. */
LLVMValueRef param_i32(struct gen *g, size_t offset);
LLVMValueRef param_i64(struct gen *g, size_t offset);
LLVMValueRef param_dtype(struct gen *g, size_t offset);                   /* an int64_t, as i32 */
LLVMValueRef param_value(struct gen *g, enum ufc_dtype d, size_t offset); /* an element */
/* As begin_if, where much changes: of a branch whose other side has no code, LLVM makes one that is
 * behind copies of all that changes. */
LLVMBasicBlockRef begin_large_if(struct gen *g, LLVMValueRef condition);
/* Global memory at an address, i64. */
LLVMValueRef global_pointer(struct gen *g, LLVMValueRef address);
LLVMValueRef load_element(struct gen *g, enum ufc_dtype d, LLVMValueRef address);
void store_element(struct gen *g, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef address);
/* A word with an element of `bits` bits put into it, where it has zeros. */
LLVMValueRef put_lane(struct gen *g, LLVMValueRef word, int bits, int lane, LLVMValueRef v);
/* An array of n elements in shared memory, aligned to `align` bytes. */
LLVMValueRef shared_array(struct gen *g, LLVMTypeRef type, unsigned n, unsigned align,
                          const char *name);
/* An input whose pointer (i64) is 0 is a number in the parameter, at value_offset.  The code
 * between begin_memory and end_memory loads it where the pointer is not 0; end_memory gives the
 * number or what was loaded. */
struct by_value {
    LLVMValueRef number;
    LLVMBasicBlockRef block, done;
};
struct by_value begin_memory(struct gen *g, enum ufc_dtype d, LLVMValueRef pointer,
                             size_t value_offset);
LLVMValueRef end_memory(struct gen *g, const struct by_value *n, LLVMValueRef loaded);
/* Addresses and other numbers that grow along a loop's axes: of all operands, and a ufunc's mask or
 * what NEST adds. */
enum { MAX_WALKED = UFC_MAX_OPERANDS + 1 + UFC_MAX_POINT_RANGES };
/* A loop's axes and n addresses that move along them. */
struct loop_axes {
    LLVMValueRef naxes; /* axes in use, i32 */
    size_t axes;        /* offset of their struct ufc_kparam_axes in the parameter */
    int n;
    size_t stride[MAX_WALKED]; /* offsets of each address's strides, bytes, i64 */
    bool word[MAX_WALKED];     /* no address but a number, i32, which fits 31 bits */
};
/* Moves the addresses to element `index`, i32, or i64 where one axis may be that long.  The size of
 * the last axis in use is not read: what the other axes leave of the index is the position on it.
 */
void find_element(struct gen *g, const struct loop_axes *a, LLVMValueRef index,
                  LLVMValueRef *address);
/* Moves the addresses to the first element of piece `index`, i32: along axes 0 and 1, which are
 * always there, then along the others in a loop, since they are rare.  scale: elements of a piece
 * along axes 0 and 1; NULL: 1.  along: set to the element's indices on axes 0 and 1, i32. */
void find_piece(struct gen *g, const struct loop_axes *a, LLVMValueRef index, LLVMValueRef *scale,
                LLVMValueRef *address, LLVMValueRef *along);

/* occupancy.c */
/* How many blocks of a kernel a multiprocessor is to hold at least; 0: any number. */
int least_blocks(const struct plan *p, enum ufc_kernel_kind kind, LLVMValueRef element);
bool has_64_bits(const struct plan *p); /* whether an operand has parts of so many */
/* Is a ufunc of several inputs so small, and of elements so narrow, that ROWS has two rows at once?
 */
bool is_smallest(const struct plan *p, LLVMValueRef element);

/* regions.c */
/* The tile of a block, one of so many of a line, and of so many lines: i32 all, since a launch has
 * fewer blocks than 2^31. */
struct tiles {
    LLVMValueRef tile, number, line, lines;
};
/* Numbers of entries, i32; has, ends: i1. */
struct entries {
    LLVMValueRef own;          /* the tile's */
    LLVMValueRef n;            /* how many hold what is before it, in the order of threads */
    LLVMValueRef has, thread;  /* the thread's of them, if it has one */
    LLVMValueRef ends, region; /* the tile is its region's last one, whose entry that is */
};
struct entries find_tile_entries(struct gen *g, const struct tiles *t, LLVMValueRef thread);

/* warp.c */
LLVMValueRef gen_thread_number(struct gen *g);              /* in the grid, i32 */
LLVMValueRef trailing_zeros(struct gen *g, LLVMValueRef v); /* of an integer that is not 0 */
/* gpu_target's shuffle for a value of any scalar type. */
LLVMValueRef gen_shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask, LLVMValueRef v,
                         LLVMValueRef by);
/* Of a warp whose lanes are all there: v of a lane; what the lanes up to this one, of number
 * `lane`, have of v together; and the lane whose share has number n of all, where `upto` is such a
 * sum. */
LLVMValueRef gen_from_lane(struct gen *g, LLVMValueRef v, LLVMValueRef lane);
LLVMValueRef gen_sum_lanes(struct gen *g, LLVMValueRef v, LLVMValueRef lane);
LLVMValueRef gen_lane_of(struct gen *g, LLVMValueRef upto, LLVMValueRef n);

/* ufunc/ufunc.c, fold/fold.c, gufunc/gufunc.c: generate the kernels of a family that are among some
 * of g->plan, bits 1 << kind.  element: the function of the plan's body. */
void gen_ufunc_kernels(struct gen *g, uint64_t kernels, LLVMValueRef element);
void gen_fold_kernels(struct gen *g, uint64_t kernels, LLVMValueRef element);
void gen_gufunc_kernels(struct gen *g, uint64_t kernels);

#endif
