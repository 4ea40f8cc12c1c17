/* lag.c: ordered loops whose iterations may follow one another, as those over the rows of a
 * table of which an element depends on its neighbours above and on the left.  An iteration has one
 * loop; its turns wait for those of the iteration before it, of which they read what it stores, and
 * for which they must not store what it reads.  How many turns it must be behind is found from
 * subscripts.  Totals that iterations take are joined behind the loop. */
#include <stdlib.h>

#include "linear.h"
#include "total.h"

enum { MOST_LAG = UINT8_MAX >> UFC_LOOP_LAG };

/* Is a list, up to `end`, of assignments and stores, some of them conditional? */
static bool stores_only(const struct pstmt *s, const struct pstmt *end) {
    while (s != end &&
           (s->kind == PS_SET || s->kind == PS_PUT ||
            (s->kind == PS_IF && stores_only(s->body, NULL) && stores_only(s->other, NULL))))
        s = s->next;
    return s == end;
}

/* Up or down. */
static bool by_one(const struct pstmt *loop) {
    return loop->step->kind == PV_CONST && llabs((int64_t)loop->step->i) == 1;
}

const struct pstmt *turns_loop(const struct pstmt *loop) {
    const struct pstmt *s = loop->body;
    while (s != NULL && s->kind != PS_FOR)
        s = s->next;
    bool only = s != NULL && s->accs == NULL && by_one(s) && stores_only(loop->body, s) &&
                stores_only(s->next, NULL);
    return only ? s : NULL;
}

/* A subscript: index times `outer` and the index of the loop in it times `inner`, as iterations and
 * turns follow, and what else it is at least and at most. */
struct follower {
    int64_t outer, inner;
    struct linear least, most;
};

static int64_t take_times(struct linear *l, const struct pvar *index) {
    int at = linear_place(l, index);
    if (at == l->n)
        return 0;
    int64_t times = at < 0 || l->of[at].dim >= 0 ? INT64_MAX : l->times[at];
    l->times[at < 0 ? 0 : at] = 0;
    return times;
}

/* Is the index of neither loop, which is another one in another turn, in a sum? */
static bool is_without_both(const struct candidate *c, const struct linear *l) {
    return is_without(c, l) && linear_place(l, c->index[c->own + 1]->var) == l->n;
}

/* The bounds of loops in the turn may depend on both indices, and so what a subscript is at most:
 * nothing is known of it then. */
static bool find_follower(const struct candidate *c, const struct pval *v, struct follower *f) {
    const struct pstmt *in = c->index[c->own + 1];
    struct linear l;
    if (!linear_of(c, v, &l))
        return false;
    f->outer = take_times(&l, c->loop->var) * (int64_t)c->loop->step->i;
    f->inner = take_times(&l, in->var) * (int64_t)in->step->i;
    f->least = f->most = l;
    return llabs(f->outer) <= 1 && llabs(f->inner) <= 1 && f->outer * f->inner == 0 &&
           linear_extreme(c, c->own + 2, c->nindices, false, &f->least) &&
           linear_extreme(c, c->own + 2, c->nindices, true, &f->most) &&
           is_without_both(c, &f->least) && is_without_both(c, &f->most);
}

/* a - b, if it is a number. */
static bool find_distance(struct linear a, const struct linear *b, int64_t *distance) {
    bool number = linear_subtract(&a, b);
    for (int i = 0; i < a.n; i++)
        number = number && a.times[i] == 0;
    *distance = a.plus;
    return number;
}

/* How iterations are apart that access the same element: `before` iterations at least, the earlier
 * one `turns` of the loop in it further on at most, where that is known. */
struct meeting {
    int64_t before, turns;
    bool known;
};

