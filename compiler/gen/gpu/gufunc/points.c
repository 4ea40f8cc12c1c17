/* points.c: the points of a definition that a thread of NEST has alone: one, several apart along a
 * range, or neighbours along the last one. */
#include "gufunc.h"

void find_point_ranges(struct gen *g, const struct pstmt *s, struct at *at) {
    at->n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, at->n++) {
        at->range[at->n] = r;
        at->lo[at->n] = gen_value(g, r->lo);
        at->step[at->n] = gen_value(g, r->step);
    }
}

/* A position in range i, or a number of them, from i64: i32 where all in it fit 31 bits, of which
 * sums of two are compared without a sign. */
static LLVMValueRef as_place(struct gen *g, const struct at *at, int i, LLVMValueRef v) {
    return g->narrow && at->range[i]->narrow ? LLVMBuildTrunc(g->b, v, i32_type(g), "") : v;
}

/* The number n, as v is. */
static LLVMValueRef like(LLVMValueRef v, int n) {
    return LLVMConstInt(LLVMTypeOf(v), (uint64_t)n, false);
}

/* Index `position`, i32 or i64, of range i. */
static LLVMValueRef index_at(struct gen *g, const struct at *at, int i, LLVMValueRef position) {
    position = LLVMBuildSExt(g->b, position, i64_type(g), "");
    return add(g, at->lo[i], multiply(g, position, at->step[i]));
}

void set_position(struct gen *g, const struct at *at, int i, LLVMValueRef position) {
    LLVMBuildStore(g->b, index_at(g, at, i, position), var_of(g, at->range[i]->var)->slot);
}

/* `copies` copies of the body at the thread's points along range i, from a position on. */
static void gen_copies(struct gen *g, const struct pstmt *s, const struct at *at, int i,
                       LLVMValueRef position, LLVMValueRef apart, int copies) {
    struct batch *batch = copies > 1 ? find_calling(g, s) : NULL;
    for (int k = 0; k < copies; k++) {
        set_position(g, at, i, position);
        if (batch != NULL)
            batch_load(g, batch, k, 1);
        else
            gen_stmts(g, s->body);
        position = add(g, position, apart);
    }
    if (batch != NULL)
        batch_compute_first(g, batch, copies, 1);
}

/* Does a thread go along rows, down which points of a large body share elements?  More rows at once
 * take registers, which smaller ones need more for threads. */
static bool walks_rows(const struct gen *g, const struct pstmt *s, const struct prange *r) {
    return r->next != NULL && g->plan->map.phase[s->phase].walks > WALKED_BODY &&
           shares_along(g->plan, s, r);
}

/* Copies of the body that run at once along a range: WALK_STEPS, more rows that share elements, or
 * all points of a short one. */
static int copies_along(const struct gen *g, const struct pstmt *s, const struct prange *r) {
    int64_t n = constant_points(r);
    bool rows = walks_rows(g, s, r) && WALK_ROWS * point_size(s) <= WALK_ROWS_BODY;
    return n > 1 && n < WALK_STEPS && r->next == NULL ? (int)n : rows ? WALK_ROWS : WALK_STEPS;
}

/* The points of a thread along range i, from the position `first` on: several copies of the body
 * at a time where so many are left before `end`.  Where they are inside, nothing else is tested;
 * elsewhere a large body has one copy, whose loops are not unrolled but where rows share elements,
 * as those of windows do, since all threads of a warp wait for one at an edge. */
