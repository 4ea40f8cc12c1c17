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
#include "gufunc.h"

/* An operand that the phase merges into. */
struct target {
    const struct pstmt *put; /* one of those that do */
    int operand;
    int bytes;                        /* of a cell */
    bool sum;                         /* of 8 bytes, which are the words of a sum */
    enum ufc_dtype dtype;             /* of cells: an integer as wide, or the float's */
    LLVMValueRef number;              /* of the window's bins, i32 */
    LLVMValueRef size;                /* of a copy: cells, i32; or the slots */
    LLVMValueRef bin_step, copy_step; /* cells from bin to bin, from copy to copy, i32: a bin's
                                         copies are neighbours, in different banks for a warp's
                                         threads, unless these merge into neighbouring bins */
    LLVMValueRef
        cells;         /* of shared memory: those of a copy one behind the other, and
                          UFC_SCATTER_SPARE more; then the high words of sums; then, where there are slots,
                          the bins of the window that         they are for, all ones where one is free */
    LLVMValueRef high; /* bytes from the low words to the high ones, i64 */
    LLVMValueRef tags;
    LLVMValueRef own;   /* the thread's copy of bin 0 */
    LLVMValueRef spare; /* the thread's cell for what is of no bin of the window, from there on,
                           i32; a warp's threads have one each */
};

struct bins {
    struct target target[UFC_SCATTER_PUTS];
    int n;
    LLVMValueRef copies, copy; /* how many; the thread's: i32 */
    LLVMValueRef first;        /* bin of the window, i32 */
    LLVMValueRef slots;        /* of a target, i32: a power of two; 0: it has all of the window's */
    LLVMValueRef words;        /* of a cell of a sum, i32: 2, or 1 */
};

/* What the low word of a sum has more than the sum. */
static const uint32_t BIAS = UINT32_C(1) << 31;

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

static LLVMTypeRef cell_type(struct gen *g, const struct target *t) {
    return gen_type(g, t->dtype);
}

/* Bytes from cell to cell. */
static uint32_t cell_bytes(const struct target *t) {
    return t->sum ? 4 : (uint32_t)t->bytes;
}

/* Cell number `index`, i32, from an address on. */
static LLVMValueRef cell_at(struct gen *g, const struct target *t, LLVMValueRef cells,
                            LLVMValueRef index) {
    return at_byte(g, cells, extended(g, multiply(g, index, i32(g, cell_bytes(t)))));
}

static LLVMValueRef load_word(struct gen *g, LLVMValueRef at) {
    return extended(g, LLVMBuildLoad2(g->b, i32_type(g), at, ""));
}

/* What a cell has. */
static LLVMValueRef load_cell(struct gen *g, const struct bins *b, const struct target *t,
                              LLVMValueRef cell) {
    if (!t->sum)
        return LLVMBuildLoad2(g->b, cell_type(g, t), cell, "");
    LLVMValueRef low = LLVMBuildSub(g->b, load_word(g, cell), i64(g, BIAS), "");
    LLVMValueRef slot = gen_alloca(g, i64_type(g), "cell");
    LLVMBuildStore(g->b, low, slot);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, b->words, i32(g, 2)));
    LLVMValueRef high = LLVMBuildShl(g->b, load_word(g, at_byte(g, cell, t->high)), i64(g, 32), "");
    LLVMBuildStore(g->b, add(g, high, low), slot);
    end_if(g, after);
    return LLVMBuildLoad2(g->b, i64_type(g), slot, "");
}

/* A number of the operand as one of the bins. */
static LLVMValueRef as_cell(struct gen *g, const struct target *t, LLVMValueRef v) {
    return is_float(t->dtype)
               ? v
               : LLVMBuildIntCast2(g->b, v, cell_type(g, t), is_signed(t->dtype), "");
}

/* What merging leaves as it is. */
static LLVMValueRef neutral(struct gen *g, const struct target *t) {
    LLVMTypeRef type = cell_type(g, t);
    if (is_float(t->dtype))
        return LLVMConstReal(type, merge_of(t->put) == OP_MUL ? 1 : -0.0);
    LLVMValueRef ones = LLVMConstAllOnes(type);
    LLVMValueRef most = LLVMConstInt(type, UINT64_MAX >> (65 - 8 * t->bytes), false);
    bool negative = is_signed(t->dtype);
    switch (merge_of(t->put)) {
    case OP_AND: return ones;
    case OP_MUL: return LLVMConstInt(type, 1, false);
    case OP_COUNT + B_MIN: return negative ? most : ones;
    case OP_COUNT + B_MAX: return negative ? LLVMConstNot(most) : LLVMConstNull(type);
    default: return LLVMConstNull(type);
    }
}

