/* at.c: the kernels of `at`: SORT, which sorts the indices by their rows, and AT, which reduces
 * what comes to a row. */
#include "fold.h"

/* ---- numbers of pairs */

static LLVMValueRef word_at(struct gen *g, LLVMValueRef address, LLVMValueRef index) {
    return add(g, address, multiply(g, index, i64(g, 8)));
}

/* Key `index`, i64, in memory. */
static LLVMValueRef key_at(struct gen *g, LLVMValueRef index) {
    return word_at(g, param_i64(g, AT(keys)), index);
}

static LLVMValueRef row_of(struct gen *g, LLVMValueRef key) {
    return LLVMBuildLShr(g->b, key, param_i64(g, AT(shift)), "");
}

/* ---- SORT: keys */

/* The index at an address, i64, of the integer type that the parameter says. */
static LLVMValueRef load_index(struct gen *g, LLVMValueRef at) {
    LLVMBasicBlockRef wide = gen_block(g, "int64"), done = gen_block(g, "loaded");
    LLVMValueRef s = LLVMBuildSwitch(g->b, param_dtype(g, AT(in_dtype)), wide, DT_COUNT);
    gen_place(g, done);
    LLVMValueRef index = LLVMBuildPhi(g->b, i64_type(g), "");
    for (enum ufc_dtype d = 0; d < DT_COUNT; d++) {
        if (!is_integer(d) || d == DT_UINT64)
            continue;
        LLVMBasicBlockRef own = d == DT_INT64 ? wide : gen_block(g, dtype_info[d].name);
        if (own != wide)
            LLVMAddCase(s, i32(g, (uint32_t)d), own);
        gen_place(g, own);
        LLVMValueRef v =
            LLVMBuildIntCast2(g->b, load_element(g, d, at), i64_type(g), is_signed(d), "");
        LLVMAddIncoming(index, &v, &own, 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    return index;
}

static void note_index(struct gen *g, LLVMAtomicRMWBinOp op, size_t word, LLVMValueRef v) {
    LLVMValueRef at = add(g, param_i64(g, AT(carry)), i64(g, 8 * word));
    LLVMBuildAtomicRMW(g->b, op, global_pointer(g, at), v, LLVMAtomicOrderingMonotonic, false);
}

/* Makes the key of index number `t`. */
static void make_key(struct fold *f, LLVMValueRef t) {
    struct gen *g = f->g;
    LLVMValueRef at, line = param_i64(g, AT(in)), rows = param_i64(g, AT(rows));
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, t, param_i64(g, AT(length))));
    fold_find_element(f, t, &line, &at, 1);
    LLVMValueRef index = load_index(g, at);
    LLVMValueRef negative = compare(g, LLVMIntSLT, index, i64(g, 0));
    LLVMValueRef row = add(g, index, gen_select(g, negative, rows, i64(g, 0)));
    LLVMBasicBlockRef outside = begin_if(g, compare(g, LLVMIntUGE, row, rows));
    note_index(g, LLVMAtomicRMWBinOpMin, 0, index);
    note_index(g, LLVMAtomicRMWBinOpMax, 1, index);
    end_if(g, outside);
    LLVMBasicBlockRef alone = gen_block(g, "alone"), numbered = gen_block(g, "numbered");
    LLVMBuildCondBr(g->b, is_set(g, param_i32(g, AT(joins))), alone, numbered);
    gen_place(g, alone);
    store_element(g, DT_UINT32, LLVMBuildTrunc(g->b, row, i32_type(g), ""),
                  add(g, param_i64(g, AT(keys)), multiply(g, t, i64(g, 4))));
    LLVMBuildBr(g->b, end);
    gen_place(g, numbered);
    LLVMValueRef key = LLVMBuildShl(g->b, row, param_i64(g, AT(shift)), "");
    store_element(g, DT_UINT64, LLVMBuildOr(g->b, key, t, ""), key_at(g, t));
    end_if(g, end);
}

/* ---- SORT: passes */

/* The two keys that thread `t` of a pass compares: in runs of `merged` keys those that are
 * `distance` apart, or, in a run's first pass, as far from its begin as from its end.  i32 all. */
static void find_pair(struct gen *g, LLVMValueRef t, LLVMValueRef merged, LLVMValueRef distance,
                      LLVMValueRef pair[2]) {
    LLVMValueRef two = LLVMBuildShl(g->b, distance, i32(g, 1), "");
    LLVMValueRef place = both(g, t, subtract(g, distance, i32(g, 1)));
    LLVMValueRef begin = LLVMBuildShl(g->b, subtract(g, t, place), i32(g, 1), "");
    LLVMValueRef mirrored = subtract(g, subtract(g, two, i32(g, 1)), place);
    LLVMValueRef first = compare(g, LLVMIntEQ, two, merged);
    pair[0] = add(g, begin, place);
    pair[1] = add(g, begin, gen_select(g, first, mirrored, add(g, place, distance)));
}

