/* delay_loops.c: the loops of blocks of steps, as delay.c has them. */
#include "delay.h"

/* ---- values */

/* A copy of a value, of the row and the column that `vars` has for the indices. */
static struct pval *copied(struct delay *d, const struct pval *v) {
    struct copy c = {.l = d->l, .vars = NEWN(d->l->uc, struct pvar *, d->l->plan->nvars + 1)};
    return copy_renamed(&c, v);
}

static struct pval *least_of(struct delay *d, enum builtin_id id, const struct pval *a,
                             const struct pval *b) {
    struct pval *args[] = {copied(d, a), copied(d, b)};
    return value_call(d->l, id, DT_INT64, 2, args);
}

static bool is_constant_up_to(const struct pval *v, const struct pval *most) {
    return v->kind == PV_CONST && most->kind == PV_CONST && (int64_t)v->i <= (int64_t)most->i;
}

/* The greater of an axis's lower bound and one of the block; the smaller of its upper one. */
static struct pval *later(struct delay *d, const struct delay_axis *a, const struct pval *bound) {
    if (is_constant_up_to(a->loop->lo, d->loop->lo))
        return copied(d, bound);
    return least_of(d, B_MAX, a->loop->lo, bound);
}

static struct pval *earlier(struct delay *d, const struct delay_axis *a, const struct pval *bound) {
    if (same_value(a->loop->hi, d->loop->hi))
        return copied(d, bound);
    return least_of(d, B_MIN, a->loop->hi, bound);
}

/* The points of an axis that are updated at once, and those for which that is delayed. */
struct part {
    struct pval *lo, *hi;
};

static struct part part_at_once(struct delay *d, int axis) {
    const struct delay_axis *a = &d->axis[axis];
    return (struct part){a->from_step ? copied(d, a->loop->lo) : later(d, a, d->first),
                         a->to_step ? copied(d, a->loop->hi) : earlier(d, a, d->end)};
}

static int parts_delayed(struct delay *d, int axis, struct part part[2]) {
    const struct delay_axis *a = &d->axis[axis];
    int n = 0;
    if (!a->split) {
        part[0] = (struct part){copied(d, a->loop->lo), copied(d, a->loop->hi)};
        return 1;
    }
    if (!a->from_step)
        part[n++] = (struct part){copied(d, a->loop->lo),
                                  a->to_step ? copied(d, d->first) : earlier(d, a, d->first)};
    if (!a->to_step)
        part[n++] = (struct part){a->from_step ? copied(d, d->end) : later(d, a, d->end),
                                  copied(d, a->loop->hi)};
    return n;
}

/* The element of a kept value's array for an index of its axis and a step of the block, from 0. */
static struct pval *kept_at(struct delay *d, const struct delayed_value *k, struct pvar *index,
                            struct pval *step) {
    struct pval *v = value_new(d->l, PV_ELEM, k->value->dtype);
    int row = d->axis[k->axis].subscript;
    v->operand = k->operand;
    v->nargs = 2;
    v->args[row] = plan_read(d->l->uc, index);
    v->args[1 - row] = step;
    return v;
}

/* The step's number in the block. */
static struct pval *step_of_block(struct delay *d) {
    return value_op(d->l, OP_SUB, DT_INT64, plan_read(d->l->uc, d->loop->var), copied(d, d->first));
}

/* The value that the update stores, with what is kept along axes that have an index here; self:
 * what the element has, or NULL: itself. */
struct reading {
    struct copy copy;
    struct delay *d;
    struct pvar *index[2];
    struct pvar *step; /* in the block; NULL: the step's own */
    struct pvar *self;
};

