/* predict.c: the time of a launch, by the roofs that it may meet: memory, the L2 and L1 caches,
 * rates of operations and of instructions, and how long a thread's own steps take in turn. */
#include <math.h>

#include "recorder.h"
#include "steps.h"
#include "traffic.h"

/* What a launch costs on NVIDIA GPUs of compute capability 7.0 to 9.0.  Clocks of one load or
 * operation are near those of published microbenchmarks; the others fit the zoo's times on an H100
 * best, alike for all bodies. */
static const double launch_seconds = 2.4e-6; /* from a kernel's end to an empty one's [H200] */
static const double call_seconds = 1.5e-6;   /* of the host, for a call's checks and choices */
static const double queue_seconds = 1.7e-6;  /* of the host, for a launch */
static const double pool_seconds = 1.5e-6;   /* of the host, for memory from a pool */
static const double join_clocks = 500;       /* threads join their parts of a reduction */
static const double lane_clocks = 150;       /* the same, those of a warp */
static const double barrier_clocks = 60;     /* a block's threads wait for one another */
static const double part_clocks = 900;       /* what threads share in a step begins and ends, */
static const double near_part_clocks = 450;  /* or where shared memory has all of it */
static const double grid_clocks = 3700;      /* several blocks join parts, and wait in memory */
static const double chunk_clocks = 5;    /* of an iteration's part of its chunk, beside itself */
static const double least_special = 20;  /* of a division or a function that is waited for */
static const double entry_clocks = 1000; /* a thread reads another block's part, which is there */
static const double handed_clocks = 20;  /* a tile of a scan has what the one before leaves */
static const double row_instructions = 150;  /* of SWEEP, for a row and phase, */
static const double held_instructions = 25;  /* or of HELD_SWEEP, */
static const double held_clocks = 100;       /* and what they wait for beside loads */
static const double nest_instructions = 160; /* of a thread of NEST, which finds its points */
static const double lane_instructions = 2.5; /* of NEST's for a round of a join by shuffles, */
static const double join_instructions = 13;  /* and through shared memory */
static const double point_instructions = 16; /* of a step's point, beside accesses */
static const double bin_instructions = 28;   /* of a thread for a bin, which it clears and joins */
static const double streamed = .95;          /* of memory's rate, by kernels as they are */
static const double computed = .8;           /* of the rates of operations and instructions */
static const double straight = .95;          /* the same, by code without loops */
static const double least_chain = 4;         /* of an addition, */
static const double wide_chain = 9;          /* and of one of float64 */
static const double unknown_chain = 3.4;     /* of an operation that may wait for the one before */
static const double term_clocks = 600;       /* a part of a series' terms is computed */
static const double shared_term_clocks = 1300;  /* the same where blocks have several calls */
static const double shared_chain = 2;           /* times as long an addition takes there */
static const double lane_part_clocks = 600;     /* the same by lanes, beside loads and additions */
static const double state_part_clocks = 2400;   /* with loads, of lanes that keep a state */
static const double lane_units = 8;             /* iterations of a lane in it */
static const double own_term_instructions = 18; /* of a lane of NEST for one of them */
static const double term_instructions = 1.4;    /* of a warp that adds one, */
static const double lane_sum_instructions = 2;  /* or computes them besides */
static const double wide_term = 1.5;       /* additions of float64 that one takes the time of */
static const double fetched = 5;           /* loads of a loop's steps that are under way at once */
static const double found_fetched = 4;     /* the same, of places that a chunk of steps reads */
static const double lone_special = 24;     /* instructions of a division, or another function */
static const double lone_waits = 5.5;      /* clocks of an instruction of a thread of LONE */
static const double tile_seconds = 4.4e-6; /* until a multiprocessor has a tile's long code */

/* Clocks of an operation that waits for the one before: of float32 and integers half of them do. */
static const double wait_clocks[UFC_WORK_COUNT] = {2.5, 10, 2.5, 20};

enum {
    LONE_COPIED = 16,    /* elements that a thread of LONE loads at once, to copy them, */
    LONE_STORED = 20,    /* and clocks in which it stores one */
    MATRIX_PRODUCTS = 16 /* of a thread's share of an instruction of matrix units */
};

/* ---- what is counted */

/* How often a thread does operations: those that do not depend on a loop around are done before it,
 * and their few results held, or done again in it where they are many; but once for all points that
 * it has at once. */
