/* multiprocessors.c: a GPU of fewer multiprocessors is full with fewer threads, so that each has
 * more rows; but a reduction is cut alike on all, and calls of several phases, or of series, have
 * as many threads, for the sake of equal bits.  On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "phased.h"
#include "summed.h"
#include "ufc.h"

enum { SIDE = 1024, PAIRS = SIDE * SIDE / 2 }; /* a thread takes two neighbours of a row */

static double matrix[SIDE * SIDE], sum[SIDE * SIDE];
static ufc_plan_description d;

static ufc_context *gpu_of(const char *multiprocessors) {
    ufc_context *gpu;
    setenv("FAKECUDA_MULTIPROCESSORS", multiprocessors, 1);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, NULL) == UFC_OK);
    return gpu;
}

static unsigned rows_on(const char *multiprocessors) {
    int64_t shape[] = {SIDE, SIDE};
    DLTensor x = ufc_host_array(matrix, ufc_dltype(UFC_FLOAT64), 2, shape), z = x;
    DLTensor line = ufc_host_array(matrix, ufc_dltype(UFC_FLOAT64), 1, shape);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&line)};
    z.data = sum;
    ufc_out out = ufc_into(&z);
    ufc_context *gpu = gpu_of(multiprocessors);
    REQUIRE(ufc_explain(gpu, NULL, &kernels_add_ufunc, in, &out, NULL, &d, NULL) == UFC_OK);
    ufc_context_free(gpu);
    CHECK(strcmp(d.kernel, "rows") == 0);
    return PAIRS / (d.blocks * d.threads);
}

static const char *passes_on(const char *multiprocessors) {
    int64_t shape[] = {SIDE * SIDE};
    DLTensor x = ufc_host_array(matrix, ufc_dltype(UFC_FLOAT64), 1, shape);
    DLTensor z = ufc_host_array(sum, ufc_dltype(UFC_FLOAT64), 0, shape);
    ufc_context *gpu = gpu_of(multiprocessors);
    REQUIRE(ufc_explain_reduce(gpu, NULL, &kernels_add_ufunc, ufc_array(&x), ufc_into(&z), NULL, &d,
                               NULL) == UFC_OK);
    ufc_context_free(gpu);
    return d.passes;
}

static unsigned threads_on(const char *multiprocessors, int64_t calls) {
    static int32_t key[1000], number[1000];
    int64_t shape[] = {calls, 1000}, same[] = {0, 1}, one[] = {calls};
    DLTensor k = ufc_host_array(key, ufc_dltype(UFC_INT32), 2, shape),
             x = ufc_host_array(number, ufc_dltype(UFC_FLOAT32), 2, shape),
             y = ufc_host_array(matrix, ufc_dltype(UFC_FLOAT32), 2, shape),
             total = ufc_host_array(sum, ufc_dltype(UFC_FLOAT32), 1, one);
    k.strides = x.strides = same;
    ufc_arg in[] = {ufc_array(&k), ufc_array(&x)};
    ufc_out out[] = {ufc_into(&y), ufc_into(&total)};
    ufc_context *gpu = gpu_of(multiprocessors);
    REQUIRE(ufc_explain(gpu, NULL, &phased_weighed_ufunc, in, out, NULL, &d, NULL) == UFC_OK);
    ufc_context_free(gpu);
    CHECK(strcmp(d.kernel, "resident") == 0);
    return d.threads;
}

static unsigned series_on(const char *multiprocessors) {
    static float x[3000], y[200];
    int64_t shape[] = {200, 3000}, same[] = {0, 1};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, shape),
             out = ufc_host_array(y, ufc_dltype(UFC_FLOAT32), 1, shape);
    in.strides = same;
    ufc_arg arg = ufc_array(&in);
    ufc_out into = ufc_into(&out);
    ufc_context *gpu = gpu_of(multiprocessors);
    REQUIRE(ufc_explain(gpu, NULL, &summed_weighed_ufunc, &arg, &into, NULL, &d, NULL) == UFC_OK);
    ufc_context_free(gpu);
    CHECK(strcmp(d.kernel, "series") == 0);
    return d.threads;
}

int main(void) {
    fakecuda_register(&kernels_add_ufunc);
    fakecuda_register(&phased_weighed_ufunc);
    fakecuda_register(&summed_weighed_ufunc);
    CHECK(rows_on("132") == 2);
    CHECK(rows_on("66") == 4 && rows_on("33") == 4);
    CHECK(rows_on("264") == 1 && rows_on("133") == 1);
    char passes[sizeof d.passes];
    strcpy(passes, passes_on("132"));
    CHECK(*passes && strcmp(passes, passes_on("16")) == 0);
    CHECK(threads_on("132", 500) == threads_on("16", 500));
    CHECK(threads_on("132", 2000) == threads_on("16", 2000));
    CHECK(series_on("132") == series_on("16"));
    return test_failures != 0;
}
