/* places.c: argmin and argmax of rows of all lengths around those of vectors and stretches on the
 * host, of neighbours and not, with equal values and NaNs: the first of the best ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../test.h"
#include "places.h"

enum { MOST = 9000 };

static ufc_context *ctx;
static ufc_error err;
static union {
    uint8_t u1[2 * MOST];
    int64_t i8[2 * MOST];
    float f4[2 * MOST];
    double f8[2 * MOST];
} x;
static double value[MOST];

static void set(ufc_type t, int64_t i, double v) {
    switch (t) {
    case UFC_UINT8: x.u1[i] = (uint8_t)v; break;
    case UFC_INT64: x.i8[i] = (int64_t)v; break;
    case UFC_FLOAT32: x.f4[i] = (float)v; break;
    default: x.f8[i] = v;
    }
}

/* The place from `first` on; sign: 1 of the highest, -1 of the lowest. */
static int64_t place(int64_t first, int64_t n, double sign) {
    int64_t best = first;
    for (int64_t i = first + 1; i < n; i++)
        if (!(sign * value[i] <= sign * value[best]) && value[best] == value[best])
            best = i;
    return best;
}

static void check(ufc_type t, int64_t n, int64_t step) {
    for (int64_t i = 0; i < n; i++)
        set(t, i * step, value[i]);
    DLTensor in = ufc_host_array(&x, ufc_dltype(t), 1, &n);
    in.strides = &step;
    int64_t k = -2;
    DLTensor out[2] = {ufc_host_array(&k, ufc_dltype(UFC_INT64), 0, NULL)};
    double v = 0;
    out[1] = ufc_host_array(&v, ufc_dltype(t), 0, NULL);
    REQUIRE(places_highest(ctx, NULL, ufc_array(&in), ufc_into(out), &err) == UFC_OK);
    CHECK(k == place(0, n, 1));
    REQUIRE(places_lowest(ctx, NULL, ufc_array(&in), ufc_into(out), ufc_into(out + 1), &err) ==
            UFC_OK);
    CHECK(k == (n > 1 ? place(1, n, -1) : -1));
    int64_t last = n > 1 ? k * step : 0, size = ufc_dltype(t).bits / 8;
    CHECK(n == 1 || memcmp(&v, (char *)&x + last * size, (size_t)size) == 0);
    if (t != UFC_FLOAT32)
        return;
    REQUIRE(places_farthest(ctx, NULL, ufc_array(&in), ufc_float(0), ufc_into(out), &err) ==
            UFC_OK);
    for (int64_t i = 0; i < n; i++)
        value[i] = fabs(value[i]);
    CHECK(k == place(0, n, 1));
}

/* Values of so few kinds that many are equal; a NaN or two where the type has them. */
static void fill(ufc_type t, int64_t n, uint64_t seed) {
    bool floats = t == UFC_FLOAT32 || t == UFC_FLOAT64;
    uint64_t kinds = 2 + random_bits(seed, MOST) % 60;
    for (int64_t i = 0; i < n; i++) {
        value[i] = (double)(random_bits(seed, (uint64_t)i) % kinds);
        if (t != UFC_UINT8)
            value[i] -= 20;
    }
    if (floats && seed % 3 == 0)
        for (int k = 1; k <= 2; k++)
            value[random_bits(seed, (uint64_t)(MOST + k)) % (uint64_t)n] = NAN;
}

int main(void) {
    const ufc_type types[] = {UFC_UINT8, UFC_INT64, UFC_FLOAT32, UFC_FLOAT64};
    REQUIRE(ufc_context_new(&ctx, "cpu", 1, &err) == UFC_OK);
    for (uint64_t seed = 0; seed < 1500; seed++)
        for (int t = 0; t < 4; t++) {
            int64_t n = (int64_t)seed < 600 ? (int64_t)seed + 1
                                            : 1 + (int64_t)(random_bits(seed, 0) % MOST);
            fill(types[t], n, seed);
            check(types[t], n, seed % 5 == 0 ? 2 : 1);
        }
    ufc_context_free(ctx);
    return test_failures > 0;
}
