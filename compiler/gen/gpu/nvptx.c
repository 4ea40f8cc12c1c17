/* nvptx.c: the target of NVIDIA's GPUs, by LLVM's NVPTX and libdevice.
 *
 * LLVM writes PTX, an assembly language; the driver or ptxas compiles it to machine code. */
#include <stdio.h>
#include <string.h>

#include "nvptx.h"

/* ---- instructions */

static void add_flag(struct gen *g, LLVMValueRef call, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->context, kind, 0));
}

/* An instruction of PTX with result $0 and operands $1 and perhaps $2, of one type, which LLVM may
 * move and join: it has no side effects. */
LLVMValueRef nvptx_assembly(struct gen *g, LLVMTypeRef result, const char *code,
                            const char *constraints, LLVMValueRef *args, unsigned n) {
    static const char *const flags[] = {"memory", "willreturn", "nounwind"};
    LLVMTypeRef from[] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[0])};
    LLVMTypeRef type = LLVMFunctionType(result, from, n, false);
    LLVMValueRef f = LLVMGetInlineAsm(type, code, strlen(code), constraints, strlen(constraints),
                                      false, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(g->b, type, f, args, n, "");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add_flag(g, call, flags[i]);
    return call;
}

/* An instruction that reads or writes memory, of operands of any types. */
static void memory_assembly(struct gen *g, const char *code, const char *constraints,
                            LLVMValueRef *args, unsigned n) {
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, n, false);
    LLVMValueRef f = LLVMGetInlineAsm(type, code, strlen(code), constraints, strlen(constraints),
                                      true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(g->b, type, f, args, n, "");
}

/* ---- workarounds for LLVM and ptxas
 *
 * LLVM 19 converts an i1 that is true, as a signed integer, to +1.0; it is -1.0.
 * ptxas 12 and 13 replace a select of the floats -1 and -0 by a conversion of a select of the
 * integers -1 and 0, which makes +0 of -0; a select of bit patterns they leave alone.
 * LLVM makes a minimum of `x < 0 ? x : 0` (a maximum for >), which is -0 for x = -0, not +0; again
 * it leaves bit patterns alone. ptxas 12 and 13 assume that 16-bit results of neg and abs did not
 * wrap, and lose the bound of max and min, where 32-bit instructions use the result: so these four
 * are done in 32 bits. */

static LLVMValueRef extend(struct gen *g, LLVMValueRef v, bool sign) {
    return LLVMBuildIntCast2(g->b, v, LLVMInt32TypeInContext(g->context), sign, "");
}

/* -v in 32 bits, by inline assembly: of a sub LLVM's code generator would make a 16-bit instruction
 * again. */
static LLVMValueRef negate(struct gen *g, LLVMValueRef v) {
    v = extend(g, v, true);
    return nvptx_assembly(g, LLVMTypeOf(v), "neg.s32 $0, $1;", "=r,r", &v, 1);
}

/* The replacement of instruction i, in 32 bits; NULL: it needs none. */
static LLVMValueRef widened(struct gen *g, LLVMValueRef i) {
    static const char *const names[] = {"smax", "smin", "abs", "umax", "umin"};
    LLVMPositionBuilderBefore(g->b, i);
    if (LLVMGetInstructionOpcode(i) == LLVMSub && LLVMIsNull(LLVMGetOperand(i, 0)))
        return negate(g, LLVMGetOperand(i, 1));
    if (LLVMIsACallInst(i) == NULL)
        return NULL;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    unsigned id = LLVMIsAFunction(callee) != NULL ? LLVMGetIntrinsicID(callee) : 0;
    for (size_t k = 0; id != 0 && k < sizeof names / sizeof names[0]; k++)
        if (id == gen_intrinsic_id(names[k])) {
            bool sign = names[k][0] != 'u';
            LLVMValueRef args[] = {extend(g, LLVMGetOperand(i, 0), sign), LLVMGetOperand(i, 1)};
            if (LLVMTypeOf(args[1]) == LLVMTypeOf(i)) /* abs has a flag there */
                args[1] = extend(g, args[1], sign);
            return gen_intrinsic(g, names[k], NULL, args, 2);
        }
    return NULL;
}

static bool is_zero_or_minus_one(LLVMValueRef v) {
    LLVMBool inexact;
    double value = LLVMIsAConstantFP(v) != NULL ? LLVMConstRealGetDouble(v, &inexact) : 1;
    return value == 0 || value == -1;
}

