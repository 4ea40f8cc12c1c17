/* cpu.c: the host device: splits a loop's elements over threads, and calls the overload's host
 * kernel for runs of elements along one axis. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "cpu.h"
#include "level.h"

#define LINE 64 /* bytes of a cache's line */

/* ---- the processor */

/* The processor's name: 48 bytes with the final NUL. */
static void read_brand(char *name) {
    memcpy(name, "unknown", sizeof "unknown");
#ifdef __x86_64__
    unsigned brand[3][4];
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002 + i, &brand[i][0], &brand[i][1], &brand[i][2], &brand[i][3]))
            return;
    memcpy(name, brand, sizeof brand);
#endif
}

static ufc_status cpu_properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    (void)err;
    *props = (ufc_properties){.device = ctx->device, .threads = ctx->threads};
    props->level = level_names[host_level()];
    read_brand(props->name);
    return UFC_OK;
}

static ufc_status cpu_open(ufc_context *ctx, ufc_error *err) {
    (void)ctx;
    if (host_level() < 0)
        return fail(err, UFC_EDEVICE, "the processor has less than %s, which host code needs",
                    level_names[0]);
    return UFC_OK;
}

static void cpu_close(ufc_context *ctx) {
    (void)ctx;
}

/* ---- execution */

/* Runs elements whose arrays are of other types than the kernel's, in pieces through a buffer. */
static void run_casting(const struct job *job, char *const *at, int64_t n, int64_t number) {
    _Alignas(64) char buffer[CAST_BUFFER];
    const struct iteration *it = job->it;
    int nin = it->nin, nargs = nin + it->nout;
    int64_t piece = cast_piece(job);
    for (int64_t begin = 0; begin < n; begin += piece) {
        intptr_t count = (intptr_t)(n - begin < piece ? n - begin : piece), step[UFC_MAX_OPERANDS];
        char *args[UFC_MAX_OPERANDS], *room = buffer;
        for (int k = 0; k < nargs; k++) {
            char *array = at[k] + begin * job->step[k];
            args[k] = array;
            step[k] = kernel_step(job, k);
            if (!job->casts[k])
                continue;
            int size = dtype_info[loop_dtype(job, k)].size;
            args[k] = room;
            room += size * piece;
            if (k < nin)
                cast_elements(it->dtype[k], loop_dtype(job, k), args[k], size, array, job->step[k],
                              step[k] ? count : 1);
        }
        finding_run(job->finding, number + begin, job->code.kernel, args, &count, step, NULL);
        for (int k = nin; k < nargs; k++)
            if (job->casts[k])
                cast_elements(loop_dtype(job, k), it->dtype[k], at[k] + begin * job->step[k],
                              job->step[k], args[k], step[k], count);
    }
}

void run_elements(const struct job *job, char **at, int64_t n, int64_t number) {
    intptr_t count = (intptr_t)n;
    if (job->copies)
        cast_elements(job->it->dtype[0], job->it->dtype[1], at[1], job->step[1], at[0],
                      job->step[0], n);
    else if (job->cast_bytes)
        run_casting(job, at, n, number);
    else
        finding_run(job->finding, number, job->code.kernel, at, &count, job->step, NULL);
}

/* A struct ufc_host_call, and what its `share` needs. */
struct shared_call {
    struct ufc_host_call call;
    int threads;
};

static void share(struct ufc_host_call *call, void (*part)(void *frame, int64_t begin, int64_t end),
                  void *frame, int64_t n, int64_t grain) {
    parallel_for(((struct shared_call *)(void *)call)->threads, n, grain, part, frame);
}

/* Runs core calls; `begin` is the first one's number. */
static void run_gufunc(const struct job *job, char **at, int64_t n, int64_t begin) {
    intptr_t dimensions[1 + MAX_CORE_DIMS];
    struct shared_call call = {.threads = job->gufunc->threads};
    call.call.share = job->gufunc->shares ? share : NULL;
    dimensions[0] = (intptr_t)n;
    if (job->gufunc->packed > 0 && n >= job->gufunc->lanes && packed_run(job, at, n, begin))
        return;
    if (job->gufunc->turned > 0 && turned_run(job, at, n, begin))
        return;
    memcpy(dimensions + 1, job->gufunc->size, job->gufunc->ndims * sizeof *dimensions);
    finding_run(job->finding, begin, job->code.kernel, at, dimensions, job->gufunc->step,
                &call.call);
}

