/* gufunc.c: the GPU kernels of a gufunc: which call a thread belongs to, where the call's arrays
 * are; spread.c shares the work among a call's threads.  image_abi.h says what the kernels do. */
#include "gufunc.h"

#define CORE(field) offsetof(struct ufc_kparam_gufunc, field)

/* ---- the parameter */

static struct ufc_gufunc_offsets offsets(const struct plan *p) {
    size_t ranks = 0;
    for (int k = 0; k < p->noperands; k++)
        ranks += (size_t)p->operands[k].rank;
    return ufc_gufunc_offsets((size_t)p->noperands, (size_t)p->overload->decl->ndims, ranks);
}

static size_t operand_offset(struct gen *g, int k) {
    return offsets(g->plan).operand + (size_t)k * sizeof(struct ufc_kparam_operand);
}

static void load_sizes(struct gen *g) {
    const struct plan *p = g->plan;
    int ndims = p->overload->decl->ndims;
    const struct ufc_gufunc_offsets offset = offsets(p);
    size_t at = offset.stride;
    g->dims = NEWN(g->uc, LLVMValueRef, ndims + 1);
    g->arrays = NEWN(g->uc, struct gen_array, p->noperands + p->nlocals);
    for (int d = 0; d < ndims; d++)
        g->dims[d] = param_i64(g, offset.dimension + (size_t)d * sizeof(int64_t));
    for (int k = 0; k < p->noperands; k++)
        for (int r = 0; r < p->operands[k].rank; r++, at += sizeof(int64_t))
            g->arrays[k].stride[r] = param_i64(g, at);
    gen_fixed_dims(g);
}

/* DENSE: whether operand k is a square matrix whose rows lie along the larger stride: i1; NULL: it
 * is no matrix that may. */
static LLVMValueRef find_transposed(struct gen *g, int k) {
    const struct poperand *o = &g->plan->operands[k];
    if (o->rank != 2)
        return NULL;
    uint64_t n = LLVMConstIntGetZExtValue(g->dims[o->dims[0]->index]);
    if (n != LLVMConstIntGetZExtValue(g->dims[o->dims[1]->index]) || n < 2 || n * n > UFC_MOST_HELD)
        return NULL;
    LLVMValueRef bytes = i64(g, (uint64_t)dtype_info[o->dtype].bits / 8);
    return compare(g, LLVMIntEQ, g->arrays[k].stride[0], bytes);
}

/* DENSE: all is known. */
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

/* ---- where the call's operands are */

/* A scalar input: by value where it has no address. */
static LLVMValueRef load_scalar(struct gen *g, int k, LLVMValueRef pointer) {
    enum ufc_dtype d = g->plan->operands[k].dtype;
    const struct pval load = {.kind = PV_ELEM, .operand = k, .dtype = d};
    size_t value = operand_offset(g, k) + offsetof(struct ufc_kparam_operand, value);
    struct by_value n = begin_memory(g, d, pointer, value);
    return end_memory(g, &n, gen_element(g, &load));
}

LLVMValueRef elements_left(struct gen *g, LLVMValueRef end, LLVMValueRef first) {
    LLVMValueRef left = least(g, LLVMBuildSub(g->b, end, first, ""), i64(g, INT32_MAX));
    return LLVMBuildTrunc(g->b, left, i32_type(g), "");
}

static size_t strides_offset(struct gen *g, int k) {
    return operand_offset(g, k) + offsetof(struct ufc_kparam_operand, stride);
}

LLVMValueRef gufunc_address_bits(struct gen *g, int k) {
    LLVMValueRef bits = param_i64(g, operand_offset(g, k));
    for (size_t d = 0; d < UFC_MAX_AXES; d++) {
        LLVMValueRef stride = param_i64(g, strides_offset(g, k) + d * sizeof(int64_t));
        bits = LLVMBuildOr(g->b, bits, stride, "");
    }
    return bits;
}

