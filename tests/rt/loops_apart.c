/* loops_apart.c: the version of a gufunc in which ordered loops are definitions, with arrays for
 * what some of these need of others, gives what the host gives, bit by bit: all at once, whatever
 * the forecasts of the two. */
#include <math.h>
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "loops_apart.h"

enum { CALLS = 3, ROWS = 37, COLUMNS = 9 };

static ufc_context *host, *sim;
static ufc_error err;
static double x[CALLS * ROWS * COLUMNS], t[CALLS * ROWS];
static double out[2][CALLS * (COLUMNS * COLUMNS + ROWS)];

/* f of so many calls of n rows and d columns; turned: x lies by columns. */
static void compare(const ufc_ufunc *f, bool has_other, int64_t calls, int64_t n, int64_t d,
                    bool turned) {
    const ufc_ufunc *other = f->overloads[0].other;
    if ((other != NULL) != has_other) {
        printf("%s has %s version\n", f->name, other ? "a" : "no");
        test_failures++;
    }
    if (!other)
        return;
    int64_t along[] = {n * d, 1, n};
    for (int k = 0; k < 2; k++) {
        DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 3, (int64_t[]){calls, n, d}),
                 b = ufc_host_array(t, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){calls, n}),
                 y = ufc_host_array(out[k], ufc_dltype(UFC_FLOAT64), 3, (int64_t[]){calls, d, d}),
                 z = ufc_host_array(out[k] + calls * d * d, ufc_dltype(UFC_FLOAT64), 2,
                                    (int64_t[]){calls, n});
        a.strides = turned ? along : NULL;
        ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
        ufc_out to[] = {ufc_into(&y), ufc_into(&z)};
        memset(out[k], k, sizeof out[k]);
        memset(out[k], 0, (size_t)(calls * (d * d + n)) * sizeof out[k][0]);
        const ufc_ufunc *run = k && n * d > 0 ? other : f; /* which has no kernels for nothing */
        if (ufc_call(k ? sim : host, NULL, run, in, to, &err) != UFC_OK) {
            printf("%s: %s\n", f->name, err.message);
            test_failures++;
            return;
        }
    }
    for (int64_t i = 0; i < calls * (d * d + n); i++) {
        double size = fabs(out[0][i]) + 1; /* sums have another order */
        bool same = out[0][i] == out[1][i] || fabs(out[0][i] - out[1][i]) <= 1e-12 * size;
        if (!same) {
            printf("%s, %d calls of %d x %d: element %d is %.17g, not %.17g\n", f->name, (int)calls,
                   (int)n, (int)d, (int)i, out[1][i], out[0][i]);
            test_failures++;
            return;
        }
    }
}

int main(void) {
    static const struct {
        const ufc_ufunc *f;
        bool has_other;
    } all[] = {
        {&loops_apart_moments_ufunc, true},       {&loops_apart_nested_ufunc, true},
        {&loops_apart_rows_ufunc, true},          {&loops_apart_totals_ufunc, true},
        {&loops_apart_paths_ufunc, true},         {&loops_apart_places_ufunc, true},
        {&loops_apart_changed_ufunc, false},      {&loops_apart_products_ufunc, true},
        {&loops_apart_outer_ufunc, false},        {&loops_apart_guarded_ufunc, true},
        {&loops_apart_shifted_ufunc, false},      {&loops_apart_twice_ufunc, false},
        {&loops_apart_twice_around_ufunc, false}, {&loops_apart_begins_ufunc, false},
        {&loops_apart_ends_ufunc, false},         {&loops_apart_goes_on_ufunc, false},
        {&loops_apart_sets_ufunc, false},         {&loops_apart_merges_ufunc, true},
        {&loops_apart_sums_ufunc, true},          {&loops_apart_nearest_ufunc, true},
        {&loops_apart_lowest_ufunc, true},        {&loops_apart_carried_ufunc, false},
        {&loops_apart_states_ufunc, true},        {&loops_apart_shares_ufunc, true},
        {&loops_apart_feeds_ufunc, false},        {&loops_apart_powers_ufunc, true},
        {&loops_apart_solves_ufunc, true},        {&loops_apart_opposite_ufunc, true},
        {&loops_apart_below_ufunc, true},         {&loops_apart_walks_ufunc, false},
        {&loops_apart_follows_ufunc, false},      {&loops_apart_vectors_ufunc, true},
        {&loops_apart_found_ufunc, true},         {&loops_apart_found_changed_ufunc, true},
        {&loops_apart_found_both_ufunc, true},
    };
    const ufc_ufunc *nearest = loops_apart_nearest_ufunc.overloads[0].other,
                    *lowest = loops_apart_lowest_ufunc.overloads[0].other,
                    *states = loops_apart_states_ufunc.overloads[0].other;
    static const int64_t sizes[][3] = {
        {1, ROWS, COLUMNS}, {CALLS, ROWS, COLUMNS}, {2, 1, 1}, {1, 5, 0}, {1, 0, 4}, {3, 8, 8}};
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < CALLS * ROWS * COLUMNS; i++)
        x[i] = (i * 7 % 23 - 11) / 7.0;
    for (int i = 0; i < CALLS * ROWS; i++)
        t[i] = i * 11 % 37 / 4.0;
    /* Sums are stored for rows and for columns, beside `low`, and not at all in a further version.
     */
    REQUIRE(nearest && lowest && states);
    CHECK(nearest->nintermediates == 3);
    CHECK(nearest->overloads[0].other->nintermediates == 1);
    CHECK(lowest->nintermediates == 0);
    CHECK(states->nintermediates == 3); /* the terms of acc, acc and the sums of columns */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int turned = 0; turned < 2; turned++)
                compare(all[i].f, all[i].has_other, sizes[k][0], sizes[k][1], sizes[k][2], turned);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
