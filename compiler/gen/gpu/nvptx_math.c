/* nvptx_math.c: calls of libdevice, NVIDIA's library of mathematical functions for GPUs.  Wrong
 * results of its Bessel functions are corrected, and sin and cos of one value computed at once. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "nvptx.h"

/* ---- calls */

/* Does libdevice have a fast version of a function, for float32? */
static bool has_fast(int id) {
    return id == B_SIN || id == B_COS || id == B_TAN || id == B_EXP || id == B_EXP10 ||
           id == B_LOG || id == B_LOG2 || id == B_LOG10 || id == B_POW;
}

static LLVMValueRef call_libdevice(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                                   LLVMTypeRef result, LLVMValueRef *args);

/* Calls a function of libdevice lane by lane. */
static LLVMValueRef call_lanes(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                               LLVMTypeRef result, LLVMValueRef *args) {
    LLVMValueRef all = LLVMGetPoison(result), one[3];
    struct lanes_scope outer = lanes_enter(g, 1);
    for (int i = 0; i < outer.lanes; i++) {
        LLVMValueRef lane = LLVMConstInt(LLVMInt32TypeInContext(g->context), (unsigned)i, false);
        for (int k = 0; k < f->nargs; k++)
            one[k] = LLVMBuildExtractElement(g->b, args[k], lane, "");
        LLVMValueRef v = call_libdevice(g, f, d, LLVMGetElementType(result), one);
        all = LLVMBuildInsertElement(g->b, all, v, lane, "");
    }
    lanes_leave(g, outer);
    return all;
}

static LLVMValueRef declared(struct gen *g, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
    return function != NULL ? function : LLVMAddFunction(g->module, name, type);
}

/* The pow of float64 that nvptx_pow generates. */
static LLVMValueRef pow_function(struct gen *g, LLVMTypeRef type) {
    LLVMValueRef ours = declared(g, "pow_f64", type);
    if (LLVMIsDeclaration(ours)) {
        LLVMSetLinkage(ours, LLVMInternalLinkage);
        llvm_flag(ours, "alwaysinline");
        llvm_flag(ours, "nounwind");
        nvptx_pow(g, ours, declared(g, "__nv_pow", type));
    }
    return ours;
}

static LLVMValueRef call_libdevice(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                                   LLVMTypeRef result, LLVMValueRef *args) {
    if (g->lanes > 1)
        return call_lanes(g, f, d, result, args);
    bool single = d == DT_FLOAT32;
    char name[48];
    snprintf(name, sizeof name, "__nv_%s%s%s",
             g->approximate && single && has_fast(f->id) ? "fast_" : "", f->device,
             single ? "f" : "");
    LLVMTypeRef types[3];
    for (int i = 0; i < f->nargs; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)f->nargs, false);
    LLVMValueRef function =
        f->id == B_POW && !single ? pow_function(g, type) : declared(g, name, type);
    return LLVMBuildCall2(g->b, type, function, args, (unsigned)f->nargs, "");
}

/* ---- Bessel functions of order n */

static LLVMValueRef is(struct gen *g, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFCmp(g->b, p, a, b, "");
}

/* The Bessel function J of order n >= 0 near 0: the first term of its series, (x/2)**n / n!. */
static LLVMValueRef jn_tiny(struct gen *g, enum ufc_dtype d, LLVMValueRef n, LLVMValueRef x,
                            LLVMValueRef tiny) {
    struct loop l;
    LLVMValueRef one = gen_int(g, DT_INT32, 1), first[] = {one, gen_float(g, d, 1)};
    x = LLVMBuildFMul(g->b, x, gen_float(g, d, 0.5), "");
    loop_begin(g, &l, 2, first);
    LLVMValueRef more = LLVMBuildICmp(g->b, LLVMIntSLE, l.phi[0], n, "");
    LLVMValueRef not_zero = is(g, LLVMRealONE, l.phi[1], gen_float(g, d, 0));
    loop_while(g, &l, LLVMBuildAnd(g->b, LLVMBuildAnd(g->b, more, not_zero, ""), tiny, ""));
    LLVMValueRef i = gen_cast(g, l.phi[0], DT_INT32, d);
    LLVMValueRef next[] = {LLVMBuildAdd(g->b, l.phi[0], one, ""),
                           LLVMBuildFMul(g->b, l.phi[1], LLVMBuildFDiv(g->b, x, i, ""), "")};
    loop_end(g, &l, next);
    return l.phi[1];
}

/* x, a float64, or, if it is a positive subnormal number, the least normal number, where yn is
 * infinite too. */
static LLVMValueRef above_subnormal(struct gen *g, LLVMValueRef x) {
    LLVMValueRef least = gen_float(g, DT_FLOAT64, DBL_MIN), zero = gen_float(g, DT_FLOAT64, 0);
    LLVMValueRef small =
        LLVMBuildAnd(g->b, is(g, LLVMRealOGT, x, zero), is(g, LLVMRealOLT, x, least), "");
    return gen_select(g, small, least, x);
}

/* libdevice's Bessel functions of order n, corrected: they are wrong for negative n, where
 * (-1)**n times the function of order -n is right; J is wrong near 0; Y is wrong at -0, and from
 * order 2 on at subnormal numbers. */
