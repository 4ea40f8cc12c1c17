/* tile.c: the GPU kernels TILE, of contractions.  A team of threads computes a tile of results:
 * slabs of both matrices go to shared memory, one after the other along the reduction, and each
 * thread reduces RESULTS_PER_THREAD x RESULTS_PER_THREAD results in registers.  (The scheme of
 * V. Volkov and J. Demmel, 2008.) */
#include <string.h>

#include "tile.h"

/* ---- which tile */

_Static_assert(BLOCK_THREADS ==
                   UFC_INTERLEAVED * (16 / RESULTS_PER_THREAD) * (16 / RESULTS_PER_THREAD),
               "a block has as many teams of TILE_16 as calls lie side by side");

static int teams_of(const struct tile *t) {
    return BLOCK_THREADS / t->team;
}

/* A thread computes with its team, and moves elements with its crew.  The crew is the team, unless
 * calls are interleaved: then neighbouring threads are of different crews, each of which works for
 * another team, so that they access the same element of neighbouring calls. */
struct place {
    LLVMValueRef team, member; /* a team's number in the block, the thread's number in it: i32 */
};

static void find_places(struct tile *t, LLVMValueRef tid, struct place *team, struct place *crew) {
    struct gen *g = t->g;
    LLVMValueRef size = i32(g, (uint32_t)t->team), teams = i32(g, (uint32_t)teams_of(t));
    *team = (struct place){LLVMBuildUDiv(g->b, tid, size, ""), LLVMBuildURem(g->b, tid, size, "")};
    crew->team = gen_select(g, t->interleaved, LLVMBuildURem(g->b, tid, teams, ""), team->team);
    crew->member = gen_select(g, t->interleaved, LLVMBuildUDiv(g->b, tid, teams, ""), team->member);
}

/* i1: the launch is one with calls interleaved: `group` of TILE_16. */
static LLVMValueRef are_interleaved(struct tile *t) {
    struct gen *g = t->g;
    if (t->size != 16)
        return LLVMConstInt(LLVMInt1TypeInContext(g->context), 0, false);
    LLVMValueRef n = param_i32(g, PARAM(group));
    return compare(g, LLVMIntEQ, n, i32(g, UFC_INTERLEAVED));
}

/* Finds the call and the tile of a team of this block, and the call's operands. */
static void take_tile(struct tile *t, struct threads *threads, LLVMValueRef team,
                      LLVMValueRef calls) {
    struct gen *g = t->g;
    LLVMValueRef block = gpu(g)->id(g, BLOCK_ID);
    /* tells LLVM that threads are fewer than 2^32, so that rows fit 32 bits */
    block = LLVMBuildAnd(g->b, block, i32(g, UINT32_MAX / BLOCK_THREADS), "");
    LLVMValueRef across = tiles_along(g, t->columns, t->size),
                 down = tiles_along(g, t->rows, t->size);
    LLVMValueRef each = multiply(g, across, down);
    LLVMValueRef none = compare(g, LLVMIntEQ, each, i32(g, 0));
    each = gen_select(g, none, i32(g, 1), each);
    across = gen_select(g, none, i32(g, 1), across);
    /* a lot: one tile of a call, or the same tile of UFC_INTERLEAVED calls */
    LLVMValueRef number = add(g, multiply(g, block, i32(g, (uint32_t)teams_of(t))), team);
    LLVMValueRef lot = gen_select(g, t->interleaved, block, number);
    LLVMValueRef tile = LLVMBuildURem(g->b, lot, each, "");
    LLVMValueRef call = LLVMBuildUDiv(g->b, lot, each, "");
    LLVMValueRef first = multiply(g, call, i32(g, UFC_INTERLEAVED));
    call = extended(g, gen_select(g, t->interleaved, add(g, first, team), call));
    t->has_tile = compare(g, LLVMIntSLT, call, calls);
    threads->call = gen_select(g, t->has_tile, call, i64(g, 0));
    gufunc_find_operands(g, threads);
    LLVMValueRef size = i64(g, (uint64_t)t->size);
    t->row = multiply(g, extended(g, LLVMBuildUDiv(g->b, tile, across, "")), size);
    t->column = multiply(g, extended(g, LLVMBuildURem(g->b, tile, across, "")), size);
}

