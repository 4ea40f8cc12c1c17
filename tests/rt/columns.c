/* columns.c: calls whose elements lie across memory, and which are read several times: blocks,
 * or groups of blocks, keep those of neighbouring calls in shared memory, whatever the strides, and
 * however many calls there are.  As the host computes them. */
#include <math.h>
#include <string.h>

#include "../test.h"
#include "columns.h"

enum { ROOM = 1 << 18, AXES = 4 };

static double memory[8][2 * ROOM]; /* inputs, outputs of the host, and of the simulator */
static ufc_context *host, *sim;

/* An array somewhere in its memory: its first element, and strides, in elements. */
struct layout {
    ufc_type type;
    int ndim;
    int64_t shape[AXES], stride[AXES], first;
};

static DLTensor array(int at, const struct layout *l) {
    DLTensor a =
        ufc_host_array(memory[at], ufc_dltype(l->type), l->ndim, (int64_t *)(uintptr_t)l->shape);
    a.strides = (int64_t *)(uintptr_t)l->stride;
    a.byte_offset = (uint64_t)l->first * a.dtype.bits / 8;
    return a;
}

static void fill(int at, ufc_type type) {
    for (int i = 0; i < 2 * ROOM; i++) {
        double v = (double)(random_bits((uint64_t)at, (uint64_t)i) % 1000) / 100;
        if (type == UFC_FLOAT32)
            ((float *)memory[at])[i] = (float)v;
        else
            memory[at][i] = v;
    }
}

/* How far two outputs are apart, in all of their memory. */
static double difference(int a, int b, ufc_type type) {
    double far = 0;
    for (int i = 0; i < 2 * ROOM; i++) {
        double d = type == UFC_FLOAT32
                       ? (double)((float *)memory[a])[i] - (double)((float *)memory[b])[i]
                       : memory[a][i] - memory[b][i];
        far = fmax(far, isnan(d) ? INFINITY : fabs(d));
    }
    return far;
}

static void run(ufc_context *ctx, const ufc_ufunc *f, const DLTensor *in, int nin,
                const DLTensor *out, int nout) {
    ufc_arg args[3];
    ufc_out outs[3];
    ufc_error err;
    for (int k = 0; k < nin; k++)
        args[k] = ufc_array(&in[k]);
    for (int k = 0; k < nout; k++)
        outs[k] = ufc_into((DLTensor *)(uintptr_t)&out[k]);
    if (ufc_call(ctx, NULL, f, args, outs, &err) != UFC_OK) {
        printf("%s\n", err.message);
        test_failures++;
    }
}

static bool is_columns(const ufc_ufunc *f, const DLTensor *in, int nin, const DLTensor *out,
                       int nout, const char *says) {
    ufc_arg args[3];
    ufc_out outs[3];
    ufc_plan_description d;
    for (int k = 0; k < nin; k++)
        args[k] = ufc_array(&in[k]);
    for (int k = 0; k < nout; k++)
        outs[k] = ufc_into((DLTensor *)(uintptr_t)&out[k]);
    bool described = ufc_explain(sim, NULL, f, args, outs, NULL, &d, NULL) == UFC_OK;
    bool columns = described && strcmp(d.kernel, "columns") == 0 && *d.copies == '\0' &&
                   strstr(d.statements, says);
    if (!columns)
        printf("%s, %s\n", d.kernel, d.statements);
    return columns;
}

/* A function of arrays laid out so. */
static void compare(const ufc_ufunc *f, const struct layout *x, const struct layout *y,
                    const char *says) {
    fill(0, x->type);
    memset(memory[1], 0, sizeof memory[1]);
    memset(memory[2], 0, sizeof memory[2]);
    DLTensor in = array(0, x), one = array(1, y), other = array(2, y);
    CHECK(is_columns(f, &in, 1, &other, 1, says));
    run(host, f, &in, 1, &one, 1);
    run(sim, f, &in, 1, &other, 1);
    CHECK(difference(1, 2, x->type) < (x->type == UFC_FLOAT32 ? 2e-4 : 1e-10));
}

static void centre(const struct layout *x, const struct layout *y, const char *says) {
    compare(&columns_centre_ufunc, x, y, says);
}

/* Rows of calls that are neighbours, of any number. */
static void compute(const ufc_ufunc *f, ufc_type type, int64_t calls, int64_t n, const char *says) {
    struct layout x = {type, 2, {calls, n}, {1, calls}, 0}, y = x;
    compare(f, &x, &y, says);
}

