/* sum.c: whole numbers as sums of indices, dimensions and a number. */
#include "check.h"

/* A sum with a larger number is not known, so that no sum of products overflows. */
static const wide_int large = (wide_int)1 << 62;

bool sum_is_small(wide_int i) {
    return i < large && i > -large;
}

bool sum_add_term(struct sum *s, const void *of, bool is_index, wide_int times) {
    int i = 0;
    while (i < s->n && s->of[i] != of)
        i++;
    if (i == MAX_SUM)
        return false;
    if (i == s->n) {
        s->of[i] = of;
        s->is_index[i] = is_index;
        s->times[i] = 0;
        s->n++;
    }
    s->times[i] += times;
    return sum_is_small(s->times[i]);
}

bool sum_add(struct sum *s, const struct sum *t, wide_int times) {
    bool ok = sum_is_small(s->plus += times * t->plus);
    for (int i = 0; ok && i < t->n; i++)
        ok = sum_add_term(s, t->of[i], t->is_index[i], times * t->times[i]);
    return ok;
}

bool sum_has_index(const struct sum *s) {
    for (int i = 0; i < s->n; i++)
        if (s->is_index[i] && s->times[i] != 0)
            return true;
    return false;
}

bool sum_never_below(const struct sum *s, int sign) {
    for (int i = 0; i < s->n; i++)
        if (s->times[i] * sign < 0)
            return false;
    return s->plus * sign >= 0;
}

bool has_size_type(const struct node *n) {
    return n->type.kind == TYPE_WEAK_INT ||
           (n->type.kind == TYPE_DTYPE && n->type.dtype == DT_INT64);
}

const struct node *without_cast(const struct node *n) {
    while (n->kind == N_CAST && has_size_type(n))
        n = n->a;
    return n;
}

/* Whether two sizes are the same sum, in whatever order. */
static bool same_sum(const struct node *a, const struct node *b) {
    struct sum s, t;
    return sum_of(NULL, a, NULL, &s) && sum_of(NULL, b, NULL, &t) && sum_add(&s, &t, -1) &&
           sum_is_number(&s) && s.plus == 0;
}

bool same_size(const struct node *a, const struct node *b) {
    for (; a && b; a = a->next, b = b->next) {
        if (same_sum(a, b))
            continue;
        const struct node *p = without_cast(a), *q = without_cast(b);
        if (p->kind != q->kind || p->op != q->op || p->builtin != q->builtin)
            return false;
        if (p->kind == N_CAST && p->type.dtype != q->type.dtype)
            return false;
        if (p->kind == N_CONST ? p->value.i != q->value.i
                               : p->kind == N_LOCAL && p->local != q->local &&
                                     (!p->local->dim || p->local->dim != q->local->dim))
            return false;
        if (!same_size(p->a, q->a) || !same_size(p->b, q->b) || !same_size(p->list, q->list))
            return false;
    }
    return !a && !b;
}

const struct node *nonzero_size(const struct node *n) {
    bool at_least = n->kind == N_CALL && n->builtin && n->builtin->id == B_MAX && n->list;
    if (n != without_cast(n))
        return nonzero_size(without_cast(n));
    const struct node *a = at_least ? n->list : NULL, *b = a ? a->next : NULL;
    while (b && b->kind == N_CAST)
        b = b->a;
    return b && b->kind == N_CONST && b->value.i == 0 ? nonzero_size(a) : n;
}

bool never_below_0(const struct node *n) {
    const struct node *last = n->kind == N_CALL && n->list ? n->list->next : n->b;
    const struct node *first = n->kind == N_CALL ? n->list : n->a;
    struct sum sum;
    if (sum_of(NULL, n, NULL, &sum) && !sum_has_index(&sum))
        return sum_never_below(&sum, 1);
    if (!has_size_type(n)) /* the computation may wrap */
        return n->type.kind == TYPE_DTYPE &&
               (n->type.dtype == DT_UINT8 || n->type.dtype == DT_UINT16 ||
                n->type.dtype == DT_UINT32);
    if (n->kind == N_CAST)
        return never_below_0(n->a);
    if (!first || !last)
        return false;
    bool both = never_below_0(first) && never_below_0(last);
    if (n->kind == N_CALL)
        return both || (n->builtin && n->builtin->id == B_MAX &&
                        (never_below_0(first) || never_below_0(last)));
    if (n->kind != N_BINARY)
        return false;
    return n->op == OP_MOD ? never_below_0(last)
                           : both && (n->op == OP_ADD || n->op == OP_FLOORDIV);
}

/* A sum that is being collected from an expression; `known`, if not NULL, is a dimension that
 * counts as one term. */
