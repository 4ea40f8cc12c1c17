/* expr.c: expressions: operators by NumPy's rules. */
#include <math.h>

#include "check.h"
#include "half.h"

/* ---- nodes */

struct node *typed(struct fn *f, enum node_kind kind, const struct node *from, struct type type) {
    const struct node *place = f->blame ? f->blame : from;
    struct node *n = node_new(f->uc, kind, place->at);
    n->mark = place->mark;
    n->type = type;
    if (++f->unit->nodes > MAX_NODES && !f->unit->too_large) {
        f->unit->too_large = true;
        fail(f, from->mark, "too large: more than %d operations, with those of functions called",
             MAX_NODES);
    }
    return n;
}

struct node *constant_node(struct fn *f, const struct node *from, struct constant value) {
    struct node *n = typed(f, N_CONST, from, value.type);
    n->value = value;
    return n;
}

struct node *local_node(struct fn *f, const struct node *from, struct local *local) {
    struct node *n = typed(f, N_LOCAL, from, local->type);
    n->local = local;
    return n;
}

static struct node *bool_node(struct fn *f, const struct node *from, bool value) {
    return constant_node(f, from, (struct constant){.type = dtype_type(DT_BOOL), .i = value});
}

bool is_weak_constant(const struct node *n) {
    return n->kind == N_CONST && n->type.kind != TYPE_DTYPE;
}

static bool is_of(const struct node *n, enum ufc_dtype d) {
    return n->type.kind == TYPE_DTYPE && n->type.dtype == d;
}

bool is_complex_type(struct type t) {
    return t.kind == TYPE_WEAK_COMPLEX || (t.kind == TYPE_DTYPE && is_complex(t.dtype));
}

/* Whether t is a floating-point or a complex type. */
static bool is_inexact(struct type t) {
    return t.kind == TYPE_WEAK_FLOAT || is_complex_type(t) ||
           (t.kind == TYPE_DTYPE && is_float(t.dtype));
}

/* Whether n is computed in float64 at run time.  A weak constant is not. */
static bool is_double(const struct node *n) {
    return !is_weak_constant(n) && part_dtype(strong_dtype(n->type)) == DT_FLOAT64;
}

const char *short_text(struct fn *f, struct span at) {
    const char *text = f->uc->src.text + at.begin;
    if (at.end - at.begin > 40)
        return "...";
    for (uint32_t i = 0; i < at.end - at.begin; i++)
        if (text[i] == '\n')
            return "...";
    return arena_printf(f->uc, "%.*s", (int)(at.end - at.begin), text);
}

/* The text as the argument of a conversion. */
static const char *in_parentheses(struct fn *f, struct span at) {
    const char *text = short_text(f, at), *end = text;
    int depth = 0;
    do
        depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
    while (depth > 0 && *++end != 0);
    bool has = text[0] == '(' && *end != 0 && end[1] == 0;
    return has ? text : arena_printf(f->uc, "(%s)", text);
}

static bool is_whole(const struct node *n) {
    bool weak = n->type.kind == TYPE_WEAK_INT && n->kind != N_CONST;
    return weak || (n->type.kind == TYPE_DTYPE && is_integer(n->type.dtype));
}

/* Warns of an operation in type t on a and b that is in float64 although neither operand is.  A
 * whole number that one of them is makes it so, and is to be converted. */
static void warn_if_double(struct fn *f, const struct node *from, struct type t,
                           const struct node *a, const struct node *b, const char *what) {
    if (part_dtype(strong_dtype(t)) != DT_FLOAT64 || is_double(a) || is_double(b))
        return;
    bool one = from->kind == N_BINARY && !f->blame && is_whole(a) != is_whole(b);
    const struct node *whole = is_whole(a) ? from->a : from->b;
    warn_double(f, from->mark, what, t, one ? in_parentheses(f, whole->at) : NULL);
}

