/* scatter.c: SCATTER, a launch of which runs one phase: a definition that merges numbers into
 * elements, the bins.  A block merges into copies of its own, in shared memory, so that threads
 * that meet in a bin wait for the block's only; neighbouring threads have different copies.  Then
 * it joins the copies, and merges what they have into the operands.
 *
 * Where the bins are too many for that, shared memory has slots for bins that a block meets first,
 * so that those that many numbers are merged into are among them; others are merged in memory. */
#include "gufunc.h"

/* An operand that the phase merges into. */
struct target {
    const struct pstmt *put; /* one of those that do */
    int operand;
    bool wide;            /* bins of 8 bytes, not 4 */
    enum ufc_dtype dtype; /* of bins: an integer as wide */
    LLVMValueRef cells; /* of shared memory: the copies of bin 0, of bin 1, …; one bin more, at the
                           end, takes what is for other windows.  Or the slots */
    LLVMValueRef tags;  /* where there are slots: the bins of the window that they are for, all ones
                           where one is free */
    LLVMValueRef own;   /* the thread's copy of bin 0 */
    LLVMValueRef number; /* bins of the window, i32 */
};

struct bins {
    struct target target[UFC_SCATTER_PUTS];
    int n;
    LLVMValueRef copies, copy; /* how many; the thread's: i32 */
    LLVMValueRef first;        /* bin of the window, i32 */
    LLVMValueRef slots; /* of a target, i32: a power of two; 0: it has all bins of the window */
};

static const struct target *target_of(const struct bins *b, int operand) {
    int i = 0;
    while (b->target[i].operand != operand)
        i++;
    return &b->target[i];
}

static enum ufc_dtype cell_dtype(enum ufc_dtype d, bool wide) {
    if (is_signed(d))
        return wide ? DT_INT64 : DT_INT32;
    return wide ? DT_UINT64 : DT_UINT32;
}

static LLVMTypeRef cell_type(struct gen *g, const struct target *t) {
    return t->wide ? i64_type(g) : i32_type(g);
}

/* Cell number `index`, i32, of a target. */
static LLVMValueRef cell_at(struct gen *g, const struct target *t, LLVMValueRef index) {
    return at_byte(g, t->cells, extended(g, multiply(g, index, i32(g, t->wide ? 8 : 4))));
}

static LLVMValueRef load_cell(struct gen *g, const struct target *t, LLVMValueRef index) {
    return LLVMBuildLoad2(g->b, cell_type(g, t), cell_at(g, t, index), "");
}

/* A number of the operand as one of the bins. */
static LLVMValueRef as_cell(struct gen *g, const struct target *t, LLVMValueRef v) {
    return LLVMBuildIntCast2(g->b, v, cell_type(g, t), is_signed(t->dtype), "");
}

/* What merging leaves as it is. */
static LLVMValueRef neutral(struct gen *g, const struct target *t) {
    LLVMTypeRef type = cell_type(g, t);
    LLVMValueRef ones = LLVMConstAllOnes(type);
    LLVMValueRef most = LLVMConstInt(type, t->wide ? INT64_MAX : INT32_MAX, false);
    bool negative = is_signed(t->dtype);
    switch (merge_of(t->put)) {
    case OP_AND: return ones;
    case OP_MUL: return LLVMConstInt(type, 1, false);
    case OP_COUNT + B_MIN: return negative ? most : ones;
    case OP_COUNT + B_MAX: return negative ? LLVMConstNot(most) : LLVMConstNull(type);
    default: return LLVMConstNull(type);
    }
}

/* ---- a number merged by a thread */

/* Adds v, i64, to a cell as two words: shared memory has no addition of 64 bits. */
static void add_wide(struct gen *g, LLVMValueRef cell, LLVMValueRef v) {
    LLVMValueRef low = LLVMBuildTrunc(g->b, v, i32_type(g), "");
    LLVMValueRef high = LLVMBuildLShr(g->b, v, i64(g, 32), "");
    LLVMValueRef old = LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpAdd, cell, low,
                                          LLVMAtomicOrderingMonotonic, false);
    LLVMValueRef carry = compare(g, LLVMIntULT, add(g, old, low), low);
    high = add(g, LLVMBuildTrunc(g->b, high, i32_type(g), ""),
               LLVMBuildZExt(g->b, carry, i32_type(g), ""));
    LLVMBasicBlockRef after = begin_if(g, is_set(g, high));
    LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpAdd, at_byte(g, cell, i64(g, 4)), high,
                       LLVMAtomicOrderingMonotonic, false);
    end_if(g, after);
}