/* Adds what a subscript of both tells.  False: no two iterations meet. */
static bool add_subscript(const struct candidate *c, const struct pval *early,
                          const struct pval *late, struct meeting *m) {
    struct follower a, b;
    int64_t least, most;
    if (!find_follower(c, early, &a) || !find_follower(c, late, &b) || a.outer != b.outer ||
        a.inner != b.inner || !find_distance(a.least, &b.most, &least) ||
        !find_distance(a.most, &b.least, &most))
        return true;
    if (a.outer + a.inner < 0) {
        int64_t other = least;
        least = -most;
        most = -other;
    }
    if (a.outer != 0) { /* early + [least, most] == late */
        m->before = least > m->before ? least : m->before;
        return most > 0;
    }
    if (a.inner != 0) {
        m->turns = m->known && m->turns < -least ? m->turns : -least;
        m->known = true;
        return true;
    }
    return least <= 0 && most >= 0;
}

/* The same where one of the two is accessed before the loop in it, at `place`, the other one in its
 * turn that a subscript tells, of a loop up. */
static bool add_first(const struct candidate *c, const struct pval *place, const struct pval *turn,
                      bool early, struct meeting *m) {
    const struct pstmt *in = c->index[c->own + 1];
    struct follower a, b;
    struct linear lo;
    int64_t least, most;
    if (!find_follower(c, place, &a) || !find_follower(c, turn, &b) || a.outer != 0 ||
        a.inner != 0 || b.inner != 1 || in->step->i != 1 || !linear_of(c, in->lo, &lo) ||
        !linear_subtract(&a.least, &lo) || !linear_subtract(&a.most, &lo) ||
        !find_distance(a.least, &b.most, &least) || !find_distance(a.most, &b.least, &most))
        return true;
    if (!early) {
        m->turns = m->known && m->turns < most ? m->turns : most;
        m->known = true;
    }
    return most >= 0;
}

/* Whether places `early` and `late`, of which those below `first` are accessed before the loop in
 * an iteration, may be accessed by iterations that follow so many turns behind one another. */
static bool add_lag(const struct candidate *c, int early, int late, int first, int64_t *lag) {
    struct meeting m = {.before = 1};
    const struct pval *a = c->place[early], *b = c->place[late];
    if (late >= first && early < first) /* at least as late */
        m.known = true;
    if (early < first && late < first)
        m.known = true;
    for (int i = 0; i < a->nargs; i++) {
        bool meets = add_subscript(c, a->args[i], b->args[i], &m);
        if (meets && early < first && late >= first)
            meets = add_first(c, a->args[i], b->args[i], true, &m);
        if (meets && late < first && early >= first)
            meets = add_first(c, b->args[i], a->args[i], false, &m);
        if (!meets)
            return true;
    }
    int64_t own = m.turns < 0 ? 1 : m.turns / m.before + 1;
    *lag = own > *lag ? own : *lag;
    return m.known && *lag <= MOST_LAG;
}

static enum walk count_place(const struct pval *v, void *arg) {
    struct candidate *c = arg;
    c->nplaces += may_be_stored(c->plan, v);
    return WALK_IN;
}

/* How many of the candidate's places are in a list of straight code, up to `end`. */
static int places_in(const struct plan *p, const struct pstmt *s, const struct pstmt *end) {
    struct candidate own = {.plan = p};
    for (; s != end; s = s->next)
        stmt_walk(s, &(struct plan_visitor){.value = count_place}, &own);
    return own.nplaces;
}

bool is_choice(const struct pval *v) {
    return v->kind == PV_CALL && (v->builtin->id == B_MIN || v->builtin->id == B_MAX);
}

bool has_choice(const struct pval *v) {
    return is_choice(v) || (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB) &&
                            (has_choice(v->args[0]) || has_choice(v->args[1])));
}

/* Does a bound depend on the iteration? */
static bool is_aslant(const struct candidate *c, const struct pval *v) {
    struct linear l;
    if (has_choice(v))
        return is_aslant(c, v->args[0]) || is_aslant(c, v->args[1]);
    return !linear_of(c, v, &l) || !is_without(c, &l);
}

/* Is a bound of the loop in an iteration a sum, or the least or the greatest of such, or a sum of
 * one of these and what is the same in all iterations? */
