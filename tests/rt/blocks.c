/* blocks.c: on the host a sum within a loop goes in blocks, so that its rounding errors stay small,
 * in a build with checks too, where no sum goes in lanes. */
#include <math.h>
#include <string.h>
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

enum { N = 4000 };

static const char source[] = "gufunc once(x[n]) -> y : float32(float32)\n"
                             "{\n"
                             "    y = 0\n"
                             "    for i in 0..1 { y += sum(x[j] for j in i..n) }\n"
                             "}\n"
                             "gufunc prefixes(x[n]) -> y : float32(float32)\n"
                             "{ y = max(sum(x[j] for j in 0..i + 1) for i in 0..n) }\n";

static void sums(bool check, const char *name) {
    ufcc_options options = {.native = true, .check = check};
    ufcc_program *p = ufcc_compile("k.uf", source, strlen(source), &options);
    static float x[N], y;
    ufc_error err;
    ufc_context *ctx;
    REQUIRE(p && ufcc_load(p) && ufc_context_new(&ctx, "cpu", 1, &err) == UFC_OK);
    float in_order = 0;
    for (int i = 0; i < N; i++)
        in_order += x[i] = 0.1F;
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, (int64_t[]){N});
    DLTensor r = ufc_host_array(&y, ufc_dltype(UFC_FLOAT32), 0, NULL);
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out out[] = {ufc_into(&r)};
    CHECK(ufc_call(ctx, NULL, ufcc_function(p, name), in, out, &err) == UFC_OK);
    double exact = N * (double)0.1F;
    CHECK(fabs((double)y - exact) < 0.1 * fabs((double)in_order - exact));
    ufc_context_free(ctx);
    ufcc_free(p);
}

int main(void) {
    sums(false, "once");
    sums(true, "once");
    sums(true, "prefixes");
    return test_failures != 0;
}
