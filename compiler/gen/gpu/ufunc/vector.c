/* vector.c: the GPU kernels VECTOR and NUMBERS, of contiguous arrays; pieces: neighbouring elements
 * in one access. */
#include "ufunc.h"

/* ---- pieces: elements narrower than 32 bits are packed into words */

/* The vector of words that a piece is; *n: how many. */
static LLVMTypeRef words_of(struct kernel *k, int operand, int width, int *n) {
    struct gen *g = k->g;
    int bits = (int)operand_size(k, operand) * 8;
    if (bits >= 32) {
        *n = width;
        return LLVMVectorType(gen_memory_type(g, operand_dtype(k, operand)), (unsigned)width);
    }
    int word = bits * width < 32 ? bits * width : 32;
    *n = bits * width / word;
    LLVMTypeRef type = LLVMIntTypeInContext(g->context, (unsigned)word);
    return LLVMVectorType(type, (unsigned)*n);
}

LLVMTypeRef piece_type(struct kernel *k, int operand, int width) {
    int n;
    return words_of(k, operand, width, &n);
}

LLVMValueRef load_piece(struct kernel *k, int operand, int width, LLVMValueRef address) {
    LLVMTypeRef type = piece_type(k, operand, width);
    LLVMValueRef v = LLVMBuildLoad2(k->g->b, type, global_pointer(k->g, address), "");
    LLVMSetAlignment(v, operand_size(k, operand) * (unsigned)width);
    return v;
}

void store_piece(struct kernel *k, int operand, int width, LLVMValueRef piece,
                 LLVMValueRef address) {
    LLVMSetAlignment(LLVMBuildStore(k->g->b, piece, global_pointer(k->g, address)),
                     operand_size(k, operand) * (unsigned)width);
}

LLVMValueRef from_piece(struct kernel *k, int operand, int width, LLVMValueRef piece, int index) {
    struct gen *g = k->g;
    int n;
    words_of(k, operand, width, &n);
    int each = width / n, bits = (int)operand_size(k, operand) * 8;
    LLVMValueRef v = LLVMBuildExtractElement(g->b, piece, i32(g, (uint32_t)(index / each)), "");
    if (bits < 32) {
        LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(v), (unsigned)(index % each * bits), false);
        v = LLVMBuildLShr(g->b, v, shift, "");
        v = LLVMBuildTrunc(g->b, v, gen_memory_type(g, operand_dtype(k, operand)), "");
    }
    return operand_dtype(k, operand) == DT_BOOL ? gen_cast(g, v, DT_UINT8, DT_BOOL) : v;
}

LLVMValueRef into_piece(struct kernel *k, int operand, int width, LLVMValueRef piece, int index,
                        LLVMValueRef v) {
    struct gen *g = k->g;
    int n;
    words_of(k, operand, width, &n);
    int each = width / n, bits = (int)operand_size(k, operand) * 8;
    LLVMValueRef at = i32(g, (uint32_t)(index / each));
    if (bits < 32)
        v = put_lane(g, LLVMBuildExtractElement(g->b, piece, at, ""), bits, index % each, v);
    return LLVMBuildInsertElement(g->b, piece, v, at, "");
}

LLVMValueRef splat_piece(struct kernel *k, int operand, int width, LLVMValueRef v) {
    struct gen *g = k->g;
    int n;
    LLVMTypeRef type = words_of(k, operand, width, &n), word = LLVMGetElementType(type);
    int bits = (int)operand_size(k, operand) * 8;
    if (bits < 32) { /* a product with ones repeats v */
        uint64_t ones = bits == 16 ? 0x00010001 : 0x01010101;
        ones &=
            UINT64_MAX >> (64 - LLVMGetIntTypeWidth(word)); /* a small piece's word is narrower */
        v = multiply(g, LLVMBuildZExt(g->b, v, word, ""), LLVMConstInt(word, ones, false));
    }
    LLVMValueRef piece = LLVMGetPoison(type);
    for (int i = 0; i < n; i++)
        piece = LLVMBuildInsertElement(g->b, piece, v, i32(g, (uint32_t)i), "");
    return piece;
}

/* ---- the kernels */

struct vector {
    struct kernel *k;
    int width;
    int narrays; /* the first inputs, which are arrays if they are not scalars; the others are
                    scalars */
    LLVMValueRef first, n; /* the thread's first element; elements in all */
    LLVMValueRef is_scalar[UFC_MAX_OPERANDS], scalar[UFC_MAX_OPERANDS]; /* NULL: is not */
};

static LLVMValueRef element_address(struct vector *v, int operand, LLVMValueRef index) {
    struct kernel *k = v->k;
    return add(k->g, k->pointer[operand],
               multiply(k->g, index, i64(k->g, operand_size(k, operand))));
}

