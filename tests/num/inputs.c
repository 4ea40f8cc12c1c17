/* inputs.c: the numbers that functions are tried with. */
#include <math.h>

#include "../test.h"
#include "num.h"

/* Adds a number, its neighbours and their opposites. */
static int add(const struct format *f, long double *list, int n, long double value) {
    uint64_t bits = to_bits(f, fabsl(value));
    uint64_t most = (uint64_t)(2 * f->emax + 1) << (f->precision - 1);
    for (int i = -1; i <= 1; i++) {
        if ((bits == 0 && i < 0) || bits + (uint64_t)i > most)
            continue;
        if (list) {
            list[n] = from_bits(f, bits + (uint64_t)i);
            list[n + 1] = -list[n];
        }
        n += 2;
    }
    return n;
}

int special_values(const struct format *f, long double *list) {
    static const double plain[] = {0,    1,    2,     3,     4,    5,         10,   20,
                                   88.5, 100,  171.5, 709.5, 0.25, 0.5,       1.5,  2.5,
                                   3.5,  1e-4, 1e3,   65519, 1e5,  123456789, 1e10, 1e22};
    int n = 0, p = f->precision, most = f->emax;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        n = add(f, list, n, plain[i]);
    for (int i = 1; i <= 8; i++)
        n = add(f, list, n, i * acosl(-1) / 2);
    const long double edges[] = {INFINITY,
                                 ldexpl(1, 1 - most),
                                 ldexpl(1, most),
                                 ldexpl(1, most / 2),
                                 ldexpl(1, -most / 2),
                                 ldexpl(1, p - 2) + 0.5L,
                                 ldexpl(1, p - 1),
                                 ldexpl(1, p),
                                 ldexpl(1, -p),
                                 ldexpl(1, -p / 2),
                                 (most + 1) * logl(2),
                                 (most + p) * logl(2),
                                 most + 1.0L,
                                 (most + 1) * log10l(2)};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        n = add(f, list, n, edges[i]);
    if (list)
        list[n] = NAN;
    return n + 1;
}

long double random_value(const struct format *f, const struct reference *r, uint64_t stream,
                         uint64_t i) {
    double unit = random_unit(stream + 1, i);
    double scale = r->scaled ? f->emax * 0.69314718055994530942 : 1;
    switch (i % 4) {
    case 0:
    case 1: return rounded(f, scale * (r->low + unit * (r->high - r->low)));
    case 2: return from_bits(f, random_bits(stream, i) & (UINT64_MAX >> (64 - f->bits)));
    default: {
        double v = exp2(40 * random_unit(stream + 2, i) - 20);
        return rounded(f, unit < 0.5 && r->low < 0 ? -v : v);
    }
    }
}
