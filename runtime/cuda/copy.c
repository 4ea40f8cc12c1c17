/* copy.c: copies within GPU memory.  The driver copies what is in one piece; else a kernel copies,
 * which takes the parameter of STRIDED (image_abi.h) and ignores the mask. */
#include "cuda.h"

_Static_assert(sizeof(struct ufc_kparam_head) == 16 && sizeof(struct ufc_kparam_op) == 24 &&
                   sizeof(struct ufc_kparam_axes) == 72 && sizeof(struct ufc_kparam_layout) == 56,
               "the offsets in the PTX are those of image_abi.h");

/* The kernel for elements of SIZE bytes, which .TYPE loads into VALUE. */
#define COPY_PTX(SIZE, TYPE, VALUE)                                                                \
    ".version 6.3\n"                                                                               \
    ".target sm_75\n"                                                                              \
    ".address_size 64\n"                                                                           \
    ".visible .entry ufc_copy_" SIZE "(.param .align 8 .b8 p[248])\n"                              \
    "{\n"                                                                                          \
    "  .reg .pred c;\n"                                                                            \
    "  .reg .b32 i, q, r, t, naxes, size, magic, shift;\n"                                         \
    "  .reg .b64 n, x, src, dst, stride, axes, layout, v, w;\n"                                    \
    "  mov.u32 q, %ctaid.x;\n"                                                                     \
    "  mov.u32 t, %ntid.x;\n"                                                                      \
    "  mov.u32 r, %tid.x;\n"                                                                       \
    "  mad.lo.u32 i, q, t, r;\n"                                                                   \
    "  cvt.u64.u32 x, i;\n"                                                                        \
    "  ld.param.u64 n, [p];\n"                                                                     \
    "  setp.ge.u64 c, x, n;\n"                                                                     \
    "  @c ret;\n"                                                                                  \
    "  ld.param.u32 naxes, [p+12];\n"                                                              \
    "  ld.param.u64 src, [p+16];\n"                                                                \
    "  ld.param.u64 dst, [p+40];\n"                                                                \
    "  cvta.to.global.u64 src, src;\n"                                                             \
    "  cvta.to.global.u64 dst, dst;\n"                                                             \
    "  mov.u64 axes, p;\n"                                                                         \
    "  mov.u64 layout, p;\n"                                                                       \
    "next:\n"                                                                                      \
    "  setp.eq.u32 c, naxes, 0;\n"                                                                 \
    "  @c bra copy;\n"                                                                             \
    "  ld.param.u32 size, [axes+64];\n"                                                            \
    "  ld.param.u32 magic, [axes+88];\n"                                                           \
    "  ld.param.u32 shift, [axes+112];\n"                                                          \
    "  mul.hi.u32 q, i, magic;\n"                                                                  \
    "  setp.eq.u32 c, magic, 0;\n"                                                                 \
    "  selp.u32 q, i, q, c;\n"                                                                     \
    "  shr.u32 q, q, shift;\n"                                                                     \
    "  mul.lo.u32 t, q, size;\n"                                                                   \
    "  sub.u32 r, i, t;\n"                                                                         \
    "  mov.u32 i, q;\n"                                                                            \
    "  cvt.u64.u32 x, r;\n"                                                                        \
    "  ld.param.u64 stride, [layout+136];\n"                                                       \
    "  mad.lo.s64 src, x, stride, src;\n"                                                          \
    "  ld.param.u64 stride, [layout+192];\n"                                                       \
    "  mad.lo.s64 dst, x, stride, dst;\n"                                                          \
    "  add.u64 axes, axes, 4;\n"                                                                   \
    "  add.u64 layout, layout, 8;\n"                                                               \
    "  sub.u32 naxes, naxes, 1;\n"                                                                 \
    "  bra next;\n"                                                                                \
    "copy:\n"                                                                                      \
    "  ld.global." TYPE " " VALUE ", [src];\n"                                                     \
    "  st.global." TYPE " [dst], " VALUE ";\n"                                                     \
    "  ret;\n"                                                                                     \
    "}\n"

enum { BLOCK = 256, MAX_SIZE = 16 };

/* The kernels, by the element's size. */
static const struct {
    const char *name, *ptx;
} kernels[MAX_SIZE + 1] = {
    [1] = {"ufc_copy_1", COPY_PTX("1", "b8", "v")},
    [2] = {"ufc_copy_2", COPY_PTX("2", "b16", "v")},
    [4] = {"ufc_copy_4", COPY_PTX("4", "b32", "v")},
    [8] = {"ufc_copy_8", COPY_PTX("8", "b64", "v")},
    [16] = {"ufc_copy_16", COPY_PTX("16", "v2.b64", "{v, w}")},
};

/* Can neighbours be copied in pairs, as one element of twice the size? */
static bool pairs_up(const struct iteration *it, int64_t size) {
    if (it->naxes == 0 || it->size[0] % 2 != 0)
        return false;
    for (int k = 0; k < 2; k++) {
        if (it->stride[k][0] != size || !is_aligned(it->data[k], (size_t)(2 * size)))
            return false;
        for (int axis = 1; axis < it->naxes; axis++)
            if (it->stride[k][axis] % (2 * size) != 0)
                return false;
    }
    return true;
}

/* Makes complex numbers arrays of their two parts, as they are aligned to a part. */
static void split_complex(struct iteration *it) {
    const struct dtype_info *info = &dtype_info[it->dtype[0]];
    if (!is_complex(it->dtype[0]))
        return;
    for (int axis = it->naxes; axis > 0; axis--) {
        it->size[axis] = it->size[axis - 1];
        for (int k = 0; k < 2; k++)
            it->stride[k][axis] = it->stride[k][axis - 1];
    }
    it->naxes++;
    it->size[0] = 2;
    it->total *= 2;
    enum ufc_dtype part = part_dtype(it->dtype[0]);
    for (int k = 0; k < 2; k++) {
        it->stride[k][0] = info->alignment;
        it->dtype[k] = part;
    }
}

static int64_t widen_elements(struct iteration *it) {
    int64_t size = dtype_info[it->dtype[0]].size;
    for (; size < MAX_SIZE && pairs_up(it, size); size *= 2) {
        it->size[0] /= 2;
        it->total /= 2;
        it->stride[0][0] = it->stride[1][0] = 2 * size;
    }
    return size;
}

static ufc_status copy_piece(ufc_context *ctx, void *stream, const struct iteration *it,
                             ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    size_t size = (size_t)it->total * (size_t)dtype_info[it->dtype[0]].size;
    status = CU(err, cuMemcpyAsync, (uintptr_t)it->data[1], (uintptr_t)it->data[0], size, stream);
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_copy(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err) {
    if (in_one_piece(it))
        return copy_piece(ctx, stream, it, err);
    split_complex(it);
    uint8_t dtypes[] = {(uint8_t)it->dtype[0], (uint8_t)it->dtype[1]};
    int64_t size = widen_elements(it);
    struct ufc_overload copy = {.dtypes = dtypes,
                                .signature = "the copy",
                                .ptx_sm = 75,
                                .kernel = {[UFC_KERNEL_STRIDED] = kernels[size].name},
                                .block = {[UFC_KERNEL_STRIDED] = BLOCK}};
    copy.code[UFC_MODULE_LAYOUT] = (struct ufc_code){
        .ptx = kernels[size].ptx, .id = 0x7566635F636F7000 + (uint64_t)size}; /* "ufc_cop" */
    it->overload = &copy;
    ufc_status status = cuda_execute(ctx, stream, it, err);
    it->overload = NULL;
    return status;
}
