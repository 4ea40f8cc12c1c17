/* gen_tile.c: the GPU kernels of contractions.  A team of threads computes a tile of results: parts
 * of both matrices, `depth` along the reduction, go to shared memory, and each thread reduces PER x
 * PER results in registers.  (The scheme of V. Volkov and J. Demmel, 2008.) */
#include "gen_core.h"

enum { PER = 4, MOST_TURNS = 2, MOST_SHARE = 8 };

/* A matrix on its way: x is its row or column, whichever is not the reduction's index k.  Shared
 * memory has it as memory in C order would, rows or columns along k; `pitch` elements apart. */
struct part {
    const struct pval *matrix;
    int x_axis;
    bool k_last;                     /* k is the last subscript */
    unsigned bytes, pitch;           /* of an element; elements */
    int run;                         /* neighbours in one access where the matrix allows it */
    LLVMValueRef shared, first, end; /* x of the tile's first, and of all */
    LLVMValueRef place;              /* of the thread along x: in results */
    LLVMValueRef runs;               /* i1: it does */
    LLVMValueRef slot[MOST_SHARE];   /* the thread's elements under way */
};

struct tile {
    struct gen *g;
    const struct contraction *c;
    int size, team;  /* rows and columns; threads */
    int part, turns; /* along the reduction: to shared memory at once, from there at once */
    LLVMValueRef member, across, down; /* the thread's number in its team, its place in the tile */
    LLVMValueRef row, column;          /* of the tile's first result, i64 */
    LLVMValueRef rows, columns, depth; /* sizes, i64 */
    LLVMValueRef some;                 /* i1: the team has a tile */
    LLVMValueRef shared;               /* the team's */
    struct part a, b;
    LLVMValueRef acc[MOST_ACCS][PER][PER]; /* slots */
};

/* ---- which tile */

/* Threads are fewer than 2^31. */
static void find_tile(struct tile *t, struct threads *threads, LLVMValueRef calls) {
    struct gen *g = t->g;
    LLVMValueRef thread = LLVMBuildTrunc(g->b, threads->call, i32_type(g), ""); /* of the grid */
    LLVMValueRef number = LLVMBuildUDiv(g->b, thread, i32(g, (uint32_t)t->team), "");
    LLVMValueRef across = tiles_along(g, t->columns, t->size),
                 down = tiles_along(g, t->rows, t->size);
    LLVMValueRef each = multiply(g, across, down);
    LLVMValueRef none = compare(g, LLVMIntEQ, each, i32(g, 0));
    each = gen_select(g, none, i32(g, 1), each);
    across = gen_select(g, none, i32(g, 1), across);
    LLVMValueRef call = extended(g, LLVMBuildUDiv(g->b, number, each, ""));
    LLVMValueRef tile = LLVMBuildURem(g->b, number, each, "");
    t->some = compare(g, LLVMIntSLT, call, calls);
    threads->call = gen_select(g, t->some, call, i64(g, 0));
    LLVMValueRef size = i64(g, (uint64_t)t->size);
    t->row = multiply(g, extended(g, LLVMBuildUDiv(g->b, tile, across, "")), size);
    t->column = multiply(g, extended(g, LLVMBuildURem(g->b, tile, across, "")), size);
}

/* Threads along a side of the tile. */
static int wide(const struct tile *t) {
    return t->size / PER;
}

static void find_place(struct tile *t, const struct threads *threads) {
    struct gen *g = t->g;
    LLVMValueRef side = i32(g, (uint32_t)wide(t));
    t->member = LLVMBuildURem(g->b, threads->tid, i32(g, (uint32_t)t->team), "");
    t->across = LLVMBuildURem(g->b, t->member, side, "");
    t->down = LLVMBuildUDiv(g->b, t->member, side, "");
}

/* ---- shared memory */

/* Of a thread's PER results along x the first and the distance to the next.  Each thread reads
 * vectors: where they run along k, neighbours in x are other threads', so that their rows lie in
 * different banks. */