static LLVMValueRef call_bessel(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                                LLVMTypeRef type, LLVMValueRef *args) {
    LLVMValueRef zero = gen_int(g, DT_INT32, 0), n = args[0], x = args[1];
    LLVMValueRef negative = LLVMBuildICmp(g->b, LLVMIntSLT, n, zero, "");
    LLVMValueRef bit = LLVMBuildAnd(g->b, n, gen_int(g, DT_INT32, 1), "");
    LLVMValueRef odd = LLVMBuildICmp(g->b, LLVMIntNE, bit, zero, "");
    n = gen_select(g, negative, LLVMBuildNeg(g->b, n, ""), n);
    if (f->id == B_YN)
        x = LLVMBuildFAdd(g->b, x, gen_float(g, d, 0), "");
    if (f->id == B_YN && d == DT_FLOAT64) {
        LLVMValueRef high = LLVMBuildICmp(g->b, LLVMIntSGT, n, gen_int(g, DT_INT32, 1), "");
        x = gen_select(g, high, above_subnormal(g, x), x);
    }
    LLVMValueRef order[] = {n, x}, v = call_libdevice(g, f, d, type, order);
    if (f->id == B_JN) {
        LLVMValueRef bound = gen_float(g, d, d == DT_FLOAT32 ? 0x1p-13 : 0x1p-27);
        LLVMValueRef size = gen_intrinsic(g, "fabs", NULL, &x, 1);
        LLVMValueRef tiny = is(g, LLVMRealOLT, size, bound);
        v = gen_select(g, tiny, jn_tiny(g, d, n, x, tiny), v);
    }
    return gen_select(g, LLVMBuildAnd(g->b, negative, odd, ""), LLVMBuildFNeg(g->b, v, ""), v);
}

/* ---- sin and cos of one value: libdevice's sincos takes as long as one of them */

static bool calls(LLVMValueRef i, const char *function) {
    size_t size;
    return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
           strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &size), function) == 0;
}

/* The call of a function with sine's argument in sine's block; NULL: none. */
static LLVMValueRef call_in_block(LLVMValueRef sine, const char *function) {
    LLVMValueRef v = LLVMGetOperand(sine, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(v); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef i = LLVMGetUser(use);
        if (calls(i, function) && LLVMGetInstructionParent(i) == LLVMGetInstructionParent(sine))
            return i;
    }
    return NULL;
}

static LLVMValueRef first_of(LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef i = a;
    while (i != NULL && i != b)
        i = LLVMGetNextInstruction(i);
    return i != NULL ? a : b;
}

/* Replaces the calls of sin and cos by one of the function `name`, which computes both. */
static void share(struct gen *g, LLVMValueRef sine, LLVMValueRef cosine, const char *name) {
    LLVMValueRef both[] = {sine, cosine}, v = LLVMGetOperand(sine, 0);
    LLVMTypeRef type = LLVMTypeOf(v), pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef types[] = {type, pointer, pointer};
    LLVMTypeRef of = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 3, false);
    LLVMValueRef f = declared(g, name, of);
    g->function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(sine));
    gen_place(g, LLVMGetInstructionParent(sine));
    LLVMValueRef args[] = {v, gen_alloca(g, type, "sine"), gen_alloca(g, type, "cosine")};
    LLVMPositionBuilderBefore(g->b, first_of(sine, cosine));
    LLVMBuildCall2(g->b, of, f, args, 3, "");
    for (int k = 0; k < 2; k++)
        LLVMReplaceAllUsesWith(both[k], LLVMBuildLoad2(g->b, type, args[k + 1], ""));
    for (int k = 0; k < 2; k++)
        LLVMInstructionEraseFromParent(both[k]);
}

static void share_in_block(struct gen *g, LLVMBasicBlockRef b) {
    static const char *const names[][3] = {{"__nv_sin", "__nv_cos", "__nv_sincos"},
                                           {"__nv_sinf", "__nv_cosf", "__nv_sincosf"}};
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        for (int k = 0; k < 2; k++) {
            LLVMValueRef cosine = calls(i, names[k][0]) ? call_in_block(i, names[k][1]) : NULL;
            if (cosine == NULL)
                continue;
            if (next == cosine)
                next = LLVMGetNextInstruction(next);
            share(g, i, cosine, names[k][2]);
            break;
        }
    }
}

static bool share_sin_cos(struct gen *g, LLVMTargetMachineRef machine) {
    bool doubles =
        LLVMGetNamedFunction(g->module, "__nv_sin") && LLVMGetNamedFunction(g->module, "__nv_cos");
    bool singles = LLVMGetNamedFunction(g->module, "__nv_sinf") &&
                   LLVMGetNamedFunction(g->module, "__nv_cosf");
    if (!doubles && !singles)
        return true;
    /* equal arguments become one value */
    if (!llvm_optimise(g->uc, g->module, machine, "function(sroa,early-cse)"))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            share_in_block(g, b);
    return true;
}

/* ---- functions that nvptx.c uses */

LLVMValueRef nvptx_library(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                           LLVMTypeRef result, LLVMValueRef *args) {
    return (f->rule == RULE_INT_FLOAT ? call_bessel : call_libdevice)(g, f, d, result, args);
}

bool nvptx_link(struct gen *g, LLVMTargetMachineRef machine, int sm) {
    return share_sin_cos(g, machine) && link_libdevice(g->uc, g->module, sm);
}
