/* sequence.c: the device's work of a call, recorded and executed on other memory.
 *
 * While it is recorded, arrays and the workspace have addresses that no memory has, a range of
 * 2^48 each, so that what is executed tells which array it means, and where in it.  Memory that
 * launches take on the way is at the end of what the call has taken until then. */
#include <stdlib.h>
#include <string.h>

#include "memo.h"
#include "recorder.h"
#include "sequence.h"

enum { RANGE = 48, ALIGNED = 256 };

struct place {
    char *data; /* of the recorded array; NULL: it has no elements, or is a number */
    const char *name;
    bool written;
    uint64_t address;
    int64_t low, high; /* its bytes, from its first element on */
    struct operand op;
};

struct step {
    enum { COPY, EXECUTE, REDUCE } action;
    uint64_t used;        /* bytes of the workspace that hold something when it is executed */
    struct iteration *it; /* as far as it is set */
    struct core core;
    struct operand output;    /* of its place */
    int64_t start[MAX_RANK];  /* of its place, where this has one */
    struct script *script[2]; /* of arrays that are not all aligned; that are; NULL: none */
    struct reduction *r;
    int64_t *bounds; /* of it */
    void *placed;    /* the same in the device's memory; NULL: they are not there */
    struct step *next;
};

struct sequence {
    ufc_context ctx; /* of recording */
    struct device_ops ops;
    ufc_context *real;
    void *stream;
    int n;
    bool in_place; /* the first two arrays may be the same */
    struct place place[MAX_WALKED];
    struct step *first, **last;
    struct split split;  /* of a gufunc's loop */
    uint64_t used, size; /* bytes of the workspace, while recording; at most */
    void *workspace;
};

struct sequence *sequence_new(void) {
    struct sequence *s = calloc(1, sizeof *s);
    if (s)
        s->last = &s->first;
    return s;
}

static struct sequence *sequence_of(ufc_context *ctx) {
    return (struct sequence *)((char *)ctx - offsetof(struct sequence, ctx));
}

/* The address that stands for the first byte of array k, or of the workspace behind them; half of
 * the range is before it. */
static uint64_t address_of(int k) {
    return ((uint64_t)(k + 1) << RANGE) + (UINT64_C(1) << (RANGE - 1));
}

/* ---- recording */

static ufc_status record_alloc(ufc_context *ctx, void *stream, size_t size, void **memory,
                               ufc_error *err) {
    struct sequence *s = sequence_of(ctx);
    (void)stream;
    if (size > UINT64_C(1) << (RANGE - 2) || s->used > UINT64_C(1) << (RANGE - 2))
        return fail(err, UFC_ENOMEM, "out of memory for %zu bytes", size);
    *memory = (void *)(uintptr_t)(address_of(MAX_WALKED) + s->used);
    s->used += (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    s->size = s->used > s->size ? s->used : s->size;
    return UFC_OK;
}

static void record_free(ufc_context *ctx, void *stream, void *memory) {
    (void)ctx, (void)stream, (void)memory;
}

static ufc_status record_clear(ufc_context *ctx, void *stream, void *memory, size_t size,
                               ufc_error *err) {
    (void)ctx, (void)stream, (void)memory, (void)size, (void)err;
    return UFC_OK;
}

static struct step *add_step(struct sequence *s, ufc_error *err) {
    struct step *step = calloc(1, sizeof *step);
    if (!step) {
        fail(err, UFC_ENOMEM, "out of memory for a plan");
        return NULL;
    }
    step->used = s->used;
    *s->last = step;
    s->last = &step->next;
    return step;
}

/* The bytes of an iteration up to the strides of the last operand that it walks. */
static size_t iteration_size(const struct iteration *it) {
    return offsetof(struct iteration, stride) + (size_t)walked(it) * sizeof it->stride[0];
}

static ufc_status add_iteration(struct sequence *s, const struct iteration *it, struct step **step,
                                ufc_error *err) {
    *step = add_step(s, err);
    if (!*step)
        return UFC_ENOMEM;
    (*step)->it = malloc(iteration_size(it));
    if (!(*step)->it)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    memcpy((*step)->it, it, iteration_size(it));
    (*step)->it->planned = true;
    if (it->place.output) { /* which ends with the call that is recorded */
        (*step)->output = *it->place.output;
        (*step)->it->place.output = &(*step)->output;
    }
    if (it->place.output && it->place.start) {
        memcpy((*step)->start, it->place.start, sizeof(int64_t) * (size_t)it->place.output->ndim);
        (*step)->it->place.start = (*step)->start;
    }
    if (it->core) {
        (*step)->core = *it->core;
        (*step)->it->core = &(*step)->core;
    }
    return UFC_OK;
}

/* Moves the arrays of an iteration to addresses that are aligned, or not. */
static void align(struct iteration *it, bool aligned) {
    for (int k = 0; k < walked(it); k++)
        if (it->data[k]) {
            uintptr_t at = (uintptr_t)it->data[k] / ALIGNED * ALIGNED;
            it->data[k] =
                (char *)at + (aligned ? 0 : (uintptr_t)dtype_info[it->dtype[k]].alignment);
        }
}

static ufc_status record_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                                 ufc_error *err) {
    struct sequence *s = sequence_of(ctx);
    struct step *step;
    ufc_status status = add_iteration(s, it, &step, err);
    if (status != UFC_OK)
        return status;
    step->action = EXECUTE;
    struct iteration other;
    memcpy(&other, step->it, iteration_size(it));
    for (int aligned = it->core ? 0 : 1; aligned < 2 && status == UFC_OK; aligned++) {
        if (it->core)
            align(&other, aligned);
        status = s->real->ops->prepare(ctx, stream, &other, err);
        s->used = step->used;
        if (it->core && s->real->ops->launches && !(it->overload->flags & UFC_CHECKS))
            step->script[aligned] = script_new_of(ctx, &other);
    }
    return status;
}

