/* scope.c: metadata that tells LLVM what arrays do not share memory. */
#include <stdio.h>

#include "build.h"

static LLVMMetadataRef node_of(struct gen *g, LLVMMetadataRef *of, size_t n) {
    return LLVMMDNodeInContext2(g->context, of, n);
}

static LLVMMetadataRef array_scope(struct gen *g, int operand) {
    char name[32];
    int n = snprintf(name, sizeof name, "array %d", operand);
    LLVMMetadataRef domain = LLVMMDStringInContext2(g->context, "arrays", 6);
    domain = node_of(g, &domain, 1);
    LLVMMetadataRef scope[] = {LLVMMDStringInContext2(g->context, name, (size_t)n), domain};
    return node_of(g, scope, 2);
}

static void set_scopes(struct gen *g, LLVMValueRef access, const char *kind, size_t length,
                       LLVMMetadataRef list) {
    unsigned id = LLVMGetMDKindIDInContext(g->context, kind, (unsigned)length);
    LLVMSetMetadata(access, id, LLVMMetadataAsValue(g->context, list));
}

static bool share_memory(const struct gen *g, int a, int b) {
    return g->memory != NULL ? g->memory[a] == g->memory[b] : a == b;
}

/* Calls refuse outputs that overlap, so stores to several of them at neighbouring points may be put
 * in another order, in which those to each are one wide store. */
void gen_mark_store(struct gen *g, const struct pval *place, LLVMValueRef store) {
    static const char own[] = "alias.scope", other[] = "noalias";
    LLVMMetadataRef scope = array_scope(g, place->operand), others[UFC_MAX_OPERANDS];
    size_t n = 0;
    for (int k = g->plan->nin; place->operand < g->plan->noperands && k < g->plan->noperands; k++)
        if (!share_memory(g, k, place->operand))
            others[n++] = array_scope(g, k);
    if (n == 0)
        return;
    set_scopes(g, store, own, sizeof own - 1, node_of(g, &scope, 1));
    set_scopes(g, store, other, sizeof other - 1, node_of(g, others, n));
}
