/* halo.c: calls of steps over a grid, shared by blocks of which each has a part of the grid with so
 * wide a halo that it waits for no other block. */
#include <math.h>

#include "model.h"
#include "rt.h"
#include "schedule.h"
#include "spread.h"
#include "steps.h"
#include "traffic.h"

enum { MOST_PARTS = 1 << 20 };

/* How a call's grid is cut. */
struct cuts {
    int64_t size[2], halo[2]; /* along each axis; of one axis the second is 1, 0 */
    int64_t own[2], parts[2];
    int64_t rest; /* bytes of all arrays at each place of these axes */
    int64_t bytes;
};

static bool find_cuts(const struct iteration *it, struct cuts *c) {
    const struct ufc_halo *h = &it->overload->halo;
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dim = core->dim;
    int64_t turns;
    if (!compute_size(&h->turns, it->core->size, &turns) || turns < 1)
        return false;
    *c = (struct cuts){.size = {1, 1}, .own = {1, 1}, .parts = {1, 1}};
    for (uint32_t i = 0; i < h->naxes; i++) {
        c->size[i] = it->core->size[h->dims[i]];
        if (c->size[i] < 1 || turns > INT16_MAX || turns * h->each[i] > INT16_MAX)
            return false;
        c->halo[i] = turns * h->each[i] + h->outside[i];
        if ((h->wraps >> i & 1) && c->halo[i] + 2 * (int64_t)h->pad[i] >= c->size[i])
            return false;
    }
    for (int k = 0; k < it->nin + it->nout; dim += core->rank[k], k++) {
        int64_t bytes = dtype_info[it->dtype[k]].size;
        if (!(h->stored >> k & 1))
            continue;
        for (uint32_t i = h->naxes; i < core->rank[k]; i++)
            if (__builtin_mul_overflow(bytes, it->core->size[dim[i]], &bytes))
                return false;
        c->rest += bytes;
    }
    return c->rest > 0 && c->rest < INT32_MAX;
}

/* Sets the bytes of a block; false: there is no room for them, or a place is not in 32 bits. */
static bool fits(const struct iteration *it, const struct gpu_model *gpu, struct cuts *c) {
    const struct ufc_halo *h = &it->overload->halo;
    int64_t extent[2] = {1, 1};
    for (uint32_t i = 0; i < h->naxes; i++)
        extent[i] = ufc_halo_extent(c->own[i], c->halo[i], h->pad[i]);
    int64_t room = gpu->shared - RESIDENT_JOINS, pads = 16 * UFC_MAX_OPERANDS;
    if (extent[0] > room || extent[1] > room || extent[0] * extent[1] > room / c->rest)
        return false;
    c->bytes = extent[0] * extent[1] * c->rest + pads;
    double far = (double)c->size[0] * (double)extent[1] * (double)c->rest;
    far *= h->wraps != 0 ? 3 : 1; /* places are up to so many sizes */
    return c->bytes <= room && far < UFC_NARROW_SIZE;
}

/* The part of a call's points that a block computes. */
static double share_of(const struct iteration *it, const struct cuts *c) {
    double share = 1;
    for (uint32_t i = 0; i < it->overload->halo.naxes; i++) {
        double wide = (double)(c->own[i] + c->halo[i]); /* in the middle of the steps */
        share *= at_most(1, wide / (double)c->size[i]);
    }
    return share;
}

/* The clocks of a multiprocessor for blocks that wait for none, so many a call, each with a share
 * of its points and so many bytes. */
static double lone_blocks_clocks(const struct iteration *it, const struct gpu_model *gpu,
                                 double blocks, double share, double bytes, uint32_t threads) {
    double each, all = steps_access_clocks(it, &each) * share;
    double together = at_most((double)gpu->shared / (bytes + RESIDENT_RESERVED), RESIDENT_BLOCKS);
    if (gpu->threads > 0)
        together = at_most(together, (double)gpu->threads / threads);
    together = at_least(floor(together), 1);
    double rounds = ceil((double)it->total * blocks / (gpu->multiprocessors * together));
    together = at_most(together, ceil((double)it->total * blocks / gpu->multiprocessors));
    return rounds * at_least(together * all, all + steps_clocks(it, UFC_KERNEL_RESIDENT, 1e9, 0));
}

