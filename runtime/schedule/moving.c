/* moving.c: the times that a launch's accesses take, by what they move (traffic.c): of memory, of
 * the L2 and L1 caches, of shared memory and of the loads that a thread waits for. */
#include <math.h>
#include <stdlib.h>

#include "recorder.h"
#include "traffic.h"

enum { MATRIX_LANES = 4 }; /* of a warp, that have the same row of a matrix, and as many columns */

/* Where these are from, predict.c has with its own. */
static const double l2_width = 24;        /* bytes a clock, from the L2 cache to a multiprocessor */
static const double scattered_width = 16; /* the same, of sectors of lines that are apart */
static const double port_width = 64;      /* the same, of a multiprocessor that is alone */
static const double line_clocks = .95;    /* of the L1 cache, for a line of a warp's access */
static const double lone_copied = 9; /* instructions of a thread of LONE that copies an element */
static const double merged_lines = 2.5;  /* clocks of a warp's merges into shared memory */
static const double merged_accesses = 3; /* accesses to the L2 cache in a merge's time */
static const double window_phases = 1.5; /* of a tile, as long as loads: barriers, and stores */
static const double window_instructions = 320; /* of a tile's threads, beside loads and sums */

/* The rate of the L2 cache, to all multiprocessors. */
static double l2_rate(const struct gpu_model *m, double width) {
    return width * m->multiprocessors * m->clock;
}

double port_time(const struct schedule *s, double bytes) {
    return bytes / (port_width * busy(s) * s->gpu->clock);
}

/* The part of so many bytes that the L2 cache does not have from one call to the next. */
static double uncached(const struct gpu_model *m, double bytes) {
    double cached = at_most(1, .6 * (double)m->l2 / at_least(bytes, 1));
    return 1 - cached * cached;
}

double memory_time(const struct gpu_model *m, double bytes) {
    double rest = uncached(m, bytes);
    return bytes * rest / m->copy_rate + bytes * (1 - rest) / l2_rate(m, l2_width);
}

/* Whether an access is the first to move its bytes, of a loop behind the one that did, or of the
 * same. */
enum pass { FIRST, AGAIN, SAME, HELD };

/* Are the same few elements in both loops, which are written out, so that registers hold them? */
static bool holds_few(const struct schedule *s, const struct ufc_access *a,
                      const struct ufc_access *b) {
    int first = innermost(a->loops), second = innermost(b->loops);
    if (first < 0 || second < 0 || s->each[first] != s->each[second] || s->each[first] > 4)
        return false;
    return (a->loops & ~(UINT64_C(1) << first)) == (b->loops & ~(UINT64_C(1) << second)) &&
           stride_of(s, a, first) == stride_of(s, b, second);
}

/* Is an access one that the launch comes to before another of the same array?  In a sweep a row is
 * in a cache when it was stored, too. */
static bool came_before(const struct schedule *s, const struct ufc_access *a,
                        const struct ufc_access *own) {
    if (s->since >= 0)
        return a->phase >= s->since && a->phase <= s->phase && (a->stored || !own->stored);
    return a->stored == own->stored && (in_phase(s, a->phase) || ufc_is_band(s->kind));
}

static enum pass pass_of(const struct schedule *s, uint32_t number) {
    const struct ufc_access *a = s->body->it->overload->accesses, *own = &a[number];
    double bytes = moved_by(s, own).all;
    enum pass pass = FIRST;
    for (uint32_t k = 0; k < number; k++)
        if (a[k].operand == own->operand && came_before(s, &a[k], own) &&
            moved_by(s, &a[k]).all >= bytes) {
            pass = pass == FIRST ? AGAIN : pass;
            if (!in_phase(s, a[k].phase)) /* a band's phase before, or a sweep's */
                continue;
            if (a[k].loops == own->loops)
                pass = SAME;
            else if (holds_few(s, &a[k], own))
                return HELD;
        }
    return pass;
}

/* Are the elements of a call's rows held from one part to the next, or results in registers? */
static bool holds(const struct schedule *s, const struct ufc_access *a) {
    if (s->kind >= UFC_KERNEL_DENSE && s->kind <= UFC_KERNEL_DENSE_4)
        return true;
    uint32_t held = s->body->it->overload->held;
    int loop = innermost(a->loops);
    bool fits = held && loop >= 0 && s->each[loop] <= held;
    if (ufc_is_joint(s->kind))
        return s->body->it->overload->in_memory >> a->operand & 1;
    return fits && s->together <= 1 && (s->kind == UFC_KERNEL_WARP || s->kind == UFC_KERNEL_BLOCK);
}

/* Is it an array that the body makes? */
static bool is_made(const struct schedule *s, int operand) {
    const struct iteration *it = s->body->it;
    return operand >= it->nin + it->nout - (int)it->ufunc->nintermediates;
}

