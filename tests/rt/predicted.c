/* predicted.c: what explain predicts of calls, beside their times on an H100, within a factor of
 * 1.5; and what follows from the GPU's properties.  On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "predicted.h"
#include "ufc.h"

static char memory[256];
static ufc_plan_description d;

/* An array of any size: nothing reads it. */
static DLTensor array(ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(memory, ufc_dltype(type), ndim, shape);
}

/* Leaves on the stack what no time is, where the next call's variables are. */
static __attribute__((noinline)) void litter(void) {
    volatile char stack[1 << 15];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = (char)0xff;
}

static double predict(ufc_context *gpu, const ufc_ufunc *f, const ufc_arg *in, DLTensor *result) {
    ufc_out out = ufc_into(result);
    fakecuda_register(f);
    litter();
    REQUIRE(ufc_explain(gpu, NULL, f, in, &out, NULL, &d, NULL) == UFC_OK);
    return (double)d.bytes / d.bytes_per_second;
}

static bool is_about(double seconds, double measured) {
    return seconds > measured / 1.5 && seconds < measured * 1.5;
}

static double product_of(ufc_context *gpu, int64_t n) {
    int64_t shape[] = {n, n};
    DLTensor a = array(UFC_FLOAT32, 2, shape);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&a)};
    return predict(gpu, &predicted_product_ufunc, in, &a);
}

static double low_pass_of(ufc_context *gpu, int64_t calls, int64_t n) {
    int64_t shape[] = {calls, n};
    DLTensor x = array(UFC_FLOAT32, 2, shape);
    ufc_arg in[] = {ufc_array(&x)};
    return predict(gpu, &predicted_low_pass_ufunc, in, &x);
}

static double take_of(ufc_context *gpu, int64_t n, int64_t k) {
    DLTensor x = array(UFC_FLOAT32, 1, &n), at = array(UFC_INT64, 1, &k);
    DLTensor y = array(UFC_FLOAT32, 1, &k);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&at)};
    return predict(gpu, &predicted_take_ufunc, in, &y);
}

static double softmax_of(ufc_context *gpu, int64_t calls, int64_t n) {
    int64_t shape[] = {calls, n};
    DLTensor x = array(UFC_FLOAT32, 2, shape);
    ufc_arg in[] = {ufc_array(&x)};
    return predict(gpu, &predicted_softmax_ufunc, in, &x);
}

/* Of as many calls with the same rows as these are. */
static double attend_of(ufc_context *gpu, int64_t calls, int64_t n) {
    int64_t d = n > 64 ? 64 : 32, rows[] = {calls, n, d}, shared[] = {calls, 1, n, d};
    DLTensor q = array(UFC_FLOAT32, 3, rows), k = array(UFC_FLOAT32, 4, shared), o = q;
    o.data = (void *)((uintptr_t)1 << 40); /* apart */
    ufc_arg in[] = {ufc_array(&q), ufc_array(&k), ufc_array(&k)};
    return predict(gpu, &predicted_attend_ufunc, in, &o);
}

static double diagonal_of(ufc_context *gpu, int64_t n) {
    int64_t shape[] = {n, n};
    DLTensor x = array(UFC_FLOAT32, 2, shape), y = array(UFC_FLOAT32, 0, shape);
    ufc_arg in[] = {ufc_array(&x)};
    return predict(gpu, &predicted_diagonal_ufunc, in, &y);
}

static double stepped_of(ufc_context *gpu, int64_t n) {
    int64_t shape[] = {n, n};
    DLTensor x = array(UFC_FLOAT32, 2, shape), y = x;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&x)};
    y.data = (void *)((uintptr_t)1 << 40); /* apart */
    return predict(gpu, &predicted_stepped_ufunc, in, &y);
}

/* A GPU of the memory's clock, in kHz. */
static ufc_context *open_gpu(const char *memory_clock) {
    ufc_context *gpu;
    setenv("FAKECUDA_CLOCK", "1980000", 1);
    setenv("FAKECUDA_MEMORY_CLOCK", memory_clock, 1);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, NULL) == UFC_OK);
    return gpu;
}

static void check_measured(ufc_context *gpu) {
    CHECK(is_about(product_of(gpu, 4096), 3112e-6));
    CHECK(is_about(low_pass_of(gpu, 1024, 65536), 429e-6));  /* of steps that wait */
    CHECK(is_about(low_pass_of(gpu, 65536, 1024), 212e-6));  /* of memory */
    CHECK(is_about(take_of(gpu, 1 << 20, 1 << 26), 586e-6)); /* of the L2 cache */
    CHECK(is_about(take_of(gpu, 1 << 26, 1 << 24), 571e-6)); /* of memory, two sectors each */
    CHECK(is_about(softmax_of(gpu, 16384, 8192), 356e-6));
    CHECK(is_about(softmax_of(gpu, 2097152, 64), 359e-6));
    CHECK(is_about(attend_of(gpu, 1024, 64), 45e-6) && strcmp(d.kernel, "band") == 0);
    CHECK(is_about(attend_of(gpu, 16, 1024), 178e-6) && strcmp(d.kernel, "band") == 0);
}

/* Where memory is 1.4 times as fast what waits for other things takes as long. */
static void check_memory(ufc_context *gpu, ufc_context *faster) {
    CHECK(softmax_of(gpu, 2097152, 64) > 1.2 * softmax_of(faster, 2097152, 64));
    CHECK(low_pass_of(gpu, 1024, 65536) < 1.05 * low_pass_of(faster, 1024, 65536));
    CHECK(take_of(gpu, 1 << 20, 1 << 26) < 1.15 * take_of(faster, 1 << 20, 1 << 26));
}

/* A diagonal is no more than its elements, and n^2 additions in order wait for one another. */
static void check_counts(ufc_context *gpu) {
    CHECK(diagonal_of(gpu, 16384) < 30e-6);
    CHECK(stepped_of(gpu, 4096) > 4096. * 4096 * 4 / 1.98e9);
}

int main(void) {
    ufc_context *gpu = open_gpu("2619000"), *faster = open_gpu("3667000");
    check_measured(gpu);
    check_memory(gpu, faster);
    check_counts(gpu);
    ufc_context_free(gpu);
    ufc_context_free(faster);
    return test_failures != 0;
}
