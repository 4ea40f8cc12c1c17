/* lone.c: LONE, a thread for each call, and a warp a block.  What a call accesses again and again
 * is in shared memory until it ends, where threads find it as fast at any place, and however far
 * the calls are apart.  The warp copies the arrays of its calls together, so that neighbouring
 * threads access neighbours in memory. */
#include "gufunc.h"

/* Elements of a thread that are copied at once: from arrays without gaps, and else. */
enum { AHEAD_WHOLE = 16, AHEAD_APART = 4 };

/* An array of each of the warp's calls. */
struct lone {
    const struct poperand *operand;
    LLVMValueRef near, pitch; /* those in shared memory: the first; bytes to the next, i32 */
    LLVMValueRef home;        /* the thread's own, in global memory */
    LLVMValueRef stride[MAX_CORE_RANK];         /* in global memory: bytes, i64 */
    LLVMValueRef size[MAX_CORE_RANK], elements; /* i32 */
    LLVMValueRef whole;                         /* i1: it has no gaps in global memory */
};

/* Finds operand k's places, `offset` bytes (i32) from the beginning of shared memory; gives the
 * offset behind them. */
static LLVMValueRef find_places(struct gen *g, int k, LLVMValueRef offset, struct lone *a) {
    const struct poperand *o = &g->plan->operands[k];
    uint32_t bytes = (uint32_t)dtype_info[o->dtype].bits / 8;
    *a = (struct lone){.operand = o, .home = g->arrays[k].base, .elements = i32(g, 1)};
    a->near = at_byte(g, dynamic_memory(g), extended(g, offset));
    a->whole = LLVMConstAllOnes(i1_type(g));
    for (int i = o->rank; i-- > 0;) {
        LLVMValueRef dense = extended(g, multiply(g, a->elements, i32(g, bytes)));
        a->stride[i] = g->arrays[k].stride[i];
        a->whole = both(g, a->whole, compare(g, LLVMIntEQ, a->stride[i], dense));
        a->size[i] = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
        a->elements = multiply(g, a->elements, a->size[i]);
    }
    uint32_t unit = bytes < 4 ? 4 : bytes; /* as ufc_lone_bytes */
    LLVMValueRef units = add(g, multiply(g, a->elements, i32(g, bytes)), i32(g, unit - 1));
    units = LLVMBuildOr(g->b, LLVMBuildUDiv(g->b, units, i32(g, unit), ""), i32(g, 1), "");
    a->pitch = multiply(g, units, i32(g, unit));
    return add(g, offset, multiply(g, a->pitch, i32(g, WARP)));
}

/* The thread's own array in shared memory. */
static LLVMValueRef own_place(struct gen *g, const struct lone *a) {
    return at_byte(g, a->near, extended(g, multiply(g, a->pitch, g->threads->tid)));
}

/* Bytes from row to row, … in shared memory. */
static void near_strides(struct gen *g, const struct lone *a, LLVMValueRef *stride) {
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[a->operand->dtype].bits / 8);
    for (int i = a->operand->rank; i-- > 0; bytes = multiply(g, bytes, a->size[i]))
        stride[i] = extended(g, bytes);
}

/* ---- copies */

/* Bytes from an array's first element to element e (i32) in global memory. */
static LLVMValueRef far_offset(struct gen *g, const struct lone *a, LLVMValueRef e, bool whole) {
    uint64_t bytes = dtype_info[a->operand->dtype].bits / 8;
    if (whole)
        return multiply(g, extended(g, e), i64(g, bytes));
    LLVMValueRef far = i64(g, 0);
    for (int i = a->operand->rank; i-- > 0;) {
        LLVMValueRef rest = i > 0 ? LLVMBuildUDiv(g->b, e, a->size[i], "") : i32(g, 0);
        LLVMValueRef at = subtract(g, e, multiply(g, rest, a->size[i]));
        far = add(g, far, multiply(g, extended(g, at), a->stride[i]));
        e = rest;
    }
    return far;
}

/* Element e of call c's array, i32 both: in shared memory and at home; of the last of the warp's
 * calls where there is no call c. */
struct places {
    LLVMValueRef near, home, valid; /* i1: there is one */
};

static struct places find_element_of(struct gen *g, const struct lone *a, LLVMValueRef c,
                                     LLVMValueRef e, LLVMValueRef calls, bool whole) {
    struct places p = {.valid = compare(g, LLVMIntULT, c, calls)};
    c = gen_select(g, p.valid, c, subtract(g, calls, i32(g, 1)));
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[a->operand->dtype].bits / 8);
    LLVMValueRef near = add(g, multiply(g, c, a->pitch), multiply(g, e, bytes));
    p.near = at_byte(g, a->near, extended(g, near));
    LLVMValueRef home = LLVMBuildPtrToInt(g->b, a->home, i64_type(g), "");
    home = gen_shuffle(g, SHUFFLE_FROM, i32(g, UINT32_MAX), home, c);
    p.home = at_byte(g, global_pointer(g, home), far_offset(g, a, e, whole));
    return p;
}

/* The warp copies the arrays of its first `calls` threads (i32), `n` elements of each thread at
 * once: home, or from there.  whole: in global memory they have no gaps. */
