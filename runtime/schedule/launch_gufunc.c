/* launch_gufunc.c: a gufunc's iteration as kernel launches, the same for every device that runs
 * kernels: which kernel, and its parameter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "image_deal.h"
#include "intermediates.h"
#include "memo.h"
#include "model.h"
#include "spread.h"
struct gufunc_walk {
    struct launcher *l;
    const struct iteration *it;
    struct spread spread;
    uint32_t phase;              /* TILE, PREFIX */
    const int64_t *row_stride;   /* by operand: bytes from row to row, where rows are calls */
    uint64_t workspace;          /* device address of the parts' accs; 0: none */
    uint64_t room;               /* SWEEP: its bytes */
    struct call_results results; /* TILE, PREFIX; strides along the axes of *it */
    int64_t row_result;          /* from row to row, where rows are calls */
};

/* Threads of a block: fewer where calls, a thread each, would leave multiprocessors idle. */
static int64_t block_size(const struct gufunc_walk *w) {
    int64_t block = w->spread.threads ? w->spread.threads : w->it->overload->block[w->spread.kind];
    int64_t blocks = for_gpu(CALL_BLOCKS, w->l->ctx->gpu.multiprocessors);
    if (kernel_info[w->spread.kind].sharing == UFC_BY_THREAD)
        while (block > CALL_MIN_BLOCK && w->it->total * w->spread.group < block * blocks)
            block /= 2;
    return block;
}

/* The calls that one launch can compute: it has fewer than 2^31 threads, or blocks, that have a
 * call. */
static int64_t max_calls(const struct gufunc_walk *w) {
    enum ufc_sharing by = kernel_info[w->spread.kind].sharing;
    struct ufc_kparam_gufunc gufunc = {.group = w->spread.group,
                                       .blocks = w->spread.blocks * parts_of(&w->spread),
                                       .across = w->spread.windows};
    int64_t block = block_size(w);
    if (w->spread.kind == UFC_KERNEL_PREFIX || w->spread.kind == UFC_KERNEL_STRIP ||
        w->spread.kind == UFC_KERNEL_CLUSTER || w->spread.kind == UFC_KERNEL_HALO)
        return INT32_MAX / w->spread.blocks;
    if (ufc_is_joint(w->spread.kind))
        return INT32_MAX;
    if (w->spread.kind == UFC_KERNEL_DEAL && w->spread.blocks == 1)
        return deal_calls(&w->it->overload->phase[w->phase], w->it, &w->spread);
    if (by == UFC_BY_BLOCK)
        return shares_blocks(&w->spread) ? w->l->ctx->gpu.together / gufunc.blocks : INT32_MAX;
    return INT32_MAX / ufc_call_threads(w->spread.kind, &gufunc, block);
}

/* Sets the axes of a tile that are longer than one, and the operands along them. */
static void set_loop(struct ufc_kparam_gufunc *gufunc, struct ufc_kparam_operand *op,
                     const struct gufunc_walk *w, const int64_t *start, const int64_t *extent) {
    const struct iteration *it = w->it;
    int n = it->nin + it->nout;
    int64_t size[UFC_MAX_AXES];
    memset(op, 0, (size_t)n * sizeof *op);
    gufunc->naxes = 0;
    for (int k = 0; k < n; k++) {
        op[k].ptr = (uintptr_t)it->data[k];
        memcpy(op[k].value, it->value[k], sizeof op[k].value);
    }
    for (int axis = 0; axis < it->naxes; axis++) {
        for (int k = 0; k < n; k++) {
            if (!it->data[k])
                continue;
            op[k].ptr += (uint64_t)(start[axis] * it->stride[k][axis]);
            if (extent[axis] > 1)
                op[k].stride[gufunc->naxes] = it->stride[k][axis];
        }
        gufunc->results += (uint64_t)(start[axis] * w->results.stride[axis]);
        if (extent[axis] > 1) {
            gufunc->result[gufunc->naxes] = w->results.stride[axis];
            size[gufunc->naxes++] = extent[axis];
        }
    }
    set_kernel_axes(&gufunc->axes, (int)gufunc->naxes, size);
}

