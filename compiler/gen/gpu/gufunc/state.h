/* state.h: the state of a call that WARP's lanes keep, for state*.c. */
#ifndef GUFUNC_STATE_H
#define GUFUNC_STATE_H

#include "gufunc.h"

enum { MAX_PER = 4, MAX_VECTORS = 8 }; /* indices of a lane; elements that a point reads */

struct reads;
struct state {
    int per;                                      /* indices of a lane, which are neighbours */
    LLVMValueRef own[MAX_PER];                    /* i64: what would be the lane's indices, */
    LLVMValueRef index[MAX_PER], has[MAX_PER];    /* those, or the last one; i1: it is the lane's */
    LLVMValueRef first;                           /* i32: the lane of the warp that has index 0 */
    const struct pstmt *spread;                   /* whose points are generated, or NULL */
    LLVMValueRef slot[UFC_MAX_OPERANDS][MAX_PER]; /* of the lane's elements */
    LLVMValueRef near[UFC_MAX_OPERANDS]; /* all of the call's, in shared memory, where lanes have
                                            several, and others' are read; else NULL */
    bool meets;                          /* some are */
    LLVMValueRef terms;                  /* those of the call's series, in shared memory */
    const int *axis; /* by operand: along which a lane's elements are an aligned vector; or NULL */
    const struct varying *apart; /* what differs between points that run together */
    struct {                     /* vectors that the first of these has loaded */
        const struct pval *place;
        LLVMBasicBlockRef block;
        LLVMValueRef v;
    } vector[MAX_VECTORS];
    int nvectors;
    const struct reads *ahead; /* what has been loaded of step number `step`, or NULL */
    int step;
};

static inline bool is_kept(struct gen *g, const struct pval *place) {
    return place->operand < g->plan->noperands && g->plan->map.state_arrays >> place->operand & 1;
}

/* state.c: the code at hand is of the lane's index number k. */
void take_index(struct gen *g, int k);

/* state_series.c */
/* Shared memory for the terms of the block's calls. */
void reserve_lane_terms(struct gen *g, struct threads *t);
/* A series whose points lanes have. */
void gen_series_in_lanes(struct gen *g, const struct series *s);

/* state_vectors.c */
/* Along which axes a lane's indices are elements of operands: by operand. */
enum { NO_AXIS = -1, SEVERAL_AXES = -2 };
struct along {
    struct gen *g;
    const struct pstmt *spread;
    int axis[UFC_MAX_OPERANDS];
};
void find_axes(struct along *a, const struct pstmt *list);
/* i1: they are aligned vectors in all calls, and each lane has all of its indices, or none. */
LLVMValueRef are_vectors(struct gen *g, const struct along *a);
/* Tells LLVM of it: what is a multiple of the vectors' bytes. */
void assume_vectors(struct gen *g, const struct along *a);
/* Is it of an aligned vector of the lane's, all of which its points read?  apart: what differs
 * between these; NULL: the index alone. */
bool is_vector(struct gen *g, const struct pval *v, const struct varying *apart);
/* The vector at the lane's first index, and element k of it. */
LLVMValueRef load_of_lane(struct gen *g, const struct pval *v);
LLVMValueRef of_vector(struct gen *g, LLVMValueRef all, int k);
/* An element of a vector that the first of the points that run together has loaded, or loads; NULL:
 * it is in none. */
LLVMValueRef take_vector(struct gen *g, const struct pval *v);

#endif
