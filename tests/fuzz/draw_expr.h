/* draw_expr.h: random expressions.  Each is drawn for a type: numbers without one stand beside
 * typed operands only, conversions stand where types are mixed. */
#ifndef DRAW_EXPR_H
#define DRAW_EXPR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "ufc.h"

enum { MAX_IN = 4, MAX_OUT = 3, MAX_NAMES = 64, MAX_FUNCTIONS = 3 };

struct function {
    char name[24];
    ufc_type in[MAX_IN], out[MAX_OUT];
    int nin, nout;
    bool is_ufunc;
};

struct draw {
    uint64_t seed, position;
    FILE *out;
    struct {
        char name[8];
        ufc_type type;
        bool is_var, is_index;
    } names[MAX_NAMES];
    int nnames, ndeclared, indent, nloops;
    struct function functions[MAX_FUNCTIONS];
    int nfunctions;
    const struct function *current;
};

#include "dice.h"

static void draw_expr(struct draw *d, ufc_type t, int depth);

/* ---- types */

static char kind_of(ufc_type t) {
    return dtypes[t].kind;
}

static ufc_type any_type(struct draw *d) {
    return (ufc_type)dice(d, TYPES);
}

/* Of one of these kinds. */
static ufc_type type_of(struct draw *d, const char *kinds) {
    ufc_type t = any_type(d);
    while (!strchr(kinds, kind_of(t)))
        t = any_type(d);
    return t;
}

/* ---- leaves */

/* A variable in scope; -1: none of the type. */
static int name_of(struct draw *d, ufc_type t, bool is_var) {
    int found = -1, n = 0;
    for (int i = 0; i < d->nnames; i++)
        if (d->names[i].type == t && !d->names[i].is_index && (!is_var || d->names[i].is_var) &&
            dice(d, (uint64_t)++n) == 0)
            found = i;
    return found;
}

/* A number without a type, which fits t; not for bool. */
static void draw_literal(struct draw *d, ufc_type t) {
    static const char *const whole[] = {"0",  "1",   "2",    "3",   "7",
                                        "10", "100", "0x55", "'A'", "'\\n'"};
    static const char *const negative[] = {"(-1)", "(-2)", "(-7)", "(-128)"};
    static const char *const real[] = {"0.0",    "1.0", "0.5",   "2.5",  "3",   "(-1)", "1e-3",
                                       "(-2.5)", "0.1", "100.0", "6e-8", "1e4", "inf",  "(-0.0)"};
    static const char *const parts[] = {"1j", "2.5j", "(1 - 2j)", "(0.5 + 1j)", "(-1)", "2", "0.5"};
    for (int i = 0; i < d->nnames && chance(d, 30); i++)
        if (d->names[i].is_index && kind_of(t) != 'c') {
            put(d, "%s", d->names[i].name);
            return;
        }
    switch (kind_of(t)) {
    case 'u': put(d, "%s", PICK(d, whole)); break;
    case 'i': put(d, "%s", chance(d, 30) ? PICK(d, negative) : PICK(d, whole)); break;
    case 'f': put(d, "%s", PICK(d, real)); break;
    default: put(d, "%s", PICK(d, parts)); break;
    }
}

/* A variable of another type, converted. */
static void draw_converted(struct draw *d, ufc_type t, int name) {
    bool parts = kind_of(d->names[name].type) == 'c' && kind_of(t) != 'c' && t != UFC_BOOL;
    const char *part = !parts ? "" : chance(d, 50) ? "real" : "imag";
    put(d, "%s(%s%s%s%s)", type_names[t], part, parts ? "(" : "", d->names[name].name,
        parts ? ")" : "");
}

static void draw_leaf(struct draw *d, ufc_type t) {
    int own = name_of(d, t, false);
    if (own >= 0 && chance(d, 75))
        put(d, "%s", d->names[own].name);
    else if (d->nnames > 0 && chance(d, 70))
        draw_converted(d, t, (int)dice(d, (uint64_t)d->nnames));
    else if (t == UFC_BOOL)
        put(d, chance(d, 50) ? "True" : "False");
    else {
        put(d, "%s(", type_names[t]);
        draw_literal(d, t);
        put(d, ")");
    }
}

