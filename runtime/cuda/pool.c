/* pool.c: memory of a GPU: a pool that keeps what calls free for the next ones, its limit, and
 * memory that cannot be freed yet. */
#include <stdlib.h>

#include "cuda.h"

/* ---- the pool */

/* Sets the bytes that a pool keeps of what is freed. */
static bool set_kept(CUmemoryPool pool, uint64_t bytes) {
    return cuda.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes) ==
           CUDA_SUCCESS;
}

/* A pool of our own keeps freed memory for the next call without changing how long the device's
 * default pool, which belongs to everyone, keeps it.  Without a pool memory comes from
 * cuMemAlloc. */
static CUmemoryPool make_pool(CUdevice device, size_t memory) {
    CUmemoryPool pool = NULL;
    int supported = 0;
    if (cuda.cuMemPoolCreate && cuda.cuMemPoolSetAttribute && cuda.cuMemPoolDestroy &&
        cuda.cuMemAllocFromPoolAsync && cuda.cuMemFreeAsync)
        cuda.cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device);
    struct cuda_pool_props props = {.allocation = CU_MEM_ALLOCATION_TYPE_PINNED,
                                    .location = CU_MEM_LOCATION_TYPE_DEVICE,
                                    .device = device};
    if (!supported || cuda.cuMemPoolCreate(&pool, &props) != CUDA_SUCCESS)
        return NULL;
    uint64_t part = memory / POOL_KEPT_PART;
    if (!set_kept(pool, part > POOL_KEPT_MIN ? part : POOL_KEPT_MIN)) {
        cuda.cuMemPoolDestroy(pool);
        return NULL;
    }
    return pool;
}

/* Arrays may outlive their context.  CUDA allows to destroy a pool that has memory in use, but
 * drivers (580.159 on an H100) then crash some calls later.  Such pools stay until that is freed,
 * and another context of the GPU is opened or closed; those for which there is no place stay. */
enum { MAX_PARKED = 16 };
static CUmemoryPool parked[MAX_GPUS][MAX_PARKED];
static pthread_mutex_t parking = PTHREAD_MUTEX_INITIALIZER;

static bool is_in_use(CUmemoryPool pool) {
    uint64_t used = 1;
    return !cuda.cuMemPoolGetAttribute ||
           cuda.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) !=
               CUDA_SUCCESS ||
           used > 0;
}

/* Destroys a pool, unless it is in use. */
static bool destroy_unused(CUmemoryPool pool) {
    if (is_in_use(pool))
        return false;
    cuda.cuMemPoolDestroy(pool);
    return true;
}

/* Destroys the GPU's pools that are not in use any more, and `pool`, unless it is NULL, now or
 * later. */
static void destroy_pools(CUdevice device, CUmemoryPool pool) {
    pthread_mutex_lock(&parking);
    if (pool && destroy_unused(pool))
        pool = NULL;
    if (pool)
        set_kept(pool, 0);
    for (int i = 0; i < MAX_PARKED; i++) {
        CUmemoryPool *p = &parked[device][i];
        if (*p && destroy_unused(*p))
            *p = NULL;
        if (!*p) {
            *p = pool;
            pool = NULL;
        }
    }
    pthread_mutex_unlock(&parking);
}

/* Can the pool be asked what it has, and told to give it back? */
static ufc_status check_pool(const struct cuda_state *state, ufc_error *err) {
    if (state->pool && cuda.cuMemPoolGetAttribute && cuda.cuMemPoolTrimTo)
        return UFC_OK;
    return fail(err, UFC_EDEVICE,
                "GPU %d has no memory pool whose use is known: that needs a driver for CUDA 11.3 "
                "or later, and a GPU that has pools",
                state->device);
}

ufc_status cuda_pool_open(struct cuda_state *state, ufc_error *err) {
    ufc_status status = CU(err, cuDeviceTotalMem, &state->memory, state->device);
    if (status != UFC_OK)
        return status;
    uint64_t limit = wished_limit(state->memory);
    pthread_mutex_init(&state->limiting, NULL);
    destroy_pools(state->device, NULL);
    state->pool = make_pool(state->device, state->memory);
    if (limit > 0 && (status = check_pool(state, err)) != UFC_OK) {
        cuda_pool_close(state);
        return fail_at(err, status, "UFC_GPU_MEMORY_LIMIT is set");
    }
    atomic_init(&state->limit, limit);
    return UFC_OK;
}

void cuda_pool_close(struct cuda_state *state) {
    destroy_pools(state->device, state->pool);
    pthread_mutex_destroy(&state->limiting);
}

