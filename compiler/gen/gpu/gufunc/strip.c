/* strip.c: the GPU kernel STRIP, of bodies that are one scan, for neighbouring calls whose elements
 * lie across memory.  A block has a tile of as many calls as a warp has lanes: each of its warps
 * has some iterations of all of them, one after the other, and keeps what they are joined to in
 * registers.  What is before a tile is found from entries in memory, in which other tiles have left
 * their totals: those of its group and of the one before, one by one, and the groups before. */
#include "scan.h"

enum { WARPS = BLOCK_THREADS / WARP };

struct strip {
    struct scan x;
    int units;         /* iterations of a thread */
    LLVMValueRef base; /* i64: the number of the first one */
    LLVMValueRef
        has_call; /* i1; a thread without one does as the last call's, but stores nothing */
    LLVMValueRef call, calls;                 /* i64 */
    LLVMValueRef slot[SCAN_UNITS][SCAN_ACCS]; /* what is joined up to each iteration */
};

static int strip_units(struct gen *g, int phase) {
    const struct ufc_phase *p = &g->plan->map.phase[phase];
    return (int)ufc_strip_units(p->units, p->entry);
}

/* ---- iterations */

/* Goes to iteration u, where it is known to be, or where it is. */
static LLVMBasicBlockRef enter_unit(struct strip *p, int u, bool whole) {
    struct gen *g = p->x.g;
    LLVMValueRef at = add(g, p->base, i64(g, (uint64_t)u));
    LLVMValueRef is = both(g, p->has_call, compare(g, LLVMIntSLT, at, p->x.n));
    LLVMBasicBlockRef after = whole ? NULL : begin_if(g, is);
    scan_index(&p->x, at);
    return after;
}

static void join_terms(struct strip *p, bool whole) {
    struct gen *g = p->x.g;
    const struct pstmt *s = p->x.s;
    for (int u = 0; u < p->units; u++) {
        scan_store(g, s->accs, &p->x.empty);
        LLVMBasicBlockRef after = enter_unit(p, u, whole);
        gen_scan_term(g, s);
        if (after != NULL)
            end_if(g, after);
        struct accs own = scan_load(g, s->accs);
        scan_put(&p->x, &own, p->slot[u]);
    }
    for (int u = 1; u < p->units; u++) {
        struct accs before = scan_get(&p->x, p->slot[u - 1]), own = scan_get(&p->x, p->slot[u]);
        own = scan_join(&p->x, &before, &own);
        scan_put(&p->x, &own, p->slot[u]);
    }
}

static void gen_results(struct strip *p, const struct accs *carry, bool whole) {
    struct gen *g = p->x.g;
    const struct pstmt *s = p->x.s;
    for (int u = 0; u < p->units; u++) {
        struct accs own = *carry;
        if (u > 0 || !s->before) {
            own = scan_get(&p->x, p->slot[s->before ? u - 1 : u]);
            own = scan_join(&p->x, carry, &own);
        }
        LLVMBasicBlockRef after = enter_unit(p, u, whole);
        scan_store(g, s->accs, &own);
        gen_scan_point(g, s);
        if (after != NULL)
            end_if(g, after);
    }
}

/* ---- tiles */

/* The join of what all warps have, for each call; *before: of the warps before. */
static struct accs join_warps(struct strip *p, const struct accs *own, struct accs *before) {
    struct scan *x = &p->x;
    struct gen *g = x->g;
    struct accs all = x->empty;
    scan_store(g, x->s->accs, own);
    save_accs(g, x->s->accs, x->shared, g->threads->tid, BLOCK_THREADS);
    gpu(g)->barrier(g);
    *before = all;
    for (uint32_t w = 0; w < WARPS; w++) {
        LLVMValueRef is = compare(g, LLVMIntEQ, x->warp, i32(g, w));
        for (int i = 0; w > 0 && i < SCAN_ACCS && all.v[i] != NULL; i++)
            before->v[i] = gen_select(g, is, all.v[i], before->v[i]);
        LLVMValueRef at = add(g, i32(g, w * WARP), x->lane);
        restore_accs(g, x->s->accs, x->shared, at, BLOCK_THREADS, false);
        struct accs next = scan_load(g, x->s->accs);
        all = scan_join(x, &all, &next);
    }
    gpu(g)->barrier(g); /* the words may be written again */
    return all;
}

/* The call's entry in row `row` of entries, i64. */
static LLVMValueRef entry_of(struct strip *p, LLVMValueRef row) {
    struct gen *g = p->x.g;
    return add(g, multiply(g, row, p->calls), p->call);
}

