/* scan.c: prefixes.  In a definition by reductions over 0..i + 1, or i..n, each point's is its
 * neighbour's with one more point, if what is reduced does not depend on i.  Such a definition
 * becomes an ordered loop over i with the accumulators as running values: each iteration adds a
 * term, and computes a point of it. */
#include "plan.h"

/* ---- the definition */

enum { MAX_PREFIXES = 4 };

/* A reduction of a definition's body whose points grow by one from each of the definition's to the
 * next. */
struct prefix {
    struct pstmt *s;
    struct prange *range; /* the range that grows */
    struct pval *lo, *hi; /* its bounds */
    bool back;            /* it grows at its begin */
    int64_t ahead;        /* its points before the term of the loop's first iteration, */
    struct pval *before;  /* or these where they depend on sizes; else NULL */
    struct pval *at;      /* the index of an iteration's term */
};

struct search {
    struct lower *l;
    struct pstmt *definition;
    struct pstmt *when; /* the filter that its body ends with, a PS_IF, in whose place its own body
                           is while there is a search; NULL: there is none */
    struct prange *along;      /* the range that becomes a loop */
    uint64_t stored;           /* operands that the definition stores to, a bit each */
    const struct pstmt **home; /* by variable: the statement of the body that sets it */
    bool *invariant;           /* by variable: it is the same at all points */
    struct prefix found[MAX_PREFIXES];
    int n, naccs;
    bool down; /* the loop goes from the range's end to its begin */
};

/* ---- what changes from point to point */

struct mark {
    struct search *x;
    const struct pstmt *home;
};

static enum walk mark_set(const struct pstmt *s, void *arg) {
    const struct mark *m = arg;
    if (s->kind == PS_SET || s->kind == PS_FOR)
        m->x->home[s->var->id] = m->home;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        m->x->home[r->var->id] = m->home;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        m->x->home[a->acc->id] = m->x->home[a->other->id] = m->home;
    if (s->kind == PS_PUT)
        m->x->stored |= UINT64_C(1) << (s->operand & 63);
    return WALK_IN;
}

/* Does v read what is set in a statement of the body other than `home`, or is stored, or, where
 * `index` is not NULL, that index? */
struct reads {
    const struct search *x;
    const struct pstmt *home;
    const struct pvar *index;
};

static enum walk find_change(const struct pval *v, void *arg) {
    const struct reads *r = arg;
    const struct search *x = r->x;
    if (v->kind == PV_ELEM)
        return x->stored >> (v->operand & 63) & 1 ? WALK_STOP : WALK_IN;
    if (v->kind != PV_VAR)
        return WALK_IN;
    const struct pstmt *home = x->home[v->var->id];
    bool own = home == NULL || home == r->home || x->invariant[v->var->id];
    return own && v->var != r->index ? WALK_IN : WALK_STOP;
}

/* Is v the same at all points, and computed even where there are none? */
static bool is_invariant(const struct search *x, const struct pval *v) {
    return value_walk(v, find_change, &(struct reads){x, NULL, x->along->var}) &&
           value_walk(v, find_any_element, NULL);
}

static void find_invariants(struct search *x) {
    for (const struct pstmt *s = x->definition->body; s != NULL; s = s->next) {
        struct mark m = {x, s};
        stmt_walk(s, &(struct plan_visitor){.stmt = mark_set, .joined = true}, &m);
    }
    for (const struct pstmt *s = x->definition->body; s != NULL; s = s->next)
        if (s->kind == PS_SET && is_invariant(x, s->value))
            x->invariant[s->var->id] = x->home[s->var->id] == s;
}

/* ---- prefixes */

/* What a bound is set to, in the definition's body. */
static struct pval *value_of_bound(const struct search *x, struct pval *v) {
    const struct pstmt *home = v->kind == PV_VAR ? x->home[v->var->id] : NULL;
    return home != NULL && home->kind == PS_SET ? home->value : v;
}

static struct pval *plus(struct lower *l, struct pval *v, int64_t n) {
    bool sum =
        v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB) && v->args[1]->kind == PV_CONST;
    if (sum || v->kind == PV_CONST) {
        int64_t own = sum ? (int64_t)v->args[1]->i : (int64_t)v->i;
        n += sum && v->op == OP_SUB ? -own : own;
    }
    struct pval *number = value_zero(l, DT_INT64);
    number->i = (uint64_t)n;
    struct pval *rest = sum ? v->args[0] : v;
    return v->kind == PV_CONST ? number
           : n == 0            ? rest
                               : value_op(l, OP_ADD, DT_INT64, rest, number);
}

