/* fakecuda_fold.c: the fake CUDA driver's kernels that reduce, as image_abi.h describes them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "fakecuda_work.h"

struct fold {
    const struct ufc_overload *overload;
    ufc_host_kernel *host;
    enum ufc_dtype dtype;
    struct ufc_kparam_fold p;
    uint64_t fault;
};

struct acc {
    uint64_t value[2];
    bool has;
};

static const size_t sizes[] = {
#define DTYPE(ID, name, brief, kind, bits, ...) (bits) / 8,
#include "../runtime/dtype.def"
#undef DTYPE
};

/* A complex number is aligned to its parts. */
static size_t aligned(enum ufc_dtype dtype) {
    return sizes[dtype] / (dtype == DT_COMPLEX64 || dtype == DT_COMPLEX128 ? 2 : 1);
}

static bool reach(uint64_t at, size_t size, size_t align) {
    if (sticky_error())
        return false;
    if (at % align)
        stray(MISALIGNED_ADDRESS, "a misaligned element of a reduction", at);
    else if (!on_device(at, size))
        stray(ILLEGAL_ADDRESS, "an element of a reduction outside of device memory", at);
    return !sticky_error();
}

static void load(uint64_t *value, uint64_t at, enum ufc_dtype from, enum ufc_dtype to) {
    value[0] = value[1] = 0;
    if (reach(at, sizes[from], aligned(from)))
        cast_elements(from, to, (char *)value, 0, (const char *)at, 0, 1);
}

static int64_t offset(const struct ufc_kparam_axes *axes, uint32_t naxes, const int64_t *stride,
                      uint64_t i) {
    int64_t sum = 0;
    if (naxes <= 1) /* the last axis takes what is left */
        return (int64_t)i * stride[0];
    for (uint32_t axis = 0; axis < naxes; axis++) {
        uint32_t magic = axes->magic[axis];
        uint64_t q = (magic ? i * magic >> 32 : i) >> axes->shift[axis];
        if (i - q * axes->size[axis] >= axes->size[axis])
            stray(ILLEGAL_ADDRESS, "a wrong magic number: position", i - q * axes->size[axis]);
        sum += (int64_t)(axis + 1 < naxes ? i - q * axes->size[axis] : i) * stride[axis];
        i = q;
    }
    return sum;
}

static void join(const struct fold *f, struct acc *acc, const struct acc *other) {
    static const intptr_t one = 1, steps[3] = {0};
    struct acc result = {{0}, true};
    if (!other->has)
        return;
    char *args[] = {(char *)acc->value, (char *)(uintptr_t)other->value, (char *)result.value};
    if (acc->has)
        run_host(f->host, args, &one, steps, f->fault);
    *acc = acc->has ? result : *other;
}

/* Where a line begins. */
struct line {
    uint64_t in, out, where;
};

static void take(const struct fold *f, const struct line *line, uint64_t i, struct acc *acc) {
    const struct ufc_kparam_fold *p = &f->p;
    struct acc x = {.has = true};
    if (p->where) {
        uint64_t at = line->where + (uint64_t)offset(&p->inner, p->ninner, p->where_inner, i);
        if (!reach(at, 1, 1) || !*(const char *)at)
            return;
    }
    uint64_t in = line->in + (uint64_t)offset(&p->inner, p->ninner, p->in_inner, i);
    load(x.value, in, (enum ufc_dtype)p->in_dtype, f->dtype);
    join(f, acc, &x);
}

static void put(const struct fold *f, const uint64_t *value, uint64_t at) {
    enum ufc_dtype to = (enum ufc_dtype)f->p.out_dtype;
    if (reach(at, sizes[to], aligned(to)))
        cast_elements(f->dtype, to, (char *)at, 0, (const char *)value, 0, 1);
}

static void fold(const struct fold *f, const struct line *line, int64_t begin, int64_t end,
                 struct acc *acc) {
    const struct ufc_kparam_fold *p = &f->p;
    for (int64_t k = begin; k < end && !sticky_error(); k++) {
        take(f, line, (uint64_t)k, acc);
        if (p->each)
            put(f, acc->value,
                line->out + (uint64_t)offset(&p->inner, p->ninner, p->out_inner, (uint64_t)k));
    }
}

static void tree(const struct fold *f, const struct line *line, int64_t begin, int64_t end,
                 struct acc *acc) {
    const struct ufc_kparam_fold *p = &f->p;
    for (int64_t thread = 0; thread < p->group; thread++) {
        struct acc own = {.has = false};
        int64_t first = begin + thread * p->lane, last = first + p->stride * p->steps;
        for (int64_t unit = first; unit < last && unit < end; unit += p->stride)
            for (int64_t k = unit; k < unit + p->unit && k < end && !sticky_error(); k++)
                take(f, line, (uint64_t)k, &own);
        join(f, acc, &own);
    }
}

