/* intermediate.c: arrays that a gufunc's body makes: `let s[j] = v for j`, and
 * `var w: float32[n]`.  They are operands that nobody passes: the runtime gives a call memory for
 * them. */
#include "check.h"

static const struct type no_type = {TYPE_NONE, DT_BOOL};

/* ---- sizes */

static bool is_size_operation(const struct node *n) {
    switch (n->kind) {
    case N_CAST: return has_size_type(n); /* others may wrap */
    case N_UNARY: return n->op == OP_NEG || n->op == OP_POS;
    case N_BINARY: return n->op >= OP_ADD && n->op <= OP_MOD && n->op != OP_DIV;
    case N_CALL: return n->builtin && (n->builtin->id == B_MIN || n->builtin->id == B_MAX);
    default: return false;
    }
}

struct node *size_in_dims(struct fn *f, const struct node *n) {
    if (n->kind == N_LOCAL && n->local->dim && n->local->dim->length)
        return size_in_dims(f, n->local->dim->length);
    if (n->kind == N_LOCAL && !n->local->dim)
        return n->local->folded  ? constant_node(f, n, n->local->value)
               : n->local->bound ? size_in_dims(f, n->local->bound)
                                 : NULL;
    struct node *copy = NEW(f->uc, struct node), **tail = &copy->list;
    *copy = *n;
    copy->next = copy->list = NULL;
    if (n->kind == N_CONST || n->kind == N_LOCAL)
        return copy;
    bool ok = is_size_operation(n) && (!n->a || (copy->a = size_in_dims(f, n->a))) &&
              (!n->b || (copy->b = size_in_dims(f, n->b)));
    for (const struct node *arg = n->list; ok && arg; arg = arg->next) {
        ok = (*tail = size_in_dims(f, arg)) != NULL;
        if (ok)
            tail = &(*tail)->next;
    }
    return ok ? copy : NULL;
}

static bool is_of_output(const struct decl *d, const struct dim *dim) {
    for (const struct param *p = d->outputs; p; p = p->next)
        for (int i = 0; i < p->rank; i++)
            if (p->core[i] == dim)
                return true;
    return false;
}

struct dim *intermediate_dim(struct fn *f, const struct node *n, const char *name) {
    struct decl *d = f->unit->overload->decl;
    struct node *size = size_in_dims(f, nonzero_size(n));
    if (size) {
        int before = d->ndims;
        struct dim *dim = size_dim(f->uc, d, size);
        if (d->ndims > before && dim->expr)
            dim->name = size_text(f->uc, size);
        if (dim->expr && !is_of_output(d, dim) && !never_below_0(size))
            dim->length = size; /* below 0 there are no elements, as of a slice */
        return dim;
    }
    fail(f, n->at,
         "the size of '%s' must be known before the call: it is made of core dimensions, numbers, "
         "+ - * // %%, min and max",
         name);
    return NULL;
}

/* ---- where there are such arrays */

bool has_intermediates(const struct fn *f) {
    return f->unit->overload && f->unit->overload->decl->kind == DECL_GUFUNC;
}

static bool may_make(struct fn *f, struct span at) {
    if (!has_intermediates(f)) {
        fail(f, at, "an array is made in the body of a gufunc, or of a def that one calls");
        return false;
    }
    if (f->nclauses == 0)
        return true;
    fail(f, at,
         "an array cannot be made at each point of an unordered iteration; in order it can, "
         "'for i in 0..m { ... }', and so can a local array of constant size, 'var w: float32[8]'");
    return false;
}

bool make_intermediate(struct fn *f, struct array *a) {
    struct overload *o = f->unit->overload;
    struct decl *d = o->decl;
    struct param **end = &d->intermediates;
    if (!may_make(f, a->at))
        return false;
    a->of_call = true;
    a->operand = o->nin + o->nout + o->nintermediates;
    if (a->operand == UFC_MAX_OPERANDS) {
        fail(f, a->at, "inputs, outputs and arrays of '%s' are more than %d", d->name,
             UFC_MAX_OPERANDS);
        return false;
    }
    o->dtypes[a->operand] = (uint8_t)a->dtype;
    if (o->nintermediates++ < d->nintermediates)
        return true; /* an overload before has made it */
    struct param *p = NEW(f->uc, struct param);
    *p = (struct param){.name = a->name, .at = a->at, .rank = a->rank};
    for (int i = 0; i < a->rank; i++)
        p->core[i] = a->dims[i];
    while (*end)
        end = &(*end)->next;
    *end = p;
    d->nintermediates++;
    return true;
}

void name_intermediate(struct fn *f, struct array *a, const char *name) {
    const struct overload *o = f->unit->overload;
    struct param *p = a->of_call ? o->decl->intermediates : NULL;
    a->name = name;
    for (int k = o->nin + o->nout; p; p = p->next, k++)
        if (k == a->operand)
            p->name = name;
}

void fill_array(struct fn *f, const struct node *n, struct array *a, struct array *from,
                struct node ***tail) {
    struct node *t = typed(f, N_DEFINE, n, no_type), **clauses = &t->clauses;
    struct node *subscripts = NULL, **next = &subscripts, *same = NULL, **last = &same;
    for (int i = 0; i < a->rank; i++) {
        struct local *index = local_hidden(f, n->at, dtype_type(DT_INT64));
        index->is_index = true;
        struct node *clause = typed(f, N_CLAUSE, n, no_type);
        clause->list = local_node(f, n, index);
        clause->a = zero_node(f, n, DT_INT64);
        clause->b = dim_node(f, n, a->dims[i]);
        *clauses = clause;
        clauses = &clause->next;
        *next = local_node(f, n, index);
        next = &(*next)->next;
        *last = local_node(f, n, index);
        last = &(*last)->next;
    }
    t->list = element_node(f, n, a, subscripts);
    t->b = !from ? zero_node(f, n, a->dtype)
                 : stored(f, element_node(f, n, from, same), a->dtype,
                          arena_printf(f->uc, "'%s'", a->name));
    if (t->b)
        append_statement(tail, t);
}

