/* window.c: the GPU kernel WINDOW, of reductions over a window that moves with the results, such as
 * convolutions: of elements x[i ± p] and perhaps weights w[p].  A block computes tiles of results,
 * one after the other, each for a part of the window at a time: the elements of x that this part
 * covers for any result of the tile go to shared memory.  A thread has RESULTS_PER_THREAD
 * neighbouring results of a row, and keeps as many elements of x in registers; each step along the
 * row of the window loads a new one. Without weights a long row's elements that all of these
 * results have are reduced once. */
#include "window.h"

/* ---- which tile */

static LLVMValueRef count_rows(struct gen *g, const struct shape *s) {
    return s->nrows > 0 ? gen_terms(g, s->rows, s->nrows) : i64(g, 1);
}

/* Along the axis where a block's tiles follow one another: the tile's first result, and results. */
static LLVMValueRef *place_along(struct window_tile *t) {
    return t->w->axes == 1 ? &t->column : &t->row;
}

static LLVMValueRef size_along(const struct window_tile *t) {
    return i64(t->g, (uint64_t)(t->w->axes == 1 ? t->columns : t->rows));
}

/* The block's strip of tiles, one below the other, or behind it where there is one axis. */
static void find_strip(struct window_tile *t, struct threads *threads, LLVMValueRef calls) {
    struct gen *g = t->g;
    const struct shape *s = &t->w->shape;
    LLVMValueRef columns = gen_terms(g, s->columns, s->ncolumns);
    LLVMValueRef each = param_i32(g, PARAM(blocks)), block = gpu(g)->id(g, BLOCK_ID);
    LLVMValueRef call = extended(g, LLVMBuildUDiv(g->b, block, each, ""));
    LLVMValueRef strip = LLVMBuildURem(g->b, block, each, "");
    t->has_call = compare(g, LLVMIntSLT, call, calls);
    threads->call = gen_select(g, t->has_call, call, i64(g, 0));
    t->row = t->column = i64(g, 0);
    t->end_row = count_rows(g, s);
    t->end_column = columns;
    if (t->w->axes > 1) {
        LLVMValueRef across = tiles_along(g, columns, t->columns);
        t->column = multiply(g, extended(g, LLVMBuildURem(g->b, strip, across, "")),
                             i64(g, (uint64_t)t->columns));
        strip = LLVMBuildUDiv(g->b, strip, across, "");
    }
    LLVMValueRef length = multiply(g, extended(g, param_i32(g, PARAM(across))), size_along(t));
    LLVMValueRef first = multiply(g, extended(g, strip), length);
    *place_along(t) = first;
    t->end = least(g, add(g, first, length), t->w->axes == 1 ? t->end_column : t->end_row);
    LLVMValueRef n = i32(g, (uint32_t)t->rows);
    t->across = LLVMBuildUDiv(g->b, t->tid, n, "");
    t->down = LLVMBuildURem(g->b, t->tid, n, "");
}

/* i1: the thread has a result of the tile. */
static LLVMValueRef has_result(struct window_tile *t) {
    struct gen *g = t->g;
    LLVMValueRef first = multiply(g, t->across, i32(g, RESULTS_PER_THREAD));
    LLVMValueRef is =
        both(g, compare(g, LLVMIntSLT, add(g, t->row, extended(g, t->down)), t->end_row),
             compare(g, LLVMIntSLT, add(g, t->column, extended(g, first)), t->end_column));
    return both(g, t->has_call, is);
}

/* ---- the part of the window */

void window_set_corner(struct window_tile *t, int axis, LLVMValueRef at, LLVMValueRef in) {
    LLVMBuildStore(t->g->b, at, var_of(t->g, t->w->at[axis]->var)->slot);
    LLVMBuildStore(t->g->b, in, var_of(t->g, t->w->in[axis]->var)->slot);
}

/* x's subscript at a position (i32).  It depends on the indices only by their sum, or difference,
 * so that they may be ones that there are not. */
LLVMValueRef window_subscript(struct window_tile *t, int axis, const struct extent *e,
                              LLVMValueRef position) {
    struct gen *g = t->g;
    const struct pval *v = t->w->subscript[axis];
    if (v == t->w->moving[axis])
        return add(g, e->first, extended(g, position));
    LLVMValueRef at = axis == axis_of(t, true) ? t->column : t->row;
    window_set_corner(t, axis, add(g, at, extended(g, position)), e->in);
    if (v->kind == PV_OP) /* a remainder, which is not near where there is no result */
        return gen_op(g, OP_MOD, DT_INT64, gen_value(g, v->direct), gen_value(g, v->args[1]));
    return gen_value(g, v);
}

LLVMValueRef window_passes(struct window_tile *t, int axis, const struct extent *e,
                           LLVMValueRef position) {
    struct gen *g = t->g;
    LLVMValueRef at = axis == axis_of(t, true) ? t->column : t->row;
    window_set_corner(t, axis, add(g, at, extended(g, position)), e->in);
    return gen_value(g, t->w->filter[axis]);
}

/* The indices of the window along an axis, i64, that read elements that exist for some result of
 * the tile: those from `first` on, before `end`. */