/* The same of all bins of a word, which bits are merged into. */
static LLVMValueRef neutral_word(struct gen *g, const struct target *t) {
    return i32(g, merge_of(t->put) == OP_AND ? UINT32_MAX : 0);
}

/* ---- a number merged by a thread */

static LLVMValueRef add_word(struct gen *g, LLVMValueRef at, LLVMValueRef v) {
    return LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpAdd, at, v, LLVMAtomicOrderingMonotonic,
                              false);
}

/* Adds v, i64, to a sum of two words.  Most numbers are so small that few change the high one. */
static void add_words(struct gen *g, const struct pstmt *s, const struct target *t,
                      LLVMValueRef cell, LLVMValueRef v) {
    const struct bins *b = g->threads->bins;
    LLVMValueRef low = LLVMBuildTrunc(g->b, v, i32_type(g), "");
    LLVMValueRef high = LLVMBuildLShr(g->b, v, i64(g, 32), "");
    LLVMValueRef carry = compare(g, LLVMIntULT, add(g, add_word(g, cell, low), low), low);
    high = add(g, LLVMBuildTrunc(g->b, high, i32_type(g), ""),
               LLVMBuildZExt(g->b, carry, i32_type(g), ""));
    LLVMBasicBlockRef after = begin_if(g, is_set(g, high));
    LLVMBasicBlockRef near = gen_block(g, "near"), far = gen_block(g, "far");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, b->words, i32(g, 2)), near, far);
    gen_place(g, near);
    add_word(g, at_byte(g, cell, t->high), high);
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

static LLVMValueRef tag_at(struct gen *g, const struct target *t, LLVMValueRef slot) {
    return at_byte(g, t->tags, extended(g, multiply(g, slot, i32(g, 4))));
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
        own->size = gen_select(g, is_set(g, b->slots), b->slots,
                               LLVMBuildOr(g->b, own->number, i32(g, 1), ""));
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
        at = at_byte(g, at, extended(g, rounded_up(g, bytes)));
    }
}

/* Sets `count` neighbours to v. */
static void fill(struct gen *g, LLVMValueRef first, LLVMValueRef count, LLVMValueRef v,
                 uint32_t bytes) {
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], count));
    LLVMBuildStore(g->b, v, at_byte(g, first, extended(g, multiply(g, l.phi[0], i32(g, bytes)))));
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

static void clear(struct gen *g, const struct bins *b, const struct target *t) {
    LLVMValueRef cells = multiply(g, b->copies, t->size);
    if (t->bytes < 4) { /* as words, in the last of which spare cells may be */
        uint32_t each = 4 / cell_bytes(t);
        LLVMValueRef words = LLVMBuildUDiv(g->b, add(g, cells, i32(g, each - 1)), i32(g, each), "");
        fill(g, t->cells, words, neutral_word(g, t), 4);
    } else {
        fill(g, t->cells, cells, t->sum ? i32(g, BIAS) : neutral(g, t), cell_bytes(t));
    }
    if (t->sum) {
        LLVMValueRef highs = multiply(g, cells, subtract(g, b->words, i32(g, 1)));
        fill(g, at_byte(g, t->cells, t->high), highs, i32(g, 0), 4);
    }
    fill(g, t->tags, b->slots, i32(g, UINT32_MAX), 4);
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

/* The bin of the operand that a cell is for; that of the window's first one where it is for none.
 */
static LLVMValueRef bin_of_cell(struct gen *g, const struct bins *b, const struct target *t,
                                LLVMValueRef index) {
    LLVMValueRef slot = gen_alloca(g, i32_type(g), "bin");
    LLVMBuildStore(g->b, index, slot);
    LLVMBasicBlockRef after = begin_if(g, is_set(g, b->slots));
    LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, i32_type(g), tag_at(g, t, index), ""), slot);
    end_if(g, after);
    LLVMValueRef bin = LLVMBuildLoad2(g->b, i32_type(g), slot, "");
    bin = gen_select(g, compare(g, LLVMIntULT, bin, t->number), bin, i32(g, 0));
    return bin_at(g, t, add(g, b->first, bin));
}

