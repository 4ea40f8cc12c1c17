/* neighbours.c: threads of NEST that take neighbouring points give what the host gives, of whole
 * numbers: at edges, in rows that begin or end anywhere, over several calls, of arrays that are
 * aligned and contiguous and of others. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "neighbours.h"
#include "whole_numbers.h"

enum { MOST = 1 << 16 };

static ufc_context *host, *sim;
static _Alignas(16) unsigned char data[8 * MOST + 16], out[2][2][8 * MOST];
static ufc_error err;

/* f(a) or f(a, b), whose first operand begins `skipped` elements behind 16 bytes, into
 * outputs of a's type, on both devices. */
static void compare(const ufc_ufunc *f, ufc_type type, struct array a, ufc_arg b, struct array r,
                    int64_t skipped) {
    DLTensor x = tensor(&a, data, type);
    x.byte_offset = (uint64_t)skipped * x.dtype.bits / 8;
    memset(out, 0, sizeof out);
    for (int k = 0; k < 2; k++) {
        DLTensor z[] = {tensor(&r, out[k][0], type), tensor(&r, out[k][1], type)};
        ufc_arg in[] = {ufc_array(&x), b};
        ufc_out to[] = {ufc_into(&z[0]), ufc_into(&z[1])};
        if (ufc_call(k == 0 ? host : sim, NULL, f, in, to, &err) != UFC_OK) {
            printf("%s: %s\n", f->name, err.message);
            test_failures++;
            return;
        }
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0) {
        printf("%s of type %d, %d x %d x %d: not what the host gives\n", f->name, (int)type,
               (int)a.shape[0], (int)a.shape[1], (int)a.shape[2]);
        test_failures++;
    }
}

static const ufc_arg none;

/* Of a as it is, into an array of its shape. */
static void same(const ufc_ufunc *f, ufc_type type, struct array a) {
    compare(f, type, a, none, a, 0);
}

static void edges(void) {
    static const int64_t sizes[][2] = {{1, 4096}, {64, 64}, {90, 72}, {3, 2000},
                                       {90, 71},  {700, 8}, {65, 130}};
    static const ufc_type types[] = {UFC_FLOAT32, UFC_FLOAT64, UFC_INT16};
    for (int t = 0; t < 3; t++) {
        fill_numbers(data, MOST, types[t], 0);
        for (int k = 0; k < 7; k++)
            same(&neighbours_jacobi_ufunc, types[t], A(2, {sizes[k][0], sizes[k][1]}));
        same(&neighbours_jacobi_ufunc, types[t], A(3, {9, 20, 24}));
        same(&neighbours_jacobi_ufunc, types[t], A(3, {900, 6, 8}));
    }
    fill_numbers(data, MOST, UFC_FLOAT32, 0);
    for (int k = 0; k < 7; k++)
        same(&neighbours_blurred_ufunc, UFC_FLOAT32, A(2, {sizes[k][0], sizes[k][1]}));
    same(&neighbours_layers_ufunc, UFC_FLOAT32, A(3, {5, 30, 40}));
    same(&neighbours_layers_ufunc, UFC_FLOAT32, A(4, {2, 5, 30, 16}));
}

static void ranges(void) {
    fill_numbers(data, MOST, UFC_FLOAT64, 0);
    for (int64_t n = 5000; n < 5004; n++)
        compare(&neighbours_within_ufunc, UFC_FLOAT64, A(1, {n}), ufc_float(3), A(1, {n}), 0);
    compare(&neighbours_within_ufunc, UFC_FLOAT64, A(2, {9, 5000}), ufc_float(3), A(2, {9, 5000}),
            0);
    fill_numbers(data, MOST, UFC_INT32, 0);
    for (int64_t n = 68; n < 74; n++)
        compare(&neighbours_shifted_ufunc, UFC_INT32, A(2, {90, n}), none, A(2, {90, n}), 0);
}

