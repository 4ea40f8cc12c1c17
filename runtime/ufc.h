/* ufc.h: call ufuncs compiled by ufc on strided host and GPU arrays, with NumPy's broadcasting.
 *
 * Arrays are DLPack's DLTensor.  Functions return a status and, on failure, fill the caller's
 * struct ufc_error (NULL allowed) with what was wrong, and set what they were to make to NULL.
 * Nothing here prints, exits or aborts.  All functions may be called from many threads at once, and
 * threads may share a context.  ufc_call takes up to 32 KiB of its thread's stack; calls of
 * gufuncs, ufc_inner_loop, ufc_copy, ufc_execute and the methods take up to 64 KiB, besides the
 * kernels' local arrays and what the CUDA driver takes.  See ufc(3). */
#ifndef UFC_H
#define UFC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ufc_dlpack.h"

#define UFC_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status and errors */

typedef enum ufc_status {
    UFC_OK,
    UFC_EINVAL,  /* an argument is malformed: NULL, a negative size, misaligned data */
    UFC_ESHAPE,  /* shapes do not broadcast, or an output's shape is wrong */
    UFC_EDTYPE,  /* no overload fits, or an output cannot hold the result */
    UFC_EDEVICE, /* no such device, no code for it, or arrays of several GPUs in one call */
    UFC_ECUDA,   /* the CUDA driver reported an error */
    UFC_ENOMEM,
    UFC_EIO,
    UFC_ESIM,    /* the simulator found an error in a kernel, or cannot read its PTX */
    UFC_ECOMPILE /* the embedded compiler could not make the code that a call needs: ufcc(3) */
} ufc_status;

/* Caller-owned; pass NULL where the message is not wanted. */
typedef struct ufc_error {
    char message[1024];
} ufc_error;

/* ---- element types */

typedef enum ufc_type {
    UFC_BOOL,
    UFC_INT8,
    UFC_UINT8,
    UFC_INT16,
    UFC_UINT16,
    UFC_INT32,
    UFC_UINT32,
    UFC_INT64,
    UFC_UINT64,
    UFC_FLOAT16,
    UFC_BFLOAT16,
    UFC_FLOAT32,
    UFC_FLOAT64,
    UFC_COMPLEX64, /* real part, then imaginary part */
    UFC_COMPLEX128
} ufc_type;

DLDataType ufc_dltype(ufc_type type);
/* NumPy's name of a type ("float32"); "unsupported" for one that ufc does not have. */
const char *ufc_type_name(DLDataType type);

/* ---- contexts: where calls run */

/* A device: the host's cores or one GPU.  NULL stands for the process's default context: the first
 * GPU, or the stream's, where it can be used; else the host.  A call of a ufunc that has no code
 * for that GPU goes to the host too, and so does one on host arrays that is predicted to take less
 * time there (ufc_call).  A forked child cannot use CUDA if its parent did, and calls on the
 * host. */
typedef struct ufc_context ufc_context;

typedef struct ufc_properties {
    DLDevice device;
    char name[128];
    int threads;            /* host, simulator: threads a call is split over, at most */
    const char *level;      /* host: "x86-64-v3"; $UFC_LEVEL (v2, v3, v4) may lower it */
    int compute_capability; /* GPU: 90 for 9.0; simulator: that of the simulated GPU */
    int multiprocessors;    /* GPU */
    uint64_t memory;        /* GPU: bytes in all */
    int driver_version;     /* GPU: 13000 for CUDA 13.0 */
} ufc_properties;

/* device: "auto", "cpu", "cuda", "cuda:N", or "sim", which interprets the GPU's code on the host,
 * with host arrays, and checks what it does.  "auto" is the first GPU, or the host where there is
 * none; calls on host arrays go where they are predicted to take less time, as with ctx NULL.
 * "cuda:all", or a list, "cuda:0,2", is a context of several GPUs: they share calls on host arrays,
 * and stand apart for ufc_call_shards; for all else it is the first one's, or of calls that of the
 * GPU where their arrays are.  "sim:0,1" simulates two.  threads: how many a call on the host or
 * the simulator is split over, at most; they also move the host arrays of a GPU's calls; 0:
 * $UFC_NUM_THREADS, where that is not set one a core; never over 1024.  While other calls have the
 * process's pool of threads, a call computes on its own thread.  The caller frees *ctx with
 * ufc_context_free. */
ufc_status ufc_context_new(ufc_context **ctx, const char *device, int threads, ufc_error *err);
/* NULL is allowed.  No call may be under way in the context. */
void ufc_context_free(ufc_context *ctx);
/* Of a context of several GPUs: how many it has; 0 of another one. */
int ufc_context_gpus(const ufc_context *ctx);
/* The context of its i-th GPU alone, from 0 on, for arrays, streams, events and pools there.  It
 * lives as long as ctx, and is not freed by the caller.  NULL: there is none. */
