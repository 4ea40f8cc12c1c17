/* series_lanes.c: series that the lanes of a warp run, one part of the iterations after the other:
 * all of them compute terms, and one for each variable adds them up. */
#include "series.h"

void reserve_whole(const struct part *p, whole_terms slot) {
    struct gen *g = p->x->g;
    for (int u = 0; u < p->room.units; u++)
        for (int i = 0; i < p->series->n; i++)
            for (int k = 0; k < p->room.terms[i]; k++)
                slot[u][i][k] = gen_alloca(g, series_type(g, &p->series->acc[i]), "ahead");
}

static void keep_whole(const struct part *p, whole_terms v, whole_terms slot) {
    for (int u = 0; u < p->room.units; u++)
        for (int i = 0; i < p->series->n; i++)
            for (int k = 0; k < p->room.terms[i]; k++)
                LLVMBuildStore(p->x->g->b, v[u][i][k], slot[u][i][k]);
}

static void load_whole(const struct part *p, whole_terms v, whole_terms slot) {
    struct gen *g = p->x->g;
    for (int u = 0; u < p->room.units; u++)
        for (int i = 0; i < p->series->n; i++) {
            LLVMTypeRef type = series_type(g, &p->series->acc[i]);
            for (int k = 0; k < p->room.terms[i]; k++)
                v[u][i][k] = LLVMBuildLoad2(g->b, type, slot[u][i][k], "");
        }
}

/* Has shared memory the terms of a part, of which `left` iterations are not behind it. */
static void put_part(struct part *p, LLVMValueRef left, LLVMValueRef size, whole_terms ahead) {
    struct gen *g = p->x->g;
    LLVMBasicBlockRef whole = gen_block(g, "whole"), some = gen_block(g, "some"),
                      done = gen_block(g, "terms");
    whole_terms v;
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGE, left, size), whole, some);
    gen_place(g, whole);
    load_whole(p, v, ahead);
    store_whole(p, v);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    take_apart(g, &p->nest, p->base, p->first);
    compute_some(p);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

void run_lanes_part(struct part *p, LLVMValueRef size, whole_terms ahead) {
    struct gen *g = p->x->g;
    struct part next = *p;
    whole_terms v;
    LLVMValueRef left = subtract(g, p->nest.total, p->base), zero = i64(g, 0);
    LLVMValueRef some =
        both(g, compare(g, LLVMIntSGE, p->base, zero), compare(g, LLVMIntSGT, left, zero));
    p->count = LLVMBuildTrunc(g->b, least(g, left, size), i32_type(g), "");
    p->count = gen_select(g, some, p->count, i32(g, 0));
    LLVMBasicBlockRef after = begin_if(g, some);
    put_part(p, left, size, ahead);
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    next.base = add(g, p->base, size);
    left = subtract(g, p->nest.total, next.base);
    after = begin_if(g, compare(g, LLVMIntSGE, left, size));
    take_apart(g, &next.nest, next.base, next.first);
    compute_whole(&next, v);
    keep_whole(&next, v, ahead);
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
