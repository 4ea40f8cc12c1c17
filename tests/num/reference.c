/* reference.c: the exact results of the functions of real numbers, by MPFR. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"

long double to_odd(mpfr_t v, int inexact) {
    if (mpfr_zero_p(v) && inexact)
        return mpfr_signbit(v) ? -LDBL_MIN : LDBL_MIN;
    if (!mpfr_regular_p(v))
        return mpfr_get_ld(v, MPFR_RNDZ);
    long double least = mpfr_get_exp(v) > 0 ? LDBL_MAX : LDBL_MIN;
    if (labs(mpfr_get_exp(v)) > 16380)
        return mpfr_signbit(v) ? -least : least;
    if (mpfr_get_prec(v) > BITS) {
        mpfr_t r;
        mpfr_init2(r, BITS);
        inexact |= mpfr_set(r, v, MPFR_RNDZ);
        long double result = to_odd(r, inexact);
        mpfr_clear(r);
        return result;
    }
    union {
        long double value;
        uint64_t mantissa;
    } u = {mpfr_get_ld(v, MPFR_RNDZ)};
    u.mantissa |= inexact != 0;
    return u.value;
}

enum { WIDE = 320 }; /* bits of what is computed in steps */

/* ---- MPFR's own functions */

typedef int one_fn(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int two_fn(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static long double of_one(one_fn *fn, long double x) {
    mpfr_t a, r;
    mpfr_inits2(BITS, a, r, (mpfr_ptr)NULL);
    mpfr_set_ld(a, x, MPFR_RNDN);
    int inexact = fn(r, a, MPFR_RNDZ);
    long double result = to_odd(r, inexact);
    mpfr_clears(a, r, (mpfr_ptr)NULL);
    return result;
}

static long double of_two(two_fn *fn, long double x, long double y) {
    mpfr_t a, b, r;
    mpfr_inits2(BITS, a, b, r, (mpfr_ptr)NULL);
    mpfr_set_ld(a, x, MPFR_RNDN);
    mpfr_set_ld(b, y, MPFR_RNDN);
    int inexact = fn(r, a, b, MPFR_RNDZ);
    long double result = to_odd(r, inexact);
    mpfr_clears(a, b, r, (mpfr_ptr)NULL);
    return result;
}

#define EXACT(NAME, value)                                                                         \
    static void NAME##_(const struct format *f, const long double *x, long double *result) {       \
        (void)f;                                                                                   \
        result[0] = (value);                                                                       \
    }
#define ONE(NAME, function) EXACT(NAME, of_one(function, x[0]))
#define TWO(NAME, function) EXACT(NAME, of_two(function, x[0], x[1]))

ONE(sin, mpfr_sin)
ONE(cos, mpfr_cos)
ONE(tan, mpfr_tan)
ONE(asin, mpfr_asin)
ONE(acos, mpfr_acos)
ONE(atan, mpfr_atan)
TWO(atan2, mpfr_atan2)
ONE(sinh, mpfr_sinh)
ONE(cosh, mpfr_cosh)
ONE(tanh, mpfr_tanh)
ONE(asinh, mpfr_asinh)
ONE(acosh, mpfr_acosh)
ONE(atanh, mpfr_atanh)
ONE(sinpi, mpfr_sinpi)
ONE(cospi, mpfr_cospi)
ONE(exp, mpfr_exp)
ONE(exp2, mpfr_exp2)
ONE(exp10, mpfr_exp10)
ONE(expm1, mpfr_expm1)
ONE(log, mpfr_log)
ONE(log2, mpfr_log2)
ONE(log10, mpfr_log10)
ONE(log1p, mpfr_log1p)
ONE(sqrt, mpfr_sqrt)
EXACT(rsqrt, x[0] == 0 ? 1 / x[0] : of_one(mpfr_rec_sqrt, x[0]))
ONE(cbrt, mpfr_cbrt)
TWO(hypot, mpfr_hypot)
TWO(pow, mpfr_pow)
ONE(square, mpfr_sqr)
ONE(erf, mpfr_erf)
ONE(erfc, mpfr_erfc)
ONE(tgamma, mpfr_gamma)
ONE(j0, mpfr_j0)
ONE(j1, mpfr_j1)
ONE(y0, mpfr_y0)
ONE(y1, mpfr_y1)

static int inverse(mpfr_t r, const mpfr_t x, mpfr_rnd_t round) {
    return mpfr_ui_div(r, 1, x, round);
}
ONE(reciprocal, inverse)

static int log_gamma(mpfr_t r, const mpfr_t x, mpfr_rnd_t round) {
    int sign;
    return mpfr_lgamma(r, &sign, x, round);
}
ONE(lgamma, log_gamma)

/* Bessel functions of order n, by recurrence from orders 0 and 1, which is stable for Y, and for J
 * where |x| > n. */
static void by_recurrence(mpfr_t r, one_fn *zeroth, one_fn *first, long n, long double x) {
    mpfr_t a, before, t;
    mpfr_inits2(WIDE, a, before, t, (mpfr_ptr)NULL);
    mpfr_set_ld(a, x, MPFR_RNDN);
    zeroth(before, a, MPFR_RNDN);
    first(r, a, MPFR_RNDN);
    for (long k = 1; k < n; k++) {
        mpfr_mul_si(t, r, 2 * k, MPFR_RNDN);
        mpfr_div(t, t, a, MPFR_RNDN);
        mpfr_sub(t, t, before, MPFR_RNDN);
        mpfr_set(before, r, MPFR_RNDN);
        mpfr_set(r, t, MPFR_RNDN);
    }
    if (n == 0)
        mpfr_set(r, before, MPFR_RNDN);
    mpfr_clears(a, before, t, (mpfr_ptr)NULL);
}

static long double of_order(bool second_kind, const long double *x) {
    mpfr_t a, r;
    long n = labs((long)x[0]);
    bool recurrence = isfinite(x[1]) && (second_kind ? x[1] > 0 : fabsl(x[1]) > (long double)n + 2);
    mpfr_init2(a, BITS);
    mpfr_init2(r, recurrence ? WIDE : BITS);
    mpfr_set_ld(a, x[1], MPFR_RNDN);
    int inexact = 1;
    if (recurrence)
        by_recurrence(r, second_kind ? mpfr_y0 : mpfr_j0, second_kind ? mpfr_y1 : mpfr_j1, n, x[1]);
    else
        inexact = (second_kind ? mpfr_yn : mpfr_jn)(r, n, a, MPFR_RNDZ);
    if (x[0] < 0 && n % 2)
        mpfr_neg(r, r, MPFR_RNDN);
    long double result = to_odd(r, inexact);
    mpfr_clears(a, r, (mpfr_ptr)NULL);
    return result;
}
EXACT(jn, of_order(false, x))
EXACT(yn, of_order(true, x))

/* As CUDA's documentation states the error of float32: at least 2 + 2.5 n units. */
static double growth_of_yn(const long double *x) {
    return fmax(1, (2 + 2.5 * (double)fabsl(x[0])) / 20);
}

static void fma_(const struct format *f, const long double *x, long double *result) {
    (void)f;
    mpfr_t v[3], r;
    mpfr_init2(r, BITS);
    for (int i = 0; i < 3; i++) {
        mpfr_init2(v[i], BITS);
        mpfr_set_ld(v[i], x[i], MPFR_RNDN);
    }
    int inexact = mpfr_fma(r, v[0], v[1], v[2], MPFR_RNDZ);
    result[0] = to_odd(r, inexact);
    /* MPFR's sum of opposite numbers is C's but for the direction */
    if (result[0] == 0 && !inexact && x[2] != 0)
        result[0] = 0;
    mpfr_clears(v[0], v[1], v[2], r, (mpfr_ptr)NULL);
}

/* ---- compositions */

typedef void composed_fn(mpfr_t r, const long double *x);

static long double of_composed(composed_fn *fn, const long double *x) {
    mpfr_t r;
    mpfr_init2(r, WIDE);
    fn(r, x);
    long double result = to_odd(r, 1); /* none of them is exact where it is regular */
    mpfr_clear(r);
    return result;
}

static void angle(mpfr_t r, long double x, bool to_degrees) {
    mpfr_const_pi(r, MPFR_RNDN);
    mpfr_div_ui(r, r, 180, MPFR_RNDN);
    if (to_degrees)
        mpfr_ui_div(r, 1, r, MPFR_RNDN);
    mpfr_t a;
    mpfr_init2(a, BITS);
    mpfr_set_ld(a, x, MPFR_RNDN);
    mpfr_mul(r, a, r, MPFR_RNDN);
    mpfr_clear(a);
}
static void to_radians(mpfr_t r, const long double *x) {
    angle(r, x[0], false);
}
static void to_degrees(mpfr_t r, const long double *x) {
    angle(r, x[0], true);
}
EXACT(deg2rad, x[0] == 0 || !isfinite(x[0]) ? x[0] : of_composed(to_radians, x))
EXACT(rad2deg, x[0] == 0 || !isfinite(x[0]) ? x[0] : of_composed(to_degrees, x))

static void sine_over(mpfr_t r, const long double *x) {
    mpfr_t a, b;
    mpfr_inits2(WIDE, a, b, (mpfr_ptr)NULL);
    mpfr_set_ld(a, x[0], MPFR_RNDN);
    mpfr_const_pi(b, MPFR_RNDN);
    mpfr_mul(b, a, b, MPFR_RNDN);
    mpfr_sinpi(r, a, MPFR_RNDN);
    mpfr_div(r, r, b, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}
static void sinc_(const struct format *f, const long double *x, long double *result) {
    (void)f;
    if (x[0] == 0)
        result[0] = 1;
    else if (!isfinite(x[0]))
        result[0] = NAN;
    else if (x[0] == truncl(x[0])) /* its zeros have the sign of sinpi over x */
        result[0] = 0;
    else
        result[0] = of_composed(sine_over, x);
}

/* max(x, y) + log1p(exp(-|x - y|)), of base e or 2 */
static void log_sum(mpfr_t r, const long double *x, bool binary) {
    mpfr_t a, b, c;
    mpfr_inits2(WIDE, a, b, c, (mpfr_ptr)NULL);
    mpfr_set_ld(a, fmaxl(x[0], x[1]), MPFR_RNDN);
    mpfr_set_ld(b, fminl(x[0], x[1]), MPFR_RNDN);
    mpfr_sub(c, b, a, MPFR_RNDN);
    if (binary)
        mpfr_exp2(c, c, MPFR_RNDN);
    else
        mpfr_exp(c, c, MPFR_RNDN);
    mpfr_log1p(c, c, MPFR_RNDN);
    if (binary) {
        mpfr_const_log2(b, MPFR_RNDN);
        mpfr_div(c, c, b, MPFR_RNDN);
    }
    mpfr_add(r, a, c, MPFR_RNDN);
    mpfr_clears(a, b, c, (mpfr_ptr)NULL);
}
static void log_sum_e(mpfr_t r, const long double *x) {
    log_sum(r, x, false);
}
static void log_sum_2(mpfr_t r, const long double *x) {
    log_sum(r, x, true);
}
static long double of_log_sum(composed_fn *fn, const long double *x) {
    if (isnan(x[0]) || isnan(x[1]))
        return NAN;
    return isinf(x[0]) || isinf(x[1]) ? fmaxl(x[0], x[1]) : of_composed(fn, x);
}
EXACT(logaddexp, of_log_sum(log_sum_e, x))
EXACT(logaddexp2, of_log_sum(log_sum_2, x))

/* Newton's steps from Winitzki's approximation. */
static void inverse_erf(mpfr_t r, const long double *x) {
    mpfr_t a, b, c, root;
    mpfr_inits2(WIDE, a, b, c, root, (mpfr_ptr)NULL);
    mpfr_set_ld(a, x[0], MPFR_RNDN);
    mpfr_const_pi(root, MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDN);
    mpfr_div_ui(root, root, 2, MPFR_RNDN);
    long double log = logl((1 - x[0]) * (1 + x[0])), k = 0.147L;
    long double t = 2 / (acosl(-1) * k) + log / 2;
    long double start = copysignl(sqrtl(sqrtl(t * t - log / k) - t), x[0]);
    mpfr_set_ld(r, fabsl(x[0]) < 1e-3L ? x[0] * 0.886226925452758L : start, MPFR_RNDN);
    mpfr_exp_t step;
    do {
        mpfr_erf(b, r, MPFR_RNDN);
        mpfr_sub(b, b, a, MPFR_RNDN);
        mpfr_sqr(c, r, MPFR_RNDN);
        mpfr_exp(c, c, MPFR_RNDN);
        mpfr_mul(b, b, c, MPFR_RNDN);
        mpfr_mul(b, b, root, MPFR_RNDN);
        mpfr_sub(r, r, b, MPFR_RNDN);
        step = mpfr_zero_p(b) ? mpfr_get_exp(r) - WIDE : mpfr_get_exp(b);
    } while (step > mpfr_get_exp(r) - 50); /* and the error is that of the square of the step */
    mpfr_clears(a, b, c, root, (mpfr_ptr)NULL);
}
EXACT(erfinv, x[0] == 0 || isnan(x[0]) ? x[0]
              : fabsl(x[0]) > 1        ? NAN
              : fabsl(x[0]) == 1       ? copysignl(INFINITY, x[0])
                                       : of_composed(inverse_erf, x))

/* ---- what C computes exactly */

EXACT(floor, floorl(x[0]))
EXACT(ceil, ceill(x[0]))
EXACT(trunc, truncl(x[0]))
EXACT(rint, rintl(x[0]))
EXACT(abs, fabsl(x[0]))
EXACT(real, x[0])
EXACT(arg, of_two(mpfr_atan2, 0, x[0]))
EXACT(logb, logbl(x[0]))
EXACT(ilogb, isnan(x[0]) || x[0] == 0 ? INT_MIN : isinf(x[0]) ? INT_MAX : (long double)ilogbl(x[0]))
EXACT(fmod, fmodl(x[0], x[1]))
EXACT(copysign, copysignl(x[0], x[1]))
EXACT(sign, isnan(x[0]) ? x[0] : (x[0] > 0) - (x[0] < 0))
EXACT(signbit, signbit(x[0]) != 0)
EXACT(isnan, isnan(x[0]))
EXACT(isinf, isinf(x[0]) != 0)
EXACT(isfinite, isfinite(x[0]) != 0)
EXACT(ldexp, ldexpl(x[0], x[1] > 9999 ? 9999 : x[1] < -9999 ? -9999 : (int)x[1]))
EXACT(heaviside, isnan(x[0]) ? x[0] : x[0] == 0 ? x[1] : x[0] > 0)
EXACT(fdim, isnan(x[0]) || isnan(x[1]) ? NAN : x[0] <= x[1] ? 0 : of_two(mpfr_sub, x[0], x[1]))

/* NumPy's: the first of equal ones; min and max give NaN for NaN, fmin and fmax the other. */
EXACT(min, isnan(x[0]) || x[0] <= x[1] ? x[0] : x[1])
EXACT(max, isnan(x[0]) || x[0] >= x[1] ? x[0] : x[1])
EXACT(fmin, isnan(x[1]) || x[0] <= x[1] ? x[0] : x[1])
EXACT(fmax, isnan(x[1]) || x[0] >= x[1] ? x[0] : x[1])

static void imag_(const struct format *f, const long double *x, long double *result) {
    (void)f;
    (void)x;
    result[0] = 0;
}

static void clip_(const struct format *f, const long double *x, long double *result) {
    long double t[2];
    max_(f, x, t);
    t[1] = x[2];
    min_(f, t, result);
}

static void modf_(const struct format *f, const long double *x, long double *result) {
    (void)f;
    result[0] = modfl(x[0], &result[1]);
}

static void frexp_(const struct format *f, const long double *x, long double *result) {
    (void)f;
    int e = 0;
    result[0] = isfinite(x[0]) ? frexpl(x[0], &e) : x[0];
    result[1] = e;
}

/* Of zeros of either sign it is the second, but NumPy's of float16 is the first. */
static void nextafter_(const struct format *f, const long double *x, long double *result) {
    if (isnan(x[0]) || isnan(x[1]))
        result[0] = isnan(x[0]) ? x[0] : x[1];
    else if (x[0] == x[1])
        result[0] = f->type == UFC_FLOAT16 ? x[0] : x[1];
    else if (x[0] == 0)
        result[0] = copysignl(from_bits(f, 1), x[1]);
    else
        result[0] = from_bits(f, to_bits(f, x[0]) + ((x[0] < x[1]) == (x[0] > 0) ? 1 : UINT64_MAX));
}

/* NumPy's spacing: the distance to the next number away from zero. */
static void eps_(const struct format *f, const long double *x, long double *result) {
    result[0] = isfinite(x[0]) ? from_bits(f, to_bits(f, fabsl(x[0])) + 1) - fabsl(x[0]) : NAN;
    result[0] = x[0] < 0 ? -result[0] : result[0];
}

/* ---- the table */

#define PI 3.14159265358979323846

static const struct reference table[] = {
    {"sin", "x", "x", sin_, .low = -8 * PI, .high = 8 * PI},
    {"cos", "x", "x", cos_, .low = -8 * PI, .high = 8 * PI},
    {"tan", "x", "x", tan_, .low = -8 * PI, .high = 8 * PI},
    {"asin", "x", "x", asin_, .low = -1, .high = 1},
    {"acos", "x", "x", acos_, .low = -1, .high = 1},
    {"atan", "x", "x", atan_, .low = -10, .high = 10},
    {"atan2", "xx", "x", atan2_, .low = -10, .high = 10},
    {"sinh", "x", "x", sinh_, .low = -1, .high = 1, .scaled = true},
    {"cosh", "x", "x", cosh_, .low = -1, .high = 1, .scaled = true},
    {"tanh", "x", "x", tanh_, .low = -20, .high = 20},
    {"asinh", "x", "x", asinh_, .low = -10, .high = 10},
    {"acosh", "x", "x", acosh_, .low = 1, .high = 10},
    {"atanh", "x", "x", atanh_, .low = -1, .high = 1},
    {"sinpi", "x", "x", sinpi_, .low = -20, .high = 20},
    {"cospi", "x", "x", cospi_, .low = -20, .high = 20},
    {"deg2rad", "x", "x", deg2rad_, .low = -360, .high = 360},
    {"rad2deg", "x", "x", rad2deg_, .low = -2 * PI, .high = 2 * PI},
    {"exp", "x", "x", exp_, .low = -1.1, .high = 1.01, .scaled = true},
    {"exp2", "x", "x", exp2_, .low = -1.6, .high = 1.5, .scaled = true},
    {"exp10", "x", "x", exp10_, .low = -0.5, .high = 0.44, .scaled = true},
    {"expm1", "x", "x", expm1_, .low = -1, .high = 1.01, .scaled = true},
    {"log", "x", "x", log_, .low = 0, .high = 4},
    {"log2", "x", "x", log2_, .low = 0, .high = 4},
    {"log10", "x", "x", log10_, .low = 0, .high = 4},
    {"log1p", "x", "x", log1p_, .low = -1, .high = 3},
    {"logb", "x", "x", logb_, .low = 0, .high = 4},
    {"ilogb", "x", "i", ilogb_, .low = 0, .high = 4},
    {"sqrt", "x", "x", sqrt_, .low = 0, .high = 4},
    {"rsqrt", "x", "x", rsqrt_, .low = 0, .high = 4},
    {"cbrt", "x", "x", cbrt_, .low = -8, .high = 8},
    {"hypot", "xx", "x", hypot_, .low = -10, .high = 10},
    {"pow", "xx", "x", pow_, .low = 0, .high = 30},
    {"square", "x", "x", square_, .low = -10, .high = 10},
    {"reciprocal", "x", "x", reciprocal_, .low = -4, .high = 4},
    {"floor", "x", "x", floor_, .low = -10, .high = 10},
    {"ceil", "x", "x", ceil_, .low = -10, .high = 10},
    {"trunc", "x", "x", trunc_, .low = -10, .high = 10},
    {"rint", "x", "x", rint_, .low = -10, .high = 10},
    {"round", "x", "x", rint_, .low = -10, .high = 10},
    {"fmod", "xx", "x", fmod_, .low = -10, .high = 10},
    {"modf", "x", "xx", modf_, .low = -10, .high = 10},
    {"frexp", "x", "xi", frexp_, .low = -10, .high = 10},
    {"ldexp", "xi", "x", ldexp_, .low = -4, .high = 4},
    {"nextafter", "xx", "x", nextafter_, .low = -2, .high = 2},
    {"eps", "x", "x", eps_, .low = -2, .high = 2},
    {"abs", "x", "x", abs_, .low = -2, .high = 2},
    {"sign", "x", "x", sign_, .low = -2, .high = 2},
    {"copysign", "xx", "x", copysign_, .low = -2, .high = 2},
    {"signbit", "x", "b", signbit_, .low = -2, .high = 2},
    {"isnan", "x", "b", isnan_, .low = -2, .high = 2},
    {"isinf", "x", "b", isinf_, .low = -2, .high = 2},
    {"isfinite", "x", "b", isfinite_, .low = -2, .high = 2},
    {"fma", "xxx", "x", fma_, .low = -2, .high = 2},
    {"min", "xx", "x", min_, .low = -2, .high = 2},
    {"max", "xx", "x", max_, .low = -2, .high = 2},
    {"fmin", "xx", "x", fmin_, .low = -2, .high = 2},
    {"fmax", "xx", "x", fmax_, .low = -2, .high = 2},
    {"clip", "xxx", "x", clip_, .low = -2, .high = 2},
    {"fdim", "xx", "x", fdim_, .low = -2, .high = 2},
    {"heaviside", "xx", "x", heaviside_, .low = -2, .high = 2},
    {"erf", "x", "x", erf_, .low = -6, .high = 6},
    {"erfc", "x", "x", erfc_, .low = -6, .high = 28},
    {"erfinv", "x", "x", erfinv_, .low = -1, .high = 1},
    {"tgamma", "x", "x", tgamma_, .low = -40, .high = 172},
    {"lgamma", "x", "x", lgamma_, .low = -20, .high = 20, .absolute = true},
    {"j0", "x", "x", j0_, .low = -60, .high = 60, .absolute = true},
    {"j1", "x", "x", j1_, .low = -60, .high = 60, .absolute = true},
    {"jn", "ix", "x", jn_, .low = -60, .high = 60, .absolute = true},
    {"y0", "x", "x", y0_, .low = 0, .high = 60, .absolute = true},
    {"y1", "x", "x", y1_, .low = 0, .high = 60, .absolute = true},
    {"yn", "ix", "x", yn_, .low = 0, .high = 60, .absolute = true, .growth = growth_of_yn},
    {"sinc", "x", "x", sinc_, .low = -20, .high = 20},
    {"logaddexp", "xx", "x", logaddexp_, .low = -30, .high = 30, .absolute = true},
    {"logaddexp2", "xx", "x", logaddexp2_, .low = -30, .high = 30, .absolute = true},
    {"real", "x", "x", real_, .low = -2, .high = 2},
    {"imag", "x", "x", imag_, .low = -2, .high = 2},
    {"conj", "x", "x", real_, .low = -2, .high = 2},
    {"arg", "x", "x", arg_, .low = -2, .high = 2},
    {"angle", "x", "x", arg_, .low = -2, .high = 2},
};

const struct reference *real_reference(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
