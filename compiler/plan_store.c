/* plan_store.c: what reductions within reductions give is stored first.
 * Where a call, or each point of a definition, reduces something that is itself a reduction at each
 * point, a definition comes first that stores the inner reductions in an array of the call, and the
 * outer one reads them.  Where they are read more than once that is always done.  Else it makes
 * another version of the body, in which both have schedules of their own; what is stored has to be
 * written and read, so that the runtime chooses between the versions by the sizes. */
#include "plan.h"

enum { MAX_STORED = 4 };

/* A reduction within one of a statement of the body. */
struct nested {
    const struct prange *points; /* of the definition; NULL: the outer one is of the call */
    const struct pstmt *first;   /* what is assigned at a point, up to the outer reduction */
    struct pstmt *outer, *inner;
    struct pstmt *whole; /* the statement of the body */
    struct plan *plan;
    const struct pstmt **needed; /* the assignments that the inner one depends on, in order */
    int nneeded;
    struct prange *ranges; /* of the points and of the outer one, those that it depends on */
};

/* The reduction that is the first statement of a list but for assignments; NULL: another one is. */
static struct pstmt *reduction_of(struct pstmt *s) {
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    bool is = s != NULL && s->kind == PS_SPREAD && s->accs != NULL && !s->ordered;
    return is ? s : NULL;
}

/* Counts ranges that are whole dimensions, UFC_MAX_POINT_RANGES + 1 where there are others. */
static int count_dims(const struct prange *r) {
    int n = 0;
    for (; r != NULL && n <= UFC_MAX_POINT_RANGES; r = r->next, n++)
        if (r->lo->kind != PV_CONST || r->lo->i != 0 || r->step->kind != PV_CONST ||
            r->step->i != 1 || r->hi->kind != PV_DIM)
            return UFC_MAX_POINT_RANGES + 1;
    return n;
}

/* Stops at what the outer reduction sets, and at arrays that the statement stores to. */
static enum walk find_dependence(const struct pval *v, void *arg) {
    const struct nested *n = arg;
    for (const struct pacc *a = n->outer->accs; a != NULL; a = a->next)
        if (v->kind == PV_VAR && v->var == a->acc)
            return WALK_STOP;
    bool array = v->kind == PV_ELEM && (v->operand >= n->plan->noperands ||
                                        is_put(n->whole, v->operand) || v->checked != 0);
    return array ? WALK_STOP : WALK_IN;
}

static enum walk find_jump(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE || s->kind == PS_BLOCK || s->kind == PS_CLEAR ? WALK_STOP : WALK_IN;
}

