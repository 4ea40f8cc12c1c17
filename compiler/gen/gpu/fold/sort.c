/* sort.c: the kernel SORT, which makes the keys of indices and sorts them by their rows.
 *
 * Keys are made in the order of their numbers, and each pass over a digit of the rows keeps the
 * order of keys that have the same, so that no pass over the numbers is needed. */
#include "fold.h"

enum {
    DIGITS = 1 << UFC_SORT_BITS, /* values of a digit, at most */
    AHEAD = 4,                   /* keys of a lane that are loaded at once */
    BASES = WARPS * DIGITS,      /* places in shared memory, in words: of numbers of each digit, */
    TOTALS = BASES + DIGITS,     /* and of each warp's sum */
};
_Static_assert((int)DIGITS == (int)BLOCK_THREADS,
               "a block's threads scan the totals of all digits");
_Static_assert((int)TOTALS + (int)WARPS <= 2 * UFC_SORT_KEYS, "keys take more room");

struct sort {
    struct gen *g;
    LLVMValueRef room;               /* in shared memory: UFC_SORT_KEYS keys, or words */
    LLVMValueRef thread, lane, warp; /* i32 */
};

/* ---- the keys */

static LLVMValueRef element_at(struct gen *g, LLVMValueRef array, LLVMValueRef index,
                               uint64_t size) {
    return add(g, array, multiply(g, index, i64(g, size)));
}

/* Key `index`, i64, in memory. */
static LLVMValueRef key_at(struct gen *g, LLVMValueRef index) {
    return element_at(g, param_i64(g, AT(keys)), index, sizeof(uint64_t));
}

/* The index at an address, i64, of the integer type that the parameter says. */
static LLVMValueRef load_index(struct gen *g, LLVMValueRef at) {
    LLVMBasicBlockRef wide = gen_block(g, "int64"), done = gen_block(g, "loaded");
    LLVMValueRef s = LLVMBuildSwitch(g->b, param_dtype(g, AT(in_dtype)), wide, DT_COUNT);
    gen_place(g, done);
    LLVMValueRef index = LLVMBuildPhi(g->b, i64_type(g), "");
    for (enum ufc_dtype d = 0; d < DT_COUNT; d++) {
        if (!is_integer(d) || d == DT_UINT64)
            continue;
        LLVMBasicBlockRef own = d == DT_INT64 ? wide : gen_block(g, dtype_info[d].name);
        if (own != wide)
            LLVMAddCase(s, i32(g, (uint32_t)d), own);
        gen_place(g, own);
        LLVMValueRef v =
            LLVMBuildIntCast2(g->b, load_element(g, d, at), i64_type(g), is_signed(d), "");
        LLVMAddIncoming(index, &v, &own, 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    return index;
}

static void note_index(struct gen *g, LLVMAtomicRMWBinOp op, size_t word, LLVMValueRef v) {
    LLVMValueRef at = add(g, param_i64(g, AT(carry)), i64(g, 8 * word));
    LLVMBuildAtomicRMW(g->b, op, global_pointer(g, at), v, LLVMAtomicOrderingMonotonic, false);
}

/* Makes the key of index number `t`. */
static void make_key(struct fold *f, LLVMValueRef t) {
    struct gen *g = f->g;
    LLVMValueRef at, line = param_i64(g, AT(in)), rows = param_i64(g, AT(rows));
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, t, param_i64(g, AT(length))));
    fold_find_element(f, t, &line, &at, 1);
    LLVMValueRef index = load_index(g, at);
    LLVMValueRef negative = compare(g, LLVMIntSLT, index, i64(g, 0));
    LLVMValueRef row = add(g, index, gen_select(g, negative, rows, i64(g, 0)));
    LLVMBasicBlockRef outside = begin_if(g, compare(g, LLVMIntUGE, row, rows));
    note_index(g, LLVMAtomicRMWBinOpMin, 0, index);
    note_index(g, LLVMAtomicRMWBinOpMax, 1, index);
    end_if(g, outside);
    LLVMBasicBlockRef alone = gen_block(g, "alone"), numbered = gen_block(g, "numbered");
    LLVMValueRef rows_alone = compare(g, LLVMIntEQ, param_i32(g, AT(job)), i32(g, UFC_SORT_ROWS));
    LLVMBuildCondBr(g->b, rows_alone, alone, numbered);
    gen_place(g, alone);
    LLVMValueRef place = add(g, param_i64(g, AT(keys)), multiply(g, t, i64(g, 4)));
    store_element(g, DT_UINT32, LLVMBuildTrunc(g->b, row, i32_type(g), ""), place);
    LLVMBuildBr(g->b, end);
    gen_place(g, numbered);
    LLVMValueRef key = LLVMBuildShl(g->b, row, param_i64(g, AT(shift)), "");
    store_element(g, DT_UINT64, LLVMBuildOr(g->b, key, t, ""), key_at(g, t));
    end_if(g, end);
}

