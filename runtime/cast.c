/* cast.c: conversions between all element types along a strided vector on the host. */
#include "half.h"
#include "rt.h"

struct complex64 {
    float re, im;
};
struct complex128 {
    double re, im;
};

/* element_INT8 and so on */
#define DTYPE(ID, name, brief, kind, bits, mantissa, computed, dlpack, ctype)                      \
    typedef ctype element_##ID;
#include "dtype.def"
#undef DTYPE

/* How each type is converted.  Integers wrap, floats truncate and saturate, NaN is 0; a complex
 * number loses its imaginary part (NumPy's casts under `unsafe` alone do so). */
#define TYPES(DO, ...)                                                                             \
    DO(BOOL, TRUTH, __VA_ARGS__)                                                                   \
    DO(INT8, WHOLE, __VA_ARGS__)                                                                   \
    DO(UINT8, WHOLE, __VA_ARGS__)                                                                  \
    DO(INT16, WHOLE, __VA_ARGS__)                                                                  \
    DO(UINT16, WHOLE, __VA_ARGS__)                                                                 \
    DO(INT32, WHOLE, __VA_ARGS__)                                                                  \
    DO(UINT32, WHOLE, __VA_ARGS__)                                                                 \
    DO(INT64, WHOLE, __VA_ARGS__)                                                                  \
    DO(UINT64, WHOLE, __VA_ARGS__)                                                                 \
    DO(FLOAT16, HALF, __VA_ARGS__)                                                                 \
    DO(BFLOAT16, HALF, __VA_ARGS__)                                                                \
    DO(FLOAT32, REAL, __VA_ARGS__)                                                                 \
    DO(FLOAT64, REAL, __VA_ARGS__)                                                                 \
    DO(COMPLEX64, COMPLEX, __VA_ARGS__)                                                            \
    DO(COMPLEX128, COMPLEX, __VA_ARGS__)

#define ONE(...) +1 /* NOLINT(bugprone-macro-parentheses): all of them are a sum */
_Static_assert(TYPES(ONE, 0) == DT_COUNT, "a type of dtype.def is missing");

/* ---- the C number that an element is read as */

#define NUMBER_TRUTH(ID)    int
#define READ_TRUTH(ID, v)   ((v) != 0) /* a bool's byte may be any but 0 */
#define NUMBER_WHOLE(ID)    element_##ID
#define READ_WHOLE(ID, v)   (v)
#define NUMBER_HALF(ID)     float
#define READ_HALF(ID, v)    of_format(v, format_of(DT_##ID))
#define NUMBER_REAL(ID)     element_##ID
#define READ_REAL(ID, v)    (v)
#define NUMBER_COMPLEX(ID)  element_##ID
#define READ_COMPLEX(ID, v) (v)

/* ---- how that number is converted: W from an integer or bool, R from a float, C from a complex
 * number */

#define OF_TRUTH   W
#define OF_WHOLE   W
#define OF_HALF    R
#define OF_REAL    R
#define OF_COMPLEX C

#define W_TRUTH(ID, v) ((element_##ID)((v) != 0))
#define W_WHOLE(ID, v) ((element_##ID)(v))
#define W_REAL(ID, v)  ((element_##ID)(v))
#define W_HALF(ID, v)                                                                              \
    ((element_##ID)to_format(whole_value((v) > 0 || (v) == 0, (uint64_t)(v)), format_of(DT_##ID)))
#define W_COMPLEX(ID, v) ((element_##ID){PART(ID, v), 0})

#define PART(ID, v) ((__typeof__(((element_##ID *)0)->re))(v))

/* An integer type's highest number; the one after it and the lowest one, exact in double. */
static inline uint64_t highest(enum ufc_dtype d) {
    return UINT64_MAX >> (64 - dtype_traits[d].bits + is_signed(d));
}
static inline double beyond(enum ufc_dtype d) {
    return 2.0 * (double)((highest(d) >> 1) + 1);
}
static inline double lowest(enum ufc_dtype d) {
    return is_signed(d) ? -beyond(d) : 0;
}

#define R_TRUTH(ID, v) W_TRUTH(ID, v)
#define R_WHOLE(ID, v)                                                                             \
    ((v) >= beyond(DT_##ID)   ? (element_##ID)highest(DT_##ID)                                     \
     : (v) <= lowest(DT_##ID) ? (element_##ID)lowest(DT_##ID)                                      \
     : (v) == (v)             ? (element_##ID)(v)                                                  \
                              : (element_##ID)0)
#define R_REAL(ID, v)    ((element_##ID)(v))
#define R_HALF(ID, v)    ((element_##ID)to_format((double)(v), format_of(DT_##ID)))
#define R_COMPLEX(ID, v) W_COMPLEX(ID, v)

#define C_TRUTH(ID, v)   ((element_##ID)((v).re != 0 || (v).im != 0))
#define C_WHOLE(ID, v)   R_WHOLE(ID, (v).re)
#define C_REAL(ID, v)    R_REAL(ID, (v).re)
#define C_HALF(ID, v)    R_HALF(ID, (v).re)
#define C_COMPLEX(ID, v) ((element_##ID){PART(ID, (v).re), PART(ID, (v).im)})

/* ---- loops */

#define JOIN(A, B)                  A##_##B
#define CONVERTER(FROM_HOW, TO_HOW) JOIN(FROM_HOW, TO_HOW)

#define CONVERT(TO, TO_HOW, to, FROM, FROM_HOW, from)                                              \
    do {                                                                                           \
        NUMBER_##FROM_HOW(FROM) v = READ_##FROM_HOW(FROM, from);                                   \
        (to) = CONVERTER(OF_##FROM_HOW, TO_HOW)(TO, v);                                            \
        if (DT_##TO == DT_##FROM && is_half(DT_##TO)) /* keeps a NaN's bits */                     \
            memcpy(&(to), &(from), sizeof(to));                                                    \
    } while (0)

/* Two copies of the loop: the compiler vectorises the contiguous one. */
#define CAST(TO, TO_HOW, FROM, FROM_HOW)                                                           \
    static void cast_##FROM##_##TO(char *dst, int64_t dst_step, const char *src, int64_t src_step, \
                                   int64_t n) {                                                    \
        if (dst_step == sizeof(element_##TO) && src_step == sizeof(element_##FROM)) {              \
            for (int64_t i = 0; i < n; i++)                                                        \
                CONVERT(TO, TO_HOW, ((element_##TO *)dst)[i], FROM, FROM_HOW,                      \
                        ((const element_##FROM *)src)[i]);                                         \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++, dst += dst_step, src += src_step)                          \
            CONVERT(TO, TO_HOW, *(element_##TO *)dst, FROM, FROM_HOW,                              \
                    *(const element_##FROM *)src);                                                 \
    }

/* A kernel for each pair of types.  A macro is not expanded within itself: the inner TYPES is
 * deferred until EXPAND scans the outer one's result again. */
#define EXPAND(...) __VA_ARGS__
#define INNER()     TYPES
#define LATER()
#define EACH(DO, ...) INNER LATER()()(DO, __VA_ARGS__)

#define CASTS(FROM, HOW, ...) EACH(CAST, FROM, HOW)
EXPAND(TYPES(CASTS, 0))

/* ---- the table */

#define CELL(TO, HOW, FROM) [DT_##TO] = cast_##FROM##_##TO,
#define ROW(FROM, HOW, ...) [DT_##FROM] = {EACH(CELL, FROM)},
cast_kernel *const cast_kernels[DT_COUNT][DT_COUNT] = {EXPAND(TYPES(ROW, 0))};
