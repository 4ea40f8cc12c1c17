/* cuda.c: a GPU as a device: contexts, time. */
#include <stdlib.h>
#include <string.h>
#include "cuda.h"
#include "schedule/model.h"
#include "recorder.h"

/* ---- opening and closing */

static void space_init(struct space *space, CUcontext handle, unsigned long long id) {
    space->handle = handle;
    space->id = id;
    pthread_mutex_init(&space->loading, NULL);
    pthread_mutex_init(&space->claiming, NULL);
}

static bool is_alive(CUcontext handle, unsigned long long id) {
    unsigned long long now;
    return cuda.cuCtxGetId(handle, &now) == CUDA_SUCCESS && now == id;
}

/* Tries twice: after a failure nobody comes back to free what is in the space. */
static bool make_current(const struct space *space) {
    return cuda.cuCtxPushCurrent(space->handle) == CUDA_SUCCESS ||
           cuda.cuCtxPushCurrent(space->handle) == CUDA_SUCCESS;
}

/* Pops what make_current pushed.  The driver may report an earlier failure and have popped all the
 * same: a second pop would take the caller's CUcontext. */
static void pop_current(void) {
    CUcontext popped = NULL;
    if (cuda.cuCtxPopCurrent(&popped) != CUDA_SUCCESS && !popped)
        (void)cuda.cuCtxPopCurrent(&popped);
}

/* Frees what a space has; where its CUcontext is gone (not alive), the driver's objects are gone
 * too. */
static void space_close(struct space *space, bool alive) {
    alive = alive && make_current(space);
    if (alive)
        cuda.cuCtxSynchronize();
    cuda_forget_modules(space, alive);
    rings_free(space, alive);
    joined_free(space, alive);
    if (alive)
        pop_current();
    pthread_mutex_destroy(&space->loading);
    pthread_mutex_destroy(&space->claiming);
}

/* Asks for what the cost model needs; what the driver does not tell stays 0. */
static void query_rates(struct gpu_model *m, const struct cuda_state *state) {
    int clock = 0, memory_clock = 0, bits = 0, l2 = 0; /* clocks in kHz */
    const double reached = 0.9; /* fraction of the memory's peak rate that copies reach, on
                                   GPUs since 2017 */
    CUdevice device = state->device;
    cuda.cuDeviceGetAttribute(&m->threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                              device);
    cuda.cuDeviceGetAttribute(&clock, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
    cuda.cuDeviceGetAttribute(&memory_clock, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device);
    cuda.cuDeviceGetAttribute(&bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, device);
    cuda.cuDeviceGetAttribute(&l2, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device);
    m->l2 = l2;
    m->copy_rate = reached * 2e3 * memory_clock * bits / 8;
    model_rates(m, state->capability, 1e3 * clock);
}

static ufc_status query(ufc_context *ctx, struct cuda_state *state, ufc_error *err) {
    int major, minor;
    ufc_status status = CU(err, cuDeviceGetAttribute, &major,
                           CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, state->device);
    if (status == UFC_OK)
        status = CU(err, cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                    state->device);
    if (status == UFC_OK)
        status = CU(err, cuDeviceGetAttribute, &ctx->gpu.multiprocessors,
                    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, state->device);
    if (status != UFC_OK)
        return status;
    state->capability = major * 10 + minor;
    state->overlaps = cuda_waits(state->capability);
    if (cuda.cuFuncSetAttribute && cuda.cuFuncGetAttribute)
        cuda.cuDeviceGetAttribute(
            &state->shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, state->device);
    ctx->gpu.shared = state->shared;
    query_rates(&ctx->gpu, state);
    int cooperates = 0, clusters = 0;
    if (cuda.cuLaunchCooperativeKernel)
        cuda.cuDeviceGetAttribute(&cooperates, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH,
                                  state->device);
    ctx->gpu.together = cooperates ? ctx->gpu.multiprocessors : 0;
    if (cuda.cuLaunchKernelEx && ufc_module_fits(UFC_MODULE_CLUSTER, state->capability))
        cuda.cuDeviceGetAttribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, state->device);
    bool large = cuda.cuFuncSetAttribute && state->capability < CLUSTER_LARGE_BELOW &&
                 ctx->gpu.multiprocessors >= CLUSTER_LARGE_MULTIPROCESSORS;
    ctx->gpu.cluster = !clusters ? 0 : large ? CLUSTER_LARGE : CLUSTER_PORTABLE;
    return UFC_OK;
}

