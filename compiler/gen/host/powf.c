/* powf.c: pow of 16 float32 with AVX-512, in half the time of libmvec's; within 2.5 units in
 * the last place, within 1 where |y log2 x| < 16.
 *
 * x = 2**e m with m in [3/4, 3/2).  For each value of the leading 5 bits of m's fraction a table
 * has -log2 c and c, a number near 1/m of so few bits that r = c m - 1 is exact (Tang, 1990).  The
 * logarithm log2 x = e - log2 c + log2(1 + r) is a sum of two float32.  Times y it is n + f, with n
 * a whole number; x**y is 2**f, a polynomial, scaled by 2**n.  The polynomials are of Sollya's
 * fpminimax (Brisebarre and Chevillard, 2007).
 *
 * AVX-512's instructions for exponent and mantissa are right for subnormal numbers, and give the
 * logarithms of 0 and infinity; its scaling overflows and underflows as float32 does. */
#include <float.h>
#include <math.h>

#include "host.h"

enum { LANES = 16, ENTRIES = 32 };

/* Tables by the leading 5 bits of m's fraction: c; -log2 c rounded to 15 fractional bits, so that e
 * is added exactly; the rest of -log2 c.  For m next to 1, c is 1. */
/* clang-format off */
static const double table_c[ENTRIES] = {
    0x1p0,     0x1.e8p-1, 0x1.d8p-1, 0x1.dp-1,  0x1.cp-1,  0x1.b4p-1, 0x1.a8p-1, 0x1.ap-1,
    0x1.94p-1, 0x1.8cp-1, 0x1.8p-1,  0x1.78p-1, 0x1.7p-1,  0x1.68p-1, 0x1.6p-1,  0x1.58p-1,
    0x1.5p0,   0x1.4cp0,  0x1.44p0,  0x1.4p0,   0x1.38p0,  0x1.34p0,  0x1.2cp0,  0x1.28p0,
    0x1.2p0,   0x1.1cp0,  0x1.18p0,  0x1.14p0,  0x1.1p0,   0x1.0cp0,  0x1.08p0,  0x1p0,
};
static const double table_log[ENTRIES] = {
    0,            0x1.1bcp-4,   0x1.e0cp-4,   0x1.22ep-3,
    0x1.8a9p-3,   0x1.dacp-3,   0x1.16ap-2,   0x1.32cp-2,
    0x1.5ep-2,    0x1.7b88p-2,  0x1.a9p-2,    0x1.c818p-2,
    0x1.e7ep-2,   0x1.042cp-1,  0x1.14c4p-1,  0x1.25cp-1,
    -0x1.91b8p-2, -0x1.8008p-2, -0x1.5cp-2,   -0x1.49a8p-2,
    -0x1.244p-2,  -0x1.113p-2,  -0x1.d4ap-3,  -0x1.acfp-3,
    -0x1.5cp-3,   -0x1.32bp-3,  -0x1.08cp-3,  -0x1.bc8p-4,
    -0x1.664p-4,  -0x1.0ecp-4,  -0x1.6bcp-5,  0,
};
static const double table_rest[ENTRIES] = {
    0,               -0x1.9ab4p-17,   -0x1.ca2e1ap-17, -0x1.48f554p-17,
    -0x1.9fd502p-17, 0x1.169f22p-18,  -0x1.fd64ep-17,  -0x1.1c8f12p-22,
    -0x1.18708ap-17, 0x1.f02cf2p-18,  -0x1.a39fbep-20, 0x1.dc2d46p-18,
    -0x1.40358ep-19, -0x1.5a32c2p-20, 0x1.60fe68p-17,  0x1.408c78p-18,
    -0x1.d448f8p-17, -0x1.2b18bp-17,  -0x1.a39fbep-18, 0x1.ed0cbap-20,
    -0x1.eac382p-20, -0x1.f6b4c2p-20, 0x1.1b3cdap-19,  -0x1.78b6d4p-17,
    -0x1.a39fbep-19, 0x1.61d876p-19,  -0x1.62336ap-17, -0x1.0902b6p-18,
    0x1.20a6dep-21,  0x1.8ec0bap-17,  0x1.2c8a72p-17,  0,
};
/* clang-format on */
/* Polynomials, from the constant term on.  log_terms: (log2(1 + r) / r - LOG2E) / r for |r| < 1/32,
 * relative error 2**-24.  exp_terms: 2**r for |r| < 0.53, relative error 2**-27. */
static const double log_terms[] = {-0x1.715476p-1, 0x1.ec709cp-2, -0x1.718c02p-2, 0x1.27ac64p-2};
static const double exp_terms[] = {
    1, 0x1.62e432p-1, 0x1.ebfbep-3, 0x1.c6adcp-5, 0x1.3b2a26p-7, 0x1.5fb054p-10, 0x1.444d7p-13};
