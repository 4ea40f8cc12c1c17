/* op.c: types, constants, operators and conversions, with the same results on every target.
 *
 * LLVM leaves out-of-range shifts, division by zero and out-of-range conversions undefined; here
 * they have values, NumPy's where NumPy defines one. */
#include <math.h>
#include <stdio.h>

#include "build.h"

/* ---- types */

LLVMTypeRef gen_memory_type(struct gen *g, enum ufc_dtype d) {
    if (d == DT_FLOAT32)
        return LLVMFloatTypeInContext(g->context);
    if (d == DT_FLOAT64)
        return LLVMDoubleTypeInContext(g->context);
    return LLVMIntTypeInContext(g->context, (unsigned)dtype_info[d].bits);
}

LLVMTypeRef gen_scalar_type(struct gen *g, enum ufc_dtype d) {
    return d == DT_BOOL ? LLVMInt1TypeInContext(g->context) : gen_memory_type(g, d);
}

LLVMTypeRef gen_lanes_of(struct gen *g, LLVMTypeRef scalar) {
    return g->lanes == 1 ? scalar : LLVMVectorType(scalar, (unsigned)g->lanes);
}

LLVMTypeRef gen_type(struct gen *g, enum ufc_dtype d) {
    return gen_lanes_of(g, gen_scalar_type(g, d));
}

LLVMTypeRef gen_int_type(struct gen *g, int bits) {
    return gen_lanes_of(g, LLVMIntTypeInContext(g->context, (unsigned)bits));
}

LLVMValueRef gen_splat(struct gen *g, LLVMValueRef scalar) {
    LLVMValueRef elements[MOST_LANES];
    if (g->lanes == 1)
        return scalar;
    for (int i = 0; i < g->lanes; i++)
        elements[i] = scalar;
    return LLVMConstVector(elements, (unsigned)g->lanes);
}

LLVMValueRef gen_int(struct gen *g, enum ufc_dtype d, int64_t value) {
    uint64_t bits = d == DT_BOOL ? value != 0 : (uint64_t)value;
    if (dtype_info[d].bits < 64)
        bits &= (UINT64_C(1) << dtype_info[d].bits) - 1;
    return gen_splat(g, LLVMConstInt(gen_scalar_type(g, d), bits, false));
}

LLVMValueRef gen_float(struct gen *g, enum ufc_dtype d, double value) {
    return gen_splat(g, LLVMConstReal(gen_scalar_type(g, d), value));
}

/* ---- building */

unsigned gen_intrinsic_id(const char *name) {
    char full[48];
    int n = snprintf(full, sizeof full, "llvm.%s", name);
    return LLVMLookupIntrinsicID(full, (size_t)n);
}

LLVMValueRef gen_intrinsic(struct gen *g, const char *name, LLVMTypeRef other, LLVMValueRef *args,
                           int nargs) {
    unsigned id = gen_intrinsic_id(name);
    LLVMTypeRef types[2] = {nargs > 0 ? LLVMTypeOf(args[0]) : NULL, NULL};
    size_t ntypes = LLVMIntrinsicIsOverloaded(id) ? 1 : 0;
    if (other != NULL) { /* the result's type comes first */
        types[1] = types[0];
        types[0] = other;
        ntypes = 2;
    }
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, id, types, ntypes);
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    return LLVMBuildCall2(g->b, type, f, args, (unsigned)nargs, "");
}

LLVMValueRef gen_not(struct gen *g, LLVMValueRef v) {
    return LLVMBuildNot(g->b, v, "");
}

LLVMValueRef gen_select(struct gen *g, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(g->b, c, a, b, "");
}

