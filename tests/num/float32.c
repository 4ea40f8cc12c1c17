/* float32: the largest errors of the float32 functions of one argument over all 2^32 inputs.
 *
 *     float32 STEP DEVICES [FUNCTION...]
 *
 * takes every STEP-th input: 1 for all.  DEVICES, with commas: one of v2, v3, v4, and sim, cuda.
 * Prints a line a function and device: the error in units in the last place, and where it is; fails
 * where a bound of builtin.def is exceeded.  The result is compared with libm's in float64, which
 * decides but for what would be the largest error so far: that MPFR computes. */
#include <gnu/libc-version.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../compiler/ufcc.h"
#include "../test.h"
#include "num.h"

enum { MAX_DEVICES = 4, CHUNK = 1 << 18 };

/* ---- in float64 */

static double sinpi_(double x) {
    double r = x - 2 * rint(x / 2), n = rint(2 * r); /* r = n/2 + rest, n in -2..2 */
    double rest = (r - n / 2) * M_PI;
    double v = (int)n % 2 == 0 ? sin(rest) : cos(rest);
    v = n == -1 || fabs(n) == 2 ? -v : v;
    return v == 0 ? copysign(0, x) : v;
}
static double cospi_(double x) {
    double r = x - 2 * rint(x / 2), n = rint(2 * r);
    double rest = (r - n / 2) * M_PI;
    double v = (int)n % 2 == 0 ? cos(rest) : sin(rest);
    v = n == 1 || fabs(n) == 2 ? -v : v;
    return v == 0 ? 0 : v;
}
static double sinc_(double x) {
    return x == 0 ? 1 : sinpi_(x) / (M_PI * x);
}
static double lgamma_(double x) {
    int sign;
    return lgamma_r(x, &sign);
}
static double y0_(double x) {
    return x < 0 ? NAN : y0(x);
}
static double y1_(double x) {
    return x < 0 ? NAN : y1(x);
}
static double deg2rad_(double x) {
    return x * (M_PI / 180);
}
static double rad2deg_(double x) {
    return x * (180 / M_PI);
}
/* of float32 */
static double eps_(double x) {
    float f = fabsf((float)x), next = nextafterf(f, INFINITY);
    return isinf(f)           ? NAN
           : next == INFINITY ? (double)f - (double)nextafterf(f, 0)
                              : (double)next - (double)f;
}
static double rsqrt_(double x) {
    return 1 / sqrt(x);
}
static double square_(double x) {
    return x * x;
}
static double reciprocal_(double x) {
    return 1 / x;
}
static double sign_(double x) {
    return isnan(x) ? x : (x > 0) - (x < 0);
}
static double same_(double x) {
    return x;
}
static double zero_(double x) {
    (void)x;
    return 0;
}
static double arg_(double x) {
    return isnan(x) ? x : signbit(x) ? M_PI : 0;
}
/* Halley's steps from Winitzki's approximation */
static double erfinv_(double x) {
    double a = fabs(x), k = 0.147;
    if (!(a < 1))
        return a == 1 ? x * INFINITY : NAN;
    if (a < 1e-3)
        return x * 0.88622692545275801365 *
               (1 + x * x * (M_PI / 12 + x * x * (7 * M_PI * M_PI / 480)));
    double l = log((1 - a) * (1 + a)), t = 2 / (M_PI * k) + l / 2;
    double y = sqrt(sqrt(t * t - l / k) - t);
    for (int i = 0; i < 3; i++) {
        double r = (a < 0.5 ? erf(y) - a : (1 - a) - erfc(y)) * exp(y * y) * 0.88622692545275801365;
        y -= r / (1 + y * r);
    }
    return copysign(y, x);
}

