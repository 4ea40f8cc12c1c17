/* driver.h: the CUDA driver's API as far as the runtime uses it, declared here because the runtime
 * builds without a CUDA header.  Only what is in this room includes it. */
#ifndef UFC_CUDA_DRIVER_H
#define UFC_CUDA_DRIVER_H

#include <stddef.h>
#include "ufc.h"

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUlinkState_st *CUlinkState;

/* Enumerations of cuda.h are ints to the driver; the names are its own. */
enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
};
enum {
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,
};
enum {
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_GENERATE_LINE_INFO = 13
};
enum { CU_JIT_INPUT_PTX = 1 };
enum {
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
};
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1, CU_MEM_ATTACH_GLOBAL = 1 };
enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1, CU_MEM_LOCATION_TYPE_DEVICE = 1 };
enum {
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
    CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
    CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
    CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8,
};

enum {
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
};

/* CUlaunchAttribute */
struct cuda_launch_attribute {
    _Alignas(8) int id;
    _Alignas(8) unsigned value[16]; /* blocks of a cluster each way; or 1 */
};

/* CUlaunchConfig */
struct cuda_launch {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    struct cuda_launch_attribute *attributes;
    unsigned nattributes;
};

/* CUmemPoolProps_v1 */
struct cuda_pool_props {
    int allocation, handles;
    int location, device;
    void *security;
    size_t max_size;
    unsigned short usage;
    unsigned char reserved[54];
};

/* The driver's functions, as symbol.def lists them; the optional ones may be NULL.  Filled once,
 * by the first cuda_count. */
struct cuda_driver {
#define SYMBOL(need, name, symbol, params)                                                         \
    CUresult(*name) params; /* NOLINT(bugprone-macro-parentheses) */
#include "symbol.def"
#undef SYMBOL
};

extern struct cuda_driver cuda;

/* CU(err, cuFoo, a, b) calls the driver's cuFoo(a, b) and turns a failure into a status and a
 * message that names it.  Where an earlier error is to be kept, err is NULL. */
#define CU(err, name, ...) cuda_check(cuda.name(__VA_ARGS__), #name, err)

ufc_status cuda_check(CUresult result, const char *function, ufc_error *err);

/* The number of GPUs, which starts the driver; *why (where not NULL) as in ufc_device_count. */
int cuda_count(const char **why);
/* The number of GPUs for what can do without one, and asks often: a driver that did not start is
 * left alone for a second, one that is not there for good. */
int cuda_count_quickly(void);

#endif
