/* elapsed.c: ufc_elapsed: by events on a GPU, here the fake driver's, where each piece of work
 * takes a millisecond; by the clock on the host. */
#include <string.h>
#include <time.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

int cuCtxGetCurrent(void **context);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamDestroy_v2(void *stream);

static ufc_error err;

struct calls {
    ufc_context *ctx;
    void *stream;
    const DLTensor *x;
    int n, done;
};

static void call(void *arg) {
    struct calls *c = arg;
    for (int i = 0; i < c->n; i++)
        c->done +=
            kernels_halve(c->ctx, c->stream, ufc_array(c->x), ufc_into(c->x), &err) == UFC_OK;
}

static void sleep_a_little(void *arg) {
    nanosleep(arg, NULL);
}

static void on_host(const char *device) {
    ufc_context *ctx;
    double seconds = -1;
    struct timespec time = {0, 30000000};
    REQUIRE(ufc_context_new(&ctx, device, 1, &err) == UFC_OK);
    CHECK(ufc_elapsed(ctx, NULL, sleep_a_little, &time, &seconds, &err) == UFC_OK);
    CHECK(seconds >= 0.03 && seconds < 3);
    ufc_context_free(ctx);
}

static void on_gpu(ufc_context *gpu, void *stream) {
    int64_t shape[] = {1000};
    double seconds = -1;
    DLManagedTensorVersioned *x;
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &x, &err) == UFC_OK);
    struct calls calls = {.ctx = gpu, .stream = stream, .x = &x->dl_tensor, .n = 7};
    call(&calls); /* not in the time, though queued before it */
    CHECK(ufc_elapsed(gpu, stream, call, &calls, &seconds, &err) == UFC_OK);
    CHECK(calls.done == 14);
    CHECK(seconds > 0.00699 && seconds < 0.00701);
    calls.n = 0;
    CHECK(ufc_elapsed(NULL, stream, call, &calls, &seconds, &err) == UFC_OK && seconds == 0);
    ufc_free(x);
}

/* No event is left, the caller's context is current again. */
static void failing(ufc_context *gpu, const char *symbol, unsigned later) {
    char fail[64];
    double seconds;
    void *current;
    struct calls calls = {0};
    unsigned made = fakecuda_calls("cuEventCreate"), gone = fakecuda_calls("cuEventDestroy_v2");
    snprintf(fail, sizeof fail, "%s:%u", symbol, fakecuda_calls(symbol) + later);
    setenv("FAKECUDA_FAIL", fail, 1);
    CHECK(ufc_elapsed(gpu, NULL, call, &calls, &seconds, &err) == UFC_ENOMEM);
    CHECK(strstr(err.message, "cuEvent"));
    made = fakecuda_calls("cuEventCreate") - made;
    gone = fakecuda_calls("cuEventDestroy_v2") - gone;
    CHECK(gone == made - (strcmp(symbol, "cuEventCreate") == 0));
    unsetenv("FAKECUDA_FAIL");
    CHECK(cuCtxGetCurrent(&current) == 0 && !current);
}

int main(void) {
    ufc_context *gpu;
    void *stream, *context, *popped;
    double seconds;
    fakecuda_register(&kernels_halve_ufunc);
    on_host("cpu");
    on_host("sim");
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxPushCurrent_v2(context) == 0);
    REQUIRE(cuStreamCreate(&stream, 1) == 0 && cuCtxPopCurrent_v2(&popped) == 0);
    on_gpu(gpu, NULL);
    on_gpu(gpu, stream);
    failing(gpu, "cuEventCreate", 1);
    failing(gpu, "cuEventCreate", 2);
    failing(gpu, "cuEventRecord", 1);
    failing(gpu, "cuEventRecord", 2);
    failing(gpu, "cuEventSynchronize", 1);
    failing(gpu, "cuEventElapsedTime", 1);
    CHECK(ufc_elapsed(gpu, NULL, NULL, NULL, &seconds, &err) == UFC_EINVAL);
    CHECK(ufc_elapsed(gpu, NULL, call, NULL, NULL, &err) == UFC_EINVAL);
    CHECK(cuStreamDestroy_v2(stream) == 0);
    ufc_context_free(gpu);
    return test_failures > 0;
}
