/* load.c: an overload's code, loaded into a CUcontext when it is first called there.  Code is found
 * by its id, not by its overload's address: an overload of the embedded compiler may be gone, and
 * another at its address.
 *
 * The driver takes .05 s to 2 s for a kernel of a gufunc's PTX, which may have twenty: it gets the
 * one that is launched, so that a first call waits for no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code.h"
#include "cuda.h"
#include "nvtx.h"

struct loaded {
    uint64_t id;
    CUmodule module;
    CUfunction kernels[UFC_KERNEL_COUNT]; /* NULL where not built, or loaded alone elsewhere */
    struct loaded *next;
};

/* A cubin runs on its own major version, from its minor version on; the latest is the best. */
static const struct ufc_cubin *best_cubin(const struct ufc_overload *overload,
                                          const struct ufc_code *code, int capability) {
    const struct ufc_cubin *cubins = code->cubins, *best = NULL;
    for (uint32_t i = 0; cubins && i < overload->ncubins; i++) {
        const struct ufc_cubin *cubin = &cubins[i];
        if ((int)cubin->sm / 10 == capability / 10 && (int)cubin->sm <= capability &&
            (!best || cubin->sm > best->sm))
            best = cubin;
    }
    return best;
}

bool cuda_runs(const ufc_context *ctx, const struct ufc_overload *overload) {
    const struct cuda_state *state = ctx->state;
    bool runs = has_ptx(overload) && (int)overload->ptx_sm <= state->capability;
    for (int m = 0; m < UFC_MODULE_COUNT && !runs; m++)
        runs = best_cubin(overload, &overload->code[m], state->capability) != NULL;
    return runs;
}

/* How the driver compiles PTX, and what it says of it. */
struct jit {
    char log[512];
    unsigned noptions;
    int options[3];
    void *values[3];
};

/* Whether PTX, of the compiler or expanded, says which lines of the source it is of. */
static bool has_lines(const char *ptx) {
    const char *loc = strstr(ptx, ".loc");
    while (loc && loc[4] != ' ' && loc[4] != '\t') /* .local */
        loc = strstr(loc + 1, ".loc");
    return loc != NULL;
}

/* Lines of the source that the PTX has stay in the machine code. */
static void jit_begin(struct jit *jit, const char *ptx) {
    *jit = (struct jit){
        .noptions = has_lines(ptx) ? 3 : 2,
        .options = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                    CU_JIT_GENERATE_LINE_INFO},
        .values = {jit->log, (void *)(uintptr_t)sizeof jit->log, (void *)(uintptr_t)1}};
}

static ufc_status compile_failed(const struct ufc_overload *overload, ufc_status status,
                                 const ufc_error *why, struct jit *jit, ufc_error *err) {
    jit->log[sizeof jit->log - 1] = '\0';
    return fail(err, status, "cannot compile the PTX of %s for this GPU: %s%s%s",
                overload->signature, why->message, *jit->log ? "\n" : "", jit->log);
}

/* Names the GPU and the driver, to those that keep machine code. */
static void name_device(const struct cuda_state *state, char *name, size_t size) {
    int version = 0;
    (void)CU(NULL, cuDriverGetVersion, &version);
    snprintf(name, size, "sm_%d%s, driver %d", state->capability, state->overlaps ? ", waits" : "",
             version);
}

/* Loads what the driver made of the code's PTX in an earlier process.  False: there is none that it
 * takes. */
static bool load_kept(const struct ufc_overload *overload, const struct ufc_code *code,
                      const char *device, CUmodule *module) {
    size_t size;
    void *cubin = overload->maker->find_cubin(overload->maker, code, device, &size);
    bool loaded =
        cubin != NULL && CU(NULL, cuModuleLoadDataEx, module, cubin, 0, NULL, NULL) == UFC_OK;
    free(cubin);
    return loaded;
}

