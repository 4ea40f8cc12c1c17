/* window_load.c: what a block of WINDOW copies to shared memory for a part of the window. */
#include "window.h"

/* Bytes to an index of x, i64 as it is, along an axis. */
static LLVMValueRef offset_along(struct window_tile *t, int axis, LLVMValueRef index) {
    struct gen *g = t->g;
    LLVMValueRef stride = g->arrays[t->w->x->operand].stride[axis];
    return g->target->multiply_wide(g, LLVMBuildTrunc(g->b, index, i32_type(g), ""),
                                    LLVMBuildTrunc(g->b, stride, i32_type(g), ""));
}

/* i1: a position, whose subscript is `index`, is in x, and is not one where zeros stand. */
static LLVMValueRef is_in(struct window_tile *t, int axis, const struct extent *e,
                          LLVMValueRef index, LLVMValueRef position) {
    struct gen *g = t->g;
    const struct poperand *o = &g->plan->operands[t->w->x->operand];
    LLVMValueRef in = compare(g, LLVMIntULT, index, g->dims[o->dims[axis]->index]);
    bool zeros = t->w->filter[axis] != NULL && t->w->zeros;
    return zeros ? both(g, in, window_passes(t, axis, e, position)) : in;
}

/* i1: the same of one that a result of the tile reads. */
static LLVMValueRef exists(struct window_tile *t, int axis, const struct extent *e,
                           LLVMValueRef index, LLVMValueRef position) {
    struct gen *g = t->g;
    return both(g, is_in(t, axis, e, index, position), compare(g, LLVMIntULT, position, e->seen));
}

/* How often a loader of a row loads an element of it, at most. */
static int load_steps(const struct window_tile *t) {
    return (t->columns + t->part_columns - 2) / t->loaders + 1;
}

/* The positions of a loader's elements along a row, and what is known of each. */
struct guarded {
    LLVMValueRef place[16];  /* i32: bytes in a row of shared memory */
    LLVMValueRef seen[16];   /* i1: a result of the tile may read it */
    LLVMValueRef exists[16]; /* i1: and it is in x, */
    LLVMValueRef offset[16]; /* i64: by so many bytes */
    int n;
};

static struct guarded find_guarded(struct window_tile *t, const struct extent *column) {
    struct gen *g = t->g;
    struct guarded l = {.n = load_steps(t)};
    int last = axis_of(t, true);
    LLVMValueRef at = LLVMBuildURem(g->b, t->tid, i32(g, (uint32_t)t->loaders), "");
    for (int k = 0; k < l.n; k++) {
        LLVMValueRef c = add(g, at, i32(g, (uint32_t)(k * t->loaders)));
        LLVMValueRef index = window_subscript(t, last, column, c);
        l.seen[k] = compare(g, LLVMIntULT, c, column->seen);
        l.exists[k] = both(g, t->has_call, exists(t, last, column, index, c));
        l.offset[k] = offset_along(t, last, index);
        l.place[k] = multiply(g, results_column(g, c), i32(g, bytes_of(x_dtype(t))));
    }
    return l;
}

/* The element at a place along a row that begins at `begin` (i64), or 0 where it does not exist. */
static LLVMValueRef load_guarded_element(struct window_tile *t, const struct guarded *l, int k,
                                         LLVMValueRef begin, LLVMValueRef exists_row) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, x_dtype(t));
    LLVMValueRef slot = gen_alloca(g, type, "x");
    LLVMBuildStore(g->b, LLVMConstNull(type), slot);
    LLVMBasicBlockRef after =
        begin_if(g, exists_row != NULL ? both(g, exists_row, l->exists[k]) : l->exists[k]);
    LLVMBuildStore(g->b, gen_element_at(g, t->w->x, add(g, begin, l->offset[k])), slot);
    end_if(g, after);
    return LLVMBuildLoad2(g->b, type, slot, "");
}

/* Loads a loader's elements of rows from y (i32) on, `apart` from one another, to shared memory.
 * Elements that do not exist are 0, which no result that exists reads or which changes none.  All
 * loads are under way before one is waited for. */
static void load_guarded_rows(struct window_tile *t, const struct extent *row,
                              const struct guarded *l, LLVMValueRef y, LLVMValueRef apart) {
    struct gen *g = t->g;
    enum ufc_dtype d = x_dtype(t);
    uint32_t pitch = (uint32_t)pitch_of(t) * bytes_of(d);
    LLVMValueRef value[LOADED_ROWS][16], first = y;
    int rows = row != NULL ? LOADED_ROWS : 1;
    for (int r = 0; r < rows; r++, y = row != NULL ? add(g, y, apart) : y) {
        LLVMValueRef begin = i64(g, 0), exists_row = NULL;
        if (row != NULL) {
            LLVMValueRef index = window_subscript(t, 0, row, y);
            exists_row = exists(t, 0, row, index, y);
            begin = offset_along(t, 0, index);
        }
        for (int k = 0; k < l->n; k++)
            value[r][k] = load_guarded_element(t, l, k, begin, exists_row);
    }
    y = first;
    for (int r = 0; r < rows; r++, y = row != NULL ? add(g, y, apart) : y) {
        LLVMValueRef to = at_byte(g, t->shared, multiply(g, y, i32(g, pitch)));
        LLVMValueRef is = r > 0 ? compare(g, LLVMIntULT, y, row->seen) : NULL;
        for (int k = 0; k < l->n; k++) {
            LLVMBasicBlockRef after =
                begin_if(g, is != NULL ? both(g, is, l->seen[k]) : l->seen[k]);
            gen_store_element(g, gen_memory_type(g, d), value[r][k], at_byte(g, to, l->place[k]),
                              bytes_of(d));
            end_if(g, after);
        }
    }
}

