/* nest.c: NEST, whose threads have points of any calls, and parts of the reductions at each point.
 *
 * A launch runs one phase: straight code, a PS_SPREAD, straight code.  The points of a definition
 * are those of its ranges in all calls; a reduction that is itself a statement of the call has one
 * point a call.  Where blocks share a point they leave partial results in the workspace, and one
 * more launch joins them and goes on behind the reduction. */
#include "gufunc.h"

LLVMValueRef nest_i32(struct gen *g, size_t member) {
    return param_i32(g, gufunc_nest_param(g) + member);
}

LLVMValueRef nest_i64(struct gen *g, size_t member) {
    return param_i64(g, gufunc_nest_param(g) + member);
}

/* ---- the thread's point and part */

static LLVMValueRef shifted(struct gen *g, LLVMValueRef v, LLVMValueRef by, LLVMValueRef mask) {
    return both(g, LLVMBuildLShr(g->b, v, by, ""), mask);
}

static LLVMValueRef patch_i32(struct gen *g, int axis, size_t member) {
    size_t patch = offsetof(struct ufc_kparam_nest, patch);
    return nest_i32(g, patch + (size_t)axis * sizeof(struct ufc_patch) + member);
}

#define PATCH_I32(g, axis, member) patch_i32(g, axis, offsetof(struct ufc_patch, member))

/* Takes the lowest bits of *number off, as many as `bits` says. */
static LLVMValueRef take_bits(struct gen *g, LLVMValueRef *number, LLVMValueRef bits) {
    LLVMValueRef ones = LLVMBuildNot(g->b, LLVMBuildShl(g->b, i32(g, UINT32_MAX), bits, ""), "");
    LLVMValueRef low = both(g, *number, ones);
    *number = LLVMBuildLShr(g->b, *number, bits, "");
    return low;
}

/* The thread's point in the patches of its block, `points` where it has none. */
static LLVMValueRef patch_point(struct gen *g, const struct threads *t) {
    LLVMValueRef thread = t->tid, block = t->ctaid, size[2], lanes[2], along[2];
    LLVMValueRef inside = LLVMConstAllOnes(i1_type(g)), bits = i32(g, 0);
    for (int i = 0; i < 2; i++) {
        lanes[i] = PATCH_I32(g, i, lanes);
        along[i] = take_bits(g, &thread, lanes[i]);
        bits = add(g, bits, lanes[i]);
    }
    for (int i = 0; i < 2; i++) {
        LLVMValueRef warps = PATCH_I32(g, i, warps), number = PATCH_I32(g, i, number);
        LLVMValueRef next = LLVMBuildUDiv(g->b, block, number, "");
        LLVMValueRef first = subtract(g, block, multiply(g, next, number));
        first = LLVMBuildShl(g->b, first, warps, "");
        first = add(g, first, take_bits(g, &thread, warps));
        along[i] = add(g, along[i], LLVMBuildShl(g->b, first, lanes[i], ""));
        size[i] = PATCH_I32(g, i, size);
        inside = both(g, inside, compare(g, LLVMIntULT, along[i], size[i]));
        bits = add(g, bits, warps);
        block = next;
    }
    LLVMValueRef patches =
        LLVMBuildLShr(g->b, add(g, NEST_I32(g, point_mask), i32(g, 1)), bits, "");
    LLVMValueRef point = add(g, multiply(g, block, patches), thread);
    point = add(g, along[1], multiply(g, size[1], point));
    point = add(g, along[0], multiply(g, size[0], point));
    return gen_select(g, inside, point, t->points);
}

/* The thread's point among neighbours, in a block's group of them. */
static LLVMValueRef linear_point(struct gen *g, const struct threads *t, LLVMValueRef group) {
    LLVMValueRef mask = NEST_I32(g, point_mask);
    return add(g, multiply(g, group, add(g, mask, i32(g, 1))),
               shifted(g, t->tid, NEST_I32(g, point_shift), mask));
}

