/* ptx_decode_float.c: the arithmetic of PTX on floats; comparisons, conversions. */
#include "ptx_read.h"

/* ---- arithmetic */

static const enum ptx_word roundings[] = {W_RN, W_RZ, W_RM, W_RP};

/* The op of its own that an operation has when rounded to nearest. */
static enum ptx_op plain_op(enum float_op op, bool is64) {
    switch (op) {
    case FLOAT_ADD: return is64 ? OP_ADD_F64 : OP_ADD_F32;
    case FLOAT_SUB: return is64 ? OP_SUB_F64 : OP_SUB_F32;
    case FLOAT_MUL: return is64 ? OP_MUL_F64 : OP_MUL_F32;
    case FLOAT_DIV: return is64 ? OP_DIV_F64 : OP_DIV_F32;
    case FLOAT_FMA: return is64 ? OP_FMA_F64 : OP_FMA_F32;
    case FLOAT_NEG: return is64 ? OP_NEG_F64 : OP_NEG_F32;
    case FLOAT_ABS: return is64 ? OP_ABS_F64 : OP_ABS_F32;
    default: return OP_FLOAT;
    }
}

static bool emit_float(struct reader *p, enum float_op op, int nsources) {
    bool ftz = take(p, W_FTZ), sat = take(p, W_SAT);
    int rounding = take_one(p, roundings, 4);
    bool is64 = take_type(p).bits == 64;
    bool plain = !ftz && !sat && rounding <= 0;
    uint32_t at = p->program->ncode;
    bool fits = emit_values(p, plain ? plain_op(op, is64) : OP_FLOAT, is64 ? 64 : 32, nsources);
    unsigned aux = (unsigned)op;
    aux |= (unsigned)(rounding < 0 ? ROUND_NEAREST : rounding) << FLOAT_ROUND_SHIFT;
    aux |= (ftz ? FLOAT_FTZ : 0U) | (sat ? FLOAT_SAT : 0U) | (is64 ? FLOAT_64 : 0U);
    if (at < p->program->ncode)
        p->program->code[p->program->ncode - 1].aux = (uint16_t)aux;
    return fits;
}

static bool is_gross(const struct reader *p) {
    for (int i = 1; i < p->nwords; i++)
        if (p->word[i] == W_F64)
            return true;
    return false;
}

/* rcp, sqrt, rsqrt, div: rounded, .approx or .full */
static bool decode_quotient(struct reader *p, enum ptx_word base) {
    bool approx = take(p, W_APPROX);
    approx |= take(p, W_FULL);
    switch (base) {
    case W_RCP: return emit_float(p, approx && is_gross(p) ? FLOAT_RCP_GROSS : FLOAT_RCP, 1);
    case W_RSQRT: return emit_float(p, is_gross(p) ? FLOAT_RSQRT_GROSS : FLOAT_RSQRT, 1);
    case W_SQRT: return emit_float(p, FLOAT_SQRT, 1);
    default: return emit_float(p, FLOAT_DIV, 2);
    }
}

static bool decode_extreme(struct reader *p, bool max) {
    bool nan = take(p, W_NAN_PROPAGATES);
    return emit_float(p,
                      max   ? (nan ? FLOAT_MAX_NAN : FLOAT_MAX)
                      : nan ? FLOAT_MIN_NAN
                            : FLOAT_MIN,
                      2);
}

static bool decode_approximate(struct reader *p, enum float_op op) {
    return take(p, W_APPROX) && emit_float(p, op, 1);
}

static bool decode_test(struct reader *p) {
    static const enum ptx_word tests[] = {W_FINITE,     W_INFINITE, W_NUMBER,
                                          W_NOTANUMBER, W_NORMAL,   W_SUBNORMAL};
    int test = take_one(p, tests, 6);
    struct ptx_type t = take_type(p);
    if (test < 0 || p->noperands != 2)
        return false;
    emit(p, OP_TESTP, result(p, 0), source(p, 1, t.bits), 0, 0)->aux =
        (uint16_t)(test | (t.bits == 64 ? TESTP_64 : 0));
    return true;
}

static bool decode_copysign(struct reader *p) {
    bool is64 = take_type(p).bits == 64;
    return emit_values(p, is64 ? OP_COPYSIGN_F64 : OP_COPYSIGN_F32, is64 ? 64 : 32, 2);
}

