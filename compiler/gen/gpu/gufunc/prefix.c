/* prefix.c: a scan, a PS_FOR with accs, shared by the GPU threads of a call.  They take tiles of
 * its iterations, one after the other.  Neighbouring threads take neighbouring
 * iterations, and turn their terms in shared memory, so that each joins a run of them; by shuffles
 * and shared memory they find what is before each run, and turn what they have back for their
 * points.  So how terms are grouped depends on the number of threads alone. */
#include "scan.h"

/* Bytes of an acc in shared memory. */
static unsigned acc_bytes(const struct pacc *a) {
    return dtype_info[a->acc->dtype].bits <= 32 ? 4 : 8;
}

/* The places of a warp's unit there: after as many as lie in all banks one is left out, so that
 * threads with a run each are in different banks. */
static unsigned row_places(const struct pacc *a) {
    return WARP + acc_bytes(a) / 4;
}

/* Bytes of what a warp's threads have there, with `units` iterations each, of the accs before
 * `end`. */
static unsigned bytes_before(const struct pstmt *s, int units, const struct pacc *end) {
    unsigned size = 0;
    for (const struct pacc *a = s->accs; a != end; a = a->next)
        size += (unsigned)units * row_places(a) * acc_bytes(a);
    return size;
}

static unsigned row_bytes(const struct pstmt *s, int units) {
    return bytes_before(s, units, NULL);
}

/* ---- accs */

struct accs scan_load(struct gen *g, const struct pacc *a) {
    struct accs r = {{NULL}};
    for (int i = 0; a != NULL; a = a->next, i++)
        r.v[i] = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
    return r;
}

void scan_store(struct gen *g, const struct pacc *a, const struct accs *r) {
    for (int i = 0; a != NULL; a = a->next, i++)
        LLVMBuildStore(g->b, r->v[i], var_of(g, a->acc)->slot);
}

/* The join of accs of earlier iterations and those of later ones. */
struct accs scan_join(struct scan *x, const struct accs *earlier, const struct accs *later) {
    struct gen *g = x->g;
    int i = 0;
    scan_store(g, x->s->accs, earlier);
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++)
        LLVMBuildStore(g->b, later->v[i], var_of(g, a->other)->slot);
    gen_stmts(g, x->s->joined);
    return scan_load(g, x->s->accs);
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
void scan_slots(struct scan *x, LLVMValueRef *slot) {
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next)
        slot[i++] = gen_alloca(x->g, gen_type(x->g, a->acc->dtype), "unit");
}

void scan_put(struct scan *x, const struct accs *a, LLVMValueRef *slot) {
    for (int i = 0; i < SCAN_ACCS && a->v[i] != NULL; i++)
        LLVMBuildStore(x->g->b, a->v[i], slot[i]);
}

struct accs scan_get(struct scan *x, LLVMValueRef *slot) {
    struct accs r = {{NULL}};
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++)
        r.v[i] = LLVMBuildLoad2(x->g->b, gen_type(x->g, a->acc->dtype), slot[i], "");
    return r;
}

/* ---- units */

/* A tile: `units` iterations a thread.  Several are in shared memory: neighbouring threads have
 * neighbours at first, then each a run of them. */
struct tile {
    int units;
    LLVMValueRef base;            /* the number of the thread's first iteration, i64 */
    LLVMValueRef row;             /* which of the warp's in x->room that is, i32 */
    LLVMValueRef run;             /* the place of the thread's run */
    LLVMValueRef slot[SCAN_ACCS]; /* where there is one */
    struct accs lanes, warps;     /* of the threads before in the warp; of the warps before */
    struct accs all;              /* of all the tile's terms */
};

/* A place of the warp's part of x->room, where none were left out: `units` whole ones after
 * `first`, and `more`, so that the places of a thread are constants from one address on. */
struct place {
    LLVMValueRef first; /* i32 */
    unsigned units, more;
};

