/* across.c: arrays whose core calls lie across memory, one element of each beside the other, give
 * the bits that they give in C order, where the other arrays lie along it and where they do not. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "across.h"

enum { CALLS = 300, WIDTH = 64, MATRICES = 67, SIDE = 18, MOST = MATRICES * SIDE * SIDE };

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

/* A GPU takes both arrays to its memory first, if they are staged, which is memory of the call too.
 */
static void softmax_of_columns(bool staged) {
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
        static const char *const copies[2][2] = {
            {"", "x in C order"},
            {"y on the device, x on the device", "y on the device, x on the device, x in C order"}};
        CHECK(how.temporaries == (int64_t)sizeof lines * (order + (staged ? 2 : 0)));
        CHECK(strcmp(how.copies, copies[staged][order]) == 0);
    }
    CHECK(memcmp(softened[0], softened[1], sizeof lines) == 0);
}

enum { WIDEST = 16 };
static _Alignas(16) char matrices[2][MOST * WIDEST], turned[2][MOST * WIDEST];
static _Alignas(16) char result[2][MOST * WIDEST], numbers[2][MATRICES * WIDEST];

/* Sets element i of an array to a small number, from -2 to 2. */
static void set(ufc_type type, char *array, int i, int value) {
    static const uint16_t halves[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    switch (type) {
    case UFC_INT8: ((int8_t *)array)[i] = (int8_t)value; break;
    case UFC_FLOAT16: ((uint16_t *)array)[i] = halves[value + 2]; break;
    case UFC_FLOAT32: ((float *)array)[i] = (float)value; break;
    case UFC_COMPLEX64:
        ((float *)array)[2 * i] = (float)value;
        ((float *)array)[2 * i + 1] = 1;
        break;
    default: /* UFC_COMPLEX128 */
        ((double *)array)[2 * i] = value;
        ((double *)array)[2 * i + 1] = 1;
    }
}

/* Matrices of n elements, in C order and across, and each call's numbers. */
static void fill_matrices(ufc_type type, int n) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < MATRICES * n; i++) {
            int value = (int)(((unsigned)(i + k) * 2654435761U >> 20) % 5) - 2;
            set(type, matrices[k], i, value);
            set(type, turned[k], i % n * MATRICES + i / n, value);
            set(type, numbers[k], i / n, (i / n + k) % 5 - 2);
        }
}

static DLTensor array(ufc_type type, void *data, int ndim, int64_t *shape, int64_t *strides) {
    DLTensor t = ufc_host_array(data, ufc_dltype(type), ndim, shape);
    t.strides = strides;
    return t;
}

static const char *kernel_of(const DLTensor *in, DLTensor *out) {
    static ufc_plan_description how;
    ufc_arg args[4];
    for (int k = 0; k < 4; k++)
        args[k] = ufc_array(&in[k]);
    REQUIRE(ufc_explain(ctx, NULL, &across_product_ufunc, args, &(ufc_out){.array = out}, NULL,
                        &how, &err) == UFC_OK);
    return how.kernel;
}

static void multiply(DLTensor *in, DLTensor *out) {
    REQUIRE(across_product(ctx, NULL, ufc_array(&in[0]), ufc_array(&in[1]), ufc_array(&in[2]),
                           ufc_array(&in[3]), ufc_into(out), &err) == UFC_OK);
}

/* Element i of the products in C order, beside that of the others, in C order or across. */
static void compare(ufc_type type, bool across) {
    size_t size = (size_t)ufc_dltype(type).bits / 8;
    for (size_t i = 0; i < MOST; i++) {
        size_t at = across ? i % (SIDE * SIDE) * MATRICES + i / (SIDE * SIDE) : i;
        if (memcmp(result[0] + i * size, result[1] + at * size, size) != 0)
            REQUIRE(!"the product in C order");
    }
}

/* a or b or the product across. */
static void mixed_products(ufc_type type) {
    int64_t shape[] = {MATRICES, SIDE, SIDE}, across[] = {1, SIDE * MATRICES, MATRICES};
    fill_matrices(type, SIDE * SIDE);
    for (int round = 0; round < 7; round++) {
        DLTensor in[4], out;
        for (int k = 0; k < 2; k++) {
            bool turn = round >> k & 1;
            in[k] = array(type, turn ? turned[k] : matrices[k], 3, shape, turn ? across : NULL);
            in[2 + k] = array(type, numbers[k], 1, shape, NULL);
        }
        out = array(type, result[round > 0], 3, shape, round & 4 ? across : NULL);
        multiply(in, &out);
        if (round > 0)
            compare(type, round & 4);
    }
}

/* All across, with so many terms, b perhaps one matrix for all calls, calls perhaps backwards. */
static void products_across(ufc_type type, int depth, bool one_b, bool backwards) {
    int64_t shapes[3][3] = {
        {MATRICES, SIDE, depth}, {MATRICES, depth, SIDE}, {MATRICES, SIDE, SIDE}};
    int64_t step = backwards ? -1 : 1, n = SIDE * depth, one[] = {depth, SIDE};
    size_t last = backwards ? (size_t)(MATRICES - 1) * (size_t)ufc_dltype(type).bits / 8 : 0;
    fill_matrices(type, SIDE * depth);
    for (int across = 0; across < 2; across++) {
        int64_t strides[4][3] = {{step, depth * MATRICES, MATRICES},
                                 {step, SIDE * MATRICES, MATRICES},
                                 {step, SIDE * MATRICES, MATRICES},
                                 {step}};
        if (!across) {
            memcpy(strides[0], (int64_t[]){step * n, depth, 1}, sizeof strides[0]);
            memcpy(strides[1], (int64_t[]){step * n, SIDE, 1}, sizeof strides[1]);
            memcpy(strides[2], (int64_t[]){step * SIDE * SIDE, SIDE, 1}, sizeof strides[2]);
        }
        DLTensor in[4], out;
        for (int k = 0; k < 2; k++) {
            size_t begin = across ? last : last * (size_t)n;
            in[k] = array(type, (across ? turned : matrices)[k] + begin, 3, shapes[k], strides[k]);
            in[2 + k] = array(type, numbers[k] + last, 1, shapes[0], strides[3]);
        }
        if (one_b)
            in[1] = array(type, matrices[1], 2, one, NULL);
        out = array(type, result[across] + (across ? last : last * SIDE * SIDE), 3, shapes[2],
                    strides[2]);
        multiply(in, &out);
        CHECK(!across || !strcmp(kernel_of(in, &out), "tile 16 across"));
    }
    compare(type, true);
}

static void products(ufc_type type) {
    mixed_products(type);
    products_across(type, SIDE, false, false);
    products_across(type, SIDE, true, false);
    products_across(type, SIDE, false, true);
    products_across(type, 1, false, false);
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
    static const ufc_type types[] = {UFC_INT8, UFC_FLOAT16, UFC_FLOAT32, UFC_COMPLEX64,
                                     UFC_COMPLEX128};
    for (int i = 0; i < 2; i++) {
        if (ufc_context_new(&ctx, devices[i], 0, &err) != UFC_OK) {
            CHECK(i > 0); /* no GPU */
            continue;
        }
        softmax_of_columns(i > 0);
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            products(types[k]);
        much();
        ufc_context_free(ctx);
    }
    return test_failures != 0;
}
