/* in_order.c: definitions whose points take terms one after the other, as tiles compute them:
 *
 *     for i in 0..m { for j in 0..n {
 *         c[i, j] *= beta
 *         for k in 0..l { c[i, j] += a[i, k] * b[k, j] }
 *     } }
 *
 * Each result has its terms in the loop's order, rounded as the loop says, whatever the tile is
 * that it is in: so such a tiling's reduction is not cut, nor do threads share it.  Conditions
 * around the terms are its filter.  What a point stores is then a variable until its end: it
 * becomes the accumulator's first value, or is made of its last one. */
#include "plan.h"

struct point {
    struct uc *uc;
    struct plan *plan;
    struct tiling *tiling;
    const struct pstmt *loop, *body; /* the outermost one, and what the innermost one has */
    struct pstmt *before, **end;     /* the statements in front of it; where the next one goes */
    struct cell {                    /* an element that the point stores */
        struct pval *place;
        struct pvar *var; /* what it is */
        bool set, later;  /* if it has been stored; and behind the loop */
        bool further;     /* it is not the first of its array */
    } cell[TILE_MAX_STORES];
    int ncells;
    bool renamed; /* an element is read that may be a stored cell by other subscripts */
    bool puts;    /* a statement stores, whether the loop has iterations or not */
    /* An accumulator that begins with a cell only if the loop has iterations, and is stored to it
     * then: without them the cell, if it is there, stays as it is. */
    const struct pvar *kept[MAX_ACCS];
    const struct cell *kept_from[MAX_ACCS];
    struct pval *runs; /* that the loop has iterations */
    int nkept;
    bool may_miss; /* a kept cell is neither stored before nor sure to be there */
};

/* ---- cells */

/* The last cell of an array; NULL: it has none. */
static struct cell *last_cell(struct point *x, int operand) {
    int i = x->ncells - 1;
    while (i >= 0 && x->cell[i].place->operand != operand)
        i--;
    return i >= 0 ? &x->cell[i] : NULL;
}

/* The cell at a place; NULL: it may be none.  another: a further one of its array, which is stored
 * after those before, may be the same element. */
static struct cell *cell_of(struct point *x, struct pval *place, bool another) {
    struct cell *last = last_cell(x, place->operand);
    if (last != NULL && same_value(last->place, place))
        return last;
    if (last != NULL && !another)
        return NULL;
    bool plain = !is_complex(place->dtype) && !is_half(place->dtype) && place->checked == 0;
    if (x->ncells == TILE_MAX_STORES || !plain || place->operand >= x->plan->noperands)
        return NULL;
    struct cell *c = &x->cell[x->ncells++];
    *c = (struct cell){.place = place, .further = last != NULL};
    c->var = plan_variable(x->uc, x->plan, x->plan->operands[place->operand].name, place->dtype);
    return c;
}

/* A value with what cells are that have been stored. */
static void replace_cells(struct point *x, struct pval *v) {
    const struct cell *c = v->kind == PV_ELEM ? last_cell(x, v->operand) : NULL;
    bool only = c != NULL && !c->further;
    if (c != NULL && c->set && only && same_value(v, c->place)) {
        *v = *plan_read(x->uc, c->var);
        return;
    }
    x->renamed = x->renamed || (c != NULL && (c->set || !only));
    for (int i = 0; i < v->nargs; i++)
        replace_cells(x, v->args[i]);
}

