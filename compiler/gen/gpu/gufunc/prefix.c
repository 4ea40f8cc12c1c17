/* prefix.c: a scan, a PS_FOR with accs, shared by the GPU threads of a call.  They take tiles of
 * its iterations, one after the other.  Neighbouring threads take neighbouring
 * iterations, and turn their terms in shared memory, so that each joins a run of them; by shuffles
 * and shared memory they find what is before each run, and turn what they have back for their
 * points.  So how terms are grouped depends on the number of threads alone. */
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
    LLVMValueRef rows;             /* shared memory for the terms of each warp */
    LLVMValueRef shared;           /* words for each warp's accs; NULL: a warp alone has the call */
    LLVMValueRef carry[SCAN_ACCS]; /* slots: the join of all tiles so far */
};

/* Bytes of it for a warp, of threads with `units` iterations. */
static unsigned row_bytes(const struct pstmt *s, int units) {
    unsigned size = 4;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        if (dtype_info[a->acc->dtype].bits > 32)
            size = 8;
    return (unsigned)units * (WARP + 1) * size;
}

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

/* A tile: `units` iterations a thread, a power of two.  First each warp's are in rows, one after
 * the other, so that neighbouring threads access neighbours; then each thread has a run of them. */
struct tile {
    int units;
    LLVMValueRef at[SCAN_UNITS];              /* in rows: the thread's iterations, i64 */
    LLVMValueRef slot[SCAN_UNITS][SCAN_ACCS]; /* in a run: the join of its terms up to each */
    struct accs lanes, warps; /* of the threads before in the warp; of the warps before */
    struct accs all;          /* of all the tile's terms */
};

static void set_index(struct scan *x, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMBuildStore(g->b, add(g, x->lo, multiply(g, number, x->step)), var_of(g, x->s->var)->slot);
}

/* The thread's terms or, at its points, what is made of the accs; whole: it has an iteration in
 * each unit. */
static void gen_units(struct scan *x, struct tile *t, bool terms, bool whole) {
    struct gen *g = x->g;
    for (int i = 0; i < t->units; i++) {
        LLVMBasicBlockRef after = NULL;
        if (!whole)
            after = begin_if(g, compare(g, LLVMIntSLT, t->at[i], x->n));
        struct accs own = terms ? x->empty : get(x, t->slot[i]);
        store_accs(g, x->s->accs, &own);
        set_index(x, t->at[i]);
        gen_list(g, terms ? x->s->body : x->s->rest, terms ? x->s->rest : NULL);
        own = load_accs(g, x->s->accs);
        put(x, &own, t->slot[i]);
        if (after != NULL)
            end_if(g, after);
    }
}

/* Joins accs with those of the lanes before. */
static struct accs scan_lanes(struct scan *x, const struct accs *a, LLVMValueRef lanes) {
    struct gen *g = x->g;
    LLVMValueRef slot[SCAN_ACCS];
    make_slots(x, slot);
    put(x, a, slot);
    for (uint32_t far = 1; far < WARP; far *= 2) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, lanes, i32(g, far)));
        LLVMValueRef there = compare(g, LLVMIntUGE, x->lane, i32(g, far));
        struct accs own = get(x, slot);
        struct accs before = shuffled(x, &own, SHUFFLE_UP, i32(g, far), there);
        own = join(x, &before, &own);
        put(x, &own, slot);
        end_if(g, after);
    }
    return get(x, slot);
}

/* The join of all terms of the warps before; *all: of all the block's. */
static struct accs join_warps(struct scan *x, const struct accs *own, struct accs *all) {
    struct gen *g = x->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, i32(g, 0)));
    store_accs(g, x->s->accs, own);
    save_accs(g, x->s->accs, x->shared, x->warp, WARP);
    end_if(g, after);
    gpu(g)->barrier(g);
    restore_accs(g, x->s->accs, x->shared, x->lane, WARP, false);
    gpu(g)->barrier(g); /* the words may be written again */
    struct accs total = load_accs(g, x->s->accs);
    LLVMValueRef there = compare(g, LLVMIntULT, x->lane, x->warps);
    for (int i = 0; i < SCAN_ACCS && total.v[i] != NULL; i++)
        total.v[i] = gen_select(g, there, total.v[i], x->empty.v[i]);
    total = scan_lanes(x, &total, i32(g, WARP));
    *all = shuffled(x, &total, SHUFFLE_FROM, i32(g, WARP - 1), yes);
    return shuffled(x, &total, SHUFFLE_FROM, subtract(g, x->warp, i32(g, 1)), is_set(g, x->warp));
}

/* ---- tiles */

