/* range.c: plainer indices and ranges.  Bounds that are made of sizes, and what is made of
 * indices and sizes, take the place of their variables, so that all see what subscripts are.  A
 * reduction over max(i - 2, 0)..min(i + 3, n) becomes one over 0..5 with a condition, so that it is
 * a window that moves with i, of a length that is known. */
#include "apart.h"
#include "poly.h"

enum {
    MAX_LEAVES = 8,
    MAX_BOUNDS = 4,
    LONGEST = 256,
    INLINED_SIZE = 12,
    MAX_VISITS = 64,
    MAX_BLOCK_ATOMS = 8
};

struct ranges {
    struct lower *l;
    int nvars;                 /* of which this is known: those that were before */
    int *sets, *reads;         /* by variable: how often it is set, and read */
    const struct pval **value; /* what is assigned; the last one */
};

static enum walk note_read(const struct pval *v, void *arg) {
    const struct ranges *x = arg;
    if (v->kind == PV_VAR)
        x->reads[v->var->id]++;
    return WALK_IN;
}

static enum walk note_sets(const struct pstmt *s, void *arg) {
    const struct ranges *x = arg;
    if (s->kind == PS_SET)
        x->value[s->var->id] = s->value;
    if (s->kind == PS_SET || s->kind == PS_FOR)
        x->sets[s->var->id]++;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        x->sets[r->var->id]++;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        x->reads[a->acc->id]++;
        x->reads[a->other->id]++;
    }
    return WALK_IN;
}

/* Does a variable keep the value that it is set to first? */
static bool is_set_once(const struct ranges *x, const struct pvar *var) {
    return var->id >= x->nvars || x->sets[var->id] == 1;
}

/* Stops at what may be another value where it is read later, or must not be computed twice. */
static enum walk find_changing(const struct pval *v, void *arg) {
    const struct ranges *x = arg;
    bool changes = v->kind == PV_VAR && !is_set_once(x, v->var);
    return changes || v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* The value of a variable that is set once, if that is the same later; else v itself. */
static struct pval *resolved(const struct ranges *x, struct pval *v) {
    while (v->kind == PV_VAR && v->var->id < x->nvars && x->sets[v->var->id] == 1 &&
           x->value[v->var->id] != NULL &&
           value_walk(x->value[v->var->id], find_changing, (void *)x))
        v = (struct pval *)x->value[v->var->id];
    return v;
}

static bool is_extreme(const struct pval *v, enum builtin_id id) {
    return v->kind == PV_CALL && (int)v->builtin->id == (int)id;
}

/* ---- bounds of sizes alone */

static enum walk find_other(const struct pval *v, void *arg) {
    (void)arg;
    bool divides = v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD);
    bool sizes = v->kind == PV_CONST || v->kind == PV_DIM || is_extreme(v, B_MIN) ||
                 is_extreme(v, B_MAX) ||
                 (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_MUL));
    return sizes || (divides && v->args[1]->kind == PV_CONST && v->args[1]->i != 0) ? WALK_IN
                                                                                    : WALK_STOP;
}

static void inline_bound(const struct ranges *x, struct pval **bound) {
    struct pval *v = resolved(x, *bound);
    if (value_walk(v, find_other, NULL))
        *bound = v;
}

/* ---- what is made of indices and sizes */

/* Stops at all but sums of loops' indices and sizes, and their min, max and clip. */
static enum walk find_no_index(const struct pval *v, void *arg) {
    const struct ranges *x = arg;
    bool index = v->kind == PV_VAR && is_set_once(x, v->var) &&
                 (v->var->id >= x->nvars || x->value[v->var->id] == NULL);
    bool clips = is_extreme(v, B_MIN) || is_extreme(v, B_MAX) || is_extreme(v, B_CLIP);
    bool sums = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB);
    return v->dtype == DT_INT64 &&
                   (index || clips || sums || v->kind == PV_CONST || v->kind == PV_DIM)
               ? WALK_IN
               : WALK_STOP;
}

/* Values of variables have been seen to before, where these are set. */
static void inline_indices(const struct ranges *x, struct pval *v) {
    if (v == NULL)
        return;
    struct pval *value = v->dtype == DT_INT64 ? resolved(x, v) : v;
    if (value != v) {
        bool known =
            value_walk(value, find_no_index, (void *)x) || value_walk(value, find_other, NULL);
        if (known && value_size(value) <= INLINED_SIZE)
            *v = *value;
        return;
    }
    for (int i = 0; i < v->nargs; i++)
        inline_indices(x, v->args[i]);
}

