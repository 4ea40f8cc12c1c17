/* windows.c: kernels with shared memory in the simulator give what the host gives, of whole
 * numbers, so that order does not matter: windows of all sizes, at both ends, over several tiles
 * and calls, of strided arrays, with infinities outside of what a result sees; contractions of
 * other bodies than products. */
#include <string.h>

#include "../test.h"
#include "rt.h"
#include "windows.h"
#include "whole_numbers.h"

enum { MOST = 400 * 400 };

static ufc_context *host, *sim;
static _Alignas(16) unsigned char data[2][8 * MOST + 8], out[2][8 * MOST];
static size_t first; /* byte of the inputs */
static ufc_error err;

/* f(a), f(a, b) or f(a, b, 2), on both devices. */
static void compare(const ufc_ufunc *f, ufc_type type, struct array a, struct array b,
                    struct array r) {
    DLTensor x = tensor(&a, data[0] + first, type), y = tensor(&b, data[1] + first, type);
    memset(out, 0, sizeof out);
    for (int k = 0; k < 2; k++) {
        DLTensor z = tensor(&r, out[k], type);
        ufc_arg in[] = {ufc_array(&x), b.ndim ? ufc_array(&y) : ufc_float(0), ufc_float(2)};
        ufc_out to[] = {ufc_into(&z)};
        if (ufc_call(k == 0 ? host : sim, NULL, f, in, to, &err) != UFC_OK) {
            printf("%s: %s\n", f->name, err.message);
            test_failures++;
            return;
        }
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0) {
        printf("%s of type %d, %d x %d and %d x %d: not what the host gives\n", f->name, (int)type,
               (int)a.shape[0], (int)a.shape[1], (int)b.shape[0], (int)b.shape[1]);
        test_failures++;
    }
}

static void fill_both(ufc_type type) {
    fill_numbers(data[0], MOST, type, 0);
    fill_numbers(data[1], MOST, type, 0);
}

static void lines(void) {
    enum { N = 66000 };
    static const int64_t lengths[] = {1, 2, 8, 15, 300};
    fill_both(UFC_FLOAT32);
    for (int k = 0; k < 5; k++)
        compare(&windows_full_ufunc, UFC_FLOAT32, A(1, {N}), A(1, {lengths[k]}),
                A(1, {N + lengths[k] - 1}));
    for (int k = 0; k < 5; k++)
        compare(&windows_running_ufunc, UFC_FLOAT32, A(1, {N}), A(1, {lengths[k]}),
                A(1, {N - lengths[k] + 1}));
    compare(&windows_highest_ufunc, UFC_FLOAT32, A(1, {N}), A(0, {0}), A(1, {N}));
    compare(&windows_full_ufunc, UFC_FLOAT32, A(2, {35, 1500}, .stride = {2, 90}),
            A(1, {9}, .stride = {3}), A(2, {35, 1508}, .stride = {1508, 1}));
    compare(&windows_moving_ufunc, UFC_FLOAT32, A(1, {N}), A(1, {5}), A(1, {N - 4}));
    fill_both(UFC_FLOAT64);
    double *x = (double *)data[0], *w = (double *)data[1];
    x[0] = x[2047] = 1.0 / 0.0;
    x[N - 1] = w[3] = 0.0 / 0.0;
    compare(&windows_full_ufunc, UFC_FLOAT64, A(1, {N}), A(1, {15}), A(1, {N + 14}));
    compare(&windows_valid_ufunc, UFC_FLOAT64, A(1, {N}), A(1, {11}), A(1, {N - 10}));
    fill_both(UFC_INT32);
    compare(&windows_full_ufunc, UFC_INT32, A(1, {N}), A(1, {15}), A(1, {N + 14}));
    compare(&windows_running_ufunc, UFC_INT32, A(1, {N}), A(1, {21}), A(1, {N - 20}));
    compare(&windows_clipped_ufunc, UFC_INT32, A(1, {N}), A(1, {13}), A(1, {N}));
    compare(&windows_ring_ufunc, UFC_INT32, A(1, {N}), A(1, {270}), A(1, {N}));
    fill_both(UFC_COMPLEX64);
    compare(&windows_full_ufunc, UFC_COMPLEX64, A(1, {N}), A(1, {5}), A(1, {N + 4}));
    fill_both(UFC_FLOAT16);
    compare(&windows_valid_ufunc, UFC_FLOAT16, A(1, {N}), A(1, {5}), A(1, {N - 4}));
}

