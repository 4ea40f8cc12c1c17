/* first.c: what the first thread of a call alone runs.  Outside of what threads share it alone
 * stores.  So it alone needs variables that are used for nothing but such stores, and ordered loops
 * that set no others:
 *
 *     for i in 1..n { let m = 1 / (b - c[i - 1]); c[i] = a * m; d[i] = (d[i] - d[i - 1]) * m }
 *
 * Other threads neither load what these are made of, nor wait for what the first one has stored. */
#include "plan.h"

struct users {
    struct uc *uc;
    const struct plan *plan;
    bool *used;   /* variables, by id, that all threads use, or parts of what they share */
    bool changed; /* since the last time */
};

static void use(struct users *u, const struct pvar *v) {
    u->changed = u->changed || !u->used[v->id];
    u->used[v->id] = true;
}

static enum walk use_value(const struct pval *v, void *users) {
    if (v->kind == PV_VAR)
        use(users, v->var);
    return WALK_IN;
}

static bool is_spread(const struct pstmt *s) {
    return s->kind == PS_SPREAD || s->accs != NULL || s->lag > 0;
}

/* Does the first thread store?  A row may be another block's. */
static bool stores_first(const struct plan *p, const struct pstmt *s) {
    return s->kind == PS_PUT && !s->merged && s->place->nargs <= 1 &&
           s->place->operand < p->noperands;
}

/* ---- loops */

struct loop {
    const struct plan *plan;
    const struct pstmt *body;
};

static enum walk find_target(const struct pstmt *s, void *target) {
    return s == target ? WALK_STOP : WALK_IN;
}

/* Stops at what threads share, at stores of others, and at what leaves the loop. */
static enum walk find_other(const struct pstmt *s, void *loop) {
    const struct loop *x = loop;
    const struct plan_visitor target = {.stmt = find_target};
    switch (s->kind) {
    case PS_SET:
    case PS_IF:
    case PS_LOOP:
    case PS_BLOCK: return WALK_IN;
    case PS_FOR: return is_spread(s) || s->shared != NULL ? WALK_STOP : WALK_IN;
    case PS_PUT: return stores_first(x->plan, s) ? WALK_IN : WALK_STOP;
    case PS_LEAVE:
        return plan_walk(x->body, &target, (void *)(uintptr_t)s->target) ? WALK_STOP : WALK_IN;
    default: return WALK_STOP;
    }
}

/* Is it a loop that only the first thread needs, as far as is known which variables others use? */
static bool is_by_first(const struct users *u, const struct pstmt *s) {
    struct loop x = {u->plan, s->body};
    if (s->kind != PS_FOR || is_spread(s) || s->shared != NULL ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_other}, &x))
        return false;
    const bool *written = find_written(u->uc, u->plan, s->body);
    int i = 0;
    while (i < u->plan->nvars && !(written[i] && u->used[i]))
        i++;
    return i == u->plan->nvars;
}

/* ---- the body */

static void use_list(struct users *u, const struct pstmt *list, bool shared) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool spread = shared || is_spread(s);
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        if (!spread && is_by_first(u, s))
            continue;
        if (spread && s->var != NULL)
            use(u, s->var);
        for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
            use(u, a->acc);
            use(u, a->other);
        }
        if (spread || (s->kind == PS_SET ? u->used[s->var->id] : !stores_first(u->plan, s)))
            stmt_values(s, use_value, u);
        use_list(u, s->shared, shared);
        for (size_t i = 0; s->shared == NULL && i < sizeof lists / sizeof lists[0]; i++)
            use_list(u, *lists[i], spread);
    }
}

static enum walk find_output(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    bool is = v->kind == PV_ELEM && v->operand < p->noperands && p->operands[v->operand].is_output;
    return is ? WALK_STOP : WALK_IN;
}

static enum walk note_stmt(const struct pstmt *s, void *none) {
    (void)none;
    if (s->kind != PS_PUT)
        ((struct pstmt *)(void *)s)->by_first = true;
    return WALK_IN;
}

static void note_list(const struct users *u, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        if (is_by_first(u, s))
            stmt_walk(s, &(struct plan_visitor){.stmt = note_stmt}, NULL);
        else if (s->kind == PS_SET)
            s->by_first =
                !u->used[s->var->id] && !value_walk(s->value, find_output, (void *)u->plan);
        if (is_spread(s) || s->by_first)
            continue;
        note_list(u, s->shared);
        for (size_t i = 0; s->shared == NULL && i < sizeof lists / sizeof lists[0]; i++)
            note_list(u, *lists[i]);
    }
}

void find_by_first(struct uc *uc, struct plan *p) {
    struct users u = {.uc = uc, .plan = p, .used = NEWN(uc, bool, p->nvars + 1), .changed = true};
    while (u.changed) {
        u.changed = false;
        use_list(&u, p->body->body, false);
    }
    note_list(&u, p->body->body);
}
