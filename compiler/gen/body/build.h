/* build.h: short names for common calls of LLVM's builder, at g's place.  For gen/ alone. */
#ifndef GEN_BODY_BUILD_H
#define GEN_BODY_BUILD_H

#include "body.h"

static inline LLVMTypeRef i64_type(struct gen *g) {
    return LLVMInt64TypeInContext(g->context);
}

static inline LLVMTypeRef i32_type(struct gen *g) {
    return LLVMInt32TypeInContext(g->context);
}

static inline LLVMTypeRef i1_type(struct gen *g) {
    return LLVMInt1TypeInContext(g->context);
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

static inline LLVMValueRef subtract(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSub(g->b, a, b, "");
}

static inline LLVMValueRef multiply(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildMul(g->b, a, b, "");
}

static inline LLVMValueRef compare(struct gen *g, LLVMIntPredicate p, LLVMValueRef a,
                                   LLVMValueRef b) {
    return LLVMBuildICmp(g->b, p, a, b, "");
}

static inline LLVMValueRef is_set(struct gen *g, LLVMValueRef v) {
    return compare(g, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)));
}

static inline LLVMValueRef both(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(g->b, a, b, "");
}

static inline LLVMValueRef least(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return gen_select(g, compare(g, LLVMIntSLT, a, b), a, b);
}

/* The address `offset` bytes behind p. */
static inline LLVMValueRef at_byte(struct gen *g, LLVMValueRef p, LLVMValueRef offset) {
    return LLVMBuildGEP2(g->b, LLVMInt8TypeInContext(g->context), p, &offset, 1, "");
}

/* An i32 that is not negative, as an i64. */
static inline LLVMValueRef extended(struct gen *g, LLVMValueRef v) {
    return LLVMBuildZExt(g->b, v, i64_type(g), "");
}

/* `if (condition)`; gives the block after it. */
static inline LLVMBasicBlockRef begin_if(struct gen *g, LLVMValueRef condition) {
    LLVMBasicBlockRef then = gen_block(g, "then"), after = gen_block(g, "after");
    LLVMBuildCondBr(g->b, condition, then, after);
    gen_place(g, then);
    return after;
}

static inline void end_if(struct gen *g, LLVMBasicBlockRef after) {
    LLVMBuildBr(g->b, after);
    gen_place(g, after);
}

/* The value that is va where control comes from block a, vb where it comes from b. */
static inline LLVMValueRef phi2(struct gen *g, LLVMBasicBlockRef a, LLVMValueRef va,
                                LLVMBasicBlockRef b, LLVMValueRef vb) {
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(va), "");
    LLVMAddIncoming(phi, &va, &a, 1);
    LLVMAddIncoming(phi, &vb, &b, 1);
    return phi;
}

/* begun.c: loads the elements of s, a conditional of which each point that is abreast has a copy,
 * that all of them read, and that are there whether its condition holds or not; held has room for
 * MAX_BEGUN.  False: none may be held, or others are. */
bool gen_hold_elements(struct gen *g, const struct pstmt *s, struct held *held);

/* clip.c: a PS_FOR from where conditions around all that it does begin to hold, until they do not.
 * False: there are none that grow evenly with its index. */
bool gen_clipped(struct gen *g, const struct pstmt *s);

/* run.c */
/* Copies of a loop's body, at the index `first` of `var` and the next ones, and the elements that
 * each reads so many bytes behind the one before it. */
enum { MAX_RUN_ROWS = 8 };
struct run {
    const struct pvar *var;
    LLVMValueRef first; /* i64 */
    int copy;           /* the one that is generated */
    struct run_row {
        const struct pval *place;
        int64_t step;
    } row[MAX_RUN_ROWS];
    int n;
};

/* Finds what copies of a loop's body read in runs, for g->run.  i1: rows have no gaps; NULL: there
 * are none. */
LLVMValueRef gen_find_run(struct gen *g, const struct pstmt *s, struct run *run);
/* The address of an element of g->run; NULL: it is none. */
LLVMValueRef gen_run_address(struct gen *g, const struct pval *v);

#endif
