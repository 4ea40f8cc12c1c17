/* ufunc.c: the frame of a ufunc's GPU kernels around its element body.
 *
 * A kernel finds its elements, loads the operands, calls the body, stores the results.  Pointers,
 * sizes and strides come from one parameter, a struct read in place. */
#include <string.h>

#include "ufunc.h"

/* ---- the parameter */

size_t op_offset(const struct kernel *k, int operand) {
    return k->at.op + (size_t)operand * sizeof(struct ufc_kparam_op);
}

size_t layout_offset(const struct kernel *k, int operand) {
    return k->at.layout + (size_t)operand * sizeof(struct ufc_kparam_layout);
}

static LLVMValueRef load_at(struct kernel *k, LLVMTypeRef type, LLVMValueRef offset) {
    struct gen *g = k->g;
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(g->b, byte, k->param, &offset, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, at, "");
    unsigned align = LLVMGetAlignment(v);
    LLVMSetAlignment(v, align < 8 ? align : 8); /* the struct's, which has no 16-byte members */
    return v;
}

LLVMValueRef load_param(struct kernel *k, LLVMTypeRef type, size_t offset) {
    return load_at(k, type, i64(k->g, offset));
}

/* Element `axis` (i32) of an array of `size`-byte ones. */
static LLVMValueRef load_indexed(struct kernel *k, LLVMTypeRef type, size_t array, size_t size,
                                 LLVMValueRef axis) {
    struct gen *g = k->g;
    LLVMValueRef at = multiply(g, extended(g, axis), i64(g, size));
    return load_at(k, type, add(g, at, i64(g, array)));
}

LLVMValueRef load_stride(struct kernel *k, int operand, LLVMValueRef axis) {
    size_t strides = operand < k->g->plan->noperands
                         ? layout_offset(k, operand)
                         : k->at.mask + offsetof(struct ufc_kparam_mask, stride);
    return load_indexed(k, i64_type(k->g), strides, sizeof(int64_t), axis);
}

LLVMValueRef load_axis(struct kernel *k, size_t member, LLVMValueRef axis) {
    return load_indexed(k, i32_type(k->g), k->at.axes + member, sizeof(uint32_t), axis);
}

LLVMValueRef load_piece_param(struct kernel *k, size_t member) {
    return load_param(k, i32_type(k->g), k->at.pieces + member);
}

LLVMValueRef load_value(struct kernel *k, int operand) {
    enum ufc_dtype d = operand_dtype(k, operand);
    LLVMValueRef v = load_param(k, gen_memory_type(k->g, d),
                                op_offset(k, operand) + offsetof(struct ufc_kparam_op, value));
    return d == DT_BOOL ? gen_cast(k->g, v, DT_UINT8, DT_BOOL) : v;
}

LLVMValueRef has_bit(struct kernel *k, LLVMValueRef word, int operand) {
    struct gen *g = k->g;
    return compare(g, LLVMIntNE, both(g, word, i32(g, UINT32_C(1) << operand)), i32(g, 0));
}

/* ---- memory */

LLVMValueRef global_pointer(struct kernel *k, LLVMValueRef address) {
    struct gen *g = k->g;
    return LLVMBuildIntToPtr(g->b, address, global_pointer_type(g), "");
}

LLVMValueRef load_element(struct kernel *k, enum ufc_dtype d, LLVMValueRef address) {
    return gen_load_element(k->g, d, gen_memory_type(k->g, d), global_pointer(k, address),
                            dtype_align(d));
}

void store_element(struct kernel *k, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef address) {
    gen_store_element(k->g, gen_memory_type(k->g, d), v, global_pointer(k, address),
                      dtype_align(d));
}

LLVMValueRef join(struct gen *g, LLVMBasicBlockRef a, LLVMValueRef va, LLVMBasicBlockRef b,
                  LLVMValueRef vb) {
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(va), "");
    LLVMAddIncoming(phi, &va, &a, 1);
    LLVMAddIncoming(phi, &vb, &b, 1);
    return phi;
}

