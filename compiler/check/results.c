/* results.c: results that are arrays, of gufuncs and of defs that return them.  Such a call
 * is a statement: what it gives are arrays that its caller makes, of which its body sets the
 * elements. */
#include "check.h"

static const struct type no_type = {TYPE_NONE, DT_BOOL};

struct array *value_array(const struct values *v, int i) {
    return v->arrays && i < v->count ? v->arrays[i] : NULL;
}

static void set_array(struct values *v, int i, struct array *a) {
    v->arrays[i] = a;
    v->types[i] = dtype_type(a->dtype);
}

/* ---- what a gufunc gives */

/* Sets the dimensions of a result, whose sizes are typed where the parameters are bound. */
static bool set_sizes(struct fn *g, const struct param *p, struct array *a) {
    for (const struct node *n = p->dims; n; n = n->next) {
        struct node *size = check_expr(g, n);
        size = size ? convert(g, size, DT_INT64) : NULL;
        if (!size || !(a->dims[a->rank++] = intermediate_dim(g, size, p->name)))
            return false;
    }
    return true;
}

/* A result without dimensions is a variable, which begins as zero. */
static struct local *declare_number(struct fn *g, const struct param *p, enum ufc_dtype dtype,
                                    struct node ***tail) {
    struct local *l = local_new(g, p->name, p->at, dtype_type(dtype));
    struct node *var = typed(g, N_VAR, g->decl->body, no_type);
    l->mutable = l->used = true;
    var->list = local_node(g, var, l);
    var->b = zero_node(g, var, dtype);
    append_statement(tail, var);
    return l;
}

bool declare_results(struct fn *g, const uint8_t *dtypes, struct node ***tail) {
    g->inst->outputs = NEWN(g->uc, struct local *, g->decl->noutputs);
    int i = 0;
    for (const struct param *p = g->decl->outputs; p; p = p->next, i++) {
        enum ufc_dtype dtype = (enum ufc_dtype)dtypes[i];
        if (p->rank == 0) {
            g->inst->outputs[i] = declare_number(g, p, dtype, tail);
            continue;
        }
        struct array *a = NEW(g->uc, struct array);
        *a = (struct array){.name = p->name, .at = p->at, .dtype = dtype, .kind = ARRAY_LOCAL};
        if (!set_sizes(g, p, a) || !make_intermediate(g, a))
            return false;
        g->inst->outputs[i] = local_new(g, p->name, p->at, dtype_type(dtype));
        g->inst->outputs[i]->array = a;
    }
    return true;
}

void return_numbers(struct fn *g, struct node ***tail) {
    struct node *t = typed(g, N_RETURN, g->decl->body, no_type), **end = &t->list;
    for (int i = 0; i < g->decl->noutputs; i++)
        append_statement(&end, local_node(g, t, g->inst->outputs[i]));
    append_statement(tail, t);
}

/* ---- what a def returns */

struct local *whole_array_named(const struct fn *f, const struct node *n) {
    struct local *l = n->kind == N_NAME ? local_named(f, n->name) : NULL;
    return l && l->array && l->array->rank > 0 ? l : NULL;
}

/* A definition for one value of `return a[i], b[i] for i`: its subscripts are the indices. */
static struct node definition_of_value(struct fn *f, const struct node *n, const struct node *v) {
    struct node let = *n, *value = NEW(f->uc, struct node), **end;
    *value = *v;
    value->next = NULL;
    let.kind = N_LET;
    let.next = NULL;
    let.b = value;
    let.list = node_new(f->uc, N_INDEX, n->at);
    let.list->name = f->decl->name;
    end = &let.list->list;
    for (const struct node *c = n->clauses; c; c = c->next, end = &(*end)->next) {
        *end = node_new(f->uc, N_NAME, c->list->at);
        (*end)->name = c->list->name;
    }
    return let;
}

struct values returned_values(struct fn *f, const struct node *n, struct node ***tail) {
    bool plain = !n->clauses;
    for (const struct node *v = n->list; v; v = v->next)
        plain = plain && !whole_array_named(f, v);
    if (plain)
        return check_values(f, n->list, 1, tail);
    struct values v = values_new(f, count_nodes(n->list));
    int i = 0;
    for (const struct node *e = n->list; e; e = e->next, i++) {
        struct local *l = n->clauses ? NULL : whole_array_named(f, e);
        struct node let = n->clauses ? definition_of_value(f, n, e) : *e;
        struct array *a = l ? l->array : n->clauses ? define_array(f, &let, tail) : NULL;
        if (l)
            l->used = true;
        if (a)
            set_array(&v, i, a);
        else if (!n->clauses)
            set_value(&v, i, check_expr(f, e));
    }
    return v;
}

