/* follow.c: an ordered loop whose iterations follow one another: the threads of a block have one
 * each, of which each is `lag` turns of its loop behind the one before it.  They wait for one
 * another after each turn, so that what is stored is there when it is read, and not before what is
 * read.  Blocks that run at the same time may have a call together, and such groups of iterations
 * in turn. */
#include "gufunc.h"
#include "together.h"

/* A loop's numbers, of a type: its index is lo + number, or lo - number. */
struct turns_of {
    LLVMTypeRef type;
    LLVMValueRef lo, count; /* lo: i64 */
    bool down;
};

static struct turns_of find_turns(struct gen *g, const struct pstmt *loop, LLVMTypeRef type) {
    LLVMValueRef lo = gen_value(g, loop->lo), step = gen_value(g, loop->step);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, loop->hi), step);
    n = LLVMBuildIntCast2(g->b, n, type, false, "");
    return (struct turns_of){type, lo, n, (int64_t)loop->step->i < 0};
}

static LLVMValueRef number(const struct turns_of *t, uint64_t v) {
    return LLVMConstInt(t->type, v, false);
}

static void set_number(struct gen *g, const struct pstmt *loop, const struct turns_of *t,
                       LLVMValueRef v) {
    v = LLVMBuildIntCast2(g->b, v, i64_type(g), false, "");
    v = t->down ? LLVMBuildSub(g->b, t->lo, v, "") : add(g, t->lo, v);
    LLVMBuildStore(g->b, v, var_of(g, loop->var)->slot);
}

/* A bound that depends on the index of a loop: the least or the greatest that it is, or beyond,
 * i64. Sums are so at the first index or the last one, but those of a least or greatest one, whose
 * parts are taken apart. */
static LLVMValueRef find_extreme(struct gen *g, const struct pstmt *loop,
                                 const struct turns_of *out, const struct pval *bound,
                                 bool greatest) {
    LLVMValueRef v[2];
    bool chooses = is_choice(bound), parts = has_choice(bound),
         less = parts && !chooses && bound->op == OP_SUB,
         most = chooses ? bound->builtin->id == B_MAX : greatest;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef last = subtract(g, out->count, number(out, 1));
        if (!parts)
            set_number(g, loop, out, i == 0 ? number(out, 0) : last);
        v[i] = parts ? find_extreme(g, loop, out, bound->args[i], (less && i == 1) != greatest)
                     : gen_value(g, bound);
    }
    if (parts && !chooses)
        return less ? subtract(g, v[0], v[1]) : add(g, v[0], v[1]);
    return gen_select(g, compare(g, most ? LLVMIntSGT : LLVMIntSLT, v[0], v[1]), v[0], v[1]);
}

/* The turns of all iterations, from the least index of the loop in them on. */
static struct turns_of find_all_turns(struct gen *g, const struct pstmt *s,
                                      const struct turns_of *out) {
    const struct pstmt *in = turns_loop(s);
    if (!s->aslant)
        return find_turns(g, in, out->type);
    LLVMValueRef lo = find_extreme(g, s, out, in->lo, false);
    LLVMValueRef n = gen_count(g, lo, find_extreme(g, s, out, in->hi, true), i64(g, 1));
    return (struct turns_of){out->type, lo, LLVMBuildIntCast2(g->b, n, out->type, false, ""),
                             false};
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
    LLVMBasicBlockRef after;
    if (loop->aslant) {
        set_number(g, turns, in, turn);
        LLVMValueRef at = LLVMBuildLoad2(g->b, i64_type(g), var_of(g, turns->var)->slot, "");
        LLVMValueRef begun = compare(g, LLVMIntSGE, at, gen_value(g, turns->lo));
        after = begin_if(g, both(g, begun, compare(g, LLVMIntSLT, at, gen_value(g, turns->hi))));
        gen_stmts(g, turns->body);
        end_if(g, after);
        return;
    }
    after = begin_if(g, compare(g, LLVMIntEQ, turn, number(in, 0)));
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

/* A group of neighbouring iterations, one for each thread of the block. */
struct group {
    LLVMValueRef first, row, left; /* its first iteration, the thread's, and how many there are */
    LLVMValueRef own, end;         /* turns of the thread's iteration, and until all are done */
};

/* Turns number `from` up to `end` of a group: the first thread's; others are behind that. */
static void gen_turns(struct gen *g, const struct pstmt *s, const struct turns_of *in,
                      const struct group *group, LLVMValueRef from, LLVMValueRef end) {
    const struct threads *t = g->threads;
    LLVMValueRef one = number(in, 1), turns = gen_select(g, is_set(g, in->count), in->count, one);
    LLVMValueRef member = LLVMBuildIntCast2(g->b, t->member, in->type, false, "");
    LLVMValueRef behind = multiply(g, member, number(in, (uint64_t)s->lag));
    struct loop l;
    loop_begin(g, &l, 1, &from);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef turn = subtract(g, l.phi[0], behind);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, turn, group->own));
    gen_turn(g, s, turns_loop(s), in, turn, subtract(g, turns, one));
    end_if(g, after);
    meet(g);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
}

