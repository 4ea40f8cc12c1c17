/* tree.c: the GPU kernel TREE.  A block's threads, or some threads of a warp, reduce a segment of a
 * line; their partial results are joined in order, by shuffles within a warp and through shared
 * memory between warps. */
#include "fold.h"

struct acc fold_join(struct fold *f, struct acc a, struct acc b) {
    struct gen *g = f->g;
    LLVMValueRef v = gen_select(g, b.has, fold_apply(f, a.value, b.value), a.value);
    return (struct acc){gen_select(g, a.has, v, b.value), LLVMBuildOr(g->b, a.has, b.has, "")};
}

struct acc fold_shuffle(struct gen *g, enum shuffle way, struct acc acc, LLVMValueRef by) {
    LLVMValueRef all = i32(g, UINT32_MAX);
    return (struct acc){gen_shuffle(g, way, all, acc.value, by),
                        gen_shuffle(g, way, all, acc.has, by)};
}

struct acc fold_join_lanes(struct fold *f, struct acc acc, enum shuffle way, LLVMValueRef lane,
                           LLVMValueRef lanes) {
    struct gen *g = f->g;
    struct loop l;
    LLVMValueRef first[] = {i32(g, 1), acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], lanes));
    struct acc own = {l.phi[1], l.phi[2]}, joined;
    struct acc other = fold_shuffle(g, way, own, l.phi[0]);
    if (way == SHUFFLE_UP) {
        other.has = both(g, other.has, compare(g, LLVMIntUGE, lane, l.phi[0]));
        joined = fold_join(f, other, own);
    } else {
        joined = fold_join(f, own, other);
    }
    LLVMValueRef next[] = {LLVMBuildShl(g->b, l.phi[0], i32(g, 1), ""), joined.value, joined.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

LLVMValueRef fold_shared_at(struct gen *g, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, type, array, &index, 1, "");
}

/* Passes the accs of the warps' first lanes through shared memory: lane w of each warp gets the acc
 * of warp w. */
static struct acc exchange(struct fold *f, struct acc acc, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef values = shared_array(g, memory, WARPS, 8, "warp_value"),
                 has = shared_array(g, byte, WARPS, 8, "warp_has");
    LLVMValueRef lane = lane_of(g, thread);
    LLVMValueRef warp = warp_of(g, thread);
    unsigned align = dtype_align(f->d);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, 0)));
    gen_store_element(g, memory, acc.value, fold_shared_at(g, values, memory, warp), align);
    gen_store_element(g, byte, acc.has, fold_shared_at(g, has, byte, warp), 1);
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef has_warp = compare(g, LLVMIntULT, lane, i32(g, WARPS));
    LLVMValueRef from = LLVMBuildAnd(g->b, lane, i32(g, WARPS - 1), "");
    struct acc r = {
        gen_load_element(g, f->d, memory, fold_shared_at(g, values, memory, from), align),
        gen_load_element(g, DT_BOOL, byte, fold_shared_at(g, has, byte, from), 1)};
    r.has = both(g, r.has, has_warp);
    return r;
}

/* A loop of up to two iterations, so that the body is there once. */
struct acc fold_join_group(struct fold *f, struct acc acc, LLVMValueRef thread,
                           LLVMValueRef group) {
    struct gen *g = f->g;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = gen_block(g, "join");
    LLVMBasicBlockRef again = gen_block(g, "exchange"), done = gen_block(g, "joined");
    LLVMValueRef yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMValueRef within = compare(g, LLVMIntULE, group, i32(g, WARP));
    LLVMValueRef lanes = gen_select(g, within, group, i32(g, WARP));
    LLVMBuildBr(g->b, head);
    gen_place(g, head);
    LLVMValueRef last = LLVMBuildPhi(g->b, i1_type(g), "");
    LLVMValueRef value = LLVMBuildPhi(g->b, LLVMTypeOf(acc.value), "");
    LLVMValueRef has = LLVMBuildPhi(g->b, i1_type(g), "");
    LLVMAddIncoming(last, &within, &before, 1);
    LLVMAddIncoming(value, &acc.value, &before, 1);
    LLVMAddIncoming(has, &acc.has, &before, 1);
    struct acc joined = fold_join_lanes(f, (struct acc){value, has}, SHUFFLE_DOWN, NULL, lanes);
    LLVMBuildCondBr(g->b, last, done, again);
    gen_place(g, again);
    struct acc next = exchange(f, joined, thread);
    again = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(last, &yes, &again, 1);
    LLVMAddIncoming(value, &next.value, &again, 1);
    LLVMAddIncoming(has, &next.has, &again, 1);
    LLVMBuildBr(g->b, head);
    gen_place(g, done);
    return joined;
}

