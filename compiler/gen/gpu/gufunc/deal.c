/* deal.c: DEAL, several blocks for each call, whose phase only updates bins.  In each round threads
 * compute the entries of many iterations at once, in memory; then each block finds the order in
 * which these come by owners: its warps, which have the entries one after the other, count those of
 * each owner, and where these begin follows from all counts.  When all blocks have done so, the
 * owners update their bins: deal_own.c.
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

static LLVMValueRef whole_part(struct gen *g, LLVMValueRef bytes) {
    return both(g, add(g, bytes, i64(g, 15)), i64(g, (uint64_t)-16));
}

static LLVMValueRef places_bytes(const struct dealing *x, LLVMValueRef blocks) {
    struct gen *g = x->g;
    LLVMValueRef each = extended(g, add(g, x->owners, i32(g, 1)));
    return multiply(g, multiply(g, extended(g, blocks), each), i64(g, 4));
}

LLVMValueRef deal_places(const struct dealing *x, LLVMValueRef block) {
    return add(x->g, half_of(x), places_bytes(x, block));
}

static LLVMValueRef order_bytes(const struct dealing *x, LLVMValueRef blocks) {
    struct gen *g = x->g;
    return multiply(g, extended(g, multiply(g, blocks, x->entries)), i64(g, 4));
}

LLVMValueRef deal_order(const struct dealing *x, LLVMValueRef block) {
    struct gen *g = x->g;
    LLVMValueRef first = whole_part(g, places_bytes(x, g->threads->blocks));
    return add(g, half_of(x), add(g, first, order_bytes(x, block)));
}

LLVMValueRef deal_entry(const struct dealing *x, LLVMValueRef block, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMValueRef blocks = g->threads->blocks;
    LLVMValueRef first =
        add(g, whole_part(g, places_bytes(x, blocks)), whole_part(g, order_bytes(x, blocks)));
    LLVMValueRef entry = extended(g, add(g, multiply(g, block, x->entries), number));
    return add(g, half_of(x), add(g, first, multiply(g, entry, i64(g, x->room.bytes))));
}

LLVMValueRef deal_load(const struct dealing *x, enum ufc_dtype d, LLVMValueRef at) {
    return load_element(x->g, d, at);
}

static LLVMValueRef word_of(const struct dealing *x, LLVMValueRef entry) {
    return deal_load(x, DT_INT32, entry);
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

/* Stores an entry of the block's, of a site. */
static void store_entry(const struct dealing *x, const struct deal_site *site, LLVMValueRef at,
                        LLVMValueRef bin, const LLVMValueRef *term) {
    struct gen *g = x->g;
    uint32_t terms = deal_terms(x->d, site->kind, -1);
    store_element(g, DT_INT32, bin, at);
    if (x->d->nkinds > 1)
        store_element(g, DT_INT32, i32(g, (uint32_t)site->kind), add(g, at, i64(g, x->room.kind)));
    for (int i = 0; i < x->d->nterms; i++)
        if (terms >> i & 1)
            store_element(g, x->d->term[i]->dtype, term[i], add(g, at, i64(g, x->room.term[i])));
}

static void load_terms(const struct dealing *x, LLVMValueRef *term) {
    struct gen *g = x->g;
    for (int i = 0; i < x->d->nterms; i++)
        term[i] = LLVMBuildLoad2(g->b, gen_type(g, x->d->term[i]->dtype),
                                 var_of(g, x->d->term[i])->slot, "");
}

