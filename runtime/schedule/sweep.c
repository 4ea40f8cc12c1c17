/* sweep.c: phases that are computed together, in a sweep over the rows of a call: how threads and
 * blocks share these.  Sizes alone decide, so that equal calls give equal bits on all GPUs whose
 * blocks have the shared memory. */
#include "spread.h"

/* The rows of a phase, and the elements of one of them; false: there are none. */
static bool find_rows(const struct nest_phase *p, int64_t *rows, int64_t *width) {
    int64_t points = p->points / p->it->total;
    *rows = p->reduced;
    *width = points;
    if (p->phase->cells > 0)
        return *rows > 0 && points > 0;
    for (int i = 0; i < p->n; i++)
        if (p->index[i].range == 0)
            *rows = p->index[i].size;
    *width = p->phase->ranges > 1 ? points / (*rows > 0 ? *rows : 1) : p->reduced;
    return *rows > 0;
}

/* Bytes of shared memory that the reductions down the rows need, of so many threads, of which
 * `group` have a row. */
static int64_t sweep_bytes(const struct nest *nest, const struct sweep *w, int64_t threads,
                           int64_t group) {
    int64_t bytes = 0;
    for (uint32_t i = w->first; i < w->end; i++) {
        const struct nest_phase *p = &nest->phase[i];
        int64_t pitch = rounded_up(p->points / p->it->total, 32) * 32 + group % 32;
        bytes += pitch * (threads / group) * p->phase->cells;
    }
    return bytes;
}

/* May registers hold what a thread of so many has of a row, and its accs down the rows? */
static bool holds_rows(const struct nest *nest, const struct sweep *w, int64_t width,
                       int64_t group) {
    const struct iteration *it = nest->phase[w->first].it;
    uint32_t words = 0;
    bool few = width <= group * UFC_SWEEP_HELD && it->overload->kernel[UFC_KERNEL_HELD_SWEEP];
    for (uint32_t i = w->first; i < w->end; i++) {
        words += nest->phase[i].phase->cells / 4 * UFC_SWEEP_HELD;
        few = few && nest->phase[i].phase->ranges <= 2;
    }
    for (uint32_t d = 0; d < it->ufunc->core->ndims; d++)
        few = few && it->core->size[d] > 0;
    return few && words <= SWEEP_HELD_WORDS;
}

/* Chooses the threads of a row, and of a block. */
static bool choose_threads(const struct nest *nest, struct sweep *w, int64_t width) {
    int64_t group = 1, threads = BLOCK_THREADS;
    while (group < 32 && group * SWEEP_LANE_ELEMS < width)
        group *= 2;
    w->kind = holds_rows(nest, w, width, group) ? UFC_KERNEL_HELD_SWEEP : UFC_KERNEL_WARP_SWEEP;
    if (width > 32 * SWEEP_WARP_ELEMS || sweep_bytes(nest, w, threads, group) > SWEEP_WARP_SHARED) {
        w->kind = UFC_KERNEL_SWEEP;
        threads = 32;
        while (threads < kernel_info[w->kind].threads && threads * SWEEP_BLOCK_ELEMS < width)
            threads *= 2;
        group = threads;
    }
    w->group = (uint32_t)group;
    w->threads = (uint32_t)threads;
    int64_t bytes = sweep_bytes(nest, w, threads, group);
    w->shared = (uint32_t)bytes;
    return bytes <= SWEEP_SHARED;
}

/* The blocks of HELD_SWEEP that run at once: fewer where elements are wide, or points have two
 * axes, which takes more registers. */
static int64_t held_blocks(const struct nest *nest, const struct iteration *it) {
    bool large = false;
    for (int k = 0; k < it->nin + it->nout; k++)
        large = large || dtype_info[it->dtype[k]].size >= 8;
    for (uint32_t i = 0; i < nest->nphases; i++)
        large = large || (nest->phase[i].phase->cells > 0 && nest->phase[i].phase->ranges > 1);
    return SWEEP_PROCESSORS * (large ? 2 : 3);
}

bool find_sweep(const struct nest *nest, const struct gpu_model *gpu, uint32_t first,
                struct sweep *w) {
    const struct iteration *it = nest->phase[first].it;
    int64_t rows = 0, widest = 1, own, width, calls = it->total;
    *w = (struct sweep){.first = first, .end = first + it->overload->phase[first].sweep};
    if (w->first == w->end || !it->overload->kernel[UFC_KERNEL_SWEEP])
        return false;
    for (uint32_t i = w->first; i < w->end; i++) {
        const struct nest_phase *p = &nest->phase[i];
        if (!find_rows(p, &own, &width) || (i > first && own != rows))
            return false;
        rows = own;
        widest = width > widest ? width : widest;
    }
    if (!choose_threads(nest, w, widest) || (int64_t)w->shared > gpu->shared - RESIDENT_JOINS)
        return false;
    int64_t teams = w->threads / w->group, least = teams > 1 ? SWEEP_ROWS : SWEEP_BLOCK_ROWS;
    int64_t most = rounded_up(rows, teams * least);
    int64_t blocks =
        w->kind == UFC_KERNEL_HELD_SWEEP ? held_blocks(nest, it) : SWEEP_THREADS / w->threads;
    blocks /= calls;
    blocks = blocks < most ? blocks : most;
    w->blocks = (uint32_t)(blocks > 1 ? blocks : 1);
    for (uint32_t i = w->first; i < w->end && w->blocks > 1; i++)
        if (nest->phase[i].phase->cells > 0)
            w->bytes += (size_t)nest->phase[i].points * w->blocks * nest->phase[i].phase->bytes;
    return calls <= INT32_MAX / w->blocks;
}
