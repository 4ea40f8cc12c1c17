/* band.c: BAND, whose blocks each compute all phases of a band of a call's rows, or of a band of
 * calls: what a phase stores, later ones read in shared memory.  Phases that are tilings
 * are computed by tiles, one after the other along the rows; those between them by a few lanes a
 * row, as in WARP. */
#include <string.h>

#include "tile.h"

struct band {
    struct gen *g;
    const struct threads *threads;
    struct tile *tiles;      /* by phase */
    struct tile *last;       /* that was generated, or NULL */
    const struct tile *any;  /* one of these */
    LLVMValueRef shared;     /* the block's shared memory */
    LLVMValueRef first, end; /* the band's rows, i64 */
    LLVMValueRef several;    /* i1: the block has all teams, not the first one alone */
    LLVMValueRef batch;      /* the point of a batch whose rows they are, i64; or NULL */
    LLVMValueRef base[UFC_MAX_OPERANDS]; /* of the call, or of the first one */
    LLVMValueRef results;                /* address of what its reductions have left, i64 */
    LLVMValueRef tid;                    /* the thread's number in the block, i32 */
    LLVMValueRef facts;                  /* shared memory that has all this */
};

/* ---- what the block knows of its band */

/* What is computed once would be in registers all the time, of which the products of tiles need
 * most: so it is in shared memory, from where each part of the kernel has it again.  A zero there
 * keeps compilers from telling that threads' numbers, and what follows from these, are the same. */
enum { FACT_ZERO, FACT_FIRST, FACT_BATCH, FACT_RESULTS, FACT_BASES, FACT_BYTES = 8 };

static unsigned facts_bytes(const struct gen *g) {
    return (unsigned)(FACT_BASES + g->plan->noperands) * FACT_BYTES;
}

static LLVMValueRef fact_at(const struct band *b, int n) {
    return at_byte(b->g, b->facts, i32(b->g, (uint32_t)n * FACT_BYTES));
}

static void note_fact(struct band *b, int n, LLVMValueRef v) {
    LLVMSetAlignment(LLVMBuildStore(b->g->b, v, fact_at(b, n)), FACT_BYTES);
}

static LLVMValueRef recall_fact(struct band *b, int n, LLVMTypeRef type) {
    LLVMValueRef v = LLVMBuildLoad2(b->g->b, type, fact_at(b, n), "");
    LLVMSetAlignment(v, FACT_BYTES);
    return v;
}

static void note_facts(struct band *b) {
    struct gen *g = b->g;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, b->threads->tid, i32(g, 0)));
    note_fact(b, FACT_ZERO, i32(g, 0));
    note_fact(b, FACT_FIRST, b->first);
    if (b->batch != NULL)
        note_fact(b, FACT_BATCH, b->batch);
    note_fact(b, FACT_RESULTS, b->results);
    for (int k = 0; k < g->plan->noperands; k++)
        note_fact(b, FACT_BASES + k, b->base[k]);
    end_if(g, after);
    gpu(g)->barrier(g);
}

/* Has all of it for what follows, up to the next barrier that is in a loop. */
static void recall_facts(struct band *b) {
    struct gen *g = b->g;
    b->tid = add(g, b->threads->tid, recall_fact(b, FACT_ZERO, i32_type(g)));
    b->first = recall_fact(b, FACT_FIRST, i64_type(g));
    if (b->batch != NULL)
        b->batch = recall_fact(b, FACT_BATCH, i64_type(g));
    b->results = recall_fact(b, FACT_RESULTS, i64_type(g));
    for (int k = 0; k < g->plan->noperands; k++) {
        b->base[k] = recall_fact(b, FACT_BASES + k, LLVMTypeOf(b->base[k]));
        g->arrays[k].base = b->base[k];
    }
    const struct tile *t = b->any;
    LLVMValueRef end = add(g, b->first, i64(g, (uint64_t)t->size[0]));
    b->end = least(g, t->sizes[0], end);
}

/* ---- tiles */

