/* merge.c: the kernel MERGE of `at`, for integers of which no order changes what they make: threads
 * take an element each, in any order, and merge it into its row, or, where the rows are few, into
 * one of the copies of them that the block has in shared memory. */
#include "fold.h"

struct merging {
    struct fold *f;
    struct pstmt put;    /* of the function, by the array's element and another */
    enum ufc_dtype d;    /* in which elements are merged */
    LLVMValueRef thread; /* in the block, i32 */
    LLVMValueRef copies; /* of each row's elements, i32; 0: there are none */
    LLVMValueRef array;  /* of them, in shared memory */
    LLVMValueRef lines;  /* i32 */
};

/* A row, a line and the number of its cell's first copy, i32. */
struct bin {
    LLVMValueRef row, line, first;
};

static struct bin find_bin(struct merging *m, LLVMValueRef row, LLVMValueRef line) {
    struct gen *g = m->f->g;
    return (struct bin){row, line,
                        multiply(g, add(g, multiply(g, row, m->lines), line), m->copies)};
}

static LLVMValueRef cell_at(struct merging *m, LLVMValueRef cell) {
    return fold_shared_at(m->f->g, m->array, gen_type(m->f->g, m->d), cell);
}

static LLVMValueRef neutral(struct merging *m) {
    uint64_t bits = 0;
    (void)neutral_bits(m->f->g->plan, &bits);
    return LLVMConstInt(gen_type(m->f->g, m->d), bits, false);
}

/* Numbers from the thread's on, a block's apart, up to n, i32: `body` is generated for each. */
static void each_cell(struct merging *m, LLVMValueRef n,
                      void (*body)(struct merging *m, LLVMValueRef number)) {
    struct gen *g = m->f->g;
    struct loop l;
    loop_begin(g, &l, 1, &m->thread);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    body(m, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], i32(g, BLOCK_THREADS));
    loop_end(g, &l, &next);
}

static void clear_cell(struct merging *m, LLVMValueRef number) {
    LLVMBuildStore(m->f->g->b, neutral(m), cell_at(m, number));
}

/* Merges v into an element of the array. */
static void merge_far(struct merging *m, const struct bin *bin, LLVMValueRef v) {
    struct gen *g = m->f->g;
    LLVMValueRef line[3];
    m->f->line = extended(g, bin->line);
    fold_find_line(m->f, extended(g, bin->row), line);
    gen_merge_at(g, &m->put, m->d, global_pointer(g, line[OUT]), v);
}

/* Merges what the copies of an element make. */
static void join_copies(struct merging *m, LLVMValueRef number) {
    struct gen *g = m->f->g;
    struct bin bin = find_bin(m, LLVMBuildUDiv(g->b, number, m->lines, ""),
                              LLVMBuildURem(g->b, number, m->lines, ""));
    struct loop l;
    loop_begin(g, &l, 2, (LLVMValueRef[]){i32(g, 0), neutral(m)});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], m->copies));
    /* Threads begin with different copies, which are in different banks. */
    LLVMValueRef copy = both(g, add(g, l.phi[0], m->thread), subtract(g, m->copies, i32(g, 1)));
    LLVMValueRef cell = cell_at(m, add(g, bin.first, copy));
    LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, m->d), cell, "");
    v = gen_joined(g, &m->put, m->d, l.phi[1], v);
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i32(g, 1)), v});
    LLVMBasicBlockRef same = begin_if(g, compare(g, LLVMIntNE, l.phi[1], neutral(m)));
    merge_far(m, &bin, l.phi[1]);
    end_if(g, same);
}

/* Merges element `number`, i32, of all lines. */
static void merge_element(struct merging *m, LLVMValueRef number) {
    struct fold *f = m->f;
    struct gen *g = f->g;
    LLVMValueRef line[3], at[3];
    LLVMValueRef own = LLVMBuildURem(g->b, number, m->lines, "");
    LLVMValueRef index = extended(g, LLVMBuildUDiv(g->b, number, m->lines, ""));
    LLVMValueRef key = add(g, param_i64(g, AT(keys)), multiply(g, index, i64(g, 4)));
    struct bin bin = find_bin(m, load_element(g, DT_UINT32, key), own);
    f->line = extended(g, own);
    fold_find_line(f, i64(g, 0), line);
    fold_find_element(f, index, line, at, 1);
    LLVMValueRef v = fold_load_cast(f, AT(in_dtype), at[IN]);
    if (f->d == DT_BOOL)
        v = LLVMBuildZExt(g->b, v, gen_type(g, m->d), "");
    LLVMBasicBlockRef near = gen_block(g, "near"), far = gen_block(g, "far"),
                      done = gen_block(g, "merged");
    LLVMBuildCondBr(g->b, is_set(g, m->copies), near, far);
    gen_place(g, near);
    LLVMValueRef copy = both(g, m->thread, subtract(g, m->copies, i32(g, 1)));
    gen_merge_at(g, &m->put, m->d, cell_at(m, add(g, bin.first, copy)), v);
    LLVMBuildBr(g->b, done);
    gen_place(g, far);
    merge_far(m, &bin, v);
    end_if(g, done);
}

void gen_merge_kernel(struct fold *f) {
    struct gen *g = f->g;
    struct merging m = {.f = f, .d = merged_dtype(f->d), .thread = gpu(g)->id(g, THREAD_ID)};
    (void)merges_at(g->plan, &m.put);
    m.copies = param_i32(g, AT(group));
    m.lines = LLVMBuildTrunc(g->b, f->lines, i32_type(g), "");
    LLVMValueRef rows = LLVMBuildTrunc(g->b, param_i64(g, AT(rows)), i32_type(g), "");
    LLVMValueRef bins = gen_select(g, is_set(g, m.copies), multiply(g, rows, m.lines), i32(g, 0));
    unsigned cells = UFC_MERGE_BYTES / ((unsigned)dtype_traits[m.d].bits / 8);
    m.array = shared_array(g, gen_type(g, m.d), cells, 8, "cells");
    each_cell(&m, multiply(g, bins, m.copies), clear_cell);
    gpu(g)->barrier(g);
    LLVMValueRef all =
        multiply(g, LLVMBuildTrunc(g->b, param_i64(g, AT(length)), i32_type(g), ""), m.lines);
    LLVMValueRef threads = LLVMBuildTrunc(g->b, param_i64(g, AT(stride)), i32_type(g), "");
    LLVMValueRef first = gen_thread_number(g);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], all));
    merge_element(&m, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], threads);
    loop_end(g, &l, &next);
    gpu(g)->barrier(g);
    each_cell(&m, bins, join_copies);
    LLVMBuildRetVoid(g->b);
}
