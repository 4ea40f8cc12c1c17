/* gen_kernel.c: the three GPU kernels of an overload around its element body; kabi.h says what each
 * does.
 *
 * A kernel finds its elements, loads the operands, calls the body, stores the results.  Pointers,
 * sizes and strides come from one parameter, a struct read in place. */
#include "gen_build.h"

enum { GLOBAL = 1 }; /* the address space of arrays */

struct kernel {
    struct gen *g;
    LLVMValueRef param;                     /* the parameter struct */
    LLVMValueRef element;                   /* the body: struct of outputs (inputs) */
    LLVMValueRef pointer[UFC_MAX_OPERANDS]; /* i64, of the first element; 0: by value */
};

/* ---- small things */

static unsigned size_of(struct gen *g, int operand) {
    return (unsigned)dtype_info[g->plan->operands[operand].dtype].bits / 8;
}

static enum ufc_dtype dtype_of(struct gen *g, int operand) {
    return g->plan->operands[operand].dtype;
}

/* ---- the parameter */

static size_t op_offset(int operand) {
    return sizeof(struct ufc_kparam_head) + (size_t)operand * sizeof(struct ufc_kparam_op);
}

static size_t layout_offset(struct gen *g, int operand) {
    return op_offset(g->plan->noperands) + sizeof(struct ufc_kparam_axes) +
           (size_t)operand * sizeof(struct ufc_kparam_layout);
}

static size_t mask_offset(struct gen *g) {
    return layout_offset(g, g->plan->noperands);
}

static LLVMValueRef load_param(struct kernel *k, LLVMTypeRef type, size_t offset) {
    struct gen *g = k->g;
    LLVMValueRef at = i64(g, offset);
    at = LLVMBuildInBoundsGEP2(g->b, LLVMInt8TypeInContext(g->context), k->param, &at, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, at, "");
    unsigned align = LLVMGetAlignment(v);
    LLVMSetAlignment(v, align < 8 ? align : 8); /* the struct's, which has no 16-byte members */
    return v;
}

/* A number given by value. */
static LLVMValueRef load_value(struct kernel *k, int operand) {
    enum ufc_dtype d = dtype_of(k->g, operand);
    LLVMValueRef v = load_param(k, gen_memory_type(k->g, d),
                                op_offset(operand) + offsetof(struct ufc_kparam_op, value));
    return d == DT_BOOL ? gen_cast(k->g, v, DT_UINT8, DT_BOOL) : v;
}

/* ---- memory */

static LLVMValueRef element_address(struct kernel *k, int operand, LLVMValueRef byte_offset) {
    struct gen *g = k->g;
    LLVMValueRef at = LLVMBuildAdd(g->b, k->pointer[operand], byte_offset, "");
    return LLVMBuildIntToPtr(g->b, at, LLVMPointerTypeInContext(g->context, GLOBAL), "");
}

static LLVMValueRef load_as(struct kernel *k, enum ufc_dtype d, LLVMValueRef at) {
    return gen_load_element(k->g, d, gen_memory_type(k->g, d), at, dtype_align(d));
}

static void store_as(struct kernel *k, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef at) {
    gen_store_element(k->g, gen_memory_type(k->g, d), v, at, dtype_align(d));
}

static LLVMValueRef join(struct gen *g, LLVMBasicBlockRef a, LLVMValueRef va, LLVMBasicBlockRef b,
                         LLVMValueRef vb) {
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(va), "");
    LLVMAddIncoming(phi, &va, &a, 1);
    LLVMAddIncoming(phi, &vb, &b, 1);
    return phi;
}

/* ---- kernels' frames */

/* Outputs of one element, at the builder's place. */
static void call_element(struct kernel *k, LLVMValueRef *inputs, LLVMValueRef *outputs) {
    struct gen *g = k->g;
    LLVMTypeRef type = LLVMGlobalGetValueType(k->element);
    LLVMValueRef r = LLVMBuildCall2(g->b, type, k->element, inputs, (unsigned)g->plan->nin, "");
    for (int i = g->plan->nin; i < g->plan->noperands; i++)
        outputs[i] = LLVMBuildExtractValue(g->b, r, (unsigned)(i - g->plan->nin), "");
}

