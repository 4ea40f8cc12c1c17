/* deal_sort.c: DEAL's lots of entries.  A block's warps have neighbouring iterations of a lot each.
 * They count the entries of each owner as these are computed, from which follows where each owner's
 * begin; a warp then goes through its own to find the place of each, and all threads copy the lot
 * in this order to memory.
 *
 * Numbers of entries have 16 bits.  A word has those of two owners that are half of all apart, so
 * that all sums are of both. */
#include "deal_own.h"

enum { HALF_BITS = 16, HALF = (1 << HALF_BITS) - 1 };
enum { COPY_BYTES = 64 }; /* of entries that a thread copies at once */

/* ---- entries of a lot that are not in order */

static unsigned width_of(enum ufc_dtype d) {
    return dtype_info[d].bits == 64 ? 8 : 4;
}

/* The address of a value of an entry, by where it is in deal_room. */
static LLVMValueRef value_at(const struct dealing *x, uint32_t offset, unsigned width,
                             LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMValueRef at = at_byte(g, x->pile, deal_in_row(x, number, width));
    return at_byte(g, at, i32(g, offset * UFC_DEAL_ROW));
}

void deal_put(const struct dealing *x, enum ufc_dtype d, uint32_t offset, LLVMValueRef number,
              LLVMValueRef v) {
    LLVMValueRef at = value_at(x, offset, width_of(d), number);
    gen_store_element(x->g, gen_memory_type(x->g, d), v, at, dtype_align(d));
}

static LLVMValueRef get_value(const struct dealing *x, enum ufc_dtype d, uint32_t offset,
                              LLVMValueRef number) {
    LLVMValueRef at = value_at(x, offset, width_of(d), number);
    return gen_load_element(x->g, d, gen_memory_type(x->g, d), at, dtype_align(d));
}

static LLVMTypeRef half_type(struct gen *g) {
    return LLVMInt16TypeInContext(g->context);
}

/* Where the number of the entry at a place, both i32, is. */
static LLVMValueRef order_at(const struct dealing *x, LLVMValueRef place) {
    struct gen *g = x->g;
    return at_byte(g, x->pile, add(g, x->lot_bytes, multiply(g, place, i32(g, 2))));
}

/* ---- counts */

static LLVMValueRef half_owners(const struct dealing *x) {
    return LLVMBuildLShr(x->g->b, x->owners, i32(x->g, 1), "");
}

/* The byte of a warp's word number `word`. */
static LLVMValueRef count_at(const struct dealing *x, LLVMValueRef warp, LLVMValueRef word) {
    struct gen *g = x->g;
    LLVMValueRef i = add(g, multiply(g, warp, half_owners(x)), word);
    return at_byte(g, x->counts, multiply(g, i, i32(g, 4)));
}

/* The owner's word, and whether it has the upper half of it: i1. */
static LLVMValueRef word_of(const struct dealing *x, LLVMValueRef owner, LLVMValueRef *upper) {
    struct gen *g = x->g;
    LLVMValueRef half = half_owners(x);
    *upper = is_set(g, both(g, owner, half));
    return both(g, owner, subtract(g, half, i32(g, 1)));
}

static LLVMValueRef lower_of(struct gen *g, LLVMValueRef word) {
    return both(g, word, i32(g, HALF));
}

static LLVMValueRef upper_of(struct gen *g, LLVMValueRef word) {
    return LLVMBuildLShr(g->b, word, i32(g, HALF_BITS), "");
}

static LLVMValueRef owner_of(const struct dealing *x, LLVMValueRef key) {
    struct gen *g = x->g;
    LLVMValueRef from = LLVMBuildLShr(g->b, key, x->granule, "");
    return both(g, from, subtract(g, x->owners, i32(g, 1)));
}

void deal_begin_sort(const struct dealing *x) {
    struct gen *g = x->g;
    struct loop l;
    LLVMValueRef begin = g->threads->tid;
    gpu(g)->barrier(g); /* owners, or the lot before, had this memory */
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], multiply(g, x->warps, half_owners(x))));
    LLVMBuildStore(g->b, i32(g, 0), count_at(x, i32(g, 0), l.phi[0]));
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
    gpu(g)->barrier(g);
}

void deal_put_key(const struct dealing *x, LLVMValueRef number, LLVMValueRef key) {
    struct gen *g = x->g;
    LLVMValueRef upper, word = word_of(x, owner_of(x, key), &upper);
    LLVMValueRef one = gen_select(g, upper, i32(g, 1 << HALF_BITS), i32(g, 1));
    deal_put(x, DT_INT32, 0, number, key);
    LLVMBasicBlockRef after = begin_if(g, deal_is_there(g, key));
    gen_add_word(g, count_at(x, x->warp, word), one);
    end_if(g, after);
}

/* ---- a warp's entries */

