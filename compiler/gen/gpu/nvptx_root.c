/* nvptx_root.c: square roots of float32.
 *
 * A root that ptxas writes leaves zeros, and numbers below 2^-101, to a function, which a warp
 * calls for one such lane; and no root begins before the one in front of it has been tested.  Here
 * a number below 2^-100 is multiplied by 2^64 first, and the root by 2^-32, so that none is left to
 * a function but in what is chosen at the end.  From the approximate reciprocal of the root, r, one
 * step leads to the root as IEEE 754 rounds it, as in ptxas's own code: with y = x r, y + (x - y y)
 * r / 2.  (Markstein, Computation of elementary functions on the IBM RISC System/6000 processor,
 * IBM Journal of Research and Development 34, 1990.) */
#include <math.h>

#include "gen/llvm.h"
#include "nvptx.h"

/* v, times `factor` where `condition` holds. */
static LLVMValueRef scaled(struct gen *g, LLVMValueRef v, LLVMValueRef condition, double factor) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef by =
        LLVMBuildSelect(g->b, condition, LLVMConstReal(type, factor), LLVMConstReal(type, 1), "");
    return LLVMBuildFMul(g->b, v, by, "");
}

/* The root of a number that is at least 2^-100, and no infinity; NaN of a negative one. */
static LLVMValueRef root_of_normal(struct gen *g, LLVMValueRef x) {
    LLVMValueRef half = LLVMConstReal(LLVMTypeOf(x), .5);
    LLVMValueRef r = gen_intrinsic(g, "nvvm.rsqrt.approx.ftz.f", NULL, &x, 1);
    LLVMValueRef y = LLVMBuildFMul(g->b, x, r, "");
    LLVMValueRef left[] = {LLVMBuildFNeg(g->b, y, ""), y, x};
    LLVMValueRef step[] = {gen_intrinsic(g, "fma", NULL, left, 3), LLVMBuildFMul(g->b, r, half, ""),
                           y};
    return gen_intrinsic(g, "fma", NULL, step, 3);
}

static LLVMValueRef root(struct gen *g, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef callee = LLVMIsACallInst(i) != NULL ? LLVMGetCalledValue(i) : NULL;
    if (callee == NULL || LLVMIsAFunction(callee) == NULL ||
        type != LLVMFloatTypeInContext(g->context) ||
        LLVMGetIntrinsicID(callee) != gen_intrinsic_id("sqrt"))
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    LLVMValueRef x = LLVMGetOperand(i, 0), zero = LLVMConstNull(type),
                 infinity = LLVMConstReal(type, (double)INFINITY);
    LLVMValueRef tiny = LLVMBuildFCmp(g->b, LLVMRealOLT, x, LLVMConstReal(type, 0x1p-100), "");
    LLVMValueRef y = scaled(g, root_of_normal(g, scaled(g, x, tiny, 0x1p64)), tiny, 0x1p-32);
    LLVMValueRef same = LLVMBuildOr(g->b, LLVMBuildFCmp(g->b, LLVMRealOEQ, x, zero, ""),
                                    LLVMBuildFCmp(g->b, LLVMRealOEQ, x, infinity, ""), "");
    return LLVMBuildSelect(g->b, same, x, y, "");
}

void nvptx_roots(struct gen *g) {
    if (!g->ftz) /* by which ptxas's own flush their numbers */
        nvptx_replace(g, root);
}