/* A copy of v with another value for an index. */
static struct pval *with_index(struct lower *l, const struct pval *v, const struct pvar *index,
                               struct pval *value) {
    if (v->kind == PV_VAR && v->var == index)
        return value;
    struct pval *r = value_new(l, v->kind, v->dtype);
    *r = *v;
    for (int i = 0; i < v->nargs; i++)
        r->args[i] = with_index(l, v->args[i], index, value);
    return r;
}

/* Is the range a prefix's?  Sets p. */
static bool match_range(const struct search *x, struct prange *r, struct prefix *p) {
    int by_lo, by_hi;
    struct reads other = {x, NULL, NULL};
    p->range = r;
    p->lo = value_of_bound(x, r->lo);
    p->hi = value_of_bound(x, r->hi);
    if (r->step->kind != PV_CONST || r->step->i != 1 || !value_walk(p->lo, find_change, &other) ||
        !value_walk(p->hi, find_change, &other) || !value_grows(p->lo, x->along->var, &by_lo) ||
        !value_grows(p->hi, x->along->var, &by_hi))
        return false;
    p->back = by_lo != 0;
    return (by_lo == 0 && (by_hi == 1 || by_hi == -1)) ||
           (by_hi == 0 && (by_lo == 1 || by_lo == -1));
}

/* Sets how far a prefix is in the loop's first iteration.  False: elements say so. */
static bool match_first(struct search *x, struct prefix *p) {
    struct lower *l = x->l;
    struct pval *first = x->down ? plus(l, x->along->hi, -1) : x->along->lo;
    p->at = p->back ? p->lo : plus(l, p->hi, -1);
    struct pval *at = with_index(l, p->at, x->along->var, first);
    struct pval *from = p->back ? at : p->lo, *to = p->back ? plus(l, p->hi, -1) : at;
    if (!constant_difference(from, to, &p->ahead))
        p->before = value_op(l, OP_SUB, DT_INT64, to, from);
    return p->before == NULL || value_walk(p->before, find_any_element, NULL);
}

/* Does a value in the reduction's body change from point to point? */
static bool has_own_terms(const struct search *x, const struct pstmt *s,
                          const struct prange *range) {
    struct reads own = {x, s, x->along->var};
    const struct plan_visitor visitor = {.value = find_change, .joined = true};
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (r != range && (!value_walk(value_of_bound(x, r->lo), find_change, &own) ||
                           !value_walk(value_of_bound(x, r->hi), find_change, &own) ||
                           !value_walk(value_of_bound(x, r->step), find_change, &own)))
            return true;
    return !plan_walk(s->body, &visitor, &own) || !plan_walk(s->joined, &visitor, &own);
}

/* Do the accumulators begin with what is the same at all points? */
static bool begins_alike(const struct search *x, const struct pstmt *s) {
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        const struct pstmt *set = x->definition->body;
        while (set != s && !(set->kind == PS_SET && set->var == a->acc))
            set = set->next;
        if (set == s || !is_invariant(x, set->value))
            return false;
    }
    return true;
}

/* Adds the reduction s if it is a prefix in the direction of those that were found before. */
static bool add_prefix(struct search *x, struct pstmt *s) {
    struct prefix p = {.s = s};
    struct prange *r = s->ranges;
    int by;
    while (r != NULL && !match_range(x, r, &p))
        r = r->next;
    if (r == NULL || (s->ordered && r != s->ranges) || x->n == MAX_PREFIXES ||
        has_own_terms(x, s, r) || !begins_alike(x, s))
        return false;
    bool grows = value_grows(p.back ? p.lo : p.hi, x->along->var, &by);
    bool down = grows && (by < 0) != p.back; /* where it grows */
    if (x->n > 0 && down != x->down)
        return false;
    x->down = down;
    if (!match_first(x, &p))
        return false;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        x->naccs++;
    x->found[x->n++] = p;
    return x->naccs <= SCAN_ACCS;
}