static ufc_status read_pool(const struct cuda_state *state, int attribute, uint64_t *bytes,
                            ufc_error *err) {
    return CU(err, cuMemPoolGetAttribute, state->pool, attribute, bytes);
}

static ufc_status statistics(ufc_context *ctx, ufc_pool *pool, ufc_error *err) {
    struct cuda_state *state = ctx->state;
    uint64_t used, peak;
    ufc_status status = check_pool(state, err);
    pool->limit = atomic_load(&state->limit);
    if (status == UFC_OK)
        status = read_pool(state, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &pool->used, err);
    if (status == UFC_OK)
        status = read_pool(state, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &pool->reserved, err);
    if (status == UFC_OK)
        status = read_pool(state, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &pool->peak, err);
    foreign_statistics(state, &used, &peak);
    pool->used += used;
    pool->reserved += used;
    pool->peak = peak > pool->peak ? peak : pool->peak;
    return status;
}

/* Gives back what the pool keeps beyond so many bytes.  Waits for all work first: what it frees is
 * given back too. */
static ufc_status trim(struct cuda_state *state, size_t kept, ufc_error *err) {
    ufc_status status = cuda_wait_for_all(state, err);
    return status == UFC_OK ? CU(err, cuMemPoolTrimTo, state->pool, kept) : status;
}

static ufc_status free_all(ufc_context *ctx, ufc_error *err) {
    struct cuda_state *state = ctx->state;
    struct scope scope;
    ufc_status status = check_pool(state, err);
    if (status == UFC_OK)
        status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    cuda_free_kept(state);
    status = trim(state, 0, err);
    cuda_leave(&scope);
    return status;
}

static ufc_status set_limit(ufc_context *ctx, uint64_t bytes, ufc_error *err) {
    struct cuda_state *state = ctx->state;
    ufc_status status = bytes > 0 ? check_pool(state, err) : UFC_OK;
    if (status == UFC_OK)
        atomic_store(&state->limit, bytes);
    return status;
}

/* ---- memory that could not be freed */

/* Memory that could not be freed when it should have been: no CUcontext was left, or the driver
 * failed.  It waits for the next call that allocates, in whatever context of the GPU, since the one
 * that it is from may be closed by then. */
static _Atomic(struct unfreed *) unfreed[MAX_GPUS];

struct unfreed {
    CUdeviceptr memory;
    bool pinned;
    struct unfreed *next;
};

static void keep(const struct cuda_state *state, struct unfreed *kept) {
    _Atomic(struct unfreed *) *first = &unfreed[state->device];
    kept->next = atomic_load(first);
    while (!atomic_compare_exchange_weak(first, &kept->next, kept))
        ;
}

/* Keeps memory to free later; where malloc fails, the memory is lost. */
static void keep_unfreed(const struct cuda_state *state, CUdeviceptr memory, bool pinned) {
    struct unfreed *kept = malloc(sizeof *kept);
    if (!kept)
        return;
    kept->memory = memory;
    kept->pinned = pinned;
    keep(state, kept);
}

/* Was the memory freed?  An address that the driver does not know is gone with its CUcontext. */
static bool is_freed(CUresult result) {
    return result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_VALUE;
}

static CUresult free_now(CUdeviceptr memory, bool pinned) {
    return pinned ? cuda.cuMemFreeHost((void *)(uintptr_t)memory) : cuda.cuMemFree(memory);
}

/* The stream that used the memory last may be gone: all work is waited for. */
void cuda_free_kept(const struct cuda_state *state) {
    if (!atomic_load(&unfreed[state->device]))
        return;
    struct unfreed *first = atomic_exchange(&unfreed[state->device], NULL);
    bool idle = first && cuda.cuCtxSynchronize() == CUDA_SUCCESS;
    for (struct unfreed *kept = first, *next; kept; kept = next) {
        next = kept->next;
        if (idle && is_freed(free_now(kept->memory, kept->pinned)))
            free(kept);
        else
            keep(state, kept);
    }
}

/* ---- memory */

static ufc_status take_any(const struct cuda_state *state, CUstream stream, size_t size,
                           CUdeviceptr *address, ufc_error *err) {
    CUmemoryPool pool = state->pool;
    ufc_status status = pool ? CU(err, cuMemAllocFromPoolAsync, address, size, pool, stream)
                             : CU(err, cuMemAlloc, address, size);
    if (status == UFC_ENOMEM)
        fail(err, status, "out of memory on GPU %d: %zu bytes were asked for", state->device, size);
    return status;
}

/* What is used of the pool, and of the caller's allocators. */
static ufc_status read_used(struct cuda_state *state, uint64_t *used, ufc_error *err) {
    uint64_t foreign, peak;
    ufc_status status = read_pool(state, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, used, err);
    foreign_statistics(state, &foreign, &peak);
    *used += foreign;
    return status;
}

