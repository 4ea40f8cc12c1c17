/* llvm.h: wrappers of LLVM's calls that differ between its versions or can fail.  Only gen/ and
 * libdevice/link.c include it: no other file sees LLVM's types. */
#ifndef GEN_LLVM_H
#define GEN_LLVM_H

#include <pthread.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "uc.h"

/* gen/process.c: LLVM in this process */
/* Jumps to no_memory of the compilation that this thread works for, with LLVM_FAILED. */
_Noreturn void llvm_give_up(const char *why);
/* What LLVM keeps behind locks for the whole process, and is started once, by one thread. */
struct llvm_part {
    void (*start)(struct uc *uc);
    pthread_mutex_t lock;
    bool is_started; /* guarded by lock */
};
/* Jumps to uc->no_memory if the part does not start, or did not before. */
void llvm_start(struct uc *uc, struct llvm_part *part);

/* gen/llvm.c: machines, passes, output; errors go to uc's diagnostics */
int llvm_major(void); /* the version of LLVM, 19 to 22 */
/* The caller disposes of the context, the module and the machine. */
LLVMContextRef llvm_context(struct uc *uc);
/* NULL after an error. */
LLVMTargetMachineRef llvm_machine_host(struct uc *uc);
LLVMTargetMachineRef llvm_machine_ptx(struct uc *uc, const char *cpu, LLVMCodeGenOptLevel level);
LLVMModuleRef llvm_module(LLVMContextRef c, const char *name, LLVMTargetMachineRef machine);
void llvm_attribute(LLVMValueRef f, const char *key, const char *value);
/* Sets a directive of a kernel for ptxas, "maxntid" or "minctasm". */
void llvm_ptx_directive(LLVMValueRef kernel, const char *name, int value);
/* A vector's load, of 0 where the mask is not set, and store, aligned to `align` bytes. */
LLVMValueRef llvm_masked_load(LLVMBuilderRef b, LLVMTypeRef vector, LLVMValueRef at,
                              LLVMValueRef mask, unsigned align);
void llvm_masked_store(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask,
                       unsigned align);
/* The same load from a vector of addresses. */
LLVMValueRef llvm_masked_gather(LLVMBuilderRef b, LLVMTypeRef vector, LLVMValueRef at,
                                LLVMValueRef mask, unsigned align);
/* Parameter `index`, counted from 1, is a pointer to a copy of a `type` for the call. */
void llvm_byval(LLVMValueRef f, int index, LLVMTypeRef type, unsigned align);
/* An integer that was loaded is not 0. */
void llvm_not_zero(LLVMValueRef load);
void llvm_flag(LLVMValueRef f, const char *name); /* nounwind, alwaysinline, … */
/* Marks f as one that accesses no memory, or, with writes_arguments, only writes what its arguments
 * point to. */
void llvm_memory(LLVMValueRef f, bool writes_arguments);
/* Passes m as text to options->dumped if options->dump has the letter: l as generated, o optimised.
 */
void llvm_dump(struct uc *uc, char letter, LLVMModuleRef m);
/* Runs a pipeline in the new pass manager's syntax.  False after errors. */
bool llvm_optimise(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine,
                   const char *passes);
/* Inlines the functions of an optimised module that are marked so, and drops them. */
void llvm_inline(struct uc *uc, LLVMModuleRef m);
/* Appends m to *out: as LLVM IR, an object, or assembly.  False after errors. */
bool llvm_emit(struct uc *uc, LLVMModuleRef m, LLVMTargetMachineRef machine, ufcc_output output,
               struct buf *out);

/* Marks f as host code for a level of instructions. */
void llvm_host_attributes(LLVMValueRef f, enum ufc_level level);

/* ../libdevice/link.c */
/* Links into m the functions of libdevice that it calls, with __nvvm_reflect answered for sm_<sm>.
 * False after errors. */
bool link_libdevice(struct uc *uc, LLVMModuleRef m, int sm);

#endif