/* Are all reductions of unknown length prefixes along the range?  Else threads should rather share
 * the points. */
static bool find_prefixes(struct search *x) {
    find_invariants(x);
    for (struct pstmt *s = x->definition->body; s != NULL; s = s->next)
        if (is_loop(s) && !(s->kind == PS_SPREAD && s->accs != NULL && add_prefix(x, s)) &&
            !(s->kind == PS_SPREAD && constant_points(s->ranges) <= UNROLLED_POINTS))
            return false;
    return x->n > 0;
}

/* ---- filters */

/* Is a subscript in range of the dimension wherever the prefix has a term, whatever the filter? */
static bool is_always_there(const struct search *x, const struct prefix *p, struct pval *subscript,
                            const struct dim *dim) {
    struct pval index = {.kind = PV_VAR, .dtype = DT_INT64, .var = x->along->var};
    int64_t d;
    if (subscript->kind != PV_VAR || subscript->var != p->range->var)
        return is_in_range(subscript, dim);
    if (!constant_difference(&index, p->at, &d) || !is_in_range(&index, dim))
        return false;
    bool from = p->lo->kind == PV_CONST && (int64_t)p->lo->i >= 0;
    bool to = p->hi->kind == PV_DIM && p->hi->operand == dim->index;
    bool apart = d < 0 ? !p->back : p->back;
    bool within = d == 0 && p->before == NULL && p->ahead <= 0;
    return within || ((apart || d == 0) && (p->back ? to : from));
}

struct term {
    const struct search *x;
    const struct prefix *p;
};

static enum walk find_absent(const struct pval *v, void *arg) {
    const struct term *t = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (!is_always_there(t->x, t->p, v->args[i], t->x->l->plan->operands[v->operand].dims[i]))
            return WALK_STOP;
    return WALK_IN;
}

/* May all terms be computed, also of points that the filter leaves out? */
static bool are_terms_there(const struct search *x) {
    for (int i = 0; i < x->n; i++) {
        struct term t = {x, &x->found[i]};
        if (!plan_walk(t.p->s->body, &(struct plan_visitor){.value = find_absent}, &t) ||
            !value_walk(t.p->lo, find_any_element, NULL) ||
            !value_walk(t.p->hi, find_any_element, NULL))
            return false;
    }
    return true;
}

/* The filter that a definition's body ends with, after assignments; NULL: there is none. */
static struct pstmt *filter_of(const struct pstmt *definition) {
    struct pstmt *s = definition->body;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    return s != NULL && s->kind == PS_IF && s->other == NULL && s->next == NULL ? s : NULL;
}

/* Replaces a statement of the definition's body by others, or these by it. */
static void replace(const struct search *x, const struct pstmt *old, struct pstmt *by) {
    struct pstmt **at = &x->definition->body;
    while (*at != old)
        at = &(*at)->next;
    *at = by;
}

/* ---- the loop */

/* A list that grows at its end. */
struct list {
    struct pstmt *first, **end;
};

static struct pstmt *append(struct lower *l, struct list *to, struct pstmt s) {
    struct pstmt *own = NEW(l->uc, struct pstmt);
    *own = s;
    own->next = NULL;
    *to->end = own;
    to->end = &own->next;
    return own;
}

static void append_all(struct list *to, struct pstmt *s) {
    *to->end = s;
    while (*to->end != NULL)
        to->end = &(*to->end)->next;
}

static struct pval *read_of(struct lower *l, struct pvar *var) {
    struct pval *v = value_new(l, PV_VAR, var->dtype);
    v->var = var;
    return v;
}

/* Copies of assignments and conditionals. */
static struct pstmt *copies_of(struct lower *l, const struct pstmt *s) {
    struct list to = {.end = &to.first};
    for (; s != NULL; s = s->next) {
        struct pstmt *own = append(l, &to, *s);
        own->body = copies_of(l, s->body);
        own->other = copies_of(l, s->other);
    }
    return to.first;
}

static void append_set(struct lower *l, struct list *to, struct pvar *var, struct pval *v,
                       struct span at) {
    append(l, to, (struct pstmt){.kind = PS_SET, .var = var, .value = v, .at = at});
}

/* Is the order of what is joined the other way round than that of the iterations?  Of several
 * values some may be places, by which the first of equal ones is chosen. */
