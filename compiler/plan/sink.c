/* sink.c: loops in which numbers come before a further loop, as what does not depend on the index
 * of that one:
 *
 *     for i in 0..n { let a = x[i] / s[i]; for j in 0..m { y[i, j] = a * z[j] } }
 *
 * Threads share the iterations of the outer loop alone, which may be few, and neighbouring threads
 * have elements that are a row apart.  Where an iteration of the inner loop computes these numbers
 * itself, both loops are ranges of a definition.  That is another version of the body, since to
 * compute them again takes time. */
#include "apart.h"

enum {
    SUNK_SIZE = 64,  /* nodes of what is computed again, at most, */
    SUNK_CALLS = 4,  /* of which so many are functions */
    SUNK_SHORT = 16, /* iterations of a loop that are too few for threads of their own */
};

struct sinking {
    struct lower *l;
    struct sharer x;
    bool asks, any;
};

/* What the numbers before a loop are made of. */
struct numbers {
    const struct plan *plan;
    const bool *stored; /* by operand: the outer loop stores to it */
    int calls;
};

static enum walk find_stored(const struct pval *v, void *arg) {
    struct numbers *n = arg;
    n->calls += v->kind == PV_CALL;
    return v->kind == PV_ELEM && n->stored[v->operand] ? WALK_STOP : WALK_IN;
}

static enum walk note_stored(const struct pstmt *s, void *arg) {
    bool *stored = arg;
    if (s->kind == PS_PUT || s->kind == PS_CLEAR)
        stored[s->operand] = true;
    return WALK_IN;
}

/* Iterations, SUNK_SHORT at most, of a loop with those right in it. */
static int64_t iterations(const struct pstmt *loop) {
    const struct pstmt *s = loop->body;
    if (loop->lo->kind != PV_CONST || loop->hi->kind != PV_CONST)
        return SUNK_SHORT;
    int64_t n = (int64_t)loop->hi->i - (int64_t)loop->lo->i;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    n *= n > 0 && n < SUNK_SHORT && s != NULL && s->kind == PS_FOR ? iterations(s) : 1;
    return n < SUNK_SHORT ? n : SUNK_SHORT;
}

/* The last statement of a loop's body, a further loop or a definition with nothing but numbers
 * before it, which may be computed in it; NULL: it is no such body. */
static struct pstmt *inner_loop(const struct sinking *s, const struct pstmt *loop) {
    const struct plan *p = s->l->plan;
    bool *stored = NEWN(s->l->uc, bool, p->noperands + p->nlocals);
    struct numbers n = {p, stored, 0};
    plan_walk(loop->body, &(struct plan_visitor){.stmt = note_stored}, stored);
    int size = 0;
    struct pstmt *last = loop->body;
    for (; last != NULL && last->kind == PS_SET && size <= SUNK_SIZE; last = last->next) {
        size += value_size(last->value);
        if (!value_walk(last->value, find_stored, &n) || !sets_once(loop->body, last->var))
            return NULL;
    }
    bool numbers = last != loop->body && last != NULL && last->next == NULL && last->accs == NULL &&
                   size <= SUNK_SIZE && n.calls <= SUNK_CALLS;
    if (!numbers)
        return NULL;
    bool defines = last->kind == PS_SPREAD && !last->merged && !last->ordered;
    const struct pstmt *inner = defines ? last->serial : last;
    return inner->kind == PS_FOR && iterations(inner) == SUNK_SHORT ? last : NULL;
}

static enum walk find_number(const struct pval *v, void *arg) {
    const bool *set = arg;
    return v->kind == PV_VAR && set[v->var->id] ? WALK_STOP : WALK_IN;
}

/* The variables that are set before the inner loop. */
static bool *numbers_before(const struct sinking *s, const struct pstmt *loop,
                            const struct pstmt *inner) {
    bool *set = NEWN(s->l->uc, bool, s->l->plan->nvars);
    for (const struct pstmt *n = loop->body; n != inner; n = n->next)
        set[n->var->id] = true;
    return set;
}

/* Do the bounds of a loop depend on none of these? */
static bool has_own_bounds(const struct pstmt *loop, const bool *set) {
    struct pstmt bounds = *loop;
    bounds.body = bounds.next = bounds.serial = NULL;
    return stmt_values(&bounds, find_number, (void *)(uintptr_t)set);
}

/* Puts the numbers into the innermost of the loops that have but one another. */
static void sink(const struct sinking *s, struct pstmt *loop, struct pstmt *inner) {
    const bool *set = numbers_before(s, loop, inner);
    struct pstmt *numbers = loop->body, *last = numbers, *into = inner;
    while (last->next != inner)
        last = last->next;
    while (into->kind == PS_FOR && into->body != NULL && into->body->next == NULL &&
           (into->body->kind == PS_FOR || into->body->kind == PS_SPREAD) &&
           into->body->accs == NULL && !into->body->ordered && !into->body->merged &&
           has_own_bounds(into->body, set))
        into = into->body;
    last->next = into->body;
    into->body = numbers;
    loop->body = inner;
    add_serial_loops(s->l->uc, inner);
}

static void sink_list(struct sinking *s, struct pstmt *list) {
    const struct enclosing *around = s->x.around;
    for (; list != NULL; list = list->next) {
        struct enclosing own = {list, around};
        if (list->kind == PS_SPREAD)
            continue;
        struct pstmt *inner =
            list->kind == PS_FOR && list->accs == NULL ? inner_loop(s, list) : NULL;
        if (inner != NULL && has_own_bounds(inner, numbers_before(s, list, inner)) &&
            are_others_apart(&s->x, list, find_written(s->l->uc, s->l->plan, list->body))) {
            s->any = true;
            if (!s->asks)
                sink(s, list, inner);
        }
        if (list->kind == PS_FOR && !find_written(s->l->uc, s->l->plan, list->body)[list->var->id])
            s->x.around = &own;
        sink_list(s, list->body);
        sink_list(s, list->other);
        s->x.around = around;
    }
}

static bool sink_all(struct lower *l, bool asks) {
    struct sinking s = {.l = l, .asks = asks};
    s.x = (struct sharer){.uc = l->uc, .plan = l->plan};
    s.x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    sink_list(&s, l->plan->body->body);
    return s.any;
}

bool has_numbers_before(struct lower *l) {
    return sink_all(l, true);
}

void sink_numbers(struct lower *l) {
    sink_all(l, false);
}
