/* assign.c: let, var and assignments to variables and elements. */
#include "check.h"

static const struct type no_type = {TYPE_NONE, DT_BOOL};

/* ---- values */

bool has_count(struct fn *f, const struct node *n, const struct values *v, int wanted,
               const char *what) {
    if (v->count == wanted)
        return true;
    if (v->count > 0)
        fail(f, n->mark, "%d %s%s, but %d value%s", wanted, what, wanted == 1 ? "" : "s", v->count,
             v->count == 1 ? "" : "s");
    return false;
}

static const char *value_text(struct fn *f, const struct values *v, int i) {
    bool weak =
        v->folded[i].type.kind == TYPE_WEAK_INT || v->folded[i].type.kind == TYPE_WEAK_FLOAT;
    return weak ? constant_text(f->uc, &v->folded[i]) : type_name(v->types[i]);
}

struct node *stored_value(struct fn *f, const struct values *v, int i, enum ufc_dtype d,
                          const char *what, bool *ok) {
    if (v->types[i].kind == TYPE_NONE)
        return *ok = false, NULL;
    struct node *n = NULL;
    if (v->call)
        *ok &= check_store(f, v->call->at, v->types[i], value_text(f, v, i), d, what);
    else
        *ok &= (n = stored(f, v->nodes[i], d, what)) != NULL;
    return n;
}

struct node *zero_node(struct fn *f, const struct node *from, enum ufc_dtype d) {
    return constant_node(f, from, (struct constant){.type = dtype_type(d)});
}

/* ---- let, var */

/* The type of a name that let or var binds to a value of type t. */
static struct type bound_type(struct fn *f, const struct node *n, const struct node *name,
                              struct type t) {
    if (n->kind == N_LET || t.kind == TYPE_DTYPE || t.kind == TYPE_NONE)
        return t;
    if (t.kind == TYPE_WEAK_FLOAT || t.kind == TYPE_WEAK_COMPLEX)
        warn_double(f, name->at, arena_printf(f->uc, "'%s' is", name->name), t, NULL);
    return dtype_type(strong_dtype(t));
}

/* `let r = a[i, :]`: a name for a part of an array. */
static void bind_slice(struct fn *f, const struct node *n, struct node ***tail) {
    struct array *a = check_slice(f, n->b, false);
    if (a && array_of(a)->kind != ARRAY_INPUT && array_of(a)->kind != ARRAY_LET) {
        fail(f, n->b->at,
             "a name for a part of '%s', which may change; give the slice itself to "
             "functions and 'for'",
             array_of(a)->name);
        a = NULL;
    }
    if (n->decltype_) {
        fail(f, n->decltype_->at, "a slice has its array's type");
        a = NULL;
    }
    append_list(tail, a ? lets_of(a) : NULL);
    struct local *l = declare(f, n->list, a ? dtype_type(a->dtype) : no_type);
    if (!a)
        return;
    a->kind = ARRAY_LET;
    a->name = l->name;
    a->at = l->at;
    l->array = a;
}

/* Each name is bound to a value. */
static void bind_values(struct fn *f, const struct node *n, struct node ***tail) {
    int names = count_nodes(n->list);
    struct values v = {0};
    enum ufc_dtype declared = n->decltype_ ? declared_type(f, n->decltype_) : DT_COUNT;
    bool ok = !n->decltype_ || declared != DT_COUNT;
    if (n->b) {
        v = check_values(f, n->b, names, tail);
        ok = has_count(f, n, &v, names, "name") && ok;
    }
    struct node *t = typed(f, n->kind, n, no_type), **locals = &t->list, **values = &t->b;
    t->decltype_ = n->decltype_;
    int i = 0;
    for (const struct node *name = n->list; name; name = name->next, i++) {
        if (ok && value_array(&v, i)) {
            bind_array_value(f, n, name, value_array(&v, i));
            continue;
        }
        struct type type = ok && n->b ? v.types[i] : no_type;
        struct node *value = NULL;
        bool good = ok;
        if (declared != DT_COUNT)
            type = dtype_type(declared);
        else if (ok)
            type = bound_type(f, n, name, type);
        if (good && !n->b)
            value = zero_node(f, name, declared);
        else if (good && type.kind == TYPE_DTYPE)
            value =
                stored_value(f, &v, i, type.dtype, arena_printf(f->uc, "'%s'", name->name), &good);
        else if (good && !v.call)
            value = v.nodes[i];
        struct local *l = declare(f, name, good ? type : no_type);
        l->mutable = n->kind == N_VAR;
        if (n->kind == N_LET && value && value->kind == N_CONST) {
            l->folded = true;
            l->value = value->value;
        } else if (n->kind == N_LET && v.call && v.folded[i].type.kind != TYPE_NONE &&
                   declared == DT_COUNT) {
            l->folded = true;
            l->value = v.folded[i];
        }
        l->bound = n->kind == N_LET ? value : NULL;
        append_statement(&locals, local_node(f, name, l));
        if (value)
            append_statement(&values, value);
    }
    if (v.call)
        t->b = v.call;
    if (t->list)
        append_statement(tail, t);
}

