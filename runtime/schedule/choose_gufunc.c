/* choose_gufunc.c: which kernel computes a gufunc's call, and how it shares the call out. */
#include <math.h>
#include <stdlib.h>

#include "apart.h"
#include "intermediates.h"
#include "model.h"
#include "nest.h"
#include "spread.h"
#include "steps.h"

/* Are a call's elements of operand k without gaps, in C order or a transposed square matrix, and
 * aligned as DENSE needs them? */
static bool is_dense(const struct iteration *it, int k, const int64_t *stride, const uint8_t *dim) {
    int64_t bytes = dtype_info[it->dtype[k]].size;
    int rank = it->ufunc->core->rank[k];
    int64_t side = rank == 2 ? it->core->size[dim[0]] : 0;
    bool transposed = side > 1 && stride[0] == bytes && side == it->core->size[dim[1]] &&
                      side * side <= UFC_MAX_HELD;
    for (int i = rank; i-- > 0;) {
        if (stride[transposed ? 1 - i : i] != bytes)
            return false;
        bytes *= it->core->size[dim[i]];
    }
    int64_t low = bytes & -bytes, align = low == 0 || low > 16 ? 16 : low;
    if ((intptr_t)it->data[k] % align != 0)
        return false;
    for (int axis = 0; axis < it->naxes; axis++)
        if (it->stride[k][axis] % align != 0)
            return false;
    return true;
}

/* The size of all dimensions that have names; 0 where there are none, -1 where they differ. */
static int64_t named_size(const struct iteration *it) {
    const struct ufc_core *core = it->ufunc->core;
    int64_t size = 0;
    for (uint32_t d = 0; d < core->ndims; d++) {
        if (core->dims[d].size >= 0 || core->dims[d].flags & UFC_DIM_COMPUTED)
            continue;
        if (size != 0 && size != it->core->size[d])
            return -1;
        size = it->core->size[d];
        if (size == 0)
            return -1;
    }
    return size;
}

/* The DENSE kernel for many calls of these sizes; UFC_KERNEL_COUNT: there is none. */
static enum ufc_kernel_kind dense_kernel(const struct iteration *it) {
    static const enum ufc_kernel_kind kinds[] = {
        UFC_KERNEL_DENSE, [2] = UFC_KERNEL_DENSE_2, [3] = UFC_KERNEL_DENSE_3,
        [4] = UFC_KERNEL_DENSE_4};
    const struct ufc_core *core = it->ufunc->core;
    int64_t size = named_size(it);
    if (size < 0 || size == 1 || size > 4 || it->total < DENSE_MIN_CALLS)
        return UFC_KERNEL_COUNT;
    enum ufc_kernel_kind kind = kinds[size];
    const int64_t *stride = it->core->stride;
    const uint8_t *dim = core->dim;
    for (int k = 0; k < it->nin + it->nout; stride += core->rank[k], dim += core->rank[k], k++)
        if (it->data[k] && !is_dense(it, k, stride, dim))
            return UFC_KERNEL_COUNT;
    return it->overload->kernel[kind] ? kind : UFC_KERNEL_COUNT;
}

bool holds_arrays(const struct iteration *it) {
    return dense_kernel(it) != UFC_KERNEL_COUNT;
}

/* Do the sizes fit 32 bits, in which kernels with shared memory count? */
static bool fits_int32(const struct iteration *it) {
    for (uint32_t d = 0; d < it->ufunc->core->ndims; d++)
        if (it->core->size[d] > INT32_MAX)
            return false;
    return true;
}

/* Shares the calls' tiles out to blocks of WINDOW.  False: there is no such kernel, or its tiles
 * would be too few or too empty. */
