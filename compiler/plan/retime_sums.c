/* retime_sums.c: sums, and what is made of them, as statements that may each have a step of their
 * own:
 *
 *     var acc = 0
 *     sum of l[i, k] * l[j, k] for k in 0..j, in acc
 *     l[i, j] = (a[i, j] - acc) / l[j, j]
 *
 * The sum's terms may be in any order, and so in that of a loop.  Variables that are set once stand
 * for their value, and a variable that an element is stored from for that element, where it stays
 * the same: then retime_kept.c has the element in place of the sum. */
#include "apart.h"
#include "retime.h"

enum { MAX_STAND_IN = 48 }; /* nodes of a value that takes a variable's place */

/* ---- spreads as loops */

/* A condition under which a variable alone is set, as a choice of its value: see do_choices_exist.
 */
static void choose_value(struct retiming *x, struct pstmt *s) {
    struct pstmt *set = s->body;
    if (set == NULL || set->next != NULL || s->other != NULL || set->kind != PS_SET ||
        set->value->dtype != set->var->dtype)
        return;
    struct pval *choice = NEW(x->uc, struct pval);
    *choice = (struct pval){.kind = PV_SELECT, .dtype = set->var->dtype, .nargs = 3};
    choice->args[0] = s->value;
    choice->args[1] = set->value;
    choice->args[2] = plan_read(x->uc, set->var);
    *s = (struct pstmt){.kind = PS_SET, .next = s->next, .at = s->at, .var = set->var};
    s->value = choice;
    x->chooses = true;
}

static enum walk find_absent(const struct pval *v, void *arg) {
    const struct retiming *x = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (v->operand >= x->plan->noperands ||
            !is_always_within(x->c, v->args[i], x->plan->operands[v->operand].dims[i]))
            return WALK_STOP;
    return WALK_IN;
}

static enum walk find_choice(const struct pval *v, void *retiming) {
    bool exists = v->kind != PV_SELECT || value_walk(v->args[1], find_absent, retiming);
    return exists ? WALK_IN : WALK_STOP;
}

bool do_choices_exist(struct retiming *x) {
    bool exist = true;
    for (int i = 0; i < x->nleaves && x->chooses; i++)
        exist = exist && value_walk(x->leaf[i].put->value, find_choice, x);
    return exist;
}

/* Has definitions and sums of a list be loops. */
static void open_list(struct retiming *x, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        bool one = s->kind == PS_SPREAD && (s->accs == NULL || s->accs->next == NULL);
        if (one && !s->merged && s->ranges != NULL) {
            add_serial_loop(x->uc, s);
            s->serial->next = s->next;
            *at = s = s->serial;
        }
        if (s->kind == PS_FOR && s->accs == NULL)
            open_list(x, &s->body);
        if (s->kind == PS_IF)
            choose_value(x, s);
    }
}

void open_spreads(struct retiming *x) {
    open_list(x, &x->loop->body);
}

/* ---- variables that stand for a value */

struct mentions {
    const struct pvar *var;
    int n, sets;
};

static enum walk count_read(const struct pval *v, void *arg) {
    struct mentions *m = arg;
    m->n += v->kind == PV_VAR && v->var == m->var;
    return WALK_IN;
}

static enum walk count_set(const struct pstmt *s, void *arg) {
    struct mentions *m = arg;
    m->sets += s->var == m->var;
    return WALK_IN;
}

/* How often a list reads and sets a variable. */
static struct mentions mentions_of(const struct pstmt *list, const struct pvar *var) {
    struct mentions m = {.var = var};
    plan_walk(list, &(struct plan_visitor){.stmt = count_set, .value = count_read}, &m);
    return m;
}

struct stores {
    const struct pval *of; /* a value */
    bool any;
};

static enum walk find_operand(const struct pval *v, void *operand) {
    return v->kind == PV_ELEM && v->operand == *(int *)operand ? WALK_STOP : WALK_IN;
}

