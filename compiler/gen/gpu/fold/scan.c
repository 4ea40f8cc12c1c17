/* scan.c: the GPU kernel SCAN, which accumulates.  A block goes through its segment of a line by
 * tiles.  Each thread has UFC_SCAN_UNITS units of neighbouring elements of a tile; it gets the
 * result of all elements before a unit by shuffles and through shared memory, and goes on from
 * that.
 *
 * Where a line has several segments, each is a tile.  UFC_SCAN_GROUP tiles are a group, as many
 * groups a region.  A block publishes its total, and the last block of a group or a region the
 * total of that, as soon as its tiles have theirs.  So a block gets the result of all tiles before
 * its own from the totals of those in its group, of the groups before in its region, and of the
 * regions before: three of its warps read them at a time.  It waits for blocks of lower numbers
 * alone, which GPUs start first.  So how elements are grouped depends neither on when blocks run,
 * nor on strides. */
#include "fold.h"

enum {
    MAX_ELEMS = 8 * UFC_SCAN_UNITS,
    WARP_TOTALS = UFC_SCAN_UNITS * WARPS,
    LEVELS = 3, /* tiles, groups, regions */
};
_Static_assert((int)LEVELS <= (int)WARPS, "each level has a warp that reads it");
_Static_assert((int)UFC_SCAN_GROUP == (int)WARP, "a warp reads a group's totals");
_Static_assert((int)WARP_TOTALS == (int)WARP, "a warp scans the totals of all warps' units");

struct scan {
    struct fold *f;
    LLVMValueRef thread, lane; /* i32 */
    LLVMValueRef line[3];      /* addresses of the line's first elements */
    LLVMTypeRef memory;        /* of an element */
    unsigned size, width;      /* of an element, bytes; elements of a unit */
    LLVMValueRef tile;         /* in shared memory: the elements of a tile */
    LLVMValueRef totals;       /* in shared memory: WARP_TOTALS elements */
    LLVMValueRef before;       /* in shared memory: LEVELS elements */
    LLVMValueRef x[MAX_ELEMS]; /* the thread's elements */
};

static unsigned tile_elements(const struct scan *s) {
    return UFC_SCAN_UNITS * s->width * BLOCK_THREADS;
}

/* The number in a tile of the first element of the thread's unit i, i32. */
static LLVMValueRef unit_begin(const struct scan *s, unsigned i) {
    struct gen *g = s->f->g;
    LLVMValueRef own = multiply(g, s->thread, i32(g, s->width));
    return add(g, own, i32(g, i * s->width * BLOCK_THREADS));
}

static LLVMValueRef load_shared(const struct scan *s, LLVMValueRef array, LLVMValueRef index) {
    struct fold *f = s->f;
    LLVMValueRef at = fold_shared_at(f->g, array, s->memory, index);
    return gen_load_element(f->g, f->d, s->memory, at, dtype_align(f->d));
}

static void store_shared(const struct scan *s, LLVMValueRef v, LLVMValueRef array,
                         LLVMValueRef index) {
    struct fold *f = s->f;
    LLVMValueRef at = fold_shared_at(f->g, array, s->memory, index);
    gen_store_element(f->g, s->memory, v, at, dtype_align(f->d));
}

/* ---- the tile's elements */

/* i1: whole units of the line's elements and results can be accessed at once. */
static LLVMValueRef is_wide(const struct scan *s) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef begin = multiply(g, f->begin, i64(g, s->size));
    LLVMValueRef bits =
        LLVMBuildOr(g->b, add(g, s->line[IN], begin), add(g, s->line[OUT], begin), "");
    LLVMValueRef fits = compare(g, LLVMIntEQ, LLVMBuildAnd(g->b, bits, i64(g, 15), ""), i64(g, 0));
    static const size_t strides[] = {AT(in_inner), AT(out_inner)};
    for (int i = 0; i < 2; i++)
        fits = both(g, fits, compare(g, LLVMIntEQ, param_i64(g, strides[i]), i64(g, s->size)));
    return both(g, fits, both(g, fold_lies_straight(f), fold_is_own_type(f, AT(out_dtype))));
}