static ufc_status record_copy_step(ufc_context *ctx, void *stream, struct iteration *it,
                                   ufc_error *err) {
    struct step *step;
    (void)stream;
    ufc_status status = add_iteration(sequence_of(ctx), it, &step, err);
    if (status == UFC_OK)
        step->action = COPY;
    return status;
}

/* Bounds of segments go to the device's memory now. */
static ufc_status place_bounds(struct sequence *s, struct step *step, ufc_error *err) {
    const struct reduction *r = step->r;
    size_t size = 2 * (size_t)r->segments * sizeof *r->bounds;
    step->bounds = malloc(size);
    if (!step->bounds)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    memcpy(step->bounds, r->bounds, size);
    step->r->bounds = step->bounds;
    if (!s->real->ops->launches)
        return UFC_OK;
    ufc_status status = s->real->ops->alloc(s->real, s->stream, size, &step->placed, err);
    if (status != UFC_OK)
        return status;
    struct operand from = {.data = (char *)step->bounds, .dtype = DT_INT64, .ndim = 1};
    from.device = (DLDevice){kDLCPU, 0};
    from.shape[0] = 2 * r->segments;
    from.stride[0] = sizeof *r->bounds;
    struct operand to = from;
    to.data = step->placed;
    to.device = s->real->device;
    step->r->placed = (uintptr_t)step->placed;
    if (!is_host(s->real->device))
        return copy_in(s->real, s->stream, &from, &to, err);
    memcpy(step->placed, step->bounds, size);
    return UFC_OK;
}

static ufc_status record_reduce(ufc_context *ctx, void *stream, const struct reduction *r,
                                ufc_error *err) {
    struct sequence *s = sequence_of(ctx);
    struct step *step = add_step(s, err);
    if (!step)
        return UFC_ENOMEM;
    step->action = REDUCE;
    step->r = malloc(sizeof *r);
    if (!step->r)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    *step->r = *r;
    ufc_status status = r->bounds ? place_bounds(s, step, err) : UFC_OK;
    if (status == UFC_OK && s->real->ops->prepare_reduction)
        status = s->real->ops->prepare_reduction(ctx, stream, step->r, err);
    s->used = step->used;
    return status;
}

static void record_parts_begin(ufc_context *ctx, const struct iteration *whole, int64_t parts,
                               int64_t calls) {
    split_begin(&sequence_of(ctx)->split, whole, parts, calls);
}

ufc_context *sequence_begin(struct sequence *s, ufc_context *ctx, void *stream) {
    s->real = ctx;
    s->stream = stream;
    context_as(&s->ctx, &s->ops, ctx);
    s->ops.records = true;
    s->ops.alloc = record_alloc;
    s->ops.free = record_free;
    s->ops.clear = record_clear;
    s->ops.copy = record_copy_step;
    s->ops.execute = record_execute;
    s->ops.begin_parts = record_parts_begin;
    s->ops.reduce = record_reduce;
    return &s->ctx;
}

