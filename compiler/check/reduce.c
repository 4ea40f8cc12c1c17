/* reduce.c: unordered iteration: `for` clauses, and comprehensions. */
#include <math.h>
#include <string.h>

#include "check.h"

static const char *const names[] = {
#define REDUCE(ID, name) name,
#include "reduce.def"
};

static int kind_named(const char *name) {
    int kind = 0;
    while (kind < REDUCE_COUNT_OF_KINDS && strcmp(names[kind], name) != 0)
        kind++;
    return kind;
}

/* ---- ranges that subscripts give */

/* The dimension that gives an index its range: the index runs over all of an axis that it
 * subscripts. */
struct found {
    const struct fn *f;
    const char *index;                /* the index's name */
    const struct dim *dim, *differs;  /* another one that it subscripts, or NULL */
    const struct node *first, *other; /* where it subscripts dim, differs */
};

static enum walk find_in_subscripts(const struct node *n, void *arg) {
    struct found *found = arg;
    const struct local *l = n->kind == N_INDEX ? local_named(found->f, n->name) : NULL;
    int axis = 0;
    if (!l || !l->array)
        return WALK_IN;
    for (const struct node *s = n->list; s && axis < l->array->rank; s = s->next, axis++) {
        const struct dim *dim = l->array->dims[axis];
        if (s->kind != N_NAME || s->name != found->index || !dim)
            continue;
        if (!found->dim) {
            found->dim = dim;
            found->first = n;
        } else if (!same_dim(found->dim, dim) && !found->differs) {
            found->differs = dim;
            found->other = n;
        }
    }
    return WALK_IN;
}

/* n: a call or a definition with clauses. */
static void find_dims(struct found *found, const struct node *n) {
    ast_walk(n->list, find_in_subscripts, found); /* a definition's target comes first */
    if (n->kind == N_DEFINE)
        ast_walk(n->b, find_in_subscripts, found);
    ast_walk(n->clauses, find_in_subscripts, found);
    ast_walk(n->filter, find_in_subscripts, found);
}

/* Finds a subscript of an array that is a name without a meaning.  Comprehensions within have
 * indices of their own. */
struct unknown {
    const struct fn *f;
    const struct node *clauses;
    const char *name; /* NULL: there is none */
};

static enum walk find_unknown(const struct node *n, void *arg) {
    struct unknown *u = arg;
    if (n->clauses)
        return WALK_PAST;
    const struct local *l = n->kind == N_INDEX ? local_named(u->f, n->name) : NULL;
    for (const struct node *s = l && l->array ? n->list : NULL; s; s = s->next) {
        const struct node *c = u->clauses;
        if (s->kind != N_NAME || has_meaning(u->f, s->name))
            continue;
        while (c && c->list->name != s->name)
            c = c->next;
        u->name = c ? u->name : s->name;
    }
    return u->name ? WALK_STOP : WALK_IN;
}

static void no_range(struct fn *f, const struct node *n, const struct node *name) {
    struct unknown u = {f, n->clauses, NULL};
    ast_walk(n->kind == N_DEFINE ? n->b : n->list, find_unknown, &u);
    if (u.name)
        fail(f, name->at, "'%s' subscripts nothing, and '%s' has no range; write 'for %s'",
             name->name, u.name, u.name);
    else
        fail(f, name->at,
             "the range of '%s' cannot be found, since it subscripts nothing by itself; "
             "write 'for %s in a..b'",
             name->name, name->name);
}

static const struct dim *range_of(struct fn *f, const struct node *n, const struct node *name) {
    struct found found = {.f = f, .index = name->name};
    find_dims(&found, n);
    if (found.differs) {
        fail(f, name->at,
             "'%s' subscripts dimensions of different sizes, '%s' and others; if that is meant, "
             "write 'for %s in 0..%s'",
             name->name, found.dim->name, name->name,
             smaller_dim(f, found.dim, found.differs)->name);
        note(f->uc, found.first->at, "here");
        note(f->uc, found.other->at, "and here");
        return NULL;
    }
    if (!found.dim)
        no_range(f, n, name);
    return found.dim;
}

