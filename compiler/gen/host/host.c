/* host.c: host code of all plans: an overload's kernel for each level of instructions.
 *
 * A ufunc's kernel passes its loop over vectors to the runtime's ufc_host_drive (drive.c), which
 * calls it on operands of any layout. */
#include "host.h"

/* ---- loops over vectors */

/* Lanes of a plan's vectors: a vector register of the widest type, where a complex number counts as
 * one of its parts, so that no vector has a single lane. */
static int count_lanes(const struct plan *p, enum ufc_level level) {
    int widest = 1;
    for (int k = 0; k < p->noperands; k++) {
        int bytes = dtype_info[part_dtype(p->operands[k].dtype)].bits / 8;
        widest = bytes > widest ? bytes : widest;
    }
    int lanes = level_info[level].bytes / widest;
    bool arrays = p->nlocals > 0 || p->overload->decl->kind == DECL_GUFUNC;
    return arrays && lanes > ARRAY_LANES ? ARRAY_LANES : lanes;
}

/* Complex numbers take two registers.  LLVM would store the upper one first, which takes a quarter
 * longer where stores cross cache lines: a fence, which is no instruction, keeps the order. */
static void store_lanes(struct gen *g, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef at) {
    LLVMTypeRef memory = gen_lanes_of(g, gen_memory_type(g, d));
    if (!is_complex(d) || g->lanes == 1) {
        gen_store_element(g, memory, v, at, dtype_align(d));
        return;
    }
    LLVMTypeRef part = gen_scalar_type(g, part_dtype(d));
    v = LLVMBuildBitCast(g->b, v, LLVMVectorType(part, 2 * (unsigned)g->lanes), "");
    for (int i = 0; i < 2; i++) {
        LLVMValueRef half = take_lanes(g, v, i * g->lanes, g->lanes);
        LLVMValueRef offset = LLVMConstInt(i64_type(g), (unsigned)(i * g->lanes), false);
        if (i > 0)
            LLVMBuildFence(g->b, LLVMAtomicOrderingRelease, true, "");
        gen_store_element(g, LLVMTypeOf(half), half, LLVMBuildGEP2(g->b, part, at, &offset, 1, ""),
                          dtype_align(d));
    }
}

/* A loop of the body over `vectors` vectors: operand k's first is at pointers[k], the others
 * increments[k] bytes apart. */
static void gen_vectors(struct gen *g, LLVMValueRef pointers, LLVMValueRef increments,
                        LLVMValueRef vectors) {
    const struct plan *p = g->plan;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context), memory[UFC_MAX_OPERANDS];
    LLVMValueRef first[UFC_MAX_OPERANDS], increment[UFC_MAX_OPERANDS], at[UFC_MAX_OPERANDS];
    for (int k = 0; k < p->noperands; k++) {
        LLVMValueRef i = LLVMConstInt(i64_type(g), (unsigned)k, false);
        LLVMValueRef slot = LLVMBuildGEP2(g->b, pointer, pointers, &i, 1, "");
        first[k] = LLVMBuildLoad2(g->b, pointer, slot, "");
        slot = LLVMBuildGEP2(g->b, i64_type(g), increments, &i, 1, "");
        increment[k] = LLVMBuildLoad2(g->b, i64_type(g), slot, "");
        memory[k] = gen_lanes_of(g, gen_memory_type(g, p->operands[k].dtype));
    }
    struct loop l;
    LLVMValueRef zero = LLVMConstNull(i64_type(g));
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, LLVMBuildICmp(g->b, LLVMIntSLT, l.phi[0], vectors, ""));
    l.keep = true;
    for (int k = 0; k < p->noperands; k++) {
        LLVMValueRef offset = LLVMBuildMul(g->b, l.phi[0], increment[k], "");
        at[k] = LLVMBuildGEP2(g->b, byte, first[k], &offset, 1, "");
    }
    for (int k = 0; k < p->nin; k++) {
        enum ufc_dtype d = p->operands[k].dtype;
        g->inputs[k] = gen_known_input(g, k);
        if (g->inputs[k] == NULL)
            g->inputs[k] = gen_load_element(g, d, memory[k], at[k], dtype_align(d));
    }
    g->output_at = LLVMBuildPtrToInt(g->b, at[p->nin], i64_type(g), "");
    gen_body(g);
    for (int k = p->nin; k < p->noperands; k++)
        store_lanes(g, p->operands[k].dtype, g->outputs[k], at[k]);
    LLVMValueRef next = LLVMBuildAdd(g->b, l.phi[0], LLVMConstInt(i64_type(g), 1, false), "");
    loop_end(g, &l, &next);
}