void sequence_add(struct sequence *s, struct operand *op, const char *name, bool written) {
    struct place *p = &s->place[s->n];
    int64_t size;
    *p = (struct place){.name = name, .written = written};
    bool has = op->ndim >= 0 && !op->is_number && op->data &&
               (!shape_size(op->ndim, op->shape, &size) || size > 0);
    s->n++;
    if (!has)
        return;
    p->data = op->data;
    p->op = *op;
    p->high = dtype_info[op->dtype].size;
    for (int i = 0; i < op->ndim; i++) {
        int64_t last = op->shape[i] == 1 ? 0 : (op->shape[i] - 1) * op->stride[i];
        *(last < 0 ? &p->low : &p->high) += last;
    }
    p->address = address_of(s->n - 1) + (uintptr_t)op->data % ALIGNED;
    op->data = (char *)(uintptr_t)p->address;
}

static bool same_view(const struct operand *a, const struct operand *b) {
    bool same = a->ndim == b->ndim && dtype_info[a->dtype].size == dtype_info[b->dtype].size;
    for (int i = 0; i < a->ndim && same; i++)
        same = a->shape[i] == b->shape[i] && (a->shape[i] == 1 || a->stride[i] == b->stride[i]);
    return same;
}

void sequence_in_place(struct sequence *s) {
    s->in_place =
        s->place[0].data && s->place[1].data && same_view(&s->place[0].op, &s->place[1].op);
}

/* Executions may be on any stream, which does not wait for memory that is taken on this one. */
ufc_status sequence_end(struct sequence *s, ufc_error *err) {
    bool placed = s->size > 0;
    for (const struct step *step = s->first; step; step = step->next)
        placed = placed || step->placed;
    ufc_status status = UFC_OK;
    if (s->size > 0)
        status = s->real->ops->alloc(s->real, s->stream, s->size, &s->workspace, err);
    if (status != UFC_OK)
        return fail_at(err, status, "its workspace takes %llu bytes", (unsigned long long)s->size);
    return placed ? s->real->ops->synchronize(s->real, s->stream, err) : UFC_OK;
}

void sequence_free(struct sequence *s) {
    if (!s)
        return;
    for (struct step *step = s->first, *next; step; step = next) {
        next = step->next;
        if (step->placed)
            s->real->ops->free(s->real, NULL, step->placed);
        for (int i = 0; i < 2; i++)
            script_free(step->script[i]);
        free(step->bounds);
        free(step->it);
        free(step->r);
        free(step);
    }
    if (s->workspace)
        s->real->ops->free(s->real, NULL, s->workspace);
    free(s);
}

bool sequence_is_empty(const struct sequence *s) {
    return !s->first;
}

int64_t sequence_workspace(const struct sequence *s) {
    return (int64_t)s->size;
}

/* ---- executing */

/* A context whose memory is a workspace. */
struct run {
    ufc_context ctx;
    struct device_ops ops;
    const struct sequence *s;
    char *workspace;
    uint64_t used;
    char *data[MAX_WALKED];
};

