/* sim.c: how fast the simulator runs: instructions a second of the kernels of sim.uf.
 *
 *     bench-sim [THREADS]
 *
 * Linked with the runtime's objects, for the count of instructions. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "bench.h"
#include "sim/sim.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure(ufc_context *ctx, const char *name, const ufc_ufunc *ufunc, int64_t n) {
    float *data = calloc((size_t)n, 2 * sizeof *data);
    ufc_error err;
    if (!data)
        return 1;
    for (int64_t i = 0; i < n; i++)
        data[i] = (float)i / (float)n;
    DLTensor x = ufc_host_array(data, ufc_dltype(UFC_FLOAT32), 1, &n), y = x;
    y.data = data + n;
    ufc_arg in[] = {ufc_array(&x), ufc_float(0.3)};
    ufc_out out[] = {ufc_into(&y)};
    for (int turn = 0; turn < 2; turn++) { /* the first reads the PTX */
        uint64_t before = sim_executed();
        double begin = now();
        if (ufc_call(ctx, NULL, ufunc, in, out, &err) != UFC_OK) {
            fprintf(stderr, "%s: %s\n", name, err.message);
            return 1;
        }
        double seconds = now() - begin;
        uint64_t count = sim_executed() - before;
        if (turn == 1)
            printf("%-10s %8.1f million instructions, %7.1f million a second\n", name,
                   1e-6 * (double)count, 1e-6 * (double)count / seconds);
    }
    free(data);
    return 0;
}

int main(int argc, char **argv) {
    ufc_context *ctx;
    ufc_error err;
    if (ufc_context_new(&ctx, "sim", argc > 1 ? atoi(argv[1]) : 1, &err) != UFC_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    int status = measure(ctx, "add", &bench_add_ufunc, 1 << 22) |
                 measure(ctx, "density", &bench_density_ufunc, 1 << 20) |
                 measure(ctx, "sine", &bench_sine_ufunc, 1 << 20) |
                 measure(ctx, "escape", &bench_escape_ufunc, 1 << 18);
    ufc_context_free(ctx);
    return status;
}
