/* row_calls.c: gufuncs whose rows are calls in another version give what the host gives, of whole
 * numbers: rows, columns and layers, of arrays of any strides, with operands that calls share, over
 * loops that are there already. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "row_calls.h"
#include "whole_numbers.h"

enum { MOST = 1 << 19 };

static ufc_context *host, *sim;
static _Alignas(16) unsigned char data[2][8 * MOST], out[2][2][8 * MOST];
static ufc_error err;

static void fill(ufc_type type) {
    fill_numbers(data[0], MOST, type, 0);
    fill_numbers(data[1], MOST, type, 7);
}

/* f(a), f(a, b) or f(a, b, 3) into y and z, on both devices: in the simulator twice, as how it goes
 * is kept, with a loop of so many calls. */
static void compare(const ufc_ufunc *f, ufc_type type, struct array a, struct array b,
                    struct array y, struct array z, int64_t calls) {
    DLTensor x = tensor(&a, data[0], type), w = tensor(&b, data[1], type);
    ufc_arg in[] = {ufc_array(&x), b.ndim ? ufc_array(&w) : ufc_int(0), ufc_int(3)};
    ufc_plan_description d;
    bool right = true;
    for (int k = 0; k < 3; k++) {
        int at = k > 0;
        DLTensor to[] = {tensor(&y, out[at][0], type), tensor(&z, out[at][1], UFC_INT64)};
        ufc_out outs[] = {ufc_into(&to[0]), ufc_into(&to[1])};
        memset(out[at], 0, sizeof out[at]);
        if (ufc_call(at ? sim : host, NULL, f, in, outs, &err) != UFC_OK) {
            printf("%s: %s\n", f->name, err.message);
            test_failures++;
            return;
        }
        right = right && (!at || memcmp(out[0], out[1], sizeof out[0]) == 0);
        CHECK(k < 2 || ufc_explain(sim, NULL, f, in, outs, NULL, &d, &err) == UFC_OK);
    }
    int64_t n = 1;
    for (int i = 0; i < d.ndim; i++)
        n *= d.shape[i];
    if (n != calls || !right) {
        printf("%s, %d x %d x %d: %d calls%s\n", f->name, (int)a.shape[0], (int)a.shape[1],
               (int)a.shape[2], (int)n, right ? "" : ", not what the host gives");
        test_failures++;
    }
}

static const struct array none = {.ndim = 0};

static void matrices(void) {
    const struct array c = A(2, {300, 310}), f = A(2, {300, 310}, .stride = {1, 300});
    const struct array apart = A(2, {300, 310}, .stride = {400, 1});
    fill(UFC_INT64);
    compare(&row_calls_rows_ufunc, UFC_INT64, c, A(1, {310}), c, none, 300);
    compare(&row_calls_rows_ufunc, UFC_INT64, f, A(1, {310}), c, none, 300);
    compare(&row_calls_rows_ufunc, UFC_INT64, apart, A(1, {310}), f, none, 300);
    compare(&row_calls_rows_ufunc, UFC_INT64, A(2, {90000, 1}), A(1, {1}), A(2, {90000, 1}), none,
            90000);
    compare(&row_calls_rows_ufunc, UFC_INT64, A(2, {9000, 11}), A(1, {11}), A(2, {9000, 11}), none,
            9000);
    compare(&row_calls_own_ufunc, UFC_INT64, c, none, c, none, 300);
    compare(&row_calls_turned_ufunc, UFC_INT64, c, none, f, none, 300);
    compare(&row_calls_running_ufunc, UFC_INT64, A(2, {100000, 5}), none, A(2, {100000, 5}), none,
            5);
    fill(UFC_INT32);
    compare(&row_calls_columns_ufunc, UFC_INT32, c, A(1, {310}), c, A(1, {310}), 310);
    compare(&row_calls_columns_ufunc, UFC_INT32, f, A(1, {310}), apart, A(1, {310}), 310);
}

