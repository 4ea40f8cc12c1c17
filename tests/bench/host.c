/* host.c: what tests/bench/host.py and gufuncs.py call: the time of calls in C. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>
#include "ufc.h"

double host_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, int type, int64_t n,
                    void *const *data, int calls);
double host_call_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays,
                         int calls);
double host_method_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, int method,
                           const DLTensor *arrays, const DLTensor *where, int axis, int calls);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that a call takes, on average of so many.  data: the inputs, then the output, each n
 * elements of the type.  Negative: a call failed. */
double host_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, int type, int64_t n,
                    void *const *data, int calls) {
    int nin = ufc_describe(ufunc).nin;
    DLTensor array[3];
    ufc_arg in[2];
    for (int k = 0; k <= nin; k++)
        array[k] = ufc_host_array(data[k], ufc_dltype((ufc_type)type), 1, &n);
    for (int k = 0; k < nin; k++)
        in[k] = ufc_array(&array[k]);
    ufc_out out[] = {ufc_into(&array[nin])};
    double begin = now();
    for (int i = 0; i < calls; i++)
        if (ufc_call(ctx, NULL, ufunc, in, out, NULL) != UFC_OK)
            return -1;
    return (now() - begin) / calls;
}

/* The same of any ufunc and arrays: inputs, then outputs. */
double host_call_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays,
                         int calls) {
    ufc_description d = ufc_describe(ufunc);
    ufc_arg in[8];
    ufc_out out[8];
    for (int k = 0; k < d.nin; k++)
        in[k] = ufc_array(&arrays[k]);
    for (int k = 0; k < d.nout; k++)
        out[k] = ufc_into(&arrays[d.nin + k]);
    double begin = now();
    for (int i = 0; i < calls; i++)
        if (ufc_call(ctx, NULL, ufunc, in, out, NULL) != UFC_OK)
            return -1;
    return (now() - begin) / calls;
}

/* As host_methods.py numbers them. */
enum { CALL, REDUCE, REDUCE_ALL, ACCUMULATE, OUTER, REDUCEAT, AT };

static ufc_status run(ufc_context *ctx, const ufc_ufunc *ufunc, int method, const DLTensor *a,
                      const ufc_keywords *k) {
    ufc_arg in[] = {ufc_array(a), ufc_array(a + 1), ufc_array(a + 2)};
    ufc_out out[] = {ufc_into(a + (method == CALL ? ufc_describe(ufunc).nin : 1))};
    switch (method) {
    case REDUCE:
    case REDUCE_ALL: return ufc_reduce(ctx, NULL, ufunc, in[0], out[0], k, NULL);
    case ACCUMULATE: return ufc_accumulate(ctx, NULL, ufunc, in[0], out[0], k, NULL);
    case OUTER: return ufc_outer(ctx, NULL, ufunc, in[0], in[1], ufc_into(a + 2), k, NULL);
    case REDUCEAT: return ufc_reduceat(ctx, NULL, ufunc, in[0], a + 1, ufc_into(a + 2), k, NULL);
    case AT: return ufc_at(ctx, NULL, ufunc, a, a + 1, in[2], NULL);
    default: return ufc_call_with(ctx, NULL, ufunc, in, out, k, NULL);
    }
}

/* The same of a method, whose arrays are in the order of its arguments; axis counts where it takes
 * one, and where may be NULL.  Calls cast their results to what the output holds. */
double host_method_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, int method,
                           const DLTensor *arrays, const DLTensor *where, int axis, int calls) {
    ufc_keywords k = {.where = where, .all_axes = method == REDUCE_ALL};
    if (method == CALL && !ufc_describe(ufunc).core)
        k.casting = UFC_CASTING_UNSAFE;
    if (method == REDUCE || method == ACCUMULATE || method == REDUCEAT) {
        k.axes = &axis;
        k.naxes = 1;
    }
    double begin = now();
    for (int i = 0; i < calls; i++)
        if (run(ctx, ufunc, method, arrays, &k) != UFC_OK)
            return -1;
    return (now() - begin) / calls;
}
