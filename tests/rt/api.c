/* api.c: contexts, memory, copies, and what malformed calls are told. */
#include <math.h>
#include <string.h>
#include "../test.h"
#include "image_abi.h"
#include "kernels.h"
#include "ufc.h"

static ufc_context *context;
static ufc_error err;

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("the message is: %s\n", err.message);
    return false;
}

static DLTensor view(void *data, ufc_type dtype, int ndim, int64_t *shape, int64_t *strides) {
    DLTensor t = ufc_host_array(data, ufc_dltype(dtype), ndim, shape);
    t.strides = strides;
    return t;
}

static void contexts(void) {
    ufc_context *other = NULL;
    ufc_properties p;
    CHECK(ufc_context_new(&other, "cpu", 3, &err) == UFC_OK);
    CHECK(ufc_context_properties(other, &p, &err) == UFC_OK);
    CHECK(p.device.device_type == kDLCPU && p.threads == 3);
    CHECK(strncmp(p.level, "x86-64-v", 8) == 0 && *p.name);
    ufc_context_free(other);
    CHECK(ufc_context_new(&other, "cpu", 1 << 30, &err) == UFC_OK);
    CHECK(ufc_context_properties(other, &p, &err) == UFC_OK && p.threads == 1024);
    ufc_context_free(other);
    ufc_context_free(NULL);

    CHECK(ufc_context_properties(NULL, &p, &err) == UFC_OK);
    CHECK(ufc_context_new(&other, "tpu", 0, &err) == UFC_EINVAL && says("tpu"));
    CHECK(ufc_context_new(&other, "cuda:", 0, &err) == UFC_EINVAL && says("cuda:"));
    CHECK(ufc_context_new(&other, "cuda:x", 0, &err) == UFC_EINVAL);
    CHECK(ufc_context_new(&other, "cuda:99", 0, &err) == UFC_EDEVICE && *err.message);
    CHECK(ufc_context_new(&other, "cpu", -1, &err) == UFC_EINVAL && says("-1"));
    CHECK(ufc_context_new(NULL, "cpu", 0, &err) == UFC_EINVAL);
    CHECK(ufc_context_new(&other, NULL, 0, NULL) == UFC_EINVAL);
    CHECK(ufc_synchronize(context, NULL, &err) == UFC_OK);

    const char *why = "";
    int gpus = ufc_device_count(&why);
    CHECK(gpus > 0 ? !why : why && *why);
    CHECK(ufc_device_count(NULL) == gpus);
}

static void names(void) {
    CHECK(strcmp(ufc_type_name(ufc_dltype(UFC_BOOL)), "bool") == 0);
    CHECK(strcmp(ufc_type_name(ufc_dltype(UFC_UINT16)), "uint16") == 0);
    CHECK(strcmp(ufc_type_name(ufc_dltype(UFC_FLOAT32)), "float32") == 0);
    CHECK(strcmp(ufc_type_name((DLDataType){kDLFloat, 24, 1}), "unsupported") == 0);
    CHECK(strcmp(ufc_type_name((DLDataType){kDLInt, 32, 4}), "unsupported") == 0);
}

