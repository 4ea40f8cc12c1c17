/* across.c: the GPU kernel ACROSS, for lines that lie side by side.  A thread reduces part of a
 * segment of several lines, of which it loads an element each in one access; the block's threads of
 * the same lines join their results, in order, in shared memory. */
#include "fold.h"

enum { MAX_COLUMNS = 16 }; /* of a thread */

/* What a thread reduces.  Columns are lines; x and y are the thread's numbers along the block's
 * columns and along a segment.  All are i32, but `at`, k and end. */
struct across {
    LLVMValueRef x, y, threads_x, columns; /* columns: those of the block */
    LLVMValueRef left;                     /* columns from the block's first on */
    LLVMValueRef at;                       /* address of the block's first column */
    LLVMValueRef k, end;                   /* the thread's elements of each line, i64 */
    LLVMValueRef has, *acc;                /* slots: whether there are values, and one for each of
                                              the thread's columns */
};

/* The thread's elements, loaded by rows of `width` columns. */
struct row {
    enum ufc_dtype d;
    unsigned width;
    bool wide;                        /* the columns are neighbours, aligned to 16 bytes */
    LLVMValueRef column[MAX_COLUMNS]; /* bytes from the block's first column, i64 */
};

/* The number of the thread's column i in the block, i32. */
static LLVMValueRef column_of(struct fold *f, const struct across *a, const struct row *r,
                              unsigned i) {
    struct gen *g = f->g;
    return r->wide ? add(g, multiply(g, a->x, i32(g, r->width)), i32(g, i))
                   : add(g, a->x, multiply(g, a->threads_x, i32(g, i)));
}

/* Loads a row: one vector, or an element of each column. */
static void load_row(struct fold *f, const struct row *r, LLVMValueRef at, LLVMValueRef *x) {
    struct gen *g = f->g;
    if (r->wide)
        x[0] = fold_load_unit(g, r->d, r->width, global_pointer(g, add(g, at, r->column[0])));
    else
        for (unsigned i = 0; i < r->width; i++)
            x[i] = load_element(g, r->d, add(g, at, r->column[i]));
}

/* Column i of a row that load_row loaded. */
static LLVMValueRef element_of(struct fold *f, const struct row *r, const LLVMValueRef *x,
                               unsigned i) {
    struct gen *g = f->g;
    LLVMValueRef v = r->wide ? fold_unit_element(g, r->d, x[0], i) : x[i];
    return gen_cast(g, v, r->d, f->d);
}

/* The rows that are loaded before the first is used, of a body that is small enough. */
static unsigned rows_ahead(struct fold *f, const struct row *r) {
    unsigned most = (r->wide ? ACROSS_COPIES : ACROSS_COPIES_APART) / r->width;
    if (body_size(f->element) > SMALL_BODY || most == 0)
        return 1;
    return most < ACROSS_AHEAD ? most : ACROSS_AHEAD;
}

/* Combines the slots with a row's elements, where `in` (i1) holds; NULL: it does. */
static void take_row(struct fold *f, const struct across *a, const struct row *r,
                     const LLVMValueRef *x, LLVMValueRef in) {
    struct gen *g = f->g;
    LLVMValueRef has = LLVMBuildLoad2(g->b, i1_type(g), a->has, "");
    for (unsigned j = 0; j < r->width; j++) {
        LLVMValueRef own = LLVMBuildLoad2(g->b, gen_type(g, f->d), a->acc[j], "");
        LLVMValueRef v = fold_apply_to(f, (struct acc){own, has}, element_of(f, r, x, j)).value;
        LLVMBuildStore(g->b, in != NULL ? gen_select(g, in, v, own) : v, a->acc[j]);
    }
    LLVMBuildStore(g->b, LLVMConstInt(i1_type(g), 1, false), a->has);
}

/* Combines the slots with several rows at a time, while there are so many, then with those that are
 * left. */
