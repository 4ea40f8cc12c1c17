/* frame.c: what all GPU kernels have around their bodies: their beginning, the parameter's members,
 * elements in memory, the walk over a loop's axes. */
#include "gen/gpu/gpu.h"

/* Some share a block's work out as they are written. */
#define KERNEL(family, ID, suffix, name, module, sharing, size, threads, ...)                      \
    _Static_assert(                                                                                \
        (threads) == BLOCK_THREADS ||                                                              \
            ((UFC_BY_##sharing != UFC_BY_TILE || (size) > 0) &&                                    \
             (UFC_BY_##sharing != UFC_BY_BLOCK || UFC_FAMILY_##family == UFC_FAMILY_GUFUNC)),      \
        "the body of " #ID " is for blocks of BLOCK_THREADS");
#include "kernel.def"
#undef KERNEL

/* Whether LLVM may find accesses of neighbouring elements in a kernel, for which it compares all
 * with one another.  In other kernels of gufuncs elements are as far apart as the call says, or are
 * loaded as vectors. */
static bool has_neighbours(enum ufc_kernel_kind kind) {
    if (kernel_info[kind].family != UFC_FAMILY_GUFUNC)
        return true;
    switch (kind) {
    case UFC_KERNEL_DENSE:
    case UFC_KERNEL_DENSE_2:
    case UFC_KERNEL_DENSE_3:
    case UFC_KERNEL_DENSE_4:
    case UFC_KERNEL_BLOCK:
    case UFC_KERNEL_NEST:
    case UFC_KERNEL_WINDOW:
    case UFC_KERNEL_HALO: return true;
    default: return ufc_is_warp(kind) || kernel_info[kind].sharing == UFC_BY_TILE;
    }
}

void begin_kernel(struct gen *g, enum ufc_kernel_kind kind, size_t param_size,
                  LLVMValueRef element) {
    const char *name = entry_name(g->uc, g->plan, kind);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &pointer, 1, false);
    LLVMTypeRef param = LLVMArrayType2(LLVMInt8TypeInContext(g->context), param_size);
    g->function = LLVMAddFunction(g->module, name, type);
    llvm_flag(g->function, "nounwind");
    if (!has_neighbours(kind))
        llvm_flag(g->function, "noimplicitfloat"); /* load-store-vectorizer passes over those */
    gpu(g)->kernel(g, param, (int)block_threads(g->plan, kind),
                   least_blocks(g->plan, kind, element));
    gen_place(g, gen_block(g, "entry"));
}

/* ---- the parameter */

/* An address is a multiple of UFC_ALIGNMENT. */
static void assume_aligned(struct gen *g, LLVMValueRef address) {
    LLVMValueRef low = both(g, address, i64(g, UFC_ALIGNMENT - 1));
    LLVMValueRef aligned = compare(g, LLVMIntEQ, low, i64(g, 0));
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(g->module, LLVMLookupIntrinsicID("llvm.assume", 11), NULL, 0);
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &aligned, 1, "");
}

static LLVMValueRef load_param_at(struct gen *g, LLVMTypeRef type, LLVMValueRef offset) {
    enum ufc_knowledge known = UFC_VARIES;
    LLVMValueRef constant = LLVMIsAConstantInt(offset)
                                ? gen_known(g, type, LLVMConstIntGetZExtValue(offset), &known)
                                : NULL;
    if (constant != NULL)
        return constant;
    LLVMValueRef param = LLVMGetParam(g->function, 0);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(g->b, byte, param, &offset, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, at, "");
    unsigned align = LLVMGetAlignment(v);
    LLVMSetAlignment(v, align < 8 ? align : 8); /* the struct is aligned to 8 bytes */
    if (known == UFC_NOT_ZERO || known == UFC_ALIGNED)
        llvm_not_zero(v);
    if (known == UFC_ALIGNED)
        assume_aligned(g, v);
    return v;
}

/* Element `index` (i32) of an array at byte offset `array`. */
static LLVMValueRef load_param_element(struct gen *g, LLVMTypeRef type, size_t array,
                                       LLVMValueRef index) {
    LLVMValueRef size = i64(g, LLVMGetIntTypeWidth(type) / 8);
    LLVMValueRef at = multiply(g, extended(g, index), size);
    return load_param_at(g, type, add(g, at, i64(g, array)));
}

LLVMValueRef param_i32(struct gen *g, size_t offset) {
    return load_param_at(g, i32_type(g), i64(g, offset));
}

LLVMValueRef param_i64(struct gen *g, size_t offset) {
    return load_param_at(g, i64_type(g), i64(g, offset));
}

LLVMValueRef param_dtype(struct gen *g, size_t offset) {
    return LLVMBuildTrunc(g->b, param_i64(g, offset), i32_type(g), "");
}

LLVMValueRef param_value(struct gen *g, enum ufc_dtype d, size_t offset) {
    LLVMValueRef v = load_param_at(g, gen_memory_type(g, d), i64(g, offset));
    return d == DT_BOOL ? gen_cast(g, v, DT_UINT8, DT_BOOL) : v;
}

LLVMBasicBlockRef begin_large_if(struct gen *g, LLVMValueRef condition) {
    LLVMBasicBlockRef none = gen_block(g, "none"), some = gen_block(g, "some"),
                      after = gen_block(g, "after");
    LLVMBuildCondBr(g->b, condition, some, none);
    gen_place(g, none);
    gpu(g)->hold_block(g);
    LLVMBuildBr(g->b, after);
    gen_place(g, some);
    return after;
}

/* ---- memory */

LLVMValueRef global_pointer(struct gen *g, LLVMValueRef address) {
    return LLVMBuildIntToPtr(g->b, address, global_pointer_type(g), "");
}

LLVMValueRef load_element(struct gen *g, enum ufc_dtype d, LLVMValueRef address) {
    return gen_load_element(g, d, gen_memory_type(g, d), global_pointer(g, address),
                            dtype_align(d));
}

void store_element(struct gen *g, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef address) {
    gen_store_element(g, gen_memory_type(g, d), v, global_pointer(g, address), dtype_align(d));
}

/* One of 16 bits is put into a pair: of that, but not of shifts, ptxas makes one instruction for
 * both, the conversion of two halves too. */
LLVMValueRef put_lane(struct gen *g, LLVMValueRef word, int bits, int lane, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(word);
    if (LLVMGetIntTypeWidth(type) == 32 && bits == 16) {
        LLVMTypeRef pair = LLVMVectorType(LLVMTypeOf(v), 2);
        v = LLVMBuildInsertElement(g->b, LLVMBuildBitCast(g->b, word, pair, ""), v,
                                   i32(g, (uint32_t)lane), "");
        return LLVMBuildBitCast(g->b, v, type, "");
    }
    v = LLVMBuildIntCast2(g->b, v, type, false, "");
    v = LLVMBuildShl(g->b, v, LLVMConstInt(type, (unsigned)(lane * bits), false), "");
    return LLVMBuildOr(g->b, word, v, "");
}

LLVMValueRef shared_array(struct gen *g, LLVMTypeRef type, unsigned n, unsigned align,
                          const char *name) {
    LLVMTypeRef array = LLVMArrayType2(type, n);
    LLVMValueRef v = LLVMAddGlobalInAddressSpace(g->module, array, name, gpu(g)->shared);
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetInitializer(v, LLVMGetUndef(array));
    LLVMSetAlignment(v, align);
    return v;
}

struct by_value begin_memory(struct gen *g, enum ufc_dtype d, LLVMValueRef pointer,
                             size_t value_offset) {
    LLVMBasicBlockRef memory = gen_block(g, "memory");
    struct by_value n = {.block = gen_block(g, "value"), .done = gen_block(g, "done")};
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, pointer, i64(g, 0)), n.block, memory);
    gen_place(g, n.block);
    n.number = param_value(g, d, value_offset);
    LLVMBuildBr(g->b, n.done);
    gen_place(g, memory);
    return n;
}

