/* nvptx_loads.c: in an unrolled loop the loads of all iterations are moved to the front.
 *
 * ptxas makes branches of a division or a square root, and moves no load across them: without this
 * each iteration would wait for its own loads. */
#include "nvptx.h"

static bool is_branchy(LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) == LLVMFDiv)
        return true;
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0 &&
           LLVMGetIntrinsicID(callee) == gen_intrinsic_id("sqrt");
}

static bool is_own_successor(LLVMBasicBlockRef b) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
        if (LLVMGetSuccessor(last, i) == b)
            return true;
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

static bool is_address(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMSExt ||
           op == LLVMZExt || op == LLVMTrunc || op == LLVMIntToPtr || op == LLVMGetElementPtr;
}

/* Is v computed before mark already? */
static bool is_available(LLVMValueRef v, LLVMValueRef mark) {
    return !LLVMIsAInstruction(v) ||
           LLVMGetInstructionParent(v) != LLVMGetInstructionParent(mark) || comes_before(v, mark);
}

/* Can v, a load or part of a load's address, be moved before mark, with its operands? */
static bool can_rise(struct gen *g, LLVMValueRef v, LLVMValueRef mark) {
    if (is_available(v, mark))
        return true;
    bool can = is_address(v) || is_constant_load(g, v);
    for (int i = 0; can && i < LLVMGetNumOperands(v); i++)
        can = can_rise(g, LLVMGetOperand(v, (unsigned)i), mark);
    return can;
}

static void rise(struct gen *g, LLVMValueRef v, LLVMValueRef mark) {
    if (is_available(v, mark))
        return;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
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
    if (mark == NULL || !is_own_successor(b))
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
