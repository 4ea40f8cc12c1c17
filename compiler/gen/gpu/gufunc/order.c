/* order.c: an ordered reduction shared by GPU threads.  Teams of neighbouring lanes take a piece
 * each, row by row: of a row each lane joins a run of neighbouring points, and the lanes' runs are
 * joined by shuffles, in their order.  So a warp reads memory of one place at a time. */
#include "gufunc.h"

/* What a lane has in a row, where its team has several: vectors, or points one by one. */
enum { RUN_VECTORS = 4, RUN_POINTS = 8 };

struct order {
    struct gen *g;
    const struct pstmt *s;
    const struct nest *n;
    struct batch *batch;
    int vector;                 /* neighbours that are one access; 1: there are none */
    LLVMValueRef lanes, lane;   /* of the team; which one this is, i64 */
    LLVMValueRef begin, end;    /* the team's piece, i64 */
    LLVMValueRef run, row;      /* points of a lane, and of a team, in a row, i64 */
    LLVMValueRef wide;          /* i1: a run has that many */
    LLVMValueRef *empty, *slot; /* the accs before the reduction; slots: of the rows so far */
};

/* ---- shares */

/* Lanes of a warp that have neighbouring parts of the reduction: i32, a power of two. */
static LLVMValueRef lanes_of(struct gen *g, const struct threads *t) {
    return t->kind == UFC_KERNEL_NEST ? t->lanes : t->lane_mask != NULL ? t->group : i32(g, WARP);
}

/* These lanes of the warp, as bits. */
static LLVMValueRef mask_of(struct gen *g, const struct threads *t, LLVMValueRef lanes) {
    struct threads team = *t;
    team.group = lanes;
    return gufunc_lane_mask(g, &team);
}

static LLVMValueRef ceiling(struct gen *g, LLVMValueRef n, LLVMValueRef per) {
    return LLVMBuildUDiv(g->b, add(g, n, LLVMBuildSub(g->b, per, i64(g, 1), "")), per, "");
}

/* Cuts the points into a piece a team, of whole rows; a lane alone has a single row. */
static void find_share(struct order *x, LLVMValueRef lanes) {
    struct gen *g = x->g;
    LLVMValueRef run = i64(g, (uint64_t)(x->vector > 1 ? RUN_VECTORS * x->vector : RUN_POINTS));
    const struct threads *t = g->threads;
    LLVMValueRef shift = extended(g, trailing_zeros(g, lanes)), one = i64(g, 1);
    x->lanes = extended(g, lanes);
    x->lane = both(g, t->number, LLVMBuildSub(g->b, x->lanes, one, ""));
    LLVMValueRef team = LLVMBuildLShr(g->b, t->number, shift, "");
    LLVMValueRef piece = ceiling(g, x->n->total, LLVMBuildLShr(g->b, t->count, shift, ""));
    LLVMValueRef rounded = add(g, piece, LLVMBuildSub(g->b, x->lanes, one, ""));
    LLVMValueRef each = LLVMBuildLShr(g->b, rounded, shift, ""); /* of a lane, in one row */
    LLVMValueRef alone = compare(g, LLVMIntEQ, x->lanes, one);
    x->wide = both(g, gen_not(g, alone), compare(g, LLVMIntUGE, each, run));
    x->run = gen_select(g, x->wide, run, each);
    x->row = LLVMBuildShl(g->b, x->run, shift, "");
    LLVMValueRef past = add(g, piece, LLVMBuildSub(g->b, x->row, one, ""));
    LLVMValueRef rows = LLVMBuildAnd(g->b, past, LLVMBuildNeg(g->b, x->row, ""), "");
    piece = gen_select(g, x->wide, rows, x->row);
    x->begin = multiply(g, team, piece);
    x->end = least(g, add(g, x->begin, piece), x->n->total);
    if (t->has_point != NULL) /* a thread without a point has no share */
        x->end = gen_select(g, t->has_point, x->end, x->begin);
}

/* ---- rows */

/* The points of a lane's run, where they are vectors. */
static void gen_vectors(struct order *x, LLVMValueRef first) {
    struct gen *g = x->g;
    struct nest n = *x->n;
    bool whole = RUN_VECTORS % batch_units(g, x->batch, x->vector) == 0;
    const struct taking k = {.spread = x->s, .batch = x->batch, .lanes = x->vector, .whole = whole};
    LLVMValueRef lanes = i64(g, (uint64_t)x->vector);
    int outer = g->vector_lanes; /* local arrays have that many values at each place */
    n.count[0] = n.total = LLVMBuildUDiv(g->b, n.total, lanes, "");
    n.step[0] = lanes;
    LLVMValueRef begin = LLVMBuildUDiv(g->b, first, lanes, "");
    g->vector_lanes = x->vector;
    gen_points(g, &k, &n, begin, add(g, begin, i64(g, RUN_VECTORS)), i64(g, 1));
    g->vector_lanes = outer;
}

