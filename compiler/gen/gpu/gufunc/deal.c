/* deal.c: DEAL, several blocks for each call, whose phase only updates bins.  In each round threads
 * compute the entries of many iterations at once; a block does so by lots, which it has in shared
 * memory until it knows the order in which they come by owners: deal_sort.c.  When all blocks have
 * done so, the owners update their bins: deal_own.c.
 *
 * Rounds have the halves of the workspace in turn, so that blocks wait for one another once in
 * each.
 */
#include "deal_own.h"

/* ---- entries in memory */

/* The half of the workspace, i64. */
static LLVMValueRef half_of(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef half = LLVMBuildLoad2(g->b, i64_type(g), x->half, "");
    return add(g, x->workspace, multiply(g, half, x->bytes));
}

/* Of i32 or i64. */
static LLVMValueRef whole_part(struct gen *g, LLVMValueRef bytes) {
    LLVMTypeRef type = LLVMTypeOf(bytes);
    LLVMValueRef most = LLVMConstInt(type, 15, false);
    return both(g, add(g, bytes, most), LLVMConstInt(type, (unsigned long long)-16, true));
}

/* i1: the launch is so. */
static LLVMValueRef has_mode(const struct dealing *x, uint32_t mode) {
    struct gen *g = x->g;
    return is_set(g, both(g, param_i32(g, PARAM(across)), i32(g, mode)));
}

/* Places in a half have 32 bits. */
static LLVMValueRef places_bytes(const struct dealing *x, LLVMValueRef lots) {
    struct gen *g = x->g;
    return multiply(g, multiply(g, lots, x->owners), i32(g, 4));
}

LLVMValueRef deal_places(const struct dealing *x, LLVMValueRef lot, LLVMValueRef owner) {
    struct gen *g = x->g;
    LLVMValueRef at = add(g, multiply(g, lot, x->owners), owner);
    return add(g, half_of(x), extended(g, multiply(g, at, i32(g, 4))));
}

static LLVMValueRef rows_at(const struct dealing *x, LLVMValueRef lot) {
    struct gen *g = x->g;
    LLVMValueRef first = whole_part(g, places_bytes(x, x->all_lots));
    return add(g, first, multiply(g, lot, x->lot_bytes));
}

/* Of a lot that is not in order. */
static LLVMValueRef pile_bytes(const struct dealing *x) {
    struct gen *g = x->g;
    return whole_part(g, add(g, x->lot_bytes, multiply(g, x->entries, i32(g, 2))));
}

LLVMValueRef deal_in_row(const struct dealing *x, LLVMValueRef entry, unsigned width) {
    struct gen *g = x->g;
    LLVMValueRef row = LLVMBuildLShr(g->b, entry, i32(g, 5), "");
    _Static_assert(UFC_DEAL_ROW == 1 << 5, "which a shift tells");
    LLVMValueRef more = multiply(g, row, i32(g, UFC_DEAL_ROW * (x->room.bytes - width)));
    return add(g, multiply(g, entry, i32(g, width)), more);
}

LLVMValueRef deal_value_at(const struct dealing *x, LLVMValueRef lot, uint32_t offset,
                           LLVMValueRef place, unsigned width) {
    struct gen *g = x->g;
    LLVMValueRef at = add(g, rows_at(x, lot), deal_in_row(x, place, width));
    at = add(g, half_of(x), LLVMBuildZExt(g->b, at, i64_type(g), ""));
    return add(g, at, i64(g, (uint64_t)offset * UFC_DEAL_ROW));
}

LLVMValueRef deal_load(const struct dealing *x, enum ufc_dtype d, LLVMValueRef at) {
    return load_element(x->g, d, at);
}

/* ---- terms and keys of iterations */

static const struct deal_site *site_of(const struct deal *d, const struct pvar *key) {
    for (int i = 0; i < d->nsites; i++)
        if (d->site[i].key == key)
            return &d->site[i];
    return NULL;
}

/* The number of the bin of a key, among those of all groups, i32; DEAL_ABSENT: there is no such
 * bin, and no other one does. */