static bool is_zero(LLVMValueRef v) {
    LLVMBool inexact;
    return LLVMIsAConstantFP(v) != NULL && LLVMConstRealGetDouble(v, &inexact) == 0;
}

/* Whether select i is the greater one of a value and +0, which the maximum is for zeros too. */
static bool is_above_zero(LLVMValueRef i, LLVMValueRef condition) {
    LLVMRealPredicate p = LLVMGetFCmpPredicate(condition);
    LLVMValueRef least = LLVMGetOperand(i, p == LLVMRealOGT ? 2 : 1);
    return (p == LLVMRealOGT || p == LLVMRealULE) && LLVMIsNull(least) &&
           is_zero(LLVMGetOperand(condition, 1));
}

/* Whether select i is, for LLVM, the minimum or maximum of a value and a zero, and may give the
 * other zero. */
static bool is_zero_bound(LLVMValueRef i) {
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    if (LLVMIsAFCmpInst(condition) == NULL)
        return false;
    LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1),
                 x = LLVMGetOperand(i, 1), y = LLVMGetOperand(i, 2);
    LLVMValueRef compared = is_zero(a)   ? b
                            : is_zero(b) ? a
                                         : NULL,
                 other = is_zero(x)   ? y
                         : is_zero(y) ? x
                                      : NULL;
    return compared != NULL && compared == other && !is_above_zero(i, condition);
}

/* The replacement of the select i of floats by one of bit patterns; NULL: LLVM and ptxas get it
 * right. */
static LLVMValueRef select_bits(struct gen *g, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMValueRef v[] = {LLVMGetOperand(i, 1), LLVMGetOperand(i, 2)};
    bool constants =
        kind == LLVMFloatTypeKind && is_zero_or_minus_one(v[0]) && is_zero_or_minus_one(v[1]);
    if (!constants && !is_zero_bound(i))
        return NULL;
    unsigned width = kind == LLVMDoubleTypeKind ? 64 : kind == LLVMFloatTypeKind ? 32 : 16;
    LLVMTypeRef bits = LLVMIntTypeInContext(g->context, width);
    LLVMPositionBuilderBefore(g->b, i);
    for (int k = 0; k < 2; k++)
        v[k] = LLVMBuildBitCast(g->b, v[k], bits, "");
    LLVMValueRef chosen = LLVMBuildSelect(g->b, LLVMGetOperand(i, 0), v[0], v[1], "");
    return LLVMBuildBitCast(g->b, chosen, type, "");
}

/* The replacement of instruction i, of its type; NULL: it needs none. */
static LLVMValueRef corrected(struct gen *g, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i), i1 = LLVMInt1TypeInContext(g->context);
    if (LLVMGetInstructionOpcode(i) == LLVMSIToFP && LLVMTypeOf(LLVMGetOperand(i, 0)) == i1) {
        LLVMPositionBuilderBefore(g->b, i);
        return gen_select(g, LLVMGetOperand(i, 0), LLVMConstReal(type, -1), LLVMConstNull(type));
    }
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMGetInstructionOpcode(i) == LLVMSelect &&
        (kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind))
        return select_bits(g, i);
    if (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 32 || type == i1)
        return NULL;
    LLVMValueRef v = widened(g, i);
    return v != NULL ? LLVMBuildTrunc(g->b, v, type, "") : NULL;
}

void nvptx_replace(struct gen *g, LLVMValueRef (*replacement)(struct gen *g, LLVMValueRef i)) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMValueRef v = replacement(g, i);
                if (v == NULL)
                    continue;
                LLVMReplaceAllUsesWith(i, v);
                LLVMInstructionEraseFromParent(i);
            }
}

/* ---- threads */

static LLVMValueRef read_id(struct gen *g, enum gpu_id id) {
    static const char *const names[] = {[THREAD_ID] = "nvvm.read.ptx.sreg.tid.x",
                                        [BLOCK_ID] = "nvvm.read.ptx.sreg.ctaid.x",
                                        [BLOCK_SIZE] = "nvvm.read.ptx.sreg.ntid.x"};
    return gen_intrinsic(g, names[id], NULL, NULL, 0);
}

