/* once.c: what each iteration of a short loop computes again, as a pixel's three channels that a
 * matrix mixes:
 *
 *     y[i, k] = sum(m[k, l] * linear(x[i, l]) for l in 0..3) for i in 0..n, k in 0..3
 *
 * It is computed before the loop, once for each index of a short loop in it, whose iterations
 * become copies of its body.  A definition gives up its last range for that, which becomes the
 * loop. */
#include <string.h>

#include "domain.h"

enum { ONCE_STEPS = 8, ONCE_WORK = 16, ONCE_NODES = 4096, ONCE_LOOPS = 64 };

struct once {
    struct lower *l;
    const int *all; /* how often the body mentions each variable */
    bool *changes; /* variables that an iteration has yet to set, and the loop's index, by number */
    bool *stores;  /* the arrays that the list stores to */
    int left;      /* so many loops at most */
};

/* ---- what stays the same */

static enum walk add_stored(const struct pstmt *s, void *stores) {
    if (s->kind == PS_PUT || s->kind == PS_CLEAR)
        ((bool *)stores)[s->operand] = true;
    return WALK_IN;
}

static enum walk find_change(const struct pval *v, void *arg) {
    const struct once *x = arg;
    bool changes = (v->kind == PV_VAR && x->changes[v->var->id]) ||
                   (v->kind == PV_ELEM && (x->stores[v->operand] || v->checked));
    return changes ? WALK_STOP : WALK_IN;
}

/* Does a statement set variables alone, to what is the same in all iterations?  Those are then
 * known that it surely sets. */
static bool settles(struct once *x, const struct pstmt *s) {
    size_t n = (size_t)x->l->plan->nvars + 1;
    if ((s->kind != PS_SET && s->kind != PS_IF) || !value_walk(s->value, find_change, x))
        return false;
    if (s->kind == PS_SET) {
        x->changes[s->var->id] = false;
        return true;
    }
    bool *before = NEWN(x->l->uc, bool, n), *then = NEWN(x->l->uc, bool, n), same = true;
    memcpy(before, x->changes, n);
    for (const struct pstmt *in = s->body; in != NULL && same; in = in->next)
        same = settles(x, in);
    memcpy(then, x->changes, n);
    memcpy(x->changes, before, n);
    for (const struct pstmt *in = s->other; in != NULL && same; in = in->next)
        same = settles(x, in);
    for (size_t i = 0; i < n; i++)
        x->changes[i] = x->changes[i] || then[i];
    return same;
}

static enum walk add_work(const struct pval *v, void *sum) {
    uint32_t work[UFC_WORK_COUNT] = {0};
    add_operations(v, work);
    *(int64_t *)sum += work[UFC_WORK_FLOAT32] + 2 * work[UFC_WORK_FLOAT64] +
                       work[UFC_WORK_INTEGER] + 4 * work[UFC_WORK_SPECIAL];
    return WALK_IN;
}

static enum walk count_node(const struct pval *v, void *nodes) {
    (void)v;
    ++*(int64_t *)nodes;
    return WALK_IN;
}

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    bool plain = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT;
    return plain ? WALK_IN : WALK_STOP;
}

static bool are_plain(const struct pstmt *list) {
    return plan_walk(list, &(struct plan_visitor){.stmt = find_loop}, NULL);
}

/* Is what a list computes worth the copies of it, and of the rest of the body? */
static bool is_worth(const struct pstmt *list, const struct pstmt *rest, int64_t steps) {
    int64_t work = 0, nodes = 0;
    plan_walk(list, &(struct plan_visitor){.value = add_work}, &work);
    plan_walk(list, &(struct plan_visitor){.value = count_node}, &nodes);
    plan_walk(rest, &(struct plan_visitor){.value = count_node}, &nodes);
    return work >= ONCE_WORK && steps * nodes <= ONCE_NODES;
}

/* ---- the loop within */

/* An index's loop within, of a few constant steps: its index and the first value. */
struct within {
    const struct pvar *index;
    int64_t first, step, steps;
};

/* Adds what a statement alone sets. */
static void add_changes(struct once *x, const struct pstmt *s) {
    struct pstmt alone = *s;
    alone.next = NULL;
    const bool *sets = find_written(x->l->uc, x->l->plan, &alone);
    for (int i = 0; i < x->l->plan->nvars; i++)
        x->changes[i] = x->changes[i] || sets[i];
}

/* Has the statements of a list that compute the same each time stand in front of the others, which
 * mention nothing that they set.  x->changes: of the list, each time. */
