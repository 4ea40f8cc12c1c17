/* parts.c: a call on host arrays as parts, along an axis of its loop, which several GPUs share. */
#include <stdlib.h>

#include "gpus.h"
#include "recorder.h"

/* The axis of an operand that a loop's axis is; -1: it does not have it. */
static int own_axis(const struct operand *op, int rank, int ndim, int axis) {
    int own = axis - (ndim - (op->ndim - rank));
    return op->is_number || own < 0 || op->shape[own] == 1 ? -1 : own;
}

static double bytes_of(const struct operand *op) {
    double bytes = op->is_number || op->ndim < 0 ? 0 : dtype_info[op->dtype].size;
    for (int i = 0; i < op->ndim; i++)
        bytes *= (double)op->shape[i];
    return bytes;
}

/* Parts of a loop cut along an axis: as many as have PART_MOST bytes, at least PART_COUNT, where
 * each has a device's least and no less than what all parts read whole. */
static double parts_wanted(const ufc_context *ctx, int n, const struct operand *op, const int *rank,
                           int ndim, int axis) {
    double cut = 0, whole = 0;
    for (int k = 0; k < n; k++)
        *(own_axis(&op[k], rank ? rank[k] : 0, ndim, axis) >= 0 ? &cut : &whole) +=
            bytes_of(&op[k]);
    double least = (double)ctx->ops->part_bytes, wanted = cut / PART_MOST;
    if (wanted < PART_COUNT)
        wanted = PART_COUNT;
    if (wanted > cut / least)
        wanted = cut / least;
    return whole > 0 && wanted > cut / whole ? cut / whole : wanted;
}

struct parts choose_parts(const ufc_context *ctx, int n, const struct operand *op, const int *rank,
                          int ndim, const int64_t *shape, const bool *may_cut,
                          const struct operand *slow) {
    struct parts best = {0};
    int64_t stride = 0;
    bool enough = false;
    for (int axis = 0; axis < ndim; axis++) {
        if ((may_cut && !may_cut[axis]) || shape[axis] < 2)
            continue;
        double wanted = parts_wanted(ctx, n, op, rank, ndim, axis);
        int64_t most = wanted < (double)shape[axis] ? (int64_t)wanted : shape[axis];
        bool fits = (double)shape[axis] >= wanted;
        int own = axis - (ndim - slow->ndim);
        int64_t apart = own >= 0 ? llabs(slow->stride[own]) : 0;
        if (fits == enough ? (enough ? apart <= stride : most <= best.n) : enough)
            continue;
        best = (struct parts){.axis = axis, .size = shape[axis], .n = most, .grain = 1};
        stride = apart;
        enough = fits;
    }
    return best;
}

int64_t part_begin(const struct parts *p, int64_t part) {
    int64_t grains = (p->size - 1) / p->grain + 1, longer = grains % p->n;
    int64_t begin = (grains / p->n * part + (part < longer ? part : longer)) * p->grain;
    return begin < p->size ? begin : p->size;
}

int64_t part_length(const struct parts *p, int64_t part) {
    return part_begin(p, part + 1) - part_begin(p, part);
}

void take_part(struct operand *op, int rank, int ndim, const struct parts *p, int64_t part) {
    int own = op->ndim < 0 ? -1 : own_axis(op, rank, ndim, p->axis);
    if (own < 0)
        return;
    op->data += part_begin(p, part) * op->stride[own];
    op->shape[own] = part_length(p, part);
    if (op->shape[own] == 1)
        op->stride[own] = 0;
}

void record_parts(struct recorder *recorder, const ufc_context *ctx, const struct parts *p) {
    ufc_plan_description *d = recorder->d;
    const struct gpus *g = ctx->gpus;
    put_text(d->parts, sizeof d->parts,
             "%lld of up to %lld along axis %d, by %d GPUs:", (long long)p->n,
             (long long)part_length(p, 0), p->axis, g->n);
    for (int i = 0; i < g->n; i++) {
        int64_t first = p->n * i / g->n, end = p->n * (i + 1) / g->n;
        put_text(d->parts, sizeof d->parts, "%s %lld", i ? "," : "", (long long)(end - first));
    }
    put_text(d->parts, sizeof d->parts, "; what is told is of the first");
}