static double times_computed(const struct schedule *s, uint64_t loops) {
    double n = 1, again = 1;
    for (int k = innermost(loops); k >= 0; k = s->body->it->overload->loops[k].parent)
        if (loops >> k & 1)
            n *= s->each[k];
        else if (!(s->abreast >> k & 1)) /* points at once share it */
            again *= s->each[k];
    return n <= UNROLLED_POINTS || kernel_info[s->kind].sharing == UFC_BY_TILE ? n : n * again;
}

static bool runs(const struct schedule *s, uint64_t loops) {
    int k = innermost(loops);
    return s->phase < 0 || k < 0 || s->body->it->overload->loops[k].phase == s->phase;
}

/* ---- times */

/* Is the loop of points of an ordered loop's step, which a call's threads share? */
static bool is_step(const struct schedule *s, uint32_t loop) {
    const struct ufc_loop *l = &s->body->it->overload->loops[loop];
    return l->kind == UFC_LOOP_POINTS && l->parent >= 0 && is_shared(s->body->it->overload, loop);
}

/* The points of a thread that run an iteration of a loop together. */
static double points_at_once(const struct schedule *s, int loop) {
    double n = 1;
    for (int k = loop; k >= 0; k = s->body->it->overload->loops[k].parent)
        n *= s->abreast >> k & 1 ? s->each[k] : 1;
    return n;
}

/* The points of a thread that an ordered loop's iterations are for. */
static double runs_at_once(const struct schedule *s, uint32_t loop) {
    bool ordered = s->body->it->overload->loops[loop].kind == UFC_LOOP_SERIAL;
    return ordered ? points_at_once(s, (int)loop) : 1;
}

/* Instructions of a thread of NEST that joins its parts of reductions with others'. */
static double joining_instructions(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double points = 1;
    for (uint32_t i = 0; i < o->nloops; i++)
        points = at_least(points, points_at_once(s, (int)i));
    double words = at_least(1, (double)o->phase[s->phase].bytes / 8); /* of a point's accs */
    return words * points * (s->lane_rounds * lane_instructions + s->rounds * join_instructions);
}

/* Do the lanes of a call keep its state in registers, and load what steps read ahead of them? */
static bool keeps_state(const struct schedule *s) {
    return ufc_is_warp(s->kind) && s->body->it->overload->state > 0;
}

/* Instructions of a thread, beside operations: addresses of points' accesses, which loops step
 * through; loops' own, which are unrolled. */
static double other_instructions(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double n = (s->kind == UFC_KERNEL_NEST ? nest_instructions : 20) + 1.5 * s->instructions +
               joining_instructions(s);
    for (uint32_t i = 0; i < o->naccesses; i++) {
        int loop = innermost(o->accesses[i].loops);
        bool inner = loop >= 0 && s->each[loop] > 1;
        if (in_phase(s, o->accesses[i].phase) && !inner)
            n += 4 * times(s, o->accesses[i].loops) * o->accesses[i].count;
    }
    for (uint32_t i = 0; i < o->nloops; i++)
        if (in_phase(s, o->loops[i].phase) && kernel_info[s->kind].sharing != UFC_BY_TILE)
            n += times(s, UINT64_C(1) << i) * (is_step(s, i) ? point_instructions
                                               : s->kind == UFC_KERNEL_NEST && adds_in_lanes(s, i)
                                                   ? own_term_instructions
                                               : keeps_state(s) && adds_in_lanes(s, i)
                                                   ? s->adders * term_instructions
                                                   : 2 * (s->each[i] > 1) / runs_at_once(s, i));
    return n;
}

/* Is it the innermost loop of a series' iterations? */
static bool is_series(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    bool inner = loop + 1 < o->nloops && o->loops[loop + 1].parent == (int)loop &&
                 o->loops[loop + 1].flags & UFC_LOOP_SERIES;
    return s->kind == UFC_KERNEL_SERIES && is_of_series(o, loop) && !inner;
}

/* Is a loop one of its iterations, or in these? */
static bool runs_in_series(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    while (loop >= 0 && !is_of_series(o, (uint32_t)loop))
        loop = o->loops[loop].parent;
    return s->kind == UFC_KERNEL_SERIES && loop >= 0;
}

/* Clocks of a block in a series: those of additions, and of parts of its iterations, each of which
 * has loops of so many clocks in it; *added: the terms of a call. */