LLVMValueRef end_memory(struct gen *g, const struct by_value *n, LLVMValueRef loaded) {
    LLVMBasicBlockRef memory = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, n->done);
    gen_place(g, n->done);
    return phi2(g, n->block, n->number, memory, loaded);
}

/* ---- axes */

static LLVMValueRef load_axis(struct gen *g, const struct loop_axes *a, size_t member,
                              LLVMValueRef axis) {
    return load_param_element(g, i32_type(g), a->axes + member, axis);
}

static LLVMValueRef axis_size(struct gen *g, const struct loop_axes *a, LLVMValueRef axis) {
    return load_axis(g, a, offsetof(struct ufc_kparam_axes, size), axis);
}

/* index divided by the size of an axis (i32), by the axis's magic number (struct ufc_kparam_axes).
 */
static LLVMValueRef quotient(struct gen *g, const struct loop_axes *a, LLVMValueRef index,
                             LLVMValueRef axis) {
    LLVMTypeRef type = LLVMTypeOf(index);
    LLVMValueRef magic = load_axis(g, a, offsetof(struct ufc_kparam_axes, magic), axis);
    LLVMValueRef shift = load_axis(g, a, offsetof(struct ufc_kparam_axes, shift), axis);
    LLVMValueRef high = multiply(g, extended(g, index), extended(g, magic));
    high = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, high, i64(g, 32), ""), type, "");
    LLVMValueRef power = compare(g, LLVMIntEQ, magic, i32(g, 0));
    shift = LLVMBuildIntCast2(g->b, shift, type, false, "");
    return LLVMBuildLShr(g->b, gen_select(g, power, index, high), shift, "");
}

