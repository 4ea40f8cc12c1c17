/* state.c: WARP, of calls whose state lanes keep in registers from one step of an ordered loop to
 * the next: lane i has the elements i of map.state_arrays, or several neighbours.  What a step
 * reads of inputs is loaded some steps ahead. */
#include <string.h>

#include "state.h"

/* The code at hand is of the lane's index number k. */
void take_index(struct gen *g, int k) {
    struct state *x = g->threads->state;
    g->point = k;
    for (int i = g->plan->nin; i < g->plan->noperands; i++)
        if (g->plan->map.state_arrays >> i & 1)
            g->arrays[i].base = x->slot[i][k];
}

enum {
    AHEAD = 16,         /* elements on their way, at most, */
    AHEAD_SEVERAL = 48, /* where a lane has several indices */
    STEPS = 8,          /* steps in straight code, at most, */
    STEPS_NODES = 600,  /* whose values have so many nodes */
};

/* Elements of inputs that a loop's step reads, whose places are known before the loop. */
struct reads {
    struct gen *g;
    const struct pstmt *loop, *spread; /* spread: around what is searched, or NULL */
    const bool *written;               /* by variable: the loop's body sets it */
    const struct pval *place[AHEAD];
    LLVMValueRef value[STEPS][AHEAD][MAX_PER]; /* of each step, and index of the lane */
    LLVMValueRef slot[STEPS][AHEAD][MAX_PER];  /* where the next ones are */
    const struct pstmt *of[AHEAD];             /* the spread that it is in, or NULL */
    bool same[AHEAD];                          /* it is the same one in all steps */
    int n, nodes, moving; /* how many; nodes of the body; those that are not the same */
    bool leaves;          /* a step may be the last one */
    bool lanes, plain;    /* there are lanes' points; there is no loop outside of these */
};

/* What has been loaded of an element; NULL: nothing. */
static LLVMValueRef take_ahead(const struct state *x, const struct pval *v, int index) {
    const struct reads *r = x->ahead;
    for (int i = 0; i < r->n; i++)
        if (same_value(r->place[i], v))
            return r->value[x->step][i][r->of[i] != NULL ? index : 0];
    return NULL;
}

/* An element of another index, i64, than those of the lane, from shared memory. */
static LLVMValueRef load_near(struct gen *g, const struct pval *v, LLVMValueRef index) {
    const struct state *x = g->threads->state;
    struct gen_array *a = &g->arrays[v->operand];
    LLVMValueRef own = a->base;
    LLVMValueRef size = i64(g, dtype_info[v->dtype].bits / 8);
    a->base = at_byte(g, x->near[v->operand], multiply(g, index, size));
    LLVMValueRef other = gen_element_at(g, v, i64(g, 0));
    a->base = own;
    return other;
}

/* What has been loaded ahead; or an element of another index than the lane's, from the lane that
 * has it.  NULL: it is neither. */
static LLVMValueRef exchange(struct gen *g, const struct pval *v) {
    const struct state *x = g->threads->state;
    const struct pval *at = v->nargs == 1 ? v->args[0] : NULL;
    LLVMValueRef loaded = x->ahead != NULL ? take_ahead(x, v, g->point) : NULL;
    if (loaded == NULL)
        loaded = take_vector(g, v);
    if (loaded != NULL || !is_kept(g, v))
        return loaded;
    take_index(g, g->point);
    if (x->spread != NULL && at->kind == PV_VAR && at->var == x->spread->ranges->var)
        return NULL;
    if (x->near[v->operand] != NULL)
        return load_near(g, v, gen_value(g, at));
    LLVMValueRef index = LLVMBuildTrunc(g->b, gen_value(g, at), i32_type(g), "");
    LLVMValueRef own = gen_element_at(g, v, i64(g, 0));
    return gen_shuffle(g, SHUFFLE_FROM, g->threads->lane_mask, own, add(g, x->first, index));
}

/* ---- statements */

static void sync_lanes(struct gen *g, const struct pstmt *s) {
    if (s->sync_lanes || (s->sync && g->threads->state->meets))
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
}

/* Has other lanes see the lane's element number k of an array. */
static void show(struct gen *g, int operand, int k) {
    const struct state *x = g->threads->state;
    if (x->near[operand] == NULL)
        return;
    enum ufc_dtype d = g->plan->operands[operand].dtype;
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, x->slot[operand][k], "");
    LLVMValueRef at = multiply(g, x->own[k], i64(g, dtype_info[d].bits / 8));
    LLVMSetAlignment(LLVMBuildStore(g->b, v, at_byte(g, x->near[operand], at)), dtype_align(d));
}

