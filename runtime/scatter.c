/* scatter.c: how SCATTER's blocks share a phase that merges numbers into bins: how many copies of
 * them a block has, and how many blocks a call.  Only whole numbers are merged, so that bits depend
 * on neither. */
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

/* What a phase merges into: operands, bytes of a copy of all bins, and the most bins that one has.
 */
struct bins {
    int operands;
    int64_t bytes, most;
};

static struct bins find_bins(const struct iteration *it, const struct ufc_phase *p) {
    struct bins b = {0};
    for (int k = 0; k < it->nin + it->nout; k++) {
        if (!(p->merged >> k & 1))
            continue;
        int64_t n = bins_of(it, k), each = p->wide >> k & 1 ? 8 : 4;
        b.operands++;
        b.bytes += (n + 1) * each;
        b.most = n > b.most ? n : b.most;
    }
    return b;
}

static int64_t rounded_up(int64_t n, int64_t by) {
    return (n + by - 1) / by;
}

/* Threads of a block for the points that it has: a power of two. */
static uint32_t block_threads(const struct ufc_overload *o, int64_t points) {
    uint32_t threads = o->block[UFC_KERNEL_SCATTER];
    while (threads > SCATTER_MIN_BLOCK && threads / 2 * SCATTER_THREAD_POINTS >= points)
        threads /= 2;
    return threads;
}

bool choose_scatter(const struct iteration *it, uint32_t phase, int64_t points,
                    const struct gpu_model *gpu, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    struct bins b = find_bins(it, &o->phase[phase]);
    int64_t each = points / it->total, room = gpu->shared - RESIDENT_JOINS;
    if (!o->kernel[UFC_KERNEL_SCATTER] || b.operands == 0 || b.most >= INT32_MAX || b.most == 0)
        return false;
    int64_t windows = rounded_up(b.bytes, room);
    if (windows > (b.operands == 1 ? SCATTER_WINDOWS : 1) || b.most > each * SCATTER_BINS_PER_POINT)
        return false;
    int64_t bins = rounded_up(b.most, windows), bytes = rounded_up(b.bytes, windows) + 16;
    uint32_t copies = 1, threads = block_threads(o, each);
    int64_t together = SCATTER_THREADS / threads, share = room / together;
    while (copies < 32 && bytes * copies * 2 <= share && bins * copies * 2 <= each)
        copies *= 2;
    together = share > 0 && bytes * copies > share ? room / (bytes * copies) : together;
    int64_t fill = rounded_up(together * gpu->multiprocessors, it->total * windows);
    int64_t worth = rounded_up(each, (int64_t)threads * SCATTER_THREAD_POINTS);
    int64_t worth_bins = each / (bins * copies) + 1, least = rounded_up(each, UFC_SCATTER_POINTS);
    int64_t blocks = fill < worth ? fill : worth;
    blocks = blocks < worth_bins ? blocks : worth_bins;
    blocks = blocks > least ? blocks : least;
    if (it->total * blocks * windows > INT32_MAX / 1024)
        return false;
    *s = (struct spread){.kind = UFC_KERNEL_SCATTER,
                         .group = copies,
                         .blocks = (uint32_t)(blocks * windows),
                         .threads = threads,
                         .shared = (uint32_t)(bytes * copies),
                         .windows = (uint32_t)windows,
                         .bins = (uint32_t)bins};
    return true;
}
