/* convert.c: conversions between types: implicit ones, constants that must fit, and errors
 * where a conversion must be written. */
#include <math.h>

#include "check.h"
#include "half.h"

static const char *range_text(struct uc *uc, enum ufc_dtype d) {
    struct constant lo = {.type.kind = TYPE_WEAK_INT, .i = lowest(d)}, hi = lo;
    hi.i = highest(d);
    return arena_printf(uc, "%s to %s", constant_text(uc, &lo), constant_text(uc, &hi));
}

static bool unfit(struct fn *f, const struct node *n, enum ufc_dtype d) {
    const char *text = constant_text(f->uc, &n->value), *name = dtype_info[d].name;
    if (!is_integer(d))
        fail(f, n->at, "%s does not fit %s", text, name);
    else
        fail(f, n->at, "%s does not fit %s, %s", text, name, range_text(f->uc, d));
    return false;
}

/* Whether the constant's value is in its member f. */
static bool holds_float(const struct constant *c) {
    return c->type.kind == TYPE_WEAK_FLOAT || is_complex_type(c->type) ||
           (c->type.kind == TYPE_DTYPE && is_float(c->type.dtype));
}

static bool to_float(struct fn *f, const struct node *n, enum ufc_dtype d, struct constant *to) {
    double v = holds_float(&n->value) ? n->value.f : (double)n->value.i, im = n->value.im;
    if (is_half(d) && f->decl && f->decl->is_prelude)
        d = dtype_traits[d].computed; /* the type that a half's locals are computed in */
    to->f = round_to(v, part_dtype(d));
    to->im = round_to(im, part_dtype(d));
    bool fit = (isfinite(to->f) || !isfinite(v)) && (isfinite(to->im) || !isfinite(im));
    return fit || n->value.type.kind == TYPE_DTYPE || unfit(f, n, d);
}

/* v as an integer of type d: truncated and saturated; NaN gives 0. */
static wide_int whole_of(double v, enum ufc_dtype d) {
    wide_int lo = lowest(d), hi = highest(d);
    return isnan(v) ? 0 : v <= (double)lo ? lo : v >= (double)hi ? hi : (wide_int)v;
}

static bool to_whole(struct fn *f, const struct node *n, enum ufc_dtype d, struct constant *to) {
    const struct constant *c = &n->value;
    if (holds_float(c))
        to->i = whole_of(c->f, d);
    else if (c->type.kind == TYPE_DTYPE)
        to->i = wrap(c->i, d);
    else if (fits(c->i, d))
        to->i = c->i;
    else
        return unfit(f, n, d);
    return true;
}

static struct node *convert_constant(struct fn *f, struct node *n, enum ufc_dtype d) {
    struct constant to = {.type = dtype_type(d)};
    bool ok = true;
    if (d == DT_BOOL)
        to.i = holds_float(&n->value) ? n->value.f != 0 || n->value.im != 0 : n->value.i != 0;
    else if (!is_integer(d))
        ok = to_float(f, n, d, &to);
    else
        ok = to_whole(f, n, d, &to);
    return ok ? constant_node(f, n, to) : NULL;
}

/* Converts both arms of a choice between weak numbers; each must fit. */
static struct node *convert_arms(struct fn *f, struct node *n, enum ufc_dtype to) {
    struct node *cond = typed(f, N_COND, n, dtype_type(to));
    cond->c = n->c;
    cond->a = convert(f, n->a, to);
    cond->b = convert(f, n->b, to);
    return cond->a && cond->b ? cond : NULL;
}

struct node *convert(struct fn *f, struct node *n, enum ufc_dtype to) {
    if (n->type.kind == TYPE_DTYPE && n->type.dtype == to)
        return n;
    if (is_complex_type(n->type) && !is_complex(to) && to != DT_BOOL) {
        fail(f, n->at, "a complex number is no %s; write 'real(...)', 'imag(...)' or 'abs(...)'",
             dtype_info[to].name);
        return NULL;
    }
    if (n->kind == N_COND && n->type.kind != TYPE_DTYPE)
        return convert_arms(f, n, to);
    if (n->kind == N_CONST)
        return convert_constant(f, n, to);
    if (n->kind == N_INDEX && n->type.kind != TYPE_DTYPE)
        return table_converted(f, n, to);
    struct node *cast = typed(f, N_CAST, n, dtype_type(to));
    cast->a = n;
    return cast;
}

struct node *operand(struct fn *f, struct node *n, struct type t) {
    if (t.kind == TYPE_DTYPE)
        return convert(f, n, t.dtype);
    if (n->kind == N_CONST) {
        /* The constant belongs to a weak expression that is computed at run time, such as one with
         * a loop's index, in int64 or float64. */
        struct node *c = convert_constant(f, n, strong_dtype(t));
        if (!c)
            return NULL;
        c->type = c->value.type = t;
        return c;
    }
    if (n->type.kind == t.kind)
        return n;
    struct node *cast = typed(f, N_CAST, n, t);
    cast->a = n;
    return cast;
}

/* Whether a value of type t is stored in d without an explicit conversion. */
static bool stores_implicitly(struct type t, enum ufc_dtype d) {
    switch (t.kind) {
    case TYPE_WEAK_INT: return d != DT_BOOL;
    case TYPE_WEAK_FLOAT: return is_float(d) || is_complex(d);
    case TYPE_WEAK_COMPLEX: return is_complex(d);
    default: return casts_same_kind(t.dtype, d);
    }
}

bool check_store(struct fn *f, struct span at, struct type t, const char *text, enum ufc_dtype to,
                 const char *what) {
    if (stores_implicitly(t, to))
        return true;
    const char *name = dtype_info[to].name;
    if (is_complex_type(t) && to != DT_BOOL)
        fail(f, at, "%s cannot be stored in %s, which is %s; write 'real(...)' or 'abs(...)'", text,
             what, name);
    else if (to == DT_BOOL)
        fail(f, at, "%s cannot be stored in %s, which is bool; write '... != 0'", text, what);
    else
        fail(f, at, "%s cannot be stored in %s, which is %s; write '%s(...)'", text, what, name,
             name);
    return false;
}

/* Whether an operand was a whole number before it was converted. */
static bool was_whole(struct fn *f, const struct node *n) {
    if (n->kind == N_CONST)
        return strspn(short_text(f, n->at), "0123456789") == n->at.end - n->at.begin;
    const struct type *t = n->kind == N_CAST ? &n->a->type : &n->type;
    return t->kind == TYPE_WEAK_INT || (t->kind == TYPE_DTYPE && is_integer(t->dtype));
}

bool is_whole_quotient(struct fn *f, const struct node *n) {
    return n->kind == N_BINARY && n->op == OP_DIV && was_whole(f, n->a) && was_whole(f, n->b);
}

struct node *stored(struct fn *f, struct node *n, enum ufc_dtype to, const char *what) {
    const char *text = is_weak_constant(n) ? constant_text(f->uc, &n->value) : type_name(n->type);
    if (check_store(f, n->at, n->type, text, to, what))
        return convert(f, n, to);
    if (is_integer(to) && is_whole_quotient(f, n))
        note(f->uc, n->mark, "the quotient of whole numbers is '//'");
    return NULL;
}
