/* inner.c: overloads as NumPy's inner loops: elements, folds, threads, core calls of gufuncs, their
 * computed dimensions, what is not written; and what is told of an overload. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static const char source[] =
    "ufunc add(x, y) : int32(int32, int32), float64(float64, float64) with identity 0 = x + y\n"
    "ufunc either(x, y) : bool(bool, bool) with identity False = x or y\n"
    "ufunc bits(x, y) : uint8(uint8, uint8) with identity 255 = x & y\n"
    "ufunc less(x, y) : float64(float64, float64) = x - y\n"
    "ufunc most(x, y) : float64(float64, float64) = max(x, y)\n"
    "ufunc product2(x, y) : complex64(complex64, complex64) with identity 1 = x * y\n"
    "ufunc turned(x, y) : complex64(complex64, complex64) with identity 1 = conj(x) * y\n"
    "ufunc named(x, y) : float64(float64, float64) with identity 0\n"
    "{ let s = x * y; let t = x + y; return s * t }\n"
    "ufunc again(x, y) : float64(float64, float64) with identity 0\n"
    "{ var s = x; s = s * y; return s }\n"
    "ufunc inverse(x) : float32(float32) = 1 / x\n"
    "gufunc convolve(x[n], w[k]) -> y[n + k - 1] : float64(float64, float64)\n"
    "{ y[i] = sum(x[j] * w[i - j] for j in max(0, i - k + 1)..min(n, i + 1)) for i }\n"
    "gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : float64(float64, float64)\n"
    "{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }\n"
    "gufunc odd(x[n]) -> y[n] : float64(float64) { y[2 * i + 1] = x[2 * i + 1] for i in 0..n // 2 "
    "}\n"
    "gufunc spread(x[n]) -> y[n] : float64(float64)\n"
    "{ var s: float64[n]; s[i] = x[i] ** 2 for i; y[i] = s[n - 1 - i] - s[i] for i }\n";

enum { MANY = 300000 };
static double x[MANY], y[MANY], z[MANY];
static ufc_error err;
static ufcc_program *program;

static ufc_status run(const char *name, int overload, char **args, const intptr_t *dimensions,
                      const intptr_t *steps) {
    return ufc_inner_loop(ufcc_function(program, name), overload, args, dimensions, steps, &err);
}

static ufc_status binary(const char *name, double *a, intptr_t da, double *b, intptr_t db,
                         double *c, intptr_t dc, intptr_t n) {
    char *args[] = {(char *)a, (char *)b, (char *)c};
    return run(name, strcmp(name, "add") == 0, args, &n, (intptr_t[]){8 * da, 8 * db, 8 * dc});
}

static void elements(void) {
    CHECK(binary("add", x, 1, y, 1, z, 1, MANY) == UFC_OK);
    int wrong = 0;
    for (int i = 0; i < MANY; i++)
        wrong += z[i] != x[i] + y[i];
    CHECK(wrong == 0);
    CHECK(binary("less", x + MANY - 1, -1, y, 0, z, 2, MANY / 2) == UFC_OK);
    for (int i = 0; i < MANY / 2; i++)
        wrong += z[2 * i] != x[MANY - 1 - i] - y[0];
    CHECK(wrong == 0);
    CHECK(binary("less", x, 1, y, 1, z, 1, 0) == UFC_OK);
    feclearexcept(FE_ALL_EXCEPT);
    float zeros[16] = {0}, inverse[16];
    char *args[] = {(char *)zeros, (char *)inverse};
    CHECK(run("inverse", 0, args, (intptr_t[]){16}, (intptr_t[]){4, 4}) == UFC_OK);
    CHECK(isinf(inverse[15]) && fetestexcept(FE_ALL_EXCEPT) == 0);
}

/* As NumPy's reduce and accumulate call a loop: in order, or by blocks where order does not count;
 * over n elements that one output stands for, however many there are. */
static void folds(void) {
    double total = 3, sum = 3, in_order = 3, most = -1, highest = -1;
    for (int i = 0; i < MANY; i++) {
        sum += x[i];
        in_order -= x[i];
        highest = highest > x[i] ? highest : x[i];
    }
    CHECK(binary("add", &total, 0, x, 1, &total, 0, MANY) == UFC_OK);
    CHECK(fabs(total - sum) < 1e-9 * sum);
    total = 3;
    CHECK(binary("less", &total, 0, x, 1, &total, 0, MANY) == UFC_OK && total == in_order);
    CHECK(binary("most", &most, 0, x, 1, &most, 0, MANY) == UFC_OK && most == highest);
    most = -1;
    CHECK(binary("most", &most, 0, x, 2, &most, 0, MANY / 2) == UFC_OK && most <= highest);
    z[0] = x[0];
    CHECK(binary("less", z, 1, x + 1, 1, z + 1, 1, MANY - 1) == UFC_OK);
    int wrong = 0;
    for (int i = 1; i < MANY; i++)
        wrong += z[i] != z[i - 1] - x[i];
    CHECK(wrong == 0);
    int32_t ints[] = {1, 2, 3}, all = 4;
    char *args[] = {(char *)&all, (char *)ints, (char *)&all};
    CHECK(run("add", 0, args, (intptr_t[]){3}, (intptr_t[]){0, 4, 0}) == UFC_OK && all == 10);
}

