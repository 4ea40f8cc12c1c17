/* scan.c: the GPU kernel SCAN, which accumulates.  A block goes through its segment of a line by
 * tiles, which it copies to shared memory.  A warp has UFC_SCAN_UNITS units of neighbouring
 * elements there for each thread, one after the other; a thread gets the result of all elements
 * before a unit by shuffles and through shared memory, and goes on from that.
 *
 * Where a line has several segments, each is a tile: regions.c.  A block waits for blocks of lower
 * numbers alone, which GPUs start first.  So how elements are grouped depends neither on when
 * blocks run, nor on strides. */
#include "fold.h"

enum {
    MAX_WIDTH = 8,
    WARP_TOTALS = UFC_SCAN_UNITS * WARPS,
};
_Static_assert((int)WARP_TOTALS == (int)WARP, "a warp scans the totals of all warps' units");

struct scan {
    struct fold *f;
    LLVMValueRef thread, lane; /* i32 */
    LLVMValueRef line[3];      /* addresses of the line's first elements */
    LLVMTypeRef memory;        /* of an element */
    unsigned size, width;      /* of an element, bytes; elements of a unit */
    LLVMValueRef tile;         /* in shared memory: the elements of a tile */
    LLVMValueRef totals;       /* in shared memory: WARP_TOTALS elements */
    LLVMValueRef before;       /* in shared memory: WARPS elements */
};

static unsigned tile_elements(const struct scan *s) {
    return UFC_SCAN_UNITS * s->width * BLOCK_THREADS;
}

/* The thread's unit i, in shared memory. */
static LLVMValueRef unit_at(const struct scan *s, unsigned i) {
    struct gen *g = s->f->g;
    LLVMValueRef number = multiply(g, warp_of(g, s->thread), i32(g, UFC_SCAN_UNITS * WARP));
    number = add(g, number, add(g, s->lane, i32(g, i * WARP)));
    return fold_shared_at(g, s->tile, s->memory, multiply(g, number, i32(g, s->width)));
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

/* Copies the warp's part of a whole tile, from element k of the line on, to shared memory, or back:
 * 16 bytes a lane, its neighbours beside it. */
static void move_wide(struct scan *s, LLVMValueRef k, bool to_tile) {
    enum { LANE = 16 };
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMTypeRef type = LLVMVectorType(i32_type(g), 4);
    unsigned part = UFC_SCAN_UNITS * s->width * s->size * WARP;
    LLVMValueRef first = multiply(g, warp_of(g, s->thread), i32(g, part));
    first = add(g, first, multiply(g, s->lane, i32(g, LANE)));
    LLVMValueRef line = add(g, s->line[to_tile ? IN : OUT], multiply(g, k, i64(g, s->size)));
    for (unsigned i = 0; i < part; i += LANE * WARP) {
        LLVMValueRef at = extended(g, add(g, first, i32(g, i)));
        LLVMValueRef there = global_pointer(g, add(g, line, at)), here = at_byte(g, s->tile, at);
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, to_tile ? there : here, "");
        LLVMSetAlignment(v, LANE);
        LLVMSetAlignment(LLVMBuildStore(g->b, v, to_tile ? here : there), LANE);
    }
}

/* The tile from element k of the line on; wide (i1): it is whole, and lies as in shared memory. */
static void move_tile(struct scan *s, LLVMValueRef k, LLVMValueRef wide, bool to_tile) {
    struct gen *g = s->f->g;
    LLVMBasicBlockRef straight = gen_block(g, "straight"), apart = gen_block(g, "apart");
    LLVMBasicBlockRef moved = gen_block(g, "moved");
    gpu(g)->barrier(g);
    LLVMBuildCondBr(g->b, wide, straight, apart);
    gen_place(g, straight);
    move_wide(s, k, to_tile);
    LLVMBuildBr(g->b, moved);
    gen_place(g, apart);
    move_each(s, k, to_tile);
    end_if(g, moved);
    if (to_tile)
        gpu(g)->barrier(g);
}

/* The thread's unit i. */
static void load_unit(struct scan *s, unsigned i, LLVMValueRef *x) {
    struct gen *g = s->f->g;
    LLVMValueRef unit = fold_load_unit(g, s->f->d, s->width, unit_at(s, i));
    for (unsigned j = 0; j < s->width; j++)
        x[j] = fold_unit_element(g, s->f->d, unit, j);
}

/* ---- within a tile */

/* Sets before[i] to the join of all elements of the tile before the thread's unit i; gives the join
 * of all elements.  Each of the tile's WARP_TOTALS warps' units has its place in s->totals, in
 * order. */
