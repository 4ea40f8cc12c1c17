/* nvptx_words.c: arithmetic of 8 and 16 bits in words of 32, which are all that there are.
 *
 * LLVM makes it as narrow as its results.  ptxas then clears, or extends, the rest of the register
 * behind each operation; but what is there matters to few of them. */
#include "gen/llvm.h"
#include "nvptx.h"

/* Bits of an integer that is narrower than a word, but no bool; else 0. */
static unsigned narrow_bits(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return bits == 8 || bits == 16 ? bits : 0;
}

/* The word that a narrow number is the low bits of; NULL: there is none yet. */
static LLVMValueRef word_of(struct gen *g, LLVMValueRef v) {
    LLVMValueRef of = LLVMIsATruncInst(v) != NULL ? LLVMGetOperand(v, 0) : NULL;
    return of != NULL && LLVMTypeOf(of) == i32_type(g) ? of : NULL;
}

/* Has a word no bits but the lowest so many? */
static bool is_clear(LLVMValueRef word, unsigned bits) {
    if (LLVMIsAConstantInt(word) != NULL)
        return LLVMConstIntGetZExtValue(word) >> bits == 0;
    if (LLVMIsAZExtInst(word) != NULL)
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(word, 0))) <= bits;
    if (LLVMIsAInstruction(word) == NULL || LLVMGetInstructionOpcode(word) != LLVMAnd)
        return false;
    LLVMValueRef mask = LLVMGetOperand(word, 1);
    return LLVMIsAConstantInt(mask) != NULL && LLVMConstIntGetZExtValue(mask) >> bits == 0;
}

static LLVMValueRef with_zeros(struct gen *g, LLVMValueRef v) {
    unsigned bits = narrow_bits(v);
    LLVMValueRef word = word_of(g, v);
    if (word == NULL)
        return LLVMBuildZExt(g->b, v, i32_type(g), "");
    return is_clear(word, bits) ? word : both(g, word, i32(g, (UINT32_C(1) << bits) - 1));
}

static LLVMValueRef with_sign(struct gen *g, LLVMValueRef v) {
    return LLVMBuildSExt(g->b, v, i32_type(g), "");
}

/* A word of which v is the low bits, whatever the others are. */
static LLVMValueRef with_any(struct gen *g, LLVMValueRef v) {
    LLVMValueRef word = word_of(g, v);
    return word != NULL ? word : with_zeros(g, v);
}

typedef LLVMValueRef extension(struct gen *g, LLVMValueRef v);

/* How an operation wants its operands; by the second one a shift goes. */
static extension *extension_of(LLVMOpcode op) {
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl: return with_any;
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMURem: return with_zeros;
    case LLVMAShr:
    case LLVMSDiv:
    case LLVMSRem: return with_sign;
    default: return NULL;
    }
}

static bool is_shift(LLVMOpcode op) {
    return op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
}

/* Is a number's word known, or the number a constant? */
static bool is_known(struct gen *g, LLVMValueRef v) {
    return LLVMIsConstant(v) || word_of(g, v) != NULL;
}

static LLVMValueRef word_compare(struct gen *g, LLVMValueRef i) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    bool has_sign = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
    extension *extend = has_sign ? with_sign : with_zeros;
    if (narrow_bits(a) == 0 || !is_known(g, a) || !is_known(g, b))
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    return LLVMBuildICmp(g->b, p, extend(g, a), extend(g, b), "");
}

/* The extension of a narrow number whose word is known. */
static LLVMValueRef word_extension(struct gen *g, LLVMValueRef i) {
    LLVMValueRef of = LLVMGetOperand(i, 0);
    if (narrow_bits(of) == 0 || word_of(g, of) == NULL)
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    return LLVMBuildIntCast2(g->b, with_zeros(g, of), LLVMTypeOf(i), false, "");
}

