/* retime.c: ordered loops whose statements may be steps of another index than the loop's, as in
 * factorisations that take each element's terms at once:
 *
 *     for i in 0..n {
 *         for j in 0..i {
 *             for k in 0..j { u[i, j] -= u[i, k] * u[k, j] }
 *             u[i, j] /= u[j, j]
 *         }
 *         for j in i..n { for k in 0..i { u[i, j] -= u[i, k] * u[k, j] } }
 *     }
 *
 * What is to be in order are the terms of an element, and these are all of step k.  With that the
 * outermost loop, all elements take their terms at a time:
 *
 *     for s in 0..n {
 *         for i in s + 1..n { u[i, s] /= u[s, s] }
 *         for i in s + 1..n { for j in s + 1..n { u[i, j] -= u[i, s] * u[s, j] } }
 *     }
 *
 * Each statement's step is one of its indices, or it is before all steps.  Of two instances that
 * access one element, one of them to store it, the first one has to be of an earlier step, or of
 * the same and of a statement that comes first there.  (P. Feautrier, Some Efficient Solutions to
 * the Affine Scheduling Problem, 1992, with schedules that are an index.)  Bounds are differences,
 * so that those in another order of the indices are found as shortest paths. */
#include "apart.h"
#include "retime.h"

/* ---- the statements */

static bool add_leaf(struct retiming *x, struct pstmt *put, int depth) {
    if (x->nleaves == MAX_LEAVES || put->merged || put->place->operand >= x->plan->noperands)
        return false;
    struct leaf *f = &x->leaf[x->nleaves++];
    *f = (struct leaf){.put = put, .depth = depth};
    for (int i = 0; i < depth; i++)
        f->loop[i] = x->around[i];
    x->deepest = depth > x->deepest ? depth : x->deepest;
    return true;
}

static bool find_leaves(struct retiming *x, struct pstmt *list, int depth) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool loop = s->kind == PS_FOR && s->accs == NULL && s->step->kind == PV_CONST &&
                    s->step->i == 1 && depth < MAX_DEPTH;
        if (loop)
            x->around[depth] = s;
        if (loop ? !find_leaves(x, s->body, depth + 1)
                 : s->kind != PS_PUT || !add_leaf(x, s, depth))
            return false;
    }
    return true;
}

struct owner {
    const struct candidate *c;
    struct leaf *leaf;
};

static enum walk add_place(const struct pval *v, void *arg) {
    struct owner *o = arg;
    for (int i = 0; v->kind == PV_ELEM && i < o->c->nplaces; i++)
        if (o->c->place[i] == v)
            o->leaf->places |= UINT32_C(1) << i;
    return WALK_IN;
}

/* ---- order */

/* Whether no instance of S that accesses an element before one of T does, one of them to store it,
 * has a step that is `by` more than the other's, or a later one. */
static bool are_in_order(const struct retiming *x, const struct leaf *s, const struct leaf *t,
                         int p, int q, int by) {
    struct at_most known[2 * MAX_DEPTH + 2];
    int n = 0, common = 0;
    while (common < s->depth && common < t->depth && s->loop[common] == t->loop[common])
        common++;
    if (t->time == BEFORE_ALL ? s->time == BEFORE_ALL && by > 0 : s->time == BEFORE_ALL)
        return true;
    if (t->time != BEFORE_ALL)
        known[n++] =
            (struct at_most){t->loop[t->time]->var, s->loop[s->time]->var, 1, 0, -(int64_t)by};
    for (int level = 0; level <= common; level++) {
        if (level == common && s >= t)
            return true;
        struct at_most *own = &known[n];
        if (level < common)
            own[0] = (struct at_most){s->loop[level]->var, s->loop[level]->var, 0, 1, -1};
        if (!never_meet(x->c, p, q, known, n + (level < common)))
            return false;
        if (level < common) {
            own[0].plus = 0;
            own[1] = (struct at_most){s->loop[level]->var, s->loop[level]->var, 1, 0, 0};
            n += 2;
        }
    }
    return true;
}

