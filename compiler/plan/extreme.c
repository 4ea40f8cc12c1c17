/* extreme.c: whole numbers of which a comparison stores the greater or the smaller one, as `max`
 * and `min`, which threads may merge into bins, elements that other elements tell, and take as
 * totals of a loop, all iterations of which store the same element.
 *
 *     if x > s[k] { s[k] = x }        s[k] = x if x > s[k] else s[k]
 *
 * Variables that are set just before are read through, and left out where nothing reads them any
 * more.  Floating-point numbers stay as they are: functions have NaN where comparisons are false.
 */
#include "plan.h"

enum { MANY_PARTS = 4096 }; /* of values that are read through, which chains of variables double */

struct finder {
    struct uc *uc;
    const struct plan *plan;
    const struct pstmt *loop; /* the innermost one around; NULL: there is none */
    int *mentions;            /* count_mentions of the body; NULL: nobody has asked */
    int parts;                /* of the values that have been read through for a statement */
};

/* A value as the statements from `run` up to `end`, which only set variables, find it; any, if it
 * has too many parts. */
static const struct pval *read_through(struct finder *x, const struct pval *v,
                                       const struct pstmt *run, const struct pstmt *end) {
    const struct pstmt *last = NULL;
    for (const struct pstmt *s = run; v->kind == PV_VAR && s != end; s = s->next)
        last = s->var == v->var ? s : last;
    if (last != NULL)
        return last->value->dtype == v->dtype ? read_through(x, last->value, run, last) : v;
    if (v->nargs == 0 || ++x->parts > MANY_PARTS)
        return v;
    struct pval *copy = NEW(x->uc, struct pval);
    *copy = *v;
    for (int i = 0; i < v->nargs; i++)
        copy->args[i] = (struct pval *)read_through(x, v->args[i], run, end);
    return copy;
}

/* Which of two numbers a comparison chooses, and with it the first one: B_MAX, B_MIN, or -1. */
static int find_function(const struct pval *c, const struct pval *yes, const struct pval *no) {
    bool greater = c->op == OP_GT || c->op == OP_GE, smaller = c->op == OP_LT || c->op == OP_LE;
    if (c->kind != PV_OP || c->nargs != 2 || !(greater || smaller))
        return -1;
    bool first = same_value(c->args[0], yes) && same_value(c->args[1], no);
    bool second = same_value(c->args[1], yes) && same_value(c->args[0], no);
    return !first && !second ? -1 : greater == first ? B_MAX : B_MIN;
}

/* A statement that stores one of two numbers. */
struct choice {
    const struct pstmt *put;
    const struct pval *c, *yes, *no; /* no: NULL: nothing is stored */
    const struct pvar *var;          /* what another statement sets to it before; or NULL */
};

static bool is_set(const struct pstmt *list) {
    return list != NULL && list->kind == PS_SET && list->next == NULL;
}

static bool match_choice(const struct pstmt *s, struct choice *m) {
    const struct pstmt *next = s->next, *body = s->body;
    *m = (struct choice){.put = s, .c = s->value};
    if (s->kind == PS_PUT && s->value->kind == PV_SELECT)
        m->c = s->value->args[0], m->yes = s->value->args[1], m->no = s->value->args[2];
    if (s->kind == PS_IF && body != NULL && s->other == NULL && body->kind == PS_PUT &&
        body->next == NULL)
        m->put = body, m->yes = body->value;
    if (s->kind == PS_IF && is_set(body) && is_set(s->other) && body->var == s->other->var &&
        next != NULL && next->kind == PS_PUT && next->value->kind == PV_VAR &&
        next->value->var == body->var) {
        m->put = next, m->yes = body->value, m->no = s->other->value;
        m->var = body->var;
    }
    return m->yes != NULL && is_integer(m->yes->dtype) && m->yes->dtype == m->put->place->dtype &&
           m->put->value->dtype == m->yes->dtype;
}

