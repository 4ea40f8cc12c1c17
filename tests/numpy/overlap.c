/* overlap.c: what NumPy's test_mem_overlap.py asserts of ufuncs: a call whose inputs, mask or
 * indices share memory with its output gives what it gives on copies of them, and writes nothing
 * else.
 *
 *     overlap [--device=cpu|cuda|sim]
 *
 * Random views of one buffer, then NumPy's own pairs of slices. */
#include <stdbool.h>
#include <string.h>
#include "../driver.h"
#include "../golden/elements.h"
#include "../test.h"
#include "overlap.h"
#include "ufc.h"

enum { DIMS = 5, SIZE = 20000, INDICES = 18000, MAX_IN = 2 };
enum method { CALL, REDUCE, ACCUMULATE, REDUCEAT, AT };

struct view {
    int64_t offset, shape[DIMS], strides[DIMS];
    int ndim;
};

/* in[1]: of reduceat and at, the indices.  `at` has in[0] for its output and in[2] for y. */
struct task {
    const ufc_ufunc *ufunc;
    enum method method;
    ufc_type type;
    int nin, axis; /* -1: all */
    struct view in[MAX_IN + 1], out, mask;
    bool masked;
};

static ufc_context *context;
static ufc_error err;
static bool on_gpu;
static char before[SIZE * 16], after[SIZE * 16], want[SIZE * 16];
static uint64_t draws;
static int nchecked, noverlapping, nrefused;

static int64_t draw(int64_t low, int64_t high) { /* both included */
    return low + (int64_t)(random_bits(7, draws++) % (uint64_t)(high - low + 1));
}

static int64_t count(const struct view *v) {
    int64_t n = 1;
    for (int d = 0; d < v->ndim; d++)
        n *= v->shape[d];
    return n;
}

static int64_t place(const struct view *v, int64_t k) {
    int64_t at = v->offset;
    for (int d = v->ndim - 1; d >= 0; k /= v->shape[d--])
        at += k % v->shape[d] * v->strides[d];
    return at;
}

static DLTensor tensor(const struct task *t, struct view *v, void *data, DLDevice device) {
    DLTensor a = ufc_host_array(data, ufc_dltype(t->type), v->ndim, v->shape);
    a.strides = v->strides;
    a.byte_offset = (uint64_t)(v->offset * size_of(t->type));
    a.device = device;
    return a;
}

/* ---- the call: on views of data, or on copies of them */

static ufc_status call(struct task *t, const DLTensor *in, const DLTensor *mask,
                       const DLTensor *out) {
    ufc_keywords kw = {.axes = &t->axis, .naxes = 1};
    ufc_keywords only = {.where = mask};
    if (t->axis < 0)
        kw.naxes = 0, kw.all_axes = true;
    ufc_arg args[MAX_IN + 1];
    ufc_out o = ufc_into(out);
    for (int k = 0; k < t->nin; k++)
        args[k] = ufc_array(&in[k]);
    switch (t->method) {
    case REDUCE: return ufc_reduce(context, NULL, t->ufunc, args[0], o, &kw, &err);
    case ACCUMULATE: return ufc_accumulate(context, NULL, t->ufunc, args[0], o, &kw, &err);
    case REDUCEAT: return ufc_reduceat(context, NULL, t->ufunc, args[0], &in[1], o, &kw, &err);
    case AT: return ufc_at(context, NULL, t->ufunc, &in[0], &in[1], args[2], &err);
    default:
        return t->masked ? ufc_call_with(context, NULL, t->ufunc, args, &o, &only, &err)
                         : ufc_call(context, NULL, t->ufunc, args, &o, &err);
    }
}

static char *copy_of(const struct task *t, struct view *v, DLTensor *copy) {
    size_t size = (size_t)size_of(t->type);
    char *data = malloc((size_t)count(v) * size);
    REQUIRE(data);
    for (int64_t k = 0; k < count(v); k++)
        memcpy(data + (size_t)k * size, before + (size_t)place(v, k) * size, size);
    *copy = ufc_host_array(data, ufc_dltype(t->type), v->ndim, v->shape);
    return data;
}

