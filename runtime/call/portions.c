/* portions.c: calls with large arrays on the host, which go through a GPU portion by portion.
 *
 * A portion is a part of the loop.  Several are under way (pipeline.c): while one is copied to the
 * GPU, another is computed, and a third copied back.  So both directions of the bus are used at the
 * same time, and the arrays may be larger than the GPU's memory. */
#include <stdlib.h>
#include <string.h>

#include "portions.h"
#include "recorder.h"

void portions_begin(struct portions *p, ufc_context *ctx, void *stream) {
    p->ctx = ctx;
    p->stream = stream;
}

void portions_walk(struct portions *p, int ndim, const int64_t *shape) {
    p->ndim = ndim;
    p->n = 0;
    p->cut = p->uncut = 0;
    p->grain = 1;
    p->pageable = false;
    memcpy(p->shape, shape, (size_t)ndim * sizeof *shape);
    memcpy(p->extent, shape, (size_t)ndim * sizeof *shape);
}

void portions_add(struct portions *p, const struct operand *op, int shift, int rank) {
    struct portioned *added = &p->op[p->n];
    if (op->ndim < 0 || op->is_number || !op->data || !is_host(op->device))
        return;
    p->n++;
    p->pageable = p->pageable || !op->pinned;
    added->bytes = (double)dtype_info[op->dtype].size;
    added->along = 0;
    for (int i = 0; i < op->ndim; i++) {
        bool varies = op->shape[i] != 1 && op->stride[i] != 0;
        if (i >= op->ndim - rank)
            added->bytes *= varies ? (double)op->shape[i] : 1;
        else if (varies)
            added->along |= UINT64_C(1) << (i + shift);
    }
}

/* The bytes of a portion's arrays: of those that have one of the axes of `any`, and none of `none`.
 */
static double portion_bytes(const struct portions *p, uint64_t any, uint64_t none) {
    double sum = 0;
    for (int k = 0; k < p->n; k++) {
        double bytes = p->op[k].bytes;
        if (!(p->op[k].along & any) || p->op[k].along & none)
            continue;
        for (int axis = 0; axis < p->ndim; axis++)
            bytes *= p->op[k].along >> axis & 1 ? (double)p->extent[axis] : 1;
        sum += bytes;
    }
    return sum;
}

/* Cuts an axis, as evenly as it can be, so that a portion has so many bytes or fewer. */
static void cut_axis(struct portions *p, int axis, double target) {
    uint64_t bit = UINT64_C(1) << axis;
    int64_t size = p->shape[axis], extent = p->extent[axis];
    double shrinks = portion_bytes(p, bit, 0) / (double)extent;
    double left = target - portion_bytes(p, p->cut, bit);
    if (size <= 1 || shrinks <= 0)
        return;
    p->cut |= bit;
    extent = left < shrinks                    ? 1
             : left / shrinks < (double)extent ? (int64_t)(left / shrinks)
                                               : size;
    int64_t parts = (size - 1) / extent + 1, even = (size - 1) / parts + 1;
    even = ((even - 1) / p->grain + 1) * p->grain;
    p->extent[axis] = even < size ? even : size;
    if (even >= size)
        p->cut &= ~bit;
}

/* Cuts the axes, the slowest first, until portions are small enough. */
static void cut(struct portions *p) {
    p->cut = 0;
    memcpy(p->extent, p->shape, (size_t)p->ndim * sizeof *p->extent);
    for (int i = 0; i < p->ndim; i++) {
        if (p->cut && portion_bytes(p, p->cut, 0) <= p->target)
            break;
        if (!(p->uncut >> p->order[i] & 1))
            cut_axis(p, p->order[i], p->target);
    }
}

/* Pageable memory takes the processor's time to copy: threads share that, a portion each, where the
 * GPU has room for all of them. */
static void choose_workers(struct portions *p, double room) {
    int workers = p->ctx->threads < PORTION_WORKERS ? p->ctx->threads : PORTION_WORKERS;
    bool shares = p->pageable && workers > 1 && workers <= room / (2.0 * PORTION_BYTES);
    p->workers = shares ? workers : 1;
    p->slots = shares ? workers : PORTIONS;
}

bool wants_portions(struct portions *p) {
    const struct device_ops *ops = p->ctx->ops;
    if (!p->n || !ops->streams || !ops->own)
        return false;
    double all = portion_bytes(p, UINT64_MAX, 0);
    bool small = all <= 2.0 * PORTION_BYTES;
    double room = (double)ops->own->room(p->ctx, p->stream, small);
    if (small && all <= room / 2)
        return false;
    choose_workers(p, small ? 0 : room);
    double most = room / (2 * p->slots);
    p->target = most < PORTION_BYTES ? most : PORTION_BYTES;
    p->target = p->target < PORTION_LEAST ? PORTION_LEAST : p->target;
    return true;
}

