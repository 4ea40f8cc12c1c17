/* half.h: numbers of all floating types from and to double, rounded once, ties to even. */
#ifndef UFC_HALF_H
#define UFC_HALF_H

#include <stdint.h>
#include <string.h>

#include "dtype.h"

/* Nothing here branches, so that loops of it become vectors. */

static inline uint32_t single_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float single_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A float32 that rounds to a half type as the number itself does: of the two next to it the one
 * whose last bit is set. */
static inline float to_odd(double value) {
    float near = (float)value;
    double back = (double)near;
    uint32_t bits = single_bits(near), even = back != value && !(bits & 1);
    uint32_t less = (back < 0 ? -back : back) < (value < 0 ? -value : value);
    return single_of(bits + (less ? even : 0 - even));
}

/* A float32 as the bits of a half type's format. */
static inline uint32_t half_bits(float value, struct float_format f) {
    int shift = 23 - f.mantissa;
    uint32_t all = single_bits(value), sign = (all >> 31) << (f.bits - 1);
    uint32_t a = all & INT32_MAX, infinity = (uint32_t)(2 * f.bias + 1) << f.mantissa;
    uint32_t normal = (uint32_t)(128 - f.bias) << 23; /* the least normal number of the format */
    uint32_t odd = a >> shift & 1, rebias = (uint32_t)(127 - f.bias) << 23;
    uint32_t r = (a - rebias + (UINT32_C(1) << (shift - 1)) - 1 + odd) >> shift;
    if (f.bias < 127) { /* a float32 in which subnormals of the format are last digits */
        uint32_t one = (uint32_t)(127 + 24 - f.bias - f.mantissa) << 23;
        uint32_t subnormal = single_bits(single_of(a) + single_of(one)) - one;
        r = a < normal ? subnormal : r;
        r = a >= (uint32_t)(128 + f.bias) << 23 ? infinity : r;
    }
    r = a > UINT32_C(0xff) << 23 ? infinity | UINT32_C(1) << (f.mantissa - 1) : r; /* NaN */
    return sign | r;
}

/* A number as the bits of a half type's format. */
static inline uint32_t to_format(double value, struct float_format f) {
    return half_bits(to_odd(value), f);
}

/* The number that has these bits in a half type's format. */
static inline float of_format(uint32_t bits, struct float_format f) {
    uint32_t sign = bits >> (f.bits - 1) << 31, a = (bits & ((UINT32_C(1) << (f.bits - 1)) - 1))
                                                    << (23 - f.mantissa);
    uint32_t last = (uint32_t)(128 - f.bias - f.mantissa) << 23; /* the least positive number */
    uint32_t rebias = (uint32_t)(127 - f.bias) << 23, special = (uint32_t)(2 * f.bias + 1) << 23;
    uint32_t r = a + (a >= special ? 2 * rebias : rebias);
    if (f.bias < 127) {
        float subnormal = (float)(int32_t)(a >> (23 - f.mantissa)) * single_of(last);
        r = a < UINT32_C(1) << 23 ? single_bits(subnormal) : r;
    }
    return single_of(sign | r);
}

/* An element of a floating type, in the low bits. */
static inline uint64_t float_bits(double value, enum ufc_dtype d) {
    uint64_t bits = 0;
    float single = (float)value;
    if (is_half(d))
        return to_format(value, format_of(d));
    if (d == DT_FLOAT32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static inline double float_value(uint64_t bits, enum ufc_dtype d) {
    float single;
    double value;
    if (is_half(d))
        return (double)of_format((uint32_t)bits, format_of(d));
    memcpy(&single, &bits, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return d == DT_FLOAT32 ? (double)single : value;
}

/* The nearest number that a floating type has. */
static inline double round_to(double value, enum ufc_dtype d) {
    return float_value(float_bits(value, d), d);
}

#endif