/* A quotient in a floating-point type, whose whole numbers are converted where that is needed. */
static const char *quotient_in(struct fn *f, const struct node *from, const char *type,
                               bool dividend, bool divisor) {
    return arena_printf(f->uc, "%s%s / %s%s", dividend ? type : "",
                        dividend ? in_parentheses(f, from->a->at) : short_text(f, from->a->at),
                        divisor ? type : "",
                        divisor ? in_parentheses(f, from->b->at) : short_text(f, from->b->at));
}

/* Warns of a quotient of whole numbers in float64.  Its operands have to be converted: a conversion
 * of the quotient comes too late. */
static void warn_of_quotient(struct fn *f, const struct node *from, struct type t,
                             const struct node *a, const struct node *b) {
    if (part_dtype(strong_dtype(t)) != DT_FLOAT64)
        return;
    if (from->kind != N_BINARY || from->op != OP_DIV || f->blame) {
        warn_double(f, from->mark, "this computes", t, NULL);
        return;
    }
    bool divisor = b->type.kind == TYPE_DTYPE, dividend = !is_weak_constant(a) || !divisor;
    warn_double_of(f, from->mark, "this computes", t,
                   quotient_in(f, from, "float32", dividend, divisor),
                   quotient_in(f, from, "float64", dividend, divisor));
}

/* ---- conditions */

static bool is_bool(struct fn *f, const struct node *n, const char *what) {
    if (is_of(n, DT_BOOL))
        return true;
    if (f->blame) /* the text at this place is the call's, not n's */
        fail(f, n->at, "%s must be bool, this is %s", what, type_name(n->type));
    else
        fail(f, n->at, "%s must be bool, this is %s; write '%s != 0'", what, type_name(n->type),
             short_text(f, n->at));
    return false;
}

struct node *check_condition(struct fn *f, const struct node *n) {
    struct node *c = check_expr(f, n);
    return c && is_bool(f, c, "a condition") ? c : NULL;
}

bool is_always(const struct node *c, bool holds) {
    return c && c->kind == N_CONST && (c->value.i != 0) == holds;
}

/* ---- comparisons */

static struct node *operation(struct fn *f, const struct node *from, enum op op, struct type type,
                              struct node *a, struct node *b) {
    struct constant value;
    if (!a || !b)
        return NULL;
    if (a->kind == N_CONST && b->kind == N_CONST && fold_typed(op, &a->value, &b->value, &value))
        return constant_node(f, from, value);
    struct node *n = typed(f, N_BINARY, from, type);
    n->op = op;
    n->a = a;
    n->b = b;
    return n;
}

/* The whole number that an integer is to be compared with in place of v.  False: no comparison is
 * needed, *answer has the result. */
static bool whole_bound(enum op op, double v, wide_int *bound, bool *answer) {
    const double most = 0x1p126;
    if (isnan(v) || ((op == OP_EQ || op == OP_NE) && v != rint(v))) {
        *answer = op == OP_NE;
        return false;
    }
    v = op == OP_LT || op == OP_GE ? ceil(v) : floor(v);
    *bound = (wide_int)(v > most ? most : v < -most ? -most : v);
    return true;
}

/* Compares an integer with a literal exactly, also where the integer's type does not hold the
 * literal. */
static struct node *compare_literal(struct fn *f, const struct node *from, enum op op,
                                    struct node *x, const struct node *literal) {
    enum ufc_dtype d = x->type.dtype;
    struct constant c = {.type.kind = TYPE_WEAK_INT, .i = literal->value.i};
    bool answer = false;
    if (literal->type.kind == TYPE_WEAK_FLOAT && !whole_bound(op, literal->value.f, &c.i, &answer))
        return bool_node(f, from, answer);
    if (!fits(c.i, d)) {
        bool above = c.i > 0;
        answer = op == OP_NE || (above ? op == OP_LT || op == OP_LE : op == OP_GT || op == OP_GE);
        return bool_node(f, from, answer);
    }
    struct node *bound = convert(f, constant_node(f, literal, c), d);
    return operation(f, from, op, dtype_type(DT_BOOL), x, bound);
}

