/* gpu_at.c: at with arrays and indices in a GPU's memory gives what it does on the host, in the
 * same order; indices of any type, rank and strides, and those out of bounds.  On a GPU and on the
 * fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "empty.h"
#include "ufc.h"

enum { N = 6000, ROWS = 5000, COLUMNS = 3 };

static ufc_context *gpu;
static ufc_error err;
static double before[ROWS * COLUMNS], after[ROWS * COLUMNS], wanted[ROWS * COLUMNS], y[N];
static int64_t at[N];
static int16_t narrow[N];

static DLManagedTensorVersioned *on_gpu(DLTensor *host) {
    DLManagedTensorVersioned *made = NULL;
    ufc_type type = host->dtype.bits == 16         ? UFC_INT16
                    : host->dtype.code == kDLFloat ? UFC_FLOAT64
                                                   : UFC_INT64;
    REQUIRE(ufc_empty(gpu, type, host->ndim, host->shape, UFC_DEVICE, &made, &err) == UFC_OK);
    REQUIRE(ufc_copy(gpu, NULL, host, &made->dl_tensor, &err) == UFC_OK);
    return made;
}

/* before[indices] += y, on the host and on the GPU. */
static void compare(DLTensor *indices, const int64_t *view, DLTensor *values, int columns) {
    static int64_t shape[] = {ROWS, COLUMNS};
    DLTensor host = ufc_host_array(wanted, ufc_dltype(UFC_FLOAT64), columns > 1 ? 2 : 1, shape);
    DLTensor start = host, back = host;
    start.data = before;
    back.data = after;
    memcpy(wanted, before, sizeof wanted);
    DLManagedTensorVersioned *array = on_gpu(&start), *from = on_gpu(indices), *to = on_gpu(values);
    DLTensor seen = from->dl_tensor, same = *indices;
    seen.strides = same.strides = (int64_t *)(uintptr_t)view;
    if (view) { /* every second one */
        int64_t half[] = {indices->shape[0] / 2};
        seen.shape = same.shape = half;
        CHECK(ufc_at(NULL, NULL, &empty_plus_ufunc, &host, &same, ufc_float(.1), &err) == UFC_OK);
        CHECK(ufc_at(gpu, NULL, &empty_plus_ufunc, &array->dl_tensor, &seen, ufc_float(.1), &err) ==
              UFC_OK);
    } else {
        CHECK(ufc_at(NULL, NULL, &empty_plus_ufunc, &host, &same, ufc_array(values), &err) ==
              UFC_OK);
        CHECK(ufc_at(gpu, NULL, &empty_plus_ufunc, &array->dl_tensor, &seen,
                     ufc_array(&to->dl_tensor), &err) == UFC_OK);
    }
    CHECK(ufc_copy(gpu, NULL, &array->dl_tensor, &back, &err) == UFC_OK);
    CHECK(memcmp(after, wanted, sizeof *after * (size_t)(ROWS * columns)) == 0);
    ufc_free(array);
    ufc_free(from);
    ufc_free(to);
}

static void bounds(DLTensor *indices) {
    static int64_t shape[] = {ROWS};
    DLTensor start = ufc_host_array(before, ufc_dltype(UFC_FLOAT64), 1, shape), back = start;
    back.data = after;
    at[N - 1] = ROWS;
    DLManagedTensorVersioned *array = on_gpu(&start), *from = on_gpu(indices);
    CHECK(ufc_at(gpu, NULL, &empty_plus_ufunc, &array->dl_tensor, &from->dl_tensor, ufc_float(1),
                 &err) == UFC_EINVAL &&
          strstr(err.message, "index 5000 is out of bounds"));
    CHECK(ufc_copy(gpu, NULL, &array->dl_tensor, &back, &err) == UFC_OK);
    CHECK(memcmp(after, before, sizeof *after * ROWS) == 0);
    ufc_free(array);
    ufc_free(from);
}

/* An array on the host goes to the GPU and back, where the indices are there; out of bounds, it
 * stays as it was.  One of another type than the function's is an error, and so are indices that
 * the host would have to read. */
static void from_the_host(DLTensor *indices) {
    static int64_t shape[] = {ROWS};
    static float single[ROWS];
    DLTensor host = ufc_host_array(wanted, ufc_dltype(UFC_FLOAT64), 1, shape), staged = host,
             narrower = ufc_host_array(single, ufc_dltype(UFC_FLOAT32), 1, shape);
    staged.data = after;
    at[N - 1] = 0;
    memcpy(wanted, before, sizeof *before * ROWS);
    memcpy(after, before, sizeof *before * ROWS);
    DLManagedTensorVersioned *from = on_gpu(indices);
    CHECK(ufc_at(NULL, NULL, &empty_plus_ufunc, &host, indices, ufc_float(.1), &err) == UFC_OK);
    CHECK(ufc_at(gpu, NULL, &empty_plus_ufunc, &staged, &from->dl_tensor, ufc_float(.1), &err) ==
          UFC_OK);
    CHECK(memcmp(after, wanted, sizeof *after * ROWS) == 0);
    CHECK(ufc_at(gpu, NULL, &empty_plus_ufunc, &narrower, &from->dl_tensor, ufc_float(1), &err) ==
              UFC_EDEVICE &&
          strstr(err.message, "all the same"));
    DLManagedTensorVersioned *none;
    CHECK(ufc_reduceat(NULL, NULL, &empty_plus_ufunc, ufc_array(&host), &from->dl_tensor,
                       ufc_new(&none), NULL, &err) == UFC_EDEVICE &&
          strstr(err.message, "copy them to the host"));
    ufc_free(from);
    at[N - 1] = ROWS;
    from = on_gpu(indices);
    CHECK(ufc_at(gpu, NULL, &empty_plus_ufunc, &staged, &from->dl_tensor, ufc_float(1), &err) ==
          UFC_EINVAL);
    CHECK(memcmp(after, wanted, sizeof *after * ROWS) == 0);
    ufc_free(from);
}

int main(void) {
    static int64_t n[] = {N}, square[] = {2, N / 2}, steps[] = {2};
    make_known(&empty_plus_ufunc);
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("gpu_at: %s\n", err.message);
        return SKIPPED;
    }
    for (int i = 0; i < ROWS * COLUMNS; i++)
        before[i] = 1.0 / (i + 1);
    for (int i = 0; i < N; i++) {
        y[i] = 1.0 / (i + 3);
        narrow[i] = (int16_t)(i % 7 == 0 ? -1 - i % 100 : (i * 37) % (i % 2 ? ROWS : 10));
        at[i] = narrow[i];
    }
    DLTensor wide = ufc_host_array(at, ufc_dltype(UFC_INT64), 1, n);
    DLTensor small = ufc_host_array(narrow, ufc_dltype(UFC_INT16), 1, n);
    DLTensor plane = ufc_host_array(at, ufc_dltype(UFC_INT64), 2, square);
    DLTensor values = ufc_host_array(y, ufc_dltype(UFC_FLOAT64), 1, n);
    DLTensor row = ufc_host_array(y, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){COLUMNS});
    compare(&wide, NULL, &values, 1);
    compare(&small, NULL, &values, 1);
    compare(&small, steps, &values, 1);
    compare(&plane, NULL, &row, COLUMNS);
    bounds(&wide);
    from_the_host(&wide);
    ufc_context_free(gpu);
    return test_failures > 0;
}
