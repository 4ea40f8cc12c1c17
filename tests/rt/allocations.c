/* allocations.c: each allocation of a call fails in turn, and each call of the (fake) driver: of
 * calls, methods, plans, arrays, files, streams and pools. */
#include "../fakecuda.h"
#include "allocations.h"
#include "failing.h"

static int64_t line[] = {COLUMNS}, column[] = {6};

/* Another type, broadcasting, a strided operand, a result that is made. */
static ufc_status call_ufunc(ufc_context *ctx) {
    int32_t x[N], y[COLUMNS];
    DLManagedTensorVersioned *z = NULL;
    DLTensor a = view(x, UFC_INT32, 2, matrix), b = view(y, UFC_INT32, 1, line);
    a.strides = turned;
    for (int i = 0; i < N; i++)
        x[i] = y[i % COLUMNS] = i;
    TRY(allocations_plus(ctx, NULL, ufc_array(&a), ufc_array(&b), ufc_new(&z), &err));
    bool right = true;
    const DLTensor *t = &z->dl_tensor;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            right = right && ((int32_t *)t->data)[i * t->strides[0] + j * t->strides[1]] ==
                                 x[i + ROWS * j] + y[j];
    ufc_free(z);
    return check(right);
}

/* Inputs that an output overwrites, a mask, several results. */
static ufc_status call_overlapping(ufc_context *ctx) {
    int32_t x[N + 1], left[N];
    bool some[N];
    int64_t n[] = {N};
    DLTensor a = view(x, UFC_INT32, 1, n), q = view(x + 1, UFC_INT32, 1, n),
             r = view(left, UFC_INT32, 1, n), mask = view(some, UFC_BOOL, 1, n);
    for (int i = 0; i <= N; i++)
        x[i] = 100 + i;
    for (int i = 0; i < N; i++) {
        left[i] = -1;
        some[i] = i % 3 != 0;
    }
    ufc_arg in[] = {ufc_array(&a), ufc_int(7)};
    ufc_out out[] = {ufc_into(&q), ufc_into(&r)};
    ufc_keywords kw = {.where = &mask};
    TRY(ufc_call_with(ctx, NULL, &allocations_share_ufunc, in, out, &kw, &err));
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && x[i + 1] == (some[i] ? (100 + i) / 7 : 101 + i) &&
                left[i] == (some[i] ? (100 + i) % 7 : -1);
    return check(right);
}

/* Operands of another type, or where an output is. */
static ufc_status call_gufunc(ufc_context *ctx) {
    double x[36], z[36];
    int32_t y[36];
    DLTensor a = view(x, UFC_FLOAT64, 2, square), b = view(y, UFC_INT32, 2, square);
    for (int i = 0; i < 36; i++) {
        z[i] = x[i] = i % 5;
        y[i] = i % 7 == 0 ? 2 : 0;
    }
    TRY(allocations_dot(ctx, NULL, ufc_array(&a), ufc_array(&b), ufc_into(&a), &err));
    bool right = true;
    for (int i = 0; i < 36; i++)
        right = right && x[i] == 2 * z[i];
    return check(right);
}

/* A result that is made, an output of another type, and one that is all that a grid has. */
static ufc_status call_gufuncs(ufc_context *ctx) {
    double *x = doubles(many), sum = 0;
    float z[N];
    int64_t n[] = {many};
    DLTensor a = view(x, UFC_FLOAT64, 2, matrix), c = view(z, UFC_FLOAT32, 2, matrix),
             all = view(x, UFC_FLOAT64, 1, n), s = view(&sum, UFC_FLOAT64, 0, NULL);
    DLManagedTensorVersioned *y = NULL;
    TRY(allocations_running(ctx, NULL, ufc_array(&a), ufc_new(&y), &err));
    bool right = ((double *)y->dl_tensor.data)[COLUMNS - 1] == 21;
    ufc_free(y);
    TRY(check(right));
    TRY(allocations_running(ctx, NULL, ufc_array(&a), ufc_into(&c), &err));
    TRY(allocations_total(ctx, NULL, ufc_array(&all), ufc_into(&s), &err));
    return check(z[COLUMNS - 1] == 21 && sum == 4.5 * many);
}