/* The block's number among those that share points: without a division where each has its own. */
static LLVMValueRef block_of_point(struct gen *g, const struct threads *t, LLVMValueRef groups) {
    LLVMBasicBlockRef own = LLVMGetInsertBlock(g->b), several = gen_block(g, "several"),
                      found = gen_block(g, "block");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGT, t->blocks, i32(g, 1)), several, found);
    gen_place(g, several);
    LLVMValueRef block = LLVMBuildUDiv(g->b, t->ctaid, groups, "");
    LLVMBuildBr(g->b, found);
    gen_place(g, found);
    return phi2(g, own, i32(g, 0), several, block);
}

static void find_point(struct gen *g, struct threads *t) {
    LLVMValueRef one = i32(g, 1), parts = NEST_I32(g, part_mask);
    t->phase = param_i32(g, PARAM(phase));
    t->blocks = param_i32(g, PARAM(blocks));
    t->points = NEST_I32(g, points);
    t->lanes = NEST_I32(g, lanes);
    t->parts = add(g, parts, one);
    t->part = shifted(g, t->tid, NEST_I32(g, part_shift), parts);
    LLVMValueRef groups = NEST_I32(g, groups);
    t->block = block_of_point(g, t, groups);
    LLVMValueRef group = subtract(g, t->ctaid, multiply(g, t->block, groups));
    LLVMBasicBlockRef patch = gen_block(g, "patch"), linear = gen_block(g, "linear"),
                      found = gen_block(g, "point");
    LLVMBuildCondBr(g->b, is_set(g, NEST_I32(g, patched)), patch, linear);
    gen_place(g, patch);
    LLVMValueRef in_patch = patch_point(g, t);
    LLVMBuildBr(g->b, found);
    gen_place(g, linear);
    LLVMValueRef in_line = linear_point(g, t, group);
    LLVMBuildBr(g->b, found);
    gen_place(g, found);
    t->point = phi2(g, patch, in_patch, linear, in_line);
    t->has_point = compare(g, LLVMIntULT, t->point, t->points);
    /* A thread without a point takes part in barriers: as if at the last point, with no share. */
    t->point = gen_select(g, t->has_point, t->point, subtract(g, t->points, one));
    t->number = extended(g, add(g, multiply(g, t->block, t->parts), t->part));
    t->number = gen_select(g, t->has_point, t->number, i64(g, INT64_MAX));
    t->count = extended(g, multiply(g, t->blocks, t->parts));
    t->leads = both(g, t->has_point, compare(g, LLVMIntEQ, t->part, i32(g, 0)));
    t->once = both(g, compare(g, LLVMIntEQ, t->block, i32(g, 0)),
                   compare(g, LLVMIntEQ, NEST_I32(g, again), i32(g, 0)));
}

/* The ranges of the definition that has the most. */
static int most_ranges(const struct plan *p) {
    int n = 0;
    for (int i = 0; i < p->map.phases; i++)
        if ((int)p->map.phase[i].ranges > n)
            n = (int)p->map.phase[i].ranges;
    return n;
}

/* Stops at a definition of whose range *i positions may not fit 31 bits. */
static enum walk find_long(const struct pstmt *s, void *i) {
    if (s->kind != PS_SPREAD || s->accs != NULL)
        return WALK_IN;
    const struct prange *r = s->ranges;
    for (int k = 0; r != NULL && k < *(const int *)i; k++)
        r = r->next;
    return r != NULL && !r->narrow ? WALK_STOP : WALK_PAST;
}