#define LOG2E      0x1.715476p0
#define LOG2E_REST 0x1.4ae0cp-26

/* ---- shorthands on float32 */

static LLVMValueRef number(struct gen *g, double v) {
    return gen_float(g, DT_FLOAT32, v);
}

static LLVMValueRef float_add(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFAdd(g->b, a, b, "");
}

static LLVMValueRef float_sub(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFSub(g->b, a, b, "");
}

static LLVMValueRef float_mul(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFMul(g->b, a, b, "");
}

static LLVMValueRef fma3(struct gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef args[] = {a, b, c};
    return gen_intrinsic(g, "fma", NULL, args, 3);
}

static LLVMValueRef float_cmp(struct gen *g, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFCmp(g->b, p, a, b, "");
}

static LLVMValueRef is(struct gen *g, LLVMRealPredicate p, LLVMValueRef x, double v) {
    return float_cmp(g, p, x, number(g, v));
}

/* x where it compares to the limit as p says, else the limit; also for a NaN. */
static LLVMValueRef limit(struct gen *g, LLVMRealPredicate p, LLVMValueRef x, double limit) {
    return gen_select(g, is(g, p, x, limit), x, number(g, limit));
}

static LLVMValueRef polynomial(struct gen *g, LLVMValueRef x, const double *c, int n) {
    LLVMValueRef v = number(g, c[n - 1]);
    for (int i = n - 2; i >= 0; i--)
        v = fma3(g, v, x, number(g, c[i]));
    return v;
}

static LLVMValueRef is_whole(struct gen *g, LLVMValueRef x) {
    return float_cmp(g, LLVMRealOEQ, gen_intrinsic(g, "rint", NULL, &x, 1), x);
}

/* ---- AVX-512 */

static LLVMValueRef int32(struct gen *g, int v) {
    return LLVMConstInt(LLVMInt32TypeInContext(g->context), (unsigned)v, false);
}

/* A masked instruction on all lanes.  Its last arguments are the values of lanes that the mask
 * excludes, the mask, and the rounding mode. */
static LLVMValueRef masked(struct gen *g, const char *name, LLVMValueRef *args, int n) {
    args[n] = LLVMGetPoison(LLVMTypeOf(args[0]));
    args[n + 1] = LLVMConstAllOnes(LLVMInt16TypeInContext(g->context));
    args[n + 2] = int32(g, 4); /* the current rounding mode */
    return gen_intrinsic(g, name, NULL, args, n + 3);
}

/* The exponent of |x|'s leading bit. */
static LLVMValueRef get_exponent(struct gen *g, LLVMValueRef x) {
    LLVMValueRef args[4] = {x};
    return masked(g, "x86.avx512.mask.getexp.ps.512", args, 1);
}

/* |x| times a power of 2, in [3/4, 3/2). */
static LLVMValueRef get_mantissa(struct gen *g, LLVMValueRef x) {
    LLVMValueRef args[5] = {x, int32(g, 7)};
    return masked(g, "x86.avx512.mask.getmant.ps.512", args, 2);
}

static LLVMValueRef scale(struct gen *g, LLVMValueRef x, LLVMValueRef by) {
    LLVMValueRef args[5] = {x, by};
    return masked(g, "x86.avx512.mask.scalef.ps.512", args, 2);
}

static LLVMValueRef look_up(struct gen *g, const double *table, LLVMValueRef index) {
    LLVMValueRef halves[2], entries[LANES];
    for (int h = 0; h < 2; h++) {
        for (int i = 0; i < LANES; i++)
            entries[i] = LLVMConstReal(LLVMFloatTypeInContext(g->context), table[LANES * h + i]);
        halves[h] = LLVMConstVector(entries, LANES);
    }
    LLVMValueRef args[] = {halves[0], index, halves[1]};
    return gen_intrinsic(g, "x86.avx512.vpermi2var.ps.512", NULL, args, 3);
}

/* ---- the power */

