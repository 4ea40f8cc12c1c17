/* half.c: types that are loaded, stored and converted, but not computed with.  Conversions of half
 * types round once, and give the same bits on every target but for NaNs.  A complex number in a
 * register is an integer that holds both parts. */
#include "body.h"

/* ---- halves */

static LLVMValueRef above(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->b, LLVMIntUGT, a, b, "");
}

/* The bits of a non-negative number of the format `from`, rounded to the half type `to`, ties to
 * even.  Subnormal results are rounded by a floating-point addition, of a number whose last bit has
 * the value of the half type's last bit.  Source: Fabian Giesen, float_to_half_fast3_rtne. */
static LLVMValueRef round_bits(struct gen *g, LLVMValueRef bits, enum ufc_dtype from,
                               enum ufc_dtype to) {
    struct float_format f = format_of(from), h = format_of(to);
    LLVMTypeRef type = gen_type(g, from), word = LLVMTypeOf(bits);
    enum ufc_dtype w = from == DT_FLOAT32 ? DT_INT32 : DT_INT64;
    int shift = f.mantissa - h.mantissa, bias = f.bias - h.bias;
    LLVMValueRef by = gen_int(g, w, shift),
                 infinity = gen_int(g, w, (2 * h.bias + 1) << h.mantissa);
    LLVMValueRef odd = LLVMBuildAnd(g->b, LLVMBuildLShr(g->b, bits, by, ""), gen_int(g, w, 1), "");
    int64_t below_half = (INT64_C(1) << (shift - 1)) - 1;
    LLVMValueRef less = gen_int(g, w, below_half - ((int64_t)bias << f.mantissa));
    LLVMValueRef r = LLVMBuildAdd(g->b, LLVMBuildAdd(g->b, bits, less, ""), odd, "");
    r = LLVMBuildLShr(g->b, r, by, "");
    if (bias) {
        LLVMValueRef last = gen_int(g, w, (int64_t)(bias + 1 + shift) << f.mantissa);
        LLVMValueRef small = LLVMBuildFAdd(g->b, LLVMBuildBitCast(g->b, bits, type, ""),
                                           LLVMBuildBitCast(g->b, last, type, ""), "");
        small = LLVMBuildSub(g->b, LLVMBuildBitCast(g->b, small, word, ""), last, "");
        LLVMValueRef subnormal = gen_int(g, w, ((int64_t)(bias + 1) << f.mantissa) - 1);
        r = gen_select(g, above(g, r, infinity), infinity, r);
        r = gen_select(g, above(g, bits, subnormal), r, small);
    }
    LLVMValueRef quiet = gen_int(g, w, ((2 * h.bias + 1) << h.mantissa) | 1 << (h.mantissa - 1));
    LLVMValueRef largest = gen_int(g, w, (INT64_C(2) * f.bias + 1) << f.mantissa);
    return gen_select(g, above(g, bits, largest), quiet, r);
}

/* A float32 or float64 rounded to a half type, with the bits that runtime/half.h gives, but for
 * NaNs. */
static LLVMValueRef to_half(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to) {
    int size = dtype_info[from].bits;
    bool narrows = from == DT_FLOAT32 && to == DT_FLOAT16;
    LLVMValueRef r = narrows ? g->target->narrow_half(g, v) : NULL;
    if (r != NULL)
        return r;
    enum ufc_dtype word = size == 32 ? DT_INT32 : DT_INT64;
    LLVMValueRef bits = LLVMBuildBitCast(g->b, v, gen_type(g, word), "");
    r = LLVMBuildAnd(g->b, bits, gen_int(g, word, INT64_MAX >> (64 - size)), "");
    r = LLVMBuildTrunc(g->b, round_bits(g, r, from, to), gen_type(g, to), "");
    LLVMValueRef high = LLVMBuildLShr(g->b, bits, gen_int(g, word, size - 16), "");
    high = LLVMBuildTrunc(g->b, high, gen_type(g, to), "");
    return LLVMBuildOr(g->b, r, LLVMBuildAnd(g->b, high, gen_int(g, DT_INT16, INT16_MIN), ""), "");
}

