/* cast.c: conversions between all element types along a strided vector on the host. */
#include "half.h"
#include "rt.h"

struct complex64 {
    float re, im;
};
struct complex128 {
    double re, im;
};

/* ---- what an element is read as: a number of C */

#define SELF(v)  (v)
#define TRUTH(v) ((uint8_t)((v) != 0)) /* a bool's byte may be any but 0 */
#define HALF(v)  half_value(v)
#define BHALF(v) bfloat_value(v)
#define REAL(v)  ((v).re)

/* ---- and converted to.  W: from an integer or bool, R: from a float, C: from a complex number.
 * Integers wrap, floats truncate and saturate, NaN is 0; a complex number loses its imaginary part
 * (NumPy's casts under `unsafe` alone do so). */

#define W_PLAIN(TO, v)      ((TO)(v))
#define W_BOOL(TO, v)       ((TO)((v) != 0))
#define W_FLOAT16(TO, v)    to_half(whole_value((v) > 0 || (v) == 0, (uint64_t)(v)))
#define W_BFLOAT16(TO, v)   to_bfloat(whole_value((v) > 0 || (v) == 0, (uint64_t)(v)))
#define W_COMPLEX64(TO, v)  ((TO){(float)(v), 0})
#define W_COMPLEX128(TO, v) ((TO){(double)(v), 0})
#define W_INT8              W_PLAIN
#define W_UINT8             W_PLAIN
#define W_INT16             W_PLAIN
#define W_UINT16            W_PLAIN
#define W_INT32             W_PLAIN
#define W_UINT32            W_PLAIN
#define W_INT64             W_PLAIN
#define W_UINT64            W_PLAIN
#define W_FLOAT32           W_PLAIN
#define W_FLOAT64           W_PLAIN

/* The bounds are powers of two or 0, exact in double. */
#define SATURATE(TO, v, low, high, min, max)                                                       \
    ((v) >= (high) ? (TO)(max) : (v) <= (low) ? (TO)(min) : (v) == (v) ? (TO)(v) : (TO)0)
#define R_BOOL(TO, v)       ((TO)((v) != 0))
#define R_INT8(TO, v)       SATURATE(TO, v, -0x1p7, 0x1p7, INT8_MIN, INT8_MAX)
#define R_UINT8(TO, v)      SATURATE(TO, v, 0, 0x1p8, 0, UINT8_MAX)
#define R_INT16(TO, v)      SATURATE(TO, v, -0x1p15, 0x1p15, INT16_MIN, INT16_MAX)
#define R_UINT16(TO, v)     SATURATE(TO, v, 0, 0x1p16, 0, UINT16_MAX)
#define R_INT32(TO, v)      SATURATE(TO, v, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX)
#define R_UINT32(TO, v)     SATURATE(TO, v, 0, 0x1p32, 0, UINT32_MAX)
#define R_INT64(TO, v)      SATURATE(TO, v, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX)
#define R_UINT64(TO, v)     SATURATE(TO, v, 0, 0x1p64, 0, UINT64_MAX)
#define R_FLOAT16(TO, v)    to_half((double)(v))
#define R_BFLOAT16(TO, v)   to_bfloat((double)(v))
#define R_FLOAT32(TO, v)    ((TO)(v))
#define R_FLOAT64(TO, v)    ((TO)(v))
#define R_COMPLEX64(TO, v)  ((TO){(float)(v), 0})
#define R_COMPLEX128(TO, v) ((TO){(double)(v), 0})

#define C_BOOL(TO, v)       ((TO)((v).re != 0 || (v).im != 0))
#define C_COMPLEX64(TO, v)  ((TO){(float)(v).re, (float)(v).im})
#define C_COMPLEX128(TO, v) ((TO){(v).re, (v).im})

/* ---- loops */

/* The same loop twice: the compiler makes vectors of the contiguous one. */
#define CAST(FROM, from_t, READ, TO, to_t, CONVERT)                                                \
    static void cast_##FROM##_##TO(char *dst, int64_t dst_step, const char *src, int64_t src_step, \
                                   int64_t n) {                                                    \
        if (dst_step == sizeof(to_t) && src_step == sizeof(from_t)) {                              \
            for (int64_t i = 0; i < n; i++)                                                        \
                ((to_t *)dst)[i] = CONVERT(to_t, READ(((const from_t *)src)[i]));                  \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++, dst += dst_step, src += src_step)                          \
            *(to_t *)dst = CONVERT(to_t, READ(*(const from_t *)src));                              \
    }

