/* stage.c: host arrays of a call that runs on a GPU.
 *
 * A host array is packed on its way to the device: axes in the order of its strides, so that both
 * sides are walked in the order of memory, and only the elements that differ (stride 0 stays 0).
 * The device array has the same shape and its own strides. */
#include <stdlib.h>
#include <string.h>
#include "rt.h"

/* A host array as it is packed: the fastest axis first, neighbours merged. */
struct packing {
    char *host; /* first element */
    enum ufc_dtype dtype;
    int threads;
    int naxes; /* at least 1 */
    int64_t size[MAX_RANK], stride[MAX_RANK];
};

/* Adds an axis that is slower than those before it. */
static void add_axis(struct packing *pack, int64_t size, int64_t stride) {
    int last = pack->naxes - 1;
    if (last >= 0 && stride == pack->size[last] * pack->stride[last]) {
        pack->size[last] *= size;
        return;
    }
    pack->size[pack->naxes] = size;
    pack->stride[pack->naxes++] = stride;
}

/* How `host` is packed, the strides of the packed array, and its size in bytes; false where that
 * exceeds a size_t. */
static bool plan(const struct operand *host, struct packing *pack, int64_t *stride, size_t *bytes) {
    int order[MAX_RANK], n = 0;
    bool empty = false;
    for (int axis = 0; axis < host->ndim; axis++) {
        empty |= host->shape[axis] == 0;
        stride[axis] = 0;
        if (host->shape[axis] <= 1 || host->stride[axis] == 0)
            continue;
        int at =
            n++; /* behind the axes with smaller strides; of C order's equals, the last first */
        for (; at > 0 && llabs(host->stride[order[at - 1]]) >= llabs(host->stride[axis]); at--)
            order[at] = order[at - 1];
        order[at] = axis;
    }
    pack->host = host->data;
    pack->dtype = host->dtype;
    pack->threads = default_threads();
    pack->naxes = 0;
    *bytes = empty ? 0 : (size_t)dtype_info[host->dtype].size;
    for (int i = 0; i < n && !empty; i++) {
        int64_t size = host->shape[order[i]];
        stride[order[i]] = (int64_t)*bytes;
        add_axis(pack, size, host->stride[order[i]]);
        if (__builtin_mul_overflow(*bytes, (size_t)size, bytes) || *bytes > PTRDIFF_MAX)
            return false;
    }
    if (pack->naxes == 0)
        add_axis(pack, 1, dtype_info[host->dtype].size);
    return true;
}

/* Elements [begin, end) of a chunk, in packed order, from the host or to it. */
struct portion {
    const struct packing *pack;
    char *chunk;
    int64_t first; /* the chunk's first element */
    bool to_host;
};

static void move_run(const struct portion *p, char *packed, char *host, int64_t n) {
    const struct packing *pack = p->pack;
    int64_t size = dtype_info[pack->dtype].size, stride = pack->stride[0];
    cast_kernel *strided = cast_kernels[pack->dtype][pack->dtype];
    if (stride == size && p->to_host)
        memcpy(host, packed, (size_t)(n * size));
    else if (stride == size)
        memcpy(packed, host, (size_t)(n * size));
    else if (p->to_host)
        strided(host, stride, packed, size, n);
    else
        strided(packed, size, host, stride, n);
}

static void move_range(void *arg, int64_t begin, int64_t end) {
    const struct portion *p = arg;
    const struct packing *pack = p->pack;
    int64_t position[MAX_RANK], rest = p->first + begin;
    char *packed = p->chunk + begin * dtype_info[pack->dtype].size, *host = pack->host;
    for (int axis = 0; axis < pack->naxes; axis++) {
        position[axis] = rest % pack->size[axis];
        rest /= pack->size[axis];
        host += position[axis] * pack->stride[axis];
    }
    while (begin < end) {
        int64_t run = pack->size[0] - position[0];
        if (run > end - begin)
            run = end - begin;
        move_run(p, packed, host, run);
        begin += run;
        packed += run * dtype_info[pack->dtype].size;
        host -= position[0] * pack->stride[0];
        position[0] = 0;
        for (int axis = 1; axis < pack->naxes; axis++) {
            host += pack->stride[axis];
            if (++position[axis] < pack->size[axis])
                break;
            host -= pack->size[axis] * pack->stride[axis];
            position[axis] = 0;
        }
    }
}

static void move_chunk(const struct packing *pack, char *chunk, size_t offset, size_t size,
                       bool to_host) {
    int64_t element = dtype_info[pack->dtype].size;
    struct portion portion = {pack, chunk, (int64_t)offset / element, to_host};
    int64_t grain = ((int64_t)256 << 10) / element; /* under this, waking a thread costs more */
    parallel_for(pack->threads, (int64_t)size / element, grain, move_range, &portion);
}

static void fill_chunk(const void *pack, char *chunk, size_t offset, size_t size) {
    move_chunk(pack, chunk, offset, size, false);
}

static void empty_chunk(const void *pack, char *chunk, size_t offset, size_t size) {
    move_chunk(pack, chunk, offset, size, true);
}

static ufc_status too_large(ufc_error *err) {
    return fail(err, UFC_ENOMEM,
                "out of memory: a host array exceeds the address space when copied "
                "to the GPU");
}

ufc_status stage_in(ufc_context *ctx, void *stream, struct operand *op, void **temp,
                    ufc_error *err) {
    struct packing pack;
    int64_t stride[MAX_RANK];
    size_t bytes;
    if (!plan(op, &pack, stride, &bytes))
        return too_large(err);
    ufc_status status = ctx->ops->alloc(ctx, stream, bytes, temp, err);
    if (status != UFC_OK)
        return status;
    status = cuda_upload(ctx, stream, *temp, bytes, fill_chunk, &pack, err);
    if (status != UFC_OK) {
        ctx->ops->free(ctx, stream, *temp);
        *temp = NULL;
        return status;
    }
    op->data = *temp;
    op->device = ctx->device;
    memcpy(op->stride, stride, (size_t)op->ndim * sizeof *stride);
    return UFC_OK;
}

ufc_status stage_out_prepare(ufc_context *ctx, void *stream, const struct operand *host_out,
                             struct operand *device_out, void **temp, ufc_error *err) {
    struct packing pack;
    int64_t stride[MAX_RANK];
    size_t bytes;
    if (!plan(host_out, &pack, stride, &bytes))
        return too_large(err);
    ufc_status status = ctx->ops->alloc(ctx, stream, bytes, temp, err);
    if (status != UFC_OK)
        return status;
    *device_out = *host_out;
    device_out->data = *temp;
    device_out->device = ctx->device;
    memcpy(device_out->stride, stride, (size_t)host_out->ndim * sizeof *stride);
    return UFC_OK;
}

ufc_status stage_out_finish(ufc_context *ctx, void *stream, const struct operand *host_out,
                            const struct operand *device_out, ufc_error *err) {
    struct packing pack;
    int64_t stride[MAX_RANK];
    size_t bytes;
    if (!plan(host_out, &pack, stride, &bytes))
        return too_large(err);
    return cuda_download(ctx, stream, device_out->data, bytes, empty_chunk, &pack, err);
}
