/* prefix.c: a scan, a PS_FOR with accs, shared by the GPU threads of a call.  They take tiles of
 * its iterations, one after the other.  Each warp has units of a tile, of an iteration a thread; it
 * finds what the terms up to each make by shuffles, and what is before its units through shared
 * memory, and the threads compute their points from both.  So neighbouring threads access
 * neighbours, and how terms are grouped depends on the number of threads alone. */
#include "gufunc.h"

/* The accs' values, in their order. */
struct accs {
    LLVMValueRef v[SCAN_ACCS];
};

struct scan {
    struct gen *g;
    const struct pstmt *s;
    LLVMValueRef lo, step, n;      /* of the loop: i64; n: its iterations */
    struct accs empty;             /* before the loop */
    LLVMValueRef lanes, lane;      /* i32: the threads of a warp that share it; which one this is */
    LLVMValueRef last;             /* i32: the last of them, among the warp's */
    LLVMValueRef warp, warps;      /* i32: which of the warps that share it; how many */
    LLVMValueRef shared;           /* words for each warp's accs; NULL: a warp alone has the call */
    LLVMValueRef carry[SCAN_ACCS]; /* slots: the join of all tiles so far */
};

/* ---- accs */

static struct accs load_accs(struct gen *g, const struct pacc *a) {
    struct accs r = {{NULL}};
    for (int i = 0; a != NULL; a = a->next, i++)
        r.v[i] = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
    return r;
}

static void store_accs(struct gen *g, const struct pacc *a, const struct accs *r) {
    for (int i = 0; a != NULL; a = a->next, i++)
        LLVMBuildStore(g->b, r->v[i], var_of(g, a->acc)->slot);
}

/* The join of accs of earlier iterations and those of later ones. */
static struct accs join(struct scan *x, const struct accs *earlier, const struct accs *later) {
    struct gen *g = x->g;
    int i = 0;
    store_accs(g, x->s->accs, earlier);
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++)
        LLVMBuildStore(g->b, later->v[i], var_of(g, a->other)->slot);
    gen_stmts(g, x->s->joined);
    return load_accs(g, x->s->accs);
}

/* Those of another lane, or, where (i1) `there` does not hold, empty ones. */
static struct accs shuffled(struct scan *x, const struct accs *a, enum shuffle way, LLVMValueRef by,
                            LLVMValueRef there) {
    struct gen *g = x->g;
    LLVMValueRef mask = g->threads->lane_mask;
    struct accs r = {{NULL}};
    for (int i = 0; i < SCAN_ACCS && a->v[i] != NULL; i++) {
        r.v[i] = gen_shuffle(g, way, mask != NULL ? mask : i32(g, UINT32_MAX), a->v[i], by);
        r.v[i] = gen_select(g, there, r.v[i], x->empty.v[i]);
    }
    return r;
}

/* Slots that hold accs from one block of code to the next. */
static void make_slots(struct scan *x, LLVMValueRef *slot) {
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next)
        slot[i++] = gen_alloca(x->g, gen_type(x->g, a->acc->dtype), "unit");
}

static void put(struct scan *x, const struct accs *a, LLVMValueRef *slot) {
    for (int i = 0; i < SCAN_ACCS && a->v[i] != NULL; i++)
        LLVMBuildStore(x->g->b, a->v[i], slot[i]);
}

static struct accs get(struct scan *x, LLVMValueRef *slot) {
    struct accs r = {{NULL}};
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++)
        r.v[i] = LLVMBuildLoad2(x->g->b, gen_type(x->g, a->acc->dtype), slot[i], "");
    return r;
}

/* ---- units */

static enum walk add_operations(const struct pstmt *s, void *operations) {
    *(int *)operations += is_loop(s) ? SCAN_UNITS * SCAN_BODY : value_size(s->value);
    return WALK_IN;
}

/* How many iterations a thread takes at once: fewer of longer ones. */
static int units_of(const struct pstmt *s) {
    int operations = 0, n = SCAN_UNITS;
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_operations}, &operations);
    while (n > 1 && n * operations > SCAN_UNITS * SCAN_BODY)
        n /= 2;
    return n;
}

/* A tile: `units` iterations a thread, from number `base` on. */
struct tile {
    int units;
    LLVMValueRef at[SCAN_UNITS];              /* numbers of the thread's iterations, i64 */
    LLVMValueRef slot[SCAN_UNITS][SCAN_ACCS]; /* the join of its unit's terms up to the thread's */
    bool whole;                               /* all are below x->n */
};

static void set_index(struct scan *x, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMBuildStore(g->b, add(g, x->lo, multiply(g, number, x->step)), var_of(g, x->s->var)->slot);
}

/* The thread's terms or, at its points, what is made of the accs. */
static void gen_unit(struct scan *x, const struct tile *t, int unit, bool terms) {
    struct gen *g = x->g;
    LLVMBasicBlockRef after = NULL;
    if (!t->whole)
        after = begin_if(g, compare(g, LLVMIntSLT, t->at[unit], x->n));
    set_index(x, t->at[unit]);
    gen_list(g, terms ? x->s->body : x->s->rest, terms ? x->s->rest : NULL);
    if (after != NULL)
        end_if(g, after);
}

/* Joins the slots' accs with those of the lanes before, in `n` units. */
static void scan_lanes(struct scan *x, LLVMValueRef slot[][SCAN_ACCS], int n, LLVMValueRef lanes,
                       LLVMValueRef lane) {
    struct gen *g = x->g;
    for (uint32_t far = 1; far < WARP; far *= 2) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, lanes, i32(g, far)));
        LLVMValueRef there = compare(g, LLVMIntUGE, lane, i32(g, far));
        for (int i = 0; i < n; i++) {
            struct accs own = get(x, slot[i]);
            struct accs before = shuffled(x, &own, SHUFFLE_UP, i32(g, far), there);
            own = join(x, &before, &own);
            put(x, &own, slot[i]);
        }
        end_if(g, after);
    }
}

