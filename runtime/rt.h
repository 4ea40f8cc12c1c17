/* rt.h: the runtime's internals: structs, then prototypes in one section a file.
 *
 * A call flows through the files in this order:
 *   call.c     checks the arguments
 *   resolve.c  picks the overload
 *   bcast.c    broadcasts shapes, makes the iteration, sorts and merges its axes
 *   overlap.c  finds inputs that an output would overwrite, copies them first
 *   stage.c    host arrays of a call that runs on a GPU: to the device and back
 *   host/, cuda/, sim/: the devices, which device.def lists, run it
 *   launch.c   says by which kernels, for devices that run kernels
 *   explain.c  describes, in the place of the devices, what they would run
 *
 * A plan (plan.c) goes that way up to the iteration once, and the rest each time it is executed.
 *
 * A gufunc's call goes from call.c to gufunc_call.c, which asks core.c for the core dimensions and
 * takes the same way from bcast.c on; launch_gufunc.c is its launch.c.
 *
 * A method (reduce, accumulate, …) begins in method.c instead, and is a `struct reduction` on a
 * device, which launch_fold.c makes kernel launches of; outer is a call; at.c checks what a
 * device's `at` does, which at_gpu.c makes a reduction of for devices that run kernels. */
#ifndef UFC_RT_H
#define UFC_RT_H

#include <pthread.h>

#include "image_abi.h"
#include "tuning.h"
#include "ufc.h"

#define MAX_RANK 64   /* as NumPy's */
#define ANY_GPU  (-1) /* the device_id of managed memory, which all GPUs reach */

/* Operands that a call walks: inputs, outputs, and a mask where there is one. */
enum { MAX_WALKED = UFC_MAX_OPERANDS + 1 };

/* Records what a call or a method would do (recorder.h).  Functions that are given one do not
 * compute; where it is NULL they do. */
struct recorder;

/* One input or output of a call, after its argument was checked. */
struct operand {
    char *data;           /* first element; may be NULL for a number or where size is 0 */
    uint64_t value[2];    /* a number's element, in `dtype`, in the low bytes */
    bool is_number;       /* then ndim is 0 */
    enum ufc_dtype dtype; /* of the array; of a number once the overload is chosen */
    DLDevice device;      /* kDLCPU or kDLCUDA, perhaps ANY_GPU; kDLCPU for a number */
    int ndim;             /* -1: an output that the call is to make */
    int64_t shape[MAX_RANK];
    int64_t stride[MAX_RANK]; /* bytes; any value on axes of size 1 */
};

/* What all core calls of a gufunc's iteration have in common. */
enum {
    MAX_CORE_DIMS = 256,                            /* as ufc_core.dim counts them */
    MAX_CORE = UFC_MAX_PARAMETER / sizeof(int64_t), /* axes of all operands */
};
struct core {
    int64_t size[MAX_CORE_DIMS]; /* of the dimensions, as struct ufc_core lists them */
    int64_t stride[MAX_CORE];    /* bytes, along the core axes, operand by operand */
    int naxes;                   /* of them all */
};

/* The loop over a call's elements, or over a gufunc's core calls: what a device executes.  Axes are
 * merged and sorted, the fastest first, so naxes is small and may be 0 (one element). */
struct iteration {
    const struct ufc_overload *overload;
    const struct ufc_ufunc *ufunc; /* NULL: a copy */
    const struct core *core;       /* of gufuncs; NULL: the elements are scalars */
    int nin, nout;
    bool masked; /* operand nin + nout says by a byte that is not 0 which elements are computed */
    int naxes;
    int64_t size[MAX_RANK];
    int64_t total;                        /* product of sizes; > 0 */
    char *data[MAX_WALKED];               /* NULL: a number */
    uint64_t value[MAX_WALKED][2];        /* a number's element, in the overload's dtype */
    enum ufc_dtype dtype[MAX_WALKED];     /* of the arrays; the overload's for numbers */
    int64_t stride[MAX_WALKED][MAX_RANK]; /* bytes */
};

/* Whether an array is in the host's memory, or a context computes there. */
static inline bool is_host(DLDevice device) {
    return device.device_type == kDLCPU;
}

