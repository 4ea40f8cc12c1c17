/* nvptx_sums.c: sums of 64 bits whose terms are small, as counts of what holds, add these up in 32
 * bits first.
 *
 * An addition of 64 bits is two, by way of a carry; three words are added in one instruction. */
#include "gen/llvm.h"
#include "nvptx.h"

enum { VISITED = 64 };                    /* values of a sum, at most */
static const int64_t most_sum = 1 << 30;  /* of its terms' sizes */
static const int64_t most_term = 1 << 20; /* of a constant */

static LLVMValueRef constant_of(LLVMValueRef v) {
    return LLVMIsAConstantInt(v);
}

/* Bits of what v extends; 0: it extends nothing. */
static unsigned extended_bits(LLVMValueRef v) {
    if (LLVMIsAZExtInst(v) == NULL && LLVMIsASExtInst(v) == NULL)
        return 0;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(v, 0));
    return LLVMGetTypeKind(from) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(from) : 0;
}

/* What v's size is at most, of 32 or 64 bits, with a sign; most_sum: it may be more.  left: so many
 * values may be looked at. */
static int64_t most_within(LLVMValueRef v, int *left) {
    if (constant_of(v) != NULL) {
        int64_t i = LLVMConstIntGetSExtValue(v);
        return i >= -most_term && i <= most_term ? (i < 0 ? -i : i) : most_sum;
    }
    unsigned bits = extended_bits(v);
    if (bits > 0 && bits <= 16)
        return INT64_C(1) << bits;
    if (--*left < 0 || LLVMIsAInstruction(v) == NULL)
        return most_sum;
    if (LLVMIsASExtInst(v) != NULL)
        return most_within(LLVMGetOperand(v, 0), left);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op != LLVMSelect && op != LLVMAdd)
        return most_sum;
    int64_t a = most_within(LLVMGetOperand(v, op == LLVMSelect), left);
    int64_t b = a < most_sum ? most_within(LLVMGetOperand(v, 1 + (op == LLVMSelect)), left) : a;
    int64_t sum = op == LLVMAdd ? a + b : a > b ? a : b;
    return sum < most_sum ? sum : most_sum;
}

static int64_t most_of(LLVMValueRef v) {
    int left = VISITED;
    return most_within(v, &left);
}

static bool is_small(LLVMValueRef v) {
    return most_of(v) < most_sum;
}

/* A small number of 64 bits in 32. */
static LLVMValueRef word_of(struct gen *g, LLVMValueRef v) {
    if (constant_of(v) != NULL)
        return LLVMConstInt(i32_type(g), (uint64_t)LLVMConstIntGetSExtValue(v) & UINT32_MAX, false);
    if (extended_bits(v) == 32)
        return LLVMGetOperand(v, 0);
    if (extended_bits(v) > 0)
        return LLVMBuildCast(g->b, LLVMGetInstructionOpcode(v), LLVMGetOperand(v, 0), i32_type(g),
                             "");
    if (LLVMIsASelectInst(v) != NULL)
        return LLVMBuildSelect(g->b, LLVMGetOperand(v, 0), word_of(g, LLVMGetOperand(v, 1)),
                               word_of(g, LLVMGetOperand(v, 2)), "");
    return LLVMBuildTrunc(g->b, v, i32_type(g), "");
}

static LLVMValueRef word_sum(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef sum = add(g, word_of(g, a), word_of(g, b));
    return LLVMBuildSExt(g->b, sum, i64_type(g), "");
}

static bool is_sum(LLVMValueRef v) {
    return LLVMIsAInstruction(v) != NULL && LLVMGetInstructionOpcode(v) == LLVMAdd;
}

/* a + b, of which b is small: whole, or with the small part of a that nothing else has. */
static LLVMValueRef small_sum(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    if (is_small(a))
        return most_of(a) + most_of(b) < most_sum ? word_sum(g, a, b) : NULL;
    if (!is_sum(a) || LLVMGetNextUse(LLVMGetFirstUse(a)) != NULL || constant_of(b) != NULL)
        return NULL;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef part = LLVMGetOperand(a, k), rest = LLVMGetOperand(a, 1 - k);
        if (constant_of(part) == NULL && is_small(part) && most_of(part) + most_of(b) < most_sum)
            return add(g, rest, word_sum(g, part, b));
    }
    return NULL;
}

/* A sum, a comparison or the low half of small numbers; NULL: i is none. */
static LLVMValueRef in_word(struct gen *g, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op != LLVMAdd && op != LLVMICmp && op != LLVMTrunc)
        return NULL;
    LLVMValueRef a = LLVMGetOperand(i, 0), b = op == LLVMTrunc ? a : LLVMGetOperand(i, 1);
    if (LLVMTypeOf(a) != i64_type(g))
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    if (op == LLVMTrunc)
        return LLVMTypeOf(i) == i32_type(g) && LLVMIsASExtInst(a) != NULL && extended_bits(a) == 32
                   ? LLVMGetOperand(a, 0)
                   : NULL;
    if (op == LLVMAdd)
        return is_small(b) ? small_sum(g, a, b) : is_small(a) ? small_sum(g, b, a) : NULL;
    if (constant_of(a) != NULL || !is_small(a) || !is_small(b))
        return NULL;
    return LLVMBuildICmp(g->b, LLVMGetICmpPredicate(i), word_of(g, a), word_of(g, b), "");
}

void nvptx_sums(struct gen *g) {
    nvptx_replace(g, in_word);
}
