/* gen_core_host.c: host code of gufuncs.  A kernel (kabi.h) has two ways to fill vectors: with the
 * points of a call's PS_SPREADs, where these are as many, or with calls. */
#include "gen_core.h"

static LLVMValueRef element_of(struct gen *g, LLVMTypeRef type, LLVMValueRef array, uint64_t i) {
    LLVMValueRef index = i64(g, i);
    return LLVMBuildLoad2(g->b, type, LLVMBuildGEP2(g->b, type, array, &index, 1, ""), "");
}

/* The kernel's arguments, and what does not change from call to call. */
struct host_core {
    LLVMValueRef args[UFC_MAX_OPERANDS], step[UFC_MAX_OPERANDS];
    LLVMValueRef calls;
};

static void load_arguments(struct gen *g, struct host_core *h) {
    const struct plan *p = g->plan;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0), i = i64_type(g);
    LLVMValueRef args = LLVMGetParam(g->function, 0), sizes = LLVMGetParam(g->function, 1),
                 steps = LLVMGetParam(g->function, 2);
    int ndims = p->overload->decl->ndims, at = p->noperands;
    h->calls = element_of(g, i, sizes, 0);
    g->dims = NEWN(g->uc, LLVMValueRef, ndims + 1);
    for (int d = 0; d < ndims; d++)
        g->dims[d] = element_of(g, i, sizes, (uint64_t)d + 1);
    for (int k = 0; k < p->noperands; k++) {
        h->args[k] = element_of(g, pointer, args, (uint64_t)k);
        h->step[k] = element_of(g, i, steps, (uint64_t)k);
    }
    for (int k = 0; k < p->noperands; k++)
        for (int r = 0; r < p->operands[k].rank; r++)
            g->arrays[k].stride[r] = element_of(g, i, steps, (uint64_t)at++);
    core_fix_dims(g);
}

static LLVMValueRef place_of_call(struct gen *g, const struct host_core *h, int k,
                                  LLVMValueRef call) {
    LLVMValueRef offset = LLVMBuildMul(g->b, call, h->step[k], "");
    return LLVMBuildGEP2(g->b, LLVMInt8TypeInContext(g->context), h->args[k], &offset, 1, "");
}

/* Loads the inputs without core dimensions, in all lanes. */
static void load_scalars(struct gen *g) {
    const struct plan *p = g->plan;
    for (int k = 0; k < p->nin; k++) {
        struct pval load = {.kind = PV_ELEM, .operand = k, .dtype = p->operands[k].dtype};
        if (p->operands[k].rank == 0)
            g->inputs[k] = gen_element(g, &load);
    }
}

/* ---- vectors of calls */

static void gen_calls(struct gen *g, const struct host_core *h) {
    const struct plan *p = g->plan;
    struct loop l;
    LLVMValueRef zero = i64(g, 0);
    g->across_calls = true;
    g->spread = NULL;
    find_varying(p, true);
    gen_variables(g, g->most_lanes);
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], h->calls));
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].base = place_of_call(g, h, k, l.phi[0]);
    g->lanes = g->most_lanes;
    gen_local_arrays(g);
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].lane_offset =
            LLVMBuildMul(g->b, gen_lane_numbers(g), gen_dynamic_splat(g, h->step[k]), "");
    LLVMValueRef left = LLVMBuildSub(g->b, h->calls, l.phi[0], "");
    gen_active_lanes(g, left);
    load_scalars(g);
    gen_stmts(g, p->body);
    g->lanes = 1;
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)g->most_lanes));
    loop_end(g, &l, &next);
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].lane_offset = NULL;
}

/* ---- vectors of points of one call */

/* Is what v reads or writes along the lanes without gaps?  NULL: it is, or is taken apart anyway.
 */
static LLVMValueRef is_unit(struct gen *g, const struct pval *v, LLVMValueRef step) {
    LLVMValueRef sum = NULL;
    if (!gen_is_affine(g, v) || !gen_varies(g, v))
        return NULL;
    for (int i = 0; i < v->nargs; i++) {
        int by;
        gen_lane_affine(g, v->args[i], &by);
        LLVMValueRef part =
            multiply(g, g->arrays[v->operand].stride[i], i64(g, (uint64_t)(int64_t)by));
        sum = sum != NULL ? add(g, sum, part) : part;
    }
    uint64_t size = (uint64_t)dtype_info[v->dtype].bits / 8;
    return sum != NULL ? compare(g, LLVMIntEQ, multiply(g, sum, step), i64(g, size)) : NULL;
}

static LLVMValueRef join_units(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return a == NULL ? b : b == NULL ? a : both(g, a, b);
}

static LLVMValueRef units_of_value(struct gen *g, const struct pval *v, LLVMValueRef step) {
    LLVMValueRef unit = NULL;
    if (v == NULL)
        return NULL;
    if (v->kind == PV_ELEM && v->operand < g->plan->noperands) {
        int lanes = g->lanes;
        g->lanes = g->most_lanes;
        unit = is_unit(g, v, step);
        g->lanes = lanes;
    }
    for (int i = 0; i < v->nargs; i++)
        unit = join_units(g, unit, units_of_value(g, v->args[i], step));
    return unit;
}

static LLVMValueRef units_of(struct gen *g, const struct pstmt *s, LLVMValueRef step) {
    LLVMValueRef unit = NULL;
    for (; s != NULL; s = s->next) {
        unit = join_units(g, unit, units_of_value(g, s->value, step));
        unit = join_units(g, unit, units_of_value(g, s->place, step));
        unit = join_units(g, unit, units_of(g, s->body, step));
        unit = join_units(g, unit, units_of(g, s->other, step));
    }
    return unit;
}