LLVMValueRef load_input(struct kernel *k, int operand, LLVMValueRef address) {
    struct gen *g = k->g;
    LLVMBasicBlockRef memory = gen_block(g, "memory"), value = gen_block(g, "value");
    LLVMBasicBlockRef done = gen_block(g, "done");
    LLVMValueRef given = compare(g, LLVMIntEQ, k->pointer[operand], i64(g, 0));
    LLVMBuildCondBr(g->b, given, value, memory);
    gen_place(g, value);
    LLVMValueRef number = load_value(k, operand);
    LLVMBuildBr(g->b, done);
    gen_place(g, memory);
    LLVMValueRef v = load_element(k, operand_dtype(k, operand), address);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return join(g, value, number, memory, v);
}

/* ---- kernels' frames */

/* Blocks a multiprocessor, by which ptxas limits registers; 0: as it finds best, which for large
 * bodies beside much else is some too few. */
static int least_blocks(const struct kernel *k) {
    int most = k->g->plan->noperands > 4 ? 2 : 3;
    for (int i = 0; i < k->g->plan->noperands; i++)
        if (dtype_info[part_dtype(operand_dtype(k, i))].bits == 64)
            most = 2;
    return kernel_module(k->kind) == UFC_MODULE_LAYOUT && is_large(k) ? most : 0;
}

void begin_kernel(struct kernel *k, enum ufc_kernel_kind kind) {
    struct gen *g = k->g;
    const char *name = arena_printf(g->uc, "%s_%s", g->plan->symbol, kernel_suffix[kind]);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &pointer, 1, false);
    k->kind = kind;
    k->at = ufc_param_offsets((size_t)g->plan->noperands, g->plan->checked);
    g->function = LLVMAddFunction(g->module, name, type);
    llvm_flag(g->function, "nounwind");
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    gpu(g)->kernel(g, LLVMArrayType2(byte, ufc_param_size(&k->at, kind)), BLOCK_THREADS,
                   least_blocks(k));
    k->param = LLVMGetParam(g->function, 0);
    gen_place(g, gen_block(g, "entry"));
    lines_function(g, g->plan->overload->at);
    for (int i = 0; i < g->plan->noperands; i++)
        k->pointer[i] = load_param(k, i64_type(g), op_offset(k, i));
    if (g->plan->checked)
        k->fault = gen_fault_at(g, load_param(k, i64_type(g), k->at.fault));
}

void guard(struct gen *g, LLVMValueRef inside) {
    LLVMBasicBlockRef out = gen_block(g, "outside"), in = gen_block(g, "inside");
    LLVMBuildCondBr(g->b, inside, in, out);
    gen_place(g, out);
    LLVMBuildRetVoid(g->b);
    gen_place(g, in);
}

void call_element(struct kernel *k, LLVMValueRef *inputs, LLVMValueRef *outputs) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMTypeRef type = LLVMGlobalGetValueType(k->element);
    LLVMValueRef args[UFC_MAX_OPERANDS + 1];
    for (int i = 0; i < p->nin; i++)
        args[i] = inputs[i];
    args[p->nin] = k->fault;
    LLVMValueRef r =
        LLVMBuildCall2(g->b, type, k->element, args, (unsigned)p->nin + (p->checked ? 1 : 0), "");
    for (int i = p->nin; i < p->noperands; i++)
        outputs[i] = LLVMBuildExtractValue(g->b, r, (unsigned)(i - p->nin), "");
}

/* ---- places */

/* index / the size of an axis, by its magic number. */
static LLVMValueRef gen_quotient(struct kernel *k, LLVMValueRef index, LLVMValueRef axis) {
    struct gen *g = k->g;
    LLVMValueRef magic = load_axis(k, offsetof(struct ufc_kparam_axes, magic), axis);
    LLVMValueRef shift = load_axis(k, offsetof(struct ufc_kparam_axes, shift), axis);
    LLVMValueRef high = multiply(g, extended(g, index), extended(g, magic));
    high = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, high, i64(g, 32), ""), i32_type(g), "");
    LLVMValueRef power = compare(g, LLVMIntEQ, magic, i32(g, 0));
    return LLVMBuildLShr(g->b, gen_select(g, power, index, high), shift, "");
}

