/* gen_core.h: what the generators of gufuncs' kernels share: gen_core.c, gen_spread.c,
 * gen_core_host.c. */
#ifndef GEN_CORE_H
#define GEN_CORE_H

#include "gen.h"

static inline LLVMTypeRef i64_type(struct gen *g) {
    return LLVMInt64TypeInContext(g->context);
}

static inline LLVMTypeRef i32_type(struct gen *g) {
    return LLVMInt32TypeInContext(g->context);
}

static inline LLVMValueRef i64(struct gen *g, uint64_t v) {
    return LLVMConstInt(i64_type(g), v, false);
}

static inline LLVMValueRef i32(struct gen *g, uint32_t v) {
    return LLVMConstInt(i32_type(g), v, false);
}

static inline LLVMValueRef add(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(g->b, a, b, "");
}

static inline LLVMValueRef multiply(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildMul(g->b, a, b, "");
}

static inline LLVMValueRef compare(struct gen *g, LLVMIntPredicate p, LLVMValueRef a,
                                   LLVMValueRef b) {
    return LLVMBuildICmp(g->b, p, a, b, "");
}

static inline LLVMValueRef both(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(g->b, a, b, "");
}

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

/* gen_core.c */
LLVMValueRef core_param(struct gen *g, const struct threads *t, LLVMTypeRef type, size_t offset);
/* gen_spread.c */
void threads_spread(struct gen *g, const struct pstmt *s);
void threads_put(struct gen *g, const struct pstmt *s);
void threads_sync(struct gen *g);
/* gen_lanes.c */
/* Each lane begins with the identity, which the accs hold. */
void lanes_begin(struct gen *g, const struct pacc *a);
/* The lanes' accs become one. */
void lanes_join(struct gen *g, const struct pstmt *s);
/* gen_tree.c */
void gen_barrier(struct gen *g);

/* gen_core.c */
/* How many points a range has: i64, at least 0. */
LLVMValueRef core_count(struct gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step);
/* Sizes that the source gives as numbers become constants in g->dims. */
void core_fix_dims(struct gen *g);

#endif