/* The intrinsic has another name since LLVM 21. */
static void barrier(struct gen *g) {
    static const char name[] = "nvvm.barrier.cta.sync.aligned.all";
    LLVMValueRef zero = i32(g, 0);
    if (gen_intrinsic_id(name) != 0)
        gen_intrinsic(g, name, NULL, &zero, 1);
    else
        gen_intrinsic(g, "nvvm.barrier0", NULL, NULL, 0);
}

static LLVMValueRef barrier_all(struct gen *g, LLVMValueRef v) {
    static const char name[] = "nvvm.barrier.cta.red.and.aligned.all";
    LLVMValueRef args[] = {i32(g, 0), v};
    if (gen_intrinsic_id(name) != 0)
        return gen_intrinsic(g, name, NULL, args, 2);
    LLVMValueRef all = LLVMBuildZExt(g->b, v, i32_type(g), "");
    return is_set(g, gen_intrinsic(g, "nvvm.barrier0.and", NULL, &all, 1));
}

static void cluster_barrier(struct gen *g) {
    gen_intrinsic(g, "nvvm.barrier.cluster.arrive.aligned", NULL, NULL, 0); /* which releases, */
    gen_intrinsic(g, "nvvm.barrier.cluster.wait.aligned", NULL, NULL, 0);   /* and acquires */
}

static void hold_block(struct gen *g) {
    memory_assembly(g, "", "", NULL, 0);
}

/* The intrinsics' membar is sequentially consistent, and much slower. */
static void fence(struct gen *g) {
    memory_assembly(g, "fence.acq_rel.gpu;", "~{memory}", NULL, 0);
}

static void arrive(struct gen *g, LLVMValueRef counter, LLVMValueRef n) {
    LLVMValueRef args[] = {LLVMBuildPtrToInt(g->b, counter, i64_type(g), ""), n};
    memory_assembly(g, "red.release.gpu.global.add.u32 [$0], $1;", "l,r,~{memory}", args, 2);
}

static LLVMValueRef arrived(struct gen *g, LLVMValueRef counter) {
    static const char code[] = "ld.acquire.gpu.global.u32 $0, [$1];",
                      constraints[] = "=r,l,~{memory}";
    LLVMValueRef at = LLVMBuildPtrToInt(g->b, counter, i64_type(g), "");
    LLVMTypeRef from = i64_type(g), type = LLVMFunctionType(i32_type(g), &from, 1, false);
    LLVMValueRef f = LLVMGetInlineAsm(type, code, strlen(code), constraints, strlen(constraints),
                                      true, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(g->b, type, f, &at, 1, "");
}

/* LLVM is to keep it, but may move loads across it. */
static void prefetch(struct gen *g, LLVMValueRef at) {
    static const char code[] = "prefetch.global.L1 [$0];";
    LLVMValueRef address = LLVMBuildPtrToInt(g->b, at, i64_type(g), "");
    LLVMTypeRef from = i64_type(g),
                type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &from, 1, false);
    LLVMValueRef f = LLVMGetInlineAsm(type, code, strlen(code), "l", 1, true, false,
                                      LLVMInlineAsmDialectATT, false);
    add_flag(g, LLVMBuildCall2(g->b, type, f, &address, 1, ""), "memory");
}

static void copy(struct gen *g, LLVMValueRef to, LLVMValueRef from, unsigned size,
                 LLVMValueRef bytes) {
    static const char *const code[2][2] = {
        {"cp.async.ca.shared.global [$0], [$1], 8, $2;",
         "cp.async.cg.shared.global [$0], [$1], 16, $2;"},
        {"cp.async.ca.shared.global [$0], [$1], 8;", "cp.async.cg.shared.global [$0], [$1], 16;"}};
    LLVMValueRef args[] = {LLVMBuildPtrToInt(g->b, to, i64_type(g), ""),
                           LLVMBuildPtrToInt(g->b, from, i64_type(g), ""), bytes};
    bool all = LLVMIsAConstantInt(bytes) != NULL && LLVMConstIntGetZExtValue(bytes) == size;
    memory_assembly(g, code[all][size == 16], all ? "l,l,~{memory}" : "l,l,r,~{memory}", args,
                    all ? 2 : 3);
}

static void end_copies(struct gen *g) {
    memory_assembly(g, "cp.async.commit_group;", "~{memory}", NULL, 0);
}

