/* recorder.c: what explaining asks of the driver: no memory, no copy, no launch, and what it
 * describes is what the call then asks for.  On the fake driver. */
#include <string.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "matmul.h"

enum { SIDE = 16, N = SIDE * SIDE, MANY = 1 << 18 };

static ufc_context *gpu;
static ufc_error err;

static unsigned count(const char *const *symbols) {
    unsigned calls = 0;
    for (; *symbols; symbols++)
        calls += fakecuda_calls(*symbols);
    return calls;
}

static unsigned allocations(void) {
    return count((const char *const[]){"cuMemAlloc_v2", "cuMemAllocFromPoolAsync", NULL});
}

static unsigned moves(void) {
    return count((const char *const[]){"cuLaunchKernel", "cuLaunchKernelEx", "cuMemcpyAsync",
                                       "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
                                       "cuMemHostAlloc", NULL});
}

static DLManagedTensorVersioned *new_array(ufc_type type, int64_t n) {
    DLManagedTensorVersioned *array;
    REQUIRE(ufc_empty(gpu, type, 1, &n, UFC_DEVICE, &array, &err) == UFC_OK);
    return array;
}

/* One call: explained where d is not NULL, else made. */
typedef ufc_status call(ufc_out out, ufc_plan_description *d);

static DLTensor x, y, indices;

static ufc_status add(ufc_out out, ufc_plan_description *d) {
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    return d ? ufc_explain(gpu, NULL, &kernels_add_ufunc, in, &out, NULL, d, &err)
             : ufc_call(gpu, NULL, &kernels_add_ufunc, in, &out, &err);
}

static ufc_status product(ufc_out out, ufc_plan_description *d) {
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    return d ? ufc_explain(gpu, NULL, &matmul_product_ufunc, in, &out, NULL, d, &err)
             : ufc_call(gpu, NULL, &matmul_product_ufunc, in, &out, &err);
}

static ufc_status total(ufc_out out, ufc_plan_description *d) {
    return d ? ufc_explain_reduce(gpu, NULL, &kernels_total_ufunc, ufc_array(&x), out, NULL, d,
                                  &err)
             : ufc_reduce(gpu, NULL, &kernels_total_ufunc, ufc_array(&x), out, NULL, &err);
}

static ufc_status running(ufc_out out, ufc_plan_description *d) {
    return d ? ufc_explain_accumulate(gpu, NULL, &kernels_total_ufunc, ufc_array(&x), out, NULL, d,
                                      &err)
             : ufc_accumulate(gpu, NULL, &kernels_total_ufunc, ufc_array(&x), out, NULL, &err);
}

static ufc_status segments(ufc_out out, ufc_plan_description *d) {
    return d ? ufc_explain_reduceat(gpu, NULL, &kernels_total_ufunc, ufc_array(&x), &indices, out,
                                    NULL, d, &err)
             : ufc_reduceat(gpu, NULL, &kernels_total_ufunc, ufc_array(&x), &indices, out, NULL,
                            &err);
}

static ufc_status pairs(ufc_out out, ufc_plan_description *d) {
    return d ? ufc_explain_outer(gpu, NULL, &kernels_add_ufunc, ufc_array(&x), ufc_array(&y), out,
                                 NULL, d, &err)
             : ufc_outer(gpu, NULL, &kernels_add_ufunc, ufc_array(&x), ufc_array(&y), out, NULL,
                         &err);
}

static ufc_status at(ufc_out out, ufc_plan_description *d) {
    *out.result = NULL;
    return d ? ufc_explain_at(gpu, NULL, &kernels_total_ufunc, &x, &indices, ufc_float(1), d, &err)
             : ufc_at(gpu, NULL, &kernels_total_ufunc, &x, &indices, ufc_float(1), &err);
}

/* temporaries: how many allocations the call makes beside its result. */
static void compare(const char *name, call *made_or_explained, unsigned temporaries, bool on_host) {
    DLManagedTensorVersioned *made = NULL;
    ufc_plan_description d;
    REQUIRE(made_or_explained(ufc_new(&made), NULL) ==
            UFC_OK); /* code and pinned memory are there */
    bool has_result = made != NULL;
    ufc_free(made);
    unsigned allocated = allocations(), moved = moves(), live = fakecuda_live();
    made = NULL;
    ufc_status status = made_or_explained(ufc_new(&made), &d);
    CHECK(status == UFC_OK && !made);
    CHECK(allocations() == allocated && moves() == moved && fakecuda_live() == live);
    unsigned launches = fakecuda_launches();
    CHECK(made_or_explained(ufc_new(&made), NULL) == UFC_OK);
    launches = fakecuda_launches() - launches;
    allocated = allocations() - allocated - (has_result && !on_host);
    if ((unsigned)d.launches > launches || (!*d.copies && (unsigned)d.launches != launches) ||
        allocated != temporaries || (d.temporaries > 0) != (temporaries > 0)) {
        printf("%s: %u launches, described %d; %u temporaries, described %lld bytes, %s\n", name,
               launches, d.launches, allocated, (long long)d.temporaries, d.copies);
        test_failures++;
    }
    ufc_free(made);
}

int main(void) {
    const ufc_ufunc *const known[] = {&kernels_add_ufunc, &kernels_total_ufunc,
                                      &matmul_product_ufunc};
    for (int i = 0; i < 3; i++)
        fakecuda_register(known[i]);
    REQUIRE(ufc_context_new(&gpu, "cuda", 1, &err) == UFC_OK);
    int64_t n[] = {N}, square[] = {SIDE, SIDE}, four[] = {4};
    int32_t places[] = {5, 1, 5, 7};
    static float host[N];
    DLManagedTensorVersioned *a = new_array(UFC_FLOAT32, MANY), *b = new_array(UFC_FLOAT64, MANY);
    DLTensor on_host = ufc_host_array(host, ufc_dltype(UFC_FLOAT32), 1, n);
    indices = ufc_host_array(places, ufc_dltype(UFC_INT32), 1, four);
    x = a->dl_tensor;
    x.strides = NULL;
    compare("accumulate", running, 1, false);
    compare("reduce", total, 1, false);
    x.shape = n;
    y = x;
    compare("add", add, 0, false);
    compare("reduceat", segments, 1, false);
    compare("at", at, 3, false); /* the number as well, and keys */
    compare("outer", pairs, 0, false);
    y = on_host;
    compare("add of a host array", add, 1, false);
    x = on_host;
    compare("add of host arrays", add, 3, true);
    compare("reduce of a host array", total, 2, true);
    x = a->dl_tensor;
    y = b->dl_tensor;
    x.strides = y.strides = NULL;
    x.ndim = y.ndim = 2;
    x.shape = y.shape = square;
    compare("a product of other types", product, 1, false);
    ufc_free(a);
    ufc_free(b);
    ufc_context_free(gpu);
    return test_failures > 0;
}
