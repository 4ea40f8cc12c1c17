/* select.c: choices in place of conditionals, `s = s + v if c else s`, in loops that one thread
 * runs, so that elements of several iterations are loaded at once. */
#include "apart.h"
#include "total.h"

/* Do assignments only join whole numbers to variables?  That is a total (total.c). */
static bool only_joins(const struct pstmt *s) {
    while (s != NULL && s->kind == PS_SET && !value_walk(s->value, find_variable, s->var) &&
           is_integer(s->value->dtype) && join_of_value(s->value) >= 0)
        s = s->next;
    return s == NULL;
}

/* May all that a conditional does be computed whether it holds or not? */
static bool may_be_chosen(const struct plan *p, const struct pstmt *conditional) {
    const struct pstmt *s = conditional->body;
    if (only_joins(s))
        return false;
    while (s != NULL && s->kind == PS_SET && s->value->dtype == s->var->dtype &&
           value_walk(conditional->value, find_variable, s->var) && !is_half(s->var->rounds) &&
           s->var->imag == NULL && exists_anyway(p, s->value))
        s = s->next;
    return conditional->kind == PS_IF && conditional->other == NULL && s == NULL;
}

void choose_values(struct lower *l, const int *mentions, struct pstmt **at) {
    while (*at != NULL) {
        struct pstmt *s = *at, *next = s->next;
        if (s->kind == PS_FOR)
            choose_values(l, mentions, &s->body);
        if (!may_be_chosen(l->plan, s)) {
            at = &s->next;
            continue;
        }
        *at = s->body;
        const int *inside = count_mentions(l->uc, l->plan, s->body);
        for (struct pstmt *set = *at; set != NULL; set = set->next) {
            at = &set->next;
            if (inside[set->var->id] == mentions[set->var->id])
                continue; /* nothing else reads it */
            struct pval *v = value_new(l, PV_SELECT, set->value->dtype);
            v->nargs = 3;
            v->args[0] = s->value;
            v->args[1] = set->value;
            v->args[2] = plan_read(l->uc, set->var);
            set->value = v;
        }
        *at = next;
    }
}