static void await_copies(struct gen *g, unsigned groups) {
    char code[40];
    snprintf(code, sizeof code, "cp.async.wait_group %u;", groups);
    memory_assembly(g, code, "~{memory}", NULL, 0);
}

/* Appends "{$first, …}", n operands of an instruction. */
static void list_operands(char *code, size_t size, int first, int n) {
    for (int i = 0; i < n; i++) {
        size_t at = strlen(code);
        snprintf(code + at, size - at, "%s$%d%s", i == 0 ? "{" : ", ", first + i,
                 i == n - 1 ? "}" : "");
    }
}

/* LLVM 19 lacks an intrinsic for it. */
static void multiply_matrices(struct gen *g, int k, LLVMValueRef c[4], LLVMValueRef *a,
                              LLVMValueRef *b) {
    static const char *const flags[] = {"memory", "willreturn", "nounwind", "convergent"};
    char code[200], constraints[80] = "=d,=d,=d,=d";
    LLVMTypeRef d = LLVMDoubleTypeInContext(g->context), types[16];
    LLVMValueRef args[16];
    int na = k / 2, nb = k / 4, n = na + nb + 4, first[] = {0, 4, 4 + na, 4 + na + nb};
    for (int i = 0; i < n; i++) {
        args[i] = i < na ? a[i] : i < na + nb ? b[i - na] : c[i - na - nb];
        types[i] = d;
        size_t at = strlen(constraints);
        if (i < na + nb)
            snprintf(constraints + at, sizeof constraints - at, ",d");
        else
            snprintf(constraints + at, sizeof constraints - at, ",%d", i - na - nb);
    }
    snprintf(code, sizeof code, "mma.sync.aligned.m16n8k%d.row.col.f64.f64.f64.f64 ", k);
    for (int i = 0; i < 4; i++) {
        list_operands(code, sizeof code, first[i], i == 1 ? na : i == 2 ? nb : 4);
        strcat(code, i < 3 ? ", " : ";");
    }
    LLVMTypeRef result = LLVMStructTypeInContext(g->context, types, 4, false);
    LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)n, false);
    LLVMValueRef f = LLVMGetInlineAsm(type, code, strlen(code), constraints, strlen(constraints),
                                      false, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(g->b, type, f, args, (unsigned)n, "");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add_flag(g, call, flags[i]);
    for (unsigned i = 0; i < 4; i++)
        c[i] = LLVMBuildExtractValue(g->b, call, i, "");
}

static void warp_barrier(struct gen *g, LLVMValueRef lane_mask) {
    gen_intrinsic(g, "nvvm.bar.warp.sync", NULL, &lane_mask, 1);
}

static LLVMValueRef ballot(struct gen *g, LLVMValueRef lane_mask, LLVMValueRef condition) {
    static const char name[] = "nvvm.vote.ballot.sync";
    LLVMValueRef args[] = {lane_mask, condition};
    return gen_intrinsic(g, name, NULL, args, 2);
}

static LLVMValueRef match(struct gen *g, LLVMValueRef word) {
    LLVMValueRef args[] = {i32(g, UINT32_MAX), word};
    return gen_intrinsic(g, "nvvm.match.any.sync.i32", NULL, args, 2);
}

static LLVMValueRef shuffle(struct gen *g, enum shuffle way, LLVMValueRef lane_mask,
                            LLVMValueRef word, LLVMValueRef by) {
    static const char *const names[] = {[SHUFFLE_DOWN] = "nvvm.shfl.sync.down.i32",
                                        [SHUFFLE_UP] = "nvvm.shfl.sync.up.i32",
                                        [SHUFFLE_ACROSS] = "nvvm.shfl.sync.bfly.i32",
                                        [SHUFFLE_FROM] = "nvvm.shfl.sync.idx.i32"};
    LLVMValueRef args[] = {lane_mask, word, by, i32(g, way == SHUFFLE_UP ? 0 : WARP - 1)};
    return gen_intrinsic(g, names[way], NULL, args, 4);
}

/* ---- arithmetic */

static LLVMValueRef widen_half(struct gen *g, LLVMValueRef v) {
    LLVMTypeRef f32 = gen_type(g, DT_FLOAT32);
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id("convert.from.fp16"), &f32, 1);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &v, 1, "");
}

/* Not by the intrinsic: of a minus sign beside it LLVM would make a neg.f16, which flushes
 * subnormal numbers to zero with --ftz. */