static void across(const struct fold *f, const struct line *line, int64_t begin, int64_t end,
                   struct acc *acc) {
    for (int64_t thread = 0; thread < f->p.group; thread++) {
        struct acc own = {.has = false};
        int64_t first = begin + thread * f->p.steps;
        for (int64_t k = first; k < first + f->p.steps && k < end && !sticky_error(); k++)
            take(f, line, (uint64_t)k, &own);
        join(f, acc, &own);
    }
}

static void run_number(const struct fold *f, enum ufc_kernel_kind kind, int64_t number) {
    const struct ufc_kparam_fold *p = &f->p;
    int64_t segment = number / p->lines, begin = segment * p->piece, end = begin + p->piece;
    uint64_t l = (uint64_t)(number % p->lines);
    if (end > p->length)
        end = p->length;
    if (p->bounds && reach(p->bounds + 16 * (uint64_t)segment + 8, 8, 8)) {
        const int64_t *bounds = (const int64_t *)p->bounds;
        begin = bounds[2 * segment];
        end = bounds[2 * segment + 1];
    }
    struct line line = {
        p->in + (uint64_t)offset(&p->outer, p->nouter, p->in_outer, l),
        p->out +
            (uint64_t)(offset(&p->outer, p->nouter, p->out_outer, l) + segment * p->segment_stride),
        p->where + (uint64_t)offset(&p->outer, p->nouter, p->where_outer, l),
    };
    struct acc acc = {{p->initial[0], p->initial[1]}, p->has_initial && segment == 0};
    if (kind == UFC_KERNEL_SCAN) {
        end = segment == 0 ? p->length : begin; /* a line's first block computes all of it */
    } else if (p->carry && segment > 0) {
        uint64_t at = (uint64_t)((segment - 1) * p->lines) + l;
        load(acc.value, p->carry + at * sizes[f->dtype], f->dtype, f->dtype);
        acc.has = true;
    }
    (kind == UFC_KERNEL_TREE     ? tree
     : kind == UFC_KERNEL_ACROSS ? across
                                 : fold)(f, &line, begin, end, &acc);
    if (!p->each)
        put(f, acc.has ? acc.value : p->empty, line.out);
}

/* ---- at */

/* The memory of the keys, or of rows alone; NULL: it is none of the device's. */
static void *keys_at(const struct fold *f, size_t size) {
    const struct ufc_kparam_fold *p = &f->p;
    return reach(p->keys, size * (size_t)p->length, size) ? (void *)(uintptr_t)p->keys : NULL;
}

static uint64_t *keys_of(const struct fold *f) {
    return keys_at(f, sizeof(uint64_t));
}

static uint32_t *rows_of(const struct fold *f) {
    return keys_at(f, sizeof(uint32_t));
}

