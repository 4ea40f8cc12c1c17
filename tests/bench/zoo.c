/* zoo.c: what tests/bench/zoo.py calls: what a ufunc is, bursts of calls, and how a call goes. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>
#include "ufc.h"

enum { OPERANDS = 16 };

const char *zoo_describe(const ufc_ufunc *ufunc, char *text, size_t size);
double zoo_call(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays, int calls,
                ufc_error *err);
const char *zoo_explain(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays,
                        char *text, size_t size, ufc_error *err);

static void give(const ufc_ufunc *ufunc, const DLTensor *arrays, ufc_arg *in, ufc_out *out) {
    ufc_description d = ufc_describe(ufunc);
    for (int k = 0; k < d.nin; k++)
        in[k] = ufc_array(&arrays[k]);
    for (int k = 0; k < d.nout; k++)
        out[k] = ufc_into(&arrays[d.nin + k]);
}

/* The operands' names, the core dimensions and the first signature, with bars between; the text, or
 * NULL: there are too many operands. */
const char *zoo_describe(const ufc_ufunc *ufunc, char *text, size_t size) {
    ufc_description d = ufc_describe(ufunc);
    if (d.nin + d.nout > OPERANDS)
        return NULL;
    int used = 0;
    for (int k = 0; k < d.nin + d.nout; k++)
        used += snprintf(text + used, size - (size_t)used, "%s ", d.operands[k]);
    snprintf(text + used, size - (size_t)used, "|%s|%s", d.core != NULL ? d.core : "",
             ufc_signature(ufunc, 0));
    return text;
}

/* Seconds by the clock that so many calls, one after the other, took to return; negative: one
 * failed.  arrays: inputs, then outputs. */
double zoo_call(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays, int calls,
                ufc_error *err) {
    ufc_arg in[OPERANDS];
    ufc_out out[OPERANDS];
    give(ufunc, arrays, in, out);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < calls; i++)
        if (ufc_call(ctx, NULL, ufunc, in, out, err) != UFC_OK)
            return -1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* How a call would go, as JSON; the text, or NULL: it would fail. */
const char *zoo_explain(ufc_context *ctx, const ufc_ufunc *ufunc, const DLTensor *arrays,
                        char *text, size_t size, ufc_error *err) {
    ufc_arg in[OPERANDS];
    ufc_out out[OPERANDS];
    ufc_plan_description d;
    give(ufunc, arrays, in, out);
    if (ufc_explain(ctx, NULL, ufunc, in, out, NULL, &d, err) != UFC_OK)
        return NULL;
    double predicted = d.bytes_per_second > 0 ? (double)d.bytes / d.bytes_per_second : 0;
    snprintf(text, size,
             "{\"kernel\": \"%s\", \"launches\": %d, \"blocks\": %u, \"threads\": %u, "
             "\"registers\": %d, \"bytes\": %lld, \"temporaries\": %lld, \"lanes\": %d, "
             "\"host_threads\": %d, \"predicted\": %.6g, \"work\": %.6g, \"work_by\": \"%s\"}",
             d.kernel != NULL ? d.kernel : "", d.launches, d.blocks, d.threads, d.registers,
             (long long)d.bytes, (long long)d.temporaries, d.lanes, d.host_threads, predicted,
             d.work_seconds, d.work_by != NULL ? d.work_by : "");
    return text;
}