/* log2 |x| as the sum of the result and *rest, which is a NaN where the logarithm is infinite. */
static LLVMValueRef gen_log2(struct gen *g, LLVMValueRef x, LLVMValueRef *rest) {
    LLVMValueRef one = number(g, 1), log2e = number(g, LOG2E), m = get_mantissa(g, x);
    LLVMValueRef e = get_exponent(g, x);
    e = gen_select(g, float_cmp(g, LLVMRealOLT, m, one), float_add(g, e, one), e);
    LLVMValueRef index = LLVMBuildBitCast(g->b, m, gen_type(g, DT_INT32), "");
    index = LLVMBuildLShr(g->b, index, gen_int(g, DT_INT32, 18), "");
    LLVMValueRef r = fma3(g, m, look_up(g, table_c, index), number(g, -1));
    LLVMValueRef whole = float_add(g, e, look_up(g, table_log, index));
    /* log2(1 + r) = r (factor + factor_rest) = first + first_rest */
    LLVMValueRef terms = polynomial(g, r, log_terms, sizeof log_terms / sizeof log_terms[0]);
    LLVMValueRef factor = fma3(g, r, terms, log2e);
    LLVMValueRef factor_rest = fma3(g, r, terms, float_sub(g, log2e, factor));
    factor_rest = float_add(g, factor_rest, number(g, LOG2E_REST));
    LLVMValueRef first = float_mul(g, r, factor);
    LLVMValueRef first_rest = fma3(g, r, factor, LLVMBuildFNeg(g->b, first, ""));
    first_rest = fma3(g, r, factor_rest, first_rest);
    LLVMValueRef sum = float_add(g, whole, first);
    *rest = float_add(g, float_sub(g, whole, sum), first);
    *rest = float_add(g, *rest, float_add(g, first_rest, look_up(g, table_rest, index)));
    return sum;
}

/* |x|**y; but a NaN in some cases where C's pow is 1: y = 0, x = 1, (-1)**inf. */
static LLVMValueRef gen_power(struct gen *g, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef rest, log = gen_log2(g, x, &rest);
    LLVMValueRef t = float_mul(g, y, log);
    rest = fma3(g, y, rest, fma3(g, y, log, LLVMBuildFNeg(g->b, t, "")));
    LLVMValueRef n = gen_intrinsic(g, "rint", NULL, &t, 1);
    LLVMValueRef r = float_add(g, float_sub(g, t, n), rest);
    /* where the power overflows or underflows, n alone decides; r only must be bounded */
    r = limit(g, LLVMRealOGT, limit(g, LLVMRealOLT, r, 1), -1);
    LLVMValueRef v = polynomial(g, r, exp_terms, sizeof exp_terms / sizeof exp_terms[0]);
    return scale(g, v, n);
}

/* C's rules for negative x, and where v, gen_power's result, is a NaN and should be 1. */
static LLVMValueRef gen_special(struct gen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef v) {
    LLVMValueRef zero = number(g, 0), one = number(g, 1), whole = is_whole(g, y);
    LLVMValueRef unit_to_infinity =
        LLVMBuildAnd(g->b, is(g, LLVMRealOEQ, x, -1),
                     is(g, LLVMRealOEQ, gen_intrinsic(g, "fabs", NULL, &y, 1), INFINITY), "");
    LLVMValueRef half_whole = is_whole(g, float_mul(g, y, number(g, 0.5)));
    LLVMValueRef odd = LLVMBuildAnd(g->b, whole, gen_not(g, half_whole), "");
    LLVMValueRef sign[] = {v, gen_select(g, odd, x, zero)};
    v = gen_intrinsic(g, "copysign", NULL, sign, 2);
    LLVMValueRef negative =
        LLVMBuildAnd(g->b, is(g, LLVMRealOLT, x, 0), is(g, LLVMRealOGE, x, -FLT_MAX), "");
    LLVMValueRef none = LLVMBuildAnd(g->b, negative, gen_not(g, whole), "");
    v = gen_select(g, none, number(g, NAN), v);
    LLVMValueRef unit = LLVMBuildOr(g->b, is(g, LLVMRealOEQ, y, 0), is(g, LLVMRealOEQ, x, 1), "");
    return gen_select(g, LLVMBuildOr(g->b, unit, unit_to_infinity, ""), one, v);
}

void gen_powf(struct gen *outer, LLVMValueRef function) {
    struct gen g = *outer;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g.b);
    g.function = function;
    g.lanes = LANES;
    gen_place(&g, gen_block(&g, "entry"));
    LLVMValueRef x = LLVMGetParam(function, 0), y = LLVMGetParam(function, 1);
    LLVMValueRef v = gen_power(&g, x, y), bits = LLVMBuildBitCast(g.b, x, gen_int_type(&g, 32), "");
    LLVMValueRef negative = LLVMBuildICmp(g.b, LLVMIntSLT, bits, gen_int(&g, DT_INT32, 0), "");
    LLVMValueRef special = LLVMBuildOr(g.b, negative, float_cmp(&g, LLVMRealUNO, v, v), "");
    LLVMBasicBlockRef has_special = gen_block(&g, "special"), plain = gen_block(&g, "plain");
    LLVMBuildCondBr(g.b, gen_any(&g, special), has_special, plain);
    gen_place(&g, has_special);
    LLVMBuildRet(g.b, gen_special(&g, x, y, v));
    gen_place(&g, plain);
    LLVMBuildRet(g.b, v);
    gen_place(&g, here);
}
