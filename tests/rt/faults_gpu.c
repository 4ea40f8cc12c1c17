/* faults_gpu.c: a GPU whose memory is taken to the last, and a kernel that writes where there is no
 * memory: the call fails, and says of what; after the one the next call works, after the other the
 * host and other processes do, and the process ends as any. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "twice.h"
#include "ufc.h"

enum { N = 1 << 20, MOST = 4096 };
static ufc_context *gpu;
static ufc_error err;
static float x[N], y[N];
static int64_t shape[] = {N};

static DLTensor host_array(float *data) {
    return ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape);
}

/* Whether twice gives what it is to give of host arrays. */
static bool works(ufc_context *ctx) {
    DLTensor from = host_array(x), to = host_array(y);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = -1;
    }
    ufc_status status = twice_twice(ctx, NULL, ufc_array(&from), ufc_into(&to), &err);
    return status == UFC_OK && y[1] == 2 && y[N - 1] == 2.0F * (N - 1);
}

/* A part of the memory at a time, then smaller ones, until nothing is left for a result. */
static void exhausted(void) {
    static DLManagedTensorVersioned *taken[MOST];
    DLManagedTensorVersioned *in, *out = NULL;
    ufc_properties p;
    int ntaken = 0;
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_properties(gpu, &p, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &in, &err) == UFC_OK);
    for (int64_t size = (int64_t)(p.memory / 8); size >= (int64_t)sizeof x / 2 && ntaken < MOST;) {
        if (ufc_empty(gpu, UFC_UINT8, 1, &size, UFC_DEVICE, &taken[ntaken], &err) == UFC_OK)
            ntaken++;
        else
            size /= 2;
    }
    ufc_arg arg = ufc_array(&in->dl_tensor);
    CHECK(twice_twice(gpu, NULL, arg, ufc_new(&out), &err) == UFC_ENOMEM && !out);
    CHECK(strstr(err.message, "4194304 bytes were asked for"));
    while (ntaken > 0)
        ufc_free(taken[--ntaken]);
    CHECK(twice_twice(gpu, NULL, arg, ufc_new(&out), &err) == UFC_OK);
    CHECK(works(gpu));
    ufc_free(out);
    ufc_free(in);
    ufc_context_free(gpu);
}

/* The fault is told by what waits for the kernel; the driver leaves the CUcontext of no more use.
 */
static void fault(void) {
    DLManagedTensorVersioned *in, *out = NULL;
    ufc_context *host, *again;
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    REQUIRE(works(gpu));
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &in, &err) == UFC_OK);
    DLTensor nowhere = in->dl_tensor;
    nowhere.data = (char *)nowhere.data + ((int64_t)1 << 42);
    ufc_status status = twice_twice(gpu, NULL, ufc_array(&in->dl_tensor), ufc_into(&nowhere), &err);
    if (status == UFC_OK)
        status = ufc_synchronize(gpu, NULL, &err);
    CHECK(status == UFC_ECUDA && strstr(err.message, "ILLEGAL_ADDRESS"));
    *err.message = 0;
    CHECK(twice_twice(gpu, NULL, ufc_array(&in->dl_tensor), ufc_new(&out), &err) == UFC_ECUDA);
    CHECK(!out && *err.message);
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    CHECK(works(host));
    *err.message = 0;
    if (ufc_context_new(&again, "cuda", 0, &err) == UFC_OK) {
        CHECK(works(again) || *err.message);
        ufc_context_free(again);
    } else {
        CHECK(*err.message);
    }
    ufc_free(in);
    ufc_context_free(gpu);
    ufc_context_free(host);
}

int main(void) {
    int ended = -1;
    pid_t child = fork(); /* before this process uses the driver */
    REQUIRE(child >= 0);
    if (child == 0) {
        fault();
        exit(test_failures > 0);
    }
    REQUIRE(waitpid(child, &ended, 0) == child);
    CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    exhausted();
    return test_failures > 0;
}
