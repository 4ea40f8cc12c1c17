/* window.c: the GPU kernel WINDOW, of reductions over a window that moves with the results, such as
 * convolutions: of elements x[i ± p] and perhaps weights w[p].  A block computes a tile of results,
 * for a part of the window at a time: the elements of x that this part covers for any result of the
 * tile go to shared memory.  A thread has RESULTS_PER_THREAD neighbouring results of a row, and
 * keeps as many elements of x in registers; each step along the row of the window loads a new one.
 */
#include "gufunc.h"

enum { RESULTS_PER_THREAD = WINDOW_RESULTS, PART = WINDOW_PART };
_Static_assert(UFC_WINDOW_ROWS *UFC_WINDOW_COLUMNS == BLOCK_THREADS * RESULTS_PER_THREAD,
               "a block's threads have all results of a tile");
_Static_assert(PART *PART <= BLOCK_THREADS, "a thread loads one weight of a part");

struct window_tile {
    struct gen *g;
    const struct window *w;
    int rows, columns;                 /* of the tile */
    int part_rows, part_columns;       /* of a part of the window, at most */
    int loaders;                       /* threads that load a row together */
    LLVMValueRef tid;                  /* i32 */
    LLVMValueRef across, down;         /* the thread's column and row among the block's, i32 */
    LLVMValueRef row, column;          /* the tile's first result, i64 */
    LLVMValueRef has_call, has_result; /* i1: the block has a call; the thread has a result of it */
    LLVMValueRef shared;               /* shared memory: x, then the results */
    LLVMValueRef weights;              /* shared memory: the part's weights */
    LLVMValueRef inside[2]; /* shared memory, by axis: a byte a position: the filter passes it */
    LLVMValueRef acc[MAX_ACCS][RESULTS_PER_THREAD];
    LLVMValueRef seen[RESULTS_PER_THREAD];    /* slots of the elements of x kept */
    LLVMValueRef is_seen[RESULTS_PER_THREAD]; /* slots: the filter passes them */
};

/* The current part of the window along an axis.  Positions count x's subscripts from `first` on. */
struct extent {
    LLVMValueRef count; /* indices of the window, i32 */
    LLVMValueRef in;    /* the one of them for which x's subscript is the smallest, i64 */
    LLVMValueRef first; /* that subscript for the tile's first result, i64, but for its bounds */
    LLVMValueRef seen;  /* positions that the tile's results read, i32 */
};

static int axis_of(const struct window_tile *t, bool column) {
    return column ? t->w->axes - 1 : 0;
}

static enum ufc_dtype x_dtype(const struct window_tile *t) {
    return t->w->x->dtype;
}

/* Bytes to an index of x, i64 as it is, along an axis. */
static LLVMValueRef offset_along(struct window_tile *t, int axis, LLVMValueRef index) {
    struct gen *g = t->g;
    LLVMValueRef stride = g->arrays[t->w->x->operand].stride[axis];
    return g->target->multiply_wide(g, LLVMBuildTrunc(g->b, index, i32_type(g), ""),
                                    LLVMBuildTrunc(g->b, stride, i32_type(g), ""));
}

static unsigned bytes_of(enum ufc_dtype d) {
    return (unsigned)dtype_info[d].bits / 8;
}

/* Elements from row to row in shared memory: odd, so that a warp's rows are in different banks. */
static int pitch_of(const struct window_tile *t) {
    int most = t->columns + t->part_columns - 1;
    return (most + most / RESULTS_PER_THREAD) | 1;
}

/* ---- which tile */

static LLVMValueRef count_rows(struct gen *g, const struct shape *s) {
    return s->nrows > 0 ? gen_terms(g, s->rows, s->nrows) : i64(g, 1);
}

