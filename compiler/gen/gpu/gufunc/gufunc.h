/* gufunc.h: what the generators of gufuncs' kernels share: gufunc.c, call.c, dense.c,
 * spread.c, join.c, tile.c, slab.c, window.c, results.c. */
#ifndef GEN_GPU_GUFUNC_H
#define GEN_GPU_GUFUNC_H

#include "gen/gpu/gpu.h"

/* The threads that share a call, in the GPU kernel being generated. */
struct threads {
    enum ufc_kernel_kind kind;
    LLVMValueRef number, count;    /* of this one among them; of all: i64 */
    LLVMValueRef tid, ntid, ctaid; /* its number in the block, threads of that, its number: i32 */
    LLVMValueRef group, lane_mask; /* WARP: i32, threads a call, and which of the warp, as bits */
    LLVMValueRef call;             /* i64 */
    /* GRID, COLUMN: */
    LLVMValueRef local;         /* i64, the thread's number among those of its block and call */
    int locals;                 /* how many these are */
    LLVMValueRef block, blocks; /* i64, the block's number among those of its call */
    LLVMValueRef phase;         /* i32 */
    LLVMValueRef has_call;      /* i1: there is such a call */
    LLVMBasicBlockRef end;      /* returns */
};

/* gufunc.c */
/* Finds the operands of t->call. */
void gufunc_find_operands(struct gen *g, const struct threads *t);
/* end - first, at most INT32_MAX, as an i32. */
LLVMValueRef elements_left(struct gen *g, LLVMValueRef end, LLVMValueRef first);
/* Operand k's address and its strides along the loop, or-ed: a power of two that divides all of
 * them divides the addresses of its part in every call. */
LLVMValueRef gufunc_address_bits(struct gen *g, int k);

/* call.c */
/* Finds the thread; t->call: its number in the grid. */
void gufunc_find_thread(struct gen *g, struct threads *t);
/* Around a call's body, for the threads that have one; all others go to t->end, but those of
 * COLUMN, which wait with the others at barriers. */
void gufunc_enter_call(struct gen *g, struct threads *t);
void gufunc_leave_call(struct gen *g, struct threads *t);

/* spread.c: by g->threads of a warp or a block, which wait for one another; by those of several
 * blocks, which launches keep apart */
extern const struct sharing by_threads, by_blocks;

/* join.c */
/* The accs of `size` (i32, a power of two) neighbours of a warp, in all of them. */
void join_warp(struct gen *g, const struct pstmt *s, LLVMValueRef size);
/* The accs of all threads of the block, in all of them. */
void join_block(struct gen *g, const struct pstmt *s);
/* GRID, COLUMN: the accs of the block's threads of a call, in all of them; to the workspace; those
 * of all blocks of the call from there. */
void join_locals(struct gen *g, const struct pstmt *s);
void store_partial(struct gen *g, const struct pstmt *s);
void load_partials(struct gen *g, const struct pstmt *s);

/* results.c */
/* In shared memory a row's elements are in places x + x / PAD_EVERY, and rows are an odd number
 * apart, so that threads with PAD_EVERY neighbours each, and threads with a row each, find theirs
 * in different banks. */
enum { PAD_EVERY = WINDOW_RESULTS };
/* How many tiles of a size cover n (i64), i32. */
LLVMValueRef tiles_along(struct gen *g, LLVMValueRef n, int size);
/* Results of a team's tile in shared memory.  Row y there is row
 *     first + y / group * group_step + y % group
 * of the tile; rows, columns divide `team` or are multiples of it. */
struct results {
    const struct shape *shape;
    LLVMValueRef shared; /* of results_bytes: of the team that puts, of the one stored for */
    int rows, columns, team;
    LLVMValueRef member;              /* the thread's number in the team it stores for, i32 */
    LLVMValueRef row, column;         /* of the tile's first among all, i64 */
    LLVMValueRef end_row, end_column; /* of all, i64 */
    int first, group, group_step;
};
unsigned results_bytes(const struct shape *s, int rows, int columns);
/* The accs, in their slots, of row y, column x, i32, to shared memory. */
void results_put(struct gen *g, const struct results *r, LLVMValueRef y, LLVMValueRef x);
/* All of them to where they belong; the threads have waited for one another. */
void results_store(struct gen *g, const struct results *r);
/* Sets the constants at the beginning of s. */
void gen_constants(struct gen *g, const struct pstmt *s);
/* Where column x is in a row of results. */
LLVMValueRef results_column(struct gen *g, LLVMValueRef x);

/* The kernels' bodies: call.c, dense.c, tile.c, window.c. */
#define GUFUNC_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)       \
    void body(struct gen *g, struct threads *t);
#include "kernel.def"

#endif
