/* context.c: contexts, those that programs make and the process's own, one a device; and in which
 * of them a call runs. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "level.h"
#include "rt.h"

#define MAX_GPUS 64

static const DLDevice host = {kDLCPU, 0};

/* What a user has set is told where it says nothing, of every device, whether it counts there or
 * not. */
static ufc_status check_environment(ufc_error *err) {
    if (wished_level() < 0)
        return fail(err, UFC_EINVAL,
                    "the environment variable UFC_LEVEL is '%.100s': it may be v2, v3 or v4",
                    getenv("UFC_LEVEL"));
    if (wished_threads() < 0)
        return fail(err, UFC_EINVAL,
                    "the environment variable UFC_NUM_THREADS is '%.100s': it may be a whole "
                    "number from 1 on",
                    getenv("UFC_NUM_THREADS"));
    return UFC_OK;
}

static ufc_status open_context(ufc_context **ctx, const struct device_ops *ops, DLDevice device,
                               int threads, ufc_error *err) {
    ufc_status status = check_environment(err);
    if (status != UFC_OK)
        return status;
    ufc_context *c = calloc(1, sizeof *c);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    c->ops = ops;
    c->device = device;
    c->threads = !threads ? default_threads() : threads < MAX_THREADS ? threads : MAX_THREADS;
    status = c->ops->open(c, err);
    if (status != UFC_OK) {
        free(c);
        return status;
    }
    *ctx = c;
    return UFC_OK;
}

void ufc_context_free(ufc_context *ctx) {
    if (!ctx)
        return;
    ctx->ops->close(ctx);
    free(ctx);
}

static ufc_status check_gpu(int id, ufc_error *err) {
    const char *why;
    int count = cuda_device_count(&why);
    if (count == 0)
        return fail(err, UFC_EDEVICE, "no GPU can be used: %s", why ? why : "none was found");
    if (id < 0 || id >= count || id >= MAX_GPUS)
        return fail(err, UFC_EDEVICE, "there is no GPU %d: the last is %d", id, count - 1);
    return UFC_OK;
}

static const struct device_ops *ops_of(DLDevice device) {
    return device.device_type == kDLCPU ? &device_cpu : &device_cuda;
}

static ufc_status parse_device(const char *text, DLDevice *device, ufc_error *err) {
    *device = host;
    if (strcmp(text, "cpu") == 0)
        return UFC_OK;
    device->device_type = kDLCUDA;
    if (strcmp(text, "cuda") == 0)
        return check_gpu(0, err);
    if (strncmp(text, "cuda:", 5) == 0 && text[5] >= '0' && text[5] <= '9') {
        char *end;
        long id = strtol(text + 5, &end, 10);
        if (*end == '\0') {
            device->device_id = id < INT32_MAX ? (int32_t)id : INT32_MAX;
            return check_gpu(device->device_id, err);
        }
    }
    return fail(err, UFC_EINVAL, "unknown device '%s': say auto, cpu, cuda, cuda:N or sim", text);
}

ufc_status ufc_context_new(ufc_context **ctx, const char *device, int threads, ufc_error *err) {
    if (!ctx || !device)
        return fail(err, UFC_EINVAL, "%s is NULL", ctx ? "device" : "ctx");
    if (threads < 0)
        return fail(err, UFC_EINVAL, "threads is %d: say 0 for one a core", threads);
    if (strcmp(device, device_sim.name) == 0) /* its arrays are the host's */
        return open_context(ctx, &device_sim, host, threads, err);
    DLDevice d = {kDLCUDA, 0};
    if (strcmp(device, "auto") == 0)
        return cuda_device_count(NULL) > 0 &&
                       open_context(ctx, &device_cuda, d, threads, NULL) == UFC_OK
                   ? UFC_OK
                   : open_context(ctx, &device_cpu, host, threads, err);
    ufc_status status = parse_device(device, &d, err);
    return status == UFC_OK ? open_context(ctx, ops_of(d), d, threads, err) : status;
}

/* ---- the process's own */

static _Atomic(ufc_context *) shared[1 + MAX_GPUS]; /* the host, the GPUs */

ufc_status shared_context(ufc_context **ctx, DLDevice device, ufc_error *err) {
    bool on_host = device.device_type == kDLCPU;
    ufc_status status = on_host ? UFC_OK : check_gpu(device.device_id, err);
    if (status != UFC_OK)
        return status;
    int i = on_host ? 0 : 1 + device.device_id;
    if ((*ctx = atomic_load(&shared[i])))
        return UFC_OK;
    /* Opened without a lock, so that a fork in another thread cannot leave one held. */
    ufc_context *made, *first = NULL;
    status = open_context(&made, ops_of(device), device, 0, err);
    if (status != UFC_OK)
        return status;
    if (atomic_compare_exchange_strong(&shared[i], &first, made)) {
        *ctx = made;
    } else {
        ufc_context_free(made);
        *ctx = first;
    }
    return UFC_OK;
}