/* Sets the positions, the operands of the point's call, and the place of the call's results. */
static void find_call(struct gen *g, struct threads *t) {
    size_t at = gufunc_nest_param(g);
    const struct plan_visitor is_long = {.stmt = find_long};
    struct moved moved[1 + UFC_MAX_POINT_RANGES] = {{PARAM(result), false}};
    LLVMValueRef more[1 + UFC_MAX_POINT_RANGES], sum = i64(g, 0);
    int n = most_ranges(g->plan);
    for (int i = 0; i < n; i++) {
        size_t row = (size_t)i * UFC_MAX_AXES * sizeof(int64_t);
        moved[1 + i] = (struct moved){at + offsetof(struct ufc_kparam_nest, position) + row,
                                      plan_walk(g->plan->body, &is_long, &i)};
    }
    gufunc_find_place(g, t->point, moved, 1 + n, more);
    t->results = add(g, param_i64(g, PARAM(results)), more[0]);
    for (int i = 0; i < n; i++) {
        t->position[i] = more[1 + i];
        sum = LLVMBuildOr(g->b, sum, more[1 + i], "");
    }
    t->leads_call = both(g, t->leads, compare(g, LLVMIntEQ, sum, i64(g, 0)));
}

/* ---- reductions */

/* Bytes of a partial result. */
static uint64_t acc_bytes(const struct pstmt *s) {
    uint64_t bytes = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        bytes += 8;
    return bytes;
}

/* Partial results of the points that a thread has at once, in the workspace. */
struct partials {
    const struct pstmt *s;
    LLVMValueRef at; /* i64: the address of the first point's */
};

/* Those of part number `part` (i64). */
static struct partials partials_of(struct gen *g, const struct pstmt *s, LLVMValueRef part) {
    const struct threads *t = g->threads;
    uint64_t points = t->abreast > 0 ? (uint64_t)t->abreast : 1;
    LLVMValueRef number = multiply(g, part, extended(g, t->points));
    number = multiply(g, add(g, number, extended(g, t->point)), i64(g, points * acc_bytes(s)));
    return (struct partials){s, add(g, NEST_I64(g, parts), number)};
}

static LLVMValueRef partial_at(struct gen *g, const struct partials *p, int k) {
    return add(g, p->at, i64(g, (uint64_t)k * acc_bytes(p->s)));
}

static void add_partial(struct gen *g, int k, const void *partials) {
    const struct partials *p = partials;
    accs_from_memory(g, p->s->accs, partial_at(g, p, k), true);
    gen_stmts(g, p->s->joined);
}

static void put_partial(struct gen *g, int k, const void *partials) {
    const struct partials *p = partials;
    accs_to_memory(g, p->s->accs, partial_at(g, p, k));
}

/* The thread's share of the partial results that an earlier launch left: every t->count-th, or in
 * an ordered reduction a run of them, which join_parts joins with the other parts' in order. */
static void load_partials(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMValueRef first = t->number, apart = t->count, end = extended(g, NEST_I32(g, joined));
    if (s->ordered) {
        LLVMValueRef up = add(g, end, LLVMBuildSub(g->b, t->count, i64(g, 1), ""));
        LLVMValueRef run = LLVMBuildUDiv(g->b, up, t->count, "");
        first = gen_select(g, t->has_point, multiply(g, run, extended(g, t->part)), end);
        end = least(g, add(g, first, run), end);
        apart = i64(g, 1);
    }
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    struct partials p = partials_of(g, s, l.phi[0]);
    at_each_point(g, add_partial, &p);
    LLVMValueRef next = add(g, l.phi[0], apart);
    loop_end(g, &l, &next);
}

/* Where blocks share the point they leave their results, and end. */
static void store_partial(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef split = gen_block(g, "split"), whole = gen_block(g, "whole");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGT, t->blocks, i32(g, 1)), split, whole);
    gen_place(g, split);
    LLVMBasicBlockRef after = begin_if(g, t->leads);
    struct partials p = partials_of(g, s, extended(g, t->block));
    at_each_point(g, put_partial, &p);
    end_if(g, after);
    LLVMBuildBr(g->b, t->end);
    gen_place(g, whole);
}

/* The thread's share of s. */
static void share_near(struct gen *g, const struct pstmt *s) {
    struct near near;
    if (g->abreast == NULL)
        near_begin(g, &near, s);
    gen_share(g, s);
    g->near = NULL;
}

