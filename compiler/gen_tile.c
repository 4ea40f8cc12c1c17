/* gen_tile.c: the GPU kernels of contractions.  A team of threads computes a tile of results: parts
 * of both matrices, DEPTH along the sum, go to shared memory, and each thread adds the products of
 * per x per results in registers.  Rows of a thread are neighbours, its columns are apart by as
 * many as the team has across, so that neighbouring threads store to neighbouring places. (The
 * scheme of V. Volkov and J. Demmel, 2008.) */
#include "gen_core.h"

enum { MOST = 4, DEPTH = 16, PAD = 4, TURNS = 4 };

struct tile {
    struct gen *g;
    const struct contraction *c;
    int size, per, team;               /* rows and columns, of a thread too; threads */
    LLVMTypeRef type;                  /* of elements */
    LLVMValueRef member, across, down; /* the thread's number in its team, its place in the tile */
    LLVMValueRef row, column;          /* of the tile's first result, i64 */
    LLVMValueRef rows, columns, depth; /* sizes, i64 */
    LLVMValueRef some;                 /* i1: the team has a tile */
    LLVMValueRef a, b;                 /* shared memory, the team's part: [DEPTH][size + PAD] */
    LLVMValueRef sum[MOST][MOST];      /* slots */
};

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
    LLVMValueRef wide = i32(g, (uint32_t)(t->size / t->per));
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

/* A matrix on its way: x is its row or column, whichever is not the sum's index k. */
struct part {
    const struct pval *matrix;
    int x_axis;
    LLVMValueRef shared, first, end;   /* x of the tile's first, and of all */
    LLVMValueRef slot[DEPTH];          /* the thread's elements under way */
    LLVMValueRef k, x, step_k, step_x; /* where the first goes, and from one to the next: i32 */
};

/* Does k go along the smaller stride?  Then neighbouring threads take neighbours along k, else
 * along x. */
static LLVMValueRef runs_along_k(struct tile *t, const struct part *p) {
    const struct gen_array *a = &t->g->arrays[p->matrix->operand];
    return compare(t->g, LLVMIntSLE, a->stride[1 - p->x_axis], a->stride[p->x_axis]);
}

/* How many of `most` are left from `first` on, i32. */
static LLVMValueRef left_of(struct tile *t, LLVMValueRef end, LLVMValueRef first, int most) {
    struct gen *g = t->g;
    LLVMValueRef left = LLVMBuildSub(g->b, end, first, ""), all = i64(g, (uint64_t)most);
    left = gen_select(g, compare(g, LLVMIntSLT, left, all), left, all);
    return LLVMBuildTrunc(g->b, left, i32_type(g), "");
}

/* The element at an offset, or 0 where there is none. */
static LLVMValueRef load_element(struct tile *t, const struct pval *matrix, LLVMValueRef inside,
                                 LLVMValueRef offset) {
    struct gen *g = t->g;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), load = gen_block(g, "load"),
                      done = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, inside, load, done);
    gen_place(g, load);
    LLVMValueRef v = gen_element_at(g, matrix, offset);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef zero = LLVMConstNull(t->type), value = LLVMBuildPhi(g->b, t->type, "");
    LLVMAddIncoming(value, &v, &load, 1);
    LLVMAddIncoming(value, &zero, &here, 1);
    return value;
}

static int share_of(const struct tile *t) {
    return DEPTH * t->size / t->team;
}

/* Which elements of a part are the thread's: number member, member + team, … of it. */
static void begin_part(struct tile *t, struct part *p) {
    struct gen *g = t->g;
    LLVMValueRef along_k = runs_along_k(t, p), none = i32(g, 0);
    LLVMValueRef depth = i32(g, DEPTH), size = i32(g, (uint32_t)t->size);
    p->k = gen_select(g, along_k, LLVMBuildURem(g->b, t->member, depth, ""),
                      LLVMBuildUDiv(g->b, t->member, size, ""));
    p->x = gen_select(g, along_k, LLVMBuildUDiv(g->b, t->member, depth, ""),
                      LLVMBuildURem(g->b, t->member, size, ""));
    p->step_k = gen_select(g, along_k, none, i32(g, (uint32_t)(t->team / t->size)));
    p->step_x = gen_select(g, along_k, i32(g, (uint32_t)(t->team / DEPTH)), none);
    for (int e = 0; e < share_of(t); e++)
        p->slot[e] = gen_alloca(g, t->type, "element");
}

