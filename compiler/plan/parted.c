/* parted.c: loops of a step that store elements and go on with a variable of them, as the residual
 * of an iteration:
 *
 *     for t in 0..20 { ...; for i in 0..n { y[i] = f(z, i); r += y[i] * y[i] }; ... }
 *
 * Threads share another form of such a loop, in which each has a loop of its own: the elements are
 * points, however long each takes, and what is left adds up numbers that are there.  (Loop
 * distribution, as in fission.c.) */
#include "apart.h"
#include "split.h"

/* What takes long at a point: what is brief threads compute as terms of the sum, where all of the
 * body's loops are sums. */
static bool is_shared(struct sharer *x, struct lower *l, struct pstmt *loop) {
    (void)l;
    return (x->brief || has_loop(loop->body)) && is_independent(x, loop);
}

/* Do loops that threads do not share only go on with variables? */
static bool are_sums(struct sharer *x, struct pstmt *parts) {
    while (parts != NULL && (!has_store(parts->body) || is_independent(x, parts)))
        parts = parts->next;
    return parts == NULL;
}

struct pstmt *part_step(struct sharer *x, struct pstmt **at) {
    struct plan *p = (struct plan *)x->plan;
    struct pstmt *s = *at, *list = NULL;
    struct lower l = {.uc = x->uc, .plan = p, .vars_end = &p->vars, .end = &list};
    /* Parts do not know of what others do to local arrays. */
    if (s->kind != PS_FOR || x->around == NULL || p->for_host || p->nlocals > 0 ||
        !part_at(x, &l, at, is_shared, true, true))
        return NULL;
    struct pstmt *parts = *at, *last = parts;
    while (last->next != s->next)
        last = last->next;
    last->next = NULL;
    *at = s;
    bool once = plan_walk(parts, &(struct plan_visitor){.stmt = find_twice}, NULL);
    return once && are_sums(x, parts) ? parts : NULL;
}
