/* portion.c: portions of spreads in the steps of ordered loops, of which each of a call's blocks
 * has some.  How many there are follows from the number of points alone, so that a sum has the same
 * bits however many blocks there are.  The accs of a reduction's portions are published, by the
 * number of the reductions so far, and all blocks join them.  There are two sets of entries, in
 * turn: who publishes in one has joined what was published in the other one, when all had read the
 * one before that. */
#include "together.h"

enum { VECTOR_POINTS = 32 }; /* of the last range, of which a portion has a multiple */

bool has_portions(const struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    return t->kind == UFC_KERNEL_BLOCK && t->blocks != NULL && t->lane_mask == NULL &&
           (s->portions || s->own_portions);
}

void begin_portions(struct gen *g, struct threads *t) {
    LLVMValueRef bytes = i64(g, (uint64_t)(2 * UFC_PORTIONS * g->plan->map.portion));
    LLVMValueRef calls = multiply(g, param_i64(g, PARAM(calls)), i64(g, 4));
    LLVMValueRef counters = both(g, add(g, calls, i64(g, 15)), i64(g, ~UINT64_C(15)));
    if (g->plan->map.portion == 0)
        return;
    t->entries = add(g, param_i64(g, PARAM(workspace)), counters);
    t->entries = add(g, t->entries, multiply(g, t->call, bytes));
    t->joins = gen_alloca(g, i32_type(g), "joins");
    LLVMBuildStore(g->b, i32(g, 0), t->joins);
}

/* How many portions a spread of so many points has, i32: a power of two. */
static LLVMValueRef portions_of(struct gen *g, const struct pstmt *s, LLVMValueRef points) {
    LLVMValueRef most = i64(g, (uint64_t)UFC_PORTIONS * UFC_PORTION_POINTS), one = i32(g, 1);
    LLVMValueRef n = LLVMBuildTrunc(g->b, least(g, points, most), i32_type(g), "");
    n = LLVMBuildUDiv(g->b, n, i32(g, UFC_PORTION_POINTS), "");
    LLVMValueRef args[] = {LLVMBuildOr(g->b, n, one, ""), LLVMConstInt(i1_type(g), 1, false)};
    LLVMValueRef zeros = gen_intrinsic(g, "ctlz", NULL, args, 2);
    n = LLVMBuildShl(g->b, one, subtract(g, i32(g, 31), zeros), "");
    if (s->own_portions)
        return n;
    LLVMValueRef is_long = compare(g, LLVMIntSGE, points, i64(g, UFC_PORTION_LEAST));
    return gen_select(g, is_long, n, one);
}

void cut_to_portion(struct gen *g, struct nest *n) {
    const struct portion *p = g->threads->portion;
    LLVMValueRef most = n->count[0], none = i64(g, 0), past = LLVMConstInt(i1_type(g), 0, false);
    for (int i = 1; i < n->n; i++)
        most = greatest(g, most, n->count[i]);
    n->total = i64(g, 1);
    for (int i = 0; i < n->n; i++) {
        uint64_t unit = i == n->n - 1 ? VECTOR_POINTS : 1;
        LLVMValueRef count = n->count[i], up = LLVMBuildSub(g->b, p->all, i64(g, 1), "");
        LLVMValueRef longest = compare(g, LLVMIntEQ, count, most);
        LLVMValueRef cut = both(g, longest, gen_not(g, past));
        past = LLVMBuildOr(g->b, past, longest, "");
        LLVMValueRef each = LLVMBuildUDiv(g->b, add(g, count, up), p->all, "");
        each = both(g, add(g, each, i64(g, unit - 1)), i64(g, -unit));
        LLVMValueRef first = least(g, count, multiply(g, p->number, each));
        LLVMValueRef own = least(g, LLVMBuildSub(g->b, count, first, ""), each);
        n->lo[i] = add(g, n->lo[i], multiply(g, gen_select(g, cut, first, none), n->step[i]));
        n->count[i] = gen_select(g, cut, own, count);
        n->total = multiply(g, n->total, n->count[i]);
    }
}

/* The block's threads, as they have a portion of s. */
static struct threads threads_of(struct gen *g, const struct portion *p) {
    struct threads own = *g->threads;
    own.number = own.member;
    own.count = own.members;
    own.own = own.blocks = NULL;
    own.portion = p;
    return own;
}

/* Joins what the block has of a portion, and publishes it where others have more of them. */
static void join_portion(struct gen *g, const struct pstmt *s, LLVMValueRef several) {
    join_block(g, s);
    LLVMBasicBlockRef after = begin_if(g, several);
    publish_block(g, s);
    end_if(g, after);
}

