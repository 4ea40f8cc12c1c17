/* predict.c: the time of a launch, by the roofs that it may meet: memory, the L2 and L1 caches, the
 * rates of operations and of instructions, and how long a thread's own steps take one after the
 * other. */
#include <math.h>
#include <stdlib.h>

#include "apart.h"
#include "schedule.h"

/* What a launch costs on NVIDIA GPUs of compute capability 7.0 to 9.0.  Clocks are those of
 * published microbenchmarks; the others were measured on an H200. */
static const double launch_seconds =
    3e-6; /* from one kernel's end to the next's, of an empty one */
static const double call_seconds = 2.5e-6;   /* of the host, for a call's checks and choices */
static const double queue_seconds = 2.3e-6;  /* of the host, for a launch */
static const double pool_seconds = 1.5e-6;   /* of the host, for memory from a pool */
static const double memory_seconds = 5.5e-7; /* a load from memory that is busy */
static const double l2_clocks = 270;         /* a load from the L2 cache */
static const double l1_clocks = 36;          /* a load from the L1 cache or from shared memory */
static const double step_clocks = 5;         /* an operation that waits for the one before it */
static const double join_clocks = 400;       /* threads join their parts of a reduction */
static const double barrier_clocks = 60;     /* a block's threads wait for one another */
static const double l2_rate = 1.9;           /* of the L2 cache, over that of memory */
static const double scattered_rate = .7;     /* the same, of sectors of lines that are apart */
static const double l1_bytes = 128 << 10;    /* of the L1 cache, beside shared memory */
static const double streamed = .9;           /* of memory's rate, by kernels as they are */
static const double reached = .8;            /* of the other roofs */
static const double fetched = 4; /* loads of a loop's steps that are under way at once */

enum { SECTOR = 32, LINE = 128 };
enum { MATRIX_PRODUCTS = 16 }; /* of a thread's share of an instruction of matrix units */

/* ---- what is counted */

static int innermost(uint64_t loops) {
    return loops ? 63 - __builtin_clzll(loops) : -1;
}

/* How often a thread does what depends on a set of loops. */
static double times(const struct schedule *s, uint64_t loops) {
    double n = 1;
    for (int k = innermost(loops); k >= 0; k = s->body->it->overload->loops[k].parent)
        n *= s->each[k];
    return n;
}

static bool runs(const struct schedule *s, uint64_t loops) {
    int k = innermost(loops);
    return s->phase < 0 || k < 0 || s->body->it->overload->loops[k].phase == s->phase;
}

static int64_t stride_of(const struct schedule *s, const struct ufc_access *a, int loop) {
    return llabs(loop_stride(s->body->it, a, loop));
}

static bool is_staged(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_THREAD || kind == UFC_KERNEL_LONE ||
           (kind >= UFC_KERNEL_DENSE && kind <= UFC_KERNEL_DENSE_4);
}

/* What an access moves: lines and sectors of a warp's, bytes of a block's and of all; how often a
 * thread does it. */
struct moved {
    double lines, sectors, block, all, times;
    double width; /* elements of a thread that one instruction moves */
    bool random;
};

static bool takes_steps(const struct ufc_access *a, int subscript) {
    bool steps = false;
    for (int i = 0; i < a->nsteps; i++)
        steps = steps || a->steps[i].subscript == subscript;
    return steps;
}

/* Is a subscript read from memory, or computed in ways that say nothing of its place? */
static bool is_data(const struct ufc_access *a, int subscript) {
    return !takes_steps(a, subscript) && a->irregular >> subscript & 1;
}

/* Elements of an array's dimension between the first and the last that are accessed, where loops
 * have so many iterations. */
