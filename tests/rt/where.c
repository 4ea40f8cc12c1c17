/* where.c: where calls run, and what is told where they cannot.  On the fake driver. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

static ufc_error err;

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("the message is: %s\n", err.message);
    return false;
}

/* ---- an object without code for GPUs */

static void add_one(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    (void)data;
    for (intptr_t i = 0; i < dimensions[0]; i++)
        *(float *)(args[1] + i * steps[1]) = *(float *)(args[0] + i * steps[0]) + 1;
}

static const struct ufc_overload host_overload = {.dtypes = (uint8_t[]){DT_FLOAT32, DT_FLOAT32},
                                                  .signature = "float32(float32)",
                                                  .host = {add_one}};
static const ufc_ufunc host_only = {.version = UFC_IMAGE_ABI_VERSION,
                                    .nin = 1,
                                    .nout = 1,
                                    .noverloads = 1,
                                    .name = "host_only",
                                    .params = (const char *const[]){"x", "out"},
                                    .overloads = &host_overload};

/* A ufunc that no driver runs: its name is not registered. */
static struct ufc_overload gpu_overload;
static const ufc_ufunc for_gpus = {.version = UFC_IMAGE_ABI_VERSION,
                                   .nin = 1,
                                   .nout = 1,
                                   .noverloads = 1,
                                   .name = "for_gpus",
                                   .params = (const char *const[]){"x", "out"},
                                   .overloads = &gpu_overload};

/* A stream of whichever GPU it is: calls on host arrays that name one do not go to the host. */
static void *const per_thread = (void *)2;

static ufc_status call_ufunc(ufc_context *ctx, const ufc_ufunc *ufunc, float result[2]) {
    float data[] = {1, 2};
    int64_t shape[] = {2};
    DLTensor x = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape), y = x;
    y.data = result;
    return ufc_call(ctx, per_thread, ufunc, &(ufc_arg){.as.array = &x}, &(ufc_out){.array = &y},
                    &err);
}

/* Nor are there methods of such an object, and that is told. */
static void without_gpu_methods(void) {
    const struct ufc_overload pair = {.dtypes = (uint8_t[]){DT_FLOAT32, DT_FLOAT32, DT_FLOAT32},
                                      .signature = "float32(float32, float32)",
                                      .host = {add_one}};
    const ufc_ufunc host_pair = {.version = UFC_IMAGE_ABI_VERSION,
                                 .nin = 2,
                                 .nout = 1,
                                 .noverloads = 1,
                                 .name = "host_pair",
                                 .params = (const char *const[]){"x", "y", "out"},
                                 .overloads = &pair};
    static const char *const devices[] = {"sim", "cuda"};
    float data[] = {1, 2};
    int64_t shape[] = {2};
    DLTensor array = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape);
    ufc_arg x = ufc_array(&array);
    for (int i = 0; i < 2; i++) {
        ufc_context *ctx;
        DLManagedTensorVersioned *made;
        ufc_plan_description d;
        REQUIRE(ufc_context_new(&ctx, devices[i], 0, &err) == UFC_OK);
        CHECK(ufc_reduce(ctx, NULL, &host_pair, x, ufc_new(&made), NULL, &err) == UFC_EDEVICE &&
              says("code for GPUs"));
        CHECK(ufc_explain_reduce(ctx, NULL, &host_pair, x, ufc_new(&made), NULL, &d, &err) ==
                  UFC_EDEVICE &&
              says("code for GPUs"));
        ufc_context_free(ctx);
    }
}

/* Asked to run on a GPU, host code is an error; else it runs on the host. */
static void without_gpu_code(void) {
    ufc_context *gpu;
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    float result[2] = {0};
    CHECK(call_ufunc(gpu, &host_only, result) == UFC_EDEVICE && says("no code for GPUs"));
    CHECK(call_ufunc(NULL, &host_only, result) == UFC_OK && result[1] == 3);
    ufc_context_free(gpu);
}

