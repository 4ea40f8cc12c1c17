/* spread.c: a PS_SPREAD shared by the GPU threads of a call or a point.  Thread i of n takes points
 * i, i + n, i + 2n, …; order.c has ordered reductions.  join.c joins the threads' accs. */
#include "micro.h"
#include "together.h"

/* ---- points */

/* Lets a range begin and end where the block's part of its axis does; of one that wraps, with
 * places for indices. */
static void cut_range(struct gen *g, int axis, LLVMValueRef *lo, LLVMValueRef *hi) {
    LLVMValueRef first = g->threads->cut_first[axis], end = g->threads->cut_end[axis];
    if (g->plan->map.halo->wraps[axis]) {
        *lo = first;
        *hi = end;
        return;
    }
    *lo = gen_select(g, compare(g, LLVMIntSLT, *lo, first), first, *lo);
    *hi = gen_select(g, compare(g, LLVMIntSGT, *hi, end), end, *hi);
}

void find_nest(struct gen *g, const struct pstmt *s, struct nest *n) {
    n->n = 0;
    n->total = i64(g, 1);
    n->narrow = shares_steps(g);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, n->n++) {
        n->range[n->n] = r;
        n->narrow = n->narrow && r->narrow;
        n->lo[n->n] = gen_value(g, r->lo);
        n->step[n->n] = gen_value(g, r->step);
        LLVMValueRef hi = gen_value(g, r->hi);
        n->gap[n->n] = NULL;
        if (g->threads->kind == UFC_KERNEL_HALO && r->cut > 0) {
            g->cut[r->cut - 1] = r->var;
            cut_range(g, r->cut - 1, &n->lo[n->n], &hi);
        }
        n->count[n->n] = gen_count(g, n->lo[n->n], hi, n->step[n->n]);
        if (g->threads->kind == UFC_KERNEL_PANEL)
            panel_range(g, n, n->n, hi);
        n->slot[n->n] = gen_alloca(g, i64_type(g), "position");
        n->total = multiply(g, n->total, n->count[n->n]);
    }
    if (g->threads->portion != NULL && g->threads->portion->spread == s)
        cut_to_portion(g, n);
}

void take_apart(struct gen *g, const struct nest *n, LLVMValueRef number, LLVMValueRef *position) {
    for (int i = n->n - 1; i > 0; i--) {
        LLVMValueRef q = LLVMBuildUDiv(g->b, number, n->count[i], "");
        position[i] = LLVMBuildSub(g->b, number, multiply(g, q, n->count[i]), "");
        number = q;
    }
    position[0] = number;
}

void set_indices(struct gen *g, const struct nest *n) {
    for (int i = 0; i < n->n; i++) {
        LLVMValueRef at = LLVMBuildLoad2(g->b, i64_type(g), n->slot[i], "");
        LLVMValueRef index = n->gap[i] != NULL ? panel_place(g, n, i, at)
                                               : add(g, n->lo[i], multiply(g, at, n->step[i]));
        LLVMBuildStore(g->b, index, var_of(g, n->range[i]->var)->slot);
    }
}

/* Do positions in all ranges fit 31 bits? */
static bool fit_words(const struct gen *g, const struct nest *n) {
    bool fit = g->narrow;
    for (int i = 0; i < n->n; i++)
        fit = fit && n->range[i]->narrow;
    return fit;
}

/* Adds by[i] to the position in each range, with carries from later ranges. */
static void advance(struct gen *g, const struct nest *n, const LLVMValueRef *by) {
    LLVMTypeRef type = fit_words(g, n) ? i32_type(g) : i64_type(g);
    LLVMValueRef carry = LLVMConstNull(type);
    for (int i = n->n - 1; i >= 0; i--) {
        LLVMValueRef at = LLVMBuildLoad2(g->b, i64_type(g), n->slot[i], "");
        at = LLVMBuildTrunc(g->b, at, type, "");
        at = add(g, add(g, at, LLVMBuildTrunc(g->b, by[i], type, "")), carry);
        if (i > 0) {
            LLVMValueRef count = LLVMBuildTrunc(g->b, n->count[i], type, "");
            LLVMValueRef over = LLVMBuildNot(g->b, is_before(g, at, count), "");
            at = gen_select(g, over, LLVMBuildSub(g->b, at, count, ""), at);
            carry = LLVMBuildZExt(g->b, over, type, "");
        }
        LLVMBuildStore(g->b, position_of(g, at), n->slot[i]);
    }
}

