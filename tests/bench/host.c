/* host.c: what tests/bench/host.py and gufuncs.py call: the time of calls in C. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>
#include "ufc.h"

double host_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, int type, int64_t n,
                    void *const *data, int calls);
double host_call_seconds(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays,
                         int calls);

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
