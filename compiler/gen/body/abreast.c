/* abreast.c: several points of a PS_SPREAD at once: a loop in its body whose bounds they share runs
 * once, with a copy of its statements for each.  What is loaded there for all is loaded once. */
#include "build.h"

/* Finds what is left early, or belongs to one point alone. */
static enum walk find_apart(const struct pstmt *s, void *none) {
    (void)none;
    bool apart = s->kind == PS_CLEAR || s->kind == PS_LEAVE || s->kind == PS_LOOP ||
                 s->kind == PS_BLOCK || s->kind == PS_PUT;
    return apart ? WALK_STOP : WALK_IN;
}

/* Finds a reduction whose length is not known, and the same for all points. */
static enum walk find_shared(const struct pstmt *s, void *arg) {
    const struct varying *varying = *(const struct varying *const *)arg;
    bool shared = s->kind == PS_SPREAD, fixed = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        shared = shared && !value_varies(varying, r->lo) && !value_varies(varying, r->hi) &&
                 !value_varies(varying, r->step);
        fixed = fixed && r->lo->kind == PV_CONST && r->hi->kind == PV_CONST;
    }
    return shared && !fixed ? WALK_STOP : WALK_IN;
}

static enum walk find_read(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->kind == PS_SET && s->var == var ? WALK_STOP : WALK_IN;
}

static bool mentions(const struct pstmt *s, const struct pvar *var) {
    static const struct plan_visitor visitor = {.stmt = find_set, .value = find_read};
    return !stmt_walk(s, &visitor, (void *)var);
}

/* Whether an acc may take the points' values one after the other, a statement for all of them
 * before the next statement: no list has two that read or set it. */
static bool takes_in_turn(const struct pstmt *list, const struct pvar *acc) {
    int n = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        n += mentions(s, acc);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            if (!takes_in_turn(*lists[i], acc))
                return false;
    }
    return n <= 1;
}

/* Gives each point its own slots of the variables that vary, but of those in `one`, by id. */
static void find_slots(struct gen *g, struct abreast *a, const bool *one) {
    int n = g->plan->nvars;
    for (int k = 0; k < a->points; k++) {
        a->slot[k] = NEWN(g->uc, LLVMValueRef, n);
        for (int i = 0; i < n; i++) {
            bool own = k > 0 && a->varying->vars[i] && !one[i];
            LLVMValueRef slot = g->vars[i].slot;
            a->slot[k][i] = own ? gen_alloca(g, LLVMGetAllocatedType(slot), "abreast") : slot;
        }
    }
}

/* The same where there are points abreast already, `outer`: each of a's is then at each of these.
 */
static void find_products(struct gen *g, struct abreast *a, const struct abreast *outer,
                          const bool *one) {
    int n = g->plan->nvars, each = a->points;
    struct varying *both = nothing_varies(g->uc, g->plan, LANES_POINTS);
    for (int i = 0; i < n; i++)
        both->vars[i] = a->varying->vars[i] || outer->varying->vars[i];
    for (int k = 0; k < each * outer->points; k++) {
        LLVMValueRef *const *of = &outer->slot[k / each];
        a->slot[k] = NEWN(g->uc, LLVMValueRef, n);
        for (int i = 0; i < n; i++) {
            bool own = k % each > 0 && a->varying->vars[i] && !one[i];
            bool same = k >= each && (*of)[i] == outer->slot[0][i];
            a->slot[k][i] = !own   ? (*of)[i]
                            : same ? a->slot[k % each][i]
                                   : gen_alloca(g, LLVMGetAllocatedType((*of)[i]), "abreast");
        }
    }
    a->points *= outer->points;
    a->outer = outer;
    a->inner = a->varying;
    a->varying = both;
}

bool abreast_begin(struct gen *g, struct abreast *a, const struct pstmt *s) {
    static const struct plan_visitor apart = {.stmt = find_apart}, shared = {.stmt = find_shared};
    if (s->accs == NULL || s->ordered || s->ranges->next != NULL || gen_is_checked(s->body) ||
        (g->abreast != NULL && (g->abreast->outer != NULL || g->abreast->points > MAX_ABREAST)) ||
        !plan_walk(s->body, &apart, NULL))
        return false;
    const struct varying *varying = find_varying_within(g->uc, g->plan, s, false);
    if (plan_walk(s->body, &shared, &varying))
        return false;
    bool *one = NEWN(g->uc, bool, g->plan->nvars);
    for (const struct pacc *acc = s->accs; acc != NULL; acc = acc->next) {
        one[acc->acc->id] = true;
        if (!takes_in_turn(s->body, acc->acc))
            return false;
    }
    *a = (struct abreast){.points = ABREAST_POINTS, .varying = varying};
    if (g->abreast != NULL)
        find_products(g, a, g->abreast, one);
    else
        find_slots(g, a, one);
    return true;
}

struct parted {
    bool *one, *own; /* by id */
};

/* Of a reduction that threads share, all that is abreast is at the same point, wherever it ends;
 * and has accs of its own, which are joined, even of what does not differ. */
static enum walk find_parted(const struct pstmt *s, void *arg) {
    const struct parted *x = arg;
    if (!s->parted)
        return WALK_IN;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        x->one[r->var->id] = true;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        x->own[a->acc->id] = x->own[a->other->id] = true;
    return WALK_IN;
}

void abreast_begin_points(struct gen *g, struct abreast *a, const struct pstmt *s,
                          const struct pvar *var, const struct pvar *other, int n) {
    struct varying *varying = nothing_varies(g->uc, g->plan, LANES_POINTS);
    struct parted x = {.one = NEWN(g->uc, bool, g->plan->nvars), .own = varying->vars};
    varying->vars[var->id] = true;
    if (other != NULL)
        varying->vars[other->id] = true;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_parted}, &x);
    vary_by(g->uc, varying, s->body);
    *a = (struct abreast){.points = n, .varying = varying};
    find_slots(g, a, x.one);
}

void abreast_take(struct gen *g, const struct abreast *a, int k) {
    for (int i = 0; i < g->plan->nvars; i++)
        g->vars[i].slot = a->slot[k][i];
    g->point = k;
}

struct abreast abreast_at_inner(const struct abreast *a, int k) {
    int outer = a->outer->points, each = a->points / outer;
    struct abreast at = {.points = outer, .varying = a->outer->varying};
    for (int o = 0; o < outer; o++)
        at.slot[o] = a->slot[o * each + k];
    return at;
}

struct abreast abreast_at_outer(const struct abreast *a, int k) {
    int each = a->points / a->outer->points;
    struct abreast at = {.points = each, .varying = a->inner};
    for (int i = 0; i < each; i++)
        at.slot[i] = a->slot[k * each + i];
    return at;
}

/* Threads that share a reduction find where each point's ends; one alone has a loop. */
static bool ranges_differ(const struct varying *v, const struct pstmt *s) {
    bool differ = false;
    for (const struct prange *r = s->parted ? NULL : s->ranges; r != NULL; r = r->next)
        differ =
            differ || value_varies(v, r->lo) || value_varies(v, r->hi) || value_varies(v, r->step);
    return differ;
}

bool statement_differs(const struct varying *v, const struct pstmt *s) {
    switch (s->kind) {
    case PS_SET: return v->vars[s->var->id] || value_varies(v, s->value);
    case PS_IF: return value_varies(v, s->value);
    case PS_PUT: return true;
    case PS_FOR:
        return value_varies(v, s->lo) || value_varies(v, s->hi) || value_varies(v, s->step);
    case PS_SPREAD: return ranges_differ(v, s);
    default: return false;
    }
}
