/* fault.c: faults of builds with checks: kernels record the first subscript out of range in a
 * struct ufc_fault, and the call that ran them fails with it. */
#include <string.h>

#include "rt.h"

static ufc_status fail_assertion(const char *text, const struct ufc_fault *fault, ufc_error *err) {
    double values[2];
    memcpy(&values[0], &fault->index, sizeof values[0]);
    memcpy(&values[1], &fault->size, sizeof values[1]);
    if (fault->index == -1 && fault->size == -1) /* a NaN: no comparison */
        return fail(err, UFC_EINVAL, "%s does not hold", text);
    if (fault->size == -1) /* one value */
        return fail(err, UFC_EINVAL, "%s does not hold, of %.17g", text, values[0]);
    return fail(err, UFC_EINVAL, "%s does not hold, of %.17g and %.17g", text, values[0],
                values[1]);
}

static ufc_status check_fault(const struct ufc_ufunc *ufunc, const struct ufc_fault *fault,
                              ufc_error *err) {
    if (!fault->set)
        return UFC_OK;
    bool known = fault->place >= 0 && (uint64_t)fault->place < ufunc->nplaces;
    if (known && ufunc->places[fault->place][0] == UFC_ASSERTION)
        return fail_assertion(ufunc->places[fault->place] + 1, fault, err);
    return fail(err, UFC_EINVAL, "%s: index %lld is out of range for size %lld",
                known ? ufunc->places[fault->place] : "a subscript", (long long)fault->index,
                (long long)fault->size);
}

/* ---- on the host */

void finding_begin(struct finding *f, const struct ufc_overload *overload) {
    f->checks = overload->flags & UFC_CHECKS;
    f->fault.set = 0;
    if (f->checks)
        pthread_mutex_init(&f->lock, NULL);
}

static void keep_fault(struct finding *f, int64_t at, const struct ufc_fault *fault) {
    pthread_mutex_lock(&f->lock);
    if (!f->fault.set || at < f->at) {
        f->at = at;
        f->fault = *fault;
    }
    pthread_mutex_unlock(&f->lock);
}

void run_checked(struct finding *f, int64_t at, ufc_host_kernel *kernel, char **args,
                 const intptr_t *dimensions, const intptr_t *steps, struct ufc_host_call *call) {
    struct ufc_host_call own = {.share = NULL};
    call = call ? call : &own;
    kernel(args, dimensions, steps, call);
    if (call->fault.set)
        keep_fault(f, at, &call->fault);
}

ufc_status finding_end(struct finding *f, const struct ufc_ufunc *ufunc, ufc_error *err) {
    if (!f->checks)
        return UFC_OK;
    pthread_mutex_destroy(&f->lock);
    return check_fault(ufunc, &f->fault, err);
}

/* ---- where kernels are launched */

ufc_status launch_checked(struct launcher *l, const struct ufc_overload *overload,
                          const struct ufc_ufunc *ufunc, launches_fn *launches, const void *work,
                          ufc_error *err) {
    struct ufc_fault fault = {.set = 0};
    void *memory = NULL;
    if (!(overload->flags & UFC_CHECKS))
        return launches(l, work, err);
    ufc_status status = l->ctx->ops->alloc(l->ctx, l->stream, sizeof fault, &memory, err);
    if (status != UFC_OK)
        return status;
    l->fault = (uintptr_t)memory;
    status = l->put(l, memory, &fault, sizeof fault, err);
    if (status == UFC_OK)
        status = launches(l, work, err);
    if (status == UFC_OK)
        status = l->get(l, &fault, memory, sizeof fault, err);
    l->ctx->ops->free(l->ctx, l->stream, memory);
    return status == UFC_OK ? check_fault(ufunc, &fault, err) : status;
}
