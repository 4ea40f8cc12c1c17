/* steps.c: calls with ordered loops: whether threads share their steps, how many, and whether what
 * the steps read is in shared memory.  A step is too short for threads that wait for memory, or for
 * more threads than it has work for. */
#include <math.h>
#include <stdlib.h>

#include "apart.h"
#include "model.h"
#include "nest.h"
#include "rt.h"
#include "schedule.h"
#include "spread.h"
#include "steps.h"
#include "traffic.h"

enum { ISSUE_WIDTH = 4 * WARP_THREADS }; /* threads, in a clock */

int64_t call_elements(const struct iteration *it, int k) {
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dim = core->dim;
    int64_t n = 1;
    for (int i = 0; i < k; i++)
        dim += core->rank[i];
    for (int i = 0; i < core->rank[k] && n < INT32_MAX; i++)
        n *= it->core->size[dim[i]] < INT32_MAX ? it->core->size[dim[i]] : INT32_MAX;
    return n < INT32_MAX ? n : INT32_MAX;
}

/* The loops whose iterations are steps, a bit each: ordered ones that are in no other kind;
 * *inside: the loops in them, too. */
static uint64_t step_loops(const struct ufc_overload *o, uint64_t *inside) {
    uint64_t steps = 0;
    *inside = 0;
    for (uint32_t i = 0; i < o->nloops; i++) {
        const struct ufc_loop *l = &o->loops[i];
        uint64_t own = UINT64_C(1) << i;
        if (l->kind == UFC_LOOP_SERIAL && (l->parent < 0 || steps >> l->parent & 1))
            steps |= own;
        if (steps & own || (l->parent >= 0 && *inside >> l->parent & 1))
            *inside |= own;
    }
    return steps;
}

/* ---- several threads for each call */

int64_t resident_bytes(const struct iteration *it, int first) {
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dim = core->dim;
    int64_t all = 0;
    for (int k = 0; k < it->nin + it->nout; dim += core->rank[k], k++) {
        if (k < first || !(it->overload->resident >> k & 1))
            continue;
        int64_t rows = 1, columns = it->core->size[dim[core->rank[k] - 1]];
        for (int i = 0; i < core->rank[k] - 1 && rows < INT32_MAX; i++)
            rows *= it->core->size[dim[i]] < INT32_MAX ? it->core->size[dim[i]] : INT32_MAX;
        if (rows >= INT32_MAX || columns >= INT32_MAX)
            return INT64_MAX;
        all += ufc_resident_bytes(rows, columns, dtype_info[it->dtype[k]].size);
    }
    return all;
}

uint64_t with_outer(const struct ufc_overload *o, uint64_t loops) {
    for (uint32_t i = o->nloops; i-- > 0;)
        if (loops >> i & 1 && o->loops[i].parent >= 0)
            loops |= UINT64_C(1) << o->loops[i].parent;
    return loops;
}

/* The accesses of a step, on average; 0: not known.  each: those of each point, also of what is the
 * same for all of them. */
static double step_work(const struct iteration *it, bool each) {
    const struct ufc_overload *o = it->overload;
    uint64_t inside, steps = step_loops(o, &inside);
    double work = 0;
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (o->accesses[i].loops & inside)
            work += model_points(
                        it, (each ? with_outer(o, o->accesses[i].loops) : o->accesses[i].loops) &
                                ~steps) *
                    o->accesses[i].count;
    return work;
}

/* The loop whose iterations a warp's threads have where an access is: the innermost one in loop
 * `loop` of those that threads share; -1: there is none. */
static int lanes_loop(const struct ufc_overload *o, int loop) {
    int found = loop >= 0 && o->loops[loop].kind != UFC_LOOP_SERIAL ? loop : -1;
    for (int i = loop + 1; i < (int)o->nloops; i++)
        if (o->loops[i].parent == found && found >= 0 && o->loops[i].kind == UFC_LOOP_POINTS)
            found = i;
    return found;
}

/* The outermost loop of a set that threads share; -1: there is none. */
static int shared_loop(const struct ufc_overload *o, uint64_t loops) {
    for (uint64_t rest = with_outer(o, loops); rest != 0; rest &= rest - 1)
        if (o->loops[__builtin_ctzll(rest)].kind != UFC_LOOP_SERIAL)
            return __builtin_ctzll(rest);
    return -1;
}

