/* explain.c: ufc_explain and its like, on the host and in the simulator: what they tell of calls
 * and methods, and that they compute nothing, and make nothing. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "matmul.h"
#include "prefix.h"

enum { SIDE = 40, MOST = 3 * SIDE * SIDE };

static ufc_context *sim, *host;
static ufc_error err;
static float a[MOST], b[MOST], c[MOST];
static double wide[MOST];

static DLTensor array(void *data, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(type), ndim, shape);
}

/* Long prefixes are computed by tiles, of 32 iterations a thread. */
static void prefixes(void) {
    static float x[2][18000], y[2][18000];
    int64_t rows[] = {2, 18000}, columns[] = {100, 180};
    ufc_plan_description d;
    DLTensor in = array(x, UFC_FLOAT32, 2, rows), out = array(y, UFC_FLOAT32, 2, rows);
    ufc_arg arg = ufc_array(&in);
    CHECK(ufc_explain(sim, NULL, &prefix_sums_ufunc, &arg, &(ufc_out){.array = &out}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.kernel, "prefix") == 0 && d.launches == 1 && d.threads == 256);
    CHECK(d.blocks == 2 * 3 && d.temporaries >= 2 * (3 + 1) * 8);
    in.shape = out.shape = columns;
    CHECK(ufc_explain(sim, NULL, &prefix_sums_ufunc, &arg, &(ufc_out){.array = &out}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.kernel, "warp") == 0);
}

static void products(void) {
    int64_t many[] = {3, SIDE, SIDE}, one[] = {SIDE, SIDE};
    DLTensor x = array(a, UFC_FLOAT32, 3, many), y = array(b, UFC_FLOAT32, 2, one),
             z = array(c, UFC_FLOAT32, 3, many);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.signature, "float32(float32, float32)") == 0 &&
          strcmp(d.core, "m = 40, k = 40, n = 40") == 0);
    CHECK(d.ndim == 1 && d.shape[0] == 3 && d.bytes == 4 * (2 * MOST + SIDE * SIDE));
    CHECK(strcmp(d.kernel, "tile 32") == 0 && d.call_threads == 4 * 64 && d.width == 0);
    CHECK(d.launches == 1 && d.threads == 64 && d.blocks == 3 * 4);
    CHECK(strcmp(d.why, "3 calls have 1600 elements each to share out") == 0);
    CHECK(d.temporaries == 0 && d.registers == 0);
    CHECK(ufc_explain(host, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.kernel, "host") == 0 && d.launches == 0 && d.call_threads == 0);
    CHECK(strstr(d.why, "tiles of a call's results") && d.lanes > 1);
    for (int i = 0; i < MOST; i++)
        REQUIRE(c[i] == -1);
}

/* An array of another type, one that is overwritten, and a result of another type. */
static void copies(void) {
    int64_t one[] = {SIDE, SIDE};
    DLTensor x = array(a, UFC_FLOAT32, 2, one), y = array(wide, UFC_FLOAT64, 2, one), z = x;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK);
    CHECK(strcmp(d.signature, "float64(float64, float64)") == 0);
    CHECK(d.temporaries == 2 * 8 * SIDE * SIDE && d.ndim == 0);
    CHECK(strcmp(d.copies, "c as float64, a as float64") == 0);
    for (int i = 0; i < MOST; i++)
        REQUIRE(a[i] == (float)i);
    in[1] = in[0];
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, &(ufc_out){.array = &z}, NULL, &d,
                      &err) == UFC_OK &&
          d.temporaries == 2 * 4 * SIDE * SIDE);
    CHECK(strcmp(d.copies, "a apart from the results, b apart from the results") == 0);
    for (int i = 0; i < MOST; i++)
        REQUIRE(a[i] == (float)i);
}

