/* gen_core.h: what the generators of gufuncs' kernels share: gen_core.c, gen_spread.c, gen_join.c,
 * gen_tile.c of GPUs; gen_lanes.c of both. */
#ifndef GEN_CORE_H
#define GEN_CORE_H

#include "gen_build.h"

/* The threads that share a call, in the GPU kernel being generated. */
struct threads {
    enum ufc_kernel_kind kind;
    LLVMValueRef param;
    LLVMValueRef number, count;  /* of this one among them; of all: i64 */
    LLVMValueRef tid;            /* in the block, i32 */
    LLVMValueRef group, members; /* WARP: i32, threads a call, and which of the warp, as bits */
    LLVMValueRef call;           /* i64 */
    /* GRID, COLUMN: */
    LLVMValueRef local;         /* i64, the thread's number among those of its block and call */
    int locals;                 /* how many these are */
    LLVMValueRef block, blocks; /* i64, the block's number among those of its call */
    LLVMValueRef phase;         /* i32 */
    LLVMValueRef some;          /* i1: there is such a call */
    LLVMBasicBlockRef end;      /* returns */
};

static inline struct threads *threads_of(struct gen *g) {
    return g->threads;
}

/* gen_core.c */
/* A member of the kernel's parameter, at an offset. */
LLVMValueRef core_param(struct gen *g, const struct threads *t, LLVMTypeRef type, size_t offset);
/* Finds the operands of t->call. */
void core_find_operands(struct gen *g, const struct threads *t);
/* What terms of sizes come to, i64; NULL where there are none. */
LLVMValueRef core_terms(struct gen *g, const struct ufc_term *terms, int nterms);
/* Sizes that the source gives as numbers become constants in g->dims. */
void core_fix_dims(struct gen *g);

/* gen_spread.c: what struct gen's spread, put and sync are for threads */
void threads_spread(struct gen *g, const struct pstmt *s);
void threads_put(struct gen *g, const struct pstmt *s);
void threads_sync(struct gen *g);

/* Operations of a body without branches and loops, up to a limit; with one it is reached. */
int body_cost(const struct pstmt *s, int limit);

/* gen_join.c */
/* The accs of `size` (i32, a power of two) neighbours of a warp, in all of them. */
void join_warp(struct gen *g, const struct pstmt *s, LLVMValueRef size);
/* The accs of all threads of the block, in all of them. */
void join_block(struct gen *g, const struct pstmt *s);
/* GRID, COLUMN: the accs of the block's threads of a call, in all of them; to the workspace; those
 * of all blocks of the call from there. */
void join_locals(struct gen *g, const struct pstmt *s);
void store_partial(struct gen *g, const struct pstmt *s);
void load_partials(struct gen *g, const struct pstmt *s);
/* n words of shared memory of a type. */
LLVMValueRef core_shared(struct gen *g, LLVMTypeRef type, int n, const char *name);

/* gen_tile.c */
/* The body of a TILE kernel: all threads come here. */
void gen_tile(struct gen *g, struct threads *t, LLVMValueRef calls, int size);

/* gen_lanes.c */
/* Each lane begins with the identity, which the accs hold. */
void lanes_begin(struct gen *g, const struct pacc *a);
/* The lanes' accs become one. */
void lanes_join(struct gen *g, const struct pstmt *s);

#endif
