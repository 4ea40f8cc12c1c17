/* fold.c: arithmetic on constants: whole numbers in 127 bits, all others as doubles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "half.h"
#include "uc.h"

__extension__ typedef unsigned __int128 unsigned_wide_int;
enum { WIDE_BITS = 8 * sizeof(wide_int) };

static const char too_large[] = "the value is too large; whole numbers go up to 2**127 - 1";

static bool is_weak(const struct constant *c, enum type_kind kind) {
    return c->type.kind == kind;
}

static bool is_bool(const struct constant *c) {
    return c->type.kind == TYPE_DTYPE && c->type.dtype == DT_BOOL;
}

static double to_double(const struct constant *c) {
    return is_weak(c, TYPE_WEAK_INT) || c->type.kind == TYPE_DTYPE ? (double)c->i : c->f;
}

static long double to_long(const struct constant *c) {
    return is_weak(c, TYPE_WEAK_INT) ? (long double)c->i : c->f;
}

static bool give_int(struct constant *r, wide_int i) {
    *r = (struct constant){.type = {TYPE_WEAK_INT, DT_BOOL}, .i = i};
    return true;
}

static bool give_float(struct constant *r, double f) {
    *r = (struct constant){.type = {TYPE_WEAK_FLOAT, DT_BOOL}, .f = f};
    return true;
}

static bool give_complex(struct constant *r, double re, double im) {
    *r = (struct constant){.type = {TYPE_WEAK_COMPLEX, DT_BOOL}, .f = re, .im = im};
    return true;
}

static bool give_bool(struct constant *r, bool b) {
    *r = (struct constant){.type = {TYPE_DTYPE, DT_BOOL}, .i = b};
    return true;
}

static bool refuse(const char **why, const char *message) {
    *why = message;
    return false;
}

/* Refuses a division by zero: a / b, or, with whole, a // b or a % b of whole numbers. */
static bool refuse_by_zero(const char **why, bool whole, double a, double b) {
    bool negative = (a < 0) != (signbit(b) != 0);
    return refuse(why, whole ? "division by zero; of whole numbers it gives 0 where a kernel "
                               "computes it: write '0'"
                       : !(a < 0 || a > 0) ? "division by zero; write 'nan' for this value"
                       : negative          ? "division by zero; write '-inf' for this value"
                                           : "division by zero; write 'inf' for this value");
}

/* A whole-number result.  The least wide_int counts as an overflow, for its negative is none. */
static bool give_whole(struct constant *r, wide_int i, bool overflow, const char **why) {
    const wide_int most = ((((wide_int)1 << 126) - 1) << 1) + 1;
    return overflow || i < -most ? refuse(why, too_large) : give_int(r, i);
}

/* ---- operators */

/* A unary operator on a constant of a dtype; integers wrap. */
static bool fold_typed_unary(enum op op, const struct constant *a, struct constant *result) {
    enum ufc_dtype d = a->type.dtype;
    bool whole = !is_float(d) && !is_complex(d);
    if (op == OP_LNOT || (op == OP_NOT && !whole))
        return false;
    *result = *a;
    if (whole)
        result->i = op == OP_POS ? a->i : wrap(op == OP_NEG ? -a->i : -1 - a->i, d);
    else if (op == OP_NEG)
        *result = (struct constant){a->type, .f = -a->f, .im = is_complex(d) ? -a->im : 0};
    return true;
}

bool fold_unary(enum op op, const struct constant *a, struct constant *result, const char **why) {
    *why = NULL;
    if (is_bool(a))
        return (op == OP_LNOT || op == OP_NOT) && give_bool(result, !a->i);
    if (a->type.kind == TYPE_DTYPE)
        return fold_typed_unary(op, a, result);
    bool whole = is_weak(a, TYPE_WEAK_INT);
    if (op == OP_NEG && is_weak(a, TYPE_WEAK_COMPLEX))
        return give_complex(result, -a->f, -a->im);
    switch (op) {
    case OP_POS: *result = *a; return true;
    case OP_NEG: return whole ? give_int(result, -a->i) : give_float(result, -a->f);
    case OP_NOT: return whole && give_whole(result, -1 - a->i, false, why);
    default: return false;
    }
}