static LLVMValueRef is_zero(struct gen *g, LLVMValueRef v) {
    return LLVMBuildICmp(g->b, LLVMIntEQ, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* Under --fast-math a product and a sum may be fused. */
static LLVMValueRef contractible(struct gen *g, LLVMValueRef v) {
    if (g->approximate && LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, LLVMFastMathAllowContract);
    return v;
}

LLVMValueRef gen_sqrt(struct gen *g, enum ufc_dtype d, LLVMValueRef a) {
    if (g->approximate && d == DT_FLOAT32)
        return g->target->approximate_sqrt(g, a);
    return gen_intrinsic(g, "sqrt", NULL, &a, 1);
}

LLVMValueRef gen_divide(struct gen *g, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b) {
    if (g->approximate && d == DT_FLOAT32)
        return g->target->approximate_divide(g, a, b);
    return LLVMBuildFDiv(g->b, a, b, "");
}

/* ---- integer division */

/* Whether all lanes' numbers are exact as float64, i1. */
static LLVMValueRef are_exact(struct gen *g, enum ufc_dtype t, LLVMValueRef v) {
    enum { EXACT_BITS = 53 };
    bool s = is_signed(t);
    LLVMValueRef most = gen_int(g, t, INT64_C(1) << EXACT_BITS);
    LLVMValueRef from_least = s ? LLVMBuildAdd(g->b, v, most, "") : v;
    LLVMValueRef range = gen_int(g, t, INT64_C(1) << (EXACT_BITS + s));
    return gen_not(g, gen_any(g, LLVMBuildICmp(g->b, LLVMIntUGT, from_least, range, "")));
}

static LLVMValueRef integer_quotient(struct gen *g, enum ufc_dtype t, LLVMValueRef a,
                                     LLVMValueRef d) {
    return is_signed(t) ? LLVMBuildSDiv(g->b, a, d, "") : LLVMBuildUDiv(g->b, a, d, "");
}

/* The quotient of two integers that are exact as floats: rounded, it is below an integer where it
 * is before, since the least difference is a share of 1 / d. */
static LLVMValueRef float_quotient(struct gen *g, enum ufc_dtype t, enum ufc_dtype as,
                                   LLVMValueRef a, LLVMValueRef d) {
    LLVMTypeRef type = gen_type(g, as);
    bool s = is_signed(t);
    LLVMValueRef x = s ? LLVMBuildSIToFP(g->b, a, type, "") : LLVMBuildUIToFP(g->b, a, type, "");
    LLVMValueRef y = s ? LLVMBuildSIToFP(g->b, d, type, "") : LLVMBuildUIToFP(g->b, d, type, "");
    LLVMValueRef q = LLVMBuildFDiv(g->b, x, y, "");
    return s ? LLVMBuildFPToSI(g->b, q, LLVMTypeOf(a), "")
             : LLVMBuildFPToUI(g->b, q, LLVMTypeOf(a), "");
}

/* Of 64-bit integers, which mostly are exact as float64. */
static LLVMValueRef wide_quotient(struct gen *g, enum ufc_dtype t, LLVMValueRef a, LLVMValueRef d) {
    LLVMValueRef exact = LLVMBuildAnd(g->b, are_exact(g, t, a), are_exact(g, t, d), "");
    LLVMValueRef q = float_quotient(g, t, DT_FLOAT64, a, d);
    LLVMBasicBlockRef floats = LLVMGetInsertBlock(g->b), after = begin_if(g, gen_not(g, exact));
    LLVMValueRef other = integer_quotient(g, t, a, d);
    LLVMBasicBlockRef integers = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, integers, other, floats, q);
}

/* a / d truncated; d is not 0, and not -1 where a is the least number.  In vectors it is the
 * quotient of floats twice as wide, truncated, which is exact: processors have no vector
 * instruction for integers. */
static LLVMValueRef truncated_quotient(struct gen *g, enum ufc_dtype t, LLVMValueRef a,
                                       LLVMValueRef d) {
    int bits = dtype_info[t].bits;
    if (g->lanes > 1 && bits < 64)
        return float_quotient(g, t, bits < 32 ? DT_FLOAT32 : DT_FLOAT64, a, d);
    if (g->lanes > 1 && g->target->converts_wide != NULL && g->target->converts_wide(g))
        return wide_quotient(g, t, a, d);
    bool may_move = g->around.branch && g->target->quotient != NULL;
    LLVMValueRef q = may_move ? g->target->quotient(g, is_signed(t), a, d) : NULL;
    if (q != NULL)
        return q;
    return integer_quotient(g, t, a, d);
}

/* Whether a divisor is a constant by which every number can be divided. */
static bool is_plain_divisor(LLVMValueRef b) {
    int64_t v = LLVMIsAConstantInt(b) != NULL ? LLVMConstIntGetSExtValue(b) : 0;
    return v != 0 && v != -1;
}

LLVMValueRef gen_by_power(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                          LLVMValueRef b) {
    if (op == OP_MOD)
        return LLVMBuildAnd(g->b, a, LLVMBuildSub(g->b, b, gen_int(g, t, 1), ""), "");
    LLVMValueRef args[2] = {b, LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false)};
    LLVMValueRef n = gen_intrinsic(g, "cttz", NULL, args, 2);
    return is_signed(t) ? LLVMBuildAShr(g->b, a, n, "") : LLVMBuildLShr(g->b, a, n, "");
}

