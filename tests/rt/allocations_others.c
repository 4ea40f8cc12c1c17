/* allocations_others.c: each allocation of a call fails in turn, and each call of the (fake)
 * driver: of what other libraries call by, plans in a caller's workspace, explanations, files by
 * descriptors, several GPUs and a program's allocator. */
#include <fcntl.h>
#include "../fakecuda.h"
#include "allocations.h"
#include "failing.h"

static const ufc_ufunc *plus = &allocations_plus_ufunc;

/* A run of core calls, which NumPy's loop makes. */
static ufc_status inner_loop(ufc_context *ctx) {
    double a[72], b[72], c[72];
    char *args[] = {(char *)a, (char *)b, (char *)c};
    intptr_t sizes[] = {6, 6, 6}, dimensions[] = {2, 6, 6, 6};
    intptr_t steps[] = {288, 288, 288, 48, 8, 48, 8, 48, 8};
    (void)ctx;
    for (int i = 0; i < 72; i++)
        a[i] = i % 5, b[i] = i % 7 == 0 ? 2 : 0;
    TRY(ufc_core_sizes(&allocations_dot_ufunc, sizes, &err));
    TRY(ufc_inner_loop(&allocations_dot_ufunc, 0, args, dimensions, steps, &err));
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += a[36 + k] * b[36 + 6 * k];
    return check(c[36] == sum);
}

/* A prefix that a plan makes, and a product whose conversions a caller's workspace takes. */
static ufc_status plan_in(ufc_context *ctx) {
    DLManagedTensorVersioned *x = NULL, *y = NULL, *sums = NULL, *c = NULL, *space = NULL;
    ufc_plan *prefix = NULL, *dot = NULL;
    float from[36];
    double last = 0;
    int64_t one[] = {1};
    for (int i = 0; i < 36; i++)
        from[i] = (float)(i % 5);
    DLTensor a = view(from, UFC_FLOAT32, 2, square), to = view(&last, UFC_FLOAT64, 1, one);
    ufc_status status = ufc_to_device(ctx, NULL, &a, &x, &err);
    if (status == UFC_OK) {
        DLTensor wide = view(doubles(36), UFC_FLOAT64, 2, square);
        status = ufc_to_device(ctx, NULL, &wide, &y, &err);
    }
    if (status == UFC_OK)
        status = ufc_plan_accumulate(&prefix, ctx, NULL, plus, ufc_array(&y->dl_tensor),
                                     ufc_new(&sums), NULL, &err);
    if (status == UFC_OK)
        status = ufc_execute(prefix, NULL, NULL, &err);
    if (status == UFC_OK) {
        ufc_arg in[] = {ufc_array(&x->dl_tensor), ufc_array(&y->dl_tensor)};
        ufc_out out[] = {ufc_new(&c)};
        status = ufc_plan_new(&dot, ctx, NULL, &allocations_dot_ufunc, in, out, NULL, &err);
    }
    if (status == UFC_OK) {
        int64_t bytes[] = {ufc_plan_workspace(dot) + 1};
        status = ufc_empty(ctx, UFC_UINT8, 1, bytes, UFC_DEVICE, &space, &err);
    }
    if (status == UFC_OK)
        status = ufc_execute_in(dot, NULL, space->dl_tensor.data, NULL, &err);
    if (status == UFC_OK) {
        DLTensor end = sums->dl_tensor;
        end.byte_offset += 35 * sizeof(double);
        end.ndim = 1;
        end.shape = end.strides = one;
        status = ufc_copy(ctx, NULL, &end, &to, &err);
    }
    if (status == UFC_OK)
        status = check(last == 5 + 1 + 7 + 3 + 9 + 5);
    ufc_plan_free(prefix);
    ufc_plan_free(dot);
    ufc_free(space);
    ufc_free(c);
    ufc_free(sums);
    ufc_free(y);
    ufc_free(x);
    return status;
}

static ufc_status explanations(ufc_context *ctx) {
    ufc_plan_description d;
    int64_t n[] = {N}, starts[] = {1, 5}, two[] = {2};
    DLTensor a = view(doubles(N), UFC_FLOAT64, 1, n), at = view(starts, UFC_INT64, 1, two);
    DLManagedTensorVersioned *y = NULL;
    TRY(ufc_explain_reduce(ctx, NULL, plus, ufc_array(&a), ufc_new(&y), NULL, &d, &err));
    TRY(ufc_explain_accumulate(ctx, NULL, plus, ufc_array(&a), ufc_new(&y), NULL, &d, &err));
    TRY(ufc_explain_reduceat(ctx, NULL, plus, ufc_array(&a), &at, ufc_new(&y), NULL, &d, &err));
    TRY(ufc_explain_outer(ctx, NULL, plus, ufc_array(&a), ufc_array(&a), ufc_new(&y), NULL, &d,
                          &err));
    TRY(ufc_explain_at(ctx, NULL, plus, &a, &at, ufc_float(1), &d, &err));
    return check(!y && d.signature && a.data && ((double *)a.data)[1] == 1);
}

