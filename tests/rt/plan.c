/* plan.c: what executing a plan asks of the driver, and threads that share one.  On the fake
 * driver; gpu_plan.c has its results. */
#include <pthread.h>
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { N = 1000, TIMES = 50 };

static ufc_context *gpu;
static ufc_error err;
static int64_t shape[] = {N};
static ufc_plan *plan;

static DLManagedTensorVersioned *new_line(void) {
    DLManagedTensorVersioned *array;
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &array, &err) == UFC_OK);
    return array;
}

static unsigned other_calls(void) {
    static const char *const names[] = {"cuMemAlloc_v2",       "cuMemAllocFromPoolAsync",
                                        "cuMemFreeAsync",      "cuMemHostAlloc",
                                        "cuMemcpyAsync",       "cuModuleLoadDataEx",
                                        "cuModuleGetFunction", "cuStreamSynchronize",
                                        "cuEventSynchronize",  "cuCtxSynchronize"};
    unsigned calls = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        calls += fakecuda_calls(names[i]);
    return calls;
}

static void *execute(void *output) {
    DLManagedTensorVersioned *const *arrays = output;
    ufc_error own;
    for (int i = 0; i < TIMES; i++)
        CHECK(ufc_execute(plan, NULL,
                          (void *[]){arrays[0]->dl_tensor.data, arrays[1]->dl_tensor.data},
                          &own) == UFC_OK);
    return NULL;
}

int main(void) {
    fakecuda_register(&kernels_halve_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    DLManagedTensorVersioned *x = new_line(), *y = new_line(), *z = new_line();
    float host[N];
    for (int i = 0; i < N; i++)
        host[i] = (float)(2 * i);
    DLTensor from = ufc_host_array(host, ufc_dltype(UFC_FLOAT32), 1, shape);
    REQUIRE(ufc_copy(gpu, NULL, &from, &x->dl_tensor, &err) == UFC_OK);
    ufc_arg in = ufc_array(&x->dl_tensor);
    ufc_out out = ufc_into(&y->dl_tensor);

    /* A call loads the code that it needs, a plan that for other memory too. */
    unsigned modules = fakecuda_calls("cuModuleLoadDataEx");
    REQUIRE(ufc_call(gpu, NULL, &kernels_halve_ufunc, &in, &out, &err) == UFC_OK);
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == modules + 1);
    REQUIRE(ufc_plan_new(&plan, gpu, NULL, &kernels_halve_ufunc, &in, &out, NULL, &err) == UFC_OK);

    CHECK(fakecuda_calls("cuModuleLoadDataEx") == modules + 2);

    unsigned calls = other_calls(), launches = fakecuda_calls("cuLaunchKernel");
    DLManagedTensorVersioned *arrays[][2] = {{x, y}, {x, z}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, execute, arrays[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(other_calls() == calls);
    CHECK(fakecuda_calls("cuLaunchKernel") == launches + 2 * TIMES);
    for (int k = 0; k < 2; k++) {
        memset(host, 0, sizeof host);
        CHECK(ufc_copy(gpu, NULL, &arrays[k][1]->dl_tensor, &from, &err) == UFC_OK);
        for (int i = 0; i < N; i++)
            CHECK(host[i] == (float)i);
    }
    ufc_plan_free(plan);
    ufc_free(x);
    ufc_free(y);
    ufc_free(z);
    ufc_context_free(gpu);
    return test_failures != 0;
}
