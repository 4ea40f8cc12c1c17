/* copies.c: what copies ask of the driver: few calls, no more memory than elements.  On the fake
 * driver; gpu_copies.c has their results. */
#include <string.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

static ufc_context *gpu;
static ufc_error err;

/* A GPU array of shape (1000, 500). */
static DLManagedTensorVersioned *new_matrix(ufc_type type) {
    DLManagedTensorVersioned *array;
    int64_t shape[] = {1000, 500};
    REQUIRE(ufc_empty(gpu, type, 2, shape, UFC_DEVICE, &array, &err) == UFC_OK);
    return array;
}

/* ptxas takes the text of the module that was loaded last. */
static void assemble(void) {
    char path[] = "/tmp/ufc-copies-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    REQUIRE(file && fputs(fakecuda_image(), file) >= 0 && fclose(file) == 0);
    setenv("PTX", path, 1);
    CHECK(system("ptxas=$(\"$UFC\" doctor | sed -n 's/^ptxas:* *\\([^ ]*\\).*/\\1/p'); "
                 "[ -x \"$ptxas\" ] || ptxas=$(command -v ptxas) || exit 0; "
                 "least=$(sed -n 's/^\\.target sm_//p' \"$PTX\"); "
                 "for sm in 75 80 90 100 120; do"
                 " [ $sm -lt $least ] || \"$ptxas\" -arch=sm_$sm -o /dev/null \"$PTX\" || exit 1; "
                 "done") == 0);
    remove(path);
}

/* A column to a column: one launch, of code that is loaded once for each size of element. */
static void columns(void) {
    static const ufc_type types[] = {UFC_BOOL, UFC_INT16, UFC_FLOAT32, UFC_FLOAT64};
    for (int i = 0; i < 4; i++) {
        DLManagedTensorVersioned *a = new_matrix(types[i]), *b = new_matrix(types[i]);
        DLTensor src = a->dl_tensor, dst = b->dl_tensor;
        src.ndim = dst.ndim = 1;
        unsigned launches = fakecuda_launches(), loads = fakecuda_calls("cuModuleLoadDataEx"),
                 copies = fakecuda_calls("cuMemcpyAsync");
        CHECK(ufc_copy(gpu, NULL, &src, &dst, &err) == UFC_OK);
        CHECK(ufc_copy(gpu, NULL, &src, &dst, &err) == UFC_OK);
        CHECK(fakecuda_launches() == launches + 2);
        CHECK(fakecuda_calls("cuModuleLoadDataEx") == loads + 1);
        CHECK(fakecuda_calls("cuMemcpyAsync") == copies);
        assemble();
        ufc_free(a);
        ufc_free(b);
    }
}

/* Rows are copied in wide elements, and what is in one piece by the driver. */
static void rows(void) {
    DLManagedTensorVersioned *a = new_matrix(UFC_INT8), *b = new_matrix(UFC_INT8);
    DLTensor src = a->dl_tensor, dst = b->dl_tensor;
    unsigned launches = fakecuda_launches();
    CHECK(ufc_copy(gpu, NULL, &src, &dst, &err) == UFC_OK);
    CHECK(fakecuda_launches() == launches);
    src.shape[0] = dst.shape[0] = 500;
    src.strides[0] = dst.strides[0] = 512; /* of 500 bytes: 125 elements of 4 */
    CHECK(ufc_copy(gpu, NULL, &src, &dst, &err) == UFC_OK);
    CHECK(fakecuda_launches() == launches + 1);
    CHECK(strstr(fakecuda_image(), "ufc_copy_4"));
    src.shape[1] = dst.shape[1] = 480;
    CHECK(ufc_copy(gpu, NULL, &src, &dst, &err) == UFC_OK);
    CHECK(strstr(fakecuda_image(), "ufc_copy_16"));
    assemble();
    ufc_free(a);
    ufc_free(b);
}

/* To and from the host a column is packed, by one copy each way. */
static void host_columns(void) {
    static float data[1000];
    DLManagedTensorVersioned *a = new_matrix(UFC_FLOAT32);
    DLTensor device = a->dl_tensor, host = ufc_host_array(data, device.dtype, 1, device.shape);
    device.ndim = 1;
    unsigned copies = fakecuda_calls("cuMemcpyAsync");
    for (int i = 0; i < 1000; i++)
        data[i] = (float)i;
    CHECK(ufc_copy(gpu, NULL, &host, &device, &err) == UFC_OK);
    memset(data, 0, sizeof data);
    CHECK(ufc_copy(gpu, NULL, &device, &host, &err) == UFC_OK);
    CHECK(data[1] == 1 && data[999] == 999);
    CHECK(fakecuda_calls("cuMemcpyAsync") == copies + 2);
    ufc_free(a);
}

/* A column that is written while it is read is copied without its matrix. */
static void overlap(void) {
    DLManagedTensorVersioned *a = new_matrix(UFC_FLOAT32);
    DLTensor x = a->dl_tensor, out = x;
    x.ndim = out.ndim = 1;
    x.shape = out.shape = (int64_t[]){999};
    out.byte_offset = (uint64_t)x.strides[0] * 4; /* a row further */
    float *data = x.data;
    for (int i = 0; i < 1000; i++)
        data[500 * (ptrdiff_t)i] = (float)i;
    CHECK(kernels_halve(gpu, NULL, ufc_array(&x), ufc_into(&out), &err) == UFC_OK);
    CHECK(fakecuda_last_size() == 999 * sizeof(float));
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    CHECK(data[0] == 0 && data[500] == 0 && data[1000] == 0.5F && data[999 * 500] == 499);
    ufc_free(a);
}

static void in_a_new_context(void (*test)(void)) {
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    test();
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    ufc_context_free(gpu);
}

int main(void) {
    fakecuda_register(&kernels_halve_ufunc);
    setenv("FAKECUDA_CAPABILITY", "75", 1);
    in_a_new_context(columns);
    setenv("FAKECUDA_CAPABILITY", "90", 1);
    in_a_new_context(columns);
    in_a_new_context(rows);
    in_a_new_context(host_columns);
    in_a_new_context(overlap);
    return test_failures > 0;
}
