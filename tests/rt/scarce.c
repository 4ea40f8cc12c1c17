/* scarce.c: a call that would go in a version whose arrays there is no memory for goes in its
 * gufunc's own, which needs less.  On the fake driver. */
#include <math.h>
#include <stdlib.h>

#include "../fakecuda.h"
#include "../test.h"
#include "scarce.h"
#include "ufc.h"

enum { N = 1500, MEGABYTE = 1 << 20 };

static float expected(const float *x, int i) {
    double t = 0, s = 0;
    for (int j = 0; j < N; j++) {
        double w = exp(-fabs((double)x[i] - x[j]));
        t += w;
        s += w * x[j];
    }
    return (float)(s / t);
}

int main(void) {
    ufc_context *gpu;
    ufc_error err;
    static ufc_plan_description d;
    int64_t n[] = {N};
    static float x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 7);
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, n),
             b = ufc_host_array(y, ufc_dltype(UFC_FLOAT32), 1, n);
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out out = ufc_into(&b);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    fakecuda_register(&scarce_shift_ufunc);
    fakecuda_register(scarce_shift_ufunc.overloads->other);
    REQUIRE(ufc_explain(gpu, NULL, &scarce_shift_ufunc, in, &out, NULL, &d, &err) == UFC_OK);
    CHECK(d.temporaries >= (int64_t)N * N * 4);
    REQUIRE(ufc_pool_set_limit(gpu, MEGABYTE, &err) == UFC_OK);
    CHECK(scarce_shift(gpu, NULL, ufc_array(&a), ufc_into(&b), &err) == UFC_OK);
    for (int i = 0; i < N; i += 97)
        CHECK(fabsf(y[i] - expected(x, i)) < 1e-4F);
    ufc_context_free(gpu);
    return test_failures > 0;
}