ufc_context *ufc_context_gpu(const ufc_context *ctx, int i);
ufc_status ufc_context_properties(ufc_context *ctx, ufc_properties *props, ufc_error *err);
/* How many GPUs the driver offers: 0 without a driver.  A driver that failed to start is tried
 * again.  *why, where not NULL, is set to a static sentence that says why there are none, or
 * NULL. */
int ufc_device_count(const char **why);

/* What a machine moves and computes, by which calls on host arrays go to a GPU or stay on the host
 * (ufc_call).  Bytes, operations and steps are those of a second; times are seconds. */
typedef struct ufc_rates {
    double host_start;   /* time until all threads of the host begin and end a call's work */
    double host_cached;  /* bytes that a thread reads and writes in its core's cache, */
    double host_memory;  /* and all threads together in memory */
    double host_float32; /* operations of a thread, by vectors */
    double host_float64;
    double host_steps;    /* operations of a thread that wait for the one before */
    double gpu_start;     /* time of a call on host arrays of few bytes */
    double to_gpu;        /* bytes of host arrays that are copied to the GPU, */
    double from_gpu;      /* and back */
    double pinned_to_gpu; /* the same of pinned memory */
    double pinned_from_gpu;
} ufc_rates;

/* Tells the rates of a GPU's context and of the host; ctx NULL: the default context.  They are
 * measured by the first call that needs them, of this context or of one before, which takes some
 * milliseconds of host and GPU, and kept in a file in the folder that $UFC_CACHE names (ufc(1)).
 * UFC_EDEVICE: the context is no GPU's. */
ufc_status ufc_context_rates(ufc_context *ctx, ufc_rates *rates, ufc_error *err);

/* Waits for all work on a stream (as in ufc_call); nothing to do on the host.  With ctx NULL it
 * waits on the GPU that the stream belongs to, for a default stream on all GPUs in use. */
ufc_status ufc_synchronize(ufc_context *ctx, void *stream, ufc_error *err);
/* ---- streams, events, time */

/* Makes a stream, a CUstream of the context's GPU, for calls that need not wait for those of other
 * streams.  It waits for the default stream, as that does for it, so that arrays which it used may
 * be freed by ufc_free at any time.  On the host and the simulator *stream is NULL, which calls
 * there ignore.  ctx NULL: the default context.  The caller frees it by ufc_stream_free. */
ufc_status ufc_stream_new(void **stream, ufc_context *ctx, ufc_error *err);
/* Of the context that it was made in.  Work on it goes on to its end; NULL is allowed. */
void ufc_stream_free(ufc_context *ctx, void *stream);

/* A point in a stream.  An event is used by one thread at a time; its context must outlive it. */
typedef struct ufc_event ufc_event;

/* ctx NULL: the default context.  The caller frees *event by ufc_event_free. */
ufc_status ufc_event_new(ufc_event **event, ufc_context *ctx, ufc_error *err);
/* NULL is allowed. */
void ufc_event_free(ufc_event *event);
/* Marks the point in a stream, of the event's context, behind what was queued there so far; once
 * more: another point. */
ufc_status ufc_event_record(ufc_event *event, void *stream, ufc_error *err);
/* What is queued on the stream from now on waits for the event, without the host waiting.  One that
 * was not recorded is not waited for. */
ufc_status ufc_event_wait(ufc_event *event, void *stream, ufc_error *err);
/* Waits on the host until the event has come. */
ufc_status ufc_event_synchronize(ufc_event *event, ufc_error *err);
/* The seconds between two events, both recorded, on a GPU with a resolution of half a microsecond;
 * waits for `end`. */
ufc_status ufc_event_elapsed(ufc_event *start, ufc_event *end, double *seconds, ufc_error *err);

/* Measures how long the device takes for the work that work(arg), called once, queues on a stream
 * (as in ufc_call), and waits for that work.  On a GPU it is measured by events: the stream's time
 * on the GPU, without that of other streams, as long as the host queues faster than the GPU works.
 * On the host it is measured by the clock, as calls are done on return.  Failures in `work` are for
 * `work` to report; during it the GPU's CUcontext is current.  On failure *seconds is not to be
 * used; work may have been called or not. */
ufc_status ufc_elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                       double *seconds, ufc_error *err);

/* Times of several calls, in seconds. */
typedef struct ufc_spread {
    double mean, std, min, median, max;
} ufc_spread;

typedef struct ufc_times {
    int calls;
    ufc_spread host;   /* until the calls returned */
    ufc_spread device; /* until their work was done */
} ufc_times;

/* Calls work(arg) `warmups` times, then `calls` times, at least one, measuring each as ufc_elapsed
 * does, and tells how long they took. */
ufc_status ufc_profile(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                       int warmups, int calls, ufc_times *times, ufc_error *err);