/* Number i of the thread's run, which leaves none out: its length divides those between. */
static struct place in_run(const struct tile *t, int i) {
    return (struct place){t->run, 0, (unsigned)i};
}

/* The thread's in unit i (i32). */
static struct place in_unit(struct scan *x, const struct tile *t, LLVMValueRef i) {
    struct gen *g = x->g;
    if (LLVMIsAConstantInt(i) && x->lanes == i32(g, WARP))
        return (struct place){t->row, (unsigned)LLVMConstIntGetZExtValue(i), 0};
    return (struct place){add(g, t->row, multiply(g, x->lanes, i)), 0, 0};
}

static LLVMValueRef address_in(struct scan *x, int units, struct place place,
                               const struct pacc *acc) {
    struct gen *g = x->g;
    unsigned size = acc_bytes(acc), between = size == 4 ? 5 : 4; /* log2 */
    LLVMValueRef left_out = LLVMBuildLShr(g->b, place.first, i32(g, between), "");
    LLVMValueRef warp = warp_of(g, g->threads->tid);
    LLVMValueRef at = multiply(g, warp, i32(g, x->room.bytes));
    at = add(g, at, multiply(g, add(g, place.first, left_out), i32(g, size)));
    at = at_byte(g, x->room.rows, extended(g, at));
    unsigned more = place.units * row_places(acc) + place.more;
    return at_byte(g, at, i64(g, bytes_before(x->s, units, acc) + more * size));
}

static void tile_put(struct scan *x, struct tile *t, struct place place, const struct accs *v) {
    struct gen *g = x->g;
    if (t->units == 1) {
        scan_put(x, v, t->slot);
        return;
    }
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++)
        LLVMBuildStore(g->b, acc_to_word(g, a->acc, v->v[i]), address_in(x, t->units, place, a));
}

static struct accs tile_get(struct scan *x, struct tile *t, struct place place) {
    struct gen *g = x->g;
    if (t->units == 1)
        return scan_get(x, t->slot);
    struct accs r = {{NULL}};
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++) {
        LLVMTypeRef type = acc_bytes(a) == 4 ? i32_type(g) : i64_type(g);
        LLVMValueRef word = LLVMBuildLoad2(g->b, type, address_in(x, t->units, place, a), "");
        r.v[i] = acc_from_word(g, a->acc, word);
    }
    return r;
}

/* What the warp's threads have put is seen by all of them. */
static void meet(struct scan *x, const struct tile *t) {
    struct gen *g = x->g;
    LLVMValueRef mask = g->threads->lane_mask;
    if (t->units > 1)
        gpu(g)->warp_barrier(g, mask != NULL ? mask : i32(g, UINT32_MAX));
}

void scan_index(struct scan *x, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMBuildStore(g->b, add(g, x->lo, multiply(g, number, x->step)), var_of(g, x->s->var)->slot);
}

/* The thread's term of unit i (i32) or, at its point, what is made of the accs; whole: there is
 * such an iteration. */
static void gen_unit(struct scan *x, struct tile *t, LLVMValueRef i, bool terms, bool whole) {
    struct gen *g = x->g;
    LLVMBasicBlockRef after = NULL;
    LLVMValueRef at = add(g, t->base, extended(g, multiply(g, x->lanes, i)));
    struct place row = in_unit(x, t, i);
    if (terms)
        scan_store(g, x->s->accs, &x->empty);
    if (!whole)
        after = begin_if(g, compare(g, LLVMIntSLT, at, x->n));
    if (!terms) {
        struct accs up_to = tile_get(x, t, row);
        scan_store(g, x->s->accs, &up_to);
    }
    scan_index(x, at);
    (terms ? gen_scan_term : gen_scan_point)(g, x->s);
    if (after != NULL)
        end_if(g, after);
    struct accs own = scan_load(g, x->s->accs);
    if (terms)
        tile_put(x, t, row, &own);
}

