/* tile.h: what tile.c and slab.c share. */
#ifndef GEN_GPU_TILE_H
#define GEN_GPU_TILE_H

#include "gufunc.h"

enum {
    RESULTS_PER_THREAD = UFC_TILE_PER,
    MAX_SHARE = TILE_PART * RESULTS_PER_THREAD * RESULTS_PER_THREAD / 64,
};
_Static_assert(MAX_SHARE / 2 % TILE_STEPS == 0, "shares, of wide elements too, are whole steps");

/* A matrix on its way: x is its row or column, whichever is not the reduction's index k.  Shared
 * memory has it as memory in C order would, rows or columns along k; `pitch` elements apart. */
struct slab {
    const struct pval *matrix;
    int x_axis;
    bool k_last;                  /* k is the last subscript */
    unsigned bytes, pitch;        /* of an element; elements */
    int run;                      /* neighbours in one access where the matrix allows it */
    unsigned offset;              /* bytes, in a team's shared memory */
    LLVMValueRef first, end;      /* x of the tile's first, and of all */
    LLVMValueRef place;           /* of the thread along x: in results */
    LLVMValueRef runs;            /* i1: it does */
    LLVMValueRef slot[MAX_SHARE]; /* the thread's elements under way */
};

struct tile {
    struct gen *g;
    const struct contraction *c;
    int size, team;  /* rows and columns; threads */
    int part, steps; /* along the reduction: to shared memory at once, from there at once */
    LLVMValueRef interleaved;              /* i1: calls lie side by side */
    LLVMValueRef down;                     /* the thread's place in the tile, along rows */
    LLVMValueRef member;                   /* of its crew, the thread */
    LLVMValueRef row, column;              /* of the crew's tile's first result, i64 */
    LLVMValueRef rows, columns, depth;     /* sizes, i64 */
    LLVMValueRef has_tile;                 /* i1: the crew has a tile */
    LLVMValueRef shared, put;              /* the team's part, the crew's */
    LLVMValueRef inputs[UFC_MAX_OPERANDS]; /* of the team's call: numbers */
    struct slab a, b;
    LLVMValueRef acc[MAX_ACCS][RESULTS_PER_THREAD][RESULTS_PER_THREAD]; /* slots */
};

/* Threads along a side of the tile. */
static inline int wide(const struct tile *t) {
    return t->size / RESULTS_PER_THREAD;
}

/* A part in memory: where it begins, and how far its matrix goes from there. */
struct region {
    const struct slab *p;
    LLVMValueRef begin;          /* bytes, i64 */
    LLVMValueRef left_k, left_x; /* i32 */
};

/* From each to the next of a thread's RESULTS_PER_THREAD results along x.  Each thread reads
 * vectors: where they run along k, neighbours in x are other threads', so that their rows lie in
 * different banks. */
static inline int slab_apart(const struct tile *t, const struct slab *p) {
    return p->k_last ? wide(t) : 1;
}

/* slab.c */
/* Sets what depends on the matrix.  place: the thread's, in the tile, along x; first: the part's
 * offset. */
void slab_describe(struct tile *t, struct slab *p, LLVMValueRef place, unsigned first);
unsigned slab_bytes(const struct tile *t, const struct slab *p);
/* Element [x][k] or [k][x], i32, in a team's shared memory. */
LLVMValueRef slab_at(struct tile *t, LLVMValueRef shared, const struct slab *p, LLVMValueRef k,
                     LLVMValueRef x);
/* May threads' shares be moved in runs, one access each: neighbours without gaps, aligned in all
 * calls, all of a run there or none?  i1. */
LLVMValueRef slab_in_runs(struct tile *t, const struct slab *p);
/* The first region of a matrix; where the next one begins. */
struct region region_first(struct tile *t, const struct slab *p);
LLVMValueRef region_next(struct tile *t, const struct region *r);
/* In runs: the thread's share to its slots, and from there to shared memory. */
void slab_fetch(struct tile *t, const struct region *r);
void slab_put(struct tile *t, const struct slab *p);
/* One by one, of both matrices: to shared memory, a few at a time, in a loop, since all at once
 * would take more registers than there are. */
void slabs_copy(struct tile *t, const struct region *a, const struct region *b);

#endif