static LLVMValueRef narrow_half(struct gen *g, LLVMValueRef v) {
    return nvptx_assembly(g, gen_type(g, DT_INT16), "cvt.rn.f16.f32 $0, $1;", "=h,f", &v, 1);
}

/* The instructions saturate; of a NaN they make 0, or, where either type has 64 bits, the top bit
 * alone. */
static LLVMValueRef to_integer(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                               enum ufc_dtype to) {
    static const char *const names[2][2][2] = {
        /* from float64, to 64 bits, to a signed type */
        {{"nvvm.f2ui.rz", "nvvm.f2i.rz"}, {"nvvm.f2ull.rz", "nvvm.f2ll.rz"}},
        {{"nvvm.d2ui.rz", "nvvm.d2i.rz"}, {"nvvm.d2ull.rz", "nvvm.d2ll.rz"}}};
    bool from64 = from == DT_FLOAT64, to64 = dtype_info[to].bits == 64;
    LLVMValueRef r = gen_intrinsic(g, names[from64][to64][is_signed(to)], NULL, &v, 1);
    if (!from64 && !to64)
        return r;
    LLVMValueRef number = LLVMBuildFCmp(g->b, LLVMRealORD, v, v, "");
    return gen_select(g, number, r, gen_int(g, to, 0));
}

/* By the bits of 2^52 and an integer, of which 2^52 is taken again: a conversion to 64 bits takes
 * four times as long as a sum on sm_80 and sm_90, and no less elsewhere. */
static LLVMValueRef to_float64(struct gen *g, LLVMValueRef v, enum ufc_dtype from) {
    LLVMTypeRef word = gen_type(g, DT_INT32), f64 = gen_type(g, DT_FLOAT64);
    double offset = 0x1p52;
    v = LLVMBuildIntCast2(g->b, v, word, is_signed(from), "");
    if (is_signed(from)) {
        v = LLVMBuildXor(g->b, v, gen_int(g, DT_INT32, INT32_MIN), "");
        offset += 0x1p31;
    }
    LLVMValueRef bits = LLVMBuildZExt(g->b, v, gen_type(g, DT_INT64), "");
    bits = LLVMBuildOr(g->b, bits, gen_int(g, DT_INT64, INT64_C(0x4330000000000000)), "");
    LLVMValueRef sum = LLVMBuildBitCast(g->b, bits, f64, "");
    return LLVMBuildFSub(g->b, sum, LLVMConstReal(f64, offset), "");
}

/* An intrinsic of one float32, lane by lane. */
static LLVMValueRef in_lanes(struct gen *g, const char *name, LLVMValueRef *args, int nargs) {
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return gen_intrinsic(g, name, NULL, args, nargs);
    LLVMValueRef all = LLVMGetPoison(type), one[2];
    struct lanes_scope outer = lanes_enter(g, 1);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef lane = i32(g, i);
        for (int k = 0; k < nargs; k++)
            one[k] = LLVMBuildExtractElement(g->b, args[k], lane, "");
        LLVMValueRef v = gen_intrinsic(g, name, NULL, one, nargs);
        all = LLVMBuildInsertElement(g->b, all, v, lane, "");
    }
    lanes_leave(g, outer);
    return all;
}

static LLVMValueRef approximate_sqrt(struct gen *g, LLVMValueRef a) {
    return in_lanes(g, g->ftz ? "nvvm.sqrt.approx.ftz.f" : "nvvm.sqrt.approx.f", &a, 1);
}

static LLVMValueRef approximate_divide(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b};
    return in_lanes(g, g->ftz ? "nvvm.div.approx.ftz.f" : "nvvm.div.approx.f", args, 2);
}

static LLVMValueRef multiply_wide(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b};
    return nvptx_assembly(g, LLVMInt64TypeInContext(g->context), "mul.wide.s32 $0, $1, $2;",
                          "=l,r,r", args, 2);
}

static bool has_fma(const struct gen *g) {
    (void)g;
    return true;
}

/* ---- kernels and modules */

