/* abreast.c: threads of NEST that have several points at once give what the host gives, of whole
 * numbers: of points that are no multiple of so many, whose reductions end at different places or
 * are shared by the threads of a block or by blocks, along a first range or the last, and where
 * points of these are abreast as well; of windows that reach beyond an edge. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "abreast.h"

enum { MOST = 1 << 20 };

static ufc_context *host, *sim;
static ufc_error err;
static int64_t wide[MOST], results[2][2][MOST];
static int32_t data[2][MOST];

/* f of n inputs, into its two outputs, or its only one, on both devices; on the GPU its first
 * statement has `points` at once. */
static void compare(const ufc_ufunc *f, const DLTensor *in, int n, DLTensor out[2],
                    const char *points) {
    ufc_arg args[2];
    ufc_plan_description d;
    memset(results, 0, sizeof results);
    for (int i = 0; i < n; i++)
        args[i] = ufc_array(&in[i]);
    for (int k = 0; k < 2; k++) {
        ufc_out to[2];
        for (int i = 0; i < 2; i++) {
            out[i].data = results[k][i];
            to[i] = ufc_into(&out[i]);
        }
        CHECK(ufc_call(k == 0 ? host : sim, NULL, f, args, to, &err) == UFC_OK);
        CHECK(k == 0 || (ufc_explain(sim, NULL, f, args, to, NULL, &d, &err) == UFC_OK &&
                         strstr(d.statements, points) != NULL));
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0);
}

static DLTensor array(void *first, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(first, ufc_dltype(type), ndim, shape);
}

/* So many points, with parts of so many. */
static void pairs(int64_t m, int64_t n) {
    DLTensor in[] = {array(data[0], UFC_INT32, 1, &m), array(data[1], UFC_INT32, 1, &n)};
    DLTensor out[] = {array(NULL, UFC_INT32, 1, &m), array(NULL, UFC_INT64, 1, &m)};
    compare(&abreast_pairs_ufunc, in, 2, out, "points a thread at once");
}

static void lags(int64_t n) {
    int64_t lag = 16;
    DLTensor in = array(wide, UFC_INT64, 1, &n), out[] = {array(NULL, UFC_INT64, 1, &lag)};
    compare(&abreast_lags_ufunc, &in, 1, (DLTensor[2]){out[0], out[0]}, "8 points a thread");
}

/* The lags of columns, along which threads are neighbours. */
static void columns(int64_t n, int64_t c) {
    int64_t shape[] = {n, c}, lag[] = {16, c};
    DLTensor in = array(wide, UFC_INT64, 2, shape), out[] = {array(NULL, UFC_INT64, 2, lag)};
    compare(&abreast_columns_ufunc, &in, 1, (DLTensor[2]){out[0], out[0]}, "8 points a thread");
}

static void ahead(int64_t m, int64_t n) {
    DLTensor in[] = {array(data[0], UFC_INT32, 1, &n), array(data[1], UFC_INT32, 1, &m)};
    DLTensor out = array(NULL, UFC_INT32, 1, &m);
    compare(&abreast_ahead_ufunc, in, 2, (DLTensor[2]){out, out}, "8 points a thread");
}

static void layers(int64_t o, int64_t c, int64_t h) {
    int64_t x[] = {c, h}, w[] = {o, c, 3}, y[] = {o, h};
    DLTensor in[] = {array(data[0], UFC_INT32, 2, x), array(data[1], UFC_INT32, 3, w)};
    DLTensor out = array(NULL, UFC_INT32, 2, y);
    compare(&abreast_layers_ufunc, in, 2, (DLTensor[2]){out, out}, "points a thread at once");
}

static void edges(int64_t o, int64_t c, int64_t q, int64_t h) {
    int64_t x[] = {c, h}, w[] = {o, q, 3}, y[] = {o, h};
    DLTensor in[] = {array(data[0], UFC_INT32, 2, x), array(data[1], UFC_INT32, 3, w)};
    DLTensor out = array(NULL, UFC_INT32, 2, y);
    compare(&abreast_edges_ufunc, in, 2, (DLTensor[2]){out, out}, "8 points a thread");
}

/* A thread has 4 filters at 4 places. */
static void filters(int64_t o, int64_t c, int64_t h) {
    int64_t x[] = {c, h}, w[] = {o, c, 3}, y[] = {o, h - 2};
    DLTensor in[] = {array(data[0], UFC_INT32, 2, x), array(data[1], UFC_INT32, 3, w)};
    DLTensor out = array(NULL, UFC_INT32, 2, y);
    compare(&abreast_filters_ufunc, in, 2, (DLTensor[2]){out, out}, "16 points a thread");
}

static void products(int64_t calls, int64_t m, int64_t k, int64_t n) {
    int64_t a[] = {calls, m, k}, b[] = {calls, k, n}, c[] = {calls, m, n};
    DLTensor in[] = {array(data[0], UFC_INT32, 3, a), array(data[1], UFC_INT32, 3, b)};
    DLTensor out = array(NULL, UFC_INT32, 3, c);
    compare(&abreast_products_ufunc, in, 2, (DLTensor[2]){out, out}, "16 points a thread");
}

/* Each of m points beside k, of which several are abreast too. */
static void nearest(int64_t m, int64_t k, int64_t d) {
    int64_t x[] = {m, d}, y[] = {k, d};
    DLTensor in[] = {array(data[0], UFC_INT32, 2, x), array(data[1], UFC_INT32, 2, y)};
    DLTensor out = array(NULL, UFC_INT64, 1, &m);
    compare(&abreast_nearest_ufunc, in, 2, (DLTensor[2]){out, out}, "points a thread at once");
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        data[0][i] = (int)((unsigned)i * 2654435761u >> 20) - 2000;
        data[1][i] = (int)((unsigned)i * 2246822519u >> 20) - 1000;
        wide[i] = data[0][i];
    }
    pairs(524291, 3);
    lags(550001);
    columns(31, 32771);
    ahead(524297, 7);
    layers(23, 2, 23007);
    edges(24, 8, 2, 23001);
    nearest(262147, 6, 2);
    filters(6, 3, 60001);
    products(3001, 11, 12, 13);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
