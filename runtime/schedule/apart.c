/* apart.c: how far apart in memory what neighbours along an index access is: what is moved where
 * neighbouring threads are such neighbours. */
#include <stdlib.h>

#include "apart.h"
#include "schedule.h"

size_t first_dimension(const struct iteration *it, const struct ufc_access *a) {
    size_t first = 0;
    for (int k = 0; k < a->operand; k++)
        first += it->ufunc->core->rank[k];
    return first;
}

int64_t loop_size(const struct iteration *it, int loop) {
    return it->core->loop[loop];
}

int64_t step_elements(const struct iteration *it, const struct ufc_step *s) {
    int64_t n = s->factor;
    for (uint32_t rest = s->sizes; rest != 0; rest <<= 8)
        n *= it->core->size[(rest >> 24) - 1];
    return n;
}

int64_t loop_stride(const struct iteration *it, const struct ufc_access *a, int loop) {
    const int64_t *stride = it->core->stride;
    int64_t sum = 0;
    for (int k = 0; k < a->operand; k++)
        stride += it->ufunc->core->rank[k];
    for (int i = 0; i < a->nsteps; i++)
        if (a->steps[i].loop == loop)
            sum += step_elements(it, &a->steps[i]) * stride[a->steps[i].subscript];
    return sum;
}

/* The elements that an access is of, all different. */
static double access_elements(const struct iteration *it, const struct ufc_access *a) {
    double n = 1;
    for (int axis = 0; axis < it->naxes; axis++)
        if (it->stride[a->operand][axis] != 0)
            n *= (double)it->size[axis];
    for (uint32_t i = 0; i < it->overload->nloops; i++)
        if (a->loops >> i & 1) {
            int64_t size = loop_size(it, (int)i);
            n *= (double)(size < 0 ? NEST_UNKNOWN : size);
        }
    return n;
}

double distinct_elements(const struct iteration *it, const struct ufc_access *a) {
    const uint8_t *dim = it->ufunc->core->dim + first_dimension(it, a);
    double n = 1, accessed = access_elements(it, a);
    for (int axis = 0; axis < it->naxes; axis++)
        if (it->stride[a->operand][axis] != 0)
            n *= (double)it->size[axis];
    for (int k = 0; k < it->ufunc->core->rank[a->operand]; k++)
        n *= (double)it->core->size[dim[k]];
    return n < accessed ? n : accessed;
}

/* The bytes of the elements of an access. */
static double access_bytes(const struct iteration *it, const struct ufc_access *a) {
    return access_elements(it, a) * (double)dtype_info[it->dtype[a->operand]].size;
}

/* Elements from one iteration along an index to the next, in an access: as many as a line of memory
 * has, at most. */
static double elements_apart(const struct iteration *it, const struct ufc_access *a,
                             struct loop_index x) {
    int64_t stride = x.axis >= 0 ? it->stride[a->operand][x.axis] : loop_stride(it, a, x.loop);
    if (x.axis < 0 && stride == 0 && a->irregular && a->loops >> x.loop & 1)
        return 1; /* as likely as not its neighbour */
    int64_t size = dtype_info[it->dtype[a->operand]].size, bytes = llabs(stride);
    return (double)(bytes < NEST_LINE ? bytes : NEST_LINE) / (double)size;
}

/* The lines of n elements that are `apart` iterations apart along x. */
static double lines_of(const struct iteration *it, const struct ufc_access *a, struct loop_index x,
                       int64_t apart, double n) {
    int64_t stride = x.axis >= 0 ? it->stride[a->operand][x.axis] : loop_stride(it, a, x.loop);
    if (x.axis < 0 && stride == 0 && a->irregular && a->loops >> x.loop & 1)
        return n;
    double lines = (double)llabs(stride * apart) * n / NEST_LINE;
    return lines < 1 ? 1 : lines > n ? n : lines;
}

double lines_along(const struct iteration *it, const struct ufc_access *a, struct loop_index x) {
    return lines_of(it, a, x, 1, WARP_THREADS);
}

double lines_in_rows(const struct iteration *it, const struct ufc_access *a,
                     const struct warp_rows *r) {
    double lanes = at_most((double)r->lanes, WARP_THREADS);
    return lines_of(it, a, r->along, r->apart, lanes) *
           lines_of(it, a, r->across, 1, WARP_THREADS / lanes);
}

double moved_along(const struct iteration *it, uint32_t phase, struct loop_index x) {
    double stored;
    return moved_in_patch(it, phase, x, x, &stored);
}

