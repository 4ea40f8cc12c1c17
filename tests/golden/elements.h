/* elements.h: the elements of replay.c's arrays: as text, compared, and generated. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "../test.h"
#include "half.h"
#include "ufc.h"

/* In the order of their codes.  most, least, step: of floating types and of complex ones' parts the
 * largest number, the least normal one, the least of all; epsilon: from 1 to the next. */
static const struct {
    const char *brief;
    ufc_type type, part;
    int size;
    char kind;
    double most, least, step, epsilon;
} dtypes[] = {
    {"b1", UFC_BOOL, UFC_BOOL, 1, 'b', 0, 0, 0, 0},
    {"i1", UFC_INT8, UFC_INT8, 1, 'i', 0, 0, 0, 0},
    {"u1", UFC_UINT8, UFC_UINT8, 1, 'u', 0, 0, 0, 0},
    {"i2", UFC_INT16, UFC_INT16, 2, 'i', 0, 0, 0, 0},
    {"u2", UFC_UINT16, UFC_UINT16, 2, 'u', 0, 0, 0, 0},
    {"i4", UFC_INT32, UFC_INT32, 4, 'i', 0, 0, 0, 0},
    {"u4", UFC_UINT32, UFC_UINT32, 4, 'u', 0, 0, 0, 0},
    {"i8", UFC_INT64, UFC_INT64, 8, 'i', 0, 0, 0, 0},
    {"u8", UFC_UINT64, UFC_UINT64, 8, 'u', 0, 0, 0, 0},
    {"f2", UFC_FLOAT16, UFC_FLOAT16, 2, 'f', 65504, 0x1p-14, 0x1p-24, 0x1p-10},
    {"bf2", UFC_BFLOAT16, UFC_BFLOAT16, 2, 'f', 0x1.fep127, 0x1p-126, 0x1p-133, 0x1p-7},
    {"f4", UFC_FLOAT32, UFC_FLOAT32, 4, 'f', 0x1.fffffep127, 0x1p-126, 0x1p-149, 0x1p-23},
    {"f8", UFC_FLOAT64, UFC_FLOAT64, 8, 'f', DBL_MAX, DBL_MIN, 0x1p-1074, 0x1p-52},
    {"c8", UFC_COMPLEX64, UFC_FLOAT32, 8, 'c', 0x1.fffffep127, 0x1p-126, 0x1p-149, 0x1p-23},
    {"c16", UFC_COMPLEX128, UFC_FLOAT64, 16, 'c', DBL_MAX, DBL_MIN, 0x1p-1074, 0x1p-52}};

static inline int size_of(ufc_type t) {
    return dtypes[t].size;
}

/* What follows the name of a type; NULL: it is none. */
static inline const char *dtype_named(const char *s, ufc_type *t) {
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (strncmp(s, dtypes[i].brief, strlen(dtypes[i].brief)) == 0) {
            *t = dtypes[i].type;
            return s + strlen(dtypes[i].brief);
        }
    return NULL;
}

static inline void put_bits(void *data, ufc_type t, int64_t i, uint64_t bits) {
    memcpy((char *)data + i * size_of(t), &bits, (size_t)size_of(t)); /* little-endian */
}

/* Element i of an array of t, a floating type. */
static inline void put_float(void *data, ufc_type t, int64_t i, double v) {
    put_bits(data, t, i, float_bits(v, (enum ufc_dtype)t));
}

static inline double get_float(const void *data, ufc_type t, int64_t i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)data + i * size_of(t), (size_t)size_of(t)); /* little-endian */
    return float_value(bits, (enum ufc_dtype)t);
}

static inline double read_float(ufc_type t, const char *word, char **end) {
    return t == UFC_FLOAT32 ? (double)strtof(word, end) : strtod(word, end);
}

static inline void put_word(void *data, ufc_type t, int64_t i, const char *word) {
    ufc_type part = dtypes[t].part;
    char *end;
    if (dtypes[t].kind == 'f') {
        put_float(data, t, i, read_float(t, word, &end));
    } else if (dtypes[t].kind == 'c') { /* 1,-2.5 */
        put_float(data, part, 2 * i, read_float(part, word, &end));
        put_float(data, part, 2 * i + 1, *end == ',' ? read_float(part, end + 1, &end) : 0);
    } else
        put_bits(data, t, i,
                 *word == '-' ? (uint64_t)strtoll(word, NULL, 10) : strtoull(word, NULL, 10));
}

static inline void spell(char *text, size_t size, const void *data, ufc_type t, int64_t i) {
    uint64_t bits = 0;
    if (dtypes[t].kind == 'f') {
        snprintf(text, size, "%.*g", t == UFC_FLOAT64 ? 17 : 9, get_float(data, t, i));
        return;
    }
    if (dtypes[t].kind == 'c') {
        int digits = t == UFC_COMPLEX128 ? 17 : 9;
        snprintf(text, size, "%.*g,%.*g", digits, get_float(data, dtypes[t].part, 2 * i), digits,
                 get_float(data, dtypes[t].part, 2 * i + 1));
        return;
    }
    memcpy(&bits, (const char *)data + i * size_of(t), (size_t)size_of(t));
    int unused = 64 - 8 * size_of(t);
    if (dtypes[t].kind == 'i')
        snprintf(text, size, "%lld", (long long)(int64_t)(bits << unused) >> unused);
    else
        snprintf(text, size, "%llu", (unsigned long long)bits);
}

