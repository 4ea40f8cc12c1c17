/* packed.c: a gufunc whose inputs are copied in another order gives what the host gives, and does
 * so where a call has enough to compute. */
#include <string.h>

#include "../test.h"
#include "packed.h"

enum { MOST = 24 * 24 * 24 * 24, LAUNCHES = 3 };

static float x[MOST], y[MOST], z[2][MOST];
static ufc_error err;

/* Results of side * side rows and columns each, by terms of e * f. */
static int launches(ufc_context *ctx, float *to, int64_t side, int64_t e, int64_t f) {
    int64_t of_x[] = {f, side, e, side}, of_y[] = {side, f, side, e},
            of_z[] = {side, side, side, side};
    DLTensor in[] = {ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 4, of_x),
                     ufc_host_array(y, ufc_dltype(UFC_FLOAT32), 4, of_y)};
    DLTensor result = ufc_host_array(to, ufc_dltype(UFC_FLOAT32), 4, of_z);
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    ufc_out out = ufc_into(&result);
    ufc_plan_description d;
    REQUIRE(ufc_call(ctx, NULL, &packed_both_ufunc, args, &out, &err) == UFC_OK);
    REQUIRE(ufc_explain(ctx, NULL, &packed_both_ufunc, args, &out, NULL, &d, &err) == UFC_OK);
    return d.launches;
}

static int compare(ufc_context *host, ufc_context *sim, int64_t side, int64_t e, int64_t f) {
    memset(z, 0, sizeof z);
    launches(host, z[0], side, e, f);
    int n = launches(sim, z[1], side, e, f);
    CHECK(memcmp(z[0], z[1], sizeof z[0]) == 0);
    return n;
}

int main(void) {
    ufc_context *host, *sim;
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        x[i] = (float)(random_bits(1, (uint64_t)i) % 4096);
        y[i] = (float)(random_bits(2, (uint64_t)i) % 4096);
    }
    CHECK(compare(host, sim, 24, 8, 8) == LAUNCHES);
    CHECK(compare(host, sim, 23, 9, 11) == LAUNCHES);
    CHECK(compare(host, sim, 8, 5, 3) < LAUNCHES);
    compare(host, sim, 4, 0, 3);
    compare(host, sim, 0, 2, 3);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
