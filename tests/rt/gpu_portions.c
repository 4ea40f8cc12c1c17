/* gpu_portions.c: arrays on the host that are larger than the memory that a context may use go
 * through the GPU in portions: calls, gufuncs and methods give what they give on the host.  On a
 * GPU and on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "gpu_portions.h"
#include "ufc.h"

enum { MEGABYTE = 1 << 20, ROWS = 1531, COLUMNS = 401, N = ROWS * COLUMNS };
static ufc_context *gpu, *cpu;
static ufc_error err;

static void *numbers(size_t size, int seed) {
    unsigned char *memory = malloc((size_t)N * size);
    REQUIRE(memory);
    for (int i = 0; i < N; i++) {
        int v = (int)(random_bits((uint64_t)seed, (uint64_t)i) % 2001) - 1000;
        v += v == 0;
        if (size == 4)
            memcpy(memory + (size_t)i * 4, &v, 4);
        else
            memcpy(memory + (size_t)i * 8, &(int64_t){v}, 8);
    }
    return memory;
}

static float *floats(int seed) {
    int32_t *v = numbers(4, seed);
    for (int i = 0; i < N; i++) {
        float f = (float)v[i] / 8;
        memcpy(&v[i], &f, 4);
    }
    return (float *)v;
}

static double *doubles(int seed) {
    int64_t *v = numbers(8, seed);
    for (int i = 0; i < N; i++) {
        double f = (double)v[i] / 8;
        memcpy(&v[i], &f, 8);
    }
    return (double *)v;
}

static int64_t matrix[] = {ROWS, COLUMNS};

static DLTensor array(void *data, ufc_type type, int64_t *strides) {
    DLTensor t = ufc_host_array(data, ufc_dltype(type), 2, matrix);
    t.strides = strides;
    return t;
}

/* Memory that is freed counts until the stream has come there. */
static uint64_t used(void) {
    ufc_pool pool;
    REQUIRE(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    REQUIRE(ufc_pool_statistics(gpu, &pool, &err) == UFC_OK);
    return pool.used;
}

static bool is_ok(ufc_status status) {
    if (status != UFC_OK)
        printf("%s\n", err.message);
    return status == UFC_OK;
}

/* blend on both; the arrays of outputs have N elements, and begin as each other. */
static void compare(DLTensor x, DLTensor y, DLTensor out, const DLTensor *where) {
    size_t size = (size_t)N * out.dtype.bits / 8;
    char *there = malloc(size), *here = malloc(size), *data = out.data;
    REQUIRE(there && here);
    memset(there, 3, size);
    memset(here, 3, size);
    ufc_keywords kw = {.where = where};
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ptrdiff_t offset = out.strides && out.strides[0] < 0 ? N - 1 : 0;
    DLTensor a = out, b = out;
    a.data = there + offset * out.dtype.bits / 8;
    b.data = here + offset * out.dtype.bits / 8;
    ufc_out to = ufc_into(&a), to_host = ufc_into(&b);
    CHECK(is_ok(ufc_call_with(gpu, NULL, &gpu_portions_blend_ufunc, in, &to, &kw, &err)));
    REQUIRE(is_ok(ufc_call_with(cpu, NULL, &gpu_portions_blend_ufunc, in, &to_host, &kw, &err)));
    CHECK(memcmp(there, here, size) == 0);
    CHECK(used() == 0);
    out.data = data;
    free(there);
    free(here);
}

static void layouts(void) {
    float *p = floats(1), *q = floats(2);
    int64_t c[] = {COLUMNS, 1}, f[] = {1, ROWS}, back[] = {-COLUMNS, -1}, row[] = {0, 1},
            column[] = {1, 0}, one[] = {0, 0};
    unsigned char *mask = numbers(4, 3);
    int64_t *integers = numbers(8, 4);
    for (int i = 0; i < N; i++)
        mask[i] &= 1;
    DLTensor x = array(p, UFC_FLOAT32, NULL), y = array(q, UFC_FLOAT32, c);
    DLTensor out = array(NULL, UFC_FLOAT32, c), where = array(mask, UFC_BOOL, NULL);
    compare(x, y, out, NULL);
    compare(x, y, out, &where);
    y.strides = f;
    compare(x, y, out, NULL);
    x.strides = out.strides = f;
    compare(x, y, out, NULL);
    x.strides = row, y.strides = column;
    compare(x, y, out, NULL);
    where.strides = f;
    compare(x, y, out, &where);
    x.strides = one;
    compare(x, y, out, NULL);
    x.strides = c, y.strides = back, y.data = q + N - 1;
    compare(x, y, out, NULL);
    out.strides = back;
    compare(x, y, out, NULL);
    x = array(integers, UFC_INT64, NULL); /* converted on the way */
    y = array(integers, UFC_INT64, f);
    compare(x, y, array(NULL, UFC_FLOAT64, c), NULL);
    free(p);
    free(q);
    free(mask);
    free(integers);
}

/* An output that is an input, and one that overlaps it. */
static void in_place(void) {
    float *p = floats(1), *q = floats(1), *r = floats(2);
    DLTensor x = array(p, UFC_FLOAT32, NULL), y = array(r, UFC_FLOAT32, NULL);
    DLTensor x_host = array(q, UFC_FLOAT32, NULL);
    CHECK(is_ok(gpu_portions_blend(gpu, NULL, ufc_array(&x), ufc_array(&y), ufc_into(&x), &err)));
    CHECK(is_ok(
        gpu_portions_blend(cpu, NULL, ufc_array(&x_host), ufc_array(&y), ufc_into(&x_host), &err)));
    CHECK(memcmp(p, q, N * sizeof *p) == 0);
    int64_t less[] = {ROWS - 1, COLUMNS};
    for (int down = 0; down < 2; down++) {
        DLTensor a = x, b = x_host, a_out = x, b_out = x_host, z = y;
        a.shape = b.shape = a_out.shape = b_out.shape = z.shape = less;
        a.data = p + (down ? 0 : COLUMNS), b.data = q + (down ? 0 : COLUMNS);
        a_out.data = p + (down ? COLUMNS : 0), b_out.data = q + (down ? COLUMNS : 0);
        CHECK(is_ok(
            gpu_portions_blend(gpu, NULL, ufc_array(&a), ufc_array(&z), ufc_into(&a_out), &err)));
        CHECK(is_ok(
            gpu_portions_blend(cpu, NULL, ufc_array(&b), ufc_array(&z), ufc_into(&b_out), &err)));
        CHECK(memcmp(p, q, N * sizeof *p) == 0);
    }
    CHECK(used() == 0);
    free(p);
    free(q);
    free(r);
}

/* Several outputs, new ones, and arrays that are on the GPU. */
static void places(void) {
    int32_t *p = numbers(4, 1), *q = numbers(4, 2);
    float *f = floats(3);
    DLManagedTensorVersioned *a[2], *b[2], *there = NULL, *back = NULL;
    DLTensor x = array(p, UFC_INT32, NULL), y = array(q, UFC_INT32, NULL);
    DLTensor z = array(f, UFC_FLOAT32, NULL);
    CHECK(is_ok(gpu_portions_share(gpu, NULL, ufc_array(&x), ufc_array(&y), ufc_new(&a[0]),
                                   ufc_new(&a[1]), &err)));
    CHECK(is_ok(gpu_portions_share(cpu, NULL, ufc_array(&x), ufc_array(&y), ufc_new(&b[0]),
                                   ufc_new(&b[1]), &err)));
    for (int k = 0; k < 2; k++) {
        CHECK(memcmp(a[k]->dl_tensor.data, b[k]->dl_tensor.data, N * sizeof *p) == 0);
        ufc_free(a[k]);
        ufc_free(b[k]);
    }
    CHECK(ufc_pool_set_limit(gpu, 3 * MEGABYTE, &err) == UFC_OK);
    REQUIRE(is_ok(ufc_to_device(gpu, NULL, &z, &there, &err)));
    uint64_t before = used();
    CHECK(is_ok(gpu_portions_blend(gpu, NULL, ufc_array(&z), ufc_array(&z),
                                   ufc_into(&there->dl_tensor), &err)));
    CHECK(is_ok(gpu_portions_blend(gpu, NULL, ufc_array(&there->dl_tensor), ufc_array(&z),
                                   ufc_into(&z), &err)));
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK && used() == before);
    REQUIRE(is_ok(ufc_to_host(gpu, NULL, &there->dl_tensor, &back, &err)));
    float *start = floats(3), *got = back->dl_tensor.data;
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && got[i] == 3 * start[i] && f[i] == 7 * start[i];
    CHECK(right);
    ufc_free(back);
    ufc_free(there);
    free(start);
    free(p);
    free(q);
    free(f);
    CHECK(ufc_pool_set_limit(gpu, MEGABYTE, &err) == UFC_OK);
}

