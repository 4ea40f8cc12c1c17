/* rows.c: the GPU kernel ROWS.  A thread has a few neighbouring rows, and of each a piece along the
 * fastest axis; of two rows the pieces are loaded before either is used.  Whether an operand's
 * pieces are read in one access or element by element is the same for all threads. */
#include "ufunc.h"

enum { MAX_WIDTH = 16, AT_ONCE = 2 };

struct rows {
    struct kernel *k;
    int width, at_once; /* elements of a piece; rows whose pieces are loaded at once */
    LLVMValueRef scalars, wide, backward;   /* i32, a bit an operand: struct ufc_kparam_pieces */
    LLVMValueRef row[UFC_MAX_OPERANDS];     /* address of the piece in the current row */
    LLVMValueRef between[UFC_MAX_OPERANDS]; /* bytes from one of the piece's elements to the next */
    LLVMValueRef *piece;                    /* slots of the inputs' pieces there, */
    LLVMValueRef pieces[AT_ONCE][UFC_MAX_OPERANDS]; /* of those of each row */
};

/* The address of the element that is j (i64) elements of the piece behind the one at `first`. */
static LLVMValueRef behind(struct rows *r, int operand, LLVMValueRef first, LLVMValueRef j) {
    struct gen *g = r->k->g;
    return add(g, first, multiply(g, j, r->between[operand]));
}

static LLVMValueRef element_address(struct rows *r, int operand, LLVMValueRef j) {
    return behind(r, operand, r->row[operand], j);
}

/* ---- ways to load an input's piece */

static LLVMValueRef load_one(struct rows *r, int operand) {
    return splat_piece(r->k, operand, r->width, load_input(r->k, operand, r->row[operand]));
}

/* Loads a piece in one access, from its last element on where it goes backward in memory. */
static LLVMValueRef load_wide(struct rows *r, int operand) {
    struct gen *g = r->k->g;
    LLVMValueRef last = element_address(r, operand, i64(g, (uint64_t)r->width - 1));
    LLVMValueRef backward = has_bit(r->k, r->backward, operand);
    return load_piece(r->k, operand, r->width, gen_select(g, backward, last, r->row[operand]));
}

/* A piece rotated by ROWS_GROUP elements: the first ones come last. */
static LLVMValueRef rotated(struct rows *r, LLVMValueRef piece) {
    struct gen *g = r->k->g;
    int n = (int)LLVMGetVectorSize(LLVMTypeOf(piece)), by = n * ROWS_GROUP / r->width;
    LLVMValueRef from[MAX_WIDTH];
    for (int i = 0; i < n; i++)
        from[i] = i32(g, (uint32_t)((i + by) % n));
    return LLVMBuildShuffleVector(g->b, piece, piece, LLVMConstVector(from, (unsigned)n), "");
}

/* Calls `group` for the piece's groups of ROWS_GROUP elements in a loop, which rotates the piece so
 * that each group is at its end or its beginning in turn: unrolled, it would take more registers.
 */
static LLVMValueRef each_group(struct rows *r, int operand, LLVMValueRef piece,
                               LLVMValueRef (*group)(struct rows *r, int operand,
                                                     LLVMValueRef piece, LLVMValueRef first)) {
    struct gen *g = r->k->g;
    LLVMValueRef start[] = {i32(g, 0), piece, r->row[operand]};
    if (r->width <= ROWS_GROUP)
        return group(r, operand, piece, r->row[operand]);
    struct loop l;
    loop_begin(g, &l, 3, start);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)r->width)));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, ROWS_GROUP)),
                           group(r, operand, l.phi[1], l.phi[2]),
                           behind(r, operand, l.phi[2], i64(g, ROWS_GROUP))};
    loop_end(g, &l, next);
    return l.phi[1];
}

static LLVMValueRef load_group(struct rows *r, int operand, LLVMValueRef piece,
                               LLVMValueRef first) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    LLVMValueRef v[ROWS_GROUP];
    int n = r->width < ROWS_GROUP ? r->width : ROWS_GROUP;
    for (int j = 0; j < n; j++)
        v[j] = load_element(g, operand_dtype(k, operand),
                            behind(r, operand, first, i64(g, (uint64_t)j)));
    if (r->width > ROWS_GROUP)
        piece = rotated(r, piece);
    for (int j = 0; j < n; j++)
        piece = into_piece(k, operand, r->width, piece, r->width - n + j, v[j]);
    return piece;
}

static LLVMValueRef load_each(struct rows *r, int operand) {
    LLVMValueRef none = LLVMConstNull(piece_type(r->k, operand, r->width));
    return each_group(r, operand, none, load_group);
}

