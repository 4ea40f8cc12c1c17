/* float.c: PTX's operations on floats that do not round to nearest, flush subnormals, saturate, or
 * are approximate on a GPU; conversions.
 *
 * Approximate operations are computed by libm here: a GPU's results differ in the last bits. */
#include <fenv.h>
#include <math.h>
#include <string.h>
#include "half.h"
#include "sim.h"

static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* Values go through volatile objects, so that nothing is moved out of the rounding mode. */
struct operands32 {
    volatile float a, b, c, result;
};
struct operands64 {
    volatile double a, b, c, result;
};

#define EXACT(NAME, TYPE, FMA, SQRT)                                                               \
    static void NAME(enum float_op op, struct TYPE *v) {                                           \
        switch (op) {                                                                              \
        case FLOAT_ADD: v->result = v->a + v->b; break;                                            \
        case FLOAT_SUB: v->result = v->a - v->b; break;                                            \
        case FLOAT_MUL: v->result = v->a * v->b; break;                                            \
        case FLOAT_DIV: v->result = v->a / v->b; break;                                            \
        case FLOAT_FMA: v->result = FMA(v->a, v->b, v->c); break;                                  \
        case FLOAT_RCP: v->result = 1 / v->a; break;                                               \
        case FLOAT_SQRT: v->result = SQRT(v->a); break;                                            \
        default: v->result = v->a; break;                                                          \
        }                                                                                          \
    }

EXACT(exact32, operands32, fmaf, sqrtf)
EXACT(exact64, operands64, fma, sqrt)

static float to_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double to_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? 0x7fffffff : bits;
}

static uint64_t from_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t flush(uint64_t bits) {
    return bits & 0x7f800000 ? bits : bits & 0x80000000U;
}

/* ---- arithmetic */

/* Minimum and maximum.  A NaN is the result only where both are NaN, or under .NaN; -0 is less than
 * 0. */
static double extreme(enum float_op op, double a, double b) {
    bool max = op == FLOAT_MAX || op == FLOAT_MAX_NAN;
    if (isnan(a) || isnan(b)) {
        if (op == FLOAT_MAX_NAN || op == FLOAT_MIN_NAN)
            return NAN;
        return isnan(a) ? b : a;
    }
    if (a == b)
        return (signbit(a) != 0) == max ? b : a;
    return (a < b) == max ? b : a;
}

static float approximate(enum float_op op, float a) {
    switch (op) {
    case FLOAT_RSQRT: return (float)(1 / sqrt((double)a));
    case FLOAT_SIN: return sinf(a);
    case FLOAT_COS: return cosf(a);
    case FLOAT_EX2: return exp2f(a);
    case FLOAT_LG2: return log2f(a);
    case FLOAT_TANH: return tanhf(a);
    default: return a;
    }
}

static uint64_t float32(enum float_op op, unsigned aux, uint64_t a, uint64_t b, uint64_t c) {
    if (aux & FLOAT_FTZ) {
        a = flush(a);
        b = flush(b);
        c = flush(c);
    }
    float value;
    if (op <= FLOAT_SQRT) {
        struct operands32 v = {to_float(a), to_float(b), to_float(c), 0};
        unsigned rounding = aux >> FLOAT_ROUND_SHIFT & 3;
        if (rounding)
            fesetround(host_rounding[rounding]);
        exact32(op, &v);
        if (rounding)
            fesetround(FE_TONEAREST);
        value = v.result;
    } else if (op <= FLOAT_MAX_NAN) {
        value = (float)extreme(op, (double)to_float(a), (double)to_float(b));
    } else if (op == FLOAT_ABS || op == FLOAT_NEG) {
        value = to_float(op == FLOAT_ABS ? a & 0x7fffffffU : a ^ 0x80000000U);
    } else {
        value = approximate(op, to_float(a));
    }
    if (aux & FLOAT_SAT)
        value = value > 0 ? (value < 1 ? value : 1) : 0; /* NaN too becomes 0 */
    uint64_t bits = from_float(value);
    return aux & FLOAT_FTZ ? flush(bits) : bits;
}

