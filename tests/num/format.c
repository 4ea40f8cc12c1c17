/* format.c: the floating types, and errors counted in their last places. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "num.h"

const struct format formats[FORMATS] = {
    {"float16", "f2", UFC_FLOAT16, false, 16, 11, 15},
    {"bfloat16", "bf2", UFC_BFLOAT16, false, 16, 8, 127},
    {"float32", "f4", UFC_FLOAT32, false, 32, 24, 127},
    {"float64", "f8", UFC_FLOAT64, false, 64, 53, 1023},
    {"complex64", "c8", UFC_COMPLEX64, true, 32, 24, 127},
    {"complex128", "c16", UFC_COMPLEX128, true, 64, 53, 1023},
};

const struct format *format_named(const char *name) {
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0 || strcmp(formats[i].brief, name) == 0)
            return &formats[i];
    return NULL;
}

long double from_bits(const struct format *f, uint64_t bits) {
    int mantissa = f->precision - 1;
    uint64_t fraction = bits & ((UINT64_C(1) << mantissa) - 1);
    int exponent = (int)(bits >> mantissa) & (2 * f->emax + 1);
    long double v;
    if (exponent == 2 * f->emax + 1)
        v = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        v = ldexpl((long double)fraction, 1 - f->emax - mantissa);
    else
        v = ldexpl((long double)(fraction | UINT64_C(1) << mantissa),
                   exponent - f->emax - mantissa);
    return bits >> (f->bits - 1) & 1 ? -v : v;
}

/* The exponent of a number's last place. */
static int last_place(const struct format *f, long double value) {
    int e;
    frexpl(value, &e);
    e = e - 1 < 1 - f->emax ? 1 - f->emax : e - 1 > f->emax ? f->emax : e - 1;
    return e - f->precision + 1;
}

/* The least number that rounds to infinity. */
static long double overflow(const struct format *f) {
    return ldexpl(2 - ldexpl(1, -f->precision), f->emax);
}

long double rounded(const struct format *f, long double value) {
    if (value == 0 || !isfinite(value))
        return value;
    if (fabsl(value) >= overflow(f))
        return copysignl(INFINITY, value);
    int unit = last_place(f, value);
    return copysignl(ldexpl(rintl(ldexpl(value, -unit)), unit), value);
}

uint64_t to_bits(const struct format *f, long double value) {
    int mantissa = f->precision - 1, e;
    uint64_t sign = (uint64_t)(signbit(value) != 0) << (f->bits - 1);
    uint64_t infinity = (uint64_t)(2 * f->emax + 1) << mantissa;
    if (isnan(value))
        return sign | infinity | UINT64_C(1) << (mantissa - 1);
    value = fabsl(rounded(f, value));
    if (value == 0 || isinf(value))
        return sign | (value == 0 ? 0 : infinity);
    frexpl(value, &e);
    if (e - 1 < 1 - f->emax)
        return sign | (uint64_t)ldexpl(value, mantissa - 1 + f->emax);
    uint64_t fraction = (uint64_t)ldexpl(value, mantissa - e + 1) - (UINT64_C(1) << mantissa);
    return sign | (uint64_t)(e - 1 + f->emax) << mantissa | fraction;
}

long double decode(const struct format *f, const void *data, int64_t i) {
    switch (f->bits) {
    case 16: return from_bits(f, ((const uint16_t *)data)[i]);
    case 32: return (long double)((const float *)data)[i];
    default: return (long double)((const double *)data)[i];
    }
}

void encode(const struct format *f, void *data, int64_t i, long double value) {
    switch (f->bits) {
    case 16: ((uint16_t *)data)[i] = (uint16_t)to_bits(f, value); break;
    case 32: ((float *)data)[i] = (float)value; break;
    default: ((double *)data)[i] = (double)value;
    }
}

/* What overflows, as the next power of two. */
static long double limited(const struct format *f, long double v) {
    long double most = ldexpl(1, f->emax + 1);
    return fabsl(v) > most ? copysignl(most, v) : v;
}

/* Nothing to measure: the result is as it must be, or not. */
static bool must_be_equal(long double exact) {
    return exact == 0 || !isfinite(exact);
}

static bool equal(long double a, long double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && !signbit(a) == !signbit(b);
}

double ulps(const struct format *f, long double got, long double exact, bool absolute) {
    if (isnan(got) || must_be_equal(exact)) {
        if (!absolute || exact != 0 || !isfinite(got))
            return equal(got, exact) ? 0 : HUGE_VAL;
    } else if (!absolute && got == 0 && signbit(got) != signbit(exact)) {
        return HUGE_VAL;
    }
    if (isinf(got) && isfinite(exact) && fabsl(exact) >= overflow(f))
        return signbit(got) == signbit(exact) ? 0 : HUGE_VAL;
    long double size = absolute && fabsl(exact) < 1 ? 1 : exact;
    long double error = fabsl(limited(f, got) - limited(f, exact));
    return (double)ldexpl(error, -last_place(f, size));
}

double epsilons(const struct format *f, const long double *got, const long double *exact) {
    long double difference[2], size[2];
    for (int i = 0; i < 2; i++) {
        long double g = got[i], e = exact[i];
        if (isnan(exact[1 - i])) { /* Annex G leaves most signs beside a NaN open */
            g = fabsl(g);
            e = fabsl(e);
        }
        if (isnan(e) || isinf(e) || isnan(g)) {
            if (!equal(g, e))
                return HUGE_VAL;
            g = e = 0;
        }
        if (e == 0 && g == 0 && signbit(g) != signbit(e))
            return HUGE_VAL;
        if (isinf(g) && fabsl(e) >= overflow(f) && signbit(g) == signbit(e))
            g = e;
        size[i] = limited(f, e);
        difference[i] = limited(f, g) - size[i];
    }
    long double unit = ldexpl(hypotl(size[0], size[1]), 1 - f->precision);
    long double least = ldexpl(1, 2 - f->emax - f->precision);
    return (double)(hypotl(difference[0], difference[1]) / (unit > least ? unit : least));
}