static int apart(const struct tile *t, const struct part *p) {
    return p->k_last ? wide(t) : 1;
}

static int share_of(const struct tile *t) {
    return t->part * t->size / t->team;
}

static unsigned part_bytes(const struct tile *t, const struct part *p) {
    return p->bytes * p->pitch * (unsigned)(p->k_last ? t->size : t->part);
}

static void describe_part(struct tile *t, struct part *p, LLVMValueRef place) {
    unsigned bits = (unsigned)dtype_info[p->matrix->dtype].bits;
    p->bytes = bits / 8;
    p->k_last = p->x_axis == 0;
    p->run = 128 / bits < (unsigned)share_of(t) ? (int)(128 / bits) : share_of(t);
    p->pitch = (unsigned)(p->k_last ? t->part : t->size) + 128 / bits;
    p->place = p->k_last ? place : multiply(t->g, place, i32(t->g, PER));
    for (int e = 0; e < share_of(t); e++)
        p->slot[e] = gen_alloca(t->g, gen_type(t->g, p->matrix->dtype), "element");
}

/* Element [x][k] or [k][x] of a part: i32 all. */
static LLVMValueRef shared_at(struct tile *t, const struct part *p, LLVMValueRef k,
                              LLVMValueRef x) {
    struct gen *g = t->g;
    LLVMValueRef outer = p->k_last ? x : k, inner = p->k_last ? k : x;
    LLVMValueRef at = add(g, multiply(g, outer, i32(g, p->pitch)), inner);
    return at_byte(g, p->shared, multiply(g, at, i32(g, p->bytes)));
}

/* ---- to shared memory */

/* May threads' shares be moved in runs, one access each: neighbours without gaps, aligned in all
 * calls, all of a run there or none? */
static LLVMValueRef find_runs(struct tile *t, const struct threads *threads, const struct part *p) {
    struct gen *g = t->g;
    const struct gen_array *a = &g->arrays[p->matrix->operand];
    LLVMValueRef bits = core_address_bits(g, threads, p->matrix->operand);
    bits = LLVMBuildOr(g->b, bits, a->stride[0], "");
    LLVMValueRef bytes = i64(g, (uint64_t)p->run * p->bytes - 1),
                 run = i64(g, (uint64_t)p->run - 1);
    LLVMValueRef rest = LLVMBuildAnd(g->b, p->k_last ? t->depth : p->end, run, "");
    rest = LLVMBuildOr(g->b, rest, LLVMBuildAnd(g->b, bits, bytes, ""), "");
    return both(g, compare(g, LLVMIntEQ, rest, i64(g, 0)),
                compare(g, LLVMIntEQ, a->stride[1], i64(g, p->bytes)));
}

/* Elements that a thread moves: where the first are, and how far it is to the next; i32. */
struct share {
    LLVMValueRef k, x, step_k, step_x;
};

/* Of runs, as shared memory has them. */
static struct share share_of_runs(struct tile *t, const struct part *p) {
    struct gen *g = t->g;
    int inner = (p->k_last ? t->part : t->size) / p->run;
    LLVMValueRef n = i32(g, (uint32_t)inner), step = i32(g, (uint32_t)(t->team / inner));
    LLVMValueRef along =
        multiply(g, LLVMBuildURem(g->b, t->member, n, ""), i32(g, (uint32_t)p->run));
    LLVMValueRef over = LLVMBuildUDiv(g->b, t->member, n, "");
    return p->k_last ? (struct share){along, over, i32(g, 0), step}
                     : (struct share){over, along, step, i32(g, 0)};
}

