/* fakecuda_work.c: the fake CUDA driver's memory, the work that waits, and the kernels. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fakecuda_work.h"

struct allocation {
    CUcontext context;
    uintptr_t base;
    size_t size;
    bool pinned;
    const struct lane *lane; /* where it was allocated by the work `ready`, if by any */
    uint64_t ready;
    CUmemoryPool pool;
    struct allocation *next;
};

static struct allocation *allocations;
static unsigned live;      /* allocations, of which a driver that fails may never free many */
static uint64_t in_memory; /* bytes of those that are not pinned */
static size_t last_size;
static struct work *first_work, **last_work = &first_work;
static uint64_t given;
static CUresult broken; /* CUDA's sticky error */

/* ---- memory */

static struct allocation **find_allocation(uintptr_t address, size_t size) {
    struct allocation **a = &allocations;
    while (*a && (address < (*a)->base || address - (*a)->base > (*a)->size ||
                  size > (*a)->size - (address - (*a)->base)))
        a = &(*a)->next;
    return a;
}

bool on_device(uintptr_t address, size_t size) {
    const struct allocation *a = *find_allocation(address, size);
    return a && !a->pinned;
}

static bool is_pageable(uintptr_t address) {
    return !*find_allocation(address, 1);
}

uint64_t used_memory(CUmemoryPool pool) {
    return pool ? pool->used : in_memory;
}

void forget_pool(CUmemoryPool pool) {
    for (struct allocation *a = pool && pool->used > 0 ? allocations : NULL; a; a = a->next)
        a->pool = a->pool == pool ? NULL : a->pool;
}

CUresult allocate(CUcontext context, size_t size, bool pinned, uintptr_t *address) {
    if (!pinned && used_memory(NULL) + size > all_memory())
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct allocation *a = calloc(1, sizeof *a);
    void *memory =
        size > 0 && size < PTRDIFF_MAX / 2 ? aligned_alloc(256, (size + 255) / 256 * 256) : NULL;
    if (!a || !memory) {
        free(a);
        free(memory);
        return size == 0 ? INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
    }
    memset(memory, 0xA5, size < 65536 ? size : 65536); /* nobody may count on zeros */
    *a = (struct allocation){context, (uintptr_t)memory, size, pinned, NULL, 0, NULL, allocations};
    allocations = a;
    live++;
    in_memory += pinned ? 0 : size;
    last_size = size;
    *address = a->base;
    return CUDA_SUCCESS;
}

CUresult deallocate(uintptr_t address, bool pinned) {
    struct allocation **at = find_allocation(address, 1), *a = *at;
    if (!a || a->base != address || a->pinned != pinned)
        return INVALID_VALUE;
    *at = a->next;
    live--;
    in_memory -= pinned ? 0 : a->size;
    if (a->pool)
        a->pool->used -= a->size;
    free((void *)a->base);
    free(a);
    return CUDA_SUCCESS;
}

void deallocate_all(CUcontext context) {
    struct allocation **at = &allocations;
    while (*at) {
        if ((*at)->context == context)
            deallocate((*at)->base, (*at)->pinned);
        else
            at = &(*at)->next;
    }
}

size_t last_allocation(void) {
    return last_size;
}

unsigned live_allocations(void) {
    return live;
}

/* ---- work that waits */

void stray(CUresult error, const char *what, uintptr_t address) {
    fprintf(stderr, "fakecuda: %s at %#lx\n", what, (unsigned long)address);
    if (!broken)
        broken = error;
}

/* Does all work up to a number. */
void finish(uint64_t number) {
    while (first_work && first_work->number <= number) {
        struct work *work = first_work;
        first_work = work->next;
        if (!first_work)
            last_work = &first_work;
        if (!broken)
            work->run(work);
        free(work);
    }
}

void finish_all(void) {
    finish(given);
}

static bool is_of(const struct lane *lane, const struct CUctx_st *context) {
    const char *stream = (const char *)lane - offsetof(struct CUstream_st, lane);
    return lane->kind == DEFAULT
               ? lane == &context->lane
               : ((const struct CUstream_st *)(const void *)stream)->context == context;
}