/* Loops of core calls; an array that all calls share goes to the GPU once. */
static void gufuncs(void) {
    double *p = doubles(1), *q = doubles(2), *r = calloc(ROWS, sizeof *r),
           *s = calloc(ROWS, sizeof *s);
    float *a = floats(3), *x = floats(4);
    REQUIRE(r && s);
    int64_t f[] = {1, ROWS};
    DLTensor u = array(p, UFC_FLOAT64, NULL), v = array(q, UFC_FLOAT64, f);
    DLTensor z = ufc_host_array(r, u.dtype, 1, matrix), z_host = z;
    z_host.data = s;
    CHECK(is_ok(gpu_portions_inner(gpu, NULL, ufc_array(&u), ufc_array(&v), ufc_into(&z), &err)));
    CHECK(is_ok(
        gpu_portions_inner(cpu, NULL, ufc_array(&u), ufc_array(&v), ufc_into(&z_host), &err)));
    CHECK(memcmp(r, s, ROWS * sizeof *r) == 0);

    int64_t shared[] = {50, 40}, vectors[] = {N / 40, 40}, results[] = {N / 40, 50};
    float *y = calloc((size_t)N / 40 * 50, sizeof *y), *y_host = calloc((size_t)N / 40 * 50, 4);
    REQUIRE(y && y_host);
    DLTensor m = ufc_host_array(a, ufc_dltype(UFC_FLOAT32), 2, shared), w = m, out = m;
    w.data = x, w.shape = vectors;
    out.data = y, out.shape = results;
    CHECK(is_ok(gpu_portions_apply(gpu, NULL, ufc_array(&m), ufc_array(&w), ufc_into(&out), &err)));
    out.data = y_host;
    CHECK(is_ok(gpu_portions_apply(cpu, NULL, ufc_array(&m), ufc_array(&w), ufc_into(&out), &err)));
    CHECK(memcmp(y, y_host, (size_t)N / 40 * 50 * 4) == 0);

    int32_t *i = numbers(4, 5), *o = numbers(4, 6), *o_host = numbers(4, 6);
    DLTensor e = array(i, UFC_INT32, NULL), into = array(o, UFC_INT32, NULL);
    CHECK(is_ok(gpu_portions_even(gpu, NULL, ufc_array(&e), ufc_into(&into), &err)));
    into.data = o_host;
    CHECK(is_ok(gpu_portions_even(cpu, NULL, ufc_array(&e), ufc_into(&into), &err)));
    CHECK(memcmp(o, o_host, N * sizeof *o) == 0);
    CHECK(used() == 0);
    free(i);
    free(o);
    free(o_host);
    free(y);
    free(y_host);
    free(p);
    free(q);
    free(r);
    free(s);
    free(a);
    free(x);
}

