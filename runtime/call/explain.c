/* explain.c: describes how a call or a method would go.  The call is made in a recorder's context,
 * where memory is addresses that no array has and nothing is computed: what launch*.c would launch,
 * or the host would run, is described. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "schedule/model.h"
#include "recorder.h"
#include "schedule/statements.h"

/* A description to which launches are added, and what is known of them. */
struct record {
    ufc_context *ctx;
    const struct ufc_overload *overload;
    const struct iteration *it; /* NULL: the launches are a reduction's */
    ufc_plan_description *d;
    struct kernel_facts facts;
    struct body body;        /* of `it` */
    int64_t times;           /* that the next launches are made */
    double seconds, longest; /* predicted: all launches, and the one that takes longest */
    const char *by;          /* what that one is bound by */
    struct launched launched[UFC_MAX_PHASES]; /* of a gufunc */
};

void put_text(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

void describe_special(ufc_plan_description *d, const char *missing) {
    if (missing)
        snprintf(d->special, sizeof d->special, "%s%s",
                 *missing ? "the general one, since " : "one made for the call", missing);
}

static void record_gufunc(ufc_plan_description *d, const struct kernel_launch *launch) {
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    d->call_threads = ufc_call_threads(launch->kind, gufunc, launch->block);
    if (launch->kind == UFC_KERNEL_NEST)
        d->call_threads = (int64_t)launch->blocks * launch->block / gufunc->calls;
    if (launch->kind == UFC_KERNEL_TILE_16 && gufunc->group == UFC_INTERLEAVED)
        d->kernel = "tile 16 across";
}

/* Adds a launch of a reduction: "tree, 16 pieces of 4096", of each line. */
static void record_pass(ufc_plan_description *d, const struct kernel_launch *launch) {
    const struct ufc_kparam_fold *p = launch->param;
    if (launch->kind == UFC_KERNEL_SORT && p->job >= UFC_SORT_BLOCK) /* of keys that are made */
        return;
    put_text(d->passes, sizeof d->passes, "%s%s", *d->passes ? "; " : "",
             kernel_info[launch->kind].name);
    if (p->keys && launch->kind == UFC_KERNEL_AT && p->job != UFC_AT_KEYS)
        put_text(d->passes, sizeof d->passes, ", %lld %s", (long long)p->segments,
                 p->job == UFC_AT_ROWS ? "rows" : "pieces");
    else if (p->keys)
        put_text(d->passes, sizeof d->passes, ", %lld indices", (long long)p->length);
    else if (p->bounds)
        put_text(d->passes, sizeof d->passes, ", %lld segment%s", (long long)p->segments,
                 p->segments == 1 ? "" : "s");
    else if (p->segments > 1)
        put_text(d->passes, sizeof d->passes, ", %lld pieces of %lld", (long long)p->segments,
                 (long long)p->piece);
    else
        put_text(d->passes, sizeof d->passes, ", all %lld", (long long)p->length);
}

/* What is launched for the phase that a launch is of. */
static struct launched *note_launch(struct record *r, const struct kernel_launch *launch) {
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    const struct ufc_overload *o = r->overload;
    struct launched *l = &r->launched[by_phases(launch->kind) ? gufunc->phase : 0];
    int64_t width;
    for (uint32_t i = 1; ufc_is_sweep(launch->kind) && i < o->phase[gufunc->phase].sweep; i++)
        l[i] = (struct launched){.kind = launch->kind, .swept = true};
    bool first = l->launches == 0;
    l->launches += r->times < INT_MAX - l->launches ? (int)r->times : 0;
    if (first && !l->swept) {
        l->kind = launch->kind;
        l->inputs = gufunc->inputs != 0;
        l->across = l->kind == UFC_KERNEL_COLUMNS ? gufunc->across : 0;
        const struct ufc_kparam_nest *nest =
            l->kind == UFC_KERNEL_NEST ? ufc_nest_of(launch->param, launch->size) : NULL;
        if (nest != NULL && nest->neighbours)
            l->neighbours = o->phase[gufunc->phase].neighbours;
        if (nest != NULL)
            l->abreast = ufc_points_abreast(&o->phase[gufunc->phase], nest->abreast);
        l->held = compute_size(&o->width, r->it->core->size, &width) &&
                  width <= o->held * ufc_call_threads(launch->kind, gufunc, launch->block);
    }
    return l;
}

/* Predicts a launch; names it, where a call of a gufunc has several or the GPU is known. */
static void predict(struct record *r, const struct kernel_launch *launch, double occupancy,
                    struct launched *l) {
    ufc_plan_description *d = r->d;
    bool joins =
        launch->kind == UFC_KERNEL_NEST && ufc_nest_of(launch->param, launch->size)->joined > 0;
    const struct gpu_model *gpu = &r->ctx->gpu;
    if (gpu->copy_rate <= 0 || gpu->clock <= 0 || gpu->threads <= 0)
        return;
    struct prediction p = model_launch(gpu, &r->body, launch, occupancy);
    r->seconds += (double)r->times * p.seconds;
    if (p.seconds > r->longest) {
        r->longest = p.seconds;
        r->by = p.by;
    }
    if (l != NULL) {
        l->seconds += (double)r->times * p.seconds;
        l->by = p.seconds > l->longest ? p.by : l->by;
        l->longest = p.seconds > l->longest ? p.seconds : l->longest;
        put_text(d->passes, sizeof d->passes, "%s%s%s, %.1f us by %s", *d->passes ? "; " : "",
                 kernel_info[launch->kind].name, joins ? ", joining" : "", p.seconds * 1e6, p.by);
        if (r->times > 1)
            put_text(d->passes, sizeof d->passes, ", %lld times", (long long)r->times);
    }
}

static void record_first(struct record *r, const struct kernel_launch *launch) {
    ufc_plan_description *d = r->d;
    d->kernel = kernel_info[launch->kind].name;
    d->blocks = launch->blocks;
    d->threads = launch->block;
    if (!r->it)
        put_text(d->why, sizeof d->why, "%s", launch->why);
    else if (r->it->core)
        record_gufunc(d, launch);
    else
        d->width = kernel_info[launch->kind].sharing == UFC_BY_WIDE_THREAD
                       ? (int)r->overload->vector_width
                       : 1;
}

/* Gives what is known of the kernel of a launch; of the first one, where it is there, that of the
 * code made for the call. */
static ufc_status find_facts(struct record *r, const struct kernel_launch *launch,
                             struct kernel_facts *facts, ufc_error *err) {
    struct ufc_maker *maker = r->overload->maker;
    struct kernel_launch own = *launch;
    if (r->d->launches > r->times)
        own.known = NULL;
    if (own.known) {
        struct ufc_special special =
            maker->special(maker, &launch->kind, launch->known, !launch->planned);
        describe_special(r->d, special.missing ? special.missing : "");
        if (special.missing)
            own.known = NULL;
    }
    const struct device_ops *ops = r->ctx->ops;
    return ops->facts ? ops->facts(r->ctx, NULL, r->overload, &own, facts, err) : UFC_OK;
}

static ufc_status record(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct record *r = arg;
    struct kernel_facts facts = {0};
    bool first = r->d->launches == 0;
    r->d->launches += r->times < INT_MAX - r->d->launches ? (int)r->times : 0;
    ufc_status status = UFC_OK;
    if (!r->it)
        record_pass(r->d, launch);
    if (first)
        record_first(r, launch);
    if (first || r->it)
        status = find_facts(r, launch, &facts, err);
    if (first)
        r->facts = facts;
    if (r->it && status == UFC_OK)
        predict(r, launch, facts.occupancy, r->it->core ? note_launch(r, launch) : NULL);
    return status;
}

/* launcher.put and get of a recorder: nothing runs that would need the memory. */
static ufc_status leave(struct launcher *l, void *dst, const void *src, size_t size,
                        ufc_error *err) {
    (void)l, (void)dst, (void)src, (void)size, (void)err;
    return UFC_OK;
}

int64_t operand_bytes(const struct iteration *it, int k) {
    const uint8_t *dim = it->core ? it->ufunc->core->dim : NULL;
    const int64_t *stride = it->core ? it->core->stride : NULL;
    int64_t bytes = dtype_info[it->dtype[k]].size;
    if (!it->data[k]) /* an array without elements may have any sizes */
        return 0;
    for (int axis = 0; axis < it->naxes; axis++)
        bytes *= it->stride[k][axis] ? it->size[axis] : 1;
    if (!it->core)
        return bytes;
    for (int i = 0; i < k; i++) {
        dim += it->ufunc->core->rank[i];
        stride += it->ufunc->core->rank[i];
    }
    for (int i = 0; i < it->ufunc->core->rank[k]; i++)
        bytes *= stride[i] ? it->core->size[dim[i]] : 1;
    return bytes;
}

/* The bytes of a loop's distinct elements.  Intermediates need not be in memory. */
static int64_t distinct_bytes(const struct iteration *it) {
    int passed = it->core ? (int)(it->ufunc->nin + it->ufunc->nout) : walked(it);
    int64_t sum = 0;
    for (int k = 0; k < passed; k++)
        sum += operand_bytes(it, k);
    return sum;
}

/* The bytes of a reduction's array: along the outer axes, and the inner ones where it has them. */
static int64_t folded_bytes(const struct reduction *r, const struct folded *f, bool has_inner) {
    int64_t bytes = f->data ? dtype_info[f->dtype].size : 0;
    for (int axis = 0; axis < r->nouter; axis++)
        bytes *= f->outer[axis] ? r->outer_size[axis] : 1;
    for (int axis = 0; has_inner && axis < r->ninner; axis++)
        bytes *= f->inner[axis] ? r->inner_size[axis] : 1;
    return bytes;
}

/* "m = 3, n = 5" */
static void put_sizes(const struct iteration *it, char *text, size_t size) {
    const struct ufc_core *core = it->ufunc->core;
    for (uint32_t i = 0; i < core->ndims; i++)
        if (core->dims[i].size < 0)
            put_text(text, size, "%s%s = %lld", *text ? ", " : "", core->dims[i].name,
                     (long long)it->core->size[i]);
}

void describe_nothing(ufc_plan_description *d) {
    memset(d, 0, sizeof *d);
    d->kernel = "none";
}

/* Sets the shape of a loop, whose axes are given the fastest first. */
static void put_loop(ufc_plan_description *d, int naxes, const int64_t *size) {
    d->ndim = naxes;
    for (int axis = 0; axis < naxes; axis++)
        d->shape[naxes - 1 - axis] = size[axis];
}

/* Sets what the device knows of the first launch, and what the model says of the call. */
static void put_facts(const struct record *r) {
    ufc_plan_description *d = r->d;
    d->registers = r->facts.registers;
    d->occupancy = r->facts.occupancy;
    d->work_by = "none";
    struct bound bound = {.bytes = model_seconds(&r->ctx->gpu, d->bytes)};
    if (r->it)
        bound = model_bound(r->it, d->bytes, &r->ctx->gpu);
    if (bound.bytes <= 0)
        return;
    d->bytes_seconds = bound.bytes;
    d->work_seconds = bound.work;
    d->chained = bound.chained;
    if (bound.work > 0)
        d->work_by = bound.work_by;
    double host = model_host(d->launches, d->temporaries > 0);
    double seconds = r->seconds > 0 ? r->seconds : bound.bytes;
    if (r->ctx->recorder)
        seconds += r->ctx->recorder->copying;
    d->predicted_by = seconds < host ? "the host" : r->by ? r->by : "memory";
    d->bytes_per_second = (double)d->bytes / (seconds > host ? seconds : host);
}

ufc_status describe_launches(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                             ufc_error *err) {
    struct record r = {.ctx = ctx, .overload = it->overload, .it = it, .d = d, .times = 1};
    struct launcher l = {
        .ctx = ctx, .launch = record, .put = leave, .get = leave, .arg = &r, .times = &r.times};
    ufc_status status;
    model_body(&r.body, it);
    if (it->core) {
        status = launch_gufunc(&l, it, err);
        explain_gufunc(it, d->why, sizeof d->why);
        describe_statements(&r.body, &ctx->gpu, r.launched, d->statements, sizeof d->statements);
        describe_held(&r.body, r.launched, d->arrays, sizeof d->arrays);
    } else {
        status = launch_iteration(&l, it, err);
        explain_launch(it, d->why, sizeof d->why);
    }
    put_facts(&r);
    return status;
}

ufc_status describe_reducing_launches(ufc_context *ctx, const struct reduction *reduction,
                                      ufc_plan_description *d, ufc_error *err) {
    struct record r = {.ctx = ctx, .overload = reduction->overload, .d = d, .times = 1};
    struct launcher l = {.ctx = ctx, .launch = record, .put = leave, .get = leave, .arg = &r};
    ufc_status status = launch_reduction(&l, reduction, err);
    put_facts(&r);
    return status;
}

ufc_status describe_iteration(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                              ufc_error *err) {
    d->signature = it->overload->signature;
    put_loop(d, it->naxes, it->size);
    if (it->core)
        put_sizes(it, d->core, sizeof d->core);
    d->bytes = distinct_bytes(it);
    return ctx->ops->describe(ctx, it, d, err);
}

void split_begin(struct split *s, const struct iteration *whole, int64_t parts, int64_t calls) {
    s->parts = parts;
    s->calls = calls;
    s->naxes = whole->naxes;
    memcpy(s->size, whole->size, (size_t)whole->naxes * sizeof *s->size);
    s->total = whole->total;
    s->bytes = distinct_bytes(whole);
}

/* The last part may have fewer calls, and each part reads what all calls share. */
void describe_split(const struct split *s, ufc_plan_description *d) {
    if (s->parts == 0)
        return;
    double times = (double)s->total / (double)s->calls;
    double moved = d->bytes > 0 ? (double)s->bytes / (double)d->bytes : 1;
    put_loop(d, s->naxes, s->size);
    d->launches *= (int)(s->parts < INT_MAX / (d->launches + 1) ? s->parts : 1);
    d->bytes_seconds *= moved;
    d->work_seconds *= times;
    d->bytes_per_second *= moved / times;
    d->bytes = s->bytes;
    put_text(d->parts, sizeof d->parts,
             "%s%lld of up to %lld calls, one after the other; the kernel is the first's",
             *d->parts ? "; " : "", (long long)s->parts, (long long)s->calls);
}

/* The results of a line: of `at` rows, at most. */
static int64_t results_of(const struct reduction *r) {
    return r->index.data && r->rows < r->segments ? r->rows : r->segments;
}

ufc_status describe_reduction(ufc_context *ctx, const struct reduction *r, ufc_plan_description *d,
                              ufc_error *err) {
    d->signature = r->overload->signature;
    put_loop(d, r->nouter, r->outer_size);
    d->bytes = folded_bytes(r, &r->in, true) + folded_bytes(r, &r->where, true) +
               folded_bytes(r, &r->index, true) + folded_bytes(r, &r->out, r->each) * results_of(r);
    return ctx->ops->describe_reduction(ctx, r, d, err);
}

/* ---- the context of a call that is recorded */

ufc_status record_place(struct recorder *r, size_t size, void **memory, ufc_error *err) {
    uint64_t end;
    if (__builtin_add_overflow(r->next, (uint64_t)size, &end) || end > INTPTR_MAX - 255)
        return fail(err, UFC_ENOMEM, "out of memory for %zu bytes", size);
    *memory = (void *)(uintptr_t)r->next;
    r->next = (end + 255) & ~UINT64_C(255);
    return UFC_OK;
}

static ufc_status record_alloc(ufc_context *ctx, void *stream, size_t size, void **memory,
                               ufc_error *err) {
    (void)stream;
    ctx->recorder->d->temporaries += (int64_t)size;
    return record_place(ctx->recorder, size, memory, err);
}

static void record_free(ufc_context *ctx, void *stream, void *memory) {
    (void)ctx, (void)stream, (void)memory;
}

static ufc_status skip_clear(ufc_context *ctx, void *stream, void *memory, size_t size,
                             ufc_error *err) {
    (void)ctx, (void)stream, (void)memory, (void)size, (void)err;
    return UFC_OK;
}

static ufc_status skip_copy(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err) {
    (void)ctx, (void)stream, (void)it, (void)err;
    return UFC_OK;
}

static ufc_status skip_upload(ufc_context *ctx, void *stream, void *dst, size_t size,
                              chunk_fn *fill, const void *arg, ufc_error *err) {
    (void)ctx, (void)stream, (void)dst, (void)size, (void)fill, (void)arg, (void)err;
    return UFC_OK;
}

static ufc_status skip_download(ufc_context *ctx, void *stream, const void *src, size_t size,
                                void **transfer, ufc_error *err) {
    (void)ctx, (void)stream, (void)src, (void)size, (void)err;
    *transfer = NULL;
    return UFC_OK;
}

static ufc_status skip_copy_pinned(ufc_context *ctx, void *stream, void *dst, const void *src,
                                   size_t size, ufc_error *err) {
    (void)ctx, (void)stream, (void)dst, (void)src, (void)size, (void)err;
    return UFC_OK;
}

static ufc_status skip_synchronize(ufc_context *ctx, void *stream, ufc_error *err) {
    (void)ctx, (void)stream, (void)err;
    return UFC_OK;
}

/* Describes the call's own loop.  A loop of another ufunc copies or converts an operand, which
 * record_copy has recorded. */
static ufc_status record_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                                 ufc_error *err) {
    (void)stream;
    struct recorder *r = ctx->recorder;
    if (it->ufunc == r->ufunc && r->told)
        return UFC_OK;
    if (it->ufunc == r->ufunc) {
        ufc_status status = describe_iteration(ctx, it, r->d, err);
        describe_split(&r->split, r->d);
        r->told = r->split.parts > 0;
        return status;
    }
    if (ctx->gpu.copy_rate > 0)
        r->copying += model_copy(&ctx->gpu, (double)distinct_bytes(it));
    return UFC_OK;
}

