/* fakecuda_work.h: what the two files of the fake CUDA driver share. */
#ifndef FAKECUDA_WORK_H
#define FAKECUDA_WORK_H

#include "../runtime/cudadl.h"
#include "../runtime/rt.h"

enum {
    INVALID_VALUE = 1,
    NO_DEVICE = 100,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
    MISALIGNED_ADDRESS = 716,
};

/* What a CUcontext owns, and takes along when it is destroyed. */
struct handle {
    CUcontext context;
    void (*release)(struct handle *handle);
    struct handle *next;
};

struct CUctx_st {
    CUdevice device;
    unsigned long long id;
    unsigned retained;
    uint64_t last; /* the last work on its default stream */
    struct handle *handles;
};

struct CUstream_st {
    CUcontext context;
    uint64_t last;
};

struct CUevent_st {
    struct handle handle;
    uint64_t after; /* done when this work is */
};

struct CUmod_st {
    struct handle handle;
    CUfunction functions;
};

struct CUfunc_st {
    CUmodule module;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    enum ufc_kernel_kind kind;
    CUfunction next;
};

struct CUmemPoolHandle_st {
    CUdevice device;
};

/* Work that waits, in the order in which it was given. */
struct work {
    void (*run)(struct work *work);
    uint64_t number;
    struct cuda_copy2d copy; /* addresses in src_device and dst_device */
    CUdeviceptr freed;
    CUfunction function;
    int64_t threads;
    unsigned char parameter[4096];
    struct work *next;
};

/* Memory: address is device memory, or pinned.  The context is NULL where the memory is a pool's.
 */
CUresult allocate(CUcontext context, size_t size, bool pinned, uintptr_t *address);
CUresult deallocate(uintptr_t address, bool pinned);
void deallocate_all(CUcontext context);
bool on_device(uintptr_t address, size_t size);
unsigned live_allocations(void);

/* Work.  `last` is the number of the last on its stream.  After a stray access none is done any
 * more, and sticky_error says why. */
CUresult enqueue(const struct work *model, uint64_t *last);
CUresult enqueue_copy(const struct cuda_copy2d *copy, uint64_t *last);
CUresult enqueue_free(CUdeviceptr memory, uint64_t *last);
CUresult enqueue_kernel(CUfunction function, int64_t threads, const void *parameter,
                        uint64_t *last);
/* A kernel that goes astray. */
void stray(CUresult error, const char *what, uintptr_t address);
void run_fold(struct work *work); /* fakecuda_fold.c: a FOLD or TREE kernel */
void finish(uint64_t number);
void finish_all(void);
CUresult sticky_error(void);

#endif