/* The buffer as it is to be, by copies of all operands. */
static ufc_status on_copies(struct task *t) {
    struct view *out = t->method == AT ? &t->in[0] : &t->out;
    DLTensor in[MAX_IN + 1], mask, result;
    char *data[MAX_IN + 3];
    size_t size = (size_t)size_of(t->type);
    for (int k = 0; k < t->nin; k++)
        data[k] = copy_of(t, &t->in[k], &in[k]);
    data[t->nin] = t->masked ? copy_of(t, &t->mask, &mask) : NULL;
    data[t->nin + 1] = copy_of(t, out, &result);
    ufc_status status = call(t, in, t->masked ? &mask : NULL, &result);
    const char *results = t->method == AT ? data[0] : data[t->nin + 1];
    memcpy(want, before, sizeof want);
    for (int64_t k = 0; k < count(out) && status == UFC_OK; k++)
        memcpy(want + (size_t)place(out, k) * size, results + (size_t)k * size, size);
    for (int k = 0; k < t->nin + 2; k++)
        free(data[k]);
    return status;
}

static ufc_status on_views(struct task *t, bool on_device) {
    int64_t bytes = sizeof after;
    DLManagedTensorVersioned *device = NULL;
    DLTensor whole = ufc_host_array(after, ufc_dltype(UFC_INT8), 1, &bytes);
    DLTensor in[MAX_IN + 1], mask, out, at = whole;
    memcpy(after, before, sizeof after);
    if (on_device) {
        REQUIRE(ufc_empty(context, UFC_INT8, 1, &bytes, UFC_DEVICE, &device, &err) == UFC_OK);
        REQUIRE(ufc_copy(context, NULL, &whole, &device->dl_tensor, &err) == UFC_OK);
        at = device->dl_tensor;
    }
    for (int k = 0; k < t->nin; k++)
        in[k] = tensor(t, &t->in[k], at.data, at.device);
    if (t->method == REDUCEAT || t->method == AT) /* indices are on the host */
        in[1] = tensor(t, &t->in[1], after, whole.device);
    mask = tensor(t, &t->mask, at.data, at.device);
    out = tensor(t, &t->out, at.data, at.device);
    ufc_status status = call(t, in, t->masked ? &mask : NULL, &out);
    REQUIRE(ufc_synchronize(context, NULL, &err) == UFC_OK);
    if (on_device)
        REQUIRE(ufc_copy(context, NULL, &device->dl_tensor, &whole, &err) == UFC_OK);
    ufc_free(device);
    return status;
}

/* ---- the check */

static void print_view(const char *name, const struct view *v) {
    printf("    %s: +%lld", name, (long long)v->offset);
    for (int d = 0; d < v->ndim; d++)
        printf(" %lld(%lld)", (long long)v->shape[d], (long long)v->strides[d]);
    printf("\n");
}

static void failed(const struct task *t, const char *why) {
    static const char *const methods[] = {"call", "reduce", "accumulate", "reduceat", "at"};
    if (++test_failures > 10)
        return;
    printf("%s.%s of %s, axis %d: %s\n", ufc_describe(t->ufunc).name, methods[t->method],
           dtypes[t->type].brief, t->axis, why);
    for (int k = 0; k < t->nin; k++)
        print_view("in", &t->in[k]);
    print_view("out", &t->out);
    if (t->masked)
        print_view("where", &t->mask);
}

/* What of the buffer a view has: 1 once, 2 several times. */
static void mark(const struct view *v, char *marks) {
    memset(marks, 0, SIZE);
    for (int64_t k = 0; k < count(v); k++) {
        char *m = &marks[place(v, k)];
        *m = *m ? 2 : 1;
    }
}

