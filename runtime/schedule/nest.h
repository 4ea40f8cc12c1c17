/* nest.h: how NEST computes a call: planned once, then launched. */
#ifndef UFC_NEST_H
#define UFC_NEST_H

#include "apart.h"

/* An index of a phase's points: an axis of the loop, or a range of the definition. */
struct index {
    int64_t size, steps;  /* steps: of which a thread takes so many */
    int64_t position;     /* in the range, from one numbered point to the next */
    struct loop_index in; /* its axis, or the loop that is the range */
    int range;            /* -1: it is an axis */
    double apart;         /* how far apart in memory neighbours are, in all accesses */
};

/* What a launch of a phase is. */
struct nest_phase {
    const struct iteration *it;
    uint32_t number;
    const struct ufc_phase *phase;
    struct index index[UFC_MAX_AXES]; /* the fastest first */
    int n;
    int64_t points, reduced; /* points, the elements of the reduction at each */
    int64_t inner;           /* iterations of loops within an element of it, NEST_LEAST at most */
    int64_t dealt;           /* entries of a call for bins; 0: the phase deals none out */
    int64_t scanned;         /* iterations of the phase's scan; 0: it is none, or has none */
    bool along;              /* neighbours in the reduction are neighbouring threads */
    bool patched;            /* blocks compute patches along the first two indices, */
    bool split;              /* or along the first two together and the third; */
    int64_t lanes;           /* threads of a warp along the first of them */
    bool crossed;            /* warps have squares of points and parts */
    uint32_t across;         /* see struct ufc_kparam_gufunc */
    int walked;              /* the index along which a thread takes several points; -1 */
    int64_t steps, apart;    /* so many, `apart` in the range */
    uint32_t neighbours; /* of which each is the first of its neighbours: UFC_BESIDE, UFC_FLAT */
    uint32_t abreast;    /* UFC_ABREAST: a thread has several points at once, `apart` in their
                            range; UFC_MICROTILE: and `aside` in a second one */
    int64_t aside;
    uint32_t parts, block_points; /* of a block */
    uint32_t blocks;              /* that share a point */
    bool joins;                   /* whose parts another launch has left: only to join them */
};

struct nest {
    int64_t width; /* elements of a call's widest part */
    uint32_t nphases;
    struct nest_phase phase[UFC_MAX_PHASES];
};

