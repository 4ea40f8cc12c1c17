/* check.c: a build with checks: what a call gives of a subscript out of range, what it leaves
 * alone, and that a build without checks has none. */
#include <string.h>
#include "../test.h"
#include "image_abi.h"
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
                             "ufunc twice(x) : float64(float64) = 2 * x\n"
                             "ufunc nth(x, i) : float64(float64, int64)\n"
                             "{\n"
                             "    var w: float64[4]\n"
                             "    w[i] = x\n"
                             "    return w[2]\n"
                             "}\n";

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
    CHECK(!on_host || says("index 80 is out of range for size 3, in call [77]"));
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

/* One call of a matrix of them is wrong, whose results lie in any way. */
static void put_many(ufc_context *ctx, const ufc_ufunc *f) {
    enum { ROWS = 4, COLUMNS = 5 };
    static int64_t layouts[][3] = {{15, 3, 1}, {3, 12, 1}, {-15, 3, 1}, {1, -4, 20}};
    static const int firsts[] = {0, 0, 45, 16};
    double v[COLUMNS] = {1, 2, 3, 4, 5}, y[ROWS * COLUMNS * 3];
    int64_t at[ROWS * COLUMNS] = {0};
    at[2 * COLUMNS + 3] = 7;
    DLTensor a = ufc_host_array(at, ufc_dltype(UFC_INT64), 2, (int64_t[]){ROWS, COLUMNS});
    DLTensor b = ufc_host_array(v, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){COLUMNS});
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        DLTensor r = ufc_host_array(y + firsts[i], ufc_dltype(UFC_FLOAT64), 3,
                                    (int64_t[]){ROWS, COLUMNS, 3});
        r.strides = layouts[i];
        ufc_out out[] = {ufc_into(&r)};
        CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_EINVAL &&
              says("index 7 is out of range for size 3, in call [2, 3]"));
        ufc_plan *plan;
        REQUIRE(ufc_plan_new(&plan, ctx, NULL, f, in, out, NULL, &err) == UFC_OK);
        CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_EINVAL &&
              says("index 7 is out of range for size 3, in call [2, 3]"));
        double other[ROWS * COLUMNS * 3];
        CHECK(ufc_execute(plan, NULL, (void *[]){at, v, other + firsts[i]}, &err) == UFC_EINVAL &&
              says("in call [2, 3]"));
        ufc_plan_free(plan);
    }
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

/* A local array: of many elements the first fault, on any number of threads. */
static void nth(ufc_context *ctx, const ufc_ufunc *f, bool on_host) {
    enum { N = 300000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    int64_t *at = malloc(N * sizeof *at);
    REQUIRE(x && y && at);
    for (int i = 0; i < N; i++) {
        x[i] = i;
        at[i] = i % 4;
    }
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){N});
    DLTensor b = ufc_host_array(at, ufc_dltype(UFC_INT64), 1, (int64_t[]){N});
    DLTensor r = ufc_host_array(y, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){N});
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_out out[] = {ufc_into(&r)};
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_OK && y[6] == 6 && y[7] == 0);
    for (int i = 5000; i < N; i += 100)
        at[i] = 1000000 + i;
    CHECK(ufc_call(ctx, NULL, f, in, out, &err) == UFC_EINVAL &&
          says("nth: k.uf:15:5: w[i], dimension 1: index 1") && says("is out of range for size 4"));
    CHECK(!on_host || says("index 1005000 is out of range for size 4, at [5000]"));
    ufc_plan *plan;
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, f, in, out, NULL, &err) == UFC_OK);
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_EINVAL && says("w[i], dimension 1: index 1"));
    double *other = malloc(N * sizeof *other);
    REQUIRE(other);
    CHECK(ufc_execute(plan, NULL, (void *[]){x, at, other}, &err) == UFC_EINVAL &&
          (!on_host || says("size 4, at [5000]")));
    free(other);
    ufc_plan_free(plan);
    free(x);
    free(y);
    free(at);
}

