/* drain.c: loops in an ordered one that go on with elements which it has nothing else to do with,
 * by numbers that it finds, as those of an attention whose weights are made as it runs:
 *
 *     for j in 0..n {
 *         let top = max(m, s[j]); let old = exp(m - top); let p = exp(s[j] - top)
 *         for c in 0..d { o[c] = o[c] * old + p * v[j, c] }
 *         m = top
 *     }
 *
 * In a version of the body that has arrays, these have the numbers, and a loop of its own behind
 * the first one goes on with the elements, each of which has a loop of its own then
 * (interchange.c). (Loop distribution with scalar expansion, as in distribute.c and expand.c: what
 * no other statement of the loop depends on comes last.) */
#include "apart.h"

enum { MAX_DRAINED = 4 }; /* numbers that a loop has of the first one */

struct drain {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is such a loop */
    struct sharer x;
    struct points points; /* the loops in any order around the ordered one, and it */
    const struct pstmt *loop;
    const int *elements; /* how often its list has those of each operand */
};

/* The loop with one of its statements alone. */
static struct pstmt *loop_with(const struct drain *d, const struct pstmt *s) {
    struct pstmt *own = NEW(d->x.uc, struct pstmt);
    *own = *d->loop;
    own->next = own->shared = NULL;
    own->body = copy_statements(d->x.uc, s, s->next, NULL, NULL);
    return own;
}

/* The rest of the loop's list. */
static struct pstmt *rest_without(const struct drain *d, const struct pstmt *s) {
    struct pstmt *rest = copy_statements(d->x.uc, d->loop->body, s, NULL, NULL), **end = &rest;
    while (*end != NULL)
        end = &(*end)->next;
    *end = copy_statements(d->x.uc, s->next, NULL, NULL, NULL);
    return rest;
}

/* Has a statement elements that the rest has not, of all that it stores to, and reads it none that
 * the rest stores? */
static bool has_own_elements(const struct drain *d, const struct pstmt *inner,
                             const struct pstmt *rest) {
    const struct plan *p = d->l->plan;
    const struct pstmt *body = inner->body;
    const int *own = count_elements(d->x.uc, p, inner);
    for (int k = 0; k < p->noperands; k++) {
        bool stored = is_put(body, k);
        if ((stored && own[k] != d->elements[k]) || (own[k] > 0 && is_put(rest, k)))
            return false;
    }
    return true;
}

/* The variables that a statement has of the rest, of which some go on from iteration to iteration.
 * False: the rest has variables of it, or there are none, or too many, or some of which there are
 * no arrays. */
static bool find_numbers(const struct drain *d, const struct pstmt *inner, const struct pstmt *rest,
                         struct pvar *var[MAX_DRAINED], int *n) {
    const struct plan *p = d->l->plan;
    const bool *set = find_written(d->x.uc, p, rest), *sets = find_written(d->x.uc, p, inner);
    const int *mentions = count_mentions(d->x.uc, p, inner),
              *others = count_mentions(d->x.uc, p, rest);
    bool carries = false;
    *n = 0;
    for (struct pvar *v = p->vars; v != NULL; v = v->next) {
        if (sets[v->id] && mentions[v->id] != d->x.mentions[v->id])
            return false;
        carries =
            carries || (set[v->id] && others[v->id] + mentions[v->id] != d->x.mentions[v->id]);
        if (!set[v->id] || mentions[v->id] == 0)
            continue;
        if (*n == MAX_DRAINED || v->dtype == DT_BOOL || is_half(v->rounds))
            return false;
        var[(*n)++] = v;
    }
    return carries && *n > 0 && p->noperands + *n <= UFC_MAX_OPERANDS / 2;
}

/* Whether a statement of the loop's list is a loop that may come behind, where each element has a
 * loop of its own. */
