/* scan.c: accumulation by a block of TREE.  In a step each thread reduces SCAN_WIDTH neighbouring
 * elements, gets the result of all elements before them by shuffles and through shared memory, and
 * accumulates its elements from that.
 *
 * How elements are grouped does not depend on their strides, so neither do the results' bits. */
#include "fold.h"

enum { SCAN_STEP = SCAN_WIDTH * BLOCK_THREADS };

/* ---- a thread's elements */

/* A thread's elements of a step, [k, end). */
struct neighbours {
    LLVMValueRef k, end;
    LLVMValueRef whole; /* i1: they are SCAN_WIDTH, in one access; NULL: never in one access */
    LLVMValueRef at[3]; /* their addresses IN and OUT, where whole */
    LLVMTypeRef type;   /* of the access: a vector, which is called a piece here */
};

/* i1: the segment's elements lie side by side and aligned, in the overload's dtype, so that pieces
 * can be accessed.  NULL: never. */
static LLVMValueRef lies_in_pieces(struct fold *f, const LLVMValueRef *line) {
    struct gen *g = f->g;
    uint64_t size = (uint64_t)dtype_info[f->d].bits / 8;
    if (body_size(f->element) > SMALL_BODY || size > 8)
        return NULL;
    LLVMValueRef begin = multiply(g, f->begin, i64(g, size));
    LLVMValueRef bits = LLVMBuildOr(g->b, add(g, line[IN], begin), add(g, line[OUT], begin), "");
    bits =
        LLVMBuildAnd(g->b, bits, i64(g, size * SCAN_WIDTH < 16 ? size * SCAN_WIDTH - 1 : 15), "");
    LLVMValueRef apart[] = {param_i64(g, AT(in_inner)), param_i64(g, AT(out_inner))};
    LLVMValueRef fits = both(g, fold_lies_straight(f), fold_is_own_type(f, AT(out_dtype)));
    for (int i = 0; i < 2; i++)
        fits = both(g, fits, compare(g, LLVMIntEQ, apart[i], i64(g, size)));
    return both(g, fits, compare(g, LLVMIntEQ, bits, i64(g, 0)));
}

static struct neighbours find_neighbours(struct fold *f, LLVMValueRef step, LLVMValueRef thread,
                                         const LLVMValueRef *line, LLVMValueRef in_pieces) {
    struct gen *g = f->g;
    struct neighbours n = {.type = LLVMVectorType(gen_memory_type(g, f->d), SCAN_WIDTH)};
    n.k = add(g, step, multiply(g, extended(g, thread), i64(g, SCAN_WIDTH)));
    LLVMValueRef end = add(g, n.k, i64(g, SCAN_WIDTH));
    n.end = least(g, end, f->end);
    if (in_pieces == NULL)
        return n;
    n.whole = both(g, in_pieces, compare(g, LLVMIntSLE, end, f->end));
    LLVMValueRef offset = multiply(g, n.k, i64(g, (uint64_t)dtype_info[f->d].bits / 8));
    n.at[IN] = add(g, line[IN], offset);
    n.at[OUT] = add(g, line[OUT], offset);
    return n;
}

static unsigned piece_align(struct fold *f) {
    unsigned size = (unsigned)dtype_info[f->d].bits / 8 * SCAN_WIDTH;
    return size < 16 ? size : 16;
}

/* Combines acc with each element of the piece.  *results, if not NULL, gets acc after each. */
static struct acc take_piece(struct fold *f, struct acc acc, LLVMValueRef piece,
                             LLVMValueRef *results) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d);
    for (unsigned i = 0; i < SCAN_WIDTH; i++) {
        LLVMValueRef x = LLVMBuildExtractElement(g->b, piece, i32(g, i), "");
        if (f->d == DT_BOOL)
            x = gen_cast(g, x, DT_UINT8, DT_BOOL);
        acc.value = gen_select(g, acc.has, fold_apply(f, acc.value, x), x);
        acc.has = LLVMConstInt(i1_type(g), 1, false);
        if (results == NULL)
            continue;
        LLVMValueRef v = f->d == DT_BOOL ? LLVMBuildZExt(g->b, acc.value, memory, "") : acc.value;
        *results = LLVMBuildInsertElement(g->b, *results, v, i32(g, i), "");
    }
    return acc;
}

/* Combines acc with the elements one by one; to_store: acc is stored at each one's place. */
static struct acc take_each(struct fold *f, struct acc acc, const struct neighbours *n,
                            const LLVMValueRef *line, bool to_store) {
    struct gen *g = f->g;
    LLVMValueRef at[3], first[] = {n->k, acc.value, acc.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n->end));
    fold_find_element(f, l.phi[0], line, at, 3);
    acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    if (to_store)
        fold_store_element(f, acc.value, at[OUT]);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), acc.value, acc.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

/* The thread's elements reduced; *piece: the elements themselves, where n->whole. */
static struct acc take_all(struct fold *f, const struct neighbours *n, const LLVMValueRef *line,
                           LLVMValueRef *piece) {
    struct gen *g = f->g;
    LLVMValueRef no = LLVMConstInt(i1_type(g), 0, false);
    struct acc nothing = {LLVMConstNull(gen_type(g, f->d)), no};
    if (n->whole == NULL)
        return take_each(f, nothing, n, line, false);
    LLVMBasicBlockRef whole = gen_block(g, "piece"), each = gen_block(g, "each");
    LLVMBasicBlockRef after = gen_block(g, "total");
    LLVMBuildCondBr(g->b, n->whole, whole, each);
    gen_place(g, each);
    struct acc one = take_each(f, nothing, n, line, false);
    each = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, after);
    gen_place(g, whole);
    LLVMValueRef loaded = LLVMBuildLoad2(g->b, n->type, global_pointer(g, n->at[IN]), "");
    LLVMSetAlignment(loaded, piece_align(f));
    struct acc all = take_piece(f, nothing, loaded, NULL);
    whole = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    *piece = phi2(g, each, LLVMConstNull(n->type), whole, loaded);
    return (struct acc){phi2(g, each, one.value, whole, all.value),
                        phi2(g, each, one.has, whole, all.has)};
}