static void check_layouts(void) {
    struct layout x = {UFC_FLOAT32, 2, {100, 700}, {1, 100}, 0}, y = x;
    x.stride[1] = -100;
    x.first = 699 * 100;
    centre(&x, &y, "of 8 neighbouring calls"); /* backward along rows */
    x = (struct layout){UFC_FLOAT32, 2, {100, 700}, {-1, 107}, 99};
    centre(&x, &y, "of 8 neighbouring calls"); /* across them, with gaps */
    x = (struct layout){UFC_FLOAT32, 2, {100, 700}, {2, 200}, 1};
    centre(&x, &y, "of 4 neighbouring calls"); /* every second call */
    x = (struct layout){UFC_FLOAT32, 3, {5, 21, 300}, {7, 1, 40}, 3};
    y = (struct layout){UFC_FLOAT32, 3, {5, 21, 300}, {6300, 1, 21}, 0};
    x.stride[0] = 300 * 40;
    centre(&x, &y, "of 8 neighbouring calls"); /* neighbours of two axes */
}

/* Where the output is the input. */
static void check_in_place(void) {
    const struct layout x = {UFC_FLOAT64, 2, {77, 400}, {1, 77}, 0};
    fill(1, UFC_FLOAT64);
    memcpy(memory[2], memory[1], sizeof memory[1]);
    DLTensor one = array(1, &x), other = array(2, &x);
    run(host, &columns_centre_ufunc, &one, 1, &one, 1);
    run(sim, &columns_centre_ufunc, &other, 1, &other, 1);
    CHECK(difference(1, 2, UFC_FLOAT64) < 1e-10);
}

/* Calls without elements, and no calls. */
static void check_empty(void) {
    struct layout x = {UFC_FLOAT32, 2, {64, 0}, {1, 64}, 0};
    DLTensor in = array(0, &x), out = array(2, &x);
    run(sim, &columns_centre_ufunc, &in, 1, &out, 1);
    x.shape[0] = 0;
    x.shape[1] = 500;
    in = array(0, &x);
    out = array(2, &x);
    run(sim, &columns_centre_ufunc, &in, 1, &out, 1);
}

static void check_moments(int64_t calls, int64_t n) {
    const struct layout x = {UFC_FLOAT64, 2, {calls, n}, {1, calls}, 0},
                        w = {UFC_FLOAT32, 1, {n}, {1}, 0}, s = {UFC_FLOAT64, 1, {calls}, {2}, 0},
                        one = {UFC_FLOAT64, 1, {calls}, {1}, 0};
    fill(0, UFC_FLOAT64);
    fill(1, UFC_FLOAT32);
    memset(memory[2], 0, 6 * sizeof memory[0]);
    const DLTensor in[] = {array(0, &x), array(1, &w), array(0, &s)},
                   expected[] = {array(2, &one), array(3, &one), array(4, &x)},
                   result[] = {array(5, &one), array(6, &one), array(7, &x)};
    CHECK(is_columns(&columns_moments_ufunc, in, 3, result, 3, "of 4 neighbouring calls"));
    run(host, &columns_moments_ufunc, in, 3, expected, 3);
    run(sim, &columns_moments_ufunc, in, 3, result, 3);
    CHECK(difference(2, 5, UFC_FLOAT64) < 1e-9);
    CHECK(difference(3, 6, UFC_FLOAT64) < 1e-5); /* of 10^6 */
    CHECK(difference(4, 7, UFC_FLOAT64) < 1e-9);
}

static void check_grid(void) {
    const struct layout x = {UFC_FLOAT32, 3, {50, 30, 20}, {1, 1000, 50}, 0}, y = x;
    fill(0, UFC_FLOAT32);
    DLTensor in = array(0, &x), one = array(1, &y), other = array(2, &y);
    memset(memory[1], 0, sizeof memory[1]);
    memset(memory[2], 0, sizeof memory[2]);
    CHECK(is_columns(&columns_grid_ufunc, &in, 1, &other, 1, "of 8 neighbouring calls"));
    run(host, &columns_grid_ufunc, &in, 1, &one, 1);
    run(sim, &columns_grid_ufunc, &in, 1, &other, 1);
    CHECK(difference(1, 2, UFC_FLOAT32) == 0);
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    const ufc_ufunc *one = &columns_centre_ufunc, *several = &columns_passes_ufunc;
    compute(one, UFC_FLOAT32, 37, 700, "of 8 neighbouring calls");
    compute(one, UFC_FLOAT32, 13000, 18, "of 32 neighbouring calls");
    compute(one, UFC_FLOAT64, 100, 1000, "of 4 neighbouring calls");
    compute(several, UFC_FLOAT32, 40, 2500, "of 8 neighbouring calls"); /* of two blocks */
    compute(several, UFC_FLOAT32, 37, 4000, "of 8 neighbouring calls");
    compute(several, UFC_FLOAT64, 43, 2200, "of 4 neighbouring calls");
    check_layouts();
    check_in_place();
    check_empty();
    check_moments(45, 1000);
    check_moments(17, 1024);
    check_grid();
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