/* Ends that the call has, or that move with the results. */
static void ends(void) {
    enum { N = 66000 };
    static const int64_t sides[][2] = {{1, 2}, {3, 9}, {18, 1}};
    fill_both(UFC_INT32);
    for (int k = 0; k < 3; k++)
        compare(&windows_around_ufunc, UFC_INT32, A(2, {250, 300}),
                A(2, {sides[k][0], sides[k][1]}), A(2, {250, 300}));
    compare(&windows_offset_ufunc, UFC_INT32, A(1, {N}), A(1, {20}), A(1, {N}));
    compare(&windows_within_ufunc, UFC_INT32, A(1, {N}), A(1, {7}), A(1, {N})); /* of weights */
    fill_both(UFC_FLOAT32);
    for (int k = 0; k < 3; k++) {
        compare(&windows_ringed_ufunc, UFC_FLOAT32, A(2, {250, 300}),
                A(2, {sides[k][0], sides[k][1]}), A(2, {250, 300}));
        compare(&windows_disc_ufunc, UFC_FLOAT32, A(2, {250, 300}),
                A(2, {sides[k][0], sides[k][1]}), A(2, {250, 300}));
    }
    compare(&windows_meeting_ufunc, UFC_FLOAT32, A(1, {N}), A(1, {15}), A(1, {N + 14}));
    compare(&windows_meeting_ufunc, UFC_FLOAT32, A(1, {40}), A(1, {N}), A(1, {N + 39}));
    compare(&windows_beside_ufunc, UFC_FLOAT32, A(1, {N}), A(1, {8}), A(1, {N}));
    compare(&windows_beside_ufunc, UFC_FLOAT32, A(2, {40, 1500}), A(1, {31}), A(2, {40, 1500}));
    fill_both(UFC_FLOAT64);
    double *x = (double *)data[0];
    x[0] = x[2047] = x[N - 1] = 1.0 / 0.0;
    compare(&windows_ahead_ufunc, UFC_FLOAT64, A(1, {N}), A(1, {300}), A(1, {N}));
    compare(&windows_ahead_ufunc, UFC_FLOAT64, A(1, {N}), A(1, {3}), A(1, {N}));
    compare(&windows_around_ufunc, UFC_FLOAT64, A(2, {250, 300}), A(2, {3, 5}), A(2, {250, 300}));
}

static void images(void) {
    fill_both(UFC_FLOAT64);
    compare(&windows_full2_ufunc, UFC_FLOAT64, A(2, {250, 300}), A(2, {3, 5}), A(2, {252, 304}));
    compare(&windows_full2_ufunc, UFC_FLOAT64, A(2, {300, 250}, .stride = {1, 300}),
            A(2, {2, 19}, .stride = {40, 2}), A(2, {301, 268}, .stride = {1, 301}));
    compare(&windows_full2_ufunc, UFC_FLOAT64, A(2, {250, 300}), A(2, {18, 1}), A(2, {267, 300}));
    fill_both(UFC_INT32);
    compare(&windows_framed_ufunc, UFC_INT32, A(2, {250, 300}), A(2, {7, 4}), A(2, {250, 300}));
    fill_both(UFC_FLOAT32);
    compare(&windows_full2_ufunc, UFC_FLOAT32, A(2, {250, 300}), A(2, {4, 3}), A(2, {253, 302}));
    compare(&windows_highest2_ufunc, UFC_FLOAT32, A(2, {250, 300}), A(2, {4, 11}),
            A(2, {247, 290}));
    compare(&windows_highest2_ufunc, UFC_FLOAT32, A(2, {250, 300}), A(2, {3, 3}), A(2, {248, 298}));
    compare(&windows_same2_ufunc, UFC_FLOAT32, A(3, {20, 65, 70}), A(2, {3, 3}),
            A(3, {20, 65, 70}));
}

/* Bodies to which zeros behind the matrices would matter, in tiles of all sizes. */
static void depths(void) {
    static const int64_t sides[][2] = {{12, 16}, {40, 20}, {70, 33}}, depth[] = {1, 17, 19, 33};
    for (int s = 0; s < 3; s++)
        for (int d = 0; d < 4; d++) {
            struct array a = A(2, {sides[s][0], depth[d]}), b = A(2, {depth[d], sides[s][1]}),
                         c = A(2, {sides[s][0], sides[s][1]});
            fill_both(UFC_INT32);
            compare(&windows_alike_ufunc, UFC_INT32, a, b, c);
            fill_both(UFC_FLOAT32);
            compare(&windows_average_ufunc, UFC_FLOAT32, a, b, c);
            for (int i = 0; i < MOST; i++) { /* of one sign */
                ((float *)data[0])[i] -= 5;
                ((float *)data[1])[i] -= 5;
            }
            compare(&windows_best_ufunc, UFC_FLOAT32, a, b, c);
            for (int i = 0; i < MOST; i++) {
                ((float *)data[0])[i] *= -1;
                ((float *)data[1])[i] *= -1;
            }
            compare(&windows_least_ufunc, UFC_FLOAT32, a, b, c);
        }
}

static void contractions(void) {
    depths();
    fill_both(UFC_FLOAT32);
    compare(&windows_by_rows_ufunc, UFC_FLOAT32, A(2, {70, 33}), A(2, {40, 33}), A(2, {70, 40}));
    compare(&windows_by_rows_ufunc, UFC_FLOAT32, A(2, {64, 32}), A(2, {64, 32}), A(2, {64, 64}));
    compare(&windows_apart_ufunc, UFC_FLOAT32, A(2, {50, 20}), A(2, {31, 20}), A(2, {50, 31}));
    compare(&windows_best_ufunc, UFC_FLOAT32, A(2, {50, 20}), A(2, {20, 36}, .stride = {1, 20}),
            A(2, {50, 36}, .stride = {1, 50}));
    fill_both(UFC_FLOAT64);
    compare(&windows_by_columns_ufunc, UFC_FLOAT64, A(3, {3, 18, 40}), A(3, {3, 18, 34}),
            A(3, {3, 34, 40}));
    fill_both(UFC_INT32);
    compare(&windows_gram_ufunc, UFC_INT32, A(2, {90, 17}), A(0, {0}), A(2, {90, 90}));
    fill_both(UFC_COMPLEX64);
    for (first = 0; first < 8; first += 4)
        compare(&windows_by_rows_ufunc, UFC_COMPLEX64, A(2, {40, 17}), A(2, {33, 17}),
                A(2, {40, 33}));
    first = 0;
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 2, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 2, &err) == UFC_OK);
    lines();
    ends();
    images();
    contractions();
    sim->gpu.multiprocessors = 1; /* which has blocks with several tiles, some with fewer */
    ends();
    images();
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures > 0;
}
