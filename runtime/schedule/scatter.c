/* scatter.c: how SCATTER's blocks share a phase that merges numbers into bins: how many copies of
 * them a block has, and how many blocks a call.  Whole numbers are merged, so that bits depend
 * on neither, and floats where --fast-math lets them. */
#include <math.h>

#include "schedule.h"
#include "spread.h"

/* The bins of an operand. */
static int64_t bins_of(const struct iteration *it, int operand) {
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dim = core->dim;
    int64_t n = 1;
    for (int k = 0; k < operand; k++)
        dim += core->rank[k];
    for (int i = 0; i < core->rank[operand] && n < INT32_MAX; i++)
        n *= it->core->size[dim[i]] < INT32_MAX ? it->core->size[dim[i]] : INT32_MAX;
    return n;
}

static int64_t cell_of(const struct iteration *it, const struct ufc_phase *p, int operand) {
    return ufc_scatter_cell(p, operand, dtype_info[it->dtype[operand]].size);
}

/* What a launch of a phase merges into: operands, a bit each and how many, the least and the most
 * bins that one has, bytes of a slot, and of what is beside the slots. */
struct bins {
    uint32_t targets;
    int operands;
    bool halves; /* some are wide sums, of which shared memory may have the low words alone */
    int64_t least, most, slot, spare;
    int64_t least_cell; /* bytes of the narrowest one's, 4 at most */
};

static struct bins find_bins(const struct iteration *it, const struct ufc_phase *p,
                             uint32_t targets) {
    struct bins b = {
        .targets = targets, .halves = (p->wide & p->sums & targets) != 0, .least_cell = 4};
    for (int k = 0; k < it->nin + it->nout; k++) {
        if (!(targets >> k & 1))
            continue;
        int64_t n = bins_of(it, k);
        b.least = b.operands++ == 0 || n < b.least ? n : b.least;
        b.most = n > b.most ? n : b.most;
        b.slot += cell_of(it, p, k) + 4;
        b.least_cell = cell_of(it, p, k) < b.least_cell ? cell_of(it, p, k) : b.least_cell;
        b.spare += UFC_SCATTER_SPARE * 8;
    }
    return b;
}

/* Bytes of so many copies of a window's bins, as compiler/gen/gpu/gufunc/scatter.c places them; of
 * what the launch does not merge into only the cells that are no bins. */
static int64_t bytes_of(const struct iteration *it, const struct ufc_phase *p, uint32_t targets,
                        int64_t window, int64_t copies, int64_t words) {
    int64_t bytes = 0;
    for (int k = 0; k < it->nin + it->nout; k++) {
        if (!(p->merged >> k & 1))
            continue;
        bool sum = p->sums >> k & 1;
        int64_t n = bins_of(it, k), cell = cell_of(it, p, k);
        cell = cell == 8 && sum ? 4 * words : cell;
        n = n < window ? n : window;
        n = targets >> k & 1 ? (n | 1) * copies : 0;
        bytes += ((n + UFC_SCATTER_SPARE) * cell + 7) & ~(int64_t)7;
    }
    return bytes;
}

/* Threads of a block for the points that it has: a power of two; as many as there may be where it
 * has a multiprocessor for itself. */
static uint32_t block_threads(const struct ufc_overload *o, int64_t points, bool alone) {
    uint32_t threads = alone ? o->block[UFC_KERNEL_SCATTER] : SCATTER_BLOCK;
    while (threads > SCATTER_MIN_BLOCK && (int64_t)threads / 2 * SCATTER_THREAD_POINTS >= points)
        threads /= 2;
    return threads;
}

/* Sets the blocks of a call of `each` points, at most so many; so many windows at a time are to
 * fill the GPU, with one block a multiprocessor where they are alone. */