static void more_axes(void) {
    fill(UFC_FLOAT64);
    compare(&row_calls_layers_ufunc, UFC_FLOAT64, A(3, {30, 60, 50}), none, A(3, {30, 60, 50}),
            none, 60);
    compare(&row_calls_layers_ufunc, UFC_FLOAT64, A(4, {3, 20, 30, 40}), none,
            A(4, {3, 20, 30, 40}), none, 90);
    fill(UFC_FLOAT16);
    compare(&row_calls_channels_ufunc, UFC_FLOAT16, A(3, {9, 100, 110}), none, A(3, {9, 100, 110}),
            none, 11000);
    compare(&row_calls_channels_ufunc, UFC_FLOAT16, A(4, {2, 5, 90, 80}), none,
            A(4, {2, 5, 90, 80}), none, 14400);
    fill(UFC_INT64);
    compare(&row_calls_rows_ufunc, UFC_INT64, A(3, {5, 60, 310}), A(2, {5, 310}),
            A(3, {5, 60, 310}), none, 300);
    compare(&row_calls_rows_ufunc, UFC_INT64, A(3, {5, 60, 310}), A(1, {310}), A(3, {5, 60, 310}),
            none, 300);
}

/* A loop over rows, of which registers hold each. */
static void loops(void) {
    const struct array c = A(2, {300, 310}), f = A(2, {300, 310}, .stride = {1, 300});
    fill(UFC_INT64);
    compare(&row_calls_looped_ufunc, UFC_INT64, c, A(1, {310}), c, none, 300);
    compare(&row_calls_looped_ufunc, UFC_INT64, f, A(1, {310}), c, none, 300);
    compare(&row_calls_looped_ufunc, UFC_INT64, A(3, {5, 60, 310}), A(2, {5, 310}),
            A(3, {5, 60, 310}), none, 300);
    compare(&row_calls_looped_ufunc, UFC_INT64, A(2, {1, 400000}), A(1, {400000}),
            A(2, {1, 400000}), none, 1);
    compare(&row_calls_looped_ufunc, UFC_INT64, A(2, {0, 7}), A(1, {7}), A(2, {0, 7}), none, 1);
}

/* Ordered loops along rows, and those of which each step runs over all columns. */
static void steps(void) {
    const struct array wide = A(2, {8, 9000}), f = A(2, {8, 9000}, .stride = {1, 8});
    fill(UFC_INT64);
    compare(&row_calls_filtered_ufunc, UFC_INT64, A(2, {300, 310}), none, A(2, {300, 310}), none,
            300);
    compare(&row_calls_filtered_ufunc, UFC_INT64, A(3, {3, 100, 310}), none, A(3, {3, 100, 310}),
            none, 300);
    compare(&row_calls_swept_ufunc, UFC_INT64, wide, A(1, {8}), wide, A(1, {9000}), 9000);
    compare(&row_calls_swept_ufunc, UFC_INT64, f, A(1, {8}), wide, A(1, {9000}), 9000);
    compare(&row_calls_swept_ufunc, UFC_INT64, A(3, {3, 8, 3000}), A(1, {8}), A(3, {3, 8, 3000}),
            A(2, {3, 3000}), 9000);
    compare(&row_calls_swept_ufunc, UFC_INT64, A(2, {1, 9000}), A(1, {1}), A(2, {1, 9000}),
            A(1, {9000}), 1);
    compare(&row_calls_aslant_ufunc, UFC_INT64, wide, none, wide, none, 1);
}

/* A small one is not worth the question. */
static void few(void) {
    fill(UFC_INT64);
    compare(&row_calls_rows_ufunc, UFC_INT64, A(2, {9, 7}), A(1, {7}), A(2, {9, 7}), none, 1);
    compare(&row_calls_rows_ufunc, UFC_INT64, A(2, {0, 7}), A(1, {7}), A(2, {0, 7}), none, 1);
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    matrices();
    more_axes();
    loops();
    steps();
    few();
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
