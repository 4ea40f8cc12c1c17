/* winner.c: statements by which a bin, an element that each iteration finds anew, keeps what one of
 * the iterations stores, the winner:
 *
 *     if x > s[k] { s[k] = x; at[k] = i }      the first one with the greatest value
 *     s[k] = max(s[k], x)                      the same, of floating-point numbers
 *     if at[k] < 0 { at[k] = i }               the first one at all
 *
 * Whichever order the others have, the statement does the same if the winner alone runs it.  For
 * the last kind what is stored never fulfils the condition again. */
#include "apart.h"

/* ---- values */

static enum walk find_target(const struct pval *v, void *stored) {
    bool is = v->kind == PV_ELEM && (*(const uint32_t *)stored >> v->operand & 1) != 0;
    return is ? WALK_STOP : WALK_IN;
}

/* Is v made of no operand that the loop stores to? */
static bool is_free(const struct pval *v, uint32_t stored) {
    return value_walk(v, find_target, &stored);
}

/* Are two elements, maybe of different arrays, at the same place? */
static bool are_beside(const struct plan *p, const struct pval *a, const struct pval *b) {
    const struct poperand *x = &p->operands[a->operand], *y = &p->operands[b->operand];
    bool beside = x->rank == y->rank && a->nargs == b->nargs;
    for (int i = 0; beside && i < x->rank; i++)
        beside = x->dims[i] == y->dims[i] && same_value(a->args[i], b->args[i]);
    return beside;
}

/* Is v an element that the loop stores to, at subscripts that it does not? */
static bool is_bin(const struct pval *v, uint32_t stored) {
    bool is = v->kind == PV_ELEM && (stored >> v->operand & 1) != 0;
    for (int i = 0; is && i < v->nargs; i++)
        is = is_free(v->args[i], stored);
    return is && v->nargs > 0;
}

/* ---- what conditions choose */

/* What the statements of a condition's body store, beside the bin: other operands there, a bit
 * each, and the bin's own new value.  False: they do something else. */
static bool find_stores(const struct plan *p, const struct pstmt *body, uint32_t stored,
                        struct winner *w, const struct pval **own) {
    *own = NULL;
    for (const struct pstmt *s = body; s != NULL; s = s->next) {
        if (s->kind != PS_PUT || !is_free(s->value, stored) || !are_beside(p, s->place, w->bin) ||
            (w->stored >> s->operand & 1) != 0)
            return false;
        w->stored |= UINT32_C(1) << s->operand;
        if (s->operand == w->bin->operand)
            *own = s->value;
    }
    return *own != NULL && (*own)->dtype == w->bin->dtype;
}

bool surely_fails(enum op op, const struct pval *v, const struct pval *with) {
    if (v->kind == PV_CONST && with->kind == PV_CONST &&
        (is_integer(v->dtype) || v->dtype == DT_BOOL)) {
        int64_t a = (int64_t)v->i, b = (int64_t)with->i;
        bool below = is_signed(v->dtype) ? a < b : v->i < with->i;
        switch (op) {
        case OP_EQ: return a != b;
        case OP_NE: return a == b;
        case OP_LT: return !below;
        case OP_LE: return !below && a != b;
        case OP_GT: return below || a == b;
        default: return op == OP_GE && below;
        }
    }
    bool more = v->kind == PV_OP && v->op == OP_ADD && v->args[1]->kind == PV_CONST &&
                (int64_t)v->args[1]->i >= 0 && (int64_t)v->args[1]->i <= INT32_MAX;
    const struct pval *base = more ? v->args[0] : v;
    const struct variable *index =
        base->kind == PV_VAR ? (const struct variable *)(const void *)base->var : NULL;
    if (index == NULL || index->below == NULL || v->dtype != DT_INT64)
        return false;
    if (with->kind == PV_CONST && (int64_t)with->i <= 0)
        return op == OP_LT || ((op == OP_LE || op == OP_EQ) && (int64_t)with->i < 0);
    return same_value(with, index->below) && (op == OP_GE || op == OP_GT || op == OP_EQ) && !more;
}

/* Is it one that stores where nothing has been stored? */
static bool is_first(const struct plan *p, const struct pstmt *s, uint32_t stored,
                     struct winner *w) {
    const struct pval *c = s->value, *own, none = {.kind = PV_CONST, .dtype = DT_BOOL};
    bool flag = c->kind == PV_OP && c->op == OP_LNOT && is_bin(c->args[0], stored);
    for (int i = 0; i < 2; i++) {
        bool compares = c->kind == PV_OP && c->nargs == 2 && op_info[c->op].kind == OPS_COMPARE &&
                        is_bin(c->args[i], stored);
        if (!flag && !compares)
            continue;
        const struct pval *with = flag ? &none : c->args[1 - i];
        *w = (struct winner){.bin = c->args[flag ? 0 : i], .first = true};
        return find_stores(p, s->body, stored, w, &own) &&
               surely_fails(flag     ? OP_EQ
                            : i == 0 ? c->op
                                     : mirrored_op(c->op),
                            own, with);
    }
    return false;
}

/* ---- what is greater */

/* Do integers have the order of a type's values?  Of those that --fast-math computes anew each
 * time, bits may differ. */
