/* cuda.h: what the files of the CUDA device share. */
#ifndef UFC_CUDA_H
#define UFC_CUDA_H

#include <pthread.h>
#include <stdatomic.h>
#include "driver.h"
#include "rt.h"

enum { MODULE_BUCKETS = 64 };

/* Pinned memory through which host arrays are copied, by one transfer at a time (ring.c). */
struct ring {
    struct slot {
        char *memory;
        CUevent done; /* the last copy from or to `memory` */
    } slot[RING_SLOTS];
    unsigned next_slot; /* counts on; modulo RING_SLOTS */
    CUstream stream;    /* stream of the last transfer */
    struct space *space;
    /* of a download that is under way: its first slot, and the chunks on their way to the ring */
    unsigned first;
    uintptr_t src;
    size_t size, fetched;
    struct ring *next;
};

/* What ufc keeps for one CUcontext, to which functions and events belong.  Calls run in the
 * device's primary CUcontext, or in that of their stream or thread. */
struct space {
    CUcontext handle;
    unsigned long long id;                            /* the driver's, which is never used
                                                         again, unlike handles */
    pthread_mutex_t loading;                          /* guards additions to `modules` */
    _Atomic(struct loaded *) modules[MODULE_BUCKETS]; /* load.c's cache */
    pthread_mutex_t claiming;                         /* guards `rings` and `joined` */
    struct ring *rings;                               /* the rings that no transfer uses */
    struct joined *joined;                            /* streams that no call uses (stream.c) */
    struct space *next;
};

struct cuda_state {
    CUdevice device;
    int capability;    /* 90 for 9.0 */
    bool overlaps;     /* kernels begin before those ahead of them in their stream have ended */
    int shared;        /* bytes of shared memory that a block may have; 0: what all GPUs have */
    size_t memory;     /* bytes of the device's memory */
    CUmemoryPool pool; /* NULL where the device has none */
    _Atomic uint64_t limit;   /* bytes of the pool in use, at most; 0: any number */
    pthread_mutex_t limiting; /* held from testing the limit to taking the memory */
    struct foreign *foreign; /* the caller's allocators; NULL: there was none.  Guarded by `lock` */
    struct space primary;
    pthread_mutex_t lock;
    struct space *others; /* spaces of other CUcontexts; guarded by `lock` */
};

/* cuda.c */
/* Makes the CUcontext current in which a call on `stream` is to run: the stream's, else the
 * thread's where it is of the context's device, else the device's primary one.  cuda_leave makes
 * the caller's current again. */
struct scope {
    struct space *space;
    bool pushed;
};
ufc_status cuda_enter(ufc_context *ctx, CUstream stream, struct scope *scope, ufc_error *err);
/* The same for what any stream may do, of whatever GPU. */
ufc_status cuda_enter_stream(ufc_context *ctx, CUstream stream, struct scope *scope,
                             ufc_error *err);
/* Whether the CUcontext of an origin is there. */
bool cuda_is_alive(const ufc_context *ctx, const struct origin *origin);
/* Makes the CUcontext of an origin current; where it is gone, with all that it ran, that of a call.
 */
ufc_status cuda_enter_origin(ufc_context *ctx, const struct origin *origin, struct scope *scope);
void cuda_leave(const struct scope *scope);
/* Waits for all work in the GPU's CUcontexts that calls have run in. */
ufc_status cuda_wait_for_all(struct cuda_state *state, ufc_error *err);

/* pool.c */
/* Make the GPU's pool, with the limit of $UFC_GPU_MEMORY_LIMIT, and give it back.  Memory that was
 * taken from it may be freed later. */
ufc_status cuda_pool_open(struct cuda_state *state, ufc_error *err);
void cuda_pool_close(struct cuda_state *state);
/* Frees memory of the GPU that is kept since its free had failed; a CUcontext of it is current. */
void cuda_free_kept(const struct cuda_state *state);
/* Members of device_ops. */
ufc_status cuda_alloc(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err);
void cuda_free(ufc_context *ctx, void *stream, void *memory);
ufc_status cuda_clear(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err);
extern const struct memory_ops cuda_memory;

/* foreign.c: memory from the caller's allocator */
ufc_status cuda_set_allocator(ufc_context *ctx, const ufc_allocator *allocator, ufc_error *err);
bool foreign_is_set(struct cuda_state *state);
/* Takes memory where one is set; in_pool: the bytes that the pool has in use. */
ufc_status foreign_alloc(struct cuda_state *state, CUstream stream, size_t size, uint64_t in_pool,
                         CUdeviceptr *address, ufc_error *err);
/* Gives memory back; false: it is from no allocator. */
bool foreign_free(CUstream stream, CUdeviceptr address);
void foreign_statistics(struct cuda_state *state, uint64_t *used, uint64_t *peak);
void foreign_close(struct cuda_state *state);

/* stream.c */
extern const struct stream_ops cuda_streams;
/* Frees the streams that a space keeps, as rings_free does rings. */
void joined_free(struct space *space, bool alive);

/* load.c */
/* Does the overload have code for the context's GPU? */
bool cuda_runs(const ufc_context *ctx, const struct ufc_overload *overload);
/* A kernel of an overload in the current space; its code is loaded when first asked for.  planned:
 * code for certain calls is neither made nor loaded. */
ufc_status cuda_kernel(struct cuda_state *state, struct space *space,
                       const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                       const struct ufc_constants *known, bool planned, CUfunction *kernel,
                       ufc_error *err);
/* Forgets a space's modules.  unload: the space is current, and they are unloaded; else they are
 * gone with their CUcontext. */
void cuda_forget_modules(struct space *space, bool unload);

/* wait.c */
/* Whether launches on a GPU overlap those ahead of them in their stream: kernels wait for these
 * then, and begin as soon as there is room for them. */
bool cuda_waits(int capability);
/* A text whose kernels do, in the place of PTX, which is freed if it is another.  NULL: memory is
 * out.  PTX for architectures that have the instruction waits already (nvptx.c). */
char *cuda_waiting(char *ptx);

/* launch.c */
ufc_status cuda_execute(ufc_context *ctx, void *stream, const struct iteration *it, ufc_error *err);
ufc_status cuda_prepare(ufc_context *ctx, void *stream, const struct iteration *it, ufc_error *err);
ufc_status cuda_prepare_reduction(ufc_context *ctx, void *stream, const struct reduction *r,
                                  ufc_error *err);
ufc_status cuda_facts(ufc_context *ctx, void *stream, const struct ufc_overload *overload,
                      const struct kernel_launch *launch, struct kernel_facts *facts,
                      ufc_error *err);
ufc_status cuda_reduce(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err);

/* copy.c */
ufc_status cuda_copy(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err);

/* ring.c */
ufc_status cuda_upload(ufc_context *ctx, void *stream, void *dst, size_t size, chunk_fn *fill,
                       const void *arg, ufc_error *err);
ufc_status cuda_download(ufc_context *ctx, void *stream, const void *src, size_t size,
                         chunk_fn *empty, const void *arg, ufc_error *err);
ufc_status cuda_download_begin(ufc_context *ctx, void *stream, const void *src, size_t size,
                               void **transfer, ufc_error *err);
ufc_status cuda_download_end(ufc_context *ctx, void *stream, void *transfer, chunk_fn *empty,
                             const void *arg, ufc_error *err);
ufc_status cuda_copy_pinned(ufc_context *ctx, void *stream, void *dst, const void *src, size_t size,
                            ufc_error *err);
/* Frees a space's rings.  alive: the space is current; else their pinned memory is gone with its
 * CUcontext. */
void rings_free(struct space *space, bool alive);

#endif
