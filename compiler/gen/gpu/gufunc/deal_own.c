/* deal_own.c: DEAL's warps as owners of bins.  A warp goes through the entries that all lots have
 * for it, lot after lot, so in the order of iterations: a lane has one of 32 neighbours.
 * Either lanes have a bin each, in registers, and all see one entry after the other; or they update
 * what is in memory.
 *
 * Where keys are few, or one is frequent, all of a block's threads load the entries of one that has
 * bins in lanes, while the first warp sees those before. */
#include "deal_own.h"

enum {
    ALONE = 5,         /* owners of a block at most that have all its threads in turn */
    ALONE_LEAST = 4096 /* entries of an owner that are worth all threads */
};

/* ---- elements of a bin */

void deal_set_place(const struct dealing *x, int group, LLVMValueRef flat) {
    struct gen *g = x->g;
    const struct deal_group *of = &x->d->group[group];
    for (int i = of->rank - 1; i >= 0; i--) {
        LLVMValueRef at = flat;
        if (i > 0) {
            LLVMValueRef size = LLVMBuildTrunc(g->b, gen_value(g, of->size[i]), i32_type(g), "");
            flat = LLVMBuildUDiv(g->b, at, size, "");
            at = subtract(g, at, multiply(g, flat, size));
        }
        LLVMBuildStore(g->b, extended(g, at), var_of(g, of->index[i])->slot);
    }
}

LLVMValueRef deal_in_group(const struct dealing *x, int group, LLVMValueRef bin) {
    struct gen *g = x->g;
    return subtract(g, bin, LLVMBuildTrunc(g->b, x->first[group], i32_type(g), ""));
}

void deal_load_bin(struct gen *g, const struct deal_array *a) {
    LLVMBuildStore(g->b, gen_value(g, a->loaded), var_of(g, a->element)->slot);
}

void deal_store_bin(struct gen *g, const struct deal_array *a) {
    if (a->stored != NULL)
        gen_store_to(g, a->place, gen_value(g, a->stored));
}

/* Loads the lane's bins of the owner's part, or stores them; those of an owner that has all threads
 * are of the first warp. */
static void move_bins(const struct owner *o,
                      void (*move)(struct gen *, const struct deal_array *)) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef bin = add(g, o->number, LLVMBuildShl(g->b, x->lane, x->shift, ""));
    LLVMValueRef within = compare(g, LLVMIntULT, bin, x->bins);
    if (o->together)
        within = both(g, within, compare(g, LLVMIntEQ, x->warp, i32(g, 0)));
    for (int i = 0; i < x->d->narrays; i++) {
        const struct deal_array *a = &x->d->array[i];
        if (a->part != o->part)
            continue;
        LLVMValueRef flat = deal_in_group(x, a->group, bin);
        LLVMValueRef has = compare(g, LLVMIntULT, extended(g, flat), x->size[a->group]);
        LLVMBasicBlockRef after = begin_if(g, both(g, within, has));
        deal_set_place(x, a->group, flat);
        move(g, a);
        end_if(g, after);
    }
}

/* ---- entries */

/* Loads what is used a turn of the loop later, before all that is used now: LLVM and ptxas leave a
 * volatile load where it is. */
static LLVMValueRef load_ahead(const struct dealing *x, enum ufc_dtype d, LLVMValueRef at) {
    LLVMValueRef v = deal_load(x, d, at);
    if (LLVMIsALoadInst(v) != NULL)
        LLVMSetVolatile(v, true);
    return v;
}

/* Loads what tells of the owner's entries in the lane's lot of those from `lot` on. */
static void load_places(const struct owner *o, LLVMValueRef lot) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef own = add(g, lot, x->lane), has = compare(g, LLVMIntULT, own, x->all_lots);
    LLVMValueRef at = deal_places(x, gen_select(g, has, own, i32(g, 0)), o->number);
    LLVMBuildStore(g->b, load_ahead(x, DT_INT32, at), o->places);
}

static LLVMValueRef load_slot(const struct owner *o, LLVMValueRef slot) {
    return LLVMBuildLoad2(o->x->g->b, i32_type(o->x->g), slot, "");
}