/* ---- arrays */

/* A view of host memory in C order: nothing is copied; shape must outlive the view. */
static inline DLTensor ufc_host_array(void *data, DLDataType dtype, int ndim, int64_t *shape) {
    DLTensor t = {data, {kDLCPU, 0}, ndim, dtype, shape, NULL, 0};
    return t;
}

/* Where a new array is.  In a context of the host or the simulator all of these are the host's
 * memory. */
typedef enum ufc_place {
    UFC_DEVICE, /* the memory of the context's device */
    UFC_HOST,   /* the host's memory */
    UFC_PINNED, /* the host's, which GPUs copy from and to directly (kDLCUDAHost) */
    UFC_MANAGED /* what the host and all GPUs use, and the driver moves (kDLCUDAManaged) */
} ufc_place;

/* A new array in C order, its elements not set.  On a GPU it waits for the default stream, and the
 * array may be used on any stream.  ctx NULL: the default context.  The caller owns *array, and
 * frees it by ufc_free or by its deleter. */
ufc_status ufc_empty(ufc_context *ctx, ufc_type dtype, int ndim, const int64_t *shape,
                     ufc_place place, DLManagedTensorVersioned **array, ufc_error *err);
/* ufc_empty of another array's type and shape, its axes in the order of that one's strides (NumPy's
 * order K).  Nothing is copied. */
ufc_status ufc_empty_like(ufc_context *ctx, const DLTensor *like, ufc_place place,
                          DLManagedTensorVersioned **array, ufc_error *err);
/* A copy of an array, wherever that is, in the memory of the context's device, or the host's, with
 * its axes in order K.  A copy from or to the host is done on return; one between GPU arrays is
 * ordered on the stream, and so is the new array's memory.  The caller owns it. */
ufc_status ufc_to_device(ufc_context *ctx, void *stream, const DLTensor *src,
                         DLManagedTensorVersioned **array, ufc_error *err);
ufc_status ufc_to_host(ufc_context *ctx, void *stream, const DLTensor *src,
                       DLManagedTensorVersioned **array, ufc_error *err);
/* Calls the deleter; NULL is allowed.  GPU memory goes back in the order of the default stream:
 * work on it in a stream that does not wait for that one must be done (ufc_synchronize).  A context
 * keeps freed GPU memory for the next call: up to a 32nd of the GPU's memory, or 256 MiB where that
 * is more.  An array may outlive the context that it was made in. */
void ufc_free(DLManagedTensorVersioned *array);
/* The memory pool of a GPU context, from which its calls' results and temporary memory come, and
 * the arrays that ufc_empty makes in it.  All in bytes. */
typedef struct ufc_pool {
    uint64_t used;     /* by arrays and calls */
    uint64_t reserved; /* taken from the GPU: used, or kept for the next call */
    uint64_t peak;     /* the most that was used at a time */
    uint64_t limit;    /* of what is used; 0: none */
} ufc_pool;

/* Tells what a GPU context's pool has; other contexts give UFC_EDEVICE, as GPUs without pools do.
 * ctx NULL: the default context.  Memory freed on a stream counts as used until the stream has
 * come there.  Statistics, limit and freeing are for any thread, while
 * others use the context. */
ufc_status ufc_pool_statistics(ufc_context *ctx, ufc_pool *pool, ufc_error *err);
/* Waits for all work in the GPU's CUcontexts that calls have run in, and gives all memory that the
 * pool keeps for the next call back to the GPU. */
ufc_status ufc_pool_free_all(ufc_context *ctx, ufc_error *err);
/* Sets the limit of what is used at a time, in bytes; 0: none.  In the beginning it is that of
 * $UFC_GPU_MEMORY_LIMIT: bytes (1000000, 500M, 2G), or a part of the GPU's memory (50%).  Each
 * context has its own.  A call that would exceed it waits for memory that is being freed; where
 * that is not enough it fails with UFC_ENOMEM, writes nothing, and leaves the context as it was.
 * What is in use stays in use. */
ufc_status ufc_pool_set_limit(ufc_context *ctx, uint64_t bytes, ufc_error *err);

/* Memory of a GPU from elsewhere: from RMM, from PyTorch.  Its functions are called by any thread,
 * with the CUcontext of the call current, and call no function of ufc. */
typedef struct ufc_allocator {
    /* Gives memory aligned to 256 bytes, whose use is ordered on the stream, a CUstream, as is that
     * of what was released on it; or tells what failed, whereupon the call fails with it. */
    ufc_status (*allocate)(void *user, size_t bytes, void *stream, void **memory, ufc_error *err);
    /* Takes back what it gave; work on the stream may still use it. */
    void (*release)(void *user, void *memory, size_t bytes, void *stream);
    void *user;
} ufc_allocator;