void deal_find_own(const struct dealing *x, LLVMValueRef *first, LLVMValueRef *end) {
    struct gen *g = x->g;
    LLVMValueRef each = deal_share(x, x->count);
    if (!x->d->flat) { /* where they are few, all warps have some */
        LLVMValueRef all = add(g, x->count, subtract(g, x->warps, i32(g, 1)));
        LLVMValueRef many = compare(g, LLVMIntUGE, x->count, g->threads->ntid);
        each = gen_select(g, many, each, LLVMBuildUDiv(g->b, all, x->warps, ""));
    }
    *first = least(g, multiply(g, x->warp, each), x->count);
    *end = least(g, add(g, *first, each), x->count);
}

/* An entry of a lane: whether it is there, i1; the lanes with entries of its owner, a bit each, and
 * how many are before, i32; where the warp's next place of these is. */
struct placing {
    LLVMValueRef there, mates, before, at;
};

static struct placing find_placing(const struct dealing *x, LLVMValueRef key) {
    struct gen *g = x->g;
    struct placing p = {.there = deal_is_there(g, key)};
    LLVMValueRef upper, owner = gen_select(g, p.there, owner_of(x, key), key);
    p.mates = gpu(g)->match(g, owner);
    p.before = deal_lanes_before(x, p.mates);
    LLVMValueRef at = count_at(x, x->warp, word_of(x, owner, &upper));
    p.at = at_byte(g, at, gen_select(g, upper, i32(g, 2), i32(g, 0)));
    return p;
}

/* The entry gets the next place of its owner, those of several lanes in their order. */
static void place_entry(const struct dealing *x, LLVMValueRef entry, const struct placing *p) {
    struct gen *g = x->g;
    LLVMValueRef all = i32(g, UINT32_MAX), next = LLVMBuildLoad2(g->b, half_type(g), p->at, "");
    gpu(g)->warp_barrier(g, all);
    LLVMBasicBlockRef after = begin_if(g, p->there);
    LLVMValueRef place = add(g, LLVMBuildZExt(g->b, next, i32_type(g), ""), p->before);
    LLVMValueRef number = LLVMBuildTrunc(g->b, entry, half_type(g), "");
    LLVMBuildStore(g->b, number, order_at(x, place));
    LLVMBasicBlockRef other = begin_if(g, compare(g, LLVMIntEQ, p->before, i32(g, 0)));
    LLVMValueRef n = LLVMBuildTrunc(g->b, deal_count_lanes(g, p->mates), half_type(g), "");
    LLVMBuildStore(g->b, add(g, next, n), p->at);
    end_if(g, other);
    end_if(g, after);
    gpu(g)->warp_barrier(g, all);
}

/* The warp's entries from `first` on, `units` of a lane at a time, while so many come before `end`;
 * one at a time those of some lanes.  Gives the next one's number. */
static LLVMValueRef place_units(const struct dealing *x, LLVMValueRef first, LLVMValueRef end,
                                int units) {
    struct gen *g = x->g;
    LLVMValueRef key[UFC_DEAL_UNITS], entry[UFC_DEAL_UNITS];
    LLVMValueRef step = i32(g, (uint32_t)(units * WARP));
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    LLVMValueRef last = units > 1 ? add(g, l.phi[0], subtract(g, step, i32(g, 1))) : l.phi[0];
    loop_while(g, &l, compare(g, LLVMIntULT, last, end));
    for (int u = 0; u < units; u++) {
        entry[u] = add(g, add(g, l.phi[0], x->lane), i32(g, (uint32_t)(u * WARP)));
        LLVMValueRef exists = compare(g, LLVMIntULT, entry[u], end);
        LLVMValueRef safe = units > 1 ? entry[u] : gen_select(g, exists, entry[u], i32(g, 0));
        key[u] = get_value(x, DT_INT32, 0, safe);
        if (units == 1)
            key[u] = gen_select(g, exists, key[u], i32(g, (uint32_t)DEAL_ABSENT));
    }
    struct placing p[UFC_DEAL_UNITS];
    for (int u = 0; u < units; u++)
        p[u] = find_placing(x, key[u]);
    for (int u = 0; u < units; u++)
        place_entry(x, entry[u], &p[u]);
    LLVMValueRef next = add(g, l.phi[0], step);
    loop_end(g, &l, &next);
    return l.phi[0];
}

static void place_entries(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef first, end;
    deal_find_own(x, &first, &end);
    first = multiply(g, first, x->each);
    end = multiply(g, end, x->each);
    place_units(x, place_units(x, first, end, UFC_DEAL_UNITS), end, 1);
}

/* ---- places */

/* Adds the counts of the thread's words, which are neighbours, of all warps to `begin`; places:
 * what it is before a count takes the place of that, and the owners' entries are told. */
