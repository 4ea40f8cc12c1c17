/* gpu_plans.c: plans of gufuncs and methods give the bits of the calls, on the arrays that they
 * were planned on and on others, in their own workspace and in the caller's, on the host, in the
 * simulator and on a GPU, there in a graph too.  On a GPU and on the fake driver. */
#include <dlfcn.h>
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "checks.h"
#include "plans.h"
#include "ufc.h"

enum { MAX = 1 << 18, ARRAYS = 4 };

static ufc_context *ctx;
static ufc_error err;
static DLManagedTensorVersioned *memory[2 * ARRAYS], *room;
static double host[MAX], back[2][MAX];
static const int64_t all[] = {MAX + 8};

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("no '%s' in: %s\n", words, err.message);
    return false;
}

static bool fine(ufc_status status) {
    if (status != UFC_OK)
        printf("%s\n", err.message);
    return status == UFC_OK;
}

static void fill(int array, ufc_type type) {
    int64_t n[] = {MAX};
    for (int i = 0; i < MAX; i++) {
        double v = (double)(int)(random_bits((uint64_t)array, (uint64_t)i) % 2001) - 1000;
        if (type == UFC_FLOAT64)
            host[i] = v / 8;
        else if (type == UFC_FLOAT32)
            ((float *)host)[i] = (float)(v / 8);
        else if (type == UFC_INT32)
            ((int32_t *)host)[i] = (int32_t)v;
        else
            ((bool *)host)[i] = v > 0;
    }
    DLTensor from = ufc_host_array(host, ufc_dltype(type), 1, n), to = memory[array]->dl_tensor;
    to.dtype = from.dtype;
    to.shape = n;
    to.strides = NULL;
    REQUIRE(fine(ufc_copy(ctx, NULL, &from, &to, &err)));
}

static void fetch(int array, double *into) {
    int64_t n[] = {MAX};
    DLTensor to = ufc_host_array(into, ufc_dltype(UFC_FLOAT64), 1, n),
             from = memory[array]->dl_tensor;
    from.shape = n;
    from.strides = NULL;
    REQUIRE(fine(ufc_copy(ctx, NULL, &from, &to, &err)));
}

/* What is called: the arrays, the output last but for a mask. */
struct job {
    const char *name;
    const ufc_ufunc *ufunc;
    const char *method; /* NULL: a call */
    int n, out;         /* arrays; which of them is the output */
    struct view {
        ufc_type type;
        int ndim;
        int64_t shape[3], strides[3]; /* strides[0] 0: in C order */
    } view[ARRAYS];
    bool all_axes, in_place;
};

