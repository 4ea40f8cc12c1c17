/* fakecuda_memory.c: the fake CUDA driver's API of memory and copies. */
#include <stdlib.h>
#include "fakecuda.h"
#include "fakecuda_work.h"

static uint64_t kept;

uint64_t fakecuda_kept(void) {
    return kept;
}

API(cuMemAlloc_v2, CUdeviceptr *memory, size_t size) {
    ENTER_WITH_CONTEXT;
    uintptr_t address = 0;
    CUresult result = allocate(current(), size, false, &address);
    *memory = address;
    return result;
}

API(cuMemAllocManaged, CUdeviceptr *memory, size_t size, unsigned flags) {
    ENTER_WITH_CONTEXT;
    uintptr_t address = 0;
    CUresult result =
        flags != CU_MEM_ATTACH_GLOBAL ? INVALID_VALUE : allocate(current(), size, false, &address);
    *memory = address;
    return result;
}

API(cuMemGetInfo_v2, size_t *unused, size_t *all) {
    ENTER_WITH_CONTEXT;
    uint64_t used = used_memory(NULL);
    *all = all_memory();
    *unused = used < *all ? *all - used : 0;
    return CUDA_SUCCESS;
}

API(cuMemFree_v2, CUdeviceptr memory) {
    ENTER_WITH_CONTEXT;
    finish_all();
    return deallocate(memory, false);
}

API(cuMemHostAlloc, void **memory, size_t size, unsigned flags) {
    ENTER_WITH_CONTEXT;
    uintptr_t address = 0;
    CUresult result = flags > 7 ? INVALID_VALUE : allocate(current(), size, true, &address);
    *memory = (void *)address;
    return result;
}

API(cuMemFreeHost, void *memory) {
    ENTER_RELEASE;
    if (!current())
        return INVALID_CONTEXT;
    finish_all();
    CUresult result = deallocate((uintptr_t)memory, true);
    return result == CUDA_SUCCESS ? told : result;
}

API(cuMemPoolCreate, CUmemoryPool *pool, const struct cuda_pool_props *props) {
    ENTER;
    if (props->allocation != CU_MEM_ALLOCATION_TYPE_PINNED ||
        props->location != CU_MEM_LOCATION_TYPE_DEVICE || props->device >= device_count())
        return INVALID_VALUE;
    *pool = calloc(1, sizeof **pool);
    if (!*pool)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*pool)->device = props->device;
    return CUDA_SUCCESS;
}

API(cuMemPoolSetAttribute, CUmemoryPool pool, int attribute, void *value) {
    ENTER;
    if (!pool || !value || attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        return INVALID_VALUE;
    kept = *(const uint64_t *)value;
    return CUDA_SUCCESS;
}

API(cuMemPoolGetAttribute, CUmemoryPool pool, int attribute, void *value) {
    ENTER;
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: *(uint64_t *)value = pool->reserved; break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(uint64_t *)value = used_memory(pool); break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(uint64_t *)value = pool->high; break;
    default: return INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

API(cuMemPoolTrimTo, CUmemoryPool pool, size_t size) {
    ENTER;
    uint64_t used = used_memory(pool), least = used > size ? used : size;
    pool->reserved = least < pool->reserved ? least : pool->reserved;
    return CUDA_SUCCESS;
}

API(cuMemPoolDestroy, CUmemoryPool pool) {
    ENTER_RELEASE;
    forget_pool(pool);
    free(pool);
    return told;
}

API(cuMemAllocFromPoolAsync, CUdeviceptr *memory, size_t size, CUmemoryPool pool, CUstream stream) {
    ENTER_WITH_CONTEXT;
    struct lane *lane = lane_of(stream);
    if (!lane || pool->device != current()->device)
        return INVALID_HANDLE;
    uintptr_t address = 0;
    CUresult result = allocate_on(lane, size, pool, &address);
    *memory = address;
    return result;
}

API(cuMemFreeAsync, CUdeviceptr memory, CUstream stream) {
    ENTER_WITH_CONTEXT;
    struct lane *lane = lane_of(stream);
    return lane ? enqueue_free(memory, lane) : INVALID_HANDLE;
}

API(cuMemcpyAsync, CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream) {
    ENTER_WITH_CONTEXT;
    struct lane *lane = lane_of(stream);
    return lane ? enqueue_copy((struct copy){dst, src, size}, lane) : INVALID_HANDLE;
}

API(cuMemsetD8Async, CUdeviceptr dst, unsigned char byte, size_t size, CUstream stream) {
    ENTER_WITH_CONTEXT;
    struct lane *lane = lane_of(stream);
    return lane ? enqueue_set(dst, byte, size, lane) : INVALID_HANDLE;
}

/* The GPU that has memory, of which there is one. */
API(cuPointerGetAttribute, void *value, int attribute, CUdeviceptr memory) {
    ENTER;
    if (attribute != 9 || !on_device(memory, 1))
        return INVALID_VALUE;
    *(int *)value = 0;
    return CUDA_SUCCESS;
}
