/* cell.c: an element that a point stores first, and that a loop there then joins numbers to, is
 * kept in a variable while the point is computed, and stored once behind that:
 *
 *     c[i, j] = inf
 *     for k in i..j { c[i, j] = min(c[i, j], c[i, k] + c[k + 1, j]) }
 *
 * The loop is then one that takes a total, and so a reduction.  So are elements that are stored
 * elsewhere before, where the loops are all that the point does, and become such. */
#include "linear.h"
#include "total.h"

struct cell {
    const struct candidate *c;  /* the accesses of the loop whose iterations are points */
    const struct pval *place;   /* of the element */
    const bool *written;        /* find_written of what follows the first store, and it */
    const struct pval *skipped; /* a place that is stored to */
    struct pval *by;            /* what is read instead; NULL: nothing yet */
    bool read;                  /* it is read */
};

static bool is_element(const struct cell *x, const struct pval *v) {
    return v->kind == PV_ELEM && same_value(v, x->place);
}

/* ---- whether there is one */

/* Whether two places are different elements in any one iteration, as one subscript is always below
 * the other, wherever loops in it are. */
static bool are_apart(const struct candidate *c, const struct pval *a, const struct pval *b) {
    for (int i = 0; i < a->nargs; i++) {
        struct linear least, greatest, other;
        if (!linear_of(c, a->args[i], &least) || !linear_of(c, b->args[i], &other) ||
            !linear_subtract(&least, &other))
            continue;
        greatest = least;
        if ((linear_extreme(c, c->own + 1, c->nindices, false, &least) &&
             linear_is_number(&least) && least.plus > 0) ||
            (linear_extreme(c, c->own + 1, c->nindices, true, &greatest) &&
             linear_is_number(&greatest) && greatest.plus < 0))
            return true;
    }
    return are_always_apart(c, a, b);
}

/* Is the element the one that s, with all in it, accesses of its array? */
static enum walk find_other(const struct pval *v, void *arg) {
    struct cell *x = arg;
    if (v->kind != PV_ELEM || v->operand != x->place->operand || v == x->skipped)
        return WALK_IN;
    return is_element(x, v) || are_apart(x->c, x->place, v) ? WALK_IN : WALK_STOP;
}

static enum walk find_more(const struct pstmt *s, void *arg) {
    struct cell *x = arg;
    bool plain = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT || s->kind == PS_FOR ||
                 (s->kind == PS_SPREAD && s->accs != NULL);
    x->skipped = s->place;
    bool fits = plain && !s->sole &&
                (s->kind != PS_PUT || s->operand != x->place->operand || is_element(x, s->place));
    return fits ? WALK_IN : WALK_STOP;
}

static enum walk find_set(const struct pval *v, void *written) {
    bool changes = v->kind == PV_ELEM || (v->kind == PV_VAR && ((const bool *)written)[v->var->id]);
    return changes ? WALK_STOP : WALK_IN;
}

static bool stays(const struct cell *x) {
    for (int i = 0; i < x->place->nargs; i++)
        if (!value_walk(x->place->args[i], find_set, (void *)(uintptr_t)x->written))
            return false;
    return true;
}

/* Does a list join numbers to the element, or choose it by comparing it, and do nothing else with
 * it?  *any: it does something. */
static bool joins(const struct cell *x, const struct pstmt *list, bool chosen, bool *any) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct pval *v = s->value;
        if (s->kind == PS_PUT && s->operand == x->place->operand) {
            bool joined = v->nargs == 2 && join_of_value(v) >= 0 &&
                          (is_element(x, v->args[0]) || is_element(x, v->args[1]));
            if (!joined && !chosen)
                return false;
            *any = true;
        }
        bool compares = s->kind == PS_IF && v->kind == PV_OP &&
                        (v->op == OP_LT || v->op == OP_GT) &&
                        (is_element(x, v->args[0]) || is_element(x, v->args[1]));
        if (!joins(x, s->body, chosen || compares, any) || !joins(x, s->other, chosen, any))
            return false;
    }
    return true;
}

/* The first statement of a list that stores, behind assignments alone. */
static struct pstmt *first_store(struct pstmt *list) {
    while (list != NULL && list->kind == PS_SET)
        list = list->next;
    return list != NULL && list->kind == PS_PUT ? list : NULL;
}

static bool is_cell(struct uc *uc, const struct plan *p, struct cell *x, struct pstmt *first) {
    const struct plan_visitor visitor = {.stmt = find_more, .value = find_other, .joined = true};
    enum ufc_dtype d = first->place->dtype;
    bool any = false;
    x->place = first->place;
    x->written = find_written(uc, p, first);
    if (first->operand >= p->noperands || first->place->nargs == 0 || first->place->checked != 0 ||
        first->value->dtype != d || is_complex(d) || is_half(d) || d == DT_BOOL || !stays(x))
        return false;
    if (first->merged) /* by iterations of a loop around, too, which are in any order as they are */
        return false;
    for (const struct pstmt *s = first->next; s != NULL; s = s->next)
        if (s->kind == PS_FOR && !joins(x, s->body, false, &any))
            return false;
    return any && plan_walk(first, &visitor, x);
}

/* ---- the variable */

static void replace_in(struct cell *x, struct pval *v) {
    if (v == NULL)
        return;
    if (is_element(x, v)) {
        *v = *x->by;
        x->read = true;
        return;
    }
    for (int i = 0; i < v->nargs; i++)
        replace_in(x, v->args[i]);
}