/* Lets a GPU context take memory from an allocator, which is copied, and not from its pool: what
 * its calls need on the way, their results on the GPU, and arrays of UFC_DEVICE.  NULL: from its
 * pool again.  Memory goes back to where it came from, also when the context is gone; so `user`
 * must live as long as the arrays.  Statistics and limit count it.  Others may use the context
 * meanwhile. UFC_EDEVICE: the context is no GPU's. */
ufc_status ufc_set_allocator(ufc_context *ctx, const ufc_allocator *allocator, ufc_error *err);

/* Copies src to dst, of the same shape and dtype and any strides, each on the host or a GPU.
 * Between GPU arrays the copy is asynchronous on the stream; to or from the host it is done on
 * return.  Between two GPUs it is ordered on the stream of the context's GPU, or, where that is
 * neither of them, on that of dst's; arrays that are not contiguous in the same order are packed,
 * which takes memory on both. */
ufc_status ufc_copy(ufc_context *ctx, void *stream, const DLTensor *src, const DLTensor *dst,
                    ufc_error *err);

/* Reads and writes NumPy's .npy files (format versions 1 to 3, both byte orders, both array orders
 * on reading; version 1, little-endian, C order on writing).  Writing replaces the file at once or
 * not at all, on the disk too, and leaves nothing else: see ufc(3).  Reading makes a host array
 * that the caller owns. */
ufc_status ufc_npy_read(const char *path, DLManagedTensorVersioned **array, ufc_error *err);
ufc_status ufc_npy_write(const char *path, const DLTensor *array, ufc_error *err);
/* Read and write an array in the .npy format in an open file or pipe, from its current position to
 * the array's end, so that several arrays may follow one another.  fd stays open.  Writing does not
 * sync the file to the disk, and after an error a part of the array may be in the file. */
ufc_status ufc_npy_read_fd(int fd, DLManagedTensorVersioned **array, ufc_error *err);
ufc_status ufc_npy_write_fd(int fd, const DLTensor *array, ufc_error *err);

/* ---- calls */

typedef enum ufc_arg_kind {
    UFC_ARG_ARRAY,
    UFC_ARG_BOOL,
    UFC_ARG_INT,
    UFC_ARG_UINT,
    UFC_ARG_FLOAT,
    UFC_ARG_COMPLEX
} ufc_arg_kind;

/* An input: an array, or a number.  Numbers are weak, as Python's under NEP 50: they take the type
 * of the arrays they meet; where there are only numbers they are int64 and float64, or, where no
 * overload takes those, of any type of their kind that holds them (UFC_ARG_BOOL is NumPy's
 * bool). */
typedef struct ufc_arg {
    ufc_arg_kind kind;
    union {
        const DLTensor *array;
        bool b;
        int64_t i;
        uint64_t u;
        double f;
        struct {
            double re, im;
        } c;
    } as;
} ufc_arg;

static inline ufc_arg ufc_array(const DLTensor *array) {
    ufc_arg a = {UFC_ARG_ARRAY, {array}};
    return a;
}

static inline ufc_arg ufc_int(int64_t value) {
    ufc_arg a = {UFC_ARG_INT, {NULL}};
    a.as.i = value;
    return a;
}

static inline ufc_arg ufc_uint(uint64_t value) {
    ufc_arg a = {UFC_ARG_UINT, {NULL}};
    a.as.u = value;
    return a;
}

static inline ufc_arg ufc_float(double value) {
    ufc_arg a = {UFC_ARG_FLOAT, {NULL}};
    a.as.f = value;
    return a;
}

static inline ufc_arg ufc_complex(double re, double im) {
    ufc_arg a = {UFC_ARG_COMPLEX, {NULL}};
    a.as.c.re = re;
    a.as.c.im = im;
    return a;
}

static inline ufc_arg ufc_bool(bool value) {
    ufc_arg a = {UFC_ARG_BOOL, {NULL}};
    a.as.b = value;
    return a;
}

/* An output: an array to write into, or a place for a new one. */
typedef struct ufc_out {
    const DLTensor *array; /* written in place; NULL: a new array is made */
    /* where array is NULL: set to the new array, which the caller owns; to NULL on failure */
    DLManagedTensorVersioned **result;
} ufc_out;

static inline ufc_out ufc_into(const DLTensor *array) {
    ufc_out o = {array, NULL};
    return o;
}

static inline ufc_out ufc_new(DLManagedTensorVersioned **result) {
    ufc_out o = {NULL, result};
    return o;
}

/* A compiled ufunc: constant data in an object that `ufc build` wrote, or loaded by ufcc.h. */
typedef struct ufc_ufunc ufc_ufunc;

/* What a ufunc is.  The pointers live as long as it does. */
typedef struct ufc_description {
    const char *name;
    const char *doc; /* its documentation comment; NULL: it has none */
    int nin, nout;
    const char *const *operands; /* the inputs' names, then the outputs' */
    int noverloads;
    const char *core; /* a gufunc's core dimensions, "(m,n),(n,p)->(m,p)"; NULL: of scalars */
} ufc_description;