/* The address of an entry of the block's iteration at hand. */
static LLVMValueRef entry_at(const struct dealing *x, LLVMValueRef number, LLVMValueRef at) {
    struct gen *g = x->g;
    LLVMValueRef first = multiply(g, number, x->each);
    return deal_entry(x, g->threads->block,
                      add(g, first, LLVMBuildTrunc(g->b, at, i32_type(g), "")));
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
        store_entry(x, site, entry_at(x, x->number, gen_value(g, site->at)), bin, term);
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

/* Those number `at`, at + threads, …, which there are: their loads do not wait for one another. */
static void run_units(struct dealing *x, LLVMValueRef at, int units) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    for (x->unit = 0; x->unit < units; x->unit++) {
        for (int k = 0; k < d->nsites; k++)
            LLVMBuildStore(g->b, i32(g, (uint32_t)DEAL_ABSENT), x->key[x->unit][k]);
        LLVMValueRef far = multiply(g, g->threads->ntid, i32(g, (uint32_t)x->unit));
        deal_run_iteration(x, add(g, at, far));
    }
    for (int u = 0; u < units; u++)
        for (int k = 0; k < d->nsites; k++) {
            LLVMValueRef term[MAX_DEAL_TERMS];
            LLVMValueRef bin = LLVMBuildLoad2(g->b, i32_type(g), x->key[u][k], "");
            LLVMValueRef number = add(g, at, multiply(g, g->threads->ntid, i32(g, (uint32_t)u)));
            for (int i = 0; i < d->nterms; i++)
                term[i] =
                    LLVMBuildLoad2(g->b, gen_type(g, d->term[i]->dtype), x->term[u][k][i], "");
            store_entry(x, &d->site[k], entry_at(x, number, gen_value(g, d->site[k].at)), bin,
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
        store_element(g, DT_INT32, i32(g, (uint32_t)DEAL_ABSENT),
                      entry_at(x, number, extended(g, l.phi[0])));
        LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
        loop_end(g, &l, &next);
    }
    deal_run_iteration(x, number);
}

/* Iterations from `at` on, `units` at a time while so many are left of the thread's.  Gives the
 * next one. */
static LLVMValueRef run_iterations(struct dealing *x, LLVMValueRef at, int units) {
    struct gen *g = x->g;
    LLVMValueRef far = multiply(g, g->threads->ntid, i32(g, (uint32_t)units - 1));
    struct loop l;
    loop_begin(g, &l, 1, &at);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, add(g, l.phi[0], far), x->count));
    if (x->d->flat)
        run_units(x, l.phi[0], units);
    else
        run_long(x, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], add(g, far, g->threads->ntid));
    loop_end(g, &l, &next);
    return l.phi[0];
}

int deal_units(const struct deal *d) {
    enum { FEW_NODES = 64 };
    bool small = d->flat && d->nsites * (1 + d->nterms) <= 8 && point_size(d->points) <= FEW_NODES;
    return small ? DEAL_UNITS : 1;
}

static void compute_entries(struct dealing *x) {
    LLVMValueRef at = x->g->threads->tid;
    int units = deal_units(x->d);
    if (units > 1)
        at = run_iterations(x, at, units);
    run_iterations(x, at, 1);
}

/* ---- their order */

LLVMValueRef deal_count_at(const struct dealing *x, LLVMValueRef warp, LLVMValueRef owner) {
    struct gen *g = x->g;
    LLVMValueRef i = add(g, multiply(g, warp, x->owners), owner);
    return LLVMBuildGEP2(g->b, i32_type(g), x->counts, &i, 1, "");
}

void deal_clear_counts(const struct dealing *x) {
    struct gen *g = x->g;
    struct loop l;
    LLVMValueRef begin = g->threads->tid;
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], multiply(g, x->warps, x->owners)));
    LLVMBuildStore(g->b, i32(g, 0), LLVMBuildGEP2(g->b, i32_type(g), x->counts, &l.phi[0], 1, ""));
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

static LLVMValueRef owner_of(const struct dealing *x, LLVMValueRef key) {
    struct gen *g = x->g;
    return both(g, key, subtract(g, x->owners, i32(g, 1)));
}

LLVMValueRef deal_share(const struct dealing *x, LLVMValueRef all) {
    struct gen *g = x->g;
    LLVMValueRef lot = multiply(g, x->warps, i32(g, WARP));
    LLVMValueRef lots = LLVMBuildUDiv(g->b, add(g, all, subtract(g, lot, i32(g, 1))), lot, "");
    return multiply(g, lots, i32(g, WARP));
}

/* Does something with the key of each of the warp's entries, `units` of them at a time in a lane;
 * all lanes do so, those that have none with DEAL_ABSENT. */