static double series_clocks(const struct schedule *s, uint32_t loop, double inner, double *added) {
    const struct ufc_overload *o = s->body->it->overload;
    double all = 1, around = 1, chain = at_least(o->loops[loop].chain, least_chain);
    for (int k = (int)loop; k >= 0; k = o->loops[k].parent)
        *(o->loops[k].flags & UFC_LOOP_SERIES ? &all : &around) *= schedule_size(s->body, k);
    *added = all * around;
    double threads = ((double)s->block - o->adders * (double)WARP_THREADS) / s->lot;
    bool several = s->lot > 1; /* of whose blocks a multiprocessor has a few */
    double part = (several ? shared_term_clocks : term_clocks) + o->series_units * inner;
    return around * at_least(all * chain * (several ? shared_chain : 1.1),
                             ceil(all / threads / o->series_units) * part);
}

/* Additions of the terms of a loop's series, by the threads of warps all of whose lanes are at it,
 * whether they have a variable or not. */
static double added_terms(const struct schedule *s, uint32_t loop) {
    double added = 0;
    if (s->kind == UFC_KERNEL_NEST && adds_in_lanes(s, loop))
        return s->threads * times(s, UINT64_C(1) << loop) * adding_lanes(s);
    if (!is_series(s, loop))
        return 0;
    series_clocks(s, loop, 0, &added);
    return (double)s->calls * added * WARP_THREADS / s->lot;
}

/* Does a loop compute in float64? */
static bool is_wide(const struct ufc_overload *o, uint32_t loop) {
    for (uint32_t i = 0; i < o->nwork; i++)
        if (innermost(o->work[i].loops) == (int)loop && o->work[i].operations[UFC_WORK_FLOAT64] > 0)
            return true;
    return false;
}

/* Clocks of an addition to a loop's sums. */
static double added(const struct ufc_overload *o, int loop) {
    return is_wide(o, (uint32_t)loop) ? wide_chain : least_chain;
}

static void add_work(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct gpu_model *m = s->gpu;
    double work[UFC_WORK_COUNT] = {0}, all = s->threads * other_instructions(s), most = 0,
           products = 0;
    bool matrix = ufc_is_matrix(s->kind);
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT && runs(s, o->work[i].loops); k++) {
            double n = s->threads * times_computed(s, o->work[i].loops) * o->work[i].operations[k];
            if (k == UFC_WORK_FLOAT64 && matrix && is_matrix_work(o, &o->work[i]))
                products += n;
            else
                work[k] += n;
        }
    all += products / MATRIX_PRODUCTS;
    for (uint32_t i = 0; i < o->nloops; i++) {
        double added = in_phase(s, o->loops[i].phase) ? added_terms(s, i) : 0;
        all += added * (s->kind == UFC_KERNEL_NEST ? lane_sum_instructions : term_instructions);
        work[UFC_WORK_FLOAT64] += is_wide(o, i) ? added * wide_term : 0;
    }
    if (m->matrix > 0)
        most = products / m->matrix;
    for (int k = 0; k < UFC_WORK_COUNT; k++) {
        all += work[k];
        if (m->rate[k] > 0)
            most = at_least(most, work[k] / m->rate[k]);
    }
    all += s->windows > 0 ? 0 : (double)s->blocks * s->bins * bin_instructions;
    all += s->kind == UFC_KERNEL_LONE ? lone_special * work[UFC_WORK_SPECIAL] : 0;
    double part = busy(s) / m->multiprocessors;
    s->seconds[OPERATIONS] = most / part;
    s->seconds[ISSUE] = all / (4. * WARP_THREADS * m->multiprocessors * m->clock) / part;
}

/* The iterations of an ordered loop whose elements shared memory holds at once. */
static double staged(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double bytes = 1;
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (innermost(o->accesses[i].loops) == loop && !o->accesses[i].stored)
            bytes += at_least(step_bytes(s->body->it, &o->accesses[i]),
                              dtype_info[s->body->it->dtype[o->accesses[i].operand]].size);
    return at_least(1, at_most(STAGE_ITERATIONS, STAGE_WORDS * 4 / bytes));
}

/* Clocks of an iteration of an ordered loop in HELPED, whose elements are in registers before it
 * begins: those that it waits for the one before it, as there are no others; where that is not
 * known, for all of its operations; `wait` where it waits for a division or a function, too.  Such
 * ones that are not waited for are computed late. */
static double helped_clocks(const struct schedule *s, int loop, double wait) {
    const struct ufc_overload *o = s->body->it->overload;
    double special = 0, operations = 0, chain = o->loops[loop].chain;
    for (uint32_t i = 0; i < o->nwork; i++)
        if (innermost(o->work[i].loops) == loop) {
            special += o->work[i].operations[UFC_WORK_SPECIAL];
            for (int k = 0; k < UFC_WORK_SPECIAL; k++)
                operations += o->work[i].operations[k];
        }
    chain = chain > 0 ? chain : unknown_chain * operations;
    if (special > 0 && chain >= least_special)
        return wait + l1_clocks;
    return chain + chunk_clocks + special * wait_clocks[UFC_WORK_SPECIAL];
}