void finish_context(CUcontext context) {
    uint64_t last = 0;
    for (const struct work *w = first_work; w; w = w->next)
        last = is_of(w->lane, context) ? w->number : last;
    finish(last);
}

bool is_done(uint64_t number) {
    return !first_work || first_work->number > number;
}

CUresult sticky_error(void) {
    return broken;
}

static bool is_ordered(const struct lane *a, const struct lane *b) {
    return a == b || (a->kind == DEFAULT && b->kind == BLOCKING) ||
           (a->kind == BLOCKING && b->kind == DEFAULT);
}

static void check_allocated(uintptr_t address, const struct lane *lane) {
    const struct allocation *a = *find_allocation(address, 1);
    if (a && !is_done(a->ready) && !is_ordered(a->lane, lane))
        stray(ILLEGAL_ADDRESS, "use that does not wait for the allocation", address);
}

static void check_unused(uintptr_t address, const struct lane *lane) {
    const struct allocation *a = *find_allocation(address, 1);
    for (const struct work *w = first_work; a && w; w = w->next)
        for (int i = 0; i < MAX_WALKED; i++)
            if (w->touched[i] >= a->base && w->touched[i] < a->base + a->size &&
                !is_ordered(w->lane, lane))
                stray(ILLEGAL_ADDRESS, "a free that does not wait for the use", address);
}

CUresult enqueue(struct work *model, struct lane *lane) {
    for (int i = 0; i < MAX_WALKED; i++)
        if (model->touched[i])
            check_allocated(model->touched[i], lane);
    struct work *work = malloc(sizeof *work);
    if (!work)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *work = *model;
    work->next = NULL;
    work->lane = lane;
    work->number = lane->last = ++given;
    *last_work = work;
    last_work = &work->next;
    return CUDA_SUCCESS;
}

static void run_nothing(struct work *work) {
    (void)work;
}

CUresult allocate_on(struct lane *lane, size_t size, CUmemoryPool pool, uintptr_t *address) {
    struct work work = {.run = run_nothing};
    CUresult result = allocate(NULL, size, false, address);
    if (result == CUDA_SUCCESS)
        result = enqueue(&work, lane);
    if (result == CUDA_SUCCESS) {
        allocations->lane = lane;
        allocations->ready = lane->last;
        allocations->pool = pool;
        pool->used += size;
        pool->reserved = pool->used > pool->reserved ? pool->used : pool->reserved;
        pool->high = pool->used > pool->high ? pool->used : pool->high;
    }
    return result;
}

static void run_free(struct work *work) {
    if (deallocate(work->freed, false) != CUDA_SUCCESS)
        stray(ILLEGAL_ADDRESS, "a free of what was not allocated", work->freed);
}

static void run_copy(struct work *work) {
    memmove((void *)work->copy.dst, (const void *)work->copy.src, work->copy.size);
}

CUresult enqueue_free(CUdeviceptr memory, struct lane *lane) {
    struct work work = {.run = run_free, .freed = memory};
    check_unused(memory, lane);
    return enqueue(&work, lane);
}

static void run_set(struct work *work) {
    memset((void *)work->copy.dst, (int)work->copy.src, work->copy.size);
}

/* Memory that was allocated must have all of it; what was not is the program's. */
static void check_copied(uintptr_t address, size_t size) {
    if (!is_pageable(address) && !*find_allocation(address, size))
        stray(ILLEGAL_ADDRESS, "a copy beyond the end of an allocation", address);
}

CUresult enqueue_set(CUdeviceptr memory, unsigned char byte, size_t size, struct lane *lane) {
    struct work work = {.run = run_set, .touched = {memory}, .copy = {memory, byte, size}};
    if (!on_device(memory, size))
        stray(ILLEGAL_ADDRESS, "a set of what is not device memory", memory);
    return enqueue(&work, lane);
}

