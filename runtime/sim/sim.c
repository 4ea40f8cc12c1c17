/* sim.c: the simulator as a device: its memory is the host's, and it interprets the image's PTX. */
#include <stdlib.h>
#include <string.h>
#include "code.h"
#include "recorder.h"
#include "sim.h"

/* ---- programs, read when first called */

struct loaded {
    uint64_t id;
    struct ptx_program *program;
    struct loaded *next;
};

struct sim_state {
    pthread_mutex_t loading;
    _Atomic(struct loaded *) first; /* entries stay until the context closes */
};

static struct ptx_program *find(struct sim_state *state, uint64_t id) {
    for (struct loaded *l = atomic_load(&state->first); l; l = l->next)
        if (l->id == id)
            return l->program;
    return NULL;
}

/* Reads the PTX of some of the overload's code. */
static ufc_status read_program(struct sim_state *state, const struct ufc_overload *overload,
                               const struct ufc_code *code, struct ptx_program **program,
                               ufc_error *err) {
    if (!code->ptx)
        return fail(err, UFC_EDEVICE,
                    "%s was built without code for GPUs, which the simulator runs: build with "
                    "--target=host,cuda",
                    overload->signature);
    struct loaded *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, UFC_ENOMEM, "out of memory for the kernels of %s", overload->signature);
    char *text = NULL;
    ufc_status status = ptx_text(overload, code, &text, err);
    if (status == UFC_OK)
        status = ptx_read(text, &made->program, err);
    free(text);
    if (status != UFC_OK) {
        free(made);
        return status;
    }
    made->id = code->id;
    made->next = atomic_load(&state->first);
    atomic_store(&state->first, made);
    *program = made->program;
    return UFC_OK;
}

static ufc_status load(struct sim_state *state, const struct ufc_overload *overload,
                       const struct kernel_launch *launch, struct ptx_program **program,
                       ufc_error *err) {
    const struct ufc_code *code;
    ufc_status status =
        kernel_code(overload, launch->kind, launch->known, !launch->planned, &code, err);
    if (status != UFC_OK)
        return status;
    *program = find(state, code->id);
    if (*program)
        return UFC_OK;
    pthread_mutex_lock(&state->loading);
    *program = find(state, code->id);
    if (!*program)
        status = read_program(state, overload, code, program, err);
    pthread_mutex_unlock(&state->loading);
    return status;
}

/* ---- the device */

static ufc_status sim_open(ufc_context *ctx, ufc_error *err) {
    ufc_status status = ops_of(ctx->device)->open(ctx, err); /* the simulator runs on the host */
    if (status != UFC_OK)
        return status;
    struct sim_state *state = calloc(1, sizeof *state);
    if (!state)
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    pthread_mutex_init(&state->loading, NULL);
    ctx->state = state;
    ctx->gpu.multiprocessors = H100_MULTIPROCESSORS;
    ctx->gpu.shared = 64 << 10;
    ctx->gpu.together = ctx->gpu.cluster = TOGETHER;
    ctx->gpu.matrix = 1; /* it interprets what these units do */
    return UFC_OK;
}

static void sim_close(ufc_context *ctx) {
    struct sim_state *state = ctx->state;
    for (struct loaded *l = atomic_load(&state->first), *next; l; l = next) {
        next = l->next;
        ptx_free(l->program);
        free(l);
    }
    pthread_mutex_destroy(&state->loading);
    free(state);
}

static ufc_status sim_properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    (void)err;
    *props = (ufc_properties){.device = ctx->device,
                              .name = "simulator",
                              .threads = ctx->threads,
                              .compute_capability = 75};
    return UFC_OK;
}

/* ---- launches */

static atomic_uint_fast64_t executed;

uint64_t sim_executed(void) {
    return atomic_load(&executed);
}

/* Runs blocks [begin, end); those behind a block that failed need not run. */
static void run_blocks(void *arg, int64_t begin, int64_t end) {
    struct sim_launch *l = arg;
    struct sim_worker *w = worker_new(l);
    if (!w) {
        pthread_mutex_lock(&l->lock);
        l->status =
            fail(l->err, UFC_ENOMEM, "out of memory for the threads of %s", l->kernel->name);
        atomic_store(&l->failed, 0);
        pthread_mutex_unlock(&l->lock);
        return;
    }
    for (int64_t block = begin; block < end && (uint64_t)block < atomic_load(&l->failed); block++)
        if (!run_block(w, (uint32_t)block)) {
            if (w->fault.kind != FAULT_STOPPED)
                sim_report(l, (uint32_t)block, &w->fault);
            break;
        }
    atomic_fetch_add(&executed, w->executed);
    worker_free(w);
}

struct alone {
    struct sim_launch *launch;
    int64_t block;
};

