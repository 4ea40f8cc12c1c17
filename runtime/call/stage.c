/* stage.c: host arrays of a call that runs on a GPU.
 *
 * A host array is packed on its way to the device: its axes in the order of its strides, so that
 * both sides are walked in the order of memory, and only its distinct elements (strides of 0 stay
 * 0).  The device array has the same shape and its own strides. */
#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>
#include "range.h"

/* A host array as it is packed: the fastest axis first, neighbours merged. */
struct packing {
    char *host; /* first element */
    enum ufc_dtype dtype;
    int threads;
    int naxes; /* at least 1 */
    int64_t size[MAX_RANK], stride[MAX_RANK];
    size_t bytes;
    int64_t packed[MAX_RANK]; /* the packed array's strides; its axes are the host array's */
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

static ufc_status plan(const ufc_context *ctx, const struct operand *host, struct packing *pack,
                       ufc_error *err) {
    int order[MAX_RANK], n = 0;
    bool empty = false;
    for (int axis = 0; axis < host->ndim; axis++) {
        empty |= host->shape[axis] == 0;
        pack->packed[axis] = 0;
        if (host->shape[axis] <= 1 || host->stride[axis] == 0)
            continue;
        int at = n++; /* after axes of smaller strides; of axes with equal strides the last
                         is first */
        for (; at > 0 && llabs(host->stride[order[at - 1]]) >= llabs(host->stride[axis]); at--)
            order[at] = order[at - 1];
        order[at] = axis;
    }
    pack->host = host->data;
    pack->dtype = host->dtype;
    pack->threads = ctx->threads;
    pack->naxes = 0;
    pack->bytes = empty ? 0 : (size_t)dtype_info[host->dtype].size;
    for (int i = 0; i < n && !empty; i++) {
        int64_t size = host->shape[order[i]];
        pack->packed[order[i]] = (int64_t)pack->bytes;
        add_axis(pack, size, host->stride[order[i]]);
        if (__builtin_mul_overflow(pack->bytes, (size_t)size, &pack->bytes) ||
            pack->bytes > PTRDIFF_MAX)
            return fail(err, UFC_ENOMEM,
                        "out of memory: a host array exceeds the address space when copied to the "
                        "GPU");
    }
    if (pack->naxes == 0)
        add_axis(pack, 1, dtype_info[host->dtype].size);
    return UFC_OK;
}

/* A chunk of an array in packed order, which is copied from the host or to it. */
struct portion {
    const struct packing *pack;
    char *chunk;
    int64_t first; /* the chunk's first element */
    bool to_host;
};

/* As memcpy, past the caches: the line that is written is not read first, and what the caches hold
 * stays there. */
static void copy_past_caches(char *to, const char *from, size_t n) {
    size_t head = -(uintptr_t)to & 63;
    head = head < n ? head : n;
    memcpy(to, from, head);
    to += head, from += head, n -= head;
    for (; n >= 64; n -= 64, to += 64, from += 64)
        for (int i = 0; i < 64; i += 16)
            _mm_stream_si128((__m128i *)(void *)(to + i),
                             _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
    memcpy(to, from, n);
    _mm_sfence();
}

static void move_run(const struct portion *p, char *packed, char *host, int64_t n) {
    int64_t size = dtype_info[p->pack->dtype].size, stride = p->pack->stride[0];
    if (p->to_host && stride == size && n * size >= STAGE_PAST_RUN &&
        p->pack->bytes >= STAGE_PAST_CACHES)
        copy_past_caches(host, packed, (size_t)(n * size));
    else if (p->to_host)
        copy_elements(host, stride, packed, size, size, n);
    else
        copy_elements(packed, size, host, stride, size, n);
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
    parallel_for(pack->threads, (int64_t)size / element, STAGE_GRAIN / element, move_range,
                 &portion);
}

static void fill_chunk(const void *pack, char *chunk, size_t offset, size_t size) {
    move_chunk(pack, chunk, offset, size, false);
}

static void empty_chunk(const void *pack, char *chunk, size_t offset, size_t size) {
    move_chunk(pack, chunk, offset, size, true);
}

/* The packed array as an operand. */
static struct operand packed_operand(const ufc_context *ctx, const struct operand *host,
                                     const struct packing *pack, void *memory) {
    struct operand device = *host;
    device.data = memory;
    device.device = ctx->device;
    memcpy(device.stride, pack->packed, (size_t)host->ndim * sizeof *pack->packed);
    return device;
}

ufc_status pack_strides(const ufc_context *ctx, struct operand *op, ufc_error *err) {
    struct packing pack;
    ufc_status status = is_host(op->device) ? plan(ctx, op, &pack, err) : UFC_OK;
    if (status == UFC_OK && is_host(op->device))
        *op = packed_operand(ctx, op, &pack, op->data);
    return status;
}

/* ---- copies of a whole array, which profilers show */

/* Whether the array's memory is as packed, and GPUs reach it: then there is nothing to stage. */
static bool is_direct(const struct operand *host, const struct packing *pack) {
    return host->pinned && pack->naxes == 1 && pack->stride[0] == dtype_info[pack->dtype].size;
}

static ufc_status upload(ufc_context *ctx, void *stream, const struct operand *host,
                         const struct packing *pack, void *to, ufc_error *err) {
    range_of_copy("host to GPU", host);
    ufc_status status = ctx->ops->upload(ctx, stream, to, pack->bytes, fill_chunk, pack, err);
    nvtx_pop();
    return status;
}

/* upload; where the array can be copied directly, its memory is read until the stream is there. */
static ufc_status upload_directly(ufc_context *ctx, void *stream, const struct operand *host,
                                  const struct packing *pack, void *to, ufc_error *err) {
    if (!is_direct(host, pack))
        return upload(ctx, stream, host, pack, to, err);
    range_of_copy("host to GPU", host);
    ufc_status status = ctx->ops->copy_pinned(ctx, stream, to, pack->host, pack->bytes, err);
    nvtx_pop();
    return status;
}

/* ---- host arrays of a call */

ufc_status stage_in(ufc_context *ctx, void *stream, struct operand *op, bool waits, void **temp,
                    ufc_error *err) {
    struct packing pack;
    ufc_status status = plan(ctx, op, &pack, err);
    if (status == UFC_OK)
        status = ctx->ops->alloc(ctx, stream, pack.bytes, temp, err);
    if (status == UFC_OK)
        status = (waits ? upload_directly : upload)(ctx, stream, op, &pack, *temp, err);
    if (status == UFC_OK)
        *op = packed_operand(ctx, op, &pack, *temp);
    return status;
}

ufc_status stage_out_prepare(ufc_context *ctx, void *stream, const struct operand *host_out,
                             struct operand *device_out, void **temp, ufc_error *err) {
    struct packing pack;
    ufc_status status = plan(ctx, host_out, &pack, err);
    if (status == UFC_OK)
        status = ctx->ops->alloc(ctx, stream, pack.bytes, temp, err);
    if (status == UFC_OK)
        *device_out = packed_operand(ctx, host_out, &pack, *temp);
    return status;
}

ufc_status stage_out_begin(ufc_context *ctx, void *stream, const struct operand *host_out,
                           const struct operand *device_out, void **transfer, ufc_error *err) {
    struct packing pack;
    *transfer = NULL;
    ufc_status status = plan(ctx, host_out, &pack, err);
    if (status != UFC_OK)
        return status;
    return is_direct(host_out, &pack)
               ? ctx->ops->copy_pinned(ctx, stream, pack.host, device_out->data, pack.bytes, err)
               : ctx->ops->download_begin(ctx, stream, device_out->data, pack.bytes, transfer, err);
}

ufc_status stage_out_end(ufc_context *ctx, void *stream, const struct operand *host_out,
                         void *transfer, ufc_error *err) {
    struct packing pack;
    ufc_status status = plan(ctx, host_out, &pack, err);
    if (status != UFC_OK)
        return status;
    range_of_copy("GPU to host", host_out);
    status = transfer ? ctx->ops->download_end(ctx, stream, transfer, empty_chunk, &pack, err)
                      : ctx->ops->synchronize(ctx, stream, err);
    nvtx_pop();
    return status;
}

ufc_status stage_out_finish(ufc_context *ctx, void *stream, const struct operand *host_out,
                            const struct operand *device_out, ufc_error *err) {
    void *transfer;
    ufc_status status = stage_out_begin(ctx, stream, host_out, device_out, &transfer, err);
    return status == UFC_OK ? stage_out_end(ctx, stream, host_out, transfer, err) : status;
}

ufc_status end_transfers(ufc_context *ctx, void *stream, int n, const struct operand *host_out,
                         void *const *transfer, uint64_t returning, bool failed, ufc_error *err) {
    ufc_status status = UFC_OK;
    for (int k = 0; k < n; k++) {
        if (!(returning >> k & 1))
            continue;
        if (!failed && status == UFC_OK)
            status = stage_out_end(ctx, stream, &host_out[k], transfer[k], err);
        else if (transfer[k])
            ctx->ops->download_end(ctx, stream, transfer[k], NULL, NULL, NULL);
    }
    return status;
}

/* ---- copies; they need no memory where the device's array is already as packed */

static bool is_packed(const struct operand *device, const struct packing *pack) {
    bool same = true;
    for (int axis = 0; axis < device->ndim && same; axis++)
        same = device->shape[axis] == 1 || device->stride[axis] == pack->packed[axis];
    return same;
}

static ufc_status copy_on_device(ufc_context *ctx, void *stream, const struct operand *src,
                                 const struct operand *dst, ufc_error *err) {
    struct operand op[] = {*src, *dst};
    struct iteration it;
    make_iteration(&it, NULL, 1, 1, false, op, src->ndim, src->shape);
    return ctx->ops->copy(ctx, stream, &it, err);
}

ufc_status copy_in(ufc_context *ctx, void *stream, const struct operand *host,
                   const struct operand *device, ufc_error *err) {
    struct packing pack;
    ufc_status status = plan(ctx, host, &pack, err);
    if (status != UFC_OK)
        return status;
    if (is_packed(device, &pack))
        return upload_directly(ctx, stream, host, &pack, device->data, err);
    struct operand staged = *host;
    void *temp = NULL;
    status = stage_in(ctx, stream, &staged, false, &temp, err);
    if (status == UFC_OK)
        status = copy_on_device(ctx, stream, &staged, device, err);
    ctx->ops->free(ctx, stream, temp);
    return status;
}

ufc_status copy_out(ufc_context *ctx, void *stream, const struct operand *device,
                    const struct operand *host, ufc_error *err) {
    struct packing pack;
    ufc_status status = plan(ctx, host, &pack, err);
    if (status != UFC_OK)
        return status;
    if (is_packed(device, &pack))
        return stage_out_finish(ctx, stream, host, device, err);
    struct operand staged;
    void *temp = NULL;
    status = stage_out_prepare(ctx, stream, host, &staged, &temp, err);
    if (status == UFC_OK)
        status = copy_on_device(ctx, stream, device, &staged, err);
    if (status == UFC_OK)
        status = stage_out_finish(ctx, stream, host, &staged, err);
    ctx->ops->free(ctx, stream, temp);
    return status;
}