LLVMValueRef as_position(struct gen *g, const struct nest *n, LLVMValueRef v) {
    bool narrow = n->n == 1 && n->narrow && LLVMTypeOf(v) != i32_type(g);
    return narrow ? LLVMBuildTrunc(g->b, v, i32_type(g), "") : v;
}

LLVMValueRef is_before(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return compare(g, LLVMTypeOf(a) == i32_type(g) ? LLVMIntULT : LLVMIntSLT, a, b);
}

LLVMValueRef position_of(struct gen *g, LLVMValueRef v) {
    return LLVMTypeOf(v) == i32_type(g) ? extended(g, v) : v;
}

/* How a thread goes from point to point: by the number of the next point, where that is its
 * position in the only range, else by what is added to its position in each range. */
struct way {
    bool numbered;
    LLVMValueRef at, apart;
    LLVMValueRef by[MAX_RANGES];
};

static void begin_point(struct gen *g, const struct nest *n, struct way *w) {
    if (w->numbered) {
        LLVMBuildStore(g->b, position_of(g, w->at), n->slot[0]);
        w->at = add(g, w->at, w->apart);
    }
    set_indices(g, n);
}

static void end_point(struct gen *g, const struct nest *n, const struct way *w) {
    if (!w->numbered)
        advance(g, n, w->by);
}

/* Gives lanes the indices of a point: neighbours along the last range, and the same one along
 * others, which are lanes' own where another statement has lanes along them. */
static void set_lanes(struct gen *g, const struct nest *n) {
    for (int i = 0; i < n->n; i++) {
        const struct pvar *v = n->range[i]->var;
        LLVMValueRef index = LLVMBuildLoad2(g->b, i64_type(g), var_of(g, v)->slot, "");
        LLVMValueRef all = gen_dynamic_splat(g, index);
        if (v == g->lane_var)
            all = LLVMBuildAdd(g->b, all, gen_lane_numbers(g), "");
        if (v == g->lane_var || gen_var_varies(g, v))
            LLVMBuildStore(g->b, all, var_of(g, v)->lanes);
    }
}

/* The body at one point, or at `lanes` neighbouring points along the last range. */
static void gen_point(struct gen *g, const struct taking *k, struct nest *n, struct way *w) {
    int lanes = k->lanes;
    begin_point(g, n, w);
    struct lanes_scope outer = lanes_enter(g, lanes);
    g->unit = lanes > 1;
    if (lanes > 1)
        set_lanes(g, n);
    gen_stmts(g, k->spread->body);
    lanes_leave(g, outer);
    end_point(g, n, w);
}

/* The body at `units` such points, which are one batch. */
static void gen_batch(struct gen *g, const struct taking *k, struct nest *n, struct way *w,
                      int units) {
    for (int i = 0; i < units; i++) {
        begin_point(g, n, w);
        batch_load(g, k->batch, i, k->lanes);
        end_point(g, n, w);
    }
    batch_compute(g, k->batch, units, k->lanes);
}

/* The body at several points abreast. */
static void gen_points_abreast(struct gen *g, const struct taking *k, struct nest *n,
                               struct way *w) {
    const struct abreast *outer = g->abreast;
    for (int i = 0; i < ABREAST_POINTS; i++) {
        abreast_take(g, k->abreast, i);
        begin_point(g, n, w);
        end_point(g, n, w);
    }
    g->abreast = k->abreast;
    gen_stmts(g, k->spread->body);
    g->abreast = outer;
    abreast_take(g, k->abreast, 0);
}

/* Is a body so small that LLVM and ptxas have the loads of several points under way together? */
static bool is_light(const struct pstmt *s) {
    return body_cost(s->body, POINT_STEPS_BODY) < POINT_STEPS_BODY;
}

