/* spread.h: how a gufunc's calls are shared out among threads: chosen, then launched. */
#ifndef UFC_SPREAD_H
#define UFC_SPREAD_H

#include "nest.h"

/* How a core call is spread over threads. */
struct spread {
    enum ufc_kernel_kind kind;
    uint32_t group, blocks;        /* as in the kernel's parameter */
    uint32_t threads;              /* of a block; 0: as the overload has them */
    uint32_t shared;               /* bytes of a block's shared memory */
    uint32_t windows;              /* `across` in the kernel's parameter, whatever that is of */
    uint32_t bins, words, columns; /* as in it, of SCATTER */
    uint32_t inputs;               /* as in the kernel's parameter */
    uint32_t parts;                /* of a tile's reduction; 0: it is not cut */
    uint32_t own[2], halo[2];      /* as in the kernel's parameter */
    uint32_t rows; /* of tiles, that are the calls along `axis`; 0: rows are results */
    int axis;
};

/* series.c: how blocks compute calls with series.  False: the overload has none. */
bool choose_series(const struct iteration *it, const struct gpu_model *gpu, struct spread *s);
/* The same of blocks that have several calls each; across: neighbouring threads have neighbouring
 * calls.  False: the overload has none, or there is one call. */
bool choose_series_calls(const struct iteration *it, const struct gpu_model *gpu, bool across,
                         struct spread *s);
/* Are neighbouring calls' terms nearer in memory than a call's next ones; have terms loops? */
bool series_lie_across(const struct iteration *it);
bool have_terms_loops(const struct ufc_overload *o);
/* seldom.c: the same of THREAD, WARP or BLOCK, of a call that is mostly ordered loops which mostly
 * do nothing. */
bool choose_seldom(const struct iteration *it, const struct gpu_model *gpu, struct spread *s);

/* deal.c */
/* The entries that a call deals out in a phase; -1: the phase cannot be computed by DEAL. */
int64_t deal_entries(const struct iteration *it, const struct ufc_phase *p);
/* How DEAL computes a phase.  False: it cannot. */
bool choose_deal(const struct nest_phase *p, const struct gpu_model *gpu, struct spread *s);
/* Bytes of a call's workspace; the calls of a launch, at most. */
int64_t deal_bytes(const struct ufc_phase *p, const struct iteration *it, const struct spread *s);
int64_t deal_calls(const struct ufc_phase *p, const struct iteration *it, const struct spread *s);

/* How many times `by` it takes for n. */
static inline int64_t rounded_up(int64_t n, int64_t by) {
    return (n + by - 1) / by;
}

/* Of how many parts a tile's reduction is. */
static inline uint32_t parts_of(const struct spread *s) {
    return s->parts > 1 ? s->parts : 1;
}

/* Do several blocks share a call, which must wait for one another? */
static inline bool shares_blocks(const struct spread *s) {
    bool several = s->kind == UFC_KERNEL_BLOCK || s->kind == UFC_KERNEL_FOLLOW ||
                   s->kind == UFC_KERNEL_DEAL || s->kind == UFC_KERNEL_COLUMNS;
    return s->kind == UFC_KERNEL_JOINT || s->kind == UFC_KERNEL_PANEL || (several && s->blocks > 1);
}

/* What the reductions of calls leave for later launches, and the step that these are of. */
struct call_results {
    uint64_t first;           /* device address of the first call's */
    int64_t stride[MAX_RANK]; /* bytes, along the axes of the loop */
    int64_t step;
};

/* choose_gufunc.c */
/* The elements of a call's widest part; *nests becomes whether NEST can compute the call. */
int64_t gufunc_width(const struct iteration *it, struct nest *nest, bool *nests);
/* Chooses by the width of a core call, the number of calls, the layout of calls, and whether
 * elements are neighbours.  Nothing else matters, so that equal calls give equal bits, but that a
 * GPU may be too small for the blocks of a long row.  nest: how NEST computes the calls; NULL: it
 * cannot. */
struct spread choose_spread(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                            const struct nest *nest);
/* steps.c: the operands, a bit each, that are better in Fortran order: matrices down whose columns
 * the steps of ordered loops go. */
uint32_t choose_turned(const struct iteration *it, const struct gpu_model *gpu);
/* What a tiled phase computes. */
struct tiled {
    int64_t rows, columns, depth; /* results of a call, and points of the reduction of each */
    int64_t calls;                /* that have so many; of each the points of its batch */
    int64_t batch;
    int axis;     /* whose calls are rows; -1: these are results */
    bool even;    /* these are as many for all results, */
    bool cut;     /* and reductions may be cut into parts */
    bool gathers; /* as in struct ufc_phase */
    double words; /* of a result, as in tile_time */
};
/* False: the phase has no tiles, or its results are too few.  shared: operands that rows have in
 * common if these are calls, as in struct ufc_phase. */
bool find_tiled(const struct iteration *it, uint32_t phase, uint32_t shared, struct tiled *d);

/* How the results of a call are cut into tiles, and their reductions into parts. */
struct tiles {
    enum ufc_kernel_kind kind;
    int64_t size[2], number; /* rows and columns; tiles */
    int64_t parts;           /* of teams; or of blocks, whose teams share a part, */
    int64_t teams;           /* and how many they have; 1 */
    int64_t sharers;         /* threads that share the steps of a result */
};
double tile_time(const struct ufc_overload *o, uint32_t phase, const struct tiled *d,
                 const struct tiles *t, int64_t edge);
