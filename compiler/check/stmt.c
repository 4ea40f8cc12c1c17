/* stmt.c: statements and bodies. */
#include "check.h"

static const struct type no_type = {TYPE_NONE, DT_BOOL};

static struct node *check_block(struct fn *f, const struct node *n);
static void check_statement(struct fn *f, const struct node *n, struct node ***tail);

static bool leaves(const struct node *n);

void append_statement(struct node ***tail, struct node *n) {
    n->leaves = leaves(n);
    **tail = n;
    *tail = &n->next;
}

void append_list(struct node ***tail, struct node *list) {
    for (struct node *next; list; list = next) {
        next = list->next;
        list->next = NULL;
        append_statement(tail, list);
    }
}

/* ---- what is never reached */

static bool any_leaves(const struct node *list) {
    while (list && !list->leaves)
        list = list->next;
    return list != NULL;
}

static enum walk find_break(const struct node *n, void *none) {
    (void)none;
    return n->kind == N_BREAK                      ? WALK_STOP
           : n->kind == N_IF || n->kind == N_BLOCK ? WALK_IN
                                                   : WALK_PAST;
}

static enum walk find_return(const struct node *n, void *none) {
    (void)none;
    return n->kind == N_RETURN ? WALK_STOP : n->kind < N_LET ? WALK_PAST : WALK_IN;
}

static bool has_return(const struct node *body) {
    return !ast_walk(body, find_return, NULL);
}

static enum walk find_jump(const struct node *n, void *none) {
    return n->kind == N_BREAK || n->kind == N_CONTINUE ? WALK_STOP : find_return(n, none);
}

static bool has_jump(const struct node *body) {
    return !ast_walk(body, find_jump, NULL);
}

static bool is_endless(const struct node *n) {
    return n->c && n->c->kind == N_CONST && n->c->value.i && ast_walk(n->then, find_break, NULL);
}

static bool leaves(const struct node *n) {
    switch (n->kind) {
    case N_RETURN:
    case N_BREAK:
    case N_CONTINUE: return true;
    case N_BLOCK: return any_leaves(n->list);
    case N_IF: return n->other && n->then->leaves && n->other->leaves;
    case N_WHILE: return is_endless(n);
    default: return false;
    }
}

/* ---- control flow */

static void check_if(struct fn *f, const struct node *n, struct node ***tail) {
    struct node *t = typed(f, N_IF, n, no_type);
    t->c = check_condition(f, n->c);
    bool is_false = is_always(t->c, false), is_true = is_always(t->c, true);
    f->guards++;
    f->unreached += is_false;
    t->then = check_block(f, n->then);
    f->unreached += is_true - is_false;
    struct node **other = &t->other;
    if (n->other && n->other->kind == N_IF)
        check_statement(f, n->other, &other);
    else if (n->other)
        t->other = check_block(f, n->other);
    f->unreached -= is_true;
    f->guards--;
    append_statement(tail, t);
}

static struct node *check_loop_body(struct fn *f, const struct node *n) {
    f->nloops++;
    struct node *body = check_block(f, n);
    f->nloops--;
    return body;
}

static void check_while(struct fn *f, const struct node *n, struct node ***tail) {
    struct node *t = typed(f, N_WHILE, n, no_type);
    t->c = check_condition(f, n->c);
    f->guards++;
    t->then = check_loop_body(f, n->then);
    f->guards--;
    if (is_endless(t) && !has_return(t->then))
        fail(f, n->mark, "this loop never ends; it has no 'break' and no 'return'");
    append_statement(tail, t);
}

/* A uint64 clamped to the range of an int64. */
static struct node *clamp_to_int64(struct fn *f, struct node *n) {
    struct constant most = {.type = dtype_type(DT_UINT64), .i = INT64_MAX};
    if (n->type.kind != TYPE_DTYPE || n->type.dtype != DT_UINT64)
        return n;
    struct node *least = typed(f, N_CALL, n, n->type);
    least->builtin = &builtins[B_MIN];
    least->list = n;
    n->next = constant_node(f, n, most);
    return least;
}

struct node *check_bound(struct fn *f, const struct node *n, const char *what) {
    struct node *t = check_expr(f, n);
    if (!t)
        return NULL;
    if (t->type.kind == TYPE_WEAK_INT || (t->type.kind == TYPE_DTYPE && is_integer(t->type.dtype)))
        return convert(f, clamp_to_int64(f, t), DT_INT64);
    bool converts =
        t->type.kind == TYPE_WEAK_FLOAT || (t->type.kind == TYPE_DTYPE && is_float(t->type.dtype));
    fail(f, t->at, "%s is of whole numbers, this is %s%s", what, type_name(t->type),
         is_whole_quotient(f, t) ? "; their quotient is '//'"
         : converts              ? "; write 'int64(...)', which cuts off, or 'int64(floor(...))'"
                                 : "");
    return NULL;
}

