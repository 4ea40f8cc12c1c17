/* nditer.c: what NumPy's test_nditer.py asserts of the order in which elements are visited, of axes
 * that merge, of broadcasting, of reductions over strides of all kinds, as far as calls show it.
 *
 *     nditer [--device=cpu|cuda|sim]
 *
 * On the host the kernel is one of this file, which notes what it is given.  NumPy's inner loop is
 * a kernel's call here; axes are ten times as long as NumPy's where a call would be too short to be
 * worth it. */
#include <stdbool.h>
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "image_abi.h"
#include "overlap.h"
#include "ufc.h"

enum { SIZE = 24000, DIMS = 11, CALLS = 2000 };

static ufc_context *context;
static ufc_error err;
static int64_t in[SIZE], out[SIZE], visited[SIZE];
static int nvisited, ncalls, calls[CALLS]; /* calls: their elements */

/* ---- kernels that note what they visit */

static void note_copy(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    (void)data;
    if (ncalls < CALLS)
        calls[ncalls] = (int)dimensions[0];
    ncalls++;
    for (intptr_t i = 0; i < dimensions[0]; i++) {
        const int64_t *from = (const int64_t *)(args[0] + i * steps[0]);
        if (nvisited < SIZE)
            visited[nvisited++] = from - in;
        *(int64_t *)(args[1] + i * steps[1]) = *from;
    }
}

static void add_three(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    (void)data;
    for (intptr_t i = 0; i < dimensions[0]; i++) {
        int64_t sum = 0;
        for (int k = 0; k < 3; k++)
            sum += *(int64_t *)(args[k] + i * steps[k]);
        *(int64_t *)(args[3] + i * steps[3]) = sum;
    }
}

static const uint8_t int64s[] = {UFC_INT64, UFC_INT64, UFC_INT64, UFC_INT64};
static const char *const names[] = {"x", "y", "z", "out"};
static const struct ufc_overload copies = {
    .dtypes = int64s, .signature = "int64(int64)", .host = {note_copy}};
static const struct ufc_overload adds = {
    .dtypes = int64s, .signature = "int64(int64, int64, int64)", .host = {add_three}};
static const ufc_ufunc copy_ufunc = {.version = UFC_IMAGE_ABI_VERSION,
                                     .nin = 1,
                                     .nout = 1,
                                     .noverloads = 1,
                                     .name = "copy",
                                     .params = (const char *const[]){"x", "out"},
                                     .overloads = &copies};
static const ufc_ufunc three_ufunc = {.version = UFC_IMAGE_ABI_VERSION,
                                      .nin = 3,
                                      .nout = 1,
                                      .noverloads = 1,
                                      .name = "three",
                                      .params = names,
                                      .overloads = &adds};

/* ---- views */

struct view {
    int ndim;
    int64_t shape[DIMS], strides[DIMS], offset;
};

static struct view in_c_order(int ndim, const int64_t *shape) {
    struct view v = {.ndim = ndim};
    int64_t stride = 1;
    for (int d = ndim; d-- > 0; stride *= shape[d]) {
        v.shape[d] = shape[d];
        v.strides[d] = stride;
    }
    return v;
}

static int64_t count(const struct view *v) {
    int64_t n = 1;
    for (int d = 0; d < v->ndim; d++)
        n *= v->shape[d];
    return n;
}

static int64_t place(const struct view *v, int64_t k) {
    int64_t at = v->offset;
    for (int d = v->ndim; d-- > 0; k /= v->shape[d])
        at += k % v->shape[d] * v->strides[d];
    return at;
}

/* The axes of `back`, a bit each, backwards. */
static struct view flipped(struct view v, unsigned back) {
    for (int d = 0; d < v.ndim; d++)
        if (back >> d & 1) {
            v.offset += (v.shape[d] - 1) * v.strides[d];
            v.strides[d] = -v.strides[d];
        }
    return v;
}

static struct view swapped(struct view v, int a, int b) {
    int64_t n = v.shape[a], s = v.strides[a];
    v.shape[a] = v.shape[b], v.strides[a] = v.strides[b];
    v.shape[b] = n, v.strides[b] = s;
    return v;
}

static struct view transposed(struct view v) {
    for (int d = 0; d < v.ndim / 2; d++)
        v = swapped(v, d, v.ndim - 1 - d);
    return v;
}