/* What the copies of a cell make. */
static LLVMValueRef joined_cell(struct gen *g, const struct bins *b, const struct target *t,
                                LLVMValueRef index) {
    struct loop l;
    loop_begin(g, &l, 2, (LLVMValueRef[]){i32(g, 0), neutral(g, t)});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], b->copies));
    /* Threads begin with different copies, as these are in different banks. */
    LLVMValueRef copy =
        both(g, add(g, l.phi[0], g->threads->tid), subtract(g, b->copies, i32(g, 1)));
    LLVMValueRef cell = add(g, multiply(g, copy, t->copy_step), multiply(g, index, t->bin_step));
    LLVMValueRef v = load_cell(g, b, t, cell_at(g, t, t->cells, cell));
    v = gen_joined(g, t->put, t->dtype, l.phi[1], v);
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i32(g, 1)), v});
    return l.phi[1];
}

/* A cell on its way to its bin. */
struct joined {
    LLVMValueRef at, v, changes; /* the bin's address; i1: v changes it */
};

static struct joined join_cell(struct gen *g, const struct bins *b, const struct target *t,
                               LLVMValueRef index, LLVMValueRef begin, bool look) {
    enum ufc_dtype d = merged_dtype(g->plan->operands[t->operand].dtype);
    struct joined j;
    LLVMValueRef inside = compare(g, LLVMIntULT, index, t->size);
    index = add(g, gen_select(g, inside, index, i32(g, 0)), begin);
    LLVMValueRef rest = subtract(g, index, t->size);
    index = gen_select(g, compare(g, LLVMIntULT, index, t->size), index, rest);
    j.v = joined_cell(g, b, t, index);
    if (is_float(d)) {
        LLVMValueRef same = LLVMBuildFCmp(g->b, LLVMRealOEQ, j.v, neutral(g, t), "");
        j.changes = LLVMBuildNot(g->b, same, "");
    } else {
        j.changes = compare(g, LLVMIntNE, j.v, neutral(g, t));
        j.v = LLVMBuildIntCast2(g->b, j.v, gen_type(g, d), true, "");
    }
    j.at = bin_of_cell(g, b, t, index);
    if (look) {
        LLVMValueRef old = LLVMBuildLoad2(g->b, gen_type(g, d), j.at, "");
        LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
        LLVMSetAlignment(old, (unsigned)dtype_info[d].bits / 8);
        j.changes = compare(g, LLVMIntNE, gen_joined(g, t->put, d, old, j.v), old);
    }
    j.changes = both(g, j.changes, inside);
    return j;
}

enum { TOGETHER = 4 }; /* bins that a thread looks at before it merges the first */

/* i1: the bins of a target, of bits of less than a word, are whole words of its operand. */
static LLVMValueRef are_words(struct gen *g, const struct bins *b, const struct target *t) {
    const struct gen_array *a = &g->arrays[t->operand];
    LLVMValueRef bytes = multiply(g, t->number, i32(g, cell_bytes(t)));
    LLVMValueRef low = LLVMBuildPtrToInt(g->b, bin_at(g, t, b->first), i64_type(g), "");
    LLVMValueRef rest = both(g, LLVMBuildOr(g->b, low, extended(g, bytes), ""), i64(g, 3));
    LLVMValueRef ok = compare(g, LLVMIntEQ, rest, i64(g, 0));
    ok = both(g, ok, compare(g, LLVMIntEQ, b->copies, i32(g, 1)));
    ok = both(g, ok, LLVMBuildNot(g->b, is_set(g, b->slots), ""));
    return both(g, ok, compare(g, LLVMIntEQ, a->stride[0], i64(g, cell_bytes(t))));
}

/* A word of the bins, of so many, and what it changes. */
static struct joined join_word(struct gen *g, const struct bins *b, const struct target *t,
                               LLVMValueRef index, LLVMValueRef begin, LLVMValueRef count) {
    struct joined j;
    LLVMValueRef inside = compare(g, LLVMIntULT, index, count);
    index = add(g, gen_select(g, inside, index, i32(g, 0)), begin);
    LLVMValueRef rest = subtract(g, index, count);
    index = gen_select(g, compare(g, LLVMIntULT, index, count), index, rest);
    LLVMValueRef offset = extended(g, multiply(g, index, i32(g, 4)));
    j.v = LLVMBuildLoad2(g->b, i32_type(g), at_byte(g, t->cells, offset), "");
    j.at = at_byte(g, bin_at(g, t, b->first), offset);
    LLVMValueRef old = LLVMBuildLoad2(g->b, i32_type(g), j.at, "");
    LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(old, 4);
    LLVMValueRef next = gen_joined(g, t->put, DT_UINT32, old, j.v);
    j.changes = both(g, inside, compare(g, LLVMIntNE, next, old));
    return j;
}

