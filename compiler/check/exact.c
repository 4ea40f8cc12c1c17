/* exact.c: sums, minima, maxima and logaddexp of floating-point numbers by accumulating
 * definitions, whose bits do not depend on the order.
 *
 * Of `h[b[i]] += w[i] for i` the numbers of an element are added as whole multiples of a quantum of
 * its own:
 *
 *     top[b[i]] = max(top[b[i]], _magnitude(w[i])) for i
 *     sum[b[i]] += _quanta(w[i], top[b[i]]) for i
 *     h[k] = _with_quanta(h[k], top[k], sum[k]) for k
 *
 * The quantum is 2**-30 of the power of two above the largest number, which top tells.  Of float64
 * a second sum has what is left of each number, in units of 2**-60 of that power.  Complex numbers
 * have such sums of both parts.
 *
 * Of `h[b[i]] = max(h[b[i]], w[i]) for i`, where zeros differ in sign, whole numbers are compared:
 *
 *     key[b[i]] = max(key[b[i]], _max_key(w[i])) for i
 *     h[k] = _with_max(h[k], key[k]) for k
 *
 * Of `h[b[i]] = logaddexp(h[b[i]], w[i]) for i` the powers of e are added as shares of that of the
 * largest number, in units of 2**-30, and of float64 in two sums as above:
 *
 *     key[b[i]] = max(key[b[i]], _max_key(w[i])) for i
 *     sum[b[i]] += _shares(w[i], key[b[i]]) for i
 *     h[k] = _with_shares(h[k], key[k], _of_shares(key[k], sum[k])) for k */
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

static void declare_name(struct fn *f, const struct node *n, struct array *a) {
    struct node name = *n->list;
    name.kind = N_NAME;
    name.list = name.next = NULL;
    name.name = a->name;
    declare(f, &name, dtype_type(a->dtype))->array = a;
}

/* Declares such an array, which is 0. */
static void declare_array(struct fn *f, const struct node *n, struct array *a,
                          struct node ***tail) {
    declare_name(f, n, a);
    fill_array(f, n, a, NULL, tail);
}

struct array *make_beside(struct fn *f, const struct node *n, const char *purpose,
                          enum ufc_dtype dtype) {
    struct array *a = make_array(f, n, purpose, dtype);
    if (a)
        declare_name(f, n, a);
    return a;
}

struct array *make_zeroed(struct fn *f, const struct node *n, const char *purpose,
                          enum ufc_dtype dtype, struct node ***tail) {
    struct array *a = make_array(f, n, purpose, dtype);
    if (a)
        declare_array(f, n, a, tail);
    return a;
}

/* ---- what both end with */

/* A name that no source has. */
static struct node *hidden_name(struct fn *f, const struct node *n, int i) {
    struct node *name = node_new(f->uc, N_NAME, n->list->at);
    const char *text = arena_printf(f->uc, "%d.", i);
    name->mark = n->list->at;
    name->name = intern(f->uc, text, strlen(text));
    return name;
}

/* Makes `define` that of all elements of n's target, but for its value; gives the subscripts. */
static struct node *of_all_elements(struct fn *f, const struct node *n, struct node *define) {
    struct node *subscripts = NULL, **end = &subscripts, **clauses = &define->clauses;
    *define = *n;
    define->op = OP_COUNT;
    define->filter = NULL;
    for (int i = 0; i < local_named(f, n->list->name)->array->rank; i++) {
        *end = hidden_name(f, n, i);
        end = &(*end)->next;
        *clauses = node_new(f->uc, N_CLAUSE, n->list->at);
        (*clauses)->mark = n->list->at;
        (*clauses)->list = hidden_name(f, n, i);
        clauses = &(*clauses)->next;
    }
    *clauses = NULL;
    define->list = index_of(f, n, n->list->name, subscripts);
    return subscripts;
}

static struct node *call_with(struct fn *f, const struct node *n, const char *name,
                              const struct node *argument) {
    return call_of(f, n, name, listed(f, &argument, 1));
}

/* ---- sums */

/* The arrays of a sum, or of a part of complex ones.  All overloads have those of float64. */
struct quanta {
    struct array *top, *sum, *fine; /* fine: NULL where no overload has it */
};

