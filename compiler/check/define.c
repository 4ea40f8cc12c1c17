/* define.c: definitions: `y[i] = v for i`, which sets elements of an output in no order. */
#include "check.h"

bool same_tree(const struct node *a, const struct node *b) {
    for (; a && b; a = a->next, b = b->next) {
        if (a->kind != b->kind || a->name != b->name || a->op != b->op ||
            a->value.i != b->value.i || a->value.f != b->value.f)
            return false;
        if (!same_tree(a->a, b->a) || !same_tree(a->b, b->b) || !same_tree(a->c, b->c) ||
            !same_tree(a->list, b->list) || !same_tree(a->clauses, b->clauses) ||
            !same_tree(a->filter, b->filter))
            return false;
    }
    return !a && !b;
}

struct read {
    const struct fn *f;
    const struct node *target, *found;
    bool elsewhere;
};

static enum walk stop_at_read(const struct node *n, void *arg) {
    struct read *r = arg;
    bool named = n->kind == N_INDEX || n->kind == N_NAME;
    const struct local *l = named ? local_named(r->f, n->name) : NULL;
    struct array *target = local_named(r->f, r->target->name)->array;
    if (!l || !l->array || !target || array_of(l->array) != array_of(target) ||
        (r->elsewhere && n->kind == N_INDEX && same_tree(n->list, r->target->list)))
        return WALK_IN;
    r->found = n;
    return WALK_STOP;
}

const struct node *find_read(const struct fn *f, const struct node *list, const struct node *target,
                             bool elsewhere) {
    struct read read = {.f = f, .target = target, .elsewhere = elsewhere};
    ast_walk(list, stop_at_read, &read);
    return read.found;
}

static enum walk find_mention(const struct node *n, void *name) {
    return n->kind == N_NAME && n->name == *(const char **)name ? WALK_STOP : WALK_IN;
}

bool mentions(const struct node *n, const char *name) {
    return !node_walk(n, find_mention, &name);
}

static bool mentions_any(const struct node *list, const char *name) {
    return !ast_walk(list, find_mention, &name);
}

/* Refuses a definition that reads its target at `read`.  ranges: what is known of the subscripts,
 * or NULL. */
static bool refuse_read(struct fn *f, const struct node *n, const struct node *read,
                        const char *ranges) {
    fail(f, read->at,
         "a definition has no order; it may read '%s' only where it writes it, or where no "
         "iteration does",
         n->list->name);
    if (ranges)
        note(f->uc, read->at, "%s", ranges);
    note(f->uc, n->at, "in order it is a statement: %s", in_order(f, n));
    return false;
}

/* A definition's subscripts and ranges may not read its target.  False after an error. */
static bool check_places(struct fn *f, const struct node *n) {
    const struct node *target = n->list, *read = find_read(f, target->list, target, false);
    for (const struct node *c = n->clauses; c && !read; c = c->next) {
        const struct node *bounds[] = {c->a, c->b, c->c};
        for (int i = 0; i < 3 && !read; i++)
            read = find_read(f, bounds[i], target, false);
    }
    return !read || refuse_read(f, n, read, NULL);
}

struct conflict {
    struct fn *f;
    struct read read;
    const struct node *typed; /* the definition */
    const char *ranges;
};

static enum walk stop_at_conflict(const struct node *n, void *arg) {
    struct conflict *c = arg;
    if (stop_at_read(n, &c->read) == WALK_IN ||
        (n->kind == N_INDEX && is_read_apart(c->f, c->typed, n, &c->ranges)))
        return WALK_IN;
    return WALK_STOP;
}

/* The value and the filter may read the target at the element that is written, and at elements that
 * no iteration writes.  t: n typed.  False after an error. */
static bool check_reads(struct fn *f, const struct node *n, const struct node *t) {
    struct conflict c = {f, {.f = f, .target = n->list, .elsewhere = true}, t, NULL};
    bool ok = ast_walk(n->b, stop_at_conflict, &c) && ast_walk(n->filter, stop_at_conflict, &c);
    return ok || refuse_read(f, n, c.read.found, c.ranges);
}