static void find_tile(struct window_tile *t, struct threads *threads, LLVMValueRef calls) {
    struct gen *g = t->g;
    const struct shape *s = &t->w->shape;
    LLVMValueRef rows = count_rows(g, s);
    LLVMValueRef columns = gen_terms(g, s->columns, s->ncolumns);
    LLVMValueRef across = tiles_along(g, columns, t->columns);
    LLVMValueRef each = multiply(g, across, tiles_along(g, rows, t->rows));
    LLVMValueRef block = gpu(g)->id(g, BLOCK_ID);
    LLVMValueRef call = extended(g, LLVMBuildUDiv(g->b, block, each, ""));
    LLVMValueRef tile = LLVMBuildURem(g->b, block, each, "");
    t->has_call = compare(g, LLVMIntSLT, call, calls);
    threads->call = gen_select(g, t->has_call, call, i64(g, 0));
    t->row =
        multiply(g, extended(g, LLVMBuildUDiv(g->b, tile, across, "")), i64(g, (uint64_t)t->rows));
    t->column = multiply(g, extended(g, LLVMBuildURem(g->b, tile, across, "")),
                         i64(g, (uint64_t)t->columns));
    LLVMValueRef n = i32(g, (uint32_t)t->rows);
    t->across = LLVMBuildUDiv(g->b, t->tid, n, "");
    t->down = LLVMBuildURem(g->b, t->tid, n, "");
    LLVMValueRef first = multiply(g, t->across, i32(g, RESULTS_PER_THREAD));
    t->has_result = both(g, compare(g, LLVMIntSLT, add(g, t->row, extended(g, t->down)), rows),
                         compare(g, LLVMIntSLT, add(g, t->column, extended(g, first)), columns));
    t->has_result = both(g, t->has_call, t->has_result);
}

/* ---- the part of the window */

/* Sets a result's index and an index of the window, i64, along an axis. */
static void set_corner(struct window_tile *t, int axis, LLVMValueRef at, LLVMValueRef in) {
    LLVMBuildStore(t->g->b, at, var_of(t->g, t->w->at[axis]->var)->slot);
    LLVMBuildStore(t->g->b, in, var_of(t->g, t->w->in[axis]->var)->slot);
}

/* x's subscript at a position (i32).  It depends on the indices only by their sum, or difference,
 * so that they may be ones that there are not. */
static LLVMValueRef subscript_at(struct window_tile *t, int axis, const struct extent *e,
                                 LLVMValueRef position) {
    struct gen *g = t->g;
    const struct pval *v = t->w->x->args[axis];
    if (v == t->w->moving[axis])
        return add(g, e->first, extended(g, position));
    LLVMValueRef at = axis == axis_of(t, true) ? t->column : t->row;
    set_corner(t, axis, add(g, at, extended(g, position)), e->in);
    if (v->kind == PV_OP) /* a remainder, which is not near where there is no result */
        return gen_op(g, OP_MOD, DT_INT64, gen_value(g, v->direct), gen_value(g, v->args[1]));
    return gen_value(g, v);
}

/* i1: the filter passes a position (i32).  It bounds x's subscript alone, so this holds for all
 * pairs of a result and an index of the window that have this subscript. */
static LLVMValueRef passes_filter(struct window_tile *t, int axis, const struct extent *e,
                                  LLVMValueRef position) {
    struct gen *g = t->g;
    LLVMValueRef at = axis == axis_of(t, true) ? t->column : t->row;
    set_corner(t, axis, add(g, at, extended(g, position)), e->in);
    return gen_value(g, t->w->filter[axis]);
}

static struct extent find_extent(struct window_tile *t, bool column, LLVMValueRef begin) {
    struct gen *g = t->g;
    int axis = axis_of(t, column), most = column ? t->part_columns : t->part_rows;
    struct extent e;
    LLVMValueRef left = subtract(g, gen_value(g, t->w->in[axis]->hi), begin);
    LLVMValueRef count = least(g, left, i64(g, (uint64_t)most));
    LLVMValueRef last = subtract(g, add(g, begin, count), i64(g, 1));
    e.count = LLVMBuildTrunc(g->b, count, i32_type(g), "");
    e.in = t->w->sign[axis] > 0 ? begin : last;
    set_corner(t, axis, column ? t->column : t->row, e.in);
    e.first = gen_value(g, t->w->moving[axis]);
    int size = column ? t->columns : t->rows;
    e.seen = add(g, e.count, i32(g, (uint32_t)size - 1));
    return e;
}

/* ---- to shared memory */