static void put_first(struct once *x, struct pstmt **list) {
    size_t n = (size_t)x->l->plan->nvars + 1;
    bool *before = NEWN(x->l->uc, bool, n);
    struct pstmt **end = list;
    for (struct pstmt **at = list; *at != NULL;) {
        struct pstmt *s = *at, *next = s->next;
        memcpy(before, x->changes, n);
        bool first = settles(x, s);
        if (first && end != at) {
            s->next = NULL;
            const bool *sets = find_written(x->l->uc, x->l->plan, s);
            s->next = next;
            *at = NULL;
            const int *others = count_mentions(x->l->uc, x->l->plan, *end);
            *at = s;
            for (size_t i = 0; i + 1 < n && first; i++)
                first = !sets[i] || others[i] == 0;
        }
        if (!first) {
            memcpy(x->changes, before, n);
            add_changes(x, s);
            at = &s->next;
            continue;
        }
        if (end == at)
            at = &s->next;
        else {
            *at = next;
            s->next = *end;
            *end = s;
        }
        end = &s->next;
    }
}

/* Finds the statements at the beginning of `body`, a loop's within, that compute the same in all
 * iterations of the one around: *rest becomes where they end.  False: they are not worth it, do not
 * depend on the index, or others set or mention their variables. */
static bool find_same(struct once *x, const struct within *w, struct pstmt *body,
                      struct pstmt **rest) {
    const struct plan_visitor index = {.value = find_variable};
    const struct plan *p = x->l->plan;
    struct pstmt *last = NULL, *s = body;
    size_t n = (size_t)p->nvars + 1;
    bool *before = NEWN(x->l->uc, bool, n);
    for (; s != NULL; last = s, s = s->next) {
        memcpy(before, x->changes, n);
        if (!settles(x, s))
            break;
    }
    if (last == NULL || s == NULL)
        return false;
    memcpy(x->changes, before, n);
    *rest = s;
    last->next = NULL;
    bool good = are_plain(s);
    const bool *own = find_written(x->l->uc, p, body), *others = find_written(x->l->uc, p, s);
    const int *mentions = count_mentions(x->l->uc, p, body), *more = count_mentions(x->l->uc, p, s);
    for (int i = 0; i < p->nvars; i++)
        good = good && (!own[i] || (!others[i] && mentions[i] + more[i] == x->all[i] &&
                                    (more[i] == 0 || !x->changes[i])));
    good = good && is_worth(body, s, w->steps) &&
           !plan_walk(body, &index, (void *)(uintptr_t)w->index);
    last->next = s;
    return good;
}

static bool is_within(const struct pstmt *s, struct within *w) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    const struct prange *r = s->ranges;
    if (s->kind == PS_FOR && s->accs == NULL && s->shared == NULL)
        *w = (struct within){s->var, (int64_t)s->lo->i, (int64_t)s->step->i, constant_steps(s)};
    else if (is_reduction(s) && r->next == NULL)
        *w = (struct within){r->var, (int64_t)r->lo->i, (int64_t)r->step->i, constant_points(r)};
    return w->steps > 0 && w->steps <= ONCE_STEPS && plan_walk(s->body, &jumps, NULL);
}

/* Copies of a list for each index of w: *vars has, for each of them, what copies of variables are.
 */
static struct pstmt **copy_steps(const struct once *x, const struct within *w,
                                 const struct pstmt *list, struct pvar ***vars,
                                 struct pstmt **end) {
    for (int64_t n = 0; n < w->steps; n++) {
        const struct copy c = {x->l, vars[n], w->index, w->first + n * w->step};
        for (const struct pstmt *s = list; s != NULL; s = s->next, end = &(*end)->next)
            *end = copy_stmt(&c, s);
    }
    return end;
}

/* Has what is the same for all indices of w stand in front of the rest of its loop's body, behind
 * `same`.  Gives where that ends; no others mention its variables. */
static struct pstmt *find_fixed(struct once *x, const struct within *w, struct pstmt *same,
                                struct pstmt **rest) {
    const struct plan *p = x->l->plan;
    struct pstmt *s = *rest;
    x->changes = find_written(x->l->uc, p, *rest);
    x->changes[w->index->id] = true;
    for (; same != s; same = same->next)
        add_changes(x, same);
    bool *before = NEWN(x->l->uc, bool, (size_t)p->nvars + 1);
    memcpy(before, x->changes, (size_t)p->nvars + 1);
    put_first(x, rest);
    memcpy(x->changes, before, (size_t)p->nvars + 1);
    for (s = *rest; s != NULL && settles(x, s);)
        s = s->next;
    const int *mentions = count_mentions(x->l->uc, p, *rest);
    const bool *others = find_written(x->l->uc, p, s);
    struct pstmt *fixed = copy_statements(x->l->uc, *rest, s, NULL, NULL);
    const bool *own = find_written(x->l->uc, p, fixed);
    for (int i = 0; i < p->nvars; i++)
        if (own[i] && (others[i] || x->changes[i] || mentions[i] != x->all[i]))
            return *rest;
    return s;
}

/* Puts copies of the loop *at in its place, and before the loop around, at *end, those of what its
 * iterations begin with.  Gives where these end; NULL: nothing changes. */
