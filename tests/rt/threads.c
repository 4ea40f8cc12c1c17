/* threads.c: results do not depend on the number of threads, nor on the arrays' place, nor on the
 * caller's floating-point environment; many threads call at once; a child of fork calls too. */
#include <fenv.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif
#include "../test.h"
#include "kernels.h"
#include "small_stack.h"
#include "ufc.h"

enum { N = 300007, CALLERS = 8, CALLS = 60 };

static double x[N + 1], y[N + 1], reference[N];

static DLTensor row(double *data, int64_t *n) {
    return ufc_host_array(data, ufc_dltype(UFC_FLOAT64), 1, n);
}

/* wave of n elements from `shift` on. */
static ufc_status wave(ufc_context *ctx, int64_t shift, int64_t n, double *out) {
    DLTensor tx = row(x + shift, &n), ty = row(y + shift, &n), to = row(out, &n);
    return kernels_wave(ctx, NULL, ufc_array(&tx), ufc_array(&ty), ufc_into(&to), NULL);
}

static void thread_counts(void) {
    static double out[N];
    static const int counts[] = {1, 2, 3, 7, 16};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ufc_context *ctx;
        REQUIRE(ufc_context_new(&ctx, "cpu", counts[i], NULL) == UFC_OK);
        memset(out, 0, sizeof out);
        CHECK(wave(ctx, 0, N, out) == UFC_OK);
        CHECK(memcmp(out, reference, sizeof out) == 0);
        ufc_context_free(ctx);
    }
}

/* An element's bits depend neither on its place nor on what stands beside it. */
static void places(ufc_context *ctx) {
    static double out[2 * N];
    for (int64_t shift = 1; shift < 9; shift++) {
        CHECK(wave(ctx, shift, 1000 + shift, out) == UFC_OK);
        CHECK(memcmp(out, reference + shift, (size_t)(1000 + shift) * sizeof *out) == 0);
    }
    for (int64_t i = 0; i < 50; i++) {
        CHECK(wave(ctx, i, 1, out) == UFC_OK);
        CHECK(memcmp(out, reference + i, sizeof *out) == 0);
    }
    int64_t n = N / 2, two[] = {2};
    DLTensor tx = row(x, &n), ty = row(y, &n), to = row(out, &n);
    tx.strides = ty.strides = to.strides = two;
    CHECK(kernels_wave(ctx, NULL, ufc_array(&tx), ufc_array(&ty), ufc_into(&to), NULL) == UFC_OK);
    bool equal = true;
    for (int64_t i = 0; i < n; i++)
        equal = equal && memcmp(&out[2 * i], &reference[2 * i], sizeof *out) == 0;
    CHECK(equal);
}

/* Rounding up and flushing subnormal numbers to zero. */
static void set_environment(void) {
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_UPWARD);
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() | _MM_FLUSH_ZERO_ON | 0x40); /* denormals are zeros */
#endif
}

/* The first call of all makes the workers, which must not inherit its caller's environment. */
static void environments(ufc_context *ctx, bool first) {
    static float tiny[N], sum[N];
    for (int i = 0; i < N; i++)
        tiny[i] = 0x1p-140f;
    int64_t n = N;
    DLTensor in = ufc_host_array(tiny, ufc_dltype(UFC_FLOAT32), 1, &n), to = in;
    to.data = sum;
    fenv_t before;
    REQUIRE(fegetenv(&before) == 0);
    set_environment();
    for (int i = 0; i < (first ? 1 : 50); i++) {
        CHECK(kernels_halve(ctx, NULL, ufc_array(&in), ufc_into(&to), NULL) == UFC_OK);
        bool halved = true;
        for (int k = 0; k < N; k++)
            halved = halved && memcmp(&sum[k], &(float){0x1p-141f}, sizeof *sum) == 0;
        CHECK(halved);
        CHECK(kernels_halve(ctx, NULL, ufc_float(0.2), ufc_into(&to), NULL) == UFC_OK);
        CHECK(memcmp(&sum[N - 1], &(float){0.1f}, sizeof *sum) == 0);
        if (first)
            continue;
        static double out[N];
        CHECK(wave(ctx, 0, N, out) == UFC_OK);
        CHECK(memcmp(out, reference, sizeof out) == 0);
    }
    CHECK(fegetround() == FE_UPWARD && !fetestexcept(FE_INEXACT));
    fesetenv(&before);
}

