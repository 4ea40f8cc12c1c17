/* llvm.c: machines, passes, output and loading; what differs between LLVM's versions.
 *
 * LLVM reports errors in four ways: by a context's diagnostic handler, an LLVMErrorRef, a message
 * by reference, and process-wide handlers of fatal errors (process.c).  All become errors of the
 * compilation; their messages begin with "code generation", since none is the user's mistake. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>

#include "gen/llvm.h"
#include "level.h"
#include "object.h"
#include "show.h"

const char *ufcc_llvm_version(void) {
    return LLVM_VERSION_STRING;
}

int llvm_major(void) {
    return LLVM_VERSION_MAJOR;
}

/* Text that LLVM's C interface has made: with strdup, whose failure it does not see. */
static char *made(char *text) {
    if (text == NULL)
        llvm_give_up("out of memory");
    return text;
}

/* ---- errors */

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) {
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *message = made(LLVMGetDiagInfoDescription(info));
    error_nowhere(user, "code generation: %s", message);
    LLVMDisposeMessage(message);
}

/* Reports and frees an error; true: there was none. */
static bool succeeded(struct uc *uc, LLVMErrorRef e) {
    if (e == NULL)
        return true;
    char *message = LLVMGetErrorMessage(e);
    error_nowhere(uc, "code generation: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool verified(struct uc *uc, LLVMModuleRef m) {
#ifndef NDEBUG
    char *message = NULL;
    bool broken = LLVMVerifyModule(m, LLVMReturnStatusAction, &message);
    if (broken)
        error_nowhere(uc, "code generation: invalid LLVM IR: %s", made(message));
    LLVMDisposeMessage(message);
    return !broken;
#else
    (void)uc;
    (void)m;
    return true;
#endif
}

/* ---- contexts, modules, machines */

static LLVMContextRef new_context(struct uc *uc) {
    LLVMContextRef c = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c, on_diagnostic, uc);
    bool named = uc->options->dump != NULL && strpbrk(uc->options->dump, "lo") != NULL;
    LLVMContextSetDiscardValueNames(c, !named);
    return c;
}

LLVMModuleRef llvm_module(LLVMContextRef c, const char *name, LLVMTargetMachineRef machine) {
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext(name, c);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    char *triple = made(LLVMGetTargetMachineTriple(machine));
    LLVMSetTarget(m, triple);
    LLVMSetModuleDataLayout(m, layout);
    LLVMDisposeMessage(triple);
    LLVMDisposeTargetData(layout);
    return m;
}

static LLVMTargetMachineRef new_machine(struct uc *uc, const char *triple, const char *cpu,
                                        LLVMCodeGenOptLevel level, LLVMRelocMode reloc) {
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        error_nowhere(uc, "code generation: %s", made(message));
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMTargetMachineOptionsRef o = LLVMCreateTargetMachineOptions();
    LLVMTargetMachineOptionsSetCPU(o, cpu);
    LLVMTargetMachineOptionsSetRelocMode(o, reloc);
    LLVMTargetMachineOptionsSetCodeGenOptLevel(o, level);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(target, triple, o);
    LLVMDisposeTargetMachineOptions(o);
    return machine;
}

LLVMTargetMachineRef llvm_machine_host(struct uc *uc) {
    char *triple = made(LLVMGetDefaultTargetTriple());
    LLVMTargetMachineRef machine =
        new_machine(uc, triple, "x86-64", LLVMCodeGenLevelDefault, LLVMRelocPIC);
    LLVMDisposeMessage(triple);
    return machine;
}

LLVMTargetMachineRef llvm_machine_ptx(struct uc *uc, const char *cpu, LLVMCodeGenOptLevel level) {
    return new_machine(uc, "nvptx64-nvidia-cuda", cpu, level, LLVMRelocDefault);
}

/* ---- functions */

void llvm_attribute(LLVMValueRef f, const char *key, const char *value) {
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    LLVMAttributeRef a =
        LLVMCreateStringAttribute(c, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static void enum_attribute(LLVMValueRef f, const char *name, uint64_t value) {
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(c, kind, value));
}

void llvm_ptx_directive(LLVMValueRef kernel, const char *name, int value) {
#if LLVM_VERSION_MAJOR >= 21
    char key[32], text[12];
    snprintf(key, sizeof key, "nvvm.%s", name);
    snprintf(text, sizeof text, "%d", value);
    llvm_attribute(kernel, key, text);
#else
    LLVMModuleRef m = LLVMGetGlobalParent(kernel);
    LLVMContextRef c = LLVMGetModuleContext(m);
    const char *key = strcmp(name, "maxntid") == 0 ? "maxntidx" : name;
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(c), (unsigned)value, false);
    LLVMMetadataRef row[] = {LLVMValueAsMetadata(kernel),
                             LLVMMDStringInContext2(c, key, strlen(key)),
                             LLVMValueAsMetadata(number)};
    LLVMAddNamedMetadataOperand(m, "nvvm.annotations",
                                LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, row, 3)));
#endif
}