/* Do a block's threads wait for a row, as the few lanes that a band's row has do in a reduction? */
static bool waits_for_rows(const struct gen *g, const struct pstmt *s) {
    return g->threads->kind == UFC_KERNEL_SWEEP || (g->threads->in_band && s->accs != NULL);
}

/* Iterations of a loop over points whose loads should be under way together. */
static int steps_of(struct gen *g, const struct taking *k) {
    if (k->few || g->threads->brief)
        return 1;
    if (k->batch != NULL)
        return batch_units(g, k->batch, k->lanes);
    if (!is_light(k->spread))
        return 1;
    if (k->lanes > 1)
        return waits_for_rows(g, k->spread) ? 2 * POINT_STEPS_WIDE : POINT_STEPS_WIDE;
    if (g->abreast != NULL)
        return g->abreast->points < NEST_POINT_STEPS ? NEST_POINT_STEPS / g->abreast->points : 1;
    return g->threads->kind == UFC_KERNEL_NEST ? NEST_POINT_STEPS : POINT_STEPS;
}

/* A loop over the points begin, begin + apart, … before end, `steps` of them in an iteration, while
 * so many are left.  Gives the number of the next point. */
static LLVMValueRef gen_steps(struct gen *g, const struct taking *k, struct nest *n,
                              LLVMValueRef begin, LLVMValueRef end, const struct way *way,
                              int steps) {
    struct loop l;
    struct way w = *way;
    LLVMValueRef times = LLVMConstInt(LLVMTypeOf(begin), (uint64_t)steps - 1, false);
    LLVMValueRef far = multiply(g, w.apart, times);
    loop_begin(g, &l, 1, &begin);
    LLVMValueRef last = steps > 1 ? add(g, l.phi[0], far) : l.phi[0];
    loop_while(g, &l, is_before(g, last, end));
    struct surrounding outer = loop_enter(g);
    w.at = l.phi[0];
    if (k->batch != NULL)
        gen_batch(g, k, n, &w, steps);
    else if (k->abreast != NULL)
        gen_points_abreast(g, k, n, &w);
    else
        for (int i = 0; i < steps; i++)
            gen_point(g, k, n, &w);
    loop_leave(g, outer);
    LLVMValueRef next = add(g, last, w.apart);
    loop_end(g, &l, &next);
    return l.phi[0];
}

static enum walk find_input(const struct pval *v, void *plan) {
    return v->kind == PV_ELEM && v->operand < ((const struct plan *)plan)->nin ? WALK_STOP
                                                                               : WALK_IN;
}

/* Whether the points beside those of whole steps are to be loaded together too: of a reduction in
 * an ordered loop, each of whose steps waits for them, unless they are all near. */
static bool takes_rest_together(struct gen *g, const struct taking *k, const struct nest *n) {
    enum ufc_kernel_kind kind = g->threads->kind;
    const struct plan_visitor inputs = {.value = find_input};
    int accs = 0;
    bool near =
        has_near_outputs(g) && plan_walk(k->spread->body, &inputs, (void *)(uintptr_t)g->plan);
    bool in_steps = has_near_outputs(g) || kind == UFC_KERNEL_CLUSTER ||
                    (kind == UFC_KERNEL_BLOCK && has_steps(g));
    for (const struct pacc *a = k->spread->accs; a != NULL; a = a->next)
        accs++;
    for (const struct pstmt *s = k->spread->body; s != NULL; s = s->next)
        in_steps = in_steps && s->kind == PS_SET;
    return in_steps && !near && accs > 0 && accs <= MAX_ACCS && n->n == 1 && k->lanes == 1 &&
           k->batch == NULL && g->abreast == NULL;
}

/* The points begin, begin + apart, … before end, of which there are some, but fewer than `steps`:
 * all are computed, those behind the last as it is, and leave the accs as they were. */