/* ---- all in a block */

/* The two keys that thread `t` of a pass compares: in runs of `merged` keys those that are
 * `distance` apart, or, in a run's first pass, as far from its begin as from its end.  i32 all. */
static void find_pair(struct gen *g, LLVMValueRef t, LLVMValueRef merged, LLVMValueRef distance,
                      LLVMValueRef pair[2]) {
    LLVMValueRef two = LLVMBuildShl(g->b, distance, i32(g, 1), "");
    LLVMValueRef place = both(g, t, subtract(g, distance, i32(g, 1)));
    LLVMValueRef begin = LLVMBuildShl(g->b, subtract(g, t, place), i32(g, 1), "");
    LLVMValueRef mirrored = subtract(g, subtract(g, two, i32(g, 1)), place);
    LLVMValueRef first = compare(g, LLVMIntEQ, two, merged);
    pair[0] = add(g, begin, place);
    pair[1] = add(g, begin, gen_select(g, first, mirrored, add(g, place, distance)));
}

static void order_keys(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = LLVMBuildLoad2(g->b, i64_type(g), a, "");
    LLVMValueRef y = LLVMBuildLoad2(g->b, i64_type(g), b, "");
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, x, y));
    LLVMBuildStore(g->b, y, a);
    LLVMBuildStore(g->b, x, b);
    end_if(g, after);
}

/* Key `index`, i32, of the block's. */
static LLVMValueRef shared_key(const struct sort *s, LLVMValueRef index) {
    return fold_shared_at(s->g, s->room, i64_type(s->g), index);
}

/* Copies the keys to shared memory, or back.  What would be behind the last one is above all. */
static void copy_keys(const struct sort *s, bool back) {
    struct gen *g = s->g;
    for (uint32_t k = 0; k < UFC_SORT_KEYS; k += BLOCK_THREADS) {
        LLVMValueRef own = add(g, s->thread, i32(g, k)), index = extended(g, own);
        LLVMValueRef there = compare(g, LLVMIntULT, index, param_i64(g, AT(length)));
        LLVMValueRef near = shared_key(s, own);
        if (!back)
            LLVMBuildStore(g->b, i64(g, UINT64_MAX), near);
        LLVMBasicBlockRef after = begin_if(g, there);
        LLVMValueRef far = global_pointer(g, key_at(g, index));
        LLVMValueRef v = LLVMBuildLoad2(g->b, i64_type(g), back ? near : far, "");
        LLVMBuildStore(g->b, v, back ? far : near);
        end_if(g, after);
    }
}

