/* vary_step.c: variables that are the same in all lanes that are still in a loop, where lanes leave
 * it one by one: as j in `while j > 0 and y[j - 1] > v { …; j -= 1 }`, if it begins
 * with the same value in all.  The elements y[j] are then neighbours. */
#include "uc.h"

struct stepper {
    const struct pstmt *loop;
    struct varying in; /* as found, without what is in step */
    bool *candidates;  /* by id */
    bool changed;
};

static enum walk find_write(const struct pstmt *s, void *var) {
    return s->var == *(const struct pvar **)var ? WALK_STOP : WALK_IN;
}

static bool is_written(const struct pstmt *s, const struct pvar *v) {
    return !stmt_walk(s, &(struct plan_visitor){.stmt = find_write}, &v);
}

static enum walk find_stmt(const struct pstmt *s, void *stmt) {
    return s == *(const struct pstmt **)stmt ? WALK_STOP : WALK_IN;
}

/* Whether the lanes that run the list leave the loop at its end. */
static bool leaves_loop(const struct stepper *x, const struct pstmt *list) {
    while (list != NULL && list->next != NULL)
        list = list->next;
    return list != NULL && list->kind == PS_LEAVE &&
           (list->target == x->loop ||
            stmt_walk(x->loop, &(struct plan_visitor){.stmt = find_stmt}, (void *)&list->target));
}

static void vary(struct stepper *x, const struct pvar *v) {
    x->changed = x->changed || !x->in.vars[v->id];
    x->in.vars[v->id] = true;
}

/* all: all lanes that are still in the loop run the list. */
static void step_list(struct stepper *x, const struct pstmt *list, bool all) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool varies = s->kind == PS_IF && value_varies(&x->in, s->value);
        if (s->var != NULL && x->candidates[s->var->id] &&
            (!all || s->kind != PS_SET || value_varies(&x->in, s->value)))
            vary(x, s->var);
        for (const struct pacc *a = s->accs; a != NULL; a = a->next)
            vary(x, a->acc);
        bool in = all && s->kind == PS_IF;
        step_list(x, s->body, in && (!varies || leaves_loop(x, s->other)));
        step_list(x, s->other, in && (!varies || leaves_loop(x, s->body)));
    }
}

/* Whether v has one value in all active lanes where `end`, a statement of the list, begins. */
static bool begins_same(const struct stepper *x, const struct pstmt *list, const struct pstmt *end,
                        const struct pvar *v) {
    const struct pstmt *last = NULL;
    for (const struct pstmt *s = list; s != end; s = s->next)
        if (is_written(s, v))
            last = s;
    return last != NULL && last->kind == PS_SET && !value_varies(&x->in, last->value);
}

/* Adds what is in step in `loop`; s: itself, or the block that begins with it, in the list. */
static void add_loop(struct uc *uc, const struct plan *p, struct varying *found,
                     const struct pstmt *list, const struct pstmt *s, const struct pstmt *loop) {
    struct stepper x = {.loop = loop, .in = *found, .candidates = NEWN(uc, bool, p->nvars)};
    bool *same = NEWN(uc, bool, p->nvars), any = false;
    x.in.vars = NEWN(uc, bool, p->nvars);
    memcpy(x.in.vars, found->vars, (size_t)p->nvars * sizeof *found->vars);
    for (const struct pvar *v = p->vars; v != NULL; v = v->next)
        x.candidates[v->id] =
            found->vars[v->id] && is_written(loop, v) && begins_same(&x, list, s, v);
    for (int i = 0; i < p->nvars; i++)
        x.in.vars[i] = found->vars[i] && !x.candidates[i];
    do {
        x.changed = false;
        step_list(&x, loop->body, true);
    } while (x.changed);
    for (int i = 0; i < p->nvars; i++) {
        same[i] = x.candidates[i] && !x.in.vars[i];
        any = any || same[i];
    }
    if (!any)
        return;
    struct in_step *step = NEW(uc, struct in_step);
    *step = (struct in_step){loop, same, found->steps};
    found->steps = step;
}

static void add_list(struct uc *uc, const struct plan *p, struct varying *found,
                     const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct pstmt *loop = s->kind == PS_BLOCK ? s->body : s;
        if (loop != NULL && loop->kind == PS_LOOP)
            add_loop(uc, p, found, list, s, loop);
        add_list(uc, p, found, s->body);
        add_list(uc, p, found, s->other);
    }
}

void find_in_step(struct uc *uc, const struct plan *p, const struct pstmt *list,
                  struct varying *found) {
    add_list(uc, p, found, list);
}
