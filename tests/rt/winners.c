/* winners.c: the version of a gufunc whose loops find which iteration decides what an element is in
 * the end gives what the host gives, in order: of equal values, zeros of either sign, NaNs and
 * infinities, of elements that are NaN before, of one element and of many, and in several calls. */
#include <math.h>
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "winners.h"

enum { CALLS = 3, MOST = 110 };

static ufc_context *host, *sim;
static ufc_error err;
static double x[CALLS * MOST], z[CALLS * MOST], out[2][2][CALLS * MOST];
static int64_t k[CALLS * MOST];

struct body {
    const ufc_ufunc *f;
    ufc_type y, at;
    bool has_other;
};

/* NaNs are equal, whatever their bits are. */
static void forget_nans(ufc_type type, double *v) {
    float *narrow = (float *)(void *)v;
    for (int i = 0; i < CALLS * MOST; i++) {
        if (type == UFC_FLOAT64 && isnan(v[i]))
            v[i] = 1e300;
        if (type == UFC_FLOAT32 && isnan(narrow[i]))
            narrow[i] = 1e30F;
    }
}

/* shared: all calls have the same keys and values to begin with. */
static void compare(const struct body *b, int64_t calls, int64_t n, int64_t m, bool shared) {
    const ufc_ufunc *other = b->f->overloads[0].other;
    for (int at = 0; at < 2 && other != NULL; at++) {
        int64_t own = shared ? 1 : calls;
        DLTensor in[] = {ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){calls, n}),
                         ufc_host_array(k, ufc_dltype(UFC_INT64), 2, (int64_t[]){own, n}),
                         ufc_host_array(z, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){own, m})};
        DLTensor to[] = {ufc_host_array(out[at][0], ufc_dltype(b->y), 2, (int64_t[]){calls, m}),
                         ufc_host_array(out[at][1], ufc_dltype(b->at), 2, (int64_t[]){calls, m})};
        ufc_arg arg[] = {ufc_array(&in[0]), ufc_array(&in[1]), ufc_array(&in[2])};
        ufc_out results[] = {ufc_into(&to[0]), ufc_into(&to[1])};
        memset(out[at], 0, sizeof out[at]);
        const ufc_ufunc *run = at && n > 0 ? other : b->f; /* which has no kernels for nothing */
        if (ufc_call(at ? sim : host, NULL, run, arg, results, &err) != UFC_OK) {
            printf("%s: %s\n", b->f->name, err.message);
            test_failures++;
            return;
        }
        forget_nans(b->y, out[at][0]);
        forget_nans(b->at, out[at][1]);
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0) {
        printf("%s, %d calls of %d to %d: not what the host gives\n", b->f->name, (int)calls,
               (int)n, (int)m);
        test_failures++;
    }
}

static void test_body(const struct body *b) {
    static const int64_t sizes[][3] = {{1, MOST, 9}, {CALLS, 77, MOST}, {2, 1, 1},
                                       {1, 0, 4},    {1, MOST, 2},      {3, 17, 1}};
    if ((b->f->overloads[0].other != NULL) != b->has_other) {
        printf("%s has %s version\n", b->f->name, b->has_other ? "no" : "a");
        test_failures++;
    }
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
        for (int how = 0; how < 3; how++) {
            for (int64_t i = 0; i < CALLS * MOST; i++)
                k[i] = how == 0 ? 0 : rand() % sizes[j][2];
            compare(b, sizes[j][0], sizes[j][1], sizes[j][2], how == 2);
        }
}

int main(void) {
    static const struct body all[] = {
        {&winners_greatest_ufunc, UFC_FLOAT32, UFC_INT64, true},
        {&winners_latest_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_least_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_functions_ufunc, UFC_FLOAT32, UFC_FLOAT64, true},
        {&winners_numbers_ufunc, UFC_FLOAT32, UFC_FLOAT64, true},
        {&winners_bytes_ufunc, UFC_UINT8, UFC_INT64, true},
        {&winners_shorts_ufunc, UFC_INT16, UFC_INT64, true},
        {&winners_whole_ufunc, UFC_UINT64, UFC_INT64, true},
        {&winners_first_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_first_below_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_flags_ufunc, UFC_BOOL, UFC_FLOAT64, true},
        {&winners_counted_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_chosen_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_nested_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_asked_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_stored_ufunc, UFC_FLOAT32, UFC_FLOAT64, true},
        {&winners_beside_ufunc, UFC_FLOAT64, UFC_INT64, true},
        {&winners_grown_ufunc, UFC_FLOAT64, UFC_INT64, false},
        {&winners_read_ufunc, UFC_FLOAT64, UFC_INT64, false},
        {&winners_again_ufunc, UFC_FLOAT64, UFC_INT64, false},
        {&winners_both_ufunc, UFC_FLOAT64, UFC_INT64, false},
        {&winners_apart_ufunc, UFC_FLOAT64, UFC_INT64, false},
    };
    static const double odd[] = {NAN, -0.0, 0.0, INFINITY, -INFINITY, 1, -1, 0.5, 0.5};
    enum { ODD = sizeof odd / sizeof *odd };
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int numbers = 0; numbers < 4; numbers++) {
            /* all kinds; no NaN; zeros alone; NaNs and a few others */
            for (int j = 0; j < CALLS * MOST; j++) {
                int from = numbers == 0 ? 0 : 1, upto = numbers == 2 ? 3 : ODD;
                x[j] = odd[from + rand() % (upto - from)];
                if (numbers == 3 && rand() % 8 > 0)
                    x[j] = NAN;
                z[j] = numbers == 2 ? -(double)(rand() % 2) : odd[rand() % ODD];
            }
            test_body(&all[i]);
        }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