/* Copies of pageable memory are done at once, all others when someone waits. */
CUresult enqueue_copy(struct copy copy, struct lane *lane) {
    struct work work = {.run = run_copy, .touched = {copy.src, copy.dst}, .copy = copy};
    check_copied(copy.src, copy.size);
    check_copied(copy.dst, copy.size);
    CUresult result = enqueue(&work, lane);
    if (result == CUDA_SUCCESS && (is_pageable(copy.src) || is_pageable(copy.dst)))
        finish(given);
    return result;
}

/* ---- kernels */

static const size_t sizes[] = {
#define DTYPE(ID, name, brief, kind, bits, ...) (bits) / 8,
#include "../runtime/dtype.def"
#undef DTYPE
};

/* A kernel's parameter, read. */
struct reader {
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    enum ufc_kernel_kind kind;
    unsigned noperands, copied;
    struct ufc_kparam_head head;
    struct ufc_kparam_op op[UFC_MAX_OPERANDS];
    uint64_t fault;
    struct ufc_kparam_axes axes;
    struct ufc_kparam_layout layout[UFC_MAX_OPERANDS];
    struct ufc_kparam_mask mask;
    struct ufc_kparam_pieces pieces;
};

static enum ufc_kernel_family family_of(CUfunction f) {
    return kernel_info[f->kind].family;
}

static bool has_checks(CUfunction f) {
    return f->overload && f->overload->flags & UFC_CHECKS;
}

static struct ufc_param_offsets offsets(CUfunction f) {
    return ufc_param_offsets(f->ufunc->nin + f->ufunc->nout, has_checks(f));
}

static size_t parameter_size(CUfunction f) {
    if (family_of(f) == UFC_FAMILY_GUFUNC)
        return gufunc_param_size(f);
    if (family_of(f) == UFC_FAMILY_FOLD)
        return ufc_fold_param_size(has_checks(f));
    const struct ufc_param_offsets at = offsets(f);
    return ufc_param_size(&at, f->kind);
}

static void read_parameter(struct reader *r, CUfunction f, const unsigned char *bytes) {
    const struct ufc_param_offsets at = offsets(f);
    r->ufunc = f->ufunc;
    r->overload = f->overload;
    r->kind = f->kind;
    r->mask.ptr = 0;
    r->noperands = f->ufunc->nin + f->ufunc->nout;
    r->copied = f->copied;
    memcpy(&r->head, bytes, sizeof r->head);
    memcpy(r->op, bytes + at.op, r->noperands * sizeof r->op[0]);
    r->fault = 0;
    if (has_checks(f))
        memcpy(&r->fault, bytes + at.fault, sizeof r->fault);
    if (ufc_is_vector(f->kind))
        return;
    memcpy(&r->axes, bytes + at.axes, sizeof r->axes);
    memcpy(r->layout, bytes + at.layout, r->noperands * sizeof r->layout[0]);
    memcpy(&r->mask, bytes + at.mask, sizeof r->mask);
    if (f->kind != UFC_KERNEL_STRIDED)
        memcpy(&r->pieces, bytes + at.pieces, sizeof r->pieces);
}

static bool is_cut(const struct reader *r) {
    return !ufc_is_vector(r->kind) && r->kind != UFC_KERNEL_STRIDED;
}

/* Elements along an axis. */
static uint32_t extent(const struct reader *r, unsigned axis) {
    return is_cut(r) && axis < 2 ? r->pieces.size[axis] : r->axes.size[axis];
}

/* Of piece i of an axis: elements first, first + step, …, `count` or fewer. */
struct cut {
    uint64_t first, step, count;
};

static struct cut cut_of(const struct reader *r, unsigned axis, uint64_t i) {
    if (r->kind == UFC_KERNEL_TRANSPOSE)
        return (struct cut){i * r->overload->side, 1, r->overload->side};
    if (r->kind == UFC_KERNEL_CAST && axis == 0)
        return (struct cut){i, r->axes.size[0], UFC_CAST_ELEMENTS};
    if (r->kind == UFC_KERNEL_ROWS && axis == 0)
        return (struct cut){i * r->pieces.first, r->pieces.step, r->overload->vector_width};
    if (r->kind == UFC_KERNEL_ROWS)
        return (struct cut){i, r->axes.size[1], UINT32_MAX};
    return (struct cut){i, 1, 1};
}

