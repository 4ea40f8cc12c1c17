/* gather.c: definitions by sums over all that has an index for its key.
 *
 * Of `s[j] = c[j] + sum(w[i] for i if k[i] == j) for j` each element is a pass over all of k.  For
 * GPUs there is another version, in which one pass adds up all elements:
 *
 *     t[k[i]] += w[i] for i if k[i] >= 0 and k[i] < m
 *     s[j] = c[j] + t[j] for j
 *
 * Whichever is faster for the sizes of a call runs. */
#include <string.h>

#include "check.h"

/* A sum or count by key within a definition. */
struct gather {
    struct fn *f;
    const struct node *define, *call;
    const struct node *key, *test; /* test: where the filter, or the counted condition, has it */
    enum ufc_dtype dtype;          /* of the sum */
    const struct dim *dim;         /* of the index */
};

static const char *index_name(const struct node *define) {
    return define->clauses->list->name;
}

/* ---- what is a sum by key */

static bool is_name(const struct node *n, const char *name) {
    return n->kind == N_NAME && n->name == name;
}

/* Finds `key == j` among conditions that all must hold; no other mentions j. */
static bool find_key(struct gather *x, const struct node *n) {
    const char *j = index_name(x->define);
    if (n->kind == N_BINARY && n->op == OP_LAND)
        return find_key(x, n->a) && find_key(x, n->b);
    if (!mentions(n, j))
        return true;
    bool equal = n->kind == N_BINARY && n->op == OP_EQ && !x->key;
    const struct node *key = !equal             ? NULL
                             : is_name(n->a, j) ? n->b
                             : is_name(n->b, j) ? n->a
                                                : NULL;
    if (!key || mentions(key, j))
        return false;
    x->key = key;
    x->test = n;
    return true;
}

static bool counts(const struct node *call) {
    return strcmp(call->name, "count") == 0;
}

static bool is_by_key(struct gather *x, const struct node *n) {
    const char *j = index_name(x->define);
    bool one = n->list && !n->list->next && (counts(n) || strcmp(n->name, "sum") == 0);
    if (!one || decl_named(x->f, n->name))
        return false;
    x->key = NULL;
    for (const struct node *c = n->clauses; c; c = c->next)
        if (c->list->name == j || (c->a && mentions(c->a, j)) || (c->b && mentions(c->b, j)) ||
            (c->c && mentions(c->c, j)))
            return false;
    bool known = (!n->filter || find_key(x, n->filter)) &&
                 (counts(n) ? find_key(x, n->list) : !mentions(n->list, j));
    return known && x->key;
}

/* Finds the only such call in what a value is computed from, at each point. */
static bool find_call(struct gather *x, const struct node *n) {
    if (!n)
        return false;
    if (n->kind == N_CALL && n->clauses) {
        x->call = n;
        return is_by_key(x, n);
    }
    bool inner = n->kind == N_UNARY || n->kind == N_BINARY || n->kind == N_COND;
    if (inner)
        return find_call(x, n->a) || find_call(x, n->b) || find_call(x, n->c);
    for (const struct node *arg = n->kind == N_CALL ? n->list : NULL; arg; arg = arg->next)
        if (find_call(x, arg))
            return true;
    return false;
}

/* Is the definition one of all elements, by one index? */
static bool is_of_all(const struct node *n) {
    const struct node *c = n->clauses;
    return n->op == OP_COUNT && !n->filter && c && !c->next && !c->a && !c->then &&
           n->list->kind == N_INDEX && n->list->list && !n->list->list->next &&
           is_name(n->list->list, c->list->name);
}

/* Has the target's dimension a size that can be written? */
static bool has_size(struct gather *x) {
    const struct local *l = local_named(x->f, x->define->list->name), *size;
    if (!l || !l->array || l->array->rank != 1)
        return false;
    x->dim = l->array->dims[0];
    size = x->dim->size < 0 && x->dim->name ? local_named(x->f, x->dim->name) : NULL;
    return x->dim->size >= 0 || (size && size->dim == x->dim);
}

/* The type of an expression within the definition; false: it has none. */
static bool type_within(struct gather *x, const struct node *n, enum ufc_dtype *d) {
    struct fn *f = x->f;
    struct node *t = typed(f, N_DEFINE, x->define, (struct type){TYPE_NONE, DT_BOOL}), own = *n;
    struct binding *outside = f->names;
    int guards = f->guards;
    own.next = NULL;
    const struct node *v = open_clauses(f, x->define, t) ? check_expr(f, &own) : NULL;
    close_clauses(f, outside, guards);
    *d = v ? v->type.dtype : DT_BOOL;
    return v && v->type.kind == TYPE_DTYPE;
}

