/* deal_entry.c: entries of ordered loops that update bins: statements with the same subscripts, one
 * after the other, also those that conditions choose by what is in the bin. */
#include "dealer.h"

/* The kind of an entry with this update; -1: there are too many. */
static int find_kind(struct dealer *x, struct pstmt *update) {
    struct deal *d = x->d;
    for (int k = 0; k < d->nkinds; k++) {
        const struct pstmt *a = update, *b = d->update[k];
        while (a != NULL && b != NULL && a->var == b->var && same_value(a->value, b->value))
            a = a->next, b = b->next;
        if (a == NULL && b == NULL)
            return k;
    }
    if (d->nkinds == MAX_DEAL_KINDS)
        return -1;
    d->update[d->nkinds] = update;
    return d->nkinds++;
}

bool deal_close(struct dealer *x, struct deal_count *n) {
    struct deal *d = x->d;
    if (x->place == NULL)
        return true;
    const struct deal_array *a = deal_array_of(x, x->place);
    int kind = a != NULL && d->nsites < MAX_DEAL_SITES ? find_kind(x, x->update) : -1;
    struct pval *bin = kind >= 0 ? deal_key(x, x->update->at) : NULL;
    x->place = NULL;
    for (int i = 0; i < MAX_DEAL_TERMS; i++)
        x->term[i].value = NULL, x->term[i].again = false;
    if (bin == NULL)
        return false;
    struct pvar *key = plan_variable(x->uc, x->plan, "key", DT_INT64);
    const struct pval *at = deal_operate(x, OP_ADD, n->base, n->size);
    struct deal_site *site = &d->site[d->nsites++];
    *site = (struct deal_site){key, (struct pval *)at, a->group, kind, .anyway = false};
    for (int i = 0; i < d->nresults; i++) {
        site->anyway = site->anyway || (x->chosen && d->result[i].kind < 0);
        d->result[i].kind = d->result[i].kind < 0 ? kind : d->result[i].kind;
    }
    deal_emit(x, deal_set(x, key, bin, x->update->at));
    n->size = deal_operate(x, OP_ADD, n->size, plan_number(x->uc, 1));
    return true;
}

/* ---- parts */

static int part_at(struct dealer *x, int i) {
    while (x->part_of[i] != i)
        i = x->part_of[i];
    return i;
}

/* The place of a variable of an update in part_of; -1: it is a term. */
static int place_of(const struct dealer *x, const struct pvar *var) {
    for (int i = 0; i < x->d->narrays; i++)
        if (x->d->array[i].element == var)
            return i;
    for (int i = 0; i < x->d->nown; i++)
        if (x->d->own[i] == var)
            return MAX_DEAL_ARRAYS + i;
    return -1;
}

struct joining {
    struct dealer *x;
    int to;
};

static enum walk join_read(const struct pval *v, void *joining) {
    const struct joining *j = joining;
    int from = v->kind == PV_VAR ? place_of(j->x, v->var) : -1;
    if (from >= 0)
        j->x->part_of[part_at(j->x, from)] = part_at(j->x, j->to);
    return WALK_IN;
}

/* ---- the statements of an iteration */

/* Does the entry at hand set a variable? */
static bool is_own(const struct dealer *x, const struct pvar *var) {
    bool is = false;
    for (int i = 0; i < x->d->nown && !is; i++)
        is = x->d->own[i] == var && x->site[i] == x->d->nsites;
    return is;
}

/* A variable that is made of bins belongs to the entry that sets it, and no other one may read it.
 */
static enum walk find_foreign(const struct pval *v, void *dealer) {
    const struct dealer *x = dealer;
    bool foreign = v->kind == PV_VAR && x->depends[v->var->id] && !is_own(x, v->var);
    return foreign ? WALK_STOP : WALK_IN;
}

static bool may_read(const struct dealer *x, const struct pval *v) {
    return value_walk(v, find_foreign, (void *)x);
}

static bool own_variable(struct dealer *x, const struct pvar *var) {
    struct deal *d = x->d;
    for (int i = 0; i < d->nown; i++)
        if (d->own[i] == var)
            return x->site[i] == d->nsites;
    if (d->nown == MAX_DEAL_OWN)
        return false;
    x->part_of[MAX_DEAL_ARRAYS + d->nown] = MAX_DEAL_ARRAYS + d->nown;
    x->site[d->nown] = d->nsites;
    d->own[d->nown++] = var;
    return true;
}

/* ---- the entry at hand */

struct looking {
    struct dealer *x;
    const struct pval *place; /* the first bin of a value */
};