static void begin_kernel(struct kernel *k, enum ufc_kernel_kind kind) {
    struct gen *g = k->g;
    const char *name = arena_printf(g->uc, "%s_%s", g->plan->symbol, kernel_suffix[kind]);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &pointer, 1, false);
    g->function = LLVMAddFunction(g->module, name, type);
    llvm_kernel_attributes(g->module, g->function, BLOCK_THREADS, 0);
    llvm_flag(g->function, "nounwind");
    size_t size = kind == UFC_KERNEL_VECTOR ? op_offset(g->plan->noperands)
                                            : mask_offset(g) + sizeof(struct ufc_kparam_mask);
    llvm_byval(g->function, 1, LLVMArrayType2(LLVMInt8TypeInContext(g->context), size), 8);
    k->param = LLVMGetParam(g->function, 0);
    gen_place(g, gen_block(g, "entry"));
    lines_function(g, g->plan->overload->at);
    for (int i = 0; i < g->plan->noperands; i++)
        k->pointer[i] = load_param(k, i64_type(g), op_offset(i));
}

/* Returns from threads for which inside is false. */
static void guard(struct gen *g, LLVMValueRef inside) {
    LLVMBasicBlockRef out = gen_block(g, "outside"), in = gen_block(g, "inside");
    LLVMBuildCondBr(g->b, inside, in, out);
    gen_place(g, out);
    LLVMBuildRetVoid(g->b);
    gen_place(g, in);
}

/* ---- the vector kernel */

/* An input that is one element for all, else zero. */
static LLVMValueRef load_scalar(struct kernel *k, int operand, LLVMValueRef is_scalar) {
    struct gen *g = k->g;
    LLVMBasicBlockRef array = LLVMGetInsertBlock(g->b), scalar = gen_block(g, "scalar");
    LLVMBasicBlockRef memory = gen_block(g, "memory"), done = gen_block(g, "done");
    LLVMBasicBlockRef value = gen_block(g, "value");
    LLVMBuildCondBr(g->b, is_scalar, scalar, done);
    gen_place(g, scalar);
    LLVMValueRef given = LLVMBuildICmp(g->b, LLVMIntEQ, k->pointer[operand], i64(g, 0), "");
    LLVMBuildCondBr(g->b, given, value, memory);
    gen_place(g, memory);
    LLVMValueRef loaded = load_as(k, dtype_of(g, operand), element_address(k, operand, i64(g, 0)));
    LLVMBuildBr(g->b, done);
    gen_place(g, value);
    LLVMValueRef number = load_value(k, operand);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef v = join(g, memory, loaded, value, number);
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(v));
    LLVMAddIncoming(v, &none, &array, 1);
    return v;
}

/* width elements in one access: types narrower than a word packed into words.  *n: words. */
static LLVMTypeRef piece_type(struct gen *g, int operand, int width, int *n) {
    int bits = (int)size_of(g, operand) * 8;
    if (bits >= 32) {
        *n = width;
        return LLVMVectorType(gen_memory_type(g, dtype_of(g, operand)), (unsigned)width);
    }
    int word = bits * width < 32 ? bits * width : 32;
    *n = bits * width / word;
    LLVMTypeRef type = LLVMIntTypeInContext(g->context, (unsigned)word);
    return LLVMVectorType(type, (unsigned)*n);
}

static LLVMValueRef load_piece(struct kernel *k, int operand, int width, LLVMValueRef at) {
    int n;
    LLVMTypeRef type = piece_type(k->g, operand, width, &n);
    LLVMValueRef v = LLVMBuildLoad2(k->g->b, type, at, "");
    LLVMSetAlignment(v, size_of(k->g, operand) * (unsigned)width);
    return v;
}

