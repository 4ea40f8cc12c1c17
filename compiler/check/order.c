/* order.c: -Worder: definitions that may write an element twice, as far as that can be
 * decided without the values of arrays.
 *
 * A point of a definition is one value for each index; elements are written once if the subscripts
 * determine the indices.  A subscript is a sum of products.  In e * x + v, where any two values of
 * v differ by less than e, the sum determines v, and x, which is such a sum again.  If one
 * undetermined index is left in what remains, and each of its values changes the sum, the sum
 * determines that index.  Factors are assumed not to be 0, and sums not to wrap. */
#include <string.h>

#include "check.h"

enum { MAX_TERMS = 8, MAX_FACTORS = 6, MAX_CLAUSES = 64 };

struct term {
    wide_int times;
    bool minus; /* the term is subtracted */
    const struct node *factor[MAX_FACTORS];
    int n;
};

/* A definition, its typed clauses, and the indices that the subscripts of its target determine. */
struct points {
    const struct fn *f;
    const struct node *clauses, *typed;
    uint64_t known; /* bit i: index i is determined, if below MAX_CLAUSES */
};

/* The terms of a subscript in which indices occur. */
struct subscript {
    struct term term[MAX_TERMS];
    int n; /* more than MAX_TERMS: there are too many, and no index is determined */
};

static bool mentions_index(const struct points *p, const struct node *s) {
    for (const struct node *c = p->clauses; c; c = c->next)
        if (mentions(s, c->list->name))
            return true;
    return false;
}

static bool mentioned(const struct term *t, const char *v) {
    for (int i = 0; i < t->n; i++)
        if (mentions(t->factor[i], v))
            return true;
    return false;
}

/* Multiplies a term by s.  False: there are too many factors. */
static bool add_factors(struct term *t, const struct node *s) {
    const wide_int limit = (wide_int)1 << 31;
    if (s->kind == N_BINARY && s->op == OP_MUL)
        return add_factors(t, s->a) && add_factors(t, s->b);
    if (s->kind == N_UNARY && s->op == OP_NEG) {
        t->minus = !t->minus;
        return add_factors(t, s->a);
    }
    if (s->kind != N_CONST || s->value.i >= limit) {
        t->factor[t->n < MAX_FACTORS ? t->n : 0] = s;
        return t->n++ < MAX_FACTORS;
    }
    t->times *= s->value.i;
    return t->times < limit;
}

static void add_terms(const struct points *p, struct subscript *sum, const struct node *s,
                      bool minus) {
    if (s->kind == N_UNARY && s->op == OP_NEG) {
        add_terms(p, sum, s->a, !minus);
        return;
    }
    if (s->kind == N_BINARY && (s->op == OP_ADD || s->op == OP_SUB)) {
        add_terms(p, sum, s->a, minus);
        add_terms(p, sum, s->b, minus != (s->op == OP_SUB));
        return;
    }
    struct term t = {.times = 1, .minus = minus};
    if (!mentions_index(p, s))
        return;
    if (sum->n < MAX_TERMS && add_factors(&t, s))
        sum->term[sum->n++] = t;
    else
        sum->n = MAX_TERMS + 1;
}

/* ---- an index that is a remainder: v in e * x + v */

/* The clause before c whose index s names, and in *range its typed copy; NULL: none. */
static const struct node *clause_of(const struct points *p, const struct node *c,
                                    const struct node *s, const struct node **range) {
    const struct node *before = p->clauses;
    *range = p->typed;
    for (; s->kind == N_NAME && before != c; before = before->next, *range = (*range)->next)
        if (before->list->name == s->name)
            return before;
    return NULL;
}

/* Whether the clause's indices are 0 or more. */
static bool never_negative(const struct points *p, const struct node *c) {
    const struct node *range, *from = c->a;
    bool up = !c->c || (c->c->kind == N_CONST && c->c->value.i > 0);
    if (!up || (from && !c->b))
        return false;
    if (!from || from->kind == N_CONST)
        return !from || from->value.i >= 0;
    from = clause_of(p, c, from, &range);
    return from && never_negative(p, from);
}

/* Whether any two indices of the clause, whose typed copy is t, differ by less than e.  If *size is
 * set and not 0, they differ by less than *size. */
static bool is_within(const struct points *p, const struct node *c, const struct node *t,
                      const struct node *e, wide_int *size) {
    const struct node *to = t->b;
    *size = 0;
    if (!never_negative(p, c))
        return false;
    if (to->kind == N_CONST)
        *size = to->value.i;
    if (c->a) {
        const struct node *range, *outer = clause_of(p, c, c->b, &range);
        return outer ? is_within(p, outer, range, e, size) : e && same_tree(c->b, e);
    }
    const struct local *l = e && e->kind == N_NAME ? local_named(p->f, e->name) : NULL;
    return l && l->dim && to->kind == N_LOCAL && to->local->dim && same_dim(to->local->dim, l->dim);
}

static wide_int common_divisor(wide_int a, wide_int b) {
    return b == 0 ? (a < 0 ? -a : a) : common_divisor(b, a % b);
}

/* Removes the factor e, the length of the clause's range, from a term.  False: the term has no such
 * factor. */
