/* intermediates.c: arrays that a gufunc's body makes: operands that nobody passes.  Each core call
 * has its own, and needs them no longer than it runs: where those of all calls together would take
 * more than INTERMEDIATE_BYTES, the calls are made in parts, one after the other, which use the
 * same memory.  Those that a thread's registers hold need none, but for a plan's, which may be
 * executed where registers do not hold them. */
#include <string.h>

#include "intermediates.h"

enum { ALIGNMENT = 256 };

static int64_t at_least(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Bytes of one core call's arrays; false: they are too many. */
static bool bytes_of_call(const struct intermediates *a, int64_t *bytes) {
    *bytes = 0;
    for (int k = 0; k < a->n; k++)
        if (__builtin_add_overflow(*bytes, a->bytes[k], bytes))
            return false;
    return true;
}

/* How many calls are made at once: all those along the axes below *axis, and of *axis `several`. */
struct portion {
    int axis;
    int64_t several, calls, parts;
};

static struct portion portion_of(const struct iteration *it, int64_t bytes, int64_t limit) {
    struct portion p = {.several = 1, .calls = 1, .parts = 1};
    int64_t calls;
    for (; p.axis < it->naxes; p.axis++) {
        if (__builtin_mul_overflow(p.calls, it->size[p.axis], &calls) ||
            (bytes > 0 && calls > limit / bytes))
            break;
        p.calls = calls;
    }
    if (p.axis == it->naxes)
        return p;
    if (bytes > 0 && limit / bytes / p.calls > 1)
        p.several = limit / bytes / p.calls;
    int64_t parts = (it->size[p.axis] + p.several - 1) / p.several; /* as many calls in each */
    p.several = (it->size[p.axis] + parts - 1) / parts;
    p.parts = it->total / p.calls / it->size[p.axis] * ((it->size[p.axis] - 1) / p.several + 1);
    p.calls *= p.several;
    return p;
}

/* Lays array k out, of which a core call has so many bytes: each call's behind the one before, in C
 * order; or, apart > 0, with the elements of so many calls, which are neighbours, between a call's
 * own.  stride: of its core axes; NULL: they are in C order already. */
static void lay_out(struct iteration *it, int k, int64_t bytes, int64_t *stride, const uint8_t *dim,
                    int64_t apart) {
    int64_t size = dtype_info[it->dtype[k]].size, next = apart > 0 ? size * apart : size;
    for (int i = stride ? it->ufunc->core->rank[k] : 0; i-- > 0; next *= it->core->size[dim[i]])
        stride[i] = it->core->size[dim[i]] == 1 ? 0 : next;
    next = apart > 0 && bytes > 0 ? size : bytes;
    for (int axis = 0; axis < it->naxes; axis++) {
        it->stride[k][axis] = next;
        if (axis + 1 < it->naxes)
            next = axis == 0 && apart > 0 ? bytes * apart : next * it->size[axis];
    }
}

/* calls: so many are made at once, and `several` of those along the fastest axis. */
static void set_strides(struct iteration *it, const struct intermediates *a, int64_t several,
                        int64_t calls) {
    const struct ufc_core *core = it->ufunc->core;
    int first = it->nin + it->nout - a->n, at = 0;
    int64_t apart = a->core && interleaves_calls(it, first, calls) ? several : 0;
    for (int k = 0; k < it->nin + it->nout; at += core->rank[k], k++)
        if (k >= first)
            lay_out(it, k, a->bytes[k - first], a->core ? a->core->stride + at : NULL,
                    core->dim + at, apart);
}

void intermediates_stride(struct iteration *it, const struct intermediates *a) {
    set_strides(it, a, it->naxes > 0 ? it->size[0] : 1, it->total);
}

/* Gives them their places in memory, too. */
static void place(struct iteration *it, const struct intermediates *a, char *memory,
                  const struct portion *p) {
    int first = it->nin + it->nout - a->n;
    set_strides(it, a, p->axis == 0 || it->naxes == 0 ? p->several : it->size[0], p->calls);
    for (int k = 0; k < a->n; k++) {
        it->data[first + k] = memory;
        memory += (a->bytes[k] * p->calls + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}

bool intermediates_within(const struct intermediates *a, int64_t limit) {
    int64_t bytes;
    return bytes_of_call(a, &bytes) && bytes <= limit;
}

/* Moves the data of operands that are passed along an axis. */
static void move(struct iteration *it, const struct intermediates *a, int axis, int64_t by) {
    for (int k = 0; k < it->nin + it->nout - a->n; k++)
        if (it->data[k])
            it->data[k] += by * it->stride[k][axis];
}

/* Executes the calls along the axes up to p->axis, from the first one of *it on. */
static ufc_status execute_axis(ufc_context *ctx, void *stream, struct iteration *it,
                               const struct intermediates *a, const struct portion *p,
                               ufc_error *err) {
    int64_t size = it->size[p->axis], inner = p->calls / p->several, done = 0;
    ufc_status status = UFC_OK;
    for (; done < size && status == UFC_OK; done += p->several) {
        int64_t n = size - done < p->several ? size - done : p->several;
        it->size[p->axis] = n;
        it->total = inner * n;
        status = ctx->ops->execute(ctx, stream, it, err);
        move(it, a, p->axis, n);
    }
    it->size[p->axis] = size;
    move(it, a, p->axis, -size);
    return status;
}

/* Executes all calls, part by part. */
static ufc_status execute_parts(ufc_context *ctx, void *stream, struct iteration *it,
                                const struct intermediates *a, const struct portion *p,
                                ufc_error *err) {
    int64_t position[MAX_RANK] = {0};
    int naxes = it->naxes, axis;
    if (ctx->ops->begin_parts)
        ctx->ops->begin_parts(ctx, it, p->parts, p->calls);
    it->naxes = p->axis + 1;
    do {
        ufc_status status = execute_axis(ctx, stream, it, a, p, err);
        if (status != UFC_OK)
            return status;
        for (axis = p->axis + 1; axis < naxes; axis++) {
            move(it, a, axis, 1);
            if (++position[axis] < it->size[axis])
                break;
            move(it, a, axis, -it->size[axis]);
            position[axis] = 0;
        }
    } while (axis < naxes);
    return UFC_OK;
}

ufc_status execute_intermediates(ufc_context *ctx, void *stream, struct iteration *it,
                                 const struct intermediates *a, struct temps *temps,
                                 ufc_error *err) {
    int64_t bytes, size;
    int64_t limit = ctx->ops->launches
                        ? at_least(INTERMEDIATE_CACHES * ctx->gpu.l2, INTERMEDIATE_BYTES)
                        : (int64_t)INTERMEDIATE_BYTES * ctx->threads;
    void *memory = NULL;
    for (int k = it->nin + it->nout - a->n; k < it->nin + it->nout; k++)
        it->data[k] = NULL;
    if (ctx->ops->launches && !ctx->ops->records && holds_arrays(it))
        return ctx->ops->execute(ctx, stream, it, err);
    bool fits = bytes_of_call(a, &bytes);
    struct portion p = fits ? portion_of(it, bytes, limit) : (struct portion){0};
    if (!fits || __builtin_mul_overflow(bytes, p.calls, &size) ||
        __builtin_add_overflow(size, (int64_t)a->n * ALIGNMENT, &size))
        return fail(err, UFC_ENOMEM, "out of memory for the arrays of its body");
    ufc_status status = ctx->ops->alloc(ctx, stream, (size_t)size, &memory, err);
    if (status != UFC_OK)
        return fail_at(err, status, "the arrays of its body take %lld bytes", (long long)size);
    temps->memory[temps->n++] = memory;
    place(it, a, memory, &p);
    return p.axis == it->naxes ? ctx->ops->execute(ctx, stream, it, err)
                               : execute_parts(ctx, stream, it, a, &p, err);
}