/* Are keys whole numbers, and is the sum of a type that definitions merge in any order? */
static bool has_types(struct gather *x) {
    enum ufc_dtype key;
    struct node most = *x->call, value = *x->key;
    value.next = NULL;
    most.list = &value;
    most.filter = NULL;
    most.name = intern(x->f->uc, "max", 3);
    if (!type_within(x, &most, &key) || !is_integer(key))
        return false;
    x->dtype = DT_INT64;
    if (counts(x->call))
        return true;
    return type_within(x, x->call, &x->dtype) &&
           (is_integer(x->dtype) || x->dtype == DT_FLOAT32 || x->dtype == DT_FLOAT64);
}

/* ---- the version of one pass */

static struct node *pair_of(struct fn *f, const struct node *from, enum op op, struct node *a,
                            struct node *b) {
    struct node *n = node_new(f->uc, N_BINARY, from->at);
    n->mark = from->mark;
    n->op = op;
    n->a = a;
    n->b = b;
    return n;
}

static struct node *copied(struct fn *f, const struct node *n) {
    struct node *copy = NEW(f->uc, struct node);
    *copy = *n;
    copy->next = NULL;
    return copy;
}

/* Adds a condition to those before it; NULL: there are none. */
static struct node *with_condition(struct fn *f, struct node *before, struct node *n) {
    return before ? pair_of(f, n, OP_LAND, before, n) : n;
}

static struct node *whole(struct fn *f, const struct node *from, int64_t value) {
    struct node *n = node_new(f->uc, N_CONST, from->at);
    n->value.type.kind = n->type.kind = TYPE_WEAK_INT;
    n->value.i = value;
    return n;
}

static struct node *size_of(const struct gather *x, const struct node *from) {
    if (x->dim->size >= 0)
        return whole(x->f, from, x->dim->size);
    struct node *name = node_new(x->f->uc, N_NAME, from->at);
    name->mark = from->at;
    name->name = x->dim->name;
    return name;
}

/* The conditions of n, but for the test, for which the key is to be an index. */
static struct node *conditions(const struct gather *x, struct node *before, const struct node *n) {
    struct fn *f = x->f;
    if (n->kind == N_BINARY && n->op == OP_LAND)
        return conditions(x, conditions(x, before, n->a), n->b);
    if (n != x->test)
        return with_condition(f, before, copied(f, n));
    struct node *least = pair_of(f, n, OP_GE, copied(f, x->key), whole(f, n, 0));
    struct node *most = pair_of(f, n, OP_LT, copied(f, x->key), size_of(x, n));
    return pair_of(f, n, OP_LAND, with_condition(f, before, least), most);
}

struct node *with_calls(struct fn *f, const struct node *n, const struct node *const *calls,
                        struct node *const *by, int count) {
    if (!n)
        return NULL;
    int i = 0;
    while (i < count && n != calls[i])
        i++;
    struct node *copy = copied(f, i < count ? by[i] : n), **end = &copy->list;
    if (i < count || n->kind == N_NAME || n->kind == N_INDEX || n->clauses)
        return copy;
    copy->a = with_calls(f, n->a, calls, by, count);
    copy->b = with_calls(f, n->b, calls, by, count);
    copy->c = with_calls(f, n->c, calls, by, count);
    for (const struct node *arg = n->kind == N_CALL ? n->list : NULL; arg; arg = arg->next) {
        *end = with_calls(f, arg, calls, by, count);
        end = &(*end)->next;
    }
    return copy;
}

static void define_by_pass(const struct gather *x, struct node ***tail) {
    struct fn *f = x->f;
    const struct node *n = x->define, *call = x->call;
    struct array *a = make_zeroed(f, n, "by_key", x->dtype, tail);
    if (!a)
        return;
    struct node merge = *n, define = *n, *element = copied(f, n->list), *by = copied(f, n->list);
    struct node *filter = call->filter ? conditions(x, NULL, call->filter) : NULL;
    element->name = by->name = a->name;
    element->list = copied(f, x->key);
    merge.list = element;
    merge.op = OP_ADD;
    merge.clauses = call->clauses;
    merge.filter = counts(call) ? conditions(x, filter, call->list) : filter;
    merge.b = counts(call) ? whole(f, call, 1) : copied(f, call->list);
    check_define(f, &merge, tail);
    define.b = with_calls(f, n->b, &x->call, &by, 1);
    check_define(f, &define, tail);
}

bool check_gather(struct fn *f, const struct node *n, struct node ***tail) {
    struct gather x = {.f = f, .define = n};
    struct unit *unit = f->unit;
    bool may =
        has_intermediates(f) && !f->caller && f->nloops == 0 && f->nclauses == 0 && is_of_all(n);
    if (!may || !has_size(&x) || !find_call(&x, n->b) || !has_types(&x))
        return false;
    unit->gathers = true;
    if (unit->by_pass)
        define_by_pass(&x, tail);
    return unit->by_pass;
}
