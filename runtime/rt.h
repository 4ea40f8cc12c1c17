/* rt.h: the runtime's internals: structs, then prototypes in one section a file.
 *
 * A call flows through the files in this order:
 *   call.c     checks the arguments
 *   resolve.c  picks the overload
 *   bcast.c    broadcasts shapes, makes the iteration, sorts and merges its axes
 *   auto.c     chooses the host or a GPU, where that is left open
 *   overlap.c  finds inputs that an output would overwrite, copies them first
 *   portions.c cuts calls with large host arrays, of which a GPU then computes a part at a time
 *   stage.c    copies host arrays of a call that runs on a GPU: to the device and back
 *   launch.c   chooses the kernels, for devices that run kernels
 *   parts.c    in a context of several GPUs cuts a call on host arrays into parts, each of which
 *              goes on from overlap.c in the context of one; gpus.c shares them out
 *   host/, cuda/, sim/  the devices, which device.def lists: they execute the iteration
 *
 * explain.c replaces the device by one that describes what it would run.  A plan (plan.c) takes
 * the steps up to the iteration once, and the others each time it is executed; of a gufunc or a
 * method it records what the device executes (sequence.c).
 *
 * A gufunc's call goes from call.c to gufunc_call.c, which asks core.c for the core dimensions and
 * goes on with bcast.c; choose_gufunc.c chooses its kernels, launch_gufunc.c launches them.
 *
 * An inner loop (inner.c) is an iteration that the caller has made, of one axis.
 *
 * A method (reduce, accumulate, …) begins in method.c and becomes a `struct reduction`, whose
 * kernels launch_fold.c chooses; method_portions.c cuts it.  `outer` is a call.  `at` is checked in
 * at.c; at_gpu.c makes a reduction of it for devices that run kernels, whose kernels launch_at.c
 * launches. */
#ifndef UFC_RT_H
#define UFC_RT_H

#include <pthread.h>

#include "context.h"
#include "device.h"
#include "image_abi.h"
#include "tuning.h"
#include "ufc.h"

#define MAX_RANK 64   /* NumPy's limit */
#define MAX_GPUS 64   /* of a machine */
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
    bool pinned;          /* the host's memory, which GPUs reach */
    enum ufc_dtype dtype; /* the array's; a number's is set once the overload is chosen */
    DLDevice device;      /* kDLCPU or kDLCUDA, perhaps ANY_GPU; kDLCPU for a number */
    int ndim;             /* -1: an output that the call is to make */
    int64_t shape[MAX_RANK];
    int64_t stride[MAX_RANK]; /* bytes; any value on axes of size 1 */
};

/* The core dimensions of a gufunc's iteration, the same for all its core calls. */
enum {
    MAX_CORE_DIMS = 256,                            /* ufc_core.dim has their numbers in bytes */
    MAX_CORE = UFC_MAX_PARAMETER / sizeof(int64_t), /* axes of all operands */
};
struct core {
    int64_t size[MAX_CORE_DIMS]; /* of the core dimensions, in the order of ufc_core.dims */
    int64_t stride[MAX_CORE];    /* bytes, along the core axes, operand by operand */
    int naxes;                   /* core axes of all operands together */
    int64_t loop[UFC_MAX_LOOPS]; /* iterations of the overload's loops; -1: not known, as
                                    where no kernels run and nothing is explained */
};

/* Which of the caller's calls, or elements, an iteration has, for messages. */
struct calls_place {
    const struct operand *output; /* the first output, without core axes; NULL: it is not known */
    const int64_t *start;         /* of a portion: where its loop begins; NULL: at 0 */
};

/* The loop over a call's elements, or over a gufunc's core calls: what a device executes.  Axes are
 * merged and sorted, the fastest first, so naxes is small and may be 0 (one element). */