static void record_begin_parts(ufc_context *ctx, const struct iteration *whole, int64_t parts,
                               int64_t calls) {
    split_begin(&ctx->recorder->split, whole, parts, calls);
}

static ufc_status record_reduce(ufc_context *ctx, void *stream, const struct reduction *r,
                                ufc_error *err) {
    (void)stream;
    return describe_reduction(ctx, r, ctx->recorder->d, err);
}

ufc_context *recorder_context(struct recorder *r, ufc_context *ctx) {
    if (!r)
        return ctx;
    context_as(&r->ctx, &r->ops, ctx);
    r->ctx.recorder = r;
    r->ops.alloc = record_alloc;
    r->ops.free = record_free;
    r->ops.clear = skip_clear;
    r->ops.copy = skip_copy;
    r->ops.upload = skip_upload;
    r->ops.download_begin = skip_download;
    r->ops.copy_pinned = skip_copy_pinned;
    r->ops.synchronize = skip_synchronize;
    r->ops.execute = record_execute;
    r->ops.begin_parts = record_begin_parts;
    r->ops.reduce = record_reduce;
    return &r->ctx;
}

void record_copy(ufc_context *ctx, const char *operand, const char *why, const char *type) {
    if (!ctx->recorder)
        return;
    ufc_plan_description *d = ctx->recorder->d;
    put_text(d->copies, sizeof d->copies, "%s%s %s%s", *d->copies ? ", " : "", operand, why, type);
}

