/* method.c: ufuncs' methods, from their arguments to a reduction or a call. */
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "method.h"
#include "range.h"
#include "rates.h"
#include "recorder.h"
#include "sequence.h"

/* Keywords that a method may take, as bits. */
enum { WHERE = 1, DTYPE = 2, AXES = 4, SEVERAL_AXES = 8, KEEPDIMS = 16, INITIAL = 32 };

/* ---- arguments */

static ufc_status refuse(const struct method *m, const char *keyword, ufc_error *err) {
    return fail(err, UFC_EINVAL, "%s.%s takes no '%s'", m->ufunc->name, m->kind->name, keyword);
}

static ufc_status check_keywords(const struct method *m, ufc_error *err) {
    const ufc_keywords *kw = m->kw;
    unsigned taken = m->kind->taken;
    if (kw->where && !(taken & WHERE))
        return refuse(m, "where", err);
    if (kw->casting)
        return refuse(m, "casting", err);
    if (kw->dtype.bits && !(taken & DTYPE))
        return refuse(m, "dtype", err);
    if ((kw->axes || kw->naxes || kw->all_axes) && !(taken & AXES))
        return refuse(m, "axes", err);
    if (kw->core_axes || kw->ncore_axes)
        return refuse(m, "core_axes", err);
    if (kw->keepdims && !(taken & KEEPDIMS))
        return refuse(m, "keepdims", err);
    if (kw->initial && !(taken & INITIAL))
        return refuse(m, "initial", err);
    return UFC_OK;
}

ufc_status check_binary(const struct ufc_ufunc *ufunc, const char *method, ufc_error *err) {
    ufc_status status = check_ufunc(ufunc, err);
    if (status == UFC_OK && ufunc->core)
        return fail(err, UFC_EINVAL, "%s: '%s' is a gufunc, %s, and has no methods", method,
                    ufunc->name, ufunc->core->signature);
    if (status == UFC_OK && (ufunc->nin != 2 || ufunc->nout != 1))
        return fail(err, UFC_EINVAL,
                    "%s is for ufuncs with two inputs and one output; '%s' has %u and %u", method,
                    ufunc->name, (unsigned)ufunc->nin, (unsigned)ufunc->nout);
    return status;
}

/* A number is an array of rank 0. */
static ufc_status check_array(struct method *m, const ufc_arg *arg, ufc_error *err) {
    static const enum ufc_dtype dtypes[] = {DT_BOOL,   DT_BOOL,    DT_INT64,
                                            DT_UINT64, DT_FLOAT64, DT_COMPLEX128};
    ufc_status status = check_input(&m->in, arg, err);
    if (status == UFC_OK && m->in.is_number) {
        status = set_number(&m->in, arg, dtypes[arg->kind], err);
        m->in.data = (char *)m->in.value;
        m->in.is_number = false;
    }
    return fail_at(err, status, "array");
}

static ufc_status set_axis(struct method *m, int axis, ufc_error *err) {
    int ndim = m->in.ndim, i = axis < 0 ? axis + ndim : axis;
    if (i < 0 || i >= ndim)
        return fail(err, UFC_EINVAL, "axis %d is out of bounds for an array of rank %d", axis,
                    ndim);
    if (m->along[i])
        return fail(err, UFC_EINVAL, "axis %d is given twice", axis);
    m->along[i] = true;
    m->axis = i;
    return UFC_OK;
}