static struct tile make_tile(struct scan *x, int units) {
    struct tile t = {.units = units};
    for (int i = 0; i < units; i++)
        make_slots(x, t.slot[i]);
    return t;
}

/* Finds the thread's iterations in a tile from `base` (i64) on. */
static void place_tile(struct scan *x, struct tile *t, LLVMValueRef base) {
    struct gen *g = x->g;
    LLVMValueRef lanes = extended(g, x->lanes);
    LLVMValueRef first = multiply(g, extended(g, x->warp), i64(g, (uint64_t)t->units * WARP));
    base = add(g, add(g, base, first), extended(g, x->lane));
    for (int i = 0; i < t->units; i++) {
        t->at[i] = add(g, base, multiply(g, lanes, i64(g, (uint64_t)i)));
        put(x, &x->empty, t->slot[i]);
    }
}

/* Where a warp's number `index`, i32, is in its part of x->rows: those of threads with a run each
 * are in different banks. */
static LLVMValueRef row_place(struct scan *x, LLVMTypeRef type, LLVMValueRef index, int units) {
    struct gen *g = x->g;
    LLVMValueRef warp = warp_of(g, g->threads->tid);
    LLVMValueRef part = multiply(g, warp, i32(g, row_bytes(x->s, units)));
    index = add(g, index, LLVMBuildLShr(g->b, index, i32(g, 5), ""));
    LLVMValueRef begin = at_byte(g, x->rows, extended(g, part));
    return LLVMBuildGEP2(g->b, type, begin, &index, 1, "");
}

/* Moves the slots' accs from rows to runs, or back, within each warp. */
static void turn(struct scan *x, struct tile *t, bool to_runs) {
    struct gen *g = x->g;
    LLVMValueRef mask = g->threads->lane_mask != NULL ? g->threads->lane_mask : i32(g, UINT32_MAX);
    LLVMValueRef lane = lane_of(g, g->threads->tid);
    LLVMValueRef others = subtract(g, lane, x->lane), in_row[SCAN_UNITS], in_run[SCAN_UNITS];
    others = multiply(g, others, i32(g, (uint32_t)t->units));
    for (int i = 0; i < t->units; i++) {
        LLVMValueRef unit = i32(g, (uint32_t)i);
        in_row[i] = add(g, others, add(g, x->lane, multiply(g, x->lanes, unit)));
        in_run[i] = add(g, multiply(g, lane, i32(g, (uint32_t)t->units)), unit);
    }
    int k = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, k++) {
        LLVMTypeRef type = dtype_info[a->acc->dtype].bits <= 32 ? i32_type(g) : i64_type(g);
        gpu(g)->warp_barrier(g, mask);
        for (int i = 0; i < t->units; i++) {
            LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), t->slot[i][k], "");
            LLVMBuildStore(g->b, acc_to_word(g, a->acc, v),
                           row_place(x, type, to_runs ? in_row[i] : in_run[i], t->units));
        }
        gpu(g)->warp_barrier(g, mask);
        for (int i = 0; i < t->units; i++) {
            LLVMValueRef v = LLVMBuildLoad2(
                g->b, type, row_place(x, type, to_runs ? in_run[i] : in_row[i], t->units), "");
            LLVMBuildStore(g->b, acc_from_word(g, a->acc, v), t->slot[i][k]);
        }
    }
}

/* Joins the terms in the slots, of the whole tile. */
static void join_tile(struct scan *x, struct tile *t) {
    struct gen *g = x->g;
    if (t->units > 1)
        turn(x, t, true);
    struct accs own = get(x, t->slot[0]);
    for (int i = 1; i < t->units; i++) {
        struct accs next = get(x, t->slot[i]);
        own = join(x, &own, &next);
        put(x, &own, t->slot[i]);
    }
    own = scan_lanes(x, &own, x->lanes);
    t->lanes = shuffled(x, &own, SHUFFLE_UP, i32(g, 1), is_set(g, x->lane));
    t->all = shuffled(x, &own, SHUFFLE_FROM, x->last, LLVMConstInt(i1_type(g), 1, false));
    if (x->shared != NULL)
        t->warps = join_warps(x, &t->all, &t->all);
}

/* Joins what is before the tile with the slots' accs. */
static void carry_on(struct scan *x, struct tile *t, const struct accs *carry) {
    struct accs begin = x->shared != NULL ? join(x, carry, &t->warps) : *carry;
    begin = join(x, &begin, &t->lanes);
    for (int i = 0; i < t->units; i++) {
        struct accs own = get(x, t->slot[i]);
        own = join(x, &begin, &own);
        put(x, &own, t->slot[i]);
    }
    if (t->units > 1)
        turn(x, t, false);
}

