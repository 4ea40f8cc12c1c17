/* fold.h: what the kernels that reduce share: fold.c, tree.c, scan.c. */
#ifndef GEN_GPU_FOLD_H
#define GEN_GPU_FOLD_H

#include "gen/gpu/gpu.h"

enum { WARPS = BLOCK_THREADS / WARP };

#define AT(field) offsetof(struct ufc_kparam_fold, field)

struct fold {
    struct gen *g;
    LLVMValueRef element;
    LLVMValueRef fault; /* with checks */
    enum ufc_dtype d;
    LLVMValueRef line, segment, lines; /* i64 */
    LLVMValueRef begin, end;           /* of the segment */
    LLVMValueRef masked;               /* i1 */
};

/* What a thread has so far. */
struct acc {
    LLVMValueRef value, has; /* has: i1 */
};

enum { IN, WHERE, OUT }; /* addresses */

/* ---- fold.c */

/* Where the line begins, and the result goes: in this row. */
void fold_find_line(struct fold *f, LLVMValueRef row, LLVMValueRef *at);
/* Line and segment of a number, i32. */
void fold_find_segment(struct fold *f, LLVMValueRef number);
/* f of two elements. */
LLVMValueRef fold_apply(struct fold *f, LLVMValueRef a, LLVMValueRef b);
/* The initial element, for the thread for which `first` holds. */
struct acc fold_begin_acc(struct fold *f, LLVMValueRef first);
/* acc and what came before the segment, where the parameter has that. */
struct acc fold_carried(struct fold *f, struct acc acc);
/* acc and the element at an address, unless the mask leaves it out. */
struct acc fold_take(struct fold *f, struct acc acc, LLVMValueRef in, LLVMValueRef where);
/* acc and the elements from *k to `end`, `step` apart, while there are FOLD_AHEAD more of them:
 * these are loaded before the first is used.  each: i1, whether acc goes to every element's place;
 * NULL: no. None are taken unless all lie along one axis, in the overload's type, without a mask,
 * and `straight` holds.  *k: what is left. */
struct acc fold_take_ahead(struct fold *f, struct acc acc, LLVMValueRef straight, LLVMValueRef each,
                           const LLVMValueRef *line, LLVMValueRef *k, LLVMValueRef end,
                           LLVMValueRef step);
/* i1: the line's elements lie along one axis, in the overload's type, without a mask. */
LLVMValueRef fold_lies_straight(struct fold *f);
/* i1: the type that the parameter has at `tag` is the overload's. */
LLVMValueRef fold_is_own_type(struct fold *f, size_t tag);
void fold_store_element(struct fold *f, LLVMValueRef v, LLVMValueRef at); /* in out's type */
void fold_store_result(struct fold *f, struct acc acc, LLVMValueRef at);
/* The first n addresses of `line`, moved to element k. */
void fold_find_element(struct fold *f, LLVMValueRef k, const LLVMValueRef *line, LLVMValueRef *at,
                       int n);

/* ---- tree.c */

/* What another thread of the warp has. */
struct acc fold_shuffle(struct gen *g, enum shuffle way, struct acc acc, LLVMValueRef by);
/* Of neighbours, either of which may have nothing. */
struct acc fold_join(struct fold *f, struct acc a, struct acc b);
/* Neighbours joined, then neighbours of these, …: the warp's, in order, in its first lane, or
 * SHUFFLE_UP, of each lane with those before it. */
struct acc fold_join_warp(struct fold *f, struct acc acc, enum shuffle way, LLVMValueRef lane);
/* Element `index` of an array in shared memory. */
LLVMValueRef fold_shared_at(struct gen *g, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef index);

/* ---- scan.c */

/* A block accumulates its segment of the line; thread: i32, its number there. */
void gen_scan(struct fold *f, LLVMValueRef thread, const LLVMValueRef *line);

/* ---- the kernels: fold.c, tree.c */

#define FOLD_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)         \
    void body(struct fold *f);
#include "kernel.def"

#endif
