/* gufunc_call.c: a gufunc's call, from its arguments to its results.
 *
 * Kernels take arrays of the overload's types alone, and outputs that share memory with nothing: an
 * array of another type, or an input that overlaps an output, is copied first. */
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "gpus.h"
#include "gufunc_call.h"
#include "range.h"
#include "rates.h"
#include "recorder.h"
#include "sequence.h"

static enum ufc_dtype dtype_of(const struct gufunc_call *c, int k) {
    return (enum ufc_dtype)c->overload->dtypes[k];
}

/* The loop axes come first; what is behind them is not copied. */
void gufunc_loop(struct gufunc_call *c) {
    for (int k = 0; k < c->nin + c->nout + c->nintermediates; k++) {
        const struct operand *op = &c->op[k];
        struct operand *loop = &c->loop[k];
        memcpy(loop, op, offsetof(struct operand, shape));
        if (op->ndim < 0)
            continue;
        loop->ndim -= c->shape.rank[k];
        memcpy(loop->shape, op->shape, (size_t)loop->ndim * sizeof *op->shape);
        memcpy(loop->stride, op->stride, (size_t)loop->ndim * sizeof *op->stride);
    }
}

/* The loop dimensions broadcast as a ufunc's shapes do. */
static ufc_status broadcast_loop(struct gufunc_call *c, ufc_error *err) {
    gufunc_loop(c);
    ufc_status status = broadcast(c->ufunc, c->loop, NULL, &c->ndim, c->loop_shape, err);
    if (status != UFC_OK)
        fail_more(err, " (without core dimensions, %s)", c->ufunc->core->signature);
    return status;
}

/* ---- outputs */

/* Results are made where an array is on a GPU, else on the host. */
static bool is_on_host(const struct gufunc_call *c) {
    bool on_host = true;
    for (int k = 0; k < c->nin + c->nout; k++)
        if (c->op[k].ndim >= 0 && !is_host(c->op[k].device))
            on_host = false;
    return on_host;
}

static ufc_status make_results(struct gufunc_call *c, bool on_host, ufc_error *err) {
    int n = c->nin + c->nout, order[MAX_RANK], ndim;
    int64_t shape[MAX_RANK];
    for (int k = c->nin; k < n; k++) {
        struct operand *op = &c->op[k];
        if (op->ndim >= 0)
            continue;
        DLManagedTensorVersioned **made = &c->made[k - c->nin];
        ufc_status status = made_shape(&c->shape, k, c->loop_shape, shape, order, &ndim, err);
        if (status == UFC_OK)
            status = new_result(c->ctx, c->stream, c->kw, op->dtype, ndim, shape, NULL, on_host,
                                made, err);
        if (status == UFC_OK && !c->recorder && c->overload->unwritten >> (k - c->nin) & 1)
            status = clear_array(c->stream, *made, err);
        if (status == UFC_OK)
            status = operand_from_array(op, &(*made)->dl_tensor, err);
        if (status != UFC_OK)
            return status;
        order_axes(op, order);
        op->ndim -= c->shape.kept[k];
    }
    return UFC_OK;
}

static bool has_elements(const struct operand *op) {
    int64_t size;
    return !shape_size(op->ndim, op->shape, &size) || size != 0;
}

static ufc_status check_overlap(struct gufunc_call *c, ufc_error *err) {
    const char *const *params = c->ufunc->params;
    ufc_status status = UFC_OK;
    for (int k = c->nin; k < c->nin + c->nout && status == UFC_OK; k++) {
        struct operand *op = &c->op[k];
        if (!has_elements(op))
            continue;
        make_iteration(&c->copy, NULL, 0, 1, false, op, op->ndim, op->shape);
        status = check_outputs(&c->copy, &params[k], err);
        for (int other = c->nin; other < k && status == UFC_OK; other++)
            if (operands_overlap(op, &c->op[other]))
                status = fail_overlap(params[other], params[k], err);
    }
    return status;
}

/* ---- copies */

