/* band.c: whether all phases of a call are computed together, by bands of rows: BAND. */
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* Bytes that launches of single phases move, but for what tiles read. */
static double moved_bytes(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    double bytes = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (a->stored || o->phase[a->phase].rows.nterms == 0)
            bytes += model_points(it, a->loops) * a->count * dtype_info[it->dtype[a->operand]].size;
    }
    return bytes * (double)it->total;
}

/* The bytes of a row of an intermediate, whose core axes are the dims, of which so many are outside
 * of rows; 0: rows lie apart. */
static int64_t row_bytes(const struct iteration *it, int k, const uint8_t *dims, int axis,
                         int level) {
    const struct ufc_core *core = it->ufunc->core;
    int64_t bytes = dtype_info[it->dtype[k]].size;
    for (int i = level; i < core->rank[k]; i++)
        bytes *= it->core->size[dims[i]];
    return axis < 0 || it->stride[k][axis] == bytes ? bytes : 0;
}

/* Chooses which intermediates are in `room` bytes of shared memory, a bit each; axis: whose calls
 * are rows, or -1. */
static uint32_t keep_near(const struct iteration *it, int axis, int level, int64_t rows,
                          int64_t room, uint32_t *bytes) {
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dims = core->dim;
    int first = it->ufunc->nin + it->ufunc->nout;
    uint32_t near = 0;
    *bytes = 0;
    for (int k = 0; k < it->nin + it->nout; dims += core->rank[k++]) {
        int64_t own = k >= first && it->data[k] ? row_bytes(it, k, dims, axis, level) : 0;
        if (own <= 0 || own > room / rows)
            continue;
        uint32_t all = (uint32_t)(rounded_up(own * rows, 16) * 16);
        if (*bytes + all > room)
            continue;
        near |= UINT32_C(1) << (k - first);
        *bytes += all;
    }
    return near;
}

/* The time of the tiles of a phase, as tile_time has it. */
static double band_time(const struct ufc_overload *o, enum ufc_kernel_kind kind, uint32_t phase,
                        const struct tiled *d) {
    const struct ufc_phase *p = &o->phase[phase];
    int64_t rows = ufc_tile_size(p, kind, 0), columns = ufc_tile_size(p, kind, 1);
    const struct tiles t = {.kind = UFC_KERNEL_TILE_64,
                            .size = {rows, rounded_up(d->columns, columns) * columns},
                            .number = rounded_up(d->rows, rows),
                            .parts = 1,
                            .teams = 1,
                            .sharers = 1};
    return tile_time(o, phase, d, &t, 0) * (kind == UFC_KERNEL_BAND_64 ? BAND_LARGE * .01 : 1);
}

/* The most elements of a row that its threads share in a phase without tiles. */
static int64_t widest_part(const struct iteration *it, uint32_t phase, int level) {
    const struct ufc_overload *o = it->overload;
    int64_t widest = 1;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == phase && is_of_row(o, i, level) && loop_size(it, (int)i) > widest)
            widest = loop_size(it, (int)i);
    return widest;
}

/* Threads of a row in phases without tiles, of so many elements: where BAND_LANES read whole lines
 * of memory, more of them would only join more often. */
static uint32_t lanes_of(int64_t elements) {
    uint32_t lanes = 1;
    while (lanes < 32 &&
           lanes * (lanes < BAND_LANES ? BAND_LANE_ELEMS : BAND_LANE_MOST_ELEMS) < elements)
        lanes *= 2;
    return lanes;
}

/* Chooses bands of a kind, and their time, in *together.  Rows that shared memory has no room for
 * go to memory, from which caches have most of them again. */
static bool choose_kind(const struct iteration *it, const struct gpu_model *gpu,
                        enum ufc_kernel_kind kind, struct spread *s, double *together) {
    const struct ufc_overload *o = it->overload;
    double time,
        apart = (o->phases - 1.) * TILE_JOIN_PRODUCTS + moved_bytes(it) / BAND_PRODUCT_BYTES;
    int64_t widest = 1, rows = ufc_tile_size(&o->phase[0], kind, 0), first = 0, columns = 0;
    int64_t room =
        kind == UFC_KERNEL_BAND_64 && gpu->shared < BAND_64_SHARED ? BAND_64_NEAR : BAND_NEAR;
    uint32_t shared = 0;
    struct tiled d = {.axis = -1};
    *together = 0;
    if (!o->kernel[kind])
        return false;
    for (uint32_t i = 0; i < o->phases; i++)
        shared |= o->phase[i].shared;
    int level = row_level(o, shared == 0);
    for (uint32_t i = 0; i < o->phases; i++) {
        const struct ufc_phase *p = &o->phase[i];
        if (p->rows.nterms == 0) {
            int64_t part = widest_part(it, i, level);
            widest = part > widest ? part : widest;
            continue;
        }
        if (!choose_tiles(it, i, gpu, s, &time) || !find_tiled(it, i, shared, &d) ||
            (shared && d.axis < 0))
            return false;
        apart += time;
        *together += band_time(o, kind, i, &d);
        widest = d.columns > widest ? d.columns : widest;
        columns = d.columns > columns ? d.columns : columns;
        first = first > 0 ? first : d.columns * p->result;
    }
    int64_t bands = rounded_up(d.rows, rows);
    if (first * rows > room)
        *together += moved_bytes(it) / BAND_CACHED_BYTES;
    if (*together > apart || bands * d.calls > INT32_MAX / BLOCK_THREADS)
        return false;
    *s = (struct spread){.kind = kind,
                         .group = 1,
                         .blocks = (uint32_t)(bands * d.batch),
                         .windows = lanes_of(widest),
                         .rows = d.axis >= 0 ? (uint32_t)d.rows : 0,
                         .axis = d.axis};
    if (kind == UFC_KERNEL_BAND_64 && columns <= ufc_tile_size(&o->phase[0], kind, 1))
        s->threads = ufc_tile_threads(kind); /* two teams would share each tile */
    s->inputs = keep_near(it, d.axis, level, rows, room, &s->shared);
    return true;
}

bool choose_band(const struct iteration *it, const struct gpu_model *gpu, struct spread *s) {
    struct spread large;
    double time[2];
    bool any = choose_kind(it, gpu, UFC_KERNEL_BAND, s, &time[0]);
    if (choose_kind(it, gpu, UFC_KERNEL_BAND_64, &large, &time[1]) && (!any || time[1] < time[0])) {
        *s = large;
        any = true;
    }
    return any;
}
