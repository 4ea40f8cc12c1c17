/* state.c: calls of WARP that keep the state of their ordered loops in registers, a lane for each
 * index of it. */
#include <math.h>

#include "apart.h"
#include "model.h"
#include "nest.h"
#include "steps.h"

enum { WARP_SIZE = 32, SCHEDULERS = 4 };

/* What a lane does of a call: the instructions that it issues, and the clocks in which it waits for
 * one after the other. */
struct lane_work {
    double instructions, clocks;
};

static bool is_serial(const struct ufc_overload *o, int loop) {
    return o->loops[loop].kind == UFC_LOOP_SERIAL;
}

/* The outermost of a loop and those around it whose points are lanes; -1: there is none. */
static int lanes_of(const struct ufc_overload *o, int loop) {
    int found = -1;
    for (; loop >= 0; loop = o->loops[loop].parent)
        found = is_serial(o, loop) ? found : loop;
    return found;
}

/* How often a lane does what depends on a set of loops. */
static double times_of(const struct iteration *it, uint64_t loops) {
    const struct ufc_overload *o = it->overload;
    int lanes = lanes_of(o, loops ? 63 - __builtin_clzll(loops) : -1);
    double n = 1;
    for (int k = loops ? 63 - __builtin_clzll(loops) : -1; k >= 0; k = o->loops[k].parent)
        n *= k == lanes ? 1 : (double)loop_size(it, k);
    return n;
}

/* The kernel whose lanes have so many indices of the state each; UFC_KERNEL_COUNT: there is none.
 */
static enum ufc_kernel_kind state_kernel(const struct iteration *it, uint32_t per) {
    enum ufc_kernel_kind kind = per == 1   ? UFC_KERNEL_WARP
                                : per == 2 ? UFC_KERNEL_STATE_2
                                           : UFC_KERNEL_STATE_4;
    return it->overload->kernel[kind] ? kind : UFC_KERNEL_COUNT;
}

/* Do all of a lane's indices share what it reads, in loops at each of its points?  Several of them
 * are then worth fewer warps, which hide less of what a step waits for. */
static bool shares_reads(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        int loop = o->accesses[i].loops ? 63 - __builtin_clzll(o->accesses[i].loops) : -1;
        int lanes = lanes_of(o, loop);
        if (lanes >= 0 && lanes != loop && !(o->accesses[i].loops >> lanes & 1))
            return true;
    }
    return false;
}

/* How lanes have a call: so many of them, and of its state so many indices each. */
struct lanes {
    uint32_t group, per;
};

static void add_parts(const struct iteration *it, const struct lanes *l, struct lane_work *w) {
    const struct ufc_overload *o = it->overload;
    double joined = log2(l->group) / log2(WARP_SIZE);
    for (int i = 0; i < (int)o->nloops; i++) {
        if (lanes_of(o, i) != i)
            continue;
        bool joins = o->loops[i].kind == UFC_LOOP_REDUCTION;
        double n = times_of(it, UINT64_C(1) << i);
        w->instructions += n * (joins ? joined * STATE_JOIN_INSTRUCTIONS : STATE_PART_INSTRUCTIONS);
        w->clocks += n * (joins ? joined * STATE_JOIN_CLOCKS : STATE_PART_CLOCKS);
    }
}

/* How many of a lane's indices have an own value of what depends on a set of loops. */
static double copies_of(const struct iteration *it, uint64_t loops, const struct lanes *l) {
    int lanes = loops ? lanes_of(it->overload, 63 - __builtin_clzll(loops)) : -1;
    return lanes >= 0 && loops >> lanes & 1 ? l->per : 1;
}

/* The instructions in whose time a multiprocessor has an access of a warp, whose lanes are
 * neighbours along the state of each call.  A lane's own elements, and those of other lanes that
 * it reads one after the other, are a vector. */
static double access_instructions(const struct iteration *it, const struct ufc_access *a,
                                  const struct lanes *l) {
    int lanes = a->loops ? lanes_of(it->overload, 63 - __builtin_clzll(a->loops)) : -1;
    if (lanes < 0 || it->naxes == 0)
        return STATE_ACCESS_INSTRUCTIONS;
    const struct warp_rows rows = {{-1, lanes}, {0, -1}, l->group, 1};
    double lines = lines_in_rows(it, a, &rows);
    bool others = a->operand >= it->nin && !(a->loops >> lanes & 1);
    return (others ? STATE_ACCESS_INSTRUCTIONS / l->per : STATE_ACCESS_INSTRUCTIONS) +
           (lines > STATE_LINES * l->per ? SCHEDULERS * lines * copies_of(it, a->loops, l) : 0);
}

