/* gufunc.c: what golden/gufuncs does not show of gufuncs: what errors say, checks, threads, types
 * that are told apart, descriptions. */
#include <string.h>
#include "records.h"
#include "../test.h"
#include "small_stack.h"
#include "ufc.h"

static ufc_context *host;
static ufc_error err;

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("no '%s' in: %s\n", words, err.message);
    return false;
}

enum { MAX = 4096 };
static double x[MAX], y[MAX], z[MAX];

/* An array of float64 in C order. */
#define SHAPE(...)                                                                                 \
    (int64_t[]) {                                                                                  \
        __VA_ARGS__                                                                                \
    }
#define ARRAY(data, ndim, ...)                                                                     \
    ufc_host_array(data, ufc_dltype(UFC_FLOAT64), ndim, SHAPE(__VA_ARGS__))

static ufc_status call(const ufc_ufunc *f, ufc_arg a, ufc_arg b, const DLTensor *out,
                       const ufc_keywords *kw) {
    DLManagedTensorVersioned *result = NULL;
    ufc_arg in[] = {a, b};
    ufc_out o = out ? ufc_into(out) : ufc_new(&result);
    *err.message = 0;
    ufc_status status = ufc_call_with(host, NULL, f, in, &o, kw, &err);
    CHECK(status != UFC_OK || out || result);
    CHECK(status == UFC_OK || !result);
    ufc_free(result);
    return status;
}