static void results(void) {
    int64_t one[] = {SIDE, SIDE}, none[] = {0, SIDE, SIDE}, other[] = {SIDE + 1, SIDE};
    DLManagedTensorVersioned *made = (void *)&made;
    DLTensor x = array(a, UFC_FLOAT32, 2, one), y = array(b, UFC_FLOAT32, 3, none),
             w = array(b, UFC_FLOAT32, 2, other);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&x)};
    ufc_out out[] = {ufc_new(&made)};
    ufc_plan_description d;
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          !made && d.launches == 1);
    in[1] = ufc_array(&y);
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          !made && !d.signature && strcmp(d.kernel, "none") == 0);
    in[1] = ufc_array(&w);
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_ESHAPE &&
          strstr(err.message, "'k', is 41"));
    CHECK(ufc_explain(sim, NULL, &matmul_product_ufunc, in, out, NULL, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_explain(sim, NULL, NULL, in, out, NULL, &d, &err) == UFC_EINVAL);
    in[1] = in[0];
    made = (void *)&made;
    CHECK(ufc_explain(sim, NULL, &kernels_add_ufunc, in, out, NULL, &d, &err) == UFC_OK && !made &&
          strcmp(d.kernel, "vector") == 0 && !*d.core && d.call_threads == 0);
}

/* ---- results that no memory holds: of arrays that repeat an element */

static void too_large(ufc_context *ctx) {
    const int64_t huge = INT64_C(1) << 29;
    int64_t row[] = {1, huge}, column[] = {huge, 1}, square[] = {huge, huge}, none[] = {0, 0};
    DLTensor x = array(a, UFC_FLOAT32, 2, column), y = array(b, UFC_FLOAT32, 2, row), z = x;
    x.strides = y.strides = z.strides = none;
    z.shape = square;
    DLManagedTensorVersioned *made = (void *)&made;
    ufc_out out[] = {ufc_new(&made)};
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    CHECK(ufc_explain(ctx, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          !made && d.temporaries == 0 && strstr(d.core, "m = 536870912, k = 1, n = 536870912"));
    made = (void *)&made;
    CHECK(ufc_explain_accumulate(ctx, NULL, &kernels_total_ufunc, ufc_array(&z), out[0], NULL, &d,
                                 &err) == UFC_OK &&
          !made && d.naxes == 1 && d.axes[0] == 0 && d.length == huge);
    if (ctx == sim) /* it would count 2^29 launches */
        return;
    made = (void *)&made;
    CHECK(ufc_explain(ctx, NULL, &kernels_add_ufunc, in, out, NULL, &d, &err) == UFC_OK && !made &&
          d.temporaries == 0);
    /* of 2^63 bytes, that no address has either */
    column[0] = INT64_C(1) << 32;
    CHECK(ufc_explain(ctx, NULL, &kernels_add_ufunc, in, out, NULL, &d, &err) == UFC_ENOMEM);
}

/* ---- the host */

static ufc_plan_description add_on_host(ufc_context *ctx, const DLTensor *x, const DLTensor *y,
                                        const DLTensor *z, const ufc_keywords *kw) {
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(x), ufc_array(y)};
    REQUIRE(ufc_explain(ctx, NULL, &kernels_add_ufunc, in, &(ufc_out){.array = z}, kw, &d, &err) ==
            UFC_OK);
    CHECK(strcmp(d.kernel, "host") == 0 && strncmp(d.level, "x86-64-v", 8) == 0);
    return d;
}

static void scalars(ufc_context *four) {
    int64_t n[] = {1000}, two[] = {2}, fewer[] = {999};
    DLTensor x = array(a, UFC_FLOAT32, 1, n), y = array(b, UFC_FLOAT32, 1, n),
             z = array(c, UFC_FLOAT32, 1, n), w = array(wide, UFC_FLOAT64, 1, n);
    ufc_plan_description d = add_on_host(four, &x, &y, &z, NULL);
    CHECK(d.lanes >= 4 && strstr(d.why, "vectors of ") && !strchr(d.why, ';'));
    CHECK(d.host_threads == 1 &&
          strcmp(d.host_why, "1000 elements: 32768 are worth a thread") == 0);
    d = add_on_host(host, &x, &y, &z, NULL);
    CHECK(d.host_threads == 1 && strcmp(d.host_why, "the context has one") == 0);
    y.strides = two;
    d = add_on_host(four, &x, &y, &z, NULL);
    CHECK(d.lanes >= 4 && strstr(d.why, "; gathered: y (8 bytes apart)"));
    y.strides = NULL;
    /* from one element to the next */
    DLTensor before = array(a, UFC_FLOAT32, 1, fewer), next = before;
    next.byte_offset = sizeof(float);
    d = add_on_host(four, &before, &before, &next, NULL);
    CHECK(strcmp(d.copies, "x apart from the results, y apart from the results") == 0 &&
          d.temporaries == 2 * 4 * 999 && strstr(d.why, "vectors of"));
    d = add_on_host(four, &x, &w, &z, &(ufc_keywords){.dtype = x.dtype});
    CHECK(strstr(d.why, "; converted: y, float64, 1024 elements at a time"));
    /* a matrix across, which is large enough for threads */
    int64_t large[] = {400, 400}, across[] = {1, 400};
    static float p[400 * 400], q[400 * 400];
    x = array(p, UFC_FLOAT32, 2, large);
    y = z = array(q, UFC_FLOAT32, 2, large);
    x.strides = across;
    d = add_on_host(four, &x, &y, &z, NULL);
    CHECK(strstr(d.why, "; turned, along another axis: x, by tiles of 16 x "));
    CHECK(d.host_threads == 4 && strcmp(d.host_why, "all of the context's") == 0);
    static bool on[1000];
    DLTensor mask = array(on, UFC_BOOL, 1, n);
    x = array(a, UFC_FLOAT32, 1, n);
    z = array(c, UFC_FLOAT32, 1, n);
    d = add_on_host(four, &x, &x, &z, &(ufc_keywords){.where = &mask});
    CHECK(strstr(d.why, "; in runs that 'where' has"));
}

