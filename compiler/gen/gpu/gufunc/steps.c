/* steps.c: what the steps of ordered loops need beside spread.c: barriers, of which those among
 * several blocks are made of a counter in global memory; and points that have several threads.
 * step_points.c has those that have one. */
#include "gufunc.h"

/* ---- barriers */

/* The counter is 0 at first. */
void blocks_arrive(struct gen *g, LLVMValueRef blocks) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
    LLVMBuildStore(g->b, add(g, LLVMBuildLoad2(g->b, i32_type(g), t->turn, ""), blocks), t->turn);
    gpu(g)->arrive(g, t->counter, i32(g, 1));
    end_if(g, after);
}

void blocks_await(struct gen *g) {
    const struct threads *t = g->threads;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, t->tid, i32(g, 0)));
    LLVMValueRef turn = LLVMBuildLoad2(g->b, i32_type(g), t->turn, "");
    struct loop l;
    loop_begin(g, &l, 0, NULL);
    loop_while(g, &l, compare(g, LLVMIntULT, gpu(g)->arrived(g, t->counter), turn));
    loop_end(g, &l, NULL);
    end_if(g, after);
    gpu(g)->barrier(g);
}

void threads_sync(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    if (s->sync && t->lane_mask != NULL)
        gpu(g)->warp_barrier(g, t->lane_mask);
    bool blocks =
        t->blocks != NULL && (t->kind == UFC_KERNEL_BLOCK ? s->sync_portions : s->sync_blocks);
    if (t->lane_mask != NULL || (!s->sync && !blocks))
        return;
    if (blocks && t->counter == NULL) {
        gpu(g)->cluster_barrier(g);
        return;
    }
    gpu(g)->barrier(g);
    if (!blocks)
        return;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntUGT, t->blocks, i32(g, 1)));
    blocks_arrive(g, t->blocks);
    blocks_await(g);
    end_if(g, after);
}

/* ---- what a result is made of */

struct search {
    struct gen *g;
    struct early *early;
    const struct pstmt *reduction;
};

static bool is_set_since(const struct search *x, const struct pvar *v) {
    for (const struct pacc *a = x->reduction->accs; a != NULL; a = a->next)
        if (a->acc == v)
            return true;
    for (const struct pstmt *s = x->reduction->next; s != x->early->put; s = s->next)
        if (s->var == v)
            return true;
    return false;
}

/* Is a subscript known before the reduction? */
static enum walk take_known(const struct pval *v, void *arg) {
    bool later = v->kind == PV_ELEM || (v->kind == PV_VAR && is_set_since(arg, v->var));
    return later ? WALK_STOP : WALK_IN;
}

static enum walk take_input(const struct pval *v, void *arg) {
    struct search *x = arg;
    struct early *e = x->early;
    bool known = v->kind == PV_ELEM && v->operand < x->g->plan->nin && v->checked == 0;
    for (int i = 0; known && i < v->nargs; i++)
        known = value_walk(v->args[i], take_known, x);
    if (known && e->n < (int)(sizeof e->held / sizeof e->held[0])) {
        e->held[e->n].place = v;
        e->n++;
    }
    return v->kind == PV_SELECT || v->kind == PV_ELEM ? WALK_PAST : WALK_IN;
}

void load_early(struct gen *g, const struct pstmt *reduction) {
    struct early *e = g->threads->early;
    if (e == NULL)
        return;
    const struct pstmt *put = reduction->next;
    while (put != NULL && put->kind == PS_SET)
        put = put->next;
    *e = (struct early){.put = put};
    if (put == NULL || put->kind != PS_PUT)
        return;
    value_walk(put->value, take_input, &(struct search){g, e, reduction});
    for (int i = 0; i < e->n; i++)
        e->held[i].value = gen_value(g, e->held[i].place);
}

void put_with_early(struct gen *g, const struct pstmt *s) {
    const struct early *e = g->threads->early;
    if (e != NULL && e->put == s) {
        g->held = e->held;
        g->nheld = e->n;
    }
    gen_put_here(g, s);
    g->nheld = 0;
}

/* ---- points */

/* The statement's points, by the threads of a point. */
static void share_by_members(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct threads own = *t;
    own.number = t->member;
    own.count = t->members;
    g->threads = &own;
    gen_share(g, s);
    g->threads = t;
}