/* A call of a prelude's function; b: NULL for a function of one argument. */
static struct node *call_prelude(struct fn *f, const struct node *from, const char *name,
                                 struct node *a, struct node *b) {
    struct decl *d = prelude_named(f->uc, name);
    struct node *args[] = {a, b};
    return a && (b || d->nparams == 1) ? call_decl(f, from, d, args) : NULL;
}

/* Compares a signed integer with a uint64; no type holds both. */
static struct node *compare_signs(struct fn *f, const struct node *from, enum op op, struct node *s,
                                  struct node *u) {
    static const char *const names[] = {"_eq", "_ne", "_lt", "_le", "_gt", "_ge"};
    return call_prelude(f, from, names[op - OP_EQ], convert(f, s, DT_INT64), u);
}

/* Compares complex numbers in NumPy's order: by real parts, then by imaginary parts. */
static struct node *compare_complex(struct fn *f, const struct node *from, enum op op,
                                    struct node *a, struct node *b) {
    bool less = op == OP_LT || op == OP_LE;
    return call_prelude(f, from, op == OP_LT || op == OP_GT ? "_clt" : "_cle", less ? a : b,
                        less ? b : a);
}

static bool is_weak_real(const struct node *n) {
    return is_weak_constant(n) && n->type.kind != TYPE_WEAK_COMPLEX;
}

/* Compares a float with a literal beyond its type's range; it compares as infinity does. */
static struct node *compare_beyond(struct fn *f, const struct node *from, enum op op,
                                   struct node *x, const struct node *literal) {
    bool above = literal->value.f > 0 || literal->value.i > 0;
    if (op == OP_EQ || op == OP_NE)
        return bool_node(f, from, op == OP_NE);
    bool less = op == OP_LT || op == OP_LE;
    struct constant limit = {.type = x->type, .f = above ? INFINITY : -INFINITY};
    enum op at_limit = above ? (less ? OP_LT : OP_GE) : (less ? OP_LE : OP_GT);
    return operation(f, from, at_limit, dtype_type(DT_BOOL), x, constant_node(f, literal, limit));
}

static bool is_beyond(const struct node *x, const struct node *literal) {
    double v = literal->type.kind == TYPE_WEAK_INT ? (double)literal->value.i : literal->value.f;
    if (x->type.kind != TYPE_DTYPE || !is_float(x->type.dtype) || !is_weak_real(literal))
        return false;
    return isfinite(v) && !isfinite(round_to(v, x->type.dtype));
}

/* A loop's index, or what is computed of indices, as an int64, so that converting it to the other
 * operand's type cannot lose bits. */
static struct node *whole_operand(struct fn *f, struct node *n, const struct node *other) {
    bool whole = n->type.kind == TYPE_WEAK_INT && n->kind != N_CONST &&
                 other->type.kind == TYPE_DTYPE && !is_inexact(other->type);
    return whole ? convert(f, n, DT_INT64) : n;
}

static bool asks_truth(const struct node *a, enum op op, const struct node *b) {
    return (op == OP_NE || op == OP_EQ) && is_of(a, DT_BOOL) && is_weak_real(b) &&
           (b->type.kind == TYPE_WEAK_INT ? b->value.i == 0 : b->value.f == 0);
}

/* A bool compared with 0: itself, or that it is not so. */
static struct node *truth(struct fn *f, const struct node *from, enum op op, struct node *a) {
    if (op == OP_NE)
        return a;
    struct node *n = typed(f, N_UNARY, from, a->type);
    n->op = OP_LNOT;
    n->a = a;
    return n;
}

