/* join.c: joins the accs of a reduction that a call's GPU threads share: by shuffles within a warp,
 * through shared memory within a block, through the workspace from one launch to the next. */
#include "gufunc.h"

static unsigned bits_of(const struct pvar *v) {
    return (unsigned)dtype_info[v->dtype].bits;
}

static LLVMValueRef load_var(struct gen *g, const struct pvar *v) {
    return LLVMBuildLoad2(g->b, gen_type(g, v->dtype), var_of(g, v)->slot, "");
}

/* A value's bits as an integer of 32 or 64 bits. */
static LLVMValueRef to_word(struct gen *g, const struct pvar *v, LLVMValueRef value) {
    unsigned own = v->dtype == DT_BOOL ? 1 : bits_of(v);
    value = LLVMBuildBitCast(g->b, value, LLVMIntTypeInContext(g->context, own), "");
    return own <= 32 ? LLVMBuildZExt(g->b, value, i32_type(g), "") : value;
}

static LLVMValueRef from_word(struct gen *g, const struct pvar *v, LLVMValueRef word) {
    unsigned own = v->dtype == DT_BOOL ? 1 : bits_of(v);
    if (own < 32)
        word = LLVMBuildTrunc(g->b, word, LLVMIntTypeInContext(g->context, own), "");
    return LLVMBuildBitCast(g->b, word, gen_type(g, v->dtype), "");
}

/* Sets the accs, or, if into_other, the variables that they are joined with, to another lane's
 * accs.
 */
static void shuffle_accs(struct gen *g, const struct pacc *a, enum shuffle way, LLVMValueRef by,
                         bool into_other) {
    const struct threads *t = g->threads;
    LLVMValueRef lane_mask = t->lane_mask != NULL ? t->lane_mask : i32(g, UINT32_MAX);
    for (; a != NULL; a = a->next)
        LLVMBuildStore(g->b, gen_shuffle(g, way, lane_mask, load_var(g, a->acc), by),
                       into_other ? var_of(g, a->other)->slot : var_of(g, a->acc)->slot);
}

void join_warp(struct gen *g, const struct pstmt *s, LLVMValueRef size) {
    struct loop l;
    LLVMValueRef one = i32(g, 1);
    loop_begin(g, &l, 1, &one);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], size));
    shuffle_accs(g, s->accs, s->ordered ? SHUFFLE_DOWN : SHUFFLE_ACROSS, l.phi[0], true);
    gen_stmts(g, s->joined);
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
    if (!s->ordered)
        return;
    /* SHUFFLE_DOWN gave the join of all to the first lane alone */
    LLVMValueRef lane = lane_of(g, g->threads->tid);
    LLVMValueRef first = LLVMBuildAnd(g->b, lane, LLVMBuildNeg(g->b, size, ""), "");
    shuffle_accs(g, s->accs, SHUFFLE_FROM, first, false);
}

/* n words of shared memory for each acc. */
static LLVMValueRef shared_words(struct gen *g, const struct pstmt *s, int n) {
    int accs = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        accs++;
    return shared_array(g, i64_type(g), (unsigned)(n * accs), 16, "accs");
}

/* The address of word `index`, i32, of acc k; each acc has n words. */
static LLVMValueRef shared_at(struct gen *g, LLVMValueRef words, LLVMValueRef index, int k, int n) {
    LLVMValueRef at = add(g, index, i32(g, (uint32_t)(k * n)));
    return LLVMBuildGEP2(g->b, i64_type(g), words, &at, 1, "");
}

/* Stores the accs in word `at` of each. */
static void save_accs(struct gen *g, const struct pacc *a, LLVMValueRef words, LLVMValueRef at,
                      int n) {
    for (int k = 0; a != NULL; a = a->next, k++) {
        LLVMValueRef word = to_word(g, a->acc, load_var(g, a->acc));
        LLVMBuildStore(g->b, LLVMBuildZExt(g->b, word, i64_type(g), ""),
                       shared_at(g, words, at, k, n));
    }
}

/* Loads the accs, or, if into_other, the variables that they are joined with, from word `at`. */
static void restore_accs(struct gen *g, const struct pacc *a, LLVMValueRef words, LLVMValueRef at,
                         int n, bool into_other) {
    for (int k = 0; a != NULL; a = a->next, k++) {
        LLVMValueRef word = LLVMBuildLoad2(g->b, i64_type(g), shared_at(g, words, at, k, n), "");
        if (bits_of(a->acc) <= 32)
            word = LLVMBuildTrunc(g->b, word, i32_type(g), "");
        LLVMBuildStore(g->b, from_word(g, a->acc, word),
                       into_other ? var_of(g, a->other)->slot : var_of(g, a->acc)->slot);
    }
}