static ufc_status set_axes(struct method *m, ufc_error *err) {
    const ufc_keywords *kw = m->kw;
    bool several = m->kind->taken & SEVERAL_AXES;
    static const int first = 0;
    const int *axes = kw->axes ? kw->axes : &first;
    int n = kw->axes ? kw->naxes : 1;
    if (n < 0 || (!kw->axes && kw->naxes))
        return fail(err, UFC_EINVAL, "naxes is %d%s", kw->naxes, kw->axes ? "" : ", axes is NULL");
    if (!several && m->in.ndim == 0)
        return fail(err, UFC_EINVAL, "%s.%s needs an array with an axis, not one of rank 0",
                    m->ufunc->name, m->kind->name);
    if (kw->all_axes) {
        for (int i = 0; i < m->in.ndim; i++)
            m->along[i] = true;
        m->axis = 0;
        n = 0;
    }
    if (!several && (kw->all_axes ? m->in.ndim != 1 : n != 1))
        return fail(err, UFC_EINVAL, "%s.%s goes along one axis", m->ufunc->name, m->kind->name);
    if (m->in.ndim == 0 && n == 1 && (axes[0] == 0 || axes[0] == -1))
        n = 0; /* NumPy ignores such an axis */
    ufc_status status = UFC_OK;
    for (int i = 0; i < n && status == UFC_OK; i++)
        status = set_axis(m, axes[i], err);
    return status;
}

/* ---- the result */

static ufc_status check_shape(const struct method *m, int ndim, const int64_t *shape,
                              ufc_error *err) {
    if (m->out.ndim == ndim && memcmp(m->out.shape, shape, (size_t)ndim * sizeof *shape) == 0)
        return UFC_OK;
    return fail(err, UFC_ESHAPE, "output '%s' has shape %s, the result has shape %s",
                m->ufunc->params[2], shape_text(m->out.ndim, m->out.shape).text,
                shape_text(ndim, shape).text);
}

static ufc_status make_result(struct method *m, ufc_error *err) {
    int64_t shape[MAX_RANK];
    int ndim = 0;
    for (int i = 0; i < m->in.ndim; i++) {
        if (m->along[i] && !m->kind->each && !m->bounds && !m->kw->keepdims)
            continue;
        shape[ndim++] = !m->along[i] || m->kind->each ? m->in.shape[i]
                        : m->bounds                   ? m->segments
                                                      : 1;
    }
    if (m->out.ndim >= 0)
        return check_shape(m, ndim, shape, err);
    bool on_host = is_host(m->in.device) && (m->where.ndim < 0 || is_host(m->where.device));
    if (m->sequence)
        on_host = is_host(m->ctx->device);
    ufc_status status = new_result(m->ctx, m->stream, m->kw, m->out.dtype, ndim, shape, NULL,
                                   on_host, &m->made, err);
    return status == UFC_OK ? operand_from_array(&m->out, &m->made->dl_tensor, err) : status;
}

/* Brings the mask to the array's shape: it may be broadcast, the array may not. */
static ufc_status broadcast_where(struct method *m, ufc_error *err) {
    struct operand *w = &m->where;
    int more = m->in.ndim - w->ndim;
    if (w->ndim < 0)
        return UFC_OK;
    bool fits = more >= 0;
    for (int i = 0; i < w->ndim && fits; i++)
        fits = w->shape[i] == 1 || w->shape[i] == m->in.shape[i + more];
    if (!fits)
        return fail(err, UFC_ESHAPE,
                    "where has shape %s, which does not broadcast to the array's %s",
                    shape_text(w->ndim, w->shape).text, shape_text(m->in.ndim, m->in.shape).text);
    for (int i = m->in.ndim - 1; i >= 0; i--) {
        bool has = i >= more && w->shape[i - more] != 1;
        w->stride[i] = has ? w->stride[i - more] : 0;
    }
    memcpy(w->shape, m->in.shape, (size_t)m->in.ndim * sizeof *w->shape);
    w->ndim = m->in.ndim;
    return UFC_OK;
}

static bool goes_along_nothing(const struct method *m) {
    bool nothing = false;
    for (int i = 0; i < m->in.ndim; i++)
        nothing = nothing || (m->along[i] && m->in.shape[i] == 0);
    return nothing;
}

