/* dealt.c: CLUSTER, several blocks for each call, whose shared memory together has the outputs that
 * the call reads again, until it ends: every blocks-th row is in a block's, or, of arrays of one
 * axis, every blocks-th piece of a warp's elements.  So a row is where the block is that stores to
 * it, and what other blocks read comes from their shared memory, not from the L2 cache. */
#include "gufunc.h"

/* An array's parts. */
struct dealt {
    const struct poperand *operand;
    LLVMValueRef near, home; /* addresses, i64: the block's part; at home */
    LLVMValueRef near_stride[MAX_CORE_RANK], stride[MAX_CORE_RANK]; /* bytes: i32, i64 */
    LLVMValueRef size[MAX_CORE_RANK], own; /* i32; own: along axis 0, of the block's part */
    LLVMValueRef bits, mask;               /* i32, of the number of blocks */
};

/* The block that has index `at` (i32) along axis 0, and the index in its part. */
static LLVMValueRef part_of(struct gen *g, const struct dealt *d, LLVMValueRef at,
                            LLVMValueRef *block) {
    LLVMValueRef bits = i32(g, __builtin_ctz(UFC_DEALT)), last = i32(g, UFC_DEALT - 1);
    bool line = d->operand->rank == 1;
    LLVMValueRef row = line ? LLVMBuildLShr(g->b, at, bits, "") : at;
    *block = both(g, row, d->mask);
    row = LLVMBuildLShr(g->b, row, d->bits, "");
    return line ? LLVMBuildOr(g->b, LLVMBuildShl(g->b, row, bits, ""), both(g, at, last), "") : row;
}

/* The index along axis 0 of index `at` of the block's part. */
static LLVMValueRef whole_of(struct gen *g, const struct dealt *d, LLVMValueRef at) {
    LLVMValueRef bits = i32(g, __builtin_ctz(UFC_DEALT)), last = i32(g, UFC_DEALT - 1);
    bool line = d->operand->rank == 1;
    LLVMValueRef row = line ? LLVMBuildLShr(g->b, at, bits, "") : at;
    row = LLVMBuildOr(g->b, LLVMBuildShl(g->b, row, d->bits, ""), g->threads->block, "");
    return line ? LLVMBuildOr(g->b, LLVMBuildShl(g->b, row, bits, ""), both(g, at, last), "") : row;
}

static LLVMValueRef element_place(struct gen *g, const struct pval *v) {
    const struct dealt *d = &g->threads->dealt[v->operand];
    LLVMValueRef block, index[MAX_CORE_RANK], offset = i32(g, 0);
    struct lanes_scope outer = lanes_enter(g, 1);
    for (int i = 0; i < v->nargs; i++)
        index[i] = LLVMBuildTrunc(g->b, gen_value(g, v->args[i]), i32_type(g), "");
    lanes_leave(g, outer);
    index[0] = part_of(g, d, index[0], &block);
    for (int i = 0; i < v->nargs; i++)
        offset = add(g, offset, multiply(g, index[i], d->near_stride[i]));
    LLVMValueRef own = add(g, d->near, extended(g, offset));
    LLVMValueRef at = gpu(g)->in_cluster(g, own, block);
    LLVMValueRef is_own = compare(g, LLVMIntEQ, block, g->threads->block);
    at = gen_select(g, is_own, own, at);
    return LLVMBuildIntToPtr(g->b, at, LLVMPointerTypeInContext(g->context, 0), "");
}

/* Finds operand k's part `offset` bytes (i32) from the beginning of shared memory; gives the offset
 * behind it. */
