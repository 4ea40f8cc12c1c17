/* load.c: an overload's code, loaded into a CUcontext when it is first called there.  Code is found
 * by its id, not by its overload's address: an overload of the embedded compiler may be gone, and
 * another at its address. */
#include <stdlib.h>
#include <string.h>
#include "cuda.h"

struct loaded {
    uint64_t id;
    CUmodule module;
    CUfunction kernels[UFC_KERNEL_COUNT]; /* NULL where not built */
    struct loaded *next;
};

/* A cubin runs on its own major version, from its minor version on; the latest is the best. */
static const struct ufc_cubin *best_cubin(const struct ufc_overload *overload,
                                          enum ufc_module module, int capability) {
    const struct ufc_cubin *cubins = overload->code[module].cubins, *best = NULL;
    for (uint32_t i = 0; cubins && i < overload->ncubins; i++) {
        const struct ufc_cubin *cubin = &cubins[i];
        if ((int)cubin->sm / 10 == capability / 10 && (int)cubin->sm <= capability &&
            (!best || cubin->sm > best->sm))
            best = cubin;
    }
    return best;
}

static bool ptx_fits(const struct ufc_overload *overload, enum ufc_module module, int capability) {
    return overload->code[module].ptx && (int)overload->ptx_sm <= capability;
}

bool cuda_runs(const ufc_context *ctx, const struct ufc_overload *overload) {
    const struct cuda_state *state = ctx->state;
    return best_cubin(overload, UFC_MODULE_PLAIN, state->capability) ||
           ptx_fits(overload, UFC_MODULE_PLAIN, state->capability);
}

/* The driver compiles PTX for the GPU at hand; what its compiler says goes into the message. */
static ufc_status load_ptx(const struct ufc_overload *overload, enum ufc_module which,
                           CUmodule *module, ufc_error *err) {
    char log[512] = "", *ptx = NULL;
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    ufc_error why;
    ufc_status status = ptx_text(overload, which, &ptx, err);
    if (status != UFC_OK)
        return status;
    status = CU(&why, cuModuleLoadDataEx, module, ptx, 2, options, values);
    free(ptx);
    if (status == UFC_OK)
        return UFC_OK;
    log[sizeof log - 1] = '\0';
    return fail(err, status, "cannot compile the PTX of %s for this GPU: %s%s%s",
                overload->signature, why.message, *log ? "\n" : "", log);
}

static ufc_status load_module(const struct ufc_overload *overload, enum ufc_module which,
                              int capability, CUmodule *module, ufc_error *err) {
    const struct ufc_cubin *cubin = best_cubin(overload, which, capability);
    const char *ptx = overload->code[which].ptx;
    bool has_ptx = ptx_fits(overload, which, capability);
    if (cubin) { /* an old driver may refuse a cubin, which does not matter where there is PTX */
        ufc_status status =
            CU(has_ptx ? NULL : err, cuModuleLoadDataEx, module, cubin->data, 0, NULL, NULL);
        if (status == UFC_OK || !has_ptx)
            return status;
    }
    if (has_ptx)
        return load_ptx(overload, which, module, err);
    if (ptx || overload->code[UFC_MODULE_PLAIN].ptx)
        return fail(err, UFC_EDEVICE,
                    "%s needs a GPU of compute capability %u.%u or later; this one's is %d.%d",
                    overload->signature, overload->ptx_sm / 10, overload->ptx_sm % 10,
                    capability / 10, capability % 10);
    return fail(err, UFC_EDEVICE,
                "%s has no code for GPUs of compute capability %d.%d: build it "
                "with --target=host,cuda, or call it on the host",
                overload->signature, capability / 10, capability % 10);
}

/* Finds a kernel, and lets it have the shared memory that launch_gufunc.c may ask for. */
static ufc_status find_kernel(const struct cuda_state *state, struct loaded *loaded,
                              const struct ufc_overload *overload, int kind, ufc_error *err) {
    CUfunction *kernel = &loaded->kernels[kind];
    int declared = 0;
    ufc_status status =
        CU(err, cuModuleGetFunction, kernel, loaded->module, overload->kernel[kind]);
    bool asks =
        kind == UFC_KERNEL_RESIDENT || kind == UFC_KERNEL_SCATTER || kind == UFC_KERNEL_LONE;
    if (status != UFC_OK || !asks || !state->shared)
        return status;
    status = CU(err, cuFuncGetAttribute, &declared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, *kernel);
    return status == UFC_OK
               ? CU(err, cuFuncSetAttribute, *kernel,
                    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, state->shared - declared)
               : status;
}

static ufc_status load(const struct cuda_state *state, const struct ufc_overload *overload,
                       enum ufc_module module, struct loaded **made, ufc_error *err) {
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return fail(err, UFC_ENOMEM, "out of memory for the kernels of %s", overload->signature);
    loaded->id = overload->code[module].id;
    ufc_status status = load_module(overload, module, state->capability, &loaded->module, err);
    for (int k = 0; k < UFC_KERNEL_COUNT && status == UFC_OK; k++)
        if (overload->kernel[k] && kernel_info[k].module == module)
            status = find_kernel(state, loaded, overload, k, err);
    if (status != UFC_OK) {
        if (loaded->module)
            cuda.cuModuleUnload(loaded->module);
        free(loaded);
        return status;
    }
    *made = loaded;
    return UFC_OK;
}

static const struct loaded *find(struct loaded *first, uint64_t id) {
    while (first && first->id != id)
        first = first->next;
    return first;
}

ufc_status cuda_kernels(struct cuda_state *state, struct space *space,
                        const struct ufc_overload *overload, enum ufc_module module,
                        const CUfunction **kernels, ufc_error *err) {
    uint64_t id = overload->code[module].id;
    _Atomic(struct loaded *) *head = &space->modules[id % MODULE_BUCKETS];
    /* Entries stay until the context closes, so a list once read may be walked without a lock. */
    const struct loaded *found = find(atomic_load(head), id);
    ufc_status status = UFC_OK;
    if (!found) {
        pthread_mutex_lock(&space->loading);
        found = find(atomic_load(head), id); /* another thread may have loaded it meanwhile */
        if (!found) {
            struct loaded *made = NULL;
            status = load(state, overload, module, &made, err);
            if (status == UFC_OK) {
                made->next = atomic_load(head);
                atomic_store(head, made);
                found = made;
            }
        }
        pthread_mutex_unlock(&space->loading);
    }
    if (found)
        *kernels = found->kernels;
    return status;
}

void cuda_forget_modules(struct space *space, bool unload) {
    for (int i = 0; i < MODULE_BUCKETS; i++) {
        for (struct loaded *loaded = atomic_load(&space->modules[i]), *next; loaded;
             loaded = next) {
            next = loaded->next;
            if (unload)
                cuda.cuModuleUnload(loaded->module);
            free(loaded);
        }
        atomic_store(&space->modules[i], NULL);
    }
}
