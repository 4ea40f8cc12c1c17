/* nvptx_round.c: conversions to integers of what is rounded to a whole number first, as by floor,
 * round as they convert: one instruction, of those that a multiprocessor has few units for. */
#include <stdio.h>
#include <string.h>

#include "gen/llvm.h"
#include "nvptx.h"

/* The name, without "llvm.", of the intrinsic that v calls; NULL: it calls none. */
static const char *intrinsic_of(LLVMValueRef v) {
    LLVMValueRef callee = LLVMIsACallInst(v) != NULL ? LLVMGetCalledValue(v) : NULL;
    unsigned id = callee != NULL && LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
    size_t size;
    return id != 0 ? LLVMIntrinsicGetName(id, &size) + strlen("llvm.") : NULL;
}

/* How a function of libm rounds its argument, as conversions name that; NULL: v is none. */
static const char *rounding_of(LLVMValueRef v) {
    static const char *const ways[][2] = {
        {"floor", "rm"}, {"ceil", "rp"}, {"rint", "rn"}, {"trunc", "rz"}};
    const char *name = intrinsic_of(v);
    for (size_t i = 0; name != NULL && i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(name, ways[i][0]) == 0)
            return ways[i][1];
    return NULL;
}

/* A conversion by truncation, f2i.rz and the like, of a whole number. */
static LLVMValueRef converted(struct gen *g, LLVMValueRef i, const char *name) {
    LLVMValueRef whole = LLVMGetOperand(i, 0), of;
    const char *way = rounding_of(whole);
    char rounds[24];
    if (way == NULL)
        return NULL;
    snprintf(rounds, sizeof rounds, "%.*s%s", (int)(strlen(name) - strlen("rz")), name, way);
    of = LLVMGetOperand(whole, 0);
    return gen_intrinsic(g, rounds, NULL, &of, 1);
}

/* What i gives of the number that was rounded; NULL: there is none. */
static LLVMValueRef of_unrounded(struct gen *g, LLVMValueRef i) {
    bool integer = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
    const char *name = integer ? intrinsic_of(i) : NULL;
    LLVMPositionBuilderBefore(g->b, i);
    if (name != NULL && strncmp(name, "nvvm.", 5) == 0 && strstr(name, "2") != NULL &&
        strcmp(name + strlen(name) - strlen(".rz"), ".rz") == 0)
        return converted(g, i, name);
    if (LLVMIsAFCmpInst(i) == NULL || LLVMGetFCmpPredicate(i) != LLVMRealORD)
        return NULL;
    LLVMValueRef v = LLVMGetOperand(i, 0), zero = LLVMConstNull(LLVMTypeOf(v));
    return rounding_of(v) != NULL && LLVMIsConstant(LLVMGetOperand(i, 1))
               ? LLVMBuildFCmp(g->b, LLVMRealORD, LLVMGetOperand(v, 0), zero, "")
               : NULL;
}

void nvptx_round(struct gen *g) {
    if (!g->ftz) /* which these conversions do not */
        nvptx_replace(g, of_unrounded);
}