#define FAILS(status, f, a, b, out, kw)                                                            \
    CHECK(call(&gufuncs_##f##_ufunc, ufc_array(&a), ufc_array(&b), out, kw) == status)

/* ---- what errors say */

static void errors_of_shapes(void) {
    DLTensor a = ARRAY(x, 2, 2, 3), b = ARRAY(y, 2, 4, 2), v = ARRAY(y, 1, 3),
             c = ARRAY(z, 2, 2, 5);
    DLTensor four = ARRAY(y, 1, 4), none = ARRAY(y, 1, 0), wrong = ARRAY(z, 1, 5);
    FAILS(UFC_ESHAPE, matrix_multiply, a, b, NULL, NULL);
    CHECK(says("matrix_multiply: argument 2 ('b'): shape (4,2): core dimension 0, 'n', is 4, but 3 "
               "in 'a'; the signature is (m,n),(n,p)->(m,p)"));
    b = ARRAY(y, 2, 3, 2);
    FAILS(UFC_ESHAPE, matrix_multiply, a, b, &c, NULL);
    CHECK(says("output 'c': shape (2,5): core dimension 1, 'p', is 5, but 2 in 'b'"));
    FAILS(UFC_ESHAPE, matrix_multiply, a, v, NULL, NULL);
    CHECK(says("argument 2 ('b'): shape (3) has too few axes for 2 core dimensions"));
    CHECK(call(&gufuncs_inner1d_ufunc, ufc_array(&a), ufc_int(3), NULL, NULL) == UFC_ESHAPE &&
          says("argument 2 ('b'): it is a number, and has no axes for 1 core dimension;"));
    FAILS(UFC_ESHAPE, cross1d, a, four, NULL, NULL);
    CHECK(says("argument 2 ('b'): shape (4): core dimension 0, '3', is 4, but must be 3"));
    FAILS(UFC_ESHAPE, conv1d_full, v, four, &wrong, NULL);
    CHECK(says("output 'out': shape (5): core dimension 0, 'm + n - 1', is 5, but must be 6 with m "
               "3, n 4; the signature is (m),(n)->(m + n - 1)"));
    FAILS(UFC_ESHAPE, conv1d_full, none, none, NULL, NULL);
    CHECK(says("conv1d_full: core dimension 'm + n - 1' is -1 with m 0, n 0"));
    b = ARRAY(y, 2, 5, 3);
    FAILS(UFC_ESHAPE, inner1d, a, b, NULL, NULL);
    CHECK(says("shapes do not broadcast: a (2), b (5) (without core dimensions, (i),(i)->())"));
    int64_t huge[] = {INT64_MAX / 2, 0};
    DLTensor vast = ufc_host_array(NULL, ufc_dltype(UFC_FLOAT64), 2, huge);
    CHECK(call(&gufuncs_euclidean_pdist_ufunc, ufc_array(&vast), ufc_int(0), NULL, NULL) ==
              UFC_ESHAPE &&
          says("'n * (n - 1) // 2' is too large with n 4611686018427387903"));
}

static void errors_of_keywords(void) {
    DLTensor a = ARRAY(x, 2, 3, 3), b = ARRAY(y, 2, 3, 3), one = ARRAY(z, 2, 1, 3);
    DLTensor mask = ufc_host_array(z, ufc_dltype(UFC_BOOL), 1, SHAPE(3));
    const ufc_axes two[] = {{(int[]){0, 1}, 2}, {(int[]){0, 3}, 2}, {(int[]){0, 0}, 2}};
    const ufc_axes single[] = {{(int[]){0}, 1}, {(int[]){-1}, 1}};
    ufc_keywords kw = {.where = &mask};
    FAILS(UFC_EINVAL, inner1d, a, b, NULL, &kw);
    CHECK(says("inner1d: a gufunc takes no 'where'"));
    kw = (ufc_keywords){.keepdims = true};
    FAILS(UFC_EINVAL, matrix_multiply, a, b, NULL, &kw);
    CHECK(says("'keepdims' is for inputs that all have as many core dimensions"));
    FAILS(UFC_ESHAPE, inner1d, a, b, &one, &kw);
    CHECK(says("output 'out': shape (1,3) must have size 1 where 'keepdims' adds an axis"));
    kw = (ufc_keywords){.axes = (int[]){0}, .naxes = 1};
    FAILS(UFC_EINVAL, matrix_multiply, a, b, NULL, &kw);
    CHECK(says("'axes' is for a single core dimension"));
    kw.core_axes = single;
    kw.ncore_axes = 2;
    FAILS(UFC_EINVAL, inner1d, a, b, NULL, &kw);
    CHECK(says("both"));
    kw = (ufc_keywords){.core_axes = single, .ncore_axes = 1};
    FAILS(UFC_EINVAL, inner1d, a, b, NULL, &kw);
    CHECK(says("given for 1 operands: there are 3"));
    kw = (ufc_keywords){.core_axes = two, .ncore_axes = 3};
    FAILS(UFC_EINVAL, matrix_multiply, a, b, NULL, &kw);
    CHECK(says("argument 2 ('b'): axis 3 is out of bounds for rank 2"));
    kw.core_axes = (ufc_axes[]){two[0], two[0], two[2]};
    FAILS(UFC_EINVAL, matrix_multiply, a, b, NULL, &kw);
    CHECK(says("output 'c': axis 0 is given twice"));
    kw.core_axes = (ufc_axes[]){two[0], single[0], two[0]};
    FAILS(UFC_EINVAL, matrix_multiply, a, b, NULL, &kw);
    CHECK(says("argument 2 ('b'): it has 2 core dimensions, 1 axes are given"));
}

static void errors_of_outputs(void) {
    DLTensor a = ARRAY(x, 2, 4, 3), low = ARRAY(z, 1, 4), high = ARRAY(z + 3, 1, 4);
    ufc_arg in[] = {ufc_array(&a)};
    CHECK(ufc_call(host, NULL, &gufuncs_minmax_ufunc, in,
                   (ufc_out[]){ufc_into(&low), ufc_into(&high)}, &err) == UFC_EINVAL &&
          says("minmax: outputs 'low' and 'high' overlap in memory"));
    DLTensor same = ARRAY(z, 2, 4, 3);
    same.strides = SHAPE(3, 0);
    CHECK(ufc_call(host, NULL, &gufuncs_cumsum_ufunc, in, &(ufc_out){.array = &same}, &err) ==
              UFC_EINVAL &&
          says("elements of output 'out' overlap each other"));
}

static void methods(void) {
    DLTensor a = ARRAY(x, 2, 4, 3), out = ARRAY(z, 2, 4, 3);
    ufc_out o = ufc_into(&out);
    ufc_arg arg = ufc_array(&a);
    const ufc_ufunc *f = &gufuncs_inner1d_ufunc;
    const char *words = "'inner1d' is a gufunc, (i),(i)->(), and has no methods";
    CHECK(ufc_reduce(host, NULL, f, arg, o, NULL, &err) == UFC_EINVAL && says(words));
    CHECK(ufc_accumulate(host, NULL, f, arg, o, NULL, &err) == UFC_EINVAL && says(words));
    CHECK(ufc_outer(host, NULL, f, arg, arg, o, NULL, &err) == UFC_EINVAL && says(words));
    CHECK(ufc_at(host, NULL, f, &a, &a, arg, &err) == UFC_EINVAL && says(words));
}

/* core_axes are for gufuncs. */
static void ufuncs(void) {
    DLTensor a = ARRAY(x, 1, 3);
    const ufc_axes axes[] = {{(int[]){0}, 1}};
    ufc_keywords kw = {.core_axes = axes, .ncore_axes = 1};
    CHECK(call(&gufuncs_copy_ufunc, ufc_array(&a), ufc_int(0), NULL, &kw) == UFC_EINVAL);
}

/* ---- dimensions that NumPy knows from outputs alone, and where all of them are optional */

static void fill(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    (void)data;
    for (intptr_t call_ = 0; call_ < dimensions[0]; call_++)
        for (intptr_t i = 0; i < dimensions[1]; i++)
            AT(double, args[1], call_ *steps[1] + i * steps[2]) =
                AT(double, args[0], call_ *steps[0]) + (double)i;
}

static void from_outputs(void) {
    static const struct ufc_dim dims[] = {NAMED("p")};
    const struct ufc_core core = {.signature = "()->(p)",
                                  .ndims = 1,
                                  .dims = dims,
                                  .rank = (const uint8_t[]){0, 1},
                                  .dim = (const uint8_t[]){0}};
    const struct ufc_overload overload = {.dtypes = (const uint8_t[]){DT_FLOAT64, DT_FLOAT64},
                                          .signature = "float64(float64)",
                                          .host = {fill}};
    ufc_ufunc f = gufuncs_cumsum_ufunc;
    f.name = "fill";
    f.core = &core;
    f.overloads = &overload;
    f.noverloads = 1;
    DLTensor a = ARRAY(x, 1, 2), out = ARRAY(z, 2, 2, 4);
    CHECK(call(&f, ufc_array(&a), ufc_int(0), NULL, NULL) == UFC_ESHAPE &&
          says("fill: output 'out': its core dimension 0, 'p', is no input's: give an array"));
    CHECK(call(&f, ufc_array(&a), ufc_int(0), &out, NULL) == UFC_OK && z[3] == x[0] + 3 &&
          z[7] == x[1] + 3);
    CHECK(call(&f, ufc_float(2.5), ufc_int(0), &out, NULL) == UFC_OK && z[3] == 5.5 && z[7] == 5.5);
    /* its image has no copies, which GPUs alone need */
    int32_t whole[] = {4, 5};
    DLTensor w = ufc_host_array(whole, ufc_dltype(UFC_INT32), 1, SHAPE(2));
    CHECK(call(&f, ufc_array(&w), ufc_int(0), &out, NULL) == UFC_OK && z[3] == 7 && z[7] == 8);
}

static void all_optional(void) {
    static const struct ufc_dim dims[] = {OPTIONAL("i")};
    struct ufc_core core = gufuncs_cumsum_core;
    ufc_ufunc f = gufuncs_cumsum_ufunc;
    core.dims = dims;
    f.core = &core;
    DLTensor scalar = ufc_host_array(z, ufc_dltype(UFC_FLOAT64), 0, NULL), row = ARRAY(x, 1, 3);
    CHECK(call(&f, ufc_float(2.5), ufc_int(0), &scalar, NULL) == UFC_OK && z[0] == 2.5);
    DLTensor out = ARRAY(z, 1, 3);
    CHECK(call(&f, ufc_float(7), ufc_int(0), &out, NULL) == UFC_OK && z[0] == 7 && z[2] == 7);
    CHECK(call(&f, ufc_array(&row), ufc_int(0), &out, NULL) == UFC_OK &&
          z[2] == x[0] + x[1] + x[2]);
}

/* ---- a build with checks: the first fault in the order of the loop, on any number of threads */

static void checked_sum(char **args, const intptr_t *dimensions, const intptr_t *steps,
                        void *data) {
    struct ufc_fault *fault = data;
    for (intptr_t call_ = 0; call_ < dimensions[0]; call_++) {
        double last = AT(double, args[0], call_ *steps[0]);
        if (last >= (double)dimensions[1] && fault && !fault->set)
            *fault = (struct ufc_fault){1, 0, (int64_t)last, dimensions[1], 0};
        AT(double, args[1], call_ *steps[1]) = last;
    }
}

static void checks(void) {
    const struct ufc_overload overload = {.dtypes = (const uint8_t[]){DT_FLOAT64, DT_FLOAT64},
                                          .signature = "float64(float64)",
                                          .host = {checked_sum},
                                          .flags = UFC_CHECKS};
    struct ufc_core core = gufuncs_cumsum_core;
    ufc_ufunc f = gufuncs_cumsum_ufunc;
    f.nplaces = 1;
    f.places = (const char *const[]){"f.uf:3:8: x[i], dimension 1"};
    core.rank = (const uint8_t[]){1, 0};
    f.core = &core;
    f.overloads = &overload;
    f.noverloads = 1;
    enum { CALLS = 40000, WIDTH = 20 };
    double *in = calloc(CALLS * WIDTH, sizeof *in), *out = calloc(CALLS, sizeof *out);
    REQUIRE(in && out);
    DLTensor a = ARRAY(in, 2, CALLS, WIDTH), r = ARRAY(out, 1, CALLS);
    for (int i = 11111; i < CALLS; i += 111)
        in[i * WIDTH] = 1000 + i;
    for (int threads = 1; threads < 5; threads++) {
        REQUIRE(ufc_context_new(&host, "cpu", threads, &err) == UFC_OK);
        CHECK(call(&f, ufc_array(&a), ufc_int(0), &r, NULL) == UFC_EINVAL &&
              says("cumsum: f.uf:3:8: x[i], dimension 1: index 12111 is out of range for size 20"));
        ufc_context_free(host);
    }
    free(in);
    free(out);
}

/* ---- threads */

static void bits_of_threads(void) {
    enum { CALLS = 300, N = 700 };
    double *a = malloc(CALLS * N * sizeof *a), *out[2];
    REQUIRE(a);
    for (int i = 0; i < CALLS * N; i++)
        a[i] = random_unit(3, (uint64_t)i);
    for (int k = 0; k < 2; k++) {
        REQUIRE(ufc_context_new(&host, "cpu", k ? 4 : 1, &err) == UFC_OK);
        REQUIRE((out[k] = malloc(CALLS * N * sizeof *a)));
        DLTensor in = ARRAY(a, 2, CALLS, N), to = ARRAY(out[k], 2, CALLS, N);
        CHECK(call(&gufuncs_cumsum_ufunc, ufc_array(&in), ufc_int(0), &to, NULL) == UFC_OK);
        ufc_context_free(host);
    }
    CHECK(memcmp(out[0], out[1], CALLS * N * sizeof *a) == 0);
    free(a);
    free(out[0]);
    free(out[1]);
}

/* Half of what ufc.h says of stacks, as these kernels take none, and 8 KiB of the thread's own:
 * other types, shared memory. */
static void *convert_and_copy(void *unused) {
    static float single[MAX];
    DLTensor a = ARRAY(x, 2, 30, 30),
             b = ufc_host_array(single, ufc_dltype(UFC_FLOAT32), 2, a.shape), c = b;
    (void)unused;
    CHECK(call(&gufuncs_matmul_ufunc, ufc_array(&a), ufc_array(&b), &c, NULL) == UFC_OK);
    CHECK(call(&gufuncs_matmul_ufunc, ufc_array(&a), ufc_array(&b), &a, NULL) == UFC_OK);
    return NULL;
}

static void small_stack(void) {
    on_small_stack(32768, convert_and_copy, NULL);
    for (int i = 0; i < MAX; i++)
        x[i] = i % 10;
}

/* ---- records */

static void records(void) {
    DLTensor a = ARRAY(x, 2, 3, 3);
    CHECK(strcmp(ufc_describe(&gufuncs_matmul_ufunc).core, "(m?,n),(n,p?)->(m?,p?)") == 0);
    CHECK(ufc_describe(&gufuncs_copy_ufunc).core == NULL);
    struct ufc_core core = gufuncs_cumsum_core;
    ufc_ufunc f = gufuncs_cumsum_ufunc;
    core.ndims = UFC_MAX_PARAMETER / 8;
    f.core = &core;
    CHECK(call(&f, ufc_array(&a), ufc_int(0), NULL, NULL) == UFC_EINVAL &&
          says("'cumsum' has too many core dimensions"));
}

int main(void) {
    for (int i = 0; i < MAX; i++)
        x[i] = y[i] = i % 10;
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    errors_of_shapes();
    errors_of_keywords();
    errors_of_outputs();
    methods();
    ufuncs();
    from_outputs();
    all_optional();
    small_stack();
    records();
    ufc_context_free(host);
    checks();
    bits_of_threads();
    return test_failures > 0;
}