static LLVMValueRef bin_of(const struct dealing *x, const struct deal_site *site,
                           LLVMValueRef key) {
    struct gen *g = x->g;
    LLVMValueRef exists = compare(g, LLVMIntULT, key, x->size[site->group]);
    LLVMValueRef bin = LLVMBuildTrunc(g->b, add(g, key, x->first[site->group]), i32_type(g), "");
    LLVMValueRef other = i32(g, (uint32_t)DEAL_ABSENT);
    if (site->anyway)
        other = LLVMBuildTrunc(g->b, x->first[site->group], i32_type(g), "");
    return gen_select(g, exists, bin, other);
}

/* Puts an entry of the lot's, of a site, among those of the lot. */
static void store_entry(const struct dealing *x, const struct deal_site *site, LLVMValueRef number,
                        LLVMValueRef bin, const LLVMValueRef *term) {
    struct gen *g = x->g;
    uint32_t terms = deal_terms(x->d, site->kind, -1);
    deal_put_key(x, number, bin);
    if (x->d->nkinds > 1)
        deal_put(x, DT_INT32, x->room.kind, number, i32(g, (uint32_t)site->kind));
    for (int i = 0; i < x->d->nterms; i++)
        if (terms >> i & 1)
            deal_put(x, x->d->term[i]->dtype, x->room.term[i], number, term[i]);
}

static void load_terms(const struct dealing *x, LLVMValueRef *term) {
    struct gen *g = x->g;
    for (int i = 0; i < x->d->nterms; i++)
        term[i] = LLVMBuildLoad2(g->b, gen_type(g, x->d->term[i]->dtype),
                                 var_of(g, x->d->term[i])->slot, "");
}

/* The number of an entry of the lot's iteration `number`. */
static LLVMValueRef entry_of(const struct dealing *x, LLVMValueRef number, LLVMValueRef at) {
    struct gen *g = x->g;
    LLVMValueRef first = multiply(g, number, x->each);
    return add(g, first, LLVMBuildTrunc(g->b, at, i32_type(g), ""));
}

/* A PS_SET of a key: the entry is dealt out. */
static bool set_key(struct gen *g, const struct pstmt *s) {
    struct dealing *x = g->threads->dealing;
    const struct deal_site *site = site_of(x->d, s->var);
    LLVMValueRef term[MAX_DEAL_TERMS];
    if (site == NULL)
        return false;
    LLVMValueRef bin = bin_of(x, site, gen_value(g, s->value));
    load_terms(x, term);
    if (x->unit < 0) {
        store_entry(x, site, entry_of(x, x->number, gen_value(g, site->at)), bin, term);
        return true;
    }
    ptrdiff_t k = site - x->d->site;
    LLVMBuildStore(g->b, bin, x->key[x->unit][k]);
    for (int i = 0; i < x->d->nterms; i++)
        LLVMBuildStore(g->b, term[i], x->term[x->unit][k][i]);
    return true;
}

static void in_order(struct gen *g, const struct pstmt *s) {
    gen_stmts(g, s->serial);
}

void deal_set_indices(const struct dealing *x, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMValueRef position[MAX_RANGES];
    take_apart(g, &x->nest, number, position);
    for (int i = 0; i < x->nest.n; i++)
        LLVMBuildStore(g->b, position[i], x->nest.slot[i]);
    set_indices(g, &x->nest);
}

void deal_run_iteration(struct dealing *x, LLVMValueRef number) {
    static const struct sharing by_entries = {.spread = in_order, .set = set_key};
    struct gen *g = x->g;
    LLVMValueRef all = add(g, x->tile, extended(g, number));
    (x->d->lengths != NULL ? deal_set_turn : deal_set_indices)(x, all);
    x->number = number;
    deal_set_number(x, number);
    g->sharing = &by_entries;
    gen_stmts(g, x->d->points->body);
    g->sharing = NULL;
}