/* The number of the bin of a place among all bins, i32. */
static LLVMValueRef bin_of(struct gen *g, const struct pval *place) {
    const struct poperand *o = &g->plan->operands[place->operand];
    LLVMValueRef bin = i64(g, 0);
    for (int i = 0; i < place->nargs; i++)
        bin = add(g, multiply(g, bin, g->dims[o->dims[i]->index]), gen_value(g, place->args[i]));
    return LLVMBuildTrunc(g->b, bin, i32_type(g), "");
}

static void merge_into(struct gen *g, const struct pstmt *s, const struct target *t,
                       LLVMValueRef cell) {
    LLVMValueRef v = as_cell(g, t, gen_merged(g, s));
    if (t->wide && merge_of(s) == OP_ADD)
        add_wide(g, cell, v);
    else
        gen_merge_at(g, s, t->dtype, cell, v);
}

/* g->merge: into the thread's copy. */
static void merge_near(struct gen *g, const struct pstmt *s) {
    const struct bins *b = g->threads->bins;
    const struct target *t = target_of(b, s->operand);
    LLVMValueRef bin = subtract(g, bin_of(g, s->place), b->first);
    bin = gen_select(g, compare(g, LLVMIntULT, bin, t->number), bin, t->number);
    LLVMValueRef apart = multiply(g, b->copies, i32(g, t->wide ? 8 : 4));
    merge_into(g, s, t, at_byte(g, t->own, extended(g, multiply(g, bin, apart))));
}

static LLVMValueRef tag_at(struct gen *g, const struct target *t, LLVMValueRef slot) {
    return at_byte(g, t->tags, extended(g, multiply(g, slot, i32(g, 4))));
}

/* g->merge: into the bin's slot, if that is for it or free; else in memory. */
static void merge_cached(struct gen *g, const struct pstmt *s) {
    const struct bins *b = g->threads->bins;
    const struct target *t = target_of(b, s->operand);
    LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
    LLVMValueRef bin = subtract(g, bin_of(g, s->place), b->first), none = i32(g, UINT32_MAX);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, bin, t->number));
    LLVMValueRef slot = both(g, bin, subtract(g, b->slots, i32(g, 1)));
    LLVMValueRef was =
        LLVMBuildAtomicCmpXchg(g->b, tag_at(g, t, slot), none, bin, order, order, false);
    was = LLVMBuildExtractValue(g->b, was, 0, "");
    LLVMValueRef own =
        LLVMBuildOr(g->b, compare(g, LLVMIntEQ, was, none), compare(g, LLVMIntEQ, was, bin), "");
    LLVMBasicBlockRef near = gen_block(g, "near"), far = gen_block(g, "far");
    LLVMBuildCondBr(g->b, own, near, far);
    gen_place(g, near);
    merge_into(g, s, t, cell_at(g, t, slot));
    LLVMBuildBr(g->b, after);
    gen_place(g, far);
    gen_merge(g, s);
    end_if(g, after);
}

/* ---- the block's bins */

static enum walk add_target(const struct pstmt *s, void *bins) {
    struct bins *b = bins;
    int i = 0;
    if (s->kind != PS_PUT || !s->merged)
        return WALK_IN;
    while (i < b->n && b->target[i].operand != s->operand)
        i++;
    if (i == b->n)
        b->target[b->n++] = (struct target){.put = s, .operand = s->operand};
    return WALK_IN;
}

