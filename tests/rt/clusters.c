/* clusters.c: calls with ordered loops whose steps are long are shared by the blocks of a cluster,
 * or, where a GPU has none, by blocks that wait by a count in memory; and give what one thread
 * gives, where calls are fewer and more than a device has at a time. */
#include <string.h>

#include "../test.h"
#include "clusters.h"
#include "rt.h"

enum { CALLS = 3, SIDE = 140, LARGE = 240, LONG = 16000, MOST = LARGE * LARGE };

static int64_t x[MOST], y[2][MOST], z[2][MOST];

static void expect(ufc_context *sim, const ufc_ufunc *f, int rank, int64_t *shape,
                   const char *kernel) {
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_INT64), rank, shape), b = a, c = a;
    ufc_plan_description d;
    b.data = y[0];
    c.data = z[0];
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out out[] = {ufc_into(&b), ufc_into(&c)};
    REQUIRE(ufc_explain(sim, NULL, f, in, out, NULL, &d, NULL) == UFC_OK);
    if (strcmp(d.kernel, kernel) == 0 && d.blocks > 1)
        return;
    printf("%s: %u blocks of %s, not %s\n", f->name, d.blocks, d.kernel, kernel);
    test_failures++;
}

static void run(ufc_context *ctx, const ufc_ufunc *f, int rank, int64_t *shape, int to) {
    ufc_error err;
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_INT64), rank, shape), b = a, c = a;
    ufc_arg in[] = {ufc_array(&a)};
    b.data = y[to];
    c.data = z[to];
    ufc_out out[] = {ufc_into(&b), ufc_into(&c)};
    if (ufc_call(ctx, NULL, f, in, out, &err) == UFC_OK)
        return;
    printf("%s: %s\n", f->name, err.message);
    test_failures++;
}

static void compare(ufc_context *host, ufc_context *sim, const ufc_ufunc *f, int rank,
                    int64_t *shape) {
    memset(y, 0, sizeof y);
    memset(z, 0, sizeof z);
    run(host, f, rank, shape, 0);
    run(sim, f, rank, shape, 1);
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0 && memcmp(z[0], z[1], sizeof z[0]) == 0);
}

static void check(ufc_context *host, ufc_context *sim, const char *kernel) {
    expect(sim, &clusters_smooth_ufunc, 1, (int64_t[]){LONG}, kernel);
    compare(host, sim, &clusters_smooth_ufunc, 1, (int64_t[]){LONG});
    compare(host, sim, &clusters_smooth_ufunc, 2, (int64_t[]){CALLS, LONG});
    compare(host, sim, &clusters_paths_ufunc, 3, (int64_t[]){CALLS, 5, 5});
    compare(host, sim, &clusters_pivots_ufunc, 3, (int64_t[]){CALLS, 5, 5});
    expect(sim, &clusters_paths_ufunc, 2, (int64_t[]){SIDE, SIDE}, kernel);
    compare(host, sim, &clusters_paths_ufunc, 2, (int64_t[]){SIDE, SIDE});
    expect(sim, &clusters_pivots_ufunc, 2, (int64_t[]){LARGE, LARGE}, kernel);
    compare(host, sim, &clusters_pivots_ufunc, 2, (int64_t[]){LARGE, LARGE});
    compare(host, sim, &clusters_rows_ufunc, 2, (int64_t[]){SIDE, SIDE});
}

int main(void) {
    ufc_context *host, *sim;
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    for (int i = 0; i < MOST; i++)
        x[i] = i * INT64_C(7919) % 10007;
    check(host, sim, "cluster");
    sim->gpu.cluster = 0;
    check(host, sim, "block");
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