/* Moves elements [k, f->end) of the line to the tile, or back: those of a tile, with neighbouring
 * threads at neighbouring elements.  Behind the end the tile gets `empty`. */
static void move_each(struct scan *s, LLVMValueRef k, bool to_tile) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef at[3], first = s->thread;
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, tile_elements(s))));
    LLVMValueRef own = add(g, k, extended(g, l.phi[0]));
    LLVMValueRef is_there = compare(g, LLVMIntSLT, own, f->end);
    if (to_tile)
        store_shared(s, param_value(g, f->d, AT(empty)), s->tile, l.phi[0]);
    LLVMBasicBlockRef after = begin_if(g, is_there);
    fold_find_element(f, own, s->line, at, 3);
    if (to_tile)
        store_shared(s, fold_load_cast(f, AT(in_dtype), at[IN]), s->tile, l.phi[0]);
    else
        fold_store_element(f, load_shared(s, s->tile, l.phi[0]), at[OUT]);
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], i32(g, BLOCK_THREADS));
    loop_end(g, &l, &next);
}

/* Loads the thread's elements of the tile from element k of the line on: where they lie, or, where
 * `wide` (i1) does not hold, by way of the tile. */
static void load_tile(struct scan *s, LLVMValueRef k, LLVMValueRef wide) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef direct[MAX_ELEMS];
    LLVMBasicBlockRef straight = gen_block(g, "straight"), apart = gen_block(g, "apart");
    LLVMBasicBlockRef loaded = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, wide, straight, apart);
    gen_place(g, straight);
    LLVMValueRef units[UFC_SCAN_UNITS];
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        LLVMValueRef at = add(g, k, extended(g, unit_begin(s, i)));
        at = add(g, s->line[IN], multiply(g, at, i64(g, s->size)));
        units[i] = fold_load_unit(g, f->d, s->width, at);
    }
    for (unsigned i = 0; i < UFC_SCAN_UNITS * s->width; i++)
        direct[i] = fold_unit_element(g, f->d, units[i / s->width], i % s->width);
    LLVMBuildBr(g->b, loaded);
    gen_place(g, apart);
    move_each(s, k, true);
    gpu(g)->barrier(g);
    LLVMValueRef shared[MAX_ELEMS];
    for (unsigned i = 0; i < UFC_SCAN_UNITS * s->width; i++)
        shared[i] =
            load_shared(s, s->tile, add(g, unit_begin(s, i / s->width), i32(g, i % s->width)));
    apart = LLVMGetInsertBlock(g->b);
    end_if(g, loaded);
    for (unsigned i = 0; i < UFC_SCAN_UNITS * s->width; i++)
        s->x[i] = phi2(g, straight, direct[i], apart, shared[i]);
}

static void store_tile(struct scan *s, LLVMValueRef k, LLVMValueRef wide) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMBasicBlockRef straight = gen_block(g, "straight"), apart = gen_block(g, "apart");
    LLVMBasicBlockRef stored = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, wide, straight, apart);
    gen_place(g, straight);
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        LLVMValueRef at = add(g, k, extended(g, unit_begin(s, i)));
        at = add(g, s->line[OUT], multiply(g, at, i64(g, s->size)));
        fold_store_unit(g, f->d, s->width, &s->x[i * s->width], at);
    }
    LLVMBuildBr(g->b, stored);
    gen_place(g, apart);
    gpu(g)->barrier(g);
    for (unsigned i = 0; i < UFC_SCAN_UNITS * s->width; i++)
        store_shared(s, s->x[i], s->tile,
                     add(g, unit_begin(s, i / s->width), i32(g, i % s->width)));
    gpu(g)->barrier(g);
    move_each(s, k, false);
    gpu(g)->barrier(g);
    end_if(g, stored);
}

/* ---- within a tile */

/* Sets before[i] to the join of all elements of the tile before the thread's unit i; gives the join
 * of all elements.  Each of the tile's WARP_TOTALS warps' units has its place in s->totals, in
 * order. */
