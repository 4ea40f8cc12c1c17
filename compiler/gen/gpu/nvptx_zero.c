/* nvptx_zero.c: divisions of floats that are 0 as often as not, as areas that boxes have in common.
 *
 * A division that ptxas writes leaves all but normal numbers to a function, zeros too, which a warp
 * calls for one such lane: another number is divided in the place of a zero, which then is
 * multiplied by the quotient.  That gives the zero that the division gives, and NaN where it does:
 * the number is so small that no quotient overflows but by 0. */
#include <float.h>
#include <math.h>

#include "gen/llvm.h"
#include "nvptx.h"

enum { DEPTH = 4 }; /* of what a number is made of, at most */

static bool is_zero(LLVMValueRef v) {
    LLVMBool lossy;
    return LLVMIsAConstantFP(v) != NULL && LLVMConstRealGetDouble(v, &lossy) == 0;
}

/* Is a value chosen between 0 and another one, or a product of such? */
static bool is_often_zero(LLVMValueRef v, int depth) {
    if (LLVMIsASelectInst(v) != NULL &&
        (is_zero(LLVMGetOperand(v, 1)) || is_zero(LLVMGetOperand(v, 2))))
        return true;
    bool product = LLVMIsAInstruction(v) != NULL && LLVMGetInstructionOpcode(v) == LLVMFMul;
    return product && depth > 0 &&
           (is_often_zero(LLVMGetOperand(v, 0), depth - 1) ||
            is_often_zero(LLVMGetOperand(v, 1), depth - 1));
}

/* A division that is as fast where a number that is often 0 is 0; NULL: it is no such. */
static LLVMValueRef divided(struct gen *g, LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) != LLVMFDiv)
        return NULL;
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(a);
    double small = type == LLVMFloatTypeInContext(g->context)    ? ldexp(1, -FLT_MANT_DIG)
                   : type == LLVMDoubleTypeInContext(g->context) ? ldexp(1, -DBL_MANT_DIG)
                                                                 : 0;
    if (small == 0 || !is_often_zero(a, DEPTH))
        return NULL;
    LLVMPositionBuilderBefore(g->b, i);
    LLVMValueRef zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, a, LLVMConstNull(type), "");
    LLVMValueRef other = LLVMBuildSelect(g->b, zero, LLVMConstReal(type, small), a, "");
    LLVMValueRef q = LLVMBuildFDiv(g->b, other, b, "");
    return LLVMBuildSelect(g->b, zero, LLVMBuildFMul(g->b, a, q, ""), q, "");
}

void nvptx_zero(struct gen *g) {
    nvptx_replace(g, divided);
}