/* ---- several blocks of a call */

/* Blocks have groups in turn, and each counts the lots of FOLLOW_TURNS turns that it has done, in a
 * word behind the call's counter.  A group waits for the one before it, lot by lot. */
static LLVMValueRef count_at(struct gen *g, LLVMValueRef block) {
    LLVMValueRef at = LLVMBuildPtrToInt(g->b, g->threads->counter, i64_type(g), "");
    at = add(g, at, multiply(g, extended(g, add(g, block, i32(g, 1))), i64(g, 4)));
    return global_pointer(g, at);
}

/* How many lots n turns are: i32. */
static LLVMValueRef lots_of(struct gen *g, const struct turns_of *in, LLVMValueRef n) {
    n = add(g, n, number(in, FOLLOW_TURNS - 1));
    n = LLVMBuildUDiv(g->b, n, number(in, FOLLOW_TURNS), "");
    return LLVMBuildIntCast2(g->b, n, i32_type(g), false, "");
}

/* The lots of a group of as many iterations as the block has threads, and turns until these are
 * done. */
struct whole {
    LLVMValueRef end, lots, ahead; /* ahead: turns by which its last iteration is before those of
                                      the group behind it */
};

static struct whole find_whole(struct gen *g, const struct pstmt *s, const struct turns_of *in) {
    LLVMValueRef members = LLVMBuildIntCast2(g->b, g->threads->members, in->type, false, "");
    LLVMValueRef one = number(in, 1), lag = number(in, (uint64_t)s->lag);
    LLVMValueRef turns = gen_select(g, is_set(g, in->count), in->count, one);
    struct whole w = {.ahead = multiply(g, members, lag)};
    w.end = subtract(g, add(g, turns, w.ahead), lag);
    w.lots = lots_of(g, in, w.end);
    return w;
}

/* Waits until the group before this one is far enough for the lot of turns from `from` on.  `lots`
 * are those that each block had done before it came to its group of the same round. */
static void await_group(struct gen *g, const struct turns_of *in, const struct whole *w,
                        LLVMValueRef from, LLVMValueRef lots) {
    const struct threads *t = g->threads;
    LLVMValueRef one = i32(g, 1), is_first = compare(g, LLVMIntEQ, t->block, i32(g, 0));
    LLVMValueRef block = subtract(g, gen_select(g, is_first, t->blocks, t->block), one);
    LLVMValueRef need = add(g, add(g, from, number(in, FOLLOW_TURNS - 1)), w->ahead);
    need = add(g, lots, lots_of(g, in, least(g, need, w->end)));
    need = gen_select(g, is_first, subtract(g, need, w->lots), need);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
    LLVMValueRef count = count_at(g, block);
    struct loop l;
    loop_begin(g, &l, 0, NULL);
    loop_while(g, &l, compare(g, LLVMIntULT, gpu(g)->arrived(g, count), need));
    loop_end(g, &l, NULL);
    end_if(g, after);
    meet(g);
}

static void gen_lots(struct gen *g, const struct pstmt *s, const struct turns_of *in,
                     const struct group *group, LLVMValueRef lots) {
    const struct threads *t = g->threads;
    struct whole w = find_whole(g, s, in);
    LLVMValueRef zero = number(in, 0), several = compare(g, LLVMIntUGT, t->blocks, i32(g, 1));
    LLVMValueRef size = gen_select(g, several, number(in, FOLLOW_TURNS), group->end);
    LLVMValueRef waits = both(g, several, is_set(g, group->first));
    LLVMValueRef counts = both(g, several, compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], group->end));
    LLVMBasicBlockRef after = begin_if(g, waits);
    await_group(g, in, &w, l.phi[0], lots);
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], size);
    gen_turns(g, s, in, group, l.phi[0], least(g, next, group->end));
    after = begin_if(g, counts);
    gpu(g)->arrive(g, count_at(g, t->block), i32(g, 1));
    end_if(g, after);
    loop_end(g, &l, &next);
}

/* The lots that all blocks have done after the loop, in which a step is of so many iterations. */
static LLVMValueRef find_rounds(struct gen *g, const struct pstmt *s, const struct turns_of *out,
                                const struct turns_of *in, LLVMValueRef step) {
    LLVMValueRef one = number(in, 1),
                 before = LLVMBuildLoad2(g->b, i32_type(g), g->threads->lots, "");
    LLVMValueRef rounds = add(g, out->count, subtract(g, step, one));
    rounds = LLVMBuildUDiv(g->b, rounds, step, "");
    rounds = LLVMBuildIntCast2(g->b, rounds, i32_type(g), false, "");
    return add(g, before, multiply(g, rounds, find_whole(g, s, in).lots));
}

/* A block whose last group was short, or who had none, counts as if it had been whole, so that the
 * next such loop finds all alike. */