bool is_resident(const struct schedule *s, int operand) {
    const struct iteration *it = s->body->it;
    bool input = operand < it->nin;
    if (s->kind == UFC_KERNEL_HALO)
        return it->overload->halo.stored >> operand & 1;
    if (s->kind == UFC_KERNEL_PANEL)
        return it->overload->panels.stored >> operand & 1;
    if (s->kind == UFC_KERNEL_RESIDENT)
        return it->overload->resident >> operand & 1 && (!input || s->inputs);
    uint32_t kept = input ? s->inputs : it->overload->repeated;
    return s->kind == UFC_KERNEL_LONE && kept >> operand & 1;
}

bool runs_phased(const struct schedule *s) {
    return s->kind == UFC_KERNEL_RESIDENT && s->body->it->overload->flags & UFC_PHASED;
}

bool begins_as_copy(const struct schedule *s, const struct ufc_access *a) {
    const struct ufc_overload *o = s->body->it->overload;
    uint64_t points = 0;
    for (uint32_t i = 0; i < o->nloops; i++)
        points |= o->loops[i].kind == UFC_LOOP_POINTS ? UINT64_C(1) << i : 0;
    if (s->kind != UFC_KERNEL_LONE || a->stored || !a->loops || a->loops & ~points ||
        a->operand >= (uint32_t)s->body->it->nin || a == o->accesses + o->naccesses - 1)
        return false;
    const struct ufc_access *to = a + 1;
    return to->stored && to->loops == a->loops && is_resident(s, to->operand);
}

/* An access to shared memory alone, in such a block. */
static void add_near(struct schedule *s, const struct ufc_access *a) {
    double n = times(s, a->loops) * a->distinct, warps = s->threads / WARP_THREADS * n;
    double *load = &s->load[innermost(a->loops) + 1];
    s->seconds[L1] += warps * (a->irregular ? merged_lines : 1) / (busy(s) * s->gpu->clock);
    s->instructions += n;
    if (!a->stored)
        *load = at_least(*load, l1_clocks);
}

static void add_copy(struct schedule *s, int k) {
    double bytes = (double)operand_bytes(s->body->it, k);
    s->bytes += bytes;
    s->seconds[L2] += bytes / l2_rate(s->gpu, l2_width);
    if (s->kind == UFC_KERNEL_LONE)
        s->instructions += lone_copied * call_copied(s, k);
}

/* What the block then copies to outputs, and inputs that panels and LONE have. */
static void add_copied(struct schedule *s) {
    const struct iteration *it = s->body->it;
    const struct ufc_overload *o = it->overload;
    int outputs = it->nin + it->nout - (int)it->ufunc->nintermediates;
    bool inputs = s->kind == UFC_KERNEL_PANEL || s->kind == UFC_KERNEL_LONE;
    for (int k = inputs ? 0 : it->nin; k < outputs; k++)
        if (is_resident(s, k) && it->data[k])
            add_copy(s, k);
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (begins_as_copy(s, &o->accesses[i]))
            add_copy(s, (int)o->accesses[i].operand);
}

double call_copied(const struct schedule *s, int k) {
    const struct iteration *it = s->body->it;
    int64_t size = dtype_info[it->dtype[k]].size;
    return (double)operand_bytes(it, k) / (double)it->total / (double)(size < 4 ? 4 : size);
}

/* Are the elements of several iterations of an ordered loop under way at once?  Of what steps store
 * to, those that are neighbours. */
static bool comes_in_chunks(const struct schedule *s, const struct ufc_access *a, int loop) {
    int64_t element = (int64_t)dtype_info[s->body->it->dtype[a->operand]].size;
    bool steps = kernel_info[s->kind].sharing == UFC_BY_BLOCK && a->operand >= s->body->it->nin;
    bool along = !steps || stride_of(s, a, loop) <= element;
    bool ends = s->body->it->overload->loops[loop].flags & UFC_LOOP_MAY_END;
    return along && !ends && !a->irregular && !is_staged(s->kind);
}

