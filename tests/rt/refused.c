/* refused.c: what a call may not be is told, by the host and by the simulator alike, and leaves
 * arrays as they were. */
#include <string.h>
#include "../test.h"
#include "allocations.h"
#include "ufc.h"

static ufc_context *ctx;
static ufc_error err;
static const ufc_ufunc *plus = &allocations_plus_ufunc, *less = &allocations_less_ufunc;

static double x[6] = {0, 1, 2, 3, 4, 5}, y[6];
static int32_t n[6] = {5, 4, 3, 2, 1, 0};
static int64_t six[] = {6}, matrix[] = {2, 3};

static DLTensor view(void *data, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(type), ndim, shape);
}

/* It fails with this status, and a message that has the words. */
static bool told(ufc_status status, ufc_status wanted, const char *words) {
    if (status == wanted && strstr(err.message, words))
        return true;
    printf("status %d, \"%s\"\n", (int)status, err.message);
    return false;
}

/* ---- keywords of methods */

static void keywords(void) {
    DLTensor a = view(x, UFC_FLOAT64, 1, six), r = view(y, UFC_FLOAT64, 1, six);
    int64_t starts[] = {0, 3};
    DLTensor at = view(starts, UFC_INT64, 1, (int64_t[]){2});
    bool some[6] = {true};
    DLTensor mask = view(some, UFC_BOOL, 1, six);
    const ufc_arg one = ufc_float(1), array = ufc_array(&a);
    static const int axes[] = {0, 0};
    static const struct {
        const char *says;
        ufc_keywords kw;
    } wrong[] = {
        {"takes no 'casting'", {.casting = UFC_CASTING_UNSAFE}},
        {"takes no 'core_axes'", {.ncore_axes = 1}},
        {"takes no 'keepdims'", {.keepdims = true}},
        {"naxes is 1, axes is NULL", {.naxes = 1}},
        {"naxes is -1", {.axes = axes, .naxes = -1}},
        {"goes along one axis", {.axes = axes, .naxes = 2}},
        {"there is no such element type", {.dtype = {kDLFloat, 24, 1}}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(told(ufc_accumulate(ctx, NULL, plus, array, ufc_into(&r), &wrong[i].kw, &err),
                   i == 6 ? UFC_EDTYPE : UFC_EINVAL, wrong[i].says));
    ufc_keywords where = {.where = &mask}, initial = {.initial = &one}, from = {.initial = &array};
    CHECK(told(ufc_accumulate(ctx, NULL, plus, array, ufc_into(&r), &where, &err), UFC_EINVAL,
               "accumulate takes no 'where'"));
    CHECK(told(ufc_reduceat(ctx, NULL, plus, array, &at, ufc_into(&r), &initial, &err), UFC_EINVAL,
               "reduceat takes no 'initial'"));
    ufc_keywords all = {.all_axes = true};
    CHECK(told(ufc_outer(ctx, NULL, plus, array, array, ufc_into(&r), &all, &err), UFC_EINVAL,
               "axes"));
    r.ndim = 0;
    CHECK(told(ufc_reduce(ctx, NULL, plus, array, ufc_into(&r), &from, &err), UFC_EINVAL,
               "initial is an array, not a number"));
    CHECK(told(ufc_reduce(ctx, NULL, less, array, ufc_into(&r), &where, &err), UFC_EINVAL,
               "'less' has no identity: with 'where' give 'initial' as well"));
    mask.shape = (int64_t[]){5};
    CHECK(told(ufc_reduce(ctx, NULL, plus, array, ufc_into(&r), &where, &err), UFC_ESHAPE,
               "where has shape (5), which does not broadcast to the array's (6)"));
    CHECK(y[0] == 0 && y[5] == 0);
}

static void ranks(void) {
    DLTensor a = view(x, UFC_FLOAT64, 0, NULL), r = view(y, UFC_FLOAT64, 0, NULL);
    int64_t starts[] = {0, 0};
    DLTensor at = view(starts, UFC_INT64, 2, (int64_t[]){1, 2}),
             m = view(x, UFC_FLOAT64, 2, matrix);
    ufc_keywords axis = {.axes = (int[]){-1}, .naxes = 1};
    CHECK(told(ufc_accumulate(ctx, NULL, plus, ufc_array(&a), ufc_into(&r), NULL, &err), UFC_EINVAL,
               "plus.accumulate needs an array with an axis, not one of rank 0"));
    x[0] = 7;
    CHECK(ufc_reduce(ctx, NULL, plus, ufc_array(&a), ufc_into(&r), &axis, &err) == UFC_OK &&
          y[0] == 7); /* as NumPy has it */
    x[0] = y[0] = 0;
    CHECK(told(ufc_reduceat(ctx, NULL, plus, ufc_array(&m), &at, ufc_into(&r), NULL, &err),
               UFC_ESHAPE, "indices have rank 2, not 1"));
}

/* ---- numbers, and rules of casting */

static ufc_status add(ufc_arg a, ufc_arg b, double *sum, const ufc_keywords *kw) {
    DLTensor r = view(sum, UFC_FLOAT64, 0, NULL);
    ufc_arg in[] = {a, b};
    ufc_out out[] = {ufc_into(&r)};
    return ufc_call_with(ctx, NULL, plus, in, out, kw, &err);
}

static void numbers(void) {
    DLTensor i = view(n, UFC_INT32, 0, NULL), f = view(x, UFC_FLOAT64, 0, NULL);
    double sum = 0;
    CHECK(add(ufc_array(&f), ufc_uint(UINT64_MAX), &sum, NULL) == UFC_OK && sum == 0x1p64);
    CHECK(add(ufc_array(&i), ufc_uint(8), &sum, NULL) == UFC_OK && sum == 13);
    sum = 3;
    CHECK(told(add(ufc_array(&i), ufc_uint((uint64_t)1 << 40), &sum, NULL), UFC_EDTYPE,
               "1099511627776 does not fit int32"));
    CHECK(told(add(ufc_array(&i), ufc_uint(UINT64_MAX), &sum, NULL), UFC_EDTYPE,
               "18446744073709551615 does not fit int32"));
    CHECK(told(add(ufc_array(&i), ufc_int(-((int64_t)1 << 40)), &sum, NULL), UFC_EDTYPE,
               "-1099511627776 does not fit int32"));
    CHECK(add(ufc_array(&f), ufc_complex(1, 2), &sum, NULL) == UFC_EDTYPE && *err.message);
    ufc_keywords equal = {.casting = UFC_CASTING_NO}, wrong = {.casting = (ufc_casting)9};
    CHECK(
        told(add(ufc_array(&f), ufc_float(1), &sum, &wrong), UFC_EINVAL, "there is no casting 9"));
    CHECK(add(ufc_array(&f), ufc_array(&f), &sum, &equal) == UFC_OK && sum == 0);
    float single = 1;
    DLTensor s = view(&single, UFC_FLOAT32, 0, NULL);
    sum = 3;
    equal.casting = UFC_CASTING_EQUIV;
    CHECK(add(ufc_array(&s), ufc_array(&s), &sum, &equal) == UFC_EDTYPE && sum == 3);
}

/* ---- what is asked of a context */

static void contexts(void) {
    ufc_rates rates;
    ufc_properties p;
    CHECK(told(ufc_context_properties(ctx, NULL, &err), UFC_EINVAL, "props is NULL"));
    CHECK(told(ufc_context_rates(ctx, NULL, &err), UFC_EINVAL, "rates is NULL"));
    REQUIRE(ufc_context_properties(ctx, &p, &err) == UFC_OK);
    CHECK(told(ufc_context_rates(ctx, &rates, &err), UFC_EDEVICE, "rates are of a GPU"));
    CHECK(ufc_synchronize(NULL, NULL, &err) == UFC_OK);
}

static void plans(void) {
    double out[4];
    DLTensor m = view(x, UFC_FLOAT64, 2, (int64_t[]){1, 1}),
             r = view(out, UFC_FLOAT64, 2, (int64_t[]){1, 1});
    ufc_arg in[] = {ufc_array(&m), ufc_float(2)};
    ufc_out to[] = {ufc_into(&r)};
    ufc_plan *plan = NULL;
    CHECK(ufc_plan_new(&plan, ctx, NULL, &allocations_dot_ufunc, in, to, NULL, &err) != UFC_OK &&
          *err.message && !plan);
}

int main(void) {
    static const char *devices[] = {"cpu", "sim"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        REQUIRE(ufc_context_new(&ctx, devices[i], 1, &err) == UFC_OK);
        keywords();
        ranks();
        numbers();
        contexts();
        plans();
        ufc_context_free(ctx);
    }
    return test_failures > 0;
}