static void end_rounds(struct gen *g, LLVMValueRef all, LLVMValueRef done) {
    const struct threads *t = g->threads;
    LLVMBuildStore(g->b, all, t->lots);
    LLVMValueRef several = compare(g, LLVMIntUGT, t->blocks, i32(g, 1));
    LLVMBasicBlockRef after =
        begin_if(g, both(g, several, compare(g, LLVMIntEQ, t->tid, i32(g, 0))));
    gpu(g)->arrive(g, count_at(g, t->block), subtract(g, all, done));
    end_if(g, after);
}

/* ---- the loop */

/* The group that begins with an iteration. */
static struct group find_group(struct gen *g, const struct pstmt *s, const struct turns_of *out,
                               const struct turns_of *in, LLVMValueRef first) {
    const struct threads *t = g->threads;
    LLVMValueRef member = LLVMBuildIntCast2(g->b, t->member, in->type, false, ""),
                 members = LLVMBuildIntCast2(g->b, t->members, in->type, false, "");
    LLVMValueRef one = number(in, 1), lag = number(in, (uint64_t)s->lag);
    LLVMValueRef turns = gen_select(g, is_set(g, in->count), in->count, one);
    struct group x = {.first = first, .row = add(g, first, member)};
    x.left = least(g, subtract(g, out->count, first), members);
    x.end = add(g, turns, multiply(g, subtract(g, x.left, one), lag));
    x.own = gen_select(g, compare(g, LLVMIntULT, x.row, out->count), turns, number(in, 0));
    return x;
}

bool gen_following(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    if (t->kind != UFC_KERNEL_RESIDENT && t->kind != UFC_KERNEL_FOLLOW)
        return false;
    LLVMTypeRef type = s->narrow && turns_loop(s)->narrow ? i32_type(g) : i64_type(g);
    const struct turns_of out = find_turns(g, s, type), in = find_all_turns(g, s, &out);
    LLVMValueRef step = LLVMBuildIntCast2(g->b, t->members, type, false, "");
    LLVMValueRef first = number(&in, 0), lots = NULL;
    if (t->blocks != NULL) {
        first = multiply(g, step, LLVMBuildIntCast2(g->b, t->block, type, false, ""));
        step = multiply(g, step, LLVMBuildIntCast2(g->b, t->blocks, type, false, ""));
        lots = LLVMBuildLoad2(g->b, i32_type(g), t->lots, "");
    }
    LLVMValueRef begin[] = {first, lots};
    struct loop groups;
    loop_begin(g, &groups, lots != NULL ? 2 : 1, begin);
    loop_while(g, &groups, compare(g, LLVMIntULT, groups.phi[0], out.count));
    struct group group = find_group(g, s, &out, &in, groups.phi[0]);
    set_number(g, s, &out, group.row);
    if (lots != NULL)
        gen_lots(g, s, &in, &group, groups.phi[1]);
    else
        gen_turns(g, s, &in, &group, number(&in, 0), group.end);
    LLVMValueRef next[] = {add(g, groups.phi[0], step), NULL};
    if (lots != NULL)
        next[1] = add(g, groups.phi[1], lots_of(g, &in, group.end));
    loop_end(g, &groups, next);
    if (lots != NULL)
        end_rounds(g, find_rounds(g, s, &out, &in, step), groups.phi[1]);
    if (s->totals != NULL)
        join_call(g, s->totals);
    return true;
}

/* The call's words in the workspace: entries of its reductions, of each block, for all calls; then
 * for each call the counter by which its blocks wait for one another, and one of each block. */
static void find_words(struct gen *g, struct threads *t) {
    struct call_blocks *x = NEW(g->uc, struct call_blocks);
    LLVMValueRef blocks = extended(g, t->blocks), workspace = param_i64(g, PARAM(workspace));
    LLVMValueRef bytes = multiply(g, blocks, i64(g, g->plan->map.entry));
    LLVMValueRef counts = multiply(g, add(g, blocks, i64(g, 1)), i64(g, 4));
    LLVMValueRef at = add(g, workspace, multiply(g, param_i64(g, PARAM(calls)), bytes));
    *x = (struct call_blocks){.block = t->block,
                              .blocks = t->blocks,
                              .entries = add(g, workspace, multiply(g, t->call, bytes)),
                              .bytes = i64(g, g->plan->map.entry),
                              .number = i64(g, 1)};
    t->together = x;
    t->counter = global_pointer(g, add(g, at, multiply(g, t->call, counts)));
    t->turn = gen_alloca(g, i32_type(g), "turn");
    t->lots = gen_alloca(g, i32_type(g), "lots");
    LLVMBuildStore(g->b, i32(g, 0), t->turn);
    LLVMBuildStore(g->b, i32(g, 0), t->lots);
}

/* A block's barrier orders its threads' accesses to memory. */
void gen_follow_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    if (g->plan->map.several) {
        gufunc_find_blocks(g, t);
        find_words(g, t);
    }
    gufunc_enter_call(g, t);
    g->sharing = &by_threads;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