/* A reduction or a definition at a point: by the point's lanes. */
static void lanes_spread(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    if (is_brief(s)) {
        gen_stmts(g, s->serial);
        return;
    }
    if (s->accs == NULL)
        gpu(g)->warp_barrier(g, t->lane_mask);
    else
        load_early(g, s);
    share_by_members(g, s);
    if (s->accs == NULL)
        gpu(g)->warp_barrier(g, t->lane_mask);
    else
        join_warp(g, s, t->group);
}

static enum walk find_read(const struct pval *v, void *place) {
    const struct pval *p = place;
    return v != p && v->kind == PV_ELEM && v->operand == p->operand ? WALK_STOP : WALK_IN;
}

/* Do statements read elements of the array that s stores to? */
static bool reads_stored(const struct pstmt *list, const struct pstmt *s) {
    return !plan_walk(list, &(struct plan_visitor){.value = find_read}, s->place);
}

/* What comes behind a statement at a point: all of it, where that is under a condition. */
static const struct pstmt *behind(const struct pstmt *definition, const struct pstmt *s) {
    const struct pstmt *in = definition->body;
    while (in != NULL && in != s)
        in = in->next;
    return in != NULL ? in->next : definition->body;
}

/* Shuffles do not order what lanes read before and one of them stores then: the lanes wait where
 * the point reads elements of the array that it stores to, and again if it does so behind that. */
static void lanes_put(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    if (reads_stored(t->lanes_of->body, s))
        gpu(g)->warp_barrier(g, t->lane_mask);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, t->member, i64(g, 0)));
    put_with_early(g, s);
    end_if(g, after);
    if (reads_stored(behind(t->lanes_of, s), s))
        gpu(g)->warp_barrier(g, t->lane_mask);
}

/* How many lanes a point has, i32: of definitions within the definition no one knows how many at
 * compile time, nor at the call, since loops around change how many points there are; nor of those
 * that a block of PANEL has.  Points of long reductions may be far fewer than those of other
 * definitions of a step, which the call's number is for. */
static LLVMValueRef lanes_of_points(struct gen *g, const struct pstmt *s, const struct nest *n) {
    const struct threads *t = g->threads;
    bool few = s->portions && t->lane_mask == NULL;
    if (has_adding_lanes(g, s)) /* which all of a warp's lanes add up */
        return i32(g, WARP);
    if (!has_inner_definitions(s) && t->kind != UFC_KERNEL_PANEL && !few)
        return t->group;
    LLVMValueRef rows = bits_above(g, n->total), zero = i32(g, 0);
    if (t->blocks != NULL)
        rows = greatest(g, subtract(g, rows, bits_above(g, extended(g, t->blocks))), zero);
    LLVMValueRef bits = greatest(g, subtract(g, trailing_zeros(g, t->ntid), rows), zero);
    return LLVMBuildShl(g->b, i32(g, 1), least(g, bits, i32(g, __builtin_ctz(WARP))), "");
}

/* The points of a single range, of which all lanes of a warp take as many turns, so that it joins
 * what they have as a whole.  Lanes that have no more points go along with the warp's first point,
 * but take no part in it.  own: the thread, of which `first` of its warp is that point at first. */
static void gen_turns(struct gen *g, const struct pstmt *s, const struct nest *n,
                      struct threads *own, LLVMValueRef first) {
    LLVMValueRef member = own->member, total = as_position(g, n, n->total);
    first = as_position(g, n, first);
    LLVMValueRef ahead = subtract(g, as_position(g, n, own->number), first);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, is_before(g, l.phi[0], total));
    LLVMValueRef at = add(g, l.phi[0], ahead), exists = is_before(g, at, total);
    LLVMBuildStore(g->b, position_of(g, gen_select(g, exists, at, l.phi[0])), n->slot[0]);
    set_indices(g, n);
    own->member = gen_select(g, exists, member, i64(g, INT64_MAX));
    own->has_point = exists;
    gen_stmts(g, s->body);
    LLVMValueRef next = add(g, l.phi[0], as_position(g, n, own->count));
    loop_end(g, &l, &next);
}