static bool choose_window(const struct iteration *it, const struct gpu_model *gpu,
                          struct spread *s) {
    const struct ufc_overload *o = it->overload;
    int64_t size[2] = {1, (int64_t)UFC_WINDOW_ROWS * UFC_WINDOW_COLUMNS}, rows = 1, columns;
    if (!o->kernel[UFC_KERNEL_WINDOW] || !is_narrow(it) ||
        !compute_size(&o->columns, it->core->size, &columns) ||
        (o->rows.nterms && !compute_size(&o->rows, it->core->size, &rows)))
        return false;
    if (o->rows.nterms) {
        size[0] = UFC_WINDOW_ROWS;
        size[1] = UFC_WINDOW_COLUMNS;
    }
    int64_t down = rounded_up(rows, size[0]), across = rounded_up(columns, size[1]);
    if (across <= 0 || down <= 0 || down > INT32_MAX / across / o->block[UFC_KERNEL_WINDOW] ||
        rows * columns < down * across * size[0] * size[1] / 2 ||
        down * across * it->total < WINDOW_MIN_BLOCKS)
        return false;
    int64_t *first = o->rows.nterms ? &down : &across;
    int64_t blocks = (int64_t)gpu->multiprocessors * WINDOW_STRIPS;
    int64_t together = down * across * it->total / blocks;
    together = together < WINDOW_TOGETHER ? together : WINDOW_TOGETHER;
    int64_t strips = together > 1 ? rounded_up(*first, together) : *first;
    s->windows = (uint32_t)rounded_up(*first, strips);
    *first = strips;
    s->kind = UFC_KERNEL_WINDOW;
    s->blocks = (uint32_t)(down * across);
    return true;
}

bool runs_in_patches(const struct ufc_overload *o) {
    return o->kernel[UFC_KERNEL_NEST] && o->phases == 1 &&
           (o->phase[0].ranges == 0 || o->phase[0].reductions == 0);
}

/* Is the call in patches, and worth it: do its arrays' layouts differ? */
static bool is_crossed(const struct iteration *it) {
    bool along, across;
    find_layouts(it, it->nin + it->nout, it->naxes, &along, &across);
    return along && across && runs_in_patches(it->overload);
}

static struct tiles tiles_of(const struct ufc_phase *p, enum ufc_kernel_kind kind, int64_t rows,
                             int64_t columns, int64_t parts) {
    struct tiles t = {kind, {rows, columns}, 1, parts, 1, 1};
    if (p->skew == 1)
        t.size[1] += ufc_tile_size(p, kind, 0) - 1;
    for (int i = 0; i < 2; i++) {
        int64_t n = t.size[i];
        t.size[i] = ufc_tile_size(p, kind, i);
        t.number *= (n + t.size[i] - 1) / t.size[i];
    }
    return t;
}

/* The loops of a phase along the sides of its tiles, -1: none, as where rows are calls, or several.
 */
static void find_sides(const struct ufc_overload *o, uint32_t phase, int side[2]) {
    int points[2] = {-1, -1}, n = 0;
    uint32_t batched = o->phase[phase].batched;
    for (uint32_t i = 0; i < o->nloops; i++) {
        if (o->loops[i].phase != phase || o->loops[i].kind != UFC_LOOP_POINTS)
            continue;
        bool apart = batched & 1;
        batched >>= 1;
        if (apart)
            continue;
        if (n < 2)
            points[n] = (int)i;
        n++;
    }
    bool calls = o->phase[phase].shared != 0;
    side[0] = n == 2 && !calls ? points[0] : -1;
    side[1] = n == 2 && !calls ? points[1] : n == 1 && calls ? points[0] : -1;
}

/* The operations of a product of a phase, in those on float32.  What factors are computed by is
 * shared by the results of a row, or a column, of a tile. */
static double product_work(const struct ufc_overload *o, uint32_t phase, const int64_t size[2]) {
    static const double each[UFC_WORK_COUNT] = {[UFC_WORK_FLOAT32] = 1,
                                                [UFC_WORK_FLOAT64] = 2,
                                                [UFC_WORK_INTEGER] = 2,
                                                [UFC_WORK_SPECIAL] = 8};
    double work = 0;
    int side[2];
    find_sides(o, phase, side);
    for (uint32_t i = 0; i < o->nwork; i++) {
        uint64_t loops = o->work[i].loops;
        int loop = loops ? 63 - __builtin_clzll(loops) : -1;
        bool own = loop >= 0 && o->loops[loop].phase == phase && is_depth(o, loop);
        double share = 1;
        for (int axis = 0; axis < 2; axis++)
            if (side[axis] >= 0 && !(loops >> side[axis] & 1))
                share /= (double)size[axis];
        for (int k = 0; own && k < UFC_WORK_COUNT; k++)
            work += share * each[k] * o->work[i].operations[k];
    }
    return work > 1 ? work : 1;
}