/* Those number `at`, at + 32, …, which there are: their loads do not wait for one another. */
static void run_units(struct dealing *x, LLVMValueRef at, int units) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    for (x->unit = 0; x->unit < units; x->unit++) {
        for (int k = 0; k < d->nsites; k++)
            LLVMBuildStore(g->b, i32(g, (uint32_t)DEAL_ABSENT), x->key[x->unit][k]);
        deal_run_iteration(x, add(g, at, i32(g, (uint32_t)(x->unit * WARP))));
    }
    for (int u = 0; u < units; u++)
        for (int k = 0; k < d->nsites; k++) {
            LLVMValueRef term[MAX_DEAL_TERMS];
            LLVMValueRef bin = LLVMBuildLoad2(g->b, i32_type(g), x->key[u][k], "");
            LLVMValueRef number = add(g, at, i32(g, (uint32_t)(u * WARP)));
            for (int i = 0; i < d->nterms; i++)
                term[i] =
                    LLVMBuildLoad2(g->b, gen_type(g, d->term[i]->dtype), x->term[u][k][i], "");
            store_entry(x, &d->site[k], entry_of(x, number, gen_value(g, d->site[k].at)), bin,
                        term);
        }
}

/* One whose inner loops have entries. */
static void run_long(struct dealing *x, LLVMValueRef number) {
    struct gen *g = x->g;
    x->unit = -1;
    if (!x->d->sure) {
        LLVMValueRef begin = i32(g, 0);
        struct loop l;
        loop_begin(g, &l, 1, &begin);
        loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->each));
        LLVMValueRef entry = entry_of(x, number, extended(g, l.phi[0]));
        deal_put(x, DT_INT32, 0, entry, i32(g, (uint32_t)DEAL_ABSENT));
        LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
        loop_end(g, &l, &next);
    }
    deal_run_iteration(x, number);
}

/* The warp's iterations from `at` on, before `end`, `units` of a lane at a time.  Gives the next
 * one's. */
static LLVMValueRef run_iterations(struct dealing *x, LLVMValueRef at, LLVMValueRef end,
                                   int units) {
    struct gen *g = x->g;
    LLVMValueRef far = i32(g, (uint32_t)((units - 1) * WARP));
    struct loop l;
    loop_begin(g, &l, 1, &at);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, add(g, l.phi[0], far), end));
    if (x->d->flat)
        run_units(x, l.phi[0], units);
    else
        run_long(x, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)(units * WARP)));
    loop_end(g, &l, &next);
    return l.phi[0];
}

int deal_units(const struct deal *d) {
    enum { FEW_NODES = 64 };
    bool small = d->flat && d->nsites * (1 + d->nterms) <= 8 && point_size(d->points) <= FEW_NODES;
    return small ? UFC_DEAL_UNITS : 1;
}

static void compute_entries(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef first, end, at;
    deal_find_own(x, &first, &end);
    if (x->d->lengths != NULL)
        deal_find_range(x, first, end);
    at = add(g, first, x->lane);
    int units = deal_units(x->d);
    if (units > 1)
        at = run_iterations(x, at, end, units);
    run_iterations(x, at, end, 1);
}

/* ---- rounds */

void deal_meet(struct gen *g) {
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, g->threads->blocks, i32(g, 1)));
    blocks_arrive(g, g->threads->blocks);
    blocks_await(g);
    end_if(g, after);
}

/* The iterations that a lot of the block's, i32, has in a round, whose first one is `base`. */
static void find_lot(struct dealing *x, LLVMValueRef base, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMValueRef zero = i64(g, 0), own = extended(g, param_i32(g, PARAM(own)));
    x->base = base;
    x->lot = add(g, multiply(g, g->threads->block, x->lots), number);
    x->tile = add(g, base, multiply(g, extended(g, x->lot), own));
    LLVMValueRef left = subtract(g, x->total, x->tile);
    left = gen_select(g, compare(g, LLVMIntSLT, left, zero), zero, left);
    x->count = LLVMBuildTrunc(g->b, least(g, left, own), i32_type(g), "");
}

/* Where the lot is until it is in order: one whose iterations have entries in loops may be in the
 * workspace. */
