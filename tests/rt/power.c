/* power.c: float32 to the power of float32 on the host, at each level of code: C's special cases,
 * within 4 units in the last place, the same in kernels of other vectors. */
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "power.h"

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
    call(&power_power_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT32, z, n);
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

static void test_special(void) {
    static const float v[] = {0,
                              1,
                              2,
                              3,
                              0.5F,
                              0.75F,
                              2.5F,
                              INFINITY,
                              NAN,
                              0x1p-149F,
                              0x1p-126F,
                              0x1.fffffep127F,
                              0x1p23F,
                              0x1p24F,
                              0x1.8p23F,
                              8388609.0F,
                              1e-42F,
                              0x1.000002p0F,
                              0x1.fffffep-1F,
                              127,
                              128,
                              149,
                              150,
                              151,
                              1e9F};
    enum { V = sizeof v / sizeof v[0] };
    int64_t n = 0;
    for (int i = 0; i < 2 * V; i++)
        for (int j = 0; j < 2 * V; j++, n++) {
            x[n] = i < V ? v[i] : -v[i - V];
            y[n] = j < V ? v[j] : -v[j - V];
        }
    compare("special", n);
}

static void test_random(void) {
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
    call(&power_power_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT32, z, N);
    call(&power_wide_ufunc, UFC_FLOAT32, x, y, UFC_FLOAT64, wide, N);
    int64_t differing = 0;
    for (int64_t i = 0; i < N; i++) {
        differing += wide[i] != z[i];
        a[i] = (uint16_t)random_bits(6, i) & 0x7bff;
        b[i] = (uint16_t)random_bits(7, i) & 0xc3ff;
    }
    CHECK(differing == 0);
    call(&power_narrow_ufunc, UFC_FLOAT16, a, b, UFC_FLOAT16, narrow, N);
    call(&power_power_ufunc, UFC_FLOAT16, a, b, UFC_FLOAT16, other, N);
    CHECK(memcmp(narrow, other, sizeof narrow) == 0);
}

int main(void) {
    static const char *const levels[] = {"v2", "v3", "v4"}; /* found out once in a process */
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            setenv("UFC_LEVEL", levels[i], 1);
            REQUIRE(ufc_context_new(&ctx, "cpu", 2, NULL) == UFC_OK);
            test_special();
            test_random();
            test_lanes();
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
