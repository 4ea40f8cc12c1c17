/* series.c: calls whose ordered loops add up terms that a block's threads compute at once. */
#include <stdlib.h>

#include "apart.h"
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* The threads of a block, by the GPU that forecasts are for: they share reductions beside series,
 * whose results are then the same on all GPUs. */
static int64_t threads_for(const struct iteration *it, int64_t adders) {
    struct gpu_model reference;
    model_reference(&reference);
    int64_t calls = rounded_up(it->total, reference.multiprocessors);
    int64_t threads = BLOCK_THREADS;
    while (threads > SERIES_LEAST_THREADS && threads * calls > SERIES_THREADS)
        threads /= 2;
    while (threads <= adders)
        threads *= 2;
    return threads;
}

/* Bytes of a block's shared memory. */
static uint32_t shared_bytes(const struct ufc_overload *o, int64_t members) {
    int64_t gaps = o->series_calls > 1 ? UFC_SERIES_GAPS * (int64_t)o->adders : 0;
    return (uint32_t)(2 * (members * o->series + gaps));
}

bool choose_series(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    if (!o->kernel[UFC_KERNEL_SERIES] || !is_narrow(it))
        return false;
    int64_t adders = o->adders * WARP_THREADS, threads = threads_for(it, adders);
    uint32_t shared = shared_bytes(o, threads - adders);
    *s = (struct spread){.kind = UFC_KERNEL_SERIES,
                         .group = 1,
                         .blocks = 1,
                         .threads = (uint32_t)threads,
                         .shared = shared};
    return threads <= o->block[UFC_KERNEL_SERIES] &&
           (int64_t)shared + SERIES_RESERVED <= gpu->shared;
}

bool series_lie_across(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t across = 0, along = 0;
    for (uint32_t i = 0; i < o->naccesses && it->naxes > 0; i++) {
        const struct ufc_access *a = &o->accesses[i];
        int loop = a->loops != 0 ? 63 - __builtin_clzll(a->loops) : -1;
        if (loop < 0 || !(o->loops[loop].flags & UFC_LOOP_SERIES) || a->stored)
            continue;
        int64_t from_call = llabs(it->stride[a->operand][0]);
        int64_t from_term = llabs(loop_stride(it, a, loop));
        if (from_call == 0 || from_call == from_term)
            continue;
        *(from_call < from_term ? &across : &along) += 1;
    }
    return across > along;
}

bool have_terms_loops(const struct ufc_overload *o) {
    bool any = false;
    for (uint32_t i = 0; i < o->nloops; i++)
        any = any || (!(o->loops[i].flags & UFC_LOOP_SERIES) && o->loops[i].parent >= 0 &&
                      o->loops[o->loops[i].parent].flags & UFC_LOOP_SERIES);
    return any;
}

/* Blocks of several calls that the GPU has at a time, by the registers of their threads. */
static int64_t blocks_at_once(const struct iteration *it) {
    struct gpu_model reference;
    bool wide = false;
    model_reference(&reference);
    for (int k = 0; k < it->nin + it->nout; k++)
        wide = wide || dtype_info[it->dtype[k]].size > 4;
    return (int64_t)(wide ? SERIES_WIDE_BLOCKS : SERIES_BLOCKS) * reference.multiprocessors;
}

/* The calls of a block: as few as have the GPU compute all blocks at once. */
static int64_t calls_of_block(const struct iteration *it, int64_t members, bool across) {
    const struct ufc_overload *o = it->overload;
    int64_t calls = across ? SERIES_NEAR_CALLS : 1, most = SERIES_MOST_CALLS;
    while (calls < most && rounded_up(it->total, calls) > blocks_at_once(it))
        calls *= 2;
    while (calls > o->series_calls || members * o->series_units < calls * WARP_THREADS)
        calls /= 2;
    return calls;
}

bool choose_series_calls(const struct iteration *it, const struct gpu_model *gpu, bool across,
                         struct spread *s) {
    const struct ufc_overload *o = it->overload;
    int64_t members = SERIES_MEMBERS;
    if (!o->kernel[UFC_KERNEL_SERIES] || !is_narrow(it) || o->series_calls < 2)
        return false;
    while (shared_bytes(o, members) + SERIES_RESERVED > SERIES_SHARED)
        members /= 2;
    int64_t calls = calls_of_block(it, members, across);
    *s = (struct spread){.kind = UFC_KERNEL_SERIES,
                         .group = (uint32_t)calls,
                         .blocks = 1,
                         .threads = (uint32_t)(members + o->adders * WARP_THREADS),
                         .windows = across,
                         .shared = shared_bytes(o, members)};
    return calls > 1 && it->total > 1 && s->threads <= o->block[UFC_KERNEL_SERIES] &&
           (int64_t)s->shared + SERIES_RESERVED <= gpu->shared;
}
