/* nvptx_root.c: square roots of float32.
 *
 * A root that ptxas writes leaves zeros, and numbers below 2^-101, to a function, which a warp
 * calls for one such lane; and no root begins before the one in front of it has been tested.  Here
 * a number below 2^-100 is multiplied by 2^64 first, and the root by 2^-32, and what is its own
 * root is chosen at the end.  From the approximate reciprocal of the root, r, one step leads to the
 * root as IEEE 754 rounds it, as in ptxas's own code: with y = x r, y + (x - y y) r / 2.
 * (Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, IBM
 * Journal of Research and Development 34, 1990.) */
#include "gen/llvm.h"
#include "nvptx.h"

static LLVMValueRef root(struct gen *g, LLVMValueRef i) {
    static const char code[] = "{ .reg .pred tiny, own; .reg .f32 x, r, y, left;\n"
                               "setp.lt.f32 tiny, $1, 0f0D800000;\n" /* 2^-100 */
                               "mov.f32 x, $1;\n"
                               "@tiny mul.f32 x, x, 0f5F800000;\n" /* 2^64 */
                               "rsqrt.approx.ftz.f32 r, x;\n"
                               "mul.f32 y, x, r;\n"
                               "mul.f32 r, r, 0f3F000000;\n" /* 1/2 */
                               "neg.f32 left, y;\n"
                               "fma.rn.f32 left, left, y, x;\n"
                               "fma.rn.f32 y, left, r, y;\n"
                               "@tiny mul.f32 y, y, 0f2F800000;\n" /* 2^-32 */
                               "setp.eq.f32 own, $1, 0f00000000;\n"
                               "setp.eq.or.f32 own, $1, 0f7F800000, own;\n" /* infinity */
                               "selp.f32 $0, $1, y, own; }";
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef callee = LLVMIsACallInst(i) != NULL ? LLVMGetCalledValue(i) : NULL;
    if (callee == NULL || LLVMIsAFunction(callee) == NULL ||
        type != LLVMFloatTypeInContext(g->context) ||
        LLVMGetIntrinsicID(callee) != gen_intrinsic_id("sqrt"))
        return NULL;
    LLVMValueRef x = LLVMGetOperand(i, 0);
    LLVMPositionBuilderBefore(g->b, i);
    return nvptx_assembly(g, type, code, "=f,f", &x, 1);
}

void nvptx_roots(struct gen *g) {
    if (!g->ftz) /* by which ptxas's own flush their numbers */
        nvptx_replace(g, root);
}
