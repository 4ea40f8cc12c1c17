/* fold.h: what the kernels of methods (reduce, accumulate, …) share: fold.c, tree.c,
 * scan.c, across.c, sort.c, at.c.
 * struct ufc_kparam_fold of image_kernel.h says what a line and a segment are. */
#ifndef GEN_GPU_FOLD_H
#define GEN_GPU_FOLD_H

#include "gen/gpu/gpu.h"

enum { WARPS = BLOCK_THREADS / WARP };

#define AT(field) offsetof(struct ufc_kparam_fold, field)

struct fold {
    struct gen *g;
    LLVMValueRef element;              /* the body's function, f */
    LLVMValueRef fault;                /* with checks: the struct ufc_fault */
    enum ufc_dtype d;                  /* the overload's, of T(T, T) */
    LLVMValueRef line, segment, lines; /* number of each; lines in all; i64 */
    LLVMValueRef begin, end;           /* the segment's elements, i64 */
    LLVMValueRef masked;               /* i1: there is a mask */
};

/* A partial result. */
struct acc {
    LLVMValueRef value, has; /* has: i1: there is a value */
};

enum { IN, WHERE, OUT }; /* index of an operand's address */

/* ---- fold.c */

/* Sets at[] to the addresses of f->line's first elements; at[OUT]: in row `row` (i64) of results.
 */
void fold_find_line(struct fold *f, LLVMValueRef row, LLVMValueRef *at);
/* Sets f->line, ->segment, ->begin and ->end for a thread's or block's number, i32. */
void fold_find_segment(struct fold *f, LLVMValueRef number);
/* Calls f on two elements. */
LLVMValueRef fold_apply(struct fold *f, LLVMValueRef a, LLVMValueRef b);
/* The initial element, if the parameter has one, in segment 0 where `first` (i1) holds. */
struct acc fold_begin_acc(struct fold *f, LLVMValueRef first);
/* acc, or the carry from the segment before, where the parameter has one. */
struct acc fold_carried(struct fold *f, struct acc acc);
/* Combines acc with the element at an address, unless the mask leaves it out. */
struct acc fold_take(struct fold *f, struct acc acc, LLVMValueRef in, LLVMValueRef where);
/* f of acc and x, or x where acc has no value. */
struct acc fold_apply_to(struct fold *f, struct acc acc, LLVMValueRef x);
/* The same.  With checks f is not called where acc has no value, since it could report a fault. */
LLVMValueRef fold_apply_first(struct fold *f, struct acc acc, LLVMValueRef x);
/* `width` neighbours of dtype d, loaded in accesses of up to 16 bytes, to which the pointer is
 * aligned; and element i of these, in a register. */
LLVMValueRef fold_load_unit(struct gen *g, enum ufc_dtype d, unsigned width, LLVMValueRef at);
/* Stores elements x[0 … width) as fold_load_unit loads them. */
void fold_store_unit(struct gen *g, enum ufc_dtype d, unsigned width, const LLVMValueRef *x,
                     LLVMValueRef to);
LLVMValueRef fold_unit_element(struct gen *g, enum ufc_dtype d, LLVMValueRef unit, unsigned i);
/* i1: the line's elements lie along one axis, in the overload's type, without a mask. */
LLVMValueRef fold_lies_straight(struct fold *f);
/* i1: the dtype that the parameter has at offset `tag` is the overload's. */
LLVMValueRef fold_is_own_type(struct fold *f, size_t tag);
/* Loads an element of the dtype that the parameter has at offset `tag`, as one of f->d. */
LLVMValueRef fold_load_cast(struct fold *f, size_t tag, LLVMValueRef at);
/* Stores v, converted to the output's dtype. */
void fold_store_element(struct fold *f, LLVMValueRef v, LLVMValueRef at);
/* Stores acc, or `empty` of the parameter where acc has no value. */
void fold_store_result(struct fold *f, struct acc acc, LLVMValueRef at);
/* Sets at[0 … n) to the first n addresses of `line`, moved to element k (i64). */
void fold_find_element(struct fold *f, LLVMValueRef k, const LLVMValueRef *line, LLVMValueRef *at,
                       int n);

/* ---- tree.c */

/* The acc of another thread of the warp. */
struct acc fold_shuffle(struct gen *g, enum shuffle way, struct acc acc, LLVMValueRef by);
/* f of neighbouring accs a and b, or the one that has a value. */
struct acc fold_join(struct fold *f, struct acc a, struct acc b);
/* Joins the accs of every `lanes` (i32, a power of two) neighbouring lanes in order.  SHUFFLE_DOWN:
 * the first lane gets the join of all.  SHUFFLE_UP: each lane gets that of the lanes up to itself;
 * lane: the thread's, i32. */
struct acc fold_join_lanes(struct fold *f, struct acc acc, enum shuffle way, LLVMValueRef lane,
                           LLVMValueRef lanes);
/* Joins the accs of every `group` (i32) threads of the block, up to a warp's or all of it, in
 * order, for the first of them.  thread: the thread's number in the block, i32. */
struct acc fold_join_group(struct fold *f, struct acc acc, LLVMValueRef thread, LLVMValueRef group);
/* Element `index` of an array in shared memory. */
LLVMValueRef fold_shared_at(struct gen *g, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef index);

/* ---- the kernels: fold.c, tree.c, across.c, scan.c, sort.c, at.c */

#define FOLD_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)         \
    void body(struct fold *f);
#include "kernel.def"

#endif
