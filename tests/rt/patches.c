/* patches.c: where neighbours of an array are calls, and those of another are elements, a block
 * takes patches of calls and elements: results are the host's, of whole numbers, whatever is left
 * of patches at the ends, and where a thread has several points of a patch.  In the simulator. */
#include <string.h>
#include "../test.h"
#include "patches.h"
#include "ufc.h"

enum { ROOM = 1 << 20 };
static ufc_context *host, *sim;
static ufc_error err;
static int32_t x[ROOM], y[2][ROOM];

/* An array of calls, rows and columns, the axes from the slowest to the fastest in some order. */
static DLTensor array(int32_t *data, int ndim, int64_t *shape, int64_t *stride, const int *order) {
    int64_t n = 1;
    for (int i = ndim; i-- > 0; n *= shape[order[i]])
        stride[order[i]] = n;
    REQUIRE(n <= ROOM);
    DLTensor t = ufc_host_array(data, ufc_dltype(UFC_INT32), ndim, shape);
    t.strides = stride;
    return t;
}

static void compute(const ufc_ufunc *f, int ndim, int64_t *shape, const int *from, const int *to) {
    int64_t strides[2][3];
    DLTensor in = array(x, ndim, shape, strides[0], from);
    ufc_arg args[] = {ufc_array(&in)};
    ufc_plan_description d;
    memset(y, 0, sizeof y);
    for (int i = 0; i < 2; i++) {
        DLTensor t = array(y[i], ndim, shape, strides[1], to);
        ufc_out out = ufc_into(&t);
        CHECK(ufc_call(i ? sim : host, NULL, f, args, &out, &err) == UFC_OK);
        CHECK(i == 0 || ufc_explain(sim, NULL, f, args, &out, NULL, &d, &err) == UFC_OK);
    }
    CHECK(strcmp(d.kernel, "nest") == 0 || !printf("%s, %s\n", d.kernel, d.why));
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
}

int main(void) {
    static const int along[] = {0, 1, 2}, across[] = {1, 0}, inside[] = {2, 1, 0};
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 2, &err) == UFC_OK);
    for (int i = 0; i < ROOM; i++)
        x[i] = (int32_t)(random_bits(3, (uint64_t)i) % 10007);
    int64_t shapes[][2] = {{100, 300}, {33, 1000}, {1000, 1000}, {250, 3999}, {32, 32768}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        compute(&patches_line_ufunc, 2, shapes[i], along, across);
        compute(&patches_line_ufunc, 2, shapes[i], across, along);
    }
    int64_t solid[] = {40, 70, 90};
    compute(&patches_grid_ufunc, 3, solid, along, inside);
    int64_t image[] = {90001, 3}; /* a thread takes all three of a pixel */
    compute(&patches_pixels_ufunc, 2, image, along, along);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