/* Joins two entries of the call from row `row` on to what the slots have, or one before `end`. */
static void join_two(struct strip *p, LLVMValueRef row, LLVMValueRef first, LLVMValueRef end,
                     LLVMValueRef *joined) {
    struct gen *g = p->x.g;
    LLVMValueRef slot[2][SCAN_ACCS], next = add(g, row, i64(g, 1));
    LLVMValueRef two = compare(g, LLVMIntSLT, next, end);
    LLVMValueRef entry[] = {entry_of(p, add(g, first, row)),
                            entry_of(p, add(g, first, gen_select(g, two, next, row)))};
    scan_slots(&p->x, slot[0]);
    scan_slots(&p->x, slot[1]);
    scan_fetch(&p->x, entry, 2, slot);
    struct accs all = scan_get(&p->x, joined), a = scan_get(&p->x, slot[0]);
    struct accs b = scan_get(&p->x, slot[1]);
    for (int i = 0; i < SCAN_ACCS && b.v[i] != NULL; i++)
        b.v[i] = gen_select(g, two, b.v[i], p->x.empty.v[i]);
    all = scan_join(&p->x, &all, &a);
    all = scan_join(&p->x, &all, &b);
    scan_put(&p->x, &all, joined);
}

/* The join of `n` rows of entries from number `first` on, i64 both: each warp has some. */
static struct accs join_rows(struct strip *p, LLVMValueRef first, LLVMValueRef n) {
    struct gen *g = p->x.g;
    LLVMValueRef joined[SCAN_ACCS];
    struct accs all, before;
    LLVMValueRef each = add(g, n, i64(g, WARPS - 1));
    each = LLVMBuildUDiv(g->b, each, i64(g, WARPS), "");
    LLVMValueRef begin = multiply(g, extended(g, p->x.warp), each);
    LLVMValueRef end = least(g, add(g, begin, each), n);
    scan_slots(&p->x, joined);
    scan_put(&p->x, &p->x.empty, joined);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    join_two(p, l.phi[0], first, end, joined);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 2));
    loop_end(g, &l, &next);
    all = scan_get(&p->x, joined);
    return join_warps(p, &all, &before);
}

/* Leaves a row's entries, if `is` (i1) holds. */
static void leave_row(struct strip *p, LLVMValueRef is, LLVMValueRef row, const struct accs *a) {
    struct gen *g = p->x.g;
    is = both(g, is, both(g, p->has_call, compare(g, LLVMIntEQ, p->x.warp, i32(g, 0))));
    LLVMBasicBlockRef after = begin_if(g, is);
    scan_publish(&p->x, entry_of(p, row), a);
    end_if(g, after);
}

/* What is before tile number `tile` (i64), whose own terms are `own`.  It waits for blocks of lower
 * numbers alone, which GPUs start first. */
static struct accs look_back(struct strip *p, LLVMValueRef tile, const struct accs *own) {
    struct gen *g = p->x.g;
    LLVMValueRef size = i64(g, UFC_STRIP_GROUP), none = i64(g, 0);
    LLVMValueRef tiles = extended(g, g->threads->blocks);
    LLVMValueRef group = LLVMBuildUDiv(g->b, tile, size, "");
    LLVMValueRef in_group = LLVMBuildURem(g->b, tile, size, "");
    LLVMValueRef first = subtract(g, tile, in_group), has = is_set(g, group);
    leave_row(p, LLVMConstAllOnes(i1_type(g)), tile, own);
    struct accs near = join_rows(p, first, in_group);
    struct accs total = scan_join(&p->x, &near, own);
    leave_row(p, compare(g, LLVMIntEQ, in_group, i64(g, UFC_STRIP_GROUP - 1)), add(g, tiles, group),
              &total);
    LLVMValueRef before = gen_select(g, has, subtract(g, first, size), none);
    struct accs last = join_rows(p, before, gen_select(g, has, size, none));
    LLVMValueRef far = gen_select(g, has, subtract(g, group, i64(g, 1)), none);
    struct accs all = join_rows(p, tiles, far);
    all = scan_join(&p->x, &all, &last);
    return scan_join(&p->x, &all, &near);
}

/* ---- the kernel */

/* Finds the block's calls and its tile, which are numbered along calls first: gives that, i64. */
static LLVMValueRef find_tile(struct strip *p, struct threads *t) {
    struct gen *g = p->x.g;
    p->calls = param_i64(g, PARAM(calls));
    LLVMValueRef strips = add(g, p->calls, i64(g, WARP - 1));
    strips = LLVMBuildUDiv(g->b, strips, i64(g, WARP), "");
    strips = LLVMBuildTrunc(g->b, strips, i32_type(g), "");
    LLVMValueRef tile = LLVMBuildUDiv(g->b, t->ctaid, strips, "");
    LLVMValueRef strip = subtract(g, t->ctaid, multiply(g, tile, strips));
    LLVMValueRef call = extended(g, add(g, multiply(g, strip, i32(g, WARP)), lane_of(g, t->tid)));
    p->has_call = compare(g, LLVMIntSLT, call, p->calls);
    p->call = t->call = least(g, call, subtract(g, p->calls, i64(g, 1)));
    return extended(g, tile);
}

