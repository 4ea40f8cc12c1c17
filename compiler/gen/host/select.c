/* select.c: argmin and argmax over a row of neighbours: the place of the best value.  A stretch of
 * the row is reduced to its best value alone, in vectors of as many values as a register has; only
 * where that is better than what was found before, the stretch, which is in the cache, is searched
 * for its place. */
#include "gufunc.h"

/* The statements of such a point: straight code, which computes the value, then
 *
 *     if (not has_value) or better
 *         best = value; index = i; has_value = True */
struct selection {
    const struct pstmt *choice;
    const struct pval *better;
    const struct pvar *value, *best, *has_value;
    int lanes; /* of a register of values */
};

static bool is_of_var(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* False: the points of p are others. */
static bool find_selection(struct gen *g, const struct spread_fn *p, struct selection *c) {
    const struct pstmt *s = p->s->body;
    if (g->vector_lanes == 1 || !p->s->chooses || p->n != 1 || p->naccs != 3)
        return false;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    if (s == NULL || s->kind != PS_IF || s->next != NULL || s->other != NULL)
        return false;
    const struct pval *v = s->value;
    const struct pstmt *set = s->body;
    *c = (struct selection){.choice = s, .best = p->s->accs->acc};
    c->has_value = p->s->accs->next->next->acc;
    if (v->kind != PV_OP || v->op != OP_LOR || v->args[0]->op != OP_LNOT ||
        !is_of_var(v->args[0]->args[0], c->has_value) || set->var != c->best ||
        set->value->kind != PV_VAR)
        return false;
    c->better = v->args[1];
    c->value = set->value->var;
    if (!gen_var_varies(g, c->value))
        return false;
    int lanes = level_info[g->level].bytes * 8 / dtype_info[c->value->dtype].bits;
    c->lanes = lanes > g->vector_lanes ? lanes : g->vector_lanes;
    return true;
}

static LLVMValueRef lanes_of(struct gen *g, const struct pvar *var) {
    return LLVMBuildLoad2(g->b, gen_type(g, var->dtype), var_of(g, var)->lanes, "");
}

static LLVMValueRef one_of(struct gen *g, const struct pvar *var) {
    return LLVMBuildLoad2(g->b, gen_scalar_type(g, var->dtype), var_of(g, var)->slot, "");
}

/* The value of a lane, with its place, becomes the best one; g->lanes is 1. */
static void take_lane(struct gen *g, const struct spread_fn *p, const struct selection *c,
                      LLVMValueRef values, LLVMValueRef first, LLVMValueRef lane) {
    LLVMValueRef point = multiply(g, add(g, first, lane), p->step[0]);
    LLVMBuildStore(g->b, add(g, p->lo[0], point), var_of(g, p->range[0]->var)->slot);
    LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, values, lane, ""),
                   var_of(g, c->value)->slot);
    gen_stmts(g, c->choice->body);
}

/* The values of a vector of points, in lanes. */
static LLVMValueRef gen_values(struct gen *g, const struct spread_fn *p, const struct selection *c,
                               LLVMValueRef first) {
    struct lanes_scope outer = points_enter(g, p, first, NULL, true);
    gen_list(g, p->s->body, c->choice);
    LLVMValueRef values = lanes_of(g, c->value);
    points_leave(g, outer);
    return values;
}

/* i1 in lanes: value is better than best. */
static LLVMValueRef gen_better(struct gen *g, const struct selection *c, LLVMValueRef value,
                               LLVMValueRef best) {
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    LLVMBuildStore(g->b, value, var_of(g, c->value)->lanes);
    LLVMBuildStore(g->b, best, var_of(g, c->best)->lanes);
    LLVMValueRef better = gen_value(g, c->better);
    lanes_leave(g, outer);
    return better;
}

static LLVMValueRef better_of(struct gen *g, const struct selection *c, LLVMValueRef value,
                              LLVMValueRef best) {
    return LLVMBuildSelect(g->b, gen_better(g, c, value, best), value, best, "");
}

static LLVMValueRef splat(struct gen *g, LLVMValueRef v) {
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    v = gen_dynamic_splat(g, v);
    lanes_leave(g, outer);
    return v;
}

