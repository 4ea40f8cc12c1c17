/* series.c: calls whose ordered loops add up terms that a block's threads compute at once. */
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* The threads of a block, by the GPU that forecasts are for: they share reductions beside series,
 * whose results are then the same on all GPUs. */
static int64_t threads_for(const struct iteration *it, int64_t adders) {
    struct gpu_model reference;
    model_reference(&reference);
    int64_t calls = rounded_up(it->total, reference.multiprocessors);
    int64_t threads = it->overload->block[UFC_KERNEL_SERIES];
    while (threads > SERIES_LEAST_THREADS && threads * calls > SERIES_THREADS)
        threads /= 2;
    while (threads <= adders)
        threads *= 2;
    return threads;
}

bool choose_series(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    if (!o->kernel[UFC_KERNEL_SERIES] || !is_narrow(it))
        return false;
    int64_t adders = o->adders * WARP_THREADS, threads = threads_for(it, adders);
    int64_t shared = 2 * (threads - adders) * o->series;
    *s = (struct spread){.kind = UFC_KERNEL_SERIES,
                         .group = 1,
                         .blocks = 1,
                         .threads = (uint32_t)threads,
                         .shared = (uint32_t)shared};
    return threads <= o->block[UFC_KERNEL_SERIES] && shared + SERIES_RESERVED <= gpu->shared;
}
