/* table.c: elements of constant tables.  Where the subscripts are constants, as in a loop that is
 * written out, they are constants; else they are read from a global array, within its ends. */
#include "build.h"

static unsigned size_of(enum ufc_dtype d) {
    return (unsigned)dtype_info[d].bits / 8;
}

static int64_t length(const struct array *table) {
    int64_t n = 1;
    for (int i = 0; i < table->rank; i++)
        n *= table->dims[i]->size;
    return n;
}

/* Element i, as it is in a register. */
static LLVMValueRef element(struct gen *g, const struct pval *v, int64_t i) {
    const struct constant *c = &v->table->values[i];
    if (is_float(v->dtype))
        return gen_float(g, v->dtype, v->result == 1 ? c->im : c->f);
    return gen_int(g, v->dtype, (int64_t)c->i);
}

/* The global array, which all uses of the table in a module share. */
static LLVMValueRef array_of(struct gen *g, const struct pval *v) {
    const char *name = arena_printf(g->uc, "table_%u_%s_%d", v->table->at.begin,
                                    dtype_info[v->table->dtype].brief, v->result);
    LLVMValueRef global = LLVMGetNamedGlobal(g->module, name);
    if (global != NULL)
        return global;
    unsigned n = (unsigned)length(v->table);
    LLVMTypeRef memory = gen_memory_type(g, v->dtype);
    LLVMValueRef *values = NEWN(g->uc, LLVMValueRef, n);
    struct lanes_scope outer = lanes_enter(g, 1);
    for (unsigned i = 0; i < n; i++)
        values[i] = v->dtype == DT_BOOL ? LLVMConstInt(memory, v->table->values[i].i != 0, false)
                                        : element(g, v, i);
    lanes_leave(g, outer);
    LLVMTypeRef type = LLVMArrayType2(memory, n);
    global = LLVMAddGlobalInAddressSpace(g->module, type, name, g->target->constants);
    LLVMSetInitializer(global, LLVMConstArray2(memory, values, n));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetAlignment(global, 16);
    return global;
}

/* The place in the table, an i64 from 0 to below its length whatever the subscripts are. */
static LLVMValueRef place(struct gen *g, const struct pval *v) {
    LLVMValueRef at = NULL;
    for (int i = 0; i < v->nargs; i++) {
        LLVMValueRef index = gen_value(g, v->args[i]);
        LLVMValueRef size = gen_int(g, DT_INT64, v->table->dims[i]->size);
        LLVMValueRef last = gen_int(g, DT_INT64, v->table->dims[i]->size - 1);
        if (v->checked >> i & 1)
            gen_check(g, v, i, index);
        if (!LLVMIsConstant(index))
            index = gen_select(g, compare(g, LLVMIntULT, index, size), index, last);
        at = at == NULL ? index : add(g, multiply(g, at, size), index);
    }
    return at;
}

/* The lanes' elements, one by one. */
static LLVMValueRef load_lanes(struct gen *g, const struct pval *v, LLVMValueRef offsets) {
    LLVMTypeRef memory = gen_memory_type(g, v->dtype), type = gen_lanes_of(g, memory);
    LLVMValueRef r = LLVMGetPoison(type);
    for (int i = 0; i < g->lanes; i++) {
        LLVMValueRef lane = i32(g, (uint32_t)i);
        LLVMValueRef at =
            at_byte(g, array_of(g, v), LLVMBuildExtractElement(g->b, offsets, lane, ""));
        LLVMValueRef e = LLVMBuildLoad2(g->b, memory, at, "");
        LLVMSetAlignment(e, size_of(v->dtype));
        r = LLVMBuildInsertElement(g->b, r, e, lane, "");
    }
    return v->dtype == DT_BOOL ? is_set(g, r) : r;
}

LLVMValueRef gen_table(struct gen *g, const struct pval *v) {
    if (g->lanes > 1 && !gen_varies(g, v)) {
        struct lanes_scope outer = lanes_enter(g, 1);
        LLVMValueRef one = gen_table(g, v);
        lanes_leave(g, outer);
        return gen_dynamic_splat(g, one);
    }
    LLVMValueRef at = place(g, v);
    if (LLVMIsAConstantInt(at)) {
        int64_t i = (int64_t)LLVMConstIntGetZExtValue(at);
        return element(g, v, i >= 0 && i < length(v->table) ? i : 0);
    }
    LLVMValueRef offset = multiply(g, at, gen_int(g, DT_INT64, size_of(v->dtype)));
    if (g->lanes > 1)
        return load_lanes(g, v, offset);
    return gen_load_element(g, v->dtype, gen_memory_type(g, v->dtype),
                            at_byte(g, array_of(g, v), offset), size_of(v->dtype));
}
