/* call.c: a call, from its arguments to its results. */
#include <stdlib.h>
#include <string.h>

#include "alike.h"
#include "fpenv.h"
#include "gpus.h"
#include "portions.h"
#include "range.h"
#include "rates.h"
#include "recorder.h"

/* The operands behind a struct call: op and host_out. */
static size_t operands_of(int nin, int nout) {
    return (size_t)(nin + nout + 1 + nout);
}

ufc_status check_input(struct operand *op, const ufc_arg *arg, ufc_error *err) {
    switch (arg->kind) {
    case UFC_ARG_ARRAY:
        if (!arg->as.array)
            return fail(err, UFC_EINVAL, "the array is NULL");
        return operand_from_array(op, arg->as.array, err);
    case UFC_ARG_BOOL:
    case UFC_ARG_INT:
    case UFC_ARG_UINT:
    case UFC_ARG_FLOAT:
    case UFC_ARG_COMPLEX:
        op->data = NULL;
        op->is_number = true;
        op->pinned = false;
        op->device = (DLDevice){kDLCPU, 0};
        op->ndim = 0;
        return UFC_OK;
    }
    return fail(err, UFC_EINVAL, "there is no kind of argument %d", (int)arg->kind);
}

ufc_status check_output(struct operand *op, const ufc_out *out, ufc_error *err) {
    if (out->array)
        return operand_from_array(op, out->array, err);
    if (!out->result)
        return fail(err, UFC_EINVAL, "neither an array nor a place for a result is given");
    op->is_number = false;
    op->ndim = -1;
    return UFC_OK;
}

void clear_result(const ufc_out *out) {
    if (!out->array && out->result)
        *out->result = NULL;
}

ufc_status check_where(struct operand *op, const ufc_keywords *kw, ufc_error *err) {
    op->ndim = -1;
    op->is_number = false;
    if (!kw || !kw->where)
        return UFC_OK;
    ufc_status status = operand_from_array(op, kw->where, err);
    if (status == UFC_OK && op->dtype != DT_BOOL)
        status = fail(err, UFC_EDTYPE, "it is %s, not bool", dtype_info[op->dtype].name);
    return fail_at(err, status, "where");
}

ufc_status check_operands(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                          struct operand *op, ufc_error *err) {
    int nin = (int)ufunc->nin, nout = (int)ufunc->nout;
    for (int k = 0; k < nin; k++) {
        ufc_status status = check_input(&op[k], &in[k], err);
        if (status != UFC_OK)
            return fail_at(err, status, "argument %d ('%s')", k + 1, ufunc->params[k]);
    }
    for (int k = 0; k < nout; k++) {
        ufc_status status = check_output(&op[nin + k], &out[k], err);
        if (status != UFC_OK)
            return fail_at(err, status, "output '%s'", ufunc->params[nin + k]);
    }
    return UFC_OK;
}

static ufc_status check_arguments(struct call *c, const ufc_arg *in, const ufc_out *out,
                                  ufc_error *err) {
    ufc_status status = check_operands(c->ufunc, in, out, c->op, err);
    if (status == UFC_OK)
        status = check_where(&c->op[c->nin + c->nout], c->kw, err);
    c->masked = status == UFC_OK && c->op[c->nin + c->nout].ndim >= 0;
    return status;
}

/* Is no array on a GPU?  Then results are made on the host. */
static bool is_on_host(const struct call *c) {
    bool on_host = true;
    for (int k = 0; k < c->nin + c->nout + c->masked; k++)
        if (c->op[k].ndim >= 0 && !is_host(c->op[k].device))
            on_host = false;
    return on_host;
}