static bool take_factor(const struct points *p, const struct node *c, const struct node *range,
                        struct term *t) {
    wide_int size;
    for (int i = 0; i < t->n; i++)
        if (is_within(p, c, range, t->factor[i], &size)) {
            t->factor[i] = t->factor[--t->n];
            return true;
        }
    return false;
}

/* Makes x of e * x + v, where v is term k, and e is a number or a name.  False: the sum has no such
 * form. */
static bool divide(const struct points *p, struct subscript *sum, int k, const struct node *c,
                   const struct node *range) {
    struct subscript x = {.n = 0};
    wide_int size, divisor = 0;
    is_within(p, c, range, NULL, &size);
    for (int i = 0; i < sum->n; i++)
        if (i != k)
            divisor = common_divisor(divisor, sum->term[i].times);
    bool by_number = size > 0 && divisor >= size;
    for (int i = 0; i < sum->n; i++) {
        struct term t = sum->term[i];
        if (i == k)
            continue;
        if (mentioned(&t, c->list->name) || (!by_number && !take_factor(p, c, range, &t)))
            return false;
        if (by_number)
            t.times /= divisor;
        if (t.times == 1 && t.n == 1)
            add_terms(p, &x, t.factor[0], t.minus);
        else if (x.n < MAX_TERMS)
            x.term[x.n++] = t;
    }
    if (x.n <= MAX_TERMS)
        *sum = x;
    return x.n <= MAX_TERMS;
}

/* Determines indices v of e * x + v, and replaces the sum by x, until there is none left. */
static uint64_t take_remainders(const struct points *p, struct subscript *sum) {
    uint64_t determined = 0;
    const struct node *c = p->clauses, *range = p->typed;
    for (int which = 0; c && which < MAX_CLAUSES; which++) {
        int k = 0;
        while (k < sum->n && !(sum->term[k].n == 1 && sum->term[k].times == 1 &&
                               sum->term[k].factor[0]->kind == N_NAME &&
                               sum->term[k].factor[0]->name == c->list->name))
            k++;
        if (sum->n > 1 && k < sum->n && divide(p, sum, k, c, range)) {
            determined |= UINT64_C(1) << which;
            c = p->clauses; /* x may determine an index that comes earlier */
            range = p->typed;
            which = -1;
        } else {
            c = c->next;
            range = range->next;
        }
    }
    return determined;
}

/* ---- the one index that is left */

/* Whether a factor changes with v for all values of v, everything else in the factor being
 * fixed. */
static bool changes_with(const struct node *s, const char *v) {
    if (s->kind == N_NAME)
        return s->name == v;
    if (s->kind == N_UNARY)
        return (s->op == OP_NEG || s->op == OP_NOT) && changes_with(s->a, v);
    if (s->kind != N_BINARY || (mentions(s->a, v) && mentions(s->b, v)))
        return false;
    const struct node *part = mentions(s->a, v) ? s->a : s->b, *other = part == s->a ? s->b : s->a;
    bool scaled = s->op == OP_MUL && !(other->kind == N_CONST && other->value.i == 0);
    bool moved = s->op == OP_ADD || s->op == OP_SUB || s->op == OP_XOR;
    return (moved || scaled || (s->op == OP_SHL && part == s->a)) && changes_with(part, v);
}

/* Whether the sum grows, or falls, strictly with v.  Terms may be multiplied by sizes, which may be
 * 0, except for one term. */
static bool grows(const struct points *p, const struct subscript *sum, const char *v) {
    bool always = false;
    const struct term *first = NULL;
    for (int i = 0; i < sum->n; i++) {
        const struct term *t = &sum->term[i];
        int times = 0;
        if (!mentioned(t, v))
            continue;
        first = first ? first : t;
        for (int k = 0; k < t->n; k++) {
            const struct node *factor = t->factor[k];
            const struct local *l = factor->kind == N_NAME ? local_named(p->f, factor->name) : NULL;
            bool is_v = factor->kind == N_NAME && factor->name == v;
            if (!is_v && !(l && l->dim))
                return false;
            times += is_v;
        }
        if (times != 1 || t->times <= 0 || t->minus != first->minus)
            return false;
        always = always || t->n == 1;
    }
    return always;
}

/* Whether the sum, modulo `modulus` if this is not NULL, is different for each index v of the
 * clause. */
static bool determines(const struct points *p, const struct subscript *sum,
                       const struct node *modulus, const struct node *c, const struct node *range) {
    const struct term *t = NULL;
    const struct node *factor = NULL;
    const char *v = c->list->name;
    wide_int size;
    for (int i = 0; i < sum->n; i++)
        if (mentioned(&sum->term[i], v)) {
            if (t)
                return !modulus && grows(p, sum, v);
            t = &sum->term[i];
        }
    for (int i = 0; t && i < t->n; i++)
        if (mentions(t->factor[i], v)) {
            if (factor)
                return false;
            factor = t->factor[i];
        }
    if (!factor || t->times == 0)
        return false;
    if (!modulus)
        return changes_with(factor, v);
    bool within = is_within(p, c, range, modulus, &size) ||
                  (size > 0 && modulus->kind == N_CONST && size <= modulus->value.i);
    return within && factor->kind == N_NAME && t->n == 1 && t->times == 1;
}

