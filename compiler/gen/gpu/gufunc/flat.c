/* flat.c: points of NEST that a thread takes side by side in memory, from row to row: neighbours of
 * rows that have no gaps between and are too short to begin where vectors do. */
#include "gufunc.h"

/* A thread's neighbours.  Those of a few rows are numbered together: struct ufc_phase's flat. */
struct flat {
    const struct pstmt *s;
    const struct prange *outer, *last;
    LLVMValueRef columns;     /* i32 */
    LLVMValueRef row, column; /* of the first, i64 and i32 */
};

/* Sets the indices of a point, and gives that behind it. */
static struct flat set_point(struct gen *g, const struct flat *f) {
    struct flat next = *f;
    LLVMBuildStore(g->b, f->row, var_of(g, f->outer->var)->slot);
    LLVMBuildStore(g->b, extended(g, f->column), var_of(g, f->last->var)->slot);
    LLVMValueRef column = add(g, f->column, i32(g, 1));
    LLVMValueRef ends = compare(g, LLVMIntEQ, column, f->columns);
    next.column = gen_select(g, ends, i32(g, 0), column);
    next.row = add(g, f->row, LLVMBuildZExt(g->b, ends, i64_type(g), ""));
    return next;
}

static void know_flat(struct gen *g, const struct flat *f) {
    const struct plan *p = g->plan;
    const struct ufc_phase *phase = &p->map.phase[f->s->phase];
    struct gen_array *arrays = NEWN(g->uc, struct gen_array, p->noperands + p->nlocals);
    for (int k = 0; k < p->noperands + p->nlocals; k++) {
        arrays[k] = g->arrays[k];
        if (k >= p->noperands || !(phase->flat >> k & 1))
            continue;
        int64_t bytes = dtype_info[p->operands[k].dtype].bits / 8 * (int64_t)phase->neighbours;
        arrays[k].flat = true;
        arrays[k].beside = (unsigned)ufc_vector_alignment(bytes);
    }
    g->arrays = arrays;
}

/* The body at all of the neighbours; or, where they are part of a batch, what loads their elements,
 * as its units from `unit` on. */
static void gen_all(struct gen *g, const struct flat *f, struct batch *batch, int unit) {
    struct beside points = {.var = f->last->var,
                            .outer = f->outer->var,
                            .first = extended(g, f->column),
                            .outer_first = f->row};
    struct flat at = *f;
    g->beside = &points;
    for (; points.copy < (int)g->plan->map.phase[f->s->phase].neighbours; points.copy++) {
        at = set_point(g, &at);
        if (batch != NULL)
            batch_load(g, batch, unit + points.copy, 1);
        else
            gen_stmts(g, f->s->body);
    }
    g->beside = NULL;
}

/* The body at the first n (i64) of them, one by one. */
static void gen_first(struct gen *g, const struct flat *f, LLVMValueRef n) {
    struct flat at = *f;
    LLVMValueRef first[] = {i64(g, 0), f->row, f->column};
    struct loop l = {.keep = true};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n));
    at.row = l.phi[1];
    at.column = l.phi[2];
    at = set_point(g, &at);
    gen_stmts(g, f->s->body);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), at.row, at.column};
    loop_end(g, &l, next);
}

/* The points that are left (i64) from the first one on. */
static LLVMValueRef points_left(struct gen *g, const struct flat *f, LLVMValueRef rows,
                                LLVMValueRef columns) {
    LLVMValueRef left = multiply(g, subtract(g, rows, f->row), columns);
    return subtract(g, left, extended(g, f->column));
}

/* The body at two places: at all of their points, whose elements are loaded first where they can
 * be, or at those that there are. */
static void gen_places(struct gen *g, const struct flat *f, const LLVMValueRef *left) {
    int each = (int)g->plan->map.phase[f->s->phase].neighbours;
    LLVMValueRef neighbours = i64(g, (uint64_t)each);
    struct gen_array *arrays = g->arrays;
    struct batch *batch = find_scalars(g, f->s);
    LLVMBasicBlockRef all = gen_block(g, "all"), some = gen_block(g, "some"),
                      done = gen_block(g, "places");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGE, left[1], neighbours), all, some);
    gen_place(g, all);
    know_flat(g, f);
    for (int k = 0; k < 2; k++)
        gen_all(g, &f[k], batch, k * each);
    if (batch != NULL)
        batch_compute_first(g, batch, 2 * each, each);
    g->arrays = arrays;
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    for (int k = 0; k < 2; k++)
        gen_first(g, &f[k], least(g, left[k], neighbours));
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* A thread's places have the same columns: what these alone need is loaded once. */
static void gen_flat(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct threads *t = g->threads;
    int last = at->n - 1;
    LLVMTypeRef word = i32_type(g);
    LLVMValueRef columns = size_of_range(g, at, last), rows = size_of_range(g, at, last - 1);
    LLVMValueRef first = LLVMBuildTrunc(g->b, t->position[last], word, "");
    LLVMValueRef apart = NEST_I64(g, apart), zero = i64(g, 0), left[2];
    struct flat f[2] = {{.s = s, .outer = at->range[last - 1], .last = at->range[last]}};
    f->columns = LLVMBuildTrunc(g->b, columns, word, "");
    LLVMValueRef below = LLVMBuildUDiv(g->b, first, f->columns, "");
    f->column = subtract(g, first, multiply(g, below, f->columns));
    for (int i = 0; i < last - 1; i++)
        set_position(g, at, i, t->position[i]);
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], NEST_I64(g, steps)));
    f->row = add(g, t->position[last - 1], extended(g, below));
    f->row = add(g, f->row, multiply(g, l.phi[0], apart));
    f[1] = f[0];
    f[1].row = add(g, f->row, apart);
    for (int k = 0; k < 2; k++)
        left[k] = gen_select(g, t->has_point, points_left(g, &f[k], rows, columns), zero);
    gen_places(g, f, left);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 2));
    loop_end(g, &l, &next);
}

void gen_flat_points(struct gen *g, const struct pstmt *s, const struct at *at,
                     LLVMBasicBlockRef done) {
    LLVMBasicBlockRef flat = gen_block(g, "flat"), other = gen_block(g, "rows");
    LLVMValueRef way = NEST_I32(g, neighbours);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, way, i32(g, UFC_FLAT)), flat, other);
    gen_place(g, flat);
    gen_flat(g, s, at);
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
}
