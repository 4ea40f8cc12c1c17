/* retime_bounds.c: the loops of statements in another order of their indices.  Bounds are
 * differences of indices and sizes at most; what they say of some of them without the others are
 * the shortest paths through these.  (Fourier and Motzkin's elimination, where all sums are
 * differences.)  A bound is left out only where the loops around it see to it: what else follows
 * does so in iterations that there are, and some steps have none. */
#include "retime.h"

enum { MAX_NODES = 12 };
static const int64_t far = INT64_MAX / 8;

struct graph {
    struct {
        const struct pvar *var; /* NULL: the dimension; -1: 0 */
        int dim;
    } node[MAX_NODES];
    int n;
    int64_t most[MAX_NODES][MAX_NODES]; /* how much the first is more than the second, at most */
    int64_t sure[MAX_NODES][MAX_NODES]; /* the same as the loops around a level see to it */
    bool failed;
};

static int node_of(struct graph *g, const struct pvar *var, int dim) {
    int i = 0;
    while (i < g->n && (g->node[i].var != var || g->node[i].dim != dim))
        i++;
    if (i == MAX_NODES) {
        g->failed = true;
        return 0;
    }
    if (i < g->n)
        return i;
    g->node[g->n].var = var;
    g->node[g->n++].dim = dim;
    for (int k = 0; k <= i; k++)
        g->most[i][k] = g->most[k][i] = g->sure[i][k] = g->sure[k][i] = i == k ? 0 : far;
    if (var == NULL)
        g->most[0][i] = g->sure[0][i] = 0; /* a dimension is 0 or more */
    return i;
}

/* What v is `plus` more than; -1: it is no such sum. */
static int node_of_value(struct graph *g, const struct pval *v, int64_t *plus) {
    *plus = 0;
    if (v->dtype != DT_INT64)
        return -1;
    switch (v->kind) {
    case PV_CONST:
        *plus = (int64_t)v->i;
        return v->i + MAX_FACTOR <= 2 * (uint64_t)MAX_FACTOR ? 0 : -1;
    case PV_DIM: return node_of(g, NULL, v->operand);
    case PV_VAR: return node_of(g, v->var, -1);
    case PV_OP: break;
    default: return -1;
    }
    int64_t more = v->nargs == 2 && v->args[1]->kind == PV_CONST ? (int64_t)v->args[1]->i : far;
    if ((v->op != OP_ADD && v->op != OP_SUB) || more > MAX_FACTOR || more < -MAX_FACTOR)
        return -1;
    int node = node_of_value(g, v->args[0], plus);
    *plus += v->op == OP_ADD ? more : -more;
    return node;
}

static void lower(int64_t (*most)[MAX_NODES], int a, int b, int64_t to) {
    if (to < most[a][b])
        most[a][b] = to;
}

static void add_loop(struct graph *g, const struct pstmt *loop) {
    int64_t lo, hi;
    int index = node_of(g, loop->var, -1), from = node_of_value(g, loop->lo, &lo),
        to = node_of_value(g, loop->hi, &hi);
    if (from < 0 || to < 0) {
        g->failed = true;
        return;
    }
    lower(g->most, from, index, -lo);
    lower(g->most, index, to, hi - 1);
}

static void find_paths(int64_t (*most)[MAX_NODES], int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (most[i][k] < far && most[k][j] < far)
                    lower(most, i, j, most[i][k] + most[k][j]);
}

/* False: the loops have no iterations. */
static bool close(struct graph *g) {
    find_paths(g->most, g->n);
    for (int k = 0; k < g->n; k++)
        if (g->most[k][k] < 0)
            return false;
    return true;
}

/* Notes that a loop around has its index between these two. */
static void surround(struct graph *g, int from, int index, int to, int64_t lo, int64_t hi) {
    lower(g->sure, from, index, lo);
    lower(g->sure, index, to, hi);
    find_paths(g->sure, g->n);
}

/* ---- a statement's loops */

/* Whether a bound of the step's loop that is no index's is one that the steps have, too. */
static bool is_bounded_alike(struct graph *g, const struct pval *v, const struct pval *steps,
                             bool least) {
    int64_t own, all;
    int a = node_of_value(g, v, &own), b = node_of_value(g, steps, &all);
    return (a >= 0 && g->node[a].var != NULL) ||
           (a == b && a >= 0 && (least ? own <= all : own >= all));
}

/* Whether the statement's steps are among all of them, and what else bounds them are indices, of
 * which then there are none. */