/* Fails where `size` bytes more would exceed the limit. */
static ufc_status check_limit(struct cuda_state *state, uint64_t limit, size_t size,
                              ufc_error *err) {
    uint64_t used = 0;
    ufc_status status = read_used(state, &used, err);
    if (status == UFC_OK && (size > limit || used > limit - size))
        return fail(err, UFC_ENOMEM,
                    "out of memory on GPU %d: %zu bytes were asked for, and %llu of the %llu that "
                    "its limit allows are in use",
                    state->device, size, (unsigned long long)used, (unsigned long long)limit);
    return status;
}

/* Takes memory from a pool with a limit, and gives back what the pool keeps beyond that. */
static ufc_status take_within(struct cuda_state *state, uint64_t limit, CUstream stream,
                              size_t size, CUdeviceptr *address, ufc_error *err) {
    uint64_t reserved = 0;
    pthread_mutex_lock(&state->limiting);
    ufc_status status = check_limit(state, limit, size, err);
    if (status == UFC_OK)
        status = take_any(state, stream, size, address, err);
    if (status == UFC_OK &&
        read_pool(state, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved, NULL) == UFC_OK &&
        reserved > limit)
        cuda.cuMemPoolTrimTo(state->pool, limit);
    pthread_mutex_unlock(&state->limiting);
    return status;
}

static ufc_status take(struct cuda_state *state, uint64_t limit, CUstream stream, size_t size,
                       CUdeviceptr *address, ufc_error *err) {
    return limit > 0 ? take_within(state, limit, stream, size, address, err)
                     : take_any(state, stream, size, address, err);
}

/* More than the device has is refused here: the driver takes some 0.2 s to find that out, and has
 * crashed in the wait after that on a machine of several GPUs.
 * Frees of other streams may be all that it wants for.  They are waited for without the lock: the
 * work before them may wait for what another thread is about to do, which takes memory too. */
static ufc_status take_or_wait(struct cuda_state *state, CUstream stream, size_t size,
                               CUdeviceptr *address, ufc_error *err) {
    if (size > state->memory)
        return fail(err, UFC_ENOMEM,
                    "out of memory on GPU %d: %zu bytes were asked for, and it has %zu",
                    state->device, size, state->memory);
    uint64_t limit = atomic_load(&state->limit);
    ufc_status status = take(state, limit, stream, size, address, err);
    bool may_fit = limit == 0 || size <= limit;
    if (status != UFC_ENOMEM || !may_fit || !state->pool || !cuda.cuMemPoolTrimTo)
        return status;
    status = trim(state, limit > 0 ? limit - size : 0, err);
    return status == UFC_OK ? take(state, limit, stream, size, address, err) : status;
}

/* Takes memory from the caller's allocator, within the limit. */
static ufc_status take_foreign(struct cuda_state *state, CUstream stream, size_t size,
                               CUdeviceptr *address, ufc_error *err) {
    uint64_t limit = atomic_load(&state->limit), in_pool = 0;
    ufc_status status = UFC_OK;
    if (state->pool && cuda.cuMemPoolGetAttribute)
        status = read_pool(state, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &in_pool, err);
    pthread_mutex_lock(&state->limiting);
    if (status == UFC_OK && limit > 0)
        status = check_limit(state, limit, size, err);
    if (status == UFC_OK)
        status = foreign_alloc(state, stream, size, in_pool, address, err);
    pthread_mutex_unlock(&state->limiting);
    return status;
}

/* Elements of 8 and 16 bits are accumulated by atomic operations on the 32-bit word that holds
 * them, which an array's last one shares with the bytes beyond it. */
static size_t whole_words(size_t size) {
    return size > SIZE_MAX - 3 ? size : (size + 3) & ~(size_t)3;
}

static ufc_status alloc_device(ufc_context *ctx, void *stream, size_t size, void **memory,
                               struct origin *origin, ufc_error *err) {
    struct cuda_state *state = ctx->state;
    struct scope scope;
    CUdeviceptr address = 0;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    *origin = (struct origin){scope.space->handle, scope.space->id};
    cuda_free_kept(state);
    if (size > 0)
        status = (foreign_is_set(state) ? take_foreign : take_or_wait)(
            state, stream, whole_words(size), &address, err);
    cuda_leave(&scope);
    *memory = (void *)(uintptr_t)address;
    return status;
}

ufc_status cuda_alloc(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err) {
    struct origin origin;
    return alloc_device(ctx, stream, size, memory, &origin, err);
}

