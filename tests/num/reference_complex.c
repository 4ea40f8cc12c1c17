/* reference_complex.c: the exact results of the functions of complex numbers, by MPC; of infinities
 * and NaN those of the C library, which are Annex G's. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include <mpc.h>

#include "exact.h"

static bool all_finite(const long double *z) {
    return isfinite(z[0]) && isfinite(z[1]);
}

static void set(mpc_t z, const long double *x) {
    mpc_set_ld_ld(z, x[0], x[1], MPC_RNDNN);
}

/* inexact: as mpc's functions with MPC_RNDZZ give it */
static void get(mpc_t z, int inexact, long double *result) {
    result[0] = to_odd(mpc_realref(z), MPC_INEX_RE(inexact));
    result[1] = to_odd(mpc_imagref(z), MPC_INEX_IM(inexact));
}

static long double complex joined(const long double *x) {
    return CMPLXL(x[0], x[1]);
}

static void split(long double complex z, long double *result) {
    result[0] = creall(z);
    result[1] = cimagl(z);
}

typedef int one_fn(mpc_t, const mpc_t, mpc_rnd_t);

static void of_one(one_fn *fn, const long double *x, long double *result) {
    mpc_t a, r;
    mpc_init2(a, BITS);
    mpc_init2(r, BITS);
    set(a, x);
    int inexact = fn(r, a, MPC_RNDZZ);
    get(r, inexact, result);
    mpc_clear(a);
    mpc_clear(r);
}

