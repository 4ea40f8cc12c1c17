/* peel.c: ordered loops that take their first element whatever it is, and others that are better:
 *
 *     k = -1; for i in 0..n { if k < 0 or x[i] > best { k = i; best = x[i] } }
 *
 * Their first iteration is put before them, so that the others only compare, as of totals
 * (total.c):
 *
 *     if 0 < n { k = 0; best = x[0] }
 *     for i in 1..n { if x[i] > best { k = i; best = x[i] } }
 */
#include "total.h"

static bool is_var(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* Does a comparison hold for one number, and for none from another one on? */
static bool holds_for_one_alone(const struct pval *v, int64_t one, int64_t from) {
    int64_t with = (int64_t)v->args[1]->i;
    return (v->op == OP_LT && one < with && from >= with) ||
           (v->op == OP_EQ && one == with && from > with);
}

/* What a list of assignments up to `end` sets a variable to at last; NULL: nothing. */
static const struct pval *last_set(const struct pstmt *s, const struct pstmt *end,
                                   const struct pvar *var) {
    const struct pval *v = NULL;
    for (; s != end; s = s->next)
        v = s->var == var ? s->value : v;
    return v;
}

/* The variable by which a condition, which s sets, tells that an index is the first one; NULL:
 * there is none. */
static const struct pvar *first_told(const struct pstmt *s) {
    const struct pval *v = s != NULL && s->kind == PS_SET ? s->value : NULL;
    bool compares = v != NULL && v->kind == PV_OP && (v->op == OP_LT || v->op == OP_EQ);
    return compares && v->args[0]->kind == PV_VAR && v->args[1]->kind == PV_CONST &&
                   is_integer(v->args[0]->dtype)
               ? v->args[0]->var
               : NULL;
}

/* Is a loop's body `if first or better { … }`?  That is `v = first; if not v { v = better }; if v {
 * … }`, and nothing else has v. */
static bool is_first_or_better(struct lower *l, const struct pstmt *loop) {
    enum { MENTIONS = 4 };
    const struct pstmt *first = loop->body, *rest = first->next;
    const struct pstmt *choice = rest != NULL ? rest->next : NULL;
    if (choice == NULL || choice->next != NULL || rest->kind != PS_IF || choice->kind != PS_IF ||
        rest->other != NULL || choice->other != NULL)
        return false;
    const struct pstmt *better = rest->body;
    return rest->value->kind == PV_OP && rest->value->op == OP_LNOT &&
           is_var(rest->value->args[0], first->var) && is_var(choice->value, first->var) &&
           better != NULL && better->next == NULL && better->kind == PS_SET &&
           better->var == first->var &&
           count_mentions(l->uc, l->plan, l->plan->body)[first->var->id] == MENTIONS;
}

/* Does a list only set variables, of which the loop's end is not made, and k once, to the index? */
static bool takes_index(const struct pstmt *list, const struct pvar *k, const struct pstmt *loop) {
    int taken = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind != PS_SET || !value_walk(loop->hi, find_variable, s->var) ||
            (s->var == k && !is_var(s->value, loop->var)))
            return false;
        taken += s->var == k;
    }
    return taken == 1;
}

/* Is it only a loop's first iteration, from `run` on, which sets variables before it, that takes
 * its element whatever it is? */
static bool takes_first(struct lower *l, const struct pstmt *run, const struct pstmt *loop) {
    const struct pvar *k = first_told(loop->body);
    if (k == NULL || loop->accs != NULL || loop->lo->kind != PV_CONST ||
        loop->step->kind != PV_CONST || loop->step->i != 1 || !is_first_or_better(l, loop) ||
        !takes_index(loop->body->next->next->body, k, loop))
        return false;
    const struct pval *before = last_set(run, loop, k);
    return before != NULL && before->kind == PV_CONST &&
           holds_for_one_alone(loop->body->value, (int64_t)before->i, (int64_t)loop->lo->i);
}

static void peel(struct lower *l, struct pstmt **at) {
    struct pstmt *loop = *at, *better = loop->body->next->body, *choice = loop->body->next->next;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pstmt *guard = NEW(l->uc, struct pstmt), *index = NEW(l->uc, struct pstmt);
    struct pvar *i = c.vars[loop->var->id] = &variable_new(l, "first", loop->var->dtype)->pvar;
    *index = (struct pstmt){.kind = PS_SET, .at = loop->at, .var = i, .value = loop->lo};
    struct pstmt **end = &index->next;
    for (const struct pstmt *s = choice->body; s != NULL; s = s->next, end = &(*end)->next) {
        *end = NEW(l->uc, struct pstmt);
        **end = *s;
        (*end)->value = copy_renamed(&c, s->value);
        (*end)->next = NULL;
    }
    *guard = (struct pstmt){.kind = PS_IF, .at = loop->at, .body = index, .next = loop};
    guard->value = value_op(l, OP_LT, DT_BOOL, loop->lo, loop->hi);
    struct pval *lo = value_new(l, PV_CONST, loop->lo->dtype);
    lo->i = loop->lo->i + 1;
    loop->lo = lo;
    choice->value = better->value;
    loop->body = choice;
    *at = guard;
}

void peel_loops(struct lower *l, struct pstmt **list) {
    struct pstmt *run = *list;
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == PS_FOR && takes_first(l, run, *at)) {
            peel(l, at);
            at = &(*at)->next;
        }
        struct pstmt **const lists[] = PSTMT_LISTS(*at);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            peel_loops(l, lists[i]);
        if ((*at)->kind != PS_SET)
            run = (*at)->next;
    }
}
