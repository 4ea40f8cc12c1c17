/* portion.c: spreads of which the blocks of a call have portions: reductions, whose parts they
 * exchange, and the definitions over the same points, each of whose elements a block then has in
 * all of these statements, so that blocks need not wait for one another between them. */
#include "plan.h"

enum { MOST_DIMENSIONS = 4 }; /* ranges of such a spread */

static bool has_few_ranges(const struct pstmt *s) {
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        n++;
    return n <= MOST_DIMENSIONS;
}

static bool is_divisible(const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->owner == NULL && !s->merged && has_few_ranges(s) &&
           constant_points(s->ranges) == INT64_MAX;
}

/* Is a spread's work that of its points alone, which are the same whenever it runs? */
static bool is_even(const struct plan *p, const struct pstmt *s) {
    return is_divisible(s) && (s->accs == NULL || s->portions) && is_branched(p, s->body) &&
           are_sizes(s->ranges);
}

struct search {
    struct plan *plan;
    const struct prange **ranges, *own;
    int n, most;
};

static void mark_list(struct pstmt *list, bool portions) {
    for (struct pstmt *in = list; in != NULL; in = in->next) {
        in->portions = portions && in->kind == PS_SPREAD;
        if (in->kind == PS_SPREAD && in->accs == NULL)
            mark_list(in->body, portions);
    }
}

/* What is known of a loop is by its own reductions, whoever shares it. */
static void mark_alike(struct pstmt *loop) {
    bool portions = loop->shared->kind == PS_SPREAD && loop->shared->accs == NULL &&
                    loop->shared->next == NULL && loop->shared->portions;
    mark_list(loop->body, portions);
}

static void each_spread(struct search *x, struct pstmt *list,
                        void (*visit)(struct search *x, struct pstmt *s)) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        if (s->kind == PS_SPREAD)
            visit(x, s);
        else if (s->shared != NULL) {
            each_spread(x, s->shared, visit);
            mark_alike(s);
        } else {
            for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
                each_spread(x, *lists[i], visit);
        }
    }
}

/* Is a reduction one whose portions blocks can join? */
static bool may_join(const struct pstmt *s) {
    return s->accs != NULL && entry_bytes(s) > 0 && is_divisible(s);
}

/* points: that blocks join it at, at a time. */
static void join(struct search *x, struct pstmt *s, int points) {
    int bytes = entry_bytes(s) * points;
    s->portions = true;
    x->plan->map.portion = bytes > x->plan->map.portion ? bytes : x->plan->map.portion;
}

/* Does a statement beside the reductions at a point only set variables or store, also under
 * conditions? */
static bool is_beside(const struct plan *p, const struct pstmt *s) {
    return s->kind == PS_SET || s->kind == PS_PUT ||
           (s->kind == PS_IF && is_branched(p, s->body) && is_branched(p, s->other));
}

static bool may_store(const struct pstmt *s) {
    return s->kind == PS_PUT ||
           (s->kind == PS_IF && !(is_straight(s->body, false) && is_straight(s->other, false)));
}

/* Of a definition whose points are reductions over sizes, and then store what is made of these,
 * which is in the same order whoever computes it: blocks have portions of those of a point. */
static void add_points(struct search *x, struct pstmt *s) {
    bool any = false, stores = false, fits = s->owner == NULL && !s->merged && has_few_ranges(s);
    for (const struct pstmt *in = s->body; in != NULL && fits; in = in->next) {
        bool reduces = in->kind == PS_SPREAD;
        fits = reduces ? may_join(in) && are_sizes(in->ranges) && !stores : is_beside(x->plan, in);
        any = any || reduces;
        stores = stores || may_store(in);
    }
    s->portions = any && fits;
    int points = lone_reduction(s) != NULL ? UFC_PORTION_GROUP : 1;
    for (struct pstmt *in = s->body; in != NULL && s->portions; in = in->next)
        if (in->kind == PS_SPREAD)
            join(x, in, points);
}

static void add_reduction(struct search *x, struct pstmt *s) {
    int i = 0;
    s->portions = false;
    if (s->accs == NULL)
        add_points(x, s);
    if (!may_join(s))
        return;
    join(x, s, 1);
    while (i < x->n && !same_bounds(x->ranges[i], s->ranges))
        i++;
    if (i == x->n && i < x->most && is_even(x->plan, s))
        x->ranges[x->n++] = s->ranges;
}

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD                      ? WALK_PAST
           : s->kind == PS_FOR || s->kind == PS_LOOP ? WALK_STOP
                                                     : WALK_IN;
}

int find_portions(struct plan *p, const struct prange **ranges, int most) {
    struct search x = {.plan = p, .ranges = ranges, .most = most};
    p->map.portion = 0;
    if (!plan_walk(p->body->body, &(struct plan_visitor){.stmt = find_loop}, NULL))
        each_spread(&x, p->body->body, add_reduction);
    return x.n;
}

static void set_own(struct search *x, struct pstmt *s) {
    s->own_portions = x->own != NULL && is_even(x->plan, s) && same_bounds(x->own, s->ranges);
}

void set_own_portions(struct plan *p, const struct prange *ranges) {
    each_spread(&(struct search){.plan = p, .own = ranges}, p->body->body, set_own);
}

bool is_own_place(const struct pstmt *s, const struct pval *place) {
    const struct prange *r = s->ranges;
    int i = 0;
    while (i < place->nargs && r != NULL && place->args[i]->kind == PV_VAR &&
           place->args[i]->var == r->var) {
        r = r->next;
        i++;
    }
    return i == place->nargs && r == NULL;
}

const struct pstmt *lone_reduction(const struct pstmt *s) {
    const struct pstmt *only = NULL;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        if (in->kind == PS_SPREAD && only != NULL)
            return NULL;
        else if (in->kind == PS_SPREAD)
            only = in;
    return only;
}

uint16_t portions_of(const struct pstmt *s) {
    return s->own_portions ? UFC_PORTIONS_ALWAYS : s->portions ? UFC_PORTIONS_LONG : 0;
}