static const struct job jobs[] = {
    {"product",
     &plans_product_ufunc,
     NULL,
     3,
     2,
     {{UFC_FLOAT64, 3, {20, 30, 40}, {0}},
      {UFC_FLOAT64, 2, {40, 50}, {0}},
      {UFC_FLOAT64, 3, {20, 30, 50}, {0}}},
     false,
     false},
    {"large product",
     &plans_product_ufunc,
     NULL,
     3,
     2,
     {{UFC_FLOAT32, 2, {100, 300}, {0}},
      {UFC_FLOAT32, 2, {300, 120}, {1, 300, 0}},
      {UFC_FLOAT32, 2, {100, 120}, {0}}},
     false,
     false},
    {"converted",
     &plans_product_ufunc,
     NULL,
     3,
     2,
     {{UFC_FLOAT32, 2, {10, 20}, {0}},
      {UFC_FLOAT64, 2, {20, 30}, {0}},
      {UFC_FLOAT32, 2, {10, 30}, {0}}},
     false,
     false},
    {"running",
     &plans_running_ufunc,
     NULL,
     2,
     1,
     {{UFC_FLOAT64, 2, {300, 50}, {0}}, {UFC_FLOAT64, 2, {300, 50}, {0}}},
     false,
     false},
    {"long running",
     &plans_running_ufunc,
     NULL,
     2,
     1,
     {{UFC_FLOAT64, 1, {20000}, {0}}, {UFC_FLOAT64, 1, {20000}, {0}}},
     false,
     false},
    {"soft",
     &plans_soft_ufunc,
     NULL,
     3,
     2,
     {{UFC_FLOAT64, 2, {70, 90}, {0}},
      {UFC_FLOAT64, 1, {70}, {0}},
      {UFC_FLOAT64, 2, {70, 90}, {0}}},
     false,
     false},
    {"backward",
     &plans_running_ufunc,
     NULL,
     2,
     1,
     {{UFC_FLOAT64, 2, {30, 50}, {-50, 1}}, {UFC_FLOAT64, 2, {30, 50}, {1, 30}}},
     false,
     false},
    {"reduce",
     &plans_plus_ufunc,
     "reduce",
     2,
     1,
     {{UFC_FLOAT64, 2, {300, 200}, {0}}, {UFC_FLOAT64, 1, {200}, {0}}},
     false,
     false},
    {"long reduce",
     &plans_plus_ufunc,
     "reduce",
     2,
     1,
     {{UFC_FLOAT32, 1, {200000}, {0}}, {UFC_FLOAT32, 0, {0}, {0}}},
     false,
     false},
    {"whole reduce",
     &plans_plus_ufunc,
     "reduce",
     2,
     1,
     {{UFC_FLOAT64, 3, {30, 20, 50}, {0}}, {UFC_FLOAT64, 0, {0}, {0}}},
     true,
     false},
    {"masked reduce",
     &plans_plus_ufunc,
     "reduce",
     3,
     1,
     {{UFC_FLOAT64, 2, {300, 200}, {0}},
      {UFC_FLOAT64, 1, {200}, {0}},
      {UFC_BOOL, 2, {300, 200}, {0}}},
     false,
     false},
    {"accumulate",
     &plans_plus_ufunc,
     "accumulate",
     2,
     1,
     {{UFC_INT32, 1, {50000}, {0}}, {UFC_INT32, 1, {50000}, {0}}},
     false,
     false},
    {"accumulate in place",
     &plans_plus_ufunc,
     "accumulate",
     2,
     1,
     {{UFC_INT32, 2, {500, 30}, {0}}, {UFC_INT32, 2, {500, 30}, {0}}},
     false,
     true},
    {"reduceat",
     &plans_plus_ufunc,
     "reduceat",
     2,
     1,
     {{UFC_FLOAT64, 2, {100, 20}, {0}}, {UFC_FLOAT64, 2, {3, 20}, {0}}},
     false,
     false},
};

enum { JOBS = sizeof jobs / sizeof jobs[0] };

/* The job's array k, in the memory of a set; `at` elements from its begin. */
static DLTensor array(const struct job *j, int k, int set, int at) {
    const struct view *v = &j->view[k];
    DLTensor t = memory[set * ARRAYS + (j->in_place && k == 1 ? 0 : k)]->dl_tensor;
    t.dtype = ufc_dltype(v->type);
    t.ndim = v->ndim;
    t.shape = (int64_t *)(uintptr_t)v->shape;
    t.strides = v->strides[0] ? (int64_t *)(uintptr_t)v->strides : NULL;
    int64_t first = v->strides[0] < 0 ? -v->strides[0] * (v->shape[0] - 1) : 0;
    t.byte_offset = (uint64_t)(first + at) * t.dtype.bits / 8;
    return t;
}

static int64_t starts[] = {0, 40, 41};

/* Makes a plan of the job on the arrays of a set, or calls it. */
static ufc_status run(const struct job *j, int set, int at, ufc_plan **plan) {
    DLTensor t[ARRAYS], indices = ufc_host_array(starts, ufc_dltype(UFC_INT64), 1, &(int64_t){3});
    ufc_arg in[ARRAYS];
    for (int k = 0; k < j->n; k++) {
        t[k] = array(j, k, set, at);
        in[k] = ufc_array(&t[k]);
    }
    ufc_out out = ufc_into(&t[j->out]);
    ufc_keywords kw = {.where = j->n > 2 && j->method ? &t[2] : NULL, .all_axes = j->all_axes};
    const ufc_ufunc *f = j->ufunc;
    if (!j->method)
        return plan ? ufc_plan_new(plan, ctx, NULL, f, in, &out, NULL, &err)
                    : ufc_call(ctx, NULL, f, in, &out, &err);
    if (strcmp(j->method, "reduce") == 0)
        return plan ? ufc_plan_reduce(plan, ctx, NULL, f, in[0], out, &kw, &err)
                    : ufc_reduce(ctx, NULL, f, in[0], out, &kw, &err);
    if (strcmp(j->method, "accumulate") == 0)
        return plan ? ufc_plan_accumulate(plan, ctx, NULL, f, in[0], out, NULL, &err)
                    : ufc_accumulate(ctx, NULL, f, in[0], out, NULL, &err);
    return plan ? ufc_plan_reduceat(plan, ctx, NULL, f, in[0], &indices, out, NULL, &err)
                : ufc_reduceat(ctx, NULL, f, in[0], &indices, out, NULL, &err);
}

