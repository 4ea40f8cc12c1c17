/* several.c: calls of all GPUs of a machine beside those of one: on arrays in shards, one a GPU,
 * and on host arrays, pageable and pinned, ordinary calls, a gufunc, a sum.  Seconds are the median
 * of a few calls, whose inputs are the same in both ways; the last column is how often faster.  The
 * copies are what the machine allows: of pinned arrays to the GPUs and back, both ways at once.
 *
 *     tests/run c tests/bench/several.c */
#include <pthread.h>
#include <string.h>

#include "../test.h"
#include "several.h"
#include "timing.h"
#include "ufc.h"

enum { N = 1 << 27, SHARD_CALLS = 50, TIMES = 7, MOST = 16 };

static ufc_context *one, *all;
static ufc_error err;

static void must(ufc_status status) {
    if (status == UFC_OK)
        return;
    puts(err.message);
    exit(1);
}

/* The median time of a piece of work. */
static double median(void (*work)(ufc_context *ctx), ufc_context *ctx) {
    double times[TIMES];
    work(ctx);
    for (int i = 0; i < TIMES; i++) {
        double start = now();
        work(ctx);
        times[i] = now() - start;
    }
    return median_time(times, TIMES);
}

static void report(const char *what, void (*work)(ufc_context *ctx)) {
    double alone = median(work, one), shared = median(work, all);
    printf("%-28s %9.3f ms %9.3f ms  %.2f\n", what, 1e3 * alone, 1e3 * shared, alone / shared);
}

/* ---- shards */

static DLManagedTensorVersioned *whole[2], *shard[2][MOST];

static void make_shards(int gpus) {
    int64_t n = N, part = N / gpus;
    for (int k = 0; k < 2; k++) {
        must(ufc_empty(one, UFC_FLOAT32, 1, &n, UFC_DEVICE, &whole[k], &err));
        for (int i = 0; i < gpus; i++)
            must(ufc_empty(ufc_context_gpu(all, i), UFC_FLOAT32, 1, &part, UFC_DEVICE, &shard[k][i],
                           &err));
    }
}

static void call_shards(ufc_context *ctx) {
    ufc_arg in[2 * MOST];
    ufc_out out[MOST];
    int gpus = ufc_context_gpus(ctx);
    for (int i = 0; i < (gpus ? gpus : 1); i++) {
        in[2 * i] = ufc_array(gpus ? &shard[0][i]->dl_tensor : &whole[0]->dl_tensor);
        in[2 * i + 1] = ufc_float(2);
        out[i] = ufc_into(gpus ? &shard[1][i]->dl_tensor : &whole[1]->dl_tensor);
    }
    for (int i = 0; i < SHARD_CALLS; i++)
        must(gpus ? ufc_call_shards(ctx, NULL, &several_density_ufunc, in, out, NULL, &err)
                  : ufc_call(ctx, NULL, &several_density_ufunc, in, out, &err));
    must(ufc_synchronize(ctx, NULL, &err));
}

/* ---- host arrays */

static DLTensor x, y, rows, lengths;
static int64_t flat[] = {N}, table[] = {N / 512, 512};

static void use(DLDeviceType type, float *in, float *out) {
    x = ufc_host_array(in, ufc_dltype(UFC_FLOAT32), 1, flat);
    y = ufc_host_array(out, ufc_dltype(UFC_FLOAT32), 1, flat);
    rows = ufc_host_array(in, ufc_dltype(UFC_FLOAT32), 2, table);
    lengths = ufc_host_array(out, ufc_dltype(UFC_FLOAT32), 1, table);
    x.device.device_type = y.device.device_type = type;
    rows.device.device_type = lengths.device.device_type = type;
}

static void call_density(ufc_context *ctx) {
    must(several_density(ctx, NULL, ufc_array(&x), ufc_float(2), ufc_into(&y), &err));
}

static void call_length(ufc_context *ctx) {
    must(several_length(ctx, NULL, ufc_array(&rows), ufc_into(&lengths), &err));
}

static void call_sum(ufc_context *ctx) {
    DLTensor z = ufc_host_array(y.data, ufc_dltype(UFC_FLOAT32), 0, NULL);
    must(ufc_reduce(ctx, NULL, &several_add_ufunc, ufc_array(&x), ufc_into(&z), NULL, &err));
}

/* ---- bare copies */

struct transfer {
    ufc_context *ctx;
    DLTensor from, to;
    pthread_t thread;
    bool failed;
};

static void *transfer(void *arg) {
    struct transfer *t = arg;
    ufc_error error;
    void *stream;
    t->failed = ufc_stream_new(&stream, t->ctx, &error) != UFC_OK;
    if (t->failed)
        return NULL;
    t->failed = ufc_copy(t->ctx, stream, &t->from, &t->to, &error) != UFC_OK;
    ufc_stream_free(t->ctx, stream);
    return NULL;
}

static void call_copies(ufc_context *ctx) {
    struct transfer way[2 * MOST];
    int gpus = ufc_context_gpus(ctx), ways = 2 * (gpus ? gpus : 1);
    int64_t part = 2 * N / ways;
    for (int i = 0; i < ways; i++) {
        int gpu = i / 2;
        DLTensor host = i % 2 ? y : x;
        host.shape = &part;
        host.byte_offset = (uint64_t)(gpu * part) * sizeof(float);
        DLTensor device = (gpus ? shard[i % 2][gpu] : whole[i % 2])->dl_tensor;
        way[i] = (struct transfer){.ctx = gpus ? ufc_context_gpu(ctx, gpu) : ctx,
                                   .from = i % 2 ? device : host,
                                   .to = i % 2 ? host : device};
        REQUIRE(!pthread_create(&way[i].thread, NULL, transfer, &way[i]));
    }
    for (int i = 0; i < ways; i++)
        REQUIRE(!pthread_join(way[i].thread, NULL) && !way[i].failed);
}

int main(void) {
    if (ufc_device_count(NULL) < 2) {
        puts("there are no two GPUs here");
        return SKIPPED;
    }
    DLManagedTensorVersioned *pinned[2];
    int64_t n = N;
    must(ufc_context_new(&one, "cuda:0", 0, &err));
    must(ufc_context_new(&all, "cuda:all", 0, &err));
    printf("float32, 2^27 elements; one GPU, %d GPUs\n", ufc_context_gpus(all));
    make_shards(ufc_context_gpus(all));
    report("shards, 50 calls", call_shards);
    float *pageable[] = {malloc(N * sizeof(float)), malloc(N * sizeof(float))};
    REQUIRE(pageable[0] && pageable[1]);
    for (int k = 0; k < 2; k++) {
        memset(pageable[k], 0, N * sizeof(float));
        must(ufc_empty(one, UFC_FLOAT32, 1, &n, UFC_PINNED, &pinned[k], &err));
    }
    for (int64_t i = 0; i < N; i++)
        pageable[0][i] = ((float *)pinned[0]->dl_tensor.data)[i] = (float)(i % 1000);
    use(kDLCPU, pageable[0], pageable[1]);
    report("ufunc, pageable", call_density);
    report("gufunc, pageable", call_length);
    report("sum, pageable", call_sum);
    use(kDLCUDAHost, pinned[0]->dl_tensor.data, pinned[1]->dl_tensor.data);
    report("copies, pinned", call_copies);
    report("ufunc, pinned", call_density);
    report("gufunc, pinned", call_length);
    report("sum, pinned", call_sum);
    ufc_context_free(one);
    ufc_context_free(all);
    return 0;
}
