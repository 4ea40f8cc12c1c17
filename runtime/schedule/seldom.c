/* seldom.c: calls whose ordered loops do nothing in most iterations (plan/seldom.c): a thread that
 * goes through them, or a warp or a block that looks for those that do something. */
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* Clocks of an iteration that one thread runs; of one that each of them asks, and of a round of a
 * warp and of a block, with its loads. */
enum { ALONE_CLOCKS = 30, ASKED_CLOCKS = 8, WARP_CLOCKS = 2500, BLOCK_CLOCKS = 1100 };
enum { BLOCKS_TOGETHER = 4 }; /* of a multiprocessor */

/* The loop of what is asked in a round; -1: there is none. */
static int asked_loop(const struct ufc_overload *o) {
    int i = (int)o->nloops - 1;
    while (i >= 0 && !ufc_is_asked(&o->loops[i]))
        i--;
    return i;
}

/* How many calls one after the other a multiprocessor has, of so many at a time. */
static double turns(const struct iteration *it, const struct gpu_model *gpu, double together) {
    return (double)rounded_up(it->total, (int64_t)(gpu->multiprocessors * together));
}

bool choose_seldom(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    int loop = asked_loop(o);
    if (loop < 0 || gpu->multiprocessors <= 0 || gpu->threads < WARP_THREADS)
        return false;
    double rounds = model_points(it, UINT64_C(1) << o->loops[loop].parent);
    double asked = model_points(it, UINT64_C(1) << loop);
    double threads = o->block[UFC_KERNEL_BLOCK];
    double alone = turns(it, gpu, gpu->threads) * rounds * asked * ALONE_CLOCKS;
    double warp = turns(it, gpu, (double)gpu->threads / WARP_THREADS) * rounds *
                  (asked / WARP_THREADS * ASKED_CLOCKS + WARP_CLOCKS);
    double block = turns(it, gpu, BLOCKS_TOGETHER) * rounds *
                   (asked / at_least(threads, 1) * ASKED_CLOCKS + BLOCK_CLOCKS);
    bool shares = o->kernel[UFC_KERNEL_WARP] && o->kernel[UFC_KERNEL_BLOCK];
    *s = (struct spread){.kind = UFC_KERNEL_THREAD, .group = 1, .blocks = 1};
    if (!shares || (o->kernel[UFC_KERNEL_THREAD] && alone <= at_most(warp, block)))
        return o->kernel[UFC_KERNEL_THREAD];
    s->kind = block < warp ? UFC_KERNEL_BLOCK : UFC_KERNEL_WARP;
    s->group = block < warp ? 1 : WARP_THREADS;
    return true;
}