/* Sets the accs of s, a reduction at the point, for all threads that have parts of it. */
static void gen_parted(struct gen *g, const struct pstmt *s, bool splits) {
    struct threads own = *g->threads;
    const struct threads *t = g->threads;
    if (splits) {
        LLVMBasicBlockRef load = gen_block(g, "load"), share = gen_block(g, "share"),
                          done = gen_block(g, "reduced");
        LLVMBuildCondBr(g->b, is_set(g, NEST_I32(g, joined)), load, share);
        gen_place(g, load);
        load_partials(g, s);
        LLVMBuildBr(g->b, done);
        gen_place(g, share);
        share_near(g, s);
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    } else
        share_near(g, s);
    own.words = join_words(g, s);
    g->threads = &own;
    join_parts(g, s);
    g->threads = t;
    if (splits)
        store_partial(g, s);
}

/* ---- definitions within a point's */

/* The operands that a list stores to, and those that it reads, a bit each; in a loop: others. */
struct accessed {
    const struct plan *plan;
    const struct pstmt *skipped; /* a definition, which is not looked into */
    const struct pval *place;    /* of the statement at hand, which is no read */
    uint64_t stored, read;
    bool local; /* it has arrays of its own, or merges */
};

static enum walk add_read(const struct pval *v, void *arg) {
    struct accessed *x = arg;
    if (v->kind == PV_ELEM && v != x->place && v->operand < x->plan->noperands)
        x->read |= UINT64_C(1) << v->operand;
    x->local = x->local || (v->kind == PV_ELEM && v->operand >= x->plan->noperands);
    return WALK_IN;
}

static enum walk add_accessed(const struct pstmt *s, void *arg) {
    struct accessed *x = arg;
    if (s == x->skipped)
        return WALK_PAST;
    x->place = s->place;
    stmt_values(s, add_read, x);
    x->local = x->local || s->merged || s->kind == PS_CLEAR;
    if (s->kind == PS_PUT)
        x->stored |= UINT64_C(1) << s->operand;
    return WALK_IN;
}

static struct accessed accesses_of(const struct plan *p, const struct pstmt *list,
                                   const struct pstmt *skipped) {
    struct accessed x = {.plan = p, .skipped = skipped};
    plan_walk(list, &(struct plan_visitor){.stmt = add_accessed}, &x);
    return x;
}

/* Stops at what may differ between threads of a point, as results of reductions do by rounding. */
static enum walk find_unshared(const struct pval *v, void *definition) {
    const struct prange *r = ((const struct pstmt *)definition)->ranges;
    while (r != NULL && r->var != v->var)
        r = r->next;
    bool same = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                (v->kind == PV_VAR && r != NULL);
    return same ? WALK_IN : WALK_STOP;
}

static bool have_same_bounds(const struct pstmt *definition, const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (!value_walk(r->lo, find_unshared, (void *)(uintptr_t)definition) ||
            !value_walk(r->hi, find_unshared, (void *)(uintptr_t)definition) ||
            !value_walk(r->step, find_unshared, (void *)(uintptr_t)definition))
            return false;
    return true;
}

/* May the threads that share the reductions of a point share a definition there too, each storing
 * what it computes: nothing else at the point accesses what it stores, nor does it read that. */
static bool is_shareable(const struct gen *g, const struct pstmt *s) {
    const struct pstmt *definition = g->threads->definition, *in = definition->body;
    while (in != NULL && in != s)
        in = in->next;
    if (in == NULL || s->accs != NULL || g->abreast != NULL || g->plan->checked ||
        !have_same_bounds(definition, s))
        return false;
    struct pstmt only = *s;
    only.next = NULL;
    struct accessed own = accesses_of(g->plan, &only, NULL);
    struct accessed others = accesses_of(g->plan, definition->body, s);
    return !own.local && !others.local && own.stored != 0 &&
           !(own.stored & (own.read | others.stored | others.read)) && !(own.read & others.stored);
}

