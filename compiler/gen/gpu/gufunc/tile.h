/* tile.h: what tile.c, tile_reduce.c, tile_matrix.c, slab.c, tile_value.c, table.c, tile_part.c,
 * tile_store.c and tile_beside.c share. */
#ifndef GEN_GPU_TILE_H
#define GEN_GPU_TILE_H

#include "gufunc.h"

enum {
    TILE_SHARERS = 4,      /* threads that share steps, at most; */
    SHARERS_COLUMN = 4,    /* bits of lanes that tell those apart whose results would be in other */
    SHARERS_ROW = 8,       /* columns, and rows */
    TILE_WARP_COLUMNS = 8, /* threads of a warp with the same row, at most: tile_find_thread */
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
    LLVMValueRef whole;           /* elements along k that are left where one access moves each of
                                     the thread's runs; i32; NULL: parts find out */
    LLVMValueRef first;           /* the address of the thread's first element */
    LLVMValueRef x, k;            /* which that is, i32 */
    LLVMValueRef slot[MAX_SHARE]; /* the elements that the thread moves */
};

/* A part of the reduction that slabs hold: from element `first` on, of which `left` are left; which
 * of the reduction's two tables is of it: i32. */
struct slab_part {
    LLVMValueRef first, left, table;
};

/* table.c: of the points of an index. */
struct table {
    unsigned points, elements; /* elements whose places it has */
    unsigned offset;           /* of a side's, behind the slabs */
    unsigned bytes;            /* 0: there is none */
};

/* A place in a side's table and in one of the reduction's, each a sum of an i32 and a number. */
struct entry {
    LLVMValueRef x, k;
    uint32_t x_across, k_across;
    LLVMValueRef table;
};

/* What a thread has of the factors, for an instruction of a matrix unit: of each, by rows or
 * columns. */
struct fragments {
    LLVMValueRef v[TILE_MAX_FACTORS][MAX_PER / 2][MATRIX_STEP / 2];
};

/* The tile of a team. */
struct spot {
    LLVMValueRef first[2]; /* its first row and column, i64 */
    LLVMValueRef exists;   /* i1 */
    LLVMValueRef all;      /* i1: all teams of the block have a tile */
    LLVMValueRef number;   /* its number in the launch, i64 */
    LLVMValueRef batch;    /* the point of its batch, i64; NULL: there is none */
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
    enum ufc_kernel_kind kind;
    int side[2], team;    /* threads along the sides of the tile, and in all */
    bool matrix;          /* matrix units compute sums: MATRIX */
    bool streams;         /* without a pause from part to part */
    int teams;            /* of a block */
    int per[2], group[2]; /* results of a thread, and how many of these are neighbours */
    int size[2];          /* results of the tile */
    int depth;            /* of a slab */
    int step;             /* MATRIX: products of an instruction */
    int steps;            /* elements along k for which code is written out */
    int stages;           /* slabs in shared memory: with two the next is moved during the sums */
    unsigned stage;       /* bytes of a stage */
    bool alone;           /* it has one, so that it may branch around barriers */
    bool cut;             /* reductions may be cut into parts */
    bool shares;          /* threads of a team may share steps */
    bool filters;         /* code tests the filter */
    LLVMValueRef plain; /* i1: adding zeros to what the thread's accs begin with changes nothing */
    LLVMValueRef parts, apart, units;      /* parts; as in the parameter; ufc_tile_units: i32 */
    LLVMValueRef each;                     /* parts of a unit, i32 */
    LLVMValueRef joins;                    /* i1: this launch joins parts */
    LLVMValueRef interleaved;              /* i1: neighbouring threads have neighbouring calls */
    LLVMValueRef gathers, leads;           /* i1: the block's teams share a part; the team, or the
                                              block's first one then, has all of it in the end */
    LLVMValueRef skew, hop;                /* elements along k: to the team's first slab, from one
                                              to the next: i32 */
    LLVMValueRef sharers, turn, mates;     /* the threads that share steps; which of them it is;
                                              bits of lanes in which they differ: i32 */
    LLVMValueRef team_number;              /* of the block's teams, i32 */
    LLVMValueRef thread[2];                /* the thread's row and column in its team, i32 */
    LLVMValueRef lane[2], warp_column;     /* MATRIX: in its warp; the warp's first column */
    LLVMValueRef member;                   /* the thread's number in its crew, i32 */
    LLVMValueRef sizes[2];                 /* results of a call, i64 */
    LLVMValueRef behind;                   /* of a band: rows of the tile behind its first, i64 */
    LLVMValueRef end[3];                   /* find_ends (tile.c) */
    LLVMValueRef inputs[UFC_MAX_OPERANDS]; /* scalar inputs of the team's call */
    /* Where rows are calls, by operand: its address in row 0, and bytes from row to row; the same
     * of what reductions of the call have left: i64. */
    LLVMValueRef base[UFC_MAX_OPERANDS], row_step[UFC_MAX_OPERANDS];
    LLVMValueRef results, result_step;
    struct fragments kept;            /* MATRIX: slots of those of the next step */
    LLVMValueRef tid;                 /* the thread's number in the block, i32 */
    LLVMValueRef shared, crew_shared; /* the team's and the crew's shared memory, */
    LLVMValueRef first_shared;        /* the block's, which begins with the first team's, */
    LLVMValueRef block_shared;        /* and what is behind that of all teams */
    struct spot own, crew;
    struct slab slab[TILE_MAX_FACTORS];
    struct table table[TILE_INDICES];
    unsigned tables;                              /* bytes of the tables of sides */
    LLVMValueRef ahead[2][TILE_AHEAD][MAX_SHARE]; /* slots of what values of a side are made of, */
    LLVMValueRef needed[2][MAX_SHARE];            /* and whether they are needed, i1 */
    /* BAND: what values of the side of rows are divided by, for each row of which the thread has
     * elements, none where that is no quotient by what is the row's; i1 slot: quotients were right.
     */
    const struct divisor *divisors[MAX_SHARE];
    LLVMValueRef safe;
    bool again;              /* values are computed a second time, by divisions */
    LLVMValueRef in_runs[2]; /* i1: what neighbours of a run are made of are vectors; or NULL */
    /* BAND: reductions of rows beside the tile, of what is loaded and of what is stored, none
     * without a statement; slots of their accs for each row of which the thread has elements, or
     * results; and, of the latter, i1: these have had all results. */
    struct row_beside loaded, stored;
    LLVMValueRef several; /* BAND: i1: the block has all of its teams */
    /* BAND: tiles of a row; the first one of the block's, one for each team; and what sets the
     * thread's place in these again, behind the loop over parts: i32. */
    LLVMValueRef across, lot;
    void (*renew)(struct tile *t);
    struct band *band;
    LLVMValueRef loaded_acc[MAX_ACCS][MAX_SHARE], stored_acc[MAX_ACCS][MAX_PER], stored_all;
    LLVMValueRef acc[MAX_ACCS][MAX_PER][MAX_PER]; /* slots */
};