/* ---- the reduction */

/* Makes the slots of the thread's result i, j those of the accs' variables. */
static void select_accs(struct tile *t, int i, int j) {
    int n = 0;
    for (const struct pacc *a = t->c->shape.accs; a != NULL; a = a->next, n++)
        var_of(t->g, a->acc)->slot = t->acc[n][i][j];
}

static void begin_accs(struct tile *t) {
    struct gen *g = t->g;
    for (int i = 0; i < RESULTS_PER_THREAD; i++)
        for (int j = 0; j < RESULTS_PER_THREAD; j++) {
            int n = 0;
            for (const struct pacc *a = t->c->shape.accs; a != NULL; a = a->next, n++)
                t->acc[n][i][j] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
            select_accs(t, i, j);
            gen_constants(g, t->c->shape.first);
        }
}

/* Loads the thread's elements of a slab for `steps` steps along k; first: the address of the first
 * one. */
static void load_elements(struct tile *t, const struct slab *p, LLVMValueRef first, int steps,
                          LLVMValueRef element[TILE_STEPS][RESULTS_PER_THREAD]) {
    struct gen *g = t->g;
    enum ufc_dtype d = p->matrix->dtype;
    LLVMTypeRef memory = gen_memory_type(g, d);
    unsigned run = p->bytes * (unsigned)(p->k_last ? steps : RESULTS_PER_THREAD);
    run = run < 16 ? run : 16;
    for (int n = 0; n < RESULTS_PER_THREAD * steps; n++) {
        int k = p->k_last ? n % steps : n / RESULTS_PER_THREAD,
            x = p->k_last ? n / steps : n % RESULTS_PER_THREAD;
        unsigned inner = (unsigned)(p->k_last ? k : x * slab_apart(t, p));
        unsigned outer = (unsigned)(p->k_last ? x * slab_apart(t, p) : k);
        unsigned at = (outer * p->pitch + inner) * p->bytes;
        element[k][x] = gen_load_element(g, d, memory, at_byte(g, first, i32(g, at)),
                                         inner * p->bytes % run == 0 ? run : p->bytes);
    }
}

/* The address of the thread's first element `steps` steps further along k. */
static LLVMValueRef next_elements(struct tile *t, const struct slab *p, LLVMValueRef first,
                                  int steps) {
    unsigned step = (unsigned)steps * p->bytes * (p->k_last ? 1 : p->pitch);
    return at_byte(t->g, first, i32(t->g, step));
}

/* The reduction's body for all of the thread's results, for `steps` steps along k. */
static void add_steps(struct tile *t, LLVMValueRef at_a, LLVMValueRef at_b, int steps) {
    struct gen *g = t->g;
    LLVMValueRef a[TILE_STEPS][RESULTS_PER_THREAD], b[TILE_STEPS][RESULTS_PER_THREAD];
    load_elements(t, &t->a, at_a, steps, a);
    load_elements(t, &t->b, at_b, steps, b);
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < RESULTS_PER_THREAD; i++)
            for (int j = 0; j < RESULTS_PER_THREAD; j++) {
                select_accs(t, i, j);
                const struct held held[] = {{t->c->a, a[k][i]}, {t->c->b, b[k][j]}};
                gen_stmts_with(g, t->c->shape.body, held);
            }
}

/* Reduces the slabs in shared memory, in which zeros follow the matrices' last `left` (i32)
 * elements along k.  Zeros are reduced too, unless they would change the result. */
