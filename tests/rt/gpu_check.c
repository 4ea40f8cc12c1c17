/* gpu_check.c: ufuncs built with checks: what each kind of kernel finds is told; and what a gufunc
 * does not write of a new result is 0.  On a GPU and on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "checks.h"
#include "ufc.h"

static ufc_context *gpu;
static ufc_error err;

enum { ROWS = 40, COLUMNS = 60, N = ROWS * COLUMNS };
static double x[N], y[N];
static float single[N];
static int64_t at[N], sums[N];

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("no '%s' in: %s\n", words, err.message);
    return false;
}

static DLTensor array(void *data, ufc_type type, int64_t *shape, int64_t *strides) {
    DLTensor t = ufc_host_array(data, ufc_dltype(type), strides ? 2 : 1, shape);
    t.strides = strides;
    return t;
}

static ufc_status call(DLTensor *values, DLTensor *indices, DLTensor *result,
                       const ufc_keywords *keywords) {
    ufc_arg in[] = {ufc_array(values), ufc_array(indices)};
    return ufc_call_with(gpu, NULL, &checks_nth_ufunc, in, &(ufc_out){.array = result}, keywords,
                         &err);
}

/* Side by side, across, of another type, under a mask: right, and then with one index that is not.
 */
static void elements(void) {
    static int64_t line[] = {N}, matrix[] = {ROWS, COLUMNS}, along[] = {COLUMNS, 1},
                   across[] = {1, ROWS};
    static char mask[N];
    memset(mask, 1, N);
    DLTensor on = array(mask, UFC_BOOL, line, NULL);
    DLTensor flat = array(x, UFC_FLOAT64, line, NULL), to = array(y, UFC_FLOAT64, line, NULL);
    DLTensor narrow = array(single, UFC_FLOAT32, line, NULL);
    DLTensor turned = array(x, UFC_FLOAT64, matrix, across),
             rows = array(y, UFC_FLOAT64, matrix, along);
    DLTensor indices = array(at, UFC_INT64, line, NULL),
             table = array(at, UFC_INT64, matrix, along);
    const ufc_keywords masked = {.where = &on};
    for (int wrong = 0; wrong < 2; wrong++) {
        ufc_status wanted = wrong ? UFC_EINVAL : UFC_OK;
        at[77] = wrong ? -3 : 3;
        const ufc_status got[] = {
            call(&flat, &indices, &to, NULL),
            call(&turned, &table, &rows, NULL),
            call(&narrow, &indices, &to, NULL),
            call(&flat, &indices, &to, &masked),
        };
        for (size_t i = 0; i < sizeof got / sizeof *got; i++)
            CHECK(got[i] == wanted);
        CHECK(!wrong || says("checks.uf:7:12: t[i], dimension 1: index -3 is out of range for "
                             "size 5, at [77]"));
        CHECK(wrong || y[78] == x[78] + (double)at[78]);
    }
    CHECK(call(&turned, &table, &rows, NULL) == UFC_EINVAL && says("at [1, 17]"));
    mask[77] = 0; /* nothing is computed there */
    CHECK(call(&flat, &indices, &to, &masked) == UFC_OK);
    at[77] = 0;
}

static void methods(void) {
    static int64_t line[] = {N}, none[] = {0};
    DLTensor in = array(at, UFC_INT64, line, NULL), to = array(sums, UFC_INT64, line, NULL);
    DLTensor total = ufc_host_array(sums, ufc_dltype(UFC_INT64), 0, none);
    const ufc_keywords all = {.all_axes = true};
    CHECK(ufc_reduce(gpu, NULL, &checks_add_ufunc, ufc_array(&in), ufc_into(&total), &all, &err) ==
          UFC_OK);
    at[N - 1] = 400;
    CHECK(ufc_reduce(gpu, NULL, &checks_add_ufunc, ufc_array(&in), ufc_into(&total), &all, &err) ==
              UFC_EINVAL &&
          says("checks.uf:12:5: w[y // 100], dimension 1: index "));
    CHECK(ufc_accumulate(gpu, NULL, &checks_add_ufunc, ufc_array(&in), ufc_into(&to), NULL, &err) ==
              UFC_EINVAL &&
          says("checks.uf:12:5: w[y // 100], dimension 1: index 4"));
    CHECK(ufc_at(gpu, NULL, &checks_add_ufunc, &to, &in, ufc_array(&in), &err) == UFC_EINVAL &&
          says("checks.uf:12:5: w[y // 100], dimension 1: index 4"));
    at[N - 1] = 0;
}

/* In the device's memory, in which there was something, ordered on the stream alone. */
static void results(void) {
    static int64_t line[] = {N};
    DLTensor host = array(x, UFC_FLOAT64, line, NULL), back = array(y, UFC_FLOAT64, line, NULL);
    DLManagedTensorVersioned *in, *dirty, *made = NULL;
    REQUIRE(ufc_empty(gpu, UFC_FLOAT64, 1, line, UFC_DEVICE, &in, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT64, 1, line, UFC_DEVICE, &dirty, &err) == UFC_OK);
    REQUIRE(ufc_copy(gpu, NULL, &host, &in->dl_tensor, &err) == UFC_OK);
    REQUIRE(ufc_copy(gpu, NULL, &host, &dirty->dl_tensor, &err) == UFC_OK);
    ufc_free(dirty);
    ufc_arg args[] = {ufc_array(&in->dl_tensor)};
    REQUIRE(ufc_call(gpu, NULL, &checks_edges_ufunc, args, &(ufc_out){.result = &made}, &err) ==
            UFC_OK);
    REQUIRE(ufc_copy(gpu, NULL, &made->dl_tensor, &back, &err) == UFC_OK);
    CHECK(y[N - 1] == x[N - 1]);
    for (int i = 1; i < N - 1; i++)
        CHECK(y[i] == 0);
    ufc_free(in);
    ufc_free(made);
}

int main(void) {
    make_known(&checks_nth_ufunc);
    make_known(&checks_add_ufunc);
    make_known(&checks_edges_ufunc);
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("gpu_check: %s\n", err.message);
        return SKIPPED;
    }
    for (int i = 0; i < N; i++) {
        x[i] = i;
        single[i] = (float)i;
        at[i] = i % 5;
    }
    elements();
    methods();
    results();
    ufc_context_free(gpu);
    return test_failures > 0;
}