/* i1: a position, whose subscript is `index`, is in x, and a result of the tile reads it. */
static LLVMValueRef exists(struct window_tile *t, int axis, const struct extent *e,
                           LLVMValueRef index, LLVMValueRef position) {
    struct gen *g = t->g;
    const struct poperand *o = &g->plan->operands[t->w->x->operand];
    LLVMValueRef in = compare(g, LLVMIntULT, index, g->dims[o->dims[axis]->index]);
    return both(g, in, compare(g, LLVMIntULT, position, e->seen));
}

/* How often a loader of a row loads an element of it, at most. */
static int load_steps(const struct window_tile *t) {
    return (t->columns + t->part_columns - 2) / t->loaders + 1;
}

/* Loads a loader's elements of row y (i32) of x to shared memory.  Elements that do not exist are
 * 0; no result that exists reads them. */
static void load_row(struct window_tile *t, const struct extent *row, const struct extent *column,
                     LLVMValueRef y) {
    struct gen *g = t->g;
    enum ufc_dtype d = x_dtype(t);
    int last = axis_of(t, true), steps = load_steps(t);
    LLVMValueRef exists_row = t->has_call, begin = i64(g, 0);
    if (row != NULL) {
        LLVMValueRef index = subscript_at(t, 0, row, y);
        exists_row = both(g, t->has_call, exists(t, 0, row, index, y));
        begin = offset_along(t, 0, index);
    }
    LLVMValueRef at = LLVMBuildURem(g->b, t->tid, i32(g, (uint32_t)t->loaders), ""), value[16];
    LLVMValueRef slot = gen_alloca(g, gen_type(g, d), "x");
    for (int k = 0; k < steps; k++) {
        LLVMValueRef c = add(g, at, i32(g, (uint32_t)(k * t->loaders)));
        LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, d)), slot);
        LLVMValueRef index = subscript_at(t, last, column, c);
        LLVMBasicBlockRef after =
            begin_if(g, both(g, exists_row, exists(t, last, column, index, c)));
        LLVMValueRef offset = add(g, begin, offset_along(t, last, index));
        LLVMBuildStore(g->b, gen_element_at(g, t->w->x, offset), slot);
        end_if(g, after);
        value[k] = LLVMBuildLoad2(g->b, gen_type(g, d), slot, "");
    }
    LLVMValueRef base = multiply(g, y, i32(g, (uint32_t)pitch_of(t)));
    for (int k = 0; k < steps; k++) {
        LLVMValueRef c = add(g, at, i32(g, (uint32_t)(k * t->loaders)));
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, c, column->seen));
        LLVMValueRef place = add(g, base, results_column(g, c));
        place = at_byte(g, t->shared, multiply(g, place, i32(g, bytes_of(d))));
        gen_store_element(g, gen_memory_type(g, d), value[k], place, bytes_of(d));
        end_if(g, after);
    }
}

/* i1: all positions along an axis that the tile's results read are in x, and their subscripts are
 * not kept within other bounds: those of the first and the last one tell. */
static LLVMValueRef is_within(struct window_tile *t, int axis, const struct extent *e) {
    struct gen *g = t->g;
    const struct poperand *o = &g->plan->operands[t->w->x->operand];
    LLVMValueRef all = t->has_call, at[] = {i32(g, 0), subtract(g, e->seen, i32(g, 1))};
    for (int i = 0; i < 2; i++) {
        LLVMValueRef index = subscript_at(t, axis, e, at[i]);
        LLVMValueRef moved = add(g, e->first, extended(g, at[i]));
        all = both(g, all, compare(g, LLVMIntEQ, index, moved));
        all = both(g, all, compare(g, LLVMIntULT, index, g->dims[o->dims[axis]->index]));
    }
    return all;
}

/* A loader's elements of a row that is within x: where they are, and where they go to, in bytes,
 * i64 and i32.  Instead of one behind the row's end it has the one before once more. */
struct loaded {
    LLVMValueRef offset[16], place[16];
    int n;
};

