/* planned.c: a plan's code for certain calls is made and loaded when it is planned; executing it
 * makes and loads none, so that a stream capture takes it.  On the fake driver. */
#include <string.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

enum { N = 64 };
static const char source[] = "ufunc scale(x, by) : float32(float32, float32) = x * by\n";
static ufc_error err;
static ufc_context *gpu;
static ufcc_program *program;
static DLManagedTensorVersioned *x, *y;

static ufc_plan *plan_with(double by) {
    ufc_plan *plan;
    ufc_arg in[] = {ufc_array(&x->dl_tensor), ufc_float(by)};
    ufc_out out = ufc_into(&y->dl_tensor);
    REQUIRE(ufc_plan_new(&plan, gpu, NULL, ufcc_function(program, "scale"), in, &out, NULL, &err) ==
            UFC_OK);
    return plan;
}

/* Executes it, which loads nothing. */
static void execute(const ufc_plan *plan, float by) {
    float got[N] = {0};
    int64_t shape[] = {N};
    DLTensor to = ufc_host_array(got, ufc_dltype(UFC_FLOAT32), 1, shape);
    unsigned loads = fakecuda_calls("cuModuleLoadDataEx");
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK);
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == loads);
    CHECK(ufc_copy(gpu, NULL, &y->dl_tensor, &to, &err) == UFC_OK);
    for (int i = 0; i < N; i++)
        CHECK(got[i] == by * (float)i);
}

static bool runs(const ufc_plan *plan, const char *code) {
    ufc_plan_description d;
    return ufc_plan_describe(plan, &d, &err) == UFC_OK && strcmp(d.special, code) == 0;
}

int main(void) {
    float host[N];
    int64_t shape[] = {N};
    ufcc_options options = {.cache = "0"};
    program = ufcc_compile("planned.uf", source, strlen(source), &options);
    REQUIRE(program && ufcc_load(program));
    fakecuda_register(ufcc_function(program, "scale"));
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    DLTensor from = ufc_host_array(host, ufc_dltype(UFC_FLOAT32), 1, shape);
    REQUIRE(ufc_to_device(gpu, NULL, &from, &x, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &y, &err) == UFC_OK);

    ufc_plan *general = plan_with(2);
    CHECK(ufcc_specialize(program, NULL, UFCC_SPECIALIZE));
    ufc_plan *own = plan_with(3);
    execute(own, 3);
    CHECK(runs(own, "one made for the call"));
    execute(general, 2);
    CHECK(runs(general, "the general one, since the plan was made without its own"));

    /* What is made in the background is loaded by who describes the plan, or makes it anew. */
    CHECK(ufcc_specialize(program, NULL, UFCC_SPECIALIZE_LATER));
    ufc_plan *later = plan_with(4);
    for (int i = 0; i < 20; i++) {
        execute(later, 4);
        usleep(20000);
    }
    for (int i = 0; i < 1000 && !runs(later, "one made for the call"); i++)
        usleep(20000);
    CHECK(runs(later, "one made for the call"));
    execute(later, 4);

    ufc_plan_free(later);
    ufc_plan_free(own);
    ufc_plan_free(general);
    ufc_free(x);
    ufc_free(y);
    ufc_context_free(gpu);
    ufcc_free(program);
    return test_failures > 0;
}