static LLVMValueRef from_piece(struct kernel *k, int operand, int width, LLVMValueRef piece,
                               int index) {
    struct gen *g = k->g;
    int n;
    piece_type(g, operand, width, &n);
    int each = width / n, bits = (int)size_of(g, operand) * 8;
    LLVMValueRef v = LLVMBuildExtractElement(g->b, piece, i32(g, (uint32_t)(index / each)), "");
    if (bits < 32) {
        LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(v), (unsigned)(index % each * bits), false);
        v = LLVMBuildLShr(g->b, v, shift, "");
        v = LLVMBuildTrunc(g->b, v, gen_memory_type(g, dtype_of(g, operand)), "");
    }
    return dtype_of(g, operand) == DT_BOOL ? gen_cast(g, v, DT_UINT8, DT_BOOL) : v;
}

static LLVMValueRef into_piece(struct kernel *k, int operand, int width, LLVMValueRef piece,
                               int index, LLVMValueRef v) {
    struct gen *g = k->g;
    int n;
    LLVMTypeRef type = piece_type(g, operand, width, &n);
    int each = width / n, bits = (int)size_of(g, operand) * 8;
    LLVMValueRef at = i32(g, (uint32_t)(index / each));
    if (bits < 32) {
        LLVMTypeRef word = LLVMGetElementType(type);
        v = LLVMBuildIntCast2(g->b, v, word, false, "");
        unsigned shift = (unsigned)(index % each * bits);
        v = LLVMBuildShl(g->b, v, LLVMConstInt(word, shift, false), "");
        v = LLVMBuildOr(g->b, LLVMBuildExtractElement(g->b, piece, at, ""), v, "");
    }
    return LLVMBuildInsertElement(g->b, piece, v, at, "");
}

/* A piece of equal elements. */
static LLVMValueRef splat_piece(struct kernel *k, int operand, int width, LLVMValueRef v) {
    struct gen *g = k->g;
    int n;
    LLVMTypeRef type = piece_type(g, operand, width, &n), word = LLVMGetElementType(type);
    int bits = (int)size_of(g, operand) * 8;
    if (bits < 32) { /* times 0x01010101, or the like */
        uint64_t ones = bits == 16 ? 0x00010001 : 0x01010101;
        ones &= UINT64_MAX >> (64 - LLVMGetIntTypeWidth(word)); /* a word is not always 32 bits */
        v = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, v, word, ""), LLVMConstInt(word, ones, false),
                         "");
    }
    LLVMValueRef piece = LLVMGetPoison(type);
    for (int i = 0; i < n; i++)
        piece = LLVMBuildInsertElement(g->b, piece, v, i32(g, (uint32_t)i), "");
    return piece;
}

/* All of the thread's elements are there: whole accesses, all loads before the first use. */
static void gen_pieces(struct kernel *k, int width, LLVMValueRef first, LLVMValueRef *is_scalar,
                       LLVMValueRef *scalars) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef pieces[UFC_MAX_OPERANDS], offset[UFC_MAX_OPERANDS];
    for (int i = 0; i < p->noperands; i++)
        offset[i] = LLVMBuildMul(g->b, first, i64(g, size_of(g, i)), "");
    for (int i = 0; i < p->nin; i++) {
        LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
        LLVMBasicBlockRef array = gen_block(g, "array"), done = gen_block(g, "loaded");
        LLVMValueRef equal = splat_piece(k, i, width, scalars[i]);
        LLVMBuildCondBr(g->b, is_scalar[i], done, array);
        gen_place(g, array);
        LLVMValueRef v = load_piece(k, i, width, element_address(k, i, offset[i]));
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
        pieces[i] = join(g, array, v, before, equal);
    }
    for (int i = p->nin; i < p->noperands; i++) {
        int n;
        pieces[i] = LLVMConstNull(piece_type(g, i, width, &n));
    }
    for (int j = 0; j < width; j++) {
        LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
        for (int i = 0; i < p->nin; i++)
            inputs[i] = from_piece(k, i, width, pieces[i], j);
        call_element(k, inputs, outputs);
        for (int i = p->nin; i < p->noperands; i++)
            pieces[i] = into_piece(k, i, width, pieces[i], j, outputs[i]);
    }
    for (int i = p->nin; i < p->noperands; i++)
        LLVMSetAlignment(LLVMBuildStore(g->b, pieces[i], element_address(k, i, offset[i])),
                         size_of(g, i) * (unsigned)width);
}