static void add_slabs(struct tile *t, LLVMValueRef left) {
    struct gen *g = t->g;
    LLVMValueRef none = i32(g, 0), depth = i32(g, (uint32_t)t->slab_depth);
    int steps = t->c->padded ? t->steps : 1;
    LLVMValueRef end = t->c->padded ? depth : least(g, left, depth);
    LLVMValueRef first[] = {none, slab_at(t, t->shared, &t->a, none, t->a.place),
                            slab_at(t, t->shared, &t->b, none, t->b.place)};
    LLVMValueRef inputs[UFC_MAX_OPERANDS];
    memcpy(inputs, g->inputs, sizeof inputs);
    memcpy(g->inputs, t->inputs, sizeof inputs);
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    add_steps(t, l.phi[1], l.phi[2], steps);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, (uint32_t)steps)),
                           next_elements(t, &t->a, l.phi[1], steps),
                           next_elements(t, &t->b, l.phi[2], steps)};
    loop_end(g, &l, next);
    memcpy(g->inputs, inputs, sizeof inputs);
}

/* Moves and reduces slab after slab.  In runs the next slabs are loaded to registers while the
 * current ones are reduced. */
static void reduce_slabs(struct tile *t, bool in_runs) {
    struct gen *g = t->g;
    struct region a = region_first(t, &t->a), b = region_first(t, &t->b);
    LLVMValueRef left = elements_left(g, t->depth, i64(g, 0)),
                 depth = i32(g, (uint32_t)t->slab_depth);
    LLVMValueRef first[] = {left, a.begin, b.begin};
    struct loop l;
    if (in_runs) {
        slab_fetch(t, &a);
        slab_fetch(t, &b);
    }
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSGT, l.phi[0], i32(g, 0)));
    a.begin = l.phi[1];
    b.begin = l.phi[2];
    LLVMValueRef next[] = {subtract(g, l.phi[0], depth), region_next(t, &a), region_next(t, &b)};
    a.left_k = b.left_k = gen_select(g, t->has_tile, in_runs ? next[0] : l.phi[0], i32(g, 0));
    if (in_runs) {
        slab_put(t, &t->a);
        slab_put(t, &t->b);
    } else
        slabs_copy(t, &a, &b);
    gpu(g)->barrier(g);
    a.begin = next[1];
    b.begin = next[2];
    if (in_runs) {
        slab_fetch(t, &a);
        slab_fetch(t, &b);
    }
    add_slabs(t, l.phi[0]);
    gpu(g)->barrier(g);
    loop_end(g, &l, next);
}

/* Whether in runs or not is the same for all threads of a launch, so that all of a block meet at
 * the same barriers. */
