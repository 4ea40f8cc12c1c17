/* narrow.c: what few results along a side, or short reductions, are shared by on a GPU: tiles that
 * would be mostly empty are left to threads where these are faster, and no more threads share a
 * reduction than its points are worth; with the host's results, of whole numbers. */
#include <string.h>
#include "../test.h"
#include "narrow.h"

enum { LONG = 1 << 20, MOST = 16, WINDOW = 64 };

static ufc_context *host, *sim;
static ufc_error err;
static float x[8 * LONG], w[MOST * WINDOW], y[2][MOST * LONG];

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

/* So many filters, of a signal so long. */
static ufc_plan_description filtered(int64_t filters, int64_t n, bool call) {
    int64_t weights[] = {filters, WINDOW}, results[] = {filters, n - WINDOW + 1};
    DLTensor a = array(x, 1, &n), b = array(w, 2, weights), c = array(y[0], 2, results);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_plan_description d = explained(&narrow_bank_ufunc, in, &c);
    if (call)
        compare(&narrow_bank_ufunc, in, &c, (size_t)(results[0] * results[1]));
    return d;
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
    for (int i = 0; i < MOST * WINDOW; i++)
        w[i] = (float)(i % 5 - 2);
    CHECK(strcmp(filtered(4, LONG, false).kernel, "nest") == 0);
    CHECK(strcmp(filtered(8, LONG, false).kernel, "nest") == 0);
    CHECK(strcmp(filtered(16, LONG, false).kernel, "tile 16") == 0);
    filtered(4, 1000, true);
    filtered(9, 3000, true);
    ufc_plan_description many = formed(LONG, 8, false), few = formed(300, 8, true);
    CHECK((int64_t)many.blocks * many.threads == 2 * LONG);
    CHECK((int64_t)few.blocks * few.threads > 300 * 4);
    formed(40, 33, true);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
