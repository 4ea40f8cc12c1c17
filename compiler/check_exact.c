/* check_exact.c: sums of floating-point numbers by accumulating definitions, `h[b[i]] += w[i] for
 * i`, whose bits do not depend on the order: the numbers of an element are added as whole multiples
 * of a quantum of its own.
 *
 *     top[b[i]] = max(top[b[i]], _magnitude(w[i])) for i
 *     sum[b[i]] += _quanta(w[i], top[b[i]]) for i
 *     h[k] = _with_quanta(h[k], top[k], sum[k]) for k
 *
 * top is the exponent of the largest number, sum in units of 2**-30 of its power of two.  Of
 * float64 a second sum has what is left of each number, in units of 2**-60 of that power. */
#include <string.h>

#include "check.h"

static struct node *index_of(struct fn *f, const struct node *n, const char *array,
                             const struct node *subscripts) {
    struct node *e = node_new(f->uc, N_INDEX, n->list->at);
    e->mark = n->list->mark;
    e->name = array;
    e->list = (struct node *)subscripts;
    return e;
}

static struct node *call_of(struct fn *f, const struct node *n, const char *name,
                            struct node *args) {
    struct node *call = node_new(f->uc, N_CALL, n->b->at);
    call->mark = n->b->at;
    call->name = intern(f->uc, name, strlen(name));
    call->list = args;
    call->optional = true; /* it may be of a private function */
    return call;
}

/* Copies of values as a list of arguments. */
static struct node *listed(struct fn *f, const struct node *const *values, int n) {
    struct node *first = NULL, **end = &first;
    for (int i = 0; i < n; i++, end = &(*end)->next) {
        *end = NEW(f->uc, struct node);
        **end = *values[i];
        (*end)->next = NULL;
    }
    return first;
}

/* An array of whole numbers of the shape of n's target; NULL after an error. */
static struct array *make_array(struct fn *f, const struct node *n, const char *purpose,
                                enum ufc_dtype dtype) {
    const struct array *target = local_named(f, n->list->name)->array;
    struct array *a = NEW(f->uc, struct array);
    const char *name = arena_printf(f->uc, "_%s_%d", purpose, f->unit->overload->nintermediates);
    *a = *target;
    a->name = intern(f->uc, name, strlen(name));
    a->dtype = dtype;
    a->kind = ARRAY_LOCAL;
    a->written = true;
    return make_intermediate(f, a) ? a : NULL;
}

/* Declares such an array, which is 0. */
static void declare_array(struct fn *f, const struct node *n, struct array *a,
                          struct node ***tail) {
    struct node name = *n->list;
    name.kind = N_NAME;
    name.list = name.next = NULL;
    name.name = a->name;
    declare(f, &name, dtype_type(a->dtype))->array = a;
    fill_array(f, n, a, NULL, tail);
}

/* The arrays of a sum.  All overloads have those of float64. */
struct arrays {
    struct array *top, *sum, *fine; /* fine: NULL where no overload has it */
};

static bool make_arrays(struct fn *f, const struct node *n, bool wide, struct arrays *a) {
    bool several = f->unit->overload->decl->overloads->next != NULL;
    a->fine = NULL;
    return (a->top = make_array(f, n, "top", DT_INT32)) != NULL &&
           (a->sum = make_array(f, n, "sum", DT_INT64)) != NULL &&
           (!(wide || several) || (a->fine = make_array(f, n, "fine", DT_INT64)) != NULL);
}

void reserve_exact_sum(struct fn *f, const struct node *n) {
    struct arrays a;
    if (is_exact_sum(f, n) && f->unit->overload->decl->overloads->next != NULL)
        make_arrays(f, n, true, &a);
}

/* `array[subscripts] = function(array[subscripts], value)`, of n. */
static void merge_by(struct fn *f, const struct node *n, const struct array *a,
                     const char *function, const struct node *value, struct node ***tail) {
    struct node define = *n;
    const struct node *args[] = {index_of(f, n, a->name, n->list->list), value};
    define.op = OP_COUNT;
    define.list = index_of(f, n, a->name, n->list->list);
    define.b = call_of(f, n, function, listed(f, args, 2));
    check_define(f, &define, tail);
}

/* `array[subscripts] += function(value, top[subscripts])`, of n, as in a loop, where no sum of
 * whole numbers reserves arrays for itself. */
static void add_quanta(struct fn *f, const struct node *n, const struct array *a,
                       const char *function, const struct node *value, const struct array *top,
                       struct node ***tail) {
    const struct node *args[] = {value, index_of(f, n, top->name, n->list->list)};
    struct node define = *n;
    define.list = index_of(f, n, a->name, n->list->list);
    define.b = call_of(f, n, function, listed(f, args, 2));
    f->nloops++;
    check_define(f, &define, tail);
    f->nloops--;
}

/* Adds the sums to all elements of the target. */
static void add_sums(struct fn *f, const struct node *n, const struct arrays *sum, bool wide,
                     struct node ***tail) {
    const struct array *a = local_named(f, n->list->name)->array;
    struct node define = *n, *subscripts = NULL, **end = &subscripts, **clauses = &define.clauses;
    for (int i = 0; i < a->rank; i++) {
        struct node *name = *end = node_new(f->uc, N_NAME, n->list->at);
        const char *text = arena_printf(f->uc, "_%d", i);
        name->name = intern(f->uc, text, strlen(text));
        end = &name->next;
        *clauses = node_new(f->uc, N_CLAUSE, n->list->at);
        (*clauses)->mark = name->mark = n->list->at;
        (*clauses)->list = NEW(f->uc, struct node);
        *(*clauses)->list = *name;
        (*clauses)->list->next = NULL;
        clauses = &(*clauses)->next;
    }
    *clauses = NULL;
    const struct node *args[] = {index_of(f, n, n->list->name, subscripts),
                                 index_of(f, n, sum->top->name, subscripts),
                                 index_of(f, n, sum->sum->name, subscripts),
                                 wide ? index_of(f, n, sum->fine->name, subscripts) : NULL};
    const struct node *total =
        call_of(f, n, wide ? "_with_double_quanta" : "_with_quanta", listed(f, args, wide ? 4 : 3));
    define.op = OP_COUNT;
    define.filter = NULL;
    define.list = index_of(f, n, n->list->name, subscripts);
    define.b = call_of(f, n, dtype_info[a->dtype].name, listed(f, &total, 1));
    check_define(f, &define, tail);
}

bool is_exact_sum(const struct fn *f, const struct node *n) {
    return n->op == OP_ADD && f->nloops == 0 && has_intermediates(f);
}

void check_exact_sum(struct fn *f, const struct node *n, struct node ***tail) {
    bool wide = local_named(f, n->list->name)->array->dtype == DT_FLOAT64;
    const struct node *value =
        call_of(f, n, wide ? "float64" : "float32", listed(f, (const struct node *[]){n->b}, 1));
    struct arrays a;
    if (!make_arrays(f, n, wide, &a))
        return;
    declare_array(f, n, a.top, tail);
    declare_array(f, n, a.sum, tail);
    if (wide)
        declare_array(f, n, a.fine, tail);
    merge_by(f, n, a.top, "max", call_of(f, n, "_magnitude", listed(f, &value, 1)), tail);
    add_quanta(f, n, a.sum, "_quanta", value, a.top, tail);
    if (wide)
        add_quanta(f, n, a.fine, "_fine_quanta", value, a.top, tail);
    add_sums(f, n, &a, wide, tail);
}
