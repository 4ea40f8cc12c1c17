/* gufunc.h: what the generators of gufuncs' host kernels share: gufunc.c,
 * spread.c, points.c, tile.c, blocks.c. */
#ifndef GEN_HOST_GUFUNC_H
#define GEN_HOST_GUFUNC_H

#include "host.h"

/* A spread whose function is being generated. */
struct spread_fn {
    const struct pstmt *s;
    const struct prange *range[MAX_RANGES];
    LLVMValueRef lo[MAX_RANGES], step[MAX_RANGES], count[MAX_RANGES];
    int n; /* ranges */
    LLVMValueRef total;
    LLVMValueRef unit; /* i1: the lanes' elements lie side by side; NULL: they are not apart */
    int copies;        /* of the accs, in different registers */
    int naccs;
    LLVMValueRef *slot; /* of copy k of acc i: k * naccs + i */
    bool is_long;       /* there is a loop for each point */
};

/* From one slot, or memory, to another. */
static inline void move_slot(struct gen *g, const struct pvar *like, LLVMValueRef from,
                             LLVMValueRef to) {
    LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, gen_slot_type(g, like), from, ""), to);
}

/* gufunc.c */
/* Finds the sizes of core dimensions and the operands' strides along them. */
void gufunc_host_sizes(struct gen *g, LLVMValueRef sizes, LLVMValueRef steps);
/* Loads the inputs without core dimensions, in all lanes. */
void gufunc_host_scalars(struct gen *g);

/* spread.c */
/* A host kernel's call, of which one PS_SPREAD after the other is computed. */
struct host_call {
    LLVMValueRef data, share; /* the caller's, which may be NULL */
    LLVMValueRef frame;       /* what a spread's function finds of it */
};
extern const struct sharing host_sharing;
LLVMValueRef host_frame(struct gen *g, LLVMValueRef sizes, LLVMValueRef strides);
/* Where the call's arrays begin. */
void host_frame_arrays(struct gen *g, LLVMValueRef frame);

/* points.c */
/* Do the elements that s touches lie side by side, with steps between lanes?  NULL: none is apart.
 */
LLVMValueRef points_unit(struct gen *g, const struct pstmt *s, LLVMValueRef step);
/* Makes copies of the accs, where they are several; all begin as the first; all are joined in it.
 */
void points_make_accs(struct gen *g, struct spread_fn *p);
void points_begin_accs(struct gen *g, const struct spread_fn *p);
void points_join_accs(struct gen *g, const struct spread_fn *p);
/* Points [begin, end) of all, the last range the fastest. */
void points_between(struct gen *g, const struct spread_fn *p, LLVMValueRef begin, LLVMValueRef end);

/* tile.c */
/* Is s a contraction that is computed in tiles, as so many tasks? */
bool host_tiles(struct gen *g, const struct pstmt *s);
LLVMValueRef host_tile_count(struct gen *g);
/* unit: what the sums go to lies side by side, i1. */
void host_tile(struct gen *g, const struct pstmt *s, LLVMValueRef task, LLVMValueRef unit);

/* blocks.c */
/* Do the accs of s depend on how its points are grouped? */
bool blocks_matter(const struct pstmt *s);
/* The accs of a PS_SPREAD that go from block to block of its points. */
struct blocks {
    const struct pstmt *s;
    LLVMValueRef done, *tree, *first;
};
/* accs are as they begin. */
void blocks_begin(struct gen *g, struct blocks *b, const struct pstmt *s);
/* accs, which have a block, go into the tree, and are as they began. */
void blocks_push(struct gen *g, const struct blocks *b);
/* accs, which have the last block, have all. */
void blocks_finish(struct gen *g, const struct blocks *b);

#endif
