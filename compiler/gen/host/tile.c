/* tile.c: contractions on the host.  A task computes PANEL_ROWS rows of results in a panel of
 * columns: PANEL_VECTORS vectors, or the columns that are left.  The sums of a few rows stay in
 * registers for PANEL_DEPTH products, then are added to the totals.  Where the elements of a panel
 * of b are far apart in memory, they are packed first.  (The scheme of K. Goto and R. van de Geijn,
 * 2008.) */
#include "gufunc.h"

struct panel {
    struct gen *g;
    const struct contraction *c;
    LLVMTypeRef element, vector;
    uint64_t size;                                  /* bytes of an element */
    int width, vectors;                             /* lanes of a vector; vectors across */
    LLVMValueRef rows, columns, depth;              /* sizes, i64 */
    LLVMValueRef begin, end, column;                /* rows of the task, and its first column */
    LLVMValueRef a_row, a_depth, b_depth, b_column; /* strides, bytes, i64 */
    LLVMValueRef zero;                              /* the sums' first value, an element */
    LLVMValueRef totals;                            /* [PANEL_ROWS][vectors] of vectors */
    LLVMValueRef packed;                            /* [PANEL_DEPTH][vectors] of vectors */
    LLVMValueRef contiguous;                        /* i1: columns of b are neighbours */
    LLVMValueRef in_place;                          /* i1: b is read in place, not packed */
};

static LLVMValueRef load(struct panel *t, LLVMTypeRef type, LLVMValueRef at) {
    LLVMValueRef v = LLVMBuildLoad2(t->g->b, type, at, "");
    LLVMSetAlignment(v, (unsigned)t->size);
    return v;
}

static void store(struct panel *t, LLVMValueRef v, LLVMValueRef at) {
    LLVMSetAlignment(LLVMBuildStore(t->g->b, v, at), (unsigned)t->size);
}

static uint64_t vector_bytes(const struct panel *t) {
    return t->size * (uint64_t)t->width;
}

/* An element in all lanes. */
static LLVMValueRef splat(struct panel *t, LLVMValueRef v) {
    struct lanes_scope outer = lanes_enter(t->g, t->width);
    v = gen_dynamic_splat(t->g, v);
    lanes_leave(t->g, outer);
    return v;
}

/* ---- sums */

/* The address of vector k of a row's totals. */
static LLVMValueRef total_at(struct panel *t, LLVMValueRef row, int k) {
    uint64_t bytes = vector_bytes(t);
    LLVMValueRef at =
        multiply(t->g, subtract(t->g, row, t->begin), i64(t->g, bytes * (uint64_t)t->vectors));
    return at_byte(t->g, t->totals, add(t->g, at, i64(t->g, bytes * (uint64_t)k)));
}

/* Adds products [from, to) of n rows to their totals; b: the panel's row of b for the first
 * product, step: bytes to that for the next. */