/* ---- ranges of a constant length */

/* A sum: a number, and leaves with signs. */
struct sum {
    int64_t number;
    int n, visits;
    const struct pval *leaf[MAX_LEAVES];
    bool minus[MAX_LEAVES];
};

static bool add_leaf(struct sum *to, const struct pval *v, bool minus) {
    for (int i = 0; i < to->n; i++)
        if (to->minus[i] != minus && same_value(to->leaf[i], v)) {
            to->n--;
            to->leaf[i] = to->leaf[to->n];
            to->minus[i] = to->minus[to->n];
            return true;
        }
    if (to->n == MAX_LEAVES)
        return false;
    to->leaf[to->n] = v;
    to->minus[to->n++] = minus;
    return true;
}

static bool add_value(const struct ranges *x, struct sum *to, struct pval *v, bool minus) {
    v = resolved(x, v);
    if (++to->visits > MAX_VISITS)
        return false;
    if (v->kind == PV_CONST) {
        int64_t n = (int64_t)v->i;
        bool small = n >= INT32_MIN && n <= INT32_MAX;
        to->number += !small ? 0 : minus ? -n : n;
        return small;
    }
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB))
        return add_value(x, to, v->args[0], minus) &&
               add_value(x, to, v->args[1], minus != (v->op == OP_SUB));
    return add_leaf(to, v, minus);
}

bool constant_difference(struct pval *from, struct pval *to, int64_t *d) {
    const struct ranges none = {0};
    struct sum s = {0};
    bool known = add_value(&none, &s, to, false) && add_value(&none, &s, from, true) && s.n == 0;
    *d = s.number;
    return known;
}

/* The constant hi - lo; 0: it is not known to be from 1 to LONGEST. */
static int64_t length_between(const struct ranges *x, struct pval *lo, struct pval *hi) {
    struct sum s = {0};
    bool known = add_value(x, &s, hi, false) && add_value(x, &s, lo, true) && s.n == 0;
    return known && s.number > 0 && s.number <= LONGEST ? s.number : 0;
}

/* The bounds of which a range's is the largest, or the least. */
struct bounds {
    struct pval *v[MAX_BOUNDS];
    int n;
};

static bool split_bound(const struct ranges *x, struct pval *v, enum builtin_id by,
                        struct bounds *to) {
    v = resolved(x, v);
    if (is_extreme(v, by))
        return split_bound(x, v->args[0], by, to) && split_bound(x, v->args[1], by, to);
    if (to->n == MAX_BOUNDS)
        return false;
    to->v[to->n++] = v;
    return true;
}

static bool stay(struct ranges *x, const struct bounds *b) {
    for (int i = 0; i < b->n; i++)
        if (!value_walk(b->v[i], find_changing, x))
            return false;
    return true;
}

static void replace_value(struct pval *v, const struct pvar *var, const struct pval *by) {
    if (v == NULL || v == by)
        return;
    if (v->kind == PV_VAR && v->var == var) {
        *v = *by;
        return;
    }
    for (int i = 0; i < v->nargs; i++)
        replace_value(v->args[i], var, by);
}

/* Replaces a variable in a list of statements by a value. */
static void replace(struct pstmt *s, const struct pvar *var, const struct pval *by) {
    for (; s != NULL; s = s->next) {
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            replace_value(*values[i], var, by);
        for (struct prange *r = s->ranges; r != NULL; r = r->next) {
            replace_value(r->lo, var, by);
            replace_value(r->hi, var, by);
            replace_value(r->step, var, by);
        }
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            replace(*lists[i], var, by);
    }
}

static struct pval *both(struct lower *l, struct pval *a, struct pval *b) {
    return a != NULL ? value_op(l, OP_LAND, DT_BOOL, a, b) : b;
}

/* The range r of the reduction s, from the one bound `first` on: with the others as conditions,
 * which are added to *guard. */