static bool is_scalar(const struct reader *r, unsigned k) {
    return k < r->ufunc->nin && (r->head.scalars >> k & 1);
}

static enum ufc_dtype dtype_of(const struct reader *r, unsigned k) {
    int64_t dtype = r->kind == UFC_KERNEL_CAST ? r->layout[k].dtype : r->overload->dtypes[k];
    return dtype >= 0 && dtype < DT_COUNT ? (enum ufc_dtype)dtype : DT_BOOL;
}

static size_t element_size(const struct reader *r, unsigned k) {
    return r->copied ? r->copied : sizes[dtype_of(r, k)];
}

/* A complex number is aligned as its parts are. */
static size_t alignment_of(enum ufc_dtype d) {
    return d >= DT_COMPLEX64 ? sizes[d] / 2 : sizes[d];
}

/* Whether what pieces say of an operand's layout is so. */
static bool flags_hold(const struct reader *r, unsigned k) {
    const int64_t *stride = r->layout[k].stride;
    uint32_t bit = 1U << k;
    int64_t size = (int64_t)element_size(r, k), width = size * r->overload->vector_width;
    bool wide = r->pieces.wide & bit, backward = r->pieces.backward & bit;
    if (r->kind == UFC_KERNEL_TRANSPOSE)
        return !(r->pieces.transposed & bit) || llabs(stride[1]) < llabs(stride[0]);
    if (r->kind != UFC_KERNEL_ROWS)
        return true;
    bool holds = (!(r->pieces.kept & bit) || stride[1] == 0) &&
                 (!is_scalar(r, k) || stride[0] == 0) && (!wide || stride[0] == size) &&
                 (!backward || (stride[0] == -size && k < r->ufunc->nin));
    if (!wide && !backward)
        return holds;
    uint64_t end = backward ? (uint64_t)size : 0; /* where pieces meet */
    holds = holds && r->pieces.step == 1 && (r->op[k].ptr + end) % (uint64_t)width == 0;
    for (unsigned axis = 1; axis < UFC_MAX_AXES; axis++)
        holds = holds && stride[axis] % width == 0;
    return holds;
}

/* Whether an operand's whole extent is device memory, aligned as its kernel needs it. */
static bool check_operand(const struct reader *r, unsigned k, int64_t n) {
    size_t size = element_size(r, k);
    size_t alignment = r->copied ? size : alignment_of(dtype_of(r, k));
    int64_t low = 0, high = (int64_t)size;
    if (r->op[k].ptr == 0)
        return k < r->ufunc->nin &&
               (kernel_info[r->kind].sharing != UFC_BY_WIDE_THREAD || is_scalar(r, k));
    if (ufc_is_vector(r->kind) && !is_scalar(r, k)) {
        high *= n;
        alignment *= r->overload->vector_width;
    }
    for (unsigned axis = 0; !ufc_is_vector(r->kind) && axis < UFC_MAX_AXES; axis++) {
        int64_t reach = r->layout[k].stride[axis] * ((int64_t)extent(r, axis) - 1);
        *(reach < 0 ? &low : &high) += reach;
    }
    if (r->op[k].ptr % alignment != 0)
        stray(MISALIGNED_ADDRESS, "a misaligned operand", r->op[k].ptr);
    else if (!on_device(r->op[k].ptr + (uint64_t)low, (size_t)(high - low)))
        stray(ILLEGAL_ADDRESS, "an operand outside of device memory", r->op[k].ptr);
    else if (is_cut(r) && !flags_hold(r, k))
        stray(MISALIGNED_ADDRESS, "an operand that is not as its flags say", r->op[k].ptr);
    return !broken;
}

static bool check_axes(const struct reader *r) {
    uint64_t n = 1;
    for (unsigned axis = 0; axis < UFC_MAX_AXES; axis++)
        n *= r->axes.size[axis];
    return r->head.naxes <= UFC_MAX_AXES && r->head.n <= INT_MAX && n == (uint64_t)r->head.n;
}

