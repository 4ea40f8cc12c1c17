/* tree.c: the GPU kernel TREE.  A block's threads reduce a segment of a line; their partial results
 * are joined in order, by shuffles within a warp and through shared memory between warps.  To
 * accumulate, TREE uses scan.c. */
#include "fold.h"

struct acc fold_join(struct fold *f, struct acc a, struct acc b) {
    struct gen *g = f->g;
    LLVMValueRef v = gen_select(g, b.has, fold_apply(f, a.value, b.value), a.value);
    return (struct acc){gen_select(g, a.has, v, b.value), LLVMBuildOr(g->b, a.has, b.has, "")};
}

struct acc fold_shuffle(struct gen *g, enum shuffle way, struct acc acc, LLVMValueRef by) {
    LLVMValueRef all = i32(g, UINT32_MAX);
    return (struct acc){gen_shuffle(g, way, all, acc.value, by),
                        gen_shuffle(g, way, all, acc.has, by)};
}

struct acc fold_join_warp(struct fold *f, struct acc acc, enum shuffle way, LLVMValueRef lane) {
    struct gen *g = f->g;
    struct loop l;
    LLVMValueRef first[] = {i32(g, 1), acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, WARP)));
    struct acc own = {l.phi[1], l.phi[2]}, joined;
    struct acc other = fold_shuffle(g, way, own, l.phi[0]);
    if (way == SHUFFLE_UP) {
        other.has = both(g, other.has, compare(g, LLVMIntUGE, lane, l.phi[0]));
        joined = fold_join(f, other, own);
    } else {
        joined = fold_join(f, own, other);
    }
    LLVMValueRef next[] = {LLVMBuildShl(g->b, l.phi[0], i32(g, 1), ""), joined.value, joined.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

LLVMValueRef fold_shared_at(struct gen *g, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, type, array, &index, 1, "");
}

/* Passes the accs of the warps' first lanes through shared memory: lane w of each warp gets the acc
 * of warp w. */
static struct acc exchange(struct fold *f, struct acc acc, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef values = shared_array(g, memory, WARPS, 8, "warp_value"),
                 has = shared_array(g, byte, WARPS, 8, "warp_has");
    LLVMValueRef lane = lane_of(g, thread);
    LLVMValueRef warp = warp_of(g, thread);
    unsigned align = dtype_align(f->d);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, 0)));
    gen_store_element(g, memory, acc.value, fold_shared_at(g, values, memory, warp), align);
    gen_store_element(g, byte, acc.has, fold_shared_at(g, has, byte, warp), 1);
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef has_warp = compare(g, LLVMIntULT, lane, i32(g, WARPS));
    LLVMValueRef from = LLVMBuildAnd(g->b, lane, i32(g, WARPS - 1), "");
    struct acc r = {
        gen_load_element(g, f->d, memory, fold_shared_at(g, values, memory, from), align),
        gen_load_element(g, DT_BOOL, byte, fold_shared_at(g, has, byte, from), 1)};
    r.has = both(g, r.has, has_warp);
    return r;
}

/* Joins the accs of the block's threads, for its first thread: within each warp, then, after an
 * exchange, those of the warps.  A loop of two iterations, so that the body is there once. */
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
    struct acc joined = fold_join_warp(f, (struct acc){value, has}, SHUFFLE_DOWN, NULL);
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

/* ---- the kernel */

void gen_tree_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef thread = gpu(g)->id(g, THREAD_ID);
    LLVMValueRef line[3], at[3];
    fold_find_segment(f, gpu(g)->id(g, BLOCK_ID));
    fold_find_line(f, f->segment, line);
    LLVMBasicBlockRef each = begin_if(g, is_set(g, param_i32(g, AT(each))));
    gen_scan(f, thread, line);
    LLVMBuildRetVoid(g->b);
    gen_place(g, each);
    LLVMValueRef is_first = compare(g, LLVMIntEQ, thread, i32(g, 0));
    struct acc acc = fold_begin_acc(f, is_first);
    LLVMValueRef stride = param_i64(g, AT(stride));
    LLVMValueRef begin = multiply(g, extended(g, thread), param_i64(g, AT(lane)));
    begin = add(g, f->begin, begin);
    LLVMValueRef end = add(g, begin, multiply(g, stride, param_i64(g, AT(steps))));
    end = least(g, end, f->end);
    LLVMValueRef straight = LLVMConstInt(i1_type(g), 1, false);
    acc = fold_take_ahead(f, acc, straight, NULL, line, &begin, end, stride);
    struct loop l;
    LLVMValueRef first[] = {begin, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    fold_find_element(f, l.phi[0], line, at, 2);
    acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    LLVMValueRef next[] = {add(g, l.phi[0], stride), acc.value, acc.has};
    loop_end(g, &l, next);
    acc = join_block(f, (struct acc){l.phi[1], l.phi[2]}, thread);
    LLVMBasicBlockRef after = begin_if(g, is_first);
    fold_store_result(f, acc, line[OUT]);
    end_if(g, after);
    LLVMBuildRetVoid(g->b);
}
