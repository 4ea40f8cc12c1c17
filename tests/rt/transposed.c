/* transposed.c: on the host, of arrays whose axes run in other orders than the result's, with whole
 * and cut tiles, of types that are converted, under a mask, an element is what it is of arrays that
 * lie as the result does; by some threads and by one. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { NDIM = 3, INPUTS = 2, MOST = 1 << 17, BYTES = 2 * 16 * MOST };

/* The shape is the result's; axes of an input in the order of its memory, the slowest first; a
 * negative one (-1 - axis) goes backwards.  gap: elements between neighbours. */
static const struct test_case {
    ufc_type type[INPUTS];
    int64_t shape[NDIM];
    int axes[INPUTS][NDIM], gap[INPUTS];
    bool masked;
} cases[] = {
    {{UFC_FLOAT32, UFC_FLOAT32}, {1, 300, 400}, {{0, 1, 2}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_FLOAT32, UFC_FLOAT32}, {1, 257, 263}, {{0, 2, 1}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_FLOAT64, UFC_FLOAT64}, {1, 16, 1024}, {{0, 2, 1}, {0, 1, 2}}, {1, 2}, true},
    {{UFC_INT8, UFC_INT8}, {1, 331, 277}, {{0, 1, 2}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_INT8, UFC_COMPLEX128}, {3, 90, 101}, {{0, 2, 1}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_FLOAT32, UFC_FLOAT64}, {1, 200, 300}, {{0, 2, 1}, {0, 1, 2}}, {1, 1}, true},
    {{UFC_FLOAT32, UFC_FLOAT64}, {1, 200, 300}, {{0, 1, 2}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_FLOAT16, UFC_FLOAT16}, {40, 41, 42}, {{1, 2, 0}, {2, 0, 1}}, {1, 3}, false},
    {{UFC_FLOAT16, UFC_FLOAT32}, {40, 41, 42}, {{2, 1, 0}, {0, -2, 2}}, {2, 1}, true},
    {{UFC_COMPLEX64, UFC_COMPLEX64}, {9, 8, 700}, {{-3, 0, -2}, {2, 1, 0}}, {1, 1}, false},
    {{UFC_FLOAT16, UFC_FLOAT16}, {1, 331, 277}, {{0, 1, 2}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_INT8, UFC_FLOAT16}, {2, 9, 1001}, {{0, 2, 1}, {0, 2, 1}}, {1, 1}, false},
    {{UFC_INT8, UFC_INT8}, {3, 1003, 8}, {{0, 2, 1}, {2, 1, 0}}, {1, 1}, true},
    {{UFC_FLOAT32, UFC_FLOAT32}, {2, 7, 500}, {{0, 2, 1}, {2, 1, 0}}, {1, 1}, false},
};

static char memory[INPUTS][BYTES], packed[INPUTS][BYTES / 2], wanted[BYTES / 2], got[BYTES / 2];
static bool mask[MOST];

static int64_t elements(const struct test_case *c) {
    return c->shape[0] * c->shape[1] * c->shape[2];
}

static int64_t size_of(ufc_type type) {
    return ufc_dltype(type).bits / 8;
}

static DLTensor in_order(char *data, ufc_type type, const struct test_case *c) {
    return ufc_host_array(data, ufc_dltype(type), NDIM, (int64_t *)c->shape);
}

/* Input k, and a packed copy of it. */
static DLTensor view(const struct test_case *c, int k, int64_t *strides) {
    int64_t size = size_of(c->type[k]), step = c->gap[k], first = 0;
    for (int i = NDIM - 1; i >= 0; i--) {
        int axis = c->axes[k][i] < 0 ? -1 - c->axes[k][i] : c->axes[k][i];
        strides[axis] = c->axes[k][i] < 0 ? -step : step;
        first += c->axes[k][i] < 0 ? (c->shape[axis] - 1) * step : 0;
        step *= c->shape[axis];
    }
    for (int64_t i = 0; i < elements(c); i++) {
        int64_t rest = i, at = first;
        for (int axis = NDIM - 1; axis >= 0; axis--) {
            at += rest % c->shape[axis] * strides[axis];
            rest /= c->shape[axis];
        }
        memcpy(packed[k] + i * size, memory[k] + at * size, (size_t)size);
    }
    DLTensor t = in_order(memory[k] + first * size, c->type[k], c);
    t.strides = strides;
    return t;
}