static void gen_walk(struct gen *g, const struct pstmt *s, const struct at *at, int i,
                     LLVMValueRef first, LLVMValueRef end, LLVMValueRef apart) {
    LLVMBasicBlockRef several = gen_block(g, "several"), one = gen_block(g, "one"),
                      done = gen_block(g, "walked");
    const struct pval *step = at->range[i]->step;
    bool up = step->kind == PV_CONST && (int64_t)step->i > 0;
    bool large = g->plan->map.phase[s->phase].walks > GUARDED_BODY;
    struct inside *inside = up ? find_inside(g, s, at->range[i]) : NULL;
    LLVMValueRef taken = gen_alloca(g, LLVMTypeOf(first), "taken");
    int copies = copies_along(g, s, at->range[i]), before = g->copies;
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef far = add(g, l.phi[0], multiply(g, apart, like(apart, copies - 1)));
    LLVMBuildStore(g->b, like(apart, copies), taken);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntULT, far, end), several, one);
    gen_place(g, several);
    if (inside != NULL) {
        LLVMBasicBlockRef in = gen_block(g, "inside"), other = gen_block(g, "guarded");
        LLVMValueRef from = index_at(g, at, i, l.phi[0]), to = index_at(g, at, i, far);
        LLVMBuildCondBr(g->b, are_inside(inside, at->range[i], from, to), in, large ? one : other);
        gen_place(g, in);
        g->settled = settled_inside(inside);
        gen_copies(g, s, at, i, l.phi[0], apart, copies);
        g->settled = NULL;
        LLVMBuildBr(g->b, done);
        gen_place(g, other);
    }
    if (inside == NULL || !large)
        gen_copies(g, s, at, i, l.phi[0], apart, copies);
    LLVMBuildBr(g->b, done);
    gen_place(g, one);
    LLVMBuildStore(g->b, like(apart, 1), taken);
    g->copies = inside != NULL && !walks_rows(g, s, at->range[i]) ? 0 : before;
    gen_copies(g, s, at, i, l.phi[0], apart, 1);
    g->copies = before;
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef n = LLVMBuildLoad2(g->b, LLVMTypeOf(first), taken, "");
    LLVMValueRef next = add(g, l.phi[0], multiply(g, n, apart));
    loop_end(g, &l, &next);
}

/* How far apart the thread's points are along a range. */
static LLVMValueRef walk_distance(struct gen *g, const struct at *at) {
    return at->n == 1 ? NEST_I64(g, apart) : i64(g, 1);
}

/* Where its points from position `first` on end, in a range of so many. */
static LLVMValueRef walk_end(struct gen *g, LLVMValueRef first, LLVMValueRef apart,
                             LLVMValueRef size) {
    LLVMValueRef steps = LLVMBuildTrunc(g->b, NEST_I64(g, steps), LLVMTypeOf(first), "");
    LLVMValueRef end = add(g, first, multiply(g, steps, apart));
    end = gen_select(g, compare(g, LLVMIntULT, end, size), end, size);
    return gen_select(g, g->threads->has_point, end, first);
}

LLVMValueRef size_of_range(struct gen *g, const struct at *at, int i) {
    return gen_count(g, at->lo[i], gen_value(g, at->range[i]->hi), at->step[i]);
}

/* The thread's points along range i. */
static void gen_points_along(struct gen *g, const struct pstmt *s, const struct at *at, int i) {
    LLVMValueRef apart = as_place(g, at, i, walk_distance(g, at));
    LLVMValueRef first = as_place(g, at, i, g->threads->position[i]);
    LLVMValueRef size = as_place(g, at, i, size_of_range(g, at, i));
    gen_walk(g, s, at, i, first, walk_end(g, first, apart, size), apart);
}

/* ---- neighbours along the last range */

/* Makes known of arrays what the runtime has found: that elements at neighbouring points are side
 * by side, and those at the first of a thread's aligned. */