/* A float16 as the bits of a float32.  magnitude: its bits without the sign, shifted so that they
 * overlie a float32's exponent and mantissa. */
static LLVMValueRef widen_bits(struct gen *g, LLVMValueRef magnitude) {
    LLVMTypeRef f32 = gen_type(g, DT_FLOAT32);
    LLVMValueRef finite = gen_int(g, DT_INT32, 0x7bff << 13),
                 subnormal = gen_int(g, DT_INT32, 0x3ff << 13);
    LLVMValueRef bias =
        gen_select(g, above(g, magnitude, finite), gen_int(g, DT_INT32, (255 - 31) << 23),
                   gen_int(g, DT_INT32, (127 - 15) << 23));
    /* a subnormal number is the mantissa of the least normal one, less the leading bit */
    LLVMValueRef least = gen_int(g, DT_INT32, (127 - 14) << 23);
    LLVMValueRef small = LLVMBuildBitCast(g->b, LLVMBuildAdd(g->b, magnitude, least, ""), f32, "");
    small = LLVMBuildFSub(g->b, small, LLVMBuildBitCast(g->b, least, f32, ""), "");
    return gen_select(g, above(g, magnitude, subnormal), LLVMBuildAdd(g->b, magnitude, bias, ""),
                      LLVMBuildBitCast(g->b, small, LLVMTypeOf(magnitude), ""));
}

/* A half as a float32, exactly. */
static LLVMValueRef from_half(struct gen *g, LLVMValueRef v, enum ufc_dtype from) {
    LLVMTypeRef f32 = gen_type(g, DT_FLOAT32), i32 = gen_type(g, DT_INT32);
    LLVMValueRef r = from == DT_FLOAT16 ? g->target->widen_half(g, v) : NULL;
    if (r != NULL)
        return r;
    LLVMValueRef bits =
        LLVMBuildShl(g->b, LLVMBuildZExt(g->b, v, i32, ""), gen_int(g, DT_INT32, 16), "");
    if (from == DT_BFLOAT16)
        return LLVMBuildBitCast(g->b, bits, f32, "");
    r = LLVMBuildAnd(g->b, bits, gen_int(g, DT_INT32, INT32_MAX), "");
    r = widen_bits(g, LLVMBuildLShr(g->b, r, gen_int(g, DT_INT32, 3), ""));
    LLVMValueRef sign = LLVMBuildAnd(g->b, bits, gen_int(g, DT_INT32, INT32_MIN), "");
    return LLVMBuildBitCast(g->b, LLVMBuildOr(g->b, r, sign, ""), f32, "");
}

/* An integer as a float64 that rounds to a half type as the integer does: bits that do not fit are
 * or-ed into a sticky bit. */
static LLVMValueRef sticky_float64(struct gen *g, LLVMValueRef v, enum ufc_dtype from) {
    if (dtype_info[from].bits < 64)
        return gen_cast(g, v, from, DT_FLOAT64);
    LLVMValueRef low = LLVMBuildAnd(g->b, v, gen_int(g, from, 0x7ff), "");
    LLVMValueRef sticky = LLVMBuildICmp(g->b, LLVMIntNE, low, gen_int(g, from, 0), "");
    LLVMValueRef rounded = LLVMBuildAnd(g->b, v, gen_int(g, from, ~INT64_C(0x7ff)), "");
    rounded = LLVMBuildOr(g->b, rounded,
                          gen_select(g, sticky, gen_int(g, from, 0x400), gen_int(g, from, 0)), "");
    /* numbers that a float64 holds exactly are not changed */
    LLVMValueRef offset =
        is_signed(from) ? LLVMBuildAdd(g->b, v, gen_int(g, from, INT64_C(1) << 52), "") : v;
    LLVMValueRef exact =
        LLVMBuildICmp(g->b, LLVMIntULT, offset, gen_int(g, from, INT64_C(1) << 53), "");
    return gen_cast(g, gen_select(g, exact, v, rounded), from, DT_FLOAT64);
}