static bool has_keys(const struct uc *uc, const struct pval *v) {
    bool same = !uc->options->fast_math || v->kind == PV_ELEM || is_integer(v->dtype);
    return is_integer(v->dtype) || (same && (v->dtype == DT_FLOAT32 || v->dtype == DT_FLOAT64));
}

/* Does a condition compare a value with the bin that gets it? */
static bool is_greatest(const struct plan *p, const struct pstmt *s, uint32_t stored,
                        struct winner *w) {
    const struct pval *c = s->value, *own;
    for (int i = 0; i < 2 && c->kind == PV_OP && c->nargs == 2; i++) {
        enum op op = i == 1 ? c->op : mirrored_op(c->op); /* of the value, then the bin */
        bool less = op == OP_LT || op == OP_LE, strict = op == OP_LT || op == OP_GT;
        if (!(less || op == OP_GT || op == OP_GE) || !is_bin(c->args[i], stored) ||
            !is_free(c->args[1 - i], stored))
            continue;
        *w = (struct winner){
            .bin = c->args[i], .value = c->args[1 - i], .least = less, .first = strict};
        return find_stores(p, s->body, stored, w, &own) && same_value(own, w->value);
    }
    return false;
}

/* Does a function of a floating-point value and the bin choose what the bin gets?  Of equal ones,
 * such as zeros, that is its first argument. */
static bool is_extreme(const struct pstmt *s, uint32_t stored, struct winner *w) {
    const struct pval *v = s->value;
    int id = v->kind == PV_CALL ? (int)v->builtin->id : -1;
    bool least = id == B_MIN || id == B_FMIN, numbers = id == B_FMAX || id == B_FMIN;
    if ((!least && id != B_MAX && id != B_FMAX) || !is_float(v->dtype) ||
        v->dtype != s->place->dtype || !is_bin(s->place, stored))
        return false;
    for (int i = 0; i < 2; i++)
        if (same_value(v->args[i], s->place) && is_free(v->args[1 - i], stored)) {
            *w = (struct winner){.bin = s->place,
                                 .value = v->args[1 - i],
                                 .least = least,
                                 .first = i == 0,
                                 .nan = !numbers};
            w->stored = UINT32_C(1) << s->operand;
            return true;
        }
    return false;
}

bool find_winner(const struct uc *uc, const struct plan *p, const struct pstmt *s, uint32_t stored,
                 struct winner *w) {
    if (s->kind == PS_PUT ? !is_extreme(s, stored, w)
                          : s->kind != PS_IF || s->other != NULL ||
                                !(is_greatest(p, s, stored, w) || is_first(p, s, stored, w)))
        return false;
    return w->bin->operand < p->noperands &&
           (w->value == NULL || (w->value->dtype == w->bin->dtype && has_keys(uc, w->value)));
}

/* ---- keys */

enum ufc_dtype winner_key(const struct winner *w) {
    enum ufc_dtype d = w->value->dtype;
    return d == DT_FLOAT32 ? DT_UINT32 : d == DT_FLOAT64 ? DT_UINT64 : d;
}

static struct pval *constant(struct lower *l, enum ufc_dtype d, uint64_t bits) {
    struct pval *v = value_new(l, PV_CONST, d);
    v->i = (uint64_t)wrap((wide_int)bits, d);
    return v;
}

static struct pval *choose(struct lower *l, struct pval *c, struct pval *yes, struct pval *no) {
    struct pval *v = value_new(l, PV_SELECT, yes->dtype);
    v->nargs = 3;
    v->args[0] = c;
    v->args[1] = yes;
    v->args[2] = no;
    return v;
}

/* The bits of a number as a whole number that has its place among others': those of negative ones
 * are inverted, and both zeros are the same.  NaN: the greatest one, or the least one. */
static struct pval *key_of_float(struct lower *l, struct pval *x, bool least, bool nan,
                                 struct span at) {
    bool wide = x->dtype == DT_FLOAT64;
    enum ufc_dtype d = wide ? DT_UINT64 : DT_UINT32;
    uint64_t sign = wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    struct pval *bits = emit_temporary(l, "bits", value_call(l, B_BITS, d, 1, &x), at);
    struct pval *negative = value_op(l, OP_GT, DT_BOOL, bits, constant(l, d, sign));
    struct pval *flipped = value_op(l, OP_XOR, d, bits, constant(l, d, sign));
    struct pval *zero = value_op(l, OP_EQ, DT_BOOL, bits, constant(l, d, sign));
    struct pval *key =
        choose(l, negative, value_op(l, OP_NOT, d, bits, NULL), choose(l, zero, bits, flipped));
    if (least)
        key = value_op(l, OP_NOT, d, key, NULL);
    return choose(l, value_op(l, OP_EQ, DT_BOOL, x, x), key, constant(l, d, nan ? UINT64_MAX : 0));
}

struct pval *emit_key(struct lower *l, const struct winner *w, struct pval *x, struct span at) {
    struct pval *value = emit_temporary(l, "value", x, at);
    struct pval *key = is_float(value->dtype) ? key_of_float(l, value, w->least, w->nan, at)
                       : w->least             ? value_op(l, OP_NOT, value->dtype, value, NULL)
                                              : value;
    return emit_temporary(l, "key", key, at);
}
