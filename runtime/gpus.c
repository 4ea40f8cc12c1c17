/* gpus.c: contexts of several GPUs, each of which some threads drive with a stream each: while one
 * copies a part of a call to the GPU, the GPU computes another and a third is copied back. */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fpenv.h"
#include "gpus.h"

/* ---- contexts */

static void free_gpu(struct gpus *g, int i) {
    const struct stream_ops *streams = g->gpu[i].ctx->ops->streams;
    for (int w = 0; w < g->workers; w++)
        if (g->gpu[i].stream[w])
            streams->destroy(g->gpu[i].ctx, g->gpu[i].stream[w]);
    ufc_context_free(g->gpu[i].ctx);
}

static ufc_status open_gpu(struct gpus *g, const struct device_ops *ops, int number, int threads,
                           ufc_error *err) {
    int i = g->n;
    DLDevice device = {ops->memory, ops->count ? number : 0};
    ufc_status status = open_context(&g->gpu[i].ctx, ops, device, threads, err);
    if (status != UFC_OK)
        return status;
    for (int w = 0; w < g->workers && ops->streams && status == UFC_OK; w++)
        status = ops->streams->create(g->gpu[i].ctx, &g->gpu[i].stream[w], err);
    if (status == UFC_OK)
        g->n++;
    else
        free_gpu(g, i);
    return status;
}

void close_several(ufc_context *ctx) {
    for (int i = 0; i < ctx->gpus->n; i++)
        free_gpu(ctx->gpus, i);
    free(ctx->gpus);
    free(ctx);
}

ufc_status open_several(ufc_context **ctx, const struct device_ops *ops, int n, const int *number,
                        int threads, ufc_error *err) {
    ufc_context *several = calloc(1, sizeof *several);
    struct gpus *g = several ? calloc(1, sizeof *g) : NULL;
    if (!g) {
        free(several);
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    }
    several->gpus = g;
    g->workers = (threads ? threads : default_threads()) / n;
    g->workers = g->workers < 1 ? 1 : g->workers < GPU_WORKERS ? g->workers : GPU_WORKERS;
    ufc_status status = UFC_OK;
    for (int i = 0; i < n && status == UFC_OK; i++)
        status = fail_at(err, open_gpu(g, ops, number[i], threads, err), "GPU %d", number[i]);
    if (status != UFC_OK) {
        close_several(several);
        return status;
    }
    *several = *g->gpu[0].ctx;
    several->gpus = g;
    *ctx = several;
    return UFC_OK;
}

int ufc_context_gpus(const ufc_context *ctx) {
    return ctx && ctx->gpus ? ctx->gpus->n : 0;
}

ufc_context *ufc_context_gpu(const ufc_context *ctx, int i) {
    return i >= 0 && i < ufc_context_gpus(ctx) ? ctx->gpus->gpu[i].ctx : NULL;
}

/* ---- parts of a call */

/* A GPU's parts, and the failure that ended them. */
struct share {
    _Atomic int64_t next; /* the first part that is not taken */
    int64_t end;
    _Atomic bool failed;
    ufc_status status;
    ufc_error err;
};

struct team {
    const struct gpus *gpus;
    int threads; /* of the host, of each worker */
    part_fn *fn;
    const void *arg;
    struct share share[MAX_GPUS];
};

struct worker {
    struct team *team;
    int gpu, number;
    bool started;
    pthread_t thread;
};

static void take_parts(struct team *team, int gpu, int number) {
    struct share *share = &team->share[gpu];
    ufc_context own = *team->gpus->gpu[gpu].ctx;
    ufc_error err;
    own.threads = team->threads;
    while (!atomic_load(&share->failed)) {
        int64_t part = atomic_fetch_add(&share->next, 1);
        if (part >= share->end)
            return;
        ufc_status status =
            team->fn(team->arg, part, &own, team->gpus->gpu[gpu].stream[number], &err);
        if (status == UFC_OK || atomic_exchange(&share->failed, true))
            continue;
        share->status = status;
        share->err = err;
    }
}

