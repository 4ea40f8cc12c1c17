/* ptx_decode_integer.c: the arithmetic of PTX on integers and bits; moves. */
#include "ptx_read.h"

/* ---- arithmetic */

/* The op for so many bits, of three in a row for 16, 32 and 64 bits. */
static enum ptx_op sized(enum ptx_op op16, int bits) {
    return (enum ptx_op)((int)op16 + (bits == 64 ? 2 : bits == 32));
}

static bool integer(struct ptx_type t) {
    return (t.kind == 'u' || t.kind == 's') && t.bits >= 16;
}

static bool bits_type(struct ptx_type t) {
    return t.kind == 'b' && t.bits >= 16;
}

/* add, sub; .cc sets the carry, addc and subc use it. */
static bool decode_add(struct reader *p, enum ptx_word base) {
    bool sets = take(p, W_CC), uses = base == W_ADDC || base == W_SUBC;
    bool add = base == W_ADD || base == W_ADDC;
    struct ptx_type t = take_type(p);
    if (!integer(t))
        return false;
    if (!sets && !uses)
        return emit_values(p, sized(add ? OP_ADD16 : OP_SUB16, t.bits), t.bits, 2);
    uint32_t at = p->program->ncode;
    bool fits = emit_values(p, (enum ptx_op)((int)(add ? OP_ADDC32 : OP_SUBC32) + (t.bits == 64)),
                            t.bits, 2);
    if (at < p->program->ncode)
        p->program->code[p->program->ncode - 1].aux = (uint16_t)(uses | sets << 1);
    return fits && t.bits >= 32;
}

static enum ptx_op high_product(struct ptx_type t) {
    return sized(t.kind == 's' ? OP_HIGH_S16 : OP_HIGH_U16, t.bits);
}

static enum ptx_op wide_product(struct ptx_type t) {
    return t.kind == 'u' ? OP_WIDE_U : t.bits == 16 ? OP_WIDE_S16 : OP_WIDE_S32;
}

static bool decode_mul(struct reader *p) {
    static const enum ptx_word halves[] = {W_LO, W_HI, W_WIDE};
    int half = take_one(p, halves, 3);
    struct ptx_type t = take_type(p);
    if (half < 0 || !integer(t) || (half == 2 && t.bits == 64))
        return false;
    enum ptx_op op = half == 0   ? sized(OP_MUL16, t.bits)
                     : half == 1 ? high_product(t)
                                 : wide_product(t);
    return emit_values(p, op, t.bits, 2);
}

/* mad, and madc, which adds the carry: a product, then a sum. */
static bool decode_mad(struct reader *p, enum ptx_word base) {
    static const enum ptx_word halves[] = {W_LO, W_HI, W_WIDE};
    int half = take_one(p, halves, 3);
    bool sets = take(p, W_CC), uses = base == W_MADC;
    struct ptx_type t = take_type(p);
    if (half < 0 || !integer(t) || (half == 2 && t.bits == 64) || p->noperands != 4)
        return false;
    if (half == 0 && !sets && !uses)
        return emit_values(p, sized(OP_MAD16, t.bits), t.bits, 3);
    uint32_t a = source(p, 1, t.bits), b = source(p, 2, t.bits), product = slot_new(p);
    int bits = half == 2 ? 2 * t.bits : t.bits;
    uint32_t c = source(p, 3, bits);
    enum ptx_op op = half == 0   ? sized(OP_MUL16, t.bits)
                     : half == 1 ? high_product(t)
                                 : wide_product(t);
    emit(p, op, product, a, b, 0);
    if (!sets && !uses) {
        emit(p, sized(OP_ADD16, bits), result(p, 0), product, c, 0);
        return true;
    }
    struct insn *sum = emit(p, bits == 64 ? OP_ADDC64 : OP_ADDC32, result(p, 0), product, c, 0);
    sum->aux = (uint16_t)(uses | sets << 1);
    return bits >= 32;
}

