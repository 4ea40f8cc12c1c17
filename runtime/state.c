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

static void add_parts(const struct iteration *it, struct lane_work *w) {
    const struct ufc_overload *o = it->overload;
    for (int i = 0; i < (int)o->nloops; i++) {
        if (lanes_of(o, i) != i)
            continue;
        bool joins = o->loops[i].kind == UFC_LOOP_REDUCTION;
        double n = times_of(it, UINT64_C(1) << i);
        w->instructions += n * (joins ? STATE_JOIN_INSTRUCTIONS : STATE_PART_INSTRUCTIONS);
        w->clocks += n * (joins ? STATE_JOIN_CLOCKS : STATE_PART_CLOCKS);
    }
}

/* The instructions in whose time a multiprocessor has an access of a warp, whose lanes are `group`
 * neighbours along the state of each call. */
static double access_instructions(const struct iteration *it, const struct ufc_access *a,
                                  uint32_t group) {
    int lanes = a->loops ? lanes_of(it->overload, 63 - __builtin_clzll(a->loops)) : -1;
    if (lanes < 0 || it->naxes == 0)
        return STATE_ACCESS_INSTRUCTIONS;
    const struct warp_rows rows = {{-1, lanes}, {0, -1}, group, 1};
    double lines = lines_in_rows(it, a, &rows);
    return STATE_ACCESS_INSTRUCTIONS + (lines > STATE_LINES ? SCHEDULERS * lines : 0);
}

static struct lane_work lane_work(const struct iteration *it, uint32_t group) {
    static const double each[UFC_WORK_COUNT] = {[UFC_WORK_FLOAT32] = 1,
                                                [UFC_WORK_FLOAT64] = 2,
                                                [UFC_WORK_INTEGER] = 1,
                                                [UFC_WORK_SPECIAL] = 8};
    const struct ufc_overload *o = it->overload;
    struct lane_work w = {0, 0};
    add_parts(it, &w);
    for (uint32_t i = 0; i < o->naccesses; i++)
        w.instructions += times_of(it, o->accesses[i].loops) * o->accesses[i].count *
                          access_instructions(it, &o->accesses[i], group);
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            w.instructions += times_of(it, o->work[i].loops) * each[k] * o->work[i].operations[k];
    return w;
}

static double state_clocks(const struct iteration *it, const struct gpu_model *gpu,
                           uint32_t group) {
    struct lane_work w = lane_work(it, group);
    double calls = (double)it->total / gpu->multiprocessors, at_once = STATE_THREADS / group;
    double issued = calls * group / WARP_SIZE * w.instructions / SCHEDULERS;
    return fmax(issued, ceil(calls / at_once) * (w.clocks + w.instructions));
}

bool may_keep_state(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t size = o->state ? it->core->size[o->state - 1] : 0;
    return size > 0 && size <= WARP_SIZE && o->kernel[UFC_KERNEL_WARP] && is_narrow(it);
}

bool choose_state(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    uint32_t group = 1;
    if (!o->state || !o->kernel[UFC_KERNEL_WARP])
        return false;
    if (s->kind == UFC_KERNEL_WARP) /* which has no other way to share a call */
        *s = (struct sharing){.kind = UFC_KERNEL_THREAD,
                              .group = 1,
                              .blocks = 1,
                              .threads = o->block[UFC_KERNEL_THREAD]};
    bool fits = may_keep_state(it);
    while (fits && group < it->core->size[o->state - 1])
        group *= 2;
    if (fits && state_clocks(it, gpu, group) < sharing_clocks(it, gpu, s))
        *s = (struct sharing){.kind = UFC_KERNEL_WARP,
                              .group = group,
                              .blocks = 1,
                              .threads = o->block[UFC_KERNEL_WARP]};
    return true;
}