bool decode_float(struct reader *p, enum ptx_word base) {
    switch (base) {
    case W_ADD: return emit_float(p, FLOAT_ADD, 2);
    case W_SUB: return emit_float(p, FLOAT_SUB, 2);
    case W_MUL: return emit_float(p, FLOAT_MUL, 2);
    case W_MAD:
    case W_FMA: return emit_float(p, FLOAT_FMA, 3);
    case W_NEG: return emit_float(p, FLOAT_NEG, 1);
    case W_ABS: return emit_float(p, FLOAT_ABS, 1);
    case W_MIN:
    case W_MAX: return decode_extreme(p, base == W_MAX);
    case W_DIV:
    case W_RCP:
    case W_SQRT:
    case W_RSQRT: return decode_quotient(p, base);
    case W_SIN: return decode_approximate(p, FLOAT_SIN);
    case W_COS: return decode_approximate(p, FLOAT_COS);
    case W_EX2: return decode_approximate(p, FLOAT_EX2);
    case W_LG2: return decode_approximate(p, FLOAT_LG2);
    case W_TANH: return decode_approximate(p, FLOAT_TANH);
    case W_TESTP: return decode_test(p);
    case W_COPYSIGN: return decode_copysign(p);
    default: return false;
    }
}

/* ---- comparisons */

/* How a comparison is done: by an op on (a, b), or on (b, a). */
struct comparison {
    enum ptx_word word;
    int op; /* 0 eq, 1 ne, 2 lt, 3 le; of floats more */
    bool swapped;
};

static const struct comparison comparisons[] = {
    {W_EQ, 0, false},  {W_NE, 1, false},  {W_LT, 2, false},  {W_LE, 3, false},  {W_GT, 2, true},
    {W_GE, 3, true},   {W_LO, 2, false},  {W_LS, 3, false},  {W_HI, 2, true},   {W_HS, 3, true},
    {W_EQU, 4, false}, {W_NEU, 5, false}, {W_LTU, 6, false}, {W_LEU, 7, false}, {W_GTU, 6, true},
    {W_GEU, 7, true},  {W_NUM, 8, false}, {W_NAN, 9, false},
};

static enum ptx_op comparison_op(const struct comparison *c, struct ptx_type t) {
    static const enum ptx_op floats[] = {OP_EQ_F32,  OP_NE_F32,  OP_LT_F32,  OP_LE_F32,
                                         OP_EQU_F32, OP_NEU_F32, OP_LTU_F32, OP_LEU_F32,
                                         OP_NUM_F32, OP_NAN_F32};
    static const enum ptx_op doubles[] = {OP_EQ_F64,  OP_NE_F64,  OP_LT_F64,  OP_LE_F64,
                                          OP_EQU_F64, OP_NEU_F64, OP_LTU_F64, OP_LEU_F64,
                                          OP_NUM_F64, OP_NAN_F64};
    if (t.kind == 'f')
        return t.bits == 64 ? doubles[c->op] : floats[c->op];
    if (c->op == 0)
        return OP_EQ;
    if (c->op == 1)
        return OP_NE;
    bool less = c->op == 2;
    bool unsigned_order = c->word == W_LO || c->word == W_LS || c->word == W_HI || c->word == W_HS;
    if (t.kind != 's' || unsigned_order)
        return less ? OP_LT_U : OP_LE_U;
    enum ptx_op op16 = less ? OP_LT_S16 : OP_LE_S16;
    return (enum ptx_op)((int)op16 + (t.bits == 64 ? 2 : t.bits == 32));
}

static uint32_t flushed(struct reader *p, uint32_t slot) {
    uint32_t d = slot_new(p);
    emit(p, OP_FLUSH, d, slot, 0, 0);
    return d;
}

/* setp.lt.and.s32 p|q, a, b, c: p = (a < b) and c, q = !(a < b) and c. */
static void combine(struct reader *p, int op, uint32_t condition, uint32_t d, uint32_t other) {
    static const enum ptx_op ops[] = {OP_AND, OP_OR, OP_XOR};
    if (op < 0)
        emit(p, OP_MOV, d, condition, 0, 0);
    else
        emit(p, ops[op], d, condition, other, 0);
}

/* set: all bits, or 1.0, for true */
static void emit_set(struct reader *p, uint32_t d, uint32_t condition, struct ptx_type to) {
    uint64_t yes = to.kind == 'f' ? 0x3f800000 : UINT32_MAX;
    emit(p, OP_SELP, d, slot_preset(p, PRESET_CONSTANT, yes), slot_preset(p, PRESET_CONSTANT, 0),
         condition);
}

