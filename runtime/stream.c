/* stream.c: streams and events, and the time that work takes.  On devices without streams, whose
 * calls are done on return, a stream is NULL and an event a time. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "rt.h"

/* ---- streams */

ufc_status ufc_stream_new(void **stream, ufc_context *ctx, ufc_error *err) {
    if (!stream)
        return fail(err, UFC_EINVAL, "stream is NULL");
    *stream = NULL;
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, NULL, NULL, err);
    if (status != UFC_OK || !ctx->ops->streams)
        return status;
    return ctx->ops->streams->create(ctx, stream, err);
}

/* Any context of its device will do to free it, where the driver fails to tell its GPU. */
void ufc_stream_free(ufc_context *ctx, void *stream) {
    if (!stream)
        return;
    if (!ctx && default_context(&ctx, stream, NULL, NULL) != UFC_OK &&
        default_context(&ctx, NULL, NULL, NULL) != UFC_OK)
        return;
    if (ctx->ops->streams)
        ctx->ops->streams->destroy(ctx, stream);
}

/* ---- events */

struct ufc_event {
    ufc_context *ctx;
    void *of_device; /* where the device has streams */
    bool recorded;
    double time; /* else: seconds, when it was recorded */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

ufc_status ufc_event_new(ufc_event **event, ufc_context *ctx, ufc_error *err) {
    if (!event)
        return fail(err, UFC_EINVAL, "event is NULL");
    *event = NULL;
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, NULL, NULL, err);
    if (status != UFC_OK)
        return status;
    struct ufc_event *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, UFC_ENOMEM, "out of memory for an event");
    made->ctx = ctx;
    if (ctx->ops->streams)
        status = ctx->ops->streams->event_create(ctx, &made->of_device, err);
    if (status == UFC_OK)
        *event = made;
    else
        free(made);
    return status;
}

void ufc_event_free(ufc_event *event) {
    if (event && event->ctx->ops->streams)
        event->ctx->ops->streams->event_destroy(event->ctx, event->of_device);
    free(event);
}

ufc_status ufc_event_record(ufc_event *event, void *stream, ufc_error *err) {
    if (!event)
        return fail(err, UFC_EINVAL, "event is NULL");
    const struct stream_ops *ops = event->ctx->ops->streams;
    ufc_status status = ops ? ops->record(event->ctx, event->of_device, stream, err) : UFC_OK;
    if (status == UFC_OK) {
        event->recorded = true;
        event->time = ops ? 0 : now();
    }
    return status;
}

ufc_status ufc_event_wait(ufc_event *event, void *stream, ufc_error *err) {
    if (!event)
        return fail(err, UFC_EINVAL, "event is NULL");
    const struct stream_ops *ops = event->ctx->ops->streams;
    return ops ? ops->wait(event->ctx, event->of_device, stream, err) : UFC_OK;
}

ufc_status ufc_event_synchronize(ufc_event *event, ufc_error *err) {
    if (!event)
        return fail(err, UFC_EINVAL, "event is NULL");
    const struct stream_ops *ops = event->ctx->ops->streams;
    return ops ? ops->event_synchronize(event->ctx, event->of_device, err) : UFC_OK;
}

ufc_status ufc_event_elapsed(ufc_event *start, ufc_event *end, double *seconds, ufc_error *err) {
    if (!start || !end || !seconds)
        return fail(err, UFC_EINVAL, "%s is NULL", !start ? "start" : !end ? "end" : "seconds");
    if (!start->recorded || !end->recorded)
        return fail(err, UFC_EINVAL, "event '%s' was not recorded",
                    start->recorded ? "end" : "start");
    const struct stream_ops *ops = start->ctx->ops->streams;
    if (ops != end->ctx->ops->streams)
        return fail(err, UFC_EINVAL, "event 'start' is of device '%s', 'end' of '%s'",
                    start->ctx->ops->name, end->ctx->ops->name);
    *seconds = end->time - start->time;
    return ops ? ops->elapsed(start->ctx, start->of_device, end->of_device, seconds, err) : UFC_OK;
}

/* ---- time */

ufc_status ufc_elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                       double *seconds, ufc_error *err) {
    if (!work || !seconds)
        return fail(err, UFC_EINVAL, "%s is NULL", work ? "seconds" : "work");
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, stream, NULL, err);
    return status == UFC_OK ? ctx->ops->elapsed(ctx, stream, work, arg, seconds, err) : status;
}

/* Work whose time on the host is measured while its device's is. */
struct profiled {
    void (*work)(void *arg);
    void *arg;
    double seconds;
};

static void run_profiled(void *arg) {
    struct profiled *p = arg;
    double start = now();
    p->work(p->arg);
    p->seconds = now() - start;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the times. */
static ufc_spread spread_of(double *seconds, int n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        sum += seconds[i];
    double mean = sum / n;
    for (int i = 0; i < n; i++)
        squares += (seconds[i] - mean) * (seconds[i] - mean);
    qsort(seconds, (size_t)n, sizeof *seconds, compare);
    return (ufc_spread){.mean = mean,
                        .std = sqrt(squares / n),
                        .min = seconds[0],
                        .median = (seconds[(n - 1) / 2] + seconds[n / 2]) / 2,
                        .max = seconds[n - 1]};
}

/* times: of the host, then of the device, `calls` each. */
static ufc_status time_calls(ufc_context *ctx, void *stream, struct profiled *p, int calls,
                             double *times, ufc_error *err) {
    ufc_status status = UFC_OK;
    for (int i = 0; i < calls && status == UFC_OK; i++) {
        status = ctx->ops->elapsed(ctx, stream, run_profiled, p, &times[calls + i], err);
        times[i] = p->seconds;
    }
    return status;
}

ufc_status ufc_profile(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                       int warmups, int calls, ufc_times *times, ufc_error *err) {
    if (!work || !times)
        return fail(err, UFC_EINVAL, "%s is NULL", work ? "times" : "work");
    if (warmups < 0 || calls < 1)
        return fail(err, UFC_EINVAL, "warmups is %d and calls %d: at least 0 and 1", warmups,
                    calls);
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, stream, NULL, err);
    if (status != UFC_OK)
        return status;
    double *seconds = malloc(2 * (size_t)calls * sizeof *seconds);
    if (!seconds)
        return fail(err, UFC_ENOMEM, "out of memory for the times of %d calls", calls);
    struct profiled p = {work, arg, 0};
    for (int i = 0; i < warmups; i++)
        work(arg);
    status = ctx->ops->synchronize(ctx, stream, err);
    if (status == UFC_OK)
        status = time_calls(ctx, stream, &p, calls, seconds, err);
    if (status == UFC_OK)
        *times = (ufc_times){calls, spread_of(seconds, calls), spread_of(seconds + calls, calls)};
    free(seconds);
    return status;
}
