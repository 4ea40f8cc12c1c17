/* peer.c: copies of any strides between the arrays of two GPUs: packed on the first, copied to the
 * other by the driver, over NVLink, the bus or the host, unpacked there.  Memory of a pool, as
 * ufc_empty takes it, is its own GPU's alone: then the copy goes through the host's memory.
 *
 * Each GPU works on a stream of the copy's own.  That of the context's GPU waits for the stream
 * that the program gave, and the other one for that and for its GPU's default stream; the program's
 * waits for both. */
#include <stdlib.h>

#include "rt.h"

/* A GPU's side of the copy. */
struct side {
    ufc_context *ctx;
    void *stream;
    struct operand array, packed; /* packed: in memory of its own, or the array itself */
    struct temps temps;
};

/* Makes an iteration that copies from one operand to another of the same shape. */
static void make_copy(struct iteration *it, const struct operand *from, const struct operand *to) {
    struct operand both[] = {*from, *to};
    int64_t shape[MAX_RANK];
    distinct_shape(from, shape);
    make_iteration(it, NULL, 1, 1, false, both, from->ndim, shape);
}

/* Lets a side's stream wait for what the other side's has so far. */
static ufc_status wait_for(const struct side *waiting, const struct side *other, ufc_error *err) {
    const struct stream_ops *streams = other->ctx->ops->streams;
    void *event = NULL;
    ufc_status status = streams->event_create(other->ctx, &event, err);
    if (status != UFC_OK)
        return status;
    status = streams->record(other->ctx, event, other->stream, err);
    if (status == UFC_OK)
        status = streams->wait(other->ctx, event, waiting->stream, err);
    streams->event_destroy(other->ctx, event);
    return status;
}

/* Gives a side memory in the packed layout, unless its array lies so. */
static ufc_status take_packed(struct side *s, const struct operand *layout, size_t bytes,
                              bool is_packed, ufc_error *err) {
    void *memory = NULL;
    s->packed = *layout;
    s->packed.device = s->array.device;
    s->packed.data = s->array.data;
    if (is_packed)
        return UFC_OK;
    ufc_status status = s->ctx->ops->alloc(s->ctx, s->stream, bytes, &memory, err);
    if (status == UFC_OK)
        s->temps.memory[s->temps.n++] = s->packed.data = memory;
    return status;
}

/* Copies the packed elements, in the order of the target's stream; *it is for that. */
static ufc_status copy_packed(struct side *from, struct side *to, struct iteration *it,
                              ufc_error *err) {
    make_copy(it, &from->packed, &to->packed);
    ufc_status status = wait_for(to, from, err);
    if (status == UFC_OK)
        status = to->ctx->ops->copy(to->ctx, to->stream, it, err);
    ufc_status ended = wait_for(from, to, status == UFC_OK ? err : NULL);
    return status == UFC_OK ? ended : status;
}

static ufc_status copy_in_steps(struct side *from, struct side *to, ufc_error *err) {
    struct iteration it;
    struct operand layout;
    int64_t bytes;
    ufc_status status =
        lay_out_packed(&from->array, from->array.dtype, PACK_KEEP, &layout, &bytes, err);
    if (status != UFC_OK)
        return status;
    layout.data = from->array.data;
    make_copy(&it, &from->array, &layout);
    bool packed = in_one_piece(&it);
    status = take_packed(from, &layout, (size_t)bytes, packed, err);
    if (status == UFC_OK && !packed) {
        make_copy(&it, &from->array, &from->packed);
        status = from->ctx->ops->copy(from->ctx, from->stream, &it, err);
    }
    make_iteration(&it, NULL, 1, 1, false, (struct operand[]){layout, to->array}, layout.ndim,
                   layout.shape);
    packed = in_one_piece(&it);
    if (status == UFC_OK)
        status = take_packed(to, &layout, (size_t)bytes, packed, err);
    if (status == UFC_OK)
        status = copy_packed(from, to, &it, err);
    if (status != UFC_OK || packed)
        return status;
    make_iteration(&it, NULL, 1, 1, false, (struct operand[]){to->packed, to->array}, layout.ndim,
                   layout.shape);
    return to->ctx->ops->copy(to->ctx, to->stream, &it, err);
}

/* Copies through the host's memory; done on return. */
static ufc_status copy_by_host(const struct side *from, const struct side *to, ufc_error *err) {
    struct operand host;
    int64_t bytes;
    ufc_status status =
        lay_out_packed(&from->array, from->array.dtype, PACK_KEEP, &host, &bytes, err);
    if (status != UFC_OK)
        return status;
    void *memory = malloc((size_t)bytes);
    if (!memory)
        return fail(err, UFC_ENOMEM, "out of memory on the host: %lld bytes were asked for",
                    (long long)bytes);
    host.device = (DLDevice){kDLCPU, 0};
    host.data = memory;
    status = copy_out(from->ctx, from->stream, &from->array, &host, err);
    if (status == UFC_OK)
        status = wait_for(to, from, err);
    if (status == UFC_OK)
        status = copy_in(to->ctx, to->stream, &host, &to->array, err);
    if (status == UFC_OK)
        status = to->ctx->ops->synchronize(to->ctx, to->stream, err);
    free(memory);
    return status;
}

/* Copies. */
static ufc_status copy_sides(struct side *side, struct side *own, struct side *other,
                             ufc_error *err) {
    ufc_status status = wait_for(other, own, err);
    if (status == UFC_OK)
        status = copy_in_steps(&side[0], &side[1], err);
    if (status == UFC_ECUDA)
        status = copy_by_host(&side[0], &side[1], err);
    free_temps(other->ctx, other->stream, &other->temps);
    ufc_status ended = wait_for(own, other, status == UFC_OK ? err : NULL);
    free_temps(own->ctx, own->stream, &own->temps);
    return status == UFC_OK ? ended : status;
}

ufc_status copy_between_gpus(ufc_context *ctx, void *stream, const struct operand *op,
                             ufc_error *err) {
    const struct stream_ops *streams = ctx->ops->streams;
    bool from_own = ctx->device.device_id == op[0].device.device_id;
    struct side side[2] = {{.array = op[0]}, {.array = op[1]}};
    struct side *own = &side[!from_own], *other = &side[from_own];
    own->ctx = ctx;
    ufc_status status = shared_context(&other->ctx, other->array.device, err);
    if (status == UFC_OK)
        status = streams->fork(ctx, stream, &own->stream, err);
    if (status != UFC_OK)
        return status;
    status = streams->fork(other->ctx, NULL, &other->stream, err);
    if (status == UFC_OK) {
        status = copy_sides(side, own, other, err);
        streams->destroy(other->ctx, other->stream);
    }
    ufc_status joined = streams->join(ctx, stream, own->stream, status == UFC_OK ? err : NULL);
    return status == UFC_OK ? joined : status;
}