static void take_rows(struct fold *f, const struct across *a, const struct row *r) {
    struct gen *g = f->g;
    const unsigned ahead = rows_ahead(f, r);
    LLVMValueRef x[ACROSS_AHEAD][MAX_COLUMNS], in[ACROSS_AHEAD],
        stride = param_i64(g, AT(in_inner));
    LLVMValueRef last = subtract(g, a->end, i64(g, ahead));
    struct loop l;
    LLVMValueRef first = a->k;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[0], last));
    LLVMValueRef at = add(g, a->at, multiply(g, l.phi[0], stride));
    for (unsigned i = 0; i < ahead; i++)
        load_row(f, r, add(g, at, multiply(g, stride, i64(g, i))), x[i]);
    for (unsigned i = 0; i < ahead; i++)
        take_row(f, a, r, x[i], NULL);
    LLVMValueRef next = add(g, l.phi[0], i64(g, ahead));
    loop_end(g, &l, &next);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, l.phi[0], a->end));
    for (unsigned i = 0; i < ahead; i++) {
        LLVMValueRef k = add(g, l.phi[0], i64(g, i));
        in[i] = compare(g, LLVMIntSLT, k, a->end);
        k = gen_select(g, in[i], k, l.phi[0]);
        load_row(f, r, add(g, a->at, multiply(g, k, stride)), x[i]);
    }
    for (unsigned i = 0; i < ahead; i++)
        take_row(f, a, r, x[i], in[i]);
    end_if(g, after);
}

/* Stores the slots, where there are values, in the block's array of columns by threads. */
static void share(struct fold *f, const struct across *a, const struct row *r,
                  LLVMValueRef shared) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d);
    LLVMValueRef first = multiply(g, a->y, a->columns);
    for (unsigned i = 0; i < r->width; i++) {
        LLVMValueRef column = column_of(f, a, r, i);
        LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, f->d), a->acc[i], "");
        LLVMValueRef to = fold_shared_at(g, shared, memory, add(g, first, column));
        gen_store_element(g, memory, v, to, dtype_align(f->d));
    }
}

static void take_all_rows(struct fold *f, const struct across *a, struct row *r,
                          LLVMValueRef shared) {
    struct gen *g = f->g;
    LLVMValueRef apart = param_i64(g, AT(in_outer)), most = subtract(g, a->left, i32(g, 1));
    for (unsigned i = 0; i < r->width; i++) {
        LLVMValueRef column = column_of(f, a, r, i);
        LLVMValueRef beyond = compare(g, LLVMIntUGT, column, most);
        column = gen_select(g, beyond, i32(g, r->wide ? i : 0), column);
        r->column[i] = multiply(g, extended(g, column), apart);
    }
    take_rows(f, a, r);
    share(f, a, r, shared);
}

/* i1: rows of elements of dtype d can be loaded in accesses of 16 bytes. */
static LLVMValueRef is_wide(struct fold *f, const struct across *a, enum ufc_dtype d) {
    struct gen *g = f->g;
    const uint64_t size = (uint64_t)dtype_info[d].bits / 8;
    LLVMValueRef bits = LLVMBuildOr(g->b, a->at, param_i64(g, AT(in_inner)), "");
    LLVMValueRef bytes = multiply(g, extended(g, a->left), i64(g, size));
    bits = LLVMBuildAnd(g->b, LLVMBuildOr(g->b, bits, bytes, ""), i64(g, 15), "");
    return both(g, compare(g, LLVMIntEQ, param_i64(g, AT(in_outer)), i64(g, size)),
                compare(g, LLVMIntEQ, bits, i64(g, 0)));
}

/* Reduces the thread's elements to the block's shared array, by code for each dtype that lines may
 * have. */
static void gen_dtypes(struct fold *f, const struct across *a, LLVMValueRef shared) {
    struct gen *g = f->g;
    LLVMBasicBlockRef done = gen_block(g, "reduced");
    LLVMValueRef which = LLVMBuildSwitch(g->b, param_dtype(g, AT(in_dtype)), done, DT_COUNT);
    for (enum ufc_dtype d = 0; d < DT_COUNT; d++) {
        if (d != f->d && !ufc_widens_to(d, f->d))
            continue;
        LLVMBasicBlockRef own = gen_block(g, dtype_info[d].name);
        LLVMBasicBlockRef wide = gen_block(g, "wide"), apart = gen_block(g, "apart");
        LLVMAddCase(which, i32(g, d), own);
        gen_place(g, own);
        LLVMBuildCondBr(g->b, is_wide(f, a, d), wide, apart);
        for (int way = 0; way < 2; way++) {
            struct row r = {.d = d, .width = (unsigned)ufc_fold_unit(d), .wide = way == 0};
            gen_place(g, r.wide ? wide : apart);
            take_all_rows(f, a, &r, shared);
            LLVMBuildBr(g->b, done);
        }
    }
    gen_place(g, done);
}

/* Joins the results of a column, a thread a column, and stores them.  steps: elements of a thread
 * in a segment, i64. */