static void find_pile(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef halves = multiply(g, multiply(g, x->warps, x->owners), i32(g, 2));
    halves = both(g, add(g, halves, i32(g, 15)), i32(g, (uint32_t)-16));
    x->pile = at_byte(g, x->counts, halves);
    if (x->d->flat)
        return;
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef own = multiply(g, g->threads->block, pile_bytes(x));
    LLVMValueRef far = add(g, rows_at(x, x->all_lots), own);
    far = add(g, half_of(x), LLVMBuildZExt(g->b, far, i64_type(g), ""));
    far = LLVMBuildAddrSpaceCast(g->b, global_pointer(g, far), generic, "");
    x->pile = gen_select(g, has_mode(x, UFC_DEAL_FAR), far,
                         LLVMBuildAddrSpaceCast(g->b, x->pile, generic, ""));
}

static void gen_lot(struct dealing *x) {
    find_pile(x);
    deal_begin_sort(x);
    compute_entries(x);
    deal_sort(x);
}

static void gen_round(struct dealing *x, LLVMValueRef base) {
    struct gen *g = x->g;
    LLVMValueRef begin = i32(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->lots));
    find_lot(x, base, l.phi[0]);
    gen_lot(x);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
    deal_meet(g);
    deal_update(x);
}

static void rank_round(struct dealing *x, LLVMValueRef base) {
    find_lot(x, base, i32(x->g, 0));
    deal_rank(x);
}

static void gen_rounds(struct dealing *x, void (*round)(struct dealing *x, LLVMValueRef base)) {
    struct gen *g = x->g;
    LLVMValueRef own = extended(g, param_i32(g, PARAM(own))), begin = i64(g, 0);
    LLVMValueRef all = multiply(g, own, extended(g, x->all_lots));
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], x->total));
    round(x, l.phi[0]);
    LLVMValueRef half = LLVMBuildLoad2(g->b, i64_type(g), x->half, "");
    LLVMBuildStore(g->b, LLVMBuildXor(g->b, half, i64(g, 1), ""), x->half);
    LLVMValueRef next = add(g, l.phi[0], all);
    loop_end(g, &l, &next);
}

/* What is the same in all rounds. */
static void find_dealing(struct dealing *x) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    const struct threads *t = g->threads;
    x->lane = lane_of(g, t->tid);
    x->warp = warp_of(g, t->tid); /* which ptxas then knows to be one for all lanes */
    x->warp = gpu(g)->shuffle(g, SHUFFLE_FROM, i32(g, UINT32_MAX), x->warp, i32(g, 0));
    x->warps = warp_of(g, t->ntid);
    x->owners = param_i32(g, PARAM(bins));
    x->lots = param_i32(g, PARAM(own) + sizeof(uint32_t));
    x->all_lots = multiply(g, x->lots, t->blocks);
    x->lanes = has_mode(x, UFC_DEAL_LANES);
    x->held = has_mode(x, UFC_DEAL_HELD);
    LLVMValueRef near = trailing_zeros(g, i32(g, UFC_DEAL_NEAR));
    x->granule = gen_select(g, has_mode(x, UFC_DEAL_BESIDE), near, i32(g, 0));
    x->shift = trailing_zeros(g, x->owners);
    x->each = LLVMBuildTrunc(g->b, gen_value(g, d->each), i32_type(g), "");
    LLVMValueRef all = i64(g, 0);
    for (int i = 0; i < d->ngroups; i++) {
        x->first[i] = all;
        x->size[i] = i64(g, 1);
        for (int k = 0; k < d->group[i].rank; k++)
            x->size[i] = multiply(g, x->size[i], gen_value(g, d->group[i].size[k]));
        all = add(g, all, x->size[i]);
    }
    x->bins = LLVMBuildTrunc(g->b, all, i32_type(g), "");
    x->direct = compare(g, LLVMIntULE, x->bins, x->owners);
    x->entries = multiply(g, param_i32(g, PARAM(own)), x->each);
    if (deal_counting(d) == UFC_COUNTED_TWICE)
        x->entries = gen_select(g, x->direct, i32(g, 0), x->entries);
    for (int i = 0; i < d->ngroups; i++) /* of an empty group any bin is the first */
        x->first[i] = least(g, x->first[i], subtract(g, all, i64(g, 1)));
    LLVMValueRef rows = add(g, x->entries, i32(g, UFC_DEAL_ROW - 1));
    rows = both(g, rows, i32(g, (uint32_t)-UFC_DEAL_ROW));
    x->lot_bytes = multiply(g, rows, i32(g, x->room.bytes));
    LLVMValueRef half = rows_at(x, x->all_lots);
    if (!d->flat) {
        LLVMValueRef far = multiply(g, t->blocks, pile_bytes(x));
        half = add(g, half, gen_select(g, has_mode(x, UFC_DEAL_FAR), far, i32(g, 0)));
    }
    x->bytes = LLVMBuildZExt(g->b, half, i64_type(g), "");
    LLVMValueRef counts = whole_part(g, multiply(g, param_i64(g, PARAM(calls)), i64(g, 4)));
    find_nest(g, d->points, &x->nest);
    LLVMValueRef halves = multiply(g, x->bytes, i64(g, 2)), own = halves;
    if (d->lengths != NULL)
        own = add(g, own, deal_begins_bytes(x));
    own = multiply(g, t->call, own);
    x->workspace = add(g, param_i64(g, PARAM(workspace)), add(g, counts, own));
    x->begins = add(g, x->workspace, halves);
    x->total = x->nest.total;
}