static void fill_all(const struct job *j) {
    for (int k = 0; k < 2 * ARRAYS; k++)
        fill(k, k % ARRAYS < j->n ? j->view[k % ARRAYS].type : UFC_FLOAT64);
}

static void *data_of(const struct job *j, int k, int set, int at) {
    DLTensor t = array(j, k, set, at);
    return (char *)t.data + t.byte_offset;
}

/* The plan of set 0 is executed on a set's memory, `at` elements from its begin, and compared with
 * the call. */
static void compare(const struct job *j, const ufc_plan *plan, int set, int at, void *workspace) {
    void *data[ARRAYS];
    int out = set * ARRAYS + (j->in_place ? 0 : j->out);
    fill_all(j);
    CHECK(fine(run(j, set, at, NULL)));
    fetch(out, back[0]);
    fill_all(j);
    for (int k = 0; k < j->n; k++)
        data[k] = data_of(j, k, set, at);
    CHECK(fine(ufc_execute_in(plan, NULL, workspace, set || at ? data : NULL, &err)));
    fetch(out, back[1]);
    CHECK(memcmp(back[0], back[1], sizeof *back) == 0 || !printf("of %s\n", j->name));
}

static void plan_job(const struct job *j) {
    ufc_plan *plan = NULL;
    ufc_plan_description d;
    fill_all(j);
    if (!fine(run(j, 0, 0, &plan))) {
        CHECK(!printf("of %s\n", j->name));
        return;
    }
    int64_t bytes = ufc_plan_workspace(plan);
    CHECK(bytes >= 0 && bytes < 8 * MAX);
    CHECK(fine(ufc_plan_describe(plan, &d, &err)) && d.signature && d.temporaries >= bytes);
    compare(j, plan, 0, 0, NULL);
    compare(j, plan, 1, 0, NULL);
    compare(j, plan, 1, 1, NULL);
    compare(j, plan, 0, 0, room->dl_tensor.data);
    compare(j, plan, 1, 2, room->dl_tensor.data);
    if (bytes > 0)
        CHECK(ufc_execute_in(plan, NULL, (char *)room->dl_tensor.data + 8, NULL, &err) ==
                  UFC_EINVAL &&
              says("aligned to 256"));
    void *data[ARRAYS] = {NULL};
    CHECK(ufc_execute(plan, NULL, data, &err) == UFC_EINVAL && says("is NULL"));
    for (int k = 0; k < j->n; k++)
        data[k] = data_of(j, k, 0, 0);
    if (!j->in_place)
        data[j->out] = (char *)data[0] + 8;
    else
        data[1] = (char *)data[0] + 4;
    CHECK(ufc_execute(plan, NULL, data, &err) == UFC_EINVAL && says("overlap"));
    data[j->out] = (char *)data_of(j, j->out, 1, 0) + 1;
    CHECK(ufc_execute(plan, NULL, data, &err) == UFC_EINVAL && says("is not aligned"));
    ufc_plan_free(plan);
}

