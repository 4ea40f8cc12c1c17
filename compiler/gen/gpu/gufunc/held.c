/* held.c: the PS_SPREADs of a call that read the same rows (plan/rows.c), in WARP, BLOCK and JOINT.
 * Each of the n threads of a call has the elements at map.held points in registers, from the first
 * spread that reads them to the last: `lanes` neighbours from every n-th on where these are vectors
 * in memory, else every n-th.  In JOINT a thread has as many points as its block's shared memory
 * keeps elements for, and each spread takes some of them at a time.
 *
 * All points are computed in straight code.  Those behind the call's last point are computed as
 * that one is, and what they give is not taken.  So what several spreads compute of the held
 * elements, LLVM computes once. */
#include "held.h"
#include "together.h"

/* ---- points */

bool has_vectors(const struct held_points *h) {
    return LLVMIsAConstantInt(h->vectors) && LLVMConstIntGetZExtValue(h->vectors) != 0;
}

/* The number among the call's points of a point of the thread, or of the call's last one, i32. */
static LLVMValueRef number_of(struct gen *g, int point) {
    const struct held_points *h = g->threads->held;
    int lane = point % h->lanes;
    LLVMValueRef step = multiply(g, h->count, i32(g, (uint32_t)(point - lane)));
    LLVMValueRef own = multiply(g, h->apart, i32(g, (uint32_t)lane));
    own = add(g, add(g, h->first, step), own);
    if (h->whole)
        return own;
    LLVMValueRef behind = gen_select(g, h->vectors, i32(g, (uint32_t)(h->lanes - lane)), i32(g, 1));
    return least(g, own, subtract(g, h->total, behind));
}

/* Sets the variables of the spread's ranges for a point.  Of neighbours the first one's positions
 * are those of all, but along the last range. */
static void set_point(struct gen *g, const struct pstmt *s, int point) {
    const struct held_points *h = g->threads->held;
    const struct nest *n = &h->nest;
    int lane = has_vectors(h) ? point % h->lanes : 0;
    LLVMValueRef position[HELD_MAX_RANGES], number = number_of(g, point - lane);
    for (int i = n->n - 1; i > 0; i--) {
        LLVMValueRef count = LLVMBuildTrunc(g->b, n->count[i], i32_type(g), "");
        count = gen_select(g, is_set(g, count), count, i32(g, 1)); /* in a call without points */
        LLVMValueRef q = LLVMBuildUDiv(g->b, number, count, "");
        position[i] = subtract(g, number, multiply(g, q, count));
        number = q;
    }
    position[0] = number;
    position[n->n - 1] = add(g, position[n->n - 1], i32(g, (uint32_t)lane));
    const struct prange *r = s->ranges;
    for (int i = 0; i < n->n; i++, r = r->next)
        LLVMBuildStore(g->b, add(g, n->lo[i], extended(g, position[i])), var_of(g, r->var)->slot);
}

/* i1: is a point of the thread one of the call's? */
static LLVMValueRef is_own(struct gen *g, int point) {
    const struct held_points *h = g->threads->held;
    return h->whole ? LLVMConstInt(i1_type(g), 1, false)
                    : compare(g, LLVMIntSLT, i32(g, (uint32_t)point), h->left);
}

const struct prange *last_range(const struct pstmt *s) {
    const struct prange *r = s->ranges;
    while (r->next != NULL)
        r = r->next;
    return r;
}

struct alignment {
    struct gen *g;
    LLVMValueRef all; /* i1 */
};

static enum walk add_alignment(const struct pstmt *s, void *alignment) {
    struct alignment *x = alignment;
    const struct held_points *h = x->g->threads->held;
    if (!s->held)
        return WALK_IN;
    x->g->lane_var = last_range(s)->var;
    x->all = both(x->g, x->all, are_aligned(x->g, s->body, h->nest.lo[h->nest.n - 1], h->lanes));
    return WALK_PAST;
}

/* i1: can the elements at neighbouring points of all spreads be one vector? */
static LLVMValueRef are_vectors(struct gen *g) {
    const struct held_points *h = g->threads->held;
    LLVMValueRef count = h->nest.count[h->nest.n - 1], lanes = i64(g, (uint64_t)h->lanes);
    LLVMValueRef whole = LLVMBuildURem(g->b, count, lanes, "");
    struct alignment x = {g, compare(g, LLVMIntEQ, whole, i64(g, 0))};
    plan_walk(g->plan->body->body, &(struct plan_visitor){.stmt = add_alignment}, &x);
    return x.all;
}