static struct loaded find_loaded(struct window_tile *t, const struct extent *column) {
    struct gen *g = t->g;
    struct loaded l = {.n = load_steps(t)};
    LLVMValueRef c = LLVMBuildURem(g->b, t->tid, i32(g, (uint32_t)t->loaders), "");
    for (int k = 0; k < l.n; k++) {
        LLVMValueRef next = k == 0 ? c : add(g, c, i32(g, (uint32_t)t->loaders));
        c = k == 0 ? c : gen_select(g, compare(g, LLVMIntULT, next, column->seen), next, c);
        l.offset[k] = offset_along(t, axis_of(t, true), add(g, column->first, extended(g, c)));
        l.place[k] = multiply(g, results_column(g, c), i32(g, bytes_of(x_dtype(t))));
    }
    return l;
}

/* Loads rows from y (i32) on, `apart` from one another, which are within x, as many as are below
 * the end.  All loads are under way before one is waited for. */
static void load_rows(struct window_tile *t, const struct extent *row, const struct loaded *l,
                      LLVMValueRef y, LLVMValueRef apart) {
    struct gen *g = t->g;
    enum ufc_dtype d = x_dtype(t);
    uint32_t pitch = (uint32_t)pitch_of(t) * bytes_of(d);
    LLVMValueRef value[LOADED_ROWS][16], to[LOADED_ROWS];
    int rows = row != NULL ? LOADED_ROWS : 1;
    for (int r = 0; r < rows; r++) {
        LLVMValueRef next = r == 0 ? y : add(g, y, apart), begin = i64(g, 0);
        y = r == 0 ? y : gen_select(g, compare(g, LLVMIntULT, next, row->seen), next, y);
        to[r] = at_byte(g, t->shared, multiply(g, y, i32(g, pitch)));
        if (row != NULL)
            begin = offset_along(t, 0, add(g, row->first, extended(g, y)));
        for (int k = 0; k < l->n; k++)
            value[r][k] = gen_element_at(g, t->w->x, add(g, begin, l->offset[k]));
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < l->n; k++)
            gen_store_element(g, gen_memory_type(g, d), value[r][k], at_byte(g, to[r], l->place[k]),
                              bytes_of(d));
}

/* Loads what the tile's results read, of which nothing need be tested, to shared memory. */
static void load_within(struct window_tile *t, const struct extent *row,
                        const struct extent *column) {
    struct gen *g = t->g;
    struct loaded loaded = find_loaded(t, column);
    if (row == NULL) {
        load_rows(t, NULL, &loaded, i32(g, 0), NULL);
        return;
    }
    LLVMValueRef apart = i32(g, (uint32_t)(BLOCK_THREADS / t->loaders));
    LLVMValueRef y = LLVMBuildUDiv(g->b, t->tid, i32(g, (uint32_t)t->loaders), "");
    struct loop l;
    loop_begin(g, &l, 1, &y);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], row->seen));
    l.keep = true;
    load_rows(t, row, &loaded, l.phi[0], apart);
    LLVMValueRef next = add(g, l.phi[0], multiply(g, apart, i32(g, LOADED_ROWS)));
    loop_end(g, &l, &next);
}

/* The same where some elements may not exist, or be others. */
static void load_guarded(struct window_tile *t, const struct extent *row,
                         const struct extent *column) {
    struct gen *g = t->g;
    if (row == NULL) {
        load_row(t, NULL, column, i32(g, 0));
        return;
    }
    LLVMValueRef y = LLVMBuildUDiv(g->b, t->tid, i32(g, (uint32_t)t->loaders), "");
    struct loop l;
    loop_begin(g, &l, 1, &y);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], row->seen));
    load_row(t, row, column, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)(BLOCK_THREADS / t->loaders)));
    loop_end(g, &l, &next);
}

static void load_x(struct window_tile *t, const struct extent *row, const struct extent *column) {
    struct gen *g = t->g;
    LLVMValueRef is = is_within(t, axis_of(t, true), column);
    if (row != NULL)
        is = both(g, is, is_within(t, 0, row));
    LLVMBasicBlockRef within = gen_block(g, "within"), guarded = gen_block(g, "guarded"),
                      done = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, is, within, guarded);
    gen_place(g, within);
    load_within(t, row, column);
    LLVMBuildBr(g->b, done);
    gen_place(g, guarded);
    load_guarded(t, row, column);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Loads the part's weights to shared memory, in the order of the steps along positions. */