ufc_status call_make_results(struct call *c, bool on_host, ufc_error *err) {
    int n = c->nin + c->nout;
    keep_order(n + c->masked, c->op, c->ndim, c->order);
    for (int k = c->nin; k < n; k++) {
        struct operand *op = &c->op[k];
        if (op->ndim >= 0)
            continue;
        DLManagedTensorVersioned **made = &c->made[k - c->nin];
        ufc_status status = new_result(c->ctx, c->stream, c->kw, op->dtype, c->ndim, c->shape,
                                       c->order, on_host, made, err);
        if (status == UFC_OK)
            status = operand_from_array(op, &(*made)->dl_tensor, err);
        if (status != UFC_OK)
            return status;
        int64_t size;
        if (c->masked && on_host && !c->recorder && shape_size(c->ndim, c->shape, &size) && size)
            memset(op->data, 0, (size_t)size * (size_t)dtype_info[op->dtype].size);
    }
    return UFC_OK;
}

void read_number(struct operand *op, enum ufc_dtype dtype) {
    uint64_t value[2] = {0, 0};
    cast_elements(op->dtype, dtype, (char *)value, 0, op->data, 0, 1);
    memcpy(op->value, value, sizeof value);
    op->dtype = dtype;
    op->data = NULL;
    op->is_number = true;
    op->ndim = 0;
}

void call_iterate(struct call *c) {
    make_iteration(&c->it, c->overload, c->nin, c->nout, c->masked, c->op, c->ndim, c->shape);
    c->it.ufunc = c->ufunc;
    c->it.place = (struct calls_place){.output = &c->op[c->nin], .start = c->start};
}

static bool is_read(const struct call *c, int k) {
    return k < c->nin || k >= c->nin + c->nout;
}

/* Is it a host array whose one element goes by value? */
static bool is_read_as_number(const struct call *c, int k) {
    const struct operand *op = &c->op[k];
    int64_t size;
    return k < c->nin && is_host(op->device) && shape_size(op->ndim, op->shape, &size) && size == 1;
}

static bool has_host_outputs(const struct call *c) {
    bool has = false;
    for (int k = c->nin; k < c->nin + c->nout; k++)
        has = has || is_host(c->op[k].device);
    return has;
}

/* Takes an operand from the host to the GPU.  The contents of masked outputs go there too, as a
 * part of them stays as it was. */
static ufc_status stage_operand(struct call *c, int k, bool waits, ufc_error *err) {
    struct operand *op = &c->op[k];
    void *temp = NULL;
    ufc_status status = UFC_OK;
    if (!is_read(c, k))
        c->host_out[k - c->nin] = *op;
    if (is_read_as_number(c, k))
        read_number(op, (enum ufc_dtype)c->overload->dtypes[k]);
    else if (is_read(c, k) || c->masked)
        status = stage_in(c->ctx, c->stream, op, waits, &temp, err);
    else
        status = stage_out_prepare(c->ctx, c->stream, &c->host_out[k - c->nin], op, &temp, err);
    if (temp) {
        c->temps.memory[c->temps.n++] = temp;
        record_copy(c->ctx, c->names[k], "on the device", "");
    }
    return status;
}

static ufc_status stage(struct call *c, ufc_error *err) {
    bool staged = false, waits = has_host_outputs(c);
    ufc_status status = UFC_OK;
    for (int k = 0; k < c->nin + c->nout + c->masked && status == UFC_OK; k++) {
        if (c->op[k].is_number || !is_host(c->op[k].device))
            continue;
        staged = true;
        status = stage_operand(c, k, waits, err);
    }
    if (staged && status == UFC_OK)
        call_iterate(c);
    return status;
}

/* Queues the call's work, and the copies of its results to the host. */
static ufc_status begin(void *call, ufc_error *err) {
    struct call *c = call;
    bool on_gpu = !is_host(c->ctx->device);
    ufc_status status = on_gpu ? stage(c, err) : UFC_OK;
    if (status == UFC_OK)
        status = copy_overlapping_inputs(c->ctx, c->stream, &c->it, c->names, &c->temps, err);
    if (status == UFC_OK)
        status = c->ctx->ops->execute(c->ctx, c->stream, &c->it, err);
    for (int k = 0; k < c->nout && status == UFC_OK; k++)
        if (c->host_out[k].ndim >= 0) {
            status = stage_out_begin(c->ctx, c->stream, &c->host_out[k], &c->op[c->nin + k],
                                     &c->transfer[k], err);
            c->returning |= (uint64_t)(status == UFC_OK) << k;
        }
    return status;
}

