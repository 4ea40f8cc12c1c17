/* gpu_streams.c: streams that the library makes, events between them, and ufc_profile; on the host
 * and the simulator, where calls are done on return, the same program runs.  On a GPU and on the
 * fake driver. */
#include <string.h>
#include <time.h>
#include "../driver.h"
#include "../test.h"
#include "twice.h"
#include "ufc.h"

enum { N = 1000 };
static int64_t shape[] = {N};
static ufc_error err;

static DLManagedTensorVersioned *array(ufc_context *ctx, ufc_place place) {
    DLManagedTensorVersioned *a;
    REQUIRE(ufc_empty(ctx, UFC_FLOAT32, 1, shape, place, &a, &err) == UFC_OK);
    return a;
}

/* y = 2 x on one stream, z = 2 y on another, which waits for the first by an event. */
static void ordered(ufc_context *ctx) {
    void *first, *second;
    ufc_event *start, *between, *end;
    double seconds = -1;
    DLManagedTensorVersioned *host = array(ctx, UFC_HOST), *x = array(ctx, UFC_DEVICE),
                             *y = array(ctx, UFC_DEVICE), *z = array(ctx, UFC_DEVICE);
    float *h = host->dl_tensor.data;
    for (int i = 0; i < N; i++)
        h[i] = (float)i;
    CHECK(ufc_copy(ctx, NULL, &host->dl_tensor, &x->dl_tensor, &err) == UFC_OK);
    REQUIRE(ufc_stream_new(&first, ctx, &err) == UFC_OK);
    REQUIRE(ufc_stream_new(&second, ctx, &err) == UFC_OK);
    REQUIRE(ufc_event_new(&start, ctx, &err) == UFC_OK);
    REQUIRE(ufc_event_new(&between, ctx, &err) == UFC_OK);
    REQUIRE(ufc_event_new(&end, ctx, &err) == UFC_OK);
    CHECK(ufc_event_wait(between, second, &err) == UFC_OK); /* for nothing */
    CHECK(ufc_event_record(start, first, &err) == UFC_OK);
    CHECK(twice_twice(ctx, first, ufc_array(&x->dl_tensor), ufc_into(&y->dl_tensor), &err) ==
          UFC_OK);
    CHECK(ufc_event_record(between, first, &err) == UFC_OK);
    CHECK(ufc_event_wait(between, second, &err) == UFC_OK);
    CHECK(twice_twice(ctx, second, ufc_array(&y->dl_tensor), ufc_into(&z->dl_tensor), &err) ==
          UFC_OK);
    CHECK(ufc_event_elapsed(start, end, &seconds, &err) == UFC_EINVAL);
    CHECK(strstr(err.message, "'end' was not recorded"));
    CHECK(ufc_event_record(end, second, &err) == UFC_OK);
    CHECK(ufc_event_synchronize(end, &err) == UFC_OK);
    CHECK(ufc_event_elapsed(start, end, &seconds, &err) == UFC_OK && seconds >= 0 && seconds < 60);
    CHECK(ufc_copy(ctx, second, &z->dl_tensor, &host->dl_tensor, &err) == UFC_OK);
    CHECK(h[0] == 0 && h[1] == 4 && h[N - 1] == 4 * (N - 1));
    ufc_free(z); /* in the order of the default stream, for which the others wait */
    ufc_free(y);
    ufc_free(x);
    ufc_free(host);
    ufc_event_free(end);
    ufc_event_free(between);
    ufc_event_free(start);
    ufc_stream_free(ctx, second);
    ufc_stream_free(ctx, first);
}

static void sleep_two_ms(void *arg) {
    (*(int *)arg)++;
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

static void profiled(ufc_context *ctx) {
    ufc_times t = {0};
    int done = 0;
    CHECK(ufc_profile(ctx, NULL, sleep_two_ms, &done, 3, 8, &t, &err) == UFC_OK);
    CHECK(done == 11 && t.calls == 8);
    CHECK(t.host.min >= 0.002 && t.host.min <= t.host.median && t.host.median <= t.host.max);
    CHECK(t.host.mean >= t.host.min && t.host.mean <= t.host.max && t.host.std >= 0);
    CHECK(t.host.std <= t.host.max - t.host.min);
    CHECK(t.device.min >= 0 && t.device.min <= t.device.median && t.device.median <= t.device.max);
    CHECK(ufc_profile(ctx, NULL, sleep_two_ms, &done, 0, 0, &t, &err) == UFC_EINVAL);
    CHECK(ufc_profile(ctx, NULL, sleep_two_ms, &done, -1, 1, &t, &err) == UFC_EINVAL);
    CHECK(ufc_profile(ctx, NULL, NULL, &done, 0, 1, &t, &err) == UFC_EINVAL && done == 11);
}

static void refused(void) {
    double seconds;
    ufc_event *event;
    CHECK(ufc_stream_new(NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_event_new(NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_event_record(NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_event_wait(NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_event_synchronize(NULL, &err) == UFC_EINVAL);
    REQUIRE(ufc_event_new(&event, NULL, &err) == UFC_OK);
    CHECK(ufc_event_elapsed(event, NULL, &seconds, &err) == UFC_EINVAL);
    ufc_event_free(event);
    ufc_event_free(NULL);
    ufc_stream_free(NULL, NULL);
}

int main(void) {
    static const char *const devices[] = {"cpu", "sim", "cuda"};
    make_known(&twice_twice_ufunc);
    int status = 0;
    for (int i = 0; i < 3; i++) {
        ufc_context *ctx;
        if (ufc_context_new(&ctx, devices[i], 0, &err) != UFC_OK) {
            printf("%s: %s\n", devices[i], err.message);
            status = SKIPPED;
            continue;
        }
        ordered(ctx);
        profiled(ctx);
        ufc_context_free(ctx);
    }
    ordered(NULL);
    refused();
    return test_failures ? 1 : status;
}