static bool is_bound(const struct candidate *c, const struct pval *v) {
    struct linear l;
    if (has_choice(v))
        return is_bound(c, v->args[0]) && is_bound(c, v->args[1]) &&
               (is_choice(v) || !is_aslant(c, v->args[0]) || !is_aslant(c, v->args[1]));
    return linear_of(c, v, &l) && linear_place(&l, c->index[c->own + 1]->var) == l.n;
}

/* What an iteration does behind its loop concerns no other one. */
int lag_of(const struct sharer *x, struct pstmt *loop, bool *written) {
    const struct pstmt *in = turns_loop(loop);
    int64_t lag = 1;
    const struct candidate *c = in != NULL && by_one(loop) ? new_candidate(x, loop, written) : NULL;
    if (c == NULL || !is_bound(c, in->lo) || !is_bound(c, in->hi))
        return 0;
    loop->aslant = is_aslant(c, in->lo) || is_aslant(c, in->hi);
    if (loop->aslant && (in != loop->body || in->next != NULL || in->step->i != 1))
        return 0;
    int first = places_in(x->plan, loop->body, in);
    int end = c->nplaces - places_in(x->plan, in->next, NULL);
    for (int i = 0; i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++)
            if ((may_clash(c, i, k) || may_clash(c, k, i)) &&
                (i >= end || k >= end || !add_lag(c, i, k, first, &lag)))
                return 0;
    return (int)lag;
}

/* Has the loop in the place of *at take totals in accs, which are joined behind it.  Gives the
 * place of the loop. */
static struct pstmt **set_totals_apart(struct totals *t, struct pstmt **at) {
    struct lower *l = t->l;
    struct pstmt *loop = *at, *next = loop->next;
    l->end = at;
    begin_accs(t, loop, true);
    at = l->end;
    struct pstmt *own = *at = copy_with_accs(t, loop);
    own->totals = NEW(l->uc, struct pstmt);
    *own->totals = (struct pstmt){.kind = PS_SPREAD, .at = loop->at};
    list_accs(t, own->totals);
    l->end = &own->totals->joined;
    join_totals(t, false, loop->at);
    l->end = &own->next;
    join_totals(t, true, loop->at);
    *l->end = next;
    return at;
}

/* Sets the lag of the loop in the place of *at.  Gives its place then. */
static struct pstmt **set_lag(struct sharer *x, struct lower *l, struct pstmt **at) {
    struct totals t = {.l = l};
    bool *written = find_written(x->uc, x->plan, (*at)->body);
    bool totals = find_totals_beside(x, &t, *at, written);
    if (!totals)
        written = find_written(x->uc, x->plan, (*at)->body);
    int lag = totals && (*at)->step->i != 1 ? 0 : lag_of(x, *at, written);
    if (lag > 0 && totals) {
        at = set_totals_apart(&t, at);
        x->mentions = count_mentions(x->uc, x->plan, x->plan->body);
    }
    (*at)->lag = lag;
    return at;
}

/* Is there a loop in a list whose iterations threads share, or that follow one another? */
static bool has_shared(const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (s->shared != NULL || s->lag > 0 || has_shared(s->body) || has_shared(s->other))
            return true;
    return false;
}

static void visit_loops(struct sharer *x, struct lower *l, struct pstmt **list) {
    const struct enclosing *around = x->around;
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        struct enclosing own = {s, around};
        if (s->kind == PS_SPREAD || s->shared != NULL || s->accs != NULL)
            continue;
        if (s->kind == PS_FOR && !find_written(x->uc, x->plan, s->body)[s->var->id])
            x->around = &own;
        visit_loops(x, l, &s->body);
        x->around = around;
        visit_loops(x, l, &s->other);
        if (s->kind == PS_FOR && !has_shared(s->body))
            at = set_lag(x, l, at);
    }
}

void find_lags(struct uc *uc, struct plan *p) {
    struct sharer x = {.uc = uc, .plan = p};
    struct lower l = {.uc = uc, .plan = p, .vars_end = &p->vars};
    while (*l.vars_end != NULL)
        l.vars_end = &(*l.vars_end)->next;
    x.mentions = count_mentions(uc, p, p->body);
    if (!p->checked)
        visit_loops(&x, &l, &p->body->body);
}