void check_binding(struct fn *f, const struct node *n, struct node ***tail) {
    if (n->list->kind != N_NAME) {
        check_intermediate(f, n, tail);
        return;
    }
    if (n->kind == N_LET && !n->list->next && n->b && !n->b->next && is_slice(n->b)) {
        bind_slice(f, n, tail);
        return;
    }
    if (n->decltype_ && n->decltype_->sizes) {
        check_local_array(f, n, tail);
        return;
    }
    const struct node *outer = f->statement;
    f->statement = n;
    bind_values(f, n, tail);
    f->statement = outer; /* n may be gone before f is */
}

/* ---- assignment */

/* What is assigned to, typed: a variable or an element; NULL after an error. */
static struct node *target(struct fn *f, const struct node *n) {
    struct local *l = local_named(f, n->name);
    if (n->kind == N_INDEX || (l && l->array))
        return check_element_target(f, n);
    if (l && l->mutable)
        return l->type.kind == TYPE_NONE ? NULL : local_node(f, n, l);
    const struct decl *d = l ? NULL : decl_named(f, n->name);
    if (l)
        fail(f, n->at, "'%s' cannot be assigned to: it is %s; copy it with 'var'", n->name,
             l->dim        ? "a dimension"
             : l->is_param ? "a parameter"
             : l->is_index ? "a loop's index"
                           : "a 'let'");
    else if (d)
        fail(f, n->at, "'%s' cannot be assigned to: it is a %s", n->name,
             d->kind == DECL_CONST ? "const" : "function");
    else {
        fail(f, n->at, "unknown name '%s'; to declare it, write 'let %s = ...' or 'var %s = ...'",
             n->name, n->name, n->name);
        local_new(f, n->name, n->at, no_type)->mutable = true; /* declared: one error is enough */
    }
    if (l || d)
        note(f->uc, l ? l->at : d->at, "'%s' is declared here", n->name);
    return NULL;
}

/* The value of x op= y: x op y.  False after an error. */
static bool combined_value(struct fn *f, const struct node *n, struct values *v) {
    struct local *l = local_named(f, n->list->name);
    bool written = l && l->array && l->array->written;
    struct node *x = target(f, n->list), *y = check_expr(f, n->b), *value = NULL;
    if (x && x->kind == N_INDEX) {
        l->array->written = written; /* the element is read before it is written here */
        x = check_expr(f, n->list);
        l->array->written = true;
        if (x)
            x->own = x->kind == N_INDEX;
    }
    if (x && y)
        warn_constant(f, n, x, y);
    if (!x || !y || !(value = binary(f, n, n->op, x, y)))
        return false;
    if (n->op == OP_DIV && is_integer(x->type.dtype)) {
        fail(f, n->mark, "'/=' makes a %s of '%s', which is %s; write '//='",
             type_name(value->type), n->list->name, type_name(x->type));
        return false;
    }
    *v = (struct values){.count = 1,
                         .nodes = NEW(f->uc, struct node *),
                         .types = NEW(f->uc, struct type),
                         .folded = NEW(f->uc, struct constant)};
    v->nodes[0] = value;
    v->types[0] = value->type;
    return true;
}

/* Warns of += and the like in a loop on an output that nothing has written before: a new output is
 * not zeroed.  Outside of loops this is an error, check_read's. */
static void warn_unset(struct fn *f, const struct node *target, enum op op) {
    const struct local *l = local_named(f, target->name);
    const struct array *a = l ? l->array : NULL;
    if (!a || a->kind != ARRAY_OUTPUT || a->written || f->nloops == 0 || f->caller)
        return;
    warn(f->uc, W_UNSET, target->at,
         "output '%s' has no value yet; give it one before the loop: '%s'", a->name,
         beginning_of(f, a, op));
}

