/* deal_rank.c: DEAL's iterations that only count, each with an entry, where owners have a bin each.
 * Nothing is dealt out.  Threads compute their iterations to count those of each bin, and once more
 * when they know how many come before: those of earlier blocks, of earlier warps of the block, and
 * of earlier lanes. */
#include "deal_own.h"

/* How many of a bin's entries there were in earlier rounds: in shared memory. */
static LLVMValueRef far_at(const struct dealing *x, LLVMValueRef bin) {
    struct gen *g = x->g;
    LLVMValueRef words = multiply(g, x->warps, x->owners);
    words = both(g, add(g, words, i32(g, 3)), i32(g, (uint32_t)-4));
    LLVMValueRef at = add(g, words, bin);
    return LLVMBuildGEP2(g->b, i32_type(g), x->counts, &at, 1, "");
}

LLVMValueRef deal_is_there(struct gen *g, LLVMValueRef key) {
    return compare(g, LLVMIntNE, key, i32(g, (uint32_t)DEAL_ABSENT));
}

LLVMValueRef deal_count_lanes(struct gen *g, LLVMValueRef set) {
    return gen_intrinsic(g, "ctpop", NULL, &set, 1);
}

LLVMValueRef deal_lanes_before(const struct dealing *x, LLVMValueRef set) {
    struct gen *g = x->g;
    LLVMValueRef bit = LLVMBuildShl(g->b, i32(g, 1), x->lane, "");
    return deal_count_lanes(g, both(g, set, subtract(g, bit, i32(g, 1))));
}

LLVMValueRef deal_share(const struct dealing *x, LLVMValueRef all) {
    struct gen *g = x->g;
    LLVMValueRef lot = multiply(g, x->warps, i32(g, WARP));
    LLVMValueRef lots = LLVMBuildUDiv(g->b, add(g, all, subtract(g, lot, i32(g, 1))), lot, "");
    return multiply(g, lots, i32(g, WARP));
}

/* How many of a bin's entries a warp has: in shared memory. */
static LLVMValueRef count_at(const struct dealing *x, LLVMValueRef warp, LLVMValueRef owner) {
    struct gen *g = x->g;
    LLVMValueRef i = add(g, multiply(g, warp, x->owners), owner);
    return LLVMBuildGEP2(g->b, i32_type(g), x->counts, &i, 1, "");
}

static void clear_counts(const struct dealing *x) {
    struct gen *g = x->g;
    struct loop l;
    LLVMValueRef begin = g->threads->tid;
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], multiply(g, x->warps, x->owners)));
    LLVMBuildStore(g->b, i32(g, 0), LLVMBuildGEP2(g->b, i32_type(g), x->counts, &l.phi[0], 1, ""));
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
}

static LLVMValueRef load_word(struct gen *g, LLVMValueRef at) {
    return LLVMBuildLoad2(g->b, i32_type(g), at, "");
}

/* The thread's bins of `first`, `first` + step, …, i32. */
static void begin_bins(const struct dealing *x, struct loop *l, LLVMValueRef first) {
    struct gen *g = x->g;
    loop_begin(g, l, 1, &first);
    l->keep = true;
    loop_while(g, l, compare(g, LLVMIntULT, l->phi[0], x->bins));
}

static void end_bins(const struct dealing *x, struct loop *l, LLVMValueRef step) {
    LLVMValueRef next = add(x->g, l->phi[0], step);
    loop_end(x->g, l, &next);
}

void deal_begin_ranks(struct dealing *x) {
    struct gen *g = x->g;
    struct loop l;
    begin_bins(x, &l, g->threads->tid);
    LLVMBuildStore(g->b, i32(g, 0), far_at(x, l.phi[0]));
    end_bins(x, &l, g->threads->ntid);
}

/* ---- iterations */

static LLVMValueRef key_of(const struct dealing *x, int unit) {
    return load_word(x->g, x->key[unit][0]);
}

/* Computes `units` iterations of the lane from the warp's number `first`, i32, on; where not all of
 * them are there, those before `end`. */
