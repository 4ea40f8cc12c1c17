/* uniform.c: calls that share the rows of their ordered loops, or do not, or share some of them:
 * results are the host's, and few registers are all that the first need. */
#include <string.h>

#include "../test.h"
#include "uniform.h"

enum { CALLS = 600, MOST = 40 }; /* fewer have helpers */

static float c[CALLS * MOST], d[CALLS * MOST], x[CALLS], low[2][CALLS];
static int64_t ci[CALLS * MOST], xi[CALLS], yi[2][CALLS], at[2][CALLS];
static ufc_context *ctx[2];

static DLTensor array(void *data, ufc_type type, int64_t *shape, int64_t *strides) {
    DLTensor a = ufc_host_array(data, ufc_dltype(type), 2, shape);
    a.strides = strides;
    return a;
}

static DLTensor numbers(void *data, ufc_type type, int64_t *calls) {
    return ufc_host_array(data, ufc_dltype(type), 1, calls);
}

/* apart: from call to call. */
static void poly(int64_t n, int64_t apart) {
    int64_t calls = CALLS, shape[] = {CALLS, n}, strides[] = {apart, 1};
    for (int k = 0; k < 2; k++) {
        DLTensor a = array(ci, UFC_INT64, shape, strides), b = numbers(xi, UFC_INT64, &calls);
        DLTensor y = numbers(yi[k], UFC_INT64, &calls);
        ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
        ufc_out out = ufc_into(&y);
        REQUIRE(ufc_call(ctx[k], NULL, &uniform_poly_ufunc, in, &out, NULL) == UFC_OK);
    }
    CHECK(memcmp(yi[0], yi[1], sizeof yi[0]) == 0);
}

static void cells(int64_t n, int64_t m, int64_t apart) {
    int64_t calls = CALLS, shape[] = {CALLS, n}, other[] = {CALLS, m};
    int64_t strides[] = {apart, 1}, same[] = {0, 1};
    for (int k = 0; k < 2; k++) {
        DLTensor edge = array(c, UFC_FLOAT32, shape, same);
        DLTensor by = array(d, UFC_FLOAT32, other, strides);
        DLTensor v = numbers(x, UFC_FLOAT32, &calls), y = numbers(at[k], UFC_INT64, &calls);
        DLTensor z = numbers(low[k], UFC_FLOAT32, &calls);
        ufc_arg in[] = {ufc_array(&edge), ufc_array(&by), ufc_array(&v)};
        ufc_out out[] = {ufc_into(&y), ufc_into(&z)};
        REQUIRE(ufc_call(ctx[k], NULL, &uniform_cells_ufunc, in, out, NULL) == UFC_OK);
    }
    CHECK(memcmp(at[0], at[1], sizeof at[0]) == 0 && memcmp(low[0], low[1], sizeof low[0]) == 0);
}

int main(void) {
    static const int64_t lengths[] = {0, 1, 7, 8, 9, 33, MOST};
    for (int i = 0; i < CALLS * MOST; i++) {
        c[i] = (float)(i % 23) / 8;
        d[i] = (float)(i * 7 % 19 - 9);
        ci[i] = i * 5 % 17 - 8;
    }
    for (int i = 0; i < CALLS; i++) {
        x[i] = (float)(i % 13) / 4;
        xi[i] = i % 7 - 3;
    }
    REQUIRE(ufc_context_new(&ctx[0], "sim", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&ctx[1], "cpu", 1, NULL) == UFC_OK);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        poly(lengths[i], 0);
        poly(lengths[i], MOST);
        cells(lengths[i], 9, 0);
        cells(8, lengths[i], MOST);
    }
    ufc_context_free(ctx[0]);
    ufc_context_free(ctx[1]);
    return test_failures != 0;
}
