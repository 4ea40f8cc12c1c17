/* plan_distribute.c: a version of a body in which loops are distributed.  Of
 *
 *     for i in 0..n { let s = sum(x[i, j] for j); y[i, j] = x[i, j] / s for j }
 *
 * whose iterations may run in any order, the reductions are taken out, each with what follows from
 * it, as definitions of arrays of the call, and the loop's other statements become definitions of
 * their own.  Then each has a schedule of its own, on all of a GPU, where the loop has one thread,
 * warp or block for an iteration.  What is taken out has to be written and read, so that the
 * runtime chooses between the versions by the sizes. */
#include "plan.h"

enum role { STAYS, NEEDED, TAKEN };

/* A reduction of a loop that is taken out, and the loop's statements. */
struct taking {
    struct lower *l;
    struct pstmt *loop;
    struct pstmt **list; /* the statements of its body */
    enum role *role;     /* of each: NEEDED is copied, as what is taken out needs it */
    bool **written;      /* of each: the variables that it sets */
    int **mentions;      /* of each: how often it mentions variables */
    int n, at;           /* how many there are; the reduction's place */
    int nvars;           /* of the plan, before anything was copied */
    bool *set;           /* the variables that what is taken out sets */
};

static struct taking taking_new(struct lower *l, struct pstmt *loop) {
    struct taking t = {.l = l, .loop = loop, .nvars = l->plan->nvars};
    int owned = count_owned(l->plan);
    for (const struct pstmt *s = loop->body; s != NULL; s = s->next)
        t.n++;
    t.list = NEWN(l->uc, struct pstmt *, t.n + 1);
    t.role = NEWN(l->uc, enum role, t.n + 1);
    t.written = NEWN(l->uc, bool *, t.n + 1);
    t.mentions = NEWN(l->uc, int *, t.n + 1);
    t.set = NEWN(l->uc, bool, owned + 1);
    int i = 0;
    for (struct pstmt *s = loop->body; s != NULL; s = s->next, i++) {
        struct pstmt only = *s;
        only.next = NULL;
        t.list[i] = s;
        t.written[i] = find_written(l->uc, l->plan, &only);
        t.mentions[i] = count_mentions(l->uc, l->plan, &only);
    }
    return t;
}

/* Whether a statement, with those inside it, stores to an operand. */
static bool stores_to(const struct pstmt *s, int operand) {
    struct pstmt only = *s;
    only.next = NULL;
    return is_put(&only, operand);
}

/* ---- what is taken out with a reduction */

static bool mentions_set(const struct taking *t, int i) {
    for (int v = 0; v < t->nvars; v++)
        if (t->set[v] && t->mentions[i][v] > 0)
            return true;
    return false;
}

/* Whether what is taken out, or what that needs, mentions a variable. */
static bool is_mentioned(const struct taking *t, const struct pvar *var) {
    for (int i = 0; i < t->n; i++)
        if (t->role[i] != STAYS && t->mentions[i][var->id] > 0)
            return true;
    return false;
}

/* Gives the statements their roles. */
static void find_roles(struct taking *t) {
    for (int i = 0; i < t->n; i++)
        t->role[i] = STAYS;
    for (int v = 0; v < t->nvars; v++)
        t->set[v] = t->written[t->at][v];
    t->role[t->at] = TAKEN;
    int end = t->at + 1;
    for (; end < t->n && t->list[end]->kind == PS_SET; end++)
        if (mentions_set(t, end)) {
            t->role[end] = TAKEN;
            t->set[t->list[end]->var->id] = true;
        }
    for (int i = end; i-- > 0;)
        if (t->role[i] == STAYS && t->list[i]->kind == PS_SET && is_mentioned(t, t->list[i]->var))
            t->role[i] = NEEDED;
}

struct reading {
    const struct taking *t;
    bool *known; /* variables that what is read may be of */
};

static enum walk find_unknown(const struct pval *v, void *arg) {
    const struct reading *r = arg;
    const struct plan *p = r->t->l->plan;
    if (v->kind == PV_VAR)
        return r->known[v->var->id] ? WALK_IN : WALK_STOP;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    if (v->operand >= p->noperands || v->checked != 0)
        return WALK_STOP;
    for (int i = 0; i < r->t->at; i++) /* an element that the iteration may have stored before */
        if (stores_to(r->t->list[i], v->operand))
            return WALK_STOP;
    return WALK_IN;
}