double moved_in_patch(const struct iteration *it, uint32_t phase, struct loop_index first,
                      struct loop_index second, double *stored) {
    double sum = 0;
    *stored = 0;
    for (uint32_t i = 0; i < it->overload->naccesses; i++) {
        const struct ufc_access *a = &it->overload->accesses[i];
        if (a->phase != phase || !it->data[a->operand])
            continue;
        double bytes = access_bytes(it, a);
        double apart = elements_apart(it, a, first), other = elements_apart(it, a, second);
        sum += bytes * (apart < other ? apart : other);
        *stored += a->stored ? bytes * (apart - other) : 0;
    }
    return sum;
}

int64_t patch_lanes(const struct iteration *it, uint32_t phase, struct loop_index first,
                    struct loop_index second) {
    double lines[2] = {0}; /* where neighbours along the first index, or the second, are near */
    for (uint32_t i = 0; i < it->overload->naccesses; i++) {
        const struct ufc_access *a = &it->overload->accesses[i];
        double apart = elements_apart(it, a, first), other = elements_apart(it, a, second);
        if (a->phase == phase && it->data[a->operand] && apart != other)
            lines[apart > other] += a->stored ? 2 : a->count;
    }
    int64_t best = NEST_PATCH_LANES;
    for (int64_t lanes = NEST_PATCH_LANES / 2; lanes <= 2 * NEST_PATCH_LANES; lanes *= 2)
        if (lines[0] * 32 / (double)lanes + lines[1] * (double)lanes <
            lines[0] * 32 / (double)best + lines[1] * (double)best)
            best = lanes;
    return best;
}

bool are_beside(const struct iteration *it, uint32_t phase) {
    const struct ufc_overload *o = it->overload;
    const struct ufc_phase *p = &o->phase[phase];
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        int axis = ufc_subscript_along(a, (int)p->along), rank = it->ufunc->core->rank[a->operand];
        if (a->phase != phase || axis < 0 || !(p->beside >> a->operand & 1))
            continue;
        const int64_t *stride = it->core->stride;
        const uint8_t *dim = it->ufunc->core->dim + first_dimension(it, a);
        int64_t bytes = dtype_info[it->dtype[a->operand]].size,
                all = (intptr_t)it->data[a->operand];
        stride += first_dimension(it, a);
        for (int d = rank - 1; d >= axis; d--) {
            if (stride[d] != bytes)
                return false;
            bytes *= d > axis ? it->core->size[dim[d]] : p->neighbours;
        }
        for (int d = 0; d < axis; d++)
            all |= stride[d];
        for (int d = 0; d < it->naxes; d++)
            all |= it->stride[a->operand][d];
        for (int k = 0; k < a->nsteps + a->noffsets; k++)
            if (a->steps[k].sizes != 0 && a->steps[k].subscript >= axis)
                all |= step_elements(it, &a->steps[k]) * stride[a->steps[k].subscript];
        if (all % ufc_vector_alignment(bytes) != 0)
            return false;
    }
    return true;
}

bool are_flat(const struct iteration *it, uint32_t phase, int64_t columns) {
    const struct ufc_overload *o = it->overload;
    const struct ufc_phase *p = &o->phase[phase];
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        const int64_t *stride = it->core->stride + first_dimension(it, a);
        int rank = it->ufunc->core->rank[a->operand];
        int64_t bytes = dtype_info[it->dtype[a->operand]].size;
        int64_t all = (intptr_t)it->data[a->operand];
        if (a->phase != phase || !(p->flat >> a->operand & 1))
            continue;
        for (int d = 0; d < rank - 2; d++)
            all |= stride[d];
        for (int d = 0; d < it->naxes; d++)
            all |= it->stride[a->operand][d];
        if (stride[rank - 1] != bytes || stride[rank - 2] != bytes * columns ||
            all % ufc_vector_alignment(bytes * p->neighbours) != 0)
            return false;
    }
    return true;
}

bool is_crossing(const struct iteration *it, uint32_t phase, struct loop_index first,
                 struct loop_index second) {
    double along_first = 0, along_second = 0, both = 0;
    for (uint32_t i = 0; i < it->overload->naccesses; i++) {
        const struct ufc_access *a = &it->overload->accesses[i];
        if (a->phase != phase || !it->data[a->operand])
            continue;
        double bytes = access_bytes(it, a);
        double apart = elements_apart(it, a, first), other = elements_apart(it, a, second);
        if (apart == 0 || other == 0)
            continue; /* one element for all neighbours, which caches hold */
        along_first += bytes * apart;
        along_second += bytes * other;
        both += bytes * (apart < other ? apart : other);
    }
    double least = along_first < along_second ? along_first : along_second;
    return both * NEST_PATCH_GAIN < least;
}
