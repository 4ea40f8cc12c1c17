/* builtin.c: calls of built-in functions, and IR for those that targets' libraries lack. */
#include <math.h>

#include "body.h"

/* ---- floats and their bits */

static LLVMValueRef to_bits(struct gen *g, enum ufc_dtype d, LLVMValueRef x) {
    return LLVMBuildBitCast(g->b, x, gen_int_type(g, dtype_info[d].bits), "");
}

static LLVMValueRef from_bits(struct gen *g, enum ufc_dtype d, LLVMValueRef x) {
    return LLVMBuildBitCast(g->b, x, gen_type(g, d), "");
}

/* An integer constant as wide as d. */
static LLVMValueRef word(struct gen *g, enum ufc_dtype d, int64_t v) {
    return gen_int(g, d == DT_FLOAT32 ? DT_INT32 : DT_INT64, v);
}

static LLVMValueRef magnitude(struct gen *g, LLVMValueRef x) {
    return gen_intrinsic(g, "fabs", NULL, &x, 1);
}

/* |x| with the sign of `of`. */
static LLVMValueRef with_sign(struct gen *g, LLVMValueRef x, LLVMValueRef of) {
    LLVMValueRef args[] = {x, of};
    return gen_intrinsic(g, "copysign", NULL, args, 2);
}

static LLVMValueRef compare(struct gen *g, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFCmp(g->b, p, a, b, "");
}

static LLVMValueRef is_nan(struct gen *g, LLVMValueRef x) {
    return compare(g, LLVMRealUNO, x, x);
}

/* ---- numbers */

/* min and max give a NaN if an argument is one; fmin and fmax then give the other argument. */
static LLVMValueRef gen_extreme(struct gen *g, int id, enum ufc_dtype d, LLVMValueRef a,
                                LLVMValueRef b) {
    bool least = id == B_MIN || id == B_FMIN;
    LLVMValueRef first = gen_op(g, least ? OP_LE : OP_GE, d, a, b);
    if (is_float(d)) {
        LLVMValueRef nan = is_nan(g, id == B_MIN || id == B_MAX ? a : b);
        bool xors = g->target->one_select && (id == B_MIN || id == B_MAX); /* not both hold */
        first = (xors ? LLVMBuildXor : LLVMBuildOr)(g->b, first, nan, "");
    }
    return gen_select(g, first, a, b);
}

static LLVMValueRef gen_sign(struct gen *g, enum ufc_dtype d, LLVMValueRef x) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(x));
    if (!is_float(d)) {
        LLVMValueRef less = gen_op(g, OP_LT, d, x, zero), more = gen_op(g, OP_GT, d, x, zero);
        LLVMValueRef r = gen_select(g, less, gen_int(g, d, -1), zero);
        return gen_select(g, more, gen_int(g, d, 1), r);
    }
    /* of a NaN or a zero, the magnitude is the result */
    LLVMValueRef size = magnitude(g, x), one = with_sign(g, gen_float(g, d, 1), x);
    return gen_select(g, gen_op(g, OP_GT, d, size, zero), one, size);
}

static LLVMValueRef gen_abs(struct gen *g, enum ufc_dtype d, LLVMValueRef x) {
    if (is_float(d))
        return magnitude(g, x);
    if (!is_signed(d))
        return x;
    LLVMValueRef negative = gen_op(g, OP_LT, d, x, LLVMConstNull(LLVMTypeOf(x)));
    return gen_select(g, negative, gen_op(g, OP_NEG, d, x, NULL), x);
}

static LLVMValueRef gen_heaviside(struct gen *g, enum ufc_dtype d, LLVMValueRef x, LLVMValueRef h) {
    LLVMValueRef zero = gen_float(g, d, 0), one = gen_float(g, d, 1);
    LLVMValueRef r = gen_select(g, compare(g, LLVMRealOLT, x, zero), zero, one);
    r = gen_select(g, compare(g, LLVMRealOEQ, x, zero), h, r);
    return gen_select(g, is_nan(g, x), x, r);
}