static void gen_scalars(struct order *x, LLVMValueRef first) {
    struct gen *g = x->g;
    struct nest n = *x->n;
    LLVMValueRef end = least(g, add(g, first, x->run), x->end);
    gen_points(g, &(struct taking){.spread = x->s, .batch = x->batch, .lanes = 1}, &n, first, end,
               i64(g, 1));
}

/* The points of the lane in the row from `first` on. */
static void gen_run(struct order *x, LLVMValueRef first) {
    struct gen *g = x->g;
    LLVMValueRef own = add(g, first, multiply(g, x->lane, x->run));
    if (x->vector == 1) {
        gen_scalars(x, own);
        return;
    }
    LLVMBasicBlockRef vectors = gen_block(g, "vectors"), scalars = gen_block(g, "scalars"),
                      done = gen_block(g, "taken");
    LLVMValueRef whole = compare(g, LLVMIntSLE, add(g, first, x->row), x->end);
    LLVMBuildCondBr(g->b, both(g, x->wide, whole), vectors, scalars);
    gen_place(g, vectors);
    gen_vectors(x, own);
    LLVMBuildBr(g->b, done);
    gen_place(g, scalars);
    gen_scalars(x, own);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static void copy_slot(struct gen *g, const struct pacc *a, LLVMValueRef from, LLVMValueRef to) {
    LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), from, ""), to);
}

/* Joins the row behind those so far. */
static void join_row(struct order *x) {
    struct gen *g = x->g;
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++) {
        copy_slot(g, a, var_of(g, a->acc)->slot, var_of(g, a->other)->slot);
        copy_slot(g, a, x->slot[i], var_of(g, a->acc)->slot);
    }
    gen_stmts(g, x->s->joined);
    i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++)
        copy_slot(g, a, var_of(g, a->acc)->slot, x->slot[i]);
}

static void gen_rows(struct order *x, LLVMValueRef lanes) {
    struct gen *g = x->g;
    struct loop l;
    loop_begin(g, &l, 1, &x->begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], x->end));
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next)
        LLVMBuildStore(g->b, x->empty[i++], var_of(g, a->acc)->slot);
    gen_run(x, l.phi[0]);
    join_warp(g, x->s, lanes);
    join_row(x);
    LLVMValueRef next = add(g, l.phi[0], x->row);
    loop_end(g, &l, &next);
}

/* ---- the reduction */

/* Sets x->empty and x->slot. */
static void begin_accs(struct order *x) {
    struct gen *g = x->g;
    int n = 0, i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next)
        n++;
    x->empty = NEWN(g->uc, LLVMValueRef, n);
    x->slot = NEWN(g->uc, LLVMValueRef, n);
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++) {
        LLVMTypeRef type = gen_type(g, a->acc->dtype);
        x->empty[i] = LLVMBuildLoad2(g->b, type, var_of(g, a->acc)->slot, "");
        x->slot[i] = gen_alloca(g, type, "rows");
        LLVMBuildStore(g->b, x->empty[i], x->slot[i]);
    }
}

/* The team's first lane has what its rows are joined to, others nothing. */
static void end_accs(struct order *x) {
    struct gen *g = x->g;
    LLVMValueRef first = compare(g, LLVMIntEQ, x->lane, i64(g, 0));
    int i = 0;
    for (const struct pacc *a = x->s->accs; a != NULL; a = a->next, i++) {
        LLVMValueRef rows = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), x->slot[i], "");
        LLVMBuildStore(g->b, gen_select(g, first, rows, x->empty[i]), var_of(g, a->acc)->slot);
    }
}

/* What is loaded of several points first, and as what vectors: sets x->batch and x->vector. */
static void find_vectors(struct order *x) {
    struct gen *g = x->g;
    const struct nest *n = x->n;
    bool of_point = g->threads->kind == UFC_KERNEL_NEST && !x->s->outermost;
    bool resident = has_near_outputs(g);
    LLVMValueRef step = n->step[0];
    bool by_one = LLVMIsConstant(step) && LLVMConstIntGetSExtValue(step) == 1;
    x->vector = 1;
    x->batch = of_point || resident ? NULL : find_batch(g, x->s);
    bool beside = x->batch != NULL && !batch_is_apart(g, x->batch);
    int widest = beside && n->n == 1 && by_one ? widest_access(g, x->s->body) : 0;
    if (widest > 0 && widest <= 8)
        x->vector = 16 / widest;
}

void gen_in_order(struct gen *g, const struct pstmt *s, const struct nest *n) {
    const struct threads *t = g->threads;
    const struct varying *varying = g->varying;
    struct threads team = *t;
    struct order x = {.g = g, .s = s, .n = n};
    LLVMValueRef lanes = lanes_of(g, t);
    team.lane_mask = mask_of(g, t, lanes);
    g->varying = find_varying_within(g->uc, g->plan, s, false);
    find_vectors(&x);
    find_share(&x, lanes);
    begin_accs(&x);
    g->threads = &team;
    if (x.vector > 1)
        x.wide = both(g, x.wide, are_aligned(g, s->body, n->lo[0], x.vector));
    gen_rows(&x, lanes);
    g->threads = t;
    g->varying = varying;
    end_accs(&x);
}
