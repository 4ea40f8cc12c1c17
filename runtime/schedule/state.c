/* state.c: calls of WARP that keep the state of their ordered loops in registers, a lane for each
 * index of it. */
#include <math.h>

#include "apart.h"
#include "model.h"
#include "nest.h"
#include "steps.h"

enum {
    WARP_SIZE = 32,
    MOST_INDICES = 4, /* of a lane */
    SCHEDULERS = 4,
    STATE_TERM_INSTRUCTIONS = 2, /* of a lane for a term of a series, which it adds */
};

/* What a lane does of a call: the instructions that it issues, and the clocks in which it waits for
 * one after the other. */
struct lane_work {
    double instructions, clocks;
};

/* Clocks in which a lane has, and waits for, an instruction that a step has once at each index. */
static const double STATE_WAIT = 2.2;

static bool is_serial(const struct ufc_overload *o, int loop) {
    return o->loops[loop].kind == UFC_LOOP_SERIAL && !o->loops[loop].in_lanes;
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
        double n = times_of(it, UINT64_C(1) << i), added = (double)loop_size(it, i);
        double instructions = STATE_PART_INSTRUCTIONS, clocks = STATE_PART_CLOCKS;
        if (o->loops[i].in_lanes) {
            instructions = STATE_JOIN_INSTRUCTIONS + STATE_TERM_INSTRUCTIONS * added;
            clocks = STATE_JOIN_CLOCKS + fmax(o->loops[i].chain, 4) * added;
        } else if (o->loops[i].kind == UFC_LOOP_REDUCTION) {
            instructions = joined * STATE_JOIN_INSTRUCTIONS;
            clocks = joined * STATE_JOIN_CLOCKS;
        }
        w->instructions += n * instructions;
        w->clocks += n * (instructions + clocks);
    }
}

/* Is a set of loops of one that each of the lanes' points runs?  Its iterations are straight code,
 * several at a time, which wait for one another less than what else a step does. */
static bool is_within_points(const struct ufc_overload *o, uint64_t loops) {
    int loop = loops ? 63 - __builtin_clzll(loops) : -1, lanes = lanes_of(o, loop);
    return lanes >= 0 && lanes != loop;
}

static void add_instructions(const struct iteration *it, uint64_t loops, double each,
                             struct lane_work *w) {
    double n = times_of(it, loops) * each;
    w->instructions += n;
    w->clocks += is_within_points(it->overload, loops) ? n : STATE_WAIT * n;
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
    bool kept = it->overload->in_lanes >> a->operand & 1;
    double lines = kept ? 0 : lines_in_rows(it, a, &rows);
    bool others = a->operand >= it->nin && !(a->loops >> lanes & 1);
    double own = STATE_ACCESS_INSTRUCTIONS;
    own *= is_within_points(it->overload, a->loops) ? 1 : (1 + l->per) / 2.;
    return (others ? STATE_ACCESS_INSTRUCTIONS / l->per : own) +
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
        add_instructions(it, o->accesses[i].loops,
                         o->accesses[i].count * access_instructions(it, &o->accesses[i], l), &w);
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            add_instructions(
                it, o->work[i].loops,
                copies_of(it, o->work[i].loops, l) * each[k] * o->work[i].operations[k], &w);
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
    return fmax(issued, ceil(calls / at_once) * w.clocks);
}

bool may_keep_state(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t size = o->state ? it->core->size[o->state - 1] : 0;
    int64_t most = !o->kernel[UFC_KERNEL_WARP]      ? 0
                   : !o->kernel[UFC_KERNEL_STATE_4] ? WARP_SIZE
                                                    : MOST_INDICES * WARP_SIZE;
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
    for (uint32_t per = 1; size > 0 && per <= MOST_INDICES; per *= 2) {
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
