/* dense.c: the GPU kernels DENSE of a gufunc.  A thread computes a call, all of whose sizes are
 * constants, with small operands in registers. */
#include "gufunc.h"

/* i1: memory has the axes of operand k, a square matrix, in the other order.  NULL: k is no square
 * matrix, or one too large for registers. */
static LLVMValueRef find_transposed(struct gen *g, int k) {
    const struct poperand *o = &g->plan->operands[k];
    if (o->rank != 2)
        return NULL;
    uint64_t n = LLVMConstIntGetZExtValue(g->dims[o->dims[0]->index]);
    if (n != LLVMConstIntGetZExtValue(g->dims[o->dims[1]->index]) || n < 2 || n * n > UFC_MAX_HELD)
        return NULL;
    LLVMValueRef bytes = i64(g, (uint64_t)dtype_info[o->dtype].bits / 8);
    return compare(g, LLVMIntEQ, g->arrays[k].stride[0], bytes);
}

/* Makes all sizes, strides and alignments constants.  named: the size of dimensions that have
 * names.
 */
static void fix_sizes(struct gen *g, int64_t named) {
    const struct plan *p = g->plan;
    for (const struct dim *d = p->overload->decl->dims; d != NULL; d = d->next)
        g->dims[d->index] = d->expr == NULL ? i64(g, (uint64_t)(d->size >= 0 ? d->size : named))
                                            : gen_terms(g, d->terms, d->nterms);
    for (int k = 0; k < p->noperands; k++) {
        struct gen_array *a = &g->arrays[k];
        uint64_t bytes = (uint64_t)dtype_info[p->operands[k].dtype].bits / 8;
        a->transposed = find_transposed(g, k);
        for (int r = p->operands[k].rank; r-- > 0;) {
            a->stride[r] = i64(g, bytes);
            bytes *= LLVMConstIntGetZExtValue(g->dims[p->operands[k].dims[r]->index]);
        }
        uint64_t low = bytes & (~bytes + 1);
        a->align = low == 0 || low > 16 ? 16 : (unsigned)low;
    }
}

/* ---- operands in registers */

/* Elements of an operand; 0: too many for registers. */
static int count_elements(struct gen *g, int k) {
    uint64_t n = 1;
    for (int r = 0; r < g->plan->operands[k].rank; r++)
        n *= LLVMConstIntGetZExtValue(g->dims[g->plan->operands[k].dims[r]->index]);
    return n <= UFC_MAX_HELD ? (int)n : 0;
}

/* Copies operand k, of n elements, from global memory to a local copy, or back if !from_memory.  A
 * square matrix that is transposed in memory is transposed on the way. */
static void move_elements(struct gen *g, int k, int n, LLVMValueRef from, LLVMValueRef to,
                          bool from_memory) {
    enum ufc_dtype d = g->plan->operands[k].dtype;
    unsigned size = (unsigned)dtype_info[d].bits / 8, most = g->arrays[k].align;
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef v[UFC_MAX_HELD], transposed = g->arrays[k].transposed;
    int side = 1;
    while (side * side < n)
        side++;
    for (int store = 0; store < 2; store++)
        for (int i = 0; i < n; i++) {
            unsigned at = size * (unsigned)i, low = at & -at;
            unsigned known = low == 0 || low > most ? most : low;
            LLVMValueRef offset = i64(g, at), place = store ? to : from;
            place = at_byte(g, place, offset);
            int other = i % side * side + i / side;
            if (!store)
                v[i] = LLVMBuildLoad2(g->b, type, place, "");
            LLVMValueRef moved = v[i];
            if (store && transposed != NULL && other != i)
                moved = gen_select(g, transposed, v[other], v[i]);
            LLVMValueRef access = store ? LLVMBuildStore(g->b, moved, place) : v[i];
            LLVMSetAlignment(access, store != from_memory ? known : dtype_align(d));
        }
}

/* Generates the body on local copies of small outputs, and of inputs that may be transposed.  Whole
 * outputs are stored at the end; where the body overwrites them, LLVM removes their loads. */
static void gen_held_body(struct gen *g) {
    const struct plan *p = g->plan;
    LLVMValueRef memory[UFC_MAX_OPERANDS];
    for (int k = 0; k < p->noperands; k++) {
        int n = count_elements(g, k);
        memory[k] = g->arrays[k].base;
        if (n == 0 || (k < p->nin && g->arrays[k].transposed == NULL))
            continue;
        LLVMTypeRef type = gen_memory_type(g, p->operands[k].dtype);
        LLVMValueRef held = gen_alloca(g, LLVMArrayType2(type, (uint64_t)n), "held");
        LLVMSetAlignment(held, 16);
        move_elements(g, k, n, memory[k], held, true);
        g->arrays[k].base = held;
    }
    gen_stmts(g, p->body);
    for (int k = p->nin; k < p->noperands; k++)
        if (g->arrays[k].base != memory[k])
            move_elements(g, k, count_elements(g, k), g->arrays[k].base, memory[k], false);
}

void gen_dense_kernel(struct gen *g, struct threads *t) {
    fix_sizes(g, kernel_info[t->kind].size);
    g->copies = DENSE_COPIES;
    gufunc_find_thread(g, t);
    gufunc_enter_call(g, t);
    g->stop = t->end;
    gen_held_body(g);
    gufunc_leave_call(g, t);
}
