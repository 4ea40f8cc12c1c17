/* portions_fail.c: each call of the driver fails while host arrays go through the GPU in portions,
 * and while arrays are copied between two GPUs: the call fails or is right, no memory is lost, and
 * the next call works.  On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "gpu_portions.h"
#include "ufc.h"

enum { ROWS = 100, COLUMNS = 400, N = ROWS * COLUMNS, LAUNCH_FAILED = 719, OUT_OF_MEMORY = 2 };
static ufc_context *gpu, *shared; /* the second with several threads */
static float *x, *y, *out;
static int64_t shape[] = {ROWS, COLUMNS}, line[] = {ROWS};

/* Half the rows, which are as many portions as others have. */
static ufc_status call_blend(ufc_error *err) {
    int64_t half[] = {ROWS / 2, COLUMNS};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, half), b = a, c = a;
    b.data = y, c.data = out;
    return gpu_portions_blend(gpu, NULL, ufc_array(&a), ufc_array(&b), ufc_into(&c), err);
}

/* A result that stays on the GPU, so that nothing waits for the portions, and an array that all of
 * them read. */
static ufc_status call_kept(ufc_error *err) {
    DLManagedTensorVersioned *made = NULL;
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, shape),
             b = ufc_host_array(y, ufc_dltype(UFC_FLOAT32), 1, shape + 1), to = a;
    ufc_status status = ufc_empty(gpu, UFC_FLOAT32, 2, shape, UFC_DEVICE, &made, err);
    if (status == UFC_OK)
        status = gpu_portions_blend(gpu, NULL, ufc_array(&a), ufc_array(&b),
                                    ufc_into(&made->dl_tensor), err);
    to.data = out;
    if (status == UFC_OK)
        status = ufc_copy(gpu, NULL, &made->dl_tensor, &to, err);
    ufc_free(made);
    return status;
}

static ufc_status call_apply(ufc_error *err) {
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, (int64_t[]){20, COLUMNS}), b = a,
             c = a;
    b.data = y, b.shape = shape;
    c.data = out, c.shape = (int64_t[]){ROWS, 20};
    return gpu_portions_apply(gpu, NULL, ufc_array(&a), ufc_array(&b), ufc_into(&c), err);
}

static ufc_status reduce(int axis, ufc_error *err) {
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, shape), b = a;
    ufc_keywords kw = {.axes = &axis, .naxes = 1, .all_axes = axis < 0};
    b.data = out, b.ndim = axis >= 0, b.shape = axis ? line : shape + 1;
    if (axis < 0)
        kw.axes = NULL, kw.naxes = 0;
    return ufc_reduce(gpu, NULL, &gpu_portions_plus_ufunc, ufc_array(&a), ufc_into(&b), &kw, err);
}

static ufc_status reduce_all(ufc_error *err) {
    return reduce(-1, err);
}

static ufc_status reduce_rows(ufc_error *err) {
    return reduce(1, err);
}

/* Portions that threads share: pageable arrays without a limit. */
static ufc_status call_shared(ufc_error *err) {
    enum { CALLS = 40, LENGTH = 1 << 15 };
    static double *from, to[CALLS];
    if (!from)
        REQUIRE(from = calloc(CALLS, LENGTH * sizeof *from));
    for (int i = 0; i < CALLS; i++) {
        from[i * LENGTH + i] = i;
        to[i] = 0;
    }
    DLTensor a = ufc_host_array(from, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){CALLS, LENGTH});
    DLTensor b = ufc_host_array(to, a.dtype, 1, a.shape);
    ufc_status status =
        gpu_portions_inner(shared, NULL, ufc_array(&a), ufc_array(&a), ufc_into(&b), err);
    out[0] = 1;
    for (int i = 0; i < CALLS && status == UFC_OK; i++)
        out[0] = to[i] == (double)i * i ? out[0] : 0;
    return status;
}

static ufc_status copy_over(ufc_error *err) {
    DLManagedTensorVersioned *a = NULL, *b = NULL;
    ufc_context *other = NULL;
    ufc_status status = ufc_context_new(&other, "cuda:1", 0, err);
    DLTensor host = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, shape);
    if (status == UFC_OK)
        status = ufc_to_device(gpu, NULL, &host, &a, err);
    if (status == UFC_OK)
        status = ufc_empty(other, UFC_FLOAT32, 2, shape, UFC_DEVICE, &b, err);
    if (status == UFC_OK) {
        DLTensor from = a->dl_tensor, to = b->dl_tensor;
        from.strides = to.strides = (int64_t[]){-COLUMNS, 1};
        from.byte_offset = to.byte_offset = (ROWS - 1) * COLUMNS * sizeof *x;
        from.shape = to.shape = (int64_t[]){ROWS, COLUMNS - 1};
        status = ufc_copy(gpu, NULL, &from, &to, err);
        host.data = out;
        if (status == UFC_OK)
            status = ufc_copy(other, NULL, &b->dl_tensor, &host, err);
        for (int i = 0; i < ROWS && status == UFC_OK; i++)
            out[i * COLUMNS + COLUMNS - 1] = 0;
    }
    ufc_free(a);
    ufc_free(b);
    ufc_context_free(other);
    return status;
}