static ufc_status descriptors(ufc_context *ctx) {
    (void)ctx;
    double *x = doubles(N);
    DLTensor a = view(x, UFC_FLOAT64, 2, matrix);
    DLManagedTensorVersioned *back = NULL;
    int fd = open(path, O_RDWR | O_TRUNC);
    if (fd < 0)
        return check(false);
    a.strides = turned;
    ufc_status status = ufc_npy_write_fd(fd, &a, &err);
    if (status == UFC_OK)
        status = check(lseek(fd, 0, SEEK_SET) == 0);
    if (status == UFC_OK)
        status = ufc_npy_read_fd(fd, &back, &err);
    if (status == UFC_OK)
        status = check(((double *)back->dl_tensor.data)[1] == x[ROWS]);
    ufc_free(back);
    close(fd);
    return status;
}

/* Two simulated GPUs: a call that they share, and one of a part each. */
static ufc_status several(ufc_context *ctx) {
    ufc_properties p;
    TRY(ufc_context_properties(ctx, &p, &err));
    if (strncmp(p.name, "simul", 5) != 0)
        return UFC_OK;
    enum { EACH = 21 };
    ufc_context *two = NULL;
    double *x = doubles(N), y[N];
    int64_t n[] = {N}, half[] = {EACH};
    DLTensor a = view(x, UFC_FLOAT64, 1, n), r = view(y, UFC_FLOAT64, 1, n);
    DLTensor part[] = {view(x, UFC_FLOAT64, 1, half), view(x + EACH, UFC_FLOAT64, 1, half)};
    DLTensor to[] = {view(y, UFC_FLOAT64, 1, half), view(y + EACH, UFC_FLOAT64, 1, half)};
    ufc_arg in[] = {ufc_array(&part[0]), ufc_float(2), ufc_array(&part[1]), ufc_float(2)};
    ufc_out out[] = {ufc_into(&to[0]), ufc_into(&to[1])};
    TRY(ufc_context_new(&two, "sim:0,1", 1, &err));
    for (int k = 0; k < 2; k++)
        part[k].device = to[k].device = (DLDevice){kDLCPU, 0};
    ufc_status status =
        allocations_plus(two, NULL, ufc_array(&a), ufc_float(1), ufc_into(&r), &err);
    if (status == UFC_OK)
        status = check(y[0] == 1 && y[N - 1] == x[N - 1] + 1);
    if (status == UFC_OK)
        status = ufc_call_shards(two, NULL, plus, in, out, NULL, &err);
    if (status == UFC_OK)
        status = check(y[0] == 2 && y[N - 1] == x[N - 1] + 2);
    ufc_context_free(two);
    return status;
}

int cuMemAlloc_v2(unsigned long long *memory, size_t size);
int cuMemFree_v2(unsigned long long memory);

static int64_t held; /* bytes of the program's allocator */

static ufc_status allocate(void *user, size_t bytes, void *stream, void **memory, ufc_error *why) {
    (void)user, (void)stream;
    int status = cuMemAlloc_v2((unsigned long long *)memory, bytes);
    if (status != 0)
        snprintf(why->message, sizeof why->message, "the program's own has none");
    held += status == 0 ? (int64_t)bytes : 0;
    return status == 0 ? UFC_OK : UFC_ENOMEM;
}

static void release(void *user, void *memory, size_t bytes, void *stream) {
    (void)user, (void)stream;
    held -= (int64_t)bytes;
    void *primary, *popped;
    /* Where that call is the one to fail, the next one is not; where the library could not enter
     * the GPU's context, no context is current. */
    if (cuMemFree_v2((uintptr_t)memory) == 0 || cuMemFree_v2((uintptr_t)memory) == 0)
        return;
    if (cuDevicePrimaryCtxRetain(&primary, 0) == 0 && cuCtxPushCurrent_v2(primary) == 0) {
        (void)cuMemFree_v2((uintptr_t)memory);
        (void)cuCtxPopCurrent_v2(&popped);
    }
}

/* What a call makes is the program's memory, all of which comes back. */
static ufc_status allocator(ufc_context *ctx) {
    static const ufc_allocator own = {allocate, release, NULL};
    ufc_properties p;
    TRY(ufc_context_properties(ctx, &p, &err));
    if (p.device.device_type != kDLCUDA)
        return UFC_OK;
    DLManagedTensorVersioned *x = NULL, *y = NULL;
    DLTensor a = view(doubles(N), UFC_FLOAT64, 2, matrix);
    ufc_status status = ufc_set_allocator(ctx, &own, &err);
    if (status == UFC_OK)
        status = ufc_to_device(ctx, NULL, &a, &x, &err);
    if (status == UFC_OK)
        status = allocations_running(ctx, NULL, ufc_array(&x->dl_tensor), ufc_new(&y), &err);
    if (status == UFC_OK)
        status = check(held >= 2 * N * (int64_t)sizeof(double));
    ufc_free(y);
    ufc_free(x);
    (void)ufc_set_allocator(ctx, NULL, NULL);
    return held == 0 ? status : check(false);
}

static const struct job jobs[] = {
    {"inner loop", inner_loop},   {"plans", plan_in},   {"explanations", explanations},
    {"descriptors", descriptors}, {"several", several}, {"allocator", allocator},
};

int main(int argc, char **argv) {
    fakecuda_register(&allocations_plus_ufunc);
    fakecuda_register(&allocations_dot_ufunc);
    fakecuda_register(&allocations_running_ufunc);
    fail_jobs(jobs, sizeof jobs / sizeof *jobs, argc, argv);
    return test_failures > 0;
}