static void share_definition(struct gen *g, const struct pstmt *s) {
    const struct sharing *sharing = g->sharing;
    bool (*in_order)(struct gen *, const struct pstmt *) = g->in_order;
    g->sharing = NULL;
    g->in_order = NULL;
    gen_share(g, s);
    g->in_order = in_order;
    g->sharing = sharing;
}

/* g->in_order, at a point: takes the reductions that threads share, and definitions. */
static bool take_parted(struct gen *g, const struct pstmt *s) {
    const struct plan *p = g->plan;
    if (!s->parted && is_shareable(g, s)) {
        share_definition(g, s);
        return true;
    }
    if (!s->parted)
        return false;
    gen_parted(g, s, p->map.phase[s->phase].bytes > 0);
    return true;
}

/* ---- definitions */

static void put_leads(struct gen *g, const struct pstmt *s) {
    LLVMValueRef stores = g->threads->leads, own = is_own_point(g);
    stores = own != NULL ? both(g, stores, own) : stores;
    LLVMBasicBlockRef after = begin_if(g, stores);
    gen_put_here(g, s);
    end_if(g, after);
}

static const struct sharing by_parts = {
    .put = put_leads, .put_all = put_sliding, .loop = gen_sliding_loop};

static void gen_one_point(struct gen *g, const struct pstmt *s, const struct at *at) {
    (void)at;
    gen_stmts(g, s->body);
}

/* One point, or those that the thread has at once, as f generates them; threads share their
 * reductions. */
static void gen_shared_points(struct gen *g, const struct pstmt *s, const struct at *at,
                              uint32_t points,
                              void (*f)(struct gen *, const struct pstmt *, const struct at *)) {
    struct threads own = *g->threads;
    const struct threads *t = g->threads;
    own.definition = s;
    own.abreast = (int)points;
    g->threads = &own;
    g->sharing = &by_parts;
    g->in_order = take_parted;
    f(g, s, at);
    g->in_order = NULL;
    g->threads = t;
}

/* ---- scans at points */

static void put_existing(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef after = begin_if(g, g->threads->has_point);
    gen_put_here(g, s);
    end_if(g, after);
}

static const struct sharing of_existing = {.put = put_existing};

/* A scan at the point of a block, or of a warp, whose threads have neighbours of its iterations. */
static void scan_along(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef block = gen_block(g, "block"), warp = gen_block(g, "warp"),
                      done = gen_block(g, "along");
    struct threads own = *g->threads;
    const struct threads *t = g->threads;
    struct scan_room room = scan_room(g, s);
    g->threads = &own;
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGT, t->parts, i32(g, WARP)), block, warp);
    gen_place(g, block);
    threads_scan(g, s, &room);
    LLVMBuildBr(g->b, done);
    gen_place(g, warp);
    own.lane_mask = i32(g, UINT32_MAX);
    own.group = i32(g, WARP);
    LLVMBasicBlockRef after = begin_if(g, t->has_point);
    threads_scan(g, s, &room);
    end_if(g, after);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    g->threads = t;
}

/* Threads have neighbours of a point's iterations, or the lanes of a warp are at neighbouring
 * points, and its warps have parts of each. */
static bool scan_at_point(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef along = gen_block(g, "neighbours"), across = gen_block(g, "across"),
                      done = gen_block(g, "scanned");
    LLVMBuildCondBr(g->b, is_set(g, NEST_I32(g, part_shift)), across, along);
    gen_place(g, along);
    scan_along(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, across);
    g->sharing = &of_existing;
    strip_scan(g, s);
    g->sharing = NULL;
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return true;
}

