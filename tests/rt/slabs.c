/* slabs.c: what one launch cannot walk is cut into several: methods over more axes that do not
 * merge than a kernel has, in the simulator as on the host; calls and methods of more elements than
 * a launch has, and what is too much for a GPU, as explain tells on the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { AXES = 9, SIDE = 4, N = 1 << 9 }; /* each axis: the first two of four elements */
static ufc_context *host, *sim, *gpu;
static ufc_error err;
static int32_t x[1 << (2 * AXES)], results[2][2 * N];
static bool mask[1 << (2 * AXES)];
static int64_t twos[AXES], apart[AXES];

static DLTensor of_many_axes(void *data, ufc_type type) {
    DLTensor t = ufc_host_array(data, ufc_dltype(type), AXES, twos);
    t.strides = apart;
    return t;
}

/* A method that stores to an array of many axes, or less. */
typedef ufc_status method(ufc_context *ctx, DLTensor in, DLTensor out, const ufc_keywords *kw);

static ufc_status reduces(ufc_context *ctx, DLTensor in, DLTensor out, const ufc_keywords *kw) {
    out.ndim -= kw->naxes;
    return ufc_reduce(ctx, NULL, &kernels_total_ufunc, ufc_array(&in), ufc_into(&out), kw, &err);
}

static ufc_status accumulates(ufc_context *ctx, DLTensor in, DLTensor out, const ufc_keywords *kw) {
    return ufc_accumulate(ctx, NULL, &kernels_total_ufunc, ufc_array(&in), ufc_into(&out), kw,
                          &err);
}

static ufc_status reduces_at(ufc_context *ctx, DLTensor in, DLTensor out, const ufc_keywords *kw) {
    int64_t at[] = {1, 0}, two = 2;
    DLTensor indices = ufc_host_array(at, ufc_dltype(UFC_INT64), 1, &two);
    return ufc_reduceat(ctx, NULL, &kernels_total_ufunc, ufc_array(&in), &indices, ufc_into(&out),
                        kw, &err);
}

static ufc_status adds(ufc_context *ctx, DLTensor in, DLTensor out, const ufc_keywords *kw) {
    ufc_arg args[] = {ufc_array(&in), ufc_int(1)};
    ufc_out to = ufc_into(&out);
    (void)kw;
    return ufc_call(ctx, NULL, &kernels_add_ufunc, args, &to, &err);
}

static void same(method *call, int axis, const DLTensor *where) {
    const ufc_keywords kw = {.axes = &axis, .naxes = 1, .where = where};
    DLTensor in = of_many_axes(x, UFC_INT32);
    for (int i = 0; i < 2; i++) {
        DLTensor out = ufc_host_array(results[i], ufc_dltype(UFC_INT32), AXES, twos);
        memset(results[i], 0, sizeof results[i]);
        CHECK(call(i ? sim : host, in, out, &kw) == UFC_OK);
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0 && results[0][1] != 0);
}

static void many_axes(void) {
    for (int i = 0; i < AXES; i++) {
        twos[i] = 2;
        apart[i] = (int64_t)1 << (2 * (AXES - 1 - i));
    }
    for (int i = 0; i < 1 << (2 * AXES); i++) {
        x[i] = i * 7 % 1009 + 1;
        mask[i] = i % 3 > 0;
    }
    DLTensor where = of_many_axes(mask, UFC_BOOL);
    for (int axis = 0; axis < AXES; axis += 4) {
        same(reduces, axis, NULL);
        same(reduces, axis, &where);
        same(accumulates, axis, NULL);
        same(reduces_at, axis, NULL);
    }
    same(adds, 0, NULL);
    /* a kernel reduces along as many as it has */
    static const int seven[] = {0, 1, 2, 3, 4, 5, 6};
    const ufc_keywords kw = {.axes = seven, .naxes = 7};
    DLTensor in = of_many_axes(x, UFC_INT32),
             out = ufc_host_array(results[0], ufc_dltype(UFC_INT32), AXES, twos);
    CHECK(reduces(sim, in, out, &kw) == UFC_EINVAL && strstr(err.message, "at most 6 axes"));
}

/* ---- more than a launch has: nothing of these arrays is read */

static DLTensor huge(ufc_type type, int ndim, int64_t *shape) {
    DLTensor t = ufc_host_array(x, ufc_dltype(type), ndim, shape);
    t.device.device_type = kDLCUDA;
    return t;
}

static void many_elements(void) {
    DLManagedTensorVersioned *none;
    ufc_plan_description d;
    int64_t cube[] = {1 << 12, 1 << 12, 1 << 12}, gaps[] = {1 << 26, 1 << 13, 1};
    DLTensor a = huge(UFC_FLOAT32, 3, cube);
    a.strides = gaps;
    ufc_arg in[] = {ufc_array(&a), ufc_float(1)};
    ufc_out out = ufc_new(&none);
    CHECK(ufc_explain(gpu, NULL, &kernels_add_ufunc, in, &out, NULL, &d, &err) == UFC_OK);
    CHECK(d.launches > 32 && d.launches < 64); /* 2^36 elements, less than 2^31 each */
    const ufc_keywords all = {.all_axes = true};
    CHECK(ufc_explain_reduce(gpu, NULL, &kernels_total_ufunc, ufc_array(&a), ufc_new(&none), &all,
                             &d, &err) == UFC_EINVAL);
    CHECK(strstr(err.message, "2^31 elements"));
}

static void many_lines(void) {
    static int64_t at[1 << 16];
    DLManagedTensorVersioned *none;
    ufc_plan_description d;
    const int last = 1;
    const ufc_keywords rows = {.axes = &last, .naxes = 1};
    int64_t lines[] = {1 << 26, (int64_t)1 << 34}, line = (int64_t)1 << 45;
    DLTensor a = huge(UFC_INT8, 2, lines);
    CHECK(ufc_explain_reduce(gpu, NULL, &kernels_keep_ufunc, ufc_array(&a), ufc_new(&none), &rows,
                             &d, &err) == UFC_OK);
    CHECK(strstr(d.why, "lines are many"));
    a = huge(UFC_INT8, 1, &line);
    CHECK(ufc_explain_accumulate(gpu, NULL, &kernels_keep_ufunc, ufc_array(&a), ufc_new(&none),
                                 NULL, &d, &err) == UFC_EINVAL);
    CHECK(strstr(err.message, "too many elements to accumulate"));
    lines[0] = lines[1] = 1 << 17;
    for (int i = 0; i < 1 << 16; i++)
        at[i] = 2 * i;
    int64_t n = 1 << 16;
    DLTensor indices = ufc_host_array(at, ufc_dltype(UFC_INT64), 1, &n);
    a = huge(UFC_INT8, 2, lines);
    CHECK(ufc_explain_reduceat(gpu, NULL, &kernels_keep_ufunc, ufc_array(&a), &indices,
                               ufc_new(&none), &rows, &d, &err) == UFC_OK);
    CHECK(d.launches > 4 && d.launches < 8); /* 2^33 segments */
}

int main(void) {
    fakecuda_register(&kernels_add_ufunc);
    fakecuda_register(&kernels_total_ufunc);
    fakecuda_register(&kernels_keep_ufunc);
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    many_axes();
    many_elements();
    many_lines();
    ufc_context_free(gpu);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
