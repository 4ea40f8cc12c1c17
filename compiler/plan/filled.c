/* filled.c: arrays whose elements begin with a number, and that statements over all points then
 * change or add to, each point its own element:
 *
 *     var w: float32[n, n]
 *     for i in 0..n { for j in 0..n { if i != j { w[i, j] = f(i, j) } } }
 *
 * At each point the number is the first value of a variable, which is stored behind what the point
 * does.  So nobody stores the numbers before, or loads them. */
#include "apart.h"

struct filling {
    struct lower *l;
    int operand;
    const struct pval *number, *place; /* place: of all accesses at a point */
    bool stores;
};

static bool is_array(const struct filling *f, const struct pval *v) {
    return v->kind == PV_ELEM && v->operand == f->operand;
}

static enum walk find_place(const struct pval *v, void *arg) {
    struct filling *f = arg;
    if (!is_array(f, v))
        return WALK_IN;
    f->place = f->place == NULL ? v : f->place;
    return same_value(v, f->place) ? WALK_IN : WALK_STOP;
}

/* Stops at what a variable cannot take the place of. */
static enum walk find_other_put(const struct pstmt *s, void *arg) {
    struct filling *f = arg;
    bool put = s->kind == PS_PUT && s->operand == f->operand, within = false;
    if (s->kind == PS_SPREAD)
        within = is_put(s->body, f->operand) || is_put(s->joined, f->operand);
    if (within || s->kind == PS_CLEAR || (put && (s->merged || s->value->dtype != s->place->dtype)))
        return WALK_STOP;
    f->stores = f->stores || put;
    return WALK_IN;
}

/* Are all accesses to the array in a list its point's own? */
static bool has_own_element(struct filling *f, struct pstmt *list, const struct enclosing *around) {
    const struct plan_visitor visitor = {
        .stmt = find_other_put, .value = find_place, .joined = true};
    f->stores = false;
    f->place = NULL;
    return plan_walk(list, &visitor, f) && f->stores &&
           are_all_places(f->l->plan, around, f->place);
}

/* The list of a point, in loops of which each has all accesses to the array in one statement; NULL:
 * they are other ones. */
static struct pstmt **find_points(struct filling *f, struct pstmt **list,
                                  const struct enclosing *around, int depth) {
    const struct plan *p = f->l->plan;
    struct pstmt *s = *list;
    if (depth >= p->operands[f->operand].rank)
        return has_own_element(f, *list, around) ? list : NULL;
    while (s != NULL && !has_array(s, f->operand))
        s = s->next;
    if (s == NULL || s->kind != PS_FOR || s->accs != NULL || have_array(s->next, f->operand) ||
        find_written(f->l->uc, p, s->body)[s->var->id])
        return NULL;
    const struct enclosing own = {s, around};
    return find_points(f, &s->body, &own, depth + 1);
}

/* The same of a definition; r: its ranges that are not around yet. */
static struct pstmt **find_defined(struct filling *f, struct pstmt *s, const struct prange *r,
                                   const struct enclosing *around, int depth) {
    if (r == NULL)
        return find_points(f, &s->body, around, depth);
    const struct pstmt loop = {
        .kind = PS_FOR, .var = r->var, .lo = r->lo, .hi = r->hi, .step = r->step};
    const struct enclosing own = {&loop, around};
    return find_defined(f, s, r->next, &own, depth + 1);
}

/* ---- numbers */

/* The statements of a point of a loop or definition that does nothing but set elements to numbers;
 * NULL: it does more. */
static struct pstmt **numbers_of(struct pstmt *s) {
    struct pstmt **list = &s->body;
    if (s->kind == PS_SPREAD && (s->accs != NULL || s->merged))
        return NULL;
    while (s->kind == PS_FOR && *list != NULL && (*list)->kind == PS_FOR && (*list)->next == NULL)
        list = &(*list)->body;
    const struct pstmt *put = s->kind == PS_FOR || s->kind == PS_SPREAD ? *list : NULL;
    if (put == NULL)
        return NULL;
    while (put != NULL && put->kind == PS_PUT && put->value->kind == PV_CONST && !put->merged)
        put = put->next;
    return put == NULL ? list : NULL;
}

