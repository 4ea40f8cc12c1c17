/* half.h: float16 and bfloat16 from and to double, rounded once, ties to even. */
#ifndef UFC_HALF_H
#define UFC_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bits of a 16-bit format with `mantissa` stored bits and the exponent bias `bias`. */
static inline uint16_t to_format(double value, int mantissa, int bias) {
    uint64_t bits, infinity = (uint64_t)(2 * bias + 1) << mantissa;
    memcpy(&bits, &value, sizeof bits);
    uint64_t sign = bits >> 63 << 15, magnitude = bits & INT64_MAX;
    if (magnitude > UINT64_C(0x7ff) << 52)
        return (uint16_t)(sign | infinity | UINT64_C(1) << (mantissa - 1)); /* NaN */
    int exponent = (int)(magnitude >> 52) - 1023 + bias; /* of a subnormal double: far too small */
    uint64_t full = (magnitude & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int shift = 52 - mantissa;
    if (exponent < 1) { /* a subnormal number of the format */
        shift = shift + 1 - exponent > 60 ? 60 : shift + 1 - exponent;
        exponent = 1;
    }
    uint64_t rest = full & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    uint64_t r = full >> shift;
    r += rest > half || (rest == half && (r & 1));
    r += (uint64_t)(exponent - 1) << mantissa; /* r has the leading bit, which counts as one more */
    return (uint16_t)(sign | (r < infinity ? r : infinity));
}

static inline uint16_t to_half(double value) {
    return to_format(value, 10, 15);
}

static inline uint16_t to_bfloat(double value) {
    return to_format(value, 7, 127);
}

static inline float half_value(uint16_t h) {
    uint32_t exponent = h >> 10 & 31, mantissa = h & 1023, bits;
    float value;
    if (exponent == 0) {
        value = (float)mantissa * 0x1p-24f;
        return h >> 15 ? -value : value;
    }
    exponent += exponent == 31 ? 255 - 31 : 127 - 15;
    bits = (uint32_t)(h >> 15) << 31 | exponent << 23 | mantissa << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float bfloat_value(uint16_t h) {
    uint32_t bits = (uint32_t)h << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A whole number as a double that rounds to a 16-bit format as it does itself: bits that a double
 * loses stay as one sticky bit. */
static inline double whole_value(bool positive, uint64_t bits) {
    uint64_t magnitude = positive ? bits : 0 - bits;
    if (magnitude >> 53)
        magnitude = (magnitude & ~UINT64_C(0xfff)) | ((magnitude & 0xfff) != 0) << 11;
    return positive ? (double)magnitude : -(double)magnitude;
}

#endif