static void load_row(struct rows *r, int operand) {
    struct gen *g = r->k->g;
    const struct {
        LLVMValueRef bits;
        LLVMValueRef (*load)(struct rows *r, int operand);
    } ways[] = {{r->scalars, load_one},
                {LLVMBuildOr(g->b, r->wide, r->backward, ""), load_wide},
                {NULL, load_each}};
    LLVMBasicBlockRef done = gen_block(g, "loaded");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        LLVMBasicBlockRef other = NULL;
        if (ways[i].bits != NULL)
            other = begin_if(g, has_bit(r->k, ways[i].bits, operand));
        LLVMBuildStore(g->b, ways[i].load(r, operand), r->piece[operand]);
        LLVMBuildBr(g->b, done);
        gen_place(g, other != NULL ? other : done);
    }
}

static void reverse(struct rows *r, int operand) {
    struct kernel *k = r->k;
    LLVMTypeRef type = piece_type(k, operand, r->width);
    LLVMValueRef loaded = LLVMBuildLoad2(k->g->b, type, r->piece[operand], "");
    LLVMValueRef piece = LLVMConstNull(type);
    for (int j = 0; j < r->width; j++) {
        LLVMValueRef v = from_piece(k, operand, r->width, loaded, r->width - 1 - j);
        piece = into_piece(k, operand, r->width, piece, j, v);
    }
    LLVMBuildStore(k->g->b, piece, r->piece[operand]);
}

/* ---- a row's piece */

static LLVMValueRef store_group(struct rows *r, int operand, LLVMValueRef piece,
                                LLVMValueRef first) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    for (int j = 0; j < r->width && j < ROWS_GROUP; j++)
        store_element(g, operand_dtype(k, operand), from_piece(k, operand, r->width, piece, j),
                      behind(r, operand, first, i64(g, (uint64_t)j)));
    return r->width > ROWS_GROUP ? rotated(r, piece) : piece;
}

static void store_row(struct rows *r, int operand, LLVMValueRef *v) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    LLVMBasicBlockRef done = gen_block(g, "stored");
    LLVMValueRef piece = LLVMConstNull(piece_type(k, operand, r->width));
    for (int j = 0; j < r->width; j++)
        piece = into_piece(k, operand, r->width, piece, j, v[j]);
    LLVMBasicBlockRef other = begin_if(g, has_bit(k, r->wide, operand));
    store_piece(k, operand, r->width, piece, r->row[operand]);
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
    each_group(r, operand, piece, store_group);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Element j of an input's piece, for an index j (i32) that is no constant. */
static LLVMValueRef pick(struct rows *r, int operand, LLVMValueRef piece, LLVMValueRef j) {
    struct gen *g = r->k->g;
    LLVMValueRef v = from_piece(r->k, operand, r->width, piece, 0);
    for (int i = 1; i < r->width; i++)
        v = gen_select(g, compare(g, LLVMIntEQ, j, i32(g, (uint32_t)i)),
                       from_piece(r->k, operand, r->width, piece, i), v);
    return v;
}

/* Calls the body for one element after the other, in a loop, so that a large one is there once. */
static void compute_one_by_one(struct rows *r, LLVMValueRef *pieces,
                               LLVMValueRef (*results)[MAX_WIDTH]) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef slot[UFC_MAX_OPERANDS][MAX_WIDTH], first = i32(g, 0);
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
    struct loop l;
    for (int i = p->nin; i < p->noperands; i++)
        for (int j = 0; j < r->width; j++)
            slot[i][j] = gen_alloca(g, gen_type(g, operand_dtype(k, i)), "result");
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)r->width)));
    for (int i = 0; i < p->nin; i++)
        inputs[i] = pick(r, i, pieces[i], l.phi[0]);
    call_element(k, inputs, outputs, NULL);
    for (int i = p->nin; i < p->noperands; i++)
        for (int j = 0; j < r->width; j++) {
            LLVMValueRef own = compare(g, LLVMIntEQ, l.phi[0], i32(g, (uint32_t)j));
            LLVMValueRef v = LLVMBuildLoad2(g->b, LLVMTypeOf(outputs[i]), slot[i][j], "");
            LLVMBuildStore(g->b, gen_select(g, own, outputs[i], v), slot[i][j]);
        }
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
    for (int i = p->nin; i < p->noperands; i++)
        for (int j = 0; j < r->width; j++)
            results[i][j] = LLVMBuildLoad2(g->b, LLVMTypeOf(outputs[i]), slot[i][j], "");
}