/* An expression, or where a typed operand stands beside it, now and then a number. */
static void draw_operand(struct draw *d, ufc_type t, int depth, bool beside) {
    if (beside && t != UFC_BOOL && chance(d, 25))
        draw_literal(d, t);
    else
        draw_expr(d, t, depth);
}

/* ---- expressions of all types */

static void draw_binary(struct draw *d, ufc_type t, const char *op, int depth) {
    bool literal_first = chance(d, 20), shift = *op == '<' || *op == '>';
    put(d, "(");
    draw_operand(d, t, depth, literal_first);
    put(d, " %s ", op);
    draw_operand(d, t, depth, !literal_first && !shift); /* by -1 is an error */
    put(d, ")");
}

static void draw_call_of(struct draw *d, ufc_type t, const char *name, int nargs, int depth) {
    put(d, "%s(", name);
    for (int i = 0; i < nargs; i++) {
        put(d, i ? ", " : "");
        draw_operand(d, t, depth, i > 0);
    }
    put(d, ")");
}

static void draw_cond(struct draw *d, ufc_type t, int depth) {
    bool where = chance(d, 25);
    if (where) {
        put(d, "where(");
        draw_expr(d, UFC_BOOL, depth);
        put(d, ", ");
    } else
        put(d, "(");
    draw_expr(d, t, depth);
    if (where)
        put(d, ", ");
    else {
        put(d, " if ");
        draw_expr(d, UFC_BOOL, depth);
        put(d, " else ");
    }
    draw_operand(d, t, depth, true);
    put(d, ")");
}

static void draw_arguments(struct draw *d, const struct function *f, int depth) {
    put(d, "%s(", f->name);
    for (int i = 0; i < f->nin; i++) {
        put(d, i ? ", " : "");
        draw_expr(d, f->in[i], depth);
    }
    put(d, ")");
}

/* A call of a function of this program; false: none gives t. */
static bool draw_call(struct draw *d, ufc_type t, int depth) {
    for (int i = 0; i < d->nfunctions; i++)
        if (d->functions[i].nout == 1 && d->functions[i].out[0] == t) {
            draw_arguments(d, &d->functions[i], depth);
            return true;
        }
    return false;
}

/* Two types into a third, by NumPy's promotion and a conversion. */
static void draw_mixed(struct draw *d, ufc_type t, int depth) {
    static const char *const ops[] = {"+", "*", "-", "/", "//", "%"};
    static const char *const functions[] = {"min", "max", "fmin", "fmax", "remainder", "where"};
    static const char *const of_complex[] = {"+", "-", "*", "/"};
    bool complex = kind_of(t) == 'c' || t == UFC_BOOL;
    ufc_type a = complex ? any_type(d) : type_of(d, "biuf");
    ufc_type b = a == UFC_BOOL ? type_of(d, "iuf") : complex ? any_type(d) : type_of(d, "biuf");
    bool parts = kind_of(a) == 'c' || kind_of(b) == 'c';
    put(d, "%s(", type_names[t]);
    if (!parts && chance(d, 25)) {
        const char *name = PICK(d, functions);
        put(d, "%s(", name);
        if (strcmp(name, "where") == 0) {
            draw_expr(d, UFC_BOOL, depth);
            put(d, ", ");
        }
        draw_expr(d, a, depth);
        put(d, ", ");
        draw_expr(d, b, depth);
        put(d, "))");
        return;
    }
    draw_expr(d, a, depth);
    put(d, " %s ", parts ? PICK(d, of_complex) : PICK(d, ops));
    draw_expr(d, b, depth);
    put(d, ")");
}