/* All of the thread's; whole: it has an iteration in each unit. */
static void gen_units(struct scan *x, struct tile *t, bool terms, bool whole) {
    struct gen *g = x->g;
    LLVMValueRef begin = i32(g, 0);
    for (int i = 0; i < t->units && (whole || t->units == 1); i++) {
        if (i > 0 && i % SHARED_UNITS == 0)
            meet(x, t); /* or more registers would hold elements and addresses at once */
        gen_unit(x, t, i32(g, (uint32_t)i), terms, whole);
    }
    if (whole || t->units == 1)
        return;
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)t->units)));
    gen_unit(x, t, l.phi[0], terms, false);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

/* Joins accs with those of the lanes before. */
static struct accs scan_lanes(struct scan *x, const struct accs *a, LLVMValueRef lanes) {
    struct gen *g = x->g;
    LLVMValueRef slot[SCAN_ACCS];
    scan_slots(x, slot);
    scan_put(x, a, slot);
    for (uint32_t far = 1; far < WARP; far *= 2) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, lanes, i32(g, far)));
        LLVMValueRef there = compare(g, LLVMIntUGE, x->lane, i32(g, far));
        struct accs own = scan_get(x, slot);
        struct accs before = shuffled(x, &own, SHUFFLE_UP, i32(g, far), there);
        own = scan_join(x, &before, &own);
        scan_put(x, &own, slot);
        end_if(g, after);
    }
    return scan_get(x, slot);
}

/* The join of all terms of the warps before; *all: of all the block's. */
static struct accs join_warps(struct scan *x, const struct accs *own, struct accs *all) {
    struct gen *g = x->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, i32(g, 0)));
    scan_store(g, x->s->accs, own);
    save_accs(g, x->s->accs, x->shared, x->warp, WARP);
    end_if(g, after);
    gpu(g)->barrier(g);
    restore_accs(g, x->s->accs, x->shared, x->lane, WARP, false);
    gpu(g)->barrier(g); /* the words may be written again */
    struct accs total = scan_load(g, x->s->accs);
    LLVMValueRef there = compare(g, LLVMIntULT, x->lane, x->warps);
    for (int i = 0; i < SCAN_ACCS && total.v[i] != NULL; i++)
        total.v[i] = gen_select(g, there, total.v[i], x->empty.v[i]);
    uint32_t warps = block_threads(g->plan, g->threads->kind) / WARP;
    total = scan_lanes(x, &total, i32(g, warps));
    *all = shuffled(x, &total, SHUFFLE_FROM, i32(g, warps - 1), yes);
    return shuffled(x, &total, SHUFFLE_FROM, subtract(g, x->warp, i32(g, 1)), is_set(g, x->warp));
}

/* ---- tiles */

/* A tile from iteration number `base` (i64) on. */
static struct tile make_tile(struct scan *x, int units, LLVMValueRef base) {
    struct gen *g = x->g;
    struct tile t = {.units = units};
    LLVMValueRef lane = lane_of(g, g->threads->tid), others = subtract(g, lane, x->lane);
    LLVMValueRef first = multiply(g, extended(g, x->warp), i64(g, (uint64_t)units * WARP));
    scan_slots(x, t.slot);
    t.base = add(g, add(g, base, first), extended(g, x->lane));
    t.row = add(g, multiply(g, others, i32(g, (uint32_t)units)), x->lane);
    t.run = multiply(g, lane, i32(g, (uint32_t)units));
    return t;
}

/* Finds what is before each thread of the tile, whose own terms are joined to `own`. */
static void join_threads(struct scan *x, struct tile *t, struct accs own) {
    own = scan_lanes(x, &own, x->lanes);
    t->lanes = shuffled(x, &own, SHUFFLE_UP, i32(x->g, 1), is_set(x->g, x->lane));
    t->all = shuffled(x, &own, SHUFFLE_FROM, x->last, LLVMConstInt(i1_type(x->g), 1, false));
    if (x->shared != NULL)
        t->warps = join_warps(x, &t->all, &t->all);
}

