/* ufunc.h: what the generators of a ufunc's GPU kernels share.  kernel.def says what each kernel
 * does.
 *
 *   ufunc.c      what they have in common: operands, the call of the body, places of elements
 *   vector.c     VECTOR, and pieces: neighbouring elements in one access
 *   rows.c       ROWS
 *   transpose.c  TRANSPOSE
 *   strided.c    STRIDED and CAST */
#ifndef GEN_GPU_UFUNC_H
#define GEN_GPU_UFUNC_H

#include "gen/gpu/gpu.h"

struct kernel {
    struct gen *g;
    enum ufc_kernel_kind kind;
    struct ufc_param_offsets at;
    LLVMValueRef element;                   /* the body's function: gen/gpu/module.c */
    LLVMValueRef fault;                     /* with checks: the struct ufc_fault */
    LLVMValueRef pointer[UFC_MAX_OPERANDS]; /* i64, of the first element; 0: a number by value */
};

/* ufunc.c */
static inline enum ufc_dtype operand_dtype(const struct kernel *k, int operand) {
    return k->g->plan->operands[operand].dtype;
}
static inline unsigned operand_size(const struct kernel *k, int operand) {
    return (unsigned)dtype_info[operand_dtype(k, operand)].bits / 8;
}
/* The offset of an operand's value in the parameter. */
size_t value_offset(const struct kernel *k, int operand);
LLVMValueRef load_stride(struct kernel *k, int operand, size_t axis); /* bytes, i64 */
/* A member of struct ufc_kparam_pieces, i32. */
LLVMValueRef load_piece_param(struct kernel *k, size_t member);
/* An input that is a number by value. */
LLVMValueRef load_value(struct kernel *k, int operand);
/* i1: bit `operand` of a word (i32) is set. */
LLVMValueRef has_bit(struct kernel *k, LLVMValueRef word, int operand);

/* An input's element: its value, or, where it has a pointer, the one at an address. */
LLVMValueRef load_input(struct kernel *k, int operand, LLVMValueRef address);

/* Ends threads for which `inside` (i1) is false. */
void guard(struct gen *g, LLVMValueRef inside);
static inline bool is_large(const struct kernel *k) {
    return body_size(k->element) > LARGE_BODY;
}
/* Calls the body; inputs and outputs are by operand.  address: of the first output's element; NULL
 * in kernels that builds with checks do not have. */
void call_element(struct kernel *k, LLVMValueRef *inputs, LLVMValueRef *outputs,
                  LLVMValueRef address);

/* The first element of a piece. */
struct place {
    LLVMValueRef
        address[UFC_MAX_OPERANDS + 1]; /* by operand; the last, STRIDED, CAST: the mask's */
    LLVMValueRef along[2];             /* its indices on axes 0 and 1, i32 */
};
/* Finds piece `index` (i32).  scale: elements of a piece along axes 0 and 1; NULL: 1. */
void find_place(struct kernel *k, LLVMValueRef index, LLVMValueRef scale[2], struct place *place);

/* vector.c: pieces, `width` neighbouring elements of an operand in one access */
LLVMTypeRef piece_type(struct kernel *k, int operand, int width);
LLVMValueRef load_piece(struct kernel *k, int operand, int width, LLVMValueRef address);
void store_piece(struct kernel *k, int operand, int width, LLVMValueRef piece,
                 LLVMValueRef address);
/* The element at `index`. */
LLVMValueRef from_piece(struct kernel *k, int operand, int width, LLVMValueRef piece, int index);
/* The piece with v at `index`, where it has 0. */
LLVMValueRef into_piece(struct kernel *k, int operand, int width, LLVMValueRef piece, int index,
                        LLVMValueRef v);
/* A piece of equal elements. */
LLVMValueRef splat_piece(struct kernel *k, int operand, int width, LLVMValueRef v);

/* The kernels' bodies. */
#define UFUNC_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)        \
    void body(struct kernel *k);
#include "kernel.def"

#endif
