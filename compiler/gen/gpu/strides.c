/* strides.c: addresses of an innermost loop that grow evenly, by a stride that is known at the
 * call alone, are variables, which take a sum each of 64 bits instead of a product and two sums:
 *
 *     for (i = lo; …; i += d) { … a[(i + e) * stride] … }
 *     for (i = lo, p = a + (lo + e) * stride; …; i += d, p += d * stride) { … *p … }
 *
 * LLVM's loop strength reduction, which does this and more, makes variables of all forms of
 * addresses, and divides to find how often loops run.  Of products that stay the same in a loop
 * ptxas would compute each address anew. */
#include "gen/gpu/gpu.h"

enum {
    MAX_VARIABLES = 8, /* of a loop, each of which takes two registers */
    MAX_BLOCKS = 24,   /* of a loop */
    MAX_SUM = 8        /* sums within one another */
};

/* An address that grows with an index. */
struct moving {
    LLVMValueRef base, index, stride, address;
};

/* A loop without others in it. */
struct stride_loop {
    LLVMBuilderRef b;
    LLVMBasicBlockRef block[MAX_BLOCKS]; /* the first one is where it is entered, */
    LLVMBasicBlockRef before, last;      /* and where from: from outside, and again */
    int nblocks;
    struct moving moving[MAX_VARIABLES];
    int n;
};

static bool has_block(const struct stride_loop *x, LLVMBasicBlockRef block) {
    int i = 0;
    while (i < x->nblocks && x->block[i] != block)
        i++;
    return i < x->nblocks;
}

static bool is_in(const struct stride_loop *x, LLVMValueRef v) {
    return LLVMIsAInstruction(v) != NULL && has_block(x, LLVMGetInstructionParent(v));
}

static bool is_operation(LLVMValueRef v, LLVMOpcode op) {
    return LLVMIsABinaryOperator(v) != NULL && LLVMGetInstructionOpcode(v) == op;
}

/* What a phi of the loop has from a block. */
static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef block) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == block ? 0 : 1);
}

/* Splits a sum or a product of the loop into what is in it and what stays the same.  False: it is
 * none. */
static bool split(const struct stride_loop *x, LLVMValueRef v, LLVMOpcode op, LLVMValueRef *in,
                  LLVMValueRef *same) {
    if (!is_operation(v, op) || !is_in(x, v))
        return false;
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    *in = is_in(x, a) ? a : b;
    *same = is_in(x, a) ? b : a;
    return is_in(x, *in) && !is_in(x, *same);
}

/* The variable of the loop that v is, or is more than by what stays the same, if that grows evenly;
 * NULL: v is none of these.  step: by how much. */
static LLVMValueRef variable_of(const struct stride_loop *x, LLVMValueRef v, LLVMValueRef *step) {
    LLVMValueRef from;
    for (int i = 0; i < MAX_SUM && is_in(x, v); i++) {
        bool is = LLVMIsAPHINode(v) != NULL;
        bool own = is && LLVMGetInstructionParent(v) == x->block[0];
        if (own && split(x, incoming(v, x->last), LLVMAdd, &from, step) && from == v)
            return v;
        if (is || !split(x, v, LLVMAdd, &v, step))
            return NULL;
    }
    return NULL;
}

/* The value that v has at first; the builder is in the block before the loop. */
static LLVMValueRef first_value(const struct stride_loop *x, LLVMValueRef v) {
    LLVMValueRef in, same;
    if (!split(x, v, LLVMAdd, &in, &same))
        return incoming(v, x->before);
    return LLVMBuildAdd(x->b, first_value(x, in), same, "");
}

static LLVMValueRef moved(const struct stride_loop *x, LLVMValueRef address, LLVMValueRef bytes) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(address)));
    return LLVMBuildGEP2(x->b, byte, address, &bytes, 1, "");
}

/* A variable that has the address in each iteration. */
static LLVMValueRef new_variable(struct stride_loop *x, const struct moving *a, LLVMValueRef step) {
    LLVMPositionBuilderBefore(x->b, LLVMGetBasicBlockTerminator(x->before));
    LLVMValueRef bytes = LLVMBuildMul(x->b, first_value(x, a->index), a->stride, "");
    LLVMValueRef first = moved(x, a->base, bytes), far = LLVMBuildMul(x->b, step, a->stride, "");
    LLVMPositionBuilderBefore(x->b, LLVMGetFirstInstruction(x->block[0]));
    LLVMValueRef phi = LLVMBuildPhi(x->b, LLVMTypeOf(a->base), "");
    LLVMPositionBuilderBefore(x->b, LLVMGetBasicBlockTerminator(x->last));
    LLVMAddIncoming(phi, (LLVMValueRef[]){first, moved(x, phi, far)},
                    (LLVMBasicBlockRef[]){x->before, x->last}, 2);
    return phi;
}