/* Describes a ufunc; of NULL all members are 0 and NULL. */
ufc_description ufc_describe(const ufc_ufunc *ufunc);
/* The signature of an overload, as "float32(float32, float32)"; overloads count from 0, in the
 * order in which they are tried.  NULL: there is no such overload. */
const char *ufc_signature(const ufc_ufunc *ufunc, int overload);

/* What an overload is.  The pointers live as long as the ufunc. */
typedef struct ufc_overload_description {
    const char *signature; /* as ufc_signature gives it */
    const uint8_t *types;  /* of the inputs, then of the outputs: enum ufc_type */
    bool reorders;         /* what it reduces may be taken in any order, as NumPy's reorderable */
    bool has_identity;     /* `with identity` */
    ufc_arg identity;      /* a number */
} ufc_overload_description;

/* Describes an overload; all members are 0 and NULL where there is none of that index. */
ufc_overload_description ufc_describe_overload(const ufc_ufunc *ufunc, int overload);

/* Calls a ufunc: nin inputs, nout outputs, as NumPy would: broadcast over any strides (zero and
 * negative too), rank 0 and size 0; overlapping inputs and outputs as if the inputs had been copied
 * first.  The first overload that all inputs cast to safely is taken; outputs are stored under
 * same_kind casting; a given output may broadcast the inputs, not be broadcast.  Everything is
 * checked before anything is written.
 *
 * Of a gufunc the last axes of each operand are its core dimensions, as its signature names them;
 * the axes before them broadcast.  All dimensions of one name have one size, and a number in the
 * signature is the size itself: neither broadcasts.  Dimensions with `?` may be missing, from all
 * operands that have them.  Where no output has an element nothing is computed, except in a build
 * with --check; where core dimensions of inputs have size 0, the outputs get what the gufunc
 * computes from no elements.  Where an array's type is not the overload's, or an input shares
 * memory with an output, the call takes memory for a copy.  Elements that the gufunc does not write
 * are 0 in a new result, and stay as they are in a given output.  A build with --check that finds a
 * subscript out of range gives UFC_EINVAL, and the outputs' contents are not to be used; on a GPU a
 * call of such a build waits for its end.
 *
 * An element's bits depend on its inputs alone, not on its place, nor on the number of threads.
 * Calls compute in C's default floating-point environment, whatever the caller's is, which comes
 * back as it was: no exception flag is raised.
 *
 * In a GPU context the call is asynchronous on `stream` when all arrays are on the GPU; host arrays
 * are staged: inputs are read at once, not in the order of the stream, and the call returns when
 * host outputs are there.  `stream` is a CUstream; NULL is the legacy default stream, also in
 * programs compiled for per-thread default streams, which are CU_STREAM_PER_THREAD, (CUstream)2.
 * In the host context all arrays are on the host and stream is ignored; GPU arrays need a GPU
 * context.  With ctx NULL, GPU arrays choose their own GPU.  Where all arrays are on the host and
 * stream is NULL, a call with ctx NULL, or in an "auto" context, is made on the host or on the GPU,
 * where by measured rates (ufc_rates) it is predicted to take less time; the results are within the
 * same bounds, and of the operations that have one result on all devices the same.  Managed memory
 * (kDLCUDAManaged) may be used with any GPU, but not with the host.  A new result is on the GPU
 * where an input or output array is, else on the host, with its axes in the order of the inputs'
 * strides (NumPy's order K). */
ufc_status ufc_call(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                    const ufc_out *out, ufc_error *err);

/* ---- inner loops, for callers that broadcast and convert themselves, as NumPy does */

/* Runs an overload on the host as one of NumPy's inner loops (PyUFuncGenericFunction): args points
 * to the first element of each input, then of each output, of the overload's types and aligned;
 * dimensions[0] is the number of elements, steps are byte strides.  It is right for any strides,
 * for outputs that are inputs, and for the calls of NumPy's reduce and accumulate.  Of a gufunc
 * dimensions[0] is the number of core calls; behind it are the sizes of the core dimensions, in the
 * order in which the signature (ufc_describe) first names them, 1 for those that are missing; steps
 * has behind the operands' own their strides along their core dimensions, operand by operand; an
 * output shares no byte with another operand, and elements that the gufunc does not write become 0.
 * Large loops are shared out over threads.  Bits, and the floating-point environment, are as in
 * ufc_call. */
ufc_status ufc_inner_loop(const ufc_ufunc *ufunc, int overload, char **args,
                          const intptr_t *dimensions, const intptr_t *steps, ufc_error *err);
