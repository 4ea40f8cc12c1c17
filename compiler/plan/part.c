/* part.c: ordered loops that store elements and take totals of them, as two loops, each of which
 * threads may share:
 *
 *     for i in 0..n { d[i] = min(d[i], x[i]); if d[i] > most { most = d[i]; at = i } }
 *
 *     for i in 0..n { d[i] = min(d[i], x[i]) }
 *     for i in 0..n { if d[i] > most { most = d[i]; at = i } }
 *
 * The second one computes variables of the first one again, or reads what they were stored to.
 * Loops in one another, each of which is all of the one around, become two such nests. */
#include "apart.h"
#include "total.h"

enum { MOST_BEFORE = 32 }; /* statements that store, or set what is stored */

struct parting {
    const struct pstmt *list, *rest; /* the loop's statements; the first one that has a total */
    bool *needed;                    /* by variable: the second loop is to set it */
};

static enum walk find_total(const struct pstmt *s, void *totals) {
    const struct totals *t = totals;
    for (int i = 0; i < t->n; i++)
        if (s->var == t->total[i].var || !stmt_values(s, find_variable, t->total[i].var))
            return WALK_STOP;
    return WALK_IN;
}

/* The first statement of a list that has a total, from which on nothing is stored; NULL: there is
 * none. */
static const struct pstmt *find_rest(const struct pstmt *list, struct totals *t) {
    const struct plan_visitor total = {.stmt = find_total};
    while (list != NULL && stmt_walk(list, &total, t))
        list = list->next;
    return has_store(list) ? NULL : list;
}

/* ---- what the second loop needs of the first one */

static enum walk need_variable(const struct pval *v, void *parting) {
    const struct parting *x = parting;
    if (v->kind == PV_VAR)
        x->needed[v->var->id] = true;
    return WALK_IN;
}

/* How often statements store to an array, and set a variable. */
struct tally {
    int operand;
    const struct pvar *var; /* NULL: none is counted */
    int puts, sets;
};

static enum walk add_to_tally(const struct pstmt *s, void *tally) {
    struct tally *t = tally;
    t->puts += s->kind == PS_PUT && s->operand == t->operand;
    t->sets += t->var != NULL && s->var == t->var;
    return WALK_IN;
}

static struct tally tally_of(const struct parting *x, int operand, const struct pvar *var) {
    struct tally t = {.operand = operand, .var = var};
    for (const struct pstmt *s = x->list; s != x->rest; s = s->next)
        stmt_walk(s, &(struct plan_visitor){.stmt = add_to_tally}, &t);
    return t;
}

/* Stops at an element of an array that the first loop stores to. */
static enum walk find_stored(const struct pval *v, void *parting) {
    return v->kind == PV_ELEM && tally_of(parting, v->operand, NULL).puts > 0 ? WALK_STOP : WALK_IN;
}

struct setter {
    const struct pstmt *from, *end;
};

/* Stops at a variable that a list up to its end sets. */
static enum walk find_set(const struct pval *v, void *setter) {
    const struct setter *x = setter;
    struct tally t = {.operand = -1, .var = v->kind == PV_VAR ? v->var : NULL};
    for (const struct pstmt *s = x->from; t.var != NULL && s != x->end; s = s->next)
        stmt_walk(s, &(struct plan_visitor){.stmt = add_to_tally}, &t);
    return t.sets > 0 ? WALK_STOP : WALK_IN;
}

/* Where a variable that s sets is stored to, if that is all that is stored to the array, at a place
 * that is known where s is; NULL: nowhere. */
static const struct pstmt *stored_to(const struct parting *x, const struct pstmt *s) {
    const struct pstmt *put = s;
    const struct pvar *var = s->var;
    while (put != x->rest &&
           (put->kind != PS_PUT || put->value->kind != PV_VAR || put->value->var != var))
        put = put->next;
    bool alone = put != x->rest && tally_of(x, put->operand, NULL).puts == 1 && !put->merged;
    alone = alone && put->place->dtype == var->dtype && !is_half(var->rounds);
    return alone && value_walk(put->place, find_set, &(struct setter){s, put}) ? put : NULL;
}

static enum walk find_needed_set(const struct pstmt *s, void *parting) {
    const struct parting *x = parting;
    return s->var != NULL && x->needed[s->var->id] ? WALK_STOP : WALK_IN;
}

