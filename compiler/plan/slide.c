/* slide.c: reductions, and ordered loops that take terms, whose elements slide: y[i + k] at point k
 * and index i is what the next point reads at the index before.  A thread of NEST that has several
 * points, and takes several indices in turn, loads each such element once. */
#include "plan.h"

struct search {
    const struct plan *plan;
    const struct pstmt *body; /* of the reduction, or the loop, */
    const struct pvar *index; /* and its index */
    const struct pvar *point;
    const struct varying *varying;
    struct slides *slides;
};

/* Does a body, which is assignments, set a variable? */
static bool is_set_within(const struct pstmt *body, const struct pvar *var) {
    const struct pstmt *s = body;
    while (s != NULL && s->var != var)
        s = s->next;
    return s != NULL;
}

/* Stops at a variable that may differ from point to point or from index to index, other than the
 * two indices. */
static enum walk find_other(const struct pval *v, void *arg) {
    const struct search *x = arg;
    if (v->kind != PV_VAR)
        return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
    bool index = v->var == x->point || v->var == x->index;
    bool other = x->varying->vars[v->var->id] || is_set_within(x->body, v->var);
    return other && !index ? WALK_STOP : WALK_IN;
}

/* Is v an element of the same array as one that is known, at the same place? */
static bool is_known(const struct slides *slides, const struct pval *v) {
    for (int i = 0; i < slides->n; i++)
        if (same_value(slides->row[i].place, v))
            return true;
    return false;
}

/* Do vectors hold elements of a type? */
static bool is_plain(enum ufc_dtype d) {
    return d == DT_FLOAT32 || d == DT_FLOAT64 || d == DT_INT32 || d == DT_UINT32 || d == DT_INT64 ||
           d == DT_UINT64;
}

static enum walk add_place(const struct pval *v, void *arg) {
    const struct search *x = arg;
    struct slide_place row = {.place = v, .axis = -1};
    if (v->kind != PV_ELEM || v->operand >= x->plan->noperands || x->slides->n == MAX_SLIDES ||
        is_known(x->slides, v))
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++) {
        int by, at_point;
        if (!value_walk(v->args[i], find_other, arg) || !value_grows(v->args[i], x->index, &by) ||
            !value_grows(v->args[i], x->point, &at_point) || by < 0 || by > 1 ||
            (by == 1 && row.axis >= 0) || (at_point != 0 && (by == 0 || at_point != 1)))
            return WALK_IN;
        if (by == 1) {
            row.axis = i;
            row.shifts = at_point == 1;
        }
    }
    int bytes = (int)dtype_info[v->dtype].bits / 8;
    if (row.axis < 0 || !is_plain(v->dtype))
        return WALK_IN;
    x->slides->row[x->slides->n++] = row;
    x->slides->any = x->slides->any || row.shifts;
    if (bytes > x->slides->widest)
        x->slides->widest = bytes;
    return WALK_IN;
}

bool find_slides(const struct plan *p, const struct pstmt *s, const struct pvar *point,
                 const struct varying *varying, struct slides *slides) {
    const struct prange *r = s->ranges;
    const struct pval *step = r != NULL ? r->step : s->step;
    struct search x = {p, s->body, r != NULL ? r->var : s->var, point, varying, slides};
    *slides = (struct slides){.n = 0};
    if ((r != NULL && r->next != NULL) || step->kind != PV_CONST || step->i != 1 || s->ordered)
        return false;
    for (const struct pstmt *b = s->body; b != NULL; b = b->next)
        if (b->kind != PS_SET)
            return false;
    plan_walk(s->body, &(struct plan_visitor){.value = add_place}, &x);
    return slides->any;
}