static void check(struct task *t) {
    static char marks[SIZE];
    const struct view *out = t->method == AT ? &t->in[0] : &t->out;
    bool self = false, shared = false;
    mark(out, marks);
    for (int64_t k = 0; k < count(out); k++)
        self = self || marks[place(out, k)] == 2;
    for (int i = 0; i < t->nin; i++)
        for (int64_t k = 0; k < count(&t->in[i]); k++)
            shared = shared || (&t->in[i] != out && marks[place(&t->in[i], k)]);
    nchecked++;
    noverlapping += shared;
    nrefused += self;
    ufc_status plain = self ? UFC_OK : on_copies(t);
    if (plain != UFC_OK)
        failed(t, err.message);
    for (int on_device = 0; on_device <= on_gpu; on_device++) {
        *err.message = 0;
        ufc_status status = on_views(t, on_device);
        if ((status != UFC_OK) != self)
            failed(t, self ? "an output that overlaps itself is taken" : err.message);
        else if (memcmp(after, self ? before : want, sizeof after) != 0)
            failed(t, self ? "refused, but written to" : "not as on copies");
    }
}

/* ---- random views */

/* At INDICES there is 0, 1, 2 ... */
static void fill(ufc_type type) {
    memset(before, 0, sizeof before);
    for (int64_t i = 0; i < SIZE; i++)
        generate(before, type, i, 11, type == UFC_INT16 ? 'f' : 's');
    for (int64_t i = 0; i < 10 && type == UFC_INT16; i++)
        put_bits(before, type, INDICES + i, (uint64_t)i);
}

/* Slices of an array of five dimensions with its axes in any order: of a shape, or of any. */
static struct view slices(int ndim, const int64_t *shape) {
    static const int64_t base[DIMS] = {7, 9, 8, 5, 6};
    struct view v = {.ndim = ndim};
    int order[DIMS] = {0, 1, 2, 3, 4};
    int64_t unit[DIMS], step = 1;
    for (int d = DIMS - 1; d >= 0; step *= base[d--])
        unit[d] = step;
    for (int d = 0; d < ndim; d++) {
        int other = (int)draw(d, draw(0, 1) ? ndim - 1 : d), axis = order[other];
        order[other] = order[d];
        int64_t n = v.shape[d] = shape ? shape[d] : draw(1, 5);
        int64_t stride = n > 1 ? draw(1, (base[axis] - 1) / (n - 1)) : 1;
        int64_t first = draw(0, base[axis] - 1 - (n - 1) * stride);
        bool back = draw(0, 1);
        v.offset += (back ? first + (n - 1) * stride : first) * unit[axis];
        v.strides[d] = (back ? -stride : stride) * unit[axis];
    }
    return v;
}

/* Any strides, 0 too. */
static struct view strided(int ndim, const int64_t *shape) {
    static const int64_t most[] = {8, 40, 300};
    int64_t m = most[draw(0, 2)];
    struct view v = {.ndim = ndim, .offset = 20 * m + draw(0, m)};
    for (int d = 0; d < ndim; d++) {
        v.shape[d] = shape ? shape[d] : draw(1, 4);
        v.strides[d] = draw(-m, m);
    }
    return v;
}

static struct view any_view(int ndim, const int64_t *shape, bool sliced) {
    return sliced ? slices(ndim, shape) : strided(ndim, shape);
}

/* The view with n elements of an axis; 0: without the axis. */
static struct view cut(struct view v, int axis, int64_t n) {
    v.shape[axis] = n;
    for (int d = axis; n == 0 && d + 1 < v.ndim; d++) {
        v.shape[d] = v.shape[d + 1];
        v.strides[d] = v.strides[d + 1];
    }
    v.ndim -= n == 0;
    return v;
}

static void random_calls(const ufc_ufunc *ufunc, ufc_type type, int nin, bool masked, int n) {
    fill(type);
    for (int i = 0; i < n; i++) {
        int ndim = (int)draw(1, DIMS);
        bool sliced = i % 3;
        struct task t = {.ufunc = ufunc, .type = type, .nin = nin, .masked = masked};
        t.out = any_view(ndim, NULL, sliced);
        for (int k = 0; k < nin; k++)
            t.in[k] = draw(0, 7) ? any_view(ndim, t.out.shape, sliced) : t.out;
        t.mask = draw(0, 4) ? any_view(ndim, t.out.shape, sliced) : t.out;
        check(&t);
    }
}