enum { PARTS = 2 };

static bool has_several(const struct fn *f) {
    return f->unit->overload->decl->overloads->next != NULL;
}

static bool make_quanta(struct fn *f, const struct node *n, bool wide, struct quanta *s) {
    s->fine = NULL;
    return (s->top = make_array(f, n, "top", DT_INT32)) != NULL &&
           (s->sum = make_array(f, n, "sum", DT_INT64)) != NULL &&
           (!(wide || has_several(f)) || (s->fine = make_array(f, n, "fine", DT_INT64)) != NULL);
}

static bool has_complex(const struct fn *f) {
    for (const struct overload *o = f->unit->overload->decl->overloads; o; o = o->next)
        for (int k = 0; k < o->nin + o->nout; k++)
            if (is_complex((enum ufc_dtype)o->dtypes[k]))
                return true;
    return false;
}

/* Makes the arrays of the sums of all parts. */
static bool make_parts(struct fn *f, const struct node *n, enum ufc_dtype d,
                       struct quanta part[PARTS]) {
    bool parts = is_complex(d) || (has_several(f) && has_complex(f));
    bool wide = part_dtype(d) == DT_FLOAT64;
    return make_quanta(f, n, wide, &part[0]) && (!parts || make_quanta(f, n, wide, &part[1]));
}

/* Appends `array[subscripts] op= value`, with n's subscripts, to a list; op OP_COUNT: = value. */
static void put_assignment(struct fn *f, const struct node *n, const struct array *a, enum op op,
                           struct node *value, struct node ***end) {
    struct node *assign = **end = NEW(f->uc, struct node);
    *assign = *n;
    assign->kind = N_ASSIGN;
    assign->op = op;
    assign->clauses = assign->filter = assign->next = NULL;
    assign->list = index_of(f, n, a->name, n->list->list);
    assign->b = value;
    *end = &assign->next;
}

/* Appends `array[subscripts] = max(array[subscripts], value)`. */
static void put_most(struct fn *f, const struct node *n, const struct array *a,
                     const struct node *value, struct node ***end) {
    const struct node *args[] = {index_of(f, n, a->name, n->list->list), value};
    put_assignment(f, n, a, OP_COUNT, call_of(f, n, "max", listed(f, args, 2)), end);
}

/* What adds up n's values, or a part of them, of float32 or float64: statements of two loops, the
 * second of which is behind the first. */
struct loops {
    struct node *tops, **tops_end, *sums, **sums_end;
};

/* Appends `let 0., 1. = value`, of names from number `first` on, to the second loop. */
static void put_let(struct fn *f, const struct node *n, int first, int names, struct node *value,
                    struct loops *l) {
    struct node *let = *l->sums_end = node_new(f->uc, N_LET, n->list->at);
    struct node **end = &let->list;
    for (int i = 0; i < names; i++, end = &(*end)->next)
        *end = hidden_name(f, n, first + i);
    let->mark = n->mark;
    let->b = value;
    l->sums_end = &let->next;
}

static void put_sum(struct fn *f, const struct node *n, const struct quanta *s, bool wide, int part,
                    const struct node *value, struct loops *l) {
    const struct node *args[] = {value, index_of(f, n, s->top->name, n->list->list)};
    put_most(f, n, s->top, call_with(f, n, wide ? "_double_magnitude" : "_magnitude", value),
             &l->tops_end);
    put_let(f, n, 2 * part, wide ? 2 : 1,
            call_of(f, n, wide ? "_double_quanta" : "_quanta", listed(f, args, 2)), l);
    put_assignment(f, n, s->sum, OP_ADD, hidden_name(f, n, 2 * part), &l->sums_end);
    if (wide)
        put_assignment(f, n, s->fine, OP_ADD, hidden_name(f, n, 2 * part + 1), &l->sums_end);
}

static void declare_quanta(struct fn *f, const struct node *n, const struct quanta *s, bool wide,
                           struct node ***tail) {
    declare_array(f, n, s->top, tail);
    declare_array(f, n, s->sum, tail);
    if (wide)
        declare_array(f, n, s->fine, tail);
}

