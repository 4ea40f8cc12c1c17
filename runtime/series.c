/* series.c: calls whose ordered loops add up terms that a block's threads compute at once. */
#include "model.h"
#include "spread.h"

enum { WARP_SIZE = 32 };

bool choose_series(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    if (!o->kernel[UFC_KERNEL_SERIES] || !is_narrow(it))
        return false;
    int64_t calls = rounded_up(it->total, gpu->multiprocessors), adders = o->adders * WARP_SIZE;
    int64_t threads = o->block[UFC_KERNEL_SERIES];
    while (threads > SERIES_LEAST_THREADS && threads * calls > SERIES_THREADS)
        threads /= 2;
    while (threads <= adders)
        threads *= 2;
    int64_t shared = 2 * (threads - adders) * o->series;
    *s = (struct spread){.kind = UFC_KERNEL_SERIES,
                         .group = 1,
                         .blocks = 1,
                         .threads = (uint32_t)threads,
                         .shared = (uint32_t)shared};
    return threads <= o->block[UFC_KERNEL_SERIES] && shared + SERIES_RESERVED <= gpu->shared;
}
