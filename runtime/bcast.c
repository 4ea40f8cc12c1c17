/* bcast.c: shapes broadcast to the call's shape, and the loop over it. */
#include <stdlib.h>
#include <string.h>

#include "rt.h"

/* Broadcasts *shape with op's, aligned at the last axis; false where they do not fit. */
static bool join_shape(int *ndim, int64_t shape[MAX_RANK], const struct operand *op) {
    if (op->ndim > *ndim) {
        int more = op->ndim - *ndim;
        memmove(shape + more, shape, (size_t)*ndim * sizeof *shape);
        for (int i = 0; i < more; i++)
            shape[i] = 1;
        *ndim = op->ndim;
    }
    int64_t *tail = shape + (*ndim - op->ndim);
    for (int i = 0; i < op->ndim; i++) {
        if (tail[i] == 1)
            tail[i] = op->shape[i];
        else if (op->shape[i] != 1 && op->shape[i] != tail[i])
            return false;
    }
    return true;
}

static ufc_status inputs_do_not_fit(const struct ufc_ufunc *ufunc, const struct operand *op,
                                    const struct operand *mask, ufc_error *err) {
    fail(err, UFC_ESHAPE, "shapes do not broadcast:");
    const char *comma = "";
    for (uint32_t k = 0; k < ufunc->nin; k++) {
        if (op[k].is_number)
            continue;
        fail_more(err, "%s %s %s", comma, ufunc->params[k],
                  shape_text(op[k].ndim, op[k].shape).text);
        comma = ",";
    }
    if (mask)
        fail_more(err, "%s where %s", comma, shape_text(mask->ndim, mask->shape).text);
    return UFC_ESHAPE;
}

ufc_status broadcast(const struct ufc_ufunc *ufunc, const struct operand *op,
                     const struct operand *mask, int *ndim, int64_t shape[MAX_RANK],
                     ufc_error *err) {
    uint32_t nin = ufunc->nin, n = nin + ufunc->nout;
    *ndim = 0;
    for (uint32_t k = 0; k < nin; k++)
        if (!join_shape(ndim, shape, &op[k]))
            return inputs_do_not_fit(ufunc, op, mask, err);
    if (mask && !join_shape(ndim, shape, mask))
        return inputs_do_not_fit(ufunc, op, mask, err);

    int rank = *ndim; /* of the inputs' shape, for the message */
    int64_t of_inputs[MAX_RANK];
    memcpy(of_inputs, shape, (size_t)rank * sizeof *shape);
    for (uint32_t k = nin; k < n; k++)
        if (op[k].ndim >= 0 && !join_shape(ndim, shape, &op[k]))
            return fail(err, UFC_ESHAPE, "output '%s' has shape %s, the result has shape %s",
                        ufunc->params[k], shape_text(op[k].ndim, op[k].shape).text,
                        shape_text(rank, of_inputs).text);
    for (uint32_t k = nin; k < n; k++)
        if (op[k].ndim >= 0 &&
            (op[k].ndim != *ndim || memcmp(op[k].shape, shape, (size_t)*ndim * sizeof *shape) != 0))
            return fail(err, UFC_ESHAPE, "output '%s' has shape %s, the result has shape %s",
                        ufunc->params[k], shape_text(op[k].ndim, op[k].shape).text,
                        shape_text(*ndim, shape).text);
    int64_t size;
    if (!shape_size(*ndim, shape, &size))
        return fail(err, UFC_ESHAPE, "the result's shape %s has too many elements",
                    shape_text(*ndim, shape).text);
    return UFC_OK;
}

static int64_t stride_along(const struct operand *op, int ndim, int axis) {
    int own = axis - (ndim - op->ndim);
    return own >= 0 && op->shape[own] != 1 ? llabs(op->stride[own]) : 0;
}

/* Whether axis a is to be outside of axis b, which C order puts outside: 1, 0, or -1 where no
 * operand walks both.  One that walks them in C order decides. */
static int goes_outside(int n, const struct operand *op, int ndim, int a, int b) {
    int outside = -1;
    for (int k = 0; k < n; k++) {
        int64_t sa = stride_along(&op[k], ndim, a), sb = stride_along(&op[k], ndim, b);
        if (sa && sb && sa <= sb)
            return 0;
        if (sa && sb)
            outside = 1;
    }
    return outside;
}

