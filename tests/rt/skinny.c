/* skinny.c: products of few rows with many give in the simulator what the host gives, where threads
 * of NEST have microtiles: of rows that are no multiple of them, or fewer, with vectors and a rest,
 * of rows that vectors cannot be of, and of elements of several sizes; and where these are in
 * order, by tiles. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "skinny.h"

enum { MOST = 1 << 21 };

static ufc_context *host, *sim;
static ufc_error err;
static int64_t wide[2][MOST], results[2][MOST];
static int32_t data[2][MOST];
static int8_t bytes[MOST];
static float small[MOST + 5], whole[2][MOST];

/* f of n inputs on both devices; on the GPU by what statements are explained with. */
static void compare(const ufc_ufunc *f, const DLTensor *in, int n, DLTensor *out, const char *by) {
    ufc_arg args[3];
    ufc_plan_description d;
    memset(results, 0, sizeof results);
    for (int i = 0; i < n; i++)
        args[i] = ufc_array(&in[i]);
    for (int k = 0; k < 2; k++) {
        out->data = results[k];
        ufc_out to = ufc_into(out);
        CHECK(ufc_call(k == 0 ? host : sim, NULL, f, args, &to, &err) == UFC_OK);
        CHECK(k == 0 || (ufc_explain(sim, NULL, f, args, &to, NULL, &d, &err) == UFC_OK &&
                         strstr(d.statements, by) != NULL));
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0);
}

static DLTensor array(void *first, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(first, ufc_dltype(type), ndim, shape);
}

/* gap: elements between the rows of w; first: those before its first one. */
static void rows(int64_t t, int64_t n, int64_t d, int64_t gap, int64_t first) {
    int64_t x[] = {t, d}, w[] = {n, d}, y[] = {t, n}, strides[] = {d + gap, 1};
    DLTensor in[] = {array(whole[0], UFC_FLOAT32, 2, x),
                     array(whole[1] + first, UFC_FLOAT32, 2, w)};
    DLTensor out = array(NULL, UFC_FLOAT32, 2, y);
    in[1].strides = strides;
    compare(&skinny_rows_ufunc, in, 2, &out, "16 points a thread");
}

static void of_bytes(int64_t t, int64_t n, int64_t d) {
    int64_t x[] = {t, d}, w[] = {n, d}, y[] = {n, t};
    DLTensor in[] = {array(whole[0], UFC_FLOAT32, 2, x), array(bytes, UFC_INT8, 2, w)};
    DLTensor out = array(NULL, UFC_FLOAT32, 2, y);
    compare(&skinny_bytes_ufunc, in, 2, &out, "16 points a thread");
}

static void of_words(int64_t t, int64_t n, int64_t d) {
    int64_t x[] = {t, d}, w[] = {n, d}, y[] = {t, n};
    DLTensor in[] = {array(data[0], UFC_INT32, 2, x), array(data[1], UFC_INT32, 2, w)};
    DLTensor out = array(NULL, UFC_INT32, 2, y);
    compare(&skinny_wide_ufunc, in, 2, &out, "16 points a thread");
}

static void two(int64_t t, int64_t n, int64_t d) {
    int64_t x[] = {t, d}, w[] = {n, d}, y[] = {t, n};
    DLTensor in[] = {array(data[0], UFC_INT32, 2, x), array(data[1], UFC_INT32, 2, w),
                     array(data[0] + 4, UFC_INT32, 2, w)};
    DLTensor out = array(NULL, UFC_INT64, 2, y);
    compare(&skinny_two_ufunc, in, 3, &out, "16 points a thread");
}

static void scaled(int64_t t, int64_t n, int64_t d) {
    int64_t x[] = {t, d}, w[] = {n, d}, y[] = {t, n};
    DLTensor in[] = {array(wide[0], UFC_INT64, 2, x), array(wide[0] + 2, UFC_INT64, 1, &d),
                     array(wide[1], UFC_INT64, 2, w)};
    DLTensor out = array(NULL, UFC_INT64, 2, y);
    compare(&skinny_scaled_ufunc, in, 3, &out, "16 points a thread");
}

/* d: less than a part of a tile's reduction, a multiple of it, or neither. */
static void distances(int64_t t, int64_t n, int64_t d) {
    int64_t x[] = {t, d}, w[] = {n, d}, y[] = {t, n};
    DLTensor in[] = {array(small, UFC_FLOAT32, 2, x), array(small + 5, UFC_FLOAT32, 2, w)};
    DLTensor out = array(NULL, UFC_FLOAT32, 2, y);
    compare(&skinny_distances_ufunc, in, 2, &out, "tile 16");
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        data[0][i] = (int)((unsigned)i * 2654435761u >> 20) - 2000;
        data[1][i] = (int)((unsigned)i * 2246822519u >> 20) - 1000;
        bytes[i] = (int8_t)data[1][i];
        small[i] = (float)data[1][i] / 997;
        whole[0][i] = (float)(data[0][i] % 16); /* of which no sum is rounded */
        whole[1][i] = (float)(data[1][i] % 16);
        wide[0][i] = data[0][i];
        wide[1][i] = data[1][i];
    }
    rows(4, 256, 2048, 0, 0);
    rows(3, 255, 2052, 4, 4);
    rows(2, 509, 2051, 1, 0); /* whose rows begin anywhere */
    rows(6, 257, 2056, 0, 1);
    rows(9, 130, 4100, 0, 8);
    of_bytes(4, 1001, 2056);
    of_bytes(5, 1002, 2050);
    of_words(4, 1001, 2056);
    two(4, 1013, 2060);
    scaled(4, 1018, 2054);
    distances(4, 63539, 33);
    distances(7, 40003, 50);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
