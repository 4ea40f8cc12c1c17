/* reduce.c: arrays, and unordered iteration over them: comprehensions and definitions become
 * PS_SPREADs. */
#include "plan.h"

/* ---- arrays */

struct pval *lower_place(struct lower *l, const struct node *n) {
    struct pval *v = value_new(l, PV_ELEM, n->array->dtype);
    if (n->own) {
        *v = *l->own;
        return v;
    }
    v->operand = n->array->operand;
    for (const struct node *s = n->list; s != NULL; s = s->next)
        v->args[v->nargs++] = lower_value(l, s);
    if (l->uc->options->check)
        mark_subscripts(l, v, n);
    return v;
}

void emit_put(struct lower *l, struct pval *place, struct pval *v, struct span at) {
    struct pstmt *s = stmt_emit(l, PS_PUT, at);
    s->place = place;
    s->operand = place->operand;
    s->value = value_cast(l, v, place->dtype);
}

void lower_local_array(struct lower *l, struct array *a, struct span at) {
    struct plan *p = l->plan;
    int n = p->noperands + p->nlocals++;
    struct poperand *more = NEWN(l->uc, struct poperand, n + 1);
    for (int k = 0; k < n; k++)
        more[k] = p->operands[k];
    more[n] = (struct poperand){.name = a->name, .dtype = a->dtype, .rank = a->rank};
    for (int i = 0; i < a->rank; i++)
        more[n].dims[i] = a->dims[i];
    p->operands = more;
    a->operand = n;
    stmt_emit(l, PS_CLEAR, at)->operand = n;
}

/* ---- ranges */

/* The clauses before `end`. */
struct clauses {
    const struct node *first, *end;
};

static enum walk find_index(const struct node *n, void *arg) {
    const struct clauses *clauses = arg;
    for (const struct node *c = clauses->first; c != clauses->end && n->kind == N_LOCAL;
         c = c->next)
        if (n->local == c->list->local || (c->then != NULL && n->local == c->then->list->local))
            return WALK_STOP;
    return WALK_IN;
}

/* Whether a bound of c depends on an earlier clause's index, or on the element that this clause
 * binds. */
static bool reads_index(const struct node *c, const struct node *clauses) {
    struct clauses before = {clauses, c};
    return !ast_walk(c->a, find_index, &before) || !ast_walk(c->b, find_index, &before) ||
           !ast_walk(c->c, find_index, &before);
}

/* A bound of a range, evaluated once before the spread. */
static struct pval *lower_bound(struct lower *l, const struct node *n) {
    struct pval *v = n != NULL ? lower_value(l, n) : value_one(l, DT_INT64);
    return v->kind == PV_CONST || v->kind == PV_DIM ? v : emit_temporary(l, "bound", v, n->at);
}

/* The end of a range that begins at lo: a dimension, where it is of the same terms, so that ranges
 * over the same indices are seen to be.  Below 0 the range is empty, as one over it. */
static struct pval *lower_end(struct lower *l, const struct node *n, const struct pval *lo) {
    struct pval *v = lower_value(l, n);
    bool from_0 = lo->kind == PV_CONST && (int64_t)lo->i >= 0;
    const struct dim *dim = from_0 ? dim_of_terms(l->plan->overload->decl, v) : NULL;
    if (dim != NULL) {
        v = value_new(l, PV_DIM, DT_INT64);
        v->operand = dim->index;
    }
    return v->kind == PV_CONST || v->kind == PV_DIM ? v : emit_temporary(l, "bound", v, n->at);
}

/* The range of c, with its index. */
static struct prange *lower_range(struct lower *l, const struct node *c) {
    struct prange *r = NEW(l->uc, struct prange);
    r->lo = lower_bound(l, c->a);
    r->hi = lower_end(l, c->b, r->lo);
    r->step = lower_bound(l, c->c);
    struct local *index = c->list->local;
    struct variable *var = variable_new(l, index->name, DT_INT64);
    r->var = index->var = &var->pvar;
    set_index_range(var, r->lo, r->hi, r->step);
    return r;
}

static struct pstmt *for_of(struct lower *l, const struct prange *r, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    s->kind = PS_FOR;
    s->at = at;
    s->var = r->var;
    s->lo = r->lo;
    s->hi = r->hi;
    s->step = r->step;
    return s;
}

/* Begins the PS_SPREAD of n's clauses; its body begins with the bindings of elements, and the
 * filter. */
