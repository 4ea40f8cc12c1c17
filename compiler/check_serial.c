/* check_serial.c: -Wserial: loops in order, over elements of arrays, that a gufunc's threads cannot
 * share; and what to write instead, where that is plain. */
#include "check.h"

/* Is the name in n? */
static bool has_name(const struct node *n, const char *name) {
    for (; n; n = n->next) {
        if ((n->kind == N_NAME || n->kind == N_INDEX || n->kind == N_CALL) && n->name == name)
            return true;
        const struct node *parts[] = {n->a, n->b, n->c, n->list, n->clauses, n->filter};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            if (has_name(parts[i], name))
                return true;
    }
    return false;
}

/* Is there a comprehension or a definition, whose points are shared? */
static bool has_spread(const struct node *n) {
    for (; n; n = n->next) {
        if (n->clauses)
            return true;
        const struct node *parts[] = {n->a, n->b, n->c, n->list, n->then, n->other};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            if (has_spread(parts[i]))
                return true;
    }
    return false;
}

/* Does n depend on the size of a dimension that the call gives? */
static bool has_dimension(const struct fn *f, const struct node *n) {
    for (; n; n = n->next) {
        const struct local *l = n->kind == N_NAME ? local_named(f, n->name) : NULL;
        if (l && ((l->dim && l->dim->size < 0) || (l->array && l->array->rank > 0)))
            return true;
        if (has_dimension(f, n->a) || has_dimension(f, n->b) || has_dimension(f, n->list))
            return true;
    }
    return false;
}

static const char *text_of(struct uc *uc, uint32_t begin, uint32_t end) {
    return arena_printf(uc, "%.*s", (int)(end - begin), uc->src.text + begin);
}

/* What the body, if it is one statement alone, is without an order; NULL: no such thing. */
static const char *without_order(struct fn *f, const struct node *n) {
    const struct node *s = n->then->list, *last = n->c ? n->c : n->b ? n->b : n->a;
    if (!s || s->next || s->kind != N_ASSIGN || s->list->next || s->b->next)
        return NULL;
    const struct node *target = s->list;
    const struct local *l = local_named(f, target->name);
    const char *value = text_of(f->uc, s->b->at.begin, s->b->at.end);
    const char *loop = text_of(f->uc, n->list->at.begin, last->at.end);
    bool sum = s->op == OP_ADD, reduces = sum || s->op == OP_MUL;
    if (!l || has_name(s->b, target->name))
        return NULL;
    if (target->kind == N_NAME && reduces)
        return arena_printf(f->uc, "%s %s %s(%s for %s)", target->name,
                            sum ? "+=" : "*=", sum ? "sum" : "prod", value, loop);
    if (target->kind == N_INDEX && s->op == OP_COUNT && l->array &&
        l->array->kind == ARRAY_OUTPUT && has_name(target->list, n->list->name))
        return arena_printf(f->uc, "%s = %s for %s",
                            text_of(f->uc, target->at.begin, target->at.end), value, loop);
    return NULL;
}

void warn_serial(struct fn *f, const struct node *n) {
    const struct overload *o = f->unit->overload;
    bool here = o && o->decl->kind == DECL_GUFUNC && !f->blame && f->nloops == 0;
    if (!here || has_spread(n->then) ||
        !(has_dimension(f, n->a) || has_dimension(f, n->b) || has_dimension(f, n->c)))
        return;
    warn(f->uc, W_SERIAL, n->list->at, "this loop runs in order, in one thread a call");
    const char *instead = without_order(f, n);
    if (instead)
        note(f->uc, n->list->at, "without an order it is spread over threads; write '%s'", instead);
}
