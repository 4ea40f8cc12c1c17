/* unread_local.c: small calls of the host that are copied side by side, of bodies with an array
 * that takes no memory.  Its elements were copied too, and back after the results, from and to what
 * lies behind the workspace: a plan has the results there, and sanitizers watch a call's. */
#include <stdbool.h>
#include <string.h>

#include "../test.h"
#include "unread_local.h"

enum { CALLS = 256, M = 6, N = 64, WORKSPACE = 256 };

static int64_t x[CALLS][M][N], wanted[CALLS][N], wanted_least[CALLS], least[CALLS];
static struct {
    _Alignas(WORKSPACE) char workspace[WORKSPACE]; /* less than the array's N elements */
    int64_t y[CALLS][N];
} memory;

static void compute(void) {
    for (int c = 0; c < CALLS; c++) {
        int64_t *y = wanted[c];
        for (int j = 0; j < M; j++)
            for (int i = 0; i < N; i++) {
                x[c][j][i] = (int64_t)(random_bits((uint64_t)c, (uint64_t)(j * N + i)) % 101) - 50;
                y[i] = i > 0 ? ((y[i] * 3 + y[i - 1] + x[c][j][i]) % 1009 + 1009) % 1009 : 0;
            }
        wanted_least[c] = y[0];
        for (int i = 1; i < N; i++)
            wanted_least[c] = y[i] < wanted_least[c] ? y[i] : wanted_least[c];
    }
}

static void check(const char *how) {
    bool same = memcmp(memory.y, wanted, sizeof wanted) == 0;
    same = same && memcmp(least, wanted_least, sizeof least) == 0;
    if (!same)
        printf("%s: wrong results\n", how);
    CHECK(same);
    memset(memory.y, -1, sizeof memory.y);
    memset(least, -1, sizeof least);
}

static void call(const ufc_ufunc *ufunc, int threads) {
    int64_t shape[] = {CALLS, M, N}, rows[] = {CALLS, N};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_INT64), 3, shape);
    DLTensor y = ufc_host_array(memory.y, ufc_dltype(UFC_INT64), 2, rows);
    DLTensor smallest = ufc_host_array(least, ufc_dltype(UFC_INT64), 1, rows);
    ufc_arg arg = ufc_array(&in);
    ufc_out out[] = {ufc_into(&y), ufc_into(&smallest)};
    ufc_plan_description d;
    ufc_context *ctx;
    ufc_plan *plan;
    ufc_error err;
    REQUIRE(ufc_context_new(&ctx, "cpu", threads, &err) == UFC_OK);
    CHECK(ufc_explain(ctx, NULL, ufunc, &arg, out, NULL, &d, &err) == UFC_OK &&
          strstr(d.why, " at a time are copied side by side"));
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, ufunc, &arg, out, NULL, &err) == UFC_OK);
    REQUIRE(ufc_plan_workspace(plan) <= WORKSPACE);
    CHECK(ufc_execute_in(plan, NULL, memory.workspace, NULL, &err) == UFC_OK);
    check("plan");
    CHECK(ufc_call(ctx, NULL, ufunc, &arg, out, &err) == UFC_OK);
    check("call");
    ufc_plan_free(plan);
    ufc_context_free(ctx);
}

int main(void) {
    compute();
    for (int threads = 1; threads <= 4; threads += 3) {
        call(&unread_local_unread_ufunc, threads);
        call(&unread_local_copied_ufunc, threads);
    }
    return test_failures != 0;
}
