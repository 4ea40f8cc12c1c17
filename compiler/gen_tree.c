/* gen_tree.c: the GPU kernel TREE: a block's threads reduce, and join their results in order, by
 * shuffles within a warp and shared memory between warps; or they accumulate, as many neighbours at
 * a time. */
#include "gen_fold.h"

/* Its name is another since LLVM 21. */
void gen_barrier(struct gen *g) {
    unsigned id = gen_intrinsic_id("nvvm.barrier.cta.sync.aligned.all");
    LLVMValueRef zero = i32(g, 0);
    bool takes_number = id != 0;
    if (id == 0)
        id = gen_intrinsic_id("nvvm.barrier0");
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &zero, takes_number, "");
}

enum way { DOWN, UP }; /* from the lanes on, or before */

/* The word that a thread of the warp has `apart` lanes on. */
static LLVMValueRef shuffle_word(struct gen *g, LLVMValueRef word, LLVMValueRef apart,
                                 enum way way) {
    LLVMValueRef args[] = {i32(g, UINT32_MAX), word, apart, i32(g, way == UP ? 0 : WARP - 1)};
    unsigned id = gen_intrinsic_id(way == UP ? "nvvm.shfl.sync.up.i32" : "nvvm.shfl.sync.down.i32");
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 4, "");
}

static LLVMValueRef shuffle(struct gen *g, LLVMValueRef v, LLVMValueRef apart, enum way way) {
    LLVMTypeRef type = LLVMTypeOf(v), word = i32_type(g);
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(g->module), type);
    LLVMTypeRef whole = LLVMIntTypeInContext(g->context, bits);
    v = LLVMBuildBitCast(g->b, v, whole, "");
    if (bits <= 32) {
        v = shuffle_word(g, LLVMBuildZExt(g->b, v, word, ""), apart, way);
        return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, v, whole, ""), type, "");
    }
    LLVMValueRef result = LLVMConstNull(whole);
    for (unsigned from = 0; from < bits; from += 32) {
        LLVMValueRef shift = LLVMConstInt(whole, from, false);
        LLVMValueRef part = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, v, shift, ""), word, "");
        part = LLVMBuildZExt(g->b, shuffle_word(g, part, apart, way), whole, "");
        result = LLVMBuildOr(g->b, result, LLVMBuildShl(g->b, part, shift, ""), "");
    }
    return LLVMBuildBitCast(g->b, result, type, "");
}

/* Of neighbours, either of which may have nothing. */
static struct acc join(struct fold *f, struct acc a, struct acc b) {
    struct gen *g = f->g;
    LLVMValueRef v = gen_select(g, b.has, fold_apply(f, a.value, b.value), a.value);
    return (struct acc){gen_select(g, a.has, v, b.value), LLVMBuildOr(g->b, a.has, b.has, "")};
}

/* Neighbours joined, then neighbours of these, …: the warp's, in order, in its first lane, or UP,
 * of each lane with those before it. */
static struct acc join_warp(struct fold *f, struct acc acc, enum way way, LLVMValueRef lane) {
    struct gen *g = f->g;
    struct loop l;
    LLVMValueRef first[] = {i32(g, 1), acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, WARP)));
    struct acc own = {l.phi[1], l.phi[2]}, joined;
    struct acc other = {shuffle(g, own.value, l.phi[0], way), shuffle(g, own.has, l.phi[0], way)};
    if (way == UP) {
        other.has = both(g, other.has, compare(g, LLVMIntUGE, lane, l.phi[0]));
        joined = join(f, other, own);
    } else {
        joined = join(f, own, other);
    }
    LLVMValueRef next[] = {LLVMBuildShl(g->b, l.phi[0], i32(g, 1), ""), joined.value, joined.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

static LLVMValueRef shared_array(struct gen *g, LLVMTypeRef type, const char *name, unsigned n) {
    LLVMTypeRef array = LLVMArrayType2(type, n);
    LLVMValueRef v = LLVMAddGlobalInAddressSpace(g->module, array, name, SHARED);
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetInitializer(v, LLVMGetUndef(array));
    LLVMSetAlignment(v, 8);
    return v;
}

/* Element `index` of an array in shared memory. */
static LLVMValueRef shared_at(struct gen *g, LLVMValueRef array, LLVMTypeRef type,
                              LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, type, array, &index, 1, "");
}