static bool is_drained(const struct drain *d, const struct pstmt *inner,
                       struct pvar *var[MAX_DRAINED], int *n) {
    struct lower *l = d->l;
    const struct points own = {{d->loop}, 1};
    if (inner->kind != PS_FOR || inner->accs != NULL || !has_store(inner->body) ||
        !is_rectangular(&d->x, &own, d->loop->body, inner))
        return false;
    const struct pstmt *alone = copy_statements(d->x.uc, inner, inner->next, NULL, NULL),
                       *rest = rest_without(d, inner);
    if (!has_own_elements(d, alone, rest) || !find_numbers(d, alone, rest, var, n))
        return false;
    struct pvar **vars = variables_end(l);
    int nvars = l->plan->nvars;
    bool apart = interchange(l, loop_with(d, inner)) != NULL;
    *vars = NULL; /* what it made is not needed */
    l->vars_end = vars;
    l->plan->nvars = nvars;
    return apart;
}

/* Has the statement at *at be one of a loop behind, with the numbers in arrays. */
static struct pstmt *move_behind(struct drain *d, struct pstmt **at,
                                 struct pvar *const var[MAX_DRAINED], int n) {
    struct lower *l = d->l;
    struct pstmt *inner = *at, *behind = loop_with(d, inner), *next = inner->next;
    const struct prange *ranges = ranges_of(d->x.uc, &d->points);
    bool *own = NEWN(d->x.uc, bool, l->plan->nvars + 1);
    l->end = at;
    for (int i = 0; i < n; i++) {
        struct pval *element = array_element(l, add_array(l, d->o, ranges, var[i]->dtype), ranges);
        behind->body = copy_statements(d->x.uc, behind->body, NULL, var[i], element);
        emit_put(l, element, plan_read(d->x.uc, var[i]), inner->at);
    }
    *l->end = next;
    own[d->loop->var->id] = true;
    return with_own_variables(l, behind, own);
}

/* Whether the ordered loop has such loops; they are behind it then, if there may be arrays. */
static bool drain_loop(struct drain *d, struct pstmt *loop) {
    struct pvar *var[MAX_DRAINED];
    int n;
    if (!is_whole_dimension(loop) ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_jump}, NULL))
        return false;
    d->loop = loop;
    for (struct pstmt **at = &loop->body; *at != NULL; at = &(*at)->next) {
        d->elements = count_elements(d->x.uc, d->l->plan, loop->body);
        if (!is_drained(d, *at, var, &n))
            continue;
        if (d->o == NULL)
            return true;
        struct pstmt *behind = move_behind(d, at, var, n);
        behind->next = loop->next;
        loop->next = behind;
        d->x.mentions = count_mentions(d->x.uc, d->l->plan, d->l->plan->body);
        return true;
    }
    return false;
}

/* Does so with the ordered loops of a list, and of its loops whose iterations may have any order.
 */
static bool drain_list(struct drain *d, struct pstmt *list) {
    bool any = false;
    for (struct pstmt *s = list; s != NULL && !(any && d->o == NULL); s = s->next) {
        const struct enclosing *around = d->x.around, own = {s, around};
        if (s->kind != PS_FOR || s->accs != NULL || d->points.n == UFC_MAX_POINT_RANGES ||
            !is_rectangular(&d->x, &d->points, list, s))
            continue;
        bool points = is_independent(&d->x, s);
        d->points.loop[d->points.n++] = s;
        d->x.around = &own;
        if (points && is_whole_dimension(s))
            any = drain_list(d, s->body) || any;
        d->x.around = around;
        if (!points)
            any = drain_loop(d, s) || any;
        d->points.n--;
    }
    return any;
}

static bool drain_body(struct lower *l, struct overload *o) {
    struct drain d = {.l = l, .o = o, .x = {.uc = l->uc, .plan = l->plan}};
    d.x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    return drain_list(&d, l->plan->body->body);
}

bool has_drained(struct lower *l) {
    return drain_body(l, NULL);
}

void drain_loops(struct lower *l, struct overload *o) {
    drain_body(l, o);
}