/* Does a conditional, or a loop, set no variable that is needed? */
static bool is_left_out(struct parting *x, const struct pstmt *s) {
    return (s->kind == PS_IF || s->kind == PS_FOR) &&
           stmt_walk(s, &(struct plan_visitor){.stmt = find_needed_set}, x);
}

/* Makes the statements, in their order, that set what the second loop needs.  False: it would need
 * more. */
static bool find_needed(struct uc *uc, struct parting *x, struct pstmt **first) {
    const struct pstmt *before[MOST_BEFORE];
    int n = 0;
    for (const struct pstmt *s = x->list; s != x->rest; s = s->next) {
        if (n == MOST_BEFORE)
            return false;
        before[n++] = s;
    }
    plan_walk((struct pstmt *)x->rest, &(struct plan_visitor){.value = need_variable}, x);
    while (n-- > 0) {
        const struct pstmt *s = before[n], *put;
        if (s->kind == PS_PUT || is_left_out(x, s) || (s->kind == PS_SET && !x->needed[s->var->id]))
            continue;
        if (s->kind != PS_SET || tally_of(x, -1, s->var).sets > 1)
            return false;
        put = stored_to(x, s);
        if (put == NULL && !value_walk(s->value, find_stored, x))
            return false;
        struct pstmt *own = NEW(uc, struct pstmt);
        *own = *s;
        own->value = put != NULL ? put->place : s->value;
        own->next = *first;
        *first = own;
        for (int i = 0; put != NULL && i < put->place->nargs; i++)
            if (!value_walk(put->place->args[i], find_stored, x))
                return false;
        value_walk(own->value, need_variable, x);
    }
    return true;
}

/* ---- totals ahead of what is stored */

/* What iterations store, in variables in its place. */
struct stored {
    const struct pval *place[MOST_BEFORE];
    struct pvar *var[MOST_BEFORE];
    int n;
};

/* Has an element that was the last one of its array to be stored be the variable; stops at others
 * of the array. */
static enum walk read_stored(const struct pval *v, void *kept) {
    const struct stored *k = kept;
    int i = v->kind == PV_ELEM ? k->n : 0;
    while (i-- > 0 && v->operand != k->place[i]->operand)
        ;
    if (i < 0)
        return WALK_IN;
    if (!same_value(v, k->place[i]))
        return WALK_STOP;
    *(struct pval *)(uintptr_t)v =
        (struct pval){.kind = PV_VAR, .dtype = v->dtype, .var = k->var[i]};
    return WALK_PAST;
}

/* What a loop does without storing: what it stores is in variables, and read there.
 * NULL: it does more. */
static struct pstmt *without_stores(struct lower *l, const struct pstmt *loop) {
    bool *written = find_written(l->uc, l->plan, loop->body);
    struct pstmt *list = copy_statements(l->uc, loop->body, NULL, NULL, NULL);
    struct stored kept = {.n = 0};
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        const struct pval *place = s->place;
        bool known = s->kind == PS_PUT
                         ? value_walk(s->value, read_stored, &kept)
                         : !has_store(s->body) && !has_store(s->other) &&
                               stmt_walk(s, &(struct plan_visitor){.value = read_stored}, &kept);
        if (!known)
            return NULL;
        if (s->kind != PS_PUT)
            continue;
        if (kept.n == MOST_BEFORE || s->merged || place->checked != 0 || is_half(place->dtype) ||
            s->value->dtype != place->dtype)
            return NULL;
        for (int i = 0; i < place->nargs; i++)
            if (!value_walk(place->args[i], find_set_or_element, written))
                return NULL;
        struct pvar *var = &variable_new(l, "stored", place->dtype)->pvar;
        kept.place[kept.n] = place;
        kept.var[kept.n++] = var;
        *s = (struct pstmt){
            .kind = PS_SET, .at = s->at, .var = var, .value = s->value, .next = s->next};
    }
    return list;
}

/* ---- the loops */

/* A copy of a loop with another body, whose totals are not its own variables. */
static struct pstmt *copy_with_body(struct lower *l, const struct totals *t,
                                    const struct pstmt *loop, struct pstmt *body) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    for (int i = 0; i < t->n; i++)
        c.vars[t->total[i].var->id] = t->total[i].var;
    struct pstmt shell = *loop;
    shell.body = body;
    return copy_stmt(&c, &shell);
}

