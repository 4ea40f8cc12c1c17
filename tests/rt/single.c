/* single.c: ranges of one point, along which NEST finds no neighbours, and ranges so short that a
 * thread has no more than neighbours of a row. */
#include <string.h>
#include "../test.h"
#include "single.h"

enum { ROWS = 300, LONG = 1000, CALLS = 1 << 20, SHORT = 32 };

static ufc_error err;
static int8_t x[LONG], w[ROWS][LONG];
static int32_t y[ROWS];

static ufc_plan_description explained(ufc_context *ctx, const ufc_ufunc *ufunc, const ufc_arg *in,
                                      const DLTensor *out) {
    ufc_plan_description d;
    memset(&d, 0, sizeof d);
    CHECK(ufc_explain(ctx, NULL, ufunc, in, &(ufc_out){.array = out}, NULL, &d, &err) == UFC_OK);
    return d;
}

/* Threads share the sums, not rows that are far apart: one launch is enough. */
static void one_row(ufc_context *ctx) {
    int64_t row[] = {1, LONG}, rows[] = {ROWS, LONG}, results[] = {1, ROWS};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_INT8), 2, row);
    DLTensor b = ufc_host_array(w, ufc_dltype(UFC_INT8), 2, rows);
    DLTensor c = ufc_host_array(y, ufc_dltype(UFC_INT32), 2, results);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_plan_description d = explained(ctx, &single_product_ufunc, in, &c);
    CHECK(strcmp(d.kernel, "nest") == 0 && d.launches == 1);
    for (int j = 0; j < LONG; j++) {
        x[j] = (int8_t)(j % 7 - 3);
        for (int i = 0; i < ROWS; i++)
            w[i][j] = (int8_t)(i * j % 11);
    }
    REQUIRE(ufc_call(ctx, NULL, &single_product_ufunc, in, &(ufc_out){.array = &c}, &err) ==
            UFC_OK);
    for (int i = 0; i < ROWS; i++) {
        int32_t sum = 0;
        for (int j = 0; j < LONG; j++)
            sum += x[j] * w[i][j];
        CHECK(y[i] == sum);
    }
}

/* Four threads have a row of 16 results, four neighbours each. */
static void short_rows(ufc_context *ctx) {
    static float in[CALLS * SHORT], out[CALLS * SHORT / 2]; /* which nothing touches */
    int64_t rows[] = {CALLS, SHORT}, results[] = {CALLS, SHORT / 2};
    DLTensor a = ufc_host_array(in, ufc_dltype(UFC_FLOAT32), 2, rows);
    DLTensor b = ufc_host_array(out, ufc_dltype(UFC_FLOAT32), 2, results);
    ufc_arg arg = ufc_array(&a);
    ufc_plan_description d = explained(ctx, &single_gated_ufunc, &arg, &b);
    CHECK(strcmp(d.kernel, "nest") == 0 && (int64_t)d.blocks * d.threads == CALLS * SHORT / 8);
}

int main(void) {
    ufc_context *ctx;
    REQUIRE(ufc_context_new(&ctx, "sim", 0, &err) == UFC_OK);
    one_row(ctx);
    short_rows(ctx);
    ufc_context_free(ctx);
    return test_failures > 0;
}
