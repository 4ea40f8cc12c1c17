/* resident.c: RESIDENT, a block for each call.  Outputs that the call reads again are in shared
 * memory until it ends, when the block copies them to where they belong.  Inputs that it reads step
 * by step may be there too, so that no step waits for memory. */
#include "gufunc.h"

/* An array's two places: in shared memory and at home, in global memory. */
struct resident {
    const struct poperand *operand;
    LLVMValueRef near, home;                                        /* addresses */
    LLVMValueRef near_stride[MAX_CORE_RANK], stride[MAX_CORE_RANK]; /* bytes: i32, i64 */
    LLVMValueRef size[MAX_CORE_RANK];                               /* i32 */
};

LLVMValueRef dynamic_memory(struct gen *g) {
    static const char name[] = "resident";
    LLVMValueRef v = LLVMGetNamedGlobal(g->module, name);
    if (v != NULL)
        return v;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(g->context), 0);
    v = LLVMAddGlobalInAddressSpace(g->module, bytes, name, gpu(g)->shared);
    LLVMSetAlignment(v, 16);
    return v;
}

/* Finds operand k's place `offset` bytes (i32) from the beginning of shared memory; gives the
 * offset behind it. */
static LLVMValueRef find_place(struct gen *g, int k, LLVMValueRef offset, struct resident *r) {
    const struct poperand *o = &g->plan->operands[k];
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[o->dtype].bits / 8), one = i32(g, 1);
    *r = (struct resident){.operand = o, .home = g->arrays[k].base};
    r->near = at_byte(g, dynamic_memory(g), extended(g, offset));
    for (int i = o->rank; i-- > 0;) {
        r->stride[i] = g->arrays[k].stride[i];
        r->near_stride[i] = bytes;
        r->size[i] = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
        LLVMValueRef apart = i == o->rank - 1 ? LLVMBuildOr(g->b, r->size[i], one, "") : r->size[i];
        bytes = multiply(g, bytes, apart);
    }
    bytes = LLVMBuildAnd(g->b, add(g, bytes, i32(g, 15)), i32(g, (uint32_t)-16), "");
    return add(g, offset, bytes);
}

/* The body finds an output in shared memory. */
static void move_output(struct gen *g, const struct resident *r, struct gen_array *array) {
    array->base = r->near;
    array->narrow = true;
    for (int i = 0; i < r->operand->rank; i++)
        array->stride[i] = extended(g, r->near_stride[i]);
}

/* The body finds an input there if `moves`, i1. */
static void move_input(struct gen *g, const struct resident *r, struct gen_array *array,
                       LLVMValueRef moves) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    array->base = gen_select(g, moves, LLVMBuildAddrSpaceCast(g->b, r->near, generic, ""),
                             LLVMBuildAddrSpaceCast(g->b, r->home, generic, ""));
    for (int i = 0; i < r->operand->rank; i++)
        array->stride[i] = gen_select(g, moves, extended(g, r->near_stride[i]), r->stride[i]);
}

/* The block copies all elements: home, or from there. */
static void copy(struct gen *g, const struct resident *r, bool home) {
    const struct threads *t = g->threads;
    const struct poperand *o = r->operand;
    LLVMTypeRef type = gen_memory_type(g, o->dtype);
    LLVMValueRef total = i32(g, 1);
    for (int i = 0; i < o->rank; i++)
        total = multiply(g, total, r->size[i]);
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){t->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], total));
    LLVMValueRef rest = l.phi[0], near = i32(g, 0), far = i64(g, 0);
    for (int i = o->rank; i-- > 0;) {
        LLVMValueRef q = i > 0 ? LLVMBuildUDiv(g->b, rest, r->size[i], "") : i32(g, 0);
        LLVMValueRef at = subtract(g, rest, multiply(g, q, r->size[i]));
        near = add(g, near, multiply(g, at, r->near_stride[i]));
        far = add(g, far, multiply(g, extended(g, at), r->stride[i]));
        rest = q;
    }
    LLVMValueRef own = at_byte(g, r->near, extended(g, near)), other = at_byte(g, r->home, far);
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, home ? own : other, "");
    LLVMSetAlignment(v, dtype_align(o->dtype));
    LLVMSetAlignment(LLVMBuildStore(g->b, v, home ? other : own), dtype_align(o->dtype));
    LLVMValueRef next = add(g, l.phi[0], t->ntid);
    loop_end(g, &l, &next);
}

/* Moves the inputs, if the launch says so, behind the outputs. */
static void move_inputs(struct gen *g, LLVMValueRef offset) {
    const struct plan *p = g->plan;
    struct resident r[UFC_MAX_OPERANDS];
    int n = 0;
    LLVMValueRef moves = compare(g, LLVMIntNE, param_i32(g, PARAM(inputs)), i32(g, 0));
    for (int k = 0; k < p->nin; k++)
        if (p->map.resident >> k & 1) {
            offset = find_place(g, k, offset, &r[n]);
            move_input(g, &r[n++], &g->arrays[k], moves);
        }
    LLVMBasicBlockRef after = n > 0 ? begin_if(g, moves) : NULL;
    for (int i = 0; i < n; i++)
        copy(g, &r[i], false);
    if (after != NULL)
        end_if(g, after);
}

void gen_resident_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    struct resident r[UFC_MAX_OPERANDS];
    LLVMValueRef offset = i32(g, 0);
    int n = 0;
    gufunc_find_block(g, t);
    gufunc_enter_call(g, t);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->map.resident >> k & 1) {
            offset = find_place(g, k, offset, &r[n]);
            if (p->overload->inst->unwritten >> (k - p->nin) & 1)
                copy(g, &r[n], false);
            move_output(g, &r[n++], &g->arrays[k]);
        }
    move_inputs(g, offset);
    g->sharing = &by_threads;
    g->merge = gen_merge;
    gpu(g)->barrier(g);
    gen_stmts(g, p->body);
    gpu(g)->barrier(g);
    for (int i = 0; i < n; i++)
        copy(g, &r[i], true);
    gufunc_leave_call(g, t);
}
