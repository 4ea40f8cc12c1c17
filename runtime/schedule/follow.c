/* follow.c: calls with ordered loops whose iterations follow one another: whether a block has a
 * call, and each of its threads an iteration, or several blocks have it. */
#include <math.h>

#include "apart.h"
#include "model.h"
#include "rt.h"
#include "schedule.h"
#include "steps.h"
#include "traffic.h"

enum { SCHEDULERS = 4 };

static bool is_within_lag(const struct ufc_overload *o, int loop) {
    while (loop >= 0 && ufc_lag(&o->loops[loop]) == 0)
        loop = o->loops[loop].parent;
    return loop >= 0;
}

/* Has the body such loops, and no others whose steps threads share? */
bool follows_alone(const struct ufc_overload *o) {
    bool any = false;
    for (uint32_t i = 0; i < o->nloops; i++) {
        const struct ufc_loop *l = &o->loops[i];
        bool in_order = l->parent >= 0 && o->loops[l->parent].kind == UFC_LOOP_SERIAL;
        any = any || ufc_lag(l) > 0;
        if (l->kind != UFC_LOOP_SERIAL && in_order && !is_within_lag(o, (int)i))
            return false;
    }
    return any;
}

/* The loop that each iteration of a loop ends with. */
static int last_loop(const struct ufc_overload *o, int loop) {
    int last = -1;
    for (int i = loop + 1; i < (int)o->nloops; i++)
        if (o->loops[i].parent == loop)
            last = i;
    return last;
}

/* Accesses in a turn of a loop. */
static double turn_accesses(const struct iteration *it, int loop) {
    const struct ufc_overload *o = it->overload;
    double n = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        uint64_t in = 0;
        bool inside = false;
        for (int k = innermost(o->accesses[i].loops); k >= 0 && !inside; k = o->loops[k].parent) {
            inside = k == loop;
            in |= inside ? 0 : UINT64_C(1) << k;
        }
        n += inside ? model_points(it, in) * o->accesses[i].count : 0;
    }
    return n;
}

/* The turns of a loop of `rows` iterations of `in` turns each, which blocks have in turn, in groups
 * of as many as a block has threads; waits: how many turns it takes until a block knows of another.
 * A group begins when the one before it is far enough, and the block has done the one that it had
 * before. */
static double turns_of(const struct sharing *s, double rows, double in, double lag, double waits) {
    double together = at_least(at_most(rows, s->threads), 1), groups = ceil(rows / s->threads);
    double group = in + lag * (together - 1), behind = lag * s->threads + waits;
    double rounds = ceil(groups / s->blocks);
    if (s->blocks == 1)
        return rounds * group;
    return group + (groups - 1) * behind + (rounds - 1) * at_least(group - s->blocks * behind, 0);
}

double following_clocks(const struct iteration *it, const struct sharing *s, double *issued) {
    const struct ufc_overload *o = it->overload;
    bool far = s->kind == UFC_KERNEL_FOLLOW;
    double clocks = 0, threads = s->threads;
    *issued = 0;
    for (uint32_t i = 0; i < o->nloops; i++) {
        int lag = ufc_lag(&o->loops[i]), last = last_loop(o, (int)i);
        if (lag == 0 || last < 0)
            continue;
        double around = 1, rows = (double)loop_size(it, (int)i), in = (double)loop_size(it, last);
        for (int k = o->loops[i].parent; k >= 0; k = o->loops[k].parent)
            around *= at_least((double)loop_size(it, k), 1);
        double together = at_least(at_most(rows, threads), 1), n = turn_accesses(it, last);
        double warps = ceil(together / WARP_THREADS);
        double lines = far ? warps * n * FOLLOW_FAR_LINES : 0;
        double each = FOLLOW_CLOCKS + (far ? FOLLOW_FAR_CLOCKS : FOLLOW_ACCESS_CLOCKS) * n + lines;
        each += s->blocks > 1 ? (double)FOLLOW_LOT_CLOCKS / FOLLOW_TURNS : 0;
        double waits = FOLLOW_TURNS + FOLLOW_WAIT_CLOCKS / each;
        double turns = around * turns_of(s, rows, in, lag, waits);
        clocks += turns * each;
        *issued += turns * at_least(lines, warps * (FOLLOW_INSTRUCTIONS + ACCESS_INSTRUCTIONS * n) /
                                               SCHEDULERS);
    }
    return clocks;
}

/* The same of all calls on a multiprocessor. */
static double follow_clocks(const struct iteration *it, const struct gpu_model *gpu,
                            const struct sharing *s) {
    double calls = ceil((double)it->total * s->blocks / gpu->multiprocessors), issued;
    double together =
        at_most((double)gpu->shared / (s->shared + RESIDENT_RESERVED), RESIDENT_BLOCKS);
    if (gpu->threads > 0)
        together = at_most(together, (double)gpu->threads / s->threads);
    double each = following_clocks(it, s, &issued);
    return at_least(ceil(calls / at_least(floor(together), 1)) * each, calls * issued);
}

/* Takes of `own` by any number of threads the one that is fastest, if that is less than *least. */
static bool try_threads(const struct iteration *it, const struct gpu_model *gpu, struct sharing own,
                        double *least, struct sharing *s) {
    bool chosen = false;
    for (own.threads = WARP_THREADS; own.threads <= it->overload->block[own.kind];
         own.threads *= 2) {
        double clocks = follow_clocks(it, gpu, &own);
        if (clocks < *least)
            *s = own;
        chosen = chosen || clocks < *least;
        *least = at_most(*least, clocks);
    }
    return chosen;
}

bool choose_following(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    int64_t outputs = resident_bytes(it, it->nin), all = resident_bytes(it, 0);
    int64_t room = gpu->shared - RESIDENT_JOINS;
    struct sharing own = {.kind = UFC_KERNEL_RESIDENT, .group = 1, .blocks = 1};
    if (outputs > room)
        own.kind = UFC_KERNEL_FOLLOW;
    if (!o->kernel[own.kind] || !follows_alone(o))
        return false;
    bool several = o->kernel[UFC_KERNEL_FOLLOW] && o->flags & UFC_SEVERAL;
    if (outputs <= room) {
        own.inputs = it->total < RESIDENT_CALLS && all <= room;
        own.shared = (uint32_t)(own.inputs ? all : outputs);
    }
    double least = sharing_clocks(it, gpu, s);
    bool chosen = try_threads(it, gpu, own, &least, s);
    own = (struct sharing){.kind = UFC_KERNEL_FOLLOW, .group = 1};
    for (own.blocks = 2; several && own.blocks * it->total <= gpu->together; own.blocks *= 2)
        chosen = try_threads(it, gpu, own, &least, s) || chosen;
    return chosen;
}