static struct pstmt *spread_open(struct lower *l, const struct node *n) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    struct prange **end = &s->ranges;
    const struct node *c = n->clauses;
    s->kind = PS_SPREAD;
    s->at = n->at;
    s->outermost = l->spreads++ == 0;
    /* A range that depends on an index of the nest is a loop within the body. */
    for (; c != NULL && !reads_index(c, n->clauses); c = c->next) {
        *end = lower_range(l, c);
        end = &(*end)->next;
    }
    *l->end = s;
    l->end = &s->body;
    for (const struct node *b = n->clauses; b != c; b = b->next)
        if (b->then != NULL)
            lower_binding(l, b->then);
    for (; c != NULL; c = c->next) {
        struct prange *r = lower_range(l, c);
        struct pstmt *loop = for_of(l, r, n->at);
        loop->further = true;
        *l->end = loop;
        l->end = &loop->body;
        if (c->then != NULL)
            lower_binding(l, c->then);
    }
    if (n->filter != NULL) {
        struct pval *v = lower_value(l, n->filter);
        struct pstmt *test = stmt_emit(l, PS_IF, n->filter->at);
        test->value = v;
        l->end = &test->body;
    }
    return s;
}

static void spread_close(struct lower *l, struct pstmt *s) {
    l->spreads--;
    l->end = &s->next;
}

/* ---- definitions */

void lower_define(struct lower *l, const struct node *n) {
    struct pstmt *s = spread_open(l, n);
    struct pval *v = lower_value(l, n->b);
    emit_put(l, lower_place(l, n->list), v, n->at);
    spread_close(l, s);
}

/* ---- comprehensions */

static struct variable *add_acc(struct lower *l, struct pacc **list, struct pval *first,
                                struct span at) {
    while (*list != NULL)
        list = &(*list)->next;
    struct pacc *a = *list = NEW(l->uc, struct pacc);
    struct variable *acc = variable_new(l, "acc", first->dtype);
    a->acc = &acc->pvar;
    a->other = &variable_new(l, "other", first->dtype)->pvar;
    emit_set(l, acc, first, at);
    return acc;
}

static struct pval *var_value(struct pvar *v) {
    return &((struct variable *)(void *)v)->value;
}

/* Combines an accumulator with another value by c's operation. */
static struct pval *combine(struct lower *l, const struct comprehension *c, struct pvar *acc,
                            struct pvar *other) {
    c->acc[0]->var = acc;
    c->other[0]->var = other;
    return lower_value(l, c->combined);
}

static void set(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    emit_set(l, (struct variable *)(void *)var, v, at);
}

/* The real products of a complex one. */
enum { PRODUCTS = 4 };

static bool is_sum_of_products(const struct comprehension *c) {
    const struct node *n = c->value;
    bool sum = c->kind == REDUCE_SUM || c->kind == REDUCE_MEAN;
    return sum && n->kind == N_BINARY && n->op == OP_MUL;
}

static bool is_complex_sum(const struct comprehension *c) {
    return is_sum_of_products(c) && is_complex(strong_dtype(c->value->type));
}

/* The parts of a complex value. */
static void parts_of(struct lower *l, struct pval *v, struct span at, struct pval *part[2]) {
    enum ufc_dtype d = part_dtype(v->dtype);
    struct pval *whole = emit_temporary(l, "factor", v, at);
    part[0] = value_call(l, B_REAL, d, 1, &whole);
    part[1] = value_call(l, B_IMAG, d, 1, &whole);
}

/* Adds the four real products of a complex one by fma, each to a sum of its own: what is equal in
 * two of them, as in x * conj(x), is then equal in their sums, and their difference 0. */
static void accumulate_parts(struct lower *l, const struct node *product, struct pacc *a) {
    struct pval *x[2], *y[2];
    struct span at = product->at;
    parts_of(l, lower_value(l, product->a), at, x);
    parts_of(l, lower_value(l, product->b), at, y);
    for (int i = 0; i < PRODUCTS; i++, a = a->next)
        set(l, a->acc, value_fma(l, x[i >> 1], y[i & 1], var_value(a->acc)), at);
}

/* Combines the accumulator with the value at each point.  A product is added to a sum by fma, which
 * is allowed since a sum's order is free. */