struct sum_builder {
    const struct fn *f;
    const struct dim *known;
    struct sum *s;
};

static bool add_node(const struct sum_builder *m, const struct node *n, wide_int times);

/* Adds a dimension times a number.  A computed dimension is expanded into the sum that it is
 * computed as, or is a term of its own. */
static bool add_dim(const struct sum_builder *m, const struct dim *dim, wide_int times) {
    struct sum before = *m->s;
    if (dim->size >= 0)
        return sum_is_small(m->s->plus += times * dim->size);
    const struct sum_builder within = {m->f, NULL, m->s};
    const struct node *size = dim->expr ? dim->expr : dim->length;
    if (size && add_node(&within, size, times))
        return true;
    *m->s = before;
    return sum_add_term(m->s, dim, false, times);
}

static bool add_local(const struct sum_builder *m, const struct local *l, wide_int times) {
    if (l->dim)
        return add_dim(m, l->dim, times);
    return l->is_index && (!m->f || is_reached(m->f, l)) && sum_add_term(m->s, l, true, times);
}

static bool add_node(const struct sum_builder *m, const struct node *n, wide_int times) {
    const wide_int factor_limit = (wide_int)1 << 31;
    if (m->known && m->known->expr && n->kind != N_LOCAL && same_size(n, m->known->expr))
        return add_dim(m, m->known, times);
    if (!has_size_type(n))
        return false; /* the computation may wrap */
    switch (n->kind) {
    case N_CONST: return sum_is_small(n->value.i) && sum_is_small(m->s->plus += times * n->value.i);
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

bool sum_of(const struct fn *f, const struct node *n, const struct dim *known, struct sum *s) {
    *s = (struct sum){.n = 0};
    return add_node(&(struct sum_builder){f, known, s}, n, 1);
}

bool sum_of_size(const struct fn *f, const struct dim *dim, struct sum *s) {
    *s = (struct sum){.n = 0};
    return add_dim(&(struct sum_builder){f, NULL, s}, dim, 1);
}

const char *sum_text(struct uc *uc, const struct sum *s) {
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

/* Whether n is a name, a number or a call. */
static bool is_leaf(const struct node *n) {
    return n->kind == N_CAST ? is_leaf(n->a) : n->kind != N_BINARY && n->kind != N_UNARY;
}

const char *size_text(struct uc *uc, const struct node *n) {
    struct sum s;
    if (sum_of(NULL, n, NULL, &s) && !sum_has_index(&s))
        return sum_text(uc, &s);
    switch (n->kind) {
    case N_CAST: return size_text(uc, n->a);
    case N_LOCAL: return n->local->name;
    case N_UNARY: return arena_printf(uc, "-(%s)", size_text(uc, n->a));
    case N_CALL:
        return arena_printf(uc, "%s(%s, %s)", n->builtin->name, size_text(uc, n->list),
                            size_text(uc, n->list->next));
    default:
        return arena_printf(uc,
                            is_leaf(n->a)   ? is_leaf(n->b) ? "%s %s %s" : "%s %s (%s)"
                            : is_leaf(n->b) ? "(%s) %s %s"
                                            : "(%s) %s (%s)",
                            size_text(uc, n->a), op_info[n->op].spelling, size_text(uc, n->b));
    }
}

const struct dim *smaller_dim(const struct fn *f, const struct dim *a, const struct dim *b) {
    struct sum size, other;
    bool known =
        sum_of_size(f, a, &size) && sum_of_size(f, b, &other) && sum_add(&size, &other, -1);
    return known && sum_never_below(&size, 1) ? b : a;
}

/* The sum of a dimension that is computed as size; NULL: not computed. */
static bool sum_of_nonzero(const struct dim *dim, const struct node *size, struct sum *s) {
    return (size && sum_of(NULL, size, NULL, s)) || sum_of_size(NULL, dim, s);
}

bool same_dim(const struct dim *a, const struct dim *b) {
    const struct node *size[] = {a->expr ? a->expr : a->length, b->expr ? b->expr : b->length};
    struct sum sum, other;
    for (int i = 0; i < 2; i++)
        size[i] = size[i] ? nonzero_size(size[i]) : NULL;
    if (a == b || (a->size >= 0 && a->size == b->size) ||
        (size[0] && size[1] && same_size(size[0], size[1])))
        return true;
    return (size[0] || size[1]) && sum_of_nonzero(a, size[0], &sum) &&
           sum_of_nonzero(b, size[1], &other) && sum_add(&sum, &other, -1) && sum_is_number(&sum) &&
           sum.plus == 0;
}

bool sum_is_number(const struct sum *s) {
    for (int i = 0; i < s->n; i++)
        if (s->times[i] != 0)
            return false;
    return true;
}