static void close_device(ufc_context *ctx) {
    struct cuda_state *state = ctx->state;
    for (struct space *space = state->others, *next; space; space = next) {
        next = space->next;
        space_close(space, is_alive(space->handle, space->id));
        free(space);
    }
    if (make_current(&state->primary)) {
        cuda_free_kept(state);
        pop_current();
    }
    space_close(&state->primary, true);
    foreign_close(state);
    cuda_pool_close(state);
    cuda.cuDevicePrimaryCtxRelease(state->device);
    pthread_mutex_destroy(&state->lock);
    free(state);
    ctx->state = NULL;
}

static ufc_status open_device(ufc_context *ctx, ufc_error *err) {
    struct cuda_state *state = calloc(1, sizeof *state);
    if (!state)
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    CUcontext primary;
    ufc_status status = CU(err, cuDeviceGet, &state->device, ctx->device.device_id);
    if (status == UFC_OK)
        status = query(ctx, state, err);
    if (status == UFC_OK)
        status = cuda_pool_open(state, err);
    if (status != UFC_OK) {
        free(state);
        return status;
    }
    ctx->gpu.memory = (int64_t)state->memory;
    status = CU(err, cuDevicePrimaryCtxRetain, &primary, state->device);
    if (status != UFC_OK) {
        cuda_pool_close(state);
        free(state);
        return status;
    }
    pthread_mutex_init(&state->lock, NULL);
    space_init(&state->primary, primary, 0);
    ctx->state = state;
    return UFC_OK;
}

static ufc_status properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    const struct cuda_state *state = ctx->state;
    size_t memory;
    memset(props, 0, sizeof *props);
    props->device = ctx->device;
    props->compute_capability = state->capability;
    props->multiprocessors = ctx->gpu.multiprocessors;
    ufc_status status =
        CU(err, cuDeviceGetName, props->name, (int)sizeof props->name, state->device);
    if (status == UFC_OK)
        status = CU(err, cuDriverGetVersion, &props->driver_version);
    if (status == UFC_OK)
        status = CU(err, cuDeviceTotalMem, &memory, state->device);
    if (status == UFC_OK)
        props->memory = memory;
    return status;
}

/* ---- CUcontexts */

static void drop_dead_spaces(struct cuda_state *state) {
    for (struct space **at = &state->others, *space; (space = *at);) {
        if (is_alive(space->handle, space->id)) {
            at = &space->next;
        } else {
            *at = space->next;
            space_close(space, false);
            free(space);
        }
    }
}

/* The space of a CUcontext that is current and not the primary one. */
static ufc_status other_space(struct cuda_state *state, CUcontext handle, struct space **found,
                              ufc_error *err) {
    unsigned long long id;
    if (!cuda.cuCtxGetId) /* a new CUcontext may have the handle of one that is gone */
        return fail(err, UFC_EDEVICE,
                    "a CUDA context other than the GPU's primary one needs a driver for CUDA 12.0 "
                    "or later");
    ufc_status status = CU(err, cuCtxGetId, handle, &id);
    if (status != UFC_OK)
        return status;
    pthread_mutex_lock(&state->lock);
    struct space *space = state->others;
    while (space && (space->handle != handle || space->id != id))
        space = space->next;
    if (!space) {
        drop_dead_spaces(state);
        if ((space = calloc(1, sizeof *space))) {
            space_init(space, handle, id);
            space->next = state->others;
            state->others = space;
        }
    }
    pthread_mutex_unlock(&state->lock);
    *found = space;
    return space ? UFC_OK : fail(err, UFC_ENOMEM, "out of memory for a CUDA context's cache");
}

/* NULL, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD belong to whichever CUcontext is current. */
static bool has_own_context(CUstream stream) {
    return (uintptr_t)stream > 2;
}

static ufc_status gpu_of_stream(void *stream, int *gpu, ufc_error *err) {
    CUcontext owner;
    CUdevice device;
    if (!has_own_context(stream))
        return UFC_OK;
    ufc_status status = CU(err, cuStreamGetCtx, stream, &owner);
    if (status == UFC_OK)
        status = CU(err, cuCtxPushCurrent, owner);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuCtxGetDevice, &device);
    pop_current();
    if (status == UFC_OK)
        *gpu = device;
    return status;
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
    else if (status == UFC_OK) { /* the thread's CUcontext is of another GPU */
        scope->pushed = true;
        return CU(err, cuCtxPushCurrent, state->primary.handle);
    }
    if (status != UFC_OK)
        cuda_leave(scope);
    return status;
}

