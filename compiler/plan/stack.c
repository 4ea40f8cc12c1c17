/* stack.c: a version of a gufunc that takes many calls as one, for hosts: an axis of the loop
 * becomes a dimension of its operands, but for matrices, which all these calls share, as
 *
 *     gufunc layer(x[k], w[n, k]) -> y[n] { y[i] = sum(w[i, j] * x[j] for j) for i }
 *
 * with one `w` becomes
 *
 *     gufunc layer(x[b, k], w[n, k]) -> y[b, n] { for c in 0..b { y[c, i] = ... for i } }
 *
 * of which the loops are then taken apart as those of a source that has it so: rows of a product
 * share what they read of the matrix, where each call read all of it anew.  It is plan/calls.c
 * turned round. */
#include "apart.h"

/* Whether an operand is one that the calls share: an input with rows and columns. */
static bool is_shared(const struct plan *p, int k) {
    return k < p->nin && p->operands[k].rank > 1;
}

/* Whether some inputs are shared by calls, and others are theirs. */
static bool has_both(const struct plan *p) {
    bool shared = false, own = false;
    for (int k = 0; k < p->noperands; k++) {
        shared = shared || is_shared(p, k);
        own = own || (k < p->nin && !is_shared(p, k));
        if (p->operands[k].rank == MAX_CORE_RANK)
            return false;
    }
    return shared && own;
}

struct stacking {
    const struct plan *plan;
    struct uc *uc;
    struct pvar *call; /* the index of the calls */
    int given;         /* operands that a caller has: arrays of the body are each call's own */
    int *rank;         /* of these, before */
};

static enum walk add_axis(const struct pval *v, void *arg) {
    const struct stacking *x = arg;
    struct pval *own = (struct pval *)(void *)v;
    bool element = v->kind == PV_ELEM || v->kind == PV_LOAD;
    if (!element || v->operand >= x->given || is_shared(x->plan, v->operand) ||
        v->nargs != x->rank[v->operand]) /* a value may be in several places */
        return WALK_IN;
    for (int i = own->nargs++; i > 0; i--)
        own->args[i] = own->args[i - 1];
    own->args[0] = plan_read(x->uc, x->call);
    own->kind = PV_ELEM;
    return WALK_IN;
}

/* The dimension that the calls become. */
static const struct dim *add_calls(struct uc *uc, struct decl *d) {
    struct dim *dim = NEW(uc, struct dim);
    *dim = (struct dim){
        .name = "calls", .size = -1, .index = d->ndims++, .at = d->at, .next = d->dims};
    d->dims = dim;
    return dim;
}

bool stack_calls(struct lower *l, struct overload *o) {
    struct plan *p = l->plan;
    if (!has_both(p) || o->decl->ndims == MAX_DIMS || p->nlocals > 0)
        return false;
    struct stacking x = {.plan = p,
                         .uc = l->uc,
                         .given = p->noperands - o->nintermediates,
                         .rank = NEWN(l->uc, int, p->noperands)};
    const struct dim *calls = add_calls(l->uc, o->decl);
    struct pstmt *loop = NEW(l->uc, struct pstmt), *body = p->body->body;
    struct variable *index = variable_new(l, "call", DT_INT64);
    *loop = (struct pstmt){.kind = PS_FOR, .at = o->decl->at, .var = &index->pvar, .body = body};
    loop->lo = plan_number(l->uc, 0);
    loop->step = plan_number(l->uc, 1);
    loop->hi = value_new(l, PV_DIM, DT_INT64);
    loop->hi->operand = calls->index;
    set_index_range(index, loop->lo, loop->hi, loop->step);
    x.call = &index->pvar;
    for (int k = 0; k < p->noperands; k++)
        x.rank[k] = p->operands[k].rank;
    plan_walk(body, &(struct plan_visitor){.value = add_axis, .joined = true}, &x);
    for (int k = 0; k < x.given; k++) {
        struct poperand *operand = &p->operands[k];
        if (is_shared(p, k))
            continue;
        for (int i = operand->rank++; i > 0; i--)
            operand->dims[i] = operand->dims[i - 1];
        operand->dims[0] = calls;
    }
    p->body->body = loop;
    return true;
}
