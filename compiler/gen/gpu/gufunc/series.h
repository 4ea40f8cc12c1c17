/* series.h: terms of series, for series.c, series_lanes.c and state_series.c. */
#ifndef GUFUNC_SERIES_H
#define GUFUNC_SERIES_H

#include "gufunc.h"

struct kept_terms {
    const struct series *series;
    struct series_room room;
    LLVMValueRef slot[MAX_SERIES_ACCS][MAX_SERIES_TERMS]; /* by variable */
};

/* Makes the slots for the terms of an iteration of s. */
void reserve_terms(struct gen *g, struct kept_terms *x, const struct series *s);
/* Of g->threads->kept: has the terms change nothing, and computes them, of the indices at hand. */
void clear_terms(struct gen *g);
void gen_kept_terms(struct gen *g);
/* term_rows.c: a loop in these, over rows whose elements are side by side; false: it is none. */
bool gen_term_rows(struct gen *g, const struct pstmt *s);
/* vector.c: loads `lanes` neighbours of an element's row, which are aligned, from an address. */
void load_row(struct gen *g, const struct pval *place, LLVMValueRef at, int lanes,
              LLVMValueRef *value);
/* What a variable of the series is with a term. */
LLVMValueRef join_term(struct gen *g, const struct series_acc *a, LLVMValueRef sum,
                       LLVMValueRef term);

/* What the block's threads have of a series, or a warp's lanes. */
struct adding {
    struct gen *g;
    bool lanes;
    struct sharing shared, nested; /* outside of series; within one */
    const struct pstmt *whole;     /* the series' outermost loop */
    struct kept_terms kept;        /* of the loop whose terms are computed */
    struct series_groups groups;   /* of the plan */
    LLVMValueRef warp, lane;       /* i32 */
    LLVMValueRef member, members;  /* of those that compute terms, i32 */
    LLVMValueRef terms;            /* of lanes: where those of their point are in shared memory; */
    LLVMValueRef apart;            /* and how far lanes of a point are apart in a warp, i32 */
    /* Of a block: */
    LLVMValueRef computes;   /* i1: the thread is one of these */
    LLVMValueRef all;        /* how many of these there are, of all calls, i32 */
    LLVMValueRef calls, own; /* how many calls it has; the number among them of the thread's: i32 */
    LLVMValueRef buffer;     /* a slot, i32: the half of shared memory that is next, 0 or 1 */
    LLVMValueRef begins, results;        /* shared memory: a word for each variable of each call */
    LLVMValueRef sum[MAX_SERIES_GROUPS]; /* slots of the lane's variable */
};

/* Elements that lanes load ahead, by iteration. */
enum { MAX_SERIES_AHEAD = 4 };
struct lane_elements {
    const struct pval *place[MAX_SERIES_AHEAD];
    LLVMValueRef slot[MAX_SERIES_UNITS][MAX_SERIES_AHEAD];
    int n, words;
};

/* A part of the iterations of a loop, of `units` for each thread. */
struct part {
    struct adding *x;
    const struct series *series;
    struct series_room room;
    struct nest nest;
    bool narrow;              /* counts of iterations of the nest's ranges fit 31 bits */
    LLVMValueRef base, count; /* the number of its first iteration, i64; how many it has, i32 */
    LLVMValueRef first[MAX_RANGES];    /* the positions of that, i64 */
    const struct lane_elements *ahead; /* of lanes, if all iterations are there; or NULL */
};

/* series.c */
LLVMTypeRef series_type(struct gen *g, const struct series_acc *a);
/* Sets the indices of the thread's iteration number u of a part. */
void set_iteration(const struct part *p, int u);
/* The terms of a part; left: iterations from its first one on, i64. */
void compute_part(struct part *p, LLVMValueRef left, LLVMValueRef size);
/* The adding lanes' part of a part. */
void add_part(const struct part *p);
/* A loop that is a series, or has some. */
bool series_loop(struct gen *g, const struct pstmt *s);

/* series_lanes.c */
/* Finds the elements that terms of a part read, and that lanes load ahead; reserves slots. */
void find_lane_elements(struct gen *g, const struct part *p, struct lane_elements *found);
void reserve_lane_elements(struct gen *g, const struct part *p, struct lane_elements *x);
/* Has those of iteration number u be at hand: g->held. */
void hold_lane_elements(struct gen *g, const struct lane_elements *x, int u, struct held *held);
/* A warp's part, whose elements have come if it is whole; those of the next one do, then, while
 * this one's terms are added up.  The first `base` is that of the part before the first one, which
 * has none. */
void run_lanes_part(struct part *p, LLVMValueRef size, const struct lane_elements *ahead);
/* Each lane that adds takes its variable, which all lanes have; all take what these have added up.
 */
void begin_lanes(struct adding *x, const struct series *s);
void end_lanes(struct adding *x, const struct series *s);

#endif