static void load_weights(struct window_tile *t, const struct extent *row,
                         const struct extent *column) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    if (w == NULL)
        return;
    LLVMValueRef n = i32(g, (uint32_t)t->part_columns), step[2], inside = NULL;
    step[0] = LLVMBuildUDiv(g->b, t->tid, n, "");
    step[1] = LLVMBuildURem(g->b, t->tid, n, "");
    LLVMValueRef offset = i64(g, 0);
    for (int axis = 0; axis < t->w->axes; axis++) {
        const struct extent *e = axis == axis_of(t, true) ? column : row;
        LLVMValueRef s = step[t->w->axes == 1 ? 1 : axis];
        LLVMValueRef in = t->w->sign[axis] > 0 ? add(g, e->in, extended(g, s))
                                               : subtract(g, e->in, extended(g, s));
        offset = add(g, offset, multiply(g, in, g->arrays[w->operand].stride[axis]));
        LLVMValueRef is = compare(g, LLVMIntULT, s, e->count);
        inside = inside != NULL ? both(g, inside, is) : is;
    }
    LLVMBasicBlockRef after = begin_if(g, both(g, inside, t->has_call));
    LLVMValueRef place = at_byte(g, t->weights, multiply(g, t->tid, i32(g, bytes_of(w->dtype))));
    gen_store_element(g, gen_memory_type(g, w->dtype), gen_element_at(g, w, offset), place,
                      bytes_of(w->dtype));
    end_if(g, after);
}

/* Stores to shared memory which positions along an axis the filter passes. */
static void load_filter(struct window_tile *t, bool column, const struct extent *e) {
    struct gen *g = t->g;
    int axis = axis_of(t, column);
    if (t->w->filter[axis] == NULL)
        return;
    struct loop l;
    loop_begin(g, &l, 1, &t->tid);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], e->seen));
    LLVMValueRef is = passes_filter(t, axis, e, l.phi[0]);
    gen_store_element(g, gen_memory_type(g, DT_BOOL), is, at_byte(g, t->inside[axis], l.phi[0]), 1);
    LLVMValueRef next = add(g, l.phi[0], i32(g, BLOCK_THREADS));
    loop_end(g, &l, &next);
}

/* ---- the reduction */

/* Makes the slots of the thread's result r those of the accs' variables. */
static void select_accs(struct window_tile *t, int r) {
    int n = 0;
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        var_of(t->g, a->acc)->slot = t->acc[n][r];
}

static void begin_accs(struct window_tile *t) {
    struct gen *g = t->g;
    for (int r = 0; r < RESULTS_PER_THREAD; r++) {
        int n = 0;
        for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
            t->acc[n][r] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
        select_accs(t, r);
        gen_assignments(g, t->w->shape.first);
        t->seen[r] = gen_alloca(g, gen_type(g, x_dtype(t)), "seen");
        t->is_seen[r] = gen_alloca(g, gen_type(g, DT_BOOL), "is_seen");
    }
}

/* The reduction's body for result r; its accs change only where `inside` (i1; NULL: true). */
static void add_element(struct window_tile *t, int r, const struct held held[2],
                        LLVMValueRef inside) {
    struct gen *g = t->g;
    LLVMValueRef before[MAX_ACCS];
    int n = 0;
    select_accs(t, r);
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        before[n] = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
    g->held = held;
    g->nheld = t->w->w != NULL ? 2 : 1;
    gen_stmts(g, t->w->shape.body);
    g->nheld = 0;
    n = 0;
    for (const struct pacc *a = t->w->shape.accs; inside && a != NULL; a = a->next, n++) {
        LLVMValueRef v =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
        LLVMBuildStore(g->b, gen_select(g, inside, v, before[n]), var_of(g, a->acc)->slot);
    }
}

/* A thread's place in a row of the window: addresses in shared memory. */
struct row_at {
    LLVMValueRef x, inside, weight;
};

