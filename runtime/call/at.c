/* at.c: array[indices] = f(array[indices], y), one index after the other. */
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "range.h"
#include "recorder.h"

/* Describes an array of whole numbers. */
static ufc_status describe_indices(const DLTensor *array, struct operand *op, int64_t *n,
                                   ufc_error *err) {
    if (!array)
        return fail(err, UFC_EINVAL, "indices is NULL");
    ufc_status status = operand_from_array(op, array, err);
    if (status != UFC_OK)
        return fail_at(err, status, "indices");
    char kind = dtype_info[op->dtype].kind;
    if (kind != 'i' && (kind != 'u' || op->dtype == DT_UINT64))
        return fail(err, UFC_EDTYPE, "indices are %s, which does not cast to int64 safely",
                    dtype_info[op->dtype].name);
    if (!shape_size(op->ndim, op->shape, n))
        return fail(err, UFC_ESHAPE, "there are too many indices");
    return UFC_OK;
}

/* Room for `each` numbers an index; NULL: out of memory.  With a stride of 0 there may be more
 * indices than any memory has room for. */
static int64_t *new_table(int64_t n, int64_t each) {
    return n < PTRDIFF_MAX / (int64_t)sizeof(int64_t) / each
               ? malloc((size_t)(n + 1) * (size_t)each * sizeof(int64_t))
               : NULL;
}

static void copy_indices(const struct operand *op, int64_t n, int64_t *indices) {
    int64_t position[MAX_RANK] = {0}, run = op->ndim ? op->shape[op->ndim - 1] : 1;
    const char *at = op->data;
    for (int64_t i = 0; i < n; i += run) {
        cast_elements(op->dtype, DT_INT64, (char *)(indices + i), sizeof *indices, at,
                      op->ndim ? op->stride[op->ndim - 1] : 0, run);
        for (int axis = op->ndim - 2; axis >= 0; axis--) {
            at += op->stride[axis];
            if (++position[axis] < op->shape[axis])
                break;
            at -= position[axis] * op->stride[axis];
            position[axis] = 0;
        }
    }
}

ufc_status read_indices(const DLTensor *array, struct operand *op, int64_t **indices, int64_t *n,
                        ufc_error *err) {
    ufc_status status = describe_indices(array, op, n, err);
    if (status == UFC_OK && !is_host(op->device))
        status = fail(err, UFC_EDEVICE, "indices are on a GPU: copy them to the host");
    if (status != UFC_OK)
        return status;
    *indices = new_table(*n, 2); /* room for bounds */
    if (!*indices)
        return fail(err, UFC_ENOMEM, "out of memory for %lld indices", (long long)*n);
    copy_indices(op, *n, *indices);
    return UFC_OK;
}

/* Whether indices can be read where they are, if none is negative. */
static bool are_plain(const struct at *at, const struct operand *op) {
    return op->dtype == DT_INT64 && op->ndim == 1 && op->shape[0] > 1 &&
           op->stride[0] == sizeof(int64_t) && !operands_overlap(&at->array, op);
}

ufc_status fail_index(ufc_error *err, int64_t least, int64_t most, int64_t size) {
    return fail(err, UFC_EINVAL, "index %lld is out of bounds for the first axis, of size %lld",
                (long long)(least < -size ? least : most), (long long)size);
}

ufc_status find_indices(struct at *at, const struct operand *op, ufc_error *err) {
    int64_t size = at->array.shape[0], least = 0, most = -1;
    bool plain = are_plain(at, op);
    if (!plain) {
        at->copied = new_table(at->n, 1);
        if (!at->copied)
            return fail(err, UFC_ENOMEM, "out of memory for %lld indices", (long long)at->n);
        copy_indices(op, at->n, at->copied);
    }
    at->indices = plain ? (const int64_t *)(const void *)op->data : at->copied;
    for (int64_t i = 0; i < at->n; i++) {
        least = at->indices[i] < least ? at->indices[i] : least;
        most = at->indices[i] > most ? at->indices[i] : most;
    }
    if (least < -size || most >= size)
        return fail_index(err, least, most, size);
    if (least >= 0)
        return UFC_OK;
    if (plain) {
        at->copied = new_table(at->n, 1);
        if (!at->copied)
            return fail(err, UFC_ENOMEM, "out of memory for %lld indices", (long long)at->n);
    }
    for (int64_t i = 0; i < at->n; i++)
        at->copied[i] = at->indices[i] + (at->indices[i] < 0 ? size : 0);
    at->indices = at->copied;
    return UFC_OK;
}