/* Launches the kernel for one tile. */
static ufc_status launch_tile(const struct gufunc_walk *w, const int64_t *start,
                              const int64_t *extent, int64_t calls, ufc_error *err) {
    const struct iteration *it = w->it;
    _Alignas(16) unsigned char packed[UFC_MAX_PARAMETER];
    struct ufc_kparam_operand op[UFC_MAX_OPERANDS];
    struct ufc_kparam_gufunc gufunc = {.calls = calls,
                                       .group = w->spread.group,
                                       .phase = w->phase,
                                       .parts = parts_of(&w->spread),
                                       .inputs = w->spread.inputs,
                                       .rows = w->spread.rows,
                                       .across = w->spread.windows,
                                       .bins = w->spread.bins,
                                       .words = w->spread.words,
                                       .columns = w->spread.columns,
                                       .own = {w->spread.own[0], w->spread.own[1]},
                                       .halo = {w->spread.halo[0], w->spread.halo[1]},
                                       .workspace = w->workspace,
                                       .room = w->room,
                                       .results = w->results.first,
                                       .step = w->results.step,
                                       .fault = w->l->fault};
    size_t n = (size_t)it->nin + (size_t)it->nout, ndims = it->ufunc->core->ndims;
    size_t ranks = (size_t)it->core->naxes;
    const struct ufc_gufunc_offsets at = ufc_gufunc_offsets(n, ndims, ranks);
    struct kernel_launch launch = {
        .kind = w->spread.kind, .block = (unsigned)block_size(w), .param = packed, .size = at.nest};
    launch.planned = it->planned;
    launch.shared = w->spread.shared;
    if (launch.kind == UFC_KERNEL_MATRIX_128)
        launch.shared = UFC_MATRIX_SHARED;
    launch.together = shares_blocks(&w->spread);
    launch.cluster = w->spread.kind == UFC_KERNEL_CLUSTER ? w->spread.blocks : 0;
    set_loop(&gufunc, op, w, start, extent);
    for (size_t k = 0; w->spread.rows && k < n; k++)
        op[k].stride[UFC_MAX_AXES - 1] = w->row_stride[k];
    if (w->spread.rows)
        gufunc.result[UFC_MAX_AXES - 1] = w->row_result;
    memcpy(packed + at.operand, op, n * sizeof *op);
    memcpy(packed + at.dimension, it->core->size, ndims * sizeof *it->core->size);
    memcpy(packed + at.stride, it->core->stride, ranks * sizeof *it->core->stride);
    ufc_status status = UFC_OK;
    do {
        gufunc.blocks = w->spread.blocks * ufc_tile_units(&gufunc);
        launch.blocks = (unsigned)ufc_gufunc_blocks(launch.kind, &gufunc, launch.block);
        memcpy(packed, &gufunc, sizeof gufunc);
        struct ufc_constants *known = gufunc_constants(it, &launch);
        launch.known = known;
        status = w->l->launch(w->l->arg, &launch, err);
        free(known);
        gufunc.apart = gufunc.apart > 0 ? gufunc.apart * ufc_tile_joined(&gufunc) : 1;
    } while (status == UFC_OK && gufunc.apart < gufunc.parts);
    return status;
}

/* Bytes of a workspace that is 0 at first, by which the blocks of so many calls wait for one
 * another. */
static size_t counted_bytes(const struct gufunc_walk *w, int64_t calls) {
    const struct ufc_overload *o = w->it->overload;
    size_t blocks = w->spread.blocks;
    if (w->spread.kind == UFC_KERNEL_PREFIX)
        return (size_t)calls * (size_t)ufc_scan_entries(w->spread.blocks) *
               o->phase[w->phase].entry;
    if (w->spread.kind == UFC_KERNEL_STRIP)
        return (size_t)calls * (size_t)ufc_strip_entries(w->spread.blocks) *
               o->phase[w->phase].entry;
    if (w->spread.kind == UFC_KERNEL_JOINT)
        return (size_t)2 * w->spread.group * blocks * o->entry;
    if (w->spread.kind == UFC_KERNEL_COLUMNS)
        return blocks > 1 ? (size_t)2 * w->spread.group * blocks * w->spread.windows * o->entry : 0;
    if (w->spread.kind == UFC_KERNEL_FOLLOW)
        return blocks > 1 ? (size_t)ufc_follow_bytes(calls, w->spread.blocks, o->entry) : 0;
    if (w->spread.kind == UFC_KERNEL_DEAL)
        return (size_t)ufc_deal_counts(calls);
    int64_t portion = w->spread.kind == UFC_KERNEL_BLOCK ? o->portion : 0;
    return shares_blocks(&w->spread) ? (size_t)ufc_portion_bytes(calls, portion) : 0;
}

