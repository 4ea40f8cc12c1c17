/* array.c: arrays: subscripts, local arrays, targets of assignments. */
#include "check.h"

enum {
    MAX_LOCAL_ARRAY = 4096,               /* elements of a local array */
    MAX_SHARED_AT = UFC_MAX_OPERANDS / 2, /* operands before one that loops share out alone */
};

/* ---- subscripts */

/* The subscript at a distance from the end of an axis whose size is computed, as text. */
static const char *last_text(struct fn *f, const struct dim *dim, wide_int from_end) {
    struct sum s;
    bool known = sum_of_size(NULL, dim, &s) && !sum_has_index(&s);
    s.plus -= from_end;
    return known ? sum_text(f->uc, &s)
                 : arena_printf(f->uc, "%s - %lld", dim->name, (long long)from_end);
}

/* An array with a text as subscript, or size, of an axis: `x[n - 1]`, `x[..., 2]`. */
static const char *at_axis(struct fn *f, const struct array *a, int axis, const char *at) {
    return arena_printf(f->uc, "%s[%s%s%s]", a->name, axis > 0 ? "..., " : "", at,
                        axis + 1 < a->rank ? ", ..." : "");
}

/* The element of an axis at a distance from its end, as text. */
static const char *element_text(struct fn *f, const struct array *a, int axis, wide_int from_end) {
    const struct dim *dim = a->dims[axis];
    const char *at = dim->size >= 0 ? arena_printf(f->uc, "%lld", (long long)(dim->size - from_end))
                     : dim->expr || dim->length
                         ? last_text(f, dim, from_end)
                         : arena_printf(f->uc, "%s - %lld", dim->name, (long long)from_end);
    return at_axis(f, a, axis, at);
}

/* Reports a subscript that is out of range whatever the sizes. */
static bool certainly_out(struct fn *f, const struct node *n, const struct array *a, int axis) {
    const struct dim *dim = a->dims[axis];
    const char *reached, *needed, *goes = "";
    enum outside outside = outside_of(f, n, dim, &reached, &needed);
    if (outside == INSIDE)
        return false;
    if (outside == BELOW && n->kind == N_CONST && (dim->size < 0 || -n->value.i <= dim->size)) {
        fail(f, n->at, "a negative subscript; write '%s'", element_text(f, a, axis, -n->value.i));
        return true;
    }
    if (reached)
        goes = arena_printf(f->uc, "'%s' goes %s to %s, ", short_text(f, n->at),
                            outside == BELOW ? "down" : "up", reached);
    if (dim->size == 0)
        fail(f, n->at, "out of range: '%s' has no elements", a->name);
    else if (outside == BELOW && n->kind != N_CONST)
        fail(f, n->at, "out of range: %sbelow 0", reached ? goes : "always ");
    else
        fail(f, n->at, "out of range: %sthe last is '%s'", goes, element_text(f, a, axis, 1));
    if (needed && a->kind == ARRAY_OUTPUT && dim->size != 0)
        note(f->uc, a->at, "'%s' is declared here; for this element, declare '%s'", a->name,
             at_axis(f, a, axis, needed));
    else
        note(f->uc, a->at, "'%s' is declared here", a->name);
    return true;
}

struct node *check_subscript(struct fn *f, const struct node *n, const struct array *a, int axis) {
    struct node *t = check_bound(f, n, "a subscript");
    bool is_examined = t && a->dims[axis] && !f->unreached;
    return is_examined && certainly_out(f, t, a, axis) ? NULL : t;
}

bool check_last(struct fn *f, const struct node *n, struct node *end, const struct array *a,
                int axis) {
    const char *reached, *needed;
    struct node *one = constant_node(f, n, (struct constant){.type = dtype_type(DT_INT64), .i = 1});
    struct node *last = binary(f, n, OP_SUB, end, one);
    if (!last || outside_of(f, last, a->dims[axis], &reached, &needed) != ABOVE)
        return true;
    struct sum size;
    sum_of_size(f, a->dims[axis], &size); /* it is one, else the end was not above it */
    fail(f, n->at, "out of range: a slice ends at '%s' at most, behind '%s'",
         sum_text(f->uc, &size), element_text(f, a, axis, 1));
    note(f->uc, a->at, "'%s' is declared here", a->name);
    return false;
}

struct node *element_node(struct fn *f, const struct node *from, struct array *a,
                          struct node *subscripts) {
    if (a->kind == ARRAY_TABLE)
        return table_element(f, from, a, subscripts);
    struct array *whole = array_of(a);
    struct node *t = typed(f, N_INDEX, from, dtype_type(whole->dtype));
    t->array = whole;
    t->list = a == whole ? subscripts : slice_subscripts(f, from, a, subscripts);
    return convert(f, t, a->dtype);
}