static struct node *compare(struct fn *f, const struct node *from, enum op op, struct node *a,
                            struct node *b) {
    if (asks_truth(a, op, b))
        return truth(f, from, op, a);
    if (asks_truth(b, op, a))
        return truth(f, from, op, b);
    a = whole_operand(f, a, b);
    b = whole_operand(f, b, a);
    bool strong = a->type.kind == TYPE_DTYPE && b->type.kind == TYPE_DTYPE;
    if (a->type.kind == TYPE_DTYPE && is_integer(a->type.dtype) && is_weak_real(b))
        return compare_literal(f, from, op, a, b);
    if (b->type.kind == TYPE_DTYPE && is_integer(b->type.dtype) && is_weak_real(a))
        return compare_literal(f, from, mirrored_op(op), b, a);
    if (strong && is_signed(a->type.dtype) && b->type.dtype == DT_UINT64)
        return compare_signs(f, from, op, a, b);
    if (strong && is_signed(b->type.dtype) && a->type.dtype == DT_UINT64)
        return compare_signs(f, from, mirrored_op(op), b, a);
    if (is_beyond(a, b))
        return compare_beyond(f, from, op, a, b);
    if (is_beyond(b, a))
        return compare_beyond(f, from, mirrored_op(op), b, a);
    struct type t = promote(a->type, b->type);
    if (is_complex_type(t) && op != OP_EQ && op != OP_NE)
        return compare_complex(f, from, op, operand(f, a, t), operand(f, b, t));
    warn_if_double(f, from, t, a, b, "this compares");
    return operation(f, from, op, dtype_type(DT_BOOL), operand(f, a, t), operand(f, b, t));
}

/* ---- arithmetic */

static struct node *unsupported(struct fn *f, const struct node *from, enum op op,
                                const struct node *a, const struct node *b, const char *hint) {
    if (b)
        fail(f, from->mark, "'%s' does not take %s and %s%s", op_info[op].spelling,
             type_name(a->type), type_name(b->type), hint);
    else
        fail(f, from->mark, "'%s' does not take %s%s", op_info[op].spelling, type_name(a->type),
             hint);
    return NULL;
}

/* Whether the exponent b is a constant whole number, *n. */
static bool whole_exponent(const struct node *b, wide_int *n) {
    if (!is_weak_constant(b))
        return false;
    if (b->type.kind == TYPE_WEAK_INT)
        *n = b->value.i;
    else if (b->type.kind == TYPE_WEAK_FLOAT && b->value.f == rint(b->value.f) &&
             fabs(b->value.f) < 0x1p62)
        *n = (wide_int)b->value.f;
    else
        return false;
    return true;
}

/* x**constant as products, and by a square root where it is 0.5, 1.5 or -1.5; *done: whether it was
 * any of these. */
static struct node *constant_power(struct fn *f, const struct node *from, struct type t,
                                   struct node *a, struct node *b, bool *done) {
    enum { MAX_FLOAT_POWER = 64 }; /* a larger power is more exact, and no slower, by pow */
    wide_int n = 0;
    bool whole = whole_exponent(b, &n);
    *done = true;
    if (whole && !is_inexact(t) && n < 0) {
        fail(f, b->at, "%s to a negative power; convert the base, 'float64(...)**%s'",
             type_name(a->type), constant_text(f->uc, &b->value));
        return NULL;
    }
    if (whole && (!is_inexact(t) || (n <= MAX_FLOAT_POWER && n >= -MAX_FLOAT_POWER))) {
        a = operand(f, a, t);
        return a ? power_call(f, from, a, n) : NULL;
    }
    bool fraction = is_weak_constant(b) && b->type.kind == TYPE_WEAK_FLOAT;
    if (fraction && fabs(b->value.f) == 1.5 && !is_complex_type(t)) {
        a = operand(f, a, t);
        return call_prelude(f, from, b->value.f > 0 ? "_sqrt3" : "_rsqrt3", a, NULL);
    }
    if (fraction && b->value.f == 0.5 && (a = operand(f, a, t)) != NULL) {
        if (is_complex_type(t))
            return call_prelude(f, from, "_csqrt", a, NULL);
        struct node *root = typed(f, N_CALL, from, a->type);
        root->builtin = &builtins[B_SQRT];
        root->list = a;
        return root;
    }
    *done = false;
    return NULL;
}

