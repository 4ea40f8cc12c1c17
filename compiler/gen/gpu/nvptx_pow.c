/* nvptx_pow.c: pow of float64 on GPUs.  A power to a whole number is computed by squaring, and is
 * exact where it is a float64; libdevice's is not (its pow(3, 1) is 2.9999999999999996).  Other
 * powers are libdevice's.
 *
 * A number is the sum of two float64, high and low, where low is the rounding error of high
 * (Dekker, 1971).  The power's relative error is below 2**-80, and high is exact where the power is
 * a float64.  Powers that are 0, infinite or NaN are left to libdevice. */
#include <math.h>

#include "nvptx.h"

/* To a larger exponent only -1, 0 and 1 have exact powers. */
enum { MAX_EXPONENT = 2047 };

struct sum {
    LLVMValueRef high, low;
};

static LLVMValueRef float_mul(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFMul(g->b, a, b, "");
}

static LLVMValueRef fma3(struct gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef args[] = {a, b, c};
    return gen_intrinsic(g, "fma", NULL, args, 3);
}

static LLVMValueRef is(struct gen *g, LLVMRealPredicate p, LLVMValueRef x, double v) {
    return LLVMBuildFCmp(g->b, p, x, gen_float(g, DT_FLOAT64, v), "");
}

static struct sum product(struct gen *g, struct sum a, struct sum b) {
    LLVMValueRef high = float_mul(g, a.high, b.high);
    LLVMValueRef rest = fma3(g, a.high, b.high, LLVMBuildFNeg(g->b, high, ""));
    rest = fma3(g, a.high, b.low, rest);
    return (struct sum){high, fma3(g, a.low, b.high, rest)};
}

/* x, or 1 / x where `inverted` (i1). */
static struct sum factor(struct gen *g, LLVMValueRef x, LLVMValueRef inverted) {
    LLVMValueRef one = gen_float(g, DT_FLOAT64, 1), zero = gen_float(g, DT_FLOAT64, 0);
    LLVMValueRef high = gen_divide(g, DT_FLOAT64, one, x);
    LLVMValueRef low = float_mul(g, fma3(g, LLVMBuildFNeg(g->b, x, ""), high, one), high);
    return (struct sum){gen_select(g, inverted, high, x), gen_select(g, inverted, low, zero)};
}

/* factor**n, by n's bits from the lowest. */
static LLVMValueRef power(struct gen *g, struct sum factor, LLVMValueRef n) {
    LLVMValueRef one = gen_int(g, DT_INT32, 1), zero = gen_int(g, DT_INT32, 0);
    LLVMValueRef first[] = {n, factor.high, factor.low, gen_float(g, DT_FLOAT64, 1),
                            gen_float(g, DT_FLOAT64, 0)};
    struct loop l;
    loop_begin(g, &l, 5, first);
    loop_while(g, &l, LLVMBuildICmp(g->b, LLVMIntNE, l.phi[0], zero, ""));
    struct sum square = {l.phi[1], l.phi[2]}, result = {l.phi[3], l.phi[4]};
    struct sum more = product(g, result, square);
    LLVMValueRef bit = LLVMBuildAnd(g->b, l.phi[0], one, "");
    LLVMValueRef odd = LLVMBuildICmp(g->b, LLVMIntNE, bit, zero, "");
    square = product(g, square, square);
    LLVMValueRef next[] = {LLVMBuildLShr(g->b, l.phi[0], one, ""), square.high, square.low,
                           gen_select(g, odd, more.high, result.high),
                           gen_select(g, odd, more.low, result.low)};
    l.keep = true;
    loop_end(g, &l, next);
    return LLVMBuildFAdd(g->b, l.phi[3], l.phi[4], "");
}

void nvptx_pow(struct gen *outer, LLVMValueRef function, LLVMValueRef general) {
    struct gen g = *outer;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g.b);
    LLVMValueRef x = LLVMGetParam(function, 0), y = LLVMGetParam(function, 1), args[] = {x, y};
    g.function = function;
    gen_place(&g, gen_block(&g, "entry"));
    LLVMBasicBlockRef whole = gen_block(&g, "whole"), in_range = gen_block(&g, "in_range"),
                      rest = gen_block(&g, "rest");
    LLVMValueRef size = gen_intrinsic(&g, "fabs", NULL, &y, 1);
    LLVMValueRef n = gen_intrinsic(&g, "rint", NULL, &size, 1);
    LLVMValueRef is_whole = LLVMBuildFCmp(g.b, LLVMRealOEQ, n, size, "");
    LLVMBuildCondBr(g.b, LLVMBuildAnd(g.b, is_whole, is(&g, LLVMRealOLE, size, MAX_EXPONENT), ""),
                    whole, rest);
    gen_place(&g, whole);
    n = LLVMBuildFPToUI(g.b, size, gen_type(&g, DT_INT32), "");
    LLVMValueRef v = power(&g, factor(&g, x, is(&g, LLVMRealOLT, y, 0)), n);
    size = gen_intrinsic(&g, "fabs", NULL, &v, 1);
    LLVMValueRef found =
        LLVMBuildAnd(g.b, is(&g, LLVMRealOGT, size, 0), is(&g, LLVMRealOLT, size, INFINITY), "");
    LLVMBuildCondBr(g.b, found, in_range, rest);
    gen_place(&g, in_range);
    LLVMBuildRet(g.b, v);
    gen_place(&g, rest);
    LLVMBuildRet(g.b, LLVMBuildCall2(g.b, LLVMGlobalGetValueType(general), general, args, 2, ""));
    gen_place(&g, here);
}
