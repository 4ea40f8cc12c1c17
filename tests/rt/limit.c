/* limit.c: a call that waits for memory, since it would exceed the pool's limit, keeps no other
 * thread from taking some.  On the fake driver. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"

enum { MEGABYTE = 1 << 20 };
static ufc_context *gpu;

static ufc_status take(int64_t size, DLManagedTensorVersioned **array, ufc_error *err) {
    *array = NULL;
    return ufc_empty(gpu, UFC_UINT8, 1, &size, UFC_DEVICE, array, err);
}

static void *take_more(void *array) {
    ufc_error err;
    return take(2 * MEGABYTE, array, &err) == UFC_OK ? array : NULL;
}

int main(void) {
    ufc_error err;
    DLManagedTensorVersioned *a, *b, *c;
    pthread_t thread;
    void *taken;
    alarm(30);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    CHECK(ufc_pool_set_limit(gpu, 4 * MEGABYTE, &err) == UFC_OK);
    REQUIRE(take(3 * MEGABYTE, &a, &err) == UFC_OK);

    /* What can never fit is not waited for. */
    unsigned waits = fakecuda_calls("cuCtxSynchronize");
    CHECK(take(5 * MEGABYTE, &b, &err) == UFC_ENOMEM && strstr(err.message, "5242880 bytes"));
    CHECK(fakecuda_calls("cuCtxSynchronize") == waits);

    waits = fakecuda_calls("cuCtxSynchronize");
    fakecuda_hold(true);
    REQUIRE(pthread_create(&thread, NULL, take_more, &c) == 0);
    while (fakecuda_calls("cuCtxSynchronize") == waits)
        usleep(1000);
    CHECK(take(MEGABYTE / 2, &b, &err) == UFC_OK);
    ufc_free(a);
    fakecuda_hold(false);
    REQUIRE(pthread_join(thread, &taken) == 0);
    CHECK(taken);
    ufc_free(b);
    ufc_free(c);
    ufc_context_free(gpu);
    return test_failures > 0;
}