/* The places of the owner's entries of 32 lots from o->lot on, of which load_places has loaded. */
static void find_segments(const struct owner *o, LLVMValueRef lot) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef has = compare(g, LLVMIntULT, add(g, lot, x->lane), x->all_lots);
    LLVMValueRef word = gen_select(g, has, load_slot(o, o->places), i32(g, 0));
    LLVMValueRef own = LLVMBuildLShr(g->b, word, i32(g, 16), "");
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX)); /* shuffles are slow in lanes that run apart */
    LLVMValueRef upto = gen_sum_lanes(g, own, x->lane);
    LLVMValueRef place = both(g, word, i32(g, UFC_DEAL_LOT));
    LLVMBuildStore(g->b, subtract(g, place, subtract(g, upto, own)), o->place);
    LLVMBuildStore(g->b, gen_from_lane(g, upto, i32(g, WARP - 1)), o->all);
    LLVMBuildStore(g->b, upto, o->upto);
    LLVMBuildStore(g->b, lot, o->lot);
    LLVMBuildStore(g->b, i32(g, 0), o->first);
    load_places(o, add(g, lot, i32(g, WARP)));
}

uint32_t deal_batch(const struct owner *o) {
    enum { MOST_BYTES = 24 }; /* of an entry, that registers hold twice beside bins in memory */
    return o->together || (o->part < 0 && o->x->room.bytes > MOST_BYTES) ? 1 : BATCH;
}

static LLVMValueRef row_value(const struct owner *o, enum ufc_dtype d, uint32_t offset,
                              LLVMValueRef lot, LLVMValueRef place) {
    unsigned width = dtype_info[d].bits == 64 ? 8 : 4;
    return load_ahead(o->x, d, deal_value_at(o->x, lot, offset, place, width));
}

/* Loads the lane's entries from number o->first on. */
static void fetch_entries(const struct owner *o) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef zero = i32(g, 0), first = load_slot(o, o->first), all = load_slot(o, o->all);
    LLVMValueRef upto = load_slot(o, o->upto), places = load_slot(o, o->place);
    LLVMValueRef lots = load_slot(o, o->lot);
    for (uint32_t u = 0; u < deal_batch(o); u++) {
        LLVMValueRef own = o->together ? g->threads->tid : add(g, x->lane, i32(g, u * WARP));
        LLVMValueRef n = add(g, first, own), lane = gen_lane_of(g, upto, n);
        LLVMValueRef there = compare(g, LLVMIntULT, n, all);
        LLVMValueRef place = gen_select(g, there, add(g, n, gen_from_lane(g, places, lane)), zero);
        LLVMValueRef lot = add(g, lots, gen_select(g, there, lane, zero));
        LLVMBuildStore(g->b, there, o->there[u]);
        LLVMBuildStore(g->b, row_value(o, DT_INT32, 0, lot, place), o->next[u].bin);
        if (x->d->nkinds > 1)
            LLVMBuildStore(g->b, row_value(o, DT_INT32, x->room.kind, lot, place), o->next[u].kind);
        for (int i = 0; i < x->d->nterms; i++)
            if (o->terms >> i & 1)
                LLVMBuildStore(g->b,
                               row_value(o, x->d->term[i]->dtype, x->room.term[i], lot, place),
                               o->next[u].term[i]);
    }
}

/* Goes on to the next entries, of these lots or of later ones, and loads them. */
static void advance(const struct owner *o, LLVMValueRef first) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef begin = load_slot(o, o->lot);
    LLVMBuildStore(g->b, first, o->first);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    LLVMValueRef next = add(g, l.phi[0], i32(g, WARP));
    LLVMValueRef more = compare(g, LLVMIntULT, next, x->all_lots);
    LLVMValueRef none = compare(g, LLVMIntUGE, load_slot(o, o->first), load_slot(o, o->all));
    loop_while(g, &l, both(g, none, more));
    find_segments(o, next);
    loop_end(g, &l, &next);
    fetch_entries(o);
}