static void run(const struct job *job, char **at, int64_t n, int64_t number) {
    if (job->it->masked)
        run_masked(job, at, n, number);
    else
        run_elements(job, at, n, number);
}

static void move(const struct job *job, char **at, int axis, int64_t by) {
    for (int k = 0; k < walked(job->it); k++)
        at[k] += by * job->it->stride[k][axis];
}

/* Points at[] to the first element of each array, or to the number. */
static void start(const struct job *job, char **at) {
    const struct iteration *it = job->it;
    for (int k = 0; k < walked(it); k++)
        at[k] = it->data[k] ? it->data[k] : (char *)(uintptr_t)it->value[k];
}

/* Runs elements [begin, end), counted with the inner axis as the fastest. */
static void run_range(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    const struct iteration *it = job->it;
    char *at[MAX_WALKED];
    int64_t position[MAX_RANK], inner = begin % job->inner_size, rest = begin / job->inner_size;
    start(job, at);
    for (int axis = 0; axis < it->naxes; axis++) {
        if (axis == job->inner)
            continue;
        position[axis] = rest % it->size[axis];
        rest /= it->size[axis];
        move(job, at, axis, position[axis]);
    }
    if (inner)
        move(job, at, job->inner, inner);

    for (;;) {
        int64_t n = job->inner_size - inner < end - begin ? job->inner_size - inner : end - begin;
        if (it->core)
            run_gufunc(job, at, n, begin);
        else
            run(job, at, n, begin);
        begin += n;
        if (begin == end)
            return;
        if (inner)
            move(job, at, job->inner, -inner);
        inner = 0;
        for (int axis = 0; axis < it->naxes; axis++) {
            if (axis == job->inner)
                continue;
            move(job, at, axis, 1);
            if (++position[axis] < it->size[axis])
                break;
            move(job, at, axis, -position[axis]);
            position[axis] = 0;
        }
    }
}

static void choose_inner(struct job *job) {
    const struct iteration *it = job->it;
    job->inner = it->naxes ? 0 : -1;
    if (it->naxes && it->size[0] < SHORT_AXIS)
        for (int axis = 1; axis < it->naxes; axis++)
            if (it->size[axis] > it->size[job->inner])
                job->inner = axis;
    job->inner_size = it->naxes ? it->size[job->inner] : 1;
    for (int k = 0; k < walked(it); k++)
        job->step[k] = it->naxes ? (intptr_t)it->stride[k][job->inner] : 0;
}

/* ---- inputs that are faster along another axis than the outputs
 *
 * Read along the outputs' axis, each cache line of such a matrix is fetched again for each of its
 * elements.  So the loop goes by tiles, as wide across as a cache line: the input's elements are
 * copied to a buffer that stays in the cache, in the outputs' order. */

/* The axis that input k is faster along than along axis 0; 0: there is none. */
static int faster_axis(const struct iteration *it, int k) {
    int fastest = 0;
    if (!it->data[k] || llabs(it->stride[k][0]) < LINE)
        return 0;
    for (int axis = 1; axis < it->naxes; axis++) {
        int64_t stride = llabs(it->stride[k][axis]);
        if (stride && stride <= LINE / 4 && it->size[axis] >= SHORT_AXIS &&
            stride < llabs(it->stride[k][fastest]))
            fastest = axis;
    }
    return fastest;
}

/* Chooses tiles, if any input needs them.  Inputs of other types are converted when they are
 * copied. */
