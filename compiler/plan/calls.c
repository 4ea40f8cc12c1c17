/* calls.c: a version of a body of several statements, whose rows are calls.  Where all of the
 * body's definitions run over the same dimension, and what they compute for an index of it depends
 * on that index alone, as the rows of a matrix that is normalised, a call of m rows is m calls of a
 * row each: the dimension is one of the loop's.  Then kernels that have a call each read a row
 * once, while in phases each statement reads all of them; and of the steps of ordered loops each
 * row has its own, so that no thread waits for those of other rows.  The rows may be columns, too,
 * over which each step of an ordered loop runs: then threads that have a column each go through
 * them together, and access neighbours. */
#include "plan.h"

enum { MAX_ROW_LOOPS = 8 };

struct rows {
    const struct plan *plan;
    const struct dim *dim;
    struct sharer x;
    const struct pstmt
        *loop[MAX_ROW_LOOPS]; /* over the dimension, whose order makes no difference */
    int n;
    const struct pvar *row; /* the index, in the definition at hand; NULL: outside of definitions */
};

/* The core axis of an operand that is of a dimension; -1: none. */
static int axis_of(const struct poperand *operand, const struct dim *dim) {
    int axis = operand->rank - 1;
    while (axis >= 0 && operand->dims[axis] != dim)
        axis--;
    return axis;
}

static bool is_row(const struct rows *r, const struct pval *v) {
    return v->kind == PV_VAR && r->row != NULL && v->var == r->row;
}

/* Stops at what depends on the row's number other than by being an element of the row. */
static enum walk find_other(const struct pval *v, void *arg) {
    const struct rows *r = arg;
    if (is_row(r, v))
        return WALK_STOP;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    int axis = axis_of(&r->plan->operands[v->operand], r->dim);
    for (int i = 0; i < v->nargs; i++)
        if (i == axis ? !is_row(r, v->args[i]) : !value_walk(v->args[i], find_other, arg))
            return WALK_STOP;
    return WALK_PAST;
}

static bool is_over(const struct pval *lo, const struct pval *hi, const struct pval *step,
                    const struct dim *dim) {
    return lo->kind == PV_CONST && lo->i == 0 && step->kind == PV_CONST && step->i == 1 &&
           hi->kind == PV_DIM && hi->operand == dim->index;
}

/* The range of a definition that runs over a dimension; NULL: none does. */
static struct prange **range_of(struct pstmt *s, const struct dim *dim) {
    struct prange **at = &s->ranges;
    while (*at != NULL && !is_over((*at)->lo, (*at)->hi, (*at)->step, dim))
        at = &(*at)->next;
    return *at != NULL ? at : NULL;
}

/* Whether an operand has one axis of the dimension, or an input none. */
static bool fits_operand(const struct plan *p, int k, const struct dim *dim) {
    const struct poperand *operand = &p->operands[k];
    int axis = axis_of(operand, dim);
    for (int i = 0; i < axis; i++)
        if (operand->dims[i] == dim)
            return false;
    return axis >= 0 || !operand->is_output;
}

static enum walk find_merged(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged ? WALK_STOP : WALK_IN;
}

/* Whether a PS_FOR is a definition over the dimension.  loop: the outermost one around it, which is
 * ordered, or NULL. */
static bool is_row_loop(struct rows *r, struct pstmt *s, struct pstmt *loop) {
    return s->kind == PS_FOR && s->accs == NULL && r->n < MAX_ROW_LOOPS &&
           is_over(s->lo, s->hi, s->step, r->dim) &&
           (loop == NULL || !is_independent(&r->x, loop)) && is_independent(&r->x, s) &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = find_merged}, NULL);
}

/* Whether a list computes each index of the dimension by itself; *more: becomes true where it
 * computes more than a point of it.  loop: the outermost one around the list, or NULL.  Bounds of
 * ordered loops, and conditions, are the same for all indices. */