void record_portions(ufc_context *ctx, int64_t portions, int64_t bytes) {
    ufc_plan_description *d = ctx->recorder->d;
    d->temporaries = bytes;
    put_text(d->copies, sizeof d->copies, "%sin %lld portions", *d->copies ? ", " : "",
             (long long)portions);
}

void record_array(ufc_context *ctx, const char *name, bool in_place, int64_t bytes) {
    if (!ctx->recorder)
        return;
    ufc_plan_description *d = ctx->recorder->d;
    const char *comma = *d->arrays ? ", " : "";
    if (!name)
        *d->arrays = '\0';
    else if (in_place)
        put_text(d->arrays, sizeof d->arrays, "%s%s in place", comma, name);
    else
        put_text(d->arrays, sizeof d->arrays, "%s%s %lld bytes", comma, name, (long long)bytes);
}

void record_axes(struct recorder *r, const bool *along, int ndim, int64_t length) {
    r->d->length = length;
    for (int axis = 0; axis < ndim; axis++)
        if (along[axis])
            r->d->axes[r->d->naxes++] = axis;
}

/* ---- what is explained */

static const uint64_t nowhere = UINT64_C(1) << 62; /* from this address on no process has arrays */

static struct recorder *begin(struct recorder *r, const struct ufc_ufunc *ufunc,
                              ufc_plan_description *d) {
    r->ufunc = ufunc;
    r->d = d ? d : &r->unread;
    r->next = nowhere;
    r->copying = 0;
    r->split.parts = 0;
    r->told = false;
    describe_nothing(r->d);
    return r;
}