/* The time that a multiprocessor takes for its tiles, in operations on float32; edge: the time of
 * products under conditions, which matrix units do not compute, in others; work: of a product,
 * words: of a result.  Few tiles leave it waiting, one of few threads some of its units idle. Small
 * ones take more accesses a product, which further operations hide, and more instructions before
 * and after products; these wait for one another longest where tiles are large.  Parts are stored
 * and loaded.  (Measured on an H200.) */
double tile_time(const struct ufc_overload *o, uint32_t phase, const struct tiled *d,
                 const struct tiles *t, int64_t edge) {
    static const struct {
        enum ufc_kernel_kind kind;
        double idle, alone; /* tiles in whose time a multiprocessor waits; the same, of one alone */
        double accesses;    /* for the accesses of a product */
        double hidden, result; /* tiles that hide what is before and after products; for a result */
    } costs[] = {
        {UFC_KERNEL_TILE_16, 6, 0, 1.86, 24, 78},  {UFC_KERNEL_TILE_32, 1.4, 0, 1, 8, 58},
        {UFC_KERNEL_TILE_64, .5, 1.5, .3, 8, 18},  {UFC_KERNEL_TILE_128, 0, 0, 0, 1, 38},
        {UFC_KERNEL_MATRIX_64, .5, 0, .9, 20, 18}, {UFC_KERNEL_MATRIX_128, 0, 0, 0, 1, 38}};
    size_t k = 0;
    while (costs[k].kind != t->kind)
        k++;
    double parts = (double)(t->parts * t->teams), results = (double)(t->size[0] * t->size[1]);
    double n = ceil((double)t->number * (double)d->calls * parts / TILE_PROCESSORS);
    double work = product_work(o, phase, t->size), words = d->words;
    double product = work + costs[k].accesses * words / work;
    int64_t depth = d->depth;
    if (ufc_is_matrix(t->kind)) { /* their parts of a reduction are whole, and twice as fast */
        int64_t whole = MATRIX_PART * t->parts;
        depth = rounded_up(depth, whole) * whole;
        edge *= 2;
        product /= 2;
    }
    double each = k > 1 ? costs[k].result * words : costs[k].result; /* of few threads' registers */
    double steps = (double)depth / parts / (double)t->sharers + (double)edge;
    double waits = costs[k].idle + (n > 1 ? 0 : costs[k].alone);
    double time = (n + waits) * results * steps * product;
    time += fmax(n, costs[k].hidden) * results * each;
    if (t->parts > 1)
        time += TILE_PART_PRODUCTS * n * results / (double)t->teams;
    int64_t joined = t->teams > 1 ? UFC_TILE_GATHERED : UFC_TILE_JOINED;
    for (int64_t left = t->parts; left > 1; left = rounded_up(left, joined))
        time += TILE_JOIN_PRODUCTS;
    return time;
}

static enum ufc_kernel_kind smallest_kind(const struct ufc_overload *o, uint32_t phase) {
    return o->kernel[UFC_KERNEL_TILE_16] && !o->phase[phase].skew ? UFC_KERNEL_TILE_16
                                                                  : UFC_KERNEL_TILE_32;
}

/* The time of tiles of a phase. */
static double time_of(const struct ufc_overload *o, uint32_t phase, const struct tiled *d,
                      const struct tiles *t) {
    /* teams of a block go as far as the longest reduction, all under conditions */
    int64_t edge = t->kind == UFC_KERNEL_TILE_16 ? d->rows : t->size[0];
    return tile_time(o, phase, d, t, d->even ? 0 : TILE_EDGE * edge);
}