static bool check_definition(struct fn *f, const struct node *n) {
    const struct node *target = n->list;
    const struct local *l = local_named(f, target->name);
    if (!l) {
        unknown_name(f, target, false);
        return false;
    }
    if (l->array && l->array->kind == ARRAY_INPUT && !f->caller) {
        fail(f, target->at, "'%s' cannot be assigned to: it is an input", l->name);
        note(f->uc, l->at, "'%s' is declared here", l->name);
        return false;
    }
    if (l->array && l->array->kind == ARRAY_LET && !l->is_param) {
        fail(f, target->at, "'%s' cannot be assigned to: it is a 'let'; declare it as a 'var'",
             l->name);
        note(f->uc, l->at, "'%s' is declared here", l->name);
        return false;
    }
    bool own = l->array && l->array->kind == ARRAY_LOCAL && l->array->of_call && !l->is_param;
    if (!own && (!l->array || l->array->kind != ARRAY_OUTPUT || f->caller)) {
        if (l->array && f->caller && l->is_param)
            fail(f, target->at,
                 "'%s' cannot be assigned to: a def cannot write arrays; return the values",
                 l->name);
        else
            fail(f, target->at, "a definition is of an output; write '%s'", in_order(f, n));
        return false;
    }
    bool combines = n->op != OP_COUNT || combines_target(f, n);
    for (const struct node *c = n->clauses; c && !combines; c = c->next)
        if (!mentions_any(target->list, c->list->name)) {
            fail(f, c->at,
                 "'%s' does not subscript '%s', whose elements would be written more than "
                 "once",
                 c->list->name, target->name);
            if (!f->caller && mentions_any(n->b, c->list->name))
                note(f->uc, n->at, "if their sum is meant, write '%s'", summed(f, n));
            return false;
        }
    return check_places(f, n);
}

void check_define(struct fn *f, const struct node *n, struct node ***tail) {
    const struct node *source = n;
    n = n->list->kind == N_INDEX ? with_extreme(f, n) : n;
    struct node *t = typed(f, N_DEFINE, n, (struct type){TYPE_NONE, DT_BOOL});
    struct binding *outside = f->names;
    int guards = f->guards;
    if (n->list->kind != N_INDEX || !check_definition(f, n) || check_gather(f, n, tail) ||
        check_sides(f, n, tail))
        return;
    struct array *a = local_named(f, n->list->name)->array;
    bool ok = open_clauses(f, n, t), written = a->written;
    bool combines =
        n->op != OP_COUNT || (ok && combines_target(f, n) && find_undetermined(f, n, t) != NULL);
    if (combines) {
        struct node instead;
        enum accumulation how = ok ? check_accumulate(f, n, t, tail, &instead) : ACCUMULATED;
        close_clauses(f, outside, guards);
        if (how == AS_DEFINITION)
            check_define(f, &instead, tail);
        else if (how == AS_EXACT)
            check_exact(f, n, tail);
        else if (how == AS_LOOPS)
            reserve_exact(f, source); /* of which other overloads may be others */
        return;
    }
    t->list = check_element_target(f, n->list);
    const struct node *elsewhere = find_read(f, n->b, n->list, true);
    a->written = written || elsewhere; /* the value is computed before the element is written */
    struct node *v = t->b = check_expr(f, n->b);
    a->written = written;
    if (ok && t->list && v)
        ok = check_reads(f, n, t) && (!elsewhere || check_written_before(f, elsewhere, a));
    ok = ok && check_order(f, n, t);
    a->written = true;
    if (ok && t->list && v)
        t->b = stored(f, v, t->list->type.dtype, arena_printf(f->uc, "'%s'", n->list->name));
    close_clauses(f, outside, guards);
    if (ok && t->list && t->b)
        append_statement(tail, t);
}

/* ---- definitions without their `for` */

static bool has_clause(const struct node *clauses, const char *name) {
    while (clauses && clauses->list->name != name)
        clauses = clauses->next;
    return clauses != NULL;
}

/* Clauses for the names in the target's subscripts that stand for nothing else. */
static struct node *missing_clauses(struct fn *f, const struct node *target) {
    struct node *first = NULL, **tail = &first;
    for (const struct node *s = target->list; s; s = s->next) {
        if (s->kind != N_NAME || has_meaning(f, s->name) || has_clause(first, s->name))
            continue;
        struct node *clause = *tail = node_new(f->uc, N_CLAUSE, s->at), *name;
        name = clause->list = node_new(f->uc, N_NAME, s->at);
        clause->mark = name->mark = s->at;
        name->name = s->name;
        tail = &clause->next;
    }
    return first;
}

bool check_undefined(struct fn *f, const struct node *n, struct node ***tail) {
    const struct node *target = n->list;
    const struct local *l = target->kind == N_INDEX ? local_named(f, target->name) : NULL;
    if (n->op != OP_COUNT || target->next || n->b->next || !l || !l->array ||
        l->array->kind != ARRAY_OUTPUT || f->caller || find_read(f, n->b, target, true))
        return false;
    struct node define = *n;
    define.kind = N_DEFINE;
    define.clauses = missing_clauses(f, target);
    if (!define.clauses)
        return false;
    const char *names = "";
    for (const struct node *c = define.clauses; c; c = c->next)
        names = arena_printf(f->uc, "%s%s%s", names, *names ? ", " : "", c->list->name);
    check_define(f, &define, tail);
    fail(f, define.clauses->at, "unknown name '%s'", define.clauses->list->name);
    note(f->uc, n->at, "over a whole dimension, write '%s for %s'", short_text(f, n->at), names);
    return true;
}
