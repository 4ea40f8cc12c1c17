/* join.c: reduce(f, init, values for …): several values at once, joined by a def. */
#include "check.h"

/* The values of an argument, typed; NULL after an error. */
static struct node **check_parts(struct fn *f, const struct node *arg, int width) {
    struct node **parts = NEWN(f->uc, struct node *, width);
    const struct node *part = arg->kind == N_TUPLE ? arg->list : arg;
    bool ok = true;
    for (int i = 0; i < width; i++, part = part->next)
        ok = (parts[i] = check_expr(f, part)) != NULL && ok;
    return ok ? parts : NULL;
}

static int width_of(const struct node *arg) {
    return arg->kind == N_TUPLE ? count_nodes(arg->list) : 1;
}

/* What to write for a built-in function of two values, behind a message; "": it is none. */
static const char *def_of_builtin(struct fn *f, const struct node *n) {
    if (n->kind != N_NAME || local_named(f, n->name))
        return "";
    const struct builtin *b = builtin_named(n->name);
    const struct decl *d = b ? NULL : prelude_named(f->uc, n->name);
    bool joins = (b && b->nargs == 2 && b->nresults == 1) || (d && d->nparams == 2);
    return joins
               ? arena_printf(f->uc, "; write 'def join(a, b) = %s(a, b)', and 'reduce(join, ...)'",
                              n->name)
               : "";
}

/* The def that joins two groups of values, of which init and the values have `width`; NULL after an
 * error. */
static struct decl *check_joining(struct fn *f, const struct node *n, int width) {
    const struct node *name = n->list, *init = name->next, *value = init->next;
    struct decl *d = name->kind == N_NAME ? decl_named(f, name->name) : NULL;
    bool joins = d && d->kind != DECL_CONST && d->kind != DECL_GUFUNC;
    if (width_of(init) != width_of(value))
        fail(f, init->at, "'reduce' begins with %d value%s, and joins %d; it is as many of both",
             width_of(init), width_of(init) == 1 ? "" : "s", width_of(value));
    else if (joins && d->nparams == 2 * width)
        return d;
    else if (joins && width == 1 && d->nparams > 2 && d->nparams % 2 == 0)
        fail(f, name->at,
             "'%s' joins %d values with %d; write 'reduce(%s, (a, b), (c, d) for ...)'", d->name,
             d->nparams / 2, d->nparams / 2, d->name);
    else if (width == 1)
        fail(f, name->at, "'reduce' takes a def of two parameters first%s",
             d ? "" : def_of_builtin(f, name));
    else
        fail(f, name->at, "'reduce' of %d values takes a def of %d parameters first", width,
             2 * width);
    return NULL;
}

static bool is_same_type(struct type a, struct type b) {
    return a.kind == b.kind && (a.kind != TYPE_DTYPE || a.dtype == b.dtype);
}

/* Whether a result of d is of the type that it joins; reports where not. */
static bool joins_type(struct fn *f, const struct node *name, const struct values *v, int i,
                       struct type t) {
    enum ufc_dtype dtype = strong_dtype(t);
    if (v->types[i].kind == TYPE_NONE || strong_dtype(v->types[i]) == dtype)
        return v->types[i].kind != TYPE_NONE;
    if (v->count == 1)
        fail(f, name->at, "'%s' gives %s of two %s; 'reduce' needs one value of the same type",
             name->name, type_name(v->types[i]), dtype_info[dtype].name);
    else
        fail(f, name->at,
             "'%s' gives %s as result %d, which joins two %s; 'reduce' needs the same "
             "type",
             name->name, type_name(v->types[i]), i + 1, dtype_info[dtype].name);
    return false;
}

/* The result i of the call as a value of type t. */
static struct node *joined_value(struct fn *f, const struct node *n, const struct values *v, int i,
                                 struct node ***locals, struct type t) {
    struct node *value = v->nodes[i];
    if (v->call) {
        struct local *l = local_hidden(f, n->at, v->types[i]);
        append_statement(locals, local_node(f, n, l));
        l->folded = v->folded[i].type.kind != TYPE_NONE;
        l->value = v->folded[i];
        value = l->folded ? constant_node(f, n, l->value) : local_node(f, n, l);
    }
    return convert(f, value, strong_dtype(t));
}

/* Sets c->acc, c->other and what combines them by d.  types: of each value; one that is weak
 * becomes what d makes of it. */
static bool set_joining(struct fn *f, const struct node *n, struct comprehension *c, struct decl *d,
                        struct type *types) {
    struct values v;
    struct node call = *n;
    call.name = n->list->name;
    call.mark = n->list->mark;
    for (bool settled = false; !settled;) {
        struct node **args = NEWN(f->uc, struct node *, 2 * c->width);
        declare_pairs(f, c, n, types);
        for (int i = 0; i < c->width; i++) {
            args[i] = local_node(f, n, c->acc[i]);
            args[c->width + i] = local_node(f, n, c->other[i]);
        }
        v = call_results(f, &call, d, args, NULL);
        if (v.count == 0)
            return false;
        if (v.count != c->width) {
            fail(f, n->list->at, "'%s' gives %d value%s of %d; 'reduce' needs %d", d->name, v.count,
                 v.count == 1 ? "" : "s", 2 * c->width, c->width);
            return false;
        }
        settled = true;
        for (int i = 0; i < c->width; i++) {
            struct type t = types[i].kind == TYPE_DTYPE || v.types[i].kind == TYPE_NONE
                                ? types[i]
                                : promote(types[i], v.types[i]);
            settled = settled && is_same_type(t, types[i]);
            types[i] = t;
        }
    }
    struct node *locals = NULL, **end = &locals, **combined = NEWN(f->uc, struct node *, c->width);
    bool ok = true;
    for (int i = 0; i < c->width; i++) {
        ok = joins_type(f, n->list, &v, i, types[i]) && ok;
        combined[i] = ok ? joined_value(f, n, &v, i, &end, types[i]) : NULL;
    }
    if (v.call) {
        c->call = typed(f, N_LET, n, (struct type){TYPE_NONE, DT_BOOL});
        c->call->list = locals;
        c->call->b = v.call;
    }
    return ok && (c->combined = linked(combined, c->width)) != NULL;
}

static struct node *converted(struct fn *f, struct node **values, int n, const struct type *types) {
    for (int i = 0; i < n; i++)
        values[i] = convert(f, values[i], strong_dtype(types[i]));
    return linked(values, n);
}

struct node *check_joined(struct fn *f, const struct node *n, struct node *t,
                          struct comprehension *c) {
    if (!has_values(f, n, 3))
        return NULL;
    const struct node *first = n->list->next;
    c->width = width_of(first);
    struct decl *d = check_joining(f, n, c->width);
    if (!d)
        return NULL;
    d->used = true;
    struct node **init = check_parts(f, first, c->width);
    struct node **values = check_parts(f, first->next, c->width);
    struct type *types = NEWN(f->uc, struct type, c->width);
    for (int i = 0; init && values && i < c->width; i++)
        types[i] = promote(init[i]->type, values[i]->type);
    if (!init || !values || !set_joining(f, n, c, d, types))
        return NULL;
    c->init = converted(f, init, c->width, types);
    c->value = converted(f, values, c->width, types);
    if (c->width == 1)
        t->type = dtype_type(strong_dtype(types[0]));
    return c->init && c->value ? t : NULL;
}