/* void loop(char **pointers, const intptr_t *increments, intptr_t vectors) */
static LLVMValueRef gen_vector_loop(struct gen *g, const char *name) {
    LLVMValueRef function = LLVMAddFunction(g->module, name, gen_loop_type(g));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    llvm_host_attributes(function, g->level);
    g->function = function;
    gen_place(g, gen_block(g, "entry"));
    gen_vectors(g, LLVMGetParam(function, 0), LLVMGetParam(function, 1), LLVMGetParam(function, 2));
    LLVMBuildRetVoid(g->b);
    return function;
}

/* ---- functions that tell which way a kernel would go */

void begin_ask(struct gen *g, const char *name) {
    LLVMTypeRef p = LLVMPointerTypeInContext(g->context, 0), types[] = {p, p, p};
    g->function = LLVMAddFunction(g->module, name, LLVMFunctionType(i32_type(g), types, 3, false));
    llvm_host_attributes(g->function, g->level);
    gen_place(g, gen_block(g, "entry"));
}

void end_ask(struct gen *g, LLVMValueRef way, int lanes) {
    LLVMValueRef high = LLVMConstInt(i32_type(g), (unsigned)lanes << UFC_WAY_LANES, false);
    LLVMBuildRet(g->b, LLVMBuildOr(g->b, way, high, ""));
}

/* ---- kernels */

/* The name of the kernel of g->plan at g->level. */
static const char *kernel_name(struct gen *g) {
    return arena_printf(g->uc, "%s_%s", g->plan->symbol, level_info[g->level].suffix);
}

static const char *ask_name(struct gen *g) {
    return arena_printf(g->uc, "%s_ask", kernel_name(g));
}

/* Begins the kernel of g->plan at g->level.  What is not for a level would be for another
 * processor, and LLVM builds its tables of instructions for each. */
static void begin_kernel(struct gen *g) {
    LLVMTypeRef p = LLVMPointerTypeInContext(g->context, 0), types[] = {p, p, p, p};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 4, false);
    g->function = LLVMAddFunction(g->module, kernel_name(g), type);
    llvm_host_attributes(g->function, g->level);
    gen_place(g, gen_block(g, "entry"));
}

/* A kernel with checks computes one element after the other, so that it finds the first fault. */
static void gen_checked_kernel(struct gen *g) {
    begin_kernel(g);
    LLVMValueRef n = LLVMBuildLoad2(g->b, i64_type(g), LLVMGetParam(g->function, 1), "");
    g->fault = LLVMGetParam(g->function, 3);
    g->lanes = 1;
    gen_vectors(g, LLVMGetParam(g->function, 0), LLVMGetParam(g->function, 2), n);
    LLVMBuildRetVoid(g->b);
    if (g->plan->known != NULL)
        return;
    begin_ask(g, ask_name(g));
    end_ask(g, LLVMConstInt(i32_type(g), UFC_WAY_CHECKED, false), 1);
}

static void gen_kernel(struct gen *g) {
    LLVMValueRef loop = gen_vector_loop(g, arena_printf(g->uc, "%s_loop", kernel_name(g)));
    begin_kernel(g);
    if (g->lanes > 1)
        gen_direct(g, loop);
    LLVMValueRef traits = gen_traits(g);
    gen_drive(g, traits, loop);
    LLVMBuildRetVoid(g->b);
    if (g->plan->known == NULL)
        gen_ask(g, ask_name(g), traits);
}