static void append_set(struct point *x, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = *x->end = NEW(x->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    x->end = &s->next;
}

/* ---- conditions */

/* Whether a condition is that the loop has iterations; s: of one statement under it. */
static bool asks_for_terms(const struct point *x, const struct pstmt *s) {
    const struct pval *v = s->value;
    return s->kind == PS_IF && s->other == NULL && s->body != NULL && s->body->next == NULL &&
           v->kind == PV_OP && v->op == OP_LT && same_value(v->args[0], x->loop->lo) &&
           same_value(v->args[1], x->loop->hi);
}

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

static bool mentions(const struct pval *v, const struct pvar *var) {
    return !value_walk(v, find_var, (void *)var);
}

static bool mentions_kept(const struct point *x, const struct pval *v) {
    bool any = false;
    for (int i = 0; i < x->nkept; i++)
        any = any || mentions(v, x->kept[i]);
    return any;
}

/* ---- the statements of a point */

static void set_cell(struct point *x, struct cell *c, struct pval *v, bool behind, struct span at) {
    append_set(x, c->var, v, at);
    c->set = true;
    c->later = c->later || behind;
}

static bool put_cell(struct point *x, struct pstmt *s, bool behind) {
    if (s->merged || s->value->dtype != s->place->dtype)
        return false;
    x->puts = true;
    replace_cells(x, s->value);
    struct cell *c = cell_of(x, s->place, behind);
    if (c == NULL)
        return false;
    set_cell(x, c, s->value, behind, s->at);
    return true;
}

/* Of a statement before the loop: that an accumulator begins with a cell. */
static bool begin_kept(struct point *x, struct pstmt *s) {
    if (s->kind != PS_SET || x->nkept == MAX_ACCS || s->value->kind != PV_ELEM)
        return false;
    const struct cell *c = cell_of(x, s->value, false);
    if (c == NULL)
        return false;
    x->may_miss = x->may_miss || !(c->set || exists_anyway(x->plan, s->value));
    x->kept[x->nkept] = s->var;
    x->kept_from[x->nkept++] = c;
    replace_cells(x, s->value);
    append_set(x, s->var, s->value, s->at);
    return true;
}

/* Of one behind it: that the accumulator is stored there. */
static bool end_kept(struct point *x, struct pstmt *s) {
    if (s->kind != PS_PUT || s->merged || s->value->kind != PV_VAR)
        return false;
    struct cell *c = cell_of(x, s->place, false);
    int i = 0;
    while (i < x->nkept && x->kept[i] != s->value->var)
        i++;
    if (i == x->nkept || c == NULL || c != x->kept_from[i] || c->later)
        return false;
    set_cell(x, c, s->value, true, s->at);
    return true;
}

static bool take_stmt(struct point *x, struct pstmt *s, bool behind) {
    if (s->kind == PS_IF) {
        x->runs = s->value;
        return asks_for_terms(x, s) && (behind ? end_kept : begin_kept)(x, s->body);
    }
    if ((s->kind != PS_SET && s->kind != PS_PUT) || mentions_kept(x, s->value))
        return false;
    for (int i = 0; i < x->nkept; i++) /* it and its cell are to begin alike */
        if (s->kind == PS_SET ? s->var == x->kept[i]
                              : !behind && x->kept_from[i]->place->operand == s->place->operand)
            return false;
    if (s->kind == PS_PUT)
        return put_cell(x, s, behind);
    replace_cells(x, s->value);
    append_set(x, s->var, s->value, s->at);
    return true;
}

/* ---- the loop */

/* Takes conditions around what a loop has, all of it, for the filter; gives what is in them.  Each
 * of them is then asked at all points, also where those around it do not hold. */
static const struct pstmt *take_conditions(struct point *x, const struct pstmt *s) {
    struct shape *m = &x->tiling->shape;
    for (; s != NULL && s->kind == PS_IF && s->next == NULL && s->other == NULL; s = s->body) {
        if (m->filter != NULL && !exists_anyway(x->plan, s->value))
            return NULL;
        struct pval *all = NEW(x->uc, struct pval);
        *all = (struct pval){.kind = PV_OP, .op = OP_LAND, .dtype = DT_BOOL, .nargs = 2};
        all->args[0] = m->filter;
        all->args[1] = s->value;
        m->filter = m->filter != NULL ? all : s->value;
    }
    return s;
}

/* Whether the iterations leave what the filter asks as it is. */
static bool is_filter_still(const struct point *x) {
    const struct pstmt *s = x->tiling->shape.filter != NULL ? x->body : NULL;
    while (s != NULL && !mentions(x->tiling->shape.filter, s->var))
        s = s->next;
    return s == NULL;
}

/* Takes a loop, and those in it, for the ranges of the reduction. */
static bool take_loops(struct point *x, const struct pstmt *s) {
    struct prange *first = NULL, **end = &first;
    x->loop = s;
    for (int n = 0; s != NULL && s->kind == PS_FOR; n++, s = take_conditions(x, s->body)) {
        bool plain = n < MAX_RANGES && s->next == NULL && s->accs == NULL && s->lag == 0;
        plain = plain || (n == 0 && s->accs == NULL && s->lag == 0);
        if (!plain || s->lo->kind != PV_CONST || s->lo->i != 0 || s->step->kind != PV_CONST ||
            s->step->i != 1)
            return false;
        for (const struct prange *r = first; r != NULL; r = r->next)
            if (mentions(s->hi, r->var))
                return false;
        *end = NEW(x->uc, struct prange);
        **end = (struct prange){.var = s->var, .lo = s->lo, .hi = s->hi, .step = s->step};
        end = &(*end)->next;
    }
    x->body = s;
    x->tiling->shape.in = first;
    return s != NULL && is_straight(s, false) && is_filter_still(x);
}

/* Whether a loop begins behind 0: at a number, or at an index of the results, or a number more. */
static bool begins_late(const struct point *x, const struct pval *lo) {
    if (lo->kind == PV_OP && lo->op == OP_ADD && lo->args[1]->kind == PV_CONST &&
        lo->args[1]->i <= MAX_FACTOR)
        lo = lo->args[0];
    const struct prange *r = x->tiling->shape.at;
    while (lo->kind == PV_VAR && r != NULL && r->var != lo->var)
        r = r->next;
    return (lo->kind == PV_VAR && r != NULL) ||
           (lo->kind == PV_CONST && lo->i > 0 && lo->i <= MAX_FACTOR);
}

/* The loop s, or, where it begins late, one from 0 on, of whose iterations those before its start
 * change nothing: blocks leave them out, but for those of a block's first results. */
static const struct pstmt *begin_at_start(struct point *x, const struct pstmt *s) {
    struct pstmt *loop = NEW(x->uc, struct pstmt);
    if (!x->plan->for_host || s->step->kind != PV_CONST || s->step->i != 1 ||
        !begins_late(x, s->lo))
        return s;
    struct pvar *index = plan_variable(x->uc, x->plan, s->var->name, DT_INT64);
    *loop = *s;
    loop->var = index;
    loop->lo = plan_number(x->uc, 0);
    loop->body = copy_statements(x->uc, s->body, NULL, s->var, plan_read(x->uc, index));
    set_index_range((struct variable *)index, loop->lo, loop->hi, loop->step);
    x->tiling->start = s->lo;
    return loop;
}

/* ---- what statements need */

struct needs {
    bool *vars;       /* by variable */
    const bool *accs; /* those that are not looked for, */
    bool acc;         /* but noted */
};

static enum walk add_need(const struct pval *v, void *arg) {
    struct needs *n = arg;
    if (v->kind == PV_VAR && n->accs != NULL && n->accs[v->var->id])
        n->acc = true;
    else if (v->kind == PV_VAR)
        n->vars[v->var->id] = true;
    return WALK_IN;
}

/* Adds what statements before the loop need for the variables that are needed: from the last one
 * on. */
static void close_needs(const struct pstmt *s, struct needs *n) {
    if (s == NULL)
        return;
    close_needs(s->next, n);
    if (n->vars[s->var->id])
        value_walk(s->value, add_need, n);
}

/* The assignments of a list to variables of `needed` that are not in `had`, in front of `behind`.
 */
static struct pstmt *select_sets(const struct point *x, const struct pstmt *s, const bool *needed,
                                 const bool *had, struct pstmt *behind) {
    struct pstmt *list = NULL, **end = &list;
    for (; s != NULL; s = s->next) {
        if (!needed[s->var->id] || (had != NULL && had[s->var->id]))
            continue;
        *end = NEW(x->uc, struct pstmt);
        **end = *s;
        end = &(*end)->next;
    }
    *end = behind;
    return list;
}

/* The accumulators: what iterations set that later ones, or what is behind them, read first.  They
 * begin with what is set before. */
static bool find_accs(struct point *x, const struct pstmt *behind, bool *is_acc) {
    struct shape *m = &x->tiling->shape;
    struct pacc **end = (struct pacc **)(void *)&m->accs;
    bool *set = NEWN(x->uc, bool, x->plan->nvars + 1),
         *read = NEWN(x->uc, bool, x->plan->nvars + 1);
    for (const struct pstmt *s = x->body; s != NULL; s = s->next) {
        struct needs early = {.vars = read, .accs = set};
        value_walk(s->value, add_need, &early);
        set[s->var->id] = true;
    }
    for (const struct pstmt *s = behind; s != NULL; s = s->next) {
        struct needs last = {.vars = read};
        value_walk(s->value, add_need, &last);
    }
    for (const struct pstmt *s = x->body; s != NULL; s = s->next) {
        if (!read[s->var->id] || is_acc[s->var->id])
            continue;
        const struct pstmt *b = x->before;
        while (b != NULL && b->var != s->var)
            b = b->next;
        if (b == NULL || s->var->dtype == DT_BOOL || ++m->naccs > MAX_ACCS)
            return false;
        is_acc[s->var->id] = true;
        *end = NEW(x->uc, struct pacc);
        **end = (struct pacc){.acc = s->var, .other = s->var};
        end = &(*end)->next;
    }
    return m->naccs > 0;
}

/* Whether what results begin with may be computed anywhere: or else under the condition alone. */
static bool begins_anyway(const struct point *x, const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (!exists_anyway(x->plan, s->value))
            return false;
    return true;
}

/* Shares the statements before the loop out: to those that its terms need, to those that its
 * accumulators begin with, and to those that results need. */
static bool share_sets(struct point *x, struct pstmt *behind) {
    int n = x->plan->nvars + 1;
    struct tiling *t = x->tiling;
    bool *is_acc = NEWN(x->uc, bool, n);
    struct needs loop = {NEWN(x->uc, bool, n), is_acc, false},
                 accs = {NEWN(x->uc, bool, n), NULL, false},
                 rest = {NEWN(x->uc, bool, n), is_acc, false};
    if (!find_accs(x, behind, is_acc))
        return false;
    plan_walk(x->body, &(struct plan_visitor){.value = add_need}, &loop);
    for (const struct prange *r = t->shape.in; r != NULL; r = r->next)
        value_walk(r->hi, add_need, &loop);
    if (t->shape.filter != NULL)
        value_walk(t->shape.filter, add_need, &loop);
    loop.acc = false; /* that its terms read accs is no matter */
    close_needs(x->before, &loop);
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
        accs.vars[a->acc->id] = true;
    close_needs(x->before, &accs);
    plan_walk(behind, &(struct plan_visitor){.value = add_need}, &rest);
    rest.acc = false;
    close_needs(x->before, &rest);
    if (loop.acc || rest.acc)
        return false;
    t->shape.first = select_sets(x, x->before, loop.vars, is_acc, NULL);
    t->begin = select_sets(x, x->before, accs.vars, NULL, NULL);
    t->shape.rest = select_sets(x, x->before, rest.vars, loop.vars, behind);
    t->begins_anyway = begins_anyway(x, t->begin);
    return true;
}

/* Whether no statement of the point changes where its cells are. */
static bool are_places_still(const struct point *x, const struct pstmt *list) {
    const bool *written = find_written(x->uc, x->plan, list);
    for (int i = 0; i < x->ncells; i++)
        for (int k = 0; k < x->cell[i].place->nargs; k++)
            if (!is_settled(written, x->cell[i].place->args[k]))
                return false;
    return true;
}

/* Has points be results only where the loop has iterations, if a cell may be none elsewhere.
 * False: they store more, or the loop ends where the point says. */
static bool require_terms(struct point *x) {
    struct tiling *t = x->tiling;
    if (!x->may_miss)
        return true;
    if (x->puts || x->ncells != x->nkept)
        return false;
    for (const struct pstmt *s = x->before; s != NULL; s = s->next)
        if (mentions(x->runs, s->var))
            return false;
    struct pval *all = NEW(x->uc, struct pval);
    *all = (struct pval){.kind = PV_OP, .op = OP_LAND, .dtype = DT_BOOL, .nargs = 2};
    all->args[0] = (struct pval *)(void *)t->when;
    all->args[1] = x->runs;
    t->when = t->when != NULL ? all : x->runs;
    return true;
}

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR ? WALK_STOP : s->kind == PS_SPREAD ? WALK_PAST : WALK_IN;
}