/* The points of a reduction, with its further ranges, of which blocks may have portions. */
static double portion_points(const struct iteration *it, int loop) {
    const struct ufc_overload *o = it->overload;
    uint64_t ranges = UINT64_C(1) << loop;
    for (uint32_t i = (uint32_t)loop + 1;
         i < o->nloops && o->loops[i].parent == (int)i - 1 && o->loops[i].flags & UFC_LOOP_FURTHER;
         i++)
        ranges |= o->loops[i].portions != 0 ? UINT64_C(1) << i : 0;
    return model_points(it, ranges);
}

bool has_portions(const struct iteration *it, int loop) {
    uint8_t portions = it->overload->loops[loop].portions;
    return portions == UFC_PORTIONS_ALWAYS ||
           (portions == UFC_PORTIONS_LONG && portion_points(it, loop) >= UFC_PORTION_LEAST);
}

int portion_waits(const struct iteration *it, int loop, double blocks) {
    double points = portion_points(it, loop), portions = 1;
    if (blocks <= 1 || !has_portions(it, loop))
        return 0;
    while (portions < UFC_PORTIONS && 2 * portions * UFC_PORTION_POINTS <= points)
        portions *= 2;
    return portions < blocks ? 2 : 1;
}

bool has_whole_points(const struct iteration *it, int loop) {
    const struct ufc_overload *o = it->overload;
    double points = model_points(it, UINT64_C(1) << loop);
    int last = loop, n = 0;
    for (uint32_t i = (uint32_t)loop + 1; i < o->nloops && o->loops[i].parent >= loop; i++)
        if (o->loops[i].parent == last && o->loops[i].kind == UFC_LOOP_POINTS) {
            points *= model_points(it, UINT64_C(1) << i);
            last = (int)i;
        } else if (o->loops[i].parent == last) {
            if (o->loops[i].portions == 0 || !has_portions(it, (int)i) ||
                model_points(it, UINT64_C(1) << i) < points * UFC_PORTION_JOIN)
                return false;
            n++;
        }
    return o->loops[loop].kind == UFC_LOOP_POINTS && n > 0;
}

/* near: operands that may be in shared memory are there, where no lines are apart; divided: blocks
 * have portions of reductions. */
static double access_clocks(const struct iteration *it, bool near, bool divided, double *each) {
    const struct ufc_overload *o = it->overload;
    uint64_t inside;
    step_loops(o, &inside);
    double all = 0;
    *each = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (!(a->loops & inside))
            continue;
        int lanes = lanes_loop(o, 63 - __builtin_clzll(a->loops)), by = shared_loop(o, a->loops);
        double n = model_points(it, with_outer(o, a->loops)) * a->count;
        bool apart = lanes >= 0 && !(near && o->resident >> a->operand & 1);
        double lines = apart ? lines_along(it, a, (struct loop_index){-1, lanes}) : 1;
        double clocks = n * at_least(lines / WARP_THREADS, 1. / STEP_NEAR);
        bool reduced = by >= 0 && o->loops[by].kind == UFC_LOOP_REDUCTION &&
                       !(divided && has_portions(it, by));
        *(reduced ? each : &all) += clocks;
    }
    return all;
}

double steps_access_clocks(const struct iteration *it, double *each) {
    return access_clocks(it, false, false, each);
}

double steps_clocks(const struct iteration *it, enum ufc_kernel_kind kind, double blocks,
                    double wait) {
    const struct ufc_overload *o = it->overload;
    bool near = kind == UFC_KERNEL_RESIDENT, divided = kind == UFC_KERNEL_BLOCK && blocks > 1;
    double each, all = access_clocks(it, near, divided, &each);
    double parts = 0, meets = 0, waits = 0, joins = 0;
    for (uint32_t i = 0; i < o->nloops; i++) {
        const struct ufc_loop *l = &o->loops[i];
        bool part = l->kind != UFC_LOOP_SERIAL && l->parent >= 0 &&
                    o->loops[l->parent].kind == UFC_LOOP_SERIAL;
        double n = model_points(it, with_outer(o, UINT64_C(1) << (part ? (uint32_t)l->parent : i)));
        parts += part ? n : 0;
        bool joined = part && l->kind == UFC_LOOP_REDUCTION;
        joins += joined ? n : 0;
        meets += l->kind == UFC_LOOP_SERIAL ? n * l->meets : 0;
        waits += l->kind == UFC_LOOP_SERIAL ? n * (divided ? l->barriers : l->waits) : 0;
        waits += joined && divided ? n * portion_waits(it, (int)i, blocks) : 0;
    }
    parts = at_least(parts, meets);
    return all / blocks + each + parts * (near ? STEP_NEAR_CLOCKS : STEP_FAR_CLOCKS) +
           joins * STEP_JOIN_CLOCKS + waits * wait;
}