/* Loads an input that is one element for all threads; else v->scalar is zero. */
static void load_scalar(struct vector *v, int operand, LLVMValueRef bits) {
    struct kernel *k = v->k;
    struct gen *g = k->g;
    v->is_scalar[operand] = has_bit(k, bits, operand);
    LLVMBasicBlockRef array = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, v->is_scalar[operand]);
    LLVMValueRef value = load_input(k, operand, k->pointer[operand]);
    LLVMBasicBlockRef one = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    v->scalar[operand] = phi2(g, one, value, array, LLVMConstNull(LLVMTypeOf(value)));
}

typedef LLVMValueRef load_function(struct vector *v, int operand, LLVMValueRef index);

static LLVMValueRef load_elements(struct vector *v, int operand, LLVMValueRef index) {
    return load_piece(v->k, operand, v->width, element_address(v, operand, index));
}

static LLVMValueRef load_one(struct vector *v, int operand, LLVMValueRef index) {
    return load_element(v->k->g, operand_dtype(v->k, operand), element_address(v, operand, index));
}

/* What is loaded of one of the first inputs from an index on, or where it is a scalar, `equal`. */
static LLVMValueRef load_or(struct vector *v, int operand, LLVMValueRef index, load_function *load,
                            LLVMValueRef equal) {
    struct gen *g = v->k->g;
    if (v->is_scalar[operand] == NULL)
        return load(v, operand, index);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), array = gen_block(g, "array");
    LLVMBasicBlockRef done = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, v->is_scalar[operand], done, array);
    gen_place(g, array);
    LLVMValueRef loaded = load(v, operand, index);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return phi2(g, array, loaded, before, equal);
}

/* A thread with `width` elements; all are loaded before the first is used. */
static void gen_whole(struct vector *v) {
    struct kernel *k = v->k;
    const struct plan *p = k->g->plan;
    LLVMValueRef pieces[UFC_MAX_OPERANDS];
    for (int i = 0; i < v->narrays; i++) {
        LLVMValueRef equal =
            v->is_scalar[i] != NULL ? splat_piece(k, i, v->width, v->scalar[i]) : NULL;
        pieces[i] = load_or(v, i, v->first, load_elements, equal);
    }
    for (int i = p->nin; i < p->noperands; i++)
        pieces[i] = LLVMConstNull(piece_type(k, i, v->width));
    for (int j = 0; j < v->width; j++) {
        LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
        for (int i = 0; i < p->nin; i++)
            inputs[i] = i < v->narrays ? from_piece(k, i, v->width, pieces[i], j) : v->scalar[i];
        LLVMValueRef at = add(k->g, v->first, i64(k->g, (uint64_t)j));
        call_element(k, inputs, outputs, element_address(v, p->nin, at));
        for (int i = p->nin; i < p->noperands; i++)
            pieces[i] = into_piece(k, i, v->width, pieces[i], j, outputs[i]);
    }
    for (int i = p->nin; i < p->noperands; i++)
        store_piece(k, i, v->width, pieces[i], element_address(v, i, v->first));
}

/* The last thread, with fewer than `width` elements: one by one. */
static void gen_tail(struct vector *v) {
    struct kernel *k = v->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
    struct loop l;
    loop_begin(g, &l, 1, &v->first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], v->n));
    for (int i = 0; i < p->nin; i++)
        inputs[i] = i < v->narrays ? load_or(v, i, l.phi[0], load_one, v->scalar[i]) : v->scalar[i];
    call_element(k, inputs, outputs, element_address(v, p->nin, l.phi[0]));
    for (int i = p->nin; i < p->noperands; i++)
        store_element(g, operand_dtype(k, i), outputs[i], element_address(v, i, l.phi[0]));
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* Finds the thread's elements, and ends threads that have none. */
static void begin(struct vector *v) {
    struct gen *g = v->k->g;
    v->width = vector_width(g->plan);
    v->n = param_i64(g, offsetof(struct ufc_kparam_head, n));
    v->first = multiply(g, extended(g, gen_thread_number(g)), i64(g, (uint64_t)v->width));
    guard(g, compare(g, LLVMIntSLT, v->first, v->n));
}

static void gen_all(struct vector *v) {
    struct gen *g = v->k->g;
    LLVMBasicBlockRef whole = gen_block(g, "whole"), tail = gen_block(g, "tail");
    LLVMValueRef last = add(g, v->first, i64(g, (uint64_t)v->width));
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLE, last, v->n), whole, tail);
    gen_place(g, whole);
    gen_whole(v);
    LLVMBuildRetVoid(g->b);
    gen_place(g, tail);
    gen_tail(v);
    LLVMBuildRetVoid(g->b);
}

void gen_vector_kernel(struct kernel *k) {
    struct vector v = {.k = k, .narrays = k->g->plan->nin};
    LLVMValueRef scalars = param_i32(k->g, offsetof(struct ufc_kparam_head, scalars));
    begin(&v);
    for (int i = 0; i < v.narrays; i++)
        load_scalar(&v, i, scalars);
    gen_all(&v);
}

void gen_numbers_kernel(struct kernel *k) {
    struct vector v = {.k = k, .narrays = 1};
    begin(&v);
    for (int i = 1; i < k->g->plan->nin; i++)
        v.scalar[i] = load_input(k, i, k->pointer[i]);
    gen_all(&v);
}