static void choose_tiles(struct job *job) {
    const struct iteration *it = job->it;
    int smallest = LINE, sum = 0;
    for (int k = it->nin; k < it->nin + it->nout; k++)
        if (job->casts[k])
            return;
    for (int k = 0; k < it->nin && job->inner == 0; k++) {
        int axis = faster_axis(it, k), size = dtype_info[it->dtype[k]].size;
        job->tiled[k] = axis && (!job->across || axis == job->across);
        if (!job->tiled[k])
            continue;
        job->across = axis;
        smallest = size < smallest ? size : smallest;
    }
    for (int k = 0; k < it->nin && job->across; k++) {
        job->tiled[k] = job->tiled[k] || job->casts[k];
        if (!job->tiled[k])
            continue;
        job->step[k] = dtype_info[loop_dtype(job, k)].size;
        sum += (int)job->step[k];
    }
    if (!job->across)
        return;
    job->cast_bytes = 0;
    job->across_tile = LINE / smallest;
    while (job->across_tile * SHORT_AXIS * sum > HOST_BUFFER)
        job->across_tile /= 2;
    job->along_tile = HOST_BUFFER / (job->across_tile * sum) & ~3;
}

/* Runs a tile, whose first elements are at at[]; number: their place in the order of the tiles. */
static void run_tile(const struct job *job, char **at, int64_t along, int64_t across,
                     int64_t number) {
    _Alignas(64) char buffer[HOST_BUFFER];
    const struct iteration *it = job->it;
    char *room = buffer;
    int64_t next[MAX_WALKED];
    for (int k = 0; k < walked(it); k++) {
        int64_t step = it->stride[k][0], size = job->step[k];
        next[k] = it->stride[k][job->across];
        if (!job->tiled[k])
            continue;
        if (job->casts[k])
            for (int64_t i = 0; i < along; i++)
                cast_elements(it->dtype[k], loop_dtype(job, k), room + i * size, along * size,
                              at[k] + i * step, next[k], across);
        else
            copy_matrix(
                &(struct matrix){room, at[k], along, size, step, across, along * size, next[k]},
                size);
        at[k] = room;
        next[k] = along * size;
        room += job->across_tile * job->along_tile * size; /* 16 elements or more: it is aligned */
    }
    for (int64_t j = 0; j < across; j++) {
        run(job, at, along, number + j * along);
        for (int k = 0; k < walked(it); k++)
            at[k] += next[k];
    }
}

static int64_t tiles_of(int64_t size, int64_t tile) {
    return (size - 1) / tile + 1;
}

/* Takes a tile's position along an axis off `index`: sets *begin, and returns the tile's elements
 * along the axis. */
static int64_t tile_at(int64_t *index, int64_t size, int64_t tile, int64_t *begin) {
    int64_t tiles = tiles_of(size, tile);
    *begin = *index % tiles * tile;
    *index /= tiles;
    return size - *begin < tile ? size - *begin : tile;
}

/* Runs tiles [begin, end), counted across first, as tiled inputs lie. */
static void run_tiles(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    const struct iteration *it = job->it;
    for (int64_t t = begin; t < end; t++) {
        char *at[MAX_WALKED];
        int64_t rest = t, first, extent[2];
        start(job, at);
        extent[1] = tile_at(&rest, it->size[job->across], job->across_tile, &first);
        move(job, at, job->across, first);
        extent[0] = tile_at(&rest, it->size[0], job->along_tile, &first);
        move(job, at, 0, first);
        for (int axis = 1; axis < it->naxes; axis++) {
            if (axis == job->across)
                continue;
            move(job, at, axis, rest % it->size[axis]);
            rest /= it->size[axis];
        }
        run_tile(job, at, extent[0], extent[1], t * job->along_tile * job->across_tile);
    }
}

static int64_t count_tiles(const struct job *job) {
    const struct iteration *it = job->it;
    int64_t others = it->total / it->size[0] / it->size[job->across];
    return tiles_of(it->size[0], job->along_tile) *
           tiles_of(it->size[job->across], job->across_tile) * others;
}

/* ---- calls */