/* Results as C's modf: the fraction (0), the whole part (1). */
static LLVMValueRef gen_modf(struct gen *g, enum ufc_dtype d, int result, LLVMValueRef x) {
    LLVMValueRef whole = gen_intrinsic(g, "trunc", NULL, &x, 1);
    if (result == 1)
        return whole;
    LLVMValueRef infinite = compare(g, LLVMRealOEQ, magnitude(g, x), gen_float(g, d, INFINITY));
    LLVMValueRef fraction =
        gen_select(g, infinite, gen_float(g, d, 0), LLVMBuildFSub(g->b, x, whole, ""));
    return with_sign(g, fraction, x);
}

/* Results as C's frexp: the mantissa in [1/2, 1) (0), the exponent (1). */
static LLVMValueRef gen_frexp(struct gen *g, enum ufc_dtype d, int result, LLVMValueRef x) {
    struct float_format f = format_of(d);
    int64_t exponents = 2 * f.bias + 1;
    LLVMValueRef a = magnitude(g, x), zero = gen_float(g, d, 0);
    LLVMValueRef plain = LLVMBuildOr(g->b, compare(g, LLVMRealOEQ, a, zero),
                                     compare(g, LLVMRealUEQ, a, gen_float(g, d, INFINITY)), "");
    LLVMValueRef tiny = compare(g, LLVMRealOLT, a, gen_float(g, d, ldexp(1, 1 - f.bias)));
    LLVMValueRef grown = LLVMBuildFMul(g->b, x, gen_float(g, d, ldexp(1, f.mantissa + 1)), "");
    LLVMValueRef bits = to_bits(g, d, gen_select(g, tiny, grown, x));
    if (result == 0) {
        bits = LLVMBuildAnd(g->b, bits, word(g, d, ~(exponents << f.mantissa)), "");
        bits = LLVMBuildOr(g->b, bits, word(g, d, (int64_t)(f.bias - 1) << f.mantissa), "");
        return gen_select(g, plain, x, from_bits(g, d, bits));
    }
    LLVMValueRef e = LLVMBuildLShr(g->b, bits, word(g, d, f.mantissa), "");
    e = LLVMBuildAnd(g->b, e, word(g, d, exponents), "");
    e = LLVMBuildIntCast2(g->b, e, gen_type(g, DT_INT32), false, "");
    LLVMValueRef bias = gen_select(g, tiny, gen_int(g, DT_INT32, f.bias + f.mantissa),
                                   gen_int(g, DT_INT32, f.bias - 1));
    return gen_select(g, plain, gen_int(g, DT_INT32, 0), LLVMBuildSub(g->b, e, bias, ""));
}

/* x * 2**n, rounded once: scaled in three steps, of which only the last may round. */
static LLVMValueRef gen_ldexp(struct gen *g, enum ufc_dtype d, LLVMValueRef x, LLVMValueRef n) {
    struct float_format f = format_of(d);
    int most = f.bias, least = 1 - f.bias, step = least + f.mantissa + 1;
    LLVMValueRef high = gen_int(g, DT_INT32, most), low = gen_int(g, DT_INT32, least);
    LLVMValueRef zero = gen_int(g, DT_INT32, 0), one = gen_float(g, d, 1);
    for (int i = 0; i < 2; i++) {
        LLVMValueRef up = LLVMBuildICmp(g->b, LLVMIntSGT, n, high, "");
        LLVMValueRef down = LLVMBuildICmp(g->b, LLVMIntSLT, n, low, "");
        LLVMValueRef factor = gen_select(g, down, gen_float(g, d, ldexp(1, step)), one);
        factor = gen_select(g, up, gen_float(g, d, ldexp(1, most)), factor);
        x = LLVMBuildFMul(g->b, x, factor, "");
        LLVMValueRef done = gen_select(g, down, gen_int(g, DT_INT32, step), zero);
        n = LLVMBuildSub(g->b, n, gen_select(g, up, high, done), "");
    }
    n = gen_extreme(g, B_MIN, DT_INT32, gen_extreme(g, B_MAX, DT_INT32, n, low), high);
    n = LLVMBuildAdd(g->b, n, gen_int(g, DT_INT32, f.bias), "");
    n = LLVMBuildIntCast2(g->b, n, gen_int_type(g, f.bits), true, "");
    n = LLVMBuildShl(g->b, n, word(g, d, f.mantissa), "");
    return LLVMBuildFMul(g->b, x, from_bits(g, d, n), "");
}

