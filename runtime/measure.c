/* measure.c: how fast this machine moves and computes, for the choice between the host and a GPU:
 * medians of a few runs, which take some ten milliseconds in all. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "level.h"
#include "rates.h"

enum {
    RUNS = 5,           /* that are timed, */
    LARGE_RUNS = 3,     /* of LARGE bytes */
    SMALL = 4 << 10,    /* bytes that take next to no time on their way to the GPU, or from it */
    LARGE = 8 << 20,    /* bytes whose way takes nearly all of a copy's time */
    CACHED = 256 << 10, /* bytes that a thread copies within its core's cache */
    STEPS = 4096,       /* of a loop that computes */
};

#define WAKE_SECONDS  5e-3 /* at most, until threads take part in loops */
#define START_SECONDS 2e-5 /* a thread's work, which others take where it is late */

typedef ufc_status run_fn(void *arg, ufc_error *err);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the times of n runs, after one that is not timed. */
static ufc_status time_some(int n, run_fn *run, void *arg, double *seconds, ufc_error *err) {
    double times[RUNS];
    ufc_status status = run(arg, err);
    for (int i = 0; i < n && status == UFC_OK; i++) {
        double start = now();
        status = run(arg, err);
        times[i] = now() - start;
    }
    if (status != UFC_OK)
        return status;
    qsort(times, (size_t)n, sizeof *times, compare);
    *seconds = times[n / 2] > 1e-9 ? times[n / 2] : 1e-9;
    return UFC_OK;
}

static ufc_status time_runs(run_fn *run, void *arg, double *seconds, ufc_error *err) {
    return time_some(RUNS, run, arg, seconds, err);
}

/* ---- the host computes */

enum { CHAINS = 6 }; /* vectors that are computed side by side, lest one waits for itself */

/* Each step multiplies and adds, as bodies do, in vectors of so many bytes. */
#define COMPUTE(TYPE, BYTES, LEVEL)                                                                \
    ON_##LEVEL static void compute_##TYPE##_##LEVEL(void *at) {                                    \
        typedef TYPE vector __attribute__((vector_size(BYTES)));                                   \
        vector *x = at, a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5];                \
        for (int i = 0; i < STEPS; i++) {                                                          \
            a = a * (TYPE)0.75 + (TYPE)0.25, b = b * (TYPE)0.75 + (TYPE)0.25;                      \
            c = c * (TYPE)0.75 + (TYPE)0.25, d = d * (TYPE)0.75 + (TYPE)0.25;                      \
            e = e * (TYPE)0.75 + (TYPE)0.25, f = f * (TYPE)0.75 + (TYPE)0.25;                      \
        }                                                                                          \
        x[0] = a, x[1] = b, x[2] = c, x[3] = d, x[4] = e, x[5] = f;                                \
    }
COMPUTE(float, 16, V2)
COMPUTE(float, 32, V3)
COMPUTE(float, 64, V4)
COMPUTE(double, 16, V2)
COMPUTE(double, 32, V3)
COMPUTE(double, 64, V4)

static const struct {
    int bytes; /* of a vector */
    void (*floats)(void *at), (*doubles)(void *at);
} compute[LEVEL_COUNT] = {{16, compute_float_V2, compute_double_V2},
                          {32, compute_float_V3, compute_double_V3},
                          {64, compute_float_V4, compute_double_V4}};

struct vectors {
    _Alignas(64) char data[CHAINS * 64];
};

static ufc_status run_floats(void *arg, ufc_error *err) {
    (void)err;
    compute[host_level()].floats(((struct vectors *)arg)->data);
    return UFC_OK;
}

static ufc_status run_doubles(void *arg, ufc_error *err) {
    (void)err;
    compute[host_level()].doubles(((struct vectors *)arg)->data);
    return UFC_OK;
}

/* Each step needs the one before. */
static ufc_status run_steps(void *arg, ufc_error *err) {
    volatile float *at = arg;
    float x = *at;
    (void)err;
    for (int i = 0; i < STEPS; i++)
        x = x * 0.75f + 0.25f;
    *at = x;
    return UFC_OK;
}

static void measure_computing(ufc_rates *rates) {
    struct vectors v = {{0}};
    double seconds = 1, bytes = 2.0 * STEPS * CHAINS * compute[host_level()].bytes;
    (void)time_runs(run_floats, &v, &seconds, NULL);
    rates->host_float32 = bytes / sizeof(float) / seconds;
    (void)time_runs(run_doubles, &v, &seconds, NULL);
    rates->host_float64 = bytes / sizeof(double) / seconds;
    (void)time_runs(run_steps, &v, &seconds, NULL);
    rates->host_steps = 2.0 * STEPS / seconds;
}

/* ---- the host moves */

struct memory {
    int threads;
    char *from, *to; /* LARGE bytes each */
};

/* Pieces of a thread's work of START_SECONDS, of which it has as many as in a call. */
static void spin(void *arg, int64_t begin, int64_t end) {
    (void)arg;
    double each = START_SECONDS / RANGES_PER_THREAD;
    for (double until = now() + each * (double)(end - begin); now() < until;)
        ;
}

static ufc_status start_threads(void *arg, ufc_error *err) {
    const struct memory *m = arg;
    (void)err;
    parallel_for(m->threads, (int64_t)m->threads * RANGES_PER_THREAD, 1, spin, NULL);
    return UFC_OK;
}

/* Lets the threads begin, which their first loops do without. */
static void wake_threads(struct memory *m) {
    double end = now() + WAKE_SECONDS, start;
    do {
        start = now();
        (void)start_threads(m, NULL);
    } while (now() - start > 1.5 * START_SECONDS && now() < end);
}