/* ---- let */

static const struct node *clause_named(const struct node *clauses, const char *name) {
    while (clauses && clauses->list->name != name)
        clauses = clauses->next;
    return clauses;
}

/* Whether each subscript of the target is the index of one clause, each clause's index is one
 * subscript, and each element gets a value; reports where not. */
static bool has_form(struct fn *f, const struct node *n) {
    const struct node *target = n->list;
    if (!n->clauses) {
        fail(f, n->at, "an array has the size of its ranges; write '%s for %s'",
             short_text(f, n->at), target->list->name ? target->list->name : "i");
        return false;
    }
    if (n->filter) {
        fail(f, n->filter->at,
             "each element of '%s' gets a value; in place of a filter write '... if %s else 0'",
             target->name, short_text(f, n->filter->at));
        return false;
    }
    bool ok = count_nodes(target->list) == count_nodes(n->clauses) &&
              count_nodes(n->clauses) <= MAX_CORE_RANK;
    for (const struct node *c = n->clauses; ok && c; c = c->next) {
        const struct node *s = target->list;
        while (s && (s->kind != N_NAME || s->name != c->list->name))
            s = s->next;
        ok = s != NULL;
    }
    if (!ok)
        fail(f, target->at, "the subscripts of '%s' are the indices of its ranges, each once",
             target->name);
    return ok;
}

/* Sets a's dimensions to the clauses' ranges; t: n with typed clauses. */
static bool set_dims(struct fn *f, const struct node *n, const struct node *t, struct array *a) {
    for (const struct node *s = n->list->list; s; s = s->next) {
        const struct node *c = t->clauses;
        while (c->then == NULL && c->list->local->name != s->name)
            c = c->next;
        bool whole = !c->then && c->a->kind == N_CONST && c->a->value.i == 0 &&
                     (!c->c || (c->c->kind == N_CONST && c->c->value.i == 1));
        if (!whole) {
            fail(f, clause_named(n->clauses, s->name)->at,
                 "the range of '%s' is the size of '%s': it begins at 0, and goes by 1", s->name,
                 a->name);
            return false;
        }
        struct dim *dim = intermediate_dim(f, c->b, a->name);
        if (!dim)
            return false;
        a->dims[a->rank++] = dim;
    }
    return true;
}

/* The type of the elements: what is declared, or that of the value; DT_COUNT after an error. */
static enum ufc_dtype element_type(struct fn *f, const struct node *n, const struct node *v) {
    if (n->decltype_ && n->decltype_->sizes) {
        fail(f, n->decltype_->at, "the ranges of '%s' are its sizes; write its type alone",
             n->list->name);
        return DT_COUNT;
    }
    if (n->decltype_)
        return declared_type(f, n->decltype_);
    if (v && v->type.kind == TYPE_WEAK_FLOAT)
        warn_double(f, n->list->at, arena_printf(f->uc, "'%s' is", n->list->name), v->type, NULL);
    return v ? strong_dtype(v->type) : DT_COUNT;
}

/* Types the definition of the array *a. */
static bool check_elements(struct fn *f, const struct node *n, struct node *t, struct array *a) {
    bool ok = set_dims(f, n, t, a);
    struct node *v = check_expr(f, n->b), *subscripts = NULL, **tail = &subscripts;
    a->dtype = element_type(f, n, v);
    for (const struct node *s = n->list->list; ok && s; s = s->next, tail = &(*tail)->next)
        *tail = check_bound(f, s, "a subscript");
    ok = ok && v && a->dtype != DT_COUNT;
    t->b = ok ? stored(f, v, a->dtype, arena_printf(f->uc, "'%s'", a->name)) : NULL;
    t->list = element_node(f, n->list, a, subscripts);
    return t->b != NULL;
}

struct array *define_array(struct fn *f, const struct node *n, struct node ***tail) {
    struct node define = *n;
    struct node *t = typed(f, N_DEFINE, n, no_type);
    struct binding *outside = f->names;
    int guards = f->guards;
    struct array *a = NEW(f->uc, struct array);
    *a = (struct array){.name = n->list->name, .at = n->list->mark, .kind = ARRAY_LET};
    a->written = true;
    define.kind = N_DEFINE;
    bool ok = may_make(f, n->at) && has_form(f, n);
    if (ok) {
        ok = open_clauses(f, &define, t) && check_elements(f, n, t, a);
        close_clauses(f, outside, guards);
    }
    if (!ok || !make_intermediate(f, a))
        return NULL;
    append_statement(tail, t);
    return a;
}

void check_intermediate(struct fn *f, const struct node *n, struct node ***tail) {
    if (n->list->kind != N_INDEX)
        return; /* it is too deep, which was reported */
    struct node name = *n->list;
    struct array *a = define_array(f, n, tail);
    name.at = name.mark;
    declare(f, &name, a ? dtype_type(a->dtype) : no_type)->array = a;
}
