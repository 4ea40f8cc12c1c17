/* sweeps.c: rows of one statement and columns of another, which SWEEP computes together, give what
 * the host gives, of whole numbers: rows that lanes, a warp or a block have, of few calls, whose
 * blocks join parts, and many, of arrays of any strides.  What explain tells of them. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "sweeps.h"
#include "whole_numbers.h"

enum { MOST = 1260000, OUTPUTS = 4 };

static ufc_context *host, *sim;
static _Alignas(16) unsigned char data[8 * MOST], more[8 * MOST], out[2][OUTPUTS][8 * MOST];
static ufc_error err;

static void fill(ufc_type type) {
    fill_numbers(data, MOST, type, 3);
    for (int i = 0; i < MOST; i++)
        if (type == UFC_FLOAT64)
            ((double *)more)[i] = whole_number(i + 3) % 3;
        else if (type != UFC_INT32)
            ((int64_t *)more)[i] = whole_number(i + 3) % 3;
}

static const struct array none = {.ndim = 0};

struct output {
    ufc_type type;
    struct array array;
};

/* f(a, b) into the outputs, on both devices: in the simulator twice, as how it goes is kept.  The
 * first launch is the named kernel's, of so many. */
static void compare(const ufc_ufunc *f, ufc_type type, struct array a, struct array b,
                    struct output *y, int n, const char *kernel, int launches) {
    DLTensor x = tensor(&a, data, type), w = tensor(&b, more, type);
    ufc_arg in[] = {ufc_array(&x), b.ndim ? ufc_array(&w) : ufc_int(2)};
    ufc_plan_description d;
    bool right = true;
    for (int k = 0; k < 3; k++) {
        int at = k > 0;
        DLTensor to[OUTPUTS];
        ufc_out outs[OUTPUTS];
        for (int i = 0; i < n; i++) {
            to[i] = tensor(&y[i].array, out[at][i], y[i].type);
            outs[i] = ufc_into(&to[i]);
        }
        memset(out[at], 0, sizeof out[at]);
        REQUIRE(ufc_call(at ? sim : host, NULL, f, in, outs, &err) == UFC_OK);
        right = right && (!at || memcmp(out[0], out[1], sizeof out[0]) == 0);
        REQUIRE(ufc_explain(sim, NULL, f, in, outs, NULL, &d, &err) == UFC_OK);
    }
    if (!right || strcmp(d.kernel, kernel) != 0 || d.launches != launches) {
        printf("%s, %d x %d: %s, %d launches%s\n", f->name, (int)a.shape[0], (int)a.shape[1],
               d.kernel, d.launches, right ? "" : ", not what the host gives");
        test_failures++;
    }
}

static void both(ufc_type type, struct array a, int launches) {
    int k = a.ndim - 2;
    int64_t m = a.shape[k], n = a.shape[k + 1];
    struct array rows = k ? A(2, {a.shape[0], m}) : A(1, {m});
    struct array columns = k ? A(2, {a.shape[0], n}) : A(1, {n});
    struct output y[] = {{type, rows}, {type, columns}};
    fill(type);
    compare(&sweeps_both_ufunc, type, a, A(1, {n}), y, 2, "sweep", launches);
}

static void many(int64_t m, int64_t n) {
    struct output y[] = {{UFC_INT64, A(2, {m, n})}, {UFC_INT64, A(1, {n})}, {UFC_INT64, A(1, {n})}};
    fill(UFC_INT64);
    compare(&sweeps_many_ufunc, UFC_INT64, A(2, {m, n}), none, y, 3, "sweep", 3);
}

static void tables(int64_t m, int64_t n, int64_t k) {
    struct output y[] = {{UFC_INT64, A(1, {k})}, {UFC_INT64, A(2, {k, n})}};
    fill(UFC_INT64);
    compare(&sweeps_tables_ufunc, UFC_INT64, A(2, {m, n}), A(2, {m, k}), y, 2, "sweep", 3);
}

/* Lanes, a warp or a block have a row; its width is a multiple of neither. */
static void widths(void) {

    both(UFC_INT64, A(2, {9001, 9}), 2);
    both(UFC_FLOAT64, A(2, {9000, 8}), 2);
    both(UFC_FLOAT64, A(2, {8007, 16}), 2);
    both(UFC_INT64, A(2, {4000, 33}), 2);
    both(UFC_INT64, A(2, {500, 517}), 2);
    many(1200, 1050);
    many(5000, 20);
    tables(30001, 4, 8);
    tables(30000, 5, 4);
}

static void layouts(void) {
    both(UFC_INT64, A(2, {600, 256}, .stride = {300, 1}), 2);
    both(UFC_INT64, A(2, {600, 256}, .stride = {257, 1}), 2);
    both(UFC_INT64, A(2, {500, 256}, .stride = {512, 2}), 2);
    both(UFC_FLOAT64, A(2, {900, 200}, .stride = {0, 1}), 2);
    both(UFC_INT64, A(2, {5000, 16}, .stride = {18, 1}), 2);
    both(UFC_FLOAT64, A(2, {5000, 16}, .stride = {17, 1}), 2);
    both(UFC_INT64, A(2, {5000, 16}, .stride = {40, 2}), 2);
    both(UFC_INT64, A(3, {500, 9, 51}), 1);
    both(UFC_INT64, A(3, {500, 90, 12}), 1);
    both(UFC_INT64, A(3, {3, 3000, 12}), 2);
    both(UFC_INT64, A(3, {5, 400, 130}), 2);
}

