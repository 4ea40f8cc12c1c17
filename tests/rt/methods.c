/* methods.c: what malformed calls of methods are told, and that threads do not change a bit. */
#include <fenv.h>
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

static ufc_context *context;
static ufc_error err;
static DLManagedTensorVersioned *made;

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

static ufc_status total(const DLTensor *x, ufc_out out, const ufc_keywords *kw) {
    *err.message = 0;
    return ufc_reduce(context, NULL, &kernels_total_ufunc, ufc_array(x), out, kw, &err);
}

static double a[6] = {1, 2, 3, 4, 5, 6}, sum[6];
static int64_t two_three[] = {2, 3}, three[] = {3}, two[] = {2}, zeros[] = {0, 0};

static void keywords(void) {
    DLTensor x = view(a, UFC_FLOAT64, 2, two_three, NULL),
             out = view(sum, UFC_FLOAT64, 1, three, NULL);
    ufc_arg ten = ufc_float(10);
    CHECK(total(&x, ufc_into(&out), NULL) == UFC_OK && sum[0] == 5 && sum[2] == 9);
    CHECK(total(&x, ufc_into(&out), &(ufc_keywords){.axes = (int[]){-2}, .naxes = 1}) == UFC_OK);
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.all_axes = true, .initial = &ten}) == UFC_OK);
    CHECK(made->dl_tensor.ndim == 0 && *(double *)made->dl_tensor.data == 31);
    ufc_free(made);

    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.axes = (int[]){2}, .naxes = 1}) ==
              UFC_EINVAL &&
          says("axis 2"));
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.axes = (int[]){1, -1}, .naxes = 2}) ==
              UFC_EINVAL &&
          says("twice"));
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.naxes = 1}) == UFC_EINVAL && says("NULL"));
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.casting = UFC_CASTING_SAFE}) == UFC_EINVAL &&
          says("total.reduce takes no 'casting'"));
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.where = &x}) == UFC_EDTYPE && says("where"));
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.dtype = ufc_dltype(UFC_INT8)}) == UFC_EDTYPE &&
          says("int8"));
    ten = ufc_array(&x);
    CHECK(total(&x, ufc_new(&made), &(ufc_keywords){.initial = &ten}) == UFC_EINVAL &&
          says("initial"));
    ufc_arg in[] = {ufc_array(&x), ufc_int(1)};
    ufc_out outs[] = {ufc_new(&made)};
    CHECK(ufc_call_with(context, NULL, &kernels_add_ufunc, in, outs,
                        &(ufc_keywords){.keepdims = true}, &err) == UFC_EINVAL);
    CHECK(ufc_call_with(context, NULL, &kernels_add_ufunc, in, outs,
                        &(ufc_keywords){.casting = (ufc_casting)9}, &err) == UFC_EINVAL &&
          says("9"));
}

/* A call that fails leaves no result; one computes as by the default environment. */
static void leaves(void) {
    DLTensor x = view(a, UFC_FLOAT64, 2, two_three, NULL),
             tiny = view(sum, UFC_FLOAT64, 1, two, NULL);
    const ufc_ufunc *f = &kernels_total_ufunc;
    const ufc_keywords wrong = {.casting = (ufc_casting)9};
    DLManagedTensorVersioned *const before = (DLManagedTensorVersioned *)(void *)a;
    made = before;
    CHECK(total(&x, ufc_new(&made), &wrong) == UFC_EINVAL && made == NULL);
    made = before;
    CHECK(ufc_accumulate(context, NULL, f, ufc_array(NULL), ufc_new(&made), NULL, NULL) ==
              UFC_EINVAL &&
          made == NULL);
    made = before;
    CHECK(ufc_reduceat(context, NULL, f, ufc_array(&x), NULL, ufc_new(&made), NULL, NULL) ==
              UFC_EINVAL &&
          made == NULL);
    made = before;
    CHECK(ufc_outer(context, NULL, f, ufc_array(&x), ufc_int(1), ufc_new(&made), &wrong, NULL) ==
              UFC_EINVAL &&
          made == NULL);
    sum[0] = 1;
    sum[1] = 0x1p-60;
    CHECK(fesetround(FE_UPWARD) == 0);
    CHECK(ufc_reduce(context, NULL, f, ufc_array(&tiny), ufc_new(&made), NULL, NULL) == UFC_OK);
    CHECK(fegetround() == FE_UPWARD && fesetround(FE_TONEAREST) == 0);
    CHECK(made && *(double *)made->dl_tensor.data == 1);
    ufc_free(made);
}