static void new_results(void) {
    DLManagedTensorVersioned *made = NULL;
    ufc_plan *plan;
    const struct job *j = &jobs[0];
    DLTensor a = array(j, 0, 0, 0), b = array(j, 1, 0, 0);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_out out = ufc_new(&made);
    CHECK(fine(ufc_plan_new(&plan, ctx, NULL, j->ufunc, in, &out, NULL, &err)) && made &&
          made->dl_tensor.ndim == 3 && made->dl_tensor.shape[2] == 50);
    CHECK(fine(ufc_execute(plan, NULL, NULL, &err)));
    ufc_plan_free(plan);
    ufc_free(made);
    made = NULL;
    CHECK(fine(ufc_plan_reduce(&plan, ctx, NULL, &plans_plus_ufunc, in[0], out, NULL, &err)) &&
          made && made->dl_tensor.ndim == 2);
    CHECK(fine(ufc_execute(plan, NULL, NULL, &err)));
    ufc_plan_free(plan);
    ufc_free(made);
}

static void refused(void) {
    const struct job *j = &jobs[0];
    int64_t none[] = {0, 5};
    ufc_plan *plan = NULL;
    DLManagedTensorVersioned *made = NULL;
    DLTensor a = array(j, 0, 0, 0), b = a;
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_out out = ufc_new(&made);
    CHECK(ufc_plan_new(&plan, ctx, NULL, j->ufunc, in, &out, NULL, &err) == UFC_ESHAPE && !plan &&
          !made && says("product: "));
    CHECK(ufc_plan_reduce(&plan, ctx, NULL, j->ufunc, in[0], out, NULL, &err) == UFC_EINVAL &&
          says("has no methods"));
    CHECK(ufc_plan_reduce(NULL, ctx, NULL, &plans_plus_ufunc, in[0], out, NULL, &err) ==
          UFC_EINVAL);
    CHECK(ufc_plan_reduce(&plan, ctx, NULL, &plans_plus_ufunc, ufc_float(1), out,
                          &(ufc_keywords){.all_axes = true}, &err) == UFC_EINVAL &&
          says("is a number"));
    a.ndim = 2;
    a.shape = none;
    a.strides = NULL;
    CHECK(ufc_plan_reduce(&plan, ctx, NULL, &plans_plus_ufunc, in[0], out, NULL, &err) ==
              UFC_EINVAL &&
          says("nothing is reduced") && !made);
    int64_t size[] = {100};
    if (memory[0]->dl_tensor.device.device_type == kDLCPU)
        return;
    DLTensor here = ufc_host_array(host, ufc_dltype(UFC_FLOAT64), 1, size);
    CHECK(ufc_plan_reduce(&plan, ctx, NULL, &plans_plus_ufunc, ufc_array(&here), out, NULL, &err) ==
              UFC_EDEVICE &&
          says("'array' is on the host") && !made);
    in[0] = ufc_array(&here);
    CHECK(ufc_plan_new(&plan, ctx, NULL, &plans_running_ufunc, in, &out, NULL, &err) ==
              UFC_EDEVICE &&
          says("'x' is on the host") && !made);
}

/* A build with checks: what an execution finds is its error. */
static void checked(void) {
    int64_t rows[] = {3, 4}, line[] = {1000};
    DLTensor x = memory[0]->dl_tensor, y = memory[1]->dl_tensor;
    ufc_arg in = ufc_array(&x);
    ufc_out out = ufc_into(&y);
    ufc_plan *plan;
    fill(0, UFC_FLOAT64);
    x.ndim = y.ndim = 2;
    x.shape = y.shape = rows;
    x.strides = y.strides = NULL;
    REQUIRE(fine(ufc_plan_new(&plan, ctx, NULL, &checks_edges_ufunc, &in, &out, NULL, &err)));
    CHECK(fine(ufc_execute(plan, NULL, NULL, &err)));
    fetch(1, back[0]);
    CHECK(back[0][0] == host[0] && back[0][11] == host[11]);
    ufc_plan_free(plan);
    static int64_t numbers[MAX];
    DLTensor from = ufc_host_array(numbers, ufc_dltype(UFC_INT64), 1, line), sum = y;
    sum.dtype = x.dtype = from.dtype;
    sum.ndim = 0;
    x.ndim = 1;
    x.shape = line;
    numbers[500] = 0;
    REQUIRE(fine(ufc_copy(ctx, NULL, &from, &x, &err)));
    REQUIRE(
        fine(ufc_plan_reduce(&plan, ctx, NULL, &checks_add_ufunc, in, ufc_into(&sum), NULL, &err)));
    CHECK(fine(ufc_execute(plan, NULL, NULL, &err)));
    numbers[500] = 1000;
    REQUIRE(fine(ufc_copy(ctx, NULL, &from, &x, &err)));
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_EINVAL && says("out of range for size 4"));
    ufc_plan_free(plan);
}