static bool has_steps_of(struct retiming *x, struct graph *g, const struct pstmt *loop) {
    int64_t lo, hi;
    int from = node_of_value(g, x->loop->lo, &lo), to = node_of_value(g, x->loop->hi, &hi),
        step = node_of(g, loop->var, -1);
    if (from < 0 || to < 0 || g->node[from].var != NULL || g->node[to].var != NULL)
        return false;
    surround(g, from, step, to, -lo, hi - 1);
    return is_bounded_alike(g, loop->lo, x->loop->lo, true) &&
           is_bounded_alike(g, loop->hi, x->loop->hi, false) && close(g) &&
           g->most[from][step] <= -lo && g->most[step][to] <= hi - 1;
}

/* The node among the outer ones that bounds an index, where that follows from no other one and
 * from what the loops around see to; -1: there are several, or none. */
static int only_bound(const struct graph *g, int index, const bool *outer, bool least) {
    int found = -1;
    for (int w = 0; w < g->n; w++) {
        int64_t own = least ? g->most[w][index] : g->most[index][w];
        bool needed = outer[w] && own < far;
        for (int u = 0; u < g->n && needed; u++) {
            int64_t one = least ? g->sure[w][u] : g->sure[u][w],
                    two = least ? g->most[u][index] : g->most[index][u];
            bool other = outer[u] && u != w && one < far && two < far && one + two <= own;
            bool same = other && g->sure[u][w] < far && g->sure[w][u] < far &&
                        g->sure[u][w] + g->sure[w][u] == 0;
            needed = !other || (same && w < u);
        }
        if (needed && found >= 0)
            return -1;
        found = needed ? w : found;
    }
    return found;
}

static struct edge edge_of(const struct graph *g, const struct leaf *f, int node,
                           const struct pvar *step, const struct pstmt *const *loop, int64_t plus) {
    const struct pvar *var = g->node[node].var;
    struct edge e = {OF_LEVEL, 0, plus};
    if (var == NULL || var == step)
        e.of = var != NULL ? OF_STEP : node == 0 ? OF_ZERO : OF_DIM;
    if (e.of == OF_DIM)
        e.id = g->node[node].dim;
    for (int i = 0; e.of == OF_LEVEL && i < f->levels; i++)
        e.id = loop[i]->var == var ? i : e.id;
    return e;
}

/* The variable of a level; what is known of it stays so. */
static struct pvar *level_var(struct retiming *x, const struct graph *g, const struct pstmt *loop) {
    struct pvar *var = plan_variable(x->uc, x->plan, loop->var->name, DT_INT64);
    int index = node_of((struct graph *)(void *)g, loop->var, -1);
    for (int i = 1; i < g->n; i++) {
        if (g->node[i].var != NULL || g->most[index][i] > -1 || g->most[0][index] > 0)
            continue;
        struct pval *dim = NEW(x->uc, struct pval);
        *dim = (struct pval){.kind = PV_DIM, .dtype = DT_INT64, .operand = g->node[i].dim};
        set_index_range((struct variable *)var, plan_number(x->uc, 0), dim, plan_number(x->uc, 1));
    }
    return var;
}

static void replace_var(struct retiming *x, struct leaf *f, const struct pvar *var,
                        struct pvar *by) {
    f->own = copy_statements(x->uc, f->own, NULL, var, plan_read(x->uc, by));
}

/* The loops of a statement's other indices, the last subscript's innermost. */
static int other_loops(const struct leaf *f, const struct pstmt *loop[MAX_DEPTH]) {
    const struct pval *place = f->put->place;
    const struct pval *last = place->nargs > 0 ? place->args[place->nargs - 1] : NULL;
    const struct pstmt *inner = NULL;
    int n = 0;
    for (int i = 0; i < f->depth; i++) {
        bool own = last != NULL && last->kind == PV_VAR && last->var == f->loop[i]->var;
        if (i == f->time)
            continue;
        if (own)
            inner = f->loop[i];
        else
            loop[n++] = f->loop[i];
    }
    if (inner != NULL)
        loop[n++] = inner;
    return n;
}

/* Whether bounds are sums of sizes, numbers and the indices of a statement's loops alone: a
 * variable would bound an index as they do, and be no loop's. */
static bool are_indices(const struct graph *g, const struct leaf *f) {
    for (int i = 0; i < g->n; i++) {
        int at = 0;
        while (at < f->depth && f->loop[at]->var != g->node[i].var)
            at++;
        if (g->node[i].var != NULL && at == f->depth)
            return false;
    }
    return true;
}

