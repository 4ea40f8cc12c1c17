/* columns.c: COLUMNS, whose blocks, or groups of blocks, have several neighbouring calls at a time:
 * where calls' elements lie across memory, neighbours of different calls are what memory moves at
 * once.  Thread t of a block has call t % across of them. */
#include "together.h"

/* a / b, rounded down, where b is a power of two: i32. */
static LLVMValueRef shared_out(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildLShr(g->b, a, trailing_zeros(g, b), "");
}

/* The address of an entry of s, of those that the group has for its calls: i64. */
static LLVMValueRef column_entry(struct gen *g, const struct pstmt *s, LLVMValueRef number) {
    const struct call_blocks *x = g->threads->together;
    LLVMValueRef entry = add(g, x->entries, multiply(g, extended(g, number), x->bytes));
    return add(g, entry, i64(g, s->entry));
}

/* Sets the accs to those that words from `first` on have, `n` of them, `apart` from one another. */
static void restore_joined(struct gen *g, const struct pstmt *s, LLVMValueRef words,
                           LLVMValueRef first, LLVMValueRef apart, LLVMValueRef n) {
    LLVMValueRef one = i32(g, 1);
    struct loop l;
    restore_accs(g, s->accs, words, first, BLOCK_THREADS, false);
    loop_begin(g, &l, 1, &one);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    LLVMValueRef at = add(g, first, multiply(g, l.phi[0], apart));
    restore_accs(g, s->accs, words, at, BLOCK_THREADS, true);
    gen_stmts(g, s->joined);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
}

/* Sets the accs to what an entry has, or, if into_other, the variables that they are joined with.
 */
static void await_column(struct gen *g, const struct pstmt *s, LLVMValueRef number,
                         bool into_other) {
    LLVMValueRef value[SCAN_ACCS], *v = value, entry = column_entry(g, s, number);
    await_accs(g, s->accs, &entry, 1, g->threads->together->number, value);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        LLVMBuildStore(g->b, *v++, var_of(g, into_other ? a->other : a->acc)->slot);
}

/* Joins what the group's blocks have of each call, when their threads have joined theirs.  Entry
 * number b * across + c is block b's of call c: a thread joins every so many of them, of its own
 * call, as there are threads. */
static void join_group_columns(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct call_blocks *x = t->together;
    LLVMValueRef words = shared_words(g, s, BLOCK_THREADS);
    LLVMBasicBlockRef several = begin_if(g, compare(g, LLVMIntUGT, x->blocks, i32(g, 1)));
    LLVMValueRef group = LLVMBuildURem(g->b, x->lot, param_i32(g, PARAM(group)), "");
    LLVMValueRef block = LLVMBuildURem(g->b, t->ctaid, x->blocks, "");
    LLVMValueRef all = multiply(g, x->blocks, x->across);
    take_group_entries(g, x, group, x->lot, all); /* here: registers are what columns are in */
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, t->tid, x->across));
    publish_accs(g, s->accs, column_entry(g, s, add(g, multiply(g, block, x->across), t->tid)),
                 x->number);
    end_if(g, after);
    after = begin_if(g, compare(g, LLVMIntULT, t->tid, all));
    await_column(g, s, t->tid, false);
    struct loop l;
    LLVMValueRef next = add(g, t->tid, t->ntid);
    loop_begin(g, &l, 1, &next);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], all));
    await_column(g, s, l.phi[0], true);
    gen_stmts(g, s->joined);
    next = add(g, l.phi[0], t->ntid);
    loop_end(g, &l, &next);
    save_accs(g, s->accs, words, t->tid, BLOCK_THREADS);
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef parts = least(g, x->blocks, shared_out(g, t->ntid, x->across));
    restore_joined(g, s, words, x->column, x->across, parts);
    gpu(g)->barrier(g); /* the words may be written again */
    end_if(g, several);
}

/* Lanes of a warp that have the same call are `near` apart; what they have joined goes to words of
 * shared memory, of which they then join a run each, and these. */
void join_columns(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMValueRef across = t->together->across, size = i32(g, WARP), one = i32(g, 1);
    LLVMValueRef warp = warp_of(g, t->tid), lane = lane_of(g, t->tid),
                 near = least(g, across, size);
    LLVMValueRef words = shared_words(g, s, BLOCK_THREADS);
    join_lanes(g, s, near, size);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, lane, near));
    save_accs(g, s->accs, words, add(g, multiply(g, warp, near), lane), BLOCK_THREADS);
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef all = shared_out(g, multiply(g, warp_of(g, t->ntid), near), across);
    LLVMValueRef parts = least(g, shared_out(g, size, near), all), each = shared_out(g, all, parts);
    LLVMValueRef part = both(g, shared_out(g, lane, near), subtract(g, parts, one));
    LLVMValueRef first = multiply(g, across, multiply(g, part, each));
    restore_joined(g, s, words, add(g, t->together->column, first), across, each);
    join_lanes(g, s, near, multiply(g, near, parts));
    gpu(g)->barrier(g); /* the words may be written again */
    join_group_columns(g, s);
}

/* Which of the group's calls a thread has, and which of the threads of that it is, in its block and
 * in all of the group's.  Neighbouring threads have neighbouring calls. */
static void find_column(struct gen *g, struct threads *t, struct call_blocks *x) {
    x->across = param_i32(g, PARAM(across));
    x->column = both(g, t->tid, subtract(g, x->across, i32(g, 1)));
    LLVMValueRef member = shared_out(g, t->tid, x->across),
                 members = shared_out(g, t->ntid, x->across);
    t->member = extended(g, member);
    t->members = extended(g, members);
    t->number = extended(g, add(g, multiply(g, x->block, members), member));
    t->count = extended(g, multiply(g, members, x->blocks));
}

/* The thread's call, of those that the group has when it has come to `turn`: the last one where
 * that does not exist. */
static void take_column(struct gen *g, struct threads *t, struct call_blocks *x, LLVMValueRef turn,
                        LLVMValueRef calls) {
    LLVMValueRef call = add(g, multiply(g, turn, x->across), x->column);
    x->exists = compare(g, LLVMIntULT, call, calls);
    call = gen_select(g, x->exists, call, subtract(g, calls, i32(g, 1)));
    t->call = extended(g, call);
}

/* Of `group` groups of `blocks` blocks each has every group-th `across` calls. */
void gen_columns_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    struct call_blocks *x = NEW(g->uc, struct call_blocks);
    LLVMValueRef calls = LLVMBuildTrunc(g->b, param_i64(g, PARAM(calls)), i32_type(g), "");
    LLVMValueRef group = find_block_group(g, t, x);
    x->bytes = i64(g, (uint64_t)g->plan->map.entry);
    find_column(g, t, x);
    struct loop l;
    loop_begin(g, &l, 1, &group);
    l.keep = true;
    LLVMValueRef first = multiply(g, l.phi[0], x->across); /* below 2^32 */
    loop_while(g, &l, compare(g, LLVMIntULT, first, calls));
    take_column(g, t, x, l.phi[0], calls);
    x->lot = l.phi[0];
    gen_shared_call(g, t);
    LLVMValueRef next = add(g, l.phi[0], param_i32(g, PARAM(group)));
    loop_end(g, &l, &next);
}
