/* call.c: the GPU kernels of a gufunc whose threads run a call's body, each alone (THREAD) or
 * several together (WARP, BLOCK): which call a thread belongs to, and its number
 * among the call's threads.  spread.c shares the work among these. */
#include "together.h"

void gufunc_find_thread(struct gen *g, struct threads *t) {
    t->ctaid = gpu(g)->id(g, BLOCK_ID);
    t->ntid = gpu(g)->id(g, BLOCK_SIZE);
    t->tid = gpu(g)->id(g, THREAD_ID);
    t->call = add(g, multiply(g, extended(g, t->ctaid), extended(g, t->ntid)), extended(g, t->tid));
    t->number = i64(g, 0);
    t->count = i64(g, 1);
}

void gufunc_enter_call(struct gen *g, struct threads *t) {
    t->end = gen_block(g, "end");
    LLVMBasicBlockRef enter = gen_block(g, "call");
    LLVMValueRef calls = param_i64(g, PARAM(calls));
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLT, t->call, calls), enter, t->end);
    gen_place(g, enter);
    gufunc_find_operands(g, t);
    if (g->plan->checked)
        g->fault = global_pointer(g, param_i64(g, PARAM(fault)));
    gen_variables(g, 1);
    gen_local_arrays(g);
}

void gufunc_leave_call(struct gen *g, struct threads *t) {
    LLVMBuildBr(g->b, t->end);
    gen_place(g, t->end);
}

/* ---- a thread for each call */

/* Such loops may be unrolled. */
static bool has_constant_bounds(const struct pstmt *s) {
    return s->lo->kind == PV_CONST && s->hi->kind == PV_CONST;
}

/* Threads that help others come to ordered loops that all run, and to nothing else. */
static void gen_with_helpers(struct gen *g, struct threads *t, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        t->alone = false;
        if (s->kind == PS_EACH) {
            gen_with_helpers(g, t, s->body);
            continue;
        }
        if (s->kind == PS_FOR && !has_constant_bounds(s) && gen_in_chunks(g, s, false))
            continue;
        t->alone = true;
        LLVMBasicBlockRef after = begin_if(g, t->has_row);
        gen_list(g, s, s->next);
        end_if(g, after);
    }
}

/* Has the first WARP / group threads of each warp have calls. */
static void find_helpers(struct gen *g, struct threads *t) {
    t->group = param_i32(g, PARAM(group));
    LLVMValueRef shift = trailing_zeros(g, t->group), warp = i64(g, __builtin_ctz(WARP));
    t->rows = LLVMBuildLShr(g->b, i32(g, WARP), shift, "");
    LLVMValueRef lane = lane_of(g, t->tid), last = subtract(g, t->rows, i32(g, 1));
    LLVMValueRef first = LLVMBuildLShr(g->b, t->call, warp, "");
    first = multiply(g, first, extended(g, t->rows));
    t->call = add(g, first, extended(g, LLVMBuildAnd(g->b, lane, last, "")));
    t->has_row = compare(g, LLVMIntULT, lane, t->rows);
}

void gufunc_enter_alone(struct gen *g, struct threads *t) {
    gufunc_enter_call(g, t);
    g->stop = t->end;
    g->in_chunks = true;
    g->chunk_body = CHUNK_BODY;
    if (t->kind == UFC_KERNEL_UNIFORM)
        share_same_row(g);
    else
        share_rows(g, t);
}

void gen_thread_kernel(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    gufunc_enter_alone(g, t);
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}

void gen_helped_kernel(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    find_helpers(g, t);
    gufunc_enter_alone(g, t);
    gen_with_helpers(g, t, g->plan->body);
    gufunc_leave_call(g, t);
}

/* ---- several threads for each call */

void gen_shared_call(struct gen *g, struct threads *t) {
    gufunc_enter_call(g, t);
    g->sharing = &by_threads;
    g->merge = gen_merge;
    bool holds = t->kind == UFC_KERNEL_WARP || t->kind == UFC_KERNEL_BLOCK;
    if (g->plan->map.held > 0 && (holds || !g->plan->map.held_steps))
        gen_held_call(g, t);
    else
        gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}

LLVMValueRef gufunc_lane_mask(struct gen *g, const struct threads *t) {
    LLVMValueRef none = LLVMBuildSub(g->b, i32(g, WARP), t->group, "");
    LLVMValueRef ones = LLVMBuildLShr(g->b, i32(g, UINT32_MAX), none, "");
    LLVMValueRef lane = lane_of(g, t->tid);
    LLVMValueRef first = LLVMBuildAnd(g->b, lane, LLVMBuildNeg(g->b, t->group, ""), "");
    return LLVMBuildShl(g->b, ones, first, "");
}

