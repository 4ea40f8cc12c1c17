/* gpu_plan.c: plans executed on a GPU: on other memory, without allocations or waiting, in a graph
 * where the driver has them. */
#include <dlfcn.h>
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { ROWS = 33, COLUMNS = 40, N = ROWS * COLUMNS, ROOM = N + 8 };

static ufc_context *gpu;
static ufc_error err;
static int64_t matrix[] = {ROWS, COLUMNS}, row[] = {COLUMNS}, line[] = {ROOM};

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("the message is: %s\n", err.message);
    return false;
}

static DLManagedTensorVersioned *new_line(float first) {
    static float host[ROOM];
    DLManagedTensorVersioned *array;
    DLTensor from = ufc_host_array(host, ufc_dltype(UFC_FLOAT32), 1, line);
    for (int i = 0; i < ROOM; i++)
        host[i] = first + (float)i;
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, line, UFC_DEVICE, &array, &err) == UFC_OK);
    REQUIRE(ufc_copy(gpu, NULL, &from, &array->dl_tensor, &err) == UFC_OK);
    return array;
}

static float *data_of(const DLManagedTensorVersioned *a, int64_t offset) {
    return (float *)a->dl_tensor.data + offset;
}

static DLTensor view(const DLManagedTensorVersioned *a, int ndim, int64_t *shape) {
    DLTensor t = a->dl_tensor;
    t.ndim = ndim;
    t.shape = shape;
    t.strides = NULL;
    return t;
}

/* Is the array, from `offset` on, x + y of what new_line(a) and new_line(b) hold? */
static void check_sums(const DLManagedTensorVersioned *z, int64_t offset, float a, float b,
                       bool by_row) {
    static float host[ROOM];
    DLTensor to = ufc_host_array(host, ufc_dltype(UFC_FLOAT32), 1, line);
    REQUIRE(ufc_copy(gpu, NULL, &z->dl_tensor, &to, &err) == UFC_OK);
    for (int i = 0; i < N; i++) {
        float wanted = a + (float)i + b + (float)(by_row ? i % COLUMNS : i);
        if (host[offset + i] != wanted) {
            printf("element %d is %g, not %g\n", i, (double)host[offset + i], (double)wanted);
            test_failures++;
            return;
        }
    }
}

static ufc_plan *plan_sums(const DLTensor *x, const DLTensor *y, const DLTensor *z) {
    ufc_plan *plan = NULL;
    ufc_arg in[] = {ufc_array(x), ufc_array(y)};
    ufc_out out = ufc_into(z);
    ufc_status status = ufc_plan_new(&plan, gpu, NULL, &kernels_add_ufunc, in, &out, NULL, &err);
    CHECK(status == UFC_OK || says("no error"));
    return plan;
}

static void other_memory(void) {
    DLManagedTensorVersioned *a = new_line(0), *b = new_line(100), *c = new_line(0);
    DLTensor x = view(a, 2, matrix), y = view(b, 1, row), z = view(c, 2, matrix);
    ufc_plan *plan = plan_sums(&x, &y, &z);
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK);
    check_sums(c, 0, 0, 100, true);
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(b, 0), data_of(a, 0), data_of(c, 0)}, &err) ==
          UFC_OK);
    check_sums(c, 0, 100, 0, true);
    /* of other alignment */
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(a, 1), data_of(b, 2), data_of(c, 3)}, &err) ==
          UFC_OK);
    check_sums(c, 3, 1, 102, true);
    /* in place, and beside itself */
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(a, 0), data_of(b, 0), data_of(a, 0)}, &err) ==
          UFC_OK);
    check_sums(a, 0, 0, 100, true);
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(a, 0), data_of(b, 0), data_of(a, 1)}, &err) ==
              UFC_EINVAL &&
          says("'x' overlaps"));
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(a, 0), NULL, data_of(c, 0)}, &err) ==
              UFC_EINVAL &&
          says("'y' is NULL"));
    CHECK(ufc_execute(plan, NULL,
                      (void *[]){data_of(a, 0), (char *)data_of(b, 0) + 2, data_of(c, 0)},
                      &err) == UFC_EINVAL &&
          says("'y' is not aligned"));
    ufc_plan_free(plan);
    /* planned on arrays that overlap, for others */
    DLTensor beside = x;
    beside.byte_offset += sizeof(float);
    plan = plan_sums(&x, &y, &beside);
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_EINVAL && says("'x' overlaps"));
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(b, 0), data_of(a, 1), data_of(c, 0)}, &err) ==
          UFC_OK);
    ufc_plan_free(plan);
    ufc_free(a);
    ufc_free(b);
    ufc_free(c);
}