/* The overload T(T) of the gufunc's `copies`; NULL: there is none. */
static const struct ufc_overload *find_cast(const struct gufunc_call *c, enum ufc_dtype dtype) {
    const struct ufc_ufunc *copies = c->ufunc->core->copies;
    for (uint32_t i = 0; copies && i < copies->noverloads; i++)
        if (copies->overloads[i].dtypes[0] == dtype && copies->overloads[i].dtypes[1] == dtype)
            return &copies->overloads[i];
    return NULL;
}

ufc_status gufunc_convert(struct gufunc_call *c, int k, const struct operand *from,
                          const struct operand *to, ufc_error *err) {
    bool by_kernels = c->ctx->ops->launches;
    const struct ufc_overload *overload = by_kernels ? find_cast(c, dtype_of(c, k)) : NULL;
    struct operand both[] = {*from, *to};
    int64_t shape[MAX_RANK];
    if (by_kernels && !overload)
        return fail(err, UFC_EINVAL, "its image cannot convert to %s",
                    dtype_info[dtype_of(c, k)].name);
    distinct_shape(from, shape);
    make_iteration(&c->copy, overload, 1, 1, false, both, from->ndim, shape);
    if (!by_kernels)
        return c->ctx->ops->copy(c->ctx, c->stream, &c->copy, err);
    c->copy.ufunc = c->ufunc->core->copies;
    return c->ctx->ops->execute(c->ctx, c->stream, &c->copy, err);
}

/* Takes a host array to the GPU. */
ufc_status gufunc_stage(struct gufunc_call *c, int k, ufc_error *err) {
    void *temp = NULL;
    ufc_status status = stage_in(c->ctx, c->stream, &c->op[k], c->waits, &temp, err);
    if (temp)
        c->temps.memory[c->temps.n++] = temp;
    record_copy(c->ctx, c->ufunc->params[k], "on the device", "");
    return status;
}

/* Makes an operand without elements one that is nowhere and of the overload's type; false: it has
 * elements. */
static bool is_nothing(const struct gufunc_call *c, int k) {
    struct operand *op = &c->op[k];
    if (op->is_number || has_elements(op))
        return false;
    op->data = NULL;
    op->dtype = dtype_of(c, k);
    return true;
}

/* Gives an output on the host a place on the GPU.  Its contents are copied along where the gufunc
 * need not write all of it. */
static ufc_status stage_output(struct gufunc_call *c, int k, ufc_error *err) {
    struct operand *op = &c->op[c->nin + k];
    void *temp = NULL;
    c->host_out[k] = *op;
    if (c->overload->unwritten >> k & 1)
        return gufunc_stage(c, c->nin + k, err);
    ufc_status status = stage_out_prepare(c->ctx, c->stream, &c->host_out[k], op, &temp, err);
    if (temp)
        c->temps.memory[c->temps.n++] = temp;
    record_copy(c->ctx, c->ufunc->params[c->nin + k], "on the device", "");
    return status;
}

/* Readies a given output. */
static ufc_status prepare_output(struct gufunc_call *c, int k, ufc_error *err) {
    struct operand *op = &c->op[c->nin + k];
    ufc_status status = UFC_OK;
    if (is_nothing(c, c->nin + k))
        return UFC_OK;
    if (!is_host(c->ctx->device) && is_host(op->device))
        status = stage_output(c, k, err);
    if (status != UFC_OK || op->dtype == dtype_of(c, c->nin + k))
        return status;
    c->cast_out[k] = *op;
    record_copy(c->ctx, c->ufunc->params[c->nin + k], "as ",
                dtype_info[dtype_of(c, c->nin + k)].name);
    status = make_packed(c->ctx, c->stream, &c->cast_out[k], dtype_of(c, c->nin + k), PACK_KEEP, op,
                         &c->temps, err);
    bool kept = c->overload->unwritten >> k & 1;
    return status == UFC_OK && kept ? gufunc_convert(c, c->nin + k, &c->cast_out[k], op, err)
                                    : status;
}

