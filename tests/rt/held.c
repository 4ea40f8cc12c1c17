/* held.c: rows that several passes read get as many threads as hold them in registers, of a warp or
 * a block, or as many blocks as keep them in shared memory, which have one row after the other. */
#include <math.h>
#include <string.h>

#include "../test.h"
#include "held.h"

enum { MOST = 7 * 16400 };

static double row[MOST], one[MOST], other[MOST];

static void expect(ufc_context *sim, ufc_type type, int64_t n, const char *kernel,
                   unsigned threads) {
    DLTensor x = ufc_host_array(row, ufc_dltype(type), 1, &n), y = x;
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out out = ufc_into(&y);
    CHECK(ufc_explain(sim, NULL, &held_centre_ufunc, in, &out, NULL, &d, NULL) == UFC_OK &&
          strcmp(d.kernel, kernel) == 0 && d.call_threads == threads);
}

/* Many rows of which this GPU's blocks can keep none together: all blocks have parts of them. */
static void expect_apart(ufc_context *sim) {
    int64_t shape[] = {1000, 1 << 18};
    DLTensor x = ufc_host_array(row, ufc_dltype(UFC_FLOAT32), 2, shape), y = x;
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out out = ufc_into(&y);
    y.data = one;
    CHECK(ufc_explain(sim, NULL, &held_centre_ufunc, in, &out, NULL, &d, NULL) == UFC_OK &&
          strcmp(d.kernel, "nest") == 0);
}

static double element(ufc_type type, const void *data, int i) {
    return type == UFC_FLOAT32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static void centre(ufc_context *ctx, ufc_type type, int64_t *shape, double *result) {
    DLTensor a = ufc_host_array(row, ufc_dltype(type), 2, shape), b = a;
    b.data = result;
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out out = ufc_into(&b);
    REQUIRE(ufc_call(ctx, NULL, &held_centre_ufunc, in, &out, NULL) == UFC_OK);
}

/* Calls that are more than the blocks have at a time. */
static void compute(ufc_context *sim, ufc_type type, int calls, int n) {
    int64_t shape[] = {calls, n};
    ufc_context *host;
    double far = 0;
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    for (int i = 0; i < calls * n; i++) {
        double v = i % 1009 + i / n;
        if (type == UFC_FLOAT32)
            ((float *)row)[i] = (float)v;
        else
            row[i] = v;
    }
    centre(host, type, shape, one);
    centre(sim, type, shape, other);
    for (int i = 0; i < calls * n; i++)
        far = fmax(far, fabs(element(type, one, i) - element(type, other, i)));
    CHECK(far < 1e-3);
    ufc_context_free(host);
}

int main(void) {
    ufc_context *sim;
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    expect(sim, UFC_FLOAT32, 1, "thread", 1);
    expect(sim, UFC_FLOAT32, 16, "warp", 1);
    expect(sim, UFC_FLOAT32, 17, "warp", 2);
    expect(sim, UFC_FLOAT32, 512, "warp", 32);
    expect(sim, UFC_FLOAT32, 513, "block", 64);
    expect(sim, UFC_FLOAT32, 8192, "block", 512);
    expect(sim, UFC_FLOAT32, 16384, "block", 1024);
    expect(sim, UFC_FLOAT32, 16385, "joint", 1024);
    expect(sim, UFC_FLOAT32, 32768, "joint", 1024);
    expect(sim, UFC_FLOAT64, 8192, "joint", 512);
    expect(sim, UFC_FLOAT64, 5000, "joint", 512);
    expect(sim, UFC_FLOAT64, 256, "warp", 32);
    expect(sim, UFC_FLOAT64, 4096, "block", 512);
    expect_apart(sim);
    compute(sim, UFC_FLOAT32, 7, 16400); /* by two groups of two blocks */
    compute(sim, UFC_FLOAT64, 11, 5000); /* by a block each */
    ufc_context_free(sim);
    return test_failures != 0;
}
