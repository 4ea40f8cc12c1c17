/* at_gpu.c: array[indices] = f(array[indices], y) on devices that run kernels: a reduction of y by
 * the rows that indices select. */
#include <string.h>

#include "recorder.h"

/* Adds the axes of what the indices select, the last one first, to the reduction. */
static void add_axes(const struct at *at, const struct operand *indices, struct reduction *r) {
    for (int i = at->naxes - 1; i >= 0; i--) {
        if (at->shape[i] == 1)
            continue;
        if (i < at->nindex) {
            r->in.inner[r->ninner] = at->y_stride[i];
            r->index.inner[r->ninner] = indices->stride[i];
            r->inner_size[r->ninner++] = at->shape[i];
        } else {
            r->in.outer[r->nouter] = at->y_stride[i];
            r->out.outer[r->nouter] = at->array.stride[i - at->nindex + 1];
            r->outer_size[r->nouter++] = at->shape[i];
            r->lines *= at->shape[i];
        }
    }
}

/* Reduces y along the indices, for each element of a row. */
static void make_reduction(const struct at *at, const struct operand *indices,
                           struct reduction *r) {
    memset(r, 0, sizeof *r);
    r->overload = at->overload;
    r->ufunc = at->ufunc;
    r->in.data = at->y.data;
    r->in.dtype = at->y.dtype;
    r->out.data = at->array.data;
    r->out.dtype = at->array.dtype;
    r->index.data = indices->data;
    r->index.dtype = indices->dtype;
    r->in_bounds = at->indices != NULL;
    r->rows = at->array.shape[0];
    r->lines = 1;
    r->length = r->segments = at->n;
    r->segment_stride = at->array.stride[0];
    add_axes(at, indices, r);
}

static ufc_status take(struct at *at, struct operand *op, const char *name, struct temps *temps,
                       ufc_error *err) {
    void *temp = NULL;
    if (!is_host(op->device) || is_host(at->ctx->device))
        return UFC_OK;
    record_copy(at->ctx, name, "on the device", "");
    ufc_status status = stage_in(at->ctx, at->stream, op, false, &temp, err);
    if (temp)
        temps->memory[temps->n++] = temp;
    return status;
}

/* Has indices that are on the host where the device finds them, and no others of them where it is
 * not the host: found to be in bounds. */
static ufc_status take_indices(struct at *at, struct operand *indices, struct temps *temps,
                               ufc_error *err) {
    if (!is_host(indices->device) || (is_host(at->ctx->device) && !at->recorder))
        return UFC_OK;
    ufc_status status = find_indices(at, indices, err);
    if (status != UFC_OK)
        return status;
    int64_t stride = sizeof(int64_t);
    indices->data = (char *)(uintptr_t)at->indices;
    indices->dtype = DT_INT64;
    for (int axis = indices->ndim; axis-- > 0; stride *= indices->shape[axis])
        indices->stride[axis] = stride;
    return take(at, indices, "indices", temps, err);
}

static ufc_status reduce(struct at *at, const struct operand *indices, struct temps *temps,
                         ufc_error *err) {
    struct operand own = *indices;
    struct reduction r;
    ufc_status status = take_indices(at, &own, temps, err);
    bool overlap = operands_overlap(&at->y, &at->array);
    if (status == UFC_OK && overlap) {
        record_copy(at->ctx, "y", "apart from the results", "");
        status = copy_operand(at->ctx, at->stream, &at->y, &at->it, temps, err);
    }
    if (status == UFC_OK)
        status = broadcast_y(at, &own, err); /* y's strides may have changed */
    if (status != UFC_OK)
        return status;
    make_reduction(at, &own, &r);
    return at->ctx->ops->reduce(at->ctx, at->stream, &r, err);
}

ufc_status at_on_gpu(struct at *at, const struct operand *indices, ufc_error *err) {
    static const char *const names[] = {"array", "y"};
    struct operand host = {.ndim = -1};
    struct temps temps = {0};
    const uint8_t *dtypes = at->overload->dtypes;
    if (dtypes[0] != dtypes[2] || dtypes[1] != dtypes[2] || at->array.dtype != dtypes[2])
        return fail(err, UFC_EDEVICE,
                    "at, on a GPU, is for an array of the types that %s has, all the same: copy it "
                    "to the host",
                    at->overload->signature);
    ufc_status status = take(at, &at->y, names[1], &temps, err);
    bool staged = status == UFC_OK && is_host(at->array.device) && !is_host(at->ctx->device);
    if (staged) {
        host = at->array;
        status = take(at, &at->array, names[0], &temps, err);
    }
    if (status == UFC_OK)
        status = reduce(at, indices, &temps, err);
    if (status == UFC_OK && host.ndim >= 0)
        status = stage_out_finish(at->ctx, at->stream, &host, &at->array, err);
    free_temps(at->ctx, at->stream, &temps);
    return status;
}