/* Bytes of the workspace of so many calls, beside those that are counted. */
static size_t other_bytes(const struct gufunc_walk *w, int64_t calls) {
    const struct ufc_phase *p = &w->it->overload->phase[w->phase];
    if (w->spread.kind == UFC_KERNEL_DEAL)
        return (size_t)(calls * deal_bytes(p, w->it, &w->spread) + ufc_deal_spare(p->deals));
    return 0;
}

static ufc_status launch_tiles(struct gufunc_walk *w, ufc_error *err) {
    int64_t tile[MAX_RANK], extent[MAX_RANK], start[MAX_RANK] = {0};
    struct launcher *l = w->l;
    void *workspace = NULL;
    ufc_status status = UFC_OK;
    choose_tile(w->it, max_calls(w), tile);
    int64_t most = tile_extent(w->it, tile, start, extent);
    size_t counts = counted_bytes(w, most);
    if (w->spread.parts > 1 || counts) {
        uint64_t parts = (uint64_t)w->spread.blocks * w->spread.parts;
        uint64_t each = parts * ufc_part_bytes(&w->it->overload->phase[w->phase], w->spread.kind);
        size_t size = counts ? counts + other_bytes(w, most) : (size_t)most * each;
        status = l->ctx->ops->alloc(l->ctx, l->stream, size, &workspace, err);
        w->workspace = (uintptr_t)workspace;
        w->room = w->spread.kind == UFC_KERNEL_DEAL ? size : w->room;
    }
    if (status != UFC_OK)
        return status;
    do {
        int64_t calls = tile_extent(w->it, tile, start, extent);
        if (counts)
            status = l->ctx->ops->clear(l->ctx, l->stream, workspace, counted_bytes(w, calls), err);
        if (status == UFC_OK)
            status = launch_tile(w, start, extent, calls, err);
    } while (status == UFC_OK && next_tile(w->it, tile, start));
    if (workspace)
        l->ctx->ops->free(l->ctx, l->stream, workspace);
    return status;
}

/* The launches of TILE where rows are the calls of an axis: those of the other axes. */
static ufc_status launch_rows(const struct gufunc_walk *walk, ufc_error *err) {
    struct iteration rest = *walk->it;
    struct gufunc_walk w = *walk;
    int64_t row_stride[UFC_MAX_OPERANDS] = {0};
    rest.total /= w.spread.rows;
    rest.naxes--;
    for (int k = 0; k < rest.nin + rest.nout; k++) {
        row_stride[k] = rest.data[k] ? rest.stride[k][w.spread.axis] : 0;
        for (int axis = w.spread.axis; axis < rest.naxes; axis++)
            rest.stride[k][axis] = rest.stride[k][axis + 1];
    }
    w.row_result = w.results.stride[w.spread.axis];
    for (int axis = w.spread.axis; axis < rest.naxes; axis++) {
        rest.size[axis] = rest.size[axis + 1];
        w.results.stride[axis] = w.results.stride[axis + 1];
    }
    w.it = &rest;
    w.row_stride = row_stride;
    return launch_tiles(&w, err);
}

bool launch_phase_tiles(struct launcher *l, const struct iteration *it, uint32_t phase,
                        const struct call_results *results, ufc_status *status, ufc_error *err) {
    struct gufunc_walk w = {.l = l, .it = it, .phase = phase, .results = *results};
    double time;
    bool tiles = choose_tiles(it, phase, &l->ctx->gpu, &w.spread, &time);
    if (tiles)
        *status = w.spread.rows ? launch_rows(&w, err) : launch_tiles(&w, err);
    return tiles;
}

