/* steps.c: what the steps of ordered loops need beside spread.c: barriers, of which those among
 * several blocks are made of a counter in global memory; and points that have several threads.
 * step_points.c has those that have one. */
#include "gufunc.h"

/* ---- barriers */

/* All threads of the call's blocks wait, which run at the same time.  The counter is 0 at first. */
static void wait_for_blocks(struct gen *g) {
    const struct threads *t = g->threads;
    LLVMValueRef first = compare(g, LLVMIntEQ, t->tid, i32(g, 0));
    LLVMBasicBlockRef after = begin_if(g, first);
    LLVMValueRef turn = add(g, LLVMBuildLoad2(g->b, i32_type(g), t->turn, ""), t->blocks);
    LLVMBuildStore(g->b, turn, t->turn);
    gpu(g)->arrive(g, t->counter, i32(g, 1));
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
    bool blocks = t->blocks != NULL && s->sync_blocks;
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
    wait_for_blocks(g);
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

/* Shuffles do not order what lanes read before and one of them stores then: the lanes wait where
 * the point reads elements of the array that it stores to. */
static void lanes_put(struct gen *g, const struct pstmt *s) {
    const struct plan_visitor reads = {.value = find_read};
    if (!plan_walk(g->threads->lanes_of->body, &reads, s->place))
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
    LLVMValueRef first = compare(g, LLVMIntEQ, g->threads->member, i64(g, 0));
    LLVMBasicBlockRef after = begin_if(g, first);
    put_with_early(g, s);
    end_if(g, after);
}

/* How many lanes a point has, i32: of definitions within the definition no one knows how many at
 * compile time, nor at the call, since loops around change how many points there are. */
static LLVMValueRef lanes_of_points(struct gen *g, const struct pstmt *s, const struct nest *n) {
    const struct threads *t = g->threads;
    if (!has_inner_definitions(s))
        return t->group;
    LLVMValueRef rows = bits_above(g, n->total), zero = i32(g, 0);
    if (t->blocks != NULL)
        rows = greatest(g, subtract(g, rows, bits_above(g, extended(g, t->blocks))), zero);
    LLVMValueRef bits = greatest(g, subtract(g, trailing_zeros(g, t->ntid), rows), zero);
    return LLVMBuildShl(g->b, i32(g, 1), least(g, bits, i32(g, __builtin_ctz(WARP))), "");
}

void gen_in_lanes(struct gen *g, const struct pstmt *s) {
    static const struct sharing by_lanes = {
        .spread = lanes_spread, .put = lanes_put, .within = true};
    const struct threads *t = g->threads;
    struct threads own = *t;
    struct nest n;
    find_nest(g, s, &n);
    own.group = lanes_of_points(g, s, &n);
    LLVMValueRef shift = extended(g, trailing_zeros(g, own.group)), one = i64(g, 1);
    own.members = extended(g, own.group);
    own.member = both(g, t->member, LLVMBuildSub(g->b, own.members, one, ""));
    struct turns turns = step_turns(g, shift);
    own.number = turns.first;
    own.count = turns.apart;
    own.lane_mask = gufunc_lane_mask(g, &own);
    own.lanes_of = s;
    g->threads = &own;
    g->sharing = &by_lanes;
    gen_one_by_one(g, s, NULL, &n);
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
