/* path_value.c: when values are known at the earliest, by the clocks of their operations, and what
 * they are, if these are indices. */
#include <stdlib.h>
#include <string.h>

#include "path.h"

enum { MOST_KNOWN = 1 << 30 };

/* Clocks of an operation on GPUs of compute capability 7.0 to 9.0, at least. */
static path_time clocks(const struct pval *v, int narrow, int wide) {
    int n = v->dtype == DT_FLOAT64 ? wide : narrow;
    return is_float(v->dtype) ? ((path_time)n << PATH_OPERATION_BITS) + 1 : 0;
}

static path_time simple(const struct pval *v) {
    return clocks(v, 4, 8);
}

static bool is_power_of_two(const struct pval *v) {
    if (v->kind != PV_CONST || v->f == 0)
        return false;
    uint64_t bits;
    memcpy(&bits, &v->f, sizeof bits);
    return (bits & ((UINT64_C(1) << 52) - 1)) == 0;
}

/* A quotient by what is known before is a product and two steps that correct it. */
static path_time divided(const struct path_run *t, const struct pval *v,
                         const struct path_result *args) {
    path_time quick = args[0].at + simple(v);
    if (is_power_of_two(v->args[1]) || t->fast)
        return path_later(quick, args[1].at);
    return path_later(args[0].at + clocks(v, 12, 24), args[1].at + clocks(v, 24, 60));
}

static path_time called(const struct path_run *t, const struct pval *v) {
    if (t->fast || (v->builtin->impl != IMPL_LIB && v->builtin->id != B_SQRT))
        return v->builtin->id == B_FMA ? simple(v) : 0;
    switch (v->builtin->id) {
    case B_LOGB:
    case B_ILOGB:
    case B_FMOD: return 0;
    default: return clocks(v, 16, 60);
    }
}

static bool compare(enum op op, int64_t a, int64_t b) {
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    default: return a >= b;
    }
}

/* Whether an operation on known numbers, which are not large, has a known result. */
static bool operate(enum op op, int64_t a, int64_t b, int64_t *r) {
    bool ok = false;
    switch (op) {
    case OP_ADD: ok = ufc_apply_term(UFC_TERM_ADD, a, b, r); break;
    case OP_SUB: ok = ufc_apply_term(UFC_TERM_SUB, a, b, r); break;
    case OP_MUL: ok = ufc_apply_term(UFC_TERM_MUL, a, b, r); break;
    case OP_FLOORDIV: ok = ufc_apply_term(UFC_TERM_FLOORDIV, a, b, r); break;
    case OP_MOD: ok = ufc_apply_term(UFC_TERM_MOD, a, b, r); break;
    case OP_AND: *r = a & b; return true;
    case OP_OR: *r = a | b; return true;
    case OP_XOR: *r = a ^ b; return true;
    case OP_SHL:
        *r = b >= 0 && b < 30 ? a * ((int64_t)1 << b) : MOST_KNOWN;
        ok = true;
        break;
    case OP_SHR: *r = b >= 0 && b < 63 ? a >> b : 0; return b >= 0 && a >= 0;
    case OP_LAND: *r = a && b; return true;
    case OP_LOR: *r = a || b; return true;
    case OP_LNOT: *r = !a; return true;
    case OP_NEG: *r = -a; return true;
    case OP_POS: *r = a; return true;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: *r = compare(op, a, b); return true;
    default: return false;
    }
    return ok && *r > -MOST_KNOWN && *r < MOST_KNOWN;
}

static bool is_whole(const struct pval *v) {
    return is_integer(v->dtype) || v->dtype == DT_BOOL;
}

/* Whether a number is so small that a type holds it. */
static bool is_held(enum ufc_dtype dtype, int64_t n) {
    return n >= (is_signed(dtype) ? -INT8_MAX : 0) &&
           (n <= INT8_MAX || dtype_info[dtype].bits > 31);
}

struct path_extent path_extent_of(struct path_run *t, const struct pval *v) {
    enum { SCALES = 8 }; /* of what is a multiple of a size */
    struct path_extent all = {.fixed = v->kind != PV_LOAD && v->kind != PV_ELEM};
    bool scales = v->kind == PV_OP && v->op != OP_ADD && v->op != OP_SUB && v->op < OP_EQ;
    if (v->kind == PV_CONST && is_whole(v))
        all.most = llabs((int64_t)v->i > INT64_MIN ? (int64_t)v->i : INT64_MAX);
    if (v->kind == PV_VAR)
        return t->to->extent[v->var->id];
    if (v->kind == PV_DIM) {
        all.fixed = !(t->to->dims >> v->operand & 1);
        all.most = all.fixed ? t->to->size[v->operand] : 0;
    }
    for (int i = 0; i < v->nargs; i++) {
        struct path_extent arg = path_extent_of(t, v->args[i]);
        if (scales && v->args[i]->kind == PV_CONST && arg.most > 2)
            arg.most = arg.most < INT32_MAX ? arg.most * SCALES : arg.most;
        all.most = path_later(all.most, arg.most);
        all.fixed = all.fixed && arg.fixed;
    }
    return all;
}

void path_note(struct path_run *t, const struct pval *a, const struct pval *b) {
    struct path_extent x = path_extent_of(t, a), y = path_extent_of(t, b);
    if (!x.fixed || !y.fixed)
        t->to->most = path_later(t->to->most, path_later(x.most, y.most));
}

