/* rows.c: the GPU kernel ROWS.  A thread has a few neighbouring rows, and of each a piece along the
 * fastest axis; of two rows the pieces are loaded before either is used.  Whether an operand's
 * pieces are read in one access or element by element is the same for all threads. */
#include "ufunc.h"

enum { MAX_WIDTH = 16, AT_ONCE = 2 };

struct rows {
    struct kernel *k;
    int width;
    LLVMValueRef scalars, wide, backward;   /* i32, a bit an operand: struct ufc_kparam_pieces, */
    LLVMValueRef kept, before;              /* slot: those kept from the row before the next one */
    LLVMValueRef next[UFC_MAX_OPERANDS];    /* slots of the address of the piece in the next row */
    LLVMValueRef row[UFC_MAX_OPERANDS];     /* that in the current row */
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
    LLVMValueRef piece = LLVMConstNull(piece_type(k, operand, r->width));
    for (int j = 0; j < r->width; j++)
        piece = into_piece(k, operand, r->width, piece, j, v[j]);
    LLVMBasicBlockRef done = gen_block(g, "stored");
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

/* n rows in which the thread has `width` elements; all are loaded before the first is used.
 * before: i32, bits of the inputs whose pieces are those of the row before the first one. */
static void gen_whole(struct rows *r, LLVMValueRef before, int n) {
    struct kernel *k = r->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef first[UFC_MAX_OPERANDS];
    for (int i = 0; i < p->noperands; i++)
        first[i] = r->row[i];
    for (int turn = 0; turn < n; turn++) {
        set_row(r, first, turn);
        load_pieces(r, turn > 0 ? r->kept : before);
    }
    for (int turn = 0; turn < n; turn++) {
        set_row(r, first, turn);
        reverse_pieces(r, turn > 0 ? r->kept : before);
        for (int i = 0; turn > 0 && i < p->nin; i++) {
            LLVMBasicBlockRef same = begin_if(g, has_bit(k, r->kept, i));
            LLVMTypeRef type = piece_type(k, i, r->width);
            LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, type, r->pieces[0][i], ""), r->piece[i]);
            end_if(g, same);
        }
        compute_row(r);
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

static void begin_row(struct rows *r) {
    struct gen *g = r->k->g;
    for (int i = 0; i < g->plan->noperands; i++)
        r->row[i] = LLVMBuildLoad2(g->b, i64_type(g), r->next[i], "");
}

/* Goes n rows further from the one that has begun. */
static void end_row(struct rows *r, const LLVMValueRef *row, int n) {
    struct gen *g = r->k->g;
    for (int i = 0; i < g->plan->noperands; i++) {
        LLVMValueRef by = multiply(g, load_stride(r->k, i, 1), i64(g, (uint64_t)n));
        LLVMBuildStore(g->b, add(g, row[i], by), r->next[i]);
    }
}

/* As long as there are n rows (i32) left, n at once, in which the thread has `width` elements;
 * gives how many are left. */
static LLVMValueRef gen_rows(struct rows *r, LLVMValueRef left, int n) {
    struct gen *g = r->k->g;
    LLVMValueRef row[UFC_MAX_OPERANDS];
    struct loop l;
    loop_begin(g, &l, 1, &left);
    loop_while(g, &l, compare(g, LLVMIntUGE, l.phi[0], i32(g, (uint32_t)n)));
    begin_row(r);
    for (int i = 0; i < g->plan->noperands; i++)
        row[i] = r->row[i];
    gen_whole(r, LLVMBuildLoad2(g->b, i32_type(g), r->before, ""), n);
    LLVMBuildStore(g->b, r->kept, r->before);
    end_row(r, row, n);
    LLVMValueRef next = subtract(g, l.phi[0], i32(g, (uint32_t)n));
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* All rows left; where each loads nothing of its own but an element, one by one is faster. */
static void gen_whole_rows(struct rows *r, LLVMValueRef left) {
    struct gen *g = r->k->g;
    if (is_smallest(g->plan, r->k->element)) {
        LLVMValueRef few = LLVMBuildOr(g->b, r->kept, r->scalars, "");
        LLVMValueRef loads = both(g, i32(g, (1u << g->plan->nin) - 1), LLVMBuildNot(g->b, few, ""));
        LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b),
                          after = begin_if(g, compare(g, LLVMIntNE, loads, i32(g, 0)));
        LLVMValueRef rest = gen_rows(r, left, AT_ONCE);
        LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
        end_if(g, after);
        left = phi2(g, before, left, behind, rest);
    }
    gen_rows(r, left, 1);
}

/* All rows left (i32), in which the thread has fewer elements. */
static void gen_tails(struct rows *r, LLVMValueRef left, LLVMValueRef x, LLVMValueRef step,
                      LLVMValueRef size) {
    struct gen *g = r->k->g;
    struct loop l;
    loop_begin(g, &l, 1, &left);
    loop_while(g, &l, compare(g, LLVMIntNE, l.phi[0], i32(g, 0)));
    begin_row(r);
    gen_tail(r, x, step, size);
    end_row(r, r->row, 1);
    LLVMValueRef next = subtract(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

void gen_rows_kernel(struct kernel *k) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    struct rows r = {.k = k, .width = vector_width(p)};
    struct place place;
    LLVMValueRef n = param_i64(g, offsetof(struct ufc_kparam_head, n));
    LLVMValueRef index = gen_thread_number(g);
    guard(g, compare(g, LLVMIntULT, index, LLVMBuildTrunc(g->b, n, i32_type(g), "")));
    r.scalars = param_i32(g, offsetof(struct ufc_kparam_head, scalars));
    r.wide = load_piece_param(k, offsetof(struct ufc_kparam_pieces, wide));
    r.backward = load_piece_param(k, offsetof(struct ufc_kparam_pieces, backward));
    r.kept = load_piece_param(k, offsetof(struct ufc_kparam_pieces, kept));
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
    for (int turn = 0; turn < AT_ONCE; turn++)
        for (int i = 0; i < p->nin; i++)
            r.pieces[turn][i] = gen_alloca(g, piece_type(k, i, r.width), "piece");
    LLVMValueRef last = multiply(g, step, i32(g, (uint32_t)r.width - 1));
    LLVMValueRef is_whole = compare(g, LLVMIntULT, add(g, place.along[0], last), size);

    r.before = gen_alloca(g, i32_type(g), "before");
    LLVMBuildStore(g->b, i32(g, 0), r.before);
    for (int i = 0; i < p->noperands; i++) {
        r.next[i] = gen_alloca(g, i64_type(g), "row");
        LLVMBuildStore(g->b, place.address[i], r.next[i]);
    }
    LLVMBasicBlockRef whole = gen_block(g, "whole"), tail = gen_block(g, "tail");
    LLVMBuildCondBr(g->b, is_whole, whole, tail);
    gen_place(g, whole);
    gen_whole_rows(&r, rows);
    LLVMBuildRetVoid(g->b);
    gen_place(g, tail);
    gen_tails(&r, rows, place.along[0], step, size);
    LLVMBuildRetVoid(g->b);
}
