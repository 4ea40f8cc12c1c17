/* small.c: calls with a thread each, whose registers hold the arrays along a short dimension. */
#include <math.h>
#include <stdlib.h>

#include "apart.h"
#include "model.h"
#include "rt.h"
#include "schedule.h"
#include "spread.h"
#include "steps.h"
#include "traffic.h"

enum {
    SCHEDULERS = 4,
    ISSUE_WIDTH = SCHEDULERS * WARP_THREADS, /* threads, in a clock */
    WIDE_WARPS = 8,                          /* of a multiprocessor, whose registers are many, */
    WIDE_CHAIN = 4,                          /* clocks of a term of their sums, at least, */
    WIDE_STEP_CLOCKS = 800,                  /* in which steps wait for what they load [H200] */
};

/* Instructions of an operation. */
static const double each[UFC_WORK_COUNT] = {
    [UFC_WORK_FLOAT32] = 1, [UFC_WORK_FLOAT64] = 2, [UFC_WORK_INTEGER] = 1, [UFC_WORK_SPECIAL] = 8};

static double operations_of(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    double n = 0;
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            n += model_points(it, o->work[i].loops) * each[k] * o->work[i].operations[k];
    return n;
}

/* Have inputs no gaps along the dimension, and are their rows aligned as SMALL_16 needs them? */
static bool has_whole_rows(const struct iteration *it) {
    const struct ufc_core *core = it->ufunc->core;
    const int64_t *stride = it->core->stride;
    const uint8_t *dim = core->dim;
    for (int k = 0; k < it->nin; stride += core->rank[k], dim += core->rank[k], k++) {
        int64_t low = (int64_t)(intptr_t)it->data[k];
        bool along = false, whole = true;
        for (int i = 0; i < core->rank[k]; i++) {
            bool small = dim[i] + 1 == it->overload->small;
            along = along || small;
            whole = whole && (!small || stride[i] == dtype_info[it->dtype[k]].size);
            low |= small ? 0 : stride[i];
        }
        for (int axis = 0; axis < it->naxes; axis++)
            low |= it->stride[k][axis];
        if (along && (!whole || low % UFC_ROW_ALIGN != 0))
            return false;
    }
    return true;
}

/* The kernel for the dimension's size; UFC_KERNEL_COUNT: there is none. */
static enum ufc_kernel_kind small_kernel(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t size = o->small ? it->core->size[o->small - 1] : 0;
    enum ufc_kernel_kind kind = UFC_KERNEL_COUNT;
    if (size >= 1 && size <= o->small_most)
        kind = size <= 2 ? UFC_KERNEL_SMALL_2 : size <= 4 ? UFC_KERNEL_SMALL_4 : UFC_KERNEL_SMALL_8;
    for (int wide = UFC_KERNEL_SMALL_16; wide <= UFC_KERNEL_SMALL_64; wide++)
        if (size == kernel_info[wide].size && has_whole_rows(it))
            kind = (enum ufc_kernel_kind)wide;
    return kind != UFC_KERNEL_COUNT && o->kernel[kind] ? kind : UFC_KERNEL_COUNT;
}

/* Lines of memory of a warp's access beside the first few: of neighbouring calls, unless an ordered
 * loop goes along the call's row, which is copied together. */
static double lines_apart(const struct iteration *it, const struct ufc_access *a) {
    const struct ufc_overload *o = it->overload;
    double lines = it->naxes > 0 ? lines_along(it, a, (struct loop_index){0, -1}) : 1;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (a->loops >> i & 1 && o->loops[i].parent < 0 && o->loops[i].kind == UFC_LOOP_SERIAL &&
            llabs(loop_stride(it, a, (int)i)) <= (int64_t)dtype_info[it->dtype[a->operand]].size)
            return 0;
    return lines > STATE_LINES ? lines : 0;
}

