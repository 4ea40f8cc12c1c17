/* wrap.c: sums of indices and sizes that do not begin again at the least number: of others neither
 * remainders nor comparisons tell what those of their summands are. */
#include "linear.h"

enum {
    INDEX_BITS = 40, /* sizes, and how often a loop runs, have no more */
    SUM_BITS = 62,
    ANY_BITS = 127,
    MAX_DEPTH = 10
};

bool is_setting(const struct pstmt *loop) {
    const struct pval *hi = loop->hi;
    return hi->kind == PV_OP && hi->op == OP_ADD && hi->args[0] == loop->lo &&
           hi->args[1] == loop->step;
}

static int more_of(int a, int b) {
    return a > b ? a : b;
}

/* How many bits v has at most without its sign, or as many as ANY_BITS. */
static int bits_of(const struct candidate *c, const struct pval *v, bool within, int depth);

static int bits_of_variable(const struct candidate *c, const struct pvar *var, bool within,
                            int depth) {
    int i = c->nindices - 1;
    while (i >= 0 && c->index[i]->var != var)
        i--;
    const struct pstmt *loop = i >= 0 ? c->index[i] : NULL;
    if (loop == NULL && c->sets != NULL && c->sets->only[var->id] != NULL)
        return bits_of(c, c->sets->only[var->id], within, depth);
    if (loop == NULL)
        return within ? INDEX_BITS : ANY_BITS;
    int first = bits_of(c, loop->lo, within, depth);
    if (is_setting(loop))
        return first;
    return more_of(first, INDEX_BITS + bits_of(c, loop->step, within, depth)) + 1;
}

static int bits_of_op(const struct candidate *c, const struct pval *v, bool within, int depth) {
    int a = bits_of(c, v->args[0], within, depth),
        b = bits_of(c, v->args[v->nargs - 1], within, depth), bits = ANY_BITS;
    switch (v->op) {
    case OP_NEG:
    case OP_ADD:
    case OP_SUB:
    case OP_FLOORDIV: bits = more_of(a, b) + 1; break;
    case OP_MUL: bits = a + b; break;
    case OP_MOD:
    case OP_AND: bits = more_of(a, b); break;
    default: break;
    }
    return bits > SUM_BITS ? ANY_BITS : bits;
}

static int bits_of(const struct candidate *c, const struct pval *v, bool within, int depth) {
    int bits = 0;
    if (v->dtype != DT_INT64 || depth == MAX_DEPTH)
        return ANY_BITS;
    switch (v->kind) {
    case PV_CONST:
        for (uint64_t n = (int64_t)v->i < 0 ? -v->i : v->i; n != 0; n >>= 1)
            bits++;
        return bits;
    case PV_DIM: return INDEX_BITS;
    case PV_VAR: return bits_of_variable(c, v->var, within, depth + 1);
    case PV_SELECT:
        return more_of(bits_of(c, v->args[1], within, depth + 1),
                       bits_of(c, v->args[2], within, depth + 1));
    case PV_OP: return bits_of_op(c, v, within, depth + 1);
    default: return ANY_BITS;
    }
}

bool never_wraps(const struct candidate *c, const struct pval *v, bool within) {
    return v->kind == PV_VAR || v->kind == PV_CONST || bits_of(c, v, within, 0) <= SUM_BITS;
}