/* The elements along the method's axes; INT64_MAX where they are that many or more. */
static int64_t line_length(const struct method *m) {
    int64_t length = 1;
    for (int i = 0; i < m->in.ndim; i++)
        if (m->along[i] && __builtin_mul_overflow(length, m->in.shape[i], &length))
            length = INT64_MAX;
    return goes_along_nothing(m) ? 0 : length;
}

/* Sets the element that a reduction begins with. */
static ufc_status set_initial(struct method *m, ufc_error *err) {
    struct reduction *r = &m->r;
    const char *name = m->ufunc->name;
    struct operand number = {0};
    r->has_initial = m->kw->initial || (r->overload->flags & UFC_HAS_IDENTITY);
    memcpy(r->initial, r->overload->identity, sizeof r->initial);
    if (m->kw->initial) {
        enum ufc_dtype dtype = (enum ufc_dtype)r->overload->dtypes[2];
        if (m->kw->initial->kind == UFC_ARG_ARRAY)
            return fail(err, UFC_EINVAL, "initial is an array, not a number");
        ufc_status status = set_number(&number, m->kw->initial, m->dtype, err);
        cast_elements(m->dtype, dtype, (char *)r->initial, 0, (char *)number.value, 0, 1);
        return fail_at(err, status, "initial");
    }
    if (!r->has_initial && m->where.ndim >= 0)
        return fail(err, UFC_EINVAL, "'%s' has no identity: with 'where' give 'initial' as well",
                    name);
    if (!r->has_initial && goes_along_nothing(m))
        return fail(err, UFC_EINVAL,
                    "'%s' has no identity: nothing cannot be reduced (shape %s) without 'initial'",
                    name, shape_text(m->in.ndim, m->in.shape).text);
    return UFC_OK;
}

/* ---- the loop */

/* Adds an axis, slower than those before, or merges it into the slowest of them where it continues
 * that one. */
static void add_axis(struct reduction *r, bool inner, int64_t size, const int64_t *stride) {
    struct folded *f[] = {&r->in, &r->out, &r->where};
    int *n = inner ? &r->ninner : &r->nouter, last = *n - 1;
    int64_t *sizes = inner ? r->inner_size : r->outer_size;
    bool joined = last >= 0;
    for (int k = 0; k < 3 && joined; k++)
        joined = stride[k] == (inner ? f[k]->inner : f[k]->outer)[last] * sizes[last];
    if (joined) {
        sizes[last] *= size;
        return;
    }
    sizes[*n] = size;
    for (int k = 0; k < 3; k++)
        (inner ? f[k]->inner : f[k]->outer)[*n] = stride[k];
    (*n)++;
}

/* The axes that are kept, or reduced, the last first; sorted by the array's strides, the smallest
 * first, if asked for. */
