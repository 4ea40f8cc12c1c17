/* single.c: short ordered loops that one thread of a call runs beside definitions, which all
 * threads share, as that which solves a few equations whose sums these have added up. */
#include "bounded.h"

enum {
    SINGLE_STEPS = 4096, /* of a loop, with those in it, at most; */
    SHARED_STEPS = 256,  /* the same where threads could share some */
    SINGLE_BEHIND = 4,   /* statements that go with a loop, at most */
};

struct single {
    const struct plan *plan;
    struct interval *within;
    bool any; /* loops of any length are short enough */
};

static bool is_short(const struct single *x, const struct pstmt *s, int64_t around, int64_t most);

static bool is_short_loop(const struct single *x, const struct pstmt *s, int64_t around,
                          int64_t most) {
    if (x->any)
        return s->accs == NULL && is_short(x, s->body, around, most);
    int64_t n = s->accs == NULL ? most_steps(x->within, s->var, s->lo, s->hi, s->step) : most + 1;
    return n <= most / around && (s->shared == NULL || n <= SHARED_STEPS / around) &&
           is_short(x, s->body, n > 0 ? n * around : around, most);
}

/* Whether a list, around which loops take so many steps, has but assignments, conditionals and
 * loops of few steps, and touches no local array.  A loop that ends by a condition counts as a
 * step: no thread can help the one that runs it. */
static bool is_short(const struct single *x, const struct pstmt *s, int64_t around, int64_t most) {
    for (; s != NULL; s = s->next) {
        bool fits = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_LEAVE ||
                    ((s->kind == PS_IF || s->kind == PS_BLOCK || s->kind == PS_LOOP) &&
                     is_short(x, s->body, around, most) && is_short(x, s->other, around, most)) ||
                    (s->kind == PS_FOR && is_short_loop(x, s, around, most));
        if (!fits)
            return false;
        if (s->kind == PS_SET)
            x->within[s->var->id] = interval_of(x->within, s->value);
    }
    return x->plan->nlocals == 0;
}

/* Whether the statements from s to stop of a list set no variables that others mention, but that
 * assignments before them in the list give first values to. */
static bool keeps_variables(const struct sharer *x, const struct pstmt *list, const struct pstmt *s,
                            const struct pstmt *stop) {
    struct pstmt *own = copy_statements(x->uc, s, stop, NULL, NULL);
    const bool *written = find_written(x->uc, x->plan, own);
    int *here = count_mentions(x->uc, x->plan, own);
    for (; list != s; list = list->next)
        if (list->kind == PS_SET)
            here[list->var->id]++;
    int i = 0;
    while (i < x->plan->nvars && (!written[i] || here[i] == x->mentions[i]))
        i++;
    return i == x->plan->nvars;
}

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR || s->kind == PS_LOOP ? WALK_STOP : WALK_IN;
}

static enum walk note_dim(const struct pval *v, void *dims) {
    if (v->kind == PV_DIM && v->operand < 64)
        *(uint64_t *)dims |= UINT64_C(1) << v->operand;
    return WALK_IN;
}

static enum walk note_bounds(const struct pstmt *s, void *dims) {
    struct pstmt bounds = {.ranges = s->ranges, .lo = s->lo, .hi = s->hi, .step = s->step};
    stmt_values(&bounds, note_dim, dims);
    return WALK_IN;
}

/* The dimensions that a statement goes over, a bit each. */
static uint64_t dims_of(const struct pstmt *s) {
    uint64_t dims = 0;
    stmt_walk(s, &(struct plan_visitor){.stmt = note_bounds}, &dims);
    return dims;
}

/* Do many threads go over loops in s? */
static bool is_shared(const struct pstmt *s) {
    const struct pstmt *points = s->kind == PS_SPREAD ? s : s->shared;
    return s->deal != NULL ||
           (points != NULL && points->kind == PS_SPREAD && points->accs == NULL &&
            constant_points(points->ranges) == INT64_MAX && has_loop(points->body));
}

/* Whether a loop of a version of the body may be long, as threads share loops beside it that go
 * over a dimension more: the runtime finds which version takes less. */
static bool is_beside_longer(const struct plan *p, const struct pstmt *list,
                             const struct pstmt *loop) {
    const uint64_t own = dims_of(loop);
    bool longer = false;
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        longer = longer || (s != loop && is_shared(s) && (dims_of(s) & ~own) != 0);
    return p->stores && p->steps == NULL && longer;
}

bool may_be_single(const struct sharer *x, const struct pstmt *list, struct pstmt *s,
                   struct pstmt **last) {
    struct pstmt *own = copy_statements(x->uc, s, s->next, NULL, NULL);
    struct single single = {x->plan, unknown_intervals(x->uc, x->plan),
                            is_beside_longer(x->plan, list, s)};
    if (s->kind == PS_SPREAD || plan_walk(own, &(struct plan_visitor){.stmt = find_loop}, NULL) ||
        !is_short(&single, own, 1, SINGLE_STEPS))
        return false;
    *last = s;
    for (int behind = 0; behind <= SINGLE_BEHIND; behind++) {
        struct pstmt *next = (*last)->next;
        if (keeps_variables(x, list, s, next))
            return true;
        if (next == NULL || next->kind == PS_FOR ||
            !is_short(&single, copy_statements(x->uc, next, next->next, NULL, NULL), 1, 1))
            return false;
        *last = next;
    }
    return false;
}