static void know_layout(struct gen *g, const struct pstmt *s) {
    const struct plan *p = g->plan;
    const struct ufc_phase *phase = &p->map.phase[s->phase];
    struct gen_array *arrays = NEWN(g->uc, struct gen_array, p->noperands + p->nlocals);
    for (int k = 0; k < p->noperands + p->nlocals; k++)
        arrays[k] = g->arrays[k];
    for (uint32_t i = 0; i < p->domain.naccesses; i++) {
        const struct ufc_access *a = &p->domain.accesses[i];
        const struct poperand *o = &p->operands[a->operand];
        int axis = ufc_subscript_along(a, (int)phase->along);
        int64_t bytes = dtype_info[o->dtype].bits / 8;
        if (a->phase != s->phase || axis < 0 || !(phase->beside >> a->operand & 1))
            continue;
        for (int d = o->rank - 1; d >= axis; d--) {
            arrays[a->operand].stride[d] = i64(g, (uint64_t)bytes);
            bytes *= d > axis ? o->dims[d]->size : phase->neighbours;
        }
        arrays[a->operand].beside = (unsigned)ufc_vector_alignment(bytes);
        arrays[a->operand].beside_axis = axis;
    }
    g->arrays = arrays;
}

/* The body at the points whose last index is from `first` on, side by side; or, where they are part
 * of a batch, what loads their elements, as its units from `unit` on. */
static void gen_side_by_side(struct gen *g, const struct pstmt *s, const struct prange *last,
                             LLVMValueRef first, struct batch *batch, int unit) {
    struct beside points = {.var = last->var, .first = first};
    g->beside = &points;
    for (; points.copy < (int)g->plan->map.phase[s->phase].neighbours; points.copy++) {
        LLVMValueRef index = add(g, first, i64(g, (uint64_t)points.copy));
        LLVMBuildStore(g->b, index, var_of(g, last->var)->slot);
        if (batch != NULL)
            batch_load(g, batch, unit + points.copy, 1);
        else
            gen_stmts(g, s->body);
    }
    g->beside = NULL;
}

/* The walk over the places at which a thread takes neighbours: along the range before the last one,
 * or along that where it is the only one. */
struct places {
    const struct pstmt *s;
    const struct at *at;
    const struct inside *inside; /* NULL: all points are */
    int walked;                  /* the range along which the places are */
    LLVMValueRef apart, end;     /* of positions in it, as as_place has them */
    LLVMValueRef one_call;       /* i1: the warp's threads have points of the same call */
};

static uint32_t neighbours_of(const struct gen *g, const struct places *p) {
    return g->plan->map.phase[p->s->phase].neighbours;
}

/* So many of them at once: rows that share elements, which then are loaded once, where they load
 * many. */
static int rows_at_once(const struct gen *g, const struct places *p) {
    int64_t size = neighbours_of(g, p) * point_size(p->s);
    int n = 1;
    if (point_size(p->s) <= WALKED_BODY || p->walked == p->at->n - 1 ||
        !shares_along(g->plan, p->s, p->at->range[p->walked]))
        return 1;
    while (n < NEST_ROWS && 2 * n * size <= ROWS_BODY)
        n *= 2;
    return n;
}

/* Or two, whose loads are under way together. */
static int places_at_once(const struct gen *g, const struct places *p) {
    int rows = rows_at_once(g, p);
    return rows == 1 && 2 * neighbours_of(g, p) * point_size(p->s) <= PLACES_BODY ? 2 : rows;
}

/* Sets the indices of the place at a position in the range that is walked; gives the last index of
 * its first point, which is a multiple of the number of neighbours. */
static LLVMValueRef set_place(struct gen *g, const struct places *p, LLVMValueRef position) {
    const struct threads *t = g->threads;
    int last = p->at->n - 1;
    LLVMValueRef mask = i64(g, ~(uint64_t)0 * neighbours_of(g, p));
    for (int i = 0; i < last; i++)
        set_position(g, p->at, i, i == p->walked ? position : t->position[i]);
    LLVMValueRef column =
        p->walked == last ? LLVMBuildSExt(g->b, position, i64_type(g), "") : t->position[last];
    return add(g, both(g, p->at->lo[last], mask), both(g, column, mask));
}

