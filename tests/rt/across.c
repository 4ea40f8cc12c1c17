/* across.c: arrays whose core calls lie across memory, one element of each beside the other, give
 * the bits that they give in C order, where the other arrays lie along it and where they do not. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "across.h"

enum { CALLS = 300, WIDTH = 64, MATRICES = 131, SIDE = 20, MOST = MATRICES * SIDE * SIDE };

static ufc_context *ctx;
static ufc_error err;
static float lines[CALLS * WIDTH], turned_lines[CALLS * WIDTH];
static float softened[2][CALLS * WIDTH];

/* An array of n calls of m elements, and the same with neighbouring calls beside each other. */
static void fill(float *c_order, float *across, int n, int m) {
    for (int call = 0; call < n; call++)
        for (int i = 0; i < m; i++) {
            unsigned v = (unsigned)(call * m + i) * 2654435761U >> 20;
            c_order[call * m + i] = across[i * n + call] = (float)v / 4096;
        }
}

static void softmax_of_columns(void) {
    int64_t shape[] = {CALLS, WIDTH}, across[] = {1, CALLS};
    fill(lines, turned_lines, CALLS, WIDTH);
    for (int order = 0; order < 2; order++) {
        DLTensor x = ufc_host_array(lines, ufc_dltype(UFC_FLOAT32), 2, shape), y = x;
        y.data = softened[order];
        if (order == 1) {
            x.data = turned_lines;
            x.strides = across;
        }
        CHECK(across_softmax(ctx, NULL, ufc_array(&x), ufc_into(&y), &err) == UFC_OK);
        ufc_plan_description how;
        CHECK(ufc_explain(ctx, NULL, &across_softmax_ufunc, (ufc_arg[]){ufc_array(&x)},
                          &(ufc_out){.array = &y}, NULL, &how, &err) == UFC_OK);
        CHECK(how.temporaries == (order ? (int64_t)sizeof lines : 0));
    }
    CHECK(memcmp(softened[0], softened[1], sizeof lines) == 0);
}

enum { WIDEST = 8 };
static _Alignas(16) char matrices[2][MOST * WIDEST], turned[2][MOST * WIDEST];
static _Alignas(16) char result[2][MOST * WIDEST], numbers[2][MATRICES * WIDEST];

/* Sets element i of an array; numbers of its type: their size. */
static size_t set(ufc_type type, char *array, int i, int value) {
    switch (type) {
    case UFC_INT8: ((int8_t *)array)[i] = (int8_t)value; return 1;
    case UFC_FLOAT32: ((float *)array)[i] = (float)value; return 4;
    case UFC_FLOAT64: ((double *)array)[i] = value; return 8;
    default: /* UFC_COMPLEX64 */
        ((float *)array)[2 * i] = (float)value;
        ((float *)array)[2 * i + 1] = 1;
        return 8;
    }
}

/* a or b or both across; the product too, in the last round.  Each call has numbers of its own. */
static void product_of_columns(ufc_type type) {
    int64_t shape[] = {MATRICES, SIDE, SIDE}, across[] = {1, SIDE * MATRICES, MATRICES};
    size_t size = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < MOST; i++) {
            int call = i / (SIDE * SIDE), at = i % (SIDE * SIDE) * MATRICES + call;
            size = set(type, matrices[k], i, (i * 7 + k) % 5 - 2);
            set(type, turned[k], at, (i * 7 + k) % 5 - 2);
            set(type, numbers[k], call, call % 3 + k);
        }
    DLTensor scale = ufc_host_array(numbers[0], ufc_dltype(type), 1, shape), offset = scale;
    offset.data = numbers[1];
    for (int round = 0; round < 5; round++) {
        DLTensor t[3];
        for (int k = 0; k < 3; k++) {
            t[k] =
                ufc_host_array(k < 2 ? matrices[k] : result[round > 0], ufc_dltype(type), 3, shape);
            if (!(round >> k & 1) && round != 4)
                continue;
            t[k].strides = across;
            t[k].data = k < 2 ? turned[k] : result[1];
        }
        CHECK(across_product(ctx, NULL, ufc_array(&t[0]), ufc_array(&t[1]), ufc_array(&scale),
                             ufc_array(&offset), ufc_into(&t[2]), &err) == UFC_OK);
        for (size_t i = 0; i < MOST; i++) {
            size_t at = round == 4 ? i % (SIDE * SIDE) * MATRICES + i / (SIDE * SIDE) : i;
            if (round && memcmp(result[0] + i * size, result[1] + at * size, size) != 0)
                REQUIRE(!"the product in C order");
        }
    }
}

/* Many blocks a call, in two phases, along and across. */
static void much(void) {
    enum { MANY = 70, LONG = 6144 };
    double(*x)[2] = calloc((size_t)MANY * LONG, sizeof *x), total[MANY] = {0};
    REQUIRE(x);
    for (int across = 0; across < 2; across++) {
        int64_t shape[] = {MANY, LONG}, strides[] = {across ? 1 : LONG, across ? MANY : 1};
        memset(total, 0, sizeof total);
        for (int call = 0; call < MANY; call++)
            for (int i = 0; i < LONG; i++) {
                double *v = x[call * strides[0] + i * strides[1]];
                total[call] += v[0] = (call * 7 + i) % 13;
                v[1] = i % 2;
            }
        DLTensor t = ufc_host_array(x, ufc_dltype(UFC_COMPLEX128), 2, shape);
        t.strides = strides;
        CHECK(across_centred(ctx, NULL, ufc_array(&t), ufc_into(&t), &err) == UFC_OK);
        for (int call = 0; call < MANY; call++)
            for (int i = 0; i < LONG; i++) {
                const double *v = x[call * strides[0] + i * strides[1]];
                if (v[0] != (call * 7 + i) % 13 - total[call] || v[1] != i % 2 - LONG / 2)
                    REQUIRE(!"differences from the sum");
            }
    }
    free(x);
}

int main(void) {
    static const char *const devices[] = {"sim", "cuda"};
    static const ufc_type types[] = {UFC_INT8, UFC_FLOAT32, UFC_FLOAT64, UFC_COMPLEX64};
    for (int i = 0; i < 2; i++) {
        if (ufc_context_new(&ctx, devices[i], 0, &err) != UFC_OK) {
            CHECK(i > 0); /* no GPU */
            continue;
        }
        softmax_of_columns();
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            product_of_columns(types[k]);
        much();
        ufc_context_free(ctx);
    }
    return test_failures != 0;
}
