/* check.c: subscripts in builds with checks.  A subscript is compared with its dimension's size
 * where it is used, and the first one out of range is recorded.  Nothing outside of an array is
 * read or written. */
#include "build.h"

static void store_member(struct gen *g, size_t offset, LLVMValueRef v) {
    LLVMValueRef at = i64(g, offset);
    at = at_byte(g, g->fault, at);
    LLVMBuildStore(g->b, v, at);
}

/* i1: there is a record, this thread's own, and no fault in it yet. */
static LLVMValueRef is_first(struct gen *g) {
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(g->b), NULL};
    LLVMValueRef has_record = compare(g, LLVMIntNE, g->fault, LLVMConstNull(LLVMTypeOf(g->fault)));
    LLVMBasicBlockRef after = begin_if(g, has_record);
    LLVMValueRef set = LLVMBuildLoad2(g->b, i32_type(g), g->fault, "");
    LLVMValueRef values[] = {LLVMConstNull(LLVMInt1TypeInContext(g->context)),
                             compare(g, LLVMIntEQ, set, i32(g, 0))};
    from[1] = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    LLVMValueRef first = LLVMBuildPhi(g->b, LLVMTypeOf(values[1]), "");
    LLVMAddIncoming(first, values, from, 2);
    return first;
}

/* i1: this thread, of those that share the record, is the first to set `set`. */
static LLVMValueRef takes_shared(struct gen *g) {
    LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
    LLVMValueRef pair =
        LLVMBuildAtomicCmpXchg(g->b, g->fault, i32(g, 0), i32(g, 1), order, order, false);
    return LLVMBuildExtractValue(g->b, pair, 1, "");
}

/* Where the call, or the element, has the first output. */
static LLVMValueRef output_address(struct gen *g) {
    if (g->plan->overload->decl->kind == DECL_GUFUNC)
        return LLVMBuildPtrToInt(g->b, g->arrays[g->plan->nin].base, i64_type(g), "");
    return g->output_at != NULL ? g->output_at : i64(g, 0);
}

static void record(struct gen *g, int place, LLVMValueRef index, LLVMValueRef size) {
    LLVMValueRef first = (g->target->shares_fault ? takes_shared : is_first)(g);
    LLVMBasicBlockRef after = begin_if(g, first);
    if (!g->target->shares_fault) /* takes_shared has set it */
        store_member(g, offsetof(struct ufc_fault, set), i32(g, 1));
    store_member(g, offsetof(struct ufc_fault, place), i32(g, (uint32_t)place));
    store_member(g, offsetof(struct ufc_fault, index), index);
    store_member(g, offsetof(struct ufc_fault, size), size);
    store_member(g, offsetof(struct ufc_fault, output), output_address(g));
    end_if(g, after);
}

LLVMValueRef gen_check(struct gen *g, const struct pval *v, int i, LLVMValueRef index) {
    const struct dim *dim =
        v->kind == PV_TABLE ? v->table->dims[i] : g->plan->operands[v->operand].dims[i];
    LLVMValueRef size = dim->index >= 0 ? g->dims[dim->index] : i64(g, (uint64_t)dim->size);
    LLVMValueRef ok = compare(g, LLVMIntULT, index, size); /* unsigned: false if negative */
    LLVMBasicBlockRef in = gen_block(g, "in_range"), out = gen_block(g, "out_of_range");
    LLVMBuildCondBr(g->b, ok, in, out);
    gen_place(g, out);
    record(g, v->place + i, index, size);
    LLVMBuildBr(g->b, g->stop != NULL ? g->stop : in);
    gen_place(g, in);
    return g->stop != NULL ? NULL : ok;
}

/* The bits of a value that an assertion compares; of none those of a NaN. */
static LLVMValueRef bits_of(struct gen *g, const struct pval *v) {
    return v != NULL ? LLVMBuildBitCast(g->b, gen_scalar(g, v), i64_type(g), "")
                     : i64(g, UINT64_MAX);
}

void gen_assert(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef holds = gen_block(g, "holds"), fails = gen_block(g, "fails");
    LLVMBuildCondBr(g->b, gen_scalar(g, s->value), holds, fails);
    gen_place(g, fails);
    record(g, s->operand, bits_of(g, s->lo), bits_of(g, s->hi));
    LLVMBuildBr(g->b, g->stop != NULL ? g->stop : holds);
    gen_place(g, holds);
}

static enum walk find_assertion(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_ASSERT ? WALK_STOP : WALK_IN;
}

static enum walk find_test(const struct pval *v, void *none) {
    (void)none;
    return v->checked != 0 ? WALK_STOP : WALK_IN;
}

bool gen_is_checked(const struct pstmt *s) {
    return !plan_walk(s, &(struct plan_visitor){.stmt = find_assertion, .value = find_test}, NULL);
}
