/* cudadl.c: opens the CUDA driver, once a process. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "cudadl.h"
#include "rt.h"

struct cuda_driver cuda;

static int gpus;
static char unavailable[256]; /* why there are none */

enum { OPTIONAL, REQUIRED };

static const struct symbol {
    const char *name;
    int need;
    size_t offset; /* in struct cuda_driver */
} symbols[] = {
#define SYMBOL(need, name, symbol, params) {symbol, need, offsetof(struct cuda_driver, name)},
#include "cudasym.def"
#undef SYMBOL
};

static void describe(char *text, size_t size, const char *call, CUresult result) {
    const char *name = NULL, *meaning = NULL;
    cuda.cuGetErrorName(result, &name);
    cuda.cuGetErrorString(result, &meaning);
    if (name)
        snprintf(text, size, "%s: %s (%s)", call, name, meaning ? meaning : "no description");
    else
        snprintf(text, size, "%s: error %d", call, result);
}

ufc_status cuda_check(CUresult result, const char *call, ufc_error *err) {
    if (result == CUDA_SUCCESS)
        return UFC_OK;
    char text[512];
    describe(text, sizeof text, call, result);
    return fail(err, result == CUDA_ERROR_OUT_OF_MEMORY ? UFC_ENOMEM : UFC_ECUDA, "%s", text);
}

/* Its calls fail in a child of the process that called cuInit. */
static void lose_driver_in_child(void) {
    gpus = 0;
    snprintf(unavailable, sizeof unavailable,
             "the CUDA driver does not survive a fork: it was in use before");
}

static void open_driver(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(unavailable, sizeof unavailable, "no NVIDIA driver (libcuda.so.1) was found");
        return;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address && symbols[i].need == REQUIRED) {
            snprintf(unavailable, sizeof unavailable,
                     "the NVIDIA driver lacks %s: one for CUDA 11.0 or later is needed",
                     symbols[i].name);
            return;
        }
        memcpy((char *)&cuda + symbols[i].offset, &address, sizeof address);
    }
    CUresult result = cuda.cuInit(0);
    pthread_atfork(NULL, NULL, lose_driver_in_child);
    if (result != CUDA_SUCCESS)
        describe(unavailable, sizeof unavailable, "cuInit", result);
    else if ((result = cuda.cuDeviceGetCount(&gpus)) != CUDA_SUCCESS)
        describe(unavailable, sizeof unavailable, "cuDeviceGetCount", result);
    else if (gpus == 0)
        snprintf(unavailable, sizeof unavailable, "the NVIDIA driver offers no GPU");
}

int cuda_device_count(const char **why) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_driver);
    if (why)
        *why = gpus ? NULL : unavailable;
    return gpus;
}
