/* fakecuda_gufunc.c: the fake CUDA driver's kernels of gufuncs, as image_abi.h describes them: each
 * call by the gufunc's host code, however many threads share it. */
#include <limits.h>
#include <string.h>
#include "fakecuda_work.h"

struct gufunc_kernel {
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    enum ufc_kernel_kind kind;
    struct ufc_kparam_gufunc p;
    struct ufc_kparam_operand op[UFC_MAX_OPERANDS];
    int64_t size[MAX_CORE], stride[MAX_CORE]; /* of dimensions; along them, operand by operand */
    struct ufc_kparam_nest nest;
};

static const size_t sizes[] = {
#define DTYPE(ID, name, brief, kind, bits, ...) (bits) / 8,
#include "../runtime/dtype.def"
#undef DTYPE
};

static unsigned operands(const struct ufc_ufunc *ufunc) {
    return ufunc->nin + ufunc->nout + ufunc->nintermediates;
}

static struct ufc_gufunc_offsets offsets(const struct ufc_ufunc *ufunc) {
    size_t ranks = 0;
    for (unsigned k = 0; k < operands(ufunc); k++)
        ranks += ufunc->core->rank[k];
    return ufc_gufunc_offsets(operands(ufunc), ufunc->core->ndims, ranks);
}

size_t gufunc_param_size(CUfunction f) {
    const struct ufc_gufunc_offsets at = offsets(f->ufunc);
    return ufc_gufunc_param_size(&at, f->kind);
}

static void read_parameter(struct gufunc_kernel *k, CUfunction f, const unsigned char *bytes) {
    const struct ufc_gufunc_offsets at = offsets(f->ufunc);
    k->ufunc = f->ufunc;
    k->overload = f->overload;
    k->kind = f->kind;
    memcpy(&k->p, bytes, sizeof k->p);
    memcpy(k->op, bytes + at.operand, at.dimension - at.operand);
    memcpy(k->size, bytes + at.dimension, at.stride - at.dimension);
    memcpy(k->stride, bytes + at.stride, at.nest - at.stride);
    if (k->kind == UFC_KERNEL_NEST)
        memcpy(&k->nest, bytes + at.nest, sizeof k->nest);
}

void set_gufunc_touched(struct work *work) {
    struct gufunc_kernel k;
    read_parameter(&k, work->function, work->parameter);
    unsigned n = operands(k.ufunc);
    for (unsigned i = 0; i < n; i++)
        work->touched[i] = k.op[i].ptr;
    work->touched[n < MAX_WALKED ? n : 0] = k.p.workspace ? k.p.workspace : k.p.fault;
}

/* How many calls so many blocks compute, as kernel.def says which thread computes which: another
 * formula than that of the launch. */
static int64_t calls_of(const struct gufunc_kernel *k, int64_t blocks) {
    int64_t block = k->overload->block[k->kind], tile = block, tiles, lot = k->p.group;
    switch (kernel_info[k->kind].sharing) {
    case UFC_BY_WARP: return blocks * block / k->p.group;
    case UFC_BY_BLOCK: return blocks / k->p.blocks;
    case UFC_BY_TILE:
        if (kernel_info[k->kind].size > 0 && !ufc_is_band(k->kind) &&
            (k->kind != UFC_KERNEL_TILE_16 || !k->p.across))
            tile = ufc_tile_threads(k->kind);
        tiles = blocks * block / tile;
        return tiles / (k->p.blocks * lot) * lot;
    default: return blocks * block;
    }
}

/* Do so many blocks of NEST have patches that cover the points, and none beyond? */
static bool check_patches(const struct ufc_kparam_nest *nest, int64_t blocks, int64_t each) {
    int64_t patches = 1, others = nest->points;
    for (int i = 0; i < 2; i++) {
        const struct ufc_patch *p = &nest->patch[i];
        int64_t side = INT64_C(1) << (p->lanes + p->warps), number = p->number;
        if (number * side < p->size || (number - 1) * side >= p->size)
            return false;
        each /= side;
        patches *= number;
        others /= p->size;
    }
    others = (others + each - 1) / each;
    return blocks == patches * others;
}