/* 1 / value or 1 / sqrt(value), of the operand's high half only; gives the result's high half.
 * Subnormals are flushed. */
static double gross(double value, bool root) {
    uint64_t bits = from_double(value) & ~(uint64_t)UINT32_MAX;
    if (!(bits & UINT64_C(0x7ff) << 52))
        bits &= UINT64_C(1) << 63;
    value = to_double(bits);
    bits = from_double(root ? 1 / sqrt(value) : 1 / value);
    if (!(bits & UINT64_C(0x7ff) << 52))
        bits &= UINT64_C(1) << 63;
    return isnan(to_double(bits)) ? NAN : to_double(bits & ~(uint64_t)UINT32_MAX);
}

static uint64_t float64(enum float_op op, unsigned aux, uint64_t a, uint64_t b, uint64_t c) {
    struct operands64 v = {to_double(a), to_double(b), to_double(c), 0};
    unsigned rounding = aux >> FLOAT_ROUND_SHIFT & 3;
    switch (op) {
    case FLOAT_MIN:
    case FLOAT_MAX:
    case FLOAT_MIN_NAN:
    case FLOAT_MAX_NAN: return from_double(extreme(op, v.a, v.b));
    case FLOAT_RCP_GROSS: return from_double(gross(v.a, false));
    case FLOAT_RSQRT_GROSS: return from_double(aux & FLOAT_FTZ ? gross(v.a, true) : 1 / sqrt(v.a));
    default: break;
    }
    if (rounding)
        fesetround(host_rounding[rounding]);
    exact64(op, &v);
    if (rounding)
        fesetround(FE_TONEAREST);
    return from_double(v.result);
}

uint64_t sim_float(unsigned aux, uint64_t a, uint64_t b, uint64_t c) {
    enum float_op op = (enum float_op)(aux & FLOAT_OP);
    return aux & FLOAT_64 ? float64(op, aux, a, b, c) : float32(op, aux, a, b, c);
}

uint64_t sim_testp(unsigned aux, uint64_t a) {
    bool is64 = aux & TESTP_64;
    double v = is64 ? to_double(a) : (double)to_float(a);
    bool normal = isfinite(v) && fabs(v) >= (is64 ? 0x1p-1022 : 0x1p-126);
    switch (aux & 0xf) {
    case TESTP_FINITE: return isfinite(v) != 0;
    case TESTP_INFINITE: return isinf(v) != 0;
    case TESTP_NUMBER: return !isnan(v);
    case TESTP_NAN: return isnan(v) != 0;
    case TESTP_NORMAL: return normal;
    default: return isfinite(v) && v != 0 && !normal;
    }
}

/* ---- conversions */

static int bits_of(enum number_type t) {
    return t == N_F32 ? 32 : t == N_F64 ? 64 : 8 << (t / 2);
}

static bool has_sign(enum number_type t) {
    return t % 2 == 1;
}

static double rounded(double value, unsigned rounding) {
    switch (rounding) {
    case ROUND_ZERO: return trunc(value);
    case ROUND_DOWN: return floor(value);
    case ROUND_UP: return ceil(value);
    default: return rint(value);
    }
}