bool gufunc_overwrites(const struct gufunc_call *c, int k) {
    for (int out = c->nin; out < c->nin + c->nout; out++)
        if (operands_overlap(&c->op[k], &c->op[out]))
            return true;
    return false;
}

/* ---- arrays whose core calls are interleaved: elements of neighbouring calls are neighbours */

/* The layout of operand k; CALLS_EITHER also where a copy would not pay. */
static enum call_layout layout_of(const struct gufunc_call *c, int k) {
    const struct operand *op = &c->op[k];
    int rank = c->shape.rank[k], nloop = op->ndim - rank;
    int64_t elements = 1, size, core_stride[MAX_RANK];
    if (op->is_number || !op->data || !shape_size(op->ndim, op->shape, &size) ||
        size < PACK_MIN_ELEMS)
        return CALLS_EITHER;
    for (int i = 0; i < rank; i++) {
        elements *= op->shape[nloop + i];
        core_stride[i] = op->shape[nloop + i] == 1 ? 0 : op->stride[nloop + i];
    }
    if (elements < PACK_MIN_CORE)
        return CALLS_EITHER;
    return call_layout(nloop, op->shape, op->stride, rank, core_stride);
}

/* Other kernels read interleaved calls well where all arrays have them; where another array does
 * not, this one is copied. */
static bool wants_c_order(const struct gufunc_call *c, int k) {
    bool wants = false;
    if (layout_of(c, k) != CALLS_ACROSS || runs_in_patches(c->overload) ||
        !find_cast(c, dtype_of(c, k)))
        return false;
    for (int other = 0; other < c->nin + c->nout && !wants; other++)
        wants = layout_of(c, other) == CALLS_ALONG;
    return wants;
}

/* Without memory for it no copy is made. */
static ufc_status copy_in_c_order(struct gufunc_call *c, int k, ufc_error *err) {
    struct operand array = c->op[k], packed;
    if (make_packed(c->ctx, c->stream, &array, array.dtype, PACK_C, &packed, &c->temps, NULL) !=
        UFC_OK)
        return UFC_OK;
    c->op[k] = packed;
    record_copy(c->ctx, c->ufunc->params[k], "in C order", "");
    return gufunc_convert(c, k, &array, &packed, err);
}

static ufc_status prepare_input(struct gufunc_call *c, int k, ufc_error *err) {
    struct operand *op = &c->op[k];
    bool on_gpu = !is_host(c->ctx->device), scalar = c->ufunc->core->rank[k] == 0;
    int64_t size;
    if ((op->is_number && scalar) || is_nothing(c, k))
        return UFC_OK;
    if (op->is_number) { /* all of the operand's core dimensions are optional, and missing */
        op->is_number = false;
        op->data = (char *)op->value;
    }
    ufc_status status = UFC_OK;
    if (on_gpu && is_host(op->device)) {
        if (scalar && shape_size(op->ndim, op->shape, &size) && size == 1) {
            read_number(op, dtype_of(c, k));
            return UFC_OK;
        }
        status = gufunc_stage(c, k, err);
    }
    if (status == UFC_OK && op->dtype != dtype_of(c, k)) {
        struct operand array = *op;
        record_copy(c->ctx, c->ufunc->params[k], "as ", dtype_info[dtype_of(c, k)].name);
        status =
            make_packed(c->ctx, c->stream, &array, dtype_of(c, k), PACK_KEEP, op, &c->temps, err);
        return status == UFC_OK ? gufunc_convert(c, k, &array, op, err) : status;
    }
    if (status == UFC_OK && c->ctx->ops->launches && wants_c_order(c, k))
        status = copy_in_c_order(c, k, err);
    if (status != UFC_OK || !gufunc_overwrites(c, k))
        return status;
    record_copy(c->ctx, c->ufunc->params[k], "apart from the results", "");
    return copy_operand(c->ctx, c->stream, op, &c->copy, &c->temps, err);
}