/* The kernel of a gufunc. */
static void gen_gufunc_level(struct gen *g) {
    int lanes = g->plan->checked ? 1 : g->lanes;
    struct gen ask = *g;
    gen_gufunc_host(g, kernel_name(g), lanes);
    llvm_host_attributes(LLVMGetNamedFunction(g->module, kernel_name(g)), g->level);
    if (g->plan->known == NULL)
        gen_gufunc_ask(&ask, ask_name(g), lanes);
}

/* What p's calls run. */
static void gen_calls(struct gen *g) {
    const struct plan *p = g->plan;
    if (p->overload->decl->kind == DECL_GUFUNC)
        gen_gufunc_level(g);
    else if (p->checked)
        gen_checked_kernel(g);
    else {
        /* An iteration waits for the one before it: meanwhile there is a second vector. */
        if (has_loop(p->body) && p->nlocals == 0 && g->lanes <= LOOP_LANES / 2)
            g->lanes *= 2;
        gen_kernel(g);
    }
}

/* The functions that p's calls and methods run at a level. */
static void gen_level(const struct gen *module, const struct plan *p, enum ufc_level level,
                      unsigned parts) {
    struct gen calls = *module;
    struct plan own = p->host != NULL ? *p->host : *p; /* of the same operands, and its name */
    own.known = p->known;
    own.symbol = p->symbol;
    p = &own;
    calls.plan = p;
    calls.level = level;
    calls.lanes = count_lanes(p, level);
    calls.copies = LANES_COPIES;
    struct gen folds = calls;
    if (parts & 1U << UFC_HOST_CALLS)
        gen_calls(&calls);
    if (parts & 1U << UFC_HOST_FOLDS && has_host_folds(p))
        gen_host_folds(&folds, kernel_name(&folds));
}

/* Without `indvars`, which took an eighth of the time of a product's host code: calls took as many
 * instructions with it. */
static const char passes[] =
    "function(sroa<preserve-cfg>,simplifycfg,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "loop-simplify,"
    "lcssa,loop-mssa(licm),loop(loop-deletion,loop-unroll-full),sroa<preserve-cfg>,early-cse,"
    "simplifycfg),globaldce";

static void gen_functions(struct gen *g, const struct host_part *part) {
    struct section *sections = NULL;
    g->sections.all = &sections;
    const struct plan *p = part->plans;
    for (int i = 0; i < part->nplans; i++, p = p->next)
        for (enum ufc_level level = LEVEL_V2; level < LEVEL_COUNT; level++)
            if (part->levels & 1U << level && has_host_code(g->uc, p))
                gen_level(g, p, level, part->parts);
    outline_sections(g);
}

/* Keeps calls of libm with constants, which LLVM would compute with other bits. */
static void keep_calls(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            llvm_attribute(f, "no-builtins", "");
}

/* Makes all functions local: what is listed is whole. */
static void make_local(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

bool gen_host(struct uc *uc, const struct host_part *part, ufcc_output output, struct buf *out) {
    LLVMTargetMachineRef machine = llvm_machine_host(uc);
    if (machine == NULL)
        return false;
    LLVMContextRef context = llvm_context(uc);
    struct gen g = {.uc = uc,
                    .context = context,
                    .module = llvm_module(context, uc->src.name, machine),
                    .b = LLVMCreateBuilderInContext(context),
                    .lanes = 1,
                    .target = &host_target,
                    .in_order = rows_in_order};
    struct lines lines;
    if (uc->options->line_info)
        lines_begin(&g, &lines, true);
    gen_functions(&g, part);
    lines_end(&g);
    LLVMDisposeBuilder(g.b);
    if (part->nplans > 0 && part->plans->known != NULL)
        keep_calls(g.module);
    llvm_dump(uc, 'l', g.module);
    bool ok = llvm_optimise(uc, g.module, machine, passes);
    if (output != UFCC_OBJECT)
        make_local(g.module);
    ok = ok && llvm_emit(uc, g.module, machine, output, out);
    LLVMDisposeModule(g.module);
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    return ok;
}