static void gufuncs(void) {
    double a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 10, 100}, c[10];
    char *args[] = {(char *)a, (char *)b, (char *)c};
    /* Two calls of sizes 3 and 2; w is read backwards. */
    char *backwards[] = {(char *)a, (char *)(b + 1), (char *)c};
    CHECK(run("convolve", 0, backwards, (intptr_t[]){2, 3, 2, 4},
              (intptr_t[]){24, 0, 32, 8, -8, 8}) == UFC_OK);
    CHECK(c[0] == 10 && c[1] == 21 && c[2] == 32 && c[3] == 3 && c[4] == 40 && c[7] == 6);
    CHECK(run("convolve", 0, backwards, (intptr_t[]){2, 3, 2, 5},
              (intptr_t[]){24, 0, 40, 8, -8, 8}) == UFC_ESHAPE);
    intptr_t sizes[] = {3, 2, -1}, wrong[] = {3, 2, 5};
    const ufc_ufunc *convolve = ufcc_function(program, "convolve");
    CHECK(ufc_core_sizes(convolve, sizes, &err) == UFC_OK && sizes[2] == 4);
    CHECK(ufc_core_sizes(convolve, wrong, &err) == UFC_ESHAPE && strstr(err.message, "n + k - 1"));
    intptr_t negative[] = {0, 0, -1}, large[] = {INTPTR_MAX, 2, -1};
    CHECK(ufc_core_sizes(convolve, negative, &err) == UFC_ESHAPE &&
          strstr(err.message, "negative"));
    CHECK(ufc_core_sizes(convolve, large, &err) == UFC_ESHAPE && strstr(err.message, "too large"));
    CHECK(ufc_core_sizes(ufcc_function(program, "add"), sizes, &err) == UFC_OK);
    /* p is missing. */
    CHECK(run("product", 0, args, (intptr_t[]){1, 2, 3, 1},
              (intptr_t[]){0, 0, 0, 24, 8, 8, 0, 8, 0}) == UFC_OK);
    CHECK(c[0] == 321 && c[1] == 654);
    memset(c, -1, sizeof c);
    char *one[] = {(char *)a, (char *)c};
    CHECK(run("odd", 0, one, (intptr_t[]){2, 3}, (intptr_t[]){24, 32, 8, 8}) == UFC_OK);
    CHECK(c[0] == 0 && c[1] == 2 && c[2] == 0 && isnan(c[3]) && c[4] == 0 && c[5] == 5);
    CHECK(run("spread", 0, one, (intptr_t[]){2, 3}, (intptr_t[]){24, 24, 8, 8}) == UFC_OK);
    CHECK(c[0] == 8 && c[1] == 0 && c[2] == -8 && c[3] == 20);
    CHECK(run("spread", 0, one, (intptr_t[]){2, 0}, (intptr_t[]){24, 24, 8, 8}) == UFC_OK);
}

static void descriptions(void) {
    const ufc_ufunc *add = ufcc_function(program, "add"), *most = ufcc_function(program, "most");
    ufc_overload_description d = ufc_describe_overload(add, 0);
    CHECK(strcmp(d.signature, "int32(int32, int32)") == 0 && d.types[2] == UFC_INT32);
    CHECK(d.reorders && d.has_identity && d.identity.kind == UFC_ARG_INT && d.identity.as.i == 0);
    d = ufc_describe_overload(add, 1);
    CHECK(d.identity.kind == UFC_ARG_FLOAT && d.types[0] == UFC_FLOAT64);
    d = ufc_describe_overload(ufcc_function(program, "either"), 0);
    CHECK(d.identity.kind == UFC_ARG_BOOL && !d.identity.as.b);
    d = ufc_describe_overload(ufcc_function(program, "bits"), 0);
    CHECK(d.identity.kind == UFC_ARG_UINT && d.identity.as.u == 255);
    d = ufc_describe_overload(most, 0);
    CHECK(d.reorders && !d.has_identity);
    static const char *const in_order[] = {"less", "turned", "again"};
    for (int i = 0; i < 3; i++)
        CHECK(!ufc_describe_overload(ufcc_function(program, in_order[i]), 0).reorders);
    CHECK(ufc_describe_overload(ufcc_function(program, "product2"), 0).reorders);
    CHECK(ufc_describe_overload(ufcc_function(program, "named"), 0).reorders);
    CHECK(!ufc_describe_overload(most, 1).signature && !ufc_describe_overload(NULL, 0).signature);
    CHECK(ufc_inner_loop(most, 1, NULL, NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_inner_loop(NULL, 0, NULL, NULL, NULL, &err) == UFC_EINVAL);
}

int main(void) {
    program = ufcc_compile("inner.uf", source, strlen(source), NULL);
    REQUIRE(program && ufcc_load(program));
    for (int i = 0; i < MANY; i++) {
        x[i] = random_unit(1, (uint64_t)i);
        y[i] = random_unit(2, (uint64_t)i);
    }
    elements();
    folds();
    gufuncs();
    descriptions();
    ufcc_free(program);
    return test_failures > 0;
}
