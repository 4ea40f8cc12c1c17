/* device.h: what a device can do: its members for memory, streams, calls.  A part of rt.h, which
 * has the structs and says how a call flows. */
#ifndef UFC_DEVICE_H
#define UFC_DEVICE_H

#include "image_abi.h"
#include "ufc.h"

struct iteration;
struct reduction;
struct operand;
struct ufc_overload;

/* Writes the bytes [offset, offset + size) of a copy to `chunk` (fill), or reads them there
 * (empty).  `chunk` is pinned memory. */
typedef void chunk_fn(const void *arg, char *chunk, size_t offset, size_t size);

struct kernel_launch;
struct kernel_facts {
    int registers;    /* of a thread */
    double occupancy; /* fraction of a multiprocessor's threads in use, at most */
};

struct at;

/* The CUcontext that an array's memory was taken in, or an event recorded, and the driver's id of
 * it. */
struct origin {
    void *context;
    unsigned long long id;
};

/* What a GPU can.  0: not known. */
struct gpu_model {
    int multiprocessors;
    int threads;                 /* of a multiprocessor, at most */
    int shared;                  /* bytes of shared memory that a block may have */
    int together;                /* blocks that can run at the same time */
    int cluster;                 /* blocks of a cluster, at most; 0: there are none */
    int64_t l2;                  /* bytes of the L2 cache */
    int64_t memory;              /* and of memory */
    double clock;                /* of a multiprocessor, a second */
    double copy_rate;            /* bytes a second that copies reach, read and written */
    double rate[UFC_WORK_COUNT]; /* operations a second */
    double matrix; /* products of float64 a second, by the units that MATRIX uses; 0: it cannot run
                      there */
};

/* Whether it is left open if the host or a GPU computes, as all arrays are on the host. */
struct undecided {
    bool open;
    ufc_context *given; /* the context of a GPU; NULL: the default one, which is not opened yet */
};

/* What a device with memory of its own can do beside taking some: with its pool, as
 * ufc_pool_statistics and the others say, and with memory that the host reaches too. */
struct memory_ops {
    ufc_status (*statistics)(ufc_context *ctx, ufc_pool *pool, ufc_error *err);
    ufc_status (*free_all)(ufc_context *ctx, ufc_error *err);
    ufc_status (*set_limit)(ufc_context *ctx, uint64_t bytes, ufc_error *err);
    ufc_status (*set_allocator)(ufc_context *ctx, const ufc_allocator *allocator, ufc_error *err);
    /* Memory of an array, which its owner frees wherever it is.  That of UFC_DEVICE is as
     * device_ops.alloc gives it, and goes back in the order of its origin's default stream; that of
     * UFC_PINNED or UFC_MANAGED is in no pool, and freeing it waits for all work. */
    ufc_status (*alloc_at)(ufc_context *ctx, void *stream, ufc_place place, size_t size,
                           void **memory, struct origin *origin, ufc_error *err);
    void (*free_at)(ufc_context *ctx, ufc_place place, const struct origin *origin, void *memory);
    /* Bytes that can be taken still, about; UINT64_MAX: it is not known.  by_limit: as the limit
     * has it, which is quick to ask. */
    uint64_t (*room)(ufc_context *ctx, void *stream, bool by_limit);
};

/* What a device's streams and events can do, as ufc_stream_new, ufc_event_new and the others say.
 */
struct stream_ops {
    ufc_status (*create)(ufc_context *ctx, void **stream, ufc_error *err);
    void (*destroy)(ufc_context *ctx, void *stream);
    /* Makes a stream that waits for what is queued on another one so far, and for nothing else;
     * lets that one wait for it, and destroys it. */
    ufc_status (*fork)(ufc_context *ctx, void *stream, void **made, ufc_error *err);
    ufc_status (*join)(ufc_context *ctx, void *stream, void *made, ufc_error *err);
    ufc_status (*event_create)(ufc_context *ctx, void **event, ufc_error *err);
    void (*event_destroy)(ufc_context *ctx, void *event);
    ufc_status (*record)(ufc_context *ctx, void *event, void *stream, ufc_error *err);
    ufc_status (*wait)(ufc_context *ctx, void *event, void *stream, ufc_error *err);
    ufc_status (*event_synchronize)(ufc_context *ctx, void *event, ufc_error *err);
    /* Waits for `end`. */
    ufc_status (*elapsed)(ufc_context *ctx, void *start, void *end, double *seconds,
                          ufc_error *err);
};

/* What a device can do.  `stream` is a CUstream; devices without streams ignore it.  Sizes are
 * bytes. */
