/* gpu_tiles.c: products of matrices, what is alike, and moving sums, whose kernels compute tiles,
 * from few calls to many, along memory and across it, as the host computes them.  Elements are
 * whole numbers, so that order does not matter.  On a GPU and on the fake driver. */
#include <string.h>

#include "../driver.h"
#include "../test.h"
#include "gpu_tiles.h"

enum { MAX = 1 << 22 };
static ufc_context *device[2];
static ufc_error err;
static float a[MAX], b[MAX], out[2][MAX];

static void must(ufc_status status) {
    if (status != UFC_OK)
        printf("%s\n", err.message);
    REQUIRE(status == UFC_OK);
}

/* calls x rows x columns; across: neighbouring calls lie side by side. */
static DLTensor stack(float *data, int64_t *shape, int64_t *strides, bool across) {
    DLTensor t = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 3, shape);
    memcpy(strides, (int64_t[]){1, shape[2] * shape[0], shape[0]}, 3 * sizeof *strides);
    if (across)
        t.strides = strides;
    return t;
}

static void product(int64_t calls, int64_t m, int64_t n, int64_t p, bool across) {
    int64_t shapes[3][3] = {{calls, m, n}, {calls, n, p}, {calls, m, p}}, strides[3][3];
    DLTensor x = stack(a, shapes[0], strides[0], across),
             y = stack(b, shapes[1], strides[1], across);
    memset(out, 0, sizeof out);
    for (int k = 0; k < 2; k++) {
        DLTensor z = stack(out[k], shapes[2], strides[2], across);
        must(gpu_tiles_product(device[k], NULL, ufc_array(&x), ufc_array(&y), ufc_into(&z), &err));
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0)
        REQUIRE(!"the host's product");
}

/* A matrix that is in C order, or, where its bit of `orders` is set, in Fortran order. */
static DLTensor matrix(void *data, int64_t *shape, int64_t *strides, bool fortran) {
    DLTensor t = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 2, shape);
    memcpy(strides, (int64_t[]){1, shape[0]}, 2 * sizeof *strides);
    if (fortran)
        t.strides = strides;
    return t;
}

/* One of the functions of two matrices, in all orders of these. */
static void in_all_orders(const ufc_ufunc *f, int64_t m, int64_t n, int64_t p) {
    int64_t shapes[3][2] = {{m, n}, {n, p}, {m, p}}, strides[3][2];
    DLTensor w = ufc_host_array(a, ufc_dltype(UFC_FLOAT32), 1, &shapes[0][1]),
             s = ufc_host_array(b, ufc_dltype(UFC_FLOAT32), 1, &shapes[0][0]);
    for (int orders = 0; orders < 8; orders++) {
        DLTensor x = matrix(a, shapes[0], strides[0], orders & 1),
                 y = matrix(b, shapes[1], strides[1], orders & 2);
        ufc_arg in[] = {ufc_array(&x), ufc_array(&y), ufc_array(&w), ufc_array(&s), ufc_float(7)};
        memset(out, 0, sizeof out);
        for (int k = 0; k < 2; k++) {
            DLTensor z = matrix(out[k], shapes[2], strides[2], orders & 4);
            ufc_out into = ufc_into(&z);
            must(ufc_call(device[k], NULL, f, in, &into, &err));
        }
        if (memcmp(out[0], out[1], sizeof out[0]) != 0) {
            printf("orders %d\n", orders);
            REQUIRE(!"what the host computes");
        }
    }
}

static void moving(int64_t n, int64_t k) {
    int64_t shapes[3][1] = {{n}, {k}, {n - k + 1}};
    DLTensor x = ufc_host_array(a, ufc_dltype(UFC_FLOAT32), 1, shapes[0]), y = x, z = x;
    y.data = b;
    y.shape = shapes[1];
    z.shape = shapes[2];
    memset(out, 0, sizeof out);
    for (int i = 0; i < 2; i++) {
        z.data = out[i];
        must(gpu_tiles_moving(device[i], NULL, ufc_array(&x), ufc_array(&y), ufc_into(&z), &err));
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0)
        REQUIRE(!"the host's moving sums");
}

int main(void) {
    static const int64_t sizes[][4] = {
        {3, 8, 5, 9}, {40, 17, 16, 33}, {20, 70, 20, 70}, {700, 16, 16, 16}, {1, 300, 70, 200}};
    static const ufc_ufunc *const all[] = {&gpu_tiles_product_ufunc,  &gpu_tiles_triangle_ufunc,
                                           &gpu_tiles_filtered_ufunc, &gpu_tiles_backward_ufunc,
                                           &gpu_tiles_weighted_ufunc, &gpu_tiles_largest_ufunc,
                                           &gpu_tiles_chosen_ufunc};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        make_known(all[i]);
    make_known(&gpu_tiles_moving_ufunc);
    if (ufc_context_new(&device[0], "cuda", 0, &err) != UFC_OK) {
        printf("gpu_tiles: %s\n", err.message);
        return SKIPPED;
    }
    REQUIRE(ufc_context_new(&device[1], "cpu", 0, &err) == UFC_OK);
    for (int i = 0; i < MAX; i++) {
        a[i] = (float)(random_bits(1, (uint64_t)i) % 16);
        b[i] = (float)(random_bits(2, (uint64_t)i) % 16);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int across = 0; across < 2; across++)
            product(sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3], across);
    product(264, 128, 3, 120, false);
    product(1, 9, 12000, 10, false); /* of parts that are joined twice */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        in_all_orders(all[i], 41, i == 1 ? 41 : 19, 38);
        in_all_orders(all[i], 150, i == 1 ? 150 : 70, 133);
        if (i != 1) /* in parts */
            in_all_orders(all[i], 21, 1500, 33);
    }
    moving(1 << 18, 5);
    moving(1000, 300);
    for (int k = 0; k < 2; k++)
        ufc_context_free(device[k]);
    return test_failures > 0;
}
