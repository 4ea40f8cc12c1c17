/* incumbent.c: ordered loops that keep the index of the best element so far, and compare with that
 * element by the index:
 *
 *     for i in 1..n { if x[i] < x[k] { k = i } }
 *
 * The element has a variable of its own, as what totals are taken of (total.c) has:
 *
 *     if 1 < n { least = x[k] }
 *     for i in 1..n { if x[i] < least { k = i; least = x[i] } }
 */
#include "total.h"

/* A choice in a loop, perhaps within others that are each all of the body of the one around. */
struct incumbent {
    struct uc *uc;
    const struct plan *plan;
    const struct pstmt *loop;
    struct pstmt *choice;
    const bool *others; /* what the loop sets, but for what the choice does */
    struct pval *best;  /* the element by the index, a part of the choice's condition */
};

/* The value that a list of assignments, of which none needs another one, gives a variable. */
static struct pval *set_to(const struct pstmt *list, const struct pvar *var) {
    while (list != NULL && list->var != var)
        list = list->next;
    return list != NULL ? list->value : NULL;
}

static enum walk find_set(const struct pval *v, void *list) {
    return v->kind == PV_VAR && set_to(list, v->var) != NULL ? WALK_STOP : WALK_IN;
}

/* Stops at an element that a variable which the list sets tells. */
static enum walk find_told(const struct pval *v, void *list) {
    return v->kind == PV_ELEM && !value_walk(v, find_set, list) ? WALK_STOP : WALK_IN;
}

/* Does a list only set variables, each to what needs none of them? */
static bool sets_apart(const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (s->kind != PS_SET || s->value->dtype != s->var->dtype || is_half(s->var->rounds) ||
            set_to(s->next, s->var) != NULL)
            return false;
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (!value_walk(s->value, find_set, (void *)list))
            return false;
    return list != NULL;
}

/* Is b what a is behind a list of assignments? */
static bool becomes(const struct pval *a, const struct pstmt *list, const struct pval *b) {
    const struct pval *to = a->kind == PV_VAR ? set_to(list, a->var) : NULL;
    if (to != NULL || a->nargs == 0)
        return same_value(to != NULL ? to : a, b);
    if (a->kind != b->kind || a->dtype != b->dtype || a->op != b->op || a->operand != b->operand ||
        a->builtin != b->builtin || a->result != b->result || a->nargs != b->nargs)
        return false;
    int i = 0;
    while (i < a->nargs && becomes(a->args[i], list, b->args[i]))
        i++;
    return i == a->nargs;
}

static bool stores_to(const struct pstmt *list, int operand) {
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if ((s->kind == PS_PUT && s->operand == operand) || stores_to(s->body, operand) ||
            stores_to(s->other, operand))
            return true;
    return false;
}

static enum walk find_changing(const struct pval *v, void *incumbent) {
    const struct incumbent *x = incumbent;
    bool changes = (v->kind == PV_VAR && x->others[v->var->id]) ||
                   (v->kind == PV_ELEM && stores_to(x->loop->body, v->operand)) ||
                   v->kind == PV_TABLE;
    return changes ? WALK_STOP : WALK_IN;
}

/* The part of a condition that is the other part behind what the condition has set; NULL: none. */
static struct pval *find_best(const struct pstmt *s) {
    const struct pval *v = s->value;
    if (s->kind != PS_IF || s->other != NULL || v->kind != PV_OP ||
        (v->op != OP_GT && v->op != OP_LT) || !sets_apart(s->body))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (!value_walk(v->args[i], find_told, s->body) &&
            becomes(v->args[i], s->body, v->args[1 - i]))
            return v->args[i];
    return NULL;
}

/* Is the loop within, which is all of the body of the one around, one that has its bounds from
 * before? */
static bool is_plain(const struct incumbent *x, const struct pstmt *loop) {
    return loop->accs == NULL && loop->step->kind == PV_CONST && loop->step->i != 0 &&
           (loop == x->loop || (value_walk(loop->lo, find_changing, (void *)x) &&
                                value_walk(loop->hi, find_changing, (void *)x)));
}

