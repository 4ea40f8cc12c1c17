/* helped.c: THREAD where calls are few: threads without a call copy what ordered loops access, and
 * results are the host's, for rows of any length, number and place. */
#include <string.h>
#include "../test.h"
#include "helped.h"

enum { MOST = 16904 * 32 };

static _Alignas(16) char x[2][8 * MOST], y[2][8 * MOST];
static char last[2][8 * MOST];
static ufc_context *sim, *host;
static ufc_error err;

static void fill(ufc_type type) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < MOST; i++) {
            int v = (i % 9973 * 7919 + k * 31) % 199 - 99;
            if (type == UFC_INT16)
                ((int16_t *)x[k])[i] = (int16_t)v;
            else if (type == UFC_FLOAT32)
                ((float *)x[k])[i] = (float)v / 256;
            else
                ((double *)x[k])[i] = (double)v / 256;
        }
}

struct form {
    const ufc_ufunc *f;
    ufc_type type;
    int nin, nout;
};

static void compute(ufc_context *ctx, const struct form *f, int64_t calls, int64_t n, int64_t pitch,
                    int64_t first, int to) {
    int64_t shape[] = {calls, n}, strides[] = {pitch, 1};
    int bytes = ufc_dltype(f->type).bits / 8;
    DLTensor a[4];
    for (int k = 0; k < 4; k++) {
        void *data = k < 2 ? x[k] : k == 2 ? y[to] : last[to];
        bool rows = k < 3 || f->f == &helped_ratio_ufunc;
        a[k] = ufc_host_array((char *)data + (rows ? first * bytes : 0), ufc_dltype(f->type),
                              rows ? 2 : 1, shape);
        if (rows)
            a[k].strides = strides;
    }
    memset(y[to], 0xa5, sizeof y[to]);
    memset(last[to], 0xa5, sizeof last[to]);
    ufc_arg in[] = {ufc_array(&a[0]), ufc_array(&a[1])};
    if (f->f == &helped_up_ufunc)
        in[1] = ufc_float(.75);
    ufc_out out[] = {{.array = f->f == &helped_deepest_ufunc ? &a[3] : &a[2]}, {.array = &a[3]}};
    REQUIRE(ufc_call(ctx, NULL, f->f, in, out, &err) == UFC_OK);
}

static void check(const struct form *f, int64_t calls, int64_t n, int64_t pitch, int64_t first) {
    compute(sim, f, calls, n, pitch, first, 0);
    compute(host, f, calls, n, pitch, first, 1);
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
    CHECK(memcmp(last[0], last[1], sizeof last[0]) == 0);
}

/* Several threads a call where rows are aligned, and calls few: the fewer, the more. */
static void check_grid(int64_t calls, int64_t pitch, int64_t threads) {
    int64_t shape[] = {calls, 100}, strides[] = {pitch, 1};
    DLTensor in = ufc_host_array(x[0], ufc_dltype(UFC_FLOAT32), 2, shape), out = in;
    in.strides = out.strides = strides;
    out.data = y[0];
    ufc_arg args[] = {ufc_array(&in), ufc_float(.75)};
    ufc_plan_description d;
    REQUIRE(ufc_explain(sim, NULL, &helped_up_ufunc, args, &(ufc_out){.array = &out}, NULL, &d,
                        &err) == UFC_OK);
    CHECK(strcmp(d.kernel, "thread") == 0 && d.blocks * d.threads == threads);
}

/* Few calls have helpers where they share rows, too, and store none. */
static void check_shared(int64_t calls, int64_t n, int64_t threads) {
    int64_t shape[] = {calls, n}, same[] = {0, 1};
    DLTensor row = ufc_host_array(x[0], ufc_dltype(UFC_FLOAT32), 2, shape);
    DLTensor by = ufc_host_array(x[1], ufc_dltype(UFC_FLOAT32), 1, shape), out = by;
    row.strides = same;
    ufc_arg args[] = {ufc_array(&row), ufc_array(&by)};
    ufc_plan_description d;
    for (int to = 0; to < 2; to++) {
        out.data = y[to];
        REQUIRE(ufc_call(to ? host : sim, NULL, &helped_decayed_ufunc, args,
                         &(ufc_out){.array = &out}, &err) == UFC_OK);
    }
    CHECK(memcmp(y[0], y[1], (size_t)calls * sizeof(float)) == 0);
    REQUIRE(ufc_explain(sim, NULL, &helped_decayed_ufunc, args, &(ufc_out){.array = &out}, NULL, &d,
                        &err) == UFC_OK);
    CHECK(strcmp(d.kernel, "thread") == 0 && d.blocks * d.threads == threads);
}

int main(void) {
    const struct form forms[] = {
        {&helped_up_ufunc, UFC_FLOAT32, 2, 1},        {&helped_up_ufunc, UFC_FLOAT64, 2, 1},
        {&helped_both_ways_ufunc, UFC_FLOAT32, 2, 2}, {&helped_both_ways_ufunc, UFC_FLOAT64, 2, 2},
        {&helped_ratio_ufunc, UFC_FLOAT32, 2, 2},     {&helped_ratio_ufunc, UFC_FLOAT64, 2, 2},
        {&helped_deepest_ufunc, UFC_INT16, 1, 1}};
    const int64_t lengths[] = {1, 4, 8, 31, 64, 129, 300, 517};
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    check_grid(64, 112, 64 * 32);
    check_grid(532, 112, 532 * 16);
    check_grid(1064, 112, 1064 * 8);
    check_grid(2128, 112, 2128 * 4);
    check_grid(64, 101, 64);
    check_grid(533, 112, 544);
    fill(UFC_FLOAT32);
    check_shared(1, 517, 32);
    check_shared(1, 0, 32);
    check_shared(40, 300, 40 * 32);
    check_shared(600, 300, 608);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        fill(forms[i].type);
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            int64_t n = lengths[k], even = (n + 15) / 16 * 16;
            check(&forms[i], 8, n, even, 0);
            check(&forms[i], 48, n, even + 16, 0);
            check(&forms[i], 37, n, even, 0);
            check(&forms[i], 40, n, even, 3);
            check(&forms[i], 16, n, n, 0);
        }
        check(&forms[i], 532, 606, 608, 0);
        check(&forms[i], 1064, 300, 304, 0);
        check(&forms[i], 2128, 150, 160, 0);
        check(&forms[i], 16904, 17, 32, 0);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
