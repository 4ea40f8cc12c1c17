/* unwritten.c: what a gufunc does not write of a result that the call makes is 0, whatever was in
 * its memory, and of an output that is given stays as it was; and which outputs are cleared. */
#include <malloc.h>
#include <string.h>
#include "../test.h"
#include "image_abi.h"
#include "ufc.h"
#include "ufcc.h"

static const char *const fine[] = {
    "(x[n]) -> y[n] : float64(float64) { y[i] = x[i] for i }",
    "(x[n]) -> y[n] : float64(float64) { for i in 0..n { y[i] = x[i] } }",
    "(x[n]) -> y[n] : float64(float64) { y[i] = x[i] for i in n - 1..-1..-1 }",
    "(x[n]) -> y[n] : float64(float64) { y[n - 1 - i] = x[i] for i }",
    "(x[n]) -> y[n] : float64(float64)\n"
    "{ y[0] = 1; y[n - 1] = 2; y[i] = x[i - 1] + x[i + 1] for i in 1..n - 1 }",
    "(x[n]) -> y[n] : float64(float64) { y[0] = 0; for i in 1..n { y[i] = y[i - 1] + x[i] } }",
    "(x[n]) -> y[n + 1] : float64(float64) { y[0] = 0; for i in 0..n { y[i + 1] = y[i] + x[i] } }",
    "(x[n]) -> y[2 * n] : float64(float64) { for i in 0..n { y[2 * i] = 1; y[2 * i + 1] = 2 } }",
    "(x[n]) -> y[max(n - 2, 0)] : float64(float64) { y[i] = x[i + 2] for i in 0..n - 2 }",
    "(x[n]) -> y[n,n] : float64(float64) { y[i, j] = x[i] * x[j] for i, j }",
    "(x[n]) -> y[n,2] : float64(float64) { y[i, 0] = x[i] for i; y[i, 1] = -x[i] for i in 0..n }",
    "(x[n]) -> y[4] : float64(float64) { y[0] = 1; y[2] = 3; y[1] = 2; y[3] = 4 }",
    "(x[n]) -> y : float64(float64) { if x[0] > 0 { y = 1 } else { y = 2 } }",
    "(x[n]) -> y[n] : float64(float64)\n"
    "{ if x[0] > 0 { y[i] = x[i] for i } else { for i in 0..n { y[i] = 0 } } }",
    "(x[n]) -> y[n] : float64(float64)\n"
    "{ for i in 0..n { if x[i] > 0 { y[i] = 1; continue }; y[i] = -1 } }",
};

static const char *const partly[] = {
    "(x[n]) -> y[n] : float64(float64) { y[i] = x[i] for i in 1..n }",
    "(x[n]) -> y[n] : float64(float64) { y[i] = x[i] for i in 0..n - 1 }",
    "(x[n]) -> y[n] : float64(float64) { y[i] = x[i] for i in 0..n..2 }",
    "(x[n]) -> y[n] : float64(float64) { y[i] = x[i] for i if x[i] > 0 }",
    "(x[n]) -> y[n] : float64(float64) { y[2 * i] = x[i] for i in 0..n // 2 }",
    "(x[n]) -> y[n] : float64(float64) { y[0] = x[0] }",
    "(x[n]) -> y[n] : float64(float64) { for v in x { y[0] = v } }",
    "(x[n]) -> y[n] : float64(float64) { for i in 0..n { y[i] = y[i] + x[i] } }",
    "(x[n]) -> y[n] : float64(float64) { for i in 0..n { if x[i] < 0 { break }; y[i] = x[i] } }",
    "(x[n]) -> y[n] : float64(float64) { for i in 0..n { if x[i] < 0 { continue }; y[i] = 1 } }",
    "(x[n]) -> y[n] : float64(float64) { if x[0] > 0 { y[i] = x[i] for i } }",
    "(x[n]) -> y[n] : float64(float64) { var i = 0; while i < n { y[i] = x[i]; i += 1 } }",
    "(x[n]) -> y[n] : float64(float64) { y[int64(v) % n] = v for v in x }",
    "(x[n]) -> y : float64(float64) { for v in x { y = v } }",
    "(x[n]) -> y[n,n] : float64(float64) { y[i, i] = x[i] for i }",
    "(x[n]) -> y[n,n] : float64(float64) { y[i, j] = x[i] for i in 0..n, j in 0..i + 1 }",
    "(x[n]) -> y[n,n] : float64(float64) { y[i, 0] = x[i] for i; y[0, i] = x[i] for i in 0..n }",
    "(x[n]) -> y[n + 1] : float64(float64) { y[i] = x[i] for i in 0..n }",
    "(x[n]) -> y[5] : float64(float64) { y[i] = 1 for i in 0..3; y[4] = 0 }",
    "(x[n]) -> y[2 * n] : float64(float64) { for i in 0..n { y[3 * i] = 1; y[3 * i + 1] = 2 } }",
    "(x[n]) -> y[max(n, 3)] : float64(float64) { y[i] = x[i] for i in 0..n }",
};