/* Ends the copies to the host.  After a failure memory of the caller's may still be copied. */
static ufc_status finish(void *call, bool failed, ufc_error *err) {
    struct call *c = call;
    ufc_status status = end_transfers(c->ctx, c->stream, c->nout, c->host_out, c->transfer,
                                      c->returning, failed, err);
    c->returning = 0;
    if ((failed || status != UFC_OK) && c->temps.n && !is_host(c->ctx->device))
        c->ctx->ops->synchronize(c->ctx, c->stream, NULL);
    free_temps(c->ctx, c->stream, &c->temps);
    return status;
}

/* ---- portions */

static void *new_part(const void *whole) {
    const struct call *c = whole;
    struct call *part = call_new(c->ctx, c->stream, c->ufunc, c->kw, NULL);
    if (part)
        part->overload = c->overload, part->masked = c->masked;
    return part;
}

static void cut(const struct portioned_call *p, void *part, void *stream,
                const struct portion *at) {
    const struct call *whole = p->whole;
    struct call *c = part;
    c->stream = stream;
    c->ndim = whole->ndim;
    c->start = at->start;
    memcpy(c->shape, at->size, (size_t)c->ndim * sizeof *c->shape);
    for (int k = 0; k < c->nin + c->nout + whole->masked; k++)
        slice_operand(&c->op[k], &whole->op[k], c->ndim - whole->op[k].ndim, 0, at);
    for (int k = 0; k < c->nout; k++)
        c->host_out[k].ndim = -1;
}

static ufc_status prepare(struct portioned_call *p, struct temps *host, ufc_error *err) {
    struct call *c = p->whole, *scratch = p->part[0];
    ufc_context *on_host;
    ufc_status status = shared_context(&on_host, (DLDevice){kDLCPU, 0}, err);
    for (int k = 0; k < c->nin + c->nout + c->masked && status == UFC_OK; k++) {
        struct operand *op = &c->op[k];
        bool own = is_host(op->device);
        if (op->is_number || !is_read(c, k))
            continue;
        if (input_is_overwritten(&c->it, k))
            status = copy_operand(own ? on_host : c->ctx, c->stream, op, &scratch->it,
                                  own ? host : &c->temps, err);
        else if (own && is_whole(&p->portions, op, c->ndim - op->ndim, 0))
            status = stage_operand(c, k, false, err);
    }
    return status;
}

/* Whether the call has so much on the host that it is made in portions. */
static bool has_portions(const struct call *c, struct portions *p) {
    int order[MAX_RANK], n = c->nin + c->nout + c->masked;
    portions_begin(p, c->ctx, c->stream);
    portions_walk(p, c->ndim, c->shape);
    for (int k = 0; k < n; k++)
        portions_add(p, &c->op[k], c->ndim - c->op[k].ndim, 0);
    if (!wants_portions(p))
        return false;
    keep_order(n, c->op, c->ndim, order);
    return cut_portions(p, order);
}

static ufc_status execute(struct call *c, ufc_error *err) {
    static const struct portioned_ops ops = {new_part, prepare, cut, begin, finish};
    struct portioned_call p; /* large: what is used is set */
    p.whole = c;
    p.ops = &ops;
    return execute_portioned(&p, has_portions(c, &p.portions), &c->temps, c->recorder, err);
}

/* ---- a call that several GPUs share */

struct call_parts {
    const struct call *call;
    struct parts parts;
};