static LLVMValueRef join_units(struct scan *s, struct acc *before) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false), warp = warp_of(g, s->thread);
    LLVMValueRef warps_last = compare(g, LLVMIntEQ, s->lane, i32(g, WARP - 1));
    LLVMValueRef up_to[UFC_SCAN_UNITS], one = i32(g, 1), all = i32(g, UINT32_MAX);
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        LLVMValueRef total = s->x[i * s->width];
        for (unsigned j = 1; j < s->width; j++)
            total = fold_apply(f, total, s->x[i * s->width + j]);
        up_to[i] = total;
    }
    for (unsigned by = 1; by < WARP; by *= 2)
        for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
            LLVMValueRef other = gen_shuffle(g, SHUFFLE_UP, all, up_to[i], i32(g, by));
            LLVMValueRef has = compare(g, LLVMIntUGE, s->lane, i32(g, by));
            up_to[i] = gen_select(g, has, fold_apply(f, other, up_to[i]), up_to[i]);
        }
    LLVMBasicBlockRef after = begin_if(g, warps_last);
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++)
        store_shared(s, up_to[i], s->totals, add(g, warp, i32(g, i * WARPS)));
    end_if(g, after);
    gpu(g)->barrier(g);
    struct acc totals = {load_shared(s, s->totals, s->lane), yes};
    totals = fold_join_lanes(f, totals, SHUFFLE_UP, s->lane, i32(g, WARP));
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        LLVMValueRef number = add(g, warp, i32(g, i * WARPS));
        LLVMValueRef warps =
            gen_shuffle(g, SHUFFLE_FROM, all, totals.value, subtract(g, number, one));
        LLVMValueRef own = gen_shuffle(g, SHUFFLE_UP, all, up_to[i], one);
        before[i] = fold_join(f, (struct acc){warps, is_set(g, number)},
                              (struct acc){own, is_set(g, s->lane)});
    }
    return gen_shuffle(g, SHUFFLE_FROM, all, totals.value, i32(g, WARP - 1));
}

/* Replaces the thread's elements by the results up to them: of carry, then of before[i]. */
static void accumulate(struct scan *s, struct acc carry, const struct acc *before) {
    struct fold *f = s->f;
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        struct acc acc = fold_join(f, carry, before[i]);
        for (unsigned j = 0; j < s->width; j++) {
            acc = fold_apply_to(f, acc, s->x[i * s->width + j]);
            s->x[i * s->width + j] = acc.value;
        }
    }
}

/* ---- between blocks */

static LLVMValueRef load_volatile(struct gen *g, LLVMTypeRef type, LLVMValueRef at) {
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, global_pointer(g, at), "");
    LLVMSetVolatile(v, true);
    return v;
}

static void store_volatile(struct gen *g, LLVMValueRef v, LLVMValueRef at) {
    LLVMSetVolatile(LLVMBuildStore(g->b, v, global_pointer(g, at)), true);
}

/* Addresses of an entry of the workspace: its flag, or, where `value` is NULL, flag and value in
 * one word, which is read and written at once. */
struct entry {
    LLVMValueRef flag, value;
};

static struct entry entry_of(struct scan *s, LLVMValueRef number) {
    struct gen *g = s->f->g;
    LLVMValueRef flags = param_i64(g, AT(carry)), all = param_i64(g, AT(entries));
    if (s->size <= 4)
        return (struct entry){.flag = add(g, flags, multiply(g, number, i64(g, 8)))};
    LLVMValueRef values = add(g, flags, multiply(g, all, i64(g, 4)));
    return (struct entry){add(g, flags, multiply(g, number, i64(g, 4))),
                          add(g, values, multiply(g, number, i64(g, s->size)))};
}

