/* scatter_join.c: SCATTER's bins before numbers are merged into them, and behind: the copies of
 * each are joined, and merged into the operands. */
#include "scatter.h"

/* What the low word of a sum has more than the sum. */
static const uint32_t BIAS = UINT32_C(1) << 31;

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

void scatter_clear(struct gen *g, const struct bins *b, const struct target *t) {
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

void scatter_join(struct gen *g, const struct bins *b, const struct target *t) {
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
