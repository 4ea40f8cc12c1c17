/* state.c: WARP, of calls whose state lanes keep in registers from one step of an ordered loop to
 * the next: lane i has the elements i of map.state_arrays.  What a step reads of inputs is loaded
 * some steps ahead. */
#include "gufunc.h"

struct state {
    LLVMValueRef index, has;    /* i64: the lane's index, or the last one; i1: it is the lane's */
    LLVMValueRef first;         /* i32: the lane of the warp that has index 0 */
    const struct pstmt *spread; /* whose points are generated, or NULL */
};

static bool is_kept(struct gen *g, const struct pval *place) {
    return place->operand < g->plan->noperands && g->plan->map.state_arrays >> place->operand & 1;
}

/* An element of another index than the lane's, from the lane that has it; NULL: it is none. */
static LLVMValueRef exchange(struct gen *g, const struct pval *v) {
    const struct state *x = g->threads->state;
    const struct pval *at = v->nargs == 1 ? v->args[0] : NULL;
    if (!is_kept(g, v) ||
        (x->spread != NULL && at->kind == PV_VAR && at->var == x->spread->ranges->var))
        return NULL;
    LLVMValueRef index = LLVMBuildTrunc(g->b, gen_value(g, at), i32_type(g), "");
    LLVMValueRef own = gen_element_at(g, v, i64(g, 0));
    return gen_shuffle(g, SHUFFLE_FROM, g->threads->lane_mask, own, add(g, x->first, index));
}

/* ---- statements */

static void sync_lanes(struct gen *g, const struct pstmt *s) {
    if (s->sync_lanes)
        gpu(g)->warp_barrier(g, g->threads->lane_mask);
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

/* A PS_PUT outside of spreads: the lane that has the element stores, or the call's first one. */
static void put(struct gen *g, const struct pstmt *s) {
    LLVMValueRef place = is_kept(g, s->place) ? gen_value(g, s->place->args[0]) : i64(g, 0);
    store_where(g, s, compare(g, LLVMIntEQ, g->threads->number, place));
}

/* That of a lane's point.  Lanes without an index have the state of the last one. */
static void put_at_point(struct gen *g, const struct pstmt *s) {
    const struct state *x = g->threads->state;
    if (is_kept(g, s->place) || x->spread->in_lanes == LANES_SOME)
        gen_put_here(g, s);
    else
        store_where(g, s, x->has);
}

static void gen_point(struct gen *g, const struct pstmt *s) {
    static const struct sharing in_lane = {.put = put_at_point};
    g->sharing = &in_lane;
    gen_stmts(g, s->body);
    g->sharing = NULL;
}

/* A spread over the whole dimension: all lanes run it, and those without an index have no part. */
static void gen_all(struct gen *g, const struct pstmt *s) {
    const struct state *x = g->threads->state;
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, count_accs(s) + 1);
    gen_set_index(g, s->ranges->var, x->index);
    load_accs(g, s->accs, before);
    gen_point(g, s);
    take_back(g, s->accs, x->has, before);
}

/* One over a range within the dimension. */
static void gen_some(struct gen *g, const struct pstmt *s) {
    LLVMValueRef lo = gen_value(g, s->ranges->lo), hi = gen_value(g, s->ranges->hi);
    LLVMValueRef number = g->threads->number;
    LLVMValueRef within =
        both(g, compare(g, LLVMIntSGE, number, lo), compare(g, LLVMIntSLT, number, hi));
    LLVMBasicBlockRef after = begin_if(g, within);
    gen_set_index(g, s->ranges->var, number);
    gen_point(g, s);
    end_if(g, after);
}

static void spread(struct gen *g, const struct pstmt *s) {
    struct state *x = g->threads->state;
    if (s->in_lanes == LANES_NONE) {
        by_threads.spread(g, s);
        return;
    }
    x->spread = s;
    (s->in_lanes == LANES_ALL ? gen_all : gen_some)(g, s);
    x->spread = NULL;
    if (s->accs != NULL)
        join_group(g, s, g->threads->group);
}

/* ---- loops */

enum {
    AHEAD = 16,        /* elements on their way, at most */
    STEPS = 8,         /* steps in straight code, at most, */
    STEPS_NODES = 600, /* whose values have so many nodes */
};

