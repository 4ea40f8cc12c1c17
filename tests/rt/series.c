/* series.c: what ordered loops add up by blocks has the bits that the host gives, whatever parts of
 * iterations there are, with zeros of both signs among the terms. */
#include <math.h>
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "series.h"

enum { MOST = 1 << 16 };

static ufc_context *host, *sim;
static float x[MOST], y[MOST];
static double wide[MOST];
static ufc_error err;

static void fill(void) {
    for (unsigned i = 0; i < MOST; i++) {
        unsigned u = i * 2654435761u;
        x[i] = (float)((double)(int)(u ^ u >> 15) / 2147483648.0);
        y[i] = i % 97 == 0 ? -0.0F : (float)sqrt((double)(i % 1013)) / 31;
        wide[i] = (double)x[i] * y[i];
    }
}

/* Calls f by both, `calls` times; columns 0: its inputs have one dimension.  threads: of a block of
 * SERIES, 0: it is another kernel. */
static void compare(const ufc_ufunc *f, void *const *in, ufc_type type, const ufc_type *result,
                    int64_t calls, int64_t rows, int64_t columns, int64_t threads) {
    int64_t shape[] = {calls, rows, columns}, some[] = {calls};
    static unsigned char out[2][2][8 * MOST];
    DLTensor given[2], to[2];
    ufc_arg args[2];
    ufc_plan_description d;
    for (int i = 0; i < 2; i++) {
        given[i] = ufc_host_array(in[i], ufc_dltype(type), columns > 0 ? 3 : 2, shape);
        args[i] = ufc_array(&given[i]);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            memset(out[k][i], 0, sizeof out[k][i]);
            to[i] = ufc_host_array(out[k][i], ufc_dltype(result[i]), 1, some);
        }
        ufc_out outs[] = {ufc_into(&to[0]), ufc_into(&to[1])};
        CHECK(ufc_call(k ? sim : host, NULL, f, args, outs, &err) == UFC_OK);
        CHECK(ufc_explain(sim, NULL, f, args, outs, NULL, &d, &err) == UFC_OK);
    }
    bool series = strcmp(d.kernel, "series") == 0;
    if (memcmp(out[0], out[1], sizeof out[0]) != 0 || series != (threads > 0) ||
        (series && d.threads != threads)) {
        printf("%s, %d x %d x %d: %s, %d threads%s\n", f->name, (int)calls, (int)rows, (int)columns,
               d.kernel, (int)d.threads, memcmp(out[0], out[1], sizeof out[0]) ? ", wrong" : "");
        test_failures++;
    }
}

static void masks(int64_t calls, int64_t rows, int64_t columns, int64_t threads) {
    void *const in[] = {x, y};
    static const ufc_type result[] = {UFC_FLOAT32, UFC_INT64};
    compare(&series_masks_ufunc, in, UFC_FLOAT32, result, calls, rows, columns, threads);
}

/* Of terms that the values of choices have. */
static void chosen(int64_t calls, int64_t rows, int64_t columns, int64_t threads) {
    void *const in[] = {x, y};
    static const ufc_type result[] = {UFC_FLOAT32, UFC_INT64};
    compare(&series_chosen_ufunc, in, UFC_FLOAT32, result, calls, rows, columns, threads);
}

static void below(int64_t calls, int64_t n, int64_t threads) {
    void *const in[] = {wide, wide};
    static const ufc_type result[] = {UFC_FLOAT64, UFC_FLOAT64};
    compare(&series_below_ufunc, in, UFC_FLOAT64, result, calls, n, 0, threads);
}

static void stores(int64_t calls, int64_t n, int64_t threads) {
    void *const in[] = {x, y};
    static const ufc_type result[] = {UFC_FLOAT32, UFC_INT64};
    compare(&series_stores_ufunc, in, UFC_FLOAT32, result, calls, n, 0, threads);
}

int main(void) {
    CHECK(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    CHECK(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    fill();
    masks(1, 1, 1, 0);
    masks(3, 100, 137, 256);
    masks(1, 1, 10001, 256);
    masks(1, 10001, 1, 256);
    masks(64, 32, 32, 256);
    masks(65, 31, 32, 256);
    masks(2000, 16, 2, 352);
    masks(820, 2, 39, 352);
    masks(2, 640, 0, 0);
    chosen(3, 100, 137, 256);
    chosen(1, 1, 10001, 256);
    chosen(2000, 16, 2, 192);
    below(2, 257, 256);
    below(820, 79, 128);
    stores(1, 10001, 256);
    stores(3, 4096, 256);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures > 0;
}
