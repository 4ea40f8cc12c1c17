/* match.c: recognises the bodies that kernels with shared memory are for: a single definition
 * whose elements are reductions, and whose neighbouring elements read the same inputs. */
#include <math.h>

#include "plan.h"

bool same_value(const struct pval *a, const struct pval *b) {
    bool same = a->kind == b->kind && a->dtype == b->dtype && a->op == b->op && a->var == b->var &&
                a->operand == b->operand && a->table == b->table && a->builtin == b->builtin &&
                a->result == b->result && a->nargs == b->nargs && a->i == b->i && a->f == b->f &&
                !signbit(a->f) == !signbit(b->f);
    for (int i = 0; same && i < a->nargs; i++)
        same = same_value(a->args[i], b->args[i]);
    return same;
}

static bool from_zero(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST && r->step->i == 1;
}

static bool all_from_zero(const struct prange *r) {
    while (r != NULL && from_zero(r))
        r = r->next;
    return r == NULL;
}

/* ---- a definition by a reduction */

/* Whether what comes before the reduction sets constants alone. */
static bool has_constant_head(const struct shape *m) {
    const struct pstmt *s = m->first;
    while (s->kind == PS_SET && s->value->kind == PV_CONST)
        s = s->next;
    return s->kind == PS_SPREAD;
}

bool is_straight(const struct pstmt *s, bool stores) {
    while (s != NULL && (s->kind == PS_SET || (stores && s->kind == PS_PUT)))
        s = s->next;
    return s == NULL;
}

bool match_reduction(const struct pstmt *s, struct shape *m) {
    for (m->first = s; s != NULL && s->kind == PS_SET;)
        s = s->next;
    if (s == NULL || s->kind != PS_SPREAD || s->accs == NULL || s->ordered)
        return false;
    m->in = s->ranges;
    m->accs = s->accs;
    m->joined = s->joined;
    m->rest = s->next;
    m->filter = NULL;
    m->body = s->body;
    if (s->body != NULL && s->body->kind == PS_IF && s->body->next == NULL &&
        s->body->other == NULL) {
        m->filter = s->body->value;
        m->body = s->body->body;
    }
    for (const struct pacc *a = m->accs; a != NULL; a = a->next)
        if (++m->naccs > MAX_ACCS || a->acc->dtype == DT_BOOL)
            return false;
    return true;
}

bool match_definition(const struct pstmt *s, struct shape *m) {
    return match_reduction(s, m) && all_from_zero(m->in);
}

bool match_points(const struct pstmt *s, struct shape *m) {
    if (s->kind != PS_SPREAD || s->accs != NULL || !all_from_zero(s->ranges))
        return false;
    m->at = s->ranges;
    m->first = s->body;
    return true;
}

bool match_shape(const struct plan *p, struct shape *m) {
    const struct pstmt *s = p->body->body;
    return s != NULL && s->next == NULL && match_points(s, m) && match_reduction(m->first, m) &&
           is_straight(m->body, false) && is_straight(m->rest, true);
}

int count_ranges(const struct prange *r) {
    int n = 0;
    for (; r != NULL; r = r->next)
        n++;
    return n;
}

static const struct prange *range_of(const struct prange *r, const struct pvar *var) {
    while (r != NULL && r->var != var)
        r = r->next;
    return r;
}

static bool is_index(const struct shape *m, const struct pvar *var) {
    return range_of(m->at, var) != NULL || range_of(m->in, var) != NULL;
}

const struct pval *set_before(const struct shape *m, const struct pvar *var) {
    const struct pstmt *s = m->first;
    while (s->kind == PS_SET && s->var != var)
        s = s->next;
    return s->kind == PS_SET ? s->value : NULL;
}

/* The places that the reduction's points read.  At most two different ones are allowed, and indices
 * may occur only in their subscripts. */
struct places {
    const struct shape *shape;
    const struct pval **place;
};

static enum walk find_index(const struct pval *v, void *arg) {
    const struct places *p = arg;
    bool found = v->kind == PV_ELEM || (v->kind == PV_VAR && is_index(p->shape, v->var));
    return found ? WALK_STOP : WALK_IN;
}

bool is_fixed_in(const struct shape *m, const struct pval *v) {
    return value_walk(v, find_index, &(struct places){m, NULL});
}

static enum walk take_place(const struct pval *v, void *arg) {
    const struct places *p = arg;
    int k = 0;
    if (v->kind == PV_VAR && is_index(p->shape, v->var))
        return WALK_STOP;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    while (k < 2 && p->place[k] != NULL && !same_value(p->place[k], v))
        k++;
    if (k == 2)
        return WALK_STOP;
    p->place[k] = v;
    return WALK_PAST;
}

bool find_places(const struct plan *p, const struct shape *m, const struct pval **place) {
    struct places places = {m, place};
    if (!plan_walk(m->body, &(struct plan_visitor){.value = take_place}, &places))
        return false;
    for (int k = 0; k < 2; k++)
        if (place[k] != NULL && (place[k]->operand >= p->nin || place[k]->dtype == DT_BOOL))
            return false;
    return place[0] != NULL;
}

bool find_shape_sizes(struct uc *uc, struct shape *m) {
    const struct prange *row = m->at->next != NULL ? m->at : NULL;
    const struct prange *column = row != NULL ? row->next : m->at;
    m->rows = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    m->columns = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    return (row == NULL || value_terms(row->hi, m->rows, &m->nrows)) &&
           value_terms(column->hi, m->columns, &m->ncolumns);
}

/* ---- bodies whose result zeros do not change */

enum { MAX_LOCALS = 32 };

