/* deal_ragged.c: DEAL's iterations that have ranges of their own, whose turns deal out entries. The
 * warps of all blocks have neighbouring iterations each; they add up the lengths of these, and then
 * what those before have together, so that for each iteration is known which turn is its first.  A
 * thread finds the iteration of a turn there, among those that its warp's turns in a lot are of. */
#include "gufunc.h"

/* ---- what is found */

/* The warp's number in the call, and how many there are: i64. */
static LLVMValueRef own_warp(const struct dealing *x) {
    struct gen *g = x->g;
    return extended(g, add(g, multiply(g, g->threads->block, x->warps), x->warp));
}

static LLVMValueRef all_warps(const struct dealing *x) {
    return extended(x->g, multiply(x->g, x->g->threads->blocks, x->warps));
}

/* The address of what is found of an iteration, or behind these of a warp. */
static LLVMValueRef begin_at(const struct dealing *x, LLVMValueRef row) {
    return add(x->g, x->begins, multiply(x->g, row, i64(x->g, 8)));
}

static LLVMValueRef sum_at(const struct dealing *x, LLVMValueRef warp) {
    return begin_at(x, add(x->g, x->nest.total, warp));
}

LLVMValueRef deal_begins_bytes(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef all = multiply(g, add(g, x->nest.total, all_warps(x)), i64(g, 8));
    return both(g, add(g, all, i64(g, 15)), i64(g, (uint64_t)-16));
}

/* The first of the warp's iterations; *end: behind the last one. */
static LLVMValueRef find_rows(const struct dealing *x, LLVMValueRef *end) {
    struct gen *g = x->g;
    LLVMValueRef rows = x->nest.total, warps = all_warps(x);
    LLVMValueRef each = add(g, rows, subtract(g, warps, i64(g, 1)));
    each = LLVMBuildUDiv(g->b, each, warps, "");
    LLVMValueRef first = least(g, multiply(g, own_warp(x), each), rows);
    *end = least(g, add(g, first, each), rows);
    return first;
}

/* ---- turns of iterations */

/* The turns of an iteration of number `row`, i64; 0 where it has none, since it is not `there`. */
static LLVMValueRef find_length(const struct dealing *x, LLVMValueRef row, LLVMValueRef there) {
    struct gen *g = x->g;
    LLVMValueRef slot = var_of(g, x->d->length)->slot;
    LLVMBuildStore(g->b, i64(g, 0), slot);
    LLVMBasicBlockRef after = begin_if(g, there);
    deal_set_indices(x, row);
    gen_stmts(g, x->d->lengths);
    end_if(g, after);
    return LLVMBuildLoad2(g->b, i64_type(g), slot, "");
}

static LLVMValueRef of_last_lane(struct gen *g, LLVMValueRef v) {
    return gen_from_lane(g, v, i32(g, WARP - 1));
}

/* Adds up the lengths of the warp's iterations. */
static void add_lengths(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef end, first = find_rows(x, &end), begin[] = {first, i64(g, 0)};
    struct loop l;
    loop_begin(g, &l, 2, begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    LLVMValueRef row = add(g, l.phi[0], extended(g, x->lane));
    LLVMValueRef there = compare(g, LLVMIntSLT, row, end), own = find_length(x, row, there);
    LLVMValueRef upto = add(g, l.phi[1], gen_sum_lanes(g, own, x->lane));
    LLVMBasicBlockRef after = begin_if(g, there);
    store_element(g, DT_INT64, subtract(g, upto, own), begin_at(x, row));
    end_if(g, after);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, WARP)), of_last_lane(g, upto)};
    loop_end(g, &l, next);
    after = begin_if(g, compare(g, LLVMIntEQ, x->lane, i32(g, 0)));
    store_element(g, DT_INT64, l.phi[1], sum_at(x, own_warp(x)));
    end_if(g, after);
}