static void shorten(struct ranges *x, struct pstmt *s, struct prange *r, const struct bounds *lo,
                    const struct bounds *hi, const struct pval *first, const struct pval *end,
                    int64_t n, struct pval **guard) {
    struct lower *l = x->l;
    struct variable *turn = variable_new(l, r->var->name, DT_INT64);
    struct pval *at = value_op(l, OP_ADD, DT_INT64, (struct pval *)first, &turn->value);
    for (int i = 0; i < lo->n; i++)
        if (lo->v[i] != first)
            *guard = both(l, *guard, value_op(l, OP_LE, DT_BOOL, lo->v[i], at));
    for (int i = 0; i < hi->n; i++)
        if (hi->v[i] != end)
            *guard = both(l, *guard, value_op(l, OP_LT, DT_BOOL, at, hi->v[i]));
    replace(s->body, r->var, at);
    r->var = &turn->pvar;
    r->lo = value_zero(l, DT_INT64);
    r->hi = value_zero(l, DT_INT64);
    r->hi->i = (uint64_t)n;
}

static void shorten_range(struct ranges *x, struct pstmt *s, struct prange *r,
                          struct pval **guard) {
    struct bounds lo = {.n = 0}, hi = {.n = 0};
    bool constant = r->lo->kind == PV_CONST && r->hi->kind == PV_CONST;
    if (constant || r->step->kind != PV_CONST || r->step->i != 1 ||
        !split_bound(x, r->lo, B_MAX, &lo) || !split_bound(x, r->hi, B_MIN, &hi) || !stay(x, &lo) ||
        !stay(x, &hi))
        return;
    for (int i = 0; i < lo.n; i++)
        for (int k = 0; k < hi.n; k++) {
            int64_t n = length_between(x, lo.v[i], hi.v[k]);
            if (n > 0) {
                shorten(x, s, r, &lo, &hi, lo.v[i], hi.v[k], n, guard);
                return;
            }
        }
}

/* The same of an ordered loop that is short enough to be unrolled: `for c in s[3 * i:3 * i + 3]`.
 */
static void shorten_loop(struct ranges *x, struct pstmt *s) {
    struct bounds lo = {.v = {resolved(x, s->lo)}, .n = 1};
    int64_t n = length_between(x, s->lo, s->hi);
    if (s->accs != NULL || s->lo->kind == PV_CONST || s->step->kind != PV_CONST ||
        s->step->i != 1 || n < 1 || n > UNROLLED_POINTS || !stay(x, &lo))
        return;
    struct prange r = {.var = s->var};
    shorten(x, s, &r, &lo, &lo, lo.v[0], lo.v[0], n, NULL);
    s->var = r.var;
    s->lo = r.lo;
    s->hi = r.hi;
}

/* ---- blocks of a row */

/* A value as a polynomial of what is no sum or product. */
static bool find_poly(const struct ranges *x, struct atoms *atoms, struct pval *v, struct poly *p) {
    struct poly b;
    int i = 0;
    v = resolved(x, v);
    if (v->kind == PV_CONST && (int64_t)v->i > INT32_MIN && (int64_t)v->i < INT32_MAX) {
        *p = poly_number((int64_t)v->i);
        return true;
    }
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_MUL)) {
        if (!find_poly(x, atoms, v->args[0], p) || !find_poly(x, atoms, v->args[1], &b))
            return false;
        return v->op == OP_MUL ? poly_multiply(p, &b) : poly_add(p, &b, v->op == OP_SUB ? -1 : 1);
    }
    while (i < atoms->n && !same_value(atoms->of[i].value, v))
        i++;
    if (i == MAX_BLOCK_ATOMS || !value_walk(v, find_changing, (void *)x))
        return false;
    atoms->of[i].value = v;
    atoms->n = i == atoms->n ? i + 1 : atoms->n;
    *p = poly_atom(i);
    return true;
}

/* A product as a value; NULL: it is none of sizes alone. */
static struct pval *product_of_sizes(struct lower *l, const struct atoms *atoms,
                                     const struct term *t) {
    struct pval *v = NULL;
    for (int i = 0; i < t->n; i++) {
        struct pval *of = (struct pval *)atoms->of[t->atom[i]].value;
        if (!value_walk(of, find_other, NULL))
            return NULL;
        v = v == NULL ? of : value_op(l, OP_MUL, DT_INT64, v, of);
    }
    return v == NULL || t->times == 1 ? v : whole_times(l, v, t->times);
}

/* How many indices a range has from a multiple of as many on: before that many times so many are
 * too many for an index, the first ranges never end.  NULL: it is no such range. */
