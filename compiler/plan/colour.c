/* colour.c: whether two places are never one element because conditions, the steps of loops, and
 * subscripts themselves tell what remainders these leave, as those of the fields of a chessboard
 * do, or of rows that take turns, t[1 - a, j] = t[a, j]:
 *
 *     for i in 1..n - 1 { for j in 1..m - 1 { if (i + j) % 2 == colour { u[i, j] = u[i - 1, j] } }
 * }
 *
 * Were they one element, all that is known would hold at once: that their subscripts are equal, the
 * conditions of both, and that an index is some steps from where its loop begins.  Taken modulo a
 * number these are linear equations; where elimination leaves 0 = 1 of them, they have no solution
 * (a congruence instead of the GCD test: Banerjee, Dependence Analysis for Supercomputing, 1988).
 */
#include <stdlib.h>

#include "linear.h"

enum {
    SIDES = 2,
    SHARED = SIDES,
    MAX_UNKNOWNS = 24,
    MAX_EQUATIONS = 24,
    MAX_MODULUS = 64,
    MAX_CHOICES = 4
};

/* The sum of times[i] * unknown[i], and plus, is a multiple of the modulus. */
struct equation {
    int64_t times[MAX_UNKNOWNS], plus;
};

struct colouring {
    const struct candidate *c;
    int64_t modulus;
    struct {
        const struct pvar *var; /* NULL: the dimension */
        int dim, side;          /* side SHARED: it is the same for both places */
    } unknown[MAX_UNKNOWNS];
    int nunknowns;
    struct equation equation[MAX_EQUATIONS];
    int nequations;
    struct {
        const struct pval *of; /* a PV_SELECT */
        int side;
    } choice[MAX_CHOICES];
    int nchoices;
    unsigned first;      /* choices that are of the first value, a bit each */
    bool places;         /* what is added are subscripts, which are in range */
    bool wraps;          /* dimensions at which subscripts begin again may be such multiples, */
    uint32_t *multiples; /* which are these, a bit each */
};

/* ---- sums */

static int64_t remainder_of(const struct colouring *x, int64_t n) {
    return (n % x->modulus + x->modulus) % x->modulus;
}

static bool add_unknown(struct colouring *x, struct equation *e, const struct pvar *var, int dim,
                        int side, int64_t times) {
    int i = 0;
    while (i < x->nunknowns &&
           (x->unknown[i].var != var || x->unknown[i].dim != dim || x->unknown[i].side != side))
        i++;
    if (i == MAX_UNKNOWNS)
        return false;
    if (i == x->nunknowns) {
        x->unknown[i].var = var;
        x->unknown[i].dim = dim;
        x->unknown[i].side = side;
        x->nunknowns++;
    }
    e->times[i] = remainder_of(x, e->times[i] + times);
    return true;
}

/* The loop whose index a variable is, or what sets it; -1: none. */
static int loop_of(const struct candidate *c, const struct pvar *var) {
    int i = c->nindices - 1;
    while (i >= 0 && c->index[i]->var != var)
        i--;
    return i;
}

/* Is v a number by which a remainder keeps that by the modulus? */
static bool keeps_remainder(const struct colouring *x, const struct pval *v, bool bits) {
    int64_t n = (int64_t)v->i;
    bool number = v->kind == PV_CONST && n != 0 && n != INT64_MIN && n != INT64_MAX;
    if (!number || (bits && (n < 0 || (n & (n + 1)) != 0)))
        return false;
    return (bits ? n + 1 : n) % x->modulus == 0;
}

/* Are remainders of v those of its summands? */
static bool keeps_sum(const struct colouring *x, const struct pval *v) {
    return (x->modulus & (x->modulus - 1)) == 0 || never_wraps(x->c, v, x->places);
}

static void add_condition(struct colouring *x, const struct pval *v, bool holds, int side);

static enum walk note_dimension(const struct pval *v, void *multiples) {
    if (v->kind == PV_DIM && v->operand < 32)
        *(uint32_t *)multiples |= UINT32_C(1) << v->operand;
    return WALK_IN;
}

/* The value that a choice is. */
static const struct pval *chosen(struct colouring *x, const struct pval *v, int side) {
    int i = 0;
    while (i < x->nchoices && (x->choice[i].of != v || x->choice[i].side != side))
        i++;
    if (i == MAX_CHOICES)
        return NULL;
    bool first = x->first >> i & 1;
    if (i == x->nchoices) {
        x->choice[i].of = v;
        x->choice[i].side = side;
        x->nchoices++;
        add_condition(x, v->args[0], first, side);
        if (x->wraps)
            value_walk(v->args[0], note_dimension, x->multiples);
    }
    return v->args[first ? 1 : 2];
}

