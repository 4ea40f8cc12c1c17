/* nvptx_divide.c: divisions of 64-bit integers, of which most have numbers that fit 32 bits, as
 * positions and sizes do.
 *
 * GPUs have no instruction for a division: ptxas writes a call of some 85 instructions for one of
 * 64 bits, and 20 for one of 32 bits, which is taken where both numbers fit. */
#include "gen/llvm.h"
#include "nvptx.h"

/* The divisions, and what gives the same of numbers that fit 32 bits, so that none is negative. */
static const struct division {
    LLVMOpcode wide, narrow;
    const char *name;
} divisions[] = {{LLVMUDiv, LLVMUDiv, "quotient"},
                 {LLVMURem, LLVMURem, "remainder"},
                 {LLVMSDiv, LLVMUDiv, "signed_quotient"},
                 {LLVMSRem, LLVMURem, "signed_remainder"}};
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

static LLVMValueRef half_of(struct gen *g, LLVMValueRef v) {
    return LLVMBuildTrunc(g->b, v, i32_type(g), "");
}

/* The function of two numbers that divides them, to be inlined. */
static LLVMValueRef dividing(struct gen *g, const struct division *d) {
    LLVMTypeRef types[] = {i64_type(g), i64_type(g)};
    g->function =
        LLVMAddFunction(g->module, d->name, LLVMFunctionType(i64_type(g), types, 2, false));
    LLVMSetLinkage(g->function, LLVMInternalLinkage);
    llvm_flag(g->function, "alwaysinline");
    LLVMValueRef a = LLVMGetParam(g->function, 0), b = LLVMGetParam(g->function, 1);
    gen_place(g, gen_block(g, "entry"));
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    LLVMBasicBlockRef narrow = gen_block(g, "narrow"), wide = gen_block(g, "wide");
    LLVMValueRef high = LLVMBuildLShr(g->b, LLVMBuildOr(g->b, a, b, ""), i64(g, 32), "");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, half_of(g, high), i32(g, 0)), narrow, wide);
    gen_place(g, narrow);
    LLVMValueRef v = LLVMBuildBinOp(g->b, d->narrow, half_of(g, a), half_of(g, b), "");
    LLVMBuildRet(g->b, extended(g, v));
    gen_place(g, wide);
    LLVMBuildRet(g->b, LLVMBuildBinOp(g->b, d->wide, a, b, ""));
    return g->function;
}

/* Divides in f by the functions, of which `of` has those that there are. */
static void divide_in(struct gen *g, LLVMValueRef f, LLVMValueRef *of) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
            next = LLVMGetNextInstruction(i);
            const struct division *d = slow_division(g, i);
            if (d == NULL)
                continue;
            LLVMValueRef *by = &of[d - divisions];
            if (*by == NULL)
                *by = dividing(g, d);
            LLVMValueRef args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
            LLVMPositionBuilderBefore(g->b, i);
            LLVMTypeRef type = LLVMGlobalGetValueType(*by);
            LLVMReplaceAllUsesWith(i, LLVMBuildCall2(g->b, type, *by, args, 2, ""));
            LLVMInstructionEraseFromParent(i);
        }
}

void nvptx_divide(struct gen *g) {
    LLVMValueRef of[DIVISIONS] = {NULL}, last = LLVMGetLastFunction(g->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
        divide_in(g, f, of);
        if (f == last) /* the functions that divide stand behind it */
            break;
    }
    if (LLVMGetLastFunction(g->module) != last)
        llvm_inline(g->uc, g->module);
}
