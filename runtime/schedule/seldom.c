/* seldom.c: calls whose ordered loops do nothing in most iterations (plan/seldom.c): a thread that
 * goes through them, or a warp or a block that looks for those that do something. */
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* Clocks of an iteration that one thread runs; of one that each of them asks, and of a round of a
 * warp and of a block, with its loads. */
enum { ALONE_CLOCKS = 30, ASKED_CLOCKS = 8, WARP_CLOCKS = 1000, BLOCK_CLOCKS = 1100 };
enum { BLOCKS_TOGETHER = 4 }; /* of a multiprocessor */

/* What a call has of loops whose iterations are asked: their iterations, and their rounds. */
struct asking {
    double asked, rounds;
    uint64_t loops; /* a bit each, and of those that their rounds are */
};

static struct asking find_asking(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    struct asking a = {.asked = 0};
    for (uint32_t i = 0; i < o->nloops; i++) {
        if (!ufc_is_asked(&o->loops[i]))
            continue;
        uint64_t own = UINT64_C(1) << i, around = UINT64_C(1) << o->loops[i].parent;
        a.rounds += model_points(it, around);
        a.asked += model_points(it, own | around);
        a.loops |= own | around;
    }
    return a;
}

/* Does a call do more elsewhere? */
static bool does_more(const struct iteration *it, const struct asking *a) {
    const struct ufc_overload *o = it->overload;
    double own = 0, other = 0;
    for (uint32_t i = 0; i < o->nwork; i++)
        *(o->work[i].loops & a->loops ? &own : &other) += model_operations(it, &o->work[i]);
    return other > own;
}

/* How many calls one after the other a multiprocessor has, of so many at a time. */
static double turns(const struct iteration *it, const struct gpu_model *gpu, double together) {
    return (double)rounded_up(it->total, (int64_t)(gpu->multiprocessors * together));
}

bool choose_seldom(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    struct asking a = find_asking(it);
    if (a.loops == 0 || gpu->multiprocessors <= 0 || gpu->threads < WARP_THREADS ||
        does_more(it, &a))
        return false;
    double threads = o->block[UFC_KERNEL_BLOCK];
    double alone = turns(it, gpu, gpu->threads) * a.asked * ALONE_CLOCKS;
    double warp = turns(it, gpu, (double)gpu->threads / WARP_THREADS) *
                  (a.asked / WARP_THREADS * ASKED_CLOCKS + a.rounds * WARP_CLOCKS);
    double block = turns(it, gpu, BLOCKS_TOGETHER) *
                   (a.asked / at_least(threads, 1) * ASKED_CLOCKS + a.rounds * BLOCK_CLOCKS);
    bool shares = o->kernel[UFC_KERNEL_WARP] && o->kernel[UFC_KERNEL_BLOCK];
    *s = (struct spread){.kind = UFC_KERNEL_THREAD, .group = 1, .blocks = 1};
    if (!shares || (o->kernel[UFC_KERNEL_THREAD] && alone <= at_most(warp, block)))
        return o->kernel[UFC_KERNEL_THREAD];
    s->kind = block < warp ? UFC_KERNEL_BLOCK : UFC_KERNEL_WARP;
    s->group = block < warp ? 1 : WARP_THREADS;
    return true;
}
