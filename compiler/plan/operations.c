/* operations.c: what operations a value takes, by the units of a processor that do them. */
#include "domain.h"

/* What one operation of a kind of type d counts as, in `work`, which is 0. */
static void add_arithmetic(enum ufc_dtype d, uint32_t n, uint32_t *work) {
    bool floating = dtype_info[d].kind == 'f';
    uint32_t words = dtype_info[d].bits > 32 ? 2 : 1;
    if (floating)
        work[d == DT_FLOAT64 ? UFC_WORK_FLOAT64 : UFC_WORK_FLOAT32] += n;
    else
        work[UFC_WORK_INTEGER] += n * words;
}

/* A comparison, or a choice of a value: where integers are computed, unless it takes 64 bits. */
static void add_choice(enum ufc_dtype d, uint32_t *work) {
    if (d == DT_FLOAT64 || dtype_info[d].kind != 'f')
        add_arithmetic(d, 1, work);
    else
        work[UFC_WORK_INTEGER]++;
}

static void add_function(const struct builtin *f, enum ufc_dtype d, uint32_t *work) {
    struct builtin_work w = builtin_work(f);
    add_arithmetic(d, d == DT_FLOAT64 ? w.wide : w.narrow, work);
    work[UFC_WORK_SPECIAL] += w.special;
}

/* ---- integers */

/* Words of 32 bits of an operation's arguments, of calls whose sizes are narrow. */
static uint32_t words_of(const struct pval *v) {
    return dtype_info[v->args[0]->dtype].bits > 32 && !v->narrow ? 2 : 1;
}

/* Is an operation of integers done by the instruction that does one of an argument?  A product and
 * a sum are one, and two sums, a shift and a sum, two operations of bits; so are a comparison and
 * what becomes of it. */
static bool takes_argument(const struct pval *v, const struct pval *a) {
    bool sum = v->op == OP_ADD || v->op == OP_SUB, bits = op_info[v->op].kind == OPS_BITS;
    if (a->kind != PV_OP)
        return false;
    if (op_info[v->op].kind == OPS_LOGIC)
        return op_info[a->op].kind == OPS_COMPARE;
    if (words_of(v) != words_of(a) || is_float(a->dtype))
        return false;
    return sum ? a->op == OP_MUL || a->op == OP_ADD || a->op == OP_SUB ||
                     (v->op == OP_ADD && a->op == OP_SHL && a->args[1]->kind == PV_CONST)
               : bits && op_info[a->op].kind == OPS_BITS;
}

/* An instruction does two operations, so that in `a + b + c + d` every other sum is done by that of
 * its argument. */
static bool is_joined(const struct pval *v) {
    for (int i = 0; i < v->nargs; i++)
        if (takes_argument(v, v->args[i]) && !is_joined(v->args[i]))
            return true;
    return false;
}

/* Words of an operation's result that take an instruction: those that a mask leaves, or clears, and
 * those that a shift by words moves, take none. */
static uint32_t computed_words(const struct pval *v) {
    uint32_t words = words_of(v);
    const struct pval *b = v->nargs > 1 ? v->args[1] : NULL;
    if (is_joined(v))
        return 0;
    if (v->op == OP_MUL && words > 1) /* three products of words, one of which has two */
        return 4;
    if (b == NULL || b->kind != PV_CONST || words == 1)
        return words;
    if (v->op == OP_AND)
        for (int i = 0; i < 64; i += 32)
            words -= (uint32_t)(b->i >> i) == 0 || (uint32_t)(b->i >> i) == UINT32_MAX;
    return (v->op == OP_SHL || v->op == OP_SHR) && b->i % 32 == 0 ? 0 : words;
}

/* A division of integers: by a constant it is a product, whose upper word counts, and, where they
 * have signs, what rounds it down. */
static uint32_t division(const struct pval *v) {
    bool is_signed = dtype_info[v->args[0]->dtype].kind == 'i' && !v->plain;
    if (v->power)
        return 1;
    if (v->direct != NULL)
        return 2;
    return v->args[1]->kind == PV_CONST ? (is_signed ? 9 : 5) : 16;
}

static void add_operator(const struct pval *v, uint32_t *work) {
    enum ufc_dtype d = v->args[0]->dtype;
    bool floating = dtype_info[d].kind == 'f';
    switch (v->op) {
    case OP_DIV: add_arithmetic(d, 8, work); break;
    case OP_FLOORDIV:
    case OP_MOD:
        if (floating)
            add_arithmetic(d, 16, work);
        else
            work[UFC_WORK_INTEGER] += division(v) * words_of(v);
        break;
    case OP_POW: add_function(&builtins[B_POW], d, work); return;
    default:
        if (op_info[v->op].kind == OPS_COMPARE)
            add_choice(d, work);
        else if (floating)
            add_arithmetic(d, 1, work);
        else
            work[UFC_WORK_INTEGER] += computed_words(v);
        return;
    }
    if (floating)
        work[UFC_WORK_SPECIAL]++;
}

/* Integers of at most 32 bits become float64 by a sum. */
static enum ufc_work_kind unit_of_cast(const struct pval *v) {
    bool sum = v->dtype == DT_FLOAT64 && dtype_info[v->args[0]->dtype].bits <= 32;
    return sum ? UFC_WORK_FLOAT64 : UFC_WORK_SPECIAL;
}

bool add_operations(const struct pval *v, uint32_t *work) {
    switch (v->kind) {
    case PV_OP: add_operator(v, work); return true;
    case PV_CAST:
        if (is_float(v->dtype) != is_float(v->args[0]->dtype))
            work[is_sign_cast(v) ? UFC_WORK_INTEGER : unit_of_cast(v)]++;
        return true;
    case PV_CALL: add_function(v->builtin, v->args[0]->dtype, work); return true;
    case PV_SELECT: add_choice(v->dtype, work); return true;
    case PV_FMA: add_arithmetic(v->dtype, 1, work); return true;
    default: return false;
    }
}
