/* check.c: a build with checks: what a call gives of a subscript out of range, what it leaves
 * alone, and that neither a build without checks nor a ufunc has any. */
#include <string.h>
#include "../test.h"
#include "kabi.h"
#include "ufc.h"
#include "ufcc.h"

static const char source[] = "def first(a[n]) = a[0]\n"
                             "gufunc pick(x[n], i) -> y : float64(float64, int64) { y = x[i] }\n"
                             "gufunc put(i, v) -> y[3] : float64(int64, float64)\n"
                             "{\n"
                             "    y[k] = v for k\n"
                             "    y[i] = -v\n"
                             "}\n"
                             "gufunc both(x[n]) -> (a, b) : (float64, float64)(float64)\n"
                             "{ a = sum(v for v in x); b = first(x) }\n"
                             "gufunc plain(x[n]) -> y : float64(float64) = sum(x[k] for k)\n"
                             "ufunc twice(x) : float64(float64) = 2 * x\n";

static ufc_error err;

static bool says(const char *words) {
    bool has = strstr(err.message, words) != NULL;
    if (!has)
        printf("the message lacks '%s': %s\n", words, err.message);
    return has;
}

static ufcc_program *load(bool check) {
    ufcc_options options = {.native = true, .check = check};
    ufcc_program *p = ufcc_compile("k.uf", source, strlen(source), &options);
    REQUIRE(p && ufcc_load(p));
    return p;
}

enum { CALLS = 30000, WIDTH = 3 };

/* The calls of pick whose index is n are wrong, and of those the first is told by a host. */
static void pick(ufc_context *ctx, const ufc_ufunc *f, bool on_host) {
    double *x = malloc(CALLS * WIDTH * sizeof *x), *y = malloc(CALLS * sizeof *y);
    int64_t *at = malloc(CALLS * sizeof *at);
    REQUIRE(x && y && at);
    for (int i = 0; i < CALLS * WIDTH; i++)
        x[i] = i;
    for (int i = 0; i < CALLS; i++)
        at[i] = i % WIDTH;
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){CALLS, WIDTH});
    DLTensor b = ufc_host_array(at, ufc_dltype(UFC_INT64), 1, (int64_t[]){CALLS});
    DLTensor r = ufc_host_array(y, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){CALLS});
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_out out[] = {ufc_into(&r)};
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_OK);
    for (int i = 0; i < CALLS; i++)
        CHECK(y[i] == WIDTH * i + i % WIDTH);
    for (int i = 77; i < CALLS; i += 100)
        at[i] = i % 3 ? WIDTH + i : -i;
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_EINVAL);
    CHECK(says("pick: k.uf:2:59: x[i], dimension 1: index ") &&
          says(" is out of range for size 3"));
    CHECK(!on_host || says("index 80 is"));
    in[0] = ufc_array(&a);
    in[1] = ufc_int(2); /* the next call is a new one */
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_OK && y[77] == 3 * 77 + 2);
    free(x);
    free(y);
    free(at);
}

/* A result that is made is not left behind; nothing beyond the array is written. */
static void put(ufc_context *ctx, const ufc_ufunc *f) {
    double y[5] = {9, 9, 9, 9, 9};
    DLManagedTensorVersioned *made = NULL;
    DLTensor r = ufc_host_array(y + 1, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){3});
    ufc_arg in[] = {ufc_int(3), ufc_float(2)};
    ufc_out out[] = {ufc_into(&r)}, new[] = {ufc_new(&made)};
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_EINVAL &&
          says("put: k.uf:6:5: y[i], dimension 1: index 3 is out of range for size 3"));
    in[0] = ufc_int(-1);
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_EINVAL && says("index -1 is"));
    CHECK(y[0] == 9 && y[4] == 9);
    CHECK(ufc_call(ctx, NULL, f, in, new, &err) == UFC_EINVAL && !made);
    in[0] = ufc_int(2);
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_OK && y[1] == 2 && y[3] == -2);
}

static void both(ufc_context *ctx, const ufc_ufunc *f) {
    double x = 0, a = 1, b = 1;
    DLTensor none = ufc_host_array(&x, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){0});
    DLTensor one = ufc_host_array(&a, ufc_dltype(UFC_FLOAT64), 0, NULL),
             two = ufc_host_array(&b, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg in[] = {ufc_array(&none)};
    ufc_out out[] = {ufc_into(&one), ufc_into(&two)};
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_EINVAL &&
          says("both: k.uf:1:19: a[0], dimension 1 of x: index 0 is out of range for size 0"));
}

/* A kernel on its own, as NumPy would call it: the record may be missing. */
static void alone(const ufc_ufunc *f) {
    double x[] = {1, 2, 3}, y = 7;
    int64_t at = 3;
    int level = 0;
    while (!f->overloads[0].host[level])
        level++;
    char *args[] = {(char *)x, (char *)&at, (char *)&y};
    intptr_t dimensions[] = {1, 3}, steps[] = {0, 0, 0, sizeof *x};
    struct ufc_fault fault = {0};
    f->overloads[0].host[level](args, dimensions, steps, NULL);
    CHECK(y == 7);
    f->overloads[0].host[level](args, dimensions, steps, &fault);
    CHECK(y == 7 && fault.set == 1 && fault.place == 0 && fault.index == 3 && fault.size == 3);
    at = 5; /* the first one stays */
    f->overloads[0].host[level](args, dimensions, steps, &fault);
    CHECK(fault.index == 3);
}

int main(void) {
    static const char *const devices[] = {"cpu", "sim"};
    ufcc_program *p = load(true), *without = load(false);
    for (size_t d = 0; d < 2; d++)
        for (int threads = 1; threads <= 4; threads += 3) {
            ufc_context *ctx;
            REQUIRE(ufc_context_new(&ctx, devices[d], threads, &err) == UFC_OK);
            pick(ctx, ufcc_function(p, "pick"), d == 0);
            put(ctx, ufcc_function(p, "put"));
            both(ctx, ufcc_function(p, "both"));
            ufc_context_free(ctx);
        }
    alone(ufcc_function(p, "pick"));
    CHECK(ufcc_function(p, "pick")->core->nplaces == 1);
    CHECK(ufcc_function(p, "plain")->core->nplaces == 0); /* what cannot fail is not tested */
    CHECK(!ufcc_function(p, "twice")->core);
    CHECK(ufcc_function(without, "pick")->core->nplaces == 0);
    ufcc_free(p);
    ufcc_free(without);
    return test_failures > 0;
}
