/* ring.c: host memory to and from a GPU through a ring of pinned chunks.
 *
 * The driver copies pageable memory slowly and makes the caller wait.  Here the caller's function
 * fills (or empties) one pinned chunk while the copies of the others are under way.  A transfer has
 * a ring for itself, and waits for no stream but its own: another stream may be waiting for
 * something that the program has yet to do. */
#include <stdlib.h>
#include "cuda.h"

/* Makes a slot's memory free to be written: allocates it at first use, later waits for its last
 * copy. */
static ufc_status claim(struct slot *slot, ufc_error *err) {
    if (slot->memory)
        return CU(err, cuEventSynchronize, slot->done);
    void *memory;
    ufc_status status = CU(err, cuEventCreate, &slot->done, CU_EVENT_DISABLE_TIMING);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuMemHostAlloc, &memory, RING_CHUNK, 0);
    if (status == UFC_OK)
        slot->memory = memory;
    else
        cuda.cuEventDestroy(slot->done);
    return status;
}

static bool is_idle(const struct ring *ring) {
    bool idle = true;
    for (int i = 0; i < RING_SLOTS && idle; i++)
        idle = !ring->slot[i].memory || cuda.cuEventQuery(ring->slot[i].done) == CUDA_SUCCESS;
    return idle;
}

/* A ring in which nothing of another stream is under way; NULL without memory. */
static struct ring *take_ring(struct space *space, CUstream stream) {
    pthread_mutex_lock(&space->claiming);
    struct ring **at = &space->rings;
    while (*at && (*at)->stream != stream && !is_idle(*at))
        at = &(*at)->next;
    struct ring *ring = *at;
    if (ring)
        *at = ring->next;
    pthread_mutex_unlock(&space->claiming);
    if (!ring)
        ring = calloc(1, sizeof *ring);
    if (ring)
        ring->stream = stream;
    return ring;
}

static void give_ring(struct space *space, struct ring *ring) {
    pthread_mutex_lock(&space->claiming);
    ring->next = space->rings;
    space->rings = ring;
    pthread_mutex_unlock(&space->claiming);
}

static size_t chunk_at(size_t offset, size_t size) {
    return size - offset < RING_CHUNK ? size - offset : RING_CHUNK;
}

static ufc_status upload(struct ring *ring, CUstream stream, uintptr_t dst, size_t size,
                         chunk_fn *fill, const void *arg, ufc_error *err) {
    ufc_status status = UFC_OK;
    for (size_t offset = 0; offset < size && status == UFC_OK; offset += RING_CHUNK) {
        struct slot *slot = &ring->slot[ring->next_slot++ % RING_SLOTS];
        size_t length = chunk_at(offset, size);
        status = claim(slot, err);
        if (status != UFC_OK)
            break;
        fill(arg, slot->memory, offset, length);
        status = CU(err, cuMemcpyAsync, dst + offset, (uintptr_t)slot->memory, length, stream);
        if (status == UFC_OK)
            status = CU(err, cuEventRecord, slot->done, stream);
    }
    return status;
}

static ufc_status fetch(struct slot *slot, CUstream stream, uintptr_t src, size_t length,
                        ufc_error *err) {
    ufc_status status = claim(slot, err);
    if (status == UFC_OK)
        status = CU(err, cuMemcpyAsync, (uintptr_t)slot->memory, src, length, stream);
    if (status == UFC_OK)
        status = CU(err, cuEventRecord, slot->done, stream);
    return status;
}

static ufc_status download(struct ring *ring, CUstream stream, uintptr_t src, size_t size,
                           chunk_fn *empty, const void *arg, ufc_error *err) {
    unsigned first = ring->next_slot;
    size_t chunks = (size + RING_CHUNK - 1) / RING_CHUNK, fetched = 0;
    ufc_status status = UFC_OK;
    for (size_t emptied = 0; emptied < chunks && status == UFC_OK; emptied++) {
        for (; fetched < chunks && fetched < emptied + RING_SLOTS && status == UFC_OK; fetched++)
            status = fetch(&ring->slot[(first + fetched) % RING_SLOTS], stream,
                           src + fetched * RING_CHUNK, chunk_at(fetched * RING_CHUNK, size), err);
        struct slot *slot = &ring->slot[(first + emptied) % RING_SLOTS];
        if (status == UFC_OK)
            status = CU(err, cuEventSynchronize, slot->done);
        if (status == UFC_OK)
            empty(arg, slot->memory, emptied * RING_CHUNK, chunk_at(emptied * RING_CHUNK, size));
    }
    ring->next_slot = first + (unsigned)(chunks % RING_SLOTS);
    return status;
}

/* Runs an upload or a download in the stream's space, with a ring of its own. */
typedef ufc_status transfer_fn(struct ring *ring, CUstream stream, uintptr_t device, size_t size,
                               chunk_fn *handle, const void *arg, ufc_error *err);

static ufc_status transfer(ufc_context *ctx, transfer_fn *move, CUstream stream, uintptr_t device,
                           size_t size, chunk_fn *handle, const void *arg, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    struct ring *ring = take_ring(scope.space, stream);
    if (!ring) {
        status = fail(err, UFC_ENOMEM, "out of memory for a transfer");
    } else {
        status = move(ring, stream, device, size, handle, arg, err);
        if (status != UFC_OK) /* no copy may still read what the next transfer writes */
            cuda.cuStreamSynchronize(stream);
        give_ring(scope.space, ring);
    }
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_upload(ufc_context *ctx, void *stream, void *dst, size_t size, chunk_fn *fill,
                       const void *arg, ufc_error *err) {
    return transfer(ctx, upload, stream, (uintptr_t)dst, size, fill, arg, err);
}

ufc_status cuda_download(ufc_context *ctx, void *stream, const void *src, size_t size,
                         chunk_fn *empty, const void *arg, ufc_error *err) {
    return transfer(ctx, download, stream, (uintptr_t)src, size, empty, arg, err);
}

ufc_status cuda_copy_pinned(ufc_context *ctx, void *stream, void *dst, const void *src, size_t size,
                            ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuMemcpyAsync, (uintptr_t)dst, (uintptr_t)src, size, stream);
    if (status == UFC_OK)
        status = CU(err, cuStreamSynchronize, stream);
    cuda_leave(&scope);
    return status;
}

static void ring_free(struct ring *ring, bool alive) {
    for (int i = 0; i < RING_SLOTS && alive; i++) {
        if (ring->slot[i].memory) {
            cuda.cuEventDestroy(ring->slot[i].done);
            cuda.cuMemFreeHost(ring->slot[i].memory);
        }
    }
    free(ring);
}

void rings_free(struct space *space, bool alive) {
    for (struct ring *ring = space->rings, *next; ring; ring = next) {
        next = ring->next;
        ring_free(ring, alive);
    }
    space->rings = NULL;
}