static void *caller(void *argument) {
    ufc_context *ctx = argument;
    double *out = malloc(N * sizeof *out);
    intptr_t wrong = !out;
    for (int i = 0; i < CALLS && !wrong; i++) {
        int64_t n = i % 3 ? 1000 + 37 * i : N;
        wrong =
            wave(ctx, 0, n, out) != UFC_OK || memcmp(out, reference, (size_t)n * sizeof *out) != 0;
    }
    free(out);
    return (void *)wrong;
}

static void many_callers(ufc_context *ctx) {
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, caller, i % 2 ? ctx : NULL) == 0);
    for (int i = 0; i < CALLERS; i++) {
        void *wrong;
        REQUIRE(pthread_join(threads[i], &wrong) == 0);
        CHECK(!wrong);
    }
}

/* Operands of another type, of another layout, and overlapping. */
static void *with_little_stack(void *ctx) {
    static double out[N];
    static float single[N];
    int64_t n = N / 2, two[] = {2};
    DLTensor tx = row(x, &n), ty = ufc_host_array(single, ufc_dltype(UFC_FLOAT32), 1, &n),
             to = row(out, &n);
    tx.strides = two;
    intptr_t wrong = kernels_add(ctx, NULL, ufc_array(&tx), ufc_array(&ty), ufc_into(&to), NULL);
    tx = to;
    to.data = out + 1;
    wrong |= kernels_wave(ctx, NULL, ufc_array(&tx), ufc_array(&ty), ufc_into(&to), NULL);
    return (void *)wrong;
}

static void *methods_with_little_stack(void *ctx) {
    static double out[N];
    static float single[N];
    int64_t n = N / 2, two[] = {2};
    DLTensor tx = row(out + 1, &n), ty = ufc_host_array(single, ufc_dltype(UFC_FLOAT32), 1, &n),
             to = row(out, &n);
    tx.strides = two;
    intptr_t wrong =
        ufc_accumulate(ctx, NULL, &kernels_total_ufunc, ufc_array(&tx), ufc_into(&to), NULL, NULL);
    to.ndim = 0;
    wrong |= ufc_reduce(ctx, NULL, &kernels_total_ufunc, ufc_array(&ty), ufc_into(&to), NULL, NULL);
    int64_t list[] = {0, 1, 0}, three = 3;
    DLTensor indices = ufc_host_array(list, ufc_dltype(UFC_INT64), 1, &three), some = tx;
    some.shape = &three;
    wrong |= ufc_at(ctx, NULL, &kernels_total_ufunc, &tx, &indices, ufc_array(&some), NULL);
    return (void *)wrong;
}

static void forked(ufc_context *ctx) {
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            alarm(60);
            _exit(caller(ctx) != NULL);
        }
        int status = -1;
        CHECK(!caller(ctx));
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

int main(void) {
    for (uint64_t i = 0; i <= N; i++) {
        x[i] = 20 * random_unit(1, i) - 10;
        y[i] = 3 * random_unit(2, i);
    }
    ufc_context *ctx;
    REQUIRE(ufc_context_new(&ctx, "cpu", 4, NULL) == UFC_OK);
    environments(ctx, true);
    REQUIRE(wave(ctx, 0, N, reference) == UFC_OK);
    environments(ctx, false);
    thread_counts();
    places(ctx);
    if (ufc_device_count(NULL) == 0) /* a driver does not survive fork */
        forked(ctx);
    many_callers(ctx);
    CHECK(!on_small_stack(32768, with_little_stack, ctx));
    CHECK(!on_small_stack(65536, methods_with_little_stack, ctx));
    ufc_context_free(ctx);
    return test_failures > 0;
}