static void arrays(void) {
    DLTensor x = view(a, UFC_FLOAT64, 2, two_three, NULL),
             out = view(sum, UFC_FLOAT64, 1, two, NULL);
    DLTensor bad = view(sum, UFC_INT32, 1, three, NULL);
    CHECK(total(&x, ufc_into(&out), NULL) == UFC_ESHAPE && says("(2)") && says("(3)"));
    CHECK(total(&x, ufc_into(&bad), NULL) == UFC_EDTYPE && says("int32"));
    out = view(sum, UFC_FLOAT64, 1, three, zeros);
    CHECK(total(&x, ufc_into(&out), NULL) == UFC_EINVAL && says("overlap"));
    CHECK(total(&x, (ufc_out){NULL, NULL}, NULL) == UFC_EINVAL && says("out"));
    CHECK(total(NULL, ufc_new(&made), NULL) == UFC_EINVAL && says("array"));
    CHECK(ufc_reduce(context, NULL, NULL, ufc_int(1), ufc_new(&made), NULL, &err) == UFC_EINVAL);
    CHECK(ufc_reduce(context, NULL, &kernels_halve_ufunc, ufc_int(1), ufc_new(&made), NULL, NULL) ==
          UFC_EINVAL);
    CHECK(ufc_accumulate(context, NULL, &kernels_share_ufunc, ufc_int(1), ufc_new(&made), NULL,
                         &err) == UFC_EINVAL &&
          says("share"));
    int64_t none[] = {0, 3};
    x = view(NULL, UFC_FLOAT64, 2, none, NULL);
    CHECK(ufc_reduce(context, NULL, &kernels_last_ufunc, ufc_array(&x), ufc_new(&made), NULL,
                     &err) == UFC_EINVAL &&
          says("'last' has no identity") && says("(0,3)"));
    x.device.device_type = kDLCUDA;
    CHECK(total(&x, ufc_new(&made), NULL) != UFC_OK);
}

static void indices(void) {
    int64_t list[] = {0, 2, 1}, off[] = {3};
    DLTensor x = view(a, UFC_FLOAT64, 1, three, NULL), i = view(list, UFC_INT64, 1, three, NULL);
    DLTensor bad = view(off, UFC_INT64, 1, (int64_t[]){1}, NULL);
    const ufc_ufunc *f = &kernels_total_ufunc;
    CHECK(ufc_reduceat(context, NULL, f, ufc_array(&x), &bad, ufc_new(&made), NULL, &err) ==
              UFC_EINVAL &&
          says("index 3"));
    CHECK(ufc_reduceat(context, NULL, f, ufc_array(&x), NULL, ufc_new(&made), NULL, &err) ==
          UFC_EINVAL);
    CHECK(ufc_reduceat(context, NULL, f, ufc_array(&x), &x, ufc_new(&made), NULL, &err) ==
              UFC_EDTYPE &&
          says("indices"));
    CHECK(ufc_at(context, NULL, f, &x, &bad, ufc_int(1), &err) == UFC_EINVAL && says("index 3"));
    CHECK(a[0] == 1 && a[2] == 3);
    CHECK(ufc_at(context, NULL, f, &x, &x, ufc_int(1), &err) == UFC_EDTYPE);
    CHECK(ufc_at(context, NULL, f, NULL, &i, ufc_int(1), &err) == UFC_EINVAL && says("array"));
    CHECK(ufc_at(context, NULL, f, &x, &i, ufc_array(&(DLTensor){.ndim = -1}), &err) != UFC_OK &&
          says("y"));
    CHECK(ufc_at(context, NULL, f, &x, &i, ufc_array(&x), &err) == UFC_OK); /* its own y */
    CHECK(a[0] == 2 && a[1] == 5 && a[2] == 5);
}