static void copy_elements(struct gen *g, const struct lone *a, LLVMValueRef calls, bool home,
                          bool whole, int n) {
    enum ufc_dtype d = a->operand->dtype;
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef some = gen_select(g, is_set(g, a->elements), a->elements, i32(g, 1));
    LLVMValueRef down = LLVMBuildUDiv(g->b, i32(g, WARP), some, "");
    LLVMValueRef across = subtract(g, i32(g, WARP), multiply(g, down, some));
    LLVMValueRef c = LLVMBuildUDiv(g->b, g->threads->tid, some, "");
    LLVMValueRef e = subtract(g, g->threads->tid, multiply(g, c, some));
    LLVMValueRef all = multiply(g, a->elements, calls);
    LLVMValueRef v[AHEAD_WHOLE];
    struct places p[AHEAD_WHOLE];
    struct loop l;
    loop_begin(g, &l, 3, (LLVMValueRef[]){i32(g, 0), c, e});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], all));
    c = l.phi[1], e = l.phi[2];
    for (int i = 0; i < n; i++) {
        p[i] = find_element_of(g, a, c, e, calls, whole);
        v[i] = LLVMBuildLoad2(g->b, type, home ? p[i].near : p[i].home, "");
        LLVMSetAlignment(v[i], dtype_align(d));
        c = add(g, c, down);
        e = add(g, e, across);
        LLVMValueRef beyond = compare(g, LLVMIntUGE, e, some);
        c = gen_select(g, beyond, add(g, c, i32(g, 1)), c);
        e = gen_select(g, beyond, subtract(g, e, some), e);
    }
    for (int i = 0; i < n; i++) {
        LLVMBasicBlockRef after = begin_if(g, p[i].valid);
        LLVMValueRef to = home ? p[i].home : p[i].near;
        LLVMSetAlignment(LLVMBuildStore(g->b, v[i], to), dtype_align(d));
        end_if(g, after);
    }
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i32(g, (uint32_t)n * WARP)), c, e});
}

static void copy(struct gen *g, const struct lone *a, LLVMValueRef calls, bool home) {
    LLVMBasicBlockRef whole = gen_block(g, "whole"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "copied");
    LLVMBuildCondBr(g->b, a->whole, whole, apart);
    gen_place(g, whole);
    copy_elements(g, a, calls, home, true, home ? AHEAD_APART : AHEAD_WHOLE);
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    copy_elements(g, a, calls, home, false, AHEAD_APART);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- the kernel */

/* The body finds an output in shared memory. */
static void move_output(struct gen *g, const struct lone *a, struct gen_array *array) {
    array->base = own_place(g, a);
    array->near = true;
    near_strides(g, a, array->stride);
}

/* Moves input k, if the launch says so; gives the offset behind it. */
static LLVMValueRef move_input(struct gen *g, int k, LLVMValueRef calls, LLVMValueRef offset) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    struct gen_array *array = &g->arrays[k];
    struct lone a;
    LLVMValueRef behind = find_places(g, k, offset, &a), stride[MAX_CORE_RANK];
    LLVMValueRef bit =
        LLVMBuildAnd(g->b, param_i32(g, PARAM(inputs)), i32(g, UINT32_C(1) << k), "");
    LLVMValueRef moves = is_set(g, bit);
    LLVMBasicBlockRef after = begin_if(g, moves);
    copy(g, &a, calls, false);
    end_if(g, after);
    near_strides(g, &a, stride);
    array->base = gen_select(g, moves, LLVMBuildAddrSpaceCast(g->b, own_place(g, &a), generic, ""),
                             LLVMBuildAddrSpaceCast(g->b, a.home, generic, ""));
    array->near = true;
    for (int i = 0; i < a.operand->rank; i++)
        array->stride[i] = gen_select(g, moves, stride[i], a.stride[i]);
    return gen_select(g, moves, behind, offset);
}

void gen_lone_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    struct lone a[UFC_MAX_OPERANDS];
    LLVMValueRef offset = i32(g, UFC_ROW_PITCH * WARP), one = i64(g, 1);
    int n = 0;
    gufunc_find_thread(g, t);
    LLVMValueRef own = t->call, number = param_i64(g, PARAM(calls));
    LLVMValueRef left = subtract(g, number, multiply(g, extended(g, t->ctaid), i64(g, WARP)));
    LLVMValueRef calls = LLVMBuildTrunc(g->b, least(g, left, i64(g, WARP)), i32_type(g), "");
    t->call = least(g, own, subtract(g, number, one)); /* each thread takes part in copies */
    gufunc_find_operands(g, t);
    t->call = own;
    gen_variables(g, 1);
    gen_local_arrays(g);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->repeated >> k & 1) {
            offset = find_places(g, k, offset, &a[n]);
            if (p->overload->inst->unwritten >> (k - p->nin) & 1)
                copy(g, &a[n], calls, false);
            move_output(g, &a[n++], &g->arrays[k]);
        }
    for (int k = 0; k < p->nin; k++)
        if (p->repeated >> k & 1)
            offset = move_input(g, k, calls, offset);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, own, number));
    t->end = g->stop = after;
    g->in_chunks = true;
    g->early_words = EARLY_WORDS;
    g->early_copies = EARLY_COPIES;
    g->chunk_body = CHUNK_BODY;
    share_rows(g, t);
    gen_stmts(g, p->body);
    end_if(g, after);
    gpu(g)->barrier(g);
    for (int i = 0; i < n; i++)
        copy(g, &a[i], calls, true);
}