static DLTensor tensor(struct view *v, int64_t *data) {
    DLTensor t = ufc_host_array(data, ufc_dltype(UFC_INT64), v->ndim, v->shape);
    t.strides = v->strides;
    t.byte_offset = (uint64_t)v->offset * sizeof *data;
    return t;
}

/* Of v into memory that lies as v does. */
static void copy(struct view v) {
    DLTensor from = tensor(&v, in), to = tensor(&v, out);
    ufc_arg arg = ufc_array(&from);
    ufc_out result = ufc_into(&to);
    nvisited = ncalls = 0;
    memset(out, 0, sizeof out);
    CHECK(ufc_call(context, NULL, &copy_ufunc, &arg, &result, &err) == UFC_OK);
    for (int64_t k = 0; k < count(&v); k++)
        if (out[place(&v, k)] != in[place(&v, k)]) {
            printf("element %lld is not copied\n", (long long)k);
            test_failures++;
            return;
        }
}

/* ---- test_iter_best_order, test_iter_no_inner_full_coalesce */

/* Every element, from the lowest address to the highest, in one call. */
static void ordered(struct view v) {
    int wrong = 0;
    copy(v);
    CHECK(ncalls == 1 && calls[0] == count(&v));
    for (int i = 0; i < nvisited; i++)
        wrong += visited[i] != i;
    CHECK(nvisited == count(&v) && wrong == 0);
}

static void orders(void) {
    static const int64_t shapes[][5] = {{5}, {3, 4}, {2, 3, 4}, {2, 3, 4, 3}, {2, 3, 2, 2, 3}};
    for (int ndim = 1; ndim <= 5; ndim++)
        for (unsigned back = 0; back < 1U << ndim; back++) {
            struct view v = flipped(in_c_order(ndim, shapes[ndim - 1]), back);
            ordered(v);
            ordered(transposed(v));
            if (ndim > 2)
                ordered(swapped(v, 0, 1));
        }
}

/* ---- test_iter_no_inner_dim_coalescing */

static void called(struct view v, int n, int size) {
    copy(v);
    CHECK(ncalls == n);
    for (int i = 0; i < ncalls && i < CALLS; i++)
        CHECK(calls[i] == size);
}

static void coalescing(void) {
    static const int64_t shape[] = {20, 30, 40}, ones[] = {1, 1, 2, 1, 1, 3, 1, 1, 4, 1, 1};
    for (int axis = 0; axis < 3; axis++) {
        struct view v = in_c_order(3, shape);
        v.shape[axis]--;
        called(v,
               axis == 2   ? 600
               : axis == 1 ? 20
                           : 1,
               axis == 2   ? 39
               : axis == 1 ? 29 * 40
                           : 19 * 30 * 40);
    }
    called(in_c_order(11, ones), 1, 24);
}

/* ---- test_iter_broadcasting, test_iter_broadcasting_errors: of three operands */

static ufc_status three(struct view *a, struct view *b, struct view *c, struct view *to) {
    DLTensor x = tensor(a, in), y = tensor(b, in), z = tensor(c, in), result = tensor(to, out);
    ufc_arg args[] = {ufc_array(&x), ufc_array(&y), ufc_array(&z)};
    ufc_out o = ufc_into(&result);
    return ufc_call(context, NULL, &three_ufunc, args, &o, &err);
}

static void broadcasting(void) {
    struct view a = in_c_order(3, (const int64_t[]){1, 2, 1}),
                b = in_c_order(3, (const int64_t[]){1, 1, 3}),
                c = in_c_order(3, (const int64_t[]){4, 1, 1}),
                all = in_c_order(3, (const int64_t[]){4, 2, 3});
    CHECK(three(&a, &b, &c, &all) == UFC_OK);
    for (int i = 0; i < 24; i++)
        CHECK(out[i] == in[i / 3 % 2] + in[i % 3] + in[i / 6]);
    b = in_c_order(2, (const int64_t[]){1, 3});
    c = in_c_order(0, NULL);
    all = in_c_order(2, (const int64_t[]){2, 3});
    CHECK(three(&a, &b, &c, &all) == UFC_ESHAPE && strstr(err.message, "(2,3)") &&
          strstr(err.message, "(1,2,3)"));
    a = in_c_order(2, (const int64_t[]){2, 3});
    b = in_c_order(1, (const int64_t[]){2});
    CHECK(three(&a, &b, &c, &all) == UFC_ESHAPE && strstr(err.message, "(2,3)") &&
          strstr(err.message, "(2)"));
}

