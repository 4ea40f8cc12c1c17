/* join.c: joins the accs of a reduction that GPU threads share: by shuffles within a warp, through
 * shared memory within a block, through the workspace among blocks that run at the same time, or
 * from one launch to the next. */
#include "together.h"

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

int count_accs(const struct pstmt *s) {
    int accs = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        accs++;
    return accs;
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

/* What is joined: with lanes `by` apart, or through shared memory, with what is at `from` there. */
struct joining {
    const struct pstmt *s;
    LLVMValueRef by;
    LLVMValueRef words, from;
    int first; /* the point that is at the words' first place */
};

static void join_lane(struct gen *g, int k, const void *joining) {
    const struct joining *x = joining;
    (void)k;
    shuffle_accs(g, x->s->accs, x->s->ordered ? SHUFFLE_DOWN : SHUFFLE_ACROSS, x->by, true);
    gen_stmts(g, x->s->joined);
}

void join_lanes(struct gen *g, const struct pstmt *s, LLVMValueRef apart, LLVMValueRef size) {
    struct loop l;
    LLVMValueRef one = i32(g, 1);
    loop_begin(g, &l, 1, &apart);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], size));
    at_each_point(g, join_lane, &(struct joining){.s = s, .by = l.phi[0]});
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
    if (!s->ordered)
        return;
    /* SHUFFLE_DOWN gave the join of all to the first lane alone */
    LLVMValueRef lane = lane_of(g, g->threads->tid);
    LLVMValueRef first = LLVMBuildAnd(g->b, lane, LLVMBuildNeg(g->b, size, ""), "");
    first = add(g, first, both(g, lane, subtract(g, apart, one)));
    shuffle_accs(g, s->accs, SHUFFLE_FROM, first, false);
}

void join_warp(struct gen *g, const struct pstmt *s, LLVMValueRef size) {
    join_lanes(g, s, i32(g, 1), size);
}

void load_accs(struct gen *g, const struct pacc *a, LLVMValueRef *value) {
    for (; a != NULL; a = a->next)
        *value++ = load_var(g, a->acc);
}

void take_back(struct gen *g, const struct pacc *a, LLVMValueRef condition,
               const LLVMValueRef *before) {
    for (; a != NULL; a = a->next, before++)
        LLVMBuildStore(g->b, gen_select(g, condition, load_var(g, a->acc), *before),
                       var_of(g, a->acc)->slot);
}

void join_group(struct gen *g, const struct pstmt *s, LLVMValueRef size) {
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, count_accs(s));
    LLVMValueRef last = subtract(g, size, i32(g, 1));
    if (s->ordered) {
        join_warp(g, s, size);
        return;
    }
    for (uint32_t by = 1; by < WARP; by *= 2) {
        LLVMValueRef within = both(g, last, i32(g, by));
        load_accs(g, s->accs, before);
        shuffle_accs(g, s->accs, SHUFFLE_ACROSS, within, true);
        gen_stmts(g, s->joined);
        take_back(g, s->accs, is_set(g, within), before);
    }
}

/* Words by which the threads of a block exchange accs. */
struct words_use {
    LLVMValueRef words;
    struct words_use *next;
};

static LLVMValueRef new_words(struct gen *g, struct words_use **list, unsigned n,
                              const char *name) {
    struct words_use *use = NEW(g->uc, struct words_use);
    use->words = shared_array(g, i64_type(g), n, 16, name);
    use->next = *list;
    *list = use;
    return use->words;
}

static void unite(struct gen *g, const struct words_use *list) {
    uint64_t most = 0;
    for (const struct words_use *u = list; u != NULL; u = u->next) {
        uint64_t n = LLVMGetArrayLength2(LLVMGlobalGetValueType(u->words));
        most = n > most ? n : most;
    }
    if (list == NULL || list->next == NULL)
        return;
    LLVMValueRef all = shared_array(g, i64_type(g), (unsigned)most, 16, "words");
    for (const struct words_use *u = list; u != NULL; u = u->next) {
        LLVMReplaceAllUsesWith(u->words, all);
        LLVMDeleteGlobal(u->words);
    }
}

