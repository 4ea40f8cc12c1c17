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

/* A product of narrow numbers by one instruction; NULL: it is no such. */
static LLVMValueRef narrow_product(struct gen *g, LLVMValueRef i) {
    LLVMValueRef args[2];
    if (LLVMGetInstructionOpcode(i) != LLVMMul || LLVMTypeOf(i) != i64_type(g) ||
        !is_narrow(LLVMGetOperand(i, 0)) || !is_narrow(LLVMGetOperand(i, 1)))
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    for (unsigned k = 0; k < 2; k++)
        args[k] = LLVMBuildSExt(g->b, LLVMGetOperand(LLVMGetOperand(i, k), 0), i32_type(g), "");
    return g->target->multiply_wide(g, args[0], args[1]);
}

void nvptx_products(struct gen *g) {
    nvptx_replace(g, narrow_product);
}