static uint32_t power_above(double n, uint32_t least, uint32_t most) {
    uint32_t p = least;
    while (p < most && p < n)
        p *= 2;
    return p;
}

/* Do several blocks of a call wait for one another in its steps? */
static bool blocks_wait(const struct ufc_overload *o) {
    bool wait = o->portion > 0;
    for (uint32_t i = 0; i < o->nloops; i++)
        wait = wait || (o->loops[i].kind == UFC_LOOP_SERIAL && o->loops[i].waits > 0);
    return wait;
}

/* Has blocks share a call where each has points of its own in all steps, so that none waits there:
 * as many as there are multiprocessors and points for. */
static void choose_apart(const struct iteration *it, const struct gpu_model *gpu, double work,
                         struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    double blocks =
        floor(at_most((double)(gpu->together / it->total), work / (STEP_WORK * WARP_THREADS)));
    int64_t points;
    if (o->step.nterms && compute_size(&o->step, it->core->size, &points))
        blocks = at_most(blocks, (double)points);
    if (blocks < STEP_LEAST_BLOCKS ||
        steps_clocks(it, UFC_KERNEL_BLOCK, blocks, 0) >= steps_clocks(it, s->kind, 1, 0))
        return;
    *s = (struct sharing){.kind = UFC_KERNEL_BLOCK, .group = 1, .blocks = (uint32_t)blocks};
    s->threads = power_above(work / STEP_WORK / blocks, WARP_THREADS, o->block[UFC_KERNEL_BLOCK]);
}

/* Has several blocks share a call where that is faster: those of a cluster, or as many as can run
 * at the same time.  s: one block, the threads of which have `room` in shared memory. */
static void choose_blocks(const struct iteration *it, const struct gpu_model *gpu, double work,
                          struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    double least = steps_clocks(it, s->kind, 1, 0);
    double grid = floor(at_most(work / STEP_BLOCK_WORK, (double)(gpu->together / it->total)));
    if (o->portion > 0)
        grid = at_most(grid, UFC_PORTIONS); /* more would have no portion */
    double cluster = 1, wanted = at_most(work / STEP_WORK / CLUSTER_LEAST_THREADS, gpu->cluster);
    while (2 * cluster <= wanted && 2 * cluster * (double)it->total <= gpu->multiprocessors)
        cluster *= 2;
    double clustered = steps_clocks(it, UFC_KERNEL_CLUSTER, cluster, STEP_CLUSTER_CLOCKS);
    if (o->kernel[UFC_KERNEL_CLUSTER] && cluster > 1 && clustered < least) {
        least = clustered;
        *s = (struct sharing){.kind = UFC_KERNEL_CLUSTER, .group = 1, .blocks = (uint32_t)cluster};
        s->threads = power_above(work / STEP_WORK / cluster, CLUSTER_LEAST_THREADS,
                                 o->block[UFC_KERNEL_CLUSTER]);
    }
    if (grid >= STEP_LEAST_BLOCKS &&
        steps_clocks(it, UFC_KERNEL_BLOCK, grid, STEP_GRID_CLOCKS) < least)
        *s = (struct sharing){.kind = UFC_KERNEL_BLOCK,
                              .group = 1,
                              .blocks = (uint32_t)grid,
                              .threads = o->block[UFC_KERNEL_BLOCK]};
}

/* How often the threads that share a call come to what they share in its steps. */
static double call_parts(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    double n = 0;
    for (uint32_t i = 0; i < o->nloops; i++) {
        int parent = o->loops[i].parent;
        if (o->loops[i].kind != UFC_LOOP_SERIAL && parent >= 0 &&
            o->loops[parent].kind == UFC_LOOP_SERIAL)
            n += model_points(it, with_outer(o, UINT64_C(1) << parent));
    }
    return n;
}

/* The threads of a block of RESIDENT, of so many at most, where calls are many: as many calls as
 * have room run at a time, and few warps each, since each warp goes through all parts of a step. */