static bool find_levels(struct retiming *x, struct leaf *f) {
    struct graph g = {.n = 0};
    const struct pstmt *loop[MAX_DEPTH], *step = f->time >= 0 ? f->loop[f->time] : NULL;
    bool outer[MAX_NODES] = {false};
    node_of(&g, NULL, -1);
    for (int i = 0; i < f->depth; i++)
        add_loop(&g, f->loop[i]);
    if (g.failed || !are_indices(&g, f) ||
        (step != NULL ? !has_steps_of(x, &g, step) : !close(&g)) || g.failed)
        return false;
    for (int i = 0; i < g.n; i++)
        outer[i] = g.node[i].var == NULL || (step != NULL && g.node[i].var == step->var);
    f->own = copy_statements(x->uc, f->put, f->put->next, NULL, NULL);
    if (step != NULL)
        replace_var(x, f, step->var, x->step);
    int n = other_loops(f, loop);
    for (f->levels = 0; f->levels < n; f->levels++) {
        int index = node_of(&g, loop[f->levels]->var, -1), lo = only_bound(&g, index, outer, true),
            hi = only_bound(&g, index, outer, false);
        struct level *own = &f->level[f->levels];
        const struct pvar *var = step != NULL ? step->var : NULL;
        if (lo < 0 || hi < 0)
            return false;
        own->lo = edge_of(&g, f, lo, var, loop, -g.most[lo][index]);
        own->hi = edge_of(&g, f, hi, var, loop, g.most[index][hi] + 1);
        surround(&g, lo, index, hi, g.most[lo][index], g.most[index][hi]);
        own->var = level_var(x, &g, loop[f->levels]);
        replace_var(x, f, loop[f->levels]->var, own->var);
        outer[index] = true;
    }
    return true;
}

bool find_bounds(struct retiming *x) {
    struct variable *all = (struct variable *)x->loop->var;
    x->step = plan_variable(x->uc, x->plan, "step", DT_INT64);
    ((struct variable *)x->step)->below = all->below;
    bool parallel = false;
    for (int i = 0; i < x->nleaves; i++) {
        if (!find_levels(x, &x->leaf[i]))
            return false;
        parallel = parallel || (x->leaf[i].time >= 0 && x->leaf[i].levels + 1 == x->deepest);
    }
    return parallel;
}

/* ---- statements that are the same elsewhere */

static bool same_edge(const struct edge *a, const struct edge *b, int64_t more) {
    return a->of == b->of && a->id == b->id && a->plus + more == b->plus;
}

/* Whether a range ends where it begins, or later, for all indices of the level around it. */
static bool is_upright(const struct level *outer, const struct edge *lo, const struct edge *hi) {
    if (lo->of == hi->of && lo->id == hi->id)
        return lo->plus <= hi->plus;
    if (hi->of == OF_LEVEL)
        return lo->of == outer->lo.of && lo->id == outer->lo.id &&
               lo->plus <= outer->lo.plus + hi->plus;
    return lo->of == OF_LEVEL && hi->of == outer->hi.of && hi->id == outer->hi.id &&
           outer->hi.plus - 1 + lo->plus <= hi->plus;
}

/* The inner range of a statement where the level around it has the index at. */
static bool is_empty_at(const struct edge *at, const struct edge *lo, const struct edge *hi) {
    struct edge own[2] = {*lo, *hi};
    for (int i = 0; i < 2; i++)
        if (own[i].of == OF_LEVEL)
            own[i] = (struct edge){at->of, at->id, at->plus + own[i].plus};
    return own[0].of == own[1].of && own[0].id == own[1].id && own[1].plus <= own[0].plus;
}

/* Makes a statement of two levels, whose inner range is [lo, hi), one that has the other's range,
 * before or behind its own, too.  False: they do not meet. */
static bool join_ranges(struct leaf *f, const struct level *other, const struct edge *lo,
                        const struct edge *hi) {
    struct level *outer = &f->level[0], *inner = &f->level[1];
    struct level both = *outer;
    int64_t less = other->lo.plus - outer->lo.plus;
    if (!same_edge(&outer->hi, &other->hi, 0) || less < -1 || less > 1 ||
        !same_edge(&outer->lo, &other->lo, less))
        return false;
    both.lo.plus = less < 0 ? other->lo.plus : outer->lo.plus;
    if ((less < 0 && !is_empty_at(&both.lo, &inner->lo, &inner->hi)) ||
        (less > 0 && !is_empty_at(&both.lo, lo, hi)) ||
        !is_upright(&both, &inner->lo, &inner->hi) || !is_upright(&both, lo, hi))
        return false;
    if (same_edge(&inner->hi, lo, 0))
        inner->hi = *hi;
    else if (same_edge(hi, &inner->lo, 0))
        inner->lo = *lo;
    else
        return false;
    *outer = both;
    return true;
}

