/* cluster_launch.c: a GPU that has clusters of blocks gets calls with ordered loops by them, by one
 * launch that says how large they are; one that fails is the call's error.  On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "clusters.h"
#include "ufc.h"

enum { N = 16000 };
static int64_t x[N], y[2][N], z[2][N], shape[] = {N};

static ufc_status smooth(ufc_context *ctx, int to, ufc_error *err) {
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_INT64), 1, shape), b = a, c = a;
    b.data = y[to];
    c.data = z[to];
    return clusters_smooth(ctx, NULL, ufc_array(&a), ufc_into(&b), ufc_into(&c), err);
}

int main(void) {
    ufc_context *host, *gpu;
    ufc_error err;
    setenv("FAKECUDA_CLUSTERS", "1", 1);
    fakecuda_register(&clusters_smooth_ufunc);
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 1009;
    CHECK(smooth(host, 0, &err) == UFC_OK && smooth(gpu, 1, &err) == UFC_OK);
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0 && memcmp(z[0], z[1], sizeof z[0]) == 0);
    CHECK(fakecuda_calls("cuLaunchKernelEx") == 1);
    setenv("FAKECUDA_FAIL", "cuLaunchKernelEx:2", 1);
    CHECK(smooth(gpu, 1, &err) == UFC_ENOMEM && strstr(err.message, "cuLaunchKernelEx"));
    unsetenv("FAKECUDA_FAIL");
    CHECK(smooth(gpu, 1, &err) == UFC_OK);
    ufc_context_free(gpu);
    ufc_context_free(host);
    return test_failures > 0;
}