/* Converts a result, and begins to copy it to the caller's array. */
static ufc_status return_output(struct gufunc_call *c, int k, ufc_error *err) {
    const struct operand *result = &c->op[c->nin + k];
    ufc_status status = UFC_OK;
    if (c->cast_out[k].ndim >= 0) {
        status = gufunc_convert(c, c->nin + k, result, &c->cast_out[k], err);
        result = &c->cast_out[k];
    }
    if (status != UFC_OK || c->host_out[k].ndim < 0)
        return status;
    status = stage_out_begin(c->ctx, c->stream, &c->host_out[k], result, &c->transfer[k], err);
    c->returning |= (uint64_t)(status == UFC_OK) << k;
    return status;
}

/* ---- the call */

/* Sets the core axes of the arrays of the call; their memory comes later. */
static ufc_status lay_out_intermediates(struct gufunc_call *c, ufc_error *err) {
    const struct ufc_core *core = c->ufunc->core;
    const uint8_t *dims = core->dim;
    c->intermediates.n = c->nintermediates; /* also of another version, which may have none */
    c->intermediates.core = c->ctx->ops->launches ? &c->core : NULL;
    record_array(c->ctx, NULL, false, 0);
    for (int k = 0; k < c->nin + c->nout; k++)
        dims += core->rank[k];
    for (int k = c->nin + c->nout, i = 0; i < c->nintermediates; k++, i++) {
        struct operand *op = &c->op[k];
        int64_t size = dtype_info[dtype_of(c, k)].size;
        *op = (struct operand){.dtype = dtype_of(c, k), .device = c->ctx->device};
        op->data = (char *)op->value; /* no number, which has no data */
        for (int axis = 0; axis < core->rank[k]; axis++, dims++)
            if (!c->shape.missing[*dims])
                op->shape[op->ndim++] = c->shape.size[*dims];
        for (int axis = op->ndim; axis-- > 0;) {
            op->stride[axis] = size;
            if (__builtin_mul_overflow(size, op->shape[axis], &size) || size > INT64_MAX / 2)
                return fail(err, UFC_ENOMEM, "out of memory for '%s'", c->ufunc->params[k]);
            if (axis > 0 && axis == op->ndim - 1 && !c->ctx->ops->launches && size > 0)
                size = with_gap(size);
        }
        bool in_place = c->overload->in_place >> i & 1;
        c->intermediates.bytes[i] = in_place ? 0 : size;
        record_array(c->ctx, c->ufunc->params[k], in_place, size);
    }
    return UFC_OK;
}

ufc_status gufunc_iterate(struct gufunc_call *c, ufc_error *err) {
    ufc_status status = lay_out_intermediates(c, err);
    if (status != UFC_OK)
        return status;
    gufunc_loop(c);
    make_iteration(&c->it, c->overload, c->nin, c->nout + c->nintermediates, false, c->loop,
                   c->ndim, c->loop_shape);
    set_core(&c->core, &c->shape, c->op);
    if (c->ctx->ops->launches || c->recorder)
        set_loop_sizes(&c->core, c->overload);
    else
        for (uint32_t i = 0; i < c->overload->nloops; i++)
            c->core.loop[i] = -1;
    c->it.ufunc = c->ufunc;
    c->it.core = &c->core;
    c->it.place = (struct calls_place){.output = &c->loop[c->nin], .start = c->start};
    return UFC_OK;
}

ufc_status gufunc_begin(struct gufunc_call *c, ufc_error *err) {
    ufc_status status = UFC_OK;
    c->waits = false;
    for (int k = c->nin; k < c->nin + c->nout; k++)
        c->waits = c->waits || is_host(c->op[k].device);
    for (int k = 0; k < c->nout && status == UFC_OK; k++)
        status = prepare_output(c, k, err);
    for (int k = 0; k < c->nin && status == UFC_OK; k++)
        status = prepare_input(c, k, err);
    if (status == UFC_OK)
        status = gufunc_iterate(c, err);
    if (status == UFC_OK && gufunc_turn(c, &status, err) && status == UFC_OK)
        status = gufunc_iterate(c, err);
    if (status == UFC_OK)
        status = gufunc_run_version(c, err);
    for (int k = 0; k < c->nout && status == UFC_OK; k++)
        status = return_output(c, k, err);
    return status;
}

