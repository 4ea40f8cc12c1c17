/* calls.c: a version of a body of several statements, whose rows are calls.  Where all of the
 * body's definitions run over the same dimension, and what they compute for an index of it depends
 * on that index alone, as the rows of a matrix that is normalised, a call of m rows is m calls of a
 * row each: the dimension is one of the loop's.  Then kernels that have a call each read a row
 * once, while in phases each statement reads all of them; and of the steps of ordered loops each
 * row has its own, so that no thread waits for those of other rows.  The rows may be columns, too,
 * over which each step of an ordered loop runs: then threads that have a column each go through
 * them together, and access neighbours.
 *
 * There an input may have the dimension along which rows are, and belong to all of them, and arrays
 * that the body makes may be square: of these each row has one along the dimension, as of
 *
 *     for t in 0..n { for i in 0..d { ... for j in 0..d { s[i, j] += e * k[t, j] } ... } }
 *
 * whose rows i go on by what is their own, and by k. */
#include <string.h>

#include "plan.h"

enum { MAX_ROW_LOOPS = 8, MAX_ROW_RANGES = 16 };
enum { NO_AXIS = -1, ANY_AXIS = -2 }; /* of rows: an operand has none; that is not known yet */

struct rows {
    const struct plan *plan;
    const struct dim *dim;
    struct sharer x;
    const struct pstmt
        *loop[MAX_ROW_LOOPS];             /* over the dimension, whose order makes no difference */
    struct prange *range[MAX_ROW_RANGES]; /* of definitions */
    int axis[UFC_MAX_OPERANDS];           /* of rows, by operand */
    int n, nranges;
    bool steps;             /* an ordered loop is around some of the loops */
    const struct pvar *row; /* the index, in the definition at hand; NULL: outside of definitions */
};

/* The first core axis of an operand from `from` on that is of a dimension; NO_AXIS: none is. */
static int axis_of(const struct poperand *operand, const struct dim *dim, int from) {
    int axis = from;
    while (axis < operand->rank && operand->dims[axis] != dim)
        axis++;
    return axis < operand->rank ? axis : NO_AXIS;
}

static bool is_row(const struct rows *r, const struct pval *v) {
    return v->kind == PV_VAR && r->row != NULL && v->var == r->row;
}

/* Along which axis an operand has rows, as an access of it says. */
static int row_axis(struct rows *r, const struct pval *v) {
    int *axis = &r->axis[v->operand];
    int first = axis_of(&r->plan->operands[v->operand], r->dim, 0);
    if (*axis == ANY_AXIS)
        *axis = is_row(r, v->args[first]) ? first : NO_AXIS;
    return *axis;
}

/* Stops at what depends on the row's number other than by being an element of the row. */
static enum walk find_other(const struct pval *v, void *arg) {
    struct rows *r = arg;
    if (is_row(r, v))
        return WALK_STOP;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    int axis = row_axis(r, v);
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

/* Finds along which axes operands have rows, where that does not depend on their accesses; arrays
 * of the body that have several of the dimension along the first of these, or the last.  False: a
 * result has none, or several. */
static bool find_row_axes(struct rows *r, bool last) {
    const struct plan *p = r->plan;
    for (int k = 0; k < p->noperands; k++) {
        const struct poperand *operand = &p->operands[k];
        int axis = axis_of(operand, r->dim, 0), n = axis >= 0;
        for (int next = axis; n > 0 && (next = axis_of(operand, r->dim, next + 1)) >= 0; n++)
            axis = last ? next : axis;
        bool result = k >= p->nin && k < p->nin + p->overload->nout;
        if ((n == 0 && operand->is_output) || (n > 1 && result))
            return false;
        r->axis[k] = n > 0 && !operand->is_output ? ANY_AXIS : axis;
    }
    return true;
}

static enum walk find_merged(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged ? WALK_STOP : WALK_IN;
}

/* Stops a try without what it found. */
static bool give_up(struct rows *r, const struct rows *before) {
    memcpy(r->axis, before->axis, sizeof r->axis);
    r->n = before->n;
    r->nranges = before->nranges;
    r->row = NULL;
    return false;
}

/* Whether a PS_FOR is a definition over the dimension, each of whose points is of a row.  loop: the
 * outermost one around it, which is ordered, or NULL. */
static bool is_row_loop(struct rows *r, struct pstmt *s, struct pstmt *loop) {
    const struct rows before = *r;
    if (s->kind != PS_FOR || s->accs != NULL || r->n == MAX_ROW_LOOPS ||
        !is_over(s->lo, s->hi, s->step, r->dim) || (loop != NULL && is_independent(&r->x, loop)) ||
        !is_independent(&r->x, s) ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_merged}, NULL))
        return false;
    r->row = s->var;
    r->loop[r->n++] = s;
    return plan_walk(s->body, &(struct plan_visitor){.value = find_other, .joined = true}, r) ||
           give_up(r, &before);
}

