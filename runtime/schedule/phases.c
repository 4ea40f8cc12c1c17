/* phases.c: the launches of a call's phases: each by the kernel that is for it, or several together
 * in a sweep over rows. */
#include <string.h>

#include "model.h"
#include "spread.h"

/* What forecasts have chosen for phases, by their numbers: once, however many steps repeat them. */
struct choices {
    enum { NOT_KNOWN, YES, NO } sweeps[UFC_MAX_PHASES], tiled[UFC_MAX_PHASES];
    struct sweep sweep[UFC_MAX_PHASES]; /* which begins there */
};

/* The launches of all phases, one after the other, and what they have in memory. */
struct phases {
    const struct nest *nest;
    struct choices *choices;
    struct call_results results;
    uint64_t parts;
    size_t room;
};

/* ---- sweeps */

/* The launch that joins what the blocks of a sweep have of a phase: its points in C order, those of
 * the first call first. */
static struct nest_phase joining_phase(const struct nest_phase *p, uint32_t blocks) {
    struct nest_phase own = {.it = p->it,
                             .number = p->number,
                             .phase = p->phase,
                             .points = p->points,
                             .walked = -1,
                             .steps = 1,
                             .apart = 1,
                             .parts = 1,
                             .block_points = BLOCK_THREADS,
                             .blocks = blocks,
                             .joins = true};
    for (int range = (int)p->phase->ranges - 1; range >= 0; range--)
        for (int i = 0; i < p->n; i++)
            if (p->index[i].range == range)
                own.index[own.n++] = p->index[i];
    for (int axis = 0; axis < p->it->naxes; axis++)
        for (int i = 0; i < p->n; i++)
            if (p->index[i].in.axis == axis)
                own.index[own.n++] = p->index[i];
    for (int i = 0; i < own.n; i++)
        own.index[i].steps = own.index[i].position = 1;
    return own;
}

/* A sweep, and where parts are. */
struct sweeping {
    const struct phases *phases;
    struct sweep sweep;
};

static ufc_status launch_sweep(struct launcher *l, const void *work, ufc_error *err) {
    const struct sweeping *x = work;
    const struct phases *w = x->phases;
    const struct sweep *s = &x->sweep;
    uint64_t parts = w->parts;
    ufc_status status =
        launch_sweep_rows(l, w->nest->phase[0].it, s, &w->results, s->bytes > 0 ? parts : 0, err);
    for (uint32_t i = s->first; i < s->end && s->blocks > 1 && status == UFC_OK; i++) {
        const struct nest_phase *p = &w->nest->phase[i];
        if (p->phase->cells == 0)
            continue;
        struct nest_phase joining = joining_phase(p, s->blocks);
        status = launch_phase(l, &joining, &w->results, parts, w->room, err);
        parts += (uint64_t)p->points * s->blocks * p->phase->bytes;
    }
    return status;
}

/* Does the launch of a scan leave parts of the next phase's reduction? */
static bool has_tail(const struct nest_phase *p) {
    return p->phase->tail > 0 && p->scanned > 0;
}

/* The launch that joins those of `scan`. */
static struct nest_phase tail_phase(const struct nest_phase *p, const struct nest_phase *scan) {
    struct spread tiles = spread_tiles(p->it->overload, scan->number, scan->scanned);
    return joining_phase(p, tiles.blocks);
}

/* Bytes of the partial results of all phases' blocks, at most. */
static size_t parts_size(const struct nest *nest, const struct gpu_model *gpu) {
    size_t most = 0;
    for (uint32_t i = 0; i < nest->nphases; i++) {
        const struct nest_phase *p = &nest->phase[i];
        size_t each = points_at_once(p);
        size_t size = (size_t)numbered(p) * each * p->blocks * p->phase->bytes;
        if (p->blocks > 1 && size > most)
            most = size;
        if (has_tail(p)) {
            struct nest_phase joining = tail_phase(&nest->phase[i + 1], p);
            size = (size_t)p->it->total * joining.blocks * joining.phase->bytes;
            most = size > most ? size : most;
        }
        struct sweep s;
        if (p->phase->sweep > 0 && find_sweep(nest, gpu, i, &s) && s.bytes > most)
            most = s.bytes;
    }
    return most;
}

