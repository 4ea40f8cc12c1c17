/* launch.c: an iteration as kernel launches, the same for every device that runs kernels.
 *
 * One dimension of contiguous operands goes to the VECTOR kernel; anything else to STRIDED, or to
 * CAST where an array has another dtype than the overload.  An iteration that one launch cannot
 * walk, for its size or its number of axes, is cut into tiles. */
#include <string.h>
#include "rt.h"

static const int64_t max_elements = INT32_MAX; /* of a STRIDED or CAST launch (kabi.h) */
static const int64_t max_threads = INT32_MAX;  /* of a VECTOR launch (kabi.h) */

/* A kernel's parameter before it is packed as kabi.h lays it out. */
struct parameter {
    struct ufc_kparam_head head;
    struct ufc_kparam_op op[UFC_MAX_OPERANDS];
    struct ufc_kparam_axes axes;
    struct ufc_kparam_layout layout[UFC_MAX_OPERANDS];
    struct ufc_kparam_mask mask;
};

struct walk {
    const struct iteration *it;
    enum ufc_kernel_kind kind;
    launch_fn *launch;
    void *arg;
};

/* (i * magic) >> 32 >> shift is i / size for all i < 2^31.  With 2^(l-1) < size < 2^l, magic is
 * 2^(31+l) / size rounded up, under 2^32.  Rounding adds i * e / (2^(31+l) * size) with e < 2^l,
 * less than 1 / size: too little to reach the next whole number. */
static void magic_division(uint32_t size, uint32_t *magic, uint32_t *shift) {
    unsigned l = size > 1 ? 32 - (unsigned)__builtin_clz(size - 1) : 0;
    if (size == 1U << l) {
        *magic = 0;
        *shift = l;
    } else {
        *magic = (uint32_t)(((1ULL << (31 + l)) + size - 1) / size);
        *shift = l - 1;
    }
}

void set_kernel_axes(struct ufc_kparam_axes *axes, int n, const int64_t *size) {
    for (int axis = 0; axis < UFC_MAX_AXES; axis++) {
        axes->size[axis] = axis < n && size[axis] <= INT32_MAX ? (uint32_t)size[axis] : 1;
        magic_division(axes->size[axis], &axes->magic[axis], &axes->shift[axis]);
    }
}

static void set_operands(struct parameter *p, const struct iteration *it, const int64_t *start) {
    for (int k = 0; k < it->nin + it->nout; k++) {
        char *data = it->data[k];
        for (int axis = 0; data && axis < it->naxes; axis++)
            data += start[axis] * it->stride[k][axis];
        p->op[k].ptr = (uintptr_t)data;
        memcpy(p->op[k].value, it->value[k], sizeof p->op[k].value);
    }
    int mask = it->nin + it->nout;
    p->mask.ptr = 0;
    if (!it->masked)
        return;
    p->mask.ptr = (uintptr_t)it->data[mask];
    for (int axis = 0; axis < it->naxes; axis++)
        p->mask.ptr += (uint64_t)(start[axis] * it->stride[mask][axis]);
}

/* The kernel's view of a tile of `extent`: axes of one element drop out. */
static void set_axes(struct parameter *p, const struct iteration *it, const int64_t *extent) {
    uint32_t used = 0;
    int64_t size[UFC_MAX_AXES];
    memset(p->mask.stride, 0, sizeof p->mask.stride);
    for (int k = 0; k < it->nin + it->nout; k++) {
        memset(&p->layout[k], 0, sizeof p->layout[k]);
        p->layout[k].dtype = it->dtype[k];
    }
    for (int axis = 0; axis < it->naxes; axis++) {
        if (extent[axis] == 1)
            continue;
        size[used] = extent[axis];
        if (it->masked)
            p->mask.stride[used] = it->stride[it->nin + it->nout][axis];
        for (int k = 0; k < it->nin + it->nout; k++)
            if (it->data[k])
                p->layout[k].stride[used] = it->stride[k][axis];
        used++;
    }
    p->head.naxes = used;
    set_kernel_axes(&p->axes, (int)used, size);
}

static ufc_status launch(const struct walk *l, const struct parameter *p, ufc_error *err) {
    const struct ufc_overload *overload = l->it->overload;
    size_t n = (size_t)l->it->nin + (size_t)l->it->nout;
    _Alignas(16) unsigned char packed[sizeof *p];
    struct kernel_launch launch = {.kind = l->kind, .block = overload->block[l->kind]};
    launch.size = offsetof(struct parameter, op) + n * sizeof p->op[0];
    memcpy(packed, p, launch.size);
    if (l->kind != UFC_KERNEL_VECTOR) {
        memcpy(packed + launch.size, &p->axes, sizeof p->axes);
        launch.size += sizeof p->axes;
        memcpy(packed + launch.size, p->layout, n * sizeof p->layout[0]);
        launch.size += n * sizeof p->layout[0];
        memcpy(packed + launch.size, &p->mask, sizeof p->mask);
        launch.size += sizeof p->mask;
    }
    int64_t per_block = launch.block;
    if (l->kind == UFC_KERNEL_VECTOR)
        per_block *= overload->vector_width;
    launch.blocks = (unsigned)((p->head.n + per_block - 1) / per_block);
    launch.param = packed;
    return l->launch(l->arg, &launch, err);
}