static void accumulate(struct lower *l, const struct comprehension *c, struct pacc *a,
                       struct span at) {
    if (is_complex_sum(c)) {
        accumulate_parts(l, c->value, a);
        return;
    }
    if (is_sum_of_products(c) && is_float(strong_dtype(c->value->type))) {
        struct pval *x = lower_value(l, c->value->a), *y = lower_value(l, c->value->b);
        set(l, a->acc, value_fma(l, x, y, var_value(a->acc)), at);
        return;
    }
    struct pval *v = emit_temporary(l, "value", lower_value(l, c->value), at);
    set(l, a->acc, combine(l, c, a->acc, v->var), at);
}

/* sum / count, in each part of a complex number; NaN where count is 0. */
static struct pval *divided(struct lower *l, struct pval *sum, struct pval *count) {
    enum ufc_dtype part = part_dtype(sum->dtype);
    struct pval *n = value_cast(l, count, part), *parts[2];
    if (!is_complex(sum->dtype))
        return value_op(l, OP_DIV, part, sum, n);
    for (int i = 0; i < 2; i++)
        parts[i] =
            value_op(l, OP_DIV, part, value_call(l, i == 0 ? B_REAL : B_IMAG, part, 1, &sum), n);
    return value_call(l, B_COMPLEX, sum->dtype, 2, parts);
}

/* An accumulator's value behind its spread, in a variable that is the same for all threads and
 * lanes. */
static struct pval *result_of(struct lower *l, struct pvar *acc, struct span at) {
    return emit_temporary(l, "result", var_value(acc), at);
}

static struct pval *added(struct lower *l, struct pval *a, struct pval *b) {
    return value_op(l, OP_ADD, a->dtype, a, b);
}

/* Does the number of points follow from the ranges alone? */
static bool has_all_points(const struct node *n) {
    const struct node *c = n->clauses;
    while (c != NULL && !reads_index(c, n->clauses))
        c = c->next;
    return c == NULL && n->filter == NULL;
}

/* The number of points of ranges, of each max(ceil((hi - lo) / step), 0). */
static struct pval *count_points(struct lower *l, const struct prange *r) {
    struct pval *all = value_one(l, DT_INT64);
    for (; r != NULL; r = r->next) {
        struct pval *n = value_op(l, OP_SUB, DT_INT64, r->lo, r->hi);
        n = value_op(l, OP_FLOORDIV, DT_INT64, n, r->step);
        struct pval *args[] = {value_op(l, OP_NEG, DT_INT64, n, NULL), value_zero(l, DT_INT64)};
        all = value_op(l, OP_MUL, DT_INT64, all, value_call(l, B_MAX, DT_INT64, 2, args));
    }
    return all;
}

/* The accumulators of a sum, or of another reduction with an identity; of complex products the four
 * sums of accumulate_parts. */
static struct pacc *add_sums(struct lower *l, const struct node *n) {
    const struct comprehension *c = n->comprehension;
    struct pval *first = lower_value(l, c->identity);
    struct pacc *accs = NULL;
    int sums = is_complex_sum(c) ? PRODUCTS : 1;
    if (sums > 1)
        first = value_zero(l, part_dtype(first->dtype));
    for (int i = 0; i < sums; i++)
        add_acc(l, &accs, first, n->at);
    return accs;
}

static void join_sums(struct lower *l, const struct node *n, struct pacc *a) {
    const struct comprehension *c = n->comprehension;
    if (!is_complex_sum(c)) {
        set(l, a->acc, combine(l, c, a->acc, a->other), n->at);
        return;
    }
    for (int i = 0; i < PRODUCTS; i++, a = a->next)
        set(l, a->acc, added(l, var_value(a->acc), var_value(a->other)), n->at);
}

static struct pval *result_of_sums(struct lower *l, const struct node *n, const struct pacc *a) {
    if (!is_complex_sum(n->comprehension))
        return result_of(l, a->acc, n->at);
    struct pval *sum[PRODUCTS];
    for (int i = 0; i < PRODUCTS; i++, a = a->next)
        sum[i] = result_of(l, a->acc, n->at);
    enum ufc_dtype part = sum[0]->dtype;
    struct pval *parts[] = {value_op(l, OP_SUB, part, sum[0], sum[3]), added(l, sum[1], sum[2])};
    enum ufc_dtype whole = strong_dtype(n->comprehension->value->type);
    return emit_temporary(l, "result", value_call(l, B_COMPLEX, whole, 2, parts), n->at);
}

