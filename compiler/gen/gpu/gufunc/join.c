/* join.c: joins the accs of a reduction that GPU threads share: by shuffles within a warp, through
 * shared memory within a block, through the workspace from one launch to the next. */
#include "gufunc.h"

static unsigned bits_of(const struct pvar *v) {
    return (unsigned)dtype_info[v->dtype].bits;
}

static LLVMValueRef load_var(struct gen *g, const struct pvar *v) {
    return LLVMBuildLoad2(g->b, gen_type(g, v->dtype), var_of(g, v)->slot, "");
}

LLVMValueRef acc_to_word(struct gen *g, const struct pvar *v, LLVMValueRef value) {
    unsigned own = v->dtype == DT_BOOL ? 1 : bits_of(v);
    value = LLVMBuildBitCast(g->b, value, LLVMIntTypeInContext(g->context, own), "");
    return own <= 32 ? LLVMBuildZExt(g->b, value, i32_type(g), "") : value;
}

LLVMValueRef acc_from_word(struct gen *g, const struct pvar *v, LLVMValueRef word) {
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

LLVMValueRef shared_words(struct gen *g, const struct pstmt *s, int n) {
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

void save_accs(struct gen *g, const struct pacc *a, LLVMValueRef words, LLVMValueRef at, int n) {
    for (int k = 0; a != NULL; a = a->next, k++) {
        LLVMValueRef word = acc_to_word(g, a->acc, load_var(g, a->acc));
        LLVMBuildStore(g->b, LLVMBuildZExt(g->b, word, i64_type(g), ""),
                       shared_at(g, words, at, k, n));
    }
}

void restore_accs(struct gen *g, const struct pacc *a, LLVMValueRef words, LLVMValueRef at, int n,
                  bool into_other) {
    for (int k = 0; a != NULL; a = a->next, k++) {
        LLVMValueRef word = LLVMBuildLoad2(g->b, i64_type(g), shared_at(g, words, at, k, n), "");
        if (bits_of(a->acc) <= 32)
            word = LLVMBuildTrunc(g->b, word, i32_type(g), "");
        LLVMBuildStore(g->b, acc_from_word(g, a->acc, word),
                       into_other ? var_of(g, a->other)->slot : var_of(g, a->acc)->slot);
    }
}

void join_block(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    int most = (int)block_threads(g->plan, t->kind) / WARP;
    LLVMValueRef warps = warp_of(g, t->ntid);
    LLVMValueRef words = shared_words(g, s, most);
    LLVMValueRef lane = lane_of(g, t->tid);
    LLVMValueRef warp = warp_of(g, t->tid);
    join_warp(g, s, i32(g, WARP));
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    LLVMBasicBlockRef joined = begin_if(g, compare(g, LLVMIntUGT, warps, i32(g, 1)));
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, 0)));
    save_accs(g, s->accs, words, warp, most);
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef from = LLVMBuildAnd(g->b, lane, subtract(g, warps, i32(g, 1)), "");
    restore_accs(g, s->accs, words, from, most, false);
    join_warp(g, s, warps);
    gpu(g)->barrier(g); /* the words may be written again */
    end_if(g, joined);
}

/* ---- the parts of a point */

LLVMValueRef join_words(struct gen *g, int accs) {
    return shared_array(g, i64_type(g), (unsigned)(BLOCK_THREADS * accs), 16, "parts");
}

/* Joins, through shared memory, what `lanes` threads each have joined: in rounds, part i with the
 * part `far` behind it, so that parts stay in order. */
static void join_warps(struct gen *g, const struct pstmt *s, LLVMValueRef shared) {
    const struct threads *t = g->threads;
    size_t at = gufunc_nest_param(g) + offsetof(struct ufc_kparam_nest, part_shift);
    LLVMValueRef shift = param_i32(g, at), one = i32(g, 1);
    struct loop l;
    save_accs(g, s->accs, shared, t->tid, BLOCK_THREADS);
    LLVMValueRef lanes = t->lanes;
    loop_begin(g, &l, 1, &lanes);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], t->parts));
    gpu(g)->barrier(g);
    LLVMValueRef far = LLVMBuildShl(g->b, l.phi[0], shift, "");
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], one, "");
    LLVMValueRef rest = both(g, t->part, subtract(g, next, one));
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, rest, i32(g, 0)));
    restore_accs(g, s->accs, shared, add(g, t->tid, far), BLOCK_THREADS, true);
    gen_stmts(g, s->joined);
    save_accs(g, s->accs, shared, t->tid, BLOCK_THREADS);
    end_if(g, after);
    loop_end(g, &l, &next);
    gpu(g)->barrier(g);
    LLVMValueRef first = subtract(g, t->tid, LLVMBuildShl(g->b, t->part, shift, ""));
    restore_accs(g, s->accs, shared, first, BLOCK_THREADS, false);
    gpu(g)->barrier(g); /* the words may be written again */
}

void join_parts(struct gen *g, const struct pstmt *s, LLVMValueRef shared) {
    const struct threads *t = g->threads;
    join_warp(g, s, t->lanes);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, t->lanes, t->parts));
    join_warps(g, s, shared);
    end_if(g, after);
}

/* ---- the workspace */

static LLVMValueRef word_address(struct gen *g, LLVMValueRef address, int k) {
    return global_pointer(g, add(g, address, i64(g, 8 * (uint64_t)k)));
}

void accs_to_memory(struct gen *g, const struct pacc *a, LLVMValueRef address) {
    for (int k = 0; a != NULL; a = a->next, k++) {
        LLVMValueRef word = acc_to_word(g, a->acc, load_var(g, a->acc));
        LLVMValueRef v = LLVMBuildStore(g->b, LLVMBuildZExt(g->b, word, i64_type(g), ""),
                                        word_address(g, address, k));
        LLVMSetAlignment(v, 8);
    }
}

void accs_from_memory(struct gen *g, const struct pacc *a, LLVMValueRef address, bool into_other) {
    for (int k = 0; a != NULL; a = a->next, k++) {
        LLVMValueRef word = LLVMBuildLoad2(g->b, i64_type(g), word_address(g, address, k), "");
        LLVMSetAlignment(word, 8);
        gen_set_invariant(g, word);
        if (bits_of(a->acc) <= 32)
            word = LLVMBuildTrunc(g->b, word, i32_type(g), "");
        LLVMBuildStore(g->b, acc_from_word(g, a->acc, word),
                       into_other ? var_of(g, a->other)->slot : var_of(g, a->acc)->slot);
    }
}