static void at_entries(const struct dealing *x, int units,
                       void (*f)(const struct dealing *x, LLVMValueRef entry, LLVMValueRef key)) {
    struct gen *g = x->g;
    LLVMValueRef all = multiply(g, x->count, x->each), each = deal_share(x, all);
    LLVMValueRef key[DEAL_UNITS], entry[DEAL_UNITS];
    LLVMValueRef begin = multiply(g, x->warp, each), end = add(g, begin, each);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    for (int u = 0; u < units; u++) {
        entry[u] = add(g, add(g, l.phi[0], x->lane), i32(g, (uint32_t)(u * WARP)));
        LLVMValueRef exists =
            both(g, compare(g, LLVMIntULT, entry[u], all), compare(g, LLVMIntULT, entry[u], end));
        LLVMValueRef safe = gen_select(g, exists, entry[u], i32(g, 0));
        key[u] = word_of(x, deal_entry(x, g->threads->block, safe));
        key[u] = gen_select(g, exists, key[u], i32(g, (uint32_t)DEAL_ABSENT));
    }
    for (int u = 0; u < units; u++)
        f(x, entry[u], key[u]);
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)(units * WARP)));
    loop_end(g, &l, &next);
}

LLVMValueRef deal_is_there(struct gen *g, LLVMValueRef key) {
    return compare(g, LLVMIntNE, key, i32(g, (uint32_t)DEAL_ABSENT));
}

static void count_entry(const struct dealing *x, LLVMValueRef entry, LLVMValueRef key) {
    struct gen *g = x->g;
    (void)entry;
    LLVMBasicBlockRef after = begin_if(g, deal_is_there(g, key));
    gen_add_word(g, deal_count_at(x, x->warp, owner_of(x, key)), i32(g, 1));
    end_if(g, after);
}

LLVMValueRef deal_count_lanes(struct gen *g, LLVMValueRef set) {
    return gen_intrinsic(g, "ctpop", NULL, &set, 1);
}

LLVMValueRef deal_lanes_before(const struct dealing *x, LLVMValueRef set) {
    struct gen *g = x->g;
    LLVMValueRef bit = LLVMBuildShl(g->b, i32(g, 1), x->lane, "");
    return deal_count_lanes(g, both(g, set, subtract(g, bit, i32(g, 1))));
}

/* The entry gets the next place of its owner, those of several lanes in their order. */
static void place_entry(const struct dealing *x, LLVMValueRef entry, LLVMValueRef key) {
    struct gen *g = x->g;
    LLVMValueRef there = deal_is_there(g, key);
    LLVMValueRef owner = gen_select(g, there, owner_of(x, key), key);
    LLVMValueRef mates = gpu(g)->match(g, owner), before = deal_lanes_before(x, mates);
    LLVMValueRef all = deal_count_lanes(g, mates);
    LLVMBasicBlockRef after = begin_if(g, there);
    LLVMValueRef next = LLVMBuildLoad2(g->b, i32_type(g), deal_count_at(x, x->warp, owner), "");
    LLVMValueRef place = add(g, next, before);
    LLVMValueRef at = multiply(g, extended(g, place), i64(g, 4));
    store_element(g, DT_INT32, entry, add(g, deal_order(x, g->threads->block), at));
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    LLVMValueRef first = both(g, there, compare(g, LLVMIntEQ, before, i32(g, 0)));
    after = begin_if(g, first);
    LLVMValueRef count = deal_count_at(x, x->warp, owner);
    LLVMBuildStore(g->b, add(g, LLVMBuildLoad2(g->b, i32_type(g), count, ""), all), count);
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
}

/* Adds the counts of the thread's owners, which are neighbours, of all warps to a number; places:
 * what it is before a count takes the place of that. */