/* The position in the tile of a thread's result i along an axis, from its first one on. */
static inline int result_at_side(const struct tile *t, int axis, int i) {
    return i / t->group[axis] * t->group[axis] * t->side[axis] + i % t->group[axis];
}

/* tile.c */
/* Sets how many threads a kernel has for it. */
void tile_set_team(struct tile *t, enum ufc_kernel_kind kind);
/* Chooses the tile's sizes, so that registers and shared memory suffice; per: results of a thread
 * down and across. */
void tile_choose_sizes(struct tile *t, enum ufc_kernel_kind kind, const uint32_t per[2]);
/* Bytes of shared memory for each team of the block; for the reduction's tables of a block. */
unsigned tile_team_bytes(const struct tile *t);
unsigned tile_depth_bytes(const struct tile *t);
/* a / b, i32, where reductions are in parts; else `one`: what comes before a small tile is short.
 */
LLVMValueRef tile_quotient(struct tile *t, LLVMValueRef a, LLVMValueRef b, LLVMValueRef one);
/* Sets the thread's row and column among its team's threads. */
void tile_find_thread(struct tile *t, LLVMValueRef member);
void tile_set_sizes(struct tile *t);     /* the results of a call */
LLVMValueRef tile_batch(struct tile *t); /* the points of its batch, at least 1: i32 */
/* Computes the tile, where all that is above find_ends' members is set; g->arrays: of the crew's
 * call. */
void tile_compute(struct tile *t);
/* Sets what the body sets before statement `end`, of the call whose reductions have left what is
 * at `results`. */
void set_call_before(struct gen *g, const struct pstmt *end, LLVMValueRef results);
/* Where the thread's results begin in its tile along an axis, i32. */
LLVMValueRef tile_place(struct tile *t, int axis);
/* The index of the thread's result i along an axis, i64. */
LLVMValueRef tile_index(struct tile *t, int axis, int i);
/* Sets the variable of an index, and the operands' addresses where rows are calls. */
void tile_set_index(struct tile *t, enum tile_index index, LLVMValueRef v);
/* The end of the reduction for a result, given its end for the first one; i64. */
LLVMValueRef tile_end_at(struct tile *t, LLVMValueRef first, LLVMValueRef row, LLVMValueRef column);

