/* freed.c: memory of an array goes back in the order of the CUcontext that it was made in,
 * whichever is current when the array is freed; and where that one is gone.  On the fake driver. */
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuCtxPushCurrent_v2(void *context);
int cuCtxSynchronize(void);

static ufc_context *gpu;
static ufc_error err;
static int64_t shape[] = {100};

/* An array whose last use is not done: the driver does what is waited for. */
static DLManagedTensorVersioned *in_use(void) {
    float data[100] = {7};
    DLTensor x = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape);
    DLManagedTensorVersioned *there, *half;
    REQUIRE(ufc_to_device(gpu, NULL, &x, &there, &err) == UFC_OK);
    REQUIRE(kernels_halve(gpu, NULL, ufc_array(&there->dl_tensor), ufc_new(&half), &err) == UFC_OK);
    ufc_free(there);
    return half;
}

int main(void) {
    void *context, *other;
    fakecuda_register(&kernels_halve_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    DLManagedTensorVersioned *of_primary = in_use();
    REQUIRE(cuCtxCreate_v2(&context, 0, 0) == 0);
    ufc_free(of_primary);
    CHECK(cuCtxSynchronize() == 0);

    DLManagedTensorVersioned *of_context = in_use(), *of_gone = in_use();
    REQUIRE(cuCtxPopCurrent_v2(&other) == 0 && other == context);
    ufc_free(of_context);
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);

    /* What wants for memory waits for what is freed in another CUcontext. */
    int64_t more[] = {200};
    DLManagedTensorVersioned *large = NULL;
    CHECK(ufc_pool_free_all(gpu, &err) == UFC_OK && ufc_pool_set_limit(gpu, 1900, &err) == UFC_OK);
    REQUIRE(cuCtxPushCurrent_v2(context) == 0);
    ufc_free(in_use());
    REQUIRE(cuCtxPopCurrent_v2(&other) == 0);
    CHECK(ufc_empty(gpu, UFC_FLOAT32, 1, more, UFC_DEVICE, &large, &err) == UFC_OK);
    ufc_free(large);
    CHECK(ufc_pool_set_limit(gpu, 0, &err) == UFC_OK);

    REQUIRE(cuCtxPushCurrent_v2(context) == 0 && cuCtxDestroy_v2(context) == 0);
    ufc_free(of_gone);
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    ufc_context_free(gpu);
    CHECK(fakecuda_live() == 0);
    return test_failures > 0;
}