/* Leaves the scope. */
static void free_in(const struct cuda_state *state, const struct scope *scope, CUstream stream,
                    CUdeviceptr address) {
    bool foreign = foreign_free(stream, address);
    CUresult result = foreign       ? CUDA_SUCCESS
                      : state->pool ? cuda.cuMemFreeAsync(address, stream)
                                    : cuda.cuMemFree(address);
    cuda_leave(scope);
    if (!is_freed(result))
        keep_unfreed(state, address, false);
}

void cuda_free(ufc_context *ctx, void *stream, void *memory) {
    const struct cuda_state *state = ctx->state;
    struct scope scope;
    if (!memory)
        return;
    if (cuda_enter(ctx, stream, &scope, NULL) == UFC_OK)
        free_in(state, &scope, stream, (uintptr_t)memory);
    else if (!foreign_free(stream, (uintptr_t)memory))
        keep_unfreed(state, (uintptr_t)memory, false);
}

static void free_device(ufc_context *ctx, const struct origin *origin, void *memory) {
    const struct cuda_state *state = ctx->state;
    struct scope scope;
    if (cuda_enter_origin(ctx, origin, &scope) == UFC_OK)
        free_in(state, &scope, NULL, (uintptr_t)memory);
    else if (!foreign_free(NULL, (uintptr_t)memory))
        keep_unfreed(state, (uintptr_t)memory, false);
}

ufc_status cuda_clear(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuMemsetD8Async, (uintptr_t)memory, 0, size, stream);
    cuda_leave(&scope);
    return status;
}

/* ---- memory of arrays, which the host may reach too */

static ufc_status alloc_at(ufc_context *ctx, void *stream, ufc_place place, size_t size,
                           void **memory, struct origin *origin, ufc_error *err) {
    struct scope scope;
    CUdeviceptr managed = 0;
    if (place == UFC_DEVICE)
        return alloc_device(ctx, stream, size, memory, origin, err);
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    cuda_free_kept(ctx->state);
    if (place == UFC_PINNED) {
        status = CU(err, cuMemHostAlloc, memory, whole_words(size), CU_MEMHOSTALLOC_PORTABLE);
    } else {
        status = CU(err, cuMemAllocManaged, &managed, whole_words(size), CU_MEM_ATTACH_GLOBAL);
        *memory = (void *)(uintptr_t)managed;
    }
    cuda_leave(&scope);
    if (status == UFC_ENOMEM)
        fail(err, status, "out of %s memory: %zu bytes were asked for",
             place == UFC_PINNED ? "pinned" : "managed", size);
    return status;
}

static void free_at(ufc_context *ctx, ufc_place place, const struct origin *origin, void *memory) {
    const struct cuda_state *state = ctx->state;
    bool pinned = place == UFC_PINNED, freed = false;
    struct scope scope;
    if (place == UFC_DEVICE) {
        free_device(ctx, origin, memory);
        return;
    }
    if (cuda_enter(ctx, NULL, &scope, NULL) == UFC_OK) {
        freed = is_freed(free_now((uintptr_t)memory, pinned));
        cuda_leave(&scope);
    }
    if (!freed)
        keep_unfreed(state, (uintptr_t)memory, pinned);
}

/* What the pool keeps, and the GPU has. */
static uint64_t unused_memory(const struct cuda_state *state, uint64_t used) {
    uint64_t reserved = 0;
    size_t unused, all;
    if (!cuda.cuMemGetInfo || cuda.cuMemGetInfo(&unused, &all) != CUDA_SUCCESS)
        return UINT64_MAX;
    if (state->pool &&
        read_pool(state, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved, NULL) == UFC_OK)
        unused += reserved > used ? reserved - used : 0;
    return unused;
}

static uint64_t room(ufc_context *ctx, void *stream, bool by_limit) {
    struct cuda_state *state = ctx->state;
    uint64_t limit = atomic_load(&state->limit), used = 0, within = UINT64_MAX, left = UINT64_MAX;
    struct scope scope;
    if ((by_limit && limit == 0) || cuda_enter(ctx, stream, &scope, NULL) != UFC_OK)
        return UINT64_MAX;
    if (check_pool(state, NULL) == UFC_OK && read_used(state, &used, NULL) == UFC_OK && limit > 0)
        within = limit > used ? limit - used : 0;
    if (!by_limit && !foreign_is_set(state)) /* which may keep memory for later */
        left = unused_memory(state, used);
    cuda_leave(&scope);
    return within < left ? within : left;
}

const struct memory_ops cuda_memory = {
    .statistics = statistics,
    .free_all = free_all,
    .set_limit = set_limit,
    .set_allocator = cuda_set_allocator,
    .alloc_at = alloc_at,
    .free_at = free_at,
    .room = room,
};