/* Of single ones, with neighbouring threads along the smaller stride. */
static struct share share_of_elements(struct tile *t, const struct part *p) {
    struct gen *g = t->g;
    const struct gen_array *a = &g->arrays[p->matrix->operand];
    LLVMValueRef along_k = compare(g, LLVMIntSLE, a->stride[1 - p->x_axis], a->stride[p->x_axis]);
    LLVMValueRef depth = i32(g, (uint32_t)t->part), size = i32(g, (uint32_t)t->size),
                 none = i32(g, 0);
    struct share s;
    s.k = gen_select(g, along_k, LLVMBuildURem(g->b, t->member, depth, ""),
                     LLVMBuildUDiv(g->b, t->member, size, ""));
    s.x = gen_select(g, along_k, LLVMBuildUDiv(g->b, t->member, depth, ""),
                     LLVMBuildURem(g->b, t->member, size, ""));
    s.step_k = gen_select(g, along_k, none, i32(g, (uint32_t)(t->team / t->size)));
    s.step_x = gen_select(g, along_k, i32(g, (uint32_t)(t->team / t->part)), none);
    return s;
}

/* A part in memory: where it begins, and how far its matrix goes from there. */
struct region {
    const struct part *p;
    LLVMValueRef begin;          /* bytes, i64 */
    LLVMValueRef left_k, left_x; /* i32 */
};

static LLVMValueRef stride_k(struct tile *t, const struct part *p) {
    return t->g->arrays[p->matrix->operand].stride[1 - p->x_axis];
}

static LLVMValueRef stride_x(struct tile *t, const struct part *p) {
    return t->g->arrays[p->matrix->operand].stride[p->x_axis];
}

/* The first part, and what it takes to come to the next one. */
static struct region first_region(struct tile *t, const struct part *p) {
    struct gen *g = t->g;
    LLVMValueRef left = core_left(g, t->depth, i64(g, 0)), none = i32(g, 0);
    return (struct region){p, multiply(g, p->first, stride_x(t, p)),
                           gen_select(g, t->some, left, none), core_left(g, p->end, p->first)};
}

static LLVMValueRef next_begin(struct tile *t, const struct region *r) {
    return add(t->g, r->begin, multiply(t->g, stride_k(t, r->p), i64(t->g, (uint64_t)t->part)));
}

/* `run` neighbours to slots; where there are none, zeros. */
static void fetch_run(struct tile *t, const struct region *r, LLVMValueRef k, LLVMValueRef x,
                      int run, const LLVMValueRef *slot) {
    struct gen *g = t->g;
    const struct part *p = r->p;
    for (int e = 0; e < run; e++)
        LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, p->matrix->dtype)), slot[e]);
    LLVMValueRef inside =
        both(g, compare(g, LLVMIntSLT, k, r->left_k), compare(g, LLVMIntSLT, x, r->left_x));
    LLVMBasicBlockRef after = begin_if(g, inside);
    LLVMValueRef offset = add(g, multiply(g, extended(g, k), stride_k(t, p)),
                              multiply(g, extended(g, x), stride_x(t, p)));
    offset = add(g, r->begin, offset);
    for (int e = 0; e < run; e++) {
        unsigned align =
            run > 1 && e == 0 ? (unsigned)run * p->bytes : dtype_align(p->matrix->dtype);
        LLVMValueRef at = add(g, offset, i64(g, (uint64_t)e * p->bytes));
        LLVMBuildStore(g->b, gen_element_aligned(g, p->matrix, at, align), slot[e]);
    }
    end_if(g, after);
}

static void put_run(struct tile *t, const struct part *p, LLVMValueRef k, LLVMValueRef x, int run,
                    const LLVMValueRef *slot) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, p->matrix->dtype);
    LLVMTypeRef memory = gen_memory_type(g, p->matrix->dtype);
    LLVMValueRef at = shared_at(t, p, k, x);
    for (int e = 0; e < run; e++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, slot[e], "");
        unsigned align = run > 1 && e == 0 ? (unsigned)run * p->bytes : p->bytes;
        gen_store_element(g, memory, v, at_byte(g, at, i32(g, (uint32_t)e * p->bytes)), align);
    }
}

static LLVMValueRef steps(struct gen *g, LLVMValueRef first, LLVMValueRef step, int n) {
    return add(g, first, multiply(g, step, i32(g, (uint32_t)n)));
}