/* The type that + - * / // % ** compute in. */
static struct type arithmetic_type(enum op op, struct type a, struct type b) {
    struct type t = promote(a, b);
    bool is_bool_type = t.kind == TYPE_DTYPE && t.dtype == DT_BOOL;
    if (op == OP_DIV && !is_inexact(t))
        return t.kind == TYPE_DTYPE ? dtype_type(DT_FLOAT64)
                                    : (struct type){TYPE_WEAK_FLOAT, DT_BOOL};
    if (is_bool_type && (op == OP_FLOORDIV || op == OP_MOD || op == OP_POW))
        return dtype_type(DT_INT8);
    return t;
}

/* complex64 is computed in complex128, for the logarithm's error grows with the exponent. */
static struct node *complex_power(struct fn *f, const struct node *from, struct node *a,
                                  struct node *b) {
    if (!a || !b || !is_of(a, DT_COMPLEX64))
        return call_prelude(f, from, "_cpow", a && b ? a : NULL, b);
    a = convert(f, a, DT_COMPLEX128);
    b = convert(f, b, DT_COMPLEX128);
    struct node *r = call_prelude(f, from, "_cpow", a, b);
    return r ? convert(f, r, DT_COMPLEX64) : NULL;
}

static struct node *arithmetic(struct fn *f, const struct node *from, enum op op, struct node *a,
                               struct node *b) {
    struct type t = arithmetic_type(op, a->type, b->type);
    if (op == OP_SUB && is_of(&(struct node){.type = t}, DT_BOOL))
        return unsupported(f, from, op, a, b, "; write '!=' or '^'");
    if (is_complex_type(t) && (op == OP_FLOORDIV || op == OP_MOD))
        return unsupported(f, from, op, a, b, "");
    if (op == OP_DIV && !is_inexact(a->type) && !is_inexact(b->type))
        warn_of_quotient(f, from, t, a, b);
    else
        warn_if_double(f, from, t, a, b, "this computes");
    bool done = false;
    struct node *power = op == OP_POW ? constant_power(f, from, t, a, b, &done) : NULL;
    if (done)
        return power;
    a = operand(f, a, t);
    b = operand(f, b, t);
    if (is_complex_type(t) && op == OP_POW)
        return complex_power(f, from, a, b);
    if (is_complex_type(t) && op == OP_DIV)
        return call_prelude(f, from, "_cdiv", a, b);
    return operation(f, from, op, t, a, b);
}

static struct node *bits(struct fn *f, const struct node *from, enum op op, struct node *a,
                         struct node *b) {
    struct type t = promote(a->type, b->type);
    bool shift = op_info[op].kind == OPS_SHIFT;
    if (is_inexact(t))
        return unsupported(f, from, op, a, b,
                           op == OP_XOR ? ", but whole numbers; a power is written '**'"
                                        : ", but whole numbers");
    if (shift && is_of(&(struct node){.type = t}, DT_BOOL))
        return unsupported(f, from, op, a, b, "; convert one, 'int64(...)'");
    if (shift && is_weak_constant(b) && b->value.i < 0) {
        fail(f, b->at, "a shift by a negative number");
        return NULL;
    }
    /* A shift by the type's width or by more gives the same result, and the count need not fit the
     * type. */
    if (shift && is_weak_constant(b) && b->value.i > dtype_info[strong_dtype(t)].bits)
        b->value.i = dtype_info[strong_dtype(t)].bits;
    return operation(f, from, op, t, operand(f, a, t), operand(f, b, t));
}

struct node *binary(struct fn *f, const struct node *from, enum op op, struct node *a,
                    struct node *b) {
    if (!a || !b)
        return NULL;
    if (op_info[op].kind == OPS_LOGIC) {
        const char *what = op == OP_LAND ? "an operand of 'and'" : "an operand of 'or'";
        bool left = is_bool(f, a, what), right = is_bool(f, b, what);
        if (!left || !right)
            return NULL;
    }
    struct constant value;
    const char *why = NULL;
    if (a->kind == N_CONST && b->kind == N_CONST) {
        if (fold_binary(op, &a->value, &b->value, &value, &why))
            return constant_node(f, from, value);
        if (why) {
            fail(f, from->mark, "%s", why);
            return NULL;
        }
    }
    switch (op_info[op].kind) {
    case OPS_ARITH: return arithmetic(f, from, op, a, b);
    case OPS_COMPARE: return compare(f, from, op, a, b);
    case OPS_LOGIC: return operation(f, from, op, dtype_type(DT_BOOL), a, b);
    default: return bits(f, from, op, a, b);
    }
}

