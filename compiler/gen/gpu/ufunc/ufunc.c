/* ufunc.c: what a ufunc's GPU kernels have around its body.
 *
 * A thread finds its elements, loads the inputs, calls the body and stores the outputs.  Pointers,
 * sizes and strides come from the kernel's parameter, a struct. */
#include "ufunc.h"

/* ---- the parameter */

static size_t op_offset(const struct kernel *k, int operand) {
    return k->at.op + (size_t)operand * sizeof(struct ufc_kparam_op);
}

size_t value_offset(const struct kernel *k, int operand) {
    return op_offset(k, operand) + offsetof(struct ufc_kparam_op, value);
}

/* The offset of an operand's strides in the parameter; operand == noperands: of the mask's. */
static size_t strides_offset(const struct kernel *k, int operand) {
    if (operand == k->g->plan->noperands)
        return k->at.mask + offsetof(struct ufc_kparam_mask, stride);
    return k->at.layout + (size_t)operand * sizeof(struct ufc_kparam_layout);
}

LLVMValueRef load_stride(struct kernel *k, int operand, size_t axis) {
    return param_i64(k->g, strides_offset(k, operand) + axis * sizeof(int64_t));
}

LLVMValueRef load_piece_param(struct kernel *k, size_t member) {
    return param_i32(k->g, k->at.pieces + member);
}

LLVMValueRef load_value(struct kernel *k, int operand) {
    return param_value(k->g, operand_dtype(k, operand), value_offset(k, operand));
}

LLVMValueRef load_input(struct kernel *k, int operand, LLVMValueRef address) {
    enum ufc_dtype d = operand_dtype(k, operand);
    struct by_value n = begin_memory(k->g, d, k->pointer[operand], value_offset(k, operand));
    return end_memory(k->g, &n, load_element(k->g, d, address));
}

LLVMValueRef has_bit(struct kernel *k, LLVMValueRef word, int operand) {
    struct gen *g = k->g;
    return is_set(g, both(g, word, i32(g, UINT32_C(1) << operand)));
}

/* ---- kernels */

static void begin_ufunc_kernel(struct kernel *k) {
    struct gen *g = k->g;
    k->at = ufc_param_offsets((size_t)g->plan->noperands, g->plan->checked);
    begin_kernel(g, k->kind, ufc_param_size(&k->at, k->kind), k->element);
    for (int i = 0; i < g->plan->noperands; i++)
        k->pointer[i] = param_i64(g, op_offset(k, i));
    if (g->plan->checked)
        k->fault = global_pointer(g, param_i64(g, k->at.fault));
}

void guard(struct gen *g, LLVMValueRef inside) {
    LLVMBasicBlockRef out = gen_block(g, "outside"), in = gen_block(g, "inside");
    LLVMBuildCondBr(g->b, inside, in, out);
    gen_place(g, out);
    LLVMBuildRetVoid(g->b);
    gen_place(g, in);
}

void call_element(struct kernel *k, LLVMValueRef *inputs, LLVMValueRef *outputs,
                  LLVMValueRef address) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMTypeRef type = LLVMGlobalGetValueType(k->element);
    LLVMValueRef args[UFC_MAX_OPERANDS + 2];
    for (int i = 0; i < p->nin; i++)
        args[i] = inputs[i];
    args[p->nin] = k->fault;
    args[p->nin + 1] = address;
    LLVMValueRef r =
        LLVMBuildCall2(g->b, type, k->element, args, (unsigned)p->nin + (p->checked ? 2 : 0), "");
    for (int i = p->nin; i < p->noperands; i++)
        outputs[i] = LLVMBuildExtractValue(g->b, r, (unsigned)(i - p->nin), "");
}

void find_place(struct kernel *k, LLVMValueRef index, LLVMValueRef scale[2], struct place *place) {
    struct gen *g = k->g;
    int n = g->plan->noperands;
    struct loop_axes axes = {.naxes = param_i32(g, offsetof(struct ufc_kparam_head, naxes)),
                             .axes = k->at.axes};
    for (int i = 0; i < n; i++)
        place->address[i] = k->pointer[i];
    if (k->kind == UFC_KERNEL_STRIDED || k->kind == UFC_KERNEL_CAST)
        place->address[n++] = param_i64(g, k->at.mask);
    axes.n = n;
    for (int i = 0; i < n; i++)
        axes.stride[i] = strides_offset(k, i);
    find_piece(g, &axes, index, scale, place->address, place->along);
}

/* ---- modules */

void gen_ufunc_kernels(struct gen *g, uint64_t kernels, LLVMValueRef element) {
    static void (*const bodies[UFC_KERNEL_COUNT])(struct kernel * k) = {
#define UFUNC_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)        \
    [UFC_KERNEL_##ID] = (body),
#include "kernel.def"
    };
    for (enum ufc_kernel_kind kind = 0; kind < UFC_KERNEL_COUNT; kind++) {
        if (bodies[kind] == NULL || !(kernels >> kind & 1))
            continue;
        struct gen own = *g;
        struct kernel k = {.g = &own, .kind = kind, .element = element};
        begin_ufunc_kernel(&k);
        bodies[kind](&k);
    }
}