static ufc_status launch_bands(struct launcher *l, const void *work, ufc_error *err) {
    struct gufunc_walk w = *(const struct gufunc_walk *)work;
    w.l = l;
    return w.spread.rows ? launch_rows(&w, err) : launch_tiles(&w, err);
}

bool launch_band(struct launcher *l, const struct iteration *it, const struct call_results *results,
                 launches_fn *phases, const void *work, ufc_status *status, ufc_error *err) {
    struct gufunc_walk w = {.l = l, .it = it, .results = *results};
    bool bands = choose_band(it, &l->ctx->gpu, &w.spread) &&
                 model_forecast(it, launch_bands, &w) <
                     FORECAST_BANDS * .01 * model_forecast(it, phases, work);
    if (bands)
        *status = launch_bands(l, &w, err);
    return bands;
}

bool launch_phase_scatter(struct launcher *l, const struct nest_phase *p,
                          const struct call_results *results, ufc_status *status, ufc_error *err) {
    struct gufunc_walk w = {.l = l, .it = p->it, .phase = p->number, .results = *results};
    int64_t none[MAX_RANK] = {0}, extent[MAX_RANK];
    struct spread s[UFC_SCATTER_PUTS];
    int n = choose_scatter(p, &l->ctx->gpu, s);
    *status = UFC_OK;
    for (int i = 0; i < n && *status == UFC_OK; i++) {
        w.spread = s[i];
        *status = launch_tile(&w, none, extent, tile_extent(p->it, p->it->size, none, extent), err);
    }
    return n > 0;
}

ufc_status launch_sweep_rows(struct launcher *l, const struct iteration *it, const struct sweep *s,
                             const struct call_results *results, uint64_t parts, ufc_error *err) {
    const struct gufunc_walk w = {.l = l,
                                  .it = it,
                                  .phase = s->first,
                                  .results = *results,
                                  .workspace = parts,
                                  .room = s->bytes,
                                  .spread = {.kind = s->kind,
                                             .group = s->group,
                                             .blocks = s->blocks,
                                             .threads = s->threads,
                                             .shared = s->shared}};
    int64_t none[MAX_RANK] = {0}, extent[MAX_RANK];
    return launch_tile(&w, none, extent, tile_extent(it, it->size, none, extent), err);
}

bool launch_phase_scan(struct launcher *l, const struct nest_phase *p,
                       const struct call_results *results, uint64_t parts, ufc_status *status,
                       ufc_error *err) {
    struct gufunc_walk w = {.l = l, .it = p->it, .phase = p->number, .results = *results};
    w.room = parts > 0 ? parts - results->first : 0;
    if (p->scanned == 0)
        return false;
    w.spread = spread_tiles(p->it->overload, p->number, p->scanned);
    *status = launch_tiles(&w, err);
    return true;
}

bool launch_phase_deal(struct launcher *l, const struct nest_phase *p,
                       const struct call_results *results, ufc_status *status, ufc_error *err) {
    struct gufunc_walk w = {.l = l, .it = p->it, .phase = p->number, .results = *results};
    if (p->phase->deals == 0)
        return false;
    if (choose_deal(p, &l->ctx->gpu, &w.spread))
        *status = launch_tiles(&w, err);
    else
        *status = fail(err, UFC_EDEVICE, "a block of the GPU has too little shared memory");
    return true;
}

/* How a call is computed; nest: planned, where the spread is NEST. */
struct choice {
    const struct iteration *it;
    const struct nest *nest;
    struct spread spread;
};

static ufc_status launch_choice(struct launcher *l, const void *work, ufc_error *err) {
    const struct choice *c = work;
    struct gufunc_walk w = {.l = l, .it = c->it, .spread = c->spread};
    if (c->spread.kind == UFC_KERNEL_NEST)
        return launch_nest(l, c->nest, err);
    return c->spread.rows ? launch_rows(&w, err) : launch_tiles(&w, err);
}