ufc_status gufunc_finish(struct gufunc_call *c, bool failed, ufc_error *err) {
    ufc_status status = end_transfers(c->ctx, c->stream, c->nout, c->host_out, c->transfer,
                                      c->returning, failed, err);
    c->returning = 0;
    if ((failed || status != UFC_OK) && c->waits && !is_host(c->ctx->device))
        c->ctx->ops->synchronize(c->ctx, c->stream, NULL);
    free_temps(c->ctx, c->stream, &c->temps);
    return status;
}

/* ---- a call that several GPUs share */

struct call_parts {
    const struct gufunc_call *call;
    struct parts parts;
};

/* The intermediates of the version of a gufunc that has the most. */
static size_t most_intermediates(const struct ufc_ufunc *ufunc) {
    size_t most = ufunc->nintermediates;
    for (uint32_t i = 0; i < ufunc->noverloads; i++) {
        const struct ufc_ufunc *other = ufunc->overloads[i].other;
        for (; other; other = other->overloads->other)
            most = other->nintermediates > most ? other->nintermediates : most;
        for (int n = 0; n < 2; n++) {
            other = n == 0 ? ufunc->overloads[i].tiled : ufunc->overloads[i].stacked;
            most = other && other->nintermediates > most ? other->nintermediates : most;
        }
    }
    return most;
}

/* The size of a call; its operands are op, loop, moved, host_out and cast_out. */
static size_t size_of_call(const struct ufc_ufunc *ufunc) {
    size_t n = ufunc->nin + ufunc->nout + most_intermediates(ufunc);
    return sizeof(struct gufunc_call) + (3 * n + 2 * ufunc->nout) * sizeof(struct operand);
}

static void place_operands(struct gufunc_call *c) {
    c->op = c->operands;
    c->loop = c->op + c->nin + c->nout + most_intermediates(c->ufunc);
    c->moved = c->loop + (c->loop - c->op);
    c->host_out = c->moved + (c->loop - c->op);
    c->cast_out = c->host_out + c->nout;
}

/* Computes a part of a call as a call of its own, whose outputs are given. */
static ufc_status run_part(const void *arg, int64_t part, ufc_context *ctx, void *stream,
                           ufc_error *err) {
    const struct call_parts *w = arg;
    struct gufunc_call *c = malloc(size_of_call(w->call->ufunc));
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a part of a call");
    memcpy(c, w->call, size_of_call(w->call->ufunc));
    place_operands(c);
    c->ctx = ctx;
    c->stream = stream;
    c->loop_shape[w->parts.axis] = part_length(&w->parts, part);
    for (int k = 0; k < c->nin + c->nout; k++)
        take_part(&c->op[k], c->shape.rank[k], c->ndim, &w->parts, part);
    ufc_status status = gufunc_execute(c, err);
    free(c);
    return status;
}

/* Checks report the first fault of a whole call; parts must not read what another one writes. */
static bool may_share(const struct gufunc_call *c) {
    bool shares = c->ctx->gpus && !(c->overload->flags & UFC_CHECKS);
    for (int k = 0; k < c->nin + c->nout && shares; k++)
        shares = is_host(c->op[k].device) && (k >= c->nin || !gufunc_overwrites(c, k));
    return shares;
}

static ufc_status execute_whole_or_parts(struct gufunc_call *c, ufc_error *err) {
    struct call_parts w = {.call = c};
    if (may_share(c))
        w.parts = choose_parts(c->ctx, c->nin + c->nout, c->op, c->shape.rank, c->ndim,
                               c->loop_shape, NULL, &c->loop[c->nin]);
    if (w.parts.n < 2)
        return gufunc_execute(c, err);
    if (!c->recorder)
        return run_parts(c->ctx, w.parts.n, run_part, &w, err);
    record_parts(c->recorder, c->ctx, &w.parts);
    return run_part(&w, 0, c->ctx, c->stream, err);
}

