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

LLVMValueRef gen_from_lane(struct gen *g, LLVMValueRef v, LLVMValueRef lane) {
    return gen_shuffle(g, SHUFFLE_FROM, i32(g, UINT32_MAX), v, lane);
}

LLVMValueRef gen_sum_lanes(struct gen *g, LLVMValueRef v, LLVMValueRef lane) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
    for (uint32_t by = 1; by < WARP; by *= 2) {
        LLVMValueRef other = gen_shuffle(g, SHUFFLE_UP, i32(g, UINT32_MAX), v, i32(g, by));
        LLVMValueRef has = compare(g, LLVMIntUGE, lane, i32(g, by));
        v = add(g, v, gen_select(g, has, other, zero));
    }
    return v;
}

LLVMValueRef gen_lane_of(struct gen *g, LLVMValueRef upto, LLVMValueRef n) {
    LLVMValueRef lane = i32(g, 0);
    for (uint32_t by = WARP / 2; by > 0; by /= 2) {
        LLVMValueRef last = gen_from_lane(g, upto, add(g, lane, i32(g, by - 1)));
        lane = gen_select(g, compare(g, LLVMIntUGE, n, last), add(g, lane, i32(g, by)), lane);
    }
    return lane;
}