/* The operations of the kind that there are most of. */
static double most_work(const struct iteration *it) {
    double work[UFC_WORK_COUNT], most = 0;
    model_work(it, work);
    for (int k = 0; k < UFC_WORK_COUNT; k++)
        most = work[k] > most ? work[k] : most;
    return most;
}

/* Has NEST, which can compute the call, do so where it is faster than the threads that were chosen.
 * It is asked where there is much to compute, or few threads compute it: forecasts take 2 us. */
static void prefer_nest(struct choice *c) {
    const struct ufc_overload *o = c->it->overload;
    bool divides = c->spread.kind == UFC_KERNEL_WARP || c->spread.kind == UFC_KERNEL_BLOCK;
    int64_t least = c->it->total < NEST_MAX_CALLS ? FORECAST_WORK_FEW : FORECAST_WORK;
    if (!divides || o->held)
        return;
    struct choice other = {c->it, c->nest, {.kind = UFC_KERNEL_NEST, .group = 1, .blocks = 1}};
    if (most_work(c->it) >= (double)least &&
        model_forecast(c->it, launch_choice, &other) <
            FORECAST_GAIN * .01 * model_forecast(c->it, launch_choice, c))
        *c = other;
}

/* Has blocks keep the elements of neighbouring calls where that is faster than what was chosen, on
 * the GPU that forecasts are for, if this one has room for them. */
static void prefer_columns(struct choice *c, const struct gpu_model *gpu, int64_t width) {
    struct choice other = *c;
    struct gpu_model reference;
    if (width <= 0 || c->it->total < COLUMNS_ELEMS / width)
        return;
    model_reference(&reference);
    if (choose_columns(c->it, &reference, width, &other.spread) &&
        model_forecast(c->it, launch_choice, &other) <
            FORECAST_COLUMNS * .01 * model_forecast(c->it, launch_choice, c) &&
        choose_columns(c->it, gpu, width, &other.spread))
        *c = other;
}

/* Has NEST, with DEAL, compute a call that updates bins where that is faster than threads that have
 * calls each. */
static void prefer_deals(struct choice *c) {
    struct choice other = {c->it, c->nest, {.kind = UFC_KERNEL_NEST, .group = 1, .blocks = 1}};
    int64_t dealt = 0;
    for (uint32_t i = 0; i < c->nest->nphases; i++)
        dealt += c->nest->phase[i].dealt;
    if (dealt >= DEAL_WORTH / c->it->total && c->spread.kind != UFC_KERNEL_NEST &&
        model_forecast(c->it, launch_choice, &other) < model_forecast(c->it, launch_choice, c))
        *c = other;
}

/* Has blocks of several calls compute series, of which neighbouring threads have neighbours where
 * terms are nearer so, or if these have loops, which read what calls share, where that is faster.
 */
static bool choose_several(struct choice *c, const struct gpu_model *gpu) {
    struct choice other = *c;
    bool across = series_lie_across(c->it);
    bool may = choose_series_calls(c->it, gpu, across, &c->spread);
    if (across || !have_terms_loops(c->it->overload) ||
        !choose_series_calls(c->it, gpu, true, &other.spread))
        return may;
    if (!may ||
        model_forecast(c->it, launch_choice, &other) < model_forecast(c->it, launch_choice, c))
        *c = other;
    return true;
}

/* Has blocks compute series where that is faster than what was chosen, a call each or several. */
static void prefer_series(struct choice *c, const struct gpu_model *gpu) {
    struct choice one = *c, several = *c;
    bool may_one = c->it->total <= SERIES_CALLS && choose_series(c->it, gpu, &one.spread);
    if (most_work(c->it) < SERIES_WORK)
        return;
    bool may_several = choose_several(&several, gpu);
    if (!may_one && !may_several)
        return;
    double best = model_forecast(c->it, launch_choice, c);
    double alone = may_one ? model_forecast(c->it, launch_choice, &one) : best;
    if (alone < best) {
        *c = one;
        best = alone;
    }
    if (may_several &&
        model_forecast(c->it, launch_choice, &several) < FORECAST_SERIES * .01 * best)
        *c = several;
}