/* The join of all terms of the warps before; *all: of all the block's. */
static struct accs join_warps(struct scan *x, const struct accs *own, struct accs *all) {
    struct gen *g = x->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false), slot[1][SCAN_ACCS];
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, i32(g, 0)));
    store_accs(g, x->s->accs, own);
    save_accs(g, x->s->accs, x->shared, x->warp, WARP);
    end_if(g, after);
    gpu(g)->barrier(g);
    make_slots(x, slot[0]);
    restore_accs(g, x->s->accs, x->shared, x->lane, WARP, false);
    gpu(g)->barrier(g); /* the words may be written again */
    struct accs total = load_accs(g, x->s->accs);
    LLVMValueRef there = compare(g, LLVMIntULT, x->lane, x->warps);
    for (int i = 0; i < SCAN_ACCS && total.v[i] != NULL; i++)
        total.v[i] = gen_select(g, there, total.v[i], x->empty.v[i]);
    put(x, &total, slot[0]);
    scan_lanes(x, slot, 1, i32(g, WARP), x->lane);
    total = get(x, slot[0]);
    *all = shuffled(x, &total, SHUFFLE_FROM, i32(g, WARP - 1), yes);
    return shuffled(x, &total, SHUFFLE_FROM, subtract(g, x->warp, i32(g, 1)), is_set(g, x->warp));
}

/* ---- tiles */

/* The terms of a tile from `base` on, joined with those before them. */
static void gen_tile(struct scan *x, struct tile *t, LLVMValueRef base) {
    struct gen *g = x->g;
    LLVMValueRef lanes = extended(g, x->lanes), yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMValueRef first = multiply(g, extended(g, x->warp), i64(g, (uint64_t)t->units * WARP));
    base = add(g, add(g, base, first), extended(g, x->lane));
    for (int i = 0; i < t->units; i++) {
        t->at[i] = add(g, base, multiply(g, lanes, i64(g, (uint64_t)i)));
        make_slots(x, t->slot[i]);
        store_accs(g, x->s->accs, &x->empty);
        gen_unit(x, t, i, true);
        struct accs own = load_accs(g, x->s->accs);
        put(x, &own, t->slot[i]);
    }
    scan_lanes(x, t->slot, t->units, x->lanes, x->lane);
    struct accs before[SCAN_UNITS], all = {{NULL}}, carry = get(x, x->carry);
    for (int i = 0; i < t->units; i++) {
        struct accs own = get(x, t->slot[i]);
        own = shuffled(x, &own, SHUFFLE_FROM, x->last, yes);
        before[i] = all;
        all = i == 0 ? own : join(x, &all, &own);
    }
    struct accs begin = carry;
    if (x->shared != NULL) {
        struct accs warps = join_warps(x, &all, &all);
        begin = join(x, &carry, &warps);
    }
    carry = join(x, &carry, &all);
    put(x, &carry, x->carry);
    for (int i = 0; i < t->units; i++) {
        struct accs own = get(x, t->slot[i]), up_to = begin;
        if (i > 0)
            up_to = join(x, &begin, &before[i]);
        own = join(x, &up_to, &own);
        store_accs(g, x->s->accs, &own);
        gen_unit(x, t, i, false);
    }
}

/* Tiles of several units where the loop has so many iterations left, and does not begin; else of
 * one, where any may be missing. */
static void gen_tiles(struct scan *x) {
    struct gen *g = x->g;
    struct tile large = {.units = units_of(x->s), .whole = true}, small = {.units = 1};
    LLVMValueRef threads = multiply(g, extended(g, x->lanes), extended(g, x->warps));
    LLVMValueRef size = multiply(g, threads, i64(g, (uint64_t)large.units)), first = i64(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], x->n));
    LLVMBasicBlockRef wide = gen_block(g, "large"), narrow = gen_block(g, "small"),
                      next = gen_block(g, "next");
    LLVMValueRef fits = compare(g, LLVMIntSLE, add(g, l.phi[0], size), x->n);
    LLVMBuildCondBr(g->b, fits, wide, narrow);
    gen_place(g, wide);
    gen_tile(x, &large, l.phi[0]);
    wide = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, narrow);
    gen_tile(x, &small, l.phi[0]);
    narrow = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    LLVMValueRef end = add(g, l.phi[0], phi2(g, wide, size, narrow, threads));
    loop_end(g, &l, &end);
}

/* ---- the loop */

void threads_scan(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct scan x = {.g = g, .s = s};
    bool block = t->lane_mask == NULL;
    x.lo = gen_value(g, s->lo);
    x.step = gen_value(g, s->step);
    x.n = gen_count(g, x.lo, gen_value(g, s->hi), x.step);
    x.empty = load_accs(g, s->accs);
    x.lanes = block ? i32(g, WARP) : t->group;
    x.lane = LLVMBuildAnd(g->b, lane_of(g, t->tid), subtract(g, x.lanes, i32(g, 1)), "");
    x.last = LLVMBuildOr(g->b, lane_of(g, t->tid), subtract(g, x.lanes, i32(g, 1)), "");
    x.warp = block ? warp_of(g, t->tid) : i32(g, 0);
    x.warps = block ? warp_of(g, t->ntid) : i32(g, 1);
    x.shared = block ? shared_words(g, s, WARP) : NULL;
    make_slots(&x, x.carry);
    put(&x, &x.empty, x.carry);
    gen_tiles(&x);
}