static void add(ufc_context *ctx, const struct test_case *c, DLTensor *in, char *out) {
    ufc_error err;
    ufc_type last = c->type[1]; /* to which the first one is converted */
    DLTensor to = in_order(out, last, c), where = in_order((char *)mask, UFC_BOOL, c);
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    ufc_keywords keywords = {.where = c->masked ? &where : NULL};
    memset(out, 0x55, (size_t)(elements(c) * size_of(last)));
    if (ufc_call_with(ctx, NULL, &kernels_add_ufunc, args, &(ufc_out){.array = &to}, &keywords,
                      &err)) {
        printf("%s\n", err.message);
        test_failures++;
    }
}

static void try(const struct test_case *c, const int threads) {
    ufc_context *ctx;
    DLTensor in[INPUTS], same[INPUTS];
    int64_t strides[INPUTS][NDIM];
    REQUIRE(ufc_context_new(&ctx, "cpu", threads, NULL) == UFC_OK);
    for (int k = 0; k < INPUTS; k++) {
        in[k] = view(c, k, strides[k]);
        same[k] = in_order(packed[k], c->type[k], c);
    }
    add(ctx, c, same, wanted);
    add(ctx, c, in, got);
    CHECK(memcmp(got, wanted, (size_t)(elements(c) * size_of(c->type[1]))) == 0);
    ufc_context_free(ctx);
}

/* Small whole numbers, of which all sums are exact and none is a NaN. */
static void fill(const struct test_case *c, int k) {
    for (int64_t i = 0; i < BYTES / size_of(c->type[k]); i++) {
        int8_t number = (int8_t)(random_bits((uint64_t)k, (uint64_t)i) % 50);
        double parts[2] = {number, 7 - number};
        float single[2] = {number, (float)(7 - number)};
        uint16_t half = (uint16_t)(0x3c00 + number); /* 1 + number / 1024 */
        switch (c->type[k]) {
        case UFC_INT8: memcpy(memory[k] + i, &number, 1); break;
        case UFC_FLOAT16: memcpy(memory[k] + 2 * i, &half, 2); break;
        case UFC_FLOAT32: memcpy(memory[k] + 4 * i, single, 4); break;
        case UFC_COMPLEX64: memcpy(memory[k] + 8 * i, single, 8); break;
        case UFC_FLOAT64: memcpy(memory[k] + 8 * i, parts, 8); break;
        default: memcpy(memory[k] + 16 * i, parts, 16); break;
        }
    }
}

/* Of so many inputs, most of them converted, that little of each fits a tile. */
static void try_many(void) {
    enum { MANY = 18, ROWS = 71, COLUMNS = 67 };
    static int8_t small[COLUMNS][ROWS];
    static float complex[COLUMNS][ROWS][2];
    static double sum[ROWS][COLUMNS][2];
    int64_t shape[] = {ROWS, COLUMNS}, strides[] = {1, ROWS};
    DLTensor a = ufc_host_array(small, ufc_dltype(UFC_INT8), 2, shape), b = a, y = a;
    ufc_arg args[MANY];
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        small[i / ROWS][i % ROWS] = (int8_t)(i % 101);
        complex[i / ROWS][i % ROWS][0] = (float)i;
        complex[i / ROWS][i % ROWS][1] = (float)(7 - i);
    }
    a.strides = b.strides = strides;
    b.data = complex;
    b.dtype = ufc_dltype(UFC_COMPLEX64);
    y.data = sum;
    y.dtype = ufc_dltype(UFC_COMPLEX128);
    for (int k = 0; k < MANY; k++)
        args[k] = ufc_array(k ? &b : &a);
    REQUIRE(!ufc_call(NULL, NULL, &kernels_pile_ufunc, args, &(ufc_out){.array = &y}, NULL));
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int r = i % ROWS, c = i / ROWS;
        CHECK(sum[r][c][0] == (MANY - 1) * i + i % 101 && sum[r][c][1] == (MANY - 1) * (7 - i));
    }
}

int main(void) {
    try_many();
    for (int64_t i = 0; i < MOST; i++)
        mask[i] = random_bits(9, (uint64_t)i) % 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < INPUTS; k++)
            fill(&cases[i], k);
        for (int threads = 1; threads < 5; threads += 3)
            try(&cases[i], threads);
        if (test_failures)
            return printf("in case %zu\n", i), 1;
    }
    return 0;
}