static LLVMValueRef gen_nextafter(struct gen *g, enum ufc_dtype d, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef zero = gen_float(g, d, 0), bits = to_bits(g, d, x);
    LLVMValueRef up = compare(g, LLVMRealOLT, x, y), positive = compare(g, LLVMRealOGT, x, zero);
    LLVMValueRef apart = LLVMBuildXor(g->b, up, positive, "");
    bits = LLVMBuildAdd(g->b, bits, gen_select(g, apart, word(g, d, -1), word(g, d, 1)), "");
    LLVMValueRef r = from_bits(g, d, bits);
    LLVMValueRef smallest = with_sign(g, from_bits(g, d, word(g, d, 1)), y);
    r = gen_select(g, compare(g, LLVMRealOEQ, x, zero), smallest, r);
    r = gen_select(g, compare(g, LLVMRealOEQ, x, y), y, r);
    return gen_select(g, compare(g, LLVMRealUNO, x, y), LLVMBuildFAdd(g->b, x, y, ""), r);
}

/* The sum of c[i] * x**i, by Horner's rule. */
static LLVMValueRef gen_polynomial(struct gen *g, enum ufc_dtype d, LLVMValueRef x, const double *c,
                                   int n) {
    LLVMValueRef sum = gen_float(g, d, c[n - 1]);
    for (int i = n - 1; i-- > 0;) {
        LLVMValueRef args[] = {sum, x, gen_float(g, d, c[i])};
        sum = gen_add_product(g, args);
    }
    return sum;
}

/* sin and cos of an angle of at most pi/4, with the polynomials of Cephes (float32) and of fdlibm;
 * errors are below 0.8 units in the last place, with that of the angle 2. */
static void gen_near_zero(struct gen *g, enum ufc_dtype d, LLVMValueRef angle, LLVMValueRef *sine,
                          LLVMValueRef *cosine) {
    static const double sine32[] = {-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4},
                        cosine32[] = {1, -.5, 4.166664568298827e-2, -1.388731625493765e-3,
                                      2.443315711809948e-5},
                        sine64[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                    -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                    -2.50507602534068634195e-08, 1.58969099521155010221e-10},
                        cosine64[] = {1,
                                      -.5,
                                      4.16666666666666019037e-02,
                                      -1.38888888888741095749e-03,
                                      2.48015872894767294178e-05,
                                      -2.75573143513906633035e-07,
                                      2.08757232129817482790e-09,
                                      -1.13596475577881948265e-11};
    bool single = d == DT_FLOAT32;
    LLVMValueRef square = LLVMBuildFMul(g->b, angle, angle, "");
    LLVMValueRef rest = gen_polynomial(g, d, square, single ? sine32 : sine64, single ? 3 : 6);
    LLVMValueRef args[] = {rest, LLVMBuildFMul(g->b, square, angle, ""), angle};
    *sine = gen_add_product(g, args);
    *cosine = gen_polynomial(g, d, square, single ? cosine32 : cosine64, single ? 5 : 8);
}

/* a - b * c, which is exact. */
static LLVMValueRef gen_less(struct gen *g, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b,
                             double c) {
    LLVMValueRef args[] = {b, gen_float(g, d, -c), a};
    return gen_add_product(g, args);
}