static const struct sharing by_lanes = {
    .spread = lanes_spread, .put = lanes_put, .loop = lanes_loop, .within = true};

void gen_in_lanes(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct threads own = *t, leader = *t;
    struct nest n;
    find_nest(g, s, &n);
    own.group = lanes_of_points(g, s, &n);
    LLVMValueRef shift = extended(g, trailing_zeros(g, own.group)), one = i64(g, 1);
    own.members = extended(g, own.group);
    own.member = both(g, t->member, LLVMBuildSub(g->b, own.members, one, ""));
    struct turns turns = step_turns(g, shift);
    own.number = turns.first;
    own.count = turns.apart;
    own.lane_mask = n.n == 1 ? i32(g, UINT32_MAX) : gufunc_lane_mask(g, &own);
    own.lanes_of = s;
    leader.number = both(g, t->number, i64(g, -(uint64_t)WARP));
    leader.member = both(g, t->member, i64(g, -(uint64_t)WARP));
    g->threads = &leader;
    LLVMValueRef first = step_turns(g, shift).first;
    g->threads = &own;
    g->sharing = &by_lanes;
    if (n.n == 1)
        gen_turns(g, s, &n, &own, first);
    else
        gen_one_by_one(g, s, NULL, &n);
    g->sharing = NULL;
    g->threads = t;
}

void gen_series_points(struct gen *g, const struct pstmt *s) {
    struct nest n;
    find_nest(g, s, &n);
    LLVMValueRef most = LLVMBuildUDiv(g->b, g->threads->count, i64(g, SERIES_POINT_THREADS), "");
    LLVMBasicBlockRef warps = gen_block(g, "warps"), alone = gen_block(g, "alone"),
                      done = gen_block(g, "points");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLE, n.total, most), warps, alone);
    gen_place(g, warps);
    gen_in_lanes(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, alone);
    gen_share(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* The lanes of the thread's point, i32: a warp's points may come to different stores.  Neighbouring
 * lanes have neighbouring points, as many as fit beside the threads of each. */
static LLVMValueRef lanes_of_point(struct gen *g, const struct threads *t) {
    LLVMValueRef points = LLVMBuildLShr(g->b, i32(g, WARP), trailing_zeros(g, t->parts), "");
    LLVMValueRef one = i32(g, 1), apart = LLVMBuildShl(g->b, one, points, "");
    LLVMValueRef first = LLVMBuildUDiv(g->b, i32(g, UINT32_MAX), subtract(g, apart, one), "");
    return LLVMBuildShl(g->b, first, both(g, t->tid, subtract(g, points, one)), "");
}

void gen_warp_points(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    struct threads own = *t;
    own.member = gen_select(g, t->has_point, extended(g, t->part), i64(g, INT64_MAX));
    own.lane_mask = lanes_of_point(g, t);
    own.lanes_of = s;
    g->threads = &own;
    g->sharing = &by_lanes;
    gen_stmts(g, s->body);
    g->sharing = NULL;
    g->threads = t;
}

/* ---- points that have a block each */

static void block_spread(struct gen *g, const struct pstmt *s) {
    if (is_brief(s)) {
        gen_stmts(g, s->serial);
        return;
    }
    gpu(g)->barrier(g);
    share_by_members(g, s);
    if (s->accs != NULL)
        join_call(g, s);
}

static void block_put(struct gen *g, const struct pstmt *s) {
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->member, i64(g, 0)));
    gen_put_here(g, s);
    end_if(g, after);
    if (reads_stored(s->next, s))
        gpu(g)->barrier(g);
}

void gen_in_blocks(struct gen *g, const struct pstmt *s) {
    static const struct sharing by_block = {
        .spread = block_spread, .put = block_put, .within = true};
    const struct threads *t = g->threads;
    struct threads own = *t;
    struct nest n;
    find_nest(g, s, &n);
    own.number = t->own != NULL ? t->own : extended(g, t->block);
    own.count = extended(g, t->blocks);
    own.own = own.blocks = NULL;
    own.early = NULL;
    g->threads = &own;
    g->sharing = &by_block;
    gen_one_by_one(g, s, NULL, &n);
    g->sharing = NULL;
    g->threads = t;
}