static uint64_t mask_to(uint64_t value, int bits) {
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* A value out of range becomes the nearest integer; NaN becomes 0, or, where either type has 64
 * bits, the top bit alone. */
static uint64_t float_to_integer(double value, bool from64, enum number_type to,
                                 unsigned rounding) {
    int bits = bits_of(to);
    if (isnan(value))
        return from64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    value = rounded(value, rounding);
    if (has_sign(to)) {
        double top = ldexp(1, bits - 1);
        int64_t i = value >= top    ? (int64_t)((UINT64_C(1) << (bits - 1)) - 1)
                    : value <= -top ? -(int64_t)((UINT64_C(1) << (bits - 1)) - 1) - 1
                                    : (int64_t)value;
        return (uint64_t)i;
    }
    if (value >= ldexp(1, bits))
        return mask_to(UINT64_MAX, bits);
    return value > 0 ? (uint64_t)value : 0;
}

static uint64_t integer_to_float(uint64_t a, enum number_type from, bool to64, unsigned rounding) {
    volatile int64_t i = (int64_t)a;
    volatile uint64_t u = a;
    volatile double d;
    volatile float f;
    if (rounding)
        fesetround(host_rounding[rounding]);
    if (to64)
        d = has_sign(from) ? (double)i : (double)u;
    else
        f = has_sign(from) ? (float)i : (float)u;
    if (rounding)
        fesetround(FE_TONEAREST);
    return to64 ? from_double(d) : from_float(f);
}

static uint64_t narrow(double value, unsigned rounding) {
    volatile double wide_value = value;
    volatile float result;
    if (rounding)
        fesetround(host_rounding[rounding]);
    result = (float)wide_value;
    if (rounding)
        fesetround(FE_TONEAREST);
    return from_float(result);
}

static uint64_t float_to_float(unsigned aux, enum number_type from, enum number_type to, double v) {
    unsigned rounding = aux >> CONVERT_ROUND_SHIFT & 3;
    bool saturated = false;
    if (aux & CONVERT_INTEGRAL)
        v = rounded(v, rounding);
    if (aux & CONVERT_SAT && !(v > 0 && v < 1)) {
        v = v >= 1 ? 1 : 0;
        saturated = true;
    }
    if (to == N_F64)
        return from_double(v);
    bool exact = from == N_F32 || saturated;
    uint64_t bits = exact ? from_float((float)v) : narrow(v, rounding);
    return aux & CONVERT_FTZ ? flush(bits) : bits;
}

uint64_t sim_from_half(uint64_t a) {
    return from_float(of_format((uint32_t)a & 0xffff, format_of(DT_FLOAT16)));
}

uint64_t sim_to_half(uint64_t a) {
    float value = to_float(a);
    return isnan(value) ? 0x7fff : to_format((double)value, format_of(DT_FLOAT16));
}

/* cvt.sat between integers. */
static uint64_t saturate(uint64_t a, enum number_type from, enum number_type to) {
    wide value = has_sign(from) ? (wide)(int64_t)a : (wide)a;
    int bits = bits_of(to);
    wide low = has_sign(to) ? -((wide)1 << (bits - 1)) : 0;
    wide high = ((wide)1 << (bits - has_sign(to))) - 1;
    return (uint64_t)(value < low ? low : value > high ? high : value);
}

uint64_t sim_convert(unsigned aux, uint64_t a) {
    enum number_type from = (enum number_type)(aux & 0xf);
    enum number_type to = (enum number_type)(aux >> CONVERT_TO_SHIFT & 0xf);
    unsigned rounding = aux >> CONVERT_ROUND_SHIFT & 3;
    int reg = 16 << (aux >> CONVERT_EXTEND_SHIFT & 3);
    uint64_t result;
    if (from >= N_F32) {
        if (from == N_F32 && aux & CONVERT_FTZ)
            a = flush(a);
        double v = from == N_F64 ? to_double(a) : (double)to_float(a);
        if (to >= N_F32)
            return float_to_float(aux, from, to, v);
        result = float_to_integer(v, from == N_F64, to, rounding);
    } else {
        a = mask_to(a, bits_of(from));
        if (has_sign(from))
            a = (uint64_t)((int64_t)(a << (64 - bits_of(from))) >> (64 - bits_of(from)));
        if (to >= N_F32)
            return integer_to_float(a, from, to == N_F64, rounding);
        result = saturate(a, from, to);
    }
    return mask_to(result, has_sign(to) ? reg : bits_of(to));
}
