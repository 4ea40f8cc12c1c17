/* guard.c: conditionals around what threads share: `t = sum(v for v in x) / n if n > 0 else
 * nan`. Each statement in one is guarded for itself, so that spreads stand in the body, where all
 * of a GPU may share them: a reduction has no points where its guard is false, and a definition
 * asks at its points. */
#include "plan.h"

struct guarding {
    struct uc *uc;
    struct plan *plan;
    const bool *written; /* by the conditional */
    struct pstmt **end;
};

/* ---- which conditionals */

static enum walk take_settled(const struct pval *v, void *arg) {
    const struct guarding *x = arg;
    bool changes = v->kind == PV_ELEM || (v->kind == PV_VAR && x->written[v->var->id]);
    return changes ? WALK_STOP : WALK_IN;
}

/* Are the bounds of a definition the same whether or not its guard holds? */
static bool are_settled(struct guarding *x, const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (!value_walk(r->lo, take_settled, x) || !value_walk(r->hi, take_settled, x) ||
            !value_walk(r->step, take_settled, x))
            return false;
    return true;
}

static bool steps_evenly(const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (r->step->kind != PV_CONST)
            return false;
    return true;
}

/* Whether each statement of a list may be guarded for itself; *spreads: how many are shared. */
static bool may_be_guarded(struct guarding *x, const struct pstmt *list, int *spreads) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool fits = s->kind == PS_SET || (s->kind == PS_PUT && !s->merged);
        if (s->kind == PS_IF)
            fits = may_be_guarded(x, s->body, spreads) && may_be_guarded(x, s->other, spreads);
        if (s->kind == PS_SPREAD) {
            fits = !s->merged && (s->accs != NULL ? steps_evenly(s) : are_settled(x, s));
            ++*spreads;
        }
        if (!fits)
            return false;
    }
    return true;
}

/* ---- guarded statements */

static void add(struct guarding *x, struct pstmt *s) {
    s->next = NULL;
    *x->end = s;
    x->end = &s->next;
}

static struct pval *constant(struct uc *uc, enum ufc_dtype d, uint64_t i) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_CONST, .dtype = d, .i = i};
    return v;
}

static struct pstmt *set_of(struct uc *uc, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

static struct pstmt *test_of(struct uc *uc, struct pvar *guard, struct pstmt *body,
                             struct span at) {
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF, .at = at, .value = plan_read(uc, guard), .body = body};
    return s;
}

/* A new variable: whether a list runs: where `outer` holds, if there is one, and v is `holds`. */
static struct pvar *add_guard(struct guarding *x, struct pvar *outer, struct pval *v, bool holds,
                              struct span at) {
    struct pvar *guard = plan_variable(x->uc, x->plan, "guard", DT_BOOL);
    if (!holds) {
        struct pval *opposite = NEW(x->uc, struct pval);
        *opposite = (struct pval){.kind = PV_OP, .op = OP_LNOT, .dtype = DT_BOOL, .nargs = 1};
        opposite->args[0] = v;
        v = opposite;
    }
    if (outer == NULL) {
        add(x, set_of(x->uc, guard, v, at));
        return guard;
    }
    add(x, set_of(x->uc, guard, constant(x->uc, DT_BOOL, 0), at));
    add(x, test_of(x->uc, outer, set_of(x->uc, guard, v, at), at));
    return guard;
}

/* A bound of a reduction, 0 where its guard is false. */
static struct pval *guarded(struct uc *uc, struct pvar *guard, struct pval *bound) {
    if (bound->kind == PV_CONST && bound->i == 0)
        return bound;
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_SELECT, .dtype = DT_INT64, .nargs = 3};
    v->args[0] = plan_read(uc, guard);
    v->args[1] = bound;
    v->args[2] = constant(uc, DT_INT64, 0);
    return v;
}

static void guard_spread(struct guarding *x, struct pvar *guard, struct pstmt *s) {
    for (struct prange *r = s->accs != NULL ? s->ranges : NULL; r != NULL; r = r->next) {
        r->lo = guarded(x->uc, guard, r->lo);
        r->hi = guarded(x->uc, guard, r->hi);
    }
    if (s->accs == NULL)
        s->body = test_of(x->uc, guard, s->body, s->at);
    add(x, s);
}