#define ONE(NAME)                                                                                  \
    static void NAME##_(const struct format *f, const long double *x, long double *result) {       \
        (void)f;                                                                                   \
        if (all_finite(x))                                                                         \
            of_one(mpc_##NAME, x, result);                                                         \
        else                                                                                       \
            split(c##NAME##l(joined(x)), result);                                                  \
    }

ONE(sin)
ONE(cos)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(exp)
ONE(log)
ONE(sqrt)

/* Beyond 40, where MPC takes a very long time: sin(2 x) / cosh(2 y), nearly, and nearly 1. */
static void tangent(const long double *x, long double *result) {
    mpfr_t a, e;
    if (fabsl(x[1]) <= 40) {
        of_one(mpc_tan, x, result);
        return;
    }
    mpfr_init2(a, BITS);
    mpfr_init2(e, 192);
    mpfr_set_ld(a, x[0], MPFR_RNDN);
    mpfr_mul_2ui(a, a, 1, MPFR_RNDN);
    mpfr_set_ld(e, -2 * fabsl(x[1]), MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_mul_2ui(e, e, 1, MPFR_RNDN);
    mpfr_sin(a, a, MPFR_RNDN);
    int inexact = mpfr_mul(e, e, a, MPFR_RNDN);
    result[0] = to_odd(e, inexact);
    result[1] = copysignl(1, x[1]);
    mpfr_clear(a);
    mpfr_clear(e);
}

static void tan_(const struct format *f, const long double *x, long double *result) {
    (void)f;
    if (all_finite(x))
        tangent(x, result);
    else
        split(ctanl(joined(x)), result);
}

static void tanh_(const struct format *f, const long double *x, long double *result) {
    const long double turned[2] = {-x[1], x[0]};
    (void)f;
    if (!all_finite(x)) {
        split(ctanhl(joined(x)), result);
        return;
    }
    long double t[2];
    tangent(turned, t);
    result[0] = t[1];
    result[1] = -t[0];
}

/* ---- compositions: with twice the bits until two results agree */

typedef void composed_fn(mpc_t r, mpc_t *x);

static bool agree_part(mpfr_t a, mpfr_t b) {
    mpfr_t d, n;
    mpfr_inits2(BITS, d, n, (mpfr_ptr)NULL);
    mpfr_sub(d, a, b, MPFR_RNDN);
    mpfr_abs(d, d, MPFR_RNDN);
    mpfr_abs(n, b, MPFR_RNDN);
    mpfr_mul_2si(n, n, -70, MPFR_RNDN);
    bool ok = !mpfr_zero_p(b) && (!mpfr_regular_p(b) || mpfr_lessequal_p(d, n));
    mpfr_clears(d, n, (mpfr_ptr)NULL);
    return ok;
}

static bool agree(mpc_t a, mpc_t b) {
    return agree_part(mpc_realref(a), mpc_realref(b)) && agree_part(mpc_imagref(a), mpc_imagref(b));
}

static void of_composed(composed_fn *fn, const long double *x, int nargs, long double *result) {
    mpc_t a[2], r, before;
    for (int i = 0; i < nargs; i++) {
        mpc_init2(a[i], BITS);
        set(a[i], x + 2 * i);
    }
    mpc_init2(before, 128);
    fn(before, a);
    bool done = false;
    for (mpfr_prec_t bits = 256; !done; bits *= 2) {
        mpc_init2(r, bits);
        fn(r, a);
        done = agree(before, r) || bits > 4096; /* or a part is 0 */
        mpc_clear(before);
        *before = *r;
    }
    get(before, ~0, result);
    mpc_clear(before);
    for (int i = 0; i < nargs; i++)
        mpc_clear(a[i]);
}

/* r *= log(base), or is divided by it */
static void by_log(mpc_t r, unsigned base, bool divide) {
    mpfr_t l;
    mpfr_init2(l, mpc_get_prec(r));
    mpfr_log_ui(l, base, MPFR_RNDN);
    if (divide)
        mpc_div_fr(r, r, l, MPC_RNDNN);
    else
        mpc_mul_fr(r, r, l, MPC_RNDNN);
    mpfr_clear(l);
}

static void to_exp2(mpc_t r, mpc_t *x) {
    mpc_set(r, x[0], MPC_RNDNN);
    by_log(r, 2, false);
    mpc_exp(r, r, MPC_RNDNN);
}
static void to_expm1(mpc_t r, mpc_t *x) {
    mpc_exp(r, x[0], MPC_RNDNN);
    mpc_sub_ui(r, r, 1, MPC_RNDNN);
}
static void to_log2(mpc_t r, mpc_t *x) {
    mpc_log(r, x[0], MPC_RNDNN);
    by_log(r, 2, true);
}
static void to_log10(mpc_t r, mpc_t *x) {
    mpc_log(r, x[0], MPC_RNDNN);
    by_log(r, 10, true);
}
static void to_pow(mpc_t r, mpc_t *x) {
    mpc_pow(r, x[0], x[1], MPC_RNDNN);
}
static void to_products(mpc_t r, mpc_t *x) {
    mpc_sqr(r, x[0], MPC_RNDNN);
}
static void to_inverse(mpc_t r, mpc_t *x) {
    mpc_ui_div(r, 1, x[0], MPC_RNDNN);
}
static void to_sign(mpc_t r, mpc_t *x) {
    mpfr_t n;
    mpfr_init2(n, mpc_get_prec(r));
    mpc_abs(n, x[0], MPFR_RNDN);
    mpc_div_fr(r, x[0], n, MPC_RNDNN);
    mpfr_clear(n);
}

#define COMPOSED(NAME, nargs, special)                                                             \
    static void NAME##_(const struct format *f, const long double *x, long double *result) {       \
        (void)f;                                                                                   \
        if (all_finite(x) && !(x[0] == 0 && x[1] == 0))                                            \
            of_composed(to_##NAME, x, nargs, result);                                              \
        else                                                                                       \
            split(special, result);                                                                \
    }

COMPOSED(exp2, 1, cexpl(CMPLXL(x[0], x[1] * logl(2))))
COMPOSED(expm1, 1, all_finite(x) ? joined(x) : cexpl(joined(x)))
COMPOSED(log2, 1, CMPLXL(creall(clogl(joined(x))), cimagl(clogl(joined(x))) / logl(2)))
COMPOSED(log10, 1, CMPLXL(creall(clogl(joined(x))), cimagl(clogl(joined(x))) / logl(10)))
COMPOSED(pow, 2, 0)
COMPOSED(products, 1, 0)
COMPOSED(inverse, 1, 0)
COMPOSED(sign, 1, 0)

/* log1p(2 x + x**2 + y**2) / 2 and atan2(y, 1 + x), the sums exact. */
static void log1p_(const struct format *f, const long double *x, long double *result) {
    mpfr_t a, b, sum, r;
    (void)f;
    if (!all_finite(x)) {
        split(clogl(CMPLXL(1 + x[0], x[1])), result);
        return;
    }
    mpfr_inits2(2 * BITS, a, b, r, (mpfr_ptr)NULL);
    mpfr_init2(sum, 4400);
    mpfr_set_ld(a, x[0], MPFR_RNDN);
    mpfr_set_ld(b, x[1], MPFR_RNDN);
    mpfr_add_ui(sum, a, 1, MPFR_RNDN);
    int inexact = mpfr_atan2(r, b, sum, MPFR_RNDZ);
    result[1] = to_odd(r, inexact);
    mpfr_mul_2ui(sum, a, 1, MPFR_RNDN);
    mpfr_sqr(a, a, MPFR_RNDN);
    mpfr_sqr(b, b, MPFR_RNDN);
    mpfr_add(sum, sum, a, MPFR_RNDN);
    mpfr_add(sum, sum, b, MPFR_RNDN);
    inexact = mpfr_log1p(r, sum, MPFR_RNDZ);
    mpfr_div_2ui(r, r, 1, MPFR_RNDN);
    result[0] = mpfr_zero_p(r) ? 0 : to_odd(r, inexact);
    mpfr_clears(a, b, sum, r, (mpfr_ptr)NULL);
}

/* The plain products, which may overflow where their difference does not. */
static void square_(const struct format *f, const long double *x, long double *result) {
    long double re = rounded(f, x[0] * x[0]), im = rounded(f, x[1] * x[1]);
    products_(f, x, result);
    if (!isfinite(re) || !isfinite(im) || re == im)
        result[0] = re - im;
    if (!all_finite(x) || result[1] == 0)
        result[1] = x[0] * x[1] + x[1] * x[0];
}

/* ---- what C computes exactly */

#define EXACT(NAME, re, im)                                                                        \
    static void NAME##_(const struct format *f, const long double *x, long double *result) {       \
        (void)f;                                                                                   \
        result[0] = (re);                                                                          \
        result[1] = (im);                                                                          \
    }

static bool no_number(const long double *z) {
    return isnan(z[0]) || isnan(z[1]);
}
static bool less(const long double *a, const long double *b) {
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}
static bool same(const long double *a, const long double *b) {
    return a[0] == b[0] && a[1] == b[1];
}

EXACT(real, x[0], 0)
EXACT(imag, x[1], 0)
EXACT(conj, x[0], -x[1])
EXACT(rint, rintl(x[0]), rintl(x[1]))
EXACT(isnan, no_number(x), 0)
EXACT(isinf, isinf(x[0]) || isinf(x[1]), 0)
EXACT(isfinite, all_finite(x), 0)

static const long double *chosen(const long double *x, bool first) {
    return first ? x : x + 2;
}
#define CHOICE(NAME, first) EXACT(NAME, chosen(x, first)[0], chosen(x, first)[1])
CHOICE(min, no_number(x) || (!no_number(x + 2) && (less(x, x + 2) || same(x, x + 2))))
CHOICE(max, no_number(x) || (!no_number(x + 2) && (less(x + 2, x) || same(x, x + 2))))
CHOICE(fmin, no_number(x + 2) || (!no_number(x) && (less(x, x + 2) || same(x, x + 2))))
CHOICE(fmax, no_number(x + 2) || (!no_number(x) && (less(x + 2, x) || same(x, x + 2))))

static void abs_(const struct format *f, const long double *x, long double *result) {
    real_reference("hypot")->exact(f, x, result);
}
static void arg_(const struct format *f, const long double *x, long double *result) {
    const long double turned[2] = {x[1], x[0]};
    real_reference("atan2")->exact(f, turned, result);
}

/* ---- where nothing says what a result is */

static bool not_finite(const long double *x) {
    return !all_finite(x);
}
static bool zero_or_not_finite(const long double *x) {
    return !all_finite(x) || (x[0] == 0 && x[1] == 0);
}
/* of pow: but for zero to the power of one */
static bool special_power(const long double *x) {
    return zero_or_not_finite(x) || zero_or_not_finite(x + 2);
}

/* the sign of tanh's zero, as Annex G leaves it */
static bool infinite_tanh(const long double *x) {
    return isinf(x[0]) && !isfinite(x[1]);
}
/* the sign of zero with a NaN, and of an infinite angle's */
static bool infinite_atan(const long double *x) {
    return isinf(x[0]) && isnan(x[1]);
}
static bool infinite_atanh(const long double *x) {
    return isnan(x[0]) && isinf(x[1]);
}
static bool zero_turned(const long double *x) {
    return x[0] == -INFINITY && !isfinite(x[1]);
}
static bool infinite_tan(const long double *x) {
    return isinf(x[1]) && !isfinite(x[0]);
}
/* the direction of zero or infinity, which is that of a large angle */
static bool infinite_turned(const long double *x) {
    return !isfinite(x[0]) && fabsl(x[1]) > 1000;
}

/* ---- the condition of what is reduced by a rounded product */

static double growth_of_exp2(const long double *x) {
    return 1 + (double)fabsl(x[1]);
}
static double growth_of_pow(const long double *x) {
    return 1 + (double)cabsl(joined(x + 2) * clogl(joined(x)));
}

#define PI 3.14159265358979323846

static const struct reference table[] = {
    {"sin", "x", "x", sin_, .low = -4 * PI, .high = 4 * PI},
    {"cos", "x", "x", cos_, .low = -4 * PI, .high = 4 * PI},
    {"tan", "x", "x", tan_, .low = -4 * PI, .high = 4 * PI, .skip = infinite_tan},
    {"asin", "x", "x", asin_, .low = -2, .high = 2},
    {"acos", "x", "x", acos_, .low = -2, .high = 2},
    {"atan", "x", "x", atan_, .low = -2, .high = 2, .skip = infinite_atan},
    {"sinh", "x", "x", sinh_, .low = -4 * PI, .high = 4 * PI},
    {"cosh", "x", "x", cosh_, .low = -4 * PI, .high = 4 * PI},
    {"tanh", "x", "x", tanh_, .low = -4 * PI, .high = 4 * PI, .skip = infinite_tanh},
    {"asinh", "x", "x", asinh_, .low = -2, .high = 2},
    {"acosh", "x", "x", acosh_, .low = -2, .high = 2},
    {"atanh", "x", "x", atanh_, .low = -2, .high = 2, .skip = infinite_atanh},
    {"exp", "x", "x", exp_, .low = -1, .high = 1, .scaled = true, .skip = zero_turned},
    {"exp2", "x", "x", exp2_, .low = -1.5, .high = 1.5, .scaled = true, .skip = infinite_turned,
     .growth = growth_of_exp2},
    {"expm1", "x", "x", expm1_, .low = -2, .high = 2, .skip = not_finite},
    {"log", "x", "x", log_, .low = -2, .high = 2},
    {"log2", "x", "x", log2_, .low = -2, .high = 2},
    {"log10", "x", "x", log10_, .low = -2, .high = 2},
    {"log1p", "x", "x", log1p_, .low = -2, .high = 2},
    {"sqrt", "x", "x", sqrt_, .low = -4, .high = 4},
    {"pow", "xx", "x", pow_, .low = -4, .high = 4, .skip = special_power, .growth = growth_of_pow},
    {"square", "x", "x", square_, .low = -4, .high = 4},
    {"reciprocal", "x", "x", inverse_, .low = -4, .high = 4, .skip = zero_or_not_finite},
    {"abs", "x", "r", abs_, .low = -4, .high = 4},
    {"sign", "x", "x", sign_, .low = -4, .high = 4, .skip = zero_or_not_finite},
    {"rint", "x", "x", rint_, .low = -4, .high = 4},
    {"round", "x", "x", rint_, .low = -4, .high = 4},
    {"min", "xx", "x", min_, .low = -4, .high = 4},
    {"max", "xx", "x", max_, .low = -4, .high = 4},
    {"fmin", "xx", "x", fmin_, .low = -4, .high = 4},
    {"fmax", "xx", "x", fmax_, .low = -4, .high = 4},
    {"isnan", "x", "b", isnan_, .low = -4, .high = 4},
    {"isinf", "x", "b", isinf_, .low = -4, .high = 4},
    {"isfinite", "x", "b", isfinite_, .low = -4, .high = 4},
    {"real", "x", "r", real_, .low = -4, .high = 4},
    {"imag", "x", "r", imag_, .low = -4, .high = 4},
    {"conj", "x", "x", conj_, .low = -4, .high = 4},
    {"arg", "x", "r", arg_, .low = -4, .high = 4},
    {"angle", "x", "r", arg_, .low = -4, .high = 4},
};

const struct reference *complex_reference(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