static void numbers(void) {
    float five = 5;
    int64_t one[] = {1};
    DLManagedTensorVersioned *a = new_line(0), *c = new_line(0);
    DLTensor x = view(a, 2, matrix), z = view(c, 2, matrix);
    DLTensor y = ufc_host_array(&five, ufc_dltype(UFC_FLOAT32), 0, one);
    ufc_plan *plan = plan_sums(&x, &y, &z);
    five = 6; /* it was read */
    CHECK(ufc_execute(plan, NULL, (void *[]){data_of(a, 0), NULL, data_of(c, 0)}, &err) == UFC_OK);
    ufc_plan_description d;
    CHECK(ufc_plan_describe(plan, &d, &err) == UFC_OK && strcmp(d.kernel, "vector") == 0 &&
          d.ndim == 1 && d.shape[0] == N && d.bytes == 8 * N && d.launches == 1 &&
          strcmp(d.signature, "float32(float32, float32)") == 0 && !*d.why);
    ufc_plan_free(plan);
    float last;
    DLTensor end = view(c, 1, one), to = ufc_host_array(&last, ufc_dltype(UFC_FLOAT32), 1, one);
    end.byte_offset = sizeof(float) * (N - 1);
    CHECK(ufc_copy(gpu, NULL, &end, &to, &err) == UFC_OK && last == N - 1 + 5);
    ufc_free(a);
    ufc_free(c);
}

static void no_elements(void) {
    int64_t none[] = {0, COLUMNS};
    DLManagedTensorVersioned *a = new_line(0);
    DLTensor x = view(a, 2, none), z = x;
    ufc_plan *plan = plan_sums(&x, &x, &z);
    CHECK(ufc_execute(plan, NULL, (void *[]){NULL, NULL, NULL}, &err) == UFC_OK);
    ufc_plan_free(plan);
    ufc_free(a);
}

static void refused(void) {
    static float host[N];
    DLManagedTensorVersioned *a = new_line(0), *made;
    DLTensor x = view(a, 2, matrix), on_host = ufc_host_array(host, x.dtype, 2, matrix);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&on_host)};
    ufc_out out = ufc_into(&x), new_one = ufc_new(&made);
    ufc_plan *plan;
    CHECK(ufc_plan_new(&plan, gpu, NULL, &kernels_add_ufunc, in, &out, NULL, &err) == UFC_EDEVICE &&
          !plan && says("'y' is on the host"));
    in[1] = ufc_float(1);
    CHECK(ufc_plan_new(&plan, gpu, NULL, &kernels_add_ufunc, in, &new_one, NULL, &err) == UFC_OK &&
          made && made->dl_tensor.device.device_type == kDLCUDA);
    ufc_free(made);
    ufc_plan_free(plan);
    ufc_plan_free(NULL);
    ufc_free(a);
}

/* ---- a graph of three executions, launched twice: z = y + x + x + x each time */

static void *symbol(const char *name) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

// ufc's context is the device's primary one: current here too, as in a program that uses the CUDA
// runtime.
static bool make_current(void) {
    int (*retain)(void **context, int device) = NULL, (*set)(void *context) = NULL;
    *(void **)&retain = symbol("cuDevicePrimaryCtxRetain");
    *(void **)&set = symbol("cuCtxSetCurrent");
    void *context;
    return retain && set && retain(&context, 0) == 0 && set(context) == 0;
}

static void in_a_graph(void) {
    int (*create)(void **stream, unsigned flags) = NULL, (*begin)(void *stream, int mode) = NULL,
                                          (*end)(void *stream, void **graph) = NULL,
                                          (*instantiate)(void **exec, void *graph,
                                                         unsigned long long flags) = NULL,
                                          (*launch)(void *exec, void *stream) = NULL;
    *(void **)&create = symbol("cuStreamCreate");
    *(void **)&begin = symbol("cuStreamBeginCapture_v2");
    *(void **)&end = symbol("cuStreamEndCapture");
    *(void **)&instantiate = symbol("cuGraphInstantiateWithFlags");
    *(void **)&launch = symbol("cuGraphLaunch");
    if (!create || !begin || !end || !instantiate || !launch) // the fake driver
        return;
    REQUIRE(make_current());
    void *stream, *graph, *exec;
    DLManagedTensorVersioned *a = new_line(0), *c = new_line(7);
    DLTensor x = view(a, 2, matrix), z = view(c, 2, matrix);
    ufc_plan *plan = plan_sums(&x, &z, &z);
    REQUIRE(create(&stream, 1) == 0 && begin(stream, 0) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(ufc_execute(plan, stream, NULL, &err) == UFC_OK);
    REQUIRE(end(stream, &graph) == 0 && instantiate(&exec, graph, 0) == 0);
    CHECK(launch(exec, stream) == 0 && launch(exec, stream) == 0);
    CHECK(ufc_synchronize(gpu, stream, &err) == UFC_OK);
    float last;
    int64_t one[] = {1};
    DLTensor at = view(c, 1, one), to = ufc_host_array(&last, ufc_dltype(UFC_FLOAT32), 1, one);
    at.byte_offset = sizeof(float) * (N - 1);
    CHECK(ufc_copy(gpu, NULL, &at, &to, &err) == UFC_OK && last == 7 + 7 * (N - 1));
    ufc_plan_free(plan);
    ufc_free(a);
    ufc_free(c);
}

int main(void) {
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK)
        return printf("%s\n", err.message), SKIPPED;
    make_known(&kernels_add_ufunc);
    other_memory();
    numbers();
    no_elements();
    refused();
    in_a_graph();
    ufc_context_free(gpu);
    return test_failures != 0;
}
