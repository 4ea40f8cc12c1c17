/* side.h: what side.c, group.c and ahead.c share. */
#ifndef PLAN_SIDE_H
#define PLAN_SIDE_H

#include "plan.h"

enum {
    OF_DEPTH = 1 << MAX_RANGES, /* depends on an index of the reduction */
    OF_ACC = OF_DEPTH << 1,     /* on an accumulator */
    OF_CALL = OF_ACC << 1,      /* on the call, where rows are calls */
    OF_POINT = OF_DEPTH - 1,    /* on an index of the results, a bit each */
    BATCH_INDICES = 3,          /* that a batch stands for, at most */
    TILE_MORE_VARS = 8          /* of batches and bands, tried or taken */
};

struct sides {
    struct uc *uc;
    struct plan *plan;
    struct tiling *tiling;
    uint32_t *mask;       /* by variable: what its value depends on */
    bool *staged;         /* by variable: statements that come before a factor set it */
    bool *late;           /* by variable: it is set before the reduction, for each result anew */
    uint32_t of[2];       /* the indices of the rows, and of the columns */
    uint32_t batch;       /* those that both depend on: each point of theirs is tiled by itself */
    struct pval *both;    /* the part of the filter that depends on both sides */
    struct pval *own[2];  /* the parts that depend on one, */
    struct pval *neither; /* and on the reduction's indices alone */
    struct pval *within;  /* of a band: which of its points a row has; NULL: there is none */
    bool failed;
};

/* What a value is made of, and what it depends on. */
struct dependence {
    const struct sides *in;
    uint32_t mask;
    int elements, operations; /* operations outside of subscripts */
    bool staged, calls, late;
};

void find_masks(struct sides *in); /* sets in->mask */
uint32_t mask_of(const struct sides *in, const struct pval *v);
/* Whether the reduction does not end at the same place for all results. */
bool ends_apart(const struct sides *in);
struct dependence content_of(const struct sides *in, const struct pval *v);
static inline bool is_of_side(const struct sides *in, uint32_t mask, int side) {
    return (mask & (OF_ACC | in->of[1 - side])) == 0;
}
/* Whether the reduction reads the element at points only where it is in range. */
bool may_miss(const struct sides *in, const struct pval *v);

/* Values and variables of a tiling. */
struct pval *new_value(struct sides *in, struct pval v);
struct pval *new_op(struct sides *in, enum op op, struct pval *a, struct pval *b);
struct pval *value_of(struct sides *in, struct pvar *var);
struct pvar *new_var(struct sides *in, const char *name, enum ufc_dtype d);

/* skew.c */
/* Puts a shape whose elements are of one side, as those of a band are, in terms of an index that
 * makes them those of two, as find_sides finds them.  False: there is none. */
bool find_skew(struct sides *in);

/* group.c */
void reset_sides(struct sides *in); /* of a shape that has changed: sets in->mask anew */
/* Finds the indices of each side, and those of a batch.  False: all elements are of one side. */
bool find_sides(struct sides *in);

/* ahead.c */
/* Sets along_depth, and what is loaded ahead with its conditions, where all factors are known. */
void find_directions(struct sides *in);
void find_ahead(struct sides *in);

#endif
