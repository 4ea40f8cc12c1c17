/* fakecuda.c: a libcuda.so.1 for machines without a GPU, so that tests run all that the runtime
 * does between a call and the driver.
 *
 * Device memory is host memory, and kernels are run by C code that reads their parameter as
 * runtime/image_abi.h lays it out.  The driver is as unhelpful as CUDA allows: it does no work
 * before someone waits for it, takes a launch's elements last to first, checks each address, each
 * alignment, each handle's context and the order of allocation, use and free, and fails in a forked
 * child.  A kernel's stray access is
 * named on stderr and makes all later waits fail.  Built with fakecuda_work.c and runtime/cast.c,
 * -fvisibility=hidden.
 *
 *     $FAKECUDA_DEVICES     GPUs: 1 by default; with 0, cuInit fails
 *     $FAKECUDA_CAPABILITY  their compute capability: 90
 *     $FAKECUDA_MULTIPROCESSORS  theirs: 132, an H100's
 *     $FAKECUDA_CLUSTERS    1: blocks may be in clusters
 *     $FAKECUDA_POOLS       0: no memory pools
 *     $FAKECUDA_MEMORY      bytes of device memory: 2^34
 *     $FAKECUDA_FAIL        "cuMemAlloc_v2:3": its third call fails, for want of memory
 *     $FAKECUDA_POP_FAILS   1: cuCtxPopCurrent pops, and fails for what went before
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fakecuda.h"
#include "fakecuda_work.h"

enum { MAX_DEVICES = 8, MAX_STACK = 16, MAX_UFUNCS = 1024, MAX_SYMBOLS = 128 };
enum { MAX_SHARED = 232448, FREE_SHARED = 48 << 10 }; /* bytes of a block, an H100's; unasked */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st primary[MAX_DEVICES];
static CUcontext created;
static unsigned long long contexts;
static _Thread_local CUcontext stack[MAX_STACK];
static _Thread_local int depth;
static const struct ufc_ufunc *ufuncs[MAX_UFUNCS];
static unsigned nufuncs;
static char last_image[1 << 17];               /* as much of it as there is room for */
static pid_t user;                             /* who called cuInit */
static unsigned until_failure;                 /* calls up to the one that is to fail; 0: none is */
static bool has_failed, fails_on, fails_after; /* fails_on: the next call, too, fails */
static CUresult failure;
static bool holds; /* cuCtxSynchronize is to wait until it is false, which `let_go` tells */
static pthread_cond_t let_go = PTHREAD_COND_INITIALIZER;
static struct {
    const char *symbol;
    unsigned calls;
} counters[MAX_SYMBOLS];

/* ---- entering the driver */

pthread_mutex_t *enter(void) {
    pthread_mutex_lock(&lock);
    return &lock;
}

void leave(pthread_mutex_t **held) {
    pthread_mutex_unlock(*held);
}

static int setting(const char *name, int otherwise) {
    const char *value = getenv(name);
    return value ? (int)strtol(value, NULL, 10) : otherwise;
}

CUresult count(const char *symbol) {
    int i = 0;
    while (i < MAX_SYMBOLS - 1 && counters[i].symbol && strcmp(counters[i].symbol, symbol) != 0)
        i++;
    counters[i].symbol = symbol;
    unsigned call = ++counters[i].calls;
    if (user && user != getpid())
        return NOT_INITIALIZED;
    if (until_failure && --until_failure == 0)
        has_failed = true;
    if (has_failed && fails_on && !until_failure && strcmp(symbol, "cuCtxGetCurrent") != 0 &&
        strcmp(symbol, "cuCtxPopCurrent_v2") != 0) {
        fails_on = fails_after;
        return failure;
    }
    const char *fail = getenv("FAKECUDA_FAIL");
    size_t length = strlen(symbol);
    if (fail && strncmp(fail, symbol, length) == 0 && fail[length] == ':' &&
        strtoul(fail + length + 1, NULL, 10) == call)
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

CUcontext current(void) {
    return depth > 0 ? stack[depth - 1] : NULL;
}

void fakecuda_register(const struct ufc_ufunc *ufunc) {
    pthread_mutex_lock(&lock);
    if (nufuncs < MAX_UFUNCS)
        ufuncs[nufuncs++] = ufunc;
    if (ufunc->core && ufunc->core->copies && nufuncs < MAX_UFUNCS)
        ufuncs[nufuncs++] = ufunc->core->copies;
    pthread_mutex_unlock(&lock);
}

unsigned fakecuda_calls(const char *symbol) {
    unsigned calls = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_SYMBOLS && counters[i].symbol; i++)
        if (strcmp(counters[i].symbol, symbol) == 0)
            calls = counters[i].calls;
    pthread_mutex_unlock(&lock);
    return calls;
}