static void compute(struct rows *r, LLVMValueRef *pieces, LLVMValueRef (*results)[MAX_WIDTH]) {
    struct kernel *k = r->k;
    const struct plan *p = k->g->plan;
    for (int j = 0; j < r->width; j++) {
        LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
        for (int i = 0; i < p->nin; i++)
            inputs[i] = from_piece(k, i, r->width, pieces[i], j);
        call_element(k, inputs, outputs, NULL);
        for (int i = p->nin; i < p->noperands; i++)
            results[i][j] = outputs[i];
    }
}

/* Has row number `turn` of those at once be the current one. */
static void set_row(struct rows *r, const LLVMValueRef *first, int turn) {
    struct gen *g = r->k->g;
    r->piece = r->pieces[turn];
    for (int i = 0; i < g->plan->noperands; i++) {
        LLVMValueRef behind_first = multiply(g, load_stride(r->k, i, 1), i64(g, (uint64_t)turn));
        r->row[i] = turn > 0 ? add(g, first[i], behind_first) : first[i];
    }
}

/* Loads the inputs' pieces of the current row that are not kept: i32, a bit each. */
static void load_pieces(struct rows *r, LLVMValueRef kept) {
    struct gen *g = r->k->g;
    for (int i = 0; i < g->plan->nin; i++) {
        LLVMBasicBlockRef after = begin_if(g, LLVMBuildNot(g->b, has_bit(r->k, kept, i), ""));
        load_row(r, i);
        end_if(g, after);
    }
}

static void reverse_pieces(struct rows *r, LLVMValueRef kept) {
    struct gen *g = r->k->g;
    LLVMValueRef to_reverse = both(g, r->backward, LLVMBuildNot(g->b, kept, ""));
    for (int i = 0; i < g->plan->nin && r->width > 1; i++) {
        LLVMBasicBlockRef after = begin_if(g, has_bit(r->k, to_reverse, i));
        reverse(r, i);
        end_if(g, after);
    }
}

static void compute_row(struct rows *r) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef pieces[UFC_MAX_OPERANDS], results[UFC_MAX_OPERANDS][MAX_WIDTH];
    for (int i = 0; i < p->nin; i++)
        pieces[i] = LLVMBuildLoad2(g->b, piece_type(k, i, r->width), r->piece[i], "");
    (is_large(k) ? compute_one_by_one : compute)(r, pieces, results);
    for (int i = p->nin; i < p->noperands; i++)
        store_row(r, i, results[i]);
}

/* So many rows (i32) at once, at_once or fewer, in which the thread has `width` elements;
 * all are loaded before the first is used.  before, within: i32, bits of the inputs whose pieces
 * are those of the row before, of the first row and of others. */
static void gen_whole(struct rows *r, LLVMValueRef n, LLVMValueRef before, LLVMValueRef within) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef first[UFC_MAX_OPERANDS], is_row[AT_ONCE];
    for (int i = 0; i < p->noperands; i++)
        first[i] = r->row[i];
    for (int turn = 0; turn < r->at_once; turn++) {
        is_row[turn] = compare(g, LLVMIntUGT, n, i32(g, (uint32_t)turn));
        set_row(r, first, turn);
        LLVMBasicBlockRef after = turn > 0 ? begin_if(g, is_row[turn]) : NULL;
        load_pieces(r, turn > 0 ? within : before);
        if (after != NULL)
            end_if(g, after);
    }
    for (int turn = 0; turn < r->at_once; turn++) {
        set_row(r, first, turn);
        LLVMBasicBlockRef after = turn > 0 ? begin_if(g, is_row[turn]) : NULL;
        reverse_pieces(r, turn > 0 ? within : before);
        for (int i = 0; turn > 0 && i < p->nin; i++) {
            LLVMBasicBlockRef same = begin_if(g, has_bit(k, within, i));
            LLVMTypeRef type = piece_type(k, i, r->width);
            LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, type, r->pieces[0][i], ""), r->piece[i]);
            end_if(g, same);
        }
        compute_row(r);
        if (after != NULL)
            end_if(g, after);
    }
}

/* The thread's elements at the end of a row, fewer than `width`, one by one: from index x on,
 * `step` apart, below `size`; all i32. */
static void gen_tail(struct rows *r, LLVMValueRef x, LLVMValueRef step, LLVMValueRef size) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
    LLVMValueRef first[] = {x, i64(g, 0)};
    struct loop l;
    loop_begin(g, &l, 2, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], size));
    for (int i = 0; i < p->nin; i++)
        inputs[i] = load_input(k, i, element_address(r, i, l.phi[1]));
    call_element(k, inputs, outputs, NULL);
    for (int i = p->nin; i < p->noperands; i++)
        store_element(g, operand_dtype(k, i), outputs[i], element_address(r, i, l.phi[1]));
    LLVMValueRef next[] = {add(g, l.phi[0], step), add(g, l.phi[1], i64(g, 1))};
    loop_end(g, &l, next);
}

