/* bound.c: the bound that explain gives: bytes at the rate of copies, and operations at the GPU's
 * rates; and the time that it predicts.  On the fake driver, as a GPU of 132 multiprocessors of
 * compute capability 9.0 at 1 GHz, with 5120 bits of memory at 1 GHz. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "bodies.h"
#include "ufc.h"

static double memory[4096];
static const double copied_a_second = 0.9 * 2e9 * 5120 / 8;
static ufc_context *gpu;
static ufc_plan_description d;

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static DLTensor array(ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(memory, ufc_dltype(type), ndim, shape);
}

static void explain(const ufc_ufunc *f, const ufc_arg *in, const DLTensor *result) {
    ufc_out out = ufc_into(result);
    fakecuda_register(f);
    if (f->overloads[0].other)
        fakecuda_register(f->overloads[0].other);
    REQUIRE(ufc_explain(gpu, NULL, f, in, &out, NULL, &d, NULL) == UFC_OK);
}

static void check_product(void) {
    int64_t left[] = {8, 16}, right[] = {16, 32}, both[] = {8, 32};
    DLTensor a = array(UFC_FLOAT32, 2, left), b = array(UFC_FLOAT32, 2, right);
    DLTensor c = array(UFC_FLOAT32, 2, both);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    explain(&bodies_product_ufunc, in, &c);
    CHECK(near(d.bytes_seconds, (8 * 16 + 16 * 32 + 8 * 32) * 4 / copied_a_second));
    CHECK(near(d.work_seconds, 8 * 16 * 32 / (128 * 132 * 1e9)));
    CHECK(strcmp(d.work_by, "float32") == 0);
    CHECK(strstr(d.statements, ": 256 points, each a reduction of 16; "));
    CHECK(strstr(d.statements, "; 3.58 kB, 4.1 k float32: 0.0 us of bytes\n"));
}

static void check_copied(void) {
    int64_t shape[] = {1000};
    DLTensor x = array(UFC_FLOAT64, 1, shape);
    ufc_arg in[] = {ufc_array(&x)};
    explain(&bodies_copied_ufunc, in, &x);
    CHECK(d.work_seconds == 0 && strcmp(d.work_by, "none") == 0);
}

/* In float64 a division counts as eight operations. */
static void check_reciprocals(void) {
    int64_t shape[] = {1000};
    DLTensor x = array(UFC_FLOAT64, 1, shape), y = array(UFC_FLOAT64, 0, shape);
    ufc_arg in[] = {ufc_array(&x)};
    explain(&bodies_reciprocals_ufunc, in, &y);
    CHECK(near(d.work_seconds, 1000 * 9 / (64 * 132 * 1e9)));
    CHECK(strcmp(d.work_by, "float64") == 0);
}

/* All additions of both loops wait for one another, at 4 clocks each; of bins, the n / g of one. */
static void check_chain(void) {
    int64_t rows[] = {100, 200}, keys[] = {1000}, bins[] = {10};
    DLTensor x = array(UFC_FLOAT32, 2, rows), s = array(UFC_FLOAT32, 0, rows);
    DLTensor k = array(UFC_INT32, 1, keys), v = array(UFC_FLOAT32, 1, keys);
    DLTensor h = array(UFC_FLOAT32, 1, bins);
    ufc_arg in[] = {ufc_array(&x)}, updates[] = {ufc_array(&k), ufc_array(&v), ufc_array(&h)};
    explain(&bodies_total_in_order_ufunc, in, &s);
    CHECK(near(d.work_seconds, 100 * 200 * 4 / 1e9) && near(d.chained, 100 * 200));
    CHECK(strcmp(d.work_by, "chain") == 0);
    explain(&bodies_diagonal_ufunc, in, &s);
    CHECK(near(d.work_seconds, 100 * 4 / 1e9) && near(d.chained, 100));
    rows[0] = 300;
    explain(&bodies_diagonal_ufunc, in, &s);
    CHECK(near(d.work_seconds, 200 * 4 / 1e9) && near(d.chained, 200));
    explain(&bodies_bins_in_order_ufunc, updates, &h);
    CHECK(near(d.work_seconds, 1000 / 10 * 4 / 1e9) && near(d.chained, 100));
    bins[0] = 0;
    explain(&bodies_bins_in_order_ufunc, updates, &h);
    CHECK(d.work_seconds == 0 || strcmp(d.work_by, "chain") != 0);
}