static double extent(const struct schedule *s, const struct ufc_access *a, int subscript,
                     double size, bool block) {
    double n = 1, product = 1;
    for (int i = 0; i < a->nsteps; i++)
        if (a->steps[i].subscript == subscript) {
            int loop = a->steps[i].loop;
            n += fabs((double)a->steps[i].factor) *
                 ((block ? s->apart[loop] : schedule_size(s->body, loop)) - 1);
        }
    for (uint64_t rest = a->loops; rest != 0; rest &= rest - 1)
        product *=
            block ? s->apart[__builtin_ctzll(rest)] : schedule_size(s->body, __builtin_ctzll(rest));
    return at_most(is_data(a, subscript) ? product : n, size);
}

/* The parts of a warp's accesses that are `unit` bytes or fewer apart. */
static double parts_of(const struct schedule *s, const struct ufc_access *a, double unit) {
    double parts = 1, span = dtype_info[s->body->it->dtype[a->operand]].size;
    for (int i = 0; i < 3 && s->lanes[i].n > 0; i++) {
        const struct lanes *l = &s->lanes[i];
        double stride = l->axis >= 0 ? (double)llabs(s->body->it->stride[a->operand][l->axis])
                                     : (double)stride_of(s, a, l->loop);
        if (stride == 0 && l->loop >= 0 && a->irregular && a->loops >> l->loop & 1)
            stride = SECTOR;
        stride *= l->step;
        if (stride == 0)
            continue;
        if (stride < unit || stride <= span)
            span += stride * (l->n - 1);
        else
            parts *= l->n;
    }
    return at_most(WARP_THREADS, parts * ceil(span / unit));
}

/* Does a thread take neighbouring elements of a reduction, or of a row, at once? */
static bool has_neighbours(const struct schedule *s, const struct ufc_access *a, double element) {
    int loop = innermost(a->loops);
    bool parallel = loop >= 0 && s->body->it->overload->loops[loop].kind != UFC_LOOP_SERIAL;
    return parallel && s->each[loop] > 1 && (double)stride_of(s, a, loop) == element &&
           !(s->body->it->overload->loops[loop].flags & UFC_LOOP_MAY_END);
}

static struct moved moved_by(const struct schedule *s, const struct ufc_access *a) {
    const struct iteration *it = s->body->it;
    const uint8_t *dim = it->ufunc->core->dim;
    const int64_t *stride = it->core->stride;
    double element = dtype_info[it->dtype[a->operand]].size, nearest = INFINITY;
    struct moved m = {.block = element, .all = element, .times = times(s, a->loops)};
    for (int k = 0; k < a->operand; k++) {
        stride += it->ufunc->core->rank[k];
        dim += it->ufunc->core->rank[k];
    }
    for (int axis = 0; axis < it->naxes; axis++) {
        double apart = (double)llabs(it->stride[a->operand][axis]);
        if (apart == 0)
            continue;
        m.block *= s->axis[axis];
        m.all *= (double)it->size[axis];
        nearest = at_most(nearest, apart);
    }
    double constant = 1; /* elements along dimensions where loops take no steps */
    for (int i = 0; i < it->ufunc->core->rank[a->operand]; i++) {
        double size = (double)it->core->size[dim[i]];
        constant *= takes_steps(a, i) || a->irregular >> i & 1 ? 1 : size;
        double all = extent(s, a, i, size, false);
        m.random = m.random || is_data(a, i);
        m.block *= extent(s, a, i, size, true);
        m.all *= all;
        if (all > 1 && stride[i] != 0)
            nearest = at_most(nearest, (double)llabs(stride[i]));
    }
    constant = at_most(constant, a->count);
    m.block *= constant;
    m.all *= constant;
    nearest = nearest / constant;
    if (nearest > element && nearest < INFINITY) {
        m.block *= at_most(nearest, SECTOR) / element;
        m.all *= at_most(nearest, SECTOR) / element;
    }
    m.width =
        has_neighbours(s, a, element) ? at_most(16 / element, s->each[innermost(a->loops)]) : 1;
    m.lines = parts_of(s, a, LINE);
    m.sectors = parts_of(s, a, SECTOR);
    if (is_staged(s->kind)) { /* neighbouring calls copy their elements together */
        m.lines = at_most(m.lines, s->kind == UFC_KERNEL_THREAD ? element : element / 4);
        m.sectors = at_most(m.sectors, element);
    }
    return m;
}