/* What the iterations of warps before this one have together; *all: those of all warps. */
static LLVMValueRef add_warps(const struct dealing *x, LLVMValueRef *all) {
    struct gen *g = x->g;
    LLVMValueRef zero = i64(g, 0), begin[] = {extended(g, x->lane), zero, zero};
    struct loop l;
    loop_begin(g, &l, 3, begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], all_warps(x)));
    LLVMValueRef sum = deal_load(x, DT_INT64, sum_at(x, l.phi[0]));
    LLVMValueRef before = compare(g, LLVMIntSLT, l.phi[0], own_warp(x));
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, WARP)), add(g, l.phi[1], sum),
                           add(g, l.phi[2], gen_select(g, before, sum, zero))};
    loop_end(g, &l, next);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    *all = of_last_lane(g, gen_sum_lanes(g, l.phi[1], x->lane));
    return of_last_lane(g, gen_sum_lanes(g, l.phi[2], x->lane));
}

void deal_find_turns(struct dealing *x) {
    struct gen *g = x->g;
    x->low = gen_alloca(g, i64_type(g), "low");
    x->high = gen_alloca(g, i64_type(g), "high");
    LLVMBuildStore(g->b, i64(g, 0), x->low);
    LLVMBuildStore(g->b, x->nest.total, x->high);
    add_lengths(x);
    deal_meet(g);
    LLVMValueRef before = add_warps(x, &x->total), end, first = find_rows(x, &end);
    LLVMValueRef begin = add(g, first, extended(g, x->lane));
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    LLVMValueRef at = begin_at(x, l.phi[0]);
    store_element(g, DT_INT64, add(g, deal_load(x, DT_INT64, at), before), at);
    LLVMValueRef next = add(g, l.phi[0], i64(g, WARP));
    loop_end(g, &l, &next);
    deal_meet(g);
}

/* Of the iterations from `low` on, before `high`, the last one that begins at a turn or before it.
 */
static LLVMValueRef find_row(const struct dealing *x, LLVMValueRef number, LLVMValueRef low,
                             LLVMValueRef high) {
    struct gen *g = x->g;
    LLVMValueRef one = i64(g, 1), begin[] = {low, high};
    struct loop l;
    loop_begin(g, &l, 2, begin);
    loop_while(g, &l, compare(g, LLVMIntSGT, subtract(g, l.phi[1], l.phi[0]), one));
    LLVMValueRef middle = LLVMBuildLShr(g->b, add(g, l.phi[0], l.phi[1]), one, "");
    LLVMValueRef first = deal_load(x, DT_INT64, begin_at(x, middle));
    LLVMValueRef behind = compare(g, LLVMIntSLE, first, number);
    LLVMValueRef next[] = {gen_select(g, behind, middle, l.phi[0]),
                           gen_select(g, behind, l.phi[1], middle)};
    loop_end(g, &l, next);
    return l.phi[0];
}

void deal_find_range(struct dealing *x, LLVMValueRef first, LLVMValueRef end) {
    struct gen *g = x->g;
    LLVMValueRef one = i32(g, 1), last = subtract(g, end, one);
    last = gen_select(g, compare(g, LLVMIntULT, first, end), last, first);
    LLVMValueRef odd = is_set(g, both(g, x->lane, one)), number = gen_select(g, odd, last, first);
    LLVMValueRef row = find_row(x, add(g, x->tile, extended(g, number)), i64(g, 0), x->nest.total);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    LLVMBuildStore(g->b, gen_from_lane(g, row, i32(g, 0)), x->low);
    LLVMBuildStore(g->b, add(g, gen_from_lane(g, row, one), i64(g, 1)), x->high);
}

void deal_set_turn(const struct dealing *x, LLVMValueRef number) {
    struct gen *g = x->g;
    LLVMValueRef low = LLVMBuildLoad2(g->b, i64_type(g), x->low, "");
    LLVMValueRef high = LLVMBuildLoad2(g->b, i64_type(g), x->high, "");
    LLVMValueRef row = find_row(x, number, low, high);
    LLVMValueRef turn = subtract(g, number, deal_load(x, DT_INT64, begin_at(x, row)));
    LLVMBuildStore(g->b, turn, var_of(g, x->d->turn)->slot);
    deal_set_indices(x, row);
}