static void find_targets(struct gen *g, const struct pstmt *s, struct bins *b) {
    const struct threads *t = g->threads;
    LLVMValueRef window = param_i32(g, PARAM(bins)), at = dynamic_memory(g);
    b->n = 0;
    b->copies = param_i32(g, PARAM(group));
    b->copy = LLVMBuildAnd(g->b, t->tid, subtract(g, b->copies, i32(g, 1)), "");
    b->first = multiply(g, t->window, window);
    b->slots = param_i32(g, PARAM(inputs));
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_target}, b);
    for (int i = 0; i < b->n; i++) {
        struct target *own = &b->target[i];
        const struct poperand *o = &g->plan->operands[own->operand];
        LLVMValueRef all = i64(g, 1);
        for (int d = 0; d < o->rank; d++)
            all = multiply(g, all, g->dims[o->dims[d]->index]);
        LLVMValueRef left = subtract(g, LLVMBuildTrunc(g->b, all, i32_type(g), ""), b->first);
        own->wide = g->plan->map.phase[s->phase].wide >> own->operand & 1;
        own->dtype = cell_dtype(o->dtype, own->wide);
        own->number = gen_select(g, compare(g, LLVMIntULT, left, window), left, window);
        own->cells = at;
        own->own = cell_at(g, own, b->copy);
        LLVMValueRef bytes = multiply(g, b->copies, i32(g, own->wide ? 8 : 4));
        bytes = multiply(g, add(g, own->number, i32(g, 1)), bytes);
        bytes = LLVMBuildAnd(g->b, add(g, bytes, i32(g, 7)), i32(g, (uint32_t)-8), "");
        at = at_byte(g, at, extended(g, bytes));
    }
}

static void clear(struct gen *g, const struct target *t, LLVMValueRef cells) {
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], cells));
    LLVMBuildStore(g->b, neutral(g, t), cell_at(g, t, l.phi[0]));
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

static void clear_tags(struct gen *g, const struct bins *b, const struct target *t) {
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], b->slots));
    LLVMBuildStore(g->b, i32(g, UINT32_MAX), tag_at(g, t, l.phi[0]));
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

/* The address of a bin, i32, of the call's operand. */
static LLVMValueRef bin_at(struct gen *g, const struct target *t, LLVMValueRef bin) {
    const struct poperand *o = &g->plan->operands[t->operand];
    const struct gen_array *a = &g->arrays[t->operand];
    LLVMValueRef rest = bin, offset = i64(g, 0);
    for (int i = o->rank; i-- > 0;) {
        LLVMValueRef size = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
        LLVMValueRef q = i > 0 ? LLVMBuildUDiv(g->b, rest, size, "") : i32(g, 0);
        LLVMValueRef at = subtract(g, rest, multiply(g, q, size));
        offset = add(g, offset, multiply(g, extended(g, at), a->stride[i]));
        rest = q;
    }
    return at_byte(g, a->base, offset);
}

/* Merges what a bin of the window has in shared memory into the operand. */
static void merge_out(struct gen *g, const struct bins *b, const struct target *t, LLVMValueRef bin,
                      LLVMValueRef v) {
    enum ufc_dtype d = merged_dtype(g->plan->operands[t->operand].dtype);
    v = LLVMBuildIntCast2(g->b, v, gen_type(g, d), true, "");
    gen_merge_at(g, t->put, d, bin_at(g, t, add(g, b->first, bin)), v);
}

/* The block's threads join the copies of each bin, beginning with different ones, as these are in
 * different banks; and merge what the block has. */
static void merge_far(struct gen *g, const struct bins *b, const struct target *t) {
    struct loop l, in;
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], t->number));
    LLVMValueRef first = multiply(g, l.phi[0], b->copies), mask = subtract(g, b->copies, i32(g, 1));
    loop_begin(g, &in, 2, (LLVMValueRef[]){i32(g, 0), neutral(g, t)});
    loop_while(g, &in, compare(g, LLVMIntULT, in.phi[0], b->copies));
    LLVMValueRef copy = both(g, add(g, in.phi[0], g->threads->tid), mask);
    LLVMValueRef v =
        gen_joined(g, t->put, t->dtype, in.phi[1], load_cell(g, t, add(g, first, copy)));
    loop_end(g, &in, (LLVMValueRef[]){add(g, in.phi[0], i32(g, 1)), v});
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, in.phi[1], neutral(g, t)));
    merge_out(g, b, t, l.phi[0], in.phi[1]);
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

static void merge_slots(struct gen *g, const struct bins *b, const struct target *t) {
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], b->slots));
    LLVMValueRef bin = LLVMBuildLoad2(g->b, i32_type(g), tag_at(g, t, l.phi[0]), "");
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, bin, i32(g, UINT32_MAX)));
    merge_out(g, b, t, bin, load_cell(g, t, l.phi[0]));
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

