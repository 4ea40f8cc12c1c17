/* memory.c: new arrays, and copies between arrays of any strides on any device. */
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

/* ---- new arrays */

/* A new array; its tensor's manager_ctx points to this. */
struct owned {
    DLManagedTensorVersioned tensor;
    ufc_context *ctx; /* a shared one, which outlives the array and can free it; NULL: the
                         array is only recorded */
    ufc_place place;
    struct origin origin;    /* of memory that is a GPU's */
    int64_t shape_strides[]; /* ndim sizes, then ndim strides */
};

static void free_owned(DLManagedTensorVersioned *self);

void free_array(void *stream, DLManagedTensorVersioned *array) {
    struct owned *owned = array ? array->manager_ctx : NULL;
    if (array && array->deleter != free_owned) {
        ufc_free(array); /* the caller's allocator has made it */
        return;
    }
    if (owned && owned->ctx)
        owned->ctx->ops->free(owned->ctx, stream, array->dl_tensor.data);
    free(owned);
}

ufc_status clear_array(void *stream, const DLManagedTensorVersioned *array, ufc_error *err) {
    const DLTensor *t = &array->dl_tensor;
    ufc_context *ctx;
    int64_t size = 0;
    if (!t->data || !shape_size(t->ndim, t->shape, &size) || size == 0)
        return UFC_OK;
    size_t bytes = (size_t)size * t->dtype.bits / 8;
    ufc_status status = shared_context(&ctx, t->device, err);
    char *data = (char *)t->data + t->byte_offset;
    return status == UFC_OK ? ctx->ops->clear(ctx, stream, data, bytes, err) : status;
}

