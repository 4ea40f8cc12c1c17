/* quotient.c: quotients and remainders of whole numbers, by what is no constant, that are the same
 * for all terms of a reduction, as the group of an output channel in
 *
 *     sum(w[k, l, p] * x[k // (o // groups) * c + l, i + p] for l, p)
 *
 * They are computed before it.  LLVM leaves them in the loop, since on hosts to divide by zero is a
 * fault, and each takes as long as dozens of terms. */
#include "plan.h"

enum { MAX_QUOTIENTS = 4 }; /* of a reduction: each takes a register in its loop */

struct dividing {
    struct lower *l;
    const bool *written; /* by the reduction */
    struct pstmt **before, *reduction;
    int n;
    struct {
        const struct pval *value;
        struct pvar *var;
    } known[MAX_QUOTIENTS];
};

/* Stops at what may differ from term to term. */
static enum walk find_changing(const struct pval *v, void *arg) {
    const struct dividing *x = arg;
    bool plain = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_LOAD ||
                 v->kind == PV_OP || v->kind == PV_CAST ||
                 (v->kind == PV_VAR && !x->written[v->var->id]);
    return plain ? WALK_IN : WALK_STOP;
}

/* The variable of a quotient; NULL: there are too many. */
static struct pvar *variable_of(struct dividing *x, const struct pval *v) {
    for (int i = 0; i < x->n; i++)
        if (same_value(x->known[i].value, v))
            return x->known[i].var;
    if (x->n == MAX_QUOTIENTS)
        return NULL;
    struct pval *copy = value_new(x->l, v->kind, v->dtype);
    struct pstmt *s = NEW(x->l->uc, struct pstmt);
    *copy = *v;
    x->known[x->n].value = copy;
    x->known[x->n].var = &variable_new(x->l, "quotient", v->dtype)->pvar;
    *s = (struct pstmt){.kind = PS_SET,
                        .at = x->reduction->at,
                        .var = x->known[x->n].var,
                        .value = copy,
                        .next = x->reduction};
    *x->before = s;
    x->before = &s->next;
    return x->known[x->n++].var;
}

static enum walk take_quotient(const struct pval *v, void *arg) {
    struct dividing *x = arg;
    bool divides = v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD) &&
                   is_integer(v->dtype) && v->args[1]->kind != PV_CONST;
    if (!divides || !value_walk(v, find_changing, x))
        return WALK_IN;
    struct pvar *var = variable_of(x, v);
    if (var == NULL)
        return WALK_IN;
    struct pval *read = (struct pval *)(void *)v;
    *read = (struct pval){.kind = PV_VAR, .dtype = v->dtype, .var = var};
    return WALK_PAST;
}

static void take_list(struct lower *l, struct pstmt **at) {
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        take_list(l, &s->body);
        take_list(l, &s->other);
        if (s->kind != PS_SPREAD || s->accs == NULL || s->merged)
            continue;
        struct pstmt alone = *s;
        alone.next = NULL;
        struct dividing x = {
            .l = l, .written = find_written(l->uc, l->plan, &alone), .before = at, .reduction = s};
        plan_walk(s->body, &(struct plan_visitor){.value = take_quotient}, &x);
        at = x.before;
    }
}

void divide_once(struct lower *l) {
    take_list(l, &l->plan->body->body);
}