static void order_keys(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = LLVMBuildLoad2(g->b, i64_type(g), a, "");
    LLVMValueRef y = LLVMBuildLoad2(g->b, i64_type(g), b, "");
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, x, y));
    LLVMBuildStore(g->b, y, a);
    LLVMBuildStore(g->b, x, b);
    end_if(g, after);
}

/* A pass over keys in memory.  What would be behind the last one is above all. */
static void order_in_memory(struct gen *g, LLVMValueRef t, LLVMValueRef merged) {
    LLVMValueRef pair[2], distance = param_i64(g, AT(stride));
    find_pair(g, t, merged, LLVMBuildTrunc(g->b, distance, i32_type(g), ""), pair);
    LLVMValueRef other = extended(g, pair[1]);
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, other, param_i64(g, AT(length))));
    order_keys(g, global_pointer(g, key_at(g, extended(g, pair[0]))),
               global_pointer(g, key_at(g, other)));
    end_if(g, end);
}

/* Key `index`, i32, of the block's. */
static LLVMValueRef shared_key(struct gen *g, LLVMValueRef keys, LLVMValueRef index) {
    return fold_shared_at(g, keys, i64_type(g), index);
}

/* Copies the block's keys to shared memory, or back. */
static void copy_keys(struct gen *g, LLVMValueRef keys, LLVMValueRef thread, bool back) {
    LLVMValueRef first = multiply(g, gpu(g)->id(g, BLOCK_ID), i32(g, UFC_SORT_KEYS));
    for (uint32_t k = 0; k < UFC_SORT_KEYS; k += BLOCK_THREADS) {
        LLVMValueRef own = add(g, thread, i32(g, k)), index = extended(g, add(g, first, own));
        LLVMValueRef there = compare(g, LLVMIntULT, index, param_i64(g, AT(length)));
        LLVMValueRef near = shared_key(g, keys, own);
        if (!back)
            LLVMBuildStore(g->b, i64(g, UINT64_MAX), near);
        LLVMBasicBlockRef after = begin_if(g, there);
        LLVMValueRef far = global_pointer(g, key_at(g, index));
        LLVMValueRef v = LLVMBuildLoad2(g->b, i64_type(g), back ? near : far, "");
        LLVMBuildStore(g->b, v, back ? far : near);
        end_if(g, after);
    }
}

/* All passes of a merge over distances from `distance` down, of the block's keys. */
static void merge_block(struct gen *g, LLVMValueRef keys, LLVMValueRef thread, LLVMValueRef merged,
                        LLVMValueRef distance) {
    struct loop l;
    loop_begin(g, &l, 1, &distance);
    l.keep = true;
    loop_while(g, &l, is_set(g, l.phi[0]));
    for (uint32_t k = 0; k < UFC_SORT_KEYS / 2; k += BLOCK_THREADS) {
        LLVMValueRef pair[2];
        find_pair(g, add(g, thread, i32(g, k)), merged, l.phi[0], pair);
        order_keys(g, shared_key(g, keys, pair[0]), shared_key(g, keys, pair[1]));
    }
    gpu(g)->barrier(g);
    LLVMValueRef next = LLVMBuildLShr(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
}

/* Merges runs of the block's keys, beginning with those of `merged`, until it is one run. */
static void order_in_block(struct gen *g, LLVMValueRef thread, LLVMValueRef merged) {
    LLVMValueRef keys = shared_array(g, i64_type(g), UFC_SORT_KEYS, 8, "keys");
    copy_keys(g, keys, thread, false);
    gpu(g)->barrier(g);
    struct loop l;
    loop_begin(g, &l, 2, (LLVMValueRef[]){merged, LLVMConstInt(i1_type(g), 1, false)});
    l.keep = true;
    loop_while(g, &l, l.phi[1]);
    LLVMValueRef half = LLVMBuildLShr(g->b, l.phi[0], i32(g, 1), "");
    LLVMValueRef most = i32(g, UFC_SORT_KEYS / 2);
    half = gen_select(g, compare(g, LLVMIntULT, half, most), half, most);
    merge_block(g, keys, thread, l.phi[0], half);
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], i32(g, 1), "");
    LLVMValueRef more = compare(g, LLVMIntULE, l.phi[0], most); /* next may wrap */
    loop_end(g, &l, (LLVMValueRef[]){next, more});
    copy_keys(g, keys, thread, true);
}

