/* loops.c: ordered loops whose iterations are independent, or only merge, have the kernels and the
 * grids that the same has as definitions, and compute the same, in the simulator and on the host.
 */
#include <string.h>
#include "../test.h"
#include "loops.h"

enum { SIDE = 1 << 10, MOST = SIDE * SIDE, FEW = 3000 };

static unsigned char x[MOST];
static int64_t y[2][MOST];
static ufc_context *sim, *host;
static ufc_error err;

struct form {
    const ufc_ufunc *loops, *defined;
    ufc_type type;
    int ndim;
    int64_t results; /* 0: as many as elements */
};

static ufc_plan_description explained(const ufc_ufunc *f, DLTensor *in, DLTensor *out) {
    ufc_plan_description d;
    ufc_arg arg = ufc_array(in);
    REQUIRE(ufc_explain(sim, NULL, f, &arg, &(ufc_out){.array = out}, NULL, &d, &err) == UFC_OK);
    return d;
}

/* One large call. */
static void check_schedule(const struct form *f) {
    int64_t line[] = {MOST}, square[] = {SIDE, SIDE}, some[] = {f->results};
    int64_t *shape = f->ndim == 1 ? line : square;
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_UINT8), f->ndim, shape),
             out = ufc_host_array(y[0], ufc_dltype(f->type), f->ndim, f->results ? some : shape);
    ufc_plan_description a = explained(f->loops, &in, &out), b = explained(f->defined, &in, &out);
    CHECK(strcmp(a.kernel, "nest") == 0 && strcmp(b.kernel, "nest") == 0);
    CHECK(a.launches == b.launches && a.blocks == b.blocks && a.threads == b.threads);
    CHECK(f->results || a.blocks >= 100);
}

static void call(ufc_context *ctx, const ufc_ufunc *f, DLTensor *in, DLTensor *out) {
    ufc_arg arg = ufc_array(in);
    REQUIRE(ufc_call(ctx, NULL, f, &arg, &(ufc_out){.array = out}, &err) == UFC_OK);
}

static void check_results(const struct form *f, ufc_context *ctx, int64_t calls) {
    int64_t shape[] = {calls, FEW, 10}, some[] = {calls, f->results};
    shape[1] /= f->ndim == 2 ? 10 : 1;
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_UINT8), 1 + f->ndim, shape),
             out =
                 ufc_host_array(y[0], ufc_dltype(f->type), 1 + f->ndim, f->results ? some : shape);
    memset(y, 0xa5, sizeof y);
    call(ctx, f->loops, &in, &out);
    out.data = y[1];
    call(ctx, f->defined, &in, &out);
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
}

int main(void) {
    const struct form forms[] = {
        {&loops_counts_ufunc, &loops_counts_defined_ufunc, UFC_INT64, 1, 256},
        {&loops_blur_ufunc, &loops_blur_defined_ufunc, UFC_FLOAT32, 2, 0},
        {&loops_steps_ufunc, &loops_steps_defined_ufunc, UFC_INT32, 1, 0},
        {&loops_weighted_ufunc, &loops_weighted_defined_ufunc, UFC_FLOAT32, 1, 0}};
    for (int i = 0; i < MOST; i++)
        x[i] = (unsigned char)(i % 1009 * 7919 % 251);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        check_schedule(&forms[i]);
        check_results(&forms[i], sim, 1);
        check_results(&forms[i], sim, 2);
        check_results(&forms[i], host, 1);
        check_results(&forms[i], host, 40);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
