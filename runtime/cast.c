/* cast.c: conversions between all element types along a strided vector on the host. */
#include "rt.h"

/* Integers (and bool, as 0 or 1) to any number: C's conversion, which wraps. */
#define PLAIN(TO, v)   ((TO)(v))
#define TO_BOOL(TO, v) ((TO)((v) != 0))

/* Floats to integers: the bounds are powers of two or 0, exact in double. */
#define SATURATE(TO, v, low, high, min, max)                                                       \
    ((v) >= (high) ? (TO)(max) : (v) <= (low) ? (TO)(min) : (v) == (v) ? (TO)(v) : (TO)0)
#define TO_INT8(TO, v)   SATURATE(TO, v, -0x1p7, 0x1p7, INT8_MIN, INT8_MAX)
#define TO_UINT8(TO, v)  SATURATE(TO, v, 0, 0x1p8, 0, UINT8_MAX)
#define TO_INT16(TO, v)  SATURATE(TO, v, -0x1p15, 0x1p15, INT16_MIN, INT16_MAX)
#define TO_UINT16(TO, v) SATURATE(TO, v, 0, 0x1p16, 0, UINT16_MAX)
#define TO_INT32(TO, v)  SATURATE(TO, v, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX)
#define TO_UINT32(TO, v) SATURATE(TO, v, 0, 0x1p32, 0, UINT32_MAX)
#define TO_INT64(TO, v)  SATURATE(TO, v, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX)
#define TO_UINT64(TO, v) SATURATE(TO, v, 0, 0x1p64, 0, UINT64_MAX)

/* The same loop twice: the compiler makes vectors of the contiguous one. */
#define CAST(FROM, from_t, TO, to_t, CONVERT)                                                      \
    static void cast_##FROM##_##TO(char *dst, int64_t dst_step, const char *src, int64_t src_step, \
                                   int64_t n) {                                                    \
        if (dst_step == sizeof(to_t) && src_step == sizeof(from_t)) {                              \
            for (int64_t i = 0; i < n; i++)                                                        \
                ((to_t *)dst)[i] = CONVERT(to_t, ((const from_t *)src)[i]);                        \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++, dst += dst_step, src += src_step)                          \
            *(to_t *)dst = CONVERT(to_t, *(const from_t *)src);                                    \
    }

#define FROM_INTEGER(FROM, from_t)                                                                 \
    CAST(FROM, from_t, BOOL, uint8_t, TO_BOOL)                                                     \
    CAST(FROM, from_t, INT8, int8_t, PLAIN)                                                        \
    CAST(FROM, from_t, UINT8, uint8_t, PLAIN)                                                      \
    CAST(FROM, from_t, INT16, int16_t, PLAIN)                                                      \
    CAST(FROM, from_t, UINT16, uint16_t, PLAIN)                                                    \
    CAST(FROM, from_t, INT32, int32_t, PLAIN)                                                      \
    CAST(FROM, from_t, UINT32, uint32_t, PLAIN)                                                    \
    CAST(FROM, from_t, INT64, int64_t, PLAIN)                                                      \
    CAST(FROM, from_t, UINT64, uint64_t, PLAIN)                                                    \
    CAST(FROM, from_t, FLOAT32, float, PLAIN)                                                      \
    CAST(FROM, from_t, FLOAT64, double, PLAIN)

/* A bool's byte may be any but 0. */
#define BOOL_TO(TO, v) ((TO)((v) != 0))
#define FROM_BOOL(FROM, from_t)                                                                    \
    CAST(FROM, from_t, BOOL, uint8_t, BOOL_TO)                                                     \
    CAST(FROM, from_t, INT8, int8_t, BOOL_TO)                                                      \
    CAST(FROM, from_t, UINT8, uint8_t, BOOL_TO)                                                    \
    CAST(FROM, from_t, INT16, int16_t, BOOL_TO)                                                    \
    CAST(FROM, from_t, UINT16, uint16_t, BOOL_TO)                                                  \
    CAST(FROM, from_t, INT32, int32_t, BOOL_TO)                                                    \
    CAST(FROM, from_t, UINT32, uint32_t, BOOL_TO)                                                  \
    CAST(FROM, from_t, INT64, int64_t, BOOL_TO)                                                    \
    CAST(FROM, from_t, UINT64, uint64_t, BOOL_TO)                                                  \
    CAST(FROM, from_t, FLOAT32, float, BOOL_TO)                                                    \
    CAST(FROM, from_t, FLOAT64, double, BOOL_TO)

#define FROM_FLOAT(FROM, from_t)                                                                   \
    CAST(FROM, from_t, BOOL, uint8_t, TO_BOOL)                                                     \
    CAST(FROM, from_t, INT8, int8_t, TO_INT8)                                                      \
    CAST(FROM, from_t, UINT8, uint8_t, TO_UINT8)                                                   \
    CAST(FROM, from_t, INT16, int16_t, TO_INT16)                                                   \
    CAST(FROM, from_t, UINT16, uint16_t, TO_UINT16)                                                \
    CAST(FROM, from_t, INT32, int32_t, TO_INT32)                                                   \
    CAST(FROM, from_t, UINT32, uint32_t, TO_UINT32)                                                \
    CAST(FROM, from_t, INT64, int64_t, TO_INT64)                                                   \
    CAST(FROM, from_t, UINT64, uint64_t, TO_UINT64)                                                \
    CAST(FROM, from_t, FLOAT32, float, PLAIN)                                                      \
    CAST(FROM, from_t, FLOAT64, double, PLAIN)

FROM_BOOL(BOOL, uint8_t)
FROM_INTEGER(INT8, int8_t)
FROM_INTEGER(UINT8, uint8_t)
FROM_INTEGER(INT16, int16_t)
FROM_INTEGER(UINT16, uint16_t)
FROM_INTEGER(INT32, int32_t)
FROM_INTEGER(UINT32, uint32_t)
FROM_INTEGER(INT64, int64_t)
FROM_INTEGER(UINT64, uint64_t)
FROM_FLOAT(FLOAT32, float)
FROM_FLOAT(FLOAT64, double)

#define ROW(FROM)                                                                                  \
    {                                                                                              \
        cast_##FROM##_BOOL, cast_##FROM##_INT8, cast_##FROM##_UINT8, cast_##FROM##_INT16,          \
            cast_##FROM##_UINT16, cast_##FROM##_INT32, cast_##FROM##_UINT32, cast_##FROM##_INT64,  \
            cast_##FROM##_UINT64, cast_##FROM##_FLOAT32, cast_##FROM##_FLOAT64                     \
    }

cast_kernel *const cast_kernels[DT_COUNT][DT_COUNT] = {
    ROW(BOOL),   ROW(INT8),  ROW(UINT8),  ROW(INT16),   ROW(UINT16),  ROW(INT32),
    ROW(UINT32), ROW(INT64), ROW(UINT64), ROW(FLOAT32), ROW(FLOAT64),
};