static void memory(void) {
    DLManagedTensorVersioned *a = NULL;
    int64_t shape[] = {2, 3, 4};
    REQUIRE(ufc_empty(context, UFC_INT16, 3, shape, UFC_HOST, &a, &err) == UFC_OK);
    shape[0] = 99; /* the array has its own */
    CHECK(a->dl_tensor.ndim == 3 && a->dl_tensor.shape[0] == 2 && a->dl_tensor.shape[2] == 4);
    CHECK(a->dl_tensor.dtype.bits == 16 && a->dl_tensor.dtype.code == kDLInt);
    CHECK(a->dl_tensor.device.device_type == kDLCPU);
    CHECK(!a->dl_tensor.strides || (a->dl_tensor.strides[0] == 12 && a->dl_tensor.strides[2] == 1));
    memset(a->dl_tensor.data, 1, 48);
    a->deleter(a); /* as another library would */

    REQUIRE(ufc_empty(context, UFC_FLOAT64, 0, NULL, UFC_DEVICE, &a, &err) == UFC_OK);
    CHECK(a->dl_tensor.ndim == 0);
    ufc_free(a);
    REQUIRE(ufc_empty(context, UFC_FLOAT64, 2, (int64_t[]){0, 5}, UFC_DEVICE, &a, &err) == UFC_OK);
    CHECK(a->dl_tensor.shape[1] == 5);
    ufc_free(a);
    ufc_free(NULL);

    CHECK(ufc_empty(context, UFC_INT8, 1, (int64_t[]){-1}, UFC_HOST, &a, &err) == UFC_EINVAL &&
          says("(-1)"));
    CHECK(ufc_empty(context, UFC_INT8, -1, shape, UFC_HOST, &a, &err) == UFC_EINVAL);
    CHECK(ufc_empty(context, UFC_INT8, 65, shape, UFC_HOST, &a, &err) == UFC_EINVAL && says("65"));
    CHECK(ufc_empty(context, UFC_INT8, 2, NULL, UFC_HOST, &a, &err) == UFC_EINVAL);
    CHECK(ufc_empty(context, UFC_INT8, 0, NULL, UFC_HOST, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_empty(context, (ufc_type)77, 0, NULL, UFC_HOST, &a, &err) == UFC_EDTYPE);
    int64_t huge[] = {INT64_MAX / 2, 8};
    CHECK(ufc_empty(context, UFC_FLOAT64, 2, huge, UFC_HOST, &a, &err) == UFC_ENOMEM &&
          *err.message);
    CHECK(ufc_empty(context, UFC_FLOAT64, 1, huge, UFC_HOST, &a, NULL) == UFC_ENOMEM);
}

static void copies(void) {
    int32_t from[12], to[12] = {0};
    for (int i = 0; i < 12; i++)
        from[i] = i;
    int64_t shape[] = {3, 4}, back[] = {-4, -1}, columns[] = {1, 3}, other[] = {4, 3};
    DLTensor src = view(from + 11, UFC_INT32, 2, shape, back);
    DLTensor dst = view(to, UFC_INT32, 2, shape, columns);
    CHECK(ufc_copy(context, NULL, &src, &dst, &err) == UFC_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            CHECK(to[i + 3 * j] == 11 - 4 * i - j);

    DLTensor wrong = view(to, UFC_INT32, 2, other, NULL),
             real = view(to, UFC_FLOAT32, 2, shape, NULL);
    CHECK(ufc_copy(context, NULL, &src, &wrong, &err) == UFC_ESHAPE && says("(3,4)") &&
          says("(4,3)"));
    CHECK(ufc_copy(context, NULL, &src, &real, &err) == UFC_EDTYPE && says("int32") &&
          says("float32"));
    CHECK(ufc_copy(context, NULL, NULL, &dst, &err) == UFC_EINVAL);
    CHECK(ufc_copy(context, NULL, &src, NULL, NULL) == UFC_EINVAL);
    int64_t none[] = {0, 4};
    src = dst = view(NULL, UFC_INT32, 2, none, NULL);
    CHECK(ufc_copy(context, NULL, &src, &dst, &err) == UFC_OK);
}

/* Calls add on two inputs. */
static ufc_status add(const DLTensor *x, const DLTensor *y, const DLTensor *out) {
    *err.message = 0;
    return kernels_add(context, NULL, ufc_array(x), ufc_array(y), ufc_into(out), &err);
}

/* Everything is checked before anything is written: `sum` stays as it was. */
static void malformed(void) {
    double a[6] = {1, 2, 3, 4, 5, 6}, sum[6] = {9, 9, 9, 9, 9, 9};
    int64_t two_three[] = {2, 3}, four[] = {4}, three[] = {3}, zeros[] = {0, 0}, minus[] = {2, -3};
    DLTensor x = view(a, UFC_FLOAT64, 2, two_three, NULL), y = x, out = x, bad;
    out.data = sum;

    bad = view(a, UFC_FLOAT64, 1, four, NULL);
    CHECK(add(&x, &bad, &out) == UFC_ESHAPE && says("(2,3)") && says("(4)"));
    bad = view(sum, UFC_FLOAT64, 1, three, NULL);
    CHECK(add(&x, &y, &bad) == UFC_ESHAPE && says("out") && says("(3)") && says("(2,3)"));
    bad = view(sum, UFC_INT32, 2, two_three, NULL);
    CHECK(add(&x, &y, &bad) == UFC_EDTYPE && says("out") && says("int32") && says("float64"));
    bad = view(sum, UFC_FLOAT64, 2, two_three, zeros);
    CHECK(add(&x, &y, &bad) == UFC_EINVAL && says("out"));

    bad = x;
    bad.dtype = (DLDataType){kDLFloat, 80, 1};
    CHECK(add(&x, &bad, &out) == UFC_EDTYPE && says("y"));
    bad.dtype = (DLDataType){kDLFloat, 64, 2};
    CHECK(add(&bad, &y, &out) == UFC_EDTYPE && says("x"));
    bad.dtype = (DLDataType){kDLComplex, 32, 1};
    CHECK(add(&bad, &y, &out) == UFC_EDTYPE && says("x"));
    bad = x;
    bad.data = NULL;
    CHECK(add(&x, &bad, &out) == UFC_EINVAL && says("y") && says("(2,3)"));
    bad = x;
    bad.ndim = -1;
    CHECK(add(&bad, &y, &out) == UFC_EINVAL && says("x"));
    bad.ndim = 65;
    CHECK(add(&bad, &y, &out) == UFC_EINVAL && says("65"));
    bad = view(a, UFC_FLOAT64, 2, minus, NULL);
    CHECK(add(&bad, &y, &out) == UFC_EINVAL && says("(2,-3)"));
    bad = x;
    bad.shape = NULL;
    CHECK(add(&bad, &y, &out) == UFC_EINVAL && says("x"));
    bad = x;
    bad.byte_offset = 4;
    CHECK(add(&x, &bad, &out) == UFC_EINVAL && says("y") && says("8 bytes"));
    bad = x;
    bad.device.device_type = kDLCUDA;
    CHECK(add(&bad, &y, &out) == UFC_EDEVICE && says("GPU"));
    bad.device.device_type = (DLDeviceType)10; /* ROCm's */
    CHECK(add(&bad, &y, &out) == UFC_EDEVICE);

    for (int i = 0; i < 6; i++)
        CHECK(sum[i] == 9);
    CHECK(add(&x, &y, &out) == UFC_OK && sum[5] == 12);
}

static void no_overload(void) {
    double a[2] = {1, 2};
    int8_t b[2];
    int64_t shape[] = {2};
    DLTensor x = view(a, UFC_FLOAT64, 1, shape, NULL), small = view(b, UFC_INT8, 1, shape, NULL);
    ufc_status s = kernels_share(context, NULL, ufc_array(&x), ufc_int(2), ufc_into(&small),
                                 ufc_into(&small), &err);
    CHECK(s == UFC_EDTYPE && says("share") && says("float64") && says("int32"));
    s = kernels_bump(context, NULL, ufc_int(300), ufc_into(&small), &err);
    CHECK(s == UFC_EDTYPE && says("bump"));
    s = kernels_bump(context, NULL, ufc_float(1.5), ufc_into(&small), NULL);
    CHECK(s == UFC_EDTYPE);
}

static void descriptions(void) {
    ufc_description d = ufc_describe(&kernels_share_ufunc), none = ufc_describe(NULL);
    CHECK(strcmp(d.name, "share") == 0 && d.nin == 2 && d.nout == 2 && d.noverloads == 1);
    CHECK(!none.name && !none.doc && !none.operands && !none.nin && !none.nout && !none.noverloads);
    CHECK(strcmp(ufc_signature(&kernels_share_ufunc, 0), "(int32, int32)(int32, int32)") == 0);
    CHECK(!ufc_signature(&kernels_share_ufunc, 1) && !ufc_signature(&kernels_share_ufunc, -1));
    CHECK(!ufc_signature(NULL, 0));
}

static void nothing_given(void) {
    DLManagedTensorVersioned *r = NULL;
    ufc_arg in[] = {ufc_int(1), ufc_int(2)};
    ufc_out out[] = {ufc_new(&r)}, none[] = {{NULL, NULL}};
    CHECK(ufc_call(context, NULL, NULL, in, out, &err) == UFC_EINVAL && says("ufunc"));
    CHECK(ufc_call(context, NULL, &kernels_add_ufunc, NULL, out, &err) == UFC_EINVAL && says("in"));
    CHECK(ufc_call(context, NULL, &kernels_add_ufunc, in, NULL, &err) == UFC_EINVAL && says("out"));
    CHECK(ufc_call(context, NULL, &kernels_add_ufunc, in, none, &err) == UFC_EINVAL && says("out"));
    in[1] = ufc_array(NULL);
    CHECK(ufc_call(context, NULL, &kernels_add_ufunc, in, out, &err) == UFC_EINVAL && says("y"));
    in[1].kind = (ufc_arg_kind)55;
    CHECK(ufc_call(context, NULL, &kernels_add_ufunc, in, out, &err) == UFC_EINVAL && says("y"));
    CHECK(!r);
}

/* Two results, one given and one allocated; numbers only; a result of its own of rank 0. */
static void results(void) {
    int32_t a[] = {17, 5, -7}, quotient[3];
    int64_t shape[] = {3};
    DLTensor x = view(a, UFC_INT32, 1, shape, NULL), q = x;
    DLManagedTensorVersioned *rest = NULL;
    q.data = quotient;
    CHECK(kernels_share(context, NULL, ufc_array(&x), ufc_int(5), ufc_into(&q), ufc_new(&rest),
                        &err) == UFC_OK);
    REQUIRE(rest);
    const int32_t *r = rest->dl_tensor.data;
    CHECK(quotient[0] == 3 && quotient[1] == 1 && quotient[2] == -2);
    CHECK(r[0] == 2 && r[1] == 0 && r[2] == 3);
    ufc_free(rest);

    CHECK(kernels_halve(context, NULL, ufc_float(3), ufc_new(&rest), &err) == UFC_OK);
    CHECK(rest->dl_tensor.ndim == 0);
    ufc_free(rest);
    CHECK(kernels_add(NULL, NULL, ufc_array(&x), ufc_array(&x), ufc_new(&rest), NULL) == UFC_OK);
    CHECK(rest->dl_tensor.device.device_type == kDLCPU &&
          ((int32_t *)rest->dl_tensor.data)[2] == -14);
    ufc_free(rest);
}

/* A ufunc that another version of ufc has written, or nothing has. */
static void strange(void) {
    const ufc_ufunc *known = &kernels_add_ufunc;
    struct ufc_ufunc old = *known, large = *known;
    DLManagedTensorVersioned *r;
    ufc_arg in[] = {ufc_int(1), ufc_int(2)};
    ufc_out out = ufc_new(&r);
    old.version--;
    large.nin = 200;
    CHECK(ufc_call(context, NULL, &old, in, &out, &err) == UFC_EINVAL && says("image version"));
    CHECK(ufc_call(context, NULL, &large, in, &out, &err) == UFC_EINVAL && says("200 inputs"));
    CHECK(ufc_call(context, NULL, NULL, in, &out, &err) == UFC_EINVAL);
}

/* What was to be made is NULL after a failure, whatever was in its place. */
static void failures(void) {
    int64_t shape[] = {-1};
    DLTensor bad = view(&bad, UFC_INT8, 1, shape, NULL);
    ufc_context *none = context;
    DLManagedTensorVersioned some, *a = &some;
    CHECK(ufc_context_new(&none, "cpu", -1, &err) == UFC_EINVAL && !none);
    CHECK(ufc_empty(context, UFC_INT8, 1, shape, UFC_HOST, &a, &err) == UFC_EINVAL && !a);
    a = &some;
    CHECK(ufc_empty_like(context, &bad, UFC_HOST, &a, &err) == UFC_EINVAL && !a);
    a = &some;
    CHECK(ufc_to_host(context, NULL, &bad, &a, &err) == UFC_EINVAL && !a);
    a = &some;
    CHECK(ufc_npy_read("/no such file", &a, &err) == UFC_EIO && !a);
    a = &some;
    CHECK(ufc_npy_read_fd(-1, &a, &err) == UFC_EIO && !a);
}

/* lgamma alone of libm's functions writes a variable of the process. */
static void sign_of_gamma(void) {
    double x[] = {-0.5, 0.5, -1.5, 3}, y[4];
    int64_t shape[] = {4};
    DLTensor in = view(x, UFC_FLOAT64, 1, shape, NULL), out = in;
    out.data = y;
    signgam = 77;
    CHECK(kernels_log_gamma(context, NULL, ufc_array(&in), ufc_into(&out), &err) == UFC_OK);
    CHECK(signgam == 77);
    for (int i = 0; i < 4; i++)
        CHECK(y[i] == lgamma(x[i]));
    DLManagedTensorVersioned *r = NULL;
    REQUIRE(kernels_log_gamma(context, NULL, ufc_float(4), ufc_new(&r), &err) == UFC_OK);
    CHECK(fabs(*(double *)r->dl_tensor.data - log(6)) < 1e-15);
    ufc_free(r);
}

int main(void) {
    REQUIRE(ufc_context_new(&context, "cpu", 0, &err) == UFC_OK);
    contexts();
    names();
    memory();
    copies();
    malformed();
    no_overload();
    descriptions();
    nothing_given();
    results();
    failures();
    strange();
    sign_of_gamma();
    ufc_context_free(context);
    return test_failures > 0;
}
