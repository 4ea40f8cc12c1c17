/* call.c: a call, from its arguments to its results. */
#include <string.h>

#include "rt.h"

struct call {
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    int nin, nout;
    struct operand op[UFC_MAX_OPERANDS];
    int ndim; /* the call's shape */
    int64_t shape[MAX_RANK];
    DLManagedTensorVersioned *made[UFC_MAX_OPERANDS]; /* by output; NULL where it was given */
    struct temps temps;
    struct iteration it;
};

static ufc_status check_input(struct operand *op, const ufc_arg *arg, ufc_error *err) {
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
        op->device = (DLDevice){kDLCPU, 0};
        op->ndim = 0;
        return UFC_OK;
    }
    return fail(err, UFC_EINVAL, "there is no kind of argument %d", (int)arg->kind);
}

static ufc_status check_output(struct operand *op, const ufc_out *out, ufc_error *err) {
    if (out->array)
        return operand_from_array(op, out->array, err);
    if (!out->result)
        return fail(err, UFC_EINVAL, "neither an array nor a place for a result is given");
    op->is_number = false;
    op->ndim = -1;
    return UFC_OK;
}

static ufc_status check_arguments(struct call *c, const ufc_arg *in, const ufc_out *out,
                                  ufc_error *err) {
    const char *const *params = c->ufunc->params;
    for (int k = 0; k < c->nin; k++) {
        ufc_status status = check_input(&c->op[k], &in[k], err);
        if (status != UFC_OK)
            return fail_at(err, status, "argument %d ('%s')", k + 1, params[k]);
    }
    for (int k = 0; k < c->nout; k++) {
        ufc_status status = check_output(&c->op[c->nin + k], &out[k], err);
        if (status != UFC_OK)
            return fail_at(err, status, "output '%s'", params[c->nin + k]);
    }
    return UFC_OK;
}

/* Results are made where an array is on a GPU, else on the host. */
static ufc_status make_results(struct call *c, ufc_error *err) {
    int n = c->nin + c->nout;
    bool on_host = true;
    for (int k = 0; k < n; k++)
        if (c->op[k].ndim >= 0 && c->op[k].device.device_type != kDLCPU)
            on_host = false;
    for (int k = c->nin; k < n; k++) {
        struct operand *op = &c->op[k];
        if (op->ndim >= 0)
            continue;
        DLManagedTensorVersioned **made = &c->made[k - c->nin];
        ufc_status status =
            new_array(c->ctx, c->stream, op->dtype, c->ndim, c->shape, on_host, made, err);
        if (status == UFC_OK)
            status = operand_from_array(op, &(*made)->dl_tensor, err);
        if (status != UFC_OK)
            return status;
    }
    return UFC_OK;
}

/* A host array's only element, as a number of the overload's type. */
static void read_number(struct operand *op, enum ufc_dtype dtype) {
    uint64_t value[2] = {0, 0};
    cast_kernels[op->dtype][dtype]((char *)value, 0, op->data, 0, 1);
    memcpy(op->value, value, sizeof value);
    op->dtype = dtype;
    op->data = NULL;
    op->is_number = true;
    op->ndim = 0;
}

/* Takes host operands to the GPU; host_out keeps the host outputs as they were. */
static ufc_status stage(struct call *c, struct operand *host_out, ufc_error *err) {
    bool staged = false;
    for (int k = 0; k < c->nin + c->nout; k++) {
        struct operand *op = &c->op[k];
        if (op->is_number || op->device.device_type != kDLCPU)
            continue;
        staged = true;
        int64_t size = 0;
        void *temp = NULL;
        ufc_status status = UFC_OK;
        if (k >= c->nin) {
            host_out[k - c->nin] = *op;
            status = stage_out_prepare(c->ctx, c->stream, &host_out[k - c->nin], op, &temp, err);
        } else if (shape_size(op->ndim, op->shape, &size) && size == 1) {
            read_number(op, (enum ufc_dtype)c->overload->dtypes[k]);
        } else {
            status = stage_in(c->ctx, c->stream, op, &temp, err);
        }
        if (temp)
            c->temps.memory[c->temps.n++] = temp;
        if (status != UFC_OK)
            return status;
    }
    if (staged)
        make_iteration(&c->it, c->overload, c->nin, c->nout, c->op, c->ndim, c->shape);
    return UFC_OK;
}

