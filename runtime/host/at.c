/* at.c: array[indices] = f(array[indices], y) on the host, one index after the other. */
#include "host.h"
#include "recorder.h"

/* How the indices are run.  They select elements, in one loop, or each selects a row. */
enum way {
    ELEMENTS,  /* elements by the fold kernel */
    ROWS,      /* rows of neighbours by the fold kernel */
    CALLS,     /* runs of a row by the kernel of calls */
    CONVERTED, /* element by element, converted, by the kernel of calls */
};

struct job {
    const struct at *at;
    ufc_host_kernel *kernel;
    ufc_fold_kernel *fold; /* NULL: the array is of another type */
    struct finding *finding;
    bool plain; /* array and y are of the overload's types */
    enum way way;
};

static const int64_t *row_stride(const struct at *at) {
    return at->array.stride + 1 - at->nindex; /* indexed by the axes of what is selected */
}

/* Runs the indices along their last axis, which select elements of the array. */
static void run_elements(const struct job *job, const int64_t *indices, const char *y) {
    const struct at *at = job->at;
    _Alignas(16) char converted[AT_CONVERTED_ELEMS * 16];
    enum ufc_dtype dtype = at->array.dtype;
    int64_t n = at->nindex ? at->shape[at->nindex - 1] : 1,
            piece = job->plain ? n : AT_CONVERTED_ELEMS;
    int64_t step = at->nindex ? at->y_stride[at->nindex - 1] : 0;
    for (; n > 0; n -= piece, indices += piece, y += piece * step) {
        const char *x = job->plain ? y : converted;
        if (piece > n)
            piece = n;
        if (!job->plain)
            cast_elements(at->y.dtype, dtype, converted, dtype_info[dtype].size, y, step, piece);
        job->fold(at->array.data, x, piece, job->plain ? step : dtype_info[dtype].size, 1,
                  at->array.data, at->array.stride[0], indices);
    }
}

static enum way choose_way(const struct job *job) {
    const struct at *at = job->at;
    int last = at->naxes - 1, size = dtype_info[at->array.dtype].size;
    bool has_axis = last >= at->nindex;
    if (job->fold && !has_axis)
        return ELEMENTS;
    if (!job->plain)
        return CONVERTED;
    bool neighbours = has_axis && row_stride(at)[last] == size && at->y_stride[last] == size;
    return job->fold && neighbours ? ROWS : CALLS;
}

/* Runs the elements along the last axis of a row, or its only element. */
static void run_line(const struct job *job, char *array, const char *y) {
    const struct at *at = job->at;
    const uint8_t *dtypes = at->overload->dtypes;
    int last = at->naxes - 1;
    bool has_axis = last >= at->nindex;
    intptr_t n = has_axis ? at->shape[last] : 1, step = has_axis ? row_stride(at)[last] : 0;
    intptr_t y_step = has_axis ? at->y_stride[last] : 0;
    if (job->way == ROWS) {
        job->fold(array, y, 1, 0, n, array, 0, NULL);
        return;
    }
    if (job->way == CALLS) {
        char *args[] = {array, (char *)(uintptr_t)y, array};
        finding_run(job->finding, 0, job->kernel, args, &n, (intptr_t[]){step, y_step, step}, NULL);
        return;
    }
    for (; n > 0; n--, array += step, y += y_step) {
        uint64_t value[3][2];
        char *args[] = {(char *)value[0], (char *)value[1], (char *)value[2]};
        cast_elements(at->array.dtype, dtypes[0], args[0], 0, array, 0, 1);
        cast_elements(at->y.dtype, dtypes[1], args[1], 0, y, 0, 1);
        finding_run(job->finding, 0, job->kernel, args, &(intptr_t){1}, (intptr_t[]){0, 0, 0},
                    NULL);
        cast_elements(dtypes[2], at->array.dtype, array, 0, (char *)value[2], 0, 1);
    }
}

/* Runs the elements of a row along the axes from `axis` on. */
static void run_row(const struct job *job, int axis, char *array, const char *y) {
    const struct at *at = job->at;
    if (axis >= at->naxes - 1) {
        run_line(job, array, y);
        return;
    }
    for (int64_t i = 0; i < at->shape[axis]; i++)
        run_row(job, axis + 1, array + i * row_stride(at)[axis], y + i * at->y_stride[axis]);
}

/* Runs the indices that select rows [begin, end) of the array, in their order: threads share out
 * the array's rows, not the indices. */