/* A point whose scan threads share, where there are several to it. */
static void gen_scanned_point(struct gen *g, const struct pstmt *s, const struct at *at) {
    static const struct sharing by_parts_of_scans = {.scan = scan_at_point};
    LLVMBasicBlockRef alone = gen_block(g, "alone"), shared = gen_block(g, "shared"),
                      done = gen_block(g, "defined");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, g->threads->parts, i32(g, 1)), alone, shared);
    gen_place(g, alone);
    gen_own_points(g, s, at);
    LLVMBuildBr(g->b, done);
    gen_place(g, shared);
    g->sharing = &by_parts_of_scans;
    gen_stmts(g, s->body);
    g->sharing = NULL;
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- a definition */

/* i1: no threads share points, in this launch or an earlier one. */
static LLVMValueRef are_alone(struct gen *g) {
    LLVMValueRef many = subtract(g, multiply(g, g->threads->parts, g->threads->blocks), i32(g, 1));
    LLVMValueRef any = LLVMBuildOr(g->b, many, NEST_I32(g, joined), "");
    return compare(g, LLVMIntEQ, any, i32(g, 0));
}

/* Where the launch has threads take points in a way, f generates them, and goes on at `done`. */
static void gen_where(struct gen *g, const struct pstmt *s, const struct at *at, uint32_t way,
                      uint32_t points,
                      void (*f)(struct gen *, const struct pstmt *, const struct at *),
                      LLVMBasicBlockRef done) {
    LLVMBasicBlockRef here = gen_block(g, "together"), other = gen_block(g, "others");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, NEST_I32(g, abreast), i32(g, way)), here, other);
    gen_place(g, here);
    gen_shared_points(g, s, at, points, f);
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
}

/* Points that have series: a warp for one or for neighbours, or a thread each. */
static void gen_points_of_series(struct gen *g, const struct pstmt *s, const struct at *at) {
    LLVMBasicBlockRef alone = gen_block(g, "alone"), warps = gen_block(g, "warps"),
                      done = gen_block(g, "defined");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, g->threads->parts, i32(g, 1)), alone, warps);
    gen_place(g, alone);
    gen_own_points(g, s, at);
    LLVMBuildBr(g->b, done);
    gen_place(g, warps);
    gen_warp_points(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Points without reductions that threads share. */
static void gen_unshared(struct gen *g, const struct pstmt *s, const struct at *at) {
    g->early_words = has_64_bits(g->plan) ? 2 * EARLY_HELD : EARLY_HELD;
    g->early_copies = EARLY_STEPS;
    g->early_grouped = false;
    (g->plan->map.phase[s->phase].units > 0 ? gen_scanned_point
     : has_adding_lanes(g, s)               ? gen_points_of_series
                                            : gen_own_points)(g, s, at);
    g->early_words = 0;
}

/* Points by one thread, or by several. */
static void gen_alone_or_shared(struct gen *g, const struct pstmt *s, const struct at *at) {
    LLVMBasicBlockRef alone = gen_block(g, "alone"), shared = gen_block(g, "shared"),
                      done = gen_block(g, "each");
    LLVMBuildCondBr(g->b, are_alone(g), alone, shared);
    gen_place(g, alone);
    gen_own_points(g, s, at);
    LLVMBuildBr(g->b, done);
    gen_place(g, shared);
    gen_shared_points(g, s, at, 0, gen_one_point);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static void gen_definition(struct gen *g, const struct pstmt *s) {
    const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
    LLVMBasicBlockRef done = gen_block(g, "defined");
    struct at at;
    find_point_ranges(g, s, &at);
    for (int i = 0; i < at.n; i++)
        set_position(g, &at, i, g->threads->position[i]);
    if (phase->abreast > 0)
        gen_where(g, s, &at, UFC_ABREAST, phase->abreast, gen_several_points, done);
    if (phase->micro[0] > 0)
        gen_where(g, s, &at, UFC_MICROTILE, phase->micro[0] * phase->micro[1], gen_microtile, done);
    (phase->reductions == 0 ? gen_unshared : gen_alone_or_shared)(g, s, &at);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- phases */

/* In the launch of its phase a PS_SPREAD is computed.  In later ones the results of a reduction are
 * loaded, in earlier ones the thread ends. */
static void nest_spread(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    LLVMValueRef own = i32(g, (uint32_t)s->phase);
    LLVMValueRef results = add(g, t->results, i64(g, (uint64_t)s->partial));
    LLVMBasicBlockRef work = gen_block(g, "work"), later = gen_block(g, "later"),
                      done = gen_block(g, "done"), not_own = gen_block(g, "not_own");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, t->phase, own), work, not_own);
    gen_place(g, work);
    g->unstored = ~g->plan->map.stored[s->phase];
    if (s->accs == NULL)
        gen_definition(g, s);
    else {
        gen_parted(g, s, true);
        LLVMBasicBlockRef after = begin_if(g, t->leads);
        if (s->phase + 1 < g->plan->map.phases)
            accs_to_memory(g, s->accs, results);
        end_if(g, after);
    }
    g->unstored = 0;
    LLVMBuildBr(g->b, done);
    gen_place(g, not_own);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntULT, t->phase, own), t->end, later);
    gen_place(g, later);
    if (s->accs != NULL)
        accs_from_memory(g, s->accs, results, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static enum walk find_same(const struct pstmt *s, void *put) {
    return s == put ? WALK_STOP : WALK_IN;
}

/* Does a PS_PUT come before the points of its phase?  Then all launches of the phase reach it;
 * behind them only that which joins what blocks have. */
static bool comes_before(const struct plan *p, const struct pstmt *put) {
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD && s->phase == put->phase)
            return plan_walk(s->next, &(struct plan_visitor){.stmt = find_same}, (void *)put);
    return false;
}

