/* order.c: what streams wait for, and what waits for streams.  On the fake driver, which sees uses
 * of memory that are not ordered behind its allocation and before its free. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxPushCurrent_v2(void *context);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamDestroy_v2(void *stream);

static ufc_context *gpu;
static ufc_error err;
static int64_t shape[] = {1000};

static void *new_stream(void) {
    void *stream;
    REQUIRE(cuStreamCreate(&stream, 1) == 0); /* one that does not wait for the default stream */
    return stream;
}

static DLManagedTensorVersioned *new_array(void) {
    DLManagedTensorVersioned *array;
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &array, &err) == UFC_OK);
    return array;
}

/* New memory may be used on any stream. */
static void allocation(void) {
    void *stream = new_stream();
    DLManagedTensorVersioned *a = new_array();
    CHECK(kernels_halve(gpu, stream, ufc_array(&a->dl_tensor), ufc_into(&a->dl_tensor), &err) ==
          UFC_OK);
    CHECK(ufc_synchronize(gpu, stream, &err) == UFC_OK);
    ufc_free(a);
    CHECK(cuStreamDestroy_v2(stream) == 0);
}

/* A result of a call that fails is freed behind the kernel that writes it. */
static void failing_call(void) {
    static int32_t rest[1000];
    void *stream = new_stream();
    DLManagedTensorVersioned *x, *made = NULL;
    REQUIRE(ufc_empty(gpu, UFC_INT32, 1, shape, UFC_DEVICE, &x, &err) == UFC_OK);
    DLTensor host = ufc_host_array(rest, ufc_dltype(UFC_INT32), 1, shape);
    unsigned live = fakecuda_live();
    char fail[64];
    snprintf(fail, sizeof fail, "cuMemcpyAsync:%u", fakecuda_calls("cuMemcpyAsync") + 1);
    setenv("FAKECUDA_FAIL", fail, 1); /* the download of `rest` */
    CHECK(kernels_share(gpu, stream, ufc_array(&x->dl_tensor), ufc_int(3), ufc_new(&made),
                        ufc_into(&host), &err) == UFC_ENOMEM &&
          !made);
    unsetenv("FAKECUDA_FAIL");
    CHECK(ufc_synchronize(gpu, stream, &err) == UFC_OK);
    CHECK(fakecuda_live() == live + 1); /* pinned memory */
    ufc_free(x);
    CHECK(cuStreamDestroy_v2(stream) == 0);
}

static void upload(void *stream, const DLManagedTensorVersioned *to) {
    static float data[1000];
    DLTensor host = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape);
    CHECK(kernels_halve(gpu, stream, ufc_array(&host), ufc_into(&to->dl_tensor), &err) == UFC_OK);
}

/* An upload waits for no other stream's; what is pinned is used again when that is done. */
static void uploads(void) {
    void *one = new_stream(), *two = new_stream();
    DLManagedTensorVersioned *a = new_array(), *b = new_array();
    upload(one, a);
    CHECK(ufc_synchronize(gpu, one, &err) == UFC_OK);
    unsigned waits = fakecuda_calls("cuEventSynchronize"),
             pinned = fakecuda_calls("cuMemHostAlloc");
    upload(one, a);
    upload(two, b);
    upload(two, b);
    CHECK(fakecuda_calls("cuEventSynchronize") == waits);
    CHECK(ufc_synchronize(gpu, one, &err) == UFC_OK && ufc_synchronize(gpu, two, &err) == UFC_OK);
    unsigned more = fakecuda_calls("cuMemHostAlloc");
    for (int i = 0; i < 20; i++) {
        upload(i % 2 ? one : two, a);
        CHECK(ufc_synchronize(gpu, i % 2 ? one : two, &err) == UFC_OK);
    }
    CHECK(more > pinned && fakecuda_calls("cuMemHostAlloc") <= more + 8);
    ufc_free(a);
    ufc_free(b);
    CHECK(cuStreamDestroy_v2(one) == 0 && cuStreamDestroy_v2(two) == 0);
}

int main(void) {
    void *context;
    fakecuda_register(&kernels_halve_ufunc);
    fakecuda_register(&kernels_share_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxPushCurrent_v2(context) == 0);
    allocation();
    failing_call();
    uploads();
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    ufc_context_free(gpu);
    return test_failures > 0;
}
