/* gpus.h: contexts of several GPUs, which share the parts of a call on host arrays. */
#ifndef UFC_GPUS_H
#define UFC_GPUS_H

#include "rt.h"

/* The GPUs of a context that has several.  That context is a copy of the first one's, so that it
 * stands for it wherever one is needed. */
struct gpus {
    int n, workers; /* workers: threads that drive a GPU, each with a stream */
    struct {
        ufc_context *ctx;
        void *stream[GPU_WORKERS];
    } gpu[MAX_GPUS];
};

/* ---- context.c */
ufc_status open_context(ufc_context **ctx, const struct device_ops *ops, DLDevice device,
                        int threads, ufc_error *err);

/* ---- gpus.c */

/* Makes the context of several devices, by their numbers. */
ufc_status open_several(ufc_context **ctx, const struct device_ops *ops, int n, const int *number,
                        int threads, ufc_error *err);
void close_several(ufc_context *ctx);
/* Computes a part in a context of one GPU, on a stream; it is done on return. */
typedef ufc_status part_fn(const void *arg, int64_t part, ufc_context *ctx, void *stream,
                           ufc_error *err);
/* Computes the parts [0, n) on the GPUs of a context, each GPU as many that follow one another. One
 * that fails does not stop the others; the error names it. */
ufc_status run_parts(ufc_context *ctx, int64_t n, part_fn *fn, const void *arg, ufc_error *err);

/* ---- parts.c */

/* A loop's axis as parts, nearly equally long. */
struct parts {
    int axis;
    int64_t size, n; /* n < 2: the loop stays whole */
    int64_t grain;   /* parts but the last are multiples of it long */
};
/* Finds what a context's GPUs may share.  The parts depend on shapes alone, not on the GPUs, so
 * that equal calls give equal bits on any number of them.  rank: core axes of each operand, which
 * are its last, NULL: none has any; `slow` has the strides by which the axis is chosen that is cut.
 */
struct parts choose_parts(const ufc_context *ctx, int n, const struct operand *op, const int *rank,
                          int ndim, const int64_t *shape, const bool *may_cut,
                          const struct operand *slow);
/* The first element of a part, its number of elements. */
int64_t part_begin(const struct parts *p, int64_t part);
int64_t part_length(const struct parts *p, int64_t part);
/* Makes an operand that of a part of a loop of ndim axes, with so many core axes behind its own. */
void take_part(struct operand *op, int rank, int ndim, const struct parts *p, int64_t part);
/* Says in a description how the parts are shared. */
void record_parts(struct recorder *recorder, const ufc_context *ctx, const struct parts *p);

#endif