/* sin and cos of pi x.  x less an even number is n/2 + r exactly, with |r| <= 1/4; n, of -2 … 2,
 * chooses sin or cos of pi r, and the sign.  It is rounded by a sum that leaves it in the lowest
 * bits.  What does not depend on `cosine` LLVM computes once for both. */
static LLVMValueRef gen_sincospi(struct gen *g, bool cosine, enum ufc_dtype d, LLVMValueRef x) {
    struct float_format f = format_of(d);
    LLVMValueRef zero = gen_float(g, d, 0), none = word(g, d, 0), s, c;
    double whole = ldexp(1.5, f.mantissa);
    LLVMValueRef turns = LLVMBuildFMul(g->b, x, gen_float(g, d, 0.5), "");
    turns = gen_intrinsic(g, "rint", NULL, &turns, 1);
    LLVMValueRef r = gen_less(g, d, x, turns, 2);
    LLVMValueRef sum = gen_less(g, d, gen_float(g, d, whole), r, -2);
    r = gen_less(g, d, r, LLVMBuildFSub(g->b, sum, gen_float(g, d, whole), ""), 0.5);
    gen_near_zero(g, d, LLVMBuildFMul(g->b, r, gen_float(g, d, M_PI), ""), &s, &c);
    LLVMValueRef n = to_bits(g, d, sum), low = LLVMBuildAnd(g->b, n, word(g, d, 1), "");
    LLVMValueRef odd = LLVMBuildICmp(g->b, LLVMIntNE, low, none, "");
    LLVMValueRef v = gen_select(g, odd, cosine ? s : c, cosine ? c : s);
    LLVMValueRef minus = cosine ? LLVMBuildAdd(g->b, n, word(g, d, 1), "") : n;
    minus = LLVMBuildAnd(g->b, minus, word(g, d, 2), "");
    minus = LLVMBuildShl(g->b, minus, word(g, d, f.bits - 2), "");
    v = from_bits(g, d, LLVMBuildXor(g->b, to_bits(g, d, v), minus, ""));
    if (cosine)
        return LLVMBuildFAdd(g->b, v, zero, ""); /* zeros are positive */
    return gen_select(g, compare(g, LLVMRealOEQ, v, zero), with_sign(g, zero, x), v);
}

/* ---- integers */

static LLVMValueRef gen_gcd(struct gen *g, enum ufc_dtype u, LLVMValueRef a, LLVMValueRef b) {
    struct loop l;
    LLVMValueRef state[] = {a, b}, zero = gen_int(g, u, 0);
    loop_begin(g, &l, 2, state);
    LLVMValueRef going = gen_op(g, OP_NE, u, l.phi[1], zero);
    loop_while(g, &l, going);
    LLVMValueRef next[] = {gen_select(g, going, l.phi[1], l.phi[0]),
                           gen_op(g, OP_MOD, u, l.phi[0], l.phi[1])};
    loop_end(g, &l, next);
    return l.phi[0];
}

static LLVMValueRef gen_gcd_lcm(struct gen *g, int id, enum ufc_dtype d, LLVMValueRef *args) {
    enum ufc_dtype u = unsigned_dtype(d);
    LLVMValueRef a = gen_abs(g, d, args[0]), b = gen_abs(g, d, args[1]);
    LLVMValueRef divisor = gen_gcd(g, u, a, b);
    if (id == B_GCD)
        return divisor;
    return gen_op(g, OP_MUL, u, gen_op(g, OP_FLOORDIV, u, a, divisor), b); /* 0 // 0 is 0 */
}

