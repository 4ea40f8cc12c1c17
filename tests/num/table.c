/* table.c: compiler/builtin.def as the tests see it: a row a name. */
#include <math.h>
#include <string.h>

#include "num.h"

enum rule { FLOAT, SAME, PREDICATE, FLOAT_INT, INT_FLOAT, PARTS, INTEGER, BITS, EXPONENT };

/* Functions of integers have no error, nor has complex, which alone has no real result. */
static const struct row rows[] = {
#define BUILTIN(ID, name, nargs, nresults, rule, impl, device, host, libmvec, ulp32, ulp64, numpy) \
    {name,     nargs,                                                                              \
     nresults, (rule) != INTEGER && (rule) != BITS && ((rule) != PARTS || (nargs) == 1),           \
     false,    ulp32,                                                                              \
     ulp64,    0,                                                                                  \
     0},
#define WRITTEN(name, nargs, ulp32, ulp64) {name, nargs, 1, true, false, ulp32, ulp64, 0, 0},
#define COMPLEX(name, nargs, epsilon, epsilon64)                                                   \
    {name, nargs, 1, false, true, 0, 0, epsilon, epsilon64},
#include "../../compiler/builtin.def"
};

const struct row *table_row(int i) {
    return (size_t)i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

double bound(const struct row *row, const struct format *f) {
    if (f->is_complex)
        return f->precision == 24 ? row->epsilon : row->epsilon64;
    if (f->bits != 16)
        return f->bits == 32 ? row->ulp32 : row->ulp64;
    return 0.5 + ldexp(fmax(row->ulp32, 0.5), f->precision - 24);
}