static void publish(struct scan *s, LLVMValueRef number, LLVMValueRef value) {
    struct gen *g = s->f->g;
    struct entry e = entry_of(s, number);
    if (e.value != NULL) {
        store_element(g, s->f->d, value, e.value);
        gpu(g)->fence(g);
        store_volatile(g, i32(g, 1), e.flag);
        return;
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(g->context, s->f->d == DT_BOOL ? 1 : s->size * 8);
    value = extended(g, LLVMBuildBitCast(g->b, value, bits, ""));
    value = LLVMBuildShl(g->b, value, i64(g, 32), "");
    store_volatile(g, LLVMBuildOr(g->b, value, i64(g, 1), ""), e.flag);
}

/* Waits for an entry to be published; gives its value. */
static LLVMValueRef wait_for(struct scan *s, LLVMValueRef number) {
    struct gen *g = s->f->g;
    struct entry e = entry_of(s, number);
    LLVMTypeRef type = e.value != NULL ? i32_type(g) : i64_type(g);
    LLVMBasicBlockRef wait = gen_block(g, "wait"), there = gen_block(g, "there");
    LLVMBuildBr(g->b, wait);
    gen_place(g, wait);
    LLVMValueRef word = load_volatile(g, type, e.flag);
    LLVMBuildCondBr(g->b, is_set(g, word), there, wait);
    gen_place(g, there);
    if (e.value != NULL) {
        gpu(g)->fence(g);
        return load_volatile(g, s->memory, e.value);
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(g->context, s->f->d == DT_BOOL ? 1 : s->size * 8);
    word = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, word, i64(g, 32), ""), bits, "");
    return LLVMBuildBitCast(g->b, word, gen_type(g, s->f->d), "");
}

/* The join of `n` entries from number `first` on, i64 both, for the warp's first lane. */
static struct acc join_entries(struct scan *s, LLVMValueRef first, LLVMValueRef n) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef none = LLVMConstNull(gen_type(g, f->d)), no = LLVMConstNull(i1_type(g));
    LLVMValueRef begin[] = {i64(g, 0), none, no};
    struct loop l;
    loop_begin(g, &l, 3, begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    LLVMValueRef own = add(g, l.phi[0], extended(g, s->lane));
    LLVMValueRef has = compare(g, LLVMIntULT, own, n);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, has);
    LLVMValueRef v = wait_for(s, add(g, first, own));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    v = phi2(g, here, none, then, v);
    struct acc acc = fold_join_lanes(f, (struct acc){v, has}, SHUFFLE_DOWN, s->lane, i32(g, WARP));
    acc = fold_join(f, (struct acc){l.phi[1], l.phi[2]}, acc);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, WARP)), acc.value, acc.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

/* Of a level: the number of the line's first entry; of the tile's own; how many entries before that
 * one are to be joined.  i64 all. */
struct level {
    LLVMValueRef first, own, before;
};

static void find_levels(struct scan *s, struct level *level) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef group = i64(g, UFC_SCAN_GROUP), more = i64(g, UFC_SCAN_GROUP - 1);
    LLVMValueRef own = f->segment, n = param_i64(g, AT(segments)), base = i64(g, 0);
    for (int k = 0; k < LEVELS; k++) {
        level[k].first = add(g, base, multiply(g, f->line, n));
        level[k].own = own;
        level[k].before = k + 1 < LEVELS ? LLVMBuildURem(g->b, own, group, "") : own;
        base = add(g, base, multiply(g, f->lines, n));
        own = LLVMBuildUDiv(g->b, own, group, "");
        n = LLVMBuildUDiv(g->b, add(g, n, more), group, "");
    }
}

/* Publishes a level's own entry, where (i1) holds. */
static void publish_where(struct scan *s, LLVMValueRef where, const struct level *level,
                          struct acc acc) {
    struct gen *g = s->f->g;
    LLVMBasicBlockRef after = begin_if(g, where);
    publish(s, add(g, level->first, level->own), acc.value);
    end_if(g, after);
}

/* The result of all tiles before the block's, whose total is `total`; carry: the initial element,
 * in the first tile. */
