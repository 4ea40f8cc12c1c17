/* scatter.h: SCATTER's bins in shared memory, between scatter.c, whose threads merge numbers into
 * them, and scatter_join.c. */
#ifndef GEN_GPU_GUFUNC_SCATTER_H
#define GEN_GPU_GUFUNC_SCATTER_H

#include "gufunc.h"

/* An operand that the phase merges into. */
struct target {
    const struct pstmt *put; /* one of those that do */
    int operand;
    int bytes;                        /* of a cell */
    bool sum;                         /* of 8 bytes, which are the words of a sum */
    enum ufc_dtype dtype;             /* of cells: an integer as wide, or the float's */
    LLVMValueRef active;              /* i1: the launch merges into it; NULL: into all */
    LLVMValueRef number;              /* of the window's bins, i32; 0 if it is not active: no bin
                                         is one of them */
    LLVMValueRef size;                /* of a copy: cells, i32; or the slots */
    LLVMValueRef bin_step, copy_step; /* cells from bin to bin, from copy to copy, i32: a bin's
                                         copies are neighbours, in different banks for a warp's
                                         threads, unless these merge into neighbouring bins */
    LLVMValueRef
        cells;         /* of shared memory: those of a copy one behind the other, and
                          UFC_SCATTER_SPARE more; then the high words of sums; then, where there are slots,
                          the bins of the window that         they are for, all ones where one is free */
    LLVMValueRef high; /* bytes from the low words to the high ones, i64 */
    LLVMValueRef tags;
    LLVMValueRef own;   /* the thread's copy of bin 0 */
    LLVMValueRef spare; /* the thread's cell for what is of no bin of the window, from there on,
                           i32; a warp's threads have one each */
};

struct bins {
    const struct pstmt *points; /* which merge */
    struct target target[UFC_SCATTER_PUTS];
    int n;
    LLVMValueRef copies, copy; /* how many; the thread's: i32 */
    LLVMValueRef first;        /* bin of the window, i32 */
    LLVMValueRef slots;        /* of a target, i32: a power of two; 0: it has all of the window's */
    LLVMValueRef words;        /* of a cell of a sum, i32: 2, or 1 */
};

static inline LLVMTypeRef cell_type(struct gen *g, const struct target *t) {
    return gen_type(g, t->dtype);
}

/* Bytes from cell to cell. */
static inline uint32_t cell_bytes(const struct target *t) {
    return t->sum ? 4 : (uint32_t)t->bytes;
}

/* Cell number `index`, i32, from an address on. */
static inline LLVMValueRef cell_at(struct gen *g, const struct target *t, LLVMValueRef cells,
                                   LLVMValueRef index) {
    return at_byte(g, cells, extended(g, multiply(g, index, i32(g, cell_bytes(t)))));
}

/* The address of a slot's tag. */
static inline LLVMValueRef tag_at(struct gen *g, const struct target *t, LLVMValueRef slot) {
    return at_byte(g, t->tags, extended(g, multiply(g, slot, i32(g, 4))));
}

/* scatter_join.c */
/* Sets the cells of a target to what merging leaves as it is. */
void scatter_clear(struct gen *g, const struct bins *b, const struct target *t);
/* The block's threads merge what its cells have into the operand. */
void scatter_join(struct gen *g, const struct bins *b, const struct target *t);

#endif