static void wrong_rank(struct fn *f, const struct node *n, const struct array *a, int got) {
    if (a->rank == 0)
        fail(f, n->at, "'%s' is a scalar; write '%s' without subscripts", a->name, a->name);
    else
        fail(f, n->at, "'%s' has %d dimension%s, got %d subscript%s", a->name, a->rank,
             a->rank == 1 ? "" : "s", got, got == 1 ? "" : "s");
    note(f->uc, a->at, "'%s' is declared here", a->name);
}

/* Outside of loops, the order in the source is that of execution. */
bool check_written_before(struct fn *f, const struct node *n, const struct array *a) {
    if (a->kind != ARRAY_OUTPUT || a->written || f->nloops > 0 || f->caller)
        return true;
    fail(f, n->at, "output '%s' is read before it is written", a->name);
    return false;
}

struct array *subscripted(struct fn *f, const struct node *n) {
    struct local *l = local_named(f, n->name);
    if (!l || !l->array) {
        if (l && l->type.kind != TYPE_NONE) {
            fail(f, n->mark, "'%s' is a number, it has no subscripts", n->name);
            note(f->uc, l->at, "'%s' is declared here", n->name);
        } else if (!l && type_named_here(f, n->name) != DT_COUNT)
            fail(f, n->at, "'%s' is a type; a local array is 'var w: %s'", n->name,
                 short_text(f, n->at));
        else if (!l)
            unknown_name(f, n, false);
        return NULL;
    }
    struct array *a = l->array;
    l->used = true;
    if (count_nodes(n->list) != a->rank) {
        wrong_rank(f, n, a, count_nodes(n->list));
        return NULL;
    }
    return a;
}

/* The text of a slice's element: "a[i, j]" for `a[i, :]`. */
static const char *element_of_slice(struct fn *f, const struct node *n) {
    const char *text = "";
    int indices = 0;
    for (const struct node *s = n->list; s; s = s->next)
        text =
            s->kind == N_SLICE
                ? arena_printf(f->uc, "%s%s%c", text, *text ? ", " : "", "jklmnopq"[indices++ % 8])
                : arena_printf(f->uc, "%s%s%s", text, *text ? ", " : "", short_text(f, s->at));
    return arena_printf(f->uc, "%s[%s]", n->name, text);
}

static struct node *check_place(struct fn *f, const struct node *n) {
    struct array *a = subscripted(f, n);
    if (!a)
        return NULL;
    if (is_slice(n)) {
        fail(f, n->at,
             "a slice is an array, which a function takes, or a 'for v in'; its elements are '%s'",
             element_of_slice(f, n));
        return NULL;
    }
    struct node *first = NULL, **tail = &first;
    bool ok = true;
    int axis = 0;
    for (const struct node *s = n->list; s; s = s->next, axis++) {
        struct node *t = check_subscript(f, s, a, axis);
        ok = ok && t;
        if (t) {
            *tail = t;
            tail = &t->next;
        }
    }
    return ok ? element_node(f, n, a, first) : NULL;
}

struct node *check_index(struct fn *f, const struct node *n) {
    struct node *t = check_place(f, n);
    const struct local *l = local_named(f, n->name);
    return t && (!l || !l->array || check_written_before(f, n, l->array)) ? t : NULL;
}

/* The element of the scalar output that n names.  Reports an array with dimensions; instead: what
 * to write for it. */
static struct node *whole_array(struct fn *f, const struct node *n, const struct local *l,
                                const char *instead) {
    struct array *a = l->array;
    if (a->rank == 0)
        return element_node(f, n, a, NULL);
    fail(f, n->at, "'%s' is an array of %d dimension%s; write '%s'", l->name, a->rank,
         a->rank == 1 ? "" : "s", instead);
    return NULL;
}

struct node *array_value(struct fn *f, const struct node *n, struct local *l) {
    if (l->array->rank == 0 && !check_written_before(f, n, l->array))
        return NULL;
    const char *of_all = in_elements(f, n);
    return whole_array(f, n, l, of_all ? of_all : element_of(f, l->name, l->array->rank));
}

/* ---- targets */