static bool has_rows_in(struct rows *r, struct pstmt *list, struct pstmt *loop, bool *more) {
    const struct plan_visitor own = {.value = find_other, .joined = true};
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        r->row = NULL;
        if (is_row_loop(r, s, loop)) {
            r->row = s->var;
            r->loop[r->n++] = s;
            if (!plan_walk(s->body, &own, r))
                return false;
            *more = *more || loop != NULL || has_loop(s->body);
            continue;
        }
        if (s->kind == PS_FOR || s->kind == PS_IF) {
            if (!stmt_values(s, find_other, r) ||
                !has_rows_in(r, s->body, loop == NULL && s->kind == PS_FOR ? s : loop, more) ||
                !has_rows_in(r, s->other, loop, more))
                return false;
            continue;
        }
        struct prange **at = NULL;
        if (s->kind == PS_SPREAD && s->accs == NULL && !s->ordered && !s->merged)
            at = range_of(s, r->dim);
        if (at == NULL && s->kind != PS_SET)
            return false;
        r->row = at != NULL ? (*at)->var : NULL;
        if (!stmt_walk(s, &own, r))
            return false;
        *more =
            *more || (at != NULL && (loop != NULL || s->ranges->next != NULL || has_loop(s->body)));
    }
    return true;
}

/* Whether the body computes each index of a dimension by itself, and more than a point of it. */
static bool has_rows(const struct lower *l, struct rows *r, const struct dim *dim) {
    struct plan *p = l->plan;
    *r = (struct rows){.plan = p, .dim = dim};
    r->x = (struct sharer){.uc = l->uc, .plan = p, .mentions = count_mentions(l->uc, p, p->body)};
    bool more = false;
    if (dim->size >= 0 || dim->optional || dim->expr != NULL)
        return false;
    for (int k = 0; k < p->noperands; k++)
        if (!fits_operand(p, k, dim))
            return false;
    return has_rows_in(r, p->body->body, NULL, &more) && more;
}

static enum walk find_scan(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR && s->accs != NULL ? WALK_STOP : WALK_IN;
}

bool has_passes(const struct plan *p) {
    bool scans = !plan_walk(p->body, &(struct plan_visitor){.stmt = find_scan}, NULL);
    bool passes = p->map.in_phases && (p->map.phases > 1 || scans);
    return (passes || has_step_arrays(p)) && p->nlocals == 0;
}

/* An ordered loop at the points of a definition. */
struct row_steps {
    const struct prange *points;
    const struct pvar *step;
};

static enum walk find_step(const struct pval *v, void *step) {
    return v->kind == PV_VAR && v->var == *(const struct pvar **)step ? WALK_STOP : WALK_IN;
}

static bool is_of_points(const struct row_steps *x, const struct pval *v) {
    const struct prange *r = x->points;
    while (r != NULL && value_walk(v, find_step, (void *)&r->var))
        r = r->next;
    return r != NULL;
}

/* Finds an element of a point's row, along which the loop goes. */
static enum walk find_row_element(const struct pval *v, void *arg) {
    const struct row_steps *x = arg;
    int by = 0;
    bool along = v->kind == PV_ELEM && v->nargs > 1 &&
                 value_grows(v->args[v->nargs - 1], x->step, &by) && (by == 1 || by == -1);
    for (int i = 0; along && i < v->nargs - 1; i++)
        if (is_of_points(x, v->args[i]))
            return WALK_STOP;
    return WALK_IN;
}

static enum walk find_row_loop(const struct pstmt *s, void *arg) {
    struct row_steps x = *(struct row_steps *)arg;
    x.step = s->var;
    bool goes_along = s->kind == PS_FOR &&
                      !plan_walk(s->body, &(struct plan_visitor){.value = find_row_element}, &x);
    return goes_along ? WALK_STOP : WALK_IN;
}

static enum walk find_row_steps(const struct pstmt *s, void *none) {
    (void)none;
    if (s->kind != PS_SPREAD)
        return WALK_IN;
    struct row_steps x = {.points = s->ranges};
    return plan_walk(s->body, &(struct plan_visitor){.stmt = find_row_loop}, &x) ? WALK_PAST
                                                                                 : WALK_STOP;
}

bool has_row_steps(const struct plan *p) {
    return p->nlocals == 0 &&
           !plan_walk(p->body, &(struct plan_visitor){.stmt = find_row_steps}, NULL);
}