static ufc_status copy_cached(void *arg, ufc_error *err) {
    const struct memory *m = arg;
    (void)err;
    memcpy(m->to, m->from, CACHED);
    return UFC_OK;
}

static void copy_range(void *arg, int64_t begin, int64_t end) {
    const struct memory *m = arg;
    memcpy(m->to + begin, m->from + begin, (size_t)(end - begin));
}

static ufc_status copy_all(void *arg, ufc_error *err) {
    const struct memory *m = arg;
    (void)err;
    parallel_for(m->threads, LARGE, CACHED, copy_range, arg);
    return UFC_OK;
}

/* Rates are of bytes that are read and those that are written.  Threads start as in calls that
 * follow one another. */
static void measure_memory(struct memory *m, ufc_rates *rates) {
    double seconds = 1;
    if (m->threads > 1)
        wake_threads(m);
    (void)time_runs(copy_cached, m, &seconds, NULL);
    rates->host_cached = 2.0 * CACHED / seconds;
    (void)time_some(LARGE_RUNS, copy_all, m, &seconds, NULL);
    rates->host_memory = 2.0 * LARGE / seconds;
    rates->host_start = 0;
    if (m->threads > 1 && time_runs(start_threads, m, &seconds, NULL) == UFC_OK)
        rates->host_start = seconds - START_SECONDS;
}

/* ---- to the GPU, and back */

struct trip {
    ufc_context *gpu;
    char *memory; /* LARGE bytes */
    bool pinned;
    int64_t size;
};

static struct operand host_array(const struct trip *t) {
    struct operand op = {.data = t->memory,
                         .pinned = t->pinned,
                         .dtype = DT_UINT8,
                         .device = {kDLCPU, 0},
                         .ndim = 1};
    op.shape[0] = t->size;
    op.stride[0] = 1;
    return op;
}

static ufc_status run_there(void *arg, ufc_error *err) {
    const struct trip *t = arg;
    struct operand array = host_array(t);
    void *device = NULL;
    ufc_status status = stage_in(t->gpu, NULL, &array, true, &device, err);
    ufc_status done = t->gpu->ops->synchronize(t->gpu, NULL, status == UFC_OK ? err : NULL);
    t->gpu->ops->free(t->gpu, NULL, device);
    return status == UFC_OK ? done : status;
}

/* clears: a kernel of the driver's computes the result. */
static ufc_status bring_back(const struct trip *t, bool clears, ufc_error *err) {
    struct operand array = host_array(t), result;
    void *device = NULL;
    ufc_status status = stage_out_prepare(t->gpu, NULL, &array, &result, &device, err);
    if (status == UFC_OK && clears)
        status = t->gpu->ops->clear(t->gpu, NULL, device, (size_t)t->size, err);
    if (status == UFC_OK)
        status = stage_out_finish(t->gpu, NULL, &array, &result, err);
    t->gpu->ops->free(t->gpu, NULL, device);
    return status;
}

static ufc_status run_back(void *arg, ufc_error *err) {
    return bring_back(arg, false, err);
}

/* What a call takes whose arrays are small. */
static ufc_status run_call(void *arg, ufc_error *err) {
    const struct trip *t = arg;
    struct operand array = host_array(t);
    void *device = NULL;
    ufc_status status = stage_in(t->gpu, NULL, &array, true, &device, err);
    if (status == UFC_OK)
        status = bring_back(t, true, err);
    if (status != UFC_OK)
        t->gpu->ops->synchronize(t->gpu, NULL, NULL);
    t->gpu->ops->free(t->gpu, NULL, device);
    return status;
}

/* The rate of bytes beyond those that take next to no time. */
static ufc_status measure_way(run_fn *way, struct trip *t, double *rate, ufc_error *err) {
    double small, large;
    t->size = SMALL;
    ufc_status status = time_runs(way, t, &small, err);
    t->size = LARGE;
    if (status == UFC_OK)
        status = time_some(LARGE_RUNS, way, t, &large, err);
    if (status == UFC_OK)
        *rate = (LARGE - SMALL) / (large > 2 * small ? large - small : large);
    return status;
}

static ufc_status measure_gpu(ufc_context *gpu, char *memory, ufc_rates *rates, ufc_error *err) {
    DLManagedTensorVersioned *pinned = NULL;
    struct trip t = {.gpu = gpu, .memory = memory, .size = SMALL};
    ufc_status status = time_runs(run_call, &t, &rates->gpu_start, err);
    if (status == UFC_OK)
        status = measure_way(run_there, &t, &rates->to_gpu, err);
    if (status == UFC_OK)
        status = measure_way(run_back, &t, &rates->from_gpu, err);
    if (status == UFC_OK)
        status =
            new_array(gpu, NULL, DT_UINT8, 1, &(int64_t){LARGE}, NULL, UFC_PINNED, &pinned, err);
    if (status != UFC_OK)
        return status;
    t.memory = pinned->dl_tensor.data;
    t.pinned = true;
    status = measure_way(run_there, &t, &rates->pinned_to_gpu, err);
    if (status == UFC_OK)
        status = measure_way(run_back, &t, &rates->pinned_from_gpu, err);
    ufc_free(pinned);
    return status;
}

ufc_status measure_rates(ufc_context *host, ufc_context *gpu, ufc_rates *rates, ufc_error *err) {
    void *from = NULL, *to = NULL;
    ufc_status status = host_alloc(host, NULL, LARGE, &from, err);
    if (status == UFC_OK)
        status = host_alloc(host, NULL, LARGE, &to, err);
    if (status == UFC_OK) {
        struct memory m = {host->threads, from, to};
        memset(from, 1, LARGE);
        measure_memory(&m, rates);
        measure_computing(rates);
        status = measure_gpu(gpu, from, rates, err);
    }
    host_free(host, NULL, from);
    host_free(host, NULL, to);
    return status;
}
