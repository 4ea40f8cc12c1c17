/* held.c: rows that several passes read get as many threads as hold them in registers, as far as
 * blocks have these. */
#include <string.h>

#include "../test.h"
#include "held.h"

static double row[16384];

static void expect(ufc_context *sim, ufc_type type, int64_t n, const char *kernel,
                   unsigned threads) {
    DLTensor x = ufc_host_array(row, ufc_dltype(type), 1, &n), y = x;
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out out = ufc_into(&y);
    CHECK(ufc_explain(sim, NULL, &held_centre_ufunc, in, &out, NULL, &d, NULL) == UFC_OK &&
          strcmp(d.kernel, kernel) == 0 && d.call_threads == threads);
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
    expect(sim, UFC_FLOAT64, 256, "warp", 32);
    expect(sim, UFC_FLOAT64, 4096, "block", 512);
    ufc_context_free(sim);
    return test_failures != 0;
}
