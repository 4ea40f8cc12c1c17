/* ragged.c: definitions of which each point only has a range of its own, as a row of a sparse
 * matrix in compressed rows has:
 *
 *     for i in 0..n { for k in p[i]..p[i + 1] { y[k] = x[k] / d[i] } }
 *
 * A warp's threads have 32 neighbouring points, and share the iterations of all of these: so
 * neighbours access what is side by side, and no thread waits for one with a longer range. */
#include "gufunc.h"

enum { LONGEST = 1 << 26 }; /* iterations of a point, at most: those of 32 fit an int32 */

/* ---- which they are */

static enum walk find_read(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* Stops at an element whose neighbours neighbouring iterations access. */
static enum walk find_along(const struct pval *v, void *range) {
    const struct prange *r = range;
    int by = 0;
    bool along = v->kind == PV_ELEM && v->nargs > 0 &&
                 value_grows(v->args[v->nargs - 1], r->var, &by) && (by == 1 || by == -1);
    return along ? WALK_STOP : WALK_IN;
}

static enum walk find_local(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    return v->kind == PV_ELEM && v->operand >= p->noperands ? WALK_STOP : WALK_IN;
}

const struct prange *ragged_range(const struct gen *g, const struct pstmt *s) {
    const struct pstmt *in = s->body;
    bool single = s->accs == NULL && s->ranges->next == NULL && in != NULL && in->next == NULL &&
                  in->kind == PS_SPREAD && in->accs == NULL && !in->ordered &&
                  in->ranges->next == NULL;
    if (!single || g->plan->checked)
        return NULL;
    const struct prange *r = in->ranges;
    bool own = !value_walk(r->lo, find_read, NULL) || !value_walk(r->hi, find_read, NULL);
    const struct plan_visitor along = {.value = find_along, .joined = true},
                              local = {.value = find_local, .joined = true};
    return own && r->step->kind == PV_CONST && r->step->i == 1 &&
                   !plan_walk(in->body, &along, (void *)(uintptr_t)r) &&
                   plan_walk(in->body, &local, (void *)(uintptr_t)g->plan)
               ? r
               : NULL;
}

/* ---- the warp's iterations */

/* What a thread has of its point: its position, i64, and of the iterations the first, i64, and how
 * many points up to its own have together, i32. */
struct share {
    const struct pstmt *s;
    const struct at *at;
    LLVMValueRef position, begin, upto;
};

static void gen_iterations(struct gen *g, const struct share *x) {
    const struct pstmt *in = x->s->body;
    LLVMValueRef all = gen_from_lane(g, x->upto, i32(g, WARP - 1)), zero = i32(g, 0);
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], all));
    LLVMValueRef n = add(g, l.phi[0], lane_of(g, g->threads->tid));
    LLVMValueRef lane = gen_lane_of(g, x->upto, n);
    set_position(g, x->at, 0, gen_from_lane(g, x->position, lane));
    LLVMValueRef at = add(g, gen_from_lane(g, x->begin, lane), extended(g, n));
    LLVMBuildStore(g->b, at, var_of(g, in->ranges->var)->slot);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, n, all));
    gen_stmts(g, in->body);
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX)); /* shuffles are slow in lanes that run apart */
    LLVMValueRef next = add(g, l.phi[0], i32(g, WARP));
    loop_end(g, &l, &next);
}

/* The first iteration of the thread's point, i64, and how many it has; none where it is not
 * `there`. */
static LLVMValueRef find_range(struct gen *g, const struct share *x, LLVMValueRef there,
                               LLVMValueRef *count) {
    const struct prange *r = x->s->body->ranges;
    LLVMValueRef zero = i64(g, 0), lo = gen_alloca(g, i64_type(g), "lo"),
                 hi = gen_alloca(g, i64_type(g), "hi");
    LLVMBuildStore(g->b, zero, lo);
    LLVMBuildStore(g->b, zero, hi);
    LLVMBasicBlockRef after = begin_if(g, there);
    set_position(g, x->at, 0, x->position);
    LLVMBuildStore(g->b, gen_value(g, r->lo), lo);
    LLVMBuildStore(g->b, gen_value(g, r->hi), hi);
    end_if(g, after);
    LLVMValueRef begin = LLVMBuildLoad2(g->b, i64_type(g), lo, "");
    LLVMValueRef end = LLVMBuildLoad2(g->b, i64_type(g), hi, "");
    LLVMValueRef some = compare(g, LLVMIntSGT, end, begin);
    *count = gen_select(g, some, subtract(g, end, begin), zero);
    return begin;
}

/* The points at a position of each thread of the warp, where `there`. */
static void gen_warp_rows(struct gen *g, struct share *x, LLVMValueRef there) {
    LLVMValueRef all = i32(g, UINT32_MAX), count;
    LLVMValueRef first = find_range(g, x, there, &count);
    LLVMValueRef longer = compare(g, LLVMIntUGT, count, i64(g, LONGEST));
    LLVMBasicBlockRef each = gen_block(g, "each"), shared = gen_block(g, "shared"),
                      done = gen_block(g, "points");
    LLVMBuildCondBr(g->b, is_set(g, gpu(g)->ballot(g, all, longer)), each, shared);
    gen_place(g, each);
    LLVMBasicBlockRef after = begin_if(g, there);
    set_position(g, x->at, 0, x->position);
    gen_stmts(g, x->s->body);
    end_if(g, after);
    LLVMBuildBr(g->b, done);
    gen_place(g, shared);
    LLVMValueRef own = LLVMBuildTrunc(g->b, count, i32_type(g), "");
    x->upto = gen_sum_lanes(g, own, lane_of(g, g->threads->tid));
    x->begin = subtract(g, first, extended(g, subtract(g, x->upto, own)));
    gen_iterations(g, x);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

void gen_ragged_points(struct gen *g, const struct pstmt *s, const struct at *at,
                       LLVMValueRef first, LLVMValueRef apart, LLVMValueRef steps,
                       LLVMValueRef end) {
    LLVMValueRef zero = i64(g, 0);
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], steps));
    struct share x = {.s = s, .at = at};
    x.position = add(g, first, multiply(g, l.phi[0], apart));
    gen_warp_rows(g, &x, compare(g, LLVMIntSLT, x.position, end));
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}
