/* dims.c: sizes of core dimensions, and terms of them; what code that is made for certain calls
 * knows of these. */
#include <string.h>

#include "build.h"

/* An LLVM integer of so many bytes from p on. */
static LLVMValueRef integer_at(struct gen *g, const char *p, size_t size) {
    uint64_t words[2] = {0};
    memcpy(words, p, size);
    LLVMTypeRef type = LLVMIntTypeInContext(g->context, (unsigned)size * 8);
    return LLVMConstIntOfArbitraryPrecision(type, 2, words);
}

LLVMValueRef gen_known(struct gen *g, LLVMTypeRef type, size_t offset, enum ufc_knowledge *known) {
    const struct ufc_constants *c = g->plan->known;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->module);
    size_t size = (size_t)LLVMStoreSizeOfType(layout, type), word = sizeof *c->word;
    if (c == NULL)
        return NULL;
    *known = (enum ufc_knowledge)c->known[offset / word];
    for (size_t i = offset / word; i <= (offset + size - 1) / word; i++)
        if (c->known[i] != UFC_KNOWN)
            return NULL;
    return LLVMConstBitCast(integer_at(g, (const char *)c->word + offset, size), type);
}

LLVMValueRef gen_known_input(struct gen *g, int operand) {
    enum ufc_dtype d = g->plan->operands[operand].dtype;
    enum ufc_knowledge known;
    LLVMValueRef v =
        gen_known(g, gen_memory_type(g, d), (size_t)operand * 2 * sizeof(uint64_t), &known);
    if (v == NULL)
        return NULL;
    v = gen_dynamic_splat(g, v);
    return d == DT_BOOL ? gen_cast(g, v, DT_UINT8, DT_BOOL) : v;
}

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
