/* unroll.c: ordered loops of a few iterations that take reductions, as those over the elements of a
 * small matrix of moments.  They become copies of their bodies, one for each iteration, of which
 * the reductions are then one pass (fuse.c), and phases that all threads share. */
#include "linear.h"

enum { MOST_NODES = 4096 }; /* of all copies */

struct unroller {
    struct lower *l;
    struct sharer x;
};

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR || s->kind == PS_LOOP || s->kind == PS_SPREAD ? WALK_STOP : WALK_IN;
}

/* Long reductions that a list takes, each iteration of its loops counted; -1: it has other loops or
 * definitions, or takes some at times. */
static int64_t count_reductions(const struct pstmt *list) {
    const struct plan_visitor loops = {.stmt = find_loop};
    int64_t n = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        int64_t steps = 0, inner = 0;
        switch (s->kind) {
        case PS_SET:
        case PS_PUT: break;
        case PS_IF: steps = stmt_walk(s, &loops, NULL) ? 0 : -1; break;
        case PS_SPREAD:
            inner = is_reduction(s) ? 1 : -1;
            steps = constant_points(s->ranges) > UNROLLED_POINTS;
            break;
        case PS_FOR:
            steps = constant_steps(s);
            inner = count_reductions(s->body);
            break;
        default: inner = -1;
        }
        if (steps < 0 || inner < 0)
            return -1;
        n += steps * inner;
        if (n > MAX_UNROLLED)
            return -1;
    }
    return n;
}

/* Whether each iteration sets the variables that it reads, and no others do.  Arrays of the call
 * stay what they are. */
static bool has_own_variables(const struct unroller *u, const struct pstmt *loop) {
    const struct plan *p = u->l->plan;
    bool *written = find_written(u->l->uc, p, loop->body);
    for (int i = p->nvars; i < count_owned(p); i++)
        written[i] = false;
    return !written[loop->var->id] && new_candidate(&u->x, loop, written) != NULL;
}

static enum walk count_node(const struct pval *v, void *nodes) {
    (void)v;
    ++*(int64_t *)nodes;
    return WALK_IN;
}

static bool may_unroll(const struct unroller *u, const struct pstmt *s) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    int64_t steps = constant_steps(s);
    int64_t nodes = 0;
    plan_walk(s->body, &(struct plan_visitor){.value = count_node, .joined = true}, &nodes);
    return steps > 0 && count_reductions(s->body) > 0 &&
           steps * count_reductions(s->body) <= MAX_UNROLLED && steps * nodes <= MOST_NODES &&
           plan_walk(s->body, &jumps, NULL) && has_own_variables(u, s);
}

/* The copies, before what follows the loop. */
static struct pstmt *copies_of(const struct unroller *u, const struct pstmt *loop) {
    struct copy c = {.l = u->l, .index = loop->var, .value = (int64_t)loop->lo->i};
    struct pstmt *first = NULL, **end = &first;
    int nvars = u->l->plan->nvars;
    for (int64_t n = constant_steps(loop); n > 0; n--, c.value += (int64_t)loop->step->i) {
        c.vars = NEWN(u->l->uc, struct pvar *, nvars + 1);
        for (const struct pstmt *s = loop->body; s != NULL; s = s->next, end = &(*end)->next)
            *end = copy_stmt(&c, s);
    }
    *end = loop->next;
    return first;
}

static void unroll_list(struct unroller *u, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL;) {
        struct pstmt *s = *at;
        if (s->kind == PS_FOR && may_unroll(u, s)) {
            *at = copies_of(u, s);
            add_serial_loops(u->l->uc, *at);
            u->x.mentions = count_mentions(u->l->uc, u->l->plan, u->l->plan->body);
            continue;
        }
        if (s->kind != PS_SPREAD) {
            unroll_list(u, &s->body);
            unroll_list(u, &s->other);
        }
        at = &s->next;
    }
}

void unroll_loops(struct lower *l) {
    struct plan *p = l->plan;
    struct unroller u = {.l = l, .x = {.uc = l->uc, .plan = p}};
    if (p->overload->decl->kind != DECL_GUFUNC || p->checked)
        return;
    add_serial_loops(l->uc, p->body->body);
    u.x.mentions = count_mentions(l->uc, p, p->body);
    unroll_list(&u, &p->body->body);
}