/* Elements of inputs that a loop's step reads, whose places are known before the loop. */
struct reads {
    struct gen *g;
    const struct pstmt *loop, *spread; /* spread: around what is searched, or NULL */
    const bool *written;               /* by variable: the loop's body sets it */
    struct held held[STEPS][AHEAD];    /* of each step */
    LLVMValueRef slot[STEPS][AHEAD];   /* where the next ones are */
    const struct pstmt *of[AHEAD];     /* the spread that it is in, or NULL */
    bool same[AHEAD];                  /* it is the same one in all steps */
    int n, nodes, moving; /* how many; nodes of the body; those that are not the same */
    bool lanes, plain;    /* there are lanes' points; there is no loop outside of these */
};

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

static enum walk add_read(const struct pval *v, void *arg) {
    struct reads *r = arg;
    bool known = v->kind == PV_ELEM && v->operand < r->g->plan->nin && r->n < AHEAD;
    for (int i = 0; known && i < v->nargs; i++)
        known = value_walk(v->args[i], find_unknown, r);
    for (int i = 0; known && i < r->n; i++)
        known = !same_value(r->held[0][i].place, v);
    if (known) {
        const struct pvar *index = r->loop->var;
        r->of[r->n] = r->spread;
        r->same[r->n] = value_walk(v, find_index, &index);
        r->moving += !r->same[r->n];
        r->held[0][r->n++].place = v;
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
        r->plain = r->plain && s->kind != PS_LEAVE &&
                   (!outer || (s->kind != PS_FOR && s->kind != PS_LOOP && s->kind != PS_BLOCK));
        if (!outer || s->kind != PS_SPREAD)
            continue;
        r->spread = s->in_lanes == LANES_ALL ? s : NULL;
        r->lanes = r->lanes || r->spread != NULL;
        if (r->spread != NULL)
            find_reads(r, s->body);
        r->spread = NULL;
    }
}

/* Steps in straight code; 0: the loop runs as others do. */
static int steps_ahead(struct reads *r) {
    const struct pstmt *s = r->loop;
    int steps = STEPS;
    r->plain = s->step->kind == PV_CONST && (s->step->i == 1 || (int64_t)s->step->i == -1) &&
               !r->written[s->var->id];
    find_reads(r, s->body);
    plan_walk(s->body, &(struct plan_visitor){.value = count_nodes}, r);
    while (steps > 1 && (steps * r->moving > AHEAD || steps * r->nodes > STEPS_NODES))
        steps /= 2;
    return r->plain && r->lanes && r->moving > 0 ? steps : 0;
}

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

/* A PS_SPREAD at a lane's point, which is not a vector of points: several of its iterations are
 * straight code, so that no load, or element of another lane, is waited for alone. */
static bool in_order(struct gen *g, const struct pstmt *s) {
    const struct pstmt *loop = s->serial;
    bool constant =
        loop->kind == PS_FOR && loop->lo->kind == PV_CONST && loop->hi->kind == PV_CONST;
    if (g->lanes > 1 || loop->kind != PS_FOR || loop->next != NULL || constant ||
        loop->step->kind != PV_CONST || loop->step->i != 1 ||
        body_cost(loop->body, POINT_STEPS_BODY) >= POINT_STEPS_BODY)
        return false;
    LLVMValueRef lo = gen_value(g, loop->lo);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, loop->hi), i64(g, 1));
    LLVMValueRef next = gen_steps(g, loop, lo, n, i64(g, 0), STEPS);
    gen_steps(g, loop, lo, n, next, 1);
    return true;
}

/* Loads the elements of the steps from `turn` on, to the slots; same: those of all steps. */
static void load_steps(struct reads *r, int steps, LLVMValueRef lo, LLVMValueRef turn, bool same) {
    struct gen *g = r->g;
    for (int k = 0; k < steps; k++) {
        set_step(g, r->loop, lo, add(g, turn, i64(g, (uint64_t)k)));
        for (int i = 0; i < r->n; i++) {
            if (r->same[i] != same)
                continue;
            if (r->of[i] != NULL)
                gen_set_index(g, r->of[i]->ranges->var, g->threads->state->index);
            LLVMValueRef v = gen_value(g, r->held[0][i].place);
            if (r->slot[k][i] == NULL)
                r->slot[k][i] = gen_alloca(g, LLVMTypeOf(v), "ahead");
            LLVMBuildStore(g->b, v, r->slot[k][i]);
        }
    }
}

static void take_steps(struct reads *r, int steps) {
    struct gen *g = r->g;
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < r->n; i++) {
            const struct pval *place = r->held[0][i].place;
            LLVMValueRef slot = r->slot[r->same[i] ? 0 : k][i];
            r->held[k][i] =
                (struct held){place, LLVMBuildLoad2(g->b, gen_type(g, place->dtype), slot, "")};
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
        g->held = r->held[k];
        g->nheld = r->n;
        gen_stmts(g, r->loop->body);
        g->nheld = 0;
    }
    loop_end(g, &l, &next);
}