static void take_entries(const struct owner *o, struct entry *e) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    for (uint32_t u = 0; u < deal_batch(o); u++) {
        LLVMValueRef there = LLVMBuildLoad2(g->b, i1_type(g), o->there[u], "");
        e[u].bin = LLVMBuildLoad2(g->b, i32_type(g), o->next[u].bin, "");
        e[u].bin = gen_select(g, there, e[u].bin, i32(g, UINT32_MAX));
        e[u].kind = d->nkinds > 1 ? LLVMBuildLoad2(g->b, i32_type(g), o->next[u].kind, "") : NULL;
        for (int i = 0; i < d->nterms; i++)
            if (o->terms >> i & 1)
                e[u].term[i] =
                    LLVMBuildLoad2(g->b, gen_type(g, d->term[i]->dtype), o->next[u].term[i], "");
    }
}

void deal_set_terms(const struct owner *o, uint32_t terms, const LLVMValueRef *term) {
    struct gen *g = o->x->g;
    for (int i = 0; i < o->x->d->nterms; i++)
        if (terms >> i & 1)
            LLVMBuildStore(g->b, term[i], var_of(g, o->x->d->term[i])->slot);
}

LLVMValueRef deal_is_kind(struct gen *g, const struct entry *e, int kind) {
    return e->kind == NULL ? LLVMConstInt(i1_type(g), 1, false)
                           : compare(g, LLVMIntEQ, e->kind, i32(g, (uint32_t)kind));
}

/* ---- owners */

static void make_slots(struct owner *o) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    if (o->part < 0) {
        o->kept = gen_alloca(g, i32_type(g), "kept");
        LLVMBuildStore(g->b, i32(g, UINT32_MAX), o->kept);
    }
    o->places = gen_alloca(g, i32_type(g), "places");
    o->lot = gen_alloca(g, i32_type(g), "lot");
    o->place = gen_alloca(g, i32_type(g), "place");
    o->upto = gen_alloca(g, i32_type(g), "upto");
    o->all = gen_alloca(g, i32_type(g), "all");
    o->first = gen_alloca(g, i32_type(g), "first");
    o->was_there = gen_alloca(g, i1_type(g), "there");
    LLVMBuildStore(g->b, LLVMConstNull(i1_type(g)), o->was_there);
    o->was.kind = gen_alloca(g, i32_type(g), "kind");
    for (int i = 0; i < d->nterms; i++)
        o->was.term[i] = gen_alloca(g, gen_type(g, d->term[i]->dtype), "term");
    for (int u = 0; u < BATCH; u++) {
        o->there[u] = gen_alloca(g, i1_type(g), "there");
        o->next[u].bin = gen_alloca(g, i32_type(g), "bin");
        o->next[u].kind = gen_alloca(g, i32_type(g), "kind");
        for (int i = 0; i < d->nterms; i++)
            o->next[u].term[i] = gen_alloca(g, gen_type(g, d->term[i]->dtype), "term");
    }
}

static void use_entries(const struct owner *o, const struct entry *e, LLVMValueRef left) {
    bool counts = deal_counting(o->x->d) > 0;
    if (o->part >= 0 && counts)
        deal_count_in_lanes(o, e);
    else if (o->part >= 0)
        deal_see(o, e, left);
    else if (counts)
        deal_count_in_memory(o, e);
    else
        deal_update_in_memory(o, e, left);
}

/* All entries of the owner: while some are used, the next ones come, and what tells of those of the
 * next lots. */
static void gen_entries(const struct owner *o) {
    struct gen *g = o->x->g;
    LLVMValueRef zero = i32(g, 0),
                 step = o->together ? g->threads->ntid : i32(g, deal_batch(o) * WARP);
    LLVMBuildStore(g->b, i32(g, (uint32_t)-WARP), o->lot);
    LLVMBuildStore(g->b, zero, o->all);
    LLVMBuildStore(g->b, zero, o->upto);
    LLVMBuildStore(g->b, zero, o->place);
    load_places(o, zero);
    advance(o, zero);
    struct loop l;
    loop_begin(g, &l, 0, NULL);
    l.keep = true;
    LLVMValueRef first = load_slot(o, o->first), all = load_slot(o, o->all);
    loop_while(g, &l, compare(g, LLVMIntULT, first, all));
    struct entry e[BATCH];
    take_entries(o, e);
    advance(o, add(g, first, step));
    use_entries(o, e, subtract(g, all, first));
    loop_end(g, &l, NULL);
    if (o->part >= 0)
        deal_end_seeing(o);
    else
        deal_end_kept(o);
}