/* The portions that the block has of s; several: i1, blocks have them. */
static void gen_own(struct gen *g, const struct pstmt *s, struct call_blocks *x,
                    LLVMValueRef several) {
    const struct threads *t = g->threads;
    int accs = count_accs(s), i = 0;
    LLVMValueRef *empty = NEWN(g->uc, LLVMValueRef, accs + 1);
    LLVMValueRef first = gen_select(g, several, t->block, i32(g, 0));
    struct portion portion = {.spread = s, .all = extended(g, x->blocks)};
    struct loop l;
    load_accs(g, s->accs, empty);
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->blocks));
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        LLVMBuildStore(g->b, empty[i++], var_of(g, a->acc)->slot);
    portion.number = extended(g, l.phi[0]);
    x->block = l.phi[0];
    struct threads own = threads_of(g, &portion);
    own.together = NULL;
    g->threads = &own;
    gen_share(g, s);
    own.together = x;
    if (s->accs != NULL)
        join_portion(g, s, several);
    g->threads = t;
    LLVMValueRef next = add(g, l.phi[0], t->blocks);
    loop_end(g, &l, &next);
}

/* i1: the points are few, and the reductions at each so long that all threads of the call take one
 * after the other sooner than lanes have one each. */
static LLVMValueRef are_few(struct gen *g, const struct pstmt *s, LLVMValueRef points) {
    LLVMValueRef few = LLVMConstInt(i1_type(g), 1, false);
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        struct nest n;
        if (in->kind != PS_SPREAD)
            continue;
        find_nest(g, in, &n);
        few = both(g, few, compare(g, LLVMIntSGE, n.total, i64(g, UFC_PORTION_LEAST)));
        few = both(g, few,
                   compare(g, LLVMIntSGE, n.total, multiply(g, points, i64(g, UFC_PORTION_JOIN))));
    }
    return few;
}

/* i1: lanes of the points are so few that most threads of the call would have none. */
static LLVMValueRef are_rare(struct gen *g, LLVMValueRef points) {
    LLVMValueRef lanes = multiply(g, points, i64(g, UFC_BLOCK_POINTS * WARP));
    return compare(g, LLVMIntSLE, lanes, g->threads->count);
}

/* The call's first thread stores. */
static void put_point(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->number, i64(g, 0)));
    put_with_early(g, s);
    end_if(g, after);
}

static void set_point(struct gen *g, const struct nest *n, LLVMValueRef at) {
    LLVMValueRef position[MAX_RANGES];
    take_apart(g, n, at, position);
    for (int i = 0; i < n->n; i++)
        LLVMBuildStore(g->b, position[i], n->slot[i]);
    set_indices(g, n);
}

/* How many portions s has, and the entries of these, for all blocks to join.  i1: several blocks
 * have them.  Nobody waits for blocks without a portion, which publish nothing: all meet before
 * entries are overwritten that those may have yet to read. */
static LLVMValueRef begin_join(struct gen *g, const struct pstmt *s, struct call_blocks *x) {
    const struct threads *t = g->threads;
    LLVMValueRef one = i32(g, 1), several = compare(g, LLVMIntUGT, t->blocks, one);
    uint64_t bytes = (uint64_t)g->plan->map.portion;
    struct nest n;
    find_nest(g, s, &n);
    x->blocks = gen_select(g, several, portions_of(g, s, n.total), one);
    if (!s->own_portions)
        several = compare(g, LLVMIntUGT, x->blocks, one);
    if (s->accs == NULL)
        return several;
    LLVMValueRef number = LLVMBuildLoad2(g->b, i32_type(g), t->joins, "");
    number = add(g, number, LLVMBuildZExt(g->b, several, i32_type(g), ""));
    LLVMBuildStore(g->b, number, t->joins);
    x->number = extended(g, number);
    LLVMValueRef set = extended(g, LLVMBuildAnd(g->b, number, one, ""));
    x->entries = add(g, t->entries, multiply(g, set, i64(g, UFC_PORTIONS * bytes)));
    LLVMValueRef fewer = compare(g, LLVMIntULT, x->blocks, t->blocks);
    LLVMBasicBlockRef met = begin_if(g, both(g, several, fewer));
    gpu(g)->barrier(g);
    blocks_arrive(g, t->blocks);
    blocks_await(g);
    end_if(g, met);
    return several;
}

/* ---- points that have a reduction each */

/* A group of points, each of a reduction, which blocks join at a time. */
struct group {
    const struct pstmt *points, *reduction;
    struct nest nest;
    LLVMValueRef first, count; /* of the group's points: i64, i32 */
    struct call_blocks blocks; /* the entries of the first one; */
    LLVMValueRef several;
    LLVMValueRef words; /* shared memory with the accs of each */
};

/* The entries of a point of the group, i32. */
static struct call_blocks entries_of(struct gen *g, const struct group *x, LLVMValueRef point) {
    struct call_blocks own = x->blocks;
    LLVMValueRef far = multiply(g, i64(g, UFC_PORTIONS), own.bytes);
    own.entries = add(g, own.entries, multiply(g, extended(g, point), far));
    return own;
}

/* The block's portions at each point: published, or, where it has all, left in shared memory. */
static void reduce_points(struct gen *g, const struct group *x) {
    const struct threads *t = g->threads;
    const struct pstmt *r = x->reduction;
    LLVMValueRef zero = i32(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->count));
    set_point(g, &x->nest, add(g, x->first, extended(g, l.phi[0])));
    gen_list(g, x->points->body, r);
    struct call_blocks own = entries_of(g, x, l.phi[0]);
    gen_own(g, r, &own, x->several);
    LLVMValueRef alone = both(g, gen_not(g, x->several), compare(g, LLVMIntEQ, t->tid, zero));
    LLVMBasicBlockRef after = begin_if(g, alone);
    save_accs(g, r->accs, x->words, l.phi[0], UFC_PORTION_GROUP);
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

