/* term_rows.c: series whose terms have loops over rows give in the simulator what the host gives,
 * bit by bit: of rows that are aligned and of others, of several elements an iteration, of any
 * number of iterations, and none. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "term_rows.h"

enum { MOST = 1 << 22, ROWS = 3000 };

static ufc_context *host, *sim;
static ufc_error err;
static int8_t bytes[MOST];
static int16_t halves[MOST];
static float numbers[MOST];
static double wide[MOST], results[2][ROWS];

/* f of n inputs, into m results, on both devices; on the GPU by a kernel. */
static void compare(const ufc_ufunc *f, const DLTensor *in, int n, int64_t m, ufc_type type,
                    const char *kernel) {
    ufc_arg args[4];
    ufc_plan_description d;
    memset(results, 0, sizeof results);
    for (int i = 0; i < n; i++)
        args[i] = ufc_array(&in[i]);
    for (int k = 0; k < 2; k++) {
        DLTensor out = ufc_host_array(results[k], ufc_dltype(type), 1, &m);
        ufc_out to = ufc_into(&out);
        CHECK(ufc_call(k == 0 ? host : sim, NULL, f, args, &to, &err) == UFC_OK);
        CHECK(k == 0 || (ufc_explain(sim, NULL, f, args, &to, NULL, &d, &err) == UFC_OK &&
                         strcmp(d.kernel, kernel) == 0));
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0);
}

static DLTensor array(void *first, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(first, ufc_dltype(type), ndim, shape);
}

/* first, gap: elements before the first row, and between rows. */
static void of_bytes(int64_t m, int64_t b, int64_t first, int64_t gap) {
    int64_t n = 32 * b, w[] = {m, n}, s[] = {m, b}, strides[] = {n + gap, 1};
    DLTensor in[] = {array(bytes + first, UFC_INT8, 2, w), array(numbers, UFC_FLOAT32, 2, s),
                     array(numbers + 4, UFC_FLOAT32, 1, &n)};
    in[0].strides = strides;
    compare(&term_rows_bytes_ufunc, in, 3, m, UFC_FLOAT32, m == 500 ? "nest" : "series");
}

static void of_nibbles(int64_t m, int64_t b) {
    int64_t n = 32 * b, w[] = {m, n / 2}, s[] = {m, b};
    DLTensor in[] = {array(bytes, UFC_UINT8, 2, w), array(numbers, UFC_FLOAT32, 2, s),
                     array(numbers + 8, UFC_FLOAT32, 1, &n)};
    compare(&term_rows_nibbles_ufunc, in, 3, m, UFC_FLOAT32,
            m == 500 || m == 501 ? "nest" : "series");
}

static void of_rows(int64_t m, int64_t b, int64_t first) {
    int64_t n = 32 * b, w[] = {m, n / 2}, s[] = {m, b};
    DLTensor in[] = {array(bytes + first, UFC_UINT8, 2, w), array(numbers, UFC_FLOAT32, 2, s),
                     array(numbers + 8, UFC_FLOAT32, 1, &n)};
    compare(&term_rows_row_ufunc, in, 3, m, UFC_FLOAT32, "series");
}

static void of_groups(int64_t m, int64_t b, int64_t g) {
    int64_t n = g * b, w[] = {m, n}, s[] = {m, b};
    DLTensor in[] = {array(halves, UFC_INT16, 2, w), array(numbers, UFC_FLOAT32, 2, s),
                     array(numbers, UFC_FLOAT32, 1, &n), array(numbers, UFC_FLOAT32, 1, &g)};
    compare(&term_rows_groups_ufunc, in, 4, m, UFC_FLOAT32,
            m == 500 || m == 501 ? "nest" : "series");
}

static void of_gaps(int64_t m, int64_t b) {
    int64_t n = 18 * b, w[] = {m, n}, s[] = {m, b};
    DLTensor in[] = {array(wide, UFC_FLOAT64, 2, w), array(wide, UFC_FLOAT64, 2, s),
                     array(wide + 1, UFC_FLOAT64, 1, &n)};
    compare(&term_rows_gaps_ufunc, in, 3, m, UFC_FLOAT64, "nest");
}

static void of_chosen(int64_t m, int64_t b, const char *kernel) {
    int64_t n = 16 * b, w[] = {m, 4, n}, s[] = {m, b};
    DLTensor in[] = {array(numbers, UFC_FLOAT32, 3, w), array(numbers, UFC_FLOAT32, 2, s),
                     array(numbers + 4, UFC_FLOAT32, 1, &n), array(bytes, UFC_UINT8, 1, &n)};
    compare(&term_rows_chosen_ufunc, in, 4, m, UFC_FLOAT32, kernel);
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        bytes[i] = (int8_t)((unsigned)i * 2654435761u >> 20);
        halves[i] = (int16_t)((unsigned)i * 2246822519u >> 16);
        numbers[i] = (float)bytes[i] / 97;
        wide[i] = (double)halves[i] / 997;
    }
    of_bytes(500, 65, 0, 0);
    of_bytes(3, 500, 1, 0); /* a block has one row */
    of_bytes(501, 40, 4, 4);
    of_rows(2053, 120, 0);
    of_rows(2051, 121, 8);
    of_nibbles(500, 100);
    of_nibbles(2, 1000);
    of_groups(500, 50, 40);
    of_groups(501, 64, 16);
    of_groups(501, 100, 19);
    of_gaps(500, 80);
    of_chosen(500, 65, "nest");
    of_chosen(3, 500, "series");
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