static struct pval *update_value(const struct reading *r, const struct pval *v) {
    struct delay *d = r->d;
    if (r->self != NULL && same_value(v, d->put->place))
        return plan_read(d->l->uc, r->self);
    for (int i = 0; i < d->nkept; i++) {
        const struct delayed_value *k = &d->kept[i];
        if (k->value == v && r->index[k->axis] != NULL)
            return kept_at(d, k, r->index[k->axis],
                           r->step != NULL ? plan_read(d->l->uc, r->step) : step_of_block(d));
    }
    struct pval *copy = copy_renamed(&r->copy, v);
    for (int i = 0; i < v->nargs; i++)
        copy->args[i] = update_value(r, v->args[i]);
    return copy;
}

/* ---- statements */

/* Emits a loop by `by`, of which what follows is the body until close_loop. */
static struct pstmt *open_loop(struct delay *d, struct pvar *var, struct part part, int64_t by) {
    struct pstmt *s = stmt_emit(d->l, PS_FOR, d->nest->at);
    s->var = var;
    s->lo = part.lo;
    s->hi = part.hi;
    s->step = plan_number(d->l->uc, by);
    d->l->end = &s->body;
    return s;
}

static void close_loop(struct delay *d, struct pstmt *s) {
    d->l->end = &s->next;
}

/* A new variable for indices of an axis. */
static struct pvar *index_of(struct delay *d, int axis) {
    const struct pvar *old = d->axis[axis].loop->var;
    struct variable *v = variable_new(d->l, old->name, DT_INT64);
    v->below = ((const struct variable *)(const void *)old)->below;
    return &v->pvar;
}

static struct reading reading_new(struct delay *d) {
    struct reading r = {.d = d, .copy = {.l = d->l}};
    r.copy.vars = NEWN(d->l->uc, struct pvar *, d->l->plan->nvars + 1);
    return r;
}

/* Has the copy have an index of its own for an axis. */
static struct pvar *take_index(struct reading *r, int axis) {
    return r->copy.vars[r->d->axis[axis].loop->var->id] = index_of(r->d, axis);
}

static void keep_along(struct reading *r, int axis, struct pvar *index) {
    struct delay *d = r->d;
    for (int i = 0; i < d->nkept; i++)
        if (d->kept[i].axis == axis)
            emit_put(d->l, kept_at(d, &d->kept[i], index, step_of_block(d)),
                     copy_renamed(&r->copy, d->kept[i].value), d->nest->at);
}

/* Keeps what columns have in this step. */
static void keep_columns(struct delay *d) {
    const struct pstmt *inner = d->axis[1].loop;
    int n = 0;
    for (int i = 0; i < d->nkept; i++)
        n += d->kept[i].axis == 1;
    if (n == 0)
        return;
    struct reading r = reading_new(d);
    struct pvar *column = take_index(&r, 1);
    struct pstmt *s =
        open_loop(d, column, (struct part){copied(d, inner->lo), copied(d, inner->hi)}, 1);
    keep_along(&r, 1, column);
    close_loop(d, s);
}

/* Updates the rows of the block. */
static void update_rows(struct delay *d) {
    struct copy c = {.l = d->l, .vars = NEWN(d->l->uc, struct pvar *, d->l->plan->nvars + 1)};
    struct pstmt *s = *d->l->end = copy_stmt(&c, d->axis[0].loop);
    struct part part = part_at_once(d, 0);
    s->lo = part.lo;
    s->hi = part.hi;
    d->l->end = &s->next;
}

/* Updates the columns of the block in other rows, and keeps what these have. */
static void update_columns(struct delay *d, struct part rows) {
    const struct delay_axis *inner = &d->axis[1];
    struct reading r = reading_new(d);
    struct pvar *row = take_index(&r, 0), *column = take_index(&r, 1);
    struct pstmt *down = open_loop(d, row, rows, 1), *across;
    for (const struct pstmt *s = d->straight; s->next != NULL; s = s->next) {
        *d->l->end = copy_stmt(&r.copy, s);
        d->l->end = &(*d->l->end)->next;
    }
    keep_along(&r, 0, row);
    if (inner->split) {
        across = open_loop(d, column, part_at_once(d, 1), 1);
        if (inner->without) {
            struct pstmt *s = stmt_emit(d->l, PS_IF, d->nest->at);
            s->value = copy_renamed(&r.copy, inner->loop->body->value);
            d->l->end = &s->body;
        }
        r.index[1] = column;
        emit_put(d->l, copy_renamed(&r.copy, d->put->place), update_value(&r, d->put->value),
                 d->put->at);
        close_loop(d, across);
    }
    close_loop(d, down);
}

