/* run.c: elements that copies of an ordered loop's body read in a run: where a row has no gaps,
 * each is a constant number of bytes behind what the first copy reads, so that its place takes no
 * instruction. */
#include "build.h"

struct search {
    struct gen *g;
    const struct pstmt *loop;
    struct run *run;
};

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->kind == PS_SET && s->var == var ? WALK_STOP : WALK_IN;
}

/* Stops at what the loop changes, other than its index. */
static enum walk find_change(const struct pval *v, void *arg) {
    const struct search *x = arg;
    if (v->kind == PV_ELEM || v->kind == PV_TABLE)
        return WALK_STOP;
    bool own = v->kind == PV_VAR && v->var != x->loop->var;
    return own && !plan_walk(x->loop->body, &(struct plan_visitor){.stmt = find_set}, v->var)
               ? WALK_STOP
               : WALK_IN;
}

static enum walk add_place(const struct pval *v, void *arg) {
    struct search *x = arg;
    int64_t by = 0;
    if (v->kind != PV_ELEM || v->checked || v->operand >= x->g->plan->noperands || v->nargs == 0 ||
        x->run->n == MAX_RUN_ROWS)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++)
        if (!value_walk(v->args[i], find_change, x) ||
            !gen_grows(x->g, v->args[i], x->loop->var, &by) || (by != 0 && i < v->nargs - 1))
            return WALK_IN;
    int64_t bytes = dtype_info[v->dtype].bits / 8;
    if (by != 0)
        x->run->row[x->run->n++] = (struct run_row){v, by * (int64_t)x->loop->step->i * bytes};
    return WALK_IN;
}

LLVMValueRef gen_find_run(struct gen *g, const struct pstmt *s, struct run *run) {
    struct search x = {g, s, run};
    LLVMValueRef all = NULL;
    *run = (struct run){.var = s->var};
    if (s->step->kind != PV_CONST || g->subscript != NULL)
        return NULL;
    plan_walk(s->body, &(struct plan_visitor){.value = add_place}, &x);
    for (int k = 0; k < run->n; k++) {
        const struct pval *v = run->row[k].place;
        LLVMValueRef stride = g->arrays[v->operand].stride[v->nargs - 1];
        LLVMValueRef is =
            compare(g, LLVMIntEQ, stride, i64(g, (uint64_t)dtype_info[v->dtype].bits / 8));
        all = all != NULL ? both(g, all, is) : is;
    }
    return all;
}

LLVMValueRef gen_run_address(struct gen *g, const struct pval *v) {
    const struct run *run = g->run;
    for (int k = 0; run != NULL && k < run->n; k++) {
        if (!same_value(run->row[k].place, v))
            continue;
        struct gen_var *var = var_of(g, run->var);
        var->known = run->first;
        LLVMValueRef at = gen_address(g, v);
        var->known = NULL;
        return at_byte(g, at, i64(g, (uint64_t)(run->copy * run->row[k].step)));
    }
    return NULL;
}