/* Adds the variables that a statement has for its points, and for joining them. */
static enum walk add_own(const struct pstmt *s, void *known) {
    bool *of = known;
    if (s->var != NULL)
        of[s->var->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        of[r->var->id] = true;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        of[a->other->id] = true;
    return WALK_IN;
}

/* Whether what is taken out is made of inputs, of what the loop does not set, and of one another,
 * each set before. */
static bool is_made_of_known(const struct taking *t) {
    const struct plan_visitor own = {.stmt = add_own, .joined = true},
                              reads = {.value = find_unknown, .joined = true};
    struct reading r = {t, NEWN(t->l->uc, bool, t->nvars + 1)};
    const bool *in_loop = find_written(t->l->uc, t->l->plan, t->loop->body);
    for (int v = 0; v < t->nvars; v++)
        r.known[v] = !in_loop[v];
    for (int i = 0; i < t->n; i++) {
        const struct pstmt *s = t->list[i];
        if (t->role[i] == STAYS)
            continue;
        for (const struct pacc *a = s->accs; a != NULL; a = a->next)
            if (!r.known[a->acc->id])
                return false;
        if (s->kind != PS_SET)
            stmt_walk(s, &own, r.known);
        if (!stmt_walk(s, &reads, &r))
            return false;
        if (s->kind == PS_SET)
            r.known[s->var->id] = true;
    }
    return true;
}

/* Whether variables that are set by what is taken out, or needed, are set by nothing else, and not
 * used but behind it in the same iteration. */
static bool are_own(const struct taking *t, const int *whole) {
    for (int v = 0; v < t->nvars; v++) {
        bool needed = false;
        int within = 0;
        for (int i = 0; i < t->n; i++) {
            needed = needed || (t->role[i] == NEEDED && t->written[i][v]);
            within += t->mentions[i][v];
        }
        for (int i = 0; i < t->n; i++)
            if (t->role[i] == STAYS && ((t->written[i][v] && (needed || t->set[v])) ||
                                        (i < t->at && t->set[v] && t->mentions[i][v] > 0)))
                return false;
        if (t->set[v] && within != whole[v])
            return false;
    }
    return true;
}

/* ---- taking it out */

/* How often the statements that stay mention a variable. */
static int count_left(const struct taking *t, int var) {
    int n = 0;
    for (int i = 0; i < t->n; i++)
        n += t->role[i] == STAYS || (t->role[i] == NEEDED && !t->set[t->list[i]->var->id])
                 ? t->mentions[i][var]
                 : 0;
    return n;
}

/* Whether the variables that the loop still uses can be elements; n: how many they are. */
static bool are_storable(const struct taking *t, int *n) {
    *n = 0;
    for (const struct pvar *v = t->l->plan->vars; v != NULL; v = v->next) {
        if (!t->set[v->id] || count_left(t, v->id) == 0)
            continue;
        if (v->dtype == DT_BOOL || is_half(v->dtype))
            return false;
        ++*n;
    }
    return *n > 0;
}

struct replacing {
    const struct pvar *var;
    struct pval *by;
};

static enum walk replace(const struct pval *v, void *arg) {
    const struct replacing *r = arg;
    if (v->kind == PV_VAR && v->var == r->var)
        *(struct pval *)(void *)v = *r->by; /* a value may be in several places */
    return v->kind == PV_ELEM && v->operand == r->by->operand ? WALK_PAST : WALK_IN;
}

/* The statements that stay, with elements for what is taken out; of what that needed, what they
 * need too. */
static struct pstmt *rest_of(struct taking *t) {
    struct pstmt *first = NULL, **end = &first;
    for (int i = t->n; i-- > 0;)
        if (t->role[i] == NEEDED &&
            count_left(t, t->list[i]->var->id) == t->mentions[i][t->list[i]->var->id])
            t->role[i] = TAKEN;
    for (int i = 0; i < t->n; i++)
        if (t->role[i] == STAYS || (t->role[i] == NEEDED && !t->set[t->list[i]->var->id])) {
            *end = t->list[i];
            end = &(*end)->next;
        }
    *end = NULL;
    return first;
}

/* A definition over the loop's range of what is taken out and of what that needs, with variables of
 * its own. */
static struct pstmt *definition(const struct taking *t, const struct copy *c) {
    const struct pstmt *loop = t->loop;
    const struct prange range = {
        .var = loop->var, .lo = loop->lo, .hi = loop->hi, .step = loop->step};
    struct pstmt *s = NEW(t->l->uc, struct pstmt), **end = &s->body;
    *s = (struct pstmt){.kind = PS_SPREAD, .at = loop->at, .outermost = true};
    s->ranges = copy_ranges(c, &range);
    for (int i = 0; i < t->n; i++)
        if (t->role[i] != STAYS) {
            *end = copy_stmt(c, t->list[i]);
            end = &(*end)->next;
        }
    enclose_spreads(s->body);
    return s;
}

/* Lets the definition s store what the variable v is there, and the loop read it. */
static void store(const struct taking *t, struct overload *o, struct pstmt *s, const struct pvar *v,
                  struct pvar *copy) {
    struct lower *l = t->l;
    const struct prange own = {.var = t->loop->var};
    struct pval *value = value_new(l, PV_VAR, v->dtype);
    struct pstmt **end = &s->body;
    int k = add_stored_array(l, o, v->dtype, s->ranges);
    while (*end != NULL)
        end = &(*end)->next;
    value->var = copy;
    l->end = end;
    emit_put(l, stored_element(l, k, s->ranges), value, s->at);
    plan_walk(t->loop->body, &(struct plan_visitor){.value = replace, .joined = true},
              &(struct replacing){v, stored_element(l, k, &own)});
}

/* Takes the reduction out, before *at.  False: it may not be. */
static bool take(struct taking *t, struct overload *o, struct pstmt **at, const int *whole) {
    struct lower *l = t->l;
    int n;
    find_roles(t);
    if (!is_made_of_known(t) || !are_own(t, whole) || !are_storable(t, &n) ||
        !has_stored_room(l->plan, n))
        return false;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, t->nvars + 1)};
    struct pstmt *s = definition(t, &c);
    bool *left = NEWN(l->uc, bool, t->nvars + 1);
    for (int v = 0; v < t->nvars; v++)
        left[v] = t->set[v] && count_left(t, v) > 0;
    t->loop->body = rest_of(t);
    for (struct pvar *v = l->plan->vars; v != NULL && v->id < t->nvars; v = v->next)
        if (left[v->id])
            store(t, o, s, v, c.vars[v->id]);
    s->next = *at;
    *at = s;
    return true;
}