/* All lanes take part in the value, since it may be made of other lanes' elements. */
static void store_where(struct gen *g, const struct pstmt *s, LLVMValueRef condition) {
    LLVMValueRef v = s->merged ? NULL : gen_value(g, s->value);
    LLVMBasicBlockRef after = begin_if(g, condition);
    if (s->merged)
        gen_put_here(g, s);
    else
        gen_store_to(g, s->place, v);
    end_if(g, after);
}

static enum walk find_near(const struct pval *v, void *arg) {
    struct gen *g = arg;
    return v->kind == PV_ELEM && is_kept(g, v) && g->threads->state->near[v->operand] != NULL
               ? WALK_STOP
               : WALK_IN;
}

/* A PS_PUT outside of spreads: the lane that has the element stores, or the call's first one, when
 * all lanes have read what the value is made of. */
static void put(struct gen *g, const struct pstmt *s) {
    const struct state *x = g->threads->state;
    bool kept = is_kept(g, s->place), near = x->meets && !stmt_values(s, find_near, g);
    if (near)
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
    LLVMValueRef place = kept ? gen_value(g, s->place->args[0]) : i64(g, 0);
    LLVMValueRef v = s->merged ? NULL : gen_value(g, s->value);
    bool shown = kept && x->near[s->place->operand] != NULL;
    if (near || shown)
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
    for (int k = 0; k < (kept ? x->per : 1); k++) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->own[k], place));
        if (kept)
            take_index(g, k);
        if (s->merged)
            gen_put_here(g, s);
        else
            gen_store_to(g, s->place, v);
        if (kept)
            show(g, s->place->operand, k);
        end_if(g, after);
    }
    if (shown) /* what the first thread elsewhere does alone has no `sync` of its own (first.c) */
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
    take_index(g, 0);
}

/* That of a lane's point.  Lanes without an index have the state of the last one. */
static void put_at_point(struct gen *g, const struct pstmt *s) {
    const struct state *x = g->threads->state;
    bool kept = is_kept(g, s->place);
    if (kept)
        take_index(g, g->point);
    if (kept || x->spread->in_lanes == LANES_SOME)
        gen_put_here(g, s);
    else
        store_where(g, s, x->has[g->point]);
    if (kept)
        show(g, s->place->operand, g->point);
}

/* ---- steps in straight code */

static void set_step(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef turn) {
    gen_set_index(g, s->var, add(g, lo, multiply(g, turn, i64(g, s->step->i))));
}

/* The steps from `first` on, `steps` at a time while so many are left of n.  Gives the next one. */
static LLVMValueRef gen_steps(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef n,
                              LLVMValueRef first, int steps) {
    struct loop l;
    LLVMValueRef last = subtract(g, n, i64(g, (uint64_t)steps));
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[0], last));
    for (int k = 0; k < steps; k++) {
        set_step(g, s, lo, add(g, l.phi[0], i64(g, (uint64_t)k)));
        gen_stmts(g, s->body);
    }
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)steps));
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* A PS_FOR that is small, and not a vector of points: several of its iterations are straight code,
 * so that no load, or element of another lane, is waited for alone. */
static bool in_steps(struct gen *g, const struct pstmt *s) {
    bool constant = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST;
    if (g->lanes > 1 || constant || s->step->kind != PV_CONST ||
        (s->step->i != 1 && (int64_t)s->step->i != -1) ||
        body_cost(s->body, POINT_STEPS_BODY) >= POINT_STEPS_BODY)
        return false;
    LLVMValueRef lo = gen_value(g, s->lo);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, s->hi), i64(g, s->step->i));
    LLVMValueRef next = gen_steps(g, s, lo, n, i64(g, 0), STEPS);
    gen_steps(g, s, lo, n, next, 1);
    return true;
}

/* A PS_SPREAD at a lane's point. */
static bool in_order(struct gen *g, const struct pstmt *s) {
    const struct pstmt *loop = s->serial;
    return loop->kind == PS_FOR && loop->next == NULL && in_steps(g, loop);
}

/* ---- points of lanes */

static void gen_point(struct gen *g, const struct pstmt *s) {
    static const struct sharing in_lane = {.put = put_at_point, .loop = in_steps};
    g->sharing = &in_lane;
    gen_stmts(g, s->body);
    g->sharing = NULL;
}

