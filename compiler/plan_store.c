/* plan_store.c: a version of a gufunc's body that stores what reductions within reductions give.
 * Where a call, or each point of a definition, reduces something that is itself a reduction at each
 * point, a definition comes first that stores the inner reductions in an array of the call, and the
 * outer one reads them.  Both then have schedules of their own; what is stored has to be written
 * and read, so that the runtime chooses between the versions by the sizes. */
#include "plan.h"

enum { MAX_STORED = 2 };

/* A reduction within one of a statement of the body. */
struct nested {
    const struct prange *points; /* of the definition; NULL: the outer one is of the call */
    const struct pstmt *first;   /* what is assigned at a point, up to the outer reduction */
    struct pstmt *outer, *inner;
    const struct pstmt *whole; /* the statement of the body */
    struct plan *plan;
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

/* Whether the assignments of a list, up to a reduction of it, depend on the inner one's ranges and
 * on inputs alone. */
static bool is_apart(const struct nested *n, const struct pstmt *list, const struct pstmt *end) {
    for (const struct pstmt *s = list; s != end; s = s->next)
        if (!stmt_values(s, find_dependence, (void *)n))
            return false;
    return true;
}

static bool find_nested(struct plan *p, struct pstmt *s, struct nested *n) {
    const struct plan_visitor values = {.value = find_dependence, .joined = true},
                              jumps = {.stmt = find_jump};
    *n = (struct nested){.whole = s, .plan = p};
    if (s->kind != PS_SPREAD)
        return false;
    n->points = s->accs == NULL ? s->ranges : NULL;
    n->first = s->accs == NULL ? s->body : NULL;
    n->outer = s->accs == NULL ? reduction_of(s->body) : reduction_of(s);
    n->inner = n->outer != NULL ? reduction_of(n->outer->body) : NULL;
    if (n->inner == NULL || n->inner->accs->next != NULL || n->inner->accs->acc->dtype == DT_BOOL ||
        constant_points(n->inner->ranges) <= UNROLLED_POINTS)
        return false;
    int points = count_dims(n->points), outer = count_dims(n->outer->ranges);
    return points + outer <= UFC_MAX_POINT_RANGES && points + outer <= MAX_CORE_RANK &&
           is_apart(n, n->first, n->points != NULL ? n->outer : NULL) &&
           is_apart(n, n->outer->body, n->inner) && stmt_walk(n->inner, &values, n) &&
           stmt_walk(n->inner, &jumps, NULL);
}

bool has_nested(struct plan *p) {
    struct nested n;
    for (struct pstmt *s = p->body->body; s != NULL; s = s->next)
        if (find_nested(p, s, &n))
            return p->nlocals == 0 && p->noperands + MAX_STORED <= UFC_MAX_OPERANDS / 2;
    return false;
}

/* ---- the version */

static const struct dim *dim_of(const struct decl *d, const struct pval *size) {
    const struct dim *dim = d->dims;
    while (dim->index != size->operand)
        dim = dim->next;
    return dim;
}

/* Adds an array of the call, with an element for each point of both lists of ranges. */
static int add_array(struct lower *l, const struct nested *n, struct overload *o) {
    struct plan *p = l->plan;
    int k = p->noperands;
    const struct prange *const lists[] = {n->points, n->outer->ranges};
    struct poperand *more = NEWN(l->uc, struct poperand, k + 1);
    for (int i = 0; i < k; i++)
        more[i] = p->operands[i];
    more[k] =
        (struct poperand){.name = "stored", .dtype = n->inner->accs->acc->dtype, .is_output = true};
    for (int i = 0; i < 2; i++)
        for (const struct prange *r = lists[i]; r != NULL; r = r->next)
            more[k].dims[more[k].rank++] = dim_of(o->decl, r->hi);
    o->dtypes[k] = (uint8_t)more[k].dtype;
    o->nintermediates++;
    p->operands = more;
    return p->noperands++;
}

/* Its element at the indices of lists of ranges; b may be NULL. */
static struct pval *element(struct lower *l, int k, const struct prange *a,
                            const struct prange *b) {
    struct pval *v = value_new(l, PV_ELEM, l->plan->operands[k].dtype);
    const struct prange *const lists[] = {a, b};
    v->operand = k;
    for (int i = 0; i < 2; i++)
        for (const struct prange *r = lists[i]; r != NULL; r = r->next) {
            v->args[v->nargs] = value_new(l, PV_VAR, DT_INT64);
            v->args[v->nargs++]->var = r->var;
        }
    return v;
}

/* The definition of the array's elements. */
static struct pstmt *definition(struct lower *l, const struct nested *n, int k) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pstmt *s = NEW(l->uc, struct pstmt), **end = &s->body;
    *s = (struct pstmt){.kind = PS_SPREAD, .at = n->inner->at, .outermost = true};
    s->ranges = copy_ranges(&c, n->points);
    struct prange **last = &s->ranges;
    while (*last != NULL)
        last = &(*last)->next;
    *last = copy_ranges(&c, n->outer->ranges);
    for (const struct pstmt *f = n->first; f != NULL && f != n->outer; f = f->next) {
        *end = copy_stmt(&c, f);
        end = &(*end)->next;
    }
    for (const struct pstmt *f = n->outer->body; f != n->inner->next; f = f->next) {
        *end = copy_stmt(&c, f);
        end = &(*end)->next;
    }
    struct pval *v = value_new(l, PV_VAR, n->inner->accs->acc->dtype);
    v->var = c.vars[n->inner->accs->acc->id];
    l->end = end;
    emit_put(l, element(l, k, s->ranges, NULL), v, n->inner->at);
    return s;
}

void store_nested(struct lower *l, struct overload *o) {
    struct nested n;
    int stored = 0;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next)
        while (stored < MAX_STORED && find_nested(l->plan, *at, &n)) {
            int k = add_array(l, &n, o);
            struct pstmt *s = definition(l, &n, k), *inner = n.inner;
            *inner = (struct pstmt){.kind = PS_SET,
                                    .var = inner->accs->acc,
                                    .value = element(l, k, n.points, n.outer->ranges),
                                    .at = inner->at,
                                    .next = inner->next};
            s->next = *at;
            *at = s;
            at = &s->next;
            stored++;
        }
    l->plan->stores = true;
}
