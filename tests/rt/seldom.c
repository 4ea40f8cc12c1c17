/* seldom.c: which threads share calls with loops that mostly do nothing.  On the fake driver. */
#include "../fakecuda.h"
#include "../test.h"
#include "seldom.h"
#include "ufc.h"

static ufc_context *gpu;
static char memory[64];

/* The threads of a call of f, of so many calls of n float64. */
static int64_t threads(const ufc_ufunc *f, int64_t calls, int64_t n, int results) {
    static ufc_plan_description d;
    int64_t shape[] = {calls, n}, out_shape[] = {calls, results};
    DLTensor x = ufc_host_array(memory, ufc_dltype(UFC_FLOAT64), 2, shape),
             y = ufc_host_array(memory, ufc_dltype(UFC_FLOAT64), results > 1 ? 2 : 1, out_shape);
    ufc_arg in = ufc_array(&x);
    ufc_out out = ufc_into(&y);
    fakecuda_register(f);
    REQUIRE(ufc_explain(gpu, NULL, f, &in, &out, NULL, &d, NULL) == UFC_OK);
    return d.call_threads;
}

int main(void) {
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, NULL) == UFC_OK);
    CHECK(threads(&seldom_greatest_ufunc, 65536, 256, 1) == 1);
    CHECK(threads(&seldom_greatest_ufunc, 1, 1 << 20, 1) > 32);
    CHECK(threads(&seldom_crowded_ufunc, 10, 500, 3) >= 32); /* which its sums keep busy */
    ufc_context_free(gpu);
    return test_failures != 0;
}
