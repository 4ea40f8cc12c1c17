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

/* ---- arms of conditionals, which run though no lane takes them */

struct weight {
    struct gen *g;
    int cost, limit;
};

static enum walk weigh_value(const struct pval *v, void *arg) {
    struct weight *w = arg;
    if (v->kind == PV_ELEM && !gen_exists(w->g, v))
        w->cost = w->limit;
    else
        w->cost += v->kind == PV_CALL ? CALL_COST : 1;
    return w->cost < w->limit ? WALK_IN : WALK_STOP;
}

static int arm_loop_cost(struct gen *g, const struct pstmt *s, int limit) {
    bool constant = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST && s->step->kind == PV_CONST;
    int64_t n = constant && (int64_t)s->step->i == 1 ? (int64_t)(s->hi->i - s->lo->i) : limit;
    return n < 0 ? 0 : n < limit ? (int)n * arm_cost(g, s->body, limit) : limit;
}

int arm_cost(struct gen *g, const struct pstmt *s, int limit) {
    struct weight w = {g, 0, limit};
    for (; s != NULL && w.cost < limit; s = s->next)
        switch (s->kind) {
        case PS_SET: value_walk(s->value, weigh_value, &w); break;
        case PS_IF:
            value_walk(s->value, weigh_value, &w);
            w.cost += arm_cost(g, s->body, limit) + arm_cost(g, s->other, limit);
            break;
        case PS_FOR: w.cost += arm_loop_cost(g, s, limit); break;
        case PS_SPREAD: w.cost += arm_cost(g, s->serial, limit); break;
        default: w.cost = limit; break;
        }
    return w.cost;
}

/* ---- LLVM IR */

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