void gen_warp_kernel(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    LLVMValueRef thread = t->call;
    t->group = param_i32(g, PARAM(group));
    t->lane_mask = keeps_in_step(g) ? i32(g, UINT32_MAX) : gufunc_lane_mask(g, t);
    t->count = extended(g, t->group);
    t->number = LLVMBuildAnd(g->b, thread, LLVMBuildSub(g->b, t->count, i64(g, 1), ""), "");
    t->call = LLVMBuildLShr(g->b, thread, extended(g, trailing_zeros(g, t->group)), "");
    t->member = t->number;
    t->members = t->count;
    (g->plan->map.state != NULL ? gen_state_call : gen_shared_call)(g, t);
}

void gufunc_find_block(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    t->members = t->count = extended(g, t->ntid);
    t->member = t->number = extended(g, t->tid);
    t->call = extended(g, t->ctaid);
    if (!has_steps(g))
        return;
    t->group = param_i32(g, PARAM(group));
    t->early = NEW(g->uc, struct early);
}

void gufunc_find_blocks(struct gen *g, struct threads *t) {
    t->blocks = param_i32(g, PARAM(blocks));
    LLVMValueRef call = LLVMBuildUDiv(g->b, t->ctaid, t->blocks, "");
    t->block = subtract(g, t->ctaid, multiply(g, call, t->blocks));
    t->call = extended(g, call);
    LLVMValueRef warp = multiply(g, warp_of(g, t->tid), t->blocks), size = i32(g, WARP);
    warp = multiply(g, add(g, warp, t->block), size);
    t->number = extended(g, add(g, warp, lane_of(g, t->tid)));
    t->count = multiply(g, t->members, extended(g, t->blocks));
}

void gufunc_find_phase(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    t->blocks = param_i32(g, PARAM(blocks));
    t->phase = g->plan->map.phases > 1 ? param_i32(g, PARAM(phase)) : i32(g, 0);
    LLVMValueRef call = LLVMBuildUDiv(g->b, t->ctaid, t->blocks, "");
    t->block = subtract(g, t->ctaid, multiply(g, call, t->blocks));
    t->call = extended(g, call);
    LLVMValueRef bytes = i64(g, (uint64_t)g->plan->map.partial);
    t->results = add(g, param_i64(g, PARAM(results)), multiply(g, t->call, bytes));
    t->leads_call = both(g, compare(g, LLVMIntEQ, t->block, i32(g, 0)),
                         compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
}

void gufunc_find_counter(struct gen *g, struct threads *t) {
    LLVMValueRef at = add(g, param_i64(g, PARAM(workspace)), multiply(g, t->call, i64(g, 4)));
    t->counter = global_pointer(g, at);
    t->turn = gen_alloca(g, i32_type(g), "turn");
    LLVMBuildStore(g->b, i32(g, 0), t->turn);
}

void gen_block_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    if (has_steps(g)) {
        g->ahead = g->plan->checked ? 0 : NEST_POINT_STEPS;
        gufunc_find_blocks(g, t);
        gufunc_find_counter(g, t);
        begin_portions(g, t);
        find_lane_series(g, t);
    }
    gen_shared_call(g, t);
}

void gen_cluster_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    gufunc_find_blocks(g, t);
    find_lane_series(g, t);
    gen_shared_call(g, t);
}

LLVMValueRef find_block_group(struct gen *g, struct threads *t, struct call_blocks *x) {
    x->blocks = param_i32(g, PARAM(blocks));
    LLVMValueRef group = LLVMBuildUDiv(g->b, t->ctaid, x->blocks, "");
    x->block = subtract(g, t->ctaid, multiply(g, group, x->blocks));
    t->together = x;
    return group;
}

void take_group_entries(struct gen *g, struct call_blocks *x, LLVMValueRef group, LLVMValueRef lot,
                        LLVMValueRef each) {
    LLVMValueRef one = i32(g, 1);
    x->number = extended(g, add(g, lot, one));
    LLVMValueRef turn = both(g, LLVMBuildUDiv(g->b, lot, param_i32(g, PARAM(group)), ""), one);
    LLVMValueRef set = add(g, multiply(g, group, i32(g, 2)), turn);
    set = multiply(g, extended(g, multiply(g, set, each)), x->bytes);
    x->entries = add(g, param_i64(g, PARAM(workspace)), set);
}

/* A call has `blocks` blocks; of these groups of blocks there are `group`, and each has every
 * group-th call.  The loop has one 32-bit variable, since registers are what rows are in. */
void gen_joint_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    struct call_blocks *x = NEW(g->uc, struct call_blocks);
    LLVMValueRef calls = LLVMBuildTrunc(g->b, param_i64(g, PARAM(calls)), i32_type(g), "");
    LLVMValueRef group = find_block_group(g, t, x);
    x->bytes = i64(g, (uint64_t)g->plan->map.entry);
    t->number = add(g, multiply(g, extended(g, x->block), t->members), t->member);
    t->count = multiply(g, t->members, extended(g, x->blocks));
    struct loop l;
    loop_begin(g, &l, 1, &group);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], calls));
    t->call = extended(g, l.phi[0]);
    take_group_entries(g, x, group, l.phi[0], x->blocks);
    gen_shared_call(g, t);
    LLVMValueRef next = add(g, l.phi[0], param_i32(g, PARAM(group)));
    loop_end(g, &l, &next);
}