static void add_access(struct schedule *s, const struct ufc_access *a, enum pass pass) {
    const struct gpu_model *m = s->gpu;
    struct moved x = moved_by(s, a);
    struct path p = path_of(s, a, &x);
    double warps = s->threads / WARP_THREADS * x.times;
    double resident = at_most(s->threads, s->occupancy * m->threads * m->multiprocessors);
    double kept =
        resident / (double)s->block * x.block; /* of all blocks at work, to the next pass */
    bool leaves = s->since < 0 && kept > .5 * (double)m->l2;
    if (pass == FIRST || (pass == AGAIN && leaves))
        s->bytes += p.by_memory;
    if (pass != SAME)
        s->seconds[L2] += at_least(p.by_l2 / l2_rate(m, p.scattered ? scattered_width : l2_width),
                                   port_time(s, p.by_l2));
    s->seconds[L1] +=
        warps / x.width * at_least(1, x.lines * line_clocks) * a->distinct / (busy(s) * m->clock);
    s->instructions += x.times * a->distinct / x.width;
    double missed = at_most(1, p.by_l2 / p.by_warps);
    double far = at_most(1, p.by_memory / p.by_l2) * uncached(m, p.by_memory);
    double clocks = l1_clocks + missed * (l2_clocks + far * memory_seconds * m->clock);
    if (is_resident(s, a->operand))
        clocks = l1_clocks;
    int loop = innermost(a->loops);
    double *load = &s->load[loop + 1];
    bool ordered = loop >= 0 && s->body->it->overload->loops[loop].kind == UFC_LOOP_SERIAL;
    if (ordered && comes_in_chunks(s, a, loop))
        clocks /= CHUNK_BYTES / (double)dtype_info[s->body->it->dtype[a->operand]].size;
    if (a->stored)
        return;
    bool chunks = is_staged_in(s, loop) || s->kind == UFC_KERNEL_UNIFORM;
    if (ordered && a->irregular && chunks)
        load = &s->found[loop + 1];
    *load = at_least(*load, clocks / x.width);
    if (a->operand >= s->body->it->nin && !(s->body->it->overload->in_lanes >> a->operand & 1))
        s->late[loop + 1] = at_least(s->late[loop + 1], l1_clocks + l2_clocks); /* stored there */
}

/* Is the element one of SCATTER's bins? */
static bool is_bin(const struct schedule *s, const struct ufc_access *a) {
    return s->kind == UFC_KERNEL_SCATTER &&
           s->body->it->overload->phase[s->phase].merged >> a->operand & 1;
}

/* What is merged into a bin in memory is a sector of the L2 cache, and of memory where that has not
 * all bins; in shared memory some threads of a warp meet in the same bank. */
static void add_merge(struct schedule *s, const struct ufc_access *a) {
    double warps = s->threads / WARP_THREADS * times(s, a->loops) * a->distinct;
    if (!a->stored || !(s->targets >> a->operand & 1))
        return;
    s->seconds[L1] += warps * merged_lines / (busy(s) * s->gpu->clock);
    if (s->windows <= 0)
        return;
    double bytes = (double)s->calls * model_points(s->body->it, a->loops) * a->count * SECTOR;
    s->seconds[L2] += merged_accesses * bytes / l2_rate(s->gpu, scattered_width);
    double cache = .5 * (double)s->gpu->l2, window = moved_by(s, a).span / s->windows;
    if (window > cache) /* memory moves two sectors, there and back */
        s->bytes += 4 * bytes * (1 - cache / window);
}

void add_accesses(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (!s->body->it->data[a->operand] || !in_phase(s, a->phase))
            continue;
        if (is_bin(s, a)) {
            add_merge(s, a);
            continue;
        }
        if (begins_as_copy(s, a) || (i > 0 && begins_as_copy(s, a - 1)))
            continue;
        if ((runs_phased(s) || s->kind == UFC_KERNEL_LONE) && is_resident(s, a->operand)) {
            add_near(s, a);
            continue;
        }
        enum pass pass = pass_of(s, i);
        bool own = !a->stored && a->operand >= s->body->it->nin; /* what was computed before */
        if (own && s->kind >= UFC_KERNEL_DENSE && s->kind <= UFC_KERNEL_DENSE_4)
            continue;
        if (ufc_is_small(s->kind) && is_made(s, a->operand))
            continue;
        if (pass == FIRST || (pass != HELD && !holds(s, a)))
            add_access(s, a, pass);
    }
    if (runs_phased(s) || s->kind == UFC_KERNEL_LONE)
        add_copied(s);
    if (s->windows > 1) /* which come one after the other */
        s->bytes *= s->windows;
    s->seconds[MEMORY] = at_least(memory_time(s->gpu, s->bytes), port_time(s, s->bytes));
}

/* Lines of memory for an element of a tile's factor, of which neighbouring threads move those
 * that are nearest: along the reduction, or along the tile's side. */
static double factor_lines(const struct schedule *s, const struct ufc_access *a, double side) {
    const struct ufc_overload *o = s->body->it->overload;
    double nearest = INFINITY, run = 1;
    bool taken[2] = {false, false}; /* the innermost loop of each kind moves it */
    for (uint32_t i = o->nloops; i-- > 0;) {
        bool depth = is_depth(o, (int)i);
        double stride = (double)stride_of(s, a, (int)i);
        if (!(a->loops >> i & 1) || taken[depth] || stride == 0)
            continue;
        taken[depth] = true;
        if (stride < nearest) {
            nearest = stride;
            run = at_most(depth ? TILE_PART : side, schedule_size(s->body, (int)i));
        }
    }
    return 1 / at_most(run, at_least(1, LINE / nearest));
}