struct device_ops {
    const char *name;    /* "cpu", "cuda", "sim" */
    DLDeviceType memory; /* where its arrays are: kDLCPU or kDLCUDA */
    bool launches;       /* runs GPU kernels, which launch*.c choose; else the image's host code */
    bool records;        /* of a plan: what is executed runs later, on memory aligned otherwise */
    int64_t
        part_bytes; /* of a part of a call that several share, at least; where launches is set */
    /* count, count_quickly, of_stream, runs: of devices that are numbered, as GPUs are; others have
     * NULL. */
    /* The number of devices; a driver that failed to start is tried again.  *why (where not NULL)
     * is set as by ufc_device_count. */
    int (*count)(const char **why);
    /* The number of devices, for callers that can do without any and ask often: a driver that
     * failed to start is left alone for a while. */
    int (*count_quickly)(void);
    /* The number of the device that a stream belongs to; *number stays as it is for a default
     * stream, which every device has. */
    ufc_status (*of_stream)(void *stream, int *number, ufc_error *err);
    /* Does the overload have code for the context's device? */
    bool (*runs)(const ufc_context *ctx, const struct ufc_overload *overload);
    /* Makes ctx->state, where the device needs one; the context's other members are set. */
    ufc_status (*open)(ufc_context *ctx, ufc_error *err);
    void (*close)(ufc_context *ctx);
    ufc_status (*properties)(ufc_context *ctx, ufc_properties *props, ufc_error *err);
    /* Memory is aligned to 256 bytes, and its use is ordered on the stream. */
    ufc_status (*alloc)(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err);
    void (*free)(ufc_context *ctx, void *stream, void *memory);
    const struct memory_ops *own;     /* NULL: the memory is the host's */
    const struct stream_ops *streams; /* NULL: calls are done on return */
    /* Sets memory to 0.  Asynchronous on a GPU. */
    ufc_status (*clear)(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err);
    /* Copies along an iteration of one input and one output, both in the device's memory, of the
     * same dtype; of any where `launches` is not set.  Changes *it.  Asynchronous on a GPU. */
    ufc_status (*copy)(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err);
    /* Copy host memory to the device's (upload) or back (download) in chunks, each once, in order,
     * which `fill` writes and `empty` reads.  An upload is ordered on the stream and may be under
     * way on return.  NULL where the device's memory is the host's. */
    ufc_status (*upload)(ufc_context *ctx, void *stream, void *dst, size_t size, chunk_fn *fill,
                         const void *arg, ufc_error *err);
    /* A download has two steps, between which others may begin.  download_end takes *transfer, and
     * the download is done on return; with `empty` NULL, after a failure, nothing more is copied.
     */
    ufc_status (*download_begin)(ufc_context *ctx, void *stream, const void *src, size_t size,
                                 void **transfer, ufc_error *err);
    ufc_status (*download_end)(ufc_context *ctx, void *stream, void *transfer, chunk_fn *empty,
                               const void *arg, ufc_error *err);
    /* Copies between the device's memory and pinned memory, in the order of the stream; it may be
     * under way on return.  NULL where upload is. */
    ufc_status (*copy_pinned)(ufc_context *ctx, void *stream, void *dst, const void *src,
                              size_t size, ufc_error *err);
    ufc_status (*execute)(ufc_context *ctx, void *stream, const struct iteration *it,
                          ufc_error *err);
    /* Told before calls are executed in so many parts, of so many calls or fewer, one after the
     * other; NULL: it is all one to the device. */
    void (*begin_parts)(ufc_context *ctx, const struct iteration *whole, int64_t parts,
                        int64_t calls);
    ufc_status (*reduce)(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err);
    /* array[indices] = f(array[indices], y), where the arrays may still be in the host's memory. */
    ufc_status (*at)(struct at *at, const struct operand *indices, ufc_error *err);
    /* Add to a description, whose loop is set, how `execute` or `reduce` would go. */
    ufc_status (*describe)(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                           ufc_error *err);
    ufc_status (*describe_reduction)(ufc_context *ctx, const struct reduction *r,
                                     ufc_plan_description *d, ufc_error *err);
    /* Makes and loads what executing the iteration needs, on other memory too. */
    ufc_status (*prepare)(ufc_context *ctx, void *stream, const struct iteration *it,
                          ufc_error *err);
    /* The same of a reduction.  NULL: it needs nothing. */
    ufc_status (*prepare_reduction)(ufc_context *ctx, void *stream, const struct reduction *r,
                                    ufc_error *err);
    /* Gives what is known of a prepared kernel; NULL: nothing is. */
    ufc_status (*facts)(ufc_context *ctx, void *stream, const struct ufc_overload *overload,
                        const struct kernel_launch *launch, struct kernel_facts *facts,
                        ufc_error *err);
    ufc_status (*synchronize)(ufc_context *ctx, void *stream, ufc_error *err);
    /* What ufc_elapsed does. */
    ufc_status (*elapsed)(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                          double *seconds, ufc_error *err);
};

#define DEVICE(name) extern const struct device_ops device_##name;
#include "device.def"
#undef DEVICE

/* context.c */
/* Makes a context as ctx is whose device does as `ops` say: what the device of ctx does, until the
 * caller changes that.  It has no calls in mind. */
void context_as(ufc_context *own, struct device_ops *ops, const ufc_context *ctx);

#endif