unsigned fakecuda_launches(void) {
    return fakecuda_calls("cuLaunchKernel") + fakecuda_calls("cuLaunchKernelEx");
}

bool fakecuda_fail(unsigned call, int result, bool all_after) {
    pthread_mutex_lock(&lock);
    bool failed = has_failed;
    until_failure = call;
    failure = (CUresult)result;
    fails_on = call > 0;
    fails_after = all_after;
    has_failed = false;
    pthread_mutex_unlock(&lock);
    return failed;
}

void fakecuda_hold(bool hold) {
    pthread_mutex_lock(&lock);
    holds = hold;
    pthread_cond_broadcast(&let_go);
    pthread_mutex_unlock(&lock);
}

unsigned fakecuda_live(void) {
    pthread_mutex_lock(&lock);
    unsigned live = live_allocations();
    pthread_mutex_unlock(&lock);
    return live;
}

size_t fakecuda_last_size(void) {
    pthread_mutex_lock(&lock);
    size_t size = last_allocation();
    pthread_mutex_unlock(&lock);
    return size;
}

const void *fakecuda_image(void) {
    return last_image;
}

/* ---- the API: devices and contexts */

void own(struct handle *handle, void (*release)(struct handle *)) {
    handle->context = current();
    handle->release = release;
    handle->next = current()->handles;
    current()->handles = handle;
}

void disown(struct handle *handle) {
    struct handle **at = &handle->context->handles;
    while (*at != handle)
        at = &(*at)->next;
    *at = handle->next;
    handle->release(handle);
}

size_t all_memory(void) {
    int bytes = setting("FAKECUDA_MEMORY", 0);
    return bytes > 0 ? (size_t)bytes : (size_t)1 << 34;
}

int device_count(void) {
    int devices = setting("FAKECUDA_DEVICES", 1);
    return devices < MAX_DEVICES ? devices : MAX_DEVICES;
}

API(cuInit, unsigned flags) {
    ENTER;
    if (flags != 0)
        return INVALID_VALUE;
    user = getpid();
    return device_count() > 0 ? CUDA_SUCCESS : NO_DEVICE;
}

API(cuDriverGetVersion, int *version) {
    ENTER;
    *version = 13000;
    return CUDA_SUCCESS;
}

static const struct {
    CUresult error;
    const char *name, *text;
} errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
};

static CUresult describe(CUresult error, const char **name, const char **text) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].error == error) {
            *name = errors[i].name;
            *text = errors[i].text;
            return CUDA_SUCCESS;
        }
    }
    *name = *text = NULL;
    return INVALID_VALUE;
}

API(cuGetErrorName, CUresult error, const char **name) {
    const char *text;
    return describe(error, name, &text);
}

API(cuGetErrorString, CUresult error, const char **text) {
    const char *name;
    return describe(error, &name, text);
}

API(cuDeviceGetCount, int *devices) {
    ENTER;
    *devices = device_count();
    return CUDA_SUCCESS;
}

API(cuDeviceGet, CUdevice *device, int ordinal) {
    ENTER;
    *device = ordinal;
    return ordinal >= 0 && ordinal < device_count() ? CUDA_SUCCESS : INVALID_VALUE;
}

API(cuDeviceGetName, char *name, int size, CUdevice device) {
    ENTER;
    snprintf(name, (size_t)size, "fake GPU %d", device);
    return CUDA_SUCCESS;
}

API(cuDeviceTotalMem_v2, size_t *bytes, CUdevice device) {
    ENTER;
    *bytes = all_memory();
    return device < device_count() ? CUDA_SUCCESS : INVALID_VALUE;
}

