/* expand.c: loops in an ordered one whose iterations go on with a variable, and store what is made
 * of its values to elements that another iteration of the outer loop goes on with, as a table of
 * sums:
 *
 *     for i in 0..n {
 *         var row = 0.0
 *         for j in 0..m { row += x[i, j]; t[i + 1, j + 1] = t[i, j + 1] + row }
 *     }
 *
 * In a version that has arrays each value is an element, of a loop of its own before the one that
 * stores, so that the outer loop may be taken apart: rows then have loops of their own, and columns
 * have.  (Scalar expansion: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001,
 * section 5.3.) */
#include "apart.h"

enum { MAX_EXPANDED = 2 };

struct expansion {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is something to expand */
    const int *mentions;
    const struct pstmt *outer;
};

/* ---- the two parts */

static bool is_set_in(const struct expansion *x, const struct pstmt *s, int id) {
    return find_written(x->l->uc, x->l->plan, s)[id];
}

static struct pstmt *copy_part(const struct expansion *x, const struct pstmt *s,
                               const struct pstmt *stop) {
    return copy_statements(x->l->uc, s, stop, NULL, NULL);
}

struct stored {
    const struct pstmt *loop;
    const struct plan *plan;
};

static enum walk find_stored(const struct pval *v, void *arg) {
    const struct stored *x = arg;
    bool stored = v->kind == PV_ELEM &&
                  (v->operand >= x->plan->noperands || is_put(x->loop->body, v->operand));
    return stored ? WALK_STOP : WALK_IN;
}

static enum walk find_marked(const struct pval *v, void *marked) {
    const bool *is = marked;
    return v->kind == PV_VAR && is[v->var->id] ? WALK_STOP : WALK_IN;
}

/* The first statement behind the assignments to variables that iterations go on with; NULL: there
 * are none, or what they are made of is not set or known before it. */
static struct pstmt *second_part(const struct expansion *x, const struct pstmt *loop) {
    const struct plan *p = x->l->plan;
    const int *inside = count_mentions(x->l->uc, p, loop->body);
    struct stored stored = {loop, p};
    struct pstmt *second = NULL;
    for (struct pstmt *s = loop->body; s != NULL; s = s->next) {
        bool straight = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF;
        if (!straight || s->merged ||
            !stmt_walk(s, &(struct plan_visitor){.stmt = find_jump}, NULL) || has_loop(s->body) ||
            has_loop(s->other))
            return NULL;
        if (s->kind == PS_SET && inside[s->var->id] < x->mentions[s->var->id])
            second = s->next;
    }
    if (second == NULL || !has_store(second))
        return NULL;
    struct pstmt *first = copy_part(x, loop->body, second);
    const int *needed = count_mentions(x->l->uc, p, first);
    const bool *later = find_written(x->l->uc, p, second);
    for (const struct pstmt *s = first; s != NULL; s = s->next)
        if (s->kind != PS_SET || !value_walk(s->value, find_stored, &stored))
            return NULL;
    for (int i = 0; i < p->nvars; i++)
        if (later[i] && needed[i] > 0)
            return NULL;
    return second;
}

/* Does what a variable is set to in the first part have one that iterations go on with?  Else it is
 * computed again where it is read. */
static bool is_running(const struct expansion *x, const int *inside, const struct pstmt *first,
                       const struct pvar *var) {
    const bool *set = find_written(x->l->uc, x->l->plan, first);
    bool *has = NEWN(x->l->uc, bool, x->l->plan->nvars + 1), changed = true;
    for (int i = 0; i < x->l->plan->nvars; i++)
        has[i] = inside[i] < x->mentions[i] && set[i];
    while (changed) {
        changed = false;
        for (const struct pstmt *s = first; s != NULL; s = s->next)
            if (!has[s->var->id] && !value_walk(s->value, find_marked, has))
                changed = has[s->var->id] = true;
    }
    return has[var->id];
}

/* The variables of the first part that the second one reads.  False: there are none, or none that
 * iterations go on with, or too many, or some of which there are no arrays. */