/* // and % of integers as NumPy's: the quotient is rounded down; by zero both are 0; the least
 * number by -1 wraps. */
static LLVMValueRef gen_int_divmod(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                                   LLVMValueRef b) {
    LLVMValueRef zero = gen_int(g, t, 0), one = gen_int(g, t, 1);
    LLVMValueRef by_zero = is_zero(g, b), bad = by_zero;
    if (is_signed(t)) {
        LLVMValueRef least = gen_int(g, t, (int64_t)(UINT64_C(1) << (dtype_info[t].bits - 1)));
        LLVMValueRef wraps =
            LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, a, least, ""),
                         LLVMBuildICmp(g->b, LLVMIntEQ, b, gen_int(g, t, -1), ""), "");
        bad = LLVMBuildOr(g->b, bad, wraps, "");
    }
    LLVMValueRef d = is_plain_divisor(b) ? b : gen_select(g, bad, one, b);
    LLVMValueRef q = truncated_quotient(g, t, a, d);
    LLVMValueRef r = LLVMBuildSub(g->b, a, LLVMBuildMul(g->b, q, d, ""), "");
    if (is_signed(t)) {
        LLVMValueRef opposite =
            LLVMBuildICmp(g->b, LLVMIntSLT, LLVMBuildXor(g->b, r, d, ""), zero, "");
        LLVMValueRef below = LLVMBuildAnd(g->b, gen_not(g, is_zero(g, r)), opposite, "");
        q = LLVMBuildSub(g->b, q, gen_select(g, below, one, zero), "");
        r = LLVMBuildAdd(g->b, r, gen_select(g, below, d, zero), "");
    }
    return op == OP_MOD ? r : gen_select(g, by_zero, zero, q); /* a % 1 is 0 already */
}

LLVMValueRef gen_word_shift(struct gen *g, enum op op, LLVMValueRef a, LLVMValueRef n) {
    return op == OP_SHL ? LLVMBuildShl(g->b, a, n, "") : LLVMBuildAShr(g->b, a, n, "");
}

/* a**b of integers by squaring, modulo the type's size; 0 for a negative exponent. */
static LLVMValueRef gen_int_pow(struct gen *g, enum ufc_dtype t, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef zero = gen_int(g, t, 0), one = gen_int(g, t, 1);
    LLVMValueRef state[3] = {a, b, one};
    if (is_signed(t)) {
        LLVMValueRef negative = LLVMBuildICmp(g->b, LLVMIntSLT, b, zero, "");
        state[1] = gen_select(g, negative, zero, b);
        state[2] = gen_select(g, negative, zero, one);
    }
    struct loop l;
    loop_begin(g, &l, 3, state);
    loop_while(g, &l, gen_not(g, is_zero(g, l.phi[1])));
    LLVMValueRef even = is_zero(g, LLVMBuildAnd(g->b, l.phi[1], one, ""));
    LLVMValueRef next[3] = {
        LLVMBuildMul(g->b, l.phi[0], l.phi[0], ""), LLVMBuildLShr(g->b, l.phi[1], one, ""),
        gen_select(g, even, l.phi[2], LLVMBuildMul(g->b, l.phi[2], l.phi[0], ""))};
    loop_end(g, &l, next);
    return l.phi[2];
}

/* A shift; by a negative amount, or by the type's width or more, the result is 0, or -1 for >> of a
 * negative number.  The amount is masked, not selected: of a select LLVM 22 makes one PTX shift,
 * which reads only the low 32 bits of a 64-bit amount. */