/* ---- loops */

/* Whether a loop is over the elements of a dimension, and all of its iterations run to their end.
 */
static bool is_plain(const struct lower *l, const struct pstmt *loop) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    return loop->kind == PS_FOR && loop->lo->kind == PV_CONST && loop->lo->i == 0 &&
           loop->step->kind == PV_CONST && loop->step->i == 1 && loop->hi->kind == PV_DIM &&
           plan_walk(loop->body, &jumps, NULL) &&
           !find_written(l->uc, l->plan, loop->body)[loop->var->id];
}

/* Whether a statement is a reduction of more points than are one straight code. */
static bool is_long(const struct pstmt *s) {
    return is_reduction(s) && constant_points(s->ranges) > UNROLLED_POINTS;
}

static bool has_long(const struct pstmt *list) {
    while (list != NULL && !is_long(list))
        list = list->next;
    return list != NULL;
}

/* Takes out the reductions of the loop at *at.  Gives how many they were; *at remains the loop's
 * place, behind them. */
static int take_all(struct lower *l, struct overload *o, struct pstmt ***at) {
    struct pstmt *loop = **at;
    int taken = 0;
    for (bool again = true; again;) {
        struct taking t = taking_new(l, loop);
        const int *whole = count_mentions(l->uc, l->plan, l->plan->body);
        again = false;
        for (t.at = 0; t.at < t.n && !again; t.at++)
            if (is_long(t.list[t.at]) && take(&t, o, *at, whole)) {
                *at = &(**at)->next;
                taken++;
                again = true;
                break;
            }
    }
    return taken;
}

static enum walk find_merged(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT && s->merged ? WALK_STOP : WALK_IN;
}

/* ---- what is left of a loop */

/* Stops at an element that the loop stores. */
static enum walk find_put_element(const struct pval *v, void *arg) {
    const struct taking *t = arg;
    return v->kind == PV_ELEM && is_put(t->loop->body, v->operand) ? WALK_STOP : WALK_IN;
}

/* Whether variables pass from one of the loop's statements to others by assignments alone, which
 * give the same wherever they are computed. */
static bool are_separate(const struct taking *t) {
    for (int i = 0; i < t->n; i++)
        if (t->list[i]->kind == PS_SET && !stmt_values(t->list[i], find_put_element, (void *)t))
            return false;
    for (int v = 0; v < t->nvars; v++)
        for (int i = 0; i < t->n; i++)
            for (int k = 0; k < t->n && t->list[i]->kind != PS_SET && t->written[i][v]; k++)
                if (k != i && t->mentions[k][v] > 0)
                    return false;
    return true;
}