/* Chooses the TILE or MATRIX kernel for the size of a phase's results, and tiles a call; and in how
 * much time a GPU that runs MATRIX computes them, as tile_time has it: what is decided by it is so
 * on all GPUs, which have the same bits.  False: there is no such kernel, or the results are too
 * few. */
bool choose_tiles(const struct iteration *it, uint32_t phase, const struct gpu_model *gpu,
                  struct spread *s, double *time);
/* layout.c: are neighbouring calls' elements neighbours in all arrays, along the fastest axis? */
bool runs_across(const struct iteration *it);
/* Finds whether there are arrays of either layout among the first n operands, along the first naxes
 * axes. */
void find_layouts(const struct iteration *it, int n, int naxes, bool *along, bool *across);
/* choose_gufunc.c: have threads of a call to wait for one about as long as they share work, or
 * longer?  They do in loops that run in order and have none to share within. */
bool waits_in_order(const struct iteration *it, int64_t width);
/* phases.c */
/* Per cent of the time of threads that have results each, in which tiles compute a phase; 0: they
 * do so in any case. */
int tiles_percent(const struct iteration *it, uint32_t phase);
/* joint.c */
/* Do steps of ordered loops have loops that a call's threads share? */
bool has_shared_steps(const struct ufc_overload *o);
/* Chooses WARP or BLOCK with so many threads a call that registers hold its elements, unless the
 * steps of few short rows have more; JOINT for more elements, and where calls are many and a block
 * would have a multiprocessor for itself, which waits where the block does.  False: the overload
 * has no such kernels, or there are too many elements, or too few. */
bool choose_held(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                 struct spread *s);
/* Chooses JOINT, with as many groups of blocks as the GPU has room for: of as few blocks as can
 * keep the elements, or more where calls are few.  False: the overload has no such kernel, or the
 * elements are too many. */
bool choose_joint(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                  struct spread *s);
/* Chooses COLUMNS, for calls whose elements are neighbours in memory.  False: they are not, or the
 * overload has no such kernel. */
bool choose_columns(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                    struct spread *s);
/* scans.c */
/* Are some phases of a call scans, of others? */
bool scans_in_phases(const struct ufc_overload *o);
/* How PREFIX shares out a phase's scan of so many iterations. */
struct spread spread_tiles(const struct ufc_overload *o, uint32_t phase, int64_t iterations);
/* Chooses PREFIX for a call that is one scan, or NEST where some phase is a scan, if calls are few
 * and long.  False: the overload has no such phase, or they are not. */
bool choose_prefix(const struct iteration *it, int64_t width, const struct nest *nest,
                   struct spread *s);
/* Chooses STRIP, where calls are too few for a thread each, and their elements lie across memory.
 * False: the overload is no scan, or they are not. */
bool choose_strip(const struct iteration *it, int64_t width, struct spread *s);
/* Is it many scans so short that threads that share one mostly join what they have? */
bool scans_shortly(const struct iteration *it, int64_t width);
/* band.c */
/* Chooses BAND, and bands a call, for all phases of the call.  False: there is no such kernel, or
 * launches of the phases are faster. */
bool choose_band(const struct iteration *it, const struct gpu_model *gpu, struct spread *s);
/* Has the threads that share a call with ordered loops be as many as a step keeps busy. */
void share_steps(const struct iteration *it, const struct gpu_model *gpu, struct spread *s);
/* Chooses another kernel for calls that THREAD would compute: HELPED where they are few, and how
 * many times as many threads copy rows as have calls; UNIFORM where they share their rows. */
void choose_of_threads(const struct iteration *it, const struct gpu_model *gpu, struct spread *s);
/* Chooses LONE for calls whose loops pass over what it keeps in shared memory, of a GPU that
 * forecasts are for.  False: the overload has no such loops, or there is no room for enough calls.
 */
bool choose_passes(const struct iteration *it, struct spread *s);
/* Does a call have loops that run in order? */
bool has_order(const struct ufc_overload *o);

struct sharing;
/* halo.c: chooses HALO, where a call would else be shared as `other` says.  False: that is better,
 * or the overload has no such kernel. */
bool choose_halo(const struct iteration *it, const struct gpu_model *gpu,
                 const struct sharing *other, struct spread *s);

/* panel.c: the same of PANEL. */
bool choose_panels(const struct iteration *it, const struct gpu_model *gpu,
                   const struct sharing *other, struct spread *s);

/* launch_gufunc.c */
/* Computes all phases by BAND.  False: it was not chosen, or is slower than launches of the phases.
 */
bool launch_band(struct launcher *l, const struct iteration *it, const struct call_results *results,
                 launches_fn *phases, const void *work, ufc_status *status, ufc_error *err);
/* Computes a phase by tiles.  False: it is none that tiles are for. */
bool launch_phase_tiles(struct launcher *l, const struct iteration *it, uint32_t phase,
                        const struct call_results *results, ufc_status *status, ufc_error *err);

/* phased.c: chooses RESIDENT for a call of several phases, of so many elements.  False: it is too
 * large for a block, or so small that a warp or a thread computes it. */
bool choose_phased(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                   struct spread *s);

/* scatter.c */
/* Chooses how SCATTER computes a phase, in launches for some of its targets each, of which it gives
 * the number, at most UFC_SCATTER_PUTS.  0: there is no such kernel, or the bins are too many. */
int choose_scatter(const struct nest_phase *phase, const struct gpu_model *gpu, struct spread *s);

#endif