/* May reductions be cut into so many parts?  Those of small tiles are for the teams of blocks,
 * which join theirs in shared memory. */
static bool may_cut(const struct tiled *d, enum ufc_kernel_kind kind, int64_t parts) {
    bool small = kind == UFC_KERNEL_TILE_16;
    return d->cut && (!small || d->gathers) &&
           d->depth / parts >= (small ? TILE_MIN_TURNS : TILE_MIN_PART);
}

/* The fastest tiles of a phase, in *time, with `parts` of reductions; 0: with any number of them.
 * matrix: MATRIX may compute them. */
static struct tiles best_tiles(const struct ufc_overload *o, uint32_t phase, const struct tiled *d,
                               bool matrix, int64_t parts, double *time) {
    const struct ufc_phase *p = &o->phase[phase];
    enum ufc_kernel_kind first = smallest_kind(o, phase);
    struct tiles best = tiles_of(p, first, d->rows, d->columns, 1);
    *time = INFINITY;
    for (enum ufc_kernel_kind kind = first; kind < UFC_KERNEL_COUNT; kind++) {
        bool tiles =
            kind <= UFC_KERNEL_TILE_128 || (ufc_is_matrix(kind) && matrix && p->matrix > 0);
        for (int64_t n = 1; tiles && o->kernel[kind] && (n == 1 || may_cut(d, kind, n)); n *= 2) {
            struct tiles t = tiles_of(p, kind, d->rows, d->columns, n);
            if (kind == UFC_KERNEL_TILE_16 && d->gathers)
                t.sharers =
                    ufc_tile_sharers(d->rows, d->depth) * ufc_tile_sharers(d->columns, d->depth);
            bool gathers = kind == UFC_KERNEL_TILE_16 && n > 1;
            if (gathers) {
                t.teams = o->block[kind] / ufc_tile_threads(kind);
                t.parts = n / t.teams;
            }
            double own = time_of(o, phase, d, &t);
            if ((parts == 0 || n == parts) && t.parts > 0 && own < *time) {
                *time = own;
                best = t;
            }
        }
    }
    return best;
}

/* The longest axis of the loop on which the operands of a mask have stride 0; -1: there is none. */
static int shared_axis(const struct iteration *it, uint32_t shared) {
    int best = -1;
    for (int axis = 0; axis < it->naxes; axis++) {
        bool all = it->naxes <= UFC_MAX_AXES && it->size[axis] <= INT32_MAX;
        for (int k = 0; k < it->nin + it->nout; k++)
            all = all && (!(shared >> k & 1) || it->stride[k][axis] == 0);
        if (all && (best < 0 || it->size[axis] > it->size[best]))
            best = axis;
    }
    return best;
}

bool find_tiled(const struct iteration *it, uint32_t phase, uint32_t shared, struct tiled *d) {
    const struct ufc_overload *o = it->overload;
    const struct ufc_phase *p = &o->phase[phase];
    int64_t batch = 1;
    *d = (struct tiled){.axis = shared ? shared_axis(it, shared) : -1};
    if (!fits_int32(it) || !p->rows.nterms ||
        (d->axis < 0 && !compute_size(&p->rows, it->core->size, &d->rows)) ||
        !compute_size(&p->columns, it->core->size, &d->columns) ||
        (p->batch.nterms && !compute_size(&p->batch, it->core->size, &batch)))
        return false;
    if (d->axis >= 0)
        d->rows = it->size[d->axis];
    if (d->rows < TILE_NARROW_SIDE || d->columns < TILE_NARROW_SIDE || d->rows > INT32_MAX ||
        d->columns > INT32_MAX)
        return false;
    int64_t longest = d->rows > d->columns ? d->rows : d->columns;
    d->depth = (longest + 1) / 2; /* of a triangle, where it is not the same for all results */
    d->even = p->depth.nterms && compute_size(&p->depth, it->core->size, &d->depth);
    d->cut = d->even && !p->in_order;
    if (p->skew && (p->skew == 1 ? d->columns : d->depth) < TILE_MIN_BAND)
        return false;
    if (p->skew == 2) {
        d->even = d->cut = false;
        d->depth += ufc_tile_size(p, UFC_KERNEL_TILE_64, 0);
    }
    d->batch = batch;
    d->calls = d->axis >= 0 ? it->total / d->rows : it->total;
    if (batch <= 0 || batch > INT32_MAX || d->calls > INT64_MAX / batch)
        return false;
    d->calls *= batch;
    d->words = p->result > 4 ? p->result / 4. : 1;
    d->gathers = p->gathers != 0;
    return d->depth <= INT32_MAX;
}

