/* half.h: numbers of all floating types from and to double, rounded once, ties to even. */
#ifndef UFC_HALF_H
#define UFC_HALF_H

#include <stdint.h>
#include <string.h>

#include "dtype.h"

/* A number as the bits of a format that has fewer than 64. */
static inline uint64_t to_format(double value, struct float_format f) {
    uint64_t bits, infinity = (uint64_t)(2 * f.bias + 1) << f.mantissa;
    memcpy(&bits, &value, sizeof bits);
    uint64_t sign = bits >> 63 << (f.bits - 1), magnitude = bits & INT64_MAX;
    if (magnitude > UINT64_C(0x7ff) << 52)
        return sign | infinity | UINT64_C(1) << (f.mantissa - 1); /* NaN */
    int exponent =
        (int)(magnitude >> 52) - 1023 + f.bias; /* of a subnormal double: far too small */
    uint64_t full = (magnitude & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int shift = 52 - f.mantissa;
    if (exponent < 1) { /* a subnormal number of the format */
        shift = shift + 1 - exponent > 60 ? 60 : shift + 1 - exponent;
        exponent = 1;
    }
    uint64_t rest = full & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    uint64_t r = full >> shift;
    r += rest > half || (rest == half && (r & 1));
    r += (uint64_t)(exponent - 1)
         << f.mantissa; /* r has the leading bit, which counts as one more */
    return sign | (r < infinity ? r : infinity);
}

/* The number that has these bits in a format that float32 holds. */
static inline float of_format(uint32_t bits, struct float_format f) {
    uint32_t special = 2 * (uint32_t)f.bias + 1, exponent = bits >> f.mantissa & special;
    uint32_t mantissa = bits & ((UINT32_C(1) << f.mantissa) - 1), sign = bits >> (f.bits - 1);
    uint32_t last = (uint32_t)(127 + 1 - f.bias - f.mantissa) << 23; /* the least positive number */
    float value;
    if (f.bias == 127) { /* the high bits of a float32 */
        bits <<= 32 - f.bits;
    } else if (exponent == 0) {
        memcpy(&value, &last, sizeof value);
        value *= (float)mantissa;
        return sign ? -value : value;
    } else {
        exponent += exponent == special ? 255 - special : 127 - (uint32_t)f.bias;
        bits = sign << 31 | exponent << 23 | mantissa << (23 - f.mantissa);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
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

/* A whole number as a double that rounds to a half type as the number itself does: the bits that a
 * double has no room for become one sticky bit. */
static inline double whole_value(bool positive, uint64_t bits) {
    uint64_t magnitude = positive ? bits : 0 - bits;
    if (magnitude >> 53)
        magnitude = (magnitude & ~UINT64_C(0xfff)) | ((magnitude & 0xfff) != 0) << 11;
    return positive ? (double)magnitude : -(double)magnitude;
}

#endif
