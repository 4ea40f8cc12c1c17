/* parted.c: loops of a step that store elements and go on with a variable of them, as the residual
 * of an iteration:
 *
 *     for t in 0..20 { ...; for i in 0..n { y[i] = f(z, i); r += y[i] * y[i] }; ... }
 *
 * Threads share another form of such a loop, in which each has a loop of its own: the elements are
 * points, however long each takes, and what is left adds up numbers that are there; or, where
 * these are made of what elements were before, it comes first.  (Loop distribution, as in
 * fission.c.) */
#include "apart.h"
#include "split.h"
#include "total.h"

/* How many loops and ranges of a list are in one another, without those of a few iterations. */
static int depth_of(const struct pstmt *list) {
    int most = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct prange own = {.lo = s->lo, .hi = s->hi, .step = s->step};
        int depth =
            s->kind == PS_LOOP || (s->kind == PS_FOR && constant_points(&own) > UNROLLED_POINTS);
        for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
            const struct prange one = {.lo = r->lo, .hi = r->hi, .step = r->step};
            depth += constant_points(&one) > UNROLLED_POINTS;
        }
        int body = depth + depth_of(s->body), other = depth_of(s->other);
        most = body > most ? body : most;
        most = other > most ? other : most;
    }
    return most;
}

/* Do ordered loops of a list have loops of which more than `depth` are in one another? */
static bool have_deeper(const struct pstmt *list, int depth) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool steps = s->kind == PS_FOR || s->kind == PS_LOOP;
        if (steps ? s->shared == NULL && depth_of(s->body) > depth
                  : s->kind != PS_SPREAD &&
                        (have_deeper(s->body, depth) || have_deeper(s->other, depth)))
            return true;
    }
    return false;
}

static enum walk find_statement(const struct pstmt *s, void *loop) {
    return s == loop ? WALK_STOP : WALK_IN;
}

/* The same of a list that has a loop, of what is beside it; steps: the list is in ordered loops,
 * all of which counts. */
static bool are_beside_deeper(const struct pstmt *list, const struct pstmt *loop, int depth,
                              bool steps) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt own = *s;
        own.next = NULL;
        bool inside = steps || s->kind == PS_FOR || s->kind == PS_LOOP;
        if (s == loop)
            continue;
        if (stmt_walk(s, &(struct plan_visitor){.stmt = find_statement}, (void *)(uintptr_t)loop)
                ? (steps ? depth_of(&own) > depth : have_deeper(&own, depth))
                : are_beside_deeper(s->body, loop, depth, inside) ||
                      are_beside_deeper(s->other, loop, depth, inside))
            return true;
    }
    return false;
}

/* Do the steps of the body have loops beside this one that take longer, as a matrix times a vector,
 * so that all of it had better be for all blocks? */
static bool is_beside_longer(const struct sharer *x, const struct pstmt *loop) {
    const struct pstmt *body = x->plan->body->body;
    struct pstmt own = *loop;
    own.next = NULL;
    return !plan_walk((struct pstmt *)(uintptr_t)body,
                      &(struct plan_visitor){.stmt = find_statement}, (void *)(uintptr_t)loop) &&
           are_beside_deeper(body, loop, depth_of(&own), false);
}

/* What takes long at a point, or is beside what does: what is brief threads compute as terms of the
 * sum, where all of the body's loops are sums. */
static bool is_shared(struct sharer *x, struct lower *l, struct pstmt *loop) {
    (void)l;
    bool takes_long = x->around != NULL && (x->brief || has_loop(loop->body));
    return (takes_long || is_beside_longer(x, loop)) && is_independent(x, loop);
}

/* Do loops that threads do not share only go on with variables? */
static bool are_sums(struct sharer *x, struct pstmt *parts) {
    while (parts != NULL && (!has_store(parts->body) || is_independent(x, parts)))
        parts = parts->next;
    return parts == NULL;
}

/* Takes parts of a list up to `end` apart that store and go on with variables. */
static void part_further(struct sharer *x, struct lower *l, struct pstmt **list,
                         const struct pstmt *end) {
    for (struct pstmt **at = list; *at != end; at = &(*at)->next)
        if (has_store((*at)->body) && !is_independent(x, *at))
            part_at(x, l, at, is_shared, true, true);
}

/* Parts of a loop; NULL: some do more than one thing each. */
static struct pstmt *parts_of(struct sharer *x, struct lower *l, struct pstmt **at) {
    struct pstmt *s = *at;
    if (!part_at(x, l, at, is_shared, true, true))
        return NULL;
    part_further(x, l, at, s->next);
    struct pstmt *parts = *at, *last = parts;
    while (last->next != s->next)
        last = last->next;
    last->next = NULL;
    *at = s;
    bool once = plan_walk(parts, &(struct plan_visitor){.stmt = find_twice}, NULL);
    return once && are_sums(x, parts) ? parts : NULL;
}

/* The same of a loop whose sums are of what elements were before it stores these. */
static struct pstmt *parts_ahead(struct sharer *x, struct lower *l, struct pstmt **at) {
    struct pstmt *s = *at, *parts = NULL;
    if (x->brief || is_beside_longer(x, s))
        parts = sums_ahead(x, l, s);
    if (parts == NULL)
        return NULL;
    *at = parts;
    parts->next->next = s->next;
    x->mentions = count_mentions(x->uc, x->plan, x->plan->body);
    parts->next->next = NULL;
    *at = s;
    return is_independent(x, parts->next) ? parts : NULL;
}

struct pstmt *part_step(struct sharer *x, struct pstmt **at) {
    struct plan *p = (struct plan *)x->plan;
    struct pstmt *list = NULL;
    struct lower l = {.uc = x->uc, .plan = p, .vars_end = &p->vars, .end = &list};
    /* Parts do not know of what others do to local arrays. */
    if ((*at)->kind != PS_FOR || p->for_host || p->nlocals > 0)
        return NULL;
    struct pvar **vars = variables_end(&l);
    int nvars = p->nvars;
    struct pstmt *parts = parts_of(x, &l, at);
    parts = parts == NULL ? parts_ahead(x, &l, at) : parts;
    if (parts == NULL) {
        *vars = NULL;
        p->nvars = nvars;
    }
    return parts;
}