/* Do a thread's points in a step store to memory that the next ones may read, which then wait? */
static bool waits_to_store(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    int around = loop;
    while (around >= 0 && o->loops[around].kind != UFC_LOOP_SERIAL)
        around = o->loops[around].parent;
    return s->kind == UFC_KERNEL_BLOCK && stores_in(s, loop) && around >= 0 &&
           s->late[loop + 1] > 0;
}

/* Clocks that an iteration of an ordered loop, whose own operations these are, waits for its loads,
 * several iterations of which NEST, and BLOCK in steps, have under way: where elements slide, those
 * of a turn. */
static double loading_clocks(const struct schedule *s, int loop, double operations) {
    const struct ufc_overload *o = s->body->it->overload;
    double load = s->load[loop + 1];
    bool steps = false, inner = (uint32_t)loop + 1 < o->nloops && o->loops[loop + 1].parent == loop;
    for (uint32_t i = 0; i < o->nloops; i++)
        steps = steps || is_step(s, i);
    if (s->kind == UFC_KERNEL_NEST && stores_in(s, loop))
        return load / steps_ahead(s, loop, operations);
    if (operations >= POINT_STEPS_BODY || stores_in(s, loop))
        return load;
    if (s->kind == UFC_KERNEL_NEST)
        return load / (s->sliding != 0 ? o->phase[s->phase].slides : 2);
    return s->kind == UFC_KERNEL_BLOCK && steps && !inner ? load / fetched : load;
}

/* Is it a reduction for an element of another one, of which NEST's threads load no
 * elements ahead? */
static bool is_in_element(const struct schedule *s, int loop) {
    const struct ufc_loop *l = &s->body->it->overload->loops[loop];
    return s->kind == UFC_KERNEL_NEST && l->kind == UFC_LOOP_REDUCTION && l->parent >= 0 &&
           s->body->it->overload->loops[l->parent].kind == UFC_LOOP_REDUCTION &&
           !(l->flags & UFC_LOOP_FURTHER);
}

/* A thread's clocks in a loop's iteration (-1: outside of loops), without those of loops in it. */
static double own_clocks(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double operations = 0, wait = 0, load = s->load[loop + 1];
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            if (innermost(o->work[i].loops) == loop && runs(s, o->work[i].loops)) {
                operations += o->work[i].operations[k];
                wait += o->work[i].operations[k] * wait_clocks[k];
            }
    if (loop < 0 || times(s, UINT64_C(1) << loop) <= 1)
        return operations + load;
    if (keeps_state(s) && s->each[loop] <= 1)
        return operations + s->late[loop + 1];
    bool alone = ufc_is_asked(&o->loops[loop]) && kernel_info[s->kind].sharing == UFC_BY_THREAD;
    if (o->loops[loop].kind != UFC_LOOP_SERIAL && !is_in_element(s, loop) && !alone)
        return operations + 2 / points_at_once(s, loop) +
               (waits_to_store(s, loop) ? load : load / at_least(fetched, points_at_once(s, loop)));
    if (adds_in_lanes(s, (uint32_t)loop)) { /* of an iteration of each lane; the next ones load */
        double sum = adding_lanes(s) * 1.1 * at_least(o->loops[loop].chain, added(o, loop));
        return ufc_is_warp(s->kind)
                   ? sum + at_least(state_part_clocks, load) / lane_units
                   : at_least(sum, load / lane_units) + lane_part_clocks / lane_units;
    }
    wait = at_least(wait, o->loops[loop].chain);
    if (s->kind == UFC_KERNEL_HELPED && is_staged_in(s, loop))
        return at_least(helped_clocks(s, loop, wait), load / 2 / staged(s, loop) / s->helpers);
    if (keeps_state(s))
        return at_least(wait, load / fetched);
    wait += s->found[loop + 1] / found_fetched;
    if (is_staged_in(s, loop) && begins_again(s, loop)) /* and waits for its first stage */
        return wait + l1_clocks + load / s->each[loop];
    return is_staged_in(s, loop) ? at_least(wait + l1_clocks, load / 2 / staged(s, loop))
                                 : wait + loading_clocks(s, loop, operations);
}