static LLVMValueRef cast_to_half(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                                 enum ufc_dtype to) {
    if (is_half(from))
        return to_half(g, from_half(g, v, from), DT_FLOAT32, to);
    if (is_float(from))
        return to_half(g, v, from, to);
    return to_half(g, sticky_float64(g, v, from), DT_FLOAT64, to);
}

/* ---- complex numbers */

/* A vector of the real and the imaginary part of each lane in turn. */
static LLVMTypeRef parts_type(struct gen *g, enum ufc_dtype d) {
    return LLVMVectorType(gen_scalar_type(g, part_dtype(d)), 2 * (unsigned)g->lanes);
}

LLVMValueRef gen_part(struct gen *g, enum ufc_dtype d, LLVMValueRef v, int part) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    v = LLVMBuildBitCast(g->b, v, parts_type(g, d), "");
    if (g->lanes == 1)
        return LLVMBuildExtractElement(g->b, v, LLVMConstInt(i32, (unsigned)part, false), "");
    LLVMValueRef *mask = NEWN(g->uc, LLVMValueRef, (size_t)g->lanes);
    for (int i = 0; i < g->lanes; i++)
        mask[i] = LLVMConstInt(i32, (unsigned)(2 * i + part), false);
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(mask, (unsigned)g->lanes), "");
}

LLVMValueRef gen_pack(struct gen *g, enum ufc_dtype d, LLVMValueRef re, LLVMValueRef im) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context), type = parts_type(g, d);
    LLVMValueRef v;
    if (g->lanes == 1) {
        v = LLVMBuildInsertElement(g->b, LLVMGetPoison(type), re, LLVMConstInt(i32, 0, false), "");
        v = LLVMBuildInsertElement(g->b, v, im, LLVMConstInt(i32, 1, false), "");
    } else {
        LLVMValueRef *mask = NEWN(g->uc, LLVMValueRef, 2 * (size_t)g->lanes);
        for (int i = 0; i < 2 * g->lanes; i++)
            mask[i] = LLVMConstInt(i32, (unsigned)(i / 2 + i % 2 * g->lanes), false);
        v = LLVMBuildShuffleVector(g->b, re, im, LLVMConstVector(mask, 2 * (unsigned)g->lanes), "");
    }
    return LLVMBuildBitCast(g->b, v, gen_type(g, d), "");
}

static LLVMValueRef cast_from_complex(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                                      enum ufc_dtype to) {
    enum ufc_dtype part = part_dtype(from);
    LLVMValueRef re = gen_part(g, from, v, 0), im = gen_part(g, from, v, 1);
    if (to == DT_BOOL)
        return LLVMBuildOr(g->b, gen_cast(g, re, part, DT_BOOL), gen_cast(g, im, part, DT_BOOL),
                           "");
    re = gen_cast(g, re, part, part_dtype(to));
    return is_complex(to) ? gen_pack(g, to, re, gen_cast(g, im, part, part_dtype(to))) : re;
}

/* ---- conversions of halves and complex numbers */

LLVMValueRef gen_cast_stored(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                             enum ufc_dtype to) {
    if (is_complex(from))
        return cast_from_complex(g, v, from, to);
    if (is_complex(to)) {
        LLVMValueRef re = gen_cast(g, v, from, part_dtype(to));
        return gen_pack(g, to, re, LLVMConstNull(LLVMTypeOf(re)));
    }
    return is_half(to) ? cast_to_half(g, v, from, to)
                       : gen_cast(g, from_half(g, v, from), DT_FLOAT32, to);
}
