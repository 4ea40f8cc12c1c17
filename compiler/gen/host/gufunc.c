/* gufunc.c: host kernels of gufuncs.  The lanes of a kernel's vectors are points of a call's
 * PS_SPREADs, where these are enough, or else calls. */
#include "gufunc.h"

static LLVMValueRef element_of(struct gen *g, LLVMTypeRef type, LLVMValueRef array, uint64_t i) {
    LLVMValueRef index = i64(g, i);
    return LLVMBuildLoad2(g->b, type, LLVMBuildGEP2(g->b, type, array, &index, 1, ""), "");
}

/* The kernel's arguments. */
struct host_gufunc {
    LLVMValueRef args[UFC_MAX_OPERANDS]; /* each operand's address in the first call */
    LLVMValueRef step[UFC_MAX_OPERANDS]; /* bytes from call to call, i64 */
    LLVMValueRef calls;                  /* how many, i64 */
};

static struct ufc_host_words words_of(const struct plan *p) {
    size_t ranks = 0;
    for (int k = 0; k < p->noperands; k++)
        ranks += (size_t)p->operands[k].rank;
    return ufc_host_words((size_t)p->noperands, (size_t)p->overload->decl->ndims, ranks);
}

/* The i64 number i of an array, which is at an offset of what code for certain calls knows. */
static LLVMValueRef argument(struct gen *g, LLVMValueRef array, uint64_t i, size_t offset) {
    enum ufc_knowledge known;
    LLVMValueRef v = gen_known(g, i64_type(g), offset, &known);
    return v != NULL ? v : element_of(g, i64_type(g), array, i);
}

static LLVMValueRef step_at(struct gen *g, LLVMValueRef steps, uint64_t i) {
    return argument(g, steps, i, words_of(g->plan).step + i * sizeof(int64_t));
}

void gufunc_host_sizes(struct gen *g, LLVMValueRef sizes, LLVMValueRef steps) {
    const struct plan *p = g->plan;
    int ndims = p->overload->decl->ndims, at = p->noperands;
    g->dims = NEWN(g->uc, LLVMValueRef, ndims + 1);
    for (int d = 0; d < ndims; d++)
        g->dims[d] = argument(g, sizes, (uint64_t)d + 1,
                              words_of(p).dimension + (size_t)d * sizeof(int64_t));
    for (int k = 0; k < p->noperands; k++)
        for (int r = 0; r < p->operands[k].rank; r++)
            g->arrays[k].stride[r] = step_at(g, steps, (uint64_t)at++);
    gen_fixed_dims(g);
}

static void load_arguments(struct gen *g, struct host_gufunc *h) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0), i = i64_type(g);
    LLVMValueRef args = LLVMGetParam(g->function, 0), sizes = LLVMGetParam(g->function, 1),
                 steps = LLVMGetParam(g->function, 2);
    h->calls = element_of(g, i, sizes, 0);
    for (int k = 0; k < g->plan->noperands; k++) {
        h->args[k] = element_of(g, pointer, args, (uint64_t)k);
        h->step[k] = step_at(g, steps, (uint64_t)k);
    }
    gufunc_host_sizes(g, sizes, steps);
}

static LLVMValueRef place_of_call(struct gen *g, const struct host_gufunc *h, int k,
                                  LLVMValueRef call) {
    LLVMValueRef offset = LLVMBuildMul(g->b, call, h->step[k], "");
    return at_byte(g, h->args[k], offset);
}

void gufunc_host_scalars(struct gen *g) {
    const struct plan *p = g->plan;
    for (int k = 0; k < p->nin; k++) {
        struct pval load = {.kind = PV_ELEM, .operand = k, .dtype = p->operands[k].dtype};
        if (p->operands[k].rank > 0)
            continue;
        g->inputs[k] = gen_known_input(g, k);
        if (g->inputs[k] == NULL)
            g->inputs[k] = gen_element(g, &load);
    }
}

