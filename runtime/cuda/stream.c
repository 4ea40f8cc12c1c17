/* stream.c: a GPU's streams and events. */
#include <stdlib.h>

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

/* ---- streams of a call's portions */

/* A stream that was joined, and what it was joined by. */
struct joined {
    CUstream stream;
    CUevent done;
    struct joined *next;
};

/* Lets a stream wait for what is queued on another one, whose event *event is then; their CUcontext
 * is current. */
static ufc_status wait_for_stream(CUstream stream, CUstream other, CUevent *event, ufc_error *err) {
    ufc_status status = CU(err, cuEventCreate, event, CU_EVENT_DISABLE_TIMING);
    if (status != UFC_OK)
        return status;
    status = CU(err, cuEventRecord, *event, other);
    if (status == UFC_OK)
        status = CU(err, cuStreamWaitEvent, stream, *event, 0);
    if (status != UFC_OK)
        cuda.cuEventDestroy(*event);
    return status;
}

/* A stream that was joined, if its work is done: else a call might wait for what the program has
 * yet to do.  To make one takes a tenth of a millisecond.  NULL: there is none. */
static CUstream take_joined(struct space *space) {
    CUstream stream = NULL;
    pthread_mutex_lock(&space->claiming);
    struct joined **at = &space->joined, *found;
    while (*at && cuda.cuEventQuery((*at)->done) != CUDA_SUCCESS)
        at = &(*at)->next;
    if ((found = *at) != NULL)
        *at = found->next;
    pthread_mutex_unlock(&space->claiming);
    if (found) {
        stream = found->stream;
        cuda.cuEventDestroy(found->done);
        free(found);
    }
    return stream;
}

static bool keep_joined(struct space *space, CUstream stream, CUevent done) {
    struct joined *kept = malloc(sizeof *kept);
    if (!kept)
        return false;
    pthread_mutex_lock(&space->claiming);
    *kept = (struct joined){stream, done, space->joined};
    space->joined = kept;
    pthread_mutex_unlock(&space->claiming);
    return true;
}

void joined_free(struct space *space, bool alive) {
    for (struct joined *kept = space->joined, *next; kept; kept = next) {
        next = kept->next;
        if (alive) {
            cuda.cuEventDestroy(kept->done);
            cuda.cuStreamDestroy(kept->stream);
        }
        free(kept);
    }
    space->joined = NULL;
}

static ufc_status fork_stream(ufc_context *ctx, void *stream, void **made, ufc_error *err) {
    struct scope scope;
    CUevent event;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    CUstream forked = take_joined(scope.space);
    if (!forked)
        status = CU(err, cuStreamCreate, &forked, CU_STREAM_NON_BLOCKING);
    if (status == UFC_OK && (status = wait_for_stream(forked, stream, &event, err)) == UFC_OK)
        cuda.cuEventDestroy(event);
    if (status != UFC_OK && forked)
        cuda.cuStreamDestroy(forked);
    cuda_leave(&scope);
    if (status == UFC_OK)
        *made = forked;
    return status;
}

/* Memory that a stream's work uses is freed in the order of the stream that it joins: where that
 * cannot wait for it, the caller does. */
static ufc_status join_stream(ufc_context *ctx, void *stream, void *made, ufc_error *err) {
    struct scope scope;
    CUevent event;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    bool entered = status == UFC_OK, kept = false;
    if (entered)
        status = wait_for_stream(stream, made, &event, err);
    if (entered && status != UFC_OK)
        cuda.cuStreamSynchronize(made);
    if (status == UFC_OK && !(kept = keep_joined(scope.space, made, event)))
        cuda.cuEventDestroy(event);
    if (!kept)
        cuda.cuStreamDestroy(made);
    if (entered)
        cuda_leave(&scope);
    return status;
}

/* ---- events */

/* The driver records an event in streams of its own CUcontext alone: it is made when it is
 * recorded, and anew where the stream is of another one. */
struct event {
    CUevent handle; /* NULL: it was not recorded */
    struct origin origin;
};

static ufc_status event_create(ufc_context *ctx, void **event, ufc_error *err) {
    (void)ctx;
    *event = calloc(1, sizeof(struct event));
    return *event ? UFC_OK : fail(err, UFC_ENOMEM, "out of memory for an event");
}

/* What was recorded in a CUcontext that is gone is done, and gone with it. */
static void forget(ufc_context *ctx, struct event *event) {
    if (event->handle && cuda_is_alive(ctx, &event->origin))
        cuda.cuEventDestroy(event->handle);
    event->handle = NULL;
}

static void event_destroy(ufc_context *ctx, void *event) {
    struct scope scope;
    bool entered = cuda_enter(ctx, NULL, &scope, NULL) == UFC_OK;
    forget(ctx, event);
    free(event);
    if (entered)
        cuda_leave(&scope);
}

static ufc_status record_in(ufc_context *ctx, const struct space *space, struct event *event,
                            CUstream stream, ufc_error *err) {
    struct origin here = {space->handle, space->id};
    if (event->handle && (event->origin.context != here.context || event->origin.id != here.id))
        forget(ctx, event);
    if (!event->handle) {
        CUevent made = NULL;
        ufc_status status = CU(err, cuEventCreate, &made, CU_EVENT_DEFAULT);
        if (status != UFC_OK)
            return status;
        *event = (struct event){made, here};
    }
    return CU(err, cuEventRecord, event->handle, stream);
}

static ufc_status record(ufc_context *ctx, void *event, void *stream, ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = record_in(ctx, scope.space, event, stream, err);
    cuda_leave(&scope);
    return status;
}

static bool is_waited_for(ufc_context *ctx, const struct event *event) {
    return event->handle && cuda_is_alive(ctx, &event->origin);
}

static ufc_status wait(ufc_context *ctx, void *event, void *stream, ufc_error *err) {
    const struct event *e = event;
    struct scope scope;
    ufc_status status = cuda_enter_stream(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    if (is_waited_for(ctx, e))
        status = CU(err, cuStreamWaitEvent, stream, e->handle, 0);
    cuda_leave(&scope);
    return status;
}

static ufc_status event_synchronize(ufc_context *ctx, void *event, ufc_error *err) {
    const struct event *e = event;
    struct scope scope;
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    if (is_waited_for(ctx, e))
        status = CU(err, cuEventSynchronize, e->handle);
    cuda_leave(&scope);
    return status;
}

static ufc_status time_between(ufc_context *ctx, const struct event *start, const struct event *end,
                               double *seconds, ufc_error *err) {
    float milliseconds = 0;
    if (start->origin.context != end->origin.context || start->origin.id != end->origin.id ||
        !is_waited_for(ctx, start) || !is_waited_for(ctx, end))
        return fail(err, UFC_EDEVICE,
                    "the events were recorded in two CUDA contexts, or in one that is gone");
    ufc_status status = CU(err, cuEventSynchronize, end->handle);
    if (status == UFC_OK)
        status = CU(err, cuEventElapsedTime, &milliseconds, start->handle, end->handle);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

static ufc_status elapsed(ufc_context *ctx, void *start, void *end, double *seconds,
                          ufc_error *err) {
    struct scope scope;
    ufc_status status = cuda_enter(ctx, NULL, &scope, err);
    if (status != UFC_OK)
        return status;
    status = time_between(ctx, start, end, seconds, err);
    cuda_leave(&scope);
    return status;
}

const struct stream_ops cuda_streams = {
    .create = create,
    .destroy = destroy,
    .fork = fork_stream,
    .join = join_stream,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .record = record,
    .wait = wait,
    .event_synchronize = event_synchronize,
    .elapsed = elapsed,
};
