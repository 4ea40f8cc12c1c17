/* tile_part.c: the parts that a tile's reduction is cut into, by way of the workspace. */
#include "tile.h"

int tile_accs_bits(const struct tile *t) {
    int bits = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next)
        bits += dtype_info[a->acc->dtype].bits;
    return bits;
}

/* The address in the workspace of acc `n` of the thread's result i, j of a part. */
static LLVMValueRef partial_at(struct tile *t, LLVMValueRef part, int n, int i, int j) {
    struct gen *g = t->g;
    uint64_t results = (uint64_t)(t->team * t->per[0] * t->per[1]), before = 0, all = 0, bytes = 0;
    int k = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, k++) {
        uint64_t size = (uint64_t)dtype_info[a->acc->dtype].bits / 8;
        before += k < n ? size * results : 0;
        bytes = k == n ? size : bytes;
        all += size * results;
    }
    LLVMValueRef unit = multiply(g, t->own.number, extended(g, t->parts));
    unit = multiply(g, add(g, unit, extended(g, part)), i64(g, all));
    LLVMValueRef at = add(g, unit, multiply(g, extended(g, t->member), i64(g, bytes)));
    at = at_byte(g, global_pointer(g, param_i64(g, PARAM(workspace))), at);
    uint64_t result = (uint64_t)(i * t->per[1] + j) * (uint64_t)t->team;
    return at_byte(g, at, i64(g, before + result * bytes));
}

void tile_store_part(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef each =
        gen_select(g, t->joins, multiply(g, t->apart, i32(g, UFC_TILE_JOINED)), i32(g, 1));
    LLVMValueRef part = multiply(g, t->own.part, each);
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
                LLVMValueRef v =
                    LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), t->acc[n][i][j], "");
                LLVMBuildStore(g->b, v, partial_at(t, part, n, i, j));
            }
        }
}

/* Joins the accs of the team's parts, in their order, to what accs begin with: those of a thread's
 * rows from `row` on. */
static void join_rows(struct tile *t, int row, int rows) {
    struct gen *g = t->g;
    LLVMValueRef each = multiply(g, t->apart, i32(g, UFC_TILE_JOINED));
    LLVMValueRef first = multiply(g, t->own.part, each),
                 end = least(g, add(g, first, each), t->parts);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    for (int i = row; i < row + rows; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            tile_select_accs(t, i, j);
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
                LLVMValueRef at = partial_at(t, l.phi[0], n, i, j);
                LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), at, ""),
                               var_of(g, a->other)->slot);
            }
            gen_stmts(g, t->tiling->shape.joined);
        }
    LLVMValueRef next = add(g, l.phi[0], t->apart);
    loop_end(g, &l, &next);
}

/* All rows at once, or as many at a time as registers hold a part of beside the accs: ptxas loads
 * all that a loop's iteration joins before it joins any of it. */
void tile_join_parts(struct tile *t) {
    int rows = t->per[0];
    while (rows % 2 == 0 && rows * t->per[1] * tile_accs_bits(t) > MAX_PER * MAX_PER * 32)
        rows /= 2;
    for (int row = 0; row < t->per[0]; row += rows)
        join_rows(t, row, rows);
}