static LLVMValueRef at_counts(const struct dealing *x, LLVMValueRef begin, bool places) {
    struct gen *g = x->g;
    LLVMValueRef half = half_owners(x), one = i32(g, 1);
    LLVMValueRef own = LLVMBuildUDiv(g->b, half, g->threads->ntid, "");
    own = gen_select(g, is_set(g, own), own, one);
    LLVMValueRef first[] = {multiply(g, g->threads->tid, own), begin};
    LLVMValueRef end = least(g, add(g, first[0], own), half);
    struct loop l, warps;
    loop_begin(g, &l, 2, first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef from[] = {i32(g, 0), l.phi[1]};
    loop_begin(g, &warps, 2, from);
    loop_while(g, &warps, compare(g, LLVMIntULT, warps.phi[0], x->warps));
    LLVMValueRef at[2], count[2], sum = warps.phi[1]; /* warps are an even number */
    for (uint32_t u = 0; u < 2; u++) {
        at[u] = count_at(x, add(g, warps.phi[0], i32(g, u)), l.phi[0]);
        count[u] = LLVMBuildLoad2(g->b, i32_type(g), at[u], "");
    }
    for (uint32_t u = 0; u < 2; u++) {
        if (places)
            LLVMBuildStore(g->b, sum, at[u]);
        sum = add(g, sum, count[u]);
    }
    LLVMValueRef more[] = {add(g, warps.phi[0], i32(g, 2)), sum};
    loop_end(g, &warps, more);
    if (places) {
        LLVMValueRef all = subtract(g, warps.phi[1], l.phi[1]);
        LLVMValueRef lower = LLVMBuildShl(g->b, all, i32(g, HALF_BITS), "");
        lower = LLVMBuildOr(g->b, lower, lower_of(g, l.phi[1]), "");
        LLVMValueRef upper = both(g, all, i32(g, (uint32_t)HALF << HALF_BITS));
        upper = LLVMBuildOr(g->b, upper, upper_of(g, l.phi[1]), "");
        store_element(g, DT_INT32, lower, deal_places(x, x->lot, l.phi[0]));
        store_element(g, DT_INT32, upper, deal_places(x, x->lot, add(g, l.phi[0], half)));
    }
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

/* Has the counts become the places of the warps' first entries of each owner: those of lower halves
 * come first.  Gives how many entries there are. */
static LLVMValueRef find_places(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef all, own = at_counts(x, i32(g, 0), false), before = sum_before(x, own, &all);
    at_counts(x, add(g, before, LLVMBuildShl(g->b, all, i32(g, HALF_BITS), "")), true);
    return add(g, lower_of(g, all), upper_of(g, all));
}

/* ---- in order */

static void store_value(const struct dealing *x, enum ufc_dtype d, uint32_t offset,
                        LLVMValueRef place, LLVMValueRef v) {
    store_element(x->g, d, v, deal_value_at(x, x->lot, offset, place, width_of(d)));
}

/* Copies so many values of entries, one behind the other in their order, from where they are. */
static void copy_units(const struct dealing *x, const LLVMValueRef *place, int units) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef number[UFC_DEAL_UNITS], v[UFC_DEAL_UNITS];
    for (int u = 0; u < units; u++) {
        number[u] = LLVMBuildLoad2(g->b, half_type(g), order_at(x, place[u]), "");
        number[u] = LLVMBuildZExt(g->b, number[u], i32_type(g), "");
    }
    for (int k = -2; k < d->nterms; k++) {
        enum ufc_dtype type = k < 0 ? DT_INT32 : d->term[k]->dtype;
        uint32_t offset = k == -2 ? 0 : k == -1 ? x->room.kind : x->room.term[k];
        if (k == -1 && d->nkinds == 1)
            continue;
        for (int u = 0; u < units; u++)
            v[u] = get_value(x, type, offset, number[u]);
        for (int u = 0; u < units; u++)
            store_value(x, type, offset, place[u], v[u]);
    }
}

static LLVMValueRef copy_entries(const struct dealing *x, LLVMValueRef first, LLVMValueRef n,
                                 int units) {
    struct gen *g = x->g;
    LLVMValueRef far = multiply(g, g->threads->ntid, i32(g, (uint32_t)units - 1));
    LLVMValueRef place[UFC_DEAL_UNITS];
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, add(g, l.phi[0], far), n));
    for (int u = 0; u < units; u++)
        place[u] = add(g, l.phi[0], multiply(g, g->threads->ntid, i32(g, (uint32_t)u)));
    copy_units(x, place, units);
    LLVMValueRef next = add(g, l.phi[0], add(g, far, g->threads->ntid));
    loop_end(g, &l, &next);
    return l.phi[0];
}

void deal_sort(const struct dealing *x) {
    struct gen *g = x->g;
    gpu(g)->barrier(g);
    LLVMValueRef n = find_places(x);
    gpu(g)->barrier(g);
    place_entries(x);
    gpu(g)->barrier(g);
    int units = UFC_DEAL_UNITS;
    while (units > 1 && units * x->room.bytes > COPY_BYTES)
        units /= 2;
    LLVMValueRef left = g->threads->tid;
    if (units > 1)
        left = copy_entries(x, left, n, units);
    copy_entries(x, left, n, 1);
}
