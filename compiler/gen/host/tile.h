/* tile.h: what tile.c, block.c, mirror.c, panel.c and product.c share. */
#ifndef GEN_HOST_TILE_H
#define GEN_HOST_TILE_H

#include "gufunc.h"

/* Where a factor's elements are packed. */
struct panel {
    const struct factor *factor;
    enum tile_index side; /* TILE_ROW or TILE_COLUMN */
    unsigned bytes;       /* of an element */
    unsigned offset;      /* bytes, in the row, or in the columns' group */
};

/* A block of results, which a task computes.  Rows are packed along the reduction, one after the
 * other; columns in panels of `held` vectors, in which those of all factors at one point of the
 * reduction, a group, lie together. */
struct host_tile {
    struct gen *g;
    const struct tiling *tiling;
    int lanes;
    unsigned held[2]; /* rows, and vectors of columns, whose accs are in registers */
    unsigned vectors; /* of columns, in a block */
    unsigned row;     /* bytes of a packed row, */
    unsigned group;   /* and of a group */
    struct panel panel[TILE_MAX_FACTORS];
    LLVMValueRef size[TILE_INDICES];  /* rows and columns of all results, the longest reduction */
    LLVMValueRef first[TILE_INDICES]; /* of the block, i64, */
    LLVMValueRef count[TILE_INDICES]; /* and how many */
    LLVMValueRef table[TILE_INDICES]; /* what indices that stand for several stand for; or NULL */
    LLVMValueRef memory[2];           /* of the sides */
    LLVMValueRef packed_from; /* i64: columns before it, whole panels, are read where they are */
    LLVMValueRef most[2];     /* rows and columns for which there is memory, i64 */
    LLVMValueRef allocated;   /* what block_release frees */
    LLVMValueRef totals[MAX_ACCS]; /* [row][vector] */
    LLVMValueRef strides;          /* slots of the operands' strides */
    const struct pstmt *settings;  /* what is set for a result before its reduction */
    LLVMValueRef width;            /* columns of a task, i64 */
    LLVMValueRef mirrors;          /* i1: tasks below the diagonal are left out; NULL: none is */
};

/* block.c */
/* The most points of an index in a block. */
unsigned block_most(const struct host_tile *t, enum tile_index index);
/* Finds how factors are packed, given t->held. */
void block_describe(struct host_tile *t);
/* Makes the tables, and takes memory for a block: on the stack there is some for a few results
 * alone, which serve where these are all, or there is no other memory. */
void block_reserve(struct host_tile *t);
void block_release(struct host_tile *t);
/* Fills the table of an index for its points in the block. */
void block_list(struct host_tile *t, enum tile_index index);
/* Sets an index, and those that it stands for, to the block's point `at`; in lanes: to that and the
 * next ones.  run: the last of the indices alone differs between lanes. */
void block_set_index(struct host_tile *t, enum tile_index index, LLVMValueRef at);
void block_set_lanes(struct host_tile *t, enum tile_index index, LLVMValueRef at, bool run);
/* What differs between lanes that are points of an index. */
struct varying *block_varying(struct host_tile *t, enum tile_index index, bool run);
/* The index whose neighbouring values are lanes. */
const struct pvar *block_lane(const struct host_tile *t, enum tile_index index, bool run);
/* How lanes lie: they all exist and are run, as their elements are in memory; some do not exist; or
 * they are anyhow, and some may not exist. */
enum lanes_way { LANES_RUN, LANES_PART, LANES_OTHER, LANES_WAYS };
/* Branches to a block for the way of the lanes from point `at` on; unit: i1: elements along the
 * last of the indices are neighbours. */
void block_branch(struct host_tile *t, enum tile_index index, LLVMValueRef at, LLVMValueRef unit,
                  LLVMBasicBlockRef way[LANES_WAYS]);
/* The arrays for LANES_OTHER: their strides are loaded anew, so that the addresses of all lanes,
 * which are many, are not computed before the loops around, where other ways need the registers. */
struct gen_array *block_arrays(struct host_tile *t);
/* Sets t->packed_from: where rows are so few that packing columns does not pay. */
void block_find_packed(struct host_tile *t);
/* The address of the columns from `x` on in memory at the block's first point of the reduction, and
 * the bytes to the next point (*step), for x before t->packed_from.  NULL: none ever are. */
LLVMValueRef block_unpacked(struct host_tile *t, LLVMValueRef x, LLVMValueRef *step);
/* The address of element k of a factor's row, or of the vector of columns that x begins. */
LLVMValueRef panel_at(struct host_tile *t, const struct panel *p, LLVMValueRef x, LLVMValueRef k);

/* mirror.c */
/* i1: results are the same with row and column exchanged, and worth storing twice; NULL: they may
 * be others. */
LLVMValueRef find_mirrors(struct host_tile *t);
/* Stores the block's results that are also those of tasks which are left out, where t->mirrors.
 * unit: i1: neighbours in a row are so in memory; NULL: always. */
void mirror_results(struct host_tile *t, LLVMValueRef unit);

/* panel.c */
/* Packs the factors of a side. */
void block_pack(struct host_tile *t, enum tile_index side);

/* product.c */
/* Chooses t->held, for accs in registers. */
void block_hold(struct host_tile *t);
/* Reduces the packed points to the totals of all results of the block. */
void block_reduce(struct host_tile *t);
/* The address of a row's vector of totals of acc n, from column `x` on. */
LLVMValueRef total_at(struct host_tile *t, int n, LLVMValueRef row, LLVMValueRef x);

#endif