const char *clause_range(struct fn *f, const struct node *n, const struct node *clause) {
    if (clause->a)
        return short_text(f, (struct span){clause->a->at.begin, clause->at.end});
    struct found found = {.f = f, .index = clause->list->name};
    find_dims(&found, n);
    return found.dim ? arena_printf(f->uc, "0..%s", found.dim->name) : "a..b";
}

/* ---- clauses */

struct node *dim_node(struct fn *f, const struct node *from, const struct dim *dim) {
    if (dim->size >= 0)
        return constant_node(f, from,
                             (struct constant){.type = dtype_type(DT_INT64), .i = dim->size});
    if (dim->length)
        return slice_length(f, from, dim);
    struct local *l = local_hidden(f, from->at, dtype_type(DT_INT64));
    l->dim = dim;
    return local_node(f, from, l);
}

static struct node *zero(struct fn *f, const struct node *from) {
    return constant_node(f, from, (struct constant){.type = dtype_type(DT_INT64)});
}

static struct local *open_index(struct fn *f, const struct node *name) {
    check_index_name(f, name);
    struct local *index = local_new(f, name->name, name->at, (struct type){TYPE_WEAK_INT, DT_BOOL});
    index->is_index = true;
    return index;
}

/* The array that `for v in x` iterates over; NULL after an error. */
static struct array *array_of_elements(struct fn *f, const struct node *n) {
    struct array *slice = is_slice(n) ? check_slice(f, n, true) : NULL;
    if (is_slice(n) && (!slice || slice->rank == 1))
        return slice;
    struct local *l = n->kind == N_NAME ? local_named(f, n->name) : NULL;
    if (n->kind == N_CALL && foreign_iterator(n->name))
        fail(f, n->mark, "unexpected '%s'; write 'for i in 0..n'%s", n->name,
             strstr(n->name, "range") ? "" : ", and 'x[i]' for an element");
    else if (n->kind == N_NAME && !l)
        unknown_name(f, n, false);
    else if (n->kind == N_INDEX)
        fail(f, n->at, "'for' runs over a range or an array of one dimension; a row is '%s[i, :]'",
             n->name);
    else if (l && !l->array && l->type.kind == TYPE_WEAK_INT)
        fail(f, n->at, "'for' runs over a range, write '0..%s'", l->name);
    else if (!l || (!l->array && l->type.kind != TYPE_NONE))
        fail(f, n->at, "'for' runs over a range, 'a..b', or the elements of an array%s",
             n->kind == N_CALL ? "; bind one that a call gives by 'let'" : "");
    else if (l->array && l->array->rank != 1)
        fail(f, n->at, "'%s' has %d dimensions; write 'for i, j' and '%s[i, j]'", l->name,
             l->array->rank, l->name);
    else if (l->array) {
        l->used = true;
        return l->array;
    }
    return NULL;
}

/* `for name in x`: the range of a hidden index goes to t.  Gives the statement `let name =
 * x[index]`. */
struct node *open_elements(struct fn *f, const struct node *name, const struct node *over,
                           bool from_0, struct node *t) {
    struct array *x = array_of_elements(f, over);
    if (!x)
        local_new(f, name->name, name->at, (struct type){TYPE_NONE, DT_BOOL});
    if (!x)
        return NULL;
    struct local *index = local_hidden(f, name->at, dtype_type(DT_INT64));
    index->is_index = true;
    t->list = local_node(f, name, index);
    struct node *element = slice_element(f, over, x, from_0, index, t);
    check_index_name(f, name);
    struct local *v = local_new(f, name->name, name->at, element->type);
    v->is_index = true;
    struct node *let = typed(f, N_LET, name, (struct type){TYPE_NONE, DT_BOOL});
    let->list = local_node(f, name, v);
    let->b = element;
    return let;
}

static bool check_step(struct fn *f, const struct node *step, const struct node *written) {
    if (!step || step->kind != N_CONST || step->value.i != 0)
        return true;
    fail(f, written->at, "a step of 0");
    return false;
}

/* Whether n, a call or a definition with clauses, is a comprehension whose result is an index. */
static bool gives_index(const struct node *n) {
    int kind = n->kind == N_CALL ? kind_named(n->name) : REDUCE_COUNT_OF_KINDS;
    return kind == REDUCE_ARGMIN || kind == REDUCE_ARGMAX;
}

