/* chosen.c: what threads have of bodies that several kernels can compute, as was faster on an H100:
 * a result, several that share what they read, or tiles.  On the fake driver. */
#include <string.h>

#include "../fakecuda.h"
#include "../test.h"
#include "chosen.h"
#include "ufc.h"

static ufc_context *gpu;
static char memory[256];

/* An array of float32 of any size: nothing reads it. */
static DLTensor array(int ndim, int64_t *shape) {
    return ufc_host_array(memory, ufc_dltype(UFC_FLOAT32), ndim, shape);
}

/* Does explain say so of the only statement of f, of inputs a and b? */
static bool says(const ufc_ufunc *f, DLTensor *a, DLTensor *b, DLTensor *result, const char *text) {
    static ufc_plan_description d;
    ufc_arg in[] = {ufc_array(a), ufc_array(b)};
    ufc_out out = ufc_into(result);
    fakecuda_register(f);
    REQUIRE(ufc_explain(gpu, NULL, f, in, &out, NULL, &d, NULL) == UFC_OK);
    return strstr(d.statements, text) != NULL;
}

static bool sandwich(int64_t m, int64_t n, const char *text) {
    int64_t shape[] = {m, n}, square[] = {n, n};
    DLTensor j = array(2, shape), w = array(1, shape), g = array(2, square);
    return says(&chosen_sandwich_ufunc, &j, &w, &g, text);
}

static bool products(int64_t calls, int64_t n, const char *text) {
    int64_t shape[] = {calls, n, n};
    DLTensor a = array(3, shape);
    return says(&chosen_product_ufunc, &a, &a, &a, text);
}

/* A bank of filters, which all signals share. */
static bool filters(int64_t calls, int64_t n, int64_t f, int64_t k, const char *text) {
    int64_t signal[] = {calls, n}, bank[] = {f, k}, result[] = {calls, f, n - k + 1};
    DLTensor x = array(2, signal), w = array(2, bank), y = array(3, result);
    return says(&chosen_filters_ufunc, &x, &w, &y, text);
}

static bool distances(int64_t m, int64_t n, int64_t d, const char *text) {
    int64_t rows[] = {m, d}, columns[] = {n, d}, result[] = {m, n};
    DLTensor x = array(2, rows), y = array(2, columns), r = array(2, result);
    return says(&chosen_distances_ufunc, &x, &y, &r, text);
}

int main(void) {
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, NULL) == UFC_OK);
    CHECK(sandwich(1 << 20, 6, "16 points a thread at once"));
    CHECK(!sandwich(1 << 20, 4, "at once")); /* more of each thread would be joined than computed */
    CHECK(products(100000, 6, "16 points a thread at once"));
    CHECK(products(100000, 12, "16 points a thread at once"));
    CHECK(filters(1000, 1000, 8, 33, "nest, 1 launch, 16 points a thread at once"));
    CHECK(distances(1000, 800, 3, "nest, 1 launch")); /* a tile's long code would begin late */
    CHECK(distances(4096, 4096, 64, "tile"));
    ufc_context_free(gpu);
    return test_failures != 0;
}