static void add_rows(struct panel *t, LLVMValueRef row, int n, LLVMValueRef from, LLVMValueRef to,
                     LLVMValueRef b, LLVMValueRef step) {
    struct gen *g = t->g;
    LLVMValueRef sum[PANEL_ROWS_HELD][PANEL_VECTORS], row_at[PANEL_ROWS_HELD];
    struct loop l;
    for (int r = 0; r < n; r++) {
        row_at[r] = multiply(g, t->a_row, i64(g, (uint64_t)r));
        for (int k = 0; k < t->vectors; k++) {
            sum[r][k] = gen_alloca(g, t->vector, "sum");
            LLVMBuildStore(g->b, splat(t, t->zero), sum[r][k]);
        }
    }
    LLVMValueRef a = at_byte(g, g->arrays[t->c->a->operand].base,
                             add(g, multiply(g, row, t->a_row), multiply(g, from, t->a_depth)));
    LLVMValueRef first[] = {from, a, b};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], to));
    LLVMValueRef y[PANEL_VECTORS];
    for (int k = 0; k < t->vectors; k++)
        y[k] = load(t, t->vector, at_byte(g, l.phi[2], i64(g, vector_bytes(t) * (uint64_t)k)));
    for (int r = 0; r < n; r++) {
        LLVMValueRef x = splat(t, load(t, t->element, at_byte(g, l.phi[1], row_at[r])));
        for (int k = 0; k < t->vectors; k++) {
            LLVMValueRef old = LLVMBuildLoad2(g->b, t->vector, sum[r][k], "");
            LLVMValueRef args[] = {x, y[k], old};
            LLVMBuildStore(g->b, gen_add_product(g, args), sum[r][k]);
        }
    }
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), at_byte(g, l.phi[1], t->a_depth),
                           at_byte(g, l.phi[2], step)};
    loop_end(g, &l, next);
    LLVMBasicBlockRef more = gen_block(g, "more"), one = gen_block(g, "first"),
                      done = gen_block(g, "added");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, from, i64(g, 0)), one, more);
    for (int way = 0; way < 2; way++) {
        gen_place(g, way ? more : one);
        for (int r = 0; r < n; r++)
            for (int k = 0; k < t->vectors; k++) {
                LLVMValueRef at = total_at(t, add(g, row, i64(g, (uint64_t)r)), k);
                LLVMValueRef v = LLVMBuildLoad2(g->b, t->vector, sum[r][k], "");
                store(t, way ? LLVMBuildFAdd(g->b, load(t, t->vector, at), v, "") : v, at);
            }
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* Copies a row of the panel, in vectors, or element by element where columns are apart. */
static void pack_row(struct panel *t, LLVMValueRef from, LLVMValueRef to) {
    struct gen *g = t->g;
    LLVMBasicBlockRef side = gen_block(g, "side"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "copied");
    LLVMBuildCondBr(g->b, t->contiguous, side, apart);
    gen_place(g, side);
    for (int k = 0; k < t->vectors; k++) {
        LLVMValueRef offset = i64(g, vector_bytes(t) * (uint64_t)k);
        store(t, load(t, t->vector, at_byte(g, from, offset)), at_byte(g, to, offset));
    }
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    struct loop l;
    LLVMValueRef first[] = {i64(g, 0), from, to};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l,
               compare(g, LLVMIntULT, l.phi[0], i64(g, (uint64_t)t->width * (uint64_t)t->vectors)));
    store(t, load(t, t->element, l.phi[1]), l.phi[2]);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), at_byte(g, l.phi[1], t->b_column),
                           at_byte(g, l.phi[2], i64(g, t->size))};
    loop_end(g, &l, next);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Packs the panel's rows [from, to); b: the address of the first one. */
static void pack(struct panel *t, LLVMValueRef b, LLVMValueRef from, LLVMValueRef to) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef first[] = {from, b, t->packed},
                 bytes = i64(g, vector_bytes(t) * (uint64_t)t->vectors);
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], to));
    pack_row(t, l.phi[1], l.phi[2]);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), at_byte(g, l.phi[1], t->b_depth),
                           at_byte(g, l.phi[2], bytes)};
    loop_end(g, &l, next);
}

/* Adds products [from, to) to the totals of all rows of the task. */
static void add_depth(struct panel *t, LLVMValueRef from, LLVMValueRef to) {
    struct gen *g = t->g;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef b =
        at_byte(g, g->arrays[t->c->b->operand].base,
                add(g, multiply(g, from, t->b_depth), multiply(g, t->column, t->b_column)));
    LLVMBasicBlockRef blocks[] = {LLVMGetInsertBlock(g->b), gen_block(g, "pack")};
    LLVMBasicBlockRef packed = gen_block(g, "packed");
    LLVMBuildCondBr(g->b, t->in_place, packed, blocks[1]);
    gen_place(g, blocks[1]);
    pack(t, b, from, to);
    blocks[1] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, packed);
    gen_place(g, packed);
    uint64_t bytes = vector_bytes(t) * (uint64_t)t->vectors;
    LLVMValueRef at[] = {b, t->packed}, steps[] = {t->b_depth, i64(g, bytes)};
    LLVMValueRef source = LLVMBuildPhi(g->b, pointer, ""),
                 step = LLVMBuildPhi(g->b, i64_type(g), "");
    LLVMAddIncoming(source, at, blocks, 2);
    LLVMAddIncoming(step, steps, blocks, 2);
    LLVMValueRef row = t->begin;
    static const int one_vector[] = {PANEL_ROWS_HELD, 4, 1}, two_vectors[] = {4, 1};
    int ways = t->vectors == 1 ? 3 : 2;
    for (int way = 0; way < ways; way++) {
        int n = (t->vectors == 1 ? one_vector : two_vectors)[way];
        struct loop l;
        loop_begin(g, &l, 1, &row);
        LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)n));
        loop_while(g, &l, compare(g, LLVMIntSLE, next, t->end));
        add_rows(t, l.phi[0], n, from, to, source, step);
        loop_end(g, &l, &next);
        row = l.phi[0];
    }
}

