/* held.h: what held.c and kept.c, which is JOINT's part of it, share. */
#ifndef GEN_GPU_GUFUNC_HELD_H
#define GEN_GPU_GUFUNC_HELD_H

#include "gufunc.h"

/* An element at the thread's points, in some spread. */
struct held_element {
    const struct pstmt *spread;
    const struct pval *place;
    const struct kept *kept; /* NULL: no other spread reads it */
    LLVMValueRef value[UFC_JOINT_LOTS * HELD_POINTS];
    bool known; /* the values, of all points; */
    bool early; /* or of those that are computed at once */
    struct held_element *next;
};

/* A PS_PUT of the spread being generated, and its values at the thread's points. */
struct held_put {
    const struct pstmt *put;
    LLVMValueRef slot[HELD_POINTS];
    struct held_put *next;
};

struct held_points {
    int n, lanes;
    struct nest nest;
    LLVMValueRef total, left;  /* points of the call, and of the thread, i32 */
    LLVMValueRef vectors;      /* i1: lanes are neighbours in memory, and aligned */
    bool whole;                /* all points that are computed at once are the thread's own */
    LLVMValueRef count;        /* the call's threads, i32 */
    LLVMValueRef first, apart; /* the number of the thread's first point, and how far its
                                  lanes' are apart, i32 */
    LLVMValueRef before;       /* JOINT: the thread's points before the first, which is the first of
                                  those that are loaded or computed at once, i32 */
    struct held_element *elements;
    /* Of the spread being generated: */
    struct held_put *puts;
    int at; /* the point */
    const struct divisor *divisors;
    LLVMValueRef safe; /* slot, i1: their quotients are right so far */
};

/* held.c */
/* Are lanes known to be neighbours where this code runs? */
bool has_vectors(const struct held_points *h);
/* Load an element at `lanes` points from a first one on: as a vector, or one by one. */
void load_neighbours(struct gen *g, struct held_element *e, int first);
void load_points(struct gen *g, struct held_element *e, int first);
/* The body at all points that are computed at once. */
void gen_held_points(struct gen *g, const struct pstmt *s, struct held_element *found);

/* kept.c */
/* Is the element in shared memory? */
bool is_in_memory(const struct gen *g, const struct held_element *e);
/* The address of a kept element at `lanes` points from a first one on in the block's shared memory,
 * where neighbouring threads' lanes are neighbours. */
LLVMValueRef place_of(struct gen *g, const struct kept *k, int first);
/* Loads what shared memory keeps. */
void fill_memory(struct gen *g);
/* The body at the thread's points, in rounds. */
void gen_all_rounds(struct gen *g, const struct pstmt *s, struct held_element *found);

#endif