/* Clocks in which what threads share in a step begins and ends. */
static double clocks_of_part(const struct schedule *s) {
    bool near = s->kind == UFC_KERNEL_RESIDENT || s->kind == UFC_KERNEL_PANEL;
    return near ? near_part_clocks : part_clocks;
}

/* How often a thread comes to a loop. */
static double around(const struct schedule *s, uint32_t loop) {
    int parent = s->body->it->overload->loops[loop].parent;
    return parent < 0 ? 1 : times(s, UINT64_C(1) << parent);
}

/* Clocks in which blocks wait for one another where they join portions of a reduction. */
static double joining_clocks(const struct schedule *s, uint32_t loop) {
    return joins_portions(s, loop)
               ? portion_waits(s->body->it, (int)loop, s->together) * (double)STEP_GRID_CLOCKS
               : 0;
}

/* Clocks in which the blocks of a group wait for one another where they join a reduction: a
 * thread reads several entries, one after the other, where there are more of them. */
static double group_clocks(const struct schedule *s) {
    if (!ufc_is_joint(s->kind) || s->together <= 1)
        return 0;
    double entries = s->together;
    for (int axis = 0; s->kind == UFC_KERNEL_COLUMNS && axis < s->body->it->naxes; axis++)
        entries *= s->axis[axis];
    return grid_clocks + (ceil(entries / (double)s->block) - 1) * entry_clocks;
}

/* Clocks of a thread that wait for others: at each part of a step that threads share, and where
 * they join a reduction. */
static double shared_clocks(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    enum ufc_sharing by = kernel_info[s->kind].sharing;
    double clocks = 0;
    int parent = o->loops[loop].parent;
    if (o->loops[loop].kind == UFC_LOOP_REDUCTION && parent >= 0 &&
        is_shared(o, (uint32_t)parent) && takes_whole_points(s, (uint32_t)parent)) {
        double group = model_points(s->body->it, UINT64_C(1) << parent);
        group = at_least(at_most(group, UFC_PORTION_GROUP), 1);
        return around(s, loop) *
               (clocks_of_part(s) + join_clocks + joining_clocks(s, loop) / group);
    }
    bool of_point = s->mates > 1 && o->loops[loop].kind == UFC_LOOP_REDUCTION && parent >= 0 &&
                    is_shared(o, (uint32_t)parent);
    if (of_point) /* its few loads are waited for, and half a warp's joins */
        return (s->load[loop + 1] + join_clocks / 2) * around(s, loop);
    if (!is_shared(o, loop))
        return 0;
    if (keeps_state(s))
        return o->loops[loop].kind == UFC_LOOP_REDUCTION ? lane_clocks * around(s, loop) : 0;
    if ((by == UFC_BY_BLOCK || by == UFC_BY_WARP) && o->loops[loop].parent >= 0)
        clocks += clocks_of_part(s);
    if (o->loops[loop].kind == UFC_LOOP_REDUCTION && s->lanes[0].n > 1)
        clocks += join_clocks + group_clocks(s) + joining_clocks(s, loop);
    return clocks * around(s, loop);
}

/* Clocks in which the blocks of a call wait for one another, in an ordered loop; and of the parts
 * of its steps that are more than the loops in it. */
static double waiting_clocks(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_loop *l = &o->loops[loop];
    double parts = 0;
    if (l->kind != UFC_LOOP_SERIAL || kernel_info[s->kind].sharing != UFC_BY_BLOCK)
        return 0;
    for (uint32_t i = loop + 1; i < o->nloops; i++)
        parts += o->loops[i].parent == (int)loop && is_shared(o, i);
    double clocks = at_least(0, l->meets - parts) * clocks_of_part(s);
    if (s->kind == UFC_KERNEL_PANEL)
        clocks += l->parent < 0 ? PANEL_CLOCKS / s->panel : 0;
    else if (s->together > 1 && s->kind == UFC_KERNEL_CLUSTER)
        clocks += l->waits * STEP_CLUSTER_CLOCKS;
    else if (s->together > 1 && s->kind != UFC_KERNEL_HALO)
        clocks += (s->kind == UFC_KERNEL_BLOCK ? l->barriers : l->waits) * STEP_GRID_CLOCKS;
    return times(s, UINT64_C(1) << loop) * clocks;
}

/* Clocks of a tile's block that do not overlap: until the first elements are there, at the barriers
 * between parts, and until the results are stored. */
static double tile_clocks(const struct schedule *s) {
    double load = memory_seconds * s->gpu->clock + l2_clocks;
    double part = s->kind == UFC_KERNEL_WINDOW ? load : 2 * barrier_clocks;
    return (s->kind == UFC_KERNEL_WINDOW ? load : 2 * load) + s->slabs * part;
}

