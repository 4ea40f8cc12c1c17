/* foreign.c: memory of a GPU from the caller's allocator, in the place of the context's pool.
 *
 * Memory goes back to the allocator that it came from, wherever it is freed, after the context's
 * end too; so a table of the process has what is out. */
#include <stdlib.h>

#include "cuda.h"

enum { BUCKETS = 256 };

/* What a context's allocators have given, for its statistics. */
struct foreign {
    _Atomic unsigned refs; /* the context's, and one for each of the entries */
    bool set;              /* `now` is asked for memory; guarded, as that is, by the state's lock */
    ufc_allocator now;
    _Atomic uint64_t used, peak; /* bytes; peak: of the pool too */
};

struct entry {
    uintptr_t memory;
    size_t size;
    ufc_allocator by;
    struct foreign *of;
    struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *table[BUCKETS]; /* guarded by `lock` */
static _Atomic size_t count;         /* of entries */

static struct entry **bucket_of(uintptr_t memory) {
    return &table[(memory >> 8) % BUCKETS];
}

static void put(struct entry *entry) {
    struct entry **bucket = bucket_of(entry->memory);
    pthread_mutex_lock(&lock);
    entry->next = *bucket;
    *bucket = entry;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&count, 1);
}

static struct entry *take(uintptr_t memory) {
    if (atomic_load(&count) == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    struct entry **at = bucket_of(memory);
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    struct entry *entry = *at;
    if (entry)
        *at = entry->next;
    pthread_mutex_unlock(&lock);
    if (entry)
        atomic_fetch_sub(&count, 1);
    return entry;
}

static void unref(struct foreign *foreign) {
    if (foreign && atomic_fetch_sub(&foreign->refs, 1) == 1)
        free(foreign);
}

void foreign_close(struct cuda_state *state) {
    unref(state->foreign);
    state->foreign = NULL;
}

ufc_status cuda_set_allocator(ufc_context *ctx, const ufc_allocator *allocator, ufc_error *err) {
    struct cuda_state *state = ctx->state;
    pthread_mutex_lock(&state->lock);
    if (!state->foreign && allocator && (state->foreign = calloc(1, sizeof *state->foreign)))
        atomic_init(&state->foreign->refs, 1);
    struct foreign *foreign = state->foreign;
    if (foreign) {
        foreign->set = allocator != NULL;
        foreign->now = allocator ? *allocator : (ufc_allocator){0};
    }
    pthread_mutex_unlock(&state->lock);
    return foreign || !allocator ? UFC_OK : fail(err, UFC_ENOMEM, "out of memory for an allocator");
}

bool foreign_is_set(struct cuda_state *state) {
    pthread_mutex_lock(&state->lock);
    bool set = state->foreign && state->foreign->set;
    pthread_mutex_unlock(&state->lock);
    return set;
}

void foreign_statistics(struct cuda_state *state, uint64_t *used, uint64_t *peak) {
    pthread_mutex_lock(&state->lock);
    *used = state->foreign ? atomic_load(&state->foreign->used) : 0;
    *peak = state->foreign ? atomic_load(&state->foreign->peak) : 0;
    pthread_mutex_unlock(&state->lock);
}

static void count_used(struct foreign *foreign, size_t size, uint64_t in_pool) {
    uint64_t used = atomic_fetch_add(&foreign->used, size) + size + in_pool;
    uint64_t peak = atomic_load(&foreign->peak);
    while (used > peak && !atomic_compare_exchange_weak(&foreign->peak, &peak, used))
        ;
}

/* Asks the allocator, whose memory must be aligned as any array's. */
static ufc_status ask(const ufc_allocator *by, CUstream stream, size_t size, void **memory,
                      ufc_error *err) {
    ufc_error why = {{0}}; /* it need not tell, nor need the caller want to know */
    *memory = NULL;
    ufc_status status = by->allocate(by->user, size, stream, memory, &why);
    if (status != UFC_OK)
        return fail(err, status, "%s", *why.message ? why.message : "the allocator gave no memory");
    if (*memory && is_aligned(*memory, 256))
        return UFC_OK;
    if (*memory)
        by->release(by->user, *memory, size, stream);
    return fail(err, UFC_EINVAL, "the allocator gave address %p, which is not aligned to 256 bytes",
                *memory);
}

ufc_status foreign_alloc(struct cuda_state *state, CUstream stream, size_t size, uint64_t in_pool,
                         CUdeviceptr *address, ufc_error *err) {
    struct entry *entry = malloc(sizeof *entry);
    void *memory;
    if (!entry)
        return fail(err, UFC_ENOMEM, "out of memory for an allocation");
    pthread_mutex_lock(&state->lock);
    entry->by = state->foreign->now;
    entry->of = state->foreign;
    atomic_fetch_add(&entry->of->refs, 1);
    pthread_mutex_unlock(&state->lock);
    ufc_status status = ask(&entry->by, stream, size, &memory, err);
    if (status != UFC_OK) {
        unref(entry->of);
        free(entry);
        return fail_at(err, status, "%zu bytes on GPU %d", size, state->device);
    }
    entry->memory = *address = (uintptr_t)memory;
    entry->size = size;
    count_used(entry->of, size, in_pool);
    put(entry);
    return UFC_OK;
}

bool foreign_free(CUstream stream, CUdeviceptr address) {
    struct entry *entry = take(address);
    if (!entry)
        return false;
    entry->by.release(entry->by.user, (void *)entry->memory, entry->size, stream);
    atomic_fetch_sub(&entry->of->used, entry->size);
    unref(entry->of);
    free(entry);
    return true;
}
