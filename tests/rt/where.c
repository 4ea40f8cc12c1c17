/* where.c: where calls run, and what is told where they cannot.  On the fake driver. */
#include <string.h>
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
static const ufc_ufunc host_only = {.version = UFC_KABI_VERSION,
                                    .nin = 1,
                                    .nout = 1,
                                    .noverloads = 1,
                                    .name = "host_only",
                                    .params = (const char *const[]){"x", "out"},
                                    .overloads = &host_overload};

/* Calls it on two floats, which are 2 and 3 afterwards. */
static ufc_status call_host_only(ufc_context *ctx, float result[2]) {
    float data[] = {1, 2};
    int64_t shape[] = {2};
    DLTensor x = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, shape), y = x;
    y.data = result;
    return ufc_call(ctx, NULL, &host_only, &(ufc_arg){.as.array = &x}, &(ufc_out){.array = &y},
                    &err);
}

static void without_gpu_code(ufc_context *gpu) {
    float result[2] = {0};
    CHECK(call_host_only(gpu, result) == UFC_EDEVICE && says("no code for GPUs"));
}

int main(void) {
    ufc_context *gpu;
    fakecuda_register(&kernels_add_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    without_gpu_code(gpu);
    ufc_context_free(gpu);
    return test_failures > 0;
}