static enum walk replace_values(const struct pstmt *s, void *arg) {
    struct cell *x = arg;
    struct pval *const *const values[] = PSTMT_VALUES(s);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (*values[i] != s->place)
            replace_in(x, *values[i]);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        replace_in(x, r->lo);
        replace_in(x, r->hi);
    }
    if (s->kind == PS_PUT && is_element(x, s->place)) {
        struct pstmt *set = (struct pstmt *)(uintptr_t)s;
        set->kind = PS_SET;
        set->var = x->by->var;
        set->place = NULL;
        set->merged = false;
    }
    return WALK_IN;
}

/* Sets the variable before `first`, which stored the element and now sets it, and stores it behind
 * the list that *at is of. */
static void keep_at(struct lower *l, struct cell *cell, struct pstmt **at) {
    struct pstmt *first = *at;
    struct pval *place = first->place, *before = NEW(l->uc, struct pval);
    struct variable *kept = variable_new(l, l->plan->operands[place->operand].name, place->dtype);
    *before = *place;
    cell->by = &kept->value;
    cell->read = false;
    first->place = NULL;
    first->kind = PS_SET;
    first->var = &kept->pvar;
    first->merged = false;
    replace_in(cell, first->value);
    if (cell->read) {
        l->end = at;
        emit_set(l, kept, before, first->at);
        *l->end = first;
    }
    plan_walk(first->next, &(struct plan_visitor){.stmt = replace_values, .joined = true}, cell);
    l->end = &first->next;
    while (*l->end != NULL)
        l->end = &(*l->end)->next;
    emit_put(l, place, &kept->value, first->at);
}

/* The accesses of the iterations of a loop, which are points. */
static const struct candidate *find_points(const struct sharer *x, struct lower *l,
                                           struct pstmt *loop) {
    struct sharer own = *x;
    struct toucher *sets = NEW(l->uc, struct toucher);
    *sets = toucher_new(l->uc, l->plan);
    own.sets = sets;
    return find_candidate(&own, loop);
}

struct pstmt *keep_cell(const struct sharer *x, struct lower *l, struct pstmt *loop) {
    struct uc *uc = l->uc;
    struct cell cell = {.c = NULL};
    if (first_store(loop->body) == NULL || !has_loop(loop->body))
        return NULL;
    cell.c = find_points(x, l, loop);
    if (cell.c == NULL)
        return NULL;
    struct pstmt *list = copy_statements(uc, loop->body, NULL, NULL, NULL), **at = &list;
    struct pstmt *first = first_store(list);
    if (!is_cell(uc, l->plan, &cell, first))
        return NULL;
    while (*at != first)
        at = &(*at)->next;
    keep_at(l, &cell, at);
    return list;
}

/* ---- elements that were stored before */

/* Is the place one of an element that there surely is, whatever the point's loops do? */
static bool is_there(const struct cell *x, const struct pval *place) {
    const struct plan *p = x->c->plan;
    bool is = place->operand < p->noperands && place->nargs > 0;
    for (int i = 0; is && i < place->nargs; i++)
        is = is_always_within(x->c, place->args[i], p->operands[place->operand].dims[i]);
    return is;
}

/* Finds a store to such an element, which only this point accesses. */
static enum walk find_joined(const struct pstmt *s, void *arg) {
    struct cell *x = arg;
    if (s->kind != PS_PUT || s->merged || !is_there(x, s->place))
        return WALK_IN;
    x->place = s->place;
    return WALK_STOP;
}

/* Keeps an element that loops of a list store to, which begins with one. */
static bool keep_joined(struct lower *l, struct cell *x, struct pstmt **list) {
    if (plan_walk(*list, &(struct plan_visitor){.stmt = find_joined}, x))
        return false;
    struct pstmt *first = NEW(l->uc, struct pstmt);
    struct pval *place = NEW(l->uc, struct pval), *value = NEW(l->uc, struct pval);
    *place = *value = *x->place;
    *first = (struct pstmt){.kind = PS_PUT,
                            .at = (*list)->at,
                            .operand = place->operand,
                            .place = place,
                            .value = value,
                            .next = *list};
    if (!is_cell(l->uc, l->plan, x, first))
        return false;
    *list = first;
    keep_at(l, x, list);
    (*list)->next = first->next; /* it sets the variable to itself */
    return true;
}

static bool are_loops(const struct pstmt *list) {
    while (list != NULL && list->kind == PS_FOR)
        list = list->next;
    return list == NULL;
}

/* Do the loops of a list take totals, and nothing else? */
static bool take_totals_alone(struct lower *l, struct pstmt *list) {
    for (; list != NULL; list = list->next)
        if (list->kind == PS_FOR && !has_loop_totals(l, list))
            return false;
    return true;
}

bool keep_cells(const struct sharer *x, struct lower *l, struct pstmt *loop) {
    struct pstmt *before = loop->body, *list = keep_cell(x, l, loop);
    struct cell cell = {.c = NULL};
    if (list == NULL && before != NULL && are_loops(before))
        cell.c = find_points(x, l, loop);
    if (list == NULL && cell.c == NULL)
        return false;
    if (list == NULL)
        list = copy_statements(l->uc, before, NULL, NULL, NULL);
    for (struct pstmt **at = &list; cell.c != NULL && keep_joined(l, &cell, at);)
        while ((*at)->kind != PS_FOR)
            at = &(*at)->next;
    loop->body = list;
    if (cell.c != NULL && !take_totals_alone(l, list))
        loop->body = before;
    return loop->body != before;
}