/* Joins the terms of the whole tile. */
static void join_tile(struct scan *x, struct tile *t) {
    meet(x, t);
    struct accs own = tile_get(x, t, in_run(t, 0));
    for (int i = 1; i < t->units; i++) {
        struct accs next = tile_get(x, t, in_run(t, i));
        own = scan_join(x, &own, &next);
        tile_put(x, t, in_run(t, i), &own);
    }
    join_threads(x, t, own);
}

/* What is before the thread, where `carry` is before the tile. */
static struct accs before_thread(struct scan *x, const struct tile *t, const struct accs *carry) {
    struct accs begin = x->shared != NULL ? scan_join(x, carry, &t->warps) : *carry;
    return scan_join(x, &begin, &t->lanes);
}

/* Joins what is before the tile with what its threads have. */
static void carry_on(struct scan *x, struct tile *t, const struct accs *carry) {
    struct accs begin = before_thread(x, t, carry), before = begin;
    for (int i = 0; i < t->units; i++) {
        struct accs own = tile_get(x, t, in_run(t, i));
        own = scan_join(x, &begin, &own);
        tile_put(x, t, in_run(t, i), x->s->before ? &before : &own);
        before = own;
    }
    meet(x, t);
}

static void gen_tile(struct scan *x, int units, bool whole, LLVMValueRef base) {
    struct tile t = make_tile(x, units, base);
    gen_units(x, &t, true, whole);
    join_tile(x, &t);
    struct accs carry = scan_get(x, x->carry);
    carry_on(x, &t, &carry);
    carry = scan_join(x, &carry, &t.all);
    scan_put(x, &carry, x->carry);
    gen_units(x, &t, false, whole);
    meet(x, &t); /* the next tile takes its place */
}

/* Tiles of several units where the loop has so many iterations left; else of one, where any may be
 * missing. */
static void gen_tiles(struct scan *x) {
    struct gen *g = x->g;
    int units = x->room.units;
    LLVMValueRef threads = multiply(g, extended(g, x->lanes), extended(g, x->warps));
    LLVMValueRef size = multiply(g, threads, i64(g, (uint64_t)units)), first = i64(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], x->n));
    LLVMBasicBlockRef wide = gen_block(g, "large"), narrow = gen_block(g, "small"),
                      next = gen_block(g, "next");
    LLVMValueRef fits = compare(g, LLVMIntSLE, add(g, l.phi[0], size), x->n);
    LLVMBuildCondBr(g->b, fits, wide, narrow);
    gen_place(g, wide);
    gen_tile(x, units, true, l.phi[0]);
    wide = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, narrow);
    gen_tile(x, 1, false, l.phi[0]);
    narrow = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    LLVMValueRef end = add(g, l.phi[0], phi2(g, wide, size, narrow, threads));
    loop_end(g, &l, &end);
}

/* ---- the loop */

/* The scan s, for the threads that share a call; without shared memory. */
static struct scan begin_scan(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    bool block = t->lane_mask == NULL;
    struct scan x = {.g = g, .s = s};
    x.lo = gen_value(g, s->lo);
    x.step = gen_value(g, s->step);
    x.n = gen_count(g, x.lo, gen_value(g, s->hi), x.step);
    x.empty = scan_load(g, s->accs);
    x.lanes = block ? i32(g, WARP) : t->group;
    x.lane = LLVMBuildAnd(g->b, lane_of(g, t->tid), subtract(g, x.lanes, i32(g, 1)), "");
    x.last = LLVMBuildOr(g->b, lane_of(g, t->tid), subtract(g, x.lanes, i32(g, 1)), "");
    x.warp = block ? warp_of(g, t->tid) : i32(g, 0);
    x.warps = block ? warp_of(g, t->ntid) : i32(g, 1);
    return x;
}

/* What the scans of a kernel need where a thread has at most so many iterations at once. */
struct need {
    int units;
    unsigned most, all; /* bytes of a warp: of one, of all together */
};

