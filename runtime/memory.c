/* memory.c: new arrays, and copies between arrays of any strides on any device. */
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

/* ---- new arrays */

/* A new array; its tensor's manager_ctx points to this. */
struct owned {
    DLManagedTensorVersioned tensor;
    ufc_context *ctx;        /* a shared one, which outlives the array; NULL: the array is
                                only recorded */
    int64_t shape_strides[]; /* ndim sizes, then ndim strides */
};

void free_array(void *stream, DLManagedTensorVersioned *array) {
    struct owned *owned = array ? array->manager_ctx : NULL;
    if (owned && owned->ctx && array->dl_tensor.data)
        owned->ctx->ops->free(owned->ctx, stream, array->dl_tensor.data);
    free(owned);
}

ufc_status clear_array(void *stream, const DLManagedTensorVersioned *array, ufc_error *err) {
    const struct owned *owned = array->manager_ctx;
    const DLTensor *t = &array->dl_tensor;
    int64_t size = 0;
    if (!t->data || !shape_size(t->ndim, t->shape, &size))
        return UFC_OK;
    size_t bytes = (size_t)size * t->dtype.bits / 8;
    return owned->ctx->ops->clear(owned->ctx, stream, t->data, bytes, err);
}

static void free_owned(DLManagedTensorVersioned *self) {
    free_array(NULL, self);
}

/* The size in bytes of an array without gaps, and its strides in elements. */
static ufc_status lay_out(enum ufc_dtype dtype, int ndim, const int64_t *shape, const int *order,
                          int64_t *strides, int64_t *bytes, ufc_error *err) {
    for (int i = 0; i < ndim; i++)
        if (shape[i] < 0)
            return fail(err, UFC_EINVAL, "shape %s has a negative size",
                        shape_text(ndim, shape).text);
    int64_t size;
    if (!shape_size(ndim, shape, &size) ||
        __builtin_mul_overflow(size, dtype_info[dtype].size, bytes))
        return fail(err, UFC_ENOMEM, "out of memory for %s of shape %s", dtype_info[dtype].name,
                    shape_text(ndim, shape).text);
    int64_t stride = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        int axis = order ? order[i] : i;
        strides[axis] = stride;
        if (size) /* without elements the product may not fit */
            stride *= shape[axis];
    }
    return UFC_OK;
}

ufc_status new_array(ufc_context *ctx, void *stream, enum ufc_dtype dtype, int ndim,
                     const int64_t *shape, const int *order, bool on_host,
                     DLManagedTensorVersioned **array, ufc_error *err) {
    struct owned *owned = calloc(1, sizeof *owned + 2 * (size_t)ndim * sizeof *shape);
    if (!owned)
        return fail(err, UFC_ENOMEM, "out of memory for an array");
    int64_t *sizes = owned->shape_strides, *strides = sizes + ndim, bytes = 0;
    if (ndim)
        memcpy(sizes, shape, (size_t)ndim * sizeof *shape);
    DLDevice host = {kDLCPU, 0}, device = on_host ? host : ctx->device;
    ufc_status status = lay_out(dtype, ndim, shape, order, strides, &bytes, err);
    struct recorder *recorder = ctx ? ctx->recorder : NULL;
    DLTensor *t = &owned->tensor.dl_tensor;
    if (status == UFC_OK && !recorder)
        status = shared_context(&owned->ctx, device, err);
    if (status == UFC_OK && bytes)
        status = recorder
                     ? record_place(recorder, (size_t)bytes, &t->data, err)
                     : owned->ctx->ops->alloc(owned->ctx, stream, (size_t)bytes, &t->data, err);
    if (status != UFC_OK) {
        free(owned);
        return status;
    }
    t->device = device;
    t->ndim = ndim;
    t->dtype = ufc_dltype((ufc_type)dtype);
    t->shape = sizes;
    t->strides = strides;
    owned->tensor.version = (DLPackVersion){1, 0};
    owned->tensor.manager_ctx = owned;
    owned->tensor.deleter = free_owned;
    *array = &owned->tensor;
    return UFC_OK;
}

ufc_status ufc_empty(ufc_context *ctx, ufc_type dtype, int ndim, const int64_t *shape, bool on_host,
                     DLManagedTensorVersioned **array, ufc_error *err) {
    if (!array || (ndim > 0 && !shape))
        return fail(err, UFC_EINVAL, "%s is NULL", array ? "shape" : "array");
    if ((unsigned)dtype >= DT_COUNT)
        return fail(err, UFC_EDTYPE, "there is no element type %d", (int)dtype);
    if (ndim < 0 || ndim > MAX_RANK)
        return fail(err, UFC_EINVAL, "rank %d is not within 0 to %d", ndim, MAX_RANK);
    if (!on_host && !ctx) {
        ufc_status status = default_context(&ctx, NULL, NULL, err);
        if (status != UFC_OK)
            return status;
    }
    DLManagedTensorVersioned *made = NULL;
    ufc_status status =
        new_array(ctx, NULL, (enum ufc_dtype)dtype, ndim, shape, NULL, on_host, &made, err);
    if (status == UFC_OK && !on_host) /* other streams do not wait for the default one */
        status = ctx->ops->synchronize(ctx, NULL, err);
    if (status == UFC_OK)
        *array = made;
    else
        ufc_free(made);
    return status;
}