/* Sets the sizes of a gufunc's computed core dimensions, in the order of ufc_inner_loop, where they
 * are -1, from the others; UFC_ESHAPE where one is given and is not what is computed. */
ufc_status ufc_core_sizes(const ufc_ufunc *ufunc, intptr_t *sizes, ufc_error *err);

/* ---- keywords */

typedef enum ufc_casting {
    UFC_CASTING_DEFAULT,
    UFC_CASTING_NO, /* equal types */
    UFC_CASTING_EQUIV,
    UFC_CASTING_SAFE,
    UFC_CASTING_SAME_KIND,
    UFC_CASTING_UNSAFE
} ufc_casting;

/* Which axes of an operand are its core dimensions, in their order, as in ufc_keywords.axes. */
typedef struct ufc_axes {
    const int *axes;
    int naxes;
} ufc_axes;

/* NumPy's keywords: zeroed they are its defaults.  One that a function does not take must be 0. */
typedef struct ufc_keywords {
    const DLTensor *where; /* bool: what to compute, or to reduce; NULL: everything.  Other
                              elements of a given output stay as they were, of a new one are
                              not set */
    ufc_casting casting;   /* of inputs to an overload (default: safe, with dtype same_kind), of
                              results to outputs (default: same_kind) */
    DLDataType dtype; /* of the results, and so of the overload; bits 0: as the inputs decide */
    const int *axes;  /* axes to reduce along, from 0, or back from -1; NULL: the first
                         axis.  In calls of gufuncs NumPy's axis: one axis, for all operands
                         that have a core dimension, which must be the same; NULL: the last */
    int naxes;
    bool all_axes;          /* NumPy's axis=None */
    bool keepdims;          /* axes that are reduced stay, of size 1 */
    const ufc_arg *initial; /* a number to begin with; NULL: the identity, if there is one */
    /* In calls of gufuncs NumPy's axes: for each operand; outputs may be left out where no output
     * has core dimensions.  NULL: the last axes. */
    const ufc_axes *core_axes;
    int ncore_axes;
    /* Makes a new result instead of ufc_empty: of the prototype's type, shape and device, with its
     * strides or in C order.  It is called by the calling thread, in the order of the outputs,
     * before anything is computed, and returns what failed with a message; *array is the call's,
     * which gives it to the caller as any result, or to its deleter.  NULL: ufc's own. */
    ufc_status (*allocate)(void *user, const DLTensor *prototype, DLManagedTensorVersioned **array,
                           ufc_error *err);
    void *user;
} ufc_keywords;

/* ufc_call with the keywords where, casting and dtype; of gufuncs casting, dtype, axes, core_axes
 * and keepdims (which gives outputs without core dimensions an axis of size 1 for each core
 * dimension of the inputs, all of which must have the same number). */
ufc_status ufc_call_with(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                         const ufc_out *out, const ufc_keywords *keywords, ufc_error *err);

/* Calls a ufunc or gufunc once for each GPU of a context of several, on a shard of each array:
 * shard i, on GPU i and streams[i] (streams NULL: the default stream), has the inputs in[i * nin]
 * and on, and the outputs out[i * nout] and on.  Arrays stay where they are, new results are there
 * too, and the GPUs compute at the same time.  A shard that fails does not stop the others, whose
 * results are the caller's; the error names the first that failed. */
ufc_status ufc_call_shards(ufc_context *ctx, void *const *streams, const ufc_ufunc *ufunc,
                           const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                           ufc_error *err);

/* ---- plans: a call that is checked once, and executed many times */

typedef struct ufc_plan ufc_plan;

/* Plans ufc_call_with: finds the signature, the shape and the order of the loop, of a gufunc all
 * that the call executes, and loads the code.  All arrays are where the context computes, and
 * results are made there now; an input of one element that is no sub-array may be on the host, and
 * is read now, as numbers are.  With ctx NULL, or in an "auto" context, arrays on the host are
 * computed there.  The caller frees *plan with ufc_plan_free; ufunc and context must outlive it
 * (with ctx NULL, the context is the process's own). */
ufc_status ufc_plan_new(ufc_plan **plan, ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                        const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                        ufc_error *err);
/* Plan methods, whose arguments they take.  The array has elements along its axes; the indices are
 * read now. */
ufc_status ufc_plan_reduce(ufc_plan **plan, ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                           ufc_arg array, ufc_out out, const ufc_keywords *keywords,
                           ufc_error *err);
ufc_status ufc_plan_accumulate(ufc_plan **plan, ufc_context *ctx, void *stream,
                               const ufc_ufunc *ufunc, ufc_arg array, ufc_out out,
                               const ufc_keywords *keywords, ufc_error *err);
ufc_status ufc_plan_reduceat(ufc_plan **plan, ufc_context *ctx, void *stream,
                             const ufc_ufunc *ufunc, ufc_arg array, const DLTensor *indices,
                             ufc_out out, const ufc_keywords *keywords, ufc_error *err);