static uint32_t resident_threads(const struct iteration *it, const struct gpu_model *gpu,
                                 const struct sharing *s) {
    uint32_t threads = s->threads;
    double fit = at_most((double)gpu->shared / (s->shared + RESIDENT_RESERVED), RESIDENT_BLOCKS);
    double calls = ceil((double)it->total / gpu->multiprocessors);
    fit = floor(at_least(at_most(fit, calls), 1));
    double most = gpu->threads > 0 ? gpu->threads : threads * fit;
    if (call_parts(it) >= RESIDENT_PARTS)
        most = at_most(most, RESIDENT_THREADS);
    while (threads > WARP_THREADS && threads * fit > most)
        threads /= 2;
    return threads;
}

/* Does a step ask which iterations do something?  The one that is found is a thread's alone, for
 * which a warp waits less than a block, and other calls' warps not at all. */
static bool asks(const struct ufc_overload *o) {
    bool any = false;
    for (uint32_t i = 0; i < o->nloops; i++)
        any = any || ufc_is_asked(&o->loops[i]);
    return any;
}

bool choose_sharing(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    int64_t room = gpu->shared - RESIDENT_JOINS, points;
    int64_t outputs = resident_bytes(it, it->nin), all = resident_bytes(it, 0);
    bool many = it->total >= RESIDENT_CALLS;
    double work = step_work(it, !many);
    uint32_t most = o->block[UFC_KERNEL_BLOCK];
    bool little = (many && work < STEP_WARP_WORK) || asks(o);
    bool brief = little && s->kind == UFC_KERNEL_WARP && !o->state;
    if (!o->kernel[UFC_KERNEL_BLOCK] || work <= 0 || brief || follows_alone(o))
        return false;
    *s = (struct sharing){.kind = UFC_KERNEL_BLOCK, .group = 1, .blocks = 1};
    s->threads = power_above(work / (many ? STEP_WORK_MANY : STEP_WORK), 32, most);
    if (o->kernel[UFC_KERNEL_RESIDENT] && outputs <= room) {
        s->kind = UFC_KERNEL_RESIDENT;
        s->inputs = !many && all <= room;
        s->shared = (uint32_t)(s->inputs ? all : outputs);
        s->threads = many ? resident_threads(it, gpu, s) : s->threads;
    }
    if (!many && blocks_wait(o))
        choose_blocks(it, gpu, work, s);
    else if (!many)
        choose_apart(it, gpu, work, s);
    bool known = o->step.nterms && compute_size(&o->step, it->core->size, &points);
    while (known && s->group < 32 && s->group * 2 * points <= (int64_t)s->threads * s->blocks)
        s->group *= 2;
    return true;
}

/* ---- the order of matrices */

bool calls_differ(const struct iteration *it, int k) {
    for (int axis = 0; axis < it->naxes; axis++)
        if (it->stride[k][axis] != 0)
            return true;
    return false;
}

/* Has a thread of BLOCK points of a step for itself, as these are at least as many as threads are?
 */
static bool has_own_points(const struct iteration *it, const struct gpu_model *gpu) {
    const struct ufc_overload *o = it->overload;
    int64_t points, blocks = gpu->together / it->total;
    return o->step.nterms && compute_size(&o->step, it->core->size, &points) && blocks > 0 &&
           2 * points > blocks * (int64_t)o->block[UFC_KERNEL_BLOCK];
}

/* Is a loop a reduction at points, rather than one that all threads of a step have a part of? */
static bool is_at_points(const struct ufc_overload *o, int loop) {
    while (loop >= 0 && o->loops[loop].kind == UFC_LOOP_REDUCTION)
        loop = o->loops[loop].parent;
    return loop >= 0 && o->loops[loop].kind == UFC_LOOP_POINTS;
}

/* Accesses of steps to operand k whose neighbours a warp has: those that are sectors apart, and
 * those that would be if its last two axes were exchanged.  own: a thread reduces for itself. */
