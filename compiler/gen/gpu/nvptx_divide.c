/* nvptx_divide.c: divisions of integers.
 *
 * GPUs have no instruction for a division: ptxas writes a call of some 85 instructions for one of
 * 64 bits, and 20 for one of 32 bits, which is taken where both numbers fit, as positions and sizes
 * do.  LLVM moves no division to where its divisor might be zero, as out of a loop in which a
 * condition is around it: until the module is optimised those of a body, whose divisors never are,
 * are calls of functions that it may move. */
#include "gen/llvm.h"
#include "nvptx.h"

/* The divisions, and what gives the same of numbers that fit 32 bits, so that none is negative. */
static const struct division {
    LLVMOpcode wide, narrow;
    const char *name[2]; /* of the functions, of 32 and 64 bits */
} divisions[] = {{LLVMUDiv, LLVMUDiv, {"word_quotient", "quotient"}},
                 {LLVMSDiv, LLVMUDiv, {"signed_word_quotient", "signed_quotient"}},
                 {LLVMURem, LLVMURem, {NULL, "remainder"}},
                 {LLVMSRem, LLVMURem, {NULL, "signed_remainder"}}};
enum { DIVISIONS = sizeof divisions / sizeof divisions[0] };

static const struct division *slow_division(struct gen *g, LLVMValueRef i) {
    if (LLVMTypeOf(i) != i64_type(g))
        return NULL;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    for (const struct division *d = divisions; d < divisions + DIVISIONS; d++)
        if (d->wide == op)
            return LLVMIsConstant(LLVMGetOperand(i, 1)) ? NULL : d;
    return NULL;
}

/* The function of two numbers that divides them, which has no body yet. */
static LLVMValueRef function_of(struct gen *g, const struct division *d, LLVMTypeRef type) {
    static const char *const flags[] = {"alwaysinline", "nounwind", "willreturn", "speculatable"};
    const char *name = d->name[type == i64_type(g)];
    LLVMValueRef f = LLVMGetNamedFunction(g->module, name);
    if (f != NULL)
        return f;
    LLVMTypeRef types[] = {type, type};
    f = LLVMAddFunction(g->module, name, LLVMFunctionType(type, types, 2, false));
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        llvm_flag(f, flags[i]);
    llvm_memory(f, false);
    return f;
}

static LLVMValueRef call(struct gen *g, LLVMValueRef f, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b};
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

LLVMValueRef nvptx_quotient(struct gen *g, bool has_sign, LLVMValueRef a, LLVMValueRef d) {
    LLVMTypeRef type = LLVMTypeOf(a);
    bool known = LLVMIsConstant(d) || (type != i32_type(g) && type != i64_type(g));
    return known ? NULL : call(g, function_of(g, &divisions[has_sign], type), a, d);
}

static LLVMValueRef half_of(struct gen *g, LLVMValueRef v) {
    return LLVMBuildTrunc(g->b, v, i32_type(g), "");
}

/* Gives f, which divides two numbers, its body, to be inlined. */
static void define(struct gen *g, const struct division *d, LLVMValueRef f) {
    LLVMValueRef a = LLVMGetParam(f, 0), b = LLVMGetParam(f, 1);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    g->function = f;
    gen_place(g, gen_block(g, "entry"));
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    if (LLVMTypeOf(a) == i64_type(g)) {
        LLVMBasicBlockRef narrow = gen_block(g, "narrow"), wide = gen_block(g, "wide");
        LLVMValueRef high = LLVMBuildLShr(g->b, LLVMBuildOr(g->b, a, b, ""), i64(g, 32), "");
        LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, half_of(g, high), i32(g, 0)), narrow, wide);
        gen_place(g, narrow);
        LLVMValueRef v = LLVMBuildBinOp(g->b, d->narrow, half_of(g, a), half_of(g, b), "");
        LLVMBuildRet(g->b, extended(g, v));
        gen_place(g, wide);
    }
    LLVMBuildRet(g->b, LLVMBuildBinOp(g->b, d->wide, a, b, ""));
}

/* A slow division as a call; NULL: it is none. */
static LLVMValueRef called(struct gen *g, LLVMValueRef i) {
    const struct division *d = slow_division(g, i);
    if (d == NULL)
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    return call(g, function_of(g, d, i64_type(g)), LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
}

void nvptx_divide(struct gen *g) {
    bool divides = false;
    nvptx_replace(g, called);
    for (const struct division *d = divisions; d < divisions + DIVISIONS; d++)
        for (int k = 0; k < 2; k++) {
            LLVMValueRef f =
                d->name[k] != NULL ? LLVMGetNamedFunction(g->module, d->name[k]) : NULL;
            if (f != NULL)
                define(g, d, f);
            divides = divides || f != NULL;
        }
    if (divides)
        llvm_inline(g->uc, g->module);
}