/* All passes of a merge to runs of `merged` keys. */
static void merge_runs(const struct sort *s, LLVMValueRef merged) {
    struct gen *g = s->g;
    struct loop l;
    LLVMValueRef half = LLVMBuildLShr(g->b, merged, i32(g, 1), "");
    loop_begin(g, &l, 1, &half);
    l.keep = true;
    loop_while(g, &l, is_set(g, l.phi[0]));
    for (uint32_t k = 0; k < UFC_SORT_KEYS / 2; k += BLOCK_THREADS) {
        LLVMValueRef pair[2];
        find_pair(g, add(g, s->thread, i32(g, k)), merged, l.phi[0], pair);
        order_keys(g, shared_key(s, pair[0]), shared_key(s, pair[1]));
    }
    gpu(g)->barrier(g);
    LLVMValueRef next = LLVMBuildLShr(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
}

/* Sorts up to UFC_SORT_KEYS keys by merging runs, bitonically, as all threads do the same. */
static void sort_in_block(const struct sort *s) {
    struct gen *g = s->g;
    copy_keys(s, false);
    gpu(g)->barrier(g);
    struct loop l;
    LLVMValueRef two = i32(g, 2);
    loop_begin(g, &l, 1, &two);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULE, l.phi[0], i32(g, UFC_SORT_KEYS)));
    merge_runs(s, l.phi[0]);
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
    copy_keys(s, true);
}

/* ---- by a digit */

/* Word `index`, i32, of the block's. */
static LLVMValueRef word(const struct sort *s, LLVMValueRef index) {
    return fold_shared_at(s->g, s->room, i32_type(s->g), index);
}

static LLVMValueRef load_word(const struct sort *s, LLVMValueRef index) {
    return LLVMBuildLoad2(s->g->b, i32_type(s->g), word(s, index), "");
}

/* The warp's number of keys of a digit, i32, in shared memory. */
static LLVMValueRef counter(const struct sort *s, LLVMValueRef warp, LLVMValueRef digit) {
    return word(s, add(s->g, multiply(s->g, warp, i32(s->g, DIGITS)), digit));
}

/* How many values a digit has, i32. */
static LLVMValueRef digits(struct gen *g) {
    LLVMValueRef bits = LLVMBuildTrunc(g->b, param_i64(g, AT(lane)), i32_type(g), "");
    return LLVMBuildShl(g->b, i32(g, 1), bits, "");
}

/* The key's digit, i32. */
static LLVMValueRef digit_of(struct gen *g, LLVMValueRef key) {
    LLVMValueRef low = LLVMBuildLShr(g->b, key, param_i64(g, AT(unit)), "");
    return both(g, LLVMBuildTrunc(g->b, low, i32_type(g), ""), subtract(g, digits(g), i32(g, 1)));
}

/* Where the number of a segment's keys of a digit is, in memory; that of all segments' is behind
 * those of all digits.  digit: i32; segment: i64. */
static LLVMValueRef count_at(struct gen *g, LLVMValueRef digit, LLVMValueRef segment) {
    LLVMValueRef row = multiply(g, extended(g, digit), param_i64(g, AT(segments)));
    return element_at(g, param_i64(g, AT(carry)), add(g, row, segment), sizeof(uint32_t));
}

static LLVMValueRef total_at(struct gen *g, LLVMValueRef digit) {
    return count_at(g, digits(g), extended(g, digit));
}

/* The sum of v, i32, of the block's threads before this one.  total: of all. */
static LLVMValueRef scan_block(const struct sort *s, LLVMValueRef v, LLVMValueRef *total) {
    struct gen *g = s->g;
    LLVMValueRef sum = gen_sum_lanes(g, v, s->lane), before = i32(g, 0), all = i32(g, 0);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, s->lane, i32(g, WARP - 1)));
    LLVMBuildStore(g->b, sum, word(s, add(g, s->warp, i32(g, TOTALS))));
    end_if(g, after);
    gpu(g)->barrier(g);
    for (uint32_t w = 0; w < WARPS; w++) {
        LLVMValueRef its = load_word(s, i32(g, TOTALS + w));
        LLVMValueRef is_before = compare(g, LLVMIntUGT, s->warp, i32(g, w));
        before = add(g, before, gen_select(g, is_before, its, i32(g, 0)));
        all = add(g, all, its);
    }
    gpu(g)->barrier(g); /* before the next scan stores sums */
    *total = all;
    return add(g, before, subtract(g, sum, v));
}

/* What the warps of the block do with a digit's number: sets it to 0, or what is in memory, behind
 * keys of smaller digits; or stores it in memory. */
enum counted { CLEARED, LOADED, STORED };