static struct acc look_back(struct scan *s, struct acc carry, LLVMValueRef total) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false), warp = warp_of(g, s->thread);
    LLVMValueRef is_first = gen_not(g, is_set(g, s->thread)), no = i64(g, 0), first = no, n = no;
    struct level level[LEVELS];
    find_levels(s, level);
    struct acc own = fold_join(f, carry, (struct acc){total, yes});
    publish_where(s, is_first, &level[0], own);

    for (int k = 0; k < LEVELS; k++) {
        LLVMValueRef reads = compare(g, LLVMIntEQ, warp, i32(g, (uint32_t)k));
        LLVMValueRef from = LLVMBuildSub(g->b, level[k].own, level[k].before, "");
        first = gen_select(g, reads, add(g, level[k].first, from), first);
        n = gen_select(g, reads, level[k].before, n);
    }
    struct acc joined = join_entries(s, first, n);
    LLVMValueRef last = i64(g, UFC_SCAN_GROUP - 1);
    LLVMValueRef ends_group = compare(g, LLVMIntEQ, level[0].before, last);
    LLVMValueRef ends_region = both(g, ends_group, compare(g, LLVMIntEQ, level[1].before, last));
    publish_where(s, both(g, is_first, ends_group), &level[1], fold_join(f, joined, own));
    LLVMValueRef stores = both(g, joined.has, LLVMBuildNot(g->b, is_set(g, s->lane), ""));
    LLVMBasicBlockRef after = begin_if(g, stores);
    store_shared(s, joined.value, s->before, warp);
    end_if(g, after);
    gpu(g)->barrier(g);

    struct acc part[LEVELS];
    for (int k = 0; k < LEVELS; k++)
        part[k] = (struct acc){load_shared(s, s->before, i32(g, (uint32_t)k)),
                               is_set(g, level[k].before)};
    struct acc in_region = fold_join(f, part[1], part[0]);
    publish_where(s, both(g, is_first, ends_region), &level[2], fold_join(f, in_region, own));
    struct acc before = fold_join(f, part[2], in_region);
    return (struct acc){gen_select(g, before.has, before.value, carry.value),
                        LLVMBuildOr(g->b, before.has, carry.has, "")};
}

/* ---- the kernel */

void gen_scan_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false);
    struct scan s = {.f = f, .thread = gpu(g)->id(g, THREAD_ID)};
    s.lane = lane_of(g, s.thread);
    s.memory = gen_memory_type(g, f->d);
    s.size = (unsigned)dtype_info[f->d].bits / 8;
    s.width = (unsigned)ufc_scan_unit(f->d);
    s.tile = shared_array(g, s.memory, tile_elements(&s), 16, "tile");
    s.totals = shared_array(g, s.memory, WARP_TOTALS, 16, "totals");
    s.before = shared_array(g, s.memory, LEVELS, 16, "before");
    fold_find_segment(f, gpu(g)->id(g, BLOCK_ID));
    fold_find_line(f, f->segment, s.line);
    struct acc carry = fold_begin_acc(f, yes), before[UFC_SCAN_UNITS];
    LLVMValueRef wide = is_wide(&s), whole = i64(g, tile_elements(&s));
    LLVMValueRef several = is_set(g, param_i64(g, AT(carry)));
    LLVMValueRef first[] = {f->begin, carry.value, carry.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    LLVMValueRef next_k = add(g, l.phi[0], whole);
    LLVMValueRef is_whole = both(g, wide, compare(g, LLVMIntSLE, next_k, f->end));
    load_tile(&s, l.phi[0], is_whole);
    carry = (struct acc){l.phi[1], l.phi[2]};
    LLVMValueRef total = join_units(&s, before);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, several);
    struct acc found = look_back(&s, carry, total);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    struct acc own = {phi2(g, here, carry.value, then, found.value),
                      phi2(g, here, carry.has, then, found.has)};
    accumulate(&s, own, before);
    gpu(g)->barrier(g);
    store_tile(&s, l.phi[0], is_whole);
    carry = fold_join(f, own, (struct acc){total, yes});
    LLVMValueRef next[] = {next_k, carry.value, yes};
    loop_end(g, &l, next);
    LLVMBuildRetVoid(g->b);
}