/* The first lanes' through shared memory: that of warp w in lane w of all warps. */
static struct acc exchange(struct fold *f, struct acc acc, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef values = shared_array(g, memory, "warp_value", WARPS),
                 has = shared_array(g, byte, "warp_has", WARPS);
    LLVMValueRef lane = LLVMBuildAnd(g->b, thread, i32(g, WARP - 1), "");
    LLVMValueRef warp = LLVMBuildLShr(g->b, thread, i32(g, 5), "");
    unsigned align = dtype_align(f->d);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, 0)));
    gen_store_element(g, memory, acc.value, shared_at(g, values, memory, warp), align);
    gen_store_element(g, byte, acc.has, shared_at(g, has, byte, warp), 1);
    end_if(g, after);
    gen_barrier(g);
    LLVMValueRef is_warp = compare(g, LLVMIntULT, lane, i32(g, WARPS));
    LLVMValueRef from = LLVMBuildAnd(g->b, lane, i32(g, WARPS - 1), "");
    struct acc r = {gen_load_element(g, f->d, memory, shared_at(g, values, memory, from), align),
                    gen_load_element(g, DT_BOOL, byte, shared_at(g, has, byte, from), 1)};
    r.has = both(g, r.has, is_warp);
    return r;
}

/* The block's, in its first thread: warps, exchange, and once more. */
static struct acc join_block(struct fold *f, struct acc acc, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = gen_block(g, "join");
    LLVMBasicBlockRef again = gen_block(g, "exchange"), done = gen_block(g, "joined");
    LLVMBuildBr(g->b, head);
    gen_place(g, head);
    LLVMValueRef no = LLVMConstInt(i1_type(g), 0, false), yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMValueRef second = LLVMBuildPhi(g->b, i1_type(g), "");
    LLVMValueRef value = LLVMBuildPhi(g->b, LLVMTypeOf(acc.value), "");
    LLVMValueRef has = LLVMBuildPhi(g->b, i1_type(g), "");
    LLVMAddIncoming(second, &no, &before, 1);
    LLVMAddIncoming(value, &acc.value, &before, 1);
    LLVMAddIncoming(has, &acc.has, &before, 1);
    struct acc joined = join_warp(f, (struct acc){value, has}, DOWN, NULL);
    LLVMBuildCondBr(g->b, second, done, again);
    gen_place(g, again);
    struct acc next = exchange(f, joined, thread);
    again = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(second, &yes, &again, 1);
    LLVMAddIncoming(value, &next.value, &again, 1);
    LLVMAddIncoming(has, &next.has, &again, 1);
    LLVMBuildBr(g->b, head);
    gen_place(g, done);
    return joined;
}

/* ---- accumulation */

/* What warps have, in shared memory: of this turn and of the one before, so that a thread that is
 * ahead does not write what others still read. */
struct exchange {
    LLVMValueRef values, has; /* arrays */
    LLVMValueRef turn;        /* 0 or WARPS */
};

static struct acc load_warp(struct fold *f, const struct exchange *e, LLVMValueRef warp) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef at = add(g, e->turn, warp);
    LLVMValueRef v = shared_at(g, e->values, memory, at), has = shared_at(g, e->has, byte, at);
    return (struct acc){gen_load_element(g, f->d, memory, v, dtype_align(f->d)),
                        gen_load_element(g, DT_BOOL, byte, has, 1)};
}

/* acc with what warps have from one on, up to another. */
static struct acc join_warps(struct fold *f, struct acc acc, const struct exchange *e,
                             LLVMValueRef from, LLVMValueRef to) {
    struct gen *g = f->g;
    LLVMValueRef first[] = {from, acc.value, acc.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], to));
    acc = join(f, (struct acc){l.phi[1], l.phi[2]}, load_warp(f, e, l.phi[0]));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), acc.value, acc.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

