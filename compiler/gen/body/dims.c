/* dims.c: sizes of core dimensions, and terms of them. */
#include "build.h"

void gen_fixed_dims(struct gen *g) {
    for (const struct dim *d = g->plan->overload->decl->dims; d != NULL; d = d->next)
        if (d->size >= 0)
            g->dims[d->index] = i64(g, (uint64_t)d->size);
}

LLVMValueRef gen_terms(struct gen *g, const struct ufc_term *terms, int nterms) {
    static const enum op ops[] = {[UFC_TERM_ADD] = OP_ADD,
                                  [UFC_TERM_SUB] = OP_SUB,
                                  [UFC_TERM_MUL] = OP_MUL,
                                  [UFC_TERM_FLOORDIV] = OP_FLOORDIV,
                                  [UFC_TERM_MOD] = OP_MOD};
    LLVMValueRef stack[UFC_MAX_TERMS];
    int n = 0;
    for (const struct ufc_term *t = terms; t < terms + nterms; t++) {
        if (t->op == UFC_TERM_NUMBER || t->op == UFC_TERM_DIMENSION) {
            stack[n++] = t->op == UFC_TERM_NUMBER ? i64(g, (uint64_t)t->value) : g->dims[t->value];
            continue;
        }
        LLVMValueRef b = stack[--n], a = stack[n - 1];
        if (t->op == UFC_TERM_MIN || t->op == UFC_TERM_MAX) {
            LLVMIntPredicate p = t->op == UFC_TERM_MIN ? LLVMIntSLT : LLVMIntSGT;
            stack[n - 1] = gen_select(g, compare(g, p, a, b), a, b);
        } else
            stack[n - 1] = gen_op(g, ops[t->op], DT_INT64, a, b);
    }
    return n > 0 ? stack[0] : NULL;
}
