/* builtin.c: calls of built-in functions: the types of their arguments and results. */
#include "check.h"

/* Makes a list of nodes; NULL where one is missing. */
struct node *linked(struct node **nodes, int n) {
    for (int i = 0; i < n; i++) {
        if (!nodes[i])
            return NULL;
        nodes[i]->next = i + 1 < n ? nodes[i + 1] : NULL;
    }
    return nodes[0];
}

static struct node *builtin_node(struct fn *f, const struct node *from, const struct builtin *b,
                                 struct type type, struct node **args, int result) {
    struct node *n = typed(f, N_CALL, from, type);
    n->builtin = b;
    n->result = result;
    n->list = linked(args, b->nargs);
    return n->list ? n : NULL;
}

static bool is_whole(struct type t) {
    return t.kind == TYPE_WEAK_INT ||
           (t.kind == TYPE_DTYPE && (is_integer(t.dtype) || t.dtype == DT_BOOL));
}

static struct node *bad_argument(struct fn *f, const struct node *arg, const struct builtin *b) {
    fail(f, arg->at, "'%s' takes a whole number here, this is %s", b->name, type_name(arg->type));
    return NULL;
}

/* A whole number as an int32; out of range, as the nearest int32. */
static struct node *to_int32(struct fn *f, const struct builtin *b, struct node *n) {
    if (!is_whole(n->type))
        return bad_argument(f, n, b);
    enum ufc_dtype d = strong_dtype(n->type);
    if (n->kind == N_CONST || casts_safely(d, DT_INT32))
        return convert(f, n, DT_INT32);
    struct constant lo = {.type = dtype_type(d), .i = is_signed(d) ? INT32_MIN : 0};
    struct constant hi = {.type = dtype_type(d), .i = INT32_MAX};
    struct node *args[] = {n, constant_node(f, n, lo), constant_node(f, n, hi)};
    return convert(f, builtin_node(f, n, &builtins[B_CLIP], dtype_type(d), args, 0), DT_INT32);
}

static struct type weak(enum type_kind kind) {
    return (struct type){kind, DT_BOOL};
}

/* Whether each of arguments [from, to) casts to d; a weak one takes its type from each of the
 * others. */
static bool holds_each(enum ufc_dtype d, struct node **args, int from, int to) {
    for (int i = from; i < to; i++)
        for (int j = from; j < to; j++) {
            struct type t = args[i]->type;
            if (t.kind != TYPE_DTYPE)
                t = promote(t, args[j]->type);
            if (t.kind == TYPE_DTYPE && !casts_safely(t.dtype, d))
                return false;
        }
    return true;
}

/* The type that arguments [from, to) are computed in.  Functions of real numbers take the first
 * type that holds each argument, as NumPy chooses a loop: float16 for int8 with uint8, although
 * these promote to int16. */
static struct type common_type(const struct builtin *b, struct node **args, int from, int to) {
    struct type t = args[from]->type;
    for (int i = from + 1; i < to; i++)
        t = promote(t, args[i]->type);
    if (b->rule == RULE_SAME && b->id != B_FMOD)
        return t;
    if (b->rule == RULE_SAME || b->rule == RULE_INTEGER)
        return t.kind == TYPE_DTYPE && t.dtype == DT_BOOL ? dtype_type(DT_INT8) : t;
    if (t.kind != TYPE_DTYPE)
        return t.kind == TYPE_WEAK_INT ? weak(TYPE_WEAK_FLOAT) : t;
    int d = DT_FLOAT16;
    while (!holds_each((enum ufc_dtype)d, args, from, to))
        d++;
    return dtype_type((enum ufc_dtype)d);
}

static void warn_of_double(struct fn *f, const struct node *n, struct type t, struct node **args,
                           int from, int to) {
    bool computed = false, asked = strong_dtype(t) != DT_FLOAT64;
    for (int i = from; i < to; i++) {
        bool constant = is_weak_constant(args[i]);
        computed = computed || !constant;
        asked = asked || (!constant && strong_dtype(args[i]->type) == DT_FLOAT64);
    }
    if (computed && !asked)
        warn_double(f, n->mark, "this computes", t, NULL);
}

/* Converts the arguments of b in place.  Gives the type that b computes in; TYPE_NONE after an
 * error. */
