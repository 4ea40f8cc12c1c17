/* small.c: SMALL, a thread for each call, with the arrays along a short dimension in registers. For
 * each size of it there is code in which it is a number.  Of the longer ones inputs are loaded by
 * vectors, which neighbouring calls may share. */
#include <string.h>

#include "gufunc.h"

/* Makes the dimension, and those computed from it, numbers. */
static void fix_size(struct gen *g, int64_t size) {
    const struct plan *p = g->plan;
    g->dims[p->map.small->index] = i64(g, (uint64_t)size);
    for (const struct dim *d = p->overload->decl->dims; d != NULL; d = d->next)
        if (d->expr != NULL)
            g->dims[d->index] = gen_terms(g, d->terms, d->nterms);
}

/* Where element e of an array of known sizes is, in bytes from its first one: i64. */
static LLVMValueRef home_offset(struct gen *g, const struct poperand *o,
                                const struct gen_array *home, int64_t e) {
    LLVMValueRef at = i64(g, 0);
    for (int i = o->rank; i-- > 0;) {
        int64_t size = LLVMConstIntGetSExtValue(g->dims[o->dims[i]->index]);
        at = add(g, at, multiply(g, i64(g, (uint64_t)(e % size)), home->stride[i]));
        e /= size;
    }
    return at;
}

/* Loads an array's elements to registers. */
static void load(struct gen *g, int k, const struct gen_array *home, int64_t n) {
    const struct poperand *o = &g->plan->operands[k];
    LLVMTypeRef type = gen_memory_type(g, o->dtype);
    for (int64_t e = 0; e < n; e++) {
        LLVMValueRef own = i64(g, (uint64_t)(e * dtype_info[o->dtype].bits / 8));
        LLVMValueRef from = at_byte(g, home->base, home_offset(g, o, home, e));
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, from, "");
        LLVMSetAlignment(v, dtype_align(o->dtype));
        v = LLVMBuildStore(g->b, v, at_byte(g, g->arrays[k].base, own));
        LLVMSetAlignment(v, dtype_align(o->dtype));
    }
}

/* Gives what registers hold its place. */
static void hold(struct gen *g, int k, int64_t n) {
    const struct plan *p = g->plan;
    const struct poperand *o = &p->operands[k];
    uint64_t bytes = dtype_info[o->dtype].bits / 8;
    const struct gen_array home = g->arrays[k];
    struct gen_array *a = &g->arrays[k];
    LLVMTypeRef type = LLVMArrayType2(gen_memory_type(g, o->dtype), (uint64_t)n);
    *a = (struct gen_array){.base = gen_alloca(g, type, o->name), .near = true};
    LLVMSetAlignment(a->base, 16);
    for (int i = o->rank; i-- > 0;) {
        a->stride[i] = i64(g, bytes);
        bytes *= (uint64_t)LLVMConstIntGetSExtValue(g->dims[o->dims[i]->index]);
    }
    if (p->overload->inst->unwritten >> (k - p->nin) & 1)
        load(g, k, &home, n);
}

/* Tells LLVM that rows along the dimension are aligned, and have no gaps. */
static void assume_rows(struct gen *g) {
    const struct plan *p = g->plan;
    for (int k = 0; k < p->nin; k++) {
        const struct poperand *o = &p->operands[k];
        struct gen_array *a = &g->arrays[k];
        int along = -1;
        for (int i = 0; i < o->rank; i++)
            along = o->dims[i] == p->map.small ? i : along;
        if (along < 0)
            continue;
        LLVMValueRef mask = i64(g, -(uint64_t)UFC_ROW_ALIGN);
        for (int i = 0; i < o->rank; i++)
            a->stride[i] = LLVMBuildAnd(g->b, a->stride[i], mask, "");
        a->stride[along] = i64(g, dtype_info[o->dtype].bits / 8);
        LLVMValueRef base = LLVMBuildPtrToInt(g->b, a->base, i64_type(g), "");
        a->base = global_pointer(g, LLVMBuildAnd(g->b, base, mask, ""));
    }
}

/* The body where the dimension has a size. */
static void gen_of_size(struct gen *g, int64_t size) {
    const struct plan *p = g->plan;
    struct gen_array home[UFC_MAX_OPERANDS];
    memcpy(home, g->arrays, (size_t)p->noperands * sizeof *home);
    fix_size(g, size);
    if (ufc_is_wide(g->threads->kind))
        assume_rows(g);
    for (int k = p->nin + p->overload->nout; k < p->noperands; k++)
        if (small_elements(p, k, size) > 0)
            hold(g, k, small_elements(p, k, size));
    gen_stmts(g, p->body);
    memcpy(g->arrays, home, (size_t)p->noperands * sizeof *home);
}

void gen_small_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    int most = (int)kernel_info[t->kind].size, least = most / 2 + (most > 2);
    gufunc_find_thread(g, t);
    gufunc_enter_alone(g, t);
    g->copies = SMALL_COPIES;
    g->chunk_body = SMALL_CHUNK_BODY;
    LLVMValueRef size = g->dims[p->map.small->index];
    bool wide = ufc_is_wide(t->kind);
    for (int n = wide ? most : least; n <= most && (wide || n <= p->map.small_most); n++) {
        LLVMBasicBlockRef own = gen_block(g, "size"), next = gen_block(g, "other");
        LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, size, i64(g, (uint64_t)n)), own, next);
        gen_place(g, own);
        gen_of_size(g, n);
        LLVMBuildBr(g->b, t->end);
        gen_place(g, next);
    }
    gufunc_leave_call(g, t);
}
