/* core.c: the operands of gufuncs and their core dimensions. */
#include <string.h>

#include "check.h"

static const char *text_of(struct uc *uc, struct span at) {
    return arena_printf(uc, "%.*s", (int)(at.end - at.begin), uc->src.text + at.begin);
}

/* ---- the list of dimensions */

/* The core dimension of a name, or, where name is NULL, that of a fixed size. */
static struct dim *find_dim(const struct decl *d, const char *name, int64_t size) {
    for (struct dim *dim = d->dims; dim; dim = dim->next)
        if (!dim->expr && (name ? dim->name == name : dim->size >= 0 && dim->size == size))
            return dim;
    return NULL;
}

static struct dim *add_dim(struct uc *uc, struct decl *d, const char *name, struct span at) {
    struct dim *dim = NEW(uc, struct dim), **end = &d->dims;
    *dim = (struct dim){.name = name, .size = -1, .index = d->ndims, .at = at};
    while (*end)
        end = &(*end)->next;
    *end = dim;
    if (d->ndims++ == MAX_DIMS)
        error(uc, at, "more than %d core dimensions", MAX_DIMS);
    return dim;
}

static struct dim *named_dim(struct uc *uc, struct decl *d, const struct node *n) {
    struct dim *dim = find_dim(d, n->name, -1);
    if (dim && dim->optional != n->optional) {
        error(uc, n->at, "'%s' is optional in one place only; write '%s?' in all or in none",
              n->name, n->name);
        note(uc, dim->at, "it is used here");
    }
    if (dim)
        return dim;
    dim = add_dim(uc, d, n->name, n->at);
    dim->optional = n->optional;
    return dim;
}

static struct dim *number_dim(struct uc *uc, struct decl *d, const struct node *n, wide_int size) {
    if (size < 0 || size > INT32_MAX) {
        error(uc, n->at, "a dimension has 0 to %d elements", INT32_MAX);
        return NULL;
    }
    struct dim *dim = find_dim(d, NULL, (int64_t)size);
    if (!dim) {
        dim = add_dim(uc, d, arena_printf(uc, "%d", (int)size), n->at);
        dim->size = (int64_t)size;
    }
    return dim;
}

/* Whether n is made of what an output's size may be made of; reports where not. */
static bool is_size(struct uc *uc, const struct node *n) {
    bool ok =
        n->kind == N_CONST || n->kind == N_LOCAL || n->kind == N_CAST ||
        (n->kind == N_UNARY && (n->op == OP_NEG || n->op == OP_POS)) ||
        (n->kind == N_BINARY && n->op >= OP_ADD && n->op <= OP_MOD && n->op != OP_DIV) ||
        (n->kind == N_CALL && n->builtin && (n->builtin->id == B_MIN || n->builtin->id == B_MAX));
    if (!ok)
        error(uc, n->mark, "a size is made of input dimensions, numbers, + - * // %%, min and max");
    ok = ok && (!n->a || is_size(uc, n->a)) && (!n->b || is_size(uc, n->b));
    for (const struct node *arg = n->list; ok && arg; arg = arg->next)
        ok = is_size(uc, arg);
    return ok;
}

/* Declares the dimensions as names, for computed sizes and for bodies. */
static void declare_dims(struct fn *f, const struct decl *d) {
    for (const struct dim *dim = d->dims; dim; dim = dim->next) {
        if (dim->size >= 0 || dim->expr)
            continue;
        struct local *l = local_new(f, dim->name, dim->at, (struct type){TYPE_WEAK_INT, DT_BOOL});
        l->is_param = true;
        l->dim = dim;
    }
}

static struct dim *computed_dim(struct uc *uc, struct decl *d, const struct node *n) {
    struct unit unit = {0};
    struct fn f = {.uc = uc, .unit = &unit, .decl = d, .file = d->file};
    f.inst = NEW(uc, struct inst);
    f.inst->decl = d;
    declare_dims(&f, d);
    struct node *size = check_expr(&f, n);
    if (!size)
        return NULL;
    if (size->kind == N_CONST && size->type.kind == TYPE_WEAK_INT)
        return number_dim(uc, d, n, size->value.i);
    if (size->type.kind != TYPE_WEAK_INT) {
        error(uc, n->at, "a dimension is a whole number, this is %s%s", type_name(size->type),
              is_whole_quotient(&f, size) ? "; the quotient of whole numbers is '//'" : "");
        return NULL;
    }
    size = convert(&f, size, DT_INT64);
    return size && is_size(uc, size) ? size_dim(uc, d, size) : NULL;
}