/* ---- tiles, or threads that have results each */

/* A phase that both can compute. */
struct tiled_phase {
    const struct phases *phases;
    uint32_t phase;
};

static ufc_status launch_in_tiles(struct launcher *l, const void *work, ufc_error *err) {
    const struct tiled_phase *x = work;
    const struct phases *w = x->phases;
    ufc_status status = UFC_OK;
    bool tiles = launch_phase_tiles(l, w->nest->phase[0].it, x->phase, &w->results, &status, err);
    return tiles ? status : UFC_EDEVICE;
}

static ufc_status launch_by_threads(struct launcher *l, const void *work, ufc_error *err) {
    const struct tiled_phase *x = work;
    const struct phases *w = x->phases;
    return launch_phase(l, &w->nest->phase[x->phase], &w->results, w->parts, w->room, err);
}

int tiles_percent(const struct iteration *it, uint32_t phase) {
    const struct ufc_phase *p = &it->overload->phase[phase];
    struct tiled d;
    if (p->in_order)
        return FORECAST_TERMS;
    if (p->skew || !find_tiled(it, phase, p->shared, &d))
        return 0;
    if (d.rows < TILE_SIDE || d.columns < TILE_SIDE)
        return FORECAST_EMPTY;
    double products = (double)d.calls * (double)d.rows * (double)d.columns * (double)d.depth;
    bool brief = d.depth < TILE_PART && products < TILE_MIN_PRODUCTS && !runs_across(it);
    return brief ? FORECAST_BRIEF : 0;
}

/* May tiles compute a phase?  A thread of theirs has several results.  Of few whose terms are in
 * order, which nothing else shares, each is sooner done by a thread of its own; where they are few
 * along a side, tiles compute others that there are not; and for a few short reductions their long
 * code begins late. */
static bool find_tiled_phase(const struct phases *w, uint32_t phase) {
    const struct iteration *it = w->nest->phase[0].it;
    const struct tiled_phase x = {w, phase};
    int percent = tiles_percent(it, phase);
    if (percent == 0)
        return true;
    double most = model_forecast(it, launch_by_threads, &x) * .01 * percent;
    return model_forecast(it, launch_in_tiles, &x) < most;
}

static bool may_be_tiled(const struct phases *w, uint32_t phase) {
    if (w->choices->tiled[phase] == NOT_KNOWN)
        w->choices->tiled[phase] = find_tiled_phase(w, phase) ? YES : NO;
    return w->choices->tiled[phase] == YES;
}

/* The launches of the phases that no sweep is chosen for, one after the other. */
static ufc_status launch_apart(struct launcher *l, const void *work, ufc_error *err) {
    const struct sweeping *x = work;
    const struct phases *w = x->phases;
    const struct iteration *it = w->nest->phase[0].it;
    ufc_status status = UFC_OK;
    for (uint32_t i = x->sweep.first; i < x->sweep.end && status == UFC_OK; i++) {
        const struct nest_phase *p = &w->nest->phase[i];
        if (has_tail(p) && i + 1 < x->sweep.end) {
            struct nest_phase joining = tail_phase(&w->nest->phase[++i], p);
            launch_phase_scan(l, p, &w->results, w->parts, &status, err);
            if (status == UFC_OK)
                status = launch_phase(l, &joining, &w->results, w->parts, w->room, err);
            continue;
        }
        if (!launch_phase_scatter(l, p, &w->results, &status, err) &&
            !(may_be_tiled(w, i) && launch_phase_tiles(l, it, i, &w->results, &status, err)) &&
            !launch_phase_scan(l, p, &w->results, 0, &status, err) &&
            !launch_phase_deal(l, p, &w->results, &status, err))
            status = launch_phase(l, p, &w->results, w->parts, w->room, err);
    }
    return status;
}