/* Are there enough results along both sides of a phase?  Tiles with a few along one are mostly
 * empty: that is worth it for long reductions, of which what is loaded is used more than once,
 * while short sums of products are computed sooner by a thread for several results. */
static bool fills_tiles(const struct ufc_overload *o, uint32_t phase, const struct tiled *d) {
    const struct ufc_phase *p = &o->phase[phase];
    int64_t narrow = d->rows < d->columns ? d->rows : d->columns,
            wide = d->rows < d->columns ? d->columns : d->rows;
    int reductions = 0;
    if (o->phases > 1 || p->shared || p->skew || !d->even || narrow >= TILE_SIDE)
        return narrow >= TILE_MIN_SIDE;
    for (uint32_t i = 0; i < o->nloops; i++)
        reductions += o->loops[i].kind == UFC_LOOP_REDUCTION;
    if (narrow >= TILE_MIN_SIDE)
        return p->in_order || d->depth >= TILE_NARROW_DEPTH || reductions > 1;
    return d->depth >= TILE_NARROW_DEPTH && wide >= TILE_SIDE;
}

bool choose_tiles(const struct iteration *it, uint32_t phase, const struct gpu_model *gpu,
                  struct spread *s, double *time) {
    const struct ufc_overload *o = it->overload;
    const struct ufc_phase *p = &o->phase[phase];
    struct tiled d;
    if (!o->kernel[UFC_KERNEL_TILE_64] || !find_tiled(it, phase, p->shared, &d) ||
        !fills_tiles(o, phase, &d))
        return false;
    bool across = d.axis < 0 && !p->batch.nterms && !p->skew && !p->in_order &&
                  d.rows <= INTERLEAVED_MAX_SIDE && d.columns <= INTERLEAVED_MAX_SIDE &&
                  o->partial == 0 && runs_across(it);
    uint32_t group = across ? UFC_INTERLEAVED : 1;
    struct tiles best = tiles_of(p, smallest_kind(o, phase), d.rows, d.columns, 1);
    double own = *time = INFINITY;
    if (!across)
        best = best_tiles(o, phase, &d, true, 0, time);
    if (ufc_is_matrix(best.kind) && gpu->matrix == 0) /* as many parts, which decide on bits */
        best = best_tiles(o, phase, &d, false, best.parts, &own);
    int64_t most = INT32_MAX / group / ufc_tile_threads(best.kind) / best.parts / best.teams;
    if (best.number > most / d.batch)
        return false;
    *s = (struct spread){
        .kind = best.kind, .group = group, .blocks = (uint32_t)(best.number * d.batch)};
    s->parts = best.parts > 1 ? (uint32_t)best.parts : 0;
    s->windows = best.teams > 1;
    s->rows = d.axis >= 0 ? (uint32_t)d.rows : 0;
    s->axis = d.axis;
    return true;
}

/* Is some phase of the call computed by tiles? */
static bool has_tiles(const struct iteration *it, const struct gpu_model *gpu) {
    struct spread s;
    double time;
    for (uint32_t i = 0; i < it->overload->phases; i++)
        if (choose_tiles(it, i, gpu, &s, &time))
            return true;
    return false;
}

/* Does some phase of the call merge so many numbers into bins that SCATTER may compute it? */
static bool merges(const struct iteration *it, const struct nest *nest) {
    for (uint32_t i = 0; i < nest->nphases && it->overload->kernel[UFC_KERNEL_SCATTER]; i++)
        if (nest->phase[i].phase->merged &&
            nest->phase[i].points / it->total * nest_further(&nest->phase[i]) >= SHARED_BLOCK_ELEMS)
            return true;
    return false;
}