typedef ufc_status method_fn(ufc_context *ctx, void *stream, const ufc_ufunc *ufunc, ufc_arg in,
                             ufc_out out, const ufc_keywords *kw, ufc_error *err);

/* A method of an array, in portions and as a whole, which the GPU has memory for: the same bits. */
static void method(method_fn *call, const ufc_ufunc *ufunc, DLTensor in, const ufc_keywords *kw,
                   bool has_portions) {
    DLManagedTensorVersioned *parts = NULL, *whole = NULL;
    ufc_plan_description d;
    if (call == ufc_reduce) {
        DLManagedTensorVersioned *none;
        CHECK(is_ok(
            ufc_explain_reduce(gpu, NULL, ufunc, ufc_array(&in), ufc_new(&none), kw, &d, &err)));
        CHECK(has_portions == (strstr(d.copies, "portions") != NULL));
    }
    CHECK(is_ok(call(gpu, NULL, ufunc, ufc_array(&in), ufc_new(&parts), kw, &err)));
    CHECK(ufc_pool_set_limit(gpu, 0, &err) == UFC_OK);
    CHECK(is_ok(call(gpu, NULL, ufunc, ufc_array(&in), ufc_new(&whole), kw, &err)));
    CHECK(ufc_pool_set_limit(gpu, MEGABYTE, &err) == UFC_OK);
    REQUIRE(parts && whole);
    int64_t size = whole->dl_tensor.dtype.bits / 8;
    for (int i = 0; i < whole->dl_tensor.ndim; i++)
        size *= whole->dl_tensor.shape[i];
    CHECK(memcmp(parts->dl_tensor.data, whole->dl_tensor.data, (size_t)size) == 0);
    ufc_free(parts);
    ufc_free(whole);
}