static bool is_reversed(const struct prefix *p) {
    return p->back && (p->s->ordered || p->s->accs->next != NULL);
}

static bool is_acc(const struct search *x, const struct pvar *var) {
    for (int i = 0; i < x->n; i++)
        for (const struct pacc *a = x->found[i].s->accs; a != NULL; a = a->next)
            if (a->acc == var)
                return true;
    return false;
}

/* What the accumulators are set to before p, one after the other. */
static void set_accs(const struct search *x, const struct prefix *p, struct list *to) {
    for (const struct pacc *a = p->s->accs; a != NULL; a = a->next)
        for (const struct pstmt *s = x->definition->body; s != p->s; s = s->next)
            if (s->kind == PS_SET && s->var == a->acc)
                append(x->l, to, *s);
}

/* The statements that join what iterations have, acc that of earlier ones, `other` of later ones.
 */
static struct pstmt *join_of(const struct search *x, const struct prefix *p) {
    struct list to = {.end = &to.first};
    for (const struct pacc *a = p->s->accs; a != NULL && is_reversed(p); a = a->next) {
        struct pvar *later = &variable_new(x->l, "later", a->acc->dtype)->pvar;
        append_set(x->l, &to, later, read_of(x->l, a->other), p->s->at);
        append_set(x->l, &to, a->other, read_of(x->l, a->acc), p->s->at);
        append_set(x->l, &to, a->acc, read_of(x->l, later), p->s->at);
    }
    append_all(&to, p->s->joined);
    return to.first;
}

static enum walk set_index(const struct pval *v, void *arg) {
    const struct prefix *p = arg;
    if (v->kind != PV_VAR)
        return WALK_IN;
    if (v->var == p->range->var)
        *(struct pval *)(void *)v = *p->at;
    return WALK_PAST;
}

/* The reduction's body within loops over its other ranges. */
static struct pstmt *loops_around(struct lower *l, const struct search *x, const struct prefix *p) {
    struct list to = {.end = &to.first};
    for (const struct prange *r = p->s->ranges; r != NULL; r = r->next)
        if (r != p->range) {
            struct pstmt loop = {.kind = PS_FOR, .var = r->var, .at = p->s->at};
            loop.lo = value_of_bound(x, r->lo);
            loop.hi = value_of_bound(x, r->hi);
            loop.step = value_of_bound(x, r->step);
            to.end = &append(l, &to, loop)->body;
        }
    *to.end = p->s->body;
    return to.first;
}

/* How many iterations the loop begins early: so many that the longest prefix has its first term.
 * NULL: none. */
static struct pval *extra_of(const struct search *x) {
    struct lower *l = x->l;
    int64_t extra = 0;
    for (int i = 0; i < x->n; i++)
        if (x->found[i].before == NULL && x->found[i].ahead > extra)
            extra = x->found[i].ahead;
    struct pval *most = plus(l, value_zero(l, DT_INT64), extra);
    bool any = extra > 0;
    for (int i = 0; i < x->n; i++)
        if (x->found[i].before != NULL) {
            most = value_call(l, B_MAX, DT_INT64, 2, (struct pval *[]){most, x->found[i].before});
            any = true;
        }
    return any ? most : NULL;
}

/* Adds an iteration's term to the accumulators.  The loop begins `extra` iterations early, or NULL;
 * where the prefix has not begun, there is no term. */
static void append_term(const struct search *x, const struct prefix *p, const struct pval *extra,
                        struct list *to) {
    struct lower *l = x->l;
    struct pstmt *s = p->s;
    struct list own = {.end = &own.first};
    for (const struct pacc *a = s->accs; a != NULL && is_reversed(p); a = a->next)
        append_set(l, &own, a->other, read_of(l, a->acc), s->at);
    if (is_reversed(p))
        set_accs(x, p, &own);
    plan_walk(s->body, &(struct plan_visitor){.value = set_index}, (void *)p);
    append_all(&own, loops_around(l, x, p));
    if (is_reversed(p))
        append_all(&own, copies_of(l, s->joined));
    int64_t first = extra == NULL ? 0 : extra->kind == PV_CONST ? (int64_t)extra->i : INT64_MAX;
    if (p->before == NULL && p->ahead >= first) {
        append_all(to, own.first);
        return;
    }
    struct pval *there = p->back ? value_op(l, OP_LT, DT_BOOL, p->at, p->hi)
                                 : value_op(l, OP_LE, DT_BOOL, p->lo, p->at);
    append(l, to, (struct pstmt){.kind = PS_IF, .value = there, .body = own.first, .at = s->at});
}

