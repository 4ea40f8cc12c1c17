/* choice.c: conditions of ordered loops that compare elements which they store to, made plain, as
 * winner.c and deal_entry.c have them:
 *
 *     let cur = s[k]; if a and x > cur { let b = k; s[b] = x; at[b] = i }
 *     if a { if x > s[k] { s[k] = x; at[k] = i } }
 *
 *     s[k] = x if x > s[k] else s[k]
 *     if x > s[k] { s[k] = x }
 *
 * and those that compare a variable which they set, as total.c has them. */
#include "plan.h"

enum {
    LONG_LIST = 128, /* statements, each of which looks through the others */
    MOST_COPIED = 16 /* parts of a value that stands in several places, which grow in a chain */
};

struct chooser {
    struct uc *uc;
    const struct plan *plan;
    int *mentions; /* count_mentions of the body, as it changes */
};

static bool is_var(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

static bool is_set(const struct pstmt *list) {
    return list != NULL && list->kind == PS_SET && list->next == NULL;
}

static enum walk find_stored(const struct pval *v, void *list) {
    const struct pstmt *s = v->kind == PV_ELEM ? list : NULL;
    while (s != NULL && (s->kind != PS_PUT || s->operand != v->operand))
        s = s->next;
    return s != NULL ? WALK_STOP : WALK_IN;
}

/* Does v read an array that a list, but for what is within its statements, stores to? */
static bool reads_stored(const struct pval *v, const struct pstmt *list) {
    return !value_walk(v, find_stored, (void *)list);
}

/* May v stand in the place of the variable that s sets to it? */
static bool may_stand(const struct pstmt *s) {
    return s->value->dtype == s->var->dtype && !is_half(s->var->rounds) && s->var->imag == NULL;
}

/* ---- variables */

/* Does a list set variables and store, and nothing else? */
static bool stores_plainly(const struct pstmt *list) {
    while (list != NULL && (list->kind == PS_SET || list->kind == PS_PUT))
        list = list->next;
    return list == NULL;
}

/* The same, and store nothing? */
static bool sets_alone(const struct pstmt *list) {
    while (list != NULL && list->kind == PS_SET)
        list = list->next;
    return list == NULL;
}

/* Does a list from s on, of statements that only set variables and store, also by conditions, set a
 * variable? */
static bool sets(const struct pstmt *s, const struct pstmt *end, const struct pvar *var) {
    while (s != end && s->var != var &&
           !(s->kind == PS_IF && (sets(s->body, NULL, var) || sets(s->other, NULL, var))))
        s = s->next;
    return s != end;
}

struct setter {
    const struct pstmt *from, *end;
};

static enum walk find_changed(const struct pval *v, void *setter) {
    const struct setter *x = setter;
    return v->kind == PV_VAR && sets(x->from, x->end, v->var) ? WALK_STOP : WALK_IN;
}

/* Is v the same behind what is set up to `end`? */
static bool stays(const struct pval *v, const struct pstmt *from, const struct pstmt *end) {
    return value_walk(v, find_changed, &(struct setter){from, end});
}

/* ---- both of two conditions */

/* Does a condition decide what it compares with: elements that a list stores to, or a variable of
 * one that only sets such? */
static bool decides(const struct pval *condition, const struct pstmt *list) {
    return reads_stored(condition, list) || (sets_alone(list) && !stays(condition, list, NULL));
}

/* Is a condition one of two that a list asks, `v = first; if not v { v = second }`, of which the
 * second one decides? */
static bool decides_either(const struct pval *condition, const struct pstmt *list,
                           const struct pstmt *body) {
    while (list != NULL && !(list->kind == PS_SET && is_var(condition, list->var)))
        list = list->next;
    const struct pstmt *rest = list != NULL ? list->next : NULL;
    return rest != NULL && rest->kind == PS_IF && is_set(rest->body) &&
           rest->body->var == list->var && decides(rest->body->value, body);
}

/* Makes a condition within another one of one that asks for both: s sets a variable to the first
 * one, and the statement behind it to the second one where that holds. */
static bool part_conditions(struct chooser *x, struct pstmt *s) {
    enum { SET_TWICE_AND_ASKED_TWICE = 4 };
    struct pstmt *second = s->next, *both = second != NULL ? second->next : NULL;
    if (s->kind != PS_SET || both == NULL || second->kind != PS_IF || both->kind != PS_IF ||
        second->other != NULL || both->other != NULL || !is_var(second->value, s->var) ||
        !is_var(both->value, s->var))
        return false;
    struct pstmt *last = second->body;
    while (last != NULL && last->var != s->var &&
           (last->kind == PS_SET ||
            (last->kind == PS_IF && sets_alone(last->body) && sets_alone(last->other))))
        last = last->next;
    if (!is_set(last) || last->var != s->var ||
        !(decides(last->value, both->body) ||
          decides_either(last->value, second->body, both->body)) ||
        x->mentions[s->var->id] != SET_TWICE_AND_ASKED_TWICE)
        return false;
    x->mentions[s->var->id] = 0;
    *last = (struct pstmt){.kind = PS_IF, .at = both->at, .value = last->value, .body = both->body};
    *s = (struct pstmt){
        .kind = PS_IF, .at = s->at, .value = s->value, .body = second->body, .next = both->next};
    return true;
}

static bool compares(const struct pval *v, const struct pstmt *list) {
    return v->kind == PV_OP && (v->op == OP_LT || v->op == OP_GT) && decides(v, list);
}

/* The same where the condition is one value. */
static void nest_conditions(const struct chooser *x, struct pstmt *s) {
    struct pval *v = s->value;
    if (s->kind != PS_IF || s->other != NULL || v->kind != PV_OP || v->op != OP_LAND)
        return;
    bool first = compares(v->args[0], s->body), second = compares(v->args[1], s->body);
    if (first == second || (first && !value_walk(v->args[1], find_any_element, NULL)))
        return;
    struct pstmt *inner = NEW(x->uc, struct pstmt);
    *inner = (struct pstmt){
        .kind = PS_IF, .at = s->at, .value = v->args[second ? 1 : 0], .body = s->body};
    s->value = v->args[second ? 0 : 1];
    s->body = inner;
}

/* ---- choices of values */

struct reading {
    const struct pstmt *run, *end;
};

static enum walk find_read(const struct pval *v, void *reading) {
    const struct reading *r = reading;
    bool reads = v->kind == PV_ELEM;
    for (const struct pstmt *s = r->run; s != r->end && v->kind == PV_VAR; s = s->next)
        reads = reads || (s->kind == PS_SET && s->var == v->var &&
                          !value_walk(s->value, find_read, &(struct reading){0}));
    return reads ? WALK_STOP : WALK_IN;
}

/* Is a place a bin's, by an element that its subscripts read, or a variable set just before? */
static bool is_bin(const struct pval *place, const struct pstmt *run, const struct pstmt *end) {
    bool is = false;
    for (int i = 0; i < place->nargs; i++)
        is = is || !value_walk(place->args[i], find_read, &(struct reading){run, end});
    return is;
}

/* Has s store nothing where it would store what is there: the value that it chooses otherwise.
 * Variables are set from `run` on. */
static void store_chosen(struct chooser *x, const struct pstmt *run, struct pstmt *s) {
    enum { SET_TWICE_AND_STORED = 3 };
    struct pstmt *put = s, *next = s->next;
    struct pval *c = s->value, *yes = NULL, *no = NULL;
    if (s->kind == PS_PUT && c->kind == PV_SELECT) {
        yes = c->args[1], no = c->args[2], c = c->args[0];
    } else if (s->kind == PS_IF && is_set(s->body) && is_set(s->other) &&
               s->body->var == s->other->var && may_stand(s->body) && may_stand(s->other) &&
               next != NULL && next->kind == PS_PUT && is_var(next->value, s->body->var) &&
               x->mentions[s->body->var->id] == SET_TWICE_AND_STORED) {
        put = next, yes = s->body->value, no = s->other->value;
    }
    if (no == NULL || !is_float(yes->dtype) || !same_value(no, put->place) ||
        !is_bin(put->place, run, s))
        return;
    struct pstmt *only = NEW(x->uc, struct pstmt);
    *only = *put;
    only->value = yes;
    only->next = NULL;
    if (!reads_stored(c, only))
        return;
    value_walk(no, take_mention, x->mentions);
    if (put != s)
        x->mentions[s->body->var->id] = 0;
    *s = (struct pstmt){.kind = PS_IF, .at = s->at, .value = c, .body = only, .next = put->next};
}

/* ---- variables that are read once */

/* Replaces a variable in the first statement of a list that reads it, where it is the same; what
 * else is done before only sets variables.  Whether it was there. */
static bool read_later(struct chooser *x, const struct pstmt *set, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (!value_walk(s->value, find_variable, set->var) ||
            (s->kind == PS_PUT && !value_walk(s->place, find_variable, set->var))) {
            s->value = replaced_in(x->uc, s->value, set->var, set->value);
            s->place = replaced_in(x->uc, s->place, set->var, set->value);
            return true;
        }
        if (s->kind == PS_IF && s->other == NULL && read_later(x, set, s->body))
            return true;
        if (!(s->kind == PS_SET ||
              (s->kind == PS_IF && sets_alone(s->body) && sets_alone(s->other))) ||
            !stays(set->value, s, s->next))
            return false;
    }
    return false;
}