static ufc_plan_description reduce(ufc_context *ctx, const ufc_ufunc *f, int64_t *shape, int axis) {
    static float large[1 << 18];
    DLManagedTensorVersioned *made;
    ufc_plan_description d;
    DLTensor x = array(large, UFC_FLOAT32, 2, shape);
    ufc_status status = ufc_explain_reduce(ctx, NULL, f, ufc_array(&x), ufc_new(&made),
                                           &(ufc_keywords){.axes = &axis, .naxes = 1}, &d, &err);
    REQUIRE(status == UFC_OK && !made);
    CHECK(strcmp(d.signature, "float32(float32, float32)") == 0);
    CHECK(d.naxes == 1 && d.axes[0] == axis && d.length == shape[axis]);
    CHECK(d.bytes == 4 * (shape[0] * shape[1] + shape[1 - axis]));
    return d;
}

static void reductions(ufc_context *four) {
    int64_t one[] = {1 << 18, 1}, many[] = {100, 1000}, long_lines[] = {1000, 1000};
    ufc_plan_description d = reduce(four, &kernels_total_ufunc, one, 0);
    CHECK(d.ndim == 0 && d.host_threads == 4 && d.lanes == 8);
    CHECK(strstr(d.why, "line by line, as a tree of leaves of 128 elements"));
    CHECK(strcmp(d.passes, "8 pieces of a line; their totals") == 0 && d.temporaries > 0);
    d = reduce(four, &kernels_total_ufunc, many, 0);
    CHECK(d.ndim == 1 && d.shape[0] == 1000 && strstr(d.why, " lines side by side, row by row"));
    d = reduce(four, &kernels_softer_ufunc, many, 1);
    CHECK(d.lanes == 1 && strstr(d.why, "line by line, in order, since there is no identity"));
    d = reduce(sim, &kernels_total_ufunc, one, 0);
    CHECK(strcmp(d.kernel, "tree") == 0 && d.launches == 2 && d.blocks == 64 && d.threads == 256);
    CHECK(strcmp(d.passes, "tree, 64 pieces of 4096; tree, all 64") == 0);
    CHECK(d.temporaries == 64 * 4 && !d.level && d.host_threads == 0);
    d = reduce(sim, &kernels_total_ufunc, many, 0);
    CHECK(strcmp(d.kernel, "across") == 0 && strstr(d.why, "lines lie side by side") &&
          d.launches == 1 && d.blocks == 8 && strcmp(d.passes, "across, all 100") == 0 &&
          d.temporaries == 0);
    d = reduce(sim, &kernels_total_ufunc, long_lines, 0);
    CHECK(strcmp(d.kernel, "across") == 0 && d.launches == 2 && d.blocks == 8 * 4 &&
          strcmp(d.passes, "across, 4 pieces of 256; fold, all 4") == 0 &&
          d.temporaries == 4 * 1000 * 4);
    d = reduce(sim, &kernels_total_ufunc, many, 1);
    CHECK(strcmp(d.passes, "tree, all 1000") == 0 && strstr(d.why, "a block takes") &&
          d.blocks == 100);
    d = reduce(sim, &kernels_softer_ufunc, many, 1);
    CHECK(d.launches == 1 && strcmp(d.passes, "fold, all 1000") == 0 && d.temporaries == 0);
}

