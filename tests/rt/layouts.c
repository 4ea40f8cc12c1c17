/* layouts.c: whatever the layout of its arrays, an element's bits are those that contiguous arrays
 * give, nothing else is written, and the kernel is the one that is meant for it.  In the simulator.
 */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { NDIM = 3, VIEWS = 3, HALF = 40000, SIZE = 2 * HALF, RANDOM = 60 };

struct view {
    int64_t offset, strides[NDIM]; /* elements; the offset from the middle of the memory */
};

/* of two inputs and an output of float32 */
static const struct test_case {
    const char *kernel;
    int64_t shape[NDIM];
    struct view view[VIEWS];
} cases[] = {
    {"vector", {1, 10, 100}, {{0, {0, 100, 1}}, {4, {0, 100, 1}}, {8, {0, 100, 1}}}},
    {"vector", {1, 1, 1001}, {{0, {0, 0, 1}}, {0, {0, 0, 0}}, {4, {0, 0, 1}}}},
    {"vector", {10, 10, 7}, {{63, {70, -7, 1}}, {63, {70, -7, 1}}, {63, {70, -7, 1}}}},
    {"vector", {5, 6, 7}, {{0, {1, 5, 30}}, {0, {1, 5, 30}}, {0, {1, 5, 30}}}},
    /* unaligned; reversed; every other one; all of these */
    {"rows", {1, 1, 1001}, {{1, {0, 0, 1}}, {0, {0, 0, 1}}, {4, {0, 0, 1}}}},
    {"rows", {1, 1, 1000}, {{999, {0, 0, -1}}, {0, {0, 0, 1}}, {0, {0, 0, 1}}}},
    {"rows", {1, 1, 1003}, {{1002, {0, 0, -1}}, {2, {0, 0, 1}}, {0, {0, 0, 1}}}},
    {"rows", {1, 1, 1002}, {{0, {0, 0, 2}}, {1, {0, 0, 2}}, {0, {0, 0, 1}}}},
    {"rows", {1, 1, 1003}, {{1, {0, 0, 3}}, {3000, {0, 0, -2}}, {3, {0, 0, 1}}}},
    {"rows", {1, 1, 1003}, {{0, {0, 0, 1}}, {0, {0, 0, 1}}, {0, {0, 0, 2}}}},
    /* a matrix and a row; a column and a row; a column; pieces of three axes */
    {"rows", {1, 37, 64}, {{0, {0, 64, 1}}, {0, {0, 0, 1}}, {0, {0, 64, 1}}}},
    {"rows", {1, 40, 100}, {{0, {0, 1, 0}}, {0, {0, 0, 1}}, {0, {0, 100, 1}}}},
    {"rows", {1, 9, 203}, {{0, {0, 203, 1}}, {0, {0, 1, 0}}, {0, {0, 203, 1}}}},
    {"rows", {4, 30, 32}, {{0, {960, 32, 1}}, {0, {32, 0, 1}}, {0, {960, 32, 1}}}},
    {"rows", {4, 5, 131}, {{0, {655, 131, 1}}, {0, {131, 0, 1}}, {1, {655, 131, 1}}}},
    {"rows", {1, 20, 130}, {{0, {0, 200, 1}}, {0, {0, 200, 1}}, {0, {0, 200, 1}}}},
    {"rows", {1, 4, 8}, {{0, {0, 8, 1}}, {0, {0, 0, 1}}, {0, {0, 8, 1}}}},
    /* a matrix and its transpose; cut tiles; a number; three axes, permuted */
    {"transpose", {1, 64, 64}, {{0, {0, 64, 1}}, {0, {0, 1, 64}}, {0, {0, 64, 1}}}},
    {"transpose", {1, 67, 45}, {{0, {0, 45, 1}}, {0, {0, 1, 67}}, {0, {0, 45, 1}}}},
    {"transpose", {1, 16, 100}, {{0, {0, 1, 16}}, {0, {0, 0, 0}}, {0, {0, 100, 1}}}},
    {"transpose", {1, 40, 40}, {{1599, {0, -1, -40}}, {0, {0, 1, 0}}, {0, {0, 40, 1}}}},
    {"transpose", {17, 18, 19}, {{0, {1, 17 * 19, 17}}, {0, {342, 19, 1}}, {0, {342, 19, 1}}}},
    {"transpose", {17, 5, 33}, {{0, {1, 17, 85}}, {0, {5, 1, 85}}, {0, {165, 33, 1}}}},
    /* short rows */
    {"strided", {1, 50, 3}, {{0, {0, 3, 1}}, {0, {0, 0, 1}}, {0, {0, 3, 1}}}},
    {"strided", {7, 9, 5}, {{0, {1, 7, 63}}, {0, {45, 5, 1}}, {0, {45, 5, 1}}}},
    {"strided", {3, 8, 2}, {{0, {16, 2, 1}}, {1, {2, 0, 1}}, {0, {32, 4, 1}}}},
};

static ufc_context *sim;
static ufc_error err;

static DLTensor tensor(char *memory, ufc_type type, const struct test_case *c, int k) {
    DLDataType dtype = ufc_dltype(type);
    int64_t at = HALF + c->view[k].offset;
    DLTensor t = ufc_host_array(memory + at * (dtype.bits / 8), dtype, NDIM, (int64_t *)c->shape);
    t.strides = (int64_t *)c->view[k].strides;
    return t;
}

