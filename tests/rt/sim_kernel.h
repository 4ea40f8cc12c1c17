/* sim_kernel.h: kernels in PTX that is written by hand, for the simulator.
 *
 * Each case is the middle of a kernel of one input 'x' and one output 'y', 64 threads a block, an
 * element of 32 bits a thread: x's is in %r5, what is left in %r6 goes to y.  %r1 is the thread,
 * %rd4 and %rd5 are the addresses in x and y, %rd1 and %rd2 those of the first elements. */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include <string.h>
#include "../test.h"
#include "image_abi.h"
#include "ufc.h"

enum { BLOCK = 64, BLOCKS = 3, N = BLOCK * BLOCKS };

#define MODULE ".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"f.uf\"\n"
#define BEGIN                                                                                      \
    ".visible .entry k(.param .align 8 .b8 p[64])\n.maxntid 64\n{\n"                               \
    ".reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<40>; .reg .b64 %rd<20>;\n"                   \
    ".shared .align 4 .b8 tile[256]; .local .align 8 .b8 mine[16];\n"                              \
    "ld.param.b64 %rd1, [p+16]; ld.param.b64 %rd2, [p+40];\n"                                      \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"                          \
    "mad.lo.s32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd3, %r4, 4;\n"                                  \
    "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3; ld.global.b32 %r5, [%rd4];\n"             \
    "mov.b64 %rd6, tile; mul.wide.u32 %rd7, %r1, 4; add.s64 %rd8, %rd6, %rd7;\n"
#define END "st.global.b32 [%rd5], %r6; ret;\n}\n"

typedef uint32_t expected_fn(uint32_t i, uint32_t x);

struct test_case {
    const char *head, *body;
    expected_fn *expected; /* of element i; NULL: an error */
    const char *words[3];  /* in its message */
};

static uint32_t input(uint32_t i) {
    return i * 2654435761U ^ 0x5bd1e995U;
}

/* ---- running them */

static const uint8_t dtypes[] = {DT_UINT32, DT_UINT32};
static const char *const params[] = {"x", "y"};

static struct { uint32_t gap0[64], x[N], gap1[64], y[N], gap2[64]; } arrays;

static ufc_status call(ufc_context *ctx, const char *ptx, uint64_t id, ufc_error *err) {
    struct ufc_overload overload = {.dtypes = dtypes,
                                    .signature = "uint32(uint32)",
                                    .code = {{.ptx = ptx, .id = id}},
                                    .ptx_sm = 75,
                                    .kernel = {"k", "k", "k"},
                                    .block = {BLOCK, BLOCK, BLOCK},
                                    .vector_width = 1};
    ufc_ufunc ufunc = {.version = UFC_IMAGE_ABI_VERSION,
                       .nin = 1,
                       .nout = 1,
                       .noverloads = 1,
                       .name = "f",
                       .params = params,
                       .overloads = &overload};
    int64_t shape[] = {N};
    DLTensor x = ufc_host_array(arrays.x, ufc_dltype(UFC_UINT32), 1, shape), y = x;
    y.data = arrays.y;
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out out[] = {ufc_into(&y)};
    return ufc_call(ctx, NULL, &ufunc, in, out, err);
}

static void run(ufc_context *ctx, const struct test_case *c, uint64_t id) {
    char ptx[8192];
    ufc_error err = {""};
    snprintf(ptx, sizeof ptx, "%s%s%s%s\n%s", MODULE, c->head, BEGIN, c->body, END);
    for (uint32_t i = 0; i < N; i++) {
        arrays.x[i] = input(i);
        arrays.y[i] = 0;
    }
    ufc_status status = call(ctx, ptx, id, &err);
    if (status != (c->expected ? UFC_OK : UFC_ESIM)) {
        printf("%.60s: status %d: %s\n", c->body, (int)status, err.message);
        test_failures++;
        return;
    }
    for (int k = 0; k < 3 && c->words[k]; k++)
        if (!strstr(err.message, c->words[k])) {
            printf("%.60s: no '%s' in: %s\n", c->body, c->words[k], err.message);
            test_failures++;
        }
    for (uint32_t i = 0; c->expected && i < N; i++)
        if (arrays.y[i] != c->expected(i, arrays.x[i])) {
            printf("%.60s: element %u is %x, not %x\n", c->body, (unsigned)i, (unsigned)arrays.y[i],
                   (unsigned)c->expected(i, arrays.x[i]));
            test_failures++;
            return;
        }
}

/* Runs the cases on one thread, and on several. */
static void run_cases(const struct test_case *cases, size_t n) {
    for (int threads = 1; threads <= 4; threads += 3) {
        ufc_context *ctx;
        ufc_properties props;
        REQUIRE(ufc_context_new(&ctx, "sim", threads, NULL) == UFC_OK);
        CHECK(ufc_context_properties(ctx, &props, NULL) == UFC_OK &&
              props.device.device_type == kDLCPU && props.threads == threads);
        for (size_t i = 0; i < n; i++)
            run(ctx, &cases[i], i + 1);
        ufc_context_free(ctx);
    }
}

#endif