static void other_methods(ufc_context *ctx) {
    int64_t shape[] = {SIDE, SIDE}, n[] = {3};
    int32_t indices[] = {1, 5, 5};
    DLTensor x = array(a, UFC_FLOAT32, 2, shape), i = array(indices, UFC_INT32, 1, n);
    DLTensor row = array(b, UFC_FLOAT32, 1, shape);
    DLManagedTensorVersioned *made = (void *)&made;
    ufc_plan_description d;
    CHECK(ufc_explain_reduceat(ctx, NULL, &kernels_total_ufunc, ufc_array(&x), &i, ufc_new(&made),
                               NULL, &d, &err) == UFC_OK &&
          !made && d.length == SIDE && d.shape[0] == SIDE && d.ndim == 1);
    CHECK(ufc_explain_outer(ctx, NULL, &kernels_add_ufunc, ufc_array(&row), ufc_array(&row),
                            ufc_new(&made), NULL, &d, &err) == UFC_OK &&
          !made && d.naxes == 0 && d.ndim == 2 && d.shape[1] == SIDE);
    CHECK(ufc_explain_at(ctx, NULL, &kernels_total_ufunc, &x, &i, ufc_float(1), &d, &err) ==
              UFC_OK &&
          d.naxes == 1 && d.axes[0] == 0 && d.length == 3 && d.ndim == 1 && d.shape[0] == SIDE);
    if (ctx == sim)
        CHECK(strcmp(d.kernel, "sort") == 0 &&
              strcmp(d.passes, "sort, 3 indices; at, 3 indices") == 0);
    else
        CHECK(strstr(d.why, "index by index") && d.level);
    for (int k = 0; k < MOST; k++)
        REQUIRE(a[k] == (float)k);
    /* errors are the method's own */
    indices[1] = SIDE;
    CHECK(ufc_explain_at(ctx, NULL, &kernels_total_ufunc, &x, &i, ufc_float(1), &d, &err) ==
              UFC_EINVAL &&
          strstr(err.message, "index 40 is out of bounds"));
    CHECK(ufc_explain_reduce(ctx, NULL, &kernels_total_ufunc, ufc_array(&x), ufc_new(&made),
                             &(ufc_keywords){.axes = (int[]){2}, .naxes = 1}, &d,
                             &err) == UFC_EINVAL &&
          strstr(err.message, "axis 2 is out of bounds"));
    made = (void *)&made;
    CHECK(ufc_explain_reduce(ctx, NULL, &kernels_total_ufunc, ufc_array(&x), ufc_new(&made), NULL,
                             NULL, &err) == UFC_EINVAL &&
          !made);
}

/* Vectors of calls, and of a call's elements. */
static void gufuncs(ufc_context *four) {
    int64_t one[] = {SIDE, SIDE}, small[] = {MOST / 4, 2, 2};
    int64_t square[] = {MOST / 9, 3, 3};
    DLTensor x = array(a, UFC_FLOAT32, 2, one), s = array(a, UFC_FLOAT32, 3, small);
    DLTensor t = array(a, UFC_FLOAT32, 3, square);
    DLManagedTensorVersioned *made;
    ufc_out out[] = {ufc_new(&made)};
    ufc_plan_description d;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&x)};
    CHECK(ufc_explain(four, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          !strstr(d.why, "gathered") && d.host_threads == 1 &&
          strstr(d.host_why, "1 call of 64000 elements or less"));
    in[0] = in[1] = ufc_array(&s);
    CHECK(ufc_explain(four, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          strstr(d.why, " calls, which are small; gathered: a (16 bytes apart)"));
    in[0] = in[1] = ufc_array(&t);
    CHECK(ufc_explain(four, NULL, &matmul_product_ufunc, in, out, NULL, &d, &err) == UFC_OK &&
          strstr(d.why, " calls, which are small; ") &&
          strstr(d.why, " at a time are copied side by side"));
}

int main(void) {
    ufc_context *four;
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&four, "cpu", 4, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)i;
        c[i] = -1;
    }
    prefixes();
    products();
    copies();
    results();
    too_large(host);
    too_large(sim);
    scalars(four);
    reductions(four);
    other_methods(sim);
    other_methods(four);
    gufuncs(four);
    ufc_context_free(four);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