/* What an element, or a part of it, is with its sum, of type d. */
static struct node *with_sum(struct fn *f, const struct node *n, const struct quanta *s,
                             enum ufc_dtype d, const struct node *element,
                             const struct node *subscripts) {
    bool wide = d == DT_FLOAT64;
    const struct node *args[] = {element, index_of(f, n, s->top->name, subscripts),
                                 index_of(f, n, s->sum->name, subscripts),
                                 wide ? index_of(f, n, s->fine->name, subscripts) : NULL};
    const struct node *total =
        call_of(f, n, wide ? "_with_double_quanta" : "_with_quanta", listed(f, args, wide ? 4 : 3));
    return call_with(f, n, dtype_info[d].name, total);
}

static void check_sum(struct fn *f, const struct node *n, struct node ***tail) {
    static const char *const part_names[PARTS] = {"real", "imag"};
    enum ufc_dtype d = local_named(f, n->list->name)->array->dtype, part = part_dtype(d);
    bool wide = part == DT_FLOAT64;
    struct quanta sums[PARTS];
    if (!make_parts(f, n, d, sums))
        return;
    const char *type = is_complex(d) ? dtype_info[d].name : wide ? "float64" : "float32";
    const struct node *value = call_with(f, n, type, n->b), *totals[PARTS];
    struct node define, *subscripts = of_all_elements(f, n, &define);
    const struct node *element = index_of(f, n, n->list->name, subscripts);
    struct loops l = {0};
    l.tops_end = &l.tops;
    l.sums_end = &l.sums;
    for (int i = 0; i < (is_complex(d) ? PARTS : 1); i++) {
        const struct node *own = value, *of = element;
        if (is_complex(d)) {
            own = call_with(f, n, part_names[i], value);
            of = call_with(f, n, part_names[i], element);
        }
        declare_quanta(f, n, &sums[i], wide, tail);
        put_sum(f, n, &sums[i], wide, i, own, &l);
        totals[i] = with_sum(f, n, &sums[i], part, of, subscripts);
    }
    check_as_loops(f, n, l.tops, tail);
    check_as_loops(f, n, l.sums, tail);
    define.b = is_complex(d) ? call_of(f, n, "complex", listed(f, totals, PARTS))
                             : (struct node *)totals[0];
    check_define(f, &define, tail);
}

/* ---- minima, maxima, and sums of powers */

/* A function whose definitions go by keys; NULL: n's is none. */
struct extreme {
    int id;
    const char *key, *with;
    bool powers; /* which it adds: of e, or of 2, where of_2 is set */
    bool of_2;
};

static const struct extreme *extreme_of(const struct fn *f, const struct node *n) {
    static const struct extreme extremes[] = {
        {B_MAX, "_max_key", "_with_max", false, false},
        {B_MIN, "_min_key", "_with_min", false, false},
        {B_FMAX, "_fmax_key", "_with_fmax", false, false},
        {B_FMIN, "_fmin_key", "_with_fmin", false, false},
        {B_LOGADDEXP, "_max_key", "_with_shares", true, false},
        {B_LOGADDEXP2, "_max_key", "_with_shares2", true, true}};
    const struct builtin *b = NULL;
    if (n->op == OP_COUNT && n->b->kind == N_CALL && !decl_named(f, n->b->name))
        b = builtin_named(n->b->name);
    for (size_t i = 0; b && i < sizeof extremes / sizeof extremes[0]; i++)
        if (extremes[i].id == (int)b->id)
            return &extremes[i];
    return NULL;
}

/* The arrays of such a definition. */
struct keys {
    struct array *key, *sum, *fine; /* sums: NULL where there are none */
};

static bool make_keys(struct fn *f, const struct node *n, const struct extreme *e, enum ufc_dtype d,
                      struct keys *k) {
    bool fine = d == DT_FLOAT64 || has_several(f);
    *k = (struct keys){.key = make_array(f, n, "key", d == DT_FLOAT64 ? DT_UINT64 : DT_UINT32)};
    return k->key != NULL &&
           (!e->powers || ((k->sum = make_array(f, n, "sum", DT_INT64)) != NULL &&
                           (!fine || (k->fine = make_array(f, n, "fine", DT_INT64)) != NULL)));
}