bool returns_arrays(const struct fn *f) {
    bool any = false;
    for (const struct returned *r = f->returns; r; r = r->next)
        for (int i = 0; i < r->values.count; i++)
            any = any || value_array(&r->values, i);
    return any;
}

bool take_return(struct fn *f) {
    struct node **end = &f->inst->body->list;
    while (*end && (*end)->next)
        end = &(*end)->next;
    if (f->returns->next || *end != f->returns->statement) {
        fail(f, f->returns->statement->at,
             "'%s' returns arrays, so it has one 'return', which is its last statement",
             f->decl->name);
        return false;
    }
    *end = NULL; /* the caller takes the values */
    return true;
}

/* ---- calls */

bool gives_arrays(const struct fn *g) {
    for (const struct param *p = g->decl->kind == DECL_GUFUNC ? g->decl->outputs : NULL; p;
         p = p->next)
        if (p->rank > 0)
            return true;
    return g->decl->kind == DECL_DEF && returns_arrays(g);
}

struct values array_results(struct fn *f, const struct node *n, const struct fn *g) {
    if (g->decl->kind == DECL_DEF)
        return g->returns->values;
    struct values v = values_new(f, g->decl->noutputs);
    for (int i = 0; i < v.count; i++) {
        struct local *l = g->inst->outputs[i];
        if (l->array)
            set_array(&v, i, l->array);
        else
            set_value(&v, i, local_node(f, n, l));
    }
    return v;
}

void bind_array_value(struct fn *f, const struct node *n, const struct node *name,
                      struct array *a) {
    bool ok = n->kind == N_LET && !n->decltype_;
    if (n->decltype_)
        fail(f, n->decltype_->at, "'%s' has the type of the array that the call gives", name->name);
    else if (!ok)
        fail(f, name->at, "'%s' is an array that a call gives; bind it by 'let'", name->name);
    struct local *l = declare(f, name, ok ? dtype_type(a->dtype) : no_type);
    if (!ok)
        return;
    l->array = a;
    if (a->kind == ARRAY_LOCAL)
        a->kind = ARRAY_LET;
    name_intermediate(f, a, l->name);
}

/* A size in terms of the caller's dimensions, where it is made of these. */
static const char *text_of_dim(struct fn *f, const struct dim *dim) {
    return dim->expr ? size_text(f->uc, nonzero_size(dim->expr)) : dim->name;
}

void assign_array(struct fn *f, const struct node *n, const struct node *target, struct array *a,
                  struct node ***tail) {
    struct local *l = whole_array_named(f, target);
    const struct array *to = l ? l->array : NULL;
    bool ok = to && to->rank == a->rank;
    if (!to)
        fail(f, target->at, "'%s' gives an array here; bind it by 'let %s = ...'",
             short_text(f, n->b->at), target->name ? target->name : "a");
    else if (!ok)
        fail(f, target->at, "'%s' has %d dimension%s, its value has %d", to->name, to->rank,
             to->rank == 1 ? "" : "s", a->rank);
    for (int i = 0; ok && i < a->rank; i++)
        if (!same_dim(to->dims[i], a->dims[i])) {
            fail(f, target->at, "a dimension of '%s' is '%s', of its value '%s'", to->name,
                 text_of_dim(f, to->dims[i]), text_of_dim(f, a->dims[i]));
            ok = false;
        }
    if (ok && may_write(f, target, l))
        fill_array(f, n, l->array, a, tail);
}

bool check_copy(struct fn *f, const struct node *n, struct node ***tail) {
    struct local *from = whole_array_named(f, n->b), *to = whole_array_named(f, n->list);
    bool slice = is_slice(n->b);
    if (n->op != OP_COUNT || n->list->next || n->b->next || !to || (!from && !slice))
        return false;
    struct array *a = slice ? check_slice(f, n->b, false) : from->array;
    if (!a)
        return true;
    if (array_of(a) == array_of(to->array)) {
        fail(f, n->b->at, "'%s' is set to a part of itself; make that an array first, by 'let'",
             to->name);
        return true;
    }
    if (from)
        from->used = true;
    append_list(tail, lets_of(a));
    if (check_written_before(f, n->b, a))
        assign_array(f, n, n->list, a, tail);
    return true;
}