static LLVMValueRef at_counts(const struct dealing *x, LLVMValueRef begin, bool places) {
    struct gen *g = x->g;
    LLVMValueRef own = LLVMBuildUDiv(g->b, x->owners, g->threads->ntid, ""), one = i32(g, 1);
    own = gen_select(g, is_set(g, own), own, one);
    LLVMValueRef first[] = {multiply(g, g->threads->tid, own), begin};
    LLVMValueRef end = least(g, add(g, first[0], own), x->owners);
    LLVMValueRef table = deal_places(x, g->threads->block);
    struct loop l, warps;
    loop_begin(g, &l, 2, first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    if (places) {
        LLVMValueRef at = multiply(g, extended(g, l.phi[0]), i64(g, 4));
        store_element(g, DT_INT32, l.phi[1], add(g, table, at));
    }
    LLVMValueRef from[] = {i32(g, 0), l.phi[1]};
    loop_begin(g, &warps, 2, from);
    loop_while(g, &warps, compare(g, LLVMIntULT, warps.phi[0], x->warps));
    LLVMValueRef at = deal_count_at(x, warps.phi[0], l.phi[0]);
    LLVMValueRef count = LLVMBuildLoad2(g->b, i32_type(g), at, "");
    if (places)
        LLVMBuildStore(g->b, warps.phi[1], at);
    LLVMValueRef more[] = {add(g, warps.phi[0], one), add(g, warps.phi[1], count)};
    loop_end(g, &warps, more);
    LLVMValueRef next[] = {add(g, l.phi[0], one), warps.phi[1]};
    loop_end(g, &l, next);
    return l.phi[1];
}

/* What the block's threads before this one have together, and *all of them, of a number each. */
static LLVMValueRef sum_before(const struct dealing *x, LLVMValueRef own, LLVMValueRef *all) {
    struct gen *g = x->g;
    LLVMValueRef sum = gen_sum_lanes(g, own, x->lane), zero = i32(g, 0);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, i32(g, WARP - 1)));
    LLVMValueRef warp = x->warp;
    LLVMBuildStore(g->b, sum, LLVMBuildGEP2(g->b, i32_type(g), x->words, &warp, 1, ""));
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef begin[] = {zero, zero, zero};
    struct loop l;
    loop_begin(g, &l, 3, begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->warps));
    LLVMValueRef at = LLVMBuildGEP2(g->b, i32_type(g), x->words, &l.phi[0], 1, "");
    LLVMValueRef word = LLVMBuildLoad2(g->b, i32_type(g), at, "");
    LLVMValueRef before = compare(g, LLVMIntULT, l.phi[0], x->warp);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)),
                           add(g, l.phi[1], gen_select(g, before, word, zero)),
                           add(g, l.phi[2], word)};
    loop_end(g, &l, next);
    *all = l.phi[2];
    return add(g, l.phi[1], subtract(g, sum, own));
}

/* Has the counts become the places of the warps' first entries of each owner. */
static void find_places(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef all, own = at_counts(x, i32(g, 0), false);
    LLVMValueRef before = sum_before(x, own, &all);
    at_counts(x, before, true);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->tid, i32(g, 0)));
    LLVMValueRef end = multiply(g, extended(g, x->owners), i64(g, 4));
    store_element(g, DT_INT32, all, add(g, deal_places(x, g->threads->block), end));
    end_if(g, after);
}

/* ---- rounds */

void deal_meet(struct gen *g) {
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, g->threads->blocks, i32(g, 1)));
    blocks_arrive(g, g->threads->blocks);
    blocks_await(g);
    end_if(g, after);
}

/* The iterations that the block has in a round, whose first one is `base`. */
static void find_tile(struct dealing *x, LLVMValueRef base) {
    struct gen *g = x->g;
    LLVMValueRef zero = i64(g, 0), own = extended(g, param_i32(g, PARAM(own)));
    x->base = base;
    x->tile = add(g, base, multiply(g, extended(g, g->threads->block), own));
    LLVMValueRef left = subtract(g, x->total, x->tile);
    left = gen_select(g, compare(g, LLVMIntSLT, left, zero), zero, left);
    x->count = LLVMBuildTrunc(g->b, least(g, left, own), i32_type(g), "");
}

static void gen_round(struct dealing *x) {
    struct gen *g = x->g;
    deal_clear_counts(x);
    compute_entries(x);
    gpu(g)->barrier(g);
    at_entries(x, DEAL_UNITS, count_entry);
    gpu(g)->barrier(g);
    find_places(x);
    gpu(g)->barrier(g);
    at_entries(x, DEAL_UNITS, place_entry);
    deal_meet(g);
    deal_update(x);
}

static void gen_rounds(struct dealing *x, void (*round)(struct dealing *x)) {
    struct gen *g = x->g;
    LLVMValueRef own = extended(g, param_i32(g, PARAM(own))), begin = i64(g, 0);
    LLVMValueRef all = multiply(g, own, extended(g, g->threads->blocks));
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], x->total));
    find_tile(x, l.phi[0]);
    round(x);
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
    LLVMValueRef size = multiply(g, t->blocks, x->entries);
    size = multiply(g, extended(g, size), i64(g, x->room.bytes));
    x->bytes = add(g, whole_part(g, places_bytes(x, t->blocks)),
                   add(g, whole_part(g, order_bytes(x, t->blocks)), whole_part(g, size)));
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
    gen_rounds(x, deal_rank);
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