static inline int walked(const struct iteration *it) {
    return it->nin + it->nout + it->masked;
}

/* An array of a reduction: strides in bytes, along the axes that are kept and those that are not.
 */
struct folded {
    char *data;
    enum ufc_dtype dtype;
    int64_t outer[MAX_RANK], inner[MAX_RANK];
};

/* reduce, accumulate and reduceat as a device executes them.  A line is an element of the outer
 * axes, and goes along the inner ones, whose elements it counts in C order; axes are merged, the
 * fastest first.  Each line, or each segment of a line, is reduced to an element of `out`. */
struct reduction {
    const struct ufc_overload *overload; /* of T(T, T) */
    const struct ufc_ufunc *ufunc;
    struct folded in, out, where; /* where.data NULL: everywhere */
    int nouter, ninner;
    int64_t outer_size[MAX_RANK], inner_size[MAX_RANK];
    int64_t lines, length; /* both > 0 */
    bool each;             /* accumulate: what is so far goes to out's place of each element */
    bool has_initial;
    uint64_t initial[2];    /* in the overload's dtype */
    const int64_t *bounds;  /* on the host: begin and end of each segment; NULL: one, the line */
    const int64_t *order;   /* at: the k-th element to take; NULL: in order */
    const int64_t *rows;    /* at: where segments are in `out`, which they begin with */
    int64_t segments;       /* > 0 */
    int64_t segment_stride; /* bytes, of out */
};

static inline bool regroups(const struct reduction *r) {
    return r->overload->flags & UFC_HAS_IDENTITY;
}

/* The memory that a call needs until it has been executed, freed by free_temps (overlap.c). */
struct temps {
    int n;
    void *memory[2 * MAX_WALKED];
};

/* Fills (empties) the bytes [offset, offset + size) of a copy into (from) pinned memory at `chunk`.
 */
typedef void chunk_fn(const void *arg, char *chunk, size_t offset, size_t size);

struct kernel_launch;
struct kernel_facts {
    int registers;    /* of a thread */
    double occupancy; /* of a multiprocessor's threads, at most */
    double rate;      /* bytes a second that copies reach */
};

struct at;

/* What a device can do.  `stream` is the device's own, a CUstream; those without ignore it.  Sizes
 * are bytes. */