/* Sets what all tiles of a phase have in common. */
static void describe_tile(struct band *b, struct tile *t, int phase) {
    struct gen *g = b->g;
    enum ufc_kernel_kind kind = b->threads->kind;
    const uint32_t per[2] = {(kind == UFC_KERNEL_BAND_64 ? 2 : 1) * UFC_TILE_PER, UFC_TILE_PER};
    *t = (struct tile){.g = g, .tiling = g->plan->map.tiling[phase]};
    if (t->tiling == NULL)
        return;
    const struct pstmt *s = g->plan->body->body;
    while (s->kind != PS_SPREAD || s->phase != phase)
        s = s->next;
    if (!find_loaded_beside(g->plan, s, &t->loaded))
        t->loaded = (struct row_beside){.reduction = NULL};
    if (!find_stored_beside(g->plan, s, &t->stored))
        t->stored = (struct row_beside){.reduction = NULL};
    tile_set_team(t, kind);
    tile_choose_sizes(t, kind, per);
    int most = kind == UFC_KERNEL_BAND_64 ? BAND_64_COPIES : BAND_COPIES;
    while (t->steps > 1 && t->steps * t->per[0] * t->per[1] * t->tiling->operations > most)
        t->steps /= 2;
    b->any = t;
}

/* Sets which team the thread is of, and whether teams share the row's only tile: they gather what
 * each has of its reduction; else they have neighbouring tiles. */
static void find_team(struct band *b, struct tile *t, LLVMValueRef tiles) {
    struct gen *g = b->g;
    LLVMValueRef size = i32(g, (uint32_t)t->team), bytes = i32(g, tile_team_bytes(t));
    LLVMValueRef no = LLVMConstInt(i1_type(g), 0, false);
    t->tid = b->tid;
    t->team_number = LLVMBuildUDiv(g->b, t->tid, size, "");
    t->member = LLVMBuildURem(g->b, t->tid, size, "");
    t->gathers = t->alone ? no : both(g, b->several, compare(g, LLVMIntULE, tiles, i32(g, 1)));
    t->several = b->several;
    t->leads = compare(g, LLVMIntEQ, t->team_number, i32(g, 0));
    t->leads = LLVMBuildOr(g->b, LLVMBuildNot(g->b, t->gathers, ""), t->leads, "");
    t->shared = t->crew_shared = at_byte(g, b->shared, multiply(g, t->team_number, bytes));
    t->first_shared = b->shared;
    t->block_shared = at_byte(g, b->shared, i32(g, tile_team_bytes(t) * (unsigned)t->teams));
}

/* Sets all of the block's lot of tiles, one for each team. */
static void take_lot(struct tile *t) {
    struct gen *g = t->g;
    struct band *b = t->band;
    recall_facts(b);
    find_team(b, t, t->across);
    tile_find_thread(t, t->member);
    LLVMValueRef number = add(g, t->lot, gen_select(g, t->gathers, i32(g, 0), t->team_number));
    LLVMValueRef column = multiply(g, number, i32(g, (uint32_t)t->size[1]));
    t->own = t->crew = (struct spot){.first = {b->first, extended(g, column)},
                                     .exists = compare(g, LLVMIntULT, number, t->across),
                                     .all = LLVMConstInt(i1_type(g), 1, false),
                                     .number = i64(g, 0),
                                     .batch = b->batch,
                                     .results = b->results,
                                     .part = i32(g, 0)};
    t->results = b->results;
    memcpy(t->base, b->base, sizeof t->base);
}

/* The tiles of the band in a phase, the last ones first: what follows begins with the first ones,
 * which caches still have. */
static void gen_tiles(struct band *b, const struct pstmt *s) {
    struct gen *g = b->g;
    struct tile *t = &b->tiles[s->phase];
    LLVMValueRef zero = i32(g, 0);
    tile_set_sizes(t);
    t->across = tiles_along(g, t->sizes[1], t->size[1]);
    t->spread = s;
    t->parts = t->units = i32(g, 1);
    t->apart = zero;
    t->joins = t->interleaved = LLVMConstInt(i1_type(g), 0, false);
    t->band = b;
    t->renew = take_lot;
    memcpy(t->inputs, g->inputs, sizeof t->inputs);
    if (t->stored.reduction != NULL)
        stored_begin(t);
    b->last = t;
    LLVMValueRef all = gen_select(g, b->several, i32(g, (uint32_t)t->teams), i32(g, 1));
    LLVMValueRef lots =
        LLVMBuildUDiv(g->b, add(g, t->across, subtract(g, all, i32(g, 1))), all, "");
    LLVMValueRef end = multiply(g, lots, all);
    struct loop l;
    loop_begin(g, &l, 1, &end);
    loop_while(g, &l, compare(g, LLVMIntUGT, l.phi[0], zero));
    l.keep = true;
    LLVMValueRef next = subtract(g, l.phi[0], all);
    t->lot = next;
    take_lot(t);
    tile_compute(t);
    gpu(g)->barrier(g);
    loop_end(g, &l, &next);
    t->lot = zero;
    take_lot(t);
}

