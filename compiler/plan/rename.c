/* rename.c: a variable that the body sets anew, whatever it was, is another one from there on:
 *
 *     var top = 0; for i in 0..n { top = max(top, x[i]); l[i] = top }
 *     top = 0; for i in n - 1..-1..-1 { top = max(top, x[i]); r[i] = top }
 *
 * So each is the state of its own loops, and what an earlier one leaves is not asked for.  So is
 * one that the body makes of what a loop has left in it, `s = sqrt(s)`: nothing changes that then.
 */
#include "apart.h"

struct naming {
    struct uc *uc;
    struct pvar *from, *to;
    struct pval *value; /* of the other one */
};

static enum walk note_mention(const struct pval *v, void *mentioned) {
    if (v->kind == PV_VAR)
        ((bool *)mentioned)[v->var->id] = true;
    return WALK_IN;
}

static enum walk note_set(const struct pstmt *s, void *mentioned) {
    if (s->var != NULL)
        ((bool *)mentioned)[s->var->id] = true;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        ((bool *)mentioned)[a->acc->id] = true;
    return WALK_IN;
}

static void rename_in(const struct naming *x, struct pval **v) {
    *v = replaced_in(x->uc, *v, x->from, x->value);
}

/* Renames the variable in a list from s on. */
static void rename_from(const struct naming *x, struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        s->var = s->var == x->from ? x->to : s->var;
        for (struct pacc *a = s->accs; a != NULL; a = a->next)
            a->acc = a->acc == x->from ? x->to : a->acc;
        for (struct prange *r = s->ranges; r != NULL; r = r->next) {
            rename_in(x, &r->lo);
            rename_in(x, &r->hi);
            rename_in(x, &r->step);
        }
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            rename_in(x, values[i]);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            rename_from(x, *lists[i]);
    }
}

void set_another(struct uc *uc, struct pstmt *list, struct pvar *from, struct pvar *to) {
    to->rounds = from->rounds;
    rename_from(&(struct naming){uc, from, to, plan_read(uc, to)}, list);
}

void rename_variables(struct lower *l) {
    const struct plan_visitor mentions = {.stmt = note_set, .value = note_mention, .joined = true};
    int most = l->plan->nvars;
    for (const struct pstmt *s = l->plan->body->body; s != NULL; s = s->next)
        most += s->kind == PS_SET;
    bool *mentioned = NEWN(l->uc, bool, most + 1), *left = NEWN(l->uc, bool, most + 1);
    for (struct pstmt *s = l->plan->body->body; s != NULL; s = s->next) {
        bool anew = s->kind == PS_SET && mentioned[s->var->id] &&
                    value_walk(s->value, find_variable, s->var);
        if (anew || (s->kind == PS_SET && left[s->var->id])) {
            struct variable *own = variable_new(l, s->var->name, s->var->dtype);
            set_another(l->uc, s->next, s->var, &own->pvar);
            s->var = &own->pvar;
        }
        stmt_walk(s, &mentions, mentioned);
        if (s->kind == PS_FOR || s->kind == PS_SPREAD)
            stmt_walk(s, &(struct plan_visitor){.stmt = note_set}, left);
    }
}
