/* few_rows.c: steps of ordered loops whose rows are fewer than the blocks that share a call, which
 * share the rows too: results are the host's, for any numbers of rows and blocks. */
#include <string.h>
#include "../test.h"
#include "few_rows.h"
#include "rt.h"

enum { MOST = 1 << 14 };

static int64_t x[MOST], out[2][MOST];

static void run(ufc_context *ctx, const ufc_ufunc *f, int64_t m, int64_t n, int64_t *to,
                ufc_plan_description *d) {
    int64_t shape[] = {m, n};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_INT64), 2, shape), y = a;
    ufc_error err;
    y.data = to;
    memset(to, 0xa5, sizeof out[0]);
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out results[] = {ufc_into(&y)};
    REQUIRE(ufc_explain(ctx, NULL, f, in, results, NULL, d, &err) == UFC_OK);
    REQUIRE(ufc_call(ctx, NULL, f, in, results, &err) == UFC_OK);
}

int main(void) {
    static const int64_t shapes[][2] = {{1, MOST}, {1, 5000}, {2, 4096}, {3, 5001}, {7, 2048}};
    static const ufc_ufunc *const f[] = {&few_rows_butterflies_ufunc, &few_rows_rounds_ufunc};
    static const int together[] = {5, 16, 33};
    ufc_context *host, *sim;
    int shared = 0;
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    sim->gpu.cluster = 0;
    for (int i = 0; i < MOST; i++)
        x[i] = i * INT64_C(7919) % 10007;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (int b = 0; b < 3; b++)
            for (int i = k > 0; i < 2; i++) { /* butterflies are of a power of two */
                ufc_plan_description d;
                sim->gpu.together = together[b];
                run(host, f[i], shapes[k][0], shapes[k][1], out[0], &d);
                run(sim, f[i], shapes[k][0], shapes[k][1], out[1], &d);
                shared += strcmp(d.kernel, "block") == 0 && (int64_t)d.blocks > 2 * shapes[k][0];
                CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
            }
    CHECK(shared > 0);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
