/* lone.c: calls with a thread each, whose arrays are in shared memory.  The fewer arrays of a call
 * are there the more calls run at a time, and the more of what they read has each wait for memory.
 */
#include <math.h>
#include <stdlib.h>

#include "apart.h"
#include "model.h"
#include "nest.h"
#include "rt.h"
#include "schedule.h"
#include "spread.h"
#include "steps.h"

enum { ISSUE_WIDTH = 4 * WARP_THREADS }; /* threads, in a clock */

/* Bytes of shared memory of a warp, of the arrays of a mask. */
static int64_t lone_bytes(const struct iteration *it, uint32_t arrays) {
    int64_t bytes = 0;
    for (int k = 0; k < it->nin + it->nout; k++)
        if (arrays >> k & 1)
            bytes += ufc_lone_bytes(call_elements(it, k), dtype_info[it->dtype[k]].size);
    return WARP_THREADS * bytes;
}

/* Warps of a multiprocessor, of which each has so many bytes. */
static double warps_of(const struct gpu_model *gpu, int64_t bytes) {
    double fit = bytes > 0 ? floor((double)gpu->shared / (double)bytes) : LONE_MAX_WARPS;
    return at_least(1, at_most(fit, LONE_MAX_WARPS));
}

/* Are a call's iterations of such loops in order? */
static bool is_in_order(const struct ufc_overload *o, uint64_t loops) {
    for (int i = loops ? 63 - __builtin_clzll(loops) : -1; i >= 0; i = o->loops[i].parent)
        if (o->loops[i].kind == UFC_LOOP_SERIAL)
            return true;
    return false;
}

/* Are there loops in a loop?  What it accesses itself comes in no chunks. */
static bool is_around(const struct ufc_overload *o, int loop) {
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].parent == loop)
            return true;
    return false;
}

/* Lines of memory that a warp's lanes access at once in the calls' arrays of operand k. */
static double lines_of(const struct iteration *it, int k) {
    const struct ufc_core *core = it->ufunc->core;
    int64_t first = 0;
    for (int i = 0; i < k; i++)
        first += core->rank[i];
    enum call_layout layout =
        call_layout(it->naxes, it->size, it->stride[k], core->rank[k], it->core->stride + first);
    return layout == CALLS_ALONG ? WARP_THREADS : 1;
}

/* Clocks in which a call waits for what it loads from inputs in memory, or copies from there, so
 * many calls at a time.  Neighbours in a row come together, or are in the cache by then; that gives
 * a line a clock, which is long where an element is loaded in each iteration of a loop. */
static double far_clocks(const struct iteration *it, uint32_t inputs, double together) {
    const struct ufc_overload *o = it->overload;
    double clocks = 0, lines = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (a->operand >= it->nin || inputs >> a->operand & 1 || !calls_differ(it, a->operand) ||
            !is_in_order(o, a->loops))
            continue;
        int loop = 63 - __builtin_clzll(a->loops);
        int64_t size = dtype_info[it->dtype[a->operand]].size;
        int64_t stride = llabs(loop_stride(it, a, loop));
        double n = model_points(it, with_outer(o, a->loops)) * a->count;
        bool beside = !a->irregular && stride <= size;
        clocks += n * LONE_FAR_CLOCKS / (beside ? CHUNK_BYTES / (double)size : 1);
        clocks += beside && is_around(o, loop) ? n * ACCESS_CLOCKS : 0;
        lines += stride == 0 ? n * lines_of(it, a->operand) : 0;
    }
    clocks = at_least(clocks, lines * together / WARP_THREADS);
    for (int k = 0; k < it->nin; k++)
        clocks += inputs >> k & 1 ? (double)call_elements(it, k) * LONE_COPY_CLOCKS : 0;
    return clocks;
}

/* Clocks of the calls for what they do in shared memory, so many of them at a time. */
static double near_clocks(const struct iteration *it, double together) {
    double access = together * ACCESS_INSTRUCTIONS / 2 / ISSUE_WIDTH;
    return accesses_of_call(it) * at_least(access, LONE_CLOCKS);
}

double lone_clocks(const struct iteration *it, const struct gpu_model *gpu,
                   const struct sharing *s) {
    double all = ceil((double)it->total / gpu->multiprocessors / WARP_THREADS);
    double together = at_most(warps_of(gpu, s->shared), at_least(all, 1)) * WARP_THREADS;
    return call_rounds(it, gpu, together) * near_clocks(it, together);
}

/* The same with what inputs in memory take, by which those in shared memory are chosen. */
static double all_clocks(const struct iteration *it, const struct gpu_model *gpu,
                         const struct sharing *s) {
    double together = warps_of(gpu, s->shared) * WARP_THREADS;
    return call_rounds(it, gpu, together) *
           (near_clocks(it, together) + far_clocks(it, s->inputs, together));
}

static struct sharing with_inputs(const struct iteration *it, uint32_t outputs, uint32_t inputs) {
    return (struct sharing){.kind = UFC_KERNEL_LONE,
                            .group = 1,
                            .blocks = 1,
                            .inputs = inputs,
                            .shared = (uint32_t)lone_bytes(it, outputs | inputs)};
}

/* How LONE computes calls: which inputs it has in shared memory.  False: there is no such kernel,
 * or shared memory has no room for a warp. */
static bool find_lone(const struct iteration *it, const struct gpu_model *gpu,
                      struct sharing *lone) {
    uint32_t inputs = (UINT32_C(1) << it->nin) - 1, outputs = it->overload->repeated & ~inputs;
    int64_t room = gpu->shared - WARP_THREADS * UFC_ROW_PITCH;
    if (!it->overload->kernel[UFC_KERNEL_LONE] || !is_narrow(it) || lone_bytes(it, outputs) > room)
        return false;
    *lone = with_inputs(it, outputs, 0);
    inputs &= it->overload->repeated;
    for (int k = 0; k < it->nin; k++) {
        struct sharing more = with_inputs(it, outputs, lone->inputs | (UINT32_C(1) << k));
        bool may =
            inputs >> k & 1 && calls_differ(it, k) && lone_bytes(it, outputs | more.inputs) <= room;
        if (may && all_clocks(it, gpu, &more) < all_clocks(it, gpu, lone))
            *lone = more;
    }
    return true;
}

bool choose_lone(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    struct sharing lone;
    if (it->overload->flags & UFC_PASSES || !find_lone(it, gpu, &lone))
        return false;
    int64_t outputs = lone_bytes(it, it->overload->repeated >> it->nin << it->nin);
    double warps = warps_of(gpu, outputs), calls = warps * WARP_THREADS * gpu->multiprocessors;
    if (s->kind == UFC_KERNEL_THREAD ? warps < LONE_WARPS && calls < (double)it->total
                                     : lone_clocks(it, gpu, &lone) >= sharing_clocks(it, gpu, s))
        return false;
    *s = lone;
    return true;
}

bool choose_passes(const struct iteration *it, struct spread *s) {
    struct gpu_model reference;
    struct sharing lone;
    if (!(it->overload->flags & UFC_PASSES))
        return false;
    model_reference(&reference);
    if (!find_lone(it, &reference, &lone) || warps_of(&reference, lone.shared) < LONE_WARPS)
        return false;
    *s = (struct spread){
        .kind = lone.kind, .group = 1, .blocks = 1, .shared = lone.shared, .inputs = lone.inputs};
    return true;
}