/* Cuts an axis into so many parts of nearly the same size. */
static void cut_axis(struct cuts *c, int axis, int64_t parts) {
    c->own[axis] = rounded_up(c->size[axis], parts < c->size[axis] ? parts : c->size[axis]);
    c->parts[axis] = rounded_up(c->size[axis], c->own[axis]);
}

/* The threads of a block with a share of a call's points. */
static uint32_t threads_for(const struct iteration *it, const struct cuts *c) {
    double points = 1;
    uint32_t threads = WARP_THREADS;
    for (uint32_t i = 0; i < it->overload->halo.naxes; i++)
        points *= (double)(c->own[i] + 2 * c->halo[i]);
    while (threads < points / HALO_POINTS && threads < it->overload->block[UFC_KERNEL_HALO])
        threads *= 2;
    return threads;
}

/* Has a block fewer neighbours in a row than a warp, though there are more? */
static bool is_narrow_part(const struct iteration *it, const struct cuts *c) {
    uint32_t last = it->overload->halo.naxes - 1;
    return c->own[last] < WARP_THREADS && c->own[last] < c->size[last];
}

/* Finds the fastest way to cut, with few blocks if these are nearly as fast; false: there is none.
 */
static bool cut_grid(const struct iteration *it, const struct gpu_model *gpu, struct cuts *best,
                     double *least) {
    struct cuts c;
    bool any = false, wide = it->overload->halo.naxes > 1;
    if (!find_cuts(it, &c))
        return false;
    for (int64_t rows = 1; rows < 2 * c.size[0] && rows <= MOST_PARTS; rows *= 2)
        for (int64_t columns = 1; columns < 2 * c.size[1] && (wide || columns == 1); columns *= 2) {
            cut_axis(&c, 0, rows);
            cut_axis(&c, 1, columns);
            double blocks = (double)(c.parts[0] * c.parts[1]);
            if (blocks * (double)it->total > MOST_PARTS || is_narrow_part(it, &c) ||
                !fits(it, gpu, &c))
                continue;
            double clocks = lone_blocks_clocks(it, gpu, blocks, share_of(it, &c), (double)c.bytes,
                                               threads_for(it, &c));
            if (any && clocks >= *least * HALO_FEWER * .01)
                continue;
            any = true;
            *least = clocks;
            *best = c;
        }
    return any;
}

bool choose_halo(const struct iteration *it, const struct gpu_model *gpu,
                 const struct sharing *other, struct spread *s) {
    struct cuts c;
    double least, own = 0;
    if (!it->overload->kernel[UFC_KERNEL_HALO] || !cut_grid(it, gpu, &c, &own))
        return false;
    if (other->kind == UFC_KERNEL_RESIDENT)
        least = lone_blocks_clocks(it, gpu, 1, 1, other->shared, other->threads);
    else if (other->kind == UFC_KERNEL_CLUSTER || other->kind == UFC_KERNEL_BLOCK)
        least = steps_clocks(it, other->kind, other->blocks,
                             other->kind == UFC_KERNEL_CLUSTER ? STEP_CLUSTER_CLOCKS
                             : other->blocks > 1               ? STEP_GRID_CLOCKS
                                                               : 0);
    else
        least = sharing_clocks(it, gpu, other);
    double gain = .01 * (other->blocks > 1 ? HALO_GAIN_WAITING : HALO_GAIN);
    if (c.parts[0] * c.parts[1] < 2 || own > least * gain)
        return false;
    *s = (struct spread){.kind = UFC_KERNEL_HALO,
                         .group = 1,
                         .blocks = (uint32_t)(c.parts[0] * c.parts[1]),
                         .windows = (uint32_t)c.parts[1],
                         .threads = threads_for(it, &c),
                         .shared = (uint32_t)c.bytes};
    for (int i = 0; i < 2; i++) {
        s->own[i] = (uint32_t)c.own[i];
        s->halo[i] = (uint32_t)c.halo[i];
    }
    return true;
}

void schedule_halo(struct schedule *s, const struct ufc_kparam_gufunc *gufunc) {
    const struct ufc_overload *o = s->body->it->overload;
    double again = 1;
    for (uint32_t i = 0; i < o->halo.naxes; i++)
        again *= 1 + gufunc->halo[i] / (double)gufunc->own[i];
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind == UFC_LOOP_POINTS && !(o->loops[i].flags & UFC_LOOP_FURTHER))
            s->each[i] = ceil(s->each[i] * again);
}