static LLVMValueRef gen_shift(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                              LLVMValueRef b) {
    int bits = dtype_info[t].bits;
    LLVMValueRef fits = LLVMBuildICmp(g->b, LLVMIntULT, b, gen_int(g, t, bits), "");
    LLVMValueRef n = LLVMBuildAnd(g->b, b, gen_int(g, t, bits - 1), "");
    if (op == OP_SHR && is_signed(t)) {
        LLVMValueRef sign = LLVMBuildAShr(g->b, a, gen_int(g, t, bits - 1), "");
        return gen_select(g, fits, LLVMBuildAShr(g->b, a, n, ""), sign);
    }
    LLVMValueRef r = op == OP_SHL ? LLVMBuildShl(g->b, a, n, "") : LLVMBuildLShr(g->b, a, n, "");
    return gen_select(g, fits, r, gen_int(g, t, 0));
}

static LLVMValueRef gen_compare(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                                LLVMValueRef b) {
    static const struct {
        LLVMRealPredicate real;
        LLVMIntPredicate sign, plain;
    } p[] = {[OP_EQ - OP_EQ] = {LLVMRealOEQ, LLVMIntEQ, LLVMIntEQ},
             [OP_NE - OP_EQ] = {LLVMRealUNE, LLVMIntNE, LLVMIntNE},
             [OP_LT - OP_EQ] = {LLVMRealOLT, LLVMIntSLT, LLVMIntULT},
             [OP_LE - OP_EQ] = {LLVMRealOLE, LLVMIntSLE, LLVMIntULE},
             [OP_GT - OP_EQ] = {LLVMRealOGT, LLVMIntSGT, LLVMIntUGT},
             [OP_GE - OP_EQ] = {LLVMRealOGE, LLVMIntSGE, LLVMIntUGE}};
    if (is_float(t))
        return LLVMBuildFCmp(g->b, p[op - OP_EQ].real, a, b, "");
    return LLVMBuildICmp(g->b, is_signed(t) ? p[op - OP_EQ].sign : p[op - OP_EQ].plain, a, b, "");
}

/* ---- floats */

/* // and % of floats as NumPy's npy_divmod: the remainder is fmod's, which is exact, plus b where
 * its sign is not b's; the quotient (a - remainder) / b is rounded to the nearest whole number. */
static LLVMValueRef gen_float_divmod(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                                     LLVMValueRef b) {
    LLVMValueRef zero = gen_float(g, t, 0), one = gen_float(g, t, 1), args[] = {a, b};
    LLVMValueRef r = g->target->library(g, &builtins[B_FMOD], t, gen_type(g, t), args);
    LLVMValueRef by_zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, b, zero, "");
    LLVMValueRef has_rest = LLVMBuildFCmp(g->b, LLVMRealUNE, r, zero, "");
    LLVMValueRef opposite = LLVMBuildXor(g->b, LLVMBuildFCmp(g->b, LLVMRealOLT, b, zero, ""),
                                         LLVMBuildFCmp(g->b, LLVMRealOLT, r, zero, ""), "");
    LLVMValueRef moved = LLVMBuildAnd(g->b, has_rest, opposite, "");
    if (op == OP_MOD) {
        LLVMValueRef sign[] = {zero, b};
        LLVMValueRef whole = gen_intrinsic(g, "copysign", NULL, sign, 2);
        LLVMValueRef result = gen_select(g, moved, LLVMBuildFAdd(g->b, r, b, ""), r);
        result = gen_select(g, has_rest, result, whole);
        return gen_select(g, by_zero, r, result);
    }
    LLVMValueRef exact = gen_divide(g, t, a, b);
    LLVMValueRef q = gen_divide(g, t, LLVMBuildFSub(g->b, a, r, ""), b);
    q = gen_select(g, moved, LLVMBuildFSub(g->b, q, one, ""), q);
    LLVMValueRef down = gen_intrinsic(g, "floor", NULL, &q, 1);
    LLVMValueRef over = LLVMBuildFCmp(g->b, LLVMRealOGT, LLVMBuildFSub(g->b, q, down, ""),
                                      gen_float(g, t, 0.5), "");
    down = gen_select(g, over, LLVMBuildFAdd(g->b, down, one, ""), down);
    LLVMValueRef sign[] = {zero, exact};
    LLVMValueRef nothing = LLVMBuildFCmp(g->b, LLVMRealOEQ, q, zero, "");
    LLVMValueRef result = gen_select(g, nothing, gen_intrinsic(g, "copysign", NULL, sign, 2), down);
    return gen_select(g, by_zero, exact, result);
}