static void gen_rest(struct gen *g, const struct taking *k, struct nest *n, LLVMValueRef begin,
                     LLVMValueRef end, const struct way *way, int steps) {
    LLVMValueRef last = subtract(g, end, LLVMConstInt(LLVMTypeOf(end), 1, false));
    struct way w = *way;
    for (int i = 0; i + 1 < steps; i++, begin = add(g, begin, way->apart)) {
        LLVMValueRef exists = is_before(g, begin, end), old[MAX_ACCS], *v = old;
        for (const struct pacc *a = k->spread->accs; a != NULL; a = a->next)
            *v++ = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
        w.at = gen_select(g, exists, begin, last);
        gen_point(g, k, n, &w);
        v = old;
        for (const struct pacc *a = k->spread->accs; i > 0 && a != NULL; a = a->next) {
            LLVMValueRef slot = var_of(g, a->acc)->slot;
            LLVMValueRef now = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), slot, "");
            LLVMBuildStore(g->b, gen_select(g, exists, now, *v++), slot);
        }
    }
}

void gen_points(struct gen *g, const struct taking *k, struct nest *n, LLVMValueRef begin,
                LLVMValueRef end, LLVMValueRef apart) {
    LLVMValueRef at[MAX_RANGES];
    int steps = steps_of(g, k);
    struct abreast a;
    struct taking four = *k;
    begin = as_position(g, n, begin);
    end = as_position(g, n, end);
    struct way w = {.numbered = n->n == 1 && shares_steps(g), .apart = as_position(g, n, apart)};
    LLVMBasicBlockRef after = begin_if(g, is_before(g, begin, end));
    if (!w.numbered) {
        take_apart(g, n, begin, at);
        take_apart(g, n, apart, w.by);
    }
    for (int i = 0; i < n->n && !w.numbered; i++)
        LLVMBuildStore(g->b, at[i], n->slot[i]);
    LLVMBasicBlockRef outer = g->stop;
    g->stop = after;
    if (steps > 1)
        begin = gen_steps(g, k, n, begin, end, &w, steps);
    if (steps > POINT_STEPS_WIDE && k->lanes > 1 && g->threads->in_band) /* rows may be short */
        begin = gen_steps(g, k, n, begin, end, &w, POINT_STEPS_WIDE);
    if (steps == 1 && k->lanes == 1 && k->batch == NULL && !k->few &&
        abreast_begin(g, &a, k->spread)) {
        four.abreast = &a;
        begin = gen_steps(g, &four, n, begin, end, &w, ABREAST_POINTS);
    }
    if (steps > 1 && takes_rest_together(g, k, n)) {
        LLVMValueRef some = is_before(g, begin, end);
        LLVMValueRef wide = compare(g, LLVMIntUGE, g->threads->ntid, i32(g, REST_THREADS));
        LLVMBasicBlockRef narrow = begin_if(g, both(g, some, wide));
        gen_rest(g, k, n, begin, end, &w, steps);
        end_if(g, narrow);
        end = gen_select(g, wide, begin, end);
    }
    if (steps == 1 || !k->whole)
        gen_steps(g, k, n, begin, end, &w, 1);
    g->stop = outer;
    end_if(g, after);
}

/* What each point that the thread has abreast has from its `next` on, before its end. */
static void gen_own_rest(struct gen *g, const struct taking *k, struct nest *n, LLVMValueRef next,
                         const LLVMValueRef *end) {
    const struct abreast *a = g->abreast;
    struct taking rest = *k;
    rest.few = true;
    g->abreast = NULL;
    for (int i = 0; i < a->points; i++) {
        abreast_take(g, a, i);
        gen_points(g, &rest, n, next, end[i], g->threads->count);
    }
    g->abreast = a;
}

/* The thread's share of points that do not end at the same place for all that it has abreast: those
 * that all of these have, and the others.  Where elements slide the latter come first, since ends
 * would take registers. */
static void gen_uneven(struct gen *g, const struct taking *k, struct nest *n) {
    const struct threads *t = g->threads;
    const struct abreast *a = g->abreast;
    const struct prange *r = n->range[0];
    LLVMValueRef end[MAX_SLIDING], common = n->total;
    for (int i = 0; i < a->points; i++) {
        abreast_take(g, a, i);
        end[i] = gen_count(g, n->lo[0], gen_value(g, r->hi), n->step[0]);
        common = least(g, common, end[i]);
    }
    if (does_slide(g, k)) {
        gen_own_rest(g, k, n, share_from(g, common), end);
        gen_sliding(g, k, n, common);
        return;
    }
    gen_points(g, k, n, t->number, common, t->count);
    LLVMValueRef taken = gen_count(g, t->number, common, t->count);
    gen_own_rest(g, k, n, add(g, t->number, multiply(g, taken, t->count)), end);
}

