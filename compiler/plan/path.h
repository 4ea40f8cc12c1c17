/* path.h: the longest chain of operations of a call of which each waits for the one before it:
 * path.c finds its length for given sizes, with path_value.c; path_fit.c makes a formula of that.
 */
#ifndef UC_PLAN_PATH_H
#define UC_PLAN_PATH_H

#include "plan.h"

/* A time, or how long something takes: clocks in the upper bits, and below them how many operations
 * of the chain that takes so long. */
typedef int64_t path_time;
enum { PATH_OPERATION_BITS = 24, PATH_OPERANDS = 48, PATH_POOL = 1 << 16 };
/* Words of a state for a variable, and for a cell. */
enum { OF_VAR = 4, OF_CELL = 2 };

/* What a whole number is made of: the greatest constant, and whether there is nothing else. */
struct path_extent {
    int64_t most;
    bool fixed;
};

/* What is known of a body for some sizes. */
struct path_trial {
    int64_t size[MAX_DIMS];           /* by dimension */
    long budget;                      /* values that may still be looked at, in all trials */
    int64_t most;                     /* the greatest constant by which sizes may be told apart */
    uint64_t dims;                    /* those that are chosen, or computed, a bit each */
    int64_t *pool;                    /* room of PATH_POOL, and a state more */
    struct path_extent *extent;       /* by variable */
    path_time last;                   /* when all results are known */
    path_time updates[PATH_OPERANDS]; /* by operand: how long all updates of its elements take, one
                                         after the other, whose subscripts only the call knows */
};

/* path.c */
/* Runs the body for t's sizes.  False: it takes too long, or some size is not known. */
bool path_try(struct uc *uc, const struct plan *p, struct path_trial *t);
/* The size of a dimension; -1: not known. */
int64_t path_size(const struct dim *dim, const int64_t *size);

/* path_value.c */
/* A value: what it is, and when that is known. */
struct path_result {
    bool known;
    int64_t value; /* a whole number or a bool */
    path_time at;
};

struct path_reduced;
/* A PS_BLOCK around. */
struct path_left {
    const struct pstmt *block;
    int64_t *state; /* the earliest of all that leave it */
    int count;
    struct path_left *outer;
};

/* One run of a body. */
struct path_run {
    const struct plan *plan;
    struct path_trial *to;
    int noperands; /* with local arrays */
    /* The state: of variables their values, times, whether they are known, and the number of what
     * set them last; then cells, the times of the elements that are stored to, each with such a
     * number; and of operands the updates that are not done, and those that are. */
    int64_t *state;
    size_t vars, cells, updates, length;
    int64_t sets;
    size_t cell[PATH_OPERANDS]; /* by operand: its first cell; of inputs SIZE_MAX */
    size_t ncells[PATH_OPERANDS];
    int64_t *pool; /* this state, and behind it others */
    size_t used;
    struct path_left *leaving;
    const struct pval *own; /* the place that is stored to, and when its element is known */
    path_time own_at;
    const int64_t *before;        /* in a definition: the state before it */
    struct path_reduced *reduced; /* the reduction that it is in, or NULL */
    bool unsure;                  /* in a loop of it, or in it, that may have no turn */
    bool contracts, fast, failed;
};

static inline path_time path_later(path_time a, path_time b) {
    return a > b ? a : b;
}

static inline path_time path_earlier(path_time a, path_time b) {
    return a < b ? a : b;
}

static inline int64_t *path_value_of(struct path_run *t, const struct pvar *v) {
    return &t->state[OF_VAR * v->id];
}

/* What a whole number is made of; notes it, where it is compared with others. */
struct path_extent path_extent_of(struct path_run *t, const struct pval *v);
void path_note(struct path_run *t, const struct pval *a, const struct pval *b);
struct path_result path_known_at(struct path_run *t, const struct pval *v);
/* The cell of a place; SIZE_MAX: its subscripts are not known.  *at: when they are. */
size_t path_cell_of(struct path_run *t, const struct pval *v, path_time *at);
/* When an element of a state's operand is known; of one that is not known, the earliest. */
path_time path_element_at(struct path_run *t, const int64_t *state, int operand, size_t cell);

/* path_fit.c */
/* Sets domain.chain, of a body as the source has it. */
void find_path(struct uc *uc, struct plan *p);

#endif