static enum walk find_variable(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Does the inner reduction, or an assignment that it needs, use the variable? */
static bool depends_on(const struct nested *n, struct pvar *var) {
    const struct plan_visitor uses = {.value = find_variable, .joined = true};
    bool is = !stmt_walk(n->inner, &uses, var);
    for (const struct pacc *a = n->inner->accs; a != NULL; a = a->next)
        is = is || a->acc == var;
    for (int i = 0; i < n->nneeded && !is; i++)
        is = !stmt_values(n->needed[i], find_variable, var);
    return is;
}

/* Adds the needed ones of a list's assignments up to `end`, the last one first. */
static void add_needed(struct nested *n, const struct pstmt *list, const struct pstmt *end) {
    if (list == end)
        return;
    add_needed(n, list->next, end);
    if (depends_on(n, list->var))
        n->needed[n->nneeded++] = list;
}

static int count_up_to(const struct pstmt *list, const struct pstmt *end) {
    int count = 0;
    for (; list != end; list = list->next)
        count++;
    return count;
}

static void find_needed(struct uc *uc, struct nested *n) {
    const struct pstmt *end = n->points != NULL ? n->outer : n->first;
    int most = count_up_to(n->first, end) + count_up_to(n->outer->body, n->inner);
    n->needed = NEWN(uc, const struct pstmt *, most + 1);
    add_needed(n, n->outer->body, n->inner);
    add_needed(n, n->first, end);
    for (int i = 0; i < n->nneeded / 2; i++) {
        const struct pstmt *other = n->needed[n->nneeded - 1 - i];
        n->needed[n->nneeded - 1 - i] = n->needed[i];
        n->needed[i] = other;
    }
}

static void find_ranges(struct uc *uc, struct nested *n) {
    const struct prange *const lists[] = {n->points, n->outer->ranges};
    struct prange **end = &n->ranges;
    for (int i = 0; i < 2; i++)
        for (const struct prange *r = lists[i]; r != NULL; r = r->next)
            if (depends_on(n, r->var)) {
                *end = NEW(uc, struct prange);
                **end = (struct prange){.lo = r->lo, .hi = r->hi, .step = r->step, .var = r->var};
                end = &(*end)->next;
            }
}

/* Whether all depends on the ranges, and on inputs, alone. */
static bool is_apart(struct nested *n) {
    const struct plan_visitor values = {.value = find_dependence, .joined = true},
                              jumps = {.stmt = find_jump};
    for (int i = 0; i < n->nneeded; i++)
        if (!stmt_values(n->needed[i], find_dependence, n))
            return false;
    return stmt_walk(n->inner, &values, n) && stmt_walk(n->inner, &jumps, NULL);
}

static bool find_nested(struct lower *l, struct pstmt *s, struct nested *n) {
    *n = (struct nested){.whole = s, .plan = l->plan};
    if (s->kind != PS_SPREAD)
        return false;
    n->points = s->accs == NULL ? s->ranges : NULL;
    n->first = s->accs == NULL ? s->body : NULL;
    n->outer = s->accs == NULL ? reduction_of(s->body) : reduction_of(s);
    n->inner = n->outer != NULL ? reduction_of(n->outer->body) : NULL;
    if (n->inner == NULL || n->inner->accs->next != NULL || n->inner->accs->acc->dtype == DT_BOOL ||
        constant_points(n->inner->ranges) <= UNROLLED_POINTS)
        return false;
    find_needed(l->uc, n);
    find_ranges(l->uc, n);
    int dims = count_dims(n->ranges);
    return dims > 0 && dims <= UFC_MAX_POINT_RANGES && dims <= MAX_CORE_RANK && is_apart(n);
}

static bool has_room(const struct plan *p) {
    return !p->checked && p->nlocals == 0 && p->noperands + MAX_STORED <= UFC_MAX_OPERANDS / 2;
}

bool has_nested(struct lower *l) {
    struct nested n;
    struct pstmt *s = has_room(l->plan) ? l->plan->body->body : NULL;
    while (s != NULL && !find_nested(l, s, &n))
        s = s->next;
    return s != NULL;
}

/* ---- the version */

static const struct dim *dim_of(const struct decl *d, const struct pval *size) {
    const struct dim *dim = d->dims;
    while (dim->index != size->operand)
        dim = dim->next;
    return dim;
}

/* Adds an array of the call, with an element for each point of the ranges. */
static int add_array(struct lower *l, const struct nested *n, struct overload *o) {
    struct plan *p = l->plan;
    int k = p->noperands;
    struct poperand *more = NEWN(l->uc, struct poperand, k + 1);
    for (int i = 0; i < k; i++)
        more[i] = p->operands[i];
    more[k] =
        (struct poperand){.name = "stored", .dtype = n->inner->accs->acc->dtype, .is_output = true};
    for (const struct prange *r = n->ranges; r != NULL; r = r->next)
        more[k].dims[more[k].rank++] = dim_of(o->decl, r->hi);
    o->dtypes[k] = (uint8_t)more[k].dtype;
    o->nintermediates++;
    p->operands = more;
    return p->noperands++;
}

/* Its element at the indices of the ranges. */
static struct pval *element(struct lower *l, int k, const struct prange *r) {
    struct pval *v = value_new(l, PV_ELEM, l->plan->operands[k].dtype);
    v->operand = k;
    for (; r != NULL; r = r->next) {
        v->args[v->nargs] = value_new(l, PV_VAR, DT_INT64);
        v->args[v->nargs++]->var = r->var;
    }
    return v;
}

/* The definition of the array's elements, but for the statement that stores them; *v becomes their
 * value. */
static struct pstmt *definition(struct lower *l, const struct nested *n, struct pval **v) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pstmt *s = NEW(l->uc, struct pstmt), **end = &s->body;
    *s = (struct pstmt){.kind = PS_SPREAD, .at = n->inner->at, .outermost = true};
    s->ranges = copy_ranges(&c, n->ranges);
    for (int i = 0; i < n->nneeded; i++) {
        *end = copy_stmt(&c, n->needed[i]);
        end = &(*end)->next;
    }
    *end = copy_stmt(&c, n->inner);
    *v = value_new(l, PV_VAR, n->inner->accs->acc->dtype);
    (*v)->var = c.vars[n->inner->accs->acc->id];
    return s;
}

/* ---- what is stored already */