void gufunc_find_operands(struct gen *g, const struct threads *t) {
    const struct plan *p = g->plan;
    LLVMValueRef call = LLVMBuildTrunc(g->b, t->call, i32_type(g), "");
    struct loop_axes axes = {
        .naxes = param_i32(g, CORE(naxes)), .axes = CORE(axes), .n = p->noperands};
    LLVMValueRef offset[UFC_MAX_OPERANDS];
    for (int k = 0; k < p->noperands; k++) {
        axes.stride[k] = strides_offset(g, k);
        offset[k] = i64(g, 0);
    }
    find_element(g, &axes, call, offset);
    for (int k = 0; k < p->noperands; k++) {
        LLVMValueRef first = param_i64(g, operand_offset(g, k));
        g->arrays[k].base = at_byte(g, global_pointer(g, first), offset[k]);
        if (k < p->nin && p->operands[k].rank == 0)
            g->inputs[k] = load_scalar(g, k, first);
    }
}

/* ---- which call, and which of its threads */

/* The warp's threads that share a call, as bits. */
static LLVMValueRef lane_mask(struct gen *g, const struct threads *t) {
    LLVMValueRef none = LLVMBuildSub(g->b, i32(g, 32), t->group, "");
    LLVMValueRef ones = LLVMBuildLShr(g->b, i32(g, UINT32_MAX), none, "");
    LLVMValueRef lane = LLVMBuildAnd(g->b, t->tid, i32(g, 31), "");
    LLVMValueRef first = LLVMBuildAnd(g->b, lane, LLVMBuildNeg(g->b, t->group, ""), "");
    return LLVMBuildShl(g->b, ones, first, "");
}

/* GRID, COLUMN: calls, or columns of calls, that several blocks share. */
static void find_blocks(struct gen *g, struct threads *t, LLVMValueRef block) {
    LLVMValueRef blocks = param_i32(g, CORE(blocks));
    LLVMValueRef first = LLVMBuildUDiv(g->b, block, blocks, "");
    t->phase = param_i32(g, CORE(phase));
    t->blocks = extended(g, blocks);
    t->block = extended(g, LLVMBuildURem(g->b, block, blocks, ""));
    t->call = extended(g, first);
    t->local = extended(g, t->tid);
    t->locals = BLOCK_THREADS;
    if (t->kind == UFC_KERNEL_COLUMN) {
        LLVMValueRef column = i32(g, UFC_COLUMNS);
        LLVMValueRef x = LLVMBuildURem(g->b, t->tid, column, "");
        t->call = add(g, multiply(g, t->call, extended(g, column)), extended(g, x));
        t->local = extended(g, LLVMBuildUDiv(g->b, t->tid, column, ""));
        t->locals = BLOCK_THREADS / UFC_COLUMNS;
    }
    t->count = multiply(g, t->blocks, i64(g, (uint64_t)t->locals));
    t->number = add(g, multiply(g, t->block, i64(g, (uint64_t)t->locals)), t->local);
}

/* COLUMN: threads without a call stay, for the barriers' sake, with no share in the last one. */
static void clamp_call(struct gen *g, struct threads *t, LLVMValueRef calls) {
    LLVMValueRef last = LLVMBuildSub(g->b, calls, i64(g, 1), "");
    t->call = gen_select(g, t->has_call, t->call, last);
    t->number = gen_select(g, t->has_call, t->number, i64(g, INT64_MAX));
}

static LLVMValueRef trailing_zeros(struct gen *g, LLVMValueRef v) {
    LLVMValueRef args[] = {v, LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false)};
    return gen_intrinsic(g, "cttz", NULL, args, 2);
}

static void find_call(struct gen *g, struct threads *t) {
    LLVMValueRef block = gpu(g)->id(g, BLOCK_ID);
    LLVMValueRef ntid = gpu(g)->id(g, BLOCK_SIZE);
    t->tid = gpu(g)->id(g, THREAD_ID);
    LLVMValueRef thread =
        add(g, multiply(g, extended(g, block), extended(g, ntid)), extended(g, t->tid));
    t->number = i64(g, 0);
    t->count = i64(g, 1);
    t->call = thread;
    switch (t->kind) {
    case UFC_KERNEL_WARP:
        t->group = param_i32(g, CORE(group));
        t->lane_mask = lane_mask(g, t);
        t->count = extended(g, t->group);
        t->number = LLVMBuildAnd(g->b, thread, LLVMBuildSub(g->b, t->count, i64(g, 1), ""), "");
        t->call = LLVMBuildLShr(g->b, thread, extended(g, trailing_zeros(g, t->group)), "");
        break;
    case UFC_KERNEL_BLOCK:
        t->count = extended(g, ntid);
        t->number = extended(g, t->tid);
        t->call = extended(g, block);
        break;
    case UFC_KERNEL_GRID:
    case UFC_KERNEL_COLUMN: find_blocks(g, t, block); break;
    default: break;
    }
}