/* Adds up the shares of n's values; gives what they make at some subscripts. */
static const struct node *check_powers(struct fn *f, const struct node *n, const struct extreme *e,
                                       const struct keys *k, enum ufc_dtype d,
                                       const struct node *value, const struct node *subscripts,
                                       struct node ***tail) {
    static const char *const shares[2][2] = {{"_shares", "_shares2"},
                                             {"_double_shares", "_double_shares2"}},
                             *const sums[2][2] = {{"_of_shares", "_of_shares2"},
                                                  {"_of_double_shares", "_of_double_shares2"}};
    bool wide = d == DT_FLOAT64;
    struct loops l = {0};
    l.sums_end = &l.sums;
    declare_array(f, n, k->sum, tail);
    if (wide)
        declare_array(f, n, k->fine, tail);
    const struct node *args[] = {value, index_of(f, n, k->key->name, n->list->list)};
    put_let(f, n, 0, wide ? 2 : 1, call_of(f, n, shares[wide][e->of_2], listed(f, args, 2)), &l);
    put_assignment(f, n, k->sum, OP_ADD, hidden_name(f, n, 0), &l.sums_end);
    if (wide)
        put_assignment(f, n, k->fine, OP_ADD, hidden_name(f, n, 1), &l.sums_end);
    check_as_loops(f, n, l.sums, tail);
    const struct node *totals[] = {index_of(f, n, k->key->name, subscripts),
                                   index_of(f, n, k->sum->name, subscripts),
                                   wide ? index_of(f, n, k->fine->name, subscripts) : NULL};
    return call_of(f, n, sums[wide][e->of_2], listed(f, totals, wide ? 3 : 2));
}

static void check_extreme(struct fn *f, const struct node *n, struct node ***tail) {
    const struct extreme *e = extreme_of(f, n);
    enum ufc_dtype d = local_named(f, n->list->name)->array->dtype;
    struct keys keys;
    if (!make_keys(f, n, e, d, &keys))
        return;
    const struct node *element = combined_element(n), *first = n->b->list;
    const struct node *other = first == element ? first->next : first;
    const char *type = d == DT_FLOAT64 ? "float64" : "float32";
    const struct node *value = call_with(f, n, type, other);
    struct node *most = NULL, **end = &most;
    declare_array(f, n, keys.key, tail);
    put_most(f, n, keys.key, call_with(f, n, e->key, value), &end);
    check_as_loops(f, n, most, tail);
    struct node define, *subscripts = of_all_elements(f, n, &define);
    const struct node *args[3] = {call_with(f, n, type, index_of(f, n, n->list->name, subscripts)),
                                  index_of(f, n, keys.key->name, subscripts)};
    if (e->powers)
        args[2] = call_with(f, n, type, check_powers(f, n, e, &keys, d, value, subscripts, tail));
    define.b = call_with(f, n, dtype_info[d].name,
                         call_of(f, n, e->with, listed(f, args, e->powers ? 3 : 2)));
    check_define(f, &define, tail);
}

/* ---- both */

bool is_loose(const struct fn *f, const struct node *n, enum ufc_dtype d) {
    bool has_atomics = d == DT_FLOAT32 || d == DT_FLOAT64;
    return f->uc->options->fast_math && has_atomics && (n->op == OP_ADD || n->op == OP_MUL);
}

bool is_exact(const struct fn *f, const struct node *n, enum ufc_dtype d) {
    bool sum = n->op == OP_ADD && (is_float(d) || is_complex(d)) && !is_loose(f, n, d);
    return f->nloops == 0 && has_intermediates(f) &&
           (sum || (extreme_of(f, n) != NULL && is_float(d)));
}

void reserve_exact(struct fn *f, const struct node *n) {
    struct quanta sums[PARTS];
    struct keys keys;
    const struct extreme *e = extreme_of(f, n);
    if (f->nloops > 0 || !has_intermediates(f) || !has_several(f))
        return;
    if (n->op == OP_ADD)
        make_parts(f, n, DT_FLOAT64, sums);
    else if (e != NULL)
        make_keys(f, n, e, DT_FLOAT64, &keys);
}

void check_exact(struct fn *f, const struct node *n, struct node ***tail) {
    if (n->op == OP_ADD)
        check_sum(f, n, tail);
    else
        check_extreme(f, n, tail);
}