/* Reports, with a note at a variable's declaration, the type that it needs to hold value i of n,
 * such as a float for a variable that began as 0.  An int makes a float64 of a float32, so the note
 * says float32 where the signature has that and no float64.  What is added to the variable is not
 * to be converted to its type.  False: that is not what is wrong, if anything is. */
static bool lacks_first_type(struct fn *f, const struct node *n, const struct node *name,
                             const struct values *v, int i) {
    const struct local *l = name->kind == N_NAME ? local_named(f, name->name) : NULL;
    if (!l || l->array || l->type.kind != TYPE_DTYPE || v->types[i].kind != TYPE_DTYPE)
        return false;
    enum ufc_dtype first = l->type.dtype;
    struct type t = v->types[i];
    if (!(is_integer(first) && is_float(t.dtype)) && !(is_complex(t.dtype) && !is_complex(first)))
        return false;
    const struct node *value = v->call ? v->call : v->nodes[i];
    const char *what = arena_printf(f->uc, "'%s'", l->name);
    if (n->op == OP_COUNT && !mentions(n->b, l->name))
        check_store(f, value->at, t, type_name(t), first, what);
    else
        fail(f, value->at, "%s cannot be stored in %s, which is %s", type_name(t), what,
             type_name(l->type));
    if (!v->call && is_integer(first) && is_whole_quotient(f, value))
        note(f->uc, value->mark, "the quotient of whole numbers is '//'");
    if (part_dtype(t.dtype) == DT_FLOAT64 && lacks_type(f, DT_FLOAT64) &&
        !lacks_type(f, DT_FLOAT32))
        t.dtype = is_complex(t.dtype) ? DT_COMPLEX64 : DT_FLOAT32;
    note(f->uc, l->at, "'%s' is %s from here on; for a %s, write 'var %s: %s = ...'", l->name,
         type_name(l->type), type_name(t), l->name, type_name(t));
    return true;
}

/* Marks the element of n's value v that is its target, as of `m[k] = max(m[k], x)`. */
static void mark_own(const struct node *n, struct node *v) {
    const struct node *element = combined_element(n);
    bool call = element && v->kind == N_CALL && v->list && v->list->next;
    struct node *own = !call ? NULL : n->b->list == element ? v->list : v->list->next;
    if (own)
        own->own = own->kind == N_INDEX;
}

/* Each target gets a value. */
static void assign_values(struct fn *f, const struct node *n, struct node ***tail) {
    struct values v = {0};
    struct node *t = typed(f, N_ASSIGN, n, no_type), **targets = &t->list, **values = &t->b;
    t->loose = n->loose;
    if (n->op != OP_COUNT)
        warn_unset(f, n->list, n->op);
    if (n->op == OP_COUNT)
        v = check_values(f, n->b, count_nodes(n->list), tail);
    else if (!combined_value(f, n, &v))
        return;
    bool ok = has_count(f, n, &v, count_nodes(n->list), "name");
    int i = 0;
    for (const struct node *name = n->list; name; name = name->next, i++) {
        if (ok && value_array(&v, i)) {
            assign_array(f, n, name, value_array(&v, i), tail);
            continue;
        }
        bool failed = v.count == 0 || (i < v.count && v.types[i].kind == TYPE_NONE);
        struct node *to = failed && whole_array_named(f, name) ? NULL : target(f, name);
        if (!to || !ok) {
            ok = false;
            continue;
        }
        append_statement(&targets, to);
        if (lacks_first_type(f, n, name, &v, i)) {
            ok = false;
            continue;
        }
        struct node *value =
            stored_value(f, &v, i, to->type.dtype, arena_printf(f->uc, "'%s'", name->name), &ok);
        if (value && to->kind == N_INDEX && !n->list->next && n->op == OP_COUNT)
            mark_own(n, value);
        if (value)
            append_statement(&values, value);
    }
    if (v.call)
        t->b = v.call;
    if (ok && t->list)
        append_statement(tail, t);
}

void check_assignment(struct fn *f, const struct node *n, struct node ***tail) {
    if (check_copy(f, n, tail) || check_undefined(f, n, tail))
        return;
    const struct node *outer = f->statement;
    f->statement = n;
    assign_values(f, n, tail);
    f->statement = outer;
}