/* ---- times */

/* Bytes at a rate that falls from the L2 cache's to that of memory where they exceed it. */
static double memory_time(const struct gpu_model *m, double bytes) {
    double cached = at_most(1, .6 * (double)m->l2 / at_least(bytes, 1));
    double rest = cached < 1 ? 1 - cached * cached : 0;
    return bytes / m->copy_rate * (rest + (1 - rest) / l2_rate);
}

static bool in_phase(const struct schedule *s, int phase) {
    return s->phase < 0 || phase == s->phase;
}

/* Whether an access is the first to move its bytes, of a loop behind the one that did, or of the
 * same. */
enum pass { FIRST, AGAIN, SAME };
static enum pass pass_of(const struct schedule *s, uint32_t number) {
    const struct ufc_access *a = s->body->it->overload->accesses, *own = &a[number];
    double bytes = moved_by(s, own).all;
    enum pass pass = FIRST;
    for (uint32_t k = 0; k < number; k++)
        if (a[k].operand == own->operand && a[k].stored == own->stored && in_phase(s, a[k].phase) &&
            moved_by(s, &a[k]).all >= bytes) {
            pass = pass == FIRST ? AGAIN : pass;
            if (a[k].loops == own->loops)
                pass = SAME;
        }
    return pass;
}

/* Are the elements of a call's rows held from one part to the next? */
static bool holds(const struct schedule *s, const struct ufc_access *a) {
    uint32_t held = s->body->it->overload->held;
    int loop = innermost(a->loops);
    bool fits = held && loop >= 0 && s->each[loop] <= held;
    if (s->kind == UFC_KERNEL_JOINT)
        return s->body->it->overload->in_memory >> a->operand & 1;
    return fits && (s->kind == UFC_KERNEL_WARP || s->kind == UFC_KERNEL_BLOCK);
}

/* Is a thread's next element in the same sector, mostly? */
static bool stays_near(const struct schedule *s, const struct ufc_access *a) {
    for (uint64_t rest = a->loops; rest != 0; rest &= rest - 1) {
        int loop = __builtin_ctzll(rest);
        int64_t stride = stride_of(s, a, loop);
        if (s->each[loop] > 1 && stride > 0 && stride < SECTOR)
            return true;
    }
    return is_staged(s->kind);
}

/* first: nothing before it moved the same. */
static void add_access(struct schedule *s, const struct ufc_access *a, enum pass pass) {
    const struct gpu_model *m = s->gpu;
    struct moved x = moved_by(s, a);
    double warps = s->threads / WARP_THREADS * x.times, by_warps = warps * x.sectors * SECTOR;
    double resident = at_most(s->threads, s->occupancy * s->gpu->threads * m->multiprocessors);
    bool scattered = x.lines >= WARP_THREADS / 2;
    double by_l2 = at_most(by_warps, (double)s->blocks * x.block), rate = l2_rate;
    if (x.random) { /* a small array is in the L1 cache */
        double caches = at_most((double)s->blocks, m->multiprocessors) * at_most(x.all, l1_bytes);
        by_l2 = at_most(by_warps, caches + by_warps * at_least(0, 1 - l1_bytes / x.all));
    } else if (scattered && !stays_near(s, a) && resident / m->multiprocessors * LINE > l1_bytes) {
        by_l2 = by_warps;
    }
    if ((scattered && !stays_near(s, a)) || x.random)
        rate = scattered_rate;
    double memory = x.all;
    if (x.random && x.all > .5 * (double)m->l2)
        memory = at_least(2 * by_warps, x.all);
    double kept =
        resident / (double)s->block * x.block; /* of all blocks at work, to the next pass */
    if (pass == FIRST || (pass == AGAIN && kept > .5 * (double)m->l2))
        s->bytes += memory;
    if (pass != SAME)
        s->seconds[L2] += by_l2 / (rate * m->copy_rate);
    s->seconds[L1] += warps / x.width * x.lines * a->count / (m->multiprocessors * m->clock);
    s->instructions += x.times * a->count / x.width;
    double missed = at_most(1, by_l2 / by_warps), far = at_most(1, memory / by_l2);
    double clocks = l1_clocks + missed * (l2_clocks + far * memory_seconds * m->clock);
    if (s->kind == UFC_KERNEL_RESIDENT ||
        s->kind == UFC_KERNEL_LONE) /* their arrays are in shared memory */
        clocks = l1_clocks;
    double *load = &s->load[innermost(a->loops) + 1];
    if (!a->stored)
        *load = at_least(*load, clocks / x.width);
}