bool may_write(struct fn *f, const struct node *n, struct local *l) {
    struct array *a = l->array;
    const struct fn *outermost = f;
    while (outermost->caller)
        outermost = outermost->caller;
    if (a->kind == ARRAY_TABLE) {
        fail(f, n->at,
             "'%s' cannot be assigned to: it is a const; a table that changes is a local "
             "array, 'var w: float64[%lld]'",
             a->name, (long long)a->dims[0]->size);
        note(f->uc, a->at, "'%s' is declared here", a->name);
        return false;
    }
    if (a->kind == ARRAY_LET) {
        fail(f, n->at, "'%s' cannot be assigned to: it is a 'let'; declare it as a 'var'", l->name);
        note(f->uc, l->at, "'%s' is declared here", l->name);
        return false;
    }
    if (a->kind == ARRAY_INPUT || outermost != f) {
        bool local = a->kind == ARRAY_LOCAL && !l->is_param;
        if (!local) {
            fail(f, n->at, "'%s' cannot be assigned to: %s", l->name,
                 outermost != f ? "a def cannot write arrays; return the values"
                                : "it is an input");
            note(f->uc, l->at, "'%s' is declared here", l->name);
            return false;
        }
    }
    a->written = true;
    return true;
}

struct node *check_element_target(struct fn *f, const struct node *n) {
    struct local *l = local_named(f, n->name);
    bool used = l && l->used;
    bool local = l && l->array && l->array->kind == ARRAY_LOCAL;
    const char *(*instead)(struct fn *, const char *, int) = local ? element_of : definition_of;
    if (is_slice(n)) {
        fail(f, n->at, "a slice cannot be assigned to; write its elements, '%s = ...%s'",
             element_of_slice(f, n), f->nclauses == 0 ? " for j" : "");
        return NULL;
    }
    struct node *t = n->kind == N_INDEX ? check_place(f, n)
                                        : whole_array(f, n, l, instead(f, l->name, l->array->rank));
    if (local)
        l->used = used; /* an assignment does not use the name */
    return t && may_write(f, n, l) ? t : NULL;
}

/* ---- local arrays */

static struct dim *constant_dim(struct fn *f, const struct node *n, wide_int size) {
    struct dim *dim = NEW(f->uc, struct dim);
    dim->size = (int64_t)size;
    dim->index = -1;
    dim->at = n->at;
    dim->name = constant_text(f->uc, &n->value);
    return dim;
}

static bool is_constant_size(const struct node *t) {
    return t->kind == N_CONST && t->type.kind == TYPE_WEAK_INT && t->value.i >= 1 &&
           t->value.i <= MAX_LOCAL_ARRAY;
}

/* An assignment to the whole array is a definition as well. */
static enum walk find_definition(const struct node *n, void *name) {
    bool found = n->kind == N_DEFINE && n->list->name == *(const char **)name;
    for (const struct node *to = n->kind == N_ASSIGN ? n->list : NULL; to; to = to->next)
        found = found || (to->kind == N_NAME && to->name == *(const char **)name);
    return found ? WALK_STOP : WALK_IN;
}

/* Whether a definition of the body sets elements of one of the names. */
static bool is_defined(const struct fn *f, const struct node *names) {
    for (; names; names = names->next)
        if (!node_walk(f->decl->body, find_definition, (void *)&names->name))
            return true;
    return false;
}

struct scattering {
    const struct fn *f;
    const char *name;
    int mentions, merges; /* of the name in a loop; merges: h[bin] += value, or h[bin] = value */
};

static enum walk find_index(const struct node *n, void *name) {
    bool found = n->kind == N_FOR && n->b && n->list->name == name; /* no `for v in x` */
    return found ? WALK_STOP : WALK_IN;
}

/* Whether a subscript is other than a loop's index or a constant. */
static bool is_bin(const struct fn *f, const struct node *n) {
    return n->kind != N_CONST &&
           (n->kind != N_NAME || node_walk(f->decl->body, find_index, (void *)n->name));
}

static enum walk count_merge(const struct node *n, void *arg) {
    struct scattering *x = arg;
    bool named = (n->kind == N_INDEX || n->kind == N_NAME) && n->name == x->name;
    bool merges = n->kind == N_ASSIGN && n->list->kind == N_INDEX && n->list->name == x->name;
    bool bin = false;
    for (const struct node *s = merges ? n->list->list : NULL; s; s = s->next)
        bin = bin || is_bin(x->f, s);
    x->mentions += named;
    x->merges += bin;
    return WALK_IN;
}

static enum walk find_scatter(const struct node *n, void *arg) {
    struct scattering *x = arg;
    if (n->kind != N_FOR)
        return WALK_IN;
    x->mentions = x->merges = 0;
    if (!n->b || n->b->kind != N_CONST)
        node_walk(n->then, count_merge, x);
    return x->merges > 0 && x->merges == x->mentions ? WALK_STOP : WALK_PAST;
}

