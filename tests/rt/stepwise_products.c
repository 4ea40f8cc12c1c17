/* stepwise_products.c: steps with products, which are launched one after the other, on the
 * simulator in each version, beside the host: of no steps, and of one, of small sizes and odd ones.
 */
#include <string.h>

#include "../test.h"
#include "context.h"
#include "stepwise_products.h"

enum { MOST = 70, VERSIONS = 2 };

static ufc_context *host, *sim;
static ufc_error err;
static double a[MOST * MOST], b[MOST * MOST];
static int64_t counts[MOST];

static void compute(ufc_context *context, int64_t m, int64_t n, int64_t q, double *result) {
    int64_t square[] = {n, n}, shape[] = {m, n};
    DLTensor x = ufc_host_array(a, ufc_dltype(UFC_FLOAT64), 2, square),
             y = ufc_host_array(b, ufc_dltype(UFC_FLOAT64), 2, shape),
             s = ufc_host_array(counts, ufc_dltype(UFC_INT64), 1, &q),
             to = ufc_host_array(result, ufc_dltype(UFC_FLOAT64), 2, shape);
    ufc_arg args[] = {ufc_array(&x), ufc_array(&y), ufc_array(&s)};
    ufc_out out[] = {ufc_into(&to)};
    memset(result, 0, sizeof a);
    CHECK(ufc_call(context, NULL, &stepwise_products_powers_ufunc, args, out, &err) == UFC_OK);
}

static void steps(int64_t m, int64_t n, int64_t q) {
    static double want[MOST * MOST], got[MOST * MOST];
    compute(host, m, n, q, want);
    for (int version = 0; version <= VERSIONS; version++) {
        sim->version = version;
        compute(sim, m, n, q, got);
        CHECK(memcmp(want, got, sizeof want) == 0);
    }
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST * MOST; i++) {
        a[i] = i * 7919 % 5;
        b[i] = i * 104729 % 11;
    }
    steps(1, 1, 1);
    steps(3, 1, 2);
    steps(2, 17, 3);
    steps(33, 64, 4);
    steps(70, 65, 2);
    steps(64, 64, 0);
    steps(0, 3, 2);
    steps(3, 0, 2);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
