/* whole.c: whole numbers of indices and sizes, in as few operations as they need, so that what is
 * made of them are terms. */
#include "linear.h"

struct pval *whole_index(struct lower *l, const struct pvar *var) {
    struct pval *v = value_new(l, PV_VAR, var->dtype);
    v->var = (struct pvar *)(uintptr_t)var;
    return value_cast(l, v, DT_INT64);
}

static bool is_zero(const struct pval *v) {
    return v->kind == PV_CONST && v->i == 0;
}

struct pval *whole_add(struct lower *l, struct pval *a, struct pval *b) {
    if (a->kind == PV_CONST && b->kind == PV_CONST)
        return plan_number(l->uc, (int64_t)(a->i + b->i));
    if (is_zero(a) || is_zero(b))
        return is_zero(a) ? b : a;
    bool known = b->kind == PV_CONST && a->kind == PV_OP && (a->op == OP_ADD || a->op == OP_SUB) &&
                 a->args[1]->kind == PV_CONST;
    if (known) { /* a number is added to another one */
        int64_t n = (int64_t)(a->op == OP_ADD ? b->i + a->args[1]->i : b->i - a->args[1]->i);
        return whole_add(l, a->args[0], plan_number(l->uc, n));
    }
    bool less = b->kind == PV_CONST && (int64_t)b->i < 0;
    b = less ? plan_number(l->uc, -(int64_t)b->i) : b;
    return value_op(l, less ? OP_SUB : OP_ADD, DT_INT64, a, b);
}

struct pval *whole_times(struct lower *l, struct pval *a, int64_t n) {
    if (a->kind == PV_CONST)
        return plan_number(l->uc, (int64_t)(a->i * (uint64_t)n));
    return n == 1 ? a : value_op(l, OP_MUL, DT_INT64, a, plan_number(l->uc, n));
}

struct pval *whole_subtract(struct lower *l, struct pval *a, struct pval *b) {
    if (b->kind == PV_CONST)
        return whole_add(l, a, whole_times(l, b, -1));
    return value_op(l, OP_SUB, DT_INT64, a, b);
}

struct pval *whole_divide(struct lower *l, struct pval *a, int64_t n) {
    return n == 1 ? a : value_op(l, OP_FLOORDIV, DT_INT64, a, plan_number(l->uc, n));
}

struct pval *whole_extreme(struct lower *l, bool greatest, struct pval *a, struct pval *b) {
    struct pval *args[] = {a, b};
    return value_call(l, greatest ? B_MAX : B_MIN, DT_INT64, 2, args);
}

struct pval *whole_value(struct lower *l, const struct linear *s) {
    struct pval *all = NULL;
    for (int i = 0; i < s->n; i++)
        if (s->times[i] != 0 && s->of[i].var != NULL && s->of[i].dim >= 0)
            return NULL;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < s->n; i++) {
            if (s->times[i] * sign <= 0)
                continue;
            struct pval *of = value_new(l, PV_DIM, DT_INT64);
            of->operand = s->of[i].dim;
            if (s->of[i].var != NULL)
                of = whole_index(l, s->of[i].var);
            of = whole_times(l, of, s->times[i] * sign);
            if (all == NULL)
                all = sign > 0 ? of : whole_times(l, of, -1);
            else
                all = sign > 0 ? whole_add(l, all, of) : whole_subtract(l, all, of);
        }
    return whole_add(l, all == NULL ? plan_number(l->uc, 0) : all, plan_number(l->uc, s->plus));
}

bool is_at_most(const struct candidate *c, const struct pval *a, const struct pval *b) {
    struct linear x, y;
    return linear_of(c, a, &x) && linear_of(c, b, &y) && linear_subtract(&x, &y) &&
           linear_is_number(&x) && x.plus <= 0;
}

/* A size that is computed of others, by sums; where that is below 0, there are no elements. */
static bool add_sizes(const struct dim *dim, struct linear *l) {
    struct linear stack[4];
    int n = 0, terms = dim->length ? dim->nterms - 2 : dim->nterms;
    for (int i = 0; i < terms; i++) {
        const struct ufc_term *t = &dim->terms[i];
        bool leaf = t->op == UFC_TERM_NUMBER || t->op == UFC_TERM_DIMENSION;
        if (leaf ? n == 4 : n < 2)
            return false;
        if (leaf) {
            bool number = t->op == UFC_TERM_NUMBER;
            stack[n] = (struct linear){.n = number ? 0 : 1, .plus = number ? t->value : 0};
            stack[n].of[0].dim = number ? 0 : (int)t->value;
            stack[n++].times[0] = 1;
            continue;
        }
        struct linear *a = &stack[n - 2], *b = &stack[--n];
        if (t->op != UFC_TERM_ADD && t->op != UFC_TERM_SUB)
            return false;
        if (t->op == UFC_TERM_ADD) {
            struct linear none = {.n = 0};
            if (!linear_subtract(&none, b))
                return false;
            *b = none;
        }
        if (!linear_subtract(a, b))
            return false;
    }
    if (n == 1)
        *l = stack[0];
    return n == 1;
}

bool linear_of_size(const struct dim *dim, struct linear *l) {
    bool number = dim->size >= 0;
    if (!number && dim->expr != NULL && dim->nterms > 0 && add_sizes(dim, l))
        return true;
    *l = (struct linear){.n = number ? 0 : 1, .plus = number ? dim->size : 0};
    l->of[0].dim = dim->index;
    l->times[0] = 1;
    return true;
}