static void on_an_old_gpu(void) {
    float result[2] = {0};
    ufc_context *gpu;
    setenv("FAKECUDA_CAPABILITY", "70", 1);
    gpu_overload = host_overload;
    gpu_overload.code[UFC_MODULE_PLAIN].ptx = "//";
    gpu_overload.ptx_sm = 75;
    CHECK(call_ufunc(NULL, &for_gpus, result) == UFC_OK && result[1] == 3);
    gpu_overload.ncubins = 1;
    gpu_overload.code[UFC_MODULE_PLAIN].cubins = &(struct ufc_cubin){.sm = 72};
    CHECK(call_ufunc(NULL, &for_gpus, result) == UFC_OK);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    CHECK(call_ufunc(gpu, &for_gpus, result) == UFC_EDEVICE && says("7.5") && says("7.0"));
    ufc_context_free(gpu);
}

static void on_a_gpu_that_does_not_open(void) {
    float result[2] = {0};
    ufc_properties p;
    ufc_context *ctx;
    setenv("FAKECUDA_FAIL", "cuDevicePrimaryCtxRetain:1", 1);
    CHECK(call_ufunc(NULL, &host_only, result) == UFC_OK && result[1] == 3);
    setenv("FAKECUDA_FAIL", "cuDevicePrimaryCtxRetain:2", 1);
    REQUIRE(ufc_context_new(&ctx, "auto", 0, &err) == UFC_OK);
    CHECK(ufc_context_properties(ctx, &p, &err) == UFC_OK && p.device.device_type == kDLCPU);
    setenv("FAKECUDA_FAIL", "cuDevicePrimaryCtxRetain:3", 1);
    ufc_context_free(ctx);
    CHECK(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_ENOMEM);
}

/* ---- with a default context */

static float five[] = {5};
static int64_t one[] = {1};

/* add(x, 5) into out, in the default context. */
static ufc_status add_five(void *stream, const DLTensor *x, const DLTensor *out) {
    return kernels_add(NULL, stream, ufc_array(x), ufc_float(5), ufc_into(out), &err);
}

static float add_on_host(void) {
    float sum = 0;
    DLTensor x = ufc_host_array(five, ufc_dltype(UFC_FLOAT32), 1, one), out = x;
    out.data = &sum;
    CHECK(add_five(per_thread, &x, &out) == UFC_OK || says("no error"));
    return sum;
}

static void child_calls(void) {
    const char *why;
    ufc_context *gpu = NULL;
    CHECK(add_on_host() == 10);
    CHECK(ufc_device_count(&why) == 0 && strstr(why, "fork"));
    CHECK(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_EDEVICE && says("fork"));
    CHECK(ufc_synchronize(NULL, NULL, &err) == UFC_OK);
}

static void in_a_child(void (*test)(void)) {
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        test();
        fflush(stdout);
        _exit(test_failures > 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void after_a_fork(void) {
    CHECK(add_on_host() == 10 && fakecuda_launches() == 1);
    in_a_child(child_calls);
    CHECK(add_on_host() == 10 && fakecuda_launches() == 2);
}

/* What the driver says is told with its function and the ufunc. */
static void driver_errors(void) {
    float sum;
    DLTensor x = ufc_host_array(five, ufc_dltype(UFC_FLOAT32), 1, one), out = x;
    out.data = &sum;
    setenv("FAKECUDA_FAIL", "cuLaunchKernelEx:1", 1);
    CHECK(add_five(per_thread, &x, &out) == UFC_ENOMEM);
    CHECK(says("add: cuLaunchKernelEx: CUDA_ERROR_OUT_OF_MEMORY (out of memory)"));
}

/* ---- memory pools */

static void without_pools(void) {
    static const char *const failing[] = {"cuMemPoolCreate:1", "cuMemPoolSetAttribute:1"};
    for (int i = 0; i < 2; i++) {
        ufc_context *gpu;
        float sum = 0;
        DLTensor x = ufc_host_array(five, ufc_dltype(UFC_FLOAT32), 1, one), out = x;
        out.data = &sum;
        setenv("FAKECUDA_FAIL", failing[i], 1);
        REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
        CHECK(kernels_add(gpu, NULL, ufc_array(&x), ufc_float(2), ufc_into(&out), &err) == UFC_OK &&
              sum == 7);
        ufc_context_free(gpu);
        CHECK(fakecuda_live() == 0 && fakecuda_calls("cuMemAllocFromPoolAsync") == 0);
    }
    CHECK(fakecuda_calls("cuMemPoolDestroy") == 1);
}

static void pools_are_bounded(void) {
    CHECK(add_on_host() == 10);
    CHECK(fakecuda_calls("cuMemAllocFromPoolAsync") > 0 &&
          fakecuda_kept() == 1 << 29); /* of 16 GiB */
}

/* ---- two GPUs */

int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuStreamCreate(void **stream, unsigned flags);

/* A stream of GPU 1. */
static void *new_stream(void) {
    void *context, *stream;
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 1) == 0 && cuCtxPushCurrent_v2(context) == 0);
    REQUIRE(cuStreamCreate(&stream, 1) == 0 && cuCtxPopCurrent_v2(&context) == 0);
    return stream;
}

