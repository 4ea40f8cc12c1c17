/* deal_ragged.c: ordered loops that update bins over ranges that differ between iterations, as
 * those of a sparse matrix's rows do:
 *
 *     for i in 0..n { for e in p[i]..p[i + 1] { y[col[e]] += v[e] * x[i] } }
 *
 * What deals out entries there are the turns of the inner loop, of all iterations in their order.
 * Where an iteration's begin among them is known once the lengths of the ranges are added up. */
#include "dealer.h"

/* The first statement of a list that does not set a variable. */
static struct pstmt *behind_sets(const struct pstmt *list) {
    while (list != NULL && list->kind == PS_SET)
        list = list->next;
    return (struct pstmt *)list;
}

/* The loop that is all that an iteration does, but for variables that it sets before, and maybe
 * where conditions hold; NULL: it does something else. */
static struct pstmt *find_last(const struct pstmt *body) {
    struct pstmt *s = behind_sets(body);
    if (s == NULL || s->next != NULL)
        return NULL;
    if (s->kind == PS_IF && s->other == NULL)
        return find_last(s->body);
    bool loop =
        s->kind == PS_FOR && s->accs == NULL && s->step->kind == PV_CONST && s->step->i == 1;
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
    const struct pstmt *s = x->ragged != NULL ? x->before : NULL;
    bool is = true;
    for (; is && s != NULL && s != x->ragged; s = s->kind == PS_IF ? s->body : s->next)
        is = deal_is_free(x, s->value);
    return is && (x->ragged == NULL ||
                  (deal_is_free(x, x->ragged->lo) && deal_is_free(x, x->ragged->hi)));
}

/* What comes before the loop, from a list of it on, with statements in the loop's place, where
 * conditions hold, or whether these do or not. */
static struct pstmt *behind(struct dealer *x, const struct pstmt *list, struct pstmt *loop,
                            bool conditions) {
    struct pstmt *last = behind_sets(list), *first = NULL, **end = &first;
    if (last != list)
        first = copy_statements(x->uc, list, last, NULL, NULL);
    while (*end != NULL)
        end = &(*end)->next;
    *end = last == x->ragged ? loop : behind(x, last->body, loop, conditions);
    if (last == x->ragged || !conditions)
        return first;
    struct pstmt *only = NEW(x->uc, struct pstmt);
    *only = *last;
    only->body = *end;
    *end = only;
    return first;
}

struct pstmt *deal_ragged_turn(struct dealer *x, struct pstmt *list) {
    struct deal *d = x->d;
    const struct pstmt *loop = x->ragged;
    d->length = plan_variable(x->uc, x->plan, "length", DT_INT64);
    d->turn = plan_variable(x->uc, x->plan, "turn", DT_INT64);
    d->further = loop->var;
    struct pval *length = deal_iterations(x, loop->lo, loop->hi);
    d->lengths = behind(x, x->before, deal_set(x, d->length, length, loop->at), true);
    struct pval *index = deal_operate(x, OP_ADD, loop->lo, plan_read(x->uc, d->turn));
    struct pstmt *set = deal_set(x, loop->var, index, loop->at);
    set->next = list;
    return behind(x, x->before, set, false); /* there is no turn where they do not hold */
}

struct pstmt *deal_ragged_loop(struct dealer *x, struct pstmt *list) {
    struct pstmt *loop = NEW(x->uc, struct pstmt);
    *loop = *x->ragged;
    loop->body = list;
    return behind(x, x->before, loop, true);
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