/* Reductions of whole lines, and of pieces of lines, along each axis and both. */
static void methods(void) {
    double *p = doubles(1);
    float *f = floats(2);
    int32_t *n = numbers(4, 3);
    unsigned char *mask = numbers(4, 4);
    int64_t fortran[] = {1, ROWS}, back[] = {-COLUMNS, -1};
    ufc_arg ten = ufc_float(10);
    for (int i = 0; i < N; i++) {
        p[i] /= 7;
        f[i] /= 7;
        mask[i] &= 1;
    }
    DLTensor where = array(mask, UFC_BOOL, NULL);
    for (int order = 0; order < 3; order++) {
        int64_t *strides = order == 0 ? NULL : order == 1 ? fortran : back;
        ptrdiff_t last = order == 2 ? N - 1 : 0;
        DLTensor x = array(p + last, UFC_FLOAT64, strides);
        DLTensor y = array(f + last, UFC_FLOAT32, strides);
        DLTensor z = array(n + last, UFC_INT32, strides);
        for (int axis = -1; axis < 2; axis++) {
            ufc_keywords kw = {.axes = &axis, .naxes = 1, .initial = &ten};
            if (axis < 0)
                kw = (ufc_keywords){.all_axes = true, .keepdims = true};
            method(ufc_reduce, &gpu_portions_plus_ufunc, x, &kw, order != 1 || axis >= 0);
            method(ufc_reduce, &gpu_portions_plus_ufunc, z, &kw, order != 1 || axis >= 0);
            kw.where = &where;
            method(ufc_reduce, &gpu_portions_plus_ufunc, y, &kw, order != 1 || axis >= 0);
            kw.where = NULL;
            kw.initial = NULL;
            method(ufc_reduce, &gpu_portions_peak_ufunc, y, &kw, order != 1 || axis >= 0);
            kw.keepdims = false;
            if (axis < 0)
                continue;
            method(ufc_accumulate, &gpu_portions_plus_ufunc, x, &kw, true);
            method(ufc_accumulate, &gpu_portions_minus_ufunc, x, &kw, true);
        }
    }
    /* one long line, with a mask that goes along */
    int64_t all[] = {N};
    DLTensor x = ufc_host_array(p, ufc_dltype(UFC_FLOAT64), 1, all), w = x;
    w.dtype = where.dtype, w.data = mask;
    ufc_keywords kw = {.where = &w};
    method(ufc_reduce, &gpu_portions_plus_ufunc, x, NULL, true);
    method(ufc_reduce, &gpu_portions_plus_ufunc, x, &kw, true);
    CHECK(used() == 0);
    free(p);
    free(f);
    free(n);
    free(mask);
}

/* Without memory for one core call nothing is written, and the next call works. */
static void too_small(void) {
    float *a = floats(1), *x = floats(2), y[8] = {7}, z[] = {0, 0};
    int64_t all[] = {1, N}, n[] = {N}, m[] = {1}, two[] = {2};
    DLTensor matrix_ = ufc_host_array(a, ufc_dltype(UFC_FLOAT32), 2, all), vector = matrix_,
             out = matrix_, few = matrix_;
    vector.data = x, vector.ndim = 1, vector.shape = n;
    out.data = y, out.ndim = 1, out.shape = m;
    few.data = z, few.ndim = 1, few.shape = two;
    CHECK(gpu_portions_apply(gpu, NULL, ufc_array(&matrix_), ufc_array(&vector), ufc_into(&out),
                             &err) == UFC_ENOMEM);
    CHECK(strstr(err.message, "1048576") && y[0] == 7);
    CHECK(used() == 0);
    CHECK(is_ok(gpu_portions_blend(gpu, NULL, ufc_array(&few), ufc_int(1), ufc_into(&few), &err)));
    CHECK(z[0] == 1 && z[1] == 1);
    free(a);
    free(x);
}

/* What is large goes in portions without a limit, too, if it is in pinned memory, and is explained
 * so. */