static LLVMValueRef join_units(struct scan *s, struct acc *before) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false), first;
    first = multiply(g, warp_of(g, s->thread), i32(g, UFC_SCAN_UNITS));
    LLVMValueRef warps_last = compare(g, LLVMIntEQ, s->lane, i32(g, WARP - 1));
    LLVMValueRef up_to[UFC_SCAN_UNITS], one = i32(g, 1), all = i32(g, UINT32_MAX);
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        LLVMValueRef x[MAX_WIDTH];
        load_unit(s, i, x);
        up_to[i] = x[0];
        for (unsigned j = 1; j < s->width; j++)
            up_to[i] = fold_apply(f, up_to[i], x[j]);
    }
    for (unsigned by = 1; by < WARP; by *= 2)
        for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
            LLVMValueRef other = gen_shuffle(g, SHUFFLE_UP, all, up_to[i], i32(g, by));
            LLVMValueRef has = compare(g, LLVMIntUGE, s->lane, i32(g, by));
            up_to[i] = gen_select(g, has, fold_apply(f, other, up_to[i]), up_to[i]);
        }
    LLVMBasicBlockRef after = begin_if(g, warps_last);
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++)
        store_shared(s, up_to[i], s->totals, add(g, first, i32(g, i)));
    end_if(g, after);
    gpu(g)->barrier(g);
    struct acc totals = {load_shared(s, s->totals, s->lane), yes};
    totals = fold_join_lanes(f, totals, SHUFFLE_UP, s->lane, i32(g, WARP));
    for (unsigned i = 0; i < UFC_SCAN_UNITS; i++) {
        LLVMValueRef number = add(g, first, i32(g, i));
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
        LLVMValueRef x[MAX_WIDTH];
        struct acc acc = fold_join(f, carry, before[i]);
        load_unit(s, i, x);
        for (unsigned j = 0; j < s->width; j++) {
            acc = fold_apply_to(f, acc, x[j]);
            x[j] = acc.value;
        }
        fold_store_unit(f->g, f->d, s->width, x, unit_at(s, i));
    }
}

/* ---- between blocks */

/* The words of an entry of the workspace: each has bits of the value beside a flag, and is read and
 * written at once. */
static unsigned words_of(const struct scan *s) {
    return s->size <= 4 ? 1 : s->size / 4;
}

static LLVMTypeRef bits_type(const struct scan *s) {
    unsigned bits = s->f->d == DT_BOOL ? 1 : s->size * 8;
    return LLVMIntTypeInContext(s->f->g->context, bits);
}

static LLVMValueRef word_at(struct scan *s, LLVMValueRef number, unsigned word) {
    struct gen *g = s->f->g;
    LLVMValueRef at = i64(g, (uint64_t)ufc_scan_entry(s->size));
    at = multiply(g, extended(g, number), at);
    at = add(g, add(g, param_i64(g, AT(carry)), at), i64(g, 8 * word));
    return global_pointer(g, at);
}

static void publish(struct scan *s, LLVMValueRef number, LLVMValueRef value) {
    struct gen *g = s->f->g;
    LLVMTypeRef wide = LLVMIntTypeInContext(g->context, s->size > 4 ? s->size * 8 : 64);
    value = LLVMBuildZExtOrBitCast(g->b, LLVMBuildBitCast(g->b, value, bits_type(s), ""), wide, "");
    for (unsigned i = 0; i < words_of(s); i++) {
        LLVMValueRef v = LLVMBuildLShr(g->b, value, LLVMConstInt(wide, 32 * i, false), "");
        v = LLVMBuildShl(g->b, LLVMBuildTruncOrBitCast(g->b, v, i64_type(g), ""), i64(g, 32), "");
        v = LLVMBuildStore(g->b, LLVMBuildOr(g->b, v, i64(g, 1), ""), word_at(s, number, i));
        LLVMSetVolatile(v, true);
    }
}

/* Waits for an entry to be published; gives its value. */
static LLVMValueRef wait_for(struct scan *s, LLVMValueRef number) {
    enum { MOST = 4 };
    struct gen *g = s->f->g;
    LLVMTypeRef wide = LLVMIntTypeInContext(g->context, s->size > 4 ? s->size * 8 : 64);
    LLVMValueRef word[MOST], there = i64(g, 1), value = LLVMConstNull(wide);
    LLVMBasicBlockRef wait = gen_block(g, "wait"), found = gen_block(g, "found");
    LLVMBuildBr(g->b, wait);
    gen_place(g, wait);
    for (unsigned i = 0; i < words_of(s); i++) {
        word[i] = LLVMBuildLoad2(g->b, i64_type(g), word_at(s, number, i), "");
        LLVMSetVolatile(word[i], true);
        there = both(g, there, word[i]);
    }
    LLVMBuildCondBr(g->b, is_set(g, there), found, wait);
    gen_place(g, found);
    for (unsigned i = 0; i < words_of(s); i++) {
        LLVMValueRef v = LLVMBuildLShr(g->b, word[i], i64(g, 32), "");
        v = LLVMBuildZExtOrBitCast(g->b, v, wide, "");
        v = LLVMBuildShl(g->b, v, LLVMConstInt(wide, 32 * i, false), "");
        value = LLVMBuildOr(g->b, value, v, "");
    }
    value = LLVMBuildTruncOrBitCast(g->b, value, bits_type(s), "");
    return LLVMBuildBitCast(g->b, value, gen_type(g, s->f->d), "");
}