static enum walk find_changed(const struct pstmt *s, void *arg) {
    const struct pval *v = arg;
    bool put = v->kind == PV_ELEM && s->kind == PS_PUT && s->place->operand == v->operand;
    bool set = v->kind == PV_VAR && s->var == v->var;
    for (const struct pacc *a = s->accs; a != NULL && v->kind == PV_VAR; a = a->next)
        set = set || a->acc == v->var;
    return put || set ? WALK_STOP : WALK_IN;
}

/* What statements of the body between two others may set. */
struct span_of {
    const struct pstmt *from, *to;
};

static enum walk find_stale(const struct pval *v, void *arg) {
    const struct span_of *x = arg;
    for (const struct pstmt *s = x->from; s != x->to; s = s->next)
        if (!stmt_walk(s, &(struct plan_visitor){.stmt = find_changed, .joined = true}, (void *)v))
            return WALK_STOP;
    return WALK_IN;
}

/* Whether the definition of an array, which comes earlier, has what the inner reduction gives. */
static bool is_stored(struct lower *l, const struct nested *n, const struct pstmt *definition) {
    struct renaming x = renaming_new(l);
    struct span_of between = {definition->next, n->whole};
    const struct pstmt *s = definition->body;
    if (!are_same_ranges(&x, n->ranges, definition->ranges))
        return false;
    for (int i = 0; i < n->nneeded; i++, s = s->next)
        if (s->kind != PS_SET || !is_same_stmt(&x, n->needed[i], s))
            return false;
    return s->kind == PS_SPREAD && is_same_stmt(&x, n->inner, s) &&
           plan_walk(definition->body, &(struct plan_visitor){.value = find_stale, .joined = true},
                     &between);
}

/* ---- which are stored */

/* The definitions of stored arrays, which are the plan's last operands. */
struct stored {
    const struct pstmt *definition[MAX_STORED];
    int count;
    bool all; /* those that are read once too */
};

/* The array that has what the inner reduction gives; -1: none. */
static int find_stored(struct lower *l, const struct nested *n, const struct stored *stored) {
    for (int i = 0; i < stored->count; i++)
        if (is_stored(l, n, stored->definition[i]))
            return l->plan->noperands - stored->count + i;
    return -1;
}

/* Whether what a definition, which would come before the statement that n is of, gives is read more
 * than once: at all points of a range on which it does not depend, or by later statements. */
static bool is_read_again(struct lower *l, const struct nested *n, struct pstmt *definition) {
    struct nested other;
    for (const struct prange *r = n->points; r != NULL; r = r->next)
        if (r->hi->kind != PV_CONST && !depends_on(n, r->var))
            return true;
    definition->next = n->whole;
    for (struct pstmt *s = n->whole->next; s != NULL; s = s->next)
        if (find_nested(l, s, &other) && is_stored(l, &other, definition))
            return true;
    return false;
}

/* Adds an array for what the inner reduction gives, and its definition before *at, to which `at` is
 * set.  -1: it is not to be stored. */
static int add_stored(struct lower *l, struct overload *o, const struct nested *n,
                      struct pstmt **at, struct stored *stored) {
    struct pval *v;
    if (stored->count == MAX_STORED)
        return -1;
    struct pstmt *s = definition(l, n, &v), **end = &s->body;
    if (!stored->all && !is_read_again(l, n, s))
        return -1;
    int k = add_array(l, n, o);
    while (*end != NULL)
        end = &(*end)->next;
    l->end = end;
    emit_put(l, element(l, k, s->ranges), v, n->inner->at);
    stored->definition[stored->count++] = s;
    s->next = *at;
    *at = s;
    return k;
}

/* Makes an inner reduction of *at an element of an array that has what it gives.  False: there is
 * none that is to be stored. */
static bool store(struct lower *l, struct overload *o, struct pstmt **at, struct stored *stored) {
    struct nested n;
    if (!find_nested(l, *at, &n))
        return false;
    struct pstmt *inner = n.inner;
    int k = find_stored(l, &n, stored);
    if (k < 0)
        k = add_stored(l, o, &n, at, stored);
    if (k >= 0)
        *inner = (struct pstmt){.kind = PS_SET,
                                .var = inner->accs->acc,
                                .value = element(l, k, n.ranges),
                                .at = inner->at,
                                .next = inner->next};
    return k >= 0;
}

void store_nested(struct lower *l, struct overload *o, bool all) {
    struct stored stored = {.all = all};
    if (!has_room(l->plan))
        return;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next)
        for (struct pstmt *s = *at; store(l, o, at, &stored);)
            while (*at != s)
                at = &(*at)->next;
}
