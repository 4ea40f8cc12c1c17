/* driver.c: opens the CUDA driver and starts it, once a process where that succeeds. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "driver.h"
#include "rt.h"

struct cuda_driver cuda;

static atomic_int gpus;                                      /* 0: none, or it is not known yet */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* guards `cuda` and the
                                                                variables below */
static atomic_bool is_open;
static bool in_use; /* cuInit was called, and has not failed */
static bool lost;   /* after a fork */

enum { OPTIONAL, REQUIRED };

static const struct symbol {
    const char *name;
    int need;
    size_t offset; /* in struct cuda_driver */
} symbols[] = {
#define SYMBOL(need, name, symbol, params) {symbol, need, offsetof(struct cuda_driver, name)},
#include "symbol.def"
#undef SYMBOL
};

static void describe(char *text, size_t size, const char *function, CUresult result) {
    const char *name = NULL, *meaning = NULL;
    cuda.cuGetErrorName(result, &name);
    cuda.cuGetErrorString(result, &meaning);
    if (name)
        snprintf(text, size, "%s: %s (%s)", function, name, meaning ? meaning : "no description");
    else
        snprintf(text, size, "%s: error %d", function, result);
}

ufc_status cuda_check(CUresult result, const char *function, ufc_error *err) {
    if (result == CUDA_SUCCESS)
        return UFC_OK;
    char text[512];
    describe(text, sizeof text, function, result);
    return fail(err, result == CUDA_ERROR_OUT_OF_MEMORY ? UFC_ENOMEM : UFC_ECUDA, "%s", text);
}

/* The driver's calls fail in a child of the process that called cuInit. */
static void lose_driver_in_child(void) {
    pthread_mutex_init(&starting, NULL);
    lost = lost || in_use;
    atomic_store(&gpus, 0);
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, lose_driver_in_child);
}

static bool open_driver(char *why, size_t size) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, size, "no NVIDIA driver (libcuda.so.1) was found");
        return false;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address && symbols[i].need == REQUIRED) {
            snprintf(why, size, "the NVIDIA driver lacks %s: one for CUDA 11.0 or later is needed",
                     symbols[i].name);
            (void)dlclose(library);
            return false;
        }
        memcpy((char *)&cuda + symbols[i].offset, &address, sizeof address);
    }
    return true;
}

/* Starts the driver; gives the number of GPUs, or 0 and why. */
static int start_driver(char *why, size_t size) {
    int count = 0;
    if (lost) {
        snprintf(why, size, "the CUDA driver does not survive a fork: it was in use before");
        return 0;
    }
    if (!atomic_load(&is_open))
        atomic_store(&is_open, open_driver(why, size));
    if (!atomic_load(&is_open))
        return 0;
    in_use = true; /* a fork may come during cuInit */
    CUresult result = cuda.cuInit(0);
    in_use = result == CUDA_SUCCESS;
    if (result != CUDA_SUCCESS) {
        describe(why, size, "cuInit", result);
        return 0;
    }
    if ((result = cuda.cuDeviceGetCount(&count)) != CUDA_SUCCESS) {
        describe(why, size, "cuDeviceGetCount", result);
        return 0;
    }
    if (count == 0)
        snprintf(why, size, "the NVIDIA driver offers no GPU");
    return count;
}

/* A copy of the text that is never freed or changed. */
static const char *keep(const char *text) {
    static char kept[16][256]; /* more texts than occur in practice; a 17th would get the
                                  last one's place */
    size_t i = 0;
    while (i < sizeof kept / sizeof *kept - 1 && kept[i][0] && strcmp(kept[i], text) != 0)
        i++;
    if (!kept[i][0])
        snprintf(kept[i], sizeof *kept, "%s", text);
    return kept[i];
}

int cuda_count(const char **why) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *said = NULL;
    int count = atomic_load(&gpus);
    if (count == 0) {
        char text[256];
        pthread_once(&once, watch_forks);
        pthread_mutex_lock(&starting);
        count = atomic_load(&gpus); /* another thread may have started it meanwhile */
        if (count == 0 && (count = start_driver(text, sizeof text)) == 0)
            said = keep(text);
        atomic_store(&gpus, count);
        pthread_mutex_unlock(&starting);
    }
    if (why)
        *why = said;
    return count;
}

int cuda_count_quickly(void) {
    static const int64_t second = 1000000000;
    static const int64_t never = INT64_MAX;
    static _Atomic int64_t next; /* when it is asked again, in ns */
    struct timespec t;
    int count = atomic_load(&gpus);
    if (count > 0 || atomic_load(&next) == never)
        return count;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    int64_t now = t.tv_sec * second + t.tv_nsec, due = atomic_load(&next);
    if (now < due)
        return 0;
    if (due > 0 && !atomic_compare_exchange_strong(&next, &due, now + second))
        return 0; /* another thread asks; at first all wait for the one that does */
    count = cuda_count(NULL);
    atomic_store(&next, atomic_load(&is_open) ? now + second : never);
    return count;
}