void unite_words(struct gen *g) {
    unite(g, g->words);
    unite(g, g->joins[0]);
    unite(g, g->joins[1]);
}

LLVMValueRef shared_bytes(struct gen *g, unsigned bytes) {
    return new_words(g, &g->words, (bytes + 7) / 8, "room");
}

LLVMValueRef shared_words(struct gen *g, const struct pstmt *s, int n) {
    return new_words(g, &g->words, (unsigned)(n * count_accs(s)), "accs");
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

/* Where a block's warps leave n words of each acc of s.  Joins have two places in turn: who comes
 * to a join has read what the join before the last one left, since the last one has a barrier
 * behind that. */
static LLVMValueRef joined_words(struct gen *g, const struct pstmt *s, int n) {
    LLVMValueRef zero = LLVMConstInt(i1_type(g), 0, false);
    if (g->join_second == NULL) {
        g->join_second = gen_alloca(g, i1_type(g), "second");
        LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
        LLVMPositionBuilderBefore(g->b, LLVMGetNextInstruction(g->join_second));
        LLVMBuildStore(g->b, zero, g->join_second);
        LLVMPositionBuilderAtEnd(g->b, here);
    }
    LLVMValueRef second = LLVMBuildLoad2(g->b, i1_type(g), g->join_second, "");
    LLVMBuildStore(g->b, gen_not(g, second), g->join_second);
    LLVMValueRef words[2];
    for (int i = 0; i < 2; i++)
        words[i] = new_words(g, &g->joins[i], (unsigned)(n * count_accs(s)), "joined");
    return gen_select(g, second, words[1], words[0]);
}

void join_block(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    int most = (int)block_threads(g->plan, t->kind) / WARP;
    LLVMValueRef warps = warp_of(g, t->ntid);
    LLVMValueRef words = joined_words(g, s, most);
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
    end_if(g, joined);
}

/* ---- the parts of a point */

/* Points whose parts shared memory holds at once. */
static int joined_points(struct gen *g, const struct pstmt *s) {
    int n = points_at_once(g) < JOINED_POINTS ? points_at_once(g) : JOINED_POINTS;
    while (n > 1 && n * count_accs(s) > JOINED_WORDS)
        n--;
    return n;
}

LLVMValueRef join_words(struct gen *g, const struct pstmt *s) {
    return new_words(g, &g->words, (unsigned)(BLOCK_THREADS * count_accs(s) * joined_points(g, s)),
                     "parts");
}

/* The words of point k. */
static LLVMValueRef point_words(struct gen *g, const struct joining *x, int k) {
    LLVMValueRef at = i32(g, (uint32_t)(BLOCK_THREADS * count_accs(x->s) * (k - x->first)));
    return k > x->first ? LLVMBuildGEP2(g->b, i64_type(g), x->words, &at, 1, "") : x->words;
}

static void save_point(struct gen *g, int k, const void *joining) {
    const struct joining *x = joining;
    save_accs(g, x->s->accs, point_words(g, x, k), g->threads->tid, BLOCK_THREADS);
}

static void join_saved(struct gen *g, int k, const void *joining) {
    const struct joining *x = joining;
    restore_accs(g, x->s->accs, point_words(g, x, k), x->from, BLOCK_THREADS, true);
    gen_stmts(g, x->s->joined);
    save_point(g, k, joining);
}

static void restore_point(struct gen *g, int k, const void *joining) {
    const struct joining *x = joining;
    restore_accs(g, x->s->accs, point_words(g, x, k), x->from, BLOCK_THREADS, false);
}

/* Joins, through shared memory, what `lanes` threads each have joined, of the points from `first`
 * on, before `end`: in rounds, part i with the part `far` behind it, so that parts stay in order.
 */
static void join_warps(struct gen *g, const struct pstmt *s, int first_point, int end) {
    const struct threads *t = g->threads;
    size_t at = gufunc_nest_param(g) + offsetof(struct ufc_kparam_nest, part_shift);
    LLVMValueRef shift = param_i32(g, at), one = i32(g, 1);
    struct joining x = {.s = s, .words = t->words, .first = first_point};
    struct loop l;
    at_points(g, first_point, end, save_point, &x);
    LLVMValueRef lanes = t->lanes;
    loop_begin(g, &l, 1, &lanes);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], t->parts));
    gpu(g)->barrier(g);
    LLVMValueRef far = LLVMBuildShl(g->b, l.phi[0], shift, "");
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], one, "");
    LLVMValueRef rest = both(g, t->part, subtract(g, next, one));
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, rest, i32(g, 0)));
    x.from = add(g, t->tid, far);
    at_points(g, first_point, end, join_saved, &x);
    end_if(g, after);
    loop_end(g, &l, &next);
    gpu(g)->barrier(g);
    x.from = subtract(g, t->tid, LLVMBuildShl(g->b, t->part, shift, ""));
    at_points(g, first_point, end, restore_point, &x);
    gpu(g)->barrier(g); /* the words may be written again */
}