static struct type convert_args(struct fn *f, const struct node *n, const struct builtin *b,
                                struct node **args) {
    int from = b->rule == RULE_INT_FLOAT, to = b->nargs - (b->rule == RULE_FLOAT_INT);
    struct type none = {TYPE_NONE, DT_BOOL};
    bool ok = true;
    for (int i = 0; i < b->nargs; i++) {
        if (i < from || i >= to)
            args[i] = to_int32(f, b, args[i]);
        else if (b->rule == RULE_INTEGER && !is_whole(args[i]->type))
            args[i] = bad_argument(f, args[i], b);
        ok = ok && args[i];
    }
    if (!ok)
        return none;
    struct type t = common_type(b, args, from, to);
    if (b->rule == RULE_INTEGER && !is_whole(t)) {
        fail(f, n->mark, "'%s' of %s and %s: no integer type holds both; convert one", b->name,
             type_name(args[0]->type), type_name(args[1]->type));
        return none;
    }
    warn_of_double(f, n, t, args, from, to);
    for (int i = from; i < to; i++)
        if (!(args[i] = operand(f, args[i], t)))
            ok = false;
    return ok ? t : none;
}

static struct type result_type(const struct builtin *b, struct type t, int result) {
    if (b->rule == RULE_PREDICATE)
        return dtype_type(DT_BOOL);
    return b->rule == RULE_EXPONENT && result == b->nresults - 1 ? dtype_type(DT_INT32) : t;
}

static bool fold_builtin(const struct builtin *b, struct node **args, struct constant *value) {
    struct constant constants[3];
    for (int i = 0; i < b->nargs; i++) {
        if (!is_weak_constant(args[i]))
            return false;
        constants[i] = args[i]->value;
    }
    return b->nresults == 1 && fold_call(b, constants, value);
}

/* real(z), imag(z); of a real number they are the number and zero. */
static struct node *call_part(struct fn *f, const struct node *n, const struct builtin *b,
                              struct node *arg) {
    struct constant zero = {.type = arg->type};
    if (!is_complex_type(arg->type))
        return b->id == B_REAL ? arg : constant_node(f, n, zero);
    struct constant c = {.type = weak(TYPE_WEAK_FLOAT)};
    c.f = b->id == B_REAL ? arg->value.f : arg->value.im;
    if (arg->type.kind == TYPE_DTYPE)
        c.type = dtype_type(part_dtype(arg->type.dtype));
    return arg->kind == N_CONST ? constant_node(f, n, c) : builtin_node(f, n, b, c.type, &arg, 0);
}

/* complex(re, im), of two real numbers: no product, so that each is what it is. */
static struct node *call_complex(struct fn *f, const struct node *n, const struct builtin *b,
                                 struct node **args) {
    struct type part = promote(promote(args[0]->type, args[1]->type), weak(TYPE_WEAK_FLOAT));
    struct type t = promote(part, weak(TYPE_WEAK_COMPLEX));
    if (is_complex_type(part)) {
        const struct node *arg = args[is_complex_type(args[0]->type) ? 0 : 1];
        fail(f, arg->at, "'%s' takes two real numbers, this is %s", b->name, type_name(arg->type));
        return NULL;
    }
    if (args[0]->kind == N_CONST && args[1]->kind == N_CONST && t.kind != TYPE_DTYPE) {
        args[0] = operand(f, args[0], part);
        args[1] = operand(f, args[1], part);
        return constant_node(
            f, n, (struct constant){.type = t, .f = args[0]->value.f, .im = args[1]->value.f});
    }
    for (int i = 0; i < 2; i++) {
        args[i] = operand(f, args[i], part);
        if (args[i] && t.kind == TYPE_DTYPE)
            args[i] = convert(f, args[i], part_dtype(t.dtype));
    }
    return builtin_node(f, n, b, t, args, 0);
}

/* bits(x) of a float32 or float64, frombits(u) of 32 or 64 bits; a literal has no bits of its own.
 */
static struct node *call_bits(struct fn *f, const struct node *n, const struct builtin *b,
                              struct node *arg) {
    struct type t = arg->type;
    bool to_whole = b->id == B_BITS, wide = t.dtype == DT_FLOAT64 || dtype_info[t.dtype].bits == 64;
    bool has_bits = t.kind == TYPE_DTYPE && (wide || dtype_info[t.dtype].bits == 32) &&
                    (to_whole ? is_float(t.dtype) : is_integer(t.dtype));
    if (!has_bits) {
        fail(f, arg->at, "'%s' takes %s here, this is %s; write '%s(%s(...))'", b->name,
             to_whole ? "float32 or float64" : "integers of 32 or 64 bits", type_name(arg->type),
             b->name, to_whole ? "float32" : "uint32");
        return NULL;
    }
    enum ufc_dtype result =
        to_whole ? (wide ? DT_UINT64 : DT_UINT32) : (wide ? DT_FLOAT64 : DT_FLOAT32);
    arg = operand(f, arg, t);
    return builtin_node(f, n, b, dtype_type(result), &arg, 0);
}