/* LLVM only warns about a processor that it does not know, and writes wrong PTX. */
static bool knows_sm(int sm) {
    static const struct {
        int sm, llvm; /* the first version that has it, of those from 19 on */
    } known[] = {{75, 19},  {80, 19},  {86, 19},  {87, 19},  {88, 22},  {89, 19}, {90, 19},
                 {100, 20}, {101, 20}, {103, 21}, {110, 22}, {120, 20}, {121, 21}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].sm == sm)
            return known[i].llvm <= llvm_major();
    return false;
}

static LLVMTargetMachineRef machine(struct uc *uc, int sm) {
    char cpu[16];
    snprintf(cpu, sizeof cpu, "sm_%d", sm);
    if (!knows_sm(sm)) {
        error_nowhere(uc, "there is no code generation for %s with LLVM %s", cpu,
                      ufcc_llvm_version());
        return NULL;
    }
    /* ptxas optimises whatever LLVM's code generator writes, and optimising there doubles its time.
     * Only contraction is left to it. */
    LLVMCodeGenOptLevel level =
        uc->options->fast_math ? LLVMCodeGenLevelLess : LLVMCodeGenLevelNone;
    return llvm_machine_ptx(uc, cpu, level);
}

/* Limits a thread's registers so that a multiprocessor has those of `blocks` blocks at once.  Where
 * it cannot have so many threads, as on sm_75, ptxas ignores minctasm. */
static void limit_registers(struct gen *g, int threads, int blocks) {
    enum { LEAST_THREADS = 1024, MOST_REGISTERS = 80 };
    llvm_ptx_directive(g->function, "minctasm", blocks);
    if (blocks * threads > LEAST_THREADS)
        llvm_ptx_directive(g->function, "maxnreg", MOST_REGISTERS);
}

static void kernel(struct gen *g, LLVMTypeRef param, int threads, int blocks) {
    LLVMSetFunctionCallConv(g->function, LLVMPTXKernelCallConv);
    llvm_ptx_directive(g->function, "maxntid", threads);
    if (blocks > 0)
        limit_registers(g, threads, blocks);
    llvm_byval(g->function, 1, param, 8);
}

/* Kernels wait for launches ahead of them, which they may overlap (runtime/cuda/wait.c has PTX for
 * earlier architectures do so). */
static void wait_first(struct gen *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv)
            continue;
        LLVMPositionBuilderBefore(g->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
        memory_assembly(g, "griddepcontrol.wait;", "~{memory}", NULL, 0);
    }
}

static void finish(struct gen *g, int sm) {
    nvptx_zero(g);
    nvptx_replace(g, corrected);
    nvptx_loads_first(g);
    nvptx_divide(g);
    nvptx_round(g);
    nvptx_roots(g);
    nvptx_sums(g);
    nvptx_words(g);
    nvptx_products(g);
    nvptx_clear(g);
    if (sm >= UFC_WAITING_SM)
        wait_first(g);
}

const struct gpu_target nvptx_target = {.body = {.library = nvptx_library,
                                                 .widen_half = widen_half,
                                                 .narrow_half = narrow_half,
                                                 .to_integer = to_integer,
                                                 .to_float64 = to_float64,
                                                 .approximate_sqrt = approximate_sqrt,
                                                 .approximate_divide = approximate_divide,
                                                 .multiply_wide = multiply_wide,
                                                 .quotient = nvptx_quotient,
                                                 .has_fma = has_fma,
                                                 .constants = 1,
                                                 .counts_iterations = true,
                                                 .shares_fault = true,
                                                 .aligned_vectors = true,
                                                 .constant_loads = true,
                                                 .one_select = true},
                                        .option = UFCC_CUDA,
                                        .output = UFCC_PTX,
                                        .global = 1,
                                        .shared = 3,
                                        .passes = "function(nvvm-intr-range)",
                                        .machine = machine,
                                        .kernel = kernel,
                                        .id = read_id,
                                        .barrier = barrier,
                                        .barrier_all = barrier_all,
                                        .cluster_barrier = cluster_barrier,
                                        .hold_block = hold_block,
                                        .fence = fence,
                                        .arrive = arrive,
                                        .arrived = arrived,
                                        .warp_barrier = warp_barrier,
                                        .ballot = ballot,
                                        .match = match,
                                        .shuffle = shuffle,
                                        .multiply_matrices = multiply_matrices,
                                        .prefetch = prefetch,
                                        .copy = copy,
                                        .end_copies = end_copies,
                                        .await_copies = await_copies,
                                        .link = nvptx_link,
                                        .finish = finish};