static ufc_status load_text(const struct ufc_overload *overload, const char *ptx, CUmodule *module,
                            ufc_error *err) {
    struct jit jit;
    ufc_error why;
    jit_begin(&jit, ptx);
    ufc_status status =
        CU(&why, cuModuleLoadDataEx, module, ptx, jit.noptions, jit.options, jit.values);
    return status == UFC_OK ? UFC_OK : compile_failed(overload, status, &why, &jit, err);
}

/* Has the driver compile PTX to machine code, loads it, and has it kept. */
static ufc_status load_linked(const struct ufc_overload *overload, const struct ufc_code *code,
                              const char *device, const char *ptx, CUmodule *module,
                              ufc_error *err) {
    CUlinkState link;
    struct jit jit;
    void *cubin = NULL;
    size_t size = 0;
    ufc_error why;
    jit_begin(&jit, ptx);
    if (CU(NULL, cuLinkCreate, jit.noptions, jit.options, jit.values, &link) != UFC_OK)
        return load_text(overload, ptx, module, err);
    ufc_status status = CU(&why, cuLinkAddData, link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)ptx,
                           strlen(ptx) + 1, overload->signature, 0, NULL, NULL);
    if (status == UFC_OK)
        status = CU(&why, cuLinkComplete, link, &cubin, &size);
    if (status == UFC_OK)
        status = CU(&why, cuModuleLoadDataEx, module, cubin, 0, NULL, NULL);
    if (status == UFC_OK)
        overload->maker->keep_cubin(overload->maker, code, device, cubin, size);
    else
        status = compile_failed(overload, status, &why, &jit, err);
    cuda.cuLinkDestroy(link);
    return status;
}

/* The code's PTX for the GPU at hand, of `only` this kernel where it is not NULL. */
static ufc_status get_text(const struct cuda_state *state, const struct ufc_overload *overload,
                           const struct ufc_code *code, const char *only, char **ptx,
                           ufc_error *err) {
    ufc_status status = ptx_text(overload, code, ptx, err);
    if (status != UFC_OK)
        return status;
    if (only)
        keep_kernel(*ptx, only);
    if (state->overlaps)
        *ptx = cuda_waiting(*ptx);
    return *ptx ? UFC_OK
                : fail(err, UFC_ENOMEM, "out of memory for the PTX of %s", overload->signature);
}

/* The driver compiles PTX; where machine code is kept, once. */
static ufc_status load_ptx(const struct cuda_state *state, const struct ufc_overload *overload,
                           const struct ufc_code *code, const char *only, CUmodule *module,
                           ufc_error *err) {
    char device[40], *ptx = NULL;
    bool keeps = overload->maker && overload->maker->keep_cubin && cuda.cuLinkCreate &&
                 cuda.cuLinkAddData && cuda.cuLinkComplete && cuda.cuLinkDestroy;
    name_device(state, device, sizeof device);
    if (keeps && load_kept(overload, code, device, module))
        return UFC_OK;
    ufc_status status = get_text(state, overload, code, only, &ptx, err);
    if (status == UFC_OK)
        status = keeps ? load_linked(overload, code, device, ptx, module, err)
                       : load_text(overload, ptx, module, err);
    free(ptx);
    return status;
}

/* Whether a kernel's PTX is compiled without the others of its code.  Those of ufuncs are small,
 * and any call of other arrays may need another one. */
static bool is_alone(const struct ufc_overload *overload, enum ufc_kernel_kind kind) {
    return !overload->maker && kernel_info[kind].family == UFC_FAMILY_GUFUNC;
}