static struct lane_work lane_work(const struct iteration *it, const struct lanes *l) {
    static const double each[UFC_WORK_COUNT] = {[UFC_WORK_FLOAT32] = 1,
                                                [UFC_WORK_FLOAT64] = 2,
                                                [UFC_WORK_INTEGER] = 1,
                                                [UFC_WORK_SPECIAL] = 8};
    const struct ufc_overload *o = it->overload;
    struct lane_work w = {0, 0};
    add_parts(it, l, &w);
    for (uint32_t i = 0; i < o->naccesses; i++)
        w.instructions += times_of(it, o->accesses[i].loops) * o->accesses[i].count *
                          access_instructions(it, &o->accesses[i], l);
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            w.instructions += times_of(it, o->work[i].loops) * copies_of(it, o->work[i].loops, l) *
                              each[k] * o->work[i].operations[k];
    return w;
}

/* The lanes of a call whose state has so many indices. */
static struct lanes lanes_for(int64_t size, uint32_t per) {
    struct lanes l = {1, per};
    while ((int64_t)l.group * per < size)
        l.group *= 2;
    return l;
}

static double state_clocks(const struct iteration *it, const struct gpu_model *gpu,
                           const struct lanes *l) {
    struct lane_work w = lane_work(it, l);
    double calls = (double)it->total / gpu->multiprocessors;
    double at_once = (l->per == 1 ? STATE_THREADS : STATE_SEVERAL_THREADS) / l->group;
    double issued = calls * l->group / WARP_SIZE * w.instructions / SCHEDULERS;
    return fmax(issued, ceil(calls / at_once) * (w.clocks + w.instructions));
}

bool may_keep_state(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t size = o->state ? it->core->size[o->state - 1] : 0;
    int64_t most = !o->kernel[UFC_KERNEL_WARP]                           ? 0
                   : !o->kernel[UFC_KERNEL_STATE_4] || !shares_reads(it) ? WARP_SIZE
                                                                         : 4 * WARP_SIZE;
    return size > 0 && size <= most && is_narrow(it);
}

/* Do lanes have all arrays of a call's body?  Those that they lack are in memory. */
static bool lanes_have_all(const struct iteration *it) {
    int n = it->nin + it->nout;
    bool all = true;
    for (int k = n - (int)it->ufunc->nintermediates; k < n; k++)
        all = all && it->overload->in_lanes >> k & 1;
    return all;
}

bool choose_state(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    if (!o->state || !o->kernel[UFC_KERNEL_WARP] || (ufc_is_small(s->kind) && !lanes_have_all(it)))
        return false;
    if (s->kind == UFC_KERNEL_WARP) /* which has no other way to share a call */
        *s = (struct sharing){.kind = UFC_KERNEL_THREAD,
                              .group = 1,
                              .blocks = 1,
                              .threads = o->block[UFC_KERNEL_THREAD]};
    int64_t size = may_keep_state(it) ? it->core->size[o->state - 1] : 0;
    double least = size > 0 ? sharing_clocks(it, gpu, s) : 0;
    uint32_t most = shares_reads(it) ? 4 : 1;
    for (uint32_t per = 1; size > 0 && per <= most; per *= 2) {
        enum ufc_kernel_kind kind = state_kernel(it, per);
        const struct lanes l = lanes_for(size, per);
        double clocks =
            kind != UFC_KERNEL_COUNT && l.group <= WARP_SIZE ? state_clocks(it, gpu, &l) : INFINITY;
        if (clocks >= least)
            continue;
        least = clocks;
        *s = (struct sharing){.kind = kind, .group = l.group, .blocks = 1};
        s->threads = o->block[kind];
        while (s->threads > WARP_SIZE &&
               it->total * l.group < (int64_t)s->threads * gpu->multiprocessors)
            s->threads /= 2; /* all multiprocessors have calls */
    }
    return true;
}
