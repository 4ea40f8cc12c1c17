/* at.c: array[indices] = f(array[indices], y), one index after the other. */
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "recorder.h"

/* Describes an array of whole numbers on the host. */
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
    if (op->device.device_type != kDLCPU)
        return fail(err, UFC_EDEVICE, "indices are on a GPU: copy them to the host");
    if (!shape_size(op->ndim, op->shape, n))
        return fail(err, UFC_ESHAPE, "there are too many indices");
    return UFC_OK;
}

/* Room for `each` numbers an index; NULL: out of memory, as for a number of them that a stride of 0
 * makes larger than any memory. */
static int64_t *new_table(int64_t n, int64_t each) {
    return n < PTRDIFF_MAX / (int64_t)sizeof(int64_t) / each
               ? malloc((size_t)(n + 1) * (size_t)each * sizeof(int64_t))
               : NULL;
}

static void copy_indices(const struct operand *op, int64_t n, int64_t *indices) {
    int64_t position[MAX_RANK] = {0}, run = op->ndim ? op->shape[op->ndim - 1] : 1;
    const char *at = op->data;
    for (int64_t i = 0; i < n; i += run) {
        cast_kernels[op->dtype][DT_INT64]((char *)(indices + i), sizeof *indices, at,
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
    if (status != UFC_OK)
        return status;
    *indices = new_table(*n, 2); /* room for bounds */
    if (!*indices)
        return fail(err, UFC_ENOMEM, "out of memory for %lld indices", (long long)*n);
    copy_indices(op, *n, *indices);
    return UFC_OK;
}

static const int64_t *row_stride(const struct at *at) {
    return at->array.stride + 1 - at->nindex; /* by the axis of what is selected */
}

/* Indices along their last axis, of elements of the array. */
static void run_elements(const struct at *at, const int64_t *indices, const char *y) {
    enum { BLOCK = 512 };
    _Alignas(16) char converted[BLOCK * 16];
    enum ufc_dtype dtype = at->array.dtype;
    int64_t n = at->nindex ? at->shape[at->nindex - 1] : 1, most = at->plain ? n : BLOCK;
    int64_t step = at->nindex ? at->y_stride[at->nindex - 1] : 0;
    for (; n > 0; n -= most, indices += most, y += most * step) {
        const char *x = at->plain ? y : converted;
        if (most > n)
            most = n;
        if (!at->plain)
            cast_kernels[at->y.dtype][dtype](converted, dtype_info[dtype].size, y, step, most);
        at->fold(at->array.data, x, most, at->plain ? step : dtype_info[dtype].size, 1,
                 at->array.data, at->array.stride[0], indices);
    }
}

static enum at_way choose_way(const struct at *at) {
    int last = at->naxes - 1, size = dtype_info[at->array.dtype].size;
    bool has_axis = last >= at->nindex;
    if (at->fold && !has_axis)
        return AT_ELEMENTS;
    if (!at->plain)
        return AT_CONVERTED;
    bool neighbours = has_axis && row_stride(at)[last] == size && at->y_stride[last] == size;
    return at->fold && neighbours ? AT_ROWS : AT_CALLS;
}

/* Elements along the last axis of a row, or its only one. */
static void run_line(const struct at *at, char *array, const char *y) {
    const uint8_t *dtypes = at->overload->dtypes;
    int last = at->naxes - 1;
    bool has_axis = last >= at->nindex;
    intptr_t n = has_axis ? at->shape[last] : 1, step = has_axis ? row_stride(at)[last] : 0;
    intptr_t y_step = has_axis ? at->y_stride[last] : 0;
    if (at->way == AT_ROWS) {
        at->fold(array, y, 1, 0, n, array, 0, NULL);
        return;
    }
    if (at->way == AT_CALLS) {
        char *args[] = {array, (char *)(uintptr_t)y, array};
        finding_run(at->finding, 0, at->kernel, args, &n, (intptr_t[]){step, y_step, step}, NULL);
        return;
    }
    for (; n > 0; n--, array += step, y += y_step) {
        uint64_t value[3][2];
        char *args[] = {(char *)value[0], (char *)value[1], (char *)value[2]};
        cast_kernels[at->array.dtype][dtypes[0]](args[0], 0, array, 0, 1);
        cast_kernels[at->y.dtype][dtypes[1]](args[1], 0, y, 0, 1);
        finding_run(at->finding, 0, at->kernel, args, &(intptr_t){1}, (intptr_t[]){0, 0, 0}, NULL);
        cast_kernels[dtypes[2]][at->array.dtype](array, 0, (char *)value[2], 0, 1);
    }
}

/* What axes from `axis` on but the last one select. */
static void run_row(const struct at *at, int axis, char *array, const char *y) {
    if (axis >= at->naxes - 1) {
        run_line(at, array, y);
        return;
    }
    for (int64_t i = 0; i < at->shape[axis]; i++)
        run_row(at, axis + 1, array + i * row_stride(at)[axis], y + i * at->y_stride[axis]);
}

/* The indices of rows [begin, end), each in its turn: threads share the rows out among them. */
static void run_rows(void *arg, int64_t begin, int64_t end) {
    const struct at *at = arg;
    int64_t position[MAX_RANK] = {0};
    const char *y = at->y.data;
    bool elements = at->way == AT_ELEMENTS;
    int last = at->nindex - 1 - elements;
    int64_t run = elements && at->nindex ? at->shape[at->nindex - 1] : 1;
    for (int64_t i = 0; i < at->n; i += run) {
        int64_t index = at->indices[i];
        if (elements)
            run_elements(at, at->indices + i, y);
        else if (index >= begin && index < end)
            run_row(at, at->nindex, at->array.data + index * at->array.stride[0], y);
        for (int axis = last; axis >= 0; axis--) {
            y += at->y_stride[axis];
            if (++position[axis] < at->shape[axis])
                break;
            y -= position[axis] * at->y_stride[axis];
            position[axis] = 0;
        }
    }
}

/* Whether they can be read where they are, if none is negative. */
static bool are_plain(const struct at *at, const struct operand *op) {
    return op->dtype == DT_INT64 && op->ndim == 1 && op->shape[0] > 1 &&
           op->stride[0] == sizeof(int64_t) && !operands_overlap(&at->array, op);
}

/* In bounds, and from the front. */
static ufc_status find_indices(struct at *at, const struct operand *op, ufc_error *err) {
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
        return fail(err, UFC_EINVAL, "index %lld is out of bounds for the first axis, of size %lld",
                    (long long)(least < -size ? least : most), (long long)size);
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

/* The overload for array and y, and the array as its output. */
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
    at->plain = at->array.dtype == at->overload->dtypes[0] &&
                at->array.dtype == at->overload->dtypes[2] &&
                at->y.dtype == at->overload->dtypes[1];
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

/* y in memory of its own, if the array would change it. */
static ufc_status separate(struct at *at, ufc_context *host, struct temps *temps, ufc_error *err) {
    make_iteration(&at->it, at->overload, 0, 1, false, &at->array, at->array.ndim, at->array.shape);
    ufc_status status = check_outputs(&at->it, &(const char *const){"array"}, err);
    if (status != UFC_OK || !operands_overlap(&at->y, &at->array))
        return status;
    record_copy(host, "y", "apart from the results", "");
    return copy_operand(host, NULL, &at->y, &at->it, temps, err);
}

/* Rows that a thread takes at a time. */
static int64_t at_grain(int64_t rows, int threads) {
    return rows / threads / 4 + 1;
}

/* Describes how run_rows goes. */
static void describe(const struct at *at, int threads, int all) {
    ufc_plan_description *d = at->recorder->d;
    static const char *const ways[] = {
        [AT_ELEMENTS] = "index by index, an element each",
        [AT_ROWS] = "index by index, rows in vectors",
        [AT_CALLS] = "index by index, a call of the kernel for each run of a row",
        [AT_CONVERTED] = "index by index, element by element, converted to the signature's types"};
    int64_t rows = at->array.shape[0];
    int used = threads_used(threads, rows, at_grain(rows, threads));
    d->signature = at->overload->signature;
    d->ndim = at->array.ndim - 1;
    for (int axis = 0; axis < d->ndim; axis++)
        d->shape[axis] = at->array.shape[axis + 1];
    describe_level(d, at->overload);
    put_text(d->why, sizeof d->why, "%s", ways[at->way]);
    put_text(d->host_why, sizeof d->host_why, "%s",
             used > 1      ? "each has its part of the array's rows"
             : all == 1    ? "the context has one"
             : threads > 1 ? "the array has one row"
                           : "another would read all indices too");
    d->host_threads = used;
    d->temporaries += at->copied ? (at->n + 1) * (int64_t)sizeof *at->copied : 0;
    d->lanes = at->way == AT_ELEMENTS || at->way == AT_CONVERTED;
}

static ufc_status run(struct at *at, const struct operand *indices, ufc_error *err) {
    struct temps temps = {0};
    ufc_context *host;
    ufc_status status = shared_context(&host, (DLDevice){kDLCPU, 0}, err);
    if (status != UFC_OK)
        return status;
    at->kernel = host_kernel(at->overload, err);
    if (!at->kernel)
        return UFC_EDEVICE;
    host = recorder_context(at->recorder, host);
    status = separate(at, host, &temps, err);
    if (status == UFC_OK)
        status = broadcast_y(at, indices, err); /* the copy has other strides */
    bool on_host = at->ctx && at->ctx->device.device_type == kDLCPU;
    int all = on_host ? at->ctx->threads : default_threads(), threads = all;
    if (at->naxes == at->nindex || at->n < 1024) /* reading all indices would take as long */
        threads = 1;
    if (at->array.dtype == at->overload->dtypes[0] && at->array.dtype == at->overload->dtypes[1] &&
        at->array.dtype == at->overload->dtypes[2])
        at->fold = host_fold(at->overload);
    at->way = choose_way(at);
    int64_t rows = at->array.shape[0];
    struct finding finding;
    finding_begin(&finding, at->overload);
    at->finding = &finding;
    if (status == UFC_OK && at->recorder)
        describe(at, threads, all);
    else if (status == UFC_OK)
        parallel_for(threads, rows, at_grain(rows, threads), run_rows, at);
    ufc_status found = finding_end(&finding, at->ufunc, err);
    free_temps(host, NULL, &temps);
    return status == UFC_OK ? found : status;
}

static ufc_status select_and_run(struct at *at, const struct operand *indices, ufc_error *err) {
    int64_t selected;
    ufc_status status = broadcast_y(at, indices, err);
    if (status != UFC_OK)
        return status;
    if (!shape_size(at->naxes, at->shape, &selected))
        return fail(err, UFC_ESHAPE, "what is selected has too many elements");
    if (selected == 0)
        return UFC_OK;
    if (at->recorder)
        record_axes(at->recorder, &(bool){true}, 1, at->n);
    bool on_host = at->array.device.device_type == kDLCPU && at->y.device.device_type == kDLCPU &&
                   !(at->ctx && at->ctx->ops == &device_sim);
    status = on_host ? run(at, indices, err) : at_on_gpu(at, indices, err);
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
    at->copied = NULL;
    at->fold = NULL;
    fp_env callers = fp_enter();
    ufc_status status = check(at, array, y, err);
    if (status == UFC_OK)
        status = describe_indices(indices, &op, &at->n, err);
    if (status == UFC_OK)
        status = find_indices(at, &op, err);
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