/* A small power, by multiplication. */
static void draw_power(struct draw *d, ufc_type t, int depth) {
    put(d, "(");
    draw_expr(d, t, depth);
    if (kind_of(t) == 'f')
        put(d, "**%s)", (const char *[]){"2", "3", "0.5", "(-1)", "(-2)", "5", "2.0"}[dice(d, 7)]);
    else if (kind_of(t) == 'c')
        put(d, "**%s)", (const char *[]){"2", "3", "(-1)"}[dice(d, 3)]);
    else if (chance(d, 60))
        put(d, "**%d)", (int)dice(d, 9));
    else {
        put(d, "**");
        draw_expr(d, t, depth);
        put(d, ")");
    }
}

/* ---- by kind */

static void draw_comparison(struct draw *d, int depth) {
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    ufc_type a = any_type(d), b = chance(d, 30) ? any_type(d) : a;
    put(d, "(");
    draw_expr(d, a, depth);
    put(d, " %s ", PICK(d, ops));
    draw_operand(d, b, depth, a == b);
    put(d, ")");
}

/* In parentheses, and no NaN, whose sign is not defined. */
static void draw_signed(struct draw *d, ufc_type t, int depth) {
    put(d, "(fmax(");
    draw_expr(d, t, depth);
    put(d, ", %s(-1000)))", type_names[t]);
}

static void draw_bool(struct draw *d, int depth) {
    static const char *const logic[] = {"and", "or", "&", "|", "^", "==", "!=", "+", "*"};
    static const char *const tests[] = {"isnan", "isinf", "isfinite"};
    uint64_t which = dice(d, 12);
    if (which < 5)
        draw_comparison(d, depth);
    else if (which < 8)
        draw_binary(d, UFC_BOOL, PICK(d, logic), depth);
    else if (which < 9) {
        put(d, "(not ");
        draw_expr(d, UFC_BOOL, depth);
        put(d, ")");
    } else if (which < 10) {
        put(d, "signbit");
        draw_signed(d, type_of(d, "f"), depth);
    } else if (which < 11)
        draw_call_of(d, type_of(d, "f"), PICK(d, tests), 1, depth);
    else
        draw_call_of(d, any_type(d), "bool", 1, depth);
}

/* The bits of a float that is no NaN. */
static void draw_bits(struct draw *d, ufc_type t, int depth) {
    put(d, "%s(bits", type_names[t]);
    draw_signed(d, chance(d, 50) ? UFC_FLOAT32 : UFC_FLOAT64, depth);
    put(d, ")");
}

/* Of min or max, which take many. */
static void draw_extreme(struct draw *d, ufc_type t, int depth) {
    draw_call_of(d, t, chance(d, 50) ? "min" : "max", 3 + (int)dice(d, 2), depth);
}

static void draw_whole(struct draw *d, ufc_type t, int depth) {
    static const char *const ops[] = {"+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"};
    static const char *const one[] = {"abs",      "sign", "square", "floor", "ceil", "trunc",
                                      "popcount", "clz",  "-",      "~",     "ctz"};
    static const char *const two[] = {"min",       "max", "fmin", "fmax",    "gcd",  "lcm",
                                      "remainder", "mod", "fmod", "minimum", "mulhi"};
    uint64_t which = dice(d, 14);
    if (which < 6)
        draw_binary(d, t, PICK(d, ops), depth);
    else if (which < 8)
        draw_call_of(d, t, PICK(d, one), 1, depth);
    else if (which < 10)
        draw_call_of(d, t, PICK(d, two), 2, depth);
    else if (which < 11)
        draw_power(d, t, depth);
    else if (which < 12)
        draw_bits(d, t, depth);
    else if (which < 13)
        draw_extreme(d, t, depth);
    else if (t == UFC_INT32 && chance(d, 50))
        draw_call_of(d, type_of(d, "f"), "ilogb", 1, depth);
    else
        draw_call_of(d, t, "clip", 3, depth);
}

