/* schedule.h: what the threads of a launch do, which predict.c takes times from. */
#ifndef UFC_SCHEDULE_H
#define UFC_SCHEDULE_H

#include "model.h"

/* Neighbouring threads of a warp that are `step` apart along an axis or a loop; one of them is -1.
 */
struct lanes {
    int axis, loop;
    double n, step;
};

/* What a launch may be bound by: ISSUE is instructions of all kinds, STEPS those of a thread that
 * wait for one another. */
enum roof { MEMORY, L2, L1, OPERATIONS, ISSUE, STEPS, ROOFS };

/* What a launch's threads do, and what that takes. */
struct schedule {
    const struct body *body;
    const struct gpu_model *gpu;
    enum ufc_kernel_kind kind;
    int64_t calls, block, blocks;
    double threads;              /* of all blocks that have work */
    double each[UFC_MAX_LOOPS];  /* iterations of a loop, of a thread */
    double apart[UFC_MAX_LOOPS]; /* the same, of a block's threads together */
    double axis[MAX_RANK];       /* calls of a block along an axis */
    struct lanes lanes[3];       /* the fastest first; n 0: there are no more */
    int phase;                   /* of the loops that are run; -1: all */
    int since;                   /* SWEEP: the first phase of the launch; else -1 */
    uint64_t abreast;            /* NEST: those of points that a thread has at once, a bit each, */
    uint64_t sliding;            /* and of these that along which elements slide; */
    bool wide;                   /* and it loads vectors for them; */
    uint64_t walked;             /* and those of neighbours, and of their places */
    double lane_rounds, rounds;  /* in which its threads join parts of a reduction: those of a warp
                                    by shuffles, then others through shared memory */
    double load[UFC_MAX_LOOPS + 1];  /* clocks of the slowest load of a loop's iteration; 0: none */
    double found[UFC_MAX_LOOPS + 1]; /* of one at a computed place, by steps in chunks */
    double late[UFC_MAX_LOOPS + 1];  /* the same, of what a step may have stored just before */
    double slabs;                    /* parts of a tile's reduction that come one after the other */
    double together;                 /* blocks that share a call */
    double mates;                    /* threads that share the reductions of a point of a step */
    double shared;                   /* bytes of a block's shared memory that the launch asks for */
    double panel;                    /* PANEL: steps between which blocks wait for one another */
    double helpers;                  /* threads of HELPED a call, whose stages are so much longer */
    uint32_t inputs;                 /* as in the kernel's parameter */
    double bins;                     /* of SCATTER, of a block */
    double windows;                  /* of SCATTER, most of whose bins are in memory; else 0 */
    double dealing;                  /* DEAL: clocks of all but the iterations themselves */
    double adders; /* NEST, WARP: lanes of a point, of a call, that add up series; 0: there are none
                    */
    double lot;    /* SERIES: calls of a block */
    bool across;   /* and these are neighbouring threads' */
    uint32_t targets;      /* of SCATTER, operands that it merges into, a bit each */
    double bytes;          /* from memory, and to it */
    double instructions;   /* of a thread's accesses */
    double occupancy;      /* of a multiprocessor's threads, at most */
    double seconds[ROOFS]; /* by each roof, as if there were no other */
};

/* Describes a launch; seconds are 0. */
void schedule_launch(struct schedule *s, const struct kernel_launch *launch);
/* The same of a phase of BAND. */
void schedule_band(struct schedule *s, const struct ufc_kparam_gufunc *gufunc, uint32_t phase);
/* The same of a phase of a sweep. */
void schedule_sweep(struct schedule *s, const struct ufc_kparam_gufunc *gufunc, uint32_t phase);
/* Iterations of a loop, at least one, or a guess. */
double schedule_size(const struct body *body, int loop);
/* Is the loop one that a call's threads share: a parallel one that only serial ones are around? */
bool is_shared(const struct ufc_overload *o, uint32_t loop);
/* The loops of a phase of BAND that are around what a row has: none where rows are calls, else that
 * of rows, and that of a batch. */
int row_level(const struct ufc_overload *o, bool results);
/* Do the blocks of a call join portions of a reduction; do all of its threads take the points of a
 * shared loop one after the other? */
bool joins_portions(const struct schedule *s, uint32_t loop);
bool takes_whole_points(const struct schedule *s, uint32_t loop);
/* Is it a loop of a series, outside of points that threads share; do lanes add it up; how
 * many of a point? */
bool is_of_series(const struct ufc_overload *o, uint32_t loop);
bool adds_in_lanes(const struct schedule *s, uint32_t loop);
double adding_lanes(const struct schedule *s);
/* Is it a loop whose iterations the threads of a row share, in a phase without tiles? */
bool is_of_row(const struct ufc_overload *o, uint32_t loop, int level);

/* deal.c: clocks in which blocks of DEAL sort entries, and update bins by them. */
double deal_clocks(const struct schedule *s, const struct ufc_kparam_gufunc *gufunc);

/* halo.c: the blocks of a call compute its points between their parts, too: on average, half of a
 * halo's on each side. */
void schedule_halo(struct schedule *s, const struct ufc_kparam_gufunc *gufunc);
/* panel.c: they compute the points of a panel's indices, too: of definitions along all axes that
 * are cut, on average. */
void schedule_panels(struct schedule *s, const struct ufc_kparam_gufunc *gufunc);

static inline bool in_phase(const struct schedule *s, int phase) {
    return s->phase < 0 || phase == s->phase;
}
static inline double at_least(double x, double least) {
    return x > least ? x : least;
}
static inline double at_most(double x, double most) {
    return x < most ? x : most;
}

enum { WARP_THREADS = 32 };

#endif