/* Is the element one of SCATTER's bins? */
static bool is_bin(const struct schedule *s, const struct ufc_access *a) {
    return s->kind == UFC_KERNEL_SCATTER &&
           s->body->it->overload->phase[s->phase].merged >> a->operand & 1;
}

/* What is merged into a bin in memory is a sector of the L2 cache, and of memory where that has not
 * all bins. */
static void add_merge(struct schedule *s, const struct ufc_access *a) {
    double bytes = (double)s->calls * model_points(s->body->it, a->loops) * a->count * SECTOR;
    s->seconds[L2] += bytes / (scattered_rate * s->gpu->copy_rate);
    if (moved_by(s, a).all / s->windows > .5 * (double)s->gpu->l2)
        s->bytes += 2 * bytes;
}

static void add_accesses(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (!s->body->it->data[a->operand] || !in_phase(s, a->phase))
            continue;
        if (is_bin(s, a)) {
            if (s->windows > 0 && a->stored)
                add_merge(s, a);
            continue;
        }
        enum pass pass = pass_of(s, i);
        if (pass == FIRST || !holds(s, a))
            add_access(s, a, pass);
    }
    if (s->windows > 1) /* which come one after the other */
        s->bytes *= s->windows;
    s->seconds[MEMORY] = memory_time(s->gpu, s->bytes);
}

/* Instructions of a thread, beside operations: addresses of points' accesses, which loops step
 * through; loops' own, which are unrolled. */
static double other_instructions(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double n = 20 + 1.5 * s->instructions;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        int loop = innermost(o->accesses[i].loops);
        bool inner = loop >= 0 && s->each[loop] > 1;
        if (in_phase(s, o->accesses[i].phase) && !inner)
            n += 4 * times(s, o->accesses[i].loops) * o->accesses[i].count;
    }
    for (uint32_t i = 0; i < o->nloops; i++)
        if (in_phase(s, o->loops[i].phase) && kernel_info[s->kind].sharing != UFC_BY_TILE)
            n += times(s, UINT64_C(1) << i) * (s->each[i] > 1);
    return n;
}

/* A tile's threads load from shared memory what they multiply, 16 bytes at a time. */
static void share_tile(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_phase *p = &o->phase[s->phase];
    double side = sqrt((double)ufc_tile_size(p, s->kind, 0) * ufc_tile_size(p, s->kind, 1) /
                       ufc_tile_threads(s->kind));
    double steps = 0;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind == UFC_LOOP_REDUCTION && in_phase(s, o->loops[i].phase))
            steps = at_least(steps, times(s, UINT64_C(1) << i) / (side * side));
    s->instructions = steps * (side / 2 + 1);
    s->seconds[L1] =
        steps * side * s->threads / WARP_THREADS / (s->gpu->multiprocessors * s->gpu->clock);
    s->load[0] = 0;
    for (uint32_t i = 0; i < o->nloops; i++)
        s->load[i + 1] = 0;
}