static void count_apart(const struct iteration *it, int k, bool own, double *apart,
                        double *exchanged) {
    const struct ufc_overload *o = it->overload;
    bool keeps = may_keep_state(it);
    uint64_t inside;
    step_loops(o, &inside);
    *apart = *exchanged = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (a->operand != k || !(a->loops & inside))
            continue;
        int lanes =
            keeps ? shared_loop(o, a->loops) : lanes_loop(o, 63 - __builtin_clzll(a->loops));
        if (own && is_at_points(o, lanes))
            while (o->loops[lanes].kind == UFC_LOOP_REDUCTION)
                lanes = o->loops[lanes].parent;
        int along = lanes >= 0 ? ufc_subscript_along(a, lanes) : -1;
        double n = model_points(it, with_outer(o, a->loops)) * a->count;
        *apart += along == it->ufunc->core->rank[k] - 2 ? n : 0;
        *exchanged += along == it->ufunc->core->rank[k] - 1 ? n : 0;
    }
}

uint32_t choose_turned(const struct iteration *it, const struct gpu_model *gpu) {
    const struct ufc_overload *o = it->overload;
    const int64_t *stride = it->core->stride;
    uint32_t turned = 0;
    bool many = it->total >= RESIDENT_CALLS, keeps = may_keep_state(it);
    if (!o->resident || (many && !keeps))
        return 0;
    int64_t room = o->kernel[UFC_KERNEL_RESIDENT] ? gpu->shared - RESIDENT_JOINS : -1;
    bool own = !keeps && has_own_points(it, gpu);
    bool results = resident_bytes(it, it->nin) <= room, all = resident_bytes(it, 0) <= room;
    for (int k = 0; k < it->nin + it->nout; stride += it->ufunc->core->rank[k], k++) {
        double apart, exchanged, elements = (double)call_elements(it, k);
        int64_t size = dtype_info[it->dtype[k]].size;
        int rank = it->ufunc->core->rank[k];
        if (rank < 2 || !it->data[k] ||
            (!keeps && (k < it->nin ? all : results) && o->resident >> k & 1) ||
            (many && calls_differ(it, k)) || stride[rank - 1] != size ||
            llabs(stride[rank - 2]) < (keeps ? TURN_STATE_STRIDE : TURN_STRIDE))
            continue;
        count_apart(it, k, own, &apart, &exchanged);
        if (apart > TURN_ACCESSES * elements && apart > TURN_ACCESSES * exchanged)
            turned |= UINT32_C(1) << k;
    }
    return turned;
}

/* ---- a thread for each call */

double accesses_of_call(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    double n = 0;
    for (uint32_t i = 0; i < o->naccesses; i++)
        n += model_points(it, with_outer(o, o->accesses[i].loops)) * o->accesses[i].count;
    return n;
}

/* The accesses of a call that all of its threads make one after the other. */
static double serial_accesses(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    uint64_t inside, steps = step_loops(o, &inside);
    double n = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        uint64_t loops = with_outer(o, o->accesses[i].loops);
        if (loops != 0 && !(loops & ~steps))
            n += model_points(it, loops) * o->accesses[i].count;
    }
    return n;
}

double call_rounds(const struct iteration *it, const struct gpu_model *gpu, double together) {
    return ceil((double)it->total / (gpu->multiprocessors * together));
}

/* Clocks of a multiprocessor for calls that threads share, as s says. */
static double shared_clocks(const struct iteration *it, const struct gpu_model *gpu,
                            const struct sharing *s) {
    double each = ufc_is_warp(s->kind) ? s->group : (double)s->threads * s->blocks;
    double together = gpu->threads / each, calls = (double)it->total / gpu->multiprocessors;
    if (s->shared > 0 && together > (double)gpu->shared / s->shared)
        together = (double)gpu->shared / s->shared;
    double access = s->kind == UFC_KERNEL_RESIDENT ? LONE_CLOCKS : ACCESS_CLOCKS;
    double parts = call_parts(it);
    double wait = call_rounds(it, gpu, together < 1 ? 1 : together) *
                  (parts * PART_CLOCKS + serial_accesses(it) * access);
    double issue = calls / ISSUE_WIDTH *
                   (parts * PART_INSTRUCTIONS * each + accesses_of_call(it) * ACCESS_INSTRUCTIONS);
    return issue > wait ? issue : wait;
}

/* ---- a thread for each call */

double sharing_clocks(const struct iteration *it, const struct gpu_model *gpu,
                      const struct sharing *s) {
    if (ufc_is_small(s->kind))
        return small_clocks(it, gpu, s->kind);
    if (s->kind == UFC_KERNEL_LONE)
        return lone_clocks(it, gpu, s);
    if (s->kind == UFC_KERNEL_THREAD)
        return call_rounds(it, gpu, gpu->threads) * accesses_of_call(it) * ACCESS_CLOCKS;
    return shared_clocks(it, gpu, s);
}