static enum walk find_place(const struct pval *v, void *looking) {
    struct looking *l = looking;
    if (v->kind != PV_ELEM || !deal_is_target(l->x, v->operand))
        return WALK_IN;
    l->place = v;
    return WALK_STOP;
}

/* The first bin of a statement itself; NULL: it has none. */
static const struct pval *place_in(struct dealer *x, const struct pstmt *s) {
    struct looking l = {x, s->kind == PS_PUT && deal_is_target(x, s->operand) ? s->place : NULL};
    if (l.place == NULL && s->kind != PS_FOR)
        value_walk(s->value, find_place, &l);
    return l.place;
}

/* The first bin of a list; *chosen: conditions decide whether it is accessed. */
static const struct pval *place_ahead(struct dealer *x, const struct pstmt *list, bool *chosen) {
    const struct pval *place = NULL;
    for (const struct pstmt *s = list; s != NULL && place == NULL; s = s->next) {
        place = place_in(x, s);
        if (place != NULL || s->kind != PS_IF)
            continue;
        place = place_ahead(x, s->body, chosen);
        place = place != NULL ? place : place_ahead(x, s->other, chosen);
        *chosen = place != NULL;
    }
    return place;
}

/* Has the entry at hand be that of a statement, which ends the one before if it is another. */
static bool open_entry(struct dealer *x, const struct pstmt *s, struct deal_count *n) {
    bool chosen = false;
    const struct pval *place = place_in(x, s);
    bool may_begin = x->place == NULL || deal_is_free(x, s->value);
    if (place == NULL && x->given == NULL && may_begin)
        place = place_ahead(x, s, &chosen);
    if (place == NULL || deal_is_at_hand(x, place))
        return x->place != NULL;
    if (x->given != NULL || !deal_close(x, n))
        return false;
    for (int i = 0; i < place->nargs; i++)
        if (!deal_is_free(x, place->args[i]))
            return false;
    x->place = place;
    x->chosen = chosen;
    x->update = NULL;
    x->update_end = &x->update;
    return true;
}

static void add_assignment(struct dealer *x, struct pvar *var, struct pval *v, struct span at) {
    struct joining j = {x, place_of(x, var)};
    value_walk(v, join_read, &j);
    *x->update_end = deal_set(x, var, v, at);
    x->update_end = &(*x->update_end)->next;
}

/* ---- statements */

static struct pval *choose(struct dealer *x, const struct pval *c, const struct pval *yes,
                           const struct pval *no) {
    struct pval *v = NEW(x->uc, struct pval);
    *v = (struct pval){.kind = PV_SELECT, .dtype = yes->dtype, .nargs = 3};
    v->args[0] = (struct pval *)c;
    v->args[1] = (struct pval *)yes;
    v->args[2] = (struct pval *)no;
    return v;
}

/* Has a result's value be of the part of those that the entry at hand stores to the operand before,
 * since parts do so in any order. */
static void join_stores(struct dealer *x, int operand, const struct pvar *var) {
    for (int i = 0; i < x->d->nresults; i++) {
        const struct deal_result *r = &x->d->result[i];
        if (r->place->operand == operand)
            x->part_of[part_at(x, place_of(x, r->value))] = part_at(x, place_of(x, var));
    }
}

/* A PS_PUT of what is the iteration's own, by a variable of the entry at hand. */
static bool add_result(struct dealer *x, const struct pstmt *s) {
    const struct pval *all = deal_widened(x, s->value);
    struct pval *v = deal_updated(x, all, s->at);
    struct pvar *var = plan_variable(x->uc, x->plan, "result", all->dtype);
    if (v == NULL || v->dtype != var->dtype || !own_variable(x, var))
        return false;
    add_assignment(x, var, v, s->at);
    struct joining with_condition = {x, place_of(x, var)};
    value_walk(x->given, join_read, &with_condition);
    join_stores(x, s->operand, var);
    return deal_add_result(x, s->place, var, s->at);
}

/* Has the entry at hand set a variable to v, if `given` is so; what it has else is kept. */
static void assign(struct dealer *x, struct pvar *var, struct pval *v, struct span at) {
    if (x->given != NULL)
        v = choose(x, x->given, v, plan_read(x->uc, var));
    add_assignment(x, var, v, at);
}

/* A PS_PUT of a complex number to the bin: what the imaginary part is made of must not be the new
 * real one. */