/* The last thread's elements, one by one. */
static void gen_tail(struct kernel *k, LLVMValueRef first, LLVMValueRef n, LLVMValueRef *is_scalar,
                     LLVMValueRef *scalars) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, LLVMBuildICmp(g->b, LLVMIntSLT, l.phi[0], n, ""));
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS], at[UFC_MAX_OPERANDS];
    for (int i = 0; i < p->noperands; i++)
        at[i] = LLVMBuildMul(g->b, l.phi[0], i64(g, size_of(g, i)), "");
    for (int i = 0; i < p->nin; i++) {
        LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
        LLVMBasicBlockRef array = gen_block(g, "array"), done = gen_block(g, "loaded");
        LLVMBuildCondBr(g->b, is_scalar[i], done, array);
        gen_place(g, array);
        LLVMValueRef v = load_as(k, dtype_of(g, i), element_address(k, i, at[i]));
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
        inputs[i] = join(g, array, v, before, scalars[i]);
    }
    call_element(k, inputs, outputs);
    for (int i = p->nin; i < p->noperands; i++)
        store_as(k, dtype_of(g, i), outputs[i], element_address(k, i, at[i]));
    LLVMValueRef next = LLVMBuildAdd(g->b, l.phi[0], i64(g, 1), "");
    loop_end(g, &l, &next);
}

static void gen_vector_kernel(struct kernel *k) {
    struct gen *g = k->g;
    int width = vector_width(g->plan);
    LLVMValueRef is_scalar[UFC_MAX_OPERANDS], scalars[UFC_MAX_OPERANDS];
    begin_kernel(k, UFC_KERNEL_VECTOR);
    LLVMValueRef n = load_param(k, i64_type(g), offsetof(struct ufc_kparam_head, n));
    LLVMValueRef bits = load_param(k, i32_type(g), offsetof(struct ufc_kparam_head, scalars));
    LLVMValueRef first = LLVMBuildZExt(g->b, gen_thread_number(g), i64_type(g), "");
    first = LLVMBuildMul(g->b, first, i64(g, (uint64_t)width), "");
    guard(g, LLVMBuildICmp(g->b, LLVMIntSLT, first, n, ""));
    for (int i = 0; i < g->plan->nin; i++) {
        LLVMValueRef bit = LLVMBuildAnd(g->b, bits, i32(g, UINT32_C(1) << i), "");
        is_scalar[i] = LLVMBuildICmp(g->b, LLVMIntNE, bit, i32(g, 0), "");
        scalars[i] = load_scalar(k, i, is_scalar[i]);
    }
    LLVMBasicBlockRef whole = gen_block(g, "whole"), tail = gen_block(g, "tail");
    LLVMValueRef last = LLVMBuildAdd(g->b, first, i64(g, (uint64_t)width), "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLE, last, n, ""), whole, tail);
    gen_place(g, whole);
    gen_pieces(k, width, first, is_scalar, scalars);
    LLVMBuildRetVoid(g->b);
    gen_place(g, tail);
    gen_tail(k, first, n, is_scalar, scalars);
    LLVMBuildRetVoid(g->b);
}

/* ---- kernels for any strides */

/* A parameter of axis d, of an array of `size`-byte ones. */
static LLVMValueRef load_axis(struct kernel *k, size_t array, int d, size_t size) {
    return load_param(k, size == 8 ? i64_type(k->g) : i32_type(k->g), array + (size_t)d * size);
}

/* index / the size of axis d, by its magic number. */
static LLVMValueRef gen_quotient(struct kernel *k, LLVMValueRef index, int d) {
    struct gen *g = k->g;
    size_t axes = op_offset(g->plan->noperands);
    LLVMValueRef magic = load_axis(k, axes + offsetof(struct ufc_kparam_axes, magic), d, 4);
    LLVMValueRef shift = load_axis(k, axes + offsetof(struct ufc_kparam_axes, shift), d, 4);
    LLVMValueRef high = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, index, i64_type(g), ""),
                                     LLVMBuildZExt(g->b, magic, i64_type(g), ""), "");
    high = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, high, i64(g, 32), ""), i32_type(g), "");
    LLVMValueRef power = LLVMBuildICmp(g->b, LLVMIntEQ, magic, i32(g, 0), "");
    return LLVMBuildLShr(g->b, gen_select(g, power, index, high), shift, "");
}

