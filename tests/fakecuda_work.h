/* fakecuda_work.h: what the files of the fake CUDA driver share. */
#ifndef FAKECUDA_WORK_H
#define FAKECUDA_WORK_H

#include <pthread.h>

#include "../runtime/cuda/driver.h"
#include "../runtime/rt.h"

enum {
    INVALID_VALUE = 1,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    MISALIGNED_ADDRESS = 716,
};

/* fakecuda.c: a driver function has the lock, and counts; what `count` gives but success is what it
 * is to return. */
pthread_mutex_t *enter(void);
void leave(pthread_mutex_t **held);
CUresult count(const char *symbol);
CUcontext current(void);
int device_count(void);
/* The lane of a stream that may be used in the current context; NULL where it may not. */
struct lane *lane_of(CUstream stream);

/* A driver function: declared, as -Wmissing-prototypes wants it, and defined. */
#define API(name, ...)                                                                             \
    __attribute__((visibility("default"))) CUresult name(__VA_ARGS__);                             \
    CUresult name(__VA_ARGS__)

#define ENTER                                                                                      \
    __attribute__((cleanup(leave), unused)) pthread_mutex_t *held = enter();                       \
    const CUresult counted = count(__func__);                                                      \
    if (counted != CUDA_SUCCESS)                                                                   \
    return counted

/* Of what gives something back, and may tell an error of earlier work: it has done its own. */
#define ENTER_RELEASE                                                                              \
    __attribute__((cleanup(leave), unused)) pthread_mutex_t *held = enter();                       \
    const CUresult told = count(__func__)

#define ENTER_WITH_CONTEXT                                                                         \
    ENTER;                                                                                         \
    if (!current())                                                                                \
    return INVALID_CONTEXT

/* What a CUcontext owns, and takes along when it is destroyed. */
struct handle {
    CUcontext context;
    void (*release)(struct handle *handle);
    struct handle *next;
};
/* fakecuda.c: the current CUcontext has a handle, or has it no longer, which releases it. */
void own(struct handle *handle, void (*release)(struct handle *handle));
void disown(struct handle *handle);

/* A stream's work.  The default stream and blocking ones wait for each other. */
struct lane {
    enum { DEFAULT, BLOCKING, NON_BLOCKING } kind;
    uint64_t last; /* the number of its last work */
};

struct CUctx_st {
    CUdevice device;
    unsigned long long id;
    unsigned retained;
    struct lane lane; /* of its default stream */
    struct handle *handles;
    CUcontext next; /* of those that cuCtxCreate made */
};

struct CUstream_st {
    CUcontext context;
    struct lane lane;
};

struct CUevent_st {
    struct handle handle;
    uint64_t after; /* done when this work is */
    bool timed, recorded;
};

struct CUmod_st {
    struct handle handle;
    char *text; /* the image up to its first NUL */
    CUfunction functions;
};

struct CUfunc_st {
    CUmodule module;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    enum ufc_kernel_kind kind;
    unsigned shared; /* bytes of dynamic shared memory that it may have */
    unsigned copied; /* the runtime's own copies: bytes an element; else 0 */
    bool waits;      /* for launches ahead of it in its stream */
    CUfunction next;
};

struct CUmemPoolHandle_st {
    CUdevice device;
    uint64_t used, reserved, high; /* bytes: used, and kept; used at a time, at most */
};

/* Work that waits, in the order in which it was given. */
struct work {
    void (*run)(struct work *work);
    uint64_t number;
    const struct lane *lane;
    uintptr_t touched[MAX_WALKED]; /* memory that it reads or writes */
    struct copy {
        uintptr_t dst, src;
        size_t size;
    } copy;
    CUdeviceptr freed;
    CUfunction function;
    int64_t threads;
    unsigned char parameter[4096];
    struct work *next;
};

/* Memory: address is device memory, or pinned.  The context is NULL where the memory is a pool's,
 * which keeps none beyond what it had at a time. */
CUresult allocate(CUcontext context, size_t size, bool pinned, uintptr_t *address);
CUresult allocate_on(struct lane *lane, size_t size, CUmemoryPool pool, uintptr_t *address);
uint64_t used_memory(CUmemoryPool pool);
void forget_pool(CUmemoryPool pool);
/* Bytes of device memory that there are. */
size_t all_memory(void);
CUresult deallocate(uintptr_t address, bool pinned);
void deallocate_all(CUcontext context);
bool on_device(uintptr_t address, size_t size);
unsigned live_allocations(void);
size_t last_allocation(void);

/* Work, which must be ordered behind its memory's allocation and before its free.  After a stray
 * access none is done any more, and sticky_error says why. */
CUresult enqueue(struct work *model, struct lane *lane);
CUresult enqueue_copy(struct copy copy, struct lane *lane);
CUresult enqueue_set(CUdeviceptr memory, unsigned char byte, size_t size, struct lane *lane);
CUresult enqueue_free(CUdeviceptr memory, struct lane *lane);
CUresult enqueue_kernel(CUfunction function, int64_t threads, const void *parameter,
                        struct lane *lane);
/* The overload's host code, by which kernels compute; NULL: there is none. */
ufc_host_kernel *host_kernel(const struct ufc_overload *overload);
/* A kernel that goes astray. */
void stray(CUresult error, const char *what, uintptr_t address);
/* Runs a host kernel that records faults at an address, unless it is 0. */
void run_host(ufc_host_kernel *host, char **args, const intptr_t *dimensions, const intptr_t *steps,
              uint64_t fault);
void run_fold(struct work *work); /* fakecuda_fold.c: a FOLD or TREE kernel */
/* fakecuda_gufunc.c: those of gufuncs */
size_t gufunc_param_size(CUfunction f);
void set_gufunc_touched(struct work *work);
void run_gufunc(struct work *work);
void finish(uint64_t number);
void finish_all(void);
void finish_context(CUcontext context); /* all that its streams have, and what was given before */
bool is_done(uint64_t number);
CUresult sticky_error(void);

#endif
