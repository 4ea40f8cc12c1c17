/* warp.c: what a GPU's threads do together: those of a block wait, those of a warp shuffle. */
#include "gen/gpu/gpu.h"

/* Its name is another since LLVM 21. */
void gen_barrier(struct gen *g) {
    unsigned id = gen_intrinsic_id("nvvm.barrier.cta.sync.aligned.all");
    LLVMValueRef zero = i32(g, 0);
    bool takes_number = id != 0;
    if (id == 0)
        id = gen_intrinsic_id("nvvm.barrier0");
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &zero, takes_number, "");
}

static LLVMValueRef shuffle_word(struct gen *g, enum shuffle way, LLVMValueRef lane_mask,
                                 LLVMValueRef word, LLVMValueRef by) {
    static const char *const names[] = {[SHUFFLE_DOWN] = "nvvm.shfl.sync.down.i32",
                                        [SHUFFLE_UP] = "nvvm.shfl.sync.up.i32",
                                        [SHUFFLE_ACROSS] = "nvvm.shfl.sync.bfly.i32",
                                        [SHUFFLE_FROM] = "nvvm.shfl.sync.idx.i32"};
    LLVMValueRef args[] = {lane_mask, word, by, i32(g, way == SHUFFLE_UP ? 0 : 31)};
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id(names[way]), NULL, 0);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 4, "");
}

LLVMValueRef gen_shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask, LLVMValueRef v,
                         LLVMValueRef by) {
    LLVMTypeRef type = LLVMTypeOf(v), word = i32_type(g);
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(g->module), type);
    LLVMTypeRef whole = LLVMIntTypeInContext(g->context, bits);
    v = LLVMBuildBitCast(g->b, v, whole, "");
    if (bits <= 32) {
        v = shuffle_word(g, way, lane_mask, LLVMBuildZExt(g->b, v, word, ""), by);
        return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, v, whole, ""), type, "");
    }
    LLVMValueRef result = LLVMConstNull(whole);
    for (unsigned from = 0; from < bits; from += 32) {
        LLVMValueRef shift = LLVMConstInt(whole, from, false);
        LLVMValueRef part = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, v, shift, ""), word, "");
        part = LLVMBuildZExt(g->b, shuffle_word(g, way, lane_mask, part, by), whole, "");
        result = LLVMBuildOr(g->b, result, LLVMBuildShl(g->b, part, shift, ""), "");
    }
    return LLVMBuildBitCast(g->b, result, type, "");
}