/* The stride of address i on an axis (i32); of a word the low half, which is all of it. */
static LLVMValueRef load_stride(struct gen *g, const struct loop_axes *a, int i,
                                LLVMValueRef axis) {
    LLVMTypeRef type = a->word[i] ? i32_type(g) : i64_type(g);
    LLVMValueRef at = multiply(g, extended(g, axis), i64(g, sizeof(int64_t)));
    return load_param_at(g, type, add(g, at, i64(g, a->stride[i])));
}

/* to[i] = from[i] + along * the stride of address i on an axis (i32); along: i32, or i64 where
 * there are no words. */
static void move_along(struct gen *g, const struct loop_axes *a, LLVMValueRef axis,
                       LLVMValueRef along, const LLVMValueRef *from, LLVMValueRef *to) {
    for (int i = 0; i < a->n; i++) {
        LLVMValueRef by = a->word[i] ? along : extended(g, along);
        to[i] = add(g, from[i], multiply(g, by, load_stride(g, a, i, axis)));
    }
}

/* Divides *index by the axis's size and moves the addresses by the remainder, times scale unless
 * that is NULL.  *index becomes the quotient; the result is the index on the axis. */
static LLVMValueRef take_axis(struct gen *g, const struct loop_axes *a, LLVMValueRef axis,
                              LLVMValueRef *index, LLVMValueRef scale, const LLVMValueRef *from,
                              LLVMValueRef *to) {
    LLVMValueRef size = axis_size(g, a, axis), q = quotient(g, a, *index, axis);
    size = LLVMBuildIntCast2(g->b, size, LLVMTypeOf(*index), false, "");
    LLVMValueRef along = subtract(g, *index, multiply(g, q, size));
    if (scale != NULL)
        along = multiply(g, along, scale);
    move_along(g, a, axis, along, from, to);
    *index = q;
    return along;
}

/* Takes the axes from `first` up to `end` (i32) in a loop, since they are rare; gives what is left
 * of index. */
static LLVMValueRef take_axes(struct gen *g, const struct loop_axes *a, uint32_t first,
                              LLVMValueRef end, LLVMValueRef index, LLVMValueRef *address) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMValueRef moved[MAX_WALKED], start[] = {i32(g, first), index};
    struct loop l;
    loop_begin(g, &l, 2, start);
    l.keep = true;
    for (int i = 0; i < a->n; i++) {
        LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(address[i]), "");
        LLVMAddIncoming(phi, &address[i], &before, 1);
        address[i] = phi;
    }
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), l.phi[1]};
    take_axis(g, a, l.phi[0], &next[1], NULL, address, moved);
    LLVMBasicBlockRef body = LLVMGetInsertBlock(g->b);
    for (int i = 0; i < a->n; i++)
        LLVMAddIncoming(address[i], &moved[i], &body, 1);
    loop_end(g, &l, next);
    return l.phi[1];
}

/* Whether code that is made for certain calls knows that they have one axis at most. */
static bool has_one_axis(const struct loop_axes *a) {
    return LLVMIsAConstantInt(a->naxes) && LLVMConstIntGetZExtValue(a->naxes) <= 1;
}

void find_element(struct gen *g, const struct loop_axes *a, LLVMValueRef index,
                  LLVMValueRef *address) {
    if (has_one_axis(a)) {
        move_along(g, a, i32(g, 0), index, address, address);
        return;
    }
    LLVMValueRef only[MAX_WALKED], last = subtract(g, a->naxes, i32(g, 1));
    LLVMBasicBlockRef one = gen_block(g, "axis"), several = gen_block(g, "axes");
    LLVMBasicBlockRef done = gen_block(g, "place");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGT, a->naxes, i32(g, 1)), several, one);
    gen_place(g, one);
    move_along(g, a, i32(g, 0), index, address, only);
    LLVMBuildBr(g->b, done);
    gen_place(g, several);
    take_axis(g, a, i32(g, 0), &index, NULL, address, address);
    index = take_axes(g, a, 1, last, index, address);
    move_along(g, a, last, index, address, address);
    several = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    for (int i = 0; i < a->n; i++)
        address[i] = phi2(g, one, only[i], several, address[i]);
}

void find_piece(struct gen *g, const struct loop_axes *a, LLVMValueRef index, LLVMValueRef *scale,
                LLVMValueRef *address, LLVMValueRef *along) {
    for (uint32_t d = 0; d < 2; d++)
        along[d] =
            take_axis(g, a, i32(g, d), &index, scale != NULL ? scale[d] : NULL, address, address);
    take_axes(g, a, 2, a->naxes, index, address);
}