void llvm_host_attributes(LLVMValueRef f, enum ufc_level level) {
    llvm_attribute(f, "target-cpu", level_names[level]);
    if (level == LEVEL_V4) {
        llvm_attribute(f, "prefer-vector-width", "512");
        llvm_attribute(f, "min-legal-vector-width", "512");
    }
    llvm_flag(f, "nounwind");
}

void llvm_flag(LLVMValueRef f, const char *name) {
    enum_attribute(f, name, 0);
}

void llvm_not_zero(LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMContextRef c = LLVMGetTypeContext(type);
    LLVMMetadataRef ends[] = {LLVMValueAsMetadata(LLVMConstInt(type, 1, false)),
                              LLVMValueAsMetadata(LLVMConstNull(type))};
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(c, "range", 5),
                    LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, ends, 2)));
}

void llvm_memory(LLVMValueRef f, bool writes_arguments) {
    enum { ARGUMENTS_WRITTEN = 2 }; /* llvm::MemoryEffects::argMemOnly(ModRefInfo::Mod) */
    enum_attribute(f, "memory", writes_arguments ? ARGUMENTS_WRITTEN : 0);
}

void llvm_byval(LLVMValueRef f, int index, LLVMTypeRef type, unsigned align) {
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)index, LLVMCreateTypeAttribute(c, kind, type));
    LLVMSetParamAlignment(LLVMGetParam(f, (unsigned)index - 1), align);
}

static LLVMValueRef masked(LLVMBuilderRef b, const char *name, LLVMTypeRef vector,
                           LLVMValueRef *args, int place, unsigned align) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef types[] = {vector, LLVMTypeOf(args[place])};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name)), n = 3;
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m, id, types, 2), all[4];
    memcpy(all, args, n * sizeof(LLVMValueRef));
#if LLVM_VERSION_MAJOR < 22
    n = 4;
    memmove(all + place + 2, all + place + 1, (size_t)(2 - place) * sizeof *all);
    all[place + 1] = LLVMConstInt(LLVMInt32TypeInContext(c), align, false);
#endif
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, all, n, "");
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)place + 1,
        LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName("align", 5), align));
    return call;
}

LLVMValueRef llvm_masked_load(LLVMBuilderRef b, LLVMTypeRef vector, LLVMValueRef at,
                              LLVMValueRef mask, unsigned align) {
    LLVMValueRef args[] = {at, mask, LLVMConstNull(vector)};
    return masked(b, "llvm.masked.load", vector, args, 0, align);
}

void llvm_masked_store(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask,
                       unsigned align) {
    LLVMValueRef args[] = {v, at, mask};
    masked(b, "llvm.masked.store", LLVMTypeOf(v), args, 1, align);
}

LLVMValueRef llvm_masked_gather(LLVMBuilderRef b, LLVMTypeRef vector, LLVMValueRef at,
                                LLVMValueRef mask, unsigned align) {
    LLVMValueRef args[] = {at, mask, LLVMConstNull(vector)};
    return masked(b, "llvm.masked.gather", vector, args, 0, align);
}

/* ---- passes and output */

void llvm_dump(struct uc *uc, char letter, LLVMModuleRef m) {
    const struct ufcc_options *o = uc->options;
    if (o->dump == NULL || strchr(o->dump, letter) == NULL || o->dumped == NULL)
        return;
    char *text = made(LLVMPrintModuleToString(m));
    o->dumped(o->user, text, strlen(text));
    LLVMDisposeMessage(text);
}

static bool run_passes(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine,
                       const char *passes) {
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(o, false); /* vectors are written as such */
    LLVMPassBuilderOptionsSetSLPVectorization(o, false);
    int before = uc->nerrors;
    LLVMErrorRef e = LLVMRunPasses(m, passes, machine, o);
    LLVMDisposePassBuilderOptions(o);
    return succeeded(uc, e) && uc->nerrors == before;
}

bool llvm_optimise(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine,
                   const char *passes) {
    if (!verified(uc, m) || !run_passes(uc, m, machine, passes))
        return false;
    llvm_dump(uc, 'o', m);
    return true;
}

void llvm_inline(struct uc *uc, LLVMModuleRef m) {
    (void)run_passes(uc, m, NULL, "always-inline");
}

/* NULL after errors. */
static LLVMMemoryBufferRef emit_memory(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine,
                                       LLVMCodeGenFileType type) {
    LLVMMemoryBufferRef memory = NULL;
    char *message = NULL;
    int before = uc->nerrors;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m, type, &message, &memory)) {
        error_nowhere(uc, "code generation: %s", made(message));
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (uc->nerrors == before)
        return memory;
    LLVMDisposeMemoryBuffer(memory);
    return NULL;
}