API(cuDeviceGetAttribute, int *value, int attribute, CUdevice device) {
    ENTER;
    int capability = setting("FAKECUDA_CAPABILITY", 90);
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = setting("FAKECUDA_MULTIPROCESSORS", 132); /* an H100's */
        break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = setting("FAKECUDA_CLOCK", 0); break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = setting("FAKECUDA_MEMORY_CLOCK", 0); break;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = 5120; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = 50 << 20; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = 2048; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = capability / 10; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = capability % 10; break;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: *value = 1; break;
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH: *value = setting("FAKECUDA_CLUSTERS", 0); break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = MAX_SHARED; break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: *value = setting("FAKECUDA_POOLS", 1); break;
    default: return INVALID_VALUE;
    }
    return device < device_count() ? CUDA_SUCCESS : INVALID_VALUE;
}

API(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device) {
    ENTER;
    *context = &primary[device];
    if ((*context)->retained++ == 0) {
        (*context)->device = device;
        (*context)->id = ++contexts;
    }
    return CUDA_SUCCESS;
}

API(cuDevicePrimaryCtxRelease_v2, CUdevice device) {
    ENTER_RELEASE;
    if (primary[device].retained == 0)
        return INVALID_CONTEXT;
    primary[device].retained--;
    return told;
}

API(cuCtxCreate_v2, CUcontext *context, unsigned flags, CUdevice device) {
    ENTER;
    if (flags != 0 || device >= device_count() || depth == MAX_STACK)
        return INVALID_VALUE;
    *context = calloc(1, sizeof **context);
    if (!*context)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*context)->device = device;
    (*context)->id = ++contexts;
    (*context)->next = created;
    created = *context;
    stack[depth++] = *context;
    return CUDA_SUCCESS;
}

API(cuCtxDestroy_v2, CUcontext context) {
    ENTER;
    finish_all();
    while (context->handles)
        disown(context->handles);
    deallocate_all(context);
    if (current() == context)
        depth--;
    CUcontext *at = &created;
    while (*at != context)
        at = &(*at)->next;
    *at = context->next;
    free(context);
    return CUDA_SUCCESS;
}

API(cuCtxGetCurrent, CUcontext *context) {
    ENTER;
    *context = current();
    return CUDA_SUCCESS;
}

API(cuCtxPushCurrent_v2, CUcontext context) {
    ENTER;
    if (!context || depth == MAX_STACK)
        return INVALID_CONTEXT;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

API(cuCtxPopCurrent_v2, CUcontext *context) {
    ENTER_WITH_CONTEXT;
    *context = stack[--depth];
    return setting("FAKECUDA_POP_FAILS", 0) ? ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

API(cuCtxGetDevice, CUdevice *device) {
    ENTER_WITH_CONTEXT;
    *device = current()->device;
    return CUDA_SUCCESS;
}

API(cuCtxGetId, CUcontext context, unsigned long long *id) {
    ENTER;
    CUcontext known = created;
    while (known && known != context)
        known = known->next;
    if (!known && (context < primary || context >= primary + MAX_DEVICES))
        return INVALID_CONTEXT;
    *id = context->id;
    return CUDA_SUCCESS;
}

API(cuCtxSynchronize, void) {
    ENTER_WITH_CONTEXT;
    while (holds)
        pthread_cond_wait(&let_go, &lock);
    finish_context(current());
    return sticky_error();
}

/* ---- the API: streams and events */

struct lane *lane_of(CUstream stream) {
    if ((uintptr_t)stream <= 2)
        return &current()->lane;
    return stream->context == current() ? &stream->lane : NULL;
}

API(cuStreamCreate, CUstream *stream, unsigned flags) {
    ENTER_WITH_CONTEXT;
    if (flags > 1)
        return INVALID_VALUE;
    *stream = calloc(1, sizeof **stream);
    if (!*stream)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*stream)->context = current();
    (*stream)->lane.kind = flags ? NON_BLOCKING : BLOCKING;
    return CUDA_SUCCESS;
}

API(cuStreamDestroy_v2, CUstream stream) {
    ENTER_RELEASE;
    finish(stream->lane.last);
    free(stream);
    return told;
}

API(cuStreamGetCtx, CUstream stream, CUcontext *context) {
    ENTER;
    *context = (uintptr_t)stream <= 2 ? current() : stream->context;
    return *context ? CUDA_SUCCESS : INVALID_CONTEXT;
}

API(cuStreamSynchronize, CUstream stream) {
    ENTER_WITH_CONTEXT;
    const struct lane *lane = lane_of(stream);
    if (!lane)
        return INVALID_HANDLE;
    finish(lane->last);
    return sticky_error();
}

/* What the event is behind is done at once, so that all is that waits for it. */
API(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags) {
    ENTER_WITH_CONTEXT;
    if (!lane_of(stream) || flags)
        return INVALID_HANDLE;
    finish(event->after);
    return sticky_error();
}

static void release_event(struct handle *handle) {
    free((CUevent)handle);
}

API(cuEventCreate, CUevent *event, unsigned flags) {
    ENTER_WITH_CONTEXT;
    if (flags & ~(unsigned)CU_EVENT_DISABLE_TIMING)
        return INVALID_VALUE;
    *event = calloc(1, sizeof **event);
    if (!*event)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*event)->timed = !(flags & CU_EVENT_DISABLE_TIMING);
    own(&(*event)->handle, release_event);
    return CUDA_SUCCESS;
}