/* tile_reduce.c */
/* Sets the accs of the tile, by its reduction, or by what its parts have left; and stores what is
 * made of them. */
void tile_reduce(struct tile *t);
/* Makes the slots of the thread's result i, j those of the accs' variables. */
void tile_select_accs(struct tile *t, int i, int j);

/* tile_part.c */
int tile_accs_bits(const struct tile *t); /* of a result */
void tile_store_part(struct tile *t);     /* the accs of the team's part, to the workspace */
/* Joins the accs of the team's parts, in their order, to what accs begin with. */
void tile_join_parts(struct tile *t);
/* Joins the accs of threads that share steps, for all of them; of the block's teams that share a
 * part, for the first one. */
void tile_join_sharers(struct tile *t);
void tile_gather(struct tile *t);
unsigned tile_gathered_bytes(const struct tile *t); /* of shared memory, for that */

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
/* Elements of a slab that a thread moves; how far its next run is across the axis along which its
 * runs lie: runs fit a row of threads. */
int slab_share(const struct tile *t, const struct slab *p);
int slab_apart(const struct tile *t, const struct slab *p, bool along_k);
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
LLVMValueRef slab_is_finite(struct tile *t, const struct slab *p); /* i1: what is in slots, */
LLVMValueRef slab_is_zero(struct tile *t, const struct slab *p);   /* or all of it is zero */

/* tile_matrix.c: for MATRIX */
void matrix_find_thread(struct tile *t, LLVMValueRef member);
/* Whether a slab's elements are copied to shared memory at once: slab_copy begins to, as
 * slab_fetch and slab_put; the target's await_copies waits for it. */
bool slab_copies(const struct tile *t, const struct slab *p);
void copies_begin(struct tile *t, struct slab *p);
void slab_copy(struct tile *t, const struct slab *p, const struct slab_part *part,
               LLVMValueRef stage);
void matrix_add(struct tile *t, LLVMValueRef stage); /* reduces a whole part */
/* Where reductions end at different places along one side: whether a part of which some results
 * have but a beginning may have zeros for the rest, as the other side's factors are finite (i1). */
bool matrix_masks(const struct tile *t);
LLVMValueRef matrix_is_finite(struct tile *t, LLVMValueRef stage);
void matrix_add_masked(struct tile *t, LLVMValueRef stage, LLVMValueRef first);
/* The same of part after part: matrix_add_most reduces all steps of a part but the last, and
 * matrix_add_last that one, if it is `there` (i1), while it loads what the next part begins with.
 */
void matrix_begin(struct tile *t);
void matrix_add_most(struct tile *t, LLVMValueRef stage);
void matrix_add_last(struct tile *t, LLVMValueRef next, LLVMValueRef there);

/* tile_value.c */
/* The neighbours along the reduction of which a thread computes values of a side together: in bands
 * alone, as threads of the largest tiles have no registers for it. */
int values_run(const struct tile *t, int side);
void values_begin(struct tile *t); /* makes slots, after slabs_begin */
/* As slab_fetch, for the slabs of values of a side: values_fetch loads some elements that they are
 * computed of, values_compute sets the slots.  What is known then of their condition goes to the
 * crew's stage at once, which is not the one that is reduced: slab_is_put. */
bool slab_is_put(const struct tile *t, const struct slab *p);
void values_fetch(struct tile *t, int side, const struct slab_part *part, LLVMValueRef stage);
void values_compute(struct tile *t, int side, const struct slab_part *part);

/* A slab of values of the side; NULL: there is none. */
const struct slab *values_of(const struct tile *t, int side);

/* tile_beside.c */
/* The reduction of what is loaded: begins it for a tile, takes in element e, of which these are
 * held, if it exists (i1), and leaves what threads have of it together. */
void loaded_begin(struct tile *t);
void loaded_add(struct tile *t, int e, LLVMValueRef exists);
void loaded_end(struct tile *t);
/* The same of what is stored: for all tiles of a row; of result i, j. */
void stored_begin(struct tile *t);
void stored_add(struct tile *t, int i, int j, const LLVMValueRef value[TILE_MAX_STORES]);
void stored_end(struct tile *t);

/* table.c */
void tables_describe(struct tile *t); /* sets t->table and t->tables, after slabs_describe */
void tables_fill(struct tile *t);     /* those of the sides */
void tables_next(struct tile *t, const struct slab_part *part); /* the part's */
/* The address of element n of those loaded ahead for a side, if its place splits; i64. */
LLVMValueRef table_address(struct tile *t, int side, int n, const struct entry *e);
/* Sets the variables that the index of a side and the reduction's stand for. */
void table_set_indices(struct tile *t, int side, const struct entry *e);

#endif
