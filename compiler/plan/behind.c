/* behind.c: ordered loops that store where the bins that they update say, as a counting sort does:
 *
 *     for i in 0..n { y[c[k[i]]] = x[i]; c[k[i]] += 1 }
 *
 * In a version of the body that has arrays, one has these places, and a loop of its own, behind the
 * first one, stores there.  (Loop distribution, as in distribute.c.) */
#include "apart.h"

struct behind {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is such a statement */
    const struct pstmt *loop;
    const bool *written; /* by number: what it sets */
};

static bool is_stored(const struct behind *b, const struct pval *v) {
    return v->kind == PV_ELEM &&
           (v->operand >= b->l->plan->noperands || is_put(b->loop, v->operand));
}

/* Stops at what has another value behind the loop. */
static enum walk find_changed(const struct pval *v, void *behind) {
    const struct behind *b = behind;
    bool sets = v->kind == PV_VAR && v->var != b->loop->var && b->written[v->var->id];
    return sets || is_stored(b, v) ? WALK_STOP : WALK_IN;
}

/* Stops at an element that the loop stores, or a variable that it makes of some. */
static enum walk find_bin(const struct pval *v, void *behind) {
    struct behind *b = behind;
    if (is_stored(b, v))
        return WALK_STOP;
    for (const struct pstmt *s = b->loop->body; v->kind == PV_VAR && s != NULL; s = s->next)
        if (s->kind == PS_SET && s->var == v->var && !value_walk(s->value, find_changed, b))
            return WALK_STOP;
    return WALK_IN;
}

struct counting {
    int operand, n;
};

static enum walk count_accesses(const struct pval *v, void *counting) {
    struct counting *c = counting;
    c->n += v->kind == PV_ELEM && v->operand == c->operand;
    return WALK_IN;
}

/* Does a statement store where a bin says, to an operand that the loop has nothing else to do with?
 */
static bool is_scattered(struct behind *b, const struct pstmt *s) {
    struct counting c = {.operand = s->operand};
    bool any = false;
    if (s->kind != PS_PUT || s->operand >= b->l->plan->noperands)
        return false;
    for (int i = 0; i < s->place->nargs; i++)
        any = any || !value_walk(s->place->args[i], find_bin, b);
    plan_walk(b->loop->body, &(struct plan_visitor){.value = count_accesses}, &c);
    return any && c.n == 1;
}

/* The value of s behind the loop, which an array has if it would be another one there. */
static struct pval *keep(struct behind *b, struct pval *v, const struct pstmt *s) {
    if (value_walk(v, find_changed, b))
        return v;
    struct points points = {.loop = {b->loop}, .n = 1};
    const struct prange *ranges = ranges_of(b->l->uc, &points);
    struct pval *element = array_element(b->l, add_array(b->l, b->o, ranges, v->dtype), ranges);
    emit_put(b->l, element, v, s->at);
    *b->l->end = s->next; /* which may change the next value */
    return element;
}

/* Has the statement at *at be one of the list that ends at *end. */
static void move_behind(struct behind *b, struct pstmt **at, struct pstmt ***end) {
    struct pstmt *s = *at, *put = NEW(b->l->uc, struct pstmt);
    struct pval *place = NEW(b->l->uc, struct pval);
    *put = *s;
    *place = *s->place;
    b->l->end = at;
    for (int i = 0; i < place->nargs; i++)
        place->args[i] = keep(b, place->args[i], s);
    put->place = place;
    put->value = keep(b, s->value, s);
    *b->l->end = s->next;
    put->next = NULL;
    **end = put;
    *end = &put->next;
}

enum walk find_leave(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE ? WALK_STOP : WALK_IN;
}

/* Whether a loop has such statements; they are in a loop behind it then, if there may be arrays. */
static bool split_loop(struct lower *l, struct overload *o, struct pstmt *loop) {
    struct behind b = {.l = l, .o = o, .loop = loop};
    struct pstmt *list = NULL, **end = &list;
    if (loop->kind != PS_FOR || loop->accs != NULL || !is_whole_dimension(loop) ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_leave}, NULL))
        return false; /* it may end before */
    b.written = find_written(l->uc, l->plan, loop->body);
    for (struct pstmt **at = &loop->body; *at != NULL;) {
        bool is =
            l->plan->noperands < UFC_MAX_OPERANDS / 2 - MAX_CORE_RANK && is_scattered(&b, *at);
        if (is && o == NULL)
            return true;
        if (is)
            move_behind(&b, at, &end);
        else
            at = &(*at)->next;
    }
    if (list == NULL)
        return false;
    struct pstmt *behind = NEW(l->uc, struct pstmt);
    *behind = *loop;
    behind->body = list;
    loop->next = behind;
    return true;
}

bool has_scattered(struct lower *l) {
    struct pstmt *s = l->plan->body->body;
    while (s != NULL && !split_loop(l, NULL, s))
        s = s->next;
    return s != NULL;
}

void store_behind(struct lower *l, struct overload *o) {
    for (struct pstmt *s = l->plan->body->body; s != NULL; s = s->next)
        split_loop(l, o, s);
}
