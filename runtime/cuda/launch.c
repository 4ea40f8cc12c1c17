/* launch.c: kernel launches on a GPU. */
#include <string.h>
#include "cuda.h"

struct queue {
    CUstream stream;
    struct cuda_state *state;
    struct space *space;
    const struct ufc_overload *overload;
};

/* Puts the attributes of a launch that cuLaunchKernelEx takes, and returns their number.  A launch
 * that overlaps begins before those ahead of it in its stream have ended, and its kernel waits for
 * them itself (nvptx.c, wait.c). */
static unsigned put_attributes(const struct queue *q, const struct kernel_launch *l,
                               struct cuda_launch_attribute *attributes) {
    unsigned n = 0;
    if (l->cluster)
        attributes[n++] = (struct cuda_launch_attribute){
            .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value = {l->cluster, 1, 1}};
    if (q->state->overlaps && !l->together)
        attributes[n++] = (struct cuda_launch_attribute){
            .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, .value = {1}};
    return n;
}

static ufc_status enqueue(void *arg, const struct kernel_launch *l, ufc_error *err) {
    const struct queue *q = arg;
    CUfunction kernel;
    void *params[] = {l->param};
    struct cuda_launch_attribute attributes[2];
    ufc_status status =
        cuda_kernel(q->state, q->space, q->overload, l->kind, l->known, l->planned, &kernel, err);
    if (status != UFC_OK)
        return status;
    const struct cuda_launch launch = {.grid = {l->blocks, 1, 1},
                                       .block = {l->block, 1, 1},
                                       .shared = l->shared,
                                       .stream = q->stream,
                                       .attributes = attributes,
                                       .nattributes = put_attributes(q, l, attributes)};
    if (launch.nattributes > 0)
        return CU(err, cuLaunchKernelEx, &launch, kernel, params, NULL);
    if (l->together)
        return CU(err, cuLaunchCooperativeKernel, kernel, l->blocks, 1, 1, l->block, 1, 1,
                  l->shared, q->stream, params);
    return CU(err, cuLaunchKernel, kernel, l->blocks, 1, 1, l->block, 1, 1, l->shared, q->stream,
              params, NULL);
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

static struct launcher queue_launcher(ufc_context *ctx, struct queue *q) {
    return (struct launcher){.ctx = ctx,
                             .stream = q->stream,
                             .launch = enqueue,
                             .put = put_table,
                             .get = get_table,
                             .arg = q};
}

ufc_status cuda_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                        ufc_error *err) {
    struct queue q = {.stream = stream, .state = ctx->state, .overload = it->overload};
    struct launcher l = queue_launcher(ctx, &q);
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    q.space = scope.space;
    status = it->core ? launch_gufunc(&l, it, err) : launch_iteration(&l, it, err);
    cuda_leave(&scope);
    return status;
}

/* Makes a reduction's launches by the launcher that is made of the queue. */
static ufc_status reduce_by(struct launcher (*launcher)(ufc_context *ctx, struct queue *q),
                            ufc_context *ctx, void *stream, const struct reduction *r,
                            ufc_error *err) {
    struct queue q = {.stream = stream, .state = ctx->state, .overload = r->overload};
    struct launcher l = launcher(ctx, &q);
    struct scope scope;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    q.space = scope.space;
    status = launch_reduction(&l, r, err);
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_reduce(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err) {
    return reduce_by(queue_launcher, ctx, stream, r, err);
}

static ufc_status load_launched(void *arg, const struct kernel_launch *l, ufc_error *err) {
    const struct queue *q = arg;
    CUfunction kernel;
    return cuda_kernel(q->state, q->space, q->overload, l->kind, l->known, false, &kernel, err);
}

/* Nothing that is loaded needs a table. */
static ufc_status skip_table(struct launcher *l, void *dst, const void *src, size_t size,
                             ufc_error *err) {
    (void)l, (void)dst, (void)src, (void)size, (void)err;
    return UFC_OK;
}

static struct launcher loading_launcher(ufc_context *ctx, struct queue *q) {
    struct launcher l = queue_launcher(ctx, q);
    l.launch = load_launched;
    l.put = l.get = skip_table;
    return l;
}

/* All of the overload's kernels are for other memory, that which is launched may be for the
 * iteration alone. */
ufc_status cuda_prepare(ufc_context *ctx, void *stream, const struct iteration *it,
                        ufc_error *err) {
    const struct ufc_overload *overload = it->overload;
    struct queue q = {.stream = stream, .state = ctx->state, .overload = overload};
    struct launcher l = loading_launcher(ctx, &q);
    struct scope scope;
    CUfunction kernel;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    q.space = scope.space;
    for (enum ufc_kernel_kind k = 0; k < UFC_KERNEL_COUNT && status == UFC_OK; k++)
        if (kernel_info[k].family == UFC_FAMILY_UFUNC && overload->kernel[k])
            status = cuda_kernel(ctx->state, scope.space, overload, k, NULL, false, &kernel, err);
    if (status == UFC_OK)
        status = it->core ? launch_gufunc(&l, it, err) : launch_iteration(&l, it, err);
    cuda_leave(&scope);
    return status;
}

ufc_status cuda_prepare_reduction(ufc_context *ctx, void *stream, const struct reduction *r,
                                  ufc_error *err) {
    return reduce_by(loading_launcher, ctx, stream, r, err);
}

/* Asks the driver for a kernel's facts; those that it does not tell stay 0. */
static void ask_facts(const struct gpu_model *m, CUfunction kernel,
                      const struct kernel_launch *launch, struct kernel_facts *facts) {
    int blocks = 0, block = (int)launch->block;
    if (cuda.cuFuncGetAttribute)
        cuda.cuFuncGetAttribute(&facts->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel);
    if (cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor)
        cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, launch->shared);
    facts->occupancy = m->threads ? (double)blocks * block / m->threads : 0;
}

ufc_status cuda_facts(ufc_context *ctx, void *stream, const struct ufc_overload *overload,
                      const struct kernel_launch *launch, struct kernel_facts *facts,
                      ufc_error *err) {
    struct cuda_state *state = ctx->state;
    struct scope scope;
    CUfunction kernel;
    ufc_status status = cuda_enter(ctx, stream, &scope, err);
    if (status != UFC_OK)
        return status;
    status =
        cuda_kernel(state, scope.space, overload, launch->kind, launch->known, false, &kernel, err);
    if (status == UFC_OK)
        ask_facts(&ctx->gpu, kernel, launch, facts);
    cuda_leave(&scope);
    return status;
}