/* Sets c->value to the best one of points [first, last), which are whole turns, and of c->best. */
static void find_best(struct gen *g, const struct spread_fn *p, const struct selection *c,
                      LLVMValueRef first, LLVMValueRef last) {
    struct loop l;
    LLVMValueRef v[1 + SELECT_COPIES] = {first}, next[1 + SELECT_COPIES];
    for (int k = 1; k <= SELECT_COPIES; k++)
        v[k] = splat(g, one_of(g, c->best));
    loop_begin(g, &l, 1 + SELECT_COPIES, v);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    l.keep = true;
    for (int k = 0; k < SELECT_COPIES; k++) {
        LLVMValueRef at = add(g, l.phi[0], i64(g, (uint64_t)(k * c->lanes)));
        next[1 + k] = better_of(g, c, gen_values(g, p, c, at), l.phi[1 + k]);
    }
    next[0] = add(g, l.phi[0], i64(g, (uint64_t)(SELECT_COPIES * c->lanes)));
    loop_end(g, &l, next);
    LLVMValueRef best = l.phi[1];
    for (int k = 2; k <= SELECT_COPIES; k++)
        best = better_of(g, c, l.phi[k], best);
    for (int apart = c->lanes / 2; apart > 0; apart /= 2)
        best = better_of(g, c, take_lanes(g, best, apart, c->lanes), best);
    LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, best, i32(g, 0), ""),
                   var_of(g, c->value)->slot);
}

/* Takes the first of points [first, last) that c->value is no better than. */
static void find_place(struct gen *g, const struct spread_fn *p, const struct selection *c,
                       LLVMValueRef first, LLVMValueRef last) {
    struct loop l;
    LLVMValueRef value = splat(g, one_of(g, c->value));
    LLVMBasicBlockRef found = gen_block(g, "found"), more = gen_block(g, "more");
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    l.keep = true;
    LLVMValueRef values = gen_values(g, p, c, l.phi[0]);
    LLVMValueRef equal = LLVMBuildNot(g->b, gen_better(g, c, value, values), "");
    LLVMTypeRef word = LLVMIntTypeInContext(g->context, (unsigned)c->lanes);
    LLVMValueRef bits = LLVMBuildBitCast(g->b, equal, word, "");
    LLVMBuildCondBr(g->b, is_set(g, bits), found, more);
    gen_place(g, more);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)c->lanes));
    loop_end(g, &l, &next);
    LLVMBasicBlockRef done = LLVMGetInsertBlock(g->b);
    gen_place(g, found);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id("cttz"), &word, 1);
    LLVMValueRef args[] = {bits, LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false)};
    LLVMValueRef lane = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 2, "");
    take_lane(g, p, c, values, l.phi[0], LLVMBuildZExtOrBitCast(g->b, lane, i64_type(g), ""));
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

LLVMBasicBlockRef select_points(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                                LLVMValueRef end) {
    struct selection c;
    struct loop l;
    int lanes = g->vector_lanes;
    if (!find_selection(g, p, &c))
        return NULL;
    LLVMBasicBlockRef many = gen_block(g, "many"), few = gen_block(g, "few"),
                      done = gen_block(g, "placed");
    LLVMValueRef turn = i64(g, (uint64_t)(SELECT_COPIES * c.lanes)), n = subtract(g, end, begin);
    LLVMValueRef worth = compare(g, LLVMIntSGE, n, i64(g, (uint64_t)(SELECT_LEAST * c.lanes)));
    LLVMBuildCondBr(g->b, p->unit != NULL ? both(g, p->unit, worth) : worth, many, few);
    gen_place(g, many);
    g->vector_lanes = c.lanes;
    gen_lane_slots(g, c.lanes);
    take_lane(g, p, &c, gen_values(g, p, &c, begin), begin, i64(g, 0));
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    /* The last turn, which may not be whole, takes the points before it again. */
    LLVMValueRef left = subtract(g, end, l.phi[0]);
    LLVMValueRef whole = LLVMBuildAnd(g->b, left, LLVMBuildNeg(g->b, turn, ""), "");
    LLVMValueRef size = least(g, whole, i64(g, SELECT_POINTS)),
                 none = compare(g, LLVMIntEQ, whole, i64(g, 0));
    LLVMValueRef first = gen_select(g, none, subtract(g, end, turn), l.phi[0]);
    LLVMValueRef next = gen_select(g, none, end, add(g, l.phi[0], size));
    find_best(g, p, &c, first, next);
    LLVMBasicBlockRef same = begin_if(g, gen_scalar(g, c.better));
    find_place(g, p, &c, first, next);
    end_if(g, same);
    loop_end(g, &l, &next);
    LLVMBuildBr(g->b, done);
    gen_place(g, few);
    g->vector_lanes = lanes;
    gen_lane_slots(g, lanes);
    return done;
}
