/* nvptx.c: an overload → PTX: the element body, once, as a function; the kernels that call it
 * (gen/gpu/ufunc/ufunc.c); libdevice; the passes that make one of all. */
#include <stdio.h>
#include <string.h>

#include "gen/gpu/gpu.h"

const char *const kernel_suffix[UFC_KERNEL_COUNT] = {
    "vector", "strided", "cast", "rows",  "turn", "fold",   "tree",   "thread", "dense",  "dense2",
    "dense3", "dense4",  "warp", "block", "grid", "column", "tile16", "tile32", "tile64", "window"};

int vector_width(const struct plan *p) {
    int widest = 8;
    for (int k = 0; k < p->noperands; k++)
        if (dtype_info[p->operands[k].dtype].bits > widest)
            widest = dtype_info[p->operands[k].dtype].bits;
    return 128 / widest;
}

/* The body as a function, so that it is generated once: of the inputs and, with checks, g->fault.
 */
static LLVMValueRef element_function(struct gen *g) {
    const struct plan *p = g->plan;
    LLVMTypeRef types[UFC_MAX_OPERANDS + 1];
    for (int i = 0; i < p->noperands; i++)
        types[i] = gen_type(g, p->operands[i].dtype);
    int nout = p->noperands - p->nin;
    LLVMTypeRef results =
        LLVMStructTypeInContext(g->context, types + p->nin, (unsigned)nout, false);
    types[p->nin] = gen_fault_type(g);
    LLVMTypeRef type =
        LLVMFunctionType(results, types, (unsigned)p->nin + (p->checked ? 1 : 0), false);
    g->function = LLVMAddFunction(g->module, "element", type);
    LLVMSetLinkage(g->function, LLVMInternalLinkage);
    llvm_flag(g->function, "alwaysinline");
    llvm_flag(g->function, "nounwind");
    gen_place(g, gen_block(g, "entry"));
    lines_function(g, p->overload->at);
    for (int i = 0; i < p->nin; i++)
        g->inputs[i] = LLVMGetParam(g->function, (unsigned)i);
    if (p->checked)
        g->fault = LLVMGetParam(g->function, (unsigned)p->nin);
    gen_body(g);
    LLVMBuildAggregateRet(g->b, g->outputs + p->nin, (unsigned)nout);
    return g->function;
}

/* ---- threads */

LLVMValueRef gen_special_register(struct gen *g, const char *name) {
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id(name), NULL, 0);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

LLVMValueRef gen_thread_number(struct gen *g) {
    LLVMValueRef block = gen_special_register(g, "nvvm.read.ptx.sreg.ctaid.x"),
                 threads = gen_special_register(g, "nvvm.read.ptx.sreg.ntid.x");
    LLVMValueRef first = LLVMBuildMul(g->b, block, threads, "");
    return LLVMBuildAdd(g->b, first, gen_special_register(g, "nvvm.read.ptx.sreg.tid.x"), "");
}

/* ---- functions */

/* libdevice's fast functions, of float32. */
static bool has_fast(int id) {
    return id == B_SIN || id == B_COS || id == B_TAN || id == B_EXP || id == B_EXP10 ||
           id == B_LOG || id == B_LOG2 || id == B_LOG10 || id == B_POW;
}

static LLVMValueRef call_libdevice(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                                   LLVMTypeRef result, LLVMValueRef *args);

/* Lane by lane. */
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

/* Our own pow of float64, which calls libdevice's. */
static LLVMValueRef pow_function(struct gen *g, LLVMTypeRef type) {
    LLVMValueRef ours = declared(g, "pow_f64", type);
    if (LLVMIsDeclaration(ours)) {
        LLVMSetLinkage(ours, LLVMInternalLinkage);
        llvm_flag(ours, "alwaysinline");
        llvm_flag(ours, "nounwind");
        gen_pow(g, ours, declared(g, "__nv_pow", type));
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

/* ---- what others get wrong
 *
 * LLVM 19 makes +1 of true where -1 is asked for, as a float.
 * ptxas 12 and 13 make +0 of the -0 in a choice between the floats -1 and -0, converting a choice
 * between the integers -1 and 0; one between bit patterns they leave alone.
 * ptxas 12 and 13 take 16-bit results of neg and abs that wrapped for ones that did not, and lose
 * the bound of max and min, where 32-bit instructions use them: so these four are done in 32 bits.
 */

static LLVMValueRef extend(struct gen *g, LLVMValueRef v, bool sign) {
    return LLVMBuildIntCast2(g->b, v, LLVMInt32TypeInContext(g->context), sign, "");
}

/* In assembly, since LLVM's code generator would make it narrow again. */
static LLVMValueRef negate(struct gen *g, LLVMValueRef v) {
    v = extend(g, v, true);
    return gen_assembly(g, LLVMTypeOf(v), "neg.s32 $0, $1;", "=r,r", v);
}

/* What i should be, in 32 bits; NULL: what it is. */
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

/* A choice between two floats that ptxas would convert; NULL: it would not. */
static LLVMValueRef choose_bits(struct gen *g, LLVMValueRef i) {
    LLVMValueRef bits[2];
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    LLVMPositionBuilderBefore(g->b, i);
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef v = LLVMGetOperand(i, k + 1);
        if (!is_zero_or_minus_one(v))
            return NULL;
        bits[k] = LLVMConstBitCast(v, i32);
    }
    LLVMValueRef v = LLVMBuildSelect(g->b, LLVMGetOperand(i, 0), bits[0], bits[1], "");
    return LLVMBuildBitCast(g->b, v, LLVMTypeOf(i), "");
}

/* What i should be, of its type; NULL: what it is. */
static LLVMValueRef corrected(struct gen *g, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i), i1 = LLVMInt1TypeInContext(g->context);
    if (LLVMGetInstructionOpcode(i) == LLVMSIToFP && LLVMTypeOf(LLVMGetOperand(i, 0)) == i1) {
        LLVMPositionBuilderBefore(g->b, i);
        return gen_select(g, LLVMGetOperand(i, 0), LLVMConstReal(type, -1), LLVMConstNull(type));
    }
    if (LLVMGetInstructionOpcode(i) == LLVMSelect && LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        return choose_bits(g, i);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 32 ||
        type == i1)
        return NULL;
    LLVMValueRef v = widened(g, i);
    return v != NULL ? LLVMBuildTrunc(g->b, v, type, "") : NULL;
}