/* Computes a part of a call as a call of its own, whose outputs are given. */
static ufc_status run_part(const void *arg, int64_t part, ufc_context *ctx, void *stream,
                           ufc_error *err) {
    const struct call_parts *w = arg;
    size_t size =
        sizeof *w->call + operands_of(w->call->nin, w->call->nout) * sizeof w->call->operands[0];
    struct call *c = malloc(size);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a part of a call");
    memcpy(c, w->call, size);
    c->ctx = ctx;
    c->stream = stream;
    c->op = c->operands;
    c->host_out = c->operands + c->nin + c->nout + 1;
    c->shape[w->parts.axis] = part_length(&w->parts, part);
    for (int k = 0; k < c->nin + c->nout + c->masked; k++)
        take_part(&c->op[k], 0, c->ndim, &w->parts, part);
    call_iterate(c);
    ufc_status status = execute(c, err);
    free(c);
    return status;
}

/* Checks report the first fault of a whole call; parts must not read what another one writes. */
static bool may_share(const struct call *c) {
    return c->ctx->gpus && is_on_host(c) && !(c->overload->flags & UFC_CHECKS) &&
           check_apart(&c->it, c->names, NULL) == UFC_OK;
}

static ufc_status execute_whole_or_parts(struct call *c, ufc_error *err) {
    struct call_parts w = {.call = c};
    if (may_share(c))
        w.parts = choose_parts(c->ctx, c->nin + c->nout + c->masked, c->op, NULL, c->ndim, c->shape,
                               NULL, &c->op[c->nin]);
    if (w.parts.n < 2)
        return execute(c, err);
    if (!c->recorder)
        return run_parts(c->ctx, w.parts.n, run_part, &w, err);
    record_parts(c->recorder, c->ctx, &w.parts);
    return run_part(&w, 0, c->ctx, c->stream, err);
}

bool call_is_empty(const struct call *c) {
    int64_t size = 0;
    return shape_size(c->ndim, c->shape, &size) && size == 0;
}

static ufc_status decide(struct call *c, ufc_error *err) {
    struct load load = {.it = &c->it};
    for (int k = 0; k < c->nin + c->nout + c->masked; k++)
        load_add(&load, &c->op[k], is_read(c, k) || c->masked, !is_read(c, k));
    return decide_device(&c->ctx, &c->undecided, &load, c->recorder, err);
}

/* Runs a call whose arguments were checked; failures here are reported with the ufunc's name. */
static ufc_status run(struct call *c, ufc_error *err) {
    ufc_status status = call_make_results(c, is_on_host(c), err);
    if (status != UFC_OK || call_is_empty(c))
        return status;
    call_iterate(c);
    status = check_outputs(&c->it, c->ufunc->params, err);
    if (status == UFC_OK && c->undecided.open)
        status = decide(c, err);
    if (status != UFC_OK)
        return status;
    if (!c->recorder)
        range_of_call(c->ufunc, NULL, c->overload, c->ndim, c->shape, NULL);
    status = execute_whole_or_parts(c, err);
    if (!c->recorder)
        nvtx_pop();
    if (status == UFC_OK)
        keep_for_later(c->alike, &c->it, c->op, c->made, c->order);
    return status;
}

ufc_status call_begin(struct call *c, const ufc_arg *in, const ufc_out *out, ufc_error *err) {
    ufc_status status = check_arguments(c, in, out, err);
    if (status == UFC_OK)
        status = resolve(c->ufunc, in, c->kw, c->op, &c->overload, err);
    int n = c->nin + c->nout + c->masked;
    const struct operand *mask = &c->op[c->nin + c->nout];
    if (status == UFC_OK)
        status = broadcast(c->ufunc, c->op, c->masked ? mask : NULL, &c->ndim, c->shape, err);
    if (status != UFC_OK)
        return status;
    status =
        choose_context(&c->ctx, &c->undecided, c->stream, c->overload, n, c->op, c->names, err);
    if (status == UFC_OK)
        c->ctx = recorder_context(c->recorder, c->ctx);
    return fail_at(err, status, "%s", c->ufunc->name);
}

