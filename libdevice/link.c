/* link.c: links into a module the functions of libdevice that it calls, and no others.
 *
 * The library's module is read lazily.  Its functions are made linkonce_odr, so that LLVM's linker
 * reads and takes only those that the module needs.  libdevice calls __nvvm_reflect to ask how it
 * is compiled; the answers are given here, since LLVM's own pass would answer that square roots and
 * quotients need not be correctly rounded. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "gen/llvm.h"

/* Does m declare functions of libdevice that it does not define? */
static bool needs_libdevice(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f)) {
        size_t size;
        if (LLVMIsDeclaration(f) && strncmp(LLVMGetValueName2(f, &size), "__nv_", 5) == 0)
            return true;
    }
    return false;
}

static bool is_bitcode(LLVMMemoryBufferRef memory) {
    return LLVMGetBufferSize(memory) >= 4 &&
           memcmp(LLVMGetBufferStart(memory), "BC\xc0\xde", 4) == 0;
}

/* Finds libdevice and reads it as a module.  NULL after errors. */
static LLVMModuleRef read_libdevice(struct uc *uc, LLVMContextRef c) {
    char *path = find_libdevice(uc->options->libdevice);
    if (path == NULL) {
        if (uc->options->libdevice != NULL)
            error_nowhere(uc, "cannot read '%s'", uc->options->libdevice);
        else if (getenv("UFC_LIBDEVICE") != NULL)
            error_nowhere(uc, "cannot read '%s', which UFC_LIBDEVICE names",
                          getenv("UFC_LIBDEVICE"));
        else
            error_nowhere(
                uc,
                "cannot find libdevice.10.bc, which functions on the GPU need: "
                "install the CUDA toolkit, or name the file with --libdevice or in UFC_LIBDEVICE");
        return NULL;
    }
    LLVMMemoryBufferRef memory;
    LLVMModuleRef library = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &memory, &message)) {
        error_nowhere(uc, "cannot read '%s': %s", path, message);
        LLVMDisposeMessage(message);
    } else if (!is_bitcode(memory)) {
        error_nowhere(uc, "cannot read '%s': not LLVM bitcode", path);
        LLVMDisposeMemoryBuffer(memory);
    } else if (LLVMGetBitcodeModuleInContext2(c, memory, &library)) { /* LLVM has reported why */
        LLVMDisposeMemoryBuffer(memory);
        library = NULL;
    }
    free(path);
    return library;
}

/* The answer to a question of libdevice; 0 to those not known. */
static int reflected(const struct ufcc_options *o, int sm, const char *question) {
    if (strcmp(question, "__CUDA_FTZ") == 0)
        return o->ftz;
    if (strcmp(question, "__CUDA_PREC_DIV") == 0 || strcmp(question, "__CUDA_PREC_SQRT") == 0)
        return !o->fast_math;
    return strcmp(question, "__CUDA_ARCH") == 0 ? sm * 10 : 0;
}

/* Replaces all calls of __nvvm_reflect by their answers. */
static void answer_reflection(struct uc *uc, LLVMModuleRef m, int sm) {
    LLVMValueRef reflect = LLVMGetNamedFunction(m, "__nvvm_reflect");
    if (reflect == NULL)
        return;
    for (LLVMUseRef use; (use = LLVMGetFirstUse(reflect)) != NULL;) {
        LLVMValueRef call = LLVMGetUser(use), text = LLVMGetOperand(call, 0);
        while (LLVMIsAConstantExpr(text) != NULL) /* a cast of the string's address */
            text = LLVMGetOperand(text, 0);
        size_t size;
        const char *question = LLVMGetAsString(LLVMGetInitializer(text), &size);
        int answer = reflected(uc->options, sm, question);
        LLVMValueRef v = LLVMConstInt(LLVMTypeOf(call), (unsigned long long)answer, false);
        LLVMReplaceAllUsesWith(call, v);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(reflect);
}

static int count_instructions(LLVMValueRef f) {
    int n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            n++;
    return n;
}

static int count_uses(LLVMValueRef f) {
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use))
        n++;
    return n;
}

static bool takes_pointers(LLVMValueRef f) {
    for (LLVMValueRef p = LLVMGetFirstParam(f); p != NULL; p = LLVMGetNextParam(p))
        if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
            return true;
    return false;
}

/* The largest functions (Bessel and gamma) stay calls; libdevice marks all alwaysinline.  That they
 * only compute a result lets accesses be joined across them. */
static void keep_as_call(LLVMValueRef f) {
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
    LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    llvm_flag(f, "noinline");
    llvm_flag(f, "nounwind");
    llvm_flag(f, "willreturn");
    llvm_memory(f, takes_pointers(f));
}

bool link_libdevice(struct uc *uc, LLVMModuleRef m, int sm) {
    if (!needs_libdevice(m))
        return true;
    LLVMModuleRef library = read_libdevice(uc, LLVMGetModuleContext(m));
    if (library == NULL)
        return false;
    LLVMSetTarget(library, LLVMGetTarget(m));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    int before = uc->nerrors;
    bool failed = LLVMLinkModules2(m, library); /* frees library */
    if (failed && uc->nerrors == before)
        error_nowhere(uc, "cannot link libdevice");
    if (failed || uc->nerrors != before)
        return false;
    answer_reflection(uc, m, sm);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage)
            continue;
        int size = count_instructions(f);
        bool often = count_uses(f) > MAX_COPIED / (size + 1);
        /* For each call of an internal function LLVM visits all its calls: quadratic time. */
        LLVMSetLinkage(f, often ? LLVMExternalLinkage : LLVMInternalLinkage);
        if (often || size > MAX_INLINED)
            keep_as_call(f);
    }
    return true;
}
