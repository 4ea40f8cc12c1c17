/* check_range.c: subscripts that are out of range whatever the sizes.
 *
 * A subscript is a sum of indices, dimensions and a number, or nothing is known of it.  An index
 * has a least and a greatest value where its range begins and ends with such sums; with these in
 * its place the subscript is a sum of dimensions alone, which are 0 or more.  An index's range
 * counts where its every value reaches the subscript: behind a condition, or in a loop whose range
 * is not known, it may not. */
#include "check.h"

enum { MAX_TERMS = 6 };

/* times[0] * of[0] + ... + plus */
struct sum {
    const void *of[MAX_TERMS]; /* struct dim, or struct local of an index */
    wide_int times[MAX_TERMS];
    bool is_index[MAX_TERMS];
    int n;
    wide_int plus;
};

struct reach {
    bool has_least, has_greatest;
    struct sum least, greatest; /* of dimensions */
    int guards;                 /* of the function, within the loop */
};

/* Beyond which nothing is known, so that no sum of products overflows. */
static const wide_int large = (wide_int)1 << 62;

static bool is_small(wide_int i) {
    return i < large && i > -large;
}

/* ---- sums */

static bool add_term(struct sum *s, const void *of, bool is_index, wide_int times) {
    int i = 0;
    while (i < s->n && s->of[i] != of)
        i++;
    if (i == MAX_TERMS)
        return false;
    if (i == s->n) {
        s->of[i] = of;
        s->is_index[i] = is_index;
        s->times[i] = 0;
        s->n++;
    }
    s->times[i] += times;
    return is_small(s->times[i]);
}

/* s += times * t */
static bool add(struct sum *s, const struct sum *t, wide_int times) {
    bool ok = is_small(s->plus += times * t->plus);
    for (int i = 0; ok && i < t->n; i++)
        ok = add_term(s, t->of[i], t->is_index[i], times * t->times[i]);
    return ok;
}

static bool has_index(const struct sum *s) {
    for (int i = 0; i < s->n; i++)
        if (s->is_index[i] && s->times[i] != 0)
            return true;
    return false;
}

/* Is it 0 or more whatever the dimensions are?  With sign -1: 0 or less? */
static bool never_below(const struct sum *s, int sign) {
    for (int i = 0; i < s->n; i++)
        if (s->times[i] * sign < 0)
            return false;
    return s->plus * sign >= 0;
}

bool same_size(const struct node *a, const struct node *b) {
    for (; a && b; a = a->next, b = b->next) {
        if (a->kind == N_CAST || b->kind == N_CAST)
            return same_size(a->kind == N_CAST ? a->a : a, b->kind == N_CAST ? b->a : b);
        if (a->kind != b->kind || a->op != b->op || a->builtin != b->builtin)
            return false;
        if (a->kind == N_CONST
                ? a->value.i != b->value.i
                : a->kind == N_LOCAL && (!a->local->dim || a->local->dim != b->local->dim))
            return false;
        if (!same_size(a->a, b->a) || !same_size(a->b, b->b) || !same_size(a->list, b->list))
            return false;
    }
    return !a && !b;
}

/* A sum being made of an expression, in which `known` may stand as one. */
struct making {
    const struct fn *f;
    const struct dim *known;
    struct sum *s;
};

static bool add_node(const struct making *m, const struct node *n, wide_int times);

/* One that is computed is the sum that it is computed as, or else a term of its own. */
static bool add_dim(const struct making *m, const struct dim *dim, wide_int times) {
    struct sum before = *m->s;
    if (dim->size >= 0)
        return is_small(m->s->plus += times * dim->size);
    const struct making within = {m->f, NULL, m->s};
    if (dim->expr && add_node(&within, dim->expr, times))
        return true;
    *m->s = before;
    return add_term(m->s, dim, false, times);
}

static bool add_local(const struct making *m, const struct local *l, wide_int times) {
    if (l->dim)
        return add_dim(m, l->dim, times);
    return l->reach && l->reach->guards == m->f->guards && add_term(m->s, l, true, times);
}

static bool add_node(const struct making *m, const struct node *n, wide_int times) {
    const wide_int factor_limit = (wide_int)1 << 31;
    if (m->known && m->known->expr && n->kind != N_LOCAL && same_size(n, m->known->expr))
        return add_dim(m, m->known, times);
    if (n->type.kind != TYPE_WEAK_INT && !(n->type.kind == TYPE_DTYPE && n->type.dtype == DT_INT64))
        return false; /* it may wrap */
    switch (n->kind) {
    case N_CONST: return is_small(n->value.i) && is_small(m->s->plus += times * n->value.i);
    case N_LOCAL: return add_local(m, n->local, times);
    case N_CAST: return add_node(m, n->a, times);
    case N_UNARY:
        return (n->op == OP_NEG || n->op == OP_POS) &&
               add_node(m, n->a, n->op == OP_NEG ? -times : times);
    case N_BINARY:
        if (n->op == OP_ADD || n->op == OP_SUB)
            return add_node(m, n->a, times) && add_node(m, n->b, n->op == OP_SUB ? -times : times);
        if (n->op != OP_MUL || (n->a->kind != N_CONST && n->b->kind != N_CONST))
            return false;
        const struct node *factor = n->a->kind == N_CONST ? n->a : n->b;
        wide_int by = factor->value.i;
        return by > -factor_limit && by < factor_limit && times > -factor_limit &&
               times < factor_limit && add_node(m, factor == n->a ? n->b : n->a, times * by);
    default: return false;
    }
}