void join_parts(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    int points = points_at_once(g), each = joined_points(g, s);
    join_warp(g, s, t->lanes);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, t->lanes, t->parts));
    for (int k = 0; k < points; k += each)
        join_warps(g, s, k, k + each < points ? k + each : points);
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
        if (!g->results_change)
            gen_set_invariant(g, word);
        if (bits_of(a->acc) <= 32)
            word = LLVMBuildTrunc(g->b, word, i32_type(g), "");
        LLVMBuildStore(g->b, acc_from_word(g, a->acc, word),
                       into_other ? var_of(g, a->other)->slot : var_of(g, a->acc)->slot);
    }
}

/* ---- entries: accs that other blocks wait for */

/* Word number `word` of an entry at an address, i64.  It is written and read at once: its low half
 * is the entry's number when its high half is there, 32 bits of a value. */
static LLVMValueRef entry_word(struct gen *g, LLVMValueRef entry, int word) {
    return global_pointer(g, add(g, entry, i64(g, 8 * (uint64_t)word)));
}

static int acc_words(const struct pacc *a) {
    return acc_entry(a) / 8;
}

void publish_accs(struct gen *g, const struct pacc *a, LLVMValueRef entry, LLVMValueRef number) {
    LLVMValueRef half = i64(g, 32);
    for (int word = 0; a != NULL; a = a->next) {
        LLVMValueRef bits = acc_to_word(g, a->acc, load_var(g, a->acc));
        bits = LLVMBuildZExt(g->b, bits, i64_type(g), "");
        for (int n = acc_words(a); n > 0; n--) {
            LLVMValueRef v = LLVMBuildOr(g->b, LLVMBuildShl(g->b, bits, half, ""), number, "");
            v = LLVMBuildStore(g->b, v, entry_word(g, entry, word++));
            LLVMSetVolatile(v, true);
            LLVMSetAlignment(v, 8);
            bits = LLVMBuildLShr(g->b, bits, half, "");
        }
    }
}

/* Loads all words of n entries until they are there. */
static void await_words(struct gen *g, const LLVMValueRef *entry, int n, int words,
                        LLVMValueRef number, LLVMValueRef *word) {
    LLVMBasicBlockRef wait = gen_block(g, "wait"), there = gen_block(g, "there");
    LLVMValueRef missing = i64(g, 0);
    LLVMBuildBr(g->b, wait);
    gen_place(g, wait);
    for (int i = 0; i < n * words; i++) {
        word[i] = LLVMBuildLoad2(g->b, i64_type(g), entry_word(g, entry[i / words], i % words), "");
        LLVMSetVolatile(word[i], true);
        LLVMSetAlignment(word[i], 8);
        missing = LLVMBuildOr(g->b, missing, LLVMBuildXor(g->b, word[i], number, ""), "");
    }
    missing = LLVMBuildTrunc(g->b, missing, i32_type(g), "");
    LLVMBuildCondBr(g->b, is_set(g, missing), wait, there);
    gen_place(g, there);
}

