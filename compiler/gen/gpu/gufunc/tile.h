/* tile.h: what tile.c, slab.c and tile_store.c share. */
#ifndef GEN_GPU_TILE_H
#define GEN_GPU_TILE_H

#include "gufunc.h"

enum {
    MAX_PER = 8,
    MAX_SHARE = 2 * TILE_SHARE
}; /* results of a thread along a side; elements
      of a slab that it moves, at most */

/* The part of a factor that shared memory has at once: `depth` elements along the reduction's index
 * k, each of `size` neighbours along x, the tile's rows or columns. */
struct slab {
    const struct factor *factor;
    enum tile_index x_index;      /* of x: TILE_ROW or TILE_COLUMN */
    unsigned bytes;               /* of an element */
    unsigned pitch;               /* elements from k to k + 1 */
    int run;                      /* neighbours that a thread moves together */
    unsigned offset;              /* bytes, in a stage */
    LLVMValueRef step_x, step_k;  /* in global memory: bytes, i64 */
    LLVMValueRef along_k;         /* i1: runs go along k; else along x */
    LLVMValueRef wide;            /* i1: a run's elements are neighbours, aligned as a whole */
    LLVMValueRef first;           /* the address of the thread's first element */
    LLVMValueRef x, k;            /* which that is, i32 */
    LLVMValueRef slot[MAX_SHARE]; /* the elements that the thread moves */
};

/* The tile of a team. */
struct spot {
    LLVMValueRef first[2]; /* its first row and column, i64 */
    LLVMValueRef exists;   /* i1 */
    LLVMValueRef all;      /* i1: all teams of the block have a tile */
    LLVMValueRef number;   /* its number in the launch, i64 */
    LLVMValueRef results;  /* address of what reductions of its call have left, i64 */
    LLVMValueRef part;     /* which unit of ufc_tile_units the team is, i32 */
};

/* A team of threads computes a tile; a thread moves elements and stores results for its crew's
 * tile, which may be another team's (tile.c).  Members with two elements are for rows and columns.
 */
struct tile {
    struct gen *g;
    const struct tiling *tiling;
    const struct pstmt *spread; /* the statement that it is of */
    int side, team;             /* threads along a side of the tile, and in all */
    int per[2], group[2];       /* results of a thread, and how many of these are neighbours */
    int size[2];                /* results of the tile */
    int depth;                  /* of a slab */
    int steps;                  /* elements along k for which code is written out */
    int stages;     /* slabs in shared memory: with two the next is moved during the sums */
    unsigned stage; /* bytes of a stage */
    bool alone;     /* a block has one team, so that it may branch around barriers */
    bool cut;       /* reductions may be cut into parts: the team is alone */
    LLVMValueRef parts, apart, units;      /* parts; as in the parameter; ufc_tile_units: i32 */
    LLVMValueRef joins;                    /* i1: this launch joins parts */
    LLVMValueRef interleaved;              /* i1: neighbouring threads have neighbouring calls */
    LLVMValueRef thread[2];                /* the thread's row and column in its team, i32 */
    LLVMValueRef member;                   /* the thread's number in its crew, i32 */
    LLVMValueRef sizes[2];                 /* results of a call, i64 */
    LLVMValueRef end[3];                   /* find_ends (tile.c) */
    LLVMValueRef inputs[UFC_MAX_OPERANDS]; /* scalar inputs of the team's call */
    /* Where rows are calls, by operand: its address in row 0, and bytes from row to row; the same
     * of what reductions of the call have left: i64. */
    LLVMValueRef base[UFC_MAX_OPERANDS], row_step[UFC_MAX_OPERANDS];
    LLVMValueRef results, result_step;
    LLVMValueRef shared, crew_shared; /* the team's and the crew's shared memory */
    struct spot own, crew;
    struct slab slab[TILE_MAX_FACTORS];
    LLVMValueRef ahead[2][TILE_AHEAD][MAX_SHARE]; /* slots of what values of a side are made of */
    LLVMValueRef acc[MAX_ACCS][MAX_PER][MAX_PER]; /* slots */
};

/* The position in the tile of a thread's result i along an axis, from its first one on. */
static inline int result_at_side(const struct tile *t, int axis, int i) {
    return i / t->group[axis] * t->group[axis] * t->side + i % t->group[axis];
}

/* tile.c */
/* Where the thread's results begin in its tile along an axis, i32. */
LLVMValueRef tile_place(struct tile *t, int axis);
/* The index of the thread's result i along an axis, i64. */
LLVMValueRef tile_index(struct tile *t, int axis, int i);
/* Sets the variable of an index, and the operands' addresses where rows are calls. */
void tile_set_index(struct tile *t, enum tile_index index, LLVMValueRef v);
/* Makes the slots of the thread's result i, j those of the accs' variables. */
void tile_select_accs(struct tile *t, int i, int j);

/* tile_store.c */
/* Bytes of shared memory for as many rows of results as are stored at once: t->group[0] of each
 * thread. */
unsigned tile_stored_bytes(const struct tile *t);
/* Computes what is made of the thread's accs, and stores it to the outputs. */
void tile_store(struct tile *t);

/* slab.c */
/* Bytes from a factor's element to the next along an index, and from the array to the factor's
 * element for the indices' current values; i64. */
LLVMValueRef step_along(struct tile *t, const struct factor *f, enum tile_index index);
LLVMValueRef factor_offset(struct tile *t, const struct factor *f);
/* Sets the slabs of all factors and t->stage, where all else but shared memory is set. */
void slabs_describe(struct tile *t);
int slabs_share(const struct tile *t); /* bytes of all slabs that a thread moves */
/* Sets where the slabs' elements begin; the factors' arrays are those of the crew's call. */
void slabs_begin(struct tile *t);
/* The address of element k, x of a slab in a stage, i32. */
LLVMValueRef slab_at(struct tile *t, LLVMValueRef stage, const struct slab *p, LLVMValueRef k,
                     LLVMValueRef x);
/* Loads the thread's share of a slab of elements to its slots, from the element at `first` on; left
 * (i32): what is left of the reduction.  Elements that do not exist are zeros.  slab_put stores it
 * to the crew's stage. */
void slab_fetch(struct tile *t, const struct slab *p, LLVMValueRef first, LLVMValueRef left);
void slab_put(struct tile *t, const struct slab *p, LLVMValueRef stage);
/* The same for the slabs of values of a side, which are computed, from element `first` (i32) of the
 * reduction on: first some elements are loaded, then the values are computed. */
void slabs_load(struct tile *t, int side, LLVMValueRef first, LLVMValueRef left);
void slabs_compute(struct tile *t, int side, LLVMValueRef first, LLVMValueRef left);

#endif