void gen_sort_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef merged = LLVMBuildTrunc(g->b, param_i64(g, AT(steps)), i32_type(g), "");
    LLVMValueRef far = compare(g, LLVMIntUGE, param_i64(g, AT(stride)), i64(g, UFC_SORT_KEYS));
    LLVMBasicBlockRef keys = gen_block(g, "keys"), passes = gen_block(g, "passes"),
                      memory = gen_block(g, "memory"), block = gen_block(g, "block"),
                      end = gen_block(g, "end");
    LLVMValueRef number = gen_thread_number(g);
    LLVMBuildCondBr(g->b, is_set(g, merged), passes, keys);
    gen_place(g, keys);
    make_key(f, extended(g, number));
    LLVMBuildBr(g->b, end);
    gen_place(g, passes);
    LLVMBuildCondBr(g->b, far, memory, block);
    gen_place(g, memory);
    order_in_memory(g, number, merged);
    LLVMBuildBr(g->b, end);
    gen_place(g, block);
    order_in_block(g, gpu(g)->id(g, THREAD_ID), merged);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
}

/* ---- AT */

/* i1: key `index` is one of the row's. */
static LLVMValueRef is_of_row(struct gen *g, LLVMValueRef index, LLVMValueRef row) {
    LLVMValueRef n = param_i64(g, AT(length));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, index, n));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef own = row_of(g, load_element(g, DT_UINT64, key_at(g, index)));
    LLVMValueRef is = compare(g, LLVMIntEQ, own, row);
    end_if(g, after);
    return phi2(g, here, LLVMConstNull(i1_type(g)), then, is);
}

/* The row's first key, at or before `index`, which is one of its. */
static LLVMValueRef first_of_row(struct gen *g, LLVMValueRef index, LLVMValueRef row) {
    struct loop l; /* keys before phi[0] are of other rows, that at phi[1] is not */
    loop_begin(g, &l, 2, (LLVMValueRef[]){i64(g, 0), index});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], l.phi[1]));
    LLVMValueRef middle = LLVMBuildLShr(g->b, add(g, l.phi[0], l.phi[1]), i64(g, 1), "");
    LLVMValueRef is = is_of_row(g, middle, row);
    LLVMValueRef next = add(g, middle, i64(g, 1));
    loop_end(
        g, &l,
        (LLVMValueRef[]){gen_select(g, is, l.phi[0], next), gen_select(g, is, middle, l.phi[1])});
    return l.phi[0];
}

/* What a thread has of a row: it begins at key `index`. */
struct part {
    LLVMValueRef row, index, first; /* of the row: i64 */
    LLVMValueRef leads, is_long;    /* i1: index is first; the row is cut into pieces */
};

/* i1: a piece begins at key `index`, if rows are cut into pieces. */
static LLVMValueRef at_piece(struct gen *g, LLVMValueRef index) {
    LLVMValueRef within = both(g, index, subtract(g, param_i64(g, AT(piece)), i64(g, 1)));
    return both(g, is_set(g, param_i64(g, AT(steps))), gen_not(g, is_set(g, within)));
}

/* Where a piece begins without leading, the row's first key is to be found.  No other part that
 * does not lead needs it. */
static struct part find_part(struct gen *g, LLVMValueRef index) {
    LLVMValueRef key = load_element(g, DT_UINT64, key_at(g, index));
    struct part p = {.row = row_of(g, key), .index = index};
    LLVMValueRef before = subtract(g, index, i64(g, 1)); /* of the first key: behind all */
    p.leads = gen_not(g, is_of_row(g, before, p.row));
    LLVMValueRef follows = both(g, at_piece(g, index), gen_not(g, p.leads));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, follows);
    LLVMValueRef first = first_of_row(g, index, p.row);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    p.first = phi2(g, here, index, then, first);
    LLVMValueRef limit = param_i64(g, AT(steps));
    p.is_long = both(g, is_set(g, limit), is_of_row(g, add(g, p.first, limit), p.row));
    return p;
}

/* The piece that key `index` is in.  A division would call a function, and spill around it. */
static LLVMValueRef piece_of(struct gen *g, LLVMValueRef index) {
    return LLVMBuildLShr(g->b, index, trailing_zeros(g, param_i64(g, AT(piece))), "");
}

