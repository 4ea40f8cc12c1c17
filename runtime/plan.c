/* plan.c: a call that is checked once, and executed many times on other memory. */
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "range.h"
#include "rates.h"
#include "recorder.h"

struct ufc_plan {
    ufc_context *ctx;
    bool empty;
    bool apart; /* the planned arrays do not overlap (check_apart) */
    const char *names[MAX_WALKED];
    int64_t offset[MAX_WALKED]; /* from an array's first element to the loop's, in bytes */
    struct iteration it;
};

/* ---- planning */

/* Checks that arrays are where the context computes; makes host arrays of one element numbers. */
static ufc_status check_places(struct call *c, ufc_error *err) {
    bool on_gpu = !is_host(c->ctx->device);
    for (int k = 0; k < c->nin + c->nout + c->masked; k++) {
        struct operand *op = &c->op[k];
        int64_t size;
        if (op->is_number || !on_gpu || !is_host(op->device))
            continue;
        if (k < c->nin && shape_size(op->ndim, op->shape, &size) && size == 1)
            read_number(op, (enum ufc_dtype)c->overload->dtypes[k]);
        else
            return fail(err, UFC_EDEVICE,
                        "array '%s' is on the host: a plan for a GPU takes arrays there",
                        c->names[k]);
    }
    return UFC_OK;
}

/* Where it is left open, arrays on the host stay there, and results alone are made on a GPU. */
static ufc_status decide(struct call *c, ufc_error *err) {
    bool on_host = false;
    for (int k = 0; k < c->nin + c->nout + c->masked; k++) {
        const struct operand *op = &c->op[k];
        int64_t size;
        on_host = on_host || (!op->is_number && op->ndim >= 0 &&
                              !(k < c->nin && shape_size(op->ndim, op->shape, &size) && size == 1));
    }
    return decide_by_arrays(&c->ctx, &c->undecided, c->overload, on_host, err);
}

static ufc_status plan(struct ufc_plan *p, struct call *c, ufc_error *err) {
    ufc_status status = c->undecided.open ? decide(c, err) : UFC_OK;
    if (status == UFC_OK)
        status = call_make_results(c, is_host(c->ctx->device), err);
    if (status == UFC_OK)
        status = check_places(c, err);
    p->ctx = c->ctx;
    p->empty = call_is_empty(c);
    memcpy(p->names, c->names, (size_t)(c->nin + c->nout + c->masked) * sizeof *p->names);
    if (status != UFC_OK || p->empty)
        return status;
    call_iterate(c);
    for (int k = 0; k < walked(&c->it); k++)
        if (c->it.data[k])
            p->offset[k] = c->it.data[k] - c->op[k].data;
    p->it = c->it;
    status = check_outputs(&p->it, p->names, err);
    p->apart = check_apart(&p->it, p->names, NULL) == UFC_OK;
    if (status == UFC_OK)
        status = c->ctx->ops->prepare(c->ctx, c->stream, &p->it, err);
    p->it.planned = true;
    return status;
}

ufc_status ufc_plan_new(ufc_plan **made, ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                        const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                        ufc_error *err) {
    if (!made)
        return fail(err, UFC_EINVAL, "plan is NULL");
    *made = NULL;
    ufc_status status = check_call(ufunc, in, out, keywords, err);
    if (status == UFC_OK && ufunc->core)
        status =
            fail(err, UFC_EINVAL, "'%s' is a gufunc: plans are of ufuncs of scalars", ufunc->name);
    if (status != UFC_OK)
        return status;
    struct ufc_plan *p = calloc(1, sizeof *p);
    struct call *c = p ? call_new(ctx, stream, ufunc, keywords, NULL) : NULL;
    if (!c) {
        free(p);
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    }
    status = call_begin(c, in, out, err);
    if (status == UFC_OK)
        status = fail_at(err, plan(p, c, err), "%s", ufunc->name);
    call_end(c, status == UFC_OK ? out : NULL);
    if (status == UFC_OK)
        *made = p;
    else
        free(p);
    return status;
}

void ufc_plan_free(ufc_plan *plan) {
    free(plan);
}

/* ---- executing */

/* Copies an iteration, but for the strides of operands that it does not walk. */
static void copy_iteration(struct iteration *to, const struct iteration *from) {
    memcpy(to, from, offsetof(struct iteration, stride));
    memcpy(to->stride, from->stride, (size_t)walked(from) * sizeof from->stride[0]);
}

static ufc_status set_data(struct iteration *it, const struct ufc_plan *p, void *const *data,
                           ufc_error *err) {
    for (int k = 0; k < walked(it); k++) {
        if (!it->data[k])
            continue;
        if (!data[k])
            return fail(err, UFC_EINVAL, "'%s' is NULL", p->names[k]);
        if (!is_aligned(data[k], (size_t)dtype_info[it->dtype[k]].alignment))
            return fail(err, UFC_EINVAL, "'%s' is not aligned to its elements' %d bytes",
                        p->names[k], dtype_info[it->dtype[k]].alignment);
        it->data[k] = (char *)data[k] + p->offset[k];
    }
    return UFC_OK;
}

static ufc_status execute(const struct ufc_plan *p, void *stream, void *const *data,
                          ufc_error *err) {
    const struct device_ops *ops = p->ctx->ops;
    if (!data)
        return p->apart ? ops->execute(p->ctx, stream, &p->it, err)
                        : check_apart(&p->it, p->names, err);
    struct iteration it;
    copy_iteration(&it, &p->it);
    ufc_status status = set_data(&it, p, data, err);
    if (status == UFC_OK)
        status = check_apart(&it, p->names, err);
    return status == UFC_OK ? ops->execute(p->ctx, stream, &it, err) : status;
}

ufc_status ufc_execute(const ufc_plan *plan, void *stream, void *const *data, ufc_error *err) {
    if (!plan)
        return fail(err, UFC_EINVAL, "plan is NULL");
    if (plan->empty)
        return UFC_OK;
    const struct iteration *it = &plan->it;
    fp_env callers = fp_enter();
    range_of_call(it->ufunc, "plan", it->overload, 1, &it->total, NULL);
    ufc_status status = execute(plan, stream, data, err);
    nvtx_pop();
    fp_leave(callers);
    return fail_at(err, status, "%s", plan->it.ufunc->name);
}

/* ---- describing */

ufc_status ufc_plan_describe(const ufc_plan *plan, ufc_plan_description *d, ufc_error *err) {
    if (!plan || !d)
        return fail(err, UFC_EINVAL, "%s is NULL", plan ? "description" : "plan");
    describe_nothing(d);
    return plan->empty ? UFC_OK : describe_iteration(plan->ctx, &plan->it, d, err);
}