static LLVMValueRef gen_float_op(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                                 LLVMValueRef b) {
    LLVMValueRef args[] = {a, b};
    switch (op) {
    case OP_ADD: return contractible(g, LLVMBuildFAdd(g->b, a, b, ""));
    case OP_SUB: return contractible(g, LLVMBuildFSub(g->b, a, b, ""));
    case OP_MUL: return contractible(g, LLVMBuildFMul(g->b, a, b, ""));
    case OP_DIV: return gen_divide(g, t, a, b);
    case OP_POW: return g->target->library(g, &builtins[B_POW], t, gen_type(g, t), args);
    case OP_NEG: return LLVMBuildFNeg(g->b, a, "");
    case OP_POS: return a;
    default: return gen_float_divmod(g, op, t, a, b);
    }
}

static LLVMValueRef gen_int_op(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                               LLVMValueRef b) {
    switch (op) {
    case OP_ADD: return LLVMBuildAdd(g->b, a, b, "");
    case OP_SUB: return LLVMBuildSub(g->b, a, b, "");
    case OP_MUL: return LLVMBuildMul(g->b, a, b, "");
    case OP_POW: return gen_int_pow(g, t, a, b);
    case OP_AND: return LLVMBuildAnd(g->b, a, b, "");
    case OP_OR: return LLVMBuildOr(g->b, a, b, "");
    case OP_XOR: return LLVMBuildXor(g->b, a, b, "");
    case OP_SHL:
    case OP_SHR: return gen_shift(g, op, t, a, b);
    case OP_NEG: return LLVMBuildNeg(g->b, a, "");
    case OP_NOT: return gen_not(g, a);
    case OP_POS: return a;
    default: return gen_int_divmod(g, op, t, a, b);
    }
}

/* Operators on bool as NumPy's: + is or, * is and, - is xor. */
static LLVMValueRef gen_bool_op(struct gen *g, enum op op, LLVMValueRef a, LLVMValueRef b) {
    switch (op) {
    case OP_ADD:
    case OP_OR:
    case OP_LOR: return LLVMBuildOr(g->b, a, b, "");
    case OP_MUL:
    case OP_AND:
    case OP_LAND: return LLVMBuildAnd(g->b, a, b, "");
    case OP_XOR:
    case OP_SUB: return LLVMBuildXor(g->b, a, b, "");
    case OP_NOT:
    case OP_NEG:
    case OP_LNOT: return gen_not(g, a);
    default: return a;
    }
}

LLVMValueRef gen_op(struct gen *g, enum op op, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b) {
    if (op >= OP_EQ && op <= OP_GE)
        return gen_compare(g, op, d, a, b);
    if (d == DT_BOOL)
        return gen_bool_op(g, op, a, b);
    return is_float(d) ? gen_float_op(g, op, d, a, b) : gen_int_op(g, op, d, a, b);
}

/* ---- conversions */

/* Types narrower than 32 bits are converted by way of int32, for which all targets have an
 * instruction. */
static enum ufc_dtype converted_by(enum ufc_dtype to) {
    return dtype_info[to].bits < 32 ? DT_INT32 : to;
}

static LLVMValueRef scalar_to_int(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                                  enum ufc_dtype to) {
    int bits = dtype_info[to].bits;
    enum ufc_dtype by = converted_by(to);
    const char *name = is_signed(by) ? "fptosi.sat" : "fptoui.sat";
    LLVMValueRef r = g->target->to_integer != NULL ? g->target->to_integer(g, v, from, by)
                                                   : gen_intrinsic(g, name, gen_type(g, by), &v, 1);
    if (by == to)
        return r;
    int64_t lo = is_signed(to) ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t hi = (INT64_C(1) << (is_signed(to) ? bits - 1 : bits)) - 1;
    LLVMValueRef low = gen_int(g, DT_INT32, lo), high = gen_int(g, DT_INT32, hi);
    r = gen_select(g, LLVMBuildICmp(g->b, LLVMIntSLT, r, low, ""), low, r);
    r = gen_select(g, LLVMBuildICmp(g->b, LLVMIntSGT, r, high, ""), high, r);
    return LLVMBuildTrunc(g->b, r, gen_type(g, to), "");
}