/* Are the elements of each call's inputs neighbours, in C order? */
static bool has_neighbours(const struct iteration *it) {
    const struct ufc_core *core = it->ufunc->core;
    const int64_t *stride = it->core->stride;
    const uint8_t *dim = core->dim;
    bool all = true;
    for (int k = 0; k < it->nin; stride += core->rank[k], dim += core->rank[k], k++) {
        int last = core->rank[k];
        while (last > 0 && it->core->size[dim[last - 1]] == 1) /* whose stride is 0 */
            last--;
        if (last > 0)
            all = all && stride[last - 1] == (int64_t)dtype_info[it->dtype[k]].size;
    }
    return all;
}

/* Is the call one definition, whose points are like calls, so that NEST is better than threads,
 * warps or blocks that have a call each? */
static bool is_definition(const struct iteration *it) {
    return it->overload->phases == 1 && it->overload->phase[0].ranges > 0;
}

/* Is it one by reductions, which threads may share? */
static bool is_reduced_definition(const struct iteration *it) {
    return is_definition(it) && it->overload->phase[0].reductions > 0;
}

/* Do points of the call have reductions, or scans, that threads of NEST share, and others would
 * not?
 */
static bool reduces_points(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    for (uint32_t i = 0; i < o->phases; i++)
        if (o->phase[i].ranges > 0 && (o->phase[i].reductions > 0 || o->phase[i].units > 0))
            return true;
    return false;
}

/* The elements of the widest access of a call, those of reductions at its points included. */
static double widest_access(const struct iteration *it) {
    double widest = 0;
    for (uint32_t i = 0; i < it->overload->naccesses; i++) {
        double n = model_points(it, it->overload->accesses[i].loops);
        widest = n > widest ? n : widest;
    }
    return widest;
}

/* Is it one by a short window, whose rows are so long that most points of NEST are inside? */
static bool walks_inside(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t columns;
    return is_definition(it) && o->phase[0].walks > 0 && o->phase[0].walks < UFC_WALKS_SINGLY &&
           o->columns.nterms > 0 && compute_size(&o->columns, it->core->size, &columns) &&
           columns >= WINDOW_MAX_COLUMNS;
}

bool has_order(const struct ufc_overload *o) {
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind == UFC_LOOP_SERIAL)
            return true;
    return false;
}

bool waits_in_order(const struct iteration *it, int64_t width) {
    const struct ufc_overload *o = it->overload;
    for (uint32_t i = 0; i < o->nloops; i++) {
        bool alone = o->loops[i].kind == UFC_LOOP_SERIAL && o->loops[i].parent < 0;
        int64_t all = loop_size(it, (int)i);
        for (uint32_t k = i + 1; k < o->nloops && o->loops[k].parent >= (int)i; k++) {
            alone = alone && o->loops[k].kind == UFC_LOOP_SERIAL;
            int64_t size = loop_size(it, (int)k);
            if (o->loops[k].parent == (int)k - 1 && size > 0 && all < width)
                all *= size;
        }
        if (alone && all >= width / 2)
            return true;
    }
    return false;
}

/* Is the call worth a block?  Where there are few, ordered loops that it shares are so sooner. */
static bool fills_block(const struct iteration *it, int64_t width) {
    bool few = it->total < NEST_MAX_CALLS && has_order(it->overload);
    if (waits_in_order(it, width))
        return false;
    return width >= (few ? SHARED_BLOCK_ELEMS : BLOCK_MIN_ELEMS);
}

/* Threads of a call in WARP: as many as have enough elements each.  Those of ordered loops wait for
 * one another rather than for memory, and are more where calls are few. */
static uint32_t warp_group(const struct iteration *it, int64_t width) {
    int64_t least = has_neighbours(it) ? WARP_MIN_ELEMS : WARP_MIN_ELEMS_APART, group = 1;
    while (group < 32 && group * 2 * least <= width)
        group *= 2;
    if (width >= SHARED_MIN_ELEMS && has_order(it->overload))
        while (group < 32 && group * 2 <= width && group * it->total < THREAD_MIN_CALLS)
            group *= 2;
    return (uint32_t)group;
}