/* ---- vectors of calls */

static LLVMValueRef size_of(struct gen *g, int operand) {
    return i64(g, (uint64_t)dtype_info[g->plan->operands[operand].dtype].bits / 8);
}

/* A vector of calls from `first` on; left: how many, i64; NULL: as many as lanes; unit: the calls'
 * elements are neighbours. */
static void gen_vector_of_calls(struct gen *g, const struct host_gufunc *h, LLVMValueRef first,
                                LLVMValueRef left, bool unit) {
    const struct plan *p = g->plan;
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].base = place_of_call(g, h, k, first);
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    gen_local_arrays(g);
    for (int k = 0; k < p->noperands; k++) {
        LLVMValueRef step = unit ? size_of(g, k) : h->step[k];
        g->arrays[k].lane_step = step;
        g->arrays[k].lane_offset =
            LLVMBuildMul(g->b, gen_lane_numbers(g), gen_dynamic_splat(g, step), "");
    }
    g->unit = unit;
    g->whole = left == NULL;
    if (left != NULL)
        gen_active_lanes(g, left);
    gufunc_host_scalars(g);
    gen_stmts(g, p->body);
    g->whole = false;
    lanes_leave(g, outer);
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].lane_step = g->arrays[k].lane_offset = NULL;
}

/* i1: neighbouring calls' elements are neighbours in all operands. */
static LLVMValueRef are_side_by_side(struct gen *g, const struct host_gufunc *h) {
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    for (int k = 0; k < g->plan->noperands; k++)
        all = both(g, all, compare(g, LLVMIntEQ, h->step[k], size_of(g, k)));
    return all;
}

/* Whole vectors of calls.  Gives the number of the first call that is left. */
static LLVMValueRef gen_whole_vectors(struct gen *g, const struct host_gufunc *h, bool unit) {
    struct loop l;
    LLVMValueRef zero = i64(g, 0);
    loop_begin(g, &l, 1, &zero);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)g->vector_lanes));
    loop_while(g, &l, compare(g, LLVMIntSLE, next, h->calls));
    l.keep = true;
    gen_vector_of_calls(g, h, l.phi[0], NULL, unit);
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* Whole vectors of calls, whose elements may be neighbours.  Gives the number of the first call
 * that is left. */
static LLVMValueRef gen_whole(struct gen *g, const struct host_gufunc *h) {
    LLVMBasicBlockRef unit = gen_block(g, "unit"), apart = gen_block(g, "apart"),
                      rest = gen_block(g, "rest");
    LLVMBuildCondBr(g->b, are_side_by_side(g, h), unit, apart);
    gen_place(g, unit);
    LLVMValueRef done = gen_whole_vectors(g, h, true);
    LLVMBuildBr(g->b, rest);
    unit = LLVMGetInsertBlock(g->b);
    gen_place(g, apart);
    LLVMValueRef done_apart = gen_whole_vectors(g, h, false);
    LLVMBuildBr(g->b, rest);
    apart = LLVMGetInsertBlock(g->b);
    gen_place(g, rest);
    return phi2(g, unit, done, apart, done_apart);
}

/* Whether the body is generated as few times as possible, which most of the time goes by: for
 * processors before 2013. */
static bool is_brief_code(const struct gen *g) {
    return g->level == LEVEL_V2;
}

/* All calls in vectors, but for the last ones if they are at most `few`.  Gives the number of the
 * first call that is left. */
static LLVMValueRef gen_calls(struct gen *g, const struct host_gufunc *h, int few) {
    g->sharing = NULL;
    g->varying = find_varying(g->uc, g->plan, LANES_MASKED, true);
    gen_variables(g, g->vector_lanes);
    LLVMValueRef done = is_brief_code(g) ? gen_whole_vectors(g, h, false) : gen_whole(g, h);
    if (few >= g->vector_lanes - 1)
        return done;
    LLVMValueRef least = few > 0 ? add(g, done, i64(g, (uint64_t)few)) : done;
    LLVMValueRef many = compare(g, LLVMIntSLT, least, h->calls);
    LLVMBasicBlockRef after = begin_if(g, many);
    gen_vector_of_calls(g, h, done, subtract(g, h->calls, done), false);
    end_if(g, after);
    return few > 0 ? gen_select(g, many, h->calls, done) : h->calls;
}

