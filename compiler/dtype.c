/* dtype.c: the element types, and NumPy's rules of casting and promotion between them. */
#include <string.h>

#include "uc.h"

const struct dtype_info dtype_info[DT_COUNT] = {
#define DTYPE(ID, name, brief, kind, bits, ...) {name, brief, kind, bits},
#include "../runtime/dtype.def"
#undef DTYPE
};

/* The type of a long or short name; DT_COUNT: none. */
enum ufc_dtype dtype_named(const char *name) {
    int d = 0;
    while (d < DT_COUNT && strcmp(name, dtype_info[d].name) != 0 &&
           strcmp(name, dtype_info[d].brief) != 0)
        d++;
    return (enum ufc_dtype)d;
}

/* As numpy.promote_types: the first type, in the table's order, that holds both. */
enum ufc_dtype promote_dtypes(enum ufc_dtype a, enum ufc_dtype b) {
    int d = 0;
    while (!casts_safely(a, (enum ufc_dtype)d) || !casts_safely(b, (enum ufc_dtype)d))
        d++;
    return (enum ufc_dtype)d;
}

/* The type of an operation on a and b (NEP 50): a weak type becomes the other one, if this is of
 * its kind or a higher one. */
struct type promote(struct type a, struct type b) {
    if (a.kind == TYPE_DTYPE && b.kind == TYPE_DTYPE)
        return dtype_type(promote_dtypes(a.dtype, b.dtype));
    if (a.kind != TYPE_DTYPE && b.kind != TYPE_DTYPE)
        return a.kind > b.kind ? a : b;
    struct type strong = a.kind == TYPE_DTYPE ? a : b, weak = a.kind == TYPE_DTYPE ? b : a;
    if (weak.kind == TYPE_WEAK_INT)
        return strong.dtype == DT_BOOL ? dtype_type(DT_INT64) : strong;
    if (is_complex(strong.dtype))
        return strong;
    if (weak.kind == TYPE_WEAK_FLOAT)
        return is_float(strong.dtype) ? strong : dtype_type(DT_FLOAT64);
    bool narrow = is_float(strong.dtype) && strong.dtype != DT_FLOAT64;
    return dtype_type(narrow ? DT_COMPLEX64 : DT_COMPLEX128);
}

/* The type that a value of type t has at run time. */
enum ufc_dtype strong_dtype(struct type t) {
    return t.kind == TYPE_DTYPE        ? t.dtype
           : t.kind == TYPE_WEAK_INT   ? DT_INT64
           : t.kind == TYPE_WEAK_FLOAT ? DT_FLOAT64
                                       : DT_COMPLEX128;
}

const char *type_name(struct type t) {
    switch (t.kind) {
    case TYPE_DTYPE: return dtype_info[t.dtype].name;
    case TYPE_WEAK_INT: return "int";
    case TYPE_WEAK_FLOAT: return "float";
    case TYPE_WEAK_COMPLEX: return "complex";
    default: return "no type";
    }
}