/* The same of all their elements. */
static bool find_order(const struct retiming *x, const struct leaf *s, const struct leaf *t,
                       int by) {
    const struct candidate *c = x->c;
    for (int p = 0; p < c->nplaces; p++)
        for (int q = 0; q < c->nplaces; q++) {
            bool both = s->places >> p & 1 && t->places >> q & 1 &&
                        c->place[p]->operand == c->place[q]->operand &&
                        (c->stored[p] || c->stored[q]);
            if (both && !are_in_order(x, s, t, p, q, by))
                return false;
        }
    return true;
}

/* The same, found once for the same steps of the two: others' are tried between. */
static bool all_in_order(struct retiming *x, const struct leaf *s, const struct leaf *t, int by) {
    signed char *known =
        &x->in_order[s - x->leaf][t - x->leaf][s->time - BEFORE_ALL][t->time - BEFORE_ALL][by];
    if (*known == 0)
        *known = find_order(x, s, t, by) ? 1 : -1;
    return *known > 0;
}

/* Whether leaf i fits those before it; sets which must be first in a step. */
static bool has_step(struct retiming *x, int i) {
    for (int k = 0; k <= i; k++)
        for (int turn = 0; turn < (k < i ? 2 : 1); turn++) {
            int s = turn ? i : k, t = turn ? k : i;
            x->first[s][t] = false;
            if (all_in_order(x, &x->leaf[s], &x->leaf[t], 0))
                continue;
            if (s == t || !all_in_order(x, &x->leaf[s], &x->leaf[t], 1))
                return false;
            x->first[s][t] = true;
        }
    return true;
}

/* Puts the leaves in the order in which they come in a step.  False: they have none. */
static bool order_leaves(struct retiming *x) {
    bool done[MAX_LEAVES] = {false};
    for (int n = 0; n < x->nleaves; n++) {
        int next = -1;
        for (int i = 0; i < x->nleaves && next < 0; i++) {
            bool free = !done[i];
            for (int k = 0; k < x->nleaves; k++)
                free = free && (done[k] || k == i || !x->first[k][i]);
            next = free ? i : -1;
        }
        if (next < 0)
            return false;
        done[next] = true;
        x->order[n] = next;
    }
    return true;
}

/* Finds the steps of the leaves from i on: before all, or of the innermost index that may be. */
static bool find_steps(struct retiming *x, int i) {
    if (i == x->nleaves)
        return order_leaves(x);
    struct leaf *f = &x->leaf[i];
    for (int turn = 0; turn <= f->depth; turn++) {
        f->time = turn == 0 ? BEFORE_ALL : f->depth - turn;
        if (has_step(x, i) && find_steps(x, i + 1))
            return true;
    }
    return false;
}

/* Is the loop's own index such a step, so that nothing is to be done? */
static bool is_in_steps(struct retiming *x) {
    for (int i = 0; i < x->nleaves; i++) {
        x->leaf[i].time = 0;
        if (!has_step(x, i))
            return false;
    }
    return order_leaves(x);
}

/* ---- variables that are kept for an element */

/* Whether in the order of the source nothing but these statements accesses the element that they
 * now have for a variable, between the first and the last of them. */
static bool are_kept_apart(const struct retiming *x) {
    const struct candidate *c = x->c;
    for (int i = 0; i < x->nleaves; i++)
        for (int k = 0; k < x->nleaves; k++) {
            const struct leaf *s = &x->leaf[i], *t = &x->leaf[k];
            const struct kept_place *kept = kept_of(x, s->put);
            if (kept == NULL || kept != kept_of(x, t->put))
                continue;
            struct at_most known[2 * MAX_DEPTH];
            int n = 0, p = 0;
            for (int level = 0; level < kept->depth; level++)
                for (int side = 0; side < 2; side++)
                    known[n++] = (struct at_most){s->loop[level]->var, s->loop[level]->var, side,
                                                  1 - side, 0};
            while (c->place[p] != s->put->place)
                p++;
            for (int q = 0; q < c->nplaces; q++)
                if (t->places >> q & 1 && c->place[q]->operand == kept->place->operand &&
                    !same_value(c->place[q], kept->place) && !never_meet(c, p, q, known, n))
                    return false;
        }
    return true;
}

/* ---- all of it */