static int find_axes(const struct method *m, bool along, bool sorted, int *order) {
    int n = 0;
    for (int i = m->in.ndim - 1; i >= 0; i--) {
        if (m->along[i] != along || m->in.shape[i] == 1)
            continue;
        int at = n++;
        for (; sorted && at > 0 && llabs(m->in.stride[order[at - 1]]) > llabs(m->in.stride[i]);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return n;
}

/* Are the result's bits the same in whatever order elements go?  A maximum of floats takes the
 * first of zeros and of NaN. */
static bool any_order(const struct method *m) {
    return m->r.overload->flags & UFC_EXACT && !is_float(m->dtype) && !m->kind->each && !m->bounds;
}

void make_reduction(struct method *m) {
    struct reduction *r = &m->r;
    int out_axis[MAX_RANK], order[MAX_RANK], n = find_axes(m, false, true, order);
    for (int i = 0, at = 0; i < m->in.ndim; i++) /* axis `at` of out is axis i of in;
                                                    reduced axes may be gone */
        out_axis[i] = m->along[i] && !m->kind->each && !m->bounds && !m->kw->keepdims ? -1 : at++;
    r->ufunc = m->ufunc;
    r->in.data = m->in.data;
    r->in.dtype = m->in.dtype;
    r->out.data = m->out.data;
    r->out.dtype = m->out.dtype;
    r->where.data = m->where.ndim >= 0 ? m->where.data : NULL;
    r->where.dtype = DT_BOOL;
    r->lines = r->length = r->segments = 1;
    r->segment_stride = 0;
    r->nouter = r->ninner = 0;
    r->each = m->kind->each;
    if (m->bounds) {
        r->bounds = m->bounds;
        r->segments = m->segments;
        r->segment_stride = m->out.shape[m->axis] == 1 ? 0 : m->out.stride[m->axis];
    }
    for (int k = 0; k < n; k++) {
        int i = order[k];
        int64_t where = r->where.data ? m->where.stride[i] : 0;
        add_axis(r, false, m->in.shape[i],
                 (int64_t[]){m->in.stride[i], m->out.stride[out_axis[i]], where});
        r->lines *= m->in.shape[i];
    }
    n = find_axes(m, true, any_order(m), order);
    for (int k = 0; k < n; k++) {
        int i = order[k];
        int64_t where = r->where.data ? m->where.stride[i] : 0;
        int64_t out = m->kind->each ? m->out.stride[i] : 0;
        add_axis(r, true, m->in.shape[i], (int64_t[]){m->in.stride[i], out, where});
        r->length *= m->in.shape[i];
    }
}

/* ---- running it */

ufc_status method_take(struct method *m, struct operand *op, const char *name, bool waits,
                       ufc_error *err) {
    void *temp = NULL;
    if (!is_host(op->device))
        return UFC_OK;
    record_copy(m->ctx, name, "on the device", "");
    ufc_status status = stage_in(m->ctx, m->stream, op, waits, &temp, err);
    if (temp)
        m->temps.memory[m->temps.n++] = temp;
    return status;
}

static bool same_view(const struct operand *a, const struct operand *b) {
    bool same = a->data == b->data && a->ndim == b->ndim &&
                dtype_info[a->dtype].size == dtype_info[b->dtype].size;
    for (int i = 0; i < a->ndim && same; i++)
        same = a->shape[i] == b->shape[i] && (a->shape[i] == 1 || a->stride[i] == b->stride[i]);
    return same;
}

ufc_status method_separate(struct method *m, ufc_error *err) {
    struct operand *inputs[] = {&m->in, &m->where};
    static const char *const names[] = {"array", "where"};
    ufc_status status = UFC_OK;
    for (int k = 0; k < 2 && status == UFC_OK; k++) {
        bool in_place = m->kind->each && same_view(inputs[k], &m->out);
        if (inputs[k]->ndim < 0 || in_place || !operands_overlap(inputs[k], &m->out))
            continue;
        record_copy(m->ctx, names[k], "apart from the results", "");
        status = copy_operand(m->ctx, m->stream, inputs[k], &m->it, &m->temps, err);
    }
    return status;
}

ufc_status method_take_output(struct method *m, ufc_error *err) {
    void *temp = NULL;
    m->host_out = m->out;
    record_copy(m->ctx, m->ufunc->params[2], "on the device", "");
    ufc_status status = stage_out_prepare(m->ctx, m->stream, &m->host_out, &m->out, &temp, err);
    if (temp)
        m->temps.memory[m->temps.n++] = temp;
    return status;
}

ufc_status method_begin(struct method *m, ufc_error *err) {
    bool on_gpu = !is_host(m->ctx->device), waits = is_host(m->out.device);
    ufc_status status = UFC_OK;
    m->host_out.ndim = -1;
    if (on_gpu)
        status = method_take(m, &m->in, "array", waits, err);
    if (on_gpu && status == UFC_OK && m->where.ndim >= 0)
        status = method_take(m, &m->where, "where", waits, err);
    if (on_gpu && status == UFC_OK && is_host(m->out.device))
        status = method_take_output(m, err);
    if (status == UFC_OK)
        status = method_separate(m, err);
    if (status == UFC_OK) {
        make_reduction(m);
        status = m->ctx->ops->reduce(m->ctx, m->stream, &m->r, err);
    }
    if (status != UFC_OK || m->host_out.ndim < 0)
        return status;
    status = stage_out_begin(m->ctx, m->stream, &m->host_out, &m->out, &m->transfer, err);
    m->returning = status == UFC_OK;
    return status;
}

ufc_status method_finish(struct method *m, bool failed, ufc_error *err) {
    ufc_status status =
        end_transfers(m->ctx, m->stream, 1, &m->host_out, &m->transfer, m->returning, failed, err);
    m->returning = false;
    if ((failed || status != UFC_OK) && m->temps.n && !is_host(m->ctx->device))
        m->ctx->ops->synchronize(m->ctx, m->stream, NULL);
    free_temps(m->ctx, m->stream, &m->temps);
    return status;
}

/* Fills the output with the initial element: there is nothing to reduce. */
static ufc_status fill(struct method *m, ufc_error *err) {
    struct operand number = {.is_number = false, .ndim = 0};
    /* A reduction of nothing is one of a single element that the mask leaves out. */
    static const char off = 0;
    m->in = number;
    m->in.dtype = (enum ufc_dtype)m->r.overload->dtypes[2];
    m->in.data = (char *)m->r.initial;
    m->in.ndim = m->out.ndim;
    for (int i = 0; i < m->out.ndim; i++) {
        m->in.shape[i] = m->out.shape[i];
        m->in.stride[i] = 0;
        m->along[i] = false;
    }
    m->in.device = (DLDevice){kDLCPU, 0};
    m->where = m->in;
    m->where.dtype = DT_BOOL;
    m->where.data = (char *)(uintptr_t)&off;
    return method_run(m, err);
}

static ufc_status check_self_overlap(struct method *m, ufc_error *err) {
    make_iteration(&m->it, NULL, 0, 1, false, &m->out, m->out.ndim, m->out.shape);
    return check_outputs(&m->it, &m->ufunc->params[2], err);
}

/* Each element is joined once. */
static ufc_status decide(struct method *m, ufc_error *err) {
    struct load load = {.it = &m->it};
    m->it.overload = m->r.overload;
    m->it.core = NULL;
    (void)shape_size(m->in.ndim, m->in.shape, &m->it.total);
    load_add(&load, &m->in, true, false);
    load_add(&load, &m->where, true, false);
    load_add(&load, &m->out, false, true);
    return decide_device(&m->ctx, &m->undecided, &load, m->recorder, err);
}

/* Records a method for a plan, whose arrays are where the context computes. */
static ufc_status record(struct method *m, ufc_error *err) {
    struct operand *const all[] = {&m->in, &m->out, &m->where};
    const char *const names[] = {"array", m->ufunc->params[2], "where"};
    ufc_status status = UFC_OK;
    if (goes_along_nothing(m) || m->in.data == (char *)m->in.value)
        return fail(err, UFC_EINVAL, "%s: a plan takes an array with elements",
                    goes_along_nothing(m) ? "nothing is reduced" : "the array is a number");
    for (int k = 0; k < 3 && status == UFC_OK; k++)
        if (all[k]->ndim >= 0)
            status = check_planned_place(m->ctx, all[k], names[k], err);
    if (status != UFC_OK)
        return status;
    ufc_context *real = m->ctx;
    m->ctx = sequence_begin(m->sequence, real, m->stream);
    for (int k = 0; k < 3; k++)
        if (k < 2 || all[k]->ndim >= 0)
            sequence_add(m->sequence, all[k], names[k], k == 1);
    if (m->kind->each)
        sequence_in_place(m->sequence);
    status = method_begin(m, err);
    m->temps.n = 0;
    m->ctx = real;
    return status == UFC_OK ? sequence_end(m->sequence, err) : status;
}

/* Runs a method whose arguments were checked; failures here are reported with the method's name. */
static ufc_status find_place_and_run(struct method *m, ufc_error *err) {
    const char *names[] = {"array", m->ufunc->params[2], "where"};
    struct operand all[] = {m->in, m->out, m->where};
    ufc_status status =
        choose_context(&m->ctx, &m->undecided, m->stream, m->r.overload, 3, all, names, err);
    if (status != UFC_OK)
        return status;
    if (m->sequence && m->undecided.open)
        status = decide_by_arrays(&m->ctx, &m->undecided, m->r.overload, true, err);
    if (status != UFC_OK)
        return status;
    m->ctx = recorder_context(m->recorder, m->ctx);
    status = make_result(m, err);
    int64_t size = 0;
    if (status != UFC_OK || (shape_size(m->out.ndim, m->out.shape, &size) && size == 0))
        return status;
    status = check_self_overlap(m, err);
    if (m->sequence)
        return status == UFC_OK ? record(m, err) : status;
    if (status == UFC_OK && m->undecided.open)
        status = decide(m, err);
    if (m->recorder)
        record_axes(m->recorder, m->along, m->in.ndim, line_length(m));
    if (status != UFC_OK)
        return status;
    if (!m->recorder)
        range_of_call(m->ufunc, m->kind->name, m->r.overload, m->in.ndim, m->in.shape, NULL);
    status = goes_along_nothing(m) ? fill(m, err)
             : m->ctx->gpus        ? method_share(m, err)
                                   : method_run(m, err);
    if (!m->recorder)
        nvtx_pop();
    return status;
}

static ufc_status execute(struct method *m, const ufc_out *out, ufc_error *err) {
    ufc_status status = broadcast_where(m, err);
    if (status == UFC_OK)
        status =
            resolve_method(m->ufunc, m->kind->name, m->kw, &m->in, &m->out, &m->r.overload, err);
    if (status == UFC_OK) {
        m->dtype = (enum ufc_dtype)m->r.overload->dtypes[2];
        if (!m->kind->each)
            m->r.overload = reducing_overload(m->ufunc, m->r.overload, m->in.dtype, m->out.dtype);
    }
    if (status == UFC_OK && !m->kind->each && !m->bounds)
        status = set_initial(m, err);
    if (status == UFC_OK)
        status = fail_at(err, find_place_and_run(m, err), "%s.%s", m->ufunc->name, m->kind->name);
    if (status == UFC_OK && m->made && !m->recorder)
        *out->result = m->made;
    else
        free_array(m->stream, m->made); /* in the stream's order: a kernel may still write to it */
    return status;
}

static ufc_status check_arguments(struct method *m, const ufc_arg *array, const ufc_out *out,
                                  ufc_error *err) {
    ufc_status status = check_binary(m->ufunc, m->kind->name, err);
    if (status == UFC_OK)
        status = check_keywords(m, err);
    if (status == UFC_OK)
        status = check_array(m, array, err);
    if (status == UFC_OK)
        status = set_axes(m, err);
    if (status != UFC_OK)
        return status;
    status = check_output(&m->out, out, err);
    if (status != UFC_OK)
        return fail_at(err, status, "output '%s'", m->ufunc->params[2]);
    return check_where(&m->where, m->kw, err);
}

/* ---- reduceat */

/* n indices become n pairs of bounds. */
static ufc_status set_bounds(const struct method *m, int64_t *bounds, int64_t n, ufc_error *err) {
    int64_t length = m->in.shape[m->axis];
    for (int64_t i = 0; i < n; i++)
        if (bounds[i] < 0 || bounds[i] >= length)
            return fail(err, UFC_EINVAL, "%s.reduceat: index %lld is out of bounds [0, %lld)",
                        m->ufunc->name, (long long)bounds[i], (long long)length);
    for (int64_t i = n - 1; i >= 0; i--) {
        int64_t first = bounds[i], end = i == n - 1 ? length : bounds[2 * (i + 1)];
        bounds[2 * i] = first;
        bounds[2 * i + 1] = end > first ? end : first + 1;
    }
    return UFC_OK;
}

static ufc_status set_segments(struct method *m, const DLTensor *indices, int64_t **bounds,
                               ufc_error *err) {
    struct operand op;
    ufc_status status = read_indices(indices, &op, bounds, &m->segments, err);
    if (status == UFC_OK && op.ndim != 1)
        status = fail(err, UFC_ESHAPE, "indices have rank %d, not 1", op.ndim);
    if (status == UFC_OK)
        status = set_bounds(m, *bounds, m->segments, err);
    m->bounds = *bounds;
    return status;
}

/* ---- the methods */

static const struct kind kinds[] = {
    [FOLD_REDUCE] = {.name = "reduce",
                     .taken = WHERE | DTYPE | AXES | SEVERAL_AXES | KEEPDIMS | INITIAL},
    [FOLD_ACCUMULATE] = {.name = "accumulate", .taken = DTYPE | AXES, .each = true},
    [FOLD_REDUCEAT] = {.name = "reduceat", .taken = DTYPE | AXES, .has_indices = true}};

/* Of a plan *ctx becomes the context that executes it. */
static ufc_status fold(enum fold_method method, ufc_context **ctx, void *stream,
                       const struct ufc_ufunc *ufunc, const ufc_arg *array, const DLTensor *indices,
                       const ufc_out *out, const ufc_keywords *keywords, struct recorder *recorder,
                       struct sequence *sequence, ufc_error *err) {
    static const ufc_keywords none = {0};
    clear_result(out);
    struct method *m = calloc(1, sizeof *m); /* large, and threads' stacks may be small */
    if (!m)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    m->kind = &kinds[method];
    m->ctx = *ctx;
    m->stream = stream;
    m->ufunc = ufunc;
    m->kw = keywords ? keywords : &none;
    m->recorder = recorder;
    m->sequence = sequence;
    int64_t *bounds = NULL;
    fp_env callers = fp_enter();
    ufc_status status = check_arguments(m, array, out, err);
    if (status == UFC_OK && m->kind->has_indices)
        status = set_segments(m, indices, &bounds, err);
    if (status == UFC_OK)
        status = execute(m, out, err);
    fp_leave(callers);
    *ctx = m->ctx;
    free(bounds);
    free(m);
    return status;
}

ufc_status call_fold(enum fold_method method, ufc_context *ctx, void *stream,
                     const struct ufc_ufunc *ufunc, const ufc_arg *array, const DLTensor *indices,
                     const ufc_out *out, const ufc_keywords *keywords, struct recorder *recorder,
                     ufc_error *err) {
    return fold(method, &ctx, stream, ufunc, array, indices, out, keywords, recorder, NULL, err);
}

ufc_status plan_fold(struct sequence *s, ufc_context **ctx, enum fold_method method, void *stream,
                     const struct ufc_ufunc *ufunc, const ufc_arg *array, const DLTensor *indices,
                     const ufc_out *out, const ufc_keywords *keywords, ufc_error *err) {
    return fold(method, ctx, stream, ufunc, array, indices, out, keywords, NULL, s, err);
}

ufc_status ufc_reduce(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                      ufc_out out, const ufc_keywords *keywords, ufc_error *err) {
    return call_fold(FOLD_REDUCE, ctx, stream, ufunc, &array, NULL, &out, keywords, NULL, err);
}

ufc_status ufc_accumulate(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                          ufc_out out, const ufc_keywords *keywords, ufc_error *err) {
    return call_fold(FOLD_ACCUMULATE, ctx, stream, ufunc, &array, NULL, &out, keywords, NULL, err);
}

ufc_status ufc_reduceat(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg array,
                        const DLTensor *indices, ufc_out out, const ufc_keywords *keywords,
                        ufc_error *err) {
    return call_fold(FOLD_REDUCEAT, ctx, stream, ufunc, &array, indices, &out, keywords, NULL, err);
}
