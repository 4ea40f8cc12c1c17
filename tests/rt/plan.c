/* plan.c: what executing a plan asks of the driver, and threads that share one: launches, and what
 * clears a workspace.  On the fake driver; gpu_plan.c and gpu_plans.c have the results. */
#include <pthread.h>
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "plans.h"
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

/* Plans of gufuncs and methods, each thread's in a workspace of its own. */
static ufc_plan *others[3];
static DLManagedTensorVersioned *large[3];

static DLManagedTensorVersioned *new_square(ufc_type type) {
    DLManagedTensorVersioned *array;
    REQUIRE(ufc_empty(gpu, type, 2, (int64_t[]){100, 100}, UFC_DEVICE, &array, &err) == UFC_OK);
    memset(array->dl_tensor.data, 0, 10000 * array->dl_tensor.dtype.bits / 8); /* it lets us */
    return array;
}

static void *execute_others(void *workspace) {
    ufc_error own;
    for (int i = 0; i < TIMES; i++)
        for (int k = 0; k < 3; k++)
            CHECK(ufc_execute_in(others[k], NULL, workspace, NULL, &own) == UFC_OK ||
                  !printf("%s\n", own.message));
    return NULL;
}

static void without_memory(void) {
    DLManagedTensorVersioned *room[2], *sum, *totals;
    static const ufc_type types[] = {UFC_FLOAT32, UFC_FLOAT64, UFC_FLOAT64};
    fakecuda_register(&plans_product_ufunc);
    fakecuda_register(&plans_plus_ufunc);
    for (int i = 0; i < 3; i++)
        large[i] = new_square(types[i]);
    for (int i = 0; i < 2; i++)
        REQUIRE(ufc_empty(gpu, UFC_FLOAT64, 1, (int64_t[]){1 << 18}, UFC_DEVICE, &room[i], &err) ==
                UFC_OK);
    ufc_arg in[] = {ufc_array(&large[0]->dl_tensor), ufc_array(&large[1]->dl_tensor)};
    ufc_out out = ufc_into(&large[2]->dl_tensor);
    ufc_keywords all = {.all_axes = true};
    REQUIRE(ufc_plan_new(&others[0], gpu, NULL, &plans_product_ufunc, in, &out, NULL, &err) ==
            UFC_OK);
    REQUIRE(ufc_plan_reduce(&others[1], gpu, NULL, &plans_plus_ufunc, in[1], ufc_new(&sum), &all,
                            &err) == UFC_OK);
    REQUIRE(ufc_plan_accumulate(&others[2], gpu, NULL, &plans_plus_ufunc, in[1], ufc_new(&totals),
                                NULL, &err) == UFC_OK);
    CHECK(ufc_plan_workspace(others[0]) > 0 && ufc_plan_workspace(others[1]) > 0); /* it converts */
    CHECK(ufc_plan_workspace(NULL) == 0);
    unsigned calls = other_calls(), launches = fakecuda_launches();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, execute_others, room[i]->dl_tensor.data) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    execute_others(NULL);
    CHECK(other_calls() == calls);
    CHECK(fakecuda_launches() >= launches + 9 * TIMES);
    for (int i = 0; i < 3; i++) {
        ufc_plan_free(others[i]);
        ufc_free(large[i]);
    }
    for (int i = 0; i < 2; i++)
        ufc_free(room[i]);
    ufc_free(sum);
    ufc_free(totals);
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
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

    unsigned calls = other_calls(), launches = fakecuda_launches();
    DLManagedTensorVersioned *arrays[][2] = {{x, y}, {x, z}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, execute, arrays[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(other_calls() == calls);
    CHECK(fakecuda_launches() == launches + 2 * TIMES);
    for (int k = 0; k < 2; k++) {
        memset(host, 0, sizeof host);
        CHECK(ufc_copy(gpu, NULL, &arrays[k][1]->dl_tensor, &from, &err) == UFC_OK);
        for (int i = 0; i < N; i++)
            CHECK(host[i] == (float)i);
    }
    ufc_plan_free(plan);
    without_memory();
    ufc_free(x);
    ufc_free(y);
    ufc_free(z);
    ufc_context_free(gpu);
    return test_failures != 0;
}