static void add_work(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct gpu_model *m = s->gpu;
    double work[UFC_WORK_COUNT] = {0}, all = s->threads * other_instructions(s), most = 0,
           products = 0;
    bool matrix = kernel_info[s->kind].module == UFC_MODULE_MATRIX;
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT && runs(s, o->work[i].loops); k++) {
            double n = s->threads * times(s, o->work[i].loops) * o->work[i].operations[k];
            if (k == UFC_WORK_FLOAT64 && matrix && is_matrix_work(o, &o->work[i]))
                products += n;
            else
                work[k] += n;
        }
    all += products / MATRIX_PRODUCTS;
    if (m->matrix > 0)
        most = products / m->matrix;
    for (int k = 0; k < UFC_WORK_COUNT; k++) {
        all += work[k];
        if (m->rate[k] > 0)
            most = at_least(most, work[k] / m->rate[k]);
    }
    s->seconds[OPERATIONS] = most;
    s->seconds[ISSUE] = all / (4. * WARP_THREADS * m->multiprocessors * m->clock);
}

/* A thread's clocks in a loop's iteration (-1: outside of loops), without those of loops in it. */
static double own_clocks(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double operations = 0, load = s->load[loop + 1];
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            if (innermost(o->work[i].loops) == loop && runs(s, o->work[i].loops))
                operations += o->work[i].operations[k];
    if (loop < 0 || times(s, UINT64_C(1) << loop) <= 1)
        return operations + load;
    if (o->loops[loop].kind != UFC_LOOP_SERIAL)
        return operations + load / fetched + 2;
    return operations * step_clocks / 2 + (is_staged(s->kind) ? load / 8 + l1_clocks : load);
}

/* How often a thread comes to a loop. */
static double around(const struct schedule *s, uint32_t loop) {
    int parent = s->body->it->overload->loops[loop].parent;
    return parent < 0 ? 1 : times(s, UINT64_C(1) << parent);
}

static void add_steps(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double clocks = own_clocks(s, -1) + memory_seconds * s->gpu->clock;
    bool together =
        kernel_info[s->kind].sharing == UFC_BY_BLOCK || kernel_info[s->kind].sharing == UFC_BY_WARP;
    for (uint32_t i = 0; i < o->nloops; i++) {
        if (!in_phase(s, o->loops[i].phase))
            continue;
        clocks += times(s, UINT64_C(1) << i) * own_clocks(s, (int)i);
        if (together && is_shared(o, i) && o->loops[i].parent >= 0)
            clocks += around(s, i) * (2 * barrier_clocks + l2_clocks);
        if (o->loops[i].kind == UFC_LOOP_REDUCTION && s->lanes[0].n > 1 && is_shared(o, i))
            clocks += around(s, i) * join_clocks;
    }
    double resident = s->occupancy * s->gpu->threads * s->gpu->multiprocessors;
    if (!s->body->it->core) /* a thread's elements are under way together */
        resident *= at_least(1, s->threads / ((double)s->blocks * (double)s->block));
    s->seconds[STEPS] = at_least(1, s->threads / resident) * clocks / s->gpu->clock;
}

static struct prediction longest(const struct schedule *s) {
    static const char *const names[] = {"memory",     "the L2 cache", "the L1 cache",
                                        "operations", "instructions", "waiting"};
    double sum = 0;
    enum roof by = MEMORY;
    for (enum roof k = MEMORY; k < ROOFS; k++) {
        sum += pow(s->seconds[k] / (k == MEMORY ? streamed : reached), 4);
        by = s->seconds[k] > s->seconds[by] ? k : by;
    }
    double seconds = pow(sum, .25);
    if (kernel_info[s->kind].sharing == UFC_BY_TILE && by != MEMORY)
        seconds += s->seconds[MEMORY]; /* few warps, whose parts wait for one another */
    return (struct prediction){launch_seconds + seconds, names[by]};
}