/* ---- a thread's units of neighbouring elements */

/* The units that a thread takes: the first of them from k on, all before `end`.  unit and stride as
 * in the parameter; i64. */
struct units {
    LLVMValueRef k, end, unit, stride;
};

/* The next units, of `width` elements of dtype d each.  apart: bytes from an element to the next,
 * i64; NULL: they are neighbours, aligned to their size. */
struct access {
    enum ufc_dtype d;
    unsigned width;
    LLVMValueRef apart;
};

/* The units that are loaded before the first element is used. */
static unsigned units_ahead(const struct access *a) {
    return a->width * TREE_AHEAD <= TREE_COPIES ? TREE_AHEAD : TREE_COPIES / a->width;
}

/* Loads the elements of the units from element k on, converted to f->d.  in, where not NULL: gets
 * for each element whether it is before u->end; those that are not are read from k, which is. */
static void load_units(struct fold *f, const struct access *a, const LLVMValueRef *line,
                       const struct units *u, LLVMValueRef k, LLVMValueRef *x, LLVMValueRef *in) {
    struct gen *g = f->g;
    LLVMValueRef size = a->apart != NULL ? a->apart : i64(g, (unsigned)dtype_info[a->d].bits / 8);
    for (unsigned i = 0; i < units_ahead(a); i++) {
        LLVMValueRef first = add(g, k, multiply(g, u->stride, i64(g, i))), unit = NULL, here = NULL;
        for (unsigned j = 0; j < a->width; j++) {
            const bool whole = a->apart == NULL; /* all of a unit is there, or nothing */
            LLVMValueRef at = add(g, first, i64(g, j));
            if (in != NULL && (j == 0 || !whole)) {
                LLVMValueRef last = whole ? add(g, at, i64(g, a->width - 1)) : at;
                here = compare(g, LLVMIntSLT, last, u->end);
                at = gen_select(g, here, at, k);
            }
            if (in != NULL)
                in[i * a->width + j] = here;
            at = add(g, line[IN], multiply(g, at, size));
            if (whole && j == 0)
                unit = fold_load_unit(g, a->d, a->width, global_pointer(g, at));
            LLVMValueRef v =
                whole ? fold_unit_element(g, a->d, unit, j) : load_element(g, a->d, at);
            x[i * a->width + j] = gen_cast(g, v, a->d, f->d);
        }
    }
}

/* Combines acc with the elements of several units at a time, while there are so many, then with
 * those of the units that are left.  *k becomes the first element that is left. */
