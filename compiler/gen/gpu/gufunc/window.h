/* window.h: what the parts of WINDOW share: window.c, window_load.c, window_row.c. */
#ifndef GEN_GPU_GUFUNC_WINDOW_H
#define GEN_GPU_GUFUNC_WINDOW_H

#include "gufunc.h"

enum { RESULTS_PER_THREAD = WINDOW_RESULTS, PART = WINDOW_PART };
_Static_assert(UFC_WINDOW_ROWS *UFC_WINDOW_COLUMNS == BLOCK_THREADS * RESULTS_PER_THREAD,
               "a block's threads have all results of a tile");
_Static_assert(PART *PART <= BLOCK_THREADS, "a thread loads one weight of a part");

struct window_tile {
    struct gen *g;
    const struct window *w;
    int rows, columns;                 /* of the tile */
    int part_rows, part_columns;       /* of a part of the window, at most */
    int loaders;                       /* threads that load a row together */
    LLVMValueRef tid;                  /* i32 */
    LLVMValueRef across, down;         /* the thread's column and row among the block's, i32 */
    LLVMValueRef row, column;          /* the tile's first result, i64 */
    LLVMValueRef end_row, end_column;  /* behind the call's last one, i64 */
    LLVMValueRef end;                  /* behind the block's, along the first axis, i64 */
    LLVMValueRef has_call, has_result; /* i1: the block has a call; the thread has a result of it */
    LLVMValueRef shared;               /* shared memory: x, then the results */
    LLVMValueRef weights;              /* shared memory: the part's weights */
    LLVMValueRef mask;      /* shared memory: a byte for each of the part: the window has it */
    LLVMValueRef inside[2]; /* shared memory, by axis: a byte a position: the filter passes it */
    LLVMValueRef acc[MAX_ACCS][RESULTS_PER_THREAD];
    LLVMValueRef seen[RESULTS_PER_THREAD];    /* slots of the elements of x kept */
    LLVMValueRef is_seen[RESULTS_PER_THREAD]; /* slots: the filter passes them */
};

/* The current part of the window along an axis.  Positions count x's subscripts from `first` on. */
struct extent {
    LLVMValueRef count; /* indices of the window, i32 */
    LLVMValueRef in;    /* the one of them for which x's subscript is the smallest, i64 */
    LLVMValueRef first; /* that subscript for the tile's first result, i64, but for its bounds */
    LLVMValueRef seen;  /* positions that the tile's results read, i32 */
};

static inline int axis_of(const struct window_tile *t, bool column) {
    return column ? t->w->axes - 1 : 0;
}

static inline enum ufc_dtype x_dtype(const struct window_tile *t) {
    return t->w->x->dtype;
}

static inline unsigned bytes_of(enum ufc_dtype d) {
    return (unsigned)dtype_info[d].bits / 8;
}

/* Are there positions along an axis that results leave out?  Else zeros stand there, or nothing. */
static inline bool window_filters(const struct window_tile *t, int axis) {
    return t->w->filter[axis] != NULL && !t->w->zeros;
}

/* Elements from row to row in shared memory: odd, so that a warp's rows are in different banks. */
static inline int pitch_of(const struct window_tile *t) {
    int most = t->columns + t->part_columns - 1;
    return (most + most / RESULTS_PER_THREAD) | 1;
}

/* A thread's place in a row of the window: addresses in shared memory. */
struct row_at {
    LLVMValueRef x, inside, weight, mask;
};

/* window.c */
/* Sets a result's index and an index of the window, i64, along an axis. */
void window_set_corner(struct window_tile *t, int axis, LLVMValueRef at, LLVMValueRef in);
/* x's subscript along an axis at a position (i32), i64. */
LLVMValueRef window_subscript(struct window_tile *t, int axis, const struct extent *e,
                              LLVMValueRef position);
/* i1: the filter passes a position (i32).  It bounds x's subscript alone, so this holds for all
 * pairs of a result and an index of the window that have this subscript. */
LLVMValueRef window_passes(struct window_tile *t, int axis, const struct extent *e,
                           LLVMValueRef position);

/* window_load.c */
/* Loads what a part of the window covers, its weights and what the filter passes to shared memory.
 * row: NULL where there is one axis. */
void window_load(struct window_tile *t, const struct extent *row, const struct extent *column);

/* window_row.c */
void window_begin_accs(struct window_tile *t);
/* Makes the slots of the thread's result r those of the accs' variables. */
void window_select_accs(struct window_tile *t, int r);
/* Adds a row of `count` (i32) elements of the window to all of the thread's results; filtered:
 * where the filter passes them. */
void window_add_row(struct window_tile *t, struct row_at at, LLVMValueRef count, bool filtered);

#endif