static void gen_tile(struct scan *x, int units, bool whole, LLVMValueRef base) {
    struct tile t = make_tile(x, units);
    place_tile(x, &t, base);
    gen_units(x, &t, true, whole);
    join_tile(x, &t);
    struct accs carry = get(x, x->carry);
    carry_on(x, &t, &carry);
    carry = join(x, &carry, &t.all);
    put(x, &carry, x->carry);
    gen_units(x, &t, false, whole);
}

/* Tiles of several units where the loop has so many iterations left; else of one, where any may be
 * missing. */
static void gen_tiles(struct scan *x) {
    struct gen *g = x->g;
    int units = scan_units(x->s, SHARED_UNITS);
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

/* The scan s, for the threads that share a call. */
static struct scan begin_scan(struct gen *g, const struct pstmt *s, int units) {
    const struct threads *t = g->threads;
    bool block = t->lane_mask == NULL;
    unsigned warps = block_threads(g->plan, t->kind) / WARP;
    struct scan x = {.g = g, .s = s};
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
    if (units > 1)
        x.rows = shared_array(g, LLVMInt8TypeInContext(g->context), warps * row_bytes(s, units), 16,
                              "rows");
    return x;
}

void threads_scan(struct gen *g, const struct pstmt *s) {
    struct scan x = begin_scan(g, s, scan_units(s, SHARED_UNITS));
    make_slots(&x, x.carry);
    put(&x, &x.empty, x.carry);
    gen_tiles(&x);
}

/* ---- PREFIX: a tile a block */

/* The address of a word of an entry of the workspace.  A word is written and read at once: its low
 * half is 1 when its high half is there, 32 bits of a value. */
static LLVMValueRef word_at(struct gen *g, LLVMValueRef entry, int word) {
    LLVMValueRef from = add(g, param_i64(g, PARAM(workspace)), i64(g, 8 * (uint64_t)word));
    LLVMValueRef size = i64(g, (uint64_t)g->plan->map.entry);
    return global_pointer(g, add(g, from, multiply(g, entry, size)));
}

static void publish(struct scan *x, LLVMValueRef entry, const struct accs *a) {
    struct gen *g = x->g;
    LLVMValueRef half = i64(g, 32), one = i64(g, 1);
    int i = 0, word = 0;
    for (const struct pacc *p = x->s->accs; p != NULL; p = p->next, i++) {
        LLVMValueRef bits = acc_to_word(g, p->acc, a->v[i]);
        bits = LLVMBuildZExt(g->b, bits, i64_type(g), "");
        for (int n = dtype_info[p->acc->dtype].bits; n > 0; n -= 32) {
            LLVMValueRef v = LLVMBuildOr(g->b, LLVMBuildShl(g->b, bits, half, ""), one, "");
            v = LLVMBuildStore(g->b, v, word_at(g, entry, word++));
            LLVMSetVolatile(v, true);
            LLVMSetAlignment(v, 8);
            bits = LLVMBuildLShr(g->b, bits, half, "");
        }
    }
}

/* Waits for a word; gives its value, i64. */
static LLVMValueRef wait_for(struct gen *g, LLVMValueRef at) {
    LLVMBasicBlockRef wait = gen_block(g, "wait"), there = gen_block(g, "there");
    LLVMBuildBr(g->b, wait);
    gen_place(g, wait);
    LLVMValueRef word = LLVMBuildLoad2(g->b, i64_type(g), at, "");
    LLVMSetVolatile(word, true);
    LLVMSetAlignment(word, 8);
    LLVMBuildCondBr(g->b, is_set(g, word), there, wait);
    gen_place(g, there);
    return LLVMBuildLShr(g->b, word, i64(g, 32), "");
}

/* What is published in an entry, to slots. */
static void fetch(struct scan *x, LLVMValueRef entry, LLVMValueRef *slot) {
    struct gen *g = x->g;
    int i = 0, word = 0;
    for (const struct pacc *p = x->s->accs; p != NULL; p = p->next, i++) {
        bool wide = dtype_info[p->acc->dtype].bits > 32;
        LLVMValueRef bits = wait_for(g, word_at(g, entry, word++));
        if (wide) {
            LLVMValueRef high = wait_for(g, word_at(g, entry, word++));
            bits = LLVMBuildOr(g->b, bits, LLVMBuildShl(g->b, high, i64(g, 32), ""), "");
        } else
            bits = LLVMBuildTrunc(g->b, bits, i32_type(g), "");
        LLVMBuildStore(g->b, acc_from_word(g, p->acc, bits), slot[i]);
    }
}

/* The join of `n` entries, up to UFC_PREFIX_GROUP, from number `first` on; i64 both. */
static struct accs join_entries(struct scan *x, LLVMValueRef first, LLVMValueRef n) {
    struct gen *g = x->g;
    LLVMValueRef own = extended(g, g->threads->tid), slot[SCAN_ACCS];
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false);
    make_slots(x, slot);
    put(x, &x->empty, slot);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, own, n));
    fetch(x, add(g, first, own), slot);
    end_if(g, after);
    struct accs all = get(x, slot);
    all = scan_lanes(x, &all, x->lanes);
    all = shuffled(x, &all, SHUFFLE_FROM, x->last, yes);
    join_warps(x, &all, &all);
    return all;
}