bool cut_portions(struct portions *p, const int *order) {
    memcpy(p->order, order, (size_t)p->ndim * sizeof *order);
    cut(p);
    return p->cut != 0;
}

bool is_oversized(const struct portions *p) {
    return portion_bytes(p, UINT64_MAX, 0) > PORTION_SHRINKS * p->target;
}

bool is_whole(const struct portions *p, const struct operand *op, int shift, int rank) {
    uint64_t along = 0;
    for (int i = 0; i < op->ndim - rank; i++)
        along |= (uint64_t)(op->shape[i] != 1 && op->stride[i] != 0) << (i + shift);
    return !(along & p->cut);
}

void slice_operand(struct operand *op, const struct operand *whole, int shift, int rank,
                   const struct portion *at) {
    *op = *whole;
    for (int i = 0; i < whole->ndim - rank && !whole->is_number; i++) {
        if (whole->shape[i] == 1)
            continue;
        op->shape[i] = at->size[i + shift];
        if (op->data)
            op->data += at->start[i + shift] * whole->stride[i];
    }
}

int64_t portion_count(const struct portions *p) {
    int64_t count = 1;
    for (int axis = 0; axis < p->ndim; axis++)
        count *= (p->shape[axis] - 1) / p->extent[axis] + 1;
    return count;
}

int64_t portion_memory(const struct portions *p) {
    return (int64_t)(portion_bytes(p, p->cut, 0) * p->slots);
}

void locate_portion(const struct portions *p, int64_t number, struct portion *at) {
    for (int i = p->ndim; i-- > 0;) {
        int axis = p->order[i];
        int64_t parts = (p->shape[axis] - 1) / p->extent[axis] + 1;
        at->start[axis] = number % parts * p->extent[axis];
        int64_t left = p->shape[axis] - at->start[axis];
        at->size[axis] = left < p->extent[axis] ? left : p->extent[axis];
        number /= parts;
    }
}

bool shrink_portions(struct portions *p) {
    bool smallest = true;
    for (int axis = 0; axis < p->ndim; axis++)
        smallest = smallest && (p->uncut >> axis & 1 || p->extent[axis] <= p->grain);
    if (smallest)
        return false;
    p->target = portion_bytes(p, p->cut, 0) / PORTION_SHRINKS;
    cut(p);
    return true;
}

/* ---- calls that are made in portions */

static ufc_status begin_part(void *arg, int slot, void *stream, const struct portion *at,
                             ufc_error *err) {
    const struct portioned_call *p = arg;
    p->ops->cut(p, p->part[slot], stream, at);
    return p->ops->begin(p->part[slot], err);
}

static ufc_status finish_part(void *arg, int slot, bool failed, ufc_error *err) {
    const struct portioned_call *p = arg;
    return p->ops->finish(p->part[slot], failed, err);
}

static ufc_status execute_parts(struct portioned_call *p, struct temps *temps, ufc_error *err) {
    const struct portion_work work = {begin_part, finish_part, p};
    struct temps host = {0};
    ufc_status status = UFC_OK;
    for (int i = 0; i < p->portions.slots; i++)
        if (!(p->part[i] = p->ops->new_part(p->whole)))
            status = UFC_ENOMEM;
    if (status != UFC_OK)
        fail(err, status, "out of memory for a call");
    else
        status = p->ops->prepare(p, &host, err);
    if (status == UFC_OK)
        status = run_portions(&p->portions, &work, err);
    free_temps(p->portions.ctx, p->portions.stream, temps);
    while (host.n)
        host_free(NULL, NULL, host.memory[--host.n]);
    for (int i = 0; i < p->portions.slots; i++)
        free(p->part[i]);
    return status;
}

ufc_status execute_portioned(struct portioned_call *p, bool in_portions, struct temps *temps,
                             struct recorder *recorder, ufc_error *err) {
    if (in_portions && !recorder)
        return execute_parts(p, temps, err);
    ufc_status status = p->ops->begin(p->whole, err);
    ufc_status ended = p->ops->finish(p->whole, status != UFC_OK, status == UFC_OK ? err : NULL);
    if (in_portions)
        record_portions(p->portions.ctx, portion_count(&p->portions), portion_memory(&p->portions));
    return status == UFC_OK ? ended : status;
}