static enum walk add_need(const struct pstmt *s, void *need) {
    struct need *n = need;
    int units = is_scan_loop(s) ? scan_units(s, n->units) : 1;
    unsigned own = units > 1 ? row_bytes(s, units) : 0;
    n->most = own > n->most ? own : n->most;
    n->all += own;
    return WALK_IN;
}

static struct need scans_need(struct gen *g, int units) {
    struct need n = {.units = units};
    plan_walk(g->plan->body, &(struct plan_visitor){.stmt = add_need}, &n);
    return n;
}

/* Whole warps have the same part of one array in all scans, which they use one after the other.
 * Groups of a warp may be in different scans at the same time, and have an array for each. */
struct scan_room scan_room(struct gen *g, const struct pstmt *s) {
    unsigned warps = block_threads(g->plan, g->threads->kind) / WARP;
    struct need need = scans_need(g, SHARED_UNITS);
    bool groups = g->threads->lane_mask != NULL;
    while (groups && need.units > 1 && warps * need.all > SCAN_ROOM)
        need = scans_need(g, need.units / 2);
    struct scan_room r = {.units = scan_units(s, need.units)};
    if (has_near_outputs(g)) /* which take less than terms would */
        r.units = 1;
    if (r.units == 1)
        return r;
    r.bytes = groups ? row_bytes(s, r.units) : need.most;
    r.rows = groups ? NULL : g->scan_rows;
    if (r.rows == NULL)
        r.rows = shared_array(g, LLVMInt8TypeInContext(g->context), warps * r.bytes, 16, "rows");
    if (!groups)
        g->scan_rows = r.rows;
    return r;
}

void threads_scan(struct gen *g, const struct pstmt *s, const struct scan_room *room) {
    struct scan x = begin_scan(g, s);
    x.shared = g->threads->lane_mask == NULL ? shared_words(g, s, WARP) : NULL;
    x.room = *room;
    scan_slots(&x, x.carry);
    scan_put(&x, &x.empty, x.carry);
    gen_tiles(&x);
}

/* ---- PREFIX: a tile a block */

/* The address of an entry of the workspace, i64. */
LLVMValueRef scan_entry(struct scan *x, LLVMValueRef entry) {
    struct gen *g = x->g;
    LLVMValueRef size = i64(g, g->plan->map.phase[x->s->phase].entry);
    return add(g, param_i64(g, PARAM(workspace)), multiply(g, entry, size));
}

void scan_publish(struct scan *x, LLVMValueRef entry, const struct accs *a) {
    struct gen *g = x->g;
    scan_store(g, x->s->accs, a);
    publish_accs(g, x->s->accs, scan_entry(x, entry), i64(g, 1));
}

/* Waits for the entries number entry[0 … n), and puts what they hold into slots. */
void scan_fetch(struct scan *x, const LLVMValueRef *entry, int n, LLVMValueRef slot[][SCAN_ACCS]) {
    enum { MOST = 2 };
    struct gen *g = x->g;
    LLVMValueRef at[MOST], value[MOST * SCAN_ACCS];
    int all = 0;
    for (int i = 0; i < n; i++)
        at[i] = scan_entry(x, entry[i]);
    await_accs(g, x->s->accs, at, n, i64(g, 1), value);
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (const struct pacc *a = x->s->accs; a != NULL; a = a->next)
            LLVMBuildStore(g->b, value[all++], slot[i][k++]);
    }
}

/* The join of the warp's entries. */
static struct accs join_entries(struct scan *x, const struct entries *e) {
    struct gen *g = x->g;
    LLVMValueRef slot[1][SCAN_ACCS], entry = extended(g, e->thread);
    scan_slots(x, slot[0]);
    scan_put(x, &x->empty, slot[0]);
    LLVMBasicBlockRef after = begin_if(g, e->has);
    scan_fetch(x, &entry, 1, slot);
    end_if(g, after);
    struct accs all = scan_get(x, slot[0]);
    return scan_lanes(x, &all, x->lanes);
}