/* An insertion sort, as in NumPy, since goes_outside need not be transitive. */
void keep_order(int n, const struct operand *op, int ndim, int *order) {
    for (int axis = ndim - 1; axis >= 0; axis--) { /* from the fastest of C order on */
        int at = axis;
        for (int i = axis + 1; i < ndim; i++) {
            int outside = goes_outside(n, op, ndim, order[i], axis);
            if (outside == 0)
                break;
            if (outside > 0)
                at = i;
        }
        for (int i = axis; i < at; i++)
            order[i] = order[i + 1];
        order[at] = axis;
    }
}

/* The stride that orders two axes and gives an axis its direction: the first one that is not 0,
 * outputs before inputs. */
static int64_t leading_stride(const struct iteration *it, int axis) {
    int n = walked(it);
    for (int i = 0; i < n; i++) {
        int64_t stride = it->stride[(it->nin + i) % n][axis];
        if (stride)
            return stride;
    }
    return 0;
}

static void flip_negative(struct iteration *it, int axis) {
    if (leading_stride(it, axis) >= 0)
        return;
    for (int k = 0; k < walked(it); k++) {
        if (it->data[k])
            it->data[k] += (it->size[axis] - 1) * it->stride[k][axis];
        it->stride[k][axis] = -it->stride[k][axis];
    }
}

/* Whether axis a runs faster than axis b: by the first operand, outputs before inputs, that walks
 * both with different strides. */
static bool runs_faster(const struct iteration *it, int a, int b) {
    int n = walked(it);
    for (int i = 0; i < n; i++) {
        const int64_t *stride = it->stride[(it->nin + i) % n];
        int64_t sa = llabs(stride[a]), sb = llabs(stride[b]);
        if (sa && sb && sa != sb)
            return sa < sb;
    }
    return false;
}

void swap_axes(struct iteration *it, int a, int b) {
    int64_t size = it->size[a];
    it->size[a] = it->size[b];
    it->size[b] = size;
    for (int k = 0; k < walked(it); k++) {
        int64_t stride = it->stride[k][a];
        it->stride[k][a] = it->stride[k][b];
        it->stride[k][b] = stride;
    }
}

/* A stable sort: axes that runs_faster does not order keep the order of the shape. */
static void sort_axes(struct iteration *it) {
    for (int i = 1; i < it->naxes; i++)
        for (int j = i; j > 0 && runs_faster(it, j, j - 1); j--)
            swap_axes(it, j, j - 1);
}

void merge_axes(struct iteration *it) {
    int n = walked(it), last = 0;
    for (int axis = 1; axis < it->naxes; axis++) {
        bool joined = true;
        for (int k = 0; k < n && joined; k++)
            joined = it->stride[k][axis] == it->stride[k][last] * it->size[last];
        if (joined) {
            it->size[last] *= it->size[axis];
            continue;
        }
        last++;
        it->size[last] = it->size[axis];
        for (int k = 0; k < n; k++)
            it->stride[k][last] = it->stride[k][axis];
    }
    if (it->naxes)
        it->naxes = last + 1;
}

void make_iteration(struct iteration *it, const struct ufc_overload *overload, int nin, int nout,
                    bool masked, const struct operand *op, int ndim, const int64_t *shape) {
    int n = nin + nout + masked;
    it->masked = masked;
    it->place = (struct calls_place){.output = NULL};
    it->planned = false;
    it->script = NULL;
    it->overload = overload;
    it->ufunc = NULL;
    it->core = NULL;
    it->nin = nin;
    it->nout = nout;
    it->naxes = 0;
    it->total = 1;
    for (int k = 0; k < n; k++) {
        it->data[k] = op[k].is_number ? NULL : op[k].data;
        memcpy(it->value[k], op[k].value, sizeof it->value[k]);
        it->dtype[k] = op[k].dtype;
    }
    for (int i = ndim - 1; i >= 0; i--) {
        if (shape[i] == 1)
            continue;
        int axis = it->naxes++;
        it->size[axis] = shape[i];
        it->total *= shape[i];
        for (int k = 0; k < n; k++) {
            int own = i - (ndim - op[k].ndim);
            it->stride[k][axis] = own >= 0 && op[k].shape[own] != 1 ? op[k].stride[own] : 0;
        }
        flip_negative(it, axis);
    }
    sort_axes(it);
    merge_axes(it);
}