struct call *call_new(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                      const ufc_keywords *keywords, struct recorder *recorder) {
    size_t nin = ufunc->nin, nout = ufunc->nout;
    struct call *c = malloc(sizeof *c + operands_of((int)nin, (int)nout) * sizeof c->operands[0]);
    if (!c)
        return NULL;
    c->ctx = ctx;
    c->stream = stream;
    c->ufunc = ufunc;
    c->kw = keywords;
    c->recorder = recorder;
    c->alike = NULL;
    c->start = NULL;
    c->nin = (int)nin;
    c->nout = (int)nout;
    c->op = c->operands;
    c->host_out = c->operands + nin + nout + 1;
    c->temps.n = 0;
    c->returning = 0;
    for (size_t k = 0; k < nout; k++) {
        c->made[k] = NULL;
        c->host_out[k].ndim = -1;
    }
    memcpy(c->names, ufunc->params, (nin + nout) * sizeof *c->names);
    c->names[nin + nout] = "where";
    return c;
}

void call_end(struct call *c, const ufc_out *out) {
    for (int k = 0; k < c->nout; k++) {
        if (out && c->made[k] && !c->recorder)
            *out[k].result = c->made[k];
        else
            free_array(c->stream, c->made[k]); /* in the stream's order: a kernel may still
                                                  write to it */
    }
    free(c);
}

ufc_status check_ufunc(const struct ufc_ufunc *ufunc, ufc_error *err) {
    if (!ufunc)
        return fail(err, UFC_EINVAL, "ufunc is NULL");
    if (ufunc->version != UFC_IMAGE_ABI_VERSION)
        return fail(err, UFC_EINVAL, "the ufunc has image version %u, this library's is %d",
                    (unsigned)ufunc->version, UFC_IMAGE_ABI_VERSION);
    if (ufunc->nin > UFC_MAX_OPERANDS || ufunc->nout > UFC_MAX_OPERANDS - ufunc->nin ||
        ufunc->nintermediates > UFC_MAX_OPERANDS - ufunc->nin - ufunc->nout)
        return fail(err, UFC_EINVAL, "'%s' has %u inputs and %u outputs, more than %d in all",
                    ufunc->name, (unsigned)ufunc->nin, (unsigned)ufunc->nout, UFC_MAX_OPERANDS);
    return ufunc->core ? check_core(ufunc, err) : UFC_OK;
}

ufc_status ufc_call(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                    const ufc_out *out, ufc_error *err) {
    return ufc_call_with(ctx, stream, ufunc, in, out, NULL, err);
}

/* A given keyword that calls of ufuncs of scalars do not take; NULL: there is none. */
static const char *not_of_calls(const ufc_keywords *kw) {
    return kw->axes || kw->naxes             ? "axes"
           : kw->core_axes || kw->ncore_axes ? "core_axes"
           : kw->all_axes                    ? "all_axes"
           : kw->keepdims                    ? "keepdims"
           : kw->initial                     ? "initial"
                                             : NULL;
}

ufc_status check_call(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                      const ufc_keywords *keywords, ufc_error *err) {
    ufc_status status = check_ufunc(ufunc, err);
    if (status != UFC_OK)
        return status;
    if (!out || (ufunc->nin && !in))
        return fail(err, UFC_EINVAL, "%s is NULL", out ? "in" : "out");
    for (uint32_t k = 0; k < ufunc->nout; k++)
        clear_result(&out[k]);
    const char *other = !ufunc->core && keywords ? not_of_calls(keywords) : NULL;
    if (other)
        return fail(err, UFC_EINVAL, "a call of '%s', a ufunc of scalars, takes no '%s'",
                    ufunc->name, other);
    return UFC_OK;
}

