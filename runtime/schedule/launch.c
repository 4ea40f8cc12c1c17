/* launch.c: an iteration as kernel launches, the same for every device that runs kernels.
 *
 * One dimension of contiguous operands goes to the VECTOR kernel, or where all inputs but the first
 * are numbers, to NUMBERS; arrays of another dtype than the overload's to CAST; arrays that
 * disagree on the fastest axis to TRANSPOSE, those that agree to ROWS; the rest to STRIDED.  An
 * iteration that one launch cannot walk, for its size or its number of axes, is cut into tiles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "constants.h"

static const int64_t max_elements =
    INT32_MAX; /* of a launch but VECTOR's and NUMBERS' (image_abi.h) */
static const int64_t max_threads = INT32_MAX; /* of those (image_abi.h) */

/* A kernel's parameter before it is packed as image_abi.h lays it out. */
struct parameter {
    struct ufc_kparam_head head;
    struct ufc_kparam_op op[UFC_MAX_OPERANDS];
    struct ufc_kparam_axes axes;
    struct ufc_kparam_layout layout[UFC_MAX_OPERANDS];
    struct ufc_kparam_mask mask;
    struct ufc_kparam_pieces pieces;
};

struct walk {
    const struct iteration *it;
    enum ufc_kernel_kind kind;
    const struct launcher *l;
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

/* Sets the kernel's axes for a tile of `extent`, not yet cut into pieces.  Where there are more
 * axes than a kernel walks, those of one element are left out. */
static void set_axes(struct parameter *p, const struct iteration *it, const int64_t *extent,
                     int64_t *size) {
    uint32_t used = 0;
    memset(p->mask.stride, 0, sizeof p->mask.stride);
    for (int k = 0; k < it->nin + it->nout; k++) {
        memset(&p->layout[k], 0, sizeof p->layout[k]);
        p->layout[k].dtype = it->dtype[k];
    }
    for (int axis = 0; axis < it->naxes; axis++) {
        if (extent[axis] == 1 && it->naxes > UFC_MAX_AXES)
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
    for (; used < UFC_MAX_AXES; used++)
        size[used] = 1;
    p->pieces = (struct ufc_kparam_pieces){.size = {(uint32_t)size[0], (uint32_t)size[1]}};
}

static ufc_status launch(const struct walk *l, const struct parameter *p, ufc_error *err) {
    const struct ufc_overload *overload = l->it->overload;
    size_t n = (size_t)l->it->nin + (size_t)l->it->nout;
    _Alignas(16) unsigned char packed[sizeof *p + sizeof l->l->fault];
    const bool checked = overload->flags & UFC_CHECKS;
    const struct ufc_param_offsets at = ufc_param_offsets(n, checked);
    struct kernel_launch launch = {.kind = l->kind,
                                   .block = overload->block[l->kind],
                                   .param = packed,
                                   .size = ufc_param_size(&at, l->kind)};
    memcpy(packed, &p->head, sizeof p->head);
    memcpy(packed + at.op, p->op, n * sizeof p->op[0]);
    if (checked)
        memcpy(packed + at.fault, &l->l->fault, sizeof l->l->fault);
    if (!ufc_is_vector(l->kind)) {
        memcpy(packed + at.axes, &p->axes, sizeof p->axes);
        memcpy(packed + at.layout, p->layout, n * sizeof p->layout[0]);
        memcpy(packed + at.mask, &p->mask, sizeof p->mask);
        memcpy(packed + at.pieces, &p->pieces, sizeof p->pieces);
    }
    bool by_block = kernel_info[l->kind].sharing == UFC_BY_BLOCK;
    int64_t per_block = by_block ? 1 : launch.block; /* pieces, or elements */
    if (ufc_is_vector(l->kind))
        per_block *= overload->vector_width;
    if (overload->kernel[l->kind]) /* else the device has no code, and fails */
        launch.blocks = (unsigned)((p->head.n + per_block - 1) / per_block);
    struct ufc_constants *known = ufunc_constants(l->it, &launch);
    launch.known = known;
    launch.planned = l->it->planned;
    ufc_status status = l->l->launch(l->l->arg, &launch, err);
    free(known);
    return status;
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
        size_t alignment = (size_t)size * it->overload->vector_width;
        if ((it->naxes == 1 && stride != size) || !is_aligned(it->data[k], alignment))
            return false;
    }
    return true;
}

/* Whether an input is one element for all. */
static bool is_number(const struct iteration *it, int k) {
    return !it->data[k] || it->naxes == 0 || it->stride[k][0] == 0;
}

static bool has_numbers(const struct iteration *it) {
    bool fits = it->overload->kernel[UFC_KERNEL_NUMBERS] && !is_number(it, 0);
    for (int k = 1; fits && k < it->nin; k++)
        fits = is_number(it, k);
    return fits;
}

static ufc_status launch_vector(const struct walk *l, ufc_error *err) {
    const struct iteration *it = l->it;
    int64_t block = it->overload->block[l->kind];
    int64_t per_launch = max_threads / block * block * it->overload->vector_width;
    struct parameter p;
    p.head.naxes = 0;
    p.head.scalars = 0;
    for (int k = 0; k < it->nin; k++)
        if (is_number(it, k))
            p.head.scalars |= 1U << k;
    ufc_status status = UFC_OK;
    for (int64_t start = 0; start < it->total && status == UFC_OK; start += per_launch) {
        p.head.n = it->total - start < per_launch ? it->total - start : per_launch;
        set_operands(&p, it, &start);
        status = launch(l, &p, err);
    }
    return status;
}

/* ---- tiles of an iteration */

void choose_tile(const struct iteration *it, int64_t limit, int64_t *tile) {
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
    while (elements > limit) {
        int largest = 0;
        for (int axis = 1; axis < it->naxes; axis++)
            if (tile[axis] >= tile[largest])
                largest = axis;
        int64_t rest = elements / tile[largest];
        int64_t longest = rest < limit ? limit / rest : 1;
        int64_t pieces = (tile[largest] + longest - 1) / longest;
        tile[largest] = (tile[largest] + pieces - 1) / pieces;
        for (int64_t unit = 256; unit >= 16; unit /= 16) /* multiples of 256 or 16 elements
                                                            keep alignment */
            if (tile[largest] >= unit) {
                tile[largest] -= tile[largest] % unit;
                break;
            }
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

/* ---- rows */

enum { LANES = 32 };

/* Whether an operand's pieces have elements side by side, in rising or (backward) falling order,
 * and are aligned as a whole. */
static bool is_wide(const struct iteration *it, int k, bool backward) {
    int64_t size = dtype_info[it->dtype[k]].size, width = size * it->overload->vector_width;
    char *begin = it->data[k];
    if (!begin || it->stride[k][0] != (backward ? -size : size))
        return false;
    bool aligned = is_aligned(backward ? begin + size : begin, (size_t)width);
    for (int axis = 1; axis < it->naxes && aligned; axis++)
        aligned = it->stride[k][axis] % width == 0;
    return aligned;
}

/* Whether a thread's elements are side by side in the first output, where one access matters
 * most. */
static bool rows_are_wide(const struct iteration *it) {
    return is_wide(it, it->nin, false);
}

static bool rows_fit(const struct iteration *it) {
    if (!it->overload->kernel[UFC_KERNEL_ROWS] || it->naxes == 0 || it->naxes > UFC_MAX_AXES)
        return false;
    int64_t width = it->overload->vector_width;
    bool whole = rows_are_wide(it) && it->size[0] % width == 0;
    return it->size[0] >= (whole ? width : LANES * width);
}

static int64_t pieces_of(int64_t n, int64_t each) {
    return (n + each - 1) / each;
}

static void cut_rows(const struct walk *l, struct parameter *p, int64_t *size) {
    const struct iteration *it = l->it;
    int64_t width = it->overload->vector_width, threads = 1;
    bool across = !rows_are_wide(it);
    for (int k = 0; k < it->nin + it->nout; k++) {
        uint32_t bit = 1U << k;
        if (k < it->nin && (!it->data[k] || p->layout[k].stride[0] == 0))
            p->head.scalars |= bit;
        else if (!across && is_wide(it, k, false))
            p->pieces.wide |= bit;
        else if (!across && k < it->nin && is_wide(it, k, true))
            p->pieces.backward |= bit;
        if (k < it->nin && (!it->data[k] || p->layout[k].stride[1] == 0))
            p->pieces.kept |= bit;
    }
    size[0] = pieces_of(size[0], width);
    for (int axis = 0; axis < UFC_MAX_AXES; axis++)
        threads *= size[axis];
    int64_t rows = threads / for_gpu(ROWS_THREADS, l->l->ctx->gpu.multiprocessors);
    rows = rows < 1 ? 1 : rows < ROWS_PER_THREAD ? rows : ROWS_PER_THREAD;
    size[1] = pieces_of(size[1], rows);
    p->pieces.rows = (uint32_t)rows;
    p->pieces.first = across ? 1 : (uint32_t)width;
    p->pieces.step = across ? (uint32_t)size[0] : 1;
}

/* ---- operands that disagree on the fastest axis */

/* The axis along which some input is contiguous while other operands are along the fastest; 0:
 * none. */
static int transposed_axis(const struct iteration *it) {
    if (!it->overload->kernel[UFC_KERNEL_TRANSPOSE] || it->naxes < 2 || it->naxes > UFC_MAX_AXES ||
        it->size[0] < TRANSPOSE_MIN_SIDE)
        return 0;
    for (int k = 0; k < it->nin; k++) {
        int64_t size = dtype_info[it->dtype[k]].size;
        if (!it->data[k] || llabs(it->stride[k][0]) < TRANSPOSE_MIN_APART)
            continue;
        for (int axis = 1; axis < it->naxes; axis++)
            if (llabs(it->stride[k][axis]) == size && it->size[axis] >= TRANSPOSE_MIN_SIDE)
                return axis;
    }
    return 0;
}

static void cut_tiles(const struct walk *l, struct parameter *p, int64_t *size) {
    const struct iteration *it = l->it;
    for (int k = 0; k < it->nin; k++) {
        const int64_t *stride = p->layout[k].stride;
        if (it->data[k] && stride[1] && llabs(stride[1]) < llabs(stride[0]))
            p->pieces.transposed |= 1U << k;
    }
    for (int axis = 0; axis < 2; axis++)
        size[axis] = pieces_of(size[axis], it->overload->side);
}

/* ---- any strides */

static void cut_in_two(const struct walk *l, struct parameter *p, int64_t *size) {
    (void)l;
    (void)p;
    size[0] = pieces_of(size[0], UFC_CAST_ELEMENTS);
}

static ufc_status launch_tiles(const struct walk *l, ufc_error *err) {
    static void (*const cuts[])(const struct walk *, struct parameter *, int64_t *size) = {
        [UFC_KERNEL_STRIDED] = NULL,
        [UFC_KERNEL_CAST] = cut_in_two,
        [UFC_KERNEL_ROWS] = cut_rows,
        [UFC_KERNEL_TRANSPOSE] = cut_tiles,
    };
    const struct iteration *it = l->it;
    int64_t tile[MAX_RANK], extent[MAX_RANK], start[MAX_RANK] = {0}, size[UFC_MAX_AXES];
    struct parameter p;
    choose_tile(it, max_elements, tile);
    ufc_status status;
    do {
        tile_extent(it, tile, start, extent);
        set_operands(&p, it, start);
        set_axes(&p, it, extent, size);
        p.head.scalars = 0;
        if (cuts[l->kind])
            cuts[l->kind](l, &p, size);
        set_kernel_axes(&p.axes, UFC_MAX_AXES, size);
        p.head.n = 1;
        for (int axis = 0; axis < UFC_MAX_AXES; axis++)
            p.head.n *= size[axis];
        status = launch(l, &p, err);
    } while (status == UFC_OK && next_tile(it, tile, start));
    return status;
}

static enum ufc_kernel_kind choose_kernel(const struct iteration *it) {
    for (int k = 0; k < it->nin + it->nout; k++)
        if (it->dtype[k] != it->overload->dtypes[k])
            return UFC_KERNEL_CAST;
    if (it->masked)
        return UFC_KERNEL_STRIDED;
    if (vector_fits(it))
        return has_numbers(it) ? UFC_KERNEL_NUMBERS : UFC_KERNEL_VECTOR;
    if (transposed_axis(it))
        return UFC_KERNEL_TRANSPOSE;
    return rows_fit(it) ? UFC_KERNEL_ROWS : UFC_KERNEL_STRIDED;
}

static ufc_status launches(struct launcher *launcher, const void *work, ufc_error *err) {
    const struct iteration *it = work;
    struct walk l = {it, choose_kernel(it), launcher};
    if (ufc_is_vector(l.kind))
        return launch_vector(&l, err);
    struct iteration *transposed = NULL; /* too large for a stack */
    if (l.kind == UFC_KERNEL_TRANSPOSE) {
        transposed = malloc(sizeof *transposed);
        if (!transposed)
            return fail(err, UFC_ENOMEM, "out of memory for a call");
        *transposed = *it;
        swap_axes(transposed, 1, transposed_axis(it));
        l.it = transposed;
    }
    ufc_status status = launch_tiles(&l, err);
    free(transposed);
    return status;
}

ufc_status launch_iteration(struct launcher *l, const struct iteration *it, ufc_error *err) {
    return launch_checked(l, it->overload, it->ufunc, &it->place, launches, it, err);
}

/* ---- why the kernel was chosen */

static const char *of_axis(int axis) {
    return axis == 0 ? "along its fastest axis" : "along another axis";
}

/* Says what about an operand excludes VECTOR and NUMBERS; false: nothing does. */
static bool explain_operand(const struct iteration *it, int k, const char *name, char *why,
                            size_t size) {
    int64_t element = dtype_info[it->dtype[k]].size, width = element * it->overload->vector_width;
    if (!it->data[k])
        return false;
    for (int axis = 0; axis < it->naxes; axis++) {
        int64_t stride = it->stride[k][axis];
        if (stride == 0 && (it->naxes > 1 || k >= it->nin)) {
            snprintf(why, size, "%s is broadcast %s", name, of_axis(axis));
            return true;
        }
        if (axis == 0 && stride && stride != element) {
            snprintf(why, size,
                     "elements of %s are %lld bytes apart along the output's fastest axis", name,
                     (long long)stride);
            return true;
        }
    }
    if (it->naxes <= 1 && it->naxes && it->stride[k][0] &&
        !is_aligned(it->data[k], (size_t)width)) {
        snprintf(why, size, "%s is not aligned to %lld bytes", name, (long long)width);
        return true;
    }
    return false;
}

bool asks_shared(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_RESIDENT || kind == UFC_KERNEL_HALO || kind == UFC_KERNEL_PANEL ||
           kind == UFC_KERNEL_SCATTER || kind == UFC_KERNEL_LONE || ufc_is_joint(kind) ||
           ufc_is_sweep(kind) || kind == UFC_KERNEL_MATRIX_128 || ufc_is_band(kind) ||
           kind == UFC_KERNEL_DEAL;
}

void explain_launch(const struct iteration *it, char *why, size_t size) {
    const char *const *names = it->ufunc->params;
    enum ufc_kernel_kind kind = choose_kernel(it);
    snprintf(why, size, "%s", "");
    if (ufc_is_vector(kind))
        return;
    for (int k = 0; kind == UFC_KERNEL_CAST && k < it->nin + it->nout; k++)
        if (it->dtype[k] != it->overload->dtypes[k]) {
            snprintf(why, size, "%s is %s, the signature's %s", names[k],
                     dtype_info[it->dtype[k]].name, dtype_info[it->overload->dtypes[k]].name);
            return;
        }
    if (it->masked) {
        snprintf(why, size, "where says for each element whether it is computed");
        return;
    }
    bool explained = false;
    for (int k = 0; k < it->nin + it->nout && !explained; k++)
        explained = explain_operand(it, k, names[k], why, size);
    if (!explained)
        snprintf(why, size, "rows are apart");
    size_t used = strlen(why);
    if (kind == UFC_KERNEL_STRIDED)
        snprintf(why + used, size - used, "; rows of %lld elements are too short for pieces",
                 (long long)(it->naxes ? it->size[0] : 1));
}