/* Statement `at` and the assignments that it needs, as a loop of their own. */
static struct pstmt *alone(struct taking *t) {
    struct copy c = {.l = t->l, .vars = NEWN(t->l->uc, struct pvar *, t->l->plan->nvars + 1)};
    struct pstmt *loop = NEW(t->l->uc, struct pstmt), **end = &loop->body;
    for (int i = 0; i < t->n; i++)
        t->role[i] = i == t->at ? TAKEN : STAYS;
    for (int i = t->at; i-- > 0;)
        if (t->list[i]->kind == PS_SET && is_mentioned(t, t->list[i]->var))
            t->role[i] = NEEDED;
    for (int v = 0; v < t->nvars; v++)
        t->set[v] = t->written[t->at][v];
    *loop = *t->loop;
    loop->next = NULL;
    const struct prange range = {
        .var = loop->var, .lo = loop->lo, .hi = loop->hi, .step = loop->step};
    loop->var = copy_ranges(&c, &range)->var;
    for (int i = 0; i < t->n; i++)
        if (t->role[i] != STAYS) {
            *end = copy_stmt(&c, t->list[i]);
            end = &(*end)->next;
        }
    *end = NULL;
    return loop;
}

/* A loop of a definition alone, as one of more ranges. */
static struct pstmt *widened(struct lower *l, const struct pstmt *loop) {
    struct pstmt *s = loop->body;
    bool rectangular = s->kind == PS_SPREAD && s->accs == NULL && s->next == NULL;
    int n = 1;
    for (const struct prange *r = rectangular ? s->ranges : NULL; r != NULL; r = r->next, n++)
        rectangular = rectangular && value_walk(r->lo, find_variable, loop->var) &&
                      value_walk(r->hi, find_variable, loop->var);
    if (!rectangular || n > UFC_MAX_POINT_RANGES)
        return NULL;
    struct prange *outer = NEW(l->uc, struct prange);
    *outer = (struct prange){
        .var = loop->var, .lo = loop->lo, .hi = loop->hi, .step = loop->step, .next = s->ranges};
    s->ranges = outer;
    s->outermost = true;
    return s;
}

/* Puts spreads of a loop's statements in its place.  Gives the place behind them. */
static struct pstmt **spread_rest(struct lower *l, struct pstmt **at) {
    struct pstmt *loop = *at, *rest = loop->next, *first = NULL, **end = &first;
    struct taking t = taking_new(l, loop);
    bool apart = are_separate(&t);
    *at = rest;
    for (t.at = 0; t.at < t.n; t.at++) {
        if (apart && t.list[t.at]->kind == PS_SET)
            continue;
        struct sharer x = {.uc = l->uc, .plan = l->plan, .end = end};
        struct pstmt *own = apart ? alone(&t) : loop, *wide = apart ? widened(l, own) : NULL;
        *at = own; /* its variables are mentioned in the body */
        add_serial_loops(l->uc, own);
        x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
        *at = rest;
        if (wide != NULL)
            *end = wide;
        else if (loop_to_spreads(&x, own))
            end = x.end;
        else
            *end = own;
        while (*end != NULL)
            end = &(*end)->next;
        if (!apart)
            break;
    }
    *end = rest;
    *at = first != NULL ? first : rest;
    return first != NULL ? end : at;
}

/* Whether the operands that have a dimension have it first, as rows. */
static bool has_it_first(const struct plan *p, const struct pval *size) {
    for (int k = 0; k < p->noperands; k++)
        for (int i = 1; i < p->operands[k].rank; i++)
            if (p->operands[k].dims[i]->index == size->operand)
                return false;
    return true;
}

/* Whether a loop's iterations may run in any order, and none merges what it stores. */
static bool is_free(const struct sharer *x, struct pstmt *loop) {
    struct pstmt *rest = loop->next;
    loop->next = NULL;
    add_serial_loops(x->uc, loop); /* which is_independent goes through */
    loop->next = rest;
    return is_independent(x, loop) &&
           plan_walk(loop->body, &(struct plan_visitor){.stmt = find_merged}, NULL);
}

bool distribute_loops(struct lower *l, struct overload *o, bool *rows) {
    struct pstmt **at = &l->plan->body->body;
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    int taken = 0;
    *rows = true;
    while (*at != NULL) {
        struct pstmt *loop = *at;
        bool plain = has_long(loop->body) && is_plain(l, loop);
        if (plain && x.mentions == NULL)
            x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
        int here = plain && is_free(&x, loop) ? take_all(l, o, &at) : 0;
        if (here == 0) {
            at = &loop->next;
            continue;
        }
        *rows = *rows && has_it_first(l->plan, loop->hi);
        at = spread_rest(l, at);
        taken += here;
        x.mentions = NULL; /* there are other variables */
    }
    return taken > 0;
}