static void publish_where(struct scan *x, LLVMValueRef where, LLVMValueRef entry,
                          const struct accs *a) {
    struct gen *g = x->g;
    where = both(g, where, compare(g, LLVMIntEQ, g->threads->tid, i32(g, 0)));
    LLVMBasicBlockRef after = begin_if(g, where);
    publish(x, entry, a);
    end_if(g, after);
}

/* The join of all groups before the call's group number `group`, whose entries begin at `first`. */
static struct accs join_groups(struct scan *x, LLVMValueRef first, LLVMValueRef group) {
    struct gen *g = x->g;
    LLVMValueRef begin = i64(g, 0), slot[SCAN_ACCS];
    make_slots(x, slot);
    put(x, &x->empty, slot);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], group));
    LLVMValueRef left = LLVMBuildSub(g->b, group, l.phi[0], "");
    struct accs more = join_entries(x, add(g, first, l.phi[0]), left), all = get(x, slot);
    all = join(x, &all, &more);
    put(x, &all, slot);
    LLVMValueRef next = add(g, l.phi[0], i64(g, UFC_PREFIX_GROUP));
    loop_end(g, &l, &next);
    return get(x, slot);
}

/* What is before the block's tile, whose own terms are `own`: the tiles before in its group, and
 * the groups before.  It waits for blocks of lower numbers alone, which GPUs start first. */
static struct accs look_back(struct scan *x, LLVMValueRef tile, const struct accs *own) {
    struct gen *g = x->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false), size = i64(g, UFC_PREFIX_GROUP);
    LLVMValueRef tiles = extended(g, g->threads->blocks), call = g->threads->call;
    LLVMValueRef group = LLVMBuildUDiv(g->b, tile, size, "");
    LLVMValueRef in_group = LLVMBuildURem(g->b, tile, size, "");
    LLVMValueRef entry = add(g, multiply(g, call, tiles), tile);
    LLVMValueRef groups = add(g, tiles, i64(g, UFC_PREFIX_GROUP - 1));
    groups = LLVMBuildUDiv(g->b, groups, size, "");
    LLVMValueRef first =
        add(g, multiply(g, param_i64(g, PARAM(calls)), tiles), multiply(g, call, groups));
    publish_where(x, yes, entry, own);
    struct accs near = join_entries(x, LLVMBuildSub(g->b, entry, in_group, ""), in_group);
    struct accs all = join(x, &near, own);
    LLVMValueRef ends = compare(g, LLVMIntEQ, in_group, i64(g, UFC_PREFIX_GROUP - 1));
    publish_where(x, ends, add(g, first, group), &all);
    struct accs far = join_groups(x, first, group);
    return join(x, &far, &near);
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

void gen_prefix_kernel(struct gen *g, struct threads *t) {
    const struct pstmt *s = g->plan->body->body;
    gufunc_find_thread(g, t);
    t->blocks = param_i32(g, PARAM(blocks));
    LLVMValueRef call = LLVMBuildUDiv(g->b, t->ctaid, t->blocks, "");
    LLVMValueRef tile = extended(g, subtract(g, t->ctaid, multiply(g, call, t->blocks)));
    t->call = extended(g, call);
    gufunc_enter_call(g, t);
    for (; s->kind != PS_FOR; s = s->next)
        gen_list(g, s, s->next);
    int units = g->plan->map.units;
    struct scan x = begin_scan(g, s, units);
    struct tile own = make_tile(&x, units);
    LLVMValueRef size = i64(g, (uint64_t)own.units * BLOCK_THREADS);
    LLVMValueRef base = multiply(g, tile, size);
    LLVMValueRef whole = compare(g, LLVMIntSLE, add(g, base, size), x.n);
    place_tile(&x, &own, base);
    gen_half(&x, &own, true, whole);
    join_tile(&x, &own);
    struct accs carry = look_back(&x, tile, &own.all);
    carry_on(&x, &own, &carry);
    gen_half(&x, &own, false, whole);
    gufunc_leave_call(g, t);
}
