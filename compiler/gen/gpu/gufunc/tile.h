/* tile.h: what tile.c and slab.c share. */
#ifndef GEN_GPU_TILE_H
#define GEN_GPU_TILE_H

#include "gufunc.h"

enum {
    RESULTS_PER_THREAD = UFC_TILE_PER,
    MAX_SHARE = TILE_PART * RESULTS_PER_THREAD * RESULTS_PER_THREAD / 64,
};
_Static_assert(MAX_SHARE / 2 % TILE_STEPS == 0, "shares, of wide elements too, are whole steps");

/* The part of a matrix that shared memory has at once: slab_depth elements along the reduction's
 * index k by the tile's size along x, the other subscript.  Its axes are in the order of the
 * matrix's subscripts. */
struct slab {
    const struct pval *matrix;
    int x_axis;                   /* which subscript is x */
    bool k_last;                  /* k is the last subscript */
    unsigned bytes;               /* of an element */
    unsigned pitch;               /* elements from row to row of the slab */
    int run;                      /* neighbours in one access, where `runs` */
    unsigned offset;              /* bytes, in a team's shared memory */
    LLVMValueRef first, end;      /* the tile's first x, and the size of the matrix along x */
    LLVMValueRef place;           /* x, in the slab, of the thread's first result */
    LLVMValueRef runs;            /* i1: slab_in_runs */
    LLVMValueRef slot[MAX_SHARE]; /* the elements that the thread moves */
};

/* A team of threads computes a tile; a thread moves elements for its crew's tile, which may be
 * another team's (tile.c). */
struct tile {
    struct gen *g;
    const struct contraction *c;
    int size, team;                        /* rows and columns of the tile; threads of a team */
    int slab_depth;                        /* elements of a slab along k */
    int steps;                             /* elements along k that registers have at once */
    LLVMValueRef interleaved;              /* i1: neighbouring threads have neighbouring calls */
    LLVMValueRef down;                     /* the thread's row among the team's threads */
    LLVMValueRef member;                   /* the thread's number in its crew */
    LLVMValueRef row, column;              /* the first result of the crew's tile, i64 */
    LLVMValueRef rows, columns, depth;     /* sizes of the call, i64 */
    LLVMValueRef has_tile;                 /* i1: the crew has a tile */
    LLVMValueRef shared, crew_shared;      /* the team's and the crew's shared memory */
    LLVMValueRef inputs[UFC_MAX_OPERANDS]; /* scalar inputs of the team's call */
    struct slab a, b;
    LLVMValueRef acc[MAX_ACCS][RESULTS_PER_THREAD][RESULTS_PER_THREAD]; /* slots */
};

/* Threads along a side of the tile. */
static inline int threads_along(const struct tile *t) {
    return t->size / RESULTS_PER_THREAD;
}

/* The elements in global memory that a slab gets next. */
struct region {
    const struct slab *p;
    LLVMValueRef begin;          /* of the first one: bytes from the array's base, i64 */
    LLVMValueRef left_k, left_x; /* elements of the matrix from there on, i32 */
};

/* How far a thread's RESULTS_PER_THREAD results are apart along x.  Threads read vectors from
 * shared memory: where these run along k, neighbours in x belong to neighbouring threads, whose
 * rows are in different banks. */
static inline int slab_apart(const struct tile *t, const struct slab *p) {
    return p->k_last ? threads_along(t) : 1;
}

/* slab.c */
/* Sets the rest of *p, whose matrix, x_axis, first and end are set.  place: the thread's number
 * along x in its team; offset: the slab's, in a team's shared memory. */
void slab_describe(struct tile *t, struct slab *p, LLVMValueRef place, unsigned offset);
unsigned slab_bytes(const struct tile *t, const struct slab *p);
/* The address of element k, x (i32) of a slab in a team's shared memory. */
LLVMValueRef slab_at(struct tile *t, LLVMValueRef shared, const struct slab *p, LLVMValueRef k,
                     LLVMValueRef x);
/* i1: elements can be moved in runs, one access each: neighbours have no gaps between them, runs
 * are aligned in all calls, and no run crosses the matrix's end. */
LLVMValueRef slab_in_runs(struct tile *t, const struct slab *p);
/* The first region of a matrix; where the next one begins. */
struct region region_first(struct tile *t, const struct slab *p);
LLVMValueRef region_next(struct tile *t, const struct region *r);
/* In runs: slab_fetch loads the thread's share to its slots; slab_put stores it to shared memory.
 */
void slab_fetch(struct tile *t, const struct region *r);
void slab_put(struct tile *t, const struct slab *p);
/* Element by element: moves the thread's shares of both slabs to shared memory, in a loop over a
 * few elements, since all at once would take too many registers. */
void slabs_copy(struct tile *t, const struct region *a, const struct region *b);

#endif