static void begin_strip(struct strip *p, const struct pstmt *s, LLVMValueRef tile) {
    struct scan *x = &p->x;
    struct gen *g = x->g;
    x->s = s;
    x->lo = gen_value(g, s->lo);
    x->step = gen_value(g, s->step);
    x->n = gen_count(g, x->lo, gen_value(g, s->hi), x->step);
    x->empty = scan_load(g, s->accs);
    x->lane = lane_of(g, g->threads->tid);
    x->warp = warp_of(g, g->threads->tid);
    x->shared = shared_words(g, s, BLOCK_THREADS);
    LLVMValueRef place = add(g, multiply(g, tile, i64(g, WARPS)), extended(g, x->warp));
    p->base = multiply(g, place, i64(g, (uint64_t)p->units));
    for (int u = 0; u < p->units; u++)
        scan_slots(x, p->slot[u]);
}

/* i1: all threads of the block have calls, and all of their iterations. */
static LLVMValueRef is_whole(struct strip *p, LLVMValueRef tile) {
    struct gen *g = p->x.g;
    LLVMValueRef lane = extended(g, p->x.lane), size = i64(g, (uint64_t)p->units * WARPS);
    LLVMValueRef end = multiply(g, add(g, tile, i64(g, 1)), size);
    LLVMValueRef behind = add(g, subtract(g, p->call, lane), i64(g, WARP));
    LLVMValueRef calls = both(g, p->has_call, compare(g, LLVMIntSLE, behind, p->calls));
    return both(g, calls, compare(g, LLVMIntSLE, end, p->x.n));
}

/* The terms, or what is made of them behind `carry`. */
static void gen_half(struct strip *p, const struct accs *carry, LLVMValueRef whole) {
    struct gen *g = p->x.g;
    LLVMBasicBlockRef all = gen_block(g, "whole"), some = gen_block(g, "end"),
                      done = gen_block(g, "units");
    LLVMBuildCondBr(g->b, whole, all, some);
    for (int k = 0; k < 2; k++) {
        gen_place(g, k == 0 ? all : some);
        if (carry == NULL)
            join_terms(p, k == 0);
        else
            gen_results(p, carry, k == 0);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* ---- at points of NEST */

/* A block has some iterations of its points after the other, and keeps what they are joined to. */
static void gen_rounds(struct strip *p) {
    struct scan *x = &p->x;
    struct gen *g = x->g;
    LLVMValueRef carry[SCAN_ACCS], size = i64(g, (uint64_t)p->units * WARPS), begin = i64(g, 0);
    LLVMValueRef first = multiply(g, extended(g, x->warp), i64(g, (uint64_t)p->units));
    scan_slots(x, carry);
    scan_put(x, &x->empty, carry);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], x->n));
    LLVMValueRef next = add(g, l.phi[0], size), whole = compare(g, LLVMIntSLE, next, x->n);
    p->base = add(g, l.phi[0], first);
    gen_half(p, NULL, whole);
    struct accs own = scan_get(x, p->slot[p->units - 1]), before, all = scan_get(x, carry);
    own = join_warps(p, &own, &before);
    before = scan_join(x, &all, &before);
    own = scan_join(x, &all, &own);
    scan_put(x, &own, carry);
    gen_half(p, &before, whole);
    loop_end(g, &l, &next);
}

void strip_scan(struct gen *g, const struct pstmt *s) {
    struct strip *p = NEW(g->uc, struct strip);
    p->x.g = g;
    p->units = strip_units(g, s->phase);
    p->has_call = LLVMConstInt(i1_type(g), 1, false);
    begin_strip(p, s, i64(g, 0));
    gen_rounds(p);
}

void gen_strip_kernel(struct gen *g, struct threads *t) {
    struct strip *p = NEW(g->uc, struct strip);
    const struct pstmt *s = g->plan->body->body;
    p->x.g = g;
    p->units = strip_units(g, 0);
    gufunc_find_thread(g, t);
    t->blocks = param_i32(g, PARAM(blocks));
    LLVMValueRef tile = find_tile(p, t);
    gufunc_find_operands(g, t);
    gen_variables(g, 1);
    gen_local_arrays(g);
    for (; s->kind != PS_FOR; s = s->next)
        gen_list(g, s, s->next);
    begin_strip(p, s, tile);
    LLVMValueRef whole = is_whole(p, tile);
    gen_half(p, NULL, whole);
    struct accs own = scan_get(&p->x, p->slot[p->units - 1]), before;
    own = join_warps(p, &own, &before);
    struct accs carry = look_back(p, tile, &own);
    carry = scan_join(&p->x, &carry, &before);
    gen_half(p, &carry, whole);
}