static bool set_blocks(const struct iteration *it, const struct gpu_model *gpu, int64_t each,
                       int64_t most, int64_t at_once, bool alone, struct spread *s) {
    int64_t room = gpu->shared - RESIDENT_JOINS;
    int64_t together = alone ? 1 : SCATTER_THREADS / s->threads;
    together = together * s->shared > room ? room / s->shared : together;
    int64_t fill = rounded_up(together * gpu->multiprocessors, it->total * at_once);
    int64_t worth = rounded_up(each, (int64_t)s->threads * SCATTER_THREAD_POINTS);
    int64_t some = rounded_up(each, (int64_t)s->threads * SCATTER_SHORT_POINTS);
    if (worth * it->total * at_once < gpu->multiprocessors)
        worth = some < gpu->multiprocessors ? some : gpu->multiprocessors;
    int64_t blocks = fill < worth ? fill : worth;
    blocks = blocks < most ? blocks : most;
    blocks = blocks > each / UFC_SCATTER_POINTS ? blocks : rounded_up(each, UFC_SCATTER_POINTS);
    s->blocks = (uint32_t)(blocks * s->windows);
    return it->total * blocks * s->windows <= INT32_MAX / s->threads;
}

/* The most blocks that are worth sharing a call's points: with twice as many each has half of the
 * points, and all of them together merge twice as many bins in memory. */
static int64_t most_blocks(int64_t each, int64_t bins) {
    return (int64_t)sqrt((double)each * SCATTER_POINT_MERGES / (double)bins) + 1;
}

/* The windows of which shared memory has all bins, at most `most` of them; 0: it has not. */
static int64_t near_windows(const struct iteration *it, const struct ufc_phase *p,
                            const struct bins *b, int64_t words, int64_t most, int64_t room) {
    int64_t windows = 1;
    while (windows <= most &&
           bytes_of(it, p, b->targets, rounded_up(b->most, windows), 1, words) > room)
        windows++;
    return windows <= most ? windows : 0;
}

/* All bins of a window are in shared memory, in as many copies as are worth it. */
static bool choose_near(const struct iteration *it, const struct ufc_phase *p, const struct bins *b,
                        int64_t each, const struct gpu_model *gpu, struct spread *s) {
    int64_t room = gpu->shared - RESIDENT_JOINS, words = 2;
    int64_t most = b->least == b->most ? SCATTER_WINDOWS * b->operands : 1;
    int64_t windows = near_windows(it, p, b, words, b->halves ? 1 : most, room);
    if (windows == 0 && b->halves)
        windows = near_windows(it, p, b, words = 1, most, room);
    if (windows == 0 || b->most > each * SCATTER_BINS_PER_POINT ||
        (windows > 1 && each / SCATTER_WINDOW_POINTS < b->most))
        return false;
    int64_t bins = rounded_up(b->most, windows);
    bool alone = bytes_of(it, p, b->targets, bins, 1, words) > room / 2 ||
                 bins * gpu->multiprocessors * SCATTER_MERGED > each;
    uint32_t threads = block_threads(it->overload, each, alone), copies = 1;
    int64_t share = room * threads / SCATTER_THREADS;
    int64_t blocks = most_blocks(each, rounded_up(bins * b->least_cell, 4));
    while (copies < 32 && bytes_of(it, p, b->targets, bins, copies * 2, words) <= share &&
           bins * copies * 2 <= each / blocks)
        copies *= 2;
    *s = (struct spread){.kind = UFC_KERNEL_SCATTER,
                         .group = copies,
                         .threads = threads,
                         .shared = (uint32_t)bytes_of(it, p, b->targets, bins, copies, words),
                         .windows = (uint32_t)windows,
                         .words = (uint32_t)words,
                         .bins = (uint32_t)bins};
    return set_blocks(it, gpu, each, blocks, windows, alone, s);
}

/* Shared memory has slots for some of the bins; a window's bins stay in the L2 cache, where most of
 * them are met several times. */