/* Many pieces, lanes and remainders: the same for all numbers of threads, and all strides. */
static void threads(void) {
    enum { N = 300007 };
    static float x[2 * N], sums[2][N];
    int64_t n[] = {N}, step[] = {2};
    for (int i = 0; i < 2 * N; i++)
        x[i] = (float)(random_bits(7, (uint64_t)i / 2) % 10007) / 97;
    DLTensor strided = view(x, UFC_FLOAT32, 1, n, step);
    float first = 0, result;
    DLTensor out = view(&result, UFC_FLOAT32, 0, NULL, NULL);
    for (int t = 1; t <= 4; t++) {
        ufc_context *many;
        REQUIRE(ufc_context_new(&many, "cpu", t, &err) == UFC_OK);
        DLTensor to = view(sums[t > 1], UFC_FLOAT32, 1, n, NULL);
        const ufc_ufunc *f = &kernels_total_ufunc;
        CHECK(ufc_reduce(many, NULL, f, ufc_array(&strided), ufc_into(&out), NULL, &err) == UFC_OK);
        first = t == 1 ? result : first;
        CHECK(result == first && result > 1e7F);
        CHECK(ufc_accumulate(many, NULL, f, ufc_array(&strided), ufc_into(&to), NULL, &err) ==
              UFC_OK);
        CHECK(t == 1 || memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
        ufc_context_free(many);
    }
    for (int i = 0; i < N; i++)
        x[i] = x[2 * i];
    DLTensor packed = view(x, UFC_FLOAT32, 1, n, NULL);
    CHECK(total(&packed, ufc_into(&out), NULL) == UFC_OK && result == first);
}

/* Lines that are neighbours and lines apart from each other: the same bits, for a function of
 * libmvec too, with and without an order, however wide the rows are. */
static void layouts(const ufc_ufunc *f, int64_t rows, int64_t columns) {
    enum { MOST = 1 << 20 };
    static float x[MOST], turned[MOST], result[2][MOST];
    int64_t shape[] = {rows, columns}, across[] = {1, rows};
    REQUIRE(rows * columns <= MOST);
    for (int64_t i = 0; i < rows * columns; i++) {
        x[i] = (float)(random_bits(9, (uint64_t)i) % 10007) / 997;
        turned[i % columns * rows + i / columns] = x[i];
    }
    DLTensor wide = view(x, UFC_FLOAT32, 2, shape, NULL),
             tall = view(turned, UFC_FLOAT32, 2, shape, across);
    DLTensor out[] = {view(result[0], UFC_FLOAT32, 1, &columns, NULL),
                      view(result[1], UFC_FLOAT32, 1, &columns, NULL)};
    CHECK(ufc_reduce(context, NULL, f, ufc_array(&wide), ufc_into(&out[0]), NULL, &err) == UFC_OK);
    CHECK(ufc_reduce(context, NULL, f, ufc_array(&tall), ufc_into(&out[1]), NULL, &err) == UFC_OK);
    CHECK(memcmp(result[0], result[1], (size_t)columns * sizeof *x) == 0);
    DLTensor all[] = {view(result[0], UFC_FLOAT32, 2, shape, NULL),
                      view(result[1], UFC_FLOAT32, 2, shape, NULL)};
    CHECK(ufc_accumulate(context, NULL, f, ufc_array(&wide), ufc_into(&all[0]), NULL, &err) ==
          UFC_OK);
    CHECK(ufc_accumulate(context, NULL, f, ufc_array(&tall), ufc_into(&all[1]), NULL, &err) ==
          UFC_OK);
    CHECK(memcmp(result[0], result[1], (size_t)(rows * columns) * sizeof *x) == 0);
}

static void all_layouts(void) {
    static const int64_t shapes[][2] = {{7, 3},    {8, 9},     {130, 8},
                                        {300, 70}, {37, 9001}, {40000, 11}};
    for (int i = 0; i < 6; i++) {
        layouts(&kernels_total_ufunc, shapes[i][0], shapes[i][1]);
        layouts(&kernels_soft_ufunc, shapes[i][0], shapes[i][1]);
        layouts(&kernels_softer_ufunc, shapes[i][0], shapes[i][1]);
    }
}

int main(void) {
    REQUIRE(ufc_context_new(&context, "cpu", 0, &err) == UFC_OK);
    keywords();
    leaves();
    arrays();
    indices();
    threads();
    all_layouts();
    ufc_context_free(context);
    return test_failures > 0;
}
