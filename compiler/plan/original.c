/* original.c: loops that change a copy of an input, and read of it what they have not changed yet:
 *
 *     b = b0
 *     for i in 0..m { for j in 0..n { for k in i + 1..m { b[i, j] += a[k, i] * b[k, j] } } }
 *
 * That is the input's, b0[k, j].  Where iterations are then independent, they read it there.
 * (Renaming, which takes anti-dependences away: Padua and Wolfe, Advanced Compiler Optimizations
 * for Supercomputers, 1986.) */
#include "apart.h"
#include "linear.h"

enum { MAX_AROUND = 6 };

int copied_input(const struct plan *p, const struct pstmt *s) {
    const struct pstmt *put = s->kind == PS_SPREAD && s->accs == NULL ? s->body : NULL;
    if (put == NULL || put->next != NULL || put->kind != PS_PUT || put->merged ||
        put->operand >= p->noperands || put->value->kind != PV_ELEM ||
        put->value->operand >= p->nin ||
        p->operands[put->value->operand].dtype != p->operands[put->operand].dtype ||
        put->place->checked != 0 || put->value->checked != 0)
        return -1;
    int i = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, i++) {
        const struct pval *at = i < put->place->nargs ? put->place->args[i] : NULL;
        const struct dim *to = at != NULL ? p->operands[put->operand].dims[i] : NULL;
        bool whole = to != NULL && i < put->value->nargs && at->kind == PV_VAR &&
                     at->var == r->var && same_value(at, put->value->args[i]) &&
                     r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST &&
                     r->step->i == 1;
        whole = whole && (to->size >= 0 ? r->hi->kind == PV_CONST && (int64_t)r->hi->i == to->size
                                        : r->hi->kind == PV_DIM && r->hi->operand == to->index);
        if (!whole)
            return -1;
    }
    return i == put->place->nargs && i == put->value->nargs ? put->value->operand : -1;
}

/* The loops around a place, the outermost first.  How many; more than MAX_AROUND: too many. */
static int loops_around(const struct candidate *c, int place, const struct pstmt **loop) {
    int n = 0;
    for (const struct loops *l = c->within[place]; l != NULL; l = l->outer)
        n++;
    int at = n;
    for (const struct loops *l = c->within[place]; l != NULL && n <= MAX_AROUND; l = l->outer)
        loop[--at] = l->loop;
    return n;
}

/* Whether all that is stored by place p is so after what is read by q. */
static bool is_read_first(const struct candidate *c, int p, int q) {
    const struct pstmt *of_p[MAX_AROUND], *of_q[MAX_AROUND];
    int np = loops_around(c, p, of_p), nq = loops_around(c, q, of_q), n = 0;
    struct at_most known[2 * MAX_AROUND + 1];
    if (np > MAX_AROUND || nq > MAX_AROUND)
        return false;
    for (int level = 0;; level++) {
        if (level == np || level == nq || of_p[level] != of_q[level])
            return p > q || never_meet(c, p, q, known, n);
        const struct pstmt *loop = of_p[level];
        int64_t step = loop->step->kind == PV_CONST ? (int64_t)loop->step->i : 0;
        if (step != 1 && step != -1)
            return false;
        known[n] = (struct at_most){loop->var, loop->var, step<0, step> 0, -1};
        if (!never_meet(c, p, q, known, n + 1))
            return false;
        known[n++].plus = 0;
        known[n++] = (struct at_most){loop->var, loop->var, 1, 0, 0};
    }
}

/* Whether all that a loop stores to an operand is stored after what it reads by place q. */
static bool is_original(const struct candidate *c, int q) {
    for (int p = 0; p < c->nplaces; p++)
        if (c->stored[p] && c->place[p]->operand == c->place[q]->operand && !is_read_first(c, p, q))
            return false;
    return true;
}

static enum walk find_store(const struct pstmt *s, void *operand) {
    bool stores = (s->kind == PS_PUT || s->kind == PS_CLEAR) && s->operand == *(int *)operand;
    return stores ? WALK_STOP : WALK_IN;
}

static enum walk find_while(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LOOP ? WALK_STOP : WALK_IN;
}

bool read_original(const struct candidate *c, int copy, int input) {
    bool original[MAX_PLACES] = {false}, any = false;
    for (int q = 0; q < c->nplaces; q++)
        original[q] = !c->stored[q] && c->place[q]->operand == copy && is_original(c, q);
    for (int q = 0; q < c->nplaces; q++)
        if (original[q]) {
            ((struct pval *)(void *)c->place[q])->operand = input;
            any = true;
        }
    return any;
}

/* A copy of a loop that reads `input` where `copy` still is it; NULL: that makes no difference. */
static struct pstmt *with_originals(const struct sharer *x, const struct pstmt *s, int copy,
                                    int input) {
    struct pstmt *loop = copy_statements(x->uc, s, s->next, NULL, NULL);
    if (find_candidate(x, loop) == NULL || is_independent(x, loop) ||
        !stmt_walk(s, &(struct plan_visitor){.stmt = find_while}, NULL))
        return NULL;
    loop = copy_statements(x->uc, s, s->next, NULL, NULL);
    bool any = read_original(find_candidate(x, loop), copy, input);
    struct pstmt *tried = copy_statements(x->uc, loop, NULL, NULL, NULL);
    return any && is_independent(x, tried) ? loop : NULL;
}

/* The first loop behind s, a statement of the body that copies an input to `copy`, before which
 * nothing else stores there; NULL: there is none. */
static struct pstmt **loop_of_copy(const struct pstmt *s, int copy) {
    struct pstmt **at = (struct pstmt **)(void *)&s->next;
    while (*at != NULL && (*at)->kind != PS_FOR &&
           stmt_walk(*at, &(struct plan_visitor){.stmt = find_store}, &copy))
        at = &(*at)->next;
    return *at != NULL && (*at)->kind == PS_FOR && (*at)->accs == NULL ? at : NULL;
}

void read_originals_in(const struct sharer *x, const struct pstmt *loop, struct pstmt *own) {
    for (const struct pstmt *s = x->plan->body->body; s != loop; s = s->next) {
        int input = copied_input(x->plan, s);
        struct pstmt **at = input < 0 ? NULL : loop_of_copy(s, s->body->operand);
        const struct candidate *c = at != NULL && *at == loop ? find_candidate(x, own) : NULL;
        if (c != NULL)
            read_original(c, s->body->operand, input);
    }
}

void read_originals(struct lower *l) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    add_serial_loops(l->uc, l->plan->body->body);
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body->body);
    for (const struct pstmt *s = l->plan->body->body; s != NULL; s = s->next) {
        int input = copied_input(l->plan, s);
        struct pstmt **at = input < 0 ? NULL : loop_of_copy(s, s->body->operand);
        struct pstmt *loop = at == NULL ? NULL : with_originals(&x, *at, s->body->operand, input);
        if (loop == NULL)
            continue;
        loop->next = (*at)->next;
        *at = loop;
    }
}