/* The indices that a subscript determines, given p->known. */
static uint64_t determined_by(const struct points *p, const struct node *s) {
    bool wraps = s->kind == N_BINARY && s->op == OP_MOD;
    struct subscript sum = {.n = 0};
    add_terms(p, &sum, wraps ? s->a : s, false);
    if (sum.n > MAX_TERMS)
        return 0;
    uint64_t determined = wraps ? 0 : take_remainders(p, &sum), open = 0;
    const struct node *c = p->clauses, *range = p->typed;
    for (int which = 0; c; c = c->next, range = range->next, which++) {
        bool occurs = wraps && mentions(s->b, c->list->name);
        for (int i = 0; i < sum.n && !occurs; i++)
            occurs = mentioned(&sum.term[i], c->list->name);
        if (!occurs || (which < MAX_CLAUSES && (p->known | determined) >> which & 1))
            continue;
        if (open || which >= MAX_CLAUSES || !determines(p, &sum, wraps ? s->b : NULL, c, range))
            return determined;
        open = UINT64_C(1) << which;
    }
    return determined | open;
}

/* ---- quotients and remainders: x // e and x % e together determine as much as x */

static bool is_op(const struct node *s, enum op op) {
    return s->kind == N_BINARY && s->op == op;
}

static bool is_product(const struct node *s, const struct node *a, const struct node *b) {
    if (s->kind == N_CONST && a->kind == N_CONST && b->kind == N_CONST)
        return s->value.i == a->value.i * b->value.i;
    return is_op(s, OP_MUL) && ((same_tree(s->a, a) && same_tree(s->b, b)) ||
                                (same_tree(s->a, b) && same_tree(s->b, a)));
}

/* Whether s is x // e, also in the form y // (d * e), where x is y // d. */
static bool is_quotient(const struct node *s, const struct node *x, const struct node *e) {
    if (!is_op(s, OP_FLOORDIV))
        return false;
    return (same_tree(s->a, x) && same_tree(s->b, e)) ||
           (is_op(x, OP_FLOORDIV) && same_tree(s->a, x->a) && is_product(s->b, x->b, e));
}

/* Appends to n subscripts the expressions whose quotient and remainder are both subscripts.  Gives
 * the new number of subscripts. */
static int add_whole(const struct node **subscript, int n, int max) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n && n < max && is_op(subscript[i], OP_MOD); k++)
            if (is_quotient(subscript[k], subscript[i]->a, subscript[i]->b)) {
                subscript[n++] = subscript[i]->a;
                break;
            }
    return n;
}

static void find_known(struct points *p, const struct node *subscripts) {
    const struct node *subscript[2 * MAX_CORE_RANK];
    int n = 0;
    for (const struct node *s = subscripts; s; s = s->next)
        if (n < MAX_CORE_RANK)
            subscript[n++] = s;
    n = add_whole(subscript, n, 2 * MAX_CORE_RANK);
    for (uint64_t before = ~p->known; before != p->known;) {
        before = p->known;
        for (int i = 0; i < n; i++)
            p->known |= determined_by(p, subscript[i]);
    }
}

const struct node *find_undetermined(struct fn *f, const struct node *n, const struct node *t) {
    struct points p = {f, n->clauses, t->clauses, 0};
    const struct node *c = n->clauses;
    find_known(&p, n->list->list);
    for (; c && p.known & 1 && !(c->a && !c->b); c = c->next)
        p.known >>= 1;
    return c;
}

/* The first of the indices that more than one iteration may share of those that write an element;
 * read: a read of the target, or NULL. */
static const struct node *shared_index(struct fn *f, const struct node *n, const struct node *t,
                                       const struct node *read) {
    struct points p = {f, n->clauses, t->clauses, 0};
    find_known(&p, n->list->list);
    const struct node *c = n->clauses;
    for (int which = 0; c; c = c->next, which++) {
        bool known = which < MAX_CLAUSES && p.known >> which & 1, of_elements = c->a && !c->b;
        if (read ? !known || of_elements : !known && mentions(n->b, c->list->name))
            break;
    }
    return c;
}

bool check_order(struct fn *f, const struct node *n, const struct node *t) {
    const struct node *target = n->list, *read = find_read(f, n->b, target, false);
    read = read ? read : find_read(f, n->filter, target, false);
    const struct node *c = shared_index(f, n, t, read);
    if (!c)
        return true;
    const char *name = c->list->name, *text = target_text(f, target);
    if (!read) {
        warn(f->uc, W_ORDER, target->at, "several '%s' may write the same '%s', in no order", name,
             text);
        note(f->uc, n->at, "in order it is a statement: %s", in_order(f, n));
        return true;
    }
    fail(f, read->at, "several '%s' may read and write the same '%s', in no order", name, text);
    const char *every = accumulated(f, n);
    if (every)
        note(f->uc, n->at, "where every '%s' counts, write '%s'", name, every);
    else
        note(f->uc, n->at, "in order it is a statement: %s", in_order(f, n));
    return false;
}