/* Does it with all of the block's.  Neighbouring threads have neighbouring segments' numbers. */
static void move_counts(const struct sort *s, enum counted counted) {
    struct gen *g = s->g;
    struct loop l;
    LLVMValueRef all = multiply(g, digits(g), i32(g, WARPS)), first = s->thread;
    LLVMValueRef block = multiply(g, gpu(g)->id(g, BLOCK_ID), i32(g, WARPS));
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], all));
    LLVMValueRef warp = both(g, l.phi[0], i32(g, WARPS - 1));
    LLVMValueRef digit = LLVMBuildLShr(g->b, l.phi[0], i32(g, __builtin_ctz(WARPS)), "");
    LLVMValueRef near = counter(s, warp, digit), v = i32(g, 0);
    LLVMValueRef far = count_at(g, digit, extended(g, add(g, block, warp)));
    if (counted == STORED)
        store_element(g, DT_UINT32, LLVMBuildLoad2(g->b, i32_type(g), near, ""), far);
    else if (counted == LOADED)
        v = add(g, load_element(g, DT_UINT32, far), load_word(s, add(g, digit, i32(g, BASES))));
    if (counted != STORED)
        LLVMBuildStore(g->b, v, near);
    LLVMValueRef next = add(g, l.phi[0], i32(g, BLOCK_THREADS));
    loop_end(g, &l, &next);
    gpu(g)->barrier(g);
}

/* Gives a key the next place of its digit, those of several lanes in their order.  there: i1, the
 * lane has one. */
static void place_key(const struct sort *s, LLVMValueRef key, LLVMValueRef there) {
    struct gen *g = s->g;
    LLVMValueRef digit = digit_of(g, key), next = counter(s, s->warp, digit);
    LLVMValueRef mates = gpu(g)->match(g, gen_select(g, there, digit, i32(g, UINT32_MAX)));
    LLVMValueRef bit = LLVMBuildShl(g->b, i32(g, 1), s->lane, "");
    LLVMValueRef lower = both(g, mates, subtract(g, bit, i32(g, 1)));
    LLVMValueRef before = gen_intrinsic(g, "ctpop", NULL, &lower, 1);
    LLVMValueRef place = LLVMBuildLoad2(g->b, i32_type(g), next, "");
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX)); /* all have read it */
    LLVMBasicBlockRef after = begin_if(g, there);
    LLVMValueRef to = extended(g, add(g, place, before));
    store_element(g, DT_UINT64, key, element_at(g, param_i64(g, AT(sorted)), to, sizeof(uint64_t)));
    LLVMBasicBlockRef led = begin_if(g, gen_not(g, is_set(g, before)));
    LLVMBuildStore(g->b, add(g, place, gen_intrinsic(g, "ctpop", NULL, &mates, 1)), next);
    end_if(g, led);
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
}

static void count_key(const struct sort *s, LLVMValueRef key, LLVMValueRef there) {
    struct gen *g = s->g;
    LLVMBasicBlockRef after = begin_if(g, there);
    LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpAdd, counter(s, s->warp, digit_of(g, key)),
                       i32(g, 1), LLVMAtomicOrderingMonotonic, false);
    end_if(g, after);
}

/* Goes through the keys of the warp's segment.  All lanes go on as long as one has a key. */
static void walk_segment(const struct sort *s,
                         void (*take)(const struct sort *s, LLVMValueRef key, LLVMValueRef there)) {
    struct gen *g = s->g;
    LLVMValueRef number = multiply(g, gpu(g)->id(g, BLOCK_ID), i32(g, WARPS));
    LLVMValueRef begin = extended(g, add(g, number, s->warp)), piece = param_i64(g, AT(piece));
    begin = multiply(g, begin, piece);
    LLVMValueRef end = least(g, add(g, begin, piece), param_i64(g, AT(length)));
    LLVMValueRef last = subtract(g, end, i64(g, 1)), key[AHEAD], there[AHEAD];
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    for (uint32_t i = 0; i < AHEAD; i++) {
        LLVMValueRef own = add(g, l.phi[0], extended(g, add(g, s->lane, i32(g, i * WARP))));
        there[i] = compare(g, LLVMIntSLT, own, end);
        key[i] = load_element(g, DT_UINT64, key_at(g, least(g, own, last)));
    }
    for (uint32_t i = 0; i < AHEAD; i++)
        take(s, key[i], there[i]);
    LLVMValueRef next = add(g, l.phi[0], i64(g, AHEAD * WARP));
    loop_end(g, &l, &next);
}

