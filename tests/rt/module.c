/* module.c: device code is known by its id: code in the place of other code that is gone is loaded,
 * and the same code in another place is not loaded again.  Of cubins the one is loaded that was
 * made for the architecture nearest below the GPU's, of the same generation; else PTX.  On the fake
 * driver. */
#include <string.h>
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

/* ---- cubins */

static const struct ufc_cubin cubins[] = {{.sm = 86, .data = "\177ELF 8.6"},
                                          {.sm = 75, .data = "\177ELF 7.5"},
                                          {.sm = 89, .data = "\177ELF 8.9"},
                                          {.sm = 80, .data = "\177ELF 8.0"}};

enum { NOTHING = -1, PTX = 0 };

/* The architecture of the cubin that is loaded on a GPU of a compute capability. */
static int loaded(const char *capability, const struct ufc_overload *overload) {
    const ufc_ufunc ufunc = UFUNC(overload);
    ufc_context *ctx;
    setenv("FAKECUDA_CAPABILITY", capability, 1);
    REQUIRE(ufc_context_new(&ctx, "cuda", 1, NULL) == UFC_OK);
    float result = call(ctx, &ufunc);
    ufc_context_free(ctx);
    if (result != 11)
        return NOTHING;
    for (int i = 0; i < 4; i++)
        if (strcmp(fakecuda_image(), cubins[i].data) == 0)
            return (int)cubins[i].sm;
    return PTX;
}

static void choose_cubin(void) {
    struct ufc_overload both = one, bare = one;
    both.ncubins = bare.ncubins = 4;
    both.code[UFC_MODULE_PLAIN] = (struct ufc_code){.ptx = "//", .cubins = cubins, .id = 3};
    bare.code[UFC_MODULE_PLAIN] = (struct ufc_code){.cubins = cubins, .id = 4};
    CHECK(loaded("75", &both) == 75);
    CHECK(loaded("80", &both) == 80);
    CHECK(loaded("87", &both) == 86);
    CHECK(loaded("89", &bare) == 89);
    CHECK(loaded("90", &both) == PTX);
    CHECK(loaded("90", &bare) == NOTHING);
    CHECK(loaded("70", &both) == NOTHING);
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
    choose_cubin();
    return test_failures > 0;
}