/* ---- DENSE: operands in registers */

/* Elements of an operand; 0: too many. */
static int count_elements(struct gen *g, int k) {
    uint64_t n = 1;
    for (int r = 0; r < g->plan->operands[k].rank; r++)
        n *= LLVMConstIntGetZExtValue(g->dims[g->plan->operands[k].dims[r]->index]);
    return n <= UFC_MOST_HELD ? (int)n : 0;
}

/* The n elements of an operand from one place to another, one of which is the call's part in
 * memory.  A square matrix may be transposed there. */
static void move_elements(struct gen *g, int k, int n, LLVMValueRef from, LLVMValueRef to,
                          bool from_memory) {
    enum ufc_dtype d = g->plan->operands[k].dtype;
    unsigned size = (unsigned)dtype_info[d].bits / 8, most = g->arrays[k].align;
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef v[UFC_MOST_HELD], transposed = g->arrays[k].transposed;
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

/* The body on copies of the outputs, which go to memory at its end, whole: what the body overwrites
 * anyway is not even loaded; and on copies of inputs that may be transposed. */
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

/* ---- kernels */

static void gen_core_kernel(struct gen *g, enum ufc_kernel_kind kind) {
    struct threads t = {.kind = kind};
    bool shared = kind >= UFC_KERNEL_WARP, dense = !shared && kind != UFC_KERNEL_THREAD;
    begin_kernel(g, kind, offsets(g->plan).end, NULL);
    t.end = gen_block(g, "end");
    load_sizes(g);
    if (dense)
        fix_sizes(g, kind - UFC_KERNEL_DENSE_2 + 2);
    g->copies = dense ? DENSE_COPIES : 0;
    find_call(g, &t);
    LLVMBasicBlockRef some = gen_block(g, "call");
    LLVMValueRef calls = param_i64(g, CORE(calls));
    t.has_call = compare(g, LLVMIntSLT, t.call, calls);
    if (kind == UFC_KERNEL_COLUMN) {
        clamp_call(g, &t, calls);
        LLVMBuildBr(g->b, some);
    } else
        LLVMBuildCondBr(g->b, t.has_call, some, t.end);
    gen_place(g, some);
    gufunc_find_operands(g, &t);
    if (g->plan->checked)
        g->fault = gen_fault_at(g, param_i64(g, CORE(fault)));
    g->stop = shared ? NULL : t.end;
    g->threads = &t;
    g->most_lanes = 1;
    g->varying = find_varying(g->uc, g->plan, false);
    g->sharing = !shared ? NULL : kind < UFC_KERNEL_GRID ? &by_threads : &by_blocks;
    gen_variables(g, 1);
    gen_local_arrays(g);
    if (dense)
        gen_held_body(g);
    else
        gen_stmts(g, g->plan->body);
    LLVMBuildBr(g->b, t.end);
    gen_place(g, t.end);
    LLVMBuildRetVoid(g->b);
}

static void gen_tile_kernel(struct gen *g, enum ufc_kernel_kind kind) {
    struct threads t = {.kind = kind};
    begin_kernel(g, kind, offsets(g->plan).end, NULL);
    load_sizes(g);
    find_call(g, &t);
    g->most_lanes = 1;
    g->varying = find_varying(g->uc, g->plan, false);
    gen_variables(g, 1);
    LLVMValueRef calls = param_i64(g, CORE(calls));
    if (kind == UFC_KERNEL_WINDOW)
        gen_window(g, &t, calls);
    else
        gen_tile(g, &t, calls, 16 << (kind - UFC_KERNEL_TILE_16));
    LLVMBuildRetVoid(g->b);
}

void gen_gufunc_kernels(struct gen *g) {
    for (int kind = UFC_KERNEL_THREAD; kind < UFC_KERNEL_COUNT; kind++) {
        struct gen kernel = *g;
        if (has_kernel(g->plan, (enum ufc_kernel_kind)kind))
            (kind < UFC_KERNEL_TILE_16 ? gen_core_kernel
                                       : gen_tile_kernel)(&kernel, (enum ufc_kernel_kind)kind);
    }
}
