/* staging.c: atan2 of float32 arrays of the host on one GPU, pageable and pinned, beside copying
 * what it reads and writes, pinned, both ways at once, which no call can be faster than, and beside
 * atan2f of the C library on one thread.  Milliseconds, the median of several calls; the last two
 * columns are the pageable call's time over that of the copies, and the thread's over the call's.
 *
 *     tests/run c tests/bench/staging.c */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "../test.h"
#include "staging.h"
#include "timing.h"
#include "ufc.h"

enum { N = 100000000, TIMES = 7 };

static ufc_context *gpu;
static ufc_error err;
static void *streams[2];
static DLManagedTensorVersioned *pinned[3], *device[3];
static float *pageable[3];
static DLTensor array[3]; /* x, y and the result: what the pieces of work below take */
static int64_t n;

static void must(ufc_status status) {
    if (status == UFC_OK)
        return;
    puts(err.message);
    exit(1);
}

/* Milliseconds. */
static double median(void (*work)(void)) {
    double times[TIMES];
    work();
    for (int i = 0; i < TIMES; i++) {
        double start = now();
        work();
        times[i] = 1e3 * (now() - start);
    }
    return median_time(times, TIMES);
}

static void call(void) {
    must(staging_angle(gpu, NULL, ufc_array(&array[0]), ufc_array(&array[1]), ufc_into(&array[2]),
                       &err));
}

static void *copy_in(void *unused) {
    (void)unused;
    ufc_error error;
    for (int k = 0; k < 2; k++) {
        DLTensor to = device[k]->dl_tensor;
        to.shape = &n;
        if (ufc_copy(gpu, streams[0], &array[k], &to, &error) != UFC_OK)
            return "the copies to the GPU failed";
    }
    return NULL;
}

/* In both directions at once. */
static void copy(void) {
    pthread_t thread;
    void *failed;
    DLTensor from = device[2]->dl_tensor;
    from.shape = &n;
    REQUIRE(!pthread_create(&thread, NULL, copy_in, NULL));
    must(ufc_copy(gpu, streams[1], &from, &array[2], &err));
    REQUIRE(!pthread_join(thread, &failed) && !failed);
}

static void one_thread(void) {
    for (int64_t i = 0; i < n; i++)
        pageable[2][i] = atan2f(pageable[0][i], pageable[1][i]);
}

static void use(DLDeviceType type) {
    for (int k = 0; k < 3; k++) {
        float *data = type == kDLCPU ? pageable[k] : pinned[k]->dl_tensor.data;
        array[k] = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, &n);
        array[k].device.device_type = type;
    }
}

int main(void) {
    if (ufc_device_count(NULL) < 1) {
        puts("there is no GPU here");
        return SKIPPED;
    }
    must(ufc_context_new(&gpu, "cuda:0", 0, &err));
    n = N;
    for (int k = 0; k < 3; k++) {
        must(ufc_empty(gpu, UFC_FLOAT32, 1, &n, UFC_PINNED, &pinned[k], &err));
        must(ufc_empty(gpu, UFC_FLOAT32, 1, &n, UFC_DEVICE, &device[k], &err));
        pageable[k] = malloc(N * sizeof(float));
        REQUIRE(pageable[k]);
        for (int64_t i = 0; i < N; i++)
            pageable[k][i] = ((float *)pinned[k]->dl_tensor.data)[i] =
                (float)(i % (1000 + k)) - 500;
    }
    for (int k = 0; k < 2; k++)
        must(ufc_stream_new(&streams[k], gpu, &err));
    puts("atan2      copies    pinned  pageable    thread  pageable/copies  thread/pageable");
    for (n = N / 100; n <= N; n *= 10) {
        use(kDLCUDAHost);
        double copies = median(copy), direct = median(call);
        use(kDLCPU);
        double staged = median(call), thread = median(one_thread);
        printf("%.0e %10.3f%10.3f%10.3f%10.3f%17.2f%17.2f\n", (double)n, copies, direct, staged,
               thread, staged / copies, thread / staged);
    }
    for (int k = 0; k < 3; k++) {
        pinned[k]->deleter(pinned[k]);
        device[k]->deleter(device[k]);
        free(pageable[k]);
    }
    for (int k = 0; k < 2; k++)
        ufc_stream_free(gpu, streams[k]);
    ufc_context_free(gpu);
    return 0;
}
