/* tanh.c: tanh of float64 by expm1 and a division, in half the time of libmvec's: e / (e + 2) with
 * e = expm1(2 |x|), and x's sign; within 3 units in the last place. */
#include "host.h"

LLVMValueRef gen_tanh(struct gen *g, LLVMValueRef x) {
    LLVMValueRef most = gen_float(g, DT_FLOAT64, 20), two = gen_float(g, DT_FLOAT64, 2);
    LLVMValueRef a = gen_intrinsic(g, "fabs", NULL, &x, 1);
    /* tanh of 20 is 1 */
    a = gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOGT, a, most, ""), most, a);
    a = LLVMBuildFAdd(g->b, a, a, "");
    LLVMValueRef e = g->target->library(g, &builtins[B_EXPM1], DT_FLOAT64, LLVMTypeOf(x), &a);
    LLVMValueRef r = LLVMBuildFDiv(g->b, e, LLVMBuildFAdd(g->b, e, two, ""), "");
    LLVMValueRef args[] = {r, x};
    return gen_intrinsic(g, "copysign", NULL, args, 2);
}
