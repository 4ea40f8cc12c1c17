/* allocate.c: new results in memory of the caller's: of ufuncs, gufuncs and methods; what of them
 * is refused, and who frees it. */
#include <string.h>

#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static const char source[] = "ufunc add(x, y) : float64(float64, float64) with identity 0 = x + y\n"
                             "ufunc both(x) : (float64, float64)(float64) { return x, -x }\n"
                             "gufunc odd(x[n]) -> y[n] : float64(float64)\n"
                             "{ y[2 * i + 1] = x[2 * i + 1] for i in 0..n // 2 }\n";

static ufc_error err;
static ufc_context *cpu;

/* How arrays are made. */
enum how { AS_ASKED, C_ORDER, SMALLER, NARROWER, WITH_GAPS, FAILING, NOTHING, SILENT };
static struct {
    enum how how;
    int made, freed, fails_at;
} caller;

struct own {
    DLManagedTensorVersioned tensor;
    int64_t shape[4], strides[4];
    double elements[256];
};

static void free_own(DLManagedTensorVersioned *tensor) {
    caller.freed++;
    free(tensor->manager_ctx);
}

static ufc_status allocate(void *user, const DLTensor *prototype, DLManagedTensorVersioned **array,
                           ufc_error *error) {
    CHECK(user == &caller && prototype->device.device_type == kDLCPU);
    if (caller.how == NOTHING)
        return UFC_OK;
    if (caller.how == SILENT)
        return UFC_ENOMEM;
    if (caller.how == FAILING && caller.made == caller.fails_at) {
        strcpy(error->message, "it is full");
        return UFC_ENOMEM;
    }
    struct own *own = calloc(1, sizeof *own);
    REQUIRE(own && prototype->ndim <= 4);
    for (int i = 0; i < 256; i++)
        own->elements[i] = 99;
    own->tensor.version = (DLPackVersion){1, 0};
    own->tensor.manager_ctx = own;
    own->tensor.deleter = free_own;
    own->tensor.dl_tensor = *prototype;
    own->tensor.dl_tensor.data = own->elements;
    own->tensor.dl_tensor.shape = own->shape;
    own->tensor.dl_tensor.strides = caller.how == C_ORDER ? NULL : own->strides;
    for (int i = 0; i < prototype->ndim; i++) {
        own->shape[i] = prototype->shape[i] - (caller.how == SMALLER);
        own->strides[i] = prototype->strides[i] * (caller.how == WITH_GAPS ? 2 : 1);
    }
    if (caller.how == NARROWER)
        own->tensor.dl_tensor.dtype = ufc_dltype(UFC_FLOAT32);
    caller.made++;
    *array = &own->tensor;
    return UFC_OK;
}

static double x[12];
static int64_t shape[] = {3, 4}, turned[] = {1, 3};
static const ufc_keywords keywords = {.allocate = allocate, .user = &caller};

static void begin(enum how how) {
    memset(&caller, 0, sizeof caller);
    caller.how = how;
}

/* A call of a function of x alone, or of x twice, with x in C order or not. */
static ufc_status call(const ufcc_program *program, const char *name, bool in_c_order,
                       DLManagedTensorVersioned *result[2]) {
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape);
    if (!in_c_order)
        in.strides = turned;
    ufc_arg args[] = {ufc_array(&in), ufc_array(&in)};
    ufc_out out[] = {ufc_new(&result[0]), ufc_new(&result[1])};
    return ufc_call_with(cpu, NULL, ufcc_function(program, name), args, out, &keywords, &err);
}

static void results(const ufcc_program *program, enum how how) {
    DLManagedTensorVersioned *result[2];
    begin(how);
    REQUIRE(call(program, "add", how == C_ORDER, result) == UFC_OK);
    const double *sums = result[0]->dl_tensor.data;
    for (int i = 0; i < 12; i++)
        CHECK(sums[i] == 2 * x[i]);
    REQUIRE(result[0]->deleter == free_own && caller.freed == 0);
    ufc_free(result[0]);
    CHECK(caller.made == 1 && caller.freed == 1);
    REQUIRE(call(program, "odd", true, result) == UFC_OK);
    const double *odd = result[0]->dl_tensor.data;
    for (int i = 0; i < 12; i++) /* it is cleared */
        CHECK(odd[i] == (i % 2 ? x[i] : 0));
    ufc_free(result[0]);
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape);
    REQUIRE(ufc_reduce(cpu, NULL, ufcc_function(program, "add"), ufc_array(&in), ufc_new(result),
                       &keywords, &err) == UFC_OK);
    CHECK(((double *)result[0]->dl_tensor.data)[1] == x[1] + x[5] + x[9]);
    ufc_free(result[0]);
    CHECK(caller.made == 3 && caller.freed == 3);
}

static void refusals(const ufcc_program *program) {
    DLManagedTensorVersioned *result[2];
    for (enum how how = SMALLER; how <= NOTHING; how++) {
        begin(how);
        caller.fails_at = 1; /* the second output */
        ufc_status status = call(program, "both", false, result);
        CHECK(status == (how == FAILING ? UFC_ENOMEM : UFC_EINVAL));
        CHECK(strstr(err.message, how == FAILING ? "it is full" : "not as it was asked for"));
        CHECK(!result[0] && !result[1]);
        CHECK(caller.made == (how == NOTHING ? 0 : 1) && caller.freed == caller.made);
    }
    /* One that fails without a word, and a caller that wants none. */
    begin(SILENT);
    memset(&err, 'x', sizeof err);
    err.message[sizeof err.message - 1] = '\0';
    CHECK(call(program, "add", false, result) == UFC_ENOMEM && !result[0]);
    CHECK(strcmp(err.message, "add: a result was not allocated") == 0);
    begin(FAILING);
    ufc_plan_description d;
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape);
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out out[] = {ufc_new(&result[0])};
    CHECK(ufc_call_with(cpu, NULL, ufcc_function(program, "odd"), args, out, &keywords, NULL) ==
          UFC_ENOMEM);
    begin(AS_ASKED);
    CHECK(ufc_explain(cpu, NULL, ufcc_function(program, "odd"), args, out, &keywords, &d, &err) ==
          UFC_OK);
    CHECK(caller.made == 0);
}

int main(void) {
    ufcc_program *program = ufcc_compile("allocate.uf", source, strlen(source), NULL);
    REQUIRE(program && ufcc_load(program));
    REQUIRE(ufc_context_new(&cpu, "cpu", 0, &err) == UFC_OK);
    for (int i = 0; i < 12; i++)
        x[i] = i + 1;
    results(program, AS_ASKED);
    results(program, C_ORDER);
    refusals(program);
    ufc_context_free(cpu);
    ufcc_free(program);
    return test_failures > 0;
}
