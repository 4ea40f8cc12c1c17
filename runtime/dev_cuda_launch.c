/* dev_cuda_launch.c: kernel launches on a GPU. */
#include <string.h>
#include "dev_cuda.h"

struct queue {
    CUstream stream;
    const CUfunction *kernels;
};

static ufc_status enqueue(void *arg, const struct kernel_launch *l, ufc_error *err) {
    const struct queue *q = arg;
    void *params[] = {l->param};
    return CU(err, cuLaunchKernel, q->kernels[l->kind], l->blocks, 1, 1, l->block, 1, 1, 0,
              q->stream, params, NULL);
}

static void fill_table(const void *table, char *chunk, size_t offset, size_t size) {
    memcpy(chunk, (const char *)table + offset, size);
}

static ufc_status put_table(struct launcher *l, void *dst, const void *src, size_t size,
                            ufc_error *err) {
    return cuda_upload(l->ctx, l->stream, dst, size, fill_table, src, err);
}

static void empty_table(const void *table, char *chunk, size_t offset, size_t size) {
    memcpy(*(char *const *)table + offset, chunk, size);
}

static ufc_status get_table(struct launcher *l, void *dst, const void *src, size_t size,
                            ufc_error *err) {
    return cuda_download(l->ctx, l->stream, src, size, empty_table, &dst, err);
}

ufc_status cuda_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                        ufc_error *err) {
    struct queue q = {.stream = stream};
    struct launcher l = {.ctx = ctx,
                         .stream = stream,
                         .launch = enqueue,
                         .put = put_table,
                         .get = get_table,
                         .arg = &q};
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = cuda_kernels(ctx->state, scope.space, it->overload, false, &q.kernels, err);
    if (status == UFC_OK)
        status = it->core ? launch_core(&l, it, err) : launch_iteration(it, enqueue, &q, err);
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_reduce(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err) {
    struct queue q = {.stream = stream};
    struct launcher l = {
        .ctx = ctx, .stream = stream, .launch = enqueue, .put = put_table, .arg = &q};
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = cuda_kernels(ctx->state, scope.space, r->overload, true, &q.kernels, err);
    l.has_tree = status == UFC_OK && q.kernels[UFC_KERNEL_TREE];
    if (status == UFC_OK)
        status = launch_reduction(&l, r, err);
    cuda_leave(&scope);
    return status;
}
