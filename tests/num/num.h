/* num.h: the accuracy contract: what the programs of this folder share.
 *
 * A value is a long double, which holds every number of every type exactly.  An exact result is a
 * long double too, rounded to odd: its last bit is 1 where digits are lost, so rounding it again,
 * to any of the types, rounds the exact result once. */
#ifndef NUM_H
#define NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../runtime/ufc.h"

/* A floating type, or the parts of a complex one. */
struct format {
    const char *name, *brief;
    ufc_type type;
    bool is_complex;
    int bits, precision, emax; /* of a part; its least normal number is 2**(1 - emax) */
};

enum { FORMATS = 6 };
extern const struct format formats[FORMATS];
const struct format *format_named(const char *name); /* NULL: none */

/* Number i of an array of parts. */
long double decode(const struct format *f, const void *data, int64_t i);
/* Rounds to nearest, ties to even. */
void encode(const struct format *f, void *data, int64_t i, long double value);
/* The nearest number of the format. */
long double rounded(const struct format *f, long double value);
/* The format's number of these bits, and the other way. */
long double from_bits(const struct format *f, uint64_t bits);
uint64_t to_bits(const struct format *f, long double value);

/* |got - exact| in units in the last place of the exact result; of max(|exact|, 1) where absolute.
 * What overflows counts as the next power of two.  HUGE_VAL where nothing is to be compared: NaN,
 * infinity or a zero's sign in the wrong place. */
double ulps(const struct format *f, long double got, long double exact, bool absolute);
/* Of complex numbers: the distance in units of epsilon * |exact|. */
double epsilons(const struct format *f, const long double *got, const long double *exact);

/* ---- the built-in functions and their exact results */

/* From nargs values (complex numbers: two each, the real part first) to nresults values. */
typedef void exact_fn(const struct format *f, const long double *x, long double *result);

struct reference {
    const char *name;
    const char *args;    /* a letter each: x the type, i int32 */
    const char *results; /* x the type, r that of a complex number's parts, i int32, b bool */
    exact_fn *exact;
    double low, high; /* where the function is interesting; of its parts */
    bool scaled;      /* low and high are fractions of the largest number's logarithm */
    bool absolute;    /* errors are in units of the last place of max(|result|, 1) */
    bool (*skip)(const long double *x);     /* no standard says what it is there; NULL: nowhere */
    double (*growth)(const long double *x); /* of the bound */
};

/* NULL: there is none. */
const struct reference *real_reference(const char *name);
const struct reference *complex_reference(const char *name);

/* The rows of builtin.def, complex and written ones too. */
struct row {
    const char *name;
    int nargs, nresults;
    bool is_real, is_complex;
    double ulp32, ulp64;       /* of real numbers */
    double epsilon, epsilon64; /* of complex64 and complex128 */
};
/* NULL after the last. */
const struct row *table_row(int i);
/* The bound of a row for a type, in the units of ulps or epsilons; 0: correctly rounded.  Half
 * types are computed in float32 and rounded once more. */
double bound(const struct row *row, const struct format *f);

/* ---- inputs */

/* The special numbers of a format; returns how many; list may be NULL. */
int special_values(const struct format *f, long double *list);
/* Random input number i of a function: bit patterns, numbers of its range, and of all magnitudes
 * around 1, in turn. */
long double random_value(const struct format *f, const struct reference *r, uint64_t stream,
                         uint64_t i);

/* ---- calls */

/* "v2", "v3", "v4", "cpu", "sim", "cuda": says why it cannot be had here, or NULL; sets the
 * environment for it, so it comes before the first use of the libraries. */
const char *choose_device(const char *name);
/* Compiles for the device that was chosen; exits after errors.  quiet: NULL instead. */
struct ufcc_program *compile(const char *device, const char *source, bool quiet);
ufc_context *open_device(const char *device, int threads);

/* ---- threads */

/* Calls fn for [0, n), each a range of at most `grain`, on all cores. */
void on_all_cores(int64_t n, int64_t grain, void (*fn)(void *arg, int64_t begin, int64_t end),
                  void *arg);

#endif
