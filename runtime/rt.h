/* rt.h: the runtime's internals: structs, then prototypes in one section a file.
 *
 * A call flows through the files in this order:
 *   call.c     checks the arguments
 *   resolve.c  picks the overload
 *   bcast.c    broadcasts shapes, makes the iteration, sorts and merges its axes
 *   overlap.c  finds inputs that an output would overwrite, copies them first
 *   stage.c    host arrays of a call that runs on a GPU: to the device and back
 *   dev_*.c    runs it */
#ifndef UFC_RT_H
#define UFC_RT_H

#include "kabi.h"
#include "ufc.h"

#define MAX_RANK 64 /* as NumPy's */

/* One input or output of a call, after its argument was checked. */
struct operand {
    char *data;           /* first element; may be NULL for a number or where size is 0 */
    uint64_t value[2];    /* a number's element, in `dtype`, in the low bytes */
    bool is_number;       /* then ndim is 0 */
    enum ufc_dtype dtype; /* of the array; of a number once the overload is chosen */
    DLDevice device;      /* kDLCPU or kDLCUDA; kDLCPU for a number */
    int ndim;             /* -1: an output that the call is to make */
    int64_t shape[MAX_RANK];
    int64_t stride[MAX_RANK]; /* bytes; any value on axes of size 1 */
};

/* The loop over a call's elements: what a device executes.  Axes are merged and sorted, the fastest
 * first, so naxes is small and may be 0 (one element). */
struct iteration {
    const struct ufc_overload *overload;
    int nin, nout;
    int naxes;
    int64_t size[MAX_RANK];
    int64_t total;                              /* product of sizes; > 0 */
    char *data[UFC_MAX_OPERANDS];               /* NULL: a number */
    uint64_t value[UFC_MAX_OPERANDS][2];        /* a number's element, in the overload's dtype */
    enum ufc_dtype dtype[UFC_MAX_OPERANDS];     /* of the arrays; the overload's for numbers */
    int64_t stride[UFC_MAX_OPERANDS][MAX_RANK]; /* bytes */
};

/* The memory that a call needs until it has been executed, freed by free_temps (overlap.c). */
struct temps {
    int n;
    void *memory[UFC_MAX_OPERANDS];
};

/* What a device can do.  `stream` is a CUstream; the host ignores it.  Sizes are bytes. */
struct device_ops {
    const char *name; /* "cpu", "cuda" */
    /* ctx->device.device_id is set; fills the rest. */
    ufc_status (*open)(ufc_context *ctx, ufc_error *err);
    void (*close)(ufc_context *ctx);
    ufc_status (*properties)(ufc_context *ctx, ufc_properties *props, ufc_error *err);
    /* Stream-ordered.  256-byte aligned. */
    ufc_status (*alloc)(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err);
    void (*free)(ufc_context *ctx, void *stream, void *memory);
    /* Rows of `width` bytes; pitches may exceed width; height 1 is a plain copy.  dst_kind and
     * src_kind are kDLCPU or kDLCUDA.  Asynchronous between device buffers; otherwise done on
     * return. */
    ufc_status (*copy)(ufc_context *ctx, void *stream, void *dst, size_t dst_pitch,
                       DLDeviceType dst_kind, const void *src, size_t src_pitch,
                       DLDeviceType src_kind, size_t width, size_t height, ufc_error *err);
    ufc_status (*execute)(ufc_context *ctx, void *stream, const struct iteration *it,
                          ufc_error *err);
    ufc_status (*synchronize)(ufc_context *ctx, void *stream, ufc_error *err);
};

struct ufc_context {
    const struct device_ops *ops;
    DLDevice device;
    int threads; /* host */
    void *state; /* the device's own */
};

