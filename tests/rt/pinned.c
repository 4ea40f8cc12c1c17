/* pinned.c: pinned arrays without gaps are copied directly, from and to the GPU, and so are outputs
 * of calls; others, and inputs of calls, which need not wait for the stream, go through the ring.
 * On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "twice.h"
#include "ufc.h"

enum { COLUMNS = 1 << 10, ROWS = 3 << 10, N = ROWS * COLUMNS }; /* several of the ring's chunks */
static ufc_context *gpu;
static ufc_error err;
static int64_t shape[] = {ROWS, COLUMNS}, turned[] = {1, ROWS}, half[] = {ROWS / 2, COLUMNS};

static unsigned copies(void) {
    static unsigned before;
    unsigned all = fakecuda_calls("cuMemcpyAsync"), new = all - before;
    before = all;
    return new;
}

static bool holds(const DLTensor *t, float by) {
    const float *x = t->data;
    bool same = true;
    for (int i = 0; i < N && same; i++)
        same = x[i] == by * (float)i;
    return same;
}

int main(void) {
    DLManagedTensorVersioned *from, *to, *there;
    fakecuda_register(&twice_twice_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 2, shape, UFC_PINNED, &from, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 2, shape, UFC_PINNED, &to, &err) == UFC_OK);
    DLTensor *x = &from->dl_tensor, *y = &to->dl_tensor;
    for (int i = 0; i < N; i++)
        ((float *)x->data)[i] = (float)i;

    (void)copies();
    REQUIRE(ufc_to_device(gpu, NULL, x, &there, &err) == UFC_OK);
    CHECK(copies() == 1);
    CHECK(ufc_copy(gpu, NULL, &there->dl_tensor, y, &err) == UFC_OK);
    CHECK(copies() == 1 && holds(y, 1));

    /* in the order of strides, which is not that of axes */
    DLTensor a = *x, b = *y, d = there->dl_tensor;
    a.strides = b.strides = d.strides = turned;
    memset(y->data, 0, N * sizeof(float));
    CHECK(ufc_copy(gpu, NULL, &a, &d, &err) == UFC_OK && copies() == 1);
    CHECK(ufc_copy(gpu, NULL, &d, &b, &err) == UFC_OK && copies() == 1 && holds(y, 1));

    /* a result is copied directly, an input staged */
    CHECK(twice_twice(gpu, NULL, ufc_array(&there->dl_tensor), ufc_into(y), &err) == UFC_OK);
    CHECK(copies() == 1 && holds(y, 2));
    CHECK(twice_twice(gpu, NULL, ufc_array(x), ufc_into(&there->dl_tensor), &err) == UFC_OK);
    CHECK(copies() > 1);

    /* gaps */
    a = *x, d = there->dl_tensor;
    a.shape = d.shape = half;
    a.strides = (int64_t[]){2 * COLUMNS, 1};
    CHECK(ufc_copy(gpu, NULL, &a, &d, &err) == UFC_OK && copies() > 1);
    ufc_free(there);
    ufc_free(from);
    ufc_free(to);
    ufc_context_free(gpu);
    return test_failures > 0;
}
