/* gpus_copies.c: copies of any strides between two GPUs, in the order of a stream.  On two GPUs and
 * on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "ufc.h"

enum { ROWS = 300, COLUMNS = 200, N = ROWS * COLUMNS };
static ufc_context *gpu[2];
static ufc_error err;
static int64_t shape[] = {ROWS, COLUMNS};

static bool is_ok(ufc_status status) {
    if (status != UFC_OK)
        printf("%s\n", err.message);
    return status == UFC_OK;
}

/* Strides in elements, and the first element's place, in an array of N. */
struct layout {
    int64_t stride[2], first;
    int64_t shape[2];
};

static const struct layout layouts[] = {
    {{COLUMNS, 1}, 0, {ROWS, COLUMNS}},
    {{1, ROWS}, 0, {ROWS, COLUMNS}},
    {{-COLUMNS, -1}, N - 1, {ROWS, COLUMNS}},
    {{2 * COLUMNS, 2}, 1, {ROWS / 2, COLUMNS / 2}},
    {{0, 1}, 0, {ROWS, COLUMNS}}, /* of sources alone */
};

static DLTensor view(const DLManagedTensorVersioned *array, struct layout *layout) {
    DLTensor t = array->dl_tensor;
    t.shape = layout->shape;
    t.strides = layout->stride;
    t.byte_offset = (uint64_t)layout->first * 4;
    return t;
}

/* From and to both, ordered on a stream of `by`'s GPU; by 2: no context is given. */
static void copied(int from, int by, const struct layout *src, const struct layout *dst) {
    static int32_t x[N], y[N], z[N];
    DLManagedTensorVersioned *a, *b;
    struct layout s = *src, d = *dst;
    void *stream = NULL;
    bool right = true;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = z[i] = -1;
    }
    for (int i = 0; i < 2; i++) /* a part, if one of them has no more */
        s.shape[i] = d.shape[i] = s.shape[i] < d.shape[i] ? s.shape[i] : d.shape[i];
    DLTensor host = ufc_host_array(x, ufc_dltype(UFC_INT32), 2, shape);
    REQUIRE(is_ok(ufc_to_device(gpu[from], NULL, &host, &a, &err)));
    host.data = y;
    REQUIRE(is_ok(ufc_to_device(gpu[!from], NULL, &host, &b, &err)));
    REQUIRE(ufc_synchronize(gpu[0], NULL, &err) == 0 && ufc_synchronize(gpu[1], NULL, &err) == 0);
    DLTensor p = view(a, &s), q = view(b, &d);
    if (by < 2)
        REQUIRE(is_ok(ufc_stream_new(&stream, gpu[by], &err)));
    ufc_context *ctx = by < 2 ? gpu[by] : NULL;
    CHECK(is_ok(ufc_copy(ctx, stream, &p, &q, &err)));
    for (int i = 0; i < d.shape[0]; i++)
        for (int j = 0; j < d.shape[1]; j++)
            z[d.first + i * d.stride[0] + j * d.stride[1]] =
                x[s.first + i * s.stride[0] + j * s.stride[1]];
    CHECK(ufc_synchronize(by < 2 ? ctx : gpu[!from], stream, &err) == UFC_OK);
    CHECK(is_ok(ufc_copy(gpu[!from], NULL, &b->dl_tensor, &host, &err)));
    for (int i = 0; i < N; i++)
        right = right && y[i] == z[i];
    CHECK(right);
    if (by < 2)
        ufc_stream_free(ctx, stream);
    ufc_free(a);
    ufc_free(b);
}

int main(void) {
    setenv("FAKECUDA_DEVICES", "2", 1);
    if (ufc_device_count(NULL) < 2) {
        printf("there are no two GPUs\n");
        return SKIPPED;
    }
    REQUIRE(is_ok(ufc_context_new(&gpu[0], "cuda:0", 0, &err)));
    REQUIRE(is_ok(ufc_context_new(&gpu[1], "cuda:1", 0, &err)));
    for (int from = 0; from < 2; from++)
        for (int by = 0; by < 3; by++)
            for (int s = 0; s < 5; s++)
                for (int d = 0; d < 4; d++)
                    copied(from, by, &layouts[s], &layouts[d]);
    ufc_pool pool;
    for (int i = 0; i < 2; i++) {
        CHECK(ufc_synchronize(gpu[i], NULL, &err) == UFC_OK);
        CHECK(ufc_pool_statistics(gpu[i], &pool, &err) == UFC_OK && pool.used == 0);
    }
    /* without memory for packing nothing is copied */
    DLManagedTensorVersioned *a, *b;
    REQUIRE(is_ok(ufc_empty(gpu[0], UFC_INT32, 2, shape, UFC_DEVICE, &a, &err)));
    REQUIRE(is_ok(ufc_empty(gpu[1], UFC_INT32, 2, shape, UFC_DEVICE, &b, &err)));
    struct layout t = layouts[1];
    DLTensor p = view(a, &t);
    CHECK(ufc_pool_set_limit(gpu[0], 5 * (uint64_t)N, &err) == UFC_OK);
    CHECK(ufc_copy(gpu[0], NULL, &b->dl_tensor, &p, &err) == UFC_ENOMEM);
    CHECK(ufc_pool_set_limit(gpu[0], 0, &err) == UFC_OK);
    CHECK(is_ok(ufc_copy(gpu[0], NULL, &b->dl_tensor, &p, &err)));
    ufc_free(a);
    ufc_free(b);
    ufc_context_free(gpu[0]);
    ufc_context_free(gpu[1]);
    return test_failures > 0;
}