static void join_columns(struct fold *f, const struct across *a, LLVMValueRef thread,
                         LLVMValueRef shared, LLVMValueRef steps, LLVMValueRef out) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d);
    gpu(g)->barrier(g);
    LLVMValueRef is_there = both(g, compare(g, LLVMIntULT, thread, a->columns),
                                 compare(g, LLVMIntULT, thread, a->left));
    LLVMBasicBlockRef after = begin_if(g, is_there);
    LLVMValueRef n = subtract(g, add(g, subtract(g, f->end, f->begin), steps), i64(g, 1));
    n = LLVMBuildTrunc(g->b, LLVMBuildUDiv(g->b, n, steps, ""), i32_type(g), "");
    LLVMValueRef own = gen_load_element(g, f->d, memory, fold_shared_at(g, shared, memory, thread),
                                        dtype_align(f->d));
    LLVMValueRef first[] = {i32(g, 1), own};
    struct loop l;
    loop_begin(g, &l, 2, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    LLVMValueRef at = add(g, multiply(g, l.phi[0], a->columns), thread);
    LLVMValueRef v =
        gen_load_element(g, f->d, memory, fold_shared_at(g, shared, memory, at), dtype_align(f->d));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), fold_apply(f, l.phi[1], v)};
    loop_end(g, &l, next);
    LLVMValueRef column = multiply(g, extended(g, thread), param_i64(g, AT(out_outer)));
    fold_store_element(f, l.phi[1], add(g, out, column));
    end_if(g, after);
}

/* Sets the segment, the lines and the elements that the block and the thread take; gives the
 * address of the block's first result. */
static LLVMValueRef find_place(struct fold *f, struct across *a, LLVMValueRef thread,
                               LLVMValueRef steps) {
    struct gen *g = f->g;
    LLVMValueRef number = gpu(g)->id(g, BLOCK_ID), line[3];
    LLVMValueRef across = param_i32(g, AT(across)), unit = param_i32(g, AT(unit));
    a->threads_x = LLVMBuildUDiv(g->b, i32(g, BLOCK_THREADS), param_i32(g, AT(group)), "");
    a->columns = multiply(g, a->threads_x, unit);
    a->y = LLVMBuildUDiv(g->b, thread, a->threads_x, "");
    a->x = LLVMBuildURem(g->b, thread, a->threads_x, "");
    LLVMValueRef tiles = subtract(g, add(g, across, a->columns), i32(g, 1));
    tiles = LLVMBuildUDiv(g->b, tiles, a->columns, "");
    LLVMValueRef first = multiply(g, LLVMBuildURem(g->b, number, tiles, ""), a->columns);
    number = LLVMBuildUDiv(g->b, number, tiles, "");
    a->left = subtract(g, across, first);
    LLVMValueRef lines = LLVMBuildTrunc(g->b, f->lines, i32_type(g), "");
    LLVMValueRef others = LLVMBuildUDiv(g->b, lines, across, "");
    LLVMValueRef other = LLVMBuildURem(g->b, number, others, "");
    f->segment = extended(g, LLVMBuildUDiv(g->b, number, others, ""));
    f->line = extended(g, add(g, multiply(g, other, across), first));
    f->begin = multiply(g, f->segment, param_i64(g, AT(piece)));
    f->end = least(g, add(g, f->begin, param_i64(g, AT(piece))), param_i64(g, AT(length)));
    fold_find_line(f, f->segment, line);
    a->at = line[IN];
    a->k = add(g, f->begin, multiply(g, extended(g, a->y), steps));
    a->end = least(g, add(g, a->k, steps), f->end);
    return line[OUT];
}

void gen_across_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef thread = gpu(g)->id(g, THREAD_ID), slots[MAX_COLUMNS];
    LLVMValueRef steps = param_i64(g, AT(steps));
    struct across a = {.acc = slots, .has = gen_alloca(g, i1_type(g), "has")};
    LLVMValueRef out = find_place(f, &a, thread, steps);
    struct acc acc = fold_begin_acc(f, compare(g, LLVMIntEQ, a.y, i32(g, 0)));
    LLVMBuildStore(g->b, acc.has, a.has);
    unsigned columns = 1;
    for (enum ufc_dtype d = 0; d < DT_COUNT; d++)
        if ((d == f->d || ufc_widens_to(d, f->d)) && ufc_fold_unit(d) > columns)
            columns = (unsigned)ufc_fold_unit(d);
    for (unsigned i = 0; i < columns; i++) {
        slots[i] = gen_alloca(g, gen_type(g, f->d), "acc");
        LLVMBuildStore(g->b, acc.value, slots[i]);
    }
    LLVMValueRef shared =
        shared_array(g, gen_memory_type(g, f->d), columns * BLOCK_THREADS, 16, "columns");
    gen_dtypes(f, &a, shared);
    join_columns(f, &a, thread, shared, steps, out);
    LLVMBuildRetVoid(g->b);
}