/* ---- test_iter_allocate_output_itorder: order K */

static void allocated(void) {
    struct view v = transposed(in_c_order(3, (const int64_t[]){2, 3, 4}));
    DLTensor from = tensor(&v, in);
    ufc_arg arg = ufc_array(&from);
    DLManagedTensorVersioned *result = NULL;
    ufc_out o = ufc_new(&result);
    REQUIRE(ufc_call(context, NULL, &copy_ufunc, &arg, &o, &err) == UFC_OK);
    const DLTensor *t = &result->dl_tensor;
    CHECK(t->ndim == 3 && t->shape[0] == 4 && t->shape[2] == 2);
    REQUIRE(t->strides && t->strides[0] == 1 && t->strides[1] == 4 && t->strides[2] == 12);
    for (int k = 0; k < 24; k++)
        CHECK(((int64_t *)t->data)[k] == in[k]);
    ufc_free(result);
}

/* ---- test_iter_too_large */

static void too_large(void) {
    int64_t n = INT64_MAX / 1024;
    struct view row = {1, {n}, {0}, 0}, column = {2, {n, 1}, {0, 0}, 0};
    DLTensor x = tensor(&row, in), y = tensor(&column, in);
    ufc_arg args[] = {ufc_array(&x), ufc_array(&y)};
    DLManagedTensorVersioned *result = NULL;
    ufc_out o = ufc_new(&result);
    CHECK(ufc_call(context, NULL, &overlap_add_ufunc, args, &o, &err) != UFC_OK && !result);
}

/* ---- test_iter_buffering: NumPy buffers what is not aligned, here it is refused */

static void unaligned(void) {
    struct view v = in_c_order(1, (const int64_t[]){16});
    DLTensor from = tensor(&v, in), to = tensor(&v, out);
    from.byte_offset = 1;
    ufc_arg args[] = {ufc_array(&from), ufc_array(&to)};
    ufc_out o = ufc_into(&to);
    CHECK(ufc_call(context, NULL, &overlap_add_ufunc, args, &o, &err) == UFC_EINVAL &&
          strstr(err.message, "aligned"));
}

/* ---- test_iter_buffered_reduce_reuse: views of all strides, whose elements overlap, too */

static void reduced(struct view v, int naxes) {
    static const int axes[] = {2, 1};
    struct view to = {naxes == 1 ? 2 : 1, {3, 3}, {naxes == 1 ? 3 : 1, 1}, 0};
    DLTensor from = tensor(&v, in), result = tensor(&to, out);
    ufc_keywords kw = {.axes = axes, .naxes = naxes};
    CHECK(ufc_reduce(context, NULL, &overlap_add_ufunc, ufc_array(&from), ufc_into(&result), &kw,
                     &err) == UFC_OK);
    int64_t each = count(&v) / count(&to);
    for (int64_t k = 0; k < count(&to); k++) {
        int64_t sum = 0;
        for (int64_t i = 0; i < each; i++)
            sum += in[place(&v, k * each + i)];
        CHECK(out[k] == sum);
    }
}

static void reductions(int step) {
    for (int64_t x = -9; x <= 9; x += step)
        for (int64_t y = x; y <= 9; y += step)
            for (int naxes = 1; naxes <= 2; naxes++)
                reduced((struct view){3, {3, 3, 3}, {x, y, 1}, 243}, naxes);
}

int main(int argc, char **argv) {
    const char *device = argc > 1 && strncmp(argv[1], "--device=", 9) == 0 ? argv[1] + 9 : "cpu";
    const char *reason = "no GPU";
    if (strcmp(device, "cuda") == 0 && ufc_device_count(&reason) == 0) {
        printf("nditer: %s\n", reason);
        return SKIPPED;
    }
    make_known(&overlap_add_ufunc);
    for (int i = 0; i < SIZE; i++)
        in[i] = i;
    REQUIRE(ufc_context_new(&context, device, 1, &err) == UFC_OK);
    if (strcmp(device, "cpu") == 0) {
        orders();
        coalescing();
        broadcasting();
        allocated();
    }
    too_large();
    unaligned();
    reductions(strcmp(device, "cpu") == 0 ? 1 : 3);
    ufc_context_free(context);
    return test_failures > 0;
}