static void run_units(struct dealing *x, LLVMValueRef first, int units, LLVMValueRef end) {
    struct gen *g = x->g;
    for (x->unit = 0; x->unit < units; x->unit++) {
        LLVMValueRef number = add(g, add(g, first, x->lane), i32(g, (uint32_t)x->unit * WARP));
        LLVMBasicBlockRef after = NULL;
        LLVMBuildStore(g->b, i32(g, (uint32_t)DEAL_ABSENT), x->key[x->unit][0]);
        if (end != NULL)
            after = begin_if(g, compare(g, LLVMIntULT, number, end));
        deal_run_iteration(x, number);
        if (end != NULL)
            end_if(g, after);
    }
}

static void count_one(const struct dealing *x, int unit) {
    struct gen *g = x->g;
    LLVMValueRef key = key_of(x, unit);
    LLVMBasicBlockRef after = begin_if(g, deal_is_there(g, key));
    gen_add_word(g, count_at(x, x->warp, key), i32(g, 1));
    end_if(g, after);
}

/* Sets the elements of the bin of a key, and gives them. */
static void load_bin(const struct dealing *x, LLVMValueRef key, LLVMValueRef *element) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    deal_set_place(x, 0, key);
    for (int i = 0; i < d->narrays; i++) {
        const struct pvar *var = d->array[i].element;
        deal_load_bin(g, &d->array[i]);
        element[i] = LLVMBuildLoad2(g->b, gen_type(g, var->dtype), var_of(g, var)->slot, "");
    }
}

/* Lanes' entries come one after the other, behind as many as the warp's count of their bin tells.
 */
static void rank_one(const struct dealing *x, int unit) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef key = key_of(x, unit), there = deal_is_there(g, key), all = i32(g, UINT32_MAX);
    LLVMValueRef mates = gpu(g)->match(g, key), before = deal_lanes_before(x, mates);
    LLVMValueRef at = count_at(x, x->warp, gen_select(g, there, key, i32(g, 0)));
    LLVMValueRef next = load_word(g, at), element[MAX_DEAL_ARRAYS];
    gpu(g)->warp_barrier(g, all);
    LLVMValueRef first = both(g, there, compare(g, LLVMIntEQ, before, i32(g, 0)));
    LLVMBasicBlockRef after = begin_if(g, first);
    LLVMBuildStore(g->b, add(g, next, deal_count_lanes(g, mates)), at);
    end_if(g, after);
    gpu(g)->warp_barrier(g, all);
    after = begin_if(g, there);
    load_bin(x, key, element);
    for (int i = 0; i < d->nterms; i++) {
        LLVMTypeRef type = gen_type(g, d->term[i]->dtype);
        LLVMValueRef term = LLVMBuildLoad2(g->b, type, x->term[unit][0][i], "");
        LLVMBuildStore(g->b, term, var_of(g, d->term[i])->slot);
    }
    deal_count(x, -1, element, add(g, next, before), LLVMConstAllOnes(i1_type(g)));
    end_if(g, after);
}

/* i1: some lane has an entry in one of the units.  As this is asked of all keys, their loads are
 * under way together: ptxas would have each wait until it is used. */
static LLVMValueRef have_any(const struct dealing *x, int units) {
    struct gen *g = x->g;
    LLVMValueRef any = deal_is_there(g, key_of(x, 0));
    for (int u = 1; u < units; u++)
        any = LLVMBuildOr(g->b, any, deal_is_there(g, key_of(x, u)), "");
    return is_set(g, gpu(g)->ballot(g, i32(g, UINT32_MAX), any));
}

/* Counts iterations from `first` on, before `end`, i32, or finds what they find; units: of a lane
 * at once.  Gives the next one. */
static LLVMValueRef at_units(struct dealing *x, LLVMValueRef first, LLVMValueRef end, int units,
                             bool ranks) {
    struct gen *g = x->g;
    LLVMValueRef step = i32(g, (uint32_t)units * WARP);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    LLVMValueRef last = units > 1 ? add(g, l.phi[0], subtract(g, step, i32(g, 1))) : l.phi[0];
    loop_while(g, &l, compare(g, LLVMIntULT, last, end));
    run_units(x, l.phi[0], units, units > 1 ? NULL : end);
    LLVMBasicBlockRef after = begin_if(g, have_any(x, units));
    for (int u = 0; u < units; u++)
        (ranks ? rank_one : count_one)(x, u);
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], step);
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* The same with all that the warp has. */
static void at_iterations(struct dealing *x, bool ranks) {
    struct gen *g = x->g;
    LLVMValueRef each = deal_share(x, x->count), first = multiply(g, x->warp, each);
    LLVMValueRef end = least(g, add(g, first, each), x->count);
    int units = deal_units(x->d);
    if (units > 1)
        first = at_units(x, first, end, units, ranks);
    at_units(x, first, end, 1, ranks);
}

