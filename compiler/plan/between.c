/* between.c: whether two places are one element in the same iteration of a loop alone, since the
 * bounds of indices lie between one another, as those of the two halves of a symmetric matrix:
 *
 *     for i in 0..n { for j in i..n { c[i, j] = f(i, j); c[j, i] = c[i, j] } }
 *
 * What is known of two iterations that access one element are differences that are at most some
 * number: of the subscripts, which are equal, of indices and their bounds, of what conditions
 * compare, and of the loop's index, which is less in one of the two.  They have no solution if
 * those around some circle are below 0 together (Shostak, Deciding Linear Inequalities by
 * Computing Loop Residues, 1981). */
#include "linear.h"

enum { SIDES = 2, SHARED = SIDES, MAX_NODES = 32 };
static const int64_t far = INT64_MAX / 8;

/* Nodes are indices of either side, or of both, and variables and dimensions; the first one is 0.
 */
struct differences {
    const struct candidate *c;
    struct {
        const struct pvar *var; /* NULL: the dimension */
        int dim, side;
    } node[MAX_NODES];
    int n;
    int64_t most[MAX_NODES][MAX_NODES]; /* how much the first is more than the second, at most */
};

/* ---- sums */

/* The node of a summand; -1: there are too many. */
static int node_of(struct differences *x, const struct pvar *var, int dim, int side) {
    int i = 1, at = x->c->nindices - 1;
    while (var != NULL && at >= 0 && x->c->index[at]->var != var)
        at--;
    if (var == NULL || at < x->c->own)
        side = SHARED;
    while (i < x->n && (x->node[i].var != var || x->node[i].dim != dim || x->node[i].side != side))
        i++;
    if (i == MAX_NODES)
        return -1;
    if (i == x->n) {
        x->node[i].var = var;
        x->node[i].dim = dim;
        x->node[i].side = side;
        for (int k = 0; k <= i; k++)
            x->most[i][k] = x->most[k][i] = far;
        x->n++;
        if (var == NULL)
            x->most[0][i] = 0; /* a dimension is 0 or more */
    }
    return i;
}

static void add_difference(struct differences *x, int a, int b, int64_t most) {
    if (a >= 0 && b >= 0 && a != b && most < x->most[a][b])
        x->most[a][b] = most;
}

/* Adds that a of one side is at most b of another one, and `plus`. */
static void add_at_most(struct differences *x, const struct pval *a, int side, const struct pval *b,
                        int other, int64_t plus) {
    struct linear sum[2];
    int64_t times[MAX_NODES] = {0};
    int more = 0, less = 0;
    if (a->dtype != DT_INT64 || !linear_of(x->c, a, &sum[0]) || !linear_of(x->c, b, &sum[1]))
        return;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < sum[k].n; i++) {
            bool product = sum[k].of[i].var != NULL && sum[k].of[i].dim >= 0;
            int at = product || sum[k].times[i] == 0
                         ? -1
                         : node_of(x, sum[k].of[i].var, sum[k].of[i].dim, k == 0 ? side : other);
            if (at < 0 && sum[k].times[i] != 0)
                return;
            if (at > 0)
                times[at] += k == 0 ? sum[k].times[i] : -sum[k].times[i];
        }
    for (int i = 1; i < x->n; i++) {
        bool one = times[i] == 1 && more == 0, minus = times[i] == -1 && less == 0;
        if (times[i] != 0 && !one && !minus)
            return;
        more = one ? i : more;
        less = minus ? i : less;
    }
    add_difference(x, more, less, plus + sum[1].plus - sum[0].plus);
}

/* ---- what is known */

/* The arguments of a minimum, or maximum; NULL: v is none. */
static struct pval *const *extremes_of(const struct pval *v, enum builtin_id id) {
    return v->kind == PV_CALL && v->nargs == 2 && (enum builtin_id)v->builtin->id == id ? v->args
                                                                                        : NULL;
}

/* Adds that an index is at least v and `plus`, or at most. */
static void add_bound(struct differences *x, const struct pval *index, const struct pval *v,
                      int64_t plus, bool least, int side) {
    struct pval *const *of = extremes_of(v, least ? B_MAX : B_MIN);
    for (int i = 0; i < 2 && of != NULL; i++)
        add_bound(x, index, of[i], plus, least, side);
    if (least)
        add_at_most(x, v, side, index, side, -plus);
    else
        add_at_most(x, index, side, v, side, plus);
}

static void add_loop(struct differences *x, const struct pstmt *s, int side) {
    const struct pval index = {.kind = PV_VAR, .dtype = DT_INT64, .var = (struct pvar *)s->var};
    bool up = (int64_t)s->step->i > 0;
    if (s->step->kind != PV_CONST || s->step->i == 0)
        return;
    add_bound(x, &index, up ? s->lo : s->hi, up ? 0 : 1, true, side);
    add_bound(x, &index, up ? s->hi : s->lo, up ? -1 : 0, false, side);
}

