/* lines.c: line information in GPU code (-g), which NVPTX writes as .file and .loc; there is no
 * other debug information. */
#include <string.h>
#include <llvm-c/DebugInfo.h>

#include "body.h"

/* LLVM's DebugDirectivesOnly, which its C header does not name. */
#define DIRECTIVES_ONLY ((LLVMDWARFEmissionKind)3)

static LLVMMetadataRef file_of(struct gen *g, const struct file *file) {
    return LLVMDIBuilderCreateFile(g->lines.builder, file->name, strlen(file->name), "", 0);
}

void lines_begin(struct gen *g) {
    static const char version[] = "Debug Info Version", producer[] = "ufc";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    LLVMValueRef number = LLVMConstInt(i32, LLVMDebugMetadataVersion(), false);
    LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, version, sizeof version - 1,
                      LLVMValueAsMetadata(number));
    g->lines.builder = LLVMCreateDIBuilder(g->module);
    g->lines.file = file_of(g, g->uc->files);
    LLVMDIBuilderCreateCompileUnit(g->lines.builder, LLVMDWARFSourceLanguageC, g->lines.file,
                                   producer, sizeof producer - 1, true, "", 0, 0, "", 0,
                                   DIRECTIVES_ONLY, 0, false, false, "", 0, "", 0);
}

void lines_function(struct gen *g, struct span at) {
    int line, column;
    size_t size;
    if (g->lines.builder == NULL)
        return;
    const char *name = LLVMGetValueName2(g->function, &size);
    locate(g->uc, at.begin, &line, &column);
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(g->lines.builder, g->lines.file, NULL, 0, LLVMDIFlagZero);
    g->lines.subprogram = LLVMDIBuilderCreateFunction(
        g->lines.builder, g->lines.file, name, size, "", 0, g->lines.file, (unsigned)line, type,
        false, true, (unsigned)line, LLVMDIFlagZero, true);
    LLVMSetSubprogram(g->function, g->lines.subprogram);
    lines_at(g, at);
}

void lines_at(struct gen *g, struct span at) {
    int line, column;
    if (g->lines.builder == NULL || at.end == 0)
        return;
    const struct file *file = locate(g->uc, at.begin, &line, &column);
    LLVMMetadataRef scope = g->lines.subprogram;
    if (file != g->uc->files) { /* an imported function, inlined */
        LLVMMetadataRef other = file_of(g, file);
        scope =
            LLVMDIBuilderCreateLexicalBlockFile(g->lines.builder, g->lines.subprogram, other, 0);
    }
    LLVMSetCurrentDebugLocation2(g->b,
                                 LLVMDIBuilderCreateDebugLocation(g->context, (unsigned)line,
                                                                  (unsigned)column, scope, NULL));
}

void lines_end(struct gen *g) {
    if (g->lines.builder == NULL)
        return;
    LLVMDIBuilderFinalize(g->lines.builder);
    LLVMDisposeDIBuilder(g->lines.builder);
}