/* Adds v, of one side, so many times.  False: it is no sum. */
static bool add_sum(struct colouring *x, struct equation *e, const struct pval *v, int side,
                    int64_t times) {
    if (v->dtype != DT_INT64)
        return false;
    if (v->kind == PV_CONST) {
        e->plus = remainder_of(x, e->plus + times * remainder_of(x, (int64_t)v->i));
        return true;
    }
    if (v->kind == PV_DIM)
        return add_unknown(x, e, NULL, v->operand, SHARED, times);
    if (v->kind == PV_VAR) {
        int at = loop_of(x->c, v->var);
        return (at >= 0 || !x->c->written[v->var->id]) &&
               add_unknown(x, e, v->var, -1, at >= x->c->own ? side : SHARED, times);
    }
    if (v->kind == PV_SELECT) {
        const struct pval *one = chosen(x, v, side);
        return one != NULL && add_sum(x, e, one, side, times);
    }
    if (v->kind != PV_OP)
        return false;
    const struct pval *a = v->args[0], *b = v->args[v->nargs - 1];
    switch (v->op) {
    case OP_NEG: return add_sum(x, e, a, side, -times);
    case OP_ADD:
    case OP_SUB:
        return add_sum(x, e, a, side, times) &&
               add_sum(x, e, b, side, v->op == OP_SUB ? -times : times);
    case OP_MUL:
        if (a->kind == PV_CONST)
            return add_sum(x, e, b, side, remainder_of(x, times * remainder_of(x, (int64_t)a->i)));
        return b->kind == PV_CONST &&
               add_sum(x, e, a, side, remainder_of(x, times * remainder_of(x, (int64_t)b->i)));
    case OP_XOR: /* a sum without carries */
        return x->modulus == 2 && add_sum(x, e, a, side, times) && add_sum(x, e, b, side, times);
    case OP_AND:
        return (keeps_remainder(x, b, true) && add_sum(x, e, a, side, times)) ||
               (keeps_remainder(x, a, true) && add_sum(x, e, b, side, times));
    case OP_MOD:
        if (b->kind == PV_DIM && x->wraps && b->operand < 32)
            *x->multiples |= UINT32_C(1) << b->operand;
        else if (!keeps_remainder(x, b, false))
            return false;
        return add_sum(x, e, a, side, times);
    default: return false;
    }
}

/* ---- what is known */

/* Adds that a, of one side, and `plus` are together b, of another one, if both are sums. */
static void add_equation(struct colouring *x, const struct pval *a, int side, const struct pval *b,
                         int other, int64_t plus) {
    if (x->nequations == MAX_EQUATIONS || !keeps_sum(x, a) || !keeps_sum(x, b))
        return;
    struct equation e = {.plus = remainder_of(x, plus)};
    uint32_t before = *x->multiples;
    int n = x->nequations;
    bool is = add_sum(x, &e, a, side, 1) && add_sum(x, &e, b, other, x->modulus - 1);
    if (is && x->nequations < MAX_EQUATIONS) /* choices add theirs */
        x->equation[x->nequations++] = e;
    else if (n == x->nequations)
        *x->multiples = before;
}

/* Is v 0 or 1? */
static bool is_bit(const struct colouring *x, const struct pval *v) {
    if (v->kind == PV_CONST)
        return v->i <= 1;
    if (v->kind == PV_VAR) {
        int at = loop_of(x->c, v->var);
        const struct pstmt *s = at >= 0 ? x->c->index[at] : NULL;
        return s != NULL && s->lo->kind == PV_CONST && s->hi->kind == PV_CONST &&
               s->step->kind == PV_CONST && (int64_t)s->step->i > 0 && (int64_t)s->lo->i >= 0 &&
               (int64_t)s->hi->i <= 2;
    }
    return v->kind == PV_OP && v->args[v->nargs - 1]->kind == PV_CONST &&
           ((v->op == OP_MOD && v->args[1]->i == 2) || (v->op == OP_AND && v->args[1]->i == 1));
}

/* Adds that v, of one side, is a number, if it is at least that, or at most, and indices cannot
 * make it more, or less. */