static bool is_comparison(const struct pval *v) {
    return v->kind == PV_OP && v->op >= OP_EQ && v->op <= OP_GE;
}

/* Whether v, whose args are known, is a known number. */
static bool count(struct path_run *t, const struct pval *v, const struct path_result *args,
                  int64_t *r) {
    for (int i = 0; i < v->nargs; i++)
        if (!args[i].known || !is_whole(v->args[i]))
            return false;
    if (!is_whole(v))
        return false;
    int64_t a = args[0].value, b = v->nargs > 1 ? args[1].value : 0;
    if (v->kind == PV_CAST) {
        *r = v->dtype == DT_BOOL ? a != 0 : a;
        return is_held(v->dtype, *r);
    }
    if (v->kind == PV_OP) {
        if (is_comparison(v))
            path_note(t, v->args[0], v->args[1]);
        return operate(v->op, a, b, r) && is_held(v->dtype, *r);
    }
    if (v->kind != PV_CALL || (v->builtin->id != B_MIN && v->builtin->id != B_MAX))
        return false;
    path_note(t, v->args[0], v->args[1]);
    *r = (v->builtin->id == B_MIN) == (a < b) ? a : b;
    return true;
}

size_t path_cell_of(struct path_run *t, const struct pval *v, path_time *at) {
    const struct poperand *o = &t->plan->operands[v->operand];
    size_t cell = 0;
    bool known = true;
    *at = 0;
    for (int i = 0; i < v->nargs; i++) {
        struct path_result r = path_known_at(t, v->args[i]);
        int64_t size = path_size(o->dims[i], t->to->size);
        *at = path_later(*at, r.at);
        known = known && r.known && r.value >= 0 && r.value < size;
        cell = known ? cell * (size_t)size + (size_t)r.value : 0;
    }
    return known ? cell : SIZE_MAX;
}

path_time path_element_at(struct path_run *t, const int64_t *state, int operand, size_t cell) {
    const int64_t *cells = state + t->cell[operand];
    path_time at = t->ncells[operand] > 0 ? cells[0] : 0;
    if (cell != SIZE_MAX)
        return cells[OF_CELL * cell];
    for (size_t i = 1; i < t->ncells[operand]; i++)
        at = path_earlier(at, cells[OF_CELL * i]);
    t->to->budget -= (long)t->ncells[operand] / 8;
    return at;
}

static struct path_result element(struct path_run *t, const struct pval *v) {
    struct path_result r = {0};
    size_t cell = path_cell_of(t, v, &r.at);
    if (t->cell[v->operand] == SIZE_MAX)
        return r;
    if (t->own != NULL && t->own->operand == v->operand && same_value(v, t->own))
        r.at = path_later(r.at, t->own_at);
    else
        r.at = path_later(r.at, path_element_at(t, t->state, v->operand, cell));
    return r;
}

/* Where one of two is chosen, by what is not known. */
static path_time chosen(const struct path_result *args) {
    return path_later(args[0].at, path_earlier(args[1].at, args[2].at));
}

/* A product that is fused with the sum that it is part of counts with that. */
static path_time summand(const struct path_run *t, const struct pval *sum, const struct pval *v,
                         path_time at) {
    bool fused = t->contracts && v->kind == PV_OP && v->op == OP_MUL && v->dtype == sum->dtype;
    return at - (fused ? path_earlier(at, simple(v)) : 0);
}

static path_time computed(struct path_run *t, const struct pval *v,
                          const struct path_result *args) {
    path_time last = 0;
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB);
    for (int i = 0; i < v->nargs; i++)
        last = path_later(last, sum ? summand(t, v, v->args[i], args[i].at) : args[i].at);
    switch (v->kind) {
    case PV_SELECT: return chosen(args);
    case PV_FMA: return last + simple(v);
    case PV_CALL: return last + called(t, v);
    case PV_OP:
        if (v->op == OP_DIV && is_float(v->dtype))
            return divided(t, v, args);
        return last + (sum || v->op == OP_MUL ? simple(v) : 0);
    default: return last;
    }
}

struct path_result path_known_at(struct path_run *t, const struct pval *v) {
    struct path_result r = {0}, args[MAX_CORE_RANK] = {{0}};
    if (--t->to->budget < 0)
        t->failed = true;
    switch (v->kind) {
    case PV_CONST: {
        int64_t n = (int64_t)v->i;
        return (struct path_result){is_whole(v) && n > -MOST_KNOWN && n < MOST_KNOWN, n, 0};
    }
    case PV_VAR: {
        const int64_t *var = path_value_of(t, v->var);
        return (struct path_result){var[2] != 0, var[0], var[1]};
    }
    case PV_LOAD: return r;
    case PV_DIM: return (struct path_result){true, t->to->size[v->operand], 0};
    case PV_ELEM: return element(t, v);
    default: break;
    }
    for (int i = 0; i < v->nargs; i++)
        args[i] = path_known_at(t, v->args[i]);
    if (v->kind == PV_SELECT && args[0].known)
        return args[args[0].value ? 1 : 2];
    if (v->kind == PV_OP && v->op == OP_LAND &&
        ((args[0].known && !args[0].value) || (args[1].known && !args[1].value)))
        return (struct path_result){.known = true};
    r.known = v->kind != PV_TABLE && count(t, v, args, &r.value);
    r.at = r.known ? 0 : computed(t, v, args);
    return r;
}