/* How many addresses a place has. */
static int addressed(const struct kernel *k) {
    return k->g->plan->noperands + (k->kind == UFC_KERNEL_STRIDED || k->kind == UFC_KERNEL_CAST);
}

/* Takes an axis off the index: it becomes the quotient, and addresses go on by what is left. */
static LLVMValueRef take_axis(struct kernel *k, LLVMValueRef axis, LLVMValueRef *index,
                              LLVMValueRef scale, LLVMValueRef *address) {
    struct gen *g = k->g;
    LLVMValueRef size = load_axis(k, offsetof(struct ufc_kparam_axes, size), axis);
    LLVMValueRef q = gen_quotient(k, *index, axis);
    LLVMValueRef along = subtract(g, *index, multiply(g, q, size));
    if (scale != NULL)
        along = multiply(g, along, scale);
    for (int i = 0; i < addressed(k); i++)
        address[i] = add(g, address[i], multiply(g, extended(g, along), load_stride(k, i, axis)));
    *index = q;
    return along;
}

/* Axes 0 and 1, which all kernels know, and a loop over the rare others. */
void find_place(struct kernel *k, LLVMValueRef index, LLVMValueRef scale[2], struct place *place) {
    struct gen *g = k->g;
    int n = addressed(k);
    LLVMValueRef naxes = load_param(k, i32_type(g), offsetof(struct ufc_kparam_head, naxes));
    for (int i = 0; i < n; i++)
        place->address[i] =
            i < g->plan->noperands ? k->pointer[i] : load_param(k, i64_type(g), k->at.mask);
    for (unsigned axis = 0; axis < 2; axis++)
        place->along[axis] =
            take_axis(k, i32(g, axis), &index, scale ? scale[axis] : NULL, place->address);

    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), header = gen_block(g, "axes");
    LLVMBasicBlockRef body = gen_block(g, "axis"), after = gen_block(g, "place");
    LLVMValueRef phi[UFC_MAX_OPERANDS + 1], address[UFC_MAX_OPERANDS + 1], first = i32(g, 2);
    LLVMBuildBr(g->b, header);
    gen_place(g, header);
    LLVMValueRef axis = LLVMBuildPhi(g->b, i32_type(g), "");
    LLVMValueRef rest = LLVMBuildPhi(g->b, i32_type(g), "");
    LLVMAddIncoming(axis, &first, &before, 1);
    LLVMAddIncoming(rest, &index, &before, 1);
    for (int i = 0; i < n; i++) {
        address[i] = phi[i] = LLVMBuildPhi(g->b, i64_type(g), "");
        LLVMAddIncoming(phi[i], &place->address[i], &before, 1);
        place->address[i] = phi[i];
    }
    LLVMBuildCondBr(g->b, compare(g, LLVMIntULT, axis, naxes), body, after);
    gen_place(g, body);
    index = rest;
    take_axis(k, axis, &index, NULL, address);
    LLVMValueRef next = add(g, axis, i32(g, 1));
    LLVMAddIncoming(axis, &next, &body, 1);
    LLVMAddIncoming(rest, &index, &body, 1);
    for (int i = 0; i < n; i++)
        LLVMAddIncoming(phi[i], &address[i], &body, 1);
    LLVMBuildBr(g->b, header);
    gen_place(g, after);
}

/* ---- modules */

void gen_kernels(struct gen *g, enum ufc_module module, LLVMValueRef element) {
    static void (*const kernels[])(struct kernel * k) = {[UFC_KERNEL_VECTOR] = gen_vector_kernel,
                                                         [UFC_KERNEL_STRIDED] = gen_strided_kernel,
                                                         [UFC_KERNEL_CAST] = gen_cast_kernel,
                                                         [UFC_KERNEL_ROWS] = gen_rows_kernel,
                                                         [UFC_KERNEL_TRANSPOSE] =
                                                             gen_transpose_kernel};
    for (size_t kind = 0; kind < sizeof kernels / sizeof kernels[0]; kind++) {
        struct kernel k = {.g = g, .element = element};
        if (kernel_module((enum ufc_kernel_kind)kind) == module &&
            has_kernel(g->plan, (enum ufc_kernel_kind)kind))
            kernels[kind](&k);
    }
}