/* Does a grid of NEST have the blocks that the points need, and no block more? */
static bool check_points(const struct gufunc_kernel *k, int64_t blocks) {
    const struct ufc_kparam_nest *nest = &k->nest;
    int64_t elements = 1, each = nest->point_mask + INT64_C(1),
            parts = nest->part_mask + INT64_C(1), groups = blocks / k->p.blocks;
    for (unsigned axis = 0; axis < UFC_MAX_AXES; axis++)
        elements *= k->p.axes.size[axis];
    return elements == nest->points && blocks % k->p.blocks == 0 &&
           (nest->patched ? check_patches(nest, groups, each)
                          : groups * each >= nest->points && (groups - 1) * each < nest->points) &&
           each * parts == k->overload->block[k->kind] && k->p.phase < k->overload->phases;
}

/* Does the grid have the blocks that the calls need, and no block more? */
static bool check_grid(const struct gufunc_kernel *k, int64_t threads) {
    int64_t blocks = threads / k->overload->block[k->kind], elements = 1;
    bool in_warp = kernel_info[k->kind].sharing == UFC_BY_WARP;
    if (k->p.calls <= 0 || k->p.calls > INT_MAX || k->p.group == 0 || k->p.blocks == 0)
        return false;
    if (k->kind == UFC_KERNEL_NEST)
        return check_points(k, blocks);
    for (unsigned axis = 0; axis < UFC_MAX_AXES; axis++)
        elements *= k->p.axes.size[axis];
    if (kernel_info[k->kind].sharing == UFC_BY_THREAD) { /* in blocks of any size */
        bool helped = k->kind == UFC_KERNEL_HELPED;
        int64_t all = k->p.calls * (helped ? k->p.group : 1);
        return elements == k->p.calls && threads >= all &&
               threads - all < k->overload->block[k->kind] &&
               (!helped ||
                (k->p.group > 1 && k->p.group <= 32 && (k->p.group & (k->p.group - 1)) == 0));
    }
    if (kernel_info[k->kind].sharing == UFC_BY_BLOCK) { /* of a power of two threads */
        int64_t all = k->p.calls * k->p.blocks, each = threads / all;
        return elements == k->p.calls && each * all == threads && each > 0 &&
               each <= k->overload->block[k->kind] && (each & (each - 1)) == 0;
    }
    return elements == k->p.calls && calls_of(k, blocks) >= k->p.calls &&
           calls_of(k, blocks - 1) < k->p.calls &&
           (!in_warp || ((k->p.group & (k->p.group - 1)) == 0 && k->p.group <= 32));
}

/* Where operand i of a call is; reports what is not device memory. */
static char *find_operand(struct gufunc_kernel *k, unsigned i, const uint64_t *position,
                          const uint8_t *dims, const int64_t *stride) {
    const struct ufc_core *core = k->ufunc->core;
    size_t size = sizes[k->overload->dtypes[i]];
    int64_t low = 0, high = (int64_t)size;
    if (!k->op[i].ptr && core->rank[i] == 0 && i < k->ufunc->nin)
        return (char *)k->op[i].value;
    char *at = (char *)k->op[i].ptr;
    for (unsigned axis = 0; axis < k->p.naxes; axis++)
        at += (int64_t)position[axis] * k->op[i].stride[axis];
    for (unsigned a = 0; a < core->rank[i]; a++) {
        int64_t extent = k->size[dims[a]];
        if (extent == 0)
            return at; /* nothing is read */
        *(stride[a] < 0 ? &low : &high) += (extent - 1) * stride[a];
    }
    bool is_made = i >= k->ufunc->nin + k->ufunc->nout;
    if (is_made && k->overload->in_place >> (i - k->ufunc->nin - k->ufunc->nout) & 1)
        return at; /* it has no memory */
    if (!on_device((uintptr_t)at + (uint64_t)low, (size_t)(high - low)))
        stray(ILLEGAL_ADDRESS, "an operand outside of device memory", (uintptr_t)at);
    return at;
}