/* Sets what spreads of a list begin with, as all threads load it. */
static void begin_accs(struct guarding *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        for (const struct pacc *a = s->kind == PS_SPREAD ? s->accs : NULL; a != NULL; a = a->next)
            add(x, set_of(x->uc, a->acc, constant(x->uc, a->acc->dtype, 0), s->at));
        begin_accs(x, s->kind == PS_IF ? s->body : NULL);
        begin_accs(x, s->kind == PS_IF ? s->other : NULL);
    }
}

static void guard_list(struct guarding *x, struct pvar *guard, struct pstmt *list) {
    while (list != NULL) {
        struct pstmt *first = list, **end = &list;
        while (*end != NULL && !is_loop(*end))
            end = &(*end)->next;
        struct pstmt *s = *end;
        *end = NULL;
        if (first != s)
            add(x, test_of(x->uc, guard, first, first->at));
        list = s != NULL ? s->next : NULL;
        if (s != NULL && s->kind == PS_SPREAD) {
            guard_spread(x, guard, s);
        } else if (s != NULL) {
            struct pvar *then = add_guard(x, guard, s->value, true, s->at);
            struct pvar *other =
                s->other != NULL ? add_guard(x, guard, plan_read(x->uc, then), false, s->at) : NULL;
            guard_list(x, then, s->body);
            if (other != NULL)
                guard_list(x, other, s->other);
        }
    }
}

const struct pval *unguarded(const struct pval *bound) {
    bool guarded = bound->kind == PV_SELECT && bound->args[0]->kind == PV_VAR &&
                   bound->args[2]->kind == PV_CONST && bound->args[2]->i == 0;
    return guarded ? bound->args[1] : bound;
}

/* Guards the statements of a conditional, where they may be; what follows is behind them.  Gives
 * the last of them. */
static struct pstmt **guard_conditional(struct uc *uc, struct plan *p, struct pstmt **at) {
    struct pstmt *s = *at, *next = s->next, *first = NULL;
    int spreads = 0;
    s->next = NULL;
    struct guarding x = {uc, p, find_written(uc, p, s), &first};
    if (!may_be_guarded(&x, s, &spreads) || spreads == 0) {
        s->next = next;
        return at;
    }
    begin_accs(&x, s);
    struct pvar *then = add_guard(&x, NULL, s->value, true, s->at);
    struct pvar *other =
        s->other != NULL ? add_guard(&x, NULL, plan_read(uc, then), false, s->at) : NULL;
    guard_list(&x, then, s->body);
    if (other != NULL)
        guard_list(&x, other, s->other);
    *at = first;
    *x.end = next;
    while ((*at)->next != next)
        at = &(*at)->next;
    return at;
}

static bool is_long_reduction(const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->accs != NULL && !s->ordered &&
           constant_points(s->ranges) > UNROLLED_POINTS;
}

/* Whether a conditional at a point has reductions that threads may share, else straight code. */
static bool has_reduction(const struct pstmt *s) {
    int n = 0;
    const struct pstmt *const lists[] = {s->body, s->other};
    for (int i = 0; i < 2; i++)
        for (const struct pstmt *in = lists[i]; in != NULL; in = in->next) {
            if (is_long_reduction(in))
                n++;
            else if (in->kind != PS_SET && in->kind != PS_PUT)
                return false;
        }
    return n > 0;
}

/* Do tiles go by the conditionals of a definition?  What was tried is forgotten. */
static bool is_tiled(struct uc *uc, struct plan *p, const struct pstmt *definition) {
    int nvars = p->nvars;
    struct pvar **end = &p->vars;
    bool is = find_tiling(uc, p, definition) != NULL;
    for (int i = 0; i < nvars; i++)
        end = &(*end)->next;
    *end = NULL;
    p->nvars = nvars;
    return is;
}

static void guard_points(struct uc *uc, struct plan *p, struct pstmt *definition) {
    for (struct pstmt **at = &definition->body; *at != NULL; at = &(*at)->next)
        if ((*at)->kind == PS_IF && has_reduction(*at) && !is_tiled(uc, p, definition))
            at = guard_conditional(uc, p, at);
}

void guard_spreads(struct uc *uc, struct plan *p) {
    for (struct pstmt **at = &p->body->body; *at != NULL && !p->checked; at = &(*at)->next) {
        struct pstmt *s = *at;
        if (s->kind == PS_IF && is_loop(s))
            at = guard_conditional(uc, p, at);
        else if (s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !s->ordered)
            guard_points(uc, p, s);
    }
}
