/* call.c: calls of built-in functions, types, defs and ufuncs.  A def or ufunc is typed anew
 * for the arguments' types. */
#include <string.h>

#include "check.h"

/* ---- arguments */

static const char *some(struct uc *uc, int n, const char *what) {
    return arena_printf(uc, "%d %s%s", n, what, n == 1 ? "" : "s");
}

/* Whether a call is of min or max, which take more than two arguments too. */
static bool takes_many(const struct node *n, const struct builtin *b) {
    return b && (b->id == B_MIN || b->id == B_MAX) && strcmp(n->name, b->name) == 0 &&
           count_nodes(n->list) > 2;
}

/* Whether n names an array with dimensions; marks the array as used. */
static bool is_array(struct fn *f, const struct node *n) {
    struct local *l = n->kind == N_NAME ? local_named(f, n->name) : NULL;
    if (!l || !l->array || l->array->rank == 0)
        return false;
    l->used = true;
    return true;
}

static bool check_count(struct fn *f, const struct node *n, int wanted, const struct decl *d) {
    int got = count_nodes(n->list);
    if (got == wanted)
        return true;
    const char *parts = d ? NULL : complex_of_parts(f, n), *hint = "";
    if (got == 1 && !d && is_comprehension(n->name))
        hint = arena_printf(f->uc, "; of elements, '%s(%s)'", n->name,
                            is_array(f, n->list) ? elements_of(f, n->list) : "v for v in x");
    else if (parts)
        hint = arena_printf(f->uc, "; of two parts, write '%s'", parts);
    fail(f, n->mark, "'%s' takes %s, got %d%s", n->name, some(f->uc, wanted, "argument"), got,
         hint);
    if (d)
        note(f->uc, d->at, "'%s' is declared here", d->name);
    return false;
}

/* The arguments of a call, typed; NULL after an error in any.  d: the user's function; NULL:
 * another's. */
static struct node **check_args(struct fn *f, const struct node *n, const struct decl *d,
                                struct node ***tail) {
    struct node **args = NEWN(f->uc, struct node *, count_nodes(n->list) + 1);
    const struct param *p = d ? d->params : NULL;
    bool ok = true;
    int i = 0;
    for (const struct node *a = n->list; a; a = a->next, i++, p = p ? p->next : NULL) {
        args[i] = p && p->rank > 0 ? check_array_argument(f, a, d, p, tail) : check_expr(f, a);
        ok = ok && args[i];
    }
    return ok ? args : NULL;
}

/* ---- defs and ufuncs */

/* The calls from d down to f, which calls d again: "a, b, a". */
static const char *cycle_text(struct fn *f, const struct decl *d) {
    const char *text = d->name;
    for (; f->decl != d; f = f->caller)
        text = arena_printf(f->uc, "%s, %s", f->decl->name, text);
    return arena_printf(f->uc, "%s, %s", d->name, text);
}

/* Whether d is being typed already, so that it calls itself; reports it. */
static bool recurs(struct fn *f, const struct node *n, const struct decl *d) {
    struct fn *g = f;
    while (g && g->decl != d)
        g = g->caller;
    if (!g)
        return false;
    if (g == f)
        fail(f, n->mark, "'%s' calls itself; there is no recursion: write a loop", d->name);
    else
        fail(f, n->mark, "'%s' calls itself: %s; there is no recursion: write a loop", d->name,
             cycle_text(f, d));
    if (builtin_named(d->name) || prelude_named(f->uc, d->name))
        note(f->uc, d->at, "this '%s' hides the built-in function", d->name);
    return true;
}

/* How weak numbers match parameters.  Where its kind is set, a number takes any type of that kind,
 * with must_fit only one that holds its value; else it is an int64, float64 or complex128. */
struct weakness {
    bool ints, floats, complexes, must_fit;
};

static bool takes(enum ufc_dtype d, const struct node *n, struct weakness w) {
    if (n->type.kind == TYPE_WEAK_INT && w.ints)
        return d != DT_BOOL &&
               (!w.must_fit || n->kind != N_CONST || !is_integer(d) || fits(n->value.i, d));
    if (n->type.kind == TYPE_WEAK_FLOAT && w.floats)
        return is_float(d) || is_complex(d);
    if (n->type.kind == TYPE_WEAK_COMPLEX && w.complexes)
        return is_complex(d);
    return casts_safely(strong_dtype(n->type), d);
}

static const struct overload *first_that_takes(const struct decl *d, struct node **args,
                                               struct weakness w) {
    for (const struct overload *o = d->overloads; o; o = o->next) {
        int i = 0;
        while (i < o->nin && takes((enum ufc_dtype)o->dtypes[i], args[i], w))
            i++;
        if (i == o->nin)
            return o;
    }
    return NULL;
}