/* One clause, typed, with its name in scope, followed by the statement that binds an element, if
 * any. */
static struct node *open_clause(struct fn *f, const struct node *n, const struct node *c) {
    struct node *t = typed(f, N_CLAUSE, c, (struct type){TYPE_NONE, DT_BOOL});
    if (c->a && !c->b)
        return (t->then = open_elements(f, c->list, c->a, gives_index(n), t)) ? t : NULL;
    bool ok = true;
    if (c->a) {
        t->a = check_bound(f, c->a, "a range");
        t->b = check_bound(f, c->b, "a range");
        t->c = c->c ? check_bound(f, c->c, "a step") : NULL;
        ok = t->a && t->b && (t->c || !c->c) && check_step(f, t->c, c->c);
    } else {
        const struct dim *dim = range_of(f, n, c->list);
        ok = dim != NULL;
        t->a = zero(f, c);
        t->b = ok ? dim_node(f, c, dim) : NULL;
    }
    struct local *index = open_index(f, c->list);
    set_reach(f, index, t);
    t->list = local_node(f, c->list, index);
    return ok ? t : NULL;
}

bool open_clauses(struct fn *f, const struct node *n, struct node *t) {
    struct node **tail = &t->clauses;
    bool ok = true;
    f->level++;
    f->nclauses++;
    for (const struct node *c = n->clauses; c; c = c->next) {
        struct node *clause = open_clause(f, n, c);
        ok = ok && clause;
        if (clause) {
            *tail = clause;
            tail = &clause->next;
        }
    }
    if (n->filter)
        ok = (t->filter = check_condition(f, n->filter)) && ok;
    f->guards += n->filter != NULL;
    return ok;
}

void close_clauses(struct fn *f, struct binding *outside, int guards) {
    f->level--;
    f->nclauses--;
    forget(f, outside);
    f->guards = guards;
}

/* ---- comprehensions */

static struct type weak_int(void) {
    return (struct type){TYPE_WEAK_INT, DT_BOOL};
}

static bool is_whole(struct type t) {
    return t.kind == TYPE_WEAK_INT ||
           (t.kind == TYPE_DTYPE && (is_integer(t.dtype) || t.dtype == DT_BOOL));
}

/* The type that sums and products are computed in; whole numbers take 64 bits. */
static struct type wide_type(struct type t) {
    if (t.kind != TYPE_DTYPE || !is_whole(t))
        return t;
    return dtype_type(dtype_info[t.dtype].kind == 'u' ? DT_UINT64 : DT_INT64);
}

/* The highest (or lowest) value of a type. */
static struct constant extreme(enum ufc_dtype d, bool high) {
    struct constant c = {.type = dtype_type(d)};
    if (d == DT_BOOL || is_integer(d))
        c.i = high ? highest(d) : lowest(d);
    else
        c.f = c.im = high ? INFINITY : -INFINITY;
    if (!is_complex(d))
        c.im = 0;
    return c;
}

void declare_pairs(struct fn *f, struct comprehension *c, const struct node *n,
                   const struct type *types) {
    c->acc = NEWN(f->uc, struct local *, c->width);
    c->other = NEWN(f->uc, struct local *, c->width);
    for (int i = 0; i < c->width; i++) {
        c->acc[i] = local_hidden(f, n->at, types[i]);
        c->other[i] = local_hidden(f, n->at, types[i]);
    }
}

static struct node *acc_node(struct fn *f, const struct node *n, struct comprehension *c) {
    return local_node(f, n, c->acc[0]);
}

static struct node *other_node(struct fn *f, const struct node *n, struct comprehension *c) {
    return local_node(f, n, c->other[0]);
}

/* Whether c gives the place of a value. */
static bool is_place(const struct comprehension *c) {
    return c->kind == REDUCE_ARGMIN || c->kind == REDUCE_ARGMAX;
}

