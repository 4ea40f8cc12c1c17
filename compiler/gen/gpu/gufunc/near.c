/* near.c: rows of operands that a thread of NEST reads again and again: for each point of its
 * reduction, in a loop.  Neighbouring threads read neighbouring rows, an element of each at a time,
 * from as many lines of memory.  So a thread copies a short row to its local memory first, where
 * neighbours' elements are side by side. */
#include "gufunc.h"

struct search {
    struct gen *g;
    struct near *near;
    const struct prange *in; /* the range of a loop */
};

static bool is_point_index(const struct threads *t, const struct pval *v) {
    const struct prange *r = v->kind == PV_VAR ? t->definition->ranges : NULL;
    while (r != NULL && r->var != v->var)
        r = r->next;
    return r != NULL;
}

static enum walk add_row(const struct pval *v, void *arg) {
    struct search *x = arg;
    const struct plan *p = x->g->plan;
    int axis = -1;
    if (v->kind != PV_ELEM || v->operand >= p->nin || x->near->n == MAX_NEAR)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++)
        if (v->args[i]->kind == PV_VAR && v->args[i]->var == x->in->var && axis < 0)
            axis = i;
        else if (!is_point_index(x->g->threads, v->args[i]))
            return WALK_IN;
    if (axis >= 0)
        x->near->row[x->near->n++] = (struct near_row){.place = v, .range = x->in, .axis = axis};
    return WALK_IN;
}

/* Looks for rows in a loop over all of a dimension whose size is not known. */
static enum walk find_rows(const struct pstmt *s, void *arg) {
    struct search *x = arg;
    const struct prange *r = s->ranges;
    if (s->kind != PS_SPREAD || r->next != NULL || r->hi->kind != PV_DIM ||
        r->lo->kind != PV_CONST || r->lo->i != 0 || r->step->kind != PV_CONST || r->step->i != 1 ||
        LLVMIsConstant(gen_value(x->g, r->hi)))
        return WALK_IN;
    x->in = r;
    plan_walk(s->body, &(struct plan_visitor){.value = add_row}, x);
    return WALK_IN;
}

/* Copies n elements of the row to `copy`. */
static void copy_row(struct gen *g, const struct near_row *row, LLVMValueRef copy, LLVMValueRef n) {
    struct loop l;
    LLVMTypeRef memory = gen_memory_type(g, row->place->dtype);
    unsigned size = (unsigned)dtype_info[row->place->dtype].bits / 8;
    LLVMValueRef zero = i64(g, 0);
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n));
    LLVMBuildStore(g->b, l.phi[0], var_of(g, row->range->var)->slot);
    LLVMValueRef to = at_byte(g, copy, multiply(g, l.phi[0], i64(g, size)));
    gen_store_element(g, memory, gen_element(g, row->place), to, size);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* Where the row is short but worth it, read `turns` times (i64), and threads have points of their
 * own, it is the copy; else it stays where it is. */
static void find_row(struct gen *g, struct near_row *row, LLVMValueRef turns) {
    unsigned size = (unsigned)dtype_info[row->place->dtype].bits / 8;
    LLVMTypeRef memory = gen_memory_type(g, row->place->dtype);
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef n = gen_value(g, row->range->hi), zero = i64(g, 0);
    LLVMBuildStore(g->b, zero, var_of(g, row->range->var)->slot);
    LLVMValueRef first = LLVMBuildAddrSpaceCast(g->b, gen_address(g, row->place), generic, "");
    LLVMValueRef copy = gen_alloca(g, LLVMArrayType2(memory, NEAR_ROW), "near");
    LLVMValueRef is_short = compare(g, LLVMIntSLE, n, i64(g, NEAR_ROW));
    is_short = both(g, is_short, compare(g, LLVMIntEQ, g->threads->lanes, i32(g, 1)));
    is_short = both(g, is_short, compare(g, LLVMIntSGE, n, i64(g, NEAR_LEAST)));
    is_short = both(g, is_short, compare(g, LLVMIntSGE, turns, i64(g, NEAR_LEAST)));
    LLVMBasicBlockRef after = begin_if(g, is_short);
    copy_row(g, row, copy, n);
    end_if(g, after);
    row->base = gen_select(g, is_short, copy, first);
    row->step =
        gen_select(g, is_short, i64(g, size), g->arrays[row->place->operand].stride[row->axis]);
}

void near_begin(struct gen *g, struct near *near, const struct pstmt *s) {
    struct search x = {.g = g, .near = near};
    near->n = 0;
    if (s->accs == NULL || g->threads->definition == NULL || gen_is_checked(s->body))
        return;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_rows}, &x);
    const struct prange *r = s->ranges;
    LLVMValueRef points =
        gen_count(g, gen_value(g, r->lo), gen_value(g, r->hi), gen_value(g, r->step));
    LLVMValueRef turns = LLVMBuildSDiv(g->b, points, g->threads->count, "");
    for (int k = 0; k < near->n; k++)
        find_row(g, &near->row[k], turns);
    g->near = near;
}
