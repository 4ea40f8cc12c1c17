/* at.c: the kernel AT, which reduces what comes to a row, by keys that SORT has sorted. */
#include "fold.h"

/* ---- keys */

/* Key `index`, i64, in memory. */
static LLVMValueRef key_at(struct gen *g, LLVMValueRef index) {
    return add(g, param_i64(g, AT(keys)), multiply(g, index, i64(g, 8)));
}

static LLVMValueRef load_key(struct gen *g, LLVMValueRef index) {
    return load_element(g, DT_UINT64, key_at(g, index));
}

/* The number of a key's index, which is its element's too. */
static LLVMValueRef number_of(struct gen *g, LLVMValueRef key) {
    LLVMValueRef end = LLVMBuildShl(g->b, i64(g, 1), param_i64(g, AT(shift)), "");
    return both(g, key, subtract(g, end, i64(g, 1)));
}

static LLVMValueRef row_of(struct gen *g, LLVMValueRef key) {
    return LLVMBuildLShr(g->b, key, param_i64(g, AT(shift)), "");
}

/* i1: key `index` is one of the row's. */
static LLVMValueRef is_of_row(struct gen *g, LLVMValueRef index, LLVMValueRef row) {
    LLVMValueRef n = param_i64(g, AT(length));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, index, n));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef own = row_of(g, load_key(g, index));
    LLVMValueRef is = compare(g, LLVMIntEQ, own, row);
    end_if(g, after);
    return phi2(g, here, LLVMConstNull(i1_type(g)), then, is);
}

/* The first of the keys before `end` that is of the row or of later ones; `end`: none is. */
static LLVMValueRef first_from(struct gen *g, LLVMValueRef row, LLVMValueRef end) {
    struct loop l; /* keys before phi[0] are of earlier rows, that at phi[1] is not */
    loop_begin(g, &l, 2, (LLVMValueRef[]){i64(g, 0), end});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], l.phi[1]));
    LLVMValueRef middle = LLVMBuildLShr(g->b, add(g, l.phi[0], l.phi[1]), i64(g, 1), "");
    LLVMValueRef before = compare(g, LLVMIntULT, row_of(g, load_key(g, middle)), row);
    LLVMValueRef next = add(g, middle, i64(g, 1));
    loop_end(g, &l,
             (LLVMValueRef[]){gen_select(g, before, next, l.phi[0]),
                              gen_select(g, before, l.phi[1], middle)});
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
    LLVMValueRef key = load_key(g, index);
    struct part p = {.row = row_of(g, key), .index = index};
    LLVMValueRef before = subtract(g, index, i64(g, 1)); /* of the first key: behind all */
    p.leads = gen_not(g, is_of_row(g, before, p.row));
    LLVMValueRef follows = both(g, at_piece(g, index), gen_not(g, p.leads));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, follows);
    LLVMValueRef first = first_from(g, p.row, index);
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

/* Joins acc and the elements of a row's keys from *k on, FOLD_AHEAD at a time as long as there are
 * so many before `end`: all of these are loaded before the first is used.  *k becomes the first key
 * that is left. */
static struct acc take_ahead(struct fold *f, const struct part *p, struct acc acc,
                             const LLVMValueRef *line, LLVMValueRef *k, LLVMValueRef end) {
    struct gen *g = f->g;
    if (body_size(f->element) > SMALL_BODY)
        return acc;
    LLVMValueRef key[FOLD_AHEAD], x[FOLD_AHEAD], last = subtract(g, end, i64(g, 1));
    struct loop l;
    loop_begin(g, &l, 3, (LLVMValueRef[]){*k, acc.value, acc.has});
    l.keep = true;
    LLVMValueRef next = add(g, l.phi[0], i64(g, FOLD_AHEAD));
    for (uint64_t i = 0; i < FOLD_AHEAD; i++)
        key[i] = load_key(g, least(g, add(g, l.phi[0], i64(g, i)), last));
    LLVMValueRef are = compare(g, LLVMIntEQ, row_of(g, key[FOLD_AHEAD - 1]), p->row);
    are = both(g, are, compare(g, LLVMIntSLE, next, end));
    loop_while(g, &l, both(g, are, fold_lies_straight(f)));
    for (int i = 0; i < FOLD_AHEAD; i++) {
        LLVMValueRef apart = multiply(g, number_of(g, key[i]), param_i64(g, AT(in_inner)));
        x[i] = load_element(g, f->d, add(g, line[IN], apart));
    }
    LLVMValueRef v = fold_apply_first(f, (struct acc){l.phi[1], l.phi[2]}, x[0]);
    for (int i = 1; i < FOLD_AHEAD; i++)
        v = fold_apply(f, v, x[i]);
    loop_end(g, &l, (LLVMValueRef[]){next, v, LLVMConstInt(i1_type(g), 1, false)});
    *k = l.phi[0];
    return (struct acc){l.phi[1], l.phi[2]};
}

