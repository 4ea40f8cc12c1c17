/* dtype.h: the element types, and what both halves ask about one. */
#ifndef UFC_DTYPE_H
#define UFC_DTYPE_H

#include <stdbool.h>

enum ufc_dtype {
#define DTYPE(ID, ...) DT_##ID,
#include "dtype.def"
#undef DTYPE
    DT_COUNT
};

/* The columns of dtype.def that are numbers. */
static const struct dtype_traits {
    char kind;
    int bits, mantissa;
    enum ufc_dtype computed;
} dtype_traits[DT_COUNT] = {
#define DTYPE(ID, name, brief, kind, bits, mantissa, computed, ...)                                \
    {kind, bits, mantissa, DT_##computed},
#include "dtype.def"
#undef DTYPE
};

static inline bool is_float(enum ufc_dtype d) {
    return dtype_traits[d].kind == 'f';
}
static inline bool is_signed(enum ufc_dtype d) {
    return dtype_traits[d].kind == 'i';
}
static inline bool is_integer(enum ufc_dtype d) {
    return dtype_traits[d].kind == 'i' || dtype_traits[d].kind == 'u';
}
static inline bool is_complex(enum ufc_dtype d) {
    return dtype_traits[d].kind == 'c';
}
/* The unsigned type as wide as an integer type: dtype.def has it behind the signed one. */
static inline enum ufc_dtype unsigned_dtype(enum ufc_dtype d) {
    return is_signed(d) ? (enum ufc_dtype)(d + 1) : d;
}
_Static_assert(DT_UINT8 == DT_INT8 + 1 && DT_UINT16 == DT_INT16 + 1 && DT_UINT32 == DT_INT32 + 1 &&
                   DT_UINT64 == DT_INT64 + 1,
               "unsigned_dtype");
/* A floating type that is only loaded and stored, and computed in a wider one. */
static inline bool is_half(enum ufc_dtype d) {
    return is_float(d) && dtype_traits[d].computed != d;
}
/* The type of a complex type's parts; of a real type itself. */
static inline enum ufc_dtype part_dtype(enum ufc_dtype d) {
    return is_complex(d) ? dtype_traits[d].computed : d;
}
/* Bytes that an element is aligned to. */
static inline unsigned dtype_align(enum ufc_dtype d) {
    return (unsigned)dtype_traits[part_dtype(d)].bits / 8;
}

/* How numbers of a floating type are stored, as IEEE 754 does it: a sign, the exponent with a bias,
 * the mantissa. */
struct float_format {
    int bits, mantissa, bias;
};

static inline struct float_format format_of(enum ufc_dtype d) {
    int bits = dtype_traits[d].bits, mantissa = dtype_traits[d].mantissa;
    return (struct float_format){bits, mantissa, (1 << (bits - mantissa - 2)) - 1};
}

#endif