/* In runs: the thread's share to slots, */
static void fetch_part(struct tile *t, const struct region *r) {
    const struct part *p = r->p;
    struct share s = share_of_runs(t, p);
    for (int e = 0; e * p->run < share_of(t); e++)
        fetch_run(t, r, steps(t->g, s.k, s.step_k, e), steps(t->g, s.x, s.step_x, e), p->run,
                  p->slot + e * p->run);
}

/* and from there to shared memory. */
static void put_part(struct tile *t, const struct part *p) {
    struct share s = share_of_runs(t, p);
    for (int e = 0; e * p->run < share_of(t); e++)
        put_run(t, p, steps(t->g, s.k, s.step_k, e), steps(t->g, s.x, s.step_x, e), p->run,
                p->slot + e * p->run);
}

/* One by one: a few at a time, at once to shared memory. */
static void copy_part(struct tile *t, const struct region *r) {
    struct gen *g = t->g;
    const struct part *p = r->p;
    struct share s = share_of_elements(t, p);
    LLVMValueRef first[] = {i32(g, 0), s.k, s.x};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)share_of(t))));
    l.keep = true;
    for (int e = 0; e < MOST_TURNS; e++)
        fetch_run(t, r, steps(g, l.phi[1], s.step_k, e), steps(g, l.phi[2], s.step_x, e), 1,
                  p->slot + e);
    for (int e = 0; e < MOST_TURNS; e++)
        put_run(t, p, steps(g, l.phi[1], s.step_k, e), steps(g, l.phi[2], s.step_x, e), 1,
                p->slot + e);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, MOST_TURNS)),
                           steps(g, l.phi[1], s.step_k, MOST_TURNS),
                           steps(g, l.phi[2], s.step_x, MOST_TURNS)};
    loop_end(g, &l, next);
}

/* ---- the reduction */

/* Makes results i, j the accs. */
static void select_accs(struct tile *t, int i, int j) {
    int n = 0;
    for (const struct pacc *a = t->c->shape.accs; a != NULL; a = a->next, n++)
        a->acc->slot = t->acc[n][i][j];
}

static void begin_accs(struct tile *t) {
    struct gen *g = t->g;
    for (int i = 0; i < PER; i++)
        for (int j = 0; j < PER; j++) {
            int n = 0;
            for (const struct pacc *a = t->c->shape.accs; a != NULL; a = a->next, n++)
                t->acc[n][i][j] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
            select_accs(t, i, j);
            gen_constants(g, t->c->shape.first);
        }
}

/* The thread's elements of a part for some turns; `first` is the first one of them. */
static void load_elements(struct tile *t, const struct part *p, LLVMValueRef first, int turns,
                          LLVMValueRef element[MOST_TURNS][PER]) {
    struct gen *g = t->g;
    enum ufc_dtype d = p->matrix->dtype;
    LLVMTypeRef memory = gen_memory_type(g, d);
    unsigned run = p->bytes * (unsigned)(p->k_last ? turns : PER);
    run = run < 16 ? run : 16;
    for (int n = 0; n < PER * turns; n++) {
        int k = p->k_last ? n % turns : n / PER, x = p->k_last ? n / turns : n % PER;
        unsigned inner = (unsigned)(p->k_last ? k : x * apart(t, p));
        unsigned outer = (unsigned)(p->k_last ? x * apart(t, p) : k);
        unsigned at = (outer * p->pitch + inner) * p->bytes;
        element[k][x] = gen_load_element(g, d, memory, at_byte(g, first, i32(g, at)),
                                         inner * p->bytes % run == 0 ? run : p->bytes);
    }
}

/* Where the next ones are. */
static LLVMValueRef next_elements(struct tile *t, const struct part *p, LLVMValueRef first,
                                  int turns) {
    unsigned step = (unsigned)turns * p->bytes * (p->k_last ? 1 : p->pitch);
    return at_byte(t->g, first, i32(t->g, step));
}

