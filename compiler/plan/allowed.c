/* allowed.c: ordered loops that take the first element which conditions allow whatever it is, and
 * others that are better:
 *
 *     for i in 0..n { if not used[i] { if k < 0 or d[i] < best { k = i; best = d[i] } } }
 *
 * The first one that is allowed, and the best of all, are totals (total.c):
 *
 *     for i in 0..n { if not used[i] { at = min(at, i); if d[i] < least { j = i; least = d[i] } } }
 *     if k < 0 and at < n { k = at; best = d[at] }
 *     if least < best { k = j; best = least }
 *
 * so that a NaN which comes first stays, as nothing is less.  (peel.c has loops without conditions,
 * incumbent.c the best element.) */
#include "total.h"

enum { MOST_SETS = MAX_TOTALS - 1, MOST_CONDITIONS = 4 };

/* `first = k < 0; if not first { first = better }; if first { … }`, at the end of lists that are
 * each a conditional's, behind what sets variables of an iteration. */
struct allowing {
    struct lower *l;
    struct pstmt *loop, *first, **list[MOST_CONDITIONS + 1];
    int depth;
    struct pval *better, *with; /* with: what it compares the best element with */
    struct pstmt *sets;
    const struct pvar *index, *best;
};

static bool is_var(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* Does a comparison of a variable hold for none of a loop's indices? */
static bool holds_for_none(const struct pval *v, const struct pstmt *loop) {
    int64_t with = (int64_t)v->args[1]->i, from = (int64_t)loop->lo->i;
    return (v->op == OP_LT && from >= with) || (v->op == OP_EQ && from > with);
}

/* Does s set a variable to whether the index is none yet? */
static bool asks_first(const struct allowing *x, const struct pstmt *s) {
    const struct pval *v = s->kind == PS_SET ? s->value : NULL;
    return v != NULL && v->kind == PV_OP && (v->op == OP_LT || v->op == OP_EQ) &&
           v->args[0]->kind == PV_VAR && v->args[1]->kind == PV_CONST &&
           v->args[0]->dtype == x->loop->var->dtype && holds_for_none(v, x->loop);
}

/* Is it `if first or better { … }`? */
static bool is_first_or_better(struct allowing *x, struct pstmt *s) {
    struct pstmt *rest = s->next, *choice = rest != NULL ? rest->next : NULL;
    if (!asks_first(x, s) || choice == NULL || choice->next != NULL || rest->kind != PS_IF ||
        choice->kind != PS_IF || rest->other != NULL || choice->other != NULL ||
        rest->value->kind != PV_OP || rest->value->op != OP_LNOT ||
        !is_var(rest->value->args[0], s->var) || !is_var(choice->value, s->var))
        return false;
    const struct pstmt *better = rest->body;
    if (better == NULL || better->next != NULL || better->kind != PS_SET || better->var != s->var ||
        better->value->kind != PV_OP)
        return false;
    x->first = s;
    x->better = better->value;
    x->sets = choice->body;
    x->index = s->value->args[0]->var;
    return true;
}

/* Finds it, within conditions. */
static bool find_first_or_better(struct allowing *x) {
    for (x->list[0] = &x->loop->body; x->depth <= MOST_CONDITIONS;) {
        struct pstmt **at = x->list[x->depth];
        while (*at != NULL && (*at)->kind == PS_SET && !is_first_or_better(x, *at))
            at = &(*at)->next;
        if (*at != NULL && *at == x->first) {
            x->list[x->depth] = at;
            return true;
        }
        if (*at == NULL || (*at)->kind != PS_IF || (*at)->next != NULL || (*at)->other != NULL ||
            ++x->depth > MOST_CONDITIONS)
            return false;
        x->list[x->depth] = &(*at)->body;
    }
    return false;
}

static const struct pstmt *set_of(const struct allowing *x, const struct pvar *var) {
    const struct pstmt *s = x->sets;
    while (s != NULL && s->var != var)
        s = s->next;
    return s;
}

static enum walk find_set(const struct pval *v, void *allowing) {
    return v->kind == PV_VAR && set_of(allowing, v->var) != NULL ? WALK_STOP : WALK_IN;
}

/* Does what is chosen set few variables, each once to what is made of none of them: the index, and
 * the best element to what it is compared with? */
static bool sets_best(struct allowing *x) {
    int n = 0;
    for (const struct pstmt *s = x->sets; s != NULL; s = s->next) {
        if (++n > MOST_SETS || s->kind != PS_SET || s->value->dtype != s->var->dtype ||
            is_half(s->var->rounds) || s->var->dtype == DT_BOOL || s->var->imag != NULL ||
            set_of(x, s->var) != s || !value_walk(s->value, find_set, x))
            return false;
    }
    for (int i = 0; i < 2 && (x->better->op == OP_LT || x->better->op == OP_GT); i++) {
        const struct pval *own = x->better->args[i];
        const struct pstmt *set = own->kind == PV_VAR ? set_of(x, own->var) : NULL;
        if (set == NULL || !same_value(set->value, x->better->args[1 - i]))
            continue;
        x->best = own->var;
        x->with = x->better->args[1 - i];
    }
    const struct pstmt *index = set_of(x, x->index);
    return x->best != NULL && index != NULL && is_var(index->value, x->loop->var);
}

/* Are the variables before it an iteration's alone, and those and the conditions made of none that
 * it sets? */
static bool is_allowed_apart(struct allowing *x, const int *all, const int *within) {
    const struct pstmt *s = x->loop->body;
    while (s != x->first) {
        bool own = s->kind != PS_SET || (set_of(x, s->var) == NULL && s->var->imag == NULL &&
                                         all[s->var->id] == within[s->var->id]);
        if (!own || !value_walk(s->value, find_set, x))
            return false;
        s = s->kind == PS_IF ? s->body : s->next;
    }
    return true;
}

static bool find_allowing(struct allowing *x) {
    enum { MENTIONS = 4 }; /* of `first` */
    const struct plan *p = x->l->plan;
    const struct pstmt *loop = x->loop;
    if (loop->kind != PS_FOR || loop->accs != NULL || loop->lo->kind != PV_CONST ||
        loop->step->kind != PV_CONST || loop->step->i != 1 || !find_first_or_better(x))
        return false;
    const int *all = count_mentions(x->l->uc, p, p->body),
              *within = count_mentions(x->l->uc, p, loop->body);
    return all[x->first->var->id] == MENTIONS && sets_best(x) && is_allowed_apart(x, all, within) &&
           value_walk(loop->hi, find_set, x) &&
           !find_written(x->l->uc, p, loop->body)[loop->var->id];
}

/* ---- what it becomes */

static struct pstmt *new_set(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

static struct pstmt *new_if(struct lower *l, struct pval *v, struct pstmt *body, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF, .at = at, .value = v, .body = body};
    return s;
}

static struct pstmt **end_of(struct pstmt **list) {
    while (*list != NULL)
        list = &(*list)->next;
    return list;
}

/* Whether `value` is better than what `best` is. */
static struct pval *is_better(const struct allowing *x, struct pval *value, struct pval *best) {
    bool second = x->better->args[1] == x->with;
    return value_op(x->l, x->better->op, DT_BOOL, second ? best : value, second ? value : best);
}

/* What the first iteration that is allowed sets: its index, variables before, what is chosen. */
static struct pstmt *first_sets(const struct allowing *x, struct pvar *at) {
    struct lower *l = x->l;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pvar *i = c.vars[x->loop->var->id] =
        &variable_new(l, "first", x->loop->var->dtype)->pvar;
    struct pstmt *list = new_set(l, i, plan_read(l->uc, at), x->loop->at), **end = &list->next;
    for (const struct pstmt *s = x->loop->body; s != x->first;
         s = s->kind == PS_IF ? s->body : s->next) {
        if (s->kind == PS_IF)
            continue;
        struct pval *v = copy_renamed(&c, s->value);
        struct pvar *own = c.vars[s->var->id];
        if (own == NULL)
            own = c.vars[s->var->id] = &variable_new(l, s->var->name, s->var->dtype)->pvar;
        *end = new_set(l, own, v, s->at);
        end = &(*end)->next;
    }
    for (const struct pstmt *s = x->sets; s != NULL; s = s->next, end = &(*end)->next)
        *end = new_set(l, s->var, copy_renamed(&c, s->value), s->at);
    return list;
}

/* The last statement of what it becomes. */
static struct pstmt **allow(const struct allowing *x, struct pstmt **at) {
    struct lower *l = x->l;
    struct pstmt *loop = x->loop, *next = loop->next, *chosen = NULL, *before = NULL, *taken = NULL;
    struct pvar *first = &variable_new(l, "allowed", loop->var->dtype)->pvar, *least = NULL;
    struct pval *none = extreme(l, first->dtype, true), *asked = x->first->value;
    struct pstmt *firsts = first_sets(x, first);
    before = new_set(l, first, none, loop->at);
    for (const struct pstmt *s = x->sets; s != NULL; s = s->next) {
        struct pvar *own = &variable_new(l, s->var->name, s->var->dtype)->pvar;
        bool best = s->var == x->best;
        bool greatest = (x->better->op == OP_LT) == (x->better->args[0] == x->with);
        least = best ? own : least;
        *end_of(&before) = new_set(
            l, own, best ? extreme(l, own->dtype, greatest) : value_zero(l, own->dtype), s->at);
        *end_of(&chosen) = new_set(l, own, s->value, s->at);
        *end_of(&taken) = new_set(l, s->var, plan_read(l->uc, own), s->at);
    }
    struct pval *index = plan_read(l->uc, loop->var);
    struct pstmt *own =
        new_set(l, first, joined_by(l, OP_COUNT + B_MIN, plan_read(l->uc, first), index), loop->at);
    own->next = new_if(l, is_better(x, x->with, plan_read(l->uc, least)), chosen, loop->at);
    *x->list[x->depth] = own;
    struct pval *some = value_op(l, OP_NE, DT_BOOL, plan_read(l->uc, first), none);
    struct pstmt *take = new_if(l, value_op(l, OP_LAND, DT_BOOL, asked, some), firsts, loop->at);
    struct pval *v =
        is_better(x, plan_read(l->uc, least), plan_read(l->uc, (struct pvar *)(uintptr_t)x->best));
    *at = before;
    *end_of(at) = loop;
    loop->next = take;
    take->next = new_if(l, v, taken, loop->at);
    take->next->next = next;
    return &take->next;
}

void take_allowed(struct lower *l, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct allowing x = {.l = l, .loop = *at};
        if (find_allowing(&x)) {
            at = allow(&x, at);
            continue;
        }
        struct pstmt **const lists[] = PSTMT_LISTS(*at);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            take_allowed(l, lists[i]);
    }
}