static const struct {
    const char *name;
    double (*fn)(double);
} table[] = {
    {"sin", sin},        {"cos", cos},          {"tan", tan},          {"asin", asin},
    {"acos", acos},      {"atan", atan},        {"sinh", sinh},        {"cosh", cosh},
    {"tanh", tanh},      {"asinh", asinh},      {"acosh", acosh},      {"atanh", atanh},
    {"sinpi", sinpi_},   {"cospi", cospi_},     {"exp", exp},          {"exp2", exp2},
    {"exp10", exp10},    {"expm1", expm1},      {"log", log},          {"log2", log2},
    {"log10", log10},    {"log1p", log1p},      {"logb", logb},        {"sqrt", sqrt},
    {"rsqrt", rsqrt_},   {"cbrt", cbrt},        {"square", square_},   {"reciprocal", reciprocal_},
    {"floor", floor},    {"ceil", ceil},        {"trunc", trunc},      {"rint", rint},
    {"round", rint},     {"abs", fabs},         {"sign", sign_},       {"erf", erf},
    {"erfc", erfc},      {"tgamma", tgamma},    {"lgamma", lgamma_},   {"j0", j0},
    {"j1", j1},          {"y0", y0_},           {"y1", y1_},           {"sinc", sinc_},
    {"erfinv", erfinv_}, {"deg2rad", deg2rad_}, {"rad2deg", rad2deg_}, {"real", same_},
    {"conj", same_},     {"imag", zero_},       {"arg", arg_},         {"angle", arg_},
    {"eps", eps_},
};

/* ---- a function */

struct job {
    const struct row *row;
    const struct reference *ref;
    double (*fn)(double);
    uint64_t step;
    int ndevices;
    const ufc_ufunc *ufunc[MAX_DEVICES];
    ufc_context *ctx[MAX_DEVICES];
    pthread_mutex_t lock;
    double worst[MAX_DEVICES];
    float where[MAX_DEVICES], got[MAX_DEVICES];
    int64_t exactly; /* computed by MPFR */
};

static const struct format *f4;

static float float_of(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

/* As ulps, of a result in float64. */
static inline double estimate(float got, double exact, bool absolute) {
    if (isfinite(got) && isfinite(exact) && exact != 0 && fabs(exact) < 0x1p127 &&
        (absolute || !signbit(got) == !signbit(exact))) {
        double size = fabs(exact);
        size = absolute && size < 1 ? 1 : size < 0x1p-126 ? 0x1p-126 : size;
        uint64_t bits;
        memcpy(&bits, &size, sizeof bits);
        bits = ((uint64_t)(2 * 1023 + 23) << 52) - (bits & UINT64_C(0x7ff) << 52);
        memcpy(&size, &bits, sizeof bits); /* 2**(23 - exponent) */
        return fabs((double)got - exact) * size;
    }
    if (isnan(exact) && isnan(got))
        return 0;
    if ((float)exact == got && !isfinite(got))
        return 0;
    return ulps(f4, got, exact, absolute);
}

static double exact_error(const struct job *j, float x, float got) {
    long double value = x, exact[2];
    j->ref->exact(f4, &value, exact);
    if (j->row->ulp32 == 0)
        return ulps(f4, got, rounded(f4, exact[0]), false);
    return ulps(f4, got, exact[0], j->ref->absolute);
}

static void note(struct job *j, int d, float x, float got) {
    double error = exact_error(j, x, got);
    pthread_mutex_lock(&j->lock);
    j->exactly++;
    if (error > j->worst[d]) {
        j->worst[d] = error;
        j->where[d] = x;
        j->got[d] = got;
    }
    pthread_mutex_unlock(&j->lock);
}

static void search(struct job *j, int d, const float *x, const float *y, const double *exact,
                   int n) {
    bool correct = j->row->ulp32 == 0;
    double worst = j->worst[d];
    for (int i = 0; i < n; i++) {
        double e = estimate(y[i], correct ? (float)exact[i] : exact[i], j->ref->absolute);
        if (e > worst * (1 + 1e-7)) {
            note(j, d, x[i], y[i]);
            worst = j->worst[d];
        }
    }
}

static void range(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    int64_t n = end - begin, shape[] = {n};
    float *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    double *exact = malloc((size_t)n * sizeof *exact);
    REQUIRE(x && y && exact);
    for (int64_t i = 0; i < n; i++) {
        x[i] = float_of((uint64_t)(begin + i) * j->step);
        exact[i] = j->fn((double)x[i]);
    }
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, shape), out = in;
    out.data = y;
    for (int d = 0; d < j->ndevices; d++) {
        ufc_arg args[] = {ufc_array(&in)};
        ufc_out outs[] = {ufc_into(&out)};
        ufc_error err;
        if (ufc_call(j->ctx[d], NULL, j->ufunc[d], args, outs, &err) != UFC_OK) {
            printf("%s: %s\n", j->row->name, err.message);
            exit(1);
        }
        search(j, d, x, y, exact, (int)n);
    }
    free(x);
    free(y);
    free(exact);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* False: a bound is exceeded. */
static bool measure(struct job *j, const char *const *devices) {
    char source[128];
    ufcc_program *program[MAX_DEVICES];
    bool ok = true;
    double begin = now();
    sprintf(source, "ufunc f(x) : float32(float32) = %s(x)\n", j->row->name);
    for (int d = 0; d < j->ndevices; d++) {
        program[d] = compile(devices[d], source, false);
        j->ufunc[d] = ufcc_function(program[d], "f");
        j->worst[d] = 0;
        j->where[d] = j->got[d] = 0;
    }
    j->exactly = 0;
    on_all_cores((int64_t)((UINT64_C(1) << 32) / j->step), CHUNK, range, j);
    for (int d = 0; d < j->ndevices; d++) {
        bool within = j->worst[d] <= j->row->ulp32;
        printf("%-10s %-4s %8.4f  %a%s\n", j->row->name, devices[d], j->worst[d],
               (double)j->where[d], within ? "" : "  FAILED");
        if (!within)
            printf("    is %a there\n", (double)j->got[d]);
        ok = ok && within;
        ufcc_free(program[d]);
    }
    fprintf(stderr, "%s: %.1f s, %lld by MPFR\n", j->row->name, now() - begin,
            (long long)j->exactly);
    fflush(stdout);
    return ok;
}

static bool find_function(struct job *j) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, j->row->name) == 0)
            j->fn = table[i].fn;
    return j->fn != NULL && j->ref != NULL;
}

