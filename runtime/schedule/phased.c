/* phased.c: calls of several phases that fit a block: what their phases merge into, scan and make
 * is in its shared memory, so that all phases run in one launch and little of them goes to memory.
 */
#include "apart.h"
#include "model.h"
#include "schedule.h"
#include "spread.h"
#include "steps.h"

/* As many times as long as all threads take for the rest one may compute terms alone [bits]. */
static const double alone_most = 4;

static bool is_known(const struct iteration *it) {
    bool known = true;
    for (uint32_t i = 0; i < it->overload->nloops; i++)
        known = known && loop_size(it, (int)i) >= 0;
    return known;
}

/* The accesses of a call. */
static double call_accesses(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    double n = 0;
    for (uint32_t i = 0; i < o->naccesses; i++)
        n += model_points(it, o->accesses[i].loops) * o->accesses[i].count;
    return n;
}

/* The calls that a multiprocessor's shared memory has room for. */
static int64_t room_for(const struct gpu_model *gpu, int64_t bytes) {
    return gpu->shared / (bytes + RESIDENT_RESERVED);
}

/* As many threads as fill a multiprocessor with all calls that it has room for, and as the call has
 * work for. */
static uint32_t threads_for(const struct iteration *it, const struct gpu_model *gpu, int64_t bytes,
                            int64_t width) {
    int64_t threads = it->overload->block[UFC_KERNEL_RESIDENT];
    int64_t fit = room_for(gpu, bytes);
    int64_t calls = rounded_up(it->total, gpu->multiprocessors);
    fit = fit < RESIDENT_BLOCKS ? fit : RESIDENT_BLOCKS;
    fit = fit < calls ? fit : calls;
    while (threads > WARP_THREADS &&
           (threads * fit > gpu->threads || threads * PHASED_POINTS > width))
        threads /= 2;
    return (uint32_t)threads;
}

/* Is a loop in those of a single point, whose terms NEST's lanes compute at once? */
static bool is_alone(const struct ufc_overload *o, uint64_t loops) {
    bool series = false, several = false;
    for (uint64_t rest = loops; rest != 0; rest &= rest - 1) {
        const struct ufc_loop *l = &o->loops[__builtin_ctzll(rest)];
        series = series || l->flags & UFC_LOOP_SERIES;
        several = several || (l->kind != UFC_LOOP_SERIAL &&
                              !(l->size.nterms == 1 && l->size.terms[0].value == 1));
    }
    return series && !several;
}

/* Would one thread of a block compute terms for much longer than all of them take for the rest? */
static bool adds_alone(const struct iteration *it, uint32_t threads) {
    const struct ufc_overload *o = it->overload;
    double alone = 0, rest = 0;
    for (uint32_t i = 0; i < o->nwork; i++)
        *(is_alone(o, o->work[i].loops) ? &alone : &rest) += model_operations(it, &o->work[i]);
    return o->kernel[UFC_KERNEL_NEST] && alone > alone_most * rest / threads;
}

/* Threads group the sums of a call: these are chosen for the GPU that forecasts are for, if this
 * one has the shared memory. */
bool choose_phased(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                   struct spread *s) {
    const struct ufc_overload *o = it->overload;
    if (!(o->flags & UFC_PHASED) || !o->kernel[UFC_KERNEL_RESIDENT] || !is_narrow(it) ||
        !is_known(it) || it->total > INT32_MAX / o->block[UFC_KERNEL_RESIDENT])
        return false;
    int64_t bytes = resident_bytes(it, it->nin);
    double accesses = call_accesses(it);
    struct gpu_model reference;
    if (bytes > gpu->shared - RESIDENT_JOINS || accesses < PHASED_LEAST || accesses > PHASED_MOST)
        return false;
    model_reference(&reference);
    *s = (struct spread){.kind = UFC_KERNEL_RESIDENT,
                         .group = 1,
                         .blocks = 1,
                         .threads = threads_for(it, &reference, bytes, width),
                         .shared = (uint32_t)bytes};
    if (it->total > reference.multiprocessors && adds_alone(it, s->threads))
        return false;
    return it->total <= reference.multiprocessors ||
           room_for(&reference, bytes) * s->threads >= PHASED_THREADS;
}