/* Chooses the threads of a call that is one reduction, or scans, where BLOCK would have many:
 * joining what threads have takes time in which they load nothing, so each has many elements to
 * reduce first, as long as the threads of all calls keep the GPU busy. */
static void choose_pass_threads(const struct iteration *it, int64_t width, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    const int64_t warp = 32;
    int64_t threads = o->block[UFC_KERNEL_BLOCK];
    if ((o->phases != 1 && !(o->flags & UFC_SCANS)) || has_order(o) || !has_neighbours(it))
        return;
    while (threads > warp && threads * PASS_MIN_ELEMS > width &&
           it->total >= PASS_THREADS / (threads / 2))
        threads /= 2;
    if (threads > warp)
        s->threads = (uint32_t)threads;
    else if (o->kernel[UFC_KERNEL_WARP]) {
        s->kind = UFC_KERNEL_WARP;
        s->group = (uint32_t)warp;
    }
}

struct spread choose_spread(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                            const struct nest *nest) {
    bool nests = nest != NULL;
    struct spread s = {.kind = UFC_KERNEL_THREAD, .group = 1, .blocks = 1};
    const char *const *has = it->overload->kernel;
    int64_t calls = it->total;
    enum ufc_kernel_kind dense = dense_kernel(it);
    if (dense != UFC_KERNEL_COUNT)
        s.kind = dense;
    if (dense != UFC_KERNEL_COUNT)
        return s;
    double time;
    if (!runs_across(it) && choose_phased(it, gpu, width, &s))
        return s;
    bool reduced = nests && is_reduced_definition(it);
    if (choose_seldom(it, gpu, &s))
        return s;
    if (width <= 1 && has[UFC_KERNEL_THREAD] && !reduced)
        return s;
    bool alone = it->overload->phases == 1 && !(nests && it->overload->phase[0].in_order);
    bool compared =
        nests && tiles_percent(it, 0) > 0; /* with threads, as one of several phases is */
    if (alone && !compared && choose_tiles(it, 0, gpu, &s, &time))
        return s;
    bool scans = nests && scans_in_phases(it->overload);
    bool brief = scans && (calls >= PREFIX_MAX_CALLS || width < NEST_MIN_ELEMS);
    if (nests && !brief && (has_tiles(it, gpu) || merges(it, nest))) {
        s.kind = UFC_KERNEL_NEST;
        return s;
    }
    nests = nests && !scans; /* forecasts say whether a block scans a call sooner than launches */
    if (!(nests && (walks_inside(it) || runs_across(it))) && choose_window(it, gpu, &s))
        return s;
    bool across = width > THREAD_MAX_ELEMS && runs_across(it);
    bool many = (width <= THREAD_MAX_ELEMS || across) && calls >= THREAD_MIN_CALLS;
    if (many && has[UFC_KERNEL_THREAD] && !reduced)
        return s;
    if (across && choose_strip(it, width, &s))
        return s;
    if (nests && (across || is_definition(it) || is_crossed(it) || nest_turns(nest))) {
        s.kind = UFC_KERNEL_NEST;
        return s;
    }
    bool apart = across && it->overload->flags & UFC_ROWS; /* no threads share them well */
    if ((!apart && choose_held(it, gpu, width, &s)) || choose_prefix(it, width, nest, &s) || apart)
        return s;
    if (width >= BLOCK_MIN_ELEMS && calls >= SHARED_MAX_CALLS && waits_in_order(it, width) &&
        has[UFC_KERNEL_THREAD])
        return s;
    bool points = nests && reduces_points(it);
    bool rows = nests && has[UFC_KERNEL_JOINT] && !has_shared_steps(it->overload) &&
                fills_block(it, width); /* beyond what JOINT has room for */
    if ((nests && (points || calls < NEST_MAX_CALLS) &&
         (points ? widest_access(it) : (double)width) >= NEST_MIN_ELEMS) ||
        rows) {
        s.kind = UFC_KERNEL_NEST;
    } else if (has[UFC_KERNEL_BLOCK] && fills_block(it, width)) {
        s.kind = UFC_KERNEL_BLOCK;
        choose_pass_threads(it, width, &s);
    } else if (has[UFC_KERNEL_WARP] && (!it->overload->held || has_shared_steps(it->overload))) {
        s.kind = UFC_KERNEL_WARP;
        s.group = warp_group(it, width);
        bool waits = s.group == 1 || (calls >= SHARED_MAX_CALLS && waits_in_order(it, width));
        if (((waits && has_order(it->overload)) || scans_shortly(it, width)) &&
            has[UFC_KERNEL_THREAD])
            s.kind = UFC_KERNEL_THREAD; /* whose ordered loops, and scans, run in chunks */
    } else if (!has[UFC_KERNEL_THREAD]) {
        s.kind = has[UFC_KERNEL_BLOCK] ? UFC_KERNEL_BLOCK : UFC_KERNEL_NEST;
    }
    return s;
}