/* Whether loops around an element are more than its array's axes, so that it is accessed again. */
struct repeats {
    const struct plan *plan;
    int loops;
};

static enum walk find_again(const struct pval *v, void *arg) {
    const struct repeats *r = arg;
    return v->kind == PV_ELEM && v->operand < r->plan->noperands && v->nargs < r->loops ? WALK_STOP
                                                                                        : WALK_IN;
}

static bool accesses_again(const struct plan *plan, const struct pstmt *s, int loops) {
    for (; s != NULL; s = s->next) {
        struct repeats r = {plan, loops};
        int inside = loops + (s->kind == PS_FOR || s->kind == PS_LOOP);
        for (const struct prange *range = s->ranges; range != NULL; range = range->next)
            inside++;
        if (!stmt_values(s, find_again, &r) || accesses_again(plan, s->body, inside) ||
            accesses_again(plan, s->other, inside))
            return true;
    }
    return false;
}

/* Operations of a body on vectors: those that it does once, and those once a lane. */
struct work {
    int once, each;
};

static enum walk count_value(const struct pval *v, void *arg) {
    struct work *w = arg;
    if (v->kind == PV_ELEM)
        w->each++;
    else if (v->kind == PV_CALL)
        w->once += CALL_COST;
    else
        w->once += v->nargs > 0;
    return WALK_IN;
}

static enum walk count_stmt(const struct pstmt *s, void *arg) {
    struct work *w = arg;
    w->once++;
    value_walk(s->value, count_value, w);
    value_walk(s->place, count_value, w);
    return WALK_IN;
}

/* The largest number of calls that take no longer one by one than in one vector. */
static int few_calls(const struct gen *g) {
    struct work w = {0, 0};
    if (is_brief_code(g))
        return g->vector_lanes - 1;
    plan_walk(g->plan->body->body, &(struct plan_visitor){.stmt = count_stmt}, &w);
    int few = (w.once + w.each * g->vector_lanes) / (w.once + w.each + 1);
    return few < g->vector_lanes ? few : g->vector_lanes - 1;
}

/* ---- vectors of points of one call */

/* Finds the function of the kernel's caller that shares PS_SPREADs among threads, or NULL. */
static void find_share(struct gen *g, struct host_call *h) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef from[] = {LLVMConstNull(pointer), NULL};
    LLVMValueRef offset = i64(g, offsetof(struct ufc_host_call, share));
    LLVMBasicBlockRef blocks[] = {LLVMGetInsertBlock(g->b), NULL};
    h->data = LLVMGetParam(g->function, 3);
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildIsNotNull(g->b, h->data, ""));
    from[1] = LLVMBuildLoad2(g->b, pointer, at_byte(g, h->data, offset), "");
    blocks[1] = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    h->share = LLVMBuildPhi(g->b, pointer, "");
    LLVMAddIncoming(h->share, from, blocks, 2);
}

/* The calls from `first` on one by one, with points in lanes where they are `shared`. */
static void gen_points_of_calls(struct gen *g, const struct host_gufunc *h, LLVMValueRef first,
                                bool shared) {
    const struct plan *p = g->plan;
    struct host_call call;
    struct loop l;
    g->sharing = shared && !p->checked ? &host_sharing : NULL;
    g->call = &call;
    g->varying = find_varying(g->uc, p, LANES_POINTS, true);
    gen_variables(g, 1);
    gen_local_arrays(g);
    find_share(g, &call);
    call.frame = host_frame(g, LLVMGetParam(g->function, 1), LLVMGetParam(g->function, 2));
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], h->calls));
    l.keep = true;
    for (int k = 0; k < p->noperands; k++)
        g->arrays[k].base = place_of_call(g, h, k, l.phi[0]);
    host_frame_arrays(g, call.frame);
    gufunc_host_scalars(g);
    gen_stmts(g, p->body);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
    g->call = NULL;
}

