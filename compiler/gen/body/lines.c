/* lines.c: line information (-g): for GPUs what NVPTX writes as .file and .loc, for the host tables
 * of lines; there is no other debug information.  Paths are whole, for tools that run elsewhere. */
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "body.h"

/* LLVM's DebugDirectivesOnly, which its C header does not name. */
#define DIRECTIVES_ONLY ((LLVMDWARFEmissionKind)3)

static LLVMMetadataRef file_of(const struct gen *g, const struct lines *l,
                               const struct file *file) {
    static const char nameless[] = "source"; /* LLVM takes no empty name */
    const char *name = file->kept != NULL ? file->kept : *file->name ? file->name : nameless;
    const char *folder = *name == '/' ? "" : g->uc->folder;
    return LLVMDIBuilderCreateFile(l->builder, name, strlen(name), folder, strlen(folder));
}

void lines_begin(struct gen *g, struct lines *l, bool tables) {
    static const char version[] = "Debug Info Version", producer[] = "ufc";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    LLVMValueRef number = LLVMConstInt(i32, LLVMDebugMetadataVersion(), false);
    LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, version, sizeof version - 1,
                      LLVMValueAsMetadata(number));
    *l = (struct lines){.builder = LLVMCreateDIBuilder(g->module)};
    l->file = file_of(g, l, g->uc->files);
    LLVMDIBuilderCreateCompileUnit(l->builder, LLVMDWARFSourceLanguageC, l->file, producer,
                                   sizeof producer - 1, true, "", 0, 0, "", 0,
                                   tables ? LLVMDWARFEmissionLineTablesOnly : DIRECTIVES_ONLY, 0,
                                   false, false, "", 0, "", 0);
    g->lines = l;
}

/* Makes function f one of this source, which begins in a line. */
static void describe(struct lines *l, LLVMValueRef f, int line) {
    size_t size;
    const char *name = LLVMGetValueName2(f, &size);
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(l->builder, l->file, NULL, 0, LLVMDIFlagZero);
    LLVMSetSubprogram(f, LLVMDIBuilderCreateFunction(l->builder, l->file, name, size, "", 0,
                                                     l->file, (unsigned)line, type, false, true,
                                                     (unsigned)line, LLVMDIFlagZero, true));
}

void lines_enter(struct gen *g, LLVMValueRef f) {
    struct lines *l = g->lines;
    int line, column;
    if (l == NULL || l->function == f)
        return;
    l->function = f;
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    if (g->plan == NULL)
        return;
    struct span at = g->plan->overload->at;
    locate(g->uc, at.begin, &line, &column);
    if (LLVMGetSubprogram(f) == NULL)
        describe(l, f, line);
    lines_at(g, at);
}

void lines_at(struct gen *g, struct span at) {
    struct lines *l = g->lines;
    int line, column;
    if (l == NULL || at.end == 0)
        return;
    const struct file *file = locate(g->uc, at.begin, &line, &column);
    LLVMMetadataRef scope = LLVMGetSubprogram(l->function);
    if (file != g->uc->files) /* an imported function, inlined */
        scope = LLVMDIBuilderCreateLexicalBlockFile(l->builder, scope, file_of(g, l, file), 0);
    LLVMSetCurrentDebugLocation2(g->b,
                                 LLVMDIBuilderCreateDebugLocation(g->context, (unsigned)line,
                                                                  (unsigned)column, scope, NULL));
}

void lines_moved(struct gen *g, LLVMValueRef f) {
    struct lines *l = g->lines;
    if (l == NULL)
        return;
    l->function = NULL;
    describe(l, f, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
            if (at == NULL)
                continue;
            LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
            LLVMMetadataRef scope =
                LLVMDIBuilderCreateLexicalBlockFile(l->builder, LLVMGetSubprogram(f), file, 0);
            LLVMInstructionSetDebugLoc(
                i, LLVMDIBuilderCreateDebugLocation(g->context, LLVMDILocationGetLine(at),
                                                    LLVMDILocationGetColumn(at), scope, NULL));
        }
}

void lines_end(struct gen *g) {
    if (g->lines == NULL)
        return;
    LLVMDIBuilderFinalize(g->lines->builder);
    LLVMDisposeDIBuilder(g->lines->builder);
    g->lines = NULL;
}
