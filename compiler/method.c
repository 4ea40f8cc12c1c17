/* method.c: the properties of an overload that a ufunc's methods (reduce, accumulate, …) need. */
#include <math.h>
#include <string.h>

#include "half.h"
#include "uc.h"

bool has_methods(const struct plan *p) {
    enum ufc_dtype d = p->operands[0].dtype;
    return p->overload->decl->kind == DECL_UFUNC && p->nin == 2 && p->noperands == 3 &&
           p->operands[1].dtype == d && p->operands[2].dtype == d;
}

bool has_host_folds(const struct plan *p) {
    return has_methods(p) && !p->checked;
}

/* ---- whether exchanging the inputs changes the body */

enum { MAX_LEVELS = 12 }; /* of values: each tries both orders of operands */

static bool op_commutes(enum op op) {
    return op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR ||
           op == OP_EQ || op == OP_NE;
}

bool builtin_commutes(enum builtin_id id) {
    return id == B_MIN || id == B_MAX || id == B_FMIN || id == B_FMAX || id == B_HYPOT ||
           id == B_GCD || id == B_LCM;
}

/* What a variable is set to, in a body that does nothing but set variables, once each, and store;
 * NULL: it does more. */
static const struct pval *value_of(const struct pstmt *body, const struct pvar *var) {
    const struct pval *value = NULL;
    for (const struct pstmt *s = body; s != NULL; s = s->next) {
        if (s->kind != PS_SET && s->kind != PS_STORE)
            return NULL;
        if (s->kind == PS_SET && s->var == var) {
            if (value != NULL)
                return NULL;
            value = s->value;
        }
    }
    return value;
}

/* Whether exchanging the inputs turns a into b, values of the body. */
static bool mirrors(const struct pstmt *body, const struct pval *a, const struct pval *b,
                    int levels) {
    if (levels == 0 || a->kind != b->kind || a->dtype != b->dtype || a->nargs != b->nargs)
        return false;
    bool commutes = false;
    switch (a->kind) {
    case PV_CONST: return a->i == b->i && a->f == b->f && signbit(a->f) == signbit(b->f);
    case PV_LOAD: return a->operand != b->operand;
    case PV_ELEM:
    case PV_TABLE:
    case PV_DIM: return false;
    case PV_VAR: {
        const struct pval *x = value_of(body, a->var), *y = value_of(body, b->var);
        return x != NULL && y != NULL && mirrors(body, x, y, levels - 1);
    }
    case PV_OP:
        if (a->op != b->op)
            return false;
        commutes = op_commutes(a->op);
        break;
    case PV_CALL:
        if (a->builtin != b->builtin || a->result != b->result)
            return false;
        commutes = builtin_commutes(a->builtin->id);
        break;
    case PV_FMA:
    case PV_CAST:
    case PV_SELECT:
    case PV_PACK: break;
    case PV_PART:
        if (a->result != b->result)
            return false;
        break;
    }
    bool same = true;
    for (int i = 0; i < a->nargs && same; i++)
        same = mirrors(body, a->args[i], b->args[i], levels - 1);
    return same ||
           (commutes && a->nargs == 2 && mirrors(body, a->args[0], b->args[1], levels - 1) &&
            mirrors(body, a->args[1], b->args[0], levels - 1));
}

static const struct pstmt *statements(const struct plan *p) {
    return p->body != NULL ? p->body->body : NULL;
}

/* Whether exchanging the inputs leaves the only result as it is. */
static bool commutes(const struct plan *p) {
    const struct pstmt *body = statements(p), *s = body;
    while (s != NULL && s->next != NULL)
        s = s->next;
    return s != NULL && s->kind == PS_STORE && mirrors(body, s->value, s->value, MAX_LEVELS);
}

/* The value of a body that is only `return value`; NULL: the body is more. */
static const struct pval *only_value(const struct plan *p) {
    const struct pstmt *s = statements(p);
    return s != NULL && s->next == NULL && s->kind == PS_STORE ? s->value : NULL;
}

/* A value without conversions; halves are computed in float32. */
static const struct pval *unconverted(const struct pval *v) {
    return v->kind == PV_CAST ? v->args[0] : v;
}

/* Whether v's arguments are the two inputs. */
static bool takes_inputs(const struct pval *v) {
    if (v->nargs != 2)
        return false;
    const struct pval *a = unconverted(v->args[0]), *b = unconverted(v->args[1]);
    return a->kind == PV_LOAD && b->kind == PV_LOAD && a->operand != b->operand;
}

static bool is_of_inputs(const struct pval *v, enum op op) {
    return v->kind == PV_OP && v->op == op && takes_inputs(v);
}