/* Whether a put of a fill sets all elements of an array that may be one of variables, and the only
 * one of the fill that does. */
static bool is_filled(struct lower *l, struct pstmt *fill, const struct pstmt *put) {
    const struct plan *p = l->plan;
    enum ufc_dtype dtype = put->place->dtype;
    struct pstmt own = *fill, *list = NEW(l->uc, struct pstmt);
    if (put->operand < p->nin || put->operand >= p->noperands || is_half(dtype) ||
        is_complex(dtype) || put->value->dtype != dtype)
        return false;
    if (fill->kind == PS_FOR)
        return fills_array(l->uc, p, fill, put->operand);
    *list = *put;
    list->next = NULL;
    own.body = list;
    return fills_array(l->uc, p, &own, put->operand);
}

/* ---- the variable */

static void use_variable(const struct filling *f, struct pval *v, struct pvar *var) {
    for (int i = 0; v != NULL && i < v->nargs; i++)
        use_variable(f, v->args[i], var);
    if (v != NULL && is_array(f, v))
        *v = (struct pval){.kind = PV_VAR, .dtype = v->dtype, .var = var};
}

static void use_in_list(const struct filling *f, struct pstmt *s, struct pvar *var) {
    for (; s != NULL; s = s->next) {
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        if (s->kind == PS_PUT && s->operand == f->operand) {
            s->kind = PS_SET;
            s->var = var;
            s->place = NULL;
        }
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            use_variable(f, *values[i], var);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            use_in_list(f, *lists[i], var);
    }
}

/* Has a point set a variable to the number before its first access, and store it behind the last
 * one. */
static void keep(const struct filling *f, struct pstmt **list, struct span at) {
    struct lower *l = f->l;
    const char *name = l->plan->operands[f->operand].name;
    struct pval *place = NEW(l->uc, struct pval), *v = value_new(l, PV_VAR, f->place->dtype);
    struct variable *own = variable_new(l, name, f->place->dtype);
    struct pstmt *last = NULL, *next;
    *place = *f->place;
    v->var = &own->pvar;
    while (!has_array(*list, f->operand))
        list = &(*list)->next;
    for (struct pstmt *s = *list; s != NULL; s = s->next)
        last = has_array(s, f->operand) ? s : last;
    use_in_list(f, *list, v->var);
    next = last->next;
    l->end = &last->next;
    emit_put(l, place, v, at);
    *l->end = next;
    next = *list;
    l->end = list;
    emit_set(l, own, (struct pval *)(uintptr_t)f->number, at);
    *l->end = next;
}

/* Has the statement behind a fill that accesses its array first keep it.  False: it is another one.
 */
static bool keep_behind(struct lower *l, const struct pstmt *fill, const struct pstmt *put) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    struct filling f = {.l = l, .operand = put->operand, .number = put->value};
    struct pstmt *s = fill->next;
    while (s != NULL && !has_array(s, f.operand) && stmt_walk(s, &jumps, NULL))
        s = s->next;
    if (s == NULL || !stmt_walk(s, &jumps, NULL))
        return false;
    struct pstmt alone = *s, *list = &alone, **points = NULL;
    alone.next = NULL;
    if (s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !s->ordered)
        points = find_defined(&f, s, s->ranges, NULL, 0);
    else if (s->kind == PS_FOR)
        points = find_points(&f, &list, NULL, 0);
    points = points == &alone.body ? &s->body : points;
    if (points == NULL || points == &list)
        return false;
    keep(&f, points, s->at);
    return true;
}

static void keep_in_list(struct lower *l, struct pstmt **list) {
    while (*list != NULL) {
        struct pstmt *s = *list, **numbers = numbers_of(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (struct pstmt **put = numbers; put != NULL && *put != NULL;)
            if (is_filled(l, s, *put) && keep_behind(l, s, *put))
                *put = (*put)->next;
            else
                put = &(*put)->next;
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            keep_in_list(l, lists[i]);
        if (numbers != NULL && *numbers == NULL)
            *list = s->next;
        else
            list = &s->next;
    }
}

void keep_filled(struct lower *l) {
    struct plan *p = l->plan;
    if (p->overload->decl->kind == DECL_GUFUNC && !p->checked)
        keep_in_list(l, &p->body->body);
}