static void cut_at(struct pstmt **list, const struct pstmt *rest) {
    while (*list != rest)
        list = &(*list)->next;
    *list = NULL;
}

/* Makes a loop that takes the totals, and one behind it that stores: what totals are of is there
 * before it is stored to, as in
 *
 *     for i in 0..n { let old = x[i]; x[i] = b[i] - q[i]; e = max(e, abs(x[i] - old)) } */
static bool part_ahead(struct lower *l, const struct totals *t, struct pstmt **at,
                       const struct pstmt *rest) {
    struct pstmt *loop = *at, *list = without_stores(l, loop);
    if (list == NULL)
        return false;
    *at = copy_with_body(l, t, loop, list);
    (*at)->next = loop;
    cut_at(&loop->body, rest);
    return true;
}

/* The same of loops in one another, each of which is all of the one around. */
static bool part_nest(const struct sharer *x, struct lower *l, const struct totals *t,
                      struct pstmt **at) {
    struct pstmt *loop = *at;
    const struct enclosing own = {loop, x->around};
    struct sharer inside = *x;
    inside.around = &own;
    if (!part_totals(&inside, l, &loop->body))
        return false;
    struct pstmt *second = copy_with_body(l, t, loop, loop->body->next);
    loop->body->next = NULL;
    second->next = loop->next;
    loop->next = second;
    return true;
}

bool part_totals(const struct sharer *x, struct lower *l, struct pstmt **at) {
    struct pstmt *loop = *at, *needed = NULL;
    struct totals t = {.l = l};
    int nvars = l->plan->nvars;
    bool *written = find_written(x->uc, x->plan, loop->body);
    if (!has_store(loop->body) || !find_totals_beside(x, &t, loop, written) ||
        !are_others_apart(x, loop, written))
        return false;
    const struct pstmt *in = loop->body;
    if (in->kind == PS_FOR && in->accs == NULL && in->next == NULL)
        return part_nest(x, l, &t, at);
    struct parting parting = {loop->body, find_rest(loop->body, &t), NEWN(l->uc, bool, nvars + 1)};
    if (parting.rest == NULL || parting.rest == parting.list)
        return false;
    if (!find_needed(l->uc, &parting, &needed))
        return part_ahead(l, &t, at, parting.rest);
    struct pstmt **end = &needed;
    while (*end != NULL)
        end = &(*end)->next;
    *end = (struct pstmt *)(uintptr_t)parting.rest;
    struct pstmt *second = copy_with_body(l, &t, loop, needed);
    cut_at(&loop->body, parting.rest);
    second->next = loop->next;
    loop->next = second;
    return true;
}

/* Finds the variables that a loop goes on with, and takes them off `written`.  False: there are
 * none, or too many. */
static bool find_carried(const struct sharer *x, struct totals *t, const struct pstmt *loop,
                         bool *written) {
    const int *within = count_mentions(x->uc, x->plan, loop->body);
    for (struct pvar *v = x->plan->vars; v != NULL; v = v->next) {
        if (!written[v->id] || within[v->id] == x->mentions[v->id])
            continue;
        if (t->n == MAX_TOTALS)
            return false;
        t->total[t->n++] = (struct total){.var = v};
        written[v->id] = false;
    }
    return t->n > 0;
}

struct pstmt *sums_ahead(const struct sharer *x, struct lower *l, const struct pstmt *loop) {
    struct totals t = {.l = l};
    bool *written = find_written(x->uc, x->plan, loop->body);
    if (loop->accs != NULL || !has_store(loop->body) || has_loop(loop->body) ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_jump}, NULL) ||
        !find_carried(x, &t, loop, written) || !are_others_apart(x, loop, written))
        return NULL;
    const struct pstmt *rest = find_rest(loop->body, &t);
    struct pstmt *list = rest != NULL && rest != loop->body ? without_stores(l, loop) : NULL;
    if (list == NULL)
        return NULL;
    struct pstmt *first = copy_with_body(l, &t, loop, list);
    list = copy_statements(x->uc, loop->body, rest, NULL, NULL);
    first->next = copy_with_body(l, &t, loop, list);
    return first;
}
