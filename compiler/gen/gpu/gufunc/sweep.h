/* sweep.h: what the files of SWEEP share. */
#ifndef GEN_GPU_GUFUNC_SWEEP_H
#define GEN_GPU_GUFUNC_SWEEP_H

#include "gufunc.h"

struct next_rows;
struct held_rows;

struct sweep {
    struct gen *g;
    struct threads *threads;
    int first, end;            /* phases */
    LLVMValueRef group, team;  /* i32: threads of a row, and the number of the thread's group */
    LLVMValueRef lane;         /* i32: and the thread's number in that */
    LLVMValueRef teams, shift; /* i32: groups of the block; log2 of their threads */
    LLVMValueRef row;          /* i64 */
    struct next_rows *ahead;
    struct held_rows *held; /* HELD_SWEEP; else NULL */
};

/* A reduction down the rows: its accs' first places in shared memory. */
struct column {
    const struct pstmt *s, *reduction;
    struct nest nest;
    LLVMValueRef total, pitch;    /* i32: points, and words from group to group */
    LLVMValueRef base[SCAN_ACCS]; /* addresses */
    struct abreast points;        /* HELD_SWEEP: the thread's */
};

/* sweep.c */
bool is_of_sweep(const struct sweep *w, const struct pstmt *s);
bool is_down(const struct sweep *w, const struct pstmt *s);
/* The rows of a phase. */
const struct prange *rows_of(const struct sweep *w, const struct pstmt *s);
/* Sets the indices of a point, i32, of a reduction down the rows, and its accs as they begin. */
void begin_point(struct gen *g, const struct column *c, LLVMValueRef point);
/* Stores the accs to a group's place of the point. */
void save_point(struct gen *g, const struct column *c, LLVMValueRef team, LLVMValueRef point);
/* The group's share of a reduction of the row, and of the points of a definition, joined. */
void share_row(struct gen *g, const struct pstmt *s);
void share_row_points(struct gen *g, const struct pstmt *s);
/* A PS_PUT of the row, by its first thread. */
void put_by_first(struct gen *g, const struct pstmt *s);

/* sweep_held.c */
/* What the threads of HELD_SWEEP hold of a row, and of the next ones. */
struct held_rows *find_held_rows(struct sweep *w);
/* Loads what it holds of all rows, and of the first ones: from `row` on, each `teams` behind the
 * one before, `last` at most, i64. */
void begin_held_rows(struct sweep *w, LLVMValueRef row, LLVMValueRef last);
/* Goes on to the row w->row, and has the one that is so far ahead on its way. */
void next_held_row(struct sweep *w, LLVMValueRef last);
/* The definition s of the row. */
void gen_held_along(struct sweep *w, const struct pstmt *s);
/* Begins a reduction's points of the thread, adds the row to these, and saves them in the end. */
void begin_held_points(struct sweep *w, struct column *c);
void add_held_row(struct sweep *w, const struct column *c);
void save_held_points(struct sweep *w, const struct column *c);

/* sweep_ahead.c: what a sweep's rows read of inputs.  Adds a phase to it, whose rows have that
 * index. */
struct next_rows *sweep_rows(struct gen *g);
void sweep_add_phase(struct next_rows *x, const struct pstmt *s, const struct pvar *row);
/* The group's threads have the cache load that of a row, i64, for one of so many groups, i32.
 * Indices are others behind it. */
void sweep_fetch(const struct next_rows *x, LLVMValueRef row, LLVMValueRef teams);

#endif