/* Has a thread run the loops of a list that threads could share. */
static void run_alone(struct pstmt *list) {
    for (; list != NULL; list = list->next) {
        list->shared = NULL;
        run_alone(list->body);
        run_alone(list->other);
    }
}

struct pstmt *single_point(struct uc *uc, struct plan *p, struct pstmt *list, struct span at) {
    struct pstmt *spread = NEW(uc, struct pstmt);
    struct pvar *var = plan_variable(uc, p, "single", DT_INT64);
    struct pval *bound[2] = {plan_number(uc, 0), plan_number(uc, 1)};
    *spread = (struct pstmt){.kind = PS_SPREAD, .at = at, .outermost = true};
    run_alone(list);
    spread->body = list;
    spread->ranges = NEW(uc, struct prange);
    *spread->ranges = (struct prange){.var = var, .lo = bound[0], .hi = bound[1], .step = bound[1]};
    add_serial_loop(uc, spread);
    return spread;
}

/* ---- beside what all of a GPU shares */

static enum walk find_same(const struct pval *v, void *place) {
    return same_value(v, place) ? WALK_STOP : WALK_IN;
}

struct told {
    const struct pvar *index; /* of the loop */
    bool *sets, *within;      /* variables that are set; indices of loops in it */
    bool own, inner;          /* subscripts have the loop's index; those of loops in it */
};

static enum walk find_told_place(const struct pval *v, void *arg) {
    struct told *x = arg;
    bool var = v->kind == PV_VAR;
    x->own = x->own || (var && v->var == x->index);
    x->inner = x->inner || (var && x->within[v->var->id]);
    return v->kind == PV_ELEM || (var && x->sets[v->var->id]) ? WALK_STOP : WALK_IN;
}

static enum walk note_sets(const struct pstmt *s, void *arg) {
    const struct told *x = arg;
    if (s->kind == PS_SET)
        x->sets[s->var->id] = true;
    if (s->kind == PS_FOR)
        x->within[s->var->id] = true;
    return WALK_IN;
}

static enum walk find_update(const struct pstmt *s, void *arg) {
    struct told *x = arg;
    bool updates = s->kind == PS_PUT && !value_walk(s->value, find_same, s->place);
    x->own = x->inner = false;
    for (int i = 0; updates && i < s->place->nargs; i++)
        if (!value_walk(s->place->args[i], find_told_place, x))
            return WALK_STOP;
    return x->inner && !x->own ? WALK_STOP : WALK_IN;
}

bool updates_bins(const struct sharer *x, const struct pstmt *loop) {
    struct told told = {.index = loop->var,
                        .sets = NEWN(x->uc, bool, x->plan->nvars + 1),
                        .within = NEWN(x->uc, bool, x->plan->nvars + 1)};
    plan_walk(loop->body, &(struct plan_visitor){.stmt = note_sets}, &told);
    return loop->kind == PS_FOR && loop->accs == NULL &&
           !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_update}, &told);
}

static enum walk find_long_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR && constant_steps(s) < 0 ? WALK_STOP : WALK_IN;
}

/* Has a definition or loop many points, or a few each of which has a long loop? */
static bool takes_long(const struct pstmt *s) {
    const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
    return constant_points(s->kind == PS_SPREAD ? s->ranges : &r) == INT64_MAX ||
           !plan_walk(s->body, &(struct plan_visitor){.stmt = find_long_loop}, NULL);
}

/* Is some statement of a list, other than the loop, one that all of a GPU may share, and that does
 * more than to fill an array? */
static bool has_wide(const struct sharer *x, struct pstmt *s, const struct pstmt *loop) {
    const struct plan_visitor reads = {.value = find_any_element};
    for (; s != NULL; s = s->next) {
        if (s != loop && updates_bins(x, s))
            return true;
        bool shared = s->kind == PS_SPREAD || (s->kind == PS_FOR && s->accs == NULL &&
                                               has_loop(s->body) && is_independent(x, s));
        bool wide = shared && takes_long(s);
        for (const struct pstmt *in = s->body; wide && in != NULL; in = in->next)
            if (in->value != NULL && !value_walk(in->value, find_any_element, NULL))
                return true;
        for (const struct pstmt *in = s->body; wide && in != NULL; in = in->next)
            if (!plan_walk(in->body, &reads, NULL))
                return true;
    }
    return false;
}

bool is_beside_wide(const struct sharer *x, const struct pstmt *s) {
    const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
    bool is_long = s->kind == PS_FOR && constant_points(&r) == INT64_MAX;
    return has_wide(x, is_long ? x->plan->body->body : s->next, s);
}
