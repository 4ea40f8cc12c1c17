/* forecast.c: how long launches would take that are not made: those of a call, by what would launch
 * them, with a device that does nothing. */
#include <math.h>

#include "model.h"

static ufc_status no_memory(ufc_context *ctx, void *stream, size_t size, void **memory,
                            ufc_error *err) {
    (void)ctx, (void)stream, (void)size, (void)err;
    *memory = NULL;
    return UFC_OK;
}

static ufc_status no_work(ufc_context *ctx, void *stream, void *memory, size_t size,
                          ufc_error *err) {
    (void)ctx, (void)stream, (void)memory, (void)size, (void)err;
    return UFC_OK;
}

struct forecast {
    struct gpu_model gpu;
    struct body body;
    int64_t times; /* that the next launches count for */
    double seconds;
};

static ufc_status add_launch(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct forecast *f = arg;
    (void)err;
    f->seconds += (double)f->times * model_launch(&f->gpu, &f->body, launch, 0).seconds;
    return UFC_OK;
}

static ufc_status launch_none(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    (void)arg, (void)launch, (void)err;
    return UFC_OK;
}

static const struct device_ops nowhere = {.alloc = no_memory, .clear = no_work};

bool model_may_launch(const struct gpu_model *gpu, launches_fn *launches, const void *work) {
    int64_t times = 1;
    ufc_context ctx = {.ops = &nowhere, .gpu = *gpu};
    struct launcher l = {.ctx = &ctx, .launch = launch_none, .times = &times};
    return launches(&l, work, NULL) == UFC_OK;
}

double model_forecast(const struct iteration *it, launches_fn *launches, const void *work) {
    struct forecast f = {.times = 1};
    model_reference(&f.gpu);
    model_body(&f.body, it);
    ufc_context ctx = {.ops = &nowhere, .gpu = f.gpu};
    struct launcher l = {.ctx = &ctx, .launch = add_launch, .arg = &f, .times = &f.times};
    return launches(&l, work, NULL) == UFC_OK ? f.seconds : INFINITY;
}