/* sum, prod, min and others with an identity; mean. */
static struct pval *lower_plain(struct lower *l, const struct node *n) {
    const struct comprehension *c = n->comprehension;
    struct pacc *accs = add_sums(l, n);
    struct variable *count = NULL;
    bool mean = c->kind == REDUCE_MEAN;
    if (mean && !has_all_points(n))
        count = add_acc(l, &accs, value_zero(l, DT_INT64), n->at);
    struct pstmt *s = spread_open(l, n);
    accumulate(l, c, accs, n->at);
    if (count != NULL)
        emit_set(l, count, value_op(l, OP_ADD, DT_INT64, &count->value, value_one(l, DT_INT64)),
                 n->at);
    s->accs = accs;
    l->end = &s->joined;
    join_sums(l, n, accs);
    if (count != NULL) {
        struct pacc *last = accs;
        while (last->next != NULL)
            last = last->next;
        emit_set(l, count, added(l, &count->value, var_value(last->other)), n->at);
    }
    spread_close(l, s);
    struct pval *result = result_of_sums(l, n, accs);
    if (!mean)
        return result;
    return divided(l, result,
                   count != NULL ? result_of(l, &count->pvar, n->at)
                                 : emit_temporary(l, "count", count_points(l, s->ranges), n->at));
}

/* Begins `if v`; the statements that follow are its body. */
static struct pstmt *if_open(struct lower *l, struct pval *v, struct span at) {
    struct pstmt *s = stmt_emit(l, PS_IF, at);
    s->value = v;
    l->end = &s->body;
    return s;
}

static struct pval *either(struct lower *l, struct pval *a, struct pval *b) {
    return value_op(l, OP_LOR, DT_BOOL, a, b);
}

static struct pval *both(struct lower *l, struct pval *a, struct pval *b) {
    return value_op(l, OP_LAND, DT_BOOL, a, b);
}

/* argmin, argmax.  The accumulators are the value, its index, and whether there is a value.  Of
 * equal values the first in the order of the range is taken: where that descends, the one of the
 * highest index.  results: the index, and of `count` 2 the value. */
static void lower_place_of(struct lower *l, const struct node *n, int count,
                           struct pval **results) {
    const struct comprehension *c = n->comprehension;
    struct pacc *best = NULL;
    struct pval *none = value_zero(l, DT_INT64);
    none->i = (uint64_t)-1;
    struct variable *value = add_acc(l, &best, lower_value(l, c->identity), n->at);
    struct variable *index = add_acc(l, &best, none, n->at);
    add_acc(l, &best, value_zero(l, DT_BOOL), n->at);
    struct pacc *place = best->next, *has_value = place->next;
    struct pstmt *s = spread_open(l, n);
    s->chooses = true;
    struct pval *v = emit_temporary(l, "value", lower_value(l, c->value), n->at);
    struct pval *better = combine(l, c, best->acc, v->var);
    if_open(l, either(l, value_not(l, var_value(has_value->acc)), better), n->at);
    set(l, best->acc, v, n->at);
    set(l, place->acc, var_value(n->clauses->list->local->var), n->at);
    set(l, has_value->acc, value_one(l, DT_BOOL), n->at);
    s->accs = best;
    l->end = &s->joined;
    better = combine(l, c, best->acc, best->other);
    struct pval *worse = combine(l, c, best->other, best->acc);
    bool down =
        s->ranges != NULL && s->ranges->step->kind == PV_CONST && (int64_t)s->ranges->step->i < 0;
    struct pval *earlier =
        value_op(l, down ? OP_GT : OP_LT, DT_BOOL, var_value(place->other), var_value(place->acc));
    struct pval *equal = both(l, value_not(l, worse), earlier);
    struct pval *taken =
        either(l, value_not(l, var_value(has_value->acc)), either(l, better, equal));
    if_open(l, both(l, var_value(has_value->other), taken), n->at);
    for (struct pacc *a = best; a != NULL; a = a->next)
        set(l, a->acc, var_value(a->other), n->at);
    spread_close(l, s);
    results[0] = result_of(l, &index->pvar, n->at);
    if (count == 2)
        results[1] = result_of(l, &value->pvar, n->at);
}

/* What a reduction of c->width values has for each: variables, of an accumulator or a value. */
static struct pvar **vars_of(struct lower *l, const struct pacc *a, int width, bool other) {
    struct pvar **vars = NEWN(l->uc, struct pvar *, width);
    for (int i = 0; i < width; i++, a = a->next)
        vars[i] = other ? a->other : a->acc;
    return vars;
}