/* A spread over the whole dimension: all lanes run it, and those without an index have no part. */
static void gen_all(struct gen *g, const struct pstmt *s) {
    const struct state *x = g->threads->state;
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, count_accs(s) + 1);
    for (int k = 0; k < x->per; k++) {
        take_index(g, k);
        gen_set_index(g, s->ranges->var, x->index[k]);
        load_accs(g, s->accs, before);
        gen_point(g, s);
        take_back(g, s->accs, x->has[k], before);
    }
    take_index(g, 0);
}

/* Finds what is left early, or belongs to one point alone. */
static enum walk find_apart(const struct pstmt *s, void *none) {
    (void)none;
    bool apart = s->kind == PS_CLEAR || s->kind == PS_LEAVE || s->kind == PS_LOOP ||
                 s->kind == PS_BLOCK || s->merged;
    return apart ? WALK_STOP : WALK_IN;
}

/* Do the points of a lane run together, so that what all of them read is loaded once? */
static bool runs_abreast(const struct gen *g, const struct pstmt *s) {
    return g->threads->state->per > 1 && s->accs == NULL && g->nheld == 0 &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = find_apart}, NULL);
}

/* A spread over the whole dimension, whose points of a lane do. */
static void gen_abreast(struct gen *g, const struct pstmt *s) {
    struct state *x = g->threads->state;
    struct abreast a;
    abreast_begin_points(g, &a, s, s->ranges->var, NULL, x->per);
    for (int k = 0; k < x->per; k++) {
        abreast_take(g, &a, k);
        gen_set_index(g, s->ranges->var, x->index[k]);
    }
    g->abreast = &a;
    x->apart = a.varying;
    x->nvectors = 0;
    gen_point(g, s);
    x->apart = NULL;
    g->abreast = NULL;
    abreast_take(g, &a, 0);
    take_index(g, 0);
}

/* One over a range within the dimension. */
static void gen_some(struct gen *g, const struct pstmt *s) {
    const struct state *x = g->threads->state;
    LLVMValueRef lo = gen_value(g, s->ranges->lo), hi = gen_value(g, s->ranges->hi);
    for (int k = 0; k < x->per; k++) {
        LLVMValueRef within =
            both(g, compare(g, LLVMIntSGE, x->own[k], lo), compare(g, LLVMIntSLT, x->own[k], hi));
        LLVMBasicBlockRef after = begin_if(g, within);
        take_index(g, k);
        gen_set_index(g, s->ranges->var, x->own[k]);
        gen_point(g, s);
        end_if(g, after);
    }
    take_index(g, 0);
}

static void spread(struct gen *g, const struct pstmt *s) {
    struct state *x = g->threads->state;
    if (s->in_lanes == LANES_NONE) {
        by_threads.spread(g, s);
        return;
    }
    x->spread = s;
    (s->in_lanes == LANES_SOME ? gen_some : runs_abreast(g, s) ? gen_abreast : gen_all)(g, s);
    x->spread = NULL;
    if (s->accs == NULL)
        return;
    join_group(g, s, g->threads->group);
    if (x->meets) /* `sync` has all lanes' reads end there, but shuffles order no memory */
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
}

/* ---- loops */

/* Stops at what makes a place unknown before the loop. */
static enum walk find_unknown(const struct pval *v, void *arg) {
    const struct reads *r = arg;
    bool index = v->kind == PV_VAR && (v->var == r->loop->var ||
                                       (r->spread != NULL && v->var == r->spread->ranges->var));
    bool unknown = v->kind == PV_ELEM || (v->kind == PV_VAR && !index && r->written[v->var->id]);
    return unknown ? WALK_STOP : WALK_IN;
}

static enum walk find_index(const struct pval *v, void *index) {
    return v->kind == PV_VAR && v->var == *(const struct pvar **)index ? WALK_STOP : WALK_IN;
}

/* How many of the lane's indices have an own element of read number i. */
static int copies_of(const struct reads *r, int i) {
    return r->of[i] != NULL ? r->g->threads->state->per : 1;
}

