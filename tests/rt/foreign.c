/* foreign.c: calls in CUcontexts that the program made.  On the fake driver. */
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxPopCurrent_v2(void **context);

static ufc_context *gpu;
static ufc_error err;

/* On host arrays: needs a module, pinned memory, an event. */
static void call(void) {
    float data[100] = {7}, half[100];
    int64_t shape[] = {100};
    DLTensor x = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape), out = x;
    out.data = half;
    CHECK(kernels_halve(gpu, NULL, ufc_array(&x), ufc_into(&out), &err) == UFC_OK &&
          half[0] == 3.5F);
}

/* Nothing is left in a CUcontext that outlives ufc's. */
static void outlives(void) {
    void *context;
    unsigned live = fakecuda_live(), modules = fakecuda_calls("cuModuleUnload");
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    call();
    REQUIRE(cuCtxCreate_v2(&context, 0, 0) == 0);
    call();
    call();
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == 2);
    REQUIRE(cuCtxPopCurrent_v2(&context) == 0);
    ufc_context_free(gpu);
    CHECK(fakecuda_live() == live && fakecuda_calls("cuModuleUnload") == modules + 2);
    CHECK(cuCtxDestroy_v2(context) == 0);
}

/* One that is gone, whose handle the next may have, takes along what was made there. */
static void is_gone(void) {
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    unsigned modules = fakecuda_calls("cuModuleLoadDataEx");
    unsigned unloaded = fakecuda_calls("cuModuleUnload");
    for (unsigned i = 1; i <= 20; i++) {
        void *context;
        REQUIRE(cuCtxCreate_v2(&context, 0, 0) == 0);
        call();
        CHECK(fakecuda_calls("cuModuleLoadDataEx") == modules + i);
        CHECK(cuCtxDestroy_v2(context) == 0);
    }
    ufc_context_free(gpu);
    CHECK(fakecuda_calls("cuModuleUnload") == unloaded && fakecuda_live() == 0);
}

int main(void) {
    fakecuda_register(&kernels_halve_ufunc);
    outlives();
    is_gone();
    return test_failures > 0;
}