/* Publishes an entry by the block's first thread, if (i1) it is to. */
static void publish_if(struct scan *x, LLVMValueRef is, LLVMValueRef entry, const struct accs *a) {
    struct gen *g = x->g;
    LLVMValueRef leads = compare(g, LLVMIntEQ, g->threads->tid, i32(g, 0));
    LLVMBasicBlockRef after = begin_if(g, both(g, leads, is));
    scan_publish(x, entry, a);
    end_if(g, after);
}

/* What is before the block's tile, whose own terms are `own`: regions.c.  It waits for blocks of
 * lower numbers alone, which GPUs start first. */
static struct accs look_back(struct scan *x, const struct accs *own) {
    struct gen *g = x->g;
    const struct threads *t = g->threads;
    const struct tiles tiles = {
        .tile = t->block,
        .number = t->blocks,
        .line = LLVMBuildTrunc(g->b, t->call, i32_type(g), ""),
        .lines = LLVMBuildTrunc(g->b, param_i64(g, PARAM(calls)), i32_type(g), ""),
    };
    struct entries e = find_tile_entries(g, &tiles, t->tid);
    publish_if(x, LLVMConstInt(i1_type(g), 1, false), extended(g, e.own), own);
    struct accs all = join_entries(x, &e);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, x->last));
    scan_store(g, x->s->accs, &all);
    save_accs(g, x->s->accs, x->shared, x->warp, WARP);
    end_if(g, after);
    gpu(g)->barrier(g);
    struct accs before = x->empty;
    for (uint32_t i = 0; i < BLOCK_THREADS / WARP; i++) {
        restore_accs(g, x->s->accs, x->shared, i32(g, i), WARP, false);
        struct accs more = scan_load(g, x->s->accs);
        before = i == 0 ? more : scan_join(x, &before, &more);
    }
    struct accs total = scan_join(x, &before, own);
    publish_if(x, e.ends, extended(g, e.region), &total);
    return before;
}