static bool wanted(const char *name, char *const *names) {
    if (!*names)
        return true;
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

int main(int argc, char **argv) {
    if (argc < 3 || atoll(argv[1]) < 1)
        return printf("usage: float32 STEP DEVICES [FUNCTION...]\n"), 1;
    struct job j = {.step = (uint64_t)atoll(argv[1]), .lock = PTHREAD_MUTEX_INITIALIZER};
    const char *devices[MAX_DEVICES];
    bool ok = true;
    f4 = format_named("float32");
    for (char *d = strtok(argv[2], ","); d && j.ndevices < MAX_DEVICES; d = strtok(NULL, ",")) {
        const char *why = choose_device(d);
        if (why)
            return printf("%s: %s\n", d, why), SKIPPED;
        devices[j.ndevices++] = d;
    }
    printf("# glibc %s\n", gnu_get_libc_version());
    for (int d = 0; d < j.ndevices; d++) {
        ufc_properties p;
        j.ctx[d] = open_device(devices[d], *devices[d] == 'v' ? 1 : 0);
        REQUIRE(ufc_context_properties(j.ctx[d], &p, NULL) == UFC_OK);
        printf("# %s: %s%s%s\n", devices[d], p.name, p.level ? ", " : "", p.level ? p.level : "");
    }
    for (int i = 0; table_row(i); i++) {
        j.row = table_row(i);
        if (!j.row->is_real || j.row->nargs != 1 || !wanted(j.row->name, argv + 3))
            continue;
        j.ref = real_reference(j.row->name);
        j.fn = NULL;
        if (j.ref && strcmp(j.ref->results, "x") != 0)
            continue; /* whole numbers, and both parts of modf and frexp */
        if (find_function(&j))
            ok = measure(&j, devices) && ok;
        else
            ok = !printf("%s: no function of float64 in float32.c\n", j.row->name);
    }
    for (int d = 0; d < j.ndevices; d++)
        ufc_context_free(j.ctx[d]);
    return !ok;
}