/* Clocks in which a warp of LONE copies the arrays of its calls to shared memory, and back: the
 * latter needs no waiting. */
static double copying_clocks(const struct schedule *s) {
    const struct iteration *it = s->body->it;
    const struct ufc_overload *o = it->overload;
    double loaded = 0, stored = 0;
    for (int k = 0; k < it->nin + it->nout - (int)it->ufunc->nintermediates; k++)
        if (is_resident(s, k) && it->data[k])
            *(k < it->nin ? &loaded : &stored) += call_copied(s, k);
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (begins_as_copy(s, &o->accesses[i]))
            loaded += call_copied(s, (int)o->accesses[i].operand);
    return loaded / LONE_COPIED * (memory_seconds * s->gpu->clock + l2_clocks) +
           stored * LONE_STORED;
}

/* Clocks of a warp of LONE, which waits for each of its instructions, as there are few others; of
 * loops whose length is data no more than `clocks` are known. */
static double lone_clocks_of(const struct schedule *s, double clocks) {
    double warps = s->threads / WARP_THREADS, all = s->seconds[ISSUE] * s->gpu->clock * 4 * busy(s);
    for (uint32_t i = 0; i < s->body->it->overload->nloops; i++)
        if (s->body->size[i] < 0)
            return clocks + copying_clocks(s);
    return at_least(clocks, lone_waits * all / warps) + copying_clocks(s);
}

/* The threads that run at a time: of LONE as many as shared memory has room for. */
static double resident_threads(const struct schedule *s) {
    double threads = s->occupancy * s->gpu->threads;
    if (s->kind == UFC_KERNEL_LONE && s->shared > 0)
        threads = at_most(threads, floor((double)s->gpu->shared / s->shared) * (double)s->block);
    return threads * s->gpu->multiprocessors;
}

/* The part of a scan's tiles that has iterations. */
static double filled(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double most = 0;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].parent < 0 && in_phase(s, o->loops[i].phase))
            most = at_least(most, schedule_size(s->body, (int)i));
    return at_most(1, most / (s->together * (double)s->block * o->phase[s->phase].units));
}

/* The pairs of entries that a warp of STRIP reads one after the other, of its group of tiles and
 * the one before, and of half of all groups. */
static double fetched_pairs(const struct schedule *s) {
    double warps = (double)s->block / WARP_THREADS, tiles = s->together;
    return ceil(1.5 * UFC_STRIP_GROUP / warps / 2) + tiles / UFC_STRIP_GROUP / warps / 4;
}

/* Does the launch compute its phase by tiles?  BAND's phases without rows are shared by lanes. */
static bool is_tiled(const struct schedule *s) {
    return kernel_info[s->kind].sharing == UFC_BY_TILE &&
           (!ufc_is_band(s->kind) || s->body->it->overload->phase[s->phase].rows.nterms > 0);
}

/* Clocks of the loops in an iteration of a series. */
static double inner_clocks(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double clocks = 0, all = times(s, UINT64_C(1) << loop);
    for (uint32_t i = loop + 1; i < o->nloops && o->loops[i].parent >= (int)loop; i++)
        clocks += times(s, UINT64_C(1) << i) / all * own_clocks(s, (int)i);
    return clocks;
}

static void add_steps(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double clocks = own_clocks(s, -1) + memory_seconds * s->gpu->clock;
    for (uint32_t i = 0; i < o->nloops; i++) {
        double added;
        if (is_series(s, i))
            clocks += series_clocks(s, i, inner_clocks(s, i), &added);
        else if (in_phase(s, o->loops[i].phase) && !runs_in_series(s, (int)i))
            clocks += times(s, UINT64_C(1) << i) * own_clocks(s, (int)i) + shared_clocks(s, i) +
                      waiting_clocks(s, i);
    }
    double resident = resident_threads(s);
    if (!s->body->it->core) /* a thread's elements are under way together */
        resident *= at_least(1, s->threads / ((double)s->blocks * (double)s->block));
    if (is_tiled(s)) /* their products are counted elsewhere */
        clocks = tile_clocks(s);
    bool follows = s->kind == UFC_KERNEL_RESIDENT || s->kind == UFC_KERNEL_FOLLOW;
    if (follows && follows_alone(o)) {
        const struct sharing own = {
            .kind = s->kind, .threads = (uint32_t)s->block, .blocks = (uint32_t)s->together};
        double issued, calls = (double)s->calls / busy(s);
        clocks = following_clocks(s->body->it, &own, &issued);
        s->seconds[ISSUE] = computed * calls * issued / s->gpu->clock;
    }
    if (s->kind == UFC_KERNEL_SCATTER) /* bins are cleared, then joined */
        clocks += 2 * part_clocks + memory_seconds * s->gpu->clock;
    if (runs_phased(s))
        clocks += o->phases * part_clocks;
    if (s->kind == UFC_KERNEL_STRIP) /* its warps read what other tiles have left, in rounds */
        clocks += fetched_pairs(s) * l2_clocks + 3 * barrier_clocks;
    clocks = s->kind == UFC_KERNEL_LONE ? lone_clocks_of(s, clocks)
             : ufc_is_wide(s->kind)     ? add_wide_steps(s, &resident)
                                        : clocks;
    clocks = (clocks + s->dealing) * at_least(1, s->threads / resident);
    if (s->kind == UFC_KERNEL_PREFIX)
        clocks += 2 * grid_clocks + (double)s->blocks * filled(s) * handed_clocks;
    s->seconds[STEPS] = clocks / s->gpu->clock;
}