/* i1: the place is the thread's, and all of its points are inside. */
static LLVMValueRef is_whole(struct gen *g, const struct places *p, LLVMValueRef position,
                             LLVMValueRef first) {
    const struct prange *last = p->at->range[p->at->n - 1];
    LLVMValueRef behind = add(g, first, i64(g, neighbours_of(g, p)));
    LLVMValueRef whole = both(g, compare(g, LLVMIntULT, position, p->end),
                              compare(g, LLVMIntSLE, behind, gen_value(g, last->hi)));
    if (g->plan->map.phase[p->s->phase].lead > 0)
        whole = both(g, whole, compare(g, LLVMIntSGE, first, p->at->lo[p->at->n - 1]));
    if (p->inside == NULL)
        return whole;
    LLVMValueRef to = subtract(g, behind, i64(g, 1));
    return both(g, whole, are_inside(p->inside, last, first, to));
}

/* The body at all points of `n` places that are whole, `apart` from `position` on. */
static void gen_whole(struct gen *g, const struct places *p, LLVMValueRef position, int n) {
    const struct prange *last = p->at->range[p->at->n - 1];
    struct batch *batch = find_calling(g, p->s);
    int each = (int)neighbours_of(g, p);
    g->settled = p->inside != NULL ? settled_inside(p->inside) : NULL;
    for (int k = 0; k < n; k++) {
        gen_side_by_side(g, p->s, last, set_place(g, p, position), batch, k * each);
        position = add(g, position, p->apart);
    }
    if (batch != NULL)
        batch_compute_first(g, batch, n * each, each);
    g->settled = NULL;
}

/* The lane of the bit number n (i32) among those of `bits` that are set. */
static LLVMValueRef find_bit(struct gen *g, LLVMValueRef bits, LLVMValueRef n) {
    LLVMValueRef at = i32(g, 0);
    for (uint32_t width = WARP / 2; width > 0; width /= 2) {
        LLVMValueRef part = LLVMBuildLShr(g->b, bits, at, "");
        part = both(g, part, i32(g, (UINT32_C(1) << width) - 1));
        LLVMValueRef below = gen_intrinsic(g, "ctpop", NULL, &part, 1);
        LLVMValueRef behind = compare(g, LLVMIntUGE, n, below);
        n = gen_select(g, behind, subtract(g, n, below), n);
        at = gen_select(g, behind, add(g, at, i32(g, width)), at);
    }
    return at;
}

/* The points of places that are not whole, where `left` (i1): the threads of a warp share them, so
 * that few wait for the others.  bits: i32, `left` of all threads of the warp, which come here. */
static void gen_left(struct gen *g, const struct places *p, LLVMValueRef position,
                     LLVMValueRef first, LLVMValueRef left, LLVMValueRef bits) {
    const struct threads *t = g->threads;
    int last = p->at->n - 1;
    uint32_t n = neighbours_of(g, p);
    LLVMValueRef all = i32(g, UINT32_MAX), lane = lane_of(g, t->tid), zero = i32(g, 0);
    LLVMValueRef count = gen_intrinsic(g, "ctpop", NULL, &bits, 1);
    LLVMValueRef rounds = add(g, multiply(g, count, i32(g, n)), i32(g, WARP - 1));
    rounds = LLVMBuildUDiv(g->b, rounds, i32(g, WARP), "");
    rounds = gen_select(g, p->one_call, rounds, least(g, multiply(g, count, i32(g, n)), i32(g, n)));
    int before = g->copies;
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], rounds));
    LLVMValueRef slot = add(g, multiply(g, l.phi[0], i32(g, WARP)), lane);
    LLVMValueRef number = LLVMBuildUDiv(g->b, slot, i32(g, n), "");
    LLVMValueRef taken = both(g, p->one_call, compare(g, LLVMIntULT, number, count));
    LLVMValueRef from = gen_select(g, taken, find_bit(g, bits, number), lane);
    LLVMValueRef point = gen_select(g, p->one_call, both(g, slot, i32(g, n - 1)), l.phi[0]);
    LLVMValueRef own = both(g, LLVMBuildNot(g->b, p->one_call, ""), left);
    for (int i = 0; i < last; i++) {
        LLVMValueRef v = i == p->walked ? position : as_place(g, p->at, i, t->position[i]);
        set_position(g, p->at, i, gen_shuffle(g, SHUFFLE_FROM, all, v, from));
    }
    LLVMValueRef index = gen_shuffle(g, SHUFFLE_FROM, all, first, from);
    index = add(g, index, extended(g, point));
    LLVMBuildStore(g->b, index, var_of(g, p->at->range[last]->var)->slot);
    LLVMValueRef is = LLVMBuildOr(g->b, taken, own, "");
    is = both(g, is, compare(g, LLVMIntSGE, index, p->at->lo[last]));
    is = both(g, is, compare(g, LLVMIntSLT, index, gen_value(g, p->at->range[last]->hi)));
    LLVMBasicBlockRef after = begin_if(g, is);
    g->copies = p->inside != NULL ? 0 : before;
    gen_stmts(g, p->s->body);
    g->copies = before;
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