/* Distances of the rows of matrices, into vectors. */
static void random_gufuncs(int n) {
    fill(UFC_FLOAT64);
    for (int i = 0; i < n;) {
        int ndim = (int)draw(2, DIMS);
        bool sliced = i % 3;
        struct task t = {.ufunc = &overlap_pdist_ufunc, .type = UFC_FLOAT64, .nin = 1};
        int64_t shape[DIMS], *rows = &t.in[0].shape[ndim - 2];
        t.in[0] = any_view(ndim, NULL, sliced);
        if (*rows < 2)
            continue;
        *rows = *rows > 3 ? 3 : *rows;
        memcpy(shape, t.in[0].shape, sizeof shape);
        shape[ndim - 2] = *rows * (*rows - 1) / 2;
        t.out = any_view(ndim - 1, shape, sliced);
        check(&t);
        i++;
    }
}

static void random_methods(enum method method, int n) {
    fill(UFC_INT16);
    for (int i = 0; i < n; i++) {
        int ndim = (int)draw(1, DIMS);
        bool sliced = i % 3;
        struct task t = {
            .ufunc = &overlap_add_ufunc, .method = method, .type = UFC_INT16, .nin = 1};
        t.in[0] = any_view(ndim, NULL, sliced);
        t.out = any_view(ndim, t.in[0].shape, sliced);
        t.axis = (int)draw(method == REDUCE ? -1 : 0, ndim - 1);
        if (method == REDUCE && t.axis < 0)
            t.out.ndim = 0;
        else if (method == REDUCE)
            t.out = cut(t.out, t.axis, 0);
        if (method == REDUCEAT) {
            int64_t n_indices = draw(1, t.in[0].shape[t.axis]), most = t.in[0].shape[t.axis] - 1;
            int64_t step = n_indices > 1 ? draw(1, most / (n_indices - 1)) : 1;
            t.nin = 2;
            t.in[1] = (struct view){INDICES, {n_indices}, {step}, 1};
            t.out = cut(t.out, t.axis, n_indices);
        }
        check(&t);
    }
}

/* ---- NumPy's pairs of slices */

/* v[:n], v[k:k+n], and back, each with step p. */
static struct view slice(int which, int64_t n) {
    int64_t k = which & 1 ? 10 : 0, p = which & 4 ? 2 : 1;
    struct view v = {k, {n}, {p}, 1};
    if (which & 2) {
        v.offset = k + p * (n - 1);
        v.strides[0] = -p;
    }
    return v;
}

/* x, or one element of it, with one dimension or none. */
static struct view scalar(struct view v, int which) {
    if (which & 1) /* the last */
        v.offset = place(&v, v.shape[0] - 1);
    if (which)
        v.shape[0] = 1;
    if (which > 2)
        v.ndim = 0;
    return v;
}

static void slices_of_one(int64_t n, const ufc_ufunc *ufunc, ufc_type type, int step) {
    fill(type);
    for (int i = 0; i < 8 * 8 * 5; i += step) {
        struct task t = {.ufunc = ufunc, .type = type, .nin = 1};
        t.in[0] = scalar(slice(i % 8, n), i / 64);
        t.out = slice(i / 8 % 8, n);
        check(&t);
    }
}

static void slices_of_two(int64_t n, ufc_type type, int step) {
    fill(type);
    for (int i = 0; i < 8 * 8 * 8 * 9; i += step) {
        struct task t = {.ufunc = &overlap_add_ufunc, .type = type, .nin = 2};
        int which = i / 512;
        t.in[0] = scalar(slice(i % 8, n), which < 5 ? which : 0);
        t.in[1] = scalar(slice(i / 8 % 8, n), which < 5 ? 0 : which - 4);
        t.out = slice(i / 64 % 8, n);
        check(&t);
    }
}