/* Whether a definition has a range over the dimension, each of whose points is of a row. */
static bool is_row_spread(struct rows *r, struct pstmt *s) {
    const struct rows before = *r;
    if (s->kind != PS_SPREAD || s->accs != NULL || s->ordered || s->merged ||
        r->nranges == MAX_ROW_RANGES)
        return false;
    for (struct prange *range = s->ranges; range != NULL; range = range->next) {
        if (!is_over(range->lo, range->hi, range->step, r->dim))
            continue;
        r->row = range->var;
        r->range[r->nranges++] = range;
        if (stmt_walk(s, &(struct plan_visitor){.value = find_other, .joined = true}, r))
            return true;
        give_up(r, &before);
    }
    return false;
}

/* Whether a list computes each index of the dimension by itself; *more: becomes true where it
 * computes more than a point of it.  loop: the outermost one around the list, or NULL.  Bounds of
 * ordered loops, and conditions, are the same for all indices. */
static bool has_rows_in(struct rows *r, struct pstmt *list, struct pstmt *loop, bool *more) {
    const struct plan_visitor own = {.value = find_other, .joined = true};
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool loops = is_row_loop(r, s, loop);
        if (loops || is_row_spread(r, s)) {
            *more =
                *more || loop != NULL || has_loop(s->body) || (!loops && s->ranges->next != NULL);
            r->steps = r->steps || loop != NULL;
            continue;
        }
        r->row = NULL;
        if (s->kind == PS_SET && stmt_walk(s, &own, r))
            continue;
        if ((s->kind != PS_FOR && s->kind != PS_IF) || !stmt_values(s, find_other, r) ||
            !has_rows_in(r, s->body, loop == NULL && s->kind == PS_FOR ? s : loop, more) ||
            !has_rows_in(r, s->other, loop, more))
            return false;
    }
    return true;
}

/* Whether all rows have the whole of an operand that has the dimension. */
static bool is_common(const struct rows *r, int k) {
    return r->axis[k] < 0 && axis_of(&r->plan->operands[k], r->dim, 0) >= 0;
}

static bool fits_axes(const struct rows *r) {
    int k = 0;
    while (k < r->plan->noperands && (r->steps || !is_common(r, k)))
        k++;
    return k == r->plan->noperands;
}

/* Whether the body computes each index of a dimension by itself, and more than a point of it. */
static bool has_rows(const struct lower *l, struct rows *r, const struct dim *dim) {
    struct plan *p = l->plan;
    const int *mentions = count_mentions(l->uc, p, p->body);
    if (dim->size >= 0 || dim->optional || dim->expr != NULL)
        return false;
    for (int last = 0; last < 2; last++) {
        bool more = false;
        *r = (struct rows){.plan = p, .dim = dim};
        r->x = (struct sharer){.uc = l->uc, .plan = p, .mentions = mentions};
        if (find_row_axes(r, last) && has_rows_in(r, p->body->body, NULL, &more) && more &&
            fits_axes(r))
            return true;
    }
    return false;
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

/* The range of a definition that is taken; NULL: none is. */
static struct prange **taken_range(const struct rows *r, struct pstmt *s) {
    for (struct prange **at = &s->ranges; *at != NULL; at = &(*at)->next)
        for (int i = 0; i < r->nranges; i++)
            if (r->range[i] == *at)
                return at;
    return NULL;
}

/* Takes the dimension's ranges from the definitions of a list. */
static void take_ranges(struct pstmt **at, const struct rows *r) {
    while (*at != NULL) {
        struct pstmt *s = *at;
        struct prange **range = s->kind == PS_SPREAD ? taken_range(r, s) : NULL;
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
    struct plan *p = l->plan;
    struct taking t = {.plan = p, .value = NEWN(l->uc, struct pvar *, p->noperands)};
    for (int k = 0; k < p->noperands; k++) {
        struct poperand *operand = &p->operands[k];
        int axis = t.axes[k] = r->axis[k];
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