struct dim *size_dim(struct uc *uc, struct decl *d, struct node *size) {
    bool is_number = size->kind == N_CONST;
    const struct node *value = without_cast(size);
    for (struct dim *dim = d->dims; dim; dim = dim->next)
        if (dim->expr        ? same_size(dim->expr, size)
            : dim->size >= 0 ? is_number && dim->size == size->value.i
                             : value->kind == N_LOCAL && value->local->dim == dim)
            return dim;
    struct dim *dim = add_dim(uc, d, text_of(uc, size->at), size->at);
    if (is_number)
        dim->size = (int64_t)size->value.i;
    dim->expr = size;
    return dim;
}

/* The const of a name that d sees; NULL: none. */
static const struct decl *const_named(struct uc *uc, const struct decl *d, const char *name) {
    const struct fn f = {.uc = uc, .file = d->file};
    const struct decl *c = decl_named(&f, name);
    return c && c->kind == DECL_CONST ? c : NULL;
}

struct constants {
    struct uc *uc;
    const struct decl *d;
};

/* Stops at a name that is no const. */
static enum walk find_unknown(const struct node *n, void *arg) {
    const struct constants *c = arg;
    return n->kind == N_NAME && !const_named(c->uc, c->d, n->name) ? WALK_STOP : WALK_IN;
}

static struct dim *check_dim(struct uc *uc, struct decl *d, const struct node *n, bool output) {
    if (n->kind == N_NAME && const_named(uc, d, n->name) && !n->optional)
        return computed_dim(uc, d, n);
    if (n->kind == N_NAME) {
        if (output && !find_dim(d, n->name, -1)) {
            error(uc, n->at,
                  "'%s' is no dimension of an input, so its size is not known; write a "
                  "number, an expression of the inputs' dimensions, or an input of that size, "
                  "which need not be read: 'bins[%s]'",
                  n->name, n->name);
            return NULL;
        }
        return named_dim(uc, d, n);
    }
    struct constants known = {uc, d};
    if (output || (n->kind != N_CONST && node_walk(n, find_unknown, &known)))
        return computed_dim(uc, d, n);
    if (n->kind == N_CONST && n->value.type.kind == TYPE_WEAK_INT)
        return number_dim(uc, d, n, n->value.i);
    error(uc, n->at,
          "a dimension of an input is a name or a whole number; give it a name of its own, of "
          "which an output's may be made, as 'x[n]' and 'y[n // 2]'");
    return NULL;
}

/* ---- operands */

static void check_operand(struct uc *uc, struct decl *d, struct param *p, bool output) {
    int i = 0;
    if (p->rank > MAX_CORE_RANK) {
        error(uc, p->at, "'%s' has %d core dimensions; an operand may have %d", p->name, p->rank,
              MAX_CORE_RANK);
        p->rank = MAX_CORE_RANK;
    }
    for (const struct node *n = p->dims; n && i < p->rank; n = n->next, i++)
        p->core[i] = check_dim(uc, d, n, output);
}

/* Reports names that would stand for two things. */
static void check_clashes(struct uc *uc, const struct decl *d) {
    for (const struct dim *dim = d->dims; dim; dim = dim->next) {
        if (dim->size >= 0 || dim->expr)
            continue;
        const struct decl *c = const_named(uc, d, dim->name);
        if (c) {
            error(uc, dim->at, "'%s' is a const; give the dimension another name", dim->name);
            note(uc, c->at, "'%s' is declared here", dim->name);
        }
        for (int output = 0; output < 2; output++)
            for (const struct param *p = output ? d->outputs : d->params; p; p = p->next)
                if (p->name == dim->name)
                    error(uc, p->at, "'%s' is a dimension and an operand; rename one", p->name);
    }
}

void check_room(struct uc *uc, const struct decl *d) {
    size_t ranks = 0;
    for (const struct param *p = d->params; p; p = p->next)
        ranks += (size_t)p->rank;
    for (const struct param *p = d->outputs; p; p = p->next)
        ranks += (size_t)p->rank;
    for (const struct param *p = d->intermediates; p; p = p->next)
        ranks += (size_t)p->rank;
    size_t noperands = (size_t)d->nparams + (size_t)d->noutputs + (size_t)d->nintermediates;
    size_t size = ufc_gufunc_offsets(noperands, (size_t)d->ndims, ranks).end;
    if (size > UFC_MAX_PARAMETER)
        error(uc, d->at,
              "'%s' has too many operands and core dimensions: they take %zu bytes of a "
              "kernel's parameter, which has %d",
              d->name, size, UFC_MAX_PARAMETER);
}

