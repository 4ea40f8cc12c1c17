/* module.c: device code is known by its id: code in the place of other code that is gone is loaded,
 * and the same code in another place is not loaded again.  On the fake driver. */
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"

static void add(char **args, const intptr_t *dimensions, const intptr_t *steps, float what) {
    for (intptr_t i = 0; i < dimensions[0]; i++)
        *(float *)(args[1] + i * steps[1]) = *(float *)(args[0] + i * steps[0]) + what;
}

static void add_one(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    (void)data;
    add(args, dimensions, steps, 1);
}

static void add_two(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    (void)data;
    add(args, dimensions, steps, 2);
}

static const uint8_t dtypes[] = {DT_FLOAT32, DT_FLOAT32};
static const char *const params[] = {"x", "out"};

#define OVERLOAD(NAME, ID)                                                                         \
    {                                                                                              \
        .dtypes = dtypes, .signature = "float32(float32)", .host = {NAME},                         \
        .code = {{.ptx = "//" #NAME, .id = ID}}, .ptx_sm = 75,                                     \
        .kernel = {#NAME "_vector", #NAME "_strided", #NAME "_cast"}, .block = {256, 256, 256},    \
        .vector_width = 4                                                                          \
    }
#define UFUNC(overload)                                                                            \
    {                                                                                              \
        .version = UFC_IMAGE_ABI_VERSION, .nin = 1, .nout = 1, .noverloads = 1, .name = "f",       \
        .params = params, .overloads = overload                                                    \
    }

static const struct ufc_overload one = OVERLOAD(add_one, 1), two = OVERLOAD(add_two, 2);
static const ufc_ufunc one_ufunc = UFUNC(&one), two_ufunc = UFUNC(&two);

static struct ufc_overload place;
static const ufc_ufunc place_ufunc = UFUNC(&place);

/* f of 10 */
static float call(ufc_context *ctx, const ufc_ufunc *ufunc) {
    float x = 10, y = 0;
    DLTensor in = ufc_host_array(&x, ufc_dltype(UFC_FLOAT32), 0, NULL), out = in;
    out.data = &y;
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out outs[] = {ufc_into(&out)};
    ufc_error err = {{0}};
    if (ufc_call(ctx, NULL, ufunc, args, outs, &err) != UFC_OK)
        printf("%s\n", err.message);
    return y;
}

int main(void) {
    ufc_context *ctx;
    fakecuda_register(&one_ufunc);
    fakecuda_register(&two_ufunc);
    REQUIRE(ufc_context_new(&ctx, "cuda", 0, NULL) == UFC_OK);
    place = one;
    CHECK(call(ctx, &place_ufunc) == 11);
    place = two;
    CHECK(call(ctx, &place_ufunc) == 12);
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == 2);
    CHECK(call(ctx, &one_ufunc) == 11 && call(ctx, &two_ufunc) == 12);
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == 2);
    ufc_context_free(ctx);
    return test_failures > 0;
}