/* ---- the version */

struct taking {
    struct plan *plan;
    struct pvar **value; /* by operand: the variable that an intermediate becomes; NULL: none */
    uint64_t operands;   /* those that lose their axis, a bit each */
    int axes[UFC_MAX_OPERANDS]; /* which one, by operand */
};

static enum walk take_axis(const struct pval *v, void *arg) {
    const struct taking *t = arg;
    struct pval *own = (struct pval *)(void *)v;
    if (v->kind != PV_ELEM || !(t->operands >> v->operand & 1) ||
        v->nargs == t->plan->operands[v->operand].rank) /* a value may be in several places */
        return WALK_IN;
    own->nargs--;
    for (int i = t->axes[v->operand]; i < own->nargs; i++)
        own->args[i] = own->args[i + 1];
    if (t->value[v->operand] != NULL) {
        own->kind = PV_VAR;
        own->var = t->value[v->operand];
    }
    return WALK_IN;
}

/* What was stored to an intermediate of a single element is set. */
static enum walk take_put(const struct pstmt *s, void *arg) {
    const struct taking *t = arg;
    struct pstmt *own = (struct pstmt *)(void *)s;
    if (s->kind == PS_PUT && t->value[s->place->operand] != NULL) {
        own->kind = PS_SET;
        own->var = t->value[s->place->operand];
        own->place = NULL;
    }
    return WALK_IN;
}

/* Takes the statements of a definition without ranges in its place.  Gives the place behind them.
 */
static struct pstmt **unwrap(struct pstmt **at) {
    struct pstmt *s = *at;
    *at = s->body;
    for (; *at != NULL; at = &(*at)->next)
        (*at)->outermost = (*at)->kind == PS_SPREAD;
    *at = s->next;
    return at;
}

static bool is_taken(const struct rows *r, const struct pstmt *s) {
    int i = 0;
    while (i < r->n && r->loop[i] != s)
        i++;
    return i < r->n;
}

/* Takes the dimension's ranges from the definitions of a list. */
static void take_ranges(struct pstmt **at, const struct rows *r) {
    while (*at != NULL) {
        struct pstmt *s = *at;
        struct prange **range = s->kind == PS_SPREAD ? range_of(s, r->dim) : NULL;
        if (is_taken(r, s)) {
            at = unwrap(at);
            continue;
        }
        if (s->kind != PS_SPREAD) {
            take_ranges(&s->body, r);
            take_ranges(&s->other, r);
        }
        if (range != NULL)
            *range = (*range)->next;
        at = range != NULL && s->ranges == NULL ? unwrap(at) : &s->next;
    }
}

static void take_rows(struct lower *l, const struct rows *r) {
    const struct dim *dim = r->dim;
    struct plan *p = l->plan;
    struct taking t = {.plan = p, .value = NEWN(l->uc, struct pvar *, p->noperands)};
    for (int k = 0; k < p->noperands; k++) {
        struct poperand *operand = &p->operands[k];
        int axis = t.axes[k] = axis_of(operand, dim);
        if (axis < 0)
            continue;
        t.operands |= UINT64_C(1) << k;
        operand->rank--;
        for (int i = axis; i < operand->rank; i++)
            operand->dims[i] = operand->dims[i + 1];
        if (operand->rank == 0 && k >= p->nin + p->overload->nout) {
            t.value[k] = &variable_new(l, operand->name, operand->dtype)->pvar;
            t.value[k]->rounds = operand->dtype;
            p->in_place |= UINT32_C(1) << (k - p->nin - p->overload->nout);
        }
    }
    plan_walk(p->body->body, &(struct plan_visitor){.stmt = take_put, .joined = true}, &t);
    plan_walk(p->body->body, &(struct plan_visitor){.value = take_axis, .joined = true}, &t);
    take_ranges(&p->body->body, r);
}

bool rows_to_calls(struct lower *l) {
    struct rows r;
    bool any = false;
    for (const struct dim *dim = l->plan->overload->decl->dims; dim != NULL; dim = dim->next)
        if (has_rows(l, &r, dim)) {
            take_rows(l, &r);
            any = true;
        }
    return any;
}