/* The remainder with a's sign, as C's %. */
static LLVMValueRef gen_int_fmod(struct gen *g, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b) {
    if (!is_signed(d))
        return gen_op(g, OP_MOD, d, a, b);
    enum ufc_dtype u = unsigned_dtype(d);
    LLVMValueRef r = gen_op(g, OP_MOD, u, gen_abs(g, d, a), gen_abs(g, d, b));
    LLVMValueRef negative = gen_op(g, OP_LT, d, a, gen_int(g, d, 0));
    return gen_select(g, negative, LLVMBuildNeg(g->b, r, ""), r);
}

static LLVMValueRef gen_bits(struct gen *g, int id, LLVMValueRef x) {
    LLVMValueRef args[] = {x, LLVMConstNull(LLVMInt1TypeInContext(g->context))};
    return id == B_POPCOUNT ? gen_intrinsic(g, "ctpop", NULL, args, 1)
                            : gen_intrinsic(g, id == B_CLZ ? "ctlz" : "cttz", NULL, args, 2);
}

/* The high half of a product of 64-bit integers, by their halves: vectors have no wider type. */
static LLVMValueRef gen_mulhi_parts(struct gen *g, enum ufc_dtype d, LLVMValueRef a,
                                    LLVMValueRef b) {
    LLVMValueRef low = gen_int(g, DT_UINT64, UINT32_MAX), by = gen_int(g, DT_UINT64, 32);
    LLVMValueRef al = LLVMBuildAnd(g->b, a, low, ""), ah = LLVMBuildLShr(g->b, a, by, "");
    LLVMValueRef bl = LLVMBuildAnd(g->b, b, low, ""), bh = LLVMBuildLShr(g->b, b, by, "");
    LLVMValueRef first = LLVMBuildLShr(g->b, LLVMBuildMul(g->b, al, bl, ""), by, "");
    LLVMValueRef middle = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, ah, bl, ""), first, "");
    LLVMValueRef other =
        LLVMBuildAdd(g->b, LLVMBuildMul(g->b, al, bh, ""), LLVMBuildAnd(g->b, middle, low, ""), "");
    LLVMValueRef high =
        LLVMBuildAdd(g->b, LLVMBuildMul(g->b, ah, bh, ""), LLVMBuildLShr(g->b, middle, by, ""), "");
    high = LLVMBuildAdd(g->b, high, LLVMBuildLShr(g->b, other, by, ""), "");
    if (!is_signed(d))
        return high;
    LLVMValueRef sign = gen_int(g, DT_INT64, 63);
    high =
        LLVMBuildSub(g->b, high, LLVMBuildAnd(g->b, LLVMBuildAShr(g->b, a, sign, ""), b, ""), "");
    return LLVMBuildSub(g->b, high, LLVMBuildAnd(g->b, LLVMBuildAShr(g->b, b, sign, ""), a, ""),
                        "");
}

/* The high half of the product. */
static LLVMValueRef gen_mulhi(struct gen *g, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b) {
    int bits = dtype_info[d].bits;
    if (bits == 64 && g->lanes > 1)
        return gen_mulhi_parts(g, d, a, b);
    LLVMTypeRef wide = gen_int_type(g, 2 * bits);
    LLVMValueRef product = LLVMBuildMul(g->b, LLVMBuildIntCast2(g->b, a, wide, is_signed(d), ""),
                                        LLVMBuildIntCast2(g->b, b, wide, is_signed(d), ""), "");
    LLVMValueRef by = LLVMBuildIntCast2(g->b, gen_int(g, d, bits), wide, false, "");
    return LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, product, by, ""), gen_type(g, d), "");
}

