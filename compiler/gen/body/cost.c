/* cost.c: the size of a body, as plan IR and as LLVM IR. */
#include "body.h"

static enum walk add_cost(const struct pval *v, void *cost) {
    *(int *)cost += v->kind == PV_CALL ? 8 : 1;
    return WALK_IN;
}

int body_cost(const struct pstmt *s, int limit) {
    int cost = 0;
    for (; s != NULL && cost < limit; s = s->next)
        if (s->kind == PS_SET || s->kind == PS_PUT)
            stmt_values(s, add_cost, &cost);
        else
            cost = limit;
    return cost;
}

/* Does a block branch to itself or to a block before it? */
static bool leads_back(LLVMValueRef element, LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(element); b;
             b = LLVMGetNextBasicBlock(b)) {
            if (b == LLVMGetSuccessor(last, i))
                return true;
            if (b == block)
                break;
        }
    return false;
}

int body_size(LLVMValueRef element) {
    int n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(element); b && n <= LARGE_BODY;
         b = LLVMGetNextBasicBlock(b)) {
        n += leads_back(element, b) ? LARGE_BODY : 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n += LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i) &&
                         LLVMIsAFunction(LLVMGetCalledValue(i))
                     ? CALL_COST
                     : 1;
    }
    return n;
}