/* The terms, or the points, of a tile. */
static void gen_half(struct scan *x, struct tile *t, bool terms, LLVMValueRef whole) {
    struct gen *g = x->g;
    LLVMBasicBlockRef all = gen_block(g, "whole"), some = gen_block(g, "end"),
                      done = gen_block(g, "units");
    LLVMBuildCondBr(g->b, whole, all, some);
    gen_place(g, all);
    gen_units(x, t, terms, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    gen_units(x, t, terms, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* A warp's bytes of what a tile's threads turn. */
static unsigned tile_bytes(struct gen *g, const struct pstmt *s) {
    struct scan_run run;
    if (find_scan_run(g->uc, g->plan, s, &run))
        return runs_bytes(&run);
    return row_bytes(s, (int)g->plan->map.phase[s->phase].units);
}

/* Leaves the tile's part of a reduction for NEST to join. */
static void leave_tail(struct scan *scan, const struct pstmt *s, const struct runs *runs) {
    struct gen *g = scan->g;
    const struct threads *t = g->threads;
    struct scan x = *scan;
    struct tile tile = {.units = 1};
    x.s = s;
    struct accs own = runs_tail(runs, &x.empty);
    gpu(g)->barrier(g); /* the words may be written again */
    join_threads(&x, &tile, own);
    LLVMValueRef room = param_i64(g, PARAM(room)), first = compare(g, LLVMIntEQ, t->tid, i32(g, 0));
    LLVMBasicBlockRef after = begin_if(g, both(g, first, is_set(g, room)));
    LLVMValueRef part = multiply(g, extended(g, t->block), param_i64(g, PARAM(calls)));
    part = multiply(g, add(g, part, t->call), i64(g, g->plan->map.phase[s->phase].bytes));
    scan_store(g, s->accs, &tile.all);
    accs_to_memory(g, s->accs, add(g, add(g, param_i64(g, PARAM(results)), room), part));
    end_if(g, after);
}

/* The tile of the scan from iteration number `base` on, of which each thread has a run. */
static void gen_runs(struct scan *x, const struct scan_run *run, LLVMValueRef base,
                     LLVMValueRef whole) {
    struct gen *g = x->g;
    struct tile t = {.units = run->units};
    LLVMValueRef first = i64(g, (uint64_t)run->units * WARP);
    first = add(g, base, multiply(g, extended(g, x->warp), first));
    struct runs *runs = runs_load(x, run, first, whole);
    join_threads(x, &t, runs_join(runs));
    struct accs carry = look_back(x, &t.all);
    struct accs before = before_thread(x, &t, &carry);
    runs_store(runs, &before);
    if (run->tail != NULL)
        leave_tail(x, run->tail, runs);
}

/* The block's tile of the scan s. */
static void gen_block_tile(struct gen *g, const struct pstmt *s) {
    int units = (int)g->plan->map.phase[s->phase].units;
    struct scan_run run;
    struct scan x = begin_scan(g, s);
    x.room = (struct scan_room){units, tile_bytes(g, s), g->threads->shared};
    x.shared = g->threads->words;
    LLVMValueRef size = i64(g, (uint64_t)units * BLOCK_THREADS);
    LLVMValueRef tile = extended(g, g->threads->block), base = multiply(g, tile, size);
    LLVMValueRef whole = compare(g, LLVMIntSLE, add(g, base, size), x.n);
    if (find_scan_run(g->uc, g->plan, s, &run)) {
        gen_runs(&x, &run, base, whole);
        return;
    }
    struct tile own = make_tile(&x, units, base);
    gen_half(&x, &own, true, whole);
    join_tile(&x, &own);
    struct accs carry = look_back(&x, &own.all);
    carry_on(&x, &own, &carry);
    gen_half(&x, &own, false, whole);
}

/* In the launch of its phase a scan is computed. */
static bool prefix_scan(struct gen *g, const struct pstmt *s) {
    LLVMValueRef own = i32(g, (uint32_t)s->phase);
    pass_scan(g, s);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->phase, own));
    g->unstored = ~g->plan->map.stored[s->phase];
    gen_block_tile(g, s);
    g->unstored = 0;
    end_if(g, after);
    return true;
}

enum { WARPS_TERMS = SCAN_BYTES * (WARP + 2), WARPS_ACCS = 8 * SCAN_ACCS * WARP };
_Static_assert(BLOCK_THREADS / WARP * WARPS_TERMS + WARPS_ACCS <= 48 << 10,
               "a block of PREFIX has room for what the places left out take as well");

static unsigned count(const struct pacc *a) {
    return a != NULL ? 1 + count(a->next) : 0;
}

/* Sets the shared memory of the block: one scan's at a time. */
static void find_room(struct gen *g, struct threads *t) {
    unsigned rows = 0, words = 0;
    for (const struct pstmt *s = g->plan->body->body; s != NULL; s = s->next) {
        if (!is_scan_loop(s))
            continue;
        struct scan_run run;
        bool tail = find_scan_run(g->uc, g->plan, s, &run) && run.tail != NULL;
        unsigned own = tile_bytes(g, s), accs = count(s->accs);
        unsigned behind = tail ? count(run.tail->accs) : 0;
        rows = own > rows ? own : rows;
        words = accs > words ? accs : words;
        words = behind > words ? behind : words;
    }
    t->shared =
        shared_array(g, LLVMInt8TypeInContext(g->context), BLOCK_THREADS / WARP * rows, 16, "rows");
    t->words = shared_array(g, i64_type(g), WARP * words, 16, "accs");
}

void gen_prefix_kernel(struct gen *g, struct threads *t) {
    static const struct sharing by_tiles = {
        .spread = pass_spread, .put = put_in_phase, .sync = sync_in_phase, .scan = prefix_scan};
    gufunc_find_phase(g, t);
    find_room(g, t);
    gufunc_enter_call(g, t);
    g->sharing = &by_tiles;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
