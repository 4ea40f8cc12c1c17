/* gpu_empty.c: calls and methods that have nothing to write, whose shapes say of huge loops, are
 * done at once, on the host, in the simulator and on a GPU. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "empty.h"
#include "ufc.h"

/* Where there is no memory a sanitizer says so, as malloc does. */
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

enum { HUGE_EXTENT = 40 };
static const int64_t huge = (int64_t)1 << HUGE_EXTENT;
static ufc_context *ctx;
static ufc_error err;
static DLManagedTensorVersioned *made;

static DLTensor view(ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(NULL, ufc_dltype(type), ndim, shape);
}

/* The result has this shape. */
static void gives(ufc_status status, int ndim, const int64_t *shape) {
    CHECK(status == UFC_OK || !printf("%s\n", err.message));
    CHECK(status != UFC_OK ||
          (made && made->dl_tensor.ndim == ndim &&
           (ndim == 0 || memcmp(made->dl_tensor.shape, shape, (size_t)ndim * 8) == 0)));
    ufc_free(made);
    made = NULL;
}

/* Calls whose rows are copied side by side, beside an array that would have huge gaps there. */
static void copied(void) {
    enum { CALLS = 64, LENGTH = 128 };
    static double x[CALLS * LENGTH], y[CALLS * LENGTH];
    DLTensor from = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){CALLS, LENGTH}),
             to = from, e = view(UFC_FLOAT64, 3, (int64_t[]){CALLS, huge << 20, 0});
    to.data = y;
    CHECK(empty_powers(ctx, NULL, ufc_array(&from), ufc_array(&e), ufc_into(&to), &err) == UFC_OK);
    for (int i = 0; i < CALLS * LENGTH; i++)
        CHECK(y[i] == 1);
}

static void gufuncs(void) {
    int64_t rows[] = {huge, 0}, beside[] = {huge, 1, 0}, across[] = {1024, 0}, none[] = {0};
    DLTensor x = view(UFC_FLOAT64, 2, rows), z = view(UFC_FLOAT64, 3, beside),
             w = view(UFC_FLOAT64, 2, across), k = view(UFC_FLOAT64, 1, none);
    gives(empty_running(ctx, NULL, ufc_array(&x), ufc_new(&made), &err), 2, rows);
    gives(empty_running(ctx, NULL, ufc_array(&x), ufc_into(&x), &err) == UFC_OK
              ? empty_running(ctx, NULL, ufc_array(&z), ufc_new(&made), &err)
              : UFC_EINVAL,
          3, beside);
    x.dtype = ufc_dltype(UFC_INT8); /* of another type */
    gives(empty_running(ctx, NULL, ufc_array(&x), ufc_new(&made), &err), 2, rows);
    DLManagedTensorVersioned *low = NULL;
    CHECK(empty_split(ctx, NULL, ufc_array(&z), ufc_array(&w), ufc_new(&low), ufc_new(&made),
                      &err) == UFC_OK);
    ufc_free(low);
    gives(UFC_OK, 3, (int64_t[]){huge, 1024, 0});
    DLTensor out = view(UFC_FLOAT64, 2, rows);
    CHECK(empty_split(ctx, NULL, ufc_array(&k), ufc_array(&k), ufc_into(&out), ufc_new(&low),
                      &err) == UFC_OK);
    ufc_free(low);

    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out into[] = {ufc_new(&made)};
    CHECK(ufc_explain(ctx, NULL, &empty_running_ufunc, in, into, NULL, &d, &err) == UFC_OK);
    CHECK(!d.signature && strcmp(d.kernel, "none") == 0 && d.launches == 0);
}

/* An output with elements is written; told it is of sizes whose product does not fit, too. */
static void sums(void) {
    double y[] = {7, 7};
    int64_t shape[] = {2, 1000, 0}, two[] = {2};
    DLTensor x = view(UFC_FLOAT64, 3, shape), out = ufc_host_array(y, x.dtype, 1, two);
    CHECK(empty_total(ctx, NULL, ufc_array(&x), ufc_into(&out), &err) == UFC_OK);
    CHECK(y[0] == 0 && y[1] == 0);
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out into[] = {ufc_into(&out)};
    shape[1] = huge * 1024 * 1024;
    CHECK(ufc_explain(ctx, NULL, &empty_total_ufunc, in, into, NULL, &d, &err) == UFC_OK);
    CHECK(d.bytes == sizeof y);
}