struct reach {
    LLVMValueRef first, end;
};

static struct reach find_reach(struct window_tile *t, bool column) {
    struct gen *g = t->g;
    int axis = axis_of(t, column);
    const struct prange *in = t->w->in[axis];
    const struct poperand *o = &g->plan->operands[t->w->x->operand];
    LLVMValueRef at = column ? t->column : t->row, first = gen_value(g, in->lo);
    struct reach r = {first, gen_value(g, in->hi)};
    if (t->w->subscript[axis] != t->w->moving[axis])
        return r;
    window_set_corner(t, axis, at, first);
    LLVMValueRef seen = gen_value(g, t->w->moving[axis]), n = g->dims[o->dims[axis]->index];
    LLVMValueRef size = i64(g, (uint64_t)(column ? t->columns : t->rows));
    bool grows = t->w->sign[axis] > 0;
    LLVMValueRef before = grows ? subtract(g, i64(g, 1), add(g, seen, size))
                                : subtract(g, add(g, seen, i64(g, 1)), n);
    LLVMValueRef behind = grows ? subtract(g, n, seen) : add(g, seen, size);
    r.first = greatest(g, first, add(g, first, before));
    r.end = least(g, r.end, add(g, first, behind));
    return r;
}

static struct extent find_extent(struct window_tile *t, bool column, LLVMValueRef begin,
                                 LLVMValueRef end) {
    struct gen *g = t->g;
    int axis = axis_of(t, column), most = column ? t->part_columns : t->part_rows;
    struct extent e;
    LLVMValueRef left = subtract(g, end, begin);
    LLVMValueRef count = least(g, left, i64(g, (uint64_t)most));
    LLVMValueRef last = subtract(g, add(g, begin, count), i64(g, 1));
    e.count = LLVMBuildTrunc(g->b, count, i32_type(g), "");
    e.in = t->w->sign[axis] > 0 ? begin : last;
    window_set_corner(t, axis, column ? t->column : t->row, e.in);
    e.first = gen_value(g, t->w->moving[axis]);
    int size = column ? t->columns : t->rows;
    e.seen = add(g, e.count, i32(g, (uint32_t)size - 1));
    return e;
}

/* ---- the reduction */

/* Adds the part's rows.  If a tile has several rows, a warp's threads have the same columns. */
static void add_rows(struct window_tile *t, const struct extent *row, const struct extent *column,
                     bool filtered) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    uint32_t w_pitch = w != NULL ? (uint32_t)t->part_columns * bytes_of(w->dtype) : 0;
    LLVMValueRef place = multiply(g, t->down, i32(g, (uint32_t)pitch_of(t)));
    place = add(g, place, multiply(g, t->across, i32(g, RESULTS_PER_THREAD + 1)));
    struct row_at at = {at_byte(g, t->shared, multiply(g, place, i32(g, bytes_of(x_dtype(t))))),
                        NULL, t->weights, t->mask};
    if (filtered)
        at.inside = at_byte(g, t->inside[axis_of(t, true)],
                            multiply(g, t->across, i32(g, RESULTS_PER_THREAD)));
    if (row == NULL) {
        window_add_row(t, at, column->count, filtered);
        return;
    }
    LLVMValueRef first[] = {i32(g, 0), at.x, at.weight, at.mask};
    struct loop l;
    loop_begin(g, &l, 4, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], row->count));
    l.keep = true;
    at.x = l.phi[1];
    at.weight = l.phi[2];
    at.mask = l.phi[3];
    LLVMBasicBlockRef after = NULL;
    if (window_filters(t, 0)) {
        LLVMValueRef y = at_byte(g, t->inside[0], add(g, t->down, l.phi[0]));
        after = begin_if(g, gen_load_element(g, DT_BOOL, gen_memory_type(g, DT_BOOL), y, 1));
    }
    window_add_row(t, at, column->count, filtered);
    if (after != NULL)
        end_if(g, after);
    uint32_t pitch = (uint32_t)pitch_of(t) * bytes_of(x_dtype(t));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), at_byte(g, at.x, i32(g, pitch)),
                           at_byte(g, at.weight, i32(g, w_pitch)),
                           at_byte(g, at.mask, i32(g, (uint32_t)t->part_columns))};
    loop_end(g, &l, next);
}

/* i1: the filter passes all positions along a row that the thread's results read: it passes an
 * interval, so the first and the last one tell. */
static LLVMValueRef sees_inside(struct window_tile *t, const struct extent *column) {
    struct gen *g = t->g;
    int axis = axis_of(t, true);
    LLVMValueRef first = multiply(g, t->across, i32(g, RESULTS_PER_THREAD));
    LLVMValueRef last = add(g, first, add(g, column->count, i32(g, RESULTS_PER_THREAD - 2)));
    return both(g, window_passes(t, axis, column, first), window_passes(t, axis, column, last));
}

