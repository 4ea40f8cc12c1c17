/* gpu_parked.c: contexts that are freed before their arrays, many of them: the memory pool of each
 * is destroyed, at the latest when a context is freed or opened after its array was.  On a GPU and
 * on the fake driver, which counts. */
#include <dlfcn.h>
#include "../test.h"
#include "ufc.h"

enum { KEPT = 40 };
static ufc_error err;

static ufc_context *open_gpu(void) {
    ufc_context *gpu = NULL;
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    return gpu;
}

static unsigned destroyed(void) {
    unsigned (*calls)(const char *) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver)
        *(void **)&calls = dlsym(driver, "fakecuda_calls");
    return calls ? calls("cuMemPoolDestroy") : 0;
}

/* Opens a context, makes an array of it, and frees the context. */
static DLManagedTensorVersioned *outliving(void) {
    DLManagedTensorVersioned *array = NULL;
    int64_t size = 1 << 20;
    ufc_context *gpu = open_gpu();
    CHECK(ufc_empty(gpu, UFC_UINT8, 1, &size, UFC_DEVICE, &array, &err) == UFC_OK);
    ufc_context_free(gpu);
    return array;
}

int main(void) {
    DLManagedTensorVersioned *array[KEPT];
    ufc_context *gpu = NULL;
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("%s\n", err.message);
        return SKIPPED;
    }
    ufc_context_free(gpu);
    bool counts = destroyed() > 0;
    CHECK(!counts || destroyed() == 1);
    for (int i = 0; i < KEPT; i++)
        array[i] = outliving();
    CHECK(!counts || destroyed() == 1);
    ufc_context_free(open_gpu()); /* whose pool is not in use, however many others are */
    CHECK(!counts || destroyed() == 2);
    ufc_free(array[0]);
    ufc_free(outliving());
    ufc_context_free(open_gpu());
    CHECK(!counts || destroyed() == 5);
    for (int i = 1; i < KEPT; i++)
        ufc_free(array[i]);
    ufc_context_free(open_gpu());
    CHECK(!counts || destroyed() > 5);
    return test_failures > 0;
}