static void large(void) {
    enum { LARGE = 9 << 20 };
    int64_t shape[] = {LARGE};
    DLManagedTensorVersioned *x, *y;
    ufc_plan_description d;
    CHECK(ufc_pool_set_limit(gpu, 0, &err) == UFC_OK);
    REQUIRE(is_ok(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_PINNED, &x, &err)));
    REQUIRE(is_ok(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_PINNED, &y, &err)));
    float *from = x->dl_tensor.data;
    const float *got = y->dl_tensor.data;
    for (int i = 0; i < LARGE; i++)
        from[i] = (float)(i % 1000);
    ufc_arg args[] = {ufc_array(&x->dl_tensor), ufc_float(1)};
    ufc_out out = ufc_into(&y->dl_tensor);
    CHECK(is_ok(ufc_explain(gpu, NULL, &gpu_portions_blend_ufunc, args, &out, NULL, &d, &err)));
    CHECK(strstr(d.copies, "in 9 portions") && d.shape[0] == LARGE);
    CHECK(d.temporaries > MEGABYTE && d.temporaries < 64 * MEGABYTE);
    CHECK(is_ok(gpu_portions_blend(gpu, NULL, args[0], args[1], out, &err)));
    bool right = true;
    for (int i = 0; i < LARGE; i++)
        right = right && got[i] == 2 * (float)(i % 1000) + 1;
    CHECK(right);

    ufc_free(x);
    ufc_free(y);
}

/* Pageable arrays go as a whole where one thread copies them, and in portions that threads share.
 */
static void pageable(void) {
    enum { LINES = 9 << 10, LENGTH = 1 << 10, LARGE = LINES * LENGTH };
    int64_t shape[] = {LINES, LENGTH};
    float *from = malloc(LARGE * sizeof *from), *to[2] = {NULL, NULL}, *lines[2], total[2];
    REQUIRE(from);
    for (int i = 0; i < LARGE; i++)
        from[i] = (float)(random_bits(5, (uint64_t)i) % 1000) / 7;
    DLTensor x = ufc_host_array(from, ufc_dltype(UFC_FLOAT32), 2, shape);
    for (int k = 0; k < 2; k++) {
        ufc_context *ctx;
        ufc_plan_description d;
        DLTensor y = x, sum = x, all = x;
        y.data = to[k] = calloc(LARGE, sizeof *from);
        sum.data = lines[k] = calloc(LINES, sizeof *from);
        REQUIRE(to[k] && lines[k]);
        sum.ndim = 1, all.ndim = 0, all.data = &total[k];
        REQUIRE(is_ok(ufc_context_new(&ctx, "cuda", k ? 6 : 1, &err)));
        ufc_arg args[] = {ufc_array(&x), ufc_float(1)};
        ufc_out out = ufc_into(&y);
        CHECK(is_ok(ufc_explain(ctx, NULL, &gpu_portions_blend_ufunc, args, &out, NULL, &d, &err)));
        CHECK(strstr(d.copies, "in 9 portions"));
        CHECK(is_ok(ufc_call(ctx, NULL, &gpu_portions_blend_ufunc, args, &out, &err)));
        ufc_keywords kw = {.axes = (int[]){1}, .naxes = 1}, every = {.all_axes = true};
        CHECK(is_ok(
            ufc_reduce(ctx, NULL, &gpu_portions_plus_ufunc, args[0], ufc_into(&sum), &kw, &err)));
        CHECK(is_ok(ufc_reduce(ctx, NULL, &gpu_portions_plus_ufunc, args[0], ufc_into(&all), &every,
                               &err)));
        ufc_context_free(ctx);
    }
    CHECK(memcmp(to[0], to[1], LARGE * sizeof *from) == 0);
    CHECK(memcmp(lines[0], lines[1], LINES * sizeof *from) == 0);
    CHECK(memcmp(&total[0], &total[1], sizeof *total) == 0);
    CHECK(to[0][LARGE - 1] == 2 * from[LARGE - 1] + 1);
    CHECK(used() == 0);
    free(from);
    for (int k = 0; k < 2; k++) {
        free(to[k]);
        free(lines[k]);
    }
}

int main(void) {
    if (ufc_context_new(&gpu, "cuda", 2, &err) != UFC_OK) {
        printf("%s\n", err.message);
        return SKIPPED;
    }
    REQUIRE(ufc_context_new(&cpu, "cpu", 2, &err) == UFC_OK);
    make_known(&gpu_portions_blend_ufunc);
    make_known(&gpu_portions_share_ufunc);
    make_known(&gpu_portions_inner_ufunc);
    make_known(&gpu_portions_apply_ufunc);
    make_known(&gpu_portions_even_ufunc);
    make_known(&gpu_portions_plus_ufunc);
    make_known(&gpu_portions_minus_ufunc);
    make_known(&gpu_portions_peak_ufunc);
    CHECK(ufc_pool_set_limit(gpu, MEGABYTE, &err) == UFC_OK);
    layouts();
    in_place();
    places();
    gufuncs();
    methods();
    too_small();
    large();
    pageable();
    ufc_context_free(gpu);
    ufc_context_free(cpu);
    return test_failures > 0;
}