/* Adds the bounds of the loops around the candidate's, and of those around a place in it, of a
 * side; others may have no iterations.  What is set once has its value whether a place needs it or
 * not. */
static void add_loops(struct differences *x, const struct loops *within, int side) {
    for (int i = 0; i < x->c->own; i++)
        add_loop(x, x->c->index[i], SHARED);
    for (int i = x->c->own; i < x->c->nindices; i++)
        if (is_setting(x->c->index[i]))
            add_loop(x, x->c->index[i], side);
    for (; within != NULL; within = within->outer)
        add_loop(x, within->loop, side);
}

/* The loops around an element of the candidate. */
static const struct loops *loops_around(const struct candidate *c, const struct pval *v) {
    for (int i = 0; i < c->nplaces; i++)
        if (c->place[i] == v)
            return c->within[i];
    return NULL;
}

static void add_condition(struct differences *x, const struct pval *v, bool holds, int side) {
    if (v->kind != PV_OP)
        return;
    if (v->op == OP_LNOT) {
        add_condition(x, v->args[0], !holds, side);
        return;
    }
    if (v->op == (holds ? OP_LAND : OP_LOR)) {
        add_condition(x, v->args[0], holds, side);
        add_condition(x, v->args[1], holds, side);
        return;
    }
    bool less = v->op == OP_LT || v->op == OP_LE, order = less || v->op == OP_GT || v->op == OP_GE;
    bool strict = (v->op == OP_LT || v->op == OP_GT) == holds;
    bool equal = v->op == (holds ? OP_EQ : OP_NE);
    if ((!order && !equal) || !never_wraps(x->c, v->args[0], false) ||
        !never_wraps(x->c, v->args[1], false))
        return;
    if (equal || (order && less == holds))
        add_at_most(x, v->args[0], side, v->args[1], side, order && strict ? -1 : 0);
    if (equal || (order && less != holds))
        add_at_most(x, v->args[1], side, v->args[0], side, order && strict ? -1 : 0);
}

/* Are differences around some circle below 0 together? */
static bool is_contradiction(struct differences *x) {
    bool below = false; /* then numbers would double at each k */
    for (int k = 0; k < x->n && !below; k++)
        for (int i = 0; i < x->n; i++) {
            for (int j = 0; j < x->n && x->most[i][k] < far; j++)
                if (x->most[k][j] < far && x->most[i][k] + x->most[k][j] < x->most[i][j])
                    x->most[i][j] = x->most[i][k] + x->most[k][j];
            below = below || x->most[i][i] < 0;
        }
    return below;
}

/* Adds that two places, of a side each, are one element. */
static void add_places(struct differences *x, const struct pval *a, const struct pval *b,
                       int side) {
    for (int d = 0; d < a->nargs; d++) {
        add_at_most(x, a->args[d], 0, b->args[d], side, 0);
        add_at_most(x, b->args[d], side, a->args[d], 0, 0);
    }
}

/* Adds all that is known of places i and k where they are one element. */
static void add_both(struct differences *known, int i, int k) {
    const struct candidate *c = known->c;
    const int place[SIDES] = {i, k};
    add_places(known, c->place[i], c->place[k], 1);
    for (int side = 0; side < SIDES; side++) {
        add_loops(known, c->within[place[side]], side);
        for (const struct guard *g = c->guard[place[side]]; g != NULL; g = g->outer)
            add_condition(known, g->value, g->holds, side);
    }
}

bool are_between_apart(const struct candidate *c, int i, int k) {
    const struct pval index = {
        .kind = PV_VAR, .dtype = DT_INT64, .var = (struct pvar *)c->loop->var};
    struct differences known = {.c = c, .n = 1};
    add_both(&known, i, k);
    for (int side = 0; side < SIDES; side++) {
        struct differences own = known;
        add_at_most(&own, &index, side, &index, 1 - side, -1);
        if (!is_contradiction(&own))
            return false;
    }
    return true;
}

bool never_meet(const struct candidate *c, int i, int k, const struct at_most *known, int n) {
    struct differences all = {.c = c, .n = 1};
    add_both(&all, i, k);
    for (int m = 0; m < n; m++) {
        const struct pval a = {.kind = PV_VAR, .dtype = DT_INT64, .var = (struct pvar *)known[m].a};
        const struct pval b = {.kind = PV_VAR, .dtype = DT_INT64, .var = (struct pvar *)known[m].b};
        add_at_most(&all, &a, known[m].side_a, &b, known[m].side_b, known[m].plus);
    }
    return is_contradiction(&all);
}

bool are_always_apart(const struct candidate *c, const struct pval *a, const struct pval *b) {
    struct differences known = {.c = c, .n = 1};
    add_places(&known, a, b, 0);
    add_loops(&known, loops_around(c, a), 0);
    add_loops(&known, loops_around(c, b), 0);
    return is_contradiction(&known);
}