/* Has the threads that share a call with ordered loops be as many as a step keeps busy, or one.  A
 * block's count in 32 bits; a warp's do not. */
void share_steps(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    bool narrow = is_narrow(it);
    bool holds = it->overload->held && (s->kind == UFC_KERNEL_WARP || s->threads > 0);
    bool steps = it->overload->resident != 0 && !(it->overload->flags & UFC_PHASED) && !holds;
    if (s->kind == UFC_KERNEL_BLOCK && steps && !narrow)
        *s = (struct spread){.kind = UFC_KERNEL_WARP, .group = 32, .blocks = 1};
    uint32_t threads = s->threads ? s->threads : it->overload->block[s->kind];
    struct sharing c = {
        .kind = s->kind, .group = s->group, .blocks = s->blocks, .threads = threads};
    bool shares = s->kind == UFC_KERNEL_WARP || s->kind == UFC_KERNEL_BLOCK;
    bool chosen = shares && steps && narrow && choose_sharing(it, gpu, &c);
    if ((shares || s->kind == UFC_KERNEL_THREAD) && choose_lone(it, gpu, &c))
        chosen = true;
    if ((shares || s->kind == UFC_KERNEL_THREAD) && choose_small(it, gpu, &c))
        chosen = true;
    if ((shares || s->kind == UFC_KERNEL_THREAD) && narrow && choose_following(it, gpu, &c))
        chosen = true;
    if ((shares || s->kind == UFC_KERNEL_THREAD) && choose_state(it, gpu, &c))
        chosen = true;
    bool keeps = ufc_is_warp(c.kind) && it->overload->state;
    if ((shares || chosen) && narrow && !keeps && choose_halo(it, gpu, &c, s))
        return;
    if (chosen && narrow && !keeps && choose_panels(it, gpu, &c, s))
        return;
    if (!chosen)
        return;
    *s = (struct spread){.kind = c.kind,
                         .group = c.group,
                         .blocks = c.blocks,
                         .threads = c.threads,
                         .shared = c.shared,
                         .inputs = c.inputs};
}

/* The iterations of the longest loop that a call's threads can share, where ordered loops around it
 * hide how many elements it has; 1: there is none that is worth several threads. */
static int64_t shared_iterations(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t longest = 1;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind != UFC_LOOP_SERIAL && loop_size(it, (int)i) > longest)
            longest = loop_size(it, (int)i);
    return longest >= SHARED_MIN_ELEMS ? longest : 1;
}

/* The elements of a call's widest part; *nests becomes whether NEST can compute the call. */
int64_t gufunc_width(const struct iteration *it, struct nest *nest, bool *nests) {
    int64_t width = 1;
    if (it->overload->width.nterms && !compute_size(&it->overload->width, it->core->size, &width))
        width = INT64_MAX;
    *nests = nest_fits(nest, it);
    if (*nests)
        return nest->width > width ? nest->width : width;
    return width <= 1 && it->total < SHARED_MAX_CALLS ? shared_iterations(it) : width;
}