/* ---- results */

/* Runs the statements behind the reduction for vector k of a row's totals. */
static void finish_vector(struct panel *t, LLVMValueRef row, int k, bool unit) {
    struct gen *g = t->g;
    const struct pvar *j = t->c->shape.at->next->var;
    LLVMValueRef column = add(g, t->column, i64(g, (uint64_t)k * (uint64_t)t->width));
    LLVMBuildStore(g->b, row, var_of(g, t->c->shape.at->var)->slot);
    LLVMBuildStore(g->b, column, var_of(g, j)->slot);
    struct lanes_scope outer = lanes_enter(g, t->width);
    g->unit = unit;
    if (t->width > 1)
        LLVMBuildStore(g->b,
                       LLVMBuildAdd(g->b, gen_dynamic_splat(g, column), gen_lane_numbers(g), ""),
                       var_of(g, j)->lanes);
    LLVMBuildStore(g->b, load(t, t->vector, total_at(t, row, k)),
                   gen_slot_of(g, t->c->shape.accs->acc));
    gen_stmts(g, t->c->shape.rest);
    lanes_leave(g, outer);
}

static void finish_rows(struct panel *t, LLVMValueRef unit) {
    struct gen *g = t->g;
    struct loop l;
    loop_begin(g, &l, 1, &t->begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->end));
    LLVMBasicBlockRef side = gen_block(g, "side"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, unit, side, apart);
    for (int way = 0; way < 2; way++) {
        gen_place(g, way ? apart : side);
        for (int k = 0; k < t->vectors; k++)
            finish_vector(t, l.phi[0], k, !way);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* ---- tasks */

/* The columns from t->column on, in a panel of `vectors` vectors of `width` lanes. */
static void gen_panel(struct panel *t, int width, int vectors, LLVMValueRef unit) {
    struct gen *g = t->g;
    struct loop l;
    t->width = width;
    t->vectors = vectors;
    t->vector = width > 1 ? LLVMVectorType(t->element, (unsigned)width) : t->element;
    if (width > 1)
        gen_lane_slots(g, width);
    LLVMValueRef zero = i64(g, 0);
    LLVMBasicBlockRef done = gen_block(g, "done"), more = gen_block(g, "deeper");
    loop_begin(g, &l, 1, &zero);
    LLVMValueRef to = add(g, l.phi[0], i64(g, PANEL_DEPTH));
    add_depth(t, l.phi[0], least(g, to, t->depth));
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLT, to, t->depth), more, done);
    gen_place(g, more);
    loop_end(g, &l, &to);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    finish_rows(t, unit);
}

/* How many panels, or groups of rows, of `size` cover n (i64). */
static LLVMValueRef count_parts(struct gen *g, LLVMValueRef n, int size) {
    return LLVMBuildUDiv(g->b, add(g, n, i64(g, (uint64_t)size - 1)), i64(g, (uint64_t)size), "");
}

/* Is the reduction `sum = fma(x, y, sum)`, of elements of one type, from a constant on? */
static bool is_product_sum(const struct shape *s) {
    const struct pstmt *set = s->body, *zero = s->first;
    if (s->naccs != 1 || s->filter != NULL || s->in->next != NULL || set == NULL ||
        set->next != NULL || set->kind != PS_SET || set->value->kind != PV_FMA)
        return false;
    const struct pvar *sum = s->accs->acc;
    const struct pval *v = set->value;
    bool floats = sum->dtype == DT_FLOAT32 || sum->dtype == DT_FLOAT64;
    for (int i = 0; i < 2; i++)
        if (v->args[i]->kind != PV_ELEM || v->args[i]->dtype != sum->dtype)
            return false;
    return floats && set->var == sum && v->args[2]->kind == PV_VAR && v->args[2]->var == sum &&
           zero->kind == PS_SET && zero->var == sum && zero->value->kind == PV_CONST &&
           zero->next != NULL && zero->next->kind == PS_SPREAD;
}