static bool put_complex(struct dealer *x, const struct pstmt *s, const struct deal_array *a) {
    struct pval *v[2];
    for (int i = 0; i < 2; i++)
        if (s->value->kind != PV_PACK || (v[i] = deal_updated(x, s->value->args[i], s->at)) == NULL)
            return false;
    if (!value_walk(v[1], find_variable, a->element)) {
        struct pvar *real = plan_variable(x->uc, x->plan, "real", v[0]->dtype);
        if (!own_variable(x, real))
            return false;
        add_assignment(x, real, v[0], s->at);
        v[0] = plan_read(x->uc, real);
        assign(x, a[1].element, v[1], s->at);
        assign(x, a->element, v[0], s->at);
        return true;
    }
    assign(x, a->element, v[0], s->at);
    assign(x, a[1].element, v[1], s->at);
    return true;
}

bool deal_add_update(struct dealer *x, const struct pstmt *s, struct deal_count *n) {
    if (!open_entry(x, s, n) || !may_read(x, s->value))
        return false;
    if (s->kind == PS_PUT && !deal_is_target(x, s->operand))
        return add_result(x, s);
    const struct deal_array *a = s->kind == PS_PUT ? deal_array_of(x, s->place) : NULL;
    if (a != NULL && is_complex(s->place->dtype))
        return put_complex(x, s, a);
    struct pval *v = deal_updated(x, deal_widened(x, s->value), s->at);
    bool set = a != NULL || is_own(x, s->var); /* else nothing reads what it has been */
    if (v == NULL || (s->kind == PS_PUT ? a == NULL : !own_variable(x, s->var)))
        return false;
    struct pvar *var = a != NULL ? a->element : s->var;
    if (set)
        assign(x, var, v, s->at);
    else
        add_assignment(x, var, v, s->at);
    return true;
}

/* A variable of the entry at hand that has a condition; NULL: it cannot have one. */
static struct pval *add_condition(struct dealer *x, struct pval *v, struct span at) {
    struct pvar *var = plan_variable(x->uc, x->plan, "chosen", DT_BOOL);
    if (!own_variable(x, var))
        return NULL;
    add_assignment(x, var, v, at);
    return plan_read(x->uc, var);
}

/* Does a statement set variables that are made of bins, and that others read? */
static bool sets_for_others(struct dealer *x, const struct pstmt *s) {
    const int *body = count_mentions(x->uc, x->plan, s->body);
    const int *other = count_mentions(x->uc, x->plan, s->other);
    const bool *in_body = find_written(x->uc, x->plan, s->body);
    const bool *in_other = find_written(x->uc, x->plan, s->other);
    bool any = false;
    for (int i = 0; i < x->nvars && !any; i++)
        any = x->depends[i] && (in_body[i] || in_other[i]) && body[i] + other[i] < x->mentions[i];
    return any;
}

bool deal_chooses(struct dealer *x, const struct pstmt *s) {
    return s->kind == PS_IF && (!deal_is_free(x, s->value) || sets_for_others(x, s));
}

/* Adds a list whose statements do what they do where `given` is so. */
static bool add_given(struct dealer *x, const struct pstmt *list, const struct pval *given,
                      struct deal_count *n) {
    const struct pval *around = x->given;
    bool adds = given != NULL;
    x->given = given;
    for (const struct pstmt *s = list; s != NULL && adds; s = s->next)
        adds = s->kind == PS_IF                         ? deal_add_choice(x, s, n)
               : s->kind == PS_SET || s->kind == PS_PUT ? deal_add_update(x, s, n)
                                                        : false;
    x->given = around;
    return adds;
}

bool deal_add_choice(struct dealer *x, const struct pstmt *s, struct deal_count *n) {
    if (!open_entry(x, s, n) || !may_read(x, s->value))
        return false;
    const struct pval *around = x->given;
    struct pval *v = deal_updated(x, s->value, s->at);
    if (v != NULL && around != NULL)
        v = deal_logic(x, OP_LAND, around, v);
    const struct pval *is = v != NULL ? add_condition(x, v, s->at) : NULL, *is_not = NULL;
    if (is != NULL && s->other != NULL) {
        v = deal_logic(x, OP_LNOT, is, NULL);
        is_not = add_condition(x, around != NULL ? deal_logic(x, OP_LAND, around, v) : v, s->at);
    }
    return (s->body == NULL || add_given(x, s->body, is, n)) &&
           (s->other == NULL || add_given(x, s->other, is_not, n)) && is != NULL;
}

/* Numbers the parts of the arrays. */
void deal_number_parts(struct dealer *x) {
    struct deal *d = x->d;
    for (int i = 0; i < d->narrays; i++) {
        int first = 0;
        while (part_at(x, first) != part_at(x, i))
            first++;
        d->array[i].part = first == i ? d->nparts++ : d->array[first].part;
    }
    for (int k = 0; k < d->nown; k++)
        for (int i = 0; i < d->narrays; i++)
            if (part_at(x, i) == part_at(x, MAX_DEAL_ARRAYS + k))
                d->own_part[k] = d->array[i].part;
}