/* A step's update. */
static void update_of_step(struct delay *d) {
    struct part part[2];
    keep_columns(d);
    if (d->axis[0].split)
        update_rows(d);
    int n = parts_delayed(d, 0, part);
    for (int i = 0; i < n; i++)
        update_columns(d, part[i]);
}

/* All updates of the block's steps, for a part of the other elements. */
static void update_part(struct delay *d, const struct part part[2]) {
    struct uc *uc = d->l->uc;
    struct reading r = reading_new(d);
    struct pstmt *loop[3];
    int first = d->axis[0].subscript; /* which of the axes is the matrix's first one */
    for (int i = 0; i < 2; i++)
        r.index[i] = take_index(&r, i);
    for (int i = 0; i < 2; i++) {
        int axis = first == 0 ? i : 1 - i;
        struct part own = {copied(d, part[axis].lo), copied(d, part[axis].hi)};
        loop[i] = open_loop(d, r.index[axis], own, 1);
    }
    struct variable *sum = variable_new(d->l, "element", d->put->place->dtype);
    r.self = &sum->pvar;
    emit_set(d->l, sum, copy_renamed(&r.copy, d->put->place), d->nest->at);
    r.step = &variable_new(d->l, d->loop->var->name, DT_INT64)->pvar;
    struct part steps = {plan_number(uc, 0),
                         value_op(d->l, OP_SUB, DT_INT64, copied(d, d->end), copied(d, d->first))};
    loop[2] = open_loop(d, r.step, steps, 1);
    emit_set(d->l, sum, update_value(&r, d->put->value), d->put->at);
    close_loop(d, loop[2]);
    emit_put(d->l, copy_renamed(&r.copy, d->put->place), plan_read(uc, &sum->pvar), d->put->at);
    close_loop(d, loop[1]);
    close_loop(d, loop[0]);
}

static void update_behind(struct delay *d) {
    struct part rows[2], columns[2];
    int n = parts_delayed(d, 0, rows), m = parts_delayed(d, 1, columns);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            update_part(d, (struct part[]){rows[i], columns[k]});
}

/* Emits statements of a step up to `end`. */
static void take_steps(struct delay *d, struct pstmt *s, const struct pstmt *end) {
    while (s != end) {
        struct pstmt *next = s->next;
        s->next = NULL;
        *d->l->end = s;
        d->l->end = &s->next;
        s = next;
    }
}

void put_blocks(struct delay *d, struct pstmt **at) {
    struct lower *l = d->l;
    struct pstmt *loop = d->loop, *behind = loop->next, *after = d->nest->next;
    struct variable *first = variable_new(l, "first", DT_INT64),
                    *end = variable_new(l, "end", DT_INT64);
    d->first = &first->value;
    d->end = &end->value;
    first->below = ((const struct variable *)(const void *)loop->var)->below;
    l->end = at;
    struct part all = {copied(d, loop->lo), copied(d, loop->hi)};
    struct pstmt *blocks = open_loop(d, &first->pvar, all, DELAYED_STEPS);
    struct pval *next =
        value_op(l, OP_ADD, DT_INT64, copied(d, d->first), plan_number(l->uc, DELAYED_STEPS));
    emit_set(l, end, least_of(d, B_MIN, next, loop->hi), loop->at);
    struct pstmt *steps =
        open_loop(d, loop->var, (struct part){copied(d, d->first), copied(d, d->end)}, 1);
    take_steps(d, loop->body, d->nest);
    update_of_step(d);
    take_steps(d, after, NULL);
    close_loop(d, steps);
    update_behind(d);
    close_loop(d, blocks);
    *l->end = behind;
}