/* An instruction in words; NULL: it stays. */
static LLVMValueRef in_words(struct gen *g, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    extension *extend = extension_of(op);
    if (op == LLVMICmp)
        return word_compare(g, i);
    if (op == LLVMZExt)
        return word_extension(g, i);
    if (narrow_bits(i) == 0 || (extend == NULL && op != LLVMSelect))
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    LLVMValueRef r;
    if (op == LLVMSelect) {
        LLVMValueRef a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2);
        if (!is_known(g, a) || !is_known(g, b))
            return NULL;
        r = LLVMBuildSelect(g->b, LLVMGetOperand(i, 0), with_any(g, a), with_any(g, b), "");
    } else {
        LLVMValueRef a = extend(g, LLVMGetOperand(i, 0));
        LLVMValueRef b = (is_shift(op) ? with_zeros : extend)(g, LLVMGetOperand(i, 1));
        r = LLVMBuildBinOp(g->b, op, a, b, "");
    }
    return LLVMBuildTrunc(g->b, r, LLVMTypeOf(i), "");
}

/* ---- vectors that are stored */

enum { MOST_ELEMENTS = 16 };

/* The element of a vector at a place, by what was put into it; NULL: that is not known. */
static LLVMValueRef element_of(LLVMValueRef vector, unsigned place) {
    while (LLVMIsAInsertElementInst(vector) != NULL) {
        LLVMValueRef at = LLVMGetOperand(vector, 2);
        if (LLVMIsAConstantInt(at) == NULL)
            return NULL;
        if (LLVMConstIntGetZExtValue(at) == place)
            return LLVMGetOperand(vector, 1);
        vector = LLVMGetOperand(vector, 0);
    }
    return NULL;
}

/* Puts the low parts of a and b side by side, as selectors of bytes say. */
static LLVMValueRef join(struct gen *g, LLVMValueRef a, LLVMValueRef b, uint32_t selectors) {
    LLVMValueRef args[] = {a, b, i32(g, selectors)};
    return gen_intrinsic(g, "nvvm.prmt", NULL, args, 3);
}

/* The word that has the elements of `bits` bits from `element` on. */
static LLVMValueRef join_elements(struct gen *g, const LLVMValueRef *element, unsigned bits) {
    LLVMValueRef v[4];
    for (unsigned i = 0; i < 32 / bits; i++)
        v[i] = with_any(g, element[i]);
    if (bits == 16)
        return join(g, v[0], v[1], 0x5410);
    return join(g, join(g, v[0], v[1], 0x0040), join(g, v[2], v[3], 0x0040), 0x5410);
}

/* Joins what was computed in words without clearing the rest of each, if i stores that. */
static void join_stored(struct gen *g, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0), element[MOST_ELEMENTS] = {NULL};
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return;
    unsigned n = LLVMGetVectorSize(type), bits, known = 0;
    for (unsigned k = 0; k < n; k++) {
        element[k] = n <= MOST_ELEMENTS ? element_of(v, k) : NULL;
        if (element[k] == NULL || narrow_bits(element[k]) == 0)
            return;
        known += word_of(g, element[k]) != NULL;
    }
    bits = narrow_bits(element[0]);
    if (n * bits % 32 != 0 || known == 0)
        return;
    LLVMPositionBuilderBefore(g->b, i);
    unsigned each = 32 / bits, words = n / each;
    LLVMValueRef r = words > 1 ? LLVMGetPoison(LLVMVectorType(i32_type(g), words)) : NULL;
    for (unsigned k = 0; k < words; k++) {
        LLVMValueRef word = join_elements(g, element + (size_t)k * each, bits);
        r = words > 1 ? LLVMBuildInsertElement(g->b, r, word, i32(g, k), "") : word;
    }
    LLVMSetOperand(i, 0, r);
}

static void join_all(struct gen *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAStoreInst(i) != NULL)
                    join_stored(g, i);
}

void nvptx_words(struct gen *g) {
    nvptx_replace(g, in_words);
    join_all(g);
}