static void run_rows(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    const struct at *at = job->at;
    int64_t position[MAX_RANK] = {0};
    const char *y = at->y.data;
    bool elements = job->way == ELEMENTS;
    int last = at->nindex - 1 - elements;
    int64_t run = elements && at->nindex ? at->shape[at->nindex - 1] : 1;
    for (int64_t i = 0; i < at->n; i += run) {
        int64_t index = at->indices[i];
        if (elements)
            run_elements(job, at->indices + i, y);
        else if (index >= begin && index < end)
            run_row(job, at->nindex, at->array.data + index * at->array.stride[0], y);
        for (int axis = last; axis >= 0; axis--) {
            y += at->y_stride[axis];
            if (++position[axis] < at->shape[axis])
                break;
            y -= position[axis] * at->y_stride[axis];
            position[axis] = 0;
        }
    }
}

/* Copies y, if writing to the array would change it. */
static ufc_status separate(struct at *at, struct temps *temps, ufc_error *err) {
    if (!operands_overlap(&at->y, &at->array))
        return UFC_OK;
    record_copy(at->ctx, "y", "apart from the results", "");
    return copy_operand(at->ctx, at->stream, &at->y, &at->it, temps, err);
}

/* Rows that a thread takes at a time. */
static int64_t at_grain(int64_t rows, int threads) {
    return rows / threads / RANGES_PER_THREAD + 1;
}

/* Describes how run_rows goes. */
static void describe(const struct job *job, int threads) {
    const struct at *at = job->at;
    ufc_plan_description *d = at->recorder->d;
    static const char *const ways[] = {
        [ELEMENTS] = "index by index, an element each",
        [ROWS] = "index by index, rows in vectors",
        [CALLS] = "index by index, a call of the kernel for each run of a row",
        [CONVERTED] = "index by index, element by element, converted to the signature's types"};
    int64_t rows = at->array.shape[0];
    int used = threads_used(threads, rows, at_grain(rows, threads));
    d->signature = at->overload->signature;
    d->ndim = at->array.ndim - 1;
    for (int axis = 0; axis < d->ndim; axis++)
        d->shape[axis] = at->array.shape[axis + 1];
    describe_level(d, at->overload);
    put_text(d->why, sizeof d->why, "%s", ways[job->way]);
    put_text(d->host_why, sizeof d->host_why, "%s",
             used > 1                ? "each has its part of the array's rows"
             : at->ctx->threads == 1 ? "the context has one"
             : threads > 1           ? "the array has one row"
                                     : "another would read all indices too");
    d->host_threads = used;
    d->temporaries += at->copied ? (at->n + 1) * (int64_t)sizeof *at->copied : 0;
    d->lanes = job->way == ELEMENTS || job->way == CONVERTED;
}

static ufc_status find_code(struct job *job, ufc_error *err) {
    const struct at *at = job->at;
    const uint8_t *dtypes = at->overload->dtypes;
    enum ufc_dtype array = at->array.dtype;
    struct ufc_host_code code;
    ufc_status status = host_code(at->overload, UFC_HOST_CALLS, &code, err);
    if (status != UFC_OK)
        return status;
    job->kernel = code.kernel;
    job->plain = array == dtypes[0] && array == dtypes[2] && at->y.dtype == dtypes[1];
    if (array == dtypes[0] && array == dtypes[1] && array == dtypes[2]) {
        status = host_code(at->overload, UFC_HOST_FOLDS, &code, err);
        job->fold = code.fold;
    }
    return status;
}

ufc_status cpu_at(struct at *at, const struct operand *indices, ufc_error *err) {
    struct job job = {.at = at};
    struct temps temps = {0};
    struct finding finding;
    ufc_status status = find_indices(at, indices, err);
    if (status == UFC_OK)
        status = find_code(&job, err);
    if (status != UFC_OK)
        return status;
    status = separate(at, &temps, err);
    if (status == UFC_OK)
        status = broadcast_y(at, indices, err); /* a copy of y has other strides */
    int threads = at->ctx->threads;
    if (at->naxes == at->nindex ||
        at->n < AT_MIN_INDICES) /* reading all the indices would take each thread as long */
        threads = 1;
    job.way = choose_way(&job);
    int64_t rows = at->array.shape[0];
    finding_begin(&finding, at->overload);
    job.finding = &finding;
    if (status == UFC_OK && at->recorder)
        describe(&job, threads);
    else if (status == UFC_OK)
        parallel_for(threads, rows, at_grain(rows, threads), run_rows, &job);
    ufc_status found = finding_end(&finding, at->ufunc, NULL, err);
    free_temps(at->ctx, at->stream, &temps);
    return status == UFC_OK ? found : status;
}