/* ---- the kernel */

void gen_rows_kernel(struct kernel *k) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    struct rows r = {.k = k, .width = vector_width(p), .at_once = is_large(k) ? 1 : AT_ONCE};
    struct place place;
    struct loop l;
    LLVMValueRef n = param_i64(g, offsetof(struct ufc_kparam_head, n));
    LLVMValueRef index = gen_thread_number(g);
    guard(g, compare(g, LLVMIntULT, index, LLVMBuildTrunc(g->b, n, i32_type(g), "")));
    r.scalars = param_i32(g, offsetof(struct ufc_kparam_head, scalars));
    r.wide = load_piece_param(k, offsetof(struct ufc_kparam_pieces, wide));
    r.backward = load_piece_param(k, offsetof(struct ufc_kparam_pieces, backward));
    LLVMValueRef kept = load_piece_param(k, offsetof(struct ufc_kparam_pieces, kept));
    LLVMValueRef step = load_piece_param(k, offsetof(struct ufc_kparam_pieces, step));
    LLVMValueRef size = load_piece_param(k, offsetof(struct ufc_kparam_pieces, size));
    LLVMValueRef all =
        load_piece_param(k, offsetof(struct ufc_kparam_pieces, size) + sizeof(uint32_t));
    LLVMValueRef rows = load_piece_param(k, offsetof(struct ufc_kparam_pieces, rows));
    LLVMValueRef scale[] = {load_piece_param(k, offsetof(struct ufc_kparam_pieces, first)), rows};
    find_place(k, index, scale, &place);
    LLVMValueRef left = subtract(g, all, place.along[1]);
    rows = gen_select(g, compare(g, LLVMIntULT, left, rows), left, rows);
    for (int i = 0; i < p->noperands; i++)
        r.between[i] = multiply(g, extended(g, step), load_stride(k, i, 0));
    for (int turn = 0; turn < r.at_once; turn++)
        for (int i = 0; i < p->nin; i++)
            r.pieces[turn][i] = gen_alloca(g, piece_type(k, i, r.width), "piece");
    LLVMValueRef last = multiply(g, step, i32(g, (uint32_t)r.width - 1));
    LLVMValueRef is_whole = compare(g, LLVMIntULT, add(g, place.along[0], last), size);

    /* Where each row loads nothing of its own but an element, one is enough. */
    LLVMValueRef inputs = i32(g, (1u << p->nin) - 1), few = LLVMBuildOr(g->b, kept, r.scalars, "");
    LLVMValueRef loads = both(g, inputs, LLVMBuildNot(g->b, few, ""));
    LLVMValueRef most = gen_select(g, compare(g, LLVMIntNE, loads, i32(g, 0)),
                                   i32(g, (uint32_t)r.at_once), i32(g, 1));
    LLVMValueRef first[] = {rows, i32(g, 0)}, row[UFC_MAX_OPERANDS], at[UFC_MAX_OPERANDS];
    for (int i = 0; i < p->noperands; i++) {
        row[i] = gen_alloca(g, i64_type(g), "row");
        LLVMBuildStore(g->b, place.address[i], row[i]);
    }
    loop_begin(g, &l, 2, first); /* rows left; bits of the pieces that are kept */
    loop_while(g, &l, compare(g, LLVMIntNE, l.phi[0], i32(g, 0)));
    for (int i = 0; i < p->noperands; i++)
        at[i] = r.row[i] = LLVMBuildLoad2(g->b, i64_type(g), row[i], "");
    LLVMBasicBlockRef whole = gen_block(g, "whole"), tail = gen_block(g, "tail");
    LLVMBasicBlockRef done = gen_block(g, "row");
    LLVMBuildCondBr(g->b, is_whole, whole, tail);
    gen_place(g, whole);
    LLVMValueRef taken = gen_select(g, compare(g, LLVMIntULT, l.phi[0], most), l.phi[0], most);
    gen_whole(&r, taken, l.phi[1], kept);
    LLVMBasicBlockRef behind_whole = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    gen_place(g, tail);
    set_row(&r, at, 0);
    gen_tail(&r, place.along[0], step, size);
    LLVMBasicBlockRef behind_tail = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    taken = phi2(g, behind_whole, taken, behind_tail, i32(g, 1));
    for (int i = 0; i < p->noperands; i++) {
        LLVMValueRef by = multiply(g, extended(g, taken), load_stride(k, i, 1));
        LLVMBuildStore(g->b, add(g, at[i], by), row[i]);
    }
    LLVMValueRef next[] = {subtract(g, l.phi[0], taken), kept};
    loop_end(g, &l, next);
    LLVMBuildRetVoid(g->b);
}
