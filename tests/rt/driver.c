/* driver.c: a driver's function that fails once is no loss for good: neither the GPU nor its
 * memory. On the fake driver. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

static ufc_error err;

/* The next call of a driver function fails. */
static void fail_next(const char *symbol) {
    char text[80];
    snprintf(text, sizeof text, "%s:%u", symbol, fakecuda_calls(symbol) + 1);
    setenv("FAKECUDA_FAIL", text, 1);
}

/* ---- starting */

static void start(const char *symbol, const char *name) {
    const char *why = NULL;
    char wanted[80];
    ufc_context *ctx = NULL;
    snprintf(wanted, sizeof wanted, "%s: CUDA_ERROR_OUT_OF_MEMORY", name);
    fail_next(symbol);
    CHECK(ufc_device_count(&why) == 0 && why && strstr(why, wanted));
    fail_next(symbol);
    CHECK(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_EDEVICE && strstr(err.message, wanted));
    CHECK(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_OK);
    CHECK(ufc_device_count(&why) == 1 && !why);
    ufc_context_free(ctx);
}

static void init(void) {
    start("cuInit", "cuInit");
}

static void count(void) {
    start("cuDeviceGetCount", "cuDeviceGetCount");
}

/* On the thread's stream, of whichever GPU it is. */
static float add_five(void) {
    float five[] = {5}, sum = 0;
    int64_t one[] = {1};
    DLTensor x = ufc_host_array(five, ufc_dltype(UFC_FLOAT32), 1, one), out = x;
    out.data = &sum;
    CHECK(kernels_add(NULL, (void *)2, ufc_array(&x), ufc_float(5), ufc_into(&out), &err) ==
          UFC_OK);
    return sum;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Calls that can go to the host do, and ask anew neither each time nor never. */
static void default_context(void) {
    double begin = now();
    fail_next("cuInit");
    CHECK(add_five() == 10 && fakecuda_launches() == 0);
    for (int i = 0; i < 5; i++)
        CHECK(add_five() == 10);
    CHECK(fakecuda_calls("cuInit") == 1 || now() - begin > 0.9);
    nanosleep(&(struct timespec){1, 50000000}, NULL);
    CHECK(add_five() == 10 && fakecuda_launches() > 0);
}

enum { CALLERS = 16 };
static pthread_barrier_t together;

static void *call_with_others(void *arg) {
    pthread_barrier_wait(&together);
    add_five();
    return arg;
}

/* Of many threads that find a second gone one asks anew, and the others do not wait for it. */
static void many_callers(void) {
    pthread_t threads[CALLERS];
    setenv("FAKECUDA_DEVICES", "0", 1);
    CHECK(add_five() == 10 && fakecuda_calls("cuInit") == 1);
    nanosleep(&(struct timespec){1, 50000000}, NULL);
    double begin = now();
    pthread_barrier_init(&together, NULL, CALLERS);
    for (int i = 0; i < CALLERS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, call_with_others, NULL) == 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(fakecuda_calls("cuInit") == 2 || now() - begin > 0.9);
}

/* ---- memory */

static void frees(const char *symbol, ufc_place place) {
    DLManagedTensorVersioned *array, *other;
    int64_t shape[] = {1000};
    REQUIRE(ufc_context_new(&(ufc_context *){NULL}, "cuda", 0, &err) == UFC_OK);
    REQUIRE(ufc_empty(NULL, UFC_FLOAT32, 1, shape, place, &array, &err) == UFC_OK);
    REQUIRE(array->dl_tensor.device.device_type != kDLCPU && fakecuda_live() == 1);
    fail_next(symbol);
    ufc_free(array);
    CHECK(fakecuda_live() == 1);
    REQUIRE(ufc_empty(NULL, UFC_FLOAT32, 1, shape, place, &other, &err) == UFC_OK);
    CHECK(fakecuda_live() == 1);
    ufc_free(other);
    CHECK(ufc_synchronize(NULL, NULL, &err) == UFC_OK && fakecuda_live() == 0);
}

static void free_async(void) {
    frees("cuMemFreeAsync", UFC_DEVICE);
}

static void free_without_pool(void) {
    setenv("FAKECUDA_POOLS", "0", 1);
    frees("cuMemFree_v2", UFC_DEVICE);
}

/* What is kept goes back with the rest of the pool. */
static void free_all(void) {
    DLManagedTensorVersioned *array;
    int64_t shape[] = {1000};
    ufc_pool pool;
    REQUIRE(ufc_empty(NULL, UFC_FLOAT32, 1, shape, UFC_DEVICE, &array, &err) == UFC_OK);
    fail_next("cuMemFreeAsync");
    ufc_free(array);
    CHECK(ufc_pool_free_all(NULL, &err) == UFC_OK && fakecuda_live() == 0);
    CHECK(ufc_pool_statistics(NULL, &pool, &err) == UFC_OK && pool.reserved == 0);
}

static void push(void) {
    frees("cuCtxPushCurrent_v2", UFC_DEVICE);
}

static void get_current(void) {
    frees("cuCtxGetCurrent", UFC_PINNED);
}

int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxGetCurrent(void **context);
int cuCtxPushCurrent_v2(void *context);

/* The caller's CUcontext stays current where leaving another one fails, but is done. */
static void pop(void) {
    ufc_context *ctx;
    DLManagedTensorVersioned *array;
    int64_t shape[] = {1000};
    void *other, *current;
    setenv("FAKECUDA_DEVICES", "2", 1);
    REQUIRE(ufc_context_new(&ctx, "cuda:0", 0, &err) == UFC_OK);
    REQUIRE(cuDevicePrimaryCtxRetain(&other, 1) == 0 && cuCtxPushCurrent_v2(other) == 0);
    setenv("FAKECUDA_POP_FAILS", "1", 1);
    CHECK(ufc_empty(ctx, UFC_FLOAT32, 1, shape, UFC_DEVICE, &array, &err) == UFC_OK);
    CHECK(cuCtxGetCurrent(&current) == 0 && current == other);
    ufc_free(array);
    CHECK(cuCtxGetCurrent(&current) == 0 && current == other);
    ufc_context_free(ctx);
    CHECK(cuCtxGetCurrent(&current) == 0 && current == other);
}

/* What could not be freed in a context is when it is. */
static void close_context(void) {
    ufc_context *ctx;
    float x[] = {1, 2}, y[2] = {0};
    int64_t shape[] = {2};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, shape), out = in;
    out.data = y;
    static const char *const failing[] = {"cuMemFreeAsync",     "cuMemFreeHost",
                                          "cuModuleUnload",     "cuEventDestroy_v2",
                                          "cuCtxPopCurrent_v2", "cuDevicePrimaryCtxRelease_v2",
                                          "cuMemPoolDestroy",   "cuCtxPushCurrent_v2"};
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        REQUIRE(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_OK);
        if (i == 0)
            fail_next(failing[i]);
        CHECK(kernels_add(ctx, NULL, ufc_array(&in), ufc_array(&in), ufc_into(&out), &err) ==
                  UFC_OK &&
              y[1] == 4);
        if (i > 0)
            fail_next(failing[i]);
        ufc_context_free(ctx);
        CHECK(fakecuda_live() == 0 || !printf("after a failing %s\n", failing[i]));
    }
}

static void in_a_child(void (*test)(void)) {
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        test_failures = 0;
        test();
        fflush(stdout);
        _exit(test_failures > 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
    fakecuda_register(&kernels_add_ufunc);
    in_a_child(init);
    in_a_child(count);
    in_a_child(default_context);
    in_a_child(many_callers);
    in_a_child(free_async);
    in_a_child(free_without_pool);
    in_a_child(free_all);
    in_a_child(push);
    in_a_child(get_current);
    in_a_child(pop);
    in_a_child(close_context);
    return test_failures > 0;
}