ufc_status call_afresh(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                       const struct alike *alike, struct recorder *recorder, ufc_error *err) {
    if (ufunc->core)
        return gufunc_call(ctx, stream, ufunc, in, out, keywords, alike, recorder, err);
    struct call *c = call_new(ctx, stream, ufunc, keywords, recorder);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    c->alike = alike;
    fp_env callers = fp_enter();
    ufc_status status = call_begin(c, in, out, err);
    if (status == UFC_OK)
        status = fail_at(err, run(c, err), "%s", ufunc->name);
    fp_leave(callers);
    call_end(c, status == UFC_OK ? out : NULL);
    return status;
}

ufc_status call_with(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                     const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                     struct recorder *recorder, ufc_error *err) {
    struct alike alike; /* large: what is used is set */
    ufc_status status = check_call(ufunc, in, out, keywords, err);
    if (status != UFC_OK)
        return status;
    if (recorder)
        return call_afresh(ctx, stream, ufunc, in, out, keywords, NULL, recorder, err);
    return call_like_earlier(&alike, ctx, stream, ufunc, in, out, keywords, &status, err)
               ? status
               : call_afresh(ctx, stream, ufunc, in, out, keywords, &alike, NULL, err);
}

ufc_status ufc_call_with(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                         const ufc_out *out, const ufc_keywords *keywords, ufc_error *err) {
    return call_with(ctx, stream, ufunc, in, out, keywords, NULL, err);
}

/* ---- outer: a call of x with an axis of one element for each of y's */

ufc_status call_outer(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc, ufc_arg x,
                      ufc_arg y, ufc_out out, const ufc_keywords *keywords,
                      struct recorder *recorder, ufc_error *err) {
    int64_t shape[MAX_RANK], strides[MAX_RANK];
    clear_result(&out);
    ufc_status status = check_binary(ufunc, "outer", err);
    if (status != UFC_OK)
        return status;
    DLTensor view;
    const DLTensor *a = x.kind == UFC_ARG_ARRAY ? x.as.array : NULL;
    const DLTensor *b = y.kind == UFC_ARG_ARRAY ? y.as.array : NULL;
    if (a && b && a->ndim > 0 && b->ndim > 0) {
        struct operand op;
        if (operand_from_array(&op, a, err) != UFC_OK || b->ndim > MAX_RANK - a->ndim)
            return fail(err, UFC_EINVAL, "x has rank %d, y has rank %d: together more than %d",
                        (int)a->ndim, (int)b->ndim, MAX_RANK);
        for (int i = 0; i < a->ndim + b->ndim; i++) {
            bool own = i < a->ndim;
            shape[i] = own ? a->shape[i] : 1;
            strides[i] = own ? op.stride[i] / dtype_info[op.dtype].size : 0;
        }
        view = *a;
        view.ndim = a->ndim + b->ndim;
        view.shape = shape;
        view.strides = strides;
        x = ufc_array(&view);
    }
    ufc_arg in[] = {x, y};
    return call_with(ctx, stream, ufunc, in, &out, keywords, recorder, err);
}

ufc_status ufc_outer(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg x, ufc_arg y,
                     ufc_out out, const ufc_keywords *keywords, ufc_error *err) {
    return call_outer(ctx, stream, ufunc, x, y, out, keywords, NULL, err);
}

/* ---- descriptions */

ufc_description ufc_describe(const ufc_ufunc *ufunc) {
    static const ufc_ufunc none;
    if (!ufunc)
        ufunc = &none;
    return (ufc_description){.name = ufunc->name,
                             .doc = ufunc->doc,
                             .nin = (int)ufunc->nin,
                             .nout = (int)ufunc->nout,
                             .operands = ufunc->params,
                             .noverloads = (int)ufunc->noverloads,
                             .core = ufunc->core ? ufunc->core->signature : NULL};
}

const char *ufc_signature(const ufc_ufunc *ufunc, int overload) {
    bool known = ufunc && overload >= 0 && overload < (int)ufunc->noverloads;
    return known ? ufunc->overloads[overload].signature : NULL;
}