static ufc_status reduce(ufc_context *ctx) {
    double *x = doubles(2 * many), sum = 0;
    int64_t shape[] = {2, many}, rows[] = {2, 1};
    bool some[] = {true, false};
    DLTensor a = view(x, UFC_FLOAT64, 2, shape), s = view(&sum, UFC_FLOAT64, 0, NULL),
             mask = view(some, UFC_BOOL, 2, rows);
    ufc_keywords kw = {.all_axes = true, .where = &mask}, last = {.axes = &(int){1}, .naxes = 1};
    const ufc_ufunc *plus = &allocations_plus_ufunc;
    TRY(ufc_reduce(ctx, NULL, plus, ufc_array(&a), ufc_into(&s), &kw, &err));
    TRY(check(sum == 4.5 * many));
    DLManagedTensorVersioned *y = NULL;
    a.shape = matrix;
    TRY(ufc_reduce(ctx, NULL, plus, ufc_array(&a), ufc_new(&y), &last, &err));
    bool right = ((double *)y->dl_tensor.data)[0] == 21;
    ufc_free(y);
    TRY(check(right));
    kw = (ufc_keywords){.all_axes = true}; /* in order */
    TRY(ufc_reduce(ctx, NULL, &allocations_less_ufunc, ufc_array(&a), ufc_into(&s), &kw, &err));
    return check(sum == -181);
}

static ufc_status accumulate(ufc_context *ctx) {
    double *x = doubles(many);
    int64_t n[] = {many};
    DLTensor a = view(x, UFC_FLOAT64, 1, n);
    DLManagedTensorVersioned *y = NULL;
    const ufc_ufunc *plus = &allocations_plus_ufunc;
    TRY(ufc_accumulate(ctx, NULL, plus, ufc_array(&a), ufc_new(&y), NULL, &err));
    bool right = ((double *)y->dl_tensor.data)[many - 1] == 4.5 * many;
    ufc_free(y);
    return check(right);
}

static ufc_status other_methods(ufc_context *ctx) {
    double *x = doubles(N);
    int64_t index[] = {1, 5, 3, -1}, three[] = {3}, four[] = {4}, n[] = {N};
    DLTensor a = view(x, UFC_FLOAT64, 1, n), i = view(index, UFC_INT64, 1, three);
    DLManagedTensorVersioned *y = NULL;
    const ufc_ufunc *plus = &allocations_plus_ufunc;
    TRY(ufc_reduceat(ctx, NULL, plus, ufc_array(&a), &i, ufc_new(&y), NULL, &err));
    bool right = ((double *)y->dl_tensor.data)[0] == 10;
    ufc_free(y);
    TRY(check(right));
    TRY(ufc_outer(ctx, NULL, plus, ufc_array(&a), ufc_array(&a), ufc_new(&y), NULL, &err));
    right = ((double *)y->dl_tensor.data)[3 * N + 4] == 7;
    ufc_free(y);
    TRY(check(right));
    i.shape = four;
    a.shape = three;
    DLTensor some = a; /* of the same memory */
    a.shape = n;
    some.ndim = 0;
    TRY(ufc_at(ctx, NULL, plus, &a, &i, ufc_array(&some), &err));
    return check(x[1] == 1 && x[3] == 3 && x[0] == 0) == UFC_OK
               ? ufc_at(ctx, NULL, plus, &a, &i, ufc_float(1), &err)
               : UFC_ESIM;
}

static ufc_status plans(ufc_context *ctx) {
    DLManagedTensorVersioned *a = NULL, *b = NULL;
    ufc_plan *plan = NULL;
    ufc_plan_description d;
    ufc_status status = ufc_empty(ctx, UFC_FLOAT64, 1, column, UFC_DEVICE, &a, &err);
    if (status == UFC_OK) {
        double *x = doubles(6);
        DLTensor from = view(x, UFC_FLOAT64, 1, column);
        status = ufc_copy(ctx, NULL, &from, &a->dl_tensor, &err);
    }
    if (status == UFC_OK) {
        ufc_arg in[] = {ufc_array(&a->dl_tensor), ufc_float(1)};
        ufc_out out[] = {ufc_new(&b)};
        status = ufc_plan_new(&plan, ctx, NULL, &allocations_plus_ufunc, in, out, NULL, &err);
    }
    if (status == UFC_OK)
        status = ufc_execute(plan, NULL, NULL, &err);
    if (status == UFC_OK)
        status = ufc_plan_describe(plan, &d, &err);
    if (status == UFC_OK) {
        double y[6];
        DLTensor to = view(y, UFC_FLOAT64, 1, column);
        status = ufc_copy(ctx, NULL, &b->dl_tensor, &to, &err);
        if (status == UFC_OK)
            status = check(y[5] == 6 && d.ndim == 1);
    }
    ufc_plan_free(plan);
    ufc_free(a);
    ufc_free(b);
    return status;
}

