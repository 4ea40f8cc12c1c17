/* gpu_gufunc.c: the kernels THREAD, WARP and BLOCK of a gufunc, from a few calls to many and
 * from short cores to long ones, on arrays of the device and of the host, and a build with checks.
 * On a GPU and on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "inner1d.h"

static ufc_context *gpu, *host;
static ufc_error err;

enum { MAX = 1 << 20 };
static double *a, *b, *out, *wanted;
static DLManagedTensorVersioned *memory[3];

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("no '%s' in: %s\n", words, err.message);
    return false;
}

static DLTensor view(double *data, int device, int ndim, const int64_t *n, const int64_t *strides,
                     int64_t at) {
    DLTensor t = ufc_host_array(data, ufc_dltype(UFC_FLOAT64), ndim, (int64_t *)(uintptr_t)n);
    if (device >= 0) {
        t.device = memory[device]->dl_tensor.device;
        t.data = memory[device]->dl_tensor.data;
    }
    t.strides = (int64_t *)(uintptr_t)strides;
    t.byte_offset = (uint64_t)at * sizeof(double);
    return t;
}

/* The arrays of `where`, a bit each, are on the device. */
static ufc_status call(ufc_context *ctx, const ufc_ufunc *f, const struct shape *s, double *to,
                       unsigned where) {
    DLTensor x = view(a, where & 1 ? 0 : -1, s->ndim, s->n, s->a, s->at);
    DLTensor y = view(b, where & 2 ? 1 : -1, s->ndim, s->n, s->b, s->at);
    DLTensor z = view(to, where & 4 ? 2 : -1, s->ndim - 1, s->n, s->out, s->at);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    return ufc_call(ctx, NULL, f, in, &(ufc_out){.array = &z}, &err);
}

static void move(double *data, int device, bool up) {
    static const int64_t n = MAX;
    DLTensor h = view(data, -1, 1, &n, NULL, 0), d = view(NULL, device, 1, &n, NULL, 0);
    REQUIRE(ufc_copy(gpu, NULL, up ? &h : &d, up ? &d : &h, &err) == UFC_OK);
}

static void compare(const struct kernel *k, const ufc_ufunc *f, const struct shape *s) {
    memset(wanted, 0, MAX * sizeof *wanted);
    REQUIRE(call(host, f, s, wanted, 0) == UFC_OK);
    for (unsigned where = 0; where < 8; where++) {
        memset(out, 0, MAX * sizeof *out);
        move(out, 2, true);
        ufc_status status = call(gpu, f, s, out, where);
        if (status == UFC_OK && where & 4)
            move(out, 2, false);
        if (status != UFC_OK || memcmp(out, wanted, MAX * sizeof *out) != 0) {
            printf("%s, rank %d, %lld x ..., arrays %u: %s\n", k->name, s->ndim, (long long)s->n[0],
                   where, status ? err.message : "another result");
            test_failures++;
        }
    }
}

/* What is described is what is launched, and nothing is computed. */
static void explain(const struct kernel *k, const ufc_ufunc *f, const struct shape *s) {
    DLTensor x = view(a, 0, s->ndim, s->n, s->a, s->at), y = view(b, 1, s->ndim, s->n, s->b, s->at);
    DLTensor z = view(out, 2, s->ndim - 1, s->n, s->out, s->at);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_plan_description d;
    memset(wanted, 0, MAX * sizeof *wanted);
    memset(out, 0, MAX * sizeof *out);
    move(out, 2, true);
    ufc_status status = ufc_explain(gpu, NULL, f, in, &(ufc_out){.array = &z}, NULL, &d, &err);
    move(out, 2, false);
    if (status == UFC_OK && strcmp(d.kernel, k->name) == 0 && d.launches > 0 && d.blocks > 0 &&
        (d.threads == f->overloads->block[k->kind] || k->kind == UFC_KERNEL_THREAD) &&
        memcmp(out, wanted, MAX * sizeof *out) == 0)
        return;
    printf("%s explained: %s, %s\n", k->name, d.kernel, status ? err.message : "");
    test_failures++;
}

static const struct shape large[] = {
    {.ndim = 1, .n = {MAX}, .a = {1}, .b = {1}},
    {.ndim = 2, .n = {3, 1 << 18}, .a = {1 << 18, 1}, .b = {1, 3}, .out = {3}},
    {.ndim = 2, .n = {1 << 17, 8}, .a = {8, 1}, .b = {1, 1 << 17}, .out = {2}},
    {.ndim = 3, .n = {500, 3, 1500}, .a = {1500, 0, 1}, .b = {0, 1500, 1}, .out = {1, 500}},
};

static void checked(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data) {
    struct ufc_fault *fault = data;
    if (dimensions[1] > 5)
        *fault = (struct ufc_fault){1, 1, 5, dimensions[1], 0};
    else
        inner1d_f8(args, dimensions, steps, data);
}

static void checks(void) {
    static struct ufc_overload o;
    static ufc_ufunc f;
    static const char *const places[] = {"f.uf:2:3: b[i]", "f.uf:3:7: a[i], dimension 1"};
    f = make(&o, HEAD CHECKED, UFC_KERNEL_THREAD, "checked");
    f.nplaces = 2;
    f.places = places;
    o.flags = UFC_CHECKS;
    o.host[0] = checked;
    make_known(&f);
    struct shape s = {.ndim = 2, .n = {1000, 100}, .a = {100, 1}, .b = {0, 1}, .out = {1}};
    CHECK(call(gpu, &f, &s, out, 7) == UFC_EINVAL &&
          says("inner1d: f.uf:3:7: a[i], dimension 1: index 5 is out of range for size 100"));
    s.n[1] = 5;
    CHECK(call(gpu, &f, &s, out, 7) == UFC_OK);
}

int main(void) {
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("gpu_gufunc: %s\n", err.message);
        return SKIPPED;
    }
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    double **arrays[] = {&a, &b, &out, &wanted};
    for (int k = 0; k < 4; k++)
        REQUIRE((*arrays[k] = calloc(MAX, sizeof(double))));
    for (int i = 0; i < MAX; i++) {
        a[i] = (double)(random_bits(1, (uint64_t)i) % 64);
        b[i] = (double)(random_bits(2, (uint64_t)i) % 64);
    }
    for (int k = 0; k < 3; k++)
        REQUIRE(ufc_empty(gpu, UFC_FLOAT64, 1, &(int64_t){MAX}, UFC_DEVICE, &memory[k], &err) ==
                UFC_OK);
    move(a, 0, true);
    move(b, 1, true);
    checks();
    static struct ufc_overload o[sizeof kernels / sizeof *kernels];
    static ufc_ufunc f[sizeof kernels / sizeof *kernels];
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        f[k] = make(&o[k], kernels[k].ptx, kernels[k].kind, kernels[k].name);
        make_known(&f[k]);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            compare(&kernels[k], &f[k], &shapes[i]);
        for (size_t i = 0; i < sizeof large / sizeof *large; i++)
            compare(&kernels[k], &f[k], &large[i]);
        explain(&kernels[k], &f[k], &large[1]);
    }
    for (int k = 0; k < 3; k++)
        ufc_free(memory[k]);
    ufc_context_free(gpu);
    ufc_context_free(host);
    return test_failures > 0;
}