/* ---- kernels */

void gen_gufunc_ask(struct gen *g, const char *name, int lanes) {
    begin_ask(g, name);
    g->lanes = 1;
    g->vector_lanes = lanes;
    g->arrays = NEWN(g->uc, struct gen_array, g->plan->noperands + g->plan->nlocals);
    gufunc_host_sizes(g, LLVMGetParam(g->function, 1), LLVMGetParam(g->function, 2));
    LLVMValueRef calls = element_of(g, i64_type(g), LLVMGetParam(g->function, 1), 0);
    struct ways ways = find_ways(g, calls);
    uint32_t copied = (accesses_again(g->plan, g->plan->body->body, 0) ? UFC_WAY_AGAIN : 0) |
                      (sets_outputs(g->plan) ? UFC_WAY_SETS : 0);
    g->varying = find_varying(g->uc, g->plan, LANES_POINTS, true);
    LLVMValueRef way = i32(g,
                           ways.way | (ways.way == UFC_WAY_CALLS ? copied : copied & UFC_WAY_SETS)),
                 unit = ways_unit(g, ways.way);
    if (unit != NULL)
        way = gen_select(g, unit, way, i32(g, ways.way | UFC_WAY_APART));
    if (ways.wide != NULL)
        way = gen_select(g, ways.wide, way, i32(g, UFC_WAY_NARROW | copied));
    if (ways.way == UFC_WAY_CALLS) {
        LLVMValueRef few = compare(g, LLVMIntSLE, calls, i64(g, (uint64_t)few_calls(g)));
        way = gen_select(g, few, i32(g, UFC_WAY_FEW), way);
    }
    end_ask(g, way, lanes);
}

void gen_gufunc_host(struct gen *g, const char *name, int lanes) {
    const struct plan *p = g->plan;
    struct host_gufunc h;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0),
                types[] = {pointer, pointer, pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 4, false);
    g->function = LLVMAddFunction(g->module, name, type);
    g->lanes = 1;
    g->vector_lanes = lanes;
    gen_find_bounds(g);
    outline_body(g);
    gen_place(g, gen_block(g, "entry"));
    g->arrays = NEWN(g->uc, struct gen_array, p->noperands + p->nlocals);
    load_arguments(g, &h);
    g->stop = gen_block(g, "stop");
    g->fault = LLVMGetParam(g->function, 3);
    struct ways ways = find_ways(g, h.calls);
    LLVMValueRef zero = i64(g, 0);
    if (ways.way == UFC_WAY_CALLS) {
        g->as_lanes = true;
        gen_points_of_calls(g, &h, gen_calls(g, &h, few_calls(g)), false);
    } else if (ways.wide == NULL)
        gen_points_of_calls(g, &h, zero, true);
    else {
        LLVMBasicBlockRef points = gen_block(g, "points"), calls = gen_block(g, "calls");
        LLVMBasicBlockRef done = gen_block(g, "done");
        LLVMBuildCondBr(g->b, ways.wide, points, calls);
        gen_place(g, points);
        gen_points_of_calls(g, &h, zero, true);
        LLVMBuildBr(g->b, done);
        gen_place(g, calls);
        g->as_lanes = true;
        g->short_sizes = ways.narrow;
        gen_points_of_calls(g, &h, gen_calls(g, &h, few_calls(g)), false);
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    }
    LLVMBuildBr(g->b, g->stop);
    gen_place(g, g->stop);
    LLVMBuildRetVoid(g->b);
}