/* The same of all keys of the row before `end`. */
static LLVMValueRef take_keys(struct fold *f, const struct part *p, struct acc acc,
                              LLVMValueRef *line, LLVMValueRef end) {
    struct gen *g = f->g;
    LLVMValueRef at[3], k = p->index;
    acc = take_ahead(f, p, acc, line, &k, end);
    struct loop l;
    loop_begin(g, &l, 3, (LLVMValueRef[]){k, acc.value, acc.has});
    l.keep = true;
    loop_while(g, &l,
               both(g, compare(g, LLVMIntULT, l.phi[0], end), is_of_row(g, l.phi[0], p->row)));
    fold_find_element(f, number_of(g, load_key(g, l.phi[0])), line, at, 1);
    acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], line[WHERE]);
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i64(g, 1)), acc.value, acc.has});
    return l.phi[1];
}

/* Reduces a part from its begin up to the row's end, or the piece's; to the row's element, or,
 * where others lead the row, to `carry`. */
static void reduce_part(struct fold *f, const struct part *p, LLVMValueRef *line) {
    struct gen *g = f->g;
    LLVMValueRef n = param_i64(g, AT(length)), number = piece_of(g, p->index);
    LLVMValueRef end = multiply(g, add(g, number, i64(g, 1)), param_i64(g, AT(piece)));
    end = gen_select(g, p->is_long, least(g, end, n), n);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, p->leads);
    LLVMValueRef v = load_element(g, f->d, line[OUT]);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    v = phi2(g, here, LLVMConstNull(gen_type(g, f->d)), then, v);
    v = take_keys(f, p, (struct acc){v, p->leads}, line, end);
    LLVMBasicBlockRef lead = gen_block(g, "lead"), follow = gen_block(g, "follow"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, p->leads, lead, follow);
    gen_place(g, lead);
    store_element(g, f->d, v, line[OUT]);
    LLVMBuildBr(g->b, done);
    gen_place(g, follow);
    store_element(g, f->d, v, piece_at(f, number));
    end_if(g, done);
}

/* Joins the pieces of a row from number `first` on to its element.  Where the row ends is searched,
 * so that no key is loaded for each piece. */
static void join_pieces(struct fold *f, const struct part *p, LLVMValueRef first,
                        const LLVMValueRef *line) {
    struct gen *g = f->g;
    LLVMValueRef end = first_from(g, add(g, p->row, i64(g, 1)), param_i64(g, AT(length)));
    LLVMValueRef last = piece_of(g, subtract(g, end, i64(g, 1)));
    LLVMValueRef v = load_element(g, f->d, line[OUT]);
    struct loop l;
    loop_begin(g, &l, 2, (LLVMValueRef[]){first, v});
    loop_while(g, &l, compare(g, LLVMIntULE, l.phi[0], last));
    v = fold_apply(f, l.phi[1], load_element(g, f->d, piece_at(f, l.phi[0])));
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i64(g, 1)), v});
    store_element(g, f->d, l.phi[1], line[OUT]);
}

static LLVMValueRef does(struct gen *g, enum ufc_at_job job) {
    return compare(g, LLVMIntEQ, param_i32(g, AT(job)), i32(g, job));
}

/* The key that a thread begins at, by its number among those of its line.  ROWS: it may be that of
 * a later row; behind all: `length`. */
static LLVMValueRef find_begin(struct fold *f, LLVMValueRef by_row) {
    struct gen *g = f->g;
    LLVMValueRef by_key = does(g, UFC_AT_KEYS);
    LLVMValueRef piece = multiply(g, f->segment, param_i64(g, AT(piece)));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, by_row);
    LLVMValueRef found = first_from(g, f->segment, param_i64(g, AT(length)));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    LLVMValueRef other = phi2(g, here, piece, then, found);
    return gen_select(g, by_key, f->segment, other);
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
    LLVMValueRef by_row = does(g, UFC_AT_ROWS), piece = param_i64(g, AT(piece));
    LLVMValueRef index = find_begin(f, by_row);
    LLVMBasicBlockRef none = begin_if(g, compare(g, LLVMIntULT, index, param_i64(g, AT(length))));
    struct part p = find_part(g, index);
    fold_find_line(f, p.row, line);
    LLVMBuildCondBr(g->b, does(g, UFC_AT_JOIN), join, reduce);
    gen_place(g, reduce);
    LLVMValueRef others =
        LLVMBuildOr(g->b, gen_not(g, by_row), compare(g, LLVMIntEQ, p.row, f->segment), "");
    LLVMValueRef leads = both(g, both(g, p.leads, others), gen_not(g, does(g, UFC_AT_PIECES)));
    LLVMValueRef follows = both(g, both(g, at_piece(g, index), p.is_long), gen_not(g, p.leads));
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildOr(g->b, leads, follows, ""));
    reduce_part(f, &p, line);
    end_if(g, after);
    LLVMBuildBr(g->b, none);
    gen_place(g, join);
    LLVMValueRef near = compare(g, LLVMIntULE, subtract(g, index, p.first), piece);
    after = begin_if(g, both(g, both(g, p.is_long, near), gen_not(g, p.leads)));
    join_pieces(f, &p, f->segment, line);
    end_if(g, after);
    end_if(g, none);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
}