static void merge_far_words(struct gen *g, const struct bins *b, const struct target *t) {
    struct loop l;
    struct joined j[TOGETHER];
    LLVMValueRef count = LLVMBuildUDiv(g->b, t->number, i32(g, 4 / cell_bytes(t)), "");
    LLVMValueRef begin = multiply(g, g->threads->block, g->threads->ntid);
    begin = LLVMBuildURem(g->b, begin, gen_select(g, is_set(g, count), count, i32(g, 1)), "");
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], count));
    for (uint32_t i = 0; i < TOGETHER; i++) {
        LLVMValueRef index = add(g, l.phi[0], multiply(g, g->threads->ntid, i32(g, i)));
        j[i] = join_word(g, b, t, index, begin, count);
    }
    for (uint32_t i = 0; i < TOGETHER; i++) {
        LLVMBasicBlockRef after = begin_if(g, j[i].changes);
        gen_merge_at(g, t->put, DT_UINT32, j[i].at, j[i].v);
        end_if(g, after);
    }
    LLVMValueRef next = add(g, l.phi[0], multiply(g, g->threads->ntid, i32(g, TOGETHER)));
    loop_end(g, &l, &next);
}

/* The block's threads join the copies of each cell, and merge what the block has.  Blocks begin
 * with different cells, since all come to an end at a time.  Bins that take several operations are
 * looked at first, a few at once. */
static void merge_far_cells(struct gen *g, const struct bins *b, const struct target *t) {
    struct loop l;
    struct joined j[TOGETHER];
    bool look = t->bytes < 4;
    uint32_t n = look ? TOGETHER : 1;
    LLVMValueRef begin = multiply(g, g->threads->block, g->threads->ntid);
    begin = LLVMBuildURem(g->b, begin, t->size, "");
    loop_begin(g, &l, 1, &(LLVMValueRef){g->threads->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], t->size));
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef index = add(g, l.phi[0], multiply(g, g->threads->ntid, i32(g, i)));
        j[i] = join_cell(g, b, t, index, begin, look);
    }
    for (uint32_t i = 0; i < n; i++) {
        LLVMBasicBlockRef after = begin_if(g, j[i].changes);
        gen_merge_at(g, t->put, merged_dtype(g->plan->operands[t->operand].dtype), j[i].at, j[i].v);
        end_if(g, after);
    }
    LLVMValueRef next = add(g, l.phi[0], multiply(g, g->threads->ntid, i32(g, n)));
    loop_end(g, &l, &next);
}

static void merge_far(struct gen *g, const struct bins *b, const struct target *t) {
    if (t->bytes >= 4 || g->plan->operands[t->operand].rank != 1) {
        merge_far_cells(g, b, t);
        return;
    }
    LLVMBasicBlockRef words = gen_block(g, "words"), cells = gen_block(g, "cells"),
                      done = gen_block(g, "far");
    LLVMBuildCondBr(g->b, are_words(g, b, t), words, cells);
    gen_place(g, words);
    merge_far_words(g, b, t);
    LLVMBuildBr(g->b, done);
    gen_place(g, cells);
    merge_far_cells(g, b, t);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- phases */

static void gen_scatter(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef cached = gen_block(g, "cached"), near = gen_block(g, "all"),
                      done = gen_block(g, "merged");
    struct threads own = *t;
    struct bins b;
    find_targets(g, s, &b);
    own.bins = &b;
    g->threads = &own;
    for (int i = 0; i < b.n; i++)
        clear(g, &b, &b.target[i]);
    gpu(g)->barrier(g);
    LLVMBuildCondBr(g->b, is_set(g, b.slots), cached, near);
    gen_place(g, cached);
    g->merge = merge_cached;
    gen_share(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, near);
    g->merge = merge_near;
    gen_share(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    gpu(g)->barrier(g);
    for (int i = 0; i < b.n; i++)
        merge_far(g, &b, &b.target[i]);
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
