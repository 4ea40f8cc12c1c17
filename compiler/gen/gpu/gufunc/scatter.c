/* scatter.c: SCATTER, a launch of which runs one phase: a definition that merges numbers into
 * elements, the bins.  A block merges into copies of its own, in shared memory, so that threads
 * that meet in a bin wait for the block's only; neighbouring threads have different copies.  Then
 * it joins the copies, and merges what they have into the operands.
 *
 * Where the bins are too many for that, shared memory has slots for bins that a block meets first,
 * so that those that many numbers are merged into are among them; others are merged in memory.
 *
 * Sums of 64 bits are two words, which shared memory adds to one after the other; where there is
 * room for the low word alone, what is carried is added in memory.  That has half of its range more
 * than the sum, so that a sum of few or small numbers carries nothing.
 *
 * Floats are merged as they come where --fast-math says so: bits then depend on chance. */
#include "scatter.h"

static const struct target *target_of(const struct bins *b, int operand) {
    int i = 0;
    while (b->target[i].operand != operand)
        i++;
    return &b->target[i];
}

static enum ufc_dtype cell_dtype(enum ufc_dtype d, int bytes) {
    if (bytes < 4 || is_float(d))
        return merged_dtype(d);
    if (is_signed(d))
        return bytes == 8 ? DT_INT64 : DT_INT32;
    return bytes == 8 ? DT_UINT64 : DT_UINT32;
}

/* A number of the operand as one of the bins. */
static LLVMValueRef as_cell(struct gen *g, const struct target *t, LLVMValueRef v) {
    return is_float(t->dtype)
               ? v
               : LLVMBuildIntCast2(g->b, v, cell_type(g, t), is_signed(t->dtype), "");
}

/* ---- a number merged by a thread */

LLVMValueRef gen_add_word(struct gen *g, LLVMValueRef at, LLVMValueRef v) {
    return LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpAdd, at, v, LLVMAtomicOrderingMonotonic,
                              false);
}

/* Adds v, i64, to a sum of two words.  Most numbers are so small that few change the high one. */
static void add_words(struct gen *g, const struct pstmt *s, const struct target *t,
                      LLVMValueRef cell, LLVMValueRef v) {
    const struct bins *b = g->threads->bins;
    LLVMValueRef low = LLVMBuildTrunc(g->b, v, i32_type(g), "");
    LLVMValueRef high = LLVMBuildLShr(g->b, v, i64(g, 32), "");
    LLVMValueRef carry = compare(g, LLVMIntULT, add(g, gen_add_word(g, cell, low), low), low);
    high = add(g, LLVMBuildTrunc(g->b, high, i32_type(g), ""),
               LLVMBuildZExt(g->b, carry, i32_type(g), ""));
    LLVMBasicBlockRef after = begin_if(g, is_set(g, high));
    LLVMBasicBlockRef near = gen_block(g, "near"), far = gen_block(g, "far");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, b->words, i32(g, 2)), near, far);
    gen_place(g, near);
    gen_add_word(g, at_byte(g, cell, t->high), high);
    LLVMBuildBr(g->b, after);
    gen_place(g, far);
    LLVMValueRef all = LLVMBuildShl(g->b, extended(g, high), i64(g, 32), "");
    gen_merge_at(g, s, merged_dtype(s->place->dtype), gen_address(g, s->place), all);
    end_if(g, after);
}

/* Is a number merged only where that changes something?  That is seldom after the first numbers,
 * and takes longer than a look where shared memory has no such operation. */
static bool looks_first(const struct pstmt *s, const struct target *t) {
    int merge = merge_of(s);
    return t->bytes == 8 && (merge == OP_COUNT + B_MIN || merge == OP_COUNT + B_MAX);
}

static bool has_words(const struct pstmt *s, const struct target *t) {
    int merge = merge_of(s);
    return t->bytes == 8 && (merge == OP_AND || merge == OP_OR || merge == OP_XOR);
}

/* Merges bits into a cell's words, of which they often change only one. */
static void merge_words(struct gen *g, const struct pstmt *s, LLVMValueRef cell, LLVMValueRef v) {
    LLVMValueRef none = merge_of(s) == OP_AND ? i32(g, UINT32_MAX) : i32(g, 0);
    for (int i = 0; i < 2; i++) {
        LLVMValueRef word = LLVMBuildLShr(g->b, v, i64(g, 32 * (uint64_t)i), "");
        word = LLVMBuildTrunc(g->b, word, i32_type(g), "");
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, word, none));
        gen_merge_at(g, s, DT_UINT32, at_byte(g, cell, i64(g, 4 * (uint64_t)i)), word);
        end_if(g, after);
    }
}