/* Executes a plan, asynchronously on a GPU, on arrays of the planned types, shapes and strides:
 * data[k] is the first element of input k, then of outputs, then of the mask where there is one
 * (of methods: of the array, of the output, of the mask); for numbers, and inputs that were read
 * when planned, data[k] is ignored.  data NULL: the planned arrays, which the caller must have
 * kept, new results too.  The bits are those of the call.  Alignment and overlap are checked again;
 * an input that shares memory with an output is an error here, unless both are the same view, of a
 * ufunc of scalars or of accumulate: nothing is allocated on the device, nor is anything waited for
 * or locked.  So a CUDA graph may capture it (but the first execution in another CUDA context than
 * the plan's loads the kernels).  A build with --check waits for its end.
 *
 * A plan of a gufunc or a method may need a workspace, of ufc_plan_workspace bytes, 0: none.  It
 * has one of its own, which executions must not use at the same time: they are queued on one
 * stream, or wait for one another.  Several threads or streams may execute a plan at the same time
 * that needs none, or by ufc_execute_in, each in a workspace of theirs: memory of the context's
 * device, aligned to 256 bytes, that nothing else uses meanwhile. */
ufc_status ufc_execute(const ufc_plan *plan, void *stream, void *const *data, ufc_error *err);
/* workspace NULL: the plan's own. */
ufc_status ufc_execute_in(const ufc_plan *plan, void *stream, void *workspace, void *const *data,
                          ufc_error *err);
int64_t ufc_plan_workspace(const ufc_plan *plan);
/* NULL is allowed.  No execution may be under way that uses the plan's own workspace. */
void ufc_plan_free(ufc_plan *plan);

/* How a plan is executed on the planned arrays, or how a call or method would go.  Its strings need
 * no freeing: signature lives as long as the ufunc.  Members that are not known, or do not apply,
 * are 0. */
typedef struct ufc_plan_description {
    const char *signature; /* NULL: there is nothing to compute */
    char core[256];        /* "m = 3, n = 5": a gufunc's core dimensions; "" of scalars */
    int ndim;              /* axes of the loop, merged, the slowest first; of a method's
                              loop over its lines */
    int64_t shape[64];
    int naxes; /* of a method: number of axes that it goes along; of `at` 1, the first */
    int axes[64];
    int64_t length;       /* of a method: elements along these axes; of `at` indices */
    const char *kernel;   /* "vector", …, of gufuncs "tile 16", …, of methods "fold", …, as
                             ufc(1) lists them under explain; "host" */
    char why[256];        /* why the kernel was chosen; "" for "vector".  On the host what
                             fills vectors, or why nothing does, and which operands are
                             gathered or converted.  Cut where it is longer */
    char special[96];     /* of a function that is to have kernels for its calls (ufcc_specialize):
                             "one made for the call", or "the general one, since" and why; else "" */
    int width;            /* elements in one access, at most; of gufuncs 0 */
    int64_t call_threads; /* of gufuncs: threads that share a core call */
    int launches;
    char passes[256];         /* of a method, the passes over each line: "tree, 16 pieces of 4096;
                                 fold, all 16"; of a gufunc on a GPU its launches, what each is
                                 predicted to take, and what bounds it.  Cut where it is longer */
    char statements[2048];    /* of a gufunc, a line for each statement with loops, as ufc(1) tells
                                 under explain: "8: y: 4096 points, each a reduction of 9; …" and \n,
                                 as many as there is room for */
    unsigned blocks, threads; /* of the first launch: blocks of the grid, threads of a block */
    int registers;            /* a thread's */
    double occupancy;         /* fraction of a multiprocessor's threads in use, at most */
    int64_t bytes;            /* bytes of all operands' distinct elements */
    int64_t temporaries;      /* bytes of memory that the call takes */
    char copies[256];         /* "x in C order, w as float64": copies of a gufunc's
                                 operands; cut where it is longer; "": none */
    char arrays[256];         /* "s 800 bytes, d in place": arrays that a gufunc's body makes, of
                                 a call; cut where it is longer; "": none */
    char parts[256];          /* "16 of up to 65536 along axis 0, by 2 GPUs: 8, 8; …": parts that
                                 the GPUs of the context share, the first of which is described;
                                 "13 of up to 4096 calls, one after the other; …": those of a
                                 gufunc whose arrays use the same memory; loop, bytes and launches
                                 are the call's, the rest the first one's.  "": it is whole */
    /* On a GPU; 0: not known */
    double bytes_seconds;     /* seconds that moving `bytes` takes at the rate of copies */
    double work_seconds;      /* seconds that the operations take at the GPU's rates, of the kind
                                 that takes longest; a loop that may end early counts in full */
    const char *work_by;      /* that kind: "float32", "float64", "integers", "special functions";
                                 "chain": of operations of which each waits for the one before it */
    double chained;           /* with "chain": how many these are; 0: not known */
    double bytes_per_second;  /* predicted */
    const char *predicted_by; /* what bounds the longest launch: "memory", "the L2 cache", "the L1
                                 cache", "operations", "instructions" (more than operations),
                                 "waiting" (each step for the one before it); or "the host" */
    /* On the host */
    const char *level;  /* level that the code was compiled for, "x86-64-v3" */
    int lanes;          /* lanes of a vector: elements, or calls of a gufunc, that are
                           computed at once */
    int host_threads;   /* threads that share the work, at most; fewer while other calls
                           have them */
    char host_why[128]; /* why host_threads are so many */
    /* Of host arrays, where the context leaves it open whether the host computes or a GPU: "cpu,
     * 44.1 us; cuda:0 would take 103.2 us, 85.0 us of them to copy"; else "" */
    char device[160];
} ufc_plan_description;