static wide_int floor_quotient(wide_int a, wide_int b) {
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static wide_int floor_rest(wide_int a, wide_int b) {
    wide_int rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static bool fold_shift(enum op op, wide_int a, wide_int b, struct constant *r, const char **why) {
    if (b < 0)
        return refuse(why, "a shift by a negative number");
    if (op == OP_SHR)
        return give_int(r, b > 126 ? (a < 0 ? -1 : 0) : a >> b);
    wide_int product = a;
    bool overflow = false;
    for (wide_int i = 0; i < b && product != 0 && !overflow; i++)
        overflow = __builtin_add_overflow(product, product, &product);
    return give_whole(r, product, overflow, why);
}

static bool fold_int_power(wide_int a, wide_int n, struct constant *r, const char **why) {
    wide_int product = 1;
    if (n < 0)
        return refuse(why, "a whole number to a negative power; write the base as '2.0'");
    if (a >= -1 && a <= 1)
        return give_int(r, n == 0 ? 1 : a == -1 && n % 2 == 0 ? 1 : a);
    bool overflow = false;
    for (; n > 0 && !overflow; n--)
        overflow = __builtin_mul_overflow(product, a, &product);
    return give_whole(r, product, overflow, why);
}

/* a / b, rounded once.  If a double does not hold both numbers exactly, a long double has bits to
 * spare. */
static double quotient(wide_int a, wide_int b) {
    const wide_int exact = (wide_int)1 << 53;
    if (a <= exact && a >= -exact && b <= exact && b >= -exact)
        return (double)a / (double)b;
    return (double)((long double)a / (long double)b);
}

static bool fold_ints(enum op op, wide_int a, wide_int b, struct constant *r, const char **why) {
    wide_int i = 0;
    bool overflow = false;
    if (b == 0 && (op == OP_DIV || op == OP_FLOORDIV || op == OP_MOD))
        return refuse_by_zero(why, op != OP_DIV, (double)a, 0);
    switch (op) {
    case OP_ADD: overflow = __builtin_add_overflow(a, b, &i); break;
    case OP_SUB: overflow = __builtin_sub_overflow(a, b, &i); break;
    case OP_MUL: overflow = __builtin_mul_overflow(a, b, &i); break;
    case OP_DIV: return give_float(r, quotient(a, b));
    case OP_FLOORDIV: return give_int(r, floor_quotient(a, b));
    case OP_MOD: return give_int(r, floor_rest(a, b));
    case OP_POW: return fold_int_power(a, b, r, why);
    case OP_AND: i = a & b; break;
    case OP_OR: i = a | b; break;
    case OP_XOR: i = a ^ b; break;
    default: return fold_shift(op, a, b, r, why);
    }
    return give_whole(r, i, overflow, why);
}

/* Floor division and remainder as NumPy's npy_divmod and as gen/body/op.c compute them. */
static double float_divmod(enum op op, double a, double b) {
    double r = fmod(a, b);
    if (r != 0 && (b < 0) != (r < 0)) {
        double q = (a - r) / b - 1, down = floor(q);
        return op == OP_MOD ? r + b : q - down > 0.5 ? down + 1 : down;
    }
    if (op == OP_MOD)
        return r == 0 ? copysign(0, b) : r;
    double q = (a - r) / b, down = floor(q);
    return q == 0 ? copysign(0, a / b) : q - down > 0.5 ? down + 1 : down;
}

static bool fold_floats(enum op op, double a, double b, struct constant *r, const char **why) {
    switch (op) {
    case OP_ADD: return give_float(r, a + b);
    case OP_SUB: return give_float(r, a - b);
    case OP_MUL: return give_float(r, a * b);
    case OP_POW: return give_float(r, pow(a, b));
    case OP_DIV:
    case OP_FLOORDIV:
    case OP_MOD:
        if (b == 0)
            return refuse_by_zero(why, false, op == OP_MOD ? 0 : a, b);
        return give_float(r, op == OP_DIV ? a / b : float_divmod(op, a, b));
    default: return false;
    }
}

/* Operators where a or b is complex, as the language computes them: a product by four real ones, a
 * quotient by Smith's division. */
static bool fold_complex(enum op op, const struct constant *x, const struct constant *y,
                         struct constant *r, const char **why) {
    double a = to_double(x), b = x->im, c = to_double(y), d = y->im;
    switch (op) {
    case OP_ADD: return give_complex(r, a + c, b + d);
    case OP_SUB: return give_complex(r, a - c, b - d);
    case OP_MUL: return give_complex(r, a * c - b * d, a * d + b * c);
    case OP_EQ:
    case OP_NE: return give_bool(r, (a == c && b == d) == (op == OP_EQ));
    case OP_DIV: break;
    default: return false;
    }
    if (c == 0 && d == 0)
        return refuse_by_zero(why, false, 0, c);
    if (fabs(c) >= fabs(d)) {
        double ratio = d / c, scale = 1 / (c + d * ratio);
        return give_complex(r, (a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    double ratio = c / d, scale = 1 / (c * ratio + d);
    return give_complex(r, (a * ratio + b) * scale, (b * ratio - a) * scale);
}

static bool by_order(enum op op, bool less, bool equal, bool greater) {
    switch (op) {
    case OP_EQ: return equal;
    case OP_NE: return !equal;
    case OP_LT: return less;
    case OP_LE: return less || equal;
    case OP_GT: return greater;
    default: return greater || equal;
    }
}

static bool fold_bools(enum op op, bool a, bool b, struct constant *r) {
    switch (op) {
    case OP_LAND:
    case OP_AND: return give_bool(r, a && b);
    case OP_LOR:
    case OP_OR: return give_bool(r, a || b);
    case OP_XOR: return give_bool(r, a != b);
    case OP_EQ:
    case OP_NE: return give_bool(r, (a == b) == (op == OP_EQ));
    default: return false;
    }
}

bool fold_binary(enum op op, const struct constant *a, const struct constant *b,
                 struct constant *result, const char **why) {
    *why = NULL;
    if (is_bool(a) && is_bool(b))
        return fold_bools(op, a->i, b->i, result);
    if (a->type.kind == TYPE_DTYPE || b->type.kind == TYPE_DTYPE)
        return false;
    if (is_weak(a, TYPE_WEAK_COMPLEX) || is_weak(b, TYPE_WEAK_COMPLEX))
        return fold_complex(op, a, b, result, why);
    bool whole = is_weak(a, TYPE_WEAK_INT) && is_weak(b, TYPE_WEAK_INT);
    double x = to_double(a), y = to_double(b);
    if (op >= OP_EQ && op <= OP_GE) {
        /* A long double holds more digits of a whole number than a double. */
        long double v = to_long(a), w = to_long(b);
        bool less = whole ? a->i < b->i : v < w, equal = whole ? a->i == b->i : v == w;
        bool greater = whole ? a->i > b->i : v > w;
        return give_bool(result, by_order(op, less, equal, greater));
    }
    return whole ? fold_ints(op, a->i, b->i, result, why) : fold_floats(op, x, y, result, why);
}

/* A binary operator on constants of one dtype.  Integers wrap.  For float32, + - * / are computed
 * in double and rounded again, which gives the correctly rounded result. */
bool fold_typed(enum op op, const struct constant *a, const struct constant *b,
                struct constant *result) {
    enum ufc_dtype d = a->type.dtype;
    const char *why;
    if (a->type.kind != TYPE_DTYPE || b->type.kind != TYPE_DTYPE || b->type.dtype != d ||
        op > OP_XOR || op == OP_FLOORDIV || op == OP_MOD || op == OP_POW || d == DT_BOOL ||
        is_half(d) || is_complex(d))
        return false;
    bool real = is_float(d);
    if (real ? !fold_floats(op, a->f, b->f, result, &why)
             : op == OP_DIV || !fold_ints(op, a->i, b->i, result, &why))
        return false;
    result->type = a->type;
    if (real)
        result->f = round_to(result->f, d);
    else
        result->i = wrap(result->i, d);
    return true;
}

/* ---- functions */

/* sin(pi * (x + turn / 2)), with exact reduction of the argument. */
static double sine_of_turns(double x, int turn) {
    double within = fmod(x, 2), quarters = rint(2 * within), angle = M_PI * (within - quarters / 2);
    switch (((int)quarters + turn) & 3) {
    case 0: return sin(angle);
    case 1: return cos(angle);
    case 2: return -sin(angle);
    default: return -cos(angle);
    }
}

static double sinpi_of(double x) {
    return sine_of_turns(x, 0);
}

static double cospi_of(double x) {
    return sine_of_turns(x, 1);
}

static double rsqrt_of(double x) {
    return 1 / sqrt(x);
}

static double reciprocal_of(double x) {
    return 1 / x;
}

static double square_of(double x) {
    return x * x;
}

static double deg2rad_of(double x) {
    return x * (M_PI / 180);
}

static double rad2deg_of(double x) {
    return x * (180 / M_PI);
}

static double sign_of(double x) {
    return isnan(x) ? x : (x > 0) - (x < 0);
}

static double lgamma_of(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

static double least_of(double x, double y) {
    return isnan(x) || x <= y ? x : y;
}

static double greatest_of(double x, double y) {
    return isnan(x) || x >= y ? x : y;
}

static double heaviside_of(double x, double h) {
    return isnan(x) ? x : x == 0 ? h : x > 0;
}

/* The distance to the next number away from zero. */
static double eps_of(double x) {
    return nextafter(x, x != 0 ? copysign(INFINITY, x) : INFINITY) - x;
}

static double (*const of_one[B_COUNT])(double) = {
    [B_EPS] = eps_of,
    [B_SIN] = sin,
    [B_COS] = cos,
    [B_TAN] = tan,
    [B_ASIN] = asin,
    [B_ACOS] = acos,
    [B_ATAN] = atan,
    [B_SINH] = sinh,
    [B_COSH] = cosh,
    [B_TANH] = tanh,
    [B_ASINH] = asinh,
    [B_ACOSH] = acosh,
    [B_ATANH] = atanh,
    [B_SINPI] = sinpi_of,
    [B_COSPI] = cospi_of,
    [B_DEG2RAD] = deg2rad_of,
    [B_EXP] = exp,
    [B_EXP2] = exp2,
    [B_EXP10] = exp10,
    [B_EXPM1] = expm1,
    [B_LOG] = log,
    [B_LOG2] = log2,
    [B_LOG10] = log10,
    [B_LOG1P] = log1p,
    [B_LOGB] = logb,
    [B_SQRT] = sqrt,
    [B_RSQRT] = rsqrt_of,
    [B_CBRT] = cbrt,
    [B_SQUARE] = square_of,
    [B_RECIPROCAL] = reciprocal_of,
    [B_RAD2DEG] = rad2deg_of,
    [B_FLOOR] = floor,
    [B_CEIL] = ceil,
    [B_TRUNC] = trunc,
    [B_RINT] = rint,
    [B_ROUND] = rint,
    [B_ABS] = fabs,
    [B_SIGN] = sign_of,
    [B_ERF] = erf,
    [B_ERFC] = erfc,
    [B_TGAMMA] = tgamma,
    [B_LGAMMA] = lgamma_of,
    [B_J0] = j0,
    [B_J1] = j1,
    [B_Y0] = y0,
    [B_Y1] = y1,
};

static double (*const of_two[B_COUNT])(double, double) = {
    [B_ATAN2] = atan2,
    [B_HYPOT] = hypot,
    [B_POW] = pow,
    [B_FMOD] = fmod,
    [B_FDIM] = fdim,
    [B_COPYSIGN] = copysign,
    [B_MIN] = least_of,
    [B_MAX] = greatest_of,
    [B_FMIN] = fmin,
    [B_FMAX] = fmax,
    [B_HEAVISIDE] = heaviside_of,
    [B_NEXTAFTER] = nextafter,
};

static wide_int gcd_of(wide_int a, wide_int b) {
    while (b != 0) {
        wide_int r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

/* Functions of whole numbers with whole results. */
static bool fold_int_call(int id, wide_int a, wide_int b, wide_int c, struct constant *r) {
    wide_int i = 0;
    const char *why;
    switch (id) {
    case B_FLOOR:
    case B_CEIL:
    case B_TRUNC:
    case B_ROUND: return give_int(r, a);
    case B_ABS: return give_int(r, a < 0 ? -a : a);
    case B_SIGN: return give_int(r, (a > 0) - (a < 0));
    case B_SQUARE: return !__builtin_mul_overflow(a, a, &i) && give_int(r, i);
    case B_MIN:
    case B_FMIN: return give_int(r, a < b ? a : b);
    case B_MAX:
    case B_FMAX: return give_int(r, a > b ? a : b);
    case B_CLIP: a = a > b ? a : b; return give_int(r, a < c ? a : c);
    case B_GCD: return give_int(r, gcd_of(a, b));
    case B_POW: return fold_int_power(a, b, r, &why);
    case B_FMOD: return b != 0 && give_int(r, a % b);
    default: return false;
    }
}

static bool fold_predicate(int id, double x, struct constant *r) {
    switch (id) {
    case B_ISNAN: return give_bool(r, isnan(x));
    case B_ISINF: return give_bool(r, isinf(x));
    case B_ISFINITE: return give_bool(r, isfinite(x));
    default: return give_bool(r, signbit(x));
    }
}

bool fold_call(const struct builtin *f, const struct constant *args, struct constant *result) {
    double x[3] = {0, 0, 0};
    bool whole = true;
    for (int i = 0; i < f->nargs; i++) {
        if (args[i].type.kind == TYPE_DTYPE || args[i].type.kind == TYPE_WEAK_COMPLEX)
            return false;
        whole = whole && is_weak(&args[i], TYPE_WEAK_INT);
        x[i] = to_double(&args[i]);
    }
    if (whole && (f->rule == RULE_SAME || f->rule == RULE_INTEGER))
        return fold_int_call(f->id, args[0].i, f->nargs > 1 ? args[1].i : 0,
                             f->nargs > 2 ? args[2].i : 0, result);
    if (f->rule == RULE_PREDICATE)
        return fold_predicate(f->id, x[0], result);
    if (of_one[f->id])
        return give_float(result, of_one[f->id](x[0]));
    if (of_two[f->id])
        return give_float(result, of_two[f->id](x[0], x[1]));
    switch (f->id) {
    case B_FMA: return give_float(result, fma(x[0], x[1], x[2]));
    case B_CLIP: return give_float(result, least_of(greatest_of(x[0], x[1]), x[2]));
    default: return false;
    }
}

/* ---- ranges and text */

wide_int wrap(wide_int i, enum ufc_dtype d) {
    int unused = WIDE_BITS - dtype_info[d].bits;
    unsigned_wide_int high = (unsigned_wide_int)i << unused;
    return is_signed(d) ? (wide_int)high >> unused : (wide_int)(high >> unused);
}

wide_int highest(enum ufc_dtype d) {
    int bits = d == DT_BOOL ? 1 : dtype_info[d].bits - is_signed(d);
    return (wide_int)(~(unsigned_wide_int)0 >> (WIDE_BITS - bits));
}

wide_int lowest(enum ufc_dtype d) {
    return is_signed(d) ? -highest(d) - 1 : 0;
}

bool fits(wide_int value, enum ufc_dtype d) {
    return value >= lowest(d) && value <= highest(d);
}

static const char *whole_text(struct uc *uc, wide_int i) {
    char digits[48], *c = digits + sizeof digits;
    bool negative = i < 0;
    *--c = '\0';
    do
        *--c = (char)('0' + (negative ? -(i % 10) : i % 10));
    while ((i /= 10) != 0);
    return arena_printf(uc, "%s%s", negative ? "-" : "", c);
}

/* The fewest digits that read back as v. */
static const char *real_text(struct uc *uc, double v) {
    char text[40];
    int digits = 0;
    do
        snprintf(text, sizeof text, "%.*g", ++digits, v);
    while (digits < 17 && strtod(text, NULL) != v && !isnan(v));
    return arena_printf(uc, "%s", text);
}

const char *constant_text(struct uc *uc, const struct constant *c) {
    bool typed = c->type.kind == TYPE_DTYPE;
    if (is_bool(c))
        return c->i ? "True" : "False";
    if (is_weak(c, TYPE_WEAK_COMPLEX) || (typed && is_complex(c->type.dtype)))
        return arena_printf(uc, "(%s%s%sj)", real_text(uc, c->f), signbit(c->im) ? "" : "+",
                            real_text(uc, c->im));
    if (is_weak(c, TYPE_WEAK_FLOAT) || (typed && is_float(c->type.dtype)))
        return real_text(uc, c->f);
    return whole_text(uc, c->i);
}
