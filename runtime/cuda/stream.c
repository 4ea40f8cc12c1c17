/* stream.c: a GPU's streams and events. */
#include "cuda.h"

/* A stream that waits for the default one, as that does for it: memory that is freed in the order
 * of the default stream is then not in use any more. */
static ufc_status create(ufc_context *ctx, void **stream, ufc_error *err) {
    struct scope scope;
    CUstream made = NULL;
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuStreamCreate, &made, CU_STREAM_DEFAULT);
    cuda_leave(&scope);
    *stream = made;
    return status;
}

/* Nobody would free it later: it is tried even where its CUcontext cannot be made current. */
static void destroy(ufc_context *ctx, void *stream) {
    struct scope scope;
    bool entered = cuda_enter(ctx, stream, &scope, NULL) == UFC_OK;
    cuda.cuStreamDestroy(stream);
    if (entered)
        cuda_leave(&scope);
}

static ufc_status event_create(ufc_context *ctx, void **event, ufc_error *err) {
    struct scope scope;
    CUevent made = NULL;
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuEventCreate, &made, CU_EVENT_DEFAULT);
    cuda_leave(&scope);
    *event = made;
    return status;
}

static void event_destroy(ufc_context *ctx, void *event) {
    struct scope scope;
    bool entered = cuda_enter(ctx, NULL, &scope, NULL) == UFC_OK;
    cuda.cuEventDestroy(event);
    if (entered)
        cuda_leave(&scope);
}

static ufc_status record(ufc_context *ctx, void *event, void *stream, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuEventRecord, event, stream);
    cuda_leave(&scope);
    return status;
}

static ufc_status wait(ufc_context *ctx, void *event, void *stream, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuStreamWaitEvent, stream, event, 0);
    cuda_leave(&scope);
    return status;
}

static ufc_status event_synchronize(ufc_context *ctx, void *event, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuEventSynchronize, event);
    cuda_leave(&scope);
    return status;
}

static ufc_status elapsed(ufc_context *ctx, void *start, void *end, double *seconds,
                          ufc_error *err) {
    struct scope scope;
    float milliseconds = 0;
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuEventSynchronize, end);
    if (status == UFC_OK)
        status = CU(err, cuEventElapsedTime, &milliseconds, start, end);
    cuda_leave(&scope);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

const struct stream_ops cuda_streams = {
    .create = create,
    .destroy = destroy,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .record = record,
    .wait = wait,
    .event_synchronize = event_synchronize,
    .elapsed = elapsed,
};