/* Loads them, of those from k0 on. */
static void fetch_part(struct tile *t, const struct part *p, LLVMValueRef k0) {
    struct gen *g = t->g;
    const struct gen_array *array = &g->arrays[p->matrix->operand];
    LLVMValueRef stride_k = array->stride[1 - p->x_axis], stride_x = array->stride[p->x_axis];
    LLVMValueRef offset = add(g, multiply(g, add(g, k0, extended(g, p->k)), stride_k),
                              multiply(g, add(g, p->first, extended(g, p->x)), stride_x));
    LLVMValueRef apart = add(g, multiply(g, extended(g, p->step_k), stride_k),
                             multiply(g, extended(g, p->step_x), stride_x));
    LLVMValueRef left_k = left_of(t, t->depth, k0, DEPTH);
    LLVMValueRef left_x = left_of(t, p->end, p->first, t->size);
    left_k = gen_select(g, t->some, left_k, i32(g, 0));
    LLVMValueRef k = p->k, x = p->x;
    for (int e = 0; e < share_of(t); e++) {
        LLVMValueRef inside =
            both(g, compare(g, LLVMIntSLT, k, left_k), compare(g, LLVMIntSLT, x, left_x));
        LLVMBuildStore(g->b, load_element(t, p->matrix, inside, offset), p->slot[e]);
        offset = add(g, offset, apart);
        k = add(g, k, p->step_k);
        x = add(g, x, p->step_x);
    }
}

static void put_part(struct tile *t, const struct part *p) {
    struct gen *g = t->g;
    LLVMValueRef k = p->k, x = p->x;
    for (int e = 0; e < share_of(t); e++) {
        LLVMBuildStore(g->b, load_slot(t, p->slot[e]), shared_at(t, p->shared, k, x));
        k = add(g, k, p->step_k);
        x = add(g, x, p->step_x);
    }
}

/* ---- products */

static void add_products(struct tile *t, LLVMValueRef at_k) {
    struct gen *g = t->g;
    LLVMValueRef a[MOST], b[MOST];
    for (int i = 0; i < t->per; i++) {
        LLVMValueRef x =
            add(g, multiply(g, t->down, i32(g, (uint32_t)t->per)), i32(g, (uint32_t)i));
        a[i] = load_slot(t, shared_at(t, t->a, at_k, x));
    }
    for (int j = 0; j < t->per; j++) {
        LLVMValueRef x = add(g, t->across, i32(g, (uint32_t)(j * (t->size / t->per))));
        b[j] = load_slot(t, shared_at(t, t->b, at_k, x));
    }
    for (int i = 0; i < t->per; i++)
        for (int j = 0; j < t->per; j++) {
            LLVMValueRef args[] = {a[i], b[j], load_slot(t, t->sum[i][j])};
            LLVMBuildStore(g->b, gen_intrinsic(g, "fma", NULL, args, 3), t->sum[i][j]);
        }
}

/* The products of what is in shared memory, a few at a time. */
static void add_part(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef zero = i32(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, DEPTH)));
    for (int k = 0; k < TURNS; k++)
        add_products(t, add(g, l.phi[0], i32(g, (uint32_t)k)));
    LLVMValueRef next = add(g, l.phi[0], i32(g, TURNS));
    loop_end(g, &l, &next);
}

/* While the products of one part are added, the next one is on its way. */
static void gen_sums(struct tile *t) {
    struct gen *g = t->g;
    const struct contraction *c = t->c;
    struct part a = {
        .matrix = c->a, .x_axis = c->a_row, .shared = t->a, .first = t->row, .end = t->rows};
    struct part b = {.matrix = c->b,
                     .x_axis = c->b_column,
                     .shared = t->b,
                     .first = t->column,
                     .end = t->columns};
    LLVMValueRef zero = i64(g, 0);
    struct loop l;
    for (int i = 0; i < t->per; i++)
        for (int j = 0; j < t->per; j++) {
            t->sum[i][j] = gen_alloca(g, t->type, "sum");
            LLVMBuildStore(g->b, LLVMConstNull(t->type), t->sum[i][j]);
        }
    begin_part(t, &a);
    begin_part(t, &b);
    fetch_part(t, &a, zero);
    fetch_part(t, &b, zero);
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->depth));
    LLVMValueRef next = add(g, l.phi[0], i64(g, DEPTH));
    put_part(t, &a);
    put_part(t, &b);
    gen_barrier(g);
    fetch_part(t, &a, next);
    fetch_part(t, &b, next);
    add_part(t);
    gen_barrier(g);
    loop_end(g, &l, &next);
}

/* ---- results */

static void store_result(struct tile *t, int i, int j) {
    struct gen *g = t->g;
    LLVMValueRef x = add(g, multiply(g, t->down, i32(g, (uint32_t)t->per)), i32(g, (uint32_t)i));
    LLVMValueRef y = add(g, t->across, i32(g, (uint32_t)(j * (t->size / t->per))));
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
    struct tile t = {.g = g, .c = c, .size = size, .per = 4};
    t.team = size / t.per * (size / t.per);
    t.type = gen_type(g, c->sum->dtype);
    t.rows = core_terms(g, c->rows, c->nrows);
    t.columns = core_terms(g, c->columns, c->ncolumns);
    t.depth = gen_value(g, c->k->hi);
    find_tile(&t, threads, calls);
    core_find_operands(g, threads);
    find_place(&t, threads);
    find_shared(&t, threads);
    gen_sums(&t);
    for (int i = 0; i < t.per; i++)
        for (int j = 0; j < t.per; j++)
            store_result(&t, i, j);
}
