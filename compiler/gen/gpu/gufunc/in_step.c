/* in_step.c: WARP, of calls that a part of a warp computes each.  Where all lanes of a warp run the
 * same statements, whatever calls they compute, shuffles and barriers are of the whole warp, whose
 * lanes are known at compile time.  Calls whose conditions choose what variables become do so, and
 * those that loop while a condition holds where lanes may run iterations of which nothing is
 * taken. */
#include "gufunc.h"

/* Ordered loops around a list, outside of spreads. */
struct around {
    const struct pstmt *loop;
    bool set; /* its body sets the index */
    const struct around *outer;
};

/* Stops at what may differ between calls. */
static enum walk find_different(const struct pval *v, void *arg) {
    const struct around *a = arg;
    while (v->kind == PV_VAR && a != NULL && a->loop->var != v->var)
        a = a->outer;
    bool same = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                v->kind == PV_CAST || (v->kind == PV_VAR && a != NULL && !a->set);
    return same ? WALK_IN : WALK_STOP;
}

static enum walk find_any_element(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

static bool has_elements(const struct pval *v) {
    return !value_walk(v, find_any_element, NULL);
}

/* Does a list set variables, and nothing else, without elements, which other lanes may have? */
static bool sets_alone(const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool set = s->kind == PS_SET && !s->by_first;
        if ((!set && s->kind != PS_IF) || s->sync || s->sync_lanes || has_elements(s->value) ||
            (!set && (!sets_alone(s->body) || !sets_alone(s->other))))
            return false;
    }
    return true;
}

struct reading {
    const struct gen *g;
    const struct pstmt *spread;
};

static enum walk find_far(const struct pval *v, void *reading) {
    const struct reading *r = reading;
    bool far = v->kind == PV_ELEM && kept_element(r->g->plan, r->spread, v) == NULL;
    return far ? WALK_STOP : WALK_IN;
}

static enum walk find_effect(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SET || s->kind == PS_IF ? WALK_IN : WALK_STOP;
}

/* May lanes run a list once more, whatever its variables are?  It sets variables, and reduces rows
 * that the lanes hold. */
static bool may_run_again(const struct gen *g, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct reading r = {g, s};
        bool spread = s->kind == PS_SPREAD && s->held && s->accs != NULL;
        if (spread ? !plan_walk(s->body,
                                &(struct plan_visitor){.stmt = find_effect, .value = find_far}, &r)
            : s->kind == PS_IF
                ? has_elements(s->value) || !sets_alone(s->body) || !sets_alone(s->other)
                : s->kind != PS_SET || s->by_first || has_elements(s->value))
            return false;
    }
    return true;
}

/* The condition of a block that is a loop while it holds, and has no other end; NULL: it is none.*/
static const struct pstmt *find_while(const struct pstmt *s) {
    const struct pstmt *loop = s->kind == PS_BLOCK ? s->body : NULL;
    if (loop == NULL || loop->kind != PS_LOOP || loop->next != NULL)
        return NULL;
    const struct pstmt *test = loop->body, *leave = test->other;
    bool only = test->kind == PS_IF && test->next == NULL && leave != NULL &&
                leave->kind == PS_LEAVE && leave->target == s;
    return only ? test : NULL;
}

/* Do lanes whose call has left the loop run it until all have? */
static bool loops_together(const struct gen *g, const struct pstmt *s) {
    const struct pstmt *test = find_while(s);
    return test != NULL && g->plan->map.held > 0 && may_run_again(g, test->body);
}

static bool are_in_step(struct gen *g, const struct pstmt *list, struct around *outer) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct around own = {s, false, outer};
        if (s->kind == PS_FOR)
            own.set = find_written(g->uc, g->plan, s->body)[s->var->id];
        if (s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_SPREAD || loops_together(g, s))
            continue;
        if (s->kind == PS_IF && sets_alone(s->body) && sets_alone(s->other))
            continue;
        if (s->kind == PS_IF && value_walk(s->value, find_different, outer) &&
            are_in_step(g, s->body, outer) && are_in_step(g, s->other, outer))
            continue;
        if (s->kind != PS_FOR || s->lag > 0 || !value_walk(s->lo, find_different, outer) ||
            !value_walk(s->hi, find_different, outer) ||
            !value_walk(s->step, find_different, outer) ||
            !are_in_step(g, s->shared != NULL ? s->shared : s->body, &own))
            return false;
    }
    return true;
}

bool keeps_in_step(struct gen *g) {
    const struct mapping *m = &g->plan->map;
    return (m->state != NULL || m->held > 0) && are_in_step(g, g->plan->body->body, NULL);
}

/* ---- loops while a condition holds */

bool loop_in_step(struct gen *g, const struct pstmt *s) {
    const struct plan *p = g->plan;
    LLVMValueRef all = g->threads->lane_mask;
    if (all == NULL || !LLVMIsConstant(all) || !loops_together(g, s))
        return false;
    const struct pstmt *test = find_while(s);
    const bool *written = find_written(g->uc, p, test->body);
    LLVMValueRef *before = NEWN(g->uc, LLVMValueRef, p->nvars + 1);
    struct loop l;
    loop_begin(g, &l, 0, NULL);
    LLVMValueRef holds = gen_value(g, test->value);
    loop_while(g, &l, is_set(g, gpu(g)->ballot(g, all, holds)));
    for (const struct pvar *v = p->vars; v != NULL; v = v->next)
        if (written[v->id])
            before[v->id] = LLVMBuildLoad2(g->b, gen_type(g, v->dtype), var_of(g, v)->slot, "");
    gen_stmts(g, test->body);
    for (const struct pvar *v = p->vars; v != NULL; v = v->next) {
        LLVMValueRef slot = var_of(g, v)->slot;
        if (before[v->id] != NULL) {
            LLVMValueRef now = LLVMBuildLoad2(g->b, LLVMTypeOf(before[v->id]), slot, "");
            LLVMBuildStore(g->b, gen_select(g, holds, now, before[v->id]), slot);
        }
    }
    loop_end(g, &l, NULL);
    return true;
}
