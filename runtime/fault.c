/* fault.c: faults of builds with checks: kernels record the first subscript out of range in a
 * struct ufc_fault, and the call that ran them fails with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt.h"

/* Adds a number, with as many digits as tell it from others. */
static void fail_number(ufc_error *err, const char *before, double x) {
    char digits[32];
    int precision = 15;
    do
        (void)snprintf(digits, sizeof digits, "%.*g", precision, x);
    while (strtod(digits, NULL) != x && precision++ < 17);
    fail_more(err, "%s%s", before, digits);
}

static void fail_assertion(const char *text, const struct ufc_fault *fault, ufc_error *err) {
    double values[2];
    memcpy(&values[0], &fault->index, sizeof values[0]);
    memcpy(&values[1], &fault->size, sizeof values[1]);
    fail(err, UFC_EINVAL, "%s does not hold", text);
    if (fault->index == -1 && fault->size == -1) /* NaNs: there is no comparison */
        return;
    fail_number(err, ", of ", values[0]);
    if (fault->size != -1)
        fail_number(err, " and ", values[1]);
}

/* Finds which element of an array has an address, axis by axis from the longest stride on.  False
 * where that is not one element alone. */
static bool find_element(const struct operand *array, uint64_t address, int64_t *index) {
    bool found[MAX_RANK] = {false};
    int64_t offset = (int64_t)(address - (uintptr_t)array->data);
    for (int i = 0; i < array->ndim; i++)
        if (array->stride[i] < 0) /* its last element is the axis's first in memory */
            offset -= (array->shape[i] - 1) * array->stride[i];
    for (int n = 0; n < array->ndim; n++) {
        int axis = -1;
        for (int i = 0; i < array->ndim; i++)
            if (!found[i] && (axis < 0 || llabs(array->stride[i]) > llabs(array->stride[axis])))
                axis = i;
        int64_t stride = llabs(array->stride[axis]), last = array->shape[axis] - 1;
        if (last > 0 && stride == 0)
            return false;
        int64_t at = last > 0 ? offset / stride : 0;
        if (at < 0 || at > last)
            return false;
        offset -= at * stride;
        index[axis] = array->stride[axis] < 0 ? last - at : at;
        found[axis] = true;
    }
    return offset == 0;
}

/* Adds the index of the call, or of a ufunc's element, that a fault was in. */
static void add_index(const struct ufc_ufunc *ufunc, const struct calls_place *place,
                      const struct ufc_fault *fault, ufc_error *err) {
    int64_t index[MAX_RANK];
    const struct operand *output = place ? place->output : NULL;
    if (!output || output->ndim <= 0 || !find_element(output, fault->output, index))
        return;
    fail_more(err, ufunc->core ? ", in call [" : ", at [");
    for (int i = 0; i < output->ndim; i++)
        fail_more(err, "%s%lld", i ? ", " : "",
                  (long long)(index[i] + (place->start ? place->start[i] : 0)));
    fail_more(err, "]");
}

/* Fails with the fault, if there is one. */
static ufc_status check_fault(const struct ufc_ufunc *ufunc, const struct calls_place *place,
                              const struct ufc_fault *fault, ufc_error *err) {
    if (!fault->set)
        return UFC_OK;
    bool known = fault->place >= 0 && (uint64_t)fault->place < ufunc->nplaces;
    if (known && ufunc->places[fault->place][0] == UFC_ASSERTION)
        fail_assertion(ufunc->places[fault->place] + 1, fault, err);
    else
        fail(err, UFC_EINVAL, "%s: index %lld is out of range for size %lld",
             known ? ufunc->places[fault->place] : "a subscript", (long long)fault->index,
             (long long)fault->size);
    add_index(ufunc, place, fault, err);
    return UFC_EINVAL;
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

ufc_status finding_end(struct finding *f, const struct ufc_ufunc *ufunc,
                       const struct calls_place *place, ufc_error *err) {
    if (!f->checks)
        return UFC_OK;
    pthread_mutex_destroy(&f->lock);
    return check_fault(ufunc, place, &f->fault, err);
}

/* ---- where kernels are launched */

ufc_status launch_checked(struct launcher *l, const struct ufc_overload *overload,
                          const struct ufc_ufunc *ufunc, const struct calls_place *place,
                          launches_fn *launches, const void *work, ufc_error *err) {
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
    return status == UFC_OK ? check_fault(ufunc, place, &fault, err) : status;
}