/* Whether a loop of the body does no more with one of the names than to merge numbers into bins of
 * it, which threads may share out. */
static bool is_scattered(const struct fn *f, const struct node *names, enum ufc_dtype dtype) {
    bool number = is_integer(dtype) || (is_float(dtype) && !is_half(dtype));
    for (; names && number; names = names->next)
        if (!node_walk(f->decl->body, find_scatter, &(struct scattering){f, names->name, 0, 0}))
            return true;
    return false;
}

/* Sets a's dimensions to sizes, typed.  Small arrays of constant size are each point's own, unless
 * definitions or loops share out their elements; others are the call's. */
static bool set_sizes(struct fn *f, struct node *const *sizes, bool shared, struct array *a) {
    wide_int size = 1;
    for (int i = 0; i < a->rank && size <= MAX_LOCAL_ARRAY; i++)
        size *= is_constant_size(sizes[i]) ? sizes[i]->value.i : MAX_LOCAL_ARRAY + 1;
    a->of_call = (size > MAX_LOCAL_ARRAY || shared) && has_intermediates(f);
    for (int i = 0; i < a->rank; i++) {
        if (!a->of_call && !is_constant_size(sizes[i])) {
            fail(f, sizes[i]->at, "a local array's size is a constant whole number from 1 to %d",
                 MAX_LOCAL_ARRAY);
            return false;
        }
        struct node *bound = a->of_call ? convert(f, sizes[i], DT_INT64) : NULL;
        a->dims[i] = !a->of_call ? constant_dim(f, sizes[i], sizes[i]->value.i)
                     : bound     ? intermediate_dim(f, bound, a->name)
                                 : NULL;
        if (!a->dims[i])
            return false;
    }
    if (!a->of_call && size > MAX_LOCAL_ARRAY)
        fail(f, a->at, "a local array has up to %d elements", MAX_LOCAL_ARRAY);
    return a->of_call || size <= MAX_LOCAL_ARRAY;
}

/* Sets the rank and the dimensions that a declaration n gives an array. */
static bool check_sizes(struct fn *f, const struct node *n, struct array *a) {
    const struct typename *type = n->decltype_;
    const struct overload *o = f->unit->overload;
    bool once = o && f->nclauses == 0 && f->nloops == 0 &&
                o->nin + o->nout + o->nintermediates < MAX_SHARED_AT; /* others may need the rest */
    bool shared = (f->nclauses == 0 && is_defined(f, n->list)) ||
                  (once && is_scattered(f, n->list, a->dtype));
    struct node *sizes[MAX_CORE_RANK];
    for (const struct node *s = type->sizes; s; s = s->next) {
        if (a->rank == MAX_CORE_RANK) {
            fail(f, s->at, "an array has up to %d dimensions", MAX_CORE_RANK);
            return false;
        }
        struct node *t = sizes[a->rank++] = check_expr(f, s);
        if (!t)
            return false;
        if (t->type.kind != TYPE_WEAK_INT && strong_dtype(t->type) != DT_INT64) {
            fail(f, s->at, "a size is a whole number, this is %s%s", type_name(t->type),
                 is_whole_quotient(f, t) ? "; the quotient of whole numbers is '//'" : "");
            return false;
        }
        if (t->kind == N_CONST && t->value.i < 1) {
            fail(f, s->at, "a size is 1 or more");
            return false;
        }
    }
    return set_sizes(f, sizes, shared, a);
}

void check_local_array(struct fn *f, const struct node *n, struct node ***tail) {
    const struct typename *type = n->decltype_;
    struct array a = {.name = n->list->name,
                      .at = type->at,
                      .dtype = declared_type(f, type),
                      .kind = ARRAY_LOCAL,
                      .written = true};
    bool ok = a.dtype != DT_COUNT && check_sizes(f, n, &a);
    if (n->kind == N_LET || n->b) {
        fail(f, n->at, "a local array is a 'var' that begins with zeros; assign its elements");
        ok = false;
    }
    for (const struct node *name = n->list; name; name = name->next) {
        struct local *l = declare(f, name, ok ? dtype_type(a.dtype) : (struct type){TYPE_NONE, 0});
        if (!ok)
            continue;
        l->array = NEW(f->uc, struct array);
        *l->array = a;
        l->array->name = name->name;
        l->array->at = name->at;
        if (a.of_call && make_intermediate(f, l->array))
            fill_array(f, n, l->array, NULL, tail);
        if (a.of_call)
            continue;
        struct node *t = typed(f, N_VAR, n, (struct type){TYPE_NONE, DT_BOOL});
        t->list = local_node(f, name, l);
        append_statement(tail, t);
    }
}