static double predicted(void) {
    return (double)d.bytes / d.bytes_per_second;
}

/* Calls larger than the memory can be described: nothing reads the arrays. */
static void check_predictions(void) {
    int64_t few[] = {1000}, many[] = {1 << 28}, square[] = {4096, 4096};
    DLTensor x = array(UFC_FLOAT64, 1, few), a = array(UFC_FLOAT32, 2, square);
    ufc_arg in[] = {ufc_array(&x)}, both[] = {ufc_array(&a), ufc_array(&a)};
    explain(&bodies_copied_ufunc, in, &x);
    CHECK(predicted() > 3e-6 && predicted() < 1e-5 && strcmp(d.predicted_by, "the host") == 0);
    x.shape = many;
    explain(&bodies_copied_ufunc, in, &x);
    CHECK(predicted() > d.bytes_seconds && predicted() < 1.5 * d.bytes_seconds);
    CHECK(strcmp(d.predicted_by, "memory") == 0 && strstr(d.passes, " us by memory"));
    explain(&bodies_product_ufunc, both, &a);
    CHECK(predicted() > d.work_seconds && predicted() < 2 * d.work_seconds);
    CHECK(strcmp(d.predicted_by, "memory") != 0);
}

/* A thread that may leave its loop loads one element of its row after the other: a line of the L1
 * cache for each of a warp's, or as many waits as there are elements. */
static void check_ends(void) {
    int64_t rows[] = {65536, 1024}, few[] = {4096, 4096};
    DLTensor x = array(UFC_FLOAT32, 2, rows), at = array(UFC_INT64, 1, rows);
    DLTensor v = array(UFC_FLOAT64, 2, few), k = array(UFC_BOOL, 2, few);
    DLTensor s = array(UFC_FLOAT64, 1, few);
    ufc_arg in[] = {ufc_array(&x)}, both[] = {ufc_array(&v), ufc_array(&k)};
    at.data = s.data = (void *)((uintptr_t)memory + (UINT64_C(1) << 30)); /* nothing is there */
    explain(&bodies_first_beyond_ufunc, in, &at);
    CHECK(strcmp(d.kernel, "warp") == 0);
    explain(&bodies_sum_to_ufunc, both, &s);
    CHECK(strcmp(d.kernel, "thread") == 0 && predicted() > 4096 * 100 / 1e9);
}

/* A call's loops are short, but what is in them is worth more than a block. */
static void check_choice(void) {
    for (int64_t n = 32; n <= 1024; n *= 32) {
        int64_t square[] = {n, n}, line[] = {n};
        DLTensor a = array(UFC_FLOAT32, 2, square), x = array(UFC_FLOAT32, 1, line);
        ufc_arg in[] = {ufc_array(&a), ufc_array(&x)};
        DLTensor y = x;
        y.data = memory + 2048;
        ufc_out out[] = {ufc_into(&x), ufc_into(&y)};
        fakecuda_register(&bodies_twice_ufunc);
        REQUIRE(ufc_explain(gpu, NULL, &bodies_twice_ufunc, in, out, NULL, &d, NULL) == UFC_OK);
        CHECK((strcmp(d.kernel, "sweep") == 0) == (n > 32));
        CHECK(n == 32 ||
              (d.launches > 1 && predicted() < 5e-5 && strstr(d.passes, "nest, joining")));
    }
}

int main(void) {
    setenv("FAKECUDA_CLOCK", "1000000", 1);
    setenv("FAKECUDA_MEMORY_CLOCK", "1000000", 1);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, NULL) == UFC_OK);
    check_product();
    check_copied();
    check_reciprocals();
    check_chain();
    check_predictions();
    check_ends();
    check_choice();
    ufc_context_free(gpu);
    return test_failures != 0;
}