/* ---- counts */

static LLVMValueRef table_at(const struct dealing *x, LLVMValueRef block, LLVMValueRef bin) {
    return deal_places(x, block, bin);
}

/* Adds the counts of a bin, of all warps, to a number; places: what it is before a count takes the
 * place of that. */
static LLVMValueRef add_warps(const struct dealing *x, LLVMValueRef bin, LLVMValueRef n,
                              bool places) {
    struct gen *g = x->g;
    LLVMValueRef first[] = {i32(g, 0), n};
    struct loop l;
    loop_begin(g, &l, 2, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->warps));
    LLVMValueRef at = count_at(x, l.phi[0], bin), count = load_word(g, at);
    if (places)
        LLVMBuildStore(g->b, l.phi[1], at);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), add(g, l.phi[1], count)};
    loop_end(g, &l, next);
    return l.phi[1];
}

/* Lets the other blocks know how many entries of each bin the block has. */
static void put_counts(const struct dealing *x) {
    struct gen *g = x->g;
    struct loop l;
    begin_bins(x, &l, g->threads->tid);
    LLVMValueRef all = add_warps(x, l.phi[0], i32(g, 0), false);
    store_element(g, DT_INT32, all, table_at(x, g->threads->block, l.phi[0]));
    end_bins(x, &l, g->threads->ntid);
}

/* Of a bin the entries of earlier blocks, and *all of them. */
static LLVMValueRef add_blocks(const struct dealing *x, LLVMValueRef bin, LLVMValueRef *all) {
    struct gen *g = x->g;
    LLVMValueRef zero = i32(g, 0), first[] = {zero, zero, zero};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], g->threads->blocks));
    LLVMValueRef count = deal_load(x, DT_INT32, table_at(x, l.phi[0], bin));
    LLVMValueRef before = compare(g, LLVMIntULT, l.phi[0], g->threads->block);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)),
                           add(g, l.phi[1], gen_select(g, before, count, zero)),
                           add(g, l.phi[2], count)};
    loop_end(g, &l, next);
    *all = l.phi[2];
    return l.phi[1];
}

/* Has the counts of warps become how many entries come before theirs. */
static void find_before(const struct dealing *x) {
    struct gen *g = x->g;
    struct loop l;
    begin_bins(x, &l, g->threads->tid);
    LLVMValueRef all, before = add_blocks(x, l.phi[0], &all), at = far_at(x, l.phi[0]);
    LLVMValueRef far = load_word(g, at);
    LLVMBuildStore(g->b, add(g, far, all), at);
    add_warps(x, l.phi[0], add(g, far, before), true);
    end_bins(x, &l, g->threads->ntid);
}

void deal_rank(struct dealing *x) {
    struct gen *g = x->g;
    clear_counts(x);
    gpu(g)->barrier(g);
    at_iterations(x, false);
    gpu(g)->barrier(g);
    put_counts(x);
    deal_meet(g);
    find_before(x);
    gpu(g)->barrier(g);
    at_iterations(x, true);
    gpu(g)->barrier(g);
}

/* When all blocks have read what bins have at first, they get what all entries leave in them. */
void deal_end_ranks(struct dealing *x) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef element[MAX_DEAL_ARRAYS];
    LLVMValueRef own = multiply(g, g->threads->block, g->threads->ntid);
    struct loop l;
    deal_meet(g);
    begin_bins(x, &l, add(g, own, g->threads->tid));
    load_bin(x, l.phi[0], element);
    LLVMValueRef all = load_word(g, far_at(x, l.phi[0]));
    for (int i = 0; i < d->narrays; i++)
        if (deal_has_step(d, i)) {
            LLVMValueRef v = deal_counted(x, i, element[i], all);
            LLVMBuildStore(g->b, v, var_of(g, d->array[i].element)->slot);
            deal_store_bin(g, &d->array[i]);
        }
    end_bins(x, &l, multiply(g, g->threads->blocks, g->threads->ntid));
    gpu(g)->barrier(g);
}