static void draw_float(struct draw *d, ufc_type t, int depth) {
    static const char *const ops[] = {"+", "-", "*", "/", "//", "%"};
    static const char *const one[] = {"abs",  "sqrt",   "floor", "ceil",    "trunc",
                                      "rint", "round",  "sign",  "square",  "reciprocal",
                                      "-",    "square", "logb",  "deg2rad", "fabs"};
    static const char *const two[] = {"min",  "max",  "fmin", "fmax",      "minimum",
                                      "fmod", "fdim", "mod",  "heaviside", "nextafter"};
    static const ufc_type complexes[] = {UFC_COMPLEX64, UFC_COMPLEX128};
    uint64_t which = dice(d, 18);
    if (which == 17)
        draw_extreme(d, t, depth);
    else if (which == 16 && (t == UFC_FLOAT32 || t == UFC_FLOAT64) && chance(d, 60)) {
        static const ufc_type bits[] = {UFC_UINT32, UFC_INT32, UFC_UINT64, UFC_INT64};
        draw_call_of(d, bits[2 * (t == UFC_FLOAT64) + chance(d, 30)], "frombits", 1, depth);
    } else if (which == 16)
        draw_call_of(d, t, "eps", 1, depth);
    else if (which < 7)
        draw_binary(d, t, PICK(d, ops), depth);
    else if (which < 9)
        draw_call_of(d, t, PICK(d, one), 1, depth);
    else if (which < 11)
        draw_call_of(d, t, PICK(d, two), 2, depth);
    else if (which < 12)
        draw_power(d, t, depth);
    else if (which < 13)
        draw_call_of(d, t, chance(d, 70) ? "fma" : "clip", 3, depth);
    else if (which < 14 && chance(d, 50)) {
        put(d, "copysign(");
        draw_expr(d, t, depth);
        put(d, ", ");
        draw_signed(d, t, depth);
        put(d, ")");
    } else if (which < 14) {
        put(d, "ldexp(");
        draw_expr(d, t, depth);
        put(d, ", ");
        draw_expr(d, type_of(d, "iu"), depth);
        put(d, ")");
    } else if (t == UFC_FLOAT64 && chance(d, 50))
        draw_binary(d, type_of(d, "iu"), "/", depth);
    else {
        put(d, "%s(", type_names[t]);
        draw_call_of(d, PICK(d, complexes), chance(d, 50) ? "real" : "imag", 1, depth);
        put(d, ")");
    }
}

static void draw_complex(struct draw *d, ufc_type t, int depth) {
    static const char *const ops[] = {"+", "-", "*", "/"};
    static const char *const one[] = {"conj", "square", "reciprocal", "rint", "-", "+"};
    static const char *const two[] = {"min", "max", "fmin", "fmax"};
    uint64_t which = dice(d, 10);
    if (which < 5)
        draw_binary(d, t, PICK(d, ops), depth);
    else if (which < 7)
        draw_call_of(d, t, PICK(d, one), 1, depth);
    else if (which < 8)
        draw_call_of(d, t, PICK(d, two), 2, depth);
    else if (which < 9)
        draw_power(d, t, depth);
    else {
        bool parts = chance(d, 50);
        put(d, parts ? "%s(complex(" : "%s(", type_names[t]);
        draw_expr(d, dtypes[t].part, depth);
        put(d, parts ? ", " : " + ");
        draw_expr(d, dtypes[t].part, depth);
        put(d, parts ? "))" : " * 1j)");
    }
}

static void draw_expr(struct draw *d, ufc_type t, int depth) {
    if (depth <= 0 || chance(d, 15)) {
        draw_leaf(d, t);
        return;
    }
    if (chance(d, 10)) {
        draw_cond(d, t, depth - 1);
        return;
    }
    if (chance(d, 12)) {
        draw_mixed(d, t, depth - 1);
        return;
    }
    if (chance(d, 15) && draw_call(d, t, depth - 1))
        return;
    switch (kind_of(t)) {
    case 'b': draw_bool(d, depth - 1); break;
    case 'f': draw_float(d, t, depth - 1); break;
    case 'c': draw_complex(d, t, depth - 1); break;
    default: draw_whole(d, t, depth - 1); break;
    }
}

#endif