/* What is known of variables. */
struct zeros {
    const struct shape *shape;
    bool elements; /* elements are zero; else they are finite, but for these: */
    const struct pval *const *zero;
    int nzero;
    const struct pvar *const *other; /* variables that are finite */
    int nother;
    int n;
    struct {
        const struct pvar *var, *acc; /* acc: the accumulator whose value var has; NULL: var is 0 */
    } known[MAX_LOCALS];
};

static bool is_zero(const struct zeros *z, const struct pval *v);

static bool is_zero_place(const struct zeros *z, const struct pval *v) {
    for (int i = 0; i < z->nzero; i++)
        if (same_value(z->zero[i], v))
            return true;
    return false;
}

static bool is_finite(const struct zeros *z, const struct pval *v) {
    for (int i = 0; v->kind == PV_VAR && i < z->nother; i++)
        if (z->other[i] == v->var)
            return true;
    return (v->kind == PV_CONST && isfinite(v->f)) || (v->kind == PV_ELEM && !z->elements);
}

static bool is_zero_product(const struct zeros *z, const struct pval *a, const struct pval *b) {
    return (is_zero(z, a) && (is_zero(z, b) || is_finite(z, b))) ||
           (is_finite(z, a) && is_zero(z, b));
}

static bool is_zero(const struct zeros *z, const struct pval *v) {
    switch (v->kind) {
    case PV_ELEM: return z->elements || is_zero_place(z, v);
    case PV_CONST: return v->i == 0 && v->f == 0;
    case PV_VAR:
        for (int i = z->n; i-- > 0;)
            if (z->known[i].var == v->var)
                return z->known[i].acc == NULL;
        return false;
    case PV_OP:
        if (v->op == OP_MUL)
            return is_zero_product(z, v->args[0], v->args[1]);
        if (v->op == OP_AND)
            return is_zero(z, v->args[0]) || is_zero(z, v->args[1]);
        if (v->op != OP_ADD && v->op != OP_SUB && v->op != OP_NEG && v->op != OP_OR)
            return false;
        break;
    case PV_FMA: return is_zero_product(z, v->args[0], v->args[1]) && is_zero(z, v->args[2]);
    case PV_CAST:
    case PV_PART:
    case PV_PACK: break;
    default: return false;
    }
    for (int i = 0; i < v->nargs; i++)
        if (!is_zero(z, v->args[i]))
            return false;
    return true;
}

/* The accumulator whose value v has; NULL: none. */
static const struct pvar *acc_of(const struct zeros *z, const struct pval *v) {
    const struct pval *a = v->args[0], *b = v->args[1];
    if (v->kind == PV_FMA)
        return is_zero_product(z, a, b) ? acc_of(z, v->args[2]) : NULL;
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_OR);
    if (sum && is_zero(z, a))
        return acc_of(z, b);
    if (sum || (v->kind == PV_OP && v->op == OP_SUB))
        return is_zero(z, b) ? acc_of(z, a) : NULL;
    if (v->kind != PV_VAR)
        return NULL;
    for (int i = z->n; i-- > 0;)
        if (z->known[i].var == v->var)
            return z->known[i].acc;
    for (const struct pacc *acc = z->shape->accs; acc != NULL; acc = acc->next)
        if (acc->acc == v->var)
            return v->var;
    return NULL;
}

bool is_acc_of(const struct shape *m, const struct pvar *var) {
    const struct pacc *a = m->accs;
    while (a != NULL && a->acc != var)
        a = a->next;
    return a != NULL;
}

static bool keeps(struct zeros *z, const struct pvar *const *zero_var, int n) {
    const struct shape *m = z->shape;
    for (; z->n < n; z->n++)
        z->known[z->n].var = zero_var[z->n];
    for (const struct pstmt *s = m->body; s != NULL; s = s->next) {
        const struct pvar *acc = acc_of(z, s->value);
        bool zero = acc == NULL && is_zero(z, s->value);
        if (is_acc_of(m, s->var)) {
            if (acc != s->var)
                return false;
            continue;
        }
        if ((acc == NULL && !zero) || z->n == MAX_LOCALS)
            return false;
        z->known[z->n].var = s->var;
        z->known[z->n++].acc = acc;
    }
    return true;
}

bool keeps_accs(const struct shape *m, const struct pvar *const *zero_var, int n) {
    struct zeros z = {.shape = m, .elements = true};
    return keeps(&z, zero_var, n);
}

bool keeps_accs_beside(const struct shape *m, const struct zero_factors *f) {
    struct zeros z = {
        .shape = m, .zero = f->place, .nzero = f->nplaces, .other = f->other, .nother = f->nothers};
    return keeps(&z, f->var, f->nvars);
}

/* ---- contractions */

/* The position of x in a matrix's subscripts, where y is the other one; -1: the subscripts are not
 * x and y. */
static int subscript_of(const struct pval *v, const struct prange *x, const struct prange *y) {
    for (int i = 0; v->nargs == 2 && i < 2; i++)
        if (v->args[i]->kind == PV_VAR && v->args[i]->var == x->var &&
            v->args[1 - i]->kind == PV_VAR && v->args[1 - i]->var == y->var)
            return i;
    return -1;
}

bool is_contraction(const struct plan *p) {
    struct shape shape = {.at = NULL}, *m = &shape;
    const struct pval *place[2] = {NULL, NULL};
    if (!match_shape(p, m) || !all_from_zero(m->in) || !has_constant_head(m) || m->filter != NULL ||
        count_ranges(m->at) != 2 || count_ranges(m->in) != 1 || !find_places(p, m, place) ||
        place[1] == NULL)
        return false;
    for (int k = 0; k < 2; k++)
        if (subscript_of(place[k], m->at, m->in) >= 0 &&
            subscript_of(place[1 - k], m->at->next, m->in) >= 0)
            return true;
    return false;
}