struct device_ops {
    const char *name;    /* "cpu", "cuda", "sim" */
    DLDeviceType memory; /* that its arrays are in: kDLCPU or kDLCUDA */
    bool launches;       /* runs kernels for GPUs, by launch*.c; else the image's host code */
    /* The next four are of devices that are numbered, as GPUs are; others have NULL.
     * How many there are: a driver that did not start is started anew.  *why (where not NULL) is
     * set as by ufc_device_count. */
    int (*count)(const char **why);
    /* How many there are, for what can do without any and asks often: a driver that did not start
     * is left alone for a while. */
    int (*count_quickly)(void);
    /* The number of the one that a stream belongs to; *number stays as it is for the default
     * streams, as each has. */
    ufc_status (*of_stream)(void *stream, int *number, ufc_error *err);
    /* Does the overload have code for the context's device? */
    bool (*runs)(const ufc_context *ctx, const struct ufc_overload *overload);
    /* Makes ctx->state, where the device needs one; the rest of the context is set. */
    ufc_status (*open)(ufc_context *ctx, ufc_error *err);
    void (*close)(ufc_context *ctx);
    ufc_status (*properties)(ufc_context *ctx, ufc_properties *props, ufc_error *err);
    /* Memory is aligned to 256 bytes, and its use is ordered on the stream. */
    ufc_status (*alloc)(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err);
    void (*free)(ufc_context *ctx, void *stream, void *memory);
    /* Makes so many bytes 0.  Asynchronous on a GPU. */
    ufc_status (*clear)(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err);
    /* Copies along an iteration of one input and one output of the same dtype, both in the device's
     * memory; changes *it.  Asynchronous on a GPU. */
    ufc_status (*copy)(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err);
    /* Copies host memory to the device's, or back, in chunks, each once, in order: `fill` writes
     * (`empty` reads) them.  An upload is ordered on the stream and may be under way on return; a
     * download is done.  NULL where the device's memory is the host's. */
    ufc_status (*upload)(ufc_context *ctx, void *stream, void *dst, size_t size, chunk_fn *fill,
                         const void *arg, ufc_error *err);
    ufc_status (*download)(ufc_context *ctx, void *stream, const void *src, size_t size,
                           chunk_fn *empty, const void *arg, ufc_error *err);
    ufc_status (*execute)(ufc_context *ctx, void *stream, const struct iteration *it,
                          ufc_error *err);
    ufc_status (*reduce)(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err);
    /* array[indices] = f(array[indices], y), of arrays that may be in the host's memory still. */
    ufc_status (*at)(struct at *at, const struct operand *indices, ufc_error *err);
    /* Add to a description, which has the loop, how `execute` and `reduce` would go. */
    ufc_status (*describe)(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                           ufc_error *err);
    ufc_status (*describe_reduction)(ufc_context *ctx, const struct reduction *r,
                                     ufc_plan_description *d, ufc_error *err);
    /* Loads what executing an overload needs; NULL where that is nothing. */
    ufc_status (*prepare)(ufc_context *ctx, void *stream, const struct ufc_overload *overload,
                          ufc_error *err);
    /* Tells what is known of a prepared kernel; NULL where that is nothing. */
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

struct ufc_context {
    const struct device_ops *ops;
    DLDevice device;
    int threads;               /* of the host, for calls there and for staging */
    int multiprocessors;       /* of devices that run kernels */
    void *state;               /* the device's own */
    struct recorder *recorder; /* whose context it is; NULL: it is none's */
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
/* alignment: a power of two, as elements' and pieces' sizes are: a division would take as long as
 * much else of a call. */
static inline bool is_aligned(const void *data, size_t alignment) {
    return ((uintptr_t)data & (alignment - 1)) == 0;
}
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
 * op[nin..nin+nout); gives numbers their dtype and value, results to be made their dtype.  Of the
 * keywords dtype and casting count; they may be NULL. */
ufc_status resolve(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_keywords *kw,
                   struct operand *op, const struct ufc_overload **overload, ufc_error *err);
/* Chooses the overload, of T(T, T), for a method of an array, and checks the output, or gives it
 * its dtype. */
ufc_status resolve_method(const struct ufc_ufunc *ufunc, const char *method, const ufc_keywords *kw,
                          const struct operand *in, struct operand *out,
                          const struct ufc_overload **overload, ufc_error *err);
/* The overload that a result of `overload` is reduced by: halves that are added, subtracted,
 * multiplied or divided are float32's until they are stored, as NumPy's, where that overload is. */
const struct ufc_overload *reducing_overload(const struct ufc_ufunc *ufunc,
                                             const struct ufc_overload *overload, enum ufc_dtype in,
                                             enum ufc_dtype out);
/* Sets a number's element in a type. */
ufc_status set_number(struct operand *op, const ufc_arg *arg, enum ufc_dtype dtype, ufc_error *err);

/* bcast.c */
/* The shape of the call: inputs, the mask (where not NULL) and given outputs broadcast together. */
ufc_status broadcast(const struct ufc_ufunc *ufunc, const struct operand *op,
                     const struct operand *mask, int *ndim, int64_t shape[MAX_RANK],
                     ufc_error *err);
/* NumPy's order K for a result of n operands (numbers and outputs to be made do not count): its
 * axes, the slowest first. */
void keep_order(int n, const struct operand *op, int ndim, int *order);
/* The loop over a shape of at least one element: operands (numbers by value), the last a mask where
 * `masked`, broadcast to it, axes flipped, sorted and merged. */
void make_iteration(struct iteration *it, const struct ufc_overload *overload, int nin, int nout,
                    bool masked, const struct operand *op, int ndim, const int64_t *shape);

void swap_axes(struct iteration *it, int a, int b);

/* Joins neighbouring axes that all operands walk as one. */
void merge_axes(struct iteration *it);

/* overlap.c */
/* An output that overlaps itself or another output is an error. */
ufc_status check_outputs(const struct iteration *it, const char *const *names, ufc_error *err);
/* Copies inputs that an output would overwrite before they are read, and points `it` at the
 * copies. */
ufc_status copy_overlapping_inputs(ufc_context *ctx, void *stream, struct iteration *it,
                                   const char *const *names, struct temps *temps, ufc_error *err);
void free_temps(ufc_context *ctx, void *stream, struct temps *temps);
/* Outputs that overlap each other, or inputs that would have to be copied, are an error. */
ufc_status check_apart(const struct iteration *it, const char *const *names, ufc_error *err);
/* Whether two arrays share a byte. */
bool operands_overlap(const struct operand *a, const struct operand *b);
/* Makes an array of the context's device a copy of itself, in memory for free_temps; `it` is room.
 */
ufc_status copy_operand(ufc_context *ctx, void *stream, struct operand *op, struct iteration *it,
                        struct temps *temps, ufc_error *err);

/* Of the elements that differ: 1 along strides of 0. */
void distinct_shape(const struct operand *op, int64_t *shape);
/* An array in memory for free_temps, packed, of op's shape and another dtype: axes in C order or
 * that of op's strides, of which those of 0 stay so. */
enum packing_order { PACK_C, PACK_KEEP };
ufc_status make_packed(ufc_context *ctx, void *stream, const struct operand *op,
                       enum ufc_dtype dtype, enum packing_order in, struct operand *packed,
                       struct temps *temps, ufc_error *err);
ufc_status fail_overlap(const char *a, const char *b, ufc_error *err);

/* core.c: the core dimensions of a gufunc's call */
struct core_shape {
    const struct ufc_ufunc *ufunc;
    const ufc_keywords *kw;      /* may be NULL */
    int nloop;                   /* loop dimensions, before keepdims adds any */
    int rank[UFC_MAX_OPERANDS];  /* core axes that an operand has */
    int kept[UFC_MAX_OPERANDS];  /* axes of size 1 that keepdims gives an output in their place */
    bool missing[MAX_CORE_DIMS]; /* optional dimensions, by number */
    int64_t size[MAX_CORE_DIMS]; /* by number */
};
/* Whether the records of a gufunc are within this library's bounds. */
ufc_status check_core(const struct ufc_ufunc *ufunc, ufc_error *err);
/* Finds the core dimensions of all operands, nin inputs and then outputs (perhaps to be made), and
 * their sizes; puts the axes of arrays in order, core axes last, and takes kept ones off. */
ufc_status find_core(struct core_shape *shape, const struct ufc_ufunc *ufunc,
                     const ufc_keywords *kw, struct operand *op, ufc_error *err);
/* The shape of an output that is to be made, for calls of `loop`, and where it has the axes that
 * find_core would put in order; gives the rank. */
ufc_status made_shape(const struct core_shape *s, int k, const int64_t *loop, int64_t *shape,
                      int *order, int *ndim, ufc_error *err);
/* The operand's axis order[i] becomes its i-th. */
void order_axes(struct operand *op, const int *order);
/* The core dimensions' sizes and the operands' strides along them. */
void set_core(struct core *core, const struct core_shape *s, const struct operand *op);
/* The value of a program of a gufunc's sizes; false: it does not fit. */
bool compute_size(const struct ufc_program *program, const int64_t *size, int64_t *value);

/* gufunc_call.c: ufc_call_with of a gufunc, whose record, in and out were checked. */
ufc_status gufunc_call(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, const ufc_keywords *kw,
                       struct recorder *recorder, ufc_error *err);

/* call.c: a call of a ufunc of scalars */
/* In one piece of memory, since threads' stacks may be small. */
struct call {
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    const ufc_keywords *kw;    /* may be NULL */
    struct recorder *recorder; /* may be NULL */
    int nin, nout;
    bool masked;
    const char *names[MAX_WALKED]; /* of op */
    struct operand *op;            /* nin + nout, and the mask behind them */
    struct operand *host_out;      /* nout: host outputs as they were; ndim is -1 of others */
    int ndim;                      /* the call's shape */
    int64_t shape[MAX_RANK];
    DLManagedTensorVersioned *made[UFC_MAX_OPERANDS]; /* by output; NULL where it was given */
    struct temps temps;
    struct iteration it;
    struct operand operands[]; /* op and host_out */
};
/* NULL: out of memory. */
struct call *call_new(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                      const ufc_keywords *keywords, struct recorder *recorder);
/* Checks the arguments, finds overload, shape and context. */
ufc_status call_begin(struct call *c, const ufc_arg *in, const ufc_out *out, ufc_error *err);
bool call_is_empty(const struct call *c);
/* Makes the outputs that are not given, on the host or where the context is. */
ufc_status call_make_results(struct call *c, bool on_host, ufc_error *err);
/* c->it of a call that is not empty, with its outputs. */
void call_iterate(struct call *c);
/* Frees the call; what it made becomes the caller's, or is freed too where out is NULL. */
void call_end(struct call *c, const ufc_out *out);
ufc_status call_with(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                     const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                     struct recorder *recorder, ufc_error *err);
ufc_status call_outer(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc, ufc_arg x,
                      ufc_arg y, ufc_out out, const ufc_keywords *keywords,
                      struct recorder *recorder, ufc_error *err);
/* What follows is for gufuncs and methods, too. */
/* Checks what is passed, and keywords of ufuncs of scalars; places of results become NULL. */
ufc_status check_call(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                      const ufc_keywords *keywords, ufc_error *err);
ufc_status check_ufunc(const struct ufc_ufunc *ufunc, ufc_error *err);
/* An argument as an operand: an array, or a number that has no type yet. */
ufc_status check_input(struct operand *op, const ufc_arg *arg, ufc_error *err);
ufc_status check_output(struct operand *op, const ufc_out *out, ufc_error *err);
/* All inputs and outputs of a call, or what is wrong with which. */
ufc_status check_operands(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                          struct operand *op, ufc_error *err);
/* A host array's only element, as a number of a type. */
void read_number(struct operand *op, enum ufc_dtype dtype);
/* *out->result becomes NULL, where there is one: what a call that fails leaves. */
void clear_result(const ufc_out *out);
/* The mask of the keywords; ndim is -1 where there is none. */
ufc_status check_where(struct operand *op, const ufc_keywords *kw, ufc_error *err);

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

/* Copies an array from the host to the GPU; under way on return.  The shapes are the same. */
ufc_status copy_in(ufc_context *ctx, void *stream, const struct operand *host,
                   const struct operand *device, ufc_error *err);
/* Copies an array from the GPU to the host; done on return. */
ufc_status copy_out(ufc_context *ctx, void *stream, const struct operand *device,
                    const struct operand *host, ufc_error *err);

/* cast.c */
/* Converts n elements; steps are bytes.  Elements are aligned.  Integers wrap; floats become
 * integers by truncating, saturating, NaN to 0; bool is "not zero". */
typedef void cast_kernel(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n);
extern cast_kernel *const cast_kernels[DT_COUNT][DT_COUNT]; /* [from][to] */

/* method.c */
enum fold_method { FOLD_REDUCE, FOLD_ACCUMULATE, FOLD_REDUCEAT };
/* indices: of reduceat. */
ufc_status call_fold(enum fold_method method, ufc_context *ctx, void *stream,
                     const struct ufc_ufunc *ufunc, const ufc_arg *array, const DLTensor *indices,
                     const ufc_out *out, const ufc_keywords *keywords, struct recorder *recorder,
                     ufc_error *err);
/* Whether it has two inputs and one output; an error where not. */
ufc_status check_binary(const struct ufc_ufunc *ufunc, const char *method, ufc_error *err);

/* fault.c: overloads with checks, whose kernels may find faults; of others only the kernels run */
/* What host kernels, on several threads, find. */
struct finding {
    bool checks;
    pthread_mutex_t lock; /* over the two below */
    int64_t at;           /* of the fault, in the order of the work */
    struct ufc_fault fault;
};
void finding_begin(struct finding *f, const struct ufc_overload *overload);
/* Does what finding_run does, where there are checks. */
void run_checked(struct finding *f, int64_t at, ufc_host_kernel *kernel, char **args,
                 const intptr_t *dimensions, const intptr_t *steps, struct ufc_host_call *call);
/* Calls a kernel and keeps the fault, unless there is one of a smaller `at`.  call: what the kernel
 * is lent, or NULL. */
static inline void finding_run(struct finding *f, int64_t at, ufc_host_kernel *kernel, char **args,
                               const intptr_t *dimensions, const intptr_t *steps,
                               struct ufc_host_call *call) {
    if (f->checks)
        run_checked(f, at, kernel, args, dimensions, steps, call);
    else
        kernel(args, dimensions, steps, call);
}
/* Says what was found. */
ufc_status finding_end(struct finding *f, const struct ufc_ufunc *ufunc, ufc_error *err);

/* at.c, at_gpu.c */
struct at {
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    struct recorder *recorder; /* may be NULL */
    struct operand array, y;
    struct iteration it;    /* over the array, to check it */
    const int64_t *indices; /* from the front */
    int64_t *copied;        /* where they are not the caller's */
    int64_t n;
    /* What is selected: the indices' axes, then a row's, in C order. */
    int naxes, nindex;
    int64_t shape[2 * MAX_RANK], y_stride[2 * MAX_RANK]; /* bytes */
};
/* Sets y's strides: it broadcasts to what is selected. */
ufc_status broadcast_y(struct at *at, const struct operand *indices, ufc_error *err);
ufc_status at_on_gpu(struct at *at, const struct operand *indices, ufc_error *err);
ufc_status call_at(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                   const DLTensor *array, const DLTensor *indices, const ufc_arg *y,
                   struct recorder *recorder, ufc_error *err);
/* Reads an array of whole numbers on the host; the caller frees *indices, with room for 2 * n. */
ufc_status read_indices(const DLTensor *array, struct operand *op, int64_t **indices, int64_t *n,
                        ufc_error *err);

/* context.c */
/* The device whose arrays are in such memory. */
const struct device_ops *ops_of(DLDevice device);
/* The process's own context of a device: made when first asked for, never freed. */
ufc_status shared_context(ufc_context **ctx, DLDevice device, ufc_error *err);
/* The context for calls that name none: of the stream's GPU or the first one, where it can be
 * opened and runs the overload (where not NULL), else the host's. */
ufc_status default_context(ufc_context **ctx, void *stream, const struct ufc_overload *overload,
                           ufc_error *err);
/* The context for operands: *ctx where it is not NULL and can reach them all; else their GPU's. */
ufc_status choose_context(ufc_context **ctx, void *stream, const struct ufc_overload *overload,
                          int n, const struct operand *op, const char *const *names,
                          ufc_error *err);

/* memory.c */
/* ufc_empty, ordered on a stream.  order: the axes, the slowest first; NULL: C order. */
ufc_status new_array(ufc_context *ctx, void *stream, enum ufc_dtype dtype, int ndim,
                     const int64_t *shape, const int *order, bool on_host,
                     DLManagedTensorVersioned **array, ufc_error *err);
/* Makes all elements of what new_array made 0, ordered on a stream. */
ufc_status clear_array(void *stream, const DLManagedTensorVersioned *array, ufc_error *err);
/* Frees what new_array made, ordered on a stream; NULL is allowed. */
void free_array(void *stream, DLManagedTensorVersioned *array);
/* Is a copy's every byte, on both sides, next to the one before? */
bool in_one_piece(const struct iteration *it);

/* host_memory.c: members of device_ops of devices whose memory is the host's */
ufc_status host_alloc(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err);
void host_free(ufc_context *ctx, void *stream, void *memory);
ufc_status host_clear(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err);
ufc_status host_copy(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err);
ufc_status host_synchronize(ufc_context *ctx, void *stream, ufc_error *err);
ufc_status host_elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                        double *seconds, ufc_error *err);

/* transpose.c */
/* to[j * along + i] = from[i][j] of elements of 1, 2, 4, 8 or 16 bytes, i < along and j < across,
 * along_step and across_step bytes apart. */
void transpose(char *to, const char *from, int64_t size, int64_t along, int64_t along_step,
               int64_t across, int64_t across_step);

/* threads.c */
/* Calls fn for ranges that together are [0, n), on up to `threads` threads, each range a multiple
 * of `grain` long but the last; returns when all are done. */
typedef void range_fn(void *arg, int64_t begin, int64_t end);
void parallel_for(int threads, int64_t n, int64_t grain, range_fn *fn, void *arg);
#define MAX_THREADS 1024
/* How many of the threads parallel_for uses. */
int threads_used(int threads, int64_t n, int64_t grain);
/* $UFC_NUM_THREADS, at most MAX_THREADS; 0 where it is not set, or empty; -1: it is no number of
 * threads. */
int wished_threads(void);
/* $UFC_NUM_THREADS, else one a core that the process may use; at most MAX_THREADS. */
int default_threads(void);

/* launch.c: an iteration as kernel launches, for devices that run kernels */
struct kernel_launch {
    enum ufc_kernel_kind kind;
    unsigned blocks, block; /* blocks of the grid, threads a block */
    void *param;            /* the kernel's parameter, as image_abi.h lays it out */
    size_t size;            /* of it */
    const char *why;        /* of FOLD and TREE: what made it this one, for descriptions */
};
typedef ufc_status launch_fn(void *arg, const struct kernel_launch *launch, ufc_error *err);
struct launcher;
ufc_status launch_iteration(struct launcher *l, const struct iteration *it, ufc_error *err);
/* Why it is not VECTOR that is launched: a sentence; "" where it is. */
void explain_launch(const struct iteration *it, char *why, size_t size);
/* Axes of these sizes, at most UFC_MAX_AXES; those behind them have one element.  A size of 2^31 or
 * more, which a reduction's only axis may have, is left out: no kernel reads it. */
void set_kernel_axes(struct ufc_kparam_axes *axes, int n, const int64_t *size);

/* The extent of a tile along each axis: at most UFC_MAX_AXES longer than one, the largest, and at
 * most `most` elements in all, the largest axis cut evenly.  The first tile is the largest. */
void choose_tile(const struct iteration *it, int64_t most, int64_t *tile);
/* Cuts the tile at `start` off at the end of each axis; gives the number of its elements. */
int64_t tile_extent(const struct iteration *it, const int64_t *tile, const int64_t *start,
                    int64_t *extent);
/* Steps to the next tile; false after the last. */
bool next_tile(const struct iteration *it, const int64_t *tile, int64_t *start);

/* What launches need. */
struct launcher {
    ufc_context *ctx; /* its memory is allocated from */
    void *stream;
    launch_fn *launch;
    /* Copies host memory to the device's, ordered on the stream; src may change on return. */
    ufc_status (*put)(struct launcher *l, void *dst, const void *src, size_t size, ufc_error *err);
    /* Copies the device's memory to the host's, which has it on return. */
    ufc_status (*get)(struct launcher *l, void *dst, const void *src, size_t size, ufc_error *err);
    void *arg;
    uint64_t fault; /* fault.c: device address of a struct ufc_fault, of an overload with checks */
};

/* fault.c */
/* The launches of some work, and what they found, where the overload has checks. */
typedef ufc_status launches_fn(struct launcher *l, const void *work, ufc_error *err);
ufc_status launch_checked(struct launcher *l, const struct ufc_overload *overload,
                          const struct ufc_ufunc *ufunc, launches_fn *launches, const void *work,
                          ufc_error *err);

/* launch_gufunc.c: a gufunc's iteration as kernel launches */
/* Which of an array's elements are nearest to each other in memory: a core call's, or one each of
 * neighbouring calls.  EITHER: it does not matter, as calls are few, or have the array in common.
 * Strides are bytes; core_stride is 0 along axes of one element. */
enum call_layout { CALLS_EITHER, CALLS_ALONG, CALLS_ACROSS };
enum call_layout call_layout(int nloop, const int64_t *size, const int64_t *stride, int rank,
                             const int64_t *core_stride);
ufc_status launch_gufunc(struct launcher *l, const struct iteration *it, ufc_error *err);
/* What the kernel was chosen by: a sentence. */
void explain_gufunc(const struct iteration *it, char *why, size_t size);

/* launch_fold.c: a reduction as kernel launches */
ufc_status launch_reduction(struct launcher *l, const struct reduction *r, ufc_error *err);

#endif