static ufc_error err;

static ufcc_program *load(const char *text, unsigned targets) {
    char source[256];
    ufcc_options options = {.native = true, .targets = targets};
    int size = snprintf(source, sizeof source, "gufunc f%s\n", text);
    ufcc_program *p = ufcc_compile("k.uf", source, (size_t)size, &options);
    REQUIRE(p && ufcc_load(p));
    return p;
}

static void check_cleared(const char *text, bool cleared) {
    ufcc_program *p = load(text, UFCC_HOST);
    if ((ufcc_function(p, "f")->overloads[0].unwritten == 1) != cleared) {
        printf("%s: is %scleared\n", text, cleared ? "not " : "");
        test_failures++;
    }
    ufcc_free(p);
}

/* Large enough to be cleared in pieces. */
static void check_values(ufc_context *ctx, int64_t n) {
    ufcc_program *p = load("(x[n]) -> (y[n], z[n]) : (float64, bool)(float64)\n"
                           "{ if x[0] > 0 { y[0] = x[0] }; z[i] = x[i] > 0 for i in 1..2 }",
                           UFCC_HOST | UFCC_CUDA);
    double *x = calloc((size_t)n, sizeof *x), *old = calloc((size_t)n, sizeof *old);
    REQUIRE(x && old);
    x[0] = x[1] = 3;
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){n});
    DLTensor given = ufc_host_array(old, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){n});
    DLManagedTensorVersioned *made[2] = {NULL};
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out out[] = {ufc_new(&made[0]), ufc_new(&made[1])};
    REQUIRE(ufc_call(ctx, NULL, ufcc_function(p, "f"), args, out, &err) == UFC_OK);
    const double *y = made[0]->dl_tensor.data;
    const char *z = made[1]->dl_tensor.data;
    CHECK(y[0] == 3 && z[0] == 0 && z[1] == 1);
    for (int64_t i = 1; i < n && !test_failures; i++)
        CHECK(y[i] == 0 && (i == 1 || z[i] == 0));
    ufc_free(made[0]);
    ufc_free(made[1]);
    for (int64_t i = 0; i < n; i++)
        old[i] = 7;
    out[0] = ufc_into(&given);
    REQUIRE(ufc_call(ctx, NULL, ufcc_function(p, "f"), args, out, &err) == UFC_OK);
    CHECK(old[0] == 3 && old[1] == 7 && old[n - 1] == 7);
    ufc_free(made[1]);
    free(x);
    free(old);
    ufcc_free(p);
}

/* Arrays that shared memory has until the calls end: the first columns stay as they were. */
static void check_shared(ufc_context *ctx, int64_t calls, int64_t m, int64_t n) {
    ufcc_program *p =
        load("(a[m, n]) -> q[m, n] : float64(int32)\n"
             "{ for k in 1..n { for i in 0..m { q[i, k] = a[i, k] }\n"
             "  for j in 1..k { for i in 0..m { q[i, k] = q[i, k] + q[i, j] * 0.5 } } } }",
             UFCC_HOST | UFCC_CUDA);
    int64_t shape[] = {calls, m, n}, size = calls * m * n;
    int32_t *a = calloc((size_t)size, sizeof *a);
    double *q = malloc((size_t)size * sizeof *q);
    REQUIRE(a && q);
    for (int64_t i = 0; i < size; i++) {
        a[i] = 1;
        q[i] = 7;
    }
    DLTensor in = ufc_host_array(a, ufc_dltype(UFC_INT32), 3, shape);
    DLTensor given = ufc_host_array(q, ufc_dltype(UFC_FLOAT64), 3, shape);
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out out[] = {ufc_into(&given)};
    REQUIRE(ufc_call(ctx, NULL, ufcc_function(p, "f"), args, out, &err) == UFC_OK);
    for (int64_t i = 0; i < size && !test_failures; i += n)
        CHECK(q[i] == 7 && q[i + 1] == 1 && q[i + 2] == 1.5);
    free(a);
    free(q);
    ufcc_free(p);
}

int main(void) {
    static const char *const devices[] = {"cpu", "sim"};
    mallopt(M_PERTURB, 0x5A);
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* the system's pages are zeros */
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        check_cleared(fine[i], false);
    for (size_t i = 0; i < sizeof partly / sizeof *partly; i++)
        check_cleared(partly[i], true);
    for (size_t d = 0; d < 2; d++) {
        ufc_context *ctx;
        REQUIRE(ufc_context_new(&ctx, devices[d], 3, &err) == UFC_OK);
        check_values(ctx, 5);
        check_values(ctx, 1 << 20);
        check_shared(ctx, 3000, 4, 5); /* LONE */
        check_shared(ctx, 3, 60, 20);  /* RESIDENT */
        ufc_context_free(ctx);
    }
    return test_failures > 0;
}