/* i1: all positions along an axis that the tile's results read are in x, and their subscripts are
 * not kept within other bounds: those of the first and the last one tell. */
static LLVMValueRef is_within(struct window_tile *t, int axis, const struct extent *e) {
    struct gen *g = t->g;
    LLVMValueRef all = t->has_call, at[] = {i32(g, 0), subtract(g, e->seen, i32(g, 1))};
    for (int i = 0; i < 2; i++) {
        LLVMValueRef index = window_subscript(t, axis, e, at[i]);
        LLVMValueRef moved = add(g, e->first, extended(g, at[i]));
        all = both(g, all, compare(g, LLVMIntEQ, index, moved));
        all = both(g, all, is_in(t, axis, e, index, at[i]));
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

/* Loads what the tile's results read to shared memory; `tested`: where some elements may not exist,
 * or be others. */
static void load_seen(struct window_tile *t, const struct extent *row, const struct extent *column,
                      bool tested) {
    struct gen *g = t->g;
    struct loaded loaded;
    struct guarded guarded;
    if (tested)
        guarded = find_guarded(t, column);
    else
        loaded = find_loaded(t, column);
    LLVMValueRef y = i32(g, 0), apart = NULL;
    struct loop l;
    if (row != NULL) {
        apart = i32(g, (uint32_t)(BLOCK_THREADS / t->loaders));
        y = LLVMBuildUDiv(g->b, t->tid, i32(g, (uint32_t)t->loaders), "");
        loop_begin(g, &l, 1, &y);
        loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], row->seen));
        l.keep = true;
        y = l.phi[0];
    }
    if (tested)
        load_guarded_rows(t, row, &guarded, y, apart);
    else
        load_rows(t, row, &loaded, y, apart);
    if (row != NULL) {
        LLVMValueRef next = add(g, y, multiply(g, apart, i32(g, LOADED_ROWS)));
        loop_end(g, &l, &next);
    }
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
    load_seen(t, row, column, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, guarded);
    load_seen(t, row, column, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Loads the part's weights, and which indices the window has, to shared memory, in the order of the
 * steps along positions.  Weights that do not exist are those of indices that no result has. */
static void load_weights(struct window_tile *t, const struct extent *row,
                         const struct extent *column) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    if (w == NULL && t->w->mask == NULL)
        return;
    LLVMValueRef n = i32(g, (uint32_t)t->part_columns), step[2], inside = NULL, weighs = NULL;
    step[0] = LLVMBuildUDiv(g->b, t->tid, n, "");
    step[1] = LLVMBuildURem(g->b, t->tid, n, "");
    LLVMValueRef offset = i64(g, 0);
    for (int axis = 0; axis < t->w->axes; axis++) {
        const struct extent *e = axis == axis_of(t, true) ? column : row;
        LLVMValueRef s = step[t->w->axes == 1 ? 1 : axis];
        LLVMValueRef in = t->w->sign[axis] > 0 ? add(g, e->in, extended(g, s))
                                               : subtract(g, e->in, extended(g, s));
        window_set_corner(t, axis, axis == axis_of(t, true) ? t->column : t->row, in);
        if (w != NULL) {
            const struct poperand *o = &g->plan->operands[w->operand];
            LLVMValueRef index = gen_value(g, t->w->weight[axis]);
            LLVMValueRef in_w = compare(g, LLVMIntULT, index, g->dims[o->dims[axis]->index]);
            offset = add(g, offset, multiply(g, index, g->arrays[w->operand].stride[axis]));
            weighs = weighs != NULL ? both(g, weighs, in_w) : in_w;
        }
        LLVMValueRef is = compare(g, LLVMIntULT, s, e->count);
        inside = inside != NULL ? both(g, inside, is) : is;
    }
    LLVMBasicBlockRef after = begin_if(g, both(g, inside, t->has_call));
    if (t->w->mask != NULL)
        gen_store_element(g, gen_memory_type(g, DT_BOOL), gen_value(g, t->w->mask),
                          at_byte(g, t->mask, t->tid), 1);
    if (w != NULL) {
        LLVMBasicBlockRef behind = begin_if(g, weighs);
        gen_store_element(g, gen_memory_type(g, w->dtype), gen_element_at(g, w, offset),
                          at_byte(g, t->weights, multiply(g, t->tid, i32(g, bytes_of(w->dtype)))),
                          bytes_of(w->dtype));
        end_if(g, behind);
    }
    end_if(g, after);
}

/* Stores to shared memory which positions along an axis the filter passes. */
static void load_filter(struct window_tile *t, bool column, const struct extent *e) {
    struct gen *g = t->g;
    int axis = axis_of(t, column);
    if (!window_filters(t, axis))
        return;
    struct loop l;
    loop_begin(g, &l, 1, &t->tid);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], e->seen));
    LLVMValueRef is = window_passes(t, axis, e, l.phi[0]);
    gen_store_element(g, gen_memory_type(g, DT_BOOL), is, at_byte(g, t->inside[axis], l.phi[0]), 1);
    LLVMValueRef next = add(g, l.phi[0], i32(g, BLOCK_THREADS));
    loop_end(g, &l, &next);
}

void window_load(struct window_tile *t, const struct extent *row, const struct extent *column) {
    load_x(t, row, column);
    load_weights(t, row, column);
    load_filter(t, true, column);
    if (row != NULL)
        load_filter(t, false, row);
}