/* To the real types but bool, of which a complex number's real part is enough. */
#define TO_REAL(FROM, from_t, READ, K)                                                             \
    CAST(FROM, from_t, READ, INT8, int8_t, K##_INT8)                                               \
    CAST(FROM, from_t, READ, UINT8, uint8_t, K##_UINT8)                                            \
    CAST(FROM, from_t, READ, INT16, int16_t, K##_INT16)                                            \
    CAST(FROM, from_t, READ, UINT16, uint16_t, K##_UINT16)                                         \
    CAST(FROM, from_t, READ, INT32, int32_t, K##_INT32)                                            \
    CAST(FROM, from_t, READ, UINT32, uint32_t, K##_UINT32)                                         \
    CAST(FROM, from_t, READ, INT64, int64_t, K##_INT64)                                            \
    CAST(FROM, from_t, READ, UINT64, uint64_t, K##_UINT64)                                         \
    CAST(FROM, from_t, READ, FLOAT16, uint16_t, K##_FLOAT16)                                       \
    CAST(FROM, from_t, READ, BFLOAT16, uint16_t, K##_BFLOAT16)                                     \
    CAST(FROM, from_t, READ, FLOAT32, float, K##_FLOAT32)                                          \
    CAST(FROM, from_t, READ, FLOAT64, double, K##_FLOAT64)

#define TO_OTHERS(FROM, from_t, READ, K)                                                           \
    CAST(FROM, from_t, READ, BOOL, uint8_t, K##_BOOL)                                              \
    CAST(FROM, from_t, READ, COMPLEX64, struct complex64, K##_COMPLEX64)                           \
    CAST(FROM, from_t, READ, COMPLEX128, struct complex128, K##_COMPLEX128)

#define FROM_REAL(FROM, from_t, READ, K)                                                           \
    TO_REAL(FROM, from_t, READ, K)                                                                 \
    TO_OTHERS(FROM, from_t, READ, K)

#define FROM_COMPLEX(FROM, from_t)                                                                 \
    TO_REAL(FROM, from_t, REAL, R)                                                                 \
    TO_OTHERS(FROM, from_t, SELF, C)

FROM_REAL(BOOL, uint8_t, TRUTH, W)
FROM_REAL(INT8, int8_t, SELF, W)
FROM_REAL(UINT8, uint8_t, SELF, W)
FROM_REAL(INT16, int16_t, SELF, W)
FROM_REAL(UINT16, uint16_t, SELF, W)
FROM_REAL(INT32, int32_t, SELF, W)
FROM_REAL(UINT32, uint32_t, SELF, W)
FROM_REAL(INT64, int64_t, SELF, W)
FROM_REAL(UINT64, uint64_t, SELF, W)
FROM_REAL(FLOAT16, uint16_t, HALF, R)
FROM_REAL(BFLOAT16, uint16_t, BHALF, R)
FROM_REAL(FLOAT32, float, SELF, R)
FROM_REAL(FLOAT64, double, SELF, R)
FROM_COMPLEX(COMPLEX64, struct complex64)
FROM_COMPLEX(COMPLEX128, struct complex128)

/* ---- the table */

#define ROW(FROM)                                                                                  \
    {                                                                                              \
        cast_##FROM##_BOOL, cast_##FROM##_INT8, cast_##FROM##_UINT8, cast_##FROM##_INT16,          \
            cast_##FROM##_UINT16, cast_##FROM##_INT32, cast_##FROM##_UINT32, cast_##FROM##_INT64,  \
            cast_##FROM##_UINT64, cast_##FROM##_FLOAT16, cast_##FROM##_BFLOAT16,                   \
            cast_##FROM##_FLOAT32, cast_##FROM##_FLOAT64, cast_##FROM##_COMPLEX64,                 \
            cast_##FROM##_COMPLEX128                                                               \
    }

cast_kernel *const cast_kernels[DT_COUNT][DT_COUNT] = {
#define DTYPE(ID, name, brief, kind, bits, ctype) ROW(ID),
#include "dtype.def"
#undef DTYPE
};
