/* join.c: operations that join a number to another one, in any grouping. */
#include <math.h>

#include "total.h"

struct pval *extreme(struct lower *l, enum ufc_dtype d, bool greatest) {
    struct pval *v = value_new(l, PV_CONST, d);
    v->i = (uint64_t)(is_integer(d) ? (greatest ? highest(d) : lowest(d)) : 0);
    v->f = greatest ? INFINITY : -INFINITY;
    return v;
}

struct pval *neutral_of(struct lower *l, int join, enum ufc_dtype d) {
    switch (join) {
    case OP_MUL:
    case OP_LAND: return value_one(l, d);
    case OP_AND: {
        struct pval *v = value_new(l, PV_CONST, d);
        v->i = (uint64_t)wrap(-1, d);
        return v;
    }
    case OP_COUNT + B_MAX: return extreme(l, d, false);
    case OP_COUNT + B_MIN: return extreme(l, d, true);
    default: return value_zero(l, d);
    }
}

struct pval *joined_by(struct lower *l, int join, struct pval *a, struct pval *b) {
    struct pval *args[] = {a, b};
    return join >= OP_COUNT ? value_call(l, (enum builtin_id)(join - OP_COUNT), a->dtype, 2, args)
                            : value_op(l, (enum op)join, a->dtype, a, b);
}
