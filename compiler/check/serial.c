/* serial.c: -Wserial: loops over elements of arrays, which a gufunc's threads can share only where
 * the plan finds independent iterations; and the unordered form, where that is plain. */
#include "check.h"

static enum walk find_name(const struct node *n, void *name) {
    bool named = n->kind == N_NAME || n->kind == N_INDEX || n->kind == N_CALL;
    return named && n->name == *(const char **)name ? WALK_STOP : WALK_IN;
}

/* Whether a list mentions the name. */
static bool has_name(const struct node *list, const char *name) {
    return !ast_walk(list, find_name, &name);
}

static enum walk find_spread(const struct node *n, void *none) {
    (void)none;
    return n->clauses ? WALK_STOP : WALK_IN;
}

/* Whether a list has a comprehension or a definition: its points are shared among threads. */
static bool has_spread(const struct node *list) {
    return !ast_walk(list, find_spread, NULL);
}

/* Whether n depends on the size of a dimension that the call gives. */
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

/* Whether `x += sum(v for ...)` stores what `x += v` does.  A sum of unsigned numbers is a uint64,
 * which would make a float64 of a signed x. */
static bool adds_alike(struct fn *f, const struct local *x, const struct node *value) {
    struct node *v = check_expr(f, value);
    return v && !(v->type.kind == TYPE_DTYPE && dtype_info[v->type.dtype].kind == 'u' &&
                  is_integer(x->type.dtype) && is_signed(x->type.dtype));
}

/* The unordered form of the loop's body, if this is a single statement on one line; NULL: there is
 * none.  outer: the loop's index is in scope. */
static const char *without_order(struct fn *f, const struct node *n, bool outer) {
    const struct node *s = n->then->list, *last = n->c ? n->c : n->b ? n->b : n->a;
    if (!s || s->next || s->kind != N_ASSIGN || s->list->next || s->b->next)
        return NULL;
    const struct node *target = s->list;
    const struct local *l = local_named(f, target->name);
    const char *value = text_of(f->uc, s->b->at.begin, s->b->at.end);
    const char *loop = text_of(f->uc, n->list->at.begin, last->at.end);
    const char *reduction = s->op == OP_ADD ? "sum" : s->op == OP_MUL ? "prod" : NULL;
    if (!l || has_name(s->b, target->name) || strchr(value, '\n') || strchr(loop, '\n'))
        return NULL;
    if (target->kind == N_NAME && reduction)
        return outer && adds_alike(f, l, s->b) &&
                       !decl_named(f, intern(f->uc, reduction, strlen(reduction)))
                   ? arena_printf(f->uc, "%s %s= %s(%s for %s)", target->name,
                                  op_info[s->op].spelling, reduction, value, loop)
                   : NULL;
    bool merges = s->op == OP_ADD || s->op == OP_SUB || s->op == OP_MUL || s->op == OP_AND ||
                  s->op == OP_OR || s->op == OP_XOR;
    if (target->kind == N_INDEX && (s->op == OP_COUNT || merges) && l->array &&
        l->array->kind == ARRAY_OUTPUT && has_name(target->list, n->list->name))
        return arena_printf(f->uc, "%s %s= %s for %s",
                            text_of(f->uc, target->at.begin, target->at.end),
                            merges ? op_info[s->op].spelling : "", value, loop);
    return NULL;
}

struct inner {
    struct fn *f;
    const struct node *loop;
    const char *instead;
};

static enum walk find_inner(const struct node *n, void *arg) {
    struct inner *i = arg;
    i->loop = n;
    i->instead = n->kind == N_FOR ? without_order(i->f, n, false) : NULL;
    return i->instead ? WALK_STOP : WALK_IN;
}

/* What would spread the loop's work over threads. */
static void find_remedy(struct fn *f, const struct node *n, struct serial *serial) {
    const char *instead = without_order(f, n, true);
    struct inner inner = {.f = f};
    serial->note_at = serial->at;
    if (instead) {
        serial->note =
            arena_printf(f->uc, "without an order it is spread over threads; write '%s'", instead);
    } else if (!ast_walk(n->then, find_inner, &inner)) {
        serial->note_at = inner.loop->list->at;
        serial->note = arena_printf(
            f->uc, "the loop over '%s' in it needs no order, and threads can share it; write '%s'",
            inner.loop->list->name, inner.instead);
    } else {
        serial->note = "threads can share comprehensions and definitions, 'y[k] = ... for k', in "
                       "it; else only many calls keep a GPU busy";
    }
}

struct serial *serial_of(struct fn *f, const struct node *n) {
    const struct overload *o = f->unit->overload;
    bool here = o && o->decl->kind == DECL_GUFUNC && !f->blame && f->nloops == 0;
    if (!f->uc->warning_on[W_SERIAL] || !here || has_spread(n->then) ||
        !(has_dimension(f, n->a) || has_dimension(f, n->b) || has_dimension(f, n->c)))
        return NULL;
    struct serial *serial = NEW(f->uc, struct serial);
    serial->at = n->list->at;
    serial->name = n->list->name;
    find_remedy(f, n, serial);
    return serial;
}