/* Shares the points out. */
static void share_points(struct gen *g, struct held_points *h) {
    const struct threads *t = g->threads;
    LLVMValueRef count = LLVMBuildTrunc(g->b, t->count, i32_type(g), "");
    LLVMValueRef number = LLVMBuildTrunc(g->b, t->number, i32_type(g), "");
    LLVMValueRef one = i32(g, 1), lanes = i32(g, (uint32_t)h->lanes);
    LLVMValueRef together = gen_select(g, h->vectors, lanes, one);
    h->count = count;
    h->first = multiply(g, number, together);
    h->apart = gen_select(g, h->vectors, one, count);
    /* of the call's vectors, or points, the thread's are `count` apart from its number on */
    LLVMValueRef all = LLVMBuildUDiv(g->b, h->total, lanes, "");
    all = gen_select(g, h->vectors, all, h->total);
    LLVMValueRef up = add(g, subtract(g, all, number), subtract(g, count, one));
    LLVMValueRef own = LLVMBuildLShr(g->b, up, trailing_zeros(g, count), "");
    h->left = multiply(g, own, together);
    if (has_columns(g))
        h->left = gen_select(g, t->together->exists, h->left, i32(g, 0));
}

/* ---- elements */

/* Load an element at `lanes` points from a first one on: as a vector, or one by one. */
void load_neighbours(struct gen *g, struct held_element *e, int first) {
    const struct held_points *h = g->threads->held;
    set_point(g, e->spread, first);
    load_vector(g, e->place, h->lanes, &e->value[first]);
}

void load_points(struct gen *g, struct held_element *e, int first) {
    for (int i = first; i < first + g->threads->held->lanes; i++) {
        set_point(g, e->spread, i);
        e->value[i] = gen_element(g, e->place);
    }
}

/* Loads an element at the points from `first` up to `end`; as 0 where the call has no points. */
static void load_held(struct gen *g, struct held_element *e, int first, int end) {
    static void (*const loads[])(struct gen * g, struct held_element * e,
                                 int first) = {load_points, load_neighbours};
    const struct held_points *h = g->threads->held;
    if (h->whole) {
        for (int i = first; i < end; i += h->lanes)
            loads[has_vectors(h) && gen_lane_axis(g, e->place) >= 0](g, e, i);
        return;
    }
    LLVMBasicBlockRef from[3] = {LLVMGetInsertBlock(g->b)}, done = gen_block(g, "loaded");
    LLVMBasicBlockRef any = gen_block(g, "any"), way[2];
    LLVMValueRef value[HELD_POINTS][3];
    unsigned ways = gen_lane_axis(g, e->place) >= 0 ? 2 : 1;
    for (unsigned k = 0; k < ways; k++)
        way[k] = gen_block(g, k == 0 ? "points" : "vectors");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGT, h->total, i32(g, 0)), any, done);
    gen_place(g, any);
    LLVMBuildCondBr(g->b, h->vectors, way[ways - 1], way[0]);
    for (unsigned k = 0; k < ways; k++) {
        gen_place(g, way[k]);
        for (int i = first; i < end; i += h->lanes)
            loads[k](g, e, i);
        for (int i = first; i < end; i++)
            value[i][k + 1] = e->value[i];
        from[k + 1] = LLVMGetInsertBlock(g->b);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    for (int i = first; i < end; i++) {
        value[i][0] = LLVMConstNull(LLVMTypeOf(e->value[i]));
        e->value[i] = LLVMBuildPhi(g->b, LLVMTypeOf(e->value[i]), "");
        LLVMAddIncoming(e->value[i], value[i], from, ways + 1);
    }
}

static LLVMValueRef put_value(struct gen *g, const struct held_put *p, int point) {
    LLVMTypeRef type = gen_type(g, p->put->place->dtype);
    return LLVMBuildLoad2(g->b, type, p->slot[point], "");
}

