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
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, false, &array, &err) == UFC_OK);
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

int main(void) {
    void *context;
    fakecuda_register(&kernels_halve_ufunc);
    fakecuda_register(&kernels_share_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxPushCurrent_v2(context) == 0);
    allocation();
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    ufc_context_free(gpu);
    return test_failures > 0;
}
