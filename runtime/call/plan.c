/* plan.c: a call that is checked once, and executed many times on other memory: of a ufunc of
 * scalars its loop, of a gufunc or a method what the device executes (sequence.c). */
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "range.h"
#include "rates.h"
#include "recorder.h"
#include "sequence.h"

struct ufc_plan {
    ufc_context *ctx;
    bool empty;
    bool apart; /* the planned arrays do not overlap (check_apart) */
    const char *names[MAX_WALKED];
    int64_t offset[MAX_WALKED]; /* from an array's first element to the loop's, in bytes */
    struct iteration it;
    struct operand output; /* the first one, of which `it` has the place */
    const struct ufc_ufunc *ufunc;
    const char *method;        /* its name; NULL: a call */
    struct sequence *sequence; /* of a gufunc or a method, in place of `it`; NULL: there is none */
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
    p->output = c->op[c->nin];
    p->it.place = (struct calls_place){.output = &p->output};
    status = check_outputs(&p->it, p->names, err);
    p->apart = check_apart(&p->it, p->names, NULL) == UFC_OK;
    if (status == UFC_OK)
        status = c->ctx->ops->prepare(c->ctx, c->stream, &p->it, err);
    p->it.planned = true;
    return status;
}

static ufc_status plan_ufunc(struct ufc_plan *p, ufc_context *ctx, void *stream, const ufc_arg *in,
                             const ufc_out *out, const ufc_keywords *keywords, ufc_error *err) {
    struct call *c = call_new(ctx, stream, p->ufunc, keywords, NULL);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    ufc_status status = call_begin(c, in, out, err);
    if (status == UFC_OK)
        status = fail_at(err, plan(p, c, err), "%s", p->ufunc->name);
    call_end(c, status == UFC_OK ? out : NULL);
    return status;
}

/* What is to be planned. */
struct wish {
    ufc_context *ctx;
    void *stream;
    const ufc_ufunc *ufunc;
    const ufc_arg *in;
    const ufc_out *out;
    const ufc_keywords *keywords;
    const char *method;
    enum fold_method fold;   /* where method is not NULL */
    const DLTensor *indices; /* of reduceat */
};

static ufc_status fill(struct ufc_plan *p, const struct wish *w, ufc_error *err) {
    p->ctx = w->ctx;
    p->ufunc = w->ufunc;
    p->method = w->method;
    if (!w->method && !w->ufunc->core)
        return plan_ufunc(p, w->ctx, w->stream, w->in, w->out, w->keywords, err);
    p->sequence = sequence_new();
    if (!p->sequence)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    ufc_status status = w->method ? plan_fold(p->sequence, &p->ctx, w->fold, w->stream, w->ufunc,
                                              w->in, w->indices, w->out, w->keywords, err)
                                  : plan_gufunc(p->sequence, &p->ctx, w->stream, w->ufunc, w->in,
                                                w->out, w->keywords, err);
    p->empty = sequence_is_empty(p->sequence);
    return status;
}

static ufc_status make(ufc_plan **made, const struct wish *w, ufc_error *err) {
    struct ufc_plan *p = calloc(1, sizeof *p);
    if (!p)
        return fail(err, UFC_ENOMEM, "out of memory for a plan");
    fp_env callers = fp_enter();
    ufc_status status = fill(p, w, err);
    fp_leave(callers);
    if (status == UFC_OK)
        *made = p;
    else
        ufc_plan_free(p);
    return status;
}

static ufc_status check_place(ufc_plan **made, const ufc_out *out, ufc_error *err) {
    clear_result(out);
    if (!made)
        return fail(err, UFC_EINVAL, "plan is NULL");
    *made = NULL;
    return UFC_OK;
}

ufc_status ufc_plan_new(ufc_plan **made, ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                        const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                        ufc_error *err) {
    static const ufc_out none;
    ufc_status status = check_place(made, &none, err);
    if (status == UFC_OK)
        status = check_call(ufunc, in, out, keywords, err);
    const struct wish w = {ctx, stream, ufunc, in, out, keywords, NULL, FOLD_REDUCE, NULL};
    return status == UFC_OK ? make(made, &w, err) : status;
}

