/* gen_tile.c: the GPU kernels of contractions.  A team of threads computes a tile of results: parts
 * of both matrices, DEPTH along the sum, go to shared memory, and each thread adds the products of
 * PER x PER results in registers.  Rows of a thread are neighbours, its columns are apart by as
 * many as the team has across, so that neighbouring threads store to neighbouring places. (The
 * scheme of V. Volkov and J. Demmel, 2008.) */
#include "gen_core.h"

enum { PER = 4, DEPTH = 16, PAD = 4 };

struct tile {
    struct gen *g;
    const struct contraction *c;
    int size, team;                    /* rows and columns; threads */
    LLVMTypeRef type;                  /* of elements */
    LLVMValueRef member, across, down; /* the thread's number in its team, its place in the tile */
    LLVMValueRef row, column;          /* of the tile's first result, i64 */
    LLVMValueRef rows, columns, depth; /* sizes, i64 */
    LLVMValueRef some;                 /* i1: the team has a tile */
    LLVMValueRef a, b;                 /* shared memory, the team's part: [DEPTH][size + PAD] */
    LLVMValueRef sum[PER][PER];        /* slots */
};

static LLVMValueRef extended(struct gen *g, LLVMValueRef v) {
    return LLVMBuildZExt(g->b, v, i64_type(g), "");
}

static LLVMValueRef load_slot(struct tile *t, LLVMValueRef slot) {
    return LLVMBuildLoad2(t->g->b, t->type, slot, "");
}

/* ---- which tile */

static LLVMValueRef tiles_along(struct tile *t, LLVMValueRef n) {
    LLVMValueRef up = add(t->g, n, i64(t->g, (uint64_t)t->size - 1));
    return LLVMBuildUDiv(t->g->b, up, i64(t->g, (uint64_t)t->size), "");
}

static void find_tile(struct tile *t, struct threads *threads, LLVMValueRef calls) {
    struct gen *g = t->g;
    LLVMValueRef thread = threads->call; /* of the grid */
    LLVMValueRef number = LLVMBuildUDiv(g->b, thread, i64(g, (uint64_t)t->team), "");
    LLVMValueRef across = tiles_along(t, t->columns), down = tiles_along(t, t->rows);
    LLVMValueRef each = multiply(g, across, down);
    LLVMValueRef none = compare(g, LLVMIntEQ, each, i64(g, 0));
    each = gen_select(g, none, i64(g, 1), each);
    across = gen_select(g, none, i64(g, 1), across);
    LLVMValueRef call = LLVMBuildUDiv(g->b, number, each, "");
    LLVMValueRef tile = LLVMBuildURem(g->b, number, each, "");
    t->some = compare(g, LLVMIntSLT, call, calls);
    threads->call = gen_select(g, t->some, call, i64(g, 0));
    LLVMValueRef size = i64(g, (uint64_t)t->size);
    t->row = multiply(g, LLVMBuildUDiv(g->b, tile, across, ""), size);
    t->column = multiply(g, LLVMBuildURem(g->b, tile, across, ""), size);
}

static void find_place(struct tile *t, const struct threads *threads) {
    struct gen *g = t->g;
    LLVMValueRef wide = i32(g, (uint32_t)(t->size / PER));
    t->member = LLVMBuildURem(g->b, threads->tid, i32(g, (uint32_t)t->team), "");
    t->across = LLVMBuildURem(g->b, t->member, wide, "");
    t->down = LLVMBuildUDiv(g->b, t->member, wide, "");
}

static void find_shared(struct tile *t, const struct threads *threads) {
    struct gen *g = t->g;
    int teams = BLOCK_THREADS / t->team, each = DEPTH * (t->size + PAD);
    LLVMValueRef team = LLVMBuildUDiv(g->b, threads->tid, i32(g, (uint32_t)t->team), "");
    LLVMValueRef first = multiply(g, team, i32(g, (uint32_t)each));
    LLVMValueRef a = core_shared(g, t->type, teams * each, "tile_a"),
                 b = core_shared(g, t->type, teams * each, "tile_b");
    t->a = LLVMBuildGEP2(g->b, t->type, a, &first, 1, "");
    t->b = LLVMBuildGEP2(g->b, t->type, b, &first, 1, "");
}

/* Element [k][x] of a shared part: i32 both. */
static LLVMValueRef shared_at(struct tile *t, LLVMValueRef part, LLVMValueRef k, LLVMValueRef x) {
    struct gen *g = t->g;
    LLVMValueRef at = add(g, multiply(g, k, i32(g, (uint32_t)(t->size + PAD))), x);
    return LLVMBuildGEP2(g->b, t->type, part, &at, 1, "");
}

/* ---- to shared memory */

/* Element number e of DEPTH x size goes to [k][x].  Neighbouring threads take neighbours in memory:
 * along k, or along x. */
