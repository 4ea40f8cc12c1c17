/* conditions.c: conditions around loops that are in an ordered one, as of rows that a mask has:
 *
 *     for t in 0..n { if m[t] { count += 1; for c in 0..d { y[c] += x[t, c] } } }
 *
 * come to stand within each of them, and before each other statement of theirs by itself:
 *
 *     for t in 0..n { if m[t] { count += 1 }; for c in 0..d { if m[t] { y[c] += x[t, c] } } }
 *
 * The loops of a version are then in one another with nothing between, and may change places.  All
 * iterations ask for the condition, which is to be a short one. */
#include "apart.h"

enum { CONDITION_SIZE = 12 }; /* nodes, at most */

struct conditions {
    struct lower *l;
    const int *mentions;
    bool asks, any;
};

/* What a condition, or a loop's bounds, may read. */
struct changed {
    const bool *sets;
    const struct pstmt *list;
};

static enum walk find_changed(const struct pval *v, void *arg) {
    const struct changed *c = arg;
    bool changes = (v->kind == PV_VAR && c->sets[v->var->id]) ||
                   (v->kind == PV_ELEM && is_put(c->list, v->operand)) ||
                   (v->kind == PV_CALL && builtin_work(v->builtin).special > 0);
    return changes ? WALK_STOP : WALK_IN;
}

/* Does a loop run as often, and do as little, where the condition does not hold? */
static bool may_hold_condition(const struct conditions *x, const struct pstmt *loop,
                               struct changed *c) {
    const struct plan *p = x->l->plan;
    return loop->kind == PS_FOR && loop->accs == NULL && has_store(loop->body) &&
           exists_anyway(p, loop->lo) && exists_anyway(p, loop->hi) &&
           exists_anyway(p, loop->step) && value_walk(loop->lo, find_changed, c) &&
           value_walk(loop->hi, find_changed, c) && value_walk(loop->step, find_changed, c);
}

/* May a conditional be taken apart: does what it does change nothing of what it asks? */
static bool may_part(const struct conditions *x, const struct pstmt *s) {
    if (s->kind != PS_IF || s->other != NULL || value_exceeds(s->value, CONDITION_SIZE) ||
        !stmt_walk(s, &(struct plan_visitor){.stmt = find_jump}, NULL))
        return false;
    struct changed c = {find_written(x->l->uc, x->l->plan, s->body), s->body};
    bool loops = false, may = value_walk(s->value, find_changed, &c);
    for (const struct pstmt *in = s->body; may && in != NULL; in = in->next) {
        may = in->kind == PS_SET || in->kind == PS_PUT || may_hold_condition(x, in, &c);
        loops = loops || in->kind == PS_FOR;
    }
    return may && loops;
}

/* A conditional with the statement s alone. */
static struct pstmt *conditional(const struct conditions *x, const struct pstmt *condition,
                                 struct pstmt *s) {
    struct pstmt bare = *condition;
    bare.body = bare.next = NULL;
    struct pstmt *own = copy_statements(x->l->uc, &bare, NULL, NULL, NULL);
    own->body = s;
    return own;
}

/* Is a variable set in a conditional, first of all and once, and nowhere else, to what is there
 * anyway? */
static bool may_be_set(const struct conditions *x, const struct pstmt *condition,
                       struct pstmt *set) {
    struct uc *uc = x->l->uc;
    if (set->kind != PS_SET || !exists_anyway(x->l->plan, set->value) ||
        !value_walk(set->value, find_variable, set->var))
        return false;
    const int *inside = count_mentions(uc, x->l->plan, condition->body);
    struct pstmt *before = copy_statements(uc, condition->body, set, NULL, NULL);
    return inside[set->var->id] == x->mentions[set->var->id] &&
           count_mentions(uc, x->l->plan, before)[set->var->id] == 0 &&
           !find_written(uc, x->l->plan, set->next)[set->var->id];
}

static void part_list(struct conditions *x, struct pstmt **list);

/* Takes the conditional *at apart. */
static void part(struct conditions *x, struct pstmt **at) {
    const struct pstmt *condition = *at;
    struct pstmt *behind = condition->next, *next;
    bool *sets = NEWN(x->l->uc, bool, x->l->plan->nvars + 1);
    for (struct pstmt *s = condition->body; s != NULL; s = s->next)
        if (may_be_set(x, condition, s))
            sets[s->var->id] = true;
    for (struct pstmt *s = condition->body; s != NULL; s = next) {
        next = s->next;
        s->next = NULL;
        if (s->kind == PS_FOR) {
            s->body = conditional(x, condition, s->body);
            s->serial = s->shared = NULL;
            *at = s;
            part_list(x, &s->body);
        } else
            *at = s->kind == PS_SET && sets[s->var->id] ? s : conditional(x, condition, s);
        at = &(*at)->next;
    }
    *at = behind;
}

static void part_list(struct conditions *x, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == PS_FOR && (*at)->accs == NULL)
            part_list(x, &(*at)->body);
        if (!may_part(x, *at))
            continue;
        x->any = true;
        if (!x->asks)
            part(x, at);
    }
}

static bool part_all(struct lower *l, bool asks) {
    struct conditions x = {.l = l, .asks = asks};
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    for (struct pstmt *s = l->plan->body->body; s != NULL; s = s->next)
        if (s->kind == PS_FOR && s->accs == NULL)
            part_list(&x, &s->body);
    return x.any;
}

bool has_conditions_around(struct lower *l) {
    return part_all(l, true);
}

void part_conditions(struct lower *l) {
    part_all(l, false);
}