/* Store what a PS_PUT of the spread s gave at `lanes` points from a first one on. */
static void store_neighbours(struct gen *g, const struct pstmt *s, const struct held_put *p,
                             int first) {
    const struct held_points *h = g->threads->held;
    LLVMBasicBlockRef after = begin_if(g, is_own(g, first));
    LLVMValueRef value[HELD_POINTS];
    for (int i = 0; i < h->lanes; i++)
        value[i] = put_value(g, p, first + i);
    set_point(g, s, first);
    store_vector(g, p->put->place, h->lanes, value);
    end_if(g, after);
}

static void store_points(struct gen *g, const struct pstmt *s, const struct held_put *p,
                         int first) {
    for (int i = first; i < first + g->threads->held->lanes; i++) {
        LLVMBasicBlockRef after = begin_if(g, is_own(g, i));
        set_point(g, s, i);
        gen_store_to(g, p->put->place, put_value(g, p, i));
        end_if(g, after);
    }
}

static void store_held(struct gen *g, const struct pstmt *s, const struct held_put *p, int first) {
    LLVMValueRef vectors = g->threads->held->vectors;
    if (gen_lane_axis(g, p->put->place) < 0 || LLVMIsAConstantInt(vectors)) {
        bool neighbours = has_vectors(g->threads->held) && gen_lane_axis(g, p->put->place) >= 0;
        (neighbours ? store_neighbours : store_points)(g, s, p, first);
        return;
    }
    LLVMBasicBlockRef vector = gen_block(g, "vector"), points = gen_block(g, "points"),
                      done = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, vectors, vector, points);
    gen_place(g, vector);
    store_neighbours(g, s, p, first);
    LLVMBuildBr(g->b, done);
    gen_place(g, points);
    store_points(g, s, p, first);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- a spread */

struct finding {
    struct gen *g;
    const struct pstmt *spread;
    const struct pval *skipped; /* a place, which is not loaded */
    struct held_element *found;
};

/* Finds each element that the spread reads, once. */
static enum walk find_element_of(const struct pval *v, void *arg) {
    struct finding *f = arg;
    struct held_points *h = f->g->threads->held;
    if (v->kind != PV_ELEM || v == f->skipped)
        return WALK_IN;
    for (const struct held_element *e = f->found; e != NULL; e = e->next)
        if (same_value(e->place, v))
            return WALK_PAST;
    struct held_element *new = NEW(f->g->uc, struct held_element);
    const struct held_element *e = h->elements;
    while (e != NULL && !same_in_spreads(e->spread, e->place, f->spread, v))
        e = e->next;
    if (e != NULL)
        *new = *e;
    new->spread = f->spread;
    new->place = v;
    new->kept = kept_element(f->g->plan, f->spread, v);
    new->known = e != NULL;
    new->next = f->found;
    f->found = new;
    return WALK_PAST;
}

static enum walk find_elements_of(const struct pstmt *s, void *arg) {
    struct finding *f = arg;
    f->skipped = s->place;
    stmt_values(s, find_element_of, f);
    return WALK_IN;
}

/* A PS_PUT at a point: its value is stored later. */
static void put_later(struct gen *g, const struct pstmt *s) {
    struct held_points *h = g->threads->held;
    struct held_put *p = h->puts;
    while (p != NULL && p->put != s)
        p = p->next;
    if (p == NULL) {
        p = NEW(g->uc, struct held_put);
        *p = (struct held_put){.put = s, .next = h->puts};
        h->puts = p;
    }
    if (p->slot[h->at] == NULL)
        p->slot[h->at] = gen_alloca(g, gen_type(g, s->place->dtype), "put");
    LLVMBuildStore(g->b, gen_value(g, s->value), p->slot[h->at]);
}

/* Is it the same whether a point is reduced once or several times? */
static bool may_repeat(const struct pstmt *s) {
    const struct pstmt *join = s->joined;
    if (s->accs == NULL || s->chooses)
        return true;
    if (join->next != NULL || join->kind != PS_SET)
        return false;
    const struct pval *v = join->value;
    return v->kind == PV_CALL ? v->builtin->id == B_MIN || v->builtin->id == B_MAX
                              : v->kind == PV_OP && (v->op == OP_LAND || v->op == OP_LOR);
}

