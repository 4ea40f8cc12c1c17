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
    if (ring) {
        ring->stream = stream;
        ring->space = space;
    }
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

/* Begins to fetch as many chunks as the ring holds, beyond those that were emptied. */
static ufc_status fetch_ahead(struct ring *ring, CUstream stream, size_t emptied, ufc_error *err) {
    ufc_status status = UFC_OK;
    for (size_t *i = &ring->fetched;
         *i * RING_CHUNK < ring->size && *i < emptied + RING_SLOTS && status == UFC_OK; ++*i)
        status = fetch(&ring->slot[(ring->first + *i) % RING_SLOTS], stream,
                       ring->src + *i * RING_CHUNK, chunk_at(*i * RING_CHUNK, ring->size), err);
    ring->next_slot = ring->first + (unsigned)(ring->fetched % RING_SLOTS);
    return status;
}

static ufc_status empty_ring(struct ring *ring, CUstream stream, chunk_fn *empty, const void *arg,
                             ufc_error *err) {
    ufc_status status = UFC_OK;
    for (size_t i = 0; i * RING_CHUNK < ring->size && status == UFC_OK; i++) {
        const struct slot *slot = &ring->slot[(ring->first + i) % RING_SLOTS];
        status = fetch_ahead(ring, stream, i, err);
        if (status == UFC_OK)
            status = CU(err, cuEventSynchronize, slot->done);
        if (status == UFC_OK)
            empty(arg, slot->memory, i * RING_CHUNK, chunk_at(i * RING_CHUNK, ring->size));
    }
    return status;
}

/* After a failure no copy may still read what the next transfer writes. */
static void end_transfer(struct ring *ring, CUstream stream, bool failed) {
    if (failed)
        cuda.cuStreamSynchronize(stream);
    give_ring(ring->space, ring);
}

ufc_status cuda_upload(ufc_context *ctx, void *stream, void *dst, size_t size, chunk_fn *fill,
                       const void *arg, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    struct ring *ring = take_ring(scope.space, stream);
    if (!ring) {
        status = fail(err, UFC_ENOMEM, "out of memory for a transfer");
    } else {
        status = upload(ring, stream, (uintptr_t)dst, size, fill, arg, err);
        end_transfer(ring, stream, status != UFC_OK);
    }
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_download_begin(ufc_context *ctx, void *stream, const void *src, size_t size,
                               void **transfer, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    struct ring *ring = take_ring(scope.space, stream);
    if (!ring) {
        status = fail(err, UFC_ENOMEM, "out of memory for a transfer");
    } else {
        ring->first = ring->next_slot;
        ring->src = (uintptr_t)src;
        ring->size = size;
        ring->fetched = 0;
        status = fetch_ahead(ring, stream, 0, err);
        if (status == UFC_OK)
            *transfer = ring;
        else
            end_transfer(ring, stream, true);
    }
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_download_end(ufc_context *ctx, void *stream, void *transfer, chunk_fn *empty,
                             const void *arg, ufc_error *err) {
    struct ring *ring = transfer;
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK) {
        give_ring(ring->space, ring); /* slots wait for their own copies */
        return status;
    }
    if (empty)
        status = empty_ring(ring, stream, empty, arg, err);
    end_transfer(ring, stream, !empty || status != UFC_OK);
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_download(ufc_context *ctx, void *stream, const void *src, size_t size,
                         chunk_fn *empty, const void *arg, ufc_error *err) {
    void *transfer;
    ufc_status status = cuda_download_begin(ctx, stream, src, size, &transfer, err);
    return status == UFC_OK ? cuda_download_end(ctx, stream, transfer, empty, arg, err) : status;
}

ufc_status cuda_copy_pinned(ufc_context *ctx, void *stream, void *dst, const void *src, size_t size,
                            ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuMemcpyAsync, (uintptr_t)dst, (uintptr_t)src, size, stream);
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