void gen_one_by_one(struct gen *g, const struct pstmt *s, struct batch *batch, struct nest *n) {
    const struct taking k = {.spread = s, .batch = batch, .lanes = 1};
    if (g->abreast != NULL && value_varies(g->abreast->varying, s->ranges->hi)) {
        gen_uneven(g, &k, n);
        return;
    }
    if (does_slide(g, &k))
        gen_sliding(g, &k, n, n->total);
    else
        gen_point_terms(g, &k, n);
}

/* ---- vectors: neighbours along the last range in one access of 16 bytes */

static enum walk take_plain(const struct pval *v, void *none) {
    (void)none;
    bool plain = v->dtype == DT_FLOAT32 || v->dtype == DT_FLOAT64 || v->dtype == DT_INT32 ||
                 v->dtype == DT_UINT32 || v->dtype == DT_INT64 || v->dtype == DT_UINT64;
    return plain ? WALK_IN : WALK_STOP;
}

/* Is a value, with all that it is computed from, of types whose vectors ptxas gets right? */
static bool is_plain(const struct pval *v) {
    return value_walk(v, take_plain, NULL);
}

/* Do a loop's bounds differ between lanes? */
static bool is_divergent(struct gen *g, const struct pstmt *s) {
    return gen_varies(g, s->lo) || gen_varies(g, s->hi) || gen_varies(g, s->step);
}

/* Can the body s be computed in vectors: without branches, of plain values? */
static bool is_straight(struct gen *g, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        bool nest = s->kind == PS_SPREAD, loop = s->kind == PS_FOR;
        if ((s->kind != PS_SET && s->kind != PS_PUT && !nest && !loop) || s->merged ||
            !is_plain(s->value) || !is_plain(s->place) || (loop && is_divergent(g, s)) ||
            !is_straight(g, nest ? s->serial : s->body))
            return false;
    }
    return true;
}

void gen_vectors(struct gen *g, const struct taking *k, struct nest *n) {
    const struct threads *t = g->threads;
    struct taking one = {.spread = k->spread, .batch = k->batch, .lanes = 1};
    const struct pstmt *s = k->spread;
    struct nest vectors = *n, rest = *n;
    one.few = n->n == 1 && steps_of(g, &one) >= k->lanes; /* which are more than are left */
    int last = n->n - 1;
    LLVMValueRef width = i64(g, (uint64_t)k->lanes);
    vectors.count[last] = LLVMBuildUDiv(g->b, n->count[last], width, "");
    vectors.step[last] = multiply(g, n->step[last], width);
    LLVMValueRef taken = multiply(g, vectors.count[last], width);
    rest.count[last] = LLVMBuildSub(g->b, n->count[last], taken, "");
    rest.lo[last] = add(g, n->lo[last], multiply(g, taken, n->step[last]));
    vectors.total = rest.total = i64(g, 1);
    for (int i = 0; i < n->n; i++) {
        vectors.total = multiply(g, vectors.total, vectors.count[i]);
        rest.total = multiply(g, rest.total, rest.count[i]);
    }
    if (k->batch == NULL) {
        gen_lane_slots(g, k->lanes);
        lanes_begin(g, s->accs);
    }
    gen_points(g, k, &vectors, t->number, vectors.total, t->count);
    if (k->batch == NULL && s->accs != NULL)
        lanes_join(g, s);
    gen_points(g, &one, &rest, t->number, rest.total, t->count);
}

static enum walk find_narrow(const struct pval *v, void *g) {
    bool narrow = v->kind == PV_ELEM && dtype_info[v->dtype].bits < 32;
    return narrow && gen_lane_axis(g, v) >= 0 ? WALK_STOP : WALK_IN;
}

/* Does a reduction read neighbours narrower than a word?  Loaded one by one, few bytes are under
 * way. */
