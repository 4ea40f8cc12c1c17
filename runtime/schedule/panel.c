/* panel.c: calls whose blocks take steps of an ordered loop in panels: into how many parts the
 * arrays are cut along each axis, and how many steps a panel has. */
#include <math.h>

#include "model.h"
#include "rt.h"
#include "schedule.h"
#include "spread.h"
#include "steps.h"
#include "traffic.h"

/* How a call is cut. */
struct cutting {
    int64_t parts[2], room[2]; /* along each axis; own elements of a block */
    int64_t width;             /* steps of a panel */
    int64_t bytes;             /* of shared memory */
    double loaded;             /* bytes of the L2 cache for a panel */
};

/* Elements along a subscript of an array: the block's own ones, and those with the panel's. */
struct along {
    int64_t own, all;
};

static struct along find_along(const struct iteration *it, const struct cutting *c, int k, int i,
                               uint8_t dim) {
    int axis = (it->overload->panels.cut[k] >> 2 * i & 3) - 1;
    int64_t size = it->core->size[dim];
    if (axis == 2) /* of an input: the panel's alone */
        return (struct along){0, c->width};
    return axis >= 0 ? (struct along){c->room[axis], c->room[axis] + c->width}
                     : (struct along){size, size};
}

/* Sets what a block has room for and loads; false: it is too much. */
static bool fits(const struct iteration *it, const struct gpu_model *gpu, struct cutting *c) {
    const struct ufc_panels *p = &it->overload->panels;
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dim = core->dim;
    c->bytes = 0;
    c->loaded = 0;
    for (int i = 0; i < 2; i++)
        if (p->axes >> i & 1)
            c->room[i] = rounded_up(it->core->size[p->dims[i]], c->parts[i]);
    for (int k = 0; k < it->nin + it->nout; dim += core->rank[k], k++) {
        int64_t extent[2] = {1, 1};
        double own = 1, all = 1;
        if (!(p->stored >> k & 1))
            continue;
        for (int i = 0; i < core->rank[k]; i++) {
            struct along a = find_along(it, c, k, i, dim[i]);
            extent[core->rank[k] - 1 - i] = a.all;
            own *= (double)a.own;
            all *= (double)a.all;
        }
        if (all > (double)gpu->shared)
            return false;
        c->bytes += ufc_resident_bytes(extent[1], extent[0], dtype_info[it->dtype[k]].size);
        int last = core->rank[k] - 1; /* along which, if cut, neighbours are other blocks' */
        int axis = last >= 0 ? (p->cut[k] >> 2 * last & 3) - 1 : -1;
        bool apart = axis >= 0 && axis < 2;
        c->loaded += (all - own) * (apart ? SECTOR : dtype_info[it->dtype[k]].size);
    }
    return c->bytes <= gpu->shared - RESIDENT_JOINS;
}

/* The part of a call's points that a block has, with the panel's. */
static double share_of(const struct iteration *it, const struct cutting *c) {
    const struct ufc_panels *p = &it->overload->panels;
    double share = 1;
    for (int i = 0; i < 2; i++)
        if (p->axes >> i & 1)
            share *=
                at_most(1, (double)(c->room[i] + c->width) / (double)it->core->size[p->dims[i]]);
    return share;
}

/* The clocks of a call: the steps' parts, which all blocks have; what a block has of the points,
 * beside the panel's; and for each panel what blocks wait for one another and load. */
static double panel_clocks(const struct iteration *it, const struct cutting *c, double turns) {
    double each, blocks = (double)(c->parts[0] * c->parts[1]);
    double all = steps_access_clocks(it, &each) * STEP_NEAR / PANEL_NEAR;
    double panel = PANEL_CLOCKS + c->loaded * blocks / PANEL_L2_BYTES;
    double parts = steps_clocks(it, UFC_KERNEL_RESIDENT, 1e9, 0);
    if (it->overload->panels.far)
        parts = parts * STEP_FAR_CLOCKS / STEP_NEAR_CLOCKS;
    return all * share_of(it, c) + parts + ceil(turns / (double)c->width) * panel;
}