static enum walk add_read(const struct pval *v, void *arg) {
    struct reads *r = arg;
    bool known = v->kind == PV_ELEM && v->operand < r->g->plan->nin && r->n < AHEAD;
    for (int i = 0; known && i < v->nargs; i++)
        known = value_walk(v->args[i], find_unknown, r);
    known = known && (!r->leaves || gen_exists_at_indices(r->g, v));
    for (int i = 0; known && i < r->n; i++)
        known = !same_value(r->place[i], v);
    if (known) {
        const struct pvar *index = r->loop->var;
        r->of[r->n] = r->spread;
        r->same[r->n] = value_walk(v, find_index, &index);
        int words = r->g->threads->state->per > 1 && dtype_info[v->dtype].bits > 32 ? 2 : 1;
        r->moving += r->same[r->n] ? 0 : copies_of(r, r->n) * words;
        r->place[r->n++] = v;
    }
    return WALK_IN;
}

static enum walk count_nodes(const struct pval *v, void *arg) {
    (void)v;
    ++((struct reads *)arg)->nodes;
    return WALK_IN;
}

/* Finds what statements that each step runs read. */
static void find_reads(struct reads *r, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool outer = r->spread == NULL;
        if (s->kind == PS_SET || s->kind == PS_PUT)
            value_walk(s->value, add_read, r);
        bool loop = s->kind == PS_FOR || s->kind == PS_LOOP || s->kind == PS_BLOCK;
        r->plain = r->plain && s->kind != PS_LEAVE &&
                   (!outer || !loop || (s->kind == PS_FOR && points_in_lanes(s) != NULL));
        const struct pstmt *points = points_in_lanes(s);
        if (!outer || points == NULL)
            continue;
        r->spread = points;
        r->lanes = true;
        find_reads(r, points->body);
        r->spread = NULL;
    }
}

static enum walk find_target(const struct pstmt *s, void *target) {
    return s == target ? WALK_STOP : WALK_IN;
}

/* Stops at what leaves the loop: steps behind it do not run, and what they would read need not
 * exist. */
static enum walk find_leave(const struct pstmt *s, void *arg) {
    const struct reads *r = arg;
    const struct plan_visitor targets = {.stmt = find_target};
    return s->kind == PS_LEAVE && plan_walk(r->loop->body, &targets, s->target) ? WALK_STOP
                                                                                : WALK_IN;
}

/* Steps in straight code; 0: the loop runs as others do. */
static int steps_ahead(struct reads *r) {
    const struct pstmt *s = r->loop;
    int steps = STEPS;
    r->plain = s->step->kind == PV_CONST && (s->step->i == 1 || (int64_t)s->step->i == -1) &&
               !r->written[s->var->id];
    r->leaves = !plan_walk(s->body, &(struct plan_visitor){.stmt = find_leave}, r);
    const struct pval **below = r->g->below;
    if (r->leaves)
        gen_find_bounds(r->g);
    find_reads(r, s->body);
    r->g->below = below;
    plan_walk(s->body, &(struct plan_visitor){.value = count_nodes}, r);
    int per = r->g->threads->state->per, most = per > 1 ? AHEAD_SEVERAL : AHEAD;
    while (steps > 1 &&
           (steps * r->moving > most || steps * r->nodes * per > (per > 1 ? 2 : 1) * STEPS_NODES))
        steps /= 2;
    return r->plain && r->lanes && r->moving > 0 ? steps : 0;
}

/* Loads the elements of the steps from `turn` on, to the slots; same: those of all steps. */
static void load_steps(struct reads *r, int steps, LLVMValueRef lo, LLVMValueRef turn, bool same) {
    struct gen *g = r->g;
    struct state *x = g->threads->state;
    for (int k = 0; k < steps; k++) {
        set_step(g, r->loop, lo, add(g, turn, i64(g, (uint64_t)k)));
        for (int i = 0; i < r->n; i++) {
            LLVMValueRef all = NULL;
            for (int p = 0; r->same[i] == same && p < copies_of(r, i); p++) {
                LLVMValueRef *slot = &r->slot[k][i][p];
                if (r->of[i] != NULL && all == NULL)
                    gen_set_index(g, r->of[i]->ranges->var, x->index[p]);
                x->spread = r->of[i];
                if (p == 0 && r->of[i] != NULL && is_vector(g, r->place[i], NULL))
                    all = load_of_lane(g, r->place[i]);
                x->spread = NULL;
                LLVMValueRef v = all != NULL ? of_vector(g, all, p) : gen_value(g, r->place[i]);
                if (*slot == NULL)
                    *slot = gen_alloca(g, LLVMTypeOf(v), "ahead");
                LLVMBuildStore(g->b, v, *slot);
            }
        }
    }
}