/* The element of `carry` for a piece of the thread's line. */
static LLVMValueRef piece_at(struct fold *f, LLVMValueRef piece) {
    struct gen *g = f->g;
    LLVMValueRef index = add(g, multiply(g, piece, f->lines), f->line);
    LLVMValueRef size = i64(g, (unsigned)dtype_info[f->d].bits / 8);
    return add(g, param_i64(g, AT(carry)), multiply(g, index, size));
}

/* Reduces a part from its begin up to the row's end, or the piece's; to the row's element, or,
 * where others lead the row, to `carry`. */
static void reduce_part(struct fold *f, const struct part *p, LLVMValueRef *line) {
    struct gen *g = f->g;
    LLVMValueRef piece = param_i64(g, AT(piece)), n = param_i64(g, AT(length)), at[3];
    LLVMValueRef number = piece_of(g, p->index);
    LLVMValueRef end = multiply(g, add(g, number, i64(g, 1)), piece);
    LLVMValueRef ones =
        subtract(g, LLVMBuildShl(g->b, i64(g, 1), param_i64(g, AT(shift)), ""), i64(g, 1));
    end = gen_select(g, p->is_long, least(g, end, n), n);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, p->leads);
    LLVMValueRef v = load_element(g, f->d, line[OUT]);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    v = phi2(g, here, LLVMConstNull(gen_type(g, f->d)), then, v);
    struct loop l;
    loop_begin(g, &l, 3, (LLVMValueRef[]){p->index, v, p->leads});
    l.keep = true;
    loop_while(g, &l,
               both(g, compare(g, LLVMIntULT, l.phi[0], end), is_of_row(g, l.phi[0], p->row)));
    LLVMValueRef key = load_element(g, DT_UINT64, key_at(g, l.phi[0]));
    fold_find_element(f, both(g, key, ones), line, at, 1);
    struct acc acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], line[WHERE]);
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i64(g, 1)), acc.value, acc.has});
    LLVMBasicBlockRef lead = gen_block(g, "lead"), follow = gen_block(g, "follow"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, p->leads, lead, follow);
    gen_place(g, lead);
    store_element(g, f->d, l.phi[1], line[OUT]);
    LLVMBuildBr(g->b, done);
    gen_place(g, follow);
    store_element(g, f->d, l.phi[1], piece_at(f, number));
    end_if(g, done);
}

/* Joins the pieces of a row from number `first` on to its element. */
static void join_pieces(struct fold *f, const struct part *p, LLVMValueRef first,
                        const LLVMValueRef *line) {
    struct gen *g = f->g;
    struct loop l;
    LLVMValueRef v = load_element(g, f->d, line[OUT]);
    loop_begin(g, &l, 2, (LLVMValueRef[]){first, v});
    l.keep = true;
    loop_while(g, &l, is_of_row(g, multiply(g, l.phi[0], param_i64(g, AT(piece))), p->row));
    v = fold_apply(f, l.phi[1], load_element(g, f->d, piece_at(f, l.phi[0])));
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i64(g, 1)), v});
    store_element(g, f->d, l.phi[1], line[OUT]);
}

void gen_at_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef number = gen_thread_number(g), lines = f->lines, line[3];
    LLVMValueRef all = multiply(g, lines, param_i64(g, AT(segments)));
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, extended(g, number), all));
    LLVMBasicBlockRef reduce = gen_block(g, "reduce"), join = gen_block(g, "join");
    lines = LLVMBuildTrunc(g->b, lines, i32_type(g), "");
    f->segment = extended(g, LLVMBuildUDiv(g->b, number, lines, ""));
    f->line = extended(g, LLVMBuildURem(g->b, number, lines, ""));
    LLVMValueRef piece = param_i64(g, AT(piece));
    LLVMValueRef joins = is_set(g, param_i32(g, AT(joins)));
    LLVMValueRef index = gen_select(g, joins, multiply(g, f->segment, piece), f->segment);
    struct part p = find_part(g, index);
    fold_find_line(f, p.row, line);
    LLVMBuildCondBr(g->b, joins, join, reduce);
    gen_place(g, reduce);
    LLVMValueRef follows = both(g, at_piece(g, index), p.is_long);
    LLVMValueRef begins = LLVMBuildOr(g->b, p.leads, follows, "");
    LLVMBasicBlockRef after = begin_if(g, begins);
    reduce_part(f, &p, line);
    end_if(g, after);
    LLVMBuildBr(g->b, end);
    gen_place(g, join);
    LLVMValueRef near = compare(g, LLVMIntULE, subtract(g, index, p.first), piece);
    after = begin_if(g, both(g, both(g, p.is_long, near), gen_not(g, p.leads)));
    join_pieces(f, &p, f->segment, line);
    end_if(g, after);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
}