/* to = combine(first, second) */
static void join(struct lower *l, const struct comprehension *c, struct pvar *const *to,
                 struct pvar *const *first, struct pvar *const *second, struct span at) {
    struct pval **values = NEWN(l->uc, struct pval *, c->width);
    const struct node *n = c->combined;
    for (int i = 0; i < c->width; i++) {
        c->acc[i]->var = first[i];
        c->other[i]->var = second[i];
    }
    if (c->call != NULL)
        lower_binding(l, c->call);
    for (int i = 0; i < c->width; i++, n = n->next) {
        values[i] = lower_value(l, n);
        if (c->width > 1) /* it may read what is set before it */
            values[i] = emit_temporary(l, "joined", values[i], at);
    }
    for (int i = 0; i < c->width; i++)
        set(l, to[i], values[i], at);
}

/* The statements that join a reduction's accs with `other`. */
static struct pstmt *joined_alone(struct lower *l, const struct comprehension *c,
                                  const struct pacc *accs, struct span at) {
    struct pstmt *list = NULL, **end = l->end;
    struct pvar **acc = vars_of(l, accs, c->width, false);
    l->end = &list;
    join(l, c, acc, acc, vars_of(l, accs, c->width, true), at);
    l->end = end;
    return list;
}

/* acc = combine(acc, other), or acc = other while acc has no value. */
static void take(struct lower *l, const struct comprehension *c, struct pvar *const *acc,
                 struct pvar *has_value, struct pvar *const *other, struct span at) {
    struct pstmt *s = if_open(l, var_value(has_value), at);
    join(l, c, acc, acc, other, at);
    l->end = &s->other;
    for (int i = 0; i < c->width; i++)
        set(l, acc[i], var_value(other[i]), at);
    l->end = &s->next;
    set(l, has_value, value_one(l, DT_BOOL), at);
}

/* The values of a list, each in a variable. */
static struct pvar **lower_parts(struct lower *l, const char *name, const struct node *n, int width,
                                 struct span at) {
    struct pvar **vars = NEWN(l->uc, struct pvar *, width);
    for (int i = 0; i < width; i++, n = n->next)
        vars[i] = emit_temporary(l, name, lower_value(l, n), at)->var;
    return vars;
}

/* reduce(f, init, …), in the order of the points unless f commutes. */
static void lower_general(struct lower *l, const struct node *n, struct pval **results) {
    const struct comprehension *c = n->comprehension;
    struct pacc *accs = NULL, *has_value;
    struct pvar **init = lower_parts(l, "init", c->init, c->width, n->at);
    for (int i = 0; i < c->width; i++)
        add_acc(l, &accs, value_zero(l, init[i]->dtype), n->at);
    bool commutes = joins_commute(l, joined_alone(l, c, accs, n->at), accs);
    add_acc(l, &accs, value_zero(l, DT_BOOL), n->at);
    for (has_value = accs; has_value->next != NULL;)
        has_value = has_value->next;
    struct pvar **acc = vars_of(l, accs, c->width, false);
    struct pstmt *s = spread_open(l, n);
    s->ordered = !commutes;
    take(l, c, acc, has_value->acc, lower_parts(l, "value", c->value, c->width, n->at), n->at);
    s->accs = accs;
    l->end = &s->joined;
    if_open(l, var_value(has_value->other), n->at);
    take(l, c, acc, has_value->acc, vars_of(l, accs, c->width, true), n->at);
    spread_close(l, s);
    struct pvar **result = NEWN(l->uc, struct pvar *, c->width);
    for (int i = 0; i < c->width; i++) {
        results[i] = &variable_new(l, "result", init[i]->dtype)->value;
        result[i] = results[i]->var;
        set(l, result[i], var_value(init[i]), n->at);
    }
    struct pstmt *combined = if_open(l, var_value(has_value->acc), n->at);
    join(l, c, result, init, acc, n->at);
    l->end = &combined->next;
}

void lower_reduces(struct lower *l, const struct node *n, int count, struct pval **results) {
    switch (n->comprehension->kind) {
    case REDUCE_ARGMIN:
    case REDUCE_ARGMAX: lower_place_of(l, n, count, results); break;
    case REDUCE_REDUCE: lower_general(l, n, results); break;
    default: results[0] = lower_plain(l, n); break;
    }
}

struct pval *lower_reduce(struct lower *l, const struct node *n) {
    struct pval *result;
    lower_reduces(l, n, 1, &result);
    return result;
}
