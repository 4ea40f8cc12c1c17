/* sine.c: sin and cos of float32 by fused multiply-add, within 2 units in the last place.
 *
 * x is h pi + r with |r| <= pi / 2, where h is a whole number n for sin, and n + 1/2 for cos; so
 * the result is sin r or -sin r.  h pi is subtracted in parts (Cody and Waite, 1980): of float32
 * where x is small, so that the first difference is exact; of float64 below 10**6, where h has 20
 * bits and the first part of pi 33, so that their product is exact; beyond that libmvec computes in
 * float64. Elements do not depend on each other. */
#include <math.h>

#include "host.h"

#define NEAR 32768.0
#define FAR  1e6

/* All are positive, so that -0 less 0 times them is -0. */
static const double single_parts[] = {0x1.921fb4p+1, 0x1.4442dp-23, 0x1.84698ap-47};
static const double double_parts[] = {0x1.921fb544p+1, 0x1.0b4611a626331p-33};
/* (sin r - r) / r**3 as a polynomial of r**2, from the constant term on, with the least error of
 * sin r for |r| < pi / 2 + .003: 2**-26. */
static const double terms[] = {-0x1.55554cp-3, 0x1.110eccp-7, -0x1.9f6eaep-13, 0x1.5daa52p-19};

struct reduced {
    LLVMValueRef r, n; /* float32, int32 */
};

static LLVMValueRef single(struct gen *g, double v) {
    return gen_float(g, DT_FLOAT32, v);
}

static LLVMValueRef product(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFMul(g->b, a, b, "");
}

static LLVMValueRef fused(struct gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef args[] = {a, b, c};
    return gen_intrinsic(g, "fma", NULL, args, 3);
}

/* x less so many parts of h pi, of type d.  n is odd where the result is -sin r. */
static struct reduced reduce(struct gen *g, enum ufc_dtype d, bool cosine, LLVMValueRef x,
                             const double *parts, int nparts) {
    LLVMValueRef half = gen_float(g, d, cosine ? 0.5 : 0), inverse = gen_float(g, d, 1 / M_PI);
    LLVMValueRef turns = fused(g, x, inverse, LLVMBuildFNeg(g->b, half, ""));
    LLVMValueRef n = gen_intrinsic(g, "rint", NULL, &turns, 1);
    LLVMValueRef h = LLVMBuildFAdd(g->b, n, half, "");
    for (int i = 0; i < nparts; i++)
        x = fused(g, h, gen_float(g, d, -parts[i]), x);
    n = LLVMBuildFPToSI(g->b, n, gen_type(g, DT_INT32), "");
    return (struct reduced){gen_cast(g, x, d, DT_FLOAT32), cosine ? gen_not(g, n) : n};
}

/* sin r or -sin r. */
static LLVMValueRef sine(struct gen *g, LLVMValueRef r, LLVMValueRef n) {
    int i = (int)(sizeof terms / sizeof terms[0]) - 1;
    LLVMValueRef square = product(g, r, r), s = single(g, terms[i]);
    LLVMTypeRef i32 = gen_type(g, DT_INT32), f32 = gen_type(g, DT_FLOAT32);
    while (--i >= 0)
        s = fused(g, s, square, single(g, terms[i]));
    s = fused(g, product(g, r, square), s, r);
    LLVMValueRef turned = LLVMBuildShl(g->b, n, gen_int(g, DT_INT32, 31), "");
    turned = LLVMBuildXor(g->b, LLVMBuildBitCast(g->b, r, i32, ""), turned, "");
    LLVMValueRef args[] = {s, LLVMBuildBitCast(g->b, turned, f32, "")};
    return gen_intrinsic(g, "copysign", NULL, args, 2);
}

/* The numbers that are not `near`, reduced in float64; the others' as they are. */
static struct reduced reduce_far(struct gen *g, bool cosine, LLVMValueRef x, LLVMValueRef near,
                                 struct reduced as) {
    LLVMValueRef wide = gen_cast(g, gen_select(g, near, single(g, 1), x), DT_FLOAT32, DT_FLOAT64);
    struct reduced far = reduce(g, DT_FLOAT64, cosine, wide, double_parts, 2);
    return (struct reduced){gen_select(g, near, as.r, far.r), gen_select(g, near, as.n, far.n)};
}

LLVMValueRef gen_sine(struct gen *g, const struct builtin *f, LLVMValueRef x) {
    bool cosine = f->id == B_COS;
    LLVMValueRef a = gen_intrinsic(g, "fabs", NULL, &x, 1), one = single(g, 1);
    LLVMValueRef near = LLVMBuildFCmp(g->b, LLVMRealOLT, a, single(g, NEAR), "");
    LLVMValueRef far = LLVMBuildFCmp(g->b, LLVMRealUGE, a, single(g, FAR), "");
    struct reduced all =
        reduce(g, DT_FLOAT32, cosine, gen_select(g, near, x, one), single_parts, 3);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, gen_any(g, gen_not(g, near)));
    struct reduced some = reduce_far(g, cosine, gen_select(g, far, one, x), near, all);
    LLVMBasicBlockRef there = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    LLVMValueRef r = phi2(g, here, all.r, there, some.r), n = phi2(g, here, all.n, there, some.n);
    LLVMValueRef s = sine(g, r, n);
    here = LLVMGetInsertBlock(g->b);
    after = begin_if(g, gen_any(g, far));
    LLVMValueRef v = gen_select(g, far, call_in_float64(g, f, gen_select(g, far, x, one)), s);
    there = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, here, s, there, v);
}