void join_block(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    int most = (int)kernel_info[t->kind].threads / WARP;
    LLVMValueRef warps = warp_of(g, t->ntid);
    LLVMValueRef words = shared_words(g, s, most);
    LLVMValueRef lane = lane_of(g, t->tid);
    LLVMValueRef warp = warp_of(g, t->tid);
    join_warp(g, s, i32(g, WARP));
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, 0)));
    save_accs(g, s->accs, words, warp, most);
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef from = LLVMBuildAnd(g->b, lane, subtract(g, warps, i32(g, 1)), "");
    restore_accs(g, s->accs, words, from, most, false);
    join_warp(g, s, warps);
    gpu(g)->barrier(g); /* the words may be written again */
}

/* COLUMN: every thread joins the accs of the block's threads of its call, one after the other. */
static void join_column(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    int n = (int)kernel_info[t->kind].threads;
    LLVMValueRef words = shared_words(g, s, n);
    LLVMValueRef x = LLVMBuildURem(g->b, t->tid, i32(g, UFC_COLUMNS), "");
    save_accs(g, s->accs, words, t->tid, n);
    gpu(g)->barrier(g);
    restore_accs(g, s->accs, words, x, n, false);
    struct loop l;
    LLVMValueRef second = add(g, x, i32(g, UFC_COLUMNS));
    loop_begin(g, &l, 1, &second);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)n)));
    restore_accs(g, s->accs, words, l.phi[0], n, true);
    gen_stmts(g, s->joined);
    LLVMValueRef next = add(g, l.phi[0], i32(g, UFC_COLUMNS));
    loop_end(g, &l, &next);
    gpu(g)->barrier(g); /* the words may be written again */
}

void join_locals(struct gen *g, const struct pstmt *s) {
    bool column = kernel_info[g->threads->kind].sharing == UFC_BY_COLUMN;
    (column ? join_column : join_block)(g, s);
}

/* ---- partial results of blocks */

/* The address in the workspace of acc k of block b (i64) of the call; neighbouring calls' are
 * neighbours. */
static LLVMValueRef partial_at(struct gen *g, const struct pstmt *s, LLVMValueRef b, int k) {
    const struct threads *t = g->threads;
    LLVMValueRef first = param_i64(g, PARAM(workspace));
    LLVMValueRef calls = param_i32(g, PARAM(calls));
    /* blocks times calls are below 2^31 */
    LLVMValueRef number = multiply(g, LLVMBuildTrunc(g->b, b, i32_type(g), ""), calls);
    number = extended(g, add(g, number, LLVMBuildTrunc(g->b, t->call, i32_type(g), "")));
    LLVMValueRef at = add(g, first, multiply(g, number, i64(g, (uint64_t)g->plan->map.partial)));
    at = add(g, at, i64(g, (uint64_t)s->partial + 8 * (uint64_t)k));
    return global_pointer(g, at);
}

void store_partial(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    int k = 0;
    LLVMValueRef leads = both(g, compare(g, LLVMIntEQ, t->local, i64(g, 0)), t->has_call);
    LLVMBasicBlockRef after = begin_if(g, leads);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, k++) {
        LLVMValueRef word = to_word(g, a->acc, load_var(g, a->acc));
        LLVMValueRef v = LLVMBuildStore(g->b, LLVMBuildZExt(g->b, word, i64_type(g), ""),
                                        partial_at(g, s, t->block, k));
        LLVMSetAlignment(v, 8);
    }
    end_if(g, after);
}

/* In an ordered reduction one thread joins the blocks' accs, one after the other. */
void load_partials(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct loop l;
    LLVMValueRef first = t->local;
    LLVMValueRef apart = i64(g, (uint64_t)t->locals);
    if (s->ordered) {
        LLVMValueRef leads = compare(g, LLVMIntEQ, t->local, i64(g, 0));
        first = gen_select(g, leads, i64(g, 0), t->blocks);
        apart = i64(g, 1);
    }
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->blocks));
    int k = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, k++) {
        LLVMValueRef word = LLVMBuildLoad2(g->b, i64_type(g), partial_at(g, s, l.phi[0], k), "");
        LLVMSetAlignment(word, 8);
        if (bits_of(a->acc) <= 32)
            word = LLVMBuildTrunc(g->b, word, i32_type(g), "");
        LLVMBuildStore(g->b, from_word(g, a->acc, word), var_of(g, a->other)->slot);
    }
    gen_stmts(g, s->joined);
    LLVMValueRef next = add(g, l.phi[0], apart);
    loop_end(g, &l, &next);
    join_locals(g, s);
}