/* How far two times add up: with 1 they do, with more the longer one hides the other. */
static double together(double a, double b, double power) {
    return pow(pow(a, power) + pow(b, power), 1 / power);
}

/* The power by which a launch's waiting is hidden: a block's is by other blocks of the same
 * multiprocessor, unless all wait at the same time. */
static double hiding(const struct schedule *s) {
    double blocks = s->occupancy * s->gpu->threads / (double)s->block;
    if (ufc_is_joint(s->kind))
        return 1;
    switch (kernel_info[s->kind].sharing) {
    case UFC_BY_BLOCK: return at_most(4, at_least(1, blocks));
    case UFC_BY_TILE: return 2;
    default: return 4;
    }
}

static struct prediction longest(const struct schedule *s) {
    static const char *const names[] = {"memory",     "the L2 cache", "the L1 cache",
                                        "operations", "instructions", "waiting"};
    bool tiles = is_tiled(s) && s->kind != UFC_KERNEL_WINDOW;
    double work = at_least(s->seconds[OPERATIONS], s->seconds[ISSUE]) /
                  (s->body->it->core ? computed : straight);
    double l1 = s->seconds[L1], before = launch_seconds;
    enum roof by = MEMORY;
    for (enum roof k = MEMORY; k < ROOFS; k++)
        by = s->seconds[k] > s->seconds[by] ? k : by;
    if (tiles)
        before += tile_seconds;
    if (tiles && !ufc_is_matrix(s->kind)) {
        work = together(work, l1, 2); /* few warps, whose loads wait for their products */
        l1 = 0;
    }
    double all = together(work, together(l1, s->seconds[L2], 4), 4);
    all = together(all, s->seconds[MEMORY] / streamed, tiles ? 2 : 4);
    return (struct prediction){before + together(all, s->seconds[STEPS], hiding(s)), names[by]};
}

/* Joining is loading partial results, and a few steps. */
static double join_seconds(const struct gpu_model *gpu, const struct body *body,
                           const struct kernel_launch *launch) {
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    const struct ufc_kparam_nest *nest = ufc_nest_of(launch->param, launch->size);
    double bytes = body->it->overload->phase[gufunc->phase].bytes;
    return 3 * memory_seconds + memory_time(gpu, bytes * nest->points * nest->joined);
}

static struct prediction model_schedule(struct schedule *s) {
    if (s->body->it->core)
        add_accesses(s);
    else
        add_arrays(s);
    if (s->kind == UFC_KERNEL_WINDOW)
        share_window(s);
    else if (kernel_info[s->kind].sharing == UFC_BY_TILE &&
             s->body->it->overload->phase[s->phase].rows.nterms > 0)
        share_tile(s);
    add_work(s);
    add_steps(s);
    return longest(s);
}

/* The phases one after the other, in one launch. */
static struct prediction model_band(const struct schedule *band,
                                    const struct ufc_kparam_gufunc *gufunc) {
    struct prediction all = {launch_seconds, NULL};
    const struct ufc_overload *o = band->body->it->overload;
    double most = 0;
    bool begun = false;
    for (uint32_t i = 0; i < o->phases; i++) {
        struct schedule s = *band;
        schedule_band(&s, gufunc, i);
        struct prediction own = model_schedule(&s);
        bool tiles = o->phase[i].rows.nterms > 0; /* later code is there while other blocks run */
        all.seconds += own.seconds - launch_seconds - (tiles && begun ? tile_seconds : 0);
        begun = begun || tiles;
        all.by = own.seconds > most ? own.by : all.by;
        most = at_least(most, own.seconds);
    }
    return all;
}

