/* nvptx_products.c: 64-bit products of numbers that were narrower, as those of bytes in a sum of 64
 * bits, are one instruction each.
 *
 * LLVM extends both numbers to 64 bits, since that product is the same; ptxas then computes a
 * product of 64 bits, by three of 32 and the signs of both. */
#include "gen/llvm.h"
#include "nvptx.h"

/* Is v the extension of a number of at most 32 bits, with its sign? */
static bool is_narrow(LLVMValueRef v) {
    LLVMTypeRef from = LLVMIsASExtInst(v) != NULL ? LLVMTypeOf(LLVMGetOperand(v, 0)) : NULL;
    return from != NULL && LLVMGetTypeKind(from) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(from) <= 32;
}

static void narrow_product(struct gen *g, LLVMValueRef product) {
    LLVMValueRef args[2];
    if (!is_narrow(LLVMGetOperand(product, 0)) || !is_narrow(LLVMGetOperand(product, 1)))
        return;
    LLVMPositionBuilderBefore(g->b, product);
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    for (unsigned i = 0; i < 2; i++)
        args[i] =
            LLVMBuildSExt(g->b, LLVMGetOperand(LLVMGetOperand(product, i), 0), i32_type(g), "");
    LLVMReplaceAllUsesWith(product, g->target->multiply_wide(g, args[0], args[1]));
    LLVMInstructionEraseFromParent(product);
}

void nvptx_products(struct gen *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMGetInstructionOpcode(i) == LLVMMul && LLVMTypeOf(i) == i64_type(g))
                    narrow_product(g, i);
            }
}