/* A definition without points beside others that fill a GPU. */
static void phases(void) {
    enum { ROWS = 1609, COLUMNS = 5 };
    static int32_t x[ROWS], t[4] = {1, 2, 3, 4}, y[ROWS][COLUMNS];
    double z = -1;
    int64_t rows[] = {ROWS, 1}, four[] = {4}, columns[] = {ROWS, COLUMNS}, one[] = {1};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_INT32), 2, rows),
             terms = ufc_host_array(t, in.dtype, 1, four),
             out = ufc_host_array(y, in.dtype, 2, columns),
             number = ufc_host_array(&z, ufc_dltype(UFC_FLOAT64), 1, one);
    x[ROWS - 1] = 1;
    CHECK(empty_late(ctx, NULL, ufc_array(&in), ufc_array(&terms), ufc_into(&out),
                     ufc_into(&number), &err) == UFC_OK);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            CHECK(y[i][j] == (x[i] * 40503 + t[j % 4]) % 26);
    CHECK(z == 1);
}

static void methods(void) {
    int64_t rows[] = {huge, 0}, most[] = {INT64_MAX, 3, 0}, back[] = {0, huge};
    DLTensor x = view(UFC_FLOAT64, 2, rows), v = view(UFC_FLOAT64, 3, most),
             w = view(UFC_FLOAT64, 2, back);
    const ufc_ufunc *plus = &empty_plus_ufunc, *least = &empty_least_ufunc;
    ufc_keywords last = {.axes = (int[]){-1}, .naxes = 1}, all = {.all_axes = true},
                 first = {.axes = (int[]){0, 1}, .naxes = 2};
    gives(ufc_reduce(ctx, NULL, plus, ufc_array(&x), ufc_new(&made), NULL, &err), 1,
          (int64_t[]){0});
    gives(ufc_reduce(ctx, NULL, plus, ufc_array(&w), ufc_new(&made), &last, &err), 1,
          (int64_t[]){0});
    gives(ufc_reduce(ctx, NULL, plus, ufc_array(&v), ufc_new(&made), &all, &err), 0, NULL);
    gives(ufc_reduce(ctx, NULL, plus, ufc_array(&v), ufc_new(&made), &first, &err), 1,
          (int64_t[]){0});
    CHECK(ufc_reduce(ctx, NULL, least, ufc_array(&v), ufc_new(&made), &all, &err) == UFC_EINVAL &&
          strstr(err.message, "nothing cannot be reduced (shape (9223372036854775807,3,0))"));
    gives(ufc_accumulate(ctx, NULL, plus, ufc_array(&x), ufc_new(&made), NULL, &err), 2, rows);
    gives(ufc_accumulate(ctx, NULL, plus, ufc_array(&v), ufc_new(&made), &last, &err), 3, most);
    int64_t index[] = {5, 2}, two[] = {2};
    DLTensor indices = ufc_host_array(index, ufc_dltype(UFC_INT64), 1, two);
    gives(ufc_reduceat(ctx, NULL, plus, ufc_array(&x), &indices, ufc_new(&made), NULL, &err), 2,
          (int64_t[]){2, 0});
    gives(ufc_outer(ctx, NULL, plus, ufc_array(&x), ufc_array(&w), ufc_new(&made), NULL, &err), 4,
          (int64_t[]){huge, 0, 0, huge});
    CHECK(ufc_at(ctx, NULL, plus, &x, &indices, ufc_float(1), &err) == UFC_OK);
}

/* Indices that are one in memory, more of them than any memory holds. */
static void indices(void) {
    double x[] = {1};
    int8_t zero = 0;
    int64_t one[] = {1}, step[] = {0}, many[] = {INT64_MAX - 1};
    DLTensor array = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, one);
    DLTensor list = ufc_host_array(&zero, ufc_dltype(UFC_INT8), 1, many);
    list.strides = step;
    for (int shift = 0; shift < 6; shift++, many[0] >>= 1) {
        CHECK(ufc_reduceat(ctx, NULL, &empty_plus_ufunc, ufc_array(&array), &list, ufc_new(&made),
                           NULL, &err) == UFC_ENOMEM);
        CHECK(ufc_at(ctx, NULL, &empty_plus_ufunc, &array, &list, ufc_float(1), &err) ==
              UFC_ENOMEM);
    }
    CHECK(x[0] == 1);
}

int main(void) {
    static const ufc_ufunc *const ufuncs[] = {&empty_running_ufunc, &empty_split_ufunc,
                                              &empty_total_ufunc,   &empty_plus_ufunc,
                                              &empty_least_ufunc,   &empty_late_ufunc};
    static const char *const devices[] = {"cpu", "sim", "cuda"};
    for (int i = 0; i < 6; i++)
        make_known(ufuncs[i]);
    for (int i = 0; i < 3; i++) {
        if (ufc_context_new(&ctx, devices[i], 0, &err) != UFC_OK) {
            puts(err.message);
            return test_failures ? 1 : SKIPPED;
        }
        gufuncs();
        if (i < 2) { /* what the fake driver does not do */
            copied();
            phases();
        }
        sums();
        methods();
        indices();
        ufc_context_free(ctx);
    }
    return test_failures > 0;
}