/* Ends a recording, after the call, which has left the places of results NULL. */
static ufc_status end(const struct recorder *r, ufc_status status, ufc_error *err) {
    return r->d == &r->unread ? fail(err, UFC_EINVAL, "description is NULL") : status;
}

ufc_status ufc_explain(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                       const ufc_out *out, const ufc_keywords *keywords,
                       ufc_plan_description *description, ufc_error *err) {
    struct recorder r, *recorder = begin(&r, ufunc, description);
    return end(recorder, call_with(ctx, stream, ufunc, in, out, keywords, recorder, err), err);
}

ufc_status ufc_explain_reduce(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                              ufc_out out, const ufc_keywords *keywords,
                              ufc_plan_description *description, ufc_error *err) {
    struct recorder r, *recorder = begin(&r, ufunc, description);
    return end(
        recorder,
        call_fold(FOLD_REDUCE, ctx, stream, ufunc, &array, NULL, &out, keywords, recorder, err),
        err);
}

ufc_status ufc_explain_accumulate(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                                  ufc_arg array, ufc_out out, const ufc_keywords *keywords,
                                  ufc_plan_description *description, ufc_error *err) {
    struct recorder r, *recorder = begin(&r, ufunc, description);
    return end(
        recorder,
        call_fold(FOLD_ACCUMULATE, ctx, stream, ufunc, &array, NULL, &out, keywords, recorder, err),
        err);
}

ufc_status ufc_explain_reduceat(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                                ufc_arg array, const DLTensor *indices, ufc_out out,
                                const ufc_keywords *keywords, ufc_plan_description *description,
                                ufc_error *err) {
    struct recorder r, *recorder = begin(&r, ufunc, description);
    return end(recorder,
               call_fold(FOLD_REDUCEAT, ctx, stream, ufunc, &array, indices, &out, keywords,
                         recorder, err),
               err);
}

ufc_status ufc_explain_outer(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg x,
                             ufc_arg y, ufc_out out, const ufc_keywords *keywords,
                             ufc_plan_description *description, ufc_error *err) {
    struct recorder r, *recorder = begin(&r, ufunc, description);
    return end(recorder, call_outer(ctx, stream, ufunc, x, y, out, keywords, recorder, err), err);
}

ufc_status ufc_explain_at(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                          const DLTensor *array, const DLTensor *indices, ufc_arg y,
                          ufc_plan_description *description, ufc_error *err) {
    struct recorder r, *recorder = begin(&r, ufunc, description);
    return end(recorder, call_at(ctx, stream, ufunc, array, indices, &y, recorder, err), err);
}