/* Are there no core calls, or do they write no element?  In a build with checks calls that write
 * nothing are made: a subscript may be out of range. */
static bool is_empty(const struct gufunc_call *c) {
    int64_t calls = 0;
    bool empty = shape_size(c->ndim, c->loop_shape, &calls) && calls == 0;
    if (empty || c->overload->flags & UFC_CHECKS)
        return empty;
    empty = true;
    for (int k = c->nin; k < c->nin + c->nout; k++)
        empty = empty && !has_elements(&c->op[k]);
    return empty;
}

static ufc_status decide(struct gufunc_call *c, ufc_error *err) {
    struct load load = {.it = &c->it};
    c->it.overload = c->overload;
    c->it.ufunc = c->ufunc;
    c->it.core = &c->core;
    (void)shape_size(c->ndim, c->loop_shape, &c->it.total);
    memcpy(c->core.size, c->shape.size, c->ufunc->core->ndims * sizeof *c->core.size);
    for (int k = 0; k < c->nin + c->nout; k++)
        load_add(&load, &c->op[k], k < c->nin || c->overload->unwritten >> (k - c->nin) & 1,
                 k >= c->nin);
    return decide_device(&c->ctx, &c->undecided, &load, c->recorder, err);
}

/* Finds the core dimensions, the loop and the context. */
static ufc_status begin(struct gufunc_call *c, ufc_error *err) {
    ufc_status status = find_core(&c->shape, c->ufunc, c->kw, c->op, err);
    if (status == UFC_OK)
        status = broadcast_loop(c, err);
    if (status == UFC_OK)
        status = choose_context(&c->ctx, &c->undecided, c->stream, c->overload, c->nin + c->nout,
                                c->op, c->ufunc->params, err);
    return status;
}

/* Runs a call whose arguments were checked; failures here are reported with the gufunc's name. */
static ufc_status run(struct gufunc_call *c, ufc_error *err) {
    ufc_status status = begin(c, err);
    if (status != UFC_OK)
        return status;
    c->ctx = recorder_context(c->recorder, c->ctx);
    status = make_results(c, is_on_host(c), err);
    if (status != UFC_OK || is_empty(c))
        return status;
    status = check_overlap(c, err);
    if (status == UFC_OK && c->undecided.open)
        status = decide(c, err);
    if (status != UFC_OK)
        return status;
    if (!c->recorder)
        range_of_call(c->ufunc, NULL, c->overload, c->ndim, c->loop_shape, c->shape.size);
    status = execute_whole_or_parts(c, err);
    if (!c->recorder)
        nvtx_pop();
    return status;
}

static ufc_status call(struct gufunc_call *c, const ufc_arg *in, const ufc_out *out,
                       ufc_error *err) {
    ufc_status status = check_operands(c->ufunc, in, out, c->op, err);
    if (status == UFC_OK)
        status = resolve(c->ufunc, in, c->kw, c->op, &c->overload, err);
    return status == UFC_OK ? fail_at(err, run(c, err), "%s", c->ufunc->name) : status;
}

struct gufunc_call *gufunc_call_new(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                                    const ufc_keywords *kw) {
    size_t nin = ufunc->nin, nout = ufunc->nout, n = nin + nout + most_intermediates(ufunc);
    struct gufunc_call *c = malloc(size_of_call(ufunc));
    if (!c)
        return NULL;
    c->ctx = ctx;
    c->stream = stream;
    c->ufunc = ufunc;
    c->kw = kw;
    c->alike = NULL;
    c->start = NULL;
    c->nin = (int)nin;
    c->nout = (int)nout;
    c->nintermediates = (int)ufunc->nintermediates;
    place_operands(c);
    c->temps.n = 0;
    c->returning = 0;
    for (size_t k = nin + nout; k < n; k++)
        c->op[k].ndim = -1;
    for (size_t k = 0; k < nout; k++) {
        c->made[k] = NULL;
        c->host_out[k].ndim = c->cast_out[k].ndim = -1;
    }
    return c;
}