/* Of vectors LLVM converts with saturation lane by lane.  So they are clamped before; a highest
 * integer that is no float is selected afterwards, and so is the 0 for a NaN. */
static LLVMValueRef lanes_to_int(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                                 enum ufc_dtype to) {
    enum ufc_dtype by = converted_by(to);
    int digits = dtype_info[to].bits - is_signed(to);
    double beyond = ldexp(1, digits);
    LLVMValueRef low = gen_float(g, from, is_signed(to) ? -beyond : 0);
    LLVMValueRef high = gen_float(g, from, beyond - 1), over = NULL;
    LLVMValueRef number = LLVMBuildFCmp(g->b, LLVMRealORD, v, v, "");
    v = gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOGT, low, v, ""), low, v);
    if (digits <= format_of(from).mantissa + 1)
        v = gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOLT, high, v, ""), high, v);
    else
        over = LLVMBuildFCmp(g->b, LLVMRealOGE, v, gen_float(g, from, beyond), "");
    LLVMTypeRef type = gen_type(g, by);
    LLVMValueRef r =
        is_signed(by) ? LLVMBuildFPToSI(g->b, v, type, "") : LLVMBuildFPToUI(g->b, v, type, "");
    if (over != NULL)
        r = gen_select(g, over, gen_int(g, by, (int64_t)(UINT64_MAX >> (64 - digits))), r);
    r = gen_select(g, number, r, gen_int(g, by, 0));
    return by == to ? r : LLVMBuildTrunc(g->b, r, gen_type(g, to), "");
}

/* A float as an integer: truncated, saturated, 0 for a NaN. */
static LLVMValueRef float_to_int(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                                 enum ufc_dtype to) {
    return g->lanes > 1 ? lanes_to_int(g, v, from, to) : scalar_to_int(g, v, from, to);
}

LLVMValueRef gen_cast(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to) {
    LLVMTypeRef type = gen_type(g, to);
    if (from == to)
        return v;
    if (is_half(from) || is_half(to) || is_complex(from) || is_complex(to))
        return gen_cast_stored(g, v, from, to);
    if (to == DT_BOOL) /* a NaN is true */
        return gen_compare(g, OP_NE, from, v, LLVMConstNull(LLVMTypeOf(v)));
    if (is_float(from))
        return !is_float(to)      ? float_to_int(g, v, from, to)
               : to == DT_FLOAT64 ? LLVMBuildFPExt(g->b, v, type, "")
                                  : LLVMBuildFPTrunc(g->b, v, type, "");
    if (to == DT_FLOAT64 && dtype_info[from].bits <= 32 && from != DT_BOOL &&
        g->target->to_float64 != NULL)
        return g->target->to_float64(g, v, from);
    if (is_float(to))
        return is_signed(from) ? LLVMBuildSIToFP(g->b, v, type, "")
                               : LLVMBuildUIToFP(g->b, v, type, "");
    return LLVMBuildIntCast2(g->b, v, type, is_signed(from), "");
}

/* ---- elements in memory */

LLVMValueRef gen_load_element(struct gen *g, enum ufc_dtype d, LLVMTypeRef memory, LLVMValueRef at,
                              unsigned align) {
    LLVMValueRef v = LLVMBuildLoad2(g->b, memory, at, "");
    LLVMSetAlignment(v, align);
    if (d == DT_BOOL)
        v = LLVMBuildICmp(g->b, LLVMIntNE, v, LLVMConstNull(memory), "");
    return v;
}

void gen_store_element(struct gen *g, LLVMTypeRef memory, LLVMValueRef v, LLVMValueRef at,
                       unsigned align) {
    if (LLVMTypeOf(v) != memory) /* bool */
        v = LLVMBuildZExt(g->b, v, memory, "");
    LLVMSetAlignment(LLVMBuildStore(g->b, v, at), align);
}