bool decode_compare(struct reader *p, enum ptx_word base) {
    static const enum ptx_word combinations[] = {W_AND, W_OR, W_XOR};
    const struct comparison *c = NULL;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons && !c; i++)
        if (take(p, comparisons[i].word))
            c = &comparisons[i];
    int combination = take_one(p, combinations, 3);
    bool ftz = take(p, W_FTZ);
    struct ptx_type to = base == W_SET ? take_type(p) : (struct ptx_type){1, 'p'};
    struct ptx_type t = take_type(p);
    if (!c || t.bits < 16 || p->noperands != (combination < 0 ? 3 : 4) ||
        (t.kind != 'f' && c->op > 3))
        return false;
    uint32_t d = result(p, 0), a = source(p, 1, t.bits), b = source(p, 2, t.bits);
    if (ftz && t.bits == 32) {
        a = flushed(p, a);
        b = flushed(p, b);
    }
    const struct ptx_value *pair = &p->operand[0].pair;
    bool simple = combination < 0 && pair->kind == VALUE_NONE && base == W_SETP;
    uint32_t condition = simple ? d : slot_new(p);
    emit(p, comparison_op(c, t), condition, c->swapped ? b : a, c->swapped ? a : b, 0);
    if (simple)
        return true;
    uint32_t other = combination < 0 ? 0 : source(p, 3, 1), combined = slot_new(p);
    if (pair->kind != VALUE_NONE) {
        uint32_t opposite = slot_new(p);
        emit(p, OP_NOT1, opposite, condition, 0, 0);
        combine(p, combination, opposite, slot_of(p, pair, 1), other);
    }
    combine(p, combination, condition, combined, other);
    if (base == W_SET)
        emit_set(p, d, combined, to);
    else
        emit(p, OP_MOV, d, combined, 0, 0);
    return true;
}

/* ---- conversions */

static enum number_type number_type(struct ptx_type t) {
    if (t.kind == 'f')
        return t.bits == 64 ? N_F64 : N_F32;
    int size = t.bits == 64 ? 3 : t.bits == 32 ? 2 : t.bits == 16 ? 1 : 0;
    return (enum number_type)(2 * size + (t.kind == 's'));
}

/* Integer to integer: the low bits of the narrower type, extended to the register. */
static enum ptx_op integer_conversion(struct ptx_type from, struct ptx_type to, int reg) {
    struct ptx_type t = from.bits < to.bits ? from : to;
    if (t.kind == 's' && t.bits < reg) {
        static const enum ptx_op byte[] = {OP_CVT_S8_16, OP_CVT_S8_32, OP_CVT_S8_64};
        int wide_index = reg == 64 ? 2 : reg == 32 ? 1 : 0;
        if (t.bits == 8)
            return byte[wide_index];
        if (t.bits == 16)
            return reg == 64 ? OP_CVT_S16_64 : OP_CVT_S16_32;
        return OP_CVT_S32_64;
    }
    return t.bits == 8 ? OP_CVT_U8 : t.bits == 16 ? OP_CVT_U16 : t.bits == 32 ? OP_CVT_U32 : OP_MOV;
}

/* A type narrower than the result and signed, in a register that is wider than the result, is
 * extended to the result's bits only. */
static int extended_bits(struct ptx_type from, struct ptx_type to, int reg) {
    return to.kind == 's' || from.bits >= to.bits ? reg : to.bits;
}

bool decode_convert(struct reader *p) {
    static const enum ptx_word to_integer[] = {W_RNI, W_RZI, W_RMI, W_RPI};
    int integral = take_one(p, to_integer, 4), rounding = take_one(p, roundings, 4);
    bool ftz = take(p, W_FTZ), sat = take(p, W_SAT);
    struct ptx_type to = take_type(p), from = take_type(p);
    if (!to.bits || !from.bits || to.kind == 'b' || from.kind == 'b' || p->noperands != 2)
        return false;
    bool to_half = to.bits == 16 && to.kind == 'f', of_half = from.bits == 16 && from.kind == 'f';
    if (to_half || of_half) { /* with .ftz or without */
        emit(p, to_half ? OP_CVT_F32_F16 : OP_CVT_F16_F32, result(p, 0), source(p, 1, from.bits), 0,
             0);
        return to.bits + from.bits == 16 + 32 && to.kind == from.kind && integral < 0 &&
               rounding <= 0 && !sat;
    }
    int reg = result_bits(p, 0);
    uint32_t a = source(p, 1, from.bits);
    if (to.kind != 'f' && from.kind != 'f' && !sat) {
        reg = extended_bits(from, to, reg);
        emit(p, integer_conversion(from, to, reg), result(p, 0), a, 0, 0);
        return true;
    }
    unsigned extend = reg == 64 ? 2U : reg == 32 ? 1U : 0U;
    int round = integral >= 0 ? integral : rounding >= 0 ? rounding : 0;
    unsigned aux = (unsigned)number_type(from) | (unsigned)number_type(to) << CONVERT_TO_SHIFT |
                   (unsigned)round << CONVERT_ROUND_SHIFT | extend << CONVERT_EXTEND_SHIFT;
    aux |= (ftz ? CONVERT_FTZ : 0U) | (sat ? CONVERT_SAT : 0U);
    aux |= integral >= 0 && to.kind == 'f' && from.kind == 'f' ? CONVERT_INTEGRAL : 0U;
    emit(p, OP_CONVERT, result(p, 0), a, 0, 0)->aux = (uint16_t)aux;
    return true;
}