static void layouts(void) {
    fill_numbers(data, MOST, UFC_FLOAT32, 0);
    const struct array c = A(2, {80, 64});
    compare(&neighbours_jacobi_ufunc, UFC_FLOAT32, c, none, c, 1);
    compare(&neighbours_jacobi_ufunc, UFC_FLOAT32, c, none, c, 4);
    compare(&neighbours_jacobi_ufunc, UFC_FLOAT32, A(2, {80, 64}, .stride = {66, 1}), none, c, 0);
    compare(&neighbours_jacobi_ufunc, UFC_FLOAT32, A(2, {80, 64}, .stride = {1, 80}), none, c, 0);
    compare(&neighbours_jacobi_ufunc, UFC_FLOAT32, A(2, {80, 64}, .stride = {160, 2}), none, c, 0);
    compare(&neighbours_jacobi_ufunc, UFC_FLOAT32, A(3, {3, 40, 64}, .stride = {2561, 64, 1}), none,
            A(3, {3, 40, 64}), 0);
    fill_numbers(data, MOST, UFC_UINT8, 0);
    compare(&neighbours_grey_ufunc, UFC_UINT8, A(3, {60, 72, 3}), none, A(2, {60, 72}), 0);
}

static void gathers(void) {
    enum { K = 5000 };
    static int32_t at[K];
    int64_t n[] = {K};
    for (int i = 0; i < K; i++)
        at[i] = i * 7919 % 60000;
    DLTensor where = ufc_host_array(at, ufc_dltype(UFC_INT32), 1, n);
    fill_numbers(data, MOST, UFC_FLOAT32, 0);
    compare(&neighbours_thinned_ufunc, UFC_FLOAT32, A(1, {20000}), ufc_array(&where), A(1, {K}), 0);
}

/* Arrays so large that a thread takes neighbours at several places: rows, of which one more begins
 * than there are, and some are at edges. */
static void places(void) {
    enum { ROWS = 4103, N = ROWS * 2048 };
    static const struct {
        const ufc_ufunc *f;
        int64_t shape[2];
    } calls[] = {{&neighbours_jacobi_ufunc, {1, N}},
                 {&neighbours_jacobi_ufunc, {ROWS, 2048}},
                 {&neighbours_moved_ufunc, {ROWS, 2048}}};
    float *all = malloc(3 * sizeof(float[N]));
    REQUIRE(all != NULL);
    for (int i = 0; i < N; i++)
        all[i] = (float)(i % 1000);
    for (int k = 0; k < 3; k++) {
        DLTensor x = ufc_host_array(all, ufc_dltype(UFC_FLOAT32), 2, (int64_t *)calls[k].shape);
        DLTensor y[] = {x, x};
        y[0].data = all + N;
        y[1].data = all + 2 * N;
        CHECK(ufc_call(host, NULL, calls[k].f, (ufc_arg[]){ufc_array(&x)},
                       (ufc_out[]){ufc_into(&y[0])}, &err) == UFC_OK &&
              ufc_call(sim, NULL, calls[k].f, (ufc_arg[]){ufc_array(&x)},
                       (ufc_out[]){ufc_into(&y[1])}, &err) == UFC_OK &&
              memcmp(y[0].data, y[1].data, sizeof(float[N])) == 0);
    }
    free(all);
}

/* What ufc explain says. */
static void explained(int64_t columns, bool side_by_side) {
    int64_t shape[] = {80, columns};
    DLTensor x = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 2, shape);
    DLManagedTensorVersioned *made;
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &neighbours_jacobi_ufunc, (ufc_arg[]){ufc_array(&x)},
                      (ufc_out[]){ufc_new(&made)}, NULL, &d, &err) == UFC_OK &&
          strcmp(d.kernel, "nest") == 0 &&
          (strstr(d.statements, "4 neighbours a thread") != NULL) == side_by_side);
}

/* How many elements a thread has of rows so short, if there are many; some columns more are left
 * between them. */