/* A tile's threads move its factors to shared memory, or compute them on the way. */
static void move_factors(struct schedule *s, double steps) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_phase *p = &o->phase[s->phase];
    uint64_t columns = 0;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind == UFC_LOOP_POINTS && in_phase(s, o->loops[i].phase))
            columns = UINT64_C(1) << i;
    for (int side = 0; side < 2; side++)
        s->instructions += steps * ufc_tile_size(p, s->kind, side) / ufc_tile_threads(s->kind) *
                           at_least(1, p->computed[side] / 1.5);
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        int loop = innermost(a->loops);
        if (a->stored || !in_phase(s, a->phase) || loop < 0 || !is_depth(o, loop))
            continue;
        double size = ufc_tile_size(p, s->kind, a->loops & columns ? 1 : 0);
        double elements = s->threads / ufc_tile_threads(s->kind) * steps * size;
        s->seconds[L1] +=
            elements * factor_lines(s, a, size) * line_clocks / (busy(s) * s->gpu->clock);
    }
}

/* A tile's threads load from shared memory what they multiply, 16 bytes at a time: half of a
 * warp's lanes have what others have, except with MATRIX, where each has a share of the warp's.
 */
void share_tile(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_phase *p = &o->phase[s->phase];
    double rows = ufc_tile_size(p, s->kind, 0) / (double)ufc_tile_side(s->kind, 0),
           columns = ufc_tile_size(p, s->kind, 1) / (double)ufc_tile_side(s->kind, 1);
    double steps = 0, words = 0, side = sqrt(rows * columns), loaded = 2 * side, apart = loaded / 2;
    if (p->reduced > 0)
        s->threads *= p->reduced / 100.;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (is_depth(o, (int)i) && in_phase(s, o->loops[i].phase))
            steps = at_least(steps, times(s, UINT64_C(1) << i) / (side * side));
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (in_phase(s, o->accesses[i].phase) && !o->accesses[i].stored)
            words =
                at_least(words, dtype_info[s->body->it->dtype[o->accesses[i].operand]].size / 4.);
    if (ufc_is_matrix(s->kind))
        loaded = apart = rows / MATRIX_LANES + columns / (WARP_THREADS / MATRIX_LANES);
    s->instructions = steps * (words * loaded / 4 + 1);
    s->seconds[L1] = steps * words * apart * s->threads / WARP_THREADS / (busy(s) * s->gpu->clock);
    move_factors(s, steps);
    for (uint32_t i = 0; i <= o->nloops; i++)
        s->load[i] = 0;
    s->slabs = ceil(steps / TILE_PART);
}

/* A window's threads load the elements around their results from shared memory, and weights,
 * once for all of their results. */
void share_window(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    double elements = 0, tiles = 1. / WINDOW_RESULTS;
    uint64_t points = 0;
    bool weighted = false;
    for (uint32_t k = 0; k < o->nloops; k++)
        if (o->loops[k].kind == UFC_LOOP_POINTS) {
            points |= UINT64_C(1) << k;
            tiles *= s->each[k];
        }
    s->instructions = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        struct moved x = moved_by(s, a);
        double bytes = dtype_info[s->body->it->dtype[a->operand]].size, loads = 1;
        for (uint32_t k = 0; k < o->nloops; k++)
            if (a->loops >> k & 1 && o->loops[k].kind == UFC_LOOP_REDUCTION)
                loads *= s->each[k];
        s->instructions += tiles * loads * a->distinct;
        elements += a->stored ? 0 : x.block / bytes;
        weighted = weighted || !(a->loops & points);
    }
    double row = s->each[o->nloops - 1];
    for (uint32_t k = 0; k < o->nloops && !weighted && row > 2 * WINDOW_RESULTS; k++)
        if (k + 1 == o->nloops) /* most elements of a row are reduced once, for all results */
            s->each[k] = (row - WINDOW_RESULTS) / WINDOW_RESULTS + WINDOW_RESULTS;
    s->instructions += 2 * elements / (double)s->block;
    s->slabs = ceil(elements / ((double)s->block * LOADED_ROWS)) + window_phases * tiles;
    s->seconds[L1] = s->instructions * s->threads / WARP_THREADS / (busy(s) * s->gpu->clock);
    s->instructions += window_instructions * tiles;
}

/* Arrays of a ufunc's loop; tiles of TRANSPOSE use all that a sector holds. */
void add_arrays(struct schedule *s) {
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