ufc_status cuda_enter_stream(ufc_context *ctx, CUstream stream, struct scope *scope,
                             ufc_error *err) {
    CUcontext owner = NULL;
    if (!has_own_context(stream))
        return cuda_enter(ctx, stream, scope, err);
    *scope = (struct scope){.pushed = true};
    ufc_status status = CU(err, cuStreamGetCtx, stream, &owner);
    return status == UFC_OK ? CU(err, cuCtxPushCurrent, owner) : status;
}

bool cuda_is_alive(const ufc_context *ctx, const struct origin *origin) {
    const struct cuda_state *state = ctx->state;
    return origin->context == state->primary.handle || is_alive(origin->context, origin->id);
}

ufc_status cuda_enter_origin(ufc_context *ctx, const struct origin *origin, struct scope *scope) {
    if (!cuda_is_alive(ctx, origin))
        return cuda_enter(ctx, NULL, scope, NULL);
    *scope = (struct scope){.pushed = true};
    return CU(NULL, cuCtxPushCurrent, origin->context);
}

void cuda_leave(const struct scope *scope) {
    if (scope->pushed)
        pop_current();
}

/* The CUcontext of the space behind so many others; NULL: there is none. */
static CUcontext find_other(struct cuda_state *state, int number) {
    pthread_mutex_lock(&state->lock);
    const struct space *space = state->others;
    while (space && (number-- > 0 || !is_alive(space->handle, space->id)))
        space = space->next;
    CUcontext handle = space ? space->handle : NULL;
    pthread_mutex_unlock(&state->lock);
    return handle;
}

static ufc_status wait_for(CUcontext handle, ufc_error *err) {
    ufc_status status = CU(err, cuCtxPushCurrent, handle);
    if (status != UFC_OK)
        return status;
    status = cuda_check(cuda.cuCtxSynchronize(), "cuCtxSynchronize", err);
    pop_current();
    return status;
}

ufc_status cuda_wait_for_all(struct cuda_state *state, ufc_error *err) {
    ufc_status status = wait_for(state->primary.handle, err);
    CUcontext other;
    for (int i = 0; status == UFC_OK && (other = find_other(state, i)); i++)
        status = wait_for(other, err);
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

/* ---- time */

static ufc_status time_between(CUstream stream, CUevent start, CUevent end, void (*work)(void *arg),
                               void *arg, double *seconds, ufc_error *err) {
    float milliseconds = 0;
    ufc_status status = CU(err, cuEventRecord, start, stream);
    if (status != UFC_OK)
        return status;
    work(arg);
    status = CU(err, cuEventRecord, end, stream);
    if (status == UFC_OK)
        status = CU(err, cuEventSynchronize, end);
    if (status == UFC_OK)
        status = CU(err, cuEventElapsedTime, &milliseconds, start, end);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

static ufc_status elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                          double *seconds, ufc_error *err) {
    struct scope scope;
    CUevent start, end;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuEventCreate, &start, CU_EVENT_DEFAULT);
    if (status == UFC_OK) {
        status = CU(err, cuEventCreate, &end, CU_EVENT_DEFAULT);
        if (status == UFC_OK) {
            status = time_between(stream, start, end, work, arg, seconds, err);
            cuda.cuEventDestroy(end);
        }
        cuda.cuEventDestroy(start);
    }
    cuda_leave(&scope);
    return status;
}

const struct device_ops device_cuda = {
    .name = "cuda",
    .memory = kDLCUDA,
    .launches = true,
    .part_bytes = PART_BYTES,
    .count = cuda_count,
    .count_quickly = cuda_count_quickly,
    .of_stream = gpu_of_stream,
    .runs = cuda_runs,
    .open = open_device,
    .close = close_device,
    .properties = properties,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .clear = cuda_clear,
    .own = &cuda_memory,
    .streams = &cuda_streams,
    .copy = cuda_copy,
    .upload = cuda_upload,
    .download_begin = cuda_download_begin,
    .download_end = cuda_download_end,
    .copy_pinned = cuda_copy_pinned,
    .execute = cuda_execute,
    .reduce = cuda_reduce,
    .at = at_on_gpu,
    .describe = describe_launches,
    .describe_reduction = describe_reducing_launches,
    .prepare = cuda_prepare,
    .prepare_reduction = cuda_prepare_reduction,
    .facts = cuda_facts,
    .synchronize = synchronize,
    .elapsed = elapsed,
};