struct iteration {
    const struct ufc_overload *overload;
    const struct ufc_ufunc *ufunc; /* NULL: a copy */
    const struct core *core;       /* NULL: a ufunc of scalars */
    int nin, nout;                 /* nout: intermediates too */
    bool masked; /* operand nin + nout is the mask: elements whose byte is 0 are not computed */
    struct calls_place place;
    bool planned; /* a plan's: code for it alone runs where it is there, and is not made */
    const struct script *script; /* of a gufunc's plan: what is launched (memo.h); NULL: find it */
    int naxes;
    int64_t size[MAX_RANK];
    int64_t total;                        /* product of sizes; > 0 */
    char *data[MAX_WALKED];               /* NULL: a number */
    uint64_t value[MAX_WALKED][2];        /* a number's element, in the overload's dtype */
    enum ufc_dtype dtype[MAX_WALKED];     /* the arrays'; of numbers the overload's */
    int64_t stride[MAX_WALKED][MAX_RANK]; /* bytes */
};

/* Whether a device is the host: an array's, or a context's. */
static inline bool is_host(DLDevice device) {
    return device.device_type == kDLCPU;
}

static inline int walked(const struct iteration *it) {
    return it->nin + it->nout + it->masked;
}

/* An array of a reduction, with its byte strides along the axes that are kept (outer) and along
 * those that are reduced (inner). */
struct folded {
    char *data;
    enum ufc_dtype dtype;
    int64_t outer[MAX_RANK], inner[MAX_RANK];
};

/* reduce, accumulate and reduceat as a device executes them.  A line has the elements at one
 * position of the outer axes, in C order of the inner axes, or in any where that changes no bit;
 * axes are merged, the fastest first.  Each line, or each segment of a line, is reduced to an
 * element of `out`. */
struct reduction {
    const struct ufc_overload *overload; /* a T(T, T) */
    const struct ufc_ufunc *ufunc;
    struct folded in, out, where; /* where.data NULL: everywhere */
    int nouter, ninner;
    int64_t outer_size[MAX_RANK], inner_size[MAX_RANK];
    int64_t lines, length; /* both > 0 */
    bool each;             /* accumulate: the partial result at each element is stored in `out` */
    bool has_initial;
    uint64_t initial[2];    /* in the overload's dtype */
    const int64_t *bounds;  /* in host memory: begin and end of each segment; NULL: one
                               segment, the whole line */
    uint64_t placed;        /* device address of a copy of them; 0: there is none */
    int64_t segments;       /* > 0 */
    int64_t segment_stride; /* bytes in `out` from a segment's result, or row, to the next */
    /* at: each element along the inner axes is joined to the row of `out` that an index selects */
    struct folded index; /* data NULL: it is none; else it has inner axes alone */
    bool in_bounds;      /* the indices are known to be */
    int64_t rows;        /* of out */
    uint64_t keys;       /* launch_at.c: device address of the sorted keys */
    bool merges;         /* launch_at.c: they are unsorted rows */
    /* The reduction of which this is a part, which cuts lines as that does; NULL: it is all. */
    const struct fold_shape *whole;
    /* Of a part of each line: device memory for a row of results of each of its pieces, which are
     * not joined; NULL: lines are whole. */
    char *partial;
};

/* What decides how a reduction's lines are cut. */
struct fold_shape {
    const struct ufc_overload *overload;
    int64_t lines, length;
    int64_t across;       /* lines along the fastest outer axis */
    int64_t segments;     /* those with bounds; 0: there are none */
    enum ufc_dtype dtype; /* of the elements */
    bool near;            /* lines are nearer to each other than a line's elements */
    bool one_axis, masked, each;
};

static inline bool regroups(const struct reduction *r) {
    return r->overload->flags & (UFC_HAS_IDENTITY | UFC_EXACT);
}

/* The memory that a call needs until it has been executed, freed by free_temps (overlap.c): for
 * each operand up to three copies, and for arrays of the call. */
struct temps {
    int n;
    void *memory[3 * MAX_WALKED + 1];
};