static void gen_owner(struct dealing *x, struct owner *o) {
    for (int kind = 0; kind < x->d->nkinds; kind++) {
        o->shown |= deal_update_terms(x->d, kind, o->part);
        o->terms |= deal_terms(x->d, kind, o->part);
    }
    if (!o->together)
        o->shown = o->terms;
    make_slots(o);
    if (o->part >= 0)
        move_bins(o, deal_load_bin);
    if (o->held)
        deal_hold(o, false);
    gen_entries(o);
    if (o->part >= 0)
        move_bins(o, deal_store_bin);
    if (o->held)
        deal_hold(o, true);
}

/* A unit of which lanes have the bins. */
static void gen_unit(struct dealing *x, LLVMValueRef unit, LLVMValueRef half) {
    struct gen *g = x->g;
    LLVMValueRef part = LLVMBuildLShr(g->b, unit, x->shift, "");
    LLVMValueRef owner = both(g, unit, subtract(g, x->owners, i32(g, 1)));
    for (int i = 0; i < x->d->nparts; i++) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, part, i32(g, (uint32_t)i)));
        /* half: NULL, or all threads of the block are here */
        gen_owner(x, &(struct owner){x, owner, i, .together = half != NULL, .half = half});
        end_if(g, after);
    }
}

/* Entries of a unit, i32. */
static LLVMValueRef count_entries(struct dealing *x, LLVMValueRef unit) {
    struct gen *g = x->g;
    LLVMValueRef owner = both(g, unit, subtract(g, x->owners, i32(g, 1)));
    LLVMValueRef begin[] = {x->lane, i32(g, 0)};
    struct loop l;
    loop_begin(g, &l, 2, begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->all_lots));
    LLVMValueRef at = deal_places(x, l.phi[0], owner);
    LLVMValueRef own = LLVMBuildLShr(g->b, deal_load(x, DT_INT32, at), i32(g, 16), "");
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, WARP)), add(g, l.phi[1], own)};
    loop_end(g, &l, next);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    return gen_from_lane(g, gen_sum_lanes(g, l.phi[1], x->lane), i32(g, WARP - 1));
}

/* i1: the unit's owner has a bin of its part's arrays, or the first one of a group that is empty.
 */
static LLVMValueRef has_bins(const struct dealing *x, LLVMValueRef unit) {
    struct gen *g = x->g;
    LLVMValueRef part = LLVMBuildLShr(g->b, unit, x->shift, "");
    LLVMValueRef owner = both(g, unit, subtract(g, x->owners, i32(g, 1)));
    LLVMValueRef bin = add(g, owner, LLVMBuildShl(g->b, x->lane, x->shift, ""));
    LLVMValueRef has = LLVMConstNull(i1_type(g));
    for (int i = 0; i < x->d->narrays; i++) {
        const struct deal_array *a = &x->d->array[i];
        LLVMValueRef flat = extended(g, deal_in_group(x, a->group, bin));
        LLVMValueRef empty = compare(g, LLVMIntEQ, x->size[a->group], i64(g, 0));
        LLVMValueRef size = gen_select(g, empty, i64(g, 1), x->size[a->group]);
        LLVMValueRef own = both(g, compare(g, LLVMIntEQ, part, i32(g, (uint32_t)a->part)),
                                compare(g, LLVMIntULT, flat, size));
        has = LLVMBuildOr(g->b, has, own, "");
    }
    return is_set(g, gpu(g)->ballot(g, i32(g, UINT32_MAX), has));
}

static LLVMValueRef word_at(const struct dealing *x, LLVMValueRef warp) {
    return LLVMBuildGEP2(x->g->b, i32_type(x->g), x->words, &warp, 1, "");
}