static void add_extreme(struct colouring *x, const struct pval *a, const struct pval *b, int plus,
                        bool greatest, int side) {
    struct linear d, minus;
    if (a->dtype != DT_INT64 || !never_wraps(x->c, a, false) || !never_wraps(x->c, b, false) ||
        !linear_of(x->c, a, &d) || !linear_of(x->c, b, &minus) || !linear_subtract(&d, &minus) ||
        !linear_extreme(x->c, 0, x->c->nindices, greatest, &d) || !linear_is_number(&d) ||
        d.plus != plus)
        return;
    add_equation(x, a, side, b, side, -plus);
}

/* Adds what a comparison that holds says. */
static void add_order(struct colouring *x, const struct pval *v, bool holds, int side) {
    bool less = v->op == OP_LT || v->op == OP_LE, strict = v->op == OP_LT || v->op == OP_GT;
    if (less == holds) /* v->args[0] is less */
        add_extreme(x, v->args[0], v->args[1], strict == holds ? -1 : 0, false, side);
    else
        add_extreme(x, v->args[0], v->args[1], strict == holds ? 1 : 0, true, side);
}

/* Adds what a condition of one side says. */
static void add_condition(struct colouring *x, const struct pval *v, bool holds, int side) {
    if (v->kind != PV_OP)
        return;
    if (v->op == OP_LNOT) {
        add_condition(x, v->args[0], !holds, side);
    } else if (v->op == (holds ? OP_LAND : OP_LOR)) {
        add_condition(x, v->args[0], holds, side);
        add_condition(x, v->args[1], holds, side);
    } else if (v->op == (holds ? OP_EQ : OP_NE)) {
        add_equation(x, v->args[0], side, v->args[1], side, 0);
    } else if (v->op == (holds ? OP_NE : OP_EQ) && x->modulus == 2 && is_bit(x, v->args[0]) &&
               is_bit(x, v->args[1])) {
        add_equation(x, v->args[0], side, v->args[1], side, 1);
    } else if (v->op == OP_LT || v->op == OP_LE || v->op == OP_GT || v->op == OP_GE) {
        add_order(x, v, holds, side);
    }
}

/* Adds that indices are steps from where their loops begin. */
static void add_loops(struct colouring *x) {
    for (int i = 0; i < x->c->nindices; i++) {
        const struct pstmt *s = x->c->index[i];
        const struct pval index = {.kind = PV_VAR, .dtype = DT_INT64, .var = (struct pvar *)s->var};
        bool single = is_setting(s);
        int first = i < x->c->own ? SHARED : 0, end = i < x->c->own ? SHARED + 1 : SIDES;
        for (int side = first; side < end && (single || keeps_remainder(x, s->step, false)); side++)
            add_equation(x, &index, side, s->lo, side, 0);
    }
}

/* ---- whether it can be */

/* The number whose product with n is 1; 0: there is none. */
static int64_t inverse_of(const struct colouring *x, int64_t n) {
    for (int64_t i = 1; i < x->modulus; i++)
        if (n * i % x->modulus == 1)
            return i;
    return 0;
}

/* Takes an unknown out of all equations but one, which is used up. */
static void eliminate(struct colouring *x, int unknown, bool *used) {
    int at = 0;
    int64_t by = 0;
    for (; at < x->nequations; at++)
        if (!used[at] && (by = inverse_of(x, x->equation[at].times[unknown])) != 0)
            break;
    if (at == x->nequations)
        return;
    const struct equation *e = &x->equation[at];
    used[at] = true;
    for (int k = 0; k < x->nequations; k++) {
        struct equation *o = &x->equation[k];
        int64_t times = x->modulus - o->times[unknown] * by % x->modulus;
        if (used[k] || o->times[unknown] == 0)
            continue;
        for (int i = 0; i < x->nunknowns; i++)
            o->times[i] = (o->times[i] + times * e->times[i]) % x->modulus;
        o->plus = (o->plus + times * e->plus) % x->modulus;
    }
}

static bool is_contradiction(struct colouring *x) {
    bool used[MAX_EQUATIONS] = {false};
    for (int i = 0; i < x->nunknowns; i++)
        eliminate(x, i, used);
    for (int k = 0; k < x->nequations; k++) {
        bool none = x->equation[k].plus != 0;
        for (int i = 0; i < x->nunknowns; i++)
            none = none && x->equation[k].times[i] == 0;
        if (none)
            return true;
    }
    return false;
}

/* The same where choices are of the values that `first` says, a bit each.  Sets *choices to how
 * many there are, if these are more. */
