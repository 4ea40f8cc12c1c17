/* gpu_places.c: arrays in host, device, pinned and managed memory: made like others, copied there
 * and back, and given to calls.  On a GPU and on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "twice.h"
#include "ufc.h"

enum { ROWS = 3, COLUMNS = 5, N = ROWS * COLUMNS };
static int64_t shape[] = {ROWS, COLUMNS};
static ufc_error err;

static DLTensor view(float *data) {
    return ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 2, shape);
}

/* There and back, in order K, from C order, the other one, and backwards. */
static void round_trip(ufc_context *ctx, int64_t *strides, int64_t first, const int64_t *kept) {
    float x[N];
    DLManagedTensorVersioned *there = NULL, *back = NULL;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    DLTensor from = view(x + first);
    from.strides = strides;
    REQUIRE(ufc_to_device(ctx, NULL, &from, &there, &err) == UFC_OK);
    REQUIRE(ufc_to_host(ctx, NULL, &there->dl_tensor, &back, &err) == UFC_OK);
    CHECK(memcmp(there->dl_tensor.strides, kept, 16) == 0);
    CHECK(memcmp(back->dl_tensor.strides, kept, 16) == 0);
    CHECK(back->dl_tensor.device.device_type == kDLCPU);
    const float *got = back->dl_tensor.data;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            CHECK(got[i * kept[0] + j * kept[1]] == x[first + i * strides[0] + j * strides[1]]);
    ufc_free(there);
    ufc_free(back);
}

/* A call takes arrays of any place; results are where the GPU's arrays are. */
static void called(ufc_context *ctx, ufc_place place, DLDeviceType type) {
    float x[N], y[N];
    DLManagedTensorVersioned *a = NULL, *result = NULL;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    DLTensor from = view(x), to = view(y);
    REQUIRE(ufc_empty_like(ctx, &from, place, &a, &err) == UFC_OK);
    DLTensor *t = &a->dl_tensor;
    CHECK(t->device.device_type == type && t->ndim == 2 && t->shape[1] == COLUMNS);
    CHECK(ufc_copy(ctx, NULL, &from, t, &err) == UFC_OK);
    CHECK(twice_twice(ctx, NULL, ufc_array(t), ufc_new(&result), &err) == UFC_OK);
    CHECK(twice_twice(ctx, NULL, ufc_array(t), ufc_into(t), &err) == UFC_OK);
    CHECK(ufc_copy(ctx, NULL, t, &to, &err) == UFC_OK);
    for (int i = 0; i < N; i++)
        CHECK(y[i] == 2 * x[i]);
    if (place == UFC_PINNED || place == UFC_MANAGED) { /* the host reads it too */
        CHECK(ufc_synchronize(ctx, NULL, &err) == UFC_OK);
        CHECK(((float *)t->data)[N - 1] == 2 * (N - 1));
    }
    bool on_gpu = type == kDLCUDA || type == kDLCUDAManaged;
    CHECK(result->dl_tensor.device.device_type == (on_gpu ? kDLCUDA : kDLCPU));
    ufc_free(result);
    ufc_free(a);
}

static void refused(ufc_context *ctx) {
    float x[N];
    DLTensor like = view(x);
    DLManagedTensorVersioned *a = NULL;
    CHECK(ufc_empty_like(ctx, NULL, UFC_HOST, &a, &err) == UFC_EINVAL);
    CHECK(ufc_empty_like(ctx, &like, UFC_HOST, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_empty_like(ctx, &like, (ufc_place)4, &a, &err) == UFC_EINVAL);
    CHECK(ufc_to_device(ctx, NULL, NULL, &a, &err) == UFC_EINVAL);
    CHECK(ufc_to_host(ctx, NULL, &like, NULL, &err) == UFC_EINVAL);
    like.dtype.bits = 24;
    CHECK(ufc_to_host(ctx, NULL, &like, &a, &err) == UFC_EDTYPE && !a);
}

int main(void) {
    static const char *const devices[] = {"cpu", "sim", "cuda"};
    static int64_t by_rows[] = {COLUMNS, 1}, by_columns[] = {1, ROWS}, back[] = {-COLUMNS, -1};
    make_known(&twice_twice_ufunc);
    int status = 0;
    for (int i = 0; i < 3; i++) {
        ufc_context *ctx;
        if (ufc_context_new(&ctx, devices[i], 0, &err) != UFC_OK) {
            printf("%s: %s\n", devices[i], err.message);
            status = SKIPPED;
            continue;
        }
        bool gpu = i == 2;
        round_trip(ctx, by_rows, 0, by_rows);
        round_trip(ctx, by_columns, 0, by_columns);
        round_trip(ctx, back, N - 1, by_rows);
        called(ctx, UFC_DEVICE, gpu ? kDLCUDA : kDLCPU);
        called(ctx, UFC_HOST, kDLCPU);
        called(ctx, UFC_PINNED, gpu ? kDLCUDAHost : kDLCPU);
        called(ctx, UFC_MANAGED, gpu ? kDLCUDAManaged : kDLCPU);
        refused(ctx);
        ufc_context_free(ctx);
    }
    round_trip(NULL, by_rows, 0, by_rows);
    return test_failures ? 1 : status;
}