void check_index_name(struct fn *f, const struct node *name) {
    const struct local *l = local_named(f, name->name);
    const struct decl *d = decl_named(f, name->name);
    if (!l && (!d || d->kind != DECL_CONST))
        return;
    bool index = l && l->is_index;
    fail(f, name->at, "'%s' is already %s; give the index another name", name->name,
         !l       ? "a const"
         : l->dim ? "a dimension"
         : index  ? "an index, of the 'for' around this one"
                  : "a name");
    note(f->uc, l ? l->at : d->at, "'%s' is declared here", name->name);
}

/* `for v in x`: the loop's body begins with `let v = x[index]`. */
static void check_for_elements(struct fn *f, const struct node *n, struct node *t) {
    struct node *let = open_elements(f, n->list, n->a, false, t);
    f->guards += has_jump(n->then);
    t->then = check_loop_body(f, n->then);
    if (!let)
        return;
    let->next = t->then->list;
    t->then->list = let;
}

static void check_for_range(struct fn *f, const struct node *n, struct node *t) {
    t->a = check_bound(f, n->a, "a range");
    t->b = check_bound(f, n->b, "a range");
    t->c = n->c ? check_bound(f, n->c, "a step") : NULL;
    if (t->c && t->c->kind == N_CONST && t->c->value.i == 0)
        fail(f, n->c->at, "a step of 0");
    check_index_name(f, n->list);
    struct local *index =
        local_new(f, n->list->name, n->list->at, (struct type){TYPE_WEAK_INT, DT_BOOL});
    index->is_index = true;
    set_reach(f, index, has_jump(n->then) ? NULL : t);
    t->list = local_node(f, n->list, index);
    t->then = check_loop_body(f, n->then);
}

static void check_for(struct fn *f, const struct node *n, struct node ***tail) {
    struct node *t = typed(f, N_FOR, n, no_type);
    struct binding *outside = f->names;
    int before = f->unit->failures, guards = f->guards;
    f->level++;
    (n->b ? check_for_range : check_for_elements)(f, n, t);
    if (f->unit->failures == before)
        t->order = serial_of(f, n);
    f->level--;
    forget(f, outside);
    f->guards = guards;
    append_statement(tail, t);
}

static void check_jump(struct fn *f, const struct node *n, struct node ***tail) {
    if (f->nloops == 0)
        fail(f, n->at, "'%s' is not in a loop", node_word[n->kind]);
    append_statement(tail, typed(f, n->kind, n, no_type));
}

/* ---- return */

/* Keeps a def's or ufunc's returns in f->returns; a def's determine its results' types at its
 * end. */
static void check_return(struct fn *f, const struct node *n, struct node ***tail) {
    struct node *t = typed(f, N_RETURN, n, no_type);
    if (f->decl->kind == DECL_GUFUNC && !n->list) { /* it ends the call */
        if (f->caller && !gives_arrays(f))
            return_numbers(f, tail);
        else
            append_statement(tail, t);
        return;
    }
    if (f->decl->kind == DECL_GUFUNC) {
        fail(f, n->at, "a gufunc returns nothing; write '%s'",
             definition_of(f, f->decl->outputs->name, f->decl->outputs->rank));
        return;
    }
    if (!n->list) {
        fail(f, n->at, "'return' without a value");
        return;
    }
    if (n->clauses && f->decl->kind == DECL_UFUNC) {
        fail(f, n->clauses->at,
             "a ufunc returns numbers; a def that a gufunc calls returns arrays");
        return;
    }
    struct values v = returned_values(f, n, tail);
    struct returned *r = NEW(f->uc, struct returned);
    *r = (struct returned){t, v, f->returns};
    if (f->decl->kind == DECL_UFUNC)
        has_count(f, n, &v, f->inst->nresults, "result");
    else if (f->returns)
        has_count(f, n, &v, f->returns->values.count, "result");
    f->returns = r;
    append_statement(tail, t);
}

/* ---- blocks and bodies */

static void warn_unused(struct fn *f, const struct local *l) {
    bool may = l->is_param || l->is_index || l->name[0] == '_' || f->blame ||
               f->file != f->uc->files; /* an imported file gets no warnings */
    if (!l->used && !may && f->uc->nerrors == f->uc->npromoted)
        warn(f->uc, W_UNUSED, l->at, "'%s' is never used", l->name);
}

/* Ends the scope of the names declared since `outside`.  Warns of unused ones in the order of the
 * source. */
static void close_scope(struct fn *f, struct binding *outside) {
    struct binding *first = NULL, *last = f->names;
    forget(f, outside);
    for (struct binding *b = last, *next; b != outside; b = next) {
        next = b->outer;
        b->outer = first;
        first = b;
    }
    for (; first; first = first->outer)
        warn_unused(f, first->local);
}

/* Only builds with checks test it, but it is typed in all. */
static void check_assert(struct fn *f, const struct node *n, struct node ***tail) {
    struct node *t = typed(f, N_ASSERT, n, no_type);
    t->c = check_condition(f, n->c);
    t->name = n->name;
    append_statement(tail, t);
}