/* Whether the mask has the element at a place. */
static bool mask_has(const struct reader *r, const uint64_t *place) {
    uint64_t at = r->mask.ptr;
    for (unsigned axis = 0; at && axis < r->head.naxes; axis++)
        at += place[axis] * (uint64_t)r->mask.stride[axis];
    if (at && !on_device(at, 1))
        stray(ILLEGAL_ADDRESS, "a mask outside of device memory", at);
    return !at || (!broken && *(const char *)at);
}

/* The place of piece i, as a device kernel computes it. */
static void find_place(const struct reader *r, uint64_t i, uint64_t *place) {
    memset(place, 0, UFC_MAX_AXES * sizeof *place);
    for (unsigned axis = 0; axis < r->head.naxes; axis++) {
        uint32_t size = r->axes.size[axis], magic = r->axes.magic[axis];
        uint64_t q = (magic ? i * magic >> 32 : i) >> r->axes.shift[axis];
        place[axis] = i - q * size;
        if (place[axis] >= size)
            stray(ILLEGAL_ADDRESS, "a wrong magic number: position", place[axis]);
        i = q;
    }
}

void run_host(ufc_host_kernel *host, char **args, const intptr_t *dimensions, const intptr_t *steps,
              uint64_t fault) {
    struct ufc_host_call lent = {.share = NULL};
    if (fault && !on_device(fault, sizeof lent.fault)) {
        stray(ILLEGAL_ADDRESS, "a fault outside of device memory", fault);
        return;
    }
    if (fault)
        memcpy(&lent.fault, (const void *)fault, sizeof lent.fault);
    host(args, dimensions, steps, &lent);
    if (fault)
        memcpy((void *)fault, &lent.fault, sizeof lent.fault);
}

/* A fault's element is in the device's memory, not where the host's code stored it. */
static void place_fault(const struct reader *r, const char *stored, int64_t offset) {
    struct ufc_fault fault;
    if (!r->fault || broken)
        return;
    memcpy(&fault, (const void *)r->fault, sizeof fault);
    if (fault.output == (uintptr_t)stored)
        fault.output = r->op[r->ufunc->nin].ptr + (uint64_t)offset;
    memcpy((void *)r->fault, &fault, sizeof fault);
}

static void run_element(const struct reader *r, ufc_host_kernel *host, const int64_t *offset) {
    uint64_t value[UFC_MAX_OPERANDS][2];
    char *args[UFC_MAX_OPERANDS];
    intptr_t one = 1, steps[UFC_MAX_OPERANDS] = {0};
    if (r->copied) {
        memcpy((char *)r->op[1].ptr + offset[1], (const char *)r->op[0].ptr + offset[0], r->copied);
        return;
    }
    for (unsigned k = 0; k < r->noperands && !broken; k++) {
        enum ufc_dtype to = r->overload->dtypes[k], from = dtype_of(r, k);
        args[k] = (char *)value[k];
        if (r->op[k].ptr == 0)
            memcpy(value[k], r->op[k].value, sizeof value[k]);
        else if (k < r->ufunc->nin)
            cast_elements(from, to, args[k], 0, (const char *)r->op[k].ptr + offset[k], 0, 1);
    }
    if (!broken && host)
        run_host(host, args, &one, steps, r->fault);
    else if (!broken) /* a gufunc's copies */
        memcpy(value[1], value[0], sizeof value[1]);
    place_fault(r, args[r->ufunc->nin], offset[r->ufunc->nin]);
    for (unsigned k = r->ufunc->nin; k < r->noperands && !broken; k++)
        cast_elements(r->overload->dtypes[k], dtype_of(r, k), (char *)r->op[k].ptr + offset[k], 0,
                      args[k], 0, 1);
}

static void run_contiguous(const struct reader *r, ufc_host_kernel *host, uint64_t i) {
    int64_t offset[UFC_MAX_OPERANDS];
    for (unsigned k = 0; k < r->noperands; k++)
        offset[k] = is_scalar(r, k) ? 0 : (int64_t)(i * element_size(r, k));
    run_element(r, host, offset);
}