/* An input of another type, which is converted in the workspace, and methods. */
static ufc_status plan_others(ufc_context *ctx) {
    static float x[] = {1, 2, 3, 4, 5, 6};
    static int64_t shape[] = {2, 3}, other[] = {3, 1}, starts[] = {0, 1}, two[] = {2};
    DLManagedTensorVersioned *a = NULL, *b = NULL, *made[3] = {NULL};
    ufc_plan *plan[3] = {NULL};
    double ones[] = {1, 1, 1}, y[2] = {0};
    DLTensor from = view(x, UFC_FLOAT32, 2, shape), one = view(ones, UFC_FLOAT64, 2, other),
             indices = view(starts, UFC_INT64, 1, two);
    ufc_status status = ufc_to_device(ctx, NULL, &from, &a, &err);
    if (status == UFC_OK)
        status = ufc_to_device(ctx, NULL, &one, &b, &err);
    if (status == UFC_OK) {
        ufc_arg in[] = {ufc_array(&a->dl_tensor), ufc_array(&b->dl_tensor)};
        ufc_out out = ufc_new(&made[0]);
        status = ufc_plan_new(&plan[0], ctx, NULL, &allocations_dot_ufunc, in, &out, NULL, &err);
        if (status == UFC_OK)
            status = ufc_plan_reduce(&plan[1], ctx, NULL, &allocations_plus_ufunc, in[1],
                                     ufc_new(&made[1]), NULL, &err);
        if (status == UFC_OK)
            status = ufc_plan_reduceat(&plan[2], ctx, NULL, &allocations_plus_ufunc, in[1],
                                       &indices, ufc_new(&made[2]), NULL, &err);
    }
    for (int i = 0; i < 3 && status == UFC_OK; i++)
        status = ufc_execute(plan[i], NULL, NULL, &err);
    if (status == UFC_OK) {
        DLTensor to = view(y, UFC_FLOAT64, 2, made[2]->dl_tensor.shape);
        status = ufc_copy(ctx, NULL, &made[2]->dl_tensor, &to, &err);
        if (status == UFC_OK)
            status = check(y[0] == 1 && y[1] == 2);
    }
    for (int i = 0; i < 3; i++) {
        ufc_plan_free(plan[i]);
        ufc_free(made[i]);
    }
    ufc_free(a);
    ufc_free(b);
    return status;
}

static ufc_status explain(ufc_context *ctx) {
    double x[36] = {0};
    int32_t y[36] = {0};
    DLTensor a = view(x, UFC_FLOAT64, 2, square), b = view(y, UFC_INT32, 2, square);
    DLManagedTensorVersioned *c = NULL;
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
    ufc_out out[] = {ufc_new(&c)};
    ufc_plan_description d;
    TRY(ufc_explain(ctx, NULL, &allocations_dot_ufunc, in, out, NULL, &d, &err));
    TRY(check(!c && strstr(d.copies, "b as float64")));
    in[0] = ufc_float(2);
    in[1] = ufc_int(2);
    TRY(ufc_explain(ctx, NULL, &allocations_plus_ufunc, in, out, NULL, &d, &err));
    return check(!c && d.signature);
}

/* What is made in one place goes to another library, which frees it. */
static ufc_status arrays(ufc_context *ctx) {
    DLManagedTensorVersioned *there = NULL, *back = NULL;
    double *x = doubles(N);
    int64_t shape[] = {COLUMNS, ROWS};
    DLTensor from = view(x, UFC_FLOAT64, 2, shape);
    from.strides = turned;
    from.shape = matrix;
    ufc_status status = ufc_empty(ctx, UFC_FLOAT64, 2, matrix, UFC_DEVICE, &there, &err);
    if (status == UFC_OK)
        status = ufc_empty(ctx, UFC_FLOAT64, 2, matrix, UFC_HOST, &back, &err);
    if (status == UFC_OK)
        status = ufc_copy(ctx, NULL, &from, &there->dl_tensor, &err);
    if (status == UFC_OK) {
        DLTensor other = there->dl_tensor; /* as another library would tell of it */
        other.strides = NULL;
        other.byte_offset = 0;
        status = ufc_copy(ctx, NULL, &other, &back->dl_tensor, &err);
    }
    if (status == UFC_OK)
        status = check(((double *)back->dl_tensor.data)[1] == x[ROWS]);
    if (there)
        there->deleter(there);
    if (back)
        back->deleter(back);
    return status;
}

/* Pinned and managed arrays, and copies there and back. */
static ufc_status places(ufc_context *ctx) {
    DLManagedTensorVersioned *array[4] = {NULL};
    double *x = doubles(N);
    int64_t shape[] = {COLUMNS, ROWS};
    DLTensor from = view(x, UFC_FLOAT64, 2, shape);
    ufc_status status = ufc_empty_like(ctx, &from, UFC_PINNED, &array[0], &err);
    if (status == UFC_OK)
        status = ufc_empty_like(ctx, &from, UFC_MANAGED, &array[1], &err);
    if (status == UFC_OK)
        status = ufc_copy(ctx, NULL, &from, &array[0]->dl_tensor, &err);
    if (status == UFC_OK)
        status = ufc_copy(ctx, NULL, &array[0]->dl_tensor, &array[1]->dl_tensor, &err);
    if (status == UFC_OK)
        status = ufc_to_device(ctx, NULL, &array[1]->dl_tensor, &array[2], &err);
    if (status == UFC_OK)
        status = ufc_to_host(ctx, NULL, &array[2]->dl_tensor, &array[3], &err);
    if (status == UFC_OK)
        status = check(((double *)array[3]->dl_tensor.data)[5] == x[5]);
    for (int i = 0; i < 4; i++)
        ufc_free(array[i]);
    return status;
}