void put_in_phase(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct pstmt only = *s;
    only.next = NULL;
    struct accessed a = accesses_of(g->plan, &only, NULL);
    LLVMValueRef own = compare(g, LLVMIntEQ, t->phase, i32(g, (uint32_t)s->phase));
    own = both(g, own, t->leads_call);
    if (t->once != NULL && a.read >> g->plan->nin != 0 && comes_before(g->plan, s))
        own = both(g, own, t->once);
    LLVMBasicBlockRef after = begin_if(g, own);
    gen_store_to(g, s->place, gen_value(g, s->value));
    end_if(g, after);
}

/* Threads of launches of earlier phases end. */
static void end_earlier(struct gen *g, int phase) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef begun = gen_block(g, "begun");
    LLVMValueRef earlier = compare(g, LLVMIntULT, t->phase, i32(g, (uint32_t)phase));
    LLVMBuildCondBr(g->b, earlier, t->end, begun);
    gen_place(g, begun);
}

void pass_spread(struct gen *g, const struct pstmt *s) {
    end_earlier(g, s->phase);
    if (s->accs != NULL)
        accs_from_memory(g, s->accs, add(g, g->threads->results, i64(g, (uint64_t)s->partial)),
                         false);
}

bool pass_scan(struct gen *g, const struct pstmt *s) {
    end_earlier(g, s->phase);
    return true;
}

void sync_in_phase(struct gen *g, const struct pstmt *s) {
    if (s->kind != PS_SPREAD && !is_phase_loop(s))
        end_earlier(g, s->phase);
}

static const struct sharing by_points = {
    .spread = nest_spread, .put = put_in_phase, .sync = sync_in_phase, .scan = pass_scan};

void gen_nest_kernel(struct gen *g, struct threads *t) {
    gufunc_find_thread(g, t);
    find_point(g, t);
    find_call(g, t);
    find_lane_series(g, t);
    t->end = gen_block(g, "end");
    if (g->plan->checked)
        g->fault = global_pointer(g, param_i64(g, PARAM(fault)));
    gen_variables(g, 1);
    gen_local_arrays(g);
    g->copies = UNROLLED_POINTS;
    g->ahead = g->plan->checked ? 0 : NEST_POINT_STEPS;
    g->sharing = &by_points;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