/* ---- rows between them */

/* A reduction of a row, by the row's lanes. */
static void row_spread(struct gen *g, const struct pstmt *s) {
    const struct varying *varying = g->varying;
    if (is_brief(s)) {
        gen_stmts(g, s->serial);
        return;
    }
    g->varying = find_varying_within(g->uc, g->plan, s, false);
    gen_share(g, s);
    g->varying = varying;
    join_warp(g, s, g->threads->group);
}

static void row_put(struct gen *g, const struct pstmt *s) {
    gpu(g)->warp_barrier(g, g->threads->lane_mask);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->number, i64(g, 0)));
    gen_put_here(g, s);
    end_if(g, after);
}

/* The definition s of the row that a range's variable is. */
static void gen_row_points(struct gen *g, const struct pstmt *s, const struct prange *row) {
    static const struct sharing by_lanes = {.spread = row_spread, .put = row_put, .within = true};
    struct pstmt *points = NEW(g->uc, struct pstmt);
    if (row->next == NULL) {
        g->sharing = &by_lanes;
        gen_stmts(g, s->body);
        g->sharing = NULL;
        return;
    }
    *points = *s;
    points->ranges = row->next;
    gen_share(g, points);
}

/* The statements from s to `end` for a row that is a point of their first ranges. */
static void gen_point_row(struct band *b, const struct pstmt *s, const struct pstmt *end,
                          LLVMValueRef row) {
    struct gen *g = b->g;
    for (; s != end; s = s->next) {
        if (s->kind == PS_SET) {
            gen_list(g, s, s->next);
            continue;
        }
        const struct prange *r = band_row(s, b->batch != NULL);
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
        if (b->batch != NULL)
            LLVMBuildStore(g->b, b->batch, var_of(g, s->ranges->var)->slot);
        LLVMBuildStore(g->b, row, var_of(g, r->var)->slot);
        gen_row_points(g, s, r);
    }
}

/* Does a statement store to the memory of another array than it is said to? */
static bool takes_memory(const struct gen *g, const struct pstmt *s) {
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        if (in->kind == PS_PUT && g->memory[in->operand] != in->operand)
            return true;
    return false;
}

/* The same for a row that is a call: what its reductions leave is for tiles. */
static void gen_call_row(struct band *b, const struct pstmt *s, const struct pstmt *end,
                         LLVMValueRef row) {
    struct gen *g = b->g;
    LLVMValueRef step = param_i64(g, PARAM(result) + (UFC_MAX_AXES - 1) * sizeof(int64_t));
    LLVMValueRef results = add(g, b->results, multiply(g, row, step));
    for (int k = 0; k < g->plan->noperands; k++)
        g->arrays[k].base = at_byte(g, b->base[k], multiply(g, row, gufunc_row_step(g, k)));
    set_call_before(g, s, results);
    g->sharing = &by_threads;
    const struct pstmt *first = s;
    for (const struct pstmt *in = s; in != end; in = in->next) {
        if (!takes_memory(g, in))
            continue;
        gen_list(g, first, in);
        gpu(g)->warp_barrier(g, g->threads->lane_mask); /* other lanes may have read there */
        first = in;
    }
    gen_list(g, first, end);
    g->sharing = NULL;
    if (end == NULL)
        return;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->number, i64(g, 0)));
    for (; s != end; s = s->next)
        if (s->kind == PS_SPREAD && s->accs != NULL)
            accs_to_memory(g, s->accs, add(g, results, i64(g, (uint64_t)s->partial)));
    end_if(g, after);
}