static bool are_apart_where(const struct candidate *c, const int place[SIDES], int64_t modulus,
                            unsigned first, bool wraps, uint32_t *multiples, int *choices) {
    struct colouring x = {
        .c = c, .modulus = modulus, .first = first, .wraps = wraps, .multiples = multiples};
    const struct pval *a = c->place[place[0]], *b = c->place[place[1]];
    x.places = true;
    for (int i = 0; i < a->nargs; i++)
        add_equation(&x, a->args[i], 0, b->args[i], 1, 0);
    x.places = false;
    for (int side = 0; side < SIDES; side++)
        for (const struct guard *g = c->guard[place[side]]; g != NULL; g = g->outer)
            add_condition(&x, g->value, g->holds, side);
    add_loops(&x);
    for (int i = 0; i < 32; i++) {
        struct pval dim = {.kind = PV_DIM, .dtype = DT_INT64, .operand = i};
        struct pval zero = {.kind = PV_CONST, .dtype = DT_INT64};
        if (*multiples >> i & 1)
            add_equation(&x, &dim, SHARED, &zero, SHARED, 0);
    }
    *choices = *choices > x.nchoices ? *choices : x.nchoices;
    return is_contradiction(&x);
}

/* Whether two places are never the same by their remainders modulo a number. */
static bool are_apart_by(const struct candidate *c, const int place[SIDES], int64_t modulus,
                         bool wraps, uint32_t *multiples) {
    int choices = 0;
    for (unsigned first = 0; first < 1U << choices; first++)
        if (!are_apart_where(c, place, modulus, first, wraps, multiples, &choices))
            return false;
    return true;
}

/* ---- by which numbers */

struct moduli {
    uint64_t found; /* a bit each */
};

static void add_modulus(struct moduli *m, const struct pval *v, int64_t plus) {
    int64_t n = v->kind == PV_CONST ? (int64_t)v->i : 0;
    n = n > -MAX_MODULUS && n < MAX_MODULUS ? llabs(n) : 0;
    n += n > 0 ? plus : 0;
    if (n >= 2 && n < MAX_MODULUS)
        m->found |= UINT64_C(1) << n;
}

static enum walk find_moduli(const struct pval *v, void *arg) {
    struct moduli *moduli = arg;
    if (v->kind == PV_OP && v->nargs == 2 && v->dtype == DT_INT64) {
        if (v->op == OP_MOD)
            add_modulus(moduli, v->args[1], 0);
        if (v->op == OP_XOR)
            moduli->found |= UINT64_C(1) << 2;
        for (int i = 0; i < 2 && v->op == OP_AND; i++)
            add_modulus(moduli, v->args[i], 1);
    }
    return WALK_IN;
}

/* Adds those of two subscripts, and how many times one has what both are made of more often than
 * the other one: 1 - a and a differ, since no whole number is half of 1. */
static void add_subscripts(struct moduli *m, const struct candidate *c, const struct pval *a,
                           const struct pval *b) {
    struct linear difference, other;
    value_walk(a, find_moduli, m);
    value_walk(b, find_moduli, m);
    if (!linear_of(c, a, &difference) || !linear_of(c, b, &other) ||
        !linear_subtract(&difference, &other))
        return;
    for (int i = 0; i < difference.n; i++) {
        int64_t times = llabs(difference.times[i]);
        if (times >= 2 && times < MAX_MODULUS)
            m->found |= UINT64_C(1) << times;
    }
}

bool are_coloured_apart(const struct candidate *c, int i, int k) {
    const int place[SIDES] = {i, k};
    struct moduli m = {0};
    for (int side = 0; side < SIDES; side++)
        for (const struct guard *g = c->guard[place[side]]; g != NULL; g = g->outer)
            value_walk(g->value, find_moduli, &m);
    for (int n = 0; n < c->place[i]->nargs; n++)
        add_subscripts(&m, c, c->place[i]->args[n], c->place[k]->args[n]);
    for (int at = 0; at < c->nindices; at++)
        add_modulus(&m, c->index[at]->step, 0);
    for (int64_t n = 2; n < MAX_MODULUS; n++) {
        uint32_t none = 0, multiples = c->given != NULL ? c->given->dims : 0;
        if (!(m.found >> n & 1))
            continue;
        if (are_apart_by(c, place, n, false, &none))
            return true;
        if (c->given == NULL || (c->given->of != 0 && c->given->of != n) ||
            !are_apart_by(c, place, n, true, &multiples))
            continue;
        *c->given = (struct multiples){multiples, n};
        return true;
    }
    return false;
}