bool check_core(struct uc *uc, struct decl *d) {
    int before = uc->nerrors;
    for (struct param *p = d->params; p; p = p->next)
        check_operand(uc, d, p, false);
    for (struct param *p = d->outputs; p; p = p->next)
        check_operand(uc, d, p, true);
    check_clashes(uc, d);
    check_room(uc, d);
    struct dim *given = NULL, **given_end = &given, *computed = NULL, **computed_end = &computed;
    for (struct dim *dim = d->dims; dim; dim = dim->next) {
        struct dim ***end = dim->expr ? &computed_end : &given_end;
        **end = dim;
        *end = &dim->next;
    }
    *computed_end = NULL;
    *given_end = computed;
    d->dims = given;
    int i = 0;
    for (struct dim *dim = d->dims; dim; dim = dim->next)
        dim->index = i++;
    return uc->nerrors == before;
}

/* ---- bodies */

static struct local *array_new(struct fn *f, const char *name, struct span at, struct array array) {
    struct array *a = NEW(f->uc, struct array);
    *a = array;
    a->name = name;
    a->at = at;
    struct local *l = local_new(f, name, at, dtype_type(a->dtype));
    l->array = a;
    return l;
}

static struct local *declare_operand(struct fn *f, const struct param *p, int operand,
                                     enum ufc_dtype dtype, bool output) {
    struct array a = {.dtype = dtype,
                      .rank = p->rank,
                      .kind = output ? ARRAY_OUTPUT : ARRAY_INPUT,
                      .operand = operand};
    memcpy(a.dims, p->core, sizeof a.dims);
    struct local *l = output || p->rank > 0 ? array_new(f, p->name, p->at, a)
                                            : local_new(f, p->name, p->at, dtype_type(dtype));
    l->is_param = true;
    return l;
}

void declare_operands(struct fn *f, const struct overload *o) {
    const struct decl *d = o->decl;
    int k = 0;
    declare_dims(f, d);
    f->inst->params = NEWN(f->uc, struct local *, o->nin);
    f->inst->outputs = NEWN(f->uc, struct local *, o->nout);
    for (const struct param *p = d->params; p; p = p->next, k++)
        f->inst->params[k] = declare_operand(f, p, k, (enum ufc_dtype)o->dtypes[k], false);
    for (const struct param *p = d->outputs; p; p = p->next, k++)
        f->inst->outputs[k - o->nin] = declare_operand(f, p, k, (enum ufc_dtype)o->dtypes[k], true);
}

bool check_written(struct fn *f) {
    bool ok = true;
    for (int i = 0; i < f->decl->noutputs; i++) {
        const struct array *a = f->inst->outputs[i]->array;
        if (a && !a->written)
            fail(f, a->at, "output '%s' is never written", a->name);
        ok = ok && (!a || a->written);
    }
    return ok;
}

/* ---- arrays as arguments of defs */

static const char *dim_text(struct uc *uc, const struct dim *dim) {
    return dim->size >= 0 ? arena_printf(uc, "%lld", (long long)dim->size)
                          : arena_printf(uc, "'%s'", dim->name);
}

/* Whether the axis of the argument has the size that the parameter asks for. */
static bool bind_size(struct fn *g, const struct param *p, const struct node *size,
                      const struct dim *dim) {
    if (size->value.type.kind == TYPE_WEAK_INT && size->value.i == dim->size)
        return true;
    fail(g, g->call->mark, "'%s' takes %s elements for '%s', here there are %s", g->decl->name,
         constant_text(g->uc, &size->value), p->name, dim_text(g->uc, dim));
    return false;
}

/* Binds n, a dimension of the parameter, to `dim`, the same axis of the argument.  False after an
 * error. */