bool has_terms_in_order(const struct pstmt *list) {
    return !plan_walk(list, &(struct plan_visitor){.stmt = find_loop}, NULL);
}

bool match_in_order(struct uc *uc, struct plan *p, struct tiling *t) {
    struct shape *m = &t->shape;
    struct point x = {.uc = uc, .plan = p, .tiling = t, .end = &x.before};
    struct pstmt *list = copy_statements(uc, m->first, NULL, NULL, NULL), *behind = NULL;
    bool when = list->kind == PS_IF && list->next == NULL && list->other == NULL;
    t->when = when ? list->value : NULL;
    struct pstmt *first = when ? list->body : list, *s = first;
    while (s != NULL && s->kind != PS_FOR)
        s = s->next;
    if (s == NULL || !take_loops(&x, begin_at_start(&x, s)) ||
        (t->start != NULL && m->in->next != NULL))
        return false;
    x.loop = s;
    for (struct pstmt *at = first; at != s; at = at->next)
        if (!take_stmt(&x, at, false))
            return false;
    x.end = &behind;
    for (s = s->next; s != NULL; s = s->next)
        if (!take_stmt(&x, s, true))
            return false;
    for (int i = 0; i < x.ncells; i++) {
        const struct cell *c = &x.cell[i];
        struct pstmt *put = *x.end = NEW(uc, struct pstmt);
        *put = (struct pstmt){.kind = PS_PUT,
                              .at = x.loop->at,
                              .place = c->place,
                              .operand = c->place->operand,
                              .value = plan_read(uc, c->var)};
        x.end = &put->next;
        if (!c->set)
            return false;
    }
    m->body = x.body;
    if (x.ncells == 0 || x.renamed || !are_places_still(&x, list) || !share_sets(&x, behind) ||
        !require_terms(&x))
        return false;
    if (t->when != NULL) {
        struct pstmt *rest = NEW(uc, struct pstmt);
        *rest = (struct pstmt){.kind = PS_IF,
                               .at = x.loop->at,
                               .value = (struct pval *)(void *)t->when,
                               .body = (struct pstmt *)(void *)m->rest};
        m->rest = rest;
    }
    return true;
}
