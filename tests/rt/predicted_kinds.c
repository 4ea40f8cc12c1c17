/* predicted_kinds.c: what explain predicts of windows, of merges into bins, of ragged rows, of
 * scans, of steps over grids, of sums in order and of ufuncs of scalars grows with what they do.
 * On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "predicted_kinds.h"
#include "ufc.h"

static char memory[256];
static ufc_plan_description d;

/* An array of any size: nothing reads it. */
static DLTensor array(ufc_type type, int ndim, int64_t *shape) {
    DLTensor a = ufc_host_array(memory, ufc_dltype(type), ndim, shape);
    a.device.device_type = kDLCUDA;
    return a;
}

static double predict(ufc_context *gpu, const ufc_ufunc *f, const ufc_arg *in, DLTensor *result) {
    ufc_out out = ufc_into(result);
    ufc_error err;
    result->data = (void *)((uintptr_t)1 << 40); /* apart */
    if (ufc_explain(gpu, NULL, f, in, &out, NULL, &d, &err) != UFC_OK) {
        printf("%s\n", err.message);
        test_failures++;
        return 0;
    }
    return (double)d.bytes / d.bytes_per_second;
}

static double blur_of(ufc_context *gpu, int64_t n, int64_t side) {
    int64_t shape[] = {n, n}, sides[] = {side, side};
    DLTensor x = array(UFC_FLOAT32, 2, shape), w = array(UFC_FLOAT32, 2, sides), y = x;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&w)};
    return predict(gpu, &predicted_kinds_blur_ufunc, in, &y);
}

static double histogram_of(ufc_context *gpu, int64_t n, int64_t bins) {
    DLTensor x = array(UFC_INT32, 1, &n), h = array(UFC_INT64, 1, &bins), c = h;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&h)};
    return predict(gpu, &predicted_kinds_histogram_ufunc, in, &c);
}

static double ragged_of(ufc_context *gpu, int64_t rows, int64_t n) {
    DLTensor start = array(UFC_INT64, 1, &rows), x = array(UFC_FLOAT32, 1, &n);
    DLTensor y = array(UFC_FLOAT32, 1, &rows);
    ufc_arg in[] = {ufc_array(&start), ufc_array(&x)};
    return predict(gpu, &predicted_kinds_ragged_ufunc, in, &y);
}

/* Calls side by side: elements lie across them. */
static double running_of(ufc_context *gpu, ufc_type type, int64_t calls, int64_t n) {
    int64_t shape[] = {calls, n}, across[] = {1, calls};
    DLTensor x = array(type, 2, shape), y = array(UFC_FLOAT32, 2, shape);
    x.strides = y.strides = across;
    ufc_arg in[] = {ufc_array(&x)};
    return predict(gpu, &predicted_kinds_running_ufunc, in, &y);
}

static double heat_of(ufc_context *gpu, int64_t n) {
    DLTensor x = array(UFC_FLOAT32, 1, &n), y = x;
    ufc_arg in[] = {ufc_array(&x)};
    return predict(gpu, &predicted_kinds_heat_ufunc, in, &y);
}

static double descent_of(ufc_context *gpu, int64_t n, int64_t d, int64_t steps) {
    int64_t shape[] = {n, d};
    DLTensor x = array(UFC_FLOAT32, 2, shape), w = array(UFC_FLOAT32, 1, shape + 1);
    ufc_arg in[] = {ufc_array(&x), ufc_int(steps)};
    return predict(gpu, &predicted_kinds_descent_ufunc, in, &w);
}

static double transport_of(ufc_context *gpu, int64_t m, int64_t n) {
    int64_t shape[] = {m, n};
    DLTensor c = array(UFC_FLOAT64, 2, shape), p = c;
    ufc_arg in[] = {ufc_array(&c)};
    return predict(gpu, &predicted_kinds_transport_ufunc, in, &p);
}

/* Apart: the distance of elements. */
static double blend_of(ufc_context *gpu, int64_t n, int64_t apart) {
    DLTensor x = array(UFC_FLOAT32, 1, &n), y = x;
    x.strides = &apart;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&x)};
    return predict(gpu, &predicted_kinds_blend_ufunc, in, &y);
}

static bool is_between(double ratio, double least, double most) {
    if (ratio >= least && ratio <= most)
        return true;
    printf("%g is not within %g and %g\n", ratio, least, most);
    return false;
}

static void check_windows(ufc_context *gpu) {
    double small = blur_of(gpu, 4096, 5);
    CHECK(strcmp(d.kernel, "window") == 0);
    CHECK(is_between(blur_of(gpu, 8192, 5) / small, 3, 5));
    CHECK(is_between(blur_of(gpu, 4096, 11) / small, 1.5, 6)); /* 4.8 times the products */
}