/* The body at the point h->at. */
static void gen_held_point(struct gen *g, const struct pstmt *s, const struct held_element *found) {
    static const struct sharing stores_later = {.put = put_later};
    struct held held[HELD_BODY];
    int n = 0;
    for (const struct held_element *e = found; e != NULL; e = e->next)
        held[n++] = (struct held){e->place, e->value[g->threads->held->at]};
    set_point(g, s, g->threads->held->at);
    g->sharing = &stores_later;
    g->held = held;
    g->nheld = n;
    gen_stmts(g, s->body);
    g->nheld = 0;
    g->sharing = NULL;
}

/* Loads the elements that are not known yet, at `lanes` points. */
static void load_own(struct gen *g, struct held_element *found, int first) {
    const struct held_points *h = g->threads->held;
    for (struct held_element *e = found; e != NULL && first < h->n; e = e->next)
        if (e->known)
            continue;
        else if (is_in_memory(g, e))
            load_lanes(g, e->place->dtype, place_of(g, e->kept, first), h->lanes, &e->value[first]);
        else if (!e->early)
            load_held(g, e, first, first + h->lanes);
}

/* Loads an element at all points, and keeps it in registers. */
static void keep_element(struct gen *g, struct held_element *e) {
    struct held_points *h = g->threads->held;
    struct held_element *kept = NEW(g->uc, struct held_element);
    load_held(g, e, 0, h->n);
    e->known = true;
    *kept = *e;
    kept->next = h->elements;
    h->elements = kept;
}

/* Keeps the elements that later spreads read too. */
static void load_kept(struct gen *g, struct held_element *found) {
    for (struct held_element *e = found; e != NULL; e = e->next)
        if (!e->known && e->kept != NULL)
            keep_element(g, e);
}

/* Keeps all elements before the first step, which may have none. */
static void load_before_steps(struct gen *g) {
    for (const struct kept *k = g->plan->map.kept; k != NULL; k = k->next) {
        struct held_element e = {.spread = k->first, .place = k->place, .kept = k};
        g->lane_var = last_range(k->first)->var;
        keep_element(g, &e);
    }
}

/* The body at `lanes` points from a first one on; those that are not the call's leave the accs as
 * they are. */
static void gen_held_lanes(struct gen *g, const struct pstmt *s, const struct held_element *found,
                           int first) {
    struct held_points *h = g->threads->held;
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, count_accs(s) + 1);
    for (h->at = first; h->at < first + h->lanes; h->at++) {
        load_accs(g, s->accs, before);
        gen_held_point(g, s, found);
        if (!may_repeat(s))
            take_back(g, s->accs, is_own(g, h->at), before);
    }
}

static LLVMValueRef divide_quickly(struct gen *g, const struct pval *v, LLVMValueRef a) {
    struct held_points *h = g->threads->held;
    return gen_quotient(g, h->divisors, v, a, h->safe);
}

/* As gen_held_lanes, by reciprocals where their quotients are right. */
static void gen_divided_lanes(struct gen *g, const struct pstmt *s,
                              const struct held_element *found, int first) {
    struct held_points *h = g->threads->held;
    LLVMBasicBlockRef again = gen_block(g, "again"), done = gen_block(g, "divided");
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, count_accs(s) + 1);
    load_accs(g, s->accs, before);
    h->safe = gen_alloca(g, i1_type(g), "safe");
    LLVMBuildStore(g->b, are_safe(g, h->divisors), h->safe);
    g->quotient = divide_quickly;
    gen_held_lanes(g, s, found, first);
    g->quotient = NULL;
    LLVMBuildCondBr(g->b, LLVMBuildLoad2(g->b, i1_type(g), h->safe, ""), done, again);
    gen_place(g, again);
    take_back(g, s->accs, LLVMConstNull(i1_type(g)), before);
    gen_held_lanes(g, s, found, first);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* How many elements the spread alone reads. */
static int owned(const struct held_element *found) {
    int n = 0;
    for (; found != NULL; found = found->next)
        n += !found->known;
    return n;
}

/* The body at all points.  An element that the spread alone reads is loaded while the points before
 * are computed. */