static void merge_into(struct gen *g, const struct pstmt *s, const struct target *t,
                       LLVMValueRef cell) {
    LLVMValueRef v = as_cell(g, t, gen_merged(g, s));
    if (t->sum) {
        add_words(g, s, t, cell, v);
    } else if (has_words(s, t)) {
        merge_words(g, s, cell, v);
    } else if (looks_first(s, t)) {
        LLVMValueRef old = LLVMBuildLoad2(g->b, cell_type(g, t), cell, "");
        LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
        LLVMSetAlignment(old, cell_bytes(t));
        LLVMValueRef next = gen_joined(g, s, t->dtype, old, v);
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, next, old));
        gen_merge_at(g, s, t->dtype, cell, v);
        end_if(g, after);
    } else {
        gen_merge_at(g, s, t->dtype, cell, v);
    }
}

/* The number of the bin of a place among all bins, i32. */
static LLVMValueRef bin_of(struct gen *g, const struct pval *place) {
    const struct poperand *o = &g->plan->operands[place->operand];
    LLVMValueRef bin = i64(g, 0);
    for (int i = 0; i < place->nargs; i++)
        bin = add(g, multiply(g, bin, g->dims[o->dims[i]->index]), gen_value(g, place->args[i]));
    return LLVMBuildTrunc(g->b, bin, i32_type(g), "");
}

/* i1: the slot is the bin's, or was free, and is now. */
static LLVMValueRef take_slot(struct gen *g, const struct target *t, LLVMValueRef slot,
                              LLVMValueRef bin) {
    LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
    LLVMValueRef none = i32(g, UINT32_MAX), found = gen_alloca(g, i32_type(g), "tag");
    LLVMValueRef was = LLVMBuildLoad2(g->b, i32_type(g), tag_at(g, t, slot), "");
    LLVMSetOrdering(was, order);
    LLVMSetAlignment(was, 4);
    LLVMBuildStore(g->b, was, found);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, was, none));
    was = LLVMBuildAtomicCmpXchg(g->b, tag_at(g, t, slot), none, bin, order, order, false);
    was = LLVMBuildExtractValue(g->b, was, 0, "");
    was = gen_select(g, compare(g, LLVMIntEQ, was, none), bin, was);
    LLVMBuildStore(g->b, was, found);
    end_if(g, after);
    return compare(g, LLVMIntEQ, LLVMBuildLoad2(g->b, i32_type(g), found, ""), bin);
}

/* g->merge: into the thread's copy. */
static void merge_near(struct gen *g, const struct pstmt *s) {
    const struct bins *b = g->threads->bins;
    const struct target *t = target_of(b, s->operand);
    LLVMValueRef bin = subtract(g, bin_of(g, s->place), b->first);
    LLVMValueRef inside = compare(g, LLVMIntULT, bin, t->number);
    LLVMValueRef cell = multiply(g, bin, t->bin_step);
    if (!t->sum && !looks_first(s, t)) {
        merge_into(g, s, t, cell_at(g, t, t->own, gen_select(g, inside, cell, t->spare)));
        return;
    }
    LLVMBasicBlockRef after = begin_if(g, inside);
    merge_into(g, s, t, cell_at(g, t, t->own, cell));
    end_if(g, after);
}

/* g->merge: into the bin's slot, if that is for it or free; else in memory. */
static void merge_cached(struct gen *g, const struct pstmt *s) {
    const struct bins *b = g->threads->bins;
    const struct target *t = target_of(b, s->operand);
    LLVMValueRef bin = subtract(g, bin_of(g, s->place), b->first);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, bin, t->number));
    LLVMBasicBlockRef near = gen_block(g, "near"), far = gen_block(g, "far");
    LLVMValueRef slot = both(g, bin, subtract(g, b->slots, i32(g, 1)));
    LLVMBuildCondBr(g->b, take_slot(g, t, slot, bin), near, far);
    gen_place(g, far);
    gen_merge(g, s);
    LLVMBuildBr(g->b, after);
    gen_place(g, near);
    merge_into(g, s, t, cell_at(g, t, t->cells, slot));
    end_if(g, after);
}