static ufc_status take(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err) {
    struct run *run = (struct run *)((char *)ctx - offsetof(struct run, ctx));
    (void)stream;
    if (size > run->s->size - run->used)
        return fail(err, UFC_ENOMEM, "the workspace of a plan has not %zu bytes more", size);
    *memory = run->workspace + run->used;
    run->used += (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    return UFC_OK;
}

/* The address that an array's, or the workspace's, stands for. */
static char *find(const struct run *run, const char *recorded) {
    uint64_t at = (uintptr_t)recorded;
    int k = (int)(at >> RANGE) - 1;
    if (!recorded)
        return NULL;
    if (k == MAX_WALKED)
        return run->workspace + (at - address_of(k));
    return run->data[k] + (int64_t)(at - run->s->place[k].address);
}

static bool all_aligned(const struct iteration *it) {
    uintptr_t bits = 0;
    for (int k = 0; k < walked(it); k++)
        bits |= (uintptr_t)it->data[k];
    return bits % UFC_ALIGNMENT == 0;
}

static ufc_status execute_iteration(struct run *run, void *stream, const struct step *step,
                                    ufc_error *err) {
    struct iteration it;
    memcpy(&it, step->it, iteration_size(step->it));
    for (int k = 0; k < walked(&it); k++)
        it.data[k] = find(run, it.data[k]);
    struct operand output = step->output;
    if (it.place.output) {
        output.data = find(run, output.data);
        it.place.output = &output;
    }
    it.script = step->script[all_aligned(&it)];
    return step->action == COPY ? run->s->real->ops->copy(run->s->real, stream, &it, err)
                                : run->ops.execute(&run->ctx, stream, &it, err);
}

static ufc_status execute_reduction(struct run *run, void *stream, const struct step *step,
                                    ufc_error *err) {
    struct reduction r = *step->r;
    r.in.data = find(run, r.in.data);
    r.out.data = find(run, r.out.data);
    r.where.data = find(run, r.where.data);
    return run->ops.reduce(&run->ctx, stream, &r, err);
}

static ufc_status check_pair(const struct run *run, int a, int b, ufc_error *err) {
    const struct place *p = &run->s->place[a], *q = &run->s->place[b];
    const char *x = run->data[a], *y = run->data[b];
    if (x + p->high <= y + q->low || y + q->high <= x + p->low)
        return UFC_OK;
    if (run->s->in_place && a == 0 && b == 1 && x == y)
        return UFC_OK;
    struct operand first = p->op, second = q->op;
    first.data = run->data[a];
    second.data = run->data[b];
    if (!operands_overlap(&first, &second))
        return UFC_OK;
    return p->written && q->written
               ? fail_overlap(p->name, q->name, err)
               : fail(err, UFC_EINVAL, "'%s' overlaps '%s': a plan takes no memory for a copy",
                      p->name, q->name);
}

static ufc_status set_data(struct run *run, void *const *data, ufc_error *err) {
    const struct sequence *s = run->s;
    ufc_status status = UFC_OK;
    for (int k = 0; k < s->n; k++) {
        const struct place *p = &s->place[k];
        run->data[k] = data && p->data ? data[k] : p->data;
        if (!p->data)
            continue;
        int alignment = dtype_info[p->op.dtype].alignment;
        if (!run->data[k])
            return fail(err, UFC_EINVAL, "'%s' is NULL", p->name);
        if (!is_aligned(run->data[k], (size_t)alignment))
            return fail(err, UFC_EINVAL, "'%s' is not aligned to its elements' %d bytes", p->name,
                        alignment);
    }
    for (int b = 0; b < s->n; b++)
        for (int a = 0; a < b && status == UFC_OK; a++)
            if (s->place[a].data && s->place[b].data &&
                (s->place[a].written || s->place[b].written))
                status = check_pair(run, a, b, err);
    return status;
}

ufc_status sequence_execute(const struct sequence *s, void *stream, void *workspace,
                            void *const *data, ufc_error *err) {
    struct run run = {.s = s, .workspace = workspace ? workspace : s->workspace};
    context_as(&run.ctx, &run.ops, s->real);
    run.ops.alloc = take;
    run.ops.free = record_free;
    if (!is_aligned(run.workspace, ALIGNED))
        return fail(err, UFC_EINVAL, "the workspace is not aligned to %d bytes", ALIGNED);
    ufc_status status = set_data(&run, data, err);
    for (const struct step *step = s->first; step && status == UFC_OK; step = step->next) {
        run.used = step->used;
        status = step->action == REDUCE ? execute_reduction(&run, stream, step, err)
                                        : execute_iteration(&run, stream, step, err);
    }
    return status;
}

/* ---- describing */

static ufc_status no_place(ufc_context *ctx, void *stream, size_t size, void **memory,
                           ufc_error *err) {
    (void)ctx, (void)stream, (void)size, (void)err;
    *memory = (void *)(uintptr_t)address_of(MAX_WALKED);
    return UFC_OK;
}

/* In a context of its own: other threads may execute or describe the plan meanwhile. */
ufc_status sequence_describe(const struct sequence *s, ufc_plan_description *d, ufc_error *err) {
    struct device_ops ops = s->ops;
    struct ufc_context ctx = s->ctx;
    ops.alloc = no_place;
    ctx.ops = &ops;
    const struct step *own = s->first; /* the first part, where there are several */
    for (const struct step *step = s->first; step && !(own->it && own->it->core); step = step->next)
        own = step->it && step->it->core ? step : own;
    ufc_status status = own->r ? describe_reduction(&ctx, own->r, d, err)
                               : describe_iteration(&ctx, own->it, d, err);
    describe_split(&s->split, d);
    d->temporaries = (int64_t)s->size;
    return status;
}

ufc_status check_planned_place(const ufc_context *ctx, const struct operand *op, const char *name,
                               ufc_error *err) {
    int64_t size;
    bool empty = shape_size(op->ndim, op->shape, &size) && size == 0;
    if (is_host(ctx->device) || op->is_number || empty || !is_host(op->device))
        return UFC_OK;
    return fail(err, UFC_EDEVICE, "array '%s' is on the host: a plan for a GPU takes arrays there",
                name);
}