static void count_keys(const struct sort *s) {
    move_counts(s, CLEARED);
    walk_segment(s, count_key);
    gpu(s->g)->barrier(s->g);
    move_counts(s, STORED);
}

/* A block has the numbers of all segments' keys of a digit; each becomes that of those before. */
static void scan_counts(const struct sort *s) {
    struct gen *g = s->g;
    LLVMValueRef digit = gpu(g)->id(g, BLOCK_ID), segments = param_i64(g, AT(segments)), total;
    struct loop l;
    loop_begin(g, &l, 2, (LLVMValueRef[]){i64(g, 0), i32(g, 0)});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], segments));
    LLVMValueRef own = add(g, l.phi[0], extended(g, s->thread));
    LLVMValueRef there = compare(g, LLVMIntSLT, own, segments);
    LLVMValueRef last = subtract(g, segments, i64(g, 1));
    LLVMValueRef v = load_element(g, DT_UINT32, count_at(g, digit, least(g, own, last)));
    LLVMValueRef before = scan_block(s, gen_select(g, there, v, i32(g, 0)), &total);
    LLVMBasicBlockRef after = begin_if(g, there);
    store_element(g, DT_UINT32, add(g, l.phi[1], before), count_at(g, digit, own));
    end_if(g, after);
    loop_end(g, &l,
             (LLVMValueRef[]){add(g, l.phi[0], i64(g, BLOCK_THREADS)), add(g, l.phi[1], total)});
    after = begin_if(g, gen_not(g, is_set(g, s->thread)));
    store_element(g, DT_UINT32, l.phi[1], total_at(g, digit));
    end_if(g, after);
}

static void place_keys(const struct sort *s) {
    struct gen *g = s->g;
    LLVMValueRef there = compare(g, LLVMIntULT, s->thread, digits(g)), total;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, there);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef its = load_element(g, DT_UINT32, total_at(g, s->thread));
    end_if(g, after);
    LLVMValueRef before = scan_block(s, phi2(g, here, i32(g, 0), then, its), &total);
    LLVMBuildStore(g->b, before, word(s, add(g, s->thread, i32(g, BASES))));
    gpu(g)->barrier(g);
    move_counts(s, LOADED);
    walk_segment(s, place_key);
}

void gen_sort_kernel(struct fold *f) {
    static void (*const job[])(const struct sort *s) = {[UFC_SORT_BLOCK] = sort_in_block,
                                                        [UFC_SORT_COUNT] = count_keys,
                                                        [UFC_SORT_SCAN] = scan_counts,
                                                        [UFC_SORT_PLACE] = place_keys};
    struct gen *g = f->g;
    struct sort s = {.g = g, .thread = gpu(g)->id(g, THREAD_ID)};
    s.lane = lane_of(g, s.thread);
    s.warp = warp_of(g, s.thread);
    s.room = shared_array(g, i64_type(g), UFC_SORT_KEYS, 8, "room");
    LLVMBasicBlockRef make = gen_block(g, "make"), end = gen_block(g, "end");
    LLVMValueRef number = extended(g, gen_thread_number(g));
    LLVMValueRef jobs = LLVMBuildSwitch(g->b, param_i32(g, AT(job)), make, UFC_SORT_JOBS);
    for (uint32_t i = UFC_SORT_BLOCK; i < UFC_SORT_JOBS; i++) {
        LLVMBasicBlockRef own = gen_block(g, "job");
        LLVMAddCase(jobs, i32(g, i), own);
        gen_place(g, own);
        job[i](&s);
        LLVMBuildBr(g->b, end);
    }
    gen_place(g, make);
    make_key(f, number);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
}
