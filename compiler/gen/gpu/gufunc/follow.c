/* follow.c: an ordered loop whose iterations follow one another: the threads of a block have one
 * each, of which each is `lag` turns of its loop behind the one before it.  They wait for one
 * another after each turn, so that what is stored is there when it is read, and not before what is
 * read. */
#include "gufunc.h"

/* A loop's numbers, of a type: its index is lo + number. */
struct turns_of {
    LLVMTypeRef type;
    LLVMValueRef lo, count; /* lo: i64 */
};

static struct turns_of find_turns(struct gen *g, const struct pstmt *loop, LLVMTypeRef type) {
    LLVMValueRef lo = gen_value(g, loop->lo);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, loop->hi), i64(g, 1));
    return (struct turns_of){type, lo, LLVMBuildIntCast2(g->b, n, type, false, "")};
}

static LLVMValueRef number(const struct turns_of *t, uint64_t v) {
    return LLVMConstInt(t->type, v, false);
}

static void set_number(struct gen *g, const struct pstmt *loop, const struct turns_of *t,
                       LLVMValueRef v) {
    v = LLVMBuildIntCast2(g->b, v, i64_type(g), false, "");
    LLVMBuildStore(g->b, add(g, t->lo, v), var_of(g, loop->var)->slot);
}

static void meet(struct gen *g) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef warp = gen_block(g, "warp"), block = gen_block(g, "block"),
                      met = gen_block(g, "met");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntULE, t->ntid, i32(g, WARP)), warp, block);
    gen_place(g, warp);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    LLVMBuildBr(g->b, met);
    gen_place(g, block);
    gpu(g)->barrier(g);
    LLVMBuildBr(g->b, met);
    gen_place(g, met);
}

/* The thread's turn number `turn` of an iteration; what comes before them is done with the first,
 * and what comes behind them with the last, number `last`, though there may be none. */
static void gen_turn(struct gen *g, const struct pstmt *loop, const struct pstmt *turns,
                     const struct turns_of *in, LLVMValueRef turn, LLVMValueRef last) {
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, turn, number(in, 0)));
    gen_list(g, loop->body, turns);
    end_if(g, after);
    after = begin_if(g, compare(g, LLVMIntULT, turn, in->count));
    set_number(g, turns, in, turn);
    gen_stmts(g, turns->body);
    end_if(g, after);
    if (turns->next == NULL)
        return;
    after = begin_if(g, compare(g, LLVMIntEQ, turn, last));
    gen_stmts(g, turns->next);
    end_if(g, after);
}

bool gen_following(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    const struct pstmt *inner = turns_loop(s);
    if (t->kind != UFC_KERNEL_RESIDENT && t->kind != UFC_KERNEL_FOLLOW)
        return false;
    LLVMTypeRef type = s->narrow && inner->narrow ? i32_type(g) : i64_type(g);
    const struct turns_of out = find_turns(g, s, type), in = find_turns(g, inner, type);
    LLVMValueRef zero = number(&in, 0), one = number(&in, 1), lag = number(&in, (uint64_t)s->lag);
    LLVMValueRef member = LLVMBuildIntCast2(g->b, t->member, type, false, ""),
                 members = LLVMBuildIntCast2(g->b, t->members, type, false, "");
    LLVMValueRef turns = gen_select(g, is_set(g, in.count), in.count, one);
    LLVMValueRef behind = multiply(g, member, lag);
    struct loop rows, l;
    loop_begin(g, &rows, 1, &zero);
    loop_while(g, &rows, compare(g, LLVMIntULT, rows.phi[0], out.count));
    LLVMValueRef row = add(g, rows.phi[0], member);
    LLVMValueRef left = least(g, subtract(g, out.count, rows.phi[0]), members);
    LLVMValueRef end = add(g, turns, multiply(g, subtract(g, left, one), lag));
    LLVMValueRef own = gen_select(g, compare(g, LLVMIntULT, row, out.count), turns, zero);
    set_number(g, s, &out, row);
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef turn = subtract(g, l.phi[0], behind);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, turn, own));
    gen_turn(g, s, inner, &in, turn, subtract(g, turns, one));
    end_if(g, after);
    meet(g);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
    next = add(g, rows.phi[0], members);
    loop_end(g, &rows, &next);
    if (s->totals != NULL)
        join_call(g, s->totals);
    return true;
}

/* A block's barrier orders its threads' accesses to memory. */
void gen_follow_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    gufunc_enter_call(g, t);
    g->sharing = &by_threads;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