static void *run_alone(void *arg) {
    const struct alone *a = arg;
    run_blocks(a->launch, a->block, a->block + 1);
    if (a->launch->launch->cluster)
        cluster_leave(a->launch);
    return NULL;
}

/* Blocks from `first` on that wait for one another: each on a thread of its own. */
static ufc_status run_together(struct sim_launch *l, unsigned first, unsigned blocks) {
    pthread_t thread[MAX_TOGETHER];
    struct alone alone[MAX_TOGETHER];
    unsigned n = 0;
    while (n < blocks && n < MAX_TOGETHER) {
        alone[n] = (struct alone){l, first + n};
        if (pthread_create(&thread[n], NULL, run_alone, &alone[n]))
            break;
        n++;
    }
    if (n < blocks) { /* those that run would wait for ever */
        atomic_store(&l->failed, 0);
        if (l->launch->cluster)
            cluster_leave(l);
    }
    for (unsigned i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    return n == blocks ? l->status : fail(l->err, UFC_ENOMEM, "cannot start %u threads", blocks);
}

/* One cluster after the other. */
static ufc_status run_clusters(struct sim_launch *l) {
    unsigned each = l->launch->cluster;
    ufc_status status = UFC_OK;
    for (unsigned first = 0; first < l->launch->blocks && status == UFC_OK; first += each) {
        cluster_begin(l);
        status = run_together(l, first, each);
        cluster_end(l);
    }
    return status;
}

struct sim_call {
    ufc_context *ctx;
    const struct launcher *launcher;
    const struct ufc_overload *overload;
    const char *name; /* the ufunc's; NULL: none */
    int nregions;     /* regions of an iteration; a launch of a reduction has its own */
    int narrays;      /* the regions that all launches of a gufunc have */
    struct sim_region regions[MAX_REGIONS];
};

/* Adds the memory for faults to the regions, where there is any; gives the number of regions
 * added. */
static int fault_region(struct sim_call *call) {
    uint64_t fault = call->launcher->fault;
    if (!fault)
        return 0;
    call->regions[call->nregions] = (struct sim_region){.begin = (uintptr_t)fault,
                                                        .size = sizeof(struct ufc_fault),
                                                        .writable = true,
                                                        .name = "fault"};
    return 1;
}

static ufc_status simulate(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct sim_call *call = arg;
    const char *name = call->overload->kernel[launch->kind];
    struct ptx_program *program;
    ufc_status status = load(call->ctx->state, call->overload, launch, &program, err);
    if (status != UFC_OK)
        return status;
    struct sim_launch l = {.program = program,
                           .kernel = name ? ptx_kernel(program, name) : NULL,
                           .name = call->name,
                           .launch = launch,
                           .regions = call->regions,
                           .nregions = call->nregions + fault_region(call),
                           .shared_size =
                               (uint32_t)((program->shared_size + 15) / 16 * 16) + launch->shared,
                           .failed = UINT32_MAX,
                           .err = err};
    if (!l.kernel)
        return fail(err, UFC_ESIM, "the PTX of %s has no kernel '%s'", call->overload->signature,
                    name ? name : "");
    if (l.kernel->param_size > launch->size || launch->block > MAX_BLOCK || launch->block == 0)
        return fail(err, UFC_ESIM,
                    "kernel '%s' takes %u bytes of parameters, not %zu, or blocks of %u threads "
                    "are too large",
                    name, (unsigned)l.kernel->param_size, launch->size, launch->block);
    bool matrix = ufc_is_matrix(launch->kind); /* of GPUs whose blocks have more */
    uint64_t shared = l.kernel->shared_size + launch->shared;
    uint64_t most = asks_shared(launch->kind) ? (uint64_t)call->ctx->gpu.shared : UNASKED_SHARED;
    if (!matrix && shared > most)
        return fail(err, UFC_ESIM,
                    "kernel '%s' takes %llu bytes of shared memory, a block has %llu", name,
                    (unsigned long long)shared, (unsigned long long)most);
    pthread_mutex_init(&l.lock, NULL);
    if (launch->cluster)
        l.status = run_clusters(&l);
    else if (launch->together)
        l.status = run_together(&l, 0, launch->blocks);
    else
        parallel_for(call->ctx->threads, launch->blocks, 1, run_blocks, &l);
    pthread_mutex_destroy(&l.lock);
    return l.status;
}

static ufc_status copy_table(struct launcher *l, void *dst, const void *src, size_t size,
                             ufc_error *err) {
    (void)l;
    (void)err;
    memcpy(dst, src, size);
    return UFC_OK;
}

/* Simulates a gufunc's launch, which may have a workspace of its own. */
static ufc_status simulate_gufunc(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct sim_call *call = arg;
    call->nregions = sim_launch_regions(call->overload, launch, call->regions, call->narrays);
    return simulate(arg, launch, err);
}

static ufc_status execute_call(struct sim_call *call, void *stream, const struct iteration *it,
                               ufc_error *err) {
    struct launcher l = {.ctx = call->ctx,
                         .stream = stream,
                         .launch = it->core ? simulate_gufunc : simulate,
                         .put = copy_table,
                         .get = copy_table,
                         .arg = call};
    call->launcher = &l;
    if (it->core) {
        call->narrays = sim_gufunc_regions(it, call->regions);
        return launch_gufunc(&l, it, err);
    }
    call->nregions = sim_regions(it, it->ufunc ? it->ufunc->params : NULL, call->regions);
    return launch_iteration(&l, it, err);
}

/* It is too large for a stack; free gives it back. */
static ufc_status call_for(ufc_context *ctx, const struct ufc_overload *overload,
                           const struct ufc_ufunc *ufunc, struct sim_call **call, ufc_error *err) {
    *call = calloc(1, sizeof **call);
    if (!*call)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    (*call)->ctx = ctx;
    (*call)->overload = overload;
    (*call)->name = ufunc ? ufunc->name : NULL;
    return UFC_OK;
}

static ufc_status sim_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                              ufc_error *err) {
    struct sim_call *call;
    ufc_status status = call_for(ctx, it->overload, it->ufunc, &call, err);
    if (status == UFC_OK)
        status = execute_call(call, stream, it, err);
    free(call);
    return status;
}