static void take_steps(struct reads *r, int steps) {
    struct gen *g = r->g;
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < r->n; i++)
            for (int p = 0; p < copies_of(r, i); p++) {
                LLVMTypeRef type = gen_type(g, r->place[i]->dtype);
                r->value[k][i][p] =
                    LLVMBuildLoad2(g->b, type, r->slot[r->same[i] ? 0 : k][i][p], "");
            }
}

/* The steps from `first` on, `steps` at a time while so many are left of n: what they read has been
 * loaded, and what the next ones read is now. */
static void gen_ahead(struct reads *r, int steps, LLVMValueRef lo, LLVMValueRef n) {
    struct gen *g = r->g;
    struct loop l;
    LLVMValueRef zero = i64(g, 0), all = i64(g, (uint64_t)steps);
    LLVMValueRef last = subtract(g, n, all);
    load_steps(r, 1, lo, zero, true);
    load_steps(r, steps, lo, zero, false);
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[0], last));
    LLVMValueRef next = add(g, l.phi[0], all);
    take_steps(r, steps);
    load_steps(r, steps, lo, least(g, next, last), false);
    for (int k = 0; k < steps; k++) {
        set_step(g, r->loop, lo, add(g, l.phi[0], i64(g, (uint64_t)k)));
        g->threads->state->ahead = r;
        g->threads->state->step = k;
        gen_stmts(g, r->loop->body);
        g->threads->state->ahead = NULL;
    }
    loop_end(g, &l, &next);
}

static bool loop(struct gen *g, const struct pstmt *s) {
    if (points_in_lanes(s) != NULL) {
        gen_series_in_lanes(g, s->series);
        return true;
    }
    struct reads *r = NEW(g->uc, struct reads);
    *r = (struct reads){.g = g, .loop = s, .written = find_written(g->uc, g->plan, s->body)};
    int steps = g->threads->state->ahead == NULL ? steps_ahead(r) : 0;
    if (steps == 0)
        return in_steps(g, s);
    LLVMValueRef lo = gen_value(g, s->lo), all = i64(g, (uint64_t)steps);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, s->hi), i64(g, s->step->i));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSGE, n, all));
    gen_ahead(r, steps, lo, n);
    LLVMValueRef taken = subtract(g, n, LLVMBuildURem(g->b, n, all, ""));
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    if (steps > 1)
        gen_steps(g, s, lo, n, phi2(g, before, i64(g, 0), behind, taken), 1);
    return true;
}

/* ---- a call */

/* The call's elements of an array in shared memory. */
static LLVMValueRef near_array(struct gen *g, int k) {
    const struct threads *t = g->threads;
    const struct poperand *o = &g->plan->operands[k];
    uint32_t each = dtype_info[o->dtype].bits / 8 * (uint32_t)t->state->per;
    LLVMValueRef all = shared_array(g, LLVMInt8TypeInContext(g->context),
                                    kernel_info[t->kind].threads * each, 16, o->name);
    LLVMValueRef first = LLVMBuildAnd(g->b, t->tid, LLVMBuildNeg(g->b, t->group, ""), "");
    return at_byte(g, all, extended(g, multiply(g, first, i32(g, each))));
}

/* The lane's elements: found in its registers, and at home where they are first read or last
 * stored. */
static void enter(struct gen *g, struct gen_array *home) {
    const struct plan *p = g->plan;
    struct state *x = g->threads->state;
    for (int k = p->nin; k < p->noperands; k++) {
        if (!(p->map.state_arrays >> k & 1))
            continue;
        struct gen_array *a = &g->arrays[k];
        LLVMTypeRef type = gen_memory_type(g, p->operands[k].dtype);
        home[k] = *a;
        x->meets = x->meets || x->near[k] != NULL;
        for (int i = 0; i < x->per; i++) {
            LLVMValueRef v = LLVMConstNull(type);
            if (p->overload->inst->unwritten >> (k - p->nin) & 1) {
                LLVMValueRef at = multiply(g, x->index[i], home[k].stride[0]);
                v = LLVMBuildLoad2(g->b, type, at_byte(g, home[k].base, at), "");
                LLVMSetAlignment(v, dtype_align(p->operands[k].dtype));
            }
            x->slot[k][i] = gen_alloca(g, type, p->operands[k].name);
            LLVMBuildStore(g->b, v, x->slot[k][i]);
            show(g, k, i);
        }
        *a = (struct gen_array){.near = true};
        a->stride[0] = i64(g, 0);
    }
    take_index(g, 0);
    if (x->meets)
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
}

