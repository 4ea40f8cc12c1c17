/* at_gpu.c: array[indices] = f(array[indices], y) on devices that run kernels: a reduction of y by
 * segments.  A segment has the elements of y for one row of the array, in their order, and begins
 * with that row. */
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

struct entry {
    int64_t row, k;
};

enum { DIGIT = 11 }; /* bits of a row's number that are sorted by in a pass */

/* Sorts entries, which are in the order of k, by rows below `rows`; gives where they are then. */
static struct entry *sort_by_row(struct entry *from, struct entry *to, int64_t n, int64_t rows) {
    for (int shift = 0; shift < 63 && (rows - 1) >> shift > 0; shift += DIGIT) {
        int64_t begin[(1 << DIGIT) + 1] = {0};
        for (int64_t i = 0; i < n; i++)
            begin[(from[i].row >> shift & ((1 << DIGIT) - 1)) + 1]++;
        for (int d = 0; d < 1 << DIGIT; d++)
            begin[d + 1] += begin[d];
        for (int64_t i = 0; i < n; i++)
            to[begin[from[i].row >> shift & ((1 << DIGIT) - 1)]++] = from[i];
        struct entry *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

/* The tables of a reduction: elements in the order of their rows, the segments' bounds, the
 * segments' rows. */
struct tables {
    struct entry *entries; /* twice as many: half of them are for sorting */
    int64_t *order, *bounds, *rows;
    int64_t segments;
};

static bool make_tables(struct tables *t, const int64_t *indices, int64_t n, int64_t rows) {
    t->entries = calloc((size_t)n, 2 * sizeof *t->entries);
    t->order = calloc((size_t)n, sizeof *t->order);
    t->bounds = calloc((size_t)n, 2 * sizeof *t->bounds);
    t->rows = calloc((size_t)n, sizeof *t->rows);
    t->segments = 0;
    if (!t->entries || !t->order || !t->bounds || !t->rows)
        return false;
    for (int64_t k = 0; k < n; k++)
        t->entries[k] = (struct entry){indices[k], k};
    const struct entry *sorted = sort_by_row(t->entries, t->entries + n, n, rows);
    for (int64_t k = 0; k < n; k++) {
        if (k == 0 || sorted[k].row != sorted[k - 1].row) {
            t->rows[t->segments] = sorted[k].row;
            t->bounds[2 * t->segments++] = k;
        }
        t->order[k] = sorted[k].k;
        t->bounds[2 * t->segments - 1] = k + 1;
    }
    return true;
}

static void free_tables(struct tables *t) {
    free(t->entries);
    free(t->order);
    free(t->bounds);
    free(t->rows);
}

/* Reduces y along the indices, for each element of a row. */
static void make_reduction(const struct at *at, const struct tables *t, struct reduction *r) {
    memset(r, 0, sizeof *r);
    r->overload = at->overload;
    r->ufunc = at->ufunc;
    r->in.data = at->y.data;
    r->in.dtype = at->y.dtype;
    r->out.data = at->array.data;
    r->out.dtype = at->array.dtype;
    r->lines = 1;
    r->length = at->n;
    r->order = t->order;
    r->bounds = t->bounds;
    r->rows = t->rows;
    r->segments = t->segments;
    r->segment_stride = at->array.stride[0];
    for (int i = at->naxes - 1; i >= 0; i--) {
        if (at->shape[i] == 1)
            continue;
        if (i < at->nindex) {
            r->in.inner[r->ninner] = at->y_stride[i];
            r->inner_size[r->ninner++] = at->shape[i];
        } else {
            r->in.outer[r->nouter] = at->y_stride[i];
            r->out.outer[r->nouter] = at->array.stride[i - at->nindex + 1];
            r->outer_size[r->nouter++] = at->shape[i];
            r->lines *= at->shape[i];
        }
    }
}

static ufc_status take(struct at *at, struct operand *op, const char *name, struct temps *temps,
                       ufc_error *err) {
    void *temp = NULL;
    if (!is_host(op->device) || is_host(at->ctx->device))
        return UFC_OK;
    record_copy(at->ctx, name, "on the device", "");
    ufc_status status = stage_in(at->ctx, at->stream, op, &temp, err);
    if (temp)
        temps->memory[temps->n++] = temp;
    return status;
}

static ufc_status reduce(struct at *at, const struct operand *indices, struct temps *temps,
                         ufc_error *err) {
    struct tables t;
    struct reduction r;
    ufc_status status = UFC_OK;
    bool overlap = operands_overlap(&at->y, &at->array);
    if (overlap)
        record_copy(at->ctx, "y", "apart from the results", "");
    if (overlap)
        status = copy_operand(at->ctx, at->stream, &at->y, &at->it, temps, err);
    if (status == UFC_OK)
        status = broadcast_y(at, indices, err); /* y's strides may have changed */
    if (status != UFC_OK)
        return status;
    if (make_tables(&t, at->indices, at->n, at->array.shape[0])) {
        make_reduction(at, &t, &r);
        status = at->ctx->ops->reduce(at->ctx, at->stream, &r, err);
    } else {
        status = fail(err, UFC_ENOMEM, "out of memory for %lld indices", (long long)at->n);
    }
    free_tables(&t);
    return status;
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