static inline bool equal_float(const void *a, const void *b, ufc_type t, int64_t i, double ulps) {
    double x = get_float(a, t, i), y = get_float(b, t, i);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (ulps < 0)
        return x == y && signbit(x) == signbit(y);
    if (x == y || isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= ulps * dtypes[t].epsilon * fmax(fabs(y), dtypes[t].least);
}

/* By the distance, where it is a number. */
static inline bool equal_complex(const void *a, const void *b, ufc_type t, int64_t i, double ulps) {
    ufc_type part = dtypes[t].part;
    double x = get_float(b, part, 2 * i), y = get_float(b, part, 2 * i + 1);
    double dx = get_float(a, part, 2 * i) - x, dy = get_float(a, part, 2 * i + 1) - y;
    if (ulps > 0 && isfinite(dx) && isfinite(dy))
        return hypot(dx, dy) <= ulps * dtypes[t].epsilon * fmax(hypot(x, y), dtypes[t].least);
    return equal_float(a, b, part, 2 * i, ulps) && equal_float(a, b, part, 2 * i + 1, ulps);
}

static inline bool equal(const void *a, const void *b, ufc_type t, int64_t i, double ulps) {
    size_t size = (size_t)size_of(t), at = size * (size_t)i;
    switch (dtypes[t].kind) {
    case 'f': return equal_float(a, b, t, i, ulps);
    case 'c': return equal_complex(a, b, t, i, ulps);
    default: return memcmp((const char *)a + at, (const char *)b + at, size) == 0;
    }
}

/* ---- data, as make.py makes it */

static inline void special_float(void *data, ufc_type t, int64_t i, uint64_t which) {
    double most = dtypes[t].most;
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
                           most,
                           -most,
                           dtypes[t].step,
                           dtypes[t].least,
                           1e10,
                           7,
                           -0.5,
                           1e-10};
    put_float(data, t, i, list[which % (sizeof list / sizeof *list)]);
}

static inline void special_complex(void *data, ufc_type t, int64_t i, uint64_t which) {
    double most = dtypes[t].most, least = dtypes[t].least;
    double infinite = (double)INFINITY, nan = (double)NAN;
    const double list[][2] = {
        {0, 0},    {-0.0, 0}, {1, 0},        {0, 1},          {-1, -0.0},
        {2.5, -3}, {-0.5, 7}, {infinite, 1}, {1, -infinite},  {-infinite, infinite},
        {nan, 1},  {1, nan},  {most, most},  {least, -least}, {1e10, 1e-10}};
    for (int k = 0; k < 2; k++)
        put_float(data, dtypes[t].part, 2 * i + k, list[which % (sizeof list / sizeof *list)][k]);
}

static inline void special(void *data, ufc_type t, int64_t i, uint64_t which) {
    uint64_t max = UINT64_MAX >> (size_of(t) < 8 ? 64 - 8 * size_of(t) : 0), half = max / 2;
    const uint64_t unsigned_list[] = {0, 1, 2, 3, 7, 10, max, max - 1, half + 1, half};
    const uint64_t signed_list[] = {
        0,  1,        UINT64_MAX, 2,        UINT64_MAX - 1, 3, UINT64_MAX - 6,
        10, half + 1, half,       half + 2, half - 1};
    switch (dtypes[t].kind) {
    case 'f': special_float(data, t, i, which); break;
    case 'c': special_complex(data, t, i, which); break;
    case 'b': put_bits(data, t, i, which % 2); break;
    case 'u': put_bits(data, t, i, unsigned_list[which % 10]); break;
    default: put_bits(data, t, i, signed_list[which % 12]); break;
    }
}

/* Element i of the data that make.py makes of a seed and a kind; a complex number's parts are two
 * elements after each other. */
static inline void generate(void *data, ufc_type t, int64_t i, uint64_t seed, char kind) {
    uint64_t r = random_bits(seed, (uint64_t)i);
    uint64_t bits = r % 16 - (dtypes[t].kind == 'i' ? 8 : 0);
    double number = (double)((int64_t)(r % 64) - 32) / 4;
    if (kind == 'p' || (kind == 'x' && i % 5 == 3)) {
        special(data, t, i, kind == 'p' ? (uint64_t)i : r >> 32);
        return;
    }
    if (dtypes[t].kind == 'c') {
        for (int k = 0; k < 2; k++)
            generate(data, dtypes[t].part, 2 * i + k, seed, kind == 'x' ? 's' : kind);
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
        number = ldexp((double)(int64_t)(r - (1ULL << 63)),
                       -(size_of(t) == 2 ? 52 : 40) - (int)(r & 15));
    }
    if (dtypes[t].kind == 'f')
        put_float(data, t, i, number);
    else
        put_bits(data, t, i, bits);
}

#endif