static void leave(struct gen *g, const struct gen_array *home) {
    const struct plan *p = g->plan;
    const struct state *x = g->threads->state;
    for (int i = 0; i < x->per; i++) {
        LLVMBasicBlockRef after = begin_if(g, x->has[i]);
        for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
            if (!(p->map.state_arrays >> k & 1))
                continue;
            LLVMTypeRef type = gen_memory_type(g, p->operands[k].dtype);
            LLVMValueRef v = LLVMBuildLoad2(g->b, type, x->slot[k][i], "");
            LLVMValueRef at = multiply(g, x->own[i], home[k].stride[0]);
            LLVMSetAlignment(LLVMBuildStore(g->b, v, at_byte(g, home[k].base, at)),
                             dtype_align(p->operands[k].dtype));
        }
        end_if(g, after);
    }
}

/* The lane's indices: `whole` where it has all of them, or none. */
static void find_indices(struct gen *g, bool whole) {
    struct state *x = g->threads->state;
    LLVMValueRef size = g->dims[g->plan->map.state->index], per = i64(g, (uint64_t)x->per);
    LLVMValueRef last = subtract(g, size, i64(g, 1)), number = g->threads->number;
    LLVMValueRef lane = least(g, number, LLVMBuildUDiv(g->b, last, per, ""));
    for (int k = 0; k < x->per; k++) {
        LLVMValueRef further = i64(g, (uint64_t)k);
        x->own[k] = add(g, multiply(g, number, per), further);
        x->index[k] = whole ? add(g, multiply(g, lane, per), further) : least(g, x->own[k], last);
        x->has[k] = whole && k > 0 ? x->has[0] : compare(g, LLVMIntSLE, x->own[k], last);
    }
}

/* ---- the call */

static void gen_lanes(struct gen *g, const struct along *vectors) {
    static const struct sharing by_lanes = {
        .spread = spread, .put = put, .sync = sync_lanes, .loop = loop, .shares_loops = true};
    struct gen_array home[UFC_MAX_OPERANDS], before[UFC_MAX_OPERANDS];
    size_t all = (size_t)g->plan->noperands * sizeof *before;
    memcpy(before, g->arrays, all);
    if (vectors != NULL)
        assume_vectors(g, vectors);
    find_indices(g, vectors != NULL);
    g->threads->state->axis = vectors != NULL ? vectors->axis : NULL;
    enter(g, home);
    g->sharing = &by_lanes;
    g->exchange = exchange;
    g->in_order = in_order;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    g->in_order = NULL;
    g->exchange = NULL;
    leave(g, home);
    memcpy(g->arrays, before, all);
}

static enum walk find_lane_terms(const struct pstmt *s, void *none) {
    if (s->turned && !plan_walk(s->shared, &(struct plan_visitor){.stmt = find_lane_terms}, none))
        return WALK_STOP;
    return s->series != NULL && points_in_lanes(s) != NULL ? WALK_STOP : WALK_IN;
}

void gen_state_call(struct gen *g, struct threads *t) {
    gufunc_enter_call(g, t);
    struct state *x = t->state = NEW(g->uc, struct state);
    x->per = t->kind == UFC_KERNEL_WARP ? 1 : kernel_info[t->kind].size;
    x->first = LLVMBuildAnd(g->b, lane_of(g, t->tid), LLVMBuildNeg(g->b, t->group, ""), "");
    for (int k = g->plan->nin; k < g->plan->noperands && x->per > 1; k++)
        if (g->plan->map.state_others >> k & 1)
            x->near[k] = near_array(g, k);
    if (!plan_walk(g->plan->body, &(struct plan_visitor){.stmt = find_lane_terms}, NULL))
        reserve_lane_terms(g, t);
    struct along a = {.g = g};
    for (int k = 0; k < g->plan->noperands; k++)
        a.axis[k] = NO_AXIS;
    find_axes(&a, g->plan->body->body);
    if (x->per == 1) {
        gen_lanes(g, NULL);
    } else {
        LLVMBasicBlockRef vectors = gen_block(g, "vectors"), apart = gen_block(g, "apart"),
                          done = gen_block(g, "had");
        LLVMBuildCondBr(g->b, are_vectors(g, &a), vectors, apart);
        gen_place(g, vectors);
        gen_lanes(g, &a);
        LLVMBuildBr(g->b, done);
        gen_place(g, apart);
        gen_lanes(g, NULL);
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    }
    gufunc_leave_call(g, t);
}