/* Accumulates the thread's elements from acc on, and stores the results. */
static void store_all(struct fold *f, struct acc acc, const struct neighbours *n,
                      const LLVMValueRef *line, LLVMValueRef piece) {
    struct gen *g = f->g;
    if (n->whole == NULL) {
        take_each(f, acc, n, line, true);
        return;
    }
    LLVMBasicBlockRef whole = gen_block(g, "piece"), each = gen_block(g, "each");
    LLVMBasicBlockRef after = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, n->whole, whole, each);
    gen_place(g, each);
    take_each(f, acc, n, line, true);
    LLVMBuildBr(g->b, after);
    gen_place(g, whole);
    LLVMValueRef results = LLVMConstNull(n->type);
    take_piece(f, acc, piece, &results);
    LLVMSetAlignment(LLVMBuildStore(g->b, results, global_pointer(g, n->at[OUT])), piece_align(f));
    end_if(g, after);
}

/* ---- the block's elements */

/* The warps' accs in shared memory, in two buffers that steps use in turn, so that a thread that is
 * a step ahead does not overwrite what others still read. */
struct exchange {
    LLVMValueRef values, has; /* arrays of 2 * WARPS */
    LLVMValueRef buffer;      /* index of the buffer's first element, i32: 0 or WARPS */
};

static struct acc load_warp(struct fold *f, const struct exchange *e, LLVMValueRef warp) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef at = add(g, e->buffer, warp);
    LLVMValueRef v = fold_shared_at(g, e->values, memory, at),
                 has = fold_shared_at(g, e->has, byte, at);
    return (struct acc){gen_load_element(g, f->d, memory, v, dtype_align(f->d)),
                        gen_load_element(g, DT_BOOL, byte, has, 1)};
}

/* Joins acc with the accs of warps [from, to), i32. */
static struct acc join_warps(struct fold *f, struct acc acc, const struct exchange *e,
                             LLVMValueRef from, LLVMValueRef to) {
    struct gen *g = f->g;
    LLVMValueRef first[] = {from, acc.value, acc.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], to));
    acc = fold_join(f, (struct acc){l.phi[1], l.phi[2]}, load_warp(f, e, l.phi[0]));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), acc.value, acc.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

/* The join of *carry and the accs of the block's threads before this one; acc: this thread's.
 * *carry becomes the join of *carry and all the block's threads. */
static struct acc scan_block(struct fold *f, struct acc acc, const struct exchange *e,
                             LLVMValueRef thread, struct acc *carry) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef lane = lane_of(g, thread), one = i32(g, 1);
    LLVMValueRef warp = warp_of(g, thread), at = add(g, e->buffer, warp);
    acc = fold_join_lanes(f, acc, SHUFFLE_UP, lane, i32(g, WARP));
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, WARP - 1)));
    gen_store_element(g, memory, acc.value, fold_shared_at(g, e->values, memory, at),
                      dtype_align(f->d));
    gen_store_element(g, byte, acc.has, fold_shared_at(g, e->has, byte, at), 1);
    end_if(g, after);
    struct acc own = fold_shuffle(g, SHUFFLE_UP, acc, one);
    own.has = both(g, own.has, compare(g, LLVMIntUGE, lane, one));
    gpu(g)->barrier(g);
    struct acc before = join_warps(f, *carry, e, i32(g, 0), warp);
    *carry = join_warps(f, before, e, warp, i32(g, WARPS));
    return fold_join(f, before, own);
}

void gen_scan(struct fold *f, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMValueRef line[3];
    fold_find_segment(f, gpu(g)->id(g, BLOCK_ID));
    fold_find_line(f, f->segment, line);
    struct exchange e = {
        .values = shared_array(g, gen_memory_type(g, f->d), 2 * WARPS, 8, "scan_value"),
        .has = shared_array(g, LLVMInt8TypeInContext(g->context), 2 * WARPS, 8, "scan_has")};
    struct acc carry = fold_begin_acc(f, LLVMConstInt(i1_type(g), 1, false));
    carry = fold_carried(f, carry);
    LLVMValueRef in_pieces = lies_in_pieces(f, line), piece = NULL;
    LLVMValueRef first[] = {f->begin, carry.value, carry.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    LLVMValueRef step = LLVMBuildSub(g->b, l.phi[0], f->begin, "");
    step = LLVMBuildUDiv(g->b, step, i64(g, SCAN_STEP / WARPS), "");
    e.buffer = LLVMBuildAnd(g->b, LLVMBuildTrunc(g->b, step, i32_type(g), ""), i32(g, WARPS), "");
    struct neighbours n = find_neighbours(f, l.phi[0], thread, line, in_pieces);
    struct acc own = take_all(f, &n, line, &piece);
    carry = (struct acc){l.phi[1], l.phi[2]};
    own = scan_block(f, own, &e, thread, &carry);
    store_all(f, own, &n, line, piece);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, SCAN_STEP)), carry.value, carry.has};
    loop_end(g, &l, next);
}