static bool same_put(const struct pstmt *a, const struct pstmt *b) {
    return same_value(a->place, b->place) && same_value(a->value, b->value);
}

/* Joins b, a statement of as many levels, or of one that stands for a diagonal, to a. */
static bool join_leaves(struct retiming *x, struct leaf *a, struct leaf *b) {
    static const struct edge diagonal[] = {{OF_LEVEL, 0, 0}, {OF_LEVEL, 0, 1}};
    if (a->levels != 2 || b->levels == 0 || b->levels > 2)
        return false;
    struct leaf own = *b, all = *a;
    for (int i = 0; i < b->levels; i++)
        replace_var(x, &own, b->level[i].var, a->level[i].var);
    if (b->levels == 1)
        replace_var(x, &all, a->level[1].var, a->level[0].var);
    bool two = b->levels == 2;
    return same_put(all.own, own.own) &&
           join_ranges(a, &b->level[0], two ? &b->level[1].lo : &diagonal[0],
                       two ? &b->level[1].hi : &diagonal[1]);
}

/* Has what comes before one statement in a step, or behind it, do so of one that it is part of. */
static void order_as(struct retiming *x, int part, int all) {
    for (int i = 0; i < x->nleaves; i++) {
        x->first[i][all] = x->first[i][all] || x->first[i][part];
        x->first[all][i] = x->first[all][i] || x->first[part][i];
    }
}

/* Joins those of neighbours in a step that may be one. */
static void join_neighbours(struct retiming *x) {
    int last = -1;
    for (int n = 0; n < x->nleaves; n++) {
        int own = x->order[n];
        struct leaf *b = &x->leaf[own], *a = last >= 0 ? &x->leaf[last] : NULL;
        bool free = a != NULL && a->time >= 0 && b->time >= 0 && !x->first[last][own] &&
                    !x->first[own][last];
        if (free && join_leaves(x, a, b)) {
            b->gone = true;
            order_as(x, own, last);
            continue;
        }
        if (free && join_leaves(x, b, a)) {
            a->gone = true;
            order_as(x, last, own);
        }
        last = own;
    }
}

/* ---- loops */

static struct pval *value_of_edge(struct retiming *x, const struct leaf *f, const struct edge *e) {
    struct pval *v = NEW(x->uc, struct pval);
    if (e->of == OF_ZERO)
        return plan_number(x->uc, e->plus);
    if (e->of == OF_DIM)
        *v = (struct pval){.kind = PV_DIM, .dtype = DT_INT64, .operand = e->id};
    else
        v = plan_read(x->uc, e->of == OF_STEP ? x->step : f->level[e->id].var);
    if (e->plus == 0)
        return v;
    struct pval *sum = NEW(x->uc, struct pval);
    *sum = (struct pval){.kind = PV_OP, .dtype = DT_INT64, .nargs = 2};
    sum->op = e->plus > 0 ? OP_ADD : OP_SUB;
    sum->args[0] = v;
    sum->args[1] = plan_number(x->uc, e->plus > 0 ? e->plus : -e->plus);
    return sum;
}

static struct pstmt *loops_of(struct retiming *x, const struct leaf *f) {
    struct pstmt *list = f->own;
    for (int i = f->levels; i-- > 0;) {
        struct pstmt *loop = NEW(x->uc, struct pstmt);
        *loop = (struct pstmt){.kind = PS_FOR, .at = x->loop->at, .var = f->level[i].var};
        loop->lo = value_of_edge(x, f, &f->level[i].lo);
        loop->hi = value_of_edge(x, f, &f->level[i].hi);
        loop->step = plan_number(x->uc, 1);
        loop->body = list;
        list = loop;
    }
    return list;
}

struct pstmt *loops_of_steps(struct retiming *x) {
    struct pstmt *steps = NEW(x->uc, struct pstmt), *list = NULL, **end = &list, **in;
    *steps = *x->loop;
    steps->var = x->step;
    steps->body = NULL;
    in = &steps->body;
    join_neighbours(x);
    for (int n = 0; n < x->nleaves; n++) {
        const struct leaf *f = &x->leaf[x->order[n]];
        if (f->gone)
            continue;
        struct pstmt ***to = f->time == BEFORE_ALL ? &end : &in;
        **to = loops_of(x, f);
        *to = &(**to)->next;
    }
    *end = steps;
    return list;
}