void await_accs(struct gen *g, const struct pacc *a, const LLVMValueRef *entry, int n,
                LLVMValueRef number, LLVMValueRef *value) {
    int words = 0, all = 0;
    for (const struct pacc *p = a; p != NULL; p = p->next)
        words += acc_words(p);
    LLVMValueRef *word = NEWN(g->uc, LLVMValueRef, n * words);
    await_words(g, entry, n, words, number, word);
    for (int i = 0; i < n; i++)
        for (const struct pacc *p = a; p != NULL; p = p->next) {
            LLVMValueRef bits = LLVMBuildLShr(g->b, word[all++], i64(g, 32), "");
            if (acc_words(p) == 1)
                bits = LLVMBuildTrunc(g->b, bits, i32_type(g), "");
            else
                bits = LLVMBuildOr(g->b, bits,
                                   both(g, word[all++], i64(g, UINT64_C(0xffffffff) << 32)), "");
            *value++ = acc_from_word(g, p->acc, bits);
        }
}

/* ---- several blocks that have a call at the same time */

/* The address of a block's entry of s. */
static LLVMValueRef entry_of(struct gen *g, const struct pstmt *s, LLVMValueRef block) {
    const struct call_blocks *x = g->threads->together;
    LLVMValueRef entry = add(g, x->entries, multiply(g, extended(g, block), x->bytes));
    return x->each ? entry : add(g, entry, i64(g, s->entry));
}

/* Waits for the accs of a block; sets the accs to them, or, if into_other, the variables that they
 * are joined with. */
static void await_block(struct gen *g, const struct pstmt *s, LLVMValueRef block, bool into_other) {
    const struct call_blocks *x = g->threads->together;
    LLVMValueRef value[SCAN_ACCS], *v = value;
    LLVMValueRef entry = entry_of(g, s, block);
    await_accs(g, s->accs, &entry, 1, x->number, value);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        LLVMBuildStore(g->b, *v++, var_of(g, into_other ? a->other : a->acc)->slot);
}

/* Each lane joins those of a run of blocks. */
void await_blocks(struct gen *g, const struct pstmt *s) {
    const struct call_blocks *x = g->threads->together;
    LLVMValueRef one = i32(g, 1), lanes = least(g, x->blocks, i32(g, WARP));
    LLVMValueRef each = LLVMBuildLShr(g->b, x->blocks, trailing_zeros(g, lanes), "");
    LLVMValueRef lane = both(g, lane_of(g, g->threads->tid), subtract(g, lanes, one));
    LLVMValueRef first = multiply(g, lane, each);
    await_block(g, s, first, false);
    struct loop l;
    loop_begin(g, &l, 1, &one);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], each));
    await_block(g, s, add(g, first, l.phi[0]), true);
    gen_stmts(g, s->joined);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    join_warp(g, s, lanes);
}

void publish_block(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    const struct call_blocks *x = t->together;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
    publish_accs(g, s->accs, entry_of(g, s, x->block), x->number);
    end_if(g, after);
}

void await_all_blocks(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMValueRef zero = i32(g, 0), words = shared_words(g, s, 1);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, warp_of(g, t->tid), zero));
    await_blocks(g, s);
    LLVMBasicBlockRef joined = begin_if(g, compare(g, LLVMIntEQ, t->tid, zero));
    save_accs(g, s->accs, words, zero, 1);
    end_if(g, joined);
    end_if(g, after);
    gpu(g)->barrier(g);
    restore_accs(g, s->accs, words, zero, 1, false);
    gpu(g)->barrier(g); /* the words may be written again */
}

/* Joins what all blocks of the call have, when the block's threads have joined theirs. */
static void join_blocks(struct gen *g, const struct pstmt *s) {
    const struct call_blocks *x = g->threads->together;
    LLVMBasicBlockRef several = begin_if(g, compare(g, LLVMIntUGT, x->blocks, i32(g, 1)));
    publish_block(g, s);
    await_all_blocks(g, s);
    end_if(g, several);
}

void join_call(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    if (t->lane_mask != NULL) {
        join_warp(g, s, t->group);
        return;
    }
    if (has_columns(g)) {
        join_columns(g, s);
        return;
    }
    join_block(g, s);
    if (t->together != NULL)
        join_blocks(g, s);
}
