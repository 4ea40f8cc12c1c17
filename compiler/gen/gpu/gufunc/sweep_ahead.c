/* sweep_ahead.c: while threads of SWEEP compute a row, the inputs' elements of their next one are
 * on their way to the cache.  Each row is read from memory, joined, and read again by later phases:
 * the threads that a multiprocessor has are too few to load while others compute. */
#include "sweep.h"

enum { MAX_NEXT = 8, MAX_ALONG = 16, CACHE_LINE = 128 };
enum { SWEEP_AHEAD = 32 << 10 }; /* bytes of a block's rows of an input, at most */

struct next_rows {
    struct gen *g;
    const struct pval **below;             /* bounds of the body's variables, as in struct gen */
    const struct pvar *row;                /* of the phase at hand */
    const struct prange *range[MAX_ALONG]; /* that were come to */
    const struct pval *place[MAX_NEXT];    /* an element of each input's rows */
    const struct pvar *own[MAX_NEXT];      /* its row */
    const struct prange *along[MAX_NEXT];
    int nranges, n;
};

static enum walk find_ranges(const struct pstmt *s, void *arg) {
    struct next_rows *x = arg;
    const struct prange *r = s->kind == PS_SPREAD ? s->ranges : NULL;
    for (; r != NULL && x->nranges < MAX_ALONG; r = r->next)
        x->range[x->nranges++] = r;
    return WALK_IN;
}

static bool is_known(const struct pval *v) {
    return v->kind == PV_CONST || v->kind == PV_DIM;
}

/* The range of a subscript, if it is one whose bounds are known before the row; or NULL. */
static const struct prange *range_of(const struct next_rows *x, const struct pval *v) {
    if (v->kind != PV_VAR || v->var == x->row)
        return NULL;
    for (int i = 0; i < x->nranges; i++)
        if (x->range[i]->var == v->var)
            return is_known(x->range[i]->lo) && is_known(x->range[i]->hi) ? x->range[i] : NULL;
    return NULL;
}

/* Are the elements of rows that are noted? */
static bool has_row(const struct next_rows *x, const struct pval *v) {
    bool has = false;
    for (int i = 0; i < x->n && !has; i++) {
        has = x->place[i]->operand == v->operand;
        for (int k = 0; k < v->nargs && has; k++) {
            const struct pval *a = v->args[k], *b = x->place[i]->args[k];
            bool row = a->kind == PV_VAR && a->var == x->row;
            has = row ? b->kind == PV_VAR && b->var == x->own[i]
                      : b->kind == a->kind && (a->kind == PV_VAR || same_value(a, b));
        }
    }
    return has;
}

static enum walk add_row(const struct pval *v, void *arg) {
    struct next_rows *x = arg;
    const struct prange *along = NULL;
    int rows = 0, others = 0;
    if (v->kind != PV_ELEM || v->operand >= x->g->plan->nin || x->n == MAX_NEXT)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++) {
        const struct prange *r = range_of(x, v->args[i]);
        if (v->args[i]->kind == PV_VAR && v->args[i]->var == x->row)
            rows++;
        else if (r != NULL && along == NULL)
            along = r;
        else if (!is_known(v->args[i]))
            others++;
    }
    if (rows != 1 || along == NULL || others > 0 || has_row(x, v) ||
        !gen_exists_at_indices(x->g, v))
        return WALK_IN;
    x->own[x->n] = x->row;
    x->along[x->n] = along;
    x->place[x->n++] = v;
    return WALK_IN;
}

struct next_rows *sweep_rows(struct gen *g) {
    struct next_rows *x = NEW(g->uc, struct next_rows);
    const struct pval **below = g->below;
    gen_find_bounds(g);
    *x = (struct next_rows){.g = g, .below = g->below};
    g->below = below;
    return x;
}

void sweep_add_phase(struct next_rows *x, const struct pstmt *s, const struct pvar *row) {
    const struct plan_visitor ranges = {.stmt = find_ranges}, elements = {.value = add_row};
    struct gen *g = x->g;
    const struct pval **below = g->below;
    x->row = row;
    x->nranges = 0;
    stmt_walk(s, &ranges, x);
    g->below = x->below;
    stmt_walk(s, &elements, x);
    g->below = below;
}

static LLVMValueRef address_at(const struct next_rows *x, int i, LLVMValueRef index) {
    gen_set_index(x->g, x->along[i]->var, index);
    return LLVMBuildPtrToInt(x->g->b, gen_address(x->g, x->place[i]), i64_type(x->g), "");
}

/* The lines of an input's row that are the thread's, where its elements are neighbours. */
static void fetch_row(const struct next_rows *x, int i, LLVMValueRef teams) {
    struct gen *g = x->g;
    const struct threads *t = g->threads;
    LLVMValueRef lo = gen_value(g, x->along[i]->lo), hi = gen_value(g, x->along[i]->hi);
    LLVMValueRef size = i64(g, (uint64_t)dtype_info[x->place[i]->dtype].bits / 8);
    LLVMValueRef first = address_at(x, i, lo), second = address_at(x, i, add(g, lo, i64(g, 1)));
    LLVMValueRef bytes = multiply(g, subtract(g, hi, lo), size);
    LLVMValueRef few =
        compare(g, LLVMIntSLE, multiply(g, bytes, extended(g, teams)), i64(g, SWEEP_AHEAD));
    LLVMValueRef near = compare(g, LLVMIntEQ, subtract(g, second, first), size);
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildAnd(g->b, few, near, ""));
    LLVMValueRef line = i64(g, CACHE_LINE), at = multiply(g, t->number, line);
    struct loop l;
    loop_begin(g, &l, 1, &at);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], bytes));
    l.keep = true;
    gpu(g)->prefetch(g, global_pointer(g, add(g, first, l.phi[0])));
    LLVMValueRef next = add(g, l.phi[0], multiply(g, t->count, line));
    loop_end(g, &l, &next);
    end_if(g, after);
}

void sweep_fetch(const struct next_rows *x, LLVMValueRef row, LLVMValueRef teams) {
    for (int i = 0; i < x->n; i++) {
        gen_set_index(x->g, x->own[i], row);
        fetch_row(x, i, teams);
    }
}