/* The threads of a block, which each have some places of the largest array. */
static uint32_t threads_of(const struct iteration *it, const struct cutting *c) {
    uint32_t threads = 64, most = it->overload->block[UFC_KERNEL_PANEL];
    double places = (double)c->bytes / sizeof(float);
    while (threads < most && threads * PANEL_PLACES < places)
        threads *= 2;
    return threads;
}

/* The widest panel: of vectors alone a block computes few points twice. */
static int64_t most_steps(const struct iteration *it) {
    const struct ufc_panels *p = &it->overload->panels;
    bool vectors = true;
    for (int k = it->nin; k < it->nin + it->nout; k++)
        vectors = vectors && (!(p->stored >> k & 1) || it->ufunc->core->rank[k] <= 1);
    return vectors ? PANEL_MOST_VECTOR : PANEL_MOST;
}

/* Finds the fastest way to cut a call; false: there is none. */
static bool cut_call(const struct iteration *it, const struct gpu_model *gpu, struct cutting *best,
                     double *least) {
    const struct ufc_panels *p = &it->overload->panels;
    int64_t turns, most = gpu->together / it->total, most_width = most_steps(it);
    bool any = false;
    if (!compute_size(&p->turns, it->core->size, &turns) || turns < PANEL_LEAST ||
        turns > INT32_MAX / 2)
        return false;
    for (int64_t rows = 1; rows <= (p->axes & 1 ? most : 1); rows *= 2)
        for (int64_t columns = 1; columns <= (p->axes & 2 ? most / rows : 1); columns *= 2)
            for (int64_t width = PANEL_LEAST; width <= most_width; width *= 2) {
                struct cutting c = {.parts = {rows, columns}, .width = width};
                if (rows * columns < STEP_LEAST_BLOCKS || !fits(it, gpu, &c))
                    continue;
                double clocks = panel_clocks(it, &c, (double)turns);
                if (any && clocks >= *least)
                    continue;
                any = true;
                *least = clocks;
                *best = c;
            }
    return any;
}

bool choose_panels(const struct iteration *it, const struct gpu_model *gpu,
                   const struct sharing *other, struct spread *s) {
    struct cutting c;
    double least, own = 0;
    if (!it->overload->kernel[UFC_KERNEL_PANEL] || it->total < 1 ||
        it->total > gpu->together / STEP_LEAST_BLOCKS || !cut_call(it, gpu, &c, &own))
        return false;
    least = other->kind == UFC_KERNEL_RESIDENT || other->kind == UFC_KERNEL_BLOCK ||
                    other->kind == UFC_KERNEL_CLUSTER
                ? steps_clocks(it, other->kind, other->blocks,
                               other->kind == UFC_KERNEL_CLUSTER ? STEP_CLUSTER_CLOCKS
                               : other->blocks > 1               ? STEP_GRID_CLOCKS
                                                                 : 0)
                : sharing_clocks(it, gpu, other);
    if (own >= least)
        return false;
    *s = (struct spread){.kind = UFC_KERNEL_PANEL,
                         .group = 1,
                         .blocks = (uint32_t)(c.parts[0] * c.parts[1]),
                         .own = {(uint32_t)c.parts[0], (uint32_t)c.parts[1]},
                         .halo = {(uint32_t)c.width},
                         .threads = threads_of(it, &c),
                         .shared = (uint32_t)c.bytes};
    return true;
}

void schedule_panels(struct schedule *s, const struct ufc_kparam_gufunc *gufunc) {
    const struct ufc_panels *p = &s->body->it->overload->panels;
    double again = 1, axes = 0;
    for (int i = 0; i < 2; i++)
        if (p->axes >> i & 1) {
            double size = (double)s->body->it->core->size[p->dims[i]];
            again *= 1 + gufunc->halo[0] * (double)gufunc->own[i] / at_least(size, 1);
            axes++;
        }
    for (uint32_t i = 0; i < s->body->it->overload->nloops; i++) {
        const struct ufc_loop *l = &s->body->it->overload->loops[i];
        if (l->kind == UFC_LOOP_POINTS && l->parent >= 0 && !(l->flags & UFC_LOOP_FURTHER))
            s->each[i] = ceil(s->each[i] * pow(again, 1 / axes));
    }
    s->panel = gufunc->halo[0];
}
