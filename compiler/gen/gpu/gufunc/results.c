/* results.c: the results of TILE and WINDOW.  The threads' accs go to shared memory; from there
 * other threads take them, so that neighbouring threads store neighbouring elements. */
#include "gufunc.h"

static unsigned acc_size(const struct pacc *a) {
    return (unsigned)dtype_info[a->acc->dtype].bits / 8;
}

/* Elements from row to row in shared memory. */
static unsigned pitch_of(int columns) {
    return (unsigned)(columns + columns / PAD_EVERY) | 1;
}

/* Bytes of shared memory for one acc of all results. */
static unsigned acc_bytes(const struct pacc *a, int rows, int columns) {
    return ((unsigned)rows * pitch_of(columns) * acc_size(a) + 15) / 16 * 16;
}

unsigned results_bytes(const struct shape *s, int rows, int columns) {
    unsigned bytes = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        bytes += acc_bytes(a, rows, columns);
    return bytes;
}

LLVMValueRef tiles_along(struct gen *g, LLVMValueRef n, int size) {
    LLVMValueRef up = add(g, n, i64(g, (uint64_t)size - 1));
    LLVMValueRef tiles = LLVMBuildUDiv(g->b, up, i64(g, (uint64_t)size), "");
    return LLVMBuildTrunc(g->b, tiles, i32_type(g), "");
}

LLVMValueRef results_column(struct gen *g, LLVMValueRef x) {
    return add(g, x, LLVMBuildUDiv(g->b, x, i32(g, PAD_EVERY), ""));
}

/* The address in shared memory of acc a of the result in row y, column x. */
static LLVMValueRef result_at(struct gen *g, const struct results *r, const struct pacc *a,
                              LLVMValueRef y, LLVMValueRef x) {
    uint32_t before = 0;
    for (const struct pacc *b = r->shape->accs; b != a; b = b->next)
        before += acc_bytes(b, r->rows, r->columns);
    LLVMValueRef at = add(g, multiply(g, y, i32(g, pitch_of(r->columns))), results_column(g, x));
    at = add(g, multiply(g, at, i32(g, acc_size(a))), i32(g, before));
    return at_byte(g, r->shared, at);
}

void results_put(struct gen *g, const struct results *r, LLVMValueRef y, LLVMValueRef x) {
    for (const struct pacc *a = r->shape->accs; a != NULL; a = a->next)
        LLVMBuildStore(
            g->b, LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, ""),
            result_at(g, r, a, y, x));
}

void gen_constants(struct gen *g, const struct pstmt *s) {
    for (; s->kind == PS_SET; s = s->next)
        LLVMBuildStore(g->b, gen_value(g, s->value), var_of(g, s->var)->slot);
}

/* i1: results in a column are closer in memory than those in a row. */
static LLVMValueRef goes_down(struct gen *g, const struct shape *s) {
    const struct pstmt *put = s->rest;
    while (put != NULL && put->kind != PS_PUT)
        put = put->next;
    LLVMValueRef row = NULL, column = NULL;
    for (int i = 0; put != NULL && i < put->place->nargs; i++) {
        const struct pval *v = put->place->args[i];
        if (v->kind == PV_VAR && v->var == s->at->var)
            row = g->arrays[put->place->operand].stride[i];
        else if (v->kind == PV_VAR && s->at->next != NULL && v->var == s->at->next->var)
            column = g->arrays[put->place->operand].stride[i];
    }
    if (row == NULL || column == NULL)
        return LLVMConstInt(LLVMInt1TypeInContext(g->context), 0, false);
    return compare(g, LLVMIntSLT, row, column);
}

/* The tile's row that is row y of shared memory. */
static LLVMValueRef row_of(struct gen *g, const struct results *r, LLVMValueRef y) {
    LLVMValueRef first = i32(g, (uint32_t)r->first), group = i32(g, (uint32_t)r->group);
    if (r->group == r->rows)
        return add(g, first, y);
    LLVMValueRef number = LLVMBuildUDiv(g->b, y, group, ""), in = LLVMBuildURem(g->b, y, group, "");
    return add(g, first, add(g, multiply(g, number, i32(g, (uint32_t)r->group_step)), in));
}

/* Runs the statements behind the reduction for the result in row y, column x, if it exists. */
static void finish_result(struct gen *g, const struct results *r, LLVMValueRef y, LLVMValueRef x) {
    const struct shape *s = r->shape;
    LLVMValueRef row = row_of(g, r, y);
    LLVMValueRef inside =
        both(g, compare(g, LLVMIntSLT, row, elements_left(g, r->end_row, r->row)),
             compare(g, LLVMIntSLT, x, elements_left(g, r->end_column, r->column)));
    LLVMBasicBlockRef after = begin_if(g, inside);
    LLVMValueRef index[] = {add(g, r->row, extended(g, row)), add(g, r->column, extended(g, x))};
    for (int i = s->at->next == NULL; i < 2; i++)
        LLVMBuildStore(g->b, index[i],
                       var_of(g, (i == 1 && s->at->next ? s->at->next : s->at)->var)->slot);
    gen_constants(g, s->first);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        LLVMBuildStore(
            g->b, LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), result_at(g, r, a, y, x), ""),
            var_of(g, a->acc)->slot);
    gen_stmts(g, s->rest);
    end_if(g, after);
}

/* Stores all results, with the team's neighbouring threads along rows (inner 1) or columns (inner
 * 0), which have `length` results. */
static void store_along(struct gen *g, const struct results *r, int inner, int length) {
    int steps = r->rows * r->columns / r->team;
    LLVMValueRef n = i32(g, (uint32_t)length), zero = i32(g, 0);
    LLVMValueRef along = LLVMBuildURem(g->b, r->member, n, "");
    LLVMValueRef over = LLVMBuildUDiv(g->b, r->member, n, "");
    LLVMValueRef step_along = i32(g, (uint32_t)(length > r->team ? r->team : 0));
    LLVMValueRef step_over = i32(g, (uint32_t)(length > r->team ? 0 : r->team / length));
    LLVMValueRef first[] = {zero, over, along};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)steps)));
    l.keep = true;
    over = l.phi[1];
    along = l.phi[2];
    for (int k = 0; k < RESULT_STEPS && k < steps; k++) {
        finish_result(g, r, inner == 1 ? over : along, inner == 1 ? along : over);
        over = add(g, over, step_over);
        along = add(g, along, step_along);
    }
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, RESULT_STEPS)), over, along};
    loop_end(g, &l, next);
}

void results_store(struct gen *g, const struct results *r) {
    LLVMBasicBlockRef down = gen_block(g, "down"), across = gen_block(g, "across"),
                      done = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, goes_down(g, r->shape), down, across);
    gen_place(g, down);
    store_along(g, r, 0, r->rows);
    LLVMBuildBr(g->b, done);
    gen_place(g, across);
    store_along(g, r, 1, r->columns);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}