bool llvm_emit(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine, ufcc_output output,
               struct buf *out) {
    if (output == UFCC_LLVM) {
        char *text = made(LLVMPrintModuleToString(m));
        buf_put(out, text, strlen(text));
        LLVMDisposeMessage(text);
        return true;
    }
    LLVMMemoryBufferRef memory =
        emit_memory(uc, m, machine, output == UFCC_OBJECT ? LLVMObjectFile : LLVMAssemblyFile);
    if (memory == NULL)
        return false;
    buf_put(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
    LLVMDisposeMemoryBuffer(memory);
    return true;
}

/* ---- contexts, and the passes that generating the first code registers */

/* Generates code of nothing. */
static void warm_up(struct uc *uc, LLVMTargetMachineRef machine) {
    if (machine == NULL)
        return;
    LLVMContextRef c = new_context(uc);
    LLVMModuleRef m = llvm_module(c, "", machine);
    (void)run_passes(uc, m, machine, "globaldce");
    LLVMMemoryBufferRef memory = emit_memory(uc, m, machine, LLVMAssemblyFile);
    if (memory != NULL)
        LLVMDisposeMemoryBuffer(memory);
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
    LLVMDisposeTargetMachine(machine);
}

static void start_passes(struct uc *uc) {
    warm_up(uc, llvm_machine_host(uc));
    warm_up(uc, llvm_machine_ptx(uc, "sm_75", LLVMCodeGenLevelNone));
}

LLVMContextRef llvm_context(struct uc *uc) {
    static struct llvm_part passes = {start_passes, PTHREAD_MUTEX_INITIALIZER, false};
    llvm_start(uc, &passes);
    return new_context(uc);
}

/* ---- loading */

struct jit {
    LLVMOrcLLJITRef lljit;
    struct shown *shown;
};

/* Where kernels' calls are looked up: in the process, which has libc, then in libm and libmvec,
 * which the process need not have loaded, or only locally (dlopen without RTLD_GLOBAL). */
static bool find_libraries(struct uc *uc, LLVMOrcLLJITRef lljit) {
    static const char *const libraries[] = {NULL, "libm.so.6", "libmvec.so.1"};
    LLVMOrcJITDylibRef main = LLVMOrcLLJITGetMainJITDylib(lljit);
    char prefix = LLVMOrcLLJITGetGlobalPrefix(lljit);
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        LLVMOrcDefinitionGeneratorRef generator;
        LLVMErrorRef e = libraries[i] == NULL
                             ? LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                                   &generator, prefix, NULL, NULL)
                             : LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
                                   &generator, libraries[i], prefix, NULL, NULL);
        if (!succeeded(uc, e))
            return false;
        LLVMOrcJITDylibAddGenerator(main, generator);
    }
    return true;
}

/* Defines what kernels call of the runtime as this library's copies of it. */
static bool define_runtime(struct uc *uc, LLVMOrcLLJITRef lljit) {
    const struct {
        const char *name;
        uintptr_t at;
    } functions[] = {{"ufc_host_drive", (uintptr_t)ufc_host_drive},
                     {"ufc_host_layout", (uintptr_t)ufc_host_layout}};
    enum { N = sizeof functions / sizeof functions[0] };
    LLVMOrcCSymbolMapPair symbols[N];
    for (int i = 0; i < N; i++)
        symbols[i] = (LLVMOrcCSymbolMapPair){
            LLVMOrcLLJITMangleAndIntern(lljit, functions[i].name),
            {functions[i].at,
             {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0}}};
    return succeeded(uc, LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(lljit),
                                               LLVMOrcAbsoluteSymbols(symbols, N)));
}

/* A failed lookup also reports to its session; LLVM's own reporter would print that. */
static void drop_session_error(void *none, LLVMErrorRef e) {
    (void)none;
    LLVMConsumeError(e);
}

struct jit *jit_new(struct uc *uc) {
    struct jit *j = calloc(1, sizeof *j);
    if (j == NULL) {
        error_nowhere(uc, "out of memory");
        return NULL;
    }
    if (succeeded(uc, LLVMOrcCreateLLJIT(&j->lljit, NULL))) {
        LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(j->lljit),
                                                drop_session_error, NULL);
        if (define_runtime(uc, j->lljit) && find_libraries(uc, j->lljit))
            return j;
    }
    jit_free(j);
    return NULL;
}

bool jit_load(struct uc *uc, struct jit *j, const struct buf *object, const char *const *names,
              uintptr_t *functions, int n) {
    LLVMOrcResourceTrackerRef loaded =
        LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(j->lljit));
    LLVMMemoryBufferRef memory =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(object->data, object->size, "ufc");
    bool ok = succeeded(uc, LLVMOrcLLJITAddObjectFileWithRT(j->lljit, loaded, memory));
    for (int i = 0; i < n && ok; i++) {
        LLVMOrcExecutorAddress address = 0;
        ok = succeeded(uc, LLVMOrcLLJITLookup(j->lljit, &address, names[i]));
        functions[i] = (uintptr_t)address;
    }
    if (ok)
        show_object(uc, object, names[0], functions[0], &j->shown);
    else
        LLVMConsumeError(LLVMOrcResourceTrackerRemove(loaded));
    LLVMOrcReleaseResourceTracker(loaded);
    return ok;
}

void jit_free(struct jit *j) {
    if (j == NULL)
        return;
    show_nothing(&j->shown);
    if (j->lljit != NULL)
        LLVMConsumeError(LLVMOrcDisposeLLJIT(j->lljit));
    free(j);
}
