/* small.c: SMALL, a thread for each call, with the arrays along a short dimension in registers. For
 * each size of it there is code in which it is a number.  Of the longer ones inputs are loaded by
 * vectors, which neighbouring calls may share. */
#include <string.h>

#include "gufunc.h"

/* Makes the dimension, and those computed from it, numbers. */
static void fix_size(struct gen *g, int64_t size) {
    const struct plan *p = g->plan;
    g->dims[p->map.small->index] = i64(g, (uint64_t)size);
    for (const struct dim *d = p->overload->decl->dims; d != NULL; d = d->next)
        if (d->expr != NULL)
            g->dims[d->index] = gen_terms(g, d->terms, d->nterms);
}

/* Where element e of an array of known sizes is, in bytes from its first one: i64. */
static LLVMValueRef home_offset(struct gen *g, const struct poperand *o,
                                const struct gen_array *home, int64_t e) {
    LLVMValueRef at = i64(g, 0);
    for (int i = o->rank; i-- > 0;) {
        int64_t size = LLVMConstIntGetSExtValue(g->dims[o->dims[i]->index]);
        at = add(g, at, multiply(g, i64(g, (uint64_t)(e % size)), home->stride[i]));
        e /= size;
    }
    return at;
}

/* Loads an array's elements to registers. */
static void load(struct gen *g, int k, const struct gen_array *home, int64_t n) {
    const struct poperand *o = &g->plan->operands[k];
    LLVMTypeRef type = gen_memory_type(g, o->dtype);
    for (int64_t e = 0; e < n; e++) {
        LLVMValueRef own = i64(g, (uint64_t)(e * dtype_info[o->dtype].bits / 8));
        LLVMValueRef from = at_byte(g, home->base, home_offset(g, o, home, e));
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, from, "");
        LLVMSetAlignment(v, dtype_align(o->dtype));
        v = LLVMBuildStore(g->b, v, at_byte(g, g->arrays[k].base, own));
        LLVMSetAlignment(v, dtype_align(o->dtype));
    }
}

/* Gives what registers hold its place. */
static void hold(struct gen *g, int k, int64_t n) {
    const struct plan *p = g->plan;
    const struct poperand *o = &p->operands[k];
    uint64_t bytes = dtype_info[o->dtype].bits / 8;
    const struct gen_array home = g->arrays[k];
    struct gen_array *a = &g->arrays[k];
    LLVMTypeRef type = LLVMArrayType2(gen_memory_type(g, o->dtype), (uint64_t)n);
    *a = (struct gen_array){.base = gen_alloca(g, type, o->name), .near = true};
    LLVMSetAlignment(a->base, 16);
    for (int i = o->rank; i-- > 0;) {
        a->stride[i] = i64(g, bytes);
        bytes *= (uint64_t)LLVMConstIntGetSExtValue(g->dims[o->dims[i]->index]);
    }
    if (p->overload->inst->unwritten >> (k - p->nin) & 1)
        load(g, k, &home, n);
}

/* Tells LLVM that rows along the dimension are aligned, and have no gaps. */
static void assume_rows(struct gen *g) {
    const struct plan *p = g->plan;
    for (int k = 0; k < p->nin; k++) {
        const struct poperand *o = &p->operands[k];
        struct gen_array *a = &g->arrays[k];
        int along = -1;
        for (int i = 0; i < o->rank; i++)
            along = o->dims[i] == p->map.small ? i : along;
        if (along < 0)
            continue;
        LLVMValueRef mask = i64(g, -(uint64_t)UFC_ROW_ALIGN);
        for (int i = 0; i < o->rank; i++)
            a->stride[i] = LLVMBuildAnd(g->b, a->stride[i], mask, "");
        a->stride[along] = i64(g, dtype_info[o->dtype].bits / 8);
        LLVMValueRef base = LLVMBuildPtrToInt(g->b, a->base, i64_type(g), "");
        a->base = global_pointer(g, LLVMBuildAnd(g->b, base, mask, ""));
    }
}

/* ---- rows of the next steps */

enum { MAX_ROWS = 8, STEPS_AHEAD = 2, CACHE_LINE = 128 };

/* What an ordered loop's step reads of inputs: rows along the dimension, or single elements. */
struct step_rows {
    struct gen *g;
    const struct pstmt *loop;
    const bool *written; /* by variable: the loop's body sets it */
    bool *index;         /* of a loop along the dimension */
    const struct pval *place[MAX_ROWS];
    const struct pvar *along[MAX_ROWS]; /* NULL: it is an element */
    int n;
};

static bool is_along(const struct step_rows *r, const struct pval *lo, const struct pval *hi) {
    return lo->kind == PV_CONST && lo->i == 0 && hi->kind == PV_DIM &&
           hi->operand == r->g->plan->map.small->index;
}

static enum walk find_indices(const struct pstmt *s, void *arg) {
    struct step_rows *r = arg;
    if (s->kind == PS_FOR)
        r->index[s->var->id] = is_along(r, s->lo, s->hi);
    for (const struct prange *p = s->kind == PS_SPREAD ? s->ranges : NULL; p != NULL; p = p->next)
        r->index[p->var->id] = is_along(r, p->lo, p->hi);
    return WALK_IN;
}

static bool is_index(const struct step_rows *r, const struct pval *v) {
    return v->kind == PV_VAR && r->index[v->var->id];
}

