/* dev_cuda.c: a GPU as a device: contexts, memory, copies. */
#include <stdlib.h>
#include <string.h>
#include "dev_cuda.h"

/* ---- opening and closing */

static void space_init(struct space *space, CUcontext handle, unsigned long long id) {
    space->handle = handle;
    space->id = id;
    pthread_mutex_init(&space->loading, NULL);
    pthread_mutex_init(&space->ring.lock, NULL);
}

static void space_destroy(struct space *space) {
    pthread_mutex_destroy(&space->loading);
    pthread_mutex_destroy(&space->ring.lock);
}

/* A pool of our own keeps freed memory for the next call without changing how long the device's
 * default pool, which belongs to everyone, keeps it. */
static ufc_status make_pool(struct cuda_state *state, ufc_error *err) {
    int supported = 0;
    if (cuda.cuMemPoolCreate && cuda.cuMemPoolSetAttribute && cuda.cuMemPoolDestroy &&
        cuda.cuMemAllocFromPoolAsync && cuda.cuMemFreeAsync)
        cuda.cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
                                  state->device);
    if (!supported)
        return UFC_OK;
    struct cuda_pool_props props = {.allocation = CU_MEM_ALLOCATION_TYPE_PINNED,
                                    .location = CU_MEM_LOCATION_TYPE_DEVICE,
                                    .device = state->device};
    ufc_status status = CU(err, cuMemPoolCreate, &state->pool, &props);
    if (status != UFC_OK)
        return status;
    uint64_t keep = UINT64_MAX;
    return CU(err, cuMemPoolSetAttribute, state->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
}

static ufc_status query(struct cuda_state *state, ufc_error *err) {
    int major, minor, pitch;
    ufc_status status = CU(err, cuDeviceGetAttribute, &major,
                           CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, state->device);
    if (status == UFC_OK)
        status = CU(err, cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                    state->device);
    if (status == UFC_OK)
        status =
            CU(err, cuDeviceGetAttribute, &pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH, state->device);
    if (status != UFC_OK)
        return status;
    state->capability = major * 10 + minor;
    state->max_pitch = (size_t)pitch;
    return UFC_OK;
}

static void close_device(ufc_context *ctx) {
    struct cuda_state *state = ctx->state;
    if (cuda.cuCtxPushCurrent(state->primary.handle) == CUDA_SUCCESS) {
        cuda.cuCtxSynchronize();
        cuda_forget_modules(&state->primary, true);
        ring_free(&state->primary.ring);
        if (state->pool)
            cuda.cuMemPoolDestroy(state->pool);
        cuda.cuCtxPopCurrent(&(CUcontext){NULL});
    }
    space_destroy(&state->primary);
    /* Other CUcontexts are their owners' and may be gone: what was made there ends with them. */
    for (struct space *space = state->others, *next; space; space = next) {
        next = space->next;
        cuda_forget_modules(space, false);
        space_destroy(space);
        free(space);
    }
    cuda.cuDevicePrimaryCtxRelease(state->device);
    pthread_mutex_destroy(&state->lock);
    free(state);
    ctx->state = NULL;
}

static ufc_status open_device(ufc_context *ctx, ufc_error *err) {
    const char *why;
    int gpus = cuda_device_count(&why), wanted = ctx->device.device_id;
    if (gpus == 0)
        return fail(err, UFC_EDEVICE, "device 'cuda:%d': %s", wanted, why);
    if (wanted < 0 || wanted >= gpus)
        return fail(err, UFC_EDEVICE, "device 'cuda:%d': there %s %d GPU%s, counted from 0", wanted,
                    gpus == 1 ? "is" : "are", gpus, gpus == 1 ? "" : "s");

    struct cuda_state *state = calloc(1, sizeof *state);
    if (!state)
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    CUcontext primary;
    ufc_status status = CU(err, cuDeviceGet, &state->device, wanted);
    if (status == UFC_OK)
        status = query(state, err);
    if (status == UFC_OK)
        status = CU(err, cuDevicePrimaryCtxRetain, &primary, state->device);
    if (status != UFC_OK) {
        free(state);
        return status;
    }
    pthread_mutex_init(&state->lock, NULL);
    space_init(&state->primary, primary, 0);
    ctx->state = state;
    status = make_pool(state, err);
    if (status != UFC_OK)
        close_device(ctx);
    return status;
}

static ufc_status properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    const struct cuda_state *state = ctx->state;
    size_t memory;
    memset(props, 0, sizeof *props);
    props->device = ctx->device;
    props->compute_capability = state->capability;
    ufc_status status =
        CU(err, cuDeviceGetName, props->name, (int)sizeof props->name, state->device);
    if (status == UFC_OK)
        status = CU(err, cuDeviceGetAttribute, &props->multiprocessors,
                    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, state->device);
    if (status == UFC_OK)
        status = CU(err, cuDriverGetVersion, &props->driver_version);
    if (status == UFC_OK)
        status = CU(err, cuDeviceTotalMem, &memory, state->device);
    if (status == UFC_OK)
        props->memory = memory;
    return status;
}

/* ---- CUcontexts */

/* The space of a CUcontext that is current and not the primary one. */
static ufc_status other_space(struct cuda_state *state, CUcontext handle, struct space **found,
                              ufc_error *err) {
    unsigned long long id = 0;
    if (cuda.cuCtxGetId) {
        ufc_status status = CU(err, cuCtxGetId, handle, &id);
        if (status != UFC_OK)
            return status;
    }
    pthread_mutex_lock(&state->lock);
    struct space *space = state->others;
    while (space && (space->handle != handle || space->id != id))
        space = space->next;
    if (!space && (space = calloc(1, sizeof *space))) {
        space_init(space, handle, id);
        space->next = state->others;
        state->others = space;
    }
    pthread_mutex_unlock(&state->lock);
    *found = space;
    return space ? UFC_OK : fail(err, UFC_ENOMEM, "out of memory for a CUDA context's cache");
}