static struct pval *block_length(struct ranges *x, struct pval *lo, struct pval *hi,
                                 const struct pval *step) {
    struct atoms *atoms = NEW(x->l->uc, struct atoms);
    struct poly begin, length;
    if (step->kind != PV_CONST || step->i != 1 || lo->dtype != DT_INT64 || hi->dtype != DT_INT64 ||
        value_walk(resolved(x, lo), find_other, NULL) || !find_poly(x, atoms, lo, &begin) ||
        !find_poly(x, atoms, hi, &length) || !poly_add(&length, &begin, -1) || length.n != 1 ||
        length.term[0].times < 1 || !poly_divide(&begin, &length))
        return NULL;
    return product_of_sizes(x->l, atoms, &length.term[0]);
}

/* Has a range or loop over a block, of those statements, count from its beginning. */
static void count_in_block(struct ranges *x, struct pstmt *list, struct pvar **var,
                           struct pval **lo, struct pval **hi, const struct pval *step) {
    struct pval *length = block_length(x, *lo, *hi, step);
    if (length == NULL)
        return;
    struct variable *turn = variable_new(x->l, (*var)->name, DT_INT64);
    replace(list, *var, value_op(x->l, OP_ADD, DT_INT64, resolved(x, *lo), &turn->value));
    *var = &turn->pvar;
    *lo = value_zero(x->l, DT_INT64);
    *hi = length;
}

/* Makes the body of s conditional. */
static void guard_body(struct lower *l, struct pstmt *s, struct pval *guard) {
    struct pstmt *in = s->body;
    bool filters = in != NULL && in->kind == PS_IF && in->next == NULL && in->other == NULL &&
                   value_walk(in->value, find_any_element, NULL);
    if (filters) {
        in->value = both(l, guard, in->value);
        return;
    }
    struct pstmt *test = NEW(l->uc, struct pstmt);
    *test = (struct pstmt){.kind = PS_IF, .at = s->at, .value = guard, .body = in};
    s->body = test;
}

static void simplify(struct ranges *x, struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        struct pval *guard = NULL;
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            inline_indices(x, *values[i]);
        for (struct prange *r = s->ranges; r != NULL; r = r->next) {
            inline_bound(x, &r->lo);
            inline_bound(x, &r->hi);
            inline_bound(x, &r->step);
            if (s->accs != NULL)
                shorten_range(x, s, r, &guard);
            count_in_block(x, s->body, &r->var, &r->lo, &r->hi, r->step);
        }
        if (s->kind == PS_FOR) {
            inline_bound(x, &s->lo);
            inline_bound(x, &s->hi);
            shorten_loop(x, s);
            count_in_block(x, s->body, &s->var, &s->lo, &s->hi, s->step);
        }
        if (guard != NULL)
            guard_body(x->l, s, guard);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            simplify(x, *lists[i]);
    }
}

/* ---- variables that are no longer read */

static void count_uses(struct ranges *x, const struct pstmt *list) {
    struct plan *p = x->l->plan;
    x->nvars = p->nvars;
    x->sets = NEWN(x->l->uc, int, p->nvars);
    x->reads = NEWN(x->l->uc, int, p->nvars);
    x->value = NEWN(x->l->uc, const struct pval *, p->nvars);
    plan_walk(list, &(struct plan_visitor){.stmt = note_sets, .value = note_read, .joined = true},
              x);
}

/* Whether there are any: then others may be read no longer, too. */
static bool remove_unread(const struct ranges *x, struct pstmt **list) {
    bool any = false;
    while (*list != NULL) {
        struct pstmt *s = *list, **const lists[] = PSTMT_LISTS(s);
        if (s->kind == PS_SET && x->reads[s->var->id] == 0) {
            *list = s->next;
            any = true;
            continue;
        }
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            any = remove_unread(x, lists[i]) || any;
        list = &s->next;
    }
    return any;
}

void remove_unread_sets(struct lower *l, struct pstmt **list, const bool *kept) {
    struct ranges x = {.l = l};
    do {
        count_uses(&x, *list);
        for (int i = 0; i < x.nvars; i++)
            x.reads[i] += kept[i];
    } while (remove_unread(&x, list));
}

void simplify_ranges(struct lower *l) {
    struct ranges x = {.l = l};
    count_uses(&x, l->plan->body);
    simplify(&x, l->plan->body);
    count_uses(&x, l->plan->body);
    remove_unread(&x, &l->plan->body);
}