static ufc_status load_launched(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    const struct sim_call *call = arg;
    struct ptx_program *program;
    return load(call->ctx->state, call->overload, launch, &program, err);
}

static ufc_status skip_table(struct launcher *l, void *dst, const void *src, size_t size,
                             ufc_error *err) {
    (void)l, (void)dst, (void)src, (void)size, (void)err;
    return UFC_OK;
}

static struct launcher loading_launcher(struct sim_call *call, void *stream) {
    return (struct launcher){.ctx = call->ctx,
                             .stream = stream,
                             .launch = load_launched,
                             .put = skip_table,
                             .get = skip_table,
                             .arg = call};
}

static ufc_status sim_prepare(ufc_context *ctx, void *stream, const struct iteration *it,
                              ufc_error *err) {
    struct sim_call *call;
    ufc_status status = call_for(ctx, it->overload, it->ufunc, &call, err);
    if (status != UFC_OK)
        return status;
    struct launcher l = loading_launcher(call, stream);
    status = it->core ? launch_gufunc(&l, it, err) : launch_iteration(&l, it, err);
    free(call);
    return status;
}

static ufc_status sim_prepare_reduction(ufc_context *ctx, void *stream, const struct reduction *r,
                                        ufc_error *err) {
    struct sim_call *call;
    ufc_status status = call_for(ctx, r->overload, r->ufunc, &call, err);
    if (status != UFC_OK)
        return status;
    struct launcher l = loading_launcher(call, stream);
    status = launch_reduction(&l, r, err);
    free(call);
    return status;
}

/* Simulates a launch of a reduction, whose parameter says which memory it may reach. */
static ufc_status simulate_fold(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct sim_call *call = arg;
    call->nregions = sim_fold_regions(call->overload, launch->param, call->regions);
    return simulate(arg, launch, err);
}

static ufc_status sim_reduce(ufc_context *ctx, void *stream, const struct reduction *r,
                             ufc_error *err) {
    struct sim_call *call;
    ufc_status status = call_for(ctx, r->overload, r->ufunc, &call, err);
    if (status != UFC_OK)
        return status;
    struct launcher l = {.ctx = ctx,
                         .stream = stream,
                         .launch = simulate_fold,
                         .put = copy_table,
                         .get = copy_table,
                         .arg = call};
    call->launcher = &l;
    status = launch_reduction(&l, r, err);
    free(call);
    return status;
}

/* Fails where there is no code; other facts of kernels are not known. */
static ufc_status sim_facts(ufc_context *ctx, void *stream, const struct ufc_overload *overload,
                            const struct kernel_launch *launch, struct kernel_facts *facts,
                            ufc_error *err) {
    (void)stream, (void)facts;
    struct ptx_program *program;
    return load(ctx->state, overload, launch, &program, err);
}

const struct device_ops device_sim = {
    .name = "sim",
    .memory = kDLCPU,
    .launches = true,
    .part_bytes = PART_SIM_BYTES,
    .open = sim_open,
    .close = sim_close,
    .properties = sim_properties,
    .alloc = host_alloc,
    .free = host_free,
    .clear = host_clear,
    .copy = host_copy,
    .execute = sim_execute,
    .reduce = sim_reduce,
    .at = at_on_gpu,
    .describe = describe_launches,
    .describe_reduction = describe_reducing_launches,
    .prepare = sim_prepare,
    .prepare_reduction = sim_prepare_reduction,
    .facts = sim_facts,
    .synchronize = host_synchronize,
    .elapsed = host_elapsed,
};