static uint64_t used(void) {
    ufc_pool pool;
    ufc_error err;
    REQUIRE(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    REQUIRE(ufc_pool_free_all(gpu, &err) == UFC_OK);
    REQUIRE(ufc_pool_statistics(gpu, &pool, &err) == UFC_OK);
    return pool.used;
}

/* step: of so many calls one fails.  least: kernels that are launched. */
static void each_failure(const char *name, ufc_status (*call)(ufc_error *err), size_t size,
                         unsigned step, unsigned least) {
    float *right = malloc(size);
    ufc_error err;
    REQUIRE(right);
    REQUIRE(call(&err) == UFC_OK); /* loads the code, and makes the rings */
    memcpy(right, out, size);
    unsigned launches = fakecuda_launches();
    REQUIRE(call(&err) == UFC_OK);
    CHECK(fakecuda_launches() - launches >= least); /* there are portions */
    static const int results[] = {OUT_OF_MEMORY, LAUNCH_FAILED};
    unsigned failed = 0;
    for (int k = 0; k < 2; k++) {
        bool reached = true;
        for (unsigned n = 1; reached; n += step) {
            memset(out, 0, size);
            fakecuda_fail(n, results[k], false);
            ufc_status status = call(&err);
            reached = fakecuda_fail(0, 0, false);
            failed += status != UFC_OK;
            if (status == UFC_OK && memcmp(out, right, size) != 0) {
                printf("%s: wrong when call %u fails with %d\n", name, n, results[k]);
                test_failures++;
            }
            uint64_t left = used();
            if (left != 0) {
                printf("%s: %llu bytes are left when call %u fails with %d\n", name,
                       (unsigned long long)left, n, results[k]);
                test_failures++;
            }
            if (call(&err) != UFC_OK || memcmp(out, right, size) != 0) {
                printf("%s: does not work after call %u failed with %d: %s\n", name, n, results[k],
                       err.message);
                test_failures++;
            }
        }
    }
    CHECK(failed > 20 / step);
    free(right);
}

int main(void) {
    ufc_error err;
    setenv("FAKECUDA_DEVICES", "2", 1);
    x = malloc(N * sizeof *x), y = malloc(N * sizeof *y), out = calloc(N, sizeof *out);
    REQUIRE(x && y && out);
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 100) / 3;
        y[i] = (float)(i % 77) / 7;
    }
    fakecuda_register(&gpu_portions_blend_ufunc);
    fakecuda_register(&gpu_portions_apply_ufunc);
    fakecuda_register(&gpu_portions_inner_ufunc);
    fakecuda_register(&gpu_portions_plus_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    REQUIRE(ufc_pool_set_limit(gpu, 390000, &err) == UFC_OK);
    each_failure("blend", call_blend, N / 2 * sizeof *out, 1, 4);
    REQUIRE(ufc_pool_set_limit(gpu, 400000, &err) == UFC_OK);
    each_failure("blend, on the GPU", call_kept, N * sizeof *out, 1, 3);
    REQUIRE(ufc_pool_set_limit(gpu, 300000, &err) == UFC_OK);
    each_failure("apply", call_apply, ROWS * 20 * sizeof *out, 1, 4);
    REQUIRE(ufc_pool_set_limit(gpu, 250000, &err) == UFC_OK);
    each_failure("plus.reduce, all axes", reduce_all, sizeof *out, 1, 4);
    each_failure("plus.reduce, axis 1", reduce_rows, ROWS * sizeof *out, 1, 3);
    REQUIRE(ufc_pool_set_limit(gpu, 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&shared, "cuda", 3, &err) == UFC_OK);
    each_failure("inner, by threads", call_shared, sizeof *out, 7, 4);
    each_failure("copy", copy_over, N * sizeof *out, 1, 1);
    ufc_context_free(gpu);
    ufc_context_free(shared);
    free(x);
    free(y);
    free(out);
    return test_failures > 0;
}