/* The band's rows of the statements from s to `end`, by as many lanes each as the launch says. */
static void gen_rows(struct band *b, const struct pstmt *s, const struct pstmt *end) {
    struct gen *g = b->g;
    struct threads own = *b->threads;
    LLVMValueRef one = i32(g, 1), all = own.ntid;
    recall_facts(b);
    own.tid = b->tid;
    own.kind = UFC_KERNEL_WARP;
    own.in_band = true;
    own.group = param_i32(g, PARAM(across));
    own.lane_mask = gufunc_lane_mask(g, &own);
    own.number = own.member = extended(g, both(g, own.tid, subtract(g, own.group, one)));
    own.count = own.members = extended(g, own.group);
    LLVMValueRef shift = trailing_zeros(g, own.group);
    LLVMValueRef row = add(g, b->first, extended(g, LLVMBuildLShr(g->b, own.tid, shift, "")));
    LLVMValueRef apart = extended(g, LLVMBuildLShr(g->b, all, shift, ""));
    g->threads = &own;
    g->merge = gen_merge;
    struct loop l;
    loop_begin(g, &l, 1, &row);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], b->end));
    l.keep = true;
    (b->any->tiling->shared ? gen_call_row : gen_point_row)(b, s, end, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], apart);
    loop_end(g, &l, &next);
    g->threads = b->threads;
    g->merge = NULL;
    gpu(g)->barrier(g);
}

/* Computes rows of the list, if there is more in it than assignments. */
static void gen_some_rows(struct band *b, const struct pstmt *s, const struct pstmt *end) {
    const struct pstmt *in = s;
    while (in != end && in->kind == PS_SET)
        in = in->next;
    if (in != end)
        gen_rows(b, s, end);
}

/* The statements between tiles but for reductions that are computed beside these. */
static void gen_between(struct band *b, const struct pstmt *s, const struct pstmt *end) {
    struct gen *g = b->g;
    struct tile *before = b->last;
    const struct pstmt *stored = before != NULL ? beside_stmt(&before->stored) : NULL;
    struct row_beside *after = end != NULL ? &b->tiles[end->phase].loaded : NULL;
    if (after != NULL && beside_stmt(after) == stored)
        *after = (struct row_beside){.reduction = NULL}; /* it is had already */
    const struct pstmt *loaded = after != NULL ? beside_stmt(after) : NULL;
    if (stored != NULL) {
        LLVMBasicBlockRef all = gen_block(g, "all"), some = gen_block(g, "some"),
                          done = gen_block(g, "joined");
        LLVMBuildCondBr(g->b, LLVMBuildLoad2(g->b, i1_type(g), before->stored_all, ""), all, some);
        gen_place(g, all);
        stored_end(before);
        LLVMBuildBr(g->b, done);
        gen_place(g, some);
        gen_rows(b, s, stored->next);
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
        s = stored->next;
    }
    gen_some_rows(b, s, loaded != NULL ? loaded : end);
}

/* ---- the kernel */

static bool has_tables(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        for (int k = 0; k < TILE_INDICES; k++)
            any = any || (p->map.tiling[i] != NULL && p->map.tiling[i]->joins[k]);
    return any;
}

/* Has the body find the band's rows of intermediates in shared memory where the launch says so, or
 * else in the memory of one that is done with.  Tables have addresses in global memory alone. */
static void keep_near(struct band *b) {
    struct gen *g = b->g;
    const struct plan *p = g->plan;
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef near = param_i32(g, PARAM(inputs)), offset = i64(g, 0);
    int first = p->noperands - p->overload->nintermediates;
    for (int k = first; k < p->noperands && !has_tables(p); k++) {
        int axis = b->batch != NULL;
        LLVMValueRef row =
            b->any->tiling->shared ? gufunc_row_step(g, k) : g->arrays[k].stride[axis];
        LLVMValueRef before = multiply(g, b->first, row);
        if (b->batch != NULL)
            before = add(g, before, multiply(g, b->batch, g->arrays[k].stride[0]));
        LLVMValueRef is = is_set(g, both(g, near, i32(g, UINT32_C(1) << (k - first))));
        LLVMValueRef rows = i64(g, (uint64_t)b->any->size[0]), bytes = multiply(g, row, rows);
        LLVMValueRef at = at_byte(g, dynamic_memory(g), offset);
        at = LLVMBuildAddrSpaceCast(g->b, at, generic, "");
        at = at_byte(g, at, subtract(g, i64(g, 0), before));
        LLVMValueRef home = b->base[g->memory[k]];
        home = LLVMBuildAddrSpaceCast(g->b, home, generic, "");
        b->base[k] = gen_select(g, is, at, home);
        bytes = both(g, add(g, bytes, i64(g, 15)), i64(g, (uint64_t)-16));
        offset = gen_select(g, is, add(g, offset, bytes), offset);
    }
}