static void check_merges(ufc_context *gpu) {
    double few = histogram_of(gpu, INT64_C(1) << 26, 1000); /* in shared memory */
    CHECK(is_between(histogram_of(gpu, INT64_C(1) << 28, 1000) / few, 3, 5));
    CHECK(histogram_of(gpu, INT64_C(1) << 26, INT64_C(1) << 20) > few); /* in the L2 cache */
    double cached = histogram_of(gpu, INT64_C(1) << 26, INT64_C(1) << 20);
    CHECK(histogram_of(gpu, INT64_C(1) << 26, INT64_C(1) << 26) > cached); /* in memory */
}

/* Rows share out what there is: more of them are shorter. */
static void check_ragged(ufc_context *gpu) {
    double rows = ragged_of(gpu, 1 << 20, 1 << 26);
    CHECK(is_between(ragged_of(gpu, 1 << 20, 1 << 28) / rows, 2, 6));
}

static void check_scans(ufc_context *gpu) {
    double few = running_of(gpu, UFC_FLOAT32, 64, 1 << 14);
    CHECK(strcmp(d.kernel, "prefix") == 0);
    double long_ones = running_of(gpu, UFC_FLOAT32, 64, 1 << 20);
    CHECK(is_between(long_ones / few, 4, 64));
    CHECK(running_of(gpu, UFC_INT16, 64, 1 << 20) > long_ones);
    CHECK(strstr(d.copies, "x as float32"));
}

static void check_grids(ufc_context *gpu) {
    double small = heat_of(gpu, 10000000);
    CHECK(strcmp(d.kernel, "halo") == 0);
    CHECK(is_between(heat_of(gpu, 40000000) / small, 2, 6));
    double few = descent_of(gpu, 1 << 20, 8, 4);
    CHECK(is_between(descent_of(gpu, 1 << 24, 8, 4) / few, 4, 20));
}

/* Sums in order by the steps of several blocks: 1.26 ms on an H200. */
static void check_sums(ufc_context *gpu) {
    double seconds = transport_of(gpu, 2048, 2048);
    CHECK(strcmp(d.kernel, "block") == 0);
    CHECK(is_between(seconds / 1.26e-3, 1 / 1.5, 1.5));
    CHECK(is_between(transport_of(gpu, 2048, 8192) / seconds, 1.5, 5));
}

static void check_scalars(ufc_context *gpu) {
    double dense = blend_of(gpu, 1 << 24, 1);
    CHECK(is_between(blend_of(gpu, 1 << 26, 1) / dense, 3, 5));
    CHECK(is_between(blend_of(gpu, 1 << 24, 8) / dense, 2, 9)); /* whole sectors for an element */
}

/* Threads that share rows are so many that they read whole sectors together. */
static void check_rows(ufc_context *gpu) {
    int64_t shape[] = {1 << 20, 64};
    DLTensor x = array(UFC_FLOAT32, 2, shape), y = array(UFC_FLOAT32, 1, shape);
    ufc_arg in[] = {ufc_array(&x)};
    predict(gpu, &predicted_kinds_peaks_ufunc, in, &y);
    CHECK(d.call_threads >= 8);
}

/* Many calls of many short steps have few warps each: a warp goes through all parts of a step. */
static void check_calls(ufc_context *gpu) {
    int64_t shape[] = {1024, 64, 64};
    DLTensor a = array(UFC_FLOAT32, 3, shape), y = a;
    ufc_arg in[] = {ufc_array(&a)};
    predict(gpu, &predicted_kinds_shortest_ufunc, in, &y);
    CHECK(strcmp(d.kernel, "resident") == 0 && d.threads <= 64);
}

int main(void) {
    ufc_context *gpu;
    ufc_error err;
    setenv("FAKECUDA_CLOCK", "1980000", 1);
    setenv("FAKECUDA_MEMORY_CLOCK", "2619000", 1);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    fakecuda_register(&predicted_kinds_blur_ufunc);
    fakecuda_register(&predicted_kinds_histogram_ufunc);
    fakecuda_register(&predicted_kinds_ragged_ufunc);
    fakecuda_register(&predicted_kinds_running_ufunc);
    fakecuda_register(&predicted_kinds_heat_ufunc);
    fakecuda_register(&predicted_kinds_descent_ufunc);
    fakecuda_register(&predicted_kinds_blend_ufunc);
    fakecuda_register(&predicted_kinds_transport_ufunc);
    fakecuda_register(&predicted_kinds_peaks_ufunc);
    fakecuda_register(&predicted_kinds_shortest_ufunc);
    check_windows(gpu);
    check_merges(gpu);
    check_ragged(gpu);
    check_scans(gpu);
    check_grids(gpu);
    check_sums(gpu);
    check_scalars(gpu);
    check_rows(gpu);
    check_calls(gpu);
    ufc_context_free(gpu);
    return test_failures != 0;
}