/* Whether argmin or argmax takes `other` instead of acc: the first NaN, if there is one. */
static struct node *better(struct fn *f, const struct node *n, struct comprehension *c,
                           enum ufc_dtype d) {
    struct node *acc = acc_node(f, n, c), *other = other_node(f, n, c);
    bool low = c->kind == REDUCE_ARGMIN;
    if (!is_float(d) && !is_complex(d))
        return binary(f, n, low ? OP_LT : OP_GT, other, acc);
    struct node *known = binary(f, n, OP_EQ, acc_node(f, n, c), acc_node(f, n, c));
    struct node *worse = binary(f, n, low ? OP_GE : OP_LE, other, acc);
    struct node *not_worse = typed(f, N_UNARY, n, dtype_type(DT_BOOL));
    not_worse->op = OP_LNOT;
    not_worse->a = worse;
    return worse != NULL ? binary(f, n, OP_LAND, known, not_worse) : NULL;
}

static struct node *minmax(struct fn *f, const struct node *n, enum builtin_id id, struct node *a,
                           struct node *b) {
    struct node *args[] = {a, b};
    return a && b ? call_builtin(f, n, &builtins[id], args) : NULL;
}

/* Sets c->identity and c->combined.  t: the type of the values. */
static bool set_operation(struct fn *f, const struct node *n, struct comprehension *c,
                          struct type t) {
    struct constant one = {.type = t, .i = 1, .f = 1}, none = {.type = t};
    enum ufc_dtype d = strong_dtype(t);
    declare_pairs(f, c, n, &t);
    struct node *acc = acc_node(f, n, c), *other = other_node(f, n, c);
    switch (c->kind) {
    case REDUCE_SUM:
    case REDUCE_MEAN:
    case REDUCE_COUNT:
        c->identity = constant_node(f, n, none);
        c->combined = binary(f, n, OP_ADD, acc, other);
        break;
    case REDUCE_PROD:
        if (is_whole(t))
            one.f = 0;
        else
            one.i = 0;
        c->identity = constant_node(f, n, one);
        c->combined = binary(f, n, OP_MUL, acc, other);
        break;
    case REDUCE_MIN:
    case REDUCE_MAX: {
        struct constant limit = extreme(d, c->kind == REDUCE_MIN);
        limit.type = dtype_type(d);
        c->identity = constant_node(f, n, limit);
        c->combined = minmax(f, n, c->kind == REDUCE_MIN ? B_MIN : B_MAX, acc, other);
        break;
    }
    case REDUCE_ANY:
    case REDUCE_ALL: {
        struct constant limit = {.type = dtype_type(DT_BOOL), .i = c->kind == REDUCE_ALL};
        c->identity = constant_node(f, n, limit);
        c->combined = binary(f, n, c->kind == REDUCE_ALL ? OP_LAND : OP_LOR, acc, other);
        break;
    }
    default: { /* argmin, argmax: the first NaN is taken; of nothing the value is that of min, max
                */
        struct constant limit = extreme(d, c->kind == REDUCE_ARGMIN);
        c->identity = constant_node(f, n, limit);
        c->combined = better(f, n, c, d);
    }
    }
    return c->combined != NULL;
}

bool own_reduction(struct fn *f, const struct node *n) {
    const struct node *first = n->list;
    return strcmp(n->name, "reduce") == 0 && first && first->kind == N_NAME &&
           is_comprehension(first->name) && !has_meaning(f, first->name);
}

/* A comprehension's second value and its clauses. */
static struct span behind_first(const struct node *n) {
    struct span at = n->list->next->at;
    for (const struct node *c = n->clauses; c; c = c->next)
        at.end = c->at.end;
    if (n->filter)
        at.end = n->filter->at.end;
    return at;
}

bool has_values(struct fn *f, const struct node *n, int wanted) {
    int got = 0;
    for (const struct node *a = n->list; a; a = a->next)
        got++;
    if (got == wanted)
        return true;
    const char *hint = "";
    if (wanted == 3 && got == 2 && own_reduction(f, n))
        hint =
            arena_printf(f->uc, "; write '%s(%s)'", n->list->name, short_text(f, behind_first(n)));
    else if (wanted == 3 && got > wanted)
        hint = "; several stand in parentheses, 'reduce(f, (a, b), (c, d) for ...)'";
    else if (wanted == 3)
        hint = "; they are a function of two values, what it begins with, and what it takes: "
               "'reduce(f, 0, x[i] for i)'";
    fail(f, n->mark, "'%s' takes %d value%s with 'for', got %d%s", n->name, wanted,
         wanted == 1 ? "" : "s", got, hint);
    return false;
}