/* err.c */
/* Writes the message (where err is not NULL and the status not UFC_OK) and returns the status. */
ufc_status fail(ufc_error *err, ufc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says where: puts "…: " before the message of a failure that is passed on. */
ufc_status fail_at(ufc_error *err, ufc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says more: appends to the message. */
void fail_more(ufc_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* array.c */
struct dtype_info {
    const char *name, *brief; /* "float32", "f4" */
    char kind;                /* of dtype.def */
    int size, alignment;      /* bytes; a complex number is aligned to its parts */
};
extern const struct dtype_info dtype_info[DT_COUNT];
/* False where ufc has no such type. */
bool dtype_from_dl(DLDataType type, enum ufc_dtype *dtype);
/* Checks an array and describes it.  Strides of axes that are not walked become 0. */
ufc_status operand_from_array(struct operand *op, const DLTensor *array, ufc_error *err);
/* The number of elements; false where it exceeds int64. */
bool shape_size(int ndim, const int64_t *shape, int64_t *size);
/* "(3,4)", for messages. */
struct shape_text {
    char text[256];
};
struct shape_text shape_text(int ndim, const int64_t *shape);

/* resolve.c */
/* Chooses the overload for op[0..nin) and checks that its results can be stored in the outputs
 * op[nin..nin+nout); gives numbers their dtype and value, results to be made their dtype. */
ufc_status resolve(const struct ufc_ufunc *ufunc, const ufc_arg *in, struct operand *op,
                   const struct ufc_overload **overload, ufc_error *err);

/* bcast.c */
/* The shape of the call: inputs and given outputs broadcast together. */
ufc_status broadcast(const struct ufc_ufunc *ufunc, const struct operand *op, int *ndim,
                     int64_t shape[MAX_RANK], ufc_error *err);
/* The loop over a shape of at least one element: operands (numbers by value) broadcast to it, axes
 * flipped, sorted and merged. */
void make_iteration(struct iteration *it, const struct ufc_overload *overload, int nin, int nout,
                    const struct operand *op, int ndim, const int64_t *shape);

/* overlap.c */
/* An output that overlaps itself or another output is an error. */
ufc_status check_outputs(const struct iteration *it, const char *const *names, ufc_error *err);
/* Copies inputs that an output would overwrite before they are read, and points `it` at the
 * copies. */
ufc_status copy_overlapping_inputs(ufc_context *ctx, void *stream, struct iteration *it,
                                   struct temps *temps, ufc_error *err);
void free_temps(ufc_context *ctx, void *stream, struct temps *temps);

/* stage.c: host arrays of a call in a GPU context. */
/* Makes a host input a packed device copy (data, stride and device change; the shape is its own,
 * not the call's).  *temp is for ops->free after the call was executed. */
ufc_status stage_in(ufc_context *ctx, void *stream, struct operand *op, void **temp,
                    ufc_error *err);
/* Describes in device_out a packed device array with the shape and dtype of host_out. */
ufc_status stage_out_prepare(ufc_context *ctx, void *stream, const struct operand *host_out,
                             struct operand *device_out, void **temp, ufc_error *err);
/* Copies the result to the host array; returns when it is there. */
ufc_status stage_out_finish(ufc_context *ctx, void *stream, const struct operand *host_out,
                            const struct operand *device_out, ufc_error *err);

/* cast.c */
/* Converts n elements; steps are bytes.  Elements are aligned.  Integers wrap; floats become
 * integers by truncating, saturating, NaN to 0; bool is "not zero". */
typedef void cast_kernel(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n);
extern cast_kernel *const cast_kernels[DT_COUNT][DT_COUNT]; /* [from][to] */

/* context.c */
/* The process's own context of a device: made when first asked for, never freed. */
ufc_status shared_context(ufc_context **ctx, DLDevice device, ufc_error *err);
/* The context for operands: *ctx where it is not NULL and can reach them all. */
ufc_status choose_context(ufc_context **ctx, int n, const struct operand *op, ufc_error *err);

/* memory.c */
/* ufc_empty, ordered on a stream. */
ufc_status new_array(ufc_context *ctx, void *stream, enum ufc_dtype dtype, int ndim,
                     const int64_t *shape, bool on_host, DLManagedTensorVersioned **array,
                     ufc_error *err);
/* Copies elements along an iteration of one input and one output of the same dtype; host to host.
 */
ufc_status copy_host(struct iteration *it, ufc_error *err);

/* threads.c */
/* Calls fn for ranges that together are [0, n), on up to `threads` threads, each range a multiple
 * of `grain` long but the last; returns when all are done. */
typedef void range_fn(void *arg, int64_t begin, int64_t end);
void parallel_for(int threads, int64_t n, int64_t grain, range_fn *fn, void *arg);
/* $UFC_NUM_THREADS, else one a core that the process may use. */
int default_threads(void);

/* dev_cuda_ring.c */
/* Copies host memory to the device, or back, in chunks: `fill` writes (`empty` reads) the bytes
 * [offset, offset + size) into (from) pinned memory at `chunk`, each chunk once, in order.  An
 * upload is ordered on the stream and may be under way on return; a download is done.  Called in
 * GPU contexts only. */
typedef void chunk_fn(const void *arg, char *chunk, size_t offset, size_t size);
ufc_status cuda_upload(ufc_context *ctx, void *stream, void *dst, size_t size, chunk_fn *fill,
                       const void *arg, ufc_error *err);
ufc_status cuda_download(ufc_context *ctx, void *stream, const void *src, size_t size,
                         chunk_fn *empty, const void *arg, ufc_error *err);

/* dev_cpu.c, dev_cuda.c */
extern const struct device_ops device_cpu, device_cuda;

/* cudadl.c */
/* The number of GPUs; *why (where not NULL) as in ufc_device_count. */
int cuda_device_count(const char **why);

#endif