ufc_status ufc_plan_reduce(ufc_plan **made, ufc_context *ctx, void *stream, const ufc_ufunc *ufunc,
                           ufc_arg array, ufc_out out, const ufc_keywords *keywords,
                           ufc_error *err) {
    const struct wish w = {ctx, stream, ufunc, &array, &out, keywords, "reduce", FOLD_REDUCE, NULL};
    ufc_status status = check_place(made, &out, err);
    return status == UFC_OK ? make(made, &w, err) : status;
}

ufc_status ufc_plan_accumulate(ufc_plan **made, ufc_context *ctx, void *stream,
                               const ufc_ufunc *ufunc, ufc_arg array, ufc_out out,
                               const ufc_keywords *keywords, ufc_error *err) {
    const struct wish w = {ctx,      stream,       ufunc,           &array, &out,
                           keywords, "accumulate", FOLD_ACCUMULATE, NULL};
    ufc_status status = check_place(made, &out, err);
    return status == UFC_OK ? make(made, &w, err) : status;
}

ufc_status ufc_plan_reduceat(ufc_plan **made, ufc_context *ctx, void *stream,
                             const ufc_ufunc *ufunc, ufc_arg array, const DLTensor *indices,
                             ufc_out out, const ufc_keywords *keywords, ufc_error *err) {
    const struct wish w = {ctx,      stream,     ufunc,         &array, &out,
                           keywords, "reduceat", FOLD_REDUCEAT, indices};
    ufc_status status = check_place(made, &out, err);
    return status == UFC_OK ? make(made, &w, err) : status;
}

void ufc_plan_free(ufc_plan *plan) {
    if (plan)
        sequence_free(plan->sequence);
    free(plan);
}

int64_t ufc_plan_workspace(const ufc_plan *plan) {
    return plan && plan->sequence ? sequence_workspace(plan->sequence) : 0;
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
    struct operand output = p->output;
    copy_iteration(&it, &p->it);
    output.data = data[it.nin];
    it.place.output = &output;
    ufc_status status = set_data(&it, p, data, err);
    if (status == UFC_OK)
        status = check_apart(&it, p->names, err);
    return status == UFC_OK ? ops->execute(p->ctx, stream, &it, err) : status;
}

static ufc_status execute_sequence(const struct ufc_plan *p, void *stream, void *workspace,
                                   void *const *data, ufc_error *err) {
    range_of_call(p->ufunc, p->method ? p->method : "plan", NULL, 0, NULL, NULL);
    ufc_status status = sequence_execute(p->sequence, stream, workspace, data, err);
    nvtx_pop();
    return p->method ? fail_at(err, status, "%s.%s", p->ufunc->name, p->method)
                     : fail_at(err, status, "%s", p->ufunc->name);
}

static ufc_status execute_plan(const struct ufc_plan *p, void *stream, void *workspace,
                               void *const *data, ufc_error *err) {
    if (p->sequence)
        return execute_sequence(p, stream, workspace, data, err);
    const struct iteration *it = &p->it;
    range_of_call(it->ufunc, "plan", it->overload, 1, &it->total, NULL);
    ufc_status status = execute(p, stream, data, err);
    nvtx_pop();
    return fail_at(err, status, "%s", p->ufunc->name);
}

ufc_status ufc_execute_in(const ufc_plan *plan, void *stream, void *workspace, void *const *data,
                          ufc_error *err) {
    if (!plan)
        return fail(err, UFC_EINVAL, "plan is NULL");
    if (plan->empty)
        return UFC_OK;
    fp_env callers = fp_enter();
    ufc_status status = execute_plan(plan, stream, workspace, data, err);
    fp_leave(callers);
    return status;
}

ufc_status ufc_execute(const ufc_plan *plan, void *stream, void *const *data, ufc_error *err) {
    return ufc_execute_in(plan, stream, NULL, data, err);
}

/* ---- describing */

ufc_status ufc_plan_describe(const ufc_plan *plan, ufc_plan_description *d, ufc_error *err) {
    if (!plan || !d)
        return fail(err, UFC_EINVAL, "%s is NULL", plan ? "description" : "plan");
    describe_nothing(d);
    if (plan->empty)
        return UFC_OK;
    return plan->sequence ? sequence_describe(plan->sequence, d, err)
                          : describe_iteration(plan->ctx, &plan->it, d, err);
}