/* Indices, and what is added, in the array's own memory. */
static void indices(int64_t n) {
    memset(before, 0, sizeof before);
    for (int64_t i = 0; i < n; i++)
        put_bits(before, UFC_INT16, i, (uint64_t)i);
    struct view forth = {0, {n}, {1}, 1}, back = {n - 1, {n}, {-1}, 1};
    struct task t = {&overlap_add_ufunc, REDUCEAT, UFC_INT16, 2,    0,
                     {forth, back},      forth,    forth,     false};
    check(&t);
    t.in[1] = forth;
    check(&t);
    t = (struct task){&overlap_add_ufunc,   AT,   UFC_INT16, 3,    0,
                      {back, forth, forth}, back, forth,     false};
    check(&t);
    t.in[1] = (struct view){0, {n / 2}, {2}, 1};
    t.in[2] = (struct view){n / 4, {n / 2}, {1}, 1};
    check(&t);
}

static void transposed(ufc_type type, int64_t n) {
    fill(type);
    struct view x = {0, {n, n}, {n, 1}, 2}, y = {0, {n, n}, {1, n}, 2};
    struct task t = {&overlap_add_ufunc, CALL, type, 2, 0, {x, y}, x, x, false};
    check(&t);
}

static void sines(ufc_type type) {
    static const int64_t steps[] = {-1, 1, 2, 4, 5};
    fill(type);
    for (int i = 0; i < 5; i++) {
        int64_t step = steps[i], n = 100 / llabs(step);
        struct view x = {step < 0 ? 99 : 0, {n}, {step}, 1}, y = {0, {n}, {1}, 1};
        struct task t = {&overlap_sine_ufunc, CALL, type, 1, 0, {x}, y, y, false};
        check(&t);
    }
}

int main(int argc, char **argv) {
    const char *device = argc > 1 && strncmp(argv[1], "--device=", 9) == 0 ? argv[1] + 9 : "cpu";
    const char *reason = "no GPU";
    bool slow = strcmp(device, "cpu") != 0;
    on_gpu = strcmp(device, "cuda") == 0;
    if (on_gpu && ufc_device_count(&reason) == 0) {
        printf("overlap: %s\n", reason);
        return SKIPPED;
    }
    make_known(&overlap_invert_ufunc);
    make_known(&overlap_negative_ufunc);
    make_known(&overlap_add_ufunc);
    make_known(&overlap_sine_ufunc);
    make_known(&overlap_pdist_ufunc);
    REQUIRE(ufc_context_new(&context, device, 0, &err) == UFC_OK);
    int n = slow ? 150 : 1500;
    random_calls(&overlap_invert_ufunc, UFC_INT16, 1, false, 2 * n);
    random_calls(&overlap_negative_ufunc, UFC_COMPLEX128, 1, false, n);
    random_calls(&overlap_add_ufunc, UFC_INT16, 2, false, 2 * n);
    random_calls(&overlap_invert_ufunc, UFC_BOOL, 1, true, n);
    random_gufuncs(n);
    random_methods(REDUCE, n);
    random_methods(ACCUMULATE, n);
    random_methods(REDUCEAT, n);
    static const ufc_type types[] = {UFC_INT8,    UFC_INT16,   UFC_INT32,     UFC_INT64,
                                     UFC_FLOAT32, UFC_FLOAT64, UFC_COMPLEX64, UFC_COMPLEX128};
    for (int i = 0; i < 8; i++) {
        slices_of_one(slow ? 50 : 1000, i < 4 ? &overlap_invert_ufunc : &overlap_negative_ufunc,
                      types[i], slow ? 13 : 1);
        slices_of_two(slow ? 50 : 1000, types[i], slow ? 149 : 17);
    }
    indices(slow ? 500 : 10000);
    transposed(UFC_FLOAT64, slow ? 50 : 140);
    sines(UFC_FLOAT32);
    sines(UFC_FLOAT64);
    ufc_context_free(context);
    printf("%d calls, %d overlapping, %d to be refused; %d failed\n", nchecked, noverlapping,
           nrefused, test_failures);
    return test_failures > 0;
}