/* The loop within the loop of x that has the choice, none of whose bounds change; NULL: there is
 * none.  What is before the choice sets variables, so that the first iteration comes to it. */
static struct pstmt *innermost(const struct incumbent *x, struct pstmt *loop) {
    struct pstmt *s = loop->body;
    if (!is_plain(x, loop) || s == NULL)
        return NULL;
    if (s->kind == PS_FOR && s->next == NULL)
        return innermost(x, s);
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    return s != NULL && s == x->choice ? loop : NULL;
}

static struct pstmt *first_choice(struct pstmt *loop) {
    struct pstmt *s = loop->body;
    while (s != NULL && (s->kind == PS_SET || (s->kind == PS_FOR && s->next == NULL)))
        s = s->kind == PS_SET ? s->next : s->body;
    return s != NULL && s->kind == PS_IF ? s : NULL;
}

static bool find_incumbent(struct incumbent *x, struct pstmt *loop) {
    x->loop = loop;
    x->choice = first_choice(loop);
    x->best = x->choice != NULL ? find_best(x->choice) : NULL;
    if (x->best == NULL)
        return false;
    struct pstmt *sets = x->choice->body;
    x->choice->body = NULL;
    bool *others = find_written(x->uc, x->plan, loop->body);
    x->choice->body = sets;
    for (const struct pstmt *l = loop; l != NULL && l->kind == PS_FOR; l = l->body)
        others[l->var->id] = true;
    x->others = others;
    bool kept = true;
    for (const struct pstmt *s = sets; s != NULL; s = s->next)
        kept = kept && !others[s->var->id];
    return kept && value_walk(x->best, find_changing, x) && innermost(x, loop) != NULL;
}

static struct pstmt *new_set(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

/* Whether the loops run at all. */
static struct pval *runs(struct lower *l, const struct pstmt *loop) {
    bool up = (int64_t)loop->step->i > 0;
    struct pval *v = value_op(l, up ? OP_LT : OP_GT, DT_BOOL, loop->lo, loop->hi);
    const struct pstmt *in = loop->body;
    return in->kind == PS_FOR && in->next == NULL ? value_op(l, OP_LAND, DT_BOOL, v, runs(l, in))
                                                  : v;
}

/* Gives the best element a variable.  Where the loop is then. */
static struct pstmt **keep_best(struct lower *l, const struct incumbent *x, struct pstmt **at) {
    struct pstmt *loop = *at, *s = x->choice, *guard = NEW(l->uc, struct pstmt);
    struct pvar *var = &variable_new(l, "best", x->best->dtype)->pvar;
    bool second = s->value->args[1] == x->best;
    struct pval *mine = value_new(l, PV_VAR, var->dtype), *with = s->value->args[second ? 0 : 1];
    mine->var = var;
    struct pstmt *better = new_set(l, var, with, s->at);
    better->next = s->body;
    s->body = better;
    s->value = value_op(l, s->value->op, DT_BOOL, second ? with : mine, second ? mine : with);
    *guard = (struct pstmt){.kind = PS_IF, .at = loop->at, .value = runs(l, loop), .next = loop};
    guard->body = new_set(l, var, x->best, s->at);
    *at = new_set(l, var, value_zero(l, var->dtype), loop->at);
    (*at)->next = guard;
    return &guard->next;
}

static void keep_in_list(struct lower *l, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct incumbent x = {.uc = l->uc, .plan = l->plan};
        if ((*at)->kind == PS_FOR && find_incumbent(&x, *at))
            at = keep_best(l, &x, at);
        struct pstmt **const lists[] = PSTMT_LISTS(*at);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            keep_in_list(l, lists[i]);
    }
}

void keep_incumbents(struct lower *l) {
    keep_in_list(l, &l->plan->body);
}