/* Built-in functions of integers and bool. */
static LLVMValueRef gen_int_builtin(struct gen *g, int id, enum ufc_dtype d, LLVMValueRef *args) {
    switch (id) {
    case B_POPCOUNT:
    case B_CTZ:
    case B_CLZ: return gen_bits(g, id, args[0]);
    case B_MULHI: return gen_mulhi(g, d, args[0], args[1]);
    case B_GCD:
    case B_LCM: return gen_gcd_lcm(g, id, d, args);
    case B_POW: return gen_op(g, OP_POW, d, args[0], args[1]);
    case B_FMOD: return gen_int_fmod(g, d, args[0], args[1]);
    case B_SQUARE: return gen_op(g, OP_MUL, d, args[0], args[0]);
    case B_ABS: return gen_abs(g, d, args[0]);
    case B_SIGN: return d == DT_BOOL ? args[0] : gen_sign(g, d, args[0]);
    case B_MIN:
    case B_MAX:
    case B_FMIN:
    case B_FMAX: return gen_extreme(g, id, d, args[0], args[1]);
    case B_CLIP:
        return gen_extreme(g, B_MIN, d, gen_extreme(g, B_MAX, d, args[0], args[1]), args[2]);
    default: return args[0]; /* floor, ceil, trunc, round */
    }
}

/* ---- all functions */

/* A function of floats that no library and no intrinsic computes. */
static LLVMValueRef gen_written(struct gen *g, int id, int result, enum ufc_dtype d,
                                LLVMValueRef *args) {
    LLVMValueRef x = args[0], y = args[1], zero = gen_float(g, d, 0);
    switch (id) {
    case B_SINPI: return gen_sincospi(g, false, d, x);
    case B_COSPI: return gen_sincospi(g, true, d, x);
    case B_DEG2RAD: return LLVMBuildFMul(g->b, x, gen_float(g, d, M_PI / 180), "");
    case B_RAD2DEG: return LLVMBuildFMul(g->b, x, gen_float(g, d, 180 / M_PI), "");
    case B_RSQRT: return gen_divide(g, d, gen_float(g, d, 1), gen_sqrt(g, d, x));
    case B_SQUARE: return LLVMBuildFMul(g->b, x, x, "");
    case B_RECIPROCAL: return gen_divide(g, d, gen_float(g, d, 1), x);
    case B_MODF: return gen_modf(g, d, result, x);
    case B_FREXP: return gen_frexp(g, d, result, x);
    case B_LDEXP: return gen_ldexp(g, d, x, y);
    case B_NEXTAFTER: return gen_nextafter(g, d, x, y);
    case B_SIGN: return gen_sign(g, d, x);
    case B_SIGNBIT:
        x = to_bits(g, d, x);
        return LLVMBuildICmp(g->b, LLVMIntSLT, x, LLVMConstNull(LLVMTypeOf(x)), "");
    case B_ISNAN: return is_nan(g, x);
    case B_ISINF: return compare(g, LLVMRealOEQ, magnitude(g, x), gen_float(g, d, INFINITY));
    case B_ISFINITE: return compare(g, LLVMRealOLT, magnitude(g, x), gen_float(g, d, INFINITY));
    case B_CLIP: return gen_extreme(g, B_MIN, d, gen_extreme(g, B_MAX, d, x, y), args[2]);
    case B_FDIM:
        return gen_select(g, compare(g, LLVMRealOLE, x, y), zero, LLVMBuildFSub(g->b, x, y, ""));
    case B_HEAVISIDE: return gen_heaviside(g, d, x, y);
    default: return gen_extreme(g, id, d, x, y); /* min, max, fmin, fmax */
    }
}

LLVMValueRef gen_builtin(struct gen *g, const struct builtin *f, int result, enum ufc_dtype d,
                         LLVMTypeRef type, LLVMValueRef *args) {
    if (f->rule == RULE_BITS)
        return LLVMBuildBitCast(g->b, args[0], type, "");
    if (!is_float(d))
        return gen_int_builtin(g, f->id, d, args);
    if (f->id == B_SQRT)
        return gen_sqrt(g, d, args[0]);
    if (f->impl == IMPL_LLVM)
        return gen_intrinsic(g, f->device, NULL, args, f->nargs);
    LLVMValueRef v = f->impl == IMPL_LIB ? g->target->library(g, f, d, type, args) : NULL;
    return v != NULL ? v : gen_written(g, f->id, result, d, args);
}
