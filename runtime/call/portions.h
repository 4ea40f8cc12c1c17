/* portions.h: calls with large arrays on the host, portion by portion (portions.c). */
#ifndef UFC_PORTIONS_H
#define UFC_PORTIONS_H

#include "rt.h"

/* Portions under way, of any call. */
enum { PORTIONS_MOST = PORTION_WORKERS > PORTIONS ? PORTION_WORKERS : PORTIONS };

/* A loop that is cut into portions, by its arrays on the host.  Sets of axes are bits. */
struct portions {
    ufc_context *ctx;
    void *stream;
    int ndim;
    int64_t shape[MAX_RANK], extent[MAX_RANK]; /* of the loop; of a portion, at most */
    int order[MAX_RANK];                       /* the axes, the slowest first */
    uint64_t cut, uncut;                       /* axes that are cut; that must not be */
    int64_t grain;                             /* of which the extents of cut axes are multiples */
    double target;                             /* bytes of a portion, about */
    bool pageable;                             /* an operand is not in pinned memory */
    int workers, slots; /* threads that do portions; portions under way, at most */
    int n;
    struct portioned {
        double bytes;   /* an element of the loop */
        uint64_t along; /* the axes that it has */
    } op[MAX_WALKED];
};

/* Where a portion begins, and its size. */
struct portion {
    int64_t start[MAX_RANK], size[MAX_RANK];
};

/* What is done with portions, of which each that is under way has a slot.  `begin` queues the work
 * on a stream, and `finish` ends it; that is called for each, also for one that failed to begin,
 * and with `failed` after a failure.  Several threads do so, each with slots of its own. */
struct portion_work {
    ufc_status (*begin)(void *arg, int slot, void *stream, const struct portion *at,
                        ufc_error *err);
    ufc_status (*finish)(void *arg, int slot, bool failed, ufc_error *err);
    void *arg;
};

void portions_begin(struct portions *p, ufc_context *ctx, void *stream);
/* Sets the loop, whose operands are added next. */
void portions_walk(struct portions *p, int ndim, const int64_t *shape);
/* Adds an operand, if it is an array on the host.  Its axis i is the loop's axis i + shift, but for
 * the last `rank` ones, which the loop has not. */
void portions_add(struct portions *p, const struct operand *op, int shift, int rank);
/* Is there so much on the host, or so little memory on the GPU? */
bool wants_portions(struct portions *p);
/* Cuts the loop, along the slowest axes of `order`; false: it cannot be. */
bool cut_portions(struct portions *p, const int *order);
/* Is a portion much larger than it should be? */
bool is_oversized(const struct portions *p);
/* Is an operand the same in all portions? */
bool is_whole(const struct portions *p, const struct operand *op, int shift, int rank);
/* Makes op the part of `whole` that a portion has. */
void slice_operand(struct operand *op, const struct operand *whole, int shift, int rank,
                   const struct portion *at);
/* How many portions there are; bytes of memory that those under way take for their arrays. */
int64_t portion_count(const struct portions *p);
int64_t portion_memory(const struct portions *p);
/* Where a portion is, by its number. */
void locate_portion(const struct portions *p, int64_t number, struct portion *at);
/* Makes portions smaller; false: they cannot be. */
bool shrink_portions(struct portions *p);

/* A call that is made as it is, or in portions, each of which is a call too. */
struct portioned_call {
    struct portions portions;
    void *whole, *part[PORTIONS_MOST];
    const struct portioned_ops *ops;
};

/* What is done with calls of a kind. */
struct portioned_ops {
    /* A call for portions of another one, of memory from malloc; NULL: it is out. */
    void *(*new_part)(const void *whole);
    /* Copies what an output of the whole call would overwrite before it is read, on the host to
     * memory of *host, and takes to the GPU what all portions have in common. */
    ufc_status (*prepare)(struct portioned_call *p, struct temps *host, ufc_error *err);
    /* Makes a part the call of a portion. */
    void (*cut)(const struct portioned_call *p, void *part, void *stream, const struct portion *at);
    /* Queues a call's work, and the copies of its results to the host; ends these. */
    ufc_status (*begin)(void *call, ufc_error *err);
    ufc_status (*finish)(void *call, bool failed, ufc_error *err);
};
/* Executes the call; temps: its own.  recorder: where not NULL it is recorded as a whole. */
ufc_status execute_portioned(struct portioned_call *p, bool in_portions, struct temps *temps,
                             struct recorder *recorder, ufc_error *err);

/* pipeline.c */
/* Does the work of all portions.  Where memory is too short for the first, they become smaller. */
ufc_status run_portions(struct portions *p, const struct portion_work *work, ufc_error *err);

#endif