static void load_element(struct tile *t, const struct pval *matrix, int other, LLVMValueRef part,
                         LLVMValueRef first, LLVMValueRef end, LLVMValueRef k0,
                         LLVMValueRef along_k, int e) {
    struct gen *g = t->g;
    LLVMValueRef number = add(g, t->member, i32(g, (uint32_t)(e * t->team)));
    LLVMValueRef depth = i32(g, DEPTH), size = i32(g, (uint32_t)t->size);
    LLVMValueRef k = gen_select(g, along_k, LLVMBuildURem(g->b, number, depth, ""),
                                LLVMBuildUDiv(g->b, number, size, ""));
    LLVMValueRef x = gen_select(g, along_k, LLVMBuildUDiv(g->b, number, depth, ""),
                                LLVMBuildURem(g->b, number, size, ""));
    LLVMValueRef at_k = add(g, k0, extended(g, k)), at_x = add(g, first, extended(g, x));
    LLVMValueRef inside =
        both(g, compare(g, LLVMIntSLT, at_k, t->depth), compare(g, LLVMIntSLT, at_x, end));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), load = gen_block(g, "load"),
                      done = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, both(g, inside, t->some), load, done);
    gen_place(g, load);
    LLVMBuildStore(g->b, at_k, t->c->k->var->slot);
    LLVMBuildStore(g->b, at_x, (other == 0 ? t->c->i : t->c->j)->var->slot);
    LLVMValueRef v = gen_value(g, matrix);
    LLVMBuildBr(g->b, done);
    load = LLVMGetInsertBlock(g->b);
    gen_place(g, done);
    LLVMValueRef zero = LLVMConstNull(t->type), value = LLVMBuildPhi(g->b, t->type, "");
    LLVMAddIncoming(value, &v, &load, 1);
    LLVMAddIncoming(value, &zero, &here, 1);
    LLVMBuildStore(g->b, value, shared_at(t, part, k, x));
}

/* Does the sum's index go along the smaller stride of a matrix? */
static LLVMValueRef runs_along_k(struct tile *t, const struct pval *matrix, int other) {
    const struct gen_array *a = &t->g->arrays[matrix->operand];
    return compare(t->g, LLVMIntSLE, a->stride[1 - other], a->stride[other]);
}

static void load_parts(struct tile *t, LLVMValueRef k0) {
    const struct contraction *c = t->c;
    int each = DEPTH * t->size / t->team;
    LLVMValueRef along_a = runs_along_k(t, c->a, c->a_row),
                 along_b = runs_along_k(t, c->b, c->b_column);
    for (int e = 0; e < each; e++)
        load_element(t, c->a, 0, t->a, t->row, t->rows, k0, along_a, e);
    for (int e = 0; e < each; e++)
        load_element(t, c->b, 1, t->b, t->column, t->columns, k0, along_b, e);
}

/* ---- products */

static void add_products(struct tile *t, int k) {
    struct gen *g = t->g;
    LLVMValueRef a[PER], b[PER], at_k = i32(g, (uint32_t)k);
    for (int i = 0; i < PER; i++) {
        LLVMValueRef x = add(g, multiply(g, t->down, i32(g, PER)), i32(g, (uint32_t)i));
        a[i] = load_slot(t, shared_at(t, t->a, at_k, x));
    }
    for (int j = 0; j < PER; j++) {
        LLVMValueRef x = add(g, t->across, i32(g, (uint32_t)(j * (t->size / PER))));
        b[j] = load_slot(t, shared_at(t, t->b, at_k, x));
    }
    for (int i = 0; i < PER; i++)
        for (int j = 0; j < PER; j++) {
            LLVMValueRef args[] = {a[i], b[j], load_slot(t, t->sum[i][j])};
            LLVMBuildStore(g->b, gen_intrinsic(g, "fma", NULL, args, 3), t->sum[i][j]);
        }
}

static void gen_sums(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef zero = i64(g, 0);
    struct loop l;
    for (int i = 0; i < PER; i++)
        for (int j = 0; j < PER; j++) {
            t->sum[i][j] = gen_alloca(g, t->type, "sum");
            LLVMBuildStore(g->b, LLVMConstNull(t->type), t->sum[i][j]);
        }
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->depth));
    load_parts(t, l.phi[0]);
    gen_barrier(g);
    for (int k = 0; k < DEPTH; k++)
        add_products(t, k);
    gen_barrier(g);
    LLVMValueRef next = add(g, l.phi[0], i64(g, DEPTH));
    loop_end(g, &l, &next);
}

/* ---- results */

static void store_result(struct tile *t, int i, int j) {
    struct gen *g = t->g;
    LLVMValueRef x = add(g, multiply(g, t->down, i32(g, PER)), i32(g, (uint32_t)i));
    LLVMValueRef y = add(g, t->across, i32(g, (uint32_t)(j * (t->size / PER))));
    LLVMValueRef row = add(g, t->row, extended(g, x)), column = add(g, t->column, extended(g, y));
    LLVMValueRef inside =
        both(g, compare(g, LLVMIntSLT, row, t->rows), compare(g, LLVMIntSLT, column, t->columns));
    LLVMBasicBlockRef store = gen_block(g, "store"), done = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, both(g, inside, t->some), store, done);
    gen_place(g, store);
    LLVMBuildStore(g->b, row, t->c->i->var->slot);
    LLVMBuildStore(g->b, column, t->c->j->var->slot);
    LLVMBuildStore(g->b, load_slot(t, t->sum[i][j]), t->c->sum->slot);
    gen_stmts(g, t->c->rest);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

void gen_tile(struct gen *g, struct threads *threads, LLVMValueRef calls, int size) {
    const struct contraction *c = g->plan->map.contraction;
    struct tile t = {.g = g, .c = c, .size = size, .team = size / PER * (size / PER)};
    t.type = gen_type(g, c->sum->dtype);
    t.rows = core_terms(g, c->rows, c->nrows);
    t.columns = core_terms(g, c->columns, c->ncolumns);
    t.depth = gen_value(g, c->k->hi);
    find_tile(&t, threads, calls);
    core_find_operands(g, threads);
    find_place(&t, threads);
    find_shared(&t, threads);
    gen_sums(&t);
    for (int i = 0; i < PER; i++)
        for (int j = 0; j < PER; j++)
            store_result(&t, i, j);
}
