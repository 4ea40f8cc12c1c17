/* elements.h: the elements of replay.c's arrays: as text, compared, and generated. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "../test.h"
#include "ufc.h"

static const struct {
    const char *brief;
    ufc_type type;
    int size;
    char kind;
} dtypes[] = {{"b1", UFC_BOOL, 1, 'b'},    {"i1", UFC_INT8, 1, 'i'},   {"u1", UFC_UINT8, 1, 'u'},
              {"i2", UFC_INT16, 2, 'i'},   {"u2", UFC_UINT16, 2, 'u'}, {"i4", UFC_INT32, 4, 'i'},
              {"u4", UFC_UINT32, 4, 'u'},  {"i8", UFC_INT64, 8, 'i'},  {"u8", UFC_UINT64, 8, 'u'},
              {"f4", UFC_FLOAT32, 4, 'f'}, {"f8", UFC_FLOAT64, 8, 'f'}};

static inline int size_of(ufc_type t) {
    return dtypes[t].size;
}

static inline bool dtype_named(const char *s, ufc_type *t) {
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (strncmp(s, dtypes[i].brief, 2) == 0) {
            *t = dtypes[i].type;
            return true;
        }
    return false;
}

/* Element i of an array of t. */
static inline void put_float(void *data, ufc_type t, int64_t i, double v) {
    if (t == UFC_FLOAT32)
        ((float *)data)[i] = (float)v;
    else
        ((double *)data)[i] = v;
}

static inline void put_bits(void *data, ufc_type t, int64_t i, uint64_t bits) {
    memcpy((char *)data + i * size_of(t), &bits, (size_t)size_of(t)); /* little-endian */
}

static inline void put_word(void *data, ufc_type t, int64_t i, const char *word) {
    if (t == UFC_FLOAT32)
        ((float *)data)[i] = strtof(word, NULL);
    else if (t == UFC_FLOAT64)
        ((double *)data)[i] = strtod(word, NULL);
    else
        put_bits(data, t, i,
                 *word == '-' ? (uint64_t)strtoll(word, NULL, 10) : strtoull(word, NULL, 10));
}

static inline void spell(char *text, size_t size, const void *data, ufc_type t, int64_t i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)data + i * size_of(t), (size_t)size_of(t));
    int unused = 64 - 8 * size_of(t);
    if (t == UFC_FLOAT32)
        snprintf(text, size, "%.9g", (double)((const float *)data)[i]);
    else if (t == UFC_FLOAT64)
        snprintf(text, size, "%.17g", ((const double *)data)[i]);
    else if (dtypes[t].kind == 'i')
        snprintf(text, size, "%lld", (long long)(int64_t)(bits << unused) >> unused);
    else
        snprintf(text, size, "%llu", (unsigned long long)bits);
}

static inline bool equal(const void *a, const void *b, ufc_type t, int64_t i, double ulps) {
    size_t size = (size_t)size_of(t), at = size * (size_t)i;
    if (dtypes[t].kind != 'f')
        return memcmp((const char *)a + at, (const char *)b + at, size) == 0;
    double x = t == UFC_FLOAT32 ? (double)((const float *)a)[i] : ((const double *)a)[i];
    double y = t == UFC_FLOAT32 ? (double)((const float *)b)[i] : ((const double *)b)[i];
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (ulps < 0)
        return x == y && signbit(x) == signbit(y);
    if (x == y || isinf(x) || isinf(y))
        return x == y;
    double epsilon = t == UFC_FLOAT32 ? (double)FLT_EPSILON : DBL_EPSILON;
    return fabs(x - y) <=
           ulps * epsilon * fmax(fabs(y), t == UFC_FLOAT32 ? (double)FLT_MIN : DBL_MIN);
}

/* ---- data, as make.py makes it */

static inline void special(void *data, ufc_type t, int64_t i, uint64_t which) {
    if (dtypes[t].kind == 'f') {
        bool single = t == UFC_FLOAT32;
        double max = single ? (double)FLT_MAX : DBL_MAX, tiny = single ? (double)FLT_MIN : DBL_MIN;
        const double list[] = {0,
                               -0.0,
                               1,
                               -1,
                               0.1,
                               2.5,
                               -3,
                               (double)INFINITY,
                               -(double)INFINITY,
                               (double)NAN,
                               max,
                               -max,
                               single ? 0x1p-149 : 0x1p-1074,
                               tiny,
                               1e10,
                               7,
                               -0.5,
                               1e-10};
        put_float(data, t, i, list[which % (sizeof list / sizeof *list)]);
        return;
    }
    uint64_t max = UINT64_MAX >> (64 - 8 * size_of(t)), half = max / 2;
    const uint64_t unsigned_list[] = {0, 1, 2, 3, 7, 10, max, max - 1, half + 1, half};
    const uint64_t signed_list[] = {
        0,  1,        UINT64_MAX, 2,        UINT64_MAX - 1, 3, UINT64_MAX - 6,
        10, half + 1, half,       half + 2, half - 1};
    if (dtypes[t].kind == 'b')
        put_bits(data, t, i, which % 2);
    else if (dtypes[t].kind == 'u')
        put_bits(data, t, i, unsigned_list[which % 10]);
    else
        put_bits(data, t, i, signed_list[which % 12]);
}

/* Element i of the data that make.py makes of a seed and a kind. */
static inline void generate(void *data, ufc_type t, int64_t i, uint64_t seed, char kind) {
    uint64_t r = random_bits(seed, (uint64_t)i);
    bool is_float = dtypes[t].kind == 'f';
    uint64_t bits = r % 16 - (dtypes[t].kind == 'i' ? 8 : 0);
    double number = (double)((int64_t)(r % 64) - 32) / 4;
    if (kind == 'p' || (kind == 'x' && i % 5 == 3)) {
        special(data, t, i, kind == 'p' ? (uint64_t)i : r >> 32);
        return;
    }
    if (dtypes[t].kind == 'b')
        bits = r & 1;
    else if (kind == 'z')
        bits = r >> 60 ? 0 : r % 16;
    else if (kind == 'c')
        number = (double)(bits = r % 5);
    else if (kind == 'w')
        bits = r % (8 * (uint64_t)size_of(t) + 3);
    else if (kind == 'f') {
        bits = r;
        number = ldexp((double)(int64_t)(r - (1ULL << 63)), -(40 + (int)(r & 15)));
    }
    if (is_float)
        put_float(data, t, i, number);
    else
        put_bits(data, t, i, bits);
}

#endif
