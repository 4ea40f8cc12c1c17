/* squares.c: a thread's share of points in any order: every so many of all of them, or, where
 * elements lie along the last range as well as along the one before it, points of squares of
 * threads. */
#include "gufunc.h"

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Stops at an access along both of the last two ranges. */
static enum walk find_square(const struct pval *v, void *arg) {
    const struct nest *n = arg;
    bool along = v->kind == PV_ELEM;
    for (int i = n->n - 2; i < n->n; i++)
        along = along && !value_walk(v, find_var, n->range[i]->var);
    return along ? WALK_STOP : WALK_IN;
}

static bool has_squares(struct gen *g, const struct pstmt *s, struct nest *n) {
    const struct plan_visitor visitor = {.value = find_square};
    return g->threads->kind == UFC_KERNEL_NEST && !s->ordered && n->n > 1 &&
           !plan_walk(s->body, &visitor, n);
}

/* Leaves of range i every `apart`-th point from `first` on. */
static void take_every(struct gen *g, struct nest *n, int i, LLVMValueRef first,
                       LLVMValueRef apart) {
    LLVMValueRef left = add(g, LLVMBuildSub(g->b, n->count[i], first, ""), apart);
    left = LLVMBuildSub(g->b, left, i64(g, 1), "");
    n->count[i] = LLVMBuildSDiv(g->b, left, apart, "");
    n->lo[i] = add(g, n->lo[i], multiply(g, first, n->step[i]));
    n->step[i] = multiply(g, n->step[i], apart);
    n->total = i64(g, 1);
    for (int k = 0; k < n->n; k++)
        n->total = multiply(g, n->total, n->count[k]);
}

/* Where a thread is in its square, and where that is: of bits of the thread's number. */
static LLVMValueRef place_in_squares(struct gen *g, LLVMValueRef in, LLVMValueRef square) {
    const uint64_t side = UFC_SQUARE;
    return add(g, LLVMBuildAnd(g->b, in, i64(g, side - 1), ""), multiply(g, square, i64(g, side)));
}

/* The thread's share where threads share the last two ranges in squares, `columns` of them along
 * the last one: rows and columns of its own. */
static void gen_squares(struct gen *g, const struct taking *k, const struct nest *n,
                        LLVMValueRef columns) {
    const struct threads *t = g->threads;
    const uint64_t side = UFC_SQUARE;
    struct nest own = *n;
    LLVMValueRef in_row = LLVMBuildUDiv(g->b, t->number, i64(g, side), "");
    LLVMValueRef square = LLVMBuildUDiv(g->b, in_row, i64(g, side), "");
    LLVMValueRef across = LLVMBuildUDiv(g->b, columns, i64(g, side), "");
    LLVMValueRef down = LLVMBuildUDiv(g->b, square, across, "");
    LLVMValueRef first = LLVMBuildSub(g->b, square, multiply(g, down, across), "");
    take_every(g, &own, n->n - 1, place_in_squares(g, t->number, first), columns);
    take_every(g, &own, n->n - 2, place_in_squares(g, in_row, down),
               LLVMBuildUDiv(g->b, t->count, columns, ""));
    /* a thread without a point has no share, and no place among squares */
    LLVMValueRef end = gen_select(g, t->has_point, own.total, i64(g, 0));
    gen_points(g, k, &own, i64(g, 0), end, i64(g, 1));
}

void gen_unordered(struct gen *g, const struct taking *k, struct nest *n) {
    const struct threads *t = g->threads;
    if (!has_squares(g, k->spread, n)) {
        gen_points(g, k, n, t->number, n->total, t->count);
        return;
    }
    LLVMBasicBlockRef line = gen_block(g, "line"), squares = gen_block(g, "squares"),
                      done = gen_block(g, "unordered");
    LLVMValueRef across = param_i32(g, PARAM(across));
    LLVMBuildCondBr(g->b, is_set(g, across), squares, line);
    gen_place(g, squares);
    gen_squares(g, k, n, LLVMBuildShl(g->b, i64(g, 1), extended(g, across), ""));
    LLVMBuildBr(g->b, done);
    gen_place(g, line);
    gen_points(g, k, n, t->number, n->total, t->count);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

LLVMValueRef share_from(struct gen *g, LLVMValueRef first) {
    const struct threads *t = g->threads;
    LLVMValueRef has = compare(g, LLVMIntSLT, t->number, t->count);
    return gen_select(g, has, add(g, first, t->number), i64(g, INT64_MAX));
}