/* ---- helpers of threads with a call each */

static bool is_in_loops(const struct iteration *it, int k) {
    const struct ufc_overload *o = it->overload;
    bool any = false;
    for (uint32_t j = 0; j < o->naccesses; j++)
        any = any || (o->accesses[j].operand == k && o->accesses[j].loops != 0);
    return any;
}

/* Are the elements along subscript i of operand k a row's, where iterations of ordered loops take
 * several of these that are side by side? */
static bool goes_on(const struct iteration *it, int k, int i) {
    const struct ufc_overload *o = it->overload;
    bool along = true;
    for (uint32_t j = 0; j < o->naccesses; j++) {
        const struct ufc_access *a = &o->accesses[j];
        if (a->operand != k || a->loops == 0)
            continue;
        int loop = innermost(a->loops);
        along = along && a->nsteps == 1 && !a->irregular && ufc_subscript_along(a, loop) == i &&
                step_bytes(it, a) > 0;
    }
    return along;
}

/* Are the rows of all operands, of which calls have one, aligned neighbours? */
static bool has_aligned_rows(const struct iteration *it) {
    const struct ufc_core *core = it->ufunc->core;
    const int64_t *stride = it->core->stride;
    int64_t bits = 0;
    for (int k = 0; k < it->nin + it->nout; stride += core->rank[k], k++) {
        int last = core->rank[k] - 1;
        if (last < 0 || !it->data[k] || !is_in_loops(it, k))
            continue;
        if (stride[last] != (int64_t)dtype_info[it->dtype[k]].size)
            return false;
        bits |= (int64_t)(uintptr_t)it->data[k];
        for (int i = 0; i < last; i++)
            bits |= goes_on(it, k, i) ? 0 : stride[i];
        for (int axis = 0; axis < it->naxes; axis++)
            bits |= it->stride[k][axis];
    }
    return bits % UFC_ALIGNMENT == 0;
}

/* How many times as many threads as have calls are to copy rows, of most warps that a warp's stages
 * are worth.  A warp that is not full copies no rows together, and all wait for it. */
static uint32_t helped_group(const struct iteration *it, const struct gpu_model *gpu) {
    int64_t warp = (int64_t)WARP_THREADS * gpu->multiprocessors;
    uint32_t group = HELPED_GROUP;
    if (!it->overload->kernel[UFC_KERNEL_HELPED] || !has_aligned_rows(it))
        return 1;
    while (group > 1 &&
           (it->total * group > warp * (group > HELPED_SMALL ? HELPED_FEW_WARPS : HELPED_WARPS) ||
            it->total % (WARP_THREADS / group) != 0))
        group /= 2;
    return group;
}

/* Do neighbouring calls share what ordered loops access in turn? */
static bool shares_rows(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    bool wide = it->naxes > 0 && it->size[0] >= WARP_THREADS, same = true;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        bool in_turn = a->loops && !a->irregular && it->data[a->operand];
        for (int axis = 0; in_turn && axis < (wide ? 1 : it->naxes); axis++)
            same = same && it->stride[a->operand][axis] == 0;
    }
    return same;
}

/* Are there ordered loops in others, whose iterations are not copied together?  The threads of a
 * warp that have no calls would wait for all of those. */
static bool nests_loops(const struct iteration *it) {
    const struct ufc_loop *loops = it->overload->loops;
    bool any = false;
    for (uint32_t i = 0; i < it->overload->nloops; i++)
        any = any || (loops[i].kind == UFC_LOOP_SERIAL && loops[i].parent >= 0 &&
                      loops[loops[i].parent].kind == UFC_LOOP_SERIAL && is_long_within(it, (int)i));
    return any;
}

void choose_of_threads(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    uint32_t group = nests_loops(it) ? 1 : helped_group(it, gpu);
    /* Threads that are alone wait for all that they load. */
    if (group < HELPED_GROUP && it->overload->kernel[UFC_KERNEL_UNIFORM] && shares_rows(it))
        s->kind = UFC_KERNEL_UNIFORM;
    else if (group > 1)
        *s = (struct spread){.kind = UFC_KERNEL_HELPED, .group = group, .blocks = 1};
}