/* ---- elements beside bins */

struct inside {
    struct gen *g;
    LLVMValueRef any;
};

/* Adds whether the block has the bin of a statement that merges. */
static enum walk add_inside(const struct pstmt *s, void *arg) {
    struct inside *x = arg;
    struct gen *g = x->g;
    const struct bins *b = g->threads->bins;
    if (s->kind != PS_PUT)
        return WALK_IN;
    LLVMValueRef bin = subtract(g, bin_of(g, s->place), b->first);
    LLVMValueRef inside = compare(g, LLVMIntULT, bin, target_of(b, s->operand)->number);
    x->any = x->any == NULL ? inside : LLVMBuildOr(g->b, x->any, inside, "");
    return WALK_IN;
}

/* g->counts: what is read beside bins counts in the block that has these: other elements would be
 * loaded by each window's blocks, from all over memory. */
static LLVMValueRef counts_near(struct gen *g, const struct pval *v) {
    struct inside x = {.g = g};
    if (!is_beside_bins(g->threads->bins->points, v))
        return NULL;
    g->counts = NULL; /* of the subscripts themselves */
    plan_walk(g->threads->bins->points->body, &(struct plan_visitor){.stmt = add_inside}, &x);
    g->counts = counts_near;
    return x.any;
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

static LLVMValueRef rounded_up(struct gen *g, LLVMValueRef bytes) {
    return both(g, add(g, bytes, i32(g, 7)), i32(g, (uint32_t)-8));
}

/* Do neighbouring points of s merge into neighbouring bins? */
static bool merges_neighbours(const struct pstmt *s, const struct pstmt *put) {
    const struct prange *last = s->ranges;
    const struct pval *place = put->place;
    while (last->next != NULL)
        last = last->next;
    const struct pval *subscript = place->nargs > 0 ? place->args[place->nargs - 1] : NULL;
    return subscript != NULL && subscript->kind == PV_VAR && subscript->var == last->var;
}

static void find_targets(struct gen *g, const struct pstmt *s, struct bins *b) {
    const struct threads *t = g->threads;
    LLVMValueRef window = param_i32(g, PARAM(bins)), at = dynamic_memory(g);
    b->n = 0;
    b->points = s;
    b->copies = param_i32(g, PARAM(group));
    b->copy = LLVMBuildAnd(g->b, t->tid, subtract(g, b->copies, i32(g, 1)), "");
    b->first = multiply(g, t->window, window);
    b->slots = param_i32(g, PARAM(inputs));
    b->words = param_i32(g, PARAM(words));
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_target}, b);
    for (int i = 0; i < b->n; i++) {
        struct target *own = &b->target[i];
        const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
        const struct poperand *o = &g->plan->operands[own->operand];
        LLVMValueRef all = i64(g, 1);
        for (int d = 0; d < o->rank; d++)
            all = multiply(g, all, g->dims[o->dims[d]->index]);
        LLVMValueRef left = subtract(g, LLVMBuildTrunc(g->b, all, i32_type(g), ""), b->first);
        own->bytes = ufc_scatter_cell(phase, own->operand, dtype_info[o->dtype].bits / 8);
        own->sum = own->bytes == 8 && (phase->sums >> own->operand & 1);
        own->dtype = cell_dtype(o->dtype, own->bytes);
        own->number = gen_select(g, compare(g, LLVMIntULT, left, window), left, window);
        own->active = NULL;
        if (b->n > 1) {
            LLVMValueRef bit = i32(g, UINT32_C(1) << own->operand);
            own->active = is_set(g, both(g, param_i32(g, PARAM(own)), bit));
            own->number = gen_select(g, own->active, own->number, i32(g, 0));
        }
        own->size = gen_select(g, is_set(g, b->slots), b->slots,
                               LLVMBuildOr(g->b, own->number, i32(g, 1), ""));
        if (own->active != NULL)
            own->size = gen_select(g, own->active, own->size, i32(g, 0));
        own->cells = at;
        bool neighbours = merges_neighbours(s, own->put);
        own->bin_step = neighbours ? i32(g, 1) : b->copies;
        own->copy_step = neighbours ? own->size : i32(g, 1);
        LLVMValueRef first = multiply(g, b->copy, own->copy_step);
        own->own = cell_at(g, own, at, first);
        LLVMValueRef cells = multiply(g, b->copies, own->size);
        own->spare =
            add(g, subtract(g, cells, first), both(g, t->tid, i32(g, UFC_SCATTER_SPARE - 1)));
        cells = add(g, cells, i32(g, UFC_SCATTER_SPARE));
        LLVMValueRef bytes = multiply(g, cells, i32(g, cell_bytes(own)));
        own->high = extended(g, bytes);
        if (own->sum)
            bytes = multiply(g, bytes, b->words);
        bytes = rounded_up(g, bytes);
        own->tags = at_byte(g, at, extended(g, bytes));
        bytes = add(g, bytes, multiply(g, b->slots, i32(g, 4)));
        if (own->active != NULL) /* slots have no spare cells */
            bytes =
                gen_select(g, LLVMBuildAnd(g->b, is_set(g, b->slots), gen_not(g, own->active), ""),
                           i32(g, 0), bytes);
        at = at_byte(g, at, extended(g, rounded_up(g, bytes)));
    }
}