/* The keys of all indices, or, where `rows` is not NULL, their rows alone. */
static void make_keys(const struct fold *f, uint64_t *keys, uint32_t *rows) {
    const struct ufc_kparam_fold *p = &f->p;
    int64_t *outside = (int64_t *)p->carry;
    for (int64_t i = 0; i < p->length && reach(p->carry, 16, 8); i++) {
        uint64_t value[2];
        load(value, p->in + (uint64_t)offset(&p->inner, p->ninner, p->in_inner, (uint64_t)i),
             (enum ufc_dtype)p->in_dtype, DT_INT64);
        int64_t index = (int64_t)value[0], row = index < 0 ? index + p->rows : index;
        if (row < 0 || row >= p->rows) {
            outside[0] = index < outside[0] ? index : outside[0];
            outside[1] = index > outside[1] ? index : outside[1];
        }
        if (rows)
            rows[i] = (uint32_t)row;
        else
            keys[i] = (uint64_t)row << p->shift | (uint64_t)i;
    }
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Moves keys to where their digit says, those of equal digits in their order. */
static void place_keys(const struct fold *f, const uint64_t *keys) {
    const struct ufc_kparam_fold *p = &f->p;
    size_t n = (size_t)p->length, to = 0;
    uint64_t *sorted = reach(p->sorted, 8 * n, 8) ? (uint64_t *)p->sorted : NULL;
    for (uint64_t digit = 0; sorted && digit >> p->lane == 0; digit++)
        for (size_t i = 0; i < n; i++)
            if ((keys[i] >> p->unit & ((UINT64_C(1) << p->lane) - 1)) == digit)
                sorted[to++] = keys[i];
}

static void run_sort(const struct fold *f) {
    bool alone = f->p.job == UFC_SORT_ROWS;
    uint32_t *rows = alone ? rows_of(f) : NULL;
    uint64_t *keys = alone ? NULL : keys_of(f);
    if (rows || (keys && f->p.job == UFC_SORT_MAKE))
        make_keys(f, keys, rows);
    else if (keys && f->p.job == UFC_SORT_BLOCK)
        qsort(keys, (size_t)f->p.length, sizeof *keys, compare_keys);
    else if (keys && f->p.job == UFC_SORT_PLACE) /* it counts them itself */
        place_keys(f, keys);
}

/* A row's keys from k on: a thread's, or all of them before the pieces are joined. */
static void run_row(const struct fold *f, const uint64_t *keys, int64_t k, uint64_t l) {
    const struct ufc_kparam_fold *p = &f->p;
    uint64_t row = keys[k] >> p->shift, ones = (UINT64_C(1) << p->shift) - 1;
    struct line line = {p->in + (uint64_t)offset(&p->outer, p->nouter, p->in_outer, l),
                        p->out + (uint64_t)(offset(&p->outer, p->nouter, p->out_outer, l) +
                                            (int64_t)row * p->segment_stride),
                        0};
    struct acc acc = {.has = true};
    load(acc.value, line.out, (enum ufc_dtype)p->out_dtype, f->dtype);
    for (; k < p->length && keys[k] >> p->shift == row && !sticky_error(); k++)
        take(f, &line, keys[k] & ones, &acc);
    put(f, acc.value, line.out);
}

static void run_at(const struct fold *f) {
    const struct ufc_kparam_fold *p = &f->p;
    bool leads = p->job == UFC_AT_KEYS || p->job == UFC_AT_ROWS;
    const uint64_t *keys = leads ? keys_of(f) : NULL;
    for (int64_t k = 0; keys && k < p->length && !sticky_error(); k++)
        for (int64_t l = 0; l < p->lines; l++)
            if (k == 0 || keys[k] >> p->shift != keys[k - 1] >> p->shift)
                run_row(f, keys, k, (uint64_t)l);
}

static void run_merge(const struct fold *f) {
    const struct ufc_kparam_fold *p = &f->p;
    const uint32_t *rows = rows_of(f);
    for (int64_t k = 0; rows && k < p->length && !sticky_error(); k++)
        for (uint64_t l = 0; l < (uint64_t)p->lines; l++) {
            int64_t row = rows[k] * p->segment_stride;
            struct line line = {
                p->in + (uint64_t)offset(&p->outer, p->nouter, p->in_outer, l),
                p->out + (uint64_t)(offset(&p->outer, p->nouter, p->out_outer, l) + row), 0};
            struct acc acc = {.has = true};
            load(acc.value, line.out, (enum ufc_dtype)p->out_dtype, f->dtype);
            take(f, &line, (uint64_t)k, &acc);
            put(f, acc.value, line.out);
        }
}

void run_fold(struct work *work) {
    struct fold f = {.overload = work->function->overload};
    enum ufc_kernel_kind kind = work->function->kind;
    memcpy(&f.p, work->parameter, sizeof f.p);
    if (f.overload->flags & UFC_CHECKS)
        memcpy(&f.fault, work->parameter + sizeof f.p, sizeof f.fault);
    f.dtype = (enum ufc_dtype)f.overload->dtypes[2];
    f.host = host_kernel(f.overload);
    if (f.p.keys) {
        (kind == UFC_KERNEL_SORT ? run_sort : kind == UFC_KERNEL_AT ? run_at : run_merge)(&f);
        return;
    }
    int64_t all = f.p.lines * f.p.segments, threads = all;
    if (kind == UFC_KERNEL_TREE || kind == UFC_KERNEL_SCAN)
        threads *= kind == UFC_KERNEL_TREE ? f.p.group : BLOCK_THREADS;
    if (kind == UFC_KERNEL_ACROSS && f.p.across > 0)
        threads =
            all / f.p.across * BLOCK_THREADS * ((f.p.across - 1) / ufc_across_columns(&f.p) + 1);
    if (f.p.nouter > UFC_MAX_AXES || f.p.ninner > UFC_MAX_AXES || all < 1 || all > INT_MAX ||
        work->threads < threads || work->threads >= threads + BLOCK_THREADS)
        stray(ILLEGAL_ADDRESS, "a reduction with a wrong parameter, threads",
              (uintptr_t)work->threads);
    for (int64_t number = all - 1; number >= 0 && !sticky_error(); number--)
        run_number(&f, kind, number);
}