void ufc_free(DLManagedTensorVersioned *array) {
    if (array && array->deleter)
        array->deleter(array);
}

bool in_one_piece(const struct iteration *it) {
    int64_t size = dtype_info[it->dtype[0]].size;
    return it->naxes == 0 ||
           (it->naxes == 1 && it->stride[0][0] == size && it->stride[1][0] == size);
}

/* ---- copies between arrays */

static const char *const copy_names[] = {"src", "dst"};

static ufc_status check_copy(struct operand op[2], const DLTensor *src, const DLTensor *dst,
                             ufc_error *err) {
    if (!src || !dst)
        return fail(err, UFC_EINVAL, "%s is NULL", src ? "dst" : "src");
    ufc_status status = operand_from_array(&op[0], src, err);
    if (status != UFC_OK)
        return fail_at(err, status, "src");
    status = operand_from_array(&op[1], dst, err);
    if (status != UFC_OK)
        return fail_at(err, status, "dst");
    if (op[0].dtype != op[1].dtype)
        return fail(err, UFC_EDTYPE, "src is %s, dst is %s", dtype_info[op[0].dtype].name,
                    dtype_info[op[1].dtype].name);
    if (op[0].ndim != op[1].ndim ||
        memcmp(op[0].shape, op[1].shape, (size_t)op[0].ndim * sizeof *op[0].shape) != 0)
        return fail(err, UFC_ESHAPE, "src has shape %s, dst has shape %s",
                    shape_text(op[0].ndim, op[0].shape).text,
                    shape_text(op[1].ndim, op[1].shape).text);
    return UFC_OK;
}

static bool is_on_host(const struct operand *op) {
    return is_host(op->device);
}

/* Copies between arrays that are both on the host, or both on GPUs. */
static ufc_status copy_across(ufc_context *ctx, void *stream, struct iteration *it,
                              ufc_error *err) {
    struct temps temps = {0};
    ufc_status status = copy_overlapping_inputs(ctx, stream, it, copy_names, &temps, err);
    if (status == UFC_OK)
        status = ctx->ops->copy(ctx, stream, it, err);
    free_temps(ctx, stream, &temps);
    return status;
}

/* Copies op[0] to op[1]. */
static ufc_status copy(ufc_context *ctx, void *stream, const struct operand *op, bool two_gpus,
                       ufc_error *err) {
    struct iteration it;
    make_iteration(&it, NULL, 1, 1, false, op, op[0].ndim, op[0].shape);
    ufc_status status = check_outputs(&it, copy_names, err);
    if (status != UFC_OK)
        return status;
    if (two_gpus && !in_one_piece(&it))
        return fail(err, UFC_EDEVICE,
                    "src is on GPU %d and dst on GPU %d: there both must be contiguous",
                    (int)op[0].device.device_id, (int)op[1].device.device_id);
    if (is_on_host(&op[0]) == is_on_host(&op[1]))
        return copy_across(ctx, stream, &it, err);
    if (is_on_host(&op[1]))
        return copy_out(ctx, stream, &op[0], &op[1], err);
    status = copy_in(ctx, stream, &op[0], &op[1], err);
    return status == UFC_OK ? ctx->ops->synchronize(ctx, stream, err) : status;
}

ufc_status ufc_copy(ufc_context *ctx, void *stream, const DLTensor *src, const DLTensor *dst,
                    ufc_error *err) {
    struct operand op[2];
    ufc_status status = check_copy(op, src, dst, err);
    if (status != UFC_OK)
        return status;
    int from = op[0].device.device_id, to = op[1].device.device_id;
    bool on_host = is_on_host(&op[0]) && is_on_host(&op[1]);
    bool two_gpus = !is_on_host(&op[0]) && !is_on_host(&op[1]) && from != to && from != ANY_GPU &&
                    to != ANY_GPU;
    /* Between two GPUs the context's GPU copies, where it is one of them, else the
     * destination's. */
    int first = two_gpus && !(ctx && ctx->device.device_id == from);
    if (on_host && (!ctx || !is_host(ctx->device)))
        status = shared_context(&ctx, (DLDevice){kDLCPU, 0}, err);
    else if (!on_host)
        status = choose_context(&ctx, stream, NULL, two_gpus ? 1 : 2, &op[first],
                                &copy_names[first], err);
    int64_t size;
    if (status != UFC_OK || (shape_size(op[0].ndim, op[0].shape, &size) && size == 0))
        return status;
    return copy(ctx, stream, op, two_gpus, err);
}
