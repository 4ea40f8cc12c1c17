/* explain.c: how a call would go: what launch.c and launch_core.c would launch is recorded. */
#include <stdio.h>
#include <string.h>

#include "rt.h"

struct telling {
    ufc_context *ctx;
    const struct iteration *it;
    ufc_plan_description *d;
    struct kernel_facts facts;
};

/* The threads that share a core call. */
static int64_t call_threads(const struct kernel_launch *launch) {
    const struct ufc_kparam_core *core = launch->param;
    switch (launch->kind) {
    case UFC_KERNEL_WARP: return core->group;
    case UFC_KERNEL_BLOCK: return launch->block;
    case UFC_KERNEL_GRID: return (int64_t)core->blocks * launch->block;
    case UFC_KERNEL_COLUMN: return (int64_t)core->blocks * launch->block / UFC_COLUMNS;
    case UFC_KERNEL_TILE_16:
    case UFC_KERNEL_TILE_32:
    case UFC_KERNEL_TILE_64: return (int64_t)core->blocks * ufc_tile_threads(launch->kind);
    case UFC_KERNEL_WINDOW: return (int64_t)core->blocks * launch->block;
    default: return 1;
    }
}

static void record_core(struct telling *t, const struct kernel_launch *launch) {
    const struct ufc_kparam_core *core = launch->param;
    t->d->call_threads = call_threads(launch);
    if (launch->kind == UFC_KERNEL_TILE_16 && core->group == UFC_BESIDE)
        t->d->kernel = "tile 16 across";
    if (core->workspace)
        t->d->temporaries += core->calls * core->blocks * t->it->overload->partial;
}

static ufc_status record(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct telling *t = arg;
    ufc_plan_description *d = t->d;
    static const char *const names[] = {
        [UFC_KERNEL_VECTOR] = "vector",   [UFC_KERNEL_STRIDED] = "strided",
        [UFC_KERNEL_CAST] = "cast",       [UFC_KERNEL_ROWS] = "rows",
        [UFC_KERNEL_TURN] = "turn",       [UFC_KERNEL_THREAD] = "thread",
        [UFC_KERNEL_DENSE] = "dense",     [UFC_KERNEL_DENSE_2] = "dense",
        [UFC_KERNEL_DENSE_3] = "dense",   [UFC_KERNEL_DENSE_4] = "dense",
        [UFC_KERNEL_WARP] = "warp",       [UFC_KERNEL_BLOCK] = "block",
        [UFC_KERNEL_GRID] = "grid",       [UFC_KERNEL_COLUMN] = "column",
        [UFC_KERNEL_TILE_16] = "tile 16", [UFC_KERNEL_TILE_32] = "tile 32",
        [UFC_KERNEL_TILE_64] = "tile 64", [UFC_KERNEL_WINDOW] = "window"};
    if (d->launches++ > 0)
        return UFC_OK;
    d->kernel = names[launch->kind];
    d->blocks = launch->blocks;
    d->threads = launch->block;
    if (launch->kind == UFC_KERNEL_VECTOR || launch->kind == UFC_KERNEL_ROWS)
        d->width = (int)t->it->overload->vector_width;
    else if (!t->it->core)
        d->width = 1;
    else
        record_core(t, launch);
    const struct device_ops *ops = t->ctx->ops;
    return ops->facts ? ops->facts(t->ctx, NULL, t->it->overload, launch, &t->facts, err) : UFC_OK;
}

/* Nothing runs that would need the memory. */
static ufc_status leave(struct launcher *l, void *dst, const void *src, size_t size,
                        ufc_error *err) {
    (void)l, (void)dst, (void)src, (void)size, (void)err;
    return UFC_OK;
}

