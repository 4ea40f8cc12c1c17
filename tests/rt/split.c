/* split.c: a gufunc whose arrays are too large for all calls at once is computed part by part; what
 * ufc_explain and ufc_plan_describe tell is of all of them. */
#include <string.h>
#include "../test.h"
#include "split.h"

enum { CALLS = 1500, N = 1000 };
static double x[CALLS * N], y[CALLS * N];
static ufc_error err;

static void fine(ufc_status status) {
    if (status != UFC_OK)
        puts(err.message);
    REQUIRE(status == UFC_OK);
}

static void told(const char *device, int64_t calls, int64_t most) {
    int64_t shape[] = {calls, N};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape), out = in;
    ufc_arg arg = ufc_array(&in);
    out.data = y;
    ufc_out into = ufc_into(&out);
    ufc_context *ctx;
    ufc_plan *plan;
    ufc_plan_description call, planned;
    fine(ufc_context_new(&ctx, device, 2, &err));
    fine(ufc_explain(ctx, NULL, &split_steps_ufunc, &arg, &into, NULL, &call, &err));
    fine(ufc_plan_new(&plan, ctx, NULL, &split_steps_ufunc, &arg, &into, NULL, &err));
    fine(ufc_plan_describe(plan, &planned, &err));
    const ufc_plan_description *both[] = {&call, &planned};
    for (int i = 0; i < 2; i++) {
        const ufc_plan_description *d = both[i];
        long long parts = 1, of = calls;
        CHECK(d->ndim == 1 && d->shape[0] == calls && d->bytes == calls * N * 2 * 8);
        CHECK(!*d->parts == (most == 0));
        if (most)
            CHECK(sscanf(d->parts, "%lld of up to %lld calls, one after the other", &parts, &of) ==
                  2);
        CHECK(parts == (calls + of - 1) / of && of <= (most ? most : calls));
        CHECK(d->temporaries >= of * N * 8 && d->temporaries < of * N * 8 + 1024);
        CHECK(d->launches == (strcmp(device, "sim") == 0 ? parts : 0));
    }
    CHECK(strcmp(call.parts, planned.parts) == 0 && strcmp(call.kernel, planned.kernel) == 0);
    memset(y, 0, sizeof y);
    fine(ufc_execute(plan, NULL, NULL, &err));
    for (int64_t c = 0; c < calls; c++)
        REQUIRE(y[c * N] == N * (N - 1) / 2 && y[c * N + N - 1] == -(N - 1));
    ufc_plan_free(plan);
    ufc_context_free(ctx);
}

/* Calls along two axes that do not merge: parts are of one of them, for each of the other. */
static void along_axes(const char *device) {
    enum { LAYERS = 6, ROWS = CALLS / LAYERS };
    int64_t shape[] = {LAYERS, ROWS, N}, turned[] = {N, LAYERS * N, 1};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 3, shape), out = in;
    ufc_context *ctx;
    out.data = y;
    out.strides = turned;
    memset(y, 0, sizeof y);
    fine(ufc_context_new(&ctx, device, 1, &err));
    fine(split_steps(ctx, NULL, ufc_array(&in), ufc_into(&out), &err));
    for (int l = 0; l < LAYERS; l++)
        for (int r = 0; r < ROWS; r++) {
            const double *to = y + (r * LAYERS + l) * N;
            double first = l * ROWS + r; /* of the call's numbers, which follow */
            REQUIRE(to[0] == N * first + N * (N - 1) / 2 - first && to[N - 1] == 1 - N);
        }
    ufc_context_free(ctx);
}

int main(void) {
    for (int i = 0; i < CALLS * N; i++)
        x[i] = i % N;
    told("cpu", CALLS, 2 * (1 << 20) / (N * 8));
    told("sim", CALLS, (1 << 20) / (N * 8));
    told("cpu", 100, 0);
    told("sim", 100, 0);
    for (int i = 0; i < CALLS * N; i++)
        x[i] = i % N + i / N;
    along_axes("cpu");
    along_axes("sim");
    return test_failures > 0;
}