static struct acc take_ahead(struct fold *f, struct acc acc, const struct access *a,
                             const LLVMValueRef *line, const struct units *u, LLVMValueRef *k) {
    struct gen *g = f->g;
    const unsigned ahead = units_ahead(a), n = ahead * a->width;
    LLVMValueRef x[TREE_COPIES], in[TREE_COPIES];
    LLVMValueRef all = multiply(g, u->stride, i64(g, ahead));
    LLVMValueRef last = subtract(g, add(g, u->end, u->stride), add(g, all, i64(g, a->width)));
    struct loop l;
    LLVMValueRef first[] = {u->k, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[0], last));
    load_units(f, a, line, u, l.phi[0], x, NULL);
    acc = (struct acc){l.phi[1], l.phi[2]};
    for (unsigned i = 0; i < n; i++)
        acc = fold_apply_to(f, acc, x[i]);
    LLVMValueRef next[] = {add(g, l.phi[0], all), acc.value, acc.has};
    loop_end(g, &l, next);
    struct acc whole = {l.phi[1], l.phi[2]}, rest = whole;
    LLVMValueRef least_units = add(g, l.phi[0], i64(g, a->apart == NULL ? a->width - 1 : 0));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, least_units, u->end));
    load_units(f, a, line, u, l.phi[0], x, in);
    LLVMValueRef next_k = l.phi[0];
    for (unsigned i = 0; i < n; i++) {
        rest.value = gen_select(g, in[i], fold_apply_to(f, rest, x[i]).value, rest.value);
        rest.has = LLVMConstInt(i1_type(g), 1, false);
        if (i % a->width == a->width - 1)
            next_k = gen_select(g, in[i], add(g, next_k, u->stride), next_k);
    }
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    if (a->apart != NULL)
        next_k = u->end;
    end_if(g, after);
    *k = phi2(g, before, l.phi[0], here, next_k);
    return (struct acc){phi2(g, before, whole.value, here, rest.value),
                        phi2(g, before, whole.has, here, rest.has)};
}

/* Where ways to take elements meet again. */
struct taken {
    LLVMBasicBlockRef block;
    LLVMValueRef k;
    struct acc acc;
};

static void leave_for(struct fold *f, const struct taken *t, LLVMValueRef k, struct acc acc) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->g->b);
    LLVMAddIncoming(t->k, &k, &here, 1);
    LLVMAddIncoming(t->acc.value, &acc.value, &here, 1);
    LLVMAddIncoming(t->acc.has, &acc.has, &here, 1);
    LLVMBuildBr(f->g->b, t->block);
}

/* i1: the segment's elements, of dtype d, are neighbours, aligned as units. */
static LLVMValueRef are_neighbours(struct fold *f, enum ufc_dtype d, const LLVMValueRef *line) {
    struct gen *g = f->g;
    LLVMValueRef size = i64(g, (unsigned)dtype_info[d].bits / 8);
    LLVMValueRef at = add(g, line[IN], multiply(g, f->begin, size));
    LLVMValueRef rest = LLVMBuildAnd(g->b, at, i64(g, 15), "");
    return both(g, compare(g, LLVMIntEQ, param_i64(g, AT(in_inner)), size),
                compare(g, LLVMIntEQ, rest, i64(g, 0)));
}

/* Takes elements of dtype d, which lie along one axis, and leaves for t; or for `none`. */
static void take_dtype(struct fold *f, struct acc acc, enum ufc_dtype d, const LLVMValueRef *line,
                       const struct units *u, const struct taken *t, LLVMBasicBlockRef none) {
    struct gen *g = f->g;
    struct access a = {.d = d, .width = (unsigned)ufc_fold_unit(d)};
    LLVMBasicBlockRef wide = gen_block(g, "wide"), apart = d == f->d ? gen_block(g, "apart") : none;
    LLVMValueRef k;
    LLVMBuildCondBr(g->b, are_neighbours(f, d, line), wide, apart);
    gen_place(g, wide);
    struct acc taken = take_ahead(f, acc, &a, line, u, &k);
    leave_for(f, t, k, taken);
    if (d != f->d)
        return;
    gen_place(g, apart);
    a.apart = param_i64(g, AT(in_inner));
    taken = take_ahead(f, acc, &a, line, u, &k);
    leave_for(f, t, k, taken);
}

/* Takes whole units where the elements lie along one axis, without a mask, in the overload's type
 * or one that is computed in it.  u->k becomes the first element that is left. */