static bool reads_narrow(struct gen *g, const struct pstmt *s) {
    return s->accs != NULL && !plan_walk(s->body, &(struct plan_visitor){.value = find_narrow}, g);
}

/* The thread's share of s, part t->number of t->count. */
static void share_points(struct gen *g, const struct pstmt *s) {
    struct nest n;
    int widest = 0;
    find_nest(g, s, &n);
    bool by_one = LLVMIsConstant(n.step[n.n - 1]) && LLVMConstIntGetSExtValue(n.step[n.n - 1]) == 1;
    g->lane_var = n.range[n.n - 1]->var;
    if (s->ordered) {
        gen_in_order(g, s, &n);
        return;
    }
    if (gen_step_points(g, s, &n))
        return;
    LLVMBasicBlockRef micro = begin_micro_vectors(g, s, &n, by_one);
    bool straight = is_straight(g, s->body) && !gen_is_checked(s->body);
    bool by_scalars = has_near_outputs(g) || g->abreast != NULL;
    bool of_point = g->threads->kind == UFC_KERNEL_NEST && !s->outermost;
    bool single = of_point && !reads_narrow(g, s);
    struct batch *batch = by_scalars || single ? NULL : find_batch(g, s);
    if (straight && batch != NULL && batch_is_apart(g, batch))
        batch = NULL;
    if (by_one && !by_scalars && (straight || batch != NULL))
        widest = widest_access(g, s->body);
    if (widest == 0 || widest > 8 || (batch != NULL && batch_is_apart(g, batch))) {
        if (of_point && (g->abreast != NULL || (!by_scalars && !(straight && is_light(s)))))
            batch = find_reduced(g, s);
        gen_one_by_one(g, s, batch, &n);
        end_micro_vectors(g, micro);
        return;
    }
    const struct taking k = {.spread = s, .batch = straight ? NULL : batch, .lanes = 16 / widest};
    LLVMValueRef aligned = are_aligned(g, s->body, n.lo[n.n - 1], k.lanes);
    LLVMBasicBlockRef vectors = gen_block(g, "vectors"), scalars = gen_block(g, "scalars"),
                      done = gen_block(g, "shared");
    LLVMBuildCondBr(g->b, aligned, vectors, scalars);
    gen_place(g, vectors);
    int outer = g->vector_lanes; /* local arrays have that many values at each place */
    g->vector_lanes = k.lanes;
    gen_vectors(g, &k, &n);
    g->vector_lanes = outer;
    LLVMBuildBr(g->b, done);
    gen_place(g, scalars);
    gen_one_by_one(g, s, batch, &n);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Stops at what is not made of sizes and of the indices of a reduction's first ranges. */
static enum walk find_unknown(const struct pval *v, void *spread) {
    const struct prange *r = ((const struct pstmt *)spread)->ranges;
    while (r != NULL && r->var != v->var)
        r = r->next;
    return v->kind == PV_ELEM || v->kind == PV_LOAD || (v->kind == PV_VAR && r == NULL) ? WALK_STOP
                                                                                        : WALK_IN;
}

/* The power of two below n / FURTHER_LEAST, from 1 on (i32). */
static LLVMValueRef columns_for(struct gen *g, LLVMValueRef n) {
    LLVMValueRef most = i64(g, (uint64_t)FURTHER_LEAST * WARP), one = i32(g, 1);
    n = LLVMBuildTrunc(g->b, least(g, n, most), i32_type(g), "");
    n = LLVMBuildOr(g->b, LLVMBuildUDiv(g->b, n, i32(g, FURTHER_LEAST), ""), one, "");
    LLVMValueRef args[] = {n, LLVMConstInt(i1_type(g), 1, false)};
    LLVMValueRef zeros = gen_intrinsic(g, "ctlz", NULL, args, 2);
    return LLVMBuildShl(g->b, one, subtract(g, i32(g, 31), zeros), "");
}

/* The neighbours that share the points of the first ranges, and the iterations of further ones
 * among them: the threads of a warp that have parts of the same reduction, i32, a power of two.  Of
 * NEST fewer where further ranges are short at the middle of the first ones. */
static LLVMValueRef neighbours(struct gen *g, const struct pstmt *s, const struct pstmt *further) {
    const struct threads *t = g->threads;
    if (t->kind == UFC_KERNEL_SCATTER)
        return param_i32(g, PARAM(columns));
    if (t->kind != UFC_KERNEL_NEST)
        return t->lane_mask == NULL ? i32(g, WARP) : t->group;
    if (!value_walk(further->lo, find_unknown, (void *)s) ||
        !value_walk(further->hi, find_unknown, (void *)s) ||
        !value_walk(further->step, find_unknown, (void *)s))
        return t->lanes;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        LLVMValueRef lo = gen_value(g, r->lo), step = gen_value(g, r->step);
        LLVMValueRef n = gen_count(g, lo, gen_value(g, r->hi), step);
        n = multiply(g, LLVMBuildLShr(g->b, n, i64(g, 1), ""), step);
        LLVMBuildStore(g->b, add(g, lo, n), var_of(g, r->var)->slot);
    }
    LLVMValueRef n = gen_count(g, gen_value(g, further->lo), gen_value(g, further->hi),
                               gen_value(g, further->step));
    LLVMValueRef columns = columns_for(g, n);
    return gen_select(g, compare(g, LLVMIntULT, columns, t->lanes), columns, t->lanes);
}