/* sum, prod, min and others of one value. */
static struct node *check_plain(struct fn *f, const struct node *n, struct node *t,
                                struct comprehension *c) {
    struct node *v = has_values(f, n, 1) ? check_expr(f, n->list) : NULL;
    if (!v)
        return NULL;
    bool places = is_place(c);
    if (places && n->clauses->next) {
        fail(f, n->clauses->next->at, "'%s' gives one index; it takes one 'for'", n->name);
        return NULL;
    }
    bool logical = c->kind == REDUCE_ANY || c->kind == REDUCE_ALL || c->kind == REDUCE_COUNT;
    struct type type = v->type;
    if (logical && !(type.kind == TYPE_DTYPE && type.dtype == DT_BOOL)) {
        fail(f, v->at, "'%s' takes conditions, this is %s; write '... != 0'", n->name,
             type_name(type));
        return NULL;
    }
    if (c->kind == REDUCE_SUM || c->kind == REDUCE_PROD)
        type = wide_type(type);
    else if (c->kind == REDUCE_MEAN)
        type = is_whole(type) ? dtype_type(DT_FLOAT64) : type;
    else if (c->kind == REDUCE_COUNT)
        type = weak_int();
    if (c->kind == REDUCE_COUNT)
        v = convert(f, v, DT_INT64);
    else if (type.kind != TYPE_DTYPE) /* a weak value that is computed is an int64 or a float64 */
        type = dtype_type(strong_dtype(type));
    if (type.kind == TYPE_DTYPE)
        v = convert(f, v, type.dtype);
    c->value = v;
    t->type = type;
    if (places)
        t->type = weak_int();
    return v && set_operation(f, n, c, type) ? t : NULL;
}

/* ---- comprehensions of any kind */

/* A comprehension, which is typed; NULL after an error. */
static struct node *check_kind(struct fn *f, const struct node *n) {
    int kind = kind_named(n->name);
    const struct decl *d = decl_named(f, n->name);
    if (kind == REDUCE_COUNT_OF_KINDS || d) {
        fail(f, n->mark,
             "'%s' takes no 'for'; sum, prod, min, max, any, all, count, mean, argmin, "
             "argmax and reduce do",
             n->name);
        if (d)
            note(f->uc, d->at, "'%s' is declared here", n->name);
        return NULL;
    }
    struct node *t = typed(f, N_REDUCE, n, (struct type){TYPE_NONE, DT_BOOL});
    struct comprehension *c = t->comprehension = NEW(f->uc, struct comprehension);
    struct binding *outside = f->names;
    int guards = f->guards;
    c->kind = (enum reduce_kind)kind;
    c->width = 1;
    bool ok = open_clauses(f, n, t);
    ok = (kind == REDUCE_REDUCE ? check_joined : check_plain)(f, n, t, c) && ok;
    close_clauses(f, outside, guards);
    return ok ? t : NULL;
}

struct node *check_reduce(struct fn *f, const struct node *n) {
    struct node *t = check_kind(f, n);
    if (!t || t->comprehension->width == 1)
        return t;
    fail(f, n->mark, "'reduce' joins %d values here; write 'let a, b = reduce(...)'",
         t->comprehension->width);
    return NULL;
}

struct values reduce_values(struct fn *f, const struct node *n, int wanted) {
    struct node *t = check_kind(f, n);
    struct comprehension *c = t ? t->comprehension : NULL;
    bool place = t && is_place(c);
    struct values v = values_new(f, !t ? 1 : place && wanted > 1 ? 2 : c->width);
    set_value(&v, 0, t);
    if (!t)
        v.count = 0;
    if (v.count <= 1)
        return v;
    v.call = t;
    if (place)
        v.types[1] = c->acc[0]->type;
    for (int i = 0; i < v.count && !place; i++)
        v.types[i] = c->acc[i]->type;
    if (place) /* they are two now */
        t->type = (struct type){TYPE_NONE, DT_BOOL};
    return v;
}

bool is_comprehension(const char *name) {
    return kind_named(name) != REDUCE_COUNT_OF_KINDS;
}