static const char *types_text(struct uc *uc, struct node **args, int n) {
    const char *text = "";
    for (int i = 0; i < n; i++)
        text = arena_printf(uc, "%s%s%s", text, i ? ", " : "", type_name(args[i]->type));
    return text;
}

/* How far an overload is from taking the arguments; 0: it takes them. */
static int distance(const struct overload *o, struct node **args) {
    int sum = 0;
    for (int i = 0; i < o->nin; i++)
        if (!takes((enum ufc_dtype)o->dtypes[i], args[i],
                   (struct weakness){true, true, true, true}))
            sum += 1 + cast_loss(strong_dtype(args[i]->type), (enum ufc_dtype)o->dtypes[i]);
    return sum;
}

/* Notes of the overloads nearest to taking the arguments, the nearest first. */
static void note_nearest(struct fn *f, const struct decl *d, struct node **args) {
    enum { SHOWN = 3 };
    const struct overload *shown[SHOWN] = {NULL};
    int others = 0;
    for (int s = 0; s < SHOWN; s++) {
        others = 0;
        for (const struct overload *o = d->overloads; o; o = o->next) {
            bool before = false;
            for (int j = 0; j < s; j++)
                before = before || shown[j] == o;
            others += !before;
            if (!before && (!shown[s] || distance(o, args) < distance(shown[s], args)))
                shown[s] = o;
        }
        if (shown[s])
            note(f->uc, shown[s]->at, "it has %s", shown[s]->signature);
    }
    if (others > 1)
        note(f->uc, d->at, "it has %d more", others - 1);
}

/* Chooses an overload by the runtime's rules: see runtime/resolve.c. */
static const struct overload *choose(struct fn *f, const struct node *n, const struct decl *d,
                                     struct node **args) {
    struct weakness w = {0};
    for (int i = 0; i < d->nparams; i++) {
        if (args[i]->type.kind != TYPE_DTYPE)
            continue;
        enum ufc_dtype own = args[i]->type.dtype;
        w.ints = w.ints || own != DT_BOOL;
        w.floats = w.floats || is_float(own) || is_complex(own);
        w.complexes = w.floats; /* float32 with 2j is complex64 */
    }
    const struct overload *o = first_that_takes(d, args, w);
    if (!o)
        o = first_that_takes(d, args, (struct weakness){true, true, true, true});
    if (o || !d->overloads)
        return o;
    fail(f, n->mark, "no signature of '%s' takes (%s)", d->name,
         types_text(f->uc, args, d->nparams));
    note_nearest(f, d, args);
    return NULL;
}

/* Binds the parameters of g's instance to the arguments and their types.  False after an error. */
static bool bind(struct fn *g, struct node **args) {
    g->inst->params = NEWN(g->uc, struct local *, g->decl->nparams + 1);
    bool ok = true;
    int i = 0;
    for (const struct param *p = g->decl->params; p; p = p->next, i++) {
        struct local *l = local_new(g, p->name, p->at, args[i]->type);
        l->is_param = true;
        l->folded = args[i]->kind == N_CONST;
        if (l->folded)
            l->value = args[i]->value;
        g->inst->params[i] = l;
    }
    i = 0;
    for (const struct param *p = g->decl->params; p; p = p->next, i++)
        if (p->rank > 0)
            ok = bind_array(g, p, g->inst->params[i], args[i]->local->array) && ok;
    return ok;
}

static struct type result_of(const struct inst *inst, int i) {
    return inst->types ? inst->types[i] : dtype_type(inst->results[i]);
}

static struct node *instance_node(struct fn *f, const struct node *n, struct inst *inst,
                                  struct node **args) {
    if (inst->nresults == 1 && inst->folded && inst->folded[0].type.kind != TYPE_NONE)
        return constant_node(f, n, inst->folded[0]);
    struct type t = {TYPE_NONE, DT_BOOL};
    if (inst->nresults == 1)
        t = result_of(inst, 0);
    struct node *call = typed(f, N_CALL, n, t);
    call->inst = inst;
    call->list = inst->decl->nparams > 0 ? linked(args, inst->decl->nparams) : NULL;
    return call;
}

/* Binds the binder of an overload of the ufunc or gufunc d, and the arguments to its types.  NULL
 * after an error. */