static bool bind_dim(struct fn *g, const struct param *p, const struct node *n,
                     const struct dim *dim) {
    if (n->kind == N_NAME && !n->optional && const_named(g->uc, g->decl, n->name)) {
        const struct node *size = check_expr(g, n);
        return size && bind_size(g, p, size, dim);
    }
    if (n->kind == N_NAME && (!n->optional || g->decl->kind == DECL_GUFUNC)) {
        const struct local *l = local_named(g, n->name);
        if (!l) {
            struct local *size =
                local_new(g, n->name, n->at, (struct type){TYPE_WEAK_INT, DT_BOOL});
            size->is_param = true;
            size->dim = dim;
            return true;
        }
        if (l->dim && same_dim(l->dim, dim))
            return true;
        if (l->dim)
            fail(g, g->call->mark, "'%s' of '%s' is %s, but '%s' has %s there", n->name,
                 g->decl->name, dim_text(g->uc, l->dim), p->name, dim_text(g->uc, dim));
        else
            fail(g, n->at, "'%s' is a dimension and a parameter; rename one", n->name);
        return false;
    }
    if (n->kind == N_CONST && n->value.type.kind == TYPE_WEAK_INT)
        return bind_size(g, p, n, dim);
    fail(g, n->at, "a dimension of a def's array is a name or a whole number");
    return false;
}

bool bind_array(struct fn *g, const struct param *p, struct local *l, struct array *array) {
    l->array = array;
    l->type = dtype_type(array->dtype);
    bool ok = true;
    int i = 0;
    for (const struct node *n = p->dims; n && ok; n = n->next, i++)
        ok = bind_dim(g, p, n, array->dims[i]);
    return ok;
}

/* The array that a call gives, for which the caller makes it; NULL: it gives none. */
static struct array *array_of_call(struct fn *f, const struct node *n, struct node ***tail) {
    const struct decl *d = decl_named(f, n->name);
    struct node alone = *n;
    alone.next = NULL;
    if (!tail || n->clauses || !d || (d->kind != DECL_GUFUNC && d->kind != DECL_DEF))
        return NULL;
    struct values v = check_values(f, &alone, 1, tail);
    return v.count == 1 ? value_array(&v, 0) : NULL;
}

/* What stands for the array that n names or gives, or of which it is a slice; NULL: none, or after
 * an error. */
static struct local *array_value_of(struct fn *f, const struct node *n, struct node ***tail) {
    struct local *l = n->kind == N_NAME ? local_named(f, n->name) : NULL;
    struct array *a = is_slice(n)         ? check_slice(f, n, false)
                      : n->kind == N_CALL ? array_of_call(f, n, tail)
                                          : NULL;
    if (a)
        l = local_hidden(f, n->at, dtype_type(a->dtype));
    if (a)
        l->array = a;
    return l && l->array ? l : NULL;
}

/* "; write 'x[i, :]'" for `x[i]`, where x has `rank` dimensions more. */
static const char *slice_for(struct fn *f, const struct node *arg, int rank) {
    const struct local *l = arg->kind == N_INDEX ? local_named(f, arg->name) : NULL;
    const char *text = short_text(f, arg->at), *axes = "";
    if (!l || !l->array || l->array->rank != count_nodes(arg->list) + rank || is_slice(arg))
        return "";
    for (int i = 0; i < rank; i++)
        axes = arena_printf(f->uc, "%s, :", axes);
    return arena_printf(f->uc, "; write '%.*s%s]'", (int)strlen(text) - 1, text, axes);
}

struct node *check_array_argument(struct fn *f, const struct node *arg, const struct decl *d,
                                  const struct param *p, struct node ***tail) {
    int before = f->unit->failures;
    struct local *l = array_value_of(f, arg, tail);
    const struct local *failed = arg->kind == N_NAME ? local_named(f, arg->name) : NULL;
    if (f->unit->failures > before || (failed && !failed->array && failed->type.kind == TYPE_NONE))
        return NULL; /* which was reported */
    if (!l || l->array->rank != p->rank) {
        if (l)
            fail(f, arg->at, "'%s' takes an array of %d dimension%s here, '%s' has %d", d->name,
                 p->rank, p->rank == 1 ? "" : "s", l->array->name, l->array->rank);
        else
            fail(f, arg->at, "'%s' takes an array here; '%s' has %d dimension%s%s", d->name,
                 p->name, p->rank, p->rank == 1 ? "" : "s",
                 arg->kind == N_CALL ? "; bind what a call gives by 'let'"
                                     : slice_for(f, arg, p->rank));
        note(f->uc, d->at, "'%s' is declared here", d->name);
        return NULL;
    }
    l->used = true;
    return local_node(f, arg, l);
}
