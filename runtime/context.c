/* context.c: contexts, those that programs make and the process's own, one a device. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rt.h"

#define MAX_GPUS 64

static ufc_status open_context(ufc_context **ctx, const struct device_ops *ops, DLDevice device,
                               int threads, ufc_error *err) {
    ufc_context *c = calloc(1, sizeof *c);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    c->ops = ops;
    c->device = device;
    c->threads = threads;
    ufc_status status = c->ops->open(c, err);
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

static DLDevice default_device(void) {
    if (cuda_device_count(NULL) > 0)
        return (DLDevice){kDLCUDA, 0};
    return (DLDevice){kDLCPU, 0};
}

static const struct device_ops *ops_of(DLDevice device) {
    return device.device_type == kDLCPU ? &device_cpu : &device_cuda;
}

static ufc_status parse_device(const char *text, DLDevice *device, ufc_error *err) {
    if (strcmp(text, "auto") == 0) {
        *device = default_device();
        return UFC_OK;
    }
    *device = (DLDevice){kDLCPU, 0};
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
        return open_context(ctx, &device_sim, (DLDevice){kDLCPU, 0}, threads, err);
    DLDevice d;
    ufc_status status = parse_device(device, &d, err);
    return status == UFC_OK ? open_context(ctx, ops_of(d), d, threads, err) : status;
}

ufc_status shared_context(ufc_context **ctx, DLDevice device, ufc_error *err) {
    static _Atomic(ufc_context *) shared[1 + MAX_GPUS]; /* the host, the GPUs */
    bool on_host = device.device_type == kDLCPU;
    int id = device.device_id, i = on_host ? 0 : id >= 0 && id < MAX_GPUS ? 1 + id : -1;
    *ctx = i >= 0 ? atomic_load(&shared[i]) : NULL;
    if (*ctx)
        return UFC_OK;
    ufc_status status = on_host ? UFC_OK : check_gpu(id, err);
    /* Opened without a lock, so that a fork in another thread cannot leave one held. */
    ufc_context *made, *first = NULL;
    if (status == UFC_OK)
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

ufc_status choose_context(ufc_context **ctx, int n, const struct operand *op, ufc_error *err) {
    DLDevice device = {kDLCPU, 0};
    for (int k = 0; k < n; k++) {
        if (op[k].ndim < 0 || op[k].device.device_type == kDLCPU)
            continue;
        if (device.device_type != kDLCPU && device.device_id != op[k].device.device_id)
            return fail(err, UFC_EDEVICE, "arrays are on GPU %d and on GPU %d: copy them to one",
                        (int)device.device_id, (int)op[k].device.device_id);
        device = op[k].device;
    }
    if (!*ctx)
        return shared_context(ctx, device.device_type == kDLCPU ? default_device() : device, err);
    if (device.device_type == kDLCPU)
        return UFC_OK;
    if ((*ctx)->device.device_type == kDLCPU)
        return fail(err, UFC_EDEVICE, "an array is on GPU %d, the context is the host's",
                    (int)device.device_id);
    if ((*ctx)->device.device_id != device.device_id)
        return fail(err, UFC_EDEVICE, "an array is on GPU %d, the context is GPU %d's",
                    (int)device.device_id, (int)(*ctx)->device.device_id);
    return UFC_OK;
}

ufc_status ufc_context_properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    if (!props)
        return fail(err, UFC_EINVAL, "props is NULL");
    ufc_status status = choose_context(&ctx, 0, NULL, err);
    return status == UFC_OK ? ctx->ops->properties(ctx, props, err) : status;
}

int ufc_device_count(const char **why) {
    return cuda_device_count(why);
}

ufc_status ufc_synchronize(ufc_context *ctx, void *stream, ufc_error *err) {
    ufc_status status = choose_context(&ctx, 0, NULL, err);
    return status == UFC_OK ? ctx->ops->synchronize(ctx, stream, err) : status;
}