/* Gives the results that were made to the caller, or frees them after a failure; frees the call. */
static void end(struct gufunc_call *c, const ufc_out *out, bool give) {
    for (int k = 0; k < c->nout; k++) {
        if (give && c->made[k])
            *out[k].result = c->made[k];
        else
            free_array(c->stream, c->made[k]); /* in the stream's order: a kernel may still
                                                  write to it */
    }
    free(c);
}

ufc_status gufunc_call(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, const ufc_keywords *kw,
                       const struct alike *alike, struct recorder *recorder, ufc_error *err) {
    struct gufunc_call *c = gufunc_call_new(ctx, stream, ufunc, kw);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    c->recorder = recorder;
    c->alike = alike;
    fp_env callers = fp_enter();
    ufc_status status = call(c, in, out, err);
    fp_leave(callers);
    end(c, out, status == UFC_OK && !recorder);
    return status;
}

/* ---- plans */

static bool has_host_arrays(const struct gufunc_call *c) {
    bool has = false;
    for (int k = 0; k < c->nin + c->nout; k++) {
        const struct operand *op = &c->op[k];
        int64_t size;
        bool one = k < c->nin && shape_size(op->ndim, op->shape, &size) && size == 1 &&
                   c->ufunc->core->rank[k] == 0;
        has = has || (op->ndim >= 0 && !op->is_number && !one);
    }
    return has;
}

/* Checks that arrays are where the context computes, but for single elements, which are read now.
 */
static ufc_status check_places(const struct gufunc_call *c, ufc_error *err) {
    ufc_status status = UFC_OK;
    for (int k = 0; k < c->nin + c->nout && status == UFC_OK; k++) {
        const struct operand *op = &c->op[k];
        bool scalar = k < c->nin && c->ufunc->core->rank[k] == 0;
        int64_t size;
        if (op->is_number && !scalar)
            return fail(err, UFC_EINVAL, "'%s' is a number: a plan of a gufunc takes an array",
                        c->ufunc->params[k]);
        if (!(scalar && shape_size(op->ndim, op->shape, &size) && size == 1))
            status = check_planned_place(c->ctx, op, c->ufunc->params[k], err);
    }
    return status;
}

static ufc_status record(struct gufunc_call *c, struct sequence *s, ufc_error *err) {
    ufc_status status = begin(c, err);
    if (status == UFC_OK && c->undecided.open)
        status = decide_by_arrays(&c->ctx, &c->undecided, c->overload, has_host_arrays(c), err);
    if (status == UFC_OK)
        status = make_results(c, is_host(c->ctx->device), err);
    if (status == UFC_OK)
        status = check_places(c, err);
    if (status != UFC_OK || is_empty(c))
        return status;
    status = check_overlap(c, err);
    if (status != UFC_OK)
        return status;
    ufc_context *real = c->ctx;
    c->ctx = sequence_begin(s, real, c->stream);
    for (int k = 0; k < c->nin + c->nout; k++) {
        bool read = k < c->nin && !is_host(real->device) && is_host(c->op[k].device);
        if (read && !c->op[k].is_number)
            read_number(&c->op[k], dtype_of(c, k));
        sequence_add(s, &c->op[k], c->ufunc->params[k], k >= c->nin);
    }
    status = gufunc_begin(c, err);
    c->temps.n = 0;
    c->ctx = real;
    return status == UFC_OK ? sequence_end(s, err) : status;
}

ufc_status plan_gufunc(struct sequence *s, ufc_context **ctx, void *stream,
                       const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                       const ufc_keywords *kw, ufc_error *err) {
    struct gufunc_call *c = gufunc_call_new(*ctx, stream, ufunc, kw);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    c->recorder = NULL;
    ufc_status status = check_operands(ufunc, in, out, c->op, err);
    if (status == UFC_OK)
        status = resolve(ufunc, in, kw, c->op, &c->overload, err);
    if (status == UFC_OK)
        status = fail_at(err, record(c, s, err), "%s", ufunc->name);
    *ctx = c->ctx;
    end(c, out, status == UFC_OK);
    return status;
}