static LLVMValueRef find_part(struct gen *g, int k, LLVMValueRef offset, struct dealt *d) {
    const struct threads *t = g->threads;
    const struct poperand *o = &g->plan->operands[k];
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[o->dtype].bits / 8), one = i32(g, 1);
    *d = (struct dealt){
        .operand = o, .bits = trailing_zeros(g, t->blocks), .mask = subtract(g, t->blocks, one)};
    LLVMValueRef base = LLVMBuildAddrSpaceCast(g->b, dynamic_memory(g), generic, "");
    d->near = LLVMBuildPtrToInt(g->b, base, i64_type(g), "");
    d->near = add(g, d->near, extended(g, offset));
    d->home = LLVMBuildPtrToInt(g->b, g->arrays[k].base, i64_type(g), "");
    for (int i = 0; i < o->rank; i++)
        d->size[i] = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
    LLVMValueRef unit = o->rank == 1 ? i32(g, UFC_DEALT) : one;
    d->own = LLVMBuildUDiv(g->b, add(g, d->size[0], subtract(g, unit, one)), unit, "");
    d->own = LLVMBuildLShr(g->b, add(g, d->own, d->mask), d->bits, "");
    d->own = multiply(g, d->own, unit);
    for (int i = o->rank; i-- > 0;) {
        LLVMValueRef size = i == 0 ? d->own : d->size[i];
        d->stride[i] = g->arrays[k].stride[i];
        d->near_stride[i] = bytes;
        bytes =
            multiply(g, bytes, i > 0 && i == o->rank - 1 ? LLVMBuildOr(g->b, size, one, "") : size);
    }
    bytes = LLVMBuildAnd(g->b, add(g, bytes, i32(g, 15)), i32(g, (uint32_t)-16), "");
    return add(g, offset, bytes);
}

/* The block copies its part: home, or from there. */
static void copy(struct gen *g, const struct dealt *d, bool home) {
    const struct threads *t = g->threads;
    const struct poperand *o = d->operand;
    LLVMTypeRef type = gen_memory_type(g, o->dtype),
                generic = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef total = d->own;
    for (int i = 1; i < o->rank; i++)
        total = multiply(g, total, d->size[i]);
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){t->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], total));
    LLVMValueRef rest = l.phi[0], near = i32(g, 0), far = i64(g, 0), row = NULL;
    for (int i = o->rank; i-- > 0;) {
        LLVMValueRef q = i > 0 ? LLVMBuildUDiv(g->b, rest, d->size[i], "") : i32(g, 0);
        LLVMValueRef at = subtract(g, rest, multiply(g, q, d->size[i]));
        near = add(g, near, multiply(g, at, d->near_stride[i]));
        row = i == 0 ? whole_of(g, d, at) : at;
        far = add(g, far, multiply(g, extended(g, row), d->stride[i]));
        rest = q;
    }
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, row, d->size[0]));
    LLVMValueRef own = LLVMBuildIntToPtr(g->b, add(g, d->near, extended(g, near)), generic, "");
    LLVMValueRef other = global_pointer(g, add(g, d->home, far));
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, home ? own : other, "");
    LLVMSetAlignment(v, dtype_align(o->dtype));
    LLVMSetAlignment(LLVMBuildStore(g->b, v, home ? other : own), dtype_align(o->dtype));
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], t->ntid);
    loop_end(g, &l, &next);
}

void gen_cluster_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    LLVMValueRef offset = i32(g, 0);
    gufunc_find_block(g, t);
    gufunc_find_blocks(g, t);
    gufunc_enter_call(g, t);
    t->dealt = NEWN(g->uc, struct dealt, p->noperands + 1);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->map.resident >> k & 1) {
            offset = find_part(g, k, offset, &t->dealt[k]);
            if (p->overload->inst->unwritten >> k & 1)
                copy(g, &t->dealt[k], false);
            g->arrays[k].place = element_place;
            g->arrays[k].near = true;
        }
    gpu(g)->cluster_barrier(g);
    g->sharing = &by_threads;
    g->merge = gen_merge;
    gen_stmts(g, p->body);
    gpu(g)->cluster_barrier(g);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->map.resident >> k & 1)
            copy(g, &t->dealt[k], true);
    gufunc_leave_call(g, t);
}