/* i1: n places from a position on are whole. */
static LLVMValueRef are_whole(struct gen *g, const struct places *p, LLVMValueRef position, int n) {
    LLVMValueRef whole = LLVMConstInt(i1_type(g), 1, false);
    for (int k = 0; k < n; k++) {
        whole = both(g, whole, is_whole(g, p, position, set_place(g, p, position)));
        position = add(g, position, p->apart);
    }
    return whole;
}

/* The points of the place at a position, but for those that the thread has computed (i1), NULL:
 * none. */
static void gen_guarded_place(struct gen *g, const struct places *p, LLVMValueRef position,
                              LLVMValueRef computed) {
    LLVMValueRef point = set_place(g, p, position), whole = is_whole(g, p, position, point);
    LLVMValueRef left =
        both(g, compare(g, LLVMIntULT, position, p->end), LLVMBuildNot(g->b, whole, ""));
    if (computed != NULL)
        whole = both(g, whole, LLVMBuildNot(g->b, computed, ""));
    LLVMBasicBlockRef after = begin_if(g, whole);
    gen_whole(g, p, position, 1);
    end_if(g, after);
    LLVMValueRef bits = gpu(g)->ballot(g, i32(g, UINT32_MAX), left);
    after = begin_if(g, is_set(g, bits));
    gen_left(g, p, position, point, left, bits);
    end_if(g, after);
}

/* The points of `n` places from a position on. */
static void gen_guarded_rows(struct gen *g, const struct places *p, LLVMValueRef position,
                             LLVMValueRef n, LLVMValueRef computed) {
    LLVMValueRef zero = like(n, 0);
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    gen_guarded_place(g, p, add(g, position, multiply(g, l.phi[0], p->apart)), computed);
    LLVMValueRef next = add(g, l.phi[0], like(n, 1));
    loop_end(g, &l, &next);
}

/* The points of all places, some of which are not inside: those of several rows at once where all
 * of these are.  All threads of a warp go through as many places. */
static void gen_guarded_places(struct gen *g, const struct places *p, LLVMValueRef first) {
    int several = rows_at_once(g, p);
    LLVMValueRef steps = as_place(g, p->at, p->walked, NEST_I64(g, steps));
    LLVMValueRef zero = like(steps, 0);
    if (several == 1) {
        gen_guarded_rows(g, p, first, steps, NULL);
        return;
    }
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], steps));
    LLVMValueRef position = add(g, first, multiply(g, l.phi[0], p->apart));
    LLVMValueRef whole = are_whole(g, p, position, several), n = like(steps, several);
    LLVMBasicBlockRef after = begin_if(g, whole);
    gen_whole(g, p, position, several);
    end_if(g, after);
    LLVMValueRef others = LLVMBuildNot(g->b, whole, "");
    after = begin_if(g, is_set(g, gpu(g)->ballot(g, i32(g, UINT32_MAX), others)));
    gen_guarded_rows(g, p, position, least(g, n, subtract(g, steps, l.phi[0])), whole);
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], n);
    loop_end(g, &l, &next);
}