/* What arrays without gaps give. */
static DLManagedTensorVersioned *plain_result(const ufc_ufunc *ufunc, ufc_type type,
                                              const DLTensor *views) {
    DLManagedTensorVersioned *copy[2], *result;
    for (int k = 0; k < 2; k++) {
        REQUIRE(ufc_empty(sim, type, NDIM, views[k].shape, UFC_HOST, &copy[k], &err) == UFC_OK);
        REQUIRE(ufc_copy(sim, NULL, &views[k], &copy[k]->dl_tensor, &err) == UFC_OK);
    }
    ufc_arg in[] = {ufc_array(&copy[0]->dl_tensor), ufc_array(&copy[1]->dl_tensor)};
    REQUIRE(ufc_call(sim, NULL, ufunc, in, &(ufc_out){.result = &result}, &err) == UFC_OK);
    ufc_free(copy[0]);
    ufc_free(copy[1]);
    return result;
}

static char memory[VIEWS][SIZE * 16], wanted[SIZE * 16];

static void check(const char *name, const ufc_ufunc *ufunc, ufc_type type, int number,
                  const struct test_case *c) {
    DLTensor t[VIEWS];
    size_t size = (size_t)SIZE * (ufc_dltype(type).bits / 8);
    for (int k = 0; k < VIEWS; k++)
        t[k] = tensor(memory[k], type, c, k);
    memset(memory[2], 0x5A, size);
    memset(wanted, 0x5A, size);
    DLManagedTensorVersioned *result = plain_result(ufunc, type, t);
    DLTensor place = tensor(wanted, type, c, 2);
    REQUIRE(ufc_copy(sim, NULL, &result->dl_tensor, &place, &err) == UFC_OK);
    ufc_free(result);

    ufc_plan *plan;
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&t[0]), ufc_array(&t[1])};
    ufc_out out = ufc_into(&t[2]);
    REQUIRE(ufc_plan_new(&plan, sim, NULL, ufunc, in, &out, NULL, &err) == UFC_OK);
    REQUIRE(ufc_plan_describe(plan, &d, &err) == UFC_OK);
    if (c->kernel && type == UFC_FLOAT32 && strcmp(d.kernel, c->kernel) != 0) {
        printf("case %d: the kernel is %s (%s), not %s\n", number, d.kernel, d.why, c->kernel);
        test_failures++;
    }
    CHECK((*d.why != '\0') == (strcmp(d.kernel, "vector") != 0));
    if (ufc_execute(plan, NULL, NULL, &err) != UFC_OK || memcmp(memory[2], wanted, size) != 0) {
        printf("case %d, %s of %s by %s: %s\n", number, name, ufc_type_name(ufc_dltype(type)),
               d.kernel, *err.message ? err.message : "other bits");
        test_failures++;
    }
    ufc_plan_free(plan);
}

/* ---- random ones */

static int64_t draw(uint64_t *at, int64_t n) {
    return (int64_t)(random_bits(7, (*at)++) % (uint64_t)n);
}

/* Axes in any order, some turned round, some with gaps, those of inputs perhaps broadcast. */
static void draw_view(uint64_t *at, const int64_t *shape, bool is_output, struct view *v) {
    int order[NDIM] = {0, 1, 2};
    for (int i = NDIM - 1; i > 0; i--) {
        int j = (int)draw(at, i + 1), axis = order[i];
        if (draw(at, 2)) {
            order[i] = order[j];
            order[j] = axis;
        }
    }
    int64_t stride = draw(at, 4) ? 1 : 2;
    v->offset = draw(at, 5);
    for (int i = NDIM - 1; i >= 0; i--) {
        int axis = order[i];
        bool once = !is_output && draw(at, 4) == 0, back = draw(at, 5) == 0;
        v->strides[axis] = once ? 0 : back ? -stride : stride;
        if (back && !once)
            v->offset += stride * (shape[axis] - 1);
        if (!once)
            stride *= shape[axis] + (draw(at, 4) ? 0 : draw(at, 5));
    }
}

static void draw_case(uint64_t *at, struct test_case *c) {
    static const int64_t sizes[] = {1, 2, 3, 8, 16, 19, 32, 64, 130, 256};
    int64_t n;
    c->kernel = NULL;
    do {
        n = 1;
        for (int i = 0; i < NDIM; i++)
            n *= c->shape[i] = sizes[draw(at, 10)];
    } while (n > 3000);
    for (int k = 0; k < VIEWS; k++)
        draw_view(at, c->shape, k == VIEWS - 1, &c->view[k]);
}

int main(void) {
    static const struct {
        const char *name;
        const ufc_ufunc *ufunc;
        ufc_type type;
    } functions[] = {
        {"wave", &kernels_wave_ufunc, UFC_FLOAT32},   {"swell", &kernels_swell_ufunc, UFC_FLOAT32},
        {"swell", &kernels_swell_ufunc, UFC_FLOAT16}, {"add", &kernels_add_ufunc, UFC_INT8},
        {"add", &kernels_add_ufunc, UFC_FLOAT16},     {"add", &kernels_add_ufunc, UFC_FLOAT64},
        {"add", &kernels_add_ufunc, UFC_COMPLEX128}};
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    *err.message = '\0';
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < SIZE * 16 / 4; j++) {
                float v = (float)(random_bits((uint64_t)k, (uint64_t)j) >> 40) / 1024;
                memcpy(memory[k] + 4 * j, &v, sizeof v);
            }
        int number = 0, ncases = (int)(sizeof cases / sizeof *cases);
        for (; number < ncases; number++)
            check(functions[i].name, functions[i].ufunc, functions[i].type, number, &cases[number]);
        uint64_t at = i * 1000000;
        for (; number < ncases + RANDOM; number++) {
            struct test_case c;
            draw_case(&at, &c);
            check(functions[i].name, functions[i].ufunc, functions[i].type, number, &c);
        }
    }
    ufc_context_free(sim);
    return test_failures != 0;
}