static void free_owned(DLManagedTensorVersioned *self) {
    struct owned *owned = self->manager_ctx;
    void *data = self->dl_tensor.data;
    const struct memory_ops *own = owned->ctx ? owned->ctx->ops->own : NULL;
    if (own && data)
        own->free_at(owned->ctx, owned->place, &owned->origin, data);
    else if (owned->ctx)
        owned->ctx->ops->free(owned->ctx, NULL, data);
    free(owned);
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

/* Pinned and managed memory is that of a GPU, if the context is one's; else it is the host's. */
static ufc_place place_in(const ufc_context *ctx, ufc_place place) {
    bool of_host = !ctx || !ctx->ops->own;
    return of_host && (place == UFC_PINNED || place == UFC_MANAGED) ? UFC_HOST : place;
}

static ufc_status take(struct owned *owned, ufc_context *ctx, void *stream, size_t bytes,
                       void **memory, ufc_error *err) {
    ufc_context *maker = ctx && owned->place != UFC_HOST ? ctx : owned->ctx; /* whose pool it is */
    const struct memory_ops *own = maker->ops->own;
    return own ? own->alloc_at(maker, stream, owned->place, bytes, memory, &owned->origin, err)
               : maker->ops->alloc(maker, stream, bytes, memory, err);
}

ufc_status new_array(ufc_context *ctx, void *stream, enum ufc_dtype dtype, int ndim,
                     const int64_t *shape, const int *order, ufc_place place,
                     DLManagedTensorVersioned **array, ufc_error *err) {
    struct owned *owned = calloc(1, sizeof *owned + 2 * (size_t)ndim * sizeof *shape);
    if (!owned)
        return fail(err, UFC_ENOMEM, "out of memory for an array");
    int64_t *sizes = owned->shape_strides, *strides = sizes + ndim, bytes = 0;
    if (ndim)
        memcpy(sizes, shape, (size_t)ndim * sizeof *shape);
    owned->place = place_in(ctx, place);
    DLDevice host = {kDLCPU, 0}, device = owned->place == UFC_HOST ? host : ctx->device;
    ufc_status status = lay_out(dtype, ndim, shape, order, strides, &bytes, err);
    struct recorder *recorder = ctx ? ctx->recorder : NULL;
    DLTensor *t = &owned->tensor.dl_tensor;
    if (status == UFC_OK && !recorder)
        status = shared_context(&owned->ctx, device, err);
    if (status == UFC_OK && bytes)
        status = recorder ? record_place(recorder, (size_t)bytes, &t->data, err)
                          : take(owned, ctx, stream, (size_t)bytes, &t->data, err);
    if (status != UFC_OK) {
        free(owned);
        return status;
    }
    t->device = owned->place == UFC_PINNED    ? (DLDevice){kDLCUDAHost, 0}
                : owned->place == UFC_MANAGED ? (DLDevice){kDLCUDAManaged, device.device_id}
                                              : device;
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

/* ---- results that the caller allocates */

/* Whether an array is what its allocator was asked for: in its order, or in C order.  Without
 * elements any strides will do, as libraries have them. */
static bool is_as_asked(const DLTensor *t, const DLTensor *asked) {
    bool same = t->ndim == asked->ndim && t->device.device_type == asked->device.device_type &&
                t->device.device_id == asked->device.device_id &&
                memcmp(&t->dtype, &asked->dtype, sizeof t->dtype) == 0;
    bool as_asked = true, c_order = true, empty = false;
    int64_t stride = 1;
    for (int i = asked->ndim - 1; i >= 0 && same; i--) {
        same = t->shape[i] == asked->shape[i];
        empty = empty || t->shape[i] == 0;
        int64_t own = t->strides ? t->strides[i] : stride;
        c_order = c_order && (t->shape[i] == 1 || own == stride);
        as_asked = as_asked && (t->shape[i] == 1 || own == asked->strides[i]);
        stride = (int64_t)((uint64_t)stride * (uint64_t)t->shape[i]);
    }
    return same && (as_asked || c_order || empty);
}

ufc_status new_result(ufc_context *ctx, void *stream, const ufc_keywords *kw, enum ufc_dtype dtype,
                      int ndim, const int64_t *shape, const int *order, bool on_host,
                      DLManagedTensorVersioned **array, ufc_error *err) {
    int64_t sizes[MAX_RANK], strides[MAX_RANK], bytes;
    DLTensor asked = {.device = on_host ? (DLDevice){kDLCPU, 0} : ctx->device,
                      .ndim = ndim,
                      .dtype = ufc_dltype((ufc_type)dtype),
                      .shape = sizes,
                      .strides = strides};
    if (!kw || !kw->allocate || ctx->recorder)
        return new_array(ctx, stream, dtype, ndim, shape, order, on_host ? UFC_HOST : UFC_DEVICE,
                         array, err);
    ufc_status status = lay_out(dtype, ndim, shape, order, strides, &bytes, err);
    if (status != UFC_OK)
        return status;
    memcpy(sizes, shape, (size_t)ndim * sizeof *shape);
    DLManagedTensorVersioned *made = NULL;
    ufc_error why = {{0}}; /* it need not tell, nor need the caller want to know */
    status = kw->allocate(kw->user, &asked, &made, &why);
    if (status != UFC_OK)
        fail(err, status, "%s", *why.message ? why.message : "a result was not allocated");
    if (status == UFC_OK && (!made || !is_as_asked(&made->dl_tensor, &asked)))
        status = fail(err, UFC_EINVAL, "the result that was allocated is not as it was asked for");
    if (status == UFC_OK)
        *array = made;
    else
        ufc_free(made);
    return status;
}

/* new_array for a program, which may use it on any stream. */
static ufc_status new_for_all(ufc_context *ctx, enum ufc_dtype dtype, int ndim,
                              const int64_t *shape, const int *order, ufc_place place,
                              DLManagedTensorVersioned **array, ufc_error *err) {
    if ((unsigned)place > UFC_MANAGED)
        return fail(err, UFC_EINVAL, "there is no place %d", (int)place);
    ufc_status status = place != UFC_HOST && !ctx ? default_context(&ctx, NULL, NULL, err) : UFC_OK;
    DLManagedTensorVersioned *made = NULL;
    if (status == UFC_OK)
        status = new_array(ctx, NULL, dtype, ndim, shape, order, place, &made, err);
    if (status == UFC_OK && place == UFC_DEVICE) /* other streams do not wait for the default one */
        status = ctx->ops->synchronize(ctx, NULL, err);
    if (status == UFC_OK)
        *array = made;
    else
        ufc_free(made);
    return status;
}

ufc_status ufc_empty(ufc_context *ctx, ufc_type dtype, int ndim, const int64_t *shape,
                     ufc_place place, DLManagedTensorVersioned **array, ufc_error *err) {
    if (!array || (ndim > 0 && !shape))
        return fail(err, UFC_EINVAL, "%s is NULL", array ? "shape" : "array");
    *array = NULL;
    if ((unsigned)dtype >= DT_COUNT)
        return fail(err, UFC_EDTYPE, "there is no element type %d", (int)dtype);
    if (ndim < 0 || ndim > MAX_RANK)
        return fail(err, UFC_EINVAL, "rank %d is not within 0 to %d", ndim, MAX_RANK);
    return new_for_all(ctx, (enum ufc_dtype)dtype, ndim, shape, NULL, place, array, err);
}

/* Checks an array that a new one is to be like, and gives the order of its axes. */
static ufc_status check_like(const DLTensor *like, DLManagedTensorVersioned **array,
                             struct operand *op, int *order, ufc_error *err) {
    if (!like || !array)
        return fail(err, UFC_EINVAL, "%s is NULL", like ? "array" : "the array to be like");
    *array = NULL;
    ufc_status status = operand_from_array(op, like, err);
    if (status == UFC_OK)
        keep_order(1, op, op->ndim, order);
    return status;
}

ufc_status ufc_empty_like(ufc_context *ctx, const DLTensor *like, ufc_place place,
                          DLManagedTensorVersioned **array, ufc_error *err) {
    struct operand op;
    int order[MAX_RANK];
    ufc_status status = check_like(like, array, &op, order, err);
    return status == UFC_OK
               ? new_for_all(ctx, op.dtype, op.ndim, op.shape, order, place, array, err)
               : status;
}

/* A copy in another place, whose memory is ordered on the stream. */
static ufc_status copy_to(ufc_context *ctx, void *stream, const DLTensor *src, ufc_place place,
                          DLManagedTensorVersioned **array, ufc_error *err) {
    struct operand op;
    int order[MAX_RANK];
    DLManagedTensorVersioned *made = NULL;
    ufc_status status = check_like(src, array, &op, order, err);
    if (status == UFC_OK && place != UFC_HOST && !ctx)
        status = default_context(&ctx, stream, NULL, err);
    if (status == UFC_OK)
        status = new_array(ctx, stream, op.dtype, op.ndim, op.shape, order, place, &made, err);
    if (status == UFC_OK)
        status = ufc_copy(ctx, stream, src, &made->dl_tensor, err);
    if (status == UFC_OK)
        *array = made;
    else
        free_array(stream, made);
    return status;
}

ufc_status ufc_to_device(ufc_context *ctx, void *stream, const DLTensor *src,
                         DLManagedTensorVersioned **array, ufc_error *err) {
    return copy_to(ctx, stream, src, UFC_DEVICE, array, err);
}

ufc_status ufc_to_host(ufc_context *ctx, void *stream, const DLTensor *src,
                       DLManagedTensorVersioned **array, ufc_error *err) {
    return copy_to(ctx, stream, src, UFC_HOST, array, err);
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
    if (two_gpus)
        return copy_between_gpus(ctx, stream, op, err);
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
        status = choose_context(&ctx, NULL, stream, NULL, two_gpus ? 1 : 2, &op[first],
                                &copy_names[first], err);
    int64_t size;
    if (status != UFC_OK || (shape_size(op[0].ndim, op[0].shape, &size) && size == 0))
        return status;
    return copy(ctx, stream, op, two_gpus, err);
}