static void run_call(struct gufunc_kernel *k, ufc_host_kernel *host, uint64_t call) {
    const struct ufc_core *core = k->ufunc->core;
    const uint8_t *dims = core->dim;
    const int64_t *stride = k->stride;
    uint64_t position[UFC_MAX_AXES] = {0};
    char *args[UFC_MAX_OPERANDS];
    intptr_t dimensions[1 + MAX_CORE] = {1}, steps[UFC_MAX_OPERANDS + MAX_CORE] = {0};
    unsigned n = operands(k->ufunc);
    for (unsigned axis = 0; axis < k->p.naxes; axis++) {
        uint32_t size = k->p.axes.size[axis], magic = k->p.axes.magic[axis];
        uint64_t q = (magic ? call * magic >> 32 : call) >> k->p.axes.shift[axis];
        position[axis] = call - q * size;
        if (position[axis] >= size)
            stray(ILLEGAL_ADDRESS, "a wrong magic number: position", position[axis]);
        call = q;
    }
    for (unsigned i = 0, at = n; i < n; i++) {
        args[i] = find_operand(k, i, position, dims, stride);
        for (unsigned a = 0; a < core->rank[i]; a++)
            steps[at++] = (intptr_t)*stride++;
        dims += core->rank[i];
    }
    for (uint32_t d = 0; d < core->ndims; d++)
        dimensions[1 + d] = (intptr_t)k->size[d];
    if (!sticky_error())
        run_host(host, args, dimensions, steps, k->p.fault);
}

/* Is a point of NEST the first of its call: at the begin of all ranges? */
static bool begins_call(const struct gufunc_kernel *k, uint64_t point) {
    for (unsigned axis = 0; axis < k->p.naxes; axis++) {
        uint64_t along = point % k->p.axes.size[axis];
        point /= k->p.axes.size[axis];
        for (unsigned i = 0; i < UFC_MAX_POINT_RANGES; i++)
            if (along != 0 && k->nest.position[i][axis] != 0)
                return false;
    }
    return true;
}

/* The last launch of NEST computes all calls. */
static void run_nest(struct gufunc_kernel *k, ufc_host_kernel *host) {
    if (k->p.phase + 1 < k->overload->phases || k->p.blocks > 1)
        return;
    for (uint64_t point = 0; point < k->nest.points && !sticky_error(); point++)
        if (begins_call(k, point))
            run_call(k, host, point);
}

void run_gufunc(struct work *work) {
    struct gufunc_kernel k;
    read_parameter(&k, work->function, work->parameter);
    ufc_host_kernel *host = host_kernel(k.overload);
    if (!check_grid(&k, work->threads))
        stray(ILLEGAL_ADDRESS, "a gufunc's wrong parameter or grid, calls", (uintptr_t)k.p.calls);
    size_t room = k.kind == UFC_KERNEL_NEST ? k.nest.room : 1;
    if (k.p.workspace && !on_device(k.p.workspace, room))
        stray(ILLEGAL_ADDRESS, "a workspace outside of device memory", k.p.workspace);
    if (!host) /* a version for GPUs alone */
        return;
    if (k.kind == UFC_KERNEL_NEST) {
        run_nest(&k, host);
        return;
    }
    if (k.kind == UFC_KERNEL_SCATTER && k.p.phase + 1 < k.overload->phases)
        return;
    for (uint32_t row = 0; row < (k.p.rows ? k.p.rows : 1); row++) {
        for (int64_t call = k.p.calls - 1; call >= 0 && !sticky_error(); call--)
            run_call(&k, host, (uint64_t)call);
        for (unsigned i = 0; k.p.rows && i < operands(k.ufunc); i++)
            k.op[i].ptr += (uint64_t)k.op[i].stride[UFC_MAX_AXES - 1];
    }
}