static ufc_status files(ufc_context *ctx) {
    (void)ctx;
    double *x = doubles(N);
    bool y[] = {true, false};
    int64_t two[] = {2};
    DLTensor a = view(x, UFC_FLOAT64, 2, matrix), b = view(y, UFC_BOOL, 1, two);
    DLManagedTensorVersioned *back = NULL;
    a.strides = turned;
    TRY(ufc_npy_write(path, &b, &err));
    TRY(ufc_npy_write(path, &a, &err));
    TRY(ufc_npy_read(path, &back, &err));
    bool right = ((double *)back->dl_tensor.data)[1] == x[ROWS];
    ufc_free(back);
    return check(right);
}

static void nothing(void *arg) {
    (void)arg;
}

static ufc_status time_and_facts(ufc_context *ctx) {
    ufc_properties p;
    double seconds;
    TRY(ufc_context_properties(ctx, &p, &err));
    TRY(ufc_elapsed(ctx, NULL, nothing, NULL, &seconds, &err));
    TRY(ufc_synchronize(ctx, NULL, &err));
    return ufc_synchronize(NULL, NULL, &err);
}

/* Two streams, one of which waits for the other by an event. */
static ufc_status streams(ufc_context *ctx) {
    void *first = NULL, *second = NULL;
    ufc_event *event = NULL;
    double *x = doubles(N), y[N], seconds;
    int64_t shape[] = {N};
    DLTensor a = view(x, UFC_FLOAT64, 1, shape), b = view(y, UFC_FLOAT64, 1, shape);
    ufc_status status = ufc_stream_new(&first, ctx, &err);
    if (status == UFC_OK)
        status = ufc_stream_new(&second, ctx, &err);
    if (status == UFC_OK)
        status = ufc_event_new(&event, ctx, &err);
    if (status == UFC_OK)
        status = allocations_plus(ctx, first, ufc_array(&a), ufc_float(1), ufc_into(&b), &err);
    if (status == UFC_OK)
        status = ufc_event_record(event, first, &err);
    if (status == UFC_OK)
        status = ufc_event_wait(event, second, &err);
    if (status == UFC_OK)
        status = ufc_event_synchronize(event, &err);
    if (status == UFC_OK)
        status = ufc_event_elapsed(event, event, &seconds, &err);
    ufc_event_free(event);
    ufc_stream_free(ctx, second);
    ufc_stream_free(ctx, first);
    return status;
}

/* A context with a pool, whose limit the call does not reach. */
static ufc_status pools(ufc_context *ctx) {
    ufc_pool pool;
    ufc_properties p;
    ufc_times times;
    DLManagedTensorVersioned *a = NULL;
    TRY(ufc_context_properties(ctx, &p, &err));
    TRY(ufc_profile(ctx, NULL, nothing, NULL, 1, 2, &times, &err));
    if (p.device.device_type == kDLCPU)
        return UFC_OK;
    ufc_status status = ufc_pool_set_limit(ctx, (uint64_t)1 << 30, &err);
    if (status == UFC_OK)
        status = ufc_empty(ctx, UFC_FLOAT64, 2, matrix, UFC_DEVICE, &a, &err);
    if (status == UFC_OK)
        status = ufc_pool_statistics(ctx, &pool, &err);
    ufc_free(a);
    if (status == UFC_OK)
        status = ufc_pool_free_all(ctx, &err);
    (void)ufc_pool_set_limit(ctx, 0, NULL);
    return status;
}

static const struct job jobs[] = {
    {"ufunc", call_ufunc},
    {"overlap, where", call_overlapping},
    {"gufunc", call_gufunc},
    {"gufuncs", call_gufuncs},
    {"reduce", reduce},
    {"accumulate", accumulate},
    {"methods", other_methods},
    {"plan", plans},
    {"other plans", plan_others},
    {"explain", explain},
    {"arrays", arrays},
    {"places", places},
    {"npy", files},
    {"time", time_and_facts},
    {"streams", streams},
    {"pools", pools},
};

int main(int argc, char **argv) {
    fakecuda_register(&allocations_plus_ufunc);
    fakecuda_register(&allocations_less_ufunc);
    fakecuda_register(&allocations_share_ufunc);
    fakecuda_register(&allocations_dot_ufunc);
    fakecuda_register(&allocations_running_ufunc);
    fakecuda_register(&allocations_total_ufunc);
    fail_jobs(jobs, sizeof jobs / sizeof *jobs, argc, argv);
    return test_failures > 0;
}
