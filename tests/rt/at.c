/* at.c: at in the simulator, whose kernels sort the indices, gives what it does on the host: arrays
 * of any type and strides, functions that need the order, indices of any type, rank and strides,
 * rows that few, many and no indices select; indices out of bounds leave the array as it is. */
#include <string.h>
#include "../test.h"
#include "at.h"

enum { MOST = 140000, BYTES = 16 * MOST };

static ufc_context *sim;
static ufc_error err;
static _Alignas(16) char before[BYTES], host[BYTES], simulated[BYTES], values[BYTES];
static _Alignas(16) char indices[8 * MOST];

/* Small whole numbers: no grouping changes a sum. */
static void fill(void *to, ufc_type type, int n, uint64_t seed) {
    for (int i = 0; i < n; i++) {
        int v = (int)(random_bits(seed, (uint64_t)i) >> 40) % 7;
        switch (type) {
        case UFC_INT8: ((int8_t *)to)[i] = (int8_t)v; break;
        case UFC_UINT16: ((uint16_t *)to)[i] = (uint16_t)v; break;
        case UFC_INT32: ((int32_t *)to)[i] = v; break;
        case UFC_INT64: ((int64_t *)to)[i] = v; break;
        case UFC_FLOAT32: ((float *)to)[i] = (float)v; break;
        case UFC_FLOAT64: ((double *)to)[i] = v; break;
        default: ((double *)to)[2 * i] = v, ((double *)to)[2 * i + 1] = -v;
        }
    }
}

/* How rows are drawn: evenly, most of them the same, or all the same. */
enum draw { EVENLY, MOSTLY_ONE, ONE };

static void draw_indices(ufc_type type, int n, int rows, enum draw draw) {
    for (int i = 0; i < n; i++) {
        uint64_t bits = random_bits(3, (uint64_t)i);
        int64_t row = (int64_t)(bits >> 8) % rows;
        row = draw == ONE || (draw == MOSTLY_ONE && bits % 8 > 0) ? rows / 2 : row;
        row -= bits >> 63 && type != UFC_UINT8 ? rows : 0;
        if (type == UFC_UINT8 || type == UFC_INT8)
            ((int8_t *)indices)[i] = (int8_t)row;
        else if (type == UFC_INT16)
            ((int16_t *)indices)[i] = (int16_t)row;
        else
            ((int64_t *)indices)[i] = row;
    }
}

struct call {
    const ufc_ufunc *f;
    ufc_type type, index;
    int64_t rows, columns, n[2]; /* columns 0: the array has one axis; n[1] 0: indices have one */
    enum draw draw;
    bool backwards; /* the array's columns, and the indices */
};

static void both(const struct call *c) {
    ufc_type t = c->type;
    int64_t shape[] = {c->rows, c->columns}, of_indices[] = {c->n[0], c->n[1]};
    int64_t strides[] = {c->columns ? c->columns : -1, -1}, back[] = {-1};
    int64_t n = c->n[0] * (c->n[1] ? c->n[1] : 1), columns = c->columns ? c->columns : 1;
    int64_t many[] = {c->n[0], c->n[1], c->columns};
    if (!c->n[1])
        many[1] = c->columns;
    int nindex = c->n[1] ? 2 : 1, naxes = nindex + (c->columns > 0);
    size_t size = t == UFC_INT8                        ? 1
                  : t == UFC_UINT16                    ? 2
                  : t == UFC_INT32 || t == UFC_FLOAT32 ? 4
                  : t == UFC_COMPLEX128                ? 16
                                                       : 8;
    REQUIRE(n * columns <= MOST && c->rows * columns <= MOST);
    fill(before, t, (int)(c->rows * columns), 1);
    fill(values, t, (int)(n * columns), 2);
    draw_indices(c->index, (int)n, (int)c->rows, c->draw);
    memcpy(host, before, BYTES);
    memcpy(simulated, before, BYTES);
    DLTensor at = ufc_host_array(indices, ufc_dltype(c->index), nindex, of_indices);
    DLTensor y = ufc_host_array(values, ufc_dltype(t), naxes, many);
    DLTensor x = ufc_host_array(host, ufc_dltype(t), c->columns ? 2 : 1, shape);
    if (c->backwards) {
        size_t index = c->index == UFC_INT64 ? 8 : c->index == UFC_INT16 ? 2 : 1;
        at.strides = back;
        at.byte_offset = (uint64_t)(n - 1) * index;
        x.strides = strides;
        x.byte_offset = (uint64_t)((c->columns ? columns : c->rows) - 1) * size;
    }
    CHECK(ufc_at(NULL, NULL, c->f, &x, &at, ufc_array(&y), &err) == UFC_OK);
    x.data = simulated;
    ufc_status status = ufc_at(sim, NULL, c->f, &x, &at, ufc_array(&y), &err);
    if (status != UFC_OK || memcmp(host, simulated, BYTES) != 0) {
        printf("type %d, %lld rows of %lld, %lld indices: %s\n", t, (long long)c->rows,
               (long long)c->columns, (long long)n,
               status == UFC_OK ? "other results" : err.message);
        test_failures++;
    }
}