/* The body for the next few of the reduction, for all of the thread's results. */
static void add_turns(struct tile *t, LLVMValueRef at_a, LLVMValueRef at_b, int turns) {
    struct gen *g = t->g;
    LLVMValueRef a[MOST_TURNS][PER], b[MOST_TURNS][PER];
    load_elements(t, &t->a, at_a, turns, a);
    load_elements(t, &t->b, at_b, turns, b);
    for (int k = 0; k < turns; k++)
        for (int i = 0; i < PER; i++)
            for (int j = 0; j < PER; j++) {
                select_accs(t, i, j);
                g->held[0] = (struct held){t->c->a, a[k][i]};
                g->held[1] = (struct held){t->c->b, b[k][j]};
                gen_stmts(g, t->c->shape.body);
            }
    g->held[0] = g->held[1] = (struct held){NULL, NULL};
}

/* What is in shared memory, of which `left` (i32) are of the matrices, and zeros follow.  Where
 * these would not do, one by one. */
static void add_part(struct tile *t, LLVMValueRef left) {
    struct gen *g = t->g;
    LLVMValueRef none = i32(g, 0), part = i32(g, (uint32_t)t->part);
    int turns = t->c->padded ? t->turns : 1;
    LLVMValueRef end = t->c->padded ? part : least(g, left, part);
    LLVMValueRef first[] = {none, shared_at(t, &t->a, none, t->a.place),
                            shared_at(t, &t->b, none, t->b.place)};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    add_turns(t, l.phi[1], l.phi[2], turns);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, (uint32_t)turns)),
                           next_elements(t, &t->a, l.phi[1], turns),
                           next_elements(t, &t->b, l.phi[2], turns)};
    loop_end(g, &l, next);
}

/* Part by part; in runs, while one is reduced, the next one is on its way. */
static void reduce_parts(struct tile *t, bool in_runs) {
    struct gen *g = t->g;
    struct region a = first_region(t, &t->a), b = first_region(t, &t->b);
    LLVMValueRef parts = core_left(g, t->depth, i64(g, 0)), depth = i32(g, (uint32_t)t->part);
    LLVMValueRef first[] = {parts, a.begin, b.begin};
    struct loop l;
    if (in_runs) {
        fetch_part(t, &a);
        fetch_part(t, &b);
    }
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSGT, l.phi[0], i32(g, 0)));
    a.begin = l.phi[1];
    b.begin = l.phi[2];
    LLVMValueRef next[] = {subtract(g, l.phi[0], depth), next_begin(t, &a), next_begin(t, &b)};
    for (int k = 0; k < 2; k++) {
        struct region *r = k == 0 ? &a : &b;
        r->left_k = gen_select(g, t->some, in_runs ? next[0] : l.phi[0], i32(g, 0));
        if (in_runs)
            put_part(t, r->p);
        else
            copy_part(t, r);
    }
    gen_barrier(g);
    a.begin = next[1];
    b.begin = next[2];
    if (in_runs) {
        fetch_part(t, &a);
        fetch_part(t, &b);
    }
    add_part(t, l.phi[0]);
    gen_barrier(g);
    loop_end(g, &l, next);
}

