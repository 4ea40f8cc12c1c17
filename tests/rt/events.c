/* events.c: an event is recorded in streams of whichever CUcontext, one after the other, is waited
 * for by streams of another GPU, and outlives a CUcontext in which it was recorded; no time passes
 * between events of two devices.  On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"

int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxPopCurrent_v2(void **context);

static void between_devices(ufc_event *of_gpu) {
    ufc_context *host;
    ufc_event *of_host;
    ufc_error err;
    double seconds;
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_event_new(&of_host, host, &err) == UFC_OK);
    CHECK(ufc_event_record(of_host, NULL, &err) == UFC_OK);
    CHECK(ufc_event_elapsed(of_gpu, of_host, &seconds, &err) == UFC_EINVAL &&
          strstr(err.message, "of device 'cuda', 'end' of 'cpu'"));
    ufc_event_free(of_host);
    ufc_context_free(host);
}

int main(void) {
    void *context, *stream, *other, *far;
    ufc_context *gpu, *second;
    ufc_event *event, *end;
    ufc_error err;
    double seconds;
    REQUIRE(setenv("FAKECUDA_DEVICES", "2", 1) == 0);
    REQUIRE(ufc_context_new(&gpu, "cuda:0", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&second, "cuda:1", 0, &err) == UFC_OK);
    REQUIRE(ufc_stream_new(&stream, gpu, &err) == UFC_OK);
    REQUIRE(ufc_stream_new(&far, second, &err) == UFC_OK);
    REQUIRE(ufc_event_new(&event, gpu, &err) == UFC_OK);
    REQUIRE(ufc_event_new(&end, gpu, &err) == UFC_OK);

    /* another GPU's stream waits */
    CHECK(ufc_event_wait(event, far, &err) == UFC_OK);
    CHECK(ufc_event_record(event, stream, &err) == UFC_OK);
    unsigned waits = fakecuda_calls("cuStreamWaitEvent");
    CHECK(ufc_event_wait(event, far, &err) == UFC_OK);
    CHECK(fakecuda_calls("cuStreamWaitEvent") == waits + 1);
    CHECK(ufc_event_record(event, far, &err) == UFC_EDEVICE && strstr(err.message, "GPU 1"));

    /* another CUcontext of the GPU */
    REQUIRE(cuCtxCreate_v2(&context, 0, 0) == 0);
    REQUIRE(ufc_stream_new(&other, gpu, &err) == UFC_OK);
    CHECK(ufc_event_record(event, other, &err) == UFC_OK);
    CHECK(ufc_event_record(end, stream, &err) == UFC_OK);
    CHECK(ufc_event_wait(event, stream, &err) == UFC_OK);
    CHECK(ufc_event_elapsed(event, end, &seconds, &err) == UFC_EDEVICE);
    CHECK(ufc_event_record(end, other, &err) == UFC_OK);
    CHECK(ufc_event_elapsed(event, end, &seconds, &err) == UFC_OK && seconds >= 0);
    ufc_stream_free(gpu, other);
    CHECK(cuCtxDestroy_v2(context) == 0);

    /* which is gone, with all that was to be waited for */
    CHECK(ufc_event_synchronize(event, &err) == UFC_OK);
    CHECK(ufc_event_wait(event, stream, &err) == UFC_OK);
    CHECK(ufc_event_elapsed(event, end, &seconds, &err) == UFC_EDEVICE);
    CHECK(ufc_event_record(event, stream, &err) == UFC_OK);
    CHECK(ufc_event_synchronize(event, &err) == UFC_OK);
    between_devices(event);
    ufc_event_free(end);
    ufc_event_free(event);
    ufc_stream_free(second, far);
    ufc_stream_free(gpu, stream);
    ufc_context_free(second);
    ufc_context_free(gpu);
    return test_failures > 0;
}
