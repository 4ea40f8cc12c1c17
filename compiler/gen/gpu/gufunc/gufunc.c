/* gufunc.c: what a gufunc's GPU kernels have around their bodies: the parameter, and the addresses
 * of a call's arrays. */
#include "gufunc.h"

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
            g->arrays[k].stride[r] = g->narrow
                                         ? LLVMBuildSExt(g->b, param_i32(g, at), i64_type(g), "")
                                         : param_i64(g, at);
    gen_fixed_dims(g);
    g->step = p->steps != NULL ? param_i64(g, PARAM(step)) : NULL;
}

size_t gufunc_nest_param(struct gen *g) {
    return offsets(g->plan).nest;
}

/* ---- a call's operands */

/* A scalar input: a value in the parameter where its pointer is 0. */
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

LLVMValueRef gufunc_stride_bits(struct gen *g, int k) {
    LLVMValueRef bits = i64(g, 0);
    for (size_t d = 0; d < UFC_MAX_AXES; d++) {
        LLVMValueRef stride = param_i64(g, strides_offset(g, k) + d * sizeof(int64_t));
        bits = LLVMBuildOr(g->b, bits, stride, "");
    }
    return bits;
}

LLVMValueRef gufunc_row_step(struct gen *g, int k) {
    return param_i64(g, strides_offset(g, k) + (UFC_MAX_AXES - 1) * sizeof(int64_t));
}

LLVMValueRef gufunc_address_bits(struct gen *g, int k) {
    LLVMValueRef address = param_i64(g, operand_offset(g, k));
    return LLVMBuildOr(g->b, address, gufunc_stride_bits(g, k), "");
}

void gufunc_find_place(struct gen *g, LLVMValueRef index, const struct moved *moved, int n,
                       LLVMValueRef *more) {
    const struct plan *p = g->plan;
    struct loop_axes axes = {
        .naxes = param_i32(g, PARAM(naxes)), .axes = PARAM(axes), .n = p->noperands + n};
    LLVMValueRef offset[MAX_WALKED];
    for (int k = 0; k < axes.n; k++) {
        const struct moved *m = k < p->noperands ? NULL : &moved[k - p->noperands];
        axes.stride[k] = m == NULL ? strides_offset(g, k) : m->strides;
        axes.word[k] = m != NULL && m->word;
        offset[k] = axes.word[k] ? i32(g, 0) : i64(g, 0);
    }
    find_element(g, &axes, index, offset);
    for (int k = 0; k < n; k++)
        more[k] = LLVMBuildSExt(g->b, offset[p->noperands + k], i64_type(g), "");
    for (int k = 0; k < p->noperands; k++) {
        LLVMValueRef first = param_i64(g, operand_offset(g, k));
        g->arrays[k].base = at_byte(g, global_pointer(g, first), offset[k]);
        if (k < p->nin && p->operands[k].rank == 0)
            g->inputs[k] = load_scalar(g, k, first);
    }
}

void gufunc_find_operands(struct gen *g, const struct threads *t) {
    gufunc_find_place(g, LLVMBuildTrunc(g->b, t->call, i32_type(g), ""), NULL, 0, NULL);
}

/* ---- kernels */

static void gen_kernel(const struct gen *module, enum ufc_kernel_kind kind,
                       void (*body)(struct gen *g, struct threads *t)) {
    struct gen own = *module, *g = &own;
    struct threads t = {.kind = kind};
    g->threads = &t;
    g->vector_lanes = 1;
    g->narrow = kind == UFC_KERNEL_NEST || kind == UFC_KERNEL_WINDOW ||
                kind == UFC_KERNEL_SCATTER || kind == UFC_KERNEL_LONE || ufc_is_sweep(kind) ||
                kind == UFC_KERNEL_DEAL || kind == UFC_KERNEL_SERIES || shares_steps(g);
    g->short_loops = kind == UFC_KERNEL_LONE || shares_steps(g);
    g->varying =
        find_varying(g->uc, g->plan, kind == UFC_KERNEL_NEST ? LANES_PARTS : LANES_POINTS, false);
    const struct ufc_gufunc_offsets at = offsets(g->plan);
    begin_kernel(g, kind, ufc_gufunc_param_size(&at, kind), NULL);
    load_sizes(g);
    body(g, &t);
    LLVMBuildRetVoid(g->b);
    unite_words(g);
}

void gen_gufunc_kernels(struct gen *g, uint64_t kernels) {
    static void (*const bodies[UFC_KERNEL_COUNT])(struct gen * g, struct threads * t) = {
#define GUFUNC_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)       \
    [UFC_KERNEL_##ID] = (body),
#include "kernel.def"
    };
    for (enum ufc_kernel_kind kind = 0; kind < UFC_KERNEL_COUNT; kind++)
        if (bodies[kind] != NULL && kernels >> kind & 1)
            gen_kernel(g, kind, bodies[kind]);
}