static enum walk find_store(const struct pstmt *s, void *arg) {
    struct stores *x = arg;
    int operand = s->operand;
    if (s->kind == PS_PUT || s->kind == PS_CLEAR)
        x->any = x->any || !value_walk(x->of, find_operand, &operand);
    return WALK_IN;
}

/* Whether a statement stores to an array that a value reads. */
static bool may_change(const struct pstmt *s, const struct pval *v) {
    struct stores x = {.of = v};
    stmt_walk(s, &(struct plan_visitor){.stmt = find_store}, &x);
    return x.any;
}

static enum walk find_written_one(const struct pval *v, void *written) {
    return v->kind == PV_VAR && ((const bool *)written)[v->var->id] ? WALK_STOP : WALK_IN;
}

/* Whether all that reads a variable, in the statements behind s, which sets it, may compute it. */
static bool stands_for_value(const struct retiming *x, const struct pstmt *s, const int *all) {
    struct mentions rest = mentions_of(s->next, s->var);
    bool *written = find_written(x->uc, x->plan, s->next);
    bool good = rest.sets == 0 && rest.n > 0 && rest.n + 1 == all[s->var->id] &&
                s->value->dtype == s->var->dtype && !is_half(s->var->rounds) &&
                !value_exceeds(s->value, MAX_STAND_IN) &&
                value_walk(s->value, find_variable, s->var) &&
                value_walk(s->value, find_written_one, written);
    for (const struct pstmt *t = s->next; good && t != NULL && rest.n > 0; t = t->next) {
        struct pstmt only = *t;
        only.next = NULL;
        rest.n -= mentions_of(&only, s->var).n;
        good = !may_change(t, s->value) || (t->kind == PS_PUT && rest.n == 0);
    }
    return good;
}

/* The next statement of a list that sets a variable, whose value reads it, and all between which
 * no other one does; NULL: there is none. */
static struct pstmt *next_set(const struct retiming *x, const struct pstmt *s) {
    struct pstmt *t = s->next;
    while (t != NULL && !(t->kind == PS_SET && t->var == s->var)) {
        struct pstmt only = *t;
        only.next = NULL;
        if (find_written(x->uc, x->plan, &only)[s->var->id])
            return NULL;
        t = t->next;
    }
    return t;
}

/* Is a variable a constant up to where it is set again? */
static bool is_set_again(const struct retiming *x, const struct pstmt *s) {
    return s->value->kind == PV_CONST && s->value->dtype == s->var->dtype && next_set(x, s) != NULL;
}

/* The statements behind s, where the constant stands for the variable. */
static struct pstmt *stand_until_set(const struct retiming *x, const struct pstmt *s) {
    struct pstmt *rest = next_set(x, s)->next;
    struct pstmt *copy = copy_statements(x->uc, s->next, rest, s->var, s->value), *last = copy;
    while (last->next != NULL)
        last = last->next;
    last->next = rest;
    return copy;
}

static int count_of(const struct pstmt *list, const struct pvar *var) {
    struct mentions m = mentions_of(list, var);
    return m.n + m.sets;
}

/* ---- variables that stand for an element */

static enum walk find_same_place(const struct pstmt *s, void *place) {
    return s->kind == PS_PUT && same_value(s->place, place) ? WALK_STOP : WALK_IN;
}

/* Whether the statements behind s, which stores a variable, may read the element instead, if only
 * other places of theirs are other elements. */
static bool stands_for_element(const struct retiming *x, const struct pstmt *s) {
    const struct pval *v = s->value, *place = s->place;
    bool plain = v->kind == PV_VAR && !s->merged && v->dtype == place->dtype &&
                 !is_half(v->dtype) && !is_complex(v->dtype) &&
                 place->operand < x->plan->noperands && x->nread < MAX_KEPT;
    if (!plain || !value_walk(place, find_variable, v->var))
        return false;
    struct mentions rest = mentions_of(s->next, v->var);
    bool *written = find_written(x->uc, x->plan, s->next);
    return rest.sets == 0 && rest.n > 0 && value_walk(place, find_written_one, written) &&
           plan_walk(s->next, &(struct plan_visitor){.stmt = find_same_place}, s->place);
}