bool host_tiles(struct gen *g, const struct pstmt *s) {
    const struct contraction *c = g->plan->map.contraction;
    return c != NULL && s == g->plan->body->body && is_product_sum(&c->shape);
}

LLVMValueRef host_tile_count(struct gen *g) {
    const struct contraction *c = g->plan->map.contraction;
    LLVMValueRef rows = gen_scalar(g, c->shape.at->hi),
                 columns = gen_scalar(g, c->shape.at->next->hi);
    return multiply(g, count_parts(g, rows, PANEL_ROWS),
                    count_parts(g, columns, PANEL_VECTORS * g->vector_lanes));
}

void host_tile(struct gen *g, const struct pstmt *s, LLVMValueRef task, LLVMValueRef unit) {
    const struct contraction *c = g->plan->map.contraction;
    const struct gen_array *a = &g->arrays[c->a->operand], *b = &g->arrays[c->b->operand];
    struct panel t = {.g = g, .c = c};
    int lanes = g->vector_lanes, across = PANEL_VECTORS * lanes;
    t.element = gen_scalar_type(g, c->shape.accs->acc->dtype);
    t.size = (uint64_t)dtype_info[c->shape.accs->acc->dtype].bits / 8;
    t.rows = gen_scalar(g, c->shape.at->hi);
    t.columns = gen_scalar(g, c->shape.at->next->hi);
    t.depth = gen_scalar(g, c->shape.in->hi);
    t.a_row = a->stride[c->a_row];
    t.a_depth = a->stride[1 - c->a_row];
    t.b_column = b->stride[c->b_column];
    t.b_depth = b->stride[1 - c->b_column];
    t.contiguous = compare(g, LLVMIntEQ, t.b_column, i64(g, t.size));
    t.zero = gen_scalar(g, s->body->value);
    LLVMTypeRef vector = LLVMVectorType(t.element, (unsigned)across);
    t.totals = gen_alloca(g, LLVMArrayType2(vector, PANEL_ROWS), "totals");
    t.packed = gen_alloca(g, LLVMArrayType2(vector, PANEL_DEPTH), "packed");
    LLVMValueRef groups = count_parts(g, t.rows, PANEL_ROWS);
    t.begin = multiply(g, LLVMBuildURem(g->b, task, groups, ""), i64(g, PANEL_ROWS));
    t.end = least(g, add(g, t.begin, i64(g, PANEL_ROWS)), t.rows);
    t.column = multiply(g, LLVMBuildUDiv(g->b, task, groups, ""), i64(g, (uint64_t)across));
    LLVMValueRef few = compare(g, LLVMIntSLE, subtract(g, t.end, t.begin), i64(g, PANEL_FEW_ROWS));
    LLVMValueRef near = compare(g, LLVMIntULE, t.b_depth, i64(g, PANEL_NEAR));
    t.in_place = both(g, t.contiguous, LLVMBuildOr(g->b, few, near, ""));
    LLVMValueRef left = subtract(g, t.columns, t.column);
    LLVMBasicBlockRef whole = gen_block(g, "whole"), partial = gen_block(g, "some"),
                      done = gen_block(g, "tiled");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGE, left, i64(g, (uint64_t)across)), whole, partial);
    gen_place(g, whole);
    gen_panel(&t, lanes, PANEL_VECTORS, unit);
    LLVMBuildBr(g->b, done);
    gen_place(g, partial);
    LLVMValueRef column = gen_alloca(g, i64_type(g), "column");
    LLVMBuildStore(g->b, t.column, column);
    for (int width = lanes; width > 0; width /= 2) {
        LLVMValueRef bit = LLVMBuildAnd(g->b, left, i64(g, (uint64_t)width), "");
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, bit, i64(g, 0)));
        t.column = LLVMBuildLoad2(g->b, i64_type(g), column, "");
        gen_panel(&t, width, 1, unit);
        LLVMBuildStore(g->b, add(g, t.column, i64(g, (uint64_t)width)), column);
        end_if(g, after);
    }
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}
