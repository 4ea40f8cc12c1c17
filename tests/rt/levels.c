/* levels.c: what a level of host code has functions of its own for, at each.  The power of float32:
 * C's special cases, within 4 units in the last place, the same in kernels of other vectors.  fmod:
 * libm's, which is exact.  Functions of which large arguments go another way: within 4 units too,
 * and no element differs for its neighbours. */
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "levels.h"

enum { N = 1 << 17 };

static ufc_context *ctx;
static float x[N], y[N], z[N];

static void call(const ufc_ufunc *f, ufc_type in, void *a, void *b, ufc_type out, void *c,
                 int64_t n) {
    ufc_error err;
    DLTensor array[] = {ufc_host_array(a, ufc_dltype(in), 1, &n),
                        ufc_host_array(b, ufc_dltype(in), 1, &n),
                        ufc_host_array(c, ufc_dltype(out), 1, &n)};
    ufc_arg args[] = {ufc_array(&array[0]), ufc_array(&array[1])};
    ufc_out outs[] = {ufc_into(&array[2])};
    if (ufc_call(ctx, NULL, f, args, outs, &err) == UFC_OK)
        return;
    puts(err.message);
    exit(1);
}

/* Of got, in units of float32's last place. */
static double error_of(float got, double wanted) {
    float rounded = (float)wanted;
    if (isnan(rounded) || isnan(got))
        return isnan(rounded) && isnan(got) ? 0 : INFINITY;
    if (signbit(got) != signbit(rounded))
        return INFINITY;
    if (isinf(got) || isinf(rounded)) { /* the next one to infinity is the greatest number's step */
        double other = isinf(got) ? wanted : got;
        return got == rounded ? 0 : (0x1p128 - fabs(other)) / 0x1p104;
    }
    int exponent;
    frexp(wanted, &exponent);
    return fabs(got - wanted) / ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static void compare(const char *what, int64_t n) {
    double most = 0;
    int64_t at = 0;
    call(&levels_power_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT32, z, n);
    for (int64_t i = 0; i < n; i++) {
        double e = error_of(z[i], pow(x[i], y[i]));
        if (e > most) {
            most = e;
            at = i;
        }
    }
    if (most > 4) {
        printf("%s: %a ** %a is %a: %.3g units\n", what, x[at], y[at], z[at], most);
        test_failures++;
    }
}

/* clang-format off */
static const float special[] = {
    0, 1, 2, 3, 0.5F, 0.75F, 2.5F, INFINITY, NAN, 0x1p-149F, 0x1p-126F, 0x1.fffffep127F,
    0x1p23F, 0x1p24F, 0x1.8p23F, 8388609.0F, 1e-42F, 0x1.000002p0F, 0x1.fffffep-1F, 127, 128, 149, 150, 151, 1e9F,
};
/* clang-format on */
enum { V = sizeof special / sizeof special[0] };

/* All pairs, of both signs; how many. */
static int64_t set_special(void) {
    int64_t n = 0;
    for (int i = 0; i < 2 * V; i++)
        for (int j = 0; j < 2 * V; j++, n++) {
            x[n] = i < V ? special[i] : -special[i - V];
            y[n] = j < V ? special[j] : -special[j - V];
        }
    return n;
}

static void test_power(void) {
    compare("special", set_special());
    for (int64_t i = 0; i < N; i++) {
        uint32_t bits[] = {(uint32_t)random_bits(1, i), (uint32_t)random_bits(2, i)};
        memcpy(&x[i], &bits[0], 4);
        memcpy(&y[i], &bits[1], 4);
    }
    compare("any", N);
    for (int64_t i = 0; i < N; i++) { /* results of all magnitudes, from x of all magnitudes */
        x[i] = (float)exp2(-149 + 277 * random_unit(3, i));
        y[i] = (float)((-151 + 280 * random_unit(4, i)) / log2(x[i]));
    }
    compare("all magnitudes", N);
    for (int64_t i = 0; i < N; i++) { /* large ones from x near 1, where errors are largest */
        x[i] = (float)(0.75 + 0.75 * random_unit(5, i));
        y[i] = (float)((i % 2 ? 120 : -120) / log2(x[i]));
    }
    compare("near 1", N);
}

static void test_lanes(void) {
    static double wide[N];
    static _Alignas(4) uint16_t a[N], b[N], narrow[N], other[N];
    call(&levels_power_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT32, z, N);
    call(&levels_wide_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT64, wide, N);
    int64_t differing = 0;
    for (int64_t i = 0; i < N; i++) {
        differing += wide[i] != z[i];
        a[i] = (uint16_t)random_bits(6, i) & 0x7bff;
        b[i] = (uint16_t)random_bits(7, i) & 0xc3ff;
    }
    CHECK(differing == 0);
    call(&levels_narrow_ufunc, UFC_FLOAT16, a, b, UFC_FLOAT16, narrow, N);
    call(&levels_power_ufunc, UFC_FLOAT16, a, b, UFC_FLOAT16, other, N);
    CHECK(memcmp(narrow, other, sizeof narrow) == 0);
}

static void compare_rest(const char *what, int64_t n) {
    static double a[N], b[N], c[N];
    for (int64_t i = 0; i < n; i++) { /* of more bits than float32, and rounded products */
        b[i] = i % 5 ? y[i] * (1 + random_unit(9, i)) : y[i];
        a[i] = i % 3 ? x[i] * (1 + random_unit(8, i)) : rint(x[i] / b[i]) * b[i];
    }
    call(&levels_rest_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT32, z, n);
    call(&levels_rest_ufunc, UFC_FLOAT64, a, b, UFC_FLOAT64, c, n);
    for (int64_t i = 0; i < n; i++) {
        float f = fmodf(x[i], y[i]);
        double d = fmod(a[i], b[i]);
        bool same = (f == z[i] && signbit(f) == signbit(z[i])) || (isnan(f) && isnan(z[i]));
        bool wide = (d == c[i] && signbit(d) == signbit(c[i])) || (isnan(d) && isnan(c[i]));
        if (!same)
            printf("%s: fmod(%a, %a) is %a, not %a\n", what, x[i], y[i], z[i], f);
        if (!wide)
            printf("%s: fmod(%a, %a) is %a, not %a\n", what, a[i], b[i], c[i], d);
        if (same && wide)
            continue;
        test_failures++;
        return;
    }
}

static void test_rest(void) {
    compare_rest("special", set_special());
    for (int64_t i = 0; i < N; i++) { /* quotients of up to 36 bits, a quarter of them near whole */
        y[i] = (float)exp2(40 * random_unit(10, i) - 20);
        double q = exp2((i % 1024 < 512 ? 20 : 36) * random_unit(11, i));
        x[i] = (float)(i % 4 ? q * y[i] : rint(q) * y[i]);
        if (i % 2)
            x[i] = -x[i];
    }
    compare_rest("quotients", N);
    for (int64_t i = 0; i < N; i++) {
        x[i] = (float)(1 + (random_bits(12, i) & 0xffff)) * 0x1p-149F;
        y[i] = (float)(1 + (random_bits(13, i) & 0xff)) * 0x1p-149F;
    }
    compare_rest("subnormal", N);
}

static void call_one(const ufc_ufunc *f, int64_t n, float *from, float *to) {
    ufc_error err;
    DLTensor in = ufc_host_array(from, ufc_dltype(UFC_FLOAT32), 1, &n), out = in;
    out.data = to;
    REQUIRE(ufc_call(ctx, NULL, f, (ufc_arg[]){ufc_array(&in)}, (ufc_out[]){ufc_into(&out)},
                     &err) == UFC_OK);
}

static void test_large(const ufc_ufunc *f, double (*wanted)(double), float most) {
    const char *name = ufc_describe(f).name;
    for (int64_t i = 0; i < N; i++)
        x[i] = (float)((2 * random_unit(14, i) - 1) * most * (i % 8 ? 0.01 : 1));
    memcpy(x, special, sizeof special);
    call_one(f, N, x, z);
    double worst = 0;
    for (int64_t i = 0; i < N; i++) {
        double e = error_of(z[i], wanted(x[i]));
        worst = e > worst ? e : worst;
    }
    if (worst > 4) {
        printf("%s: %.3g units\n", name, worst);
        test_failures++;
    }
    int64_t alone = 0;
    for (int64_t i = 0; i < N; i += 61) {
        float one;
        call_one(f, 1, &x[i], &one);
        alone += memcmp(&one, &z[i], sizeof one) != 0 && !(isnan(one) && isnan(z[i]));
    }
    CHECK(alone == 0);
}

int main(void) {
    static const char *const levels[] = {"v2", "v3", "v4"}; /* found out once in a process */
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            setenv("UFC_LEVEL", levels[i], 1);
            REQUIRE(ufc_context_new(&ctx, "cpu", 2, NULL) == UFC_OK);
            test_power();
            test_lanes();
            test_rest();
            test_large(&levels_growth_ufunc, exp, 2000);
            test_large(&levels_growth2_ufunc, exp2, 2000);
            test_large(&levels_sine_ufunc, sin, 1e6F);
            test_large(&levels_cosine_ufunc, cos, 1e6F);
            ufc_context_free(ctx);
            fflush(stdout);
            _exit(test_failures > 0);
        }
        int status;
        REQUIRE(waitpid(child, &status, 0) == child);
        if (status != 0) {
            printf("at level %s\n", levels[i]);
            test_failures++;
        }
    }
    return test_failures > 0;
}