static struct node *check_unary(struct fn *f, const struct node *n) {
    struct node *a = check_expr(f, n->a);
    if (!a || (n->op == OP_LNOT && !is_bool(f, a, "the operand of 'not'")))
        return NULL;
    struct constant value;
    const char *why = NULL;
    if (a->kind == N_CONST && fold_unary(n->op, &a->value, &value, &why))
        return constant_node(f, n, value);
    if (why) {
        fail(f, n->mark, "%s", why);
        return NULL;
    }
    if (n->op == OP_NOT && is_inexact(a->type))
        return unsupported(f, n, n->op, a, NULL, ", but whole numbers and bool");
    if ((n->op == OP_NEG || n->op == OP_POS) && is_of(a, DT_BOOL))
        return unsupported(f, n, n->op, a, NULL, n->op == OP_NEG ? "; write 'not'" : "");
    struct node *t = typed(f, N_UNARY, n, a->type);
    t->op = n->op;
    t->a = operand(f, a, a->type);
    return t->a ? t : NULL;
}

/* The taken arm of a conditional on a constant, in the type of both arms. */
static struct node *chosen(struct fn *f, struct node *arm, struct type t) {
    struct constant c = arm->value;
    if (t.kind == TYPE_DTYPE)
        return convert(f, arm, t.dtype);
    if (t.kind == TYPE_WEAK_FLOAT && c.type.kind == TYPE_WEAK_INT)
        c.f = (double)c.i;
    c.type = t;
    return constant_node(f, arm, c);
}

static struct node *check_cond(struct fn *f, const struct node *n) {
    struct node *c = check_condition(f, n->c), *a, *b;
    bool is_false = is_always(c, false), is_true = is_always(c, true);
    f->guards++;
    f->unreached += is_false;
    a = check_expr(f, n->a);
    f->unreached += is_true - is_false;
    b = check_expr(f, n->b);
    f->unreached -= is_true;
    f->guards--;
    if (!a || !b || !c)
        return NULL;
    struct type t = promote(a->type, b->type);
    if (c->kind == N_CONST && a->kind == N_CONST && b->kind == N_CONST)
        return chosen(f, c->value.i ? a : b, t);
    struct node *cond = typed(f, N_COND, n, t);
    cond->c = c;
    cond->a = operand(f, a, t);
    cond->b = operand(f, b, t);
    return cond->a && cond->b ? cond : NULL;
}

static struct node *check_kind(struct fn *f, const struct node *n) {
    switch (n->kind) {
    case N_CONST: return constant_node(f, n, n->value);
    case N_NAME: return check_name(f, n);
    case N_UNARY: return check_unary(f, n);
    case N_BINARY: {
        struct node *a = check_expr(f, n->a), *b;
        bool lazy = n->op == OP_LAND || n->op == OP_LOR;
        f->guards += lazy;
        b = check_expr(f, n->b);
        f->guards -= lazy;
        if (a && b)
            warn_constant(f, n, a, b);
        return binary(f, n, n->op, a, b);
    }
    case N_COND: return check_cond(f, n);
    case N_INDEX: return check_index(f, n);
    case N_TUPLE:
        fail(f, n->at,
             "several values in parentheses are what 'reduce' joins, by a def; write "
             "them without");
        return NULL;
    default: return check_call(f, n);
    }
}

struct node *check_expr(struct fn *f, const struct node *n) {
    if (f->unit->too_large)
        return NULL;
    if (++f->unit->nesting > MAX_NESTING) {
        f->unit->too_large = true;
        fail(f, n->mark, "nested too deeply, with the functions called; split it with 'let'");
        return NULL;
    }
    struct node *t = check_kind(f, n);
    f->unit->nesting--;
    return t;
}