uint32_t ask_kernel(const struct job *job) {
    const struct iteration *it = job->it;
    intptr_t dimensions[1 + MAX_CORE_DIMS] = {(intptr_t)job->inner_size}, own[UFC_MAX_OPERANDS];
    const intptr_t *steps = own;
    char *args[UFC_MAX_OPERANDS];
    if (!job->code.ask)
        return 0;
    for (int k = 0; k < it->nin + it->nout; k++) {
        bool copied = job->tiled[k] || (job->cast_bytes && job->casts[k]);
        args[k] = it->data[k] ? it->data[k] : (char *)(uintptr_t)it->value[k];
        if (copied) /* an address for the buffer, apart from all arrays */
            args[k] = (char *)(uintptr_t)((UINT64_C(1) << 61) + (uint64_t)k * HOST_BUFFER);
        own[k] = kernel_step(job, k);
    }
    if (job->across)
        dimensions[0] = (intptr_t)job->along_tile;
    else if (job->cast_bytes && cast_piece(job) < dimensions[0])
        dimensions[0] = (intptr_t)cast_piece(job);
    if (job->gufunc) {
        memcpy(dimensions + 1, job->gufunc->size, job->gufunc->ndims * sizeof *dimensions);
        steps = job->gufunc->step;
    }
    return job->code.ask(args, dimensions, steps);
}

/* The elements that a core call works on, or more; at most SHARED_CALL_ELEMS. */
static int64_t gufunc_work(const struct gufunc_job *gufunc) {
    int64_t work = 1;
    for (size_t d = 0; d < gufunc->ndims && work < SHARED_CALL_ELEMS; d++)
        work *= gufunc->size[d] < SHARED_CALL_ELEMS ? gufunc->size[d] : SHARED_CALL_ELEMS;
    return work < 1 ? 1 : work < SHARED_CALL_ELEMS ? work : SHARED_CALL_ELEMS;
}

/* Is each core call split over threads?  Few calls of much work are, unless subscripts are checked,
 * so that the first fault is found. */
static bool shares(const ufc_context *ctx, const struct iteration *it, int64_t work) {
    return ctx->threads > 1 && work == SHARED_CALL_ELEMS &&
           it->total < SHARED_CALLS_PER_THREAD * (int64_t)ctx->threads &&
           !(it->overload->flags & UFC_CHECKS);
}

/* Decides how core calls are run. */
static void choose_gufunc(const ufc_context *ctx, struct job *job, struct gufunc_job *gufunc) {
    const struct iteration *it = job->it;
    size_t n = (size_t)it->nin + (size_t)it->nout;
    gufunc->ndims = it->ufunc->core->ndims;
    for (size_t d = 0; d < gufunc->ndims; d++)
        gufunc->size[d] = (intptr_t)it->core->size[d];
    memcpy(gufunc->step, job->step, n * sizeof *gufunc->step);
    for (int i = 0; i < it->core->naxes; i++)
        gufunc->step[n + (size_t)i] = (intptr_t)it->core->stride[i];
    gufunc->work = gufunc_work(gufunc);
    gufunc->shares = shares(ctx, it, gufunc->work);
    gufunc->threads = ctx->threads;
    job->gufunc = gufunc;
    uint32_t way = ask_kernel(job);
    gufunc->lanes = (int)(way >> UFC_WAY_LANES);
    enum ufc_host_way how = (enum ufc_host_way)(way & UFC_WAY_MASK);
    bool checked = it->overload->flags & UFC_CHECKS; /* a fault has an address in the output */
    gufunc->packed = !checked && (how == UFC_WAY_CALLS || how == UFC_WAY_NARROW)
                         ? packed_calls(job, gufunc->lanes, way & UFC_WAY_AGAIN)
                         : 0;
    bool apart = how == UFC_WAY_POINTS && way & UFC_WAY_APART;
    gufunc->turned = apart && !gufunc->shares ? turned_calls(job) : 0;
    gufunc->sets = way & UFC_WAY_SETS;
    job->threads = gufunc->shares ? 1 : ctx->threads;
    job->shared = it->total;
    job->grain = gufunc->work < HOST_GRAIN ? HOST_GRAIN / gufunc->work : 1;
    if (gufunc->turned > 0)
        job->grain = (job->grain + gufunc->turned - 1) / gufunc->turned * gufunc->turned;
}