/* Finds the block's call, and its rows. */
static void take_band(struct band *b, struct threads *threads) {
    struct gen *g = b->g;
    struct tile *t = NEW(g->uc, struct tile);
    const struct moved result = {PARAM(result), false};
    *t = *b->any;
    tile_set_sizes(t);
    LLVMValueRef bands = tiles_along(g, t->sizes[0], t->size[0]);
    bands = gen_select(g, is_set(g, bands), bands, i32(g, 1));
    LLVMValueRef set = LLVMBuildUDiv(g->b, threads->ctaid, bands, ""), call = set;
    LLVMValueRef band = LLVMBuildURem(g->b, threads->ctaid, bands, "");
    if (t->tiling->batch != NULL) {
        LLVMValueRef batch = tile_batch(t);
        call = LLVMBuildUDiv(g->b, set, batch, "");
        b->batch = extended(g, LLVMBuildURem(g->b, set, batch, ""));
    }
    gufunc_find_place(g, call, &result, 1, &b->results);
    b->results = add(g, param_i64(g, PARAM(results)), b->results);
    for (int k = 0; k < g->plan->noperands; k++)
        b->base[k] = g->arrays[k].base;
    b->several = compare(g, LLVMIntUGT, threads->ntid, i32(g, (uint32_t)t->team));
    b->first = multiply(g, extended(g, band), i64(g, (uint64_t)t->size[0]));
    keep_near(b);
    b->any = t;
    note_facts(b);
    recall_facts(b);
}

static bool is_tiled(const struct gen *g, const struct pstmt *s) {
    return s->kind == PS_SPREAD && g->plan->map.tiling[s->phase] != NULL;
}

void gen_band_kernel(struct gen *g, struct threads *threads) {
    const struct plan *whole = g->plan;
    g->plan = plan_of_bands(whole);
    const struct mapping *m = &g->plan->map;
    struct band b = {.g = g, .threads = threads, .tiles = NEWN(g->uc, struct tile, m->phases)};
    unsigned most = 0;
    uint32_t stored = 0;
    for (int i = 0; i < m->phases; i++) {
        struct tile *t = &b.tiles[i];
        describe_tile(&b, t, i);
        unsigned teams = (unsigned)t->teams;
        unsigned bytes = t->tiling ? tile_team_bytes(t) * teams + tile_depth_bytes(t) : 0;
        if (teams > 1 && tile_gathered_bytes(t) > bytes)
            bytes = tile_gathered_bytes(t);
        most = bytes > most ? bytes : most;
        stored |= m->stored[i];
    }
    int *memory = NEWN(g->uc, int, g->plan->noperands);
    for (int k = 0; k < g->plan->noperands; k++)
        memory[k] = band_memory(g->plan, k);
    g->memory = memory;
    gufunc_find_thread(g, threads);
    gen_variables(g, 1);
    most = (most + 15) / 16 * 16;
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    b.shared = shared_array(g, byte, most + facts_bytes(g), 16, "shared");
    b.facts = at_byte(g, b.shared, i32(g, most));
    take_band(&b, threads);
    g->unstored = ~stored;
    g->results_change = true;
    for (const struct pstmt *s = g->plan->body->body, *end; s != NULL; s = end) {
        end = s->next;
        if (is_tiled(g, s)) {
            gen_tiles(&b, s);
            continue;
        }
        while (end != NULL && !is_tiled(g, end))
            end = end->next;
        gen_between(&b, s, end);
    }
    g->plan = whole;
}
