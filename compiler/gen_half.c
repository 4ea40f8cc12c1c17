/* gen_half.c: types that are only loaded and stored: halves, by integer arithmetic that rounds once
 * and is the same on every target, and complex numbers, in registers integers of both parts. */
#include "gen.h"

/* ---- halves */

struct format {
    int bits, mantissa, bias;
};

static struct format format_of(enum ufc_dtype d) {
    static const struct format formats[DT_COUNT] = {[DT_FLOAT16] = {16, 10, 15},
                                                    [DT_BFLOAT16] = {16, 7, 127},
                                                    [DT_FLOAT32] = {32, 23, 127},
                                                    [DT_FLOAT64] = {64, 52, 1023}};
    return formats[d];
}

static LLVMValueRef above(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->b, LLVMIntUGT, a, b, "");
}

/* A float32 or float64 rounded to a half type, ties to even.  As half.h of the runtime. */
static LLVMValueRef to_half(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to) {
    struct format f = format_of(from), h = format_of(to);
    enum ufc_dtype word = from == DT_FLOAT32 ? DT_INT32 : DT_INT64;
    LLVMValueRef one = gen_int(g, word, 1),
                 infinity = gen_int(g, word, (2 * h.bias + 1) << h.mantissa);
    LLVMValueRef leading = gen_int(g, word, INT64_C(1) << f.mantissa);
    LLVMValueRef bits = LLVMBuildBitCast(g->b, v, gen_type(g, word), "");
    LLVMValueRef magnitude = LLVMBuildLShr(g->b, LLVMBuildShl(g->b, bits, one, ""), one, "");
    LLVMValueRef sign = LLVMBuildLShr(g->b, bits, gen_int(g, word, f.bits - 1), "");
    LLVMValueRef full =
        LLVMBuildAnd(g->b, magnitude, gen_int(g, word, (INT64_C(1) << f.mantissa) - 1), "");
    LLVMValueRef exponent = LLVMBuildLShr(g->b, magnitude, gen_int(g, word, f.mantissa), "");
    /* a subnormal has no leading bit, and the exponent of the least normal number */
    LLVMValueRef normal = LLVMBuildICmp(g->b, LLVMIntNE, exponent, gen_int(g, word, 0), "");
    full = LLVMBuildOr(g->b, full, gen_select(g, normal, leading, gen_int(g, word, 0)), "");
    exponent = gen_select(g, normal, exponent, one);
    exponent = LLVMBuildAdd(g->b, exponent, gen_int(g, word, h.bias - f.bias), "");
    /* below the half type's normal numbers the mantissa moves right */
    LLVMValueRef small = LLVMBuildICmp(g->b, LLVMIntSLT, exponent, one, "");
    LLVMValueRef shift = gen_int(g, word, f.mantissa - h.mantissa),
                 most = gen_int(g, word, f.bits - 2);
    LLVMValueRef more = LLVMBuildSub(g->b, LLVMBuildAdd(g->b, shift, one, ""), exponent, "");
    more = gen_select(g, above(g, more, most), most, more);
    shift = gen_select(g, small, more, shift);
    exponent = gen_select(g, small, one, exponent);
    LLVMValueRef unit = LLVMBuildShl(g->b, one, shift, "");
    LLVMValueRef rest = LLVMBuildAnd(g->b, full, LLVMBuildSub(g->b, unit, one, ""), "");
    LLVMValueRef half = LLVMBuildLShr(g->b, unit, one, "");
    LLVMValueRef r = LLVMBuildLShr(g->b, full, shift, "");
    /* rest + odd > half: above the half, or on it and odd */
    LLVMValueRef up = above(g, LLVMBuildAdd(g->b, rest, LLVMBuildAnd(g->b, r, one, ""), ""), half);
    r = LLVMBuildAdd(g->b, r, gen_select(g, up, one, gen_int(g, word, 0)), "");
    exponent = LLVMBuildSub(g->b, exponent, one, "");
    r = LLVMBuildAdd(g->b, r, LLVMBuildShl(g->b, exponent, gen_int(g, word, h.mantissa), ""), "");
    r = gen_select(g, above(g, r, infinity), infinity, r);
    LLVMValueRef quiet = gen_int(g, word, ((2 * h.bias + 1) << h.mantissa) | 1 << (h.mantissa - 1));
    LLVMValueRef largest = gen_int(g, word, (INT64_C(2) * f.bias + 1) << f.mantissa);
    r = gen_select(g, above(g, magnitude, largest), quiet, r);
    r = LLVMBuildOr(g->b, r, LLVMBuildShl(g->b, sign, gen_int(g, word, 15), ""), "");
    return LLVMBuildTrunc(g->b, r, gen_type(g, to), "");
}

