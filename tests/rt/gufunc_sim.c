/* gufunc_sim.c: the kernels THREAD, WARP and BLOCK of a gufunc, in the simulator: what the
 * runtime launches, and what is said of errors. */
#include "../test.h"
#include "inner1d.h"

/* ---- calls */

static ufc_context *sim, *host;
static ufc_error err;

enum { MAX = 40000 };
static double a[MAX], b[MAX], out[MAX], wanted[MAX];

static ufc_status call(ufc_context *ctx, const ufc_ufunc *ufunc, const struct shape *s,
                       double *to) {
    struct shape c = *s;
    DLTensor x = ufc_host_array(a + s->at, ufc_dltype(UFC_FLOAT64), s->ndim, c.n), y = x, z = x;
    x.strides = c.a;
    y.data = b + s->at;
    y.strides = c.b;
    z.data = to + s->at;
    z.strides = c.out;
    z.ndim--;
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    return ufc_call(ctx, NULL, ufunc, in, &(ufc_out){.array = &z}, &err);
}

static void compare(const struct kernel *k, const struct shape *s) {
    struct ufc_overload o;
    ufc_ufunc f = make(&o, k->ptx, k->kind, k->name);
    memset(out, 0, sizeof out);
    memset(wanted, 0, sizeof wanted);
    REQUIRE(call(host, &f, s, wanted) == UFC_OK);
    if (call(sim, &f, s, out) != UFC_OK || memcmp(out, wanted, sizeof out) != 0) {
        printf("%s, shape %d: %s\n", k->name, (int)(s - shapes), err.message);
        test_failures++;
    }
}

/* ---- which kernel is taken: the PTX has just one, and the others are errors that name it */

static const char *chosen(int64_t calls, int64_t width, bool across) {
    static const char *const names[] = {"thread", "warp", "block", "nest"};
    static const enum ufc_kernel_kind kinds[] = {UFC_KERNEL_THREAD, UFC_KERNEL_WARP,
                                                 UFC_KERNEL_BLOCK, UFC_KERNEL_NEST};
    struct ufc_overload o;
    ufc_ufunc f = make(&o, HEAD, UFC_KERNEL_THREAD, "thread");
    struct shape s = {.ndim = 2, .n = {calls, width}, .a = {0, 0}, .b = {0, 0}, .out = {1}};
    if (across) {
        s.a[0] = s.b[0] = 1;
        s.a[1] = s.b[1] = calls;
    }
    for (int i = 0; i < 4; i++)
        o.kernel[kinds[i]] = names[i];
    CHECK(call(sim, &f, &s, out) == UFC_ESIM);
    for (int i = 0; i < 4; i++) {
        char quoted[16];
        snprintf(quoted, sizeof quoted, "'%s'", names[i]);
        if (strstr(err.message, quoted))
            return names[i];
    }
    return err.message;
}

static void choices(void) {
    static const struct {
        int64_t calls, width;
        const char *name;
        bool across;
    } cases[] = {
        {1, 1, "thread", false},       {1, 0, "thread", false},     {100, 2, "warp", false},
        {15000, 4, "warp", false},     {3, 1000, "warp", false},    {3, 1024, "block", false},
        {3, 4096, "nest", false},      {300, 4096, "block", false}, {1, 1 << 30, "nest", false},
        {19999, 1024, "block", false}, {100, 300, "nest", true},    {10, 1000, "warp", true},

        {100, 1, "thread", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(chosen(cases[i].calls, cases[i].width, cases[i].across), cases[i].name) != 0) {
            printf("%lld calls of width %lld: %s\n", (long long)cases[i].calls,
                   (long long)cases[i].width,
                   chosen(cases[i].calls, cases[i].width, cases[i].across));
            test_failures++;
        }
}

/* ---- errors */

static bool says(const char *words) {
    if (strstr(err.message, words))
        return true;
    printf("no '%s' in: %s\n", words, err.message);
    return false;
}

static void errors(void) {
    static const struct shape s = {
        .ndim = 2, .n = {3, 100}, .a = {100, 1}, .b = {0, 1}, .out = {1}};
    struct ufc_overload o;
    ufc_ufunc f = make(&o, HEAD BLOCK_WITH(""), UFC_KERNEL_BLOCK, "block");
    CHECK(call(sim, &f, &s, out) == UFC_ESIM && says("function 'inner1d', f.uf:") &&
          says("of shared memory that thread (") && says("with no barrier between them"));
    f = make(&o, HEAD BLOCK_WITH("setp.gt.u32 %p2, %r1, 3; @%p2 ret; bar.sync 0;\n"),
             UFC_KERNEL_BLOCK, "block");
    CHECK(call(sim, &f, &s, out) == UFC_ESIM &&
          says("function 'inner1d', f.uf:5: thread (0) of block (") &&
          says("waits at a barrier that thread (31) does not reach: it has ended"));
    /* memory: as many strides too far as the core is long, of calls that have elements there */
    f = make(&o,
             HEAD BEGIN("thread") "mov.u32 %r7, %r4; mov.u32 %r8, 0; mov.u32 %r9, 1;\n" WALK
                                  "add.u64 %rd22, %rd22, 1;\n" SUM STORE,
             UFC_KERNEL_THREAD, "thread");
    CHECK(call(sim, &f, &s, out) == UFC_ESIM && says("beyond the array"));
    f = make(&o,
             HEAD BEGIN("thread") "mov.u32 %r7, %r4; mov.u32 %r8, 0; mov.u32 %r9, 1;\n" WALK
                                  "mov.u64 %rd12, %rd10;\n" SUM STORE,
             UFC_KERNEL_THREAD, "thread");
    CHECK(call(sim, &f, &s, out) == UFC_ESIM && says("in the input 'a'"));
    /* a build with checks */
    f = make(&o, HEAD CHECKED, UFC_KERNEL_THREAD, "checked");
    o.flags = UFC_CHECKS;
    f.nplaces = 2;
    f.places = (const char *const[]){"f.uf:2:3: b[i]", "f.uf:3:7: a[i], dimension 1"};
    CHECK(call(sim, &f, &s, out) == UFC_EINVAL &&
          says("inner1d: f.uf:3:7: a[i], dimension 1: index 5 is out of range for size 100"));
    struct shape fine = s;
    fine.n[1] = 5;
    CHECK(call(sim, &f, &fine, out) == UFC_OK);
    /* no kernels at all */
    f = make(&o, HEAD, UFC_KERNEL_THREAD, NULL);
    CHECK(call(sim, &f, &s, out) == UFC_EDEVICE && says("was built without code for GPUs"));
}

int main(void) {
    for (int i = 0; i < MAX; i++) {
        a[i] = (double)(random_bits(1, (uint64_t)i) % 64);
        b[i] = (double)(random_bits(2, (uint64_t)i) % 64);
    }
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    for (int threads = 1; threads <= 3; threads += 2) {
        REQUIRE(ufc_context_new(&sim, "sim", threads, &err) == UFC_OK);
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
            for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
                compare(&kernels[k], &shapes[i]);
        choices();
        errors();
        ufc_context_free(sim);
    }
    ufc_context_free(host);
    return test_failures > 0;
}