API(cuEventRecord, CUevent event, CUstream stream) {
    ENTER_WITH_CONTEXT;
    const struct lane *lane = lane_of(stream);
    if (!lane || event->handle.context != current())
        return INVALID_HANDLE;
    event->after = lane->last;
    event->recorded = true;
    return sticky_error();
}

/* Each piece of work takes a millisecond. */
API(cuEventElapsedTime, float *milliseconds, CUevent start, CUevent end) {
    ENTER_WITH_CONTEXT;
    if (!start->timed || !end->timed || !start->recorded || !end->recorded)
        return INVALID_HANDLE;
    if (!is_done(start->after) || !is_done(end->after))
        return NOT_READY;
    *milliseconds = (float)(end->after - start->after);
    return sticky_error();
}

API(cuEventSynchronize, CUevent event) {
    ENTER_WITH_CONTEXT;
    finish(event->after);
    return sticky_error();
}

API(cuEventQuery, CUevent event) {
    ENTER_WITH_CONTEXT;
    return is_done(event->after) ? sticky_error() : NOT_READY;
}

API(cuEventDestroy_v2, CUevent event) {
    ENTER_RELEASE;
    disown(&event->handle);
    return told;
}

/* ---- the API: modules and launches */

static void release_module(struct handle *handle) {
    CUmodule module = (CUmodule)handle;
    for (CUfunction f = module->functions, next; f; f = next) {
        next = f->next;
        free(f);
    }
    free(module->text);
    free(module);
}

API(cuModuleLoadDataEx, CUmodule *module, const void *image, unsigned options, int *option,
    void **values) {
    ENTER_WITH_CONTEXT;
    const char *text = image;
    if (memcmp(text, "\177ELF", 4) != 0 && *text != '.' && *text != '/') {
        for (unsigned i = 0; i < options; i++)
            if (option[i] == CU_JIT_ERROR_LOG_BUFFER)
                strcpy(values[i], "ptxas application ptx input, line 1; fatal : not PTX");
        return INVALID_PTX;
    }
    *module = calloc(1, sizeof **module);
    if (!*module)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*module)->text = strdup(text);
    if (!(*module)->text) {
        free(*module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    own(&(*module)->handle, release_module);
    snprintf(last_image, sizeof last_image, "%s", text);
    return CUDA_SUCCESS;
}

API(cuModuleUnload, CUmodule module) {
    ENTER_RELEASE;
    if (!current() || module->handle.context != current())
        return INVALID_HANDLE;
    finish_all();
    disown(&module->handle);
    return told;
}

/* The runtime's own copies are known by their names. */
static bool find_copy(const char *name, struct CUfunc_st *found) {
    static const struct ufc_ufunc copy = {.nin = 1, .nout = 1};
    found->ufunc = &copy;
    found->kind = UFC_KERNEL_STRIDED;
    return sscanf(name, "ufc_copy_%u", &found->copied) == 1;
}

static bool find_kernel(const char *name, struct CUfunc_st *found) {
    for (unsigned i = 0; i < nufuncs; i++) {
        for (unsigned j = 0; j < ufuncs[i]->noverloads; j++) {
            const struct ufc_overload *overload = &ufuncs[i]->overloads[j];
            for (int kind = 0; kind < UFC_KERNEL_COUNT; kind++) {
                if (overload->kernel[kind] && strcmp(overload->kernel[kind], name) == 0) {
                    found->ufunc = ufuncs[i];
                    found->overload = overload;
                    found->kind = (enum ufc_kernel_kind)kind;
                    return true;
                }
            }
        }
    }
    return false;
}

/* Of images without kernels, as machine code, it is not known. */
static bool waits(const char *text, const char *name) {
    static const char entry[] = ".visible .entry ";
    const size_t size = strlen(name);
    const char *at = strstr(text, entry);
    while (at &&
           (strncmp(at + sizeof entry - 1, name, size) != 0 || at[sizeof entry - 1 + size] != '('))
        at = strstr(at + 1, entry);
    if (!at)
        return !strstr(text, entry);
    const char *wait = strstr(at, "griddepcontrol.wait;"), *next = strstr(at + 1, entry);
    return wait && (!next || wait < next);
}

API(cuModuleGetFunction, CUfunction *function, CUmodule module, const char *name) {
    ENTER_WITH_CONTEXT;
    struct CUfunc_st found = {.module = module, .shared = FREE_SHARED, .next = module->functions};
    if (!find_copy(name, &found) && !find_kernel(name, &found))
        return NOT_FOUND;
    *function = malloc(sizeof **function);
    if (!*function)
        return CUDA_ERROR_OUT_OF_MEMORY;
    **function = found;
    (*function)->waits = waits(module->text, name);
    module->functions = *function;
    return CUDA_SUCCESS;
}

API(cuFuncGetAttribute, int *value, int attribute, CUfunction function) {
    ENTER;
    (void)function;
    *value = 0;
    return attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? CUDA_SUCCESS : INVALID_VALUE;
}

API(cuFuncSetAttribute, CUfunction function, int attribute, int value) {
    ENTER;
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        return value == 1 ? CUDA_SUCCESS : INVALID_VALUE;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > MAX_SHARED)
        return INVALID_VALUE;
    function->shared = (unsigned)value;
    return CUDA_SUCCESS;
}