/* NULL, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD belong to whichever CUcontext is current. */
static bool has_own_context(CUstream stream) {
    return (uintptr_t)stream > 2;
}

ufc_status cuda_enter(ufc_context *ctx, CUstream stream, struct scope *scope, ufc_error *err) {
    struct cuda_state *state = ctx->state;
    CUcontext current = NULL, target = NULL;
    ufc_status status = CU(err, cuCtxGetCurrent, &current);
    if (status == UFC_OK && has_own_context(stream))
        status = CU(err, cuStreamGetCtx, stream, &target);
    if (status != UFC_OK)
        return status;
    if (!target)
        target = current ? current : state->primary.handle;

    *scope = (struct scope){&state->primary, target != current};
    if (scope->pushed && (status = CU(err, cuCtxPushCurrent, target)) != UFC_OK)
        return status;
    if (target == state->primary.handle)
        return UFC_OK;

    CUdevice device;
    status = CU(err, cuCtxGetDevice, &device);
    if (status == UFC_OK && device == state->device)
        status = other_space(state, target, &scope->space, err);
    else if (status == UFC_OK && has_own_context(stream))
        status = fail(err, UFC_EDEVICE,
                      "the stream belongs to GPU %d, the context to GPU %d: pass "
                      "a stream of the context's GPU",
                      device, state->device);
    else if (status == UFC_OK) { /* the thread is at work on another GPU */
        scope->pushed = true;
        return CU(err, cuCtxPushCurrent, state->primary.handle);
    }
    if (status != UFC_OK)
        cuda_leave(scope);
    return status;
}

void cuda_leave(const struct scope *scope) {
    if (scope->pushed)
        cuda.cuCtxPopCurrent(&(CUcontext){NULL});
}

/* ---- memory */

static ufc_status alloc_memory(ufc_context *ctx, void *stream, size_t size, void **memory,
                               ufc_error *err) {
    const struct cuda_state *state = ctx->state;
    struct scope scope;
    CUdeviceptr address = 0;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    if (size > 0 && state->pool)
        status = CU(err, cuMemAllocFromPoolAsync, &address, size, state->pool, stream);
    else if (size > 0)
        status = CU(err, cuMemAlloc, &address, size);
    cuda_leave(&scope);
    if (status == UFC_ENOMEM)
        fail(err, status, "out of memory on GPU %d: %zu bytes were asked for", state->device, size);
    *memory = (void *)(uintptr_t)address;
    return status;
}

static void free_memory(ufc_context *ctx, void *stream, void *memory) {
    const struct cuda_state *state = ctx->state;
    struct scope scope;
    if (!memory || cuda_enter(ctx, stream, &scope, NULL) != UFC_OK)
        return;
    if (state->pool)
        cuda.cuMemFreeAsync((uintptr_t)memory, stream);
    else
        cuda.cuMemFree((uintptr_t)memory);
    cuda_leave(&scope);
}

static ufc_status copy_rows(const struct cuda_state *state, CUstream stream,
                            const struct cuda_copy2d *rows, uintptr_t dst, uintptr_t src,
                            ufc_error *err) {
    if (rows->height == 1 || (rows->dst_pitch == rows->width && rows->src_pitch == rows->width))
        return CU(err, cuMemcpyAsync, dst, src, rows->width * rows->height, stream);
    if (rows->dst_pitch <= state->max_pitch && rows->src_pitch <= state->max_pitch)
        return CU(err, cuMemcpy2DAsync, rows, stream);
    ufc_status status = UFC_OK;
    for (size_t i = 0; i < rows->height && status == UFC_OK; i++)
        status = CU(err, cuMemcpyAsync, dst + i * rows->dst_pitch, src + i * rows->src_pitch,
                    rows->width, stream);
    return status;
}

static ufc_status copy(ufc_context *ctx, void *stream, void *dst, size_t dst_pitch,
                       DLDeviceType dst_kind, const void *src, size_t src_pitch,
                       DLDeviceType src_kind, size_t width, size_t height, ufc_error *err) {
    struct cuda_copy2d rows = {
        .src_type = src_kind == kDLCUDA ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
        .src_host = src,
        .src_device = (uintptr_t)src,
        .src_pitch = src_pitch,
        .dst_type = dst_kind == kDLCUDA ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
        .dst_host = dst,
        .dst_device = (uintptr_t)dst,
        .dst_pitch = dst_pitch,
        .width = width,
        .height = height,
    };
    struct scope scope;
    if (width == 0 || height == 0)
        return UFC_OK;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = copy_rows(ctx->state, stream, &rows, (uintptr_t)dst, (uintptr_t)src, err);
    if (status == UFC_OK && (dst_kind != kDLCUDA || src_kind != kDLCUDA))
        status = CU(err, cuStreamSynchronize, stream);
    cuda_leave(&scope);
    return status;
}

static ufc_status synchronize(ufc_context *ctx, void *stream, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuStreamSynchronize, stream);
    cuda_leave(&scope);
    return status;
}

const struct device_ops device_cuda = {
    .name = "cuda",
    .open = open_device,
    .close = close_device,
    .properties = properties,
    .alloc = alloc_memory,
    .free = free_memory,
    .copy = copy,
    .execute = cuda_execute,
    .reduce = cuda_reduce,
    .synchronize = synchronize,
};