static void run_piece(const struct reader *r, ufc_host_kernel *host, uint64_t i) {
    uint64_t place[UFC_MAX_AXES];
    int64_t offset[UFC_MAX_OPERANDS];
    find_place(r, i, place);
    struct cut x = cut_of(r, 0, place[0]), y = cut_of(r, 1, place[1]);
    for (uint64_t row = 0; row < y.count && y.first + row * y.step < extent(r, 1); row++)
        for (uint64_t j = 0; j < x.count && x.first + j * x.step < extent(r, 0); j++) {
            place[0] = x.first + j * x.step;
            place[1] = y.first + row * y.step;
            memset(offset, 0, sizeof offset);
            for (unsigned axis = 0; axis < r->head.naxes; axis++)
                for (unsigned k = 0; k < r->noperands; k++)
                    offset[k] += (int64_t)place[axis] * r->layout[k].stride[axis];
            if (mask_has(r, place))
                run_element(r, host, offset);
        }
}

ufc_host_kernel *host_kernel(const struct ufc_overload *overload) {
    struct ufc_maker *maker = overload->maker;
    char why[200];
    if (maker) {
        const struct ufc_host_code *made =
            maker->host ? maker->host(maker, UFC_HOST_CALLS, why, sizeof why) : NULL;
        return made ? made->kernel : NULL;
    }
    int level = 0;
    while (level < LEVEL_COUNT && !overload->host[level])
        level++;
    return level < LEVEL_COUNT ? overload->host[level] : NULL;
}

static void run_kernel(struct work *work) {
    if (family_of(work->function) == UFC_FAMILY_FOLD) {
        run_fold(work);
        return;
    }
    if (family_of(work->function) == UFC_FAMILY_GUFUNC) {
        run_gufunc(work);
        return;
    }
    struct reader r;
    read_parameter(&r, work->function, work->parameter);
    int64_t n = work->threads;
    if (ufc_is_vector(r.kind))
        n *= r.overload->vector_width;
    else if (kernel_info[r.kind].sharing == UFC_BY_BLOCK)
        n /= r.overload->block[r.kind];
    if (n > r.head.n)
        n = r.head.n;
    if (!ufc_is_vector(r.kind) && !check_axes(&r))
        stray(ILLEGAL_ADDRESS, "a parameter with wrong axes, of elements", (uintptr_t)r.head.n);
    for (unsigned k = 0; k < r.noperands && !broken; k++)
        if (!check_operand(&r, k, n) && !broken)
            stray(ILLEGAL_ADDRESS, "a number that is not by value, operand", k);
    ufc_host_kernel *host = r.copied ? NULL : host_kernel(r.overload);
    for (int64_t i = n - 1; i >= 0 && !broken; i--)
        (ufc_is_vector(r.kind) ? run_contiguous : run_piece)(&r, host, (uint64_t)i);
}

static void set_touched(struct work *work) {
    if (family_of(work->function) == UFC_FAMILY_GUFUNC) {
        set_gufunc_touched(work);
        return;
    }
    if (family_of(work->function) == UFC_FAMILY_FOLD) {
        struct ufc_kparam_fold p;
        memcpy(&p, work->parameter, sizeof p);
        const uint64_t touched[] = {p.in, p.out, p.where, p.bounds, p.carry, p.keys};
        memcpy(work->touched, touched, sizeof touched);
        return;
    }
    struct reader r;
    read_parameter(&r, work->function, work->parameter);
    for (unsigned k = 0; k < r.noperands; k++)
        work->touched[k] = r.op[k].ptr;
    if (r.mask.ptr)
        work->touched[r.noperands] = r.mask.ptr;
}

CUresult enqueue_kernel(CUfunction function, int64_t threads, const void *parameter,
                        struct lane *lane) {
    struct work work = {.run = run_kernel, .function = function, .threads = threads};
    memcpy(work.parameter, parameter, parameter_size(function));
    set_touched(&work);
    return enqueue(&work, lane);
}