static bool sum_of(const struct fn *f, const struct node *n, const struct dim *known,
                   struct sum *s) {
    *s = (struct sum){.n = 0};
    return add_node(&(struct making){f, known, s}, n, 1);
}

static bool size_of(const struct fn *f, const struct dim *dim, struct sum *s) {
    *s = (struct sum){.n = 0};
    return add_dim(&(struct making){f, NULL, s}, dim, 1);
}

/* "2 * n - 1" */
static const char *sum_text(struct uc *uc, const struct sum *s) {
    const char *text = "";
    for (int i = 0; i < s->n; i++) {
        wide_int times = s->times[i] < 0 ? -s->times[i] : s->times[i];
        const char *sign = s->times[i] < 0 ? (*text ? " - " : "-") : *text ? " + " : "";
        const char *name = ((const struct dim *)s->of[i])->name;
        if (times == 1)
            text = arena_printf(uc, "%s%s%s", text, sign, name);
        else if (times > 1)
            text = arena_printf(uc, "%s%s%lld * %s", text, sign, (long long)times, name);
    }
    long long plus = (long long)s->plus;
    if (!*text)
        return arena_printf(uc, "%lld", plus);
    return plus == 0 ? text
                     : arena_printf(uc, "%s %c %lld", text, plus < 0 ? '-' : '+',
                                    plus < 0 ? -plus : plus);
}

const struct dim *smaller_dim(const struct fn *f, const struct dim *a, const struct dim *b) {
    struct sum size, other;
    bool known = size_of(f, a, &size) && size_of(f, b, &other) && add(&size, &other, -1);
    return known && never_below(&size, 1) ? b : a;
}

/* ---- indices */

static bool is_number(const struct sum *s) {
    for (int i = 0; i < s->n; i++)
        if (s->times[i] != 0)
            return false;
    return true;
}

/* The last value of a..b..step, of which length is b - a; false: not known. */
static bool last_of(const struct sum *a, const struct sum *b, const struct sum *length,
                    wide_int step, struct sum *last) {
    *last = step == 1 || step == -1 ? *b : *a;
    last->plus +=
        step == 1 || step == -1 ? -step : (length->plus - (step > 0 ? 1 : -1)) / step * step;
    return step == 1 || step == -1 || is_number(length);
}

void set_reach(struct fn *f, struct local *index, const struct node *range) {
    struct reach r = {.guards = f->guards};
    struct sum length, *first = &r.least, *last = &r.greatest;
    wide_int step = !range || !range->c ? 1 : range->c->kind == N_CONST ? range->c->value.i : 0;
    struct sum a = {.n = 0}, b = a;
    bool known = range && range->a && range->b && step != 0 && is_small(step) &&
                 sum_of(f, range->a, NULL, &a) && sum_of(f, range->b, NULL, &b) && !has_index(&a) &&
                 !has_index(&b);
    length = b;
    if (!known || !add(&length, &a, -1) || never_below(&length, step > 0 ? -1 : 1)) {
        f->guards++; /* perhaps nothing of the loop runs, whatever an index around it is */
        return;
    }
    if (step < 0) {
        first = &r.greatest;
        last = &r.least;
    }
    *first = a;
    bool has_last = last_of(&a, &b, &length, step, last);
    r.has_least = step > 0 || has_last;
    r.has_greatest = step < 0 || has_last;
    struct reach *kept = NEW(f->uc, struct reach);
    *kept = r;
    index->reach = kept;
}

/* The least of s, or the greatest: a sum of dimensions; false: not known. */
static bool extreme(const struct sum *s, bool greatest, struct sum *e) {
    *e = (struct sum){.plus = s->plus};
    for (int i = 0; i < s->n; i++) {
        const struct reach *r = s->is_index[i] ? ((const struct local *)s->of[i])->reach : NULL;
        bool high = (s->times[i] > 0) == greatest;
        if (s->times[i] == 0)
            continue;
        if (r ? !(high ? r->has_greatest : r->has_least) ||
                    !add(e, high ? &r->greatest : &r->least, s->times[i])
              : !add_term(e, s->of[i], false, s->times[i]))
            return false;
    }
    return true;
}

/* ---- subscripts */

enum outside outside_of(struct fn *f, const struct node *n, const struct dim *dim,
                        const char **reached) {
    struct sum s, size, least, greatest, over;
    if (!sum_of(f, n, dim, &s) || !size_of(f, dim, &size))
        return INSIDE;
    bool below = extreme(&s, false, &least), above = extreme(&s, true, &greatest);
    if (below) {
        over = least;
        over.plus++;
        below = never_below(&over, -1);
    }
    if (above) {
        over = greatest;
        above = add(&over, &size, -1) && never_below(&over, 1);
    }
    *reached = has_index(&s) ? sum_text(f->uc, below ? &least : &greatest) : NULL;
    return below ? BELOW : above ? ABOVE : INSIDE;
}