static void short_rows(const ufc_ufunc *f, int64_t columns, int64_t gap, int64_t each) {
    enum { ROWS = 70001 };
    int64_t shape[] = {ROWS, columns}, strides[] = {columns + gap, 1};
    size_t n = (size_t)(ROWS * (columns + gap));
    float *all = malloc(n * sizeof(float));
    REQUIRE(all != NULL);
    for (size_t i = 0; i < n; i++)
        all[i] = (float)(i % 1000);
    DLTensor x = ufc_host_array(all, ufc_dltype(UFC_FLOAT32), 2, shape);
    x.strides = strides;
    DLManagedTensorVersioned *y[2];
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, f, (ufc_arg[]){ufc_array(&x)}, (ufc_out[]){ufc_new(&y[0])}, NULL,
                      &d, &err) == UFC_OK &&
          d.call_threads / (ROWS * columns / each) == 1);
    for (int k = 0; k < 2; k++)
        REQUIRE(ufc_call(k == 0 ? host : sim, NULL, f, (ufc_arg[]){ufc_array(&x)},
                         (ufc_out[]){ufc_new(&y[k])}, &err) == UFC_OK);
    size_t size = y[0]->dl_tensor.dtype.bits / 8;
    CHECK(memcmp(y[0]->dl_tensor.data, y[1]->dl_tensor.data, (size_t)(ROWS * columns) * size) == 0);
    for (int k = 0; k < 2; k++)
        y[k]->deleter(y[k]);
    free(all);
}

/* Rows without gaps, of which threads take neighbours from row to row: of every size below a limit,
 * in layers that begin where vectors do and that do not. */
static void flat_rows(int64_t rows, int64_t columns) {
    enum { LAYERS = 3 };
    int64_t shape[] = {LAYERS, rows, columns};
    float scale[40];
    for (int i = 0; i < 40; i++)
        scale[i] = (float)(i % 7 + 1);
    size_t n = (size_t)(LAYERS * rows * columns);
    float *all = malloc(n * sizeof(float));
    REQUIRE(all != NULL);
    for (size_t i = 0; i < n; i++)
        all[i] = (float)(i % 1000);
    DLTensor x = ufc_host_array(all, ufc_dltype(UFC_FLOAT32), 3, shape);
    DLTensor s = ufc_host_array(scale, ufc_dltype(UFC_FLOAT32), 1, &columns);
    DLManagedTensorVersioned *y[2], *z[2];
    ufc_plan_description d;
    ufc_arg args[] = {ufc_array(&x), ufc_array(&s)};
    CHECK(ufc_explain(sim, NULL, &neighbours_flat_ufunc, args,
                      (ufc_out[]){ufc_new(&y[0]), ufc_new(&z[0])}, NULL, &d, &err) == UFC_OK);
    bool aligned = rows * columns % 4 == 0;
    CHECK((strstr(d.statements, "4 neighbours a thread") != NULL) == aligned);
    for (int k = 0; k < 2; k++)
        REQUIRE(ufc_call(k == 0 ? host : sim, NULL, &neighbours_flat_ufunc, args,
                         (ufc_out[]){ufc_new(&y[k]), ufc_new(&z[k])}, &err) == UFC_OK);
    CHECK(memcmp(y[0]->dl_tensor.data, y[1]->dl_tensor.data, n * sizeof(float)) == 0);
    CHECK(memcmp(z[0]->dl_tensor.data, z[1]->dl_tensor.data, n * sizeof(float)) == 0);
    for (int k = 0; k < 2; k++) {
        y[k]->deleter(y[k]);
        z[k]->deleter(z[k]);
    }
    free(all);
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    edges();
    ranges();
    layouts();
    gathers();
    places();
    explained(64, true);
    explained(66, false);
    short_rows(&neighbours_eight_ufunc, 8, 1, 4);
    short_rows(&neighbours_five_ufunc, 5, 0, 5);
    short_rows(&neighbours_turned_ufunc, 9, 2, 5);
    flat_rows(100002, 2);
    flat_rows(60000, 3);
    flat_rows(36001, 5);
    flat_rows(18002, 10);
    flat_rows(6000, 31);
    short_rows(&neighbours_turned_ufunc, 17, 0, 4);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