/* The points of the place at a position one by one, those that are in the range. */
static void gen_singles(struct gen *g, const struct places *p, LLVMValueRef position) {
    const struct prange *last = p->at->range[p->at->n - 1];
    LLVMValueRef first = set_place(g, p, position);
    LLVMValueRef end = least(g, add(g, first, i64(g, neighbours_of(g, p))), gen_value(g, last->hi));
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    LLVMBuildStore(g->b, l.phi[0], var_of(g, last->var)->slot);
    gen_stmts(g, p->s->body);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* The points of places that are whole, from position `first` on, n at a time while so many are
 * left. Gives the position of the next place.  No place has a test of its own: what they share
 * along the walk is loaded before it. */
static LLVMValueRef gen_whole_places(struct gen *g, const struct places *p, LLVMValueRef first,
                                     int n) {
    LLVMValueRef far = multiply(g, p->apart, like(first, n - 1));
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, add(g, l.phi[0], far), p->end));
    gen_whole(g, p, l.phi[0], n);
    LLVMValueRef next = add(g, l.phi[0], multiply(g, p->apart, like(first, n)));
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* The points of all places one by one, from position `first` on. */
static void gen_single_places(struct gen *g, const struct places *p, LLVMValueRef first) {
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], p->end));
    gen_singles(g, p, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], p->apart);
    loop_end(g, &l, &next);
}

/* The points of all places, which are inside: those of several at a time, whose loads are under way
 * together.  Places along the last range are whole until its end, others all or none. */
static void gen_free_places(struct gen *g, const struct places *p, LLVMValueRef first) {
    const struct prange *last = p->at->range[p->at->n - 1];
    struct places whole = *p;
    if (p->walked == p->at->n - 1) {
        LLVMValueRef size = as_place(g, p->at, p->walked, size_of_range(g, p->at, p->walked));
        LLVMValueRef args[] = {size, like(size, (int)neighbours_of(g, p) - 1)};
        LLVMValueRef most = gen_intrinsic(g, "usub.sat", NULL, args, 2);
        whole.end = gen_select(g, compare(g, LLVMIntULT, p->end, most), p->end, most);
    } else {
        LLVMValueRef behind = add(g, set_place(g, p, first), i64(g, neighbours_of(g, p)));
        LLVMValueRef all = compare(g, LLVMIntSLE, behind, gen_value(g, last->hi));
        whole.end = gen_select(g, all, p->end, first);
    }
    for (int n = places_at_once(g, p); n > 0; n /= 2)
        first = gen_whole_places(g, &whole, first, n);
    gen_single_places(g, p, first);
}

/* i1: the warp's threads have points of the same call, of an output or intermediate of the phase.
 */
static LLVMValueRef have_one_call(struct gen *g, const struct pstmt *s) {
    uint32_t stored = g->plan->map.stored[s->phase];
    LLVMValueRef all = i32(g, UINT32_MAX), zero = i32(g, 0);
    LLVMValueRef base = g->arrays[__builtin_ctz(stored)].base;
    base = LLVMBuildPtrToInt(g->b, base, i64_type(g), "");
    LLVMValueRef of_first = gen_shuffle(g, SHUFFLE_FROM, all, base, zero);
    LLVMValueRef others = gpu(g)->ballot(g, all, compare(g, LLVMIntNE, base, of_first));
    return compare(g, LLVMIntEQ, others, zero);
}

/* The thread's points, neighbours along the last range. */
static void gen_neighbours(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct threads *t = g->threads;
    struct gen_array *arrays = g->arrays;
    struct places p = {.s = s, .at = at, .walked = at->n == 1 ? 0 : at->n - 2};
    uint32_t lead = g->plan->map.phase[s->phase].lead;
    LLVMValueRef first = as_place(g, at, p.walked, t->position[p.walked]);
    LLVMValueRef size = as_place(g, at, p.walked, size_of_range(g, at, p.walked));
    if (at->n == 1)
        size = add(g, size, like(size, (int)lead));
    p.inside = find_inside(g, s, at->range[at->n - 1]);
    p.apart = as_place(g, at, p.walked, walk_distance(g, at));
    p.end = walk_end(g, first, p.apart, size);
    bool guarded = p.inside != NULL || lead > 0;
    if (guarded)
        p.one_call = have_one_call(g, s);
    know_layout(g, s);
    (guarded ? gen_guarded_places : gen_free_places)(g, &p, first);
    g->arrays = arrays;
}