/* The mentions of variables where a loop takes the place of one of the body's. */
static int *mentions_with(struct lower *l, const struct pstmt *loop, const struct pstmt *replaced) {
    int *mentions = count_mentions(l->uc, l->plan, loop);
    for (const struct pstmt *s = l->plan->body->body; s != NULL; s = s->next)
        if (s != replaced) {
            const int *more =
                count_mentions(l->uc, l->plan, copy_statements(l->uc, s, s->next, NULL, NULL));
            for (int i = 0; i < count_owned(l->plan); i++)
                mentions[i] += more[i];
        }
    return mentions;
}

/* What loops are that may be retimed: loops around the innermost statement, at least; whether
 * reductions count as such. */
struct kind {
    int least;
    bool sums;
};
static const struct kind VECTORS = {.least = 2, .sums = true};

static struct pstmt *retime(struct lower *l, const struct sharer *sharer, struct pstmt *loop,
                            struct kind kind) {
    struct retiming *x = NEW(l->uc, struct retiming);
    *x = (struct retiming){.uc = l->uc, .plan = l->plan};
    x->loop = copy_statements(l->uc, loop, loop->next, NULL, NULL);
    struct sharer own = *sharer;
    if (kind.sums) {
        open_spreads(x);
        stand_in_values(x, mentions_with(l, x->loop, loop));
        own.mentions = mentions_with(l, x->loop, loop);
        read_originals_in(&own, loop, x->loop);
    }
    keep_in_places(x, &own, &x->loop->body, 1);
    x->around[0] = x->loop;
    if (x->loop->step->kind != PV_CONST || x->loop->step->i != 1 ||
        !find_leaves(x, x->loop->body, 1) || x->deepest < kind.least)
        return NULL;
    own.mentions = mentions_with(l, x->loop, loop);
    x->c = find_candidate(&own, x->loop);
    if (x->c == NULL)
        return NULL;
    for (int i = 0; i < x->nleaves; i++) {
        struct owner o = {x->c, &x->leaf[i]};
        value_walk(x->leaf[i].put->place, add_place, &o);
        value_walk(x->leaf[i].put->value, add_place, &o);
    }
    if (!do_choices_exist(x) || !are_kept_apart(x) || !are_read_apart(x) || is_in_steps(x) ||
        !find_steps(x, 0) || !find_bounds(x))
        return NULL;
    return loops_of_steps(x);
}

/* Does so with loops of the body.  Whether there is any. */
static bool retime_body(struct lower *l, struct kind kind) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    bool any = false;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind != PS_FOR || (*at)->accs != NULL)
            continue;
        x.mentions = count_mentions(l->uc, l->plan, l->plan->body->body);
        struct pstmt *copy = copy_statements(l->uc, *at, (*at)->next, NULL, NULL);
        if (is_independent(&x, copy))
            continue;
        struct pstmt *list = retime(l, &x, *at, kind), **end = &list;
        if (list == NULL)
            continue;
        while (*end != NULL)
            end = &(*end)->next;
        *end = (*at)->next;
        *at = list;
        any = true;
    }
    return any;
}

bool has_vectors_to_retime(struct lower *l) {
    struct plan *p = l->plan;
    struct pvar **vars = variables_end(l);
    struct sharer x = {.uc = l->uc, .plan = p};
    int nvars = p->nvars;
    bool any = false;
    x.mentions = count_mentions(l->uc, p, p->body->body);
    for (struct pstmt *s = p->body->body; s != NULL && !any; s = s->next) {
        struct pstmt *own = copy_statements(l->uc, s, s->next, NULL, NULL);
        any = s->kind == PS_FOR && s->accs == NULL && !is_independent(&x, own) &&
              retime(l, &x, s, VECTORS) != NULL;
    }
    *vars = NULL;
    l->vars_end = vars;
    p->nvars = nvars;
    return any;
}

bool retime_vectors(struct lower *l) {
    add_serial_loops(l->uc, l->plan->body->body);
    return retime_body(l, VECTORS);
}

/* Of matrices; and then of vectors, whose steps have few elements, too: as those of a system that
 * is solved by the factors. */
void retime_loops(struct lower *l) {
    add_serial_loops(l->uc, l->plan->body->body);
    if (retime_body(l, (struct kind){.least = 3}))
        retime_body(l, (struct kind){.least = 2});
}
