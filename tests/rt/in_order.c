/* in_order.c: gufuncs whose loops are in order, on the host.  One call takes no more instructions
 * an element than its loop has, whatever a vector would take for it; and no bit of a call's result,
 * but for those of a NaN, depends on how many others there are, though few calls are computed one
 * by one, and many in the lanes of vectors.  Products are computed in tiles. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "in_order.h"
#include "image_abi.h"

enum { CALLS = 40, N = 50 };

static ufc_context *ctx;
static float x[CALLS * N], y[2][CALLS];
static double z[2][CALLS][2];

static void call(const ufc_ufunc *f, DLTensor *in, DLTensor *out) {
    ufc_error err;
    ufc_arg args[] = {ufc_array(in)};
    ufc_out outs[] = {ufc_into(out), ufc_into(out + 1)};
    if (ufc_call(ctx, NULL, f, args, outs, &err) == UFC_OK)
        return;
    puts(err.message);
    exit(1);
}

/* ---- instructions: each gives a signal while the processor's trap flag is set */

static volatile intptr_t steps;

static void on_trap(int signal) {
    (void)signal;
    steps++;
}

static void set_trap(void) {
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
                     "lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

static void clear_trap(void) {
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
                     "lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

/* Of a kernel's one more element; size: of the output, 0: the input's. */
static void check_steps(const ufc_ufunc *f, int level, intptr_t in, intptr_t out, intptr_t size) {
    enum { MOST = 12 };
    static double x_data[64], y_data[256];
    char *args[] = {(char *)x_data, (char *)y_data};
    const intptr_t strides[] = {0, 0, in, out};
    intptr_t n[] = {20, 60}, s[2];
    for (int i = 0; i < 2; i++) {
        const intptr_t dims[] = {1, n[i], size > 0 ? size : n[i]};
        steps = 0;
        set_trap();
        f->overloads[0].host[level](args, dims, strides, NULL);
        clear_trap();
        s[i] = steps;
    }
    double each = (double)(s[1] - s[0]) / (double)(n[1] - n[0]);
    if (each > MOST || each < 1) {
        printf("%s, level %d: %g instructions an element, not %d\n", f->name, level, each, MOST);
        test_failures++;
    }
}

/* ---- bits */

static void walk(int64_t calls, int first, int to) {
    int64_t in_shape[] = {calls, N}, out_shape[] = {calls, 2};
    DLTensor in = ufc_host_array(x + first * N, ufc_dltype(UFC_FLOAT32), 2, in_shape);
    DLTensor out[] = {ufc_host_array(y[to] + first, ufc_dltype(UFC_FLOAT32), 1, &calls),
                      ufc_host_array(z[to][first], ufc_dltype(UFC_FLOAT64), 2, out_shape)};
    call(&in_order_walk_ufunc, &in, out);
}

static void check_bits(void) {
    static const int groups[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 19};
    walk(CALLS, 0, 0);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        for (int first = 0; first < CALLS; first += groups[i])
            walk(first + groups[i] > CALLS ? CALLS - first : groups[i], first, 1);
        CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
        CHECK(memcmp(z[0], z[1], sizeof z[0]) == 0);
    }
}

static void check_product(void) {
    int64_t shape[] = {16, 16};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, shape), b = a,
             c = ufc_host_array(x + 256, ufc_dltype(UFC_FLOAT32), 2, shape);
    ufc_arg args[] = {ufc_array(&a), ufc_array(&b)};
    ufc_plan_description d;
    REQUIRE(ufc_explain(ctx, NULL, &in_order_product_ufunc, args, &(ufc_out){.array = &c}, NULL, &d,
                        NULL) == UFC_OK);
    CHECK(strstr(d.why, "tiles of a call's results") != NULL);
}

static int try_level(const char *name, int level) {
    ufc_properties p;
    setenv("UFC_LEVEL", name, 1);
    REQUIRE(ufc_context_new(&ctx, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_properties(ctx, &p, NULL) == UFC_OK);
    if (strstr(p.level, name) == NULL)
        return 0; /* the processor has less */
    check_steps(&in_order_histogram_ufunc, level, 1, 4, 256);
    check_steps(&in_order_filtered_ufunc, level, 8, 8, 0);
    check_bits();
    check_product();
    ufc_context_free(ctx);
    return test_failures != 0;
}

int main(void) {
    static const char *const levels[] = {"v2", "v3", "v4"}; /* found out once in a process */
    struct sigaction action = {.sa_handler = on_trap};
    sigaction(SIGTRAP, &action, NULL);
    for (int i = 0; i < CALLS * N; i++)
        x[i] = (float)random_unit(1, (uint64_t)i);
    for (int i = 0; i < 3; i++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0)
            exit(try_level(levels[i], i));
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    return test_failures != 0;
}