/* ---- phases */

/* Are elements beside bins all over memory, but for those of neighbours, and of use for the bins
 * alone? */
static bool reads_apart(struct gen *g, const struct pstmt *s, const struct bins *b) {
    bool neighbours = false;
    for (int i = 0; i < b->n; i++)
        neighbours = neighbours || merges_neighbours(s, b->target[i].put);
    return !neighbours && merges_alone(g->uc, g->plan, s);
}

/* What comes before and behind the points, for each target that the launch merges into. */
static void at_targets(struct gen *g, const struct bins *b,
                       void (*f)(struct gen *g, const struct bins *b, const struct target *t)) {
    for (int i = 0; i < b->n; i++) {
        const struct target *t = &b->target[i];
        LLVMBasicBlockRef after = t->active != NULL ? begin_if(g, t->active) : NULL;
        f(g, b, t);
        if (after != NULL)
            end_if(g, after);
    }
}

/* The thread's share of the points. */
static void share_points(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct at at;
    if (ragged_range(g, s) == NULL) {
        gen_share(g, s);
        return;
    }
    find_point_ranges(g, s, &at);
    LLVMValueRef size = size_of_range(g, &at, 0), some = compare(g, LLVMIntSGT, size, i64(g, 0));
    size = gen_select(g, some, size, i64(g, 0));
    LLVMValueRef steps = add(g, size, subtract(g, t->count, i64(g, 1)));
    steps = LLVMBuildUDiv(g->b, steps, t->count, "");
    gen_ragged_points(g, s, &at, t->number, t->count, steps, size);
}

static void gen_scatter(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef cached = gen_block(g, "cached"), near = gen_block(g, "all"),
                      done = gen_block(g, "merged");
    struct threads own = *t;
    struct bins b;
    find_targets(g, s, &b);
    own.bins = &b;
    g->threads = &own;
    at_targets(g, &b, scatter_clear);
    gpu(g)->barrier(g);
    g->counts = reads_apart(g, s, &b) ? counts_near : NULL;
    LLVMBuildCondBr(g->b, is_set(g, b.slots), cached, near);
    gen_place(g, cached);
    g->merge = merge_cached;
    share_points(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, near);
    g->merge = merge_near;
    share_points(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    g->counts = NULL;
    gpu(g)->barrier(g);
    at_targets(g, &b, scatter_join);
    g->threads = t;
}

/* In the launch of its phase a PS_SPREAD that merges is computed. */
static void scatter_spread(struct gen *g, const struct pstmt *s) {
    LLVMValueRef own = i32(g, (uint32_t)s->phase);
    pass_spread(g, s);
    if (g->plan->map.phase[s->phase].merged == 0)
        return;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->phase, own));
    gen_scatter(g, s);
    end_if(g, after);
}

static const struct sharing by_windows = {
    .spread = scatter_spread, .put = put_in_phase, .sync = sync_in_phase, .scan = pass_scan};

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
    LLVMValueRef later = param_i32(g, PARAM(own) + sizeof(uint32_t));
    t->leads_call = both(g, first, compare(g, LLVMIntEQ, later, i32(g, 0)));
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
