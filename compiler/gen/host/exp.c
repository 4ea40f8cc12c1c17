/* exp.c: exp and exp2 of float32 by fused multiply-add, within 1 unit in the last place.
 *
 * The result is 2**n f(r), where f is the function, x = n ln 2 + r for exp and n + r for exp2, and
 * n the nearest whole number.  2**n is two factors, of which only the last may round: results may
 * be subnormal or infinite. */
#include "host.h"

/* f(r) - 1 as a polynomial of r without a constant term, with the least error of f(r): 2**-26 */
static const struct form {
    double per_power; /* x times it is n + … */
    double parts[2];  /* of one power: ln 2; n times the first of them is exact where it counts */
    double low, high; /* from where on results are 0 and infinite */
    double terms[6];
} forms[] = {
    [false] = {0x1.715476p0,
               {0x1.62e43p-1, -0x1.05c61p-29},
               -104,
               89,
               {1, 0x1.fffffcp-2, 0x1.555490p-3, 0x1.5558fap-5, 0x1.123b6ap-7, 0x1.6a21acp-10}},
    [true] = {1,
              {1, 0},
              -151,
              129,
              {0x1.62e43p-1, 0x1.ebfbdcp-3, 0x1.c6aee6p-5, 0x1.3b2d5p-7, 0x1.5f3f3p-10,
               0x1.41fb2ep-13}},
};

/* Added to a number, it leaves the nearest whole one in the low bits. */
static const double magic = 0x1.8p23;
#define MAGIC_BITS 0x4b400000

static LLVMValueRef number(struct gen *g, double v) {
    return gen_float(g, DT_FLOAT32, v);
}

static LLVMValueRef fused(struct gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef args[] = {a, b, c};
    return gen_intrinsic(g, "fma", NULL, args, 3);
}

/* x times 2**n */
static LLVMValueRef scaled(struct gen *g, LLVMValueRef x, LLVMValueRef n) {
    LLVMValueRef power = LLVMBuildAdd(g->b, n, gen_int(g, DT_INT32, 127), "");
    power = LLVMBuildShl(g->b, power, gen_int(g, DT_INT32, 23), "");
    return LLVMBuildFMul(g->b, x, LLVMBuildBitCast(g->b, power, LLVMTypeOf(x), ""), "");
}

LLVMValueRef gen_exp(struct gen *g, const struct builtin *f, LLVMValueRef x) {
    const struct form *form = &forms[f->id == B_EXP2];
    LLVMValueRef low = number(g, form->low), high = number(g, form->high), shift = number(g, magic);
    /* steps to what vanishes would be subnormal numbers, which take long */
    LLVMValueRef zero = number(g, 0), below = LLVMBuildFCmp(g->b, LLVMRealOLT, x, low, "");
    x = gen_select(g, below, zero, x);
    x = gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOGT, x, high, ""), high, x);
    LLVMValueRef t = fused(g, x, number(g, form->per_power), shift);
    LLVMValueRef n = LLVMBuildFSub(g->b, t, shift, ""), r = x;
    for (int i = 0; i < 2; i++)
        r = fused(g, n, number(g, -form->parts[i]), r);
    LLVMValueRef p = number(g, form->terms[5]);
    for (int i = 4; i >= 0; i--)
        p = fused(g, p, r, number(g, form->terms[i]));
    p = fused(g, p, r, number(g, 1));
    LLVMValueRef bits = LLVMBuildBitCast(g->b, t, gen_type(g, DT_INT32), "");
    LLVMValueRef whole = LLVMBuildSub(g->b, bits, gen_int(g, DT_INT32, MAGIC_BITS), "");
    LLVMValueRef half = LLVMBuildAShr(g->b, whole, gen_int(g, DT_INT32, 1), "");
    x = scaled(g, scaled(g, p, half), LLVMBuildSub(g->b, whole, half, ""));
    return gen_select(g, below, zero, x);
}
