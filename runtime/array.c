/* array.c: element types, and DLPack arrays checked and described as operands. */
#include <stdio.h>

#include "rt.h"

const struct dtype_info dtype_info[DT_COUNT] = {
#define DTYPE(ID, name, brief, kind, bits, ...)                                                    \
    {name, brief, kind, (bits) / 8, (bits) / ((kind) == 'c' ? 16 : 8)},
#include "dtype.def"
#undef DTYPE
};

/* An array's elements lie within this many bytes, so that sums of two extents do not overflow. */
#define MAX_EXTENT (INT64_MAX / 4)

#define DTYPE(ID, ...) _Static_assert((int)UFC_##ID == (int)DT_##ID, "ufc.h is not as dtype.def");
#include "dtype.def"
#undef DTYPE

DLDataType ufc_dltype(ufc_type type) {
    static const DLDataType types[DT_COUNT] = {
#define DTYPE(ID, name, brief, kind, bits, mantissa, computed, dlpack, ctype) {dlpack, bits, 1},
#include "dtype.def"
#undef DTYPE
    };
    return (unsigned)type < DT_COUNT ? types[type] : (DLDataType){kDLOpaqueHandle, 0, 1};
}

/* A table, as this runs for every array of a call. */
bool dtype_from_dl(DLDataType type, enum ufc_dtype *dtype) {
    enum { MAX_BYTES = 16 };
    static const struct {
        bool known;
        unsigned char dtype;
    } types[][MAX_BYTES + 1] = {
#define DTYPE(ID, name, brief, kind, bits, mantissa, computed, dlpack, ctype)                      \
    [dlpack][(bits) / 8] = {true, DT_##ID},
#include "dtype.def"
#undef DTYPE
    };
    unsigned bytes = type.bits / 8U;
    if (type.code >= sizeof types / sizeof types[0] || bytes > MAX_BYTES || type.bits % 8 ||
        type.lanes != 1 || !types[type.code][bytes].known)
        return false;
    *dtype = (enum ufc_dtype)types[type.code][bytes].dtype;
    return true;
}

const char *ufc_type_name(DLDataType type) {
    enum ufc_dtype dtype;
    return dtype_from_dl(type, &dtype) ? dtype_info[dtype].name : "unsupported";
}

struct shape_text shape_text(int ndim, const int64_t *shape) {
    struct shape_text s;
    size_t used = 0, room = sizeof s.text;
    s.text[used++] = '(';
    for (int i = 0; i < ndim; i++) {
        int n = snprintf(s.text + used, room - used, "%s%lld", i ? "," : "", (long long)shape[i]);
        if (n < 0 || used + (size_t)n + sizeof ",...)" > room) {
            (void)snprintf(s.text + used, room - used, ",...");
            used += sizeof ",..." - 1;
            break;
        }
        used += (size_t)n;
    }
    s.text[used++] = ')';
    s.text[used] = '\0';
    return s;
}

bool shape_size(int ndim, const int64_t *shape, int64_t *size) {
    *size = 1;
    bool fits = true;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0) {
            *size = 0;
            return true;
        }
        fits = fits && !__builtin_mul_overflow(*size, shape[i], size);
    }
    return fits;
}

static ufc_status check_type(struct operand *op, const DLTensor *array, ufc_error *err) {
    DLDataType t = array->dtype;
    op->pinned = array->device.device_type == kDLCUDAHost;
    if (!dtype_from_dl(t, &op->dtype))
        return fail(err, UFC_EDTYPE,
                    "element type with DLPack code %d, %d bits, %d lanes is not supported", t.code,
                    t.bits, t.lanes);
    switch ((int)array->device.device_type) {
    case kDLCPU:
    case kDLCUDAHost: op->device = (DLDevice){kDLCPU, 0}; return UFC_OK;
    case kDLCUDA: op->device = (DLDevice){kDLCUDA, array->device.device_id}; return UFC_OK;
    case kDLCUDAManaged: op->device = (DLDevice){kDLCUDA, ANY_GPU}; return UFC_OK;
    default:
        return fail(err, UFC_EDEVICE, "DLPack device type %d is not supported",
                    (int)array->device.device_type);
    }
}

static ufc_status check_shape(struct operand *op, const DLTensor *array, ufc_error *err) {
    if (array->ndim < 0 || array->ndim > MAX_RANK)
        return fail(err, UFC_EINVAL, "rank %d is not within 0 to %d", (int)array->ndim, MAX_RANK);
    if (array->ndim > 0 && !array->shape)
        return fail(err, UFC_EINVAL, "shape is NULL, the rank is %d", (int)array->ndim);
    op->ndim = array->ndim;
    for (int i = 0; i < op->ndim; i++) {
        op->shape[i] = array->shape[i];
        if (op->shape[i] < 0)
            return fail(err, UFC_EINVAL, "shape %s has a negative size",
                        shape_text(op->ndim, array->shape).text);
    }
    return UFC_OK;
}

/* Sets byte strides; an error where elements lie more than MAX_EXTENT bytes apart. */
static ufc_status set_strides(struct operand *op, const DLTensor *array, ufc_error *err) {
    int64_t size = dtype_info[op->dtype].size;
    int64_t extent = size, dense = size;
    bool fits = true;
    for (int i = op->ndim - 1; i >= 0; i--) {
        int64_t stride, reach;
        if (op->shape[i] == 1)
            stride = 0;
        else if (array->strides)
            fits = fits && !__builtin_mul_overflow(array->strides[i], size, &stride) &&
                   stride >= -MAX_EXTENT;
        else
            stride = dense;
        fits = fits && !__builtin_mul_overflow(dense, op->shape[i], &dense) &&
               !__builtin_mul_overflow(op->shape[i] - 1, stride < 0 ? -stride : stride, &reach) &&
               !__builtin_add_overflow(extent, reach, &extent) && extent <= MAX_EXTENT;
        if (!fits)
            return fail(err, UFC_EINVAL, "shape %s and its strides reach beyond all memory",
                        shape_text(op->ndim, op->shape).text);
        op->stride[i] = stride;
    }
    return UFC_OK;
}

ufc_status operand_from_array(struct operand *op, const DLTensor *array, ufc_error *err) {
    op->is_number = false;
    ufc_status status = check_type(op, array, err);
    if (status == UFC_OK)
        status = check_shape(op, array, err);
    if (status != UFC_OK)
        return status;

    bool empty = false;
    for (int i = 0; i < op->ndim; i++) {
        op->stride[i] = 0;
        empty = empty || op->shape[i] == 0;
    }
    op->data = NULL;
    if (empty)
        return UFC_OK;
    if (!array->data)
        return fail(err, UFC_EINVAL, "data is NULL, the shape is %s",
                    shape_text(op->ndim, op->shape).text);
    op->data = (char *)array->data + array->byte_offset;
    int alignment = dtype_info[op->dtype].alignment;
    if (!is_aligned(op->data, (size_t)alignment))
        return fail(err, UFC_EINVAL, "address %p is not aligned to %s's %d bytes: copy the array",
                    (void *)op->data, dtype_info[op->dtype].name, alignment);
    return set_strides(op, array, err);
}
