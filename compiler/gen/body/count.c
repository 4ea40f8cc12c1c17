/* count.c: ordered loops of GPUs, which end by the number of their iterations.  They count in 32
 * bits where that is enough: a carry takes a predicate, of which there are few. */
#include "build.h"

/* From lo to hi by step, which are of one type.  LLVM makes the comparison with hi, as on hosts, an
 * unsigned one; with it, loops down to -1 ran past their end on an H100 (driver 580), though not in
 * the simulator.  It would make it so of an index that goes down without wrapping, too. */
static void count_up(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef step) {
    LLVMTypeRef type = LLVMTypeOf(lo);
    bool up = LLVMIsConstant(step) && LLVMConstIntGetSExtValue(step) == 1;
    LLVMValueRef none = LLVMConstNull(type), n = gen_count(g, lo, hi, step);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef body = gen_block(g, "for"), done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSGT, n, none, ""), body, done);
    gen_place(g, body);
    LLVMValueRef iteration = LLVMBuildPhi(g->b, type, "turn");
    LLVMAddIncoming(iteration, &none, &before, 1);
    LLVMValueRef i = up ? LLVMBuildNSWAdd(g->b, lo, iteration, "i")
                        : LLVMBuildAdd(g->b, lo, LLVMBuildMul(g->b, iteration, step, ""), "i");
    gen_set_index(g, s->var, LLVMBuildSExt(g->b, i, i64_type(g), ""));
    gen_stmts(g, s->body);
    LLVMValueRef one = LLVMConstInt(type, 1, false);
    LLVMValueRef next =
        up ? LLVMBuildNSWAdd(g->b, iteration, one, "") : LLVMBuildAdd(g->b, iteration, one, "");
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(iteration, &next, &latch, 1);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, next, n, ""), body, done);
    gen_place(g, done);
}

void gen_for_counted(struct gen *g, const struct pstmt *s) {
    LLVMValueRef end[] = {gen_scalar(g, s->lo), gen_scalar(g, s->hi), gen_scalar(g, s->step)};
    bool by_one = s->step->kind == PV_CONST && (s->step->i == 1 || (int64_t)s->step->i == -1);
    for (int i = 0; i < 3 && g->short_loops && s->narrow && by_one; i++)
        end[i] = LLVMBuildTrunc(g->b, end[i], i32_type(g), "");
    count_up(g, s, end[0], end[1], end[2]);
}

LLVMValueRef gen_enters(struct gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(step));
    LLVMValueRef up = LLVMBuildICmp(g->b, LLVMIntSGT, step, zero, "");
    LLVMValueRef down = LLVMBuildICmp(g->b, LLVMIntSLT, step, zero, "");
    LLVMValueRef below = LLVMBuildICmp(g->b, LLVMIntSLT, lo, hi, "");
    LLVMValueRef above = LLVMBuildICmp(g->b, LLVMIntSGT, lo, hi, "");
    return LLVMBuildOr(g->b, LLVMBuildAnd(g->b, up, below, ""), LLVMBuildAnd(g->b, down, above, ""),
                       "");
}

LLVMValueRef gen_count(struct gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step) {
    LLVMTypeRef type = LLVMTypeOf(lo);
    LLVMValueRef none = LLVMConstNull(type), one = LLVMConstInt(type, 1, false);
    if (LLVMIsConstant(step) && LLVMConstIntGetSExtValue(step) == 1) {
        LLVMValueRef n = LLVMBuildSub(g->b, hi, lo, "");
        return gen_select(g, LLVMBuildICmp(g->b, LLVMIntSGT, hi, lo, ""), n, none);
    }
    LLVMValueRef up = LLVMBuildICmp(g->b, LLVMIntSGT, step, none, "");
    LLVMValueRef far =
        gen_select(g, up, LLVMBuildSub(g->b, hi, lo, ""), LLVMBuildSub(g->b, lo, hi, ""));
    LLVMValueRef size = gen_select(g, up, step, LLVMBuildNeg(g->b, step, ""));
    LLVMValueRef enters = gen_enters(g, lo, hi, step);
    size = gen_select(g, enters, size, one);
    LLVMValueRef last = LLVMBuildUDiv(g->b, LLVMBuildSub(g->b, far, one, ""), size, "");
    return gen_select(g, enters, LLVMBuildAdd(g->b, last, one, ""), none);
}