static void correct_all(struct gen *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMValueRef v = corrected(g, i);
                if (v == NULL)
                    continue;
                LLVMReplaceAllUsesWith(i, v);
                LLVMInstructionEraseFromParent(i);
            }
}

/* ---- sin and cos of one value, which libdevice computes at the price of one */

static bool calls(LLVMValueRef i, const char *function) {
    size_t size;
    return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
           strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &size), function) == 0;
}

/* The call of a function with sine's argument in sine's block; NULL: none. */
static LLVMValueRef call_beside(LLVMValueRef sine, const char *function) {
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

/* Replaces both. */
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
            LLVMValueRef cosine = calls(i, names[k][0]) ? call_beside(i, names[k][1]) : NULL;
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
    if (!llvm_optimise(g->uc, g->module, machine, "function(sroa,early-cse)")) /* equal are one */
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            share_in_block(g, b);
    return true;
}

/* ---- the module */

static bool has_loop(const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_FOR || s->kind == PS_LOOP || s->kind == PS_SPREAD || has_loop(s->body) ||
            has_loop(s->other))
            return true;
    return false;
}

#define FEW_PASSES                                                                                 \
    "always-inline,globaldce,"                                                                     \
    "function(sroa,simplifycfg,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"
#define JOIN_ACCESSES ",function(load-store-vectorizer,early-cse)" /* of neighbours */
enum { MOST_JOINED = 4096 }; /* operations of a body: it takes time by the square */

/* For straight code a few passes give the same PTX as all of them; loops are worth the time, and
 * ptxas crashes on dead ones. */
static const char *passes_for(const struct plan *p) {
    if (has_loop(p->body))
        return "default<O2>" JOIN_ACCESSES;
    bool joins = p->overload->decl->kind == DECL_GUFUNC && p->map.operations <= MOST_JOINED;
    return joins ? FEW_PASSES JOIN_ACCESSES : FEW_PASSES;
}

static void flush_subnormals(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            llvm_attribute(f, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

/* PTX or optimised LLVM IR of one of p's modules. */
static bool gen_device(struct uc *uc, const struct plan *p, enum ufc_module module, int sm,
                       ufcc_output output, struct buf *out) {
    LLVMTargetMachineRef machine = llvm_machine_nvptx(uc, sm);
    if (machine == NULL)
        return false;
    LLVMContextRef context = llvm_context(uc);
    struct gen g = {.uc = uc,
                    .plan = p,
                    .context = context,
                    .module = llvm_module(context, p->symbol, machine),
                    .b = LLVMCreateBuilderInContext(context),
                    .lanes = 1,
                    .device = true,
                    .approximate = uc->options->fast_math,
                    .ftz = uc->options->ftz,
                    .library = call_libdevice};
    if (uc->options->line_info)
        lines_begin(&g);
    if (p->overload->decl->kind == DECL_GUFUNC)
        gen_gufunc_kernels(&g);
    else if (module == UFC_MODULE_FOLD)
        gen_fold_kernels(&g, element_function(&g));
    else
        gen_kernels(&g, module, element_function(&g));
    lines_end(&g);
    llvm_dump(uc, 'l', g.module);
    bool ok = share_sin_cos(&g, machine) && link_libdevice(uc, g.module, sm);
    if (g.ftz)
        flush_subnormals(g.module);
    ok = ok && llvm_optimise(uc, g.module, machine, passes_for(p));
    if (ok) {
        correct_all(&g);
        gen_loads_first(&g);
    }
    ok = ok && llvm_emit(uc, g.module, machine, output, out);
    LLVMDisposeBuilder(g.b);
    LLVMDisposeModule(g.module);
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    return ok;
}

bool gen_nvptx(struct uc *uc, const struct plan *p, enum ufc_module module, int sm,
               struct buf *ptx) {
    return gen_device(uc, p, module, sm, UFCC_PTX, ptx);
}

bool gen_nvptx_llvm(struct uc *uc, const struct plan *p, enum ufc_module module, int sm,
                    struct buf *ir) {
    return gen_device(uc, p, module, sm, UFCC_LLVM, ir);
}