static bool is_launch(CUfunction function, const unsigned *grid, const unsigned *block,
                      unsigned shared) {
    return grid[0] > 0 && grid[0] <= INT_MAX && grid[1] == 1 && grid[2] == 1 && block[0] > 0 &&
           block[0] <= 1024 && block[1] == 1 && block[2] == 1 && shared <= function->shared;
}

static CUresult launch(CUfunction function, const unsigned *grid, const unsigned *block,
                       unsigned shared, CUstream stream, void **params) {
    if (!is_launch(function, grid, block, shared))
        return INVALID_VALUE;
    if (function->module->handle.context != current())
        return INVALID_HANDLE;
    struct lane *lane = lane_of(stream);
    return lane ? enqueue_kernel(function, (int64_t)grid[0] * block[0], params[0], lane)
                : INVALID_HANDLE;
}

API(cuLaunchKernel, CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
    void **params, void **extra) {
    ENTER_WITH_CONTEXT;
    return extra ? INVALID_VALUE
                 : launch(function, (unsigned[]){grid_x, grid_y, grid_z},
                          (unsigned[]){block_x, block_y, block_z}, shared_bytes, stream, params);
}

API(cuLaunchCooperativeKernel, CUfunction function, unsigned grid_x, unsigned grid_y,
    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
    CUstream stream, void **params) {
    if (grid_x > (unsigned)setting("FAKECUDA_MULTIPROCESSORS", 132))
        return INVALID_VALUE;
    return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                          stream, params, NULL);
}

/* Of blocks in clusters, and of kernels that wait for launches ahead of them. */
static bool is_attribute(const struct cuda_launch *l, CUfunction function,
                         const struct cuda_launch_attribute *a) {
    switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        return a->value[0] > 0 && a->value[0] <= 16 && l->grid[0] % a->value[0] == 0 &&
               a->value[1] == 1 && a->value[2] == 1;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        return a->value[0] == 1 && function->waits;
    default: return false;
    }
}

API(cuLaunchKernelEx, const struct cuda_launch *l, CUfunction function, void **params,
    void **extra) {
    ENTER_WITH_CONTEXT;
    for (unsigned i = 0; i < l->nattributes; i++)
        if (!is_attribute(l, function, &l->attributes[i]))
            return INVALID_VALUE;
    if (extra)
        return INVALID_VALUE;
    return launch(function, l->grid, l->block, l->shared, l->stream, params);
}