/* ---- who takes what */

/* The thread's only point. */
static void gen_point_alone(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef after = begin_if(g, g->threads->has_point);
    gen_stmts(g, s->body);
    end_if(g, after);
}

/* The points of a thread one by one, along the range that the launch says. */
static void gen_points_singly(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct threads *t = g->threads;
    int last = at->n - 1, other = at->n > 1 ? at->n - 2 : last;
    LLVMValueRef walked = is_set(g, NEST_I32(g, walked)), apart = walk_distance(g, at);
    LLVMValueRef first = gen_select(g, walked, t->position[other], t->position[last]);
    LLVMValueRef size =
        gen_select(g, walked, size_of_range(g, at, other), size_of_range(g, at, last));
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], walk_end(g, first, apart, size)));
    set_position(g, at, other, gen_select(g, walked, l.phi[0], t->position[other]));
    set_position(g, at, last, gen_select(g, walked, t->position[last], l.phi[0]));
    gen_stmts(g, s->body);
    LLVMValueRef next = add(g, l.phi[0], apart);
    loop_end(g, &l, &next);
}

/* The points of the warp's threads, which share what is at each. */
static void gen_shared_ranges(struct gen *g, const struct pstmt *s, const struct at *at) {
    LLVMValueRef apart = walk_distance(g, at), first = g->threads->position[0];
    LLVMValueRef end = walk_end(g, first, apart, size_of_range(g, at, 0));
    gen_ragged_points(g, s, at, first, apart, NEST_I64(g, steps), end);
}

/* The thread's points along one of the last two ranges, several at a time. */
static void gen_points_walked(struct gen *g, const struct pstmt *s, const struct at *at) {
    if (at->n == 1) {
        gen_points_along(g, s, at, 0);
        return;
    }
    LLVMBasicBlockRef last = gen_block(g, "along"), other = gen_block(g, "along"),
                      done = gen_block(g, "walked");
    LLVMBuildCondBr(g->b, is_set(g, NEST_I32(g, walked)), other, last);
    gen_place(g, last);
    gen_points_along(g, s, at, at->n - 1);
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
    gen_points_along(g, s, at, at->n - 2);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

void gen_own_points(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
    LLVMBasicBlockRef done = gen_block(g, "points"), outer = g->stop;
    g->sharing = NULL;
    g->stop = done;
    if (phase->neighbours > 0) {
        LLVMBasicBlockRef beside = gen_block(g, "beside"), other = gen_block(g, "apart");
        LLVMBuildCondBr(g->b, is_set(g, NEST_I32(g, neighbours)), beside, other);
        gen_place(g, beside);
        if (phase->flat != 0)
            gen_flat_points(g, s, at, done);
        gen_neighbours(g, s, at);
        LLVMBuildBr(g->b, done);
        gen_place(g, other);
    }
    if (phase->walks > 0 && ragged_range(g, s) != NULL) {
        LLVMBasicBlockRef shared = gen_block(g, "ragged"), other = gen_block(g, "own");
        LLVMBuildCondBr(g->b, have_one_call(g, s), shared, other);
        gen_place(g, shared);
        gen_shared_ranges(g, s, at);
        LLVMBuildBr(g->b, done);
        gen_place(g, other);
    }
    if (phase->walks == 0)
        gen_point_alone(g, s);
    else
        (phase->walks < UFC_WALKS_SINGLY ? gen_points_walked : gen_points_singly)(g, s, at);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    g->stop = outer;
}