static bool decode_div(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    if (!integer(t))
        return false;
    enum ptx_op op = OP_REM_U;
    if (t.kind == 's')
        op = (enum ptx_op)((int)(base == W_DIV ? OP_DIV_S16 : OP_REM_S16) + (t.bits == 64   ? 4
                                                                             : t.bits == 32 ? 2
                                                                                            : 0));
    else if (base == W_DIV)
        op = sized(OP_DIV_U16, t.bits);
    return emit_values(p, op, t.bits, 2);
}

static bool decode_min(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    if (!integer(t))
        return false;
    int which = t.kind == 'u' ? 0 : t.bits == 16 ? 1 : t.bits == 32 ? 2 : 3;
    return emit_values(p, (enum ptx_op)((int)OP_MIN_U + 2 * which + (base == W_MAX)), t.bits, 2);
}

static bool decode_negate(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    return integer(t) && t.kind == 's' &&
           emit_values(p, sized(base == W_NEG ? OP_NEG16 : OP_ABS16, t.bits), t.bits, 1);
}

/* ---- bits */

static bool decode_logic(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    if (!bits_type(t) && t.kind != 'p')
        return false;
    if (base == W_NOT)
        return emit_values(p, t.kind == 'p' ? OP_NOT1 : sized(OP_NOT16, t.bits), t.bits, 1);
    if (base == W_CNOT)
        return emit_values(p, OP_CNOT, t.bits, 1);
    return emit_values(p, base == W_AND ? OP_AND : base == W_OR ? OP_OR : OP_XOR, t.bits, 2);
}

static bool decode_shift(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    if (!integer(t) && !bits_type(t))
        return false;
    enum ptx_op op = base == W_SHL   ? sized(OP_SHL16, t.bits)
                     : t.kind == 's' ? sized(OP_SHR_S16, t.bits)
                                     : OP_SHR_U;
    emit(p, op, result(p, 0), source(p, 1, t.bits), source(p, 2, 32), 0);
    return p->noperands == 3;
}

static bool decode_funnel(struct reader *p) {
    bool left = take(p, W_L), right = !left && take(p, W_R), wrap = take(p, W_WRAP);
    bool clamp = !wrap && take(p, W_CLAMP);
    struct ptx_type t = take_type(p);
    enum ptx_op op = wrap ? (left ? OP_SHF_L_WRAP : OP_SHF_R_WRAP) : left ? OP_SHF_L : OP_SHF_R;
    /* The left shift's result is the high half: of {b, a} with a amount over 31 that is a. */
    return (left || right) && (wrap || clamp) && t.bits == 32 && emit_values(p, op, 32, 3);
}

static bool decode_field(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    if (t.bits < 32 || t.kind == 'f')
        return false;
    if (base == W_BFE)
        return emit_values(
            p, (enum ptx_op)((int)(t.bits == 64 ? OP_BFE_U64 : OP_BFE_U32) + (t.kind == 's')),
            t.bits, 3);
    return emit_values(p, t.bits == 64 ? OP_BFI64 : OP_BFI32, t.bits, 4);
}

static bool decode_find(struct reader *p) {
    bool shift = take(p, W_SHIFTAMT);
    struct ptx_type t = take_type(p);
    bool fits = integer(t) && t.bits >= 32 && emit_values(p, OP_BFIND, t.bits, 1);
    if (fits && p->program->ncode)
        p->program->code[p->program->ncode - 1].aux =
            (uint16_t)((t.bits == 64) | (t.kind == 's') << 1 | shift << 2);
    return fits;
}

static bool decode_permute(struct reader *p) {
    static const enum ptx_word modes[] = {W_F4E, W_B4E, W_RC8, W_ECL, W_ECR, W_RC16};
    struct ptx_type t = take_type(p);
    int mode = take_one(p, modes, 6);
    bool fits = t.bits == 32 && emit_values(p, OP_PRMT, 32, 3);
    if (fits && p->program->ncode)
        p->program->code[p->program->ncode - 1].aux = (uint16_t)(mode + 1);
    return fits;
}

static bool decode_count(struct reader *p, enum ptx_word base) {
    struct ptx_type t = take_type(p);
    if (t.kind != 'b' || t.bits < 32)
        return false;
    bool is64 = t.bits == 64;
    enum ptx_op op = base == W_POPC  ? OP_POPC
                     : base == W_CLZ ? (is64 ? OP_CLZ64 : OP_CLZ32)
                                     : (is64 ? OP_BREV64 : OP_BREV32);
    return emit_values(p, op, t.bits, 1);
}