/* Clocks of a multiprocessor for such calls: each operation waits for the one before. */
static double short_clocks(const struct iteration *it, const struct gpu_model *gpu) {
    const struct ufc_overload *o = it->overload;
    int given = it->nin + it->nout - (int)it->ufunc->nintermediates;
    double n = operations_of(it), together = SMALL_THREADS, lines = 0;
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (o->accesses[i].operand < given) { /* once each */
            double times = model_points(it, o->accesses[i].loops) * o->accesses[i].count;
            n += times;
            lines += times * lines_apart(it, &o->accesses[i]) * together / WARP_THREADS;
        }
    return call_rounds(it, gpu, together) *
           (lines + n * at_least(SMALL_CLOCKS, together / ISSUE_WIDTH));
}

/* ---- where the dimension has many indices */

/* Is there a loop in a loop? */
static bool has_inner(const struct ufc_overload *o, int loop) {
    bool any = false;
    for (uint32_t i = (uint32_t)loop + 1; i < o->nloops; i++)
        any = any || o->loops[i].parent == loop;
    return any;
}

/* Does an access go along the dimension in a row that vectors load? */
static bool is_vector(const struct iteration *it, const struct ufc_access *a) {
    int loop = a->loops ? 63 - __builtin_clzll(a->loops) : -1;
    return loop >= 0 && a->operand < it->nin && !a->irregular &&
           loop_size(it, loop) == it->core->size[it->overload->small - 1] &&
           loop_stride(it, a, loop) == (int64_t)dtype_info[it->dtype[a->operand]].size;
}

/* What a thread does: instructions, and the clocks in which it waits for one after the other; and
 * lines of memory of its warp's accesses beside the first few. */
struct wide_work {
    double instructions, clocks, lines;
};

static struct wide_work wide_work(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int given = it->nin + it->nout - (int)it->ufunc->nintermediates;
    struct wide_work w = {.instructions = operations_of(it)};
    for (uint32_t i = 0; i < o->nloops; i++) {
        double n = model_points(it, with_outer(o, UINT64_C(1) << i));
        if (has_inner(o, (int)i))
            w.clocks += n * WIDE_STEP_CLOCKS;
        else if (o->loops[i].kind != UFC_LOOP_POINTS)
            w.clocks += n * at_least(o->loops[i].chain, WIDE_CHAIN);
    }
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        double size = dtype_info[it->dtype[a->operand]].size, n = model_points(it, a->loops);
        if (a->operand >= given)
            continue;
        w.instructions += n * a->count * (is_vector(it, a) ? size / UFC_ROW_ALIGN : 1);
        w.lines +=
            n * a->count * lines_apart(it, a) * (is_vector(it, a) ? size / UFC_ROW_ALIGN : 1);
    }
    return w;
}

/* Clocks of a multiprocessor for such calls, of which few warps run at a time. */
static double wide_clocks(const struct iteration *it, const struct gpu_model *gpu) {
    struct wide_work w = wide_work(it);
    double warps = ceil((double)it->total / WARP_THREADS / gpu->multiprocessors);
    double together = at_most(warps, WIDE_WARPS);
    double issued = ceil(together / SCHEDULERS) * w.instructions;
    return ceil(warps / WIDE_WARPS) * at_least(issued, w.clocks) + warps * w.lines;
}

double add_wide_steps(struct schedule *s, double *resident) {
    const struct wide_work w = wide_work(s->body->it);
    *resident = (double)WIDE_WARPS * WARP_THREADS * s->gpu->multiprocessors;
    s->seconds[ISSUE] = (double)s->calls * w.instructions / (ISSUE_WIDTH * s->gpu->clock) / busy(s);
    return at_least(w.clocks, w.instructions);
}

double small_clocks(const struct iteration *it, const struct gpu_model *gpu,
                    enum ufc_kernel_kind kind) {
    return ufc_is_wide(kind) ? wide_clocks(it, gpu) : short_clocks(it, gpu);
}

bool choose_small(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    enum ufc_kernel_kind kind = small_kernel(it);
    bool alone = s->kind == UFC_KERNEL_THREAD || s->kind == UFC_KERNEL_LONE;
    bool wide = kind != UFC_KERNEL_COUNT && ufc_is_wide(kind);
    if (kind == UFC_KERNEL_COUNT ||
        ((wide || !alone) && small_clocks(it, gpu, kind) >= sharing_clocks(it, gpu, s)))
        return false;
    *s = (struct sharing){
        .kind = kind, .group = 1, .blocks = 1, .threads = it->overload->block[kind]};
    return true;
}
