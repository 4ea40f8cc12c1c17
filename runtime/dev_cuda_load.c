/* dev_cuda_load.c: an overload's code, loaded into a CUcontext when it is first called there.  Code
 * is known by its id: an overload that the embedded compiler made may be gone, and another in its
 * place. */
#include <stdlib.h>
#include <string.h>
#include "dev_cuda.h"

struct loaded {
    uint64_t id;
    CUmodule module;
    CUfunction kernels[UFC_KERNEL_COUNT]; /* NULL where not built */
    struct loaded *next;
};

/* A cubin runs on its own major version, from its minor version on; the latest is the best. */
static const struct ufc_cubin *best_cubin(const struct ufc_overload *overload, int capability) {
    const struct ufc_cubin *best = NULL;
    for (uint32_t i = 0; i < overload->ncubins; i++) {
        const struct ufc_cubin *cubin = &overload->cubins[i];
        if ((int)cubin->sm / 10 == capability / 10 && (int)cubin->sm <= capability &&
            (!best || cubin->sm > best->sm))
            best = cubin;
    }
    return best;
}

static bool ptx_fits(const struct ufc_overload *overload, int capability) {
    return overload->ptx && (int)overload->ptx_sm <= capability;
}

bool cuda_runs(const ufc_context *ctx, const struct ufc_overload *overload) {
    const struct cuda_state *state = ctx->state;
    return best_cubin(overload, state->capability) || ptx_fits(overload, state->capability);
}

/* The driver compiles PTX for the GPU at hand; what its compiler says goes into the message. */
static ufc_status load_ptx(const struct ufc_overload *overload, CUmodule *module, ufc_error *err) {
    char log[512] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    ufc_error why;
    ufc_status status = CU(&why, cuModuleLoadDataEx, module, overload->ptx, 2, options, values);
    if (status == UFC_OK)
        return UFC_OK;
    log[sizeof log - 1] = '\0';
    return fail(err, status, "cannot compile the PTX of %s for this GPU: %s%s%s",
                overload->signature, why.message, *log ? "\n" : "", log);
}

static ufc_status load_module(const struct ufc_overload *overload, int capability, CUmodule *module,
                              ufc_error *err) {
    const struct ufc_cubin *cubin = best_cubin(overload, capability);
    bool has_ptx = ptx_fits(overload, capability);
    if (cubin) { /* one that the driver refuses, being older than it, is no loss where PTX is */
        ufc_status status =
            CU(has_ptx ? NULL : err, cuModuleLoadDataEx, module, cubin->data, 0, NULL, NULL);
        if (status == UFC_OK || !has_ptx)
            return status;
    }
    if (has_ptx)
        return load_ptx(overload, module, err);
    if (overload->ptx)
        return fail(err, UFC_EDEVICE,
                    "%s needs a GPU of compute capability %u.%u or later; this one's is %d.%d",
                    overload->signature, overload->ptx_sm / 10, overload->ptx_sm % 10,
                    capability / 10, capability % 10);
    return fail(err, UFC_EDEVICE,
                "%s has no code for GPUs of compute capability %d.%d: build it "
                "with --target=host,cuda, or call it on the host",
                overload->signature, capability / 10, capability % 10);
}

static ufc_status load(const struct ufc_overload *overload, int capability, struct loaded **made,
                       ufc_error *err) {
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return fail(err, UFC_ENOMEM, "out of memory for the kernels of %s", overload->signature);
    loaded->id = overload->id;
    ufc_status status = load_module(overload, capability, &loaded->module, err);
    for (int k = 0; k < UFC_KERNEL_COUNT && status == UFC_OK; k++)
        if (overload->kernel[k])
            status = CU(err, cuModuleGetFunction, &loaded->kernels[k], loaded->module,
                        overload->kernel[k]);
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

static bool reduces(int kind) {
    return kind == UFC_KERNEL_FOLD || kind == UFC_KERNEL_TREE;
}

/* An overload with the code and the kernels of one of its two modules. */
static struct ufc_overload part_of(const struct ufc_overload *overload, bool reduce) {
    struct ufc_overload part = *overload;
    if (reduce) {
        part.ptx = overload->fold_ptx;
        part.cubins = overload->fold_cubins;
        part.id = overload->fold_id;
    }
    for (int k = 0; k < UFC_KERNEL_COUNT; k++)
        if (reduces(k) != reduce)
            part.kernel[k] = NULL;
    return part;
}

ufc_status cuda_kernels(struct cuda_state *state, struct space *space,
                        const struct ufc_overload *whole, bool reduce, const CUfunction **kernels,
                        ufc_error *err) {
    const struct ufc_overload part = part_of(whole, reduce), *overload = &part;
    _Atomic(struct loaded *) *head = &space->modules[overload->id % MODULE_BUCKETS];
    /* Entries stay until the context closes, so a list once read may be walked without a lock. */
    const struct loaded *found = find(atomic_load(head), overload->id);
    ufc_status status = UFC_OK;
    if (!found) {
        pthread_mutex_lock(&space->loading);
        found =
            find(atomic_load(head), overload->id); /* another thread may have loaded it meanwhile */
        if (!found) {
            struct loaded *made = NULL;
            status = load(overload, state->capability, &made, err);
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