static void *symbol(const char *name) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

/* Each job in a graph of its own, which is launched twice. */
static void in_graphs(void) {
    int (*create)(void **stream, unsigned flags) = NULL, (*begin)(void *stream, int mode) = NULL,
                                          (*end)(void *stream, void **graph) = NULL,
                                          (*instantiate)(void **exec, void *graph,
                                                         unsigned long long flags) = NULL,
                                          (*launch)(void *exec, void *stream) = NULL,
                                          (*retain)(void **context, int device) = NULL,
                                          (*set)(void *context) = NULL;
    *(void **)&create = symbol("cuStreamCreate");
    *(void **)&begin = symbol("cuStreamBeginCapture_v2");
    *(void **)&end = symbol("cuStreamEndCapture");
    *(void **)&instantiate = symbol("cuGraphInstantiateWithFlags");
    *(void **)&launch = symbol("cuGraphLaunch");
    *(void **)&retain = symbol("cuDevicePrimaryCtxRetain");
    *(void **)&set = symbol("cuCtxSetCurrent");
    void *context, *stream, *graph, *exec;
    if (!begin || !end || !instantiate || !launch) /* the fake driver */
        return;
    REQUIRE(retain(&context, 0) == 0 && set(context) == 0 && create(&stream, 1) == 0);
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &jobs[i];
        ufc_plan *plan = NULL;
        fill_all(j);
        REQUIRE(fine(run(j, 0, 0, &plan)));
        CHECK(fine(run(j, 0, 0, NULL)));
        fetch(j->in_place ? 0 : j->out, back[0]);
        fill_all(j);
        CHECK(begin(stream, 0) == 0);
        CHECK(fine(ufc_execute(plan, stream, NULL, &err)));
        CHECK(end(stream, &graph) == 0 && instantiate(&exec, graph, 0) == 0);
        for (int again = 0; again < 2 - j->in_place; again++)
            CHECK(launch(exec, stream) == 0);
        CHECK(fine(ufc_synchronize(ctx, stream, &err)));
        fetch(j->in_place ? 0 : j->out, back[1]);
        CHECK(memcmp(back[0], back[1], sizeof *back) == 0 || !printf("graph of %s\n", j->name));
        ufc_plan_free(plan);
    }
}

static void on_device(const char *device) {
    REQUIRE(fine(ufc_context_new(&ctx, device, 0, &err)));
    for (int i = 0; i < 2 * ARRAYS; i++)
        REQUIRE(fine(ufc_empty(ctx, UFC_FLOAT64, 1, all, UFC_DEVICE, &memory[i], &err)));
    REQUIRE(fine(ufc_empty(ctx, UFC_FLOAT64, 1, all, UFC_DEVICE, &room, &err)));
    for (int i = 0; i < JOBS; i++)
        plan_job(&jobs[i]);
    new_results();
    refused();
    checked();
    if (strcmp(device, "cuda") == 0)
        in_graphs();
    for (int i = 0; i < 2 * ARRAYS; i++)
        ufc_free(memory[i]);
    ufc_free(room);
    ufc_context_free(ctx);
}

int main(void) {
    make_known(&plans_product_ufunc);
    make_known(&plans_running_ufunc);
    make_known(&plans_soft_ufunc);
    make_known(&plans_plus_ufunc);
    make_known(&checks_edges_ufunc);
    make_known(&checks_add_ufunc);
    on_device("cpu");
    on_device("sim");
    if (ufc_context_new(&ctx, "cuda", 0, &err) != UFC_OK)
        return test_failures ? 1 : (printf("%s\n", err.message), SKIPPED);
    ufc_context_free(ctx);
    on_device("cuda");
    return test_failures > 0;
}
