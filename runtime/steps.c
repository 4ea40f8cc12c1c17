/* steps.c: calls with ordered loops whose steps threads share: how many threads, and whether what
 * the steps read is in shared memory.  A step is too short for threads that wait for memory, or for
 * more threads than it has work for. */
#include "rt.h"
#include "model.h"

/* Bytes of shared memory that a call's operands `first`, … take in RESIDENT. */
static int64_t resident_bytes(const struct iteration *it, int first) {
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

/* The accesses of a step, on average; 0: not known. */
static double step_work(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    uint64_t inside, steps = step_loops(o, &inside);
    double work = 0;
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (o->accesses[i].loops & inside)
            work += model_points(it, o->accesses[i].loops & ~steps) * o->accesses[i].count;
    return work;
}

static uint32_t power_above(double n, uint32_t least, uint32_t most) {
    uint32_t p = least;
    while (p < most && p < n)
        p *= 2;
    return p;
}

bool choose_sharing(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s) {
    const struct ufc_overload *o = it->overload;
    int64_t room = gpu->shared - RESIDENT_JOINS, points;
    int64_t outputs = resident_bytes(it, it->nin), all = resident_bytes(it, 0);
    bool many = it->total >= RESIDENT_CALLS;
    double work = step_work(it), together = (double)(gpu->together / it->total);
    uint32_t most = o->block[UFC_KERNEL_BLOCK];
    bool brief = many && s->kind == UFC_KERNEL_WARP && work < STEP_WARP_WORK;
    if (!o->kernel[UFC_KERNEL_BLOCK] || work <= 0 || brief)
        return false;
    *s = (struct sharing){.kind = UFC_KERNEL_BLOCK, .group = 1, .blocks = 1};
    s->threads = power_above(work / (many ? STEP_WORK_MANY : STEP_WORK), 32, most);
    if (o->kernel[UFC_KERNEL_RESIDENT] && outputs <= room) {
        s->kind = UFC_KERNEL_RESIDENT;
        s->inputs = !many && all <= room;
        s->shared = (uint32_t)(s->inputs ? all : outputs);
    } else if (work / STEP_BLOCK_WORK >= STEP_LEAST_BLOCKS && together >= STEP_LEAST_BLOCKS) {
        double blocks = work / STEP_BLOCK_WORK;
        s->blocks = (uint32_t)(blocks < together ? blocks : together);
        s->threads = most;
    }
    bool known = o->step.nterms && compute_size(&o->step, it->core->size, &points);
    while (known && s->group < 32 && s->group * 2 * points <= (int64_t)s->threads * s->blocks)
        s->group *= 2;
    return true;
}