/* All of a grid's teams go the same way: those of a block wait for one another. */
static void reduce(struct tile *t) {
    struct gen *g = t->g;
    LLVMBasicBlockRef runs = gen_block(g, "runs"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "reduced");
    begin_accs(t);
    LLVMBuildCondBr(g->b, both(g, t->a.runs, t->b.runs), runs, elements);
    gen_place(g, runs);
    reduce_parts(t, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    reduce_parts(t, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- results */

/* Rows of each thread that fit into the memory of the parts at once. */
static int rows_at_once(const struct tile *t, unsigned bytes) {
    int rows = PER;
    while (rows > 1 && results_bytes(&t->c->shape, rows * wide(t), t->size) > bytes)
        rows /= 2;
    return rows;
}

/* Where row first + i of the thread is in results, of `rows` rows of each thread: in the tile's
 * order where that is possible. */
static LLVMValueRef results_row(struct tile *t, int rows, int i) {
    struct gen *g = t->g;
    if (t->a.k_last)
        return add(g, t->down, i32(g, (uint32_t)(i * wide(t))));
    return add(g, multiply(g, t->down, i32(g, (uint32_t)rows)), i32(g, (uint32_t)i));
}

static void give_results(struct tile *t, int rows) {
    struct gen *g = t->g;
    for (int first = 0; first < PER; first += rows) {
        struct results r = {.shape = &t->c->shape,
                            .shared = t->shared,
                            .rows = rows * wide(t),
                            .columns = t->size,
                            .member = t->member,
                            .team = t->team,
                            .row = t->row,
                            .column = t->column,
                            .end_row = gen_select(g, t->some, t->rows, i64(g, 0)),
                            .end_column = t->columns,
                            .first = first * apart(t, &t->a),
                            .group = t->a.k_last ? rows * wide(t) : rows,
                            .group_step = t->a.k_last ? 0 : PER};
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < PER; j++) {
                LLVMValueRef x = add(g, t->b.place, i32(g, (uint32_t)(j * apart(t, &t->b))));
                select_accs(t, first + i, j);
                results_put(g, &r, results_row(t, rows, i), x);
            }
        gen_barrier(g);
        results_store(g, &r);
        if (first + rows < PER)
            gen_barrier(g);
    }
}

/* The team's part of shared memory, of so many bytes for each team of the block. */
static LLVMValueRef shared_share(struct gen *g, LLVMValueRef tid, int team, unsigned bytes) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef all = core_shared(g, byte, BLOCK_THREADS / team * (int)bytes, "shared");
    LLVMValueRef number = LLVMBuildUDiv(g->b, tid, i32(g, (uint32_t)team), "");
    LLVMValueRef first = multiply(g, number, i32(g, bytes));
    return at_byte(g, all, first);
}

/* As much of the reduction at once as registers allow. */
static void choose_parts(struct tile *t) {
    const struct contraction *c = t->c;
    int a = dtype_info[c->a->dtype].bits, b = dtype_info[c->b->dtype].bits;
    bool large = a > 64 || b > 64;
    t->turns = large ? 1 : 2;
    t->part = large ? 8 : 16;
    if (t->size < 64) /* then a thread's share is larger */
        t->part = t->part * t->size / 64;
}

void gen_tile(struct gen *g, struct threads *threads, LLVMValueRef calls, int size) {
    const struct contraction *c = g->plan->map.contraction;
    const struct shape *s = &c->shape;
    struct tile t = {.g = g, .c = c, .size = size, .team = size / PER * (size / PER)};
    choose_parts(&t);
    t.rows = core_terms(g, s->rows, s->nrows);
    t.columns = core_terms(g, s->columns, s->ncolumns);
    t.depth = gen_value(g, s->in->hi);
    find_tile(&t, threads, calls);
    core_find_operands(g, threads);
    find_place(&t, threads);
    t.a = (struct part){.matrix = c->a, .x_axis = c->a_row, .first = t.row, .end = t.rows};
    t.b = (struct part){.matrix = c->b, .x_axis = c->b_column, .first = t.column, .end = t.columns};
    describe_part(&t, &t.a, t.down);
    describe_part(&t, &t.b, t.across);
    t.a.runs = find_runs(&t, threads, &t.a);
    t.b.runs = find_runs(&t, threads, &t.b);
    unsigned parts = part_bytes(&t, &t.a) + part_bytes(&t, &t.b);
    int rows = rows_at_once(&t, parts);
    unsigned results = results_bytes(s, rows * wide(&t), size);
    t.shared = shared_share(g, threads->tid, t.team, parts > results ? parts : results);
    t.a.shared = t.shared;
    t.b.shared = at_byte(g, t.shared, i32(g, part_bytes(&t, &t.a)));
    reduce(&t);
    give_results(&t, rows);
}