/* Whether partial results are kept in a wider type, as NumPy keeps them: for sums and products, and
 * in half types for differences and quotients too. */
static bool widens(const struct pval *v, enum ufc_dtype d) {
    if (is_half(d))
        v = unconverted(v);
    else if (!is_integer(d) && d != DT_BOOL)
        return false;
    return is_of_inputs(v, OP_ADD) || is_of_inputs(v, OP_MUL) ||
           (is_half(d) && (is_of_inputs(v, OP_SUB) || is_of_inputs(v, OP_DIV)));
}

/* ---- functions that are associative bit by bit */

/* The neutral element of an operator on integers or bools. */
static bool neutral_of_op(enum op op, uint64_t *bits) {
    switch (op) {
    case OP_ADD:
    case OP_OR:
    case OP_LOR:
    case OP_XOR: *bits = 0; return true;
    case OP_MUL: *bits = 1; return true;
    case OP_LAND:
    case OP_AND: *bits = UINT64_MAX; return true;
    default: return false;
    }
}

/* That of a maximum or minimum: a NaN where it ignores these, else the least or greatest value. */
static bool neutral_of_extreme(int id, enum ufc_dtype d, uint64_t *bits) {
    bool ignores = id == B_FMIN || id == B_FMAX, max = id == B_MAX || id == B_FMAX;
    if (!max && !ignores && id != B_MIN)
        return false;
    if (is_float(d)) {
        *bits = float_bits(ignores ? NAN : max ? -INFINITY : INFINITY, d);
        return true;
    }
    uint64_t highest = d == DT_BOOL ? 1 : UINT64_MAX >> (64 - dtype_info[d].bits + is_signed(d));
    *bits = max ? (is_signed(d) ? highest + 1 : 0) : highest;
    return true;
}

bool neutral_bits(const struct plan *p, uint64_t *bits) {
    const struct pval *v = has_methods(p) ? only_value(p) : NULL;
    enum ufc_dtype d = p->operands[0].dtype;
    if (v == NULL)
        return false;
    if (is_half(d))
        v = unconverted(v);
    if (v->dtype != (is_half(d) ? DT_FLOAT32 : d) || !takes_inputs(v))
        return false;
    if (v->kind == PV_OP)
        return (is_integer(d) || d == DT_BOOL) && neutral_of_op(v->op, bits);
    return v->kind == PV_CALL && !is_complex(d) && neutral_of_extreme(v->builtin->id, d, bits);
}

bool merges_at(const struct plan *p, struct pstmt *put) {
    uint64_t neutral;
    if (!neutral_bits(p, &neutral))
        return false;
    struct pval *v = statements(p)->value;
    *put = (struct pstmt){.kind = PS_PUT, .value = v, .place = v->args[0]};
    return v->args[0]->kind == PV_LOAD && merge_of(put) >= 0;
}

/* ---- what the image says */

bool copies_input(const struct plan *p) {
    const struct pval *v = p->nin == 1 && p->noperands == 2 ? only_value(p) : NULL;
    return p->overload->decl->kind == DECL_UFUNC && !p->checked && v != NULL &&
           v->kind == PV_LOAD && v->dtype == p->operands[1].dtype;
}

uint32_t method_flags(const struct plan *p) {
    uint32_t flags = has_methods(p) && p->overload->identity != NULL ? UFC_HAS_IDENTITY : 0;
    const struct pval *v = has_methods(p) ? only_value(p) : NULL;
    if (has_methods(p) && commutes(p))
        flags |= UFC_COMMUTES;
    if (v != NULL && widens(v, p->operands[0].dtype))
        flags |= UFC_WIDENS;
    uint64_t neutral, identity[2];
    identity_bits(p, identity);
    if (neutral_bits(p, &neutral))
        flags |= UFC_EXACT | (identity[0] == neutral ? UFC_NEUTRAL : 0U);
    return flags;
}

bool regroups(const struct plan *p) {
    return method_flags(p) & (UFC_HAS_IDENTITY | UFC_EXACT);
}

void identity_bits(const struct plan *p, uint64_t bits[2]) {
    const struct constant *c = p->overload->identity;
    bits[0] = bits[1] = 0;
    if (!has_methods(p))
        return;
    if (c == NULL) {
        (void)neutral_bits(p, bits);
        return;
    }
    enum ufc_dtype d = (enum ufc_dtype)c->type.dtype, part = part_dtype(d);
    bits[0] = is_float(part) ? float_bits(c->f, part) : (uint64_t)c->i;
    int offset = dtype_info[part].bits; /* the real part comes first */
    if (is_complex(d))
        bits[offset / 64] |= float_bits(c->im, part) << offset % 64;
}
