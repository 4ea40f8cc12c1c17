/* ufunc.h: what the generators of a ufunc's GPU kernels share.  image_abi.h says what each kernel
 * does.
 *
 *   ufunc.c   what they have in common: operands, the call of the body, positions of elements
 *   vector.c   VECTOR, and pieces: neighbouring elements in one access
 *   rows.c     ROWS
 *   transpose.c     TRANSPOSE
 *   strided.c  STRIDED and CAST */
#ifndef GEN_GPU_UFUNC_H
#define GEN_GPU_UFUNC_H

#include "gen/gpu/gpu.h"

struct kernel {
    struct gen *g;
    enum ufc_kernel_kind kind;
    struct ufc_param_offsets at;
    LLVMValueRef element;                   /* the body: gen/gpu/module.c */
    LLVMValueRef fault;                     /* with checks */
    LLVMValueRef pointer[UFC_MAX_OPERANDS]; /* i64, of the first element; 0: by value */
};

/* ufunc.c */
static inline enum ufc_dtype operand_dtype(const struct kernel *k, int operand) {
    return k->g->plan->operands[operand].dtype;
}
static inline unsigned operand_size(const struct kernel *k, int operand) {
    return (unsigned)dtype_info[operand_dtype(k, operand)].bits / 8;
}
/* Of the parameter. */
size_t value_offset(const struct kernel *k, int operand);
LLVMValueRef load_stride(struct kernel *k, int operand, size_t axis); /* bytes, i64 */
LLVMValueRef load_piece_param(struct kernel *k, size_t member);       /* i32, of pieces */
/* A number given by value. */
LLVMValueRef load_value(struct kernel *k, int operand);
/* Bit `operand` of a word. */
LLVMValueRef has_bit(struct kernel *k, LLVMValueRef word, int operand);

/* An input, by value or from memory. */
LLVMValueRef load_input(struct kernel *k, int operand, LLVMValueRef address);

/* Returns from threads for which inside is false. */
void guard(struct gen *g, LLVMValueRef inside);
static inline bool is_large(const struct kernel *k) {
    return body_size(k->element) > LARGE_BODY;
}
/* Outputs of one element, at the builder's place. */
void call_element(struct kernel *k, LLVMValueRef *inputs, LLVMValueRef *outputs);

/* Where piece `index` (i32) is: addresses of its first element in all operands (masks: offset, the
 * last), and that element's places along axes 0 and 1 (i32).  scale: elements of a piece along
 * these. */
struct place {
    LLVMValueRef address[UFC_MAX_OPERANDS + 1], along[2];
};
void find_place(struct kernel *k, LLVMValueRef index, LLVMValueRef scale[2], struct place *place);

/* vector.c: `width` neighbouring elements of an operand in one access */
LLVMTypeRef piece_type(struct kernel *k, int operand, int width);
LLVMValueRef load_piece(struct kernel *k, int operand, int width, LLVMValueRef address);
void store_piece(struct kernel *k, int operand, int width, LLVMValueRef piece,
                 LLVMValueRef address);
LLVMValueRef from_piece(struct kernel *k, int operand, int width, LLVMValueRef piece, int index);
/* Into an element that is 0. */
LLVMValueRef into_piece(struct kernel *k, int operand, int width, LLVMValueRef piece, int index,
                        LLVMValueRef v);
LLVMValueRef splat_piece(struct kernel *k, int operand, int width, LLVMValueRef v);

/* The kernels, each in the file of its name. */
#define UFUNC_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)        \
    void body(struct kernel *k);
#include "kernel.def"

#endif