/* A PS_FOR over the range that becomes a loop, from `extra` places before its begin on, or NULL, if
 * it has any. */
static struct pstmt loop_along(const struct search *x, struct pval *extra) {
    struct lower *l = x->l;
    const struct prange *r = x->along;
    struct pstmt s = {.kind = PS_FOR, .var = r->var, .at = x->definition->at};
    s.lo = x->down ? plus(l, r->hi, -1) : r->lo;
    s.hi = x->down ? plus(l, r->lo, -1) : r->hi;
    s.step = value_one(l, DT_INT64);
    s.step->i = x->down ? (uint64_t)-1 : 1;
    if (extra != NULL) {
        struct pval *zero = value_zero(l, DT_INT64);
        struct pval *n[] = {value_op(l, OP_SUB, DT_INT64, r->hi, r->lo), zero};
        struct pval *any[] = {value_call(l, B_MAX, DT_INT64, 2, n), value_one(l, DT_INT64)};
        struct pval *far =
            value_op(l, OP_MUL, DT_INT64, extra, value_call(l, B_MIN, DT_INT64, 2, any));
        s.lo = value_op(l, x->down ? OP_ADD : OP_SUB, DT_INT64, s.lo, far);
    }
    return s;
}

/* Moves what is left of the definition's body: what is the same at all points to `before`, and to
 * `rest` what is not, in its filter again. */
static void split_body(const struct search *x, struct list *before, struct list *rest) {
    const struct pstmt *filtered = x->when != NULL ? x->when->body : NULL;
    struct list inside = {.end = &inside.first}, *to = rest;
    for (struct pstmt *s = x->definition->body, *next; s != NULL; s = next) {
        bool prefix = false, alike = s->kind == PS_SET && x->invariant[s->var->id];
        for (int i = 0; i < x->n; i++)
            prefix = prefix || x->found[i].s == s;
        next = s->next;
        s->next = NULL;
        to = s == filtered ? &inside : to;
        if (!prefix && !(s->kind == PS_SET && is_acc(x, s->var)))
            append_all(alike ? before : to, s);
    }
    if (x->when == NULL)
        return;
    x->when->body = inside.first;
    append_all(rest, x->when);
}

static void add_accs(struct lower *l, const struct pacc *a, struct pacc **to) {
    while (*to != NULL)
        to = &(*to)->next;
    for (; a != NULL; a = a->next, to = &(*to)->next) {
        *to = NEW(l->uc, struct pacc);
        **to = (struct pacc){.acc = a->acc, .other = a->other};
    }
}

/* Spreads that are no longer within another one. */
static void set_outermost(struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        s->outermost = s->kind == PS_SPREAD;
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0] && s->kind != PS_SPREAD; i++)
            set_outermost(*lists[i]);
    }
}

/* The definition as a list of statements that ends with the loop. */
static struct pstmt *as_loop(const struct search *x) {
    struct lower *l = x->l;
    struct list before = {.end = &before.first}, first = {.end = &first.first},
                body = {.end = &body.first}, rest = {.end = &rest.first};
    struct pstmt loop;
    struct pval *extra = extra_of(x);
    loop = loop_along(x, extra);
    struct list joined = {.end = &loop.joined};
    for (int i = 0; i < x->n; i++) {
        const struct prefix *p = &x->found[i];
        set_accs(x, p, &first);
        append_term(x, p, extra, &body);
        append_all(&joined, join_of(x, p));
        add_accs(l, p->s->accs, &loop.accs);
    }
    split_body(x, &before, &rest);
    append_all(&before, first.first);
    if (extra != NULL) {
        struct pval *index = read_of(l, x->along->var);
        struct pstmt test = {.kind = PS_IF, .body = rest.first, .at = x->definition->at};
        test.value = x->down ? value_op(l, OP_LT, DT_BOOL, index, x->along->hi)
                             : value_op(l, OP_LE, DT_BOOL, x->along->lo, index);
        loop.rest = append(l, &body, test);
    } else {
        loop.rest = rest.first;
        append_all(&body, rest.first);
    }
    loop.body = body.first;
    append(l, &before, loop);
    return before.first;
}