/* The join of the warp's entries, for its first lane. */
static struct acc join_entries(struct scan *s, const struct entries *e) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMValueRef none = LLVMConstNull(gen_type(g, f->d));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, e->has);
    LLVMValueRef v = wait_for(s, e->thread);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    v = phi2(g, here, none, then, v);
    return fold_join_lanes(f, (struct acc){v, e->has}, SHUFFLE_DOWN, s->lane, i32(g, WARP));
}

/* Publishes an entry, where (i1) holds. */
static void publish_where(struct scan *s, LLVMValueRef where, LLVMValueRef number, struct acc acc) {
    LLVMBasicBlockRef after = begin_if(s->f->g, where);
    publish(s, number, acc.value);
    end_if(s->f->g, after);
}

/* The result of all tiles before that from element k of the line on, whose total is `total`; carry:
 * the initial element, in the first tile. */
static struct acc look_back(struct scan *s, LLVMValueRef k, struct acc carry, LLVMValueRef total) {
    struct fold *f = s->f;
    struct gen *g = f->g;
    LLVMTypeRef word = i32_type(g);
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMValueRef is_first = gen_not(g, is_set(g, s->thread));
    /* Its number by k, not the segment's, which would be in a register before it is needed. */
    LLVMValueRef tile = LLVMBuildUDiv(g->b, k, i64(g, tile_elements(s)), "");
    const struct tiles t = {
        .tile = LLVMBuildTrunc(g->b, tile, word, ""),
        .number = LLVMBuildTrunc(g->b, param_i64(g, AT(segments)), word, ""),
        .line = LLVMBuildTrunc(g->b, f->line, word, ""),
        .lines = LLVMBuildTrunc(g->b, f->lines, word, ""),
    };
    struct entries e = find_tile_entries(g, &t, s->thread);
    struct acc own = fold_join(f, carry, (struct acc){total, yes});
    publish_where(s, is_first, e.own, own);
    struct acc joined = join_entries(s, &e);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, s->lane, i32(g, 0)));
    store_shared(s, joined.value, s->before, warp_of(g, s->thread));
    end_if(g, after);
    gpu(g)->barrier(g);
    struct acc before = carry;
    for (unsigned i = 0; i < WARPS; i++) {
        LLVMValueRef has = compare(g, LLVMIntULT, i32(g, i * WARP), e.n);
        before = fold_join(f, before, (struct acc){load_shared(s, s->before, i32(g, i)), has});
    }
    publish_where(s, both(g, is_first, e.ends), e.region,
                  fold_join(f, before, (struct acc){total, yes}));
    return before;
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
    s.before = shared_array(g, s.memory, WARPS, 16, "before");
    fold_find_segment(f, gpu(g)->id(g, BLOCK_ID));
    fold_find_line(f, f->segment, s.line);
    struct acc carry = fold_begin_acc(f, yes), before[UFC_SCAN_UNITS];
    LLVMValueRef wide = is_wide(&s), whole = i64(g, tile_elements(&s));
    LLVMValueRef first[] = {f->begin, carry.value, carry.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    LLVMValueRef next_k = add(g, l.phi[0], whole);
    LLVMValueRef is_whole = both(g, wide, compare(g, LLVMIntSLE, next_k, f->end));
    move_tile(&s, l.phi[0], is_whole, true);
    carry = (struct acc){l.phi[1], l.phi[2]};
    LLVMValueRef total = join_units(&s, before);
    /* There are several tiles.  No k is negative: so it is asked here, not once for the loop. */
    LLVMValueRef none = LLVMBuildAShr(g->b, l.phi[0], i64(g, 63), "");
    LLVMValueRef several = is_set(g, LLVMBuildOr(g->b, param_i64(g, AT(carry)), none, ""));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, several);
    struct acc found = look_back(&s, l.phi[0], carry, total);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    struct acc own = {phi2(g, here, carry.value, then, found.value),
                      phi2(g, here, carry.has, then, found.has)};
    accumulate(&s, own, before);
    move_tile(&s, l.phi[0], is_whole, false);
    carry = fold_join(f, own, (struct acc){total, yes});
    LLVMValueRef next[] = {next_k, carry.value, yes};
    loop_end(g, &l, next);
    LLVMBuildRetVoid(g->b);
}