/* Is a sweep chosen that begins at a phase?  *x: it, or else the phase alone. */
static bool choose_sweep(const struct launcher *l, const struct phases *w, uint32_t first,
                         struct sweeping *x) {
    struct choices *c = w->choices;
    const struct iteration *it = w->nest->phase[0].it;
    *x = (struct sweeping){.phases = w, .sweep = c->sweep[first]};
    if (c->sweeps[first] != NOT_KNOWN)
        return c->sweeps[first] == YES;
    bool sweeps = find_sweep(w->nest, &l->ctx->gpu, first, &x->sweep) &&
                  model_forecast(it, launch_sweep, x) <
                      FORECAST_SWEEP * .01 * model_forecast(it, launch_apart, x);
    if (!sweeps)
        x->sweep.first = first, x->sweep.end = first + 1 + has_tail(&w->nest->phase[first]);
    c->sweeps[first] = sweeps ? YES : NO;
    c->sweep[first] = x->sweep;
    return sweeps;
}

/* The launches of the phases from one on, up to `end`. */
static ufc_status launch_some(struct launcher *l, const struct phases *w, uint32_t first,
                              uint32_t end, ufc_error *err) {
    ufc_status status = UFC_OK;
    struct sweeping x;
    for (uint32_t i = first; i < end && status == UFC_OK; i = x.sweep.end)
        status = (choose_sweep(l, w, i, &x) ? launch_sweep : launch_apart)(l, &x, err);
    return status;
}

/* The launches of so many steps; w: becomes what it is for the last one. */
static ufc_status launch_steps(struct launcher *l, struct phases *w, int64_t steps,
                               ufc_error *err) {
    const struct ufc_steps *s = &w->nest->phase[0].it->overload->steps;
    int64_t launched = l->times && steps > 0 ? 1 : steps;
    ufc_status status = UFC_OK;
    if (l->times)
        *l->times = steps;
    for (int64_t i = 0; i < launched && status == UFC_OK; i++) {
        w->results.step = i;
        status = launch_some(l, w, s->first, s->end, err);
    }
    if (l->times)
        *l->times = 1;
    return status;
}

static ufc_status launch_phases(struct launcher *l, const void *work, ufc_error *err) {
    struct phases w = *(const struct phases *)work;
    struct choices choices = {.sweeps = {NOT_KNOWN}};
    const struct iteration *it = w.nest->phase[0].it;
    const struct ufc_steps *s = &it->overload->steps;
    int64_t steps;
    w.choices = &choices;
    if (s->count.nterms == 0)
        return launch_some(l, &w, 0, w.nest->nphases, err);
    if (!compute_size(&s->count, it->core->size, &steps))
        return fail(err, UFC_EINVAL, "a loop has too many steps");
    ufc_status status = launch_some(l, &w, 0, s->first, err);
    if (status == UFC_OK)
        status = launch_steps(l, &w, steps, err);
    return status == UFC_OK ? launch_some(l, &w, s->end, w.nest->nphases, err) : status;
}

ufc_status launch_nest(struct launcher *l, const struct nest *nest, ufc_error *err) {
    const struct iteration *it = nest->phase[0].it;
    void *workspace = NULL;
    struct phases w = {.nest = nest};
    size_t bytes = nest->nphases > 1 ? (size_t)it->total * it->overload->partial : 0;
    bytes = (bytes + 15) & ~(size_t)15;
    size_t size = bytes + parts_size(nest, &l->ctx->gpu);
    ufc_status status = UFC_OK;
    if (size > 0)
        status = l->ctx->ops->alloc(l->ctx, l->stream, size, &workspace, err);
    w.results.first = (uintptr_t)workspace;
    w.parts = w.results.first + bytes;
    w.room = size;
    for (int64_t axis = 0, stride = it->overload->partial; axis < it->naxes;
         stride *= it->size[axis++])
        w.results.stride[axis] = stride;
    if (status == UFC_OK && !launch_band(l, it, &w.results, launch_phases, &w, &status, err))
        status = launch_phases(l, &w, err);
    if (workspace)
        l->ctx->ops->free(l->ctx, l->stream, workspace);
    return status;
}