static bool find_expanded(const struct expansion *x, const struct pstmt *loop,
                          const struct pstmt *second, struct pvar *var[MAX_EXPANDED], int *n) {
    const struct plan *p = x->l->plan;
    const struct pstmt *first = copy_part(x, loop->body, second);
    const bool *set = find_written(x->l->uc, p, first);
    const int *inside = count_mentions(x->l->uc, p, loop->body),
              *read = count_mentions(x->l->uc, p, second);
    bool running = false;
    *n = 0;
    for (struct pvar *v = p->vars; v != NULL; v = v->next) {
        if (!set[v->id] || read[v->id] == 0)
            continue;
        if (*n == MAX_EXPANDED || v->dtype == DT_BOOL || is_half(v->rounds))
            return false;
        running = running || is_running(x, inside, first, v);
        var[(*n)++] = v;
    }
    return running && p->noperands + *n <= UFC_MAX_OPERANDS / 2;
}

/* ---- two loops */

/* Makes two loops of one. */
static void part_loop(struct expansion *x, struct pstmt *loop, struct pstmt *second,
                      struct pvar *const var[], int n) {
    struct lower *l = x->l;
    struct points points = {{x->outer, loop}, 2};
    const struct prange *ranges = ranges_of(l->uc, &points);
    struct pstmt *behind = NEW(l->uc, struct pstmt), **end = &loop->body;
    bool *own = NEWN(l->uc, bool, l->plan->nvars + 1);
    *behind = *loop;
    behind->body = copy_part(x, second, NULL);
    loop->body = copy_part(x, loop->body, second);
    loop->next = behind;
    while (*end != NULL)
        end = &(*end)->next;
    l->end = end;
    for (int i = 0; i < n; i++) {
        struct pval *element = array_element(l, add_array(l, x->o, ranges, var[i]->dtype), ranges),
                    *v = value_new(l, PV_VAR, var[i]->dtype);
        v->var = var[i];
        behind->body = copy_statements(l->uc, behind->body, NULL, var[i], element);
        emit_put(l, element, v, loop->at);
    }
    own[loop->var->id] = true;
    loop->next = NULL;
    behind->next = NULL;
    loop->next = with_own_variables(l, behind, own);
}

/* Whether a loop of the outer one's is such a one; makes two of it. */
static bool expand_loop(struct expansion *x, struct pstmt *loop) {
    struct sharer all = {.uc = x->l->uc, .plan = x->l->plan};
    const struct points own = {{x->outer}, 1};
    struct pvar *var[MAX_EXPANDED];
    int n;
    if (loop->kind != PS_FOR || loop->accs != NULL || !is_whole_dimension(loop) ||
        !is_rectangular(&all, &own, x->outer->body, loop) ||
        is_set_in(x, loop->body, loop->var->id))
        return false;
    struct pstmt *second = second_part(x, loop);
    if (second == NULL || !find_expanded(x, loop, second, var, &n))
        return false;
    if (x->o != NULL) {
        struct pstmt *behind = loop->next, **end = &loop->next;
        part_loop(x, loop, second, var, n);
        while (*end != NULL)
            end = &(*end)->next;
        *end = behind;
    }
    return true;
}

/* Does so with loops in ordered ones of the body.  Whether there are any. */
static bool expand_all(struct lower *l, struct overload *o) {
    struct sharer all = {.uc = l->uc, .plan = l->plan};
    struct expansion x = {.l = l, .o = o};
    bool any = false, changed = true;
    for (struct pstmt *s = l->plan->body->body; s != NULL; s = s->next) {
        if (s->kind != PS_FOR || s->accs != NULL || !is_whole_dimension(s) ||
            is_set_in(&x, s->body, s->var->id))
            continue;
        if (changed)
            all.mentions = x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
        changed = false;
        if (is_independent(&all, s))
            continue;
        x.outer = s;
        for (struct pstmt *in = s->body; in != NULL; in = in->next)
            changed = expand_loop(&x, in) || changed;
        any = any || changed;
    }
    return any;
}

bool has_expanded(struct lower *l) {
    return expand_all(l, NULL);
}

void expand_running(struct lower *l, struct overload *o) {
    expand_all(l, o);
}