/* Elements along a stride of 0 are one. */
static int64_t distinct_bytes(const struct iteration *it) {
    const uint8_t *dim = it->core ? it->ufunc->core->dim : NULL;
    const int64_t *stride = it->core ? it->core->stride : NULL;
    int64_t sum = 0;
    for (int k = 0; k < walked(it); k++) {
        int64_t bytes = dtype_info[it->dtype[k]].size;
        for (int axis = 0; axis < it->naxes && it->data[k]; axis++)
            bytes *= it->stride[k][axis] ? it->size[axis] : 1;
        for (int i = 0; it->core && i < it->ufunc->core->rank[k]; i++, dim++, stride++)
            if (it->data[k]) /* not of an array without elements, whose sizes are any */
                bytes *= *stride ? it->core->size[*dim] : 1;
        sum += it->data[k] ? bytes : 0;
    }
    return sum;
}

/* "m = 3, n = 5" */
static void put_sizes(const struct iteration *it, char *text, size_t size) {
    const struct ufc_core *core = it->ufunc->core;
    size_t used = 0;
    for (uint32_t i = 0; i < core->ndims && used < size; i++)
        if (core->dims[i].size < 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s = %lld", used ? ", " : "",
                                     core->dims[i].name, (long long)it->core->size[i]);
}

void describe_nothing(ufc_plan_description *d) {
    memset(d, 0, sizeof *d);
    d->kernel = "none";
}

ufc_status describe_iteration(ufc_context *ctx, const struct iteration *it,
                              const char *const *names, ufc_plan_description *d, ufc_error *err) {
    struct telling t = {.ctx = ctx, .it = it, .d = d};
    struct launcher l = {.ctx = ctx, .launch = record, .put = leave, .get = leave, .arg = &t};
    ufc_status status;
    d->signature = it->overload->signature;
    d->ndim = it->naxes;
    for (int axis = 0; axis < it->naxes; axis++)
        d->shape[it->naxes - 1 - axis] = it->size[axis];
    if (it->core)
        put_sizes(it, d->core, sizeof d->core);
    d->bytes = distinct_bytes(it);
    d->kernel = "host";
    if (ctx->ops == &device_cpu)
        return UFC_OK;
    if (it->core) {
        status = launch_core(&l, it, err);
        explain_core(it, d->why, sizeof d->why);
    } else {
        status = launch_iteration(&l, it, err);
        explain_launch(it, names, d->why, sizeof d->why);
    }
    d->registers = t.facts.registers;
    d->occupancy = t.facts.occupancy;
    const double launch_seconds = 2e-6; /* what a launch takes of the GPU, at least */
    double seconds = t.facts.rate > 0 ? (double)d->bytes / t.facts.rate : 0;
    if (seconds > 0)
        d->bytes_per_second =
            (double)d->bytes / (seconds > launch_seconds ? seconds : launch_seconds);
    return status;
}

static ufc_status explain_scalars(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                                  const ufc_arg *in, const ufc_out *out,
                                  const ufc_keywords *keywords, ufc_plan_description *d,
                                  ufc_error *err) {
    ufc_plan *plan;
    ufc_status status = ufc_plan_new(&plan, ctx, stream, ufunc, in, out, keywords, err);
    if (status != UFC_OK)
        return status;
    status = ufc_plan_describe(plan, d, err);
    ufc_plan_free(plan);
    for (uint32_t k = 0; k < ufunc->nout; k++)
        if (!out[k].array) {
            free_array(stream, *out[k].result);
            *out[k].result = NULL;
        }
    return status;
}

ufc_status ufc_explain(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                       const ufc_out *out, const ufc_keywords *keywords, ufc_plan_description *d,
                       ufc_error *err) {
    ufc_status status = check_call(ufunc, in, out, keywords, err);
    if (status != UFC_OK)
        return status;
    if (!d)
        return fail(err, UFC_EINVAL, "description is NULL");
    describe_nothing(d);
    return ufunc->core ? core_call(ctx, stream, ufunc, in, out, keywords, d, err)
                       : explain_scalars(ctx, stream, ufunc, in, out, keywords, d, err);
}