void gen_share(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    const struct pstmt *further =
        t->kind == UFC_KERNEL_SCATTER ? ragged_loop(s) : shared_further(s);
    if (further == NULL) {
        share_points(g, s);
        return;
    }
    struct threads rows = *t;
    LLVMValueRef columns = neighbours(g, s, further);
    LLVMValueRef shift = extended(g, trailing_zeros(g, columns));
    g->columns = extended(g, columns);
    g->column = both(g, t->number, subtract(g, g->columns, i64(g, 1)));
    rows.number = LLVMBuildLShr(g->b, t->number, shift, "");
    rows.count = LLVMBuildLShr(g->b, t->count, shift, "");
    if (t->kind == UFC_KERNEL_SCATTER) { /* whose threads may be no multiple of them */
        LLVMValueRef has = compare(g, LLVMIntULT, rows.number, rows.count);
        rows.number = gen_select(g, has, rows.number, i64(g, INT64_MAX));
    }
    g->threads = &rows;
    share_points(g, s);
    g->threads = t;
    g->columns = NULL;
}

/* Are there more ranges than a struct nest has room for? */
static bool too_deep(const struct pstmt *s) {
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        n++;
    return n > MAX_RANGES;
}

/* The block of the call that has a row, i64: i32.  Sizes are below 2^31 where there are several; a
 * range may begin below 0. */
static LLVMValueRef owner_of(struct gen *g, LLVMValueRef row) {
    const struct threads *t = g->threads;
    row = LLVMBuildTrunc(g->b, row, i32_type(g), "");
    if (t->kind == UFC_KERNEL_CLUSTER) /* of a power of two of them */
        return LLVMBuildAnd(g->b, row, subtract(g, t->blocks, i32(g, 1)), "");
    row = LLVMBuildSRem(g->b, row, t->blocks, "");
    LLVMValueRef below = compare(g, LLVMIntSLT, row, i32(g, 0));
    return gen_select(g, below, add(g, row, t->blocks), row);
}

/* i1: the block has the row that a statement stores to. */
static LLVMValueRef is_owner(struct gen *g, const struct pstmt *s) {
    return compare(g, LLVMIntEQ, owner_of(g, gen_value(g, s->owner)), g->threads->block);
}

/* Finds the share of a block of a definition that has rows as its first range has indices: those
 * that it has of the rows of any such definition. */
static void find_own(struct gen *g, const struct pstmt *s, struct threads *own) {
    const struct threads *t = g->threads;
    LLVMValueRef blocks = extended(g, t->blocks);
    LLVMValueRef at = subtract(g, t->block, owner_of(g, gen_value(g, s->ranges->lo)));
    LLVMValueRef before = compare(g, LLVMIntSLT, at, i32(g, 0));
    own->own = extended(g, gen_select(g, before, add(g, at, t->blocks), at));
    own->number = add(g, own->own, multiply(g, t->member, blocks));
    own->count = multiply(g, t->members, blocks);
}

