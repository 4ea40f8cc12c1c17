/* warp.c: what kernels ask of threads, by the operations of a GPU target. */
#include "gpu.h"

LLVMValueRef gen_thread_number(struct gen *g) {
    LLVMValueRef block = gpu(g)->id(g, BLOCK_ID), threads = gpu(g)->id(g, BLOCK_SIZE);
    LLVMValueRef first = multiply(g, block, threads);
    return add(g, first, gpu(g)->id(g, THREAD_ID));
}

LLVMValueRef trailing_zeros(struct gen *g, LLVMValueRef v) {
    LLVMValueRef args[] = {v, LLVMConstInt(i1_type(g), 1, false)};
    return gen_intrinsic(g, "cttz", NULL, args, 2);
}

LLVMValueRef gen_shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask, LLVMValueRef v,
                         LLVMValueRef by) {
    LLVMTypeRef type = LLVMTypeOf(v), word = i32_type(g);
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(g->module), type);
    LLVMTypeRef whole = LLVMIntTypeInContext(g->context, bits);
    v = LLVMBuildBitCast(g->b, v, whole, "");
    if (bits <= 32) {
        v = gpu(g)->shuffle(g, way, lane_mask, LLVMBuildZExt(g->b, v, word, ""), by);
        return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, v, whole, ""), type, "");
    }
    LLVMValueRef result = LLVMConstNull(whole);
    for (unsigned from = 0; from < bits; from += 32) {
        LLVMValueRef shift = LLVMConstInt(whole, from, false);
        LLVMValueRef part = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, v, shift, ""), word, "");
        part = LLVMBuildZExt(g->b, gpu(g)->shuffle(g, way, lane_mask, part, by), whole, "");
        result = LLVMBuildOr(g->b, result, LLVMBuildShl(g->b, part, shift, ""), "");
    }
    return LLVMBuildBitCast(g->b, result, type, "");
}