static void out_of_bounds(void) {
    int64_t wrong[] = {3, -6, 9, 4, 7}, five[] = {5}, none[] = {0}, shape[] = {5};
    double array[] = {1, 2, 3, 4, 5};
    DLTensor x = ufc_host_array(array, ufc_dltype(UFC_FLOAT64), 1, shape);
    DLTensor at = ufc_host_array(wrong, ufc_dltype(UFC_INT64), 1, five);
    CHECK(ufc_at(sim, NULL, &at_most_ufunc, &x, &at, ufc_float(9), &err) == UFC_EINVAL &&
          strstr(err.message, "index -6 is out of bounds for the first axis, of size 5"));
    wrong[1] = 1;
    CHECK(ufc_at(sim, NULL, &at_most_ufunc, &x, &at, ufc_float(9), &err) == UFC_EINVAL &&
          strstr(err.message, "index 9 is out of bounds"));
    for (int i = 0; i < 5; i++)
        CHECK(array[i] == i + 1);
    x.strides = (int64_t[]){0};
    CHECK(ufc_at(sim, NULL, &at_most_ufunc, &x, &at, ufc_float(9), &err) == UFC_EINVAL &&
          strstr(err.message, "most.at: "));
    x.strides = NULL;
    at.shape = none;
    CHECK(ufc_at(sim, NULL, &at_most_ufunc, &x, &at, ufc_float(9), &err) == UFC_OK);
    at.shape = five;
    x.shape = none;
    wrong[2] = wrong[4] = 0;
    CHECK(ufc_at(sim, NULL, &at_most_ufunc, &x, &at, ufc_float(9), &err) == UFC_EINVAL &&
          strstr(err.message, "of size 0"));
}

/* A row that is cut is grouped otherwise than in order, but always in the same way. */
static void long_rows(void) {
    int64_t n[] = {MOST}, one[] = {1};
    float sums[2], exact = 0, *v = (float *)(void *)values;
    for (int i = 0; i < MOST; i++)
        v[i] = 1.0F / (float)(i + 1);
    memset(indices, 0, sizeof indices);
    DLTensor at = ufc_host_array(indices, ufc_dltype(UFC_INT64), 1, n);
    DLTensor y = ufc_host_array(v, ufc_dltype(UFC_FLOAT32), 1, n);
    for (int i = 0; i < 2; i++) {
        DLTensor x = ufc_host_array(&sums[i], ufc_dltype(UFC_FLOAT32), 1, one);
        sums[i] = 0;
        CHECK(ufc_at(sim, NULL, &at_plus_ufunc, &x, &at, ufc_array(&y), &err) == UFC_OK);
    }
    exact = 12.426617F; /* the 140000th harmonic number */
    CHECK(sums[0] == sums[1] && sums[0] > exact - 1e-5F && sums[0] < exact + 1e-5F);
}

int main(void) {
    static const struct call calls[] = {
        {&at_plus_ufunc, UFC_INT64, UFC_INT64, 10, 0, {1}, EVENLY, false},
        {&at_plus_ufunc, UFC_INT8, UFC_INT8, 100, 0, {700}, EVENLY, false},
        {&at_plus_ufunc, UFC_FLOAT32, UFC_INT64, 5000, 0, {2048}, EVENLY, false},
        {&at_plus_ufunc, UFC_COMPLEX128, UFC_UINT8, 90, 3, {40, 50}, EVENLY, false},
        {&at_plus_ufunc, UFC_FLOAT32, UFC_INT16, 1000, 0, {6000}, MOSTLY_ONE, true},
        {&at_plus_ufunc, UFC_INT64, UFC_INT64, 3, 0, {MOST}, MOSTLY_ONE, false},
        {&at_plus_ufunc, UFC_INT8, UFC_INT64, 7, 2, {9000}, ONE, true},
        {&at_plus_ufunc, UFC_FLOAT32, UFC_INT64, 1, 0, {MOST}, ONE, false},
        {&at_most_ufunc, UFC_UINT16, UFC_INT16, 200, 0, {12000}, MOSTLY_ONE, false},
        {&at_most_ufunc, UFC_FLOAT64, UFC_INT64, 64, 5, {4000}, EVENLY, true},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 50, 0, {5000}, EVENLY, true},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 2, 0, {11000}, MOSTLY_ONE, false},
        {&at_horner_ufunc, UFC_FLOAT64, UFC_INT8, 9, 4, {3, 20}, EVENLY, false},
        /* one key, less and more than a warp's, than a block sorts, than a segment */
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 70000, 0, {1}, EVENLY, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 257, 0, {31}, EVENLY, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 2, 0, {33}, EVENLY, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT8, 100, 0, {2049}, MOSTLY_ONE, true},
        /* digits of one bit, and of as many as there are; one, two and three of them */
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 1, 0, {2100}, EVENLY, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 2, 0, {2100}, EVENLY, true},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 256, 0, {(1 << 16) + 1}, EVENLY, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 257, 0, {(1 << 16) + 1}, EVENLY, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 70000, 0, {(1 << 16) + 1}, MOSTLY_ONE, false},
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 70000, 0, {5000}, ONE, false},
        {&at_horner_ufunc, UFC_FLOAT64, UFC_INT64, 300, 7, {97, 100}, EVENLY, false},
        /* more segments than a block has threads */
        {&at_horner_ufunc, UFC_INT32, UFC_INT64, 300, 0, {MOST}, EVENLY, false},
        /* rows that are cut, by rows and by keys; one that ends with a piece */
        {&at_plus_ufunc, UFC_FLOAT32, UFC_INT64, 3, 3, {MOST / 3}, MOSTLY_ONE, false},
        {&at_plus_ufunc, UFC_FLOAT32, UFC_INT64, 20000, 0, {MOST}, MOSTLY_ONE, true},
        {&at_plus_ufunc, UFC_FLOAT32, UFC_INT64, 5, 0, {1 << 16}, ONE, false},
        {&at_checked_ufunc, UFC_FLOAT64, UFC_INT64, 70000, 0, {4100}, EVENLY, false},
        {&at_checked_ufunc, UFC_FLOAT64, UFC_INT64, 30, 0, {300}, EVENLY, false},
    };
    REQUIRE(ufc_context_new(&sim, "sim", 2, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        both(&calls[i]);
    out_of_bounds();
    long_rows();
    ufc_context_free(sim);
    return test_failures > 0;
}