/* sum + the bytes from axis d's begin to its position r, an operand each, and the mask. */
static void add_axis(struct kernel *k, int d, LLVMValueRef r, LLVMValueRef *sum,
                     LLVMValueRef *result) {
    struct gen *g = k->g;
    r = LLVMBuildZExt(g->b, r, i64_type(g), "");
    for (int i = 0; i <= g->plan->noperands; i++) {
        size_t strides = i < g->plan->noperands
                             ? layout_offset(g, i)
                             : mask_offset(g) + offsetof(struct ufc_kparam_mask, stride);
        LLVMValueRef stride = load_axis(k, strides, d, 8);
        result[i] = LLVMBuildAdd(g->b, sum[i], LLVMBuildMul(g->b, r, stride, ""), "");
    }
}

/* Byte offsets of the thread's element: its index taken apart, axis by axis.  The last axis in use
 * takes what is left. */
static void gen_offsets(struct kernel *k, LLVMValueRef index, LLVMValueRef *offset) {
    struct gen *g = k->g;
    int n = g->plan->noperands;
    LLVMValueRef sum[UFC_MAX_OPERANDS + 1], last[UFC_MAX_OPERANDS + 1];
    LLVMValueRef naxes = load_param(k, i32_type(g), offsetof(struct ufc_kparam_head, naxes));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), done = gen_block(g, "offsets");
    gen_place(g, done);
    for (int i = 0; i <= n; i++) {
        offset[i] = LLVMBuildPhi(g->b, i64_type(g), "");
        sum[i] = i64(g, 0);
    }
    gen_place(g, here);
    for (int d = 0; d < UFC_MAX_AXES; d++) {
        LLVMBasicBlockRef end = gen_block(g, "last"), next = gen_block(g, "axis");
        LLVMValueRef more = LLVMBuildICmp(g->b, LLVMIntUGT, naxes, i32(g, (uint32_t)d + 1), "");
        LLVMBuildCondBr(g->b, more, next, end);
        gen_place(g, end);
        add_axis(k, d, index, sum, last);
        for (int i = 0; i <= n; i++)
            LLVMAddIncoming(offset[i], &last[i], &end, 1);
        LLVMBuildBr(g->b, done);
        gen_place(g, next);
        LLVMValueRef size = load_axis(k, op_offset(n), d, 4), q = gen_quotient(k, index, d);
        LLVMValueRef r = LLVMBuildSub(g->b, index, LLVMBuildMul(g->b, q, size, ""), "");
        add_axis(k, d, r, sum, sum);
        index = q;
    }
    LLVMBuildUnreachable(g->b); /* behind the last axis */
    gen_place(g, done);
}

/* To the case of the array's element type, which is the same for all threads.  Each type has one:
 * by which rule arrays are cast is a keyword of the call. */
static void switch_on_dtype(struct kernel *k, int operand, LLVMBasicBlockRef *cases) {
    struct gen *g = k->g;
    LLVMValueRef tag = load_param(
        k, i64_type(g), layout_offset(g, operand) + offsetof(struct ufc_kparam_layout, dtype));
    for (int d = 0; d < DT_COUNT; d++)
        cases[d] = gen_block(g, dtype_info[d].name);
    LLVMValueRef s = LLVMBuildSwitch(g->b, LLVMBuildTrunc(g->b, tag, i32_type(g), ""),
                                     cases[dtype_of(g, operand)], DT_COUNT);
    for (int d = 0; d < DT_COUNT; d++)
        if (d != (int)dtype_of(g, operand))
            LLVMAddCase(s, i32(g, (uint32_t)d), cases[d]);
}