/* A call of the prelude's _c<name>, which computes a function of complex numbers. */
static struct node *call_of_complex(struct fn *f, const struct node *n, const struct builtin *b,
                                    struct type t, struct node **args) {
    struct decl *d = prelude_named(f->uc, arena_printf(f->uc, "_c%s", b->name));
    if (!d) {
        fail(f, n->mark, "'%s' does not take complex numbers", b->name);
        return NULL;
    }
    for (int i = 0; i < b->nargs; i++)
        if (!(args[i] = operand(f, args[i], t)))
            return NULL;
    return call_decl(f, n, d, args);
}

static bool is_half_type(struct type t) {
    return t.kind == TYPE_DTYPE && is_half(t.dtype);
}

/* nextafter of a half type: the arguments are rounded to it, the result is computed in a wider
 * type. */
static struct node *call_next(struct fn *f, const struct node *n, struct type t,
                              struct node **args) {
    const char *name = arena_printf(f->uc, "_next_%s", type_name(t));
    enum ufc_dtype computed = dtype_traits[t.dtype].computed;
    for (int i = 0; i < 2; i++) {
        args[i] = operand(f, args[i], t);
        if (args[i])
            args[i] = convert(f, convert(f, convert(f, args[i], computed), t.dtype), computed);
        if (!args[i])
            return NULL;
    }
    struct node *r = call_decl(f, n, prelude_named(f->uc, name), args);
    return r ? convert(f, r, t.dtype) : NULL;
}

struct node *call_builtin(struct fn *f, const struct node *n, const struct builtin *b,
                          struct node **args) {
    struct constant value;
    if (b->id == B_POW)
        return binary(f, n, OP_POW, args[0], args[1]);
    if (b->id == B_REAL || b->id == B_IMAG)
        return call_part(f, n, b, args[0]);
    if (b->id == B_COMPLEX)
        return call_complex(f, n, b, args);
    if (b->rule == RULE_BITS)
        return call_bits(f, n, b, args[0]);
    if (b->id == B_CONJ && !is_complex_type(args[0]->type))
        return args[0];
    if (b->id == B_NEXTAFTER && is_half_type(common_type(b, args, 0, 2)))
        return call_next(f, n, common_type(b, args, 0, 2), args);
    for (int i = 0; i < b->nargs; i++)
        if (is_complex_type(args[i]->type))
            return call_of_complex(f, n, b, common_type(b, args, 0, b->nargs), args);
    if (fold_builtin(b, args, &value))
        return constant_node(f, n, value);
    struct type t = convert_args(f, n, b, args);
    if (t.kind == TYPE_NONE)
        return NULL;
    if (b->impl == IMPL_PRELUDE)
        return call_decl(f, n, prelude_named(f->uc, arena_printf(f->uc, "_%s", b->name)), args);
    return builtin_node(f, n, b, result_type(b, t, 0), args, 0);
}

/* Calls one function for each result, on arguments that are computed once. */
struct values builtin_results(struct fn *f, const struct node *n, const struct builtin *b,
                              struct node **args, struct node ***tail) {
    struct values v = values_new(f, b->nresults);
    if (is_complex_type(args[0]->type)) {
        fail(f, n->mark, "'%s' does not take complex numbers", n->name);
        return v;
    }
    struct type t = convert_args(f, n, b, args);
    if (t.kind == TYPE_NONE)
        return v;
    struct node *once = args[0]; /* functions with several results have one argument */
    struct local *l = local_hidden(f, n->at, once->type);
    struct node *let = typed(f, N_LET, n, (struct type){TYPE_NONE, DT_BOOL});
    let->list = local_node(f, n, l);
    let->b = once;
    **tail = let;
    *tail = &let->next;
    for (int i = 0; i < v.count; i++) {
        struct node *arg = local_node(f, n, l);
        set_value(&v, i, builtin_node(f, n, b, result_type(b, t, i), &arg, i));
    }
    return v;
}