static ufc_status execute(struct call *c, ufc_error *err) {
    struct operand host_out[UFC_MAX_OPERANDS];
    bool on_gpu = c->ctx->device.device_type != kDLCPU;
    for (int k = 0; k < c->nout; k++)
        host_out[k].ndim = -1; /* not staged */

    ufc_status status = on_gpu ? stage(c, host_out, err) : UFC_OK;
    if (status == UFC_OK)
        status = copy_overlapping_inputs(c->ctx, c->stream, &c->it, &c->temps, err);
    if (status == UFC_OK)
        status = c->ctx->ops->execute(c->ctx, c->stream, &c->it, err);
    for (int k = 0; k < c->nout && status == UFC_OK; k++)
        if (host_out[k].ndim >= 0)
            status = stage_out_finish(c->ctx, c->stream, &host_out[k], &c->op[c->nin + k], err);
    free_temps(c->ctx, c->stream, &c->temps);
    return status;
}

static ufc_status call(struct call *c, const ufc_arg *in, const ufc_out *out, ufc_error *err) {
    ufc_status status = check_arguments(c, in, out, err);
    if (status == UFC_OK)
        status = resolve(c->ufunc, in, c->op, &c->overload, err);
    if (status == UFC_OK)
        status = broadcast(c->ufunc, c->op, &c->ndim, c->shape, err);
    if (status == UFC_OK)
        status = choose_context(&c->ctx, c->nin + c->nout, c->op, err);
    if (status == UFC_OK)
        status = make_results(c, err);
    int64_t size = 0;
    if (status != UFC_OK || (shape_size(c->ndim, c->shape, &size) && size == 0))
        return status;
    make_iteration(&c->it, c->overload, c->nin, c->nout, c->op, c->ndim, c->shape);
    status = check_outputs(&c->it, c->ufunc->params, err);
    return status == UFC_OK ? execute(c, err) : status;
}

ufc_status ufc_call(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, const ufc_arg *in,
                    const ufc_out *out, ufc_error *err) {
    if (!ufunc || !out || (ufunc->nin && !in))
        return fail(err, UFC_EINVAL, "%s is NULL", !ufunc ? "ufunc" : out ? "in" : "out");
    if (ufunc->version != UFC_KABI_VERSION)
        return fail(err, UFC_EINVAL, "the ufunc has image version %u, this library's is %d",
                    (unsigned)ufunc->version, UFC_KABI_VERSION);
    if (ufunc->nin > UFC_MAX_OPERANDS || ufunc->nout > UFC_MAX_OPERANDS - ufunc->nin)
        return fail(err, UFC_EINVAL, "'%s' has %u inputs and %u outputs, more than %d in all",
                    ufunc->name, (unsigned)ufunc->nin, (unsigned)ufunc->nout, UFC_MAX_OPERANDS);

    struct call c; /* large: only what is used is set */
    c.ctx = ctx;
    c.stream = stream;
    c.ufunc = ufunc;
    c.nin = (int)ufunc->nin;
    c.nout = (int)ufunc->nout;
    c.temps.n = 0;
    for (int k = 0; k < c.nout; k++)
        c.made[k] = NULL;
    ufc_status status = call(&c, in, out, err);
    for (int k = 0; k < c.nout; k++) {
        if (status == UFC_OK && c.made[k])
            *out[k].result = c.made[k];
        else
            ufc_free(c.made[k]);
    }
    return status;
}

/* ---- descriptions */

ufc_description ufc_describe(const ufc_ufunc *ufunc) {
    return (ufc_description){.name = ufunc->name,
                             .doc = ufunc->doc,
                             .nin = (int)ufunc->nin,
                             .nout = (int)ufunc->nout,
                             .operands = ufunc->params,
                             .noverloads = (int)ufunc->noverloads};
}

const char *ufc_signature(const ufc_ufunc *ufunc, int overload) {
    bool known = overload >= 0 && overload < (int)ufunc->noverloads;
    return known ? ufunc->overloads[overload].signature : NULL;
}