/* y broadcasts to what is selected. */
ufc_status broadcast_y(struct at *at, const struct operand *indices, ufc_error *err) {
    at->nindex = indices->ndim;
    at->naxes = indices->ndim + at->array.ndim - 1;
    for (int i = 0; i < at->naxes; i++)
        at->shape[i] = i < at->nindex ? indices->shape[i] : at->array.shape[i + 1 - at->nindex];
    int more = at->naxes - at->y.ndim;
    bool fits = more >= 0;
    for (int i = 0; i < at->y.ndim && fits; i++)
        fits = at->y.shape[i] == 1 || at->y.shape[i] == at->shape[i + more];
    if (!fits)
        return fail(err, UFC_ESHAPE, "y has shape %s, which does not broadcast to %s",
                    shape_text(at->y.ndim, at->y.shape).text,
                    shape_text(at->naxes, at->shape).text);
    for (int i = 0; i < at->naxes; i++) {
        bool has = i >= more && at->y.shape[i - more] != 1;
        at->y_stride[i] = has ? at->y.stride[i - more] : 0;
    }
    return UFC_OK;
}

/* Chooses the overload for array and y, with the array as its output. */
static ufc_status choose(struct at *at, const DLTensor *array, const ufc_arg *y, ufc_error *err) {
    struct operand op[] = {at->array, at->y, at->array};
    const ufc_arg in[] = {ufc_array(array), *y};
    ufc_status status = resolve(at->ufunc, in, NULL, op, &at->overload, err);
    if (status != UFC_OK)
        return status;
    bool is_number = op[1].is_number;
    at->y = op[1];
    if (is_number) { /* as an array of rank 0 */
        at->y.data = (char *)at->y.value;
        at->y.is_number = false;
    }
    return UFC_OK;
}

static ufc_status check(struct at *at, const DLTensor *array, const ufc_arg *y, ufc_error *err) {
    ufc_status status = check_binary(at->ufunc, "at", err);
    if (status != UFC_OK)
        return status;
    if (!array)
        return fail(err, UFC_EINVAL, "array is NULL");
    status = operand_from_array(&at->array, array, err);
    if (status == UFC_OK && at->array.ndim == 0)
        status = fail(err, UFC_EINVAL, "it has rank 0: there is no axis to take indices of");
    if (status != UFC_OK)
        return fail_at(err, status, "array");
    status = check_input(&at->y, y, err);
    if (status != UFC_OK)
        return fail_at(err, status, "y");
    return choose(at, array, y, err);
}

/* Arrays on the host stay there, unless the context computes in the host's memory itself. */
static ufc_status choose_place(struct at *at, const struct operand *indices, ufc_error *err) {
    static const char *const names[] = {"array", "y", "indices"};
    struct operand all[] = {at->array, at->y, *indices};
    for (int i = 0; i < 3; i++)
        if (!is_host(all[i].device))
            return choose_context(&at->ctx, NULL, at->stream, at->overload, 3, all, names, err);
    if (at->ctx && is_host(at->ctx->device))
        return UFC_OK;
    return shared_context(&at->ctx, (DLDevice){kDLCPU, 0}, err);
}

/* The array's elements must lie apart; it may have none. */
static ufc_status check_array(struct at *at, ufc_error *err) {
    const struct operand *a = &at->array;
    if (a->shape[0] == 0)
        return UFC_OK;
    make_iteration(&at->it, at->overload, 0, 1, false, a, a->ndim, a->shape);
    return check_outputs(&at->it, &(const char *const){"array"}, err);
}

static ufc_status select_and_run(struct at *at, const struct operand *indices, ufc_error *err) {
    int64_t selected;
    ufc_status status = broadcast_y(at, indices, err);
    if (status != UFC_OK)
        return status;
    if (!shape_size(at->naxes, at->shape, &selected))
        return fail(err, UFC_ESHAPE, "what is selected has too many elements");
    if (at->n == 0)
        return UFC_OK;
    if (selected == 0 && is_host(indices->device))
        return find_indices(at, indices, err);
    if (at->recorder)
        record_axes(at->recorder, &(bool){true}, 1, at->n);
    status = check_array(at, err);
    if (status == UFC_OK)
        status = choose_place(at, indices, err);
    if (status == UFC_OK) {
        at->ctx = recorder_context(at->recorder, at->ctx);
        if (!at->recorder)
            range_of_call(at->ufunc, "at", at->overload, at->naxes, at->shape, NULL);
        status = at->ctx->ops->at(at, indices, err);
        if (!at->recorder)
            nvtx_pop();
    }
    return fail_at(err, status, "%s.at", at->ufunc->name);
}

ufc_status call_at(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                   const DLTensor *array, const DLTensor *indices, const ufc_arg *y,
                   struct recorder *recorder, ufc_error *err) {
    struct at *at = malloc(sizeof *at);
    if (!at)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    struct operand op;
    at->ctx = ctx;
    at->stream = stream;
    at->ufunc = ufunc;
    at->recorder = recorder;
    at->indices = at->copied = NULL;
    fp_env callers = fp_enter();
    ufc_status status = check(at, array, y, err);
    if (status == UFC_OK)
        status = describe_indices(indices, &op, &at->n, err);
    if (status == UFC_OK)
        status = select_and_run(at, &op, err);
    fp_leave(callers);
    free(at->copied);
    free(at);
    return status;
}

ufc_status ufc_at(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const DLTensor *array,
                  const DLTensor *indices, ufc_arg y, ufc_error *err) {
    return call_at(ctx, stream, ufunc, array, indices, &y, NULL, err);
}
