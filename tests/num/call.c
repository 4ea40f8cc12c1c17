/* call.c: compiling for a device, and the cores. */
#include <mpfr.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../compiler/ufcc.h"
#include "num.h"

const char *choose_device(const char *name) {
    const char *why;
    if (strcmp(name, "cuda") == 0)
        return ufc_device_count(&why) > 0 ? NULL : why;
    if (strcmp(name, "v3") == 0 && !__builtin_cpu_supports("x86-64-v3"))
        return "this processor is less than x86-64-v3";
    if (strcmp(name, "v4") == 0 && !__builtin_cpu_supports("x86-64-v4"))
        return "this processor is less than x86-64-v4";
    if (*name == 'v')
        setenv("UFC_LEVEL", name, 1);
    return NULL;
}

static void report(void *user, const ufcc_diagnostic *d) {
    (void)user;
    if (d->severity == UFCC_ERROR)
        printf("%d:%d: %s\n%.*s\n", d->line, d->column, d->message, (int)d->source_size, d->source);
}

ufcc_program *compile(const char *device, const char *source, bool quiet) {
    bool kernels = strcmp(device, "cuda") == 0 || strcmp(device, "sim") == 0;
    ufcc_options options = {.targets = kernels ? UFCC_CUDA : UFCC_HOST,
                            .native = true,
                            .libdevice = getenv("UFC_LIBDEVICE"),
                            .diagnostic = quiet ? NULL : report};
    ufcc_program *p = ufcc_compile("num.uf", source, strlen(source), &options);
    if (p && !quiet && ufcc_load(p))
        return p;
    if (!quiet)
        exit(1);
    return p;
}

ufc_context *open_device(const char *device, int threads) {
    ufc_context *ctx;
    ufc_error err;
    if (ufc_context_new(&ctx, *device == 'v' ? "cpu" : device, threads, &err) == UFC_OK)
        return ctx;
    printf("%s: %s\n", device, err.message);
    exit(1);
}

struct work {
    atomic_llong next;
    int64_t n, grain;
    void (*fn)(void *arg, int64_t begin, int64_t end);
    void *arg;
};

static void *worker(void *arg) {
    struct work *w = arg;
    for (;;) {
        int64_t begin = atomic_fetch_add(&w->next, w->grain);
        if (begin >= w->n) {
            mpfr_free_cache(); /* of this thread */
            return NULL;
        }
        w->fn(w->arg, begin, begin + w->grain < w->n ? begin + w->grain : w->n);
    }
}

void on_all_cores(int64_t n, int64_t grain, void (*fn)(void *arg, int64_t begin, int64_t end),
                  void *arg) {
    enum { MOST = 256 };
    pthread_t threads[MOST];
    struct work w = {0, n, grain, fn, arg};
    const char *limit = getenv("UFC_NUM_THREADS");
    long cores = limit ? atol(limit) : sysconf(_SC_NPROCESSORS_ONLN);
    int started = 0;
    while (started < cores && started < MOST && started * grain < n &&
           pthread_create(&threads[started], NULL, worker, &w) == 0)
        started++;
    if (started == 0)
        worker(&w);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