/* Those of iterations whose entries are stored later. */
static void find_slots(struct dealing *x) {
    struct gen *g = x->g;
    for (int u = 0; u < deal_units(x->d); u++)
        for (int k = 0; k < x->d->nsites; k++) {
            x->key[u][k] = gen_alloca(g, i32_type(g), "key");
            for (int i = 0; i < x->d->nterms; i++)
                x->term[u][k][i] = gen_alloca(g, gen_type(g, x->d->term[i]->dtype), "term");
        }
}

static void gen_deal(struct gen *g, const struct deal *d) {
    struct dealing *x = g->threads->dealing;
    x->d = d;
    x->room = deal_room(d);
    find_dealing(x);
    find_slots(x);
    if (d->lengths != NULL)
        deal_find_turns(x);
    if (deal_counting(d) != UFC_COUNTED_TWICE) {
        gen_rounds(x, gen_round);
        return;
    }
    LLVMBasicBlockRef direct = gen_block(g, "direct"), dealt = gen_block(g, "dealt"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, x->direct, direct, dealt);
    gen_place(g, direct);
    deal_begin_ranks(x);
    gen_rounds(x, rank_round);
    deal_end_ranks(x);
    LLVMBuildBr(g->b, done);
    gen_place(g, dealt);
    gen_rounds(x, gen_round);
    end_if(g, done);
}

/* In the launch of its phase a loop deals. */
static bool deal_loop(struct gen *g, const struct pstmt *s) {
    LLVMValueRef own = i32(g, (uint32_t)s->phase);
    pass_scan(g, s);
    if (s->deal == NULL)
        return true;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->phase, own));
    g->unstored = ~g->plan->map.stored[s->phase];
    gen_deal(g, s->deal);
    g->unstored = 0;
    end_if(g, after);
    return true;
}

void gen_deal_kernel(struct gen *g, struct threads *t) {
    static const struct sharing by_blocks = {
        .spread = pass_spread, .put = put_in_phase, .sync = sync_in_phase, .scan = deal_loop};
    struct dealing *x = NEW(g->uc, struct dealing);
    gufunc_find_phase(g, t);
    x->g = g;
    x->half = gen_alloca(g, i64_type(g), "half");
    LLVMBuildStore(g->b, i64(g, 0), x->half);
    x->counts = dynamic_memory(g);
    x->words = shared_array(g, i32_type(g), block_threads(g->plan, t->kind) / WARP, 4, "words");
    t->dealing = x;
    gufunc_find_counter(g, t);
    gufunc_enter_call(g, t);
    g->copies = UNROLLED_POINTS;
    g->sharing = &by_blocks;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