/* ---- lists */

/* The mentions of variables, with fewer of one. */
static int *mentions_without(const struct retiming *x, const int *all, const struct pvar *var,
                             int n) {
    int *own = NEWN(x->uc, int, count_owned(x->plan) + 1);
    for (int i = 0; i < count_owned(x->plan); i++)
        own[i] = all[i];
    own[var->id] -= n;
    return own;
}

static void stand_in(struct retiming *x, struct pstmt **list, const int *all, int depth) {
    for (struct pstmt *s = *list; s != NULL; s = s->next) {
        if (s->kind == PS_FOR && s->accs == NULL)
            stand_in(x, &s->body, all, depth + 1);
        if (s->kind != PS_PUT || !stands_for_element(x, s))
            continue;
        x->read[x->nread++] = (struct read_place){s->place, depth};
        const struct pvar *var = s->value->var;
        all = mentions_without(x, all, var, mentions_of(s->next, var).n);
        s->next = copy_statements(x->uc, s->next, NULL, var, s->place);
    }
    for (struct pstmt **at = list; *at != NULL;)
        if ((*at)->kind == PS_SET && is_set_again(x, *at)) {
            const struct pvar *var = (*at)->var;
            int before = count_of(*at, var);
            *at = stand_until_set(x, *at);
            all = mentions_without(x, all, var, before - count_of(*at, var));
        } else if ((*at)->kind == PS_SET && stands_for_value(x, *at, all))
            *at = copy_statements(x->uc, (*at)->next, NULL, (*at)->var, (*at)->value);
        else
            at = &(*at)->next;
}

void stand_in_values(struct retiming *x, const int *all) {
    stand_in(x, &x->loop->body, all, 1);
}

/* ---- order */

/* Whether in the order of the source nothing stores to an element that is read in place of a
 * variable, while the element's loops are where they are. */
static bool is_read_apart(const struct retiming *x, const struct read_place *r,
                          const struct leaf *s, const struct leaf *t) {
    struct at_most known[2 * MAX_DEPTH];
    int n = 0, p = 0;
    for (int level = 0; level < r->depth; level++)
        for (int side = 0; side < 2; side++)
            known[n++] =
                (struct at_most){s->loop[level]->var, s->loop[level]->var, side, 1 - side, 0};
    while (x->c->place[p] != s->put->place)
        p++;
    for (int q = 0; q < x->c->nplaces; q++)
        if (t->places >> q & 1 && x->c->stored[q] && x->c->place[q]->operand == r->place->operand &&
            !same_value(x->c->place[q], r->place) && !never_meet(x->c, p, q, known, n))
            return false;
    return true;
}

static bool have_same_loops(const struct leaf *s, const struct leaf *t, int depth) {
    int level = 0;
    while (level < depth && level < s->depth && level < t->depth &&
           s->loop[level] == t->loop[level])
        level++;
    return level == depth;
}

bool are_read_apart(const struct retiming *x) {
    for (int i = 0; i < x->nread; i++) {
        const struct read_place *r = &x->read[i];
        bool found = false;
        for (int k = 0; k < x->nleaves; k++) {
            const struct leaf *s = &x->leaf[k];
            if (s->depth < r->depth || !same_value(s->put->place, r->place))
                continue;
            found = true;
            for (int m = 0; m < x->nleaves; m++)
                if (have_same_loops(s, &x->leaf[m], r->depth) &&
                    !is_read_apart(x, r, s, &x->leaf[m]))
                    return false;
        }
        if (!found)
            return false;
    }
    return true;
}