/* Loads element c from at->x on to its slot, and with a filter whether this passes it. */
static void see(struct window_tile *t, const struct row_at *at, int c, bool filtered) {
    struct gen *g = t->g;
    enum ufc_dtype d = x_dtype(t);
    uint32_t place = (uint32_t)(c + c / RESULTS_PER_THREAD) * bytes_of(d);
    LLVMValueRef x = gen_load_element(g, d, gen_memory_type(g, d), at_byte(g, at->x, i32(g, place)),
                                      bytes_of(d));
    LLVMBuildStore(g->b, x, t->seen[c % RESULTS_PER_THREAD]);
    if (!filtered)
        return;
    LLVMValueRef is = gen_load_element(g, DT_BOOL, gen_memory_type(g, DT_BOOL),
                                       at_byte(g, at->inside, i32(g, (uint32_t)c)), 1);
    LLVMBuildStore(g->b, is, t->is_seen[c % RESULTS_PER_THREAD]);
}

/* Step u of an iteration: loads the next element and the weight, adds to all of the thread's
 * results. */
static void gen_step(struct window_tile *t, const struct row_at *at, int u, bool filtered) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    struct held held[2];
    see(t, at, u + RESULTS_PER_THREAD - 1, filtered);
    if (w != NULL) {
        LLVMValueRef place = at_byte(g, at->weight, i32(g, (uint32_t)u * bytes_of(w->dtype)));
        LLVMTypeRef memory = gen_memory_type(g, w->dtype);
        held[1] =
            (struct held){w, gen_load_element(g, w->dtype, memory, place, bytes_of(w->dtype))};
    }
    for (int r = 0; r < RESULTS_PER_THREAD; r++) {
        int k = (u + r) % RESULTS_PER_THREAD;
        held[0] =
            (struct held){t->w->x, LLVMBuildLoad2(g->b, gen_type(g, x_dtype(t)), t->seen[k], "")};
        add_element(t, r, held,
                    filtered ? LLVMBuildLoad2(g->b, gen_type(g, DT_BOOL), t->is_seen[k], "")
                             : NULL);
    }
}

/* Adds `count` (i32) steps along a row of the window. */
static void add_row(struct window_tile *t, struct row_at at, LLVMValueRef count, bool filtered) {
    struct gen *g = t->g;
    for (int c = 0; c < RESULTS_PER_THREAD - 1; c++)
        see(t, &at, c, filtered);
    const struct pval *w = t->w->w;
    uint32_t x_step = (RESULTS_PER_THREAD + 1) * bytes_of(x_dtype(t));
    uint32_t w_step = w != NULL ? RESULTS_PER_THREAD * bytes_of(w->dtype) : 0;
    LLVMValueRef first[] = {i32(g, 0), at.x, at.weight};
    LLVMValueRef begin = at.inside;
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], count));
    l.keep = true;
    at = (struct row_at){l.phi[1], filtered ? at_byte(g, begin, l.phi[0]) : NULL, l.phi[2]};
    for (int u = 0; u < RESULTS_PER_THREAD; u++) {
        if (u > 0) {
            LLVMBasicBlockRef more = gen_block(g, "step");
            LLVMValueRef step = add(g, l.phi[0], i32(g, (uint32_t)u));
            LLVMBuildCondBr(g->b, compare(g, LLVMIntULT, step, count), more, l.exit);
            gen_place(g, more);
        }
        gen_step(t, &at, u, filtered);
    }
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, RESULTS_PER_THREAD)),
                           at_byte(g, at.x, i32(g, x_step)), at_byte(g, at.weight, i32(g, w_step))};
    loop_end(g, &l, next);
}