/* *carry and those of the block's threads up to each, for each; all of them in *carry. */
static struct acc scan_block(struct fold *f, struct acc acc, const struct exchange *e,
                             LLVMValueRef thread, struct acc *carry) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef lane = LLVMBuildAnd(g->b, thread, i32(g, WARP - 1), "");
    LLVMValueRef warp = LLVMBuildLShr(g->b, thread, i32(g, 5), ""), at = add(g, e->turn, warp);
    acc = join_warp(f, acc, UP, lane);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, WARP - 1)));
    gen_store_element(g, memory, acc.value, shared_at(g, e->values, memory, at), dtype_align(f->d));
    gen_store_element(g, byte, acc.has, shared_at(g, e->has, byte, at), 1);
    end_if(g, after);
    gen_barrier(g);
    struct acc before = join_warps(f, *carry, e, i32(g, 0), warp);
    *carry = join_warps(f, before, e, warp, i32(g, WARPS));
    return join(f, before, acc);
}

static void accumulate(struct fold *f, LLVMValueRef thread, const LLVMValueRef *line) {
    struct gen *g = f->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false), no = LLVMConstInt(i1_type(g), 0, false);
    struct exchange e = {
        .values = shared_array(g, gen_memory_type(g, f->d), "scan_value", 2 * WARPS),
        .has = shared_array(g, LLVMInt8TypeInContext(g->context), "scan_has", 2 * WARPS)};
    struct acc carry = fold_carried(f, fold_begin_acc(f, yes));
    LLVMValueRef first[] = {f->begin, carry.value, carry.has}, at[3];
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    LLVMValueRef k = add(g, l.phi[0], extended(g, thread));
    LLVMValueRef inside = compare(g, LLVMIntSLT, k, f->end);
    LLVMValueRef turns = LLVMBuildSub(g->b, l.phi[0], f->begin, "");
    turns = LLVMBuildTrunc(g->b, turns, i32_type(g), "");
    e.turn = LLVMBuildAnd(g->b, LLVMBuildLShr(g->b, turns, i32(g, 5), ""), i32(g, WARPS), "");
    fold_find_element(f, gen_select(g, inside, k, f->begin), line, at, 3);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, inside);
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(carry.value));
    struct acc own = fold_take(f, (struct acc){none, no}, at[IN], at[WHERE]);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    own = (struct acc){phi(g, before, none, then, own.value), phi(g, before, no, then, own.has)};
    carry = (struct acc){l.phi[1], l.phi[2]};
    own = scan_block(f, own, &e, thread, &carry);
    after = begin_if(g, inside);
    fold_store_element(f, own.value, at[OUT]);
    end_if(g, after);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, BLOCK_THREADS)), carry.value, carry.has};
    loop_end(g, &l, next);
}

/* ---- the kernel */

void gen_tree_kernel(struct fold *f) {
    struct gen *g = f->g;
    fold_begin_kernel(f, UFC_KERNEL_TREE);
    LLVMValueRef thread = gen_special_register(g, "nvvm.read.ptx.sreg.tid.x");
    LLVMValueRef line[3], at[3];
    fold_find_segment(f, gen_special_register(g, "nvvm.read.ptx.sreg.ctaid.x"));
    fold_find_line(f, f->segment, line);
    LLVMBasicBlockRef each = begin_if(g, is_set(g, load_param(f, i32_type(g), AT(each))));
    accumulate(f, thread, line);
    LLVMBuildRetVoid(g->b);
    gen_place(g, each);
    LLVMValueRef is_first = compare(g, LLVMIntEQ, thread, i32(g, 0));
    struct acc acc = fold_begin_acc(f, is_first);
    LLVMValueRef turn = word_param(f, AT(turn));
    LLVMValueRef begin = multiply(g, extended(g, thread), word_param(f, AT(lane)));
    begin = add(g, f->begin, begin);
    LLVMValueRef end = add(g, begin, multiply(g, turn, word_param(f, AT(turns))));
    end = least(g, end, f->end);
    LLVMValueRef straight = LLVMConstInt(i1_type(g), 1, false);
    acc = fold_take_ahead(f, acc, straight, NULL, line, &begin, end, turn);
    struct loop l;
    LLVMValueRef first[] = {begin, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    fold_find_element(f, l.phi[0], line, at, 2);
    acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    LLVMValueRef next[] = {add(g, l.phi[0], turn), acc.value, acc.has};
    loop_end(g, &l, next);
    acc = join_block(f, (struct acc){l.phi[1], l.phi[2]}, thread);
    LLVMBasicBlockRef after = begin_if(g, is_first);
    fold_store_result(f, acc, line[OUT]);
    end_if(g, after);
    LLVMBuildRetVoid(g->b);
}