/* Joining is loading partial results, and a few steps. */
static double join_seconds(const struct gpu_model *gpu, const struct body *body,
                           const struct kernel_launch *launch) {
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    const struct ufc_kparam_nest *nest = ufc_nest_of(launch->param, launch->size);
    double bytes = body->it->overload->phase[gufunc->phase].bytes;
    return 3 * memory_seconds + memory_time(gpu, bytes * nest->points * nest->joined);
}

/* Arrays of a ufunc's loop; tiles of TRANSPOSE use all that a sector holds. */
static void add_arrays(struct schedule *s) {
    const struct iteration *it = s->body->it;
    for (int k = 0; k < walked(it); k++) {
        double element = dtype_info[it->dtype[k]].size, bytes = element, nearest = INFINITY;
        for (int axis = 0; it->data[k] && axis < it->naxes; axis++) {
            double stride = (double)llabs(it->stride[k][axis]);
            bytes *= stride > 0 ? (double)it->size[axis] : 1;
            nearest = stride > 0 ? at_most(nearest, stride) : nearest;
        }
        if (nearest > element && nearest < INFINITY)
            bytes *= at_most(nearest, SECTOR) / element;
        s->bytes += it->data[k] ? bytes : 0;
    }
    s->seconds[MEMORY] = memory_time(s->gpu, s->bytes);
    s->load[0] = memory_seconds * s->gpu->clock;
}

struct prediction model_launch(const struct gpu_model *gpu, const struct body *body,
                               const struct kernel_launch *launch, double occupancy) {
    struct schedule s = {.body = body,
                         .gpu = gpu,
                         .kind = launch->kind,
                         .block = launch->block,
                         .blocks = launch->blocks,
                         .phase = -1,
                         .occupancy = occupancy > 0 ? occupancy : .5};
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    if (launch->kind == UFC_KERNEL_NEST && ufc_nest_of(launch->param, launch->size)->joined > 0)
        return (struct prediction){launch_seconds + join_seconds(gpu, body, launch), "memory"};
    if (kernel_info[launch->kind].sharing == UFC_BY_TILE && gufunc->apart > 0) /* it joins parts */
        return (struct prediction){launch_seconds + 3 * memory_seconds, "memory"};
    schedule_launch(&s, launch);
    if (body->it->core)
        add_accesses(&s);
    else
        add_arrays(&s);
    if (kernel_info[s.kind].sharing == UFC_BY_TILE && s.kind != UFC_KERNEL_WINDOW)
        share_tile(&s);
    add_work(&s);
    add_steps(&s);
    return longest(&s);
}

double model_host(int launches, bool allocates) {
    return call_seconds + launches * queue_seconds + (allocates ? pool_seconds : 0);
}

/* ---- forecasts */

static ufc_status no_memory(ufc_context *ctx, void *stream, size_t size, void **memory,
                            ufc_error *err) {
    (void)ctx, (void)stream, (void)size, (void)err;
    *memory = NULL;
    return UFC_OK;
}

struct forecast {
    struct gpu_model gpu;
    struct body body;
    double seconds;
};

static ufc_status add_launch(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct forecast *f = arg;
    (void)err;
    f->seconds += model_launch(&f->gpu, &f->body, launch, 0).seconds;
    return UFC_OK;
}

double model_forecast(const struct iteration *it, launches_fn *launches, const void *work) {
    static const struct device_ops nowhere = {.alloc = no_memory};
    struct forecast f = {.seconds = 0};
    model_reference(&f.gpu);
    model_body(&f.body, it);
    ufc_context ctx = {.ops = &nowhere, .gpu = f.gpu};
    struct launcher l = {.ctx = &ctx, .launch = add_launch, .arg = &f};
    return launches(&l, work, NULL) == UFC_OK ? f.seconds : INFINITY;
}