/* err.c */
/* Writes the message (where err is not NULL and the status not UFC_OK) and returns the status. */
ufc_status fail(ufc_error *err, ufc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts "…: " before the message of a failure that is passed on. */
ufc_status fail_at(ufc_error *err, ufc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends to the message. */
void fail_more(ufc_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* array.c */
struct dtype_info {
    const char *name, *brief; /* "float32", "f4" */
    char kind;                /* of dtype.def */
    int size, alignment;      /* bytes; a complex number is aligned to its parts */
};
extern const struct dtype_info dtype_info[DT_COUNT];
/* alignment is a power of two: a division would take a good part of a small call's time. */
static inline bool is_aligned(const void *data, size_t alignment) {
    return ((uintptr_t)data & (alignment - 1)) == 0;
}
/* False where ufc has no such type. */
bool dtype_from_dl(DLDataType type, enum ufc_dtype *dtype);
/* Checks an array and describes it.  Strides of axes of size 1 become 0. */
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
 * op[nin..nin+nout); sets the dtype and value of numbers, and the dtype of outputs that the call is
 * to make.  Reads the keywords dtype and casting; kw may be NULL. */
ufc_status resolve(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_keywords *kw,
                   struct operand *op, const struct ufc_overload **overload, ufc_error *err);
/* Chooses the overload, of T(T, T), for a method of an array; checks the given output, or sets the
 * dtype of one to be made. */
ufc_status resolve_method(const struct ufc_ufunc *ufunc, const char *method, const ufc_keywords *kw,
                          const struct operand *in, struct operand *out,
                          const struct ufc_overload **overload, ufc_error *err);
/* The overload that reduces in the place of `overload`: sums, differences, products and quotients
 * of halves are computed in float32 until they are stored, as NumPy's are, where the ufunc has that
 * overload. */
const struct ufc_overload *reducing_overload(const struct ufc_ufunc *ufunc,
                                             const struct ufc_overload *overload, enum ufc_dtype in,
                                             enum ufc_dtype out);
/* Sets a number's value, converted to a type. */
ufc_status set_number(struct operand *op, const ufc_arg *arg, enum ufc_dtype dtype, ufc_error *err);

/* bcast.c */
/* The shape of the call: inputs, the mask (where not NULL) and given outputs broadcast together. */
ufc_status broadcast(const struct ufc_ufunc *ufunc, const struct operand *op,
                     const struct operand *mask, int *ndim, int64_t shape[MAX_RANK],
                     ufc_error *err);
/* Gives NumPy's order K for a result of n operands: its axes, the slowest first.  Numbers and
 * outputs to be made do not count. */
void keep_order(int n, const struct operand *op, int ndim, int *order);
/* Makes the loop over a shape of at least one element: broadcasts the operands (the last is the
 * mask where `masked`; numbers go by value), then flips, sorts and merges the axes. */
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
/* Would an output overwrite the operand before it is read? */
bool input_is_overwritten(const struct iteration *it, int k);
void free_temps(ufc_context *ctx, void *stream, struct temps *temps);
/* Outputs that overlap each other, or inputs that would have to be copied, are an error. */
ufc_status check_apart(const struct iteration *it, const char *const *names, ufc_error *err);
/* Whether two arrays share a byte. */
bool operands_overlap(const struct operand *a, const struct operand *b);
/* Makes an array of the context's device a copy of itself, in memory for free_temps; `it` is
 * scratch space. */
ufc_status copy_operand(ufc_context *ctx, void *stream, struct operand *op, struct iteration *it,
                        struct temps *temps, ufc_error *err);

/* The shape of op's distinct elements: its shape with 1 along strides of 0. */
void distinct_shape(const struct operand *op, int64_t *shape);
/* Makes an array without gaps of op's shape and another dtype, in memory for free_temps: its axes
 * in C order, or in the order of op's strides, where strides of 0 stay 0. */
enum packing_order { PACK_C, PACK_KEEP };
/* The array alone, without its memory, of which it sets the bytes. */
ufc_status lay_out_packed(const struct operand *op, enum ufc_dtype dtype, enum packing_order in,
                          struct operand *packed, int64_t *bytes, ufc_error *err);
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
    int kept[UFC_MAX_OPERANDS];  /* axes of size 1 that keepdims gives an output */
    bool missing[MAX_CORE_DIMS]; /* optional dimensions, by number */
    int64_t size[MAX_CORE_DIMS]; /* by number */
};
/* Makes the ranks those of another version of the gufunc. */
void take_core_version(struct core_shape *s, const struct ufc_ufunc *ufunc);
/* Checks that a gufunc's records are within this library's limits. */
ufc_status check_core(const struct ufc_ufunc *ufunc, ufc_error *err);
/* Finds the core dimensions of all operands, nin inputs and then outputs (perhaps to be made), and
 * their sizes; puts the axes of arrays in order, core axes last, and takes off those that keepdims
 * adds. */
ufc_status find_core(struct core_shape *shape, const struct ufc_ufunc *ufunc,
                     const ufc_keywords *kw, struct operand *op, ufc_error *err);
/* The shape and rank of an output that is to be made, for a loop of shape `loop`; order[i] is the
 * axis of it that find_core would make the i-th. */
ufc_status made_shape(const struct core_shape *s, int k, const int64_t *loop, int64_t *shape,
                      int *order, int *ndim, ufc_error *err);
/* The operand's axis order[i] becomes its i-th. */
void order_axes(struct operand *op, const int *order);
/* Sets the core dimensions' sizes and the operands' strides along them. */
void set_core(struct core *core, const struct core_shape *s, const struct operand *op);
/* Sets the iterations of the overload's loops; the core dimensions are set. */
void set_loop_sizes(struct core *core, const struct ufc_overload *overload);
/* Computes a program of core dimensions' sizes (image_abi.h); false: the value does not fit. */
bool compute_size(const struct ufc_program *program, const int64_t *size, int64_t *value);

/* gufunc_call.c: ufc_call_with of a gufunc; ufunc, in and out were checked. */
struct alike;
ufc_status gufunc_call(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, const ufc_keywords *kw,
                       const struct alike *alike, struct recorder *recorder, ufc_error *err);

/* call.c: a call of a ufunc of scalars */
/* Allocated in one piece with its operands, since threads' stacks may be small. */
struct call {
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    const ufc_keywords *kw;    /* may be NULL */
    struct recorder *recorder; /* may be NULL */
    const struct alike *alike; /* may be NULL */
    struct undecided undecided;
    int nin, nout;
    bool masked;
    const char *names[MAX_WALKED]; /* of op */
    struct operand *op;            /* nin + nout operands, and the mask behind them */
    struct operand *host_out;      /* nout: host outputs as given; ndim is -1 of others */
    int ndim;                      /* the call's shape */
    int64_t shape[MAX_RANK];
    const int64_t *start; /* of a portion: where its loop begins in the caller's; else NULL */
    int order[MAX_RANK];  /* of the axes of results that it makes */
    DLManagedTensorVersioned *made[UFC_MAX_OPERANDS]; /* by output; NULL where it was given */
    void *transfer[UFC_MAX_OPERANDS];                 /* of outputs that are on their way to the */
    uint64_t returning;                               /* host, a bit each */
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
/* Makes c->it, for a call that is not empty and whose results are made. */
void call_iterate(struct call *c);
/* Frees the call; the results that it made become the caller's, or are freed too where out is
 * NULL. */
void call_end(struct call *c, const ufc_out *out);
ufc_status call_with(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                     const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                     struct recorder *recorder, ufc_error *err);
/* The same of arguments that were checked by check_call.  alike: keeps what was found out
 * (alike.h); may be NULL. */
ufc_status call_afresh(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                       const struct alike *alike, struct recorder *recorder, ufc_error *err);
ufc_status call_outer(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc, ufc_arg x,
                      ufc_arg y, ufc_out out, const ufc_keywords *keywords,
                      struct recorder *recorder, ufc_error *err);
/* The functions below are for gufuncs and methods too. */
/* Checks the arguments, and the keywords of ufuncs of scalars; sets the places of results to
 * NULL. */
ufc_status check_call(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                      const ufc_keywords *keywords, ufc_error *err);
ufc_status check_ufunc(const struct ufc_ufunc *ufunc, ufc_error *err);
/* An argument as an operand: an array, or a number that has no type yet. */
ufc_status check_input(struct operand *op, const ufc_arg *arg, ufc_error *err);
ufc_status check_output(struct operand *op, const ufc_out *out, ufc_error *err);
/* Checks all inputs and outputs of a call and describes them as operands. */
ufc_status check_operands(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                          struct operand *op, ufc_error *err);
/* Makes a host array of one element a number of a type. */
void read_number(struct operand *op, enum ufc_dtype dtype);
/* Sets *out->result to NULL, where there is one, as a call that fails leaves it. */
void clear_result(const ufc_out *out);
/* Checks the keywords' mask; ndim becomes -1 where there is none. */
ufc_status check_where(struct operand *op, const ufc_keywords *kw, ufc_error *err);

/* stage.c: host arrays of a call in a GPU context. */
/* Makes a host input a packed device copy (data, stride and device change; the shape is the array's
 * own, not the call's).  waits: the call does not return before the stream has come so far, so that
 * pinned memory is copied as it is.  The caller frees *temp by ops->free after the call. */
ufc_status stage_in(ufc_context *ctx, void *stream, struct operand *op, bool waits, void **temp,
                    ufc_error *err);
/* Gives a host operand the strides and the device, not the memory, of its packed device copy. */
ufc_status pack_strides(const ufc_context *ctx, struct operand *op, ufc_error *err);
/* Describes in device_out a packed device array with the shape and dtype of host_out. */
ufc_status stage_out_prepare(ufc_context *ctx, void *stream, const struct operand *host_out,
                             struct operand *device_out, void **temp, ufc_error *err);
/* Begin to copy the result to the host array; end it, when it is there. */
ufc_status stage_out_begin(ufc_context *ctx, void *stream, const struct operand *host_out,
                           const struct operand *device_out, void **transfer, ufc_error *err);
ufc_status stage_out_end(ufc_context *ctx, void *stream, const struct operand *host_out,
                         void *transfer, ufc_error *err);
/* Ends those of n outputs whose bit is set; after a failure nothing is copied any more. */
ufc_status end_transfers(ufc_context *ctx, void *stream, int n, const struct operand *host_out,
                         void *const *transfer, uint64_t returning, bool failed, ufc_error *err);
/* stage_out_begin and stage_out_end. */
ufc_status stage_out_finish(ufc_context *ctx, void *stream, const struct operand *host_out,
                            const struct operand *device_out, ufc_error *err);

/* Copies an array from the host to the GPU, of the same shape; the copy may be under way on
 * return. */
ufc_status copy_in(ufc_context *ctx, void *stream, const struct operand *host,
                   const struct operand *device, ufc_error *err);
/* Copies an array from the GPU to the host; the copy is done on return. */
ufc_status copy_out(ufc_context *ctx, void *stream, const struct operand *device,
                    const struct operand *host, ufc_error *err);

/* cast.c */
/* Converts n elements; steps are bytes.  Elements are aligned.  Integers wrap; floats become
 * integers by truncating, saturating, NaN to 0; bool is "not zero". */
void cast_elements(enum ufc_dtype from, enum ufc_dtype to, char *dst, int64_t dst_step,
                   const char *src, int64_t src_step, int64_t n);

/* copy.c */
/* Copies n elements of 1, 2, 4, 8 or 16 bytes; steps are bytes.  They overlap only where all are
 * neighbours. */
void copy_elements(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t size,
                   int64_t n);
/* Finds the places that a mask has among at most UINT16_MAX; gives how many.  marked has n. */
int64_t find_marked(uint16_t *marked, const char *mask, int64_t step, int64_t n);
/* Copy the elements at n places to neighbours, which may begin where they do, and back. */
void gather_marked(const uint16_t *marked, char *dst, const char *src, int64_t src_step,
                   int64_t size, int64_t n);
void scatter_marked(const uint16_t *marked, char *dst, int64_t dst_step, const char *src,
                    int64_t size, int64_t n);

/* method.c */
enum fold_method { FOLD_REDUCE, FOLD_ACCUMULATE, FOLD_REDUCEAT };
/* indices: of reduceat. */
ufc_status call_fold(enum fold_method method, ufc_context *ctx, void *stream,
                     const struct ufc_ufunc *ufunc, const ufc_arg *array, const DLTensor *indices,
                     const ufc_out *out, const ufc_keywords *keywords, struct recorder *recorder,
                     ufc_error *err);
/* Checks that a ufunc has two inputs and one output. */
ufc_status check_binary(const struct ufc_ufunc *ufunc, const char *method, ufc_error *err);

/* fault.c: faults that kernels find, of overloads with checks; kernels of other overloads just
 * run */
/* The fault that host kernels found, on several threads. */
struct finding {
    bool checks;
    pthread_mutex_t lock; /* over the two below */
    int64_t at;           /* the fault's place in the order of the work */
    struct ufc_fault fault;
};
void finding_begin(struct finding *f, const struct ufc_overload *overload);
/* finding_run of an overload with checks. */
void run_checked(struct finding *f, int64_t at, ufc_host_kernel *kernel, char **args,
                 const intptr_t *dimensions, const intptr_t *steps, struct ufc_host_call *call);
/* Calls a kernel and keeps the fault, unless there is one of a smaller `at`.  call is for the
 * kernel; it may be NULL. */
static inline void finding_run(struct finding *f, int64_t at, ufc_host_kernel *kernel, char **args,
                               const intptr_t *dimensions, const intptr_t *steps,
                               struct ufc_host_call *call) {
    if (f->checks)
        run_checked(f, at, kernel, args, dimensions, steps, call);
    else
        kernel(args, dimensions, steps, call);
}
/* Fails with the fault that was found, if any. */
/* place: the iteration's; NULL: it is not known. */
ufc_status finding_end(struct finding *f, const struct ufc_ufunc *ufunc,
                       const struct calls_place *place, ufc_error *err);

/* at.c, at_gpu.c */
struct at {
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    struct recorder *recorder; /* may be NULL */
    struct operand array, y;
    struct iteration it;    /* over the array, to check it */
    const int64_t *indices; /* in host memory, set by find_indices */
    int64_t *copied;        /* memory of `indices`, where they are not the caller's own */
    int64_t n;
    /* The shape that the indices select: their axes, then a row's, in C order. */
    int naxes, nindex;
    int64_t shape[2 * MAX_RANK], y_stride[2 * MAX_RANK]; /* bytes */
};
/* Sets at->indices to indices on the host, counted from the front; fails where one is outside. */
ufc_status find_indices(struct at *at, const struct operand *op, ufc_error *err);
/* Fails for indices of which the least and the greatest are these, one of them out of bounds. */
ufc_status fail_index(ufc_error *err, int64_t least, int64_t most, int64_t size);
/* Sets y's strides: it broadcasts to what is selected. */
ufc_status broadcast_y(struct at *at, const struct operand *indices, ufc_error *err);
ufc_status at_on_gpu(struct at *at, const struct operand *indices, ufc_error *err);
ufc_status call_at(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                   const DLTensor *array, const DLTensor *indices, const ufc_arg *y,
                   struct recorder *recorder, ufc_error *err);
/* Reads an array of whole numbers on the host; the caller frees *indices, which has room for 2 * n
 * numbers. */
ufc_status read_indices(const DLTensor *array, struct operand *op, int64_t **indices, int64_t *n,
                        ufc_error *err);

/* context.c */
/* The device that owns such memory (device.def). */
const struct device_ops *ops_of(DLDevice device);
/* The process's own context of a device: made when first asked for, never freed. */
ufc_status shared_context(ufc_context **ctx, DLDevice device, ufc_error *err);
/* The context for calls that name none: that of the stream's GPU or of the first one, where it can
 * be opened and runs the overload (where not NULL), else the host's. */
ufc_status default_context(ufc_context **ctx, void *stream, const struct ufc_overload *overload,
                           ufc_error *err);
/* The context for operands: *ctx where it is not NULL and can reach them all; else their GPU's.
 * undecided: where not NULL, it may be left open (rates.h). */
ufc_status choose_context(ufc_context **ctx, struct undecided *undecided, void *stream,
                          const struct ufc_overload *overload, int n, const struct operand *op,
                          const char *const *names, ufc_error *err);

/* memory.c */
/* ufc_empty, ordered on a stream.  order: the axes, the slowest first; NULL: C order. */
ufc_status new_array(ufc_context *ctx, void *stream, enum ufc_dtype dtype, int ndim,
                     const int64_t *shape, const int *order, ufc_place place,
                     DLManagedTensorVersioned **array, ufc_error *err);
/* The same of a result of a call: by the allocator of its keywords, where there is one; kw may be
 * NULL. */
ufc_status new_result(ufc_context *ctx, void *stream, const ufc_keywords *kw, enum ufc_dtype dtype,
                      int ndim, const int64_t *shape, const int *order, bool on_host,
                      DLManagedTensorVersioned **array, ufc_error *err);
/* Makes all elements of a new array or result 0, ordered on a stream. */
ufc_status clear_array(void *stream, const DLManagedTensorVersioned *array, ufc_error *err);
/* Frees a new array of the device's or the host's memory, ordered on a stream, or a result; NULL is
 * allowed. */
void free_array(void *stream, DLManagedTensorVersioned *array);
/* Are both sides of a copy contiguous, in the same order? */
bool in_one_piece(const struct iteration *it);

/* peer.c */
/* Copies between arrays of two GPUs, one of which is the context's, ordered on its stream. */
ufc_status copy_between_gpus(ufc_context *ctx, void *stream, const struct operand *op,
                             ufc_error *err);

/* pool.c */
/* $UFC_GPU_MEMORY_LIMIT in bytes, for a GPU that has so many; 0 where it is not set, or empty, or
 * so large that it is none; -1: it is no limit. */
int64_t wished_limit(uint64_t memory);

/* host_memory.c: members of device_ops of devices whose memory is the host's */
ufc_status host_alloc(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err);
void host_free(ufc_context *ctx, void *stream, void *memory);
ufc_status host_clear(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err);
ufc_status host_copy(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err);
ufc_status host_synchronize(ufc_context *ctx, void *stream, ufc_error *err);
ufc_status host_elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                        double *seconds, ufc_error *err);

/* transpose.c */
/* Elements that are copied, by two axes: a, along which they are `from_a` bytes apart before and
 * `to_a` behind, and b. */
struct matrix {
    char *to;
    const char *from;
    int64_t a, to_a, from_a;
    int64_t b, to_b, from_b;
};
/* Copies elements of 1, 2, 4, 8 or 16 bytes. */
void copy_matrix(const struct matrix *m, int64_t size);

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
    size_t size;            /* bytes of param */
    unsigned shared;        /* bytes of a block's shared memory beside what the kernel declares */
    bool together;          /* blocks wait for one another, so that all must run at the same time */
    unsigned cluster;       /* blocks of a cluster; 0: there are no clusters */
    const char *why;        /* of FOLD and TREE: why the kernel was chosen, for descriptions */
    const struct ufc_constants *known; /* of the code to be launched; NULL: of the general one */
    bool planned;                      /* as struct iteration's */
};
typedef ufc_status launch_fn(void *arg, const struct kernel_launch *launch, ufc_error *err);
struct launcher;
ufc_status launch_iteration(struct launcher *l, const struct iteration *it, ufc_error *err);
/* Whether a kernel's blocks may have more shared memory than blocks of any GPU have unasked. */
bool asks_shared(enum ufc_kernel_kind kind);
/* Says in a sentence why another kernel than VECTOR is launched; "" where VECTOR is. */
void explain_launch(const struct iteration *it, char *why, size_t size);
/* Sets the axes' sizes, n of them, at most UFC_MAX_AXES; the axes behind them have one element.  A
 * size of 2^31 or more, which a reduction's only axis may have, is not set: no kernel reads it. */
void set_kernel_axes(struct ufc_kparam_axes *axes, int n, const int64_t *size);

/* The extent of a tile along each axis: at most UFC_MAX_AXES longer than one, the largest, and at
 * most `limit` in all, the largest axis cut evenly.  The first tile is the largest. */
void choose_tile(const struct iteration *it, int64_t limit, int64_t *tile);
/* Cuts the tile at `start` off at the end of each axis; gives the number of its elements. */
int64_t tile_extent(const struct iteration *it, const int64_t *tile, const int64_t *start,
                    int64_t *extent);
/* Steps to the next tile; false after the last. */
bool next_tile(const struct iteration *it, const int64_t *tile, int64_t *start);

/* What launches need. */
struct launcher {
    ufc_context *ctx; /* allocates the launches' memory */
    void *stream;
    launch_fn *launch;
    /* Copies host memory to the device's, ordered on the stream; the caller may change src on
     * return. */
    ufc_status (*put)(struct launcher *l, void *dst, const void *src, size_t size, ufc_error *err);
    /* Copies the device's memory to the host's, which has it on return. */
    ufc_status (*get)(struct launcher *l, void *dst, const void *src, size_t size, ufc_error *err);
    void *arg;
    int64_t *times; /* how often each of the next launches would be made, where they are only looked
                       at, once; NULL: they are made as often */
    uint64_t fault; /* device address of a struct ufc_fault, for overloads with checks (fault.c) */
};

/* fault.c */
/* Makes the launches of some work; where the overload has checks, fails with the fault that they
 * found. */
typedef ufc_status launches_fn(struct launcher *l, const void *work, ufc_error *err);
ufc_status launch_checked(struct launcher *l, const struct ufc_overload *overload,
                          const struct ufc_ufunc *ufunc, const struct calls_place *place,
                          launches_fn *launches, const void *work, ufc_error *err);

/* launch_gufunc.c: a gufunc's iteration as kernel launches */
/* schedule/layout.c: which of an array's elements are nearest to each other in memory: a core
 * call's, or one each of neighbouring calls.  EITHER: it does not matter, as there are few calls,
 * or they share the array's elements.  Strides are bytes; core_stride is 0 along axes of one
 * element. */
enum call_layout { CALLS_EITHER, CALLS_ALONG, CALLS_ACROSS };
enum call_layout call_layout(int nloop, const int64_t *size, const int64_t *stride, int rank,
                             const int64_t *core_stride);
/* Are calls one definition without reductions, or one reduction, which NEST computes in patches of
 * whatever arrays are neighbours along? */
bool runs_in_patches(const struct ufc_overload *o);
ufc_status launch_gufunc(struct launcher *l, const struct iteration *it, ufc_error *err);
/* The seconds that it is forecast to take; whether it may take longer than the forecast does. */
double forecast_gufunc(const struct iteration *it);
/* May a GPU, which may have less room than that of forecasts, compute it? */
bool may_launch_gufunc(const struct iteration *it, const struct gpu_model *gpu);
bool worth_forecast(const struct iteration *it);

/* Says in a sentence why the kernel was chosen. */
void explain_gufunc(const struct iteration *it, char *why, size_t size);

/* launch_fold.c: a reduction as kernel launches */
ufc_status launch_reduction(struct launcher *l, const struct reduction *r, ufc_error *err);
void shape_of_fold(struct fold_shape *s, const struct reduction *r);
/* The elements of a piece of a line, by which a reduction's first pass cuts it. */
int64_t fold_piece(const struct fold_shape *s);
/* Makes `next` the reduction of the rows that a reduction's parts have left. */
void fold_next(const struct reduction *r, char *memory, int64_t rows, struct reduction *next);
/* Sets what a kernel's parameter has of the whole reduction; the rest to 0. */
void set_fold_parameter(struct ufc_kparam_fold *p, const struct reduction *r);
ufc_status launch_fold(struct launcher *l, const struct reduction *r, enum ufc_kernel_kind kind,
                       const struct ufc_kparam_fold *p, int64_t blocks, const char *why,
                       ufc_error *err);

/* launch_at.c: at r->keys, where keys_room words are, makes the sorted keys of r->index, which are
 * at r->keys then; joins elements to the rows that keys select */
int64_t keys_room(const ufc_context *ctx, const struct reduction *r);
ufc_status launch_keys(struct launcher *l, struct reduction *r, ufc_error *err);
ufc_status launch_at(struct launcher *l, const struct reduction *r, ufc_error *err);

#endif
