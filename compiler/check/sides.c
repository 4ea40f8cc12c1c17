/* sides.c: definitions by prefixes from both sides.
 *
 * Of `y[i] = sum(u[k] for k in 0..i) + sum(v[k] for k in i..n) for i` the first sum grows by a term
 * from each i to the next, the other one from each i to the one before.  It becomes two
 * definitions, each of which is one pass:
 *
 *     t[i] = sum(v[k] for k in i..n) for i
 *     y[i] = sum(u[k] for k in 0..i) + t[i] for i */
#include "check.h"

enum { MAX_SIDES = 8 };

/* The comprehensions of a definition that grow, or shrink, with an index. */
struct sides {
    struct fn *f;
    const char *index;
    const struct node *up[MAX_SIDES], *down[MAX_SIDES];
    int nup, ndown; /* may be more than there is room for */
};

/* Sets *by to how much n grows as the index grows by 1.  False: it does not grow evenly. */
static bool grows(const struct node *n, const char *index, int *by) {
    int a, b;
    *by = n->kind == N_NAME && n->name == index;
    if (*by || !mentions(n, index))
        return true;
    if (n->kind != N_BINARY || (n->op != OP_ADD && n->op != OP_SUB) || !grows(n->a, index, &a) ||
        !grows(n->b, index, &b))
        return false;
    *by = n->op == OP_ADD ? a + b : a - b;
    return true;
}

static bool mentioned(const struct node *list, const char *name) {
    for (; list; list = list->next)
        if (mentions(list, name))
            return true;
    return false;
}

/* 1, -1: a comprehension has more, or fewer, terms where the index is greater, and they are the
 * same ones; 0: it is no prefix. */
static int direction(const struct node *call, const char *index) {
    int found = 0;
    if (mentioned(call->list, index) || mentioned(call->filter, index))
        return 0;
    for (const struct node *c = call->clauses; c; c = c->next) {
        int lo = 0, hi = 0;
        bool range = c->a && c->b && c->list->name != index;
        if (!range || (c->c && mentions(c->c, index)) || !grows(c->a, index, &lo) ||
            !grows(c->b, index, &hi))
            return 0;
        if (lo == 0 && hi == 0)
            continue;
        if (found != 0 || (lo != 0 && hi != 0) || lo + hi > 1 || lo + hi < -1)
            return 0;
        found = hi - lo;
    }
    return found;
}

/* Finds those that are computed at each point. */
static void find_calls(struct sides *x, const struct node *n) {
    if (!n)
        return;
    int way =
        n->kind == N_CALL && n->clauses && !decl_named(x->f, n->name) ? direction(n, x->index) : 0;
    if (way > 0 && x->nup++ < MAX_SIDES)
        x->up[x->nup - 1] = n;
    if (way < 0 && x->ndown++ < MAX_SIDES)
        x->down[x->ndown - 1] = n;
    if (n->kind == N_UNARY || n->kind == N_BINARY)
        find_calls(x, n->a);
    if (n->kind == N_BINARY && n->op != OP_LAND && n->op != OP_LOR)
        find_calls(x, n->b);
    if (n->kind == N_COND)
        find_calls(x, n->c);
    for (const struct node *arg = n->kind == N_CALL && !n->clauses ? n->list : NULL; arg;
         arg = arg->next)
        find_calls(x, arg);
}

/* Finds those along the first index that has both. */
static bool has_both(struct sides *x, const struct node *n) {
    for (const struct node *c = n->clauses; c; c = c->next) {
        *x = (struct sides){.f = x->f, .index = c->list->name};
        find_calls(x, n->b);
        if (x->nup > 0 && x->ndown > 0)
            return x->nup <= MAX_SIDES && x->ndown <= MAX_SIDES;
    }
    return false;
}

/* Whether each element of the target is written once, and none is read; and the types of the calls,
 * which are to be stored.  *changes: in this overload one would change by that.  *failed: there was
 * an error. */
static bool may_store(struct fn *f, const struct node *n, const struct node *const *calls,
                      int count, enum ufc_dtype *dtypes, bool *changes, bool *failed) {
    struct node *t = typed(f, N_DEFINE, n, (struct type){TYPE_NONE, DT_BOOL});
    struct binding *outside = f->names;
    int guards = f->guards, before = f->unit->failures;
    bool ok = open_clauses(f, n, t) && !find_undetermined(f, n, t);
    for (int i = 0; ok && i < count; i++) {
        struct node own = *calls[i];
        own.next = NULL;
        const struct node *v = check_expr(f, &own);
        bool stays = v && v->type.kind == TYPE_DTYPE && !is_half(v->type.dtype);
        ok = v != NULL;
        *changes = *changes || !stays; /* if it is stored: halves are rounded */
        dtypes[i] = stays ? v->type.dtype : DT_FLOAT32;
    }
    close_clauses(f, outside, guards);
    *failed = f->unit->failures > before;
    return ok && !*failed;
}

bool check_sides(struct fn *f, const struct node *n, struct node ***tail) {
    struct sides x = {.f = f};
    enum ufc_dtype dtypes[MAX_SIDES];
    struct node *by[MAX_SIDES];
    bool failed = false, changes = false;
    if (n->op != OP_COUNT || !has_intermediates(f) || f->nclauses > 0 || !has_both(&x, n) ||
        find_read(f, n->b, n->list, false) || find_read(f, n->filter, n->list, false))
        return false;
    bool down = x.ndown <= x.nup;
    const struct node **calls = down ? x.down : x.up;
    int count = down ? x.ndown : x.nup;
    if (!may_store(f, n, calls, count, dtypes, &changes, &failed))
        return failed;
    for (int i = 0; i < count; i++) {
        struct array *a = make_beside(f, n, calls[i]->name, dtypes[i]);
        if (!a)
            return true;
        if (changes)
            continue; /* overloads have the same intermediates */
        struct node define = *n, value = *calls[i];
        by[i] = NEW(f->uc, struct node);
        *by[i] = *n->list;
        by[i]->name = a->name;
        value.next = NULL;
        define.list = by[i];
        define.b = &value;
        check_define(f, &define, tail);
    }
    if (changes)
        return false;
    struct node rest = *n;
    rest.b = with_calls(f, n->b, calls, by, count);
    check_define(f, &rest, tail);
    return true;
}