static bool choose_cached(const struct iteration *it, const struct bins *b, int64_t each,
                          const struct gpu_model *gpu, struct spread *s) {
    int64_t bytes = 0, slots = SCATTER_SLOTS;
    for (int k = 0; k < it->nin + it->nout; k++)
        if (b->targets >> k & 1)
            bytes += bins_of(it, k) * dtype_info[it->dtype[k]].size;
    int64_t windows = each >= b->most && gpu->l2 > 0 ? rounded_up(bytes, gpu->l2 / 2) : 1;
    if (each < SCATTER_CACHED_POINTS)
        return false;
    windows = windows <= SCATTER_CACHED_WINDOWS ? windows : 1;
    while (slots * b->slot > SCATTER_SLOT_BYTES)
        slots /= 2;
    *s = (struct spread){.kind = UFC_KERNEL_SCATTER,
                         .group = 1,
                         .threads = block_threads(it->overload, each, false),
                         .shared = (uint32_t)(slots * b->slot + b->spare),
                         .words = 2,
                         .inputs = (uint32_t)slots,
                         .windows = (uint32_t)windows,
                         .bins = (uint32_t)rounded_up(b->most, windows)};
    return set_blocks(it, gpu, each, each / slots + 1, 1, false, s);
}

/* The threads that share a point's further range: each has some iterations, as it waits for the
 * range's bounds first; fewer each where points are too few for the threads that there are. */
static uint32_t columns_for(int64_t points, int64_t further, int64_t threads) {
    int64_t columns = 1;
    while (columns < WARP_THREADS && columns * 2 * SCATTER_FURTHER <= further)
        columns *= 2;
    while (columns * 2 <= threads && points * columns < threads &&
           columns * 2 * SCATTER_FURTHER_LEAST <= further)
        columns *= 2;
    return (uint32_t)columns;
}

/* How a launch merges into some of the phase's operands. */
static bool choose_targets(const struct nest_phase *phase, const struct gpu_model *gpu,
                           uint32_t targets, struct spread *s) {
    const struct iteration *it = phase->it;
    const struct ufc_phase *p = phase->phase;
    struct bins b = find_bins(it, p, targets);
    int64_t further = nest_further(phase), each = phase->points / it->total * further;
    bool any = it->overload->kernel[UFC_KERNEL_SCATTER] && b.operands > 0 && b.most > 0 &&
               gpu->shared > RESIDENT_JOINS;
    bool fits = any && b.most < INT32_MAX &&
                (choose_near(it, p, &b, each, gpu, s) || choose_cached(it, &b, each, gpu, s));
    if (!fits)
        return false;
    s->columns = columns_for(phase->points / it->total, further,
                             (int64_t)(s->blocks / s->windows) * s->threads);
    s->own[0] = targets;
    return true;
}

/* What a point costs in all windows: where it is, and what is merged, for each of them. */
static int64_t cost_of(const struct spread *s) {
    int64_t merge = s->inputs > 0 ? SCATTER_FAR_COST : SCATTER_NEAR_COST;
    return s->windows * (SCATTER_POINT_COST + merge * __builtin_popcount(s->own[0]));
}

/* Adds other targets to those of a launch, while they are cheaper together: their bins may need
 * more windows, each of which takes all points. */
static bool add_targets(const struct nest_phase *phase, const struct gpu_model *gpu, uint32_t left,
                        struct spread *s) {
    for (uint32_t rest = left & ~s->own[0]; rest != 0; rest &= rest - 1) {
        uint32_t target = rest & -rest;
        struct spread alone, both;
        if (!choose_targets(phase, gpu, target, &alone))
            return false;
        if (choose_targets(phase, gpu, s->own[0] | target, &both) &&
            cost_of(&both) <= cost_of(s) + cost_of(&alone))
            *s = both;
    }
    return true;
}

int choose_scatter(const struct nest_phase *phase, const struct gpu_model *gpu, struct spread *s) {
    uint32_t left = phase->phase->merged;
    if (!choose_targets(phase, gpu, left, &s[0]))
        return 0;
    if (s[0].windows == 1)
        return 1;
    int n = 0;
    for (; left != 0 && n < UFC_SCATTER_PUTS; left &= ~s[n++].own[0]) {
        if (!choose_targets(phase, gpu, left & -left, &s[n]) ||
            !add_targets(phase, gpu, left, &s[n]))
            return 0;
        s[n].own[1] = n > 0;
    }
    return left == 0 ? n : 0;
}