/* How many rows a group has, one after the other. */
static double rows_of(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    bool down = o->phase[s->phase].cells > 0;
    double rows = 1;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (in_phase(s, o->loops[i].phase) &&
            (down ? o->loops[i].kind == UFC_LOOP_REDUCTION : o->loops[i].parent < 0))
            rows = at_least(rows, s->each[i]);
    return rows;
}

/* Clocks in which the threads of a row join the reductions of a phase, of all their rows. */
static double row_clocks(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double clocks = 0, each = s->kind == UFC_KERNEL_SWEEP ? join_clocks : lane_clocks;
    for (uint32_t i = 0; i < o->nloops && o->phase[s->phase].cells == 0; i++)
        if (in_phase(s, o->loops[i].phase) && o->loops[i].kind == UFC_LOOP_REDUCTION)
            clocks += around(s, i) * each;
    return clocks;
}

/* The time of instructions with which a group finds what it has of a row, for each phase. */
static double row_seconds(const struct schedule *s) {
    double each = s->kind == UFC_KERNEL_HELD_SWEEP ? held_instructions : row_instructions;
    return s->threads * rows_of(s) * each / (4. * WARP_THREADS * busy(s) * s->gpu->clock);
}

/* The phases of a row after one another, which rows of other groups hide.  What the groups have
 * down the rows is joined, and stored in parts where blocks share a call. */
static struct prediction model_sweep(const struct schedule *sweep,
                                     const struct ufc_kparam_gufunc *gufunc) {
    struct schedule all = *sweep;
    uint32_t first = gufunc->phase, end = first + sweep->body->it->overload->phase[first].sweep;
    double resident = sweep->occupancy * sweep->gpu->threads * sweep->gpu->multiprocessors;
    for (uint32_t i = first; i < end; i++) {
        struct schedule s = *sweep;
        s.since = (int)first;
        schedule_sweep(&s, gufunc, i);
        add_accesses(&s);
        add_work(&s);
        add_steps(&s);
        s.seconds[ISSUE] += row_seconds(&s);
        bool held = s.kind == UFC_KERNEL_HELD_SWEEP; /* what a phase loads later ones have */
        s.seconds[STEPS] = held ? rows_of(&s) * held_clocks / s.gpu->clock : s.seconds[STEPS];
        s.seconds[STEPS] += row_clocks(&s) * at_least(1, s.threads / resident) / s.gpu->clock;
        for (enum roof k = MEMORY; k < ROOFS; k++)
            all.seconds[k] = held && (k == L1 || k == L2) ? at_least(all.seconds[k], s.seconds[k])
                                                          : all.seconds[k] + s.seconds[k];
        all.bytes += s.bytes;
    }
    all.bytes += (double)gufunc->room;
    all.seconds[MEMORY] = at_least(memory_time(all.gpu, all.bytes), port_time(&all, all.bytes));
    return longest(&all);
}

struct prediction model_launch(const struct gpu_model *gpu, const struct body *body,
                               const struct kernel_launch *launch, double occupancy) {
    struct schedule s = {.body = body,
                         .gpu = gpu,
                         .kind = launch->kind,
                         .block = launch->block,
                         .blocks = launch->blocks,
                         .phase = -1,
                         .since = -1,
                         .shared = launch->shared,
                         .occupancy = occupancy > 0 ? occupancy : .5};
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    if (launch->kind == UFC_KERNEL_NEST && ufc_nest_of(launch->param, launch->size)->joined > 0)
        return (struct prediction){launch_seconds + join_seconds(gpu, body, launch), "memory"};
    if (kernel_info[launch->kind].sharing == UFC_BY_TILE && gufunc->apart > 0) /* it joins parts */
        return (struct prediction){launch_seconds + 3 * memory_seconds, "memory"};
    if (ufc_is_band(launch->kind))
        return model_band(&s, gufunc);
    if (ufc_is_sweep(launch->kind))
        return model_sweep(&s, gufunc);
    schedule_launch(&s, launch);
    return model_schedule(&s);
}

double model_copy(const struct gpu_model *gpu, double bytes) {
    return launch_seconds + memory_time(gpu, bytes) / streamed;
}

double model_host(int launches, bool allocates) {
    return call_seconds + launches * queue_seconds + (allocates ? pool_seconds : 0);
}
