/* series_lanes.c: series that the lanes of a warp run, one part of the iterations after the other:
 * all of them compute terms, and one for each variable adds them up. */
#include "series.h"

/* ---- elements that terms read, which come while those before are added up */

enum { LANE_WORDS = 32 }; /* registers of them, at most; in steps others have half */

struct finding {
    struct gen *g;
    const struct part *p;
    struct lane_elements *found;
};

static enum walk find_leave(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE ? WALK_STOP : WALK_IN;
}

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR || s->kind == PS_LOOP ? WALK_STOP : WALK_IN;
}

static enum walk find_set_of(const struct pstmt *s, void *var) {
    bool sets = s->var == var;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        sets = sets || a->acc == var;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        sets = sets || r->var == var;
    return sets ? WALK_STOP : WALK_IN;
}

/* Stops at what is not known before the terms' statements run. */
static enum walk find_unknown(const struct pval *v, void *finding) {
    const struct finding *x = finding;
    const struct plan_visitor sets = {.stmt = find_set_of};
    bool set = v->kind == PV_VAR && !plan_walk(x->p->series->points->body, &sets, (void *)v->var);
    return v->kind == PV_ELEM || set ? WALK_STOP : WALK_IN;
}

static bool is_known(const struct finding *x, const struct pval *v) {
    bool known = v->kind == PV_ELEM && v->operand < x->g->plan->noperands && v->checked == 0 &&
                 !is_complex(v->dtype);
    for (int i = 0; known && i < v->nargs; i++)
        known = value_walk(v->args[i], find_unknown, (void *)x);
    return known;
}

/* Finds elements that are always read. */
static enum walk note_element(const struct pval *v, void *finding) {
    const struct finding *x = finding;
    struct lane_elements *found = x->found;
    bool may = v->kind == PV_SELECT || (v->kind == PV_OP && (v->op == OP_LAND || v->op == OP_LOR));
    int words = x->p->room.units * (dtype_info[v->dtype].bits > 32 ? 2 : 1);
    for (int i = 0; i < found->n; i++)
        if (same_value(found->place[i], v))
            return WALK_PAST;
    int most = x->g->threads->kind == UFC_KERNEL_NEST ? LANE_WORDS : LANE_WORDS / 2;
    if (is_known(x, v) && found->n < MAX_SERIES_AHEAD && found->words + words <= most) {
        found->place[found->n++] = v;
        found->words += words;
    }
    return may || v->kind == PV_ELEM ? WALK_PAST : WALK_IN;
}

void find_lane_elements(struct gen *g, const struct part *p, struct lane_elements *found) {
    struct finding x = {g, p, found};
    *found = (struct lane_elements){.n = 0};
    if (!plan_walk(p->series->points->body, &(struct plan_visitor){.stmt = find_loop}, NULL))
        return; /* whose rows come as vectors: term_rows.c */
    for (const struct pstmt *s = p->series->points->body; s != NULL; s = s->next) {
        if (s->kind != PS_SET && s->kind != PS_IF)
            return;
        value_walk(s->value, note_element, &x);
        if (s->kind == PS_IF && !stmt_walk(s, &(struct plan_visitor){.stmt = find_leave}, NULL))
            return;
    }
}

/* Reserves slots for them. */
void reserve_lane_elements(struct gen *g, const struct part *p, struct lane_elements *x) {
    for (int u = 0; u < p->room.units; u++)
        for (int i = 0; i < x->n; i++)
            x->slot[u][i] = gen_alloca(g, gen_type(g, x->place[i]->dtype), "ahead");
}

/* Loads them for a part that is whole. */
static void load_lane_elements(struct part *p, const struct lane_elements *x) {
    struct gen *g = p->x->g;
    take_apart(g, &p->nest, p->base, p->first);
    for (int u = 0; u < p->room.units; u++) {
        set_iteration(p, u);
        for (int i = 0; i < x->n; i++)
            LLVMBuildStore(g->b, gen_value(g, x->place[i]), x->slot[u][i]);
    }
}

void hold_lane_elements(struct gen *g, const struct lane_elements *x, int u, struct held *held) {
    for (int i = 0; i < x->n; i++) {
        LLVMTypeRef type = gen_type(g, x->place[i]->dtype);
        held[i] = (struct held){x->place[i], LLVMBuildLoad2(g->b, type, x->slot[u][i], "")};
    }
    g->held = held;
    g->nheld = x->n;
}

/* ---- parts */

