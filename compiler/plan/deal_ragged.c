/* deal_ragged.c: ordered loops that update bins over ranges that differ between iterations, as
 * those of a sparse matrix's rows do:
 *
 *     for i in 0..n { for e in p[i]..p[i + 1] { y[col[e]] += v[e] * x[i] } }
 *
 * What deals out entries there are the turns of the inner loop, of all iterations in their order.
 * Where an iteration's begin among them is known once the lengths of the ranges are added up. */
#include "dealer.h"

/* Is a loop all that an iteration does, but for variables that it sets before? */
static struct pstmt *find_last(struct pstmt *body) {
    struct pstmt *s = body;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    bool loop = s != NULL && s->kind == PS_FOR && s->next == NULL && s->accs == NULL &&
                s->step->kind == PV_CONST && s->step->i == 1;
    return loop ? s : NULL;
}

struct pstmt *deal_find_ragged(struct dealer *x, struct pstmt *body) {
    struct pstmt *loop = find_last(body);
    if (loop == NULL || x->outer.n == 0 || deal_has_even_bounds(x, loop))
        return body;
    x->ragged = loop;
    x->before = body;
    return copy_statements(x->uc, loop->body, NULL, NULL, NULL);
}

bool deal_is_ragged_free(struct dealer *x) {
    bool is = true;
    for (const struct pstmt *s = x->before; x->ragged != NULL && s != x->ragged; s = s->next)
        is = is && deal_is_free(x, s->value);
    return is && (x->ragged == NULL ||
                  (deal_is_free(x, x->ragged->lo) && deal_is_free(x, x->ragged->hi)));
}

/* What is set before the loop, with statements behind it. */
static struct pstmt *behind_before(struct dealer *x, struct pstmt *list) {
    struct pstmt *first = copy_statements(x->uc, x->before, x->ragged, NULL, NULL), **end = &first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = list;
    return first;
}

struct pstmt *deal_ragged_turn(struct dealer *x, struct pstmt *list) {
    struct deal *d = x->d;
    const struct pstmt *loop = x->ragged;
    d->length = plan_variable(x->uc, x->plan, "length", DT_INT64);
    d->turn = plan_variable(x->uc, x->plan, "turn", DT_INT64);
    d->further = loop->var;
    struct pval *length = deal_iterations(x, loop->lo, loop->hi);
    d->lengths = behind_before(x, deal_set(x, d->length, length, loop->at));
    struct pval *index = deal_operate(x, OP_ADD, loop->lo, plan_read(x->uc, d->turn));
    struct pstmt *set = deal_set(x, loop->var, index, loop->at);
    set->next = list;
    return behind_before(x, set);
}

struct pstmt *deal_ragged_loop(struct dealer *x, struct pstmt *list) {
    struct pstmt *loop = NEW(x->uc, struct pstmt);
    *loop = *x->ragged;
    loop->body = list;
    return behind_before(x, loop);
}

/* ---- sizes */

struct looking {
    struct dealer *x;
    struct pval *size; /* of an axis along which turns are neighbours, or NULL */
};

static enum walk find_axis(const struct pval *v, void *looking) {
    struct looking *l = looking;
    for (int i = 0; v->kind == PV_ELEM && v->operand < l->x->plan->noperands && i < v->nargs; i++)
        if (v->args[i]->kind == PV_VAR && v->args[i]->var == l->x->ragged->var)
            l->size = deal_size(l->x, v->operand, i);
    return l->size != NULL ? WALK_STOP : WALK_IN;
}

struct pval *deal_ragged_turns(struct dealer *x, struct pval *iterations) {
    enum { ABOUT = 4 }; /* turns of an iteration */
    struct looking l = {x, NULL};
    plan_walk(x->ragged->body, &(struct plan_visitor){.value = find_axis}, &l);
    return l.size != NULL ? l.size : deal_operate(x, OP_MUL, iterations, plan_number(x->uc, ABOUT));
}