static void bodies(void) {
    struct output kinds[] = {{UFC_INT32, A(1, {300})},
                             {UFC_INT32, A(1, {310})},
                             {UFC_INT64, A(1, {310})},
                             {UFC_BOOL, A(1, {310})}};
    struct output passes[] = {
        {UFC_INT64, A(2, {130, 77})}, {UFC_INT64, A(1, {77})}, {UFC_INT64, A(1, {130})}};
    struct output layers[] = {{UFC_INT64, A(2, {7, 30})}, {UFC_INT64, A(1, {90})}};
    struct output last[] = {{UFC_INT64, A(1, {300})}, {UFC_INT64, A(1, {310})}};
    struct output first[] = {{UFC_INT64, A(1, {310})}, {UFC_INT64, A(1, {300})}};
    struct output narrow[] = {{UFC_INT32, A(1, {9001})},
                              {UFC_INT32, A(1, {14})},
                              {UFC_INT64, A(1, {14})},
                              {UFC_BOOL, A(1, {14})}};
    struct output short_passes[] = {
        {UFC_INT64, A(2, {6003, 20})}, {UFC_INT64, A(1, {20})}, {UFC_INT64, A(1, {6003})}};
    fill(UFC_INT32);
    compare(&sweeps_kinds_ufunc, UFC_INT32, A(2, {9001, 14}), none, narrow, 4, "sweep", 2);
    compare(&sweeps_kinds_ufunc, UFC_INT32, A(2, {300, 310}), none, kinds, 4, "sweep", 2);
    fill(UFC_INT64);
    compare(&sweeps_passes_ufunc, UFC_INT64, A(2, {130, 77}), none, passes, 3, "sweep", 3);
    compare(&sweeps_passes_ufunc, UFC_INT64, A(2, {6003, 20}), none, short_passes, 3, "sweep", 3);
    compare(&sweeps_layers_ufunc, UFC_INT64, A(3, {90, 7, 30}), none, layers, 2, "nest", 3);
    compare(&sweeps_others_ufunc, UFC_INT64, A(2, {300, 310}), none, last, 2, "nest", 2);
    compare(&sweeps_columns_first_ufunc, UFC_INT64, A(2, {300, 310}), none, first, 2, "nest", 2);
}

/* The simulator's blocks have 64 KiB of shared memory, less than a sweep may need. */
static void shared_memory(void) {
    static const struct {
        int64_t n;
        const char *kernel;
    } rows[] = {{6000, "sweep"}, {8000, "nest"}};
    for (int i = 0; i < 2; i++) {
        int64_t shape[] = {2048, rows[i].n}, n[] = {rows[i].n}, m[] = {2048}, stride[] = {256, 1};
        DLTensor a = ufc_host_array(data, ufc_dltype(UFC_INT64), 2, shape),
                 x = ufc_host_array(more, ufc_dltype(UFC_INT64), 1, n),
                 t = ufc_host_array(out[0][0], ufc_dltype(UFC_INT64), 1, m),
                 y = ufc_host_array(out[0][1], ufc_dltype(UFC_INT64), 1, n);
        ufc_arg in[] = {ufc_array(&a), ufc_array(&x)};
        ufc_plan_description d;
        a.strides = stride;
        REQUIRE(ufc_explain(sim, NULL, &sweeps_both_ufunc, in,
                            (ufc_out[]){ufc_into(&t), ufc_into(&y)}, NULL, &d, &err) == UFC_OK);
        CHECK(strcmp(d.kernel, rows[i].kernel) == 0);
    }
}

static void explained(void) {
    int64_t shape[] = {512, 512}, n[] = {512};
    DLTensor a = ufc_host_array(data, ufc_dltype(UFC_INT64), 2, shape),
             x = ufc_host_array(more, ufc_dltype(UFC_INT64), 1, n), t = x, y = x;
    ufc_arg in[] = {ufc_array(&a), ufc_array(&x)};
    ufc_plan_description d;
    t.data = out[0][0];
    y.data = out[0][1];
    REQUIRE(ufc_explain(sim, NULL, &sweeps_both_ufunc, in, (ufc_out[]){ufc_into(&t), ufc_into(&y)},
                        NULL, &d, &err) == UFC_OK);
    CHECK(d.blocks == 32 && d.threads == 256 && d.temporaries == 32 * 512 * 8);
    CHECK(strstr(d.statements, "; sweep, 1 launch") != NULL);
    CHECK(strstr(d.statements, "; in the same sweep, 1 launch") != NULL);
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    widths();
    layouts();
    bodies();
    shared_memory();
    explained();
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