static bool loop(struct gen *g, const struct pstmt *s) {
    struct reads *r = NEW(g->uc, struct reads);
    *r = (struct reads){.g = g, .loop = s, .written = find_written(g->uc, g->plan, s->body)};
    int steps = g->nheld == 0 ? steps_ahead(r) : 0;
    if (steps == 0)
        return false;
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

/* ---- warps */

/* Ordered loops around a list, outside of spreads. */
struct around {
    const struct pstmt *loop;
    bool set; /* its body sets the index */
    const struct around *outer;
};

/* Stops at what may differ between calls. */
static enum walk find_different(const struct pval *v, void *arg) {
    const struct around *a = arg;
    while (v->kind == PV_VAR && a != NULL && a->loop->var != v->var)
        a = a->outer;
    bool same = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                v->kind == PV_CAST || (v->kind == PV_VAR && a != NULL && !a->set);
    return same ? WALK_IN : WALK_STOP;
}

static bool are_in_step(struct gen *g, const struct pstmt *list, struct around *outer) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct around own = {s, false, outer};
        if (s->kind == PS_FOR)
            own.set = find_written(g->uc, g->plan, s->body)[s->var->id];
        if (s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_SPREAD)
            continue;
        if (s->kind != PS_FOR || s->lag > 0 || !value_walk(s->lo, find_different, outer) ||
            !value_walk(s->hi, find_different, outer) ||
            !value_walk(s->step, find_different, outer) ||
            !are_in_step(g, s->shared != NULL ? s->shared : s->body, &own))
            return false;
    }
    return true;
}

bool keeps_in_step(struct gen *g) {
    return g->plan->map.state != NULL && are_in_step(g, g->plan->body->body, NULL);
}

/* ---- a call */

/* The lane's elements: found in its registers, and at home where they are first read or last
 * stored. */
static void enter(struct gen *g, struct gen_array *home) {
    const struct plan *p = g->plan;
    const struct state *x = g->threads->state;
    for (int k = p->nin; k < p->noperands; k++) {
        if (!(p->map.state_arrays >> k & 1))
            continue;
        struct gen_array *a = &g->arrays[k];
        LLVMTypeRef type = gen_memory_type(g, p->operands[k].dtype);
        LLVMValueRef v = LLVMConstNull(type);
        home[k] = *a;
        if (p->overload->inst->unwritten >> (k - p->nin) & 1) {
            v = LLVMBuildLoad2(g->b, type, at_byte(g, a->base, multiply(g, x->index, a->stride[0])),
                               "");
            LLVMSetAlignment(v, dtype_align(p->operands[k].dtype));
        }
        *a = (struct gen_array){.base = gen_alloca(g, type, p->operands[k].name), .near = true};
        a->stride[0] = i64(g, 0);
        LLVMBuildStore(g->b, v, a->base);
    }
}

static void leave(struct gen *g, const struct gen_array *home) {
    const struct plan *p = g->plan;
    LLVMBasicBlockRef after = begin_if(g, g->threads->state->has);
    for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
        if (!(p->map.state_arrays >> k & 1))
            continue;
        LLVMTypeRef type = gen_memory_type(g, p->operands[k].dtype);
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, g->arrays[k].base, "");
        LLVMValueRef at = multiply(g, g->threads->number, home[k].stride[0]);
        LLVMSetAlignment(LLVMBuildStore(g->b, v, at_byte(g, home[k].base, at)),
                         dtype_align(p->operands[k].dtype));
    }
    end_if(g, after);
}

void gen_state_call(struct gen *g, struct threads *t) {
    static const struct sharing by_lanes = {
        .spread = spread, .put = put, .sync = sync_lanes, .loop = loop, .shares_loops = true};
    struct gen_array home[UFC_MAX_OPERANDS];
    gufunc_enter_call(g, t);
    LLVMValueRef last = subtract(g, g->dims[g->plan->map.state->index], i64(g, 1));
    struct state *x = t->state = NEW(g->uc, struct state);
    x->index = least(g, t->number, last);
    x->has = compare(g, LLVMIntSLE, t->number, last);
    x->first = LLVMBuildAnd(g->b, lane_of(g, t->tid), LLVMBuildNeg(g->b, t->group, ""), "");
    enter(g, home);
    g->sharing = &by_lanes;
    g->exchange = exchange;
    g->in_order = in_order;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    g->in_order = NULL;
    leave(g, home);
    gufunc_leave_call(g, t);
}
