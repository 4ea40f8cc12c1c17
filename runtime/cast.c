/* cast.c: conversions between all element types along a strided vector on the host. */
#include "half.h"
#include "level.h"
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

/* The type that floats are converted to first: vectors of it are. */
#define CARRIER_INT8   int32_t
#define CARRIER_UINT8  int32_t
#define CARRIER_INT16  int32_t
#define CARRIER_UINT16 int32_t
#define CARRIER_INT32  int32_t
#define CARRIER_UINT32 uint32_t
#define CARRIER_INT64  int64_t
#define CARRIER_UINT64 uint64_t

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
#define W_HALF(ID, v)  ((element_##ID)to_format(TO_DOUBLE(v), format_of(DT_##ID)))
/* A double that rounds to a half type as the whole number does: where it has no room for all bits,
 * the last ones become a single one. */
#define TO_DOUBLE(v)                                                                               \
    (sizeof(v) < 8 || ((double)(v) < 0x1p53 && (double)(v) > -0x1p53)                              \
         ? (double)(v)                                                                             \
         : (double)(((v) & ~0xfff) | ((v)&0xfff ? 0x800 : 0)))
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

/* The highest number of an integer type that floats of so many digits have. */
static inline double highest_of(enum ufc_dtype d, int digits) {
    double limit = beyond(d);
    return dtype_traits[d].bits < digits ? (double)highest(d)
                                         : limit - limit / 2 * (digits == 24 ? 0x1p-23 : 0x1p-52);
}

/* Of so many loops that the compiler would no longer inline what each calls. */
#define INLINED static inline __attribute__((always_inline))

/* The nearest number that an integer type has, of those that the float's has; 0 for NaN.  Lanes of
 * vectors are all converted, so that what they hold must be in range. */
INLINED float near_float(float v, enum ufc_dtype d) {
    float low = (float)lowest(d), high = (float)highest_of(d, 24);
    v = v == v ? v : 0;
    v = v > low ? v : low;
    return v < high ? v : high;
}
INLINED double near_double(double v, enum ufc_dtype d) {
    double low = lowest(d), high = highest_of(d, 53);
    v = v == v ? v : 0;
    v = v > low ? v : low;
    return v < high ? v : high;
}
#define NEAR(ID, v)                                                                                \
    ((element_##ID)(CARRIER_##ID) _Generic(v, float : near_float, double : near_double)(v, DT_##ID))

#define R_TRUTH(ID, v) W_TRUTH(ID, v)
/* Does a float's type have all numbers of an integer type? */
#define HOLDS(ID, v) (dtype_traits[DT_##ID].bits < (sizeof(v) == 4 ? 24 : 53))
#define R_WHOLE(ID, v)                                                                             \
    (HOLDS(ID, v) || !((v) >= (__typeof__(v))beyond(DT_##ID)) ? NEAR(ID, v)                        \
                                                              : (element_##ID)highest(DT_##ID))
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

/* Of neighbours: the compiler makes vectors of it. */
#define CAST(TO, TO_HOW, FROM, FROM_HOW, LEVEL)                                                    \
    ON_##LEVEL static void cast_##LEVEL##_##FROM##_##TO(void *dst, const void *src, int64_t n) {   \
        element_##TO *to = dst;                                                                    \
        const element_##FROM *from = src;                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            CONVERT(TO, TO_HOW, to[i], FROM, FROM_HOW, from[i]);                                   \
    }

/* A kernel for each pair of types and level.  A macro is not expanded within itself: the inner
 * TYPES is deferred until EXPAND scans the outer one's result again. */
#define EXPAND(...) __VA_ARGS__
#define INNER()     TYPES
#define LATER()
#define EACH(DO, ...) INNER LATER()()(DO, __VA_ARGS__)

#define CASTS(FROM, HOW, LEVEL) EACH(CAST, FROM, HOW, LEVEL)
EXPAND(TYPES(CASTS, V2))
EXPAND(TYPES(CASTS, V3))
EXPAND(TYPES(CASTS, V4))

/* ---- the table */

#define CELL(TO, HOW, FROM, LEVEL) [DT_##TO] = cast_##LEVEL##_##FROM##_##TO,
#define ROW(FROM, HOW, LEVEL)      [DT_##FROM] = {EACH(CELL, FROM, LEVEL)},
typedef void cast_kernel(void *dst, const void *src, int64_t n);
static cast_kernel *const kernels[LEVEL_COUNT][DT_COUNT][DT_COUNT] = {
    [LEVEL_V2] = {EXPAND(TYPES(ROW, V2))},
    [LEVEL_V3] = {EXPAND(TYPES(ROW, V3))},
    [LEVEL_V4] = {EXPAND(TYPES(ROW, V4))}};

enum { PIECE = 128 }; /* elements that are strided, converted at once */

void cast_elements(enum ufc_dtype from, enum ufc_dtype to, char *dst, int64_t dst_step,
                   const char *src, int64_t src_step, int64_t n) {
    _Alignas(64) char before[PIECE * 16], after[PIECE * 16];
    int64_t from_size = dtype_traits[from].bits / 8, to_size = dtype_traits[to].bits / 8;
    int level = host_level();
    cast_kernel *cast = kernels[level < 0 ? 0 : level][from][to];
    bool gathers = src_step != from_size, scatters = dst_step != to_size;
    if (n == 1 || (!gathers && !scatters)) {
        cast(dst, src, n);
        return;
    }
    if (from == to && from != DT_BOOL) {
        copy_elements(dst, dst_step, src, src_step, to_size, n);
        return;
    }
    for (int64_t m; n > 0; n -= m, dst += m * dst_step, src += m * src_step) {
        m = n < PIECE ? n : PIECE;
        if (gathers)
            copy_elements(before, from_size, src, src_step, from_size, m);
        cast(scatters ? after : dst, gathers ? before : src, m);
        if (scatters)
            copy_elements(dst, dst_step, after, to_size, to_size, m);
    }
}
