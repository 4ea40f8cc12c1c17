/* delay.h: what delay.c, which finds steps whose updates may be delayed, and delay_loops.c, which
 * makes the loops of that, share. */
#ifndef UC_PLAN_DELAY_H
#define UC_PLAN_DELAY_H

#include "plan.h"

enum {
    DELAYED_STEPS = 32, /* of a block */
    MAX_DELAYED = 3,    /* values of a step that its update reads, which arrays keep */
};

/* A subscript of the matrix, and the loop of the update over it. */
struct delay_axis {
    const struct pstmt *loop;
    int subscript;
    bool split;     /* points that have an index of the block's are updated at once */
    bool from_step; /* the loop begins with the step, or just behind it */
    bool to_step;   /* it ends so */
    bool without;   /* a condition leaves the step's own index out, */
    bool excludes;  /* which it, or the bounds do */
};

/* A value that the update reads, which does not depend on the other axis. */
struct delayed_value {
    const struct pval *value;
    int axis, operand; /* operand: the array that keeps it */
};

struct delay {
    struct lower *l;
    struct overload *o;
    struct pstmt *loop; /* its index is the step */
    struct pstmt *nest; /* the update, a statement of it */
    struct delay_axis axis[2];
    const struct pstmt *put, *straight; /* straight: what a row does before its columns */
    const bool *written;                /* what a step sets */
    struct delayed_value kept[MAX_DELAYED];
    int nkept;
    struct pval *first, *end; /* the block's steps */
};

/* Is it an element of the matrix that the update stores to? */
static inline bool is_matrix_element(const struct delay *d, const struct pval *v) {
    return v->kind == PV_ELEM && v->operand == d->put->place->operand;
}

/* delay_loops.c: puts the loops of blocks in the place of the loop at *at. */
void put_blocks(struct delay *d, struct pstmt **at);

#endif