/* By tiles, since x lies the other way: the first fault is that of a loop without them. */
static void nth_turned(ufc_context *ctx, const ufc_ufunc *f) {
    enum { SIDE = 400 };
    static double x[SIDE * SIDE], y[SIDE * SIDE];
    static int64_t at[SIDE * SIDE];
    static bool some[SIDE * SIDE];
    int64_t shape[] = {SIDE, SIDE}, turned[] = {1, SIDE};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape);
    DLTensor b = ufc_host_array(at, ufc_dltype(UFC_INT64), 2, shape);
    DLTensor r = ufc_host_array(y, ufc_dltype(UFC_FLOAT64), 2, shape);
    DLTensor mask = ufc_host_array(some, ufc_dltype(UFC_BOOL), 2, shape);
    ufc_keywords kw = {.where = &mask};
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_out out[] = {ufc_into(&r)};
    a.strides = turned;
    for (int i = 0; i < SIDE * SIDE; i++) {
        at[i] = i == 10 || i >= SIDE ? 1000000 + i : 0;
        some[i] = i >= 10;
    }
    CHECK(ufc_call_with(ctx, NULL, f, in, out, &kw, &err) == UFC_EINVAL &&
          says("index 1000010 is out of range for size 4, at [0, 10]"));
}

/* Without checks the simulator finds it, and takes it for no array of the call. */
static void unchecked(ufc_context *sim, const ufc_ufunc *f) {
    double x = 1, y = 2;
    DLTensor a = ufc_host_array(&x, ufc_dltype(UFC_FLOAT64), 0, NULL);
    DLTensor r = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg in[] = {ufc_array(&a), ufc_int(0)};
    ufc_out out[] = {ufc_into(&r)};
    for (int64_t at = 100; at <= 1000000; at *= 100) {
        in[1] = ufc_int(at);
        CHECK(ufc_call(sim, NULL, f, in, out, &err) == UFC_ESIM &&
              says("thread (0) of block (0) writes 8 bytes at 0x") &&
              says(" bytes of local memory and the call's arrays") && says("--check"));
        CHECK(!strstr(err.message, "the array '"));
    }
}

static ufc_host_kernel *host_code(const ufc_ufunc *f) {
    struct ufc_maker *maker = f->overloads[0].maker;
    char why[200];
    const struct ufc_host_code *code = maker->host(maker, UFC_HOST_CALLS, why, sizeof why);
    REQUIRE(code);
    return code->kernel;
}

/* A kernel on its own, as NumPy would call it: the record may be missing. */
static void nth_alone(const ufc_ufunc *f) {
    double x[] = {1, 2, 3}, y[] = {7, 7, 7};
    int64_t at[] = {2, 1 << 20, 2};
    char *args[] = {(char *)x, (char *)at, (char *)y};
    intptr_t n = 3, steps[] = {sizeof *x, sizeof *at, sizeof *y};
    struct ufc_host_call lent = {.share = NULL};
    host_code(f)(args, &n, steps, NULL);
    CHECK(y[0] == 1 && y[2] == 3); /* of the others nothing is lost */
    host_code(f)(args, &n, steps, &lent);
    CHECK(lent.fault.set == 1 && lent.fault.place == 0 && lent.fault.index == 1 << 20 &&
          lent.fault.size == 4);
}

static void alone(const ufc_ufunc *f) {
    double x[] = {1, 2, 3}, y = 7;
    int64_t at = 3;
    char *args[] = {(char *)x, (char *)&at, (char *)&y};
    intptr_t dimensions[] = {1, 3}, steps[] = {0, 0, 0, sizeof *x};
    struct ufc_fault fault = {0};
    host_code(f)(args, dimensions, steps, NULL);
    CHECK(y == 7);
    host_code(f)(args, dimensions, steps, &fault);
    CHECK(y == 7 && fault.set == 1 && fault.place == 0 && fault.index == 3 && fault.size == 3);
    at = 5; /* the first one stays */
    host_code(f)(args, dimensions, steps, &fault);
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
            put_many(ctx, ufcc_function(p, "put"));
            both(ctx, ufcc_function(p, "both"));
            nth(ctx, ufcc_function(p, "nth"), d == 0);
            if (d == 0)
                nth_turned(ctx, ufcc_function(p, "nth"));
            if (d == 1)
                unchecked(ctx, ufcc_function(without, "nth"));
            ufc_context_free(ctx);
        }
    alone(ufcc_function(p, "pick"));
    nth_alone(ufcc_function(p, "nth"));
    CHECK(ufcc_function(p, "pick")->nplaces == 1);
    CHECK(ufcc_function(p, "plain")->nplaces == 0); /* what cannot fail is not tested */
    CHECK(ufcc_function(p, "twice")->nplaces == 0);
    CHECK(ufcc_function(without, "pick")->nplaces == 0 &&
          ufcc_function(without, "nth")->nplaces == 0);
    ufcc_free(p);
    ufcc_free(without);
    return test_failures > 0;
}