/* Finds what an instruction is the address of, if that grows evenly. */
static bool find_moving(const struct stride_loop *x, LLVMValueRef v, struct moving *a,
                        LLVMValueRef *step) {
    if (LLVMIsAGetElementPtrInst(v) == NULL || LLVMGetNumIndices(v) != 1 ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(v)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(v)) != 8)
        return false;
    a->base = LLVMGetOperand(v, 0);
    return !is_in(x, a->base) && split(x, LLVMGetOperand(v, 1), LLVMMul, &a->index, &a->stride) &&
           !LLVMIsConstant(a->stride) && variable_of(x, a->index, step) != NULL;
}

static LLVMValueRef *find_same(struct stride_loop *x, const struct moving *a) {
    for (struct moving *m = x->moving; m < x->moving + x->n; m++)
        if (m->base == a->base && m->index == a->index && m->stride == a->stride)
            return &m->address;
    return NULL;
}

static void take_addresses(struct stride_loop *x, LLVMBasicBlockRef block) {
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v != NULL; v = next) {
        struct moving a;
        LLVMValueRef step;
        next = LLVMGetNextInstruction(v);
        if (!find_moving(x, v, &a, &step))
            continue;
        LLVMValueRef *same = find_same(x, &a);
        if (same == NULL && x->n == MAX_VARIABLES)
            continue;
        a.address = same != NULL ? *same : new_variable(x, &a, step);
        if (same == NULL)
            x->moving[x->n++] = a;
        LLVMReplaceAllUsesWith(v, a.address);
        LLVMInstructionEraseFromParent(v);
    }
}

/* ---- loops */

/* Adds the blocks that a block is reached from, up to the loop's first one.  False: they are too
 * many, or come from elsewhere than there. */
static bool add_before(struct stride_loop *x, LLVMBasicBlockRef block) {
    if (has_block(x, block))
        return true;
    if (block == x->before || x->nblocks == MAX_BLOCKS)
        return false;
    x->block[x->nblocks++] = block;
    bool any = false, fits = true;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u != NULL && fits;
         u = LLVMGetNextUse(u)) {
        any = LLVMIsATerminatorInst(LLVMGetUser(u)) != NULL;
        fits = any && add_before(x, LLVMGetInstructionParent(LLVMGetUser(u)));
    }
    return any && fits;
}

/* Does a block come behind those of the first n that it is reached from, but for the loop's first?
 */
static bool comes_behind(const struct stride_loop *x, LLVMBasicBlockRef block, const bool *placed) {
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u != NULL;
         u = LLVMGetNextUse(u)) {
        int i = 0;
        while (x->block[i] != LLVMGetInstructionParent(LLVMGetUser(u)))
            i++;
        if (!placed[i])
            return false;
    }
    return true;
}

/* Is there no loop in it: can its blocks be put in an order? */
static bool is_innermost(const struct stride_loop *x) {
    bool placed[MAX_BLOCKS] = {true};
    int n = 1;
    for (int round = 1; round < x->nblocks; round++)
        for (int i = 1; i < x->nblocks; i++)
            if (!placed[i] && comes_behind(x, x->block[i], placed)) {
                placed[i] = true;
                n++;
            }
    return n == x->nblocks;
}

/* Is a block the first one of a loop, which is entered from one other, and has no others in it? */
static bool find_loop(struct stride_loop *x, LLVMBasicBlockRef block) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    if (LLVMIsAPHINode(phi) == NULL || LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        x->before = LLVMGetIncomingBlock(phi, 1 - i);
        x->last = LLVMGetIncomingBlock(phi, i);
        x->block[0] = block;
        x->nblocks = 1;
        if (x->before != x->last && add_before(x, x->last))
            return !has_block(x, x->before) && is_innermost(x);
    }
    return false;
}

void move_by_strides(LLVMContextRef context, LLVMModuleRef m) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f != NULL; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            struct stride_loop x = {.b = b};
            bool is_loop = find_loop(&x, block);
            for (int i = 0; is_loop && i < x.nblocks; i++)
                take_addresses(&x, x.block[i]);
        }
    LLVMDisposeBuilder(b);
}