/* Of the block's warps, which have a unit each, what all have together. */
static LLVMValueRef add_words(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef begin[] = {i32(g, 0), i32(g, 0)};
    struct loop l;
    loop_begin(g, &l, 2, begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->warps));
    LLVMValueRef word = LLVMBuildLoad2(g->b, i32_type(g), word_at(x, l.phi[0]), "");
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), add(g, l.phi[1], word)};
    loop_end(g, &l, next);
    return l.phi[1];
}

/* i1: a unit with so many entries, of all of the block's, has all of its threads. */
static LLVMValueRef is_alone(const struct dealing *x, LLVMValueRef count, LLVMValueRef all) {
    struct gen *g = x->g;
    if (!deal_sees_together(x->d) || deal_counting(x->d) > 0)
        return LLVMConstNull(i1_type(g));
    LLVMValueRef times = LLVMBuildUDiv(g->b, all, i32(g, ALONE), "");
    return both(g, compare(g, LLVMIntUGE, count, times),
                compare(g, LLVMIntUGE, count, i32(g, ALONE_LEAST)));
}

/* Has the warps be units in turn, neighbouring units of different blocks: first those that have all
 * threads of the block, one after the other. */
static void at_lanes(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef units = multiply(g, x->owners, i32(g, (uint32_t)x->d->nparts));
    LLVMValueRef blocks = g->threads->blocks, zero = i32(g, 0), one = i32(g, 1);
    LLVMValueRef half = gen_alloca(g, i32_type(g), "half");
    LLVMBuildStore(g->b, zero, half);
    struct loop l, warps;
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], units));
    LLVMValueRef first = add(g, l.phi[0], g->threads->block);
    LLVMValueRef unit = add(g, first, multiply(g, x->warp, blocks));
    LLVMValueRef has = both(g, compare(g, LLVMIntULT, unit, units), has_bins(x, unit));
    LLVMValueRef count = gen_select(g, has, count_entries(x, gen_select(g, has, unit, zero)), zero);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, zero));
    LLVMBuildStore(g->b, count, word_at(x, x->warp));
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef all = add_words(x);
    loop_begin(g, &warps, 1, &zero);
    warps.keep = true;
    loop_while(g, &warps, compare(g, LLVMIntULT, warps.phi[0], x->warps));
    LLVMValueRef other = LLVMBuildLoad2(g->b, i32_type(g), word_at(x, warps.phi[0]), "");
    after = begin_if(g, is_alone(x, other, all));
    gen_unit(x, add(g, first, multiply(g, warps.phi[0], blocks)), half);
    end_if(g, after);
    LLVMValueRef next = add(g, warps.phi[0], one);
    loop_end(g, &warps, &next);
    gpu(g)->barrier(g);
    after = begin_if(g, both(g, has, gen_not(g, is_alone(x, count, all))));
    gen_unit(x, unit, NULL);
    end_if(g, after);
    next = add(g, l.phi[0], multiply(g, x->warps, blocks));
    loop_end(g, &l, &next);
}

/* The same, of owners whose bins are in memory, or in shared memory. */
static void at_memory(struct dealing *x, bool held) {
    struct gen *g = x->g;
    LLVMValueRef blocks = g->threads->blocks;
    LLVMValueRef first = add(g, multiply(g, x->warp, blocks), g->threads->block);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->owners));
    gen_owner(x, &(struct owner){x, l.phi[0], -1, .held = held});
    LLVMValueRef next = add(g, l.phi[0], multiply(g, x->warps, blocks));
    loop_end(g, &l, &next);
}

void deal_update(struct dealing *x) {
    struct gen *g = x->g;
    LLVMBasicBlockRef lanes = gen_block(g, "lanes"), other = gen_block(g, "other"),
                      held = gen_block(g, "held"), memory = gen_block(g, "memory"),
                      done = gen_block(g, "updated");
    LLVMBuildCondBr(g->b, x->lanes, lanes, other);
    gen_place(g, lanes);
    at_lanes(x);
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
    LLVMBuildCondBr(g->b, x->held, held, memory);
    gen_place(g, held);
    at_memory(x, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, memory);
    at_memory(x, false);
    end_if(g, done);
}
