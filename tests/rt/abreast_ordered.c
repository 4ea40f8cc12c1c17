/* abreast_ordered.c: threads of NEST that run the ordered loops of several points at once give what
 * the host gives, to the bit: of points that are no multiple of so many, along a first range and
 * along calls' neighbours, with conditions that differ between the points or do not, loops without
 * iterations, and operands that calls share. */
#include <string.h>

#include "../test.h"
#include "abreast_ordered.h"

enum { MOST = 1 << 21 };

static ufc_context *host, *sim;
static ufc_error err;
static float data[3][MOST], results[2][MOST];

static DLTensor array(void *first, int ndim, int64_t *shape) {
    return ufc_host_array(first, ufc_dltype(UFC_FLOAT32), ndim, shape);
}

/* f of n inputs on both devices; on the GPU its first statement has `points` at once. */
static void compare(const ufc_ufunc *f, const ufc_arg *args, DLTensor out, const char *points) {
    ufc_plan_description d;
    memset(results, 0, sizeof results);
    for (int k = 0; k < 2; k++) {
        out.data = results[k];
        ufc_out to = ufc_into(&out);
        CHECK(ufc_call(k == 0 ? host : sim, NULL, f, args, &to, &err) == UFC_OK);
        CHECK(k == 0 || (ufc_explain(sim, NULL, f, args, &to, NULL, &d, &err) == UFC_OK &&
                         strstr(d.statements, points) != NULL));
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0);
}

static void strided(int64_t calls, int64_t c, int64_t l, int64_t o, int64_t k, const char *points) {
    int64_t x[] = {calls, c, l}, w[] = {o, c, k}, y[] = {calls, o, l / 2};
    DLTensor in[] = {array(data[0], 3, x), array(data[1], 3, w), array(data[2], 1, &o)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1]), ufc_array(&in[2])};
    compare(&abreast_ordered_strided_ufunc, args, array(NULL, 3, y), points);
}

static void causal(int64_t calls, int64_t n, int64_t d) {
    int64_t x[] = {calls, n, d}, w[] = {d, 4}, y[] = {calls, n, d};
    DLTensor in[] = {array(data[0], 3, x), array(data[1], 2, w), array(data[2], 1, &d)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1]), ufc_array(&in[2])};
    compare(&abreast_ordered_causal_ufunc, args, array(NULL, 3, y), "8 points a thread");
}

static void windows(int64_t n, int64_t d, int64_t k, int64_t m) {
    int64_t x[] = {n, d}, w[] = {d, k};
    DLTensor in[] = {array(data[0], 2, x), array(data[1], 2, w)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1]), ufc_int(m)};
    compare(&abreast_ordered_windows_ufunc, args, array(NULL, 2, x), "8 points a thread");
}

static void weighted(int64_t m, int64_t n, int64_t k) {
    int64_t x[] = {m, n}, y[] = {m - k + 1, n};
    DLTensor in[] = {array(data[0], 2, x), array(data[1], 1, &k)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1]), ufc_float(3)};
    compare(&abreast_ordered_weighted_ufunc, args, array(NULL, 2, y), "16 points a thread");
}

static void smoothed(int64_t m, int64_t n, int64_t k, const char *points) {
    int64_t x[] = {m, n}, y[] = {m, n - k + 1};
    DLTensor in[] = {array(data[0], 2, x), array(data[1], 1, &k)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    compare(&abreast_ordered_smoothed_ufunc, args, array(NULL, 2, y), points);
}

static void mixed(int64_t c, int64_t n, int64_t k, const char *points) {
    static double numbers[2][MOST / 2];
    for (int i = 0; i < MOST / 2; i++) {
        numbers[0][i] = data[0][i];
        numbers[1][i] = data[1][i];
    }
    int64_t x[] = {c, n}, g[] = {c, k}, y = n - k + 1;
    DLTensor in[] = {array(numbers[0], 2, x), array(numbers[1], 2, g)}, out = array(NULL, 1, &y);
    in[0].dtype = in[1].dtype = out.dtype = ufc_dltype(UFC_FLOAT64);
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    compare(&abreast_ordered_mixed_ufunc, args, out, points);
}

/* A thread has 4 filters at 4 places. */
static void filters(int64_t o, int64_t c, int64_t h, int64_t r) {
    int64_t x[] = {c, h}, w[] = {o, c, r}, y[] = {o, h - r + 1};
    DLTensor in[] = {array(data[0], 2, x), array(data[1], 3, w)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    compare(&abreast_ordered_filters_ufunc, args, array(NULL, 2, y), "16 points a thread");
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++)
            data[k][i] = (float)((int)((unsigned)(i + k * 7) * 2654435761u >> 20) - 2000) / 64;
    strided(1, 9, 20001, 29, 5, "8 points a thread");
    strided(11, 2, 2001, 21, 4, "8 points a thread");
    strided(1, 3, 60001, 29, 5, "16 points a thread");
    strided(23, 2, 3001, 29, 8, "16 points a thread");
    strided(1, 1, 99991, 41, 1, "16 points a thread");
    strided(1, 2, 40001, 10, 0, "");
    strided(1, 0, 40001, 10, 3, "");
    causal(3, 701, 401);
    windows(1999, 261, 7, 2);
    weighted(999, 523, 6);
    weighted(500001, 1, 6);
    smoothed(37, 8192, 9, "16 points a thread");
    smoothed(38, 8196, 8, "16 points a thread");
    smoothed(39, 8193, 1, "16 points a thread");
    smoothed(300, 1004, 3, "16 points a thread");
    smoothed(300, 1003, 3, "");
    smoothed(131072, 15, 6, "");
    mixed(2, 400000, 13, "");
    mixed(2, 400003, 7, "4 points a thread");
    mixed(1, 400002, 1, "");
    filters(4, 3, 100001, 5);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