static void add_part(struct window_tile *t, const struct extent *row, const struct extent *column) {
    struct gen *g = t->g;
    if (!window_filters(t, axis_of(t, true))) {
        add_rows(t, row, column, false);
        return;
    }
    LLVMBasicBlockRef inside = gen_block(g, "inside"), filtered = gen_block(g, "filtered"),
                      done = gen_block(g, "added");
    LLVMBuildCondBr(g->b, sees_inside(t, column), inside, filtered);
    for (int k = 0; k < 2; k++) {
        gen_place(g, k == 0 ? inside : filtered);
        add_rows(t, row, column, k == 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

static void reduce_part(struct window_tile *t, const struct extent *row,
                        const struct extent *column) {
    struct gen *g = t->g;
    gpu(g)->barrier(g);
    window_load(t, row, column);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, t->has_result);
    add_part(t, row, column);
    end_if(g, after);
}

static void reduce_row_of_parts(struct window_tile *t, const struct extent *row) {
    struct gen *g = t->g;
    struct reach r = find_reach(t, true);
    struct loop l;
    loop_begin(g, &l, 1, &r.first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], r.end));
    struct extent column = find_extent(t, true, l.phi[0], r.end);
    reduce_part(t, row, &column);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)t->part_columns));
    loop_end(g, &l, &next);
}

static void reduce(struct window_tile *t) {
    struct gen *g = t->g;
    for (int axis = 0; axis < t->w->axes; axis++)
        window_set_corner(t, axis, axis == axis_of(t, true) ? t->column : t->row, i64(g, 0));
    window_begin_accs(t);
    if (t->w->axes == 1) {
        reduce_row_of_parts(t, NULL);
        return;
    }
    struct reach r = find_reach(t, false);
    struct loop l;
    loop_begin(g, &l, 1, &r.first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], r.end));
    struct extent row = find_extent(t, false, l.phi[0], r.end);
    reduce_row_of_parts(t, &row);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)t->part_rows));
    loop_end(g, &l, &next);
}

/* ---- the kernel */

static void store_results(struct window_tile *t) {
    struct gen *g = t->g;
    struct results r = {.shape = &t->w->shape,
                        .shared = t->shared,
                        .rows = t->rows,
                        .columns = t->columns,
                        .ahead = true,
                        .member = t->tid,
                        .team = BLOCK_THREADS,
                        .row = t->row,
                        .column = t->column,
                        .end_row = gen_select(g, t->has_call, t->end_row, i64(g, 0)),
                        .end_column = t->end_column};
    gpu(g)->barrier(g);
    for (int k = 0; k < RESULTS_PER_THREAD; k++) {
        window_select_accs(t, k);
        LLVMValueRef x = multiply(g, t->across, i32(g, RESULTS_PER_THREAD));
        results_put(g, &r, t->down, x, 0, (unsigned)k);
    }
    gpu(g)->barrier(g);
    results_store(g, &r);
}

static void find_shared(struct window_tile *t) {
    struct gen *g = t->g;
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    int positions[] = {t->rows + t->part_rows - 1, t->columns + t->part_columns - 1};
    unsigned x = (unsigned)(positions[0] * pitch_of(t)) * bytes_of(x_dtype(t));
    unsigned results = results_bytes(&t->w->shape, t->rows, t->columns);
    t->shared = shared_array(g, byte, x > results ? x : results, 16, "seen");
    if (t->w->w != NULL)
        t->weights = shared_array(
            g, byte, (unsigned)(t->part_rows * t->part_columns) * bytes_of(t->w->w->dtype), 16,
            "weights");
    else
        t->weights = t->shared;
    t->mask = t->w->mask == NULL
                  ? t->shared
                  : shared_array(g, byte, (unsigned)(t->part_rows * t->part_columns), 16, "mask");
    for (int axis = 0; axis < t->w->axes; axis++)
        if (window_filters(t, axis))
            t->inside[axis] =
                shared_array(g, byte, (unsigned)positions[axis == axis_of(t, true)], 16, "inside");
}

static void gen_tiles(struct window_tile *t) {
    struct gen *g = t->g;
    LLVMValueRef *at = place_along(t);
    struct loop l;
    loop_begin(g, &l, 1, at);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->end));
    l.keep = true;
    *at = l.phi[0];
    t->has_result = has_result(t);
    reduce(t);
    store_results(t);
    LLVMValueRef next = add(g, l.phi[0], size_along(t));
    loop_end(g, &l, &next);
}

void gen_window_kernel(struct gen *g, struct threads *threads) {
    gufunc_find_thread(g, threads);
    gen_variables(g, 1);
    LLVMValueRef calls = param_i64(g, PARAM(calls));
    struct window_tile t = {.g = g, .w = g->plan->map.window, .tid = threads->tid};
    bool flat = t.w->axes == 1;
    t.rows = flat ? 1 : UFC_WINDOW_ROWS;
    t.columns = flat ? UFC_WINDOW_ROWS * UFC_WINDOW_COLUMNS : UFC_WINDOW_COLUMNS;
    t.part_rows = flat ? 1 : PART;
    t.part_columns = flat ? BLOCK_THREADS : PART;
    t.loaders = flat ? BLOCK_THREADS : WINDOW_LOADERS;
    find_strip(&t, threads, calls);
    gufunc_find_operands(g, threads);
    find_shared(&t);
    gen_tiles(&t);
}