static enum walk find_written_variable(const struct pval *v, void *written) {
    return v->kind == PV_VAR && ((const bool *)written)[v->var->id] ? WALK_STOP : WALK_IN;
}

/* Does an element tell which one a place is, or is it the same in all iterations?  Others are often
 * elements that threads have to themselves, which a condition spares a store. */
static bool is_bin(const struct finder *x, const struct pval *place) {
    bool is = false;
    for (int i = 0; i < place->nargs; i++)
        is = is || !value_walk(place->args[i], find_any_element, NULL);
    if (is || x->loop == NULL)
        return is;
    bool *written = find_written(x->uc, x->plan, x->loop->body);
    written[x->loop->var->id] = true;
    return value_walk(place, find_written_variable, written);
}

/* The extreme that a choice stores, behind what is set from `run` on; NULL: it is none. */
static struct pval *find_extreme(struct finder *x, const struct pstmt *run, const struct pstmt *s,
                                 const struct choice *m) {
    x->parts = 0;
    const struct pval *place = read_through(x, m->put->place, run, s), *other = m->yes;
    const struct pval *yes = read_through(x, m->yes, run, s), *no = place;
    if (!is_bin(x, place))
        return NULL;
    if (m->no != NULL) {
        no = read_through(x, m->no, run, s);
        if (same_value(yes, place))
            other = m->no;
        else if (!same_value(no, place))
            return NULL;
    }
    int function = find_function(read_through(x, m->c, run, s), yes, no);
    if (function < 0 || x->parts > MANY_PARTS)
        return NULL;
    struct pval *v = NEW(x->uc, struct pval);
    *v = (struct pval){.kind = PV_CALL, .dtype = place->dtype, .nargs = 2};
    v->builtin = &builtins[function];
    v->args[0] = m->put->place;
    v->args[1] = (struct pval *)other;
    return v;
}

/* ---- variables that nothing reads any more */

/* Leaves out what a run sets up to `end` for nobody. */
static void leave_out(const struct finder *x, struct pstmt **run, const struct pstmt *end) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (struct pstmt **at = run; *at != end;) {
            struct pstmt *s = *at;
            if (x->mentions[s->var->id] > 1) {
                at = &s->next;
                continue;
            }
            value_walk(s->value, take_mention, x->mentions);
            *at = s->next;
            changed = true;
        }
    }
}

/* Has s store an extreme, if what it sets for that is nothing to others. */
static void store_extreme(struct finder *x, struct pstmt **run, struct pstmt *s,
                          const struct choice *m, struct pval *v) {
    enum { SET_AND_READ = 3 };
    struct pstmt *next = m->var != NULL ? m->put->next : s->next;
    if (x->mentions == NULL)
        x->mentions = count_mentions(x->uc, x->plan, x->plan->body);
    if (m->var != NULL && x->mentions[m->var->id] != SET_AND_READ)
        return;
    value_walk(v, add_mention, x->mentions);
    value_walk(m->c, take_mention, x->mentions);
    value_walk(m->yes, take_mention, x->mentions);
    value_walk(m->no, take_mention, x->mentions);
    *s = *m->put;
    s->value = v;
    s->next = next;
    leave_out(x, run, s);
}

static void find_in_list(struct finder *x, struct pstmt **list) {
    struct pstmt **run = list;
    for (struct pstmt *s = *list; s != NULL; s = s->next) {
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        const struct pstmt *around = x->loop;
        struct choice m;
        x->loop = s->kind == PS_FOR ? s : around;
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            find_in_list(x, lists[i]);
        x->loop = around;
        struct pval *v = match_choice(s, &m) ? find_extreme(x, *run, s, &m) : NULL;
        if (v != NULL)
            store_extreme(x, run, s, &m, v);
        if (s->kind != PS_SET)
            run = &s->next;
    }
}

void find_extremes(struct uc *uc, struct plan *p) {
    find_in_list(&(struct finder){.uc = uc, .plan = p}, &p->body);
}