void gen_held_points(struct gen *g, const struct pstmt *s, struct held_element *found) {
    struct held_points *h = g->threads->held;
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, count_accs(s) + 1);
    load_accs(g, s->accs, before);
    int ahead = owned(found) == 1 ? h->lanes : 0; /* registers for more would cost occupancy */
    if (ahead > 0)
        load_own(g, found, 0);
    for (int first = 0; first < h->n; first += h->lanes) {
        load_own(g, found, first + ahead);
        (h->divisors != NULL ? gen_divided_lanes : gen_held_lanes)(g, s, found, first);
        for (const struct held_put *p = h->puts; p != NULL; p = p->next)
            store_held(g, s, p, first);
    }
    if (may_repeat(s))
        take_back(g, s->accs, compare(g, LLVMIntSGT, h->total, i32(g, 0)), before);
}

/* A value (i32) from the lane itself: LLVM and ptxas would keep what an earlier spread computed of
 * it in a register a point. */
static LLVMValueRef renewed(struct gen *g, LLVMValueRef v) {
    LLVMValueRef mask = g->threads->lane_mask, lane = lane_of(g, g->threads->tid);
    return gen_shuffle(g, SHUFFLE_FROM, mask != NULL ? mask : i32(g, UINT32_MAX), v, lane);
}

void gen_held_spread(struct gen *g, const struct pstmt *s) {
    struct held_points *h = g->threads->held;
    struct finding f = {.g = g, .spread = s};
    bool rounds = g->threads->together != NULL;
    LLVMValueRef left = h->left, first = h->first, count = h->count;
    if (!rounds) {
        h->left = renewed(g, h->left);
        h->first = renewed(g, h->first);
        h->count = renewed(g, h->count);
    }
    h->puts = NULL;
    g->lane_var = last_range(s)->var;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_elements_of}, &f);
    if (!rounds)
        load_kept(g, f.found);
    h->divisors = find_divisors(g, s);
    if (rounds)
        gen_all_rounds(g, s, f.found);
    else
        gen_held_points(g, s, f.found);
    if (g->plan->map.held_steps) { /* which may not come here before the next spread */
        h->left = left;
        h->first = first;
        h->count = count;
    }
}

/* ---- a call */

void gen_held_call(struct gen *g, struct threads *t) {
    const struct mapping *m = &g->plan->map;
    struct held_points *h = NEW(g->uc, struct held_points);
    LLVMBasicBlockRef looped = gen_block(g, "looped"), held = gen_block(g, "held"),
                      done = gen_block(g, "called");
    bool warp = kernel_info[t->kind].sharing == UFC_BY_WARP && !m->held_steps;
    bool always = warp || ufc_is_joint(t->kind);
    const struct threads before = *t;
    *h = (struct held_points){.n = m->held, .lanes = m->held_lanes};
    find_nest(g, m->rows, &h->nest);
    LLVMValueRef most = multiply(g, t->count, i64(g, (uint64_t)h->n));
    LLVMValueRef fits = compare(g, LLVMIntSLE, h->nest.total, most);
    if (m->held_steps) /* else fewer points a thread, in a loop, are less than all that registers
                          hold */
        fits = both(g, fits, compare(g, LLVMIntSGT, add(g, h->nest.total, h->nest.total), most));
    if (t->blocks != NULL)
        fits = both(g, fits, compare(g, LLVMIntEQ, t->blocks, i32(g, 1)));
    LLVMBuildCondBr(g->b, always ? LLVMConstInt(i1_type(g), 1, false) : fits, held, looped);
    gen_place(g, held);
    t->blocks = NULL; /* one has the call */
    h->total = LLVMBuildTrunc(g->b, h->nest.total, i32_type(g), "");
    t->held = h;
    h->vectors = has_columns(g) ? LLVMConstNull(i1_type(g)) : are_vectors(g);
    share_points(g, h);
    if (t->together != NULL)
        fill_memory(g);
    else if (m->held_steps)
        load_before_steps(g);
    gen_stmts(g, g->plan->body);
    *t = before;
    LLVMBuildBr(g->b, done);
    gen_place(g, looped);
    if (always)
        LLVMBuildUnreachable(g->b);
    else {
        t->brief = !m->held_steps && has_kernel(g->plan, UFC_KERNEL_JOINT) &&
                   has_kernel(g->plan, UFC_KERNEL_NEST);
        gen_stmts(g, g->plan->body);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}