/* ---- phases */

/* All bins of the window are in shared memory. */
static void gen_near(struct gen *g, const struct pstmt *s, const struct bins *b) {
    for (int i = 0; i < b->n; i++)
        clear(g, &b->target[i], multiply(g, b->target[i].number, b->copies));
    gpu(g)->barrier(g);
    g->merge = merge_near;
    gen_share(g, s);
    gpu(g)->barrier(g);
    for (int i = 0; i < b->n; i++)
        merge_far(g, b, &b->target[i]);
}

/* There are slots for some of them. */
static void gen_cached(struct gen *g, const struct pstmt *s, struct bins *b) {
    LLVMValueRef at = dynamic_memory(g);
    for (int i = 0; i < b->n; i++) {
        struct target *t = &b->target[i];
        t->cells = at;
        t->tags = cell_at(g, t, b->slots);
        at = at_byte(g, t->tags, extended(g, multiply(g, b->slots, i32(g, 4))));
        clear(g, t, b->slots);
        clear_tags(g, b, t);
    }
    gpu(g)->barrier(g);
    g->merge = merge_cached;
    gen_share(g, s);
    gpu(g)->barrier(g);
    for (int i = 0; i < b->n; i++)
        merge_slots(g, b, &b->target[i]);
}

static void gen_scatter(struct gen *g, const struct pstmt *s) {
    struct threads own = *g->threads;
    const struct threads *t = g->threads;
    LLVMBasicBlockRef cached = gen_block(g, "cached"), near = gen_block(g, "all"),
                      done = gen_block(g, "merged");
    struct bins all, some;
    find_targets(g, s, &all);
    some = all;
    g->threads = &own;
    LLVMBuildCondBr(g->b, is_set(g, all.slots), cached, near);
    gen_place(g, cached);
    own.bins = &some;
    gen_cached(g, s, &some);
    LLVMBuildBr(g->b, done);
    gen_place(g, near);
    own.bins = &all;
    gen_near(g, s, &all);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    g->threads = t;
}

/* In the launch of its phase a PS_SPREAD that merges is computed.  In later ones the results of a
 * reduction are loaded, in earlier ones the thread ends. */
static void scatter_spread(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMValueRef own = i32(g, (uint32_t)s->phase);
    LLVMBasicBlockRef begun = gen_block(g, "begun");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntULT, t->phase, own), t->end, begun);
    gen_place(g, begun);
    if (s->accs != NULL)
        accs_from_memory(g, s->accs, add(g, t->results, i64(g, (uint64_t)s->partial)), false);
    if (g->plan->map.phase[s->phase].merged == 0)
        return;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, t->phase, own));
    gen_scatter(g, s);
    end_if(g, after);
}

static const struct sharing by_windows = {.spread = scatter_spread, .put = put_in_phase};

/* Blocks / windows blocks share the points, for a window of the bins. */
static void find_share(struct gen *g, struct threads *t) {
    LLVMValueRef blocks = param_i32(g, PARAM(blocks));
    LLVMValueRef each = LLVMBuildUDiv(g->b, blocks, param_i32(g, PARAM(across)), "");
    LLVMValueRef call = LLVMBuildUDiv(g->b, t->ctaid, blocks, "");
    LLVMValueRef block = subtract(g, t->ctaid, multiply(g, call, blocks));
    t->window = LLVMBuildUDiv(g->b, block, each, "");
    t->block = subtract(g, block, multiply(g, t->window, each));
    t->call = extended(g, call);
    t->number =
        add(g, multiply(g, extended(g, t->block), extended(g, t->ntid)), extended(g, t->tid));
    t->count = multiply(g, extended(g, each), extended(g, t->ntid));
    t->phase = param_i32(g, PARAM(phase));
    LLVMValueRef first =
        both(g, compare(g, LLVMIntEQ, block, i32(g, 0)), compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
    t->leads_call = first;
    LLVMValueRef bytes = i64(g, (uint64_t)g->plan->map.partial);
    t->results = add(g, param_i64(g, PARAM(results)), multiply(g, t->call, bytes));
}

void gen_scatter_kernel(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    find_share(g, t);
    gufunc_enter_call(g, t);
    g->sharing = &by_windows;
    g->merge = merge_near;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