static void check_statement(struct fn *f, const struct node *n, struct node ***tail) {
    switch (n->kind) {
    case N_LET:
    case N_VAR: check_binding(f, n, tail); break;
    case N_ASSIGN: check_assignment(f, n, tail); break;
    case N_IF: check_if(f, n, tail); break;
    case N_WHILE: check_while(f, n, tail); break;
    case N_FOR: check_for(f, n, tail); break;
    case N_DEFINE: check_define(f, n, tail); break;
    case N_BREAK:
    case N_CONTINUE: check_jump(f, n, tail); break;
    case N_RETURN: check_return(f, n, tail); break;
    case N_ASSERT: check_assert(f, n, tail); break;
    default: append_statement(tail, check_block(f, n)); break;
    }
}

/* The statements of a block, in the scope that is open already. */
static struct node *check_list(struct fn *f, const struct node *n) {
    struct node *t = typed(f, N_BLOCK, n, no_type), **tail = &t->list;
    struct binding *outside = f->names;
    if (++f->unit->nesting > MAX_NESTING && !f->unit->too_large) {
        f->unit->too_large = true;
        fail(f, n->mark, "nested too deeply, with the functions called");
    }
    for (const struct node *s = n->list; s && !f->unit->too_large; s = s->next)
        check_statement(f, s, &tail);
    f->unit->nesting--;
    close_scope(f, outside);
    return t;
}

static struct node *check_block(struct fn *f, const struct node *n) {
    f->level++;
    struct node *t = check_list(f, n);
    f->level--;
    t->leaves = leaves(t);
    return t;
}

/* Sets the types of a def's results: those that all its returns promote to.  The constant of a
 * single return stays a constant. */
static bool find_results(struct fn *f) {
    int n = f->returns->values.count;
    f->inst->nresults = n;
    f->inst->results = NEWN(f->uc, enum ufc_dtype, n);
    f->inst->types = NEWN(f->uc, struct type, n);
    f->inst->folded = NEWN(f->uc, struct constant, n);
    for (int i = 0; i < n; i++) {
        struct type t = f->returns->values.types[i];
        for (const struct returned *r = f->returns; r; r = r->next) {
            if (r->values.types[i].kind == TYPE_NONE)
                return false;
            t = promote(t, r->values.types[i]);
        }
        f->inst->types[i] = t;
        f->inst->results[i] = strong_dtype(t);
        if (!f->returns->next)
            f->inst->folded[i] = f->returns->values.folded[i];
    }
    return true;
}

/* A constant in type d; where it does not fit, zero: the caller takes the constant itself. */
static struct node *folded_node(struct fn *f, const struct node *from, const struct constant *c,
                                enum ufc_dtype d) {
    bool whole = c->type.kind == TYPE_WEAK_INT;
    if (whole && is_integer(d) && !fits(c->i, d))
        return zero_node(f, from, d);
    return convert(f, constant_node(f, from, *c), d);
}

/* Adds the values of a return, in the results' types. */
static bool finish_return(struct fn *f, const struct returned *r) {
    bool ok = true;
    struct node **tail = &r->statement->list;
    for (int i = 0; i < r->values.count; i++) {
        enum ufc_dtype d = f->inst->results[i];
        struct node *value = NULL;
        const char *what =
            f->inst->nresults == 1 ? "the result" : arena_printf(f->uc, "result %d", i + 1);
        if (f->decl->kind == DECL_UFUNC)
            value = stored_value(f, &r->values, i, d, what, &ok);
        else if (!r->values.call && f->inst->folded[i].type.kind != TYPE_NONE)
            value = folded_node(f, r->statement, &f->inst->folded[i], d);
        else if (!r->values.call)
            ok &= (value = convert(f, r->values.nodes[i], d)) != NULL;
        if (value)
            append_statement(&tail, value);
    }
    if (r->values.call)
        r->statement->list = r->values.call;
    return ok;
}

bool check_body(struct fn *f) {
    int before = f->unit->failures;
    const struct decl *d = f->decl;
    f->inst->body = check_list(f, d->body);
    if (f->unit->failures > before || f->unit->too_large)
        return false;
    if (d->kind == DECL_GUFUNC) {
        bool written = check_written(f);
        if (written && !f->caller)
            check_unset(f);
        return written;
    }
    if (!any_leaves(f->inst->body->list)) {
        fail(f, d->at, "'%s' can end without a 'return'", d->name);
        return false;
    }
    for (const struct returned *r = f->returns; r; r = r->next)
        if (r->values.count == 0 || r->values.count != f->returns->values.count)
            return false;
    if (returns_arrays(f))
        return take_return(f);
    if (d->kind != DECL_UFUNC && !find_results(f))
        return false;
    bool ok = true;
    for (const struct returned *r = f->returns; r; r = r->next)
        ok = finish_return(f, r) && ok;
    return ok;
}
