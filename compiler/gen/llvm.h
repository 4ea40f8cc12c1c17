/* llvm.h: LLVM, as far as its versions differ or its errors must be heard.  Only what is in gen/
 * and libdevice/link.c include it: nothing else sees LLVM's types. */
#ifndef GEN_LLVM_H
#define GEN_LLVM_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "uc.h"

/* gen/llvm.c: machines, passes, output; errors go to the program's diagnostics */
LLVMContextRef llvm_context(struct uc *uc);
/* NULL after an error. */
LLVMTargetMachineRef llvm_machine(struct uc *uc, const char *triple, const char *cpu,
                                  LLVMCodeGenOptLevel level, LLVMRelocMode reloc);
LLVMTargetMachineRef llvm_machine_host(struct uc *uc);
LLVMModuleRef llvm_module(LLVMContextRef c, const char *name, LLVMTargetMachineRef machine);
void llvm_attribute(LLVMValueRef f, const char *key, const char *value);
void llvm_byval(LLVMValueRef f, int index, LLVMTypeRef type,
                unsigned align);                  /* parameter, from 1 */
void llvm_flag(LLVMValueRef f, const char *name); /* nounwind, alwaysinline, … */
/* f reads and writes no memory, but what its pointers point to if it writes that. */
void llvm_memory(LLVMValueRef f, bool writes_arguments);
/* Shows m if the options ask for the stage: l generated, o optimised. */
void llvm_dump(struct uc *uc, char letter, LLVMModuleRef m);
bool llvm_optimise(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine,
                   const char *passes);
bool llvm_emit(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine, ufcc_output output,
               struct buf *out);

struct host_module {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
};
/* Of host code for a level of instructions. */
void llvm_host_attributes(LLVMValueRef f, enum ufc_level level);

/* ../libdevice/link.c */
/* Links the functions that m calls from libdevice, their reflection resolved.  False after errors.
 */
bool link_libdevice(struct uc *uc, LLVMModuleRef m, int sm);

#endif
