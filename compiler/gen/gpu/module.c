/* module.c: an overload's code for a GPU target.  A ufunc's body is generated once, as a function
 * that its kernels call; passes inline it, optimise the module, and the target emits it. */
#include <stdio.h>

#include "gen/gpu/gpu.h"

/* A ufunc's body as a function of the inputs and, with checks, of g->fault and g->output_at. */
static LLVMValueRef element_function(struct gen *g) {
    const struct plan *p = g->plan;
    LLVMTypeRef types[UFC_MAX_OPERANDS + 2];
    for (int i = 0; i < p->noperands; i++)
        types[i] = gen_type(g, p->operands[i].dtype);
    int nout = p->noperands - p->nin;
    LLVMTypeRef results =
        LLVMStructTypeInContext(g->context, types + p->nin, (unsigned)nout, false);
    types[p->nin] = global_pointer_type(g);
    types[p->nin + 1] = i64_type(g);
    LLVMTypeRef type =
        LLVMFunctionType(results, types, (unsigned)p->nin + (p->checked ? 2 : 0), false);
    g->function = LLVMAddFunction(g->module, "element", type);
    LLVMSetLinkage(g->function, LLVMInternalLinkage);
    llvm_flag(g->function, "alwaysinline");
    llvm_flag(g->function, "nounwind");
    gen_place(g, gen_block(g, "entry"));
    for (int i = 0; i < p->nin; i++)
        g->inputs[i] = LLVMGetParam(g->function, (unsigned)i);
    if (p->checked) {
        g->fault = LLVMGetParam(g->function, (unsigned)p->nin);
        g->output_at = LLVMGetParam(g->function, (unsigned)p->nin + 1);
    }
    gen_body(g);
    LLVMBuildAggregateRet(g->b, g->outputs + p->nin, (unsigned)nout);
    return g->function;
}

/* ---- the module */

/* Joins accesses of neighbouring elements to vector accesses. */
#define JOIN_ACCESSES ",function(load-store-vectorizer)"
#define COMBINE       "instcombine<no-verify-fixpoint>"

static const char few_passes[] =
    "always-inline,globaldce,function(sroa,simplifycfg,early-cse," COMBINE ",simplifycfg)";

/* The passes of LLVM's default<O1> that kernels gain by, some of which that runs several times, in
 * less than half its time.  Without `ipsccp` and the second `licm`, tiles take a third more
 * registers; without the second `instcombine`, behind the unrolling, windows take twice as many,
 * and quotients by numbers of elements a fifth more instructions.  `loop-deletion` is for ptxas,
 * which crashes on dead loops.  `always-inline` inlines what `inline` would, and weighs nothing. */
static const char loop_passes[] =
    "function(sroa<modify-cfg>,early-cse),ipsccp,always-inline,cgscc(function-attrs),globaldce,"
    "function<eager-inv>("
    "sroa<modify-cfg>,simplifycfg," COMBINE ",simplifycfg,"
    "loop-mssa(loop-rotate,licm,simple-loop-unswitch),simplifycfg,"
    "loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,early-cse<memssa>,sccp,"
    "bdce," COMBINE ",adce,simplifycfg,loop-unroll,loop-mssa(licm),early-cse,simplifycfg)";

/* Runs the passes that pay for a plan, or for what is common to all: straight code gets the same
 * PTX from a few as from all. */
static bool optimise(struct uc *uc, const struct gpu_target *target, const struct plan *p,
                     bool common, LLVMModuleRef m, LLVMTargetMachineRef machine) {
    bool loops = !common && has_loop(p->body), gufunc = p->overload->decl->kind == DECL_GUFUNC;
    bool joins = loops || (gufunc && p->map.operations <= MAX_JOINED);
    char passes[1024];
    snprintf(passes, sizeof passes, "%s,%s%s", target->passes, loops ? loop_passes : few_passes,
             joins ? JOIN_ACCESSES : "");
    return llvm_optimise(uc, m, machine, passes);
}

static void flush_subnormals(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            llvm_attribute(f, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

static bool gen_module(struct uc *uc, const struct gpu_target *target, const struct plan *p,
                       uint64_t kernels, int arch, ufcc_output output, struct buf *out) {
    LLVMTargetMachineRef machine = target->machine(uc, arch);
    if (machine == NULL)
        return false;
    LLVMContextRef context = llvm_context(uc);
    bool common =
        is_common_module(kernel_info[__builtin_ctzll(kernels)].module); /* all are in one */
    struct gen g = {.uc = uc,
                    .plan = p,
                    .context = context,
                    .module = llvm_module(context, p->symbol, machine),
                    .b = LLVMCreateBuilderInContext(context),
                    .lanes = 1,
                    .target = &target->body,
                    .approximate = uc->options->fast_math,
                    .ftz = uc->options->ftz};
    struct lines lines;
    if (uc->options->line_info && !common)
        lines_begin(&g, &lines, false);
    if (p->overload->decl->kind == DECL_GUFUNC)
        gen_gufunc_kernels(&g, kernels);
    else {
        LLVMValueRef element = common ? NULL : element_function(&g);
        gen_ufunc_kernels(&g, kernels, element);
        gen_fold_kernels(&g, kernels, element);
    }
    lines_end(&g);
    llvm_dump(uc, 'l', g.module);
    bool ok = target->link(&g, machine, arch);
    if (g.ftz)
        flush_subnormals(g.module);
    ok = ok && optimise(uc, target, p, common, g.module, machine);
    if (ok)
        target->finish(&g, arch);
    ok = ok && llvm_emit(uc, g.module, machine, output, out);
    LLVMDisposeBuilder(g.b);
    LLVMDisposeModule(g.module);
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    return ok;
}

/* ---- targets */

#define GPU_TARGET(name) extern const struct gpu_target name##_target;
#include "target.def"
#undef GPU_TARGET

static const struct gpu_target *const targets[] = {
#define GPU_TARGET(name) &name##_target,
#include "target.def"
#undef GPU_TARGET
};

bool gen_gpu(struct uc *uc, const struct plan *p, uint64_t kernels, int arch, ufcc_output output,
             struct buf *out) {
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        const struct gpu_target *t = targets[i];
        bool wanted = output == UFCC_LLVM ? uc->options->targets & t->option : output == t->output;
        if (wanted && !gen_module(uc, t, p, kernels, arch, output, out))
            return false;
    }
    return true;
}
