/* nvptx_loads.c: in an unrolled loop the loads of all iterations, or points, are moved to the
 * front.
 *
 * ptxas makes branches of a division or a square root, and moves no load across them: without this
 * each iteration would wait for its own loads. */
#include <string.h>

#include "nvptx.h"

enum { LOOP_BLOCKS = 3 }; /* blocks of a loop, but one, at most */

/* Is f the intrinsic llvm.<name>, on whatever types?  Looking up a name's number takes longer. */
static bool is_intrinsic(LLVMValueRef f, const char *name) {
    unsigned id = LLVMIsAFunction(f) ? LLVMGetIntrinsicID(f) : 0;
    size_t size;
    return id != 0 && strcmp(LLVMIntrinsicGetName(id, &size) + strlen("llvm."), name) == 0;
}

static bool is_branchy(LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) == LLVMFDiv)
        return true;
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && (is_intrinsic(callee, "sqrt") || is_intrinsic(callee, "nvvm.sqrt.rn.f"));
}

/* Does control go from a to b, by way of so many blocks between them at most? */
static bool reaches(LLVMBasicBlockRef a, LLVMBasicBlockRef b, int between) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(a);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);
        if (next == b || (between > 0 && reaches(next, b, between - 1)))
            return true;
    }
    return false;
}

/* Does v, of mark's block, come before mark? */
static bool comes_before(LLVMValueRef v, LLVMValueRef mark) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(mark));
    while (i != v && i != mark)
        i = LLVMGetNextInstruction(i);
    return i != mark;
}

static bool is_constant_load(struct gen *g, LLVMValueRef i) {
    static const char name[] = "invariant.load";
    return LLVMIsALoadInst(i) &&
           LLVMGetMetadata(i, LLVMGetMDKindIDInContext(g->context, name, sizeof name - 1)) != NULL;
}

/* Is i a call of what has no effects: min, max, or multiply_wide's assembly? */
static bool is_plain_call(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (callee && LLVMIsAInlineAsm(callee))
        return !LLVMGetInlineAsmHasSideEffects(callee);
    return callee && (is_intrinsic(callee, "smin") || is_intrinsic(callee, "smax"));
}

static bool is_address(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMSExt ||
           op == LLVMZExt || op == LLVMTrunc || op == LLVMIntToPtr || op == LLVMGetElementPtr ||
           op == LLVMICmp || op == LLVMSelect || op == LLVMAnd || op == LLVMOr || op == LLVMAShr ||
           op == LLVMLShr || is_plain_call(i);
}

/* Is v computed before mark already? */
static bool is_available(LLVMValueRef v, LLVMValueRef mark) {
    return !LLVMIsAInstruction(v) ||
           LLVMGetInstructionParent(v) != LLVMGetInstructionParent(mark) || comes_before(v, mark);
}

/* The operands of v that are values: of a call, its arguments. */
static int operands(LLVMValueRef v) {
    return LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
}

/* Can v, a load or part of a load's address, be moved before mark, with its operands? */
static bool can_rise(struct gen *g, LLVMValueRef v, LLVMValueRef mark) {
    if (is_available(v, mark))
        return true;
    bool can = is_address(v) || is_constant_load(g, v);
    for (int i = 0, n = operands(v); can && i < n; i++)
        can = can_rise(g, LLVMGetOperand(v, (unsigned)i), mark);
    return can;
}

static void rise(struct gen *g, LLVMValueRef v, LLVMValueRef mark) {
    if (is_available(v, mark))
        return;
    for (int i = 0, n = operands(v); i < n; i++)
        rise(g, LLVMGetOperand(v, (unsigned)i), mark);
    LLVMInstructionRemoveFromParent(v);
    LLVMPositionBuilderBefore(g->b, mark);
    LLVMSetCurrentDebugLocation2(g->b, NULL); /* v has its own */
    LLVMInsertIntoBuilder(g->b, v);
}

static void load_first(struct gen *g, LLVMBasicBlockRef b) {
    LLVMValueRef mark = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL && mark == NULL;
         i = LLVMGetNextInstruction(i))
        if (is_branchy(i))
            mark = i;
    if (mark == NULL || !reaches(b, b, LOOP_BLOCKS))
        return;
    for (LLVMValueRef i = LLVMGetNextInstruction(mark), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_constant_load(g, i) && can_rise(g, i, mark))
            rise(g, i, mark);
    }
}

void nvptx_loads_first(struct gen *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            load_first(g, b);
}