static struct pstmt **split_within(struct once *x, struct pstmt **at, struct pstmt **end) {
    struct pstmt *s = *at, *rest;
    struct within w = {0};
    const struct plan *p = x->l->plan;
    size_t n = (size_t)p->nvars + 1;
    if (!is_within(s, &w))
        return NULL;
    bool *before = NEWN(x->l->uc, bool, n);
    memcpy(before, x->changes, n);
    x->changes[w.index->id] = false;
    if (!has_store(s->body)) /* else iterations may be points */
        put_first(x, &s->body);
    memcpy(x->changes, before, n);
    x->changes[w.index->id] = false;
    bool found = find_same(x, &w, s->body, &rest);
    memcpy(x->changes, before, n);
    if (!found)
        return NULL;
    struct pstmt **link = &s->body, *next = s->next;
    while (*link != rest)
        link = &(*link)->next;
    struct pstmt *varied = find_fixed(x, &w, s->body, link), *fixed = *link;
    rest = *link;
    const bool *sets = find_written(x->l->uc, p, rest);
    const int *mentions = count_mentions(x->l->uc, p, s->body);
    struct pvar ***vars = NEWN(x->l->uc, struct pvar **, w.steps);
    for (int64_t k = 0; k < w.steps; k++) {
        vars[k] = NEWN(x->l->uc, struct pvar *, n);
        for (struct pvar *v = p->vars; v != NULL; v = v->next)
            if ((size_t)v->id < n && sets[v->id] && mentions[v->id] < x->all[v->id])
                vars[k][v->id] = v;
    }
    *link = NULL;
    end = copy_steps(x, &w, s->body, vars, end);
    for (; fixed != varied; at = &fixed->next, fixed = fixed->next)
        *at = fixed;
    *copy_steps(x, &w, varied, vars, at) = next;
    return end;
}

/* ---- the loop around */

/* Takes out of `body`, a loop's with this index, what its iterations compute alike, to *end.
 * Whether there is something. */
static bool take_out(struct once *x, const struct pvar *index, struct pstmt **body,
                     struct pstmt **end) {
    const struct plan *p = x->l->plan;
    if (x->left == 0)
        return false;
    x->changes = find_written(x->l->uc, p, *body);
    x->changes[index->id] = true;
    x->stores = NEWN(x->l->uc, bool, p->noperands + p->nlocals + 1);
    plan_walk(*body, &(struct plan_visitor){.stmt = add_stored}, x->stores);
    for (struct pstmt **at = body; *at != NULL; at = &(*at)->next) {
        struct pstmt **to = split_within(x, at, end);
        if (to != NULL) {
            *to = NULL;
            x->left--;
            return true;
        }
    }
    return false;
}

/* The last range of a definition that may become a loop at its points; NULL: none may. */
static struct prange **short_range(struct pstmt *s) {
    if (s->kind != PS_SPREAD || s->accs != NULL || s->merged || s->ranges == NULL)
        return NULL;
    bool constant = true;
    struct prange **last = &s->ranges;
    for (; (*last)->next != NULL; last = &(*last)->next)
        constant = constant && (*last)->lo->kind == PV_CONST && (*last)->hi->kind == PV_CONST;
    int64_t n = constant_points(*last);
    const struct plan_visitor jumps = {.stmt = find_jump};
    return !constant && n > 1 && n <= ONCE_STEPS && plan_walk(s->body, &jumps, NULL) ? last : NULL;
}

static void count_again(struct once *x) {
    x->all = count_mentions(x->l->uc, x->l->plan, x->l->plan->body);
}

/* Has a definition take the points of its last range in a loop, after what these share. */
static void take_out_of_points(struct once *x, struct pstmt *s) {
    struct prange **last = short_range(s), *r = last != NULL ? *last : NULL;
    struct pstmt *before = NULL, **end = &before;
    if (r == NULL || !take_out(x, r->var, &s->body, end))
        return;
    struct pstmt *loop = NEW(x->l->uc, struct pstmt);
    *loop = (struct pstmt){.kind = PS_FOR, .at = s->at, .body = s->body};
    loop->var = r->var;
    loop->lo = r->lo;
    loop->hi = r->hi;
    loop->step = r->step;
    while (*end != NULL)
        end = &(*end)->next;
    *end = loop;
    s->body = before;
    *last = NULL;
    count_again(x);
}

static bool may_take(const struct pstmt *s) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    return s->kind == PS_FOR && s->accs == NULL && s->shared == NULL && constant_steps(s) > 1 &&
           plan_walk(s->body, &jumps, NULL);
}

static void take_in_list(struct once *x, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        take_out_of_points(x, s);
        take_in_list(x, &s->body);
        take_in_list(x, &s->other);
        while (may_take(s) && take_out(x, s->var, &s->body, at)) {
            while (*at != NULL)
                at = &(*at)->next;
            *at = s;
            count_again(x);
        }
    }
}

void compute_once(struct lower *l) {
    struct plan *p = l->plan;
    struct once x = {.l = l, .left = ONCE_LOOPS};
    if (p->overload->decl->kind != DECL_GUFUNC || p->checked)
        return;
    count_again(&x);
    take_in_list(&x, &p->body->body);
}
