/* narrow.c: no more threads of a GPU share a short reduction than its points are worth; with the
 * host's results, of whole numbers. */
#include <string.h>
#include "../test.h"
#include "narrow.h"

enum { LONG = 1 << 20, MOST = 64 };

static ufc_context *host, *sim;
static ufc_error err;
static float x[8 * LONG], w[MOST * MOST], y[2][LONG];

static DLTensor array(float *data, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(UFC_FLOAT32), ndim, shape);
}

static ufc_plan_description explained(const ufc_ufunc *f, const ufc_arg *in, const DLTensor *out) {
    ufc_plan_description d;
    memset(&d, 0, sizeof d);
    CHECK(ufc_explain(sim, NULL, f, in, &(ufc_out){.array = out}, NULL, &d, &err) == UFC_OK);
    return d;
}

static void compare(const ufc_ufunc *f, const ufc_arg *in, DLTensor *out, size_t results) {
    for (int k = 0; k < 2; k++) {
        out->data = y[k];
        REQUIRE(ufc_call(k ? sim : host, NULL, f, in, &(ufc_out){.array = out}, &err) == UFC_OK);
    }
    CHECK(memcmp(y[0], y[1], results * sizeof(float)) == 0);
}

static ufc_plan_description formed(int64_t n, int64_t size, bool call) {
    int64_t rows[] = {n, size}, square[] = {size, size};
    DLTensor a = array(x, 2, rows), b = array(w, 2, square), c = array(y[0], 1, &n);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_plan_description d = explained(&narrow_quadratic_ufunc, in, &c);
    if (call)
        compare(&narrow_quadratic_ufunc, in, &c, (size_t)n);
    return d;
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < 8 * LONG; i++)
        x[i] = (float)(i % 7 - 3);
    for (int i = 0; i < MOST * MOST; i++)
        w[i] = (float)(i % 5 - 2);
    ufc_plan_description many = formed(LONG, 8, false), few = formed(300, 8, true);
    CHECK((int64_t)many.blocks * many.threads == 2 * LONG);
    CHECK((int64_t)few.blocks * few.threads > 300 * 4);
    formed(40, 33, true);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