/* Adds the part's rows.  If a tile has several rows, a warp's threads have the same columns. */
static void add_rows(struct window_tile *t, const struct extent *row, const struct extent *column,
                     bool filtered) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    uint32_t w_pitch = w != NULL ? (uint32_t)t->part_columns * bytes_of(w->dtype) : 0;
    LLVMValueRef place = multiply(g, t->down, i32(g, (uint32_t)pitch_of(t)));
    place = add(g, place, multiply(g, t->across, i32(g, RESULTS_PER_THREAD + 1)));
    struct row_at at = {at_byte(g, t->shared, multiply(g, place, i32(g, bytes_of(x_dtype(t))))),
                        NULL, t->weights};
    if (filtered)
        at.inside = at_byte(g, t->inside[axis_of(t, true)],
                            multiply(g, t->across, i32(g, RESULTS_PER_THREAD)));
    if (row == NULL) {
        add_row(t, at, column->count, filtered);
        return;
    }
    LLVMValueRef first[] = {i32(g, 0), at.x, at.weight};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], row->count));
    l.keep = true;
    at.x = l.phi[1];
    at.weight = l.phi[2];
    LLVMBasicBlockRef after = NULL;
    if (t->w->filter[0] != NULL) {
        LLVMValueRef y = at_byte(g, t->inside[0], add(g, t->down, l.phi[0]));
        after = begin_if(g, gen_load_element(g, DT_BOOL, gen_memory_type(g, DT_BOOL), y, 1));
    }
    add_row(t, at, column->count, filtered);
    if (after != NULL)
        end_if(g, after);
    uint32_t pitch = (uint32_t)pitch_of(t) * bytes_of(x_dtype(t));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), at_byte(g, at.x, i32(g, pitch)),
                           at_byte(g, at.weight, i32(g, w_pitch))};
    loop_end(g, &l, next);
}

/* i1: the filter passes all positions along a row that the thread's results read: it passes an
 * interval, so the first and the last one tell. */
static LLVMValueRef sees_inside(struct window_tile *t, const struct extent *column) {
    struct gen *g = t->g;
    int axis = axis_of(t, true);
    LLVMValueRef first = multiply(g, t->across, i32(g, RESULTS_PER_THREAD));
    LLVMValueRef last = add(g, first, add(g, column->count, i32(g, RESULTS_PER_THREAD - 2)));
    return both(g, passes_filter(t, axis, column, first), passes_filter(t, axis, column, last));
}

static void add_part(struct window_tile *t, const struct extent *row, const struct extent *column) {
    struct gen *g = t->g;
    if (t->w->filter[axis_of(t, true)] == NULL) {
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
    load_x(t, row, column);
    load_weights(t, row, column);
    load_filter(t, true, column);
    if (row != NULL)
        load_filter(t, false, row);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, t->has_result);
    add_part(t, row, column);
    end_if(g, after);
}

static void reduce_row_of_parts(struct window_tile *t, const struct extent *row) {
    struct gen *g = t->g;
    LLVMValueRef zero = i64(g, 0), end = gen_value(g, t->w->in[axis_of(t, true)]->hi);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    struct extent column = find_extent(t, true, l.phi[0]);
    reduce_part(t, row, &column);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)t->part_columns));
    loop_end(g, &l, &next);
}

static void reduce(struct window_tile *t) {
    struct gen *g = t->g;
    begin_accs(t);
    if (t->w->axes == 1) {
        reduce_row_of_parts(t, NULL);
        return;
    }
    LLVMValueRef zero = i64(g, 0), end = gen_value(g, t->w->in[0]->hi);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    struct extent row = find_extent(t, false, l.phi[0]);
    reduce_row_of_parts(t, &row);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)t->part_rows));
    loop_end(g, &l, &next);
}

/* ---- the kernel */

static void store_results(struct window_tile *t) {
    struct gen *g = t->g;
    const struct shape *s = &t->w->shape;
    struct results r = {.shape = s,
                        .shared = t->shared,
                        .rows = t->rows,
                        .columns = t->columns,
                        .member = t->tid,
                        .team = BLOCK_THREADS,
                        .row = t->row,
                        .column = t->column,
                        .end_row = gen_select(g, t->has_call, count_rows(g, s), i64(g, 0)),
                        .end_column = gen_terms(g, s->columns, s->ncolumns)};
    gpu(g)->barrier(g);
    for (int k = 0; k < RESULTS_PER_THREAD; k++) {
        select_accs(t, k);
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
    for (int axis = 0; axis < t->w->axes; axis++)
        if (t->w->filter[axis] != NULL)
            t->inside[axis] =
                shared_array(g, byte, (unsigned)positions[axis == axis_of(t, true)], 16, "inside");
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
    find_tile(&t, threads, calls);
    gufunc_find_operands(g, threads);
    find_shared(&t);
    reduce(&t);
    store_results(&t);
}