static const struct overload *bind_overload(struct fn *g, const struct node *n, struct decl *d,
                                            struct node **args) {
    struct fn *f = g->caller;
    const struct overload *o = choose(f, n, d, args);
    for (int i = 0; o && i < o->nin; i++) {
        enum ufc_dtype dtype = (enum ufc_dtype)o->dtypes[i];
        struct local *l = args[i]->kind == N_LOCAL && args[i]->local->array
                              ? local_hidden(f, n->at, dtype_type(dtype))
                              : NULL;
        if (l)
            l->array = cast_array(f, args[i]->local->array, dtype);
        args[i] = l ? local_node(f, args[i], l) : convert(f, args[i], dtype);
        if (!args[i])
            return NULL;
    }
    if (!o)
        return NULL;
    g->bounds = o->bounds;
    g->inst->nresults = o->nout;
    g->inst->results = NEWN(f->uc, enum ufc_dtype, o->nout);
    for (int i = 0; i < o->nout; i++)
        g->inst->results[i] = (enum ufc_dtype)o->dtypes[o->nin + i];
    return o;
}

/* Puts statements before the body of an instance. */
static void add_before(struct inst *inst, struct node *list) {
    struct node **end = &list;
    while (*end)
        end = &(*end)->next;
    *end = inst->body->list;
    inst->body->list = list;
}

/* The instance of d for a call, typed; NULL after an error. */
static struct fn *instance(struct fn *f, const struct node *n, struct decl *d, struct node **args) {
    if (recurs(f, n, d))
        return NULL;
    if (d->too_large) {
        f->unit->failures++;
        return NULL;
    }
    struct fn *g = NEW(f->uc, struct fn);
    *g = (struct fn){.uc = f->uc,
                     .unit = f->unit,
                     .caller = f,
                     .call = n,
                     .decl = d,
                     .file = d->file,
                     .nclauses = f->nclauses};
    g->blame = f->blame ? f->blame : d->is_prelude ? n : NULL;
    g->inst = NEW(f->uc, struct inst);
    g->inst->decl = d;
    const struct overload *o = NULL;
    struct node *before = NULL, **tail = &before;
    if (d->kind != DECL_DEF && !(o = bind_overload(g, n, d, args)))
        return NULL;
    if (!bind(g, args) ||
        (d->kind == DECL_GUFUNC && !declare_results(g, o->dtypes + o->nin, &tail)) ||
        !check_body(g))
        return NULL;
    add_before(g->inst, before);
    for (int i = 0; i < d->nparams; i++)
        if (g->inst->params[i]->array)
            add_before(g->inst, lets_of(args[i]->local->array));
    if (gives_arrays(g))
        g->inst->nresults = 0;
    else if (d->kind == DECL_GUFUNC) {
        for (tail = &g->inst->body->list; *tail;)
            tail = &(*tail)->next;
        return_numbers(g, &tail);
    }
    return g;
}

static bool gives_numbers(struct fn *f, const struct node *n, const struct fn *g) {
    if (!gives_arrays(g))
        return true;
    fail(f, n->mark, "'%s' gives an array; bind it by 'let', as a statement of its own",
         g->decl->name);
    return false;
}

struct node *call_decl(struct fn *f, const struct node *n, struct decl *d, struct node **args) {
    struct fn *g = instance(f, n, d, args);
    return g && gives_numbers(f, n, g) ? instance_node(f, n, g->inst, args) : NULL;
}

/* ---- powers */

static const struct param power_base = {.name = ""}; /* a half type's value is not rounded for it */
static const struct decl power = {
    .kind = DECL_DEF, .name = "**", .params = (struct param *)&power_base, .nparams = 1};

/* Appends `let result = a * b` to the list. */
static struct local *product(struct fn *g, struct node ***tail, const struct node *from,
                             struct local *a, struct local *b) {
    struct local *l = local_hidden(g, from->at, a->type);
    struct node *let = typed(g, N_LET, from, (struct type){TYPE_NONE, DT_BOOL});
    let->list = local_node(g, from, l);
    let->b = typed(g, N_BINARY, from, a->type);
    let->b->op = OP_MUL;
    let->b->a = local_node(g, from, a);
    let->b->b = local_node(g, from, b);
    **tail = let;
    *tail = &let->next;
    return l;
}

static struct node *one(struct fn *f, const struct node *from, struct type t) {
    struct constant c = {.type.kind = TYPE_WEAK_INT, .i = 1};
    return operand(f, constant_node(f, from, c), t);
}