struct lanes {
    const struct prange *last;
    LLVMValueRef lo, step, count; /* of the last range */
};

/* The body for the lanes from point `first` on. */
static void gen_points(struct gen *g, const struct pstmt *s, const struct lanes *n,
                       LLVMValueRef first, bool unit) {
    LLVMValueRef index = add(g, n->lo, multiply(g, first, n->step));
    LLVMBuildStore(g->b, index, n->last->var->slot);
    g->lanes = g->most_lanes;
    g->unit = unit;
    LLVMValueRef apart = LLVMBuildMul(g->b, gen_lane_numbers(g), gen_dynamic_splat(g, n->step), "");
    LLVMBuildStore(g->b, LLVMBuildAdd(g->b, gen_dynamic_splat(g, index), apart, ""),
                   n->last->var->lanes);
    if (unit)
        g->all_active = true;
    else
        gen_active_lanes(g, LLVMBuildSub(g->b, n->count, first, ""));
    gen_stmts(g, s->body);
    g->all_active = true;
    g->lanes = 1;
}

/* The last range's points: whole vectors as long as all lies side by side, then the others. */
static void gen_last_range(struct gen *g, const struct pstmt *s, const struct lanes *n,
                           LLVMValueRef unit) {
    struct loop l;
    LLVMValueRef zero = i64(g, 0), lanes = i64(g, (uint64_t)g->most_lanes);
    loop_begin(g, &l, 1, &zero);
    LLVMValueRef end = add(g, l.phi[0], lanes);
    LLVMValueRef whole = compare(g, LLVMIntSLE, end, n->count);
    loop_while(g, &l, unit != NULL ? both(g, whole, unit) : whole);
    gen_points(g, s, n, l.phi[0], true);
    loop_end(g, &l, &end);
    LLVMValueRef first = l.phi[0];
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n->count));
    gen_points(g, s, n, l.phi[0], false);
    LLVMValueRef next = add(g, l.phi[0], lanes);
    loop_end(g, &l, &next);
}

/* Loops over the ranges before the last. */
static void gen_ranges(struct gen *g, const struct pstmt *s, const struct prange *r,
                       const struct lanes *n, LLVMValueRef unit) {
    if (r == n->last) {
        gen_last_range(g, s, n, unit);
        return;
    }
    struct loop l;
    LLVMValueRef zero = i64(g, 0), lo = gen_scalar(g, r->lo), step = gen_scalar(g, r->step);
    LLVMValueRef count = gen_count(g, lo, gen_scalar(g, r->hi), step);
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], count));
    LLVMBuildStore(g->b, add(g, lo, multiply(g, l.phi[0], step)), r->var->slot);
    gen_ranges(g, s, r->next, n, unit);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

static void gen_spread_lanes(struct gen *g, const struct pstmt *s) {
    if (s->ordered) {
        gen_stmts(g, s->serial);
        return;
    }
    struct lanes n = {.last = s->ranges};
    while (n.last->next != NULL)
        n.last = n.last->next;
    n.lo = gen_scalar(g, n.last->lo);
    n.step = gen_scalar(g, n.last->step);
    n.count = gen_count(g, n.lo, gen_scalar(g, n.last->hi), n.step);
    g->lane_var = n.last->var;
    LLVMValueRef unit = units_of(g, s->body, n.step);
    lanes_begin(g, s->accs);
    gen_ranges(g, s, s->ranges, &n, unit);
    if (s->accs != NULL)
        lanes_join(g, s);
    g->lane_var = NULL;
}

static void gen_points_of_calls(struct gen *g, const struct host_core *h) {
    const struct plan *p = g->plan;
    struct loop l;
    LLVMValueRef zero = i64(g, 0);
    g->across_calls = false;
    g->spread = p->checked ? NULL : gen_spread_lanes;
    find_varying(p, false);
    gen_variables(g, g->most_lanes);
    gen_local_arrays(g);
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], h->calls));
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].base = place_of_call(g, h, k, l.phi[0]);
    load_scalars(g);
    gen_stmts(g, p->body);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* ---- kernels */

void gen_core_host(struct gen *g, const char *name, int lanes) {
    const struct plan *p = g->plan;
    struct host_core h;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0),
                types[] = {pointer, pointer, pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 4, false);
    g->function = LLVMAddFunction(g->module, name, type);
    g->lanes = 1;
    g->most_lanes = lanes;
    gen_place(g, gen_block(g, "entry"));
    g->arrays = NEWN(g->uc, struct gen_array, p->noperands + p->nlocals);
    load_arguments(g, &h);
    g->stop = gen_block(g, "stop");
    g->fault = LLVMGetParam(g->function, 3);
    bool by_points = p->map.spreads && !p->checked;
    LLVMValueRef width = by_points ? core_terms(g, p->map.width, p->map.nwidth) : NULL;
    if (!p->map.spreads && !p->checked)
        gen_calls(g, &h);
    else if (width == NULL)
        gen_points_of_calls(g, &h);
    else {
        LLVMBasicBlockRef points = gen_block(g, "points"), calls = gen_block(g, "calls");
        LLVMBasicBlockRef done = gen_block(g, "done");
        LLVMValueRef wide = compare(g, LLVMIntSGE, width, i64(g, (uint64_t)lanes));
        LLVMBuildCondBr(g->b, wide, points, calls);
        gen_place(g, points);
        gen_points_of_calls(g, &h);
        LLVMBuildBr(g->b, done);
        gen_place(g, calls);
        gen_calls(g, &h);
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    }
    LLVMBuildBr(g->b, g->stop);
    gen_place(g, g->stop);
    LLVMBuildRetVoid(g->b);
    g->dims = NULL;
    g->spread = NULL;
}
