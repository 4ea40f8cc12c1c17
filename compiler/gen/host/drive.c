/* drive.c: what ufuncs' host kernels have around their loops over vectors.  A kernel first tries
 * the most frequent case on its own operands, as rows may be short; then it calls the runtime's
 * ufc_host_drive, for operands of any layout (runtime/host/drive.c). */
#include "host.h"

/* ---- shorthands on i64 and pointers */

static LLVMTypeRef pointer_type(struct gen *g) {
    return LLVMPointerTypeInContext(g->context, 0);
}

/* &array[index], for elements of 8 bytes */
static LLVMValueRef at_index(struct gen *g, LLVMValueRef array, LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, i64_type(g), array, &index, 1, "");
}

static LLVMValueRef get(struct gen *g, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef index) {
    return LLVMBuildLoad2(g->b, type, at_index(g, array, index), "");
}

static void put(struct gen *g, LLVMValueRef array, LLVMValueRef index, LLVMValueRef v) {
    LLVMBuildStore(g->b, v, at_index(g, array, index));
}

static LLVMValueRef call(struct gen *g, LLVMValueRef f, LLVMValueRef *args, unsigned n) {
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, n, "");
}

/* ---- a kernel's traits */

/* log2 of a power of two. */
static unsigned logarithm(int n) {
    return n > 1 ? 1 + logarithm(n / 2) : 0;
}

static LLVMValueRef constant_words(struct gen *g, const char *name, LLVMValueRef *words,
                                   unsigned n) {
    LLVMValueRef global = LLVMAddGlobal(g->module, LLVMArrayType2(i64_type(g), n), name);
    LLVMSetInitializer(global, LLVMConstArray2(i64_type(g), words, n));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

LLVMValueRef gen_traits(struct gen *g) {
    const struct plan *p = g->plan;
    enum { NIN, NALL, LANES, SHIFT, BATCH, SIZES }; /* struct ufc_host_traits */
    LLVMValueRef rows[SIZES + UFC_MAX_OPERANDS];
    int widest = 1;
    for (int k = 0; k < p->noperands; k++) {
        int size = dtype_info[p->operands[k].dtype].bits / 8;
        rows[SIZES + k] = i64(g, size);
        widest = size > widest ? size : widest;
    }
    rows[NIN] = i64(g, p->nin);
    rows[NALL] = i64(g, p->noperands);
    rows[LANES] = i64(g, g->lanes);
    rows[SHIFT] = i64(g, logarithm(g->lanes));
    rows[BATCH] = i64(g, DRIVE_BUFFER / widest);
    return constant_words(g, "traits", rows, SIZES + (unsigned)p->noperands);
}

/* ---- what the runtime has */

LLVMTypeRef gen_loop_type(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), types[] = {p, p, i64_type(g)};
    return LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 3, false);
}

/* The function of a name and a type, which is declared where it is first asked for. */
static LLVMValueRef find_function(struct gen *g, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(g->module, name);
    if (f == NULL) {
        f = LLVMAddFunction(g->module, name, type);
        llvm_flag(f, "nounwind");
    }
    return f;
}

void gen_drive(struct gen *g, LLVMValueRef traits, LLVMValueRef loop) {
    LLVMTypeRef p = pointer_type(g), types[] = {p, p, p, p, p};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 5, false);
    LLVMValueRef f = g->function, args[] = {LLVMGetParam(f, 0), LLVMGetParam(f, 1),
                                            LLVMGetParam(f, 2), traits, loop};
    call(g, find_function(g, "ufc_host_drive", type), args, 5);
}

void gen_ask(struct gen *g, const char *name, LLVMValueRef traits) {
    begin_ask(g, name);
    LLVMValueRef n = LLVMBuildLoad2(g->b, i64_type(g), LLVMGetParam(g->function, 1), "n");
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, i, p, p};
    LLVMValueRef asked[] = {LLVMGetParam(g->function, 0), n, LLVMGetParam(g->function, 2), traits};
    LLVMTypeRef type = LLVMFunctionType(i, types, 4, false);
    LLVMValueRef way = call(g, find_function(g, "ufc_host_layout", type), asked, 4);
    end_ask(g, LLVMBuildTrunc(g->b, way, i32_type(g), ""), g->lanes);
}

/* ---- a kernel's beginning, without drive */

static LLVMValueRef lies_apart(struct gen *g, LLVMValueRef a, LLVMValueRef a_end, LLVMValueRef b,
                               LLVMValueRef b_end) {
    return LLVMBuildOr(g->b, compare(g, LLVMIntULE, a_end, b), compare(g, LLVMIntULE, b_end, a),
                       "");
}

void gen_direct(struct gen *g, LLVMValueRef loop) {
    const struct plan *p = g->plan;
    LLVMValueRef args = LLVMGetParam(g->function, 0), steps = LLVMGetParam(g->function, 2);
    LLVMValueRef begin[UFC_MAX_OPERANDS], end[UFC_MAX_OPERANDS], increment[UFC_MAX_OPERANDS];
    LLVMValueRef size[UFC_MAX_OPERANDS], lanes = i64(g, (unsigned)g->lanes);
    LLVMValueRef n = LLVMBuildLoad2(g->b, i64_type(g), LLVMGetParam(g->function, 1), "n");
    LLVMValueRef fits = compare(g, LLVMIntSGE, n, lanes);
    LLVMTypeRef pointer = pointer_type(g);
    LLVMValueRef last = gen_alloca(g, LLVMArrayType2(pointer, (unsigned)p->noperands), "last");
    for (int k = 0; k < p->noperands; k++) {
        uint64_t bytes = (uint64_t)dtype_info[p->operands[k].dtype].bits / 8;
        size[k] = i64(g, bytes);
        increment[k] = i64(g, bytes * (uint64_t)g->lanes);
        begin[k] = get(g, i64_type(g), args, i64(g, (unsigned)k));
        end[k] = add(g, begin[k], multiply(g, n, size[k]));
        LLVMValueRef step = get(g, i64_type(g), steps, i64(g, (unsigned)k));
        fits = both(g, fits, compare(g, LLVMIntEQ, step, size[k]));
        for (int i = 0; i < p->nin && k >= p->nin; i++)
            fits = both(g, fits, lies_apart(g, begin[i], end[i], begin[k], end[k]));
    }
    LLVMValueRef increments = constant_words(g, "increments", increment, (unsigned)p->noperands);
    LLVMBasicBlockRef after = begin_if(g, fits);
    LLVMValueRef whole = LLVMBuildLShr(g->b, n, i64(g, logarithm(g->lanes)), "");
    call(g, loop, (LLVMValueRef[]){args, increments, whole}, 3);
    LLVMValueRef rest = LLVMBuildAnd(g->b, n, subtract(g, lanes, i64(g, 1)), "");
    LLVMBasicBlockRef done = begin_if(g, compare(g, LLVMIntNE, rest, i64(g, 0)));
    for (int k = 0; k < p->noperands; k++)
        put(g, last, i64(g, (unsigned)k), subtract(g, end[k], increment[k]));
    call(g, loop, (LLVMValueRef[]){last, increments, i64(g, 1)}, 3);
    end_if(g, done);
    LLVMBuildRetVoid(g->b);
    gen_place(g, after);
}