/* Stops at what is not known before a step. */
static enum walk find_later(const struct pval *v, void *arg) {
    const struct step_rows *r = arg;
    bool later = v->kind == PV_ELEM ||
                 (v->kind == PV_VAR && v->var != r->loop->var && r->written[v->var->id]);
    return later ? WALK_STOP : WALK_IN;
}

static enum walk find_moving(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Is an access of the same row noted? */
static bool has_row(const struct step_rows *r, const struct pval *v) {
    bool has = false;
    for (int i = 0; i < r->n && !has; i++) {
        has = r->place[i]->operand == v->operand;
        for (int k = 0; k < v->nargs && has; k++) {
            const struct pval *a = v->args[k], *b = r->place[i]->args[k];
            has = (is_index(r, a) && is_index(r, b)) || same_value(a, b);
        }
    }
    return has;
}

static enum walk add_row(const struct pval *v, void *arg) {
    struct step_rows *r = arg;
    if (v->kind != PV_ELEM || v->operand >= r->g->plan->nin || r->n == MAX_ROWS)
        return WALK_IN;
    const struct pvar *along = NULL;
    bool known = true;
    for (int i = 0; i < v->nargs; i++)
        if (is_index(r, v->args[i]) && along == NULL)
            along = v->args[i]->var;
        else
            known = known && value_walk(v->args[i], find_later, r);
    if (!known || value_walk(v, find_moving, r->loop->var) || has_row(r, v) ||
        !gen_exists_at_indices(r->g, v))
        return WALK_IN;
    r->along[r->n] = along;
    r->place[r->n++] = v;
    return WALK_IN;
}

static enum walk find_leave(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE ? WALK_STOP : WALK_IN;
}

/* Has the cache load the rows of a step, i64. */
static void fetch_rows(struct step_rows *r, LLVMValueRef step) {
    struct gen *g = r->g;
    int size = kernel_info[g->threads->kind].size;
    gen_set_index(g, r->loop->var, step);
    for (int i = 0; i < r->n; i++) {
        int bytes = (r->along[i] != NULL ? size : 1) * dtype_info[r->place[i]->dtype].bits / 8;
        if (r->along[i] != NULL)
            gen_set_index(g, r->along[i], i64(g, 0));
        LLVMValueRef row = gen_address(g, r->place[i]);
        for (int at = 0; at < bytes; at += CACHE_LINE)
            gpu(g)->prefetch(g, at_byte(g, row, i64(g, (uint64_t)at)));
    }
}

/* An ordered loop whose steps read rows: a warp, of which few run at a time, would wait for those
 * of each step, which are on their way some steps before. */
static bool in_steps(struct gen *g, const struct pstmt *s) {
    struct step_rows r = {.g = g,
                          .loop = s,
                          .written = find_written(g->uc, g->plan, s->body),
                          .index = NEWN(g->uc, bool, g->plan->nvars)};
    if (s->step->kind != PV_CONST || s->step->i != 1 || r.written[s->var->id] ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_leave}, NULL))
        return false;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_indices}, &r);
    const struct pval **below = g->below;
    gen_find_bounds(g);
    plan_walk(s->body, &(struct plan_visitor){.value = add_row}, &r);
    g->below = below;
    bool rows = false;
    for (int i = 0; i < r.n; i++)
        rows = rows || r.along[i] != NULL;
    if (!rows)
        return false;
    struct loop l;
    LLVMValueRef lo = gen_value(g, s->lo), hi = gen_value(g, s->hi);
    LLVMValueRef last = subtract(g, hi, i64(g, 1));
    loop_begin(g, &l, 1, &lo);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], hi));
    fetch_rows(&r, least(g, add(g, l.phi[0], i64(g, STEPS_AHEAD)), last));
    gen_set_index(g, s->var, l.phi[0]);
    gen_stmts(g, s->body);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
    return true;
}

/* The body where the dimension has a size. */
static void gen_of_size(struct gen *g, int64_t size) {
    const struct plan *p = g->plan;
    struct gen_array home[UFC_MAX_OPERANDS];
    memcpy(home, g->arrays, (size_t)p->noperands * sizeof *home);
    fix_size(g, size);
    if (ufc_is_wide(g->threads->kind)) {
        assume_rows(g);
        g->steps = in_steps;
    }
    for (int k = p->nin + p->overload->nout; k < p->noperands; k++)
        if (small_elements(p, k, size) > 0)
            hold(g, k, small_elements(p, k, size));
    gen_stmts(g, p->body);
    memcpy(g->arrays, home, (size_t)p->noperands * sizeof *home);
}

void gen_small_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    int most = (int)kernel_info[t->kind].size, least = most / 2 + (most > 2);
    gufunc_find_thread(g, t);
    gufunc_enter_alone(g, t);
    g->copies = SMALL_COPIES;
    g->chunk_body = SMALL_CHUNK_BODY;
    LLVMValueRef size = g->dims[p->map.small->index];
    bool wide = ufc_is_wide(t->kind);
    for (int n = wide ? most : least; n <= most && (wide || n <= p->map.small_most); n++) {
        LLVMBasicBlockRef own = gen_block(g, "size"), next = gen_block(g, "other");
        LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, size, i64(g, (uint64_t)n)), own, next);
        gen_place(g, own);
        gen_of_size(g, n);
        LLVMBuildBr(g->b, t->end);
        gen_place(g, next);
    }
    gufunc_leave_call(g, t);
}
