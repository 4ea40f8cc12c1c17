/* waits.c: kernels begin before the launches ahead of them in their stream have ended, where the
 * GPU has an instruction that waits for these: their PTX gets it, and the launches say so.  On the
 * fake driver, which takes no such launch of a kernel that does not wait. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"

static ufc_error err;

static void add(ufc_context *gpu) {
    const int64_t shape[] = {3};
    float x[] = {1, 2, 3}, y[3];
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, (int64_t *)(uintptr_t)shape), b = a;
    b.data = y;
    CHECK(kernels_add(gpu, NULL, ufc_array(&a), ufc_array(&a), ufc_into(&b), &err) == UFC_OK);
    CHECK(y[0] == 2 && y[1] == 4 && y[2] == 6);
}

/* Whether the image that was loaded last has the text. */
static bool has(const char *text) {
    return strstr(fakecuda_image(), text) != NULL;
}

int main(void) {
    ufc_context *old, *gpu;
    fakecuda_register(&kernels_add_ufunc);
    setenv("FAKECUDA_CAPABILITY", "80", 1);
    REQUIRE(ufc_context_new(&old, "cuda", 1, &err) == UFC_OK);
    add(old);
    CHECK(fakecuda_calls("cuLaunchKernel") == 1 && fakecuda_calls("cuLaunchKernelEx") == 0);
    CHECK(has(".target sm_75\n") && !has("griddepcontrol.wait"));
    setenv("FAKECUDA_CAPABILITY", "90", 1);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    add(gpu);
    CHECK(fakecuda_calls("cuLaunchKernel") == 1 && fakecuda_calls("cuLaunchKernelEx") == 1);
    CHECK(has(".version 7.8\n.target sm_90\n") && has("\n{\n\tgriddepcontrol.wait;\n"));
    CHECK(!has("sm_75"));
    ufc_context_free(gpu);
    ufc_context_free(old);
    return test_failures > 0;
}