static void *work(void *arg) {
    const struct worker *w = arg;
    (void)fp_enter(); /* a thread begins with its creator's environment */
    take_parts(w->team, w->gpu, w->number);
    return NULL;
}

/* Starts the threads that have something to do, but the caller's own, the first one of GPU 0. */
static void start(struct worker *workers, struct team *team) {
    const struct gpus *g = team->gpus;
    sigset_t all, old;
    sigfillset(&all); /* signals are for the program's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (int i = 0; i < g->n * g->workers; i++) {
        struct worker *w = &workers[i];
        *w = (struct worker){.team = team, .gpu = i % g->n, .number = i / g->n};
        const struct share *share = &team->share[w->gpu];
        if (i > 0 && share->next + w->number < share->end)
            w->started = pthread_create(&w->thread, NULL, work, w) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* The caller also takes what no thread could be started for. */
static void run_team(struct team *team, struct worker *workers) {
    const struct gpus *g = team->gpus;
    start(workers, team);
    take_parts(team, 0, 0);
    for (int gpu = 1; gpu < g->n; gpu++)
        if (!workers[gpu].started)
            take_parts(team, gpu, 0);
    for (int i = 0; i < g->n * g->workers; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
}

/* The failure of the first GPU that failed. */
static ufc_status failure(const struct team *team, ufc_error *err) {
    for (int gpu = 0; gpu < team->gpus->n; gpu++) {
        const struct share *share = &team->share[gpu];
        const ufc_context *ctx = team->gpus->gpu[gpu].ctx;
        if (atomic_load(&share->failed))
            return fail(err, share->status, "GPU %d: %s",
                        ctx->ops->count ? ctx->device.device_id : gpu, share->err.message);
    }
    return UFC_OK;
}

ufc_status run_parts(ufc_context *ctx, int64_t n, part_fn *fn, const void *arg, ufc_error *err) {
    const struct gpus *g = ctx->gpus;
    struct team *team = calloc(1, sizeof *team);
    struct worker *workers = calloc((size_t)(g->n * g->workers), sizeof *workers);
    ufc_status status = UFC_ENOMEM;
    if (team && workers) {
        team->gpus = g;
        team->fn = fn;
        team->arg = arg;
        team->threads = ctx->threads / (g->n * g->workers);
        team->threads = team->threads < 1 ? 1 : team->threads;
        for (int gpu = 0; gpu < g->n; gpu++) {
            team->share[gpu].next = n * gpu / g->n;
            team->share[gpu].end = n * (gpu + 1) / g->n;
        }
        run_team(team, workers);
        status = failure(team, err);
    } else {
        fail(err, status, "out of memory for the parts of a call");
    }
    free(workers);
    free(team);
    return status;
}

/* ---- arrays in shards */

ufc_status ufc_call_shards(ufc_context *ctx, void *const *streams, const ufc_ufunc *ufunc,
                           const ufc_arg *in, const ufc_out *out, const ufc_keywords *keywords,
                           ufc_error *err) {
    ufc_status first = UFC_OK;
    if (!ufc_context_gpus(ctx))
        return fail(err, UFC_EINVAL, "the context is not one of several GPUs");
    ufc_status status = check_call(ufunc, in, out, keywords, err);
    for (int i = 0; i < ctx->gpus->n && status == UFC_OK; i++) {
        ufc_context *gpu = ctx->gpus->gpu[i].ctx;
        ufc_status one =
            call_with(gpu, streams ? streams[i] : NULL, ufunc, in + i * ufunc->nin,
                      out + i * ufunc->nout, keywords, NULL, first == UFC_OK ? err : NULL);
        if (one != UFC_OK && first == UFC_OK)
            first = fail_at(err, one, "shard %d, GPU %d", i, (int)gpu->device.device_id);
    }
    return status != UFC_OK ? status : first;
}