static LLVMValueRef load_cast(struct kernel *k, int operand, LLVMValueRef at) {
    struct gen *g = k->g;
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "converted");
    switch_on_dtype(k, operand, cases);
    gen_place(g, done);
    LLVMValueRef result = LLVMBuildPhi(g->b, gen_type(g, dtype_of(g, operand)), "");
    for (int d = 0; d < DT_COUNT; d++) {
        gen_place(g, cases[d]);
        LLVMValueRef v = load_as(k, (enum ufc_dtype)d, at);
        v = gen_cast(g, v, (enum ufc_dtype)d, dtype_of(g, operand));
        LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
        LLVMAddIncoming(result, &v, &here, 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    return result;
}

static void store_cast(struct kernel *k, int operand, LLVMValueRef v, LLVMValueRef at) {
    struct gen *g = k->g;
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "stored");
    switch_on_dtype(k, operand, cases);
    for (int d = 0; d < DT_COUNT; d++) {
        gen_place(g, cases[d]);
        store_as(k, (enum ufc_dtype)d, gen_cast(g, v, dtype_of(g, operand), (enum ufc_dtype)d), at);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* An input of the thread's element, from memory or by value. */
static LLVMValueRef load_strided(struct kernel *k, int operand, LLVMValueRef offset, bool cast) {
    struct gen *g = k->g;
    LLVMBasicBlockRef memory = gen_block(g, "memory"), value = gen_block(g, "value");
    LLVMBasicBlockRef done = gen_block(g, "done");
    LLVMValueRef given = LLVMBuildICmp(g->b, LLVMIntEQ, k->pointer[operand], i64(g, 0), "");
    LLVMBuildCondBr(g->b, given, value, memory);
    gen_place(g, value);
    LLVMValueRef number = load_value(k, operand);
    LLVMBuildBr(g->b, done);
    gen_place(g, memory);
    LLVMValueRef at = element_address(k, operand, offset);
    LLVMValueRef v = cast ? load_cast(k, operand, at) : load_as(k, dtype_of(g, operand), at);
    memory = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return join(g, value, number, memory, v);
}

/* Returns from threads whose element the mask leaves out. */
static void guard_by_mask(struct kernel *k, LLVMValueRef offset) {
    struct gen *g = k->g;
    LLVMValueRef mask = load_param(k, i64_type(g), mask_offset(g));
    LLVMBasicBlockRef masked = gen_block(g, "masked"), on = gen_block(g, "on");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, mask, i64(g, 0), ""), on, masked);
    gen_place(g, masked);
    LLVMValueRef at = LLVMBuildAdd(g->b, mask, offset, "");
    at = LLVMBuildIntToPtr(g->b, at, LLVMPointerTypeInContext(g->context, GLOBAL), "");
    guard(g, load_as(k, DT_BOOL, at));
    LLVMBuildBr(g->b, on);
    gen_place(g, on);
}

static void gen_strided_kernel(struct kernel *k, bool cast) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    begin_kernel(k, cast ? UFC_KERNEL_CAST : UFC_KERNEL_STRIDED);
    LLVMValueRef n = load_param(k, i64_type(g), offsetof(struct ufc_kparam_head, n));
    LLVMValueRef index = gen_thread_number(g);
    guard(g, LLVMBuildICmp(g->b, LLVMIntULT, index, LLVMBuildTrunc(g->b, n, i32_type(g), ""), ""));
    LLVMValueRef offset[UFC_MAX_OPERANDS + 1];
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
    gen_offsets(k, index, offset);
    guard_by_mask(k, offset[p->noperands]);
    for (int i = 0; i < p->nin; i++)
        inputs[i] = load_strided(k, i, offset[i], cast);
    call_element(k, inputs, outputs);
    for (int i = p->nin; i < p->noperands; i++) {
        LLVMValueRef at = element_address(k, i, offset[i]);
        if (cast)
            store_cast(k, i, outputs[i], at);
        else
            store_as(k, dtype_of(g, i), outputs[i], at);
    }
    LLVMBuildRetVoid(g->b);
}

void gen_kernels(struct gen *g, LLVMValueRef element) {
    struct kernel k = {.g = g, .element = element};
    gen_vector_kernel(&k);
    gen_strided_kernel(&k, false);
    gen_strided_kernel(&k, true);
}