/* ---- one dimension, contiguous */

static bool vector_fits(const struct iteration *it) {
    if (it->naxes > 1 || !it->overload->kernel[UFC_KERNEL_VECTOR])
        return false;
    for (int k = 0; k < it->nin + it->nout; k++) {
        int64_t size = dtype_info[it->dtype[k]].size;
        int64_t stride = it->naxes == 1 ? it->stride[k][0] : 0;
        if (k < it->nin && (!it->data[k] || stride == 0))
            continue;
        uintptr_t alignment = (uintptr_t)size * it->overload->vector_width;
        if ((it->naxes == 1 && stride != size) || (uintptr_t)it->data[k] % alignment != 0)
            return false;
    }
    return true;
}

static ufc_status launch_vector(const struct walk *l, ufc_error *err) {
    const struct iteration *it = l->it;
    int64_t block = it->overload->block[l->kind];
    int64_t most = max_threads / block * block * it->overload->vector_width;
    struct parameter p;
    p.head.naxes = 0;
    p.head.scalars = 0;
    for (int k = 0; k < it->nin; k++)
        if (!it->data[k] || it->naxes == 0 || it->stride[k][0] == 0)
            p.head.scalars |= 1U << k;
    ufc_status status = UFC_OK;
    for (int64_t start = 0; start < it->total && status == UFC_OK; start += most) {
        p.head.n = it->total - start < most ? it->total - start : most;
        set_operands(&p, it, &start);
        status = launch(l, &p, err);
    }
    return status;
}

/* ---- any strides */

void choose_tile(const struct iteration *it, int64_t most_elements, int64_t *tile) {
    int64_t elements = it->total;
    int used = 0;
    for (int axis = 0; axis < it->naxes; axis++) {
        tile[axis] = it->size[axis];
        used += tile[axis] > 1;
    }
    while (used > UFC_MAX_AXES) {
        int smallest = -1;
        for (int axis = 0; axis < it->naxes; axis++)
            if (tile[axis] > 1 && (smallest < 0 || tile[axis] <= tile[smallest]))
                smallest = axis;
        elements /= tile[smallest];
        tile[smallest] = 1;
        used--;
    }
    while (elements > most_elements) {
        int largest = 0;
        for (int axis = 1; axis < it->naxes; axis++)
            if (tile[axis] >= tile[largest])
                largest = axis;
        int64_t rest = elements / tile[largest];
        int64_t most = rest < most_elements ? most_elements / rest : 1;
        int64_t pieces = (tile[largest] + most - 1) / most;
        tile[largest] = (tile[largest] + pieces - 1) / pieces;
        elements = rest * tile[largest];
    }
}

int64_t tile_extent(const struct iteration *it, const int64_t *tile, const int64_t *start,
                    int64_t *extent) {
    int64_t n = 1;
    for (int axis = 0; axis < it->naxes; axis++) {
        int64_t rest = it->size[axis] - start[axis];
        extent[axis] = rest < tile[axis] ? rest : tile[axis];
        n *= extent[axis];
    }
    return n;
}

bool next_tile(const struct iteration *it, const int64_t *tile, int64_t *start) {
    for (int axis = 0; axis < it->naxes; axis++) {
        start[axis] += tile[axis];
        if (start[axis] < it->size[axis])
            return true;
        start[axis] = 0;
    }
    return false;
}

static ufc_status launch_strided(const struct walk *l, ufc_error *err) {
    const struct iteration *it = l->it;
    int64_t tile[MAX_RANK], extent[MAX_RANK], start[MAX_RANK] = {0};
    struct parameter p;
    p.head.scalars = 0;
    choose_tile(it, max_elements, tile);
    ufc_status status;
    do {
        p.head.n = tile_extent(it, tile, start, extent);
        set_operands(&p, it, start);
        set_axes(&p, it, extent);
        status = launch(l, &p, err);
    } while (status == UFC_OK && next_tile(it, tile, start));
    return status;
}

static enum ufc_kernel_kind choose_kernel(const struct iteration *it) {
    for (int k = 0; k < it->nin + it->nout; k++)
        if (it->dtype[k] != it->overload->dtypes[k])
            return UFC_KERNEL_CAST;
    return !it->masked && vector_fits(it) ? UFC_KERNEL_VECTOR : UFC_KERNEL_STRIDED;
}

ufc_status launch_iteration(const struct iteration *it, launch_fn *fn, void *arg, ufc_error *err) {
    struct walk l = {it, choose_kernel(it), fn, arg};
    return l.kind == UFC_KERNEL_VECTOR ? launch_vector(&l, err) : launch_strided(&l, err);
}
