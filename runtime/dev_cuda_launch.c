/* dev_cuda_launch.c: kernel launches on a GPU. */
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

ufc_status cuda_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                        ufc_error *err) {
    struct queue q = {.stream = stream};
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status = cuda_kernels(ctx->state, scope.space, it->overload, &q.kernels, err);
    if (status == UFC_OK)
        status = launch_iteration(it, enqueue, &q, err);
    cuda_leave(&scope);
    return status;
}