/* ---- where a call runs */

static bool on_host(const struct operand *op) {
    return op->ndim < 0 || op->device.device_type == kDLCPU;
}

/* Arrays that are on a GPU, given by their index; -1: none. */
struct places {
    int gpu; /* the first in GPU memory */
    int own; /* the first in memory of one GPU, which managed memory is not */
};

static ufc_status find_places(struct places *at, int n, const struct operand *op,
                              const char *const *names, ufc_error *err) {
    *at = (struct places){-1, -1};
    for (int k = 0; k < n; k++) {
        if (on_host(&op[k]))
            continue;
        if (at->gpu < 0)
            at->gpu = k;
        if (op[k].device.device_id == ANY_GPU)
            continue;
        if (at->own < 0)
            at->own = k;
        if (op[at->own].device.device_id != op[k].device.device_id)
            return fail(err, UFC_EDEVICE,
                        "array '%s' is on GPU %d and '%s' on GPU %d: copy them to one",
                        names[at->own], (int)op[at->own].device.device_id, names[k],
                        (int)op[k].device.device_id);
    }
    return UFC_OK;
}

static ufc_status check_context(const ufc_context *ctx, const struct places *at,
                                const struct operand *op, const char *const *names,
                                ufc_error *err) {
    if (at->gpu >= 0 && ctx->device.device_type == kDLCPU)
        return fail(err, UFC_EDEVICE, "array '%s' is in GPU memory, the context is the host's",
                    names[at->gpu]);
    if (at->own >= 0 && ctx->device.device_id != op[at->own].device.device_id)
        return fail(err, UFC_EDEVICE, "array '%s' is on GPU %d, the context is GPU %d's",
                    names[at->own], (int)op[at->own].device.device_id, (int)ctx->device.device_id);
    return UFC_OK;
}

ufc_status default_context(ufc_context **ctx, void *stream, const struct ufc_overload *overload,
                           ufc_error *err) {
    DLDevice gpu = {kDLCUDA, 0};
    if (cuda_devices() > 0) {
        ufc_status status = cuda_stream_gpu(stream, &gpu.device_id, err);
        if (status != UFC_OK)
            return status;
        if (shared_context(ctx, gpu, NULL) == UFC_OK && (!overload || cuda_runs(*ctx, overload)))
            return UFC_OK;
    }
    return shared_context(ctx, host, err);
}

ufc_status choose_context(ufc_context **ctx, void *stream, const struct ufc_overload *overload,
                          int n, const struct operand *op, const char *const *names,
                          ufc_error *err) {
    struct places at;
    ufc_status status = find_places(&at, n, op, names, err);
    if (status != UFC_OK)
        return status;
    if (*ctx)
        return check_context(*ctx, &at, op, names, err);
    if (at.gpu < 0)
        return default_context(ctx, stream, overload, err);
    DLDevice gpu = {kDLCUDA, 0};
    if (at.own >= 0)
        gpu = op[at.own].device;
    else if ((status = cuda_stream_gpu(stream, &gpu.device_id, err)) != UFC_OK)
        return status;
    return shared_context(ctx, gpu, err);
}

/* ---- what a context is asked */

ufc_status ufc_context_properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    if (!props)
        return fail(err, UFC_EINVAL, "props is NULL");
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, NULL, NULL, err);
    return status == UFC_OK ? ctx->ops->properties(ctx, props, err) : status;
}

int ufc_device_count(const char **why) {
    return cuda_device_count(why);
}

ufc_status ufc_synchronize(ufc_context *ctx, void *stream, ufc_error *err) {
    if (ctx)
        return ctx->ops->synchronize(ctx, stream, err);
    int first = 0, last = cuda_devices() - 1, of_stream = -1;
    ufc_status status = last < 0 ? UFC_OK : cuda_stream_gpu(stream, &of_stream, err);
    if (of_stream >= 0)
        first = last = of_stream;
    for (int i = first; i <= last && i < MAX_GPUS && status == UFC_OK; i++)
        if ((ctx = atomic_load(&shared[1 + i])))
            status = ctx->ops->synchronize(ctx, stream, err);
    return status;
}

ufc_status ufc_elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                       double *seconds, ufc_error *err) {
    if (!work || !seconds)
        return fail(err, UFC_EINVAL, "%s is NULL", work ? "seconds" : "work");
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, stream, NULL, err);
    return status == UFC_OK ? ctx->ops->elapsed(ctx, stream, work, arg, seconds, err) : status;
}