/* What all blocks have published of each point, joined by a warp, in shared memory. */
static void join_points(struct gen *g, const struct group *x) {
    const struct threads *t = g->threads;
    LLVMValueRef first = warp_of(g, t->tid);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->count));
    struct call_blocks own = entries_of(g, x, l.phi[0]);
    struct threads joining = *t;
    joining.together = &own;
    g->threads = &joining;
    await_blocks(g, x->reduction);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane_of(g, t->tid), i32(g, 0)));
    save_accs(g, x->reduction->accs, x->words, l.phi[0], UFC_PORTION_GROUP);
    end_if(g, after);
    g->threads = t;
    LLVMValueRef next = add(g, l.phi[0], warp_of(g, t->ntid));
    loop_end(g, &l, &next);
}

/* What is made of the results at each point. */
static void store_points(struct gen *g, const struct group *x) {
    LLVMValueRef zero = i32(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->count));
    set_point(g, &x->nest, add(g, x->first, extended(g, l.phi[0])));
    gen_list(g, x->points->body, x->reduction);
    restore_accs(g, x->reduction->accs, x->words, l.phi[0], UFC_PORTION_GROUP, false);
    gen_list(g, x->reduction->next, NULL);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

static void gen_groups(struct gen *g, const struct pstmt *s, const struct pstmt *reduction,
                       const struct nest *n) {
    const struct threads *t = g->threads;
    struct threads own = *t;
    struct group x = {.points = s, .reduction = reduction, .nest = *n};
    LLVMValueRef size = i64(g, UFC_PORTION_GROUP), begin = i64(g, 0);
    uint64_t bytes = (uint64_t)g->plan->map.portion / UFC_PORTION_GROUP / 8 * 8;
    own.early = NULL;
    g->threads = &own;
    x.words = shared_words(g, reduction, UFC_PORTION_GROUP);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n->total));
    x.first = l.phi[0];
    x.count = LLVMBuildSub(g->b, n->total, x.first, "");
    x.count = LLVMBuildTrunc(g->b, least(g, x.count, size), i32_type(g), "");
    x.blocks = (struct call_blocks){.bytes = i64(g, bytes), .each = true};
    x.several = begin_join(g, reduction, &x.blocks);
    reduce_points(g, &x);
    LLVMBasicBlockRef after = begin_if(g, x.several);
    join_points(g, &x);
    end_if(g, after);
    gpu(g)->barrier(g);
    store_points(g, &x);
    gpu(g)->barrier(g); /* the words may be written again */
    LLVMValueRef next = add(g, l.phi[0], size);
    loop_end(g, &l, &next);
    g->threads = t;
}

/* All points, one after the other. */
static void gen_whole_points(struct gen *g, const struct pstmt *s, const struct nest *n) {
    struct loop l;
    LLVMValueRef first = i64(g, 0);
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n->total));
    set_point(g, n, l.phi[0]);
    gen_stmts(g, s->body);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* A definition whose points are reductions: by all threads, a group of points or a point at a time,
 * by blocks or by lanes. */
static void gen_reduced_points(struct gen *g, const struct pstmt *s) {
    static const struct sharing by_all = {.spread = gen_portions, .put = put_point, .within = true};
    const struct pstmt *only = lone_reduction(s);
    struct nest n;
    LLVMBasicBlockRef whole = gen_block(g, "whole"), other = gen_block(g, "other"),
                      blocks = gen_block(g, "blocks"), lanes = gen_block(g, "lanes"),
                      done = gen_block(g, "reduced");
    find_nest(g, s, &n);
    LLVMBuildCondBr(g->b, are_few(g, s, n.total), whole, other);
    gen_place(g, whole);
    g->sharing = &by_all;
    if (only != NULL)
        gen_groups(g, s, only, &n);
    else
        gen_whole_points(g, s, &n);
    g->sharing = NULL;
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
    LLVMBuildCondBr(g->b, are_rare(g, n.total), blocks, lanes);
    gen_place(g, blocks);
    gen_in_blocks(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, lanes);
    gen_in_lanes(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

void gen_portions(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    if (s->accs == NULL && s->portions) {
        gen_reduced_points(g, s);
        return;
    }
    if (t->blocks == NULL) { /* the lanes of a group, within a point */
        gen_share(g, s);
        return;
    }
    struct threads joining = *t;
    struct call_blocks x = {.bytes = i64(g, (uint64_t)g->plan->map.portion), .each = true};
    if (s->accs != NULL)
        load_early(g, s);
    LLVMValueRef several = begin_join(g, s, &x);
    gen_own(g, s, &x, several);
    if (s->accs == NULL)
        return;
    joining.together = &x;
    g->threads = &joining;
    LLVMBasicBlockRef after = begin_if(g, several);
    await_all_blocks(g, s);
    end_if(g, after);
    g->threads = t;
}
