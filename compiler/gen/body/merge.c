/* merge.c: numbers merged into elements that other threads merge into at that time: by one atomic
 * operation where there is such; else the element is exchanged for what both make, again until no
 * other thread comes between. */
#include "build.h"

/* Whether GPUs merge by one operation on d; bits of a part of a word, by one on the word. */
static bool has_operation(const struct pstmt *s, enum ufc_dtype d, LLVMAtomicRMWBinOp *op) {
    bool negative = is_signed(d);
    if (is_float(d)) {
        *op = LLVMAtomicRMWBinOpFAdd;
        return merge_of(s) == OP_ADD;
    }
    switch (merge_of(s)) {
    case OP_AND: *op = LLVMAtomicRMWBinOpAnd; return true;
    case OP_OR: *op = LLVMAtomicRMWBinOpOr; return true;
    case OP_XOR: *op = LLVMAtomicRMWBinOpXor; return true;
    default: break;
    }
    if (dtype_traits[d].bits < 32)
        return false;
    switch (merge_of(s)) {
    case OP_ADD: *op = LLVMAtomicRMWBinOpAdd; return true;
    case OP_COUNT + B_MIN:
        *op = negative ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
        return true;
    case OP_COUNT + B_MAX:
        *op = negative ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
        return true;
    default: return false;
    }
}

LLVMValueRef gen_merged(struct gen *g, const struct pstmt *s) {
    LLVMValueRef v = gen_value(g, merged_value(s));
    bool negative = s->value->kind == PV_OP && s->value->op == OP_SUB;
    if (negative && is_float(s->place->dtype))
        return LLVMBuildFNeg(g->b, v, "");
    return negative ? LLVMBuildNeg(g->b, v, "") : v;
}

LLVMValueRef gen_joined(struct gen *g, const struct pstmt *s, enum ufc_dtype d, LLVMValueRef a,
                        LLVMValueRef b) {
    if (s->value->kind == PV_CALL)
        return gen_builtin(g, s->value->builtin, 0, d, LLVMTypeOf(a), (LLVMValueRef[]){a, b});
    return gen_op(g, (enum op)merge_of(s), d, a, b);
}

/* The place of an element in the word of 32 bits that is changed, if it is smaller. */
struct place {
    LLVMValueRef word, shift, mask; /* shift NULL: the element is what is changed */
};

static struct place find_word(struct gen *g, enum ufc_dtype d, LLVMValueRef at) {
    struct place p = {.word = at};
    if (dtype_traits[d].bits >= 32)
        return p;
    LLVMValueRef low =
        both(g, LLVMBuildPtrToInt(g->b, at, i64_type(g), ""), i64(g, 3)); /* bytes before it */
    p.word = at_byte(g, at, LLVMBuildNeg(g->b, low, ""));
    p.shift = LLVMBuildShl(g->b, LLVMBuildTrunc(g->b, low, i32_type(g), ""), i32(g, 3), "");
    p.mask = LLVMBuildShl(g->b, i32(g, (UINT32_C(1) << dtype_traits[d].bits) - 1), p.shift, "");
    return p;
}

/* What the word `old` becomes. */
static LLVMValueRef replaced(struct gen *g, const struct pstmt *s, enum ufc_dtype d,
                             const struct place *p, LLVMValueRef old, LLVMValueRef v) {
    if (is_float(d)) {
        LLVMValueRef element = LLVMBuildBitCast(g->b, old, LLVMTypeOf(v), "");
        return LLVMBuildBitCast(g->b, gen_joined(g, s, d, element, v), LLVMTypeOf(old), "");
    }
    if (p->shift == NULL)
        return gen_joined(g, s, d, old, v);
    LLVMValueRef element = LLVMBuildLShr(g->b, old, p->shift, "");
    element = LLVMBuildTrunc(g->b, element, LLVMTypeOf(v), "");
    element = LLVMBuildZExt(g->b, gen_joined(g, s, d, element, v), i32_type(g), "");
    LLVMValueRef others = both(g, old, LLVMBuildNot(g->b, p->mask, ""));
    return LLVMBuildOr(g->b, others, LLVMBuildShl(g->b, element, p->shift, ""), "");
}

static void exchange(struct gen *g, const struct pstmt *s, enum ufc_dtype d, LLVMValueRef at,
                     LLVMValueRef v) {
    const LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
    struct place p = find_word(g, d, at);
    LLVMTypeRef type = p.shift != NULL ? i32_type(g) : LLVMTypeOf(v);
    if (is_float(d))
        type = dtype_traits[d].bits == 64 ? i64_type(g) : i32_type(g);
    LLVMValueRef first = LLVMBuildLoad2(g->b, type, p.word, "");
    LLVMSetOrdering(first, order);
    LLVMSetAlignment(first, dtype_traits[d].bits == 64 ? 8 : 4);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), again = gen_block(g, "again"),
                      differs = gen_block(g, "differs"), done = gen_block(g, "merged");
    LLVMBuildBr(g->b, again);
    gen_place(g, again);
    LLVMValueRef old = LLVMBuildPhi(g->b, type, "");
    LLVMValueRef next = replaced(g, s, d, &p, old, v);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, next, old), done, differs);
    gen_place(g, differs);
    LLVMValueRef swap = LLVMBuildAtomicCmpXchg(g->b, p.word, old, next, order, order, false);
    LLVMValueRef was = LLVMBuildExtractValue(g->b, swap, 0, "");
    LLVMBuildCondBr(g->b, LLVMBuildExtractValue(g->b, swap, 1, ""), done, again);
    LLVMAddIncoming(old, (LLVMValueRef[]){first, was}, (LLVMBasicBlockRef[]){before, differs}, 2);
    gen_place(g, done);
}

void gen_merge_at(struct gen *g, const struct pstmt *s, enum ufc_dtype d, LLVMValueRef at,
                  LLVMValueRef v) {
    LLVMAtomicRMWBinOp op;
    if (!has_operation(s, d, &op)) {
        exchange(g, s, d, at, v);
        return;
    }
    struct place p = find_word(g, d, at);
    if (p.shift != NULL) {
        v = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, v, i32_type(g), ""), p.shift, "");
        if (op == LLVMAtomicRMWBinOpAnd)
            v = LLVMBuildOr(g->b, v, LLVMBuildNot(g->b, p.mask, ""), "");
    }
    LLVMBuildAtomicRMW(g->b, op, p.word, v, LLVMAtomicOrderingMonotonic, false);
}

void gen_merge(struct gen *g, const struct pstmt *s) {
    enum ufc_dtype d = merged_dtype(s->place->dtype);
    LLVMValueRef v = gen_merged(g, s);
    if (d != s->place->dtype)
        v = LLVMBuildZExt(g->b, v, gen_type(g, d), "");
    gen_merge_at(g, s, d, gen_address(g, s->place), v);
}

void gen_merge_alone(struct gen *g, const struct pstmt *s) {
    LLVMValueRef v = gen_value(g, s->value), old = gen_element(g, s->place);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, v, old));
    gen_store_to(g, s->place, v);
    end_if(g, after);
}