static void reduce(struct tile *t) {
    struct gen *g = t->g;
    LLVMBasicBlockRef runs = gen_block(g, "runs"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "reduced");
    begin_accs(t);
    LLVMBuildCondBr(g->b, both(g, t->a.runs, t->b.runs), runs, elements);
    gen_place(g, runs);
    reduce_slabs(t, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    reduce_slabs(t, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- results */

/* How many rows of each thread's results fit into the slabs' shared memory at once. */
static int rows_at_once(const struct tile *t, unsigned bytes) {
    int rows = RESULTS_PER_THREAD;
    while (rows > 1 && results_bytes(&t->c->shape, rows * threads_along(t), t->size) > bytes)
        rows /= 2;
    return rows;
}

/* The row of struct results that has the thread's row first + i, where each thread has put `rows`
 * rows: in the tile's order where that is possible. */
static LLVMValueRef results_row(struct tile *t, int rows, int i) {
    struct gen *g = t->g;
    if (t->a.k_last)
        return add(g, t->down, i32(g, (uint32_t)(i * threads_along(t))));
    return add(g, multiply(g, t->down, i32(g, (uint32_t)rows)), i32(g, (uint32_t)i));
}

/* Stores the results, `rows` rows of each thread at a time. */
static void store_results(struct tile *t, int rows) {
    struct gen *g = t->g;
    for (int first = 0; first < RESULTS_PER_THREAD; first += rows) {
        struct results r = {.shape = &t->c->shape,
                            .shared = t->shared,
                            .rows = rows * threads_along(t),
                            .columns = t->size,
                            .member = t->member,
                            .team = t->team,
                            .row = t->row,
                            .column = t->column,
                            .end_row = gen_select(g, t->has_tile, t->rows, i64(g, 0)),
                            .end_column = t->columns,
                            .first = first * slab_apart(t, &t->a),
                            .group = t->a.k_last ? rows * threads_along(t) : rows,
                            .group_step = t->a.k_last ? 0 : RESULTS_PER_THREAD};
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < RESULTS_PER_THREAD; j++) {
                LLVMValueRef x = add(g, t->b.place, i32(g, (uint32_t)(j * slab_apart(t, &t->b))));
                select_accs(t, first + i, j);
                results_put(g, &r, results_row(t, rows, i), x);
            }
        gpu(g)->barrier(g);
        r.shared = t->crew_shared;
        results_store(g, &r);
        if (first + rows < RESULTS_PER_THREAD)
            gpu(g)->barrier(g);
    }
}

/* Shared memory of `bytes` bytes for each team of the block, rounded up to an odd multiple of 16,
 * so that at most two teams have the same element in one bank. */
static void share_memory(struct tile *t, const struct place *team, const struct place *crew,
                         unsigned bytes) {
    struct gen *g = t->g;
    bytes = (bytes + 15) / 16 * 16 | 16;
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef all = shared_array(g, byte, (unsigned)teams_of(t) * bytes, 16, "shared");
    t->shared = at_byte(g, all, multiply(g, team->team, i32(g, bytes)));
    t->crew_shared = at_byte(g, all, multiply(g, crew->team, i32(g, bytes)));
}

/* Sets how many elements along k shared memory and registers have at once: what registers allow. */
static void choose_slab_depth(struct tile *t) {
    const struct contraction *c = t->c;
    int a = dtype_info[c->a->dtype].bits, b = dtype_info[c->b->dtype].bits;
    bool large = a > 64 || b > 64;
    t->steps = large ? 1 : TILE_STEPS;
    t->slab_depth = large ? TILE_PART / 2 : TILE_PART;
    if (t->size < 64) /* a thread's share is the same for all sizes */
        t->slab_depth = t->slab_depth * t->size / 64;
}

void gen_tile_kernel(struct gen *g, struct threads *threads) {
    const struct contraction *c = g->plan->map.contraction;
    const struct shape *s = &c->shape;
    int size = (int)kernel_info[threads->kind].size;
    struct tile t = {.g = g, .c = c, .size = size, .team = (int)ufc_tile_threads(threads->kind)};
    gufunc_find_thread(g, threads);
    gen_variables(g, 1);
    LLVMValueRef calls = param_i64(g, PARAM(calls));
    struct place team, crew;
    choose_slab_depth(&t);
    t.rows = gen_terms(g, s->rows, s->nrows);
    t.columns = gen_terms(g, s->columns, s->ncolumns);
    t.depth = gen_value(g, s->in->hi);
    t.interleaved = are_interleaved(&t);
    find_places(&t, threads->tid, &team, &crew);
    take_tile(&t, threads, team.team, calls);
    memcpy(t.inputs, g->inputs, sizeof t.inputs); /* of the team; all else is the crew's below */
    if (size == 16)
        take_tile(&t, threads, crew.team, calls);
    t.member = crew.member;
    t.a = (struct slab){.matrix = c->a, .x_axis = c->a_row, .first = t.row, .end = t.rows};
    t.b = (struct slab){.matrix = c->b, .x_axis = c->b_column, .first = t.column, .end = t.columns};
    LLVMValueRef side = i32(g, (uint32_t)threads_along(&t));
    t.down = LLVMBuildUDiv(g->b, team.member, side, "");
    slab_describe(&t, &t.a, t.down, 0);
    slab_describe(&t, &t.b, LLVMBuildURem(g->b, team.member, side, ""), slab_bytes(&t, &t.a));
    t.a.runs = slab_in_runs(&t, &t.a);
    t.b.runs = slab_in_runs(&t, &t.b);
    unsigned slabs = slab_bytes(&t, &t.a) + slab_bytes(&t, &t.b);
    int rows = rows_at_once(&t, slabs);
    unsigned results = results_bytes(s, rows * threads_along(&t), size);
    share_memory(&t, &team, &crew, slabs > results ? slabs : results);
    reduce(&t);
    store_results(&t, rows);
}