/* x**n: a call of an instance that squares and multiplies, by n's bits from the lowest on. */
struct node *power_call(struct fn *f, const struct node *from, struct node *x, wide_int n) {
    if (n == 0)
        return one(f, from, x->type);
    if (n == 1)
        return x;
    struct fn g = {.uc = f->uc, .unit = f->unit, .caller = f, .blame = f->blame, .decl = &power};
    g.inst = NEW(f->uc, struct inst);
    g.inst->decl = &power;
    if (!bind(&g, &x))
        return NULL;
    g.inst->params[0]->folded = false;
    struct local *square = g.inst->params[0], *result = NULL;
    g.inst->body = node_new(f->uc, N_BLOCK, from->at);
    struct node **tail = &g.inst->body->list;
    for (wide_int bits = n < 0 ? -n : n; bits > 0; bits >>= 1) {
        if (bits & 1)
            result = result ? product(&g, &tail, from, result, square) : square;
        if (bits > 1)
            square = product(&g, &tail, from, square, square);
    }
    *tail = typed(&g, N_RETURN, from, (struct type){TYPE_NONE, DT_BOOL});
    (*tail)->list = local_node(&g, from, result);
    if (n < 0)
        (*tail)->list = binary(&g, from, OP_DIV, one(&g, from, x->type), (*tail)->list);
    g.inst->nresults = 1;
    g.inst->results = NEW(f->uc, enum ufc_dtype);
    g.inst->results[0] = strong_dtype(x->type);
    g.inst->types = NEW(f->uc, struct type);
    g.inst->types[0] = x->type;
    return instance_node(f, from, g.inst, &x);
}

/* ---- calls */

/* What a call's name stands for.  Exactly one is set: a pointer is not NULL, or type is not
 * DT_COUNT. */
struct callee {
    struct decl *decl;
    const struct builtin *builtin;
    enum ufc_dtype type;
};

/* The argument of a comprehension without clauses that is taken of elements; NULL: none. */
static const struct node *elements_argument(const struct node *n) {
    const struct node *arg = n->list;
    while (strcmp(n->name, "reduce") == 0 && arg && arg->next)
        arg = arg->next;
    return arg;
}

/* "f, 0, ", what comes first in `reduce(f, x)` or `reduce(f, 0, x)`. */
static const char *joined_first(struct fn *f, const struct node *n) {
    const struct node *name = n->list, *init = name ? name->next : NULL;
    if (strcmp(n->name, "reduce") != 0)
        return "";
    return arena_printf(f->uc, "%s, %s, ", init ? short_text(f, name->at) : "f",
                        init && init->next ? short_text(f, init->at) : "0");
}

/* `optional` marks a call that is the compiler's own, which may be of a private function, and is of
 * none that the source declares. */
static bool find_callee(struct fn *f, const struct node *n, struct callee *c) {
    const char *parts;
    *c = (struct callee){.type = DT_COUNT};
    struct local *l = n->optional ? NULL : local_named(f, n->name);
    if (l) {
        fail(f, n->mark, "'%s' is %s here, not a function", n->name, type_name(l->type));
        note(f->uc, l->at, "'%s' is declared here", n->name);
        return false;
    }
    if ((c->type = type_bound(f->bounds, n->name)) != DT_COUNT)
        return true;
    if ((c->decl = n->optional ? NULL : decl_named(f, n->name)) == NULL &&
        ((is_private(f, n->name) && !n->optional) ||
         ((c->builtin = builtin_named(n->name)) == NULL &&
          (c->decl = prelude_named(f->uc, n->name)) == NULL)) &&
        (c->type = dtype_named(n->name)) == DT_COUNT) {
        if (own_reduction(f, n))
            fail(f, n->mark, "'%s' is taken of elements; write '%s(%s)'", n->name, n->list->name,
                 elements_of(f, elements_argument(n)));
        else if (is_comprehension(n->name))
            fail(f, n->mark, "'%s' is taken of elements; write '%s(%s%s)'", n->name, n->name,
                 joined_first(f, n), elements_of(f, elements_argument(n)));
        else if ((parts = complex_of_parts(f, n)) != NULL)
            fail(f, n->mark, "unknown function '%s'; write '%s'", n->name, parts);
        else
            unknown_name(f, n, true);
        return false;
    }
    if (!c->decl)
        return true;
    c->decl->used = true;
    if (c->decl->kind != DECL_CONST)
        return true;
    fail(f, n->mark, "'%s' is a constant, not a function", n->name);
    note(f->uc, c->decl->at, "'%s' is declared here", n->name);
    return false;
}