/* Are elements only to be converted, once, from the input's memory to the output's? */
static bool copies(const struct job *job) {
    const struct iteration *it = job->it;
    return job->cast_bytes && it->overload->flags & UFC_COPIES && job->casts[0] != job->casts[1] &&
           it->data[0] != it->data[1];
}

/* Takes a kernel that is made for the call, where there is one. */
static void specialize(struct job *job) {
    const struct gufunc_job *gufunc = job->gufunc;
    struct ufc_maker *maker = job->it->overload->maker;
    struct ufc_constants *known =
        host_constants(job->it, gufunc ? gufunc->size : NULL,
                       gufunc && gufunc->packed + gufunc->turned == 0 ? gufunc->step : NULL);
    if (!known)
        return;
    struct ufc_special special = maker->special(maker, NULL, known, !job->it->planned);
    if (!special.missing)
        job->code.kernel = special.host->kernel;
    job->special = special.missing ? special.missing : "";
    free(known);
}

ufc_status cpu_choose(ufc_context *ctx, const struct iteration *it, struct job *job,
                      struct gufunc_job *gufunc, ufc_error *err) {
    *job = (struct job){.it = it};
    ufc_status status = host_code(it->overload, UFC_HOST_CALLS, &job->code, err);
    if (status != UFC_OK)
        return status;
    for (int k = 0; k < it->nin + it->nout; k++) {
        job->casts[k] = it->data[k] && it->dtype[k] != loop_dtype(job, k);
        job->cast_bytes += job->casts[k] ? dtype_info[loop_dtype(job, k)].size : 0;
    }
    choose_inner(job);
    if (it->core) {
        choose_gufunc(ctx, job, gufunc);
        specialize(job);
        return UFC_OK;
    }
    specialize(job);
    choose_tiles(job);
    job->copies = copies(job);
    job->threads =
        it->total / HOST_GRAIN < ctx->threads ? (int)(it->total / HOST_GRAIN) : ctx->threads;
    job->shared = job->across ? count_tiles(job) : it->total;
    job->grain = job->across ? 1 : HOST_RANGE;
    return UFC_OK;
}

static ufc_status run_job(struct job *job, ufc_error *err) {
    struct finding finding;
    finding_begin(&finding, job->it->overload);
    job->finding = &finding;
    parallel_for(job->threads, job->shared, job->grain, job->across ? run_tiles : run_range, job);
    return finding_end(&finding, job->it->ufunc, &job->it->place, err);
}

static ufc_status execute_gufunc(ufc_context *ctx, const struct iteration *it, ufc_error *err) {
    struct job job;
    struct gufunc_job gufunc;
    ufc_status status = cpu_choose(ctx, it, &job, &gufunc, err);
    return status == UFC_OK ? run_job(&job, err) : status;
}

static ufc_status cpu_execute(ufc_context *ctx, void *stream, const struct iteration *it,
                              ufc_error *err) {
    (void)stream;
    struct job job;
    if (it->core)
        return execute_gufunc(ctx, it, err);
    ufc_status status = cpu_choose(ctx, it, &job, NULL, err);
    return status == UFC_OK ? run_job(&job, err) : status;
}

static ufc_status cpu_prepare(ufc_context *ctx, void *stream, const struct iteration *it,
                              ufc_error *err) {
    (void)stream;
    struct job job;
    struct gufunc_job gufunc;
    return cpu_choose(ctx, it, &job, &gufunc, err);
}

const struct device_ops device_cpu = {
    .name = "cpu",
    .memory = kDLCPU,
    .open = cpu_open,
    .close = cpu_close,
    .properties = cpu_properties,
    .alloc = host_alloc,
    .free = host_free,
    .clear = host_clear,
    .copy = host_copy,
    .execute = cpu_execute,
    .reduce = cpu_reduce,
    .at = cpu_at,
    .describe = cpu_describe,
    .describe_reduction = cpu_describe_reduction,
    .prepare = cpu_prepare,
    .synchronize = host_synchronize,
    .elapsed = host_elapsed,
};
