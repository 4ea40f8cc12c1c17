/* explain.c: ufc_explain, on the host and in the simulator: what it tells of gufuncs, and that it
 * computes nothing. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "matmul.h"

enum { SIDE = 40, MOST = 3 * SIDE * SIDE };

static ufc_context *sim, *host;
static ufc_error err;
static float a[MOST], b[MOST], c[MOST];
static double wide[MOST];

static DLTensor array(void *data, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(type), ndim, shape);
}

static void products(void) {
    int64_t many[] = {3, SIDE, SIDE}, one[] = {SIDE, SIDE};
    DLTensor x = array(a, UFC_FLOAT32, 3, many), y = array(b, UFC_FLOAT32, 2, one),
             z = array(c, UFC_FLOAT32, 3, many);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.signature, "float32(float32, float32)") == 0 &&
          strcmp(d.core, "m = 40, k = 40, n = 40") == 0);
    CHECK(d.ndim == 1 && d.shape[0] == 3 && d.bytes == 4 * (2 * MOST + SIDE * SIDE));
    CHECK(strcmp(d.kernel, "tile 16") == 0 && d.call_threads == 9 * 16 && d.width == 0);
    CHECK(d.launches == 1 && d.threads == 256 && d.blocks == (3 * 9 * 16 + 255) / 256);
    CHECK(strcmp(d.why, "3 calls have 1600 elements each to share out") == 0);
    CHECK(d.temporaries == 0 && d.registers == 0);
    CHECK(ufc_explain(host, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.kernel, "host") == 0 && d.launches == 0 && d.call_threads == 0);
    for (int i = 0; i < MOST; i++)
        REQUIRE(c[i] == -1);
}

/* An array of another type, one that is overwritten, and a result of another type. */
static void copies(void) {
    int64_t one[] = {SIDE, SIDE};
    DLTensor x = array(a, UFC_FLOAT32, 2, one), y = array(wide, UFC_FLOAT64, 2, one), z = x;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.signature, "float64(float64, float64)") == 0);
    CHECK(d.temporaries == 2 * 8 * SIDE * SIDE && d.ndim == 0);
    CHECK(strcmp(d.copies, "c as float64, a as float64") == 0);
    for (int i = 0; i < MOST; i++)
        REQUIRE(a[i] == (float)i);
    in[1] = in[0];
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK &&
          d.temporaries == 2 * 4 * SIDE * SIDE);
    CHECK(strcmp(d.copies, "a apart from the results, b apart from the results") == 0);
    for (int i = 0; i < MOST; i++)
        REQUIRE(a[i] == (float)i);
}

static void results(void) {
    int64_t one[] = {SIDE, SIDE}, none[] = {0, SIDE, SIDE}, other[] = {SIDE + 1, SIDE};
    DLManagedTensorVersioned *made = (void *)&made;
    DLTensor x = array(a, UFC_FLOAT32, 2, one), y = array(b, UFC_FLOAT32, 3, none),
             w = array(b, UFC_FLOAT32, 2, other);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&x)};
    ufc_out out[] = {ufc_new(&made)};
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          !made && d.launches == 1);
    in[1] = ufc_array(&y);
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          !made && !d.signature && strcmp(d.kernel, "none") == 0);
    in[1] = ufc_array(&w);
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_ESHAPE &&
          strstr(err.message, "'k', is 41"));
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_explain(sim, NULL, NULL, in, out, NULL, &d, &err) == UFC_EINVAL);
    in[1] = in[0];
    made = (void *)&made;
    CHECK(ufc_explain(sim, NULL, &kernels_add_ufunc, in, out, NULL, &d, &err) == UFC_OK && !made &&
          strcmp(d.kernel, "vector") == 0 && !*d.core && d.call_threads == 0);
}

int main(void) {
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)i;
        c[i] = -1;
    }
    products();
    copies();
    results();
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