/* alone: set where the module has no kernel but this one. */
static ufc_status load_module(const struct cuda_state *state, const struct ufc_overload *overload,
                              enum ufc_kernel_kind kind, const struct ufc_code *code,
                              CUmodule *module, bool *alone, ufc_error *err) {
    const int capability = state->capability;
    const struct ufc_cubin *cubin = best_cubin(overload, code, capability);
    bool ptx_fits = code->ptx && (int)overload->ptx_sm <= capability;
    *alone = false;
    if (cubin) { /* an old driver may refuse a cubin, which does not matter where there is PTX */
        ufc_status status =
            CU(ptx_fits ? NULL : err, cuModuleLoadDataEx, module, cubin->data, 0, NULL, NULL);
        if (status == UFC_OK || !ptx_fits)
            return status;
    }
    if (ptx_fits) {
        *alone = is_alone(overload, kind);
        return load_ptx(state, overload, code, *alone ? overload->kernel[kind] : NULL, module, err);
    }
    if (has_ptx(overload))
        return fail(err, UFC_EDEVICE,
                    "%s needs a GPU of compute capability %u.%u or later; this one's is %d.%d",
                    overload->signature, overload->ptx_sm / 10, overload->ptx_sm % 10,
                    capability / 10, capability % 10);
    return fail(err, UFC_EDEVICE,
                "%s has no code for GPUs of compute capability %d.%d: build it "
                "with --target=host,cuda, or call it on the host",
                overload->signature, capability / 10, capability % 10);
}

/* Finds a kernel, and lets it have the shared memory, or the clusters, that launch_gufunc.c may ask
 * for. */
static ufc_status find_kernel(const struct cuda_state *state, struct loaded *loaded,
                              const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                              ufc_error *err) {
    CUfunction *kernel = &loaded->kernels[kind];
    int declared = 0;
    ufc_status status =
        CU(err, cuModuleGetFunction, kernel, loaded->module, overload->kernel[kind]);
    if (status == UFC_OK && kind == UFC_KERNEL_CLUSTER && cuda.cuFuncSetAttribute)
        return CU(err, cuFuncSetAttribute, *kernel,
                  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (status != UFC_OK || !asks_shared(kind) || !state->shared)
        return status;
    status = CU(err, cuFuncGetAttribute, &declared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, *kernel);
    return status == UFC_OK
               ? CU(err, cuFuncSetAttribute, *kernel,
                    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, state->shared - declared)
               : status;
}

static ufc_status load(const struct cuda_state *state, const struct ufc_overload *overload,
                       enum ufc_kernel_kind kind, const struct ufc_code *code, struct loaded **made,
                       ufc_error *err) {
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return fail(err, UFC_ENOMEM, "out of memory for the kernels of %s", overload->signature);
    loaded->id = code->id;
    nvtx_push("load %s", overload->kernel[kind]);
    bool alone = false;
    ufc_status status = load_module(state, overload, kind, code, &loaded->module, &alone, err);
    nvtx_pop();
    for (enum ufc_kernel_kind k = 0; k < UFC_KERNEL_COUNT && status == UFC_OK; k++)
        if (alone ? k == kind : in_code_of(overload, kind, k))
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

static const struct loaded *find(struct loaded *first, uint64_t id, enum ufc_kernel_kind kind) {
    while (first && (first->id != id || !first->kernels[kind]))
        first = first->next;
    return first;
}

ufc_status cuda_kernel(struct cuda_state *state, struct space *space,
                       const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                       const struct ufc_constants *known, bool planned, CUfunction *kernel,
                       ufc_error *err) {
    const struct ufc_code *code;
    ufc_status status = kernel_code(overload, kind, known, !planned, &code, err);
    if (status != UFC_OK)
        return status;
    _Atomic(struct loaded *) *head = &space->modules[code->id % MODULE_BUCKETS];
    /* Entries stay until the context closes, so a list once read may be walked without a lock. */
    const struct loaded *found = find(atomic_load(head), code->id, kind);
    if (!found && planned && known)
        return cuda_kernel(state, space, overload, kind, NULL, planned, kernel, err);
    if (!found) {
        pthread_mutex_lock(&space->loading);
        found = find(atomic_load(head), code->id,
                     kind); /* another thread may have loaded it meanwhile */
        if (!found) {
            struct loaded *made = NULL;
            status = load(state, overload, kind, code, &made, err);
            if (status == UFC_OK) {
                made->next = atomic_load(head);
                atomic_store(head, made);
                found = made;
            }
        }
        pthread_mutex_unlock(&space->loading);
    }
    if (found)
        *kernel = found->kernels[kind];
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