static enum walk note_stored(const struct pstmt *s, void *stored) {
    if (s->kind == PS_PUT && s->operand < UFC_MAX_OPERANDS)
        *(uint32_t *)stored |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

/* The bins of a list: elements of operands that it stores to, a bit each. */
struct bins {
    const struct pstmt *list, *end;
    uint32_t stored;
};

static enum walk find_bin(const struct pval *v, void *bins) {
    const struct bins *b = bins;
    bool stored =
        v->kind == PV_ELEM && v->operand < UFC_MAX_OPERANDS && (b->stored >> v->operand & 1) != 0;
    return stored && is_bin(v, b->list, b->end) ? WALK_STOP : WALK_IN;
}

/* Has what is read once of bins, behind statements that only set variables, be read where it is
 * used, and so all that a choice is made of.  Whether *at is left out. */
static bool read_at_use(struct chooser *x, struct bins *b, struct pstmt **at) {
    enum { SET_AND_READ = 2 };
    struct pstmt *set = *at, *user = set;
    while (user != NULL && user->kind == PS_SET)
        user = user->next;
    bool chosen = user != NULL && user->kind == PS_PUT && user->value->kind == PV_SELECT &&
                  is_bin(user->place, b->list, user);
    b->end = set;
    if (set->kind != PS_SET || !may_stand(set) ||
        (!chosen && value_walk(set->value, find_bin, b)) ||
        x->mentions[set->var->id] != SET_AND_READ || !read_later(x, set, set->next))
        return false;
    *at = set->next;
    x->mentions[set->var->id] = 0;
    return true;
}

static enum walk count_part(const struct pval *v, void *parts) {
    (void)v;
    return ++*(int *)parts <= MOST_COPIED ? WALK_IN : WALK_STOP;
}

/* May what s sets a variable to stand wherever that is read? */
static bool may_be_copied(const struct chooser *x, const struct pstmt *s) {
    enum { SET_AND_READ = 2 };
    int parts = 0;
    return x->mentions[s->var->id] <= SET_AND_READ || value_walk(s->value, count_part, &parts);
}

/* Has what a condition decides about be made of no variables that are set there, for nothing else.
 */
static void take_asides(struct chooser *x, struct pstmt *s) {
    for (struct pstmt **at = &s->body; *at != NULL;) {
        struct pstmt *set = *at;
        bool alone = set->kind == PS_SET && may_stand(set) && !reads_stored(set->value, s->body) &&
                     may_be_copied(x, set) && !sets(s->body, set, set->var) &&
                     !sets(set->next, NULL, set->var) && stays(set->value, set->next, NULL);
        if (!alone ||
            count_mentions(x->uc, x->plan, s->body)[set->var->id] != x->mentions[set->var->id]) {
            at = &set->next;
            continue;
        }
        for (struct pstmt *t = set->next; t != NULL; t = t->next) {
            stmt_values(t, take_mention, x->mentions);
            t->value = replaced_in(x->uc, t->value, set->var, set->value);
            t->place = replaced_in(x->uc, t->place, set->var, set->value);
            stmt_values(t, add_mention, x->mentions);
        }
        value_walk(set->value, take_mention, x->mentions);
        x->mentions[set->var->id] = 0;
        *at = set->next;
    }
}

/* ---- lists */

static bool is_short(const struct pstmt *list) {
    int n = 0;
    for (; list != NULL && n <= LONG_LIST; list = list->next)
        n++;
    return n <= LONG_LIST;
}

static void choose_in_list(struct chooser *x, struct pstmt **list) {
    bool look = is_short(*list);
    struct bins b = {.list = NULL};
    if (look)
        plan_walk(*list, &(struct plan_visitor){.stmt = note_stored}, &b.stored);
    for (struct pstmt **at = list; b.stored != 0 && *at != NULL;) {
        b.list = *list;
        if (!read_at_use(x, &b, at))
            at = &(*at)->next;
    }
    for (struct pstmt *s = *list; s != NULL; s = s->next) {
        while (look && part_conditions(x, s))
            ;
        if (look)
            nest_conditions(x, s);
        if (look)
            store_chosen(x, *list, s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            choose_in_list(x, lists[i]);
        if (s->kind == PS_IF && s->other == NULL && stores_plainly(s->body) && is_short(s->body) &&
            reads_stored(s->value, s->body))
            take_asides(x, s);
    }
}

void choose_plainly(struct uc *uc, struct plan *p) {
    struct chooser x = {uc, p, count_mentions(uc, p, p->body)};
    choose_in_list(&x, &p->body);
}