/* ---- moves */

/* mov.b64 {a, b}, c and mov.b64 c, {a, b} */
static bool decode_pack(struct reader *p, int bits) {
    const struct ptx_operand *to = &p->operand[0], *from = &p->operand[1];
    int n = to->is_vector ? to->n : from->n, each = bits / n;
    if (n < 2 || n == 3 || each < 8 || to->is_vector == from->is_vector)
        return false;
    if (to->is_vector) {
        uint32_t whole = source(p, 1, bits), all = slot_new(p);
        uint64_t mask = each == 32 ? UINT32_MAX : (UINT64_C(1) << each) - 1;
        emit(p, OP_MOV, all, whole, 0, 0); /* a part may be the whole's register */
        for (int i = 0; i < n; i++)
            if (to->value[i].kind != VALUE_SINK)
                emit(p, OP_PART, slot_of(p, &to->value[i], each), all,
                     slot_preset(p, PRESET_CONSTANT, (uint64_t)i * (uint64_t)each),
                     slot_preset(p, PRESET_CONSTANT, mask));
        return true;
    }
    uint32_t part[4], sum = slot_new(p);
    for (int i = 0; i < n; i++)
        part[i] = slot_of(p, &from->value[i], each);
    enum ptx_op op = each == 8 ? OP_PACK8 : each == 16 ? OP_PACK16 : OP_PACK32;
    emit(p, op, n == 2 ? result(p, 0) : sum, part[0], part[1], 0);
    if (n == 4) {
        uint32_t high = slot_new(p);
        emit(p, op, high, part[2], part[3], 0);
        emit(p, each == 8 ? OP_PACK16 : OP_PACK32, result(p, 0), sum, high, 0);
    }
    return true;
}

static bool decode_move(struct reader *p) {
    struct ptx_type t = take_type(p);
    if (!t.bits || p->noperands != 2)
        return false;
    if (p->operand[0].is_vector || p->operand[1].is_vector)
        return decode_pack(p, t.bits);
    if (p->operand[1].value[0].kind == VALUE_CLOCK) {
        emit(p, OP_CLOCK, result(p, 0), 0, 0, 0);
        return true;
    }
    return emit_values(p, OP_MOV, t.bits, 1);
}

static bool decode_select(struct reader *p) {
    struct ptx_type t = take_type(p);
    if (!t.bits)
        return false;
    emit(p, OP_SELP, result(p, 0), source(p, 1, t.bits), source(p, 2, t.bits), source(p, 3, 1));
    return p->noperands == 4;
}

static bool decode_lop3(struct reader *p) {
    struct ptx_type t = take_type(p);
    return t.bits == 32 && emit_values(p, OP_LOP3, 32, 4);
}

/* ---- instructions */

bool decode_integer(struct reader *p, enum ptx_word base) {
    switch (base) {
    case W_ADD:
    case W_ADDC:
    case W_SUB:
    case W_SUBC: return decode_add(p, base);
    case W_MUL: return decode_mul(p);
    case W_MAD:
    case W_MADC: return decode_mad(p, base);
    case W_DIV:
    case W_REM: return decode_div(p, base);
    case W_MIN:
    case W_MAX: return decode_min(p, base);
    case W_NEG:
    case W_ABS: return decode_negate(p, base);
    case W_NOT:
    case W_CNOT:
    case W_AND:
    case W_OR:
    case W_XOR: return decode_logic(p, base);
    case W_SHL:
    case W_SHR: return decode_shift(p, base);
    case W_SHF: return decode_funnel(p);
    case W_BFE:
    case W_BFI: return decode_field(p, base);
    case W_BFIND: return decode_find(p);
    case W_PRMT: return decode_permute(p);
    case W_POPC:
    case W_CLZ:
    case W_BREV: return decode_count(p, base);
    case W_MOV: return decode_move(p);
    case W_SELP: return decode_select(p);
    case W_LOP3: return decode_lop3(p);
    default: return false;
    }
}
