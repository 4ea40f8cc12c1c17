/* launch.c: what a call on 16 elements of a GPU costs, planned afresh and by a plan, beside the
 * bare launch of the same kernel with the same parameter: in bursts of 200, by CUDA's events, the
 * median of many bursts taken in turn.
 *
 *     tests/run c tests/bench/launch.c */
#include <dlfcn.h>
#include <string.h>
#include "../test.h"
#include "image_abi.h"
#include "ufc.h"
#include "workloads.h"

enum { N = 16, BURST = 200, BURSTS = 101, WAYS = 3 };

static ufc_context *gpu;
static ufc_error err;
static DLManagedTensorVersioned *array[3];
static ufc_plan *plan;

/* ---- the driver */

static int (*load)(void **module, const void *image);
static int (*get)(void **function, void *module, const char *name);
static int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                     unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                     void **extra);
static int (*retain)(void **context, int device);
static int (*push)(void *context);
static void *function;

static struct {
    struct ufc_kparam_head head;
    struct ufc_kparam_op op[3];
} parameter;

static const struct ufc_overload *find_overload(void) {
    const struct ufc_ufunc *ufunc = &workloads_add_ufunc;
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        if (ufunc->overloads[i].dtypes[0] == DT_FLOAT32)
            return &ufunc->overloads[i];
    return NULL;
}

static void find(void *library, const char *name, void *pointer) {
    void *symbol = dlsym(library, name);
    REQUIRE(symbol);
    memcpy(pointer, &symbol, sizeof symbol);
}

static void open_driver(const struct ufc_overload *overload) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *context, *module;
    REQUIRE(library);
    find(library, "cuModuleLoadData", &load);
    find(library, "cuModuleGetFunction", &get);
    find(library, "cuLaunchKernel", &launch);
    find(library, "cuDevicePrimaryCtxRetain", &retain);
    find(library, "cuCtxPushCurrent_v2", &push);
    REQUIRE(retain(&context, 0) == 0 && push(context) == 0);
    REQUIRE(load(&module, overload->code[UFC_MODULE_PLAIN].ptx) == 0);
    REQUIRE(get(&function, module, overload->kernel[UFC_KERNEL_VECTOR]) == 0);
    parameter.head.n = N;
    for (int k = 0; k < 3; k++)
        parameter.op[k].ptr = (uintptr_t)array[k]->dl_tensor.data;
}

/* ---- three ways */

static int bare(void) {
    void *params[] = {&parameter};
    return launch(function, 1, 1, 1, 256, 1, 1, 0, NULL, params, NULL);
}

static int call(void) {
    return workloads_add(gpu, NULL, ufc_array(&array[0]->dl_tensor),
                         ufc_array(&array[1]->dl_tensor), ufc_into(&array[2]->dl_tensor), &err);
}

static int execute(void) {
    return ufc_execute(plan, NULL, NULL, &err);
}

static void burst(void *once) {
    for (int i = 0; i < BURST; i++)
        REQUIRE((*(int (**)(void))once)() == 0);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    static const char *const names[WAYS] = {"cuLaunchKernel", "ufc_call", "ufc_execute"};
    static int (*ways[WAYS])(void) = {bare, call, execute};
    static double seconds[WAYS][BURSTS];
    int64_t shape[] = {N};
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK)
        return printf("%s\n", err.message), SKIPPED;
    for (int k = 0; k < 3; k++)
        REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &array[k], &err) == UFC_OK);
    ufc_arg in[] = {ufc_array(&array[0]->dl_tensor), ufc_array(&array[1]->dl_tensor)};
    ufc_out out = ufc_into(&array[2]->dl_tensor);
    REQUIRE(ufc_plan_new(&plan, gpu, NULL, &workloads_add_ufunc, in, &out, NULL, &err) == UFC_OK);
    open_driver(find_overload());
    for (int i = -5; i < BURSTS; i++)
        for (int way = 0; way < WAYS; way++) {
            double all;
            REQUIRE(ufc_elapsed(gpu, NULL, burst, &ways[way], &all, &err) == UFC_OK);
            if (i >= 0)
                seconds[way][i] = all / BURST;
        }
    for (int way = 0; way < WAYS; way++) {
        qsort(seconds[way], BURSTS, sizeof(double), ascending);
        printf("%-15s %6.2f us, %.2f times the bare launch\n", names[way],
               seconds[way][BURSTS / 2] * 1e6, seconds[way][BURSTS / 2] / seconds[0][BURSTS / 2]);
    }
    ufc_plan_free(plan);
    for (int k = 0; k < 3; k++)
        ufc_free(array[k]);
    ufc_context_free(gpu);
    return 0;
}
