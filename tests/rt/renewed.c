/* renewed.c: the version of a gufunc in which ordered loops read a copy of what they change gives
 * what the host gives, bit by bit, and so does the one beside it. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "renewed.h"

enum { MOST = 3 * 700 };

static ufc_context *host, *sim;
static ufc_error err;
static double x[MOST], out[2][MOST];
static int64_t distances[] = {3, 0, -2, 7, 1};

static void run(ufc_context *ctx, const ufc_ufunc *f, int64_t calls, int64_t n, double *to) {
    int64_t shape[] = {calls, n}, k = sizeof distances / sizeof distances[0];
    DLTensor d = ufc_host_array(distances, ufc_dltype(UFC_INT64), 1, &k),
             a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape),
             y = ufc_host_array(to, ufc_dltype(UFC_FLOAT64), 2, shape);
    ufc_arg in[] = {ufc_array(&d), ufc_array(&a)};
    ufc_out result = ufc_into(&y);
    if (ufc_call(ctx, NULL, f, in, &result, &err) != UFC_OK) {
        printf("%s: %s\n", f->name, err.message);
        test_failures++;
    }
}

static void compare(const ufc_ufunc *f, bool has_other, int64_t calls, int64_t n) {
    const ufc_ufunc *version[] = {f, f->overloads[0].other};
    if ((version[1] != NULL) != has_other) {
        printf("%s has %s version\n", f->name, version[1] ? "a" : "no");
        test_failures++;
    }
    run(host, f, calls, n, out[0]);
    for (int v = 0; v < (n > 2 ? 2 : 1) && version[v]; v++) {
        memset(out[1], -1, sizeof out[1]);
        run(sim, version[v], calls, n, out[1]);
        if (memcmp(out[0], out[1], (size_t)(calls * n) * sizeof out[0][0]) != 0) {
            printf("%s, version %d, %d calls of %d: it differs\n", f->name, v, (int)calls, (int)n);
            test_failures++;
        }
    }
}

int main(void) {
    static const struct {
        const ufc_ufunc *f;
        bool has_other;
    } all[] = {
        {&renewed_differences_ufunc, true}, {&renewed_once_ufunc, true},
        {&renewed_tree_ufunc, true},        {&renewed_knapsack_ufunc, true},
        {&renewed_narrow_ufunc, true},      {&renewed_ahead_ufunc, true},
        {&renewed_two_ufunc, true},         {&renewed_rises_ufunc, true},
        {&renewed_plane_ufunc, true},       {&renewed_behind_ufunc, false},
    };
    static const int64_t sizes[][2] = {{1, 1}, {3, 2}, {1, 33}, {2, 100}, {1, 700}};
    uint32_t random = 1;
    for (int i = 0; i < MOST; i++) {
        random = random * 1664525 + 1013904223;
        x[i] = (double)(random >> 8) / (1 << 24);
    }
    REQUIRE(ufc_context_new(&host, "cpu", 0, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, NULL) == UFC_OK);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            compare(all[i].f, all[i].has_other, sizes[k][0], sizes[k][1]);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