/* The float32 of the same value. */
static LLVMValueRef from_half(struct gen *g, LLVMValueRef v, enum ufc_dtype from) {
    LLVMTypeRef f32 = gen_type(g, DT_FLOAT32);
    LLVMValueRef bits = LLVMBuildZExt(g->b, v, gen_type(g, DT_INT32), "");
    if (from == DT_BFLOAT16)
        return LLVMBuildBitCast(g->b, LLVMBuildShl(g->b, bits, gen_int(g, DT_INT32, 16), ""), f32,
                                "");
    LLVMValueRef sign = LLVMBuildShl(g->b, LLVMBuildLShr(g->b, bits, gen_int(g, DT_INT32, 15), ""),
                                     gen_int(g, DT_INT32, 31), "");
    LLVMValueRef magnitude = LLVMBuildAnd(g->b, bits, gen_int(g, DT_INT32, 0x7fff), "");
    LLVMValueRef moved = LLVMBuildShl(g->b, magnitude, gen_int(g, DT_INT32, 13), "");
    LLVMValueRef largest = above(g, magnitude, gen_int(g, DT_INT32, 0x7bff));
    LLVMValueRef bias = gen_select(g, largest, gen_int(g, DT_INT32, (255 - 31) << 23),
                                   gen_int(g, DT_INT32, (127 - 15) << 23));
    LLVMValueRef normal = LLVMBuildAdd(g->b, moved, bias, "");
    LLVMValueRef tiny = LLVMBuildFMul(g->b, LLVMBuildUIToFP(g->b, magnitude, f32, ""),
                                      gen_float(g, DT_FLOAT32, 0x1p-24), "");
    tiny = LLVMBuildBitCast(g->b, tiny, gen_type(g, DT_INT32), "");
    LLVMValueRef r = gen_select(g, above(g, magnitude, gen_int(g, DT_INT32, 0x3ff)), normal, tiny);
    return LLVMBuildBitCast(g->b, LLVMBuildOr(g->b, r, sign, ""), f32, "");
}

/* A whole number as a float64 that rounds to a half type as it does itself: bits that a float64
 * loses stay as a sticky one. */
static LLVMValueRef whole(struct gen *g, LLVMValueRef v, enum ufc_dtype from) {
    if (dtype_info[from].bits < 64)
        return gen_cast(g, v, from, DT_FLOAT64);
    LLVMValueRef low = LLVMBuildAnd(g->b, v, gen_int(g, from, 0x7ff), "");
    LLVMValueRef sticky = LLVMBuildICmp(g->b, LLVMIntNE, low, gen_int(g, from, 0), "");
    LLVMValueRef rounded = LLVMBuildAnd(g->b, v, gen_int(g, from, ~INT64_C(0x7ff)), "");
    rounded = LLVMBuildOr(g->b, rounded,
                          gen_select(g, sticky, gen_int(g, from, 0x400), gen_int(g, from, 0)), "");
    /* of numbers that a float64 holds nothing is lost */
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
    return to_half(g, whole(g, v, from), DT_FLOAT64, to);
}

/* ---- complex numbers */

/* Both parts of all lanes, one after the other. */
static LLVMTypeRef parts_type(struct gen *g, enum ufc_dtype d) {
    return LLVMVectorType(gen_scalar_type(g, part_dtype(d)), 2 * (unsigned)g->lanes);
}

LLVMValueRef gen_part(struct gen *g, enum ufc_dtype d, LLVMValueRef v, int part) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    v = LLVMBuildBitCast(g->b, v, parts_type(g, d), "");
    if (g->lanes == 1)
        return LLVMBuildExtractElement(g->b, v, LLVMConstInt(i32, (unsigned)part, false), "");
    LLVMValueRef mask[64];
    for (int i = 0; i < g->lanes; i++)
        mask[i] = LLVMConstInt(i32, (unsigned)(2 * i + part), false);
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(mask, (unsigned)g->lanes), "");
}

LLVMValueRef gen_pack(struct gen *g, enum ufc_dtype d, LLVMValueRef re, LLVMValueRef im) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context), type = parts_type(g, d);
    LLVMValueRef v, mask[64];
    if (g->lanes == 1) {
        v = LLVMBuildInsertElement(g->b, LLVMGetPoison(type), re, LLVMConstInt(i32, 0, false), "");
        v = LLVMBuildInsertElement(g->b, v, im, LLVMConstInt(i32, 1, false), "");
    } else {
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

/* ---- conversions of both */

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