/* Has threads keep in shared memory what loops pass over, where that is faster than copying rows
 * for each loop that can. */
static void prefer_passes(struct choice *c, const struct gpu_model *gpu) {
    struct choice other = *c;
    bool alone = c->spread.kind == UFC_KERNEL_THREAD || c->spread.kind == UFC_KERNEL_HELPED;
    if (alone && choose_passes(c->it, &other.spread) &&
        (int64_t)other.spread.shared <= gpu->shared &&
        model_forecast(c->it, launch_choice, &other) < model_forecast(c->it, launch_choice, c))
        *c = other;
}

static ufc_status launches(struct launcher *l, const void *work, ufc_error *err) {
    const struct iteration *it = work;
    struct nest nest;
    bool nests;
    int64_t width = gufunc_width(it, &nest, &nests);
    bool deals = it->overload->kernel[UFC_KERNEL_DEAL], definitions = nests && !deals;
    if (nests && it->overload->steps.count.nterms > 0)
        return launch_nest(l, &nest, err);
    struct choice c = {it, &nest,
                       choose_spread(it, &l->ctx->gpu, width, definitions ? &nest : NULL)};
    if (it->ufunc->nintermediates > 0 && holds_arrays(it)) /* others have no memory for them */
        return launch_choice(l, &c, err);
    bool steps = has_order(it->overload) && !scans_in_phases(it->overload);
    if (definitions && !steps)
        prefer_nest(&c);
    prefer_columns(&c, &l->ctx->gpu, width);
    share_steps(it, &l->ctx->gpu, &c.spread);
    if (definitions && steps)
        prefer_nest(&c);
    if (c.spread.kind == UFC_KERNEL_THREAD)
        choose_of_threads(it, &l->ctx->gpu, &c.spread);
    prefer_passes(&c, &l->ctx->gpu);
    prefer_series(&c, &l->ctx->gpu);
    if (nests && deals)
        prefer_deals(&c);
    if (!it->overload->kernel[c.spread.kind] || (c.spread.kind == UFC_KERNEL_NEST && !nests))
        return fail(err, UFC_EDEVICE,
                    "%s was built without code for GPUs: build with --target=host,cuda",
                    it->overload->signature);
    return launch_choice(l, &c, err);
}

ufc_status launch_gufunc(struct launcher *l, const struct iteration *it, ufc_error *err) {
    ufc_status status;
    if (replay_gufunc(l, it, launches, &status, err))
        return status;
    return launch_checked(l, it->overload, it->ufunc, &it->place, launches, it, err);
}

struct script *script_new_of(ufc_context *ctx, const struct iteration *it) {
    return note_script(ctx, it, launches);
}

/* The accesses of the kind that there are most of: loops may do nothing else. */
static double most_accesses(const struct iteration *it) {
    double most = 0;
    for (uint32_t i = 0; i < it->overload->naccesses; i++) {
        double n = model_points(it, it->overload->accesses[i].loops) * (double)it->total;
        most = n > most ? n : most;
    }
    return most;
}

bool worth_forecast(const struct iteration *it) {
    double work = most_work(it), accesses = most_accesses(it), calls = (double)it->total;
    double most = work > accesses ? work : accesses;
    bool waits = has_order(it->overload) && it->total < NEST_MAX_CALLS;
    return most >= FORECAST_WORK_FEW || (waits && most >= FORECAST_WORK_ORDERED * calls);
}

double forecast_gufunc(const struct iteration *it) {
    return model_forecast(it, launches, it);
}

bool may_launch_gufunc(const struct iteration *it, const struct gpu_model *gpu) {
    return model_may_launch(gpu, launches, it);
}

void explain_gufunc(const struct iteration *it, char *why, size_t size) {
    struct nest nest;
    bool nests;
    long long calls = (long long)it->total, width = (long long)gufunc_width(it, &nest, &nests);
    snprintf(why, size, "%lld call%s %lld element%s%s to share out", calls,
             calls == 1 ? " has" : "s have", width, width == 1 ? "" : "s",
             calls == 1 ? "" : " each");
}