ufc_status ufc_plan_describe(const ufc_plan *plan, ufc_plan_description *description,
                             ufc_error *err);
/* Describes how ufc_call_with would go, for gufuncs too, and fails where that would.  It takes the
 * same steps up to the computation: given arrays are neither copied nor written, nothing is
 * allocated for them, and results are not made (their places become NULL), so that a call larger
 * than the memory can be described too.  On a GPU it loads the code, and nothing is queued.  The
 * description is the caller's, and is not to be used after an error. */
ufc_status ufc_explain(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                       const ufc_out *out, const ufc_keywords *keywords,
                       ufc_plan_description *description, ufc_error *err);

/* ---- methods */

/* The methods of ufuncs with two inputs and one output, gufuncs apart; keywords may be NULL.  All
 * but ufc_outer take an overload whose inputs and output are of one type: the first to which array
 * and given output cast safely; but a ufunc that adds or multiplies reduces small integers (and
 * bool) in int64 or uint64, where it has that overload, no dtype is asked for and no output is
 * given.  A ufunc that adds, subtracts, multiplies or divides halves reduces them in float32, where
 * it has that overload, and rounds the result once.
 *
 * Reductions by a ufunc `with identity` are regrouped, in a way that depends on the length alone,
 * and run in parallel; so are maxima, minima and operators on integers, whose results are the same.
 * Those by others go in order, along several axes in C order. */

/* Reduces along axes.  Keywords: where, dtype, axes, keepdims, initial. */
ufc_status ufc_reduce(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                      ufc_out out, const ufc_keywords *keywords, ufc_error *err);
/* Stores the partial result at each element along one axis.  Keywords: dtype, axes. */
ufc_status ufc_accumulate(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                          ufc_out out, const ufc_keywords *keywords, ufc_error *err);
/* Reduces from each index up to the next; where the next is not greater, takes the element at the
 * index.  Keywords: dtype, axes.  indices are whole numbers on the host, of rank 1. */
ufc_status ufc_reduceat(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                        const DLTensor *indices, ufc_out out, const ufc_keywords *keywords,
                        ufc_error *err);
/* Calls for all pairs of an element of x and one of y, whose axes follow x's.  Keywords: as
 * ufc_call_with. */
ufc_status ufc_outer(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg x, ufc_arg y,
                     ufc_out out, const ufc_keywords *keywords, ufc_error *err);
/* array[indices] = f(array[indices], y), one index of the first axis after the other, so that an
 * index counts as often as it occurs.  indices are whole numbers of any rank, negative ones from
 * the end; y broadcasts to what they select.  Where all of them are on the host, it runs there, or
 * in the simulator where the context is that. */
ufc_status ufc_at(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const DLTensor *array,
                  const DLTensor *indices, ufc_arg y, ufc_error *err);

/* Describe how the methods would go, as ufc_explain does for ufc_call_with; each takes its method's
 * arguments. */
ufc_status ufc_explain_reduce(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                              ufc_out out, const ufc_keywords *keywords,
                              ufc_plan_description *description, ufc_error *err);
ufc_status ufc_explain_accumulate(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                                  ufc_arg array, ufc_out out, const ufc_keywords *keywords,
                                  ufc_plan_description *description, ufc_error *err);
ufc_status ufc_explain_reduceat(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                                ufc_arg array, const DLTensor *indices, ufc_out out,
                                const ufc_keywords *keywords, ufc_plan_description *description,
                                ufc_error *err);
ufc_status ufc_explain_outer(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg x,
                             ufc_arg y, ufc_out out, const ufc_keywords *keywords,
                             ufc_plan_description *description, ufc_error *err);
ufc_status ufc_explain_at(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                          const DLTensor *array, const DLTensor *indices, ufc_arg y,
                          ufc_plan_description *description, ufc_error *err);

#ifdef __cplusplus
}
#endif

#endif
