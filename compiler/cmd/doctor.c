/* doctor.c: `ufc doctor`: what is found on this machine, and how to get what is missing. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static void show(const char *what, const char *found) {
    printf("%-11s%s\n", what, found);
}

static void advise(const char *advice) {
    printf("%11s%s\n", "", advice);
}

static bool show_libdevice(void) {
    char *path = ufcc_find_libdevice();
    bool found = path != NULL;
    show("libdevice:", path ? path : "not found");
    if (!path && getenv("UFC_LIBDEVICE"))
        advise("UFC_LIBDEVICE names a file that cannot be read: unset it, or set it right.");
    else if (!path) {
        advise("Mathematical functions on GPUs need NVIDIA's libdevice.10.bc.  It comes with any");
        advise(
            "CUDA toolkit; `make deps` gets it alone; or say where it is by --libdevice=FILE or");
        advise("UFC_LIBDEVICE.  `ufc build --target=host` and `ufc run --device=cpu` do without.");
    }
    free(path);
    return found;
}

static void show_ptxas(void) {
    char *path = ufcc_find_ptxas();
    show("ptxas:", path ? path : "not found");
    if (!path) {
        advise("Only --arch needs it, which saves the driver's compilation at a first call.  It");
        advise("comes with any CUDA toolkit; `make deps` gets it alone.");
    }
    free(path);
}

static void show_cache(void) {
    ufcc_cache_state state;
    if (!ufcc_cache(NULL, &state)) {
        show("cache:", state.error ? strerror(state.error) : "none");
        return;
    }
    char *problem = cache_problem(&state);
    printf("%-11s%s, %llu entries\n", "cache:", state.folder, state.entries);
    if (problem)
        advise(problem);
    free(problem);
    free(state.folder);
}

static void show_host(void) {
    ufc_context *ctx = NULL;
    ufc_properties p;
    ufc_error err;
    if (ufc_context_new(&ctx, "cpu", 0, &err) == UFC_OK &&
        ufc_context_properties(ctx, &p, &err) == UFC_OK)
        printf("%-11s%s, %d thread%s, code for %s\n", "host:", p.name, p.threads,
               p.threads == 1 ? "" : "s", p.level);
    else
        show("host:", err.message);
    ufc_context_free(ctx);
}

/* What calls on host arrays are placed by, of the first GPU; it may be measured now. */
static void show_rates(ufc_context *ctx) {
    ufc_rates r;
    ufc_error err;
    if (ufc_context_rates(ctx, &r, &err) != UFC_OK) {
        show("rates:", err.message);
        return;
    }
    printf("%-11shost %.1f GB/s, a thread in its cache %.1f GB/s; threads start in %.1f us\n",
           "rates:", r.host_memory * 1e-9, r.host_cached * 1e-9, r.host_start * 1e6);
    printf("%11sa thread %.1f Gop/s in float32, %.1f in float64, %.2f one after the other\n", "",
           r.host_float32 * 1e-9, r.host_float64 * 1e-9, r.host_steps * 1e-9);
    printf("%11sto the GPU %.1f GB/s, back %.1f GB/s; pinned %.1f and %.1f; a call %.1f us\n", "",
           r.to_gpu * 1e-9, r.from_gpu * 1e-9, r.pinned_to_gpu * 1e-9, r.pinned_from_gpu * 1e-9,
           r.gpu_start * 1e6);
}

static void show_gpu(int id) {
    char name[32], label[40];
    ufc_context *ctx = NULL;
    ufc_properties p;
    ufc_error err;
    snprintf(name, sizeof name, "cuda:%d", id);
    snprintf(label, sizeof label, "%s:", name);
    if (ufc_context_new(&ctx, name, 0, &err) != UFC_OK ||
        ufc_context_properties(ctx, &p, &err) != UFC_OK) {
        show(label, err.message);
    } else {
        if (id == 0)
            printf("%-11sfor CUDA %d.%d\n", "driver:", p.driver_version / 1000,
                   p.driver_version % 1000 / 10);
        printf("%-11s%s, compute capability %d.%d, %d multiprocessors, %.1f GiB\n", label, p.name,
               p.compute_capability / 10, p.compute_capability % 10, p.multiprocessors,
               (double)p.memory / (1 << 30));
        if (id == 0)
            show_rates(ctx);
    }
    ufc_context_free(ctx);
}

static void show_gpus(void) {
    const char *why = NULL;
    int n = ufc_device_count(&why);
    for (int id = 0; id < n; id++)
        show_gpu(id);
    if (n > 0)
        return;
    show("GPU:", why ? why : "none was found");
    advise("Everything runs on the host.  For a GPU, NVIDIA's driver is all that is needed.");
}

int command_doctor(const struct arguments *args) {
    if (args->noperands > 0)
        return misuse(args->command, "'%s': there is nothing to name", args->operands[0]);
    show("ufc:", UFC_VERSION);
    show("LLVM:", ufcc_llvm_version());
    bool found = show_libdevice();
    show_ptxas();
    show_cache();
    show_host();
    show_gpus();
    return found ? DONE : FAILED;
}