/* ---- the body */

static bool match(struct search *x, struct lower *l, struct pstmt *s, struct prange *along) {
    int n = l->plan->nvars;
    *x = (struct search){.l = l, .definition = s, .along = along};
    if (along->step->kind != PV_CONST || along->step->i != 1)
        return false;
    x->home = NEWN(l->uc, const struct pstmt *, n);
    x->invariant = NEWN(l->uc, bool, n);
    x->when = filter_of(s);
    if (x->when == NULL)
        return find_prefixes(x);
    replace(x, x->when, x->when->body);
    if (find_prefixes(x) && are_terms_there(x))
        return true;
    replace(x, x->when->body, x->when);
    return false;
}

/* Replaces the definition *at where it is one by prefixes along one of its ranges.  If it has
 * others, it is left as a definition over these, of which each point is the loop. */
static void replace_definition(struct lower *l, struct pstmt **at) {
    struct pstmt *s = *at;
    struct search x;
    struct prange **r = &s->ranges;
    while (*r != NULL && !match(&x, l, s, *r))
        r = &(*r)->next;
    if (*r == NULL)
        return;
    struct pstmt *loop = as_loop(&x);
    *r = (*r)->next;
    if (s->ranges != NULL) {
        s->body = loop;
        return;
    }
    struct list list = {.first = loop, .end = &list.first};
    set_outermost(loop);
    append_all(&list, loop);
    *list.end = s->next;
    *at = loop;
}

static void replace_definitions(struct lower *l, struct pstmt **at) {
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at, **const lists[] = PSTMT_LISTS(s);
        if (s->kind == PS_SPREAD && s->accs == NULL)
            replace_definition(l, at);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0] && s->kind != PS_SPREAD; i++)
            replace_definitions(l, lists[i]);
    }
}

void find_scans(struct lower *l) {
    replace_definitions(l, &l->plan->body);
}

/* ---- how threads share it */

/* Shared memory for each of the most iterations that a thread of WARP or BLOCK has at once. */
enum { SCAN_UNIT_BYTES = 10 };

static enum walk find_scan(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD ? WALK_PAST : is_scan_loop(s) ? WALK_STOP : WALK_IN;
}

static enum walk add_operations(const struct pstmt *s, void *operations) {
    *(int *)operations += is_loop(s) ? SCAN_OPERATIONS : value_size(s->value);
    return WALK_IN;
}

int acc_entry(const struct pacc *a) {
    return dtype_info[a->acc->dtype].bits <= 32 ? 8 : 16;
}

int scan_operations(const struct pstmt *s) {
    int operations = 0;
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_operations}, &operations);
    return operations;
}

int scan_units(const struct pstmt *s, int most) {
    int operations = scan_operations(s), bytes = 0, n = most;
    int room = most == SCAN_UNITS ? SCAN_BYTES : SCAN_UNIT_BYTES * most;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        bytes += dtype_info[a->acc->dtype].bits <= 32 ? 4 : 8;
    while (n > 1 && (n * operations > SCAN_OPERATIONS || n * bytes > room))
        n /= 2;
    return n;
}

bool has_scans(const struct plan *p) {
    return !plan_walk(p->body->body, &(struct plan_visitor){.stmt = find_scan}, NULL);
}

const struct pstmt *scan_at_points(const struct pstmt *s) {
    struct ufc_term terms[UFC_MAX_TERMS];
    int n = 0;
    const struct pstmt *in = s->kind == PS_SPREAD && s->accs == NULL ? s->body : NULL;
    while (in != NULL && in->kind == PS_SET)
        in = in->next;
    bool alone = in != NULL && is_scan_loop(in) && in->next == NULL && !s->merged;
    bool same = alone && in->lo->kind == PV_CONST && in->step->kind == PV_CONST &&
                value_terms(in->hi, terms, &n);
    return same ? in : NULL;
}

void describe_scan(const struct pstmt *s, int units, struct ufc_phase *phase) {
    phase->units = (uint32_t)units;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        phase->entry += (uint32_t)acc_entry(a);
}