/* Are the points of a definition rows, for each of which all threads of one of several blocks have
 * work? */
static bool in_blocks(const struct threads *t, const struct pstmt *s) {
    return t->kind == UFC_KERNEL_BLOCK && t->blocks != NULL && has_inner_definitions(s);
}

static void threads_spread(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct threads own = *t;
    LLVMBasicBlockRef after = NULL;
    if (too_deep(s) || (has_steps(g) && is_brief(s))) {
        gen_stmts(g, s->serial);
        return;
    }
    if (has_portions(g, s)) {
        gen_portions(g, s);
        return;
    }
    if (s->owner != NULL && t->blocks != NULL && s->owner->var == s->ranges->var) {
        find_own(g, s, &own);
    } else if (s->owner != NULL && t->blocks != NULL) {
        after = begin_if(g, is_owner(g, s));
        own.number = t->member;
        own.count = t->members;
        own.blocks = NULL;
    }
    if (s->accs != NULL && t->together == NULL) {
        if (after == NULL)
            load_early(g, s);
        own.number = t->member;
        own.count = t->members;
    }
    if (has_columns(g) && !s->held)
        own.number = gen_select(g, t->together->exists, t->number, i64(g, INT64_MAX));
    g->threads = &own;
    if (t->held != NULL && s->held)
        gen_held_spread(g, s);
    else if (has_steps(g) && t->lane_mask == NULL && has_inner_spreads(s))
        (in_blocks(&own, s) ? gen_in_blocks : gen_in_lanes)(g, s);
    else if (has_adding_lanes(g, s))
        gen_series_points(g, s);
    else
        gen_share(g, s);
    g->threads = t;
    if (s->accs != NULL)
        join_call(g, s);
    if (after != NULL)
        end_if(g, after);
}

/* Begins what the call's first thread does alone, or that of the block that has the row. */
static LLVMBasicBlockRef begin_first(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    bool owned = s->owner != NULL && t->blocks != NULL;
    LLVMValueRef first = compare(g, LLVMIntEQ, owned ? t->member : t->number, i64(g, 0));
    if (owned)
        first = both(g, first, is_owner(g, s));
    if (has_columns(g))
        first = both(g, first, t->together->exists);
    return begin_if(g, first);
}

/* A PS_PUT outside of PS_SPREADs. */
static void threads_put(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef after = begin_first(g, s);
    put_with_early(g, s);
    end_if(g, after);
}

static bool threads_set(struct gen *g, const struct pstmt *s) {
    if (!s->by_first)
        return false;
    LLVMBasicBlockRef after = begin_first(g, s);
    LLVMBuildStore(g->b, gen_value(g, s->value), gen_slot_of(g, s->var));
    end_if(g, after);
    return true;
}

bool threads_loop(struct gen *g, const struct pstmt *s) {
    const struct sharing *outer = g->sharing;
    if (!s->by_first)
        return lanes_loop(g, s);
    LLVMBasicBlockRef after = begin_first(g, s);
    g->sharing = NULL;
    g->early_words = EARLY_WORDS;
    g->early_copies = EARLY_COPIES;
    g->early_grouped = true;
    gen_list(g, s, s->next);
    g->early_words = 0;
    g->sharing = outer;
    end_if(g, after);
    return true;
}

/* A PS_FOR with accs, or of iterations that follow one another.  Where threads of several blocks
 * have the call, they all run a scan. */
static bool shared_scan(struct gen *g, const struct pstmt *s) {
    if (s->accs == NULL)
        return s->lag > 0 && gen_following(g, s);
    if (has_steps(g))
        return false;
    struct scan_room room = scan_room(g, s);
    threads_scan(g, s, &room);
    return true;
}

const struct sharing by_threads = {.spread = threads_spread,
                                   .put = threads_put,
                                   .sync = threads_sync,
                                   .scan = shared_scan,
                                   .set = threads_set,
                                   .loop = threads_loop,
                                   .until = loop_in_step,
                                   .shares_loops = true};