static DLTensor new_array(const char *device) {
    ufc_context *gpu;
    DLManagedTensorVersioned *array;
    REQUIRE(ufc_context_new(&gpu, device, 0, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, one, UFC_DEVICE, &array, &err) == UFC_OK);
    *(float *)array->dl_tensor.data = 1; /* as the fake driver lets us */
    return array->dl_tensor;
}

static float value(DLTensor array) {
    return *(float *)array.data;
}

static void with_two_gpus(void) {
    setenv("FAKECUDA_DEVICES", "2", 1);
    void *stream = new_stream();
    DLTensor x = new_array("cuda:0"), y = new_array("cuda:1"), managed = y;
    managed.device = (DLDevice){kDLCUDAManaged, 0};

    CHECK(add_five(NULL, &x, &y) == UFC_EDEVICE && says("add: array 'x' is on GPU 0") &&
          says("'out' on GPU 1"));
    CHECK(add_five(NULL, &y, &y) == UFC_OK && value(y) == 1);
    CHECK(ufc_synchronize(NULL, NULL, &err) == UFC_OK && value(y) == 6);
    CHECK(add_five(stream, &y, &y) == UFC_OK && value(y) == 6);
    CHECK(ufc_synchronize(NULL, stream, &err) == UFC_OK && value(y) == 11);

    /* Managed memory goes to the others' GPU, else to the stream's. */
    CHECK(add_five(stream, &y, &managed) == UFC_OK && add_five(stream, &managed, &y) == UFC_OK);
    CHECK(ufc_synchronize(NULL, stream, &err) == UFC_OK && value(y) == 21);
    CHECK(add_five(stream, &managed, &managed) == UFC_OK || says("no error"));
    CHECK(ufc_synchronize(NULL, stream, &err) == UFC_OK && value(y) == 26);
    CHECK(add_five(NULL, &managed, &managed) == UFC_OK);
    CHECK(ufc_synchronize(NULL, NULL, &err) == UFC_OK && value(y) == 31);

    ufc_context *host;
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    CHECK(kernels_halve(host, NULL, ufc_array(&managed), ufc_into(&managed), &err) == UFC_EDEVICE &&
          says("'x' is in GPU memory, the context is of device 'cpu'"));
    ufc_context_free(host);
}

int main(void) {
    fakecuda_register(&kernels_add_ufunc);
    in_a_child(without_gpu_code);
    in_a_child(without_gpu_methods);
    in_a_child(on_an_old_gpu);
    in_a_child(on_a_gpu_that_does_not_open);
    in_a_child(after_a_fork);
    in_a_child(driver_errors);
    in_a_child(without_pools);
    in_a_child(pools_are_bounded);
    in_a_child(with_two_gpus);
    return test_failures > 0;
}