static struct acc take_whole_units(struct fold *f, struct acc acc, const LLVMValueRef *line,
                                   struct units *u) {
    struct gen *g = f->g;
    if (body_size(f->element) > SMALL_BODY)
        return acc;
    LLVMValueRef straight =
        both(g, gen_not(g, f->masked), compare(g, LLVMIntULE, param_i32(g, AT(ninner)), i32(g, 1)));
    LLVMBasicBlockRef some = gen_block(g, "some"), none = gen_block(g, "none");
    LLVMBuildCondBr(g->b, straight, some, none);
    struct taken t = {.block = gen_block(g, "taken")};
    gen_place(g, t.block);
    t.k = LLVMBuildPhi(g->b, i64_type(g), "");
    t.acc.value = LLVMBuildPhi(g->b, LLVMTypeOf(acc.value), "");
    t.acc.has = LLVMBuildPhi(g->b, i1_type(g), "");
    gen_place(g, none);
    leave_for(f, &t, u->k, acc);
    gen_place(g, some);
    LLVMValueRef which = LLVMBuildSwitch(g->b, param_dtype(g, AT(in_dtype)), none, DT_COUNT);
    for (enum ufc_dtype d = 0; d < DT_COUNT; d++)
        if (d == f->d || ufc_widens_to(d, f->d)) {
            LLVMBasicBlockRef of_dtype = gen_block(g, dtype_info[d].name);
            LLVMAddCase(which, i32(g, d), of_dtype);
            gen_place(g, of_dtype);
            take_dtype(f, acc, d, line, u, &t, none);
        }
    gen_place(g, t.block);
    u->k = t.k;
    return t.acc;
}

/* Takes the elements [k, end) of a unit one by one. */
static struct acc take_unit(struct fold *f, struct acc acc, const LLVMValueRef *line,
                            LLVMValueRef k, LLVMValueRef end) {
    struct gen *g = f->g;
    LLVMValueRef at[3], first[] = {k, acc.value, acc.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    fold_find_element(f, l.phi[0], line, at, 2);
    acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), acc.value, acc.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

static struct acc take_units(struct fold *f, struct acc acc, const LLVMValueRef *line,
                             struct units *u) {
    struct gen *g = f->g;
    acc = take_whole_units(f, acc, line, u);
    LLVMValueRef first[] = {u->k, acc.value, acc.has};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], u->end));
    LLVMValueRef end = least(g, add(g, l.phi[0], u->unit), u->end);
    acc = take_unit(f, (struct acc){l.phi[1], l.phi[2]}, line, l.phi[0], end);
    LLVMValueRef next[] = {add(g, l.phi[0], u->stride), acc.value, acc.has};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

/* ---- the kernel */

void gen_tree_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef thread = gpu(g)->id(g, THREAD_ID);
    LLVMValueRef group = param_i32(g, AT(group)), line[3];
    LLVMValueRef groups = LLVMBuildUDiv(g->b, i32(g, BLOCK_THREADS), group, "");
    LLVMValueRef number = add(g, multiply(g, gpu(g)->id(g, BLOCK_ID), groups),
                              LLVMBuildUDiv(g->b, thread, group, ""));
    LLVMValueRef lane = LLVMBuildAnd(g->b, thread, subtract(g, group, i32(g, 1)), "");
    LLVMValueRef all = multiply(g, f->lines, param_i64(g, AT(segments)));
    LLVMValueRef is_there = compare(g, LLVMIntULT, extended(g, number), all);
    fold_find_segment(f, gen_select(g, is_there, number, i32(g, 0)));
    fold_find_line(f, f->segment, line);
    LLVMValueRef is_first = compare(g, LLVMIntEQ, lane, i32(g, 0));
    struct acc acc = fold_begin_acc(f, is_first);
    struct units u = {.unit = param_i64(g, AT(unit)), .stride = param_i64(g, AT(stride))};
    u.k = add(g, f->begin, multiply(g, extended(g, lane), param_i64(g, AT(lane))));
    u.end = add(g, u.k, multiply(g, u.stride, param_i64(g, AT(steps))));
    u.end = gen_select(g, is_there, least(g, u.end, f->end), i64(g, 0));
    acc = fold_join_group(f, take_units(f, acc, line, &u), thread, group);
    LLVMBasicBlockRef after = begin_if(g, both(g, is_first, is_there));
    fold_store_result(f, acc, line[OUT]);
    end_if(g, after);
    LLVMBuildRetVoid(g->b);
}