static inline int64_t smaller_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The smallest power of two that is not below n. */
static inline int64_t power_from(int64_t n) {
    int64_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

/* Of a power of two. */
static inline uint32_t log2_of(uint32_t n) {
    return (uint32_t)__builtin_ctz(n);
}

/* The points along an index that are numbered. */
static inline int64_t numbered_along(const struct index *x) {
    return (x->size + x->steps - 1) / x->steps;
}

/* The points that a thread has at once. */
static inline uint32_t points_at_once(const struct nest_phase *p) {
    return p->abreast ? ufc_points_abreast(p->phase, p->abreast) : 1;
}

/* Phases from `first` on, before `end`, that are computed in a sweep over rows. */
struct sweep {
    uint32_t first, end;
    enum ufc_kernel_kind kind;
    uint32_t group, threads, blocks, shared; /* as in struct spread */
    size_t bytes;                            /* of the parts of reductions down the rows */
};

/* sweep.c */
/* Plans the sweep that begins at a phase.  False: there is none, or the GPU's blocks have no room
 * for it. */
bool find_sweep(const struct nest *nest, const struct gpu_model *gpu, uint32_t first,
                struct sweep *w);

/* nest.c */
/* Have points ordered loops, which take so long that few points are worth blocks of a warp? */
bool have_order(const struct nest_phase *p);

/* nest_steps.c */
/* The side of a patch along an index of n, `least` to `most`: the largest of which little is beyond
 * the end. */
int64_t patch_side(int64_t n, int64_t least, int64_t most);
/* The index of a last range of few points, which share what does not depend on it: a thread takes
 * all of them where threads remain that fill the GPU.  -1: there is none. */
int whole_range(const struct nest_phase *p);
/* Chooses along which index a thread takes several points, and how many: so few that a warp's
 * threads remain neighbours in memory, or in a patch fill its side. */
void choose_steps(struct nest_phase *p);
/* Has a thread take a microtile of points, whose reductions have `last` for their last range;
 * along: its neighbours are neighbours in the reduction.  False: there is none, or few threads
 * then. */
bool choose_microtile(struct nest_phase *p, int last, bool along);
/* Has a thread take several points at once whose ordered loops then run together.  False: there are
 * none, or few threads then. */
bool choose_ordered(struct nest_phase *p);

/* nest_parts.c */
/* Chooses the parts of a reduction, whose last range is loop `last`: threads of a block, and
 * blocks.
 */
void share_reductions(struct nest_phase *p, int last);
/* Do lanes join a point's partial results, which has so many threads?  Else neighbours have points
 * whose results are beside one another, and join theirs through shared memory. */
bool joins_by_lanes(const struct nest_phase *p, uint32_t threads);
/* Are the sizes of the phase's loops known? */
bool has_sizes(const struct nest_phase *p);
/* The forecast time of a phase where so many blocks share its points, in several launches if they
 * do. */
double forecast_phase(const struct nest_phase *p, uint32_t blocks);
/* Has threads share the last two ranges of a reduction in squares: as many along the last one as
 * leave each of them rows. */
void choose_squares(struct nest_phase *p, int last);
/* Has warps take one or a few points of a phase whose points have series, which their lanes then
 * add up, where that is forecast faster; plain: the phase before threads were chosen.  Does a
 * launch? */
void take_series(struct nest_phase *p, const struct nest_phase *plain);
bool has_series_lanes(const struct ufc_overload *o, const struct ufc_kparam_nest *nest,
                      uint32_t phase);

/* nest.c */
/* The points that are numbered: a thread has `steps` of them, or has them at once. */
int64_t numbered(const struct nest_phase *p);
struct call_results; /* spread.h */
/* Has NEST compute a phase.  parts, room: where parts of its reductions are, and how many bytes the
 * call's workspace has. */
ufc_status launch_phase(struct launcher *l, const struct nest_phase *p,
                        const struct call_results *results, uint64_t parts, size_t room,
                        ufc_error *err);
/* The iterations at a point of a definition's range that depends on its indices, about; 1: it has
 * none. */
int64_t nest_further(const struct nest_phase *p);
/* Are sizes and strides of core dimensions so small that 32 bits hold what subscripts are made of,
 * in kernels that count on it: NEST and WINDOW, and BLOCK, RESIDENT and CLUSTER for ordered loops?
 */
bool is_narrow(const struct iteration *it);
/* Plans the launches; false: NEST cannot compute the iteration. */
bool nest_fits(struct nest *nest, const struct iteration *it);
/* Does it share out one reduction in squares, since arrays are not contiguous along its last range?
 */
bool nest_turns(const struct nest *nest);

/* phases.c */
ufc_status launch_nest(struct launcher *l, const struct nest *nest, ufc_error *err);

/* launch_gufunc.c */
/* Has SCATTER compute a phase.  False: it cannot, and nothing was launched. */
bool launch_phase_scatter(struct launcher *l, const struct nest_phase *p,
                          const struct call_results *results, ufc_status *status, ufc_error *err);
/* Launches a sweep, whose parts go to an address. */
ufc_status launch_sweep_rows(struct launcher *l, const struct iteration *it, const struct sweep *s,
                             const struct call_results *results, uint64_t parts, ufc_error *err);
/* Has PREFIX compute a phase that is a scan, and leave parts of the next one's reduction behind
 * what `results` has, at an address; 0: it leaves none.  False: it is no scan. */
bool launch_phase_scan(struct launcher *l, const struct nest_phase *p,
                       const struct call_results *results, uint64_t parts, ufc_status *status,
                       ufc_error *err);

/* Has DEAL compute a phase.  False: it deals nothing out. */
bool launch_phase_deal(struct launcher *l, const struct nest_phase *p,
                       const struct call_results *results, ufc_status *status, ufc_error *err);

#endif