/* Finds the callee and types the arguments; NULL after an error. */
static struct node **check_callee(struct fn *f, const struct node *n, struct callee *c,
                                  struct node ***tail) {
    if (!find_callee(f, n, c)) {
        for (const struct node *arg = n->list; arg; arg = arg->next)
            if (!is_array(f, arg) && !is_comprehension(n->name))
                check_expr(f, arg);
        return NULL;
    }
    if (c->builtin && is_comprehension(n->name) && count_nodes(n->list) == 1 &&
        is_array(f, n->list)) { /* before the array is said to be no value */
        check_count(f, n, c->builtin->nargs, NULL);
        return NULL;
    }
    struct node **args = check_args(f, n, c->decl, tail);
    if (!takes_many(n, c->builtin) &&
        !check_count(f, n,
                     c->decl      ? c->decl->nparams
                     : c->builtin ? c->builtin->nargs
                                  : 1,
                     c->decl && !c->decl->is_prelude ? c->decl : NULL))
        return NULL;
    return args;
}

static struct node *call_of_builtin(struct fn *f, const struct node *n, const struct builtin *b,
                                    struct node **args) {
    struct node *result = call_builtin(f, n, b, args);
    for (int i = 2; takes_many(n, b) && result && i < count_nodes(n->list); i++)
        result = call_builtin(f, n, b, (struct node *[]){result, args[i]});
    return result;
}

static int results_of(const struct callee *c, const struct node *call) {
    return c->builtin ? c->builtin->nresults : call->inst ? call->inst->nresults : 1;
}

struct node *check_call(struct fn *f, const struct node *n) {
    struct callee c;
    if (n->clauses)
        return check_reduce(f, n);
    if (is_length(f, n))
        return check_length(f, n);
    struct node **args = check_callee(f, n, &c, NULL), *call = NULL;
    if (!args)
        return NULL;
    if (c.builtin)
        call = call_of_builtin(f, n, c.builtin, args);
    else if (c.decl)
        call = call_decl(f, n, c.decl, args);
    else
        return convert(f, args[0], c.type);
    if (!call || results_of(&c, call) == 1)
        return call;
    fail(f, n->mark, "'%s' has %d results; write 'let a, b = %s(...)'", n->name,
         results_of(&c, call), n->name);
    return NULL;
}

struct values values_new(struct fn *f, int n) {
    return (struct values){.count = n,
                           .nodes = NEWN(f->uc, struct node *, n),
                           .types = NEWN(f->uc, struct type, n),
                           .folded = NEWN(f->uc, struct constant, n),
                           .arrays = NEWN(f->uc, struct array *, n)};
}

void set_value(struct values *v, int i, struct node *n) {
    v->nodes[i] = n;
    if (n)
        v->types[i] = n->type;
    if (n && n->kind == N_CONST)
        v->folded[i] = n->value;
}

struct values call_results(struct fn *f, const struct node *n, struct decl *d, struct node **args,
                           struct node ***tail) {
    struct fn *g = instance(f, n, d, args);
    bool ok = g && (tail || gives_numbers(f, n, g));
    struct node *call = ok ? instance_node(f, n, g->inst, args) : NULL;
    if (call && gives_arrays(g)) {
        append_statement(tail, call);
        return array_results(f, n, g);
    }
    struct values v = values_new(f, call && call->inst ? call->inst->nresults : 1);
    if (!call)
        v.count = 0;
    if (v.count <= 1) {
        set_value(&v, 0, call);
        return v;
    }
    v.call = call;
    for (int i = 0; i < v.count; i++) {
        v.types[i] = result_of(call->inst, i);
        if (call->inst->folded && call->inst->folded[i].type.kind != TYPE_NONE) {
            v.folded[i] = call->inst->folded[i];
            v.types[i] = v.folded[i].type;
        }
    }
    return v;
}

struct values check_values(struct fn *f, const struct node *list, int wanted, struct node ***tail) {
    struct callee c;
    if (list && !list->next && list->kind == N_CALL && list->clauses)
        return reduce_values(f, list, wanted);
    if (list && !list->next && list->kind == N_CALL && !is_length(f, list)) {
        struct values v = values_new(f, 1);
        struct node **args = check_callee(f, list, &c, tail);
        if (!args) {
            v.count = 0;
            return v;
        }
        if (c.decl)
            return call_results(f, list, c.decl, args, tail);
        if (c.builtin && c.builtin->nresults > 1)
            return builtin_results(f, list, c.builtin, args, tail);
        set_value(&v, 0,
                  c.builtin ? call_of_builtin(f, list, c.builtin, args)
                            : convert(f, args[0], c.type));
        return v;
    }
    struct values v = values_new(f, count_nodes(list));
    int i = 0;
    for (const struct node *n = list; n; n = n->next)
        set_value(&v, i++, check_expr(f, n));
    return v;
}