void run_lanes_part(struct part *p, LLVMValueRef size, const struct lane_elements *ahead) {
    struct gen *g = p->x->g;
    struct part next = *p;
    LLVMValueRef left = subtract(g, p->nest.total, p->base), zero = i64(g, 0);
    LLVMValueRef some =
        both(g, compare(g, LLVMIntSGE, p->base, zero), compare(g, LLVMIntSGT, left, zero));
    p->count = LLVMBuildTrunc(g->b, least(g, left, size), i32_type(g), "");
    p->count = gen_select(g, some, p->count, i32(g, 0));
    p->ahead = ahead;
    LLVMBasicBlockRef after = begin_if(g, some);
    compute_part(p, left, size);
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    next.base = add(g, p->base, size);
    left = subtract(g, p->nest.total, next.base);
    after = begin_if(g, compare(g, LLVMIntSGE, left, size));
    load_lane_elements(&next, ahead);
    end_if(g, after);
    add_part(p);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
}

/* Each lane that adds takes its variable, which all lanes have. */
void begin_lanes(struct adding *x, const struct series *s) {
    struct gen *g = x->g;
    uint32_t n[MAX_SERIES_GROUPS] = {0};
    x->groups = groups_of_series(s);
    for (int i = 0; i < s->n; i++) {
        const struct series_acc *a = &s->acc[i];
        int group = series_group(&x->groups, a);
        LLVMValueRef v = LLVMBuildLoad2(g->b, series_type(g, a), var_of(g, a->var)->slot, "");
        if (n[group] == 0) {
            x->sum[group] = gen_alloca(g, series_type(g, a), "sum");
        } else {
            LLVMValueRef own = compare(g, LLVMIntEQ, x->lane, i32(g, n[group]));
            LLVMValueRef before = LLVMBuildLoad2(g->b, series_type(g, a), x->sum[group], "");
            v = gen_select(g, own, v, before);
        }
        LLVMBuildStore(g->b, v, x->sum[group]);
        n[group]++;
    }
}

/* All lanes take what they have added up. */
void end_lanes(struct adding *x, const struct series *s) {
    struct gen *g = x->g;
    uint32_t n[MAX_SERIES_GROUPS] = {0};
    for (int i = 0; i < s->n; i++) {
        const struct series_acc *a = &s->acc[i];
        int group = series_group(&x->groups, a);
        LLVMValueRef v = LLVMBuildLoad2(g->b, series_type(g, a), x->sum[group], "");
        LLVMValueRef apart = subtract(g, i32(g, n[group]++), x->lane);
        LLVMValueRef from = add(g, lane_of(g, g->threads->tid), multiply(g, apart, x->apart));
        v = gen_shuffle(g, SHUFFLE_FROM, i32(g, UINT32_MAX), v, from);
        LLVMBuildStore(g->b, v, var_of(g, a->var)->slot);
    }
}

/* Those of NEST have one point, or neighbouring ones, of which few launches add up series. */
static void find_point_lanes(struct gen *g, struct adding *x, const struct threads *t) {
    uint32_t bytes = g->plan->map.lane_series;
    LLVMValueRef number = NEST_I32(g, point_mask);
    number = both(g, LLVMBuildLShr(g->b, t->tid, NEST_I32(g, point_shift), ""), number);
    LLVMValueRef apart = multiply(g, t->parts, i32(g, bytes));
    apart = add(g, apart, i32(g, UFC_SERIES_APART));
    x->lane = x->member = t->part;
    x->members = t->parts;
    x->apart = LLVMBuildShl(g->b, i32(g, 1), NEST_I32(g, part_shift), "");
    x->terms = at_byte(g, dynamic_memory(g), extended(g, multiply(g, number, apart)));
}

void find_lane_series(struct gen *g, struct threads *t) {
    uint32_t bytes = g->plan->map.lane_series * WARP;
    if (bytes == 0)
        return;
    struct adding *x = NEW(g->uc, struct adding);
    *x = (struct adding){.g = g, .lanes = true, .nested = {.loop = series_loop}};
    t->adding = x;
    t->kept = &x->kept;
    if (t->kind == UFC_KERNEL_NEST) {
        find_point_lanes(g, x, t);
        return;
    }
    uint32_t warps = (uint32_t)block_threads(g->plan, t->kind) / WARP;
    LLVMValueRef at = extended(g, multiply(g, warp_of(g, t->tid), i32(g, bytes)));
    x->lane = x->member = lane_of(g, t->tid);
    x->members = i32(g, WARP);
    x->apart = i32(g, 1);
    x->terms = shared_array(g, LLVMInt8TypeInContext(g->context), warps * bytes, 16, "terms");
    x->terms = at_byte(g, x->terms, at);
}
